// Rows of pixels, as rectangles in NDC: opens the depth of a region for what is drawn after.

@vertex
fn vs_mask(@location(0) corner_ndc: vec2f) -> @builtin(position) vec4f {
    return vec4f(corner_ndc, 1.0, 1.0);
}

struct Nothing {
    @location(0) id: u32,
    @location(1) depth_bits: u32,
}

// Its colours are masked out.
@fragment
fn fs_mask() -> Nothing {
    return Nothing(0u, 0u);
}
