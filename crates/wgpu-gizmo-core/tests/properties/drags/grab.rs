//! The grabbed point follows the cursor.

use super::{Selection, largest, moved, selected, snap};
use crate::dd::{Dd, V, add, dot, length, scale, sub, v3};
use crate::holds::{Case, holds};
use crate::scenes::{Scene, magnitude, offset_px, unit};
use crate::truth::{point4, px2, vector4};
use proptest::option::weighted;
use proptest::prelude::*;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::Constraint;
use wgpu_gizmo_core::interaction::Change;
use wgpu_gizmo_core::interaction::settings::{Modifiers, SnapKind};
use wgpu_gizmo_core::{Snap, Solver};

/// Returns the distance of a drawn point from the foot of the cursor on the drawn line through the
/// pivot along `direction`, measured along the line, in pixels.
fn off_along(scene: &Scene, pivot: V<3>, direction: V<3>, point: V<3>, cursor_px: DVec2) -> f64 {
    let truth = &scene.truth;
    let (a, b) = (truth.homogeneous_px(point4(pivot)), truth.homogeneous_px(vector4(direction)));
    let drawn: V<2> = [b[0] * a[2] - a[0] * b[2], b[1] * a[2] - a[1] * b[2]];
    let off = sub(truth.px(point), px2(cursor_px));
    (dot(off, drawn) / length(drawn)).abs().to_f64()
}

/// Returns the rounding error of a point's coordinates in pixels. More than a million pixels
/// outside the viewport, where points are close to the eye's plane, it exceeds half a pixel.
fn rounding_px(scene: &Scene, point: V<3>) -> f64 {
    let digits = 4.0 * f64::EPSILON * largest(point);
    let moved = |axis: DVec3| {
        let [a, b] = [digits, -digits].map(|by| scene.truth.px(add(point, v3(axis * by))));
        length(sub(a, b)).to_f64()
    };
    DVec3::AXES.into_iter().map(moved).sum()
}

#[test]
fn grab_stays_within_half_pixel_of_cursor() {
    let cases = (selected(), offset_px(), weighted(0.3, (unit(), magnitude(-3.0, -0.5))));
    holds(&cases, 0.2, |(selected, offset_px, camera_offset)| {
        let settings = selected.settings.with(|s| s.motion.solver = Solver::ScreenProjection);
        let selected = Selection { settings, ..selected.clone() };
        let Some((mut drag, press_px)) = selected.begin(Snap::OFF) else { return Case::Skipped };
        let now = moved(&selected.scene, *camera_offset);
        let cursor_px = press_px + *offset_px;
        let before = drag.motion();
        let motion = drag.solve(&now.shot.view, cursor_px, Snap::OFF);
        let (pivot, axes) = (v3(drag.pivot_world()), drag.axes());
        let Some(grabbed) = drag.press_point_world() else { return Case::Skipped };
        if motion.clamped || motion == before {
            return Case::Skipped;
        }
        let off = match (drag.handle().constraint(), motion.change) {
            (Constraint::Axis(axis), Change::Translate(by)) => {
                let along = v3(axes.col(axis.index()));
                let at = add(v3(grabbed), v3(by));
                off_along(&now, pivot, along, at, cursor_px) - rounding_px(&now, at)
            }
            (Constraint::Plane(_) | Constraint::ViewPlane, Change::Translate(by)) => {
                let at = add(v3(grabbed), v3(by));
                length(sub(now.truth.px(at), px2(cursor_px))).to_f64() - rounding_px(&now, at)
            }
            (Constraint::ScaleAxis(axis), Change::Scale(by)) => {
                let along = v3(axes.col(axis.index()));
                let from_pivot = sub(v3(grabbed), pivot);
                let size = selected.scene.truth.pixel_size(pivot).to_f64()
                    * selected.scene.size_px(selected.settings.display.size_lpx);
                // Closer to the pivot, the motion is divided by a minimum length instead, so that
                // nothing jumps.
                if length(from_pivot).to_f64() < 0.0501 * size {
                    return Case::Skipped;
                }
                let now_at = add(pivot, scale(from_pivot, Dd::from(by[axis.index()])));
                off_along(&now, pivot, along, now_at, cursor_px) - rounding_px(&now, now_at)
            }
            _ => return Case::Skipped,
        };
        assert!(off < 0.5, "{}: {off} px off by {motion:?}", drag.handle().name());
        Case::Checked
    });
}

#[test]
fn no_drag_exceeds_max_distance() {
    let largest = magnitude(-2.0, 2.0);
    holds(&(selected(), offset_px(), snap(), largest, any::<[bool; 2]>()), 0.3, |case| {
        let (selected, offset_px, snap, largest, [snapped, on_grid]) = case;
        let settings = selected.settings.with(|s| s.motion.max_distance = Some(*largest));
        let selected = Selection { settings, ..selected.clone() };
        let snap = if *snapped { *snap } else { Snap::OFF };
        let Some((mut drag, press_px)) = selected.begin(Snap::OFF) else { return Case::Skipped };
        let snap_kind =
            if *on_grid { SnapKind::Grid { origin_world: DVec3::ZERO } } else { SnapKind::Relative };
        let held = Modifiers { snap, snap_kind, ..Modifiers::default() };
        let motion = drag.solve(&selected.scene.shot.view, press_px + *offset_px, held);
        let Change::Translate(by) = motion.change else { return Case::Skipped };
        assert!(by.length() <= largest * (1.0 + 1e-9), "{} of {largest}", by.length());
        Case::Checked
    });
}
