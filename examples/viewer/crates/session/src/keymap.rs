//! The keys of commands: those of old replays, and the keymaps of the window. A recording names commands, so it does not
//! depend on the keymap.

use crate::command::{Command, NAMED_KEYS};
use crate::replay_file::Mods;

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
    /// A character, or a name such as `Escape`.
    pub key: &'static str,
    /// The modifier keys that must be held: Ctrl, Shift and Alt.
    pub held: Mods,
    /// The key as shown to the user.
    pub shown: &'static str,
    /// The command.
    pub command: Command,
}

impl Binding {
    /// Returns the binding of a key in the form in which it is shown, such as `Ctrl+Shift+S`.
    fn of(shown: &'static str, command: Command) -> Self {
        let (mut held, mut key) = (Mods::default(), shown);
        let Mods { ctrl, shift, alt, .. } = &mut held;
        for (prefix, is_held) in [("Ctrl+", ctrl), ("Shift+", shift), ("Alt+", alt)] {
            if let Some(rest) = key.strip_prefix(prefix) {
                (*is_held, key) = (true, rest);
            }
        }
        Self { key: if key == "Esc" { "Escape" } else { key }, held, shown, command }
    }
}

/// The column of keys in the table of commands that old replays have. Those of the keymaps follow.
pub(crate) const REPLAY: usize = 0;

/// Returns the bindings in a column of the table of commands.
pub(crate) fn bindings(column: usize) -> impl Iterator<Item = Binding> {
    let of = move |command: Command| {
        let keys = command.row().keys[column].split_whitespace();
        keys.map(move |shown| Binding::of(shown, command))
    };
    Command::ALL.into_iter().flat_map(of)
}

/// Returns the command of a key in a column of the table of commands.
pub(crate) fn find(column: usize, key: &str, held: Mods) -> Option<Command> {
    let mut bindings = bindings(column);
    let found = bindings.find(|binding| binding.key.eq_ignore_ascii_case(key) && binding.held == held);
    found.map(|binding| binding.command)
}

/// Returns the name of a key without a character, such as `F10` or `ArrowLeft`, as the tables of keys have it. Returns
/// `None` if neither the gizmo nor a keymap uses the key.
pub fn key_name(key: &str) -> Option<&'static str> {
    let key = key.strip_prefix("Arrow").unwrap_or(key);
    let bound = Keymap::ALL.into_iter().flat_map(|(_, keymap)| keymap.bindings()).map(|binding| binding.key);
    let mut names = NAMED_KEYS.iter().map(|(name, _)| *name).chain(bound);
    names.find(|name| name.len() > 1 && name.eq_ignore_ascii_case(key))
}

impl Keymap {
    /// All keymaps, with their names.
    pub const ALL: [(&'static str, Self); 3] =
        [("Viewer", Self::Viewer), ("Blender", Self::Blender), ("Unity", Self::Unity)];

    /// Returns the name of the keymap.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    fn column(self) -> usize {
        REPLAY + 1 + self as usize
    }

    /// Returns true if X, Y and Z begin drags.
    pub fn has_axis_keys(self) -> bool {
        self != Self::Unity
    }

    /// Returns all bindings.
    pub fn bindings(self) -> impl Iterator<Item = Binding> {
        bindings(self.column())
    }

    /// Returns the command of a key, if there is one. Alt is ignored where no binding has it.
    pub fn command(self, key: &str, mods: Mods) -> Option<Command> {
        let held = Mods { vertex: false, lasso: false, ..mods };
        let find = |held: Mods| find(self.column(), key, held);
        find(held).or_else(|| find(Mods { alt: false, ..held }))
    }

    /// Returns the key of a command as shown to the user, if it has one.
    pub fn shown(self, command: Command) -> Option<&'static str> {
        command.row().keys[self.column()].split_whitespace().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_unique_in_every_column() {
        for column in 0..4 {
            for binding in bindings(column) {
                assert_eq!(
                    find(column, binding.key, binding.held),
                    Some(binding.command),
                    "{column}: {binding:?}"
                );
            }
        }
        let ctrl_shift = Mods { ctrl: true, shift: true, ..Mods::default() };
        assert_eq!(Command::of("Z", ctrl_shift), Some(Command::Redo));
        assert_eq!(Command::of("z", Mods::default()), None);
    }

    #[test]
    fn page_of_keys_has_every_key_of_viewer() {
        let page = include_str!("../../../../../docs/keys.md");
        let keys = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
        let keys: Vec<&str> = keys.flat_map(|keys| keys.split([' ', ',', ';'])).collect();
        let all = Command::ALL.iter().flat_map(|command| command.row().keys[REPLAY + 1].split_whitespace());
        let missing: Vec<&str> = all.filter(|key| !keys.contains(key)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn alt_is_ignored_where_no_binding_has_it() {
        let mods = Mods { alt: true, ..Mods::default() };
        assert_eq!(Keymap::Blender.command("g", mods), Some(Command::ClearTranslation));
        assert_eq!(Keymap::Viewer.command("g", mods), Some(Command::DragWithPointer));
        assert_eq!(Keymap::Viewer.command("escape", mods), Some(Command::Cancel));
    }
}
