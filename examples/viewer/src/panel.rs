//! What is written over the picture: a status line, and the page of keys.

mod replay;

use crate::app::UserEvent;
use crate::command::{IN_A_DRAG, POINTER, SHORTCUTS};
use crate::device::Gpu;
use crate::editor::Editor;
use crate::ink::Ink;
use crate::notes::Notes;
use crate::player::{Ask, Player};
use crate::words;
use egui::{Align, Align2, Color32, Frame, Layout, Margin, RichText};
use egui_winit::accesskit_winit;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window;

/// egui with its GPU part.
pub(crate) struct Panel {
    state: egui_winit::State,
    ink: Ink,
    pub(crate) shows_help: bool,
}

/// What egui made of an event.
pub(crate) struct Taken {
    /// Nobody else should act on it.
    pub(crate) consumed: bool,
    /// The picture changes.
    pub(crate) repaint: bool,
}

impl Panel {
    pub(crate) fn new(
        event_loop: &ActiveEventLoop,
        proxy: EventLoopProxy<UserEvent>,
        window: &Window,
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
    ) -> Self {
        let context = egui::Context::default();
        context.set_theme(egui::Theme::Dark);
        let id = context.viewport_id();
        let largest = device.limits().max_texture_dimension_2d as usize;
        let mut state = egui_winit::State::new(context, id, window, None, None, Some(largest));
        state.init_accesskit(event_loop, window, proxy);
        Self { state, ink: Ink::new(device, format), shows_help: false }
    }

    pub(crate) fn on_event(&mut self, window: &Window, event: &WindowEvent) -> Taken {
        let response = self.state.on_window_event(window, event);
        Taken { consumed: response.consumed, repaint: response.repaint }
    }

    /// Hands a text to the clipboard.
    pub(crate) fn copy(&self, text: String) {
        self.state.egui_ctx().copy_text(text);
    }

    /// A screen reader's question or act.
    pub(crate) fn accessibility(&mut self, event: accesskit_winit::Event) {
        use accesskit_winit::WindowEvent::{AccessibilityDeactivated, ActionRequested, InitialTreeRequested};
        match event.window_event {
            InitialTreeRequested => self.state.egui_ctx().enable_accesskit(),
            ActionRequested(request) => self.state.on_accesskit_action_request(request),
            AccessibilityDeactivated => self.state.egui_ctx().disable_accesskit(),
        }
    }

    /// Draws over `target`. Says whether egui wants another frame at once, and what was asked of the
    /// replay that is played.
    pub(crate) fn draw(
        &mut self,
        window: &Window,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        (editor, notes, player): (&Editor, &Notes, Option<&Player>),
    ) -> (bool, Option<Ask>) {
        let input = self.state.take_egui_input(window);
        let context = self.state.egui_ctx().clone();
        let mut shows_help = self.shows_help;
        let mut asked = None;
        let mut output = context.run_ui(input, |ui| {
            notes.write(ui.ctx());
            status(ui, editor, notes);
            asked = player.and_then(|player| replay::show(ui.ctx(), player));
            help(ui.ctx(), &mut shows_help);
        });
        self.shows_help = shows_help;
        self.state.handle_platform_output(window, std::mem::take(&mut output.platform_output));
        let again = output.viewport_output.values().any(|viewport| viewport.repaint_delay.is_zero());
        self.ink.paint(gpu, encoder, target, &context, output);
        (again, asked)
    }
}

const QUIET: Color32 = Color32::from_gray(150);
const CLEAR: Color32 = Color32::from_gray(230);

fn status(ui: &mut egui::Ui, editor: &Editor, notes: &Notes) {
    let frame = Frame::new()
        .fill(Color32::from_rgba_unmultiplied(18, 20, 24, 235))
        .inner_margin(Margin::symmetric(12, 6));
    egui::Panel::bottom("status").frame(frame).show_separator_line(false).show(ui, |ui| {
        ui.horizontal(|ui| {
            match words::selection(editor) {
                Some(name) => ui.label(RichText::new(name).color(CLEAR).strong()),
                None => ui.label(RichText::new("Nothing selected").color(QUIET)),
            };
            ui.separator();
            ui.label(RichText::new(words::mode(&editor.gizmo)).color(CLEAR));
            ui.label(RichText::new(words::orientation(&editor.gizmo)).color(QUIET));
            ui.label(RichText::new(words::pivot(&editor.gizmo)).color(QUIET));
            if let Some(snapping) = words::snapping(&editor.gizmo) {
                ui.label(RichText::new(snapping).color(QUIET));
            }
            if editor.is_through() {
                ui.label(RichText::new("Through").color(QUIET));
            }
            if let Some(drawing) = words::drawing(editor) {
                ui.separator();
                ui.label(RichText::new(drawing).color(CLEAR));
            }
            for (readout, _) in notes.readouts() {
                ui.separator();
                ui.label(RichText::new(readout).color(Color32::from_rgb(255, 214, 92)).monospace());
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.label(RichText::new("F1 keys").color(QUIET));
                if let Some(message) = editor.message() {
                    ui.separator();
                    ui.add(egui::Label::new(RichText::new(message).color(QUIET)).truncate());
                }
            });
        });
    });
}

fn help(context: &egui::Context, shown: &mut bool) {
    egui::Window::new("Keys")
        .open(shown)
        .collapsible(false)
        .resizable(false)
        .fade_in(false)
        .fade_out(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(context, |ui| {
            ui.horizontal_top(|ui| {
                let shortcuts: Vec<_> = SHORTCUTS.iter().map(|s| (s.shown, s.does)).collect();
                ui.vertical(|ui| keys(ui, "Keys", &shortcuts));
                ui.add_space(28.0);
                ui.vertical(|ui| {
                    keys(ui, "In a drag", IN_A_DRAG);
                    ui.add_space(14.0);
                    keys(ui, "Pointer", POINTER);
                });
            });
        });
}

fn keys(ui: &mut egui::Ui, title: &str, rows: &[(&str, &str)]) {
    ui.label(RichText::new(title).color(QUIET).small());
    egui::Grid::new(title).num_columns(2).spacing([20.0, 5.0]).show(ui, |ui| {
        for (key, does) in rows {
            ui.label(RichText::new(*key).color(CLEAR).strong());
            ui.label(*does);
            ui.end_row();
        }
    });
}
