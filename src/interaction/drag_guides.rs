use super::drag::Drag;
use super::gesture::GuideContext;
use super::readout;
use super::settings::Modifiers;
use crate::draw::{DrawList, Layer, Layout};
use crate::handle::Theme;
use crate::math::View;
use glam::DVec2;

/// The distance of a readout from the pivot, in sizes.
const READOUT_DISTANCE: f64 = 1.5;

/// The guides and the readout of a drag.
pub(super) struct DragGuides<'a> {
    pub(super) drag: &'a Drag,
    pub(super) theme: &'a Theme,
    pub(super) modifiers: Modifiers,
    pub(super) has_construction_lines: bool,
}

impl DragGuides<'_> {
    /// Adds the guides and the readout to the list. If the pivot is behind the viewer, there is no layout,
    /// and only the readout is added: typed numbers must be visible somewhere.
    pub(super) fn append(&self, list: &mut DrawList, view: &View, layout: Option<&Layout>) {
        let drag = self.drag;
        let Some(layout) = layout else {
            return readout::add(list, view, drag, None, |_| None);
        };
        let context = drag.guide_context(self.theme, self.modifiers, view, layout);
        if view.clip_w(context.start) > 0.0 {
            self.append_strokes(list, &context);
        }
        // About a tenth of a pixel, which is finer than a hand can point.
        let resolution = Some(0.1 * layout.size_world / layout.size_px);
        readout::add(list, view, drag, resolution, |size_lpx| readout_anchor(drag, &context, size_lpx));
    }

    fn append_strokes(&self, list: &mut DrawList, context: &GuideContext<'_>) {
        let chain = self.drag.gesture().chain();
        let [_, opacity] = self.theme.guide_opacity;
        let grid = chain.grid(context);
        if let Some(grid) = grid.and_then(|grid| grid.seen(context.view, context.neutral().faded(opacity))) {
            list.push_grid(grid);
        }
        if let Some(mut painter) = list.guide_painter(Layer::Under) {
            chain.paint(context, &mut painter);
        }
        if let (true, Some(mut painter)) = (self.has_construction_lines, list.guide_painter(Layer::Over)) {
            let in_viewport = |px: &DVec2| context.view.viewport().contains(*px);
            if let Some(cursor_px) = context.cursor_px.filter(in_viewport) {
                chain.construct(context, cursor_px, &mut painter);
            }
        }
    }
}

/// Returns an anchor beside the gizmo for a text of this size, on a side that the handle leaves free.
fn readout_anchor(drag: &Drag, context: &GuideContext<'_>, size_lpx: DVec2) -> Option<DVec2> {
    let (view, layout) = (context.view, context.layout);
    let pivot_px = view.px_from_world(layout.pivot_world)?;
    let scale = view.scale_factor();
    let v = view.viewport();
    let size = size_lpx * scale;
    let away = READOUT_DISTANCE * layout.size_px;
    let toward = drag.gesture().chain().toward(context);
    let handle_px =
        toward.and_then(|toward| view.px_from_world(layout.pivot_world + toward * layout.size_world));
    let taken = handle_px.map_or(DVec2::ZERO, |px| (px - pivot_px).normalize_or_zero());
    // The directions from the pivot to the center of the text.
    let sides = [DVec2::Y, DVec2::NEG_Y, DVec2::X, DVec2::NEG_X];
    let [low, high] = [DVec2::new(v.x, v.y), DVec2::new(v.x + v.width, v.y + v.height)];
    let margin = DVec2::splat(readout::MARGIN_LPX * scale);
    let left_end = |side: DVec2| {
        let center = pivot_px + side * (away + 0.5 * size * side.abs());
        center - DVec2::new(0.5 * size.x, 0.0)
    };
    let fits = |at: &DVec2| {
        let half = DVec2::new(0.0, 0.5 * size.y);
        (*at - half).cmpge(low + margin).all()
            && (*at + DVec2::new(size.x, half.y)).cmple(high - margin).all()
    };
    let free = sides.into_iter().filter(|side| side.dot(taken) < 0.8).map(left_end);
    let at = free.clone().find(fits).or(sides.map(left_end).into_iter().find(fits));
    let at = at.unwrap_or(left_end(DVec2::Y));
    at.is_finite().then(|| readout::kept_inside(view, at, size))
}
