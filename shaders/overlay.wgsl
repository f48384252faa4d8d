// Lays the finished handles into the host's pass, texel on pixel, with a halo round them.

// `Uniform` in src/gpu/overlay.rs.
struct Overlay {
    // Pixel of the host's target that texel (0, 0) belongs on.
    origin_px: vec2i,
    // Texels in use; the texture may be larger.
    size_px: vec2i,
    // How far the halo reaches out.
    halo_px: f32,
    halo_opacity: f32,
}

// Premultiplied, sRGB-encoded.
@group(0) @binding(0) var handles: texture_2d<f32>;
@group(0) @binding(1) var<uniform> overlay: Overlay;

// The host's viewport is the rectangle to fill.
@vertex
fn vs_overlay(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u));
    return vec4f(2.0 * corner - 1.0, 0.0, 1.0);
}

fn handle_at(texel: vec2i) -> vec4f {
    if any(texel < vec2i(0)) || any(texel >= overlay.size_px) {
        return vec4f(0.0);
    }
    return textureLoad(handles, texel, 0);
}

fn with_halo(position_px: vec4f) -> vec4f {
    let texel = vec2i(floor(position_px.xy)) - overlay.origin_px;
    let handle = handle_at(texel);
    let reach = i32(ceil(overlay.halo_px));
    var widened = handle.a;
    for (var y = -reach; y <= reach; y += 1) {
        for (var x = -reach; x <= reach; x += 1) {
            let near = saturate(overlay.halo_px + 1.0 - length(vec2f(f32(x), f32(y))));
            widened = max(widened, near * handle_at(texel + vec2i(x, y)).a);
        }
    }
    // Only what a neighbour adds to the pixel's own coverage, and less of it where that is
    // something already: inside a shape it is nothing.
    let halo = overlay.halo_opacity * (widened - handle.a) * (1.0 - handle.a);
    return vec4f(handle.rgb, handle.a + halo);
}

fn linear_from_srgb(encoded: vec3f) -> vec3f {
    let low = encoded / 12.92;
    let high = pow((encoded + 0.055) / 1.055, vec3f(2.4));
    return select(high, low, encoded <= vec3f(0.04045));
}

// For targets that hold sRGB values as they are.
@fragment
fn fs_encoded(@builtin(position) position_px: vec4f) -> @location(0) vec4f {
    return with_halo(position_px);
}

// What the background is taken to be, sRGB-encoded: scenes are rather dark.
const BACKGROUND: f32 = 0.25;

// The opacity that, blended in linear light, looks as `opacity` does blended as encoded. That
// depends on what is behind; it is exact over BACKGROUND, and in all cases where opaque.
fn linear_opacity(straight: vec3f, opacity: f32) -> f32 {
    let luma = dot(straight, vec3f(0.2126, 0.7152, 0.0722));
    let apart = luma - BACKGROUND;
    // Of the same luminance, both ways of blending agree, by a quotient that is 0 / 0.
    let over = BACKGROUND + select(max(apart, 0.01), min(apart, -0.01), apart < 0.0);
    let blended = mix(BACKGROUND, over, opacity);
    let linear = linear_from_srgb(vec3f(BACKGROUND, over, blended));
    return saturate((linear.z - linear.x) / (linear.y - linear.x));
}

// For targets that hold linear light, or encode it as it is written.
@fragment
fn fs_linear(@builtin(position) position_px: vec4f) -> @location(0) vec4f {
    let encoded = with_halo(position_px);
    let straight = min(encoded.rgb / max(encoded.a, 1.0e-6), vec3f(1.0));
    let opacity = linear_opacity(straight, encoded.a);
    return vec4f(linear_from_srgb(straight) * opacity, opacity);
}
