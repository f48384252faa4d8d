use super::error::GpuError;
use super::id_pass::{self, IdPass};
use super::instances::Instances;
use super::readback::{Readback, Stage};
use super::tile::{DEPTH_BITS_FORMAT, DEPTH_FORMAT, ID_FORMAT, Tile};
use super::web::{IS_BROWSER, may_read_ids, may_wait};
use super::window::{TileMode, Window, pixel_at};
use crate::draw::{DrawList, GizmoSpan, Item, VisiblePieces};
use crate::handle::Priority;
use crate::math::{DepthDirection, View};
use crate::pick::{InFlight, PickAnswer, PickHit, PickOutcome, PickQuery, PickTile, Texel};
use glam::{DMat4, DVec2};
use std::num::NonZeroU32;
use std::time::Duration;

/// Asks the ID image what is under the cursor, a small tile of it at a time, and never waits.
///
/// Once a frame: [`Picker::poll`] until it has no more answers; then, if there is a question and
/// [`Picker::has_room`], [`Picker::encode`] into the frame's command encoder. While
/// [`Picker::pending`], keep drawing frames.
///
/// The host's objects take part if the host draws them: with a pipeline of its own for
/// [`Picker::color_targets`] and [`Picker::depth_stencil`], one sample a pixel, whose fragment
/// stage writes the id (from the same [`IdSpace`](crate::pick::IdSpace) as the gizmo's) to
/// location 0 and `bitcast<u32>(position.z)` to location 1.
#[derive(Debug)]
pub struct Picker {
    ids: IdPass,
    mode: TileMode,
    /// Made at first use.
    tiles: [Option<Tile>; 2],
    slots: [Slot; 3],
    /// Grows with every question, so that slots are answered in the order they were taken.
    taken: u64,
    /// The newest question that could not be encoded, and its place in that order.
    failed: Option<(u64, PickQuery)>,
}

/// Texels along a side of the two tiles: the middle one, and the tolerance to both sides.
const SIDES: [u32; 2] = [33, 127];

/// One question under way.
#[derive(Debug)]
struct Slot {
    /// One for each tile, made at first use.
    readbacks: [Option<Readback>; 2],
    /// Not shared between slots: two questions encoded before one submit need both.
    instances: Instances,
    /// Id and rank of every handle that may be in the tile, as they were when the question was
    /// asked, by id.
    priorities: Vec<(NonZeroU32, Priority)>,
    asked: Option<Asked>,
}

#[derive(Debug)]
struct Asked {
    query: PickQuery,
    order: u64,
    _in_flight: InFlight,
    /// Which tile, and the pixel in its middle; `None` where no tile was needed.
    tile: Option<(usize, [i64; 2])>,
}

impl Picker {
    /// Format of the color attachment at location 0: ids, 0 is nothing.
    pub const ID_FORMAT: wgpu::TextureFormat = ID_FORMAT;
    /// Format of the color attachment at location 1: `bitcast<u32>(position.z)`.
    pub const DEPTH_BITS_FORMAT: wgpu::TextureFormat = DEPTH_BITS_FORMAT;
    /// Format of the depth attachment. It has one sample, as the others.
    pub const DEPTH_FORMAT: wgpu::TextureFormat = DEPTH_FORMAT;
    /// Largest tolerance, in physical pixels; a larger one counts as this.
    pub const MAX_RADIUS_PX: f64 = PickQuery::MAX_RADIUS_PX;

    /// # Errors
    /// [`GpuError::WebGl`] in a browser without WebGPU, where integer textures cannot be read
    /// back; [`GpuError::DeviceLost`].
    pub fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
        may_read_ids(IS_BROWSER, device.adapter_info().backend)?;
        let slot = || Slot {
            readbacks: [None, None],
            instances: Instances::new(),
            priorities: Vec::new(),
            asked: None,
        };
        Ok(Self {
            ids: IdPass::new(device)?,
            mode: TileMode::default(),
            tiles: [None, None],
            slots: [slot(), slot(), slot()],
            taken: 0,
            failed: None,
        })
    }

    /// Chooses how tiles are rendered; the default is right unless a driver gets it wrong.
    #[must_use]
    pub fn with_tile_mode(mut self, mode: TileMode) -> Self {
        self.mode = mode;
        self
    }

    /// Color targets of a pipeline that draws objects into the ID image.
    pub fn color_targets() -> [Option<wgpu::ColorTargetState>; 2] {
        id_pass::color_targets()
    }

    /// Depth state of a pipeline that draws objects into the ID image, for views whose depth
    /// runs this way. The attachment is cleared to the far end.
    pub fn depth_stencil(depth: DepthDirection) -> wgpu::DepthStencilState {
        id_pass::depth_stencil(depth)
    }

    /// Whether another question can be asked now.
    pub fn has_room(&self) -> bool {
        self.slots.iter().any(|slot| slot.asked.is_none())
    }

    /// Whether an answer is to come: keep drawing frames, and polling, while this is true.
    pub fn pending(&self) -> bool {
        self.failed.is_some() || self.slots.iter().any(|slot| slot.asked.is_some())
    }

    /// Encodes a question. It is answered by [`Picker::poll`] some time after the host has
    /// submitted the encoder, or [`PickOutcome::Lost`] if the encoder is dropped instead, or if this
    /// fails: then whoever asked asks again. A cursor outside the view's viewport needs no GPU: the
    /// answer is nothing.
    ///
    /// `list` must have been drawn for the query's view (an empty one will do for any).
    /// `draw_objects` draws the host's objects into the ID image (see [`Picker`]); the matrix it
    /// gets, `clip_from_clip`, is to be applied after the view's. Viewport and scissor are set,
    /// and are to be left as they are.
    ///
    /// # Errors
    /// [`GpuError::RingFull`] where there is no room, [`GpuError::OtherView`] where list and
    /// query do not fit together, [`GpuError::MixedIds`] where the list has gizmos of several
    /// [`IdSpace`](crate::pick::IdSpace)s, [`GpuError::DeviceLost`].
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
            // One will do: a gizmo whose question was older hears that a newer one was put.
            self.failed = Some((self.taken, *query));
            self.taken += 1;
        }
        encoded
    }

    /// As [`Picker::encode`]; says which slot it took.
    fn encode_slot(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        query: &PickQuery,
        list: &DrawList,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
    ) -> Result<usize, GpuError> {
        let free = self.slots.iter().position(|slot| slot.asked.is_none()).ok_or(GpuError::RingFull)?;
        let other_view = list.view().is_some_and(|view| *view != query.view);
        if other_view && !list.is_empty() {
            return Err(GpuError::OtherView);
        }
        if list.has_mixed_ids() {
            return Err(GpuError::MixedIds);
        }
        let slot = &mut self.slots[free];
        let kind = usize::from(query.radius_px > f64::from(SIDES[0] / 2));
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
                empty => empty.insert(Readback::new(device, Tile::copied_bytes(size))?),
            };
            let limit = device.limits().max_texture_dimension_2d;
            let window = Window::around(pixel, SIDES[kind]);
            let reach = query.radius_px.clamp(0.0, f64::from(SIDES[kind] / 2)) as u32;
            let placement = window.place(&query.view, self.mode, limit).within(&window, reach);
            self.ids.keep(device, list)?;
            // What cannot be in the tile is not drawn into it.
            let shows = |item: &Item| {
                item.id.map_or(VisiblePieces::Nothing, |_| placement.visible_pieces(list, item))
            };
            let near = |gizmo: &GizmoSpan| placement.may_show(gizmo);
            slot.instances.upload(device, queue, list, near, shows, placement.clip_from_clip)?;
            let shown = slot.instances.visible(list);
            slot.priorities.clear();
            slot.priorities.extend(shown.filter_map(|item| item.id.map(|id| (id, item.priority))));
            slot.priorities.sort_unstable();
            slot.priorities.dedup_by_key(|(id, _)| *id);
            let depth = query.view.depth_direction();
            self.ids.encode(encoder, tile, &placement, depth, draw_objects, &slot.instances);
            tile.copy_to(encoder, readback.buffer());
            readback.map_on_submit(encoder);
        }
        slot.asked = Some(Asked { query: *query, order: self.taken, _in_flight: query.in_flight(), tile });
        self.taken += 1;
        Ok(free)
    }

    /// Bytes that the last [`Picker::encode`] handed to the queue for the handles.
    pub fn uploaded_bytes(&self) -> u64 {
        let last = self.slots.iter().max_by_key(|slot| slot.order());
        last.map_or(0, |slot| slot.instances.uploaded_bytes())
    }

    /// The next answer, strictly in the order of the questions: one that is known early waits for
    /// those asked before it, so an encoder that the host holds back holds back what was asked
    /// after it too. Never waits. Call it until it says `None`.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`] once for each question that was under way when the device went.
    pub fn poll(&mut self, device: &wgpu::Device) -> Result<Option<PickAnswer>, GpuError> {
        // Only a wait can time out.
        let _ = device.poll(wgpu::PollType::Poll);
        let asked = self.slots.iter_mut().filter(|slot| slot.asked.is_some());
        let oldest = asked.min_by_key(|slot| slot.order());
        let next = oldest.as_ref().and_then(|slot| slot.order());
        if let Some((_, query)) = self.failed.take_if(|(order, _)| next.is_none_or(|next| *order < next)) {
            return Ok(Some(PickAnswer { query, outcome: PickOutcome::Lost }));
        }
        oldest.filter(|slot| slot.is_finished()).map_or(Ok(None), Slot::answer)
    }

    /// Asks, submits and waits for the answer: for native tools and tests, not for frames.
    /// Questions already under way keep their place, and are not waited for.
    ///
    /// # Errors
    /// As [`Picker::encode`] and [`Picker::poll`]; [`GpuError::Timeout`], after which the
    /// answer can still come by [`Picker::poll`]; [`GpuError::BlockingOnWeb`] in a browser.
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
        self.slots[slot].answer()?.ok_or(GpuError::Timeout(timeout))
    }
}

/// Waits until a submission is done and what it was for `is_finished`.
pub(super) fn wait(
    device: &wgpu::Device,
    submission: wgpu::SubmissionIndex,
    timeout: Duration,
    is_finished: impl Fn() -> bool,
) -> Result<(), GpuError> {
    let poll = wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(timeout) };
    match device.poll(poll) {
        Ok(_) => {
            // Another thread that polls the same device may have taken the callback and be about
            // to run it. A question that was never submitted has none to wait for.
            for _ in 0..1_000_000 {
                if is_finished() {
                    break;
                }
                std::thread::yield_now();
            }
            Ok(())
        }
        // A lost device may still have called back.
        Err(_) if is_finished() => Ok(()),
        Err(wgpu::PollError::Timeout) => Err(GpuError::Timeout(timeout)),
        Err(error) => Err(GpuError::DeviceLost(error.to_string())),
    }
}

/// Returns the outcome of a pick that selects this texel of a view.
pub(super) fn outcome_of(view: &View, texel: Option<Texel>) -> PickOutcome {
    texel.map_or(PickOutcome::Nothing, |texel| {
        let center_px = DVec2::new(texel.x as f64 + 0.5, texel.y as f64 + 0.5);
        PickOutcome::Hit(PickHit {
            id: texel.id,
            pixel: (texel.x, texel.y),
            depth: texel.depth,
            position_world: view.unproject(center_px, texel.depth.into()),
        })
    })
}

impl Slot {
    fn order(&self) -> Option<u64> {
        self.asked.as_ref().map(|asked| asked.order)
    }

    fn readback(&self) -> Option<&Readback> {
        let (kind, _) = self.asked.as_ref()?.tile?;
        self.readbacks[kind].as_ref()
    }

    fn is_finished(&self) -> bool {
        self.asked.is_some() && self.readback().is_none_or(|r| r.stage() != Stage::InFlight)
    }

    /// Takes the answer of a finished slot, which is free from then on.
    fn answer(&mut self) -> Result<Option<PickAnswer>, GpuError> {
        let outcome = self.outcome();
        let Some(Asked { query, .. }) = self.asked.take() else { return Ok(None) };
        Ok(Some(PickAnswer { query, outcome: outcome? }))
    }

    fn outcome(&self) -> Result<PickOutcome, GpuError> {
        let (Some(readback), Some(Asked { query, tile: Some((kind, pixel)), .. })) =
            (self.readback(), &self.asked)
        else {
            return Ok(PickOutcome::Nothing);
        };
        match readback.stage() {
            Stage::Mapped => readback.finish(|words| self.resolve(query, SIDES[*kind], *pixel, words)),
            Stage::Dropped => {
                readback.reset();
                Ok(PickOutcome::Lost)
            }
            Stage::Idle | Stage::InFlight | Stage::Failed => {
                readback.reset();
                Err(GpuError::DeviceLost("the map of the buffer failed".to_owned()))
            }
        }
    }

    fn resolve(&self, query: &PickQuery, side: u32, [x, y]: [i64; 2], words: &[u32]) -> PickOutcome {
        let (ids, depth_bits) = words.split_at(words.len() / 2);
        let stride = (Tile::row_bytes([side; 2]) / 4) as usize;
        let tile = PickTile { ids, depth_bits, stride, side: side as usize, center: (x, y) };
        let priority_of = |id: NonZeroU32| {
            let place = self.priorities.binary_search_by_key(&id, |(id, _)| *id).ok()?;
            Some(self.priorities[place].1)
        };
        let texel = tile.resolve(query.radius_px, query.view.depth_direction(), priority_of);
        outcome_of(&query.view, texel)
    }
}
