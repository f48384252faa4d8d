// Draws the host's instanced meshes into the ID image.

// A vertex of a mesh, in the mesh's local space.
struct Corner {
    @location(0) position: vec3f,
}

// The transform and id of an instance: `ObjectInstance` in src/scene/objects/instance.rs.
struct Object {
    // Rows of `scene_from_local`. The last number of each row is the translation, rounded to a
    // float; `low` is the rest of the translation.
    @location(1) row_x: vec4f,
    @location(2) row_y: vec4f,
    @location(3) row_z: vec4f,
    @location(4) low: vec3f,
    @location(5) id: u32,
}

// `Camera` in src/scene/objects/batch.rs.
struct Camera {
    clip_from_anchor: mat4x4f,
    // A point near the viewer, in scene space, as two floats.
    anchor_high: vec3f,
    anchor_low: vec3f,
    // Half the size of the viewport in units of 1/256 px. The viewport has whole pixels, so its center has whole units.
    half_size: vec2f,
}

@group(0) @binding(0) var<uniform> camera: Camera;

struct Raster {
    @builtin(position) position_clip: vec4f,
    @location(0) @interpolate(flat) id: u32,
}

// Rounds the position on screen to 1/256 px, as rasterizers do after they have added the viewport's origin. Its
// rounding error in a tile is not the same as in the whole image, and must not decide between two units.
fn rounded(position_clip: vec4f) -> vec4f {
    if position_clip.w <= 0.0 {
        return position_clip;
    }
    let units = position_clip.xy / position_clip.w * camera.half_size;
    return vec4f(round(units) / camera.half_size * position_clip.w, position_clip.zw);
}

@vertex
fn vs_object(corner: Corner, object: Object) -> Raster {
    let offset = vec3f(
        dot(object.row_x.xyz, corner.position),
        dot(object.row_y.xyz, corner.position),
        dot(object.row_z.xyz, corner.position),
    );
    // The high parts cancel exactly if the object is near the viewer.
    let high = vec3f(object.row_x.w, object.row_y.w, object.row_z.w) - camera.anchor_high;
    let position_anchor = offset + (high + (object.low - camera.anchor_low));
    return Raster(rounded(camera.clip_from_anchor * vec4f(position_anchor, 1.0)), object.id);
}

@fragment
fn fs_object(in: Raster) -> IdTexel {
    return id_texel(in.id, in.position_clip.z);
}
