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

// The distance from an outline beyond which a pixel is not covered.
const EDGE_PX: f32 = 0.6;

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
    return raster(shape, corner_of(shape, index));
}

fn raster(shape: Shape, p: vec2f) -> Raster {
    return Raster(
        clip_of(shape, p),
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

fn triangle_distances(in: Raster, p: vec2f) -> vec3f {
    return vec3f(outside(in.a.xyz, p), outside(vec3f(in.a.w, in.b.xy), p), outside(vec3f(in.b.zw, in.c.x), p));
}

// Whether the edges of a triangle are outer edges.
fn outer_edges(in: Raster) -> vec3<bool> {
    let bits = u32(in.d.w);
    return (vec3u(bits) & vec3u(1u, 2u, 4u)) != vec3u(0u);
}

// The appearance of a stroke, a disc or a triangle at a pixel.
struct Surface {
    // sRGB-encoded, not premultiplied, and the factor on it and on that of the rim.
    color: vec4f,
    light: f32,
    coverage: f32,
    // The distance from the outline.
    distance: f32,
    // The factor on the halo.
    halo: f32,
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

// The premultiplied, sRGB-encoded color of a shape at a pixel.
fn painted_shape(in: Raster, p: vec2f) -> vec4f {
    switch in.kind_id.x {
        case LINE, ARC: { return painted(in, stroke_surface(in, p)); }
        case CONE: { return painted_cone(cone_raster(in, p)); }
        case CUBE: { return painted_cube(cube_raster(in, p)); }
        case SQUARE: { return painted_square(square_raster(in, p)); }
        case DISC: { return painted(in, disc_surface(in, p)); }
        default: { return painted(in, triangle_surface(in, p)); }
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
    return painted_shape(in, pixel_of(in));
}

// For render targets that store linear values or encode them on write.
@fragment
fn fs_linear(in: Raster) -> @location(0) vec4f {
    return linear_from_encoded(painted_shape(in, pixel_of(in)));
}

// The width of the rim at this distance from the axis of a stem, whose rim ends where the stem is attached.
fn rim_at(width: f32, stem: f32, from_axis: f32) -> f32 {
    return width * saturate(from_axis - stem + width + 0.5);
}

// Returns the premultiplied color of a shape with a stem. `halo` is the opacity of the halo here.
fn painted_solid(color: vec4f, light: f32, coverage: f32, distance: f32, halo: f32, rim: vec4f) -> vec4f {
    let covered = color.a * coverage;
    return vec4f(rimmed(color.rgb, rim.rgb, coverage, rim.w, distance) * (light * covered),
        covered + halo * (1.0 - coverage));
}

// Arrow heads, at a corner of their rectangle or at a pixel.
struct ConeRaster {
    @builtin(position) position_px: vec4f,
    // The point in the space in which the base is the unit circle, and the distances from both sides.
    @location(0) @interpolate(linear) place: vec4f,
    @location(1) @interpolate(flat) unit_from_px: vec4f,
    // The constants of `box_coverage` for the sides, and for the line that touches the base opposite to the tip.
    @location(2) @interpolate(flat) first_box: vec4f,
    @location(3) @interpolate(flat) second_box: vec4f,
    @location(4) @interpolate(flat) end_box: vec4f,
    // The unit normals of the sides.
    @location(5) @interpolate(flat) normals: vec4f,
    // The cosines between these normals, and between each and that of the line opposite to the tip.
    @location(6) @interpolate(flat) cosines: vec3f,
    // Pixels per unit along the axis and across it, the distance of the tip, and half of the width of the stem.
    @location(7) @interpolate(flat) size: vec4f,
    // The cosines to the light: `Cone::side_lit` and `Cone::base_lit`.
    @location(8) @interpolate(flat) lit: vec4f,
    // The direction to the side that faces the viewer, and the depths of the base and the tip.
    @location(9) @interpolate(flat) facing_depths: vec4f,
    @location(10) @interpolate(flat) color: vec4f,
    @location(11) @interpolate(flat) rim: vec4f,
    // Its width plus half a pixel, and its opacity.
    @location(12) @interpolate(flat) halo: vec2f,
}

@vertex
fn vs_cone(shape: Shape, @builtin(vertex_index) index: u32) -> ConeRaster {
    let p = cone_corner(shape, index);
    return cone_raster(raster(shape, p), p);
}

// Returns a corner of the trapezoid between the sides of an arrow head, as far out as its halo, or of its rectangle
// if the tip points at the viewer.
fn cone_corner(shape: Shape, index: u32) -> vec2f {
    let tip = shape.data_b.z;
    if tip < 1.5 {
        return corner_of(shape, index);
    }
    let unit_from_px = mat2x2f(shape.data_a.zw, shape.data_b.xy);
    let n = tip_normal(tip);
    // The halo of a base that is seen edge-on is a little wider.
    let reach = shape.halo.x + 2.0 * EDGE_PX;
    let along = reach * length(vec2f(1.0, 0.0) * unit_from_px);
    // The distance of the moved sides from the center of the base.
    let side = 1.0 + reach * length(n * unit_from_px);
    // From the base, or its other end if that is farther, to where the moved sides meet, at most.
    let x = select(min(tip + along, side / n.x), -1.0 - along, index < 2u);
    let y = max(side - n.x * x, 0.0) / n.y * select(-1.0, 1.0, (index & 1u) == 1u);
    let area = determinant(unit_from_px);
    let px_from_unit =
        mat2x2f(unit_from_px[1].y, -unit_from_px[0].y, -unit_from_px[1].x, unit_from_px[0].x) * (1.0 / area);
    return shape.data_a.xy + px_from_unit * vec2f(x, y);
}

fn cone_raster(in: Raster, p: vec2f) -> ConeRaster {
    let at = cone_at(in, p);
    let m = at.unit.unit_from_px;
    let end_normal = normal_of(vec2f(-1.0, 0.0), m);
    return ConeRaster(
        in.position_px,
        vec4f(at.unit.q, at.sides),
        vec4f(m[0], m[1]),
        box_of(at.first),
        box_of(at.second),
        box_of(end_normal),
        vec4f(at.first, at.second),
        vec3f(dot(at.first, at.second), dot(at.first, end_normal), dot(at.second, end_normal)),
        vec4f(px_distance(1.0, vec2f(1.0, 0.0), m), px_distance(1.0, vec2f(0.0, 1.0), m), in.b.z, in.d.w),
        vec4f(in.b.w, in.c.xyz),
        vec4f(in.c.w, in.d.xyz),
        in.first_color,
        in.rim,
        vec2f(in.anchor_halo.z + 0.5, in.anchor_halo.w),
    );
}

// The unit normal on screen of a line or a circle with this normal in unit space.
fn normal_of(toward: vec2f, unit_from_px: mat2x2f) -> vec2f {
    let gradient = toward * unit_from_px;
    return gradient * inverseSqrt(max(dot(gradient, gradient), 1.0e-20));
}

fn painted_cone(in: ConeRaster) -> vec4f {
    let q = in.place.xy;
    let sides = in.place.zw;
    let tip = in.size.z;
    let m = mat2x2f(in.unit_from_px.xy, in.unit_from_px.zw);
    let radius = max(length(q), 1.0e-6);
    let base_normal = q / radius * m;
    let px_per_unit = inverseSqrt(max(dot(base_normal, base_normal), 1.0e-20));
    // Beside a base that is seen edge-on, its ends are nearer than the distance to the ellipse suggests.
    let base = max((radius - 1.0) * px_per_unit, (abs(q.y) - 1.0) * in.size.y);
    let base_coverage = coverage(base, base_normal * px_per_unit);
    let side_coverage = vec2f(box_coverage(sides.x, in.first_box), box_coverage(sides.y, in.second_box));
    let is_first_nearer = sides.x > sides.y;
    let between = in.cosines.x;

    // Past the base.
    let n = tip_normal(tip);
    let nearer_coverage = select(side_coverage.y, side_coverage.x, is_first_nearer);
    let side_normal = select(in.normals.zw, in.normals.xy, is_first_nearer);
    let at_base =
        both(base_coverage, nearer_coverage, dot(base_normal, side_normal) * px_per_unit);

    // Between the sides.
    var distance = max(sides.x, sides.y);
    // Beyond the tip, the distance is to the tip.
    let squared = dot(sides, sides) - 2.0 * between * sides.x * sides.y;
    let from_tip = sqrt(max(squared / max(1.0 - between * between, 1.0e-3), 0.0));
    distance = select(distance, from_tip, distance > 0.0 && min(sides.x, sides.y) > between * distance);
    // Inside of a cone whose base is seen edge-on, the base is near.
    let behind = q.x + sqrt(max(1.0 - q.y * q.y, 0.0));
    distance = select(distance, max(distance, min(-behind * in.size.x, 0.0)), distance < 0.0);
    let end_coverage = box_coverage((-1.0 - q.x) * in.size.x, in.end_box);
    let at_sides = both(both(side_coverage.x, side_coverage.y, between), end_coverage,
        select(in.cosines.z, in.cosines.y, is_first_nearer));

    let is_base = tip <= 1.0 || n.x * abs(q.y) > n.y * q.x;
    let covered = select(at_sides, select(base_coverage, at_base, tip > 1.0), is_base);
    distance = select(distance, base, is_base);

    let u = cone_side(q, tip, in.facing_depths.xy).xy;
    let is_side = in.lit.w > 1.5 || radius > 1.0;
    let lit = select(in.lit.w, in.lit.x + dot(in.lit.yz, u), is_side);
    let from_axis = abs(q.y) * in.size.y;
    // The halo must not cover the stem.
    let is_stem = q.x < 0.0 && from_axis < in.size.w;
    let halo = select(in.halo.y * saturate(in.halo.x - distance), 0.0, is_stem);
    // The rim of a base that is seen edge-on is beside its middle.
    let rim = rim_at(in.rim.w, abs(in.size.w), select(1.0e6, from_axis, q.x < 0.5 * tip));
    return painted_solid(in.color, brightness(lit), covered, distance, halo, vec4f(in.rim.rgb, rim));
}

@fragment
fn fs_cone_encoded(in: ConeRaster) -> @location(0) vec4f {
    return painted_cone(in);
}

@fragment
fn fs_cone_linear(in: ConeRaster) -> @location(0) vec4f {
    return linear_from_encoded(painted_cone(in));
}

// Cubes, at a corner of their rectangle or at a pixel.
struct CubeRaster {
    @builtin(position) position_px: vec4f,
    // The distances from the middles between the outermost edges along x, y and z.
    @location(0) @interpolate(linear) across: vec3f,
    // The coordinates on the faces (`CubeFaces`).
    @location(1) @interpolate(linear) face_xy: vec4f,
    // The position along the stem, which is attached where it is positive, and the distance from its axis.
    @location(2) @interpolate(linear) face_z_stem: vec4f,
    // Half of the distances between the outermost edges, and half of the width of the stem.
    @location(3) @interpolate(flat) halves: vec4f,
    // The constants of `box_coverage` for the edges along x, y and z.
    @location(4) @interpolate(flat) x_box: vec4f,
    @location(5) @interpolate(flat) y_box: vec4f,
    @location(6) @interpolate(flat) z_box: vec4f,
    // The cosines between the normals of x and y, y and z, z and x.
    @location(7) @interpolate(flat) cosines: vec3f,
    // The factors on the brightness of the faces.
    @location(8) @interpolate(flat) lights: vec3f,
    @location(9) @interpolate(flat) color: vec4f,
    @location(10) @interpolate(flat) rim: vec4f,
    // Its width plus half a pixel, and its opacity.
    @location(11) @interpolate(flat) halo: vec2f,
    @location(12) @interpolate(flat) depth: vec4f,
}

@vertex
fn vs_cube(shape: Shape, @builtin(vertex_index) index: u32) -> CubeRaster {
    let p = corner_of(shape, index);
    return cube_raster(raster(shape, p), p);
}

fn cube_raster(in: Raster, p: vec2f) -> CubeRaster {
    let x = pair_of_edges(in.a.zw, in.c.xy, p);
    let y = pair_of_edges(in.b.xy, in.c.zw, p);
    let z = pair_of_edges(in.b.zw, in.d.xy, p);
    let faces = cube_faces(in, p);
    let offset = p - (in.a.xy - in.a.zw - in.b.xy - in.b.zw);
    // The sign of the stem's width selects the side that the stem is attached to.
    let along = -dot(in.a.zw, offset) * in.d.w;
    let from_axis = cross_2(in.a.zw, offset) / max(length(in.a.zw), 1.0e-6);
    return CubeRaster(
        in.position_px,
        vec3f(x.across, y.across, z.across),
        vec4f(faces.x, faces.y),
        vec4f(faces.z, along, from_axis),
        vec4f(x.half, y.half, z.half, abs(in.d.w)),
        box_of(x.normal),
        box_of(y.normal),
        box_of(z.normal),
        vec3f(dot(x.normal, y.normal), dot(y.normal, z.normal), dot(z.normal, x.normal)),
        in.second_color.rgb,
        in.first_color,
        in.rim,
        vec2f(in.anchor_halo.z + 0.5, in.anchor_halo.w),
        in.depth,
    );
}

fn faces_of(in: CubeRaster) -> CubeFaces {
    return CubeFaces(in.face_xy.xy, in.face_xy.zw, in.face_z_stem.xy);
}

fn painted_cube(in: CubeRaster) -> vec4f {
    let distances = abs(in.across) - in.halves.xyz;
    let covered = vec3f(
        box_coverage(distances.x, in.x_box),
        box_coverage(distances.y, in.y_box),
        box_coverage(distances.z, in.z_box),
    );
    // The two pairs of edges that cross at the nearest corner. Their normals point outward.
    let cosines = in.cosines * sign(in.across * in.across.yzx);
    let xy = both(covered.x, covered.y, cosines.x);
    let yz = both(covered.y, covered.z, cosines.y);
    let zx = both(covered.z, covered.x, cosines.z);
    let light = dot(face_weights(faces_of(in)), in.lights);
    let distance = max(distances.x, max(distances.y, distances.z));
    let from_axis = select(1.0e6, abs(in.face_z_stem.w), in.face_z_stem.z > 0.0);
    let halo = select(0.0, in.halo.y * saturate(in.halo.x - distance), from_axis >= in.halves.w);
    let rim = rim_at(in.rim.w, in.halves.w, from_axis);
    return painted_solid(in.color, light, min(xy, min(yz, zx)), distance, halo, vec4f(in.rim.rgb, rim));
}

@fragment
fn fs_cube_encoded(in: CubeRaster) -> @location(0) vec4f {
    return painted_cube(in);
}

@fragment
fn fs_cube_linear(in: CubeRaster) -> @location(0) vec4f {
    return linear_from_encoded(painted_cube(in));
}

// Squares, at a corner of their rectangle or at a pixel.
struct SquareRaster {
    @builtin(position) position_px: vec4f,
    // The distances outside of the sides.
    @location(0) @interpolate(linear) distances: vec4f,
    // The constants of `box_coverage` for two neighboring sides; the other two are almost parallel to them.
    @location(1) @interpolate(flat) first_box: vec4f,
    @location(2) @interpolate(flat) second_box: vec4f,
    // The colors, premultiplied.
    @location(3) @interpolate(flat) fill: vec4f,
    @location(4) @interpolate(flat) border: vec4f,
    // The color of the border at its rim, premultiplied.
    @location(5) @interpolate(flat) rim: vec4f,
    // Half of the width of the border, the distance from its middle where the rim begins and half a pixel, and
    // the cosine between the normals of neighboring sides.
    @location(6) @interpolate(flat) size: vec3f,
    // Its width plus half a pixel, and its opacity.
    @location(7) @interpolate(flat) halo: vec2f,
    @location(8) @interpolate(linear) depth: f32,
}

@vertex
fn vs_square(shape: Shape, @builtin(vertex_index) index: u32) -> SquareRaster {
    let p = square_corner(shape, index);
    return square_raster(raster(shape, p), p);
}

// Returns a corner of a square that reaches as far as its halo, or of its rectangle if it is seen almost edge-on.
fn square_corner(shape: Shape, index: u32) -> vec2f {
    let reach = shape.data_d.x + shape.halo.x + EDGE_PX;
    let out = vec3f(0.0, 0.0, reach);
    let sides = array(
        shape.data_a.xyz + out,
        vec3f(shape.data_a.w, shape.data_b.xy) + out,
        vec3f(shape.data_b.zw, shape.data_c.x) + out,
        shape.data_c.yzw + out,
    );
    let areas = vec4f(
        cross_2(sides[0].xy, sides[1].xy),
        cross_2(sides[1].xy, sides[2].xy),
        cross_2(sides[2].xy, sides[3].xy),
        cross_2(sides[3].xy, sides[0].xy),
    );
    if any(abs(areas) < vec4f(0.2)) {
        return corner_of(shape, index);
    }
    // In the order of a strip.
    let i = array(0u, 1u, 3u, 2u)[index];
    let a = sides[i];
    let b = sides[(i + 1u) & 3u];
    return vec2f(a.z * b.y - a.y * b.z, a.x * b.z - a.z * b.x) / areas[i];
}

fn square_raster(in: Raster, p: vec2f) -> SquareRaster {
    let half_width = in.d.x;
    let rim_start = select(1.0e6, 0.5 - in.rim.w + half_width, in.rim.w > 0.0);
    return SquareRaster(
        in.position_px,
        square_distances(in, p),
        box_of(in.a.xy),
        box_of(vec2f(in.a.w, in.b.x)),
        premultiplied(in.first_color),
        premultiplied(in.second_color),
        premultiplied(vec4f(in.rim.rgb, in.second_color.a)),
        vec3f(half_width, rim_start, dot(in.a.xy, vec2f(in.a.w, in.b.x))),
        vec2f(in.anchor_halo.z + 0.5, in.anchor_halo.w),
        in.d.y + dot(in.d.zw, p),
    );
}

fn painted_square(in: SquareRaster) -> vec4f {
    let half_width = in.size.x;
    let nearer = max(in.distances.xy, in.distances.zw);
    let is_acute = (in.distances.x > in.distances.z) != (in.distances.y > in.distances.w);
    // It is wider than a pixel, so that one of two opposite sides crosses a pixel at most.
    let outer = both(box_coverage(nearer.x - half_width, in.first_box),
        box_coverage(nearer.y - half_width, in.second_box), select(in.size.z, -in.size.z, is_acute));
    let from_outline = max(nearer.x, nearer.y);
    let inner = saturate(0.5 - half_width - from_outline);
    let distance = select(from_outline, abs(from_outline), in.fill.a <= 0.0) - half_width;
    // The border has a rim on both sides.
    let core = saturate(in.size.y - abs(from_outline));
    let border = mix(in.rim, in.border, core);
    let halo = in.halo.y * saturate(in.halo.x - distance) * (1.0 - outer);
    return border * (outer - inner) + in.fill * inner + vec4f(0.0, 0.0, 0.0, halo);
}

@fragment
fn fs_square_encoded(in: SquareRaster) -> @location(0) vec4f {
    return painted_square(in);
}

@fragment
fn fs_square_linear(in: SquareRaster) -> @location(0) vec4f {
    return linear_from_encoded(painted_square(in));
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
