//! The user interface around and over the viewport: [`Page`] defines it, and [`Panel`] runs it in a window.

mod align;
mod angles;
mod animation;
mod bar;
mod color;
pub(crate) mod files;
mod help;
mod hints;
mod history;
mod icons;
mod measure;
mod menus;
mod number;
mod page;
mod pasted;
mod press;
mod replay;
mod settings;
pub(crate) mod side;
mod status;
mod style;
mod toolbar;
mod transform;
mod transform_text;
mod tree;
mod volume;

#[cfg(test)]
mod tests;

pub(crate) use page::Page;

use crate::files::Files;
use crate::user_event::UserEvent;
use egui::{Order, Pos2, Rect, ViewportCommand};
use egui_winit::accesskit_winit;
use render::device::Gpu;
use render::egui_painter::EguiPainter;
use render::overlay::Overlay;
use session::editor::Editor;
use session::player::{Player, PlayerRequest};
use std::time::Duration;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::{View, Viewport};
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window;

/// egui in a window, with its renderer.
pub(crate) struct Panel {
    state: egui_winit::State,
    pub(crate) painter: EguiPainter,
    pub(crate) page: Page,
    /// The cursor over the viewport. Over the panel, egui chooses the cursor.
    pub(crate) cursor: egui::CursorIcon,
    /// Number of times that the device was replaced.
    renewals: usize,
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
        style::install(&context);
        let id = context.viewport_id();
        let largest = device.limits().max_texture_dimension_2d as usize;
        let mut state = egui_winit::State::new(context, id, window, None, None, Some(largest));
        state.init_accesskit(event_loop, window, proxy);
        let painter = EguiPainter::new(device, format);
        Self { state, painter, page, cursor: egui::CursorIcon::Default, renewals: 0 }
    }

    /// Continues on a new device.
    pub(crate) fn renew(&mut self, device: &wgpu::Device, format: wgpu::TextureFormat) {
        self.painter = EguiPainter::new(device, format);
        // egui only sends what has changed in its textures. With another limit it makes a new font texture,
        // and there are no others.
        self.renewals += 1;
        let largest = device.limits().max_texture_dimension_2d as usize;
        self.state.set_max_texture_side(largest - self.renewals % 2);
    }

    pub(crate) fn context(&self) -> &egui::Context {
        self.state.egui_ctx()
    }

    /// Passes an event to egui. Returns true if egui must be painted again.
    pub(crate) fn on_event(&mut self, window: &Window, event: &WindowEvent) -> bool {
        self.state.on_window_event(window, event).repaint
    }

    /// Drops the keys that wait for the next frame.
    pub(crate) fn drop_keys(&mut self) {
        self.state.egui_input_mut().events.retain(|event| !is_typed(event));
    }

    /// Returns true if keys wait for the next frame.
    pub(crate) fn has_keys(&self) -> bool {
        self.state.egui_input().events.iter().any(is_typed)
    }

    /// Handles a request of a screen reader.
    pub(crate) fn accessibility(&mut self, event: accesskit_winit::Event) {
        use accesskit_winit::WindowEvent::{AccessibilityDeactivated, ActionRequested, InitialTreeRequested};
        match event.window_event {
            InitialTreeRequested => self.context().enable_accesskit(),
            ActionRequested(request) => self.state.on_accesskit_action_request(request),
            AccessibilityDeactivated => self.context().disable_accesskit(),
        }
    }

    /// Returns the part of a window that is free of panels, in physical pixels, or the whole window if the
    /// panels leave nothing.
    pub(crate) fn viewport(&self, width: u32, height: u32) -> Viewport {
        let (margins, points) = (self.page.margins, f64::from(self.context().pixels_per_point()));
        let px = |margin: f32| (f64::from(margin) * points).round();
        let (x, y) = (px(margins.left), px(margins.top));
        let (right, bottom) = (px(margins.right), px(margins.bottom));
        let free =
            Viewport { x, y, width: f64::from(width) - x - right, height: f64::from(height) - y - bottom };
        if free.width >= 1.0 && free.height >= 1.0 { free } else { Viewport::from_size(width, height) }
    }

    /// Returns true if this point of a window, in physical pixels, belongs to a panel, to the edge that
    /// resizes it, or to something over the viewport, such as a menu.
    pub(crate) fn is_over(&self, px: DVec2, window_px: [u32; 2]) -> bool {
        if self.page.has_context_menu() {
            return true;
        }
        let viewport = self.viewport(window_px[0], window_px[1]);
        let context = self.context();
        let points = f64::from(context.pixels_per_point());
        // The edge that resizes the panel, which is at the right or at the bottom.
        let grab = points * f64::from(context.global_style().interaction.resize_grab_radius_side);
        let [right, below] = self.page.side_size().map(|size| if size > 0.0 { grab } else { 0.0 });
        let at = px / points;
        let layer = context.layer_id_at(Pos2::new(at.x as f32, at.y as f32));
        let is_covered = layer.is_some_and(|layer| layer.order > Order::Background);
        let is_on_edge = px.x >= viewport.x + viewport.width - right && right > 0.0
            || px.y >= viewport.y + viewport.height - below && below > 0.0;
        !viewport.contains(px) || is_on_edge || is_covered
    }

    /// Opens the context menu of the view at a point of the window, in physical pixels.
    pub(crate) fn open_context_menu(&mut self, px: DVec2) {
        let at = px / f64::from(self.context().pixels_per_point());
        self.page.open_context_menu(Pos2::new(at.x as f32, at.y as f32));
    }

    /// Returns true if a widget has the focus.
    pub(crate) fn has_focus(&self) -> bool {
        self.context().memory(|memory| memory.focused().is_some())
    }

    /// Returns true if a text is being edited.
    pub(crate) fn takes_text(&self) -> bool {
        self.page.is_renaming() || self.context().text_edit_focused()
    }

    /// Moves the focus to the viewport, for a press there, and closes menus: egui closes them only for a click.
    pub(crate) fn surrender_focus(&self) {
        egui::Popup::close_all(self.context());
        self.context().memory_mut(|memory| {
            if let Some(id) = memory.focused() {
                memory.surrender_focus(id);
            }
        });
    }

    /// Runs the page and applies the user's actions to the editor. Returns the delay after which it must run
    /// again, if any, and the request to the replay player, if any.
    pub(crate) fn show(
        &mut self,
        window: &Window,
        gpu: &Gpu,
        (editor, files): (&mut Editor, &mut Files),
        (view, overlay, player): (&View, &Overlay, Option<&Player>),
    ) -> (Option<Duration>, Option<PlayerRequest>) {
        let mut input = self.state.take_egui_input(window);
        // A window can be larger than what the device can draw.
        input.screen_rect = input.screen_rect.map(|rect| {
            let largest = gpu.device.limits().max_texture_dimension_2d as f32;
            let largest = largest / self.context().pixels_per_point();
            rect.intersect(Rect::from_min_size(rect.min, egui::Vec2::splat(largest)))
        });
        // The effects of an action on other parts of the panel are shown by the next frame.
        let moved = |event: &egui::Event| matches!(event, egui::Event::PointerMoved(_));
        let has_acted = input.events.iter().any(|event| !moved(event));
        let before = self.page.margins;
        let context = self.context().clone();
        style::set_theme(&context, editor.scene_style().is_on_light());
        let (page, cursor) = (&mut self.page, self.cursor);
        let mut request = None;
        let mut output = context.run_ui(input, |ui| {
            page.show(ui, (editor, files), view, overlay);
            request = player.and_then(|player| replay::show(ui.ctx(), player));
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
        if has_acted || before != self.page.margins {
            delay = Duration::ZERO;
        }
        self.painter.take(gpu, output);
        ((delay < Duration::MAX).then_some(delay), request)
    }
}

/// Returns true for the press of a key, and for a text.
fn is_typed(event: &egui::Event) -> bool {
    use egui::Event::{Key, Paste, Text};
    matches!(event, Key { pressed: true, .. } | Text(_) | Paste(_))
}
