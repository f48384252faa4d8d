//! What is shown round and over the view: [`Page`] says what, this part brings it into a window.

mod align;
mod angles;
mod bar;
mod expression;
pub(crate) mod files;
mod help;
mod history;
mod number;
mod page;
mod replay;
mod settings;
mod status;
mod style;
mod transform;
mod transform_text;
mod tree;

#[cfg(test)]
mod tests;

pub(crate) use page::Page;

use crate::app::UserEvent;
use crate::device::Gpu;
use crate::editor::Editor;
use crate::egui_painter::EguiPainter;
use crate::files::Files;
use crate::overlay::Overlay;
use crate::player::{Player, PlayerRequest};
use egui::{Order, Pos2, ViewportCommand};
use egui_winit::accesskit_winit;
use std::time::Duration;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::{View, Viewport};
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window;

/// egui with its GPU part.
pub(crate) struct Panel {
    state: egui_winit::State,
    ink: EguiPainter,
    pub(crate) page: Page,
    /// Over the view; over a panel egui says what it looks like.
    pub(crate) cursor: egui::CursorIcon,
}

impl Panel {
    pub(crate) fn new(
        event_loop: &ActiveEventLoop,
        proxy: EventLoopProxy<UserEvent>,
        window: &Window,
        (device, format): (&wgpu::Device, wgpu::TextureFormat),
        page: Page,
    ) -> Self {
        let context = egui::Context::default();
        style::set(&context);
        let id = context.viewport_id();
        let largest = device.limits().max_texture_dimension_2d as usize;
        let mut state = egui_winit::State::new(context, id, window, None, None, Some(largest));
        state.init_accesskit(event_loop, window, proxy);
        Self { state, ink: EguiPainter::new(device, format), page, cursor: egui::CursorIcon::Default }
    }

    fn context(&self) -> &egui::Context {
        self.state.egui_ctx()
    }

    /// Tells egui of an event; whether the picture changes.
    pub(crate) fn on_event(&mut self, window: &Window, event: &WindowEvent) -> bool {
        self.state.on_window_event(window, event).repaint
    }

    /// Hands a text to the clipboard.
    pub(crate) fn copy(&self, text: String) {
        self.context().copy_text(text);
    }

    /// A screen reader's question or act.
    pub(crate) fn accessibility(&mut self, event: accesskit_winit::Event) {
        use accesskit_winit::WindowEvent::{AccessibilityDeactivated, ActionRequested, InitialTreeRequested};
        match event.window_event {
            InitialTreeRequested => self.context().enable_accesskit(),
            ActionRequested(request) => self.state.on_accesskit_action_request(request),
            AccessibilityDeactivated => self.context().disable_accesskit(),
        }
    }

    /// The part of a window that is left to the view, in physical pixels. All of it where the
    /// panels leave nothing.
    pub(crate) fn free(&self, width: u32, height: u32) -> Viewport {
        let (margins, points) = (self.page.margins(), f64::from(self.context().pixels_per_point()));
        let px = |margin: f32| (f64::from(margin) * points).round();
        let (x, y) = (px(margins.left), px(margins.top));
        let (right, bottom) = (px(margins.right), px(margins.bottom));
        let free =
            Viewport { x, y, width: f64::from(width) - x - right, height: f64::from(height) - y - bottom };
        if free.width >= 1.0 && free.height >= 1.0 { free } else { Viewport::of_size(width, height) }
    }

    /// Whether this point of a window, in physical pixels, belongs to a panel, the edge that it is
    /// resized by, or something that lies over the view, such as a menu.
    pub(crate) fn is_over(&self, px: DVec2, window_px: [u32; 2]) -> bool {
        let free = self.free(window_px[0], window_px[1]);
        let context = self.context();
        let points = f64::from(context.pixels_per_point());
        let grab = match self.page.is_open {
            true => points * f64::from(context.global_style().interaction.resize_grab_radius_side),
            false => 0.0,
        };
        let at = px / points;
        let layer = context.layer_id_at(Pos2::new(at.x as f32, at.y as f32));
        let is_covered = layer.is_some_and(|layer| layer.order > Order::Background);
        !free.contains(px) || px.x >= free.x + free.width - grab || is_covered
    }

    /// Whether some widget has the keys.
    pub(crate) fn has_focus(&self) -> bool {
        self.context().memory(|memory| memory.focused().is_some())
    }

    /// Whether a text is being typed.
    pub(crate) fn takes_text(&self) -> bool {
        self.page.is_renaming() || self.context().text_edit_focused()
    }

    /// The keys go to the view.
    pub(crate) fn surrender_focus(&self) {
        self.context().memory_mut(|memory| {
            if let Some(id) = memory.focused() {
                memory.surrender_focus(id);
            }
        });
    }

    /// The keys go to the next part of the panel.
    pub(crate) fn focus_next(&mut self) {
        let context = self.context().clone();
        self.page.focus_next(&context);
    }

    /// Shows everything, and does with the editor what is done to it in the panel. Returns when it is
    /// to be shown again, if it is, and what was asked of the replay that is played.
    pub(crate) fn show(
        &mut self,
        window: &Window,
        gpu: &Gpu,
        (editor, files): (&mut Editor, &mut Files),
        (view, overlay, player): (&View, &Overlay, Option<&Player>),
    ) -> (Option<Duration>, Option<PlayerRequest>) {
        let input = self.state.take_egui_input(window);
        // What came of it is in the scene, or in another part of the panel, with the next frame.
        let moved = |event: &egui::Event| matches!(event, egui::Event::PointerMoved(_));
        let has_acted = input.events.iter().any(|event| !moved(event));
        let before = self.page.margins();
        let context = self.context().clone();
        style::follow(&context, editor.scene_style().on_light);
        let (page, cursor) = (&mut self.page, self.cursor);
        let mut wish = None;
        let mut output = context.run_ui(input, |ui| {
            page.show(ui, (editor, files), view, overlay);
            wish = player.and_then(|player| replay::show(ui.ctx(), player));
            if !ui.ctx().is_pointer_over_egui() && !ui.ctx().egui_is_using_pointer() {
                ui.ctx().set_cursor_icon(cursor);
            }
        });
        self.state.handle_platform_output(window, std::mem::take(&mut output.platform_output));
        let mut delay = Duration::MAX;
        for viewport in output.viewport_output.values() {
            delay = delay.min(viewport.repaint_delay);
            if viewport.commands.contains(&ViewportCommand::RequestPaste)
                && let Some(text) = self.state.clipboard_text()
            {
                self.state.egui_input_mut().events.push(egui::Event::Paste(text));
                delay = Duration::ZERO;
            }
        }
        if has_acted || before != self.page.margins() {
            delay = Duration::ZERO;
        }
        self.ink.take(gpu, output);
        ((delay < Duration::MAX).then_some(delay), wish)
    }

    /// Whether it looks other than it was drawn last.
    pub(crate) fn is_stale(&self) -> bool {
        self.ink.is_stale()
    }

    /// Draws what was shown last over `target`.
    pub(crate) fn draw(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView) {
        let context = self.context().clone();
        self.ink.paint(gpu, encoder, target, &context);
    }
}
