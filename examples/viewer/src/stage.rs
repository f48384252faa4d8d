//! The GPU side: the scene, the gizmo over it, and what is under the cursor.

use crate::device::Gpu;
use crate::editor::Editor;
use crate::scene::Scene;
use crate::scene_renderer::{IdDraws, Marks, SceneRenderer};
use std::time::Duration;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::gpu::{GizmoRenderer, GpuError, IdImage, IdTexels, Picker, TargetState};
use wgpu_gizmo::handle::{PickAnswer, PickQuery};
use wgpu_gizmo::{DrawList, View};

/// What the GPU refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StageError {
    /// Of the gizmo's parts.
    #[error(transparent)]
    Gizmo(#[from] GpuError),
    /// The picture could not be read back.
    #[error("the picture cannot be read back: {0}")]
    ReadBack(String),
    /// The picture does not fit the device.
    #[error("a picture of {0} x {1} pixels is larger than this device can make")]
    TooLarge(u32, u32),
}

/// How long software needs for the largest picture, and then some.
const PATIENCE: Duration = Duration::from_secs(60);

/// Everything that draws.
#[derive(Debug)]
pub(crate) struct Stage {
    scene: SceneRenderer,
    gizmo: GizmoRenderer,
    picker: Picker,
    list: DrawList,
    pick_list: DrawList,
    pick_draws: IdDraws,
    image: Option<([u32; 2], IdImage)>,
}

impl Stage {
    /// Format of [`Stage::picture`].
    pub(crate) const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

    /// For colour targets of this format.
    pub(crate) fn new(gpu: &Gpu, format: wgpu::TextureFormat, scene: &Scene) -> Result<Self, StageError> {
        let mut renderer = SceneRenderer::new(&gpu.device, format);
        renderer.set_meshes(&gpu.device, scene);
        let target = TargetState { format, sample_count: 1, depth_stencil: None };
        Ok(Self {
            scene: renderer,
            gizmo: GizmoRenderer::new(&gpu.device, target)?,
            picker: Picker::new(&gpu.device)?,
            list: DrawList::new(),
            pick_list: DrawList::new(),
            pick_draws: IdDraws::default(),
            image: None,
        })
    }

    /// Draws scene and gizmo into the whole of `target`.
    pub(crate) fn draw(
        &mut self,
        Gpu { device, queue, .. }: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        editor: &mut Editor,
        view: &View,
    ) {
        let size = target.texture().size();
        let marks = Marks { selected: editor.selection().nodes(), hovered: editor.hovered_node() };
        self.scene.prepare(device, queue, editor.scene(), view, marks, [size.width, size.height]);
        self.scene.render(encoder, target);
        editor.gizmo.draw(self.list.begin(view));
        self.gizmo.prepare(device, queue, encoder, &self.list);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("gizmo"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        self.gizmo.render(&mut pass);
    }

    /// Encodes the gizmo's next question, if it has one and there is room.
    pub(crate) fn ask(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        editor: &mut Editor,
    ) -> Result<(), StageError> {
        let Gpu { device, queue, .. } = gpu;
        if !self.picker.has_room() {
            return Ok(());
        }
        let Some(query) = editor.gizmo.pick_query() else { return Ok(()) };
        let Self { scene, picker, pick_list, pick_draws, .. } = self;
        editor.gizmo.draw(pick_list.begin(&query.view));
        let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            draw_ids(scene, pick_draws, gpu, editor, &query.view, clip_from_clip, pass);
        };
        picker.encode(device, queue, encoder, &query, pick_list, objects)?;
        Ok(())
    }

    /// The next answer, if one has come.
    pub(crate) fn poll(&mut self, gpu: &Gpu) -> Result<Option<PickAnswer>, StageError> {
        Ok(self.picker.poll(&gpu.device)?)
    }

    /// Whether an answer is to come.
    pub(crate) fn is_waiting(&self) -> bool {
        self.picker.pending()
    }

    /// Asks and waits: for replays.
    pub(crate) fn pick(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        query: &PickQuery,
    ) -> Result<PickAnswer, StageError> {
        let Gpu { device, queue, .. } = gpu;
        let Self { scene, picker, pick_list, pick_draws, .. } = self;
        editor.gizmo.draw(pick_list.begin(&query.view));
        let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            draw_ids(scene, pick_draws, gpu, editor, &query.view, clip_from_clip, pass);
        };
        Ok(picker.pick_blocking(device, queue, query, pick_list, objects, PATIENCE)?)
    }

    /// The ID image of the whole target.
    pub(crate) fn id_image(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        view: &View,
        size_px: [u32; 2],
    ) -> Result<IdTexels, StageError> {
        let Gpu { device, queue, .. } = gpu;
        let Self { scene, pick_list, pick_draws, image, .. } = self;
        editor.gizmo.draw(pick_list.begin(view));
        let image = match image {
            Some((size, image)) if *size == size_px => image,
            other => &mut other.insert((size_px, IdImage::new(device, size_px[0], size_px[1])?)).1,
        };
        let mut encoder = device.create_command_encoder(&Default::default());
        let objects = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            draw_ids(scene, pick_draws, gpu, editor, view, clip_from_clip, pass);
        };
        image.encode(device, queue, &mut encoder, view, pick_list, objects)?;
        let submission = queue.submit([encoder.finish()]);
        Ok(image.read(device, submission, PATIENCE)?)
    }

    /// What the user sees, as RGBA rows from the top.
    pub(crate) fn picture(
        &mut self,
        gpu: &Gpu,
        editor: &mut Editor,
        view: &View,
        [width, height]: [u32; 2],
    ) -> Result<Vec<u8>, StageError> {
        let limit = gpu.device.limits().max_texture_dimension_2d;
        if width > limit || height > limit {
            return Err(StageError::TooLarge(width, height));
        }
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: Self::PICTURE_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.draw(gpu, &mut encoder, &texture.create_view(&Default::default()), editor, view);
        read_back(gpu, encoder, &texture)
    }
}

/// The scene's nodes into the ID image.
fn draw_ids(
    scene: &SceneRenderer,
    draws: &mut IdDraws,
    Gpu { device, queue, .. }: &Gpu,
    editor: &Editor,
    view: &View,
    clip_from_clip: DMat4,
    pass: &mut wgpu::RenderPass<'_>,
) {
    let clip_from_world = clip_from_clip * view.clip_from_world();
    scene.prepare_ids(device, queue, editor.scene(), clip_from_world, |node| editor.id_of(node), draws);
    scene.render_ids(draws, view.depth_direction(), pass);
}

/// Submits what draws `texture` and waits for its texels, without the padding of rows.
fn read_back(
    gpu: &Gpu,
    mut encoder: wgpu::CommandEncoder,
    texture: &wgpu::Texture,
) -> Result<Vec<u8>, StageError> {
    let size = texture.size();
    let row = 4 * size.width;
    let padded_row = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("picture"),
        size: u64::from(padded_row) * u64::from(size.height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(padded_row), rows_per_image: None };
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        size,
    );
    gpu.queue.submit([encoder.finish()]);
    let failed = |error: &dyn std::fmt::Display| StageError::ReadBack(error.to_string());
    buffer.map_async(wgpu::MapMode::Read, .., |_| {});
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
    let texels = buffer.get_mapped_range(..).map_err(|error| failed(&error))?;
    Ok(texels.chunks(padded_row as usize).flat_map(|padded| &padded[..row as usize]).copied().collect())
}
