//! What a press on the cube becomes: a click, which turns the view to a side, or a drag, which
//! turns it with the pointer.

use super::Side;
use crate::marquee::STILL_LPX;
use wgpu_gizmo::glam::DVec2;

/// How the view is to be turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Turn {
    /// By so many physical pixels of the pointer.
    By(DVec2),
    /// To be seen from there.
    To(Side),
}

/// A press, from when it is made. What it has hit is known only later.
#[derive(Debug, Clone, Copy)]
struct Press {
    at_px: DVec2,
    /// As far as the view has been turned.
    turned_px: DVec2,
    last_px: DVec2,
    farthest_px: f64,
    is_down: bool,
    hit: Option<Side>,
}

/// The pointer, as the cube sees it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CubeHand {
    press: Option<Press>,
}

impl CubeHand {
    /// The primary button went down.
    pub(crate) fn press(&mut self, at_px: DVec2) {
        self.press = Some(Press {
            at_px,
            turned_px: at_px,
            last_px: at_px,
            farthest_px: 0.0,
            is_down: true,
            hit: None,
        });
    }

    /// The pointer moved.
    pub(crate) fn follow(&mut self, cursor_px: DVec2, scale_factor: f64) -> Option<Turn> {
        let press = self.press.as_mut().filter(|press| press.is_down)?;
        press.last_px = cursor_px;
        press.farthest_px = press.farthest_px.max(press.at_px.distance(cursor_px));
        press.hit.and_then(|_| press.turn(scale_factor))
    }

    /// The press has hit the cube.
    pub(crate) fn hit(&mut self, side: Side, scale_factor: f64) -> Option<Turn> {
        let press = self.press.as_mut()?;
        press.hit = Some(side);
        if press.is_down {
            return press.turn(scale_factor);
        }
        let turn = press.turn(scale_factor);
        self.press = None;
        Some(turn.unwrap_or(Turn::To(side)))
    }

    /// The button went up.
    pub(crate) fn release(&mut self, scale_factor: f64) -> Option<Turn> {
        let press = self.press.as_mut()?;
        press.is_down = false;
        let side = press.hit?;
        let is_click = press.is_click(scale_factor);
        self.press = None;
        is_click.then_some(Turn::To(side))
    }

    /// The press comes to nothing.
    pub(crate) fn forget(&mut self) {
        self.press = None;
    }

    /// Whether the cube is held.
    pub(crate) fn holds(&self) -> bool {
        self.press.is_some_and(|press| press.is_down && press.hit.is_some())
    }
}

impl Press {
    fn is_click(&self, scale_factor: f64) -> bool {
        self.farthest_px < STILL_LPX * scale_factor
    }

    /// As far as the pointer has gone since it was last asked.
    fn turn(&mut self, scale_factor: f64) -> Option<Turn> {
        let by_px = self.last_px - std::mem::replace(&mut self.turned_px, self.last_px);
        if self.is_click(scale_factor) {
            self.turned_px = self.at_px;
            return None;
        }
        (by_px != DVec2::ZERO).then_some(Turn::By(by_px))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: Side = Side([1, 0, 0]);

    fn px(x: f64) -> DVec2 {
        DVec2::new(x, 0.0)
    }

    #[test]
    fn a_click_turns_to_the_side_however_late_it_is_known_what_was_hit() {
        let mut hand = CubeHand::default();
        hand.press(px(10.0));
        assert_eq!(hand.hit(SIDE, 1.0), None);
        assert!(hand.holds());
        assert_eq!(hand.follow(px(12.0), 1.0), None);
        assert_eq!(hand.release(1.0), Some(Turn::To(SIDE)));
        hand.press(px(10.0));
        assert_eq!(hand.release(1.0), None);
        assert_eq!(hand.hit(SIDE, 1.0), Some(Turn::To(SIDE)));
        assert_eq!(hand.hit(SIDE, 1.0), None, "once");
    }

    #[test]
    fn a_drag_turns_as_far_as_the_pointer_went_however_late_it_is_known_what_was_hit() {
        for late in 0..4 {
            let (mut hand, mut turned) = (CubeHand::default(), DVec2::ZERO);
            let mut add = |turn| match turn {
                Some(Turn::By(by)) => turned += by,
                None => {}
                Some(Turn::To(side)) => panic!("{side:?}"),
            };
            hand.press(px(10.0));
            for (step, x) in [13.0, 40.0, 11.0].into_iter().enumerate() {
                if late == step {
                    add(hand.hit(SIDE, 1.0));
                }
                add(hand.follow(px(x), 1.0));
            }
            add(hand.release(1.0));
            if late == 3 {
                add(hand.hit(SIDE, 1.0));
            }
            assert_eq!(turned, px(1.0), "{late}");
            assert_eq!(hand.follow(px(99.0), 1.0), None);
        }
    }

    #[test]
    fn a_press_on_something_else_turns_nothing() {
        let mut hand = CubeHand::default();
        hand.press(px(10.0));
        assert_eq!(hand.follow(px(99.0), 1.0), None);
        assert_eq!(hand.release(1.0), None);
        hand.press(px(10.0));
        hand.forget();
        assert_eq!(hand.hit(SIDE, 1.0), None);
    }
}
