//! The table of commands: one row each, with the label, the keys of every keymap, the menus and the effect.

use crate::editor::{Edge, Editor};
use crate::keymap;
use crate::replay_file::Mods;
use crate::session::Session;
use crate::settings::{AllSettings, Setting, snake_case};
use scene::flags::Flag;
use scene::selection::Selection;
use scene::style::Shading;
use wgpu_gizmo_core::glam::DVec3;
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::Key;
use wgpu_gizmo_core::math::ViewError;
use wgpu_gizmo_core::{Mode, View};

/// A menu with commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Menu {
    /// The menu Edit.
    Edit,
    /// The menu View.
    Views,
    /// The menu Gizmo.
    Gizmo,
    /// The menu Help.
    Help,
    /// The context menu of nodes.
    Nodes,
}

/// The effect of a command.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// Concerns the window: files, the panel, recordings.
    Window,
    /// Acts on the nodes, the gizmo or the history.
    Edits(fn(&mut Editor)),
    /// Acts on the selection, or on what is dragged in a view.
    EditsIn(fn(&mut Editor, &View)),
    /// Toggles a state outside of the settings: the state when a replay begins, a getter and a setter.
    Switches(bool, fn(&Editor) -> bool, fn(&mut Editor, bool)),
    /// Chooses the next value of a setting.
    Next(Setting),
    /// Toggles a setting.
    Toggles(Setting),
    /// Chooses a mode.
    Selects(Mode),
    /// Changes the cameras.
    Cameras(fn(&mut Session)),
    /// Begins a drag that follows the pointer, in this mode or in that of the gizmo.
    Grabs(Option<Mode>),
    /// Changes the views.
    Session(fn(&mut Session) -> Result<(), ViewError>),
}

/// A row of the table.
pub(crate) struct Row {
    label: &'static str,
    /// The keys of old replays and of the keymaps Viewer, Blender and Unity. Several keys are separated by spaces.
    pub(crate) keys: [&'static str; 4],
    /// The menus that show the command, with the part of the menu.
    menus: &'static [(Menu, u8)],
    /// The label in menus, if it is another one.
    menu_label: Option<fn(&Editor) -> &'static str>,
    /// Whether a browser lacks the command.
    needs_desktop: bool,
    /// Returns whether the command has an effect now.
    needs: fn(&Editor) -> bool,
    /// Returns the state that the command toggles, if `run` does not say so.
    is_on: Option<fn(&Editor, &View) -> bool>,
    /// The start of the message about the new state, and the names of the states if they are not off and on, or the
    /// labels of the setting.
    says: Option<(&'static str, &'static [&'static str])>,
    pub(crate) run: Run,
}

/// A row without anything optional.
const ROW: Row = Row {
    label: "",
    keys: [""; 4],
    menus: &[],
    menu_label: None,
    needs_desktop: false,
    needs: |_| true,
    is_on: None,
    says: None,
    run: Run::Window,
};

const fn all(key: &'static str) -> [&'static str; 4] {
    [key; 4]
}

/// The key of old replays, and that of all keymaps.
const fn old(replay: &'static str, key: &'static str) -> [&'static str; 4] {
    [replay, key, key, key]
}

fn selection(editor: &Editor) -> bool {
    !editor.selection().nodes().is_empty()
}

fn several(editor: &Editor) -> bool {
    editor.selection().nodes().len() > 1
}

/// Defines [`Command`] with a row for each.
macro_rules! commands {
    ($($command:ident($label:literal) { $($field:ident: $value:expr),* };)+) => {
        /// A command of the viewer.
        ///
        /// A replay names it as here, in snake case.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the rows of the table say what they do")]
        pub enum Command { $($command),+ }

        static ROWS: &[Row] = &[$(Row { label: $label, $($field: $value,)* ..ROW }),+];

        impl Command {
            /// All commands, in the order of the help page and of menus.
            pub const ALL: [Self; [$($label),+].len()] = [$(Self::$command),+];
        }
    };
}

use Menu::{Edit, Gizmo, Help, Nodes, Views};
use Run::{Cameras, Edits, EditsIn, Grabs, Next, Selects, Switches, Toggles};

commands! {
    Open("Open…") { keys: all("Ctrl+O") };
    Save("Save") { keys: all("Ctrl+S") };
    SaveAs("Save As…") { keys: all("Ctrl+Shift+S") };
    Reload("Reload") { keys: all("F5") };
    Quit("Quit") { keys: all("Ctrl+Q"), needs_desktop: true };
    NoHandles("No handles") { keys: ["", "", "", "Q"], menus: &[(Gizmo, 0)], run: Selects(Mode::None) };
    Translate("Translate") { keys: all("W"), menus: &[(Gizmo, 0)], run: Selects(Mode::Translate) };
    Rotate("Rotate") { keys: all("E"), menus: &[(Gizmo, 0)], run: Selects(Mode::Rotate) };
    Scale("Scale") { keys: ["R", "R", "", "R"], menus: &[(Gizmo, 0)], run: Selects(Mode::Scale) };
    Universal("Universal") { keys: ["T", "T", "T", "Y"], menus: &[(Gizmo, 0)],
        run: Selects(Mode::Universal) };
    DragWithPointer("Drag the selection with the pointer") { keys: ["", "G", "", ""], menus: &[(Gizmo, 1)],
        needs: selection, run: Grabs(None) };
    TranslateWithPointer("Translate with the pointer") { keys: ["", "", "G", ""], menus: &[(Gizmo, 1)],
        needs: selection, run: Grabs(Some(Mode::Translate)) };
    RotateWithPointer("Rotate with the pointer") { keys: ["", "", "R", ""], menus: &[(Gizmo, 1)],
        needs: selection, run: Grabs(Some(Mode::Rotate)) };
    ScaleWithPointer("Scale with the pointer") { keys: ["", "", "S", ""], menus: &[(Gizmo, 1)],
        needs: selection, run: Grabs(Some(Mode::Scale)) };
    NextOrientation("Next orientation: World, Parent, Local, View") { keys: ["Q", "Q", ",", "X"],
        run: Next(Setting::Orientation) };
    NextPivot("Next pivot: Median, Active, Individual, Bounds, Each") { keys: ["P", "P", "P", "Z"],
        run: Next(Setting::Pivot) };
    EditPivot("Edit the pivot: drags move the gizmo itself") { keys: all("I"), needs: selection,
        says: Some(("Pivot", &["drags move the selection", "drags move the gizmo; I ends, Shift+I resets"])),
        run: Switches(false, |editor| editor.gizmo().is_editing_pivot(), Editor::set_pivot_edit) };
    ResetPivot("Reset the pivot") { keys: all("Shift+I"), needs: |editor| editor.gizmo().has_edited_pivot(),
        says: Some(("Pivot: reset", &[])), run: Edits(Editor::reset_pivot) };
    NextGrab("Next grab: hold the button, click-move-click, either") {
        keys: old("U", "Shift+U"), run: Next(Setting::Grab), says: Some((
            "Grab", &["hold the button", "click, move, click", "hold the button, or click, move, click"],
        )) };
    NextBoxHandles("Next box handles: off, transform, extents") { keys: all("Shift+B"),
        says: Some(("Box handles", &["off", "change the transform", "change the crop box"])),
        run: Next(Setting::Box) };
    SelectAll("Select all") { keys: all("A"), menus: &[(Edit, 1)],
        run: EditsIn(|editor, view| editor.select(editor.selection().all(editor.scene()), view)) };
    SelectNone("Select none") { keys: ["Shift+A", "Shift+A", "Alt+A", "Shift+A"], menus: &[(Edit, 1)],
        needs: selection, run: EditsIn(|editor, view| editor.select(Selection::default(), view)) };
    InvertSelection("Invert the selection") { keys: old("", "Ctrl+I"), menus: &[(Edit, 1)],
        run: EditsIn(|editor, view| editor.select(editor.selection().inverse(editor.scene()), view)) };
    SelectOccluded("Toggle selecting occluded nodes") { keys: all("B"), needs_desktop: true,
        says: Some(("Box and lasso selection", &["visible nodes only", "including occluded nodes"])),
        run: Switches(false, Editor::is_through, |editor, on| editor.pointer.marquee.through = on) };
    SnapAlways("Snap always (Ctrl turns it off)") { keys: all("M"), menus: &[(Gizmo, 2)],
        menu_label: Some(|_| "Snapping"), is_on: Some(|editor, _| editor.values().snaps_always()),
        says: Some(("Snap always", &[])), run: Edits(|editor| editor.change(AllSettings::toggle_snapping)) };
    NextSnapping("Next snapping: relative, grid, values") {
        keys: old("G", "Ctrl+Shift+G"),
        says: Some(("Snap", &["relative to the start", "grid", "values"])), run: Next(Setting::SnapKind) };
    FourViews("Toggle between one and four views") { keys: all("F4"), menus: &[(Views, 2)],
        run: Run::Session(Session::switch_views) };
    Grid("Show or hide the grid") { keys: all("Shift+G"), menus: &[(Views, 3)], menu_label: Some(|_| "Grid"),
        says: Some(("Grid", &[])), run: Switches(
            true, |editor| !editor.scene_style.without_grid, |editor, on| editor.scene_style.without_grid = !on,
        ) };
    Clay("Toggle between materials and clay shading") { keys: all("Shift+C"), menus: &[(Views, 3)],
        menu_label: Some(|_| "Clay"), says: Some(("Shading", &["materials", "clay"])),
        run: Switches(false, |editor| editor.scene_style.shading == Shading::Clay, |editor, on| {
            editor.scene_style.shading = if on { Shading::Clay } else { Shading::Materials };
        }) };
    NextTheme("Next theme: dark, light, color-blind safe") { keys: old("C", ""),
        says: Some(("Theme", &[])), run: Next(Setting::Theme) };
    FlipTowardCamera("Toggle flipping of handles toward the camera") { keys: all("Shift+F"),
        menus: &[(Gizmo, 3)], menu_label: Some(|_| "Flip toward the camera"),
        says: Some(("Flip handles toward the camera", &[])), run: Toggles(Setting::Flip) };
    ConstructionLines("Show or hide construction lines") {
        keys: old("L", "Ctrl+Shift+L"), menus: &[(Gizmo, 3)],
        menu_label: Some(|_| "Construction lines"), says: Some(("Construction lines", &[])),
        run: Toggles(Setting::ConstructionLines) };
    CameraAndLightHandles("Show or hide the handles of cameras and lights") { keys: all("Shift+O"),
        menus: &[(Views, 3)], menu_label: Some(|_| "Handles of cameras and lights"),
        says: Some(("Handles of cameras and lights", &[])),
        run: Switches(false, |editor| editor.shows_volumes, |editor, on| editor.shows_volumes = on) };
    CameraAndLightIcons("Show or hide the icons of cameras and lights") { menus: &[(Views, 3)],
        menu_label: Some(|_| "Icons of cameras and lights"), says: Some(("Icons of cameras and lights", &[])),
        run: Switches(false, |editor| editor.shows_icons, |editor, on| editor.shows_icons = on) };
    NextShear("Next rule for rotations under non-uniform scale") {
        keys: old("S", "Shift+S"), says: Some(("Rotation under non-uniform scale", &[])),
        run: Next(Setting::Shear) };
    Rename("Rename") { keys: all("F2"), menus: &[(Edit, 2), (Nodes, 0)], needs: selection };
    HideSelected("Hide or show the selection") { keys: all("H"), menus: &[(Edit, 2), (Nodes, 1)],
        menu_label: Some(|editor| if editor.is_active(Flag::Hidden) { "Show" } else { "Hide" }),
        needs: selection, run: Edits(|editor| editor.switch_flag(Flag::Hidden)) };
    ShowAll("Show all") { keys: ["Shift+H", "Shift+H", "Alt+H", "Shift+H"], menus: &[(Edit, 2), (Nodes, 1)],
        run: Edits(Editor::show_all) };
    LockSelected("Lock or unlock the selection") { keys: all("K"), menus: &[(Edit, 2), (Nodes, 1)],
        menu_label: Some(|editor| if editor.is_active(Flag::Locked) { "Unlock" } else { "Lock" }),
        needs: selection, run: Edits(|editor| editor.switch_flag(Flag::Locked)) };
    ParentToActive("Parent to active, keep transform") { keys: all("Ctrl+P"), menus: &[(Edit, 3), (Nodes, 3)],
        needs: several, run: Edits(Editor::parent_to_active) };
    ClearParent("Clear parent, keep transform") {
        keys: ["Ctrl+Shift+P", "Ctrl+Shift+P", "Alt+P", "Ctrl+Shift+P"], menus: &[(Edit, 3), (Nodes, 3)],
        needs: Editor::has_selected_child,
        run: Edits(|editor| editor.reparent(None)) };
    Duplicate("Duplicate with children") { keys: ["Ctrl+D", "Ctrl+D", "Shift+D", "Ctrl+D"],
        menus: &[(Edit, 3), (Nodes, 0)], needs: selection, run: Edits(Editor::duplicate) };
    Delete("Delete with children") { keys: all("Delete"), menus: &[(Edit, 3), (Nodes, 0)], needs: selection,
        run: Edits(Editor::delete) };
    ClearTranslation("Clear translation") { keys: ["", "", "Alt+G", ""],
        run: Edits(|editor| editor.clear("Clear translation", Mode::Translate)) };
    ClearRotation("Clear rotation") { keys: ["", "", "Alt+R", ""],
        run: Edits(|editor| editor.clear("Clear rotation", Mode::Rotate)) };
    ClearScale("Clear scale") { keys: ["", "", "Alt+S", ""],
        run: Edits(|editor| editor.clear("Clear scale", Mode::Scale)) };
    DropToGrid("Drop to grid") { keys: all("Ctrl+G"), menus: &[(Edit, 4)], needs: selection,
        run: Edits(Editor::drop_to_grid) };
    AlignX("Align in X to the active node") { keys: all("F7"), menus: &[(Edit, 4)], needs: several,
        run: Edits(|editor| editor.align(Axis::X, Edge::Origin)) };
    AlignY("Align in Y to the active node") { keys: all("F8"), menus: &[(Edit, 4)], needs: several,
        run: Edits(|editor| editor.align(Axis::Y, Edge::Origin)) };
    AlignZ("Align in Z to the active node") { keys: all("F9"), menus: &[(Edit, 4)], needs: several,
        run: Edits(|editor| editor.align(Axis::Z, Edge::Origin)) };
    SectionX("Section plane across X, or its other side, or none") { keys: all("Ctrl+F7"),
        run: Edits(|editor| editor.cut(Axis::X)) };
    SectionY("Section plane across Y, or its other side, or none") { keys: all("Ctrl+F8"),
        run: Edits(|editor| editor.cut(Axis::Y)) };
    SectionZ("Section plane across Z, or its other side, or none") { keys: all("Ctrl+F9"),
        run: Edits(|editor| editor.cut(Axis::Z)) };
    RemoveSections("Remove sections and crop boxes") { keys: all("Ctrl+F10"),
        run: Edits(Editor::remove_sections) };
    Panel("Show or hide the panel") { keys: all("N"), menus: &[(Views, 4)] };
    FocusPanel("Focus the next section of the panel; Esc: back to the viewport") { keys: all("F6") };
    FrameSelection("Frame selection") { keys: old("F", "F ."), menus: &[(Views, 0), (Nodes, 2)],
        run: Cameras(Session::frame_selection) };
    FrameAll("Frame all") { keys: old("", "Home"), menus: &[(Views, 0)], run: Cameras(|it| it.frame(None)) };
    LookThrough("Toggle looking through the active node") { keys: all("O 0"),
        menus: &[(Views, 2), (Nodes, 2)], menu_label: Some(|_| "Look through, or return"), needs: selection,
        run: Cameras(Session::look_through_active) };
    FrontView("Front view") { keys: all("1"), menus: &[(Views, 1)],
        run: Cameras(|it| it.orbit().look_from(DVec3::Z)) };
    BackView("Back view") { keys: all("Ctrl+1"), menus: &[(Views, 1)],
        run: Cameras(|it| it.orbit().look_from(DVec3::NEG_Z)) };
    RightView("Right view") { keys: all("3"), menus: &[(Views, 1)],
        run: Cameras(|it| it.orbit().look_from(DVec3::X)) };
    LeftView("Left view") { keys: all("Ctrl+3"), menus: &[(Views, 1)],
        run: Cameras(|it| it.orbit().look_from(DVec3::NEG_X)) };
    TopView("Top view") { keys: all("7"), menus: &[(Views, 1)],
        run: Cameras(|it| it.orbit().look_from(DVec3::Y)) };
    BottomView("Bottom view") { keys: all("Ctrl+7"), menus: &[(Views, 1)],
        run: Cameras(|it| it.orbit().look_from(DVec3::NEG_Y)) };
    OppositeSide("Opposite side") { keys: old("", "9"), menus: &[(Views, 1)],
        run: Cameras(|it| it.orbit().look_from_opposite()) };
    OrbitLeft("Orbit left by 15°") { keys: old("", "4"),
        run: Cameras(|it| it.orbit().turn_steps([-1.0, 0.0])) };
    OrbitRight("Orbit right by 15°") { keys: old("", "6"),
        run: Cameras(|it| it.orbit().turn_steps([1.0, 0.0])) };
    OrbitUp("Orbit up by 15°") { keys: old("", "8"), run: Cameras(|it| it.orbit().turn_steps([0.0, 1.0])) };
    OrbitDown("Orbit down by 15°") { keys: old("", "2"),
        run: Cameras(|it| it.orbit().turn_steps([0.0, -1.0])) };
    Orthographic("Toggle between orthographic and perspective") { keys: all("5"), menus: &[(Views, 1)],
        menu_label: Some(|_| "Orthographic"), is_on: Some(|_, view| view.is_orthographic()),
        run: Cameras(|it| it.orbit().is_orthographic ^= true) };
    Fly("Fly: the pointer looks, W A S D E Q move; Esc ends") { keys: all("J"), menus: &[(Views, 2)] };
    SaveRecording("Save the recording") { keys: all("Ctrl+R"), menus: &[(Help, 1)], needs_desktop: true };
    SaveTest("Save the session as a test and copy it") { keys: all("Ctrl+Shift+R"), menus: &[(Help, 1)],
        needs_desktop: true };
    Cancel("Cancel the drag, box or lasso") { keys: all("Esc"), run: Edits(Editor::cancel) };
    Undo("Undo") { keys: all("Ctrl+Z"), menus: &[(Edit, 0)], needs: |editor| editor.log().done() > 0,
        run: EditsIn(Editor::undo) };
    Redo("Redo") { keys: all("Ctrl+Shift+Z Ctrl+Y"), menus: &[(Edit, 0)],
        needs: |editor| editor.log().done() < editor.log().entries().len(), run: Edits(Editor::redo) };
    KeyboardShortcuts("Keyboard shortcuts") { keys: all("F1"), menus: &[(Help, 0)] };
}

impl Command {
    pub(crate) fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns the command of a key in a replay, if there is one.
    pub fn of(key: &str, Mods { ctrl, shift, .. }: Mods) -> Option<Self> {
        keymap::find(keymap::REPLAY, key, Mods { ctrl, shift, ..Mods::default() })
    }

    /// Returns the name of the command in replays.
    pub(crate) fn name(self) -> String {
        snake_case(self)
    }

    /// Returns the label of the command on the help page.
    pub fn label(self) -> &'static str {
        self.row().label
    }

    /// Returns the title of the group of the command in help.
    pub fn group(self) -> &'static str {
        match (self.row().menus.first(), &self.row().run) {
            _ if matches!(self, Self::EditPivot | Self::ResetPivot) => "Gizmo",
            (None, Run::Switches(..)) => "Nodes and history",
            (Some((Menu::Edit | Menu::Nodes, _)), _) => "Nodes and history",
            (Some((Menu::Views, _)), _) | (None, Run::Cameras(_) | Run::Session(_)) => "View",
            (None | Some((Menu::Help, _)), Run::Window | Run::Switches(..)) => "Files and window",
            (None, Run::Edits(_) | Run::EditsIn(_)) => "Nodes and history",
            _ => "Gizmo",
        }
    }

    /// Returns the label of the command in menus, for the current selection.
    pub fn menu_label(self, editor: &Editor) -> &'static str {
        self.row().menu_label.map_or(self.row().label, |label| label(editor))
    }

    /// Returns the commands in a part of a menu, without those that are absent in a browser.
    pub fn of_menu(menu: Menu, part: u8) -> impl Iterator<Item = Self> {
        let is_in = move |command: &Self| command.row().menus.contains(&(menu, part)) && !command.is_absent();
        Self::ALL.into_iter().filter(is_in)
    }

    /// Returns true if the command is absent in a browser: a page has neither a window of its own nor paths, and
    /// WebGPU cannot find occluded objects.
    pub fn is_absent(self) -> bool {
        cfg!(target_arch = "wasm32") && self.row().needs_desktop
    }

    /// Returns true if the command would have an effect now.
    pub fn is_available(self, editor: &Editor) -> bool {
        (self.row().needs)(editor)
    }

    /// Returns true if the command acts on the cameras alone.
    pub fn is_of_cameras(self) -> bool {
        matches!(self.row().run, Run::Cameras(_))
    }

    /// Returns the mode of the drag that the command begins.
    pub fn grab_mode(self, editor: &Editor) -> Option<Mode> {
        match self.row().run {
            Grabs(mode) => Some(mode.unwrap_or(editor.values().gizmo.mode)),
            _ => None,
        }
    }

    /// Returns the state that the command toggles, if it toggles one.
    pub fn state(self, editor: &Editor, view: &View) -> Option<bool> {
        match self.row().run {
            Toggles(setting) => Some(setting.is_on(&editor.values())),
            Selects(mode) => Some(editor.values().gizmo.mode == mode),
            Switches(_, is_on, _) => Some(is_on(editor)),
            _ => self.row().is_on.map(|is_on| is_on(editor, view)),
        }
    }

    /// Returns true if the command toggles a state outside of the settings, and it is not the one at the start of a
    /// replay.
    pub(crate) fn is_switched(self, editor: &Editor) -> bool {
        matches!(self.row().run, Switches(at_start, is_on, _) if is_on(editor) != at_start)
    }

    /// Returns the message about the new state, if the rest of the status line does not show it.
    pub(crate) fn message(self, editor: &Editor, view: &View) -> Option<String> {
        let (title, states) = self.row().says?;
        let state = match self.row().run {
            Next(setting) => setting.chosen(&editor.values()),
            _ => match self.state(editor, view) {
                Some(is_on) => Some(usize::from(is_on)),
                None => return Some(title.to_owned()),
            },
        };
        let named = state.and_then(|index| states.get(index)).map(|state| (*state).to_owned());
        let label = || match self.row().run {
            Next(setting) => setting.shown(&editor.values()).to_lowercase(),
            _ => if state == Some(1) { "on" } else { "off" }.to_owned(),
        };
        Some(format!("{title}: {}", named.unwrap_or_else(label)))
    }
}

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
    NAMED_KEYS.iter().any(|(name, _)| *name == key)
        || keymap::bindings(keymap::REPLAY).any(|binding| binding.key.to_lowercase() == key)
}

/// Help for the keys of a drag.
pub const IN_A_DRAG: &[(&str, &str)] = &[
    ("X, Y, Z", "Constrain to this axis; twice: local or world axes; three times: unconstrained"),
    ("Shift+X, Y, Z", "Constrain to the plane perpendicular to this axis"),
    ("0-9 . -, 25cm, 1/4", "Type a distance, an angle in degrees or a factor; Backspace deletes"),
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
    ("1/3, 2*pi, (1+2)^2", "In a number: an expression; also 25cm, sqrt, abs, and sin, cos, tan of degrees"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gizmo_and_modifier_keys_are_not_shortcuts() {
        for axis in ["x", "y", "z", VERTEX_KEY, LASSO_KEY] {
            for shift in [false, true] {
                assert_eq!(Command::of(axis, Mods { shift, ..Mods::default() }), None);
            }
        }
        assert_eq!(gizmo_key("x", false), Some(Key::Axis(Axis::X)));
        assert_eq!(gizmo_key("X", true), Some(Key::Plane(Axis::X)));
        assert_eq!(gizmo_key("7", false), Some(Key::Digit(7)));
        assert_eq!((gizmo_key("tab", false), gizmo_key("xy", false)), (Some(Key::Tab), None));
    }
}
