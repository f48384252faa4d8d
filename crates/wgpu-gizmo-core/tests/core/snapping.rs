//! Snapping, the precision key and the snap hook (§10 of docs/spec.md).

use crate::prelude::*;

/// Begins a drag of one of the first `count` built-in handles, near its pivot; `None` if it is seen end-on.
fn pressed(rng: &mut Rng, count: usize) -> Option<(Drag, DVec2, View)> {
    let handle = HandleId::from_index(rng.usize(..count)).expect("the index is in the table");
    let eye = direction(rng) * between(rng, 5.0, 15.0);
    let shot = views::ALL[rng.usize(..views::ALL.len())].shot(&Camera::at(eye));
    let parent = DMat4::from_translation(direction(rng) * 0.7) * DMat4::from_quat(rotation(rng));
    let local = Transform {
        translation: direction(rng) * between(rng, 0.0, 1.0),
        rotation: rotation(rng),
        scale: DVec3::new(1.0, 2.0, 0.5),
    };
    let target = Target::new(local, parent);
    let custom = Orientation::Custom(rotation(rng));
    let orientation = Orientation::PRESETS.get(rng.usize(..5)).copied().unwrap_or(custom);
    let press = px(&shot, target.position_world()) + DVec2::new(between(rng, 25.0, 90.0), 31.0);
    let drag = Drag::begin(handle, &shot.view, press, &[target], &oriented(orientation), Snap::OFF).ok()?;
    Some((drag, press, shot.view))
}

#[test]
fn precision_key_slows_without_jump() {
    let mut checked = 0u64;
    cases(20_000, |rng| {
        let Some((mut drag, press, view)) = pressed(rng, HandleId::BUILT_IN) else { return };
        let mut plain = drag.clone();
        let [a, b, c] =
            [(); 3].map(|()| press + DVec2::new(between(rng, -80.0, 80.0), between(rng, -80.0, 80.0)));
        // In half of the cases, the key is released at the pressed position.
        let b = if c.x > press.x { press } else { b };
        let mut is_clamped = false;
        let mut numbers = |drag: &mut Drag, cursor: DVec2, precise: bool| {
            is_clamped |= drag.solve(&view, cursor, Modifiers { precise, ..Modifiers::default() }).clamped;
            drag.numbers().to_vec()
        };
        let at = [a, b, c].map(|cursor| numbers(&mut plain, cursor, false));
        let path = [(a, false), (a, true), (b, true), (b, false), (c, false)];
        let found = path.map(|(cursor, precise)| numbers(&mut drag, cursor, precise));
        // The number of the trackball is an angle about an axis that changes.
        if is_clamped || drag.handle().constraint() == Constraint::Trackball {
            return;
        }
        for i in 0..at[0].len() {
            let [a, b, c] = [0, 1, 2].map(|place: usize| at[place][i]);
            let slow = a + 0.1 * (b - a);
            let size = 1.0 + a.abs().max(b.abs()).max(c.abs());
            for (found, expected) in found.iter().zip([a, a, slow, slow, slow + (c - b)]) {
                assert!((found[i] - expected).abs() < 1e-9 * size, "{}: {found:?}", drag.handle().name());
            }
            checked += 1;
        }
    });
    assert!(checked > 10_000, "{} cases", checked);
}

#[test]
fn snap_hook_moves_pivot_within_handle() {
    let mut checked = 0u64;
    cases(20_000, |rng| {
        let Some((mut drag, press, view)) = pressed(rng, 7) else { return };
        let pivot = drag.pivot_world();
        let point = pivot + direction(rng) * between(rng, 0.0, 2.0);
        let cursor = press + DVec2::new(between(rng, -90.0, 90.0), between(rng, -90.0, 90.0));
        // Increments do not apply if the hook returns a point.
        let held = Modifiers::from(Snap { translate: Increment::new(0.77), ..Snap::OFF });
        let free = drag.clone().solve(&view, cursor, Snap::OFF);
        let mut hooked = None;
        let motion = drag.solve_with(&view, cursor, held, &mut |moved| {
            hooked = Some(moved);
            Some(point)
        });
        let hooked = hooked.expect("the hook is called");
        assert!(hooked.distance(pivot + displacement(free)) < 1e-9, "called with the moved pivot");
        if motion.clamped {
            return;
        }
        checked += 1;
        let by = displacement(motion);
        let rest = point - pivot - by;
        let [off, missing] = match drag.handle().constraint() {
            Constraint::Axis(axis) => {
                let along = drag.axes().col(axis.index());
                [by.cross(along).length(), rest.dot(along)]
            }
            Constraint::Plane(normal) => {
                let normal = drag.axes().col(normal.index());
                [by.dot(normal), rest.cross(normal).length()]
            }
            _ => [by.dot(view.forward()), rest.cross(view.forward()).length()],
        };
        assert!(off.abs() < 1e-9 && missing.abs() < 1e-9, "{}: {by} to {point}", drag.handle().name());
        // If the hook returns `None` or NaN, increments apply.
        for answer in [None, Some(DVec3::NAN)] {
            let snapped = drag.solve_with(&view, cursor, held, &mut |_| answer);
            assert_eq!(snapped, drag.clone().solve(&view, cursor, held));
        }
    });
    assert!(checked > 10_000, "{} cases", checked);
}

#[test]
fn precision_key_released_at_pressed_position_does_not_jump() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(1.0, 1.0, 8.0)));
    let [press, away] = [0.5, 0.9].map(|x| px(&shot, DVec3::X * x));
    let begin = || begin(handle("translate_x"), &shot, press, target_at(DVec3::ZERO), &Settings::default());
    let mut drag = begin();
    for (cursor, precise) in [(press, true), (away, true), (away, false), (away, true), (press, true)] {
        drag.solve(&shot.view, cursor, Modifiers { precise, ..Modifiers::default() });
    }
    for cursor in [press, away] {
        let motion = drag.solve(&shot.view, cursor, Snap::OFF);
        assert_eq!(motion, begin().solve(&shot.view, cursor, Snap::OFF));
    }
}

#[test]
fn nudge_at_pressed_pixel_asks_no_hook() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(2.0, 2.5, 6.0)));
    let press = px(&shot, DVec3::X * 0.7);
    let mut drag = begin(handle("translate_x"), &shot, press, target_at(DVec3::ZERO), &Settings::default());
    drag.key(Key::Up, Snap::OFF);
    let motion = drag.solve_with(&shot.view, press, Snap::OFF, &mut |_| Some(DVec3::ONE));
    assert_eq!(displacement(motion), DVec3::X * 0.5, "the nudge alone");
}
