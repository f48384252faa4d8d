// Squares with a border and a fill: the distances from their sides are interpolated.

// The distances outside of the sides of a square.
fn square_distances(in: Raster, p: vec2f) -> vec4f {
    return vec4f(outside(in.a.xyz, p), outside(vec3f(in.a.w, in.b.xy), p), outside(vec3f(in.b.zw, in.c.x), p),
        outside(in.c.yzw, p));
}

// A square at a corner of its quad or at a pixel.
struct SquareRaster {
    @builtin(position) position_px: vec4f,
    // The distances outside of the sides.
    @location(0) distances: vec4f,
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
    @location(8) depth: f32,
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
