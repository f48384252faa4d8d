//! Tests of opening and saving without data loss, with real files and threads.

mod conflicts;
mod journal;
mod saving;
mod trouble;
mod untrusted;

use super::*;
use scene::built_in;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use tempfile::TempDir;
use wgpu_gizmo::Transform;
use wgpu_gizmo::glam::DVec3;

/// An editor with its files, as the window has them.
pub(super) struct TestSession {
    folder: TempDir,
    pub(super) editor: Editor,
    pub(super) files: Files,
    events: Receiver<FileEvent>,
}

impl TestSession {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().expect("the folder is writable");
        let (sender, events) = mpsc::channel();
        let sender = std::sync::Mutex::new(sender);
        let notify: Notify = Arc::new(move |event| drop(sender.lock().map(|sender| sender.send(event))));
        let recent = Recent::stored_in(Some(folder.path().join("recent.json")));
        let files = Files::new(notify, "robot arm", recent);
        let editor = Editor::new(built_in::scene()).expect("there are few nodes");
        Self { folder, editor, files, events }
    }

    /// Returns a session with the file `a.gltf` open.
    fn opened() -> (Self, PathBuf) {
        let mut session = Self::new();
        let path = session.write("a.gltf", 1.0);
        session.open(&path);
        (session, path)
    }

    /// Returns a session without an open file, and two files with nodes at x = 1 and x = 2.
    fn of_two_files() -> (Self, PathBuf, PathBuf) {
        let session = Self::new();
        let (one, two) = (session.write("one.gltf", 1.0), session.write("two.gltf", 2.0));
        (session, one, two)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a scene with one node at this x.
    pub(super) fn write(&self, name: &str, x: f64) -> PathBuf {
        self.write_scene(name, &format!(r#""nodes":[{{"name":"a","translation":[{x},0,0]}}]"#))
    }

    /// Writes a scene that needs the buffer file at a URI.
    fn write_with_buffer(&self, name: &str, uri: &str) -> PathBuf {
        self.write_scene(
            name,
            &format!(r#""nodes":[{{"name":"a"}}],"buffers":[{{"byteLength":1,"uri":"{uri}"}}]"#),
        )
    }

    fn write_scene(&self, name: &str, nodes: &str) -> PathBuf {
        let text = format!(r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],{nodes}}}"#);
        fs::write(self.path(name), text).expect("the folder is writable");
        self.path(name)
    }

    fn request(&mut self, request: Request) {
        self.start_request(request);
        self.wait_until_saved();
    }

    /// Like [`TestSession::request`], but does not wait for a save.
    pub(super) fn start_request(&mut self, request: Request) {
        self.files.request(request, &mut self.editor);
        self.show();
    }

    fn answer(&mut self, answer: Answer) {
        self.start_answer(answer);
        self.wait_until_saved();
    }

    fn start_answer(&mut self, answer: Answer) {
        self.files.answer(answer, &mut self.editor);
        self.show();
    }

    fn submit_path(&mut self, path: &Path) {
        self.start_submit_path(path);
        self.wait_until_saved();
    }

    /// Types a path into the open dialog and submits it.
    fn start_submit_path(&mut self, path: &Path) {
        let Some(Dialog::Path(dialog)) = &mut self.files.dialog else { panic!("{:?}", self.files.dialog) };
        dialog.text = path.to_string_lossy().into_owned();
        self.files.submit_path(&mut self.editor);
        self.show();
    }

    fn show(&mut self) {
        if let Some(opened) = self.files.opened.take() {
            self.editor = self.editor.with_scene(opened.scene).expect("there are few nodes");
            self.files.shown(&opened.path, self.editor.scene());
        }
    }

    /// Handles events of threads until one satisfies `wanted`.
    pub(super) fn wait(&mut self, wanted: fn(&FileEvent) -> bool) {
        let mut is_wanted = false;
        while !is_wanted {
            let event = self.events.recv_timeout(Duration::from_secs(60));
            let event = event.expect("an event arrives within a minute");
            is_wanted = wanted(&event);
            self.files.on_event(event, &mut self.editor);
            self.show();
            self.frame();
        }
    }

    /// Shows a loaded scene, as after a frame.
    fn frame(&mut self) {
        self.files.take_loaded(&mut self.editor);
        self.show();
    }

    fn open(&mut self, path: &Path) {
        self.request(Request::OpenFile(path.to_owned()));
        if self.files.loading().is_some() {
            self.wait_until_loaded();
        }
    }

    /// Waits until deleted files are reported.
    fn wait_until_gone(&mut self) {
        self.wait(|event| matches!(event, FileEvent::Disk(_, DiskChange::Gone(_))));
    }

    fn wait_until_changed(&mut self) {
        self.wait(|event| matches!(event, FileEvent::Disk(_, DiskChange::Changed)));
    }

    fn wait_until_loaded(&mut self) {
        self.wait(|event| matches!(event, FileEvent::Loaded(..)));
    }

    /// Waits until nothing is being saved.
    fn wait_until_saved(&mut self) {
        while self.files.saving().is_some() {
            self.wait(|event| matches!(event, FileEvent::Saved(..)));
        }
    }

    /// Renames the first node, which is one undo step.
    fn rename(&mut self, name: &str) {
        self.editor.rename(0, name).expect("the name is free");
        assert!(!self.editor.is_saved());
    }

    pub(super) fn x(&self) -> f64 {
        self.editor.scene().nodes()[0].local.translation.x
    }

    fn name_in(&self, path: &Path) -> String {
        gltf_io::open(path).unwrap_or_else(|error| panic!("{error}")).nodes()[0].name.clone()
    }

    fn question(&self) -> String {
        let Some(Dialog::Question(question)) = &self.files.dialog else { panic!("{:?}", self.files.dialog) };
        assert!(question.answers().1.last().is_some_and(|(answer, _)| *answer == Answer::Cancel));
        question.text(&self.files.file.name())
    }

    fn message(&self) -> String {
        let Some(Dialog::Message(message)) = &self.files.dialog else { panic!("{:?}", self.files.dialog) };
        message.clone()
    }
}

#[test]
fn file_can_be_opened_changed_saved_and_reloaded() {
    let mut session = TestSession::new();
    assert_eq!(session.files.file.title(&session.editor), "robot arm – wgpu-gizmo");
    let path = session.write("ü.gltf", 1.5);
    session.open(&path);
    assert_eq!(
        (session.x(), session.files.file.title(&session.editor)),
        (1.5, "ü.gltf – wgpu-gizmo".to_owned())
    );
    assert_eq!(session.files.recent.paths, std::slice::from_ref(&path));
    session.rename("b");
    assert_eq!(session.files.file.title(&session.editor), "* ü.gltf – wgpu-gizmo");
    session.request(Request::Save);
    assert!(session.files.dialog.is_none() && session.editor.is_saved());
    assert_eq!(session.editor.message().as_deref(), Some("Saved ü.gltf"));
    assert_eq!(session.name_in(&path), "b");
    // The second save does not ask, because the state of the file is known.
    session.rename("c");
    session.request(Request::Save);
    assert!(session.files.dialog.is_none());
    session.request(Request::Reload);
    session.wait_until_loaded();
    assert_eq!(session.editor.scene().nodes()[0].name, "c");
}

#[test]
fn saving_new_scene_asks_for_path_and_before_replacing() {
    let mut session = TestSession::new();
    session.rename("renamed");
    session.request(Request::Save);
    let Some(Dialog::Path(dialog)) = &session.files.dialog else { panic!("the path dialog is open") };
    assert!(dialog.saves && dialog.text.ends_with("robot arm.glb"), "{}", dialog.text);
    let dialog_error = |session: &TestSession| match &session.files.dialog {
        Some(Dialog::Path(dialog)) => dialog.error.clone().unwrap_or_default(),
        other => panic!("{other:?}"),
    };
    session.submit_path(Path::new(" "));
    assert_eq!(dialog_error(&session), "Enter the path of a file");
    session.submit_path(&session.path("x.obj"));
    assert_eq!(dialog_error(&session), "The name must end in .glb or .gltf");
    session.submit_path(&session.path(""));
    assert_eq!(dialog_error(&session), "This is a folder: append the name of a file");
    let other = session.write("other.glb", 9.0);
    let before = fs::read(&other).expect("the file exists");
    session.submit_path(&other);
    assert!(session.question().contains("other.glb already exists"));
    session.answer(Answer::Cancel);
    assert_eq!(fs::read(&other).expect("the file exists"), before);
    session.request(Request::SaveAs);
    session.submit_path(&session.path("new"));
    assert_eq!(session.files.file.path(), Some(session.path("new.glb").as_path()), "the extension is added");
    assert_eq!(session.name_in(&session.path("new.glb")), "renamed");
    session.request(Request::SaveAs);
    session.submit_path(&other);
    session.answer(Answer::Save);
    assert_eq!(session.name_in(&other), "renamed");
    assert_eq!(session.files.file.path(), Some(other.as_path()));
}

#[test]
fn unsaved_changes_are_asked_about_before_losing_them() {
    let (mut session, one, two) = TestSession::of_two_files();
    session.open(&one);
    for request in [Request::OpenFile(two.clone()), Request::Reload, Request::Quit] {
        session.rename("mine");
        session.request(request.clone());
        let question = session.question();
        assert!(question.contains("one.gltf"), "{question}");
        session.answer(Answer::Cancel);
        assert!(!session.files.closes && session.files.loading().is_none(), "{request:?}");
        assert_eq!((session.x(), session.editor.scene().nodes()[0].name.as_str()), (1.0, "mine"));
        session.rename("a");
        session.request(request);
        session.files.dismiss();
        assert!(!session.files.closes && session.files.loading().is_none());
    }
    // Save, then open.
    session.rename("saved");
    session.request(Request::OpenFile(two.clone()));
    session.answer(Answer::Save);
    session.wait_until_loaded();
    assert_eq!((session.name_in(&one).as_str(), session.x()), ("saved", 2.0));
    // Discard and quit.
    session.rename("discarded");
    session.request(Request::Quit);
    session.answer(Answer::Discard);
    assert!(session.files.closes);
    assert_eq!(session.name_in(&two), "a");
}

#[test]
fn new_scene_can_be_saved_while_quitting() {
    let mut session = TestSession::new();
    session.rename("renamed");
    session.request(Request::Quit);
    session.answer(Answer::Save);
    assert!(!session.files.closes, "the scene has no path yet");
    session.submit_path(&session.path("arm.glb"));
    assert!(session.files.closes);
    assert_eq!(session.name_in(&session.path("arm.glb")), "renamed");
    // Closing the path dialog cancels quitting.
    let mut session = TestSession::new();
    session.rename("renamed");
    session.request(Request::Quit);
    session.answer(Answer::Save);
    session.files.dismiss();
    session.request(Request::Save);
    session.submit_path(&session.path("arm.glb"));
    assert!(!session.files.closes);
    // So does a file that is dropped on it.
    let mut session = TestSession::new();
    let path = session.write("a.gltf", 1.0);
    session.rename("mine");
    session.request(Request::Quit);
    session.answer(Answer::Save);
    session.request(Request::OpenFile(path));
    session.answer(Answer::Discard);
    session.wait_until_loaded();
    session.rename("b");
    session.request(Request::Save);
    assert!(session.editor.is_saved() && !session.files.closes);
}

#[test]
fn invalid_file_shows_message_and_keeps_scene() {
    let (mut session, path) = TestSession::opened();
    fs::write(session.path("bad.gltf"), b"{\"asset\":").expect("the folder is writable");
    session.open(&session.path("bad.gltf"));
    assert!(session.message().contains("bad.gltf: line 1"), "{}", session.message());
    assert_eq!((session.x(), session.files.file.path()), (1.0, Some(path.as_path())));
    assert_eq!(session.files.recent.paths, [path]);
    session.files.dismiss();
    let folder = session.path("");
    session.open(&folder);
    assert!(session.message().contains("is a folder"), "{}", session.message());
    session.files.dismiss();
    session.open(&session.path("none.glb"));
    assert!(session.message().contains("could not be read"), "{}", session.message());
}

#[test]
fn canceled_or_replaced_load_is_not_shown() {
    let (mut session, one, two) = TestSession::of_two_files();
    session.request(Request::OpenFile(one.clone()));
    assert_eq!(session.files.loading().map(|(path, _)| path.to_owned()), Some(one.clone()));
    session.request(Request::CancelLoad);
    session.wait_until_loaded();
    assert!(session.files.file.path().is_none() && session.files.dialog.is_none());
    session.request(Request::OpenFile(one));
    session.request(Request::OpenFile(two.clone()));
    session.wait_until_loaded();
    if session.files.file.path().is_none() {
        session.wait_until_loaded();
    }
    assert_eq!((session.x(), session.files.file.path()), (2.0, Some(two.as_path())));
}

#[test]
fn changes_during_load_are_asked_about() {
    let mut session = TestSession::new();
    let path = session.write("a.gltf", 1.0);
    session.request(Request::OpenFile(path.clone()));
    session.rename("while it loads");
    session.wait_until_loaded();
    assert!(session.question().contains("Save changes to robot arm?"));
    session.answer(Answer::Save);
    session.submit_path(&session.path("arm.glb"));
    assert_eq!(session.name_in(&session.path("arm.glb")), "while it loads");
    assert_eq!((session.x(), session.files.file.path()), (1.0, Some(path.as_path())));
}

#[test]
fn step_replacing_discarded_one_is_asked_about() {
    let mut session = TestSession::new();
    let path = session.write("a.gltf", 1.0);
    session.rename("discarded");
    session.request(Request::OpenFile(path));
    assert!(session.question().contains("Save changes to robot arm?"));
    session.start_answer(Answer::Discard);
    session.editor.go_to_step(0);
    session.rename("done instead");
    session.wait_until_loaded();
    assert!(session.question().contains("Save changes to robot arm?"));
}
