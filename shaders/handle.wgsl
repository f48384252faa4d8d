// Handles, for the color attachment and for the ID image: one instance per shape. Coverage, halo and ids
// follow from the same distance to the outline, so the handles that are visible are the handles that can be
// picked. `Shape::distance` in src/draw/shape computes it for the CPU pick. Cones, cubes, squares, strokes and discs
// have files of their own, which are appended to this one. All vertices have w = 1, so that everything interpolated is
// linear on screen; `@interpolate(linear)` would say so, but GLSL ES does not have it.

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

fn inverse_of(m: mat2x2f) -> mat2x2f {
    return mat2x2f(m[1].y, -m[0].y, -m[1].x, m[0].x) * (1.0 / determinant(m));
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
    // The factor on the halo, and the width of the rim.
    halo: f32,
    rim: f32,
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
