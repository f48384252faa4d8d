// Handles behind the host's scene. It is appended to handle.wgsl for renderers that get the depth of the
// scene.

// `Uniform` in src/gpu/drawing/scene_depth.rs.
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

fn depth_at(px: vec2i) -> f32 {
    return textureLoad(scene_depth, clamp(px, vec2i(0), vec2i(textureDimensions(scene_depth)) - 1), 0).x;
}

fn is_in_front(surface: f32, depth: f32) -> bool {
    return surface != scene.far && (surface - (scene.factor * depth + scene.offset)) * scene.nearer > 0.0;
}

// The chord of a stroke at a fragment, which has the depth of the fragment.
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
fn fade(position_px: vec2f, depth: f32, chord: Chord) -> f32 {
    let px = vec2i(position_px);
    if !is_behind(px, depth, chord) {
        return 1.0;
    }
    // Half a pixel for the rounding of the quotient.
    let stripe = fract((position_px.x + position_px.y + 0.5) * scene.stripes_per_px);
    return scene.opacity * step(stripe, 0.5);
}

struct FadedRaster {
    @builtin(position) position_px: vec4f,
    @location(0) uv_shade: vec4f,
    @location(1) @interpolate(flat) curve: vec4f,
    @location(2) @interpolate(flat) rest: vec3f,
    @location(3) @interpolate(flat) outer: vec4f,
    @location(4) @interpolate(flat) change: vec4f,
    @location(5) @interpolate(flat) box: vec4f,
    @location(6) inward: f32,
    @location(7) depth: vec2f,
}

@vertex
fn vs_faded(corner: EdgeCorner) -> FadedRaster {
    let out = edge_raster(corner);
    return FadedRaster(out.position_px, out.uv_shade, out.curve, out.rest, out.outer, out.change, out.box,
        out.inward, corner.depth);
}

// The chord of the stroke at a fragment.
fn chord_of(in: FadedRaster) -> Chord {
    // The varyings are linear, so that it does not matter from which pixels their derivatives are.
    let across = vec2f(dpdx(in.uv_shade.y), dpdy(in.uv_shade.y));
    let squared = max(dot(across, across), 1.0e-6);
    let along = vec2f(across.y, -across.x) * inverseSqrt(squared);
    let change = dot(vec2f(dpdx(in.depth.x), dpdy(in.depth.x)), along);
    if in.curve.y < 0.0 {
        return NO_CHORD;
    }
    return Chord(-in.uv_shade.y * across / squared, along, change);
}

@fragment
fn fs_faded(in: FadedRaster) -> @location(0) vec4f {
    let chord = chord_of(in);
    let depth = in.depth.x + in.depth.y * sqrt(max(in.inward * (2.0 - in.inward), 0.0));
    let edge = EdgeRaster(in.position_px, in.uv_shade, in.curve, in.rest, in.outer, in.change, in.box,
        in.inward);
    return stored(painted(edge) * fade(in.position_px.xy, depth, chord));
}
