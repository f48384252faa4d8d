@group(0) @binding(0) var<uniform> clip_from_cube: mat4x4<f32>;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
}

// Six faces of two triangles; half extent 0.5.
@vertex
fn vs(@builtin(vertex_index) index: u32) -> Corner {
    var corners = array<vec2<f32>, 6>(
        vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0),
        vec2(-1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0),
    );
    let face = index / 6u;
    let uv = corners[index % 6u];
    let side = select(-1.0, 1.0, face >= 3u);
    let local = vec3(side, uv.x, uv.y);
    let normal = vec3(side, 0.0, 0.0);
    var out: Corner;
    switch face % 3u {
        case 0u: { out.position = vec4(local.xyz, 2.0); out.normal = normal.xyz; }
        case 1u: { out.position = vec4(local.zxy, 2.0); out.normal = normal.zxy; }
        default: { out.position = vec4(local.yzx, 2.0); out.normal = normal.yzx; }
    }
    out.position = clip_from_cube * vec4(out.position.xyz * 0.5, 1.0);
    return out;
}

@fragment
fn fs(in: Corner) -> @location(0) vec4<f32> {
    let light = 0.35 + 0.65 * max(dot(in.normal, normalize(vec3(0.4, 0.9, 0.6))), 0.0);
    return vec4(vec3(0.62, 0.64, 0.68) * light, 1.0);
}
