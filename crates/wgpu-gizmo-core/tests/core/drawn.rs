//! §11 and §12 of docs/spec.md: what views show of gizmos in every state, measured, as a table: a change of a picture
//! cannot go unnoticed. `WGPU_GIZMO_WRITE=1` writes `tests/drawn.tsv` anew; look at docs/pictures.md before you commit it.

use crate::golden::{self, Row, Table};
use crate::prelude::*;

const SCENES: usize = 220;
/// The tolerance of a sum, relative to the sum of its absolute terms: positions in pixels have 24 bits.
const TOLERANCE: f64 = 3e-7;
/// Returns what an opaque measure of a color is: no two channels are alike.
fn tone([r, g, b, a]: Rgba) -> f64 {
    f64::from(r) + 2.0 * f64::from(g) + 3.0 * f64::from(b) + 5.0 * f64::from(a)
}

fn triangles(row: &mut Row, list: &DrawList, middle: DVec2) {
    let mut triangles = Triangles::new();
    list.triangles_px(&mut triangles);
    for triangle in triangles.indices().chunks_exact(3) {
        let corners = [0, 1, 2].map(|corner| triangles.vertices()[triangle[corner] as usize]);
        let at = corners.map(|corner| DVec2::from(corner.position_px.map(f64::from)) - middle);
        let area = 0.5 * (at[1] - at[0]).perp_dot(at[2] - at[0]).abs();
        for (at, corner) in at.into_iter().zip(corners) {
            let [r, g, b, a] = corner.color.map(|channel| area * f64::from(channel));
            row.add_all("triangle", 0, &[r, g, b, a, a * at.x, a * at.y, a * at.x * at.y]);
        }
    }
}

fn part(item: &Item, middle: DVec2) -> Vec<f64> {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]
        .map(|at| item.px_from_part(at).unwrap_or(middle) - middle);
    let far = item.far_thickness() * f64::from(item.far_opacity());
    let rim = item.rim_color().map_or(0.0, tone);
    let eye = item.to_eye_part().dot(DVec3::new(1.0, 2.0, 3.0));
    let corners = corners.iter().zip([1.0, 2.0, 4.0, 7.0]).map(|(at, weight)| at * weight).sum::<DVec2>();
    vec![corners.x, corners.y, tone(item.color()), rim, item.thickness(), far, eye]
}

fn parts(row: &mut Row, list: &DrawList, middle: DVec2) {
    list.items().iter().enumerate().for_each(|(place, item)| row.add_all("part", place, &part(item, middle)));
    for (place, id) in list.items().iter().filter_map(|item| item.id).enumerate() {
        let px = list.px_of(id).map_or(DVec2::ZERO, |px| px - middle);
        row.add_all("px", place, &px.to_array());
    }
}

fn patches(row: &mut Row, list: &DrawList, middle: DVec2) {
    let mut place = 0;
    Painting::default().patches(list, &Rect::EVERYWHERE, |style, patch| {
        place += 1;
        let style = DepthStyle::ALL.iter().position(|other| other.name() == style.name()).unwrap_or_default();
        let [from, to] = patch.half_widths.unwrap_or_default();
        let halo = patch.halo.width_px * f64::from(patch.halo.opacity);
        let shape = [style as f64, patch.along.x, patch.along.y, patch.sagitta, from + 2.0 * to, halo];
        row.add_all("patch", place, &shape);
        row.add_all("stroke", place, &[patch.inset_px, patch.length, tone(patch.outer), tone(patch.inner)]);
        for (corner, at) in patch.corners.iter().flatten().enumerate() {
            let px = at.px - middle;
            let [u, v] = at.uv;
            let light = at.light + 3.0 * at.opacity;
            let depth = at.depth[0] + 2.0 * at.depth[1];
            row.add_all("corner", place + corner, &[px.x, px.y, u, v, light, depth, at.inward]);
        }
    });
}

fn edges(row: &mut Row, list: &DrawList, middle: DVec2) {
    let mut place = 0;
    let line = |line: &Line| line.normal.x + 2.0 * line.normal.y + 0.01 * line.offset;
    let depth = |plane: &Plane, at: DVec2| plane.at(at);
    Painting::default().edges(list, &Rect::EVERYWHERE, |part| {
        place += 1;
        let edge = part.edge;
        let px = part.anchor_px + edge.start - middle;
        let [from, to] = edge.half_widths.unwrap_or_default();
        let [center, u, v] = edge.rect;
        let round = edge.round.map_or(0.0, |[depth, px]| depth + px);
        row.add_all(
            "edge",
            place,
            &[px.x, px.y, edge.along.x, edge.along.y, edge.length, edge.sagitta, from + 2.0 * to],
        );
        let rect = center.x + 2.0 * center.y + 3.0 * u.length() + 5.0 * v.length();
        let bounds = line(&edge.bounds[0]) + 2.0 * line(&edge.bounds[1]);
        row.add_all(
            "bounds",
            place,
            &[bounds, depth(&edge.depth, DVec2::new(1.0, 2.0)), round, rect, part.item as f64],
        );
    });
}

/// Picks at pixels around the handles.
fn picks(row: &mut Row, list: &DrawList) {
    let Some(Rect { min, max }) = list.bounds_px() else { return };
    row.add_all("rect", 0, &[min.x, min.y, max.x, max.y]);
    for place in 0..144 {
        let at = DVec2::new(f64::from(place % 12) + 0.5, f64::from(place / 12) + 0.5) / 12.0;
        let px = (min + (max - min) * at).floor() + 0.5;
        let found = |radius| f64::from(list.pick(px, radius).map_or(0, |id| id.get()));
        row.add_all("pick", place as usize, &[found(0.0), found(6.0)]);
    }
}

fn transform(rng: &mut Rng, far: f64) -> Transform {
    let scale = DVec3::from_array(std::array::from_fn(|_| between(rng, 0.5, 1.5)));
    Transform { translation: direction(rng) * far, rotation: rotation(rng), scale }
}

/// Returns a tetrahedron with smooth normals, whose strokes are as wide as those of handles.
fn tetrahedron() -> HandleMesh {
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let vertex = |position: [f32; 3]| Vertex { position, normal: position, weight: 0.5, lit: 1.0 };
    HandleMesh::new(corners.map(vertex).to_vec(), vec![0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2])
        .expect("it is closed")
}

fn custom(rng: &mut Rng, number: usize) -> CustomHandle {
    let meshes = [
        HandleMesh::ball(),
        HandleMesh::cube(),
        HandleMesh::cone(),
        HandleMesh::ring(),
        HandleMesh::square_border(),
        tetrahedron(),
    ];
    let constraints = [
        Constraint::Ring(Axis::Z),
        Constraint::Axis(Axis::X),
        Constraint::ScaleAxis(Axis::Y),
        Constraint::ViewPlane,
    ];
    let far = between(rng, 0.3, 2.5);
    let placement = transform(rng, far);
    let placement = Transform { scale: placement.scale * 0.25, ..placement };
    let color = [0.9, 0.5, 0.1, 0.8];
    let handle = CustomHandle::new(constraints[number % 4], meshes[number % 6].clone(), placement, color);
    handle.with_offset(direction(rng) * 0.2)
}

fn theme(rng: &mut Rng, number: usize) -> Theme {
    [Theme::dark(), Theme::light(), Theme::color_blind_safe()][number % 3].with(|theme| {
        theme.letters = !number.is_multiple_of(4);
        theme.sizes.line_lpx = [3.0, 0.8, 6.0][rng.usize(..3)];
        theme.sizes.guide_lpx = [1.25, 0.6, 3.0][rng.usize(..3)];
        theme.opacities.far_half = [0.0, 0.35, 1.0][rng.usize(..3)];
        theme.opacities.dimmed = [0.0, 0.4][rng.usize(..2)];
    })
}

fn mode(rng: &mut Rng, number: usize, handle: HandleId) -> Mode {
    let modes = [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal];
    let some: HandleSet = HandleId::all().filter(|_| rng.bool()).collect();
    let plain = modes.into_iter().find(|mode| number.is_multiple_of(2) && mode.handles().contains(handle));
    plain.unwrap_or(Mode::Handles(some.with(handle)))
}

/// Sets up a gizmo of a scene, in which this handle is at rest, hovered or dragged, and draws it.
fn draw(rng: &mut Rng, number: usize, gizmo: &mut Gizmo, view: &View, list: &mut DrawList) {
    let handles: Vec<HandleId> = HandleId::all().chain(HandleId::box_handles()).collect();
    let handle = handles[number % handles.len()];
    gizmo.theme = theme(rng, number);
    let settings = &mut gizmo.settings;
    settings.mode = mode(rng, number, handle);
    settings.orientation = [Orientation::World, Orientation::Local, Orientation::View][rng.usize(..3)];
    settings.pivot = [Pivot::Median, Pivot::Active, Pivot::EachTarget][rng.usize(..3)];
    settings.motion.solver = Solver::ALL[rng.usize(..3)];
    settings.motion.allow_mirror = rng.bool();
    let size = [0.001, 0.02, 0.3][rng.usize(..3)];
    let increment = |by: f64| Increment::new(size * by);
    settings.snap.while_held =
        Snap { translate: increment(1.0), rotate: increment(3.0), scale: increment(1.0) };
    settings.display.flip_toward_camera = rng.bool();
    settings.display.construction_lines = rng.bool();
    settings.display.size_lpx = between(rng, 60.0, 180.0);
    settings.display.depth_style = DepthStyle::ALL[rng.usize(..4)];
    if handle.box_index().is_some() || rng.u8(..8) == 0 {
        settings.box_handles = Some(BoxHandles::default());
    }
    if number.is_multiple_of(3) {
        let custom = gizmo.add_handle(custom(rng, number / 3)).expect("a slot is free");
        gizmo.settings.mode = Mode::Handles(gizmo.settings.mode.handles().with(custom));
    }
    let size = between(rng, 0.3, 1.2);
    let bounds = [DVec3::splat(-size), DVec3::new(size, 0.6 * size, 0.8 * size)];
    let parent = transform(rng, 0.2).to_matrix();
    let mut targets = [0.3, 0.8].map(|far| Target::new(transform(rng, far), parent).with_bounds(bounds));
    if rng.u8(..10) == 0 {
        targets[1].local.scale.x = 0.0;
    }
    gizmo.update(view, &mut targets);
    let at = gizmo.handle_px(view, handle).or(view.px_from_world(targets[1].position_world()));
    let at = at.unwrap_or(DVec2::splat(300.0));
    let state = rng.u8(..5);
    gizmo.set_held_keys(HeldKeys { snap: rng.bool(), precision: false, ..HeldKeys::NONE });
    if state > 0 {
        gizmo.pointer_moved(at);
        if state > 1 {
            gizmo.pointer_pressed();
        }
        gizmo.update(view, &mut targets);
        if let Some(query) = gizmo.pick_query() {
            gizmo.answer(&answer_with(query, gizmo.id_of(handle)));
        }
        gizmo.update(view, &mut targets);
        let far = [60.0, 200.0, 600.0][rng.usize(..3)];
        let by = DVec2::new(between(rng, -far, far), between(rng, -far, far));
        gizmo.pointer_moved(at + by * f64::from(state - 1).min(1.0));
        gizmo.update(view, &mut targets);
    }
    gizmo.draw(list);
}

/// Adds what a host draws in addition: strokes, a circle and a mesh on screen.
fn draw_more(list: &mut DrawList, ids: &mut IdSpace, view: &View) {
    let style = StrokeStyle { color: [0.2, 0.9, 0.4, 0.7], width_lpx: 2.0 };
    let mut painter = list.guide_painter(GuideLayer::Over).expect("the list has a view");
    painter.dashes([DVec2::new(100.0, 80.0), DVec2::new(340.0, 190.0)], style);
    painter.circle(DVec2::new(420.0, 260.0), 57.0, style.faded(0.5));
    // Partly outside of the viewport.
    painter.circle(DVec2::new(-150.0, 260.0), 190.0, style);
    painter.circle(DVec2::new(-350.0, 260.0), 190.0, style);
    painter.world_stroke(DVec3::new(-30.0, 0.2, 0.1), DVec3::new(90.0, 0.4, 0.6), style);
    painter.world_stroke(DVec3::new(-0.5, 0.2, 0.1), DVec3::new(0.9, 0.4, 0.6), style);
    let mesh = tetrahedron();
    let ids = ids.allocate_for_handles(1).expect("ids are free");
    let mesh = ScreenMesh { mesh: &mesh, color: [0.3, 0.5, 0.9, 1.0], id: Some(ids.first()) };
    let center_px = view.viewport().rect().min + DVec2::new(90.0, 70.0);
    let bounds_px = Rect { min: center_px - 60.0, max: center_px + 60.0 };
    let (right, down) = (DVec3::new(20.0, 3.0, 9.0), DVec3::new(4.0, -22.0, 5.0));
    list.push_meshes(ids, &ScreenPlacement { center_px, right, down, bounds_px }, [mesh]);
    list.stroke_readouts();
}

/// Returns sums over the triangles, parts, patches, edges and picks of a scene, and its readouts.
fn scene(number: usize) -> Row {
    let rng = &mut Rng::with_seed(number as u64);
    let projection = views::ALL[number % views::ALL.len()];
    let eye = direction(rng) * between(rng, 0.9, 8.0);
    let view = projection.view(&Camera { look_at: direction(rng) * 0.7, ..Camera::at(eye) });
    let (mut ids, mut list) = (IdSpace::new(), DrawList::new());
    list.begin(&view);
    for gizmo in 0..1 + usize::from(number.is_multiple_of(5)) {
        let mut shown = Gizmo::new(&mut ids).expect("ids are free");
        draw(rng, number + 7 * gizmo, &mut shown, &view, &mut list);
    }
    if number.is_multiple_of(4) {
        draw_more(&mut list, &mut ids, &view);
    }
    let viewport = view.viewport().rect();
    let middle = 0.5 * (viewport.min + viewport.max);
    let mut row = Row::default();
    for readout in list.readouts() {
        let DVec2 { x, y } = readout.anchor_px;
        row.count("readouts", format!("{} at {x:.3} {y:.3}", readout.text));
    }
    [triangles, parts, patches, edges].into_iter().for_each(|add| add(&mut row, &list, middle));
    picks(&mut row, &list);
    row
}

#[test]
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    ignore = "another library of functions rounds differently, and a random scene may be at a threshold"
)]
fn scenes_look_as_in_table() {
    let title = "Pictures of gizmos: a scene of `tests/core/drawn.rs` per row.";
    golden::check(&Table { path: "tests/drawn.tsv", title, tolerance: TOLERANCE, rows: SCENES, row: &scene });
}
