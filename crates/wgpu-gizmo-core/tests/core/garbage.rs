//! Garbage input (§15 of docs/spec.md): nothing panics, and finite targets stay finite.

pub(crate) mod input;
mod others;

use crate::oracle::{between, handle_of};
use crate::seed::fresh_cases;
use crate::stage::answer_with;
use crate::views::{self, Camera};
use fastrand::Rng;
use input::{cursor, number, theme, vector, view};
use std::cell::Cell;
use wgpu_gizmo_core::draw::DepthStyle;
use wgpu_gizmo_core::draw::parts::Triangles;
use wgpu_gizmo_core::glam::{BVec3, DMat4, DQuat, DVec2, DVec3, DVec4};
use wgpu_gizmo_core::handle::{Axis, Constraint};
use wgpu_gizmo_core::interaction::settings::{
    Axes, AxisKeys, BoxHandles, BoxResult, GrabMode, Limits, Locks, Pivot, ShearPolicy, SnapKind, SnapSource,
};
use wgpu_gizmo_core::interaction::{DisabledReason, Drag, HeldKeys, Key, KeyModifiers, Pointer};
use wgpu_gizmo_core::pick::snap::SnapTo;
use wgpu_gizmo_core::{
    DrawList, Gizmo, HandleId, IdSpace, Increment, Mode, Orientation, PickAnswer, PickOutcome, Settings,
    Snap, Solver, Target, Transform,
};

fn quaternion(rng: &mut Rng) -> DQuat {
    if rng.u8(..4) == 0 {
        return DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    }
    DQuat::from_vec4(DVec4::new(number(rng), number(rng), number(rng), number(rng)))
}

fn target(rng: &mut Rng) -> Target {
    let tame = rng.u8(..3) != 0;
    let local = if tame {
        Transform { translation: DVec3::ONE * between(rng, -1.0, 1.0), ..Transform::IDENTITY }
    } else {
        Transform { translation: vector(rng), rotation: quaternion(rng), scale: vector(rng) }
    };
    let world_from_parent = match rng.u8(..6) {
        0 => DMat4::from_cols_array(&std::array::from_fn(|_| number(rng))),
        1 => DMat4::from_scale(vector(rng)),
        2 => DMat4::ZERO,
        _ => DMat4::IDENTITY,
    };
    let bounds_local = rng.bool().then(|| [vector(rng), vector(rng)]);
    let inside = (rng.u8(..4) == 0).then(|| rng.usize(..5));
    let mut target = Target::new(local, world_from_parent);
    (target.bounds_local, target.inside) = (bounds_local, inside);
    target
}

fn snap(rng: &mut Rng) -> Snap {
    let mut increment = || Increment::new(number(rng));
    Snap { translate: increment(), rotate: increment(), scale: increment() }
}

fn any_handle(rng: &mut Rng) -> HandleId {
    let mut all = HandleId::all().chain(HandleId::box_handles());
    all.nth(rng.usize(..HandleId::BUILT_IN + 26)).expect("the index is in one of the tables")
}

fn settings(rng: &mut Rng) -> Settings {
    Settings::default().with(|s| {
        s.mode = [Mode::None, Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal][rng.usize(..5)];
        s.orientation = match rng.u8(..5) {
            0 => Orientation::World,
            1 => Orientation::Parent,
            2 => Orientation::Local,
            3 => Orientation::View,
            _ => Orientation::Custom(quaternion(rng)),
        };
        s.pivot = [
            Pivot::Median,
            Pivot::Active,
            Pivot::Individual,
            Pivot::BoundsCenter,
            Pivot::Custom(vector(rng)),
            Pivot::EachTarget,
        ][rng.usize(..6)];
        s.motion.solver =
            [Solver::ScreenProjection, Solver::ClosestPoint, Solver::MovementPlane][rng.usize(..3)];
        s.snap.increments = snap(rng);
        s.snap.while_held = snap(rng);
        s.display.size_lpx = if rng.bool() { 96.0 } else { number(rng) };
        s.input.tolerance_lpx = number(rng);
        s.motion.max_distance = rng.bool().then(|| number(rng));
        s.motion.allow_mirror = rng.bool();
        s.motion.shear = [ShearPolicy::BestFit, ShearPolicy::LocalOnly, ShearPolicy::Reject][rng.usize(..3)];
        s.snap.kind = match rng.u8(..3) {
            0 => SnapKind::Relative,
            1 => SnapKind::Grid { origin_world: vector(rng) },
            _ => SnapKind::Value,
        };
        s.motion.limits = Limits {
            translation: [vector(rng), vector(rng)],
            scale: [vector(rng), vector(rng)],
            angle: [number(rng), number(rng)],
        };
        s.motion.locks = Locks {
            translation: BVec3::new(rng.bool(), rng.bool(), rng.bool()),
            rotation: rng.bool(),
            scale: BVec3::new(rng.bool(), rng.bool(), rng.bool()),
        };
        s.input.wheel_nudge = rng.bool();
        s.input.meters_per_unit = number(rng);
        s.input.axis_keys = AxisKeys::ALL[rng.usize(..3)];
        s.display.depth_style =
            [DepthStyle::Dimmed { opacity: number(rng) as f32 }, DepthStyle::Hidden][rng.usize(..2)];
        s.snap.to = SnapTo::EACH[rng.usize(..5)];
        s.snap.source = SnapSource::ALL[rng.usize(..3)];
        s.snap.align_to_normal = rng.bool().then_some(Axis::Z);
        if rng.bool() {
            let shown = s.box_handles.insert(BoxHandles::default());
            shown.result = BoxResult::ALL[rng.usize(..2)];
            shown.keep_aspect = rng.bool();
            shown.min_size = number(rng);
        }
        s.input.grab = GrabMode::ALL[rng.usize(..3)];
        s.input.click_to_type = rng.bool();
        s.axes = Axes::ALL[rng.usize(..2)];
        s.input.orbit_in_drag = rng.bool();
        s.display.flip_toward_camera = rng.bool();
        s.display.construction_lines = rng.bool();
    })
}

fn key(rng: &mut Rng) -> Key {
    const KEYS: [Key; 14] = [
        Key::Axis(Axis::X),
        Key::Axis(Axis::Z),
        Key::Plane(Axis::Y),
        Key::Digit(9),
        Key::Digit(0),
        Key::Point,
        Key::Minus,
        Key::Backspace,
        Key::Tab,
        Key::Left,
        Key::Up,
        Key::Down,
        Key::Enter,
        Key::Escape,
    ];
    KEYS[rng.usize(..KEYS.len())]
}

/// Asserts that no finite target has become non-finite.
fn assert_still_finite(before: &[Target], after: &[Target], step: u32) {
    for (before, after) in before.iter().zip(after) {
        let is_valid = after.local.is_finite() || !before.local.is_finite();
        assert!(is_valid, "step {step}: {before:?} became {after:?}");
    }
}

#[test]
fn gizmo_survives_garbage_input() {
    let drags = Cell::new(0u64);
    fresh_cases(80, |rng| {
        let mut ids = IdSpace::new();
        let mut gizmo = Gizmo::new(&mut ids).expect("ids are free");
        let (mut list, mut triangles) = (DrawList::new(), Triangles::new());
        let mut shown = view(rng);
        let mut targets: Vec<Target> = vec![target(rng)];
        let mut query = None;
        for step in 0..2_000 {
            match rng.u8(..80) {
                0 => {
                    gizmo.settings = settings(rng);
                    gizmo.theme = theme(rng);
                }
                1 | 2 => shown = view(rng),
                3 => targets = (0..rng.usize(..4)).map(|_| target(rng)).collect(),
                4 => gizmo.pointer_left(),
                5..15 => gizmo.pointer_pressed(),
                15..18 => gizmo.pointer_released(),
                18 => gizmo.cancel(),
                19 => gizmo.set_held_keys(HeldKeys {
                    snap: rng.bool(),
                    precision: rng.bool(),
                    symmetric: rng.bool(),
                }),
                20 => gizmo.scene_changed(),
                45 => gizmo.wheel(rng.f64() * 6.0 - 3.0),
                46..52 => gizmo.key(key(rng), KeyModifiers::NONE),
                21..26 => gizmo.answer_on_cpu(),
                26..45 => {
                    query = gizmo.pick_query().or(query);
                    let handle = any_handle(rng);
                    let answer = query.map(|query| match rng.u8(..6) {
                        0 => PickAnswer::new(query, PickOutcome::Lost),
                        _ => answer_with(query, gizmo.id_of(handle)),
                    });
                    answer.iter().for_each(|answer| gizmo.answer(answer));
                }
                _ => gizmo.pointer_moved(cursor(rng)),
            }
            let before = targets.clone();
            let hooked = (rng.u8(..9) == 0).then(|| vector(rng));
            gizmo.update_with(&shown, &mut targets, &mut |_| hooked);
            assert_still_finite(&before, &targets, step);
            drags.set(drags.get() + u64::from(gizmo.is_active()));
            list.begin(&shown);
            gizmo.draw(&mut list);
            list.pick(cursor(rng), number(rng));
            if step % 8 == 0 {
                list.triangles_px(&mut triangles);
                let count = triangles.vertices().len() as u32;
                assert!(triangles.indices().iter().all(|index| *index < count));
                assert!(triangles.vertices().iter().all(|v| v.position_px.iter().all(|px| px.is_finite())));
            }
        }
    });
    assert!(drags.get() > 5_000, "only {} steps with a drag", drags.get());
}

#[test]
fn drag_with_garbage_input_stays_finite() {
    let moved = Cell::new(0u64);
    fresh_cases(30_000, |rng| {
        let handle = any_handle(rng);
        let starts: Vec<Target> = (0..rng.usize(..3)).map(|_| target(rng)).collect();
        let begun = Drag::begin(handle, &view(rng), cursor(rng), &starts, &settings(rng), snap(rng));
        let Ok(mut drag) = begun else { return };
        for step in 0..5 {
            drag.solve(&view(rng), cursor(rng), snap(rng));
            if rng.u8(..4) == 0 {
                drag.key(key(rng), snap(rng));
            }
            assert!(drag.residual().is_finite() && drag.numbers().iter().all(|n| n.is_finite()));
            let mut targets = starts.clone();
            drag.apply(&mut targets);
            assert_still_finite(&starts, &targets, step);
            moved.set(moved.get() + u64::from(targets != starts));
        }
    });
    assert!(moved.get() > 2_000, "only {} steps moved a target", moved.get());
}

#[test]
fn immediate_mode_survives_garbage_input() {
    fresh_cases(20, |rng| {
        let mut ids = IdSpace::new();
        let mut gizmo = Gizmo::new(&mut ids).expect("ids are free");
        let mut list = DrawList::new();
        let mut world = Transform::IDENTITY;
        let shown = view(rng);
        for _ in 0..1_000 {
            if rng.u8(..50) == 0 {
                gizmo.settings = settings(rng);
            }
            let pointer = Pointer {
                position_px: (rng.u8(..9) != 0).then(|| cursor(rng)),
                primary_down: rng.u8(..9) != 0,
                cancel_down: rng.u8(..20) == 0,
                held: HeldKeys { snap: rng.bool(), precision: rng.bool(), symmetric: rng.bool() },
            };
            gizmo.interact(&shown, pointer, &mut world);
            assert!(world.is_finite(), "{world:?}");
            if rng.u8(..20) != 0 {
                list.begin(&shown);
                gizmo.draw(&mut list);
            }
        }
    });
}

#[test]
fn end_on_axis_and_plane_are_refused_or_hold() {
    // Each view looks along an axis, so no solver has a solution.
    for projection in views::ALL {
        for axis in Axis::ALL {
            let eye = axis.unit() * 5.0;
            let shot = projection.shot(&Camera { up: axis.others()[0].unit(), ..Camera::at(eye) });
            for constraint in [Constraint::Axis(axis), Constraint::ScaleAxis(axis), Constraint::Ring(axis)] {
                for solver in [Solver::ScreenProjection, Solver::ClosestPoint, Solver::MovementPlane] {
                    let start = [Target::from_world(Transform::IDENTITY)];
                    let settings = Settings::default().with(|s| s.motion.solver = solver);
                    let press = DVec2::new(420.0, 310.0);
                    let begun =
                        Drag::begin(handle_of(constraint), &shot.view, press, &start, &settings, Snap::OFF);
                    let mut drag = match begun {
                        Ok(drag) => drag,
                        Err(reason) => {
                            assert_eq!(reason, DisabledReason::SeenEndOn, "{constraint:?}");
                            continue;
                        }
                    };
                    drag.solve(&shot.view, DVec2::new(17.0, 590.0), Snap::OFF);
                    let mut targets = start;
                    drag.apply(&mut targets);
                    assert!(targets[0].local.is_finite());
                }
            }
        }
    }
}
