//! Draws outlines around the selected nodes and the hovered node.

use crate::device::Gpu;
use crate::scene_renderer::{IdDraws, NodeIds, SceneRenderer, frustum_of};
use session::editor::Editor;
use std::num::NonZeroU32;
use wgpu_gizmo::View;
use wgpu_gizmo::gpu::{GpuError, TargetState};
use wgpu_gizmo::scene::{Outline, OutlineStyle};
use wgpu_gizmo::wgpu::{CommandEncoder, Device, RenderPass};

/// The outlines of one view.
#[derive(Debug)]
pub(crate) struct Outlines {
    outline: Outline,
    draws: IdDraws,
}

/// The outlined ids, and the brightness of the background.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Outlined {
    active: Vec<NonZeroU32>,
    selected: Vec<NonZeroU32>,
    hovered: Vec<NonZeroU32>,
    on_light: bool,
}

impl Outlined {
    pub(crate) fn of(editor: &Editor) -> Self {
        let id_of = |node: &usize| editor.id_of(*node);
        let (active, selected) = match editor.selection().nodes() {
            [] => (None, &[][..]),
            [selected @ .., active] => (Some(active), selected),
        };
        Self {
            active: active.and_then(id_of).into_iter().collect(),
            selected: selected.iter().filter_map(id_of).collect(),
            hovered: editor.hovered_node().as_ref().and_then(id_of).into_iter().collect(),
            on_light: editor.scene_style().is_on_light(),
        }
    }

    fn styles(&self) -> [OutlineStyle<'_>; 3] {
        let hovered = if self.on_light { [0.10, 0.12, 0.16, 0.9] } else { [0.90, 0.94, 1.0, 0.9] };
        [
            OutlineStyle { ids: &self.active, color: [1.0, 0.64, 0.22, 1.0], width_lpx: 2.0 },
            OutlineStyle { ids: &self.selected, color: [0.86, 0.40, 0.10, 1.0], width_lpx: 2.0 },
            OutlineStyle { ids: &self.hovered, color: hovered, width_lpx: 1.5 },
        ]
    }
}

impl Outlines {
    /// Creates the outlines for render passes with these attachments.
    pub(crate) fn new(device: &Device, target: TargetState) -> Result<Self, GpuError> {
        Ok(Self { outline: Outline::new(device, target)?, draws: IdDraws::default() })
    }

    /// Encodes the passes that find the outlines of all nodes except `hidden_node`. Must come before the
    /// pass that draws them.
    pub(crate) fn prepare(
        &mut self,
        encoder: &mut CommandEncoder,
        renderer: &SceneRenderer,
        outlined: &Outlined,
        (view, hidden_node): (&View, Option<usize>),
    ) -> Result<(), GpuError> {
        let Gpu { device, queue, .. } = &renderer.gpu;
        self.outline.set(device, queue, &outlined.styles())?;
        let accepts = |node| hidden_node != Some(node);
        let nodes = NodeIds { renderer, draws: &mut self.draws, accepts };
        self.outline.prepare(device, queue, encoder, view, |pass, clip_from_clip| {
            nodes.draw(pass, (view, frustum_of(view)), clip_from_clip);
        })
    }

    /// Draws the outlines over the picture.
    pub(crate) fn render(&self, pass: &mut RenderPass<'_>) {
        self.outline.render(pass);
    }
}
