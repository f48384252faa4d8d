//! §17 of docs/spec.md: box handles, for any box in any view and under any parent.

use crate::drags::bits;
use crate::prelude::*;

/// A box around a point of a scene, a grip of it, and a drag.
#[derive(Debug, Clone)]
struct Boxed {
    scene: Scene,
    grip: usize,
    target: Target,
    cursor_by_px: DVec2,
    symmetric: bool,
    keep_aspect: bool,
    allow_mirror: bool,
}

fn boxed() -> impl Strategy<Value = Boxed> {
    let scale = [magnitude(-1.0, 1.0), magnitude(-1.0, 1.0), magnitude(-1.0, 1.0)];
    let local = (turn(), scale, any::<[bool; 3]>());
    // In pixels: the sides, and how far the center of the box is from the origin of the target.
    let sides = [20.0..300.0, 20.0..300.0, 20.0..300.0];
    let offset = [-100.0..100.0, -100.0..100.0, -100.0..100.0];
    let flags = any::<[bool; 3]>();
    (
        scene(),
        0..BoxGrip::ALL.len(),
        local,
        prop_oneof![Just(DMat4::IDENTITY), parent()],
        sides,
        offset,
        offset_px(),
        flags,
    )
        .prop_map(
            |(scene, grip, (rotation, scale, mirrored), parent, sides, offset, cursor_by_px, flags)| {
                let signs = DVec3::from_array(mirrored.map(|mirrored| if mirrored { -1.0 } else { 1.0 }));
                let target =
                    target_in(&scene, rotation, DVec3::from_array(scale) * signs, parent, sides, offset);
                let [symmetric, keep_aspect, allow_mirror] = flags;
                Boxed { scene, grip, target, cursor_by_px, symmetric, keep_aspect, allow_mirror }
            },
        )
}

/// Returns a target at the pivot of the scene whose box has these sides on screen.
fn target_in(
    scene: &Scene,
    rotation: DQuat,
    scale: DVec3,
    parent: DMat4,
    sides: [f64; 3],
    offset: [f64; 3],
) -> Target {
    let translation = parent.inverse().transform_point3(scene.pivot);
    let local = Transform { translation, rotation, scale };
    let world = DMat3::from_mat4(parent) * local.linear();
    let pixel = scene.shot.view.pixel_size(scene.pivot);
    let per_unit = [world.x_axis, world.y_axis, world.z_axis].map(DVec3::length);
    let in_local = |px: [f64; 3]| DVec3::from_array(std::array::from_fn(|i| px[i] * pixel / per_unit[i]));
    let (half, center) = (in_local(sides) * 0.5, in_local(offset));
    Target::new(local, parent).with_bounds([center - half, center + half])
}

/// Returns the point of a box at -1, 0 or 1 along each axis, in world space.
fn point(target: &Target, signs: DVec3) -> DVec3 {
    let [low, high] = target.bounds_local.expect("the target has a bounding box");
    let at = (low + high) * 0.5 + (high - low) * 0.5 * signs;
    target.world_from_parent.transform_point3(target.local.linear() * at + target.local.translation)
}

/// Returns the magnitude of the numbers that the position of a point is computed from.
fn magnitude_of(target: &Target) -> f64 {
    let world = DMat3::from_mat4(target.world_from_parent);
    let columns = [world.x_axis, world.y_axis, world.z_axis].map(DVec3::length);
    let [low, high] = target.bounds_local.expect("the target has a bounding box");
    let reach = (target.local.scale.abs() * low.abs().max(high.abs())).length();
    let local = target.local.translation.length() + reach;
    columns.iter().sum::<f64>() * local + target.world_from_parent.w_axis.truncate().length()
}

/// Drags the box. Returns the target and whether the motion was clamped, or `None` if the drag cannot begin.
/// Back at the pressed position, and after a cancel, the box is as before, bit for bit.
fn dragged(case: &Boxed, result: BoxResult) -> Option<(Target, bool)> {
    let handle = HandleId::from_constraint(Constraint::Box(BoxGrip::ALL[case.grip]));
    let settings = Settings::default().with(|s| {
        s.mode = Mode::None;
        let shown = s.box_handles.insert(BoxHandles::default());
        (shown.result, shown.keep_aspect, shown.min_size) = (result, case.keep_aspect, 1e-9);
        s.motion.allow_mirror = case.allow_mirror;
    });
    let modifiers = Modifiers { symmetric: case.symmetric, ..Modifiers::default() };
    let view = &case.scene.shot.view;
    let press_px = view.px_from_world(point(&case.target, grip_signs(case)))?;
    let mut drag = Drag::begin(handle, view, press_px, &[case.target], &settings, modifiers).ok()?;
    let motion = drag.solve(view, press_px + case.cursor_by_px, modifiers);
    let mut targets = [case.target];
    drag.apply(&mut targets);
    let moved = targets[0];
    drag.restore(&mut targets);
    assert_eq!((bits(&targets), targets), (bits(&[case.target]), [case.target]), "canceled");
    drag.apply(&mut targets);
    drag.solve(view, press_px, modifiers);
    drag.apply(&mut targets);
    assert_eq!((bits(&targets), targets), (bits(&[case.target]), [case.target]), "back at the press");
    Some((moved, motion.clamped))
}

fn grip_signs(case: &Boxed) -> DVec3 {
    DVec3::from_array(Axis::ALL.map(|axis| BoxGrip::ALL[case.grip].sign(axis)))
}

#[test]
fn box_drag_keeps_fixed_point_and_results_agree() {
    holds_in(100_000, &boxed(), 0.7, |case| {
        let (moved, _) = dragged(case, BoxResult::Transform)?;
        let (extents, _) = dragged(case, BoxResult::Extents).expect("the same press hits the box");
        assert!(moved.local.is_finite());
        let signs = grip_signs(case);
        // With the symmetric key the center is fixed.
        let fixed = if case.symmetric { DVec3::ZERO } else { -signs };
        let before = point(&case.target, fixed);
        let size = magnitude_of(&case.target).max(magnitude_of(&moved)).max(magnitude_of(&extents));
        let error = point(&moved, fixed).distance(before) / size;
        assert!(error < 1e-12, "the fixed point moved by {error:e} relative");
        // Mirrored extents are sorted, so the boxes have the same center and corners, with other names.
        let mirrored = moved.local.scale.signum() * case.target.local.scale.signum();
        for corner in 0..8 {
            let sign = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let at = DVec3::new(sign(0), sign(1), sign(2));
            let error = point(&moved, at * mirrored).distance(point(&extents, at)) / size;
            assert!(error < 1e-11, "transform and extents differ by {error:e} relative");
        }
        Some(())
    });
}

#[test]
fn dragged_face_is_at_foot_of_cursor() {
    let faces = boxed().prop_map(|case| Boxed { grip: case.grip % 6, ..case });
    holds_in(100_000, &faces, 0.3, |case| {
        let (moved, clamped) = dragged(case, BoxResult::Transform)?;
        let view = &case.scene.shot.view;
        let signs = grip_signs(case);
        let face = point(&case.target, signs);
        let along = (face - point(&case.target, DVec3::ZERO)) * 1e-3;
        let ends = [face - along, face + along].map(|point| view.px_from_world(point));
        let (Some(from), Some(to), Some(press_px)) = (ends[0], ends[1], view.px_from_world(face)) else {
            return None;
        };
        // A line that is a point on screen has no foot.
        let drawn = to - from;
        if clamped || drawn.length() < 1e-4 {
            return None;
        }
        let direction = drawn.normalize();
        let foot = press_px + direction * case.cursor_by_px.dot(direction);
        let px = view.px_from_world(point(&moved, signs))?;
        // The direction is that of pixels, whose rounding grows with the distance.
        let tolerance = 0.5 + 1e-6 * case.cursor_by_px.length();
        assert!(px.distance(foot) < tolerance, "{px} instead of {foot}");
        Some(())
    });
}
