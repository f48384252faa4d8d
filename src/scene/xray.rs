use super::objects::{PickBatch, PickScene};
use crate::gpu::device::device_errors::DeviceErrors;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::pipelines::{PipelineFactory, PipelineState};
use crate::gpu::device::readback::wait;
use crate::gpu::device::readback::{Readback, Stage};
use crate::gpu::device::resources::{check_device, create_buffer};
use crate::gpu::device::web::{IS_BROWSER, may_query_occlusion, may_wait};
use crate::gpu::id_target::object_pass;
use crate::gpu::id_target::tile::{DEPTH_FORMAT, Tile};
use crate::gpu::id_target::tile_view::PixelRect;
use crate::gpu::id_target::tile_view::TileMode;
use crate::math::{Frustum, Rect, View};
use crate::pick::Region;
use glam::{DMat4, DVec2};
use std::num::NonZeroU32;
use std::time::Duration;

/// Maximum number of queries per set, a limit of WebGPU.
const MAX_QUERIES: u32 = 4096;

/// Finds every object in a region, occluded or not: every object that would cover at least one
/// pixel of the region if it were drawn alone.
///
/// It renders one pass over the region's pixels, with an occlusion query per object, however many
/// layers there are. The host draws its objects one by one with its pipeline for the ID image, but
/// with the depth state [`XrayRegion::depth_stencil`]; [`XrayRegion::encode_scene`] draws the
/// objects of a [`PickScene`]. To find only *visible* objects in a region, use
/// [`IdTexels::ids_in`](crate::gpu::IdTexels::ids_in) of an ID image.
///
/// ```no_run
/// use std::num::NonZeroU32;
/// use std::time::Duration;
/// use wgpu_gizmo::glam::dvec2;
/// use wgpu_gizmo::gpu::GpuError;
/// use wgpu_gizmo::scene::{PickBatch, PickScene, RegionQuery, XrayRegion};
/// use wgpu_gizmo::pick::Region;
/// use wgpu_gizmo::{View, wgpu};
///
/// /// Returns the ids of all objects in a rectangle, occluded or not.
/// fn select(
///     (device, queue): (&wgpu::Device, &wgpu::Queue),
///     xray: &mut XrayRegion,
///     (scene, batch): (&PickScene, &mut PickBatch),
///     view: &View,
/// ) -> Result<Vec<NonZeroU32>, GpuError> {
///     let region = Region::Rectangle([dvec2(40.0, 30.0), dvec2(200.0, 150.0)]);
///     let query = RegionQuery { view, target_px: [800, 600], region: &region };
///     let mut encoder = device.create_command_encoder(&Default::default());
///     let ids = xray.encode_scene(device, queue, &mut encoder, query, scene, batch)?;
///     let submission = queue.submit([encoder.finish()]);
///     let found = xray.read(device, submission, Duration::from_secs(1))?;
///     Ok(found.into_iter().map(|index| ids[index as usize]).collect())
/// }
/// ```
#[derive(Debug)]
pub struct XrayRegion {
    device: wgpu::Device,
    mask: wgpu::RenderPipeline,
    in_flight: Option<RegionInFlight>,
    /// The errors of the pipeline.
    pub(crate) errors: DeviceErrors,
}

/// The input of an X-ray query. [`XrayRegion`] has an example.
#[derive(Debug, Clone, Copy)]
pub struct RegionQuery<'a> {
    /// The view.
    pub view: &'a View,
    /// Width and height of the render target, in physical pixels.
    pub target_px: [u32; 2],
    /// The region of the render target.
    pub region: &'a Region,
}

impl RegionQuery<'_> {
    /// Returns the frustum of the region's bounding rectangle. Objects outside of it do not
    /// have to be drawn.
    pub fn frustum(&self) -> Frustum {
        let [width, height] = self.target_px;
        // A region without pixels contains nothing, whatever is drawn.
        let pixels = self.region.pixels(width, height).unwrap_or_default();
        let [x, y, width, height] = pixels.map(f64::from);
        Frustum::new(self.view, Rect::from_min_size(DVec2::new(x, y), DVec2::new(width, height)))
    }
}

#[derive(Debug)]
struct RegionInFlight {
    count: u32,
    readback: Readback,
}

impl RegionInFlight {
    /// Returns true if the query is not done, or its result has not been read.
    fn is_unread(&self) -> bool {
        matches!(self.readback.stage(), Stage::InFlight | Stage::Mapped)
    }
}

impl XrayRegion {
    /// Creates the pipeline that masks the region.
    ///
    /// # Errors
    /// [`GpuError::Rejected`]; [`GpuError::DeviceLost`].
    pub fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
        let mut errors = DeviceErrors::default();
        let mask = errors.create_pipelines(device, mask_pipeline)?;
        Ok(Self { device: device.clone(), mask, in_flight: None, errors })
    }

    /// Returns the depth state for a pipeline that draws objects here: objects do not occlude each
    /// other, and pixels outside of the region fail.
    pub fn depth_stencil() -> wgpu::DepthStencilState {
        object_pass::xray_depth_stencil()
    }

    /// Encodes a query for the objects that touch the region. There are `count` objects, and `draw_object`
    /// draws the one with the given index; `clip_from_clip` must be applied after the view's matrix. No
    /// object touches a region without pixels.
    ///
    /// # Errors
    /// [`GpuError::RingFull`] if a query is in flight or its result has not been read;
    /// [`GpuError::TargetSize`] or [`GpuError::BufferSize`] if the region has more pixels, or there are
    /// more objects, than the device can take; [`GpuError::OcclusionOnWeb`] in a browser;
    /// [`GpuError::OutOfMemory`]; [`GpuError::OtherDevice`]; [`GpuError::DeviceLost`].
    pub fn encode(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        query: RegionQuery<'_>,
        count: u32,
        mut draw_object: impl FnMut(&mut wgpu::RenderPass<'_>, DMat4, u32),
    ) -> Result<(), GpuError> {
        may_query_occlusion(IS_BROWSER)?;
        check_device(&self.device, device)?;
        if self.in_flight.as_ref().is_some_and(RegionInFlight::is_unread) {
            return Err(GpuError::RingFull);
        }
        self.in_flight = None;
        self.errors.check()?;
        let RegionQuery { view, target_px: [width, height], region } = query;
        let sets = count.div_ceil(MAX_QUERIES).max(1);
        let bytes = u64::from(sets) * u64::from(MAX_QUERIES) * 8;
        let readback = Readback::new(device, bytes)?;
        let pixels = region.pixels(width, height);
        if let Some([x, y, width, height]) = pixels.filter(|_| count > 0) {
            let pixels = PixelRect { origin: [x.into(), y.into()], size: [width, height] };
            let tile = Tile::new(device, pixels.size)?;
            let limit = device.limits().max_texture_dimension_2d;
            let placement = pixels.place(view, TileMode::Shifted, limit);
            let runs = mask_runs(region, &pixels);
            let rows = run_buffer(device, queue, &runs)?;
            let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
            let results = create_buffer(device, "wgpu-gizmo region queries", bytes, usage)?;
            for set in 0..sets {
                let objects = set * MAX_QUERIES..count.min((set + 1) * MAX_QUERIES);
                let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
                    label: Some("wgpu-gizmo region"),
                    ty: wgpu::QueryType::Occlusion,
                    count: objects.len() as u32,
                });
                let mut pass = begin(encoder, &tile, &queries);
                pass.set_pipeline(&self.mask);
                pass.set_vertex_buffer(0, rows.slice(..));
                pass.draw(0..4, 0..runs.len() as u32);
                placement.apply(&mut pass);
                for (index, object) in objects.clone().enumerate() {
                    pass.begin_occlusion_query(index as u32);
                    draw_object(&mut pass, placement.clip_from_clip, object);
                    pass.end_occlusion_query();
                }
                drop(pass);
                encoder.resolve_query_set(
                    &queries,
                    0..objects.len() as u32,
                    &results,
                    u64::from(set * MAX_QUERIES) * 8,
                );
            }
            encoder.copy_buffer_to_buffer(&results, 0, readback.buffer(), 0, bytes);
        } else {
            encoder.clear_buffer(readback.buffer(), 0, None);
        }
        readback.map_on_submit(encoder);
        self.in_flight = Some(RegionInFlight { count, readback });
        Ok(())
    }

    /// Encodes a query for the objects of a scene that touch the region, except hidden ones
    /// ([`PickScene::hide`]). Returns the ids of the objects in the region's frustum; the result of the
    /// query consists of indices into this list.
    ///
    /// `batch` must not be used again until the encoder is submitted.
    ///
    /// # Errors
    /// The same as [`XrayRegion::encode`].
    pub fn encode_scene(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        query: RegionQuery<'_>,
        scene: &PickScene,
        batch: &mut PickBatch,
    ) -> Result<Vec<NonZeroU32>, GpuError> {
        batch.select(scene, query.view, Some(&query.frustum()));
        let ids = batch.arrange_singly(scene);
        let mut uploaded = Ok(());
        self.encode(device, queue, encoder, query, ids.len() as u32, |pass, clip_from_clip, index| {
            if index == 0 {
                uploaded = batch.upload(scene, device, queue, clip_from_clip);
            }
            if uploaded.is_ok() {
                batch.draw_one(scene, pass, index);
            }
        })?;
        uploaded.map(|()| ids)
    }

    /// Returns the indices of the objects that touch the region, in ascending order, or `None` if
    /// the GPU is not done. Never waits.
    ///
    /// # Errors
    /// [`GpuError::NotSubmitted`] if nothing was encoded or the encoder was dropped;
    /// [`GpuError::DeviceLost`].
    pub fn poll(&mut self, device: &wgpu::Device) -> Result<Option<Vec<u32>>, GpuError> {
        // Errors can only be timeouts, and this does not wait.
        let _ = device.poll(wgpu::PollType::Poll);
        self.finished()
    }

    /// Waits for `submission` and returns the same as [`XrayRegion::poll`].
    ///
    /// # Errors
    /// The same as [`XrayRegion::poll`]; [`GpuError::Timeout`]; [`GpuError::BlockingOnWeb`] in a
    /// browser.
    pub fn read(
        &mut self,
        device: &wgpu::Device,
        submission: wgpu::SubmissionIndex,
        timeout: Duration,
    ) -> Result<Vec<u32>, GpuError> {
        may_wait(IS_BROWSER)?;
        let is_done = || self.in_flight.as_ref().is_none_or(|u| u.readback.stage() != Stage::InFlight);
        wait(device, submission, timeout, is_done)?;
        self.finished()?.ok_or(GpuError::NotSubmitted)
    }

    fn finished(&mut self) -> Result<Option<Vec<u32>>, GpuError> {
        let Some(RegionInFlight { count, readback }) = &self.in_flight else {
            return Err(GpuError::NotSubmitted);
        };
        let touched = match readback.stage() {
            Stage::InFlight => return Ok(None),
            Stage::Mapped => readback.finish(|words| {
                // Each result is the 64-bit number of samples that passed; only zero or not is
                // meaningful.
                let touched = |object: &u32| words[2 * *object as usize..][..2] != [0, 0];
                (0..*count).filter(touched).collect()
            }),
            Stage::Failed => Err(GpuError::DeviceLost),
            Stage::Idle | Stage::Dropped => Err(GpuError::NotSubmitted),
        };
        self.in_flight = None;
        touched.map(Some)
    }
}

/// A run of pixels of one row, as left, right, top and bottom in NDC of the pass.
type RunNdc = [f32; 4];

/// Returns the runs of pixels in the region.
fn mask_runs(region: &Region, pixels: &PixelRect) -> Vec<RunNdc> {
    let mut runs = Vec::new();
    let [width, height] = pixels.size.map(f64::from);
    region.for_each_run(pixels.origin[1], pixels.size[1], |row, [from, to]| {
        let column = |x: i64| (x - pixels.origin[0]).clamp(0, pixels.size[0].into()) as f64;
        let x = |x: i64| (2.0 * column(x) / width - 1.0) as f32;
        let y = |y: i64| (1.0 - 2.0 * (y - pixels.origin[1]) as f64 / height) as f32;
        let [left, right, top, bottom] = [x(from), x(to), y(row), y(row + 1)];
        if left < right {
            runs.push([left, right, top, bottom]);
        }
    });
    runs
}

fn run_buffer(device: &wgpu::Device, queue: &wgpu::Queue, runs: &[RunNdc]) -> Result<wgpu::Buffer, GpuError> {
    let contents: &[u8] = bytemuck::cast_slice(runs);
    let bytes = contents.len().max(size_of::<RunNdc>()) as u64;
    let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
    let buffer = create_buffer(device, "wgpu-gizmo region runs", bytes, usage)?;
    queue.write_buffer(&buffer, 0, contents);
    Ok(buffer)
}

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    tile: &Tile,
    queries: &wgpu::QuerySet,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("wgpu-gizmo region"),
        color_attachments: &tile.color_attachments(wgpu::StoreOp::Discard)[..tile.color_count()],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &tile.depth_view,
            // Depth 0 fails every object, except where the mask writes 1.
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(0.0),
                store: wgpu::StoreOp::Discard,
            }),
            stencil_ops: None,
        }),
        occlusion_query_set: Some(queries),
        ..Default::default()
    })
}

fn mask_pipeline(factory: &PipelineFactory<'_>) -> wgpu::RenderPipeline {
    let masked = |target: &wgpu::ColorTargetState| wgpu::ColorTargetState {
        write_mask: wgpu::ColorWrites::empty(),
        ..target.clone()
    };
    let targets = object_pass::color_targets(factory.device).iter();
    let targets: Vec<_> = targets.map(|target| target.as_ref().map(masked)).collect();
    factory.shader("wgpu-gizmo region", include_str!("../../shaders/mask.wgsl")).pipeline(&PipelineState {
        entries: ["vs_mask", "fs_mask"],
        buffers: &[Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<RunNdc>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &wgpu::vertex_attr_array![0 => Float32x4],
        })],
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Always),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        targets: &targets,
        ..Default::default()
    })
}
