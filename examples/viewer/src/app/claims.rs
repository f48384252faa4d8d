//! Whose the pointer is: from the press of a button to the release of the last one it belongs to
//! the view or to the panel, wherever it goes.

use winit::event::MouseButton;

/// Who is meant by what the pointer does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    View,
    Panel,
}

/// The buttons that are down, and whose they are.
#[derive(Debug, Default)]
pub(super) struct Claims {
    held: Vec<MouseButton>,
    side: Option<Side>,
}

impl Claims {
    /// A button goes down; whose it is.
    pub(super) fn press(&mut self, button: MouseButton, over_panel: bool) -> Side {
        if !self.held.contains(&button) {
            self.held.push(button);
        }
        *self.side.get_or_insert(if over_panel { Side::Panel } else { Side::View })
    }

    /// A button goes up; whose it was. Nobody's where its press was not seen.
    pub(super) fn release(&mut self, button: MouseButton) -> Option<Side> {
        let place = self.held.iter().position(|held| *held == button)?;
        self.held.remove(place);
        let side = self.side;
        if self.held.is_empty() {
            self.side = None;
        }
        side
    }

    /// Whose the pointer is now, while a button is down.
    pub(super) fn side(&self) -> Option<Side> {
        self.side
    }

    /// Releases may go to another window now.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_had_the_first_button_has_them_all_until_the_last_is_up() {
        let mut claims = Claims::default();
        assert_eq!(claims.press(MouseButton::Left, false), Side::View);
        assert_eq!(claims.press(MouseButton::Right, true), Side::View, "over the panel by now");
        assert_eq!(claims.release(MouseButton::Left), Some(Side::View));
        assert_eq!(claims.side(), Some(Side::View));
        assert_eq!(claims.release(MouseButton::Right), Some(Side::View));
        assert_eq!(claims.side(), None);
        assert_eq!(claims.press(MouseButton::Left, true), Side::Panel);
        assert_eq!(claims.release(MouseButton::Middle), None, "was pressed elsewhere");
        assert_eq!(claims.release(MouseButton::Left), Some(Side::Panel));
        claims.press(MouseButton::Left, true);
        claims.forget();
        assert_eq!((claims.release(MouseButton::Left), claims.side()), (None, None));
    }
}
