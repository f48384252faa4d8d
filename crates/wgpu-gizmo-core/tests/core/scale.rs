//! Scale handles (§7 of docs/spec.md).

use crate::prelude::*;

/// A scale handle that points at the viewer stops at a tenth of the pivot's distance; before, it is at its
/// length.
#[test]
fn stretched_handle_stays_in_front_of_viewer() {
    let mut stage = Stage::of_mode(Mode::Scale);
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::new(0.4, 0.3, 6.0)));
    stage.update();
    let pivot_w = stage.shot.view.clip_w(DVec3::ZERO);
    let size = stage.size();
    stage.gizmo.grab(handle("scale_z"));
    stage.update();
    for factor in ["2", "3", "5", "70", "4000"] {
        stage.keys(factor);
        let list = stage.draw();
        let id = stage.gizmo.id_of(handle("scale_z"));
        let cubes = list.items().iter().filter(|item| item.id == Some(id));
        let farthest = cubes.map(|item| item.world_from_part.translation.z).fold(0.0, f64::max);
        let nearest_w = stage.shot.view.clip_w(DVec3::Z * farthest);
        let wanted = factor.parse::<f64>().expect("a number") * size;
        let is_near = stage.shot.view.clip_w(DVec3::Z * wanted) < 0.1 * pivot_w;
        if is_near {
            assert!((nearest_w / pivot_w - 0.1).abs() < 1e-9, "{factor}: {}", nearest_w / pivot_w);
        } else {
            // The center of the cube is before the end of the handle.
            assert!((0.9..1.0).contains(&(farthest / wanted)), "{factor}: {farthest} instead of {wanted}");
        }
        stage.keys(&"<".repeat(factor.len()));
    }
}

#[test]
fn parts_are_drawn_where_they_are_in_world() {
    for mode in [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal] {
        let mut stage = Stage::of_mode(mode);
        stage.gizmo.settings.box_handles = Some(Default::default());
        let bounds = [DVec3::new(-0.4, -0.3, -0.6), DVec3::new(0.5, 0.7, 0.2)];
        stage.targets[0].bounds_local = Some(bounds);
        stage.targets[0].local.rotation = DQuat::from_rotation_y(0.3);
        stage.gizmo.settings.orientation = Orientation::Local;
        stage.update();
        for item in stage.draw().items() {
            for point in [DVec3::ZERO, DVec3::new(0.3, 0.2, 0.1)] {
                let drawn = item.px_from_part(point).expect("the part is in front");
                let expected = px(&stage.shot, item.world_from_part.transform_point3(point));
                assert!(drawn.distance(expected) < 1e-6, "{mode:?}: {drawn} instead of {expected}");
            }
        }
    }
}

#[test]
fn precision_far_away_keeps_maximum_factor() {
    let mut stage = Stage::of_mode(Mode::Scale);
    stage.grab(stage.at(DVec3::ZERO));
    for held in [HeldKeys::NONE, HeldKeys { precision: true, ..HeldKeys::NONE }, HeldKeys::NONE] {
        stage.gizmo.set_held_keys(held);
        stage.point_at(DVec2::X * 200_000.0);
        assert_eq!(stage.local().scale, DVec3::splat(1e6), "{held:?}");
    }
}

#[test]
fn square_scales_alike_on_either_side_of_viewer() {
    for (eye_x, grab) in [(3.0, DVec3::new(0.4, 0.4, 0.0)), (-3.0, DVec3::new(-0.4, 0.4, 0.0))] {
        let mut stage = Stage::of_mode(Mode::Scale);
        stage.gizmo.settings.display.flip_toward_camera = true;
        stage.shot = views::ALL[0].shot(&Camera::at(DVec3::new(eye_x, 2.5, 5.0)));
        stage.update();
        stage.grab(stage.at(grab));
        stage.point_at(stage.at(2.0 * grab));
        let error = stage.local().scale - DVec3::new(2.0, 2.0, 1.0);
        assert!(error.length() < 1e-9, "from {eye_x}: {}", stage.local().scale);
    }
}
