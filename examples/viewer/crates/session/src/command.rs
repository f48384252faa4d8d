//! Commands and their keys: one table for the window, the help page and replays.

use wgpu_gizmo_core::Mode;
use wgpu_gizmo_core::glam::DVec3;
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::Key;

/// A command of the viewer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Command {
    /// Opens a file.
    Open,
    /// Saves the scene to its file.
    Save,
    /// Saves the scene to another file.
    SaveAs,
    /// Reads the file again.
    Reload,
    /// Closes the window.
    Quit,
    /// Selects the mode of the gizmo.
    Mode(Mode),
    /// Selects the next orientation.
    NextOrientation,
    /// Selects the next pivot.
    NextPivot,
    /// Selects the next rule for rotations under non-uniform scale.
    NextShear,
    /// Toggles between snapping relative to the start and snapping to a grid.
    SnapKind,
    /// Toggles snapping without a held key.
    SnapAlways,
    /// Selects the next theme.
    NextTheme,
    /// Toggles whether handles flip toward the camera.
    Flip,
    /// Toggles the construction lines of a drag.
    ConstructionLines,
    /// Selects all nodes that can be clicked.
    SelectAll,
    /// Deselects all nodes.
    SelectNone,
    /// Toggles whether boxes and lassos include occluded nodes.
    Through,
    /// Toggles the grid.
    Grid,
    /// Toggles between materials and clay.
    Shading,
    /// Hides or shows the selected nodes.
    Hide,
    /// Shows all hidden nodes.
    ShowAll,
    /// Locks or unlocks the selected nodes.
    Lock,
    /// Moves each selected node to the nearest grid point.
    DropToGrid,
    /// Sets the translation, rotation or scale of each selected node to its identity.
    Clear(Mode),
    /// Moves each selected node along this world axis to the position of the active node.
    Align(Axis),
    /// Cuts the selected nodes in half across this axis of their own; again: the other half; then none.
    Section(Axis),
    /// Removes the section planes and crop boxes of the selected nodes.
    RemoveSections,
    /// Makes the selected nodes children of the active one, keeping world transforms.
    ParentToActive,
    /// Makes the selected nodes roots, keeping world transforms.
    ClearParent,
    /// Copies the selected nodes and their descendants, at the same position.
    Duplicate,
    /// Deletes the selected nodes and their descendants.
    Delete,
    /// Starts renaming the active node.
    Rename,
    /// Selects the next result of box handles, or hides them.
    NextBox,
    /// Shows or hides the handles of cameras and lights.
    Volumes,
    /// Selects the next grab mode.
    NextGrab,
    /// Begins a drag of the selection that follows the pointer: a translation, rotation or scale.
    Grab(Mode),
    /// Begins such a drag in the mode of the gizmo.
    GrabInMode,
    /// Makes drags move the gizmo itself, or its targets again.
    EditPivot,
    /// Drops the edited place of the gizmo.
    ResetPivot,
    /// Shows or hides the panel.
    Panel,
    /// Moves the keyboard focus to the next section of the panel.
    FocusPanel,
    /// Frames the selection, or everything.
    Frame,
    /// Toggles between one and four views.
    Views,
    /// Looks through the active node, or returns to the viewer's camera.
    LookThrough,
    /// Looks at the scene from this side.
    Face(DVec3),
    /// Looks at the scene from the opposite side.
    Opposite,
    /// Orbits by this number of steps to the right and up.
    OrbitStep([i8; 2]),
    /// Frames everything.
    FrameAll,
    /// Toggles between orthographic and perspective projection.
    ToggleOrthographic,
    /// Starts flying.
    Fly,
    /// Writes the recording.
    WriteRecording,
    /// Writes the recording as a test, and copies it to the clipboard.
    CopyAsTest,
    /// Cancels what is in progress.
    Cancel,
    /// Undoes the last step.
    Undo,
    /// Redoes the step that was undone last.
    Redo,
    /// Shows or hides the list of shortcuts.
    Help,
}

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shortcut {
    /// A lower-case character, or a name such as `escape`.
    pub key: &'static str,
    /// Whether Ctrl must be held.
    pub ctrl: bool,
    /// Whether Shift must be held.
    pub shift: bool,
    /// The command that the key runs.
    pub command: Command,
    /// The keys as shown to the user.
    pub shown: &'static str,
    /// The label of the command.
    pub does: &'static str,
}

const fn plain(key: &'static str, shown: &'static str, command: Command, does: &'static str) -> Shortcut {
    Shortcut { key, ctrl: false, shift: false, command, shown, does }
}

const fn shift(key: &'static str, shown: &'static str, command: Command, does: &'static str) -> Shortcut {
    Shortcut { shift: true, ..plain(key, shown, command, does) }
}

/// All shortcuts.
pub const SHORTCUTS: &[Shortcut] = &[
    Shortcut { ctrl: true, ..plain("o", "Ctrl+O", Command::Open, "Open…") },
    Shortcut { ctrl: true, ..plain("s", "Ctrl+S", Command::Save, "Save") },
    Shortcut { ctrl: true, ..shift("s", "Ctrl+Shift+S", Command::SaveAs, "Save As…") },
    plain("f5", "F5", Command::Reload, "Reload"),
    Shortcut { ctrl: true, ..plain("q", "Ctrl+Q", Command::Quit, "Quit") },
    plain("w", "W", Command::Mode(Mode::Translate), "Translate"),
    plain("e", "E", Command::Mode(Mode::Rotate), "Rotate"),
    plain("r", "R", Command::Mode(Mode::Scale), "Scale"),
    plain("t", "T", Command::Mode(Mode::Universal), "Universal"),
    plain("q", "Q", Command::NextOrientation, "Next orientation: World, Parent, Local, View"),
    plain("p", "P", Command::NextPivot, "Next pivot: Median, Active, Individual, Bounds, Each"),
    plain("i", "I", Command::EditPivot, "Edit the pivot: drags move the gizmo itself"),
    shift("i", "Shift+I", Command::ResetPivot, "Reset the pivot"),
    plain("u", "U", Command::NextGrab, "Next grab: hold the button, click-move-click, either"),
    shift("b", "Shift+B", Command::NextBox, "Next box handles: off, transform, extents"),
    plain("a", "A", Command::SelectAll, "Select all"),
    shift("a", "Shift+A", Command::SelectNone, "Select none"),
    plain("b", "B", Command::Through, "Toggle selecting occluded nodes"),
    plain("m", "M", Command::SnapAlways, "Snap always (Ctrl turns it off)"),
    plain("g", "G", Command::SnapKind, "Next snapping: relative, grid, values"),
    shift("g", "Shift+G", Command::Grid, "Show or hide the grid"),
    shift("c", "Shift+C", Command::Shading, "Toggle between materials and clay shading"),
    plain("c", "C", Command::NextTheme, "Next theme: dark, light, color-blind safe"),
    shift("f", "Shift+F", Command::Flip, "Toggle flipping of handles toward the camera"),
    plain("l", "L", Command::ConstructionLines, "Show or hide construction lines"),
    shift("o", "Shift+O", Command::Volumes, "Show or hide the handles of cameras and lights"),
    plain("s", "S", Command::NextShear, "Next rule for rotations under non-uniform scale"),
    plain("f", "F", Command::Frame, "Frame the selection, or all"),
    plain("h", "H", Command::Hide, "Hide or show the selection"),
    shift("h", "Shift+H", Command::ShowAll, "Show all"),
    plain("k", "K", Command::Lock, "Lock or unlock the selection"),
    Shortcut { ctrl: true, ..plain("g", "Ctrl+G", Command::DropToGrid, "Drop to grid") },
    plain("f7", "F7", Command::Align(Axis::X), "Align in X to the active node"),
    plain("f8", "F8", Command::Align(Axis::Y), "Align in Y to the active node"),
    plain("f9", "F9", Command::Align(Axis::Z), "Align in Z to the active node"),
    Shortcut {
        ctrl: true,
        ..plain(
            "f7",
            "Ctrl+F7",
            Command::Section(Axis::X),
            "Section plane across X, or its other side, or none",
        )
    },
    Shortcut {
        ctrl: true,
        ..plain(
            "f8",
            "Ctrl+F8",
            Command::Section(Axis::Y),
            "Section plane across Y, or its other side, or none",
        )
    },
    Shortcut {
        ctrl: true,
        ..plain(
            "f9",
            "Ctrl+F9",
            Command::Section(Axis::Z),
            "Section plane across Z, or its other side, or none",
        )
    },
    Shortcut {
        ctrl: true,
        ..plain("f10", "Ctrl+F10", Command::RemoveSections, "Remove sections and crop boxes")
    },
    Shortcut {
        ctrl: true,
        ..plain("p", "Ctrl+P", Command::ParentToActive, "Parent to active, keep transform")
    },
    Shortcut {
        ctrl: true,
        ..shift("p", "Ctrl+Shift+P", Command::ClearParent, "Clear parent, keep transform")
    },
    Shortcut { ctrl: true, ..plain("d", "Ctrl+D", Command::Duplicate, "Duplicate with children") },
    plain("delete", "Delete", Command::Delete, "Delete with children"),
    plain("f2", "F2", Command::Rename, "Rename"),
    plain("n", "N", Command::Panel, "Show or hide the panel"),
    plain("f6", "F6", Command::FocusPanel, "Focus the next section of the panel; Esc: back to the viewport"),
    plain("f4", "F4", Command::Views, "Toggle between one and four views"),
    plain("o", "O", Command::LookThrough, "Toggle looking through the active node"),
    plain("0", "0", Command::LookThrough, "Toggle looking through the active node"),
    plain("1", "1", Command::Face(DVec3::Z), "Front view"),
    Shortcut { ctrl: true, ..plain("1", "Ctrl+1", Command::Face(DVec3::NEG_Z), "Back view") },
    plain("3", "3", Command::Face(DVec3::X), "Right view"),
    Shortcut { ctrl: true, ..plain("3", "Ctrl+3", Command::Face(DVec3::NEG_X), "Left view") },
    plain("7", "7", Command::Face(DVec3::Y), "Top view"),
    Shortcut { ctrl: true, ..plain("7", "Ctrl+7", Command::Face(DVec3::NEG_Y), "Bottom view") },
    plain("5", "5", Command::ToggleOrthographic, "Toggle between orthographic and perspective"),
    plain("j", "J", Command::Fly, "Fly: the pointer looks, W A S D E Q move; Esc ends"),
    Shortcut { ctrl: true, ..plain("r", "Ctrl+R", Command::WriteRecording, "Save the recording") },
    Shortcut {
        ctrl: true,
        ..shift("r", "Ctrl+Shift+R", Command::CopyAsTest, "Save the session as a test and copy it")
    },
    plain("escape", "Esc", Command::Cancel, "Cancel the drag, box or lasso"),
    Shortcut { ctrl: true, ..plain("z", "Ctrl+Z", Command::Undo, "Undo") },
    Shortcut { ctrl: true, ..shift("z", "Ctrl+Shift+Z", Command::Redo, "Redo") },
    Shortcut { ctrl: true, ..plain("y", "Ctrl+Y", Command::Redo, "Redo") },
    plain("f1", "F1", Command::Help, "Keyboard shortcuts"),
];

/// The key that snaps a drag to vertices while it is held.
pub const VERTEX_KEY: &str = "v";

/// The key that turns a selection box into a lasso.
pub const LASSO_KEY: &str = "d";

/// Named keys that belong to the gizmo during a drag.
pub(crate) const NAMED_KEYS: [(&str, Key); 8] = [
    ("enter", Key::Enter),
    ("escape", Key::Escape),
    ("backspace", Key::Backspace),
    ("tab", Key::Tab),
    ("left", Key::Left),
    ("right", Key::Right),
    ("up", Key::Up),
    ("down", Key::Down),
];

/// Returns the gizmo's key for a key, if there is one. Outside a drag the gizmo uses only the keys of an
/// axis or a plane.
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

/// Returns true if a replay can name this key.
pub fn has_name(key: &str) -> bool {
    NAMED_KEYS.iter().any(|(name, _)| *name == key) || SHORTCUTS.iter().any(|s| s.key == key)
}

/// Help for the keys of a drag.
pub const IN_A_DRAG: &[(&str, &str)] = &[
    ("X, Y, Z", "Constrain to this axis; twice: local or world axes; three times: unconstrained"),
    ("Shift+X, Y, Z", "Constrain to the plane perpendicular to this axis"),
    ("0-9 . -", "Type a distance, an angle in degrees or a factor; Backspace deletes"),
    ("Tab", "Type the second number of a plane"),
    ("Arrows", "Nudge by one increment"),
    ("Click, Enter", "Confirm a drag that a key began"),
    ("Esc, right button", "Cancel"),
    ("Ctrl, Shift", "Snap; precision (1/10 speed)"),
    ("V", "Snap to the vertex under the pointer"),
];

/// Help for the keys while the panel has the focus.
pub const IN_THE_PANEL: &[(&str, &str)] = &[
    ("F6; Tab, Shift+Tab", "Next section; next and previous field"),
    ("Up, Down, Home, End", "In the tree: select another node; with Shift: add it"),
    ("Right, Left", "In the tree: expand; collapse, or go to the parent"),
    ("Drag a row", "In the tree: onto a new parent; below the rows: clear the parent; Esc cancels"),
    ("Enter, F2", "Rename; Enter confirms"),
    ("Up, Down", "In a number: one step; in the history: undo, redo"),
    ("1/3, 2*pi, (1+2)^2", "In a number: an expression; also sqrt, abs, and sin, cos, tan of degrees"),
    ("+=0.5, -=, *=2, /=", "In a number: change the value of each selected node"),
    ("Ctrl+C, Ctrl+V", "Copy and paste the transform as text"),
    ("Esc", "Back to the viewport; in a field: revert"),
];

/// Help for the pointer.
pub const POINTER: &[(&str, &str)] = &[
    ("Click", "Select a node; again: the one behind it; on nothing: deselect"),
    ("Drag from nothing", "Box select; Esc cancels"),
    ("D held", "Lasso instead of box"),
    ("Shift, Ctrl held", "Add to the selection, remove from it"),
    ("Shift+click", "Add a node to the selection, or remove it"),
    ("Drag a handle", "Translate, rotate or scale"),
    ("Right click", "Menu of the selection; while dragging: cancel"),
    ("Right or middle drag, Alt+drag", "Orbit about the point under the pointer"),
    ("Shift+right or middle drag", "Pan"),
    ("Wheel", "Zoom to the pointer; over a ring or an arrow: nudge it, if that setting is on"),
    ("View cube", "Click: look from that side; drag: orbit"),
    ("Two fingers, three", "Orbit and pinch to zoom; pan"),
];

impl Command {
    /// Returns the command of a key, if there is one.
    pub fn of(key: &str, ctrl: bool, shift: bool) -> Option<Self> {
        SHORTCUTS
            .iter()
            .find(|s| s.key.eq_ignore_ascii_case(key) && s.ctrl == ctrl && s.shift == shift)
            .map(|s| s.command)
    }

    /// Returns the label of the command in menus.
    pub fn label(self) -> &'static str {
        match self {
            Self::Grab(Mode::Translate) => "Translate with the pointer",
            Self::Grab(Mode::Rotate) => "Rotate with the pointer",
            Self::Grab(Mode::Scale) => "Scale with the pointer",
            Self::GrabInMode => "Drag the selection with the pointer",
            Self::Mode(Mode::None) => "No handles",
            Self::Clear(Mode::Translate) => "Clear translation",
            Self::Clear(Mode::Rotate) => "Clear rotation",
            Self::Clear(Mode::Scale) => "Clear scale",
            Self::Opposite => "Opposite side",
            Self::OrbitStep([1, _]) => "Orbit right by 15°",
            Self::OrbitStep([-1, _]) => "Orbit left by 15°",
            Self::OrbitStep([_, 1]) => "Orbit up by 15°",
            Self::OrbitStep(_) => "Orbit down by 15°",
            Self::FrameAll => "Frame all",
            Self::Frame => "Frame selection",
            _ => SHORTCUTS.iter().find(|s| s.command == self).map_or("", |s| s.does),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortcuts_are_unique() {
        for (i, a) in SHORTCUTS.iter().enumerate() {
            for b in &SHORTCUTS[i + 1..] {
                assert!((a.key, a.ctrl, a.shift) != (b.key, b.ctrl, b.shift), "{a:?} and {b:?}");
            }
        }
        assert_eq!(Command::of("Z", true, true), Some(Command::Redo));
        assert_eq!(Command::of("z", false, false), None);
    }

    #[test]
    fn gizmo_and_modifier_keys_are_not_shortcuts() {
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
