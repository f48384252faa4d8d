//! Runs commands: those of the window here, the others as events that the session handles.

use super::screen::Screen;
use crate::files::Request;
use session::command::Command;
use session::keymap::Keymap;
use session::replay_file::EventKind;
use wgpu_gizmo::Mode;

impl Screen {
    /// Runs a command of a key or a menu.
    pub(super) fn run(&mut self, command: Command) {
        // A command sees the camera at the end of a jump, and changes that one.
        self.end_easing();
        if self.run_window_command(command) {
            return;
        }
        self.act(EventKind::Command(command));
        // With the keys of Blender, a copy follows the pointer at once.
        let keymap = self.panel.page.preferences.keymap;
        if command == Command::Duplicate
            && keymap == Keymap::Blender
            && !self.session.editor.moved().is_empty()
        {
            self.grab(Mode::Translate);
        }
    }

    /// Runs a command that concerns the window: cameras, files, the panel, recordings. Returns false for
    /// other commands.
    fn run_window_command(&mut self, command: Command) -> bool {
        match command {
            _ if command.is_absent() => {}
            Command::LookThrough
                if self.session.editor.selection().active().is_none()
                    && self.session.cameras.looks_through().is_none() =>
            {
                self.session.editor.show_message("Select a node to look through");
            }
            Command::Orthographic => self.session.run_camera(command),
            _ if command.is_of_cameras() => self.jump(command),
            Command::FourViews => {
                // A camera without a valid view leaves the picture unchanged.
                let _ = self.session.switch_views();
                self.update_views();
                self.repeat_motion();
            }
            Command::Fly => self.start_flight(),
            Command::SaveRecording => self.session.editor.show_message(self.recording.write_now()),
            Command::SaveTest => self.copy_as_test(),
            Command::Open => self.request(Request::Open),
            Command::Save => self.request(Request::Save),
            Command::SaveAs => self.request(Request::SaveAs),
            Command::Reload => self.request(Request::Reload),
            Command::Quit => self.request(Request::Quit),
            Command::Cancel if self.panel.page.shows_help => self.panel.page.shows_help = false,
            Command::KeyboardShortcuts => self.panel.page.shows_help = !self.panel.page.shows_help,
            Command::Panel => self.panel.page.toggle(),
            Command::FocusPanel => {
                self.panel.page.focus_next(&self.panel.context().clone());
                self.waiting_input.wait_for_focus();
            }
            Command::Rename => {
                self.panel.page.rename(&mut self.session.editor);
                self.give_keys_to_new();
            }
            _ => match command.grab_mode(&self.session.editor) {
                Some(mode) => self.grab(mode),
                None => return false,
            },
        }
        true
    }
}
