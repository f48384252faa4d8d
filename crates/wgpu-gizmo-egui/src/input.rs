use egui::{Event, Id, Key, Modifiers, PointerButton, Pos2, Response, TouchPhase, Ui, ViewportId};
use wgpu_gizmo_core::Gizmo;
use wgpu_gizmo_core::View;
use wgpu_gizmo_core::glam::DVec2;
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::{HeldKeys, Input as GizmoInput, Key as GizmoKey, KeyModifiers};

/// Points of scrolling that count as one notch of a wheel.
const NOTCH: f64 = 50.0;

/// The number of passes of its window without a panel after which the panel counts as closed.
const CLOSED_AFTER: u64 = 4;

/// Records which panel has the pointer.
#[derive(Debug, Default)]
pub(crate) struct Input {
    /// The key of the panel that the pointer was in last.
    panel: Option<u64>,
    /// The window of that panel, and the number of its passes at the last call for the panel.
    window: ViewportId,
    passes: u64,
    has_pointer: bool,
    /// Whether the primary button went down in the panel.
    is_pressed: bool,
    /// The modifiers at the last press.
    press_modifiers: Modifiers,
    had_focus: bool,
}

/// The panel that a frame of events is read for.
struct Context<'a> {
    ui: &'a Ui,
    response: &'a Response,
    own_id: Id,
    scale: f64,
    /// The tolerance of a finger in logical pixels, if there is one.
    tolerance_lpx: Option<f64>,
}

impl Context<'_> {
    /// Returns true if a point is in the panel, and no window or widget is above it.
    fn is_free(&self, pos: Pos2) -> bool {
        let layer = self.ui.layer_id();
        let is_in_layer = self.ui.ctx().layer_id_at(pos).is_none_or(|top| top == layer);
        let is_inside = self.response.rect.contains(pos) && self.ui.clip_rect().contains(pos);
        // As egui itself does, this tests against the widgets of the last pass.
        let is_covered = || {
            self.ui.ctx().viewport(|viewport| {
                let mut widgets = viewport.prev_pass.widgets.get_layer(layer);
                let panel = widgets.by_ref().find(|widget| widget.id == self.response.id);
                let is_above = |widget: &egui::WidgetRect| {
                    let is_used = widget.enabled && widget.sense.interactive();
                    is_used && widget.id != self.own_id && widget.interact_rect.contains(pos)
                };
                panel.is_some() && widgets.any(is_above)
            })
        };
        is_inside && is_in_layer && !is_covered()
    }

    /// Returns true if a drag of another widget, such as a slider, has the pointer.
    fn is_dragged_elsewhere(&self) -> bool {
        let dragged = self.ui.ctx().dragged_id();
        dragged.is_some_and(|id| id != self.own_id && id != self.response.id)
    }

    /// Moves the pointer of the gizmo.
    fn point_at(&self, pos: Pos2, gizmo: &mut Gizmo) {
        let px = DVec2::new(pos.x.into(), pos.y.into()) * self.scale;
        gizmo.handle_input(GizmoInput::Moved { px, tolerance_lpx: self.tolerance_lpx });
    }
}

impl Input {
    /// Passes the events of the frame to the gizmo in order. Returns true if the gizmo must be updated with
    /// the view of this panel.
    pub(crate) fn feed(
        &mut self,
        ui: &Ui,
        response: &Response,
        own_id: Id,
        view: &View,
        gizmo: &mut Gizmo,
        finger_tolerance_lpx: f64,
    ) -> bool {
        let key = view.key();
        let held = gizmo.held_view().map(View::key);
        let is_other_held = held.is_some_and(|held| held != key);
        let may_get_keys = !ui.ctx().egui_wants_keyboard_input() && ui.is_enabled();
        let (mut events, modifiers, is_focused) =
            ui.input(|input| (input.events.clone(), input.modifiers, input.focused));
        // egui reports a touch first, and then moves the pointer if it is that of the first finger.
        let is_touch = |event: &Event| matches!(event, Event::Touch { .. });
        let is_finger = events.iter().any(is_touch) || ui.input(|input| input.any_touches());
        let tolerance_lpx = is_finger.then_some(finger_tolerance_lpx);
        let context = Context { ui, response, own_id, scale: view.scale_factor(), tolerance_lpx };
        // A key and the text that it types are one keystroke.
        events.dedup_by(|text, key| {
            let (Event::Text(typed), Event::Key { key: pressed, pressed: true, modifiers, .. }) =
                (&*text, &*key)
            else {
                return false;
            };
            match (gizmo_key(*pressed, *modifiers), typed.chars().find_map(GizmoKey::from_char)) {
                // The text is another letter if the layout is not Latin.
                (Some(GizmoKey::Axis(_) | GizmoKey::Plane(_)), _) => true,
                // Shift+8 types an asterisk in many layouts.
                (Some(GizmoKey::Digit(_) | GizmoKey::Point | GizmoKey::Minus), Some(GizmoKey::Char(_))) => {
                    std::mem::swap(text, key);
                    true
                }
                _ => false,
            }
        });
        if !is_other_held && ui.is_enabled() {
            let is_here = |event: &Event| match event {
                Event::PointerMoved(pos) | Event::PointerButton { pos, .. } => context.is_free(*pos),
                _ => false,
            };
            if events.iter().any(is_here) || self.panel.is_none() || held == Some(key) {
                self.panel = Some(key);
            }
        }
        if self.panel != Some(key) {
            if !self.is_closed(ui.ctx()) {
                return false;
            }
            // The other panel is no longer shown, so this one takes over and cancels its drag.
            gizmo.interrupt();
            (self.panel, self.is_pressed) = (Some(key), false);
        }
        (self.window, self.passes) = (ui.ctx().viewport_id(), ui.ctx().cumulative_pass_nr());
        gizmo.set_held_keys(HeldKeys {
            snap: modifiers.command,
            precision: modifiers.shift,
            symmetric: modifiers.alt,
        });
        for event in &events {
            self.take(event, &context, may_get_keys, gizmo);
        }
        if self.had_focus && !is_focused {
            self.is_pressed = false;
            gizmo.interrupt();
        }
        self.had_focus = is_focused;
        true
    }

    /// Returns true if the panel that the pointer was in last is no longer shown. A window that is open and runs no
    /// passes still shows it.
    fn is_closed(&self, ctx: &egui::Context) -> bool {
        let is_open = |input: &egui::InputState| input.raw.viewports.contains_key(&self.window);
        let is_window_open = self.window == ctx.viewport_id() || ctx.input(is_open);
        !is_window_open || ctx.cumulative_pass_nr_for(self.window) >= self.passes + CLOSED_AFTER
    }

    pub(crate) fn press_modifiers(&self) -> Modifiers {
        self.press_modifiers
    }

    fn take(&mut self, event: &Event, context: &Context<'_>, may_get_keys: bool, gizmo: &mut Gizmo) {
        match event {
            Event::PointerMoved(pos) => self.move_to(*pos, context, gizmo),
            Event::PointerGone => self.leave(gizmo),
            // Two fingers are a gesture for the camera. The touch of the first one comes before its press.
            Event::Touch { phase: TouchPhase::Start | TouchPhase::Cancel, .. } if self.is_pressed => {
                self.is_pressed = false;
                gizmo.cancel();
                gizmo.pointer_released();
            }
            Event::PointerButton { pos, button: PointerButton::Primary, pressed: true, modifiers }
                if context.is_free(*pos) =>
            {
                self.press_modifiers = *modifiers;
                context.point_at(*pos, gizmo);
                gizmo.pointer_pressed();
                (self.has_pointer, self.is_pressed) = (true, true);
            }
            Event::PointerButton { pos, button: PointerButton::Primary, pressed: false, .. }
                if std::mem::take(&mut self.is_pressed) =>
            {
                context.point_at(*pos, gizmo);
                gizmo.pointer_released();
                self.move_to(*pos, context, gizmo);
            }
            Event::PointerButton { button: PointerButton::Secondary, pressed: true, .. }
                if gizmo.claims().secondary =>
            {
                gizmo.cancel();
            }
            Event::MouseWheel { delta, unit, modifiers, .. } if self.has_pointer && gizmo.claims().wheel => {
                // macOS and browsers turn a wheel sideways while Shift is held.
                let turned = if delta.y == 0.0 && modifiers.shift { delta.x } else { delta.y };
                gizmo.wheel(match unit {
                    egui::MouseWheelUnit::Point => f64::from(turned) / NOTCH,
                    egui::MouseWheelUnit::Line | egui::MouseWheelUnit::Page => turned.into(),
                });
            }
            Event::Key { key, pressed: true, repeat, modifiers, .. } if may_get_keys => {
                let is_here = self.has_pointer || gizmo.is_busy();
                if let Some(key) = gizmo_key(*key, *modifiers).filter(|_| is_here) {
                    let Modifiers { ctrl, alt, mac_cmd: meta, .. } = *modifiers;
                    gizmo.key(key, KeyModifiers { ctrl, alt, meta, repeat: *repeat });
                }
            }
            // The characters of numbers that have no key of their own in every layout.
            Event::Text(text) if may_get_keys => {
                let keys = text.chars().filter_map(GizmoKey::from_char);
                for key in keys.filter(|key| matches!(key, GizmoKey::Char(_))) {
                    if gizmo.uses_key(key) {
                        gizmo.key(key, KeyModifiers::NONE);
                    }
                }
            }
            _ => {}
        }
    }

    /// Moves the pointer, or leaves if something covers the panel there. A press keeps the pointer.
    fn move_to(&mut self, pos: Pos2, context: &Context<'_>, gizmo: &mut Gizmo) {
        if self.is_pressed || (context.is_free(pos) && !context.is_dragged_elsewhere()) {
            context.point_at(pos, gizmo);
            self.has_pointer = true;
        } else {
            self.leave(gizmo);
        }
    }

    fn leave(&mut self, gizmo: &mut Gizmo) {
        if std::mem::take(&mut self.has_pointer) {
            gizmo.pointer_left();
        }
    }
}

/// Returns the key of the gizmo for a key of egui, which falls back to the position of a key itself if the
/// layout is not Latin.
fn gizmo_key(key: Key, modifiers: Modifiers) -> Option<GizmoKey> {
    let axis = |axis| if modifiers.shift { GizmoKey::Plane(axis) } else { GizmoKey::Axis(axis) };
    Some(match key {
        Key::X => axis(Axis::X),
        Key::Y => axis(Axis::Y),
        Key::Z => axis(Axis::Z),
        Key::Num0 => GizmoKey::Digit(0),
        Key::Num1 => GizmoKey::Digit(1),
        Key::Num2 => GizmoKey::Digit(2),
        Key::Num3 => GizmoKey::Digit(3),
        Key::Num4 => GizmoKey::Digit(4),
        Key::Num5 => GizmoKey::Digit(5),
        Key::Num6 => GizmoKey::Digit(6),
        Key::Num7 => GizmoKey::Digit(7),
        Key::Num8 => GizmoKey::Digit(8),
        Key::Num9 => GizmoKey::Digit(9),
        Key::Period | Key::Comma => GizmoKey::Point,
        Key::Minus => GizmoKey::Minus,
        Key::Backspace => GizmoKey::Backspace,
        Key::Tab => GizmoKey::Tab,
        Key::ArrowLeft => GizmoKey::Left,
        Key::ArrowRight => GizmoKey::Right,
        Key::ArrowUp => GizmoKey::Up,
        Key::ArrowDown => GizmoKey::Down,
        Key::Enter => GizmoKey::Enter,
        Key::Escape => GizmoKey::Escape,
        _ => return None,
    })
}
