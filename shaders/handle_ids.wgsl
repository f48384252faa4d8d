// The ids of handles: one instance per edge, whose fragments belong to it or not. `Edge::distance` in
// draw/shape/edge.rs of the core is the same for the CPU pick. All vertices have w = 1, as in handle.wgsl, but nothing is
// interpolated: a fragment knows its whole pixel from the anchor, so that a tile and the whole image have the same bits.

// `EdgeRecord` in src/gpu/picking/id_handles.rs.
struct Edge {
    // The corner of a pixel of the attachment that positions are relative to, and its NDC.
    @location(0) anchor: vec4f,
    // The change of NDC per pixel, and the center of a rectangle around the fragments.
    @location(1) scale_center: vec4f,
    // Half of the sides of the rectangle.
    @location(2) halves: vec4f,
    // The start and the unit direction of the chord.
    @location(3) chord: vec4f,
    // The length of the chord, four times the sagitta, and half of the width of a stroke at the start and its change;
    // or -1 for an edge of an outline, whose outside is to the left.
    @location(4) curve: vec4f,
    // Lines that also bound the fragments: the distance outside is `x · p.x + y · p.y - z`.
    @location(5) first_bound: vec3f,
    @location(6) second_bound: vec3f,
    // The depth of the view at the start, its change per pixel, and that from the outline of a ball to its middle.
    @location(7) depth: vec4f,
    // The reciprocal of the distance from the outline of a ball to its middle; and the factor and the offset of the
    // depth that an object must be nearer than to hide the handle.
    @location(8) inward_threshold: vec3f,
    @location(9) id: u32,
}

struct Raster {
    @builtin(position) position_px: vec4f,
    @location(0) @interpolate(flat) anchor: vec2f,
    @location(1) @interpolate(flat) chord: vec4f,
    @location(2) @interpolate(flat) curve: vec4f,
    @location(3) @interpolate(flat) first_bound: vec3f,
    @location(4) @interpolate(flat) second_bound: vec3f,
    @location(5) @interpolate(flat) depth: vec4f,
    @location(6) @interpolate(flat) inward_threshold: vec3f,
    @location(7) @interpolate(flat) id: u32,
}

@vertex
fn vs_id(edge: Edge, @builtin(vertex_index) index: u32) -> Raster {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let p = edge.scale_center.zw + corner.x * edge.halves.xy + corner.y * edge.halves.zw;
    return Raster(
        vec4f(edge.anchor.zw + p * edge.scale_center.xy, 0.0, 1.0),
        edge.anchor.xy,
        edge.chord,
        edge.curve,
        edge.first_bound,
        edge.second_bound,
        edge.depth,
        edge.inward_threshold,
        edge.id,
    );
}

// The distance outside of a line.
fn outside(line: vec3f, p: vec2f) -> f32 {
    return dot(p, line.xy) - line.z;
}

// An edge at a fragment.
struct EdgeAt {
    // The distance from the fragments that belong to the edge, 0 or less for them.
    distance: f32,
    depth: f32,
}

fn edge_at(in: Raster) -> EdgeAt {
    let p = in.position_px.xy - in.anchor;
    let offset = p - in.chord.xy;
    let along = in.chord.zw;
    let x = dot(along, offset);
    let y = along.x * offset.y - along.y * offset.x;
    let length = in.curve.x;
    // Between the bounds it can be a little beyond 0 and 1.
    let t = clamp(x / length, -0.5, 1.5);
    let bend = in.curve.y;
    let slope = bend * (1.0 - 2.0 * t) / length;
    let off = (y - bend * t * (1.0 - t)) * inverseSqrt(1.0 + slope * slope);
    let is_stroke = in.curve.z >= 0.0;
    let side = select(off, abs(off) - (in.curve.z + in.curve.w * t), is_stroke);
    let beyond = max(outside(in.first_bound, p), outside(in.second_bound, p));
    // From the outline of a ball to its middle, the depth is a quarter of a circle.
    let inward = clamp(-off * in.inward_threshold.x, 0.0, 1.0);
    let depth = in.depth.x + dot(in.depth.yz, offset) + in.depth.w * sqrt(inward * (2.0 - inward));
    return EdgeAt(max(side, beyond), depth);
}

@fragment
fn fs_id(in: Raster) -> IdTexel {
    let at = edge_at(in);
    if at.distance > 0.0 {
        discard;
    }
    return id_texel(in.id, at.depth);
}

struct HideableTexel {
    @location(0) id_and_depth_bits: vec4u,
    @location(1) depth_bits: u32,
    // The depth that a surface must be nearer than to hide the handle.
    @builtin(frag_depth) threshold: f32,
}

// Texels of a handle that is left out where the objects in the ID image hide it.
@fragment
fn fs_id_hidden(in: Raster) -> HideableTexel {
    let at = edge_at(in);
    if at.distance > 0.0 {
        discard;
    }
    let threshold = clamp(in.inward_threshold.y * at.depth + in.inward_threshold.z, 0.0, 1.0);
    let written = id_texel(in.id, at.depth);
    return HideableTexel(written.id_and_depth_bits, written.depth_bits, threshold);
}
