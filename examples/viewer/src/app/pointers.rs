//! Pointers other than a mouse: touch screens and trackpads.

use super::screen::Screen;
use super::scroll::{Scroll, ScrollContext, ScrollEffect};
use session::command::Command;
use session::replay_file::{Button, EventKind};
use session::settings::SettingsPatch;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::interaction::Input;
use wgpu_gizmo_winit::Gesture;
use winit::event::{MouseScrollDelta, Touch, TouchPhase, WindowEvent};

impl Screen {
    fn use_finger_tolerance(&mut self, lpx: f64) {
        if self.mouse_tolerance_lpx.is_none() {
            self.mouse_tolerance_lpx = Some(self.session.editor.values().gizmo.input.tolerance_lpx);
            self.set_tolerance(lpx);
        }
    }

    pub(super) fn use_mouse_tolerance(&mut self) {
        if let Some(lpx) = self.mouse_tolerance_lpx.take() {
            self.set_tolerance(lpx);
        }
    }

    /// Sets the pick tolerance, in logical pixels.
    fn set_tolerance(&mut self, lpx: f64) {
        let before = self.session.editor.values();
        let mut values = before;
        values.gizmo.input.tolerance_lpx = lpx;
        let patch = SettingsPatch::between(&before, &values);
        self.act(EventKind::Set(Box::new(patch)));
    }

    pub(super) fn touched(&mut self, touch: &Touch) {
        let px = DVec2::new(touch.location.x, touch.location.y);
        // The panel has already received the event.
        if touch.phase == TouchPhase::Started && self.panel.is_over(px, self.surface.size_px()) {
            return;
        }
        for gesture in self.fingers.take(touch, self.session.canvas.scale_factor) {
            self.gesture(gesture);
        }
    }

    fn gesture(&mut self, gesture: Gesture) {
        match gesture {
            Gesture::Pointer(Input::Moved { px, tolerance_lpx: Some(lpx) }) => {
                self.use_finger_tolerance(lpx);
                self.cursor_px = px;
                self.act(EventKind::Move(px));
            }
            Gesture::Pointer(Input::Pressed) => {
                self.act(EventKind::Press(Button::Primary));
                // After the press, as for a button.
                self.end_easing();
            }
            Gesture::Pointer(Input::Released) => self.act(EventKind::Release(Button::Primary)),
            Gesture::Pointer(Input::Canceled) => self.act(EventKind::Cancel),
            Gesture::Pointer(Input::Left) => self.session.editor.pointer_left(),
            Gesture::Turned(by_px) => self.drag_camera(by_px, false),
            Gesture::Slid(by_px) => self.drag_camera(by_px, true),
            Gesture::Spread(factor) => self.magnify(factor),
            _ => {}
        }
    }

    /// Orbits, or pans.
    fn drag_camera(&mut self, by_px: DVec2, pans: bool) {
        self.end_easing();
        self.session.cameras.drag(&self.session.views, by_px, pans, None);
    }

    fn magnify(&mut self, factor: f64) {
        self.end_easing();
        self.session.cameras.magnify(&self.session.views, factor);
    }

    /// Zooms in by a number of wheel notches toward the point under the pointer.
    fn zoom(&mut self, notches: f64) {
        self.end_easing();
        let point = self.session.editor.pointer().point_world();
        // Several notches can come in a frame. The session follows in the next step, because a press before it refers
        // to the picture that is shown, and a recording has the same order.
        let mut views = self.session.views.clone();
        if let Ok(now) = self.session.cameras.views(&self.session.canvas) {
            views.renew(now);
        }
        self.session.cameras.zoom_at(&views, notches, self.cursor_px, point);
    }

    fn scroll(&mut self, delta: MouseScrollDelta, is_view: bool) {
        let editor = &self.session.editor;
        let context = ScrollContext {
            is_claimed: is_view && editor.claims().wheel,
            is_camera_free: is_view && !editor.is_busy(),
            shift: self.keyboard.modifiers.shift_key(),
            ctrl: self.keyboard.modifiers.control_key(),
        };
        match Scroll::new(delta, self.surface.window.scale_factor()).effect(context) {
            ScrollEffect::Nudge(notches) => self.act(EventKind::Wheel(notches)),
            ScrollEffect::Zoom(notches) => self.zoom(notches),
            ScrollEffect::Orbit(by_px) => self.drag_camera(by_px, false),
            ScrollEffect::Pan(by_px) => self.drag_camera(by_px, true),
            ScrollEffect::Nothing => {}
        }
    }

    /// Handles wheels and trackpad gestures. Returns false for other events.
    pub(super) fn trackpad(&mut self, event: &WindowEvent, is_view: bool) -> bool {
        let is_pickable = is_view && !self.session.editor.is_busy();
        match event {
            WindowEvent::MouseWheel { delta, .. } => self.scroll(*delta, is_view),
            WindowEvent::PinchGesture { .. }
            | WindowEvent::PanGesture { .. }
            | WindowEvent::RotationGesture { .. }
            | WindowEvent::DoubleTapGesture { .. }
                if !is_pickable => {}
            WindowEvent::PinchGesture { delta, .. } => self.magnify(1.0 + delta),
            WindowEvent::PanGesture { delta, .. } => {
                self.drag_camera(DVec2::new(f64::from(delta.x), f64::from(delta.y)), true);
            }
            WindowEvent::RotationGesture { delta, .. } => {
                self.end_easing();
                self.session.orbit().spin(f64::from(*delta).to_radians());
            }
            WindowEvent::DoubleTapGesture { .. } => self.run(Command::FrameSelection),
            _ => return false,
        }
        true
    }
}
