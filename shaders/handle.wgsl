// The picture of handles and guides: triangles along the edges of shapes, whose fragments know their position along and
// beside their edge. All vertices have w = 1, so that everything interpolated is linear on screen;
// `@interpolate(linear)` would say so, but GLSL ES does not have it.

// `PatchVertex` in src/gpu/drawing/picture.rs.
struct EdgeCorner {
    @location(0) position: vec2f,
    // The position along the chord, from 0 to 1, and beside it in pixels.
    @location(1) uv: vec2f,
    // The factors on the brightness and on the opacity.
    @location(2) shade: vec2f,
    // Four times the sagitta, half of the width at the start of a stroke or -1, its change, and the smaller component
    // of the normal, relative to the larger one.
    @location(3) curve: vec4f,
    // The opacity of the halo; its width and half a pixel; how far inside of the outline the inner color
    // begins; the length of a stroke with ends, or 0.
    @location(4) rest: vec4f,
    @location(5) outer: vec4f,
    @location(6) inner: vec4f,
    // The depth of the view, of a ball at its outline; and its change to the front of the ball.
    @location(7) depth: vec2f,
    // The position from the outline of a ball, 0, to its middle, 1. Elsewhere 0.
    @location(8) inward: f32,
}

struct EdgeRaster {
    @builtin(position) position_px: vec4f,
    // The coordinates and the shade.
    @location(0) uv_shade: vec4f,
    // The last component is the inset of the inner color.
    @location(1) @interpolate(flat) curve: vec4f,
    // The halo and the length.
    @location(2) @interpolate(flat) rest: vec3f,
    // The color at the outline, premultiplied, and the change to the inner color.
    @location(3) @interpolate(flat) outer: vec4f,
    @location(4) @interpolate(flat) change: vec4f,
    // The constants of `box_coverage`.
    @location(5) @interpolate(flat) box: vec4f,
    @location(6) inward: f32,
}

// The constants of `box_coverage` for a unit normal: half of the width of the pixel along it, the width over which
// the edge leaves the pixel, and the factors on its square and on the rest.
fn box_of(normal: vec2f) -> vec4f {
    let n = abs(normal);
    let long = max(max(n.x, n.y), 1.0e-3);
    let short = max(min(n.x, n.y), 1.0e-3);
    return vec4f(0.5 * (long + short), short, 0.5 / (long * short), 1.0 / long);
}

// The part of a square pixel that lies on one side of a line, from the distance to the line.
fn box_coverage(distance: f32, box: vec4f) -> f32 {
    let rest = box.x - abs(distance);
    let corner = clamp(rest, 0.0, box.y);
    let outer = corner * corner * box.z + max(rest - box.y, 0.0) * box.w;
    return select(outer, 1.0 - outer, distance < 0.0);
}

@vertex
fn vs_handle(corner: EdgeCorner) -> EdgeRaster {
    return edge_raster(corner);
}

fn premultiplied(color: vec4f) -> vec4f {
    return vec4f(color.rgb * color.a, color.a);
}

fn edge_raster(corner: EdgeCorner) -> EdgeRaster {
    let outer = premultiplied(corner.outer);
    return EdgeRaster(
        vec4f(corner.position, 0.0, 1.0),
        vec4f(corner.uv, corner.shade),
        vec4f(corner.curve.xyz, corner.rest.z),
        corner.rest.xyw,
        outer,
        premultiplied(corner.inner) - outer,
        box_of(normalize(vec2f(1.0, corner.curve.w))),
        corner.inward,
    );
}

// The premultiplied, sRGB-encoded color of a fragment.
fn painted(in: EdgeRaster) -> vec4f {
    let t = in.uv_shade.x;
    // The pieces of an arc are so short that their slope does not matter.
    // Beside the edge, its parabola would bend into the shape.
    let on_edge = clamp(t, -0.5, 1.5);
    let off = in.uv_shade.y - in.curve.x * (on_edge - on_edge * on_edge);
    // A stroke has two sides.
    let side = select(abs(off) - (in.curve.y + in.curve.z * t), off, in.curve.y < 0.0);
    let length = in.rest.z;
    // Arcs, guides and the sides of other shapes have no ends.
    let end = select(-1.0e3, (abs(t - 0.5) - 0.5) * length, length > 0.0);
    let core = box_coverage(side, in.box) * saturate(0.5 - end);
    let beyond = max(side, end);
    let inner = min(core, saturate(0.5 - in.curve.w - beyond));
    let halo = in.rest.x * saturate(in.rest.y - beyond);
    let color = in.outer * core + in.change * inner;
    // From the outline of a ball to its middle, the brightness is a parabola: `ball_light` in draw/shape/mod.rs of the core.
    let light = in.uv_shade.z + 0.25 * max(in.inward, 0.0) * (1.0 - in.inward);
    return vec4f(color.rgb * light, color.a + halo * (1.0 - core)) * in.uv_shade.w;
}

@fragment
fn fs_handle(in: EdgeRaster) -> @location(0) vec4f {
    return stored(painted(in));
}
