// Strokes. In the color attachment they are triangles of their own, with as few numbers per fragment as possible,
// because most shapes are strokes.

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
    @location(0) place: vec4f,
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
