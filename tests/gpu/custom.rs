//! Custom handles and custom sets of handles: renderer.rs compares what is drawn with what can be picked.

use crate::common::prelude::*;

/// Creates a gizmo that shows one custom handle per ready-made mesh.
pub(crate) fn gizmo(case: &Case) -> Gizmo {
    let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has free ids");
    let meshes = [
        HandleMesh::ball(),
        HandleMesh::cube(),
        HandleMesh::cone(),
        HandleMesh::ring(),
        HandleMesh::square_border(),
    ];
    let mut shown = HandleSet::EMPTY;
    for (i, mesh) in meshes.into_iter().enumerate() {
        let angle = i as f64 * 1.2;
        let handle = CustomHandle::new(
            Constraint::Axis(Axis::ALL[i % 3]),
            mesh,
            Transform {
                translation: DVec3::new(angle.cos(), angle.sin(), 0.3) * 0.7,
                rotation: DQuat::from_rotation_y(0.9),
                scale: DVec3::splat(if i == 2 { 1.2 } else { 0.15 }),
            },
            [0.9, 0.6, 0.2, 1.0],
        );
        shown = shown.with(gizmo.add_handle(handle).expect("a handle slot is free"));
    }
    gizmo.settings.mode = Mode::Handles(shown);
    gizmo.settings.display.size_lpx = 60.0;
    gizmo.theme.sizes.line_lpx = 7.0 / case.view.scale_factor() as f32;
    gizmo.update(&case.view, &mut [Target::from_world(Transform::from_translation(PIVOT_WORLD))]);
    gizmo
}

pub(crate) fn list(case: &Case, gizmo: &mut Gizmo) -> DrawList {
    drawn(&case.view, gizmo)
}
