//! The names of commands in replays.

use crate::command::Command;
use wgpu_gizmo_core::Mode;
use wgpu_gizmo_core::glam::DVec3;
use wgpu_gizmo_core::handle::Axis;

/// All commands by name: that of the menu or the help page, in snake case.
pub(crate) const COMMANDS: [(&str, Command); 76] = [
    ("open", Command::Open),
    ("save", Command::Save),
    ("save_as", Command::SaveAs),
    ("reload", Command::Reload),
    ("quit", Command::Quit),
    ("no_handles", Command::Mode(Mode::None)),
    ("translate", Command::Mode(Mode::Translate)),
    ("rotate", Command::Mode(Mode::Rotate)),
    ("scale", Command::Mode(Mode::Scale)),
    ("universal", Command::Mode(Mode::Universal)),
    ("next_orientation", Command::NextOrientation),
    ("next_pivot", Command::NextPivot),
    ("next_shear", Command::NextShear),
    ("next_snapping", Command::SnapKind),
    ("snap_always", Command::SnapAlways),
    ("next_theme", Command::NextTheme),
    ("flip_toward_camera", Command::Flip),
    ("construction_lines", Command::ConstructionLines),
    ("select_all", Command::SelectAll),
    ("select_none", Command::SelectNone),
    ("select_occluded", Command::Through),
    ("grid", Command::Grid),
    ("clay", Command::Shading),
    ("hide_selected", Command::Hide),
    ("show_all", Command::ShowAll),
    ("lock_selected", Command::Lock),
    ("clear_translation", Command::Clear(Mode::Translate)),
    ("clear_rotation", Command::Clear(Mode::Rotate)),
    ("clear_scale", Command::Clear(Mode::Scale)),
    ("drop_to_grid", Command::DropToGrid),
    ("align_x", Command::Align(Axis::X)),
    ("align_y", Command::Align(Axis::Y)),
    ("align_z", Command::Align(Axis::Z)),
    ("section_x", Command::Section(Axis::X)),
    ("section_y", Command::Section(Axis::Y)),
    ("section_z", Command::Section(Axis::Z)),
    ("remove_sections", Command::RemoveSections),
    ("parent_to_active", Command::ParentToActive),
    ("clear_parent", Command::ClearParent),
    ("duplicate", Command::Duplicate),
    ("delete", Command::Delete),
    ("rename", Command::Rename),
    ("next_box_handles", Command::NextBox),
    ("camera_and_light_handles", Command::Volumes),
    ("next_grab", Command::NextGrab),
    ("translate_with_pointer", Command::Grab(Mode::Translate)),
    ("rotate_with_pointer", Command::Grab(Mode::Rotate)),
    ("scale_with_pointer", Command::Grab(Mode::Scale)),
    ("drag_with_pointer", Command::GrabInMode),
    ("edit_pivot", Command::EditPivot),
    ("reset_pivot", Command::ResetPivot),
    ("panel", Command::Panel),
    ("focus_panel", Command::FocusPanel),
    ("frame_selection", Command::Frame),
    ("frame_all", Command::FrameAll),
    ("four_views", Command::Views),
    ("look_through", Command::LookThrough),
    ("front_view", Command::Face(DVec3::Z)),
    ("back_view", Command::Face(DVec3::NEG_Z)),
    ("right_view", Command::Face(DVec3::X)),
    ("left_view", Command::Face(DVec3::NEG_X)),
    ("top_view", Command::Face(DVec3::Y)),
    ("bottom_view", Command::Face(DVec3::NEG_Y)),
    ("opposite_side", Command::Opposite),
    ("orbit_left", Command::OrbitStep([-1, 0])),
    ("orbit_right", Command::OrbitStep([1, 0])),
    ("orbit_up", Command::OrbitStep([0, 1])),
    ("orbit_down", Command::OrbitStep([0, -1])),
    ("orthographic", Command::ToggleOrthographic),
    ("fly", Command::Fly),
    ("save_recording", Command::WriteRecording),
    ("save_test", Command::CopyAsTest),
    ("cancel", Command::Cancel),
    ("undo", Command::Undo),
    ("redo", Command::Redo),
    ("keyboard_shortcuts", Command::Help),
];

impl Command {
    /// Returns the name of the command in replays. Every command of a key or a menu has one.
    pub(crate) fn name(self) -> &'static str {
        COMMANDS.iter().find(|(_, command)| *command == self).map_or("", |(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keymap::Keymap;

    #[test]
    fn every_bound_command_has_unique_name() {
        for (index, (name, command)) in COMMANDS.iter().enumerate() {
            let later = &COMMANDS[index + 1..];
            assert!(later.iter().all(|(other, another)| other != name && another != command), "{name}");
            assert!(!command.label().is_empty(), "{name}");
        }
        let mut bindings = Keymap::ALL.into_iter().flat_map(|(_, keymap)| keymap.bindings());
        let nameless = bindings.find(|binding| binding.command.name().is_empty());
        assert_eq!(nameless, None);
    }
}
