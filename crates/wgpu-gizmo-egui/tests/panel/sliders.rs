//! Handles as sliders of AccessKit, and the buttons of modes.

use crate::host::{BACKENDS, Host, PANEL};
use egui::accesskit::Role;
use egui::{Key, Sense, Shape};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use wgpu_gizmo::glam::{DMat4, DVec3};
use wgpu_gizmo::interaction::settings::{BoxHandles, BoxResult, SnapKind};
use wgpu_gizmo::{
    DrawList, Event as GizmoEvent, Gizmo, IdSpace, Increment, Mode, Snap, Target, Transform, View, Viewport,
};
use wgpu_gizmo_egui::{EguiGizmo, sliders};

#[test]
fn each_axis_handle_is_slider_with_value() {
    for (mode, labels) in [
        (Mode::Translate, ["Move along X", "Move along Y", "Move along Z"]),
        (Mode::Rotate, ["Rotate about X", "Rotate about Y", "Rotate about Z"]),
        (Mode::Scale, ["Scale along X", "Scale along Y", "Scale along Z"]),
    ] {
        for mut host in Host::each(1.0) {
            host.state().gizmo.core().settings.mode = mode;
            host.state().targets[0].local.translation.x = 1.5;
            host.settle();
            for (label, expected) in labels.into_iter().zip(match mode {
                Mode::Translate => [1.5, 0.0, 0.0],
                Mode::Rotate => [0.0; 3],
                _ => [1.0; 3],
            }) {
                let node = host.harness.get_by_role_and_label(Role::Slider, label);
                assert_eq!(node.accesskit_node().numeric_value(), Some(expected), "{label}");
                assert!(PANEL.contains_rect(node.rect()), "{label}: {:?}", node.rect());
            }
        }
    }
}

#[test]
fn increment_and_set_value_drag_with_usual_events() {
    for backend in BACKENDS {
        for (mode, label, after) in [
            // The default increments.
            (Mode::Translate, "Move along X", [0.5, -0.5, 2.0]),
            (Mode::Rotate, "Rotate about Z", [15.0, -15.0, 2.0]),
            (Mode::Scale, "Scale along X", [1.1, 0.9, 2.0]),
        ] {
            let mut host = Host::new(backend, 1.0);
            host.state().gizmo.core().settings.mode = mode;
            host.settle();
            let value = |host: &Host| {
                let node = host.harness.get_by_role_and_label(Role::Slider, label);
                node.accesskit_node().numeric_value().expect("a slider has a value")
            };
            let step = |host: &mut Host, act: &dyn Fn(egui_kittest::Node<'_>)| {
                act(host.harness.get_by_role_and_label(Role::Slider, label));
                host.settle();
            };
            step(&mut host, &|node| node.increment_accesskit());
            assert!((value(&host) - after[0]).abs() < 1e-9, "{label}: {}", value(&host));
            step(&mut host, &|node| node.decrement_accesskit());
            step(&mut host, &|node| node.decrement_accesskit());
            assert!((value(&host) - after[1]).abs() < 1e-9, "{label}: {}", value(&host));
            step(&mut host, &|node| node.set_value_accesskit(2.0));
            assert!((value(&host) - after[2]).abs() < 1e-9, "{label}: {}", value(&host));
            let ends = |event: &&GizmoEvent| **event == GizmoEvent::Ended { changed: true };
            assert_eq!(host.state().events.iter().filter(ends).count(), 4, "{label}");
            assert_eq!(host.state().gizmo.core().starts().count(), 1, "what undo restores");
        }
    }
}

#[test]
fn focused_slider_follows_arrow_keys_by_increments() {
    for mut host in Host::each(1.0) {
        host.state().gizmo.core().settings.snap.increments = Snap::DEFAULT_INCREMENTS;
        host.settle();
        let size = Snap::DEFAULT_INCREMENTS.translate.expect("the increment is set").get();
        host.harness.get_by_role_and_label(Role::Slider, "Move along X").focus();
        host.settle();
        for key in [Key::ArrowRight, Key::ArrowUp, Key::ArrowUp, Key::ArrowUp, Key::ArrowLeft, Key::ArrowDown]
        {
            host.harness.key_press(key);
            host.settle();
        }
        assert!((host.x() - 2.0 * size).abs() < 1e-9, "{}", host.x());
    }
}

#[test]
fn focus_is_painted_over_scene() {
    for mut host in Host::each(1.0) {
        host.settle();
        host.harness.get_by_role_and_label(Role::Slider, "Move along X").focus();
        host.settle();
        let shapes = &host.harness.output().shapes;
        let at = |is: fn(&egui::epaint::RectShape) -> bool| {
            shapes.iter().position(|clipped| matches!(&clipped.shape, Shape::Rect(rect) if is(rect)))
        };
        let focus = at(|rect| rect.fill == egui::Color32::TRANSPARENT && rect.stroke.width > 0.0);
        assert!(
            focus.expect("the focus is shown") > at(|rect| rect.rect == PANEL).expect("the scene is painted")
        );
    }
}

/// Another step would be snapped to a multiple of that increment, or to nothing.
#[test]
fn slider_steps_by_increment_that_always_applies() {
    for (mode, label, step, after) in [
        (Mode::Translate, "Move along X", 0.75, 0.75),
        (Mode::Rotate, "Rotate about Z", 10.0, 10.0),
        (Mode::Scale, "Scale along X", 0.25, 1.25),
    ] {
        for mut host in Host::each(1.0) {
            let settings = &mut host.state().gizmo.core().settings;
            settings.mode = mode;
            assert_eq!(
                settings.snap.while_held,
                Snap::DEFAULT_INCREMENTS,
                "other ones apply while a key is held"
            );
            settings.snap.increments = Snap {
                translate: Increment::new(0.75),
                rotate: Increment::new(10f64.to_radians()),
                scale: Increment::new(0.25),
            };
            host.settle();
            let slider = |host: &Host| {
                let node = host.harness.get_by_role_and_label(Role::Slider, label);
                let shown = node.accesskit_node();
                [shown.numeric_value_step(), shown.numeric_value()]
                    .map(|number| number.expect("it is a slider"))
            };
            assert!((slider(&host)[0] - step).abs() < 1e-9, "{label}: {}", slider(&host)[0]);
            host.harness.get_by_role_and_label(Role::Slider, label).increment_accesskit();
            host.settle();
            assert!((slider(&host)[1] - after).abs() < 1e-9, "{label}: {}", slider(&host)[1]);
        }
    }
}

#[test]
fn slider_of_large_scale_moves_by_snapped_factors() {
    for (kind, before, after) in
        [(SnapKind::Relative, 3.0, 3.3), (SnapKind::Relative, -3.0, -2.7), (SnapKind::Value, 3.0, 3.1)]
    {
        for mut host in Host::each(1.0) {
            host.state().targets[0].local.scale.x = before;
            let settings = &mut host.state().gizmo.core().settings;
            settings.mode = Mode::Scale;
            (settings.snap.increments, settings.snap.kind) = (Snap::DEFAULT_INCREMENTS, kind);
            host.settle();
            host.harness.get_by_role_and_label(Role::Slider, "Scale along X").increment_accesskit();
            host.settle();
            let scale = host.state().targets[0].local.scale.x;
            assert!((scale - after).abs() < 1e-9, "{kind:?} {before}: {scale}");
        }
    }
}

#[test]
fn slider_of_edited_pivot_shows_its_rotation() {
    for mut host in Host::each(1.0) {
        let gizmo = host.state().gizmo.core();
        gizmo.settings.mode = Mode::Rotate;
        gizmo.edit_pivot();
        host.settle();
        // The second time it is there already.
        for _ in 0..2 {
            let slider = host.harness.get_by_role_and_label(Role::Slider, "Rotate about Z");
            slider.set_value_accesskit(30.0);
            host.settle();
            let slider = host.harness.get_by_role_and_label(Role::Slider, "Rotate about Z");
            let value = slider.accesskit_node().numeric_value().expect("a slider has a value");
            assert!((value - 30.0).abs() < 1e-9, "{value}");
        }
        assert_eq!(host.state().targets[0].local, Transform::IDENTITY);
    }
}

#[test]
fn box_faces_are_sliders_that_resize_by_one_drag() {
    for result in [BoxResult::Transform, BoxResult::Extents] {
        for mut host in Host::each(1.0) {
            // A box from -0.1 to 0.15 along X, twice as large in its parent, and eight times in the world.
            let bounds = [DVec3::new(-0.1, -0.5, -0.5), DVec3::new(0.15, 0.5, 0.5)];
            let local = Transform { scale: DVec3::splat(2.0), ..Transform::IDENTITY };
            host.state().targets =
                [Target::new(local, DMat4::from_scale(DVec3::splat(4.0))).with_bounds(bounds)];
            let settings = &mut host.state().gizmo.core().settings;
            settings.mode = Mode::None;
            settings.box_handles.insert(BoxHandles::default()).result = result;
            host.settle();
            let sliders = host.harness.get_all_by_role(Role::Slider);
            let labels: Vec<_> = sliders.filter_map(|node| node.accesskit_node().label()).collect();
            let expected = ["X", "Y", "Z"]
                .map(|axis| ["maximum", "minimum"].map(|face| format!("Resize along {axis} at its {face}")));
            assert_eq!(labels, expected.as_flattened());

            let [maximum, minimum] = [labels[0].as_str(), labels[1].as_str()];
            let value = |host: &Host, label| {
                let node = host.harness.get_by_role_and_label(Role::Slider, label);
                node.accesskit_node().numeric_value().expect("a slider has a value")
            };
            let faces = |host: &mut Host| {
                let target = host.state().targets[0];
                let bounds = target.bounds_local.expect("it has a box");
                let world_from_local = target.world_from_parent * target.local.to_matrix();
                bounds.map(|corner| world_from_local.transform_point3(corner).x)
            };
            let is_near = |a: [f64; 2], b: [f64; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
            assert_eq!(value(&host, maximum), 2.0);
            host.harness.get_by_role_and_label(Role::Slider, maximum).increment_accesskit();
            host.settle();
            // The default increment is 0.5.
            assert_eq!(value(&host, maximum), 2.5);
            assert!(is_near(faces(&mut host), [-0.8, 1.7]), "{:?}", faces(&mut host));
            host.harness.get_by_role_and_label(Role::Slider, minimum).set_value_accesskit(1.0);
            host.settle();
            assert!(is_near(faces(&mut host), [0.7, 1.7]), "{:?}", faces(&mut host));
            let ends = |event: &&GizmoEvent| **event == GizmoEvent::Ended { changed: true };
            assert_eq!(host.state().events.iter().filter(ends).count(), 2, "an undo step each");
        }
    }
}

#[test]
fn gizmo_of_host_has_sliders() {
    let view =
        View::from_clip_from_world(DMat4::from_scale(DVec3::splat(0.5)), Viewport::from_size(400, 300), 1.0);
    let view = view.expect("the view is valid");
    let gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has free ids");
    let large = Transform { scale: DVec3::splat(3.0), ..Transform::IDENTITY };
    let child = Target::from_world(large).with_ancestor(0);
    let state = (gizmo, [Target::from_world(Transform::IDENTITY), child], Vec::new());
    let mut harness = Harness::new_ui_state(
        |ui, (gizmo, targets, events): &mut (Gizmo, [Target; 2], Vec<GizmoEvent>)| {
            let response = ui.interact(ui.max_rect(), ui.scope_id().with("panel"), Sense::drag());
            events.extend(gizmo.update(&view, targets));
            let mut list = DrawList::new();
            gizmo.draw(list.begin(&view));
            events.extend(sliders(ui, &response, gizmo, &list, targets));
        },
        state,
    );
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "Move along Y").set_value_accesskit(0.75);
    harness.run();
    let (_, targets, events) = harness.state();
    assert_eq!(targets[0].local.translation, DVec3::new(0.0, 0.75, 0.0));
    assert!(matches!(
        events[..],
        [GizmoEvent::Started(_), GizmoEvent::Changed(_), GizmoEvent::Ended { changed: true }]
    ));

    // The value is that of the parent, which is the one that moves.
    harness.state_mut().0.settings.mode = Mode::Scale;
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "Scale along Y").set_value_accesskit(2.0);
    harness.run();
    assert_eq!(harness.state().1[0].local.scale, DVec3::new(1.0, 2.0, 1.0));
}

#[test]
fn each_mode_but_none_has_button() {
    let gizmo = EguiGizmo::on_painter().expect("there are free ids");
    let mut harness = Harness::new_ui_state(|ui, gizmo: &mut EguiGizmo<_>| gizmo.mode_buttons(ui), gizmo);
    let labels: Vec<_> =
        harness.query_all_by_role(Role::Button).map(|button| button.accesskit_node().label()).collect();
    assert_eq!(
        labels.into_iter().flatten().collect::<Vec<_>>(),
        ["Translate", "Rotate", "Scale", "Universal"]
    );
    for mode in [Mode::Universal, Mode::Rotate] {
        harness.get_by_label(&mode.to_string()).click();
        harness.run();
        assert_eq!(harness.state().gizmo.settings.mode, mode);
    }
}
