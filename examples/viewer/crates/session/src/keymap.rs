//! Keymaps of the window: which keys run which commands. Replays always use the table of
//! [`SHORTCUTS`], so a recording does not depend on the keymap.

use crate::command::{Command, NAMED_KEYS, SHORTCUTS};
use crate::replay_file::Mods;
use wgpu_gizmo_core::Mode;

/// A keymap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keymap {
    /// The keys of the viewer: W, E, R, T select modes, and X, Y, Z begin drags.
    #[default]
    Viewer,
    /// Keys as in Blender: G, R, S and X, Y, Z begin drags that follow the pointer.
    Blender,
    /// Keys as in Unity: Q, W, E, R, Y select modes, X and Z switch orientation and pivot.
    Unity,
}

/// A key with its modifiers, and the command that it runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binding {
    /// A lower-case character, or a name such as `escape`.
    pub key: &'static str,
    /// Whether Ctrl, Shift and Alt must be held.
    pub held: Held,
    /// The key as shown to the user.
    pub shown: &'static str,
    /// The command.
    pub command: Command,
}

/// The modifier keys of a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Held {
    /// Whether Ctrl must be held.
    pub ctrl: bool,
    /// Whether Shift must be held.
    pub shift: bool,
    /// Whether Alt must be held.
    pub alt: bool,
}

const NONE: Held = Held { ctrl: false, shift: false, alt: false };
const SHIFT: Held = Held { shift: true, ..NONE };
const ALT: Held = Held { alt: true, ..NONE };
const CTRL_SHIFT: Held = Held { ctrl: true, shift: true, ..NONE };

const fn bind(key: &'static str, held: Held, shown: &'static str, command: Command) -> Binding {
    Binding { key, held, shown, command }
}

/// Bindings of all keymaps, besides the shortcuts of replays. Rules that are rarely changed need a modifier.
const COMMON: [Binding; 11] = [
    bind("s", SHIFT, "Shift+S", Command::NextShear),
    bind("l", CTRL_SHIFT, "Ctrl+Shift+L", Command::ConstructionLines),
    bind("u", SHIFT, "Shift+U", Command::NextGrab),
    bind("g", CTRL_SHIFT, "Ctrl+Shift+G", Command::SnapKind),
    bind(".", NONE, ".", Command::Frame),
    bind("home", NONE, "Home", Command::FrameAll),
    bind("9", NONE, "9", Command::Opposite),
    bind("4", NONE, "4", Command::OrbitStep([-1, 0])),
    bind("6", NONE, "6", Command::OrbitStep([1, 0])),
    bind("8", NONE, "8", Command::OrbitStep([0, 1])),
    bind("2", NONE, "2", Command::OrbitStep([0, -1])),
];

const VIEWER: [Binding; 1] = [bind("g", NONE, "G", Command::GrabInMode)];

const BLENDER: [Binding; 11] = [
    bind("g", NONE, "G", Command::Grab(Mode::Translate)),
    bind("r", NONE, "R", Command::Grab(Mode::Rotate)),
    bind("s", NONE, "S", Command::Grab(Mode::Scale)),
    bind("g", ALT, "Alt+G", Command::Clear(Mode::Translate)),
    bind("r", ALT, "Alt+R", Command::Clear(Mode::Rotate)),
    bind("s", ALT, "Alt+S", Command::Clear(Mode::Scale)),
    bind("a", ALT, "Alt+A", Command::SelectNone),
    bind("d", SHIFT, "Shift+D", Command::Duplicate),
    bind("h", ALT, "Alt+H", Command::ShowAll),
    bind("p", ALT, "Alt+P", Command::ClearParent),
    bind(",", NONE, ",", Command::NextOrientation),
];

const UNITY: [Binding; 4] = [
    bind("q", NONE, "Q", Command::Mode(Mode::None)),
    bind("y", NONE, "Y", Command::Mode(Mode::Universal)),
    bind("x", NONE, "X", Command::NextOrientation),
    bind("z", NONE, "Z", Command::NextPivot),
];

/// Returns the name of a key without a character, such as `F10` or `ArrowLeft`, as the tables of keys have it. Returns
/// `None` if neither the gizmo nor a keymap uses the key.
pub fn key_name(key: &str) -> Option<&'static str> {
    let key = key.strip_prefix("Arrow").unwrap_or(key);
    let bound = Keymap::ALL.into_iter().flat_map(|(_, keymap)| keymap.bindings()).map(|binding| binding.key);
    let mut names = NAMED_KEYS.iter().map(|(name, _)| *name).chain(bound);
    names.find(|name| name.len() > 1 && name.eq_ignore_ascii_case(key))
}

/// Returns true for commands whose shortcut in replays would be pressed by accident in a window.
fn needs_modifier(command: Command) -> bool {
    use Command::{ConstructionLines, NextGrab, NextShear, NextTheme, SnapKind};
    matches!(command, ConstructionLines | NextGrab | NextShear | NextTheme | SnapKind)
}

impl Keymap {
    /// All keymaps, with their names.
    pub const ALL: [(&'static str, Self); 3] =
        [("Viewer", Self::Viewer), ("Blender", Self::Blender), ("Unity", Self::Unity)];

    /// Returns the name of the keymap.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, keymap)| *keymap == self).map_or("", |(name, _)| name)
    }

    /// Returns true if X, Y and Z begin drags.
    pub fn has_axis_keys(self) -> bool {
        self != Self::Unity
    }

    fn own(self) -> &'static [Binding] {
        match self {
            Self::Viewer => &VIEWER,
            Self::Blender => &BLENDER,
            Self::Unity => &UNITY,
        }
    }

    /// Returns true if the keymap does not use the shortcut that replays have for a command.
    fn drops(self, command: Command) -> bool {
        use Command::{ClearParent, Duplicate, Mode as SelectMode, NextOrientation, NextPivot};
        use Command::{SelectNone, ShowAll};
        needs_modifier(command)
            || match self {
                Self::Viewer => false,
                Self::Blender => match command {
                    SelectMode(mode) => matches!(mode, Mode::Scale),
                    NextOrientation | SelectNone | Duplicate | ShowAll | ClearParent => true,
                    _ => false,
                },
                Self::Unity => {
                    matches!(command, NextOrientation | NextPivot | SelectMode(Mode::Universal))
                }
            }
    }

    /// Returns all bindings. If a key is bound twice, the first one counts.
    pub fn bindings(self) -> impl Iterator<Item = Binding> {
        let kept = SHORTCUTS.iter().filter(move |shortcut| !self.drops(shortcut.command));
        let kept = kept.map(|shortcut| Binding {
            key: shortcut.key,
            held: Held { ctrl: shortcut.ctrl, shift: shortcut.shift, alt: false },
            shown: shortcut.shown,
            command: shortcut.command,
        });
        self.own().iter().copied().chain(kept).chain(COMMON)
    }

    /// Returns the command of a key, if there is one. Alt is ignored where no binding has it.
    pub fn command(self, key: &str, mods: Mods) -> Option<Command> {
        let find = |held: Held| {
            let mut bindings = self.bindings();
            bindings.find(|binding| binding.key.eq_ignore_ascii_case(key) && binding.held == held)
        };
        let held = Held { ctrl: mods.ctrl, shift: mods.shift, alt: mods.alt };
        let found = find(held).or_else(|| find(Held { alt: false, ..held }));
        found.map(|binding| binding.command)
    }

    /// Returns the key of a command as shown to the user, if it has one.
    pub fn shown(self, command: Command) -> Option<&'static str> {
        self.bindings().find(|binding| binding.command == command).map(|binding| binding.shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(keymap: Keymap, key: &str, held: Held) -> Option<Command> {
        let Held { ctrl, shift, alt } = held;
        keymap.command(key, Mods { ctrl, shift, alt, ..Mods::default() })
    }

    #[test]
    fn blender_letters_grab_and_unity_letters_select_modes() {
        for (key, kind) in [("g", Mode::Translate), ("R", Mode::Rotate), ("s", Mode::Scale)] {
            assert_eq!(command(Keymap::Blender, key, NONE), Some(Command::Grab(kind)));
        }
        assert_eq!(command(Keymap::Blender, "a", ALT), Some(Command::SelectNone));
        assert_eq!(command(Keymap::Blender, "g", ALT), Some(Command::Clear(Mode::Translate)));
        assert_eq!(command(Keymap::Unity, "y", NONE), Some(Command::Mode(Mode::Universal)));
        assert_eq!(command(Keymap::Unity, "x", NONE), Some(Command::NextOrientation));
        assert_eq!(command(Keymap::Viewer, "r", NONE), Some(Command::Mode(Mode::Scale)));
        assert_eq!(command(Keymap::Viewer, "g", NONE), Some(Command::GrabInMode));
    }

    #[test]
    fn obscure_rules_need_modifier_in_every_keymap() {
        for (name, keymap) in Keymap::ALL {
            for shortcut in SHORTCUTS.iter().filter(|shortcut| needs_modifier(shortcut.command)) {
                let now = command(keymap, shortcut.key, NONE);
                assert_ne!(now, Some(shortcut.command), "{name}: {}", shortcut.key);
            }
            assert_eq!(command(keymap, "s", SHIFT), Some(Command::NextShear), "{name}");
        }
    }

    #[test]
    fn every_binding_of_keymap_is_reachable_and_labeled() {
        for (name, keymap) in Keymap::ALL {
            for binding in keymap.bindings() {
                let found = command(keymap, binding.key, binding.held);
                assert_eq!(found, Some(binding.command), "{name}: {}", binding.shown);
                assert!(!binding.command.label().is_empty(), "{name}: {}", binding.shown);
                assert!(keymap.shown(binding.command).is_some());
            }
        }
    }
}
