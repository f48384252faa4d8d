//! What others do to a file while it is open, and what is asked for at a bad moment.

use super::*;

/// Until threads have told that files have gone.
fn wait_until_gone(person: &mut Person) {
    person.wait(|event| matches!(event, FileEvent::Gone(..)));
}

#[test]
fn a_file_that_has_gone_is_said_and_is_not_lost_by_closing() {
    let mut person = Person::new();
    let (path, other) = (person.write("a.gltf", 1.0), person.write("b.gltf", 2.0));
    person.open(&path);
    let text = fs::read(&path).expect("there");
    fs::remove_file(&path).expect("there");
    wait_until_gone(&mut person);
    assert_eq!(
        person.editor.message().as_deref(),
        Some("a.gltf is no longer on disk; saving writes it again")
    );
    assert_eq!(person.files.title(person.editor.is_saved()), "* a.gltf – wgpu-gizmo");
    for ask in [Ask::Quit, Ask::OpenFile(other.clone())] {
        person.ask(ask);
        assert_eq!(person.question(), "a.gltf is not on disk any longer as it is here. Write it again?");
        person.answer(Answer::Cancel);
    }
    assert!(!person.files.quits() && person.files.loading().is_none());
    // Reading it again finds nothing, and what is here stays.
    person.ask(Ask::Reload);
    person.wait_until_loaded();
    assert!(person.message().contains("a.gltf: cannot be read"), "{}", person.message());
    person.files.dismiss();
    person.ask(Ask::Quit);
    person.answer(Answer::Save);
    assert!(person.files.quits());
    assert_eq!(fs::read(&path).expect("written again"), text);
}

#[test]
fn a_file_that_is_no_scene_any_longer_is_not_lost_by_closing() {
    let mut person = Person::new();
    let path = person.write("a.gltf", 1.0);
    person.open(&path);
    fs::write(&path, b"{\"asset\":").expect("ours");
    person.wait_until_loaded();
    assert!(person.message().contains("a.gltf: line 1"), "{}", person.message());
    person.files.dismiss();
    person.ask(Ask::Quit);
    assert_eq!(person.question(), "a.gltf is not on disk any longer as it is here. Write it again?");
    person.answer(Answer::Save);
    assert!(person.question().contains("another program has written it. Write over it?"));
    person.answer(Answer::Save);
    assert!(person.files.quits());
    assert_eq!(person.name_in(&path), "a");
}

#[test]
fn a_file_that_is_back_is_what_it_was_and_what_has_gone_beside_it_is_named() {
    let mut person = Person::new();
    let (path, beside) = (person.path("a.gltf"), person.path("a.bin"));
    fs::write(&beside, [0; 12]).expect("ours");
    let text = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"name":"a"}],
                   "buffers":[{"byteLength":12,"uri":"a.bin"}]}"#;
    fs::write(&path, text).expect("ours");
    person.open(&path);
    for (file, message) in [
        (&path, "a.gltf is no longer on disk; saving writes it again"),
        (&beside, "a.bin, which a.gltf needs, is no longer on disk"),
    ] {
        fs::rename(file, person.path("away")).expect("there");
        wait_until_gone(&mut person);
        assert_eq!(person.editor.message().as_deref(), Some(message));
        fs::rename(person.path("away"), file).expect("there");
        person.wait(|event| matches!(event, FileEvent::Back(_)));
        assert_eq!(person.editor.message().as_deref(), Some("a.gltf is there again, as it was"));
        assert_eq!(person.files.title(person.editor.is_saved()), "a.gltf – wgpu-gizmo");
    }
    person.ask(Ask::Quit);
    assert!(person.files.quits());
}

#[test]
fn a_file_dropped_on_a_question_or_a_message_is_not_opened_and_they_stay() {
    let mut person = Person::new();
    let (one, two) = (person.write("one.gltf", 1.0), person.write("two.gltf", 2.0));
    person.open(&one);
    person.files.warn("one.gltf: cannot be written: No space left\non device".to_owned());
    person.ask(Ask::OpenFile(two.clone()));
    assert_eq!(person.message(), "one.gltf: cannot be written: No space left\\non device");
    assert_eq!(
        person.editor.message().as_deref(),
        Some("Not opened: two.gltf; something else waits for an answer")
    );
    person.files.dismiss();
    person.rename("mine");
    person.ask(Ask::Quit);
    person.ask(Ask::OpenFile(two.clone()));
    assert_eq!(person.question(), "Save what you changed in one.gltf?");
    person.answer(Answer::Cancel);
    // What is no scene is said before anything is asked.
    fs::write(person.path("note.txt"), b"no scene").expect("ours");
    person.ask(Ask::OpenFile(person.path("note.txt")));
    assert!(person.message().contains("note.txt: is no glTF file"), "{}", person.message());
    person.files.dismiss();
    // On a dialog for a path it is an answer.
    person.ask(Ask::Save);
    person.ask(Ask::Open);
    person.ask(Ask::OpenFile(two));
    person.wait_until_loaded();
    assert_eq!((person.x(), person.files.dialog.is_none()), (2.0, true));
}

#[test]
fn what_has_been_read_waits_while_the_person_does_something() {
    let mut person = Person::new();
    let (one, two) = (person.write("one.gltf", 1.0), person.write("two.gltf", 2.0));
    person.open(&one);
    // One that is cancelled then is never shown.
    for is_cancelled in [true, false] {
        person.ask(Ask::OpenFile(two.clone()));
        person.ask(Ask::SaveAs);
        person.wait_until_loaded();
        assert_eq!((person.files.arrived(), person.x()), (Some(two.as_path()), 1.0));
        if is_cancelled {
            person.ask(Ask::CancelLoad);
        }
        // What is saved is what is seen.
        person.path_is(&person.path(if is_cancelled { "copy.gltf" } else { "again.gltf" }));
        assert_eq!((person.x(), person.files.arrived()), (if is_cancelled { 1.0 } else { 2.0 }, None));
    }
    for name in ["copy.gltf", "again.gltf"] {
        let copy = gltf_file::open(&person.path(name)).expect("saved");
        assert_eq!(copy.nodes()[0].local.translation.x, 1.0);
    }
}

#[test]
fn what_is_changed_while_the_file_is_read_again_is_asked_about() {
    for (answer, x) in [(Answer::Cancel, 1.0), (Answer::Discard, 2.0)] {
        let mut person = Person::new();
        let path = person.write("a.gltf", 1.0);
        person.open(&path);
        person.write("a.gltf", 2.0);
        person.ask(Ask::Reload);
        person.rename("mine");
        person.wait_until_loaded();
        let question = "Read a.gltf again? What you changed since you saved it would be lost.";
        assert_eq!(person.question(), question);
        person.answer(answer);
        assert_eq!((person.x(), person.editor.is_saved()), (x, answer == Answer::Discard));
    }
}

#[test]
fn a_recording_that_cannot_be_written_keeps_the_window_until_it_is_given_up() {
    let mut person = Person::new();
    let why = FileError::new(Path::new("/full/r.json"), "cannot be written: No space left on device");
    let ask = |person: &mut Person| {
        person.ask(Ask::Quit);
        assert!(person.files.quits());
        person.files.recording_failed(&why);
        assert!(!person.files.quits());
        assert!(person.question().contains("/full/r.json: cannot be written: No space"));
    };
    ask(&mut person);
    person.answer(Answer::Cancel);
    assert!(!person.files.quits());
    ask(&mut person);
    person.answer(Answer::Save);
    assert!(person.files.quits() && !person.files.gives_up_recording(), "it is tried again");
    ask(&mut person);
    person.answer(Answer::Discard);
    assert!(person.files.quits() && person.files.gives_up_recording());
}

#[test]
fn what_is_nowhere_else_is_rescued_where_the_window_cannot_go_on() {
    let mut person = Person::new();
    let path = person.write("a.gltf", 1.0);
    let folder = person.path("deep/rescued");
    let rescued = |person: &Person| person.files.rescue(&folder, &person.editor).expect("room");
    person.open(&path);
    assert_eq!(rescued(&person), None);
    for name in ["a 1.glb", "a 2.glb"] {
        person.rename(name);
        assert_eq!(rescued(&person), Some(folder.join(name)));
        assert_eq!(person.name_in(&folder.join(name)), name);
    }
    assert_eq!(person.name_in(&path), "a", "its own file is not touched");
    let error = person.files.rescue(&path, &person.editor).expect_err("a file is no folder");
    assert!(error.to_string().contains("a 1.glb: cannot be written"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_path_that_is_no_text_is_opened_and_saved_as_it_is() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let mut person = Person::new();
    let odd = person.folder.path().join(OsStr::from_bytes(b"\xff a\n.gltf"));
    fs::rename(person.write("plain.gltf", 1.0), &odd).expect("ours");
    person.ask(Ask::Open);
    let Some(Dialog::Path(asked)) = &mut person.files.dialog else { panic!("asks for a path") };
    asked.choose(odd.clone());
    let opened = person.files.take_path(&mut person.editor);
    person.show(opened);
    person.wait_until_loaded();
    assert_eq!((person.files.path(), person.files.dialog.is_none()), (Some(odd.as_path()), true));
    assert_eq!(person.files.recent.paths(), std::slice::from_ref(&odd));
    person.rename("mine");
    person.ask(Ask::SaveAs);
    let opened = person.files.take_path(&mut person.editor);
    person.show(opened);
    person.wait_until_saved();
    assert_eq!(person.name_in(&odd), "mine");
    // Typed on, it is a text.
    person.ask(Ask::Open);
    let Some(Dialog::Path(asked)) = &mut person.files.dialog else { panic!("asks for a path") };
    asked.choose(odd);
    asked.text.push('x');
    assert!(person.files.take_path(&mut person.editor).is_none());
    let Some(Dialog::Path(asked)) = &person.files.dialog else { panic!("still asks") };
    assert_eq!(asked.refused.as_deref(), Some("There is no such file"));
}
