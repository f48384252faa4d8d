// Copies a layer to a render target of the same size.

@group(0) @binding(0) var layer: texture_2d<f32>;

@vertex
fn vs_layer(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32(vertex & 1u), f32(vertex >> 1u));
    return vec4f(corner * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs_layer(@builtin(position) at_px: vec4f) -> @location(0) vec4f {
    return textureLoad(layer, vec2i(at_px.xy), 0);
}

fn linear_from_srgb(c: vec3f) -> vec3f {
    return select(pow((c + 0.055) / 1.055, vec3f(2.4)), c / 12.92, c <= vec3f(0.04045));
}

// Composites egui's colors over an sRGB render target.
@fragment
fn fs_egui(@builtin(position) at_px: vec4f) -> @location(0) vec4f {
    let texel = textureLoad(layer, vec2i(at_px.xy), 0);
    // Most texels are empty.
    if texel.a == 0.0 {
        discard;
    }
    // The color is premultiplied in sRGB, so it must be divided by alpha before the conversion.
    let color = min(texel.rgb / max(texel.a, 1.0 / 255.0), vec3f(1.0));
    return vec4f(linear_from_srgb(color) * texel.a, texel.a);
}
