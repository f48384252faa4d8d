// Triangles with premultiplied, sRGB-encoded colors.

struct Raster {
    @builtin(position) clip: vec4f,
    @location(0) color: vec4f,
}

@vertex
fn vertex(@location(0) position_ndc: vec2f, @location(1) color: vec4f) -> Raster {
    return Raster(vec4f(position_ndc, 0.0, 1.0), color);
}

// The sRGB transfer function as the polynomial of degree 4 that is 0 at 0, 1 at 1, and elsewhere off by at
// most 0.7 of 255 steps of the encoded color.
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

// Returns the opacity that looks the same blended in linear light as `opacity` does blended in sRGB encoding.
// It is exact over BACKGROUND, and for opaque colors over any background.
fn linear_opacity(straight: vec3f, opacity: f32) -> f32 {
    let above = dot(straight, vec3f(0.2126, 0.7152, 0.0722)) - BACKGROUND;
    let slopes = slope_from_background(above * vec2f(opacity, 1.0));
    return saturate(opacity * slopes.x / slopes.y);
}

// Returns the Oklab coordinates of a linear color.
fn oklab_from_linear(linear: vec3f) -> vec3f {
    let lms = mat3x3f(
        0.4122214708, 0.2119034982, 0.0883024619,
        0.5363325363, 0.6806995451, 0.2817188376,
        0.0514459929, 0.1073969566, 0.6299787005,
    ) * linear;
    let roots = pow(max(lms, vec3f(0.0)), vec3f(1.0 / 3.0));
    return mat3x3f(
        0.2104542553, 1.9779984951, 0.0259040371,
        0.7936177850, -2.4285922050, 0.7827717662,
        -0.0040720468, 0.4505937099, -0.8086757660,
    ) * roots;
}

@fragment
fn fragment(in: Raster) -> @location(0) vec4f {
#ifdef SRGB
    return in.color;
#else
    let straight = min(in.color.rgb / max(in.color.a, 1.0e-6), vec3f(1.0));
#ifdef OKLAB
    return vec4f(oklab_from_linear(linear_from_srgb(straight)) * in.color.a, in.color.a);
#else
    let opacity = linear_opacity(straight, in.color.a);
    return vec4f(linear_from_srgb(straight) * opacity, opacity);
#endif
#endif
}
