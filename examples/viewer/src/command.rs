//! What keys do: one table for the window, the help page and the replays.

use wgpu_gizmo::Mode;

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Command {
    Mode(Mode),
    NextOrientation,
    NextPivot,
    NextShear,
    SnapKind,
    SnapAlways,
    Flip,
    ConstructionLines,
    SelectAll,
    SelectNone,
    Frame,
    Cancel,
    Undo,
    Redo,
    Help,
}

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shortcut {
    /// A lower-case character, or a name such as `escape`.
    pub(crate) key: &'static str,
    pub(crate) ctrl: bool,
    pub(crate) shift: bool,
    pub(crate) command: Command,
    /// For people.
    pub(crate) shown: &'static str,
    pub(crate) does: &'static str,
}

const fn plain(key: &'static str, shown: &'static str, command: Command, does: &'static str) -> Shortcut {
    Shortcut { key, ctrl: false, shift: false, command, shown, does }
}

const fn shift(key: &'static str, shown: &'static str, command: Command, does: &'static str) -> Shortcut {
    Shortcut { shift: true, ..plain(key, shown, command, does) }
}

/// All shortcuts.
pub(crate) const SHORTCUTS: [Shortcut; 19] = [
    plain("w", "W", Command::Mode(Mode::Translate), "Move"),
    plain("e", "E", Command::Mode(Mode::Rotate), "Rotate"),
    plain("r", "R", Command::Mode(Mode::Scale), "Scale"),
    plain("t", "T", Command::Mode(Mode::Universal), "Move, rotate and scale at once"),
    plain("q", "Q", Command::NextOrientation, "Next orientation: World, Parent, Local, View"),
    plain("p", "P", Command::NextPivot, "Next pivot: Median, Active, Individual, Bounds, Each"),
    plain("a", "A", Command::SelectAll, "Select all"),
    shift("a", "Shift+A", Command::SelectNone, "Select none"),
    plain("m", "M", Command::SnapAlways, "Snap always; Ctrl then lets go"),
    plain("g", "G", Command::SnapKind, "Snap to steps from the start, or to the grid"),
    shift("f", "Shift+F", Command::Flip, "Turn the handles toward the camera, or not"),
    plain("l", "L", Command::ConstructionLines, "Show how a drag is solved, or not"),
    plain("s", "S", Command::NextShear, "Next rule for turns under an uneven scale"),
    plain("f", "F", Command::Frame, "Frame the selection, or everything"),
    plain("escape", "Esc", Command::Cancel, "Cancel the drag"),
    Shortcut { ctrl: true, ..plain("z", "Ctrl+Z", Command::Undo, "Undo") },
    Shortcut { ctrl: true, ..shift("z", "Ctrl+Shift+Z", Command::Redo, "Redo") },
    Shortcut { ctrl: true, ..plain("y", "Ctrl+Y", Command::Redo, "Redo") },
    plain("f1", "F1", Command::Help, "Show or hide this page"),
];

/// What the pointer does, for people.
pub(crate) const POINTER: [(&str, &str); 8] = [
    ("Click", "Select a node; click on nothing to deselect"),
    ("Shift+click", "Add a node to the selection, or take it out"),
    ("Drag a handle", "Move, rotate or scale"),
    ("Ctrl while dragging", "Snap"),
    ("Right button while dragging", "Cancel"),
    ("Right or middle drag, Alt+drag", "Orbit"),
    ("Shift+right or middle drag", "Pan"),
    ("Wheel", "Zoom"),
];

impl Command {
    /// What a key does, if anything.
    pub(crate) fn of(key: &str, ctrl: bool, shift: bool) -> Option<Self> {
        SHORTCUTS
            .iter()
            .find(|s| s.key.eq_ignore_ascii_case(key) && s.ctrl == ctrl && s.shift == shift)
            .map(|s| s.command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_shortcuts_are_the_same_key() {
        for (i, a) in SHORTCUTS.iter().enumerate() {
            for b in &SHORTCUTS[i + 1..] {
                assert!((a.key, a.ctrl, a.shift) != (b.key, b.ctrl, b.shift), "{a:?} and {b:?}");
            }
        }
        assert_eq!(Command::of("Z", true, true), Some(Command::Redo));
        assert_eq!(Command::of("z", false, false), None);
    }
}
