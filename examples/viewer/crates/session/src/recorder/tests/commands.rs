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
