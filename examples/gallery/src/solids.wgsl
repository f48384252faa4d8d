// Lit solids, and the grid on the ground.

struct Scene {
    clip_from_world: mat4x4f,
    // Color and opacity of the lines on the ground.
    ground: vec4f,
    // The direction toward the light; w is 1 if the target stores linear values.
    light: vec4f,
}
@group(0) @binding(0) var<uniform> scene: Scene;

struct Solid {
    @builtin(position) clip: vec4f,
    @location(0) normal: vec3f,
    @location(1) color: vec3f,
}

@vertex fn vs_solid(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) x: vec3f,
    @location(3) y: vec3f,
    @location(4) z: vec3f,
    @location(5) origin: vec3f,
    @location(6) color: vec3f,
) -> Solid {
    let world = x * position.x + y * position.y + z * position.z + origin;
    // Columns of the cofactor matrix, so that normals stay perpendicular under any scale.
    let n = cross(y, z) * normal.x + cross(z, x) * normal.y + cross(x, y) * normal.z;
    let mirrored = sign(dot(cross(x, y), z));
    return Solid(scene.clip_from_world * vec4f(world, 1.0), n * mirrored, color);
}

fn stored(srgb: vec3f) -> vec3f {
    let linear = select(pow((srgb + 0.055) / 1.055, vec3f(2.4)), srgb / 12.92, srgb <= vec3f(0.04045));
    return mix(srgb, linear, scene.light.w);
}

@fragment fn fs_solid(in: Solid) -> @location(0) vec4f {
    let normal = normalize(in.normal);
    let sun = max(dot(normal, scene.light.xyz), 0.0);
    let sky = 0.5 + 0.5 * normal.y;
    let color = in.color * (0.42 + 0.22 * sky + 0.42 * sun);
    return vec4f(stored(min(color, vec3f(1.0))), 1.0);
}

struct Ground {
    @builtin(position) clip: vec4f,
    @location(0) plane: vec2f,
}

const EXTENT = 9.0;

@vertex fn vs_ground(@builtin(vertex_index) corner: u32) -> Ground {
    let plane = (vec2f(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0) * EXTENT;
    return Ground(scene.clip_from_world * vec4f(plane.x, 0.0, plane.y, 1.0), plane);
}

@fragment fn fs_ground(in: Ground) -> @location(0) vec4f {
    let width = fwidth(in.plane);
    let from_line = abs(fract(in.plane - 0.5) - 0.5) / width;
    let lines = clamp(1.0 - from_line, vec2f(0.0), vec2f(1.0)) * clamp(1.2 - width * 2.0, vec2f(0.0), vec2f(1.0));
    let fade = clamp(1.0 - length(in.plane) / EXTENT, 0.0, 1.0);
    let opacity = max(lines.x, lines.y) * fade * scene.ground.a;
    return vec4f(stored(scene.ground.rgb), opacity);
}
