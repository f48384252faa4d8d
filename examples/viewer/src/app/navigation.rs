//! Moving the camera with a button of the mouse.

use super::screen::Screen;
use wgpu_gizmo::glam::{DVec2, DVec3};
use winit::event::MouseButton;

/// The maximum distance that the pointer moves during a click, in logical pixels.
const CLICK_RADIUS_LPX: f64 = 4.0;

/// A button that moves the camera while it is held.
#[derive(Debug)]
pub(super) struct Navigation {
    button: MouseButton,
    /// The position of the press, and whether the pointer has left it since.
    from_px: DVec2,
    has_left: bool,
    /// The point in world space that the camera orbits, if it is not its center.
    orbit_point: Option<DVec3>,
}

impl Screen {
    /// Begins to move the camera, or continues with another button. Nothing happens during a drag.
    pub(super) fn begin_navigation(&mut self, button: MouseButton) {
        if self.session.editor.is_busy() {
            return;
        }
        match &mut self.navigation {
            Some(navigation) => navigation.button = button,
            None => {
                let orbit_point = self.session.editor.pointer().point_world();
                let from_px = self.cursor_px;
                self.navigation = Some(Navigation { button, from_px, has_left: false, orbit_point });
            }
        }
    }

    /// Moves the camera with the pointer, if a button does so. Returns false otherwise.
    pub(super) fn navigate(&mut self, by_px: DVec2) -> bool {
        let still_px = CLICK_RADIUS_LPX * self.surface.window.scale_factor();
        if self.navigation.is_some() {
            // A key may have begun a jump while the button is held.
            self.end_easing();
        }
        let Some(navigation) = &mut self.navigation else { return false };
        navigation.has_left |= navigation.from_px.distance(self.cursor_px) >= still_px;
        let pans = self.keyboard.modifiers.shift_key();
        self.session.cameras.drag(&self.session.views, by_px, pans, navigation.orbit_point);
        self.session.views.follow(self.cursor_px, true);
        true
    }

    /// Ends the motion of the camera by this button, and opens the context menu if that was a click. Returns false
    /// if the button does not move the camera.
    pub(super) fn end_navigation(&mut self, button: MouseButton) -> bool {
        let Some(navigation) = self.navigation.take_if(|navigation| navigation.button == button) else {
            return false;
        };
        if button == MouseButton::Right && !navigation.has_left {
            self.panel.open_context_menu(self.cursor_px);
        }
        true
    }
}
