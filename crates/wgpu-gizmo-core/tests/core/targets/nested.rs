//! Targets inside of others only move along: nothing else depends on them (§9).

use crate::prelude::*;
use crate::walks;

/// Targets with keys from here on are inside of another one.
const NESTED: u64 = 100;

fn outer(rng: &mut Rng, index: usize) -> Target {
    let mut target = walks::target(rng, index);
    // An index that is out of range is none, and so is the target's own.
    target.inside = rng.bool().then_some(usize::MAX);
    target
}

fn is_nested(target: &Target) -> bool {
    target.key >= Some(NESTED)
}

/// Returns targets in the same order, with others between them that are inside of one of the list.
fn with_nested(rng: &mut Rng, outer: &[Target]) -> Vec<Target> {
    let mut all = outer.to_vec();
    for key in NESTED..NESTED + rng.u64(1..4) {
        let index = rng.usize(..=all.len());
        let mut nested = walks::target(rng, 1).with_key(key);
        if rng.bool() {
            nested.world_from_parent = DMat4::ZERO;
        }
        all.insert(index, nested);
    }
    let count = all.len();
    for (index, target) in all.iter_mut().enumerate() {
        let own = target.inside.map(|_| index);
        target.inside = if is_nested(target) { Some((index + 1) % count) } else { own };
    }
    all
}

/// Returns what can be seen of the gizmo and of the targets that are not inside of others.
fn seen(stage: &Stage) -> String {
    let handles = HandleId::all().chain(HandleId::box_handles());
    let reasons: Vec<_> = handles.map(|handle| stage.gizmo.disabled_reason(handle)).collect();
    let outer = stage.targets.iter().filter(|target| !is_nested(target));
    let outer: Vec<_> = outer.map(|target| (bits(&target.local), target.bounds_local)).collect();
    format!("{:?}, {reasons:?}, {outer:?}", stage.gizmo.pivot_place())
}

#[test]
fn nested_targets_have_no_effect_on_others() {
    let mut driven = 0;
    cases(2_000, |rng| {
        let settings = walks::settings(rng);
        let targets: Vec<Target> = (0..rng.usize(1..4)).map(|index| outer(rng, index)).collect();
        let mut stages = [with_nested(rng, &targets), targets].map(|targets| {
            let mut stage = Stage::new(settings);
            stage.targets = targets;
            stage.update();
            stage
        });
        if rng.u8(..4) == 0 {
            // An edited pivot follows the active target.
            let by = DVec3::new(rng.f64(), rng.f64(), rng.f64());
            for stage in &mut stages {
                stage.gizmo.pivot_to(by);
                stage.update();
                stage.targets.iter_mut().for_each(|target| target.local.translation += by);
                stage.update();
            }
        }
        assert_eq!(seen(&stages[0]), seen(&stages[1]));
        let handles: Vec<HandleId> = HandleId::all().chain(HandleId::box_handles()).collect();
        let handle = handles[rng.usize(..handles.len())];
        let outcomes = stages.each_mut().map(|stage| {
            let before = stage.targets.clone();
            let driven = stage.gizmo.drive(handle, 0.7, &mut stage.targets);
            let driven = match driven {
                Err(DriveError::WrongCount { .. }) => {
                    stage.gizmo.drive(handle, [0.7, 0.4], &mut stage.targets)
                }
                _ => driven,
            };
            let moved = before.iter().zip(&stage.targets).filter(|(before, after)| before != after);
            let moved: Vec<_> = moved.map(|(before, _)| is_nested(before)).collect();
            assert_eq!(driven.is_ok_and(|driven| driven.changed), !moved.is_empty(), "{}", handle.name());
            assert!(!moved.contains(&true), "{}", handle.name());
            driven
        });
        driven += u32::from(outcomes[0].is_ok_and(|driven| driven.changed));
        assert_eq!(outcomes[0], outcomes[1]);
        assert_eq!(seen(&stages[0]), seen(&stages[1]));
    });
    assert!(driven > 800, "{}", driven);
}
