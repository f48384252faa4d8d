//! Tests that commands, crop boxes and undo replay as they were.

use super::*;
use crate::command::Run;
use crate::replay_file::Expected;
use wgpu_gizmo_core::HandleId;

fn run(fixture: &mut Session, recorder: &mut Recorder, command: Command) {
    act_by(fixture, recorder, &EventKind::Command(command), Mods::default());
    fixture.update().expect("the view is valid");
}

#[test]
fn crop_boxes_of_undo_and_history_are_recorded() {
    let (mut fixture, mut recorder) = recorded(&["crate", "ball"]);
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    run(fixture, recorder, Command::SectionX);
    let ball = fixture.editor.node("ball");
    in_panel(fixture, recorder, |editor| editor.rename(ball, "other").expect("the name is free"));
    run(fixture, recorder, Command::SectionY);
    assert_plays_to(fixture, recorder, "after two sections");
    for command in [Command::Undo, Command::Undo, Command::Undo, Command::Redo] {
        run(fixture, recorder, command);
        assert_plays_to(fixture, recorder, &format!("after {command:?}"));
    }
    assert_eq!(fixture.editor.log().done(), 1);
    for done in [3, 0, 1] {
        in_panel(fixture, recorder, |editor| editor.go_to_step(done));
        assert_plays_to(fixture, recorder, &format!("after {done} steps"));
    }
    let test = read(&recorder.test(Path::new("test.json"), &fixture.editor));
    let Some(EventKind::Expect(expected)) = test.events.last().map(|event| &event.kind) else {
        panic!("the last event checks the result")
    };
    let Some(crops @ Edit::Crop(_)) = expected.edits.last() else { panic!("{expected:?}") };
    let wanted = Expected { edits: vec![crops.clone()], ..Expected::default() };
    let missed = wanted.missed(&built_in::scene()).expect("nothing is cut");
    assert!(missed.starts_with("ball: extents is null, not [["), "{missed}");
    recorder.start_over(fixture);
    assert_plays_to(fixture, recorder, "after it started over");
}

#[test]
fn undo_of_section_replays_after_starting_over() {
    let (mut fixture, mut recorder) = recorded(&["crate"]);
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    run(fixture, recorder, Command::SectionX);
    assert_eq!(kinds(recorder), ["select", "command", "set"], "the handles are shown");
    recorder.start_over(fixture);
    for command in [Command::Undo, Command::Redo, Command::Undo] {
        run(fixture, recorder, command);
        assert_plays_to(fixture, recorder, &format!("after {command:?}"));
        assert_eq!(fixture.editor.values().box_result.is_some(), command == Command::Redo);
    }
}

#[test]
fn undone_pivot_replays_after_panel_edit() {
    let (mut fixture, mut recorder) = recorded(&["ball"]);
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    let ball = fixture.editor.node("ball");
    in_panel(fixture, recorder, |editor| editor.rename(ball, "other").expect("the name is free"));
    run(fixture, recorder, Command::EditPivot);
    let handle = HandleId::from_name("translate_x").expect("the handle exists");
    act_by(fixture, recorder, &EventKind::Drive(handle, 2.0.into()), Mods::default());
    for command in [Command::EditPivot, Command::Undo, Command::Redo, Command::Undo] {
        run(fixture, recorder, command);
        let played = assert_plays_to(fixture, recorder, &format!("after {command:?}"));
        assert_eq!(played.editor.gizmo().pivot_place(), fixture.editor.gizmo().pivot_place());
    }
}

#[test]
fn pivot_that_moves_again_after_undo_is_undone_again() {
    let (mut fixture, mut recorder) = recorded(&["ball"]);
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    run(fixture, recorder, Command::EditPivot);
    let handle = HandleId::from_name("translate_x").expect("the handle exists");
    for _ in 0..2 {
        act_by(fixture, recorder, &EventKind::Drive(handle, 2.0.into()), Mods::default());
        fixture.update().expect("the view is valid");
        assert_eq!(
            (fixture.editor.log().done(), fixture.editor.step_names()),
            (1, vec!["Move pivot of ball"])
        );
        run(fixture, recorder, Command::Undo);
        assert_eq!((fixture.editor.log().done(), fixture.editor.gizmo().has_edited_pivot()), (0, false));
    }
}

#[test]
fn recording_that_starts_over_keeps_pivot_and_switches() {
    let (mut fixture, mut recorder) = recorded(&["ball"]);
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    run(fixture, recorder, Command::EditPivot);
    for handle in ["translate_x", "rotate_z"] {
        let handle = HandleId::from_name(handle).expect("the handle exists");
        act_by(fixture, recorder, &EventKind::Drive(handle, 0.5.into()), Mods::default());
        fixture.update().expect("the view is valid");
    }
    let is_switch = |command: &Command| matches!(command.row().run, Run::Switches(..));
    let switches: Vec<Command> = Command::ALL.into_iter().filter(is_switch).collect();
    let others = switches.iter().filter(|switch| **switch != Command::EditPivot);
    others.for_each(|switch| run(fixture, recorder, *switch));
    act_by(fixture, recorder, &EventKind::ViewCube(false), Mods::default());
    recorder.start_over(fixture);
    let played = assert_plays_to(fixture, recorder, "after it started over");
    let (point, rotation) = played.editor.gizmo().edited_pivot();
    assert!(point.is_some() && rotation.is_some());
    assert_eq!((point, rotation), fixture.editor.gizmo().edited_pivot());
    assert!(switches.len() > 4 && switches.iter().all(|switch| switch.is_switched(&fixture.editor)));
    let lost = switches.iter().filter(|switch| !switch.is_switched(&played.editor));
    assert_eq!(lost.collect::<Vec<_>>(), Vec::<&Command>::new());
    assert!(!played.cameras.shows_cube);
}

#[test]
fn undo_in_drag_is_recorded_as_its_cancel() {
    let (mut fixture, mut recorder) = recorded(&["ball"]);
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    let ball = fixture.editor.node("ball");
    in_panel(fixture, recorder, |editor| editor.rename(ball, "other").expect("the name is free"));
    act(fixture, recorder, "x", Mods::default());
    act(fixture, recorder, "2", Mods::default());
    fixture.update().expect("the view is valid");
    assert!(fixture.editor.is_dragging());
    run(fixture, recorder, Command::Undo);
    assert_eq!(fixture.editor.log().done(), 1);
    assert_plays_to(fixture, recorder, "after the drag was canceled");
    assert_eq!(events(recorder).last(), Some(&EventKind::Command(Command::Undo)));
}
