//! The transaction of a single drag (§3 of docs/spec.md).

use crate::prelude::*;

#[test]
fn pivot_behind_camera_refuses_press_and_holds_drag() {
    let pivot = DVec3::new(0.3, -0.0, -0.2);
    let camera = Camera::at(DVec3::new(3.0, 2.2, 4.1));
    let (targets, settings) = ([target_at(pivot)], Settings::default());
    for projection in views::ALL.iter().filter(|p| !p.orthographic) {
        let front = projection.shot(&camera);
        let away = projection.shot(&Camera { look_at: camera.eye * 2.0, ..camera });
        // Beside the center and on no special line, so that every handle can be pressed there.
        let press = px(&front, pivot) + DVec2::new(37.3, -21.9) * front.view.scale_factor();
        for handle in HandleId::all() {
            let mut drag = begin(handle, &front, press, targets[0], &settings);
            let motion = drag.solve(&front.view, press + DVec2::new(40.0, 17.0), Snap::OFF);
            for cursor in [DVec2::ZERO, DVec2::new(400.0, 300.0), press] {
                let held = drag.solve(&away.view, cursor, Snap::OFF);
                assert_eq!(held, motion, "{}: {}", projection.name, handle.name());
            }
            let refused = Drag::begin(handle, &away.view, press, &targets, &settings, Snap::OFF);
            assert_eq!(refused.err(), Some(InvisibleReason::PivotNotInFront.into()), "{}", projection.name);
        }
    }
}
