//! Helpers shared by the tests.
#![allow(dead_code, unused_imports, reason = "each test file uses its own part of it")]

pub(crate) mod cases;
pub(crate) mod device;
pub(crate) mod heaps;
pub(crate) mod host;
pub(crate) mod objects;
pub(crate) mod painted;
pub(crate) mod pool;
#[path = "../../crates/wgpu-gizmo-core/tests/common/views.rs"]
pub(crate) mod views;

/// Imports that most tests share.
pub(crate) mod prelude {
    pub(crate) use super::cases::{self, Case, PIVOT_WORLD};
    pub(crate) use super::heaps::{Heap, ball, blade, cube, is_inside, placed, random_transform};
    pub(crate) use super::objects::{self, Host, facing};
    pub(crate) use super::{
        MODES, alone, device::*, drag, drawn, gizmo, gizmo_at, handle, host::*, list, typed,
    };
    pub(crate) use fastrand::Rng;
    pub(crate) use std::num::NonZeroU32;
    pub(crate) use wgpu_gizmo::draw::{parts::*, *};
    pub(crate) use wgpu_gizmo::glam::dcamera::rh;
    pub(crate) use wgpu_gizmo::glam::{
        DAffine3, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, EulerRot, Vec2, Vec3,
    };
    pub(crate) use wgpu_gizmo::interaction::{settings::*, *};
    pub(crate) use wgpu_gizmo::wgpu::TextureFormat;
    pub(crate) use wgpu_gizmo::{facade::*, gpu::*, handle::*, math::*, pick::snap::*, pick::*, scene::*, *};
}

use cases::{Case, PIVOT_WORLD};
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::interaction::{Key, KeyModifiers, settings::AxisKeys};
use wgpu_gizmo::{DrawList, Gizmo, HandleId, IdSpace, Mode, Target, Theme, Transform, View};

/// Every mode that shows handles.
pub(crate) const MODES: [Mode; 4] = [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal];

pub(crate) fn handle(name: &str) -> HandleId {
    HandleId::from_name(name).unwrap_or_else(|| panic!("no handle {name}"))
}

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

/// Drags the handle at a pixel. Returns the draw list of the drag.
pub(crate) fn drag(
    view: &View,
    (mut gizmo, mut targets): (Gizmo, [Target; 1]),
    press_px: DVec2,
    by_px: DVec2,
) -> DrawList {
    gizmo.pointer_moved(press_px);
    gizmo.pointer_pressed();
    gizmo.update(view, &mut targets);
    gizmo.answer_on_cpu();
    gizmo.pointer_moved(press_px + by_px);
    gizmo.update(view, &mut targets);
    assert!(gizmo.is_active());
    drawn(view, &mut gizmo)
}

/// Types the keys of a drag without a pointer, such as `x2`. Returns the draw list of the drag.
pub(crate) fn typed(view: &View, (gizmo, targets): (&mut Gizmo, &mut [Target]), keys: &str) -> DrawList {
    gizmo.settings.input.axis_keys = AxisKeys::Always;
    for key in keys.chars().filter_map(Key::from_char) {
        gizmo.key(key, KeyModifiers::NONE);
    }
    gizmo.update(view, targets);
    drawn(view, gizmo)
}

/// Returns the draw list of a gizmo alone.
pub(crate) fn drawn(view: &View, gizmo: &mut Gizmo) -> DrawList {
    let mut list = DrawList::new();
    gizmo.draw(list.begin(view));
    list
}
