// The scene as it is seen, the ground and the background round it. Colours are linear until
// `shown`.

// `Frame` in lighting.rs.
struct Frame {
    // Where a point is in the map of shadows: x and y as in a texture, z the depth.
    shadow_from_anchor: mat4x4f,
    // Unit, in the world; w: how dark shadows are.
    to_light: vec4f,
    // xyz: to the viewer where all rays are parallel (w = 0); w = 1: the eye is at the anchor.
    to_viewer: vec4f,
    // The grid's middle, relative to the anchor; w: its radius.
    grid_origin: vec4f,
    // Unit vectors of its plane. w of u: the finest spacing; w of v: how dark shadows are on it.
    grid_u: vec4f,
    grid_v: vec4f,
    // v of the axis along u, u of the axis along v.
    grid_axes: vec4f,
    axis_u_color: vec4f,
    axis_v_color: vec4f,
    // x: 1 where the target does not encode sRGB by itself. y: 1 on a light background. z: 1
    // where everything is shown as of clay. w: a texel of the map of shadows, in world units.
    target_: vec4f,
}

@group(0) @binding(1) var<uniform> frame: Frame;
@group(0) @binding(2) var shadow_map: texture_depth_2d;
@group(0) @binding(3) var shadow_sampler: sampler_comparison;

fn shown(linear: vec3f) -> vec3f {
    let c = clamp(linear, vec3f(0.0), vec3f(1.0));
    let encoded = select(1.055 * pow(c, vec3f(1.0 / 2.4)) - 0.055, 12.92 * c, c <= vec3f(0.0031308));
    return select(c, encoded, frame.target_.x > 0.5);
}

fn linear_from_srgb(c: vec3f) -> vec3f {
    return select(pow((c + 0.055) / 1.055, vec3f(2.4)), c / 12.92, c <= vec3f(0.04045));
}

// ---- background -----------------------------------------------------------------------------

struct Background {
    @builtin(position) position: vec4f,
    @location(0) ndc: vec2f,
}

@vertex
fn vs_background(@builtin(vertex_index) vertex: u32) -> Background {
    // One triangle that covers everything.
    let ndc = vec2f(f32(vertex & 1u) * 4.0 - 1.0, f32(vertex >> 1u) * 4.0 - 1.0);
    return Background(vec4f(ndc, 0.5, 1.0), ndc);
}

@fragment
fn fs_background(in: Background) -> @location(0) vec4f {
    let bottom = mix(vec3f(0.034, 0.036, 0.041), vec3f(0.70, 0.71, 0.73), frame.target_.y);
    let top = mix(vec3f(0.098, 0.105, 0.120), vec3f(0.90, 0.92, 0.95), frame.target_.y);
    let height = smoothstep(-1.1, 1.1, in.ndc.y);
    let vignette = 1.0 - mix(0.20, 0.10, frame.target_.y) * smoothstep(0.4, 1.9, dot(in.ndc, in.ndc));
    // A grain of half a step hides the steps of 8 bits.
    let grain = fract(52.9829189 * fract(dot(floor(in.position.xy), vec2f(0.06711056, 0.00583715)))) - 0.5;
    let color = mix(bottom, top, height) * vignette;
    return vec4f(shown(color + grain * mix(0.0008, 0.0035, frame.target_.y)), 1.0);
}

// ---- light ----------------------------------------------------------------------------------

// How much of the lamp a point sees: the mean of nine places round it.
fn lamp_seen(position_anchor: vec3f, normal: vec3f, facing: f32) -> f32 {
    if frame.to_light.w == 0.0 {
        return 1.0;
    }
    // It turns its back.
    if facing <= -0.1 {
        return 0.0;
    }
    // Off the surface by some texels, more where it is lit at a slant: it does not shade itself.
    let off = normal * frame.target_.w * (1.5 + 2.0 * (1.0 - clamp(facing, 0.0, 1.0)));
    let at = frame.shadow_from_anchor * vec4f(position_anchor + off, 1.0);
    if any(at.xy < vec2f(0.0)) || any(at.xy > vec2f(1.0)) {
        return 1.0;
    }
    let depth = clamp(at.z, 0.0, 0.9999);
    let texel = 1.35 / vec2f(textureDimensions(shadow_map));
    var seen = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let here = at.xy + vec2f(f32(x), f32(y)) * texel;
            seen += textureSampleCompareLevel(shadow_map, shadow_sampler, here, depth);
        }
    }
    return seen / 9.0;
}

// What is seen in a direction, where there is no scene: a pale sky, a dim ground, and a wide soft
// horizon; the rougher the surface, the wider.
fn surroundings(direction: vec3f, roughness: f32) -> vec3f {
    let wide = 0.08 + 0.92 * roughness;
    let up = smoothstep(-wide, wide, direction.y);
    return mix(vec3f(0.20, 0.19, 0.18), vec3f(0.56, 0.60, 0.66), up);
}

// Bright colours bend toward white instead of being cut off.
fn bent(c: vec3f) -> vec3f {
    let from_here = 0.72;
    let room = 1.0 - from_here;
    return select(c, from_here + room * (1.0 - exp(-(c - from_here) / room)), c > vec3f(from_here));
}

// ---- the scene ------------------------------------------------------------------------------

struct Corner {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) uv: vec2f,
}

struct Lit {
    // Invariant: the id pass' triangles must cover the same pixels.
    @builtin(position) @invariant position: vec4f,
    @location(0) position_anchor: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) uv: vec2f,
}

@vertex
fn vs_lit(corner: Corner, placed: Placed) -> Lit {
    let position = position_anchor(corner.position, placed);
    // The matrix of cofactors is the inverse transpose up to a factor; it needs no inverse and so
    // stands a scale of 0. Brought to a size that can be multiplied first.
    let rows = mat3x3f(placed.row_x.xyz, placed.row_y.xyz, placed.row_z.xyz);
    let most = max(max(abs(rows[0]), abs(rows[1])), abs(rows[2]));
    let scale = 1.0 / max(max(most.x, max(most.y, most.z)), 1e-37);
    let x = rows[0] * scale;
    let y = rows[1] * scale;
    let z = rows[2] * scale;
    let normal = vec3f(
        dot(cross(y, z), corner.normal),
        dot(cross(z, x), corner.normal),
        dot(cross(x, y), corner.normal),
    );
    let largest = max(abs(normal.x), max(abs(normal.y), abs(normal.z)));
    return Lit(
        camera.clip_from_anchor * vec4f(position, 1.0),
        position,
        select(vec3f(0.0), normal / largest, largest > 1e-37),
        vec4f(linear_from_srgb(corner.color.rgb), corner.color.a),
        corner.uv,
    );
}

// The surface's own frame along the texture, from how place and texture change from pixel to pixel:
// C. Schüler, "Normal Mapping Without Precomputed Tangents", ShaderX5 (2006).
fn bumped(normal: vec3f, position_dx: vec3f, position_dy: vec3f, uv: vec2f) -> vec3f {
    let at = at_image(NORMAL, uv);
    let at_dx = dpdx(at);
    let at_dy = dpdy(at);
    let texel = textureSample(normal_texture, normal_sampler, at).xyz * 2.0 - 1.0;
    let across_x = cross(normal, position_dx);
    let across_y = cross(position_dy, normal);
    let tangent = across_y * at_dx.x + across_x * at_dy.x;
    let bitangent = across_y * at_dx.y + across_x * at_dy.y;
    let longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
    let scale = select(0.0, inverseSqrt(longest), longest > 1e-30);
    let bend = texel.xy * material.emissive.w * scale;
    // Down the image is down the texture's v: glTF's green points up.
    return normalize(tangent * bend.x - bitangent * bend.y + normal * max(texel.z, 0.05));
}

fn shaded(in: Lit) -> vec4f {
    let to_viewer = normalize(mix(frame.to_viewer.xyz, -in.position_anchor, frame.to_viewer.w));
    let position_dx = dpdx(in.position_anchor);
    let position_dy = dpdy(in.position_anchor);
    // The triangle's own normal, toward the viewer: tells front from back for mirrored nodes and
    // single sheets alike, and stands in for a missing normal.
    let across = cross(position_dx, position_dy);
    let face = across * select(-1.0, 1.0, dot(across, to_viewer) > 0.0);
    let face_size = max(max(abs(face.x), max(abs(face.y), abs(face.z))), 1e-37);
    let size = max(abs(in.normal.x), max(abs(in.normal.y), abs(in.normal.z)));
    var normal = normalize(select(face / face_size, in.normal / size, size > 1e-30));
    normal *= select(1.0, -1.0, dot(normal, face) < 0.0);
    let smooth_normal = normal;

    var base = material.base_color * in.color;
    if has(BASE_COLOR) {
        base *= textureSample(base_color_texture, base_color_sampler, at_image(BASE_COLOR, in.uv));
    }
    var metallic = material.metallic;
    var roughness = material.roughness;
    if has(METALLIC_ROUGHNESS) {
        let at = at_image(METALLIC_ROUGHNESS, in.uv);
        let texel = textureSample(metallic_roughness_texture, metallic_roughness_sampler, at);
        metallic *= texel.b;
        roughness *= texel.g;
    }
    var emissive = material.emissive.rgb;
    if has(EMISSIVE) {
        emissive *= textureSample(emissive_texture, emissive_sampler, at_image(EMISSIVE, in.uv)).rgb;
    }
    if has(NORMAL) {
        normal = bumped(normal, position_dx, position_dy, in.uv);
    }
    if has(UNLIT) {
        return vec4f(shown(base.rgb), base.a);
    }
    if frame.target_.z > 0.5 {
        base = vec4f(vec3f(0.62), base.a);
        metallic = 0.0;
        roughness = 0.8;
        emissive = vec3f(0.0);
    }
    roughness = clamp(roughness, 0.08, 1.0);

    let facing = dot(normal, frame.to_light.xyz);
    let seen = mix(1.0, lamp_seen(in.position_anchor, smooth_normal, dot(smooth_normal, frame.to_light.xyz)), frame.to_light.w);
    let lamp = vec3f(1.0, 0.97, 0.92) * seen;
    // A large lamp reaches a little round the edge.
    let lit = max((facing + 0.1) / 1.1, 0.0);
    let around = surroundings(normal, 1.0);
    // A weak light from where the viewer is: sides in the shadow keep their shape.
    let from_viewer = vec3f(0.13) * max(dot(normal, to_viewer), 0.0);

    // Metal shows what it reflects, and rough metal so much of it at once that it looks painted.
    let mirror = metallic * (1.0 - roughness * roughness);
    let diffuse = base.rgb * (1.0 - mirror) * (around * 0.92 + lamp * lit * 0.70 + from_viewer);

    let facing_viewer = max(dot(normal, to_viewer), 1e-3);
    let f0 = mix(vec3f(0.04), base.rgb, metallic);
    // C. Schlick's Fresnel, dimmed by roughness.
    let grazing = pow(1.0 - facing_viewer, 5.0) * (1.0 - roughness);
    let reflects = f0 + (max(vec3f(1.0 - roughness), f0) - f0) * grazing;
    let reflected = surroundings(reflect(-to_viewer, normal), roughness);
    let half_way = normalize(frame.to_light.xyz + to_viewer);
    // The usual microfacets (GGX), with a lamp that has some size.
    let a = roughness * roughness + 0.02;
    let d = max(dot(normal, half_way), 0.0);
    let lobe = a * a / pow(d * d * (a * a - 1.0) + 1.0, 2.0);
    let spread = 0.25 / max(0.1, dot(half_way, to_viewer) * dot(half_way, to_viewer) * (roughness + 0.5));
    let glint = min(0.35 * lobe * spread, 2.5) * max(facing, 0.0);
    let environment = mix(1.0 - roughness * 0.85, 1.0, mirror) * mix(0.55, 1.0, metallic);
    let specular = reflects * (reflected * environment * mix(1.0, mirror, metallic) + lamp * glint);

    return vec4f(shown(bent(diffuse + specular + emissive)), base.a);
}

@fragment
fn fs_lit(in: Lit) -> @location(0) vec4f {
    return vec4f(shaded(in).rgb, 1.0);
}

// As much of the pixel as lies within the edge, where alpha is the cutoff: half of it where the edge
// goes through its middle. What changes less than a texture in 8 bits can say has no edge there, and is
// all or nothing.
@fragment
fn fs_cut(in: Lit) -> @location(0) vec4f {
    let color = shaded(in).rgb;
    let inside = alpha_of(in.uv, in.color.a) - material.cutoff;
    let across_pixel = fwidth(inside);
    let cover = select(step(0.0, inside), saturate(inside / across_pixel + 0.5), across_pixel > 1.0 / 512.0);
    if cover <= 0.0 {
        discard;
    }
    return vec4f(color, cover);
}

@fragment
fn fs_blend(in: Lit) -> @location(0) vec4f {
    return shaded(in);
}

// ---- the ground -----------------------------------------------------------------------------

struct Ground {
    @builtin(position) position: vec4f,
    @location(0) at: vec2f,
    @location(1) position_anchor: vec3f,
}

@vertex
fn vs_ground(@builtin(vertex_index) vertex: u32) -> Ground {
    let corner = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
    let at = corner * frame.grid_origin.w;
    let position = frame.grid_origin.xyz + frame.grid_u.xyz * at.x + frame.grid_v.xyz * at.y;
    return Ground(camera.clip_from_anchor * vec4f(position, 1.0), at, position);
}

// How much of the pixel lines of this spacing cover; lines fade out where they would crowd.
fn lines(at: vec2f, pixel: vec2f, spacing: f32) -> f32 {
    let distance_px = abs(fract(at / spacing - 0.5) - 0.5) * spacing / pixel;
    let apart_px = vec2f(spacing) / pixel;
    let crowd = smoothstep(vec2f(5.0), vec2f(32.0), apart_px);
    let covered = clamp(1.2 - distance_px, vec2f(0.0), vec2f(1.0)) * crowd;
    return max(covered.x, covered.y);
}

@fragment
fn fs_ground(in: Ground) -> @location(0) vec4f {
    let pixel = max(fwidth(in.at), vec2f(1e-30));
    let spacing = frame.grid_u.w;
    let cover = max(
        max(0.10 * lines(in.at, pixel, spacing), 0.20 * lines(in.at, pixel, spacing * 10.0)),
        0.20 * lines(in.at, pixel, spacing * 100.0),
    );
    var color = vec4f(mix(vec3f(0.40, 0.42, 0.46), vec3f(0.12, 0.13, 0.15), frame.target_.y), cover);
    let axes = clamp(1.5 - abs(in.at.yx - frame.grid_axes.xy) / pixel.yx, vec2f(0.0), vec2f(1.0));
    color = mix(color, frame.axis_u_color, axes.x * frame.axis_u_color.a);
    color = mix(color, frame.axis_v_color, axes.y * frame.axis_v_color.a);
    let fade = 1.0 - smoothstep(0.08, 0.9, length(in.at) / frame.grid_origin.w);
    color.a *= fade;
    var shadow = 0.0;
    if frame.grid_v.w > 0.0 {
        let seen = lamp_seen(in.position_anchor, vec3f(0.0, 1.0, 0.0), frame.to_light.y);
        shadow = frame.grid_v.w * (1.0 - seen) * fade;
    }
    // Lines over the shadow, over what is there.
    let alpha = color.a + shadow * (1.0 - color.a);
    return vec4f(shown(color.rgb * color.a / max(alpha, 1e-6)), alpha);
}
