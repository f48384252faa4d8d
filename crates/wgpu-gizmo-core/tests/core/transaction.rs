//! The transaction of a single drag (§3 of docs/spec.md).

use crate::oracle::{begin, bits, odd_transform, px, target_at};
use crate::views::{self, Camera, Shot};
use wgpu_gizmo_core::draw::InvisibleReason;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::interaction::Drag;
use wgpu_gizmo_core::{HandleId, Settings, Snap, Target};

const PIVOT: DVec3 = DVec3::new(0.3, -0.0, -0.2);

fn shot(projection: &views::Projection) -> Shot {
    projection.shot(&Camera::at(DVec3::new(3.0, 2.2, 4.1)))
}

/// Returns a pixel at which every handle can be pressed: beside the center and on no special line.
fn press_near(shot: &Shot) -> DVec2 {
    px(shot, PIVOT) + DVec2::new(37.3, -21.9) * shot.view.scale_factor()
}

/// Calls `check` with a drag of every handle in every projection.
fn each_drag(check: impl Fn(HandleId, &Shot, DVec2, Drag, [Target; 2])) {
    for projection in views::ALL {
        let shot = shot(&projection);
        for handle in HandleId::all() {
            let press = press_near(&shot);
            let targets = [
                Target::from_world(odd_transform(PIVOT + DVec3::new(1.0, -2.0, 0.1))),
                Target::from_world(odd_transform(PIVOT - DVec3::new(1.0, -2.0, 0.1))),
            ];
            let drag = Drag::begin(handle, &shot.view, press, &targets, &Settings::default(), Snap::OFF);
            check(handle, &shot, press, drag.expect("the handle is usable"), targets);
        }
    }
}

#[test]
fn nothing_moves_before_cursor_leaves_press() {
    each_drag(|handle, shot, press, mut drag, starts| {
        let other = views::ALL[0].shot(&Camera::at(DVec3::new(-2.0, 4.0, 5.0)));
        let mut targets = starts;
        for (view, snap) in [
            (&shot.view, Snap::DEFAULT_INCREMENTS),
            (&other.view, Snap::OFF),
            (&other.view, Snap::DEFAULT_INCREMENTS),
        ] {
            let motion = drag.solve(view, press, snap);
            assert!(motion.change.is_identity(), "{}: {motion:?}", handle.name());
            drag.apply(&mut targets);
            for (target, start) in targets.iter().zip(&starts) {
                assert_eq!(bits(&target.local), bits(&start.local), "{}", handle.name());
            }
        }
    });
}

#[test]
fn press_does_not_jump() {
    each_drag(|handle, shot, press, mut drag, starts| {
        let mut targets = starts;
        drag.solve(&shot.view, press + DVec2::new(1e-4, -1e-4), Snap::OFF);
        drag.apply(&mut targets);
        for (target, start) in targets.iter().zip(&starts) {
            let off = (target.local.to_matrix() - start.local.to_matrix()).to_cols_array();
            let off = off.iter().fold(0.0f64, |a, b| a.max(b.abs()));
            assert!(off < 1e-4, "{}: {off}", handle.name());
        }
    });
}

#[test]
fn pivot_behind_camera_refuses_press_and_holds_drag() {
    for projection in views::ALL.iter().filter(|p| !p.orthographic) {
        let front = shot(projection);
        let turned = projection
            .shot(&Camera { look_at: DVec3::new(6.0, 4.4, 8.2), ..Camera::at(DVec3::new(3.0, 2.2, 4.1)) });
        for handle in HandleId::all() {
            let press = press_near(&front);
            let mut drag = begin(handle, &front, press, target_at(PIVOT), &Settings::default());
            let motion = drag.solve(&front.view, press + DVec2::new(40.0, 17.0), Snap::OFF);
            for cursor in [DVec2::ZERO, DVec2::new(400.0, 300.0), press] {
                let held = drag.solve(&turned.view, cursor, Snap::OFF);
                assert_eq!(held, motion, "{}: {}", projection.name, handle.name());
            }
            let refused = Drag::begin(
                handle,
                &turned.view,
                press,
                &[target_at(PIVOT)],
                &Settings::default(),
                Snap::OFF,
            );
            assert_eq!(refused.err(), Some(InvisibleReason::PivotNotInFront.into()), "{}", projection.name);
        }
    }
}

#[test]
fn non_finite_cursor_changes_nothing() {
    each_drag(|handle, shot, press, mut drag, _| {
        let motion = drag.solve(&shot.view, press + DVec2::new(9.0, 5.0), Snap::OFF);
        for bad in [DVec2::NAN, DVec2::new(f64::INFINITY, 3.0), DVec2::new(3.0, f64::NEG_INFINITY)] {
            assert_eq!(drag.solve(&shot.view, bad, Snap::OFF), motion, "{}", handle.name());
        }
    });
}
