//! Tests of opening and saving without data loss, with real files and threads.

mod trouble;
mod untrusted;

use super::*;
use scene::built_in;
use std::fs;
use std::sync::mpsc::{self, Receiver};
use tempfile::TempDir;
use wgpu_gizmo::Transform;
use wgpu_gizmo::glam::DVec3;

/// An editor with its files, as the window has them.
struct TestSession {
    folder: TempDir,
    editor: Editor,
    files: Files,
    events: Receiver<FileEvent>,
}

impl TestSession {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let (sender, events) = mpsc::channel();
        let sender = std::sync::Mutex::new(sender);
        let notify: Notify = Arc::new(move |event| drop(sender.lock().map(|sender| sender.send(event))));
        let recent = Recent::stored_in(Some(folder.path().join("recent.json")));
        let files = Files::new(notify, "robot arm", recent);
        let editor = Editor::new(built_in::scene()).expect("there are few nodes");
        Self { folder, editor, files, events }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a scene with one node at this x.
    fn write(&self, name: &str, x: f64) -> PathBuf {
        let text = format!(
            r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],
                 "nodes":[{{"name":"a","translation":[{x},0,0]}}]}}"#
        );
        fs::write(self.path(name), text).expect("the temporary folder can be written");
        self.path(name)
    }

    fn request(&mut self, request: Request) {
        self.start_request(request);
        self.wait_until_saved();
    }

    /// Like [`TestSession::request`], but does not wait for a save.
    fn start_request(&mut self, request: Request) {
        let opened = self.files.request(request, &mut self.editor);
        self.show(opened);
    }

    fn answer(&mut self, answer: Answer) {
        self.start_answer(answer);
        self.wait_until_saved();
    }

    fn start_answer(&mut self, answer: Answer) {
        let opened = self.files.answer(answer, &mut self.editor);
        self.show(opened);
    }

    /// Types a path into the open dialog and submits it.
    fn submit_path(&mut self, path: &Path) {
        let Some(Dialog::Path(dialog)) = &mut self.files.dialog else { panic!("{:?}", self.files.dialog) };
        dialog.text = path.to_string_lossy().into_owned();
        let opened = self.files.submit_path(&mut self.editor);
        self.show(opened);
        self.wait_until_saved();
    }

    fn show(&mut self, opened: Option<Opened>) {
        if let Some(opened) = opened {
            self.editor = self.editor.with_scene(opened.scene).expect("there are few nodes");
            self.files.shown(&opened.path, self.editor.scene());
        }
    }

    /// Handles events of threads until one satisfies `wanted`.
    fn wait(&mut self, wanted: fn(&FileEvent) -> bool) {
        loop {
            let event =
                self.events.recv_timeout(Duration::from_secs(60)).expect("an event arrives within a minute");
            let is_wanted = wanted(&event);
            let opened = self.files.on_event(event, &mut self.editor);
            self.show(opened);
            self.frame();
            if is_wanted {
                return;
            }
        }
    }

    /// Shows a loaded scene, as after a frame.
    fn frame(&mut self) {
        let opened = self.files.take_loaded(&mut self.editor);
        self.show(opened);
    }

    fn open(&mut self, path: &Path) {
        self.request(Request::OpenFile(path.to_owned()));
        if self.files.loading().is_some() {
            self.wait_until_loaded();
        }
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

    fn x(&self) -> f64 {
        self.editor.scene().nodes()[0].local.translation.x
    }

    fn name_in(&self, path: &Path) -> String {
        gltf_io::open(path).unwrap_or_else(|error| panic!("{error}")).nodes()[0].name.clone()
    }

    fn question(&self) -> String {
        let Some(Dialog::Question(question)) = &self.files.dialog else { panic!("{:?}", self.files.dialog) };
        assert!(question.answers().last().is_some_and(|(answer, _)| *answer == Answer::Cancel));
        question.text(&self.files.name())
    }

    fn message(&self) -> String {
        let Some(Dialog::Message(message)) = &self.files.dialog else { panic!("{:?}", self.files.dialog) };
        message.clone()
    }
}

#[test]
fn file_can_be_opened_changed_saved_and_reloaded() {
    let mut session = TestSession::new();
    assert_eq!(session.files.title(true), "robot arm – wgpu-gizmo");
    let path = session.write("ü.gltf", 1.5);
    session.open(&path);
    assert_eq!((session.x(), session.files.title(true)), (1.5, "ü.gltf – wgpu-gizmo".to_owned()));
    assert_eq!(session.files.recent.paths(), std::slice::from_ref(&path));
    session.rename("b");
    assert_eq!(session.files.title(session.editor.is_saved()), "* ü.gltf – wgpu-gizmo");
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
    // Submitting a folder opens it.
    let folder = session.path("");
    session.submit_path(&folder);
    let Some(Dialog::Path(dialog)) = &session.files.dialog else { panic!("the path dialog is open") };
    assert!(dialog.text.ends_with(std::path::MAIN_SEPARATOR));
    let other = session.write("other.glb", 9.0);
    let before = fs::read(&other).expect("the file exists");
    session.submit_path(&other);
    assert!(session.question().contains("other.glb already exists"));
    session.answer(Answer::Cancel);
    assert_eq!(fs::read(&other).expect("the file exists"), before);
    session.request(Request::SaveAs);
    session.submit_path(&session.path("new"));
    assert_eq!(session.files.path(), Some(session.path("new.glb").as_path()), "the extension is added");
    assert_eq!(session.name_in(&session.path("new.glb")), "renamed");
    session.request(Request::SaveAs);
    session.submit_path(&other);
    session.answer(Answer::Save);
    assert_eq!(session.name_in(&other), "renamed");
    assert_eq!(session.files.path(), Some(other.as_path()));
}

#[test]
fn unsaved_changes_are_asked_about_before_losing_them() {
    let mut session = TestSession::new();
    let (one, two) = (session.write("one.gltf", 1.0), session.write("two.gltf", 2.0));
    session.open(&one);
    for request in [Request::OpenFile(two.clone()), Request::Reload, Request::Quit] {
        session.rename("mine");
        session.request(request.clone());
        let question = session.question();
        assert!(question.contains("one.gltf"), "{question}");
        session.answer(Answer::Cancel);
        assert!(!session.files.quits() && session.files.loading().is_none(), "{request:?}");
        assert_eq!((session.x(), session.editor.scene().nodes()[0].name.as_str()), (1.0, "mine"));
        session.rename("a");
        session.request(request);
        session.files.dismiss();
        assert!(!session.files.quits() && session.files.loading().is_none());
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
    assert!(session.files.quits());
    assert_eq!(session.name_in(&two), "a");
}

#[test]
fn new_scene_can_be_saved_while_quitting() {
    let mut session = TestSession::new();
    session.rename("renamed");
    session.request(Request::Quit);
    session.answer(Answer::Save);
    assert!(!session.files.quits(), "the scene has no path yet");
    session.submit_path(&session.path("arm.glb"));
    assert!(session.files.quits());
    assert_eq!(session.name_in(&session.path("arm.glb")), "renamed");
    // Closing the path dialog cancels quitting.
    let mut session = TestSession::new();
    session.rename("renamed");
    session.request(Request::Quit);
    session.answer(Answer::Save);
    session.files.dismiss();
    session.request(Request::Save);
    session.submit_path(&session.path("arm.glb"));
    assert!(!session.files.quits());
}

#[test]
fn changes_during_save_stay_unsaved() {
    let mut session = TestSession::new();
    let path = session.write("a.gltf", 1.0);
    session.open(&path);
    session.rename("written");
    session.start_request(Request::Save);
    assert!(!session.editor.is_saved() && session.editor.is_being_saved());
    session.rename("while it is written");
    session.wait_until_saved();
    assert_eq!((session.name_in(&path).as_str(), session.editor.is_saved()), ("written", false));
    assert_eq!(session.editor.message().as_deref(), Some("Saved a.gltf"));
    session.editor.go_to_step(1);
    assert!(session.editor.is_saved(), "undo leads back to the saved state");
    // A second request during a save leads to a second save.
    session.rename("once");
    session.start_request(Request::Save);
    session.rename("twice");
    session.start_request(Request::Save);
    session.wait_until_saved();
    assert_eq!((session.name_in(&path).as_str(), session.editor.is_saved()), ("twice", true));
    assert!(session.files.dialog.is_none(), "{:?}", session.files.dialog);
    assert!(session.events.recv_timeout(watch::PERIOD * 4).is_err(), "own saves are not reported");
}

#[test]
fn requests_wait_for_save_in_progress() {
    let mut session = TestSession::new();
    let (one, two) = (session.write("one.gltf", 1.0), session.write("two.gltf", 2.0));
    session.open(&one);
    session.rename("saved");
    session.start_request(Request::Save);
    session.start_request(Request::OpenFile(two.clone()));
    assert!(
        session.files.dialog.is_none() && session.files.loading().is_none(),
        "there is no question and no load yet"
    );
    session.wait_until_saved();
    session.wait_until_loaded();
    assert_eq!((session.name_in(&one).as_str(), session.x()), ("saved", 2.0));
    // Changes during the save are asked about, whether they come before or after the request to quit.
    for is_asked_first in [true, false] {
        session.rename("two");
        session.start_request(Request::Save);
        if is_asked_first {
            session.rename("more");
            session.start_request(Request::Quit);
        } else {
            session.start_request(Request::Quit);
            session.rename("more");
            session.wait_until_saved();
        }
        assert_eq!(session.question(), "Save changes to two.gltf?");
        assert!(!session.files.quits());
        session.answer(Answer::Cancel);
        session.wait_until_saved();
        assert_eq!((session.name_in(&two).as_str(), session.files.quits()), ("two", false));
    }
    // After the changes are discarded, the window stays until the save is complete.
    session.rename("whole");
    session.start_request(Request::Save);
    session.rename("discarded");
    session.start_request(Request::Quit);
    session.start_answer(Answer::Discard);
    assert!(!session.files.quits());
    session.wait_until_saved();
    assert_eq!((session.name_in(&two).as_str(), session.files.quits()), ("whole", true));
}

#[test]
fn save_failing_while_quitting_keeps_window_open() {
    let mut session = TestSession::new();
    let path = session.write("a.gltf", 1.0);
    session.open(&path);
    session.rename("mine");
    session.request(Request::SaveAs);
    let Some(Dialog::Path(dialog)) = &mut session.files.dialog else { panic!("the path dialog is open") };
    dialog.text = session.folder.path().join("none/a.gltf").to_string_lossy().into_owned();
    let opened = session.files.submit_path(&mut session.editor);
    session.show(opened);
    session.start_request(Request::Quit);
    session.wait_until_saved();
    assert!(session.message().contains("there is no folder"), "{}", session.message());
    assert!(!session.files.quits() && !session.editor.is_saved() && !session.editor.is_being_saved());
    assert_eq!(session.files.path(), Some(path.as_path()));
}

#[test]
fn scene_shown_during_save_is_not_marked_saved() {
    let mut session = TestSession::new();
    let (one, two) = (session.write("one.gltf", 1.0), session.write("two.gltf", 2.0));
    session.open(&one);
    session.rename("one");
    let scene = gltf_io::open(&two).expect("the file is valid");
    // It was loaded before the save began and is shown before the save ends.
    session.start_request(Request::Save);
    session.show(Some(Opened { scene, path: two.clone(), purpose: Purpose::Open }));
    session.rename("two");
    session.wait_until_saved();
    assert_eq!((session.name_in(&one).as_str(), session.name_in(&two).as_str()), ("one", "a"));
    assert_eq!((session.files.path(), session.editor.is_saved()), (Some(two.as_path()), false));
}

#[test]
fn failed_save_reports_error_and_cancels_quitting() {
    let mut session = TestSession::new();
    session.rename("renamed");
    session.request(Request::Quit);
    session.answer(Answer::Save);
    session.submit_path(&session.path("none/arm.glb"));
    assert!(session.message().contains("there is no folder"), "{}", session.message());
    assert!(!session.files.quits() && !session.editor.is_saved() && session.files.path().is_none());
    assert_eq!(session.editor.message().as_deref(), Some("Could not save arm.glb"));
}

#[test]
fn file_changed_by_other_program_is_not_overwritten_unasked() {
    let mut session = TestSession::new();
    let path = session.write("a.gltf", 1.0);
    session.open(&path);
    session.rename("mine");
    session.write("a.gltf", 22.5);
    session.request(Request::Save);
    assert!(session.question().contains("changed by another program. Overwrite"));
    session.answer(Answer::Cancel);
    assert_eq!(session.name_in(&path), "a");
    session.request(Request::Save);
    session.answer(Answer::SaveAs);
    session.submit_path(&session.path("mine.gltf"));
    assert_eq!(
        (session.name_in(&path).as_str(), session.name_in(&session.path("mine.gltf")).as_str()),
        ("a", "mine")
    );
    let mut session = TestSession::new();
    let path = session.write("a.gltf", 1.0);
    session.open(&path);
    session.rename("mine");
    session.write("a.gltf", 22.5);
    session.request(Request::Save);
    session.answer(Answer::Save);
    assert_eq!(session.name_in(&path), "mine");
    // Overwriting a deleted file loses nothing.
    fs::remove_file(&path).expect("the file exists");
    session.rename("again");
    session.request(Request::Save);
    assert_eq!((session.name_in(&path).as_str(), session.files.dialog.is_none()), ("again", true));
}

#[test]
fn changed_file_is_reloaded_or_asked_about() {
    let mut session = TestSession::new();
    let path = session.write("a.gltf", 1.0);
    session.open(&path);
    session.write("a.gltf", 22.5);
    session.wait_until_loaded();
    assert_eq!(session.x(), 22.5);
    session.rename("mine");
    session.write("a.gltf", 333.25);
    session.wait(|event| matches!(event, FileEvent::Changed(_)));
    assert!(session.question().contains("changed by another program. Reload"));
    session.answer(Answer::Cancel);
    assert_eq!((session.x(), session.editor.scene().nodes()[0].name.as_str()), (22.5, "mine"));
    session.request(Request::Save);
    assert!(
        session.question().contains("changed by another program"),
        "the kept changes still differ from the file"
    );
    session.files.dismiss();
    session.write("a.gltf", 4444.0);
    session.wait(|event| matches!(event, FileEvent::Changed(_)));
    session.answer(Answer::Discard);
    session.wait_until_loaded();
    assert_eq!((session.x(), session.editor.is_saved()), (4444.0, true));
    // Own saves are not reported.
    session.rename("mine");
    session.request(Request::Save);
    assert!(session.events.recv_timeout(watch::PERIOD * 4).is_err());
}

#[test]
fn write_right_after_save_counts_as_foreign_change() {
    let mut session = TestSession::new();
    let path = session.write("a.gltf", 1.0);
    session.open(&path);
    for round in 0..40 {
        let (name, path) = (format!("mine{round}"), path.clone());
        session.rename(&name);
        let other = std::thread::spawn(move || {
            while !fs::read_to_string(&path).is_ok_and(|text| text.contains(&name)) {}
            fs::write(&path, "{}").expect("the temporary folder can be written");
        });
        session.request(Request::Save);
        if round > 0 {
            assert!(session.question().contains("changed by another program"), "round {round}");
            session.answer(Answer::Save);
        }
        other.join().expect("the thread has finished");
        assert!(session.files.dialog.is_none(), "{:?}", session.files.dialog);
    }
}

#[test]
fn referenced_file_changed_before_save_is_reported_after_it() {
    let mut session = TestSession::new();
    let (path, beside) = (session.path("a.gltf"), session.path("a.bin"));
    fs::write(&beside, [0; 12]).expect("the temporary folder can be written");
    let text = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"name":"a"}],
                   "buffers":[{"byteLength":12,"uri":"a.bin"}]}"#;
    fs::write(&path, text).expect("the temporary folder can be written");
    session.open(&path);
    fs::write(&beside, [0; 16]).expect("the temporary folder can be written");
    session.rename("mine");
    session.request(Request::Save);
    assert!(session.files.dialog.is_none(), "{:?}", session.files.dialog);
    session.wait(|event| matches!(event, FileEvent::Changed(_)));
}

#[test]
fn invalid_file_shows_message_and_keeps_scene() {
    let mut session = TestSession::new();
    let path = session.write("a.gltf", 1.0);
    session.open(&path);
    fs::write(session.path("bad.gltf"), b"{\"asset\":").expect("the temporary folder can be written");
    session.open(&session.path("bad.gltf"));
    assert!(session.message().contains("bad.gltf: line 1"), "{}", session.message());
    assert_eq!((session.x(), session.files.path()), (1.0, Some(path.as_path())));
    assert_eq!(session.files.recent.paths(), [path]);
    session.files.dismiss();
    let folder = session.path("");
    session.open(&folder);
    assert!(session.message().contains("is a folder"), "{}", session.message());
    session.files.dismiss();
    session.open(&session.path("none.glb"));
    assert!(session.message().contains("cannot be read"), "{}", session.message());
}

#[test]
fn canceled_or_replaced_load_is_not_shown() {
    let mut session = TestSession::new();
    let (one, two) = (session.write("one.gltf", 1.0), session.write("two.gltf", 2.0));
    session.request(Request::OpenFile(one.clone()));
    assert_eq!(session.files.loading().map(|(path, _)| path.to_owned()), Some(one.clone()));
    session.request(Request::CancelLoad);
    session.wait_until_loaded();
    assert!(session.files.path().is_none() && session.files.dialog.is_none());
    session.request(Request::OpenFile(one));
    session.request(Request::OpenFile(two.clone()));
    session.wait_until_loaded();
    if session.files.path().is_none() {
        session.wait_until_loaded();
    }
    assert_eq!((session.x(), session.files.path()), (2.0, Some(two.as_path())));
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
    assert_eq!((session.x(), session.files.path()), (1.0, Some(path.as_path())));
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

#[test]
fn reload_keeps_settings_selection_and_flags() {
    use scene::flags::Flag;
    use scene::selection::Selection;
    use wgpu_gizmo::Mode;
    let mut editor = Editor::new(built_in::scene()).expect("there are few nodes");
    editor.gizmo.settings.mode = Mode::Scale;
    let [hidden, wrist] = ["ball", "wrist"].map(|name| editor.scene().find(name).expect("the node exists"));
    editor.set_flag(&[hidden], Flag::Hidden, true);
    // The reloaded scene has its nodes in another order and lacks one.
    let mut nodes: Vec<_> = editor.scene().nodes().to_vec();
    nodes.retain(|node| node.parent.is_none());
    nodes.reverse();
    nodes.push(scene::Node::new("wrist", None, Transform { scale: DVec3::ONE, ..Transform::IDENTITY }));
    let meshes = editor.scene().meshes().to_vec();
    let viewport = wgpu_gizmo::Viewport::of_size(320, 240);
    let view = session::replay_file::Camera::of_window(editor.scene(), viewport)
        .view(viewport, 1.0)
        .expect("the view is valid");
    editor.select(Selection::of(&[hidden, wrist]), &view);
    let mut other = editor
        .with_scene(Scene::new(nodes, meshes).expect("the nodes form a tree"))
        .expect("there are few nodes");
    assert!(other.selection().nodes().is_empty());
    other.select_alike(&editor);
    let names: Vec<_> =
        other.selection().nodes().iter().map(|node| other.scene().nodes()[*node].name.as_str()).collect();
    assert_eq!(names, ["ball", "wrist"]);
    assert_eq!(other.gizmo.settings.mode, Mode::Scale);
    let ball = other.scene().find("ball").expect("the node exists");
    assert!(other.scene().has_flag(ball, Flag::Hidden) && other.is_saved());
}
