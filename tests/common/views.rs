//! One named table of every kind of projection.

use wgpu_gizmo::glam::{DMat4, DVec2, DVec3, DVec4};
use wgpu_gizmo::{View, Viewport};

/// What the cameras of the table look at, roughly.
pub(crate) const PIVOT_WORLD: DVec3 = DVec3::new(0.4, -0.3, 0.2);
const EYE_WORLD: DVec3 = DVec3::new(3.1, 2.2, 4.3);

/// A view and the target that it is shown in.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) view: View,
    /// Pixels of the target.
    pub(crate) target: [u32; 2],
}

/// Clip depth as `a · distance + b`, distance along the camera's axis.
#[derive(Clone, Copy)]
struct Depth {
    a: f64,
    b: f64,
}

const NEAR: f64 = 0.1;
const FAR: f64 = 60.0;
const STANDARD: Depth = Depth { a: FAR / (FAR - NEAR), b: -FAR * NEAR / (FAR - NEAR) };
const REVERSED: Depth = Depth { a: -NEAR / (FAR - NEAR), b: FAR * NEAR / (FAR - NEAR) };
const INFINITE: Depth = Depth { a: 1.0, b: -NEAR };
const REVERSED_INFINITE: Depth = Depth { a: 0.0, b: NEAR };
const FLAT: Depth = Depth { a: 1.0 / (FAR - NEAR), b: -NEAR / (FAR - NEAR) };
const FLAT_REVERSED: Depth = Depth { a: -1.0 / (FAR - NEAR), b: FAR / (FAR - NEAR) };

/// Which way z runs in front of the camera: −1 in a right-handed view, 1 in a left-handed one.
const RIGHT_HANDED: f64 = -1.0;
const LEFT_HANDED: f64 = 1.0;

fn view_from_world(ahead: f64, look_at_world: DVec3) -> DMat4 {
    let forward = (look_at_world - EYE_WORLD).normalize();
    let right = forward.cross(DVec3::Y).normalize();
    let up = right.cross(forward);
    let rows = [right, up, forward * ahead].map(|axis| axis.extend(-axis.dot(EYE_WORLD)));
    DMat4::from_cols(rows[0], rows[1], rows[2], DVec4::W).transpose()
}

/// Edges are x and y at distance 1.
fn perspective(ahead: f64, [left, right, bottom, top]: [f64; 4], depth: Depth) -> DMat4 {
    DMat4::from_cols(
        DVec4::X * (2.0 / (right - left)),
        DVec4::Y * (2.0 / (top - bottom)),
        DVec4::new(-(right + left) / (right - left), -(top + bottom) / (top - bottom), depth.a, 1.0) * ahead,
        DVec4::Z * depth.b,
    )
}

fn orthographic(ahead: f64, half: DVec2, depth: Depth) -> DMat4 {
    DMat4::from_cols(
        DVec4::X / half.x,
        DVec4::Y / half.y,
        DVec4::Z * depth.a * ahead,
        DVec4::new(0.0, 0.0, depth.b, 1.0),
    )
}

fn case(
    name: &'static str,
    target: [u32; 2],
    view_from_world: DMat4,
    clip_from_view: DMat4,
    viewport: Option<Viewport>,
    scale_factor: f64,
) -> Case {
    let [width, height] = target.map(f64::from);
    let viewport = viewport.unwrap_or(Viewport { x: 0.0, y: 0.0, width, height });
    let view = View::new(view_from_world, clip_from_view, viewport, scale_factor);
    Case { name, view: view.unwrap_or_else(|error| panic!("{name}: {error}")), target }
}

/// All of them.
pub(crate) fn all() -> Vec<Case> {
    let size = [320, 240];
    // 50 degrees high.
    let top = 25f64.to_radians().tan();
    let edges = |aspect: f64| [-top * aspect, top * aspect, -top, top];
    let wide = edges(4.0 / 3.0);
    let shifted = [-0.9 * wide[1], 1.4 * wide[1], -1.3 * top, 0.7 * top];
    let half = DVec2::new(4.0, 3.0) * 0.9;
    let rh = view_from_world(RIGHT_HANDED, DVec3::new(0.2, -0.2, 0.0));
    let lh = view_from_world(LEFT_HANDED, DVec3::new(0.2, -0.2, 0.0));
    let inset = Viewport { x: 101.0, y: 37.0, width: 180.0, height: 160.0 };
    let cut = Viewport { x: -50.0, y: 45.0, width: 320.0, height: 240.0 };
    let plain = perspective(RIGHT_HANDED, wide, STANDARD);
    let inset_lens = perspective(RIGHT_HANDED, edges(180.0 / 160.0), REVERSED);
    let behind = perspective(RIGHT_HANDED, wide, REVERSED);
    let endless = perspective(RIGHT_HANDED, wide, INFINITE);
    let modern = perspective(RIGHT_HANDED, wide, REVERSED_INFINITE);
    vec![
        case("right-handed perspective", size, rh, plain, None, 1.0),
        case("left-handed perspective", size, lh, perspective(LEFT_HANDED, wide, STANDARD), None, 1.0),
        case("off-axis", size, rh, perspective(RIGHT_HANDED, shifted, STANDARD), None, 1.0),
        case("reversed", size, rh, behind, None, 1.0),
        case("infinite far", size, rh, endless, None, 1.0),
        case("reversed infinite", size, rh, modern, None, 1.0),
        case("orthographic", size, rh, orthographic(RIGHT_HANDED, half, FLAT), None, 1.0),
        case("orthographic reversed", size, lh, orthographic(LEFT_HANDED, half, FLAT_REVERSED), None, 1.0),
        case("viewport inside a larger target", size, rh, inset_lens, Some(inset), 1.0),
        case("viewport partly outside the target", size, rh, modern, Some(cut), 1.0),
        case("HiDPI", [640, 480], rh, modern, None, 2.0),
    ]
}

/// The one of this name.
pub(crate) fn named(name: &str) -> Case {
    let found = all().into_iter().find(|case| case.name == name);
    found.unwrap_or_else(|| panic!("no view is named {name}"))
}
