//! Tests of dialogs of the desktop, with one that answers at once.

use super::*;
use crate::files::{Dialog, FileEvent, Question, Recent};
use scene::built_in;
use std::fs;
use std::sync::mpsc::{Receiver, channel};
use tempfile::TempDir;

struct Session {
    files: Files,
    editor: Editor,
    events: Receiver<FileEvent>,
    asked: Receiver<Choice>,
    folder: TempDir,
}

/// Returns a session whose dialogs answer with a path in its folder.
fn session(answer: Option<&str>) -> Session {
    let (sender, events) = channel();
    let (asking, asked) = channel();
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let notify = move |event| drop(sender.send(event));
    let mut files = Files::new(Arc::new(notify), "untitled", Recent::stored_in(None));
    let answer = answer.map(|name| folder.path().join(name));
    files.window.desktop = Some(Box::new(move |choice: &Choice| {
        drop(asking.send(choice.clone()));
        let answer = answer.clone();
        Box::pin(async move { answer })
    }));
    let editor = Editor::new(built_in::scene()).expect("there are few nodes");
    Session { files, editor, events, asked, folder }
}

impl Session {
    /// Handles the next event of a kind, and all before it.
    fn wait(&mut self, is_last: fn(&FileEvent) -> bool) {
        loop {
            let event = self.events.recv_timeout(Duration::from_secs(60)).expect("a thread answers");
            let ends = is_last(&event);
            assert!(self.files.on_event(event, &mut self.editor).is_none());
            if ends {
                return;
            }
        }
    }

    fn request(&mut self, request: Request) {
        assert!(self.files.request(request, &mut self.editor).is_none());
    }
}

fn is_chosen(event: &FileEvent) -> bool {
    matches!(event, FileEvent::Chosen(..))
}

fn is_saved(event: &FileEvent) -> bool {
    matches!(event, FileEvent::Saved(..))
}

#[test]
fn scene_is_saved_to_chosen_path_without_second_question() {
    let mut session = session(Some("chosen.glb"));
    let path = session.folder.path().join("chosen.glb");
    fs::write(&path, "another file").expect("the folder is writable");
    session.request(Request::SaveAs);
    assert!(session.files.dialog.is_none(), "no path is typed");
    let choice = session.asked.recv().expect("the dialog was shown");
    assert_eq!((choice.saves, choice.name.as_deref()), (true, Some("untitled.glb")));
    session.wait(is_chosen);
    session.wait(is_saved);
    assert!(gltf_io::open(&path).is_ok(), "the file was replaced");
    session.request(Request::Open);
    let choice = session.asked.recv().expect("the dialog was shown");
    assert_eq!((choice.saves, choice.name), (false, None));
    assert_eq!(choice.folder.components().collect::<PathBuf>(), session.folder.path());
}

#[test]
fn added_ending_is_asked_about_and_wrong_one_is_refused() {
    let mut session = session(Some("chosen"));
    fs::write(session.folder.path().join("chosen.glb"), "another file").expect("the folder is writable");
    session.request(Request::SaveAs);
    session.wait(is_chosen);
    assert!(matches!(session.files.dialog, Some(Dialog::Question(Question::Exists(_)))));
    let mut session = self::session(Some("chosen.txt"));
    session.request(Request::SaveAs);
    session.wait(is_chosen);
    assert!(matches!(session.files.dialog, Some(Dialog::Message(_))));
}

#[test]
fn path_is_typed_where_no_dialog_can_be_shown() {
    let mut session = session(None);
    session.request(Request::Open);
    session.wait(is_chosen);
    assert!(matches!(session.files.dialog, Some(Dialog::Path(_))), "it ended too fast to be seen");
    session.files.dismiss();
    session.request(Request::SaveAs);
    assert!(matches!(session.files.dialog, Some(Dialog::Path(_))), "it is not tried again");
}

#[test]
fn canceled_dialog_changes_nothing() {
    let mut session = session(None);
    session.request(Request::Open);
    session.request(Request::SaveAs);
    assert_eq!(session.asked.try_iter().count(), 1, "one dialog at a time");
    let begun = Instant::now().checked_sub(2 * MIN_SHOWN).expect("the clock has run");
    session.files.asked.as_mut().expect("the dialog is open").begun = begun;
    session.wait(is_chosen);
    assert!(session.files.dialog.is_none() && session.files.asked.is_none());
    assert!(session.files.window.desktop.is_some(), "it is shown again");
}
