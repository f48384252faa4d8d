//! The crate `transform-gizmo` in the same scene: the same camera, pointer, handles and size.

use crate::scene::{FAR, FOV, NEAR, around, eye, placement};
use glam::{DMat4, DVec2, DVec3, dcamera::rh};
use transform_gizmo::math::{Pos2, Transform};
use transform_gizmo::mint::RowMatrix4;
use transform_gizmo::{
    EnumSet, Gizmo, GizmoConfig, GizmoDrawData, GizmoInteraction, GizmoMode, GizmoResult, GizmoVisuals, Rect,
};

/// A gizmo of the peer with its targets.
#[derive(Clone)]
pub struct Peer {
    gizmo: Gizmo,
    pub targets: Vec<Transform>,
    pub drawn: GizmoDrawData,
    pub size: [u32; 2],
    pub frame: u32,
    modes: EnumSet<GizmoMode>,
    dragging: bool,
}

/// The kind of a drag.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    TranslateX,
    RotateX,
    ScaleX,
}

impl Peer {
    /// Creates a peer with the same handles as our mode of this name.
    pub fn new(mode: &str, targets: usize, size: [u32; 2]) -> Self {
        use GizmoMode::*;
        let axes = TranslateX | TranslateY | TranslateZ;
        let planes = TranslateXY | TranslateXZ | TranslateYZ;
        let rings = RotateX | RotateY | RotateZ;
        let cubes = ScaleX | ScaleY | ScaleZ;
        let modes = match mode {
            "translate" => axes | planes | TranslateView,
            "rotate" => rings | RotateView | Arcball,
            "scale" => cubes | ScaleXY | ScaleXZ | ScaleYZ | ScaleUniform,
            _ => axes | planes | rings | cubes,
        };
        let target = |i| {
            let (translation, rotation) = placement(i);
            let translation: [f64; 3] = translation.to_array();
            let rotation: [f64; 4] = rotation.to_array();
            Transform::from_scale_rotation_translation([1.0; 3], rotation, translation)
        };
        let targets = (0..targets).map(target).collect();
        let drawn = GizmoDrawData::default();
        let mut peer =
            Self { gizmo: Gizmo::default(), targets, drawn, size, frame: 0, modes, dragging: false };
        peer.frame_at(DVec2::ZERO);
        peer
    }

    /// Creates a peer with one target at this position.
    pub fn at(mode: &str, position: DVec3, size: [u32; 2]) -> Self {
        let mut peer = Self::new(mode, 1, size);
        let (rotation, position): ([f64; 4], [f64; 3]) = ([0.0, 0.0, 0.0, 1.0], position.to_array());
        peer.targets = vec![Transform::from_scale_rotation_translation([1.0; 3], rotation, position)];
        peer.frame_at(DVec2::ZERO);
        peer
    }

    /// Runs a whole frame, including the pick.
    pub fn frame_at(&mut self, cursor_px: DVec2) {
        self.gizmo.update_config(self.config());
        self.interact(cursor_px, false);
        self.drawn = self.gizmo.draw();
    }

    /// Presses a handle and returns the pressed pixel.
    pub fn press(&mut self, kind: Kind) -> DVec2 {
        let [width, height] = self.size.map(f64::from);
        let is_right = |result: GizmoResult| match result {
            GizmoResult::Translation { total, .. } => {
                kind == Kind::TranslateX && total.y == 0.0 && total.z == 0.0
            }
            GizmoResult::Rotation { axis, .. } => {
                kind == Kind::RotateX && DVec3::from_array(axis.into()).x.abs() > 0.9
            }
            GizmoResult::Scale { total } => kind == Kind::ScaleX && total.y == 1.0 && total.z == 1.0,
            GizmoResult::Arcball { .. } => false,
        };
        let found = around(0.5 * DVec2::new(width, height)).find(|px| {
            let mut tried = self.clone();
            tried.interact(*px, true);
            tried.dragging = true;
            tried.interact(*px + DVec2::new(3.0, 2.0), false).is_some_and(is_right)
        });
        let press_px = found.expect("the handle is visible");
        self.interact(press_px, true);
        self.dragging = true;
        press_px
    }

    fn interact(&mut self, cursor_px: DVec2, drag_started: bool) -> Option<GizmoResult> {
        let interaction = GizmoInteraction {
            cursor_pos: (cursor_px.x as f32, cursor_px.y as f32),
            hovered: true,
            drag_started,
            dragging: drag_started || self.dragging,
        };
        let (result, targets) = self.gizmo.update(interaction, &self.targets)?;
        self.targets = targets;
        Some(result)
    }

    fn config(&self) -> GizmoConfig {
        let [width, height] = self.size.map(|side| side as f32);
        let aspect = f64::from(width) / f64::from(height);
        GizmoConfig {
            view_matrix: rows(rh::view::look_at_mat4(eye(self.frame), DVec3::ZERO, DVec3::Y)),
            projection_matrix: rows(rh::proj::directx::perspective(FOV, aspect, NEAR, FAR)),
            viewport: Rect::from_min_max(Pos2::ZERO, Pos2::new(width, height)),
            modes: self.modes,
            visuals: GizmoVisuals { gizmo_size: 96.0, stroke_width: 3.0, ..GizmoVisuals::default() },
            ..GizmoConfig::default()
        }
    }

    /// Returns the number of bytes that a host must upload to draw it.
    pub fn upload_bytes(&self) -> usize {
        let GizmoDrawData { vertices, colors, indices } = &self.drawn;
        size_of_val(&vertices[..]) + size_of_val(&colors[..]) + size_of_val(&indices[..])
    }
}

fn rows(matrix: DMat4) -> RowMatrix4<f64> {
    let [x, y, z, w] = matrix.transpose().to_cols_array_2d();
    RowMatrix4 { x: x.into(), y: y.into(), z: z.into(), w: w.into() }
}
