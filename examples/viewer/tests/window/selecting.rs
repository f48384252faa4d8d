//! Tests of boxes, lassos and click-through with a real mouse and real keys.

use super::driver::Driver;

impl Driver {
    /// Asserts that the window shows the result of the events, and returns the names of the selected
    /// nodes.
    fn selected(&mut self, when: &str) -> Vec<String> {
        let last = self.assert_shows(when);
        assert!(last["dragging"].is_null(), "{when}: {last}");
        last["targets"].as_object().expect("targets is an object").keys().cloned().collect()
    }
}

#[test]
fn box_lasso_and_click_through_select_nodes() {
    let mut driver = Driver::new("window-select");

    driver.move_to([740, 420]);
    driver.press(&[]);
    driver.move_to([800, 500]);
    driver.move_to([880, 600]);
    assert_eq!(driver.selected("while a box is drawn"), ["gripper"]);
    driver.release(&[]);
    assert_eq!(driver.selected("after a box"), ["crate", "small_crate"]);

    // Around the upper part of the upper crate.
    driver.move_to([750, 440]);
    driver.press(&["ctrl", "d"]);
    for point in [[800, 425], [860, 440], [850, 468], [800, 472], [765, 466]] {
        driver.move_to(point);
    }
    assert_eq!(driver.selected("while a lasso is drawn"), ["crate", "small_crate"]);
    driver.release(&["ctrl", "d"]);
    assert_eq!(driver.selected("after a lasso"), ["crate"]);

    driver.move_to([740, 420]);
    driver.press(&[]);
    driver.move_to([500, 300]);
    driver.keys(&[("escape", "Escape")]);
    assert_eq!(driver.selected("after Esc"), ["crate"]);
    driver.release(&[]);
    assert_eq!(driver.selected("after a release without effect"), ["crate"]);

    for (wanted, when) in [("turntable", "front"), ("base", "behind"), ("turntable", "front again")] {
        driver.click([603, 477], &[]);
        assert_eq!(driver.selected(when), [wanted]);
    }

    driver.keys(&[("b", "b")]);
    driver.move_to([480, 400]);
    driver.press(&[]);
    driver.move_to([570, 480]);
    driver.release(&[]);
    let through = driver.selected("after a box that includes occluded nodes");
    assert!(through.len() > 2, "{through:?}");

    driver.click([1000, 100], &[]);
    assert_eq!(driver.selected("after a click on nothing"), [""; 0]);
}
