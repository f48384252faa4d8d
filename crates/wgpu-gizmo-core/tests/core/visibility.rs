//! Visibility and layout of handles (§2 of docs/spec.md).

use crate::prelude::*;
use std::collections::BTreeSet;

fn items(list: &DrawList, stage: &Stage, name: &str) -> Vec<Item> {
    let id = stage.gizmo.id_of(handle(name)).get();
    list.items().iter().filter(|item| item.handle_id() == id).copied().collect()
}

fn opacity(stage: &mut Stage, name: &str) -> f32 {
    let list = stage.draw();
    items(&list, stage, name).first().map_or(0.0, |item| item.color()[3])
}

/// Returns the length of an arrow in pixels, from the pivot to the tip of the head.
fn arrow_px(stage: &mut Stage) -> f64 {
    let list = stage.draw();
    let head = items(&list, stage, "translate_y").into_iter().find(|item| item.mesh == MeshKind::Cone);
    let world_from_head = head.expect("an arrow has a head").world_from_part;
    let tip = world_from_head.transform_point3(DVec3::X * f64::from(MeshKind::HEAD_LENGTH));
    tip.distance(stage.pivot()) / world_per_px(&stage.shot, stage.pivot())
}

#[test]
fn screen_size_is_constant_and_follows_scale_factor() {
    cases(3_000, |rng| {
        let (projection, camera, shot) = any_shot(rng);
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.shot = shot;
        // No arrow is glancing.
        let toward = (camera.look_at - camera.eye).normalize();
        let across = toward.any_orthonormal_vector();
        stage.gizmo.settings.orientation = Orientation::Custom(DQuat::from_rotation_arc(DVec3::Y, across));
        stage.targets = vec![target_at(visible_point(rng, &shot))];
        stage.update();
        let v = shot.view.viewport();
        let expected = (96.0 * shot.view.scale_factor()).min(0.4 * v.width.min(v.height));
        let length = arrow_px(&mut stage);
        assert!((length / expected - 1.0).abs() < 1e-4, "{}: {length} px for {expected}", projection.name);
    });
}

fn from_angle(stage: &mut Stage, toward: DVec3, away: DVec3, degrees: f64) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let eye = (toward * cos + away * sin) * 7.0;
    stage.shot = views::ALL[0].shot(&Camera { up: DVec3::new(0.3, 0.4, 0.5), ..Camera::at(eye) });
    stage.update();
}

#[test]
fn glancing_handles_fade_with_hysteresis() {
    let axis = (DVec3::X, DVec3::new(0.0, 0.6, 0.8), 8.0, 12.0);
    // From the plane of the square toward its normal.
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
        for (degrees, is_shown) in [(0.1, true), (-0.1, false), (0.9, false), (1.1, true), (0.1, true)] {
            assert_eq!(at(low + degrees) > 0.0, is_shown, "{name} at {low} + {degrees}");
        }
    }
}

/// One window stays as it is while another one is resized, which has a new viewport in every frame.
#[test]
fn handle_stays_hidden_while_other_window_is_resized() {
    let mut stage = Stage::new(Settings::default());
    for (width, degrees) in (300..340).zip([7.9].into_iter().chain(std::iter::repeat(8.5))) {
        from_angle(&mut stage, DVec3::X, DVec3::new(0.0, 0.6, 0.8), degrees);
        assert_eq!(opacity(&mut stage, "translate_x"), 0.0, "{width}");
        let viewport = Viewport::from_size(width, 300);
        let resized = views::ALL[0].view(&Camera { viewport, ..Camera::at(DVec3::Z * 6.0) });
        stage.gizmo.draw(DrawList::new().begin(&resized.with_key(1)));
    }
}

/// Where the field of view is wide and the gizmo large, an arrow toward the viewer ends behind them.
#[test]
fn arrow_that_ends_behind_viewer_reaches_edge_of_view() {
    let mut stage = Stage::new(Settings::default());
    let eye = DVec3::new(30f64.to_radians().cos(), 0.0, 30f64.to_radians().sin()) * 5.0;
    let lens = dcamera::rh::proj::directx::perspective(130f64.to_radians(), 1.0, 0.1, 100.0);
    let camera = dcamera::rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
    let view = View::new(camera, lens, Viewport::from_size(240, 240), 1.0).expect("the view is valid");
    stage.gizmo.update(&view, &mut stage.targets);
    let mut list = DrawList::new();
    stage.gizmo.draw(list.begin(&view));
    // The last one is beside the edge of the view, and one at 5.8 would be behind the viewer.
    for along in [2.0, 3.0, 4.4] {
        let px = view.px_from_world(DVec3::X * along).expect("it is in front");
        assert_eq!(list.pick(px, 0.0), Some(stage.gizmo.id_of(handle("translate_x"))), "{along}: {px}");
    }
}

#[test]
fn four_viewports_have_separate_glancing() {
    let mut stage = Stage::new(Settings::default());
    // From the side, one arrow is end-on, and the two squares that contain it are edge-on.
    let seen = [
        (DVec3::new(3.0, 2.0, 4.0), 7),
        (DVec3::X * 6.0, 4),
        (DVec3::new(0.0, 6.0, 0.01), 4),
        (DVec3::Z * 6.0, 4),
    ];
    for _ in 0..3 {
        for (x, (eye, count)) in [0.0, 400.0, 800.0, 1200.0].into_iter().zip(seen) {
            let viewport = Viewport { x, y: 0.0, width: 400.0, height: 300.0 };
            stage.shot = views::ALL[0].shot(&Camera { viewport, ..Camera::at(eye) });
            let list = stage.draw();
            let shown: BTreeSet<_> = list.items().iter().filter_map(|item| item.id).collect();
            assert_eq!(shown.len(), count, "from {eye}");
        }
    }
}

#[test]
fn far_half_of_ring_is_dim_and_not_pickable() {
    let mut stage = Stage::of_mode(Mode::Rotate);
    let list = stage.draw();
    for (name, axis) in ["rotate_x", "rotate_y", "rotate_z"].into_iter().zip(DVec3::AXES) {
        assert!(items(&list, &stage, name)[0].far_opacity() < 0.5);
        let id = stage.gizmo.id_of(handle(name));
        let toward_eye = DVec3::new(2.0, 2.5, 6.0).reject_from(axis).normalize();
        assert_eq!(list.pick(stage.at(toward_eye), 0.0), Some(id), "{name}");
        assert_ne!(list.pick(stage.at(-toward_eye), 0.0), Some(id), "{name}");
    }
    stage.grab(stage.at(DVec3::new(0.6, 0.8, 0.0)));
    let list = stage.draw();
    assert!(items(&list, &stage, "rotate_z")[0].is_whole_in_ids());
}

#[test]
fn hover_and_drag_change_colors() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let color = |stage: &mut Stage, name: &str| {
        let list = stage.draw();
        items(&list, stage, name).first().map(Item::color)
    };
    let other = color(&mut stage, "translate_y");
    stage.hover(stage.at(ARROW_X));
    assert_eq!(color(&mut stage, "translate_x"), Some(stage.gizmo.theme.colors.hovered));
    assert_eq!(color(&mut stage, "translate_y"), other);
    stage.grab(stage.at(ARROW_X));
    let list = stage.draw();
    let rim = items(&list, &stage, "translate_x")[0].rim_color();
    assert_eq!(rim, Some(stage.gizmo.theme.colors.active));
    assert_eq!(color(&mut stage, "translate_y"), None, "left out");
    stage.cancel();
    assert_eq!(color(&mut stage, "translate_y"), other);
}

#[test]
fn flip_has_hysteresis_and_waits_for_release() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.gizmo.settings.display.flip_toward_camera = true;
    // The angle between the X axis and the image plane, positive if X points away from the viewer.
    let side = |stage: &mut Stage, degrees: f64| {
        from_angle(stage, DVec3::Z, DVec3::NEG_X, degrees);
        let list = stage.draw();
        items(&list, stage, "translate_x").last().expect("it is shown").world_from_part.translation.x.signum()
    };
    for (degrees, sign) in [(-20.0, 1.0), (2.0, 1.0), (4.0, -1.0), (-2.0, -1.0), (-4.0, 1.0), (30.0, -1.0)] {
        assert_eq!(side(&mut stage, degrees), sign, "at {degrees}°");
    }
    assert_eq!(stage.grab(stage.at(-ARROW_X)), [Event::Started(handle("translate_x"))]);
    assert_eq!(side(&mut stage, -30.0), -1.0, "no flip during a drag");
    // The drag moves along the axis, not against it.
    stage.point_at(stage.at(DVec3::X * 0.3));
    assert!(stage.local().translation.x > 0.5, "{}", stage.local().translation);
    stage.release();
    assert_eq!(side(&mut stage, -30.0), 1.0);
}

#[test]
fn letter_stands_at_flipped_handle() {
    let mut stage = Stage::of_mode(Mode::Handles(HandleSet::EMPTY.with(handle("scale_x"))));
    stage.gizmo.settings.display.flip_toward_camera = true;
    stage.gizmo.theme.letters = true;
    for (degrees, sign) in [(-30.0, 1.0), (30.0, -1.0)] {
        from_angle(&mut stage, DVec3::Z, DVec3::NEG_X, degrees);
        // Nothing else has strokes.
        let list = stage.draw();
        let strokes: Vec<_> = list.guides().into_iter().flatten().collect();
        assert!(!strokes.is_empty());
        for vertex in strokes {
            let [x, y] = vertex.position_px.map(f64::from);
            let [handle, other] =
                [sign, -sign].map(|sign| stage.at(ARROW_X * sign).distance(DVec2::new(x, y)));
            assert!(handle < other, "at {degrees}°");
        }
    }
}
