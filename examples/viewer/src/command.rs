//! What keys do: one table for the window, the help page and the replays.

use wgpu_gizmo::Mode;
use wgpu_gizmo::glam::DVec3;
use wgpu_gizmo::handle::Axis;
use wgpu_gizmo::interaction::Key;

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Command {
    Open,
    Save,
    SaveAs,
    Reload,
    Quit,
    Mode(Mode),
    NextOrientation,
    NextPivot,
    NextShear,
    SnapKind,
    SnapAlways,
    NextTheme,
    Flip,
    ConstructionLines,
    SelectAll,
    SelectNone,
    Through,
    Grid,
    Shading,
    Hide,
    ShowAll,
    Lock,
    /// Each selected node to the nearest point of the grid.
    DropToGrid,
    /// As far along this axis of the world as the active node.
    Align(Axis),
    /// Each selected node onto the active one, staying where it is in the world.
    HangOnActive,
    /// Off what it hangs on.
    HangOnNone,
    /// With what hangs on it, in place.
    Duplicate,
    /// With what hangs on it.
    Delete,
    Rename,
    Panel,
    FocusPanel,
    Frame,
    Views,
    /// Through the active node, or with the viewer's own camera again.
    LookThrough,
    /// From this side.
    Face(DVec3),
    /// Parallel rays, or perspective.
    Parallel,
    Fly,
    /// Writes what has been recorded.
    WriteRecording,
    /// Writes it as a test.
    CopyAsTest,
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
pub(crate) const SHORTCUTS: &[Shortcut] = &[
    Shortcut { ctrl: true, ..plain("o", "Ctrl+O", Command::Open, "Open a file") },
    Shortcut { ctrl: true, ..plain("s", "Ctrl+S", Command::Save, "Save") },
    Shortcut { ctrl: true, ..shift("s", "Ctrl+Shift+S", Command::SaveAs, "Save as another file") },
    plain("f5", "F5", Command::Reload, "Read the file again"),
    Shortcut { ctrl: true, ..plain("q", "Ctrl+Q", Command::Quit, "Close the window") },
    plain("w", "W", Command::Mode(Mode::Translate), "Move"),
    plain("e", "E", Command::Mode(Mode::Rotate), "Rotate"),
    plain("r", "R", Command::Mode(Mode::Scale), "Scale"),
    plain("t", "T", Command::Mode(Mode::Universal), "Move, rotate and scale at once"),
    plain("q", "Q", Command::NextOrientation, "Next orientation: World, Parent, Local, View"),
    plain("p", "P", Command::NextPivot, "Next pivot: Median, Active, Individual, Bounds, Each"),
    plain("a", "A", Command::SelectAll, "Select all"),
    shift("a", "Shift+A", Command::SelectNone, "Select none"),
    plain("b", "B", Command::Through, "Boxes and lassos reach what is hidden, or not"),
    plain("m", "M", Command::SnapAlways, "Snap always; Ctrl then lets go"),
    plain("g", "G", Command::SnapKind, "Snap to steps from the start, or to the grid"),
    shift("g", "Shift+G", Command::Grid, "Show the grid, or not"),
    shift("c", "Shift+C", Command::Shading, "Materials, or all of clay"),
    plain("c", "C", Command::NextTheme, "Next colours: dark, light, colour blind safe"),
    shift("f", "Shift+F", Command::Flip, "Turn the handles toward the camera, or not"),
    plain("l", "L", Command::ConstructionLines, "Show how a drag is solved, or not"),
    plain("s", "S", Command::NextShear, "Next rule for turns under an uneven scale"),
    plain("f", "F", Command::Frame, "Frame the selection, or everything"),
    plain("h", "H", Command::Hide, "Hide what is selected, or show it again"),
    shift("h", "Shift+H", Command::ShowAll, "Show everything"),
    plain("k", "K", Command::Lock, "Lock what is selected, or unlock it"),
    Shortcut { ctrl: true, ..plain("g", "Ctrl+G", Command::DropToGrid, "Drop to the nearest grid point") },
    plain("f7", "F7", Command::Align(Axis::X), "Align in X to the active node"),
    plain("f8", "F8", Command::Align(Axis::Y), "Align in Y to the active node"),
    plain("f9", "F9", Command::Align(Axis::Z), "Align in Z to the active node"),
    Shortcut {
        ctrl: true,
        ..plain("p", "Ctrl+P", Command::HangOnActive, "Parent to the active node, in place")
    },
    Shortcut { ctrl: true, ..shift("p", "Ctrl+Shift+P", Command::HangOnNone, "Clear the parent, in place") },
    Shortcut {
        ctrl: true,
        ..plain("d", "Ctrl+D", Command::Duplicate, "Duplicate in place, with what hangs on it")
    },
    plain("delete", "Delete", Command::Delete, "Delete, with what hangs on it"),
    plain("f2", "F2", Command::Rename, "Rename the active node"),
    plain("n", "N", Command::Panel, "Show or hide the panel"),
    plain("f6", "F6", Command::FocusPanel, "Keys go to the panel's next part; Esc: back to the view"),
    plain("f4", "F4", Command::Views, "One view, or four"),
    plain("o", "O", Command::LookThrough, "Look through the active node, or no longer"),
    plain("0", "0", Command::LookThrough, "The same"),
    plain("1", "1", Command::Face(DVec3::Z), "From the front"),
    Shortcut { ctrl: true, ..plain("1", "Ctrl+1", Command::Face(DVec3::NEG_Z), "From the back") },
    plain("3", "3", Command::Face(DVec3::X), "From the right"),
    Shortcut { ctrl: true, ..plain("3", "Ctrl+3", Command::Face(DVec3::NEG_X), "From the left") },
    plain("7", "7", Command::Face(DVec3::Y), "From the top"),
    Shortcut { ctrl: true, ..plain("7", "Ctrl+7", Command::Face(DVec3::NEG_Y), "From below") },
    plain("5", "5", Command::Parallel, "Parallel rays, or perspective"),
    plain("j", "J", Command::Fly, "Fly: look with the pointer, W A S D E Q move; Esc ends"),
    Shortcut { ctrl: true, ..plain("r", "Ctrl+R", Command::WriteRecording, "Write the recording now") },
    Shortcut {
        ctrl: true,
        ..shift("r", "Ctrl+Shift+R", Command::CopyAsTest, "Copy all that was done as a test, and write it")
    },
    plain("escape", "Esc", Command::Cancel, "Cancel the drag or the box"),
    Shortcut { ctrl: true, ..plain("z", "Ctrl+Z", Command::Undo, "Undo") },
    Shortcut { ctrl: true, ..shift("z", "Ctrl+Shift+Z", Command::Redo, "Redo") },
    Shortcut { ctrl: true, ..plain("y", "Ctrl+Y", Command::Redo, "Redo") },
    plain("f1", "F1", Command::Help, "Show or hide this page"),
];

/// The key that snaps to vertices while it is held in a drag.
pub(crate) const VERTEX_KEY: &str = "v";

/// The key that makes a lasso of a rectangle while it is held.
pub(crate) const LASSO_KEY: &str = "d";

/// Keys with a name that are the gizmo's in a drag.
const NAMED_KEYS: [(&str, Key); 8] = [
    ("enter", Key::Enter),
    ("escape", Key::Escape),
    ("backspace", Key::Backspace),
    ("tab", Key::Tab),
    ("left", Key::Left),
    ("right", Key::Right),
    ("up", Key::Up),
    ("down", Key::Down),
];

/// What a key says to a gizmo, if anything. Outside a drag only those of an axis or a plane do.
pub(crate) fn gizmo_key(key: &str, shift: bool) -> Option<Key> {
    let named = NAMED_KEYS.iter().find(|(name, _)| *name == key).map(|(_, key)| *key);
    let mut characters = key.chars();
    let typed = || match (characters.next(), characters.next()) {
        (Some(character), None) if shift => Key::from_char(character.to_ascii_uppercase()),
        (Some(character), None) => Key::from_char(character.to_ascii_lowercase()),
        _ => None,
    };
    named.or_else(typed)
}

/// Whether a key has a name that a replay can give it.
pub(crate) fn has_name(key: &str) -> bool {
    NAMED_KEYS.iter().any(|(name, _)| *name == key) || SHORTCUTS.iter().any(|s| s.key == key)
}

/// What keys do in a drag, for people; X, Y and Z begin one.
pub(crate) const IN_A_DRAG: &[(&str, &str)] = &[
    ("X, Y, Z", "Along this axis; again: local or world axes; a third time: free"),
    ("Shift+X, Y, Z", "In the plane across this axis"),
    ("0-9 . -", "Type the distance, the degrees or the factor; Backspace takes back"),
    ("Tab", "Type the second number of a plane"),
    ("Arrows", "One step more or less"),
    ("Enter, Esc", "Done, cancel"),
    ("Ctrl, Shift", "Snap; a tenth of the pace"),
    ("V", "Snap to the vertex under the pointer"),
];

/// What keys do while they go to the panel, for people.
pub(crate) const IN_THE_PANEL: &[(&str, &str)] = &[
    ("F6; Tab, Shift+Tab", "Next part; next and last field"),
    ("Up, Down, Home, End", "In the tree: another node; with Shift, that one too"),
    ("Right, Left", "Open; close, or the parent"),
    ("Drag a row", "In the tree: onto a new parent, in place; below the rows: none; Esc cancels"),
    ("Enter, F2", "Rename; Enter again: done"),
    ("Up, Down", "In a number: one step; in the history: redo, undo"),
    ("1/3, 2*pi, (1+2)^2", "In a number: is worked out; also sqrt, abs, and sin, cos, tan of degrees"),
    ("+=0.5, -=, *=2, /=", "In a number: from the value that each selected node has"),
    ("Ctrl+C, Ctrl+V", "Copy and paste the transform, as text"),
    ("Esc", "Back to the view; in a field: as it was"),
];

/// What the pointer does, for people.
pub(crate) const POINTER: &[(&str, &str)] = &[
    ("Click", "Select a node; again: the one behind it; on nothing: deselect"),
    ("Drag from nothing", "Select what is in the box; Esc cancels"),
    ("D held", "A lasso instead of a box"),
    ("Shift, Ctrl held", "Add to the selection, take out of it"),
    ("Shift+click", "Add a node to the selection, or take it out"),
    ("Drag a handle", "Move, rotate or scale"),
    ("Right button while dragging", "Cancel"),
    ("Right or middle drag, Alt+drag", "Orbit"),
    ("Shift+right or middle drag", "Pan"),
    ("Wheel", "Zoom"),
    ("The cube in the corner", "Click: look from that side; drag: orbit"),
    ("Two fingers, three", "Orbit and pinch to zoom; pan"),
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

    #[test]
    fn a_key_that_begins_a_drag_or_is_held_is_no_shortcut() {
        for axis in ["x", "y", "z", VERTEX_KEY, LASSO_KEY] {
            for shift in [false, true] {
                assert_eq!(Command::of(axis, false, shift), None);
            }
        }
        assert_eq!(gizmo_key("x", false), Some(Key::Axis(Axis::X)));
        assert_eq!(gizmo_key("X", true), Some(Key::Plane(Axis::X)));
        assert_eq!(gizmo_key("7", false), Some(Key::Digit(7)));
        assert_eq!((gizmo_key("tab", false), gizmo_key("xy", false)), (Some(Key::Tab), None));
    }
}
