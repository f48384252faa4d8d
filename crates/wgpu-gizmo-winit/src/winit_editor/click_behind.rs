//! Clicks on handles that are about the object behind them.

use std::num::NonZeroU32;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::gpu::{GpuError, Picker};
use wgpu_gizmo::{DrawList, PickOutcome, PickQuery, wgpu};

/// Finds the object behind a handle that was clicked.
#[derive(Debug)]
pub(super) struct ClickBehind {
    picker: Picker,
    /// The query, until it is encoded.
    query: Option<PickQuery>,
    /// Whether the click was a Shift+click.
    is_shift_click: bool,
}

impl ClickBehind {
    pub(super) fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
        Ok(Self { picker: Picker::new(device)?, query: None, is_shift_click: false })
    }

    /// Returns the same for a new device: a query in flight is repeated.
    pub(super) fn rebuilt(&self, device: &wgpu::Device) -> Result<Self, GpuError> {
        let query = self.query.or_else(|| self.picker.in_flight().last().copied());
        Ok(Self { picker: Picker::new(device)?, query, ..*self })
    }

    /// Asks what is behind the handle that this query has found.
    pub(super) fn ask(&mut self, query: Option<PickQuery>, is_shift_click: bool) {
        (self.query, self.is_shift_click) = (query, is_shift_click);
    }

    pub(super) fn is_pending(&self) -> bool {
        self.query.is_some() || self.picker.is_pending()
    }

    /// Encodes the query, if there is one.
    pub(super) fn encode(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        encoder: &mut wgpu::CommandEncoder,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, &PickQuery, DMat4),
    ) -> Result<(), GpuError> {
        let Some(PickQuery { view, cursor_px, radius_px, .. }) = self.query.take() else { return Ok(()) };
        let query = PickQuery::new(&view, cursor_px, radius_px);
        let draw =
            |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| draw_objects(pass, &query, clip_from_clip);
        self.picker.encode(device, queue, encoder, &query, &DrawList::new(), draw)
    }

    /// Returns what a click has hit, `None` for nothing, and whether it was a Shift+click, once that is known.
    pub(super) fn poll(
        &mut self,
        device: &wgpu::Device,
    ) -> Result<Option<(Option<NonZeroU32>, bool)>, GpuError> {
        let Some(answer) = self.picker.poll(device)? else { return Ok(None) };
        Ok(match answer.outcome {
            PickOutcome::Hit(hit) => Some((Some(hit.id), self.is_shift_click)),
            PickOutcome::Lost => {
                // Its encoder was dropped.
                self.query = Some(answer.query);
                None
            }
            _ => Some((None, self.is_shift_click)),
        })
    }
}
