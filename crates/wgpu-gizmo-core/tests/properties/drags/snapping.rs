//! Snapped values and grids.

use super::{selected, snap};
use crate::prelude::*;

/// Returns the distance of a number from the nearest multiple, in increments.
fn off_multiple(number: f64, increment: f64) -> f64 {
    let steps = number / increment;
    (steps - steps.round()).abs() / (1.0 + steps.abs())
}

#[test]
fn snapped_values_are_multiples_on_every_handle() {
    holds(&(selected(), offset_px(), snap()), 0.5, |(selected, offset_px, snap)| {
        let (mut drag, press_px) = selected.begin(Snap::OFF)?;
        let motion = drag.solve(&selected.scene.shot.view, press_px + *offset_px, *snap);
        if motion.clamped {
            return None;
        }
        let (constraint, numbers) = (drag.handle().constraint(), drag.numbers());
        let increment = if constraint == Constraint::Trackball {
            // The trackball is not snapped, because no single number describes it.
            return None;
        } else if constraint.translates() {
            snap.translate
        } else if constraint.rotates() {
            snap.rotate
        } else {
            snap.scale
        };
        let increment = increment.map_or(1.0, Increment::get);
        for number in numbers {
            assert!(off_multiple(*number, increment) < 1e-9, "{number} is not a multiple of {increment}");
        }
        // The numbers describe the motion and the change of the targets.
        let axes = drag.axes();
        match (constraint, motion.change) {
            (Constraint::Axis(axis), Change::Translate(by)) => {
                let [along] = numbers[..] else { panic!("one number, not {numbers:?}") };
                assert!(by.distance(axes.col(axis.index()) * along) <= 1e-12 * (1e-300 + along.abs()));
            }
            (Constraint::Plane(normal), Change::Translate(by)) => {
                let [a, b] = normal.others().map(|axis| axes.col(axis.index()));
                let [x, y] = numbers[..] else { panic!("two numbers, not {numbers:?}") };
                assert!(by.distance(a * x + b * y) <= 1e-12 * by.length());
            }
            (_, change @ Change::Rotate { .. }) => {
                assert!((change.total_angle() - numbers[0]).abs() <= 1e-12 * (1.0 + numbers[0].abs()));
            }
            (_, Change::Scale(by)) => {
                for axis in Axis::ALL {
                    let scales = match constraint {
                        Constraint::ScaleAxis(along) => along == axis,
                        Constraint::ScalePlane(normal) => normal != axis,
                        _ => true,
                    };
                    assert_eq!(by[axis.index()], if scales { numbers[0] } else { 1.0 });
                }
            }
            _ => {}
        }
        Some(())
    });
}

#[test]
fn grid_snapped_pivot_lands_on_world_multiples() {
    let origin = (unit(), magnitude(-2.0, 2.0)).prop_map(|(toward, far)| toward * far);
    holds(&(selected(), offset_px(), snap(), origin), 0.15, |(selected, offset_px, snap, origin_world)| {
        let (mut drag, press_px) = selected.begin(Snap::OFF)?;
        let held = Modifiers {
            snap: *snap,
            snap_kind: SnapKind::Grid { origin_world: *origin_world },
            ..Modifiers::default()
        };
        let motion = drag.solve(&selected.scene.shot.view, press_px + *offset_px, held);
        let Change::Translate(by) = motion.change else { return None };
        let is_free = |index: &usize| !selected.is_inside(*index);
        let active = (0..selected.targets.len()).rfind(is_free)?;
        let active = &selected.targets[active];
        let origin = match selected.settings.orientation {
            Orientation::World | Orientation::Custom(_) => *origin_world,
            Orientation::Parent if selected.settings.pivot != Pivot::EachTarget => {
                active.world_from_parent.w_axis.truncate()
            }
            _ => return None,
        };
        // Nothing moves until the cursor has left the pressed position, not even to a grid.
        if motion.clamped || motion.change.is_identity() {
            return None;
        }
        let increment = snap.translate.map_or(1.0, Increment::get);
        let from = drag.pivot_world() - origin;
        let along = |axis: DVec3| {
            let at = (from + by).dot(axis);
            assert!(off_multiple(at, increment) < 1e-9, "{at} along {axis} is not a multiple of {increment}");
        };
        let stays =
            |axis: DVec3| assert!(by.dot(axis).abs() <= 1e-9 * by.length(), "{by} moves along {axis}");
        // The view plane uses the axes of the view, but its grid uses those of the reference frame.
        let frame = match selected.settings.orientation {
            Orientation::World => wgpu_gizmo_core::glam::DMat3::IDENTITY,
            Orientation::Custom(turn) => wgpu_gizmo_core::glam::DMat3::from_quat(turn.normalize()),
            _ => drag.axes(),
        };
        match drag.handle().constraint() {
            Constraint::Axis(axis) => {
                along(frame.col(axis.index()));
                axis.others().iter().for_each(|other| stays(frame.col(other.index())));
            }
            Constraint::Plane(normal) => {
                normal.others().iter().for_each(|axis| along(frame.col(axis.index())));
                stays(frame.col(normal.index()));
            }
            Constraint::ViewPlane if selected.settings.orientation != Orientation::Parent => {
                Axis::ALL.iter().for_each(|axis| along(frame.col(axis.index())));
            }
            _ => return None,
        }
        Some(())
    });
}
