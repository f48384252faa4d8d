//! Dragging rows onto another row, which becomes their parent, or to an area that clears the parent.

use super::super::style::{self, ROW, colors};
use egui::{Align2, CursorIcon, Id, LayerId, Order, Pos2, Rect, Stroke, StrokeKind, Ui, vec2};
use scene::{Scene, Version};
use session::editor::Editor;
use session::labels;
use std::collections::HashSet;

/// Distance from the upper or lower edge of the list at which it starts to scroll, in points.
const SCROLL_EDGE: f32 = ROW;
/// Scroll speed per distance beyond that, in points per second per point.
const SCROLL_SPEED: f32 = 14.0;
/// Maximum scroll speed, in points per second.
const MAX_SCROLL_SPEED: f32 = 1500.0;
/// Time after which a collapsed row under the pointer expands, in seconds.
const EXPAND_DELAY: f64 = 0.6;
/// Maximum width of the text beside the pointer, in points.
const MAX_TEXT_WIDTH: f32 = 240.0;

/// A drag of rows.
#[derive(Debug)]
pub(super) struct RowDrag {
    /// The nodes that get the new parent: selected, not locked, and not descendants of each other.
    tops: Vec<usize>,
    are_tops: HashSet<usize>,
    /// Version of the scene when the drag began.
    version: Version,
    /// The drop target under the pointer: the new parent, or `Some(None)` in the area that clears the parent.
    pub(super) over: Option<Option<usize>>,
    /// The node of a collapsed row under the pointer.
    pub(super) closed: Option<usize>,
    /// The last such node, and since when the pointer has been there.
    expanding: Option<(usize, f64)>,
}

/// The effect of a drop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The parents change.
    Reparent,
    /// All nodes have that parent already.
    Unchanged,
    /// The drop target is this dragged node or one of its descendants.
    Cycle(usize),
}

impl RowDrag {
    /// Starts to drag the selected nodes. If all of them are locked, shows a message and returns `None`.
    pub(super) fn begin(editor: &mut Editor) -> Option<Self> {
        let tops = editor.tops(None);
        if tops.is_empty() {
            let what = labels::nodes(editor.scene(), editor.selection().nodes());
            editor.show_message(format!("{what}: locked, so the parent cannot change"));
            return None;
        }
        let are_tops = tops.iter().copied().collect();
        let version = editor.scene().version();
        Some(Self { tops, are_tops, version, over: None, closed: None, expanding: None })
    }

    /// Returns true if the drag can continue. It ends if the scene changes or the gizmo starts a drag.
    pub(super) fn is_valid(&self, editor: &Editor) -> bool {
        editor.scene().version() == self.version && !editor.is_dragging()
    }

    /// Returns true if any dragged node has a parent.
    pub(super) fn has_parents(&self, scene: &Scene) -> bool {
        self.tops.iter().any(|node| scene.nodes()[*node].parent.is_some())
    }

    /// Returns the effect of a drop that makes this node the parent, or clears the parent.
    pub(super) fn verdict(&self, scene: &Scene, parent: Option<usize>) -> Verdict {
        let mut up = std::iter::successors(parent, |node| scene.nodes()[*node].parent);
        if let Some(top) = up.find(|node| self.are_tops.contains(node)) {
            Verdict::Cycle(top)
        } else if self.tops.iter().all(|node| scene.nodes()[*node].parent == parent) {
            Verdict::Unchanged
        } else {
            Verdict::Reparent
        }
    }

    /// Returns the node of a collapsed row to expand once the pointer has been over it for long enough.
    pub(super) fn expand(&mut self, ui: &Ui) -> Option<usize> {
        let closed = self.closed;
        let now = ui.input(|input| input.time);
        let since = self.expanding.filter(|(node, _)| Some(*node) == closed).map_or(now, |(_, since)| since);
        self.expanding = closed.map(|node| (node, since));
        let closed = closed?;
        let remaining = (EXPAND_DELAY - (now - since)).max(0.0);
        // The rows of this frame are already shown, so an expanded one needs another frame too.
        ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(remaining));
        (remaining == 0.0).then_some(closed)
    }

    /// Returns the distance to scroll the list in this frame, in points, if the pointer is near its edge.
    pub(super) fn scroll_delta(&self, ui: &Ui, list: Rect) -> f32 {
        let Some(at) = pointer(ui).filter(|at| list.x_range().contains(at.x)) else { return 0.0 };
        let (above, below) = (list.top() + SCROLL_EDGE - at.y, at.y - (list.bottom() - SCROLL_EDGE));
        let by = if above > 0.0 { -above } else { below.max(0.0) };
        if by == 0.0 {
            return 0.0;
        }
        ui.ctx().request_repaint();
        // A long frame must not make the list jump.
        let seconds = ui.input(|input| input.stable_dt.min(0.1));
        (by * SCROLL_SPEED).clamp(-MAX_SCROLL_SPEED, MAX_SCROLL_SPEED) * seconds
    }

    /// Highlights the drop target under the pointer.
    pub(super) fn mark(&self, ui: &Ui, rect: Rect, verdict: Verdict) {
        let (colors, painter) = (colors(ui), ui.painter());
        match verdict {
            Verdict::Reparent => {
                painter.rect_filled(rect, 3.0, colors.focus.gamma_multiply(0.18));
                painter.rect_stroke(rect, 3.0, Stroke::new(1.5, colors.focus), StrokeKind::Inside);
            }
            Verdict::Cycle(_) => {
                painter.rect_stroke(rect, 3.0, Stroke::new(1.0, colors.error), StrokeKind::Inside);
            }
            Verdict::Unchanged => {}
        }
    }

    /// Shows the effect of a drop beside the pointer.
    pub(super) fn show_verdict(&self, ui: &Ui, scene: &Scene) {
        let Some(at) = pointer(ui) else { return };
        let what = labels::nodes(scene, &self.tops);
        let name = |node: usize| scene.nodes()[node].name.as_str();
        let verdict = self.over.map(|over| (over, self.verdict(scene, over)));
        let (text, icon, color) = match verdict {
            Some((Some(parent), Verdict::Reparent)) => {
                (format!("Parent {what} to {}", name(parent)), CursorIcon::Grabbing, colors(ui).strong)
            }
            Some((None, Verdict::Reparent)) => {
                (format!("Clear parent of {what}"), CursorIcon::Grabbing, colors(ui).strong)
            }
            Some((Some(parent), Verdict::Cycle(top))) if parent != top => {
                let text = format!("{} is a descendant of {}", name(parent), name(top));
                (text, CursorIcon::NotAllowed, colors(ui).error)
            }
            _ => (what, CursorIcon::NotAllowed, colors(ui).weak),
        };
        ui.ctx().set_cursor_icon(icon);
        let layer = LayerId::new(Order::Tooltip, Id::unique("dragged nodes"));
        let painter = ui.ctx().layer_painter(layer);
        let galley = style::truncated(ui, text, MAX_TEXT_WIDTH, color);
        let window = ui.ctx().content_rect();
        let size = galley.size() + vec2(16.0, 8.0);
        // The text is right of the pointer if it fits there, otherwise left of it.
        let right = at.x + 16.0 + size.x <= window.right();
        let corner = if right { at + vec2(16.0, 6.0) } else { at + vec2(-10.0 - size.x, 6.0) };
        let corner = corner.min(window.max - size).max(window.min);
        let rect = Rect::from_min_size(corner, size);
        painter.rect(rect, 4.0, ui.visuals().window_fill, ui.visuals().window_stroke, StrokeKind::Inside);
        painter.galley(Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size()).min, galley, color);
    }

    /// Drops the rows, as one undo step. Returns true if any parent changes.
    pub(super) fn drop_rows(self, editor: &mut Editor) -> bool {
        let Some(parent) = self.over else { return false };
        let changes = self.verdict(editor.scene(), parent) == Verdict::Reparent;
        if changes {
            editor.reparent(parent);
        }
        changes
    }
}

fn pointer(ui: &Ui) -> Option<Pos2> {
    ui.input(|input| input.pointer.latest_pos())
}
