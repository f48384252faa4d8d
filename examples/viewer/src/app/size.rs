//! The initial size of the window.

use winit::dpi::{LogicalSize, PhysicalSize, Size};
use winit::event_loop::ActiveEventLoop;
use winit::monitor::MonitorHandle;
use winit::window::{Window, WindowAttributes};

/// The size of the window if the monitor is large enough.
const DEFAULT: LogicalSize<f64> = LogicalSize::new(1280.0, 800.0);

/// The fraction of a side of the monitor that the window takes if the default size does not fit. The rest is
/// for the title bar and the bars of the desktop.
const SHARE: f64 = 0.9;

/// Returns the attributes of a new window of this size, or of one that fits its monitor.
pub(super) fn attributes(
    event_loop: &ActiveEventLoop,
    size: Option<PhysicalSize<u32>>,
) -> Result<WindowAttributes, &'static str> {
    // The actual monitor is not known before the window is created.
    let first = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let size = size.map_or_else(|| on_monitor(first.as_ref()).into(), Size::Physical);
    Ok(WindowAttributes::default().with_inner_size(size))
}

/// Shrinks a window that does not fit on its monitor.
pub(super) fn fit_to_own_monitor(window: &Window) {
    let wanted = on_monitor(window.current_monitor().as_ref());
    let size = window.inner_size();
    let fitted: PhysicalSize<u32> = wanted.to_physical(window.scale_factor());
    if fitted.width < size.width || fitted.height < size.height {
        // The window system reports the granted size as a resize event.
        let _ = window.request_inner_size(fitted);
    }
}

fn on_monitor(monitor: Option<&MonitorHandle>) -> LogicalSize<f64> {
    monitor.map_or(DEFAULT, |monitor| fitted(monitor.size(), monitor.scale_factor()))
}

/// Returns the default size, with each side limited to a monitor of this many pixels.
fn fitted(monitor_px: PhysicalSize<u32>, scale_factor: f64) -> LogicalSize<f64> {
    let monitor: LogicalSize<f64> = monitor_px.to_logical(scale_factor);
    let side = |wanted: f64, available: f64| match wanted > available && available > 0.0 {
        true => (SHARE * available).floor().max(1.0),
        false => wanted,
    };
    LogicalSize::new(side(DEFAULT.width, monitor.width), side(DEFAULT.height, monitor.height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initial_size_fits_monitor_at_every_scale_factor() {
        let fitted = |width, height, scale_factor: f64| {
            let size = fitted(PhysicalSize::new(width, height), scale_factor);
            <(u32, u32)>::from(size.to_physical::<u32>(scale_factor))
        };
        assert_eq!(fitted(1920, 1080, 1.0), (1280, 800));
        assert_eq!(fitted(1280, 800, 1.0), (1280, 800), "it fits exactly");
        assert_eq!(fitted(3840, 2160, 2.0), (2560, 1600));
        assert_eq!(fitted(1920, 1080, 2.0), (1728, 972));
        assert_eq!(fitted(1366, 768, 1.0), (1280, 691));
        assert_eq!(fitted(0, 0, 1.0), (1280, 800), "a monitor of unknown size");
        for (width, height) in [(1280, 800), (1920, 1080), (2880, 1800), (320, 200)] {
            for scale_factor in [1.0, 1.25, 1.5, 2.0, 3.0] {
                let size = fitted(width, height, scale_factor);
                assert!(size.0 <= width && size.1 <= height, "{size:?} at {scale_factor}");
            }
        }
    }
}
