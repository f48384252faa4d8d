// Draws the texture with the handles into the host's pass, one texel per pixel, with a halo around them.

// `OverlayUniform` in src/gpu/overlay.rs.
struct Overlay {
    // The pixel of the host's render target that texel (0, 0) is drawn at.
    origin_px: vec2i,
    // The size of the part that is drawn; the texture may be larger.
    size_px: vec2i,
    // The width of the halo.
    halo_px: f32,
    halo_opacity: f32,
}

// The handles: premultiplied and sRGB-encoded.
@group(0) @binding(0) var handles: texture_2d<f32>;
@group(0) @binding(1) var<uniform> overlay: Overlay;

struct Raster {
    @builtin(position) position_px: vec4f,
    // The radius of the halo in texels, rounded up. It is not read from the uniform, because Mesa's
    // software Vulkan recompiles a fragment shader in every frame if a uniform bounds one of its loops,
    // and keeps all versions.
    @location(0) @interpolate(flat) reach: i32,
}

// Fills the viewport.
@vertex
fn vs_overlay(@builtin(vertex_index) index: u32) -> Raster {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u));
    return Raster(vec4f(2.0 * corner - 1.0, 0.0, 1.0), i32(ceil(overlay.halo_px)));
}

fn handle_at(texel: vec2i) -> vec4f {
    if any(texel < vec2i(0)) || any(texel >= overlay.size_px) {
        return vec4f(0.0);
    }
    return textureLoad(handles, texel, 0);
}

fn with_halo(in: Raster) -> vec4f {
    let texel = vec2i(floor(in.position_px.xy)) - overlay.origin_px;
    let handle = handle_at(texel);
    let reach = in.reach;
    var widened = handle.a;
    for (var y = -reach; y <= reach; y += 1) {
        for (var x = -reach; x <= reach; x += 1) {
            let near = saturate(overlay.halo_px + 1.0 - length(vec2f(f32(x), f32(y))));
            widened = max(widened, near * handle_at(texel + vec2i(x, y)).a);
        }
    }
    // Only the coverage that neighbors add to that of the pixel, which is 0 inside of a shape.
    let halo = overlay.halo_opacity * (widened - handle.a) * (1.0 - handle.a);
    return vec4f(handle.rgb, handle.a + halo);
}

// For render targets that store sRGB-encoded values.
@fragment
fn fs_encoded(in: Raster) -> @location(0) vec4f {
    return with_halo(in);
}

// For render targets that store linear values or encode them on write.
@fragment
fn fs_linear(in: Raster) -> @location(0) vec4f {
    return linear_from_encoded(with_halo(in));
}
