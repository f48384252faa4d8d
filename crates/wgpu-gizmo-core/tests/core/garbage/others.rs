//! Garbage input for custom handles, and extreme widths.

use super::input::{cursor, number, theme, vector, view};
use crate::oracle::handle;
use crate::seed::fresh_cases;
use crate::stage::answer_with;
use crate::views::{self, Camera};
use std::cell::Cell;
use wgpu_gizmo_core::draw::parts::{
    GuideLayer, Painting, ScreenMesh, ScreenPlacement, StrokeStyle, Triangles,
};
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::{Constraint, CustomHandle, HandleMesh};
use wgpu_gizmo_core::math::Rect;
use wgpu_gizmo_core::{DrawList, Gizmo, IdSpace, Mode, Target, Theme, Transform, View, Viewport};

fn assert_finite(triangles: &Triangles) {
    assert!(triangles.vertices().iter().all(|v| v.position_px.iter().all(|px| px.is_finite())));
}

#[test]
fn guides_and_screen_meshes_survive_garbage() {
    let kept = Cell::new(0u32);
    fresh_cases(3_000, |rng| {
        let (shown, mut list, mut triangles) = (view(rng), DrawList::new(), Triangles::new());
        list.begin(&shown);
        let style = StrokeStyle { color: theme(rng).colors.guide, width_lpx: number(rng) as f32 };
        for layer in [GuideLayer::Under, GuideLayer::Over] {
            let mut painter = list.guide_painter(layer).expect("the list has a view");
            painter.stroke([cursor(rng), cursor(rng)], style);
            painter.dashes([cursor(rng), cursor(rng)], style);
            painter.world_stroke(vector(rng), vector(rng), style);
            painter.circle(cursor(rng), number(rng), style.faded(number(rng) as f32));
        }
        let ids = IdSpace::new().allocate_for_handles(1).expect("ids are free");
        let (center_px, right, down) = (cursor(rng), vector(rng), vector(rng));
        let bounds_px = Rect { min: cursor(rng), max: cursor(rng) };
        let mesh = HandleMesh::cube();
        let cube = ScreenMesh { mesh: &mesh, color: [1.0; 4], id: Some(ids.first()) };
        list.push_meshes(ids, &ScreenPlacement { center_px, right, down, bounds_px }, [cube]);
        kept.set(kept.get() + list.items().len() as u32);
        list.pick(cursor(rng), number(rng));
        list.triangles_px(&mut triangles);
        assert_finite(&triangles);
        let mut painting = Painting::default();
        painting.edges(&list, &Rect::EVERYWHERE, |part| assert!(part.anchor_px.is_finite()));
    });
    assert!(kept.get() > 300, "only {} meshes were kept", kept.get());
}

#[test]
fn custom_handle_survives_garbage_placement() {
    fresh_cases(2_000, |rng| {
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
        let meshes =
            [HandleMesh::cube(), HandleMesh::cone(), HandleMesh::ring(), HandleMesh::square_border()];
        let constraint = [Constraint::ViewPlane, Constraint::Trackball][rng.usize(..2)];
        let mesh = meshes[rng.usize(..4)].clone();
        let placement =
            Transform { translation: vector(rng), rotation: super::quaternion(rng), scale: vector(rng) };
        let custom = CustomHandle::new(constraint, mesh, placement, [1.0; 4]).with_offset(vector(rng));
        let id = gizmo.add_handle(custom).expect("there is a free handle slot");
        gizmo.settings.mode = Mode::Handles([id].into_iter().collect());
        gizmo.theme = theme(rng);
        let (shown, mut list, mut triangles) = (view(rng), DrawList::new(), Triangles::new());
        gizmo.update(&shown, &mut [Target::from_world(Transform::IDENTITY)]);
        gizmo.draw(list.begin(&shown));
        list.pick(cursor(rng), number(rng));
        list.triangles_px(&mut triangles);
        assert_finite(&triangles);
    });
}

/// Draws all handles at rest and in a drag that shows guides and a grid.
fn draw_all(view: &View, theme: &Theme) -> Triangles {
    let (mut list, mut triangles) = (DrawList::new(), Triangles::new());
    for name in ["translate_x", "translate_zx", "rotate_y", "scale_x"] {
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
        gizmo.settings.mode = Mode::Universal;
        gizmo.theme = theme.with(|t| t.letters = true);
        let mut targets = [Target::from_world(Transform::IDENTITY)];
        for by in 0..3 {
            gizmo.pointer_moved(DVec2::new(400.0 + 20.0 * f64::from(by), 310.0));
            gizmo.update(view, &mut targets);
            if let Some(query) = gizmo.pick_query() {
                gizmo.answer(&answer_with(query, gizmo.id_of(handle(name))));
            }
            if by == 0 {
                gizmo.pointer_pressed();
            }
            gizmo.draw(list.begin(view));
            list.pick(DVec2::new(420.0, 300.0), 5.0);
            list.triangles_px(&mut triangles);
            assert_finite(&triangles);
        }
    }
    triangles
}

#[test]
fn extreme_widths_draw_finite_triangles() {
    let of = |scale_factor: f64| {
        let camera = Camera::at(DVec3::new(3.0, 2.5, 4.0));
        views::ALL[0].view(&Camera { scale_factor, viewport: Viewport::from_size(800, 600), ..camera })
    };
    for scale_factor in [1e-39, 1.0, 10.0, 1e30, 1e39, f64::MAX] {
        for width in [0.0, 3.0, 1e38, f32::MAX, f32::INFINITY, f32::NAN] {
            for (line_lpx, guide_lpx) in [(width, 1.25), (3.0, width)] {
                let theme = Theme::dark().with(|t| {
                    t.sizes.line_lpx = line_lpx;
                    t.sizes.guide_lpx = guide_lpx;
                });
                let drawn = draw_all(&of(scale_factor), &theme);
                assert!(!drawn.indices().is_empty() || scale_factor < 1.0, "{scale_factor} {width}");
            }
        }
    }
}
