//! Tests of the initial size of the window.

use super::*;

impl Display {
    /// Returns the width and height of the window.
    fn window_size(&self) -> [u32; 2] {
        let search = ["search", "--onlyvisible", "--name", "wgpu-gizmo", "getwindowgeometry", "--shell"];
        let output = self.command("xdotool").args(search).output().expect("xdotool runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        ["WIDTH=", "HEIGHT="].map(|key| {
            let value = text.lines().find_map(|line| line.strip_prefix(key));
            value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {key} in {text}"))
        })
    }
}

#[test]
fn window_at_scale_factor_two_fits_screen() {
    let display = Display::open(SIZE, &folder("window-size"));
    let mut viewer = display.command(VIEWER);
    let _window = Window::start(&display, viewer.env("WINIT_X11_SCALE_FACTOR", "2"));
    let [width, height] = display.window_size();
    assert!(width <= SIZE[0] && height <= SIZE[1], "{width} x {height}");
    assert!(width > SIZE[0] / 2 && height > SIZE[1] / 2, "{width} x {height}");
}

/// Resizes the window beyond the largest texture of the software driver, and back.
#[test]
fn window_wider_than_device_limit_stays_usable() {
    let folder = folder("window-wide");
    let display = Display::open([20_000, 300], &folder);
    let mut window = Window::open(&display, &["--no-panel"]);
    for [width, height] in [["20000", "200"], ["17000", "300"], ["1280", "300"]] {
        display.xdotool(&["search", "--name", "wgpu-gizmo", "windowsize", width, height]);
        display.xdotool(&["mousemove", "600", "100", "click", "1", "mousemove", "640", "120"]);
        display.wait_until_still();
        assert!(window.is_alive(), "after a resize to {width} x {height}");
    }
    let before = display.picture();
    display.xdotool(&["mousemove", "600", "150", "key", "n"]);
    display.wait_for_change_in([0, 0, 1280, 200], &before);
}
