// How what is sRGB-encoded gets into a target; put in front of overlay.wgsl and guide.wgsl.

fn linear_from_srgb(encoded: vec3f) -> vec3f {
    let low = encoded / 12.92;
    let high = pow((encoded + 0.055) / 1.055, vec3f(2.4));
    return select(high, low, encoded <= vec3f(0.04045));
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

// For targets that hold linear light, or encode it as it is written. Both sides premultiplied.
fn linear_from_encoded(encoded: vec4f) -> vec4f {
    let straight = min(encoded.rgb / max(encoded.a, 1.0e-6), vec3f(1.0));
    let opacity = linear_opacity(straight, encoded.a);
    return vec4f(linear_from_srgb(straight) * opacity, opacity);
}
