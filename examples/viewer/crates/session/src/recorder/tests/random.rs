//! Random sessions: commands, drags and edits in panels, recorded and replayed.

use super::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A step of a session.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Run(Command),
    /// Selects nodes in the panel.
    Select(usize, usize),
    /// Hides or locks a node in the panel, or reverts that.
    Flag(usize, Flag),
    Rename(usize, u8),
    /// Types a translation in the panel.
    Place(f64),
    /// Drops the selection on a node of the tree, or below it.
    Reparent(Option<usize>),
    GoTo(usize),
    /// Types a distance along X.
    Type(u8),
    /// Drives a handle by degrees or sixteenths of a unit.
    Drive(&'static str, u8),
    Mode(Mode),
    /// Orbits the main camera by a drag of this many pixels.
    Orbit(f64),
    /// Looks through a node.
    Through(usize),
    /// Switches between one view and four.
    Views,
    Cube(bool),
    StartOver,
}

impl Step {
    fn is_of_pivot(&self) -> bool {
        matches!(self, Self::Run(Command::EditPivot | Command::ResetPivot))
    }
}

/// Returns any command that a recording has by its name and that leaves the views alone.
fn commands() -> impl Strategy<Value = Command> {
    let is_of_editor = |command: &Command| {
        !matches!(command.row().run, Run::Window | Run::Cameras(_) | Run::Grabs(_) | Run::Session(_))
            && *command != Command::Cancel
    };
    let all: Vec<Command> = Command::ALL.into_iter().filter(is_of_editor).collect();
    assert!(all.len() > 30, "{}", all.len());
    prop::sample::select(all)
}

fn steps() -> impl Strategy<Value = Step> {
    let node = 0..64_usize;
    let often = [Command::Undo, Command::Redo, Command::LockSelected, Command::SectionX, Command::Duplicate];
    prop_oneof![
        3 => commands().prop_map(Step::Run),
        4 => prop::sample::select(often.to_vec()).prop_map(Step::Run),
        2 => (node.clone(), node.clone()).prop_map(|(one, other)| Step::Select(one, other)),
        1 => (node.clone(), prop::sample::select(vec![Flag::Hidden, Flag::Locked]))
            .prop_map(|(node, flag)| Step::Flag(node, flag)),
        1 => (node.clone(), 0_u8..3).prop_map(|(node, name)| Step::Rename(node, name)),
        1 => (-2.0..2.0).prop_map(Step::Place),
        1 => prop::option::of(node.clone()).prop_map(Step::Reparent),
        1 => node.prop_map(Step::GoTo),
        1 => (0_u8..9).prop_map(Step::Type),
        1 => (prop::sample::select(vec!["translate_y", "rotate_z", "box_+x"]), 1_u8..32)
            .prop_map(|(handle, amount)| Step::Drive(handle, amount)),
        1 => prop::sample::select(vec![Mode::None, Mode::Scale]).prop_map(Step::Mode),
        1 => (-90.0..90.0).prop_map(Step::Orbit),
        1 => (0..64_usize).prop_map(Step::Through),
        1 => prop::sample::select(vec![Step::Views, Step::Cube(false), Step::Cube(true)]),
        1 => Just(Step::StartOver),
    ]
}

/// Makes a step as the window does, and records it.
pub(super) fn make(fixture: &mut Session, recorder: &mut Recorder, step: &Step) {
    let view = *fixture.views.current();
    let scene = fixture.editor.scene();
    let nodes: Vec<usize> = (0..scene.nodes().len()).filter(|node| scene.exists(*node)).collect();
    let node = |index: usize| nodes[index % nodes.len()];
    let none = Mods::default();
    match *step {
        Step::Run(command) => act_by(fixture, recorder, &EventKind::Command(command), none),
        Step::Drive(handle, amount) => {
            let handle = HandleId::from_name(handle).expect("the handle exists");
            // A recording has degrees.
            let is_rotation = handle.constraint().rotates();
            let amount = f64::from(amount);
            let amount = if is_rotation { amount.to_radians() } else { amount / 16.0 };
            act_by(fixture, recorder, &EventKind::Drive(handle, amount.into()), none);
        }
        Step::Type(digit) => {
            for key in ["x", &digit.to_string(), "enter"] {
                act(fixture, recorder, key, none);
                fixture.update().expect("the view is valid");
            }
        }
        Step::Orbit(by_px) => fixture.cameras.drag(&fixture.views, DVec2::new(by_px, 7.0), false, None),
        Step::Through(index) => fixture.cameras.look_through(node(index), fixture.editor.scene()),
        Step::Views => fixture.cameras.shows_four ^= true,
        Step::Cube(is_shown) => act_by(fixture, recorder, &EventKind::ViewCube(is_shown), none),
        Step::StartOver => recorder.start_over(fixture),
        _ => in_panel(fixture, recorder, |editor| match *step {
            Step::Select(one, other) if node(one) == node(other) => {
                editor.select(Selection::of(&[node(one)]), &view);
            }
            Step::Select(one, other) => editor.select(Selection::of(&[node(one), node(other)]), &view),
            Step::Flag(index, flag) => {
                editor.set_flag(&[node(index)], flag, !editor.scene().has_flag(node(index), flag));
            }
            // A name that is taken is refused.
            Step::Rename(index, name) => drop(editor.rename(node(index), &format!("name {name}"))),
            Step::Place(x) => {
                let translation = DVec3::X * x;
                editor.adjust("x", "Translate {}", |_, local| Transform { translation, ..*local });
                editor.settle();
            }
            Step::Reparent(parent) => editor.reparent(parent.map(node)),
            Step::GoTo(done) => editor.go_to_step(done % (editor.log().entries().len() + 1)),
            Step::Mode(mode) => editor.change(|values| values.gizmo.mode = mode),
            _ => {}
        }),
    }
    look(fixture, recorder);
    fixture.update().expect("the view is valid");
    // The camera of a node follows an edit.
    look(fixture, recorder);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        max_shrink_iters: 10_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_sessions_replay_to_same_state(steps in prop::collection::vec(steps(), 1..24)) {
        let (mut fixture, mut recorder) = recorded(&[]);
        // A recording that starts over has edited pivots where they are now. Nodes that are moved afterwards
        // carry them along with other rounding, and hidden and locked nodes have lost theirs.
        let starts_over = steps.iter().any(|step| matches!(step, Step::StartOver));
        let steps = steps.into_iter().filter(|step| !starts_over || !step.is_of_pivot());
        let steps: Vec<Step> = steps.collect();
        for (index, step) in steps.iter().enumerate() {
            make(&mut fixture, &mut recorder, step);
            if index % 4 == 3 || index + 1 == steps.len() {
                let when = format!("{:?}", &steps[..=index]);
                let mut played = assert_plays_to(&fixture, &recorder, &when);
                let [wanted, found] = [&fixture, &played].map(|session| session.editor.gizmo().pivot_place());
                prop_assert_eq!(wanted, found, "{}", when);
                // Undo also depends on who has shown the handles of a section.
                if index + 1 == steps.len() && !starts_over {
                    for done in [0, fixture.editor.log().entries().len()] {
                        for session in [&mut fixture, &mut played] {
                            session.editor.go_to_step(done);
                            session.update().expect("the view is valid");
                        }
                        assert_alike(&fixture, &played, &format!("{when}, then {done} steps"));
                    }
                }
            }
        }
    }
}
