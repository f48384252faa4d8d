//! §3 to §10 of docs/spec.md: properties of every drag, in any view, with one to five targets under
//! any parents, and every handle, orientation, pivot, solver and cursor.

use crate::dd::{Dd, V, add, apply, dot, length, m4, scale, sub, to_dvec3, v3};
use crate::holds::{Case, holds};
use crate::scenes::{Scene, magnitude, offset_px, parent, scene, turn, unit};
use crate::truth::{point4, px2, vector4};
use crate::views::Camera;
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use wgpu_gizmo::glam::{DMat4, DQuat, DVec2, DVec3};
use wgpu_gizmo::handle::{Axis, Channel, Constraint};
use wgpu_gizmo::interaction::{Change, Drag, Key, Modifiers, Pivot, SnapKind};
use wgpu_gizmo::{HandleId, Increment, Orientation, Settings, Snap, Solver, Target, Transform, View};

/// A selection with the pressed handle, the pressed position and the settings.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    pub(crate) scene: Scene,
    pub(crate) targets: Vec<Target>,
    pub(crate) handle: usize,
    /// Offset of the press from the pivot's pixel.
    press_by_px: DVec2,
    pub(crate) settings: Settings,
}

/// A step of a drag: the cursor relative to the press, whether snapping is held, and an offset of
/// the camera.
#[derive(Debug, Clone)]
struct Step {
    offset_px: DVec2,
    snaps: bool,
    camera_offset: Option<(DVec3, f64)>,
}

fn local() -> impl Strategy<Value = (DQuat, DVec3, DVec3)> {
    let scale = [magnitude(-1.0, 1.0), magnitude(-1.0, 1.0), magnitude(-1.0, 1.0)];
    let offset = (unit(), magnitude(-2.0, 0.0)).prop_map(|(toward, far)| toward * far);
    let rotation = (turn(), prop_oneof![Just(1.0), 0.1..5.0]).prop_map(|(turn, length)| turn * length);
    (rotation, scale, any::<[bool; 3]>(), offset).prop_map(|(rotation, scale, mirrored, offset)| {
        let signs = mirrored.map(|mirrored| if mirrored { -1.0 } else { 1.0 });
        (rotation, DVec3::from_array(scale) * DVec3::from_array(signs), offset)
    })
}

fn orientation() -> impl Strategy<Value = Orientation> {
    prop_oneof![
        Just(Orientation::World),
        Just(Orientation::Parent),
        Just(Orientation::Local),
        Just(Orientation::View),
        turn().prop_map(Orientation::Custom),
    ]
}

fn pivot() -> impl Strategy<Value = Pivot> {
    prop_oneof![
        Just(Pivot::Median),
        Just(Pivot::Active),
        Just(Pivot::Individual),
        Just(Pivot::BoundsCenter),
        Just(Pivot::Custom(DVec3::ZERO)),
        Just(Pivot::EachTarget),
    ]
}

fn solver() -> impl Strategy<Value = Solver> {
    prop_oneof![Just(Solver::ScreenProjection), Just(Solver::ClosestPoint), Just(Solver::MovementPlane)]
}

/// Parent, local transform, index of the target that contains it, and whether it has bounds.
type TargetParts = (Option<DMat4>, (DQuat, DVec3, DVec3), Option<usize>, bool);

fn targets() -> impl Strategy<Value = Vec<TargetParts>> {
    vec((weighted(0.7, parent()), local(), weighted(0.2, 0usize..5), any::<bool>()), 1..=5)
}

pub(crate) fn selected() -> impl Strategy<Value = Selection> {
    let by_px = (-110.0..110.0, -110.0..110.0).prop_map(|(x, y)| DVec2::new(x, y));
    (scene(), targets(), 0..HandleId::BUILT_IN, by_px, orientation(), pivot(), solver(), any::<bool>())
        .prop_map(|(scene, parts, handle, press_by_px, orientation, pivot, solver, allow_mirror)| {
            let height = scene.truth.visible_height(v3(scene.pivot)).to_f64();
            let one = |(parent, (rotation, scale, offset), inside, bounded): TargetParts| {
                let parent = parent.unwrap_or(DMat4::IDENTITY);
                let position = scene.pivot + offset * (0.3 * height);
                let translation = parent.inverse().transform_point3(position);
                let local = Transform { translation, rotation, scale };
                let bounds_local = bounded.then_some([DVec3::splat(-0.1), DVec3::new(0.2, 0.1, 0.3)]);
                Target { bounds_local, inside, ..Target::new(local, parent) }
            };
            let targets: Vec<Target> = parts.into_iter().map(one).collect();
            let pivot = match pivot {
                Pivot::Custom(_) => Pivot::Custom(scene.pivot),
                other => other,
            };
            let settings = Settings { orientation, pivot, solver, allow_mirror, ..Settings::default() };
            Selection { scene, targets, handle, press_by_px, settings }
        })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let camera_offset = weighted(0.2, (unit(), magnitude(-3.0, 0.0)));
    vec(
        (offset_px(), any::<bool>(), camera_offset).prop_map(|(offset_px, snaps, camera_offset)| Step {
            offset_px,
            snaps,
            camera_offset,
        }),
        0..6,
    )
}

fn snap() -> impl Strategy<Value = Snap> {
    [magnitude(-2.0, 1.0), magnitude(-2.0, 0.5), magnitude(-2.0, 0.5)].prop_map(|sizes| {
        let [translate, rotate, scale] = sizes.map(Increment::new);
        Snap { translate, rotate, scale }
    })
}

impl Selection {
    pub(crate) fn handle(&self) -> HandleId {
        HandleId::from_index(self.handle).expect("the index is in the table")
    }

    /// Begins the drag. Returns `None` if the handle is refused or the pivot is not in front of the
    /// camera.
    pub(crate) fn begin(&self, held: impl Into<Modifiers>) -> Option<(Drag, DVec2)> {
        let (view, held) = (&self.scene.shot.view, held.into());
        let drag = Drag::begin_by_keys(self.handle(), view, &self.targets, &self.settings, held).ok()?;
        let pivot_px = view.px_from_world(drag.pivot_world())?;
        let press_px = pivot_px + self.press_by_px;
        let drag = Drag::begin(self.handle(), view, press_px, &self.targets, &self.settings, held).ok()?;
        Some((drag, press_px))
    }

    fn view_at(&self, step: &Step) -> View {
        moved(&self.scene, step.camera_offset).shot.view
    }

    /// Returns true if a target is moved by another one that contains it.
    fn is_inside(&self, index: usize) -> bool {
        self.targets[index].inside.is_some_and(|at| at < self.targets.len() && at != index)
    }
}

fn moved(scene: &Scene, camera_offset: Option<(DVec3, f64)>) -> Scene {
    let Some((toward, by)) = camera_offset else { return scene.clone() };
    let distance = scene.plain.eye.distance(scene.plain.look_at);
    let camera = Camera { eye: scene.plain.eye + toward * (by * distance), ..scene.plain };
    let moved = Scene::of(scene.projection, &camera, DVec2::splat(0.5), 1.0);
    Scene { pivot: scene.pivot, ..moved.expect("a ray intersects a plane that it is not parallel to") }
}

pub(crate) fn bits(targets: &[Target]) -> Vec<[u64; 10]> {
    let target_bits = |target: &Target| {
        let Transform { translation: t, rotation: r, scale: s } = target.local;
        [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z].map(f64::to_bits)
    };
    targets.iter().map(target_bits).collect()
}

pub(crate) fn applied(drag: &Drag, targets: &[Target]) -> Vec<Target> {
    let mut now = targets.to_vec();
    drag.apply(&mut now);
    now
}

#[test]
fn any_drag_stays_finite_and_cancel_restores_bits() {
    holds(&(selected(), steps(), snap()), 0.8, |(selected, steps, snap)| {
        let Some((mut drag, press_px)) = selected.begin(Snap::OFF) else { return Case::Skipped };
        let mut targets = selected.targets.clone();
        for step in steps {
            let held = if step.snaps { *snap } else { Snap::OFF };
            drag.solve(&selected.view_at(step), press_px + step.offset_px, held);
            drag.apply(&mut targets);
            assert!(targets.iter().all(|target| target.local.is_finite()), "{:?}", drag.motion());
            assert!(drag.numbers().iter().all(|number| number.is_finite()));
            assert!(drag.residual().is_finite());
            let (now, start) = (bits(&targets), bits(&selected.targets));
            for index in (0..now.len()).filter(|index| selected.is_inside(*index)) {
                assert_eq!(now[index], start[index], "{index} is inside another");
            }
        }
        drag.restore(&mut targets);
        assert_eq!(bits(&targets), bits(&selected.targets));
        Case::Checked
    });
}

#[test]
fn return_to_press_restores_bits_after_any_path() {
    holds(&(selected(), steps(), snap(), any::<bool>()), 0.8, |(selected, steps, snap, snapped)| {
        let held = if *snapped { *snap } else { Snap::OFF };
        let Some((mut drag, press_px)) = selected.begin(held) else { return Case::Skipped };
        let mut targets = selected.targets.clone();
        drag.solve(&selected.scene.shot.view, press_px, if *snapped { Snap::OFF } else { *snap });
        drag.apply(&mut targets);
        assert_eq!(bits(&targets), bits(&selected.targets), "the cursor has not left the pressed position");
        for step in steps {
            let held = if step.snaps { *snap } else { Snap::OFF };
            drag.solve(&selected.view_at(step), press_px + step.offset_px, held);
            drag.apply(&mut targets);
        }
        drag.solve(&selected.scene.shot.view, press_px, held);
        drag.apply(&mut targets);
        assert_eq!(bits(&targets), bits(&selected.targets), "{:?}", drag.motion());
        Case::Checked
    });
}

/// Only whole turns and the precision anchor are remembered; everything else follows from the
/// cursor.
#[test]
fn total_motion_is_independent_of_path() {
    holds(&(selected(), steps(), offset_px(), snap(), any::<bool>()), 0.6, |case| {
        let (selected, steps, offset_px, snap, snapped) = case;
        let Some((mut straight, press_px)) = selected.begin(Snap::OFF) else { return Case::Skipped };
        let mut detour = straight.clone();
        for step in steps {
            let held = if step.snaps { *snap } else { Snap::OFF };
            detour.solve(&selected.view_at(step), press_px + step.offset_px, held);
        }
        let (view, held) = (&selected.scene.shot.view, if *snapped { *snap } else { Snap::OFF });
        let before = [&straight, &detour].map(|drag| bits(&applied(drag, &selected.targets)));
        let [a, b] = [&mut straight, &mut detour].map(|drag| drag.solve(view, press_px + *offset_px, held));
        let now = [&straight, &detour].map(|drag| applied(drag, &selected.targets));
        // If the cursor has no solution, the last motion holds, which differs between the two.
        if now.each_ref().map(|targets| bits(targets)) == before {
            return Case::Skipped;
        }
        match (a.change, b.change) {
            (Change::Rotate { principal: p, .. }, Change::Rotate { principal: q, turns, .. }) => {
                // With snapping, the total is a multiple, but a whole turn may not be one.
                if snapped & (turns != 0.0) || (p - q).abs() > 3.0 {
                    return Case::Skipped;
                }
                let rounding = 1e-14 * (1.0 + turns.abs());
                assert!((p - q).abs() < rounding, "{p} against {q} after {turns} turns");
            }
            (a, b) => {
                assert_eq!(a, b);
                assert_eq!(bits(&now[0]), bits(&now[1]));
            }
        }
        Case::Checked
    });
}

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
        let settings = Settings { solver: Solver::ScreenProjection, ..selected.settings };
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
                    * selected.scene.size_px(selected.settings.size_lpx);
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

/// Returns the distance of a number from the nearest multiple, in increments.
fn off_multiple(number: f64, increment: f64) -> f64 {
    let steps = number / increment;
    (steps - steps.round()).abs() / (1.0 + steps.abs())
}

#[test]
fn snapped_values_are_multiples_on_every_handle() {
    holds(&(selected(), offset_px(), snap()), 0.5, |(selected, offset_px, snap)| {
        let Some((mut drag, press_px)) = selected.begin(Snap::OFF) else { return Case::Skipped };
        let motion = drag.solve(&selected.scene.shot.view, press_px + *offset_px, *snap);
        if motion.clamped {
            return Case::Skipped;
        }
        let (constraint, numbers) = (drag.handle().constraint(), drag.numbers());
        let increment = match constraint.channel() {
            // The trackball is not snapped, because no single number describes it.
            Channel::Rotate if constraint == Constraint::Trackball => return Case::Skipped,
            Channel::Translate => snap.translate,
            Channel::Rotate => snap.rotate,
            Channel::Scale => snap.scale,
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
        Case::Checked
    });
}

#[test]
fn grid_snapped_pivot_lands_on_world_multiples() {
    let origin = (unit(), magnitude(-2.0, 2.0)).prop_map(|(toward, far)| toward * far);
    holds(&(selected(), offset_px(), snap(), origin), 0.15, |(selected, offset_px, snap, origin_world)| {
        let Some((mut drag, press_px)) = selected.begin(Snap::OFF) else { return Case::Skipped };
        let held = Modifiers {
            snap: *snap,
            snap_kind: SnapKind::Grid { origin_world: *origin_world },
            ..Modifiers::default()
        };
        let motion = drag.solve(&selected.scene.shot.view, press_px + *offset_px, held);
        let Change::Translate(by) = motion.change else { return Case::Skipped };
        let active = &selected.targets[selected.targets.len() - 1];
        let origin = match selected.settings.orientation {
            Orientation::World | Orientation::Custom(_) => *origin_world,
            Orientation::Parent if selected.settings.pivot != Pivot::EachTarget => {
                active.world_from_parent.w_axis.truncate()
            }
            _ => return Case::Skipped,
        };
        // Nothing moves until the cursor has left the pressed position, not even to a grid.
        if motion.clamped || motion.change.is_identity() {
            return Case::Skipped;
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
            Orientation::World => wgpu_gizmo::glam::DMat3::IDENTITY,
            Orientation::Custom(turn) => wgpu_gizmo::glam::DMat3::from_quat(turn.normalize()),
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
            _ => return Case::Skipped,
        }
        Case::Checked
    });
}

#[test]
fn no_drag_exceeds_max_distance() {
    let largest = magnitude(-2.0, 2.0);
    holds(&(selected(), offset_px(), snap(), largest, any::<[bool; 2]>()), 0.3, |case| {
        let (selected, offset_px, snap, largest, [snapped, on_grid]) = case;
        let settings = Settings { max_distance: Some(*largest), ..selected.settings };
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

/// Returns the position and the linear part of a target in world space.
fn world(target: &Target) -> (V<3>, [V<3>; 3]) {
    let Transform { translation, rotation, scale: by } = target.local;
    let parent = m4(target.world_from_parent);
    let point = apply(&parent, point4(v3(translation)));
    let turned = crate::dd::rotation(rotation);
    let columns = std::array::from_fn(|i| {
        let column = scale([turned[0][i], turned[1][i], turned[2][i]], Dd::from(by[i]));
        let [x, y, z, _] = apply(&parent, vector4(column));
        [x, y, z]
    });
    ([point[0], point[1], point[2]], columns)
}

fn largest<const N: usize>(v: V<N>) -> f64 {
    v.iter().fold(0.0, |max: f64, part| max.max(part.abs().to_f64()))
}

#[test]
fn locals_realize_world_change_under_any_parent() {
    holds(&(selected(), offset_px()), 0.6, |(selected, offset_px)| {
        let Some((mut drag, press_px)) = selected.begin(Snap::OFF) else { return Case::Skipped };
        let motion = drag.solve(&selected.scene.shot.view, press_px + *offset_px, Snap::OFF);
        let now = applied(&drag, &selected.targets);
        let each_by_itself = selected.settings.pivot == Pivot::Individual;
        for (index, (start, now)) in selected.targets.iter().zip(&now).enumerate() {
            if selected.is_inside(index) || motion.change.is_identity() {
                continue;
            }
            let ((was, was_linear), (is, is_linear)) = (world(start), world(now));
            let pivot = if each_by_itself { was } else { v3(drag.pivot_world()) };
            let arm = sub(was, pivot);
            let wanted = match motion.change {
                Change::Translate(by) => add(was, v3(by)),
                Change::Rotate { axis, principal, .. } => {
                    let (sine, cosine) = (0.5 * principal).sin_cos();
                    let turn = DQuat::from_vec4((axis * sine).extend(cosine));
                    add(pivot, apply(&crate::dd::rotation(turn), arm))
                }
                Change::RotateFreely(turn) => add(pivot, apply(&crate::dd::rotation(turn), arm)),
                Change::Resize { .. } => panic!("no handle of a mode resizes a box"),
                Change::Scale(by) => {
                    let along = |i: usize| v3(scale_axes(selected, &drag, i));
                    (0..3)
                        .fold(pivot, |sum, i| add(sum, scale(along(i), dot(along(i), arm) * Dd::from(by[i]))))
                }
            };
            let moved = sub(wanted, was);
            // Precision that a parent with a condition number of 10⁴ leaves of sixteen digits, for
            // the motion and for the position before and after scaling.
            let factor = match motion.change {
                Change::Scale(by) => by.abs().max_element(),
                _ => 1.0,
            };
            let (parent, local) = (&start.world_from_parent, start.local.translation);
            let terms = (0..3).map(|i| (parent.col(i).truncate() * local[i]).abs().max_element());
            let extent = terms.sum::<f64>() + largest(was) + largest(pivot);
            let unit = largest(moved) + (1e-3 + 1e-6 * factor) * extent;
            let off = largest(sub(is, wanted));
            assert!(off <= 1e-9 * unit, "{index}: {off:e} of {unit:e} by {motion:?}");
            let channel = drag.handle().constraint().channel();
            if channel != Channel::Scale {
                assert_eq!(now.local.scale, start.local.scale);
            }
            if channel != Channel::Rotate {
                assert_eq!(now.local.rotation, start.local.rotation);
            }
            if start.world_from_parent == DMat4::IDENTITY && !each_by_itself {
                let turn = match motion.change {
                    Change::Rotate { axis, principal, .. } => DQuat::from_axis_angle(axis, principal),
                    Change::RotateFreely(turn) => turn,
                    _ => continue,
                };
                let turn = crate::dd::rotation(turn);
                for (was, is) in was_linear.iter().zip(&is_linear) {
                    let off = largest(sub(apply(&turn, *was), *is));
                    assert!(off <= 1e-9 * largest(*was), "turned by {motion:?}");
                }
            }
        }
        Case::Checked
    });
}

/// Returns an axis that scaling applies to: that of the active target, as the drag of a scale
/// handle uses it.
fn scale_axes(_: &Selection, drag: &Drag, i: usize) -> DVec3 {
    to_dvec3(v3(drag.axes().col(i)))
}

/// §11: a typed number is exact, and the opposite number reverses it.
#[test]
fn opposite_typed_drags_cancel_to_four_ulp() {
    let number = (1u32..100_000, 0usize..5);
    holds(&(selected(), number), 0.45, |(selected, (digits, point))| {
        let mut text = digits.to_string();
        text.insert(text.len() - (*point).min(text.len()), '.');
        let number: f64 = text.parse().expect("digits and a point");
        let channel = selected.handle().constraint().channel();
        let typed = |targets: &[Target], text: &str| {
            let view = &selected.scene.shot.view;
            let settings = Settings { pivot: Pivot::Active, ..selected.settings };
            let mut drag =
                Drag::begin_by_keys(selected.handle(), view, targets, &settings, Snap::OFF).ok()?;
            for character in text.chars() {
                assert!(drag.key(Key::from_char(character).expect("it types"), Snap::OFF));
            }
            Some((drag.motion(), applied(&drag, targets)))
        };
        if channel == Channel::Scale {
            // No factor has an opposite number, and its inverse may not be typeable.
            return Case::Skipped;
        }
        let Some((there, away)) = typed(&selected.targets, &text) else { return Case::Skipped };
        match there.change {
            Change::Translate(by) => assert!((by.length() / number - 1.0).abs() < 1e-12, "{by} of {number}"),
            Change::Rotate { .. } => {
                let off = there.change.total_angle() - number.to_radians();
                assert!(off.abs() <= 1e-12 * number.to_radians(), "{there:?} of {number} degrees");
            }
            _ => {}
        }
        // Axes that rotated with the target differ from those of the first drag.
        if channel == Channel::Rotate
            && !matches!(
                selected.settings.orientation,
                Orientation::World | Orientation::View | Orientation::Custom(_)
            )
        {
            return Case::Skipped;
        }
        let Some((_, back)) = typed(&away, &format!("-{text}")) else { return Case::Skipped };
        for ((start, away), back) in selected.targets.iter().zip(&away).zip(&back) {
            let parts = |target: &Target| {
                let Transform { translation: t, rotation: r, .. } = target.local;
                (t.to_array(), r.to_array())
            };
            let ((t0, r0), (t1, _), (t2, r2)) = (parts(start), parts(away), parts(back));
            let of = |a: &[f64], b: &[f64]| a.iter().chain(b).fold(0.0, |m: f64, x| m.max(x.abs()));
            let ulp = f64::EPSILON * of(&t0, &t1);
            let off = t0.iter().zip(t2).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            if channel == Channel::Translate {
                assert!(off <= 4.0 * ulp, "{} ulp off", off / ulp);
                assert_eq!(r0, r2);
            } else if start.world_from_parent == DMat4::IDENTITY {
                let unit = |r: [f64; 4]| DQuat::from_array(r).normalize();
                let (a, b) = (unit(r0), unit(r2));
                let off = (a - b * a.dot(b).signum()).to_array();
                let off = off.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
                // The largest value is the angle.
                let ulp = f64::EPSILON * number.to_radians().max(1.0);
                assert!(off <= 4.0 * ulp, "{} ulp off", off / ulp);
            }
        }
        Case::Checked
    });
}

/// §9, checked by the definition of a polar factor: UᵀM is symmetric and positive semi-definite.
#[test]
fn rotation_under_non_uniform_parent_is_nearest() {
    let rings = prop_oneof![7usize..12];
    holds(&(selected(), rings, offset_px()), 0.2, |(selected, handle, offset_px)| {
        let settings = Settings { pivot: Pivot::Active, ..selected.settings };
        let target = selected.targets[0];
        let target = Target { inside: None, ..target };
        let selected = Selection { settings, handle: *handle, targets: vec![target], ..selected.clone() };
        let Some((mut drag, press_px)) = selected.begin(Snap::OFF) else { return Case::Skipped };
        let motion = drag.solve(&selected.scene.shot.view, press_px + *offset_px, Snap::OFF);
        let turn = match motion.change {
            Change::Rotate { axis, principal, .. } => {
                let (sine, cosine) = (0.5 * principal).sin_cos();
                DQuat::from_vec4((axis * sine).extend(cosine))
            }
            Change::RotateFreely(turn) => turn,
            other => panic!("{other:?} is not a rotation"),
        };
        if motion.change.is_identity() || target.world_from_parent == DMat4::IDENTITY {
            return Case::Skipped;
        }
        let now = applied(&drag, &selected.targets)[0].local;
        let parent = m4(target.world_from_parent);
        let parent: crate::dd::M<3> = std::array::from_fn(|i| std::array::from_fn(|j| parent[i][j]));
        let Some(inverse) = crate::dd::inverse(&parent) else { return Case::Skipped };
        let sheared = crate::dd::mul(&inverse, &crate::dd::mul(&crate::dd::rotation(turn), &parent));
        let before = crate::dd::rotation(target.local.rotation);
        let after = crate::dd::rotation(now.rotation);
        // UᵀM, where the local rotation is U = after · beforeᵀ.
        let local_turn = crate::dd::mul(&after, &crate::dd::transpose(&before));
        let symmetric = crate::dd::mul(&crate::dd::transpose(&local_turn), &sheared);
        let norm =
            |m: &crate::dd::M<3>| m.iter().map(|row| dot(*row, *row)).fold(Dd::ZERO, |a, b| a + b).sqrt();
        let all = norm(&sheared).to_f64();
        let twist = sub(symmetric[0], crate::dd::transpose(&symmetric)[0]);
        let twist = largest(twist).max((symmetric[1][2] - symmetric[2][1]).abs().to_f64());
        assert!(twist < 1e-9 * all, "{twist:e} of {all:e} is not symmetric");
        let [[a, b, c], [_, e, f], [.., i]] = symmetric;
        let minors = [a + e + i, a * e - b * b + (a * i - c * c) + (e * i - f * f)];
        let slack = Dd::from(-1e-9 * all);
        assert!(
            minors[0] > slack && minors[1] > slack * Dd::from(all),
            "not positive semi-definite: {minors:?}"
        );
        let stretched = |rotation: &crate::dd::M<3>| -> crate::dd::M<3> {
            rotation.map(|row| std::array::from_fn(|j| row[j] * Dd::from(target.local.scale[j])))
        };
        let wanted = crate::dd::mul(&sheared, &stretched(&before));
        let found = stretched(&after);
        let missed: crate::dd::M<3> = std::array::from_fn(|i| sub(wanted[i], found[i]));
        let missed = norm(&missed).to_f64() / target.local.scale.length();
        let residual = drag.residual();
        assert!((residual - missed).abs() < 1e-9 * all, "the residual is {residual}, expected {missed}");
        Case::Checked
    });
}

/// However flat a parent is, a drag that is not refused moves its target exactly, up to the
/// precision of local coordinates.
#[test]
fn nearly_flat_parent_moves_exactly_or_refuses() {
    let flat = (turn(), turn(), magnitude(-16.0, 0.0), magnitude(-8.0, 0.0));
    let refused = std::cell::Cell::new(0u32);
    holds(
        &(scene(), flat, 0usize..7, offset_px()),
        0.3,
        |(scene, (before, after, small, mid), handle, offset_px)| {
            let stretch = DVec3::new(1.0, *mid, *small);
            let parent = DMat4::from_quat(*after) * DMat4::from_scale(stretch) * DMat4::from_quat(*before);
            let parent = DMat4::from_translation(scene.pivot) * parent;
            let target = Target::new(Transform::IDENTITY, parent);
            let handle = HandleId::from_index(*handle).expect("the index is in the table");
            let view = &scene.shot.view;
            let Some(pivot_px) = view.px_from_world(scene.pivot) else { return Case::Skipped };
            let press_px = pivot_px + DVec2::new(40.0, 25.0);
            let begun = Drag::begin(handle, view, press_px, &[target], &Settings::default(), Snap::OFF);
            let Ok(mut drag) = begun else {
                refused.set(refused.get() + 1);
                return Case::Skipped;
            };
            let motion = drag.solve(view, press_px + *offset_px, Snap::OFF);
            let Change::Translate(by) = motion.change else { return Case::Skipped };
            let now = applied(&drag, &[target])[0];
            let moved = sub(world(&now).0, world(&target).0);
            let condition = 1.0 / small.min(*mid);
            let off = largest(sub(moved, v3(by)));
            let unit = by.abs().max_element() + 1e-300;
            assert!(
                off <= 64.0 * f64::EPSILON * condition * unit,
                "{off:e} of {unit:e}, condition {condition:e}"
            );
            Case::Checked
        },
    );
    println!("{} refused", refused.get());
}
