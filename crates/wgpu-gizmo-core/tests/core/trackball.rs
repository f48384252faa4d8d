//! The trackball (§6 of docs/spec.md).

use crate::oracle::{any_shot, begin, between, cases, handle, px, target_at, visible_point};
use crate::views::{Camera, Shot};
use fastrand::Rng;
use wgpu_gizmo_core::glam::{DQuat, DVec2, DVec3};
use wgpu_gizmo_core::interaction::{Change, Drag, Motion};
use wgpu_gizmo_core::{Settings, Snap};

struct Ball {
    shot: Shot,
    camera: Camera,
    center: DVec2,
    radius: f64,
    /// The pressed point in radii from the center, with y up.
    press: DVec2,
    drag: Drag,
}

fn in_disc(rng: &mut Rng, radius: f64) -> DVec2 {
    loop {
        let v = DVec2::new(between(rng, -1.0, 1.0), between(rng, -1.0, 1.0));
        if v.length() < 1.0 {
            return v * radius;
        }
    }
}

impl Ball {
    fn any(rng: &mut Rng) -> Self {
        let (_, camera, shot) = any_shot(rng);
        let pivot = visible_point(rng, &shot);
        let v = shot.view.viewport();
        let radius = 0.9 * (96.0 * shot.view.scale_factor()).min(0.4 * v.width.min(v.height));
        let (center, press) = (px(&shot, pivot), in_disc(rng, 0.95));
        let at = center + DVec2::new(press.x, -press.y) * radius;
        let drag = begin(handle("rotate_trackball"), &shot, at, target_at(pivot), &Settings::default());
        Self { shot, camera, center, radius, press, drag }
    }

    fn solve(&mut self, at: DVec2) -> DQuat {
        let cursor = self.center + DVec2::new(at.x, -at.y) * self.radius;
        turn(self.drag.solve(&self.shot.view, cursor, Snap::OFF))
    }

    /// Returns right, up and toward the viewer, in world space.
    fn axes(&self) -> [DVec3; 3] {
        let [x, y] = [0, 1].map(|i| self.shot.view_from_world.row(i).truncate().normalize());
        [x, y, (self.camera.eye - self.camera.look_at).normalize()]
    }

    /// Returns the point of the front hemisphere at `at`, which must be inside the rim.
    fn point(&self, at: DVec2) -> DVec3 {
        let [x, y, toward] = self.axes();
        x * at.x + y * at.y + toward * (1.0 - at.length_squared()).max(0.0).sqrt()
    }
}

fn turn(motion: Motion) -> DQuat {
    assert!(!motion.clamped);
    let Change::RotateFreely(turn) = motion.change else { panic!("{motion:?}") };
    assert!((turn.length() - 1.0).abs() < 1e-12);
    turn
}

fn difference(a: DQuat, b: DQuat) -> f64 {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    (a - b).length()
}

#[test]
fn trackball_is_continuous_across_rim() {
    cases(20_000, |rng| {
        let mut ball = Ball::any(rng);
        let (sin, cos) = between(rng, -3.2, 3.2).sin_cos();
        let rim = DVec2::new(cos, sin);
        if ball.point(ball.press).dot(ball.point(rim)) > -0.9 {
            let (inside, outside) = (ball.solve(rim * (1.0 - 1e-12)), ball.solve(rim * (1.0 + 1e-12)));
            assert!(difference(inside, outside) < 1e-4, "{inside} {outside}");
        }
        let near = ball.press + DVec2::new(1e-9, -1e-9);
        assert!(difference(ball.solve(near), DQuat::IDENTITY) < 1e-6);
        let pressed = ball.center + DVec2::new(ball.press.x, -ball.press.y) * ball.radius;
        let back = turn(ball.drag.solve(&ball.shot.view, pressed, Snap::OFF));
        assert_eq!(back, DQuat::IDENTITY);
    });
}
