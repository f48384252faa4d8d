use super::{DrawIds, ViewPart};
use crate::gpu::device::device_errors::DeviceErrors;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::pipelines::{PipelineFactory, PipelineState};
use crate::gpu::device::readback::wait;
use crate::gpu::device::readback::{Readback, Stage};
use crate::gpu::device::resources::{check_device, create_buffer, create_buffer_with};
use crate::gpu::device::web::{IS_BROWSER, may_query_occlusion, may_wait};
use crate::gpu::id_target::object_pass;
use crate::gpu::id_target::texel_layout::TexelLayout;
use crate::gpu::id_target::tile::Tile;
use crate::gpu::id_target::tile_view::{PixelRect, TileView};
use crate::gpu::id_target::tiling::Tiling;
use crate::math::{DepthDirection, Frustum, Rect, View};
use crate::pick::Region;
use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::time::Duration;

/// Maximum number of queries per set, a limit of WebGPU.
const MAX_QUERIES: u32 = 4096;

/// Finds the objects in a rectangle or lasso, without waiting: the visible ones, or also occluded ones.
///
/// Handles are not found and occlude nothing. The visible objects are read from an ID image of the region. For
/// occluded ones, it renders one pass over the region's pixels, with an occlusion query per object, however many
/// layers there are; that finds every object that would cover at least one pixel of the region if it were drawn
/// alone.
///
/// Each `RegionPicker` has one query at a time: [`RegionPicker::encode`] it, submit, and
/// [`RegionPicker::poll`] once a frame.
///
/// ```no_run
/// use std::num::NonZeroU32;
/// use std::time::Duration;
/// use wgpu_gizmo::glam::dvec2;
/// use wgpu_gizmo::gpu::GpuError;
/// use wgpu_gizmo::scene::{PickBatch, PickScene, RegionPicker, RegionQuery};
/// use wgpu_gizmo::pick::Region;
/// use wgpu_gizmo::{View, wgpu};
///
/// /// Returns the ids of all objects in a rectangle, occluded or not.
/// fn select(
///     (device, queue): (&wgpu::Device, &wgpu::Queue),
///     regions: &mut RegionPicker,
///     (scene, batch): (&mut PickScene, &mut PickBatch),
///     view: &View,
/// ) -> Result<Vec<NonZeroU32>, GpuError> {
///     let region = &Region::Rectangle([dvec2(40.0, 30.0), dvec2(200.0, 150.0)]);
///     let query = RegionQuery { view, target_px: [800, 600], region, with_occluded: true };
///     let mut encoder = device.create_command_encoder(&Default::default());
///     regions.encode(device, queue, &mut encoder, query, &mut (scene, batch))?;
///     let submission = queue.submit([encoder.finish()]);
///     regions.read(device, submission, Duration::from_secs(1))
/// }
/// ```
#[derive(Debug)]
pub struct RegionPicker {
    device: wgpu::Device,
    mask: wgpu::RenderPipeline,
    tiling: Tiling,
    in_flight: Option<InFlight>,
    /// The errors of the pipeline.
    pub(crate) errors: DeviceErrors,
}

/// The input of a query for a region. [`RegionPicker`] has an example.
#[derive(Debug, Clone, Copy)]
pub struct RegionQuery<'a> {
    /// The view.
    pub view: &'a View,
    /// Width and height of the render target, in physical pixels.
    pub target_px: [u32; 2],
    /// The region of the render target.
    pub region: &'a Region,
    /// Whether occluded objects are found, too. Browsers cannot find them.
    pub with_occluded: bool,
}

#[derive(Debug)]
struct InFlight {
    readback: Readback,
    contents: Contents,
}

/// The kind of result that is read back.
#[derive(Debug)]
enum Contents {
    /// The texels of a region.
    Texels { layout: TexelLayout, pixels: PixelRect, region: Region },
    /// The number of samples of each of these objects that passed.
    Samples(Vec<NonZeroU32>),
}

impl RegionPicker {
    /// Creates the pipeline that masks regions.
    ///
    /// # Errors
    /// [`GpuError::Rejected`]; [`GpuError::DeviceLost`].
    pub fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
        let mut errors = DeviceErrors::default();
        let mask = errors.create_pipelines(device, mask_pipeline)?;
        Ok(Self { device: device.clone(), mask, tiling: Tiling::new(device)?, in_flight: None, errors })
    }

    /// Returns the depth state of the pipelines for [`DrawIds::draw_one`]: objects do not occlude each
    /// other, and pixels outside of the region fail.
    pub fn depth_stencil() -> wgpu::DepthStencilState {
        object_pass::xray_depth_stencil()
    }

    /// Returns true if a query is in flight, or its answer has not been read.
    pub fn is_pending(&self) -> bool {
        matches!(self.stage(), Stage::InFlight | Stage::Mapped)
    }

    fn stage(&self) -> Stage {
        self.in_flight.as_ref().map_or(Stage::Idle, |in_flight| in_flight.readback.stage())
    }

    /// Encodes a query for the objects that touch a region.
    ///
    /// # Errors
    /// [`GpuError::RingFull`] if [`RegionPicker::is_pending`] is true;
    /// [`GpuError::TargetSize`] or [`GpuError::BufferSize`] if the region has more pixels, or there are
    /// more objects, than the device can take; [`GpuError::OcclusionOnWeb`] in a browser, if the query includes
    /// occluded objects; [`GpuError::OutOfMemory`]; [`GpuError::OtherDevice`]; [`GpuError::DeviceLost`].
    pub fn encode(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        query: RegionQuery<'_>,
        objects: &mut impl DrawIds,
    ) -> Result<(), GpuError> {
        let RegionQuery { view, target_px: [width, height], region, with_occluded } = query;
        may_query_occlusion(IS_BROWSER && with_occluded)?;
        check_device(&self.device, device)?;
        if self.is_pending() {
            return Err(GpuError::RingFull);
        }
        self.in_flight = None;
        self.errors.check()?;
        let (readback, contents) = match region.pixels(width, height) {
            None => (Readback::new(device, 4)?, Contents::Samples(Vec::new())),
            Some([x, y, width, height]) => {
                let pixels = PixelRect { origin: [x.into(), y.into()], size: [width, height] };
                let limit = device.limits().max_texture_dimension_2d;
                let placement = pixels.place(view, self.tiling.mode(), limit);
                let rect_px = Rect::from_min_size(pixels.origin_px(), pixels.size_px());
                let (frustum, clip_from_clip) = (Frustum::new(view, rect_px), placement.clip_from_clip);
                let part = ViewPart { device, queue, view, frustum, clip_from_clip };
                let tile = Tile::new(device, pixels.size)?;
                if with_occluded {
                    self.encode_samples(encoder, &tile, &placement, &part, region, objects)?
                } else {
                    encode_texels(encoder, &tile, &placement, &part, region, objects)?
                }
            }
        };
        readback.map_on_submit(encoder);
        self.in_flight = Some(InFlight { readback, contents });
        Ok(())
    }

    /// Encodes an occlusion query per object.
    fn encode_samples(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        tile: &Tile,
        placement: &TileView,
        part: &ViewPart<'_>,
        region: &Region,
        objects: &mut impl DrawIds,
    ) -> Result<(Readback, Contents), GpuError> {
        let ids = objects.prepare_singly(part);
        let count = ids.len() as u32;
        let bytes = u64::from(count.next_multiple_of(MAX_QUERIES).max(MAX_QUERIES)) * 8;
        let readback = Readback::new(part.device, bytes)?;
        let runs = mask_runs(region, &placement.pixels);
        let (contents, usage) = (bytemuck::cast_slice(&runs), wgpu::BufferUsages::VERTEX);
        let rows = create_buffer_with(part.device, "wgpu-gizmo region runs", contents, usage)?;
        let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        let results = create_buffer(part.device, "wgpu-gizmo region queries", bytes, usage)?;
        for first in (0..count).step_by(MAX_QUERIES as usize) {
            let set = first..count.min(first + MAX_QUERIES);
            let queries = part.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("wgpu-gizmo region"),
                ty: wgpu::QueryType::Occlusion,
                count: set.len() as u32,
            });
            // Depth 0 fails every object, except where the mask writes 1.
            let mut pass = object_pass::begin(encoder, "wgpu-gizmo region", tile, 0.0, Some(&queries));
            pass.set_pipeline(&self.mask);
            pass.set_vertex_buffer(0, rows.slice(..));
            pass.draw(0..4, 0..runs.len() as u32);
            placement.apply(&mut pass);
            for object in set.clone() {
                pass.begin_occlusion_query(object - first);
                objects.draw_one(&mut pass, part, object);
                pass.end_occlusion_query();
            }
            drop(pass);
            encoder.resolve_query_set(&queries, 0..set.len() as u32, &results, u64::from(first) * 8);
        }
        encoder.copy_buffer_to_buffer(&results, 0, readback.buffer(), 0, bytes);
        Ok((readback, Contents::Samples(ids)))
    }

    /// Returns the distinct ids in the region, in ascending order, or `None` if the GPU is not done. Never waits.
    ///
    /// # Errors
    /// [`GpuError::NotSubmitted`] if nothing was encoded or the encoder was dropped;
    /// [`GpuError::DeviceLost`].
    pub fn poll(&mut self, device: &wgpu::Device) -> Result<Option<Vec<NonZeroU32>>, GpuError> {
        // Errors can only be timeouts, and this does not wait.
        let _ = device.poll(wgpu::PollType::Poll);
        let Some(InFlight { readback, contents }) = &self.in_flight else {
            return Err(GpuError::NotSubmitted);
        };
        let found = match readback.stage() {
            Stage::InFlight => return Ok(None),
            Stage::Mapped => readback.finish(|words| contents.ids(words)),
            Stage::Failed => Err(GpuError::DeviceLost),
            Stage::Idle | Stage::Dropped => Err(GpuError::NotSubmitted),
        };
        self.in_flight = None;
        found.map(Some)
    }

    /// Waits for `submission` and returns the same as [`RegionPicker::poll`].
    ///
    /// # Errors
    /// The same as [`RegionPicker::poll`]; [`GpuError::Timeout`]; [`GpuError::BlockingOnWeb`] in a
    /// browser.
    pub fn read(
        &mut self,
        device: &wgpu::Device,
        submission: wgpu::SubmissionIndex,
        timeout: Duration,
    ) -> Result<Vec<NonZeroU32>, GpuError> {
        may_wait(IS_BROWSER)?;
        wait(device, submission, timeout, || self.stage() != Stage::InFlight)?;
        self.poll(device)?.ok_or(GpuError::NotSubmitted)
    }
}

impl Contents {
    /// Returns the distinct ids in ascending order, given the words that were read back.
    fn ids(&self, words: &[u32]) -> Vec<NonZeroU32> {
        match self {
            Self::Texels { layout, pixels: PixelRect { origin, size: [width, _] }, region } => {
                let [ids, _] = layout.texels(words, *width).rows(*width);
                region.ids_in(&ids, *width, *origin)
            }
            Self::Samples(ids) => {
                // Each number has 64 bits; only zero or not is meaningful.
                let found = ids.iter().zip(words.chunks(2)).filter(|(_, samples)| **samples != [0, 0]);
                found.map(|(id, _)| *id).collect::<BTreeSet<_>>().into_iter().collect()
            }
        }
    }
}

/// Encodes an ID image of the region.
fn encode_texels(
    encoder: &mut wgpu::CommandEncoder,
    tile: &Tile,
    placement: &TileView,
    part: &ViewPart<'_>,
    region: &Region,
    objects: &mut impl DrawIds,
) -> Result<(Readback, Contents), GpuError> {
    let layout = tile.layout();
    let readback = Readback::new(part.device, layout.copied_bytes(placement.pixels.size))?;
    let depth = part.view.depth_direction();
    object_pass::encode_objects(encoder, tile, placement, depth, |pass, _| objects.draw_ids(pass, part));
    tile.copy_to(encoder, readback.buffer());
    Ok((readback, Contents::Texels { layout, pixels: placement.pixels, region: region.clone() }))
}

/// A run of pixels of one row, as left, right, top and bottom in NDC of the pass.
type RunNdc = [f32; 4];

/// Returns the runs of pixels in the region, or one without pixels if there are none.
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
    if runs.is_empty() {
        runs.push([0.0; 4]);
    }
    runs
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
            depth_compare: Some(wgpu::CompareFunction::Always),
            ..object_pass::depth_stencil(DepthDirection::Standard)
        }),
        targets: &targets,
        ..Default::default()
    })
}
