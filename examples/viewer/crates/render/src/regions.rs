//! Queries the nodes in a region of a view: the visible ones, or also the occluded ones.

use crate::device::Gpu;
use crate::scene_renderer::{IdDraws, NodeIds, SceneRenderer};
use session::marquee::{MarqueeQuery, RegionAnswer};
use std::num::NonZeroU32;
use wgpu::{CommandEncoder, Device};
use wgpu_gizmo::gpu::GpuError;
use wgpu_gizmo::scene::{RegionPicker, RegionQuery};

/// Region queries, one at a time.
#[derive(Debug)]
pub(crate) struct Regions {
    picker: RegionPicker,
    draws: IdDraws,
    asked: Option<Asked>,
}

#[derive(Debug)]
struct Asked {
    query: MarqueeQuery,
    /// Whether the answer refers to an earlier scene.
    is_forgotten: bool,
}

impl Regions {
    pub(crate) fn new(device: &Device) -> Result<Self, GpuError> {
        Ok(Self { picker: RegionPicker::new(device)?, draws: IdDraws::default(), asked: None })
    }

    /// Returns true while an answer is pending.
    pub(crate) fn is_waiting(&self) -> bool {
        self.asked.is_some()
    }

    /// Returns the query in flight, unless its answer would be dropped.
    pub(crate) fn query(&self) -> Option<&MarqueeQuery> {
        self.asked.as_ref().filter(|asked| !asked.is_forgotten).map(|asked| &asked.query)
    }

    /// Drops the pending answer when it arrives.
    pub(crate) fn forget(&mut self) {
        if let Some(asked) = &mut self.asked {
            asked.is_forgotten = true;
        }
    }

    /// Encodes a query for the shown nodes that `accepts` accepts. `target_px` is the size of the render target that
    /// contains all views.
    pub(crate) fn ask(
        &mut self,
        encoder: &mut CommandEncoder,
        query: MarqueeQuery,
        (renderer, target_px): (&SceneRenderer, [u32; 2]),
        accepts: impl Fn(usize) -> bool,
    ) -> Result<(), GpuError> {
        let Gpu { device, queue, .. } = &renderer.gpu;
        let nodes = &mut NodeIds { renderer, draws: &mut self.draws, accepts };
        // Browsers have no way to find the occluded ones.
        let with_occluded = query.through && !cfg!(target_arch = "wasm32");
        let MarqueeQuery { view, region, .. } = &query;
        let region = RegionQuery { view, target_px, region, with_occluded };
        self.picker.encode(device, queue, encoder, region, nodes)?;
        self.asked = Some(Asked { query, is_forgotten: false });
        Ok(())
    }

    /// Returns the answer once the GPU is done: the query, and the nodes in ascending order or `None`
    /// if the query was lost.
    pub(crate) fn poll(
        &mut self,
        device: &Device,
        node_of: impl Fn(NonZeroU32) -> Option<usize>,
    ) -> Result<Option<RegionAnswer>, GpuError> {
        let found = if self.is_waiting() { self.picker.poll(device) } else { Ok(None) };
        // Ids ascend with the nodes.
        let nodes = match found {
            Ok(None) => return Ok(None),
            Ok(Some(ids)) => Ok(Some(ids.into_iter().filter_map(node_of).collect())),
            Err(GpuError::NotSubmitted) => Ok(None),
            Err(error) => Err(error),
        };
        let asked = self.asked.take().filter(|asked| !asked.is_forgotten);
        nodes.map(|nodes| asked.map(|asked| (asked.query, nodes)))
    }
}
