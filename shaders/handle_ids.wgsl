// The ids of handles: one instance per shape, whose fragments are inside of its outline or not. `Shape::distance` in
// src/draw/shape computes the same for the CPU pick. All vertices have w = 1, as in handle.wgsl.

// `ShapeRecord` in src/gpu/id_handles.rs. The meaning of `data` depends on the kind: see the structs in
// src/draw/shape/mod.rs.
struct Shape {
    // The corner of a pixel of the attachment that positions are relative to, and its NDC.
    @location(0) anchor: vec4f,
    // The change of NDC per pixel, and the center of a rectangle around the shape.
    @location(1) scale_center: vec4f,
    // Half of the sides of the rectangle.
    @location(2) halves: vec4f,
    @location(3) data_a: vec4f,
    @location(4) data_b: vec4f,
    @location(5) data_c: vec4f,
    @location(6) data_d: vec4f,
    // The depth of the nearest corner of a cube, and its changes along the edges.
    @location(7) depth: vec4f,
    // The factor and the offset of the depth that an object must be nearer than to hide the handle, and the opacity
    // of the inside of a square.
    @location(8) threshold_fill: vec3f,
    @location(9) kind: u32,
    @location(10) id: u32,
}

struct Raster {
    @builtin(position) position_px: vec4f,
    @location(0) @interpolate(flat) anchor: vec2f,
    @location(1) @interpolate(flat) a: vec4f,
    @location(2) @interpolate(flat) b: vec4f,
    @location(3) @interpolate(flat) c: vec4f,
    @location(4) @interpolate(flat) d: vec4f,
    @location(5) @interpolate(flat) depth: vec4f,
    @location(6) @interpolate(flat) threshold_fill: vec3f,
    @location(7) @interpolate(flat) kind_id: vec2u,
}

const LINE: u32 = 0u;
const ARC: u32 = 1u;
const CONE: u32 = 2u;
const CUBE: u32 = 3u;
const SQUARE: u32 = 4u;
const DISC: u32 = 5u;
// All other shapes are triangles.

@vertex
fn vs_id(shape: Shape, @builtin(vertex_index) index: u32) -> Raster {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let p = shape.scale_center.zw + corner.x * shape.halves.xy + corner.y * shape.halves.zw;
    return Raster(
        vec4f(shape.anchor.zw + p * shape.scale_center.xy, 0.0, 1.0),
        shape.anchor.xy,
        shape.data_a,
        shape.data_b,
        shape.data_c,
        shape.data_d,
        shape.depth,
        shape.threshold_fill,
        vec2u(shape.kind, shape.id),
    );
}

fn cross_2(a: vec2f, b: vec2f) -> f32 {
    return a.x * b.y - a.y * b.x;
}

// The signed distance from a line.
fn outside(line: vec3f, p: vec2f) -> f32 {
    return dot(p, line.xy) - line.z;
}

struct UnitAt {
    // The point in the space in which an ellipse is the unit circle.
    q: vec2f,
    unit_from_px: mat2x2f,
    // Its direction and distance from the center.
    out: vec2f,
    radius: f32,
}

fn unit_at(in: Raster, p: vec2f) -> UnitAt {
    let unit_from_px = mat2x2f(in.a.zw, in.b.xy);
    let q = unit_from_px * (p - in.a.xy);
    let radius = max(length(q), 1.0e-6);
    return UnitAt(q, unit_from_px, q / radius, radius);
}

// The distance in pixels from a line or a circle with this normal in unit space.
fn px_distance(distance: f32, out: vec2f, unit_from_px: mat2x2f) -> f32 {
    return distance * inverseSqrt(max(dot(out * unit_from_px, out * unit_from_px), 1.0e-20));
}

fn triangle_distances(in: Raster, p: vec2f) -> vec3f {
    return vec3f(outside(in.a.xyz, p), outside(vec3f(in.a.w, in.b.xy), p), outside(vec3f(in.b.zw, in.c.x), p));
}

// A stroke at a pixel.
struct StrokeAt {
    // The position along it, from 0 to 1.
    t: f32,
    // The distance beyond its sides.
    side: f32,
    // The distance beyond its flat ends.
    end: f32,
}

fn stroke_at(in: Raster, p: vec2f) -> StrokeAt {
    let offset = p - in.a.xy;
    let x = dot(offset, in.a.zw);
    let y = cross_2(in.a.zw, offset);
    let length = in.b.x;
    // Between the joints of an arc it can be a little beyond 0 and 1.
    let t = clamp(x / length, -0.5, 1.5);
    let sagitta = 4.0 * in.b.y;
    let slope = sagitta * (1.0 - 2.0 * t) / length;
    let off = abs(y - sagitta * t * (1.0 - t)) * inverseSqrt(1.0 + slope * slope);
    let half_width = mix(in.b.z, in.b.w, t);
    return StrokeAt(t, off - half_width, max(-x, x - length));
}

// Whether a pixel is between the joints of an arc. Neighbors have the same joint, so that each pixel belongs
// to one of them.
fn is_between_joints(in: Raster, p: vec2f) -> bool {
    return outside(in.c.xyz, p) >= 0.0 && outside(vec3f(in.c.w, in.d.xy), p) < 0.0;
}

// The normal of the tangent from the tip of a cone, at this distance, to the unit circle.
fn tip_normal(distance: f32) -> vec2f {
    let x = 1.0 / max(distance, 1.0);
    return vec2f(x, sqrt(1.0 - x * x));
}

// The tangents from the tip of a cone to the unit circle.
struct ConeAt {
    unit: UnitAt,
    // The distances from the base, and from both sides.
    base: f32,
    sides: vec2f,
    // The normals of the sides on screen, and whether the base bounds the cone here.
    first: vec2f,
    second: vec2f,
    is_base: bool,
}

fn cone_at(in: Raster, p: vec2f) -> ConeAt {
    let unit = unit_at(in, p);
    let n = tip_normal(in.b.z);
    let m = vec2f(n.x, -n.y);
    let first = n * unit.unit_from_px;
    let second = m * unit.unit_from_px;
    let scale = vec2f(inverseSqrt(dot(first, first)), inverseSqrt(dot(second, second)));
    // Beside a base that is seen edge-on, its ends are nearer than the distance to the ellipse suggests.
    let aside = vec2f(0.0, 1.0);
    let base = max(px_distance(unit.radius - 1.0, unit.out, unit.unit_from_px),
        px_distance(abs(unit.q.y) - 1.0, aside, unit.unit_from_px));
    return ConeAt(
        unit,
        base,
        vec2f(dot(n, unit.q) - 1.0, dot(m, unit.q) - 1.0) * scale,
        first * scale.x,
        second * scale.y,
        in.b.z <= 1.0 || n.x * abs(unit.q.y) > n.y * unit.q.x,
    );
}

// The point of the base that the side of a cone runs to at a point of unit space, and the position from there to
// the tip, at this distance.
fn cone_side(q: vec2f, tip: f32, facing: vec2f) -> vec3f {
    // |q - s tip| = 1 - s
    let a = tip * tip - 1.0;
    let b = q.x * tip - 1.0;
    let c = dot(q, q) - 1.0;
    // s² a - 2 s b + c = 0
    let root = sqrt(max(b * b - a * c, 0.0));
    let divisor = select(a, select(-1.0e-4, 1.0e-4, a > 0.0), abs(a) < 1.0e-4);
    let s = clamp((vec2f(b, b) + vec2f(root, -root)) / divisor, vec2f(0.0), vec2f(0.999));
    // Times 1 - s.
    let first = vec2f(q.x - s.x * tip, q.y);
    let second = vec2f(q.x - s.y * tip, q.y);
    let is_first = dot(first, facing) * (1.0 - s.y) > dot(second, facing) * (1.0 - s.x);
    let u = select(second, first, is_first);
    return vec3f(u * inverseSqrt(max(dot(u, u), 1.0e-12)), select(s.y, s.x, is_first));
}

// The outermost edges of a cube along one direction.
struct PairOfEdges {
    // The distance of a pixel from the middle between them, and half of the distance between them.
    across: f32,
    half: f32,
    normal: vec2f,
}

// Returns the edges along `edge` whose ends are at `ends` across it.
fn pair_of_edges(edge: vec2f, ends: vec2f, p: vec2f) -> PairOfEdges {
    let squared = dot(edge, edge);
    let normal = vec2f(-edge.y, edge.x) * inverseSqrt(max(squared, 1.0e-12));
    // Edges that point at the viewer bound nothing.
    let half = select(0.5 * (ends.y - ends.x), 1.0e3, squared < 1.0e-6);
    return PairOfEdges(dot(normal, p) - 0.5 * (ends.x + ends.y), half, normal);
}

// The coordinates on the visible faces of a cube at a pixel: how far it is inside of the edges at the corner that
// is nearest to the viewer, along the other two edges.
struct CubeFaces {
    x: vec2f,
    y: vec2f,
    z: vec2f,
}

fn cube_faces(in: Raster, p: vec2f) -> CubeFaces {
    let x = in.a.zw;
    let y = in.b.xy;
    let z = in.b.zw;
    let r = in.a.xy - p;
    // r = α e + β f
    return CubeFaces(
        on_face(vec2f(cross_2(r, z), cross_2(y, r)), cross_2(y, z)),
        on_face(vec2f(cross_2(r, x), cross_2(z, r)), cross_2(z, x)),
        on_face(vec2f(cross_2(r, y), cross_2(x, r)), cross_2(x, y)),
    );
}

// The visible face of a cube at a pixel, as weights of the faces.
fn face_weights(faces: CubeFaces) -> vec3f {
    let inside = vec3f(min(faces.x.x, faces.x.y), min(faces.y.x, faces.y.y), min(faces.z.x, faces.z.y));
    let is_x = inside.x >= inside.y && inside.x >= inside.z;
    let is_y = !is_x && inside.y >= inside.z;
    return select(select(vec3f(0.0, 0.0, 1.0), vec3f(0.0, 1.0, 0.0), is_y), vec3f(1.0, 0.0, 0.0), is_x);
}

// The depth of a cube at a pixel, from that of the corner that is nearest to the viewer and its changes along the
// edges.
fn cube_depth(faces: CubeFaces, depth: vec4f) -> f32 {
    let along = vec3f(dot(faces.x, depth.zw), dot(faces.y, depth.wy), dot(faces.z, depth.yz));
    return depth.x - dot(face_weights(faces), along);
}

// The coordinates on a face, or negative ones if the face is seen edge-on.
fn on_face(scaled: vec2f, area: f32) -> vec2f {
    return select(scaled / area, vec2f(-1.0e3), abs(area) < 1.0e-3);
}

// The distances outside of the sides of a square.
fn square_distances(in: Raster, p: vec2f) -> vec4f {
    return vec4f(outside(in.a.xyz, p), outside(vec3f(in.a.w, in.b.xy), p), outside(vec3f(in.b.zw, in.c.x), p),
        outside(in.c.yzw, p));
}

// A linear function: its value at the origin, and its change per pixel.
fn triangle_plane(plane: vec3f, p: vec2f) -> f32 {
    return plane.x + dot(plane.yz, p);
}

// The texel of a shape at a pixel.
struct TexelAt {
    distance: f32,
    depth: f32,
}

fn texel_of(in: Raster, p: vec2f) -> TexelAt {
    switch in.kind_id.x {
        case LINE: {
            let at = stroke_at(in, p);
            return TexelAt(max(at.side, at.end), mix(in.d.z, in.d.w, at.t));
        }
        case ARC: {
            let at = stroke_at(in, p);
            return TexelAt(select(1.0, at.side, is_between_joints(in, p)), mix(in.d.z, in.d.w, at.t));
        }
        case CONE: {
            let at = cone_at(in, p);
            let distance = select(max(at.sides.x, at.sides.y), at.base, at.is_base);
            return TexelAt(distance, mix(in.d.y, in.d.z, cone_side(at.unit.q, in.b.z, vec2f(in.c.w, in.d.x)).z));
        }
        case CUBE: {
            let x = pair_of_edges(in.a.zw, in.c.xy, p);
            let y = pair_of_edges(in.b.xy, in.c.zw, p);
            let z = pair_of_edges(in.b.zw, in.d.xy, p);
            let distance = max(abs(x.across) - x.half, max(abs(y.across) - y.half, abs(z.across) - z.half));
            return TexelAt(distance, cube_depth(cube_faces(in, p), in.depth));
        }
        case SQUARE: {
            let distances = square_distances(in, p);
            let from_outline = max(max(distances.x, distances.y), max(distances.z, distances.w));
            let is_open = in.threshold_fill.z <= 0.0;
            let distance = select(from_outline, abs(from_outline), is_open) - in.d.x;
            return TexelAt(distance, in.d.y + dot(in.d.zw, p));
        }
        case DISC: {
            let at = unit_at(in, p);
            let distance = px_distance(at.radius - 1.0, at.out, at.unit_from_px);
            return TexelAt(distance, in.b.z + in.b.w * sqrt(max(1.0 - dot(at.q, at.q), 0.0)));
        }
        default: {
            let distances = triangle_distances(in, p);
            return TexelAt(
                max(distances.x, max(distances.y, distances.z)),
                triangle_plane(in.d.xyz, p),
            );
        }
    }
}

// One shader writes both layouts of the ID image (src/gpu/texel_layout.rs): an attachment takes as many components as
// it has, and location 1 may have none.
struct IdTexel {
    @location(0) id_and_depth_bits: vec4u,
    @location(1) depth_bits: u32,
}

fn id_texel(id: u32, depth: f32) -> IdTexel {
    let depth_bits = bitcast<u32>(depth);
    return IdTexel(vec4u(id, depth_bits, 0u, 0u), depth_bits);
}

@fragment
fn fs_id(in: Raster) -> IdTexel {
    let texel = texel_of(in, in.position_px.xy - in.anchor);
    if texel.distance > 0.0 {
        discard;
    }
    return id_texel(in.kind_id.y, texel.depth);
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
    let texel = texel_of(in, in.position_px.xy - in.anchor);
    if texel.distance > 0.0 {
        discard;
    }
    let threshold = clamp(in.threshold_fill.x * texel.depth + in.threshold_fill.y, 0.0, 1.0);
    let written = id_texel(in.kind_id.y, texel.depth);
    return HideableTexel(written.id_and_depth_bits, written.depth_bits, threshold);
}
