// Handles, for the color attachment and for the ID image. Both share one vertex stage, so the handles that
// are visible are the handles that can be picked.

// A vertex of a mesh: `Vertex` in src/handle/mesh.rs.
struct Corner {
    @location(0) position: vec3f,
    @location(1) weight: f32,
    @location(2) normal: vec3f,
    @location(3) lit: f32,
}

// One part of a handle: `PartInstance` in src/draw/list.rs.
struct Part {
    @location(4) clip_from_part_x: vec4f,
    @location(5) clip_from_part_y: vec4f,
    @location(6) clip_from_part_z: vec4f,
    @location(7) clip_from_part_w: vec4f,
    @location(8) view_depth_from_part: vec4f,
    @location(9) to_eye_part: vec4f,
    @location(10) color: vec4f,
    @location(11) thickness: f32,
    @location(12) far_thickness: f32,
    @location(13) far_opacity: f32,
    @location(14) id: u32,
}

struct Raster {
    @builtin(position) position_clip: vec4f,
    @location(0) @interpolate(flat) id: u32,
    @location(1) @interpolate(flat) color: vec4f,
    @location(2) @interpolate(flat) far_opacity: f32,
    // Clip z of the view, and clip w. Both are linear in space, so their quotient in the fragment stage is
    // the depth that the rasterizer would have written with the matrix of the view.
    @location(3) view_zw: vec2f,
    // Cosine between the radial direction of a ring and the direction to the eye; 1 for other parts.
    @location(4) radial_facing: f32,
    // Cosine between the normal and the light; 1 for flat colors.
    @location(5) lit: f32,
    // 1 if triangles that face the viewer wind counter-clockwise on screen, -1 if they wind clockwise, and
    // 0 if both sides are visible.
    @location(6) @interpolate(flat) winding: f32,
}

// A point of a ring is on its far half if the cosine of its radial direction to the eye is below this.
const FAR_HALF: f32 = -0.05;
// The range of this cosine over which the stroke narrows and dims: about 10°, all on the far half.
const TAPER: f32 = 0.17;

@vertex
fn vs_handle(corner: Corner, part: Part) -> Raster {
    let clip_from_part = mat4x4f(
        part.clip_from_part_x,
        part.clip_from_part_y,
        part.clip_from_part_z,
        part.clip_from_part_w,
    );
    let to_eye = part.to_eye_part.xyz;

    var radial_facing = 1.0;
    if part.to_eye_part.w > 0.5 {
        radial_facing = dot(normalize(vec3f(0.0, corner.position.yz)), to_eye);
    }
    let near_half = smoothstep(FAR_HALF - TAPER, FAR_HALF, radial_facing);
    let thickness = mix(part.far_thickness, part.thickness, near_half);
    let position_part = vec4f(corner.position + thickness * corner.weight * corner.normal, 1.0);

    // The gradient of clip y, without its component along the view, points up on screen, and that of
    // clip x points right. The light is slightly above and to the left of the viewer, so that the faces of
    // a cube differ in brightness even if a corner points to the viewer.
    let up = screen_direction(clip_from_part, 1, to_eye);
    let right = screen_direction(clip_from_part, 0, to_eye);
    let to_light = normalize(to_eye + 0.55 * up - 0.25 * right);

    var out: Raster;
    out.position_clip = clip_from_part * position_part;
    out.id = part.id;
    out.color = part.color;
    out.far_opacity = part.far_opacity;
    out.view_zw = vec2f(dot(part.view_depth_from_part, position_part), out.position_clip.w);
    out.radial_facing = radial_facing;
    out.lit = 1.0;
    out.winding = 0.0;
    if corner.lit > 0.5 {
        var normal = corner.normal;
        if corner.lit > 1.5 {
            // A tube a few pixels thick. The normal across it changes from texel to texel, which
            // shows as speckles on a ring that faces the view: all of the tube is lit by the normal
            // of the line along its middle that faces the eye.
            let along = normalize(vec3f(0.0, -corner.position.z, corner.position.y));
            let across = to_eye - dot(to_eye, along) * along;
            let length_squared = dot(across, across);
            normal = select(normal, across * inverseSqrt(length_squared), length_squared > 1e-4);
        }
        out.lit = dot(normal, to_light);
        // Right, up and the direction to the viewer are right-handed, unless the view mirrors the image.
        out.winding = sign(dot(cross(right, up), to_eye));
    }
    return out;
}

fn screen_direction(clip_from_part: mat4x4f, row: u32, to_eye: vec3f) -> vec3f {
    let gradient = vec3f(clip_from_part[0][row], clip_from_part[1][row], clip_from_part[2][row]);
    let along_screen = gradient - dot(gradient, to_eye) * to_eye;
    let length_squared = dot(along_screen, along_screen);
    return along_screen * select(0.0, inverseSqrt(length_squared), length_squared > 0.0);
}

// Returns the premultiplied, sRGB-encoded color.
fn shaded(in: Raster) -> vec4f {
    let near_half = smoothstep(FAR_HALF - TAPER, FAR_HALF, in.radial_facing);
    let opacity = in.color.a * mix(in.far_opacity, 1.0, near_half);
    let light = mix(0.68, 1.0, smoothstep(0.0, 0.95, in.lit));
    return vec4f(in.color.rgb * light * opacity, opacity);
}

@fragment
fn fs_color(in: Raster) -> @location(0) vec4f {
    return shaded(in);
}

// For translucent parts. Only the side that faces the viewer is drawn, so that a ball is blended once.
@fragment
fn fs_color_translucent(in: Raster, @builtin(front_facing) is_ccw: bool) -> @location(0) vec4f {
    if in.winding * select(-1.0, 1.0, is_ccw) < 0.0 {
        discard;
    }
    return shaded(in);
}

struct IdTexel {
    @location(0) id: u32,
    @location(1) depth_bits: u32,
}

@fragment
fn fs_id(in: Raster) -> IdTexel {
    if in.radial_facing < FAR_HALF {
        discard;
    }
    return IdTexel(in.id, bitcast<u32>(in.view_zw.x / in.view_zw.y));
}

// Resets the depth to the far plane before the handles are drawn, so that the host's objects do not
// occlude them.
@vertex
fn vs_far(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u));
    return vec4f(4.0 * corner - 1.0, 0.0, 1.0);
}

// Its color outputs are masked.
@fragment
fn fs_far() -> IdTexel {
    return IdTexel(0u, 0u);
}
