//! The effects of a wheel and of two fingers on a trackpad.

use wgpu_gizmo::glam::DVec2;
use winit::event::MouseScrollDelta;

/// Logical pixels of a trackpad that count as one notch of a wheel.
const TRACKPAD_NOTCH_LPX: f64 = 40.0;
/// Logical pixels per notch of a wheel in browsers: 100 on Windows, 120 on Linux.
const BROWSER_NOTCH_LPX: f64 = 110.0;

/// A turn of a wheel, or a motion of two fingers on a trackpad.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scroll {
    delta: MouseScrollDelta,
    scale_factor: f64,
    /// Browsers report pixels for both. Natively, only trackpads have pixels.
    is_browser: bool,
}

/// Who may use a scroll, and the keys that are held.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScrollContext {
    /// The gizmo nudges the handle under the pointer.
    pub(super) is_claimed: bool,
    /// The camera may move.
    pub(super) is_camera_free: bool,
    pub(super) shift: bool,
    pub(super) ctrl: bool,
}

/// The effect of a scroll.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ScrollEffect {
    /// Nudges the handle under the pointer by notches.
    Nudge(f64),
    /// Zooms to the pointer by notches.
    Zoom(f64),
    /// Orbits by physical pixels.
    Orbit(DVec2),
    /// Pans by physical pixels.
    Pan(DVec2),
    Nothing,
}

impl Scroll {
    pub(super) fn new(delta: MouseScrollDelta, scale_factor: f64) -> Self {
        Self { delta, scale_factor, is_browser: cfg!(target_arch = "wasm32") }
    }

    /// Returns the notches of a wheel, or what counts as such. macOS and browsers turn a wheel sideways while Shift is
    /// held.
    pub(super) fn notches(self, shift: bool) -> f64 {
        let turned = |x: f64, y: f64| if y == 0.0 && shift { x } else { y };
        match self.delta {
            MouseScrollDelta::LineDelta(x, y) => turned(x.into(), y.into()),
            MouseScrollDelta::PixelDelta(by) if self.is_browser => {
                let notches = turned(by.x, by.y) / (BROWSER_NOTCH_LPX * self.scale_factor);
                // Much at once is a wheel, which turns by whole notches.
                if notches.abs() < 0.5 { notches } else { notches.round() }
            }
            MouseScrollDelta::PixelDelta(by) => turned(by.x, by.y) / (TRACKPAD_NOTCH_LPX * self.scale_factor),
        }
    }

    pub(super) fn effect(self, context: ScrollContext) -> ScrollEffect {
        let ScrollContext { is_claimed, is_camera_free, shift, ctrl } = context;
        match self.delta {
            _ if is_claimed => ScrollEffect::Nudge(self.notches(shift)),
            _ if !is_camera_free => ScrollEffect::Nothing,
            MouseScrollDelta::PixelDelta(by) if !self.is_browser && !ctrl => {
                let by_px = DVec2::new(by.x, by.y);
                if shift { ScrollEffect::Pan(by_px) } else { ScrollEffect::Orbit(by_px) }
            }
            _ => ScrollEffect::Zoom(self.notches(shift)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use winit::dpi::PhysicalPosition;

    const FREE: ScrollContext =
        ScrollContext { is_claimed: false, is_camera_free: true, shift: false, ctrl: false };
    const NOTCH: MouseScrollDelta = MouseScrollDelta::LineDelta(0.0, 1.0);

    fn pixels(x: f64, y: f64) -> MouseScrollDelta {
        MouseScrollDelta::PixelDelta(PhysicalPosition::new(x, y))
    }

    fn native(delta: MouseScrollDelta) -> Scroll {
        Scroll { delta, scale_factor: 2.0, is_browser: false }
    }

    fn browser(delta: MouseScrollDelta) -> Scroll {
        Scroll { is_browser: true, ..native(delta) }
    }

    #[test]
    fn scroll_nudges_zooms_orbits_or_pans() {
        let (shift, ctrl) = (ScrollContext { shift: true, ..FREE }, ScrollContext { ctrl: true, ..FREE });
        let busy = ScrollContext { is_camera_free: false, ..FREE };
        let claimed = ScrollContext { is_claimed: true, ..FREE };
        let claimed_in_drag = ScrollContext { is_claimed: true, ..busy };
        let (trackpad, by_px) = (native(pixels(30.0, 80.0)), DVec2::new(30.0, 80.0));
        for (scroll, context, effect) in [
            (native(NOTCH), claimed, ScrollEffect::Nudge(1.0)),
            (native(NOTCH), claimed_in_drag, ScrollEffect::Nudge(1.0)),
            (native(pixels(0.0, -80.0)), claimed_in_drag, ScrollEffect::Nudge(-1.0)),
            (browser(pixels(0.0, -240.0)), claimed, ScrollEffect::Nudge(-1.0)),
            (native(NOTCH), FREE, ScrollEffect::Zoom(1.0)),
            // A notch of a wheel in browsers.
            (browser(pixels(0.0, 200.0)), FREE, ScrollEffect::Zoom(1.0)),
            (browser(pixels(0.0, 240.0)), shift, ScrollEffect::Zoom(1.0)),
            (browser(pixels(240.0, 0.0)), shift, ScrollEffect::Zoom(1.0)),
            (native(MouseScrollDelta::LineDelta(1.0, 0.0)), shift, ScrollEffect::Zoom(1.0)),
            (browser(pixels(0.0, 200.0)), ctrl, ScrollEffect::Zoom(1.0)),
            (trackpad, FREE, ScrollEffect::Orbit(by_px)),
            (trackpad, shift, ScrollEffect::Pan(by_px)),
            (trackpad, ctrl, ScrollEffect::Zoom(1.0)),
            (native(NOTCH), busy, ScrollEffect::Nothing),
            (trackpad, busy, ScrollEffect::Nothing),
            (browser(pixels(30.0, 80.0)), busy, ScrollEffect::Nothing),
        ] {
            assert_eq!(scroll.effect(context), effect, "{scroll:?} {context:?}");
        }
    }

    #[test]
    fn pinch_in_browser_zooms_smoothly() {
        let ScrollEffect::Zoom(notches) = browser(pixels(0.0, 5.5)).effect(FREE) else { panic!("no zoom") };
        assert!((notches - 0.025).abs() < 1e-12, "{notches}");
    }
}
