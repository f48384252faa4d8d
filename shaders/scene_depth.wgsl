// Handles behind the host's scene. It is appended to handle.wgsl for renderers that get the depth of the
// scene.

// `Uniform` in src/gpu/scene_depth.rs.
struct SceneDepth {
    // A surface hides a handle if it is nearer than `factor * depth + offset`, where `depth` is that of the
    // handle.
    factor: f32,
    offset: f32,
    // 1 if larger depths are nearer, or -1.
    nearer: f32,
    // The depth at which there is no surface.
    far: f32,
    // The largest error of a depth.
    error: f32,
    // The opacity of hidden parts, relative to visible ones.
    opacity: f32,
    // The number of stripes per pixel along a row, or 0.
    stripes_per_px: f32,
    unused: f32,
}

@group(0) @binding(0) var<uniform> scene: SceneDepth;
// A float texture, because not every backend can load from depth textures.
@group(0) @binding(1) var scene_depth: texture_2d<f32>;

// Whether the render target stores linear values or encodes them on write.
override IS_LINEAR: bool = false;

fn depth_at(px: vec2i) -> f32 {
    return textureLoad(scene_depth, clamp(px, vec2i(0), vec2i(textureDimensions(scene_depth)) - 1), 0).x;
}

fn is_in_front(surface: f32, depth: f32) -> bool {
    return surface != scene.far && (surface - (scene.factor * depth + scene.offset)) * scene.nearer > 0.0;
}

// The chord of a stroke at a fragment. Its depth is that of the fragment.
struct Chord {
    // The displacement to it in pixels.
    to: vec2f,
    // Its unit direction, or 0 where there is no stroke, and the change of its depth per pixel.
    along: vec2f,
    change: f32,
}

const NO_CHORD: Chord = Chord(vec2f(0.0), vec2f(0.0), 0.0);

// Whether a surface that is in front of a stroke at a pixel is a plane that the stroke lies on. Depths on a plane
// are linear, so the plane is known where the chord is.
fn lies_on(px: vec2i, surface: f32, depth: f32, chord: Chord) -> bool {
    // Toward the neighbors that fine derivatives are from, which GLSL ES does not have.
    let inward = 1 - 2 * (px & vec2i(1));
    let beside = vec2f(depth_at(px + vec2i(inward.x, 0)), depth_at(px + vec2i(0, inward.y)));
    // The changes of the depth to the right and down.
    let slope = (beside - surface) * vec2f(inward);
    let bend = abs(surface - dot(slope, vec2f(inward)) - depth_at(px - inward));
    let steep = length(slope);
    let is_plane = bend <= 0.1 * steep + 4.0 * scene.error;
    let apart = abs(dot(slope, chord.along) - chord.change);
    let bias = abs(scene.factor * depth + scene.offset - depth);
    let is_along = apart <= 0.05 * steep + 0.1 * bias;
    // A tenth of a pixel for the rounding of positions.
    let plane = surface + dot(slope, chord.to) - 0.1 * steep * scene.nearer;
    return is_plane && is_along && !is_in_front(plane, depth);
}

// Whether the scene hides a fragment of this depth. A stroke that lies on a plane is visible over all of its
// width.
fn is_behind(px: vec2i, depth: f32, chord: Chord) -> bool {
    // The texture has all pixels of the viewport.
    let surface = textureLoad(scene_depth, px, 0).x;
    if !is_in_front(surface, depth) {
        return false;
    }
    if all(chord.along == vec2f(0.0)) {
        return true;
    }
    return !lies_on(px, surface, depth, chord);
}

// The factor on a fragment.
fn veil(position_px: vec2f, depth: f32, chord: Chord) -> f32 {
    let px = vec2i(position_px);
    if !is_behind(px, depth, chord) {
        return 1.0;
    }
    // Half a pixel for the rounding of the quotient.
    let stripe = fract((position_px.x + position_px.y + 0.5) * scene.stripes_per_px);
    return scene.opacity * step(stripe, 0.5);
}

fn veiled(color: vec4f, factor: f32) -> vec4f {
    if IS_LINEAR {
        return linear_from_encoded(color * factor);
    }
    return color * factor;
}

fn chord_of(in: Raster, p: vec2f) -> Chord {
    if in.kind_id.x > ARC {
        return NO_CHORD;
    }
    let offset = p - in.a.xy;
    return Chord(cross_2(in.a.zw, offset) * vec2f(in.a.w, -in.a.z), in.a.zw, (in.d.w - in.d.z) / in.b.x);
}

@fragment
fn fs_veiled(in: Raster) -> @location(0) vec4f {
    let p = pixel_of(in);
    let factor = veil(in.position_px.xy, texel_of(in, p).depth, chord_of(in, p));
    return veiled(painted_shape(in, p), factor);
}

@fragment
fn fs_cone_veiled(in: ConeRaster) -> @location(0) vec4f {
    let side = cone_side(cone_unit(in), in.size.z, in.facing_depths.xy);
    let depth = mix(in.facing_depths.z, in.facing_depths.w, side.z);
    return veiled(painted_cone(in), veil(in.position_px.xy, depth, NO_CHORD));
}

@fragment
fn fs_cube_veiled(in: CubeRaster) -> @location(0) vec4f {
    return veiled(painted_cube(in), veil(in.position_px.xy, cube_depth(faces_of(in), in.depth), NO_CHORD));
}

@fragment
fn fs_square_veiled(in: SquareRaster) -> @location(0) vec4f {
    return veiled(painted_square(in), veil(in.position_px.xy, in.depth, NO_CHORD));
}

struct VeiledDisc {
    @builtin(position) position_px: vec4f,
    @location(0) q: vec2f,
    @location(1) @interpolate(flat) color: vec4f,
    @location(2) @interpolate(flat) radius_halo: vec3f,
    @location(3) @interpolate(flat) rim: vec4f,
    // At the center of the ball, and from there to its front.
    @location(4) @interpolate(flat) depths: vec2f,
}

@vertex
fn vs_veiled_disc(shape: Shape, @builtin(vertex_index) index: u32) -> VeiledDisc {
    let out = disc_raster(shape, index);
    return VeiledDisc(out.position_px, out.q, out.color, out.radius_halo, out.rim, shape.data_b.zw);
}

@fragment
fn fs_disc_veiled(in: VeiledDisc) -> @location(0) vec4f {
    let depth = in.depths.x + in.depths.y * sqrt(max(1.0 - dot(in.q, in.q), 0.0));
    let disc = DiscRaster(in.position_px, in.q, in.color, in.radius_halo, in.rim);
    return veiled(painted_disc(disc), veil(in.position_px.xy, depth, NO_CHORD));
}

struct VeiledStroke {
    @builtin(position) position_px: vec4f,
    @location(0) place: vec4f,
    @location(1) @interpolate(flat) curve: vec4f,
    @location(2) @interpolate(flat) rest: vec3f,
    @location(3) @interpolate(flat) outer: vec4f,
    @location(4) @interpolate(flat) change: vec4f,
    @location(5) @interpolate(flat) box: vec4f,
    @location(6) depth: f32,
}

@vertex
fn vs_veiled_stroke(corner: StrokeCorner) -> VeiledStroke {
    let out = stroke_raster(corner);
    return VeiledStroke(out.position_px, out.place, out.curve, out.rest, out.outer, out.change, out.box,
        corner.depth);
}

@fragment
fn fs_stroke_veiled(in: VeiledStroke) -> @location(0) vec4f {
    // The varyings are linear, so that it does not matter from which pixels their derivatives are.
    let across = vec2f(dpdx(in.place.y), dpdy(in.place.y));
    let squared = max(dot(across, across), 1.0e-6);
    let along = vec2f(across.y, -across.x) * inverseSqrt(squared);
    let change = dot(vec2f(dpdx(in.depth), dpdy(in.depth)), along);
    let chord = Chord(-in.place.y * across / squared, along, change);
    let stroke = StrokeRaster(in.position_px, in.place, in.curve, in.rest, in.outer, in.change, in.box);
    return veiled(painted_stroke(stroke), veil(in.position_px.xy, in.depth, chord));
}

struct VeiledTexel {
    @location(0) id_and_depth_bits: vec4u,
    @location(1) depth_bits: u32,
    // The depth that a surface must be nearer than to hide the handle.
    @builtin(frag_depth) threshold: f32,
}

// Texels of a handle that is left out where the objects in the ID image hide it. Instead of a halo, which the
// ID image does not have, the record has `factor` and `offset`.
@fragment
fn fs_id_veiled(in: Raster) -> VeiledTexel {
    let texel = texel_of(in, pixel_of(in));
    if texel.distance > 0.0 {
        discard;
    }
    let threshold = clamp(in.anchor_halo.z * texel.depth + in.anchor_halo.w, 0.0, 1.0);
    let written = id_texel(in.kind_id.y, texel.depth);
    return VeiledTexel(written.id_and_depth_bits, written.depth_bits, threshold);
}
