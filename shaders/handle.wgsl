// Handles, for the color attachment and for the ID image: one instance per shape. Coverage, halo and ids
// follow from the same distance to the outline, so the handles that are visible are the handles that can be
// picked. `Shape::distance` in src/draw/shape computes it for the CPU pick.

// `ShapeRecord` in src/gpu/instances.rs. The meaning of `data` depends on the kind: see the structs in
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
    @location(7) first_color: vec4f,
    @location(8) second_color: vec4f,
    // The width of the halo in pixels, its opacity, and the width of the rim.
    @location(9) halo: vec3f,
    @location(10) kind: u32,
    @location(11) id: u32,
    // The depth of the nearest corner of a cube, and its changes along the edges.
    @location(12) depth: vec4f,
    @location(13) rim_color: vec4f,
}

struct Raster {
    @builtin(position) position_px: vec4f,
    @location(0) @interpolate(flat) anchor_halo: vec4f,
    @location(1) @interpolate(flat) a: vec4f,
    @location(2) @interpolate(flat) b: vec4f,
    @location(3) @interpolate(flat) c: vec4f,
    @location(4) @interpolate(flat) d: vec4f,
    @location(5) @interpolate(flat) first_color: vec4f,
    @location(6) @interpolate(flat) second_color: vec4f,
    @location(7) @interpolate(flat) kind_id: vec2u,
    @location(8) @interpolate(flat) depth: vec4f,
    // The color of the rim, and its width in pixels.
    @location(9) @interpolate(flat) rim: vec4f,
}

const LINE: u32 = 0u;
const ARC: u32 = 1u;
const CONE: u32 = 2u;
const CUBE: u32 = 3u;
const SQUARE: u32 = 4u;
const DISC: u32 = 5u;
// All other shapes are triangles.

// Returns a corner of the rectangle around a shape, in pixels from the anchor.
fn corner_of(shape: Shape, index: u32) -> vec2f {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    return shape.scale_center.zw + corner.x * shape.halves.xy + corner.y * shape.halves.zw;
}

fn clip_of(shape: Shape, p: vec2f) -> vec4f {
    return vec4f(shape.anchor.zw + p * shape.scale_center.xy, 0.0, 1.0);
}

@vertex
fn vs_handle(shape: Shape, @builtin(vertex_index) index: u32) -> Raster {
    return Raster(
        clip_of(shape, corner_of(shape, index)),
        vec4f(shape.anchor.xy, shape.halo.xy),
        shape.data_a,
        shape.data_b,
        shape.data_c,
        shape.data_d,
        shape.first_color,
        shape.second_color,
        vec2u(shape.kind, shape.id),
        shape.depth,
        vec4f(shape.rim_color.rgb, shape.halo.z),
    );
}

fn cross_2(a: vec2f, b: vec2f) -> f32 {
    return a.x * b.y - a.y * b.x;
}

// The signed distance from a line.
fn outside(line: vec3f, p: vec2f) -> f32 {
    return dot(p, line.xy) - line.z;
}

// The part of a square pixel that lies on one side of a line, from the distance to the line and its unit
// normal.
fn coverage(distance: f32, normal: vec2f) -> f32 {
    return box_coverage(distance, box_of(normal));
}

// Constants of `box_coverage` for a unit normal: half of the width of the pixel along it, the width over which
// the edge leaves the pixel, and the factors on its square and on the rest.
fn box_of(normal: vec2f) -> vec4f {
    let n = abs(normal);
    let long = max(max(n.x, n.y), 1.0e-3);
    let short = max(min(n.x, n.y), 1.0e-3);
    return vec4f(0.5 * (long + short), short, 0.5 / (long * short), 1.0 / long);
}

fn box_coverage(distance: f32, box: vec4f) -> f32 {
    let rest = box.x - abs(distance);
    let corner = clamp(rest, 0.0, box.y);
    let outer = corner * corner * box.z + max(rest - box.y, 0.0) * box.w;
    return select(outer, 1.0 - outer, distance < 0.0);
}

// Coverage of a pixel that two edges cross, from the coverage by the inside of each and the cosine between
// their normals.
fn both(a: f32, b: f32, cosine: f32) -> f32 {
    let extreme = select(min(a, b), max(a + b - 1.0, 0.0), cosine < 0.0);
    return mix(a * b, extreme, min(abs(cosine), 1.0));
}

// The factor on the color of a surface with this cosine to the light: `brightness` in
// src/draw/shape/mod.rs.
fn brightness(lit: f32) -> f32 {
    return mix(0.68, 1.0, smoothstep(0.0, 0.95, lit));
}

// The brightness of a ball at a point of the unit disc: a parabola that is close to that of a surface, with
// the light slightly above and to the left of the viewer.
fn ball_light(q: vec2f, squared: f32) -> f32 {
    return 0.99 - 0.25 * squared - dot(q, vec2f(0.036, 0.08));
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
    let tip = max(in.b.z, 1.0);
    let n = vec2f(1.0 / tip, sqrt(1.0 - 1.0 / (tip * tip)));
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

// The point of the base that the side of a cone runs to at a pixel, and the position from there to the tip.
fn cone_side(in: Raster, q: vec2f) -> vec3f {
    // |q - s tip| = 1 - s
    let tip = in.b.z;
    let a = tip * tip - 1.0;
    let b = q.x * tip - 1.0;
    let c = dot(q, q) - 1.0;
    // s² a - 2 s b + c = 0
    let root = sqrt(max(b * b - a * c, 0.0));
    let divisor = select(a, select(-1.0e-4, 1.0e-4, a > 0.0), abs(a) < 1.0e-4);
    let s = clamp((vec2f(b, b) + vec2f(root, -root)) / divisor, vec2f(0.0), vec2f(0.999));
    let first = vec2f(q.x - s.x * tip, q.y) / (1.0 - s.x);
    let second = vec2f(q.x - s.y * tip, q.y) / (1.0 - s.y);
    let facing = vec2f(in.c.w, in.d.x);
    let is_first = dot(first, facing) > dot(second, facing);
    let u = select(second, first, is_first);
    return vec3f(u / max(length(u), 1.0e-6), select(s.y, s.x, is_first));
}

// A cube at a pixel.
struct CubeAt {
    // The distances outside of the pairs of edges along x, y and z.
    distances: vec3f,
    // The unit normal of each pair, and on which side of the middle between them the pixel is.
    x: vec3f,
    y: vec3f,
    z: vec3f,
}

// The distance outside of a pair of edges along `edge` whose ends are at `ends` across it, the normal, and the
// side of the pixel.
fn between_edges(edge: vec2f, ends: vec2f, p: vec2f) -> vec4f {
    let squared = dot(edge, edge);
    let normal = vec2f(-edge.y, edge.x) * inverseSqrt(max(squared, 1.0e-12));
    let across = dot(normal, p);
    let distance = max(across - ends.y, ends.x - across);
    let side = select(-1.0, 1.0, across > 0.5 * (ends.x + ends.y));
    // Edges that point at the viewer bound nothing.
    return vec4f(select(distance, -1.0e3, squared < 1.0e-6), normal, side);
}

fn cube_at(in: Raster, p: vec2f) -> CubeAt {
    let x = between_edges(in.a.zw, in.c.xy, p);
    let y = between_edges(in.b.xy, in.c.zw, p);
    let z = between_edges(in.b.zw, in.d.xy, p);
    return CubeAt(vec3f(x.x, y.x, z.x), x.yzw, y.yzw, z.yzw);
}

// The visible face of a cube at a pixel, as weights of the faces, and the position there as weights of the
// edges from the corner that is nearest to the viewer.
struct CubeFace {
    weights: vec3f,
    along: vec3f,
}

fn cube_face(in: Raster, p: vec2f) -> CubeFace {
    let x = in.a.zw;
    let y = in.b.xy;
    let z = in.b.zw;
    let r = in.a.xy - p;
    // Coordinates on each face: r = α e + β f.
    let face_z = on_face(vec2f(cross_2(r, y), cross_2(x, r)), cross_2(x, y));
    let face_x = on_face(vec2f(cross_2(r, z), cross_2(y, r)), cross_2(y, z));
    let face_y = on_face(vec2f(cross_2(r, x), cross_2(z, r)), cross_2(z, x));
    let inside = vec3f(min(face_x.x, face_x.y), min(face_y.x, face_y.y), min(face_z.x, face_z.y));
    if inside.x >= inside.y && inside.x >= inside.z {
        return CubeFace(vec3f(1.0, 0.0, 0.0), vec3f(0.0, face_x));
    }
    if inside.y >= inside.z {
        return CubeFace(vec3f(0.0, 1.0, 0.0), vec3f(face_y.y, 0.0, face_y.x));
    }
    return CubeFace(vec3f(0.0, 0.0, 1.0), vec3f(face_z, 0.0));
}

// The coordinates on a face, or negative ones if the face is seen edge-on.
fn on_face(scaled: vec2f, area: f32) -> vec2f {
    return select(scaled / area, vec2f(-1.0e3), abs(area) < 1.0e-3);
}

struct SquareAt {
    distances: vec4f,
    // The constants of `box_coverage` for two neighboring sides; the other two are almost parallel to them.
    first: vec4f,
    second: vec4f,
    // The cosine between neighboring normals.
    cosine: f32,
}

fn square_at(in: Raster, p: vec2f) -> SquareAt {
    let first = in.a.xyz;
    let second = vec3f(in.a.w, in.b.xy);
    let third = vec3f(in.b.zw, in.c.x);
    let fourth = in.c.yzw;
    return SquareAt(
        vec4f(outside(first, p), outside(second, p), outside(third, p), outside(fourth, p)),
        box_of(first.xy),
        box_of(second.xy),
        dot(first.xy, second.xy),
    );
}

// The coverage by a square that is widened by a length. It is wider than a pixel, so that one of two opposite
// sides crosses a pixel at most.
fn square_coverage(at: SquareAt, by: f32) -> f32 {
    let nearer = max(at.distances.xy, at.distances.zw) - by;
    let is_acute = (at.distances.x > at.distances.z) != (at.distances.y > at.distances.w);
    return both(box_coverage(nearer.x, at.first), box_coverage(nearer.y, at.second),
        select(at.cosine, -at.cosine, is_acute));
}

fn triangle_distances(in: Raster, p: vec2f) -> vec3f {
    return vec3f(outside(in.a.xyz, p), outside(vec3f(in.a.w, in.b.xy), p), outside(vec3f(in.b.zw, in.c.x), p));
}

// Whether the edges of a triangle are outer edges.
fn outer_edges(in: Raster) -> vec3<bool> {
    let bits = u32(in.d.w);
    return (vec3u(bits) & vec3u(1u, 2u, 4u)) != vec3u(0u);
}

// The appearance of a shape at a pixel.
struct Surface {
    // sRGB-encoded, not premultiplied, and the factor on it and on that of the rim.
    color: vec4f,
    light: f32,
    coverage: f32,
    // The distance from the outline.
    distance: f32,
    // 0 where a stem is attached, which the halo must not cover.
    halo: f32,
    // The width of the rim, which is not where a stem is attached either.
    rim: f32,
}

// The sides of a stroke without the slope of its pieces, which are short: the same as `painted_stroke`.
fn stroke_surface(in: Raster, p: vec2f) -> Surface {
    let offset = p - in.a.xy;
    let length = in.b.x;
    let x = dot(offset, in.a.zw);
    let t = x / length;
    let half_widths = in.b.zw;
    // A stroke that is thinner than a pixel is a transparent one of a pixel.
    let opacity = vec2f(in.first_color.a, in.second_color.a) * min(2.0 * half_widths, vec2f(1.0));
    let half_width = mix(max(half_widths.x, 0.5), max(half_widths.y, 0.5), t);
    let side = abs(cross_2(in.a.zw, offset) - 4.0 * in.b.y * (t - t * t)) - half_width;
    let end = max(-x, x - length);
    // Only the light changes.
    let sums = vec2f(dot(in.first_color.rgb, vec3f(1.0)), dot(in.second_color.rgb, vec3f(1.0)));
    let light = mix(1.0, select(1.0, sums.y / sums.x, sums.x > 1.0e-3), t);
    let color = vec4f(in.first_color.rgb, mix(opacity.x, opacity.y, t));
    // The halo fades like the color.
    let halo = 2.0 * color.a / max(in.first_color.a + in.second_color.a, 1.0e-3);
    if in.kind_id.x == LINE {
        return Surface(color, light, coverage(side, in.a.zw) * saturate(0.5 - end), max(side, end), halo,
            in.rim.w);
    }
    return Surface(color, light, coverage(side, in.a.zw), select(1.0e6, side, is_between_joints(in, p)), halo,
        in.rim.w);
}

fn cone_surface(in: Raster, p: vec2f) -> Surface {
    let at = cone_at(in, p);
    let sides = vec2f(coverage(at.sides.x, at.first), coverage(at.sides.y, at.second));
    let between = dot(at.first, at.second);
    var distance = at.base;
    let base_normal = normal_of(at.unit.out, at.unit.unit_from_px);
    let is_first_nearer = at.sides.x > at.sides.y;
    let side_normal = select(at.second, at.first, is_first_nearer);
    var covered = coverage(at.base, base_normal);
    if at.is_base {
        if in.b.z > 1.0 {
            covered = both(covered, select(sides.y, sides.x, is_first_nearer), dot(base_normal, side_normal));
        }
    } else {
        distance = max(at.sides.x, at.sides.y);
        // Beyond the tip, the distance is to the tip.
        if distance > 0.0 && min(at.sides.x, at.sides.y) > between * distance {
            let squared = dot(at.sides, at.sides) - 2.0 * between * at.sides.x * at.sides.y;
            distance = sqrt(max(squared / max(1.0 - between * between, 1.0e-3), 0.0));
        }
        // The line that touches the base opposite to the tip.
        let end_normal = normal_of(vec2f(-1.0, 0.0), at.unit.unit_from_px);
        let past_end = px_distance(-1.0 - at.unit.q.x, vec2f(1.0, 0.0), at.unit.unit_from_px);
        let end = coverage(past_end, end_normal);
        covered = both(both(sides.x, sides.y, between), end, dot(side_normal, end_normal));
        // Inside of a cone whose base is seen edge-on, the base is near.
        let behind = at.unit.q.x + sqrt(max(1.0 - at.unit.q.y * at.unit.q.y, 0.0));
        if distance < 0.0 {
            distance = max(distance, min(px_distance(-behind, vec2f(1.0, 0.0), at.unit.unit_from_px), 0.0));
        }
    }
    var lit = in.c.z;
    if lit > 1.5 || at.unit.radius > 1.0 {
        let u = cone_side(in, at.unit.q).xy;
        lit = in.b.w + dot(in.c.xy, u);
    }
    // How far the pixel is from the axis.
    let aside = vec2f(0.0, 1.0) * at.unit.unit_from_px;
    let from_axis = abs(at.unit.q.y) * inverseSqrt(dot(aside, aside));
    let is_stem = at.unit.q.x < 0.0 && from_axis < in.d.w;
    // The rim of a base that is seen edge-on is beside its middle.
    let from_stem = select(1.0e6, from_axis, at.unit.q.x < 0.5 * in.b.z);
    return Surface(in.first_color, brightness(lit), covered, distance, f32(!is_stem), rim_at(in, from_stem));
}

// The width of the rim at this distance from the axis of a stem, whose rim ends where the stem is attached.
fn rim_at(in: Raster, from_axis: f32) -> f32 {
    return in.rim.w * saturate(from_axis - abs(in.d.w) + in.rim.w + 0.5);
}

// The unit normal on screen of a line or a circle with this normal in unit space.
fn normal_of(toward: vec2f, unit_from_px: mat2x2f) -> vec2f {
    let gradient = toward * unit_from_px;
    return gradient * inverseSqrt(max(dot(gradient, gradient), 1.0e-20));
}

fn cube_surface(in: Raster, p: vec2f) -> Surface {
    let at = cube_at(in, p);
    let covered = vec3f(
        coverage(at.distances.x, at.x.xy),
        coverage(at.distances.y, at.y.xy),
        coverage(at.distances.z, at.z.xy),
    );
    // The two pairs of edges that cross at the nearest corner.
    let xy = both(covered.x, covered.y, at.x.z * at.y.z * dot(at.x.xy, at.y.xy));
    let yz = both(covered.y, covered.z, at.y.z * at.z.z * dot(at.y.xy, at.z.xy));
    let zx = both(covered.z, covered.x, at.z.z * at.x.z * dot(at.z.xy, at.x.xy));
    let face = cube_face(in, p);
    let light = dot(face.weights, in.second_color.rgb);
    let center = in.a.xy - in.a.zw - in.b.xy - in.b.zw;
    let offset = p - center;
    // The sign of the stem's width selects the side that the stem is attached to.
    let is_behind = dot(in.a.zw, offset) * in.d.w < 0.0;
    let from_axis = select(1.0e6, abs(cross_2(in.a.zw, offset)) / max(length(in.a.zw), 1.0e-6), is_behind);
    return Surface(in.first_color, light, min(xy, min(yz, zx)),
        max(at.distances.x, max(at.distances.y, at.distances.z)), f32(from_axis >= abs(in.d.w)),
        rim_at(in, from_axis));
}

fn square_surface(in: Raster, p: vec2f) -> Surface {
    let at = square_at(in, p);
    let half_width = in.d.x;
    let outer = square_coverage(at, half_width);
    let from_outline = max(max(at.distances.x, at.distances.y), max(at.distances.z, at.distances.w));
    let inner = saturate(0.5 - half_width - from_outline);
    let distance = select(
        from_outline - half_width,
        abs(from_outline) - half_width,
        in.first_color.a <= 0.0,
    );
    let border = in.second_color.a * (outer - inner);
    let fill = in.first_color.a * inner;
    let opacity = border + fill;
    // The border has a rim on both sides.
    let core = saturate(0.5 - in.rim.w + half_width - abs(from_outline));
    let rim = select(0.0, 1.0 - core, in.rim.w > 0.0);
    let border_color = mix(in.second_color.rgb, in.rim.rgb, rim);
    let color = (border_color * border + in.first_color.rgb * fill) / max(opacity, 1.0e-6);
    return Surface(vec4f(color, opacity / max(outer, 1.0e-6)), 1.0, outer, distance, 1.0, 0.0);
}

fn disc_surface(in: Raster, p: vec2f) -> Surface {
    let unit_from_px = mat2x2f(in.a.zw, in.b.xy);
    let q = unit_from_px * (p - in.a.xy);
    let squared = dot(q, q);
    let radius = inverseSqrt(abs(determinant(unit_from_px)));
    let distance = disc_distance(squared, 0.5 * radius);
    return Surface(in.first_color, ball_light(q, squared), disc_coverage(distance, q, squared), distance, 1.0,
        in.rim.w);
}

// The distance from the rim of a disc with half of this radius. The disc is almost a circle, and r² - 1 is
// almost 2 (r - 1) near its rim.
fn disc_distance(squared: f32, half_radius: f32) -> f32 {
    return (squared - 1.0) * half_radius;
}

// The coverage of a pixel by a disc, at a point of the unit disc.
fn disc_coverage(distance: f32, q: vec2f, squared: f32) -> f32 {
    return coverage(distance, q * inverseSqrt(max(squared, 1.0e-6)));
}

fn triangle_surface(in: Raster, p: vec2f) -> Surface {
    let distances = triangle_distances(in, p);
    let outer = outer_edges(in);
    let soft = vec3f(
        coverage(distances.x, in.a.xy),
        coverage(distances.y, vec2f(in.a.w, in.b.x)),
        coverage(distances.z, in.b.zw),
    );
    let inside = select(vec3f(step(distances, vec3f(0.0))), soft, outer);
    let from_outer = select(vec3f(-1.0e3), distances, outer);
    let distance = max(from_outer.x, max(from_outer.y, from_outer.z));
    let is_inside = all(outer | (distances <= vec3f(0.0)));
    let light = brightness(triangle_plane(vec3f(in.c.y, in.c.zw), p));
    return Surface(in.first_color, light, inside.x * inside.y * inside.z,
        select(1.0e6, distance, is_inside), 1.0, 0.0);
}

fn surface_of(in: Raster, p: vec2f) -> Surface {
    switch in.kind_id.x {
        case LINE, ARC: { return stroke_surface(in, p); }
        case CONE: { return cone_surface(in, p); }
        case CUBE: { return cube_surface(in, p); }
        case SQUARE: { return square_surface(in, p); }
        case DISC: { return disc_surface(in, p); }
        default: { return triangle_surface(in, p); }
    }
}

// A linear function: its value at the origin, and its change per pixel.
fn triangle_plane(plane: vec3f, p: vec2f) -> f32 {
    return plane.x + dot(plane.yz, p);
}

// The color of a pixel that is covered by the inside of a shape and by its rim.
fn rimmed(inside: vec3f, rim: vec3f, coverage: f32, width: f32, distance: f32) -> vec3f {
    let inner = min(coverage, saturate(0.5 - width - distance));
    return mix(rim, inside, select(1.0, inner / max(coverage, 1.0e-6), width > 0.0));
}

// Returns the premultiplied, sRGB-encoded color.
fn painted(in: Raster, surface: Surface) -> vec4f {
    let is_shape = surface.distance < 1.0e5;
    let covered = select(0.0, surface.color.a * surface.coverage, is_shape);
    let halo = surface.halo * in.anchor_halo.w * saturate(in.anchor_halo.z + 0.5 - surface.distance);
    let color = rimmed(surface.color.rgb, in.rim.rgb, surface.coverage, surface.rim, surface.distance);
    return vec4f(color * (surface.light * covered), covered + halo * (1.0 - surface.coverage));
}

// The pixel that a fragment is at, relative to the anchor.
fn pixel_of(in: Raster) -> vec2f {
    return in.position_px.xy - in.anchor_halo.xy;
}

// For render targets that store sRGB-encoded values. One entry point draws every kind of shape; those for
// one kind are faster where a branch costs as much as all of its sides.
@fragment
fn fs_encoded(in: Raster) -> @location(0) vec4f {
    return painted(in, surface_of(in, pixel_of(in)));
}

@fragment
fn fs_cone_encoded(in: Raster) -> @location(0) vec4f {
    return painted(in, cone_surface(in, pixel_of(in)));
}

@fragment
fn fs_cube_encoded(in: Raster) -> @location(0) vec4f {
    return painted(in, cube_surface(in, pixel_of(in)));
}

@fragment
fn fs_square_encoded(in: Raster) -> @location(0) vec4f {
    return painted(in, square_surface(in, pixel_of(in)));
}

// For render targets that store linear values or encode them on write.
@fragment
fn fs_linear(in: Raster) -> @location(0) vec4f {
    return linear_from_encoded(painted(in, surface_of(in, pixel_of(in))));
}

@fragment
fn fs_cone_linear(in: Raster) -> @location(0) vec4f {
    return linear_from_encoded(painted(in, cone_surface(in, pixel_of(in))));
}

@fragment
fn fs_cube_linear(in: Raster) -> @location(0) vec4f {
    return linear_from_encoded(painted(in, cube_surface(in, pixel_of(in))));
}

@fragment
fn fs_square_linear(in: Raster) -> @location(0) vec4f {
    return linear_from_encoded(painted(in, square_surface(in, pixel_of(in))));
}

// Strokes, for the color attachment: the same as `surface_of`, with as few numbers per fragment as possible,
// because most shapes are strokes.

// `StrokeVertex` in src/gpu/strokes.rs.
struct StrokeCorner {
    @location(0) position: vec2f,
    // The position along the chord, from 0 to 1, and beside it in pixels.
    @location(1) place: vec2f,
    // The factors on the brightness and on the opacity.
    @location(2) shade: vec2f,
    // Four times the sagitta, half of the width at the start, its change, and the smaller component of the
    // normal, relative to the larger one.
    @location(3) curve: vec4f,
    // The opacity of the halo; its width and half a pixel; how far inside of the outline the inner color
    // begins; the length of a stroke with ends, or 0.
    @location(4) rest: vec4f,
    @location(5) outer: vec4f,
    @location(6) inner: vec4f,
    // The depth of the view.
    @location(7) depth: f32,
}

struct StrokeRaster {
    @builtin(position) position_px: vec4f,
    // Place and shade.
    @location(0) @interpolate(linear) place: vec4f,
    // The last component is the inset of the inner color.
    @location(1) @interpolate(flat) curve: vec4f,
    // The halo and the length.
    @location(2) @interpolate(flat) rest: vec3f,
    // The color at the outline, premultiplied, and the change to the inner color.
    @location(3) @interpolate(flat) outer: vec4f,
    @location(4) @interpolate(flat) change: vec4f,
    // The constants of `box_coverage`.
    @location(5) @interpolate(flat) box: vec4f,
}

@vertex
fn vs_stroke(corner: StrokeCorner) -> StrokeRaster {
    return stroke_raster(corner);
}

fn premultiplied(color: vec4f) -> vec4f {
    return vec4f(color.rgb * color.a, color.a);
}

fn stroke_raster(corner: StrokeCorner) -> StrokeRaster {
    let outer = premultiplied(corner.outer);
    return StrokeRaster(
        vec4f(corner.position, 0.0, 1.0),
        vec4f(corner.place, corner.shade),
        vec4f(corner.curve.xyz, corner.rest.z),
        corner.rest.xyw,
        outer,
        premultiplied(corner.inner) - outer,
        box_of(normalize(vec2f(1.0, corner.curve.w))),
    );
}

fn painted_stroke(in: StrokeRaster) -> vec4f {
    let t = in.place.x;
    // The pieces of an arc are so short that their slope does not matter.
    let side = abs(in.place.y - in.curve.x * (t - t * t)) - (in.curve.y + in.curve.z * t);
    let length = in.rest.z;
    // Arcs, guides and the sides of other shapes have no ends.
    let end = select(-1.0e3, (abs(t - 0.5) - 0.5) * length, length > 0.0);
    let core = box_coverage(side, in.box) * saturate(0.5 - end);
    let beyond = max(side, end);
    let inner = min(core, saturate(0.5 - in.curve.w - beyond));
    let halo = in.rest.x * saturate(in.rest.y - beyond);
    let color = in.outer * core + in.change * inner;
    return vec4f(color.rgb * in.place.z, color.a + halo * (1.0 - core)) * in.place.w;
}

@fragment
fn fs_stroke_encoded(in: StrokeRaster) -> @location(0) vec4f {
    return painted_stroke(in);
}

@fragment
fn fs_stroke_linear(in: StrokeRaster) -> @location(0) vec4f {
    return linear_from_encoded(painted_stroke(in));
}

// Discs, for the color attachment: the same as `surface_of`, inside of an octagon.
struct DiscRaster {
    @builtin(position) position_px: vec4f,
    // The point in the space in which the disc is the unit disc.
    @location(0) @interpolate(linear) q: vec2f,
    @location(1) @interpolate(flat) color: vec4f,
    // Half of the radius in pixels, the opacity of the halo, and its width plus half a pixel.
    @location(2) @interpolate(flat) radius_halo: vec3f,
    // The color of the rim, and its width in pixels.
    @location(3) @interpolate(flat) rim: vec4f,
}

// The tangent of an eighth of a half turn.
const OCTAGON: f32 = 0.41421356;
// The distance from an outline beyond which a pixel is not covered.
const EDGE_PX: f32 = 0.6;

@vertex
fn vs_disc(shape: Shape, @builtin(vertex_index) index: u32) -> DiscRaster {
    return disc_raster(shape, index);
}

fn disc_raster(shape: Shape, index: u32) -> DiscRaster {
    let unit_from_px = mat2x2f(shape.data_a.zw, shape.data_b.xy);
    let area = determinant(unit_from_px);
    let radius = inverseSqrt(abs(area));
    // From left to right, two corners each.
    let x = array(-1.0, -OCTAGON, OCTAGON, 1.0)[index >> 1u];
    let y = select(1.0, OCTAGON, abs(x) > OCTAGON) * select(-1.0, 1.0, (index & 1u) == 1u);
    let q = vec2f(x, y) * (1.0 + (shape.halo.x + EDGE_PX) / radius);
    let px_from_unit =
        mat2x2f(unit_from_px[1].y, -unit_from_px[0].y, -unit_from_px[1].x, unit_from_px[0].x) * (1.0 / area);
    let halo = vec2f(shape.halo.y, shape.halo.x + 0.5);
    return DiscRaster(
        clip_of(shape, shape.data_a.xy + px_from_unit * q),
        q,
        shape.first_color,
        vec3f(0.5 * radius, halo),
        vec4f(shape.rim_color.rgb, shape.halo.z),
    );
}

fn painted_disc(in: DiscRaster) -> vec4f {
    let squared = dot(in.q, in.q);
    let distance = disc_distance(squared, in.radius_halo.x);
    let core = disc_coverage(distance, in.q, squared);
    let covered = core * in.color.a;
    let halo = in.radius_halo.y * saturate(in.radius_halo.z - distance);
    let color = rimmed(in.color.rgb, in.rim.rgb, core, in.rim.w, distance);
    return vec4f(color * (ball_light(in.q, squared) * covered), covered + halo * (1.0 - core));
}

@fragment
fn fs_disc_encoded(in: DiscRaster) -> @location(0) vec4f {
    return painted_disc(in);
}

@fragment
fn fs_disc_linear(in: DiscRaster) -> @location(0) vec4f {
    return linear_from_encoded(painted_disc(in));
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
            return TexelAt(distance, mix(in.d.y, in.d.z, cone_side(in, at.unit.q).z));
        }
        case CUBE: {
            let distances = cube_at(in, p).distances;
            let depth = in.depth.x - dot(cube_face(in, p).along, in.depth.yzw);
            return TexelAt(max(distances.x, max(distances.y, distances.z)), depth);
        }
        case SQUARE: {
            let at = square_at(in, p);
            let from_outline = max(max(at.distances.x, at.distances.y), max(at.distances.z, at.distances.w));
            let is_open = in.first_color.a <= 0.0;
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
    let texel = texel_of(in, in.position_px.xy - in.anchor_halo.xy);
    if texel.distance > 0.0 {
        discard;
    }
    return id_texel(in.kind_id.y, texel.depth);
}
