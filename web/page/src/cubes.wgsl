// Cubes, in the picture and in the ID image.

struct Cube {
    clip_from_cube: mat4x4f,
    color: vec3f,
    id: u32,
}

@group(0) @binding(0) var<uniform> cube: Cube;

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) normal: vec3f,
}

// Six faces of two triangles; half extent 0.5.
@vertex
fn vs(@builtin(vertex_index) index: u32) -> Corner {
    var corners = array<vec2f, 6>(
        vec2(-0.5, -0.5), vec2(0.5, -0.5), vec2(0.5, 0.5),
        vec2(-0.5, -0.5), vec2(0.5, 0.5), vec2(-0.5, 0.5),
    );
    let face = index / 6u;
    let uv = corners[index % 6u];
    let side = select(-0.5, 0.5, face >= 3u);
    let local = vec3(side, uv);
    let normal = vec3(2.0 * side, 0.0, 0.0);
    switch face % 3u {
        case 0u: { return Corner(cube.clip_from_cube * vec4(local.xyz, 1.0), normal.xyz); }
        case 1u: { return Corner(cube.clip_from_cube * vec4(local.zxy, 1.0), normal.zxy); }
        default: { return Corner(cube.clip_from_cube * vec4(local.yzx, 1.0), normal.yzx); }
    }
}

@fragment
fn fs_color(in: Corner) -> @location(0) vec4f {
    let light = 0.35 + 0.65 * max(dot(in.normal, normalize(vec3(0.4, 0.9, 0.6))), 0.0);
    return vec4(cube.color * light, 1.0);
}

struct IdTexel {
    @location(0) id_and_depth_bits: vec4u,
    @location(1) depth_bits: u32,
}

@fragment
fn fs_id(in: Corner) -> IdTexel {
    let depth_bits = bitcast<u32>(in.position.z);
    return IdTexel(vec4u(cube.id, depth_bits, 0u, 0u), depth_bits);
}
