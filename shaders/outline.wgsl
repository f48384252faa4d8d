// Draws lines around objects with certain ids, after color.wgsl. Four passes: the style of each texel
// (fs_marks), the cells that have any (fs_cells), the coverage of each texel by the shapes (fs_coverage)
// and, in the host's pass, the lines. If lines continue behind occluders, the first three passes run over
// the whole shapes, too.

// `OutlineUniform` in src/gpu/scene/outline/mod.rs.
struct Outline {
    // sRGB-encoded, not premultiplied. One per style, the first on top.
    colors: array<vec4f, 4>,
    // The width of the line of each style; negative if it has none.
    widths_px: vec4f,
    // The pixel of the host's render target that texel (0, 0) is drawn at.
    origin_px: vec2i,
    // The number of ids in the table.
    id_count: u32,
    // The maximum distance, in texels, at which a shape affects a pixel.
    reach: i32,
    // The factor on the opacity of lines around occluded parts.
    occluded_opacity: f32,
}

@group(0) @binding(0) var ids: texture_2d<u32>;
// Id and style, sorted by id, in row-major order.
@group(0) @binding(1) var table: texture_2d<u32>;
// One channel per style.
@group(0) @binding(0) var shapes: texture_2d<f32>;
@group(0) @binding(1) var cells: texture_2d<f32>;
@group(0) @binding(2) var<uniform> outline: Outline;
// The same for the whole shapes, including occluded parts.
@group(1) @binding(0) var whole_shapes: texture_2d<f32>;
@group(1) @binding(1) var whole_cells: texture_2d<f32>;

// Fills the viewport.
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
    // `reach` of the uniform, which is not read directly, because Mesa's software Vulkan recompiles a
    // fragment shader in every frame if a uniform bounds one of its loops, and keeps all versions.
    @location(0) @interpolate(flat) reach: i32,
}

@vertex
fn vs_lines(@builtin(vertex_index) index: u32) -> LineRaster {
    return LineRaster(corner_clip(index), outline.reach);
}

// Returns a texel, clamped to the image, so that a shape has no edge at the border of the view.
fn shape_at(layer: texture_2d<f32>, texel: vec2i) -> vec4f {
    return textureLoad(layer, clamp(texel, vec2i(0), vec2i(textureDimensions(layer)) - 1), 0);
}

// Returns the index of an id in the table, or of the next greater one.
fn index_of(id: u32) -> u32 {
    let width = textureDimensions(table).x;
    var low = 0u;
    var high = outline.id_count;
    while low < high {
        let mid = (low + high) / 2u;
        if textureLoad(table, vec2u(mid % width, mid / width), 0).x < id {
            low = mid + 1u;
        } else {
            high = mid;
        }
    }
    return low;
}

// Writes 1 to the channel of the texel's style.
@fragment
fn fs_marks(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let id = textureLoad(ids, vec2i(position.xy), 0).x;
    if id == 0u {
        return vec4f(0.0);
    }
    let index = index_of(id);
    if index == outline.id_count {
        return vec4f(0.0);
    }
    let width = textureDimensions(table).x;
    let entry = textureLoad(table, vec2u(index % width, index / width), 0);
    return select(vec4f(0.0), vec4f(vec4u(0u, 1u, 2u, 3u) == vec4u(entry.y)), entry.x == id);
}

// `CELL` in src/gpu/scene/outline/mod.rs: texels along the side of a cell.
const CELL = 16;

// Writes the maximum in a cell, so that later passes can skip empty cells.
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

// The maximum difference of neighbors across a straight edge, after a binomial filter of width 5.
const STEEPEST = 6.0 / 16.0;

// Estimates the coverage of each texel. The ids have one sample per texel, so their edges are stairs.
// Blurring them over five texels and restoring the steepness approximates the coverage of a straight line
// through the stairs. A texel whose center is inside stays at 0.5 or above.
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

// Returns the coverage of a pixel by the line of each style.
fn lines_at(layer: texture_2d<f32>, its_cells: texture_2d<f32>, texel: vec2i, reach: i32) -> vec4f {
    // Coverage extends two texels beyond a cell.
    if !is_near(its_cells, texel, reach + 2) {
        return vec4f(0.0);
    }
    // The distance from the center of the pixel to the nearest edge. The edge of a partly covered texel is
    // as far beyond its center as its coverage.
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

// Returns the premultiplied, sRGB-encoded color.
fn painted(line: vec4f) -> vec4f {
    var color = vec4f(0.0);
    for (var i = 3; i >= 0; i -= 1) {
        let opacity = line[i] * outline.colors[i].a;
        color = color * (1.0 - opacity) + opacity * vec4f(outline.colors[i].rgb, 1.0);
    }
    return color;
}

fn painted_visible(in: LineRaster) -> vec4f {
    return painted(lines_at(shapes, cells, texel_at(in.position_px), in.reach));
}

// Visible parts are parts of the whole, so the whole has a line wherever they have one.
fn painted_whole(in: LineRaster) -> vec4f {
    let texel = texel_at(in.position_px);
    let whole = lines_at(whole_shapes, whole_cells, texel, in.reach);
    return painted(max(lines_at(shapes, cells, texel, in.reach), outline.occluded_opacity * whole));
}

// For render targets that store sRGB-encoded values.
@fragment
fn fs_encoded(in: LineRaster) -> @location(0) vec4f {
    return painted_visible(in);
}

@fragment
fn fs_whole_encoded(in: LineRaster) -> @location(0) vec4f {
    return painted_whole(in);
}

// For render targets that store linear values or encode them on write.
@fragment
fn fs_linear(in: LineRaster) -> @location(0) vec4f {
    return linear_from_encoded(painted_visible(in));
}

@fragment
fn fs_whole_linear(in: LineRaster) -> @location(0) vec4f {
    return linear_from_encoded(painted_whole(in));
}
