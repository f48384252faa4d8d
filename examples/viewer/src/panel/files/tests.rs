//! The menu and the dialogs, clicked and typed in without a window.

use super::{menu, over};
use crate::built_in;
use crate::editor::Editor;
use crate::files::{Answer, Ask, Dialog, Files, Next, PlayerRequest, Question, Recent};
use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

/// Files in a window that is nothing else; wishes stay where they were made.
fn window<'a>() -> Harness<'a, Files> {
    let mut recent = Recent::kept_in(None);
    recent.add(&PathBuf::from("/scenes/ü.glb"));
    let files = Files::new(Arc::new(drop), "robot arm", recent);
    let show = |ui: &mut egui::Ui, files: &mut Files| {
        egui::MenuBar::new().ui(ui, |ui| menu(ui, files));
        over(ui.ctx(), files);
    };
    Harness::builder().with_size([800.0, 600.0]).build_ui_state(show, files)
}

fn click(window: &mut Harness<'_, Files>, label: &str) {
    window.get_by_label_contains(label).click();
    window.run();
}

/// What was wished for since the last time.
fn wishes(window: &mut Harness<'_, Files>) -> Vec<PlayerRequest> {
    std::mem::take(&mut window.state_mut().wishes)
}

#[test]
fn the_menu_asks_for_what_its_entries_say() {
    let mut window = window();
    for (entry, ask) in
        [("Open…", Ask::Open), ("Save", Ask::Save), ("Save As…", Ask::SaveAs), ("Quit", Ask::Quit)]
    {
        click(&mut window, "File");
        // "Save" stands before "Save as".
        window.get_all_by_label_contains(entry).next().expect("an entry").click();
        window.run();
        assert_eq!(wishes(&mut window), [PlayerRequest::Ask(ask)], "{entry}");
    }
    click(&mut window, "File");
    click(&mut window, "Reload");
    assert_eq!(wishes(&mut window), [], "there is no file to read again");
    click(&mut window, "File");
    click(&mut window, "Open recent");
    click(&mut window, "ü.glb");
    assert_eq!(wishes(&mut window), [PlayerRequest::Ask(Ask::OpenFile("/scenes/ü.glb".into()))]);
}

#[test]
fn a_question_is_answered_by_its_buttons_and_by_keys() {
    let mut window = window();
    let ask = |window: &mut Harness<'_, Files>| {
        window.state_mut().dialog = Some(Dialog::Question(Question::Unsaved(Next::Quit)));
        window.run();
        window.get_by_label("Save what you changed in robot arm?");
    };
    for (label, answer) in
        [("Save", Answer::Save), ("Don't save", Answer::Discard), ("Cancel", Answer::Cancel)]
    {
        ask(&mut window);
        window.get_by_label(label).click();
        window.run();
        assert_eq!(wishes(&mut window), [PlayerRequest::Answer(answer)]);
    }
    for (keys, answer) in [
        (&[Key::Enter][..], Answer::Save),
        (&[Key::Tab, Key::Enter], Answer::Discard),
        (&[Key::Tab, Key::Tab, Key::Enter], Answer::Cancel),
        (&[Key::Escape], Answer::Cancel),
    ] {
        ask(&mut window);
        for key in keys {
            window.key_press(*key);
            window.run();
        }
        assert_eq!(wishes(&mut window), [PlayerRequest::Answer(answer)]);
        window.state_mut().dialog = None;
        window.run();
    }
}

#[test]
fn enter_gives_the_answer_that_loses_nothing() {
    let mut window = window();
    let questions = [
        (Question::Exists("a.glb".into()), Answer::Cancel),
        (Question::ChangedOnDisk, Answer::Cancel),
        (Question::ReloadOver, Answer::Cancel),
        (Question::Recording("No room.".to_owned()), Answer::Save),
    ];
    for (question, answer) in questions {
        window.state_mut().dialog = Some(Dialog::Question(question));
        window.run();
        window.key_press(Key::Enter);
        window.run();
        assert_eq!(wishes(&mut window), [PlayerRequest::Answer(answer)]);
        window.state_mut().dialog = None;
        window.run();
    }
}

#[test]
fn a_path_is_typed_or_chosen_from_its_folder() {
    let folder = TempDir::new().expect("the temporary folder can be written");
    for name in ["b.GLB", "a.gltf", "note.txt", ".hidden.glb"] {
        std::fs::write(folder.path().join(name), b"").expect("ours");
    }
    std::fs::create_dir(folder.path().join("deep")).expect("ours");
    let mut editor = Editor::new(built_in::scene()).expect("few nodes");
    let mut window = window();
    let _ = window.state_mut().ask(Ask::Open, &mut editor);
    let text = |window: &Harness<'_, Files>| match &window.state().dialog {
        Some(Dialog::Path(asked)) => asked.text.clone(),
        other => panic!("{other:?}"),
    };
    if let Some(Dialog::Path(asked)) = &mut window.state_mut().dialog {
        asked.text = folder.path().join("").to_string_lossy().into_owned();
    }
    window.run();
    for (name, is_there) in
        [("a.gltf", true), ("b.GLB", true), ("deep", true), ("note", false), ("hidden", false)]
    {
        assert_eq!(window.query_by_label_contains(name).is_some(), is_there, "{name}");
    }
    click(&mut window, "deep");
    window.get_by_label("Path").type_text("x");
    window.run();
    assert_eq!(text(&window), folder.path().join("deep/x").to_string_lossy(), "it is typed on at the end");
    if let Some(Dialog::Path(asked)) = &mut window.state_mut().dialog {
        asked.choose(folder.path().join(""));
    }
    window.run();
    click(&mut window, "a.gltf");
    assert_eq!(text(&window), folder.path().join("a.gltf").to_string_lossy());
    assert!(window.query_by_label_contains("b.GLB").is_some(), "the list stays where it is clicked");
    window.get_by_label("Path").type_text("f");
    window.run();
    assert!(window.query_by_label_contains("b.GLB").is_none(), "the typed path begins otherwise");
    // The field has the keys from the beginning, and after a path that was not taken.
    if let Some(Dialog::Path(asked)) = &mut window.state_mut().dialog {
        asked.text = String::new();
        asked.refused = Some("There is no such file".to_owned());
    }
    window.run();
    window.get_by_label("Path").focus();
    window.run();
    window.get_by_label("Path").type_text("/x.glb");
    window.run();
    assert_eq!(text(&window), "/x.glb");
    assert!(
        window.query_by_label("There is no such file").is_none(),
        "typing takes the disabled_reason back"
    );
    window.key_press(Key::Enter);
    window.run();
    assert_eq!(wishes(&mut window), [PlayerRequest::TakePath]);
    window.key_press(Key::Escape);
    window.run();
    assert_eq!(wishes(&mut window), [PlayerRequest::Dismiss]);
}

/// The dialog for a file to open in this folder, in a window where two clicks are a double click.
fn open_in<'a>(folder: &TempDir) -> Harness<'a, Files> {
    let files = Files::new(Arc::new(drop), "robot arm", Recent::kept_in(None));
    let show = |ui: &mut egui::Ui, files: &mut Files| over(ui.ctx(), files);
    let mut window = Harness::builder()
        .with_size([800.0, 600.0])
        .with_step_dt(0.02)
        .with_max_steps(100)
        .build_ui_state(show, files);
    let mut editor = Editor::new(built_in::scene()).expect("few nodes");
    let _ = window.state_mut().ask(Ask::Open, &mut editor);
    if let Some(Dialog::Path(asked)) = &mut window.state_mut().dialog {
        asked.choose(folder.path().join(""));
    }
    window.run();
    window
}

/// Two clicks at one place, whatever is there at the second.
fn double_click(window: &mut Harness<'_, Files>, label: &str) {
    let at = window.get_by_label_contains(label).rect().center();
    for _ in 0..2 {
        window.hover_at(at);
        window.drag_at(at);
        window.drop_at(at);
        window.run_steps(2);
    }
}

#[test]
fn double_click_on_a_file_opens_it() {
    let folder = TempDir::new().expect("the temporary folder can be written");
    for name in ["a.gltf", "b.gltf", "c.gltf"] {
        std::fs::write(folder.path().join(name), b"").expect("ours");
    }
    let mut window = open_in(&folder);
    double_click(&mut window, "b.gltf");
    assert_eq!(wishes(&mut window), [PlayerRequest::TakePath]);
    let Some(Dialog::Path(asked)) = &window.state().dialog else { panic!("still asks") };
    assert_eq!(asked.path(), folder.path().join("b.gltf"));
}

#[test]
fn double_click_on_a_folder_opens_nothing_in_it() {
    let folder = TempDir::new().expect("the temporary folder can be written");
    let deep = folder.path().join("deep");
    std::fs::create_dir(&deep).expect("ours");
    std::fs::write(deep.join("first.gltf"), b"").expect("ours");
    let mut window = open_in(&folder);
    double_click(&mut window, "deep");
    assert_eq!(wishes(&mut window), []);
    let Some(Dialog::Path(asked)) = &window.state().dialog else { panic!("still asks") };
    assert_eq!(asked.path(), deep.join(""));
}

#[test]
fn the_list_is_read_again_by_a_key_and_not_by_frames() {
    let folder = TempDir::new().expect("the temporary folder can be written");
    let mut window = open_in(&folder);
    std::fs::write(folder.path().join("new.gltf"), b"").expect("ours");
    window.run_steps(20);
    assert!(window.query_by_label_contains("new.gltf").is_none(), "twenty frames have read nothing");
    window.key_press(Key::F5);
    window.run();
    assert!(window.query_by_label_contains("new.gltf").is_some());
    std::fs::remove_file(folder.path().join("new.gltf")).expect("ours");
    window.event(egui::Event::WindowFocused(true));
    window.run();
    assert!(window.query_by_label_contains("new.gltf").is_none(), "who comes back sees what is there");
}

#[test]
fn a_message_stays_until_it_is_read() {
    let mut window = window();
    // From a dialog that had the keys.
    let mut editor = Editor::new(built_in::scene()).expect("few nodes");
    let _ = window.state_mut().ask(Ask::Open, &mut editor);
    window.run();
    window.state_mut().warn("b.glb: is a folder".to_owned());
    window.run();
    window.key_press(Key::Enter);
    window.run();
    assert_eq!(wishes(&mut window), [PlayerRequest::Dismiss]);
    window.state_mut().warn("a.glb: cannot be written: No space left on device".to_owned());
    window.run();
    window.get_by_label_contains("No space left");
    window.get_by_label("OK").click();
    window.run();
    assert_eq!(wishes(&mut window), [PlayerRequest::Dismiss]);
}
