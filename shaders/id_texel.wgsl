// How fragment stages write ids.

// One shader writes both layouts of the ID image (`TexelLayout`): an attachment takes as many components as
// it has, and location 1 may have none.
struct IdTexel {
    @location(0) id_and_depth_bits: vec4u,
    @location(1) depth_bits: u32,
}

fn id_texel(id: u32, depth: f32) -> IdTexel {
    let depth_bits = bitcast<u32>(depth);
    return IdTexel(vec4u(id, depth_bits, 0u, 0u), depth_bits);
}
