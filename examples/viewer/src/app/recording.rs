//! Records the session of the window, and plays a replay in it.

use super::screen::Screen;
use crate::small_files::{free_path, reason, write};
use session::Session;
use session::editor::Editor;
use session::player::Next;
use session::recorder::Recorder;
use session::replay_file::{Event, EventKind, Mods, SceneSource};
use std::path::PathBuf;
use web_time::Instant;
use wgpu_gizmo::pick::IdSpaceExhausted;

/// The recorder of the session, and the files that it writes.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) recorder: Recorder,
    /// The file of the whole session, if it is recorded and was not written for the last time.
    pub(super) file: Option<PathBuf>,
    /// The folder of tests.
    pub(super) out: PathBuf,
}

impl Recording {
    /// Writes the recording, if there is a file for it.
    pub(super) fn write(&self) -> Result<(), gltf_io::FileError> {
        self.file.as_ref().map_or(Ok(()), |path| write(path, self.recorder.replay(path).as_bytes()))
    }

    /// Writes the recording. Returns a message about it.
    pub(super) fn write_now(&self) -> String {
        match (&self.file, self.write()) {
            (None, _) => "Not recording: start the viewer with --record FILE.json".to_owned(),
            (Some(path), Ok(())) => format!("Saved {} events to {}", self.recorder.count(), path.display()),
            (Some(_), Err(error)) => format!("Could not save {}", reason(&error)),
        }
    }
}

impl Screen {
    /// Performs an event with the held modifiers and records it.
    pub(super) fn act(&mut self, kind: EventKind) {
        self.act_with(&kind, self.keyboard.mods());
    }

    pub(super) fn act_with(&mut self, kind: &EventKind, mods: Mods) {
        self.recording.recorder.event(kind, mods, &self.session);
        // A camera without a valid view leaves the picture unchanged.
        let _ = self.session.take(kind, mods);
        self.recording.recorder.after(&self.session.editor);
        self.record_views();
    }

    /// Records the cameras and the size of the picture.
    pub(super) fn record_views(&mut self) {
        self.recording.recorder.look(&self.session);
    }

    /// Starts a new recording, because another scene is shown.
    pub(super) fn restart_recording(&mut self, source: SceneSource) {
        // A replay applies only to its own scene.
        self.player = None;
        self.session.editor.cube.cancel();
        self.waiting_input.drop_presses();
        self.update_views();
        if let Ok(recorder) = Recorder::new(source, &self.session) {
            self.recording.recorder = recorder;
        }
    }

    /// Writes the session as a replay that checks its own result, and copies it to the clipboard.
    pub(super) fn copy_as_test(&mut self) {
        let Recording { recorder, out, .. } = &self.recording;
        let path = free_path(|number| out.join(format!("test-{number}.json")));
        let test = recorder.test(&path, &self.session.editor);
        self.session.editor.show_message(match write(&path, test.as_bytes()) {
            Ok(()) => format!("Copied the test and saved it to {}", path.display()),
            Err(error) => format!("Copied the test. Could not save {}", reason(&error)),
        });
        self.panel.context().copy_text(test);
    }

    /// Returns true while a replay has exclusive use of the window.
    pub(super) fn is_replaying(&self) -> bool {
        self.player.as_ref().is_some_and(|player| !player.is_over())
    }

    /// Plays the next event of the replay, if it is due.
    pub(super) fn advance_replay(&mut self) -> Result<(), IdSpaceExhausted> {
        // All queries are answered and no press is pending.
        let is_settled = !self.stage.is_waiting() && !self.session.editor.waits();
        let Some(player) = &mut self.player else { return Ok(()) };
        match player.next(is_settled, Instant::now()) {
            Next::Nothing => {}
            Next::Restart => self.restart_replay()?,
            Next::Event(event) => self.play(&event),
        }
        Ok(())
    }

    fn play(&mut self, event: &Event) {
        let Event { kind, mods } = event;
        self.session.editor.hold(*mods);
        match kind {
            query if query.is_query() => {}
            EventKind::Expect(_) => {
                if let Some(player) = &mut self.player {
                    player.check(event, self.session.editor.scene());
                }
            }
            kind => self.act_with(kind, *mods),
        }
        if !self.is_replaying() {
            self.session.editor.hold(self.keyboard.mods());
        }
    }

    fn restart_replay(&mut self) -> Result<(), IdSpaceExhausted> {
        let Some(replay) = self.player.as_ref().map(|player| &player.replay) else { return Ok(()) };
        let source = replay.source.clone();
        // It was valid when the replay was opened.
        let Ok(session) = Session::of_replay(Editor::new(replay.scene.clone())?, replay) else {
            return Ok(());
        };
        self.end_easing();
        self.session = session;
        self.stage.load(&mut self.session);
        self.waiting_input.drop_presses();
        self.update_views();
        self.recording.recorder = Recorder::new(source, &self.session)?;
        Ok(())
    }
}
