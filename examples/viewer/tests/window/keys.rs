//! Tests of keys that are already down when the window gets the keyboard focus, and of other keyboard
//! layouts.

use super::*;

#[test]
fn key_pressed_in_another_window_is_ignored() {
    let mut driver = Driver::new("window-other-key");
    driver.assert_shows("at the start");
    driver.focus_root();
    driver.send_unrecorded("keydown F4");
    driver.send_unrecorded("search --name wgpu-gizmo windowfocus --sync");
    driver.click_node("ball", &[]);
    driver.assert_shows("after a click, and in one view");
    driver.send_unrecorded("keyup F4");
    driver.keys(&[("f4", "F4")]);
    driver.assert_shows("with four views");
}

#[test]
fn focus_lost_on_view_cube_is_no_click() {
    let mut driver = Driver::new("window-cube-focus");
    driver.move_to(driver.cube_pixel());
    driver.send_unrecorded("mousedown 1");
    driver.display.wait_until_still();
    driver.focus_root();
    driver.send_unrecorded("mouseup 1 search --name wgpu-gizmo windowfocus --sync");
    driver.display.wait_until_still();
    driver.assert_shows("after the focus has come back");
}

/// The keys arrive together with the click, before it is known what that is on.
#[test]
fn keys_right_after_click_act_on_clicked_node() {
    let mut driver = Driver::new("window-click-key");
    let keys = |driver: &mut Driver, node: &str, keys: &str, events: &[Value]| {
        let [x, y] = driver.pixel_of(node);
        let click =
            [json!({ "move": [x, y] }), json!({ "press": "primary" }), json!({ "release": "primary" })];
        driver.events.extend(click.iter().chain(events).cloned());
        driver.at_once(|driver| driver.send_unrecorded(&format!("mousemove {x} {y} click 1 key {keys}")));
        driver.assert_shows(&format!("after keys on {node}"));
    };
    let command = |name: &str| json!({ "command": name });
    keys(&mut driver, "ball", "Delete", &[command("delete")]);
    // Nothing is selected before this click.
    let moved = [json!({ "grab": "translate_x" }), json!({ "key": "2" }), json!({ "key": "enter" })];
    keys(&mut driver, "crate", "x 2 Return", &moved);
    keys(&mut driver, "forearm", "ctrl+d h", &[command("duplicate"), command("hide_selected")]);
}

/// A window that does not respond gets clicks, drags and keys at once, and handles them one after another.
#[test]
fn input_of_one_moment_is_handled_in_order() {
    let mut driver = Driver::new("window-moment");
    driver.assert_shows("at the start");
    driver.at_once(|driver| {
        driver.click_node("ball", &[]);
        driver.click_node("crate", &["shift"]);
    });
    driver.assert_shows("two clicks");
    driver.at_once(|driver| {
        driver.click(driver.empty_pixel(), &[]);
        driver.click_node("upper_arm", &[]);
    });
    driver.assert_shows("a click on nothing and one on a node");
    driver.at_once(|driver| {
        driver.click(driver.empty_pixel(), &[]);
        let [x, y] = driver.pixel_of("crate");
        driver.move_to([x, y]);
        driver.press(&[]);
        driver.move_along(&[[x + 40, y - 30], [x + 60, y - 50]]);
        driver.release(&[]);
    });
    driver.assert_shows("a click on nothing and a drag from a node");
    driver.at_once(|driver| {
        let [x, y] = driver.empty_pixel();
        driver.move_to([x, y]);
        driver.press(&[]);
        driver.move_along(&[[x + 30, y + 20], [x + 50, y + 35]]);
        driver.release(&[]);
        driver.click_node("forearm", &[]);
    });
    driver.assert_shows("a box of nothing and a click on a node");
}

/// The keycodes of Return and of the keys with E, X and 2 in the English layout.
const CODES: [(&str, &str); 4] = [("e", "26"), ("x", "53"), ("2", "11"), ("enter", "36")];

#[test]
fn keys_of_non_latin_layout_go_by_position() {
    let mut driver = Driver::new("window-layout");
    driver.select("crate");
    let status = driver.display.command("setxkbmap").args(["-layout", "ru"]).status();
    assert!(status.is_ok_and(|status| status.success()), "setxkbmap (of x11-xkb-utils) is missing");
    driver.keys(&CODES);
    driver.assert_shows("after a rotation by keys");
    // Ctrl+Z.
    driver.events.push(json!({ "undo": true }));
    driver.display.xdotool(&["keydown", "37", "key", "52", "keyup", "37"]);
    driver.assert_shows("after undo");
}

#[test]
fn dead_key_and_space_are_typed_into_number() {
    let mut driver = Driver::new("window-dead-key");
    driver.select("crate");
    let status = driver.display.command("setxkbmap").args(["-layout", "de"]).status();
    assert!(status.is_ok_and(|status| status.success()), "setxkbmap (of x11-xkb-utils) is missing");
    driver.events.push(json!({ "grab": "translate_x" }));
    driver.press_keys(&["x"]);
    driver.keys(&[("2", "2")]);
    // The circumflex is typed by Space, which is no character of its own then.
    driver.press_keys(&["dead_circumflex"]);
    driver.keys(&[("^", "space"), ("3", "3")]);
    driver.assert_shows("after a power was typed");
    driver.keys(&[("escape", "Escape")]);
    driver.events.push(json!({ "grab": "translate_x" }));
    driver.press_keys(&["x"]);
    driver.keys(&[("1", "1"), (" ", "space"), ("2", "2")]);
    driver.assert_shows("after a number with a space, which is refused");
}
