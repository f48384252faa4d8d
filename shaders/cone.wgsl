// Arrow heads: what is linear on screen is interpolated between the corners of a trapezoid around the head.

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

// An arrow head at a corner of its quad or at a pixel.
struct ConeRaster {
    @builtin(position) position_px: vec4f,
    // The distances from both sides.
    @location(0) sides: vec2f,
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
    // The pixel that positions are relative to, and the center of the base.
    @location(13) @interpolate(flat) anchor_center: vec4f,
}

@vertex
fn vs_cone(shape: Shape, @builtin(vertex_index) index: u32) -> ConeRaster {
    let p = cone_corner(shape, index);
    return cone_raster(raster(shape, p), p);
}

// Returns a corner of a trapezoid around an arrow head and its halo, or of its rectangle if the tip points at the
// viewer.
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
    // From beyond the base to beyond the tip, but not past the point where the moved sides meet.
    let x = select(min(tip + along, side / n.x), -1.0 - along, index < 2u);
    let y = max(side - n.x * x, 0.0) / n.y * select(-1.0, 1.0, (index & 1u) == 1u);
    return shape.data_a.xy + inverse_of(unit_from_px) * vec2f(x, y);
}

fn cone_raster(in: Raster, p: vec2f) -> ConeRaster {
    let at = cone_at(in, p);
    let m = at.unit.unit_from_px;
    let end_normal = normal_of(vec2f(-1.0, 0.0), m);
    return ConeRaster(
        in.position_px,
        at.sides,
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
        vec4f(in.anchor_halo.xy, in.a.xy),
    );
}

// The point in the space in which the base is the unit circle. It is not interpolated, because the distance from a
// base that is seen edge-on is sensitive to its rounding.
fn cone_unit(in: ConeRaster) -> vec2f {
    let m = mat2x2f(in.unit_from_px.xy, in.unit_from_px.zw);
    return m * (in.position_px.xy - in.anchor_center.xy - in.anchor_center.zw);
}

// The unit normal on screen of a line or a circle with this normal in unit space.
fn normal_of(toward: vec2f, unit_from_px: mat2x2f) -> vec2f {
    let gradient = toward * unit_from_px;
    return gradient * inverseSqrt(max(dot(gradient, gradient), 1.0e-20));
}

fn painted_cone(in: ConeRaster) -> vec4f {
    let q = cone_unit(in);
    let sides = in.sides;
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
    let at_base = both(base_coverage, nearer_coverage, dot(base_normal, side_normal) * px_per_unit);

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
