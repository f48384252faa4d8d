use super::id_handles::IdHandles;
use super::id_pass::IdPass;
use super::pick_slot::{outcome_in, reach_of};
use super::pick_tile::PickTile;
use crate::draw::DrawList;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::readback::wait;
use crate::gpu::device::readback::{Readback, Stage};
use crate::gpu::device::resources::check_device;
use crate::gpu::device::web::{IS_BROWSER, may_wait};
use crate::gpu::id_target::texel_layout::TexelLayout;
use crate::gpu::id_target::tile::Tile;
use crate::gpu::id_target::tile_view::{MAX_PX, PixelRect, pixel_at};
use crate::gpu::id_target::tiling::Tiling;
use crate::math::View;
use crate::pick::{PickOutcome, PickQuery, Region};
use glam::{DMat4, DVec2};
use std::num::NonZeroU32;
use std::time::Duration;

/// The ID image of a whole view or of a rectangle, for region selection and debug views.
///
/// Its cost is proportional to its pixels; a pick under the cursor does not need it.
///
/// ```no_run
/// use std::num::NonZeroU32;
/// use std::time::Duration;
/// use wgpu_gizmo::glam::dvec2;
/// use wgpu_gizmo::gpu::{GpuError, IdImage, IdTexels};
/// use wgpu_gizmo::pick::Region;
/// use wgpu_gizmo::{DrawList, View, wgpu};
///
/// /// Returns the ids that are visible in a rectangle, with the host's objects drawn by `pipeline`.
/// fn select(
///     (device, queue): (&wgpu::Device, &wgpu::Queue),
///     image: &mut IdImage,
///     view: &View,
///     pipeline: &wgpu::RenderPipeline,
/// ) -> Result<Vec<NonZeroU32>, GpuError> {
///     let mut encoder = device.create_command_encoder(&Default::default());
///     // An empty list: handles are not selected.
///     image.encode(device, queue, &mut encoder, view, &DrawList::new(), |pass, _clip_from_clip| {
///         pass.set_pipeline(pipeline);
///         pass.draw(0..36, 0..1);
///     })?;
///     let submission = queue.submit([encoder.finish()]);
///     let texels: IdTexels = image.read(device, submission, Duration::from_secs(1))?;
///     Ok(texels.ids_in(&Region::Rectangle([dvec2(40.0, 30.0), dvec2(200.0, 150.0)])))
/// }
/// ```
#[derive(Debug)]
pub struct IdImage {
    /// The column and row of the render target at which the image begins, (0, 0) by default. It may be
    /// outside of the render target. Coordinates beyond 2⁴⁰ count as 2⁴⁰.
    pub origin_px: [i64; 2],
    device: wgpu::Device,
    tiling: Tiling,
    ids: IdPass,
    tile: Tile,
    size: [u32; 2],
    handles: IdHandles,
    readback: Readback,
    /// The origin of the image in flight.
    pending_origin_px: [i64; 2],
}

/// The contents of an [`IdImage`].
///
/// ```
/// use wgpu_gizmo::{glam::dvec2, gpu::IdTexels, pick::Region};
///
/// let texels = IdTexels { width: 2, height: 1, origin_px: [0, 0], ids: vec![0, 7], depth_bits: vec![0; 2] };
/// let all = Region::Rectangle([dvec2(0.0, 0.0), dvec2(2.0, 1.0)]);
/// assert_eq!(texels.ids_in(&all).iter().map(|id| id.get()).collect::<Vec<_>>(), [7]);
/// assert_eq!(texels.id_at(dvec2(1.5, 0.5)).map(|id| id.get()), Some(7));
/// assert_eq!(texels.id_at(dvec2(0.5, 0.5)), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdTexels {
    /// The width in texels.
    pub width: u32,
    /// The height in texels.
    pub height: u32,
    /// The column and row of the render target of the first texel.
    pub origin_px: [i64; 2],
    /// The ids in row-major order, from the top. 0 means nothing, also outside of the viewport.
    pub ids: Vec<u32>,
    /// The bits of the `f32` depths, in the same order.
    pub depth_bits: Vec<u32>,
}

impl IdTexels {
    /// Returns the id at a position in pixels of the render target, or `None` if nothing is there or the position
    /// is outside of the image.
    pub fn id_at(&self, px: DVec2) -> Option<NonZeroU32> {
        NonZeroU32::new(*self.ids.get(self.index(pixel_at(px)?)?)?)
    }

    /// Returns the index of a texel, by its column and row in the render target.
    fn index(&self, pixel: [i64; 2]) -> Option<usize> {
        let within = |i: usize, side: u32| {
            let offset = usize::try_from(pixel[i].checked_sub(self.origin_px[i])?).ok()?;
            (offset < side as usize).then_some(offset)
        };
        Some(within(1, self.height)? * self.width as usize + within(0, self.width)?)
    }

    /// Returns the distinct ids that are visible in a region, in ascending order. Occluded objects are
    /// not included.
    pub fn ids_in(&self, region: &Region) -> Vec<NonZeroU32> {
        region.ids_in(&self.ids, self.width, self.origin_px)
    }

    /// Returns the outcome that a [`Picker`](crate::gpu::Picker) has for this query, from the texels of
    /// this image. `list` is the list that the image was encoded with, and its view is that of the
    /// query. Texels outside of the image count as empty.
    pub fn pick(&self, query: &PickQuery, list: &DrawList) -> PickOutcome {
        let is_inside = query.view.viewport().contains(query.cursor_px);
        let Some([x, y]) = pixel_at(query.cursor_px).filter(|_| is_inside) else {
            return PickOutcome::Nothing;
        };
        let half = reach_of(query).1.ceil() as i64;
        let texels = |of: &[u32]| -> Vec<u32> {
            let rows = (y - half..=y + half).flat_map(|y| (x - half..=x + half).map(move |x| [x, y]));
            rows.map(|pixel| self.index(pixel).and_then(|index| of.get(index)).copied().unwrap_or(0))
                .collect()
        };
        let (ids, depth_bits) = (texels(&self.ids), texels(&self.depth_bits));
        let side = 2 * half as usize + 1;
        let tile =
            PickTile { ids: &ids, depth_bits: &depth_bits, step: 1, stride: side, side, center: (x, y) };
        let priority_of =
            |id: NonZeroU32| list.items().iter().find(|item| item.id == Some(id)).map(|item| item.priority);
        outcome_in(&tile, query, priority_of)
    }
}

impl IdImage {
    /// Creates an image of this size in pixels.
    ///
    /// # Errors
    /// [`GpuError::TargetSize`] or [`GpuError::BufferSize`] if the device cannot render or copy that many
    /// pixels; [`GpuError::OutOfMemory`]; [`GpuError::DeviceLost`].
    pub fn new(device: &wgpu::Device, width: u32, height: u32) -> Result<Self, GpuError> {
        let size = [width, height];
        Ok(Self {
            origin_px: [0, 0],
            device: device.clone(),
            tiling: Tiling::new(device)?,
            ids: IdPass::new(device)?,
            // First, because it checks the size.
            tile: Tile::new(device, size)?,
            size,
            handles: IdHandles::new(),
            readback: Readback::new(device, TexelLayout::of(device).copied_bytes(size))?,
            pending_origin_px: [0, 0],
        })
    }

    /// Renders with matrices that stretch the image over the viewport, like
    /// [`Picker::with_cropped_tiles`](crate::gpu::Picker::with_cropped_tiles). The default shifts the viewport.
    #[must_use]
    pub fn with_cropped_tiles(mut self) -> Self {
        self.tiling.crop();
        self
    }

    /// Encodes the image of a view. `draw_objects` is described in
    /// [`Picker::encode`](crate::gpu::Picker::encode). Submit the encoder, then call [`IdImage::read`] or
    /// [`IdImage::poll`].
    ///
    /// # Errors
    /// [`GpuError::OtherView`] if `list` has another view; [`GpuError::MixedIds`] if it has gizmos of
    /// several [`IdSpace`](crate::pick::IdSpace)s; [`GpuError::RingFull`] if an image is in flight that
    /// has not been read; [`GpuError::OtherDevice`]; [`GpuError::DeviceLost`].
    pub fn encode(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        list: &DrawList,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
    ) -> Result<(), GpuError> {
        check_device(&self.device, device)?;
        if !list.is_empty() && list.view() != Some(view) {
            return Err(GpuError::OtherView);
        }
        if list.has_mixed_ids() {
            return Err(GpuError::MixedIds);
        }
        match self.readback.stage() {
            Stage::InFlight | Stage::Mapped => return Err(GpuError::RingFull),
            Stage::Idle | Stage::Failed | Stage::Dropped => {}
        }
        // No view has pixels beyond.
        self.pending_origin_px = self.origin_px.map(|at| at.clamp(-MAX_PX, MAX_PX));
        let limit = device.limits().max_texture_dimension_2d;
        let pixels = PixelRect { origin: self.pending_origin_px, size: self.size };
        let placement = pixels.place(view, self.tiling.mode(), limit);
        self.handles.upload(device, queue, list, &placement.grid())?;
        let depth = view.depth_direction();
        self.ids.prepare(device, depth, &self.handles)?;
        self.ids.encode(encoder, &self.tile, &placement, depth, draw_objects, &self.handles);
        self.tile.copy_to(encoder, self.readback.buffer());
        self.readback.map_on_submit(encoder);
        Ok(())
    }

    /// Waits for the image in `submission` and returns its texels.
    ///
    /// # Errors
    /// [`GpuError::NotSubmitted`] if nothing was encoded or the encoder was dropped;
    /// [`GpuError::Timeout`]; [`GpuError::DeviceLost`]; [`GpuError::BlockingOnWeb`] in a browser.
    pub fn read(
        &mut self,
        device: &wgpu::Device,
        submission: wgpu::SubmissionIndex,
        timeout: Duration,
    ) -> Result<IdTexels, GpuError> {
        may_wait(IS_BROWSER)?;
        wait(device, submission, timeout, || self.readback.stage() != Stage::InFlight)?;
        self.finished()?.ok_or(GpuError::NotSubmitted)
    }

    /// Returns the texels of the image, or `None` if the GPU is not done. Never waits.
    ///
    /// # Errors
    /// [`GpuError::NotSubmitted`] if nothing was encoded or the encoder was dropped;
    /// [`GpuError::DeviceLost`].
    pub fn poll(&mut self, device: &wgpu::Device) -> Result<Option<IdTexels>, GpuError> {
        // Errors can only be timeouts, and this does not wait.
        let _ = device.poll(wgpu::PollType::Poll);
        self.finished()
    }

    fn finished(&mut self) -> Result<Option<IdTexels>, GpuError> {
        match self.readback.stage() {
            Stage::Mapped => self.readback.finish(|words| self.texels(words)).map(Some),
            Stage::Failed => {
                self.readback.reset();
                Err(GpuError::DeviceLost)
            }
            Stage::InFlight => Ok(None),
            Stage::Idle | Stage::Dropped => Err(GpuError::NotSubmitted),
        }
    }

    fn texels(&self, words: &[u32]) -> IdTexels {
        let [width, height] = self.size;
        let [ids, depth_bits] = self.tile.layout().texels(words, width).rows(width);
        IdTexels { width, height, origin_px: self.pending_origin_px, ids, depth_bits }
    }
}
