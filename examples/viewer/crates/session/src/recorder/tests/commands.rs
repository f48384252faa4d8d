//! Tests that commands, crop boxes and undo replay as they were.

use super::*;

fn run(fixture: &mut Session, recorder: &mut Recorder, command: Command) {
    act_by(fixture, recorder, &EventKind::Command(command), Mods::default());
    fixture.update().expect("the view is valid");
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

#[test]
fn recording_that_starts_over_keeps_pivot_and_switches() {
    let (mut fixture, mut recorder) = recorded(&["ball"]);
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    run(fixture, recorder, Command::EditPivot);
    drive(fixture, recorder, 0.5);
    let is_switch = |command: &Command| matches!(command.row().run, Run::Switches(..));
    let switches: Vec<Command> = Command::ALL.into_iter().filter(is_switch).collect();
    let others = switches.iter().filter(|switch| **switch != Command::EditPivot);
    others.for_each(|switch| run(fixture, recorder, *switch));
    act_by(fixture, recorder, &EventKind::ViewCube(false), Mods::default());
    recorder.start_over(fixture);
    let played = assert_plays_to(fixture, recorder, "after it started over");
    let (point, rotation) = played.editor.gizmo().edited_pivot();
    assert!(point.is_some() && rotation.is_some() && !played.cameras.shows_cube);
    assert!(switches.len() > 4 && switches.iter().all(|switch| switch.is_switched(&played.editor)));
}
