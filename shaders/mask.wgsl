// Rectangles in NDC that set the depth of a region to 1, so that objects drawn afterwards pass
// there.

@vertex
fn vs_mask(@location(0) corner_ndc: vec2f) -> @builtin(position) vec4f {
    return vec4f(corner_ndc, 1.0, 1.0);
}

struct Unused {
    @location(0) id: u32,
    @location(1) depth_bits: u32,
}

// The write mask of both attachments is empty.
@fragment
fn fs_mask() -> Unused {
    return Unused(0u, 0u);
}
