//! Requests and changes while a file is being saved, and saves that fail.

use super::*;

#[test]
fn changes_during_save_stay_unsaved() {
    let (mut session, path) = TestSession::opened();
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
fn saving_as_another_file_during_save_is_refused() {
    let (mut session, path) = TestSession::opened();
    session.rename("written");
    session.start_request(Request::Save);
    session.start_request(Request::SaveAs);
    let copy = session.path("copy.gltf");
    session.start_submit_path(&copy);
    assert_eq!(session.editor.message().as_deref(), Some("Could not save: a.gltf is still being saved"));
    session.wait_until_saved();
    assert_eq!((session.name_in(&path).as_str(), copy.exists()), ("written", false));
}

#[test]
fn requests_wait_for_save_in_progress() {
    let (mut session, one, two) = TestSession::of_two_files();
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
        assert!(!session.files.closes);
        session.answer(Answer::Cancel);
        session.wait_until_saved();
        assert_eq!((session.name_in(&two).as_str(), session.files.closes), ("two", false));
    }
    // After the changes are discarded, the window stays until the save is complete.
    session.rename("whole");
    session.start_request(Request::Save);
    session.rename("discarded");
    session.start_request(Request::Quit);
    session.start_answer(Answer::Discard);
    assert!(!session.files.closes);
    session.wait_until_saved();
    assert_eq!((session.name_in(&two).as_str(), session.files.closes), ("whole", true));
}

#[test]
fn edit_after_request_to_quit_during_save_is_asked_about() {
    for edits in [false, true] {
        let (mut session, _) = TestSession::opened();
        session.start_request(Request::SaveAs);
        let copy = session.path("copy.gltf");
        session.start_submit_path(&copy);
        // Nothing is unsaved, so this only waits for the copy.
        session.start_request(Request::Quit);
        assert!(session.files.dialog.is_none() && !session.files.closes);
        if edits {
            session.rename("late");
        }
        session.wait_until_saved();
        assert_eq!(session.files.closes, !edits);
        if edits {
            assert_eq!(session.question(), "Save changes to copy.gltf?");
            session.answer(Answer::Save);
            assert_eq!((session.name_in(&copy).as_str(), session.files.closes), ("late", true));
        }
    }
}

#[test]
fn save_failing_while_quitting_keeps_window_open() {
    let (mut session, path) = TestSession::opened();
    session.rename("mine");
    session.request(Request::SaveAs);
    session.start_submit_path(&session.path("none/a.gltf"));
    session.start_request(Request::Quit);
    session.wait_until_saved();
    let gone = session.path("none");
    let wanted =
        format!("Could not save {}: there is no folder {}", gone.join("a.gltf").display(), gone.display());
    assert_eq!(session.message(), wanted);
    assert!(!session.files.closes && !session.editor.is_saved() && !session.editor.is_being_saved());
    assert_eq!(session.files.file.path(), Some(path.as_path()));
    assert_eq!(session.editor.message().as_deref(), Some("Could not save a.gltf"));
}

#[test]
fn scene_shown_during_save_is_not_marked_saved() {
    let (mut session, one, two) = TestSession::of_two_files();
    session.open(&one);
    session.rename("one");
    let scene = gltf_io::open(&two).expect("the file is valid");
    // It was loaded before the save began and is shown before the save ends.
    session.start_request(Request::Save);
    session.files.opened = Some(Opened { scene, path: two.clone(), purpose: Purpose::Open });
    session.show();
    session.rename("two");
    session.wait_until_saved();
    assert_eq!((session.name_in(&one).as_str(), session.name_in(&two).as_str()), ("one", "a"));
    assert_eq!((session.files.file.path(), session.editor.is_saved()), (Some(two.as_path()), false));
}
