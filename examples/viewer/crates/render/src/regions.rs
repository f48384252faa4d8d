//! Queries the nodes in a region of a view: the visible ones, or also the occluded ones.

use crate::device::Gpu;
use crate::scene_renderer::{IdDraws, IdView, SceneRenderer};
use scene::Scene;
use session::marquee::{MarqueeQuery, RegionAnswer};
use std::num::NonZeroU32;
use std::time::Duration;
use wgpu::{CommandEncoder, Device, RenderPass, SubmissionIndex};
use wgpu_gizmo::DrawList;
use wgpu_gizmo::glam::{DMat4, DVec2};
use wgpu_gizmo::gpu::{GpuError, IdImage, IdTexels};
use wgpu_gizmo::math::{Frustum, Rect};
use wgpu_gizmo::scene::{RegionQuery, XrayRegion};

/// Region queries, one at a time.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    /// The ID image of the last query, with its size in pixels.
    image: Option<([u32; 2], IdImage)>,
    draws: IdDraws,
    through: Option<XrayRegion>,
    node_draws: IdDraws,
    asked: Option<Asked>,
}

#[derive(Debug)]
struct Asked {
    query: MarqueeQuery,
    /// Whether the region covers no pixel, so that it contains nothing.
    is_empty: bool,
    /// Whether the answer refers to an earlier scene.
    is_forgotten: bool,
}

/// The scene to query and its renderer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) renderer: &'a SceneRenderer,
    pub(crate) scene: &'a Scene,
    /// The size of the render target that contains all views.
    pub(crate) target_px: [u32; 2],
}

impl Regions {
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

    /// Encodes a query for the shown nodes that `accepts` accepts.
    pub(crate) fn ask(
        &mut self,
        encoder: &mut CommandEncoder,
        query: MarqueeQuery,
        shown: Shown<'_>,
        accepts: impl Fn(usize) -> bool,
    ) -> Result<(), GpuError> {
        let pixels = query.region.pixels(shown.target_px[0], shown.target_px[1]);
        match pixels {
            None => {}
            // Browsers have no way to find the occluded ones.
            Some(_) if query.through && !cfg!(target_arch = "wasm32") => {
                self.ask_through(encoder, &query, shown, accepts)?
            }
            Some(pixels) => self.ask_visible(encoder, &query, pixels, shown, accepts)?,
        }
        self.asked = Some(Asked { query, is_empty: pixels.is_none(), is_forgotten: false });
        Ok(())
    }

    fn ask_visible(
        &mut self,
        encoder: &mut CommandEncoder,
        query: &MarqueeQuery,
        [x, y, width, height]: [u32; 4],
        Shown { gpu: Gpu { device, queue, .. }, renderer, .. }: Shown<'_>,
        accepts: impl Fn(usize) -> bool,
    ) -> Result<(), GpuError> {
        let size_px = [width, height];
        let image = match self.image.take() {
            Some((size, image)) if size == size_px => image,
            _ => IdImage::new(device, width, height)?,
        };
        let (_, image) = self.image.insert((size_px, image));
        image.origin_px = [x.into(), y.into()];
        let draws = &mut self.draws;
        let [min, size] = [[x, y], [width, height]].map(|[x, y]| DVec2::new(x.into(), y.into()));
        let frustum = Frustum::new(&query.view, Rect::from_min_size(min, size));
        let objects = |pass: &mut RenderPass<'_>, clip_from_clip: DMat4| {
            let id_view = IdView { view: &query.view, clip_from_clip, frustum: Some(&frustum) };
            renderer.prepare_ids(device, queue, id_view, accepts, draws);
            renderer.render_ids(draws, query.view.depth_direction(), pass);
        };
        // Handles are not in this image, so they occlude nothing.
        image.encode(device, queue, encoder, &query.view, &DrawList::new(), objects)
    }

    fn ask_through(
        &mut self,
        encoder: &mut CommandEncoder,
        query: &MarqueeQuery,
        Shown { gpu: Gpu { device, queue, .. }, renderer, scene, target_px }: Shown<'_>,
        accepts: impl Fn(usize) -> bool,
    ) -> Result<(), GpuError> {
        let through = match &mut self.through {
            Some(through) => through,
            empty => empty.insert(XrayRegion::new(device)?),
        };
        let region_query = RegionQuery { view: &query.view, target_px, region: &query.region };
        let nodes = u32::try_from(scene.nodes().len()).unwrap_or(u32::MAX);
        let (draws, mut prepared) = (&mut self.node_draws, false);
        let object = |pass: &mut RenderPass<'_>, clip_from_clip: DMat4, node: u32| {
            if !std::mem::replace(&mut prepared, true) {
                renderer.prepare_nodes(device, queue, (&query.view, clip_from_clip), draws);
            }
            if accepts(node as usize) {
                renderer.render_node(draws, node as usize, pass);
            }
        };
        through.encode(device, queue, encoder, region_query, nodes, object)
    }

    /// Returns the answer once the GPU is done: the query, and the nodes in ascending order or `None`
    /// if the query was lost.
    pub(crate) fn poll(
        &mut self,
        device: &Device,
        node_of: impl Fn(NonZeroU32) -> Option<usize>,
    ) -> Result<Option<RegionAnswer>, GpuError> {
        self.answer(|image| image.poll(device), |through| through.poll(device), node_of)
    }

    /// Waits for the answer of a submission. For replays.
    pub(crate) fn read(
        &mut self,
        device: &Device,
        submission: SubmissionIndex,
        timeout: Duration,
        node_of: impl Fn(NonZeroU32) -> Option<usize>,
    ) -> Result<Option<RegionAnswer>, GpuError> {
        let again = submission.clone();
        let seen = |image: &mut IdImage| image.read(device, submission, timeout).map(Some);
        self.answer(seen, |through| through.read(device, again, timeout).map(Some), node_of)
    }

    fn answer(
        &mut self,
        seen: impl FnOnce(&mut IdImage) -> Result<Option<IdTexels>, GpuError>,
        touched: impl FnOnce(&mut XrayRegion) -> Result<Option<Vec<u32>>, GpuError>,
        node_of: impl Fn(NonZeroU32) -> Option<usize>,
    ) -> Result<Option<RegionAnswer>, GpuError> {
        let Some(Asked { query, is_empty, .. }) = &self.asked else { return Ok(None) };
        let nodes_of_ids =
            |texels: IdTexels| texels.ids_in(&query.region).into_iter().filter_map(node_of).collect();
        let nodes_of_indices = |nodes: Vec<u32>| nodes.into_iter().map(|node| node as usize).collect();
        let found = match (&mut self.image, &mut self.through) {
            _ if *is_empty => Ok(Some(Vec::new())),
            (_, Some(through)) if query.through => touched(through).map(|nodes| nodes.map(nodes_of_indices)),
            (Some((_, image)), _) => seen(image).map(|texels| texels.map(nodes_of_ids)),
            _ => Err(GpuError::NotSubmitted),
        };
        let found: Option<Vec<usize>> = match found {
            Ok(None) => return Ok(None),
            Ok(found) => found,
            Err(GpuError::NotSubmitted) => None,
            Err(error) => {
                self.asked = None;
                return Err(error);
            }
        };
        let asked = self.asked.take().filter(|asked| !asked.is_forgotten);
        Ok(asked.map(|asked| (asked.query, found)))
    }
}
