//! §3 to §10 of docs/spec.md: properties of every drag, in any view, with one to five targets under
//! any parents, and every handle, orientation, pivot, solver and cursor.

mod parents;
mod snapping;

pub(crate) use crate::drag_ends::all_bits as bits;
use crate::prelude::*;

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
    prop_oneof![4 => select(&Orientation::PRESETS), 1 => turn().prop_map(Orientation::Custom)]
}

/// Parent, local transform, index of the target that contains it, and whether it has bounds.
type TargetParts = (Option<DMat4>, (DQuat, DVec3, DVec3), Option<usize>, bool);

fn targets() -> impl Strategy<Value = Vec<TargetParts>> {
    vec((weighted(0.7, parent()), local(), weighted(0.2, 0usize..5), any::<bool>()), 1..=5)
}

pub(crate) fn selected() -> impl Strategy<Value = Selection> {
    let by_px = (-110.0..110.0, -110.0..110.0).prop_map(|(x, y)| DVec2::new(x, y));
    // Without a preset, the given point.
    let pivot = weighted(0.8, select(&Pivot::PRESETS));
    (
        scene(),
        targets(),
        0..HandleId::BUILT_IN,
        by_px,
        orientation(),
        pivot,
        select(&Solver::ALL),
        any::<bool>(),
    )
        .prop_map(|(scene, parts, handle, press_by_px, orientation, pivot, solver, allow_mirror)| {
            let height = scene.truth.visible_height(v3(scene.pivot)).to_f64();
            let one = |(parent, (rotation, scale, offset), inside, bounded): TargetParts| {
                let parent = parent.unwrap_or(DMat4::IDENTITY);
                let position = scene.pivot + offset * (0.3 * height);
                let translation = parent.inverse().transform_point3(position);
                let local = Transform { translation, rotation, scale };
                let bounds_local = bounded.then_some([DVec3::splat(-0.1), DVec3::new(0.2, 0.1, 0.3)]);
                let mut target = Target::new(local, parent);
                (target.bounds_local, target.inside) = (bounds_local, inside);
                target
            };
            let targets: Vec<Target> = parts.into_iter().map(one).collect();
            let settings = Settings::default().with(|s| {
                s.orientation = orientation;
                s.pivot = pivot.unwrap_or(Pivot::Custom(scene.pivot));
                s.motion.solver = solver;
                s.motion.allow_mirror = allow_mirror;
            });
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

pub(crate) fn moved(scene: &Scene, camera_offset: Option<(DVec3, f64)>) -> Scene {
    let Some((toward, by)) = camera_offset else { return scene.clone() };
    let distance = scene.plain.eye.distance(scene.plain.look_at);
    let camera = Camera { eye: scene.plain.eye + toward * (by * distance), ..scene.plain };
    let moved = Scene::of(scene.projection, &camera, DVec2::splat(0.5), 1.0);
    Scene { pivot: scene.pivot, ..moved.expect("a ray intersects a plane that it is not parallel to") }
}

pub(crate) fn applied(drag: &Drag, targets: &[Target]) -> Vec<Target> {
    let mut now = targets.to_vec();
    drag.apply(&mut now);
    now
}

#[test]
fn any_drag_stays_finite_and_cancel_restores_bits() {
    holds(&(selected(), steps(), snap()), 0.8, |(selected, steps, snap)| {
        let (mut drag, press_px) = selected.begin(Snap::OFF)?;
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
        Some(())
    });
}

#[test]
fn return_to_press_restores_bits_after_any_path() {
    holds(&(selected(), steps(), snap(), any::<bool>()), 0.8, |(selected, steps, snap, snapped)| {
        let held = if *snapped { *snap } else { Snap::OFF };
        let (mut drag, press_px) = selected.begin(held)?;
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
        Some(())
    });
}

/// Only whole turns and the point at which the precision key changed are remembered; everything else follows from the
/// cursor.
#[test]
fn total_motion_is_independent_of_path() {
    holds(&(selected(), steps(), offset_px(), snap(), any::<bool>()), 0.6, |case| {
        let (selected, steps, offset_px, snap, snapped) = case;
        let (mut straight, press_px) = selected.begin(Snap::OFF)?;
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
            return None;
        }
        match (a.change, b.change) {
            (Change::Rotate { principal: p, .. }, Change::Rotate { principal: q, turns, .. }) => {
                // With snapping, the total is a multiple, but a whole turn may not be one. A press in the dead zone
                // has no angle, so the first cursor outside of it counts, which differs between the two.
                let is_dead = selected.press_by_px.length() < 2.0 * view.scale_factor();
                if is_dead || snapped & (turns != 0.0) || (p - q).abs() > 3.0 {
                    return None;
                }
                let rounding = 1e-14 * (1.0 + turns.abs());
                assert!((p - q).abs() < rounding, "{p} against {q} after {turns} turns");
            }
            (a, b) => {
                assert_eq!(a, b);
                assert_eq!(bits(&now[0]), bits(&now[1]));
            }
        }
        Some(())
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
        let (mut drag, press_px) = selected.begin(Snap::OFF)?;
        let snap_kind =
            if *on_grid { SnapKind::Grid { origin_world: DVec3::ZERO } } else { SnapKind::Relative };
        let held = Modifiers { snap, snap_kind, ..Modifiers::default() };
        let motion = drag.solve(&selected.scene.shot.view, press_px + *offset_px, held);
        let Change::Translate(by) = motion.change else { return None };
        assert!(by.length() <= largest * (1.0 + 1e-9), "{} of {largest}", by.length());
        Some(())
    });
}

fn largest<const N: usize>(v: V<N>) -> f64 {
    v.iter().fold(0.0, |max: f64, part| max.max(part.abs().to_f64()))
}
