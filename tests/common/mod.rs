//! What the tests share.
#![allow(dead_code, reason = "each test file uses its own part of it")]

pub(crate) mod cases;
#[cfg(feature = "wgpu")]
pub(crate) mod device;
#[cfg(feature = "wgpu")]
pub(crate) mod heaps;
#[cfg(feature = "wgpu")]
pub(crate) mod host;
#[cfg(feature = "wgpu")]
pub(crate) mod objects;
pub(crate) mod views;

use cases::{Case, PIVOT_WORLD};
use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Mode, Target, Transform};

/// Every mode that shows something.
pub(crate) const MODES: [Mode; 4] = [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal];

/// A gizmo on one target at [`PIVOT_WORLD`], turned so that no axis is special in any view.
pub(crate) fn gizmo(case: &Case, mode: Mode, ids: &mut IdSpace) -> (Gizmo, [Target; 1]) {
    let mut gizmo = Gizmo::new(ids).expect("a new id space has room");
    gizmo.settings.mode = mode;
    if mode == Mode::Universal {
        // Its arrows reach farther out, and are to be seen in every view all the same.
        gizmo.settings.size_lpx = 70.0;
    }
    let translation = PIVOT_WORLD;
    let mut targets = [Target::from_world(Transform { translation, ..Transform::IDENTITY })];
    gizmo.update(&case.view, &mut targets);
    (gizmo, targets)
}

/// The draw list of such a gizmo.
pub(crate) fn list(case: &Case, mode: Mode) -> DrawList {
    let (mut gizmo, _) = gizmo(case, mode, &mut IdSpace::new());
    let mut list = DrawList::new();
    list.begin(&case.view);
    gizmo.draw(&mut list);
    list
}
