//! The shadow map, which is redrawn only when a node has moved.

use super::DEPTH_FORMAT;
use super::camera::{Camera, CameraBuffer};
use super::instances::{Instances, Runs, Search};
use super::lighting::TO_LIGHT;
use super::meshes::Meshes;
use super::portion::{Progress, Screen, Shading};
use crate::resources::{RENDERED, texture, texture_view};
use scene::bounds::Bounds;
use wgpu_gizmo::glam::dcamera::rh;
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3};

/// The width and height of the map, in texels.
const SIDE: u32 = 1536;

/// The light and its projection onto the shadow map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lamp {
    /// Maps x and y to texture coordinates and z to depth, where 0 is near the light.
    pub(super) shadow_from_world: DMat4,
    clip_from_world: DMat4,
    /// The size of a texel in world units.
    pub(super) texel: f64,
}

impl Lamp {
    /// Creates a light that covers these bounds. Returns `None` if they have no extent.
    fn new(scene: Bounds) -> Option<Self> {
        let (center, radius) = (scene.center(), scene.radius());
        let light_from_world = rh::view::look_at_mat4(center + TO_LIGHT.normalize(), center, DVec3::Y);
        let bounds_light = scene.transformed(&light_from_world);
        // Padding for the blur at the edge.
        let half = (bounds_light.max - bounds_light.min) * 0.5 * (1.0 + 16.0 / f64::from(SIDE));
        let half = half.max(DVec3::splat(1e-3 * radius));
        let center_light = bounds_light.center();
        if !(half.is_finite() && center_light.is_finite() && half.min_element() > 1e-30) {
            return None;
        }
        let scale = DMat4::from_scale(DVec3::new(1.0, 1.0, -0.5) / half);
        let clip_from_light =
            DMat4::from_translation(DVec3::Z * 0.5) * scale * DMat4::from_translation(-center_light);
        let clip_from_world = clip_from_light * light_from_world;
        let shadow_from_clip = DMat4::from_translation(DVec3::new(0.5, 0.5, 0.0))
            * DMat4::from_scale(DVec3::new(0.5, -0.5, 1.0));
        Some(Self {
            shadow_from_world: shadow_from_clip * clip_from_world,
            clip_from_world,
            texel: 2.0 * half.x.max(half.y) / f64::from(SIDE),
        })
    }
}

/// The shadow map.
#[derive(Debug)]
pub(super) struct ShadowMap {
    pub(super) view: wgpu::TextureView,
    pub(super) sampler: wgpu::Sampler,
    pub(super) camera: CameraBuffer,
    pub(super) runs: Runs,
    /// The version of the instances that the map shows, and its light.
    drawn: Option<(u64, Option<Lamp>)>,
    pub(super) progress: Progress,
}

impl ShadowMap {
    pub(super) fn new(device: &wgpu::Device, camera_layout: &wgpu::BindGroupLayout) -> Self {
        let map = texture("viewer shadows", [SIDE; 2], DEPTH_FORMAT, RENDERED);
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("viewer shadows"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        Self {
            view: texture_view(device, &map),
            sampler,
            camera: CameraBuffer::new(device, camera_layout),
            runs: Runs::default(),
            drawn: None,
            progress: Progress::NONE,
        }
    }

    /// Returns the light, if there are shadows.
    pub(super) fn lamp(&self) -> Option<&Lamp> {
        self.drawn.as_ref()?.1.as_ref()
    }

    /// Prepares the shadow map for these instances, if it must be redrawn.
    pub(super) fn prepare(&mut self, queue: &wgpu::Queue, instances: &Instances, meshes: &Meshes) {
        let is_current = self.drawn.is_some_and(|(version, _)| version == instances.version);
        if is_current && self.progress.is_pending() {
            return;
        }
        self.progress = Progress::NONE;
        if is_current {
            return;
        }
        let lamp = instances.bounds().and_then(Lamp::new);
        self.drawn = Some((instances.version, lamp));
        let Some(lamp) = lamp else { return };
        let anchor = instances.origin_world;
        self.camera.write(queue, &Camera::new(lamp.clip_from_world, anchor, anchor));
        let size_px = DVec2::splat(SIDE.into());
        let screen = Screen { clip_from_world: lamp.clip_from_world, size_px };
        let search = Search { meshes, forward: -TO_LIGHT, frustum: None, screen };
        instances.find(search, |_| true, &mut self.runs);
        self.progress = Progress::start(self.runs.work(meshes, Shading::Flat));
    }
}
