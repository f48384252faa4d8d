//! Rows that are dragged: onto another one, which becomes their parent, or to where they have none.

use super::super::style::{ROW, colors};
use crate::editor::Editor;
use crate::labels;
use crate::scene::{Scene, Version};
use egui::{Align2, CursorIcon, Id, LayerId, Order, Pos2, Rect, Stroke, StrokeKind, TextStyle, Ui, vec2};
use std::collections::HashSet;

/// How near to the upper or lower edge of the list it begins to move, in points.
const EDGE: f32 = ROW;
/// How fast it does: points in a second for each point farther.
const PACE: f32 = 14.0;
/// And no faster than this, in points a second.
const FASTEST: f32 = 1500.0;
/// A closed row opens after it has been pointed at for so many seconds.
const OPENS_AFTER: f64 = 0.6;
/// What is said beside the pointer is no wider than this, in points.
const WIDEST: f32 = 240.0;

/// What is being dragged.
#[derive(Debug)]
pub(super) struct Carried {
    /// What would be hung elsewhere: selected, not locked, and not below another of these.
    tops: Vec<usize>,
    are_tops: HashSet<usize>,
    /// Of the scene in which it was taken up.
    version: Version,
    /// Where it would go if it were let go of now.
    over: Option<Place>,
    /// The row under the pointer, and since when.
    rests: Option<(usize, f64)>,
}

/// Where something can be let go of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    On(usize),
    /// Where it has no parent.
    Free,
}

/// What would come of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    ParentEdit,
    /// All of it hangs there already.
    Already,
    /// That is this dragged node itself, or below it.
    Below(usize),
}

impl Carried {
    /// Takes up what is selected. `None`, with a message, where all of that is locked.
    pub(super) fn take_up(editor: &mut Editor) -> Option<Self> {
        let tops = editor.tops(None);
        if tops.is_empty() {
            let what = labels::nodes(editor.scene(), editor.selection().nodes());
            editor.say(format!("{what}: locked, and so stays where it hangs"));
            return None;
        }
        let are_tops = tops.iter().copied().collect();
        let version = editor.scene().version();
        Some(Self { tops, are_tops, version, over: None, rests: None })
    }

    /// Whether it can still be hung anywhere: in another scene, or after the tree has changed
    /// otherwise, it is let go of.
    pub(super) fn is_of(&self, editor: &Editor) -> bool {
        editor.scene().version() == self.version && !editor.gizmo.is_active()
    }

    /// Whether any of it has a parent that it can lose.
    pub(super) fn can_be_freed(&self, scene: &Scene) -> bool {
        self.tops.iter().any(|node| scene.nodes()[*node].parent.is_some())
    }

    pub(super) fn verdict(&self, scene: &Scene, place: Place) -> Verdict {
        let parent = match place {
            Place::On(node) => Some(node),
            Place::Free => None,
        };
        let mut up = std::iter::successors(parent, |node| scene.nodes()[*node].parent);
        if let Some(top) = up.find(|node| self.are_tops.contains(node)) {
            Verdict::Below(top)
        } else if self.tops.iter().all(|node| scene.nodes()[*node].parent == parent) {
            Verdict::Already
        } else {
            Verdict::ParentEdit
        }
    }

    /// The pointer is there now, or nowhere of these. Says which closed row is to be opened.
    pub(super) fn point(&mut self, ui: &Ui, over: Option<Place>, closed: Option<usize>) -> Option<usize> {
        self.over = over;
        let now = ui.input(|input| input.time);
        let since = self.rests.filter(|(node, _)| Some(*node) == closed).map_or(now, |(_, since)| since);
        self.rests = closed.map(|node| (node, since));
        let closed = closed?;
        let left = OPENS_AFTER - (now - since);
        if left > 0.0 {
            ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(left));
            return None;
        }
        self.rests = None;
        Some(closed)
    }

    /// How far a list moves in this frame that the pointer is near the edge of, in points.
    pub(super) fn scrolls(&self, ui: &Ui, list: Rect) -> f32 {
        let Some(at) = pointer(ui).filter(|at| list.x_range().contains(at.x)) else { return 0.0 };
        let (above, below) = (list.top() + EDGE - at.y, at.y - (list.bottom() - EDGE));
        let by = if above > 0.0 { -above } else { below.max(0.0) };
        if by == 0.0 {
            return 0.0;
        }
        ui.ctx().request_repaint();
        // A frame that took long is no reason to leap.
        let seconds = ui.input(|input| input.stable_dt.min(0.1));
        (by * PACE).clamp(-FASTEST, FASTEST) * seconds
    }

    /// Marks a row, or the strip for no parent, that the pointer is on.
    pub(super) fn mark(&self, ui: &Ui, rect: Rect, verdict: Verdict) {
        let (colors, painter) = (colors(ui), ui.painter());
        match verdict {
            Verdict::ParentEdit => {
                painter.rect_filled(rect, 3.0, colors.focus.gamma_multiply(0.18));
                painter.rect_stroke(rect, 3.0, Stroke::new(1.5, colors.focus), StrokeKind::Inside);
            }
            Verdict::Below(_) => {
                painter.rect_stroke(rect, 3.0, Stroke::new(1.0, colors.wrong), StrokeKind::Inside);
            }
            Verdict::Already => {}
        }
    }

    /// Says beside the pointer what would come of it.
    pub(super) fn say(&self, ui: &Ui, scene: &Scene) {
        let Some(at) = pointer(ui) else { return };
        let what = labels::nodes(scene, &self.tops);
        let name = |node: usize| scene.nodes()[node].name.as_str();
        let verdict = self.over.map(|over| (over, self.verdict(scene, over)));
        let (text, icon, color) = match verdict {
            Some((Place::On(parent), Verdict::ParentEdit)) => {
                (format!("{what} onto {}", name(parent)), CursorIcon::Grabbing, colors(ui).clear)
            }
            Some((Place::Free, Verdict::ParentEdit)) => {
                (format!("{what}: no parent"), CursorIcon::Grabbing, colors(ui).clear)
            }
            Some((Place::On(parent), Verdict::Below(top))) if parent != top => {
                let text = format!("{} is below {}", name(parent), name(top));
                (text, CursorIcon::NotAllowed, colors(ui).wrong)
            }
            _ => (what, CursorIcon::NotAllowed, colors(ui).quiet),
        };
        ui.ctx().set_cursor_icon(icon);
        let layer = LayerId::new(Order::Tooltip, Id::unique("dragged nodes"));
        let painter = ui.ctx().layer_painter(layer);
        let font = TextStyle::Body.resolve(ui.style());
        let mut job = egui::text::LayoutJob::simple_singleline(text, font, color);
        job.wrap = egui::text::TextWrapping::truncate_at_width(WIDEST);
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        let window = ui.ctx().content_rect();
        let size = galley.size() + vec2(16.0, 8.0);
        // Beside the pointer, on the side where there is room.
        let right = at.x + 16.0 + size.x <= window.right();
        let corner = if right { at + vec2(16.0, 6.0) } else { at + vec2(-10.0 - size.x, 6.0) };
        let corner = corner.min(window.max - size).max(window.min);
        let rect = Rect::from_min_size(corner, size);
        painter.rect(rect, 4.0, ui.visuals().window_fill, ui.visuals().window_stroke, StrokeKind::Inside);
        painter.galley(Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size()).min, galley, color);
    }

    /// Lets go of it where the pointer is: one step, if anything comes of it.
    pub(super) fn let_go(self, editor: &mut Editor) -> bool {
        let Some(over) = self.over else { return false };
        match (over, self.verdict(editor.scene(), over)) {
            (Place::On(parent), Verdict::ParentEdit) => editor.reparent(Some(parent)),
            (Place::Free, Verdict::ParentEdit) => editor.reparent(None),
            (_, Verdict::Already | Verdict::Below(_)) => return false,
        }
        true
    }
}

fn pointer(ui: &Ui) -> Option<Pos2> {
    ui.input(|input| input.pointer.latest_pos())
}
