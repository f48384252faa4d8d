//! Visibility and layout of handles (§2 of docs/spec.md).

mod custom;
mod flips;

use crate::oracle::{any_shot, cases, handle, px, target_at, visible_point, world_per_px};
use crate::stage::Stage;
use crate::views::{self, Camera};
use wgpu_gizmo_core::draw::parts::Item;
use wgpu_gizmo_core::draw::parts::MeshKind;
use wgpu_gizmo_core::glam::{DQuat, DVec2, DVec3};
use wgpu_gizmo_core::handle::HandleSet;
use wgpu_gizmo_core::math::Rect;
use wgpu_gizmo_core::{DrawList, HandleId, Mode, Orientation, Settings, Viewport};

fn items(list: &DrawList, stage: &Stage, name: &str) -> Vec<Item> {
    let id = stage.gizmo.id_of(handle(name)).get();
    list.items().iter().filter(|item| item.handle_id() == id).copied().collect()
}

fn is_shown(stage: &mut Stage, name: &str) -> bool {
    let list = stage.draw();
    !items(&list, stage, name).is_empty()
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
        assert!(at(low + 0.1) > 0.0, "{name}");
        assert_eq!(at(low - 0.1), 0.0, "{name}");
        assert_eq!(at(low + 0.9), 0.0, "{name}: still hidden");
        assert!(at(low + 1.1) > 0.0, "{name}: visible again");
        assert!(at(low + 0.1) > 0.0, "{name}: stays visible");
        assert_eq!(at(-low + 0.1), 0.0, "{name}: from the other side");
        assert_eq!(at(180.0 - low + 0.1), 0.0, "{name}: from behind");
    }
}

#[test]
fn glancing_handle_stays_visible_during_drag() {
    let mut stage = Stage::of_mode(Mode::Translate);
    from_angle(&mut stage, DVec3::X, DVec3::Y, 25.0);
    stage.draw();
    stage.grab(stage.at(DVec3::X * 0.7));
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_x")));
    for degrees in [9.0, 3.0, 0.5] {
        from_angle(&mut stage, DVec3::X, DVec3::Y, degrees);
        assert!(is_shown(&mut stage, "translate_x"), "at {degrees}°");
    }
    stage.release();
    assert!(!is_shown(&mut stage, "translate_x"));
}

#[test]
fn far_half_of_ring_is_dim_and_not_pickable() {
    let mut stage = Stage::of_mode(Mode::Rotate);
    stage.update();
    let list = stage.draw();
    for name in ["rotate_x", "rotate_y", "rotate_z"] {
        let item = items(&list, &stage, name)[0];
        assert!(!item.is_whole_in_ids(), "{name}");
        assert!(item.far_thickness() < 0.6 * item.thickness());
        assert!(item.far_opacity() < 0.5);
        let id = stage.gizmo.id_of(handle(name));
        let axis = DVec3::AXES[handle(name).constraint().axis().expect("a ring has an axis").index()];
        let eye = DVec3::new(2.0, 2.5, 6.0).normalize();
        let (u, v) = axis.any_orthonormal_pair();
        for step in 0..72 {
            let (sin, cos) = (f64::from(step) * 5f64.to_radians()).sin_cos();
            let radial = u * cos + v * sin;
            let found = list.pick(stage.at(radial), 0.0);
            if radial.dot(eye) < -0.06 {
                assert_ne!(found, Some(id), "{name} on its far half, {step}");
            } else if radial.dot(eye) > -0.04 && radial.abs().max_element() < 0.98 {
                // Near the silhouette, the near half of another ring may be in front.
                let covered = radial.dot(eye) < 0.2 && found.is_some();
                assert!(covered || found == Some(id), "{name} on its near half, {step}");
            }
        }
    }
    stage.grab(stage.at(DVec3::new(0.6, 0.8, 0.0)));
    assert_eq!(stage.gizmo.dragging(), Some(handle("rotate_z")));
    let list = stage.draw();
    assert!(items(&list, &stage, "rotate_z")[0].is_whole_in_ids());
    assert!(items(&list, &stage, "rotate_x").is_empty(), "only the dragged ring");
}

#[test]
fn ring_facing_view_is_whole() {
    let mut stage = Stage::of_mode(Mode::Rotate);
    stage.shot = views::ALL[7].shot(&Camera::at(DVec3::new(0.0, 0.0, 6.0)));
    stage.update();
    let list = stage.draw();
    let id = stage.gizmo.id_of(handle("rotate_z"));
    for step in 0..360 {
        let (sin, cos) = (f64::from(step) + 0.5).to_radians().sin_cos();
        if sin.abs() > 0.05 && cos.abs() > 0.05 {
            let found = list.pick(stage.at(DVec3::new(cos, sin, 0.0)), 0.0);
            assert_eq!(found, Some(id), "at {step}°");
        }
    }
}

#[test]
fn hover_and_drag_change_colors() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    let color = |stage: &mut Stage, name: &str| {
        let list = stage.draw();
        items(&list, stage, name)[0].color()
    };
    let (plain, other) = (color(&mut stage, "translate_x"), color(&mut stage, "translate_y"));
    stage.hover(stage.at(DVec3::X * 0.7));
    let hovered = color(&mut stage, "translate_x");
    assert_ne!(hovered, plain);
    assert_eq!(color(&mut stage, "translate_y"), other);
    stage.grab(stage.at(DVec3::X * 0.7));
    assert_eq!(color(&mut stage, "translate_x"), plain);
    let list = stage.draw();
    assert!(items(&list, &stage, "translate_y").is_empty(), "left out");
    stage.gizmo.theme.opacities.dimmed = 0.15;
    let list = stage.draw();
    let rim = items(&list, &stage, "translate_x")[0].rim_color();
    assert_eq!(rim, Some(stage.gizmo.theme.colors.active));
    assert!(color(&mut stage, "translate_y")[3] < 0.5 * other[3], "dimmed");
    stage.gizmo.cancel();
    stage.release();
    assert_eq!(color(&mut stage, "translate_y"), other);
}

#[test]
fn list_bounds_contain_every_handle() {
    for projection in views::ALL {
        for mode in [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal] {
            let mut stage = Stage::of_mode(mode);
            stage.shot = projection.shot(&Camera::at(DVec3::new(2.0, 2.5, 6.0)));
            stage.update();
            let list = stage.draw();
            let Rect { min: low, max: high } = list.bounds_px().expect("the handles are in view");
            for item in list.items() {
                for corner in [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_Y, DVec3::NEG_Z] {
                    if item.mesh == MeshKind::Stem && corner.x == 0.0 && corner != DVec3::ZERO {
                        continue;
                    }
                    let corner = if item.mesh == MeshKind::Cone { corner * 0.22 } else { corner };
                    let at = px(&stage.shot, item.world_from_part.transform_point3(corner));
                    assert!(at.cmpge(low).all() && at.cmple(high).all(), "{}: {item:?}", projection.name);
                }
            }
        }
    }
}

#[test]
fn four_viewports_have_separate_glancing() {
    let mut stage = Stage::new(Settings::default());
    let shots = [DVec3::new(3.0, 2.0, 4.0), DVec3::X * 6.0, DVec3::new(0.0, 6.0, 0.01), DVec3::Z * 6.0];
    let shots: Vec<_> = (0..4)
        .map(|i| {
            let viewport = Viewport {
                x: f64::from(i % 2) * 400.0,
                y: f64::from(i / 2) * 300.0,
                width: 400.0,
                height: 300.0,
            };
            views::ALL[0].shot(&Camera { viewport, ..Camera::at(shots[i as usize]) })
        })
        .collect();
    stage.shot = shots[0];
    stage.update();
    for _ in 0..3 {
        let counts: Vec<usize> = shots
            .iter()
            .map(|shot| {
                let mut list = DrawList::new();
                list.begin(&shot.view);
                stage.gizmo.draw(&mut list);
                let Rect { min: low, max: high } = list.bounds_px().expect("the handles are in view");
                let v = shot.view.viewport();
                assert!(low.cmpge(DVec2::new(v.x, v.y)).all());
                assert!(high.cmple(DVec2::new(v.x + v.width, v.y + v.height)).all());
                let mut shown: Vec<_> = list.items().iter().filter_map(|item| item.id).collect();
                shown.sort();
                shown.dedup();
                shown.len()
            })
            .collect();
        // From the side, one arrow is end-on, and the two squares that contain it are edge-on.
        assert_eq!(counts, [7, 4, 4, 4]);
    }
}

/// Returns the approximate number of pixels at which each handle is picked on the CPU, by name.
fn pixel_counts(stage: &mut Stage) -> Vec<(&'static str, usize)> {
    let list = stage.draw();
    let mut counts = [0; HandleId::BUILT_IN];
    let Rect { min: low, max: high } = list.bounds_px().expect("the handles are in view");
    for y in (low.y as u32..high.y as u32).step_by(3) {
        for x in (low.x as u32..high.x as u32).step_by(2) {
            let found = list.pick(DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5), 0.0);
            if let Some(handle) = found.and_then(|id| stage.gizmo.handle_of(id)) {
                counts[handle.index()] += 6;
            }
        }
    }
    let listed = |handle: &HandleId| list.items().iter().any(|i| i.id == Some(stage.gizmo.id_of(*handle)));
    HandleId::all().filter(listed).map(|handle| (handle.name(), counts[handle.index()])).collect()
}

#[test]
fn every_universal_handle_can_be_picked() {
    for flipped in [false, true] {
        for projection in [views::ALL[0], views::ALL[7], views::ALL[8]] {
            for (eye, shown) in [
                (DVec3::new(4.0, 3.0, 5.0), 12),
                (DVec3::new(-4.0, 3.5, 5.0), 12),
                (DVec3::new(3.0, -4.0, -5.0), 12),
                (DVec3::Z * 6.0, 8),
                (DVec3::X * 6.0, 8),
                (DVec3::new(0.0, 6.0, 1e-3), 8),
            ] {
                let mut stage = Stage::of_mode(Mode::Universal);
                stage.gizmo.settings.display.flip_toward_camera = flipped;
                stage.shot = projection.shot(&Camera::at(eye));
                stage.update();
                let counts = pixel_counts(&mut stage);
                assert_eq!(counts.len(), shown, "{} from {eye}", projection.name);
                for (name, pixels) in counts {
                    assert!(pixels >= 40, "{}: {name} has {pixels} pixels from {eye}", projection.name);
                }
            }
        }
    }
}

#[test]
fn mixed_handle_sets_do_not_overlap() {
    let all: HandleSet = HandleId::all().collect();
    let mut stage = Stage::of_mode(Mode::Handles(all));
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::new(4.0, 3.0, 5.0)));
    stage.update();
    for (name, pixels) in pixel_counts(&mut stage) {
        assert!(pixels >= 30, "{name} has {pixels}");
    }
    // A set with one channel is laid out like the mode of that channel.
    let mut subset =
        Stage::of_mode(Mode::Handles(Mode::Translate.handles().without(handle("translate_view"))));
    subset.update();
    let mut whole = Stage::of_mode(Mode::Translate);
    whole.update();
    let (subset_list, whole_list) = (subset.draw(), whole.draw());
    assert_eq!(items(&subset_list, &subset, "translate_x"), items(&whole_list, &whole, "translate_x"));
}

#[test]
fn drag_shows_handles_of_press() {
    let mut stage = Stage::of_mode(Mode::Universal);
    stage.gizmo.theme.opacities.dimmed = 0.15;
    stage.update();
    let before = stage.draw();
    stage.grab(stage.at(DVec3::X * 1.3));
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_x")));
    stage.gizmo.settings.mode = Mode::Rotate;
    stage.update();
    let during = stage.draw();
    let transforms = |list: &DrawList| list.items().iter().map(|i| i.world_from_part).collect::<Vec<_>>();
    assert_eq!(transforms(&during), transforms(&before), "all handles stay");
    stage.release();
    assert!(!is_shown(&mut stage, "translate_x") && is_shown(&mut stage, "rotate_view"));
}
