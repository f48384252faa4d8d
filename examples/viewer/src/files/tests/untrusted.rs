//! Files that refer to others they should not, and files that were replaced without a trace.

use super::*;
use std::time::SystemTime;

#[test]
fn folder_outside_is_read_only_after_answer() {
    let mut session = TestSession::new();
    fs::create_dir(session.path("scene")).expect("the folder is writable");
    fs::write(session.path("outside.bin"), b"1").expect("the folder is writable");
    let path = session.write_with_buffer("scene/a.gltf", "../outside.bin");
    session.open(&path);
    let question = session.question();
    assert!(question.starts_with("a.gltf refers to files outside of its folder"), "{question}");
    assert!(question.ends_with("Read this folder?"), "{question}");
    session.answer(Answer::Cancel);
    assert_eq!(session.files.file.path(), None);
    let message = session.editor.message().unwrap_or_default();
    assert!(message.starts_with("Could not open ") && message.contains("../outside.bin"), "{message}");
    session.open(&path);
    session.answer(Answer::Save);
    session.wait_until_loaded();
    assert_eq!(session.files.file.path(), Some(path.as_path()));
    // The folder stays allowed.
    session.request(Request::Reload);
    session.wait_until_loaded();
    assert!(session.files.dialog.is_none());
}

#[test]
fn scene_with_images_outside_opens_without_them() {
    for has_dialog in [false, true] {
        let mut session = TestSession::new();
        fs::create_dir(session.path("scene")).expect("the folder is writable");
        fs::write(session.path("outside.png"), b"1").expect("the folder is writable");
        let path = session.write("scene/a.gltf", 1.0);
        let text = fs::read_to_string(&path).expect("the file exists");
        let text = text.replace("\"nodes\":[{", "\"images\":[{\"uri\":\"../outside.png\"}],\"nodes\":[{");
        fs::write(&path, text).expect("the file is writable");
        session.request(Request::OpenFile(path.clone()));
        if has_dialog {
            session.request(Request::SaveAs);
        }
        session.wait_until_loaded();
        if has_dialog {
            session.files.dismiss();
            session.frame();
        }
        assert!(session.question().contains("outside of its folder"));
        session.answer(Answer::Cancel);
        session.frame();
        assert_eq!((session.files.file.path(), session.x()), (Some(path.as_path()), 1.0));
    }
}

#[test]
fn replacement_of_same_length_and_time_is_asked_about() {
    let mut session = TestSession::new();
    let write = |session: &TestSession, x| {
        let path = session.write("a.gltf", x);
        let file = fs::File::options().write(true).open(&path).expect("the file exists");
        file.set_modified(SystemTime::UNIX_EPOCH).expect("the file is writable");
        path
    };
    let path = write(&session, 1.0);
    session.open(&path);
    session.rename("b");
    write(&session, 2.0);
    session.request(Request::Save);
    assert!(session.question().contains("was changed by another program. Overwrite it?"));
    session.answer(Answer::Cancel);
    write(&session, 1.0);
    session.request(Request::Save);
    assert!(session.files.dialog.is_none() && session.editor.is_saved(), "the same contents again");
}

#[test]
fn next_load_waits_for_thread_of_canceled_one() {
    let mut session = TestSession::new();
    let path = session.write("a.gltf", 1.0);
    let (sender, blocked) = mpsc::channel::<()>();
    session.files.loader.thread = Some(std::thread::spawn(move || {
        let _ = blocked.recv();
    }));
    session.request(Request::OpenFile(path.clone()));
    assert!(session.events.recv_timeout(Duration::from_millis(100)).is_err(), "the load waits");
    drop(sender);
    session.wait_until_loaded();
    assert_eq!(session.files.file.path(), Some(path.as_path()));
}
