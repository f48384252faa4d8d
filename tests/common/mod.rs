//! Helpers shared by the tests.
#![allow(dead_code, reason = "each test file uses its own part of it")]

pub(crate) mod cases;
pub(crate) mod device;
pub(crate) mod heaps;
pub(crate) mod host;
pub(crate) mod objects;
pub(crate) mod painted;
pub(crate) mod pool;
#[path = "../../crates/wgpu-gizmo-core/tests/common/views.rs"]
pub(crate) mod views;

use cases::{Case, PIVOT_WORLD};
use wgpu_gizmo::glam::DVec3;
use wgpu_gizmo::{DrawList, Gizmo, HandleId, IdSpace, Mode, Target, Theme, Transform, View};

/// Every mode that shows handles.
pub(crate) const MODES: [Mode; 4] = [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal];

/// Creates a gizmo on one unrotated target at [`PIVOT_WORLD`].
pub(crate) fn gizmo(case: &Case, mode: Mode, ids: &mut IdSpace) -> (Gizmo, [Target; 1]) {
    let mut gizmo = gizmo_at(&case.view, ids, mode, PIVOT_WORLD);
    let mut targets = [Target::from_world(Transform::from_translation(PIVOT_WORLD))];
    if mode == Mode::Universal {
        // Universal arrows are longer, and must still be visible in every view.
        gizmo.settings.display.size_lpx = 70.0;
        gizmo.update(&case.view, &mut targets);
    }
    (gizmo, targets)
}

/// Creates a gizmo on one unrotated target.
pub(crate) fn gizmo_at(view: &View, ids: &mut IdSpace, mode: Mode, position: DVec3) -> Gizmo {
    let mut gizmo = Gizmo::new(ids).expect("a new id space has free ids");
    gizmo.settings.mode = mode;
    gizmo.update(view, &mut [Target::from_world(Transform::from_translation(position))]);
    gizmo
}

/// Returns the draw list of one handle at the origin.
pub(crate) fn alone(view: &View, handle: HandleId, theme: Theme) -> DrawList {
    let mut gizmo = gizmo_at(view, &mut IdSpace::new(), Mode::Handles(handle.into()), DVec3::ZERO);
    gizmo.theme = theme;
    gizmo.update(view, &mut [Target::from_world(Transform::IDENTITY)]);
    drawn(view, &mut gizmo)
}

/// Returns the draw list of such a gizmo.
pub(crate) fn list(case: &Case, mode: Mode) -> DrawList {
    drawn(&case.view, &mut gizmo(case, mode, &mut IdSpace::new()).0)
}

/// Returns the draw list of a gizmo alone.
pub(crate) fn drawn(view: &View, gizmo: &mut Gizmo) -> DrawList {
    let mut list = DrawList::new();
    gizmo.draw(list.begin(view));
    list
}
