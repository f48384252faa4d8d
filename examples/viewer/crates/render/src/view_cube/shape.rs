//! Geometry of the view cube: the triangles of the sides that face the viewer. The cube is convex, so it
//! needs no depth buffer.

use bytemuck::{Pod, Zeroable};
use session::view_cube::Side;
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3};
use wgpu_gizmo::math::DepthDirection;
use wgpu_gizmo::{Theme, View};

/// A vertex that matches `VertexInput` in the shader.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable, Debug)]
pub(super) struct CubeVertex {
    /// Position in clip space with w = 1.
    pub(super) position: [f32; 3],
    /// Opaque color in the encoding of the render target.
    pub(super) color: [f32; 3],
    pub(super) id: u32,
}

/// Side length of the square that contains the cube, and its distance from the edges of the view, in
/// logical pixels.
const SIDE_LPX: f64 = 92.0;
const MARGIN_LPX: f64 = 10.0;
/// Maximum side length of the square as a fraction of the shorter side of the view, and its minimum in
/// physical pixels. A view that is too small for the minimum has no cube.
const MAX_FRACTION: f64 = 0.3;
const MIN_SIDE_PX: f64 = 24.0;
/// Half the width of a face relative to half the width of the cube. The rest is edges and corners.
const FACE: f64 = 0.7;
/// Half the side length of the square in units of half the cube's width: a little more than the distance
/// from the center to a drawn corner.
const EXTENT: f64 = 1.45;
/// Half the width of the strokes of a letter, and the heights of a letter without and with a minus sign.
const STROKE: f64 = 0.075;
const LETTER_HEIGHT: f64 = 0.72;
const SIGNED_LETTER_HEIGHT: f64 = 0.6;

/// The square of the cube in a view: its center in physical pixels of the render target, and half its
/// side length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CubeRect {
    pub(super) center_px: DVec2,
    pub(super) half_px: f64,
}

/// Returns the square of the cube in the top right corner of a view, or `None` if the view is too small.
pub(super) fn cube_rect(view: &View) -> Option<CubeRect> {
    let (viewport, scale) = (view.viewport(), view.scale_factor());
    let side = (SIDE_LPX * scale).min(MAX_FRACTION * viewport.width.min(viewport.height));
    let inset = 0.5 * side + MARGIN_LPX * scale * (side / (SIDE_LPX * scale));
    let center_px = DVec2::new(viewport.x + viewport.width - inset, viewport.y + inset).round();
    (side >= MIN_SIDE_PX).then_some(CubeRect { center_px, half_px: 0.5 * side })
}

/// The colors of the cube.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paint {
    pub(super) theme: Theme,
    pub(super) hovered: Option<Side>,
    /// Whether the render target converts linear colors to sRGB on writes.
    pub(super) to_srgb: bool,
}

/// Returns the corners of a side in the space of the cube, which extends from −1 to 1. They are in order
/// around the side, in either direction.
fn corners(side: Side) -> Vec<DVec3> {
    let along = DVec3::from(side.along().map(f64::from));
    let free: Vec<usize> = (0..3).filter(|axis| side.along()[*axis] == 0).collect();
    let taken: Vec<usize> = (0..3).filter(|axis| side.along()[*axis] != 0).collect();
    match (free.as_slice(), taken.as_slice()) {
        (&[a, b], _) => [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(u, v)| {
                let mut corner = along;
                (corner[a], corner[b]) = (u * FACE, v * FACE);
                corner
            })
            .to_vec(),
        (&[a], &[b, c]) => [(-1.0, b), (1.0, b), (1.0, c), (-1.0, c)]
            .map(|(u, inner)| {
                let mut corner = along;
                corner[a] = u * FACE;
                corner[inner] *= FACE;
                corner
            })
            .to_vec(),
        // A corner of the cube is a triangle with one corner on each of the three faces.
        _ => (0..3)
            .map(|face| DVec3::from_array([0, 1, 2].map(|i| along[i] * if i == face { 1.0 } else { FACE })))
            .collect(),
    }
}

/// Returns the right and up directions of the letter on a face, seen from outside.
fn reading(side: Side) -> [DVec3; 2] {
    match side.along() {
        [x, 0, 0] => [DVec3::NEG_Z * f64::from(x), DVec3::Y],
        [0, y, _] if y != 0 => [DVec3::X, DVec3::NEG_Z * f64::from(y)],
        [_, _, z] => [DVec3::X * f64::from(z), DVec3::Y],
    }
}

/// Returns the strokes of the letter X, Y or Z in a box from −0.5 to 0.5, y up.
fn letter(axis: usize) -> &'static [[[f64; 2]; 2]] {
    const X: [[[f64; 2]; 2]; 2] = [[[-0.36, -0.5], [0.36, 0.5]], [[-0.36, 0.5], [0.36, -0.5]]];
    const Y: [[[f64; 2]; 2]; 3] =
        [[[-0.38, 0.5], [0.0, 0.02]], [[0.38, 0.5], [0.0, 0.02]], [[0.0, 0.06], [0.0, -0.5]]];
    const Z: [[[f64; 2]; 2]; 3] =
        [[[-0.36, 0.45], [0.38, 0.45]], [[0.33, 0.45], [-0.33, -0.45]], [[-0.38, -0.45], [0.38, -0.45]]];
    [&X[..], &Y, &Z][axis]
}

/// Returns the axis of a face and the strokes of its label, in the right and up directions of the face.
fn label_strokes(side: Side) -> (usize, Vec<[DVec2; 2]>) {
    let axis = side.along().iter().position(|along| *along != 0).unwrap_or_default();
    let is_minus = side.along()[axis] < 0;
    let (height, offset) = if is_minus { (SIGNED_LETTER_HEIGHT, 0.2) } else { (LETTER_HEIGHT, 0.0) };
    let at = |point: [f64; 2]| DVec2::from(point) * height + DVec2::X * offset;
    let mut strokes: Vec<[DVec2; 2]> = letter(axis).iter().map(|stroke| stroke.map(at)).collect();
    if is_minus {
        strokes.push([DVec2::new(-0.46, 0.0), DVec2::new(-0.16, 0.0)]);
    }
    (axis, strokes)
}

/// Returns the color of the faces in negative directions.
fn body(theme: &Theme) -> [f32; 3] {
    if *theme == Theme::light() { [0.90, 0.91, 0.93] } else { [0.24, 0.26, 0.30] }
}

fn mixed(a: [f32; 3], b: [f32; 3], weight_of_b: f32) -> [f32; 3] {
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * weight_of_b)
}

fn rgb([r, g, b, _]: [f32; 4]) -> [f32; 3] {
    [r, g, b]
}

/// Returns the colors of a side and of its label, as sRGB values.
fn colors(side: Side, paint: &Paint) -> [[f32; 3]; 2] {
    let theme = &paint.theme;
    let is_light = *theme == Theme::light();
    let body = body(theme);
    let is_face = side.along().iter().filter(|along| **along != 0).count() == 1;
    let axis = side.along().iter().position(|along| *along != 0).unwrap_or_default();
    let axis_color = rgb(theme.axes[axis]);
    if paint.hovered == Some(side) {
        return [rgb(theme.hovered), [0.10, 0.10, 0.11]];
    }
    match (is_face, side.along()[axis] > 0) {
        // Darkens the axis colors a little, so that white is readable on all of them.
        (true, true) => [mixed(axis_color, [0.0; 3], if is_light { 0.05 } else { 0.28 }), [1.0; 3]],
        (true, false) => [body, mixed(axis_color, if is_light { [0.0; 3] } else { [1.0; 3] }, 0.25)],
        (false, _) => {
            let other = if is_light { [0.62, 0.64, 0.68] } else { [0.42, 0.45, 0.50] };
            [other, other]
        }
    }
}

fn linear(srgb: f32) -> f32 {
    if srgb <= 0.04045 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

/// Returns the triangles of all visible sides in drawing order. `id_of` returns the id of a side.
pub(super) fn triangles(
    view: &View,
    rect: CubeRect,
    clip_from_clip: &DMat4,
    paint: &Paint,
    id_of: impl Fn(Side) -> u32,
) -> Vec<CubeVertex> {
    let (right, up, forward) = (view.right(), view.up(), view.forward());
    let unit_px = rect.half_px / EXTENT;
    let near = match view.depth_direction() {
        DepthDirection::Standard => 0.0,
        DepthDirection::Reversed => 1.0,
    };
    let at = |point: DVec3| {
        let px = rect.center_px + DVec2::new(point.dot(right), -point.dot(up)) * unit_px;
        let clip = *clip_from_clip * view.ndc_from_px(px).extend(near).extend(1.0);
        [clip.x as f32, clip.y as f32, clip.z as f32]
    };
    let shown = |color: [f32; 3], light: f32| {
        color.map(|c| (c * light).min(1.0)).map(|c| if paint.to_srgb { linear(c) } else { c })
    };
    let mut vertices = Vec::new();
    for side in Side::all() {
        let outward = side.outward();
        // A side that is seen edge-on covers no pixels.
        if outward.dot(forward) > -1e-3 {
            continue;
        }
        // Light from above the left shoulder of the viewer.
        let light = 0.80 + 0.20 * outward.dot((up * 0.8 - forward * 0.5 - right * 0.33).normalize_or_zero());
        let [fill, label_color] = colors(side, paint);
        let mut polygon = |points: &[DVec3], color: [f32; 3], light: f32| {
            for i in 2..points.len() {
                for point in [points[0], points[i - 1], points[i]] {
                    let color = shown(color, light);
                    vertices.push(CubeVertex { position: at(point), color, id: id_of(side) });
                }
            }
        };
        polygon(&corners(side), fill, light as f32);
        if side.along().iter().filter(|along| **along != 0).count() > 1 {
            continue;
        }
        let [across, upward] = reading(side);
        let (_, strokes) = label_strokes(side);
        for [from, to] in strokes {
            let on = |p: DVec2| outward + across * p.x + upward * p.y;
            let along = (to - from).normalize_or_zero();
            let beside = along.perp() * STROKE;
            let ends = [from - beside, from + beside, to + beside, to - beside];
            polygon(&ends.map(on), label_color, 1.0);
        }
    }
    vertices
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu_gizmo::Viewport;
    use wgpu_gizmo::glam::dcamera::rh;

    fn view(eye: DVec3) -> View {
        let viewport = Viewport { x: 30.0, y: 20.0, width: 800.0, height: 600.0 };
        View::new(
            rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y),
            rh::proj::directx::perspective_infinite_reverse(0.7, 4.0 / 3.0, 0.1),
            viewport,
            1.5,
        )
        .expect("the view is valid")
    }

    #[test]
    fn sides_close_cube() {
        // The area vectors of a closed surface cancel; the divergence theorem gives the volume.
        let (mut sum, mut volume) = (DVec3::ZERO, 0.0);
        for side in Side::all() {
            let corners = corners(side);
            for i in 2..corners.len() {
                let [a, b, c] = [corners[0], corners[i - 1], corners[i]];
                let area = 0.5 * (b - a).cross(c - a);
                let area = area * area.dot(side.outward()).signum();
                assert!(area.normalize().abs_diff_eq(side.outward(), 1e-12), "{side:?} is flat");
                sum += area;
                volume += area.dot(a) / 3.0;
            }
        }
        assert!(sum.length() < 1e-12, "{sum}");
        // A cube of side length 2, minus twelve prisms along its edges and the pieces at its corners.
        let cut = 1.0 - FACE;
        let expected = 8.0 - 12.0 * (0.5 * cut * cut * 2.0 * FACE) - 8.0 * (cut.powi(3) * 5.0 / 6.0);
        assert!((volume - expected).abs() < 1e-12, "{volume} {expected}");
    }

    #[test]
    fn only_front_sides_are_drawn_inside_square() {
        let eye = DVec3::new(3.0, 2.0, 4.0);
        let view = view(eye);
        let rect = cube_rect(&view).expect("the view is large enough");
        let paint = Paint { theme: Theme::dark(), hovered: None, to_srgb: true };
        let vertices = triangles(&view, rect, &DMat4::IDENTITY, &paint, Side::index);
        let mut seen: Vec<u32> = vertices.iter().map(|vertex| vertex.id).collect();
        seen.dedup();
        let toward = Side::all().filter(|side| side.outward().dot(eye) > 0.0).map(Side::index);
        assert_eq!(seen, toward.collect::<Vec<_>>());
        for CubeVertex { position: [x, y, z], .. } in vertices {
            let px = view.px_from_ndc(DVec2::new(x.into(), y.into()));
            assert!((px - rect.center_px).abs().max_element() < rect.half_px, "{px}");
            assert!(view.viewport().contains(px) && z == 1.0);
        }
    }

    #[test]
    fn labels_read_from_outside_and_stay_on_face() {
        for side in Side::all().filter(|side| side.name().len() == 2) {
            let [across, up] = reading(side);
            assert!(across.cross(up).abs_diff_eq(side.outward(), 1e-12), "{}", side.name());
            let (_, strokes) = label_strokes(side);
            for point in strokes.into_iter().flatten() {
                assert!(point.abs().max_element() + STROKE < FACE, "{}: {point}", side.name());
            }
        }
    }

    #[test]
    fn small_view_has_no_cube() {
        let small = |width: u32, height: u32| {
            let viewport = Viewport::from_size(width, height);
            cube_rect(&View::from_clip_from_world(DMat4::IDENTITY, viewport, 2.0).expect("the view is valid"))
        };
        assert_eq!(small(60, 900), None);
        let rect = small(200, 900).expect("the view is large enough");
        assert!(rect.half_px <= 30.0 && rect.center_px.x + rect.half_px < 200.0, "{rect:?}");
    }
}
