//! The resources of one view.

use super::frame::Frame;
use crate::draw::DrawList;
use crate::gpu::{GizmoRenderer, GpuError, TargetState};
use crate::math::View;

/// The draw list of a view, and its renderer.
#[derive(Debug)]
pub(super) struct ViewResources {
    pub(super) key: u64,
    pub(super) list: DrawList,
    pub(super) renderer: GizmoRenderer,
    /// The attachments, if they are not those of the other views.
    pub(super) target: Option<TargetState>,
}

impl ViewResources {
    /// Returns true if it was drawn for a view with this key and viewport.
    pub(super) fn shows(&self, view: &View) -> bool {
        self.list.view().is_some_and(|shown| shown.key() == view.key() && shown.viewport() == view.viewport())
    }

    /// Uploads the list.
    pub(super) fn upload(&mut self, frame: &Frame<'_>) -> Result<(), GpuError> {
        let Self { list, renderer, .. } = self;
        match list.view().and_then(|view| frame.depth_of(view)) {
            Some(depth) => renderer.prepare_with_depth(frame.device, frame.queue, list, depth),
            None => renderer.prepare(frame.device, frame.queue, list),
        }
    }
}
