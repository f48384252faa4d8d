@group(0) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
}

@vertex
fn vs(
    @location(0) local: vec3<f32>,
    @location(1) x: vec4<f32>,
    @location(2) y: vec4<f32>,
    @location(3) z: vec4<f32>,
    @location(4) w: vec4<f32>,
) -> Corner {
    let world = mat4x4(x, y, z, w) * vec4(local, 1.0);
    return Corner(clip_from_world * world, world.xyz);
}

@fragment
fn fs(in: Corner) -> @location(0) vec4<f32> {
    let normal = normalize(cross(dpdy(in.world), dpdx(in.world)));
    let light = 0.35 + 0.65 * max(dot(normal, normalize(vec3(0.4, 0.9, 0.6))), 0.0);
    return vec4(vec3(0.62, 0.64, 0.68) * light, 1.0);
}
