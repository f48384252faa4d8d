//! The navigation cube (§22): its sides in pictures and picks, clicks and drags.

use crate::prelude::*;

fn outward(side: BoxGrip) -> DVec3 {
    DVec3::from_array(Axis::ALL.map(|axis| side.sign(axis))).normalize()
}

/// Returns the center of the cube in a view of 800 x 600 pixels, and the pixels per half of its width.
fn center(view: &View) -> (DVec2, f64) {
    let (v, scale) = (view.viewport(), view.scale_factor());
    (DVec2::new(v.x + v.width - 56.0 * scale, v.y + 56.0 * scale), 46.0 * scale / 1.45)
}

/// Returns the pixel of the middle of a side.
fn px_of(view: &View, side: BoxGrip) -> DVec2 {
    let (center_px, unit) = center(view);
    // The middle of a face is at 1, that of an edge at 0.85 along both axes, that of a corner at 0.8.
    let along = [1.0, 0.85, 0.8][side.axes().count() - 1];
    let point = DVec3::from_array(Axis::ALL.map(|axis| side.sign(axis) * along));
    center_px + DVec2::new(point.dot(view.right()), -point.dot(view.up())) * unit
}

fn cube_and_view() -> (NavigationCube, View) {
    let cube = NavigationCube::new(&mut IdSpace::new()).expect("ids are free");
    (cube, views::ALL[0].view(&Camera::at(DVec3::new(3.0, 2.2, 4.0))))
}

fn draw(cube: &NavigationCube, view: &View) -> DrawList {
    let mut list = DrawList::new();
    cube.draw(list.begin(view), &Theme::dark());
    list
}

/// Presses at a pixel and reports the id that is there.
fn press(cube: &mut NavigationCube, view: &View, at: DVec2) -> Option<DQuat> {
    let id = draw(cube, view).pick(at, 5.0).expect("the cube is there");
    cube.pointer_pressed(at, view);
    cube.pressed(id)
}

#[test]
fn click_looks_from_every_visible_side() {
    for projection in views::ALL {
        let (mut cube, mut clicked) = (cube_and_view().0, 0);
        for eye in [DVec3::new(3.0, 2.2, 4.0), DVec3::new(-3.0, -2.5, 3.5), DVec3::new(2.0, 4.0, -3.0)] {
            let view = projection.view(&projection.adjusted(&Camera::at(eye)));
            for side in BoxGrip::ALL.into_iter().filter(|side| outward(*side).dot(eye.normalize()) > 0.3) {
                let at = px_of(&view, side);
                assert_eq!(press(&mut cube, &view, at), None, "{} {side:?}", projection.name);
                assert!(cube.is_held());
                let rotation = cube.pointer_released().expect("the release completes a click");
                let frame = DMat3::from_quat(rotation);
                let toward_viewer = -view.axes().z_axis.dot(view.forward()).signum();
                assert!((frame.z_axis * toward_viewer).abs_diff_eq(outward(side), 1e-12), "{side:?}");
                let upright = frame.y_axis.dot(DVec3::Y) > 0.4 || outward(side).y.abs() > 0.99;
                assert!(upright && frame.x_axis.y.abs() < 1e-12, "{}: {frame}", projection.name);
                clicked += 1;
            }
        }
        assert!(clicked > 25, "{clicked}");
    }
}

#[test]
fn drag_turns_by_total_of_pointer_and_stops_at_poles() {
    let (mut cube, view) = cube_and_view();
    let at = center(&view).0;
    let mut turned = 0u32;
    cases(300, |rng| {
        let mut cube = cube_and_view().0;
        assert_eq!(press(&mut cube, &view, at), None);
        let end = at + DVec2::new(between(rng, -400.0, 400.0), between(rng, -400.0, 400.0));
        for _ in 0..rng.usize(0..4) {
            cube.pointer_moved(at + DVec2::new(between(rng, -400.0, 400.0), between(rng, -400.0, 400.0)));
        }
        // `None` while the pointer is within the drag threshold.
        let Some(rotation) = cube.pointer_moved(end) else { return };
        turned += 1;
        let backward = rotation * DVec3::Z;
        let start = DVec3::new(3.0, 2.2, 4.0).normalize();
        let by = (end - at) * 0.006;
        let pitch = (start.y.asin() + by.y).clamp(-std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2);
        let yaw = start.x.atan2(start.z) - by.x;
        let expected = DVec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos());
        assert!(backward.abs_diff_eq(expected, 1e-9), "{backward} {expected}");
        assert!((rotation * DVec3::X).y.abs() < 1e-9, "it does not roll");
        cube.pointer_moved(at);
        assert_eq!(cube.pointer_released(), None, "a drag is no click, wherever it ends");
    });
    assert!(turned > 290, "{}", turned);
    press(&mut cube, &view, at);
    cube.cancel();
    assert!(cube.pointer_moved(at + 50.0).is_none() && cube.pointer_released().is_none());
}

#[test]
fn late_answer_turns_like_early_one() {
    let (mut cube, view) = cube_and_view();
    let at = center(&view).0;
    let id = draw(&cube, &view).pick(at, 0.0).expect("the cube is there");
    let early = [at, at + 30.0].map(|to| {
        press(&mut cube, &view, at);
        cube.pointer_moved(to).or_else(|| cube.pointer_released())
    });
    // A click and a flick are over before their answers arrive, and each turns once.
    for (to, early) in [at, at + 30.0].into_iter().zip(early) {
        cube.cancel();
        cube.pointer_pressed(at, &view);
        assert_eq!(
            (cube.pointer_moved(to), cube.pointer_released()),
            (None, None),
            "it is not known to be on the cube"
        );
        assert_eq!(cube.pointer_moved(at + 90.0), None, "it is released");
        assert!(early.is_some());
        assert_eq!((cube.pressed(id), cube.pressed(id)), (early, None));
    }
}

#[test]
fn late_answer_belongs_to_press_on_its_side() {
    let (cube, view) = cube_and_view();
    let is_face = |axis: DVec3| BoxGrip::ALL.into_iter().find(|side| outward(*side) == axis);
    let [x, y] =
        [DVec3::X, DVec3::Y].map(|axis| px_of(&view, is_face(axis).expect("the cube has this face")));
    let beside = center(&view).0 - DVec2::X * 300.0;
    let [id_x, id_y] = [x, y].map(|at| draw(&cube, &view).pick(at, 5.0).expect("the cube is there"));
    let looks_from = |rotation: Option<DQuat>| (rotation.expect("the click turns") * DVec3::Z).round();
    let clicked = |at: &[DVec2]| {
        let mut cube = cube_and_view().0;
        for at in at {
            cube.pointer_pressed(*at, &view);
            assert_eq!(cube.pointer_released(), None, "its hit is not known yet");
        }
        cube
    };
    // A press beside the cube is held when the answer to a click on it arrives.
    let mut cube = clicked(&[x]);
    cube.pointer_pressed(beside, &view);
    assert_eq!(looks_from(cube.pressed(id_x)), DVec3::X);
    assert!(
        !cube.is_held() && cube.pointer_moved(beside + DVec2::X * 50.0).is_none(),
        "it drags something else"
    );
    // Two clicks on the cube, and one between them elsewhere, of which no answer is reported.
    let mut cube = clicked(&[x, beside, y]);
    assert_eq!([id_x, id_y].map(|id| looks_from(cube.pressed(id))), [DVec3::X, DVec3::Y]);
    assert_eq!((cube.pressed(id_x), cube.pressed(id_y)), (None, None));
    // Presses elsewhere without end do not take over the last one.
    let mut cube = clicked(&[beside; 100]);
    cube.pointer_pressed(x, &view);
    assert!(cube.pressed(id_x).is_none() && cube.is_held());
}

#[test]
fn cube_shares_list_with_gizmo_and_yields_to_its_handles() {
    let mut ids = IdSpace::new();
    let mut gizmo = Gizmo::new(&mut ids).expect("ids are free");
    let mut cube = NavigationCube::new(&mut ids).expect("ids are free");
    let view = views::ALL[0].view(&Camera::at(DVec3::new(0.0, 0.0, 6.0)));
    let corner = view.pointer_ray(center(&view).0).at(6.0);
    let mut targets = [Target::from_world(Transform::from_translation(corner))];
    let at = center(&view).0;
    gizmo.update(&view, &mut targets);
    let mut list = DrawList::new();
    gizmo.draw(list.begin(&view));
    cube.draw(&mut list, &Theme::light());
    assert!(!list.has_mixed_ids());
    let on_handle = list.pick(at, 5.0).expect("the center handle is there");
    assert!(gizmo.handle_of(on_handle).is_some() && cube.side_of(on_handle).is_none());
    let beside = at + DVec2::new(-15.0, 12.0);
    let on_cube = list.pick(beside, 1.0).expect("the cube is there");
    assert_eq!(cube.side_of(on_cube).map(outward), Some(DVec3::Z));
    cube.set_hovered(Some(on_cube));
    assert_eq!(cube.hovered().map(outward), Some(DVec3::Z));
    cube.set_hovered(Some(on_handle));
    assert_eq!(cube.hovered(), None);
}
