use crate::handle::{Axis, Channel, Constraint};

/// A key that means something to a gizmo. Hosts that have characters ask [`Key::from_char`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// AxisHit this axis, or about it: x, y, z. The same again changes between the world's axes and
    /// the local ones, a third time frees.
    Axis(Axis),
    /// In the plane that has this normal: shift-x, shift-y, shift-z.
    Plane(Axis),
    /// 0 to 9.
    Digit(u8),
    /// The decimal point.
    Point,
    /// Changes the sign of what is typed.
    Minus,
    /// Takes the last character back; with nothing typed, the pointer leads again.
    Backspace,
    /// On to the next number, where the constraint has two.
    Tab,
    /// One increment less.
    Left,
    /// One increment more.
    Right,
    /// One increment more; of the second number, where there are two.
    Up,
    /// One increment less; of the second number, where there are two.
    Down,
    /// Ends the drag where it is.
    Enter,
    /// Cancels the drag.
    Escape,
}

/// The modifiers held with a [`Key`] that make another key of it. Shift is not among them: it is in
/// the key, as in [`Key::Plane`], or in the character that was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct KeyModifiers {
    /// Ctrl.
    pub ctrl: bool,
    /// Alt, or Option.
    pub alt: bool,
    /// The Windows or Super key, or Command.
    pub meta: bool,
}

impl KeyModifiers {
    /// No modifiers.
    pub const NONE: Self = Self { ctrl: false, alt: false, meta: false };

    /// Returns whether the key means something to a gizmo with these modifiers. All keys do without
    /// any. Digits, point and minus also do with Ctrl and Alt together, which is how some systems
    /// report AltGr: there are layouts that have no digits without it.
    pub fn may_type(self, key: Key) -> bool {
        match self {
            Self::NONE => true,
            Self { ctrl: true, alt: true, meta: false } => {
                matches!(key, Key::Digit(_) | Key::Point | Key::Minus)
            }
            _ => false,
        }
    }
}

impl Key {
    /// The key with this character on it. An upper-case letter is the one with shift.
    pub fn from_char(character: char) -> Option<Self> {
        let axis = match character.to_ascii_lowercase() {
            'x' => Some(Axis::X),
            'y' => Some(Axis::Y),
            'z' => Some(Axis::Z),
            _ => None,
        };
        match character {
            _ if axis.is_some() && character.is_ascii_uppercase() => axis.map(Self::Plane),
            _ if axis.is_some() => axis.map(Self::Axis),
            '0'..='9' => Some(Self::Digit(character as u8 - b'0')),
            '.' | ',' => Some(Self::Point),
            '-' => Some(Self::Minus),
            _ => None,
        }
    }

    /// The constraint that the key asks for in a drag of this channel.
    pub(crate) fn constraint(self, channel: Channel) -> Option<Constraint> {
        Some(match (self, channel) {
            (Self::Axis(axis), Channel::Translate) => Constraint::Axis(axis),
            (Self::Plane(axis), Channel::Translate) => Constraint::Plane(axis),
            // A turn in a plane is one about its normal.
            (Self::Axis(axis) | Self::Plane(axis), Channel::Rotate) => Constraint::Ring(axis),
            (Self::Axis(axis), Channel::Scale) => Constraint::ScaleAxis(axis),
            (Self::Plane(axis), Channel::Scale) => Constraint::ScalePlane(axis),
            _ => return None,
        })
    }
}
