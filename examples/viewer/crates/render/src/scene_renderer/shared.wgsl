// Transforms and materials, which all passes share. `position_anchor` is relative to the anchor of the
// camera: the eye, or in an orthographic view a point at the center of the viewport.

// `Camera` in camera.rs.
struct Camera {
    clip_from_anchor: mat4x4f,
    // The anchor relative to the origin of the scene, as a sum of two floats.
    anchor_high: vec4f,
    anchor_low: vec4f,
}

@group(0) @binding(0) var<uniform> camera: Camera;

// `Instance` in instances.rs.
struct Instance {
    // Rows of the matrix from local space to the scene. w is the translation rounded to a float; `low` is
    // the rest of it.
    @location(4) row_x: vec4f,
    @location(5) row_y: vec4f,
    @location(6) row_z: vec4f,
    @location(7) low: vec3f,
    @location(8) id: u32,
    // The crop box in local space, infinite in directions that are not cut.
    @location(9) crop_min: vec3f,
    @location(10) crop_max: vec3f,
}

fn position_anchor(local: vec3f, instance: Instance) -> vec3f {
    let rotated = vec3f(
        dot(instance.row_x.xyz, local),
        dot(instance.row_y.xyz, local),
        dot(instance.row_z.xyz, local),
    );
    // The large parts cancel exactly if the object is near the viewer.
    let high = vec3f(instance.row_x.w, instance.row_y.w, instance.row_z.w) - camera.anchor_high.xyz;
    return rotated + (high + (instance.low - camera.anchor_low.xyz));
}

// `Numbers` in surfaces.rs. Slots are those of `Slot` in material.rs.
struct Material {
    base_color: vec4f,
    // w: scale of the normal texture.
    emissive: vec4f,
    metallic: f32,
    roughness: f32,
    cutoff: f32,
    zero: u32,
    // w of the first row: one bit per texture, and UNLIT.
    image_from_uv: array<vec4f, 8>,
}

const BASE_COLOR = 0u;
const NORMAL = 1u;
const METALLIC_ROUGHNESS = 2u;
const EMISSIVE = 3u;
const UNLIT = 8u;

@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var base_color_texture: texture_2d<f32>;
@group(1) @binding(2) var normal_texture: texture_2d<f32>;
@group(1) @binding(3) var metallic_roughness_texture: texture_2d<f32>;
@group(1) @binding(4) var emissive_texture: texture_2d<f32>;
@group(1) @binding(5) var base_color_sampler: sampler;
@group(1) @binding(6) var normal_sampler: sampler;
@group(1) @binding(7) var metallic_roughness_sampler: sampler;
@group(1) @binding(8) var emissive_sampler: sampler;

// Returns true if the material has a flag. The index is always 0. If it were a constant, Mesa's lavapipe would
// take the flags for constants, and compile the shader again for every draw with another material.
fn has(flag: u32) -> bool {
    let flags = u32(material.image_from_uv[material.zero].w);
    return (flags & (1u << flag)) != 0u;
}

fn at_image(slot: u32, uv: vec2f) -> vec2f {
    let at = vec3f(uv, 1.0);
    return vec2f(
        dot(material.image_from_uv[2u * slot].xyz, at),
        dot(material.image_from_uv[2u * slot + 1u].xyz, at),
    );
}

// Returns how far a point is inside of the crop box of its instance, as the distances from the faces at the
// minimum and at the maximum. Infinite distances stay finite, because they are interpolated.
fn crop_distances(local: vec3f, instance: Instance) -> array<vec3f, 2> {
    let far = vec3f(1e18);
    return array(min(local - instance.crop_min, far), min(instance.crop_max - local, far));
}

// Returns the smallest distance from the faces of the crop box, negative outside.
fn inside_crop(from_min: vec3f, from_max: vec3f) -> f32 {
    let nearest = min(from_min, from_max);
    return min(nearest.x, min(nearest.y, nearest.z));
}

// Samples level 0 of the texture regardless of derivatives, so that the picture, the ID image and a tile
// of it have the same holes.
fn alpha_of(uv: vec2f, vertex_alpha: f32) -> f32 {
    var alpha = material.base_color.a * vertex_alpha;
    if has(BASE_COLOR) {
        alpha *= textureSampleLevel(base_color_texture, base_color_sampler, at_image(BASE_COLOR, uv), 0.0).a;
    }
    return alpha;
}
