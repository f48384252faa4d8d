// Runs of pixels that set the depth of a region to 1, so that objects drawn later pass there.

// `run_ndc` is left, right, top and bottom. A strip of four vertices covers it.
@vertex
fn vs_mask(@builtin(vertex_index) corner: u32, @location(0) run_ndc: vec4f) -> @builtin(position) vec4f {
    let x = select(run_ndc.x, run_ndc.y, (corner & 2u) != 0u);
    let y = select(run_ndc.z, run_ndc.w, (corner & 1u) != 0u);
    return vec4f(x, y, 1.0, 1.0);
}

// The write masks of the attachments are empty.
@fragment
fn fs_mask() {}
