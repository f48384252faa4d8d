// Draws lines around objects with certain ids, after color.wgsl. First the cells with texels of these objects
// (fs_cells), and the cells near them (fs_near), which are all that the other passes draw: the style of each texel
// (fs_marks), its coverage by the shapes (fs_coverage), the nearest texels of a shape in the same row (fs_rows) and,
// in the host's pass, the lines, which find the nearest texel in the rows. So the cost of a pixel grows with the
// width of the line, not with its square. Jump flooding would need a seed per style and pixel. If lines continue
// behind occluders, all but the last run over the whole shapes, too.

// `OutlineUniform` in src/scene/outline/mod.rs.
struct Outline {
    // sRGB-encoded, not premultiplied. One per style, the first on top.
    colors: array<vec4f, 4>,
    // The width of the line of each style; negative if it has none.
    widths_px: vec4f,
    // The pixel of the host's render target that texel (0, 0) is drawn at.
    origin_px: vec2i,
    // The size of the view in texels.
    size_px: vec2u,
    // The number of ids in the table.
    id_count: u32,
    // The maximum distance, in texels, at which a shape affects a pixel.
    reach: i32,
    // The factor on the opacity of lines around occluded parts.
    occluded_opacity: f32,
    // The number, in the table, of the first of these styles.
    first_style: u32,
}

// True if lines continue around occluded parts.
override HAS_OCCLUDED: bool = false;

@group(0) @binding(0) var ids: texture_2d<u32>;
// Id and style, sorted by id, in row-major order.
@group(0) @binding(1) var table: texture_2d<u32>;
// One channel per style.
@group(0) @binding(0) var shapes: texture_2d<f32>;
// Per style, the nearest texels of the shape in the same row, as `packed` writes them; 0 if there are none within
// reach.
@group(0) @binding(0) var rows: texture_2d<u32>;
@group(0) @binding(2) var<uniform> outline: Outline;
// 1 for each cell to draw.
@group(0) @binding(3) var near: texture_2d<f32>;
// The same for the whole shapes, including occluded parts.
@group(0) @binding(4) var whole_rows: texture_2d<u32>;
@group(0) @binding(5) var whole_near: texture_2d<f32>;

// `CELL` in src/scene/outline/mod.rs: texels along the side of a cell.
const CELL = 16;

struct CellRaster {
    @builtin(position) position_px: vec4f,
    // `reach` of the uniform, which is not read directly, because Mesa's software Vulkan recompiles a
    // fragment shader in every frame if a uniform bounds one of its loops, and keeps all versions.
    @location(0) @interpolate(flat) reach: i32,
    // The last column and row of the view.
    @location(1) @interpolate(flat) last: vec2i,
    // The number of styles up to the last that has a line.
    @location(2) @interpolate(flat) styles: u32,
}

fn style_count() -> u32 {
    // Integers are multiplied, because GLSL ES 3.00 has no `select` of integer vectors.
    let used = vec4u(1u, 2u, 3u, 4u) * vec4u(outline.widths_px > vec4f(0.0));
    return max(max(used.x, used.y), max(used.z, used.w));
}

// Fills the viewport.
@vertex
fn vs_all(@builtin(vertex_index) index: u32) -> CellRaster {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u));
    let last = vec2i(outline.size_px) - 1;
    return CellRaster(vec4f(2.0 * corner - 1.0, 0.0, 1.0), outline.reach, last, style_count());
}

// Returns the column and row of a cell.
fn cell_at(instance: u32) -> vec2i {
    let columns = (outline.size_px.x + u32(CELL) - 1u) / u32(CELL);
    return vec2i(vec2u(instance % columns, instance / columns));
}

// Returns a corner of a cell, or a point outside of the viewport if the cell is not drawn.
fn cell_corner(cell: vec2i, index: u32, is_drawn: bool) -> CellRaster {
    let corner = CELL * (cell + vec2i(vec2u(index & 1u, index >> 1u)));
    let clip = vec2f(2.0, -2.0) * vec2f(corner) / vec2f(outline.size_px) + vec2f(-1.0, 1.0);
    let position = select(vec4f(2.0, 2.0, 0.0, 1.0), vec4f(clip, 0.0, 1.0), is_drawn);
    return CellRaster(position, outline.reach, vec2i(outline.size_px) - 1, style_count());
}

fn is_drawn(layer: texture_2d<f32>, cell: vec2i) -> bool {
    return textureLoad(layer, cell, 0).x > 0.0;
}

// The cells near a shape, or in fs_marks, those with texels of one.
@vertex
fn vs_near(@builtin(vertex_index) index: u32, @builtin(instance_index) i: u32) -> CellRaster {
    let cell = cell_at(i);
    return cell_corner(cell, index, is_drawn(near, cell));
}

// The cells near a shape or an occluded part of one.
@vertex
fn vs_lines(@builtin(vertex_index) index: u32, @builtin(instance_index) i: u32) -> CellRaster {
    let cell = cell_at(i);
    return cell_corner(cell, index, is_drawn(near, cell) || is_drawn(whole_near, cell));
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

// Returns 1 in the channel of an id's style, or zeros if it has none.
fn style_of(id: u32) -> vec4f {
    let index = index_of(id);
    if index == outline.id_count {
        return vec4f(0.0);
    }
    let width = textureDimensions(table).x;
    let entry = textureLoad(table, vec2u(index % width, index / width), 0);
    return select(vec4f(0.0), vec4f(vec4u(0u, 1u, 2u, 3u) == vec4u(entry.y - outline.first_style)), entry.x == id);
}

// Writes 1 for a cell with a texel that has a style. Neighbors mostly have the same id, so an id is looked up only
// where it changes. Two loops, because software rasterizers run both branches of an `if`.
@fragment
fn fs_cells(in: CellRaster) -> @location(0) vec4f {
    let first = vec2i(in.position_px.xy) * CELL;
    var i = 0;
    var id = 0u;
    while i < CELL * CELL {
        let last_id = id;
        id = 0u;
        while i < CELL * CELL && (id == 0u || id == last_id) {
            id = textureLoad(ids, min(first + vec2i(i % CELL, i / CELL), in.last), 0).x;
            i += 1;
        }
        if id != 0u && any(style_of(id) > vec4f(0.0)) {
            return vec4f(1.0);
        }
    }
    return vec4f(0.0);
}

// Writes 1 for a cell that a shape affects: its coverage extends two texels beyond it. Here `shapes` are the cells.
@fragment
fn fs_near(in: CellRaster) -> @location(0) vec4f {
    let cell = vec2i(in.position_px.xy);
    let ring = (in.reach + 2 + CELL - 1) / CELL;
    let first = max(cell - ring, vec2i(0));
    let end = min(cell + ring, in.last / CELL);
    for (var y = first.y; y <= end.y; y += 1) {
        for (var x = first.x; x <= end.x; x += 1) {
            if textureLoad(shapes, vec2i(x, y), 0).x > 0.0 {
                return vec4f(1.0);
            }
        }
    }
    return vec4f(0.0);
}

// Writes 1 to the channel of the texel's style.
@fragment
fn fs_marks(in: CellRaster) -> @location(0) vec4f {
    let id = textureLoad(ids, vec2i(in.position_px.xy), 0).x;
    if id == 0u {
        return vec4f(0.0);
    }
    return style_of(id);
}

// Returns a texel, clamped to the image, so that a shape has no edge at the border of the view.
fn shape_at(texel: vec2i, last: vec2i) -> vec4f {
    return textureLoad(shapes, clamp(texel, vec2i(0), last), 0);
}

// The maximum difference of neighbors across a straight edge, after a binomial filter of width 5.
const STEEPEST = 6.0 / 16.0;

// Estimates the coverage of each texel. The ids have one sample per texel, so their edges are stairs.
// Blurring them over five texels and restoring the steepness approximates the coverage of a straight line
// through the stairs. A texel whose center is inside stays at 0.5 or above.
@fragment
fn fs_coverage(in: CellRaster) -> @location(0) vec4f {
    let texel = vec2i(in.position_px.xy);
    let weights = array<f32, 5>(1.0 / 16.0, 4.0 / 16.0, 6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0);
    var blurred = vec4f(0.0);
    for (var y = 0; y < 5; y += 1) {
        for (var x = 0; x < 5; x += 1) {
            blurred += weights[x] * weights[y] * shape_at(texel + vec2i(x - 2, y - 2), in.last);
        }
    }
    let steep = saturate(0.5 + (blurred - 0.5) / STEEPEST);
    let is_inside = shape_at(texel, in.last) > vec4f(0.5);
    return select(min(steep, vec4f(0.5)), max(steep, vec4f(0.5)), is_inside);
}

// From the highest bit: how many texels to the side the nearest texel of the shape is (5 bits) and its coverage (4),
// how much further the nearest one is that is covered by half or more (3) and its coverage (4). A texel above the row
// may be nearer to the second, because it is covered more.
fn packed(beside: u32, coverage: f32, beside_half: u32, half_coverage: f32) -> u32 {
    let further = min(beside_half - beside, 7u);
    let edge = max(u32(round(15.0 * coverage)), 1u);
    let half_edge = u32(round(30.0 * max(half_coverage - 0.5, 0.0)));
    return select(0u, (beside << 11u) | (edge << 7u) | (further << 4u) | half_edge, coverage > 0.0);
}

fn nearest_in_row(texel: vec2i, style: u32, in: CellRaster) -> u32 {
    var coverage = 0.0;
    var half_coverage = 0.0;
    var beside = 0u;
    var beside_half = 1000u;
    for (var x = 0; x <= in.reach; x += 1) {
        let left = shape_at(texel - vec2i(x, 0), in.last)[style];
        let found = max(left, shape_at(texel + vec2i(x, 0), in.last)[style]);
        let is_first = found > 0.0 && coverage == 0.0;
        coverage = select(coverage, found, is_first);
        beside = select(beside, u32(x), is_first);
        let is_first_half = found >= 0.5 && half_coverage == 0.0;
        half_coverage = select(half_coverage, found, is_first_half);
        beside_half = select(beside_half, u32(x), is_first_half);
    }
    return packed(beside, coverage, beside_half, half_coverage);
}

// Finds the texels of each shape in the row that are nearest. Styles are found one by one, because there are rarely
// more than two, and software rasterizers compute the four components of a vector one by one, too.
@fragment
fn fs_rows(in: CellRaster) -> @location(0) vec4u {
    let texel = vec2i(in.position_px.xy);
    var rows = vec4u(0u);
    for (var style = 0u; style < in.styles; style += 1u) {
        rows |= nearest_in_row(texel, style, in) * vec4u(vec4u(0u, 1u, 2u, 3u) == vec4u(style));
    }
    return rows;
}

// Returns the coverage of a pixel by the line of a style.
fn line_at(layer: texture_2d<u32>, texel: vec2i, style: u32, in: CellRaster) -> f32 {
    // The distance from the center of the pixel to the nearest edge. The edge of a partly covered texel is as far
    // beyond its center as its coverage.
    var distance_px = 1.0e6;
    var own = 0u;
    for (var y = -in.reach; y <= in.reach; y += 1) {
        let row = textureLoad(layer, clamp(texel + vec2i(0, y), vec2i(0), in.last), 0)[style];
        own = select(own, row, y == 0);
        let beside = f32(row >> 11u);
        let further = (row >> 4u) & 7u;
        let beside_half = beside + f32(further);
        let y_squared = f32(y * y);
        let to_edge = sqrt(beside * beside + y_squared) + 0.5 - f32((row >> 7u) & 15u) / 15.0;
        let to_half = sqrt(beside_half * beside_half + y_squared) - f32(row & 15u) / 30.0;
        let nearer = select(to_edge, min(to_edge, to_half), further < 7u);
        distance_px = select(distance_px, min(distance_px, nearer), row != 0u);
    }
    // The texel itself, if the shape covers it.
    let is_half = (own & 0x70u) == 0u;
    let covered = select(f32((own >> 7u) & 15u) / 15.0, 0.5 + f32(own & 15u) / 30.0, is_half);
    let is_covered = own != 0u && own < (1u << 11u);
    return saturate(outline.widths_px[style] + 0.5 - distance_px) * (1.0 - select(0.0, covered, is_covered));
}

// Returns the coverage of a pixel by the line of each style.
fn lines_at(layer: texture_2d<u32>, texel: vec2i, in: CellRaster) -> vec4f {
    var lines = vec4f(0.0);
    for (var style = 0u; style < in.styles; style += 1u) {
        lines = select(lines, vec4f(line_at(layer, texel, style, in)), vec4u(0u, 1u, 2u, 3u) == vec4u(style));
    }
    return lines;
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

@fragment
fn fs_lines(in: CellRaster) -> @location(0) vec4f {
    let texel = vec2i(floor(in.position_px.xy)) - outline.origin_px;
    var lines = lines_at(rows, texel, in);
    if HAS_OCCLUDED {
        // Visible parts are parts of the whole, so the whole has a line wherever they have one.
        lines = max(lines, outline.occluded_opacity * lines_at(whole_rows, texel, in));
    }
    return stored(painted(lines));
}
