//! Draws a scene as it is seen, and as ids.
//!
//! What is on the GPU stays there from frame to frame; a frame writes a camera and what has moved.
//! Positions are two floats each and are taken relative to the eye, so a scene far from the origin
//! does not tremble. What a view does not see is left out; triangles have two sides, whatever their
//! material says: mirrored nodes and sheets show both.

mod camera;
mod grid;
mod id_draws;
mod lighting;
mod meshes;
mod pipelines;
mod places;
mod shadows;
mod surfaces;

#[cfg(test)]
mod tests;

pub(crate) use grid::Grid;
pub(crate) use id_draws::{IdDraws, IdView};

use crate::bounds::Bounds;
use crate::scene::Scene;
use camera::Camera;
use lighting::Frame;
use meshes::{Kind, Meshes};
use pipelines::Pipelines;
use places::{Places, Runs, Search};
use shadows::ShadowMap;
use std::num::NonZeroU32;
use surfaces::Surfaces;
use wgpu_gizmo::View;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::math::{DepthDirection, Frustum};

/// Samples in a pixel of the color pass.
const SAMPLES: u32 = 4;

/// How surfaces are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Shading {
    /// With their colors and textures.
    #[default]
    Materials,
    /// All alike, for shapes alone to be seen.
    Clay,
}

/// What is round the scene, and how it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SceneStyle {
    /// The background is light.
    pub(crate) on_light: bool,
    /// There is no grid.
    pub(crate) without_grid: bool,
    pub(crate) shading: Shading,
}

/// How one view shows the scene: all that its pixels depend on besides the scene itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SceneView {
    pub(crate) view: View,
    pub(crate) scene_style: SceneStyle,
    /// The node that it is seen by, which is not seen itself.
    pub(crate) unseen: Option<usize>,
    pub(crate) grid: Option<Grid>,
}

/// The scene on the GPU and everything to draw it with.
///
/// For one scene at a time, whose nodes may move: [`SceneRenderer::load`] takes another one, and
/// keeps all pipelines. Before anything else in a frame, a pick or an
/// image: [`SceneRenderer::sync`]. In a frame: `prepare` the [`SceneView`] of each view into a
/// [`ViewDraws`], then `render`. For ids: `prepare_ids` into an [`IdDraws`] of one's own for each pass, then
/// `render_ids`. Never submits.
#[derive(Debug)]
pub(crate) struct SceneRenderer {
    pipelines: Pipelines,
    format: wgpu::TextureFormat,
    meshes: Meshes,
    surfaces: Surfaces,
    places: Places,
    shadows: ShadowMap,
    attachments: Option<Attachments>,
    surroundings: Surroundings,
}

/// What the surroundings of a scene are made for: the scene as it was loaded. What is dragged about in
/// it changes neither the scale of the grid nor whether there are shadows on the ground.
#[derive(Debug, Clone, Copy)]
struct Surroundings {
    bounds: Option<Bounds>,
}

impl Surroundings {
    fn of(scene: &Scene) -> Self {
        Self { bounds: scene.bounds() }
    }

    /// Returns true if shadows belong on the ground: nothing reaches far below it.
    fn stands_on_ground(&self) -> bool {
        self.bounds.is_some_and(|bounds| bounds.min.y > -0.02 * (bounds.max.y - bounds.min.y))
    }
}

/// What one view of a picture draws. Views of one picture need one each.
#[derive(Debug)]
pub(crate) struct ViewDraws {
    camera: wgpu::Buffer,
    frame: wgpu::Buffer,
    group: wgpu::BindGroup,
    runs: Runs,
    /// What is seen through, farthest first: how far away, a part of a mesh, and where it is.
    blended: Vec<(f64, u32, u32)>,
    prepared: Option<SceneView>,
}

/// The multisampled color and depth that the picture is resolved from.
#[derive(Debug)]
struct Attachments {
    size_px: [u32; 2],
    color: wgpu::TextureView,
    depth: wgpu::TextureView,
}

/// What the depth attachment is cleared to: the far end.
pub(crate) fn far_depth(depth: DepthDirection) -> f32 {
    match depth {
        DepthDirection::Standard => 1.0,
        DepthDirection::Reversed => 0.0,
    }
}

/// Formats of the id pass, in the order of its locations: the id, and the bits of the depth.
pub(crate) const ID_FORMATS: [wgpu::TextureFormat; 2] =
    [wgpu::TextureFormat::R32Uint, wgpu::TextureFormat::R32Uint];

/// Format of the depth attachment of both passes.
pub(crate) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Everything that a view sees.
pub(crate) fn frustum_of(view: &View) -> Frustum {
    Frustum::new(view, view.viewport().rect())
}

impl SceneRenderer {
    /// For color targets of this format. Needs no features and no more than
    /// `Limits::downlevel_defaults()`.
    pub(crate) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
        scene: &Scene,
    ) -> Self {
        let pipelines = Pipelines::new(device, format);
        Self {
            format,
            meshes: Meshes::new(device, scene.meshes(), &scene.look),
            surfaces: Surfaces::new(device, queue, &pipelines.material_layout, &scene.look),
            places: Places::default(),
            shadows: ShadowMap::new(device, &pipelines.camera_layout),
            attachments: None,
            surroundings: Surroundings::of(scene),
            pipelines,
        }
    }

    /// Takes another scene. Whatever was prepared is of the old one: prepare it anew.
    pub(crate) fn load(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, scene: &Scene) {
        self.meshes = Meshes::new(device, scene.meshes(), &scene.look);
        self.surfaces = Surfaces::new(device, queue, &self.pipelines.material_layout, &scene.look);
        self.places = Places::after(&self.places);
        self.surroundings = Surroundings::of(scene);
    }

    /// Room for what a view draws.
    pub(crate) fn new_view(&self, device: &wgpu::Device) -> ViewDraws {
        let uniform = |label, size: usize| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let camera = uniform("viewer camera", size_of::<Camera>());
        let frame = uniform("viewer frame", size_of::<Frame>());
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("viewer frame"),
            layout: &self.pipelines.frame_layout,
            entries: &[
                entry(0, camera.as_entire_binding()),
                entry(1, frame.as_entire_binding()),
                entry(2, wgpu::BindingResource::TextureView(&self.shadows.view)),
                entry(3, wgpu::BindingResource::Sampler(&self.shadows.sampler)),
            ],
        });
        ViewDraws { camera, frame, group, runs: Runs::default(), blended: Vec::new(), prepared: None }
    }

    /// Takes in what has moved, come or gone since the last time. A node without an id is neither
    /// shown nor picked.
    pub(crate) fn sync(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &Scene,
        id_of: impl Fn(usize) -> Option<NonZeroU32>,
    ) {
        self.places.sync(device, queue, scene, id_of);
    }

    /// Round everything that is shown, a little roomy.
    #[cfg(test)]
    fn bounds(&self) -> Option<Bounds> {
        self.places.bounds()
    }

    /// Grows whenever [`SceneRenderer::sync`] finds that something has moved, come or gone.
    pub(crate) fn version(&self) -> u64 {
        self.places.version()
    }

    /// How a view shows the scene as it was synced last.
    pub(crate) fn scene_view(
        &self,
        view: &View,
        scene_style: SceneStyle,
        unseen: Option<usize>,
    ) -> SceneView {
        let grid = if scene_style.without_grid { None } else { Grid::new(view, self.surroundings.bounds) };
        SceneView { view: *view, scene_style, unseen, grid }
    }

    /// Draws what all views of a frame share: before they are prepared.
    pub(crate) fn prepare_shadows(&mut self, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder) {
        if self.shadows.prepare(queue, &self.places, &self.meshes) {
            let mut pass = self.shadows.begin(encoder);
            let ShadowMap { camera, runs, .. } = &self.shadows;
            self.draw_flat(&self.pipelines.shadow, &camera.group, runs, &mut pass);
        }
    }

    /// Writes what `render` will draw in one view.
    pub(crate) fn prepare(&self, queue: &wgpu::Queue, shown: &SceneView, draws: &mut ViewDraws) {
        let SceneView { view, scene_style, unseen, grid } = shown;
        let lamp = (self.shadows.lamp(), self.surroundings.stands_on_ground());
        let frame = lighting::frame(view, lamp, grid.as_ref(), *scene_style, self.format.is_srgb());
        let camera = Camera::of_view(view, DMat4::IDENTITY, self.places.origin_world());
        queue.write_buffer(&draws.camera, 0, bytemuck::bytes_of(&camera));
        queue.write_buffer(&draws.frame, 0, bytemuck::bytes_of(&frame));
        let search =
            Search { meshes: &self.meshes, forward: view.forward(), frustum: Some(&frustum_of(view)) };
        self.places.find(search, |node| *unseen != Some(node), &mut draws.runs);
        draws.blended.clear();
        let blended = |(part, _): &(u32, _)| self.meshes.batch(*part).kind == Kind::Blended;
        for (part, places) in draws.runs.parts().filter(blended) {
            draws.blended.extend(places.map(|place| {
                let from_anchor = self.places.middle(place) - camera::anchor(view);
                (from_anchor.dot(view.forward()), part, place)
            }));
        }
        draws.blended.sort_by(|a, b| b.0.total_cmp(&a.0));
        draws.prepared = Some(*shown);
    }

    /// One pass over the whole of `target`, for views that were prepared and whose depths all run
    /// one way. Afterwards other passes may draw over it.
    pub(crate) fn render<'a>(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        views: impl Iterator<Item = &'a ViewDraws> + Clone,
    ) {
        let size = target.texture().size();
        let size_px = [size.width, size.height];
        let attachments = match self.attachments.take() {
            Some(attachments) if attachments.size_px == size_px => attachments,
            _ => self.new_attachments(device, size_px),
        };
        let attachments = &*self.attachments.insert(attachments);
        let mut prepared = views.filter_map(|view| Some((view, view.prepared.as_ref()?))).peekable();
        let Some((first, SceneView { view, .. })) = prepared.peek() else { return };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("viewer scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &attachments.color,
                depth_slice: None,
                resolve_target: Some(target),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &attachments.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(far_depth(view.depth_direction())),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        // Round the views, where they do not fill the target.
        pass.set_bind_group(0, &first.group, &[]);
        pass.set_bind_group(1, self.surfaces.group(0), &[]);
        pass.set_pipeline(&self.pipelines.background);
        pass.draw(0..3, 0..1);
        for (view, prepared) in prepared {
            self.render_view(view, prepared, &mut pass);
        }
    }

    fn render_view(&self, draws: &ViewDraws, prepared: &SceneView, pass: &mut wgpu::RenderPass<'_>) {
        let SceneView { view, grid, .. } = prepared;
        let per_depth = self.pipelines.of(view.depth_direction());
        let v = view.viewport();
        pass.set_viewport(v.x as f32, v.y as f32, v.width as f32, v.height as f32, 0.0, 1.0);
        pass.set_bind_group(0, &draws.group, &[]);
        pass.set_bind_group(1, self.surfaces.group(0), &[]);
        pass.set_pipeline(&self.pipelines.background);
        pass.draw(0..3, 0..1);
        if grid.is_some_and(|grid| grid.is_behind) {
            pass.set_pipeline(&self.pipelines.backdrop);
            pass.draw(0..4, 0..1);
        }
        self.draw_opaque(&draws.runs, &per_depth.lit, pass);
        if grid.is_some_and(|grid| !grid.is_behind) {
            pass.set_pipeline(&per_depth.ground);
            pass.set_bind_group(1, self.surfaces.group(0), &[]);
            pass.draw(0..4, 0..1);
        }
        let Some(instances) = self.places.instances() else { return };
        pass.set_pipeline(&per_depth.blend);
        let mut drawer = self.meshes.drawer(pass, instances);
        for (_, part, place) in &draws.blended {
            let batch = self.meshes.batch(*part);
            drawer.pass.set_bind_group(1, self.surfaces.group(batch.material), &[]);
            drawer.draw(batch, *place..*place + 1);
        }
    }

    fn draw_opaque(&self, runs: &Runs, pair: &pipelines::Pair, pass: &mut wgpu::RenderPass<'_>) {
        let Some(instances) = self.places.instances() else { return };
        let mut drawer = self.meshes.drawer(pass, instances);
        let mut set = None;
        for (part, places) in runs.parts() {
            let batch = self.meshes.batch(part);
            let pipeline = match batch.kind {
                Kind::Solid => &pair.solid,
                Kind::Cut => &pair.cut,
                // They come last.
                Kind::Blended => break,
            };
            if set.replace((batch.kind, batch.material)) != Some((batch.kind, batch.material)) {
                drawer.pass.set_pipeline(pipeline);
                drawer.pass.set_bind_group(1, self.surfaces.group(batch.material), &[]);
            }
            drawer.draw(batch, places);
        }
    }

    fn new_attachments(&self, device: &wgpu::Device, size_px: [u32; 2]) -> Attachments {
        let view = |label, format| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size_px[0], height: size_px[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: SAMPLES,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        Attachments {
            size_px,
            color: view("viewer color 4x", self.format),
            depth: view("viewer depth 4x", DEPTH_FORMAT),
        }
    }
}
