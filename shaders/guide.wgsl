// Guides: strokes and fills that the CPU has laid out on the screen, and grids that it has not.

// Two triangles: `Quad` in src/gpu/guides.rs.
struct Quad {
    // Corners in NDC, two and two.
    @location(0) first: vec4f,
    @location(1) second: vec4f,
    // Pixels from the middle of the stroke, on its first and its other side; half its width, and
    // how far its halo goes.
    @location(2) across: vec4f,
    // Of its ends.
    @location(3) from_color: vec4f,
    @location(4) to_color: vec4f,
}

struct Raster {
    @builtin(position) position_clip: vec4f,
    // Signed pixels from the middle of the stroke.
    @location(0) across: f32,
    // Half its width, and how far its halo goes.
    @location(1) @interpolate(flat) width: vec2f,
    @location(2) color: vec4f,
}

// Which corner of a stroke a vertex is: the first or the last end, the first or the other side.
// Triangles 0, 1, 2 and 0, 2, 3.
fn corner_at(index: u32) -> vec2<bool> {
    let corner = select(index, (index - 2u) * u32(index > 3u), index > 2u);
    return vec2(corner > 1u, corner == 1u || corner == 2u);
}

@vertex
fn vs_guide(quad: Quad, @builtin(vertex_index) index: u32) -> Raster {
    let corner = corner_at(index);
    let pair = select(quad.first, quad.second, corner.x);
    let position = select(pair.xy, pair.zw, corner.x != corner.y);
    let across = select(quad.across.x, quad.across.y, corner.y);
    let color = select(quad.from_color, quad.to_color, corner.x);
    return Raster(vec4f(position, 0.0, 1.0), across, quad.across.zw, color);
}

// A grid of lines: `GridRecord` in src/gpu/guides.rs. Lengths in the plane are in radii of the
// circle that it fades out in.
struct Grid {
    // Homogeneous NDC (x, y, w) of its middle, and how they change along its axes.
    @location(0) middle: vec3f,
    @location(1) first_axis: vec3f,
    @location(2) second_axis: vec3f,
    // Where the first line across each axis is, and from one line to the next.
    @location(3) lines: vec3f,
    // How many lines are across the first axis; the others are across the second.
    @location(4) across_first: u32,
    // Pixels of the viewport.
    @location(5) size_px: vec2f,
    // Half the width of a line, and how far its halo goes.
    @location(6) width: vec2f,
    @location(7) color: vec4f,
}

// Strokes that a line fades in, end to end.
const GRID_PIECES: u32 = 6u;
// How far outside of the viewport a line ends, in pixels: past any width.
const MARGIN_PX: f32 = 16.0;
// Least part of the largest w of a grid that a point in front of the viewer has.
const LEAST_W: f32 = 1.0e-5;

// What of `start + t · way`, t from 0 to 1, is in front of the viewer and in the viewport, a margin
// included. Cut before the division, where it is linear.
fn seen_part(start: vec3f, way: vec3f, edge: vec2f) -> vec2f {
    // Signed distances to the sides, at the start and by the way.
    var at = array(start.z - LEAST_W, edge.x * start.z - start.x, edge.x * start.z + start.x,
        edge.y * start.z - start.y, edge.y * start.z + start.y);
    var slope = array(way.z, edge.x * way.z - way.x, edge.x * way.z + way.x,
        edge.y * way.z - way.y, edge.y * way.z + way.y);
    var part = vec2f(0.0, 1.0);
    for (var i = 0; i < 5; i += 1) {
        if slope[i] > 0.0 {
            part.x = max(part.x, -at[i] / slope[i]);
        } else if slope[i] < 0.0 {
            part.y = min(part.y, -at[i] / slope[i]);
        } else if at[i] < 0.0 {
            part.y = -1.0;
        }
    }
    return part;
}

// Six vertices for each piece of each line.
@vertex
fn vs_grid(grid: Grid, @builtin(vertex_index) index: u32) -> Raster {
    let nowhere = Raster(vec4f(2.0, 2.0, 0.0, 1.0), 0.0, vec2f(0.0), vec4f(0.0));
    let corner = corner_at(index % 6u);
    let piece = index / 6u % GRID_PIECES;
    let line = index / 6u / GRID_PIECES;
    let is_across_first = line < grid.across_first;
    let number = select(line - grid.across_first, line, is_across_first);
    let offset = select(grid.lines.y, grid.lines.x, is_across_first) + f32(number) * grid.lines.z;
    let across = select(grid.second_axis, grid.first_axis, is_across_first);
    let along = select(grid.first_axis, grid.second_axis, is_across_first);

    let half = sqrt(max(1.0 - offset * offset, 0.0));
    let ends = half * (2.0 * vec2f(f32(piece), f32(piece + 1u)) / f32(GRID_PIECES) - 1.0);
    let start = grid.middle + across * offset + along * ends.x;
    let way = along * (ends.y - ends.x);
    let part = seen_part(start, way, 1.0 + 2.0 * MARGIN_PX / grid.size_px);
    if part.x >= part.y {
        return nowhere;
    }
    let t = select(part.x, part.y, corner.x);
    let seen = start + way * t;
    // Where the line goes on the screen: the same all along, and behind the viewer as well.
    let direction = (way.xy * start.z - start.xy * way.z) * grid.size_px;
    if dot(direction, direction) == 0.0 {
        return nowhere;
    }
    let reach = (grid.width.x + grid.width.y + 1.0) * select(-1.0, 1.0, corner.y);
    let side_px = normalize(vec2f(-direction.y, direction.x)) * reach;
    let position = seen.xy / seen.z + 2.0 * side_px / grid.size_px;

    let from_middle = vec2f(offset, mix(ends.x, ends.y, t));
    let left = max(1.0 - dot(from_middle, from_middle), 0.0);
    let color = vec4f(grid.color.rgb, grid.color.a * left * sqrt(left));
    return Raster(vec4f(position, 0.0, 1.0), reach, grid.width, color);
}

// Black, this opaque: less than round the handles, which are thicker.
const HALO_OPACITY: f32 = 0.28;

// Premultiplied, sRGB-encoded.
fn painted(in: Raster) -> vec4f {
    let from_middle = abs(in.across);
    let half_width = in.width.x;
    let halo_width = in.width.y;
    // How much of a pixel a stroke covers that may be thinner than one.
    let core = clamp(half_width + 0.5 - from_middle, 0.0, min(1.0, 2.0 * half_width));
    let halo = HALO_OPACITY * saturate(half_width + halo_width + 0.5 - from_middle);
    let around = select(halo * (1.0 - core), 0.0, halo_width <= 0.0);
    return in.color.a * vec4f(in.color.rgb * core, core + around);
}

// For targets that hold sRGB values as they are.
@fragment
fn fs_encoded(in: Raster) -> @location(0) vec4f {
    return painted(in);
}

@fragment
fn fs_linear(in: Raster) -> @location(0) vec4f {
    return linear_from_encoded(painted(in));
}
