//! The picture of the navigation cube: the sides that face the viewer, as parts of a draw list.

use std::sync::OnceLock;
use wgpu_gizmo_core::DrawList;
use wgpu_gizmo_core::draw::parts::{ScreenMesh, ScreenPlacement, letter_strokes};
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::{Axis, BoxGrip, HandleMesh, Rgba, Theme, Vertex};
use wgpu_gizmo_core::math::{Rect, View};
use wgpu_gizmo_core::pick::IdRange;

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
/// The cosine to the viewer below which a side covers no pixels.
const EDGE_ON: f64 = 1e-3;

/// The square of the cube in a view: its center in physical pixels of the render target, and half its
/// side length.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CubeSquare {
    center_px: DVec2,
    half_px: f64,
}

impl CubeSquare {
    /// Returns the square in the top right corner of a view, or `None` if the view is too small.
    fn of(view: &View) -> Option<Self> {
        let (viewport, scale) = (view.viewport(), view.scale_factor());
        let side = (SIDE_LPX * scale).min(MAX_FRACTION * viewport.width.min(viewport.height));
        let inset = 0.5 * side + MARGIN_LPX * scale * (side / (SIDE_LPX * scale));
        let center_px = DVec2::new(viewport.x + viewport.width - inset, viewport.y + inset).round();
        (side >= MIN_SIDE_PX && center_px.is_finite()).then_some(Self { center_px, half_px: 0.5 * side })
    }

    fn rect(&self) -> Rect {
        Rect { min: self.center_px - self.half_px, max: self.center_px + self.half_px }
    }
}

/// The meshes of the cube, which extends from -1 to 1 in each direction.
struct Meshes {
    /// All sides, without gaps.
    body: HandleMesh,
    /// In the order of [`BoxGrip::ALL`].
    sides: Vec<HandleMesh>,
    /// The letters on the faces, which come first among the sides.
    labels: Vec<HandleMesh>,
}

impl Meshes {
    /// Returns the meshes, which all cubes share.
    fn shared() -> Option<&'static Self> {
        static MESHES: OnceLock<Option<Meshes>> = OnceLock::new();
        MESHES.get_or_init(Self::new).as_ref()
    }

    fn new() -> Option<Self> {
        let of = |polygons: &mut dyn Iterator<Item = Vec<DVec3>>| {
            let (mut vertices, mut indices) = (Vec::new(), Vec::new());
            for polygon in polygons {
                let first = vertices.len() as u16;
                let flat = |point: &DVec3| Vertex {
                    position: point.as_vec3().to_array(),
                    weight: 0.0,
                    normal: [0.0, 0.0, 1.0],
                    lit: 0.0,
                };
                vertices.extend(polygon.iter().map(flat));
                (2..polygon.len() as u16).for_each(|i| indices.extend([first, first + i - 1, first + i]));
            }
            HandleMesh::new(vertices, indices).ok()
        };
        let faces = || BoxGrip::ALL.into_iter().filter(|side| side.axes().count() == 1);
        Some(Self {
            body: of(&mut BoxGrip::ALL.into_iter().map(corners))?,
            sides: BoxGrip::ALL
                .into_iter()
                .map(|side| of(&mut [corners(side)].into_iter()))
                .collect::<Option<_>>()?,
            labels: faces().map(|side| of(&mut label(side).into_iter())).collect::<Option<_>>()?,
        })
    }
}

/// Returns the vector from the center of the cube to a side: −1, 0 or 1 along each axis.
fn along(side: BoxGrip) -> DVec3 {
    DVec3::from_array(Axis::ALL.map(|axis| side.sign(axis)))
}

/// Returns the unit vector from the center of the cube to a side, in world space.
pub(super) fn outward(side: BoxGrip) -> DVec3 {
    along(side).normalize()
}

/// Returns the corners of a side, counter-clockwise as seen from outside.
fn corners(side: BoxGrip) -> Vec<DVec3> {
    let along = along(side);
    let taken: Vec<Axis> = side.axes().collect();
    let free: Vec<Axis> = Axis::ALL.into_iter().filter(|axis| side.sign(*axis) == 0.0).collect();
    let mut corners: Vec<DVec3> = match (free.as_slice(), taken.as_slice()) {
        (&[a, b], _) => [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(u, v)| along + a.unit() * (u * FACE) + b.unit() * (v * FACE))
            .to_vec(),
        (&[a], &[b, c]) => [(-1.0, b), (1.0, b), (1.0, c), (-1.0, c)]
            .map(|(u, inner)| {
                let mut corner = along + a.unit() * (u * FACE);
                corner[inner.index()] *= FACE;
                corner
            })
            .to_vec(),
        // A corner of the cube is a triangle with one corner on each of the three faces.
        _ => (0..3)
            .map(|face| DVec3::from_array([0, 1, 2].map(|i| along[i] * if i == face { 1.0 } else { FACE })))
            .collect(),
    };
    if (corners[1] - corners[0]).cross(corners[2] - corners[1]).dot(along) < 0.0 {
        corners.reverse();
    }
    corners
}

/// Returns the right and up directions of the letter on a face, seen from outside.
fn reading(face: BoxGrip) -> [DVec3; 2] {
    match along(face).to_array() {
        [x, 0.0, 0.0] => [DVec3::NEG_Z * x, DVec3::Y],
        [0.0, y, 0.0] => [DVec3::X, DVec3::NEG_Z * y],
        [_, _, z] => [DVec3::X * z, DVec3::Y],
    }
}

/// Returns the strokes on a face, as rectangles: its axis, and a minus sign on the negative side.
fn label(face: BoxGrip) -> Vec<Vec<DVec3>> {
    let axis = face.axes().next().unwrap_or(Axis::X);
    let is_minus = face.sign(axis) < 0.0;
    let (height, offset) = if is_minus { (SIGNED_LETTER_HEIGHT, 0.2) } else { (LETTER_HEIGHT, 0.0) };
    let letter = letter_strokes(axis).iter().map(|stroke| stroke.map(|p| p * height + DVec2::X * offset));
    let minus = is_minus.then_some([DVec2::new(-0.46, 0.0), DVec2::new(-0.16, 0.0)]);
    let [across, upward] = reading(face);
    let rectangle = |[from, to]: [DVec2; 2]| {
        let beside = (to - from).normalize_or_zero().perp() * STROKE;
        let ends = [from - beside, to - beside, to + beside, from + beside];
        ends.map(|p| outward(face) + across * p.x + upward * p.y).to_vec()
    };
    letter.chain(minus).map(rectangle).collect()
}

/// Returns true if a theme is for light scenes.
fn is_light(theme: &Theme) -> bool {
    let [r, g, b, _] = theme.colors.neutral;
    r + g + b < 1.5
}

fn mixed(a: Rgba, b: Rgba, weight_of_b: f32) -> Rgba {
    [0, 1, 2, 3].map(|i| a[i] + (b[i] - a[i]) * weight_of_b)
}

const BLACK: Rgba = [0.0, 0.0, 0.0, 1.0];
const WHITE: Rgba = [1.0; 4];

/// Returns the color of edges and corners.
fn edge_color(theme: &Theme) -> Rgba {
    if is_light(theme) { [0.62, 0.64, 0.68, 1.0] } else { [0.42, 0.45, 0.50, 1.0] }
}

/// Returns the colors of a side and of its label.
fn colors(side: BoxGrip, theme: &Theme, is_hovered: bool) -> [Rgba; 2] {
    if is_hovered {
        return [theme.colors.hovered, [0.10, 0.10, 0.11, 1.0]];
    }
    let mut axes = side.axes();
    let (Some(axis), None) = (axes.next(), axes.next()) else { return [edge_color(theme); 2] };
    let axis_color = theme.colors.axes[axis.index()];
    let is_light = is_light(theme);
    if side.sign(axis) > 0.0 {
        // Darkens the axis colors a little, so that white is readable on all of them.
        return [mixed(axis_color, BLACK, if is_light { 0.05 } else { 0.28 }), WHITE];
    }
    let body = if is_light { [0.90, 0.91, 0.93, 1.0] } else { [0.24, 0.26, 0.30, 1.0] };
    [body, mixed(axis_color, if is_light { BLACK } else { WHITE }, 0.25)]
}

/// Adds the cube to a list, as its view shows it. `ids` has an id for each side.
pub(super) fn append_cube(list: &mut DrawList, theme: &Theme, hovered: Option<BoxGrip>, ids: IdRange) {
    let Some(view) = list.view().copied() else { return };
    let (Some(square), Some(meshes)) = (CubeSquare::of(&view), Meshes::shared()) else { return };
    let (right, up, forward) = (view.right(), view.up(), view.forward());
    // Dark, because it shows at edges on the side of the shadow.
    let body = ScreenMesh { mesh: &meshes.body, color: mixed(edge_color(theme), BLACK, 0.3), id: None };
    let sides = BoxGrip::ALL.into_iter().filter(|side| outward(*side).dot(forward) <= -EDGE_ON);
    let sides = sides.flat_map(|side| {
        // Light from above the left shoulder of the viewer.
        let toward_light = (up * 0.8 - forward * 0.5 - right * 0.33).normalize_or_zero();
        let light = (0.80 + 0.20 * outward(side).dot(toward_light)) as f32;
        let [[r, g, b, a], label] = colors(side, theme, hovered == Some(side));
        let (index, color) = (side.index(), [r * light, g * light, b * light, a]);
        let id = ids.id(index as u32);
        let face = ScreenMesh { mesh: &meshes.sides[index], color, id };
        let letter = meshes.labels.get(index).map(|mesh| ScreenMesh { mesh, color: label, id });
        [Some(face), letter].into_iter().flatten()
    });
    let px_per_unit = square.half_px / EXTENT;
    let placement = ScreenPlacement {
        center_px: square.center_px,
        right: right * px_per_unit,
        down: -up * px_per_unit,
        bounds_px: square.rect(),
    };
    list.push_meshes(ids, &placement, [body].into_iter().chain(sides));
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu_gizmo_core::IdSpace;
    use wgpu_gizmo_core::Viewport;
    use wgpu_gizmo_core::glam::{DMat4, dcamera::rh};

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
        for side in BoxGrip::ALL {
            let corners = corners(side);
            for i in 2..corners.len() {
                let [a, b, c] = [corners[0], corners[i - 1], corners[i]];
                let area = 0.5 * (b - a).cross(c - a);
                assert!(area.normalize().abs_diff_eq(outward(side), 1e-12), "{side:?} is flat");
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
        let square = CubeSquare::of(&view).expect("the view is large enough").rect();
        let ids = IdSpace::new().allocate_for_handles(26).expect("ids are free");
        let mut list = DrawList::new();
        append_cube(list.begin(&view), &Theme::dark(), None, ids);
        let mut seen: Vec<u32> = list.items().iter().filter_map(|item| ids.offset_of(item.id?)).collect();
        seen.dedup();
        let toward = BoxGrip::ALL.into_iter().filter(|side| outward(*side).dot(eye) > 0.0);
        assert_eq!(seen, toward.clone().map(|side| side.index() as u32).collect::<Vec<_>>());
        for item in list.items() {
            for corner in toward.clone().flat_map(corners) {
                let px = item.px_from_part(corner).expect("the corner is visible");
                assert!(px.cmpgt(square.min).all() && px.cmplt(square.max).all(), "{px}");
            }
        }
        let center = view.viewport().x + view.viewport().width - 0.5 * (square.max.x - square.min.x);
        assert!(list.pick(DVec2::new(center, square.max.y - 1.0), 0.0).is_none());
    }

    #[test]
    fn labels_read_from_outside_and_stay_on_face() {
        for face in BoxGrip::ALL.into_iter().take(6) {
            let [across, up] = reading(face);
            assert!(across.cross(up).abs_diff_eq(outward(face), 1e-12), "{face:?}");
            for point in label(face).into_iter().flatten() {
                let on_face = point.reject_from_normalized(outward(face));
                assert!(on_face.abs().max_element() < FACE + 0.02, "{face:?}: {point}");
            }
        }
    }

    #[test]
    fn small_view_has_no_cube() {
        let small = |width: u32, height: u32| {
            let viewport = Viewport::from_size(width, height);
            CubeSquare::of(
                &View::from_clip_from_world(DMat4::IDENTITY, viewport, 2.0).expect("the view is valid"),
            )
        };
        assert_eq!(small(60, 900), None);
        let square = small(200, 900).expect("the view is large enough");
        assert!(square.half_px <= 30.0 && square.rect().max.x < 200.0, "{square:?}");
    }
}
