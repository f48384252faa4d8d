//! Guides and readouts (§12 of docs/spec.md).

use crate::oracle::{any_shot, between, cases, handle, px, target_at, visible_point};
use crate::stage::Stage;
use crate::views::{self, Camera};
use std::cell::Cell;
use wgpu_gizmo::draw::GuideVertex;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::handle::{Constraint, CustomHandle, HandleMesh, HandleSet};
use wgpu_gizmo::interaction::{Drag, Key, KeyModifiers, Limits};
use wgpu_gizmo::{DrawList, HandleId, Increment, Mode, Settings, Snap, Solver, Theme, Transform, Viewport};

fn at(vertex: &GuideVertex) -> DVec2 {
    let [x, y] = vertex.position_px;
    DVec2::new(x.into(), y.into())
}

fn readout_texts(list: &DrawList) -> Vec<String> {
    list.readouts().map(|readout| readout.text.to_owned()).collect()
}

/// Creates a stage seen from the front, in which one unit and the gizmo's size are 100 pixels.
fn front(settings: Settings) -> Stage {
    let mut stage = Stage::new(Settings { size_lpx: 100.0, ..settings });
    let camera = Camera::at(DVec3::new(0.0, 0.0, 600.0 / (2.0 * (views::FOV * 0.5).tan()) / 100.0));
    stage.shot = views::ALL[7].shot(&camera);
    stage
}

/// Drags between two points in units of size, and draws.
fn dragged(stage: &mut Stage, from: DVec3, to: DVec3) -> DrawList {
    stage.grab(stage.at(from));
    let to = stage.at(to);
    stage.move_to(to);
    stage.update();
    assert!(stage.gizmo.is_active());
    stage.draw()
}

#[test]
fn readouts_show_total_motion() {
    let translate = Settings { mode: Mode::Translate, ..Settings::default() };
    let rotate = Settings { mode: Mode::Rotate, ..Settings::default() };
    let scale = Settings { mode: Mode::Scale, ..Settings::default() };
    let on_ring = DVec3::new(0.6, 0.8, 0.0);
    for (settings, from, to, text) in [
        (translate, DVec3::X * 0.6, DVec3::X * 1.85, "X 1.250"),
        (translate, DVec3::X * 0.6, DVec3::new(0.1, 3.0, 0.0), "X -0.500"),
        (translate, DVec3::X * 0.6, DVec3::X * 0.6, "X 0.000"),
        (translate, DVec3::new(0.4, 0.4, 0.0), DVec3::new(1.65, 0.9, 0.0), "X 1.250  Y 0.500"),
        (translate, DVec3::ZERO, DVec3::new(1.0, -0.5, 0.0), "X 1.000  Y -0.500  Z 0.000"),
        (rotate, on_ring, DVec3::new(-0.8, 0.6, 0.0), "90.0°"),
        (rotate, on_ring, DVec3::new(0.8, -0.6, 0.0), "-90.0°"),
        (rotate, on_ring, on_ring, "0.0°"),
        (scale, DVec3::X * 0.6, DVec3::X * 0.9, "X ×1.50"),
        (scale, DVec3::X * 0.6, DVec3::X * -0.6, "X ×0.00 (limit)"),
        (scale, DVec3::new(0.4, 0.4, 0.0), DVec3::new(0.6, 0.6, 0.0), "XY ×1.50"),
        (scale, DVec3::ZERO, DVec3::X, "×2.00"),
    ] {
        let mut stage = front(settings);
        let list = dragged(&mut stage, from, to);
        assert_eq!(readout_texts(&list), [text]);
        stage.gizmo.cancel();
        stage.update();
        assert!(readout_texts(&stage.draw()).is_empty(), "no readout without a drag");
    }
    let mut stage = front(rotate);
    stage.grab(stage.at(on_ring));
    for eighth in 1..=9 {
        let angle = on_ring.y.atan2(on_ring.x) + f64::from(eighth) * std::f64::consts::FRAC_PI_4;
        stage.move_to(stage.at(DVec3::new(angle.cos(), angle.sin(), 0.0)));
        stage.update();
    }
    assert_eq!(readout_texts(&stage.draw()), ["405.0°"], "whole turns count");
}

#[test]
fn readouts_show_typed_text_and_limit() {
    let mut stage = front(Settings { mode: Mode::Translate, ..Settings::default() });
    stage.update();
    for key in "x-2.5".chars().filter_map(Key::from_char) {
        stage.gizmo.key(key, KeyModifiers::NONE);
    }
    stage.update();
    assert_eq!(readout_texts(&stage.draw()), ["X -2.5"]);
    let high = DVec3::splat(1.0);
    let limits = Limits { translation: [DVec3::NEG_INFINITY, high], ..Limits::NONE };
    let mut stage = front(Settings { mode: Mode::Translate, limits, ..Settings::default() });
    let list = dragged(&mut stage, DVec3::X * 0.6, DVec3::X * 2.6);
    assert_eq!(readout_texts(&list), ["X 1.000 (limit)"]);
}

#[test]
fn small_motion_is_shown_with_more_digits() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.shot = views::ALL[7].shot(&Camera::at(DVec3::new(0.0, 0.0, 6e-4)));
    let list = dragged(&mut stage, DVec3::X * 0.6, DVec3::X * 1.6);
    let text = &readout_texts(&list)[0];
    let digits = text.split('.').nth(1).map_or(0, str::len);
    assert!((6..=9).contains(&digits), "{text}");
}

#[test]
fn two_gizmos_in_one_list_have_readouts() {
    let mut stages = [1.0, 2.0].map(|distance| {
        let mut stage = front(Settings { mode: Mode::Translate, ..Settings::default() });
        dragged(&mut stage, DVec3::X * 0.6, DVec3::X * (0.6 + distance));
        stage
    });
    let mut list = DrawList::new();
    let view = stages[0].shot.view;
    list.begin(&view);
    stages.iter_mut().for_each(|stage| stage.gizmo.draw(&mut list));
    assert_eq!(readout_texts(&list), ["X 1.000", "X 2.000"]);
}

#[test]
fn no_guides_without_drag_and_letters() {
    for mode in [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal] {
        let mut stage = Stage::of_mode(mode);
        stage.update();
        stage.move_to(stage.at(DVec3::ZERO));
        stage.update();
        stage.answer();
        let list = stage.draw();
        assert!(list.guides().iter().all(|layer| layer.is_empty()) && list.grids().is_empty(), "{mode:?}");
    }
}

fn points(handle: HandleId) -> DVec3 {
    let name = handle.name();
    let axis = handle.constraint().axis().map_or(DVec3::ZERO, |axis| axis.unit());
    match name {
        "translate_view" | "scale_uniform" => DVec3::ZERO,
        "rotate_trackball" => DVec3::new(0.1, 0.15, 0.1),
        _ if name.starts_with("rotate") => axis.any_orthonormal_vector(),
        _ if name.len() > "translate_x".len() || name.len() == "scale_yz".len() => (DVec3::ONE - axis) * 0.4,
        _ => axis * 0.7,
    }
}

#[test]
fn guides_are_finite_and_within_viewport() {
    let (dragging, grids) = (Cell::new(0), Cell::new(0));
    cases(3_000, |rng| {
        let (projection, _, shot) = any_shot(rng);
        let dragged = HandleId::all().nth(rng.usize(..HandleId::BUILT_IN)).expect("in the table");
        let mode = match dragged.name().split_once('_').map(|(channel, _)| channel) {
            Some("translate") => Mode::Translate,
            Some("rotate") => Mode::Rotate,
            _ => Mode::Scale,
        };
        let mut stage = Stage::of_mode(mode);
        stage.shot = shot;
        stage.gizmo.settings.construction_lines = true;
        stage.gizmo.settings.snap = if rng.bool() { Snap::DEFAULT_INCREMENTS } else { Snap::OFF };
        stage.gizmo.settings.solver =
            [Solver::ScreenProjection, Solver::ClosestPoint, Solver::MovementPlane][rng.usize(..3)];
        stage.gizmo.theme.letters = true;
        stage.targets = vec![target_at(visible_point(rng, &shot))];
        stage.grab(stage.at(points(dragged)));
        let v = shot.view.viewport();
        for _ in 0..3 {
            let [x, y] = [0, 1].map(|_| between(rng, -0.4, 1.4));
            stage.move_to(DVec2::new(v.x + v.width * x, v.y + v.height * y));
            stage.update();
        }
        let list = stage.draw();
        let [low, high] = [DVec2::new(v.x, v.y), DVec2::new(v.x + v.width, v.y + v.height)];
        for vertex in list.guides().into_iter().flatten() {
            let numbers = vertex.position_px.into_iter().chain(vertex.across_px).chain(vertex.color);
            assert!(numbers.into_iter().all(f32::is_finite), "{}: {vertex:?}", projection.name);
            assert!(vertex.color.iter().all(|c| (0.0..=1.0).contains(c)), "{vertex:?}");
        }
        let held = stage.gizmo.dragging().map(HandleId::constraint);
        let is_plane = matches!(held, Some(Constraint::Plane(_) | Constraint::ViewPlane));
        assert!(list.grids().len() <= usize::from(is_plane), "{}", dragged.name());
        grids.set(grids.get() + list.grids().len());
        for grid in list.grids() {
            let numbers = grid.px_from_plane.to_cols_array().into_iter().chain(grid.first);
            assert!(numbers.into_iter().all(f64::is_finite), "{}: {grid:?}", projection.name);
            assert!(grid.lines.iter().all(|lines| *lines <= 50), "{grid:?}");
        }
        // Strokes are clipped. Marks, circles and sectors may exceed the viewport by their size.
        let size = 2.0 * (v.width + v.height) + 40.0 * shot.view.scale_factor();
        for vertex in list.guides()[0].iter().filter(|vertex| vertex.across_px[1] < 1.0) {
            let at = at(vertex);
            let inside = at.cmpge(low - size).all() && at.cmple(high + size).all();
            assert!(inside, "{}: {at} in {low} to {high}", projection.name);
        }
        for readout in list.readouts() {
            let inside = readout.anchor_px.cmpge(low).all() && readout.anchor_px.cmple(high).all();
            assert!(inside && !readout.text.is_empty(), "{}: {readout:?}", projection.name);
        }
        assert_eq!(list.readouts().count(), usize::from(stage.gizmo.is_active()));
        dragging.set(dragging.get() + usize::from(stage.gizmo.is_active()));
    });
    assert!(dragging.get() > 2_000, "{} drags", dragging.get());
    assert!(grids.get() > 200, "{} grids", grids.get());
}

#[test]
fn axis_line_passes_start_and_fades() {
    for projection in views::ALL {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.shot = projection.shot(&Camera::at(DVec3::new(2.0, 2.5, 6.0)));
        let list = dragged(&mut stage, DVec3::X * 0.7, DVec3::X * 0.9);
        let [under, over] = list.guides();
        assert!(over.is_empty());
        let line = &under[..12];
        let [a, b] = [DVec3::ZERO, DVec3::X].map(|point| px(&stage.shot, point));
        let along = (b - a).normalize();
        for vertex in line {
            let off = (at(vertex) - a).perp_dot(along).abs();
            assert!(off < 5.0 * stage.shot.view.scale_factor(), "{}: {off} px off", projection.name);
        }
        assert_eq!((line[0].color[3], line[11].color[3]), (0.0, 0.0));
        assert!(line[4].color[3] > 0.5 && line[8].color[3] > 0.5);
        let theme = stage.gizmo.theme;
        assert_eq!(line[4].color[..3], theme.axes[0][..3]);
    }
}

#[test]
fn plane_grid_matches_snapping_positions() {
    let mut stage = front(Settings { mode: Mode::Translate, ..Settings::default() });
    stage.gizmo.settings.snap.translate = Increment::new(0.5);
    let start = stage.at(DVec3::ZERO);
    let list = dragged(&mut stage, DVec3::new(0.4, 0.4, 0.0), DVec3::new(1.4, 0.9, 0.0));
    let [grid] = list.grids() else { panic!("not one grid: {:?}", list.grids()) };
    let px = |a: f64, b: f64| {
        let at = grid.px_from_plane * DVec3::new(a, b, 1.0);
        at.truncate() / at.z
    };
    assert!(px(0.0, 0.0).distance(start + DVec2::new(100.0, -50.0)) < 1e-6);
    assert!((px(0.0, 0.0).distance(px(1.0, 0.0)) - 240.0).abs() < 1e-6, "2.4 sizes of 100 pixels");
    assert_eq!(grid.lines, [9, 9]);
    for k in 0..9 {
        let line = grid.first[0] + f64::from(k) * grid.spacing;
        let at = start + DVec2::new(50.0 * f64::from(k) - 100.0, -50.0);
        assert!(px(line, 0.0).distance(at) < 1e-6, "{k}");
    }
}

#[test]
fn ghost_marks_start_of_drag() {
    let mut stage = front(Settings { mode: Mode::Translate, ..Settings::default() });
    let start = stage.at(DVec3::ZERO);
    let list = dragged(&mut stage, DVec3::X * 0.6, DVec3::X * 1.6);
    let guide = &stage.gizmo.theme.guide[..3];
    let ghost: Vec<DVec2> = list.guides()[0].iter().filter(|v| &v.color[..3] == guide).map(at).collect();
    let near = ghost.iter().filter(|at| at.distance(start) < 8.0).count();
    assert!(near >= 60, "a circle at the start: {near}");
    assert!(
        ghost.iter().all(|at| (at.y - start.y).abs() < 8.0 && at.x < start.x + 105.0),
        "and a line from it to the pivot"
    );
    let mut still = front(Settings { mode: Mode::Translate, ..Settings::default() });
    let list = dragged(&mut still, DVec3::X * 0.6, DVec3::X * 0.6);
    assert!(list.guides()[0].iter().all(|v| &v.color[..3] != guide), "no ghost before the first motion");
}

#[test]
fn sector_spans_rotated_angle() {
    let mut stage = front(Settings { mode: Mode::Rotate, ..Settings::default() });
    let from = DVec3::new(0.6, 0.8, 0.0);
    let list = dragged(&mut stage, from, DVec3::new(-0.8, 0.6, 0.0));
    let center = stage.at(DVec3::ZERO);
    let fill: Vec<DVec2> = list.guides()[0].iter().filter(|v| v.across_px[1] > 100.0).map(at).collect();
    let start = 0.8f64.atan2(0.6);
    let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
    for at in fill.iter().filter(|at| at.distance(center) > 1.0) {
        assert!((at.distance(center) - 100.0).abs() < 0.1, "{at}");
        let angle = (center.y - at.y).atan2(at.x - center.x) - start;
        min = min.min(angle);
        max = max.max(angle);
    }
    assert!(min.abs() < 1e-3 && (max - 90f64.to_radians()).abs() < 1e-3, "{min} to {max}");
}

#[test]
fn guides_and_readouts_do_not_affect_picks() {
    let mut stage = front(Settings { mode: Mode::Translate, ..Settings::default() });
    stage.gizmo.theme.letters = true;
    stage.update();
    let list = stage.draw();
    assert!(!list.guides()[1].is_empty());
    // On a letter, beyond the tip of its arrow.
    let letter = stage.at(DVec3::X) + DVec2::new(9.5, 0.0);
    let near = list.guides()[1].iter().any(|vertex| at(vertex).distance(letter) < 7.0);
    assert!(near && list.pick(letter, 0.0).is_none());
}

#[test]
fn letters_are_next_to_axis_tips() {
    for (mode, reach) in [(Mode::Translate, 1.0), (Mode::Scale, 1.0), (Mode::Universal, 1.41)] {
        for projection in views::ALL {
            let mut stage = Stage::of_mode(mode);
            stage.gizmo.theme = Theme::color_blind_safe();
            stage.shot = projection.shot(&Camera::at(DVec3::new(3.0, 2.5, 5.0)));
            stage.update();
            let list = stage.draw();
            let [under, over] = list.guides();
            assert!(under.is_empty());
            let scale = stage.shot.view.scale_factor();
            for (axis, color) in DVec3::AXES.into_iter().zip(stage.gizmo.theme.axes) {
                let tip = stage.at(axis * reach);
                let letter: Vec<DVec2> = over.iter().filter(|v| v.color == color).map(at).collect();
                assert!(letter.len() >= 16, "{}, {mode:?}: too few stroke vertices", projection.name);
                let center = letter.iter().copied().sum::<DVec2>() / letter.len() as f64;
                let off = center.distance(tip) / scale;
                assert!((4.0..16.0).contains(&off), "{}, {mode:?}: {off} lpx from its tip", projection.name);
            }
        }
    }
}

#[test]
fn construction_lines_meet_at_cursor() {
    for solver in [Solver::ScreenProjection, Solver::ClosestPoint, Solver::MovementPlane] {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.gizmo.settings.solver = solver;
        stage.gizmo.settings.construction_lines = true;
        stage.update();
        stage.grab(stage.at(DVec3::X * 0.7));
        let cursor = stage.at(DVec3::X * 0.9) + DVec2::new(13.0, -40.0);
        stage.move_to(cursor);
        stage.update();
        let list = stage.draw();
        let color = stage.gizmo.theme.construction;
        let over = list.guides()[1];
        assert!(over.iter().all(|vertex| vertex.color[..3] == color[..3]));
        let at_cursor = over.iter().any(|vertex| at(vertex).distance(cursor) < 6.0);
        assert!(at_cursor, "{solver:?}");
        // The lines also meet the drawn axis.
        let [a, b] = [DVec3::ZERO, DVec3::X].map(|point| stage.at(point));
        let on_axis = |vertex: &GuideVertex| (at(vertex) - a).perp_dot((b - a).normalize()).abs() < 6.0;
        assert!(over.iter().filter(|vertex| on_axis(vertex)).count() >= 12, "{solver:?}");
    }
}

#[test]
fn custom_handle_guides_follow_its_axes() {
    let mut stage = Stage::of_mode(Mode::None);
    let turn = wgpu_gizmo::glam::DQuat::from_rotation_z(0.5);
    let custom = CustomHandle {
        constraint: handle("translate_x").constraint(),
        mesh: HandleMesh::ball(),
        placement: Transform { rotation: turn, scale: DVec3::splat(0.2), ..Transform::IDENTITY },
        color: [1.0; 4],
    };
    let id = stage.gizmo.add_handle(custom).expect("there is a free handle slot");
    stage.gizmo.settings.mode = Mode::Handles(HandleSet::from(id));
    let list = dragged(&mut stage, DVec3::ZERO, turn * DVec3::X);
    let [a, b] = [DVec3::ZERO, turn * DVec3::X].map(|point| px(&stage.shot, point));
    let along = (b - a).normalize();
    for vertex in &list.guides()[0][..18] {
        assert!((at(vertex) - a).perp_dot(along).abs() < 5.0);
    }
    assert!(
        readout_texts(&list)[0].starts_with("X 0.9") || readout_texts(&list)[0].starts_with("X 1.0"),
        "{:?}",
        readout_texts(&list)
    );
}

#[test]
fn readout_stays_inside_small_viewports() {
    for (width, height) in [(800, 600), (300, 200), (120, 90), (40, 30), (1, 1)] {
        for position in [DVec3::ZERO, DVec3::new(2.0, 1.5, 0.0), DVec3::new(-2.0, -1.5, 0.0)] {
            let mut stage = Stage::of_mode(Mode::Translate);
            let viewport = Viewport::from_size(width, height);
            stage.shot = views::ALL[0].shot(&Camera { viewport, ..Camera::at(DVec3::new(0.0, 0.0, 6.0)) });
            stage.targets = vec![target_at(position)];
            stage.update();
            let press = stage.at(DVec3::ZERO);
            let settings = stage.gizmo.settings;
            let view = stage.shot.view;
            if Drag::begin(handle("translate_view"), &view, press, &stage.targets, &settings, Snap::OFF)
                .is_err()
            {
                continue;
            }
            stage.grab(press);
            for readout in stage.draw().readouts() {
                let (v, at) = (view.viewport(), readout.anchor_px);
                assert!(at.x >= 0.0 && at.y >= 0.0 && at.x <= v.width && at.y <= v.height, "{at} in {v:?}");
            }
        }
    }
}

#[test]
fn readout_stays_in_viewport_with_pivot_out_of_view() {
    // Pivots behind the viewer, beside the view, and at depth zero.
    let camera = Camera::at(DVec3::new(0.0, 0.0, 6.0));
    let mut behind = 0;
    for projection in views::ALL {
        for (axis, typed) in [("z", "50"), ("z", "6"), ("x", "400"), ("y", "-400"), ("z", "1e")] {
            let mut stage = Stage::of_mode(Mode::Translate);
            stage.shot = projection.shot(&camera);
            stage.update();
            for key in axis.chars().chain(typed.chars()).filter_map(Key::from_char) {
                stage.gizmo.key(key, KeyModifiers::NONE);
            }
            stage.update();
            assert!(stage.gizmo.is_active(), "{}", projection.name);
            let list = stage.draw();
            let (v, name) = (stage.shot.view.viewport(), projection.name);
            let expected = format!("{} {}", axis.to_uppercase(), typed.trim_end_matches('e'));
            assert_eq!(readout_texts(&list), [expected], "{name}");
            let at = list.readouts().next().expect("one readout").anchor_px;
            let margin = DVec2::new(8.0, 8.0) * stage.shot.view.scale_factor();
            let (low, high) = (DVec2::new(v.x, v.y), DVec2::new(v.x + v.width, v.y + v.height));
            assert!((at - low).cmpge(DVec2::Y * margin.y).all(), "{name}, {typed}: {at} in {v:?}");
            assert!((high - at).cmpge(margin).all(), "{name}, {typed}: {at} in {v:?}");
            behind += usize::from(list.is_empty());
        }
    }
    assert!(behind > views::ALL.len() / 2, "{behind} pivots were behind the viewer");
}

#[test]
fn readout_moves_to_edge_nearest_pivot() {
    let viewport = Viewport { x: 100.0, y: 50.0, width: 800.0, height: 600.0 };
    let anchor = |position: DVec3| {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.shot = views::ALL[0].shot(&Camera { viewport, ..Camera::at(DVec3::new(0.0, 0.0, 6.0)) });
        stage.update();
        for key in "z1".chars().filter_map(Key::from_char) {
            stage.gizmo.key(key, KeyModifiers::NONE);
        }
        stage.update();
        // The camera moves during the drag, until the pivot is at the given position.
        let pivot = stage.pivot();
        stage.shot = views::ALL[0].shot(&Camera {
            viewport,
            look_at: pivot - position - DVec3::Z,
            ..Camera::at(pivot - position)
        });
        stage.update();
        let list = stage.draw();
        list.readouts().next().map(|readout| readout.anchor_px).expect("one readout")
    };
    // In front of the eye, beside it and behind it, far to one side.
    for z in [-1.0, 0.0, 1.0] {
        let [left, right] = [-40.0, 40.0].map(|x| anchor(DVec3::new(x, 0.0, z)));
        assert!(left.x < 120.0 && right.x > 700.0, "{z}: {left} {right}");
        let [above, below] = [40.0, -40.0].map(|y| anchor(DVec3::new(0.0, y, z)));
        assert!(above.y < 80.0 && below.y > 620.0, "{z}: {above} {below}");
    }
    assert!(anchor(DVec3::Z * 5.0).y > 620.0, "directly behind");
}

/// A readout has space for 8 by 16 logical pixels per character, inside the viewport (§12).
#[test]
fn readout_has_space_for_every_character() {
    let long = Limits { translation: [DVec3::splat(-1.2345), DVec3::splat(1.2345)], ..Limits::NONE };
    let (mut counted, mut longest) = (0, 0);
    for (from, to) in [
        (DVec3::X * 0.6, DVec3::X * -2.0),
        (DVec3::new(0.4, 0.4, 0.0), DVec3::new(1.65, 0.9, 0.0)),
        (DVec3::new(0.4, 0.4, 0.0), DVec3::new(-3.0, -3.0, 0.0)),
        (DVec3::ZERO, DVec3::new(-3.0, -3.0, 0.0)),
    ] {
        for limits in [Limits::NONE, long] {
            for position in [DVec3::ZERO, DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y] {
                let mut stage = front(Settings { mode: Mode::Translate, limits, ..Settings::default() });
                // The pivot is near an edge of the viewport.
                let moved = position * DVec3::new(2.6, 2.0, 0.0);
                stage.shot =
                    views::ALL[7].shot(&Camera { look_at: -moved, ..Camera::at(DVec3::Z * 6.0 - moved) });
                let list = dragged(&mut stage, from, to);
                let v = stage.shot.view.viewport();
                for readout in list.readouts() {
                    let characters = readout.text.chars().count();
                    (counted, longest) = (counted + 1, longest.max(characters));
                    let end = readout.anchor_px + DVec2::new(8.0 * characters as f64, 8.0);
                    let is_inside = readout.anchor_px.cmpge(DVec2::new(0.0, 8.0)).all()
                        && end.cmple(DVec2::new(v.width, v.height)).all();
                    assert!(is_inside, "{readout:?}, {characters} characters, pivot {position}");
                }
            }
        }
    }
    assert!(counted == 40 && longest > 30, "{counted} readouts of up to {longest} characters");
}
