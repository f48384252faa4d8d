//! Compares triangles with colors with the picture of the renderer.

use crate::common::painted::{BACKGROUND, assert_similar};
use crate::common::prelude::*;

/// Blends triangles at the centers of pixels, as a renderer does.
fn rasterize(case: &Case, triangles: &Triangles) -> Vec<[u8; 4]> {
    let [width, height] = case.target.map(|side| side as usize);
    let stored = (BACKGROUND * 255.0).round() as f32 / 255.0;
    let mut pixels = vec![[stored, stored, stored, 1.0]; width * height];
    for corners in triangles.indices().chunks_exact(3) {
        let [a, b, c] = std::array::from_fn(|i| triangles.vertices()[corners[i] as usize]);
        let [p, q, r] = [a, b, c].map(|vertex: TriangleVertex| Vec2::from(vertex.position_px).as_dvec2());
        let area = (q - p).perp_dot(r - p);
        let viewport = case.view.viewport();
        let low = DVec2::new(viewport.x, viewport.y).max(DVec2::ZERO);
        let high = (DVec2::new(viewport.x, viewport.y) + DVec2::new(viewport.width, viewport.height))
            .min(DVec2::new(width as f64, height as f64));
        let min = p.min(q).min(r).floor().max(low);
        let max = p.max(q).max(r).ceil().min(high);
        for y in min.y as usize..max.y.max(0.0) as usize {
            for x in min.x as usize..max.x.max(0.0) as usize {
                let at = DVec2::new(x as f64, y as f64) + 0.5;
                let shares = [(r - q).perp_dot(at - q), (p - r).perp_dot(at - r), (q - p).perp_dot(at - p)];
                let shares = shares.map(|share| share / area);
                // A pixel on an edge belongs to one of the triangles there.
                if shares.iter().all(|share| *share >= 0.0) && shares.iter().all(|share| share.is_finite()) {
                    let pixel = &mut pixels[y * width + x];
                    let color: [f32; 4] = std::array::from_fn(|i| {
                        [a, b, c].iter().zip(shares).map(|(v, share)| v.color[i] * share as f32).sum()
                    });
                    *pixel = std::array::from_fn(|i| color[i] + pixel[i] * (1.0 - color[3]));
                }
            }
        }
    }
    pixels.into_iter().map(|pixel| pixel.map(|part| (part * 255.0).round() as u8)).collect()
}

fn octahedron() -> HandleMesh {
    let vertex = |position: [f32; 3]| Vertex { position, normal: position, weight: 0.0, lit: 1.0 };
    let sides = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    let vertices = sides.into_iter().chain([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]).map(vertex).collect();
    let indices = (0..4).flat_map(|i| [i, (i + 1) % 4, 4, (i + 1) % 4, i, 5]).collect();
    HandleMesh::new(vertices, indices).expect("the mesh is valid")
}

/// Returns a handle with a mesh of each kind that no preset has.
fn custom_handles() -> [CustomHandle; 3] {
    let at = |x: f64, size: f64| Transform {
        translation: DVec3::new(x, 0.2, 0.5),
        scale: DVec3::splat(size),
        ..Transform::IDENTITY
    };
    let meshes = [
        (octahedron(), at(-0.6, 0.3)),
        // So large that its shading matters.
        (HandleMesh::ball(), at(0.6, 0.6)),
        (HandleMesh::square_border(), at(0.0, 0.2)),
    ];
    meshes.map(|(mesh, placement)| {
        CustomHandle::new(Constraint::Axis(Axis::Y), mesh, placement, [0.9, 0.5, 0.1, 1.0])
    })
}

/// Shows a gizmo, dragged by `keys` if there are any.
fn list(view: &View, mode: Mode, theme: Theme, keys: &str) -> DrawList {
    let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
    gizmo.theme = theme;
    gizmo.settings.snap.increments = Snap::DEFAULT_INCREMENTS;
    gizmo.settings.mode = match mode {
        Mode::None => {
            let add = |handle| gizmo.add_handle(handle).expect("a slot is free");
            Mode::Handles(custom_handles().map(add).into_iter().collect())
        }
        mode => mode,
    };
    let mut targets = [Target::from_world(Transform::from_translation(cases::PIVOT_WORLD))];
    gizmo.update(view, &mut targets);
    typed(view, (&mut gizmo, &mut targets), keys)
}

fn check(case: &Case, name: &str, list: &DrawList) {
    let mut triangles = Triangles::new();
    list.triangles_px(&mut triangles);
    assert!(triangles.indices().iter().all(|index| (*index as usize) < triangles.vertices().len()));
    let expected = picture(case, PLAIN, BACKGROUND, list);
    let found = rasterize(case, &triangles);
    assert_similar(&format!("{} {name}", case.name), &expected, &found, 0);
}

#[test]
fn triangles_match_picture_of_renderer() {
    for case in cases::all() {
        for (name, mode) in [
            ("translate", Mode::Translate),
            ("rotate", Mode::Rotate),
            ("scale", Mode::Scale),
            ("universal", Mode::Universal),
            ("custom", Mode::None),
        ] {
            check(&case, name, &list(&case.view, mode, Theme::default(), ""));
        }
        for (name, mode, theme, keys) in [
            ("axis", Mode::Translate, Theme::light(), "x1"),
            ("plane", Mode::Translate, Theme::light(), "Y1"),
            ("factor", Mode::Scale, Theme::default(), "x2"),
            ("angle", Mode::Rotate, Theme::default(), "y70"),
        ] {
            check(&case, name, &list(&case.view, mode, theme, keys));
        }
    }
}

/// The shader generates the lines of a grid, and clips those that reach behind the viewer.
#[test]
fn grids_match_picture_of_renderer_from_close_by() {
    let at = cases::PIVOT_WORLD;
    let wide = rh::proj::directx::perspective(1.4, 1.2, 0.01, 100.0);
    let parallel = rh::proj::directx::orthographic(-4.0, 4.0, -3.3, 3.3, 0.1, 100.0);
    let viewport = Viewport { x: 14.0, y: -20.0, width: 300.0, height: 250.0 };
    for (name, from_pivot, clip_from_view, scale) in [
        ("from above", DVec3::new(1.0, 4.0, 3.0), wide, 1.0),
        ("at a slant, twice the scale", DVec3::new(1.0, 0.7, 4.0), wide, 2.0),
        ("reaching behind the viewer", DVec3::new(0.1, 0.3, 0.8), wide, 1.0),
        ("with the viewer near the middle", DVec3::new(0.01, 0.05, 0.1), wide, 1.5),
        ("parallel", DVec3::new(1.0, 2.0, 3.0), parallel, 1.0),
    ] {
        let view = cases::view([at + from_pivot, at], clip_from_view, viewport, scale);
        let case = Case { name, view, target: [320, 256] };
        // Its middle is between two lines along one axis only.
        let list = list(&view, Mode::Translate, Theme::default(), "Y.1");
        assert_eq!(list.grids().len(), 1, "{name}");
        check(&case, "grid", &list);
    }
}
