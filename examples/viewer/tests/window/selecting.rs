//! Boxes, lassos and clicks that go on behind, with a real mouse and real keys.

use super::hand::Hand;

impl Hand {
    /// Names of what is selected, once the window shows what the replay does.
    fn selected(&mut self, when: &str) -> Vec<String> {
        let last = self.shows(when);
        assert!(last["dragging"].is_null(), "{when}: {last}");
        last["targets"].as_object().expect("an object").keys().cloned().collect()
    }
}

#[test]
fn two_nodes_are_boxed_one_is_lassoed_out_and_clicks_go_on_behind() {
    let mut hand = Hand::new("window-select");

    hand.go([740, 420]);
    hand.press(&[]);
    hand.go([800, 500]);
    hand.go([880, 600]);
    assert_eq!(hand.selected("while a box is drawn"), [""; 0]);
    hand.release(&[]);
    assert_eq!(hand.selected("after a box"), ["crate", "small_crate"]);

    // Round the upper of the two, and only its upper part.
    hand.go([750, 440]);
    hand.press(&["ctrl", "d"]);
    for point in [[800, 425], [860, 440], [850, 468], [800, 472], [765, 466]] {
        hand.go(point);
    }
    assert_eq!(hand.selected("while a lasso is drawn"), ["crate", "small_crate"]);
    hand.release(&["ctrl", "d"]);
    assert_eq!(hand.selected("after a lasso"), ["crate"]);

    hand.go([740, 420]);
    hand.press(&[]);
    hand.go([500, 300]);
    hand.keys(&[("escape", "Escape")]);
    assert_eq!(hand.selected("after Esc"), ["crate"]);
    hand.release(&[]);
    assert_eq!(hand.selected("after a release that ends nothing"), ["crate"]);

    for (wanted, when) in [("turntable", "front"), ("base", "behind"), ("turntable", "round again")] {
        hand.click([603, 477], &[]);
        assert_eq!(hand.selected(when), [wanted]);
    }

    hand.keys(&[("b", "b")]);
    hand.go([480, 400]);
    hand.press(&[]);
    hand.go([570, 480]);
    hand.release(&[]);
    let through = hand.selected("after a box that reaches behind");
    assert!(through.len() > 2, "{through:?}");

    hand.click([1000, 100], &[]);
    assert_eq!(hand.selected("after a click on nothing"), [""; 0]);
}

#[test]
fn a_box_in_one_of_four_views_is_of_that_view() {
    let mut hand = Hand::new("window-select-four");
    hand.keys(&[("f4", "F4")]);
    hand.selected("with four views");
    // From the side view's own corner far up into the view above, where it would hold the ball.
    hand.go([1260, 740]);
    hand.press(&[]);
    hand.go([960, 500]);
    hand.go([930, 20]);
    assert_eq!(hand.selected("while the box reaches into other views"), [""; 0]);
    hand.release(&[]);
    let selected = hand.selected("after it");
    let holds = |name: &str| selected.iter().any(|selected| selected == name);
    assert!(holds("crate") && !holds("ball"), "{selected:?}");
}
