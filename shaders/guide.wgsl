// Guides: strokes and fills that the CPU has laid out on the screen.

// A corner of a triangle: `GuideVertex` in src/handle/guides.rs.
struct Corner {
    // In pixels as the draw list has it; the upload makes NDC of it.
    @location(0) position: vec2f,
    // Signed pixels from the middle of the stroke, half its width, and how far its halo goes.
    @location(1) across: vec3f,
    @location(2) color: vec4f,
}

struct Raster {
    @builtin(position) position_clip: vec4f,
    @location(0) across: vec3f,
    @location(1) color: vec4f,
}

@vertex
fn vs_guide(corner: Corner) -> Raster {
    return Raster(vec4f(corner.position, 0.0, 1.0), corner.across, corner.color);
}

// Black, this opaque: less than round the handles, which are thicker.
const HALO_OPACITY: f32 = 0.28;

// Premultiplied, sRGB-encoded.
fn painted(in: Raster) -> vec4f {
    let from_middle = abs(in.across.x);
    let half_width = in.across.y;
    // How much of a pixel a stroke covers that may be thinner than one.
    let core = clamp(half_width + 0.5 - from_middle, 0.0, min(1.0, 2.0 * half_width));
    let halo = HALO_OPACITY * saturate(half_width + in.across.z + 0.5 - from_middle);
    let around = select(halo * (1.0 - core), 0.0, in.across.z <= 0.0);
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
