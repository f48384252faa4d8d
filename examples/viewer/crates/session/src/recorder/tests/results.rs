//! Tests that poses, lights and the pivots of other selections are recorded.

use super::*;

#[test]
fn pose_of_animation_is_recorded_and_kept() {
    let (mut fixture, mut recorder) = opened("sessions.gltf");
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    for time in [Some(0.25), Some(0.5), None, Some(0.75)] {
        let (view, pose) = (*fixture.views.current(), time.map(|time| Pose { animation: 0, time }));
        fixture.editor.show_pose(pose, &view);
        look(fixture, recorder);
        let played = assert_plays_to(fixture, recorder, &format!("{pose:?}"));
        assert_eq!(played.editor.scene().pose(), pose);
    }
    recorder.start_over(fixture);
    assert_plays_to(fixture, recorder, "after it started over");
}

#[test]
fn expected_light_of_another_value_is_missed() {
    let (mut fixture, recorder) = opened("kept/lit.gltf");
    let test = |fixture: &Session| read(&recorder.test(Path::new("test.json"), &fixture.editor));
    let spot = |range| NodeVolume::Light(Light::new(LightShape::Spot { range, inner: 0.1, outer: 0.5 }));
    assert_eq!(expected(&test(&fixture)).values, [], "nothing has changed");
    fixture.editor.adjust_volume(1, spot(Some(3.0)));
    let mut expected = expected(&test(&fixture)).clone();
    for (now, tolerance, is_missed) in
        [(Some(3.0), 0.0, false), (Some(3.5), 0.0, true), (Some(3.5), 0.5, false), (None, 100.0, true)]
    {
        fixture.editor.adjust_volume(1, spot(now));
        expected.tolerance = tolerance;
        let missed = expected.missed(fixture.editor.scene());
        assert_eq!(missed.is_some(), is_missed, "{now:?} within {tolerance}: {missed:?}");
        assert!(missed.is_none_or(|missed| missed.starts_with("lamp: range is ")), "the line names the node");
    }
}

#[test]
fn restarted_recording_keeps_pivots_of_other_selections() {
    let (mut fixture, mut recorder) = recorded(&["ball"]);
    let (fixture, recorder) = (&mut fixture, &mut recorder);
    let edit_pivot = |fixture: &mut Session, recorder: &mut Recorder, names: &[&str], by: f64| {
        select(fixture, recorder, names);
        fixture.update().expect("the view is valid");
        act_by(fixture, recorder, &EventKind::EditPivot(true), Mods::default());
        fixture.update().expect("the view is valid");
        drive(fixture, recorder, by);
        act_by(fixture, recorder, &EventKind::EditPivot(false), Mods::default());
        fixture.update().expect("the view is valid");
    };
    edit_pivot(fixture, recorder, &["ball"], 0.5);
    edit_pivot(fixture, recorder, &["ball", "wrist"], 0.25);
    // This moves the node below it, and so the pivot of that one.
    select(fixture, recorder, &["base"]);
    in_panel(fixture, recorder, |editor| {
        editor.adjust("x", "Translate {}", |_, local| Transform { translation: DVec3::ONE, ..*local });
        editor.settle();
    });
    fixture.update().expect("the view is valid");
    recorder.start_over(fixture);
    let mut played = assert_plays_to(fixture, recorder, "after it started over");
    for (done, has) in [(5, [true, true, false, false]), (2, [true, false, false, false])] {
        let mut seen = Vec::new();
        for names in [&["ball"][..], &["ball", "wrist"], &["wrist"], &["base"]] {
            let [wanted, found] = [&mut *fixture, &mut played].map(|session| {
                let nodes: Vec<usize> = names.iter().map(|name| session.editor.node(name)).collect();
                let view = *session.views.current();
                session.editor.go_to_step(done);
                session.editor.select(Selection::of(&nodes), &view);
                session.update().expect("the view is valid");
                session.editor.gizmo().edited_pivot()
            });
            assert_eq!(wanted, found, "{names:?} after {done} steps");
            seen.push(wanted.0.is_some() && wanted.1.is_some());
        }
        assert_eq!(seen, has, "after {done} steps");
    }
}
