//! Far from the world's origin, no more precision is lost than `f64` coordinates imply.

use crate::oracle::{Answer, Situation, glance};
use crate::prelude::*;

/// Distance from the origin, in world units.
const FAR: f64 = 1e7;

/// A camera at a distance of 10⁷ from the origin, 10 to 30 units from its focus.
fn far_camera() -> impl Strategy<Value = Camera> {
    (unit(), unit(), unit(), magnitude(1.0, 1.5)).prop_map(|(toward, forward, up, distance)| {
        let up = up.reject_from_normalized(forward);
        let up = if up.length() < 0.1 { forward.any_orthonormal_vector() } else { up };
        let eye = toward * FAR;
        let viewport = Viewport::from_size(1280, 720);
        Camera { eye, look_at: eye + forward * distance, up, viewport, scale_factor: 1.0 }
    })
}

fn far_scene() -> impl Strategy<Value = Scene> {
    (projection(), far_camera(), 0.2..0.8, 0.2..0.8).prop_map(|(projection, camera, x, y)| {
        let distance = camera.eye.distance(camera.look_at);
        let scene = Scene::of(projection, &camera, DVec2::new(x, y), distance);
        scene.expect("a ray intersects a plane that it is not parallel to")
    })
}

/// Returns the scene after its camera has turned about the eye.
fn turned(scene: &Scene, by: DQuat) -> Scene {
    let plain = scene.plain;
    let look_at = plain.eye + by * (plain.look_at - plain.eye);
    let camera = Camera { look_at, up: by * plain.up, ..plain };
    let turned = Scene::of(scene.projection, &camera, DVec2::splat(0.5), 1.0);
    turned.expect("a ray intersects a plane that it is not parallel to")
}

/// Checks the error relative to the motion of the object or of the hand, whichever is longer (a
/// millimeter to a meter), and relative to the coordinate, whose last digit is 2·10⁻⁹ units. The
/// eye has the same precision, which limits that of the motion.
#[test]
fn millimeter_drag_at_ten_million_is_exact() {
    let along = (-3.0..0.0, 0.0..std::f64::consts::TAU);
    holds(&(far_scene(), 0usize..7, turn(), (0.0..1.0, 0.0..1.0), along), 0.5, |case| {
        let (scene, handle, frame, (u, v), (power, toward)) = case;
        let handle = HandleId::from_index(*handle).expect("the index is in the table");
        let constraint = handle.constraint();
        let pivot = v3(scene.pivot);
        if scene.truth.w(pivot) <= Dd::ZERO {
            return None;
        }
        let axes = Axis::ALL.map(|axis| apply(&rotation(*frame), v3(axis.unit())));
        let settings = Settings::default().with(|s| s.orientation = Orientation::Custom(*frame));
        let per_px = scene.truth.pixel_size(pivot).to_f64();
        let size = per_px * scene.size_px(settings.display.size_lpx);
        let at = add(pivot, v3(point_of(constraint, axes.map(to_dvec3), *u, *v) * size));
        let press_px = DVec2::from_array(scene.truth.px(at).map(Dd::to_f64));
        let cursor_px = press_px + DVec2::from_angle(*toward) * (10f64.powf(*power) / per_px);
        let situation = Situation {
            press: scene,
            now: scene,
            pivot,
            axes,
            press_px: px2(press_px),
            cursor_px: px2(cursor_px),
            settings: &settings,
        };
        if glance(scene, constraint, &axes, situation.press_px) < 30f64.to_radians().sin() {
            return None;
        }
        let Some(Answer::Move(wanted)) = situation.solve(constraint) else { return None };
        let mut targets = [Target::from_world(Transform::from_translation(scene.pivot))];
        let begun = Drag::begin(handle, &scene.shot.view, press_px, &targets, &settings, Snap::OFF);
        let mut drag = begun.ok()?;
        let Change::Translate(by) = drag.solve(&scene.shot.view, cursor_px, Snap::OFF).change else {
            panic!("no translation")
        };
        drag.apply(&mut targets);
        let hand = 10f64.powf(*power);
        let of_motion = length(sub(v3(by), wanted)).to_f64() / hand.max(length(wanted).to_f64());
        let landed = v3(targets[0].local.translation);
        let of_coordinate = length(sub(landed, add(pivot, wanted))).to_f64() / length(landed).to_f64();
        assert!(of_coordinate < 2.0 * f64::EPSILON, "{of_coordinate:e} of the coordinate");
        assert!(of_motion < 1e-9, "{of_motion:e} of the motion {by} with a hand motion of {hand}");
        Some(())
    });
}

#[test]
fn gizmo_at_ten_million_does_not_jitter() {
    let turning = (unit(), magnitude(-4.0, -2.0));
    holds_in(1_000, &(far_scene(), turn(), turning), 0.7, |(scene, frame, (about, step))| {
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has free ids");
        gizmo.settings = Settings::default().with(|s| {
            s.mode = Mode::Rotate;
            s.orientation = Orientation::Custom(*frame);
        });
        let mut targets = [Target::from_world(Transform::from_translation(scene.pivot))];
        let mut list = DrawList::new();
        let mut seen = 0;
        for frame_count in 0..12 {
            let turned = turned(scene, DQuat::from_axis_angle(*about, step * f64::from(frame_count)));
            let (view, truth) = (&turned.shot.view, &turned.truth);
            gizmo.update(view, &mut targets);
            list.begin(view);
            gizmo.draw(&mut list);
            let pivot = v3(scene.pivot);
            let size = truth.pixel_size(pivot) * Dd::from(turned.size_px(gizmo.settings.display.size_lpx));
            for item in list.items().iter().filter(|item| item.mesh == MeshKind::Ring) {
                // Unit axes of the ring; their rounding does not depend on its position.
                let axes = Axis::ALL.map(|axis| item.world_from_part.matrix3.col(axis.index()).normalize());
                // The outer ring has a different radius.
                let part_size = item.world_from_part.matrix3.x_axis.length() / size.to_f64();
                let part_size = if part_size > 1.07 { 1.15 } else { 1.0 };
                for (i, j, signs) in [(0, 1, [0.6, 0.8]), (1, 2, [-0.8, 0.6]), (2, 0, [0.0, -1.0])] {
                    let mut point = [0.0; 3];
                    (point[i], point[j]) = (signs[0], signs[1]);
                    let offset = (0..3).fold([Dd::ZERO; 3], |sum, k| {
                        add(sum, scale(v3(axes[k]), size * Dd::from(point[k] * part_size)))
                    });
                    let at = add(pivot, offset);
                    if truth.w(at) <= truth.w(pivot) * Dd::from(0.2) {
                        continue;
                    }
                    let wanted = DVec2::from_array(truth.px(at).map(Dd::to_f64));
                    // Points far outside of the viewport are not visible.
                    if wanted.distance(turned.center_px()) > 4000.0 {
                        continue;
                    }
                    let drawn = item
                        .px_from_part(DVec3::from_array(point))
                        .expect("the point is in front of the camera");
                    let off = drawn.distance(wanted);
                    // Half of the allowed movement from frame to frame.
                    assert!(off < 0.05, "{off} px off in frame {frame_count}, at {wanted}");
                    seen += 1;
                }
            }
        }
        (seen > 20).then_some(())
    });
}
