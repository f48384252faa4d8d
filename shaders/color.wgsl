// Conversion of sRGB-encoded colors to the format of the render target. It is prepended to handle.wgsl,
// outline.wgsl and grid.wgsl.

// True for render targets that store linear values or encode them on write.
override IS_LINEAR: bool = false;

// The sRGB transfer function as the polynomial of degree 4 that is 0 at 0, 1 at 1, and elsewhere off by at most 0.7 of
// 255 steps of the encoded color. Five powers per fragment would take a third of the time of a software rasterizer.
fn linear_from_srgb(encoded: vec3f) -> vec3f {
    let c = encoded;
    return c * (0.0595448 + c * (0.3612821 + c * (0.9006809 - 0.3215078 * c)));
}

// The assumed background, sRGB-encoded. Most scenes are dark.
const BACKGROUND: f32 = 0.25;

// The slope of the line from `linear_from_srgb(BACKGROUND)` to the point at BACKGROUND + by.
fn slope_from_background(by: vec2f) -> vec2f {
    return 0.3889693 + by * (0.9162272 + by * (0.5791731 - 0.3215078 * by));
}

// Returns the opacity that looks the same blended in linear light as `opacity` does blended in sRGB
// encoding. It is exact over BACKGROUND, and for opaque colors over any background.
fn linear_opacity(straight: vec3f, opacity: f32) -> f32 {
    let above = dot(straight, vec3f(0.2126, 0.7152, 0.0722)) - BACKGROUND;
    let slopes = slope_from_background(above * vec2f(opacity, 1.0));
    return saturate(opacity * slopes.x / slopes.y);
}

// Returns what the render target stores of a premultiplied, sRGB-encoded color.
fn stored(encoded: vec4f) -> vec4f {
    if IS_LINEAR {
        return linear_from_encoded(encoded);
    }
    return encoded;
}

// Converts to linear light. Input and output are premultiplied.
fn linear_from_encoded(encoded: vec4f) -> vec4f {
    let straight = min(encoded.rgb / max(encoded.a, 1.0e-6), vec3f(1.0));
    let opacity = linear_opacity(straight, encoded.a);
    return vec4f(linear_from_srgb(straight) * opacity, opacity);
}
