//! Custom handles are shown, colored and picked like built-in ones.

use crate::stage::Stage;
use wgpu_gizmo_core::glam::{DQuat, DVec3};
use wgpu_gizmo_core::handle::{Axis, Constraint, CustomHandle, HandleMesh};
use wgpu_gizmo_core::math::Rect;
use wgpu_gizmo_core::{HandleId, Mode, Snap, Transform};

fn custom_stage(constraint: Constraint, mesh: HandleMesh, placement: Transform) -> (Stage, HandleId) {
    let mut stage = Stage::of_mode(Mode::None);
    let color = [0.8, 0.2, 0.9, 1.0];
    let custom = CustomHandle::new(constraint, mesh, placement, color);
    let id = stage.gizmo.add_handle(custom).expect("there is a free handle slot");
    stage.gizmo.settings.mode = Mode::Handles(id.into());
    stage.update();
    (stage, id)
}

fn placed(translation: DVec3, scale: DVec3) -> Transform {
    Transform { translation, scale, rotation: DQuat::from_axis_angle(DVec3::Y, 0.6) }
}

#[test]
fn custom_handle_behaves_like_built_in() {
    let position = DVec3::new(0.8, 0.9, -0.3);
    let meshes = [
        HandleMesh::ball(),
        HandleMesh::cube(),
        HandleMesh::cone(),
        HandleMesh::ring(),
        HandleMesh::square_border(),
    ];
    for (i, mesh) in meshes.into_iter().enumerate() {
        let placement = placed(position, DVec3::new(0.2, 0.15, 0.25));
        let (mut stage, id) = custom_stage(Constraint::Axis(Axis::X), mesh, placement);
        assert_eq!(
            (id.custom_index(), id.name(), id.constraint()),
            (Some(0), "custom", Constraint::Axis(Axis::X))
        );
        let list = stage.draw();
        let item = list.items()[0];
        assert_eq!(item.id, Some(stage.gizmo.id_of(id)));
        assert_eq!(stage.gizmo.handle_of(stage.gizmo.id_of(id)), Some(id));
        assert_eq!(item.color(), [0.8, 0.2, 0.9, 1.0]);
        // A point on the surface, because rings and borders are hollow.
        let rim =
            DQuat::from_axis_angle(DVec3::Y, 0.6) * DVec3::new(0.0, 0.0, if i < 3 { 0.0 } else { 0.25 });
        let on_it = stage.at(position + rim);
        let Rect { min: low, max: high } = list.bounds_px().expect("the handles are in view");
        assert!(on_it.cmpgt(low).all() && on_it.cmplt(high).all());
        assert_eq!(list.pick(on_it, 4.0), Some(stage.gizmo.id_of(id)), "mesh {i}");
        stage.hover(on_it);
        assert_eq!(stage.gizmo.hovered(), Some(id));
        assert_eq!(stage.draw().items()[0].color(), stage.gizmo.theme.colors.hovered);
        stage.grab(on_it);
        assert_eq!(stage.gizmo.dragging(), Some(id));
        // The X axis of the handle, rotated by its placement.
        let along = DQuat::from_axis_angle(DVec3::Y, 0.6) * DVec3::X;
        stage.point_at(on_it + (stage.at(along * 0.5) - stage.at(DVec3::ZERO)));
        let moved = stage.local().translation;
        assert!(moved.dot(along) > 0.1 && moved.reject_from(along).length() < 1e-9, "{moved}");
        stage.release();
    }
}

#[test]
fn non_finite_placements_are_hidden() {
    let bad = Transform { translation: DVec3::new(f64::NAN, 0.0, 0.0), ..Transform::IDENTITY };
    let (mut stage, id) = custom_stage(Constraint::Ring(Axis::Z), HandleMesh::ball(), bad);
    assert!(stage.draw().is_empty());
    for translation in [DVec3::new(2.5, 0.0, 0.0), DVec3::new(0.0, -2.0, 1.0)] {
        stage.gizmo.place_handle(id, placed(translation, DVec3::splat(0.1)));
        stage.update();
        let list = stage.draw();
        let Rect { min: low, max: high } = list.bounds_px().expect("the handles are in view");
        let at = stage.at(translation);
        assert!(at.cmpgt(low).all() && at.cmplt(high).all(), "{at} in {low} {high}");
        assert_eq!(list.pick(at, 0.0), Some(stage.gizmo.id_of(id)));
    }
    stage.gizmo.place_handle(id, placed(DVec3::ZERO, DVec3::ZERO));
    stage.update();
    assert_eq!(stage.draw().pick(stage.at(DVec3::ZERO), 0.0), None, "no size");
}

#[test]
fn gizmo_accepts_forty_five_custom_handles() {
    let mut stage = Stage::of_mode(Mode::None);
    let custom = CustomHandle::new(Constraint::ViewPlane, HandleMesh::ball(), Transform::IDENTITY, [1.0; 4]);
    let added: Vec<_> = (0..50).filter_map(|_| stage.gizmo.add_handle(custom.clone())).collect();
    assert_eq!(added.len(), HandleId::MAX_CUSTOM);
    assert_eq!(stage.gizmo.custom_handles().len(), added.len());
    stage.gizmo.settings.mode = Mode::Handles(added.iter().copied().collect());
    stage.gizmo.settings.snap.increments = Snap::DEFAULT_INCREMENTS;
    stage.update();
    assert_eq!(stage.draw().items().len(), added.len());
}
