//! Local transforms under any parent.

use super::{Selection, applied, largest, selected};
use crate::prelude::*;

/// Returns the position and the linear part of a target in world space.
fn world(target: &Target) -> (V<3>, [V<3>; 3]) {
    let Transform { translation, rotation: turn, scale: by } = target.local;
    let parent = m4(target.world_from_parent);
    let point = apply(&parent, point4(v3(translation)));
    let turned = rotation(turn);
    let columns = std::array::from_fn(|i| {
        let column = scale([turned[0][i], turned[1][i], turned[2][i]], Dd::from(by[i]));
        let [x, y, z, _] = apply(&parent, vector4(column));
        [x, y, z]
    });
    ([point[0], point[1], point[2]], columns)
}

/// Returns the rotation of a change, if it is one.
fn turn_of(change: Change) -> Option<DQuat> {
    match change {
        Change::Rotate { axis, principal, .. } => {
            let (sine, cosine) = (0.5 * principal).sin_cos();
            Some(DQuat::from_vec4((axis * sine).extend(cosine)))
        }
        Change::RotateFreely(turn) => Some(turn),
        _ => None,
    }
}

/// Returns a position in world space after a change about a pivot, along the axes of the drag.
fn changed_position(was: V<3>, pivot: V<3>, change: Change, axes: DMat3) -> V<3> {
    let arm = sub(was, pivot);
    match change {
        Change::Translate(by) => add(was, v3(by)),
        Change::Scale(by) => (0..3).fold(pivot, |sum, i| {
            let along = v3(axes.col(i));
            add(sum, scale(along, dot(along, arm) * Dd::from(by[i])))
        }),
        other => {
            let turn = turn_of(other).expect("nothing else is in a mode");
            add(pivot, apply(&rotation(turn), arm))
        }
    }
}

#[test]
fn locals_realize_world_change_under_any_parent() {
    holds(&(selected(), offset_px()), 0.6, |(selected, offset_px)| {
        let (mut drag, press_px) = selected.begin(Snap::OFF)?;
        let motion = drag.solve(&selected.scene.shot.view, press_px + *offset_px, Snap::OFF);
        let now = applied(&drag, &selected.targets);
        let each_by_itself = selected.settings.pivot == Pivot::Individual;
        for (index, (start, now)) in selected.targets.iter().zip(&now).enumerate() {
            if selected.is_inside(index) || motion.change.is_identity() {
                continue;
            }
            let ((was, was_linear), (is, is_linear)) = (world(start), world(now));
            let pivot = if each_by_itself { was } else { v3(drag.pivot_world()) };
            let wanted = changed_position(was, pivot, motion.change, drag.axes());
            let moved = sub(wanted, was);
            // Precision that a parent with a condition number of 10⁴ leaves of sixteen digits, for
            // the motion and for the position before and after scaling.
            let factor = match motion.change {
                Change::Scale(by) => by.abs().max_element(),
                _ => 1.0,
            };
            let (parent, local) = (&start.world_from_parent, start.local.translation);
            let terms = (0..3).map(|i| (parent.col(i).truncate() * local[i]).abs().max_element());
            let extent = terms.sum::<f64>() + largest(was) + largest(pivot);
            let unit = largest(moved) + (1e-3 + 1e-6 * factor) * extent;
            let off = largest(sub(is, wanted));
            assert!(off <= 1e-9 * unit, "{index}: {off:e} of {unit:e} by {motion:?}");
            let constraint = drag.handle().constraint();
            if !constraint.scales() {
                assert_eq!(now.local.scale, start.local.scale);
            }
            if !constraint.rotates() {
                assert_eq!(now.local.rotation, start.local.rotation);
            }
            if start.world_from_parent == DMat4::IDENTITY && !each_by_itself {
                let Some(turn) = turn_of(motion.change) else { continue };
                let turn = rotation(turn);
                for (was, is) in was_linear.iter().zip(&is_linear) {
                    let off = largest(sub(apply(&turn, *was), *is));
                    assert!(off <= 1e-9 * largest(*was), "turned by {motion:?}");
                }
            }
        }
        Some(())
    });
}

/// Types a number in a drag without a pointer. Returns the motion and the moved targets.
fn typed(selected: &Selection, targets: &[Target], text: &str) -> Option<(Motion, Vec<Target>)> {
    let view = &selected.scene.shot.view;
    let settings = selected.settings.with(|s| s.pivot = Pivot::Active);
    let mut drag = Drag::begin_by_keys(selected.handle(), view, targets, &settings, Snap::OFF).ok()?;
    for character in text.chars() {
        assert!(drag.key(Key::from_char(character).expect("the key types"), Snap::OFF));
    }
    Some((drag.motion(), applied(&drag, targets)))
}

/// §11: a typed number is exact, and the opposite number reverses it.
#[test]
fn opposite_typed_drags_cancel_to_four_ulp() {
    let number = (1u32..100_000, 0usize..5);
    holds(&(selected(), number), 0.45, |(selected, (digits, point))| {
        let mut text = digits.to_string();
        text.insert(text.len() - (*point).min(text.len()), '.');
        let number: f64 = text.parse().expect("the text is a number");
        let constraint = selected.handle().constraint();
        if constraint.scales() {
            // No factor has an opposite number, and its inverse may not be typeable.
            return None;
        }
        let (there, away) = typed(selected, &selected.targets, &text)?;
        match there.change {
            Change::Translate(by) => assert!((by.length() / number - 1.0).abs() < 1e-12, "{by} of {number}"),
            Change::Rotate { .. } => {
                let off = there.change.total_angle() - number.to_radians();
                assert!(off.abs() <= 1e-12 * number.to_radians(), "{there:?} of {number} degrees");
            }
            _ => {}
        }
        // Axes that rotated with the target differ from those of the first drag.
        if constraint.rotates()
            && !matches!(
                selected.settings.orientation,
                Orientation::World | Orientation::View | Orientation::Custom(_)
            )
        {
            return None;
        }
        let (_, back) = typed(selected, &away, &format!("-{text}"))?;
        for ((start, away), back) in selected.targets.iter().zip(&away).zip(&back) {
            let parts = |target: &Target| {
                let Transform { translation: t, rotation: r, .. } = target.local;
                (t.to_array(), r.to_array())
            };
            let ((t0, r0), (t1, _), (t2, r2)) = (parts(start), parts(away), parts(back));
            let of = |a: &[f64], b: &[f64]| a.iter().chain(b).fold(0.0, |m: f64, x| m.max(x.abs()));
            let ulp = f64::EPSILON * of(&t0, &t1);
            let off = t0.iter().zip(t2).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            if constraint.translates() {
                assert!(off <= 4.0 * ulp, "{} ulp off", off / ulp);
                assert_eq!(r0, r2);
            } else if start.world_from_parent == DMat4::IDENTITY {
                let unit = |r: [f64; 4]| DQuat::from_array(r).normalize();
                let (a, b) = (unit(r0), unit(r2));
                let off = (a - b * a.dot(b).signum()).to_array();
                let off = off.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
                // The largest value is the angle.
                let ulp = f64::EPSILON * number.to_radians().max(1.0);
                assert!(off <= 4.0 * ulp, "{} ulp off", off / ulp);
            }
        }
        Some(())
    });
}

/// §9, checked by the definition of a polar factor: UᵀM is symmetric and positive semi-definite.
#[test]
fn rotation_under_non_uniform_parent_is_nearest() {
    let rings = prop_oneof![7usize..12];
    holds(&(selected(), rings, offset_px()), 0.2, |(selected, handle, offset_px)| {
        let settings = selected.settings.with(|s| s.pivot = Pivot::Active);
        let mut target = selected.targets[0];
        target.inside = None;
        let selected = Selection { settings, handle: *handle, targets: vec![target], ..selected.clone() };
        let (mut drag, press_px) = selected.begin(Snap::OFF)?;
        let motion = drag.solve(&selected.scene.shot.view, press_px + *offset_px, Snap::OFF);
        let turn = turn_of(motion.change).expect("a ring or the trackball turns");
        if motion.change.is_identity() || target.world_from_parent == DMat4::IDENTITY {
            return None;
        }
        let now = applied(&drag, &selected.targets)[0].local;
        let parent = m4(target.world_from_parent);
        let parent: M<3> = std::array::from_fn(|i| std::array::from_fn(|j| parent[i][j]));
        let inverse = inverse(&parent)?;
        let sheared = mul(&inverse, &mul(&rotation(turn), &parent));
        let before = rotation(target.local.rotation);
        let after = rotation(now.rotation);
        // UᵀM, where the local rotation is U = after · beforeᵀ.
        let local_turn = mul(&after, &transpose(&before));
        let symmetric = mul(&transpose(&local_turn), &sheared);
        let norm = |m: &M<3>| m.iter().map(|row| dot(*row, *row)).fold(Dd::ZERO, |a, b| a + b).sqrt();
        let all = norm(&sheared).to_f64();
        let twist = sub(symmetric[0], transpose(&symmetric)[0]);
        let twist = largest(twist).max((symmetric[1][2] - symmetric[2][1]).abs().to_f64());
        assert!(twist < 1e-9 * all, "{twist:e} of {all:e} is not symmetric");
        let [[a, b, c], [_, e, f], [.., i]] = symmetric;
        let minors = [a + e + i, a * e - b * b + (a * i - c * c) + (e * i - f * f)];
        let slack = Dd::from(-1e-9 * all);
        assert!(
            minors[0] > slack && minors[1] > slack * Dd::from(all),
            "not positive semi-definite: {minors:?}"
        );
        let stretched = |turn: &M<3>| -> M<3> {
            turn.map(|row| std::array::from_fn(|j| row[j] * Dd::from(target.local.scale[j])))
        };
        let wanted = mul(&sheared, &stretched(&before));
        let found = stretched(&after);
        let missed: M<3> = std::array::from_fn(|i| sub(wanted[i], found[i]));
        let missed = norm(&missed).to_f64() / target.local.scale.length();
        let residual = drag.residual();
        assert!((residual - missed).abs() < 1e-9 * all, "the residual is {residual}, expected {missed}");
        Some(())
    });
}

/// However flat a parent is, a drag that is not refused moves its target exactly, up to the
/// precision of local coordinates.
#[test]
fn nearly_flat_parent_moves_exactly_or_refuses() {
    let flat = (turn(), turn(), magnitude(-16.0, 0.0), magnitude(-8.0, 0.0));
    holds(
        &(scene(), flat, 0usize..7, offset_px()),
        0.3,
        |(scene, (before, after, small, mid), handle, offset_px)| {
            let stretch = DVec3::new(1.0, *mid, *small);
            let parent = DMat4::from_quat(*after) * DMat4::from_scale(stretch) * DMat4::from_quat(*before);
            let parent = DMat4::from_translation(scene.pivot) * parent;
            let target = Target::new(Transform::IDENTITY, parent);
            let handle = HandleId::from_index(*handle).expect("the index is in the table");
            let view = &scene.shot.view;
            let pivot_px = view.px_from_world(scene.pivot)?;
            let press_px = pivot_px + DVec2::new(40.0, 25.0);
            let begun = Drag::begin(handle, view, press_px, &[target], &Settings::default(), Snap::OFF);
            let mut drag = begun.ok()?;
            let motion = drag.solve(view, press_px + *offset_px, Snap::OFF);
            let Change::Translate(by) = motion.change else { return None };
            let now = applied(&drag, &[target])[0];
            let moved = sub(world(&now).0, world(&target).0);
            let condition = 1.0 / small.min(*mid);
            let off = largest(sub(moved, v3(by)));
            let unit = by.abs().max_element() + 1e-300;
            assert!(
                off <= 64.0 * f64::EPSILON * condition * unit,
                "{off:e} of {unit:e}, condition {condition:e}"
            );
            Some(())
        },
    );
}

#[test]
fn decomposed_matrix_round_trips_up_to_its_error() {
    let matrix = |t: &Transform| DMat4::from_scale_rotation_translation(t.scale, t.rotation, t.translation);
    holds(&(parent(), turn()), 1.0, |(parent, rotation)| {
        let decomposed = Transform::from_matrix(*parent).expect("the matrix is invertible");
        let missing = *parent - matrix(&decomposed);
        let length = |m: &[f64]| m.iter().map(|e| e * e).sum::<f64>().sqrt();
        let lost = length(&missing.to_cols_array()) / length(&DMat3::from_mat4(*parent).to_cols_array());
        let error = decomposed.error_against(*parent);
        assert!((error - lost).abs() < 1e-12, "{error} against {lost}");
        let (translation, scale) = (DVec3::new(1.0, -2.0, 0.5), DVec3::new(-1.0 / 3.0, 0.7, 1e-3));
        let whole = matrix(&Transform { translation, rotation: *rotation, scale });
        let back = Transform::from_matrix(whole).expect("the matrix is invertible");
        assert!(back.error_against(whole) < 1e-12, "{back:?}");
        Some(())
    });
}
