//! Files that other programs change while they are open.

use super::*;

#[test]
fn file_changed_by_other_program_is_not_overwritten_unasked() {
    let (mut session, path) = TestSession::opened();
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
    let (mut session, path) = TestSession::opened();
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
fn file_written_again_with_same_contents_is_saved_unasked() {
    let (mut session, path) = TestSession::opened();
    session.rename("mine");
    let file = fs::File::options().write(true).open(&path).expect("the file is writable");
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("the file is writable");
    session.wait(|event| matches!(event, FileEvent::Disk(_, DiskChange::Touched(_))));
    session.request(Request::Save);
    assert_eq!((session.name_in(&path).as_str(), session.files.dialog.is_none()), ("mine", true));
}

#[test]
fn changed_file_is_reloaded_or_asked_about() {
    let (mut session, _) = TestSession::opened();
    session.write("a.gltf", 22.5);
    session.wait_until_loaded();
    assert_eq!(session.x(), 22.5);
    session.rename("mine");
    // The length of the file stays the same.
    session.write("a.gltf", 33.5);
    session.wait_until_changed();
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
    session.wait_until_changed();
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
    let (mut session, path) = TestSession::opened();
    for round in 0..40 {
        let (name, path) = (format!("mine{round}"), path.clone());
        session.rename(&name);
        let other = std::thread::spawn(move || {
            while !fs::read_to_string(&path).is_ok_and(|text| text.contains(&name)) {}
            fs::write(&path, "{}").expect("the folder is writable");
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
    for (copy, later_saves, refers) in [(None, 1, true), (Some("b.gltf"), 0, true), (Some("b.glb"), 1, false)]
    {
        let mut session = TestSession::new();
        let beside = session.path("a.bin");
        fs::write(&beside, [0; 12]).expect("the folder is writable");
        let path = session.write_with_buffer("a.gltf", "a.bin");
        session.open(&path);
        if let Some(copy) = copy {
            session.request(Request::SaveAs);
            session.submit_path(&session.path(copy));
        }
        fs::write(&beside, [0; 16]).expect("the folder is writable");
        for _ in 0..later_saves {
            session.rename("mine");
            session.request(Request::Save);
        }
        assert!(session.files.dialog.is_none(), "{:?}", session.files.dialog);
        match refers {
            true => session.wait_until_changed(),
            false => assert!(session.events.recv_timeout(watch::PERIOD * 4).is_err(), "it is embedded"),
        }
    }
}
