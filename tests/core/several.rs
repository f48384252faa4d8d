//! Several gizmos in one view: ids of their own, one question for all, nothing shared.

use crate::oracle::{px, target_at};
use crate::stage::{Stage, answer_with};
use crate::views::{self, Camera, Shot};
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::interaction::{Event, Key, KeyModifiers, Pivot};
use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Mode, PickQuery, Target, Transform, View, Viewport};

struct Pair {
    gizmos: [Gizmo; 2],
    targets: [[Target; 1]; 2],
    shot: Shot,
}

const PLACES: [DVec3; 2] = [DVec3::new(-2.0, 0.0, 0.0), DVec3::new(2.0, 0.0, 0.0)];

impl Pair {
    fn new() -> Self {
        let mut ids = IdSpace::new();
        let gizmos = [(); 2].map(|()| Gizmo::new(&mut ids).expect("free ids"));
        let shot = views::ALL[0].shot(&Camera::at(DVec3::new(0.0, 3.0, 9.0)));
        let mut pair = Self { gizmos, targets: PLACES.map(|place| [target_at(place)]), shot };
        pair.update();
        pair
    }

    fn update(&mut self) -> [Vec<Event>; 2] {
        let view = self.shot.view;
        let mut targets = self.targets.iter_mut();
        self.gizmos
            .each_mut()
            .map(|gizmo| gizmo.update(&view, targets.next().expect("one for each")).to_vec())
    }

    fn all(&mut self, mut to: impl FnMut(&mut Gizmo)) {
        self.gizmos.iter_mut().for_each(&mut to);
    }

    /// One question for both, answered from one list.
    fn pick(&mut self) -> Option<PickQuery> {
        let query = self.gizmos.iter_mut().filter_map(Gizmo::pick_query).last()?;
        let mut list = DrawList::new();
        list.begin(&query.view);
        self.gizmos.iter_mut().for_each(|gizmo| gizmo.draw(&mut list));
        let hit = list.pick(query.cursor_px, query.radius_px);
        let answer = match hit {
            Some(id) => answer_with(query, id),
            None => wgpu_gizmo::PickAnswer { query, outcome: wgpu_gizmo::PickOutcome::Nothing },
        };
        self.all(|gizmo| gizmo.answer(&answer));
        Some(query)
    }

    /// On the x arrow of the second.
    fn on_second(&self) -> DVec2 {
        let pivot = px(&self.shot, PLACES[1]);
        let along = px(&self.shot, PLACES[1] + DVec3::X * 0.1) - pivot;
        pivot + along.normalize() * 60.0
    }
}

#[test]
fn every_gizmo_has_ids_of_its_own() {
    let pair = Pair::new();
    let [a, b] = [&pair.gizmos[0], &pair.gizmos[1]].map(Gizmo::ids);
    assert_eq!(a.offset_of(b.first()), None);
    assert_eq!(b.offset_of(a.first()), None);
    for handle in Mode::Universal.handles().built_in() {
        let id = pair.gizmos[1].id_of(handle);
        assert_eq!(pair.gizmos[0].handle_of(id), None);
        assert_eq!(pair.gizmos[1].handle_of(id), Some(handle));
    }
}

#[test]
fn one_question_serves_all_and_only_the_gizmo_under_the_pointer_hovers_and_drags() {
    let mut pair = Pair::new();
    let cursor = pair.on_second();
    pair.all(|gizmo| gizmo.pointer_moved(cursor));
    pair.update();
    assert!(pair.pick().is_some());
    assert_eq!(pair.gizmos[0].hovered(), None);
    assert_eq!(pair.gizmos[1].hovered().map(|handle| handle.name()), Some("translate_x"));
    assert_eq!(pair.pick(), None, "neither asks the same again");

    pair.all(Gizmo::pointer_pressed);
    pair.update();
    pair.pick().expect("the press");
    let [first, second] = pair.update();
    assert!(matches!(first[..], [Event::PressedObject(_)]), "{first:?}: not its own");
    assert!(matches!(second[..], [Event::Started(_)]), "{second:?}");
    pair.all(|gizmo| gizmo.pointer_moved(cursor + DVec2::new(80.0, 0.0)));
    pair.update();
    assert_eq!(pair.targets[0][0].local, target_at(PLACES[0]).local);
    assert!(pair.targets[1][0].local.translation.x > 2.1);
    pair.all(Gizmo::pointer_released);
    let [first, second] = pair.update();
    assert!(first.is_empty() && matches!(second[..], [Event::Ended { changed: true }]));
}

#[test]
fn whichever_of_the_questions_is_put_the_answer_serves_all() {
    for place in [0, 1] {
        let mut pair = Pair::new();
        let cursor = pair.on_second();
        pair.all(|gizmo| gizmo.pointer_moved(cursor));
        pair.all(Gizmo::pointer_pressed);
        pair.update();
        let asked: Vec<PickQuery> = pair.gizmos.iter_mut().filter_map(Gizmo::pick_query).collect();
        let handle = wgpu_gizmo::HandleId::from_name("translate_x").expect("built in");
        let answer = answer_with(asked[place], pair.gizmos[1].id_of(handle));
        pair.all(|gizmo| gizmo.answer(&answer));
        let [_, second] = pair.update();
        assert_eq!(second, [Event::Started(handle)], "question {place}");
    }
}

#[test]
fn settings_drags_and_keys_of_one_leave_the_other_alone() {
    let mut pair = Pair::new();
    pair.gizmos[0].settings.mode = Mode::Rotate;
    pair.gizmos[0].key(Key::Axis(wgpu_gizmo::handle::Axis::Y), KeyModifiers::NONE);
    pair.gizmos[0].key(Key::Digit(9), KeyModifiers::NONE);
    pair.update();
    assert!(pair.gizmos[0].is_active() && !pair.gizmos[1].is_active());
    assert_ne!(pair.targets[0][0].local.rotation, Transform::IDENTITY.rotation);
    assert_eq!(pair.targets[1][0].local, target_at(PLACES[1]).local);
    pair.gizmos[1].key(Key::Axis(wgpu_gizmo::handle::Axis::Y), KeyModifiers::NONE);
    pair.gizmos[1].key(Key::Digit(2), KeyModifiers::NONE);
    pair.gizmos[0].cancel();
    pair.update();
    assert_eq!(pair.targets[0][0].local, target_at(PLACES[0]).local);
    assert_eq!(pair.targets[1][0].local.translation, PLACES[1] + DVec3::Y * 2.0);
}

/// A gizmo on each target, where those that stand on their own come late in a long list.
#[test]
fn far_down_a_list_each_gizmo_is_its_own_or_is_not_shown() {
    let inside = |first: usize| Target { inside: Some(first), ..Target::from_world(Transform::IDENTITY) };
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.gizmo.settings.pivot = Pivot::EachTarget;
    stage.targets = vec![inside(1100); 1100];
    for x in [-1.0, 1.0] {
        let translation = DVec3::new(x, 0.0, 0.0);
        stage.targets.push(Target::from_world(Transform { translation, ..Transform::IDENTITY }));
    }
    stage.update();
    let list = stage.draw();
    let mut ids: Vec<u32> = list.items().iter().filter_map(|item| Some(item.id?.get())).collect();
    ids.sort_unstable();
    ids.dedup();
    assert!(ids.len() == 14 || ids.is_empty(), "{} ids for two gizmos of seven handles", ids.len());
}

/// The left and the right half of a window, with a gizmo of its own each and one picker.
fn halves() -> (Pair, [View; 2]) {
    let pair = Pair::new();
    let whole = pair.shot.view;
    let half = |x: f64| {
        let v = whole.viewport();
        let viewport = Viewport { x: x * v.width, ..v };
        View::from_clip_from_world(whole.clip_from_world(), viewport, 1.0).expect("usable")
    };
    (pair, [half(0.0), half(1.0)])
}

#[test]
fn a_press_whose_question_gave_way_to_that_of_another_view_is_asked_again() {
    let (mut pair, views) = halves();
    let update = |pair: &mut Pair| {
        let Pair { gizmos, targets, .. } = pair;
        let each = gizmos.iter_mut().zip(views).zip(targets);
        each.flat_map(|((gizmo, view), targets)| gizmo.update(&view, targets).to_vec()).collect::<Vec<_>>()
    };
    update(&mut pair);
    let cursor = pair.on_second();
    let other = cursor + DVec2::new(views[1].viewport().x, 0.0);
    // The first gizmo's arrow is as far from its pivot in the left half.
    let pressed = cursor - px(&pair.shot, PLACES[1]) + px(&pair.shot, PLACES[0]);
    pair.all(|gizmo| gizmo.pointer_moved(pressed));
    pair.all(Gizmo::pointer_pressed);
    pair.all(|gizmo| gizmo.pointer_moved(other));
    let mut events = update(&mut pair);
    // The question put is the second's, about what the pointer hovers by now.
    assert_eq!(pair.pick().map(|query| query.cursor_px), Some(other));
    assert!(pair.gizmos[0].is_busy());
    events.extend(update(&mut pair));
    assert_eq!(pair.pick().map(|query| query.cursor_px), Some(pressed), "asked again");
    events.extend(update(&mut pair));
    let arrow = wgpu_gizmo::HandleId::from_name("translate_x").expect("built in");
    assert!(events.contains(&Event::Started(arrow)), "{events:?}");
    assert!(pair.gizmos[0].is_active() && !pair.gizmos[1].is_busy());
    pair.all(Gizmo::pointer_released);
    assert_eq!(update(&mut pair).last(), Some(&Event::Ended { changed: true }), "no click on nothing");
}

#[test]
fn a_drag_knows_its_view_from_the_press_on() {
    let (mut pair, [left, right]) = halves();
    let (gizmo, targets) = (&mut pair.gizmos[0], &mut pair.targets[0]);
    assert_eq!(gizmo.held_view(), None);
    gizmo.update(&left, targets);
    let arrow = px(&pair.shot, PLACES[0] + DVec3::X * 0.4);
    gizmo.pointer_moved(arrow);
    gizmo.pointer_pressed();
    gizmo.update(&left, targets);
    assert_eq!(gizmo.held_view(), Some(&left), "before its pick is known");
    // The pointer is in the other view by now.
    gizmo.pointer_moved(DVec2::new(right.viewport().x + 50.0, arrow.y));
    gizmo.answer_on_cpu();
    let view = *gizmo.held_view().expect("a press");
    gizmo.update(&view, targets);
    assert!(gizmo.is_active() && gizmo.held_view() == Some(&left));
    assert!(targets[0].local.translation.x > PLACES[0].x, "on to the right");
    gizmo.pointer_released();
    gizmo.update(&view, targets);
    assert_eq!(gizmo.held_view(), None);
}

#[test]
fn gizmos_of_two_id_spaces_are_found_in_a_list_and_pick_by_themselves() {
    let mut pair = Pair::new();
    // As if each had been made with a space of its own, which is gone.
    pair.gizmos = [(); 2].map(|()| Gizmo::new(&mut IdSpace::new()).expect("free ids"));
    assert_eq!(pair.gizmos[0].ids().first(), pair.gizmos[1].ids().first());
    let cursor = pair.on_second();
    pair.all(|gizmo| gizmo.pointer_moved(cursor));
    pair.update();
    let mut list = DrawList::new();
    list.begin(&pair.shot.view);
    pair.gizmos[1].draw(&mut list);
    assert!(!list.has_mixed_ids() && list.pick(cursor, 5.0).is_some());
    pair.gizmos[0].draw(&mut list);
    assert!(list.has_mixed_ids());
    assert_eq!(list.pick(cursor, 5.0), None, "an id does not tell whose it is");
    pair.all(|gizmo| gizmo.answer_from(&list));
    assert_eq!(pair.gizmos[0].hovered(), None, "the other's handle is not its own");
    assert_eq!(pair.gizmos[1].hovered().map(|handle| handle.name()), Some("translate_x"));
    list.begin(&pair.shot.view);
    pair.gizmos[0].draw(&mut list);
    assert!(!list.has_mixed_ids());
}

#[test]
fn an_object_of_another_id_space_is_never_taken_for_a_handle() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let objects = IdSpace::new().take(1_000_000).expect("free ids");
    for offset in (0..objects.count()).step_by(997) {
        let id = objects.id(offset).expect("in the range");
        assert_eq!(stage.gizmo.handle_of(id), None);
    }
    stage.update();
    stage.move_to(DVec2::new(40.0, 40.0));
    stage.update();
    let query = stage.gizmo.pick_query().expect("the pointer has moved");
    stage.gizmo.answer(&answer_with(query, objects.first()));
    assert_eq!((stage.gizmo.hovered(), stage.gizmo.hovered_object()), (None, Some(objects.first())));
}

#[test]
fn near_trackball_hides_far_handles_and_yields_to_nearer_ones() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(0.0, 0.0, 9.0)));
    let mut ids = IdSpace::new();
    let [mut ball, mut arrows] = [Mode::Rotate, Mode::Translate].map(|mode| {
        let mut gizmo = Gizmo::new(&mut ids).expect("free ids");
        gizmo.settings.mode = mode;
        gizmo
    });
    ball.update(&shot.view, &mut [target_at(DVec3::ZERO)]);
    let mut counted = 0;
    for arrows_depth in [-1.0, 1.0] {
        arrows.update(&shot.view, &mut [target_at(DVec3::new(0.2, 0.2, arrows_depth))]);
        let list_of = |gizmos: &mut [&mut Gizmo]| {
            let mut list = DrawList::new();
            list.begin(&shot.view);
            gizmos.iter_mut().for_each(|gizmo| gizmo.draw(&mut list));
            list
        };
        let [ball_alone, arrows_alone] = [list_of(&mut [&mut ball]), list_of(&mut [&mut arrows])];
        let both = [list_of(&mut [&mut ball, &mut arrows]), list_of(&mut [&mut arrows, &mut ball])];
        let center = px(&shot, DVec3::ZERO);
        for (x, y) in (-40..40).flat_map(|x| (-40..40).map(move |y| (x, y))) {
            let cursor = center + 2.0 * DVec2::new(x.into(), y.into());
            let trackball = ball_alone.pick(cursor, 5.0);
            let is_ball = trackball.and_then(|id| ball.handle_of(id)).map(|handle| handle.name());
            let arrow = arrows_alone.pick(cursor, 5.0);
            let is_beside = arrow.is_some() && arrows_alone.pick(cursor, 0.0).is_none();
            if is_ball != Some("rotate_trackball") || !is_beside {
                continue;
            }
            counted += 1;
            let expected = if arrows_depth < 0.0 { trackball } else { arrow };
            for list in &both {
                assert_eq!(list.pick(cursor, 5.0), expected, "{cursor}, arrows at {arrows_depth}");
            }
        }
    }
    assert!(counted > 100, "{counted}");
}
