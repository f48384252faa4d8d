// Conversion of sRGB-encoded colors to the format of the render target. It is prepended to handle.wgsl,
// outline.wgsl and grid.wgsl.

fn linear_from_srgb(encoded: vec3f) -> vec3f {
    let low = encoded / 12.92;
    let high = pow((encoded + 0.055) / 1.055, vec3f(2.4));
    return select(high, low, encoded <= vec3f(0.04045));
}

// The assumed background, sRGB-encoded. Most scenes are dark.
const BACKGROUND: f32 = 0.25;

// Returns the opacity that looks the same blended in linear light as `opacity` does blended in sRGB
// encoding. It is exact over BACKGROUND, and for opaque colors over any background.
fn linear_opacity(straight: vec3f, opacity: f32) -> f32 {
    let luma = dot(straight, vec3f(0.2126, 0.7152, 0.0722));
    let apart = luma - BACKGROUND;
    // Kept apart, because equal luminances would give 0 / 0.
    let over = BACKGROUND + select(max(apart, 0.01), min(apart, -0.01), apart < 0.0);
    let blended = mix(BACKGROUND, over, opacity);
    let linear = linear_from_srgb(vec3f(BACKGROUND, over, blended));
    return saturate((linear.z - linear.x) / (linear.y - linear.x));
}

// Converts to linear light, for render targets that store linear values or encode them on write. Input
// and output are premultiplied.
fn linear_from_encoded(encoded: vec4f) -> vec4f {
    let straight = min(encoded.rgb / max(encoded.a, 1.0e-6), vec3f(1.0));
    let opacity = linear_opacity(straight, encoded.a);
    return vec4f(linear_from_srgb(straight) * opacity, opacity);
}
