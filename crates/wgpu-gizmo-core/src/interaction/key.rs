use crate::handle::{Axis, ChangeKind, Constraint};

/// A key that a gizmo handles. [`Key::from_char`] converts typed characters.
///
/// ```
/// use wgpu_gizmo_core::handle::Axis;
/// use wgpu_gizmo_core::interaction::Key;
///
/// assert_eq!(Key::from_char('x'), Some(Key::Axis(Axis::X)));
/// assert_eq!(Key::from_char('X'), Some(Key::Plane(Axis::X)));
/// assert_eq!(Key::from_char('m'), Some(Key::Char('m')));
/// assert_eq!(Key::from_char('\u{8}'), None, "no control characters");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Key {
    /// Constrains to this axis: x, y, z. The second press switches between World and Local axes, the third
    /// removes the constraint.
    Axis(Axis),
    /// Constrains to the plane that has this normal: Shift+X, Shift+Y, Shift+Z.
    Plane(Axis),
    /// Types a digit from 0 to 9.
    Digit(u8),
    /// Types the decimal point, also for a comma.
    Point,
    /// Types a minus.
    Minus,
    /// Types any other character of an [`expression`](crate::interaction::expression), such as `25cm` or `1/4`.
    /// Text that is not a number changes nothing, and the readout says so. A letter does nothing until a number is
    /// begun.
    Char(char),
    /// Deletes the last character, or all nudges. Once nothing is typed, the pointer controls the drag again.
    Backspace,
    /// Moves to the second number, if the constraint has two.
    Tab,
    /// Decreases the number by one increment.
    Left,
    /// Increases the number by one increment.
    Right,
    /// Increases the second number, or the only one, by one increment.
    Up,
    /// Decreases the second number, or the only one, by one increment.
    Down,
    /// Ends the drag and keeps its motion.
    Enter,
    /// Cancels the drag.
    Escape,
}

/// The modifier keys that are held with a [`Key`], and whether it repeats.
///
/// Shift is not among them, because it is part of the key, as in [`Key::Plane`], or of the typed character.
///
/// ```
/// use wgpu_gizmo_core::handle::Axis;
/// use wgpu_gizmo_core::interaction::{Key, KeyModifiers};
///
/// let ctrl = KeyModifiers { ctrl: true, ..KeyModifiers::NONE };
/// assert!(!ctrl.may_type(Key::Axis(Axis::Z)), "Ctrl+Z is an undo");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct KeyModifiers {
    /// Whether Ctrl is held.
    pub ctrl: bool,
    /// Whether Alt, or Option, is held.
    pub alt: bool,
    /// Whether the Windows or Super key, or Command, is held.
    pub meta: bool,
    /// Whether the key repeats because it is held down. A repeated key types, deletes or nudges again; it does
    /// not choose an axis, nor does it begin or end a drag.
    pub repeat: bool,
}

/// The held keys that affect a drag; see [`Gizmo::set_held_keys`](crate::interaction::Gizmo::set_held_keys).
///
/// ```
/// use wgpu_gizmo_core::interaction::HeldKeys;
///
/// let held = HeldKeys { snap: true, ..HeldKeys::NONE };
/// assert_ne!(held, HeldKeys::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HeldKeys {
    /// Whether the snap key is held, which selects
    /// [`SnapSettings::while_held`](crate::interaction::settings::SnapSettings::while_held).
    pub snap: bool,
    /// Whether the precision key is held, which slows the motion to a tenth of the pointer's. The motion
    /// continues from its current value.
    pub precision: bool,
    /// Whether the symmetric key is held, with which box handles move the opposite side by as much.
    pub symmetric: bool,
}

impl HeldKeys {
    /// No keys.
    pub const NONE: Self = Self { snap: false, precision: false, symmetric: false };
}

impl KeyModifiers {
    /// No modifiers.
    pub const NONE: Self = Self { ctrl: false, alt: false, meta: false, repeat: false };

    /// Returns true if a gizmo handles the key with these modifiers. Without modifiers it handles all keys.
    /// With any it handles arrows, Enter and Escape, because modifiers are also held to snap and for symmetric boxes.
    /// With Ctrl and Alt together, which is how some systems report AltGr, it handles the characters of
    /// numbers, because some layouts have no digits without AltGr. Keys that repeat are handled if they type,
    /// delete or nudge.
    pub fn may_type(self, key: Key) -> bool {
        let chooses_or_ends =
            matches!(key, Key::Axis(_) | Key::Plane(_) | Key::Tab | Key::Enter | Key::Escape);
        if self.repeat && chooses_or_ends {
            return false;
        }
        match (self.ctrl, self.alt, self.meta) {
            (false, false, false) => true,
            (true, true, false) if key.is_text() => true,
            _ => matches!(key, Key::Left | Key::Right | Key::Up | Key::Down | Key::Enter | Key::Escape),
        }
    }
}

impl Key {
    /// Returns the key with this character; `None` for a control character. An upper-case letter includes Shift.
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
            _ => Some(Self::Char(character)).filter(|_| !character.is_control()),
        }
    }

    /// Returns true if the key types a character of a number.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::Digit(_) | Self::Point | Self::Minus | Self::Char(_))
    }

    /// Returns the constraint that the key selects in a drag of this channel.
    pub(crate) fn constraint(self, channel: ChangeKind) -> Option<Constraint> {
        Some(match (self, channel) {
            (Self::Axis(axis), ChangeKind::Translate) => Constraint::Axis(axis),
            (Self::Plane(axis), ChangeKind::Translate) => Constraint::Plane(axis),
            // A rotation in a plane is one about its normal.
            (Self::Axis(axis) | Self::Plane(axis), ChangeKind::Rotate) => Constraint::Ring(axis),
            (Self::Axis(axis), ChangeKind::Scale) => Constraint::ScaleAxis(axis),
            (Self::Plane(axis), ChangeKind::Scale) => Constraint::ScalePlane(axis),
            _ => return None,
        })
    }
}
