//! Guides and readouts (§12 of docs/spec.md).

mod following;
mod readouts;

use crate::oracle::{any_shot, between, cases, handle, px, target_at, visible_point};
use crate::stage::Stage;
use crate::views::{self, Camera};
use std::cell::Cell;
use wgpu_gizmo_core::draw::parts::GuideVertex;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::{Axis, Constraint, CustomHandle, HandleMesh, HandleSet};
use wgpu_gizmo_core::interaction::{Key, KeyModifiers};
use wgpu_gizmo_core::{
    DrawList, HandleId, Increment, Mode, Settings, Snap, Solver, Theme, Transform, Viewport,
};

fn at(vertex: &GuideVertex) -> DVec2 {
    let [x, y] = vertex.position_px;
    DVec2::new(x.into(), y.into())
}

fn readout_texts(list: &DrawList) -> Vec<String> {
    list.readouts().map(|readout| readout.text.to_owned()).collect()
}

/// Creates a stage seen from the front, in which one unit and the gizmo's size are 100 pixels.
fn front(settings: Settings) -> Stage {
    let mut stage = Stage::new(settings.with(|s| s.display.size_lpx = 100.0));
    let camera = Camera::at(DVec3::new(0.0, 0.0, 600.0 / (2.0 * (views::FOV * 0.5).tan()) / 100.0));
    stage.shot = views::ALL[7].shot(&camera);
    stage
}

/// Drags between two points in units of size, and draws.
fn dragged(stage: &mut Stage, from: DVec3, to: DVec3) -> DrawList {
    stage.grab(stage.at(from));
    let to = stage.at(to);
    stage.point_at(to);
    assert!(stage.gizmo.is_active());
    stage.draw()
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
        let dragged =
            HandleId::all().nth(rng.usize(..HandleId::BUILT_IN)).expect("the index is in the table");
        let mode = match dragged.name().split_once('_').map(|(channel, _)| channel) {
            Some("translate") => Mode::Translate,
            Some("rotate") => Mode::Rotate,
            _ => Mode::Scale,
        };
        let mut stage = Stage::of_mode(mode);
        stage.shot = shot;
        stage.gizmo.settings.display.construction_lines = true;
        stage.gizmo.settings.snap.increments = if rng.bool() { Snap::DEFAULT_INCREMENTS } else { Snap::OFF };
        stage.gizmo.settings.motion.solver =
            [Solver::ScreenProjection, Solver::ClosestPoint, Solver::MovementPlane][rng.usize(..3)];
        stage.gizmo.theme.letters = true;
        stage.targets = vec![target_at(visible_point(rng, &shot))];
        stage.grab(stage.at(points(dragged)));
        let v = shot.view.viewport();
        for _ in 0..3 {
            let [x, y] = [0, 1].map(|_| between(rng, -0.4, 1.4));
            stage.point_at(DVec2::new(v.x + v.width * x, v.y + v.height * y));
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
        let theme = stage.gizmo.theme;
        assert!(
            over.iter().all(|vertex| vertex.color == theme.colors.axes[0]),
            "only the letter of the arrow"
        );
        let line = &under[..12];
        let [a, b] = [DVec3::ZERO, DVec3::X].map(|point| px(&stage.shot, point));
        let along = (b - a).normalize();
        for vertex in line {
            let off = (at(vertex) - a).perp_dot(along).abs();
            assert!(off < 5.0 * stage.shot.view.scale_factor(), "{}: {off} px off", projection.name);
        }
        // A needle, the line between the start and the pivot, and another needle.
        assert_eq!((line[2].color[3], line[11].color[3]), (0.0, 0.0));
        assert_eq!((line[2].position_px, line[10].position_px), (line[3].position_px, line[11].position_px));
        let reach = (at(&line[2]) - at(&line[11])).length() / (b - a).length();
        assert!(reach > 3.5, "{}: {reach} sizes", projection.name);
        assert!(line[0].color[3] > 0.5 && line[4].color[3] > 0.5 && line[8].color[3] > 0.5);
        assert_eq!(line[4].color[..3], theme.colors.axes[0][..3]);
    }
}

#[test]
fn plane_grid_matches_snapping_positions() {
    let mut stage = front(Settings::default().with(|s| s.mode = Mode::Translate));
    stage.gizmo.settings.snap.increments.translate = Increment::new(0.5);
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
    let mut stage = front(Settings::default().with(|s| s.mode = Mode::Translate));
    let start = stage.at(DVec3::ZERO);
    let list = dragged(&mut stage, DVec3::X * 0.6, DVec3::X * 1.6);
    let guide = &stage.gizmo.theme.colors.guide[..3];
    let ghost: Vec<DVec2> = list.guides()[0].iter().filter(|v| &v.color[..3] == guide).map(at).collect();
    let near = ghost.iter().filter(|at| at.distance(start) < 8.0).count();
    assert!(near >= 44, "a circle at the start: {near}");
    assert!(
        ghost.iter().all(|at| (at.y - start.y).abs() < 8.0 && at.x < start.x + 105.0),
        "and a line from it to the pivot"
    );
    let mut still = front(Settings::default().with(|s| s.mode = Mode::Translate));
    let list = dragged(&mut still, DVec3::X * 0.6, DVec3::X * 0.6);
    assert!(list.guides()[0].iter().all(|v| &v.color[..3] != guide), "no ghost before the first motion");
}

/// Returns the colors of the guides of a drag by these logical pixels, in order and without repetitions.
fn colors_of_drag(handle: HandleId, by_lpx: DVec2, scale_factor: f64) -> Vec<[f32; 4]> {
    let viewport = Viewport::from_size((800.0 * scale_factor) as u32, (600.0 * scale_factor) as u32);
    let camera = Camera { viewport, scale_factor, ..Camera::at(DVec3::new(3.0, 4.0, 6.0)) };
    let mut stage = Stage::new(Settings::default().with(|s| {
        s.mode = Mode::Handles(handle.into());
        s.snap.increments = Snap::DEFAULT_INCREMENTS;
    }));
    stage.shot = views::ALL[0].shot(&camera);
    let from = stage.at(points(handle));
    stage.grab(from);
    stage.point_at(from + by_lpx * scale_factor);
    let mut colors: Vec<_> = stage.draw().guides()[0].iter().map(|vertex| vertex.color).collect();
    colors.dedup();
    colors
}

#[test]
fn guides_have_same_colors_on_every_display() {
    let mut count = 0;
    for handle in HandleId::all() {
        // The ghost of the start fades in over the first pixels.
        for by_lpx in [DVec2::new(5.0, -4.0), DVec2::new(60.0, 25.0)] {
            let [once, twice] = [1.0, 2.0].map(|scale| colors_of_drag(handle, by_lpx, scale));
            assert_eq!(once.len(), twice.len(), "{} by {by_lpx}", handle.name());
            for (a, b) in once.iter().flatten().zip(twice.iter().flatten()) {
                assert!((a - b).abs() < 1e-4, "{} by {by_lpx}: {a} and {b}", handle.name());
            }
            count += once.len();
        }
    }
    assert!(count > 100, "{count} colors");
}

#[test]
fn sector_spans_rotated_angle() {
    let mut stage = front(Settings::default().with(|s| s.mode = Mode::Rotate));
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
    let mut stage = front(Settings::default().with(|s| s.mode = Mode::Translate));
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
            for (axis, color) in DVec3::AXES.into_iter().zip(stage.gizmo.theme.colors.axes) {
                let tip = stage.at(axis * reach);
                let letter: Vec<DVec2> = over.iter().filter(|v| v.color == color).map(at).collect();
                assert!(letter.len() >= 12, "{}, {mode:?}: too few stroke vertices", projection.name);
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
        stage.gizmo.settings.motion.solver = solver;
        stage.gizmo.settings.display.construction_lines = true;
        stage.update();
        stage.grab(stage.at(DVec3::X * 0.7));
        let cursor = stage.at(DVec3::X * 0.9) + DVec2::new(13.0, -40.0);
        stage.point_at(cursor);
        let list = stage.draw();
        let color = stage.gizmo.theme.colors.construction;
        let letter = stage.gizmo.theme.colors.axes[0];
        let (letter, over): (Vec<&GuideVertex>, Vec<&GuideVertex>) =
            list.guides()[1].iter().partition(|vertex| vertex.color == letter);
        assert!(!letter.is_empty() && over.iter().all(|vertex| vertex.color[..3] == color[..3]));
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
    let turn = wgpu_gizmo_core::glam::DQuat::from_rotation_z(0.5);
    let custom = CustomHandle::new(
        handle("translate_x").constraint(),
        HandleMesh::ball(),
        Transform { rotation: turn, scale: DVec3::splat(0.2), ..Transform::IDENTITY },
        [1.0; 4],
    );
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

/// Without a pointer, a mark at the length of the handle shows the start: on the axis, or the corners of a square.
#[test]
fn keyed_scale_marks_start_at_length_of_handle() {
    for (key, points) in [
        (Key::Axis(Axis::X), [DVec3::X, DVec3::X]),
        (Key::Plane(Axis::Z), [DVec3::new(0.5, 0.5, 0.0), DVec3::new(0.0, 0.5, 0.0)]),
    ] {
        for size_lpx in [100.0, 60.0] {
            let mut stage = front(Settings::default().with(|s| s.mode = Mode::Scale));
            stage.gizmo.settings.display.size_lpx = size_lpx;
            stage.update();
            stage.gizmo.key(key, KeyModifiers::NONE);
            stage.update();
            assert!(stage.gizmo.is_active());
            let list = stage.draw();
            let neutral = &stage.gizmo.theme.colors.guide[..3];
            let strokes: Vec<[DVec2; 2]> = list.guides()[0]
                .chunks_exact(4)
                .filter(|quad| &quad[0].color[..3] == neutral)
                .map(|quad| [at(&quad[0]).midpoint(at(&quad[1])), at(&quad[2]).midpoint(at(&quad[3]))])
                .collect();
            for point in points {
                let px = stage.at(point);
                let is_on = |[from, to]: &[DVec2; 2]| {
                    let along = (*to - *from).normalize_or_zero();
                    let t = (px - *from).dot(along).clamp(0.0, from.distance(*to));
                    px.distance(*from + along * t) < 0.5
                };
                assert!(strokes.iter().any(is_on), "{key:?} at {point}, {size_lpx}: {strokes:?}");
            }
        }
    }
}

/// Lines that would be too close show every 2nd, 5th, 10th, … multiple of the increment.
#[test]
fn dense_grid_shows_round_multiples_of_increment() {
    for increment in [0.5, 0.07, 0.011, 1e-3, 3e-5] {
        let mut stage = front(Settings::default().with(|s| s.mode = Mode::Translate));
        stage.gizmo.settings.snap.increments.translate = Increment::new(increment);
        let list = dragged(&mut stage, DVec3::new(0.4, 0.4, 0.0), DVec3::new(0.9, 0.7, 0.0));
        let [grid] = list.grids() else { unreachable!("a plane has one grid") };
        let line = |k: f64| {
            let at = grid.px_from_plane * DVec3::new(grid.first[0] + k * grid.spacing, 0.0, 1.0);
            at.truncate() / at.z
        };
        // A unit is 100 pixels.
        let spacing = line(1.0).distance(line(0.0)) / 100.0;
        let steps = spacing / increment;
        let decade = 10f64.powf((steps * 1.000001).log10().floor());
        let leading = steps / decade;
        let is_round = [1.0, 2.0, 5.0].iter().any(|round| (leading - round).abs() < 1e-6);
        assert!(is_round, "{increment}: every {steps}th line");
        assert!(spacing >= 0.1 - 1e-6 && (steps < 1.5 || spacing <= 0.25), "{increment}: {spacing}");
    }
}
