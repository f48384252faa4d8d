//! Pointer and wheel: which events belong to the gizmo, and which to the panel.

use crate::host::{BUTTONS, Host, PANEL, arrow};
use egui::PointerButton::{Middle, Primary};
use egui::{Event, Key, Modifiers, Vec2, vec2};
use wgpu_gizmo::Event as GizmoEvent;

fn wheel(delta: Vec2, modifiers: Modifiers) -> Event {
    Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta,
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers,
    }
}

#[test]
fn drag_moves_target_at_any_pixels_per_point() {
    for pixels_per_point in [1.0, 1.5, 2.0] {
        for mut host in Host::each(pixels_per_point) {
            let from = arrow(PANEL);
            host.drag(Primary, from, from + vec2(50.0, 20.0));
            assert!((host.x() - 0.5).abs() < 1e-4, "{pixels_per_point}: {}", host.x());
            let seen = host.state().camera.clone();
            assert_eq!((seen.clicks, seen.drags), (0, [Vec2::ZERO; 5]), "{pixels_per_point}");
        }
    }
}

#[test]
fn keystroke_types_one_character_of_expression() {
    let stroke = |key, modifiers, text: &str| {
        let pressed = Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        [pressed, Event::Text(text.to_owned())]
    };
    for mut host in Host::each(1.0) {
        host.move_to(arrow(PANEL));
        host.settle();
        // An asterisk is Shift+8, and X has another letter in a Russian layout.
        for events in [
            stroke(Key::X, Modifiers::NONE, "x"),
            stroke(Key::Num5, Modifiers::NONE, "5"),
            stroke(Key::Num8, Modifiers::SHIFT, "*"),
            stroke(Key::Num7, Modifiers::NONE, "7"),
            stroke(Key::C, Modifiers::NONE, "c"),
            stroke(Key::M, Modifiers::NONE, "m"),
            stroke(Key::X, Modifiers::NONE, "ч"),
        ] {
            // Both in one frame: `Harness::event` runs one for each.
            host.harness.input_mut().events.extend(events);
            host.settle();
        }
        let typed = host.state().gizmo.core().drag().and_then(|drag| drag.typed().map(str::to_owned));
        assert_eq!(typed.as_deref(), Some("5*7cm"));
        assert!((host.x() - 0.35).abs() < 1e-9, "{}", host.x());
    }
}

#[test]
fn finger_reaches_farther_and_second_one_cancels() {
    use egui::TouchPhase::{Cancel, End, Start};
    let touch = |id, phase, pos| Event::Touch {
        device_id: egui::TouchDeviceId(0),
        id: egui::TouchId(id),
        phase,
        pos,
        force: None,
    };
    for mut host in Host::each(1.0) {
        let beside = arrow(PANEL) + vec2(0.0, 14.0);
        host.drag(Primary, beside, beside + vec2(50.0, 0.0));
        assert_eq!(host.x(), 0.0, "the mouse is too far from the arrow");
        for (cancels, x) in [(Some((2, Start)), 0.0), (Some((1, Cancel)), 0.0), (None, 0.5)] {
            host.harness.event(touch(1, Start, beside));
            host.move_to(beside);
            host.button(beside, Primary, true);
            host.settle();
            let to = beside + vec2(50.0, 0.0);
            host.move_to(to);
            host.settle();
            assert!((host.x() - 0.5).abs() < 1e-4, "{}", host.x());
            if let Some((id, phase)) = cancels {
                host.harness.event(touch(id, phase, to));
                host.move_to(to + vec2(50.0, 0.0));
                host.settle();
            }
            host.harness.event(touch(1, End, to));
            host.harness.event(touch(2, End, to));
            host.button(to, Primary, false);
            host.harness.event(Event::PointerGone);
            host.settle();
            assert!((host.x() - x).abs() < 1e-4, "{cancels:?}: {}", host.x());
        }
    }
}

#[test]
fn panel_receives_all_input_beside_handles() {
    for mut host in Host::each(1.0) {
        let beside = PANEL.min + vec2(30.0, 30.0);
        for button in BUTTONS {
            host.drag(button, beside, beside + vec2(20.0, 10.0));
        }
        host.move_to(beside);
        host.settle();
        assert!(host.state().camera.hovered);
        host.button(beside, Primary, true);
        host.button(beside, Primary, false);
        host.harness.event(wheel(vec2(0.0, 40.0), Modifiers::NONE));
        host.settle();
        let seen = host.state().camera.clone();
        assert_eq!((seen.drags, seen.clicks), ([vec2(20.0, 10.0); 5], 1));
        assert!(seen.zoom > 0.0);
        assert!(!host.has_dragged() && host.x() == 0.0);
        assert!(host.state().events.contains(&GizmoEvent::ClickedNothing));
    }
}

/// macOS and browsers turn it.
#[test]
fn wheel_that_shift_turns_sideways_nudges() {
    for mut host in Host::each(1.0) {
        host.state().gizmo.core().settings.input.wheel_nudge = true;
        host.move_to(arrow(PANEL));
        host.settle();
        for (modifiers, moves) in [(Modifiers::NONE, false), (Modifiers::SHIFT, true)] {
            host.harness.event(wheel(vec2(50.0, 0.0), modifiers));
            host.settle();
            assert_eq!(host.x() > 0.0, moves, "{modifiers:?}");
        }
    }
}

#[test]
fn handle_takes_hover_and_click_but_not_middle_drag() {
    for mut host in Host::each(1.0) {
        let from = arrow(PANEL);
        host.move_to(from);
        host.settle();
        assert!(!host.state().camera.hovered, "the handle is hovered instead");
        assert_eq!(host.state().gizmo.core().hovered().map(|handle| handle.name()), Some("translate_x"));
        host.button(from, Middle, true);
        host.settle();
        host.move_to(from + vec2(0.0, 30.0));
        host.settle();
        host.button(from + vec2(0.0, 30.0), Middle, false);
        host.settle();
        assert_eq!(host.state().camera.drags[1], vec2(0.0, 30.0));
        assert!(!host.has_dragged());
        host.move_to(from);
        host.settle();
        host.button(from, Primary, true);
        host.button(from, Primary, false);
        host.settle();
        assert_eq!(host.state().camera.clicks, 0);
        assert!(host.has_dragged());
    }
}

#[test]
fn window_and_button_over_handle_block_it() {
    for mut host in Host::each(1.0) {
        let from = arrow(PANEL);
        host.state().has_window = true;
        host.settle();
        host.drag(Primary, from, from + vec2(50.0, 0.0));
        assert!(!host.has_dragged() && host.state().gizmo.core().hovered().is_none());
        host.state().has_window = false;
        host.state().has_button = true;
        host.settle();
        host.move_to(from);
        host.settle();
        host.button(from, Primary, true);
        host.frame();
        host.button(from, Primary, false);
        host.settle();
        assert_eq!((host.has_dragged(), host.state().button_clicks), (false, 1));
        host.state().has_button = false;
        host.settle();
        host.drag(Primary, from, from + vec2(50.0, 0.0));
        assert!(host.has_dragged());
    }
}

#[test]
fn drag_that_ends_over_button_hovers_nothing() {
    for mut host in Host::each(1.0) {
        let from = arrow(PANEL) + vec2(100.0, 0.0);
        host.state().targets[0].local.translation.x = 1.0;
        host.state().has_button = true;
        host.settle();
        // The arrow follows the pointer to below the button.
        host.drag(Primary, from, arrow(PANEL));
        assert!(host.x().abs() < 1e-4, "{}", host.x());
        let gizmo = host.state().gizmo.core();
        assert!(!gizmo.is_active() && gizmo.hovered().is_none(), "{:?}", gizmo.hovered());
    }
}

#[test]
fn lost_focus_in_drag_releases_pointer() {
    for mut host in Host::each(1.0) {
        let from = arrow(PANEL);
        host.move_to(from);
        host.settle();
        host.button(from, Primary, true);
        host.settle();
        host.move_to(from + vec2(50.0, 0.0));
        host.settle();
        host.harness.event(Event::WindowFocused(false));
        host.harness.input_mut().focused = false;
        host.settle();
        assert!(host.x() == 0.0 && !host.state().gizmo.core().is_active());
        // The release went to another window.
        host.harness.input_mut().focused = true;
        host.state().has_window = true;
        host.settle();
        host.move_to(from);
        host.settle();
        assert!(host.state().gizmo.core().hovered().is_none(), "a window is over the handle");
        host.state().has_window = false;
        host.settle();
        host.drag(Primary, from, from + vec2(50.0, 0.0));
        assert!((host.x() - 0.5).abs() < 1e-4, "{}", host.x());
    }
}
