// Grids, whose lines this shader generates.

struct Raster {
    @builtin(position) position_clip: vec4f,
    // Signed distance from the center line of the stroke, in pixels.
    @location(0) across: f32,
    // Half of the width of the stroke and the width of its halo, in pixels.
    @location(1) @interpolate(flat) width: vec2f,
    @location(2) color: vec4f,
}

// Returns the corner of a vertex of the triangles 0, 1, 2 and 0, 2, 3: whether it is at the end of the
// stroke, and whether it is on the second side.
fn corner_at(index: u32) -> vec2<bool> {
    let corner = select(index, (index - 2u) * u32(index > 3u), index > 2u);
    return vec2(corner > 1u, corner == 1u || corner == 2u);
}

// A grid of lines: `GridRecord` in src/gpu/drawing/grids.rs. Lengths in the plane are in units of the radius at
// which the grid has faded out.
struct Grid {
    // Homogeneous NDC (x, y, w) of the center, and the derivatives along the two axes.
    @location(0) middle: vec3f,
    @location(1) first_axis: vec3f,
    @location(2) second_axis: vec3f,
    // Coordinate of the first line on either axis, and the distance between lines.
    @location(3) lines: vec3f,
    // Number of lines that cross the first axis. The others cross the second axis.
    @location(4) across_first: u32,
    // Size of the viewport in pixels.
    @location(5) size_px: vec2f,
    // Half of the width of a line and the width of its halo, in pixels.
    @location(6) width: vec2f,
    @location(7) color: vec4f,
}

// Each line is split into this many strokes, so that it can fade along its length.
const GRID_PIECES: u32 = 6u;
// Lines are clipped this far outside the viewport, in pixels, which is more than any width.
const MARGIN_PX: f32 = 16.0;
// The minimum w of a point in front of the viewer, as a fraction of the largest w of the grid.
const LEAST_W: f32 = 1.0e-5;

// Returns the range of t, within 0 to 1, in which `start + t · way` is in front of the viewer and in the
// viewport with its margin. Clipping before the division by w keeps it linear.
fn seen_part(start: vec3f, way: vec3f, edge: vec2f) -> vec2f {
    // Signed distances to the clip planes: at the start, and their derivatives along the way.
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

// Draws six vertices per piece of a line.
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
    // Direction of the line on screen. It is constant along the line, even behind the viewer.
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

// Opacity of the black halo. It is less than around handles, which are thicker.
const HALO_OPACITY: f32 = 0.45;

// Returns the premultiplied, sRGB-encoded color.
fn painted(in: Raster) -> vec4f {
    let from_middle = abs(in.across);
    let half_width = in.width.x;
    let halo_width = in.width.y;
    // Coverage of the pixel by the stroke, which may be thinner than one pixel.
    let core = clamp(half_width + 0.5 - from_middle, 0.0, min(1.0, 2.0 * half_width));
    let halo = HALO_OPACITY * saturate(half_width + halo_width + 0.5 - from_middle);
    let around = select(halo * (1.0 - core), 0.0, halo_width <= 0.0);
    return in.color.a * vec4f(in.color.rgb * core, core + around);
}

@fragment
fn fs_grid(in: Raster) -> @location(0) vec4f {
    return stored(painted(in));
}
