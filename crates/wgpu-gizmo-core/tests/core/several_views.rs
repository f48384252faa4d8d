//! One gizmo in several views: the view of a press, of a hover and of a drag, in one window and in two.

use crate::prelude::*;
use wgpu_gizmo_core::glam::dcamera::rh::{proj::directx::perspective, view::look_at_mat4};

const SIZE: f64 = 400.0;

/// Returns a view of 400 pixels a side.
fn view(eye: DVec3, x: f64, key: u64) -> View {
    let viewport = Viewport { x, y: 0.0, width: SIZE, height: SIZE };
    let lens = perspective(0.8, 1.0, 0.1, 100.0);
    let view = View::new(look_at_mat4(eye, DVec3::ZERO, DVec3::Y), lens, viewport, 1.0);
    view.expect("the view is valid").with_key(key)
}

/// Returns the views of two viewports of one window, side by side. Their keys may be equal.
fn side_by_side(keys: [u64; 2]) -> [View; 2] {
    [view(DVec3::new(2.0, 1.5, 5.0), 0.0, keys[0]), view(DVec3::new(-3.0, 2.5, 4.0), SIZE, keys[1])]
}

/// Returns the views of two windows of the same size.
fn windows() -> [View; 2] {
    [view(DVec3::new(2.0, 1.5, 5.0), 0.0, 1), view(DVec3::new(-3.0, 2.5, 4.0), 0.0, 2)]
}

fn arrow() -> HandleId {
    HandleId::from_name("translate_x").expect("the handle is built in")
}

struct Stage {
    gizmo: Gizmo,
    targets: [Target; 1],
    views: [View; 2],
    /// The view with the pointer, if the views are windows.
    pointer_in: Option<u64>,
}

impl Stage {
    fn new(views: [View; 2], pointer_in: Option<u64>) -> Self {
        let gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
        let mut stage = Self { gizmo, targets: [target_at(DVec3::ZERO)], views, pointer_in };
        stage.update();
        stage
    }

    fn update(&mut self) -> Events {
        let views = Views::from(&self.views);
        let views = self.pointer_in.map_or(views, |key| views.with_pointer_in(key));
        self.gizmo.update(views, &mut self.targets)
    }

    fn frame(&mut self) -> Events {
        let mut events = self.update();
        self.gizmo.answer_on_cpu();
        events.extend(self.update());
        events
    }

    /// Presses the arrow in a view, and returns its pixel.
    fn grab(&mut self, index: usize) -> DVec2 {
        let px = self.on_arrow(index);
        self.gizmo.pointer_moved(px);
        self.gizmo.pointer_pressed();
        self.frame();
        px
    }

    fn on_arrow(&mut self, index: usize) -> DVec2 {
        let view = self.views[index];
        self.gizmo.handle_px(&view, arrow()).expect("the arrow is visible")
    }

    /// Returns the pixel of a point that is on the x axis, at this distance from the target.
    fn px(&self, index: usize, along_x: f64) -> DVec2 {
        let point = self.targets[0].local.translation + DVec3::X * along_x;
        self.views[index].px_from_world(point).expect("the point is in front of the camera")
    }

    fn x(&self) -> f64 {
        self.targets[0].local.translation.x
    }
}

/// Moves, a press and more moves arrive in one frame, and the last position is in the other viewport.
#[test]
fn press_refers_to_viewport_where_it_was() {
    let mut stage = Stage::new(side_by_side([1, 2]), None);
    let other = stage.on_arrow(1);
    let px = stage.on_arrow(0);
    stage.gizmo.pointer_moved(px);
    stage.gizmo.pointer_pressed();
    stage.gizmo.pointer_moved(other);
    let events = stage.frame();
    assert!(events.contains(&Event::Started(arrow())), "{events:?}");
    assert_eq!(stage.gizmo.held_view().map(View::key), Some(1));
    stage.gizmo.pointer_released();
    assert!(matches!(stage.frame().last(), Some(Event::Ended { .. })));
}

#[test]
fn grab_and_wheel_act_in_viewport_where_pointer_was() {
    for keys in [[1, 2], [0, 0]] {
        let mut stage = Stage::new(side_by_side(keys), None);
        stage.gizmo.settings.input.wheel_nudge = true;
        let [first, second] = [stage.on_arrow(0), stage.on_arrow(1)];
        stage.gizmo.pointer_moved(first);
        stage.frame();
        stage.gizmo.pointer_moved(second);
        stage.gizmo.wheel(1.0);
        assert!(stage.update().contains(&Event::Started(arrow())), "{keys:?}");
        stage.gizmo.cancel();
        stage.frame();
        stage.gizmo.grab(arrow());
        stage.gizmo.pointer_moved(first);
        stage.update();
        assert_eq!(stage.gizmo.held_view(), Some(&stage.views[1]), "the pointer has moved after the grab");
    }
}

/// A press on nothing in the first viewport, its release, and a grab in the second one arrive in one frame.
#[test]
fn grab_after_click_acts_where_pointer_is() {
    let mut stage = Stage::new(side_by_side([1, 2]), None);
    let on_second = stage.on_arrow(1);
    stage.gizmo.pointer_moved(DVec2::splat(3.0));
    stage.gizmo.pointer_pressed();
    stage.gizmo.pointer_released();
    stage.gizmo.pointer_moved(on_second);
    stage.gizmo.grab(arrow());
    assert_eq!(stage.frame(), [Event::ClickedNothing, Event::Started(arrow())]);
    assert_eq!(stage.gizmo.held_view(), Some(&stage.views[1]));
}

#[test]
fn pointer_beside_view_is_not_in_other_window() {
    let mut stage = Stage::new(side_by_side([1, 2]), Some(1));
    let px = stage.on_arrow(0);
    stage.gizmo.pointer_moved(px);
    stage.frame();
    assert_eq!(stage.gizmo.hovered(), Some(arrow()));
    // The same position in the window of the other view, which begins to the right of it.
    stage.pointer_in = Some(2);
    stage.frame();
    assert_eq!(stage.gizmo.hovered(), None);
    stage.gizmo.pointer_pressed();
    stage.frame();
    assert!(!stage.gizmo.is_active());
}

#[test]
fn drag_stays_in_its_view() {
    let views = [(side_by_side([1, 2]), None), (side_by_side([0, 0]), None), (windows(), Some(2))];
    for (views, pointer_in) in views {
        let mut stage = Stage::new(views, pointer_in);
        let from = stage.grab(1);
        assert!(stage.gizmo.is_active());
        // The pointer moves by the distance of a unit along the arrow, into the other viewport if there is one.
        let by = stage.px(1, 1.0) - stage.px(1, 0.0);
        stage.gizmo.pointer_moved(from + by * 0.5);
        stage.frame();
        let half = stage.x();
        stage.pointer_in = stage.pointer_in.map(|_| 1);
        stage.gizmo.pointer_moved(from + by * 0.5 + DVec2::splat(1e-9));
        stage.frame();
        assert!((stage.x() - half).abs() < 1e-6, "the pointer is seen in the view of the press");
        stage.gizmo.pointer_released();
        assert_eq!(stage.frame().last(), Some(&Event::Ended { changed: true }));
    }
}

#[test]
fn only_view_of_drag_shows_its_pointer() {
    let views = [(side_by_side([0, 0]), None), (side_by_side([1, 2]), None), (windows(), Some(1))];
    let readouts = views.map(|(views, pointer_in)| {
        let mut stage = Stage::new(views, pointer_in);
        let from = stage.grab(0);
        stage.gizmo.pointer_moved(from + DVec2::new(30.0, 20.0));
        stage.frame();
        let mut drawn = |construction_lines| {
            stage.gizmo.settings.display.construction_lines = construction_lines;
            stage.update();
            stage.views.map(|view| {
                let mut list = DrawList::new();
                stage.gizmo.draw(list.begin(&view));
                let corner = view.viewport().rect().min;
                let readout = list.readouts().next().expect("a drag has a readout");
                (list.guides()[1].len(), readout.anchor_px - corner)
            })
        };
        let ([plain, plain_beside], [lines, lines_beside]) = (drawn(false), drawn(true));
        assert!(lines.0 > plain.0);
        assert_eq!(lines_beside.0, plain_beside.0, "{pointer_in:?}");
        [plain.1, plain_beside.1]
    });
    // The other view has no pointer, so its readout is beside the gizmo, up to the rounding of an offset viewport.
    for other in &readouts[1..] {
        for (readout, expected) in other.iter().zip(readouts[0]) {
            assert!(readout.distance(expected) < 1e-9, "{readouts:?}");
        }
    }
}

#[test]
fn view_that_is_missing_in_drag_keeps_its_input() {
    let mut stage = Stage::new(side_by_side([1, 2]), None);
    let from = stage.grab(0);
    let all = stage.views;
    stage.gizmo.pointer_moved(from + DVec2::new(30.0, 0.0));
    stage.gizmo.update(&all[1], &mut stage.targets);
    assert_eq!(stage.x(), 0.0, "the input waits for the view");
    assert!(stage.gizmo.update(&[], &mut stage.targets).is_empty(), "without views all input waits");
    stage.update();
    assert!(stage.x() > 0.05);
}

#[test]
fn handle_of_one_object_is_dragged_as_by_a_user() {
    let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
    let mut world = Transform::from_translation(DVec3::X);
    let view = view(DVec3::new(2.0, 1.5, 5.0), 0.0, 0);
    let events = gizmo.drag_one(&view, arrow(), DVec2::new(40.0, 0.0), &mut world);
    assert!(matches!(events[..], [Event::Started(_), Event::Changed(_), Event::Ended { changed: true }]));
    assert!(world.translation.x > 1.2 && world.translation.reject_from(DVec3::X).length() < 1e-9);
    for grab in GrabMode::ALL {
        gizmo.settings.input.grab = grab;
        let events = gizmo.drag_one(&view, arrow(), DVec2::NAN, &mut world);
        assert!(
            matches!(events[..], [Event::Started(_), Event::Ended { changed: false }]),
            "{grab:?}: {events:?}"
        );
    }
    gizmo.settings.mode = Mode::Rotate;
    assert_eq!(gizmo.drag_one(&view, arrow(), DVec2::X, &mut world), [], "the arrow is not shown");
}

#[test]
fn ids_are_freed_with_their_gizmo() {
    let mut ids = IdSpace::new();
    let gizmo = Gizmo::new(&mut ids).expect("ids are free");
    let range = gizmo.ids();
    assert_eq!(ids.range_of(range.first()), Some(range));
    drop(gizmo);
    assert_eq!(ids.range_of(range.first()), None);
    // A space that is dropped first is no problem for its gizmos.
    let gizmo = Gizmo::new(&mut ids).expect("ids are free");
    drop(ids);
    assert!(gizmo.ids().count() > 0);
}

/// A host may pass a gizmo, a reference to one, or a slice: each call reaches the gizmo.
#[test]
fn gizmo_reference_and_slice_behave_alike() {
    type With = fn(&mut Gizmo, &mut dyn FnMut(&mut dyn Gizmos));
    let own: With = |gizmo, call| call(gizmo);
    let reference: With = |mut gizmo, call| call(&mut gizmo);
    let slice: With = |gizmo, call| call(&mut std::slice::from_mut(gizmo));
    let view = view(DVec3::new(2.0, 1.5, 5.0), 0.0, 0);
    for with in [own, reference, slice] {
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
        let mut targets = [target_at(DVec3::ZERO)];
        let mut update = |gizmo: &mut Gizmo| gizmo.update(&view, &mut targets).len();
        let mut list = DrawList::new();
        update(&mut gizmo);
        let px = gizmo.handle_px(&view, arrow()).expect("the arrow is visible");
        gizmo.pointer_moved(px);
        update(&mut gizmo);
        let mut query = None;
        with(&mut gizmo, &mut |all| {
            assert!(all.needs_redraw(0) && all.is_hover_pending() && !all.is_busy() && !all.is_active());
            all.draw(list.begin(&view));
            assert!(!list.items().is_empty() && !all.needs_redraw(0));
            query = all.next_query();
            assert!(query.is_some() && all.next_query().is_none());
            all.picks_lost();
            query = all.next_query();
        });
        let query = query.expect("a lost query is repeated");
        for _ in 0..20 {
            with(&mut gizmo, &mut |all| all.await_answer(&query));
            update(&mut gizmo);
        }
        with(&mut gizmo, &mut |all| {
            assert_eq!(all.next_query(), None, "it is still in flight");
            all.draw_for_pick(list.begin(&query.view), &query);
            let answer = query.answered(list.pick(query.cursor_px, query.radius_px));
            all.answer(&answer, &[]);
            assert!(all.needs_redraw(0) && !all.is_hover_pending());
        });
        assert_eq!(gizmo.hovered(), Some(arrow()));
        gizmo.pointer_pressed();
        update(&mut gizmo);
        with(&mut gizmo, &mut |all| assert!(all.is_busy()));
        gizmo.answer_on_cpu();
        update(&mut gizmo);
        with(&mut gizmo, &mut |all| assert!(all.is_busy() && all.is_active()));
    }
}

#[test]
fn events_are_compared_as_slices() {
    let events: Events = [Event::Canceled, Event::ClickedNothing].into_iter().collect();
    assert_eq!(events, [Event::Canceled, Event::ClickedNothing]);
    assert_ne!(events, [Event::Canceled]);
    assert_eq!(AsRef::<[Event]>::as_ref(&events), &events[..]);
}

/// With the orientation View, the X arrow points right in each view, also between updates.
#[test]
fn axes_of_view_are_those_of_each_view() {
    let mut stage = Stage::new(side_by_side([1, 2]), None);
    stage.gizmo.settings.orientation = Orientation::View;
    stage.update();
    for index in [0, 1] {
        let view = stage.views[index];
        let mut list = DrawList::new();
        stage.gizmo.draw(list.begin(&view));
        let id = stage.gizmo.id_of(arrow());
        let item = list.items().iter().find(|item| item.id == Some(id)).expect("the arrow is visible");
        let [from, to] =
            [DVec3::ZERO, DVec3::X].map(|point| item.px_from_part(point).expect("it is visible"));
        assert!((to - from).normalize().distance(DVec2::X) < 1e-6, "{index}: {from} to {to}");
    }
}
