//! Tests of the File menu and the dialogs, without a window.

use super::{menu, overlays};
use crate::files::{Answer, Dialog, Files, PathDialog, PendingAction, Question, Recent, Request};
use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use scene::built_in;
use session::editor::Editor;
use std::path::PathBuf;
use std::sync::Arc;

/// Returns a window that shows only the menu and the dialogs. Requests are collected but do not run.
fn window<'a>() -> Harness<'a, Files> {
    let mut recent = Recent::stored_in(None);
    recent.add(&PathBuf::from("/scenes/ü.glb"));
    let files = Files::new(Arc::new(drop), "robot arm", recent);
    let show = |ui: &mut egui::Ui, files: &mut Files| {
        egui::MenuBar::new().ui(ui, |ui| menu(ui, files));
        overlays(ui.ctx(), files);
    };
    Harness::builder().with_size([800.0, 600.0]).build_ui_state(show, files)
}

fn click(window: &mut Harness<'_, Files>, label: &str) {
    window.get_by_label_contains(label).click();
    window.run();
}

fn press(window: &mut Harness<'_, Files>, key: Key) {
    window.key_press(key);
    window.run();
}

fn open(window: &mut Harness<'_, Files>, dialog: Dialog) {
    window.state_mut().dialog = Some(dialog);
    window.run();
}

/// Makes a request that opens the path dialog.
fn open_path(window: &mut Harness<'_, Files>, request: Request) {
    let mut editor = Editor::new(built_in::scene()).expect("there are few nodes");
    window.state_mut().request(request, &mut editor);
    window.run();
}

fn path_dialog<'a>(window: &'a mut Harness<'_, Files>) -> &'a mut PathDialog {
    match &mut window.state_mut().dialog {
        Some(Dialog::Path(dialog)) => dialog,
        _ => panic!("the path dialog is open"),
    }
}

/// Takes the requests since the last call.
fn take_requests(window: &mut Harness<'_, Files>) -> Vec<Request> {
    std::mem::take(&mut window.state_mut().requests)
}

#[test]
fn menu_entries_make_their_requests() {
    let mut window = window();
    for (entry, request) in [
        ("Open…", Request::Open),
        ("Save", Request::Save),
        ("Save As…", Request::SaveAs),
        ("Quit", Request::Quit),
    ] {
        click(&mut window, "File");
        // "Save" comes before "Save As…".
        window.get_all_by_label_contains(entry).next().expect("the menu has this entry").click();
        window.run();
        assert_eq!(take_requests(&mut window), [request], "{entry}");
    }
    click(&mut window, "File");
    click(&mut window, "Reload");
    assert_eq!(take_requests(&mut window), [], "there is no file to reload");
    click(&mut window, "File");
    click(&mut window, "Open Recent");
    click(&mut window, "ü.glb");
    assert_eq!(take_requests(&mut window), [Request::OpenFile("/scenes/ü.glb".into())]);
}

#[test]
fn questions_are_answered_by_buttons_and_keys() {
    let mut window = window();
    let open_question = |window: &mut Harness<'_, Files>| {
        open(window, Dialog::Question(Question::Unsaved(PendingAction::Quit)));
        window.get_by_label("Save changes to robot arm?");
    };
    for (label, answer) in
        [("Save", Answer::Save), ("Don't save", Answer::Discard), ("Cancel", Answer::Cancel)]
    {
        open_question(&mut window);
        window.get_by_label(label).click();
        window.run();
        assert_eq!(take_requests(&mut window), [Request::Answer(answer)]);
    }
    for (keys, answer) in [
        (&[Key::Enter][..], Answer::Save),
        (&[Key::Tab, Key::Enter], Answer::Discard),
        (&[Key::Tab, Key::Tab, Key::Enter], Answer::Cancel),
        (&[Key::Escape], Answer::Cancel),
    ] {
        open_question(&mut window);
        keys.iter().for_each(|key| press(&mut window, *key));
        assert_eq!(take_requests(&mut window), [Request::Answer(answer)]);
        window.state_mut().dialog = None;
        window.run();
    }
}

#[test]
fn enter_gives_safe_default_answer() {
    let mut window = window();
    let questions = [
        (Question::Exists("a.glb".into()), Answer::Cancel),
        (Question::ChangedOnDisk, Answer::Cancel),
        (Question::ReloadOver, Answer::Cancel),
        (Question::Recording("No space left.".to_owned()), Answer::Save),
    ];
    for (question, answer) in questions {
        open(&mut window, Dialog::Question(question));
        press(&mut window, Key::Enter);
        assert_eq!(take_requests(&mut window), [Request::Answer(answer)]);
        window.state_mut().dialog = None;
        window.run();
    }
    open(&mut window, Dialog::Question(Question::ReloadOver));
    for key in [Key::Tab, Key::Enter] {
        press(&mut window, key);
    }
    assert_eq!(take_requests(&mut window), [Request::Answer(Answer::Discard)], "Tab leads to the others");
    // A second Enter gives the safe answer to the next question.
    for question in [Question::Unsaved(PendingAction::Quit), Question::ChangedOnDisk] {
        open(&mut window, Dialog::Question(question));
        press(&mut window, Key::Enter);
    }
    assert_eq!(take_requests(&mut window), [Answer::Save, Answer::Cancel].map(Request::Answer));
}

#[test]
fn path_is_typed_until_accepted() {
    let mut window = window();
    open_path(&mut window, Request::Open);
    path_dialog(&mut window).text = "/scenes/".to_owned();
    window.run();
    // The field has the focus at first and after a path that was not accepted.
    window.get_by_label("Path").type_text("x");
    window.run();
    let dialog = path_dialog(&mut window);
    assert_eq!(dialog.text, "/scenes/x", "typing continues at the end");
    dialog.text = String::new();
    dialog.error = Some("The file does not exist".to_owned());
    window.run();
    window.get_by_label("Path").type_text("/x.glb");
    window.run();
    assert_eq!(path_dialog(&mut window).text, "/x.glb");
    assert!(window.query_by_label("The file does not exist").is_none(), "typing clears the error");
    press(&mut window, Key::Enter);
    assert_eq!(take_requests(&mut window), [Request::SubmitPath]);
    press(&mut window, Key::Escape);
    assert_eq!(take_requests(&mut window), [Request::Dismiss]);
}

#[test]
fn message_stays_until_closed() {
    let mut window = window();
    // The path dialog before it had the focus.
    open_path(&mut window, Request::Open);
    window.state_mut().warn("b.glb: is a folder".to_owned());
    window.run();
    press(&mut window, Key::Enter);
    assert_eq!(take_requests(&mut window), [Request::Dismiss]);
    window.state_mut().warn("a.glb: could not be written: No space left on device".to_owned());
    window.run();
    window.get_by_label_contains("No space left");
    window.get_by_label("OK").click();
    window.run();
    assert_eq!(take_requests(&mut window), [Request::Dismiss]);
}

#[test]
fn name_to_save_is_selected_after_focus_elsewhere() {
    let mut window = window();
    window.get_by_label("File").focus();
    window.run();
    open_path(&mut window, Request::SaveAs);
    window.event(egui::Event::Text("x".to_owned()));
    window.run();
    let dialog = path_dialog(&mut window);
    assert!(dialog.text.ends_with("/x.glb"), "{}", dialog.text);
}
