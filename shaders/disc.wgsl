// Discs: in the color attachment they are octagons, whose fragments know their point of the unit disc.

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

struct DiscRaster {
    @builtin(position) position_px: vec4f,
    // The point in the space in which the disc is the unit disc.
    @location(0) q: vec2f,
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
    let radius = inverseSqrt(abs(determinant(unit_from_px)));
    // From left to right, two corners each.
    let x = array(-1.0, -OCTAGON, OCTAGON, 1.0)[index >> 1u];
    let y = select(1.0, OCTAGON, abs(x) > OCTAGON) * select(-1.0, 1.0, (index & 1u) == 1u);
    let q = vec2f(x, y) * (1.0 + (shape.halo.x + EDGE_PX) / radius);
    let halo = vec2f(shape.halo.y, shape.halo.x + 0.5);
    return DiscRaster(
        clip_of(shape, shape.data_a.xy + inverse_of(unit_from_px) * q),
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
