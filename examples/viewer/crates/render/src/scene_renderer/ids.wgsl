// Draws the triangles of the scene as ids, and into the shadow map.

struct Id {
    // Invariant, so that these triangles cover the same pixels as in the picture.
    @builtin(position) @invariant position: vec4f,
    @location(0) @interpolate(flat) id: u32,
}

@vertex
fn vs_id(@location(0) position: vec3f, instance: Instance) -> Id {
    return Id(camera.clip_from_anchor * vec4f(position_anchor(position, instance), 1.0), instance.id);
}

struct IdTexel {
    @location(0) id_and_depth_bits: vec4u,
    @location(1) depth_bits: u32,
}

fn id_texel(id: u32, depth: f32) -> IdTexel {
    let depth_bits = bitcast<u32>(depth);
    return IdTexel(vec4u(id, depth_bits, 0u, 0u), depth_bits);
}

@fragment
fn fs_id(in: Id) -> IdTexel {
    return id_texel(in.id, in.position.z);
}

struct CutId {
    @builtin(position) @invariant position: vec4f,
    @location(0) @interpolate(flat) id: u32,
    @location(1) uv: vec2f,
    @location(2) alpha: f32,
    @location(3) from_min: vec3f,
    @location(4) from_max: vec3f,
}

@vertex
fn vs_cut_id(
    @location(0) position: vec3f,
    instance: Instance,
    @location(2) color: vec4f,
    @location(3) uv: vec2f,
) -> CutId {
    let clip = camera.clip_from_anchor * vec4f(position_anchor(position, instance), 1.0);
    let crop = crop_distances(position, instance);
    return CutId(clip, instance.id, uv, color.a, crop[0], crop[1]);
}

fn is_cut(in: CutId) -> bool {
    return alpha_of(in.uv, in.alpha) < material.cutoff || inside_crop(in.from_min, in.from_max) < 0.0;
}

@fragment
fn fs_cut_id(in: CutId) -> IdTexel {
    if is_cut(in) {
        discard;
    }
    return id_texel(in.id, in.position.z);
}

@fragment
fn fs_cut_shadow(in: CutId) {
    if is_cut(in) {
        discard;
    }
}
