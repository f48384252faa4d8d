//! Guides and readouts (§12 of docs/spec.md).

mod following;
mod readouts;

use crate::prelude::*;

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
fn guides_are_within_viewport() {
    let (mut dragging, mut grids) = (0, 0);
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
        stage.gizmo.settings.motion.solver = Solver::ALL[rng.usize(..3)];
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
        let held = stage.gizmo.dragging().map(HandleId::constraint);
        let is_plane = matches!(held, Some(Constraint::Plane(_) | Constraint::ViewPlane));
        assert!(list.grids().len() <= usize::from(is_plane), "{}", dragged.name());
        grids += list.grids().len();
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
        dragging += usize::from(stage.gizmo.is_active());
    });
    assert!(dragging > 2_000, "{} drags", dragging);
    assert!(grids > 200, "{} grids", grids);
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

/// Returns the center lines of all strokes, in logical pixels.
fn strokes_lpx(handle: HandleId, scale_factor: f64) -> Vec<[DVec2; 2]> {
    let mut stage = Stage::new(Settings::default().with(|s| {
        s.mode = Mode::Handles(handle.into());
        s.snap.increments = Snap { translate: Increment::new(0.01), ..Snap::DEFAULT_INCREMENTS };
        s.display.construction_lines = true;
        s.motion.solver = Solver::ClosestPoint;
    }));
    let viewport = Viewport::from_size((800.0 * scale_factor) as u32, (600.0 * scale_factor) as u32);
    let camera = Camera { viewport, scale_factor, ..Camera::at(DVec3::new(3.0, 4.0, 6.0)) };
    stage.shot = views::ALL[0].shot(&camera);
    stage.gizmo.theme.letters = true;
    let from = stage.at(points(handle));
    stage.grab(from);
    stage.point_at(from + DVec2::new(60.0, 25.0) * scale_factor);
    let mut list = stage.draw();
    list.stroke_readouts();
    let quads = list.guides().into_iter().flat_map(|layer| layer.chunks_exact(4));
    // Filled areas have no center line.
    let strokes = quads.filter(|quad| quad[0].across_px[1] < 500.0);
    let center = |a: &GuideVertex, b: &GuideVertex| at(a).midpoint(at(b)) / scale_factor;
    strokes.map(|quad| [center(&quad[0], &quad[1]), center(&quad[2], &quad[3])]).collect()
}

/// Ticks, marks, dashes, letters and readouts have sizes in logical pixels.
#[test]
fn guides_are_at_same_places_on_every_display() {
    let distance = |from: DVec2, [a, b]: [DVec2; 2]| {
        let t = ((from - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        from.distance(a.lerp(b, t))
    };
    let mut count = 0;
    for handle in HandleId::all() {
        let [usual, dense] = [1.0, 2.5].map(|scale| strokes_lpx(handle, scale));
        for (strokes, others) in [(&usual, &dense), (&dense, &usual)] {
            // Lines go on for some pixels outside of the view.
            let is_seen =
                |end: &&DVec2| end.cmpge(DVec2::ZERO).all() && end.cmple(DVec2::new(800.0, 600.0)).all();
            for end in strokes.iter().flatten().filter(is_seen) {
                let off = others.iter().map(|other| distance(*end, *other)).fold(f64::INFINITY, f64::min);
                // Texts begin at whole pixels of their display, so both are off by up to half a pixel along each axis.
                assert!(off < 1.0, "{}: a stroke ends at {end}, {off} beside all others", handle.name());
            }
            count += strokes.len();
        }
    }
    assert!(count > 1_000, "{count} strokes");
}

#[test]
fn guides_of_right_viewport_are_those_of_left_one() {
    let [left, right] = [0.0, 800.0].map(|x| {
        let camera = Camera::at(DVec3::new(2.0, 2.5, 6.0));
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.shot = views::ALL[0].shot(&Camera { viewport: Viewport { x, ..camera.viewport }, ..camera });
        let list = dragged(&mut stage, DVec3::X * 0.7, DVec3::X * 1.2);
        list.guides()[0].iter().map(|vertex| at(vertex) - DVec2::X * x).collect::<Vec<_>>()
    });
    assert_eq!(left.len(), right.len());
    assert!(left.iter().zip(&right).all(|(a, b)| a.distance(*b) < 1e-3), "{left:?} and {right:?}");
}

/// Without a pointer, a mark at the length of the handle shows the start: on the axis, or the corners of
/// a square.
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
