// Lays a sheet of ink over a picture whose colors are blended as light is.

@group(0) @binding(0) var sheet: texture_2d<f32>;

@vertex
fn vs_sheet(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32(vertex & 1u), f32(vertex >> 1u));
    return vec4f(corner * 4.0 - 1.0, 0.0, 1.0);
}

fn linear_from_srgb(c: vec3f) -> vec3f {
    return select(pow((c + 0.055) / 1.055, vec3f(2.4)), c / 12.92, c <= vec3f(0.04045));
}

@fragment
fn fs_sheet(@builtin(position) at_px: vec4f) -> @location(0) vec4f {
    let ink = textureLoad(sheet, vec2i(at_px.xy), 0);
    // Most of it is free.
    if ink.a == 0.0 {
        discard;
    }
    // Premultiplied as sRGB, and so to be taken apart first.
    let color = min(ink.rgb / max(ink.a, 1.0 / 255.0), vec3f(1.0));
    return vec4f(linear_from_srgb(color) * ink.a, ink.a);
}
