//! Several gizmos in one view: separate ids, shared queries, and no other shared state.

use crate::prelude::*;

struct Pair {
    gizmos: [Gizmo; 2],
    targets: [[Target; 1]; 2],
    shot: Shot,
}

const POSITIONS: [DVec3; 2] = [DVec3::new(-2.0, 0.0, 0.0), DVec3::new(2.0, 0.0, 0.0)];

impl Pair {
    fn new() -> Self {
        let mut ids = IdSpace::new();
        let gizmos = [(); 2].map(|()| Gizmo::new(&mut ids).expect("ids are free"));
        let shot = views::ALL[0].shot(&Camera::at(DVec3::new(0.0, 3.0, 9.0)));
        let mut pair = Self { gizmos, targets: POSITIONS.map(|position| [target_at(position)]), shot };
        pair.update();
        pair
    }

    fn update(&mut self) -> [Vec<Event>; 2] {
        let view = self.shot.view;
        let mut targets = self.targets.iter_mut();
        self.gizmos
            .each_mut()
            .map(|gizmo| gizmo.update(&view, targets.next().expect("there is one list per gizmo")).to_vec())
    }

    fn all(&mut self, mut to: impl FnMut(&mut Gizmo)) {
        self.gizmos.iter_mut().for_each(&mut to);
    }

    /// Answers one query for both gizmos, from a list with both.
    fn pick(&mut self) -> Option<PickQuery> {
        let query = self.gizmos.iter_mut().filter_map(Gizmo::pick_query).last()?;
        let mut list = DrawList::new();
        list.begin(&query.view);
        self.gizmos.iter_mut().for_each(|gizmo| gizmo.draw(&mut list));
        let hit = list.pick(query.cursor_px, query.radius_px);
        let answer = query.answered(hit);
        self.all(|gizmo| gizmo.answer(&answer));
        Some(query)
    }

    /// Returns a pixel on the X arrow of the second gizmo.
    fn on_second(&self) -> DVec2 {
        let pivot = px(&self.shot, POSITIONS[1]);
        let along = px(&self.shot, POSITIONS[1] + DVec3::X * 0.1) - pivot;
        pivot + along.normalize() * 60.0
    }
}

#[test]
fn one_query_serves_several_gizmos() {
    let mut pair = Pair::new();
    let cursor = pair.on_second();
    pair.all(|gizmo| gizmo.pointer_moved(cursor));
    pair.update();
    assert!(pair.pick().is_some());
    assert_eq!(pair.gizmos[0].hovered(), None);
    assert_eq!(pair.gizmos[1].hovered().map(|handle| handle.name()), Some("translate_x"));
    assert_eq!(pair.pick(), None, "no gizmo repeats the query");

    pair.all(Gizmo::pointer_pressed);
    pair.update();
    pair.pick().expect("the press has a query");
    let [first, second] = pair.update();
    assert!(matches!(first[..], [Event::PressedObject(_)]), "{first:?}: not its handle");
    assert!(matches!(second[..], [Event::Started(_)]), "{second:?}");
    pair.all(|gizmo| gizmo.pointer_moved(cursor + DVec2::new(80.0, 0.0)));
    pair.update();
    assert_eq!(pair.targets[0][0].local, target_at(POSITIONS[0]).local);
    assert!(pair.targets[1][0].local.translation.x > 2.1);
    pair.all(Gizmo::pointer_released);
    let [first, second] = pair.update();
    assert!(first.is_empty() && matches!(second[..], [Event::Ended { changed: true }]));
}

#[test]
fn first_of_gizmos_in_one_place_is_painted_and_picked() {
    let mut pair = Pair::new();
    pair.targets = [[target_at(DVec3::ZERO)]; 2];
    pair.update();
    let mut list = DrawList::new();
    list.begin(&pair.shot.view);
    pair.all(|gizmo| gizmo.draw(&mut list));
    let mut painted = None;
    Painting::default().edges(&list, &Rect::EVERYWHERE, |part| painted = list.items()[part.item].id);
    let picked = list.pick(px(&pair.shot, DVec3::ZERO), 0.0);
    for id in [painted, picked] {
        assert!(id.and_then(|id| pair.gizmos[0].handle_of(id)).is_some(), "{painted:?}, {picked:?}");
    }
}

/// Returns two gizmos, and the views of the left and the right half of a window. One picker serves both.
fn halves() -> (Pair, [View; 2]) {
    let pair = Pair::new();
    let whole = pair.shot.view;
    let half = |x: f64| {
        let v = whole.viewport();
        let viewport = Viewport { x: x * v.width, ..v };
        View::from_clip_from_world(whole.clip_from_world(), viewport, 1.0).expect("the view is valid")
    };
    (pair, [half(0.0), half(1.0)])
}

#[test]
fn displaced_press_query_is_repeated() {
    let (mut pair, views) = halves();
    let update = |pair: &mut Pair| {
        let Pair { gizmos, targets, .. } = pair;
        let each = gizmos.iter_mut().zip(views).zip(targets);
        each.flat_map(|((gizmo, view), targets)| gizmo.update(&view, targets).to_vec()).collect::<Vec<_>>()
    };
    update(&mut pair);
    let cursor = pair.on_second();
    let other = cursor + DVec2::new(views[1].viewport().x, 0.0);
    // In the left half, the first gizmo's arrow has the same offset from its pivot.
    let pressed = cursor - px(&pair.shot, POSITIONS[1]) + px(&pair.shot, POSITIONS[0]);
    pair.all(|gizmo| gizmo.pointer_moved(pressed));
    pair.all(Gizmo::pointer_pressed);
    pair.all(|gizmo| gizmo.pointer_moved(other));
    let mut events = update(&mut pair);
    // The query of the second gizmo, about the hover, displaces the press of the first.
    assert_eq!(pair.pick().map(|query| query.cursor_px), Some(other));
    assert!(pair.gizmos[0].is_busy());
    events.extend(update(&mut pair));
    assert_eq!(pair.pick().map(|query| query.cursor_px), Some(pressed), "the press is repeated");
    events.extend(update(&mut pair));
    let arrow = HandleId::from_name("translate_x").expect("the handle is built in");
    assert!(events.contains(&Event::Started(arrow)), "{events:?}");
    assert!(pair.gizmos[0].is_active() && !pair.gizmos[1].is_busy());
    pair.all(Gizmo::pointer_released);
    assert_eq!(update(&mut pair).last(), Some(&Event::Ended { changed: true }), "nothing was clicked");
}

#[test]
fn mixed_id_spaces_in_list_prevent_picks() {
    let mut pair = Pair::new();
    // Each gizmo is created from an id space of its own.
    pair.gizmos = [(); 2].map(|()| Gizmo::new(&mut IdSpace::new()).expect("ids are free"));
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
    assert_eq!(list.pick(cursor, 5.0), None, "the id is ambiguous");
    pair.all(|gizmo| gizmo.answer_from(&list));
    assert_eq!(pair.gizmos[0].hovered(), None, "the handle belongs to the other gizmo");
    assert_eq!(pair.gizmos[1].hovered().map(|handle| handle.name()), Some("translate_x"));
    list.begin(&pair.shot.view);
    pair.gizmos[0].draw(&mut list);
    assert!(!list.has_mixed_ids());
}

/// A near trackball yields to its own rings and to nearer arrows, but hides the arrows behind it.
#[test]
fn near_trackball_hides_far_handles_and_yields_to_nearer_ones() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(0.0, 0.0, 9.0)));
    let mut ids = IdSpace::new();
    let [mut ball, mut arrows] = [Mode::Rotate, Mode::Translate].map(|mode| {
        let mut gizmo = Gizmo::new(&mut ids).expect("ids are free");
        gizmo.settings.mode = mode;
        gizmo
    });
    ball.update(&shot.view, &mut [target_at(DVec3::ZERO)]);
    let trackball = ball.id_of(HandleId::from_name("rotate_trackball").expect("the handle is built in"));
    let (mut counted, mut rings) = (0, 0);
    for is_behind in [true, false] {
        let depth = if is_behind { -1.0 } else { 1.0 };
        arrows.update(&shot.view, &mut [target_at(DVec3::new(0.2, 0.2, depth))]);
        let list_of = |gizmos: &mut [&mut Gizmo]| {
            let mut list = DrawList::new();
            list.begin(&shot.view);
            gizmos.iter_mut().for_each(|gizmo| gizmo.draw(&mut list));
            list
        };
        let [ball_alone, arrows_alone] = [list_of(&mut [&mut ball]), list_of(&mut [&mut arrows])];
        let both = [list_of(&mut [&mut ball, &mut arrows]), list_of(&mut [&mut arrows, &mut ball])];
        for (x, y) in (-40..40).flat_map(|x| (-40..40).map(move |y| (x, y))) {
            let cursor = px(&shot, DVec3::ZERO) + 2.0 * DVec2::new(x.into(), y.into());
            let [own, arrow] = [&ball_alone, &arrows_alone].map(|list| list.pick(cursor, 5.0));
            let is_beside = arrow.is_some() && arrows_alone.pick(cursor, 0.0).is_none();
            let expected = if is_behind { own } else { arrow };
            if own == Some(trackball) && is_beside {
                counted += 1;
            } else if is_behind && ball_alone.pick(cursor, 0.0).is_some() {
                rings += u32::from(is_beside);
            } else {
                continue;
            }
            for list in &both {
                assert_eq!(list.pick(cursor, 5.0), expected, "{cursor}, arrows at {depth}");
            }
        }
    }
    assert!(counted > 100 && rings > 20, "{counted}, {rings} at rings");
}
