//! Tests of the fields of cameras and lights, and of the buttons of section planes.

use super::*;
use scene::lens::Lens;
use scene::volume::{Light, LightShape, NodeVolume};

pub(super) fn lit_scene() -> Scene {
    let node =
        |name: &str, camera, light| Node { camera, light, ..Node::new(name, None, Transform::IDENTITY) };
    let nodes = vec![node("eye", Some(0), None), node("lamp", None, Some(1)), node("none", None, None)];
    let mut scene = tree_of(nodes);
    let lens = Lens::Perspective { fov_y: 0.7, near: 0.1, far: None, aspect: None };
    let spot = Light::new(LightShape::Spot { range: Some(3.0), inner: 0.1, outer: 0.5 });
    scene.set_volumes(vec![Some(NodeVolume::Camera(lens)), Some(NodeVolume::Light(spot))]);
    scene
}

fn light(harness: &Harness<'_, Session>) -> Light {
    harness.state().editor.scene().volume(1).and_then(|volume| volume.light()).expect("the light")
}

#[test]
fn camera_fields_set_lens_as_undo_steps() {
    let mut harness = session(lit_scene(), &[0]);
    type_into(&mut harness, "Field of view", "90");
    type_into(&mut harness, "Near", "0.5");
    find_and_click(&mut harness, "Infinite");
    type_into(&mut harness, "Far", "20");
    let lens = harness.state().editor.scene().lens(0);
    let fov_y = std::f64::consts::FRAC_PI_2;
    assert_eq!(lens, Some(Lens::Perspective { fov_y, near: 0.5, far: Some(20.0), aspect: None }));
    assert_eq!(
        steps(&harness),
        ["Field of view of eye", "Near plane of eye", "Far plane of eye", "Far plane of eye"]
    );
    // The near plane cannot be behind the far plane.
    type_into(&mut harness, "Near", "30");
    assert_eq!(harness.state().editor.scene().lens(0), lens);
    assert!(harness.state().editor.message().is_some_and(|message| message.contains("out of range")));
}

#[test]
fn camera_fields_are_disabled_below_locked_node() {
    let mut scene = lit_scene();
    assert!(scene.reparent(0, Some(2), Transform::IDENTITY));
    for locked in [0, 2] {
        let mut harness = session(scene.clone(), &[0]);
        assert!(!harness.get_by_label("Field of view").accesskit_node().is_disabled());
        harness.state_mut().editor.set_flag(&[locked], Flag::Locked, true);
        harness.run();
        assert!(harness.get_by_label("Field of view").accesskit_node().is_disabled(), "{locked}");
    }
}

#[test]
fn first_number_of_section_is_replaced_by_typing() {
    let typed = |scene, presses| {
        let mut harness = session(scene, &[0]);
        (0..presses).for_each(|_| focus_next(&mut harness));
        type_text(&mut harness, "60");
        press_key(&mut harness, Key::Enter);
        harness
    };
    assert_eq!(local(&typed(scene(), 2), "arm").translation.x, 60.0);
    let lens = typed(lit_scene(), 3).state().editor.scene().lens(0);
    assert!(
        matches!(lens, Some(Lens::Perspective { fov_y, .. }) if (fov_y.to_degrees() - 60.0).abs() < 1e-9)
    );
}

#[test]
fn light_fields_refuse_what_gltf_does_not_allow() {
    let mut harness = session(lit_scene(), &[1]);
    type_into(&mut harness, "Range", "7.5");
    type_into(&mut harness, "Outer cone", "45");
    let spot = |harness: &Harness<'_, Session>| harness.state().editor.scene().volume(1);
    let outer = 45f64 / 1f64.to_degrees();
    let expected = NodeVolume::Light(Light::new(LightShape::Spot { range: Some(7.5), inner: 0.1, outer }));
    assert_eq!(spot(&harness), Some(expected));
    for (field, bad) in [("Outer cone", "91"), ("Outer cone", "1"), ("Inner cone", "45"), ("Range", "-1")] {
        type_into(&mut harness, field, bad);
        assert_eq!(spot(&harness), Some(expected), "{field} {bad}");
    }
    assert_eq!(steps(&harness), ["Range of lamp", "Outer cone of lamp"]);
    type_into(&mut harness, "Range", "far");
    let message = harness.state().editor.message();
    assert!(message.as_ref().is_some_and(|message| message.starts_with("Range: unknown")), "{message:?}");
    find_and_click(&mut harness, "Show handles");
    assert_eq!(commands(&mut harness), [Command::CameraAndLightHandles]);
    let harness = session(lit_scene(), &[2]);
    assert!(harness.query_by_label("Show handles").is_none());
}

#[test]
fn light_color_and_intensity_are_undo_steps() {
    let mut harness = session(lit_scene(), &[1]);
    // A missing glyph ends the test.
    find_and_click(&mut harness, "Color");
    let copy = harness.get_by_label("📋").rect();
    assert!(copy.width() > 10.0 && copy.height() > 10.0, "{copy}");
    press_key(&mut harness, Key::Escape);
    focus(&mut harness, "Color as text");
    // Tab leads to the next field, and Escape keeps its value.
    for (text, key) in [("#ff8000", Key::Tab), ("40", Key::Tab), ("7.5", Key::Escape)] {
        type_text(&mut harness, text);
        press_key(&mut harness, key);
    }
    type_into(&mut harness, "Color as text", "orange");
    // sRGB 128 is 0.21586.
    assert_eq!((light(&harness).color, light(&harness).intensity), ([1.0, 0.21586, 0.0], 40.0));
    assert_eq!(steps(&harness), ["Color of lamp", "Intensity of lamp"]);
    assert!(!harness.state().editor.is_saved());
    harness.state_mut().editor.undo(&view());
    harness.state_mut().editor.undo(&view());
    assert_eq!((light(&harness).color, light(&harness).intensity), ([1.0; 3], 1.0), "bit for bit");
    assert!(harness.state().editor.is_saved());
}

#[test]
fn section_buttons_are_commands_the_window_records() {
    let mut harness = session(scene(), &[0]);
    for (button, command) in
        [("Section X", Command::SectionX), ("Section Y", Command::SectionY), ("Section Z", Command::SectionZ)]
    {
        find_and_click(&mut harness, button);
        assert_eq!(commands(&mut harness), [command]);
    }
    harness.state_mut().editor.run(Command::SectionX, &view());
    harness.run();
    find_and_click(&mut harness, "Remove the sections");
    assert_eq!(commands(&mut harness), [Command::RemoveSections]);
}

#[test]
fn closing_section_buttons_hides_handles_that_they_showed() {
    use wgpu_gizmo::interaction::settings::BoxResult;
    let shown = |harness: &Harness<'_, Session>| {
        harness.state().editor.gizmo().settings.box_handles.map(|shown| shown.result)
    };
    let close: [fn(&mut Page); 2] = [Page::toggle, |page| {
        page.preferences.sections.insert("Gizmo".to_owned(), false);
    }];
    for close in close {
        for before in [None, Some(BoxResult::Transform)] {
            let mut harness = session(scene(), &[0]);
            harness.state_mut().editor.set_box_handles(before);
            harness.state_mut().editor.run(Command::SectionX, &view());
            harness.run();
            assert_eq!(shown(&harness), Some(BoxResult::Extents));
            close(&mut harness.state_mut().page);
            harness.run();
            assert_eq!(shown(&harness), before);
            assert!(harness.state().editor.scene().crop_box(0).is_some(), "the section stays");
            // A key shows them while the buttons are closed.
            harness.state_mut().editor.run(Command::SectionY, &view());
            harness.run();
            assert_eq!(shown(&harness), Some(BoxResult::Extents));
        }
        let mut harness = session(scene(), &[0]);
        harness.state_mut().editor.set_box_handles(Some(BoxResult::Extents));
        harness.run();
        close(&mut harness.state_mut().page);
        harness.run();
        assert_eq!(shown(&harness), Some(BoxResult::Extents), "chosen by the user");
    }
}

#[test]
fn checkbox_of_range_stays_in_place() {
    let mut harness = session(lit_scene(), &[1]);
    harness.get_by_label("Unlimited").scroll_to_me();
    harness.run();
    let place = harness.get_by_label("Unlimited").rect();
    for range in [None, Some(1.0)] {
        click(&mut harness, "Unlimited", Modifiers::NONE);
        assert_eq!(harness.get_by_label("Unlimited").rect(), place);
        let light = Light::new(LightShape::Spot { range, inner: 0.1, outer: 0.5 });
        assert_eq!(harness.state().editor.scene().volume(1), Some(NodeVolume::Light(light)));
    }
}
