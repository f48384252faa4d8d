//! Tests of files that other programs change while they are open, and of requests during other operations.

use super::*;
use std::collections::BTreeSet;

#[test]
fn deleted_file_is_reported_and_asked_about_on_quit() {
    let (mut session, path) = TestSession::opened();
    let other = session.write("b.gltf", 2.0);
    let text = fs::read(&path).expect("the file exists");
    fs::remove_file(&path).expect("the file exists");
    session.wait_until_gone();
    assert_eq!(session.editor.message().as_deref(), Some("a.gltf was deleted on disk; save it to keep it"));
    assert_eq!(session.files.file.title(&session.editor), "* a.gltf – wgpu-gizmo");
    for request in [Request::Quit, Request::OpenFile(other.clone())] {
        session.request(request);
        assert_eq!(session.question(), "a.gltf was deleted or damaged on disk. Save it again?");
        session.answer(Answer::Cancel);
    }
    assert!(!session.files.closes && session.files.loading().is_none());
    // Reloading fails and keeps the scene.
    session.request(Request::Reload);
    session.wait_until_loaded();
    assert!(session.message().contains("a.gltf: could not be read"), "{}", session.message());
    session.files.dismiss();
    session.request(Request::Quit);
    session.answer(Answer::Save);
    assert!(session.files.closes);
    assert_eq!(fs::read(&path).expect("the file was saved again"), text);
}

#[test]
fn damaged_file_is_asked_about_on_quit() {
    let (mut session, path) = TestSession::opened();
    fs::write(&path, b"{\"asset\":").expect("the folder is writable");
    session.wait_until_loaded();
    assert!(session.message().contains("a.gltf: line 1"), "{}", session.message());
    session.files.dismiss();
    session.request(Request::Quit);
    assert_eq!(session.question(), "a.gltf was deleted or damaged on disk. Save it again?");
    session.answer(Answer::Save);
    assert!(session.question().contains("was changed by another program. Overwrite it?"));
    session.answer(Answer::Save);
    assert!(session.files.closes);
    assert_eq!(session.name_in(&path), "a");
}

#[test]
fn restored_file_and_missing_referenced_file_are_reported() {
    let mut session = TestSession::new();
    let beside = session.path("a.bin");
    fs::write(&beside, [0; 12]).expect("the folder is writable");
    let path = session.write_with_buffer("a.gltf", "a.bin");
    session.open(&path);
    for (file, message) in [
        (&path, "a.gltf was deleted on disk; save it to keep it"),
        (&beside, "a.gltf needs what was deleted on disk: a.bin"),
    ] {
        fs::rename(file, session.path("away")).expect("the file exists");
        session.wait_until_gone();
        assert_eq!(session.editor.message().as_deref(), Some(message));
        fs::rename(session.path("away"), file).expect("the file exists");
        session.wait(|event| matches!(event, FileEvent::Disk(_, DiskChange::Back)));
        assert_eq!(session.editor.message().as_deref(), Some("a.gltf is on disk again, unchanged"));
        assert_eq!(session.files.file.title(&session.editor), "a.gltf – wgpu-gizmo");
    }
    session.request(Request::Quit);
    assert!(session.files.closes);
}

#[test]
fn file_dropped_on_question_or_message_is_not_opened() {
    let (mut session, one, two) = TestSession::of_two_files();
    session.open(&one);
    let two_name = two.display();
    assert_eq!(session.files.drop_message(&two), format!("Drop to open {two_name}"));
    session.files.warn("one.gltf: could not be written: No space left\non device".to_owned());
    assert_eq!(session.files.drop_message(&two), format!("Close the dialog first to open {two_name}"));
    session.request(Request::OpenFile(two.clone()));
    assert_eq!(session.message(), "one.gltf: could not be written: No space left\\non device");
    assert_eq!(session.editor.message().as_deref(), Some("Could not open two.gltf: close the dialog first"));
    session.files.dismiss();
    session.rename("mine");
    session.request(Request::Quit);
    session.request(Request::OpenFile(two.clone()));
    assert_eq!(session.question(), "Save changes to one.gltf?");
    session.answer(Answer::Cancel);
    // A file that is not a scene is reported before any question.
    fs::write(session.path("note.txt"), b"not a scene").expect("the folder is writable");
    session.request(Request::OpenFile(session.path("note.txt")));
    assert!(session.message().contains("note.txt: is not a glTF file"), "{}", session.message());
    session.files.dismiss();
    // A file that is dropped on the path dialog is opened.
    session.request(Request::Save);
    session.request(Request::Open);
    session.request(Request::OpenFile(two));
    session.wait_until_loaded();
    assert_eq!((session.x(), session.files.dialog.is_none()), (2.0, true));
}

#[test]
fn loaded_scene_waits_while_dialog_is_open() {
    let (mut session, one, two) = TestSession::of_two_files();
    session.open(&one);
    // A load that is canceled then is never shown.
    for is_canceled in [true, false] {
        session.request(Request::OpenFile(two.clone()));
        session.request(Request::SaveAs);
        session.wait_until_loaded();
        assert_eq!((session.files.loaded_path(), session.x()), (Some(two.as_path()), 1.0));
        if is_canceled {
            session.request(Request::CancelLoad);
        }
        // The shown scene is saved, not the loaded one.
        session.submit_path(&session.path(if is_canceled { "copy.gltf" } else { "again.gltf" }));
        assert_eq!((session.x(), session.files.loaded_path()), (if is_canceled { 1.0 } else { 2.0 }, None));
    }
    for name in ["copy.gltf", "again.gltf"] {
        let copy = gltf_io::open(&session.path(name)).expect("the file was saved");
        assert_eq!(copy.nodes()[0].local.translation.x, 1.0);
    }
}

#[test]
fn changes_during_reload_are_asked_about() {
    for (answer, x) in [(Answer::Cancel, 1.0), (Answer::Discard, 2.0)] {
        let (mut session, _) = TestSession::opened();
        session.write("a.gltf", 2.0);
        session.request(Request::Reload);
        session.rename("mine");
        session.wait_until_loaded();
        let question = "Reload a.gltf? Unsaved changes will be lost.";
        assert_eq!(session.question(), question);
        session.answer(answer);
        assert_eq!((session.x(), session.editor.is_saved()), (x, answer == Answer::Discard));
    }
}

#[test]
fn unwritable_recording_keeps_window_until_discarded() {
    let mut session = TestSession::new();
    let why = FileError::new(Path::new("/full/r.json"), "could not be written: No space left on device");
    let quit = |session: &mut TestSession| {
        session.request(Request::Quit);
        assert!(session.files.closes);
        session.files.recording_failed(&why);
        assert!(!session.files.closes);
        assert_eq!(session.question(), "Could not save the recording /full/r.json: No space left on device");
    };
    quit(&mut session);
    session.answer(Answer::Cancel);
    assert!(!session.files.closes);
    quit(&mut session);
    session.answer(Answer::Save);
    assert!(session.files.closes && !session.files.discards_recording, "the recording is written again");
    quit(&mut session);
    session.answer(Answer::Discard);
    assert!(session.files.closes && session.files.discards_recording);
}

#[test]
fn rescue_writes_unsaved_changes_to_new_files() {
    let mut session = TestSession::new();
    let path = session.write("a.gltf", 1.0);
    let folder = session.path("deep/rescued");
    let rescued = |session: &TestSession| {
        session.files.rescue(Some(&folder), &session.editor).expect("the folder is writable")
    };
    session.open(&path);
    assert_eq!(rescued(&session), None);
    for name in ["a 1.glb", "a 2.glb"] {
        session.rename(name);
        assert_eq!(rescued(&session), Some(folder.join(name)));
        assert_eq!(session.name_in(&folder.join(name)), name);
    }
    assert_eq!(session.name_in(&path), "a", "the scene's own file is unchanged");
}

#[test]
fn rescue_uses_other_folders_if_data_folder_is_unwritable() {
    let mut session = TestSession::new();
    let is_file = session.path("data");
    fs::write(&is_file, b"").expect("the folder is writable");
    let rescued = |session: &TestSession, folder: Option<&Path>| {
        let path = session.files.rescue(folder, &session.editor).expect("the folder is writable");
        path.expect("there are unsaved changes")
    };
    let is_temporary = |path: &Path| {
        let parent = path.parent().expect("the file is in a folder");
        assert!(parent.parent() == Some(&std::env::temp_dir()), "{}", path.display());
        fs::remove_dir_all(parent).expect("the folder was created");
    };
    // A scene without a file.
    session.rename("unnamed");
    let path = rescued(&session, None);
    assert_eq!(session.name_in(&path), "unnamed");
    is_temporary(&path);
    fs::create_dir(session.path("scenes")).expect("the folder is writable");
    let path = session.write("scenes/a.gltf", 1.0);
    session.open(&path);
    session.files.answer(Answer::Discard, &mut session.editor);
    session.wait_until_loaded();
    session.rename("mine");
    let path = rescued(&session, Some(&is_file.join("rescued")));
    assert_eq!((session.name_in(&path).as_str(), &path), ("mine", &session.path("scenes/a 1.glb")));
    fs::remove_dir_all(session.path("scenes")).expect("the folder exists");
    fs::write(session.path("scenes"), b"").expect("the folder is writable");
    let path = rescued(&session, Some(&is_file.join("rescued")));
    assert_eq!(session.name_in(&path), "mine");
    is_temporary(&path);
}

#[test]
fn ending_viewer_waits_for_running_save() {
    let (mut session, path) = TestSession::opened();
    let files = |session: &TestSession| {
        let entries = fs::read_dir(session.folder.path()).expect("the temporary folder can be read");
        entries.map(|entry| entry.expect("an entry can be read").file_name()).collect::<BTreeSet<_>>()
    };
    let before = files(&session);
    for name in ["first", "second", "third"] {
        session.rename(name);
        session.start_request(Request::Save);
        session.files.wait_for_save(Duration::from_secs(60), &mut session.editor);
        // The event of the save is still unread.
        assert_eq!(session.name_in(&path), name);
        assert_eq!(files(&session), before, "no temporary file is left");
        assert!(session.editor.is_saved(), "there is nothing to recover");
    }
}

#[cfg(unix)]
#[test]
fn non_utf8_path_can_be_opened_and_saved() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let mut session = TestSession::new();
    let odd = session.folder.path().join(OsStr::from_bytes(b"\xff a\n.gltf"));
    fs::rename(session.write("plain.gltf", 1.0), &odd).expect("the folder is writable");
    session.open(&odd);
    assert_eq!(session.files.file.path(), Some(odd.as_path()));
    assert_eq!(session.files.recent.paths, std::slice::from_ref(&odd));
    session.rename("mine");
    session.request(Request::SaveAs);
    session.files.submit_path(&mut session.editor);
    session.show();
    session.wait_until_saved();
    assert_eq!(session.name_in(&odd), "mine");
    // Once it is edited, the path is the text of the field.
    session.request(Request::SaveAs);
    let Some(Dialog::Path(dialog)) = &mut session.files.dialog else { panic!("the path dialog is open") };
    let typed = format!("{}x.gltf", dialog.text);
    session.submit_path(Path::new(&typed));
    assert_eq!(session.files.file.path(), Some(Path::new(&typed)));
}
