// Lines round what has certain ids; behind color.wgsl. A chain of four passes: which texel has
// which style (fs_marks), where there are any at all (fs_cells), how much of each texel the
// shapes really cover (fs_coverage), and, in the host's pass, the lines. Where lines go on behind
// what hides an object, the first three are run over the whole shapes too.

// `OutlineUniform` in src/gpu/outline/mod.rs.
struct Outline {
    // Straight, sRGB-encoded. One for each style, the first on top.
    colors: array<vec4f, 4>,
    // Width of each style's line; negative where there is none.
    widths_px: vec4f,
    // Pixel of the host's target that texel (0, 0) belongs on.
    origin_px: vec2i,
    // How many ids the table holds.
    id_count: u32,
    // Texels from a pixel to the farthest that matters to it.
    reach: i32,
    // Of lines round what is hidden, as a share of what it is elsewhere.
    occluded_opacity: f32,
}

@group(0) @binding(0) var ids: texture_2d<u32>;
// Id and style, by ascending id, row after row.
@group(0) @binding(1) var table: texture_2d<u32>;
// A channel for each style.
@group(0) @binding(0) var shapes: texture_2d<f32>;
@group(0) @binding(1) var cells: texture_2d<f32>;
@group(0) @binding(2) var<uniform> outline: Outline;
// The same of the whole shapes, with what is hidden of them.
@group(1) @binding(0) var whole_shapes: texture_2d<f32>;
@group(1) @binding(1) var whole_cells: texture_2d<f32>;

// The viewport, or the whole of an attachment, is the rectangle to fill.
fn corner_clip(index: u32) -> vec4f {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u));
    return vec4f(2.0 * corner - 1.0, 0.0, 1.0);
}

@vertex
fn vs_outline(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return corner_clip(index);
}

struct LineRaster {
    @builtin(position) position_px: vec4f,
    // Of the uniform. The loops over texels take it from here because Mesa's software Vulkan
    // compiles a fragment shader anew in every frame when a uniform bounds one of its loops, and
    // keeps them all.
    @location(0) @interpolate(flat) reach: i32,
}

@vertex
fn vs_lines(@builtin(vertex_index) index: u32) -> LineRaster {
    return LineRaster(corner_clip(index), outline.reach);
}

// One texel, or the nearest there is: what the border of the view cuts has no edge there.
fn shape_at(layer: texture_2d<f32>, texel: vec2i) -> vec4f {
    return textureLoad(layer, clamp(texel, vec2i(0), vec2i(textureDimensions(layer)) - 1), 0);
}

// The place of an id in the table, or of the next greater one.
fn place_of(id: u32) -> u32 {
    let width = textureDimensions(table).x;
    var low = 0u;
    var high = outline.id_count;
    while low < high {
        let middle = (low + high) / 2u;
        if textureLoad(table, vec2u(middle % width, middle / width), 0).x < id {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

// 1 in the channel of the texel's style.
@fragment
fn fs_marks(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let id = textureLoad(ids, vec2i(position.xy), 0).x;
    if id == 0u {
        return vec4f(0.0);
    }
    let place = place_of(id);
    if place == outline.id_count {
        return vec4f(0.0);
    }
    let width = textureDimensions(table).x;
    let entry = textureLoad(table, vec2u(place % width, place / width), 0);
    return select(vec4f(0.0), vec4f(vec4u(0u, 1u, 2u, 3u) == vec4u(entry.y)), entry.x == id);
}

// `CELL` in src/gpu/outline/mod.rs: texels along the side of a cell.
const CELL = 16;

// What there is in a cell, so that the passes after look closely only near it.
@fragment
fn fs_cells(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let first = vec2i(position.xy) * CELL;
    let end = min(first + CELL, vec2i(textureDimensions(shapes)));
    var found = vec4f(0.0);
    for (var y = first.y; y < end.y; y += 1) {
        for (var x = first.x; x < end.x; x += 1) {
            found = max(found, textureLoad(shapes, vec2i(x, y), 0));
        }
    }
    return found;
}

fn is_near(layer: texture_2d<f32>, texel: vec2i, reach: i32) -> bool {
    let last = vec2i(textureDimensions(layer)) - 1;
    let from_cell = max(texel - reach, vec2i(0)) / CELL;
    let to_cell = min(max(texel + reach, vec2i(0)) / CELL, last);
    for (var y = from_cell.y; y <= to_cell.y; y += 1) {
        for (var x = from_cell.x; x <= to_cell.x; x += 1) {
            if any(textureLoad(layer, vec2i(x, y), 0) > vec4f(0.0)) {
                return true;
            }
        }
    }
    return false;
}

// Of a binomial filter of five: what neighbors across a straight edge differ by at most.
const STEEPEST = 6.0 / 16.0;

// The ids have one sample a texel, so their edges are stairs. Blurred over five texels and made
// as steep again as an edge that is not blurred, they are what a texel covers of a straight line
// through the stairs. Whether the middle of a texel is inside stays as it was.
@fragment
fn fs_coverage(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let texel = vec2i(position.xy);
    if !is_near(cells, texel, 2) {
        return vec4f(0.0);
    }
    let weights = array<f32, 5>(1.0 / 16.0, 4.0 / 16.0, 6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0);
    var blurred = vec4f(0.0);
    for (var y = 0; y < 5; y += 1) {
        for (var x = 0; x < 5; x += 1) {
            blurred += weights[x] * weights[y] * shape_at(shapes, texel + vec2i(x - 2, y - 2));
        }
    }
    let steep = saturate(0.5 + (blurred - 0.5) / STEEPEST);
    let is_inside = shape_at(shapes, texel) > vec4f(0.5);
    return select(min(steep, vec4f(0.5)), max(steep, vec4f(0.5)), is_inside);
}

// How much of each style's line there is on a pixel.
fn lines_at(layer: texture_2d<f32>, its_cells: texture_2d<f32>, texel: vec2i, reach: i32) -> vec4f {
    // Coverage goes out of a cell by two texels.
    if !is_near(its_cells, texel, reach + 2) {
        return vec4f(0.0);
    }
    // From the middle of the pixel to the nearest edge: where a texel is covered in part, its
    // edge is that part beyond its middle.
    var distance_px = vec4f(1.0e6);
    for (var y = -reach; y <= reach; y += 1) {
        for (var x = -reach; x <= reach; x += 1) {
            let coverage = shape_at(layer, texel + vec2i(x, y));
            let to_edge = length(vec2f(f32(x), f32(y))) + 0.5 - coverage;
            distance_px = select(distance_px, min(distance_px, to_edge), coverage > vec4f(0.0));
        }
    }
    return saturate(outline.widths_px + 0.5 - distance_px) * (1.0 - shape_at(layer, texel));
}

fn texel_at(position_px: vec4f) -> vec2i {
    return vec2i(floor(position_px.xy)) - outline.origin_px;
}

// Premultiplied, sRGB-encoded.
fn painted(line: vec4f) -> vec4f {
    var color = vec4f(0.0);
    for (var i = 3; i >= 0; i -= 1) {
        let opacity = line[i] * outline.colors[i].a;
        color = color * (1.0 - opacity) + opacity * vec4f(outline.colors[i].rgb, 1.0);
    }
    return color;
}

fn painted_seen(in: LineRaster) -> vec4f {
    return painted(lines_at(shapes, cells, texel_at(in.position_px), in.reach));
}

// What is seen is a part of the whole, so where its line is the whole has one too.
fn painted_whole(in: LineRaster) -> vec4f {
    let texel = texel_at(in.position_px);
    let whole = lines_at(whole_shapes, whole_cells, texel, in.reach);
    return painted(max(lines_at(shapes, cells, texel, in.reach), outline.occluded_opacity * whole));
}

// For targets that hold sRGB values as they are.
@fragment
fn fs_encoded(in: LineRaster) -> @location(0) vec4f {
    return painted_seen(in);
}

@fragment
fn fs_whole_encoded(in: LineRaster) -> @location(0) vec4f {
    return painted_whole(in);
}

// For targets that hold linear light, or encode it as it is written.
@fragment
fn fs_linear(in: LineRaster) -> @location(0) vec4f {
    return linear_from_encoded(painted_seen(in));
}

@fragment
fn fs_whole_linear(in: LineRaster) -> @location(0) vec4f {
    return linear_from_encoded(painted_whole(in));
}
