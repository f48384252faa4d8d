//! One gizmo in the panels of two native windows, which egui calls viewports.

use egui::{
    Context, Event, PointerButton, Pos2, RawInput, Rect, Sense, Shape, Ui, Vec2, ViewportBuilder, ViewportId,
    pos2,
};
use wgpu_gizmo::glam::{DMat4, DVec3, dcamera::rh};
use wgpu_gizmo::{Event as GizmoEvent, Transform};
use wgpu_gizmo_egui::{EguiGizmo, OnWgpuError, PainterBackend};

/// The size of both windows. A world unit is 100 points, and the gizmo is in the center.
const SIZE: Vec2 = Vec2::new(400.0, 300.0);
/// A point of the x arrow.
const ARROW: Pos2 = pos2(250.0, 150.0);

struct Host {
    context: Context,
    gizmo: EguiGizmo<PainterBackend>,
    object: Transform,
    events: Vec<GizmoEvent>,
    child: ViewportId,
    is_child_open: bool,
    /// The windows that the last frame wants to be painted again.
    repaints: Vec<ViewportId>,
}

impl Host {
    fn new() -> Self {
        let context = Context::default();
        context.set_embed_viewports(false);
        let mut host = Self {
            context,
            gizmo: EguiGizmo::on_painter().expect("a new id space has free ids"),
            object: Transform::IDENTITY,
            events: Vec::new(),
            child: ViewportId::from_hash_of("child"),
            is_child_open: true,
            repaints: Vec::new(),
        };
        for window in [ViewportId::ROOT, host.child, ViewportId::ROOT, host.child] {
            host.frame(window, &[]);
        }
        host
    }

    fn panel(&mut self, ui: &mut Ui) {
        if ui.ctx().viewport_id() == ViewportId::ROOT && self.is_child_open {
            ui.ctx().show_viewport_deferred(self.child, ViewportBuilder::default(), |_, _| {});
        }
        let (_, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        let eye = rh::view::look_at_mat4(DVec3::Z * 10.0, DVec3::ZERO, DVec3::Y);
        let [x, y] = [response.rect.width(), response.rect.height()].map(|side| f64::from(side) / 200.0);
        let lens = rh::proj::directx::orthographic(-x, x, -y, y, 0.1, 100.0);
        let shown = self.gizmo.show_one(ui, &response, eye, lens, &mut self.object);
        self.gizmo.paint(ui, &response);
        self.events.extend(shown.events);
    }

    /// Paints one window with these events.
    fn frame(&mut self, window: ViewportId, events: &[Event]) {
        let mut input = RawInput {
            viewport_id: window,
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            events: events.to_vec(),
            ..RawInput::default()
        };
        input.viewports.insert(ViewportId::ROOT, Default::default());
        if self.is_child_open {
            input.viewports.insert(self.child, Default::default());
        }
        let context = self.context.clone();
        let mut output = context.run_ui(input, |ui| self.panel(ui));
        output.textures_delta.clear();
        let is_due = |(window, output): (&ViewportId, &egui::ViewportOutput)| {
            output.repaint_delay.is_zero().then_some(*window)
        };
        self.repaints = output.viewport_output.iter().filter_map(is_due).collect();
    }

    fn press(&mut self, window: ViewportId) {
        let button = Event::PointerButton {
            pos: ARROW,
            button: PointerButton::Primary,
            pressed: true,
            modifiers: egui::Modifiers::NONE,
        };
        for events in [&[Event::PointerMoved(ARROW)][..], &[], &[button], &[], &[]] {
            self.frame(window, events);
        }
    }

    /// Presses the x arrow of a window and drags it by 0.4 units.
    fn drag(&mut self, window: ViewportId) {
        self.press(window);
        self.frame(window, &[Event::PointerMoved(ARROW + Vec2::new(40.0, 0.0))]);
        self.frame(window, &[]);
        assert!((self.x() - 0.4).abs() < 1e-4, "{}", self.x());
    }

    fn x(&self) -> f64 {
        self.object.translation.x
    }
}

#[test]
fn drag_in_child_window_survives_frames_of_root() {
    let mut host = Host::new();
    host.drag(host.child);
    for _ in 0..40 {
        host.frame(ViewportId::ROOT, &[]);
    }
    assert!(host.gizmo.gizmo.is_active() && !host.events.contains(&GizmoEvent::Canceled));
    host.frame(host.child, &[Event::PointerMoved(ARROW + Vec2::new(60.0, 0.0))]);
    assert!((host.x() - 0.6).abs() < 1e-4, "{}", host.x());
}

#[test]
fn child_window_closed_in_drag_cancels_and_frees_gizmo() {
    let mut host = Host::new();
    host.drag(host.child);
    host.is_child_open = false;
    for _ in 0..3 {
        host.frame(ViewportId::ROOT, &[]);
    }
    assert!(host.x() == 0.0 && !host.gizmo.gizmo.is_active());
    assert_eq!(host.events.last(), Some(&GizmoEvent::Canceled));
    host.drag(ViewportId::ROOT);
}

#[test]
fn hover_in_one_window_repaints_the_other() {
    for are_swapped in [false, true] {
        let mut host = Host::new();
        let [hovered, other] =
            if are_swapped { [ViewportId::ROOT, host.child] } else { [host.child, ViewportId::ROOT] };
        // The first frames of a window ask for more.
        for window in [hovered, other].repeat(4) {
            host.frame(window, &[]);
        }
        assert!(!host.repaints.contains(&other) && !host.context.has_requested_repaint_for(&other));
        let mut is_repainted = false;
        for events in [&[Event::PointerMoved(ARROW)][..], &[], &[]] {
            host.frame(hovered, events);
            is_repainted |= host.repaints.contains(&other) || host.context.has_requested_repaint_for(&other);
        }
        assert!(host.gizmo.gizmo.hovered().is_some() && is_repainted);
    }
}

#[test]
fn handles_are_painted_once_and_over_the_scene() {
    let mut gizmo = EguiGizmo::on_painter().expect("a new id space has free ids");
    let mut object = DMat4::IDENTITY;
    let mut counts = Vec::new();
    for paints in [0, 1, 2, 0] {
        let input =
            RawInput { screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)), ..RawInput::default() };
        let mut output = Context::default().run_ui(input, |ui| {
            let (_, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
            let eye = rh::view::look_at_mat4(DVec3::Z * 10.0, DVec3::ZERO, DVec3::Y);
            let lens = rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0);
            gizmo.show_one(ui, &response, eye, lens, &mut object);
            ui.painter().circle_filled(response.rect.center(), 5.0, egui::Color32::GRAY);
            (0..paints).for_each(|_| gizmo.paint(ui, &response));
        });
        output.textures_delta.clear();
        let is = |of: fn(&Shape) -> bool| {
            output.shapes.iter().enumerate().filter(move |(_, clipped)| of(&clipped.shape)).map(|(at, _)| at)
        };
        let scene = is(|shape| matches!(shape, Shape::Circle(_))).next().expect("the scene is painted");
        let handles: Vec<usize> = is(|shape| matches!(shape, Shape::Mesh(_))).collect();
        assert!(handles.iter().all(|at| *at > scene));
        counts.push(handles.len());
    }
    assert_eq!(counts, [0, 1, 1, 0]);
}

#[test]
fn window_without_wgpu_gets_clear_error() {
    let error = EguiGizmo::on_wgpu(None).expect_err("there is no device");
    assert_eq!(error, OnWgpuError::NoState);
    assert!(error.to_string().contains("on_painter"), "{error}");
}

#[test]
fn several_panels_are_shown_first_and_painted_then() {
    let mut gizmo = EguiGizmo::on_painter().expect("a new id space has free ids");
    let mut object = DMat4::IDENTITY;
    let halves = [0.0, 200.0].map(|x| Rect::from_min_size(pos2(x, 0.0), Vec2::new(200.0, 300.0)));
    let input = RawInput { screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)), ..RawInput::default() };
    let mut output = Context::default().run_ui(input, |ui| {
        let panels =
            halves.map(|rect| ui.interact(rect, ui.scope_id().with(rect.left() as i32), Sense::drag()));
        let eye = rh::view::look_at_mat4(DVec3::Z * 10.0, DVec3::ZERO, DVec3::Y);
        let lens = rh::proj::directx::orthographic(-2.0, 2.0, -3.0, 3.0, 0.1, 100.0);
        for panel in &panels {
            gizmo.show_one(ui, panel, eye, lens, &mut object);
        }
        panels.iter().rev().for_each(|panel| gizmo.paint(ui, panel));
    });
    output.textures_delta.clear();
    let centers = output.shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Mesh(mesh) => Some(mesh.calc_bounds().center()),
        _ => None,
    });
    let painted_in: Vec<usize> =
        centers.filter_map(|at| halves.iter().position(|rect| rect.contains(at))).collect();
    assert_eq!(painted_in, [1, 0]);
}
