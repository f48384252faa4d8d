//! The place of the panel: beside the view, or below it in a narrow window.

use egui::{Id, Panel, Rect};

/// Width of the panel until it is dragged, in points.
pub(crate) const WIDTH: f32 = 340.0;
const MIN_WIDTH: f32 = 320.0;
const MAX_WIDTH: f32 = 600.0;
/// Width and height that the panel leaves for the view, in points.
const MIN_VIEW: f32 = 200.0;
const MIN_VIEW_HEIGHT: f32 = 120.0;
/// The share of the panel's height that the tree has until it is dragged.
pub(crate) const TREE_SHARE: f32 = 0.32;
/// Minimum height of the tree, in points.
const MIN_TREE_HEIGHT: f32 = 96.0;

/// Returns the panel for this free part of the window. `width` is its initial width beside the view.
pub(super) fn panel(free: Rect, width: f32) -> Panel {
    let max_width = free.width() - MIN_VIEW;
    if max_width >= MIN_WIDTH {
        let widths = MIN_WIDTH..=MAX_WIDTH.min(max_width);
        return Panel::right("side").resizable(true).default_size(width).size_range(widths);
    }
    let half = 0.5 * free.height();
    let max_height = (free.height() - MIN_VIEW_HEIGHT).max(half);
    let heights = MIN_TREE_HEIGHT.min(half)..=max_height;
    // egui would keep the height of the lowest window so far.
    let id = Id::unique(("side below", free.height().round() as i32));
    Panel::bottom(id).resizable(true).default_size(half).size_range(heights)
}

/// Returns the panel of the tree, with a share of this part of the window. At least a third is left for what is below
/// the tree, and half if the part is low.
pub(super) fn tree(free: Rect, share: f32) -> Panel {
    let min_height = MIN_TREE_HEIGHT.min(0.5 * free.height());
    let heights = min_height..=(free.height() * 2.0 / 3.0).max(min_height);
    // In a window of another height, the tree has the same share of it.
    let id = Id::unique(("nodes", free.height().round() as i32));
    Panel::top(id).resizable(true).default_size((share * free.height()).round()).size_range(heights)
}
