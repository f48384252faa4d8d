//! The table of projections, each with a camera that looks at the tests' gizmo.

use super::views::{ALL, Camera};
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3, dcamera::rh};
use wgpu_gizmo::{View, Viewport};

/// The approximate center of what the cameras look at.
pub(crate) const PIVOT_WORLD: DVec3 = DVec3::new(0.4, -0.3, 0.2);
const EYE_WORLD: DVec3 = DVec3::new(3.1, 2.2, 4.3);
const LOOK_AT_WORLD: DVec3 = DVec3::new(0.2, -0.2, 0.0);

/// A view and the size of its render target.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) view: View,
    /// Size of the render target in pixels.
    pub(crate) target: [u32; 2],
}

impl Case {
    /// Returns the pixel position of a point in front of the camera.
    pub(crate) fn px(&self, point_world: DVec3) -> DVec2 {
        self.view.px_from_world(point_world).expect("the point is in front of the camera")
    }

    /// Returns the same case in another viewport.
    pub(crate) fn in_viewport(&self, viewport: Viewport, scale_factor: f64) -> Self {
        let view = View::from_clip_from_world(self.view.clip_from_world(), viewport, scale_factor);
        let view = view.expect("the view is valid");
        Self { view: view.with_depth_direction(self.view.depth_direction()), ..self.clone() }
    }
}

/// Creates the view of a camera with Y up.
pub(crate) fn view(
    [eye, look_at]: [DVec3; 2],
    clip_from_view: DMat4,
    viewport: Viewport,
    scale_factor: f64,
) -> View {
    let view_from_world = rh::view::look_at_mat4(eye, look_at, DVec3::Y);
    View::new(view_from_world, clip_from_view, viewport, scale_factor).expect("the view is valid")
}

/// Returns a case per projection, and one whose viewport is partly outside its render target.
pub(crate) fn all() -> Vec<Case> {
    let (viewport, scale_factor) = (Viewport::from_size(320, 240), 1.0);
    let camera = Camera { eye: EYE_WORLD, look_at: LOOK_AT_WORLD, up: DVec3::Y, viewport, scale_factor };
    let mut cases: Vec<Case> = ALL
        .iter()
        .map(|projection| {
            let view = projection.view(&camera);
            let Viewport { x, y, width, height } = view.viewport();
            // A viewport inside a larger render target has a margin on every side.
            let margin = if x > 0.0 { 23.0 } else { 0.0 };
            let target = [x + width + margin, y + height + margin].map(|side| side as u32);
            Case { name: projection.name, view, target }
        })
        .collect();
    let lens = rh::proj::directx::perspective_infinite_reverse(0.9, 4.0 / 3.0, 0.1);
    let viewport = Viewport { x: -50.0, y: 45.0, ..viewport };
    let view = view([EYE_WORLD, LOOK_AT_WORLD], lens, viewport, 1.0);
    cases.push(Case { name: "viewport partly outside the target", view, target: [320, 240] });
    cases
}

/// Returns the case with this name.
pub(crate) fn named(name: &str) -> Case {
    let found = all().into_iter().find(|case| case.name == name);
    found.unwrap_or_else(|| panic!("no view is named {name}"))
}
