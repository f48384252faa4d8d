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
use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Mode, Target, Transform, View};

/// Every mode that shows handles.
pub(crate) const MODES: [Mode; 4] = [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal];

/// Creates a gizmo on one unrotated target at [`PIVOT_WORLD`].
pub(crate) fn gizmo(case: &Case, mode: Mode, ids: &mut IdSpace) -> (Gizmo, [Target; 1]) {
    let mut gizmo = Gizmo::new(ids).expect("a new id space has free ids");
    gizmo.settings.mode = mode;
    if mode == Mode::Universal {
        // Universal arrows are longer, and must still be visible in every view.
        gizmo.settings.display.size_lpx = 70.0;
    }
    let translation = PIVOT_WORLD;
    let mut targets = [Target::from_world(Transform { translation, ..Transform::IDENTITY })];
    gizmo.update(&case.view, &mut targets);
    (gizmo, targets)
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
