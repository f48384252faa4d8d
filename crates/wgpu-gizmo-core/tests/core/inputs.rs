//! The table of inputs and phases in §3 of docs/spec.md: every cell of it.

use crate::drag_ends::assert_claims;
use crate::prelude::*;

const SPEC: &str = include_str!("../../../../docs/spec.md");
const BESIDE: DVec3 = DVec3::new(-2.0, 1.2, 0.0);

/// A gizmo in one of the phases, with its query if one is in flight.
struct Scene {
    stage: Stage,
    in_flight: Option<PickQuery>,
    start: Transform,
}

/// Returns a gizmo in a phase, by its heading in the table. Every drag has moved its target.
fn in_phase(phase: &str) -> Scene {
    let mut stage = Stage::new(Settings::default().with(|s| s.input.wheel_nudge = true));
    let start = stage.local();
    let is_beside = matches!(phase, "idle" | "held" | "keys" | "drive");
    let px = stage.at(if is_beside { BESIDE } else { ARROW_X });
    stage.hover(px);
    let mut in_flight = None;
    match phase {
        "pending" => {
            stage.gizmo.pointer_pressed();
            stage.update();
            in_flight = stage.gizmo.pick_query();
            assert!(in_flight.is_some(), "the press has a query");
        }
        "held" | "pointer" => {
            stage.gizmo.pointer_pressed();
            stage.update();
            stage.answer();
        }
        "carried" => stage.gizmo.grab(handle("translate_x")),
        "keys" => drop(stage.keys("x2")),
        "wheel" => stage.gizmo.wheel(1.0),
        "drive" => stage.begin_drive("translate_x", 1.5),
        _ => assert!(matches!(phase, "idle" | "hover"), "{phase}"),
    }
    stage.update();
    if matches!(phase, "pointer" | "carried") {
        stage.point_at(px + DVec2::new(50.0, 4.0));
    }
    stage.update();
    let is_drag = matches!(phase, "pointer" | "carried" | "keys" | "wheel" | "drive");
    assert_eq!(stage.gizmo.is_active(), is_drag, "{phase}");
    assert_eq!(stage.local() != start, is_drag, "{phase}");
    Scene { stage, in_flight, start }
}

/// Applies an input by its name in the table. Returns false if the gizmo has refused it.
fn apply(input: &str, Stage { gizmo, targets, .. }: &mut Stage) -> bool {
    let x = handle("translate_x");
    let key = |key| Input::Key(key, KeyModifiers::NONE);
    gizmo.handle_input(match input {
        "`pointer_moved`" => Input::Moved { px: DVec2::new(500.0, 200.0), tolerance_lpx: None },
        "`pointer_left`" => Input::Left,
        "`pointer_pressed`" => Input::Pressed,
        "`pointer_released`" => Input::Released,
        "`cancel`" => Input::Canceled,
        "Esc" => key(Key::Escape),
        "`interrupt`" => Input::Interrupted,
        "x, y, z" => key(Key::Axis(Axis::Y)),
        "a digit" => key(Key::Digit(7)),
        "an arrow key" => key(Key::Right),
        "Enter" => key(Key::Enter),
        "`wheel`" => Input::Wheel(1.0),
        "`grab`" => {
            gizmo.grab(handle("translate_view"));
            return true;
        }
        "`drive`" => return gizmo.drive(x, 3.0, targets).is_ok(),
        "`drive_begin`" => return gizmo.drive_begin(x, targets).is_ok(),
        "`drive_by`" => return gizmo.drive_by(0.5, targets).is_ok(),
        "`drive_end`" => return gizmo.drive_end(targets).is_ok(),
        "`reset_pivot`" => {
            gizmo.reset_pivot();
            return true;
        }
        _ => panic!("the table has an unknown input: {input}"),
    });
    true
}

/// Names what an input has done, in the words of the table.
fn effect(input: &str, scene: &mut Scene) -> &'static str {
    let Scene { stage, in_flight, start } = scene;
    let (was_active, was_busy, before) = (stage.gizmo.is_active(), stage.gizmo.is_busy(), stage.local());
    if !apply(input, stage) {
        assert_eq!(stage.local(), before, "{input}");
        return "refuses";
    }
    in_flight.iter().for_each(|query| stage.gizmo.await_answer(query));
    let events = stage.update();
    let has = |wanted: fn(&Event) -> bool| events.iter().any(wanted);
    let (is_active, is_busy) = (stage.gizmo.is_active(), stage.gizmo.is_busy());
    let is_moved = stage.local() != before;
    if has(|event| *event == Event::Canceled) {
        assert_eq!(bits(&stage.local()), bits(start));
        "cancels"
    } else if has(|event| matches!(event, Event::Ended { .. })) || (was_active && !is_active) {
        assert!(!is_moved && before != *start, "{input} keeps the motion");
        if is_busy { "ends, asks" } else { "ends" }
    } else if is_active && !was_active {
        "begins"
    } else if has(|event| *event == Event::ClickedNothing) {
        "clicks"
    } else if is_moved {
        "moves"
    } else if was_busy && !was_active {
        assert!(is_busy && events.is_empty(), "{input}: {events:?}");
        "waits"
    } else if is_busy && !was_busy {
        "asks"
    } else {
        assert_eq!(events, [], "{input}");
        "–"
    }
}

#[test]
fn every_input_has_its_effect_in_every_phase() {
    let table: Vec<Vec<&str>> = SPEC
        .lines()
        .skip_while(|line| !line.starts_with("| input | idle |"))
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let (heading, rows) = table.split_first().expect("the table is in docs/spec.md");
    assert_eq!((heading.len(), rows.len()), (10, 19), "nine phases, and a delimiter row");
    for row in &rows[1..] {
        for (phase, expected) in heading.iter().zip(row).skip(1) {
            let mut scene = in_phase(phase);
            let context = format!("{} in {phase}", row[0]);
            assert_eq!(effect(row[0], &mut scene), *expected, "{context}");
            assert_claims(&scene.stage.gizmo, true, &context);
            if row[0] == "`interrupt`" && *phase != "pending" {
                assert_takes_input_anew(&mut scene.stage, &context);
            }
        }
    }
}

/// Asserts that nothing is left of a press: keys begin a drag, and the next click does its work.
fn assert_takes_input_anew(stage: &mut Stage, context: &str) {
    stage.update();
    let claims = stage.gizmo.claims();
    assert!(!claims.primary_drag && !claims.click && !claims.keys, "{context}: {claims:?}");
    assert!(matches!(stage.keys("z")[..], [Event::Started(_)]), "{context}");
    assert_eq!(stage.keys("~"), [Event::Canceled], "{context}");
}

#[test]
fn cancel_before_drive_end_restores_start() {
    let Scene { mut stage, start, .. } = in_phase("drive");
    stage.gizmo.cancel();
    assert!(stage.gizmo.drive_by(1.0, &mut stage.targets).is_err());
    assert!(stage.gizmo.drive_end(&mut stage.targets).is_err());
    assert_eq!(stage.update(), [Event::Canceled]);
    assert_eq!(bits(&stage.local()), bits(&start));
    // A cancel without a drag does not reach one that begins after it.
    stage.gizmo.cancel();
    stage.gizmo.drive_begin(handle("translate_x"), &stage.targets).expect("the handle is usable");
    assert_eq!(stage.update(), []);
    assert!(stage.gizmo.is_active());
}

#[test]
fn wheel_does_not_nudge_handle_that_pointer_has_left() {
    // In one update, before a pick can answer: from the hovered arrow, and from the one that is nudged.
    for phase in ["hover", "wheel"] {
        let Scene { mut stage, .. } = in_phase(phase);
        let before = stage.local();
        let beside = stage.at(BESIDE);
        stage.move_to(beside);
        stage.gizmo.wheel(1.0);
        let events = stage.update();
        assert_eq!(stage.local(), before, "{phase}: {events:?}");
        stage.update();
        stage.answer();
        stage.update();
        assert!(!stage.gizmo.is_active() && stage.gizmo.hovered().is_none(), "{phase}");
        // A small move stays on the arrow.
        let Scene { mut stage, .. } = in_phase("hover");
        let on_arrow = stage.at(ARROW_X) + DVec2::X;
        stage.move_to(on_arrow);
        stage.gizmo.wheel(1.0);
        assert!(matches!(stage.update()[..], [Event::Started(_), Event::Changed(_)]));
    }
}

#[test]
fn hover_does_not_outlive_keyboard_drag() {
    for pointer in [None, Some(BESIDE)] {
        for end in ["!", "~"] {
            let Scene { mut stage, .. } = in_phase("hover");
            stage.keys("z");
            match pointer {
                Some(at) => stage.move_to(stage.at(at)),
                None => stage.gizmo.pointer_left(),
            }
            stage.keys(end);
            stage.answer();
            stage.update();
            let claims = stage.gizmo.claims();
            assert_eq!((stage.gizmo.hovered(), claims.primary_press, claims.wheel), (None, false, false));
            stage.gizmo.wheel(1.0);
            assert_eq!(stage.update(), [], "{pointer:?}");
        }
    }
}
