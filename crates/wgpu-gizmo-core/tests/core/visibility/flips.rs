//! Handles that flip toward the viewer.

use super::{from_angle, items};
use crate::oracle::handle;
use crate::stage::Stage;
use crate::views::{self, Camera};
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::math::Ray;
use wgpu_gizmo_core::{HandleId, Mode};

/// Returns a point of a handle's mesh, in sizes from the pivot.
fn mesh_point(stage: &mut Stage, name: &str, corner: DVec3) -> DVec3 {
    let list = stage.draw();
    let item = *items(&list, stage, name).last().expect("the handle is shown");
    (item.world_from_part.transform_point3(corner) - stage.pivot()) / stage.size()
}

#[test]
fn flipped_handles_face_viewer_and_can_be_grabbed() {
    let center = DVec3::new(0.0, 0.5, 0.5);
    for projection in views::ALL {
        for mode in [Mode::Translate, Mode::Scale] {
            for eye in [DVec3::new(-4.0, 3.0, 5.0), DVec3::new(-3.0, -5.0, 4.0), DVec3::new(-3.0, -4.0, -5.0)]
            {
                let mut stage = Stage::of_mode(mode);
                stage.gizmo.settings.display.flip_toward_camera = true;
                stage.shot = projection.shot(&Camera::at(eye));
                stage.update();
                let prefix = if mode == Mode::Scale { "scale" } else { "translate" };
                for (axis, name) in Axis::ALL.into_iter().zip(["x", "y", "z"]) {
                    let tip = mesh_point(&mut stage, &format!("{prefix}_{name}"), DVec3::ZERO);
                    assert!(tip.dot(eye) > 0.0, "{}: {tip} from {eye}", projection.name);
                    assert!(tip.dot(axis.unit()).abs() > 0.7 && tip.reject_from(axis.unit()).length() < 1e-9);
                }
                for (normal, name) in [(0, "yz"), (1, "zx"), (2, "xy")] {
                    let square = mesh_point(&mut stage, &format!("{prefix}_{name}"), center);
                    let expected = eye.signum() * 0.4;
                    for i in (0..3).filter(|i| *i != normal) {
                        assert!((square[i] - expected[i]).abs() < 1e-9, "{}: {square}", projection.name);
                    }
                }
                let list = stage.draw();
                for item in list.items() {
                    let turned = item.world_from_part.matrix3;
                    assert!(turned.determinant() > 0.0, "mirrored: {item:?}");
                }
                // The pick agrees with the drawn position.
                let on_x = stage.at(DVec3::new(-0.6, 0.0, 0.0));
                let found = list.pick(on_x, 5.0).and_then(|id| stage.gizmo.handle_of(id));
                assert_eq!(
                    found.map(HandleId::name),
                    Some(if mode == Mode::Scale { "scale_x" } else { "translate_x" })
                );
            }
        }
    }
}

#[test]
fn flip_has_hysteresis_and_waits_for_release() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.gizmo.settings.display.flip_toward_camera = true;
    // The angle between the X axis and the image plane, positive if X points away from the viewer.
    let side = |stage: &mut Stage, degrees: f64| {
        from_angle(stage, DVec3::Z, DVec3::NEG_X, degrees);
        mesh_point(stage, "translate_x", DVec3::ZERO).x.signum()
    };
    for (degrees, sign) in [(-20.0, 1.0), (2.0, 1.0), (4.0, -1.0), (-2.0, -1.0), (-4.0, 1.0), (30.0, -1.0)] {
        assert_eq!(side(&mut stage, degrees), sign, "at {degrees}°");
    }
    stage.grab(stage.at(DVec3::X * -0.7));
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_x")));
    assert_eq!(side(&mut stage, -30.0), -1.0, "no flip during a drag");
    // The drag moves along the axis, not against it.
    stage.point_at(stage.at(DVec3::X * 0.3));
    assert!(stage.local().translation.x > 0.5, "{}", stage.local().translation);
    stage.release();
    assert_eq!(side(&mut stage, -30.0), 1.0);
}

#[test]
fn pick_only_view_does_not_hide_visible_change() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.gizmo.settings.display.flip_toward_camera = true;
    from_angle(&mut stage, DVec3::Z, DVec3::NEG_X, -20.0);
    stage.draw();
    from_angle(&mut stage, DVec3::Z, DVec3::NEG_X, 2.0);
    stage.update();
    let sign = mesh_point(&mut stage, "translate_x", DVec3::ZERO).x.signum();
    assert!(!stage.gizmo.needs_redraw(0));
    // Another view of the same viewport is picked but not drawn.
    let here = stage.shot;
    from_angle(&mut stage, DVec3::Z, DVec3::NEG_X, 20.0);
    stage.hover(DVec2::new(1.0, 1.0));
    stage.shot = here;
    stage.update();
    let needs_redraw = stage.gizmo.needs_redraw(0);
    let now = mesh_point(&mut stage, "translate_x", DVec3::ZERO).x.signum();
    assert!(needs_redraw && now != sign, "needs redraw: {needs_redraw}; from {sign} to {now}");
}

#[test]
fn outward_drag_of_flipped_scale_handle_enlarges() {
    for (eye, from, expected) in [
        (DVec3::new(-4.0, 3.0, 5.0), DVec3::new(-0.4, 0.4, 0.0), DVec3::new(2.0, 2.0, 1.0)),
        (DVec3::new(-4.0, -3.0, 5.0), DVec3::new(-0.4, -0.4, 0.0), DVec3::new(2.0, 2.0, 1.0)),
        (DVec3::new(4.0, 3.0, -5.0), DVec3::new(0.4, 0.0, -0.4), DVec3::new(2.0, 1.0, 2.0)),
        (DVec3::new(-4.0, 3.0, 5.0), DVec3::new(-0.6, 0.0, 0.0), DVec3::new(2.0, 1.0, 1.0)),
    ] {
        for pivot in [DVec3::ZERO, DVec3::new(7.0, 8.0, 0.0), DVec3::new(5.0, -3.0, -8.0)] {
            let mut stage = Stage::of_mode(Mode::Scale);
            stage.gizmo.settings.display.flip_toward_camera = true;
            stage.targets[0].local.translation = pivot;
            stage.shot = views::ALL[0].shot(&Camera { look_at: pivot, ..Camera::at(pivot + eye) });
            stage.update();
            stage.grab(stage.at(from));
            stage.point_at(stage.at(from * 2.0));
            let scale = stage.local().scale;
            assert!((scale - expected).length() < 1e-6, "{from} at {pivot}: {scale}");
        }
    }
}

#[test]
fn ray_from_other_side_hits_handle_where_shown() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.gizmo.settings.display.flip_toward_camera = true;
    from_angle(&mut stage, DVec3::Z, DVec3::NEG_X, 30.0);
    assert!(mesh_point(&mut stage, "translate_x", DVec3::ZERO).x < 0.0);
    // From here, the arrow would point along the positive axis.
    let hand = DVec3::new(4.0, 1.0, 5.0);
    for (x, hit) in [(-0.7, Some(handle("translate_x"))), (0.7, None)] {
        let direction = DVec3::X * x * stage.size() - hand;
        stage.gizmo.pointer_ray(Ray { origin: hand, direction, start: 0.0 }, 0.01);
        stage.update();
        assert_eq!(stage.gizmo.hovered(), hit, "{x}");
    }
}
