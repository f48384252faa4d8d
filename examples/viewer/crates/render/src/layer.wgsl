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
