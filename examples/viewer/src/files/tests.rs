//! Opening, saving and losing nothing, with real files and threads.

mod trouble;

use super::*;
use crate::built_in;
use crate::gltf_file;
use std::fs;
use std::sync::mpsc::{self, Receiver};
use tempfile::TempDir;
use wgpu_gizmo::Transform;
use wgpu_gizmo::glam::DVec3;

/// A person with a window.
struct Person {
    folder: TempDir,
    editor: Editor,
    files: Files,
    told: Receiver<FileEvent>,
}

impl Person {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let (sender, told) = mpsc::channel();
        let sender = std::sync::Mutex::new(sender);
        let tell: Tell = Arc::new(move |event| drop(sender.lock().map(|sender| sender.send(event))));
        let recent = Recent::kept_in(Some(folder.path().join("recent.json")));
        let files = Files::new(tell, "robot arm", recent);
        let editor = Editor::new(built_in::scene()).expect("few nodes");
        Self { folder, editor, files, told }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A scene with one node, at this x.
    fn write(&self, name: &str, x: f64) -> PathBuf {
        let text = format!(
            r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],
                 "nodes":[{{"name":"a","translation":[{x},0,0]}}]}}"#
        );
        fs::write(self.path(name), text).expect("ours");
        self.path(name)
    }

    fn ask(&mut self, ask: Ask) {
        self.begin(ask);
        self.wait_until_saved();
    }

    /// As [`Person::ask`]; what is being written may take its time.
    fn begin(&mut self, ask: Ask) {
        let opened = self.files.ask(ask, &mut self.editor);
        self.show(opened);
    }

    fn answer(&mut self, answer: Answer) {
        self.begin_to_answer(answer);
        self.wait_until_saved();
    }

    fn begin_to_answer(&mut self, answer: Answer) {
        let opened = self.files.answer(answer, &mut self.editor);
        self.show(opened);
    }

    /// Types a path into the dialog that is there.
    fn path_is(&mut self, path: &Path) {
        let Some(Dialog::Path(asked)) = &mut self.files.dialog else { panic!("{:?}", self.files.dialog) };
        asked.text = path.to_string_lossy().into_owned();
        let opened = self.files.take_path(&mut self.editor);
        self.show(opened);
        self.wait_until_saved();
    }

    fn show(&mut self, opened: Option<Opened>) {
        if let Some(opened) = opened {
            self.editor = self.editor.with_scene(opened.scene).expect("few nodes");
            self.files.shown(&opened.path, self.editor.scene());
        }
    }

    /// Until threads have told what `wanted` says.
    fn wait(&mut self, wanted: fn(&FileEvent) -> bool) {
        loop {
            let event = self.told.recv_timeout(Duration::from_secs(60)).expect("told within a minute");
            let is_wanted = wanted(&event);
            let opened = self.files.on_event(event, &mut self.editor);
            self.show(opened);
            self.frame();
            if is_wanted {
                return;
            }
        }
    }

    /// As after a frame: what took its time to be read is put in place.
    fn frame(&mut self) {
        let opened = self.files.take_arrived(&mut self.editor);
        self.show(opened);
    }

    fn open(&mut self, path: &Path) {
        self.ask(Ask::OpenFile(path.to_owned()));
        if self.files.loading().is_some() {
            self.wait_until_loaded();
        }
    }

    fn wait_until_loaded(&mut self) {
        self.wait(|event| matches!(event, FileEvent::Loaded(..)));
    }

    /// If anything is being written.
    fn wait_until_saved(&mut self) {
        while self.files.saving().is_some() {
            self.wait(|event| matches!(event, FileEvent::Saved(..)));
        }
    }

    /// One step, of the first node.
    fn rename(&mut self, name: &str) {
        self.editor.rename(0, name).expect("a free name");
        assert!(!self.editor.is_saved());
    }

    fn x(&self) -> f64 {
        self.editor.scene().nodes()[0].local.translation.x
    }

    fn name_in(&self, path: &Path) -> String {
        gltf_file::open(path).unwrap_or_else(|error| panic!("{error}")).nodes()[0].name.clone()
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
fn a_file_is_opened_changed_saved_and_opened_again() {
    let mut person = Person::new();
    assert_eq!(person.files.title(true), "robot arm – wgpu-gizmo");
    let path = person.write("ü.gltf", 1.5);
    person.open(&path);
    assert_eq!((person.x(), person.files.title(true)), (1.5, "ü.gltf – wgpu-gizmo".to_owned()));
    assert_eq!(person.files.recent.paths(), std::slice::from_ref(&path));
    person.rename("b");
    assert_eq!(person.files.title(person.editor.is_saved()), "* ü.gltf – wgpu-gizmo");
    person.ask(Ask::Save);
    assert!(person.files.dialog.is_none() && person.editor.is_saved());
    assert_eq!(person.editor.message().as_deref(), Some("Saved ü.gltf"));
    assert_eq!(person.name_in(&path), "b");
    // A second time: what was written is known, and nobody is asked.
    person.rename("c");
    person.ask(Ask::Save);
    assert!(person.files.dialog.is_none());
    person.ask(Ask::Reload);
    person.wait_until_loaded();
    assert_eq!(person.editor.scene().nodes()[0].name, "c");
}

#[test]
fn a_scene_without_a_file_asks_for_one_and_for_leave_to_replace_another() {
    let mut person = Person::new();
    person.rename("renamed");
    person.ask(Ask::Save);
    let Some(Dialog::Path(asked)) = &person.files.dialog else { panic!("asks for a path") };
    assert!(asked.saves && asked.text.ends_with("robot arm.glb"), "{}", asked.text);
    let refused = |person: &Person| match &person.files.dialog {
        Some(Dialog::Path(asked)) => asked.refused.clone().unwrap_or_default(),
        other => panic!("{other:?}"),
    };
    person.path_is(Path::new(" "));
    assert_eq!(refused(&person), "Type the path of a file");
    person.path_is(&person.path("x.obj"));
    assert_eq!(refused(&person), "The name must end in .glb or .gltf");
    // A folder is gone into.
    let folder = person.path("");
    person.path_is(&folder);
    let Some(Dialog::Path(asked)) = &person.files.dialog else { panic!("still asks") };
    assert!(asked.text.ends_with(std::path::MAIN_SEPARATOR));
    let other = person.write("other.glb", 9.0);
    let before = fs::read(&other).expect("there");
    person.path_is(&other);
    assert!(person.question().contains("other.glb already"));
    person.answer(Answer::Cancel);
    assert_eq!(fs::read(&other).expect("there"), before);
    person.ask(Ask::SaveAs);
    person.path_is(&person.path("new"));
    assert_eq!(person.files.path(), Some(person.path("new.glb").as_path()), "the ending is added");
    assert_eq!(person.name_in(&person.path("new.glb")), "renamed");
    person.ask(Ask::SaveAs);
    person.path_is(&other);
    person.answer(Answer::Save);
    assert_eq!(person.name_in(&other), "renamed");
    assert_eq!(person.files.path(), Some(other.as_path()));
}

#[test]
fn nothing_unsaved_is_lost_without_a_word() {
    let mut person = Person::new();
    let (one, two) = (person.write("one.gltf", 1.0), person.write("two.gltf", 2.0));
    person.open(&one);
    for ask in [Ask::OpenFile(two.clone()), Ask::Reload, Ask::Quit] {
        person.rename("mine");
        person.ask(ask.clone());
        let question = person.question();
        assert!(question.contains("one.gltf"), "{question}");
        person.answer(Answer::Cancel);
        assert!(!person.files.quits() && person.files.loading().is_none(), "{ask:?}");
        assert_eq!((person.x(), person.editor.scene().nodes()[0].name.as_str()), (1.0, "mine"));
        person.rename("a");
        person.ask(ask);
        person.files.dismiss();
        assert!(!person.files.quits() && person.files.loading().is_none());
    }
    // Saved first, then on.
    person.rename("saved");
    person.ask(Ask::OpenFile(two.clone()));
    person.answer(Answer::Save);
    person.wait_until_loaded();
    assert_eq!((person.name_in(&one).as_str(), person.x()), ("saved", 2.0));
    // Given up.
    person.rename("given up");
    person.ask(Ask::Quit);
    person.answer(Answer::Discard);
    assert!(person.files.quits());
    assert_eq!(person.name_in(&two), "a");
}

#[test]
fn a_scene_without_a_file_is_saved_on_the_way_out() {
    let mut person = Person::new();
    person.rename("renamed");
    person.ask(Ask::Quit);
    person.answer(Answer::Save);
    assert!(!person.files.quits(), "it has no path yet");
    person.path_is(&person.path("arm.glb"));
    assert!(person.files.quits());
    assert_eq!(person.name_in(&person.path("arm.glb")), "renamed");
    // A path that is not given after all ends nothing.
    let mut person = Person::new();
    person.rename("renamed");
    person.ask(Ask::Quit);
    person.answer(Answer::Save);
    person.files.dismiss();
    person.ask(Ask::Save);
    person.path_is(&person.path("arm.glb"));
    assert!(!person.files.quits());
}

#[test]
fn what_is_done_while_a_file_is_written_is_not_in_it_and_not_saved() {
    let mut person = Person::new();
    let path = person.write("a.gltf", 1.0);
    person.open(&path);
    person.rename("written");
    person.begin(Ask::Save);
    assert!(!person.editor.is_saved() && person.editor.is_being_saved());
    person.rename("while it is written");
    person.wait_until_saved();
    assert_eq!((person.name_in(&path).as_str(), person.editor.is_saved()), ("written", false));
    assert_eq!(person.editor.message().as_deref(), Some("Saved a.gltf"));
    person.editor.go_to_step(1);
    assert!(person.editor.is_saved(), "a step back leads to what was saved");
    // Asked for once more while it is written, it is written once more.
    person.rename("once");
    person.begin(Ask::Save);
    person.rename("twice");
    person.begin(Ask::Save);
    person.wait_until_saved();
    assert_eq!((person.name_in(&path).as_str(), person.editor.is_saved()), ("twice", true));
    assert!(person.files.dialog.is_none(), "{:?}", person.files.dialog);
    assert!(person.told.recv_timeout(watch::PERIOD * 4).is_err(), "what is written here is no news");
}

#[test]
fn what_comes_after_a_save_waits_for_it() {
    let mut person = Person::new();
    let (one, two) = (person.write("one.gltf", 1.0), person.write("two.gltf", 2.0));
    person.open(&one);
    person.rename("saved");
    person.begin(Ask::Save);
    person.begin(Ask::OpenFile(two.clone()));
    assert!(person.files.dialog.is_none() && person.files.loading().is_none(), "neither asked nor begun");
    person.wait_until_saved();
    person.wait_until_loaded();
    assert_eq!((person.name_in(&one).as_str(), person.x()), ("saved", 2.0));
    // What was done since is asked about, first or last.
    for is_asked_first in [true, false] {
        person.rename("two");
        person.begin(Ask::Save);
        if is_asked_first {
            person.rename("more");
            person.begin(Ask::Quit);
        } else {
            person.begin(Ask::Quit);
            person.rename("more");
            person.wait_until_saved();
        }
        assert_eq!(person.question(), "Save what you changed in two.gltf?");
        assert!(!person.files.quits());
        person.answer(Answer::Cancel);
        person.wait_until_saved();
        assert_eq!((person.name_in(&two).as_str(), person.files.quits()), ("two", false));
    }
    // Given up, the window stays until the file is whole.
    person.rename("whole");
    person.begin(Ask::Save);
    person.rename("given up");
    person.begin(Ask::Quit);
    person.begin_to_answer(Answer::Discard);
    assert!(!person.files.quits());
    person.wait_until_saved();
    assert_eq!((person.name_in(&two).as_str(), person.files.quits()), ("whole", true));
}

#[test]
fn a_save_that_fails_late_keeps_the_window_and_says_so() {
    let mut person = Person::new();
    let path = person.write("a.gltf", 1.0);
    person.open(&path);
    person.rename("mine");
    person.ask(Ask::SaveAs);
    let Some(Dialog::Path(asked)) = &mut person.files.dialog else { panic!("asks for a path") };
    asked.text = person.folder.path().join("none/a.gltf").to_string_lossy().into_owned();
    let opened = person.files.take_path(&mut person.editor);
    person.show(opened);
    person.begin(Ask::Quit);
    person.wait_until_saved();
    assert!(person.message().contains("there is no folder"), "{}", person.message());
    assert!(!person.files.quits() && !person.editor.is_saved() && !person.editor.is_being_saved());
    assert_eq!(person.files.path(), Some(path.as_path()));
}

#[test]
fn a_scene_that_took_the_place_of_the_one_that_is_written_is_not_saved_by_that() {
    let mut person = Person::new();
    let (one, two) = (person.write("one.gltf", 1.0), person.write("two.gltf", 2.0));
    person.open(&one);
    person.rename("one");
    let scene = gltf_file::open(&two).expect("good");
    // It was read before the save began, and is shown before that ends.
    person.begin(Ask::Save);
    person.show(Some(Opened { scene, path: two.clone(), purpose: Purpose::Open }));
    person.rename("two");
    person.wait_until_saved();
    assert_eq!((person.name_in(&one).as_str(), person.name_in(&two).as_str()), ("one", "a"));
    assert_eq!((person.files.path(), person.editor.is_saved()), (Some(two.as_path()), false));
}

#[test]
fn a_save_that_fails_says_so_and_goes_no_further() {
    let mut person = Person::new();
    person.rename("renamed");
    person.ask(Ask::Quit);
    person.answer(Answer::Save);
    person.path_is(&person.path("none/arm.glb"));
    assert!(person.message().contains("there is no folder"), "{}", person.message());
    assert!(!person.files.quits() && !person.editor.is_saved() && person.files.path().is_none());
    assert_eq!(person.editor.message().as_deref(), Some("Not saved: arm.glb"));
}

#[test]
fn a_file_that_another_program_wrote_is_not_written_over_unasked() {
    let mut person = Person::new();
    let path = person.write("a.gltf", 1.0);
    person.open(&path);
    person.rename("mine");
    person.write("a.gltf", 22.5);
    person.ask(Ask::Save);
    assert!(person.question().contains("another program has written it"));
    person.answer(Answer::Cancel);
    assert_eq!(person.name_in(&path), "a");
    person.ask(Ask::Save);
    person.answer(Answer::SaveAs);
    person.path_is(&person.path("mine.gltf"));
    assert_eq!(
        (person.name_in(&path).as_str(), person.name_in(&person.path("mine.gltf")).as_str()),
        ("a", "mine")
    );
    let mut person = Person::new();
    let path = person.write("a.gltf", 1.0);
    person.open(&path);
    person.rename("mine");
    person.write("a.gltf", 22.5);
    person.ask(Ask::Save);
    person.answer(Answer::Save);
    assert_eq!(person.name_in(&path), "mine");
    // Gone: nothing is lost by writing it.
    fs::remove_file(&path).expect("there");
    person.rename("again");
    person.ask(Ask::Save);
    assert_eq!((person.name_in(&path).as_str(), person.files.dialog.is_none()), ("again", true));
}

#[test]
fn a_file_that_changes_on_disk_is_read_again_or_asked_about() {
    let mut person = Person::new();
    let path = person.write("a.gltf", 1.0);
    person.open(&path);
    person.write("a.gltf", 22.5);
    person.wait_until_loaded();
    assert_eq!(person.x(), 22.5);
    person.rename("mine");
    person.write("a.gltf", 333.25);
    person.wait(|event| matches!(event, FileEvent::Changed(_)));
    assert!(person.question().contains("Another program"));
    person.answer(Answer::Cancel);
    assert_eq!((person.x(), person.editor.scene().nodes()[0].name.as_str()), (22.5, "mine"));
    person.ask(Ask::Save);
    assert!(person.question().contains("another program"), "what was kept is still not what is there");
    person.files.dismiss();
    person.write("a.gltf", 4444.0);
    person.wait(|event| matches!(event, FileEvent::Changed(_)));
    person.answer(Answer::Discard);
    person.wait_until_loaded();
    assert_eq!((person.x(), person.editor.is_saved()), (4444.0, true));
    // What is written here is no news.
    person.rename("mine");
    person.ask(Ask::Save);
    assert!(person.told.recv_timeout(watch::PERIOD * 4).is_err());
}

#[test]
fn what_another_program_writes_the_moment_after_a_save_is_no_save_of_ours() {
    let mut person = Person::new();
    let path = person.write("a.gltf", 1.0);
    person.open(&path);
    for round in 0..40 {
        let (name, path) = (format!("mine{round}"), path.clone());
        person.rename(&name);
        let other = std::thread::spawn(move || {
            while !fs::read_to_string(&path).is_ok_and(|text| text.contains(&name)) {}
            fs::write(&path, "{}").expect("ours");
        });
        person.ask(Ask::Save);
        if round > 0 {
            assert!(person.question().contains("another program"), "round {round}");
            person.answer(Answer::Save);
        }
        other.join().expect("it writes");
        assert!(person.files.dialog.is_none(), "{:?}", person.files.dialog);
    }
}

#[test]
fn a_file_beside_that_was_changed_before_a_save_is_still_news_after_it() {
    let mut person = Person::new();
    let (path, beside) = (person.path("a.gltf"), person.path("a.bin"));
    fs::write(&beside, [0; 12]).expect("ours");
    let text = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"name":"a"}],
                   "buffers":[{"byteLength":12,"uri":"a.bin"}]}"#;
    fs::write(&path, text).expect("ours");
    person.open(&path);
    fs::write(&beside, [0; 16]).expect("ours");
    person.rename("mine");
    person.ask(Ask::Save);
    assert!(person.files.dialog.is_none(), "{:?}", person.files.dialog);
    person.wait(|event| matches!(event, FileEvent::Changed(_)));
}

#[test]
fn a_bad_file_is_a_message_and_the_scene_stays() {
    let mut person = Person::new();
    let path = person.write("a.gltf", 1.0);
    person.open(&path);
    fs::write(person.path("bad.gltf"), b"{\"asset\":").expect("ours");
    person.open(&person.path("bad.gltf"));
    assert!(person.message().contains("bad.gltf: line 1"), "{}", person.message());
    assert_eq!((person.x(), person.files.path()), (1.0, Some(path.as_path())));
    assert_eq!(person.files.recent.paths(), [path]);
    person.files.dismiss();
    let folder = person.path("");
    person.open(&folder);
    assert!(person.message().contains("is a folder"), "{}", person.message());
    person.files.dismiss();
    person.open(&person.path("none.glb"));
    assert!(person.message().contains("cannot be read"), "{}", person.message());
}

#[test]
fn what_was_cancelled_or_overtaken_is_not_shown() {
    let mut person = Person::new();
    let (one, two) = (person.write("one.gltf", 1.0), person.write("two.gltf", 2.0));
    person.ask(Ask::OpenFile(one.clone()));
    assert_eq!(person.files.loading().map(|(path, _)| path.to_owned()), Some(one.clone()));
    person.ask(Ask::CancelLoad);
    person.wait_until_loaded();
    assert!(person.files.path().is_none() && person.files.dialog.is_none());
    person.ask(Ask::OpenFile(one));
    person.ask(Ask::OpenFile(two.clone()));
    person.wait_until_loaded();
    if person.files.path().is_none() {
        person.wait_until_loaded();
    }
    assert_eq!((person.x(), person.files.path()), (2.0, Some(two.as_path())));
}

#[test]
fn what_is_changed_while_a_file_loads_is_asked_about() {
    let mut person = Person::new();
    let path = person.write("a.gltf", 1.0);
    person.ask(Ask::OpenFile(path.clone()));
    person.rename("while it loads");
    person.wait_until_loaded();
    assert!(person.question().contains("Save what you changed in robot arm?"));
    person.answer(Answer::Save);
    person.path_is(&person.path("arm.glb"));
    assert_eq!(person.name_in(&person.path("arm.glb")), "while it loads");
    assert_eq!((person.x(), person.files.path()), (1.0, Some(path.as_path())));
}

#[test]
fn a_step_in_the_place_of_one_that_was_given_up_is_asked_about() {
    let mut person = Person::new();
    let path = person.write("a.gltf", 1.0);
    person.rename("given up");
    person.ask(Ask::OpenFile(path));
    assert!(person.question().contains("Save what you changed in robot arm?"));
    person.begin_to_answer(Answer::Discard);
    person.editor.go_to_step(0);
    person.rename("done instead");
    person.wait_until_loaded();
    assert!(person.question().contains("Save what you changed in robot arm?"));
}

#[test]
fn settings_stay_and_a_scene_read_again_keeps_what_is_selected_hidden_and_locked() {
    use crate::flags::Flag;
    use crate::selection::Selection;
    use wgpu_gizmo::Mode;
    let mut editor = Editor::new(built_in::scene()).expect("few nodes");
    editor.gizmo.settings.mode = Mode::Scale;
    let [hidden, wrist] = ["ball", "wrist"].map(|name| editor.scene().find(name).expect("there"));
    editor.set_flag(&[hidden], Flag::Hidden, true);
    // The other one has its nodes in another order, and lacks one.
    let mut nodes: Vec<_> = editor.scene().nodes().to_vec();
    nodes.retain(|node| node.parent.is_none());
    nodes.reverse();
    nodes.push(crate::scene::Node::new(
        "wrist",
        None,
        Transform { scale: DVec3::ONE, ..Transform::IDENTITY },
    ));
    let meshes = editor.scene().meshes().to_vec();
    let viewport = wgpu_gizmo::Viewport::of_size(320, 240);
    let view =
        crate::replay_file::Camera::of_window(editor.scene(), viewport).view(viewport, 1.0).expect("a view");
    editor.select(Selection::of(&[hidden, wrist]), &view);
    let mut other = editor.with_scene(Scene::new(nodes, meshes).expect("a tree")).expect("few nodes");
    assert!(other.selection().nodes().is_empty());
    other.select_alike(&editor);
    let names: Vec<_> =
        other.selection().nodes().iter().map(|node| other.scene().nodes()[*node].name.as_str()).collect();
    assert_eq!(names, ["ball", "wrist"]);
    assert_eq!(other.gizmo.settings.mode, Mode::Scale);
    let ball = other.scene().find("ball").expect("there");
    assert!(other.scene().has_flag(ball, Flag::Hidden) && other.is_saved());
}
