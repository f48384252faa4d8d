//! A ray as the pointer (§22): the drags of a ray through a pixel, of a hand elsewhere, and picks by angle.

use crate::prelude::*;

/// The eye of [`Stage::new`] is at a distance of about 7; a hand is below it and nearer.
const HAND: DVec3 = DVec3::new(1.5, 0.4, 4.0);
const TOLERANCE: f64 = 0.02;

fn ray_to(point: DVec3) -> Ray {
    Ray { origin: HAND, direction: point - HAND, start: 0.0 }
}

/// Returns the handle that a ray hovers.
fn hovered(stage: &mut Stage, ray: Ray, tolerance: f64) -> Option<&'static str> {
    stage.gizmo.pointer_ray(ray, tolerance);
    stage.update();
    stage.gizmo.hovered().map(HandleId::name)
}

/// Presses with a ray and moves it; returns the handle that was grabbed.
fn drag_by_ray(stage: &mut Stage, from: Ray, to: &[Ray], tolerance: f64) -> Option<HandleId> {
    stage.update();
    stage.gizmo.pointer_ray(from, tolerance);
    stage.gizmo.pointer_pressed();
    stage.update();
    for ray in to {
        stage.gizmo.pointer_ray(*ray, tolerance);
        stage.update();
    }
    stage.gizmo.dragging()
}

fn camera(rng: &mut Rng) -> Camera {
    let look_at = DVec3::new(between(rng, -0.6, 0.6), between(rng, -0.6, 0.6), between(rng, -0.6, 0.6));
    Camera { look_at, ..Camera::at(direction(rng) * between(rng, 4.0, 9.0)) }
}

#[test]
fn ray_through_pixel_drags_like_that_pixel() {
    let mut compared = [0; 2];
    cases(3000, |rng| {
        let projection = views::ALL[rng.usize(..views::ALL.len())];
        let mode = [Mode::Translate, Mode::Rotate, Mode::Universal][rng.usize(..3)];
        let camera = camera(rng);
        let [mut by_px, mut by_ray] = [(); 2].map(|()| {
            let mut stage = Stage::new(Settings::default().with(|s| {
                (s.mode, s.orientation) = (mode, Orientation::View);
                s.motion.solver = Solver::ClosestPoint;
                s.input.tolerance_lpx = 0.0;
            }));
            stage.shot = projection.shot(&projection.adjusted(&camera));
            stage.update();
            stage
        });
        let from = by_px.at(direction(rng) * between(rng, 0.05, 1.2)).floor() + 0.5;
        let to = [0; 3].map(|_| from + DVec2::new(between(rng, -90.0, 90.0), between(rng, -90.0, 90.0)));
        let list = by_px.draw();
        // The thicknesses of lines are equal for both only up to rounding.
        let around = [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y];
        if around.iter().any(|by| list.pick(from + *by, 0.0) != list.pick(from, 0.0)) {
            return;
        }
        by_px.grab(from);
        to.iter().for_each(|px| drop(by_px.point_at(*px)));
        let view = by_px.shot.view;
        let dragged =
            drag_by_ray(&mut by_ray, view.pointer_ray(from), &to.map(|px| view.pointer_ray(px)), 0.0);
        assert_eq!(dragged, by_px.gizmo.dragging(), "{} {mode:?} at {from}", projection.name);
        let Some(handle) = dragged else { return };
        // Scale handles solve a pixel by the drawn line, and a ray by the closest point.
        let is_scale = handle.name().starts_with("scale");
        let [a, b] = [&by_px, &by_ray].map(|stage| matrix(&stage.local()));
        let allowed = 1e-8 * (1.0 + a.w_axis.truncate().length());
        assert!(is_scale || a.abs_diff_eq(b, allowed), "{} {}: {a} {b}", projection.name, handle.name());
        compared[usize::from(is_scale)] += 1;
    });
    assert!(compared[0] > 800 && compared[1] > 10, "{compared:?}");
}

#[test]
fn ray_hits_handle_within_angle_at_any_distance() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let tip = DVec3::X * 0.6 * stage.size();
    for distance in [0.4, 2.0, 30.0] {
        let origin = tip + DVec3::new(0.1, 0.3, 1.0).normalize() * distance;
        let toward = tip - origin;
        let aside = toward.cross(DVec3::X).normalize() * distance;
        // Past its half width, the angle from the center line of the stem decides.
        let half_width = 0.02 * stage.size() / distance;
        for (angle, is_hit) in [(0.0, true), (0.8 * TOLERANCE, true), (1.2 * TOLERANCE + half_width, false)] {
            let ray = Ray { origin, direction: toward + aside * angle.tan(), start: 0.0 };
            let is_hovered = hovered(&mut stage, ray, TOLERANCE) == Some("translate_x");
            assert_eq!(is_hovered, is_hit, "{distance} {angle}");
        }
    }
}

#[test]
fn grab_follows_ray_until_next_press() {
    let mut stage = Stage::of_mode(Mode::None);
    stage.gizmo.pointer_ray(ray_to(DVec3::X * 0.5), TOLERANCE);
    stage.gizmo.grab(handle("translate_x"));
    stage.update();
    stage.gizmo.pointer_ray(ray_to(DVec3::X), TOLERANCE);
    stage.update();
    let to = stage.local().translation;
    assert!(to.abs_diff_eq(DVec3::X * 0.5, 1e-9), "{to}");
    stage.gizmo.pointer_pressed();
    assert_eq!(stage.update(), [Event::Ended { changed: true }]);
}

/// A hand that moves without turning points elsewhere, and one that comes nearer along its ray does not.
#[test]
fn ray_drags_handles_on_screen_in_plane_of_pivot() {
    for (name, at) in [
        ("scale_uniform", DVec3::ZERO),
        ("rotate_trackball", DVec3::ONE * 0.3),
        ("rotate_view", DVec3::new(1.15, 0.0, 0.0)),
        ("rotate_y", DVec3::new(0.0, 0.0, 1.0)),
    ] {
        let mut stage = Stage::of_mode(Mode::Handles(handle(name).into()));
        // The ring of Y is edge-on.
        stage.shot = views::ALL[0].shot(&Camera::at(DVec3::Z * 6.0));
        let hand = DVec3::new(0.0, 0.0, 4.0);
        let from = at * stage.size();
        let to = DVec3::new(0.3, 0.1, 0.0) + from * DVec3::new(1.0, 1.0, 0.0);
        let mut dragged_from = |origin: DVec3| {
            let rays = [(hand, from), (origin, to)];
            let [from, to] = rays.map(|(origin, to)| Ray { origin, direction: to - origin, start: 0.0 });
            assert_eq!(drag_by_ray(&mut stage, from, &[to], TOLERANCE), Some(handle(name)));
            let motion = matrix(&stage.local());
            stage.cancel();
            stage.release();
            motion
        };
        let turned = dragged_from(hand);
        assert!(!turned.abs_diff_eq(DMat4::IDENTITY, 0.01), "{name}");
        for origin in [hand + to - from, hand.lerp(to, 0.5)] {
            let moved = dragged_from(origin);
            assert!(moved.abs_diff_eq(turned, 1e-9), "{name} from {origin}: {moved} {turned}");
        }
    }
}

#[test]
fn unusable_rays_change_nothing() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let tip = DVec3::X * 0.6 * stage.size();
    assert_eq!(hovered(&mut stage, ray_to(tip), TOLERANCE), Some("translate_x"));
    let nan = DVec3::splat(f64::NAN);
    for ray in [
        Ray { origin: nan, ..ray_to(tip) },
        Ray { direction: nan, ..ray_to(tip) },
        Ray { direction: DVec3::ZERO, ..ray_to(tip) },
        Ray { start: f64::NAN, ..ray_to(tip) },
    ] {
        assert_eq!(hovered(&mut stage, ray, TOLERANCE), Some("translate_x"), "{ray:?} is ignored");
    }
    let exact = hovered(&mut stage, ray_to(tip), f64::NAN);
    assert_eq!(exact, Some("translate_x"), "an exact hit needs no tolerance");
    // A ray that points away hits nothing, and in a drag the last motion holds.
    let away = Ray { direction: HAND - tip, ..ray_to(tip) };
    stage.gizmo.pointer_ray(away, TOLERANCE);
    stage.gizmo.pointer_pressed();
    assert!(stage.update().is_empty() && stage.gizmo.hovered().is_none());
    assert!(stage.release().is_empty(), "what the ray hit besides is not known");
    drag_by_ray(&mut stage, ray_to(tip), &[ray_to(tip + DVec3::X), away], TOLERANCE);
    assert!(stage.local().translation.x > 0.9, "{}", stage.local().translation);
    stage.gizmo.cancel();
    stage.update();
    assert_eq!(bits(&stage.local()), bits(&Transform::IDENTITY));
}

#[test]
fn ray_grabs_gizmo_of_one_target() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.gizmo.settings.pivot = Pivot::EachTarget;
    stage.targets = [-2.0, 0.0, 2.0].map(|x| target_at(DVec3::X * x)).to_vec();
    let arrow = DVec3::new(-2.0, 0.0, 0.0) + DVec3::Y * 0.6 * stage.size();
    let dragged = drag_by_ray(&mut stage, ray_to(arrow), &[ray_to(arrow + DVec3::Y)], TOLERANCE);
    assert_eq!((dragged, stage.gizmo.hovered_target()), (Some(handle("translate_y")), Some(0)));
    assert!(stage.targets.iter().all(|target| (target.local.translation.y - 1.0).abs() < 1e-9));
}

#[test]
fn ray_hits_line_as_wide_as_camera_shows_it() {
    let mut tested = 0;
    cases(300, |rng| {
        let mut stage = Stage::of_mode(Mode::Handles(handle("translate_x").into()));
        let projection = views::ALL[rng.usize(..views::ALL.len())];
        stage.shot = projection.shot(&projection.adjusted(&camera(rng)));
        stage.targets[0].local.translation = direction(rng) * between(rng, 0.0, 0.5);
        stage.update();
        // Anywhere, also where the ray points away from the camera's direction.
        let (pivot, view) = (stage.pivot(), stage.shot.view);
        let hand = pivot + direction(rng) * between(rng, 2.0, 6.0);
        let point = pivot + DVec3::X * 0.45 * stage.size();
        let toward = (point - hand).normalize();
        let across = toward.cross(DVec3::X);
        // The pixel of a view from the hand that shows the pivot as large as the camera does.
        let pixel = view.pixel_size(pivot) * toward.dot(point - hand) / toward.dot(pivot - hand);
        let mut hits = |offset_px: f64| {
            let to = point + across.normalize() * (offset_px * pixel);
            let ray = Ray { origin: hand, direction: to - hand, start: 0.0 };
            hovered(&mut stage, ray, 0.0) == Some("translate_x")
        };
        if across.length() < 0.5 || !hits(0.0) {
            return;
        }
        let [left, right] = [-1.0, 1.0].map(|side| {
            let (mut inside, mut outside) = (0.0, 40.0);
            for _ in 0..12 {
                let middle = 0.5 * (inside + outside);
                if hits(side * middle) { inside = middle } else { outside = middle }
            }
            inside
        });
        // The line is 3 logical pixels wide. It is not parallel to the image, so that its end is nearer than its start.
        let half_lpx = 0.5 * (left + right) / view.scale_factor();
        assert!((left - right).abs() < 0.03, "{}: {left} and {right}", projection.name);
        assert!((half_lpx - 1.5).abs() < 0.3, "{}: {half_lpx}", projection.name);
        tested += 1;
    });
    assert!(tested > 100, "{tested:?}");
}

#[test]
fn ray_through_two_gizmos_grabs_nearer_one() {
    let down = DVec3::new(0.0, -0.25, -1.0);
    // A parallel ray has no origin: it hits what is on either side of the given point.
    for (order, start, from) in [
        ([0, 1], 0.0, -3.0),
        ([1, 0], 0.0, -3.0),
        ([0, 1], f64::NEG_INFINITY, 1.5),
        ([1, 0], f64::NEG_INFINITY, 1.5),
    ] {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.gizmo.settings.pivot = Pivot::EachTarget;
        if start < 0.0 {
            stage.shot = views::ALL[7].shot(&Camera::at(down * -6.0));
        }
        // The ray passes through both X arrows.
        stage.targets = order.map(|index| target_at([DVec3::ZERO, down * 2.0][index])).to_vec();
        stage.update();
        let ray = Ray { origin: DVec3::X * 0.6 * stage.size() + down * from, direction: down, start };
        assert_eq!(hovered(&mut stage, ray, TOLERANCE), Some("translate_x"));
        let nearer = order.iter().position(|index| *index == 0);
        assert_eq!(stage.gizmo.hovered_target(), nearer, "{order:?} {start}");
    }
}

#[test]
fn each_update_ends_one_drag_of_ray() {
    for by_wheel in [false, true] {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.gizmo.settings.input.wheel_nudge = true;
        stage.update();
        let at = |x: f64| ray_to(DVec3::X * x);
        stage.gizmo.pointer_ray(at(0.6), TOLERANCE);
        stage.update();
        if by_wheel {
            stage.gizmo.wheel(1.0);
            stage.update();
        } else {
            stage.gizmo.pointer_pressed();
            stage.gizmo.pointer_ray(at(0.8), TOLERANCE);
            stage.gizmo.pointer_released();
        }
        let px = stage.at(DVec3::X * if by_wheel { 1.2 } else { 0.9 });
        stage.gizmo.pointer_ray(stage.shot.view.pointer_ray(px), TOLERANCE);
        stage.gizmo.pointer_pressed();
        stage.gizmo.pointer_released();
        let events = stage.update();
        let ended = events.iter().filter(|event| matches!(event, Event::Ended { .. })).count();
        assert_eq!((ended, stage.gizmo.is_active()), (1, false), "{events:?}");
        assert_eq!(
            stage.gizmo.starts().collect::<Vec<_>>(),
            [Transform::IDENTITY],
            "those of the first drag"
        );
    }
}

#[test]
fn pixel_after_ray_hovers_again() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let tip = DVec3::X * 0.6 * stage.size();
    let px = stage.at(DVec3::X * 0.6);
    stage.update();
    stage.hover(px);
    assert_eq!(hovered(&mut stage, Ray { direction: HAND - tip, ..ray_to(tip) }, TOLERANCE), None);
    stage.hover(px);
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
}

/// The user turns once around, in steps, with the handle of the floor in the hand: the target follows to behind the place
/// where it was pressed, and does not stop where the pressed view does not look any more.
#[test]
fn target_follows_ray_all_around_user() {
    for projection in views::ALL {
        for (name, half) in [("translate_zx", false), ("translate_x", true)] {
            let mut stage = Stage::of_mode(Mode::Handles(handle(name).into()));
            stage.shot = projection.shot(&projection.adjusted(&Camera::at(DVec3::new(0.0, 3.0, 5.0))));
            stage.update();
            let size = stage.size();
            let hand = DVec3::new(0.0, 1.5, 2.0);
            let from = if half { DVec3::X * 0.6 * size } else { DVec3::new(0.4, 0.0, 0.4) * size };
            let ray = |to: DVec3| Ray { origin: hand, direction: to - hand, start: 0.0 };
            assert_eq!(drag_by_ray(&mut stage, ray(from), &[], TOLERANCE), Some(handle(name)));
            let foot = DVec3::new(hand.x, 0.0, hand.z);
            let steps = if half { 8 } else { 36 };
            for step in (0..=steps).chain((0..steps).rev()) {
                let turn = DQuat::from_rotation_y(f64::from(step) * 10f64.to_radians());
                let to = if half {
                    DVec3::X * (0.6 * size + 4.0 * f64::from(step))
                } else {
                    foot + turn * (from - foot)
                };
                stage.gizmo.pointer_ray(ray(to), TOLERANCE);
                stage.update();
                let moved = stage.local().translation;
                assert!(
                    moved.abs_diff_eq(to - from, 1e-8),
                    "{} {name} step {step}: {moved}",
                    projection.name
                );
            }
            assert_eq!(stage.local(), Transform::IDENTITY, "{} {name}", projection.name);
        }
    }
}

/// A hand that reaches through the plane that a handle moves in points away from it.
#[test]
fn hand_behind_plane_holds_last_motion() {
    for name in ["translate_view", "translate_xy", "scale_xy"] {
        let mut stage = Stage::of_mode(Mode::Handles(handle(name).into()));
        stage.shot = views::ALL[0].shot(&Camera::at(DVec3::Z * 6.0));
        stage.update();
        let from =
            if name == "translate_view" { DVec3::ZERO } else { DVec3::new(0.4, 0.4, 0.0) * stage.size() };
        let ray = |z: f64, aside: f64| Ray {
            origin: DVec3::new(0.1, 0.2, z),
            direction: from + DVec3::X * aside - DVec3::new(0.1, 0.2, 2.0),
            start: 0.0,
        };
        let rays = [ray(2.0, 0.3), ray(-0.5, 0.3), ray(-1.0, 0.6), ray(2.0, 0.0)];
        assert_eq!(drag_by_ray(&mut stage, ray(2.0, 0.0), &rays[..1], TOLERANCE), Some(handle(name)));
        let last = stage.local();
        assert_ne!(last, Transform::IDENTITY);
        for (ray, expected) in rays[1..].iter().zip([last, last, Transform::IDENTITY]) {
            stage.gizmo.pointer_ray(*ray, TOLERANCE);
            stage.update();
            assert_eq!(stage.local(), expected, "{name} from {}", ray.origin);
        }
    }
}

/// From there, the pivot may be behind a viewer that looks as the camera does, and the pressed point in front.
#[test]
fn hand_near_ring_hits_its_near_half() {
    let ring = handle("rotate_z");
    let mut hits = 0;
    cases(3_000, |rng| {
        let mut stage = Stage::of_mode(Mode::Handles(ring.into()));
        let projection = views::ALL[rng.usize(..views::ALL.len())];
        stage.shot = projection.shot(&projection.adjusted(&camera(rng)));
        stage.update();
        let hand = direction(rng) * between(rng, 1.5, 2.5) * stage.size();
        let angle = between(rng, -1.0, 1.0);
        let Some(nearest) = hand.with_z(0.0).try_normalize() else { return };
        let point = DQuat::from_rotation_z(angle) * nearest * stage.size();
        if hand.z.abs() > 0.8 * hand.length() {
            return;
        }
        let ray = Ray { origin: hand, direction: point - hand, start: 0.0 };
        let found = hovered(&mut stage, ray, TOLERANCE);
        assert_eq!(found, Some("rotate_z"), "{} from {hand} to {point}", projection.name);
        hits += 1;
    });
    assert!(hits > 1_500, "{hits}");
}

/// From far away, the whole ring would be a pixel of the view of the press.
#[test]
fn ring_follows_ray_of_hand_that_moves_far_away() {
    let ring = handle("rotate_z");
    let mut stage = Stage::of_mode(Mode::Handles(ring.into()));
    stage.update();
    let hand = DVec3::new(1.5, 0.4, 4.0);
    let start = hand.with_z(0.0).normalize() * stage.size();
    let ray = |distance: f64, turn: f64| {
        let origin = hand * distance;
        Ray { origin, direction: DQuat::from_rotation_z(turn) * start - origin, start: 0.0 }
    };
    assert_eq!(drag_by_ray(&mut stage, ray(1.0, 0.0), &[], TOLERANCE), Some(ring));
    for (step, distance) in [1.0, 3.0, 30.0, 300.0, 3_000.0].into_iter().enumerate() {
        let turn = 0.2 * (step + 1) as f64;
        stage.gizmo.pointer_ray(ray(distance, turn), TOLERANCE);
        stage.update();
        let rotation = stage.local().rotation;
        assert!(rotation.angle_between(DQuat::from_rotation_z(turn)) < 1e-6, "{distance}: {rotation}");
    }
}
