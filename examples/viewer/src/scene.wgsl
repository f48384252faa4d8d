// The scene as it is seen (vs_lit, fs_lit), the ground and the background round it, and the
// same triangles as ids (vs_id, fs_id). Colours are linear until `shown`.

struct Frame {
    clip_from_grid: mat4x4<f32>,
    // Unit, in the world.
    to_light: vec4<f32>,
    // xyz: to the viewer where all rays are parallel (w = 0); w = 1: the eye is at the origin
    // of eye space.
    to_viewer: vec4<f32>,
    // Radius of the grid, its finest spacing, and z of the X axis and x of the Z axis in grid
    // space.
    grid: vec4<f32>,
    // x: 1 where the target does not encode sRGB by itself. y: the eye's height over the ground.
    // z: the height from which nothing throws a shadow. w: 1 on a light background.
    target_: vec4<f32>,
    clip_from_eye: mat4x4<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;

fn shown(linear: vec3<f32>) -> vec3<f32> {
    let c = clamp(linear, vec3(0.0), vec3(1.0));
    let encoded = select(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, 12.92 * c, c <= vec3(0.0031308));
    return select(c, encoded, frame.target_.x > 0.5);
}

fn linear_from_srgb(c: vec3<f32>) -> vec3<f32> {
    return select(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, c <= vec3(0.04045));
}

// ---- background -----------------------------------------------------------------------------

struct Background {
    @builtin(position) position: vec4<f32>,
    @location(0) ndc: vec2<f32>,
}

@vertex
fn vs_background(@builtin(vertex_index) vertex: u32) -> Background {
    // One triangle that covers everything.
    let ndc = vec2(f32(vertex & 1u) * 4.0 - 1.0, f32(vertex >> 1u) * 4.0 - 1.0);
    return Background(vec4(ndc, 0.5, 1.0), ndc);
}

@fragment
fn fs_background(in: Background) -> @location(0) vec4<f32> {
    let bottom = mix(vec3(0.030, 0.032, 0.036), vec3(0.50, 0.52, 0.54), frame.target_.w);
    let top = mix(vec3(0.082, 0.088, 0.100), vec3(0.76, 0.79, 0.83), frame.target_.w);
    let height = smoothstep(-1.1, 1.1, in.ndc.y);
    let vignette = 1.0 - 0.22 * smoothstep(0.4, 1.9, dot(in.ndc, in.ndc));
    return vec4(shown(mix(bottom, top, height) * vignette), 1.0);
}

// ---- the scene ------------------------------------------------------------------------------

struct LitInput {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec4<f32>,
    @location(3) clip_x: vec4<f32>,
    @location(4) clip_y: vec4<f32>,
    @location(5) clip_z: vec4<f32>,
    @location(6) clip_w: vec4<f32>,
    // Rows of eye_from_local: the world's axes, the eye's origin.
    @location(7) eye_row_x: vec4<f32>,
    @location(8) eye_row_y: vec4<f32>,
    @location(9) eye_row_z: vec4<f32>,
    // Columns of the matrix that takes normals to the world, up to a factor.
    @location(10) normal_x: vec4<f32>,
    @location(11) normal_y: vec4<f32>,
    @location(12) normal_z: vec4<f32>,
    // rgb, linear, and how much of it.
    @location(13) tint: vec4<f32>,
}

struct Lit {
    // Invariant: the id pass' triangles must cover the same pixels.
    @builtin(position) @invariant position: vec4<f32>,
    @location(0) position_eye: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec3<f32>,
    @location(3) tint: vec4<f32>,
}

@vertex
fn vs_lit(in: LitInput) -> Lit {
    var out: Lit;
    let local = vec4(in.position, 1.0);
    out.position = mat4x4(in.clip_x, in.clip_y, in.clip_z, in.clip_w) * local;
    out.position_eye = vec3(dot(in.eye_row_x, local), dot(in.eye_row_y, local), dot(in.eye_row_z, local));
    out.normal = mat3x3(in.normal_x.xyz, in.normal_y.xyz, in.normal_z.xyz) * in.normal;
    out.color = linear_from_srgb(in.color.rgb);
    out.tint = in.tint;
    return out;
}

@fragment
fn fs_lit(in: Lit) -> @location(0) vec4<f32> {
    let to_viewer = normalize(mix(frame.to_viewer.xyz, -in.position_eye, frame.to_viewer.w));
    // The triangle's own normal, toward the viewer: tells front from back for mirrored nodes
    // and single-sided sheets alike, and stands in for a missing normal.
    let across = cross(dpdx(in.position_eye), dpdy(in.position_eye));
    let face = across * select(-1.0, 1.0, dot(across, to_viewer) > 0.0);
    let scale = max(abs(in.normal.x), max(abs(in.normal.y), abs(in.normal.z)));
    var normal = normalize(select(face * 1e6, in.normal / scale, scale > 1e-30));
    normal *= select(1.0, -1.0, dot(normal, face) < 0.0);

    let sky = vec3(0.33, 0.36, 0.41);
    let ground = vec3(0.13, 0.12, 0.11);
    let around = mix(ground, sky, 0.5 + 0.5 * normal.y);
    // Wrapped round the edge of the shadow, as from a large lamp.
    let facing = max((dot(normal, frame.to_light.xyz) + 0.2) / 1.2, 0.0);
    let key = vec3(0.86, 0.82, 0.76) * facing;
    let half_way = normalize(frame.to_light.xyz + to_viewer);
    let gloss = 0.10 * pow(max(dot(normal, half_way), 0.0), 28.0);
    let rim = pow(1.0 - max(dot(normal, to_viewer), 0.0), 3.0);

    let albedo = mix(in.color, in.tint.rgb, in.tint.a * 0.15);
    let lit = albedo * (around + key) + gloss + 0.03 * rim * sky;
    return vec4(shown(lit + in.tint.rgb * in.tint.a * (0.05 + 0.3 * rim)), 1.0);
}

// ---- shadows --------------------------------------------------------------------------------

struct Shadow {
    @builtin(position) position: vec4<f32>,
    @location(0) height: f32,
}

// The scene pressed flat onto the ground, by a lamp far above.
@vertex
fn vs_shadow(in: LitInput) -> Shadow {
    let local = vec4(in.position, 1.0);
    let eye = vec3(dot(in.eye_row_x, local), dot(in.eye_row_y, local), dot(in.eye_row_z, local));
    let height = max(eye.y + frame.target_.y, 0.0);
    let on_ground = eye - vec3(-0.25, 1.0, -0.2) * height;
    return Shadow(frame.clip_from_eye * vec4(on_ground, 1.0), height);
}

// Blended with `min`, so that many layers are no darker than one; paler with height.
@fragment
fn fs_shadow(in: Shadow) -> @location(0) vec4<f32> {
    let pale = smoothstep(0.0, 1.0, in.height / frame.target_.z);
    let dark = mix(vec2(0.017, 0.075), vec2(0.20, 0.52), frame.target_.w);
    return vec4(shown(vec3(mix(dark.x, dark.y, pale))), 1.0);
}

// ---- the ground -----------------------------------------------------------------------------

struct Ground {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,
}

@vertex
fn vs_ground(@builtin(vertex_index) vertex: u32) -> Ground {
    let corner = vec2(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
    let at = corner * frame.grid.x;
    return Ground(frame.clip_from_grid * vec4(at.x, 0.0, at.y, 1.0), at);
}

// How much of the pixel lines of this spacing cover; lines fade out where they would crowd.
fn lines(at: vec2<f32>, pixel: vec2<f32>, spacing: f32) -> f32 {
    let distance_px = abs(fract(at / spacing - 0.5) - 0.5) * spacing / pixel;
    let apart_px = vec2(spacing) / pixel;
    let covered = clamp(1.25 - distance_px, vec2(0.0), vec2(1.0)) * smoothstep(vec2(5.0), vec2(32.0), apart_px);
    return max(covered.x, covered.y);
}

@fragment
fn fs_ground(in: Ground) -> @location(0) vec4<f32> {
    let pixel = max(fwidth(in.at), vec2(1e-30));
    let spacing = frame.grid.y;
    let cover = max(
        max(0.12 * lines(in.at, pixel, spacing), 0.24 * lines(in.at, pixel, spacing * 10.0)),
        0.24 * lines(in.at, pixel, spacing * 100.0),
    );
    var color = vec4(mix(vec3(0.36, 0.38, 0.42), vec3(0.14, 0.15, 0.17), frame.target_.w), cover);
    let axes = clamp(1.6 - abs(in.at.yx - frame.grid.zw) / pixel.yx, vec2(0.0), vec2(1.0));
    color = mix(color, vec4(0.58, 0.060, 0.055, 0.7), axes.x);
    color = mix(color, vec4(0.050, 0.16, 0.62, 0.7), axes.y);
    let fade = 1.0 - smoothstep(0.08, 0.9, length(in.at) / frame.grid.x);
    return vec4(shown(color.rgb), color.a * fade);
}

// ---- ids ------------------------------------------------------------------------------------

struct IdInput {
    @location(0) position: vec3<f32>,
    @location(3) clip_x: vec4<f32>,
    @location(4) clip_y: vec4<f32>,
    @location(5) clip_z: vec4<f32>,
    @location(6) clip_w: vec4<f32>,
    @location(7) id: u32,
}

struct Id {
    @builtin(position) @invariant position: vec4<f32>,
    @location(0) @interpolate(flat) id: u32,
}

@vertex
fn vs_id(in: IdInput) -> Id {
    return Id(mat4x4(in.clip_x, in.clip_y, in.clip_z, in.clip_w) * vec4(in.position, 1.0), in.id);
}

struct IdOutput {
    @location(0) id: u32,
    @location(1) depth: u32,
}

@fragment
fn fs_id(in: Id) -> IdOutput {
    return IdOutput(in.id, bitcast<u32>(in.position.z));
}
