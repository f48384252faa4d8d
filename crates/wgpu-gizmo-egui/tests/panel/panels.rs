//! Panels: several, closed ones, discarded passes, and repaints.

use crate::host::{Backend, Host, OTHER, PANEL, arrow};
use egui::PointerButton::Primary;
use egui::{Rect, Vec2, vec2};
use std::time::Duration;
use wgpu_gizmo::Event as GizmoEvent;

#[test]
fn discarded_passes_lose_nothing() {
    for mut host in Host::each(1.0) {
        host.state().discards = true;
        let from = arrow(PANEL);
        host.drag(Primary, from, from + vec2(50.0, 0.0));
        assert!((host.x() - 0.5).abs() < 1e-4, "{}", host.x());
        let is_end = |event: &&GizmoEvent| matches!(event, GizmoEvent::Ended { .. });
        assert_eq!(host.state().events.iter().filter(is_end).count(), 1);
    }
}

#[test]
fn idle_gizmo_asks_for_no_repaint() {
    for mut host in Host::each(1.0) {
        host.move_to(PANEL.min + vec2(30.0, 30.0));
        host.settle();
        for _ in 0..5 {
            host.frame();
            let output = &host.harness.output().viewport_output[&egui::ViewportId::ROOT];
            assert_eq!(output.repaint_delay, Duration::MAX);
        }
    }
}

#[test]
fn gizmo_in_two_panels_is_dragged_in_either() {
    for are_windows in [false, true] {
        for mut host in Host::each(1.0) {
            host.state().panels = vec![PANEL, OTHER];
            host.state().are_windows = are_windows;
            host.settle();
            for (panel, expected) in [(OTHER, 0.4), (PANEL, 0.8)] {
                let from = arrow(panel) + vec2(host.x() as f32 * 100.0, 0.0);
                host.drag(Primary, from, from + vec2(40.0, 0.0));
                assert!((host.x() - expected).abs() < 1e-4, "{panel:?}: {}", host.x());
            }
        }
    }
}

#[test]
fn panel_closed_in_drag_cancels_and_frees_gizmo() {
    for mut host in Host::each(1.0) {
        host.state().panels = vec![PANEL, OTHER];
        host.settle();
        let from = arrow(OTHER);
        host.move_to(from);
        host.button(from, Primary, true);
        host.settle();
        host.move_to(from + vec2(30.0, 0.0));
        host.settle();
        assert!(host.state().gizmo.core().is_active());
        host.state().panels = vec![PANEL];
        for _ in 0..4 {
            host.settle();
        }
        assert!(!host.state().gizmo.core().is_active() && host.x() == 0.0);
        host.button(from, Primary, false);
        host.settle();
        host.drag(Primary, arrow(PANEL), arrow(PANEL) + vec2(30.0, 0.0));
        assert!((host.x() - 0.3).abs() < 1e-4, "{}", host.x());
    }
}

#[test]
fn closed_panel_frees_its_resources() {
    let mut host = Host::new(Backend::Wgpu, 1.0);
    host.state().panels = vec![PANEL, OTHER];
    host.settle();
    assert_eq!(host.state().gizmo.kept_panels(), 2);
    host.state().panels = vec![OTHER];
    for _ in 0..600 {
        host.harness.step();
    }
    assert_eq!(host.state().gizmo.kept_panels(), 1);
    host.drag(Primary, arrow(OTHER), arrow(OTHER) + vec2(30.0, 0.0));
    assert!((host.x() - 0.3).abs() < 1e-4, "{}", host.x());
}

#[test]
fn panel_without_size_shows_nothing() {
    for mut host in Host::each(1.0) {
        host.state().panels = vec![Rect::from_min_size(PANEL.min, Vec2::ZERO), Rect::NOTHING];
        host.settle();
        assert!(host.state().events.is_empty());
    }
}
