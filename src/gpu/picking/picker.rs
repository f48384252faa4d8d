use super::id_pass::IdPass;
use super::pick_slot::{PendingPick, SIDES, Slot, reach_of, store_priorities};
use crate::draw::DrawList;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::readback::{Readback, wait};
use crate::gpu::device::resources::check_device;
use crate::gpu::device::web::{IS_BROWSER, may_wait};
use crate::gpu::id_target::texel_layout::TexelLayout;
use crate::gpu::id_target::tile::Tile;
use crate::gpu::id_target::tile_view::{PixelRect, pixel_at};
use crate::gpu::id_target::tiling::Tiling;
use crate::pick::{PickAnswer, PickOutcome, PickQuery};
use glam::DMat4;
use std::num::NonZeroU32;
use std::time::Duration;

/// Finds the handle or object under the cursor in the ID image, without waiting.
///
/// In each frame, call [`Picker::poll`] until it returns `None`. If there is a query and
/// [`Picker::has_capacity`] returns true, call [`Picker::encode`] with the command encoder of the frame. Keep
/// drawing frames while [`Picker::is_pending`] returns true.
///
/// The host's objects take part if the host draws them, with one sample per pixel and a pipeline for the color
/// targets and the depth state of [`object_pass`](crate::gpu::object_pass). Its fragment stage writes the id, from
/// the same [`IdSpace`](crate::pick::IdSpace) as the gizmo's ids, and the bits of the depth:
///
/// ```wgsl
/// struct IdTexel {
///     @location(0) id_and_depth_bits: vec4u,
///     @location(1) depth_bits: u32,
/// }
///
/// @fragment
/// fn fs_id(@builtin(position) position: vec4f, @location(0) @interpolate(flat) id: u32) -> IdTexel {
///     let depth_bits = bitcast<u32>(position.z);
///     return IdTexel(vec4u(id, depth_bits, 0u, 0u), depth_bits);
/// }
/// ```
///
/// A `u32` is enough at location 0, except for devices with the limits of WebGL2, which have no compute shaders: there
/// the depth bits are in the second component.
///
/// ```no_run
/// use wgpu_gizmo::gpu::object_pass;
/// use wgpu_gizmo::math::DepthDirection;
/// use wgpu_gizmo::wgpu;
///
/// /// Creates the pipeline that draws the host's objects into the ID image.
/// fn id_pipeline(
///     device: &wgpu::Device,
///     shader: &wgpu::ShaderModule,
/// ) -> wgpu::RenderPipeline {
///     device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
///         label: Some("object ids"),
///         layout: None,
///         vertex: wgpu::VertexState {
///             module: shader,
///             entry_point: Some("vs_object"),
///             compilation_options: Default::default(),
///             buffers: &[],
///         },
///         fragment: Some(wgpu::FragmentState {
///             module: shader,
///             entry_point: Some("fs_id"),
///             compilation_options: Default::default(),
///             targets: object_pass::color_targets(device),
///         }),
///         depth_stencil: Some(object_pass::depth_stencil(DepthDirection::Standard)),
///         primitive: Default::default(),
///         multisample: Default::default(),
///         multiview_mask: None,
///         cache: None,
///     })
/// }
/// ```
#[derive(Debug)]
pub struct Picker {
    device: wgpu::Device,
    pub(crate) ids: IdPass,
    layout: TexelLayout,
    tiling: Tiling,
    /// Created on first use.
    tiles: [Option<Tile>; 2],
    slots: [Slot; 3],
    /// Counts the queries, so that slots are answered in the order of their queries.
    query_count: u64,
    /// The newest query that could not be encoded, and its number.
    failed: Option<(u64, PickQuery)>,
    /// The number of queries in a row whose encoders were dropped.
    pub(crate) dropped_in_row: u32,
    /// The ids within the tolerance of the last snap query that was answered.
    neighbors: Vec<NonZeroU32>,
}

impl Picker {
    /// Creates a picker.
    ///
    /// # Errors
    /// [`GpuError::Rejected`]; [`GpuError::DeviceLost`].
    pub fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
        Ok(Self {
            device: device.clone(),
            ids: IdPass::new(device)?,
            layout: TexelLayout::of(device),
            tiling: Tiling::new(device)?,
            tiles: [None, None],
            slots: [Slot::new(), Slot::new(), Slot::new()],
            query_count: 0,
            failed: None,
            dropped_in_row: 0,
            neighbors: Vec::new(),
        })
    }

    /// Renders tiles with matrices that stretch the tile over the viewport. The default shifts the viewport
    /// instead, so that a tile has the texels of the whole image, and is right unless a driver has a bug. Browsers
    /// that refuse shifted viewports are detected.
    ///
    /// ```no_run
    /// use wgpu_gizmo::gpu::{GpuError, Picker};
    /// use wgpu_gizmo::wgpu;
    ///
    /// fn picker(device: &wgpu::Device) -> Result<Picker, GpuError> {
    ///     Ok(Picker::new(device)?.with_cropped_tiles())
    /// }
    /// ```
    #[must_use]
    pub fn with_cropped_tiles(mut self) -> Self {
        self.tiling.crop();
        self
    }

    /// Returns true if another query can be encoded now.
    pub fn has_capacity(&self) -> bool {
        self.slots.iter().any(|slot| slot.pending.is_none())
    }

    /// Returns true if an answer is pending. Keep drawing frames and polling until it returns false.
    pub fn is_pending(&self) -> bool {
        self.failed.is_some() || self.slots.iter().any(|slot| slot.pending.is_some())
    }

    /// Returns the queries without an answer so far, for [`Gizmo::await_answer`](crate::Gizmo::await_answer).
    pub fn in_flight(&self) -> impl Iterator<Item = &PickQuery> {
        self.slots.iter().filter_map(|slot| slot.pending.as_ref().map(|pending| &pending.query))
    }

    /// Encodes a query. After the host has submitted the encoder, [`Picker::poll`] returns the answer. If
    /// the encoder is dropped or this fails, the answer is [`PickOutcome::Lost`], and the gizmo asks
    /// again. A cursor outside of the viewport needs no GPU: the answer is [`PickOutcome::Nothing`].
    ///
    /// `list` must have the view of the query, unless it is empty. `draw_objects` draws the host's
    /// objects into the ID image (see [`Picker`]). It must apply the matrix `clip_from_clip` after that
    /// of the view, and keep the viewport and the scissor rectangle.
    ///
    /// # Errors
    /// [`GpuError::RingFull`] if all slots are in flight; [`GpuError::OtherView`] if the list has another
    /// view than the query; [`GpuError::MixedIds`] if the list has gizmos of several
    /// [`IdSpace`](crate::pick::IdSpace)s; [`GpuError::OtherDevice`] if the device is not that of
    /// [`Picker::new`]; [`GpuError::DeviceLost`].
    pub fn encode(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        query: &PickQuery,
        list: &DrawList,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
    ) -> Result<(), GpuError> {
        let encoded = self.encode_slot(device, queue, encoder, query, list, draw_objects).map(|_| ());
        if encoded.is_err() {
            // One lost query is enough: a gizmo whose query was older learns that a newer one was lost.
            self.failed = Some((self.query_count, *query));
            self.query_count += 1;
        }
        encoded
    }

    /// Does the same as [`Picker::encode`], and returns the index of the slot.
    fn encode_slot(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        query: &PickQuery,
        list: &DrawList,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
    ) -> Result<usize, GpuError> {
        check_device(&self.device, device)?;
        let free = self.slots.iter().position(|slot| slot.pending.is_none()).ok_or(GpuError::RingFull)?;
        let no_handles = DrawList::new();
        let list = if query.is_snap { &no_handles } else { list };
        let other_view = list.view().is_some_and(|view| *view != query.view);
        if other_view && !list.is_empty() {
            return Err(GpuError::OtherView);
        }
        if list.has_mixed_ids() {
            return Err(GpuError::MixedIds);
        }
        let slot = &mut self.slots[free];
        let (_, reach) = reach_of(query);
        let kind = usize::from(reach > f64::from(SIDES[0] / 2));
        let inside = query.view.viewport().contains(query.cursor_px);
        let tile = pixel_at(query.cursor_px).filter(|_| inside).map(|pixel| (kind, pixel));
        if let Some((kind, pixel)) = tile {
            let size = [SIDES[kind]; 2];
            let tile = match &mut self.tiles[kind] {
                Some(tile) => tile,
                empty => empty.insert(Tile::new(device, size)?),
            };
            let readback = match &mut slot.readbacks[kind] {
                Some(readback) => readback,
                empty => empty.insert(Readback::new(device, self.layout.copied_bytes(size))?),
            };
            let limit = device.limits().max_texture_dimension_2d;
            let pixels = PixelRect::around(pixel, SIDES[kind]);
            let placement =
                pixels.place(&query.view, self.tiling.mode(), limit).within(&pixels, reach as u32);
            slot.handles.upload(device, queue, list, &placement.grid())?;
            store_priorities(&mut slot.priorities, &slot.handles, list);
            let depth = query.view.depth_direction();
            self.ids.prepare(device, depth, &slot.handles)?;
            self.ids.encode(encoder, tile, &placement, depth, draw_objects, &slot.handles);
            tile.copy_to(encoder, readback.buffer());
            readback.map_on_submit(encoder);
        }
        slot.pending = Some(PendingPick { query: *query, order: self.query_count, tile });
        self.query_count += 1;
        Ok(free)
    }

    /// Returns the number of bytes that the last [`Picker::encode`] uploaded for the handles.
    pub fn uploaded_bytes(&self) -> u64 {
        let last = self.slots.iter().max_by_key(|slot| slot.order());
        last.map_or(0, |slot| slot.handles.uploaded_bytes())
    }

    /// Returns the ids within the tolerance of the last query of [`Gizmo::snap_query`](crate::Gizmo::snap_query)
    /// that was answered, in ascending order: the objects that [`SnapTo::find`](crate::pick::snap::SnapTo::find)
    /// searches.
    pub fn neighbors(&self) -> &[NonZeroU32] {
        &self.neighbors
    }

    /// Returns the next answer, strictly in the order of the queries, or `None` if it is not ready. Never
    /// waits. An encoder that the host has not submitted delays the answers to all later queries. Call it
    /// until it returns `None`.
    ///
    /// It polls the device, so callbacks of the host that are due run in this call.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`], once for each query that was in flight when the device was lost.
    pub fn poll(&mut self, device: &wgpu::Device) -> Result<Option<PickAnswer>, GpuError> {
        // Errors can only be timeouts, and this does not wait.
        let _ = device.poll(wgpu::PollType::Poll);
        let pending = self.slots.iter_mut().filter(|slot| slot.pending.is_some());
        let oldest = pending.min_by_key(|slot| slot.order());
        let next = oldest.as_ref().and_then(|slot| slot.order());
        if let Some((_, query)) = self.failed.take_if(|(order, _)| next.is_none_or(|next| *order < next)) {
            return Ok(Some(PickAnswer::new(query, PickOutcome::Lost)));
        }
        let Some(finished) = oldest.filter(|slot| slot.is_finished()) else { return Ok(None) };
        let answer = finished.answer(self.layout, &mut self.neighbors)?;
        let is_dropped = answer.is_some_and(|answer| answer.outcome == PickOutcome::Lost);
        self.dropped_in_row = if is_dropped { self.dropped_in_row + 1 } else { 0 };
        Ok(answer)
    }

    /// Waits for the answers to the queries that were submitted.
    pub(crate) fn wait_for_submitted(
        &self,
        device: &wgpu::Device,
        timeout: Duration,
    ) -> Result<(), GpuError> {
        let is_done = || self.slots.iter().all(|slot| slot.pending.is_none() || slot.is_finished());
        if is_done() {
            return Ok(());
        }
        may_wait(IS_BROWSER)?;
        wait(device, None, timeout, is_done)
    }

    /// Encodes a query, submits it and waits for the answer. Meant for native tools and tests, not for
    /// frames. Other queries in flight keep their order and are not waited for.
    ///
    /// # Errors
    /// The same as [`Picker::encode`] and [`Picker::poll`]; [`GpuError::Timeout`], after which
    /// [`Picker::poll`] can still return the answer; [`GpuError::BlockingOnWeb`] in a browser.
    pub fn pick_blocking(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        query: &PickQuery,
        list: &DrawList,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
        timeout: Duration,
    ) -> Result<PickAnswer, GpuError> {
        may_wait(IS_BROWSER)?;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("wgpu-gizmo blocking pick"),
        });
        let slot = self.encode_slot(device, queue, &mut encoder, query, list, draw_objects)?;
        let submission = queue.submit([encoder.finish()]);
        wait(device, submission, timeout, || self.slots[slot].is_finished())?;
        self.slots[slot].answer(self.layout, &mut self.neighbors)?.ok_or(GpuError::Timeout(timeout))
    }
}
