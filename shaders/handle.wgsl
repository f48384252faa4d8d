// Handles, into the colour target and into the ID image: one vertex stage, so that what is seen
// is what is picked.

// A corner of a mesh: `Vertex` in src/handle/mesh.rs.
struct Corner {
    @location(0) position: vec3f,
    @location(1) weight: f32,
    @location(2) normal: vec3f,
    @location(3) lit: f32,
}

// One part of a handle: `Instance` in src/handle/draw_list.rs.
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
    // Clip z as the view has it, and clip w. Both are linear in space, so dividing them in the
    // fragment gives the depth that the view's own rasteriser would have written.
    @location(3) view_zw: vec2f,
    // Cosine between a ring's radial direction and the eye; 1 on everything else.
    @location(4) radial_facing: f32,
    // Cosine between the normal and the light; 1 on flat paint.
    @location(5) lit: f32,
    // 1 where triangles that face the viewer wind counter-clockwise on screen, -1 where they
    // wind the other way, 0 on what is seen from both sides.
    @location(6) @interpolate(flat) winding: f32,
}

// Radial directions whose cosine to the eye is below this are on a ring's far half.
const FAR_HALF: f32 = -0.05;
// Over which the stroke narrows and dims: some ten degrees, all of them on the far half.
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

    // The gradient of clip y, less what of it looks along the view, points up on screen, and
    // that of clip x right: a headlight a little above the viewer's left shoulder, which tells
    // the faces of a cube apart even when it stands on its corner.
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
        out.lit = dot(corner.normal, to_light);
        // Right, up and towards the viewer are right-handed unless the view is a mirror.
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

// Premultiplied, sRGB-encoded.
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

// For what is seen through: only the side towards the viewer, so that a ball tints once.
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

// Opens the depth for handles, which nothing of the host's hides: all of it, as far as can be.
@vertex
fn vs_far(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u));
    return vec4f(4.0 * corner - 1.0, 0.0, 1.0);
}

// Its colours are masked out.
@fragment
fn fs_far() -> IdTexel {
    return IdTexel(0u, 0u);
}
