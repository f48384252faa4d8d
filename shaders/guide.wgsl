// Guides: strokes and fills that the CPU has laid out on the screen.

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

@vertex
fn vs_guide(quad: Quad, @builtin(vertex_index) index: u32) -> Raster {
    // Triangles 0, 1, 2 and 0, 2, 3.
    let corner = select(index, (index - 2u) * u32(index > 3u), index > 2u);
    let is_far = corner > 1u;
    let is_second = corner == 1u || corner == 3u;
    let pair = select(quad.first, quad.second, is_far);
    let position = select(pair.xy, pair.zw, is_second);
    let across = select(quad.across.x, quad.across.y, corner == 1u || corner == 2u);
    let color = select(quad.from_color, quad.to_color, is_far);
    return Raster(vec4f(position, 0.0, 1.0), across, quad.across.zw, color);
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
