//! The place of the panel: beside the view, or below it in a narrow window.

use egui::{Panel, Rect};

/// Initial width of the panel, in points.
pub(super) const WIDTH: f32 = 340.0;
const MIN_WIDTH: f32 = 320.0;
const MAX_WIDTH: f32 = 600.0;
/// Width and height that the panel leaves for the view, in points.
const MIN_VIEW: f32 = 200.0;
const MIN_VIEW_HEIGHT: f32 = 120.0;
/// Initial and minimum height of the tree, in points.
const TREE_HEIGHT: f32 = 236.0;
const MIN_TREE_HEIGHT: f32 = 96.0;

/// Returns the panel for this free part of the window.
pub(super) fn panel(free: Rect) -> Panel {
    let max_width = free.width() - MIN_VIEW;
    if max_width >= MIN_WIDTH {
        let widths = MIN_WIDTH..=MAX_WIDTH.min(max_width);
        return Panel::right("side").resizable(true).default_size(WIDTH).size_range(widths);
    }
    let half = 0.5 * free.height();
    let max_height = (free.height() - MIN_VIEW_HEIGHT).max(half);
    let heights = MIN_TREE_HEIGHT.min(half)..=max_height;
    Panel::bottom("side below").resizable(true).default_size(half).size_range(heights)
}

/// Returns the panel of the tree for this part of the window, at least a third of which is left for what is
/// below the tree.
pub(super) fn tree(free: Rect) -> Panel {
    let max_height = (free.height() * 2.0 / 3.0).max(MIN_TREE_HEIGHT);
    let heights = MIN_TREE_HEIGHT..=max_height;
    Panel::top("nodes").resizable(true).default_size(TREE_HEIGHT.min(0.5 * free.height())).size_range(heights)
}
