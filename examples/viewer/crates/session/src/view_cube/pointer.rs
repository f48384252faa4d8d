//! Pointer input on the view cube: a click turns the view to a side, and a drag orbits with the
//! pointer.

use super::Side;
use crate::marquee::DRAG_THRESHOLD_LPX;
use wgpu_gizmo::glam::DVec2;

/// A rotation of the view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Turn {
    /// Orbits by this pointer movement in physical pixels.
    Orbit(DVec2),
    /// Turns the view to look at the scene from this side.
    To(Side),
}

/// A press of the pointer. What it hit is known only later.
#[derive(Debug, Clone, Copy)]
struct Press {
    at_px: DVec2,
    /// Cursor position up to which the view has been turned.
    turned_px: DVec2,
    last_px: DVec2,
    max_distance_px: f64,
    is_down: bool,
    hit: Option<Side>,
}

/// Pointer state of the view cube.
#[derive(Debug, Clone, Copy, Default)]
pub struct CubePointer {
    press: Option<Press>,
}

impl CubePointer {
    /// Handles a press of the primary button.
    pub fn press(&mut self, at_px: DVec2) {
        self.press = Some(Press {
            at_px,
            turned_px: at_px,
            last_px: at_px,
            max_distance_px: 0.0,
            is_down: true,
            hit: None,
        });
    }

    /// Handles a move of the pointer.
    pub fn follow(&mut self, cursor_px: DVec2, scale_factor: f64) -> Option<Turn> {
        let press = self.press.as_mut().filter(|press| press.is_down)?;
        press.last_px = cursor_px;
        press.max_distance_px = press.max_distance_px.max(press.at_px.distance(cursor_px));
        press.hit.and_then(|_| press.turn(scale_factor))
    }

    /// Handles the answer that the press hit the cube.
    pub fn hit(&mut self, side: Side, scale_factor: f64) -> Option<Turn> {
        let press = self.press.as_mut()?;
        press.hit = Some(side);
        if press.is_down {
            return press.turn(scale_factor);
        }
        let turn = press.turn(scale_factor);
        self.press = None;
        Some(turn.unwrap_or(Turn::To(side)))
    }

    /// Handles a release of the primary button.
    pub fn release(&mut self, scale_factor: f64) -> Option<Turn> {
        let press = self.press.as_mut()?;
        press.is_down = false;
        let side = press.hit?;
        let is_click = press.is_click(scale_factor);
        self.press = None;
        is_click.then_some(Turn::To(side))
    }

    /// Cancels the press.
    pub fn forget(&mut self) {
        self.press = None;
    }

    /// Returns true while a press on the cube is held.
    pub fn holds(&self) -> bool {
        self.press.is_some_and(|press| press.is_down && press.hit.is_some())
    }
}

impl Press {
    fn is_click(&self, scale_factor: f64) -> bool {
        self.max_distance_px < DRAG_THRESHOLD_LPX * scale_factor
    }

    /// Returns the pointer movement since the last call, or `None` within the drag threshold.
    fn turn(&mut self, scale_factor: f64) -> Option<Turn> {
        let delta_px = self.last_px - std::mem::replace(&mut self.turned_px, self.last_px);
        if self.is_click(scale_factor) {
            self.turned_px = self.at_px;
            return None;
        }
        (delta_px != DVec2::ZERO).then_some(Turn::Orbit(delta_px))
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
    fn click_turns_to_side_despite_late_hit() {
        let mut hand = CubePointer::default();
        hand.press(px(10.0));
        assert_eq!(hand.hit(SIDE, 1.0), None);
        assert!(hand.holds());
        assert_eq!(hand.follow(px(12.0), 1.0), None);
        assert_eq!(hand.release(1.0), Some(Turn::To(SIDE)));
        hand.press(px(10.0));
        assert_eq!(hand.release(1.0), None);
        assert_eq!(hand.hit(SIDE, 1.0), Some(Turn::To(SIDE)));
        assert_eq!(hand.hit(SIDE, 1.0), None, "a press turns only once");
    }

    #[test]
    fn drag_turns_by_pointer_movement_despite_late_hit() {
        for late in 0..4 {
            let (mut hand, mut turned) = (CubePointer::default(), DVec2::ZERO);
            let mut add = |turn| match turn {
                Some(Turn::Orbit(by)) => turned += by,
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
    fn press_outside_cube_turns_nothing() {
        let mut hand = CubePointer::default();
        hand.press(px(10.0));
        assert_eq!(hand.follow(px(99.0), 1.0), None);
        assert_eq!(hand.release(1.0), None);
        hand.press(px(10.0));
        hand.forget();
        assert_eq!(hand.hit(SIDE, 1.0), None);
    }
}
