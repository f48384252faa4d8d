//! §2: what is drawn.

use crate::oracle::{any_shot, cases, handle, px, target_at, visible_point, world_per_px};
use crate::stage::Stage;
use crate::views::{self, Camera};
use wgpu_gizmo::glam::{DQuat, DVec2, DVec3};
use wgpu_gizmo::handle::{Item, MeshKind};
use wgpu_gizmo::{DrawList, HandleId, Mode, Orientation, Settings, Viewport};

fn items(list: &DrawList, stage: &Stage, name: &str) -> Vec<Item> {
    let id = stage.gizmo.id_of(handle(name)).get();
    list.items().iter().filter(|item| item.instance.id == id).copied().collect()
}

fn shows(stage: &mut Stage, name: &str) -> bool {
    let list = stage.draw();
    !items(&list, stage, name).is_empty()
}

fn opacity(stage: &mut Stage, name: &str) -> f32 {
    let list = stage.draw();
    items(&list, stage, name).first().map_or(0.0, |item| item.instance.color[3])
}

/// Length of an arrow in pixels: from the pivot to the head's base, and the head.
fn arrow_px(stage: &mut Stage) -> f64 {
    let list = stage.draw();
    let head = items(&list, stage, "translate_y").into_iter().find(|item| item.mesh == MeshKind::Cone);
    let place = head.expect("an arrow has a head").world_from_part;
    let tip = place.transform_point3(DVec3::X * f64::from(MeshKind::HEAD_LENGTH));
    tip.distance(stage.pivot()) / world_per_px(&stage.shot, stage.pivot())
}

#[test]
fn the_size_on_screen_is_constant_by_depth_and_doubles_with_the_density() {
    cases(3_000, |rng| {
        let (projection, camera, shot) = any_shot(rng);
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.shot = shot;
        // So that no arrow is glancing.
        let toward = (camera.look_at - camera.eye).normalize();
        let across = toward.any_orthonormal_vector();
        stage.gizmo.settings.orientation = Orientation::Custom(DQuat::from_rotation_arc(DVec3::Y, across));
        stage.targets = vec![target_at(visible_point(rng, &shot))];
        stage.update();
        let v = shot.view.viewport();
        let wanted = (96.0 * shot.view.scale_factor()).min(0.4 * v.width.min(v.height));
        let said = arrow_px(&mut stage);
        assert!((said / wanted - 1.0).abs() < 1e-4, "{}: {said} px for {wanted}", projection.name);
    });
}

fn from_angle(stage: &mut Stage, toward: DVec3, away: DVec3, degrees: f64) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let eye = (toward * cos + away * sin) * 7.0;
    stage.shot = views::ALL[0].shot(&Camera { up: DVec3::new(0.3, 0.4, 0.5), ..Camera::at(eye) });
    stage.update();
}

#[test]
fn glancing_handles_fade_go_and_come_back_a_degree_later() {
    let axis = (DVec3::X, DVec3::new(0.0, 0.6, 0.8), 8.0, 12.0);
    // Up from the plane of the square, towards its normal.
    let square = (DVec3::new(0.6, 0.8, 0.0), DVec3::Z, 10.0, 14.0);
    for (mode, name, (toward, away, low, high)) in [
        (Mode::Translate, "translate_x", axis),
        (Mode::Scale, "scale_x", axis),
        (Mode::Translate, "translate_xy", square),
        (Mode::Scale, "scale_xy", square),
    ] {
        let mut stage = Stage::of_mode(mode);
        let mut at = |degrees: f64| {
            from_angle(&mut stage, toward, away, degrees);
            opacity(&mut stage, name)
        };
        let whole = at(high + 0.1);
        assert!(whole > 0.0 && at(40.0) == whole, "{name}");
        let half = at(0.5 * (low + high));
        assert!((half / whole - 0.5).abs() < 1e-3, "{name}: {half} of {whole}");
        assert!(at(low + 0.1) > 0.0, "{name}");
        assert_eq!(at(low - 0.1), 0.0, "{name}");
        assert_eq!(at(low + 0.9), 0.0, "{name}: not back yet");
        assert!(at(low + 1.1) > 0.0, "{name}: back");
        assert!(at(low + 0.1) > 0.0, "{name}: and stays");
        assert_eq!(at(-low + 0.1), 0.0, "{name}: from the other side");
        assert_eq!(at(180.0 - low + 0.1), 0.0, "{name}: from behind");
    }
}

#[test]
fn what_never_glances_is_shown_from_everywhere() {
    for (mode, names) in [
        (Mode::Rotate, &["rotate_x", "rotate_y", "rotate_z", "rotate_view", "rotate_trackball"][..]),
        (Mode::Translate, &["translate_view"]),
        (Mode::Scale, &["scale_uniform"]),
    ] {
        let mut stage = Stage::of_mode(mode);
        for degrees in [0.0, 0.1, 5.0, 45.0, 90.0, 180.0] {
            from_angle(&mut stage, DVec3::X, DVec3::Z, degrees);
            for name in names {
                assert!(shows(&mut stage, name), "{name} at {degrees}°");
            }
        }
    }
}

#[test]
fn nothing_goes_or_comes_in_a_drag() {
    let mut stage = Stage::of_mode(Mode::Translate);
    from_angle(&mut stage, DVec3::X, DVec3::Y, 25.0);
    stage.draw();
    stage.grab(stage.at(DVec3::X * 0.7));
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_x")));
    for degrees in [9.0, 3.0, 0.5] {
        from_angle(&mut stage, DVec3::X, DVec3::Y, degrees);
        assert!(shows(&mut stage, "translate_x"), "at {degrees}°");
    }
    stage.gizmo.pointer_released();
    stage.update();
    assert!(!shows(&mut stage, "translate_x"));
}

#[test]
fn behind_the_camera_nothing_is_drawn() {
    for projection in views::ALL.iter().filter(|p| !p.orthographic) {
        for mode in [Mode::Translate, Mode::Rotate, Mode::Scale] {
            let mut stage = Stage::of_mode(mode);
            stage.shot = projection.shot(&Camera::at(DVec3::new(2.0, 1.0, 4.0)));
            stage.targets = vec![target_at(DVec3::new(4.0, 2.0, 8.0))];
            stage.update();
            let list = stage.draw();
            assert!(list.is_empty() && list.bounds_px().is_none(), "{}", projection.name);
        }
    }
}

#[test]
fn a_rings_far_half_is_thin_dim_and_not_pickable_until_the_ring_is_dragged() {
    let mut stage = Stage::of_mode(Mode::Rotate);
    stage.update();
    let list = stage.draw();
    for name in ["rotate_x", "rotate_y", "rotate_z"] {
        let item = items(&list, &stage, name)[0];
        assert_eq!(item.instance.to_eye_part[3], 1.0, "{name}");
        assert!(item.instance.far_thickness < 0.6 * item.instance.thickness);
        assert!(item.instance.far_opacity < 0.5);
        let id = stage.gizmo.id_of(handle(name));
        let axis = DVec3::AXES[handle(name).constraint().axis().expect("a ring has one").index()];
        let eye = DVec3::new(2.0, 2.5, 6.0).normalize();
        let (u, v) = axis.any_orthonormal_pair();
        for step in 0..72 {
            let (sin, cos) = (f64::from(step) * 5f64.to_radians()).sin_cos();
            let radial = u * cos + v * sin;
            let found = list.pick(stage.at(radial), 0.0);
            if radial.dot(eye) < -0.06 {
                assert_ne!(found, Some(id), "{name} on its far half, {step}");
            } else if radial.dot(eye) > -0.04 && radial.abs().max_element() < 0.98 {
                // Past the silhouette another ring's near half may be in front.
                let covered = radial.dot(eye) < 0.2 && found.is_some();
                assert!(covered || found == Some(id), "{name} on its near half, {step}");
            }
        }
    }
    stage.grab(stage.at(DVec3::new(0.6, 0.8, 0.0)));
    assert_eq!(stage.gizmo.dragging(), Some(handle("rotate_z")));
    let list = stage.draw();
    assert_eq!(items(&list, &stage, "rotate_z")[0].instance.to_eye_part[3], 0.0, "whole");
    assert_eq!(items(&list, &stage, "rotate_x")[0].instance.to_eye_part[3], 1.0);
}

#[test]
fn a_ring_that_faces_the_view_is_whole() {
    let mut stage = Stage::of_mode(Mode::Rotate);
    stage.shot = views::ALL[7].shot(&Camera::at(DVec3::new(0.0, 0.0, 6.0)));
    stage.update();
    let list = stage.draw();
    let id = stage.gizmo.id_of(handle("rotate_z"));
    for step in 0..360 {
        let (sin, cos) = (f64::from(step) + 0.5).to_radians().sin_cos();
        if sin.abs() > 0.05 && cos.abs() > 0.05 {
            let found = list.pick(stage.at(DVec3::new(cos, sin, 0.0)), 0.0);
            assert_eq!(found, Some(id), "at {step}°");
        }
    }
}

#[test]
fn hover_and_drag_change_colours_and_dim_the_others() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    let color = |stage: &mut Stage, name: &str| {
        let list = stage.draw();
        items(&list, stage, name)[0].instance.color
    };
    let (plain, other) = (color(&mut stage, "translate_x"), color(&mut stage, "translate_y"));
    stage.move_to(stage.at(DVec3::X * 0.7));
    stage.update();
    stage.answer();
    let hovered = color(&mut stage, "translate_x");
    assert_ne!(hovered, plain);
    assert_eq!(color(&mut stage, "translate_y"), other);
    stage.grab(stage.at(DVec3::X * 0.7));
    let active = color(&mut stage, "translate_x");
    assert!(active != plain && active != hovered);
    assert!(color(&mut stage, "translate_y")[3] < 0.5 * other[3], "dimmed");
    stage.gizmo.cancel();
    stage.gizmo.pointer_released();
    stage.update();
    assert_eq!(color(&mut stage, "translate_y"), other);
}

#[test]
fn the_bounds_of_a_list_hold_every_handle() {
    for projection in views::ALL {
        for mode in [Mode::Translate, Mode::Rotate, Mode::Scale] {
            let mut stage = Stage::of_mode(mode);
            stage.shot = projection.shot(&Camera::at(DVec3::new(2.0, 2.5, 6.0)));
            stage.update();
            let list = stage.draw();
            let [low, high] = list.bounds_px().expect("in view");
            for item in list.items() {
                for corner in [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_Y, DVec3::NEG_Z] {
                    if item.mesh == MeshKind::Stem && corner.x == 0.0 && corner != DVec3::ZERO {
                        continue;
                    }
                    let corner = if item.mesh == MeshKind::Cone { corner * 0.22 } else { corner };
                    let at = px(&stage.shot, item.world_from_part.transform_point3(corner));
                    assert!(at.cmpge(low).all() && at.cmple(high).all(), "{}: {item:?}", projection.name);
                }
            }
        }
    }
}

#[test]
fn a_mode_is_its_preset_and_the_empty_preset_is_valid() {
    for mode in [Mode::None, Mode::Translate, Mode::Rotate, Mode::Scale] {
        let mut stage = Stage::of_mode(mode);
        stage.update();
        let list = stage.draw();
        let shown: Vec<HandleId> = HandleId::all()
            .filter(|h| list.items().iter().any(|i| i.id == Some(stage.gizmo.id_of(*h))))
            .collect();
        assert_eq!(shown, mode.handles().built_in().collect::<Vec<_>>(), "{mode:?}");
    }
    let all = [Mode::Translate, Mode::Rotate, Mode::Scale].map(|mode| mode.handles().built_in().count());
    assert_eq!(all, [7, 5, 7]);
}

#[test]
fn one_gizmo_is_shown_in_four_viewports_each_with_its_own_glancing() {
    let mut stage = Stage::new(Settings::default());
    let shots = [DVec3::new(3.0, 2.0, 4.0), DVec3::X * 6.0, DVec3::new(0.0, 6.0, 0.01), DVec3::Z * 6.0];
    let shots: Vec<_> = (0..4)
        .map(|i| {
            let viewport = Viewport {
                x: f64::from(i % 2) * 400.0,
                y: f64::from(i / 2) * 300.0,
                width: 400.0,
                height: 300.0,
            };
            views::ALL[0].shot(&Camera { viewport, ..Camera::at(shots[i as usize]) })
        })
        .collect();
    stage.shot = shots[0];
    stage.update();
    for _ in 0..3 {
        let counts: Vec<usize> = shots
            .iter()
            .map(|shot| {
                let mut list = DrawList::new();
                list.begin(&shot.view);
                stage.gizmo.draw(&mut list);
                let [low, high] = list.bounds_px().expect("in view");
                let v = shot.view.viewport();
                assert!(low.cmpge(DVec2::new(v.x, v.y)).all());
                assert!(high.cmple(DVec2::new(v.x + v.width, v.y + v.height)).all());
                let mut shown: Vec<_> = list.items().iter().filter_map(|item| item.id).collect();
                shown.sort();
                shown.dedup();
                shown.len()
            })
            .collect();
        // From the side one arrow is end-on and the two squares that hold it are edge-on.
        assert_eq!(counts, [7, 4, 4, 4]);
    }
}
