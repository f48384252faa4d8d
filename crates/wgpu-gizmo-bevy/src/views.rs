//! The views of the cameras, and the one that the pointer is in.

use crate::components::GizmoCamera;
use crate::scene::Scene;
use bevy::camera::{Camera, NormalizedRenderTarget, RenderTarget};
use bevy::ecs::entity::{ContainsEntity, Entity};
use bevy::ecs::query::With;
use bevy::ecs::system::{Query, SystemParam};
use bevy::window::{PrimaryWindow, Window};
use wgpu_gizmo_core::glam::DVec2;
use wgpu_gizmo_core::{View, Viewport};

/// The key of no view: the pointer is outside of all of them.
pub(crate) const NOWHERE: u64 = u64::MAX;

/// The cameras that show the gizmo.
#[derive(SystemParam)]
pub(crate) struct Cameras<'w, 's> {
    cameras: Query<'w, 's, (Entity, &'static Camera, &'static RenderTarget), With<GizmoCamera>>,
    primary_window: Query<'w, 's, Entity, With<PrimaryWindow>>,
    windows: Query<'w, 's, &'static Window>,
}

/// The view of a camera.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CameraView {
    pub(crate) camera: Entity,
    pub(crate) view: View,
    /// The window that the camera renders to.
    window: Option<Entity>,
    order: isize,
}

impl Cameras<'_, '_> {
    /// Returns the views of all active cameras, in a stable order.
    pub(crate) fn views(&self, scene: &Scene<'_, '_>) -> Vec<CameraView> {
        let primary = self.primary_window.single().ok();
        let active = self.cameras.iter().filter(|(_, camera, _)| camera.is_active);
        let view = |(entity, camera, target): (Entity, &Camera, &RenderTarget)| {
            let window = match target.normalize(primary)? {
                NormalizedRenderTarget::Window(window) => Some(window.entity()),
                NormalizedRenderTarget::None { .. } => return None,
                _ => None,
            };
            let rect = camera.physical_viewport_rect()?;
            let [min, size] = [rect.min.as_dvec2(), rect.size().as_dvec2()];
            let viewport = Viewport { x: min.x, y: min.y, width: size.x, height: size.y };
            let view_from_world = scene.world_from_local(entity)?.inverse();
            let clip_from_view = camera.clip_from_view().to_cols_array();
            let scale_factor = camera.target_scaling_factor().unwrap_or(1.0);
            // A camera without a valid projection shows nothing.
            let view = View::new(view_from_world, clip_from_view, viewport, scale_factor.into()).ok()?;
            let view = view.with_key(entity.to_bits());
            Some(CameraView { camera: entity, view, window, order: camera.order })
        };
        let mut views: Vec<_> = active.filter_map(view).collect();
        views.sort_by_key(|view| (view.order, view.camera));
        views
    }

    /// Returns a position in physical pixels.
    pub(crate) fn px(&self, window: Entity, position_lpx: bevy::math::Vec2) -> DVec2 {
        DVec2::new(position_lpx.x.into(), position_lpx.y.into()) * self.scale_factor(window)
    }

    /// Returns the scale factor of a window.
    pub(crate) fn scale_factor(&self, window: Entity) -> f64 {
        self.windows.get(window).map_or(1.0, Window::scale_factor).into()
    }
}

/// Returns the key of the topmost view at a pixel of a window, or [`NOWHERE`].
pub(crate) fn key_at(views: &[CameraView], window: Entity, px: DVec2) -> u64 {
    let is_there = |view: &&CameraView| view.window == Some(window) && view.view.viewport().contains(px);
    views.iter().rfind(is_there).map_or(NOWHERE, |view| view.view.key())
}

/// Returns true if a camera renders to the window.
pub(crate) fn is_shown_in(views: &[CameraView], window: Entity) -> bool {
    views.iter().any(|view| view.window == Some(window))
}
