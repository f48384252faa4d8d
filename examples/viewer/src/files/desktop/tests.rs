//! Tests of dialogs of the desktop, with one that answers at once.

use super::*;
use crate::files::tests::TestSession;
use crate::files::{AfterSave, Dialog, FileEvent, PendingAction, Question};
use std::fs;
use std::sync::mpsc::{Receiver, channel};

/// Returns a session whose dialogs answer with a path in its folder, and what they are asked for.
fn session(answer: Option<&str>) -> (TestSession, Receiver<Choice>) {
    let mut session = TestSession::new();
    let (asking, asked) = channel();
    let answer = answer.map(|name| session.path(name));
    session.files.window.desktop = Some(Box::new(move |choice: &Choice| {
        drop(asking.send(choice.clone()));
        let answer = answer.clone();
        Box::pin(async move { answer })
    }));
    (session, asked)
}

fn is_chosen(event: &FileEvent) -> bool {
    matches!(event, FileEvent::Chosen(..))
}

fn is_saved(event: &FileEvent) -> bool {
    matches!(event, FileEvent::Saved(..))
}

#[test]
fn scene_is_saved_to_chosen_path_without_second_question() {
    let (mut session, asked) = session(Some("chosen.glb"));
    let path = session.path("chosen.glb");
    fs::write(&path, "another file").expect("the folder is writable");
    session.start_request(Request::SaveAs);
    assert!(session.files.dialog.is_none(), "no path is typed");
    let choice = asked.recv().expect("the dialog was shown");
    assert_eq!((choice.saves, choice.name.as_deref()), (true, Some("robot arm.glb")));
    session.wait(is_chosen);
    session.wait(is_saved);
    assert!(gltf_io::open(&path).is_ok(), "the file was replaced");
    session.start_request(Request::Open);
    let choice = asked.recv().expect("the dialog was shown");
    assert_eq!((choice.saves, choice.name), (false, None));
    assert_eq!(choice.folder, session.path(""));
}

#[test]
fn added_ending_is_asked_about_and_wrong_one_is_refused() {
    let (mut session, _asked) = session(Some("chosen"));
    fs::write(session.path("chosen.glb"), "another file").expect("the folder is writable");
    session.start_request(Request::SaveAs);
    session.wait(is_chosen);
    assert!(matches!(session.files.dialog, Some(Dialog::Question(Question::Exists(_)))));
    let (mut session, _asked) = self::session(Some("chosen.txt"));
    session.start_request(Request::SaveAs);
    session.wait(is_chosen);
    assert!(matches!(session.files.dialog, Some(Dialog::Message(_))));
}

#[test]
fn path_is_typed_where_no_dialog_can_be_shown() {
    let (mut session, _asked) = session(None);
    session.start_request(Request::Open);
    session.wait(is_chosen);
    assert!(matches!(session.files.dialog, Some(Dialog::Path(_))), "it ended too fast to be seen");
    session.files.dismiss();
    session.start_request(Request::SaveAs);
    assert!(matches!(session.files.dialog, Some(Dialog::Path(_))), "it is not tried again");
}

#[test]
fn canceled_dialog_changes_nothing() {
    let (mut session, asked) = session(None);
    session.start_request(Request::Open);
    session.files.after_save = Some(AfterSave { next: PendingAction::Quit, may_lose: None });
    session.start_request(Request::SaveAs);
    assert!(session.files.after_save.is_none(), "nothing is going to be saved");
    assert_eq!(asked.try_iter().count(), 1, "one dialog at a time");
    assert_eq!(session.editor.message().as_deref(), Some("Close the other file dialog first"));
    let begun = Instant::now().checked_sub(2 * MIN_SHOWN).expect("the clock has run");
    session.files.asked.as_mut().expect("the dialog is open").begun = begun;
    session.wait(is_chosen);
    assert!(session.files.dialog.is_none() && session.files.asked.is_none());
    assert!(session.files.window.desktop.is_some(), "it is shown again");
}

#[test]
fn scene_stays_until_its_save_dialog_is_closed() {
    let (mut session, _asked) = session(None);
    let (other, saved) = (session.write("other.gltf", 7.0), session.path("saved.glb"));
    let (close, closed) = channel();
    let closed = std::cell::RefCell::new(Some(closed));
    session.files.window.desktop = Some(Box::new(move |_: &Choice| {
        let closed = closed.take().expect("one dialog is shown");
        Box::pin(async move { closed.recv().ok() })
    }));
    session.start_request(Request::OpenFile(other));
    session.start_request(Request::SaveAs);
    session.wait(|event| matches!(event, FileEvent::Loaded(..)));
    assert_ne!(session.x(), 7.0, "the scene of the dialog is still shown");
    close.send(saved.clone()).expect("the dialog is open");
    session.wait(is_saved);
    assert_eq!(session.x(), 7.0, "the loaded one follows");
    assert_ne!(gltf_io::open(&saved).expect("a scene was saved").nodes().len(), 1);
}
