//! Runs the commands of the keyboard.

use super::Editor;
use crate::command::{Command, Run};
use scene::flags::Flag;
use wgpu_gizmo_core::glam::{DQuat, DVec3};
use wgpu_gizmo_core::interaction::settings::BoxResult;
use wgpu_gizmo_core::{Mode, Transform, View};

impl Editor {
    /// Runs a command. Returns false if it is not for the editor, such as cameras and pages.
    pub fn run(&mut self, command: Command, view: &View) -> bool {
        if command != Command::Cancel {
            self.end_wheel(view);
        }
        match command.row().run {
            Run::Edits(run) => run(self),
            Run::EditsIn(run) => run(self, view),
            Run::Switches(_, is_on, set) => {
                set(self, !is_on(self));
                self.gizmo.scene_changed();
            }
            Run::Next(setting) | Run::Toggles(setting) => self.change(|values| setting.choose_next(values)),
            Run::Selects(mode) => self.change(|values| values.gizmo.mode = mode),
            Run::Window | Run::Cameras(_) | Run::Grabs(_) | Run::Session(_) => return false,
        }
        self.message = command.message(self, view).or(self.message.take());
        true
    }

    /// Returns true if a selected node has a parent.
    pub(crate) fn has_selected_child(&self) -> bool {
        self.selection.nodes().iter().any(|node| self.scene.nodes()[*node].parent.is_some())
    }

    /// Returns true if the active node has this flag.
    pub(crate) fn is_active(&self, flag: Flag) -> bool {
        self.selection.active().is_some_and(|active| self.scene.has_flag(active, flag))
    }

    /// Shows box handles with this result, or none. Their other settings stay.
    pub fn set_box_handles(&mut self, result: Option<BoxResult>) {
        self.change(|values| values.box_result = result);
    }

    /// Sets the part of the local transforms of the selected nodes that a mode changes to its identity: one undo step.
    pub(crate) fn clear(&mut self, name: &str, mode: Mode) {
        self.settle();
        self.adjust(name, &format!("{name} of {{}}"), |_, start| match mode {
            Mode::Translate => Transform { translation: DVec3::ZERO, ..*start },
            Mode::Rotate => Transform { rotation: DQuat::IDENTITY, ..*start },
            Mode::Scale => Transform { scale: DVec3::ONE, ..*start },
            _ => *start,
        });
        self.settle();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::*;
    use scene::style::Shading;

    #[test]
    fn empty_message_ends_last_one() {
        let mut editor = Editor::of_test(built_in::scene(), &["ball"]);
        editor.run(Command::LockSelected, &view());
        editor.update(&view());
        let reason = editor.message();
        assert!(reason.as_ref().is_some_and(|reason| reason.contains("locked")), "{reason:?}");
        editor.show_message("Flying");
        editor.show_message("");
        assert_eq!(editor.message(), reason);
    }

    #[test]
    fn command_without_free_node_says_why() {
        use Command::{ClearParent, ClearScale, Delete, DropToGrid, Duplicate, HideSelected, LockSelected};
        let nothing = &[LockSelected, HideSelected][..];
        let commands = [ClearParent, ClearScale, Delete, DropToGrid, Duplicate];
        let why = "Nothing is selected: click on something first";
        for (selected, commands, why) in [
            (&[][..], nothing, why),
            (&[], &commands, why),
            (&["ball"], &commands, "Select a node that is not locked"),
        ] {
            let mut editor = Editor::of_test(built_in::scene(), &["ball"]);
            editor.run(LockSelected, &view());
            editor.select_named(selected);
            for command in commands {
                editor.show_message("");
                editor.run(*command, &view());
                assert_eq!(editor.message().as_deref(), Some(why), "{command:?} {selected:?}");
            }
        }
    }

    #[test]
    fn new_scene_keeps_view_settings() {
        let mut editor = Editor::of_test(built_in::scene(), &[]);
        for command in [Command::Grid, Command::Clay, Command::NextTheme, Command::SelectOccluded] {
            assert!(editor.run(command, &view()));
        }
        let again = editor.with_scene(built_in::scene()).expect("there are enough ids");
        assert_eq!(again.scene_style(), editor.scene_style());
        let style = again.scene_style();
        assert!(style.without_grid && style.shading == Shading::Clay && style.is_on_light());
        assert!(again.is_through());
    }
}
