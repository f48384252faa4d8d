//! Runs the commands of the keyboard.

use super::Editor;
use super::arranging::Edge;
use super::messages::command_message;
use super::section::SectionHandles;
use crate::command::Command;
use crate::replay_file::THEMES;
use scene::flags::Flag;
use scene::selection::Selection;
use scene::style::Shading;
use wgpu_gizmo_core::glam::{DQuat, DVec3};
use wgpu_gizmo_core::interaction::settings::{BoxHandles, BoxResult, GrabMode, Pivot, ShearPolicy, SnapKind};
use wgpu_gizmo_core::{Mode, Orientation, Snap, Transform, View};

impl Editor {
    /// Runs a command. Returns false if it is not for the editor, such as cameras and pages.
    pub fn run(&mut self, command: Command, view: &View) -> bool {
        if !self.change_setting(command) && !self.run_action(command, view) {
            return false;
        }
        self.message = command_message(command, self).or(self.message.take());
        true
    }

    /// Runs a command that changes a setting. Returns false for other commands.
    fn change_setting(&mut self, command: Command) -> bool {
        let settings = &mut self.gizmo.settings;
        match command {
            Command::Mode(mode) => settings.mode = mode,
            Command::NextOrientation => settings.orientation = next_orientation(settings.orientation),
            Command::NextPivot => settings.pivot = next_pivot(settings.pivot),
            Command::NextShear => settings.shear = next_shear(settings.shear),
            Command::SnapKind => {
                settings.snap_kind = match settings.snap_kind {
                    SnapKind::Relative => SnapKind::Grid { origin_world: Default::default() },
                    SnapKind::Grid { .. } => SnapKind::Value,
                    SnapKind::Value => SnapKind::Relative,
                }
            }
            Command::SnapAlways => {
                let (always, held) = (settings.snap, settings.snap_while_held);
                (settings.snap, settings.snap_while_held) = match always == Snap::OFF {
                    true => (held, Snap::OFF),
                    false => (Snap::OFF, always),
                }
            }
            Command::NextTheme => {
                let now = THEMES.iter().position(|(_, theme)| *theme == self.gizmo.theme);
                self.gizmo.theme = THEMES[now.map_or(0, |now| (now + 1) % THEMES.len())].1;
            }
            Command::NextGrab => settings.grab = next_grab(settings.grab),
            Command::NextBox => self.show_next_box(),
            Command::Flip => settings.flip_toward_camera = !settings.flip_toward_camera,
            Command::ConstructionLines => settings.construction_lines = !settings.construction_lines,
            Command::Grid => self.scene_style.without_grid = !self.scene_style.without_grid,
            Command::Shading => {
                self.scene_style.shading = match self.scene_style.shading {
                    Shading::Materials => Shading::Clay,
                    Shading::Clay => Shading::Materials,
                }
            }
            Command::Volumes => self.show_volumes(!self.shows_volumes()),
            Command::Through => self.marquee.switch_through(),
            _ => return false,
        }
        true
    }

    fn show_next_box(&mut self) {
        let shown = self.gizmo.settings.box_handles;
        self.set_box_handles(next_box(shown.map(|shown| shown.result)));
    }

    /// Shows box handles with this result, or none. Their other settings stay.
    pub fn set_box_handles(&mut self, result: Option<BoxResult>) {
        let shown = self.gizmo.settings.box_handles;
        if shown.map(|shown| shown.result) == result {
            return;
        }
        self.section_handles = SectionHandles::Chosen;
        self.hidden_box = shown.unwrap_or(self.hidden_box);
        self.gizmo.settings.box_handles = result.map(|result| BoxHandles { result, ..self.hidden_box });
        self.gizmo.scene_changed();
    }

    /// Runs a command that acts on nodes, on the selection or on the history. Returns false for commands
    /// of the window.
    fn run_action(&mut self, command: Command, view: &View) -> bool {
        match command {
            Command::SelectAll => self.select(self.selection.all(&self.scene), view),
            Command::SelectNone => self.select(Selection::default(), view),
            Command::EditPivot => self.set_pivot_edit(!self.gizmo.is_editing_pivot()),
            Command::ResetPivot => self.reset_pivot(),
            Command::Cancel => self.cancel(),
            Command::Undo => self.undo(view),
            Command::Redo => self.redo(),
            Command::Hide => self.switch_flag(Flag::Hidden),
            Command::Lock => self.switch_flag(Flag::Locked),
            Command::ShowAll => self.show_all(),
            Command::Clear(mode) => self.clear(mode),
            Command::DropToGrid => self.drop_to_grid(),
            Command::Section(axis) => self.cut(axis),
            Command::RemoveSections => self.remove_sections(),
            Command::Align(axis) => self.align(axis, Edge::Origin),
            Command::ParentToActive => self.parent_to_active(),
            Command::ClearParent => self.clear_parent(),
            Command::Duplicate => self.duplicate(),
            Command::Delete => self.delete(),
            _ => return false,
        }
        true
    }

    /// Sets the part of the local transforms of the selected nodes that a mode changes to its identity: one undo step.
    fn clear(&mut self, mode: Mode) {
        self.settle();
        let name = Command::Clear(mode).label();
        self.adjust(name, &format!("{name} of {{}}"), |_, start| match mode {
            Mode::Translate => Transform { translation: DVec3::ZERO, ..*start },
            Mode::Rotate => Transform { rotation: DQuat::IDENTITY, ..*start },
            Mode::Scale => Transform { scale: DVec3::ONE, ..*start },
            _ => *start,
        });
        self.settle();
    }
}

fn next_grab(grab: GrabMode) -> GrabMode {
    match grab {
        GrabMode::Hold => GrabMode::Toggle,
        GrabMode::Toggle => GrabMode::Either,
        GrabMode::Either => GrabMode::Hold,
    }
}

/// Returns the next result of box handles after this one; `None` stands for no handles.
fn next_box(result: Option<BoxResult>) -> Option<BoxResult> {
    match result {
        None => Some(BoxResult::Transform),
        Some(BoxResult::Transform) => Some(BoxResult::Extents),
        Some(BoxResult::Extents) => None,
    }
}

fn next_orientation(orientation: Orientation) -> Orientation {
    match orientation {
        Orientation::World => Orientation::Parent,
        Orientation::Parent => Orientation::Local,
        Orientation::Local => Orientation::View,
        Orientation::View | Orientation::Custom(_) => Orientation::World,
    }
}

fn next_pivot(pivot: Pivot) -> Pivot {
    match pivot {
        Pivot::Median => Pivot::Active,
        Pivot::Active => Pivot::Individual,
        Pivot::Individual => Pivot::BoundsCenter,
        Pivot::BoundsCenter => Pivot::EachTarget,
        Pivot::EachTarget | Pivot::Custom(_) => Pivot::Median,
    }
}

fn next_shear(shear: ShearPolicy) -> ShearPolicy {
    match shear {
        ShearPolicy::BestFit => ShearPolicy::LocalOnly,
        ShearPolicy::LocalOnly => ShearPolicy::Reject,
        ShearPolicy::Reject => ShearPolicy::BestFit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::built_in;
    use wgpu_gizmo_core::Viewport;
    use wgpu_gizmo_core::glam::DMat4;

    #[test]
    fn new_scene_keeps_view_settings() {
        let view = View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(400, 300), 1.0);
        let view = view.expect("the view is valid");
        let mut editor = Editor::new(built_in::scene()).expect("there are enough ids");
        for command in [Command::Grid, Command::Shading, Command::NextTheme, Command::Through] {
            assert!(editor.run(command, &view));
        }
        let again = editor.with_scene(built_in::scene()).expect("there are enough ids");
        assert_eq!(again.scene_style(), editor.scene_style());
        assert!(
            again.scene_style().without_grid
                && again.scene_style().shading == Shading::Clay
                && again.scene_style().is_on_light()
        );
        assert!(again.is_through());
    }
}
