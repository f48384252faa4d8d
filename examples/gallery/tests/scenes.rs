//! Every scene on the native device: it renders, hovers by picks, and drags to the closed form.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod common;

use common::Page;
use wgpu_gizmo::glam::{DVec2, DVec3, dvec2};
use wgpu_gizmo::interaction::{HeldKeys, KeyModifiers};
use wgpu_gizmo_gallery::{Gallery, PointerKind};

const SIZES: [([u32; 2], f64); 2] = [([640, 420], 1.0), ([640, 640], 2.0)];

#[test]
fn scenes_draw_and_rest() {
    let mut page = Page::new();
    for index in 0..Gallery::count() {
        for (size, scale_factor) in SIZES {
            page.resize(size, scale_factor);
            page.settle(index);
            let [name, title, text] = Gallery::texts(index);
            let background = page.pixel(dvec2(2.0, 2.0));
            let picture = page.picture();
            let drawn = picture.chunks(4).filter(|pixel| **pixel != background).count();
            assert!(drawn > 4000, "{name}: {drawn} pixels");
            assert!(!title.is_empty() && text.len() > 20);
            page.save(&format!("{name}-{}", size[1]));
            // A picture at rest is not drawn again.
            let frames = page.gallery.counts(index)[0];
            assert!(!page.gallery.needs_step(index), "{name} does not rest");
            assert!(!page.step(index), "{name}");
            assert_eq!(page.gallery.counts(index)[0], frames);
        }
    }
    page.gallery.set_dark(false);
    for index in 0..Gallery::count() {
        page.settle(index);
        page.save(&format!("{}-light", Gallery::texts(index)[0]));
    }
}

#[test]
fn hover_takes_one_pick_and_one_frame() {
    let mut page = Page::new();
    let index = Gallery::index_of("translate").unwrap();
    page.settle(index);
    let [frames, picks] = page.gallery.counts(index);
    let arrow = page.on_arrow(index, DVec3::X);
    page.mouse(index, arrow, 0);
    page.settle(index);
    assert_eq!(page.gallery.hovered(index).as_deref(), Some("translate_x"));
    assert_eq!(page.gallery.cursor(index), "grab");
    let [more_frames, more_picks] = page.gallery.counts(index);
    assert_eq!((more_frames - frames, more_picks - picks), (1, 1));
    page.save("hover");
    // Over nothing, the handle goes back: one pick, one frame.
    page.mouse(index, dvec2(5.0, 5.0), 0);
    page.settle(index);
    assert_eq!(page.gallery.hovered(index), None);
    assert_eq!(page.gallery.counts(index), [more_frames + 1, more_picks + 1]);
    // Nothing there either: a pick, and no frame.
    page.mouse(index, dvec2(9.0, 9.0), 0);
    page.settle(index);
    assert_eq!(page.gallery.counts(index), [more_frames + 1, more_picks + 2]);
}

#[test]
fn drag_along_x_reaches_the_closed_form_and_undoes() {
    for kind in [PointerKind::Exact, PointerKind::Finger] {
        let mut page = Page::new();
        let index = Gallery::index_of("translate").unwrap();
        page.settle(index);
        let start = page.gallery.transforms(index)[0];
        let from = page.on_arrow(index, DVec3::X);
        let to = from + dvec2(71.0, -13.0);
        let expected = page.along(index, start.translation, DVec3::X, from, to);
        page.drag(index, &[from, to - dvec2(20.0, 0.0), to], kind);
        let moved = page.gallery.transforms(index)[0].translation;
        assert!(expected.abs() > 0.3);
        assert!((moved - start.translation - DVec3::X * expected).length() < 1e-9, "{moved} {expected}");
        assert!(page.gallery.undo(index) && !page.gallery.undo(index));
        page.settle(index);
        assert_eq!(page.gallery.transforms(index)[0], start);
    }
}

#[test]
fn resize_in_a_drag_keeps_the_grabbed_point() {
    let mut page = Page::new();
    let index = Gallery::index_of("translate").unwrap();
    page.settle(index);
    let from = page.on_arrow(index, DVec3::X);
    page.mouse(index, from, 0);
    page.mouse(index, from, 1);
    page.settle(index);
    assert_eq!(page.gallery.dragging(index).as_deref(), Some("translate_x"));
    page.resize([500, 500], 1.5);
    page.settle(index);
    page.mouse(index, from + dvec2(30.0, 0.0), 1);
    page.settle(index);
    page.mouse(index, from + dvec2(30.0, 0.0), 0);
    page.settle(index);
    assert_eq!(page.gallery.dragging(index), None);
    let moved = page.gallery.transforms(index)[0].translation;
    assert!(moved.is_finite() && (moved.y, moved.z) == (0.5, 0.0), "{moved}");
}

#[test]
fn secondary_button_cancels_drag_and_nothing_follows_mouse() {
    let mut page = Page::new();
    let index = Gallery::index_of("translate").unwrap();
    page.settle(index);
    let (start, from) = (page.gallery.transforms(index), page.on_arrow(index, DVec3::X));
    let to = from + dvec2(40.0, 0.0);
    page.drag_to(index, &[from, to]);
    assert_ne!(page.gallery.transforms(index), start);
    for buttons in [3, 2, 0] {
        page.mouse(index, to, buttons);
        page.settle(index);
        assert_eq!(page.gallery.transforms(index), start, "with the buttons {buttons}");
    }
    let view = page.gallery.view(index);
    page.mouse(index, to + dvec2(40.0, 30.0), 0);
    page.settle(index);
    assert_eq!((page.gallery.transforms(index), page.gallery.view(index)), (start, view));
}

#[test]
fn wheel_nudges_hovered_ring_and_zooms_elsewhere() {
    let mut page = Page::new();
    let index = Gallery::index_of("rotate").unwrap();
    page.settle(index);
    let (start, view) = (page.gallery.transforms(index), page.gallery.view(index));
    let ring = page.on_handle(index, "rotate_y");
    page.mouse(index, ring, 0);
    page.settle(index);
    assert_eq!(page.gallery.hovered(index).as_deref(), Some("rotate_y"));
    assert!(!page.gallery.nudge(index, 1.0), "the setting is off");
    let wheel = page.gallery.controls(index).iter().position(|c| c.label == "Wheel nudges").unwrap();
    page.gallery.set_control(index, wheel, 1);
    assert!(page.gallery.nudge(index, 1.0));
    page.settle(index);
    let turned = page.gallery.transforms(index)[0].rotation.angle_between(start[0].rotation);
    assert!((turned - 5_f64.to_radians()).abs() < 1e-9, "{turned}");
    assert_eq!(page.gallery.view(index), view);
    assert!(page.gallery.undo(index));
    page.settle(index);
    assert_eq!(page.gallery.transforms(index), start);
    assert!(page.gallery.nudge(index, 1.0));
    page.settle(index);
    page.mouse(index, dvec2(4.0, 4.0), 0);
    page.settle(index);
    assert!(!page.gallery.nudge(index, 1.0) && page.gallery.zoom(index, 1.0));
    page.settle(index);
    assert_ne!(page.gallery.view(index), view);
    let (x, zoomed) = (page.on_handle(index, "rotate_y"), page.gallery.view(index));
    page.drag_to(index, &[x, x + dvec2(20.0, 0.0)]);
    page.gallery.set_control(index, wheel, 0);
    assert!(page.gallery.zoom(index, 1.0), "the page does not scroll in a drag");
    page.settle(index);
    assert_eq!(page.gallery.view(index), zoomed);
}

#[test]
fn lasso_selects_what_is_in_it_and_shift_adds() {
    let mut page = Page::new();
    let index = Gallery::index_of("select").unwrap();
    page.settle(index);
    let px = |page: &Page, object: usize| {
        page.gallery.px_of(index, page.gallery.transforms(index)[object].translation).unwrap()
    };
    // Around the first object, whose neighbors are farther away.
    let around = |center: DVec2| {
        [(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0), (-4.0, -3.0)].map(|(x, y)| center + dvec2(x, y))
    };
    let corner = px(&page, 54);
    page.drag(index, &around(corner), PointerKind::Exact);
    assert_eq!(page.gallery.selected(index), [54]);
    page.gallery.set_held(index, HeldKeys { precision: true, ..HeldKeys::NONE });
    let other = px(&page, 60);
    page.drag(index, &around(other), PointerKind::Exact);
    assert_eq!(page.gallery.selected(index), [54, 60]);
    page.save("lasso");
    // A click selects one object.
    page.gallery.set_held(index, HeldKeys::NONE);
    let clicked = px(&page, 8);
    page.drag(index, &[clicked], PointerKind::Exact);
    assert_eq!(page.gallery.selected(index), [8]);
}

#[test]
fn keyboard_drags_orbits_and_selects() {
    let mut page = Page::new();
    let index = Gallery::index_of("parents").unwrap();
    page.settle(index);
    let none = KeyModifiers::NONE;
    assert!(!page.gallery.key(index, "Enter", none), "Enter belongs to the page");
    assert!(!page.gallery.key(index, "Tab", none), "Tab moves the focus");
    let view = page.gallery.view(index).unwrap();
    assert!(page.gallery.key(index, "ArrowLeft", none));
    page.settle(index);
    assert_ne!(page.gallery.view(index), Some(view));
    let before = page.gallery.transforms(index);
    for key in ["z", "9", "0", "Enter"] {
        assert!(page.gallery.key(index, key, none), "{key}");
        page.settle(index);
    }
    let after = page.gallery.transforms(index);
    let angle = before[1].rotation.angle_between(after[1].rotation);
    assert!((angle.to_degrees() - 90.0).abs() < 1e-9, "{angle}");
    assert_eq!(after[0], before[0]);
    assert_ne!(after[3].translation, before[3].translation, "children follow");
    assert!(page.gallery.key(index, "]", none));
    assert_eq!(page.gallery.selected(index), [2]);
    page.gallery.drive(index, "rotate_x", 45.0).unwrap();
    assert!(page.gallery.drive(index, "nonsense", 45.0).is_err());
    assert!(page.gallery.drive(index, "rotate_x", f64::NAN).is_err());
    assert!(page.gallery.undo(index) && page.gallery.undo(index));
    page.settle(index);
    let restored = page.gallery.transforms(index);
    assert!(restored.iter().zip(&before).all(|(a, b)| a == b));
}

#[test]
fn curve_point_is_dragged_by_its_own_handle() {
    let mut page = Page::new();
    let index = Gallery::index_of("curve").unwrap();
    page.settle(index);
    let start = page.gallery.transforms(index);
    let from = page.gallery.px_of(index, start[1].translation).unwrap();
    page.mouse(index, from, 0);
    page.settle(index);
    assert_eq!(page.gallery.hovered(index).as_deref(), Some("First tangent"));
    page.drag(index, &[from, from + dvec2(20.0, 30.0)], PointerKind::Exact);
    let now = page.gallery.transforms(index);
    let landed = page.gallery.px_of(index, now[1].translation).unwrap() - from;
    assert!(landed.distance(dvec2(20.0, 30.0)) < 1e-9, "{landed}");
    assert_eq!([now[0], now[2], now[3]], [start[0], start[2], start[3]]);
    assert!(page.gallery.undo(index));
    assert_eq!(page.gallery.transforms(index), start);
}

#[test]
fn drag_begins_in_any_of_four_views() {
    let mut page = Page::new();
    let index = Gallery::index_of("views").unwrap();
    page.settle(index);
    // The top view is in the upper left quarter.
    page.mouse(index, dvec2(100.0, 100.0), 0);
    page.settle(index);
    let start = page.gallery.transforms(index)[0].translation;
    let from = page.on_arrow(index, DVec3::X);
    assert!(from.x < 320.0 && from.y < 210.0, "{from}");
    page.mouse(index, from, 0);
    page.settle(index);
    assert_eq!(page.gallery.hovered(index).as_deref(), Some("translate_x"));
    let to = from + dvec2(40.0, 0.0);
    let expected = page.along(index, start, DVec3::X, from, to);
    page.drag(index, &[from, to], PointerKind::Exact);
    let moved = page.gallery.transforms(index)[0].translation - start;
    assert!((moved - DVec3::X * expected).length() < 1e-9, "{moved} {expected}");
}

#[test]
fn magnifier_shows_the_ids_around_the_pointer() {
    let mut page = Page::new();
    let index = Gallery::index_of("translate").unwrap();
    page.gallery.set_magnifying(true);
    page.settle(index);
    let arrow = page.on_arrow(index, DVec3::X);
    page.mouse(index, arrow, 0);
    page.settle(index);
    let texels = page.gallery.magnified(index).unwrap().clone();
    let center = texels.id_at(arrow).unwrap();
    assert_eq!(page.gallery.name_of(index, center.get()).as_deref(), Some("translate_x"));
    page.gallery.request_ids(index);
    page.settle(index);
    let whole = page.gallery.take_ids(index).unwrap();
    assert_eq!([whole.width, whole.height], [640, 420]);
    for (i, id) in texels.ids.iter().enumerate() {
        let [x, y] = [i as i64 % 25 + texels.origin_px[0], i as i64 / 25 + texels.origin_px[1]];
        assert_eq!(*id, whole.ids[(y * 640 + x) as usize], "{x}, {y}");
    }
}

#[test]
fn drag_over_empty_space_orbits_and_two_values_of_a_control_differ() {
    let mut page = Page::new();
    let index = Gallery::index_of("depth").unwrap();
    page.settle(index);
    let view = page.gallery.view(index);
    page.drag(index, &[dvec2(4.0, 4.0), dvec2(50.0, 20.0)], PointerKind::Finger);
    assert_ne!(page.gallery.view(index), view);
    let controls = page.gallery.controls(index);
    assert_eq!(controls[0].label, "Depth style");
    let mut pictures = Vec::new();
    for value in 0..controls[0].values.len() {
        page.gallery.set_control(index, 0, value);
        page.settle(index);
        page.save(&format!("depth-{value}"));
        pictures.push(page.picture());
    }
    for (i, picture) in pictures.iter().enumerate() {
        assert!(pictures[..i].iter().all(|other| other != picture), "style {i} looks like another");
    }
    page.gallery.reset(index).unwrap();
    page.settle(index);
    assert_eq!(page.gallery.view(index), view);
}
