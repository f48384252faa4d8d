// Instanced meshes of the host's, into the ID image.

// A corner of a mesh, in the mesh's own space.
struct Corner {
    @location(0) position: vec3f,
}

// Where an instance of it is: `Instance` in src/gpu/objects/instance.rs.
struct Object {
    // Rows of `scene_from_local`. What is last in each is the translation, as far as one float
    // holds it; the rest of the translation is in `low`.
    @location(1) row_x: vec4f,
    @location(2) row_y: vec4f,
    @location(3) row_z: vec4f,
    @location(4) low: vec3f,
    @location(5) id: u32,
}

// `Camera` in src/gpu/objects/batch.rs.
struct Camera {
    clip_from_anchor: mat4x4f,
    // A point of the view, in the space of the scene, as two floats.
    anchor_high: vec3f,
    anchor_low: vec3f,
}

@group(0) @binding(0) var<uniform> camera: Camera;

struct Raster {
    @builtin(position) position_clip: vec4f,
    @location(0) @interpolate(flat) id: u32,
}

@vertex
fn vs_object(corner: Corner, object: Object) -> Raster {
    let turned = vec3f(
        dot(object.row_x.xyz, corner.position),
        dot(object.row_y.xyz, corner.position),
        dot(object.row_z.xyz, corner.position),
    );
    // The large parts cancel exactly where the object is near the viewer.
    let high = vec3f(object.row_x.w, object.row_y.w, object.row_z.w) - camera.anchor_high;
    let position_anchor = turned + (high + (object.low - camera.anchor_low));
    return Raster(camera.clip_from_anchor * vec4f(position_anchor, 1.0), object.id);
}

struct IdTexel {
    @location(0) id: u32,
    @location(1) depth_bits: u32,
}

@fragment
fn fs_object(in: Raster) -> IdTexel {
    return IdTexel(in.id, bitcast<u32>(in.position_clip.z));
}
