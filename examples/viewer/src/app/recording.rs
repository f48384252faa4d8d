//! The window's recording of what is done in it, and the replay that it plays.

use super::screen::Screen;
use crate::cameras::Cameras;
use crate::editor::Editor;
use crate::player::{Next, PlayerRequest};
use crate::recorder::{self, Held, Recorder};
use crate::replay_file::{Event, EventKind, Mods, Replay, SceneSource};
use crate::selection::Selection;
use crate::session::Session;
use crate::view_cube::CubePointer;
use crate::views::Views;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;
use wgpu_gizmo::pick::IdSpaceExhausted;

/// An editor as a replay begins with it.
pub(crate) fn editor_of(replay: &Replay) -> Result<Editor, Box<dyn Error>> {
    let mut editor = Editor::new(replay.scene.clone())?;
    editor.set(&replay.settings);
    let cameras = Cameras::of_replay(replay);
    let views = cameras.views(&replay.frame)?;
    editor.select(Selection::of(&replay.select), views.first().ok_or("no view")?);
    Ok(editor)
}

impl Screen {
    /// Does something to the picture, and keeps it.
    pub(super) fn act(&mut self, kind: EventKind) {
        let mods = self.mods();
        self.act_with(&kind, mods);
    }

    pub(super) fn act_with(&mut self, kind: &EventKind, mods: Mods) {
        if !self.runs_ahead(kind, mods) {
            self.act_now(kind, mods);
        }
    }

    pub(super) fn act_now(&mut self, kind: &EventKind, mods: Mods) {
        let held = match (self.editor.is_busy(), self.cube.holds()) {
            (true, _) => Held::Something,
            (false, true) => Held::Cube,
            (false, false) => Held::Nothing,
        };
        self.recorder.event(kind, mods, held);
        // A camera that sees nothing leaves the picture as it is.
        let _ = self.session().take(kind, mods);
        self.recorder.after(kind, &mut self.editor);
        self.keep_look();
    }

    /// Keeps how the picture is looked at.
    pub(super) fn keep_look(&mut self) {
        let Self { editor, cameras, views, picture, cube, recorder, .. } = self;
        recorder.look(&Session { editor, cameras, views, frame: picture, cube });
    }

    /// Another scene is shown: what is done from now on is done to it.
    pub(super) fn record_anew(&mut self, source: SceneSource) {
        // A replay is of the scene that it was made for.
        self.player = None;
        self.cube.forget();
        self.deferred_input.forget();
        self.look();
        if let Ok(recorder) = Recorder::new(source, &self.session()) {
            self.recorder = recorder;
        }
    }

    pub(super) fn write_recording_now(&mut self) {
        let message = match (&self.record, self.write_recording()) {
            (None, _) => "Nothing is recorded to a file: start with --record FILE.json".to_owned(),
            (Some(path), Ok(())) => format!("{} events in {}", self.recorder.count(), path.display()),
            (Some(_), Err(error)) => error.to_string(),
        };
        self.editor.say(message);
    }

    /// Writes what has been recorded, if it is to be written.
    pub(super) fn write_recording(&self) -> Result<(), crate::file_error::FileError> {
        self.record.as_ref().map_or(Ok(()), |path| recorder::write(path, &self.recorder.replay(path)))
    }

    /// Writes a replay of all that was done, with what came of it, and hands it to the clipboard.
    pub(super) fn copy_as_test(&mut self) {
        let names = (1..).map(|number| self.out.join(format!("test-{number}.json")));
        let path: PathBuf = names.into_iter().find(|path| !path.exists()).unwrap_or_default();
        let test = self.recorder.test(&path, &self.editor);
        let written = recorder::write(&path, &test);
        self.panel.copy(test);
        let message = match written {
            Ok(()) => format!("CopyPair, and written to {}", path.display()),
            Err(error) => format!("CopyPair. {error}"),
        };
        self.editor.say(message);
    }

    /// Whether a replay has the window to itself.
    pub(super) fn is_watching(&self) -> bool {
        self.player.as_ref().is_some_and(|player| !player.is_over())
    }

    /// Does what a person asks of the replay.
    pub(super) fn ask_player(&mut self, wish: Option<PlayerRequest>) {
        if let (Some(player), Some(wish)) = (&mut self.player, wish) {
            player.ask(wish);
        }
    }

    /// Goes on with the replay, if it is time.
    pub(super) fn play_on(&mut self) -> Result<(), IdSpaceExhausted> {
        // Every question has its answer, and every press is known for what it was.
        let is_settled = !self.stage.is_waiting() && !self.editor.waits();
        let Some(player) = &mut self.player else { return Ok(()) };
        match player.next(is_settled, Instant::now()) {
            Next::Nothing => {}
            Next::Restart => self.begin_again()?,
            Next::Event(event) => self.play(&event),
        }
        Ok(())
    }

    fn play(&mut self, event: &Event) {
        let Event { kind, mods } = event;
        self.session().hold(*mods);
        match kind {
            EventKind::Handles
            | EventKind::Readouts
            | EventKind::Pick(_)
            | EventKind::Region(_)
            | EventKind::DumpIds(_)
            | EventKind::Save(_)
            | EventKind::Screenshot(_) => {}
            EventKind::Expect(_) => {
                if let Some(player) = &mut self.player {
                    player.check(event, self.editor.scene());
                }
            }
            kind => self.act_with(kind, *mods),
        }
        if !self.is_watching() {
            let mods = self.mods();
            self.session().hold(mods);
        }
    }

    fn begin_again(&mut self) -> Result<(), IdSpaceExhausted> {
        let Some(replay) = self.player.as_ref().map(|player| player.replay()) else { return Ok(()) };
        let (cameras, frame, source) = (Cameras::of_replay(replay), replay.frame, replay.source.clone());
        // It could be made once, so it can be again.
        let Ok(editor) = editor_of(replay) else { return Ok(()) };
        let Some(first) = cameras.views(&frame).ok().and_then(|views| views.first().copied()) else {
            return Ok(());
        };
        (self.editor, self.cameras, self.picture) = (editor, cameras, frame);
        (self.views, self.cube) = (Views::one(first), CubePointer::default());
        self.deferred_input.forget();
        self.look();
        self.recorder = Recorder::new(source, &self.session())?;
        Ok(())
    }
}
