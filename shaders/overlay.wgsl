// Lays the finished handles into the host's pass, texel on pixel, with a halo round them.

// `OverlayUniform` in src/gpu/overlay.rs.
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

struct Raster {
    @builtin(position) position_px: vec4f,
    // Texels from a pixel to the farthest that its halo can come from. The loops over them take
    // it from here because Mesa's software Vulkan compiles a fragment shader anew in every frame
    // when a uniform bounds one of its loops, and keeps them all.
    @location(0) @interpolate(flat) reach: i32,
}

// The viewport is the rectangle to fill.
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
    // Only what a neighbor adds to the pixel's own coverage, and less of it where that is
    // something already: inside a shape it is nothing.
    let halo = overlay.halo_opacity * (widened - handle.a) * (1.0 - handle.a);
    return vec4f(handle.rgb, handle.a + halo);
}

// For targets that hold sRGB values as they are.
@fragment
fn fs_encoded(in: Raster) -> @location(0) vec4f {
    return with_halo(in);
}

// For targets that hold linear light, or encode it as it is written.
@fragment
fn fs_linear(in: Raster) -> @location(0) vec4f {
    return linear_from_encoded(with_halo(in));
}
