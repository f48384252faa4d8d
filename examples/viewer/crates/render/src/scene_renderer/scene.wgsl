// Draws the scene, the grid and the background. Colors are linear until `encode`.

// `Frame` in lighting.rs.
struct Frame {
    // Texture coordinates (x, y) and depth (z) in the shadow map.
    shadow_from_anchor: mat4x4f,
    // Unit vector in world space; w: darkness of shadows.
    to_light: vec4f,
    // xyz: unit vector to the viewer if the view is orthographic (w = 0). w = 1: the eye is the anchor.
    to_viewer: vec4f,
    // Origin of the grid relative to the anchor; w: its radius.
    grid_origin: vec4f,
    // Unit vectors of the grid plane. w of u: finest spacing; w of v: darkness of shadows on the grid.
    grid_u: vec4f,
    grid_v: vec4f,
    // x: coordinate v of the world axis along u. y: coordinate u of the world axis along v.
    grid_axes: vec4f,
    axis_u_color: vec4f,
    axis_v_color: vec4f,
    // x: 1 if the render target does not encode sRGB. y: 1 for a light background. z: 1 for clay
    // shading. w: size of a shadow map texel in world units.
    target_: vec4f,
}

@group(0) @binding(1) var<uniform> frame: Frame;
@group(0) @binding(2) var shadow_map: texture_depth_2d;
@group(0) @binding(3) var shadow_sampler: sampler_comparison;

fn encode(linear: vec3f) -> vec3f {
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
    // One triangle that covers the viewport.
    let ndc = vec2f(f32(vertex & 1u) * 4.0 - 1.0, f32(vertex >> 1u) * 4.0 - 1.0);
    return Background(vec4f(ndc, 0.5, 1.0), ndc);
}

@fragment
fn fs_background(in: Background) -> @location(0) vec4f {
    // Dark or light enough for a contrast of 3 : 1 with the axes of all themes.
    let bottom = mix(vec3f(0.016, 0.017, 0.0195), vec3f(0.80, 0.81, 0.83), frame.target_.y);
    let top = mix(vec3f(0.036, 0.0385, 0.044), vec3f(0.90, 0.92, 0.95), frame.target_.y);
    let height = smoothstep(-1.1, 1.1, in.ndc.y);
    let vignette = 1.0 - mix(0.20, 0.10, frame.target_.y) * smoothstep(0.4, 1.9, dot(in.ndc, in.ndc));
    // Dithering by half a step hides the banding of 8 bits.
    let grain = fract(52.9829189 * fract(dot(floor(in.position.xy), vec2f(0.06711056, 0.00583715)))) - 0.5;
    let color = mix(bottom, top, height) * vignette;
    return vec4f(encode(color + grain * mix(0.0008, 0.0035, frame.target_.y)), 1.0);
}

// ---- light ----------------------------------------------------------------------------------

// Conditions depend on more than uniforms, or lavapipe compiles the shader again for their values; see `has`.

// Returns the visible fraction of the light, or 0 if there are no shadows.
fn light_visibility(position_anchor: vec3f, normal: vec3f, facing: f32) -> f32 {
    // The surface faces away from the light.
    if (facing + 0.1) * frame.to_light.w <= 0.0 {
        return 0.0;
    }
    return shadow_map_visibility(position_anchor, normal, facing);
}

// Returns the visible fraction of the light, as the mean of nine samples of the shadow map.
fn shadow_map_visibility(position_anchor: vec3f, normal: vec3f, facing: f32) -> f32 {
    // Offset from the surface by some texels, more at grazing angles, to avoid shadows on itself.
    let offset = normal * frame.target_.w * (1.5 + 2.0 * (1.0 - clamp(facing, 0.0, 1.0)));
    let at = frame.shadow_from_anchor * vec4f(position_anchor + offset, 1.0);
    if any(at.xy < vec2f(0.0)) || any(at.xy > vec2f(1.0)) {
        return 1.0;
    }
    let depth = clamp(at.z, 0.0, 0.9999);
    let texel = 1.35 / vec2f(textureDimensions(shadow_map));
    var sum = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let uv = at.xy + vec2f(f32(x), f32(y)) * texel;
            sum += textureSampleCompareLevel(shadow_map, shadow_sampler, uv, depth);
        }
    }
    return sum / 9.0;
}

// Returns the environment light from a direction: a pale sky and a dim ground. The transition at the
// horizon is wider for rough surfaces.
fn environment_light(direction: vec3f, roughness: f32) -> vec3f {
    let width = 0.08 + 0.92 * roughness;
    let up = smoothstep(-width, width, direction.y);
    return mix(vec3f(0.20, 0.19, 0.18), vec3f(0.56, 0.60, 0.66), up);
}

// Compresses bright colors smoothly instead of clamping them.
fn tone_map(c: vec3f) -> vec3f {
    let knee = 0.72;
    let range = 1.0 - knee;
    return select(c, knee + range * (1.0 - exp(-(c - knee) / range)), c > vec3f(knee));
}

// ---- scene ----------------------------------------------------------------------------------

struct Corner {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) uv: vec2f,
}

struct Lit {
    // Invariant, so that the triangles of the ID pass cover the same pixels.
    @builtin(position) @invariant position: vec4f,
    @location(0) position_anchor: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) uv: vec2f,
}

fn lit_corner(corner: Corner, instance: Instance) -> Lit {
    let position = position_anchor(corner.position, instance);
    // Normals are transformed by the cofactor matrix. It equals the inverse transpose up to a factor, but
    // also exists for a scale of 0. The rows are scaled first, so that their products do not overflow.
    let rows = mat3x3f(instance.row_x.xyz, instance.row_y.xyz, instance.row_z.xyz);
    let largest_row = max(max(abs(rows[0]), abs(rows[1])), abs(rows[2]));
    let scale = 1.0 / max(max(largest_row.x, max(largest_row.y, largest_row.z)), 1e-37);
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

@vertex
fn vs_lit(corner: Corner, instance: Instance) -> Lit {
    return lit_corner(corner, instance);
}

// A corner of an alpha-tested, cropped or blended part.
struct Cut {
    @builtin(position) @invariant position: vec4f,
    @location(0) position_anchor: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) uv: vec2f,
    @location(4) from_min: vec3f,
    @location(5) from_max: vec3f,
}

@vertex
fn vs_cut(corner: Corner, instance: Instance) -> Cut {
    let lit = lit_corner(corner, instance);
    let crop = crop_distances(corner.position, instance);
    return Cut(lit.position, lit.position_anchor, lit.normal, lit.color, lit.uv, crop[0], crop[1]);
}

fn lit_of(in: Cut) -> Lit {
    return Lit(in.position, in.position_anchor, in.normal, in.color, in.uv);
}

// Returns the part of the pixel inside of an edge, where `inside` is 0: one half if the edge passes through the
// center. Changes below `least` per pixel are not edges; there the coverage is 0 or 1.
fn edge_cover(inside: f32, across_pixel: f32, least: f32) -> f32 {
    return select(step(0.0, inside), saturate(inside / across_pixel + 0.5), across_pixel > least);
}

// Returns the part of the pixel inside of the crop box.
fn crop_cover(in: Cut) -> f32 {
    let inside = inside_crop(in.from_min, in.from_max);
    return edge_cover(inside, fwidth(inside), 1e-30);
}

// Returns the normal with the normal texture applied. The tangent frame follows from the derivatives of
// position and texture coordinates: C. Schüler, "Normal Mapping Without Precomputed Tangents", ShaderX5
// (2006). There y points up on the screen, here down, so both cross products are reversed.
fn perturbed_normal(normal: vec3f, position_dx: vec3f, position_dy: vec3f, uv: vec2f) -> vec3f {
    let at = at_image(NORMAL, uv);
    let at_dx = dpdx(at);
    let at_dy = dpdy(at);
    let texel = textureSample(normal_texture, normal_sampler, at).xyz * 2.0 - 1.0;
    let across_x = cross(position_dx, normal);
    let across_y = cross(normal, position_dy);
    let tangent = across_y * at_dx.x + across_x * at_dy.x;
    let bitangent = across_y * at_dx.y + across_x * at_dy.y;
    let longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
    let scale = select(0.0, inverseSqrt(longest), longest > 1e-30);
    let bend = texel.xy * material.emissive.w * scale;
    // The bitangent is negated: v points down in the image, but green points up in glTF.
    return normalize(tangent * bend.x - bitangent * bend.y + normal * max(texel.z, 0.05));
}

fn shade(in: Lit) -> vec4f {
    let to_viewer = normalize(mix(frame.to_viewer.xyz, -in.position_anchor, frame.to_viewer.w));
    let position_dx = dpdx(in.position_anchor);
    let position_dy = dpdy(in.position_anchor);
    // The normal of the triangle, toward the viewer. It decides the side, also for mirrored nodes and
    // single sheets, and replaces a missing vertex normal.
    let across = cross(position_dx, position_dy);
    let face = across * select(-1.0, 1.0, dot(across, to_viewer) > 0.0);
    let face_size = max(max(abs(face.x), max(abs(face.y), abs(face.z))), 1e-37);
    let size = max(abs(in.normal.x), max(abs(in.normal.y), abs(in.normal.z)));
    var normal = normalize(select(face / face_size, in.normal / size, size > 1e-30));
    let side = select(1.0, -1.0, dot(normal, face) < 0.0);
    normal *= side;
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
        // A bump on the front is a dent on the back.
        normal = perturbed_normal(normal, position_dx * side, position_dy * side, in.uv);
    }
    let is_clay = frame.target_.z > 0.5;
    if has(UNLIT) && !is_clay {
        return vec4f(encode(base.rgb), base.a);
    }
    base = vec4f(select(base.rgb, vec3f(0.62), is_clay), base.a);
    metallic = select(metallic, 0.0, is_clay);
    roughness = select(roughness, 0.8, is_clay);
    emissive = select(emissive, vec3f(0.0), is_clay);
    roughness = clamp(roughness, 0.08, 1.0);

    let facing = dot(normal, frame.to_light.xyz);
    let smooth_facing = dot(smooth_normal, frame.to_light.xyz);
    let visibility =
        mix(1.0, light_visibility(in.position_anchor, smooth_normal, smooth_facing), frame.to_light.w);
    let light = vec3f(1.0, 0.97, 0.92) * visibility;
    // An area light reaches slightly beyond the terminator.
    let lit = max((facing + 0.1) / 1.1, 0.0);
    let ambient = environment_light(normal, 1.0);
    // A weak headlight keeps the shape of shadowed sides visible.
    let headlight = vec3f(0.13) * max(dot(normal, to_viewer), 0.0);

    // Rough metal is shaded partly as diffuse, because its blurred reflection looks like paint.
    let mirror = metallic * (1.0 - roughness * roughness);
    let diffuse = base.rgb * (1.0 - mirror) * (ambient * 0.92 + light * lit * 0.70 + headlight);

    let facing_viewer = max(dot(normal, to_viewer), 1e-3);
    let f0 = mix(vec3f(0.04), base.rgb, metallic);
    // C. Schlick's Fresnel approximation, attenuated by roughness.
    let grazing = pow(1.0 - facing_viewer, 5.0) * (1.0 - roughness);
    let fresnel = f0 + (max(vec3f(1.0 - roughness), f0) - f0) * grazing;
    let reflected = environment_light(reflect(-to_viewer, normal), roughness);
    let half_way = normalize(frame.to_light.xyz + to_viewer);
    // The GGX microfacet distribution, widened for an area light.
    let a = roughness * roughness + 0.02;
    let d = max(dot(normal, half_way), 0.0);
    let lobe = a * a / pow(d * d * (a * a - 1.0) + 1.0, 2.0);
    let spread = 0.25 / max(0.1, dot(half_way, to_viewer) * dot(half_way, to_viewer) * (roughness + 0.5));
    let glint = min(0.35 * lobe * spread, 2.5) * max(facing, 0.0);
    let environment = mix(1.0 - roughness * 0.85, 1.0, mirror) * mix(0.55, 1.0, metallic);
    let specular = fresnel * (reflected * environment * mix(1.0, mirror, metallic) + light * glint);

    return vec4f(encode(tone_map(diffuse + specular + emissive)), base.a);
}

@fragment
fn fs_lit(in: Lit) -> @location(0) vec4f {
    return vec4f(shade(in).rgb, 1.0);
}

// Draws alpha-tested and cropped parts with smooth edges. An edge of the alpha test is where alpha equals the
// cutoff, and changes below the precision of an 8-bit texture are not edges.
@fragment
fn fs_cut(in: Cut) -> @location(0) vec4f {
    let color = shade(lit_of(in)).rgb;
    let inside = alpha_of(in.uv, in.color.a) - material.cutoff;
    let by_alpha = edge_cover(inside, fwidth(inside), 1.0 / 512.0);
    // An opaque material ignores alpha.
    let cover = min(select(by_alpha, 1.0, material.cutoff <= 0.0), crop_cover(in));
    if cover <= 0.0 {
        discard;
    }
    return vec4f(color, cover);
}

@fragment
fn fs_blend(in: Cut) -> @location(0) vec4f {
    let color = shade(lit_of(in));
    return vec4f(color.rgb, color.a * crop_cover(in));
}

// ---- grid -----------------------------------------------------------------------------------

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

// Returns the coverage of a pixel by grid lines of this spacing. Lines fade out as they get too dense.
fn lines(at: vec2f, pixel: vec2f, spacing: f32) -> f32 {
    let distance_px = abs(fract(at / spacing - 0.5) - 0.5) * spacing / pixel;
    let spacing_px = vec2f(spacing) / pixel;
    let fade = smoothstep(vec2f(5.0), vec2f(32.0), spacing_px);
    let coverage = clamp(1.2 - distance_px, vec2f(0.0), vec2f(1.0)) * fade;
    return max(coverage.x, coverage.y);
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
    if frame.grid_v.w * fade > 0.0 {
        let visibility = shadow_map_visibility(in.position_anchor, vec3f(0.0, 1.0, 0.0), frame.to_light.y);
        shadow = frame.grid_v.w * (1.0 - visibility) * fade;
    }
    // Lines are composited over the shadow.
    let alpha = color.a + shadow * (1.0 - color.a);
    return vec4f(encode(color.rgb * color.a / max(alpha, 1e-6)), alpha);
}
