use super::*;

const VIEWPORT: Viewport = Viewport { x: 0.0, y: 0.0, width: 1280.0, height: 720.0 };

fn orbit() -> Orbit {
    Orbit::around(Ball::new(DVec3::new(1.0, 2.0, 3.0), 2.0))
}

fn view(orbit: &Orbit) -> View {
    let [view_from_world, clip_from_view] = orbit.matrices(VIEWPORT);
    View::new(view_from_world, clip_from_view, VIEWPORT, 1.0).expect("the view is valid")
}

#[test]
fn spheres_of_any_size_and_place_can_be_framed() {
    for [center, radius] in [[1e308, 1.0], [-1e308, 1e308], [0.0, 1e300], [0.0, 1e-300], [f64::NAN; 2]] {
        let mut orbit = Orbit::around(Ball::new(DVec3::splat(center), radius));
        for is_orthographic in [false, true] {
            orbit.is_orthographic = is_orthographic;
            view(&orbit);
        }
    }
}

#[test]
fn pan_keeps_center_under_pointer() {
    for is_orthographic in [false, true] {
        let mut orbit = orbit();
        orbit.is_orthographic = is_orthographic;
        let before = view(&orbit);
        let center = orbit.center;
        crate::views::pan(&mut orbit.center, DVec2::new(30.0, -20.0), &before);
        let moved = view(&orbit).px_from_world(center).expect("the point is in front of the eye");
        assert!(moved.distance(DVec2::new(670.0, 340.0)) < 0.5, "{moved}");
    }
}

#[test]
fn camera_is_taken_over_without_jump() {
    let scene = Ball::new(DVec3::new(0.5, -1.0, 2.0), 3.0);
    let mut other = orbit();
    for (turn, is_orthographic) in [(0.0, false), (0.0, true), (-2000.0, false), (2000.0, true)] {
        other.turn(DVec2::new(140.0, turn));
        other.is_orthographic = is_orthographic;
        let before = view(&other);
        let after = view(&Orbit::from_view(&before, scene));
        for point in [scene.center, other.center, DVec3::new(1.0, 0.3, 0.2)] {
            let [a, b] = [before, after]
                .map(|view| view.px_from_world(point).expect("the point is in front of the eye"));
            assert!(a.distance(b) < 1e-6, "{turn} {is_orthographic}: {a} {b}");
        }
    }
}

#[test]
fn orbit_and_zoom_keep_point_under_pointer() {
    let point = DVec3::new(2.0, 1.0, 3.5);
    for is_orthographic in [false, true] {
        let mut orbit = orbit();
        orbit.is_orthographic = is_orthographic;
        let px = |orbit: &Orbit| view(orbit).px_from_world(point).expect("the point is in view");
        let before = px(&orbit);
        orbit.zoom_to(point, 3.0);
        assert!(px(&orbit).distance(before) < 1e-6, "zoom: {} {before}", px(&orbit));
        orbit.turn_about(point, DVec2::new(70.0, -31.0));
        assert!(px(&orbit).distance(before) < 1e-6, "orbit: {} {before}", px(&orbit));
        let mut plain = orbit;
        plain.turn(DVec2::new(10.0, 4.0));
        orbit.turn_about(orbit.center, DVec2::new(10.0, 4.0));
        assert!(orbit.center.abs_diff_eq(plain.center, 1e-12), "about its center");
    }
}

#[test]
fn eased_jump_begins_and_ends_at_its_cameras() {
    let (from, mut to) = (orbit(), orbit());
    to.look_from(DVec3::NEG_X);
    to.zoom(4.0);
    assert_eq!(from.toward(&to, 1.0), to);
    assert!(from.toward(&to, 0.0).eye().abs_diff_eq(from.eye(), 1e-12));
    let halfway = from.toward(&to, 0.5);
    assert!(halfway.distance < from.distance && halfway.distance > to.distance);
    let mut behind = from;
    behind.look_from(DVec3::NEG_Z);
    assert!(behind.toward(&to, 0.5).backward().x < 0.0, "the shorter way around");
    let mut opposite = to;
    opposite.look_from_opposite();
    assert!(opposite.backward().abs_diff_eq(DVec3::X, 1e-12));
    // Seen from straight above, or nearly so, left stays left.
    for up_lpx in [260.0, 2000.0] {
        opposite.turn(DVec2::new(40.0, up_lpx - opposite.pitch / RADIANS_PER_LPX));
        let (right, height) = (view(&opposite).right(), opposite.backward().y);
        opposite.look_from_opposite();
        let is_opposite = opposite.backward().y == -height;
        assert!(is_opposite && view(&opposite).right().abs_diff_eq(right, 1e-9), "{up_lpx}");
    }
}
