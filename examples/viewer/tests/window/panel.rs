//! Tests of the panel beside the view with a real mouse and real keys: each receives only its own
//! input.

use super::*;

/// The height in the panel, from 0 to 1, of the space below its last section, where a press selects nothing.
pub(crate) const BELOW_SECTIONS: f64 = 0.97;

impl Driver {
    /// Sends input for the panel, and waits until it is handled: the window learns which widget has the pointer and
    /// the focus only in the next frame.
    fn send_to_panel(&self, what: &str) {
        self.send_unrecorded(what);
        self.display.wait_until_still();
    }
}

#[test]
fn value_typed_into_field_is_undone() {
    let mut driver = Driver::with_panel("window-field");
    driver.click_node("forearm", &[]);
    driver.keys(&[("q", "q")]);
    driver.assert_shows("after a click");
    // The axes of the parent are as long as those of the world, so that typing in the view does the
    // same. The keys come faster than frames.
    driver.display.xdotool(&["key", "F6", "F6", "0", "period", "5", "Tab", "Escape"]);
    let typed = [("x", "x"), ("0", "0"), (".", "period"), ("5", "5"), ("enter", "Return")];
    let before = driver.events.len();
    driver.events.extend(typed.iter().map(|(key, _)| json!({ "key": key })));
    let line = driver.assert_shows("after a value was typed");
    assert_eq!(line["targets"]["forearm"]["translation"][0], 0.5, "{line}");
    driver.events.truncate(before);
    driver.display.xdotool(&["key", "ctrl+z"]);
    driver.assert_shows("after undo");
    driver.display.xdotool(&["key", "ctrl+y"]);
    driver.events.extend(typed.iter().map(|(key, _)| json!({ "key": key })));
    driver.assert_shows("after redo");
}

#[test]
fn keys_during_drag_bypass_panel() {
    let mut driver = Driver::with_panel("window-drag-keys");
    driver.select("crate");
    driver.send_to_panel("key F6");
    // The tree has the focus: arrow keys belong to it, letters and the keys after them to the view.
    driver.events.push(json!({ "grab": "translate_view" }));
    // An arrow key nudges by the increment that windows choose for the size of the scene.
    driver.events.push(json!({ "set": { "snap_while_held": { "translate": 0.1 } } }));
    driver.keys(&[("X", "shift+x"), (".", "period"), ("1", "1"), ("tab", "Tab"), ("down", "Down")]);
    let line = driver.assert_shows("while two numbers are typed");
    assert_eq!(line["dragging"], "translate_yz", "{line}");
    driver.keys(&[("escape", "Escape")]);
    driver.assert_shows("after Esc");
}

#[test]
fn click_does_not_overtake_shift_that_waits_for_focus() {
    let mut driver = Driver::with_panel("window-overtaking");
    driver.select("forearm");
    driver.at_once(|driver| {
        driver.press_keys(&["F6"]);
        driver.click_node("crate", &["shift"]);
    });
    let line = driver.assert_shows("after Shift+click");
    assert!(line["targets"]["forearm"].is_object() && line["targets"]["crate"].is_object(), "{line}");
}

#[test]
fn pointer_belongs_to_view_or_panel() {
    let mut driver = Driver::with_panel("window-pointer");
    let at = driver.pixel_of("crate");
    driver.move_to(at);
    let line = driver.assert_shows("with the pointer on a node");
    assert_eq!(line["object"], "crate");

    let (empty, [x, y]) = (driver.empty_pixel(), driver.panel_at(BELOW_SECTIONS));
    let below = format!("mousemove {x} {y}");
    // Beside the view, nothing is hovered, pressed, dragged or zoomed.
    driver.send_to_panel(&below);
    driver.events = vec![json!({ "move": empty })];
    driver.assert_shows("with the pointer on the panel");
    driver.send_to_panel("click 4 click 5 click 5");
    driver.assert_shows("after the wheel was turned over the panel");
    driver.send_to_panel(&format!("mousedown 1 mousemove {} {}", at[0], at[1]));
    driver.assert_shows("during a drag that began in the panel");
    driver.send_to_panel("mouseup 1");
    driver.send_to_panel(&below);
    driver.assert_shows("after the release");

    // A box that begins in the view closes the menu Help, continues over the panel and presses nothing there.
    driver.send_to_panel("mousemove 175 15 click 1");
    driver.events.clear();
    driver.move_to(empty);
    driver.press(&[]);
    for to in [at, driver.panel_at(0.5), driver.panel_at(0.8)] {
        driver.move_to(to);
    }
    driver.release(&[]);
    let line = driver.assert_shows("after a box that ended on the panel");
    assert!(line["targets"]["crate"].is_object() && line["targets"]["base"].is_object(), "{line}");
}

#[test]
fn click_in_view_presses_nothing_where_key_drag_ended() {
    let mut driver = Driver::with_panel("window-deferred");
    let empty = driver.empty_pixel();
    let toolbar = [0, 40, 40, 400];
    driver.display.wait_until_still();
    let before = driver.display.picture();
    // A drag that a key began ends over the button of another tool.
    driver.move_to(empty);
    driver.press_keys(&["g"]);
    driver.move_along(&[[300, 300], [20, 115]]);
    driver.press_keys(&["Return"]);
    for _ in 0..2 {
        driver.click(empty, &[]);
        driver.display.wait_until_still();
    }
    assert_eq!(driver.display.picture().difference(&before, toolbar), 0.0);
}

#[test]
fn view_resizes_when_panel_is_toggled() {
    let mut driver = Driver::with_panel("window-room");
    let beside_panel @ [x, y, width, height] = driver.view();
    // Without the panel, the scene is centered elsewhere, and the pointer must hover nothing.
    let [empty_x, empty_y] = driver.empty_pixel();
    driver.events = vec![json!({ "select": [] })];
    driver.send_unrecorded(&format!("mousemove {empty_x} {empty_y} click 1 key n"));
    driver.display.wait("the view does not resize", || driver.view() != beside_panel);
    assert!(x + width < SIZE[0]);
    assert_eq!(driver.view(), [x, y, SIZE[0] - x, height], "menu bar, toolbar and status line stay");
    driver.assert_shows("without the panel");
    driver.press_keys(&["n"]);
    driver.display.wait("the view does not resize", || driver.view() == beside_panel);
    driver.assert_shows("with the panel again");
}

#[test]
#[ignore = "writes docs/window.png"]
fn readme_picture_shows_rotation_in_window() {
    let mut driver = Driver::with_panel("window-readme");
    driver.click_node("forearm", &[]);
    driver.keys(&[("e", "e"), ("q", "q"), ("q", "q")]);
    driver.assert_shows("with rings");
    let [x, y] = driver.handle("rotate_z");
    driver.move_to([x, y]);
    driver.press(&[]);
    driver.move_along(&[[x + 20, y + 5], [x + 40, y + 15], [x + 60, y + 35]]);
    let line = driver.assert_shows("during the drag");
    assert_eq!(line["dragging"], "rotate_z", "{line}");
    let picture = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/window.png");
    driver.display.picture().save(&picture);
    driver.release(&[]);
}
