//! The list of undo steps, including undone ones and the saved state. A click goes to a step.

use super::style::{self, ROW, colors};
use egui::accesskit::Role;
use egui::vec2;
use egui::{Align2, Color32, EventFilter, Id, Key, Modifiers, Sense, TextStyle, Ui, WidgetInfo};
use session::editor::Editor;

/// Minimum and maximum height of the list, in points. The half row shows that there is more.
const HEIGHTS: [f32; 2] = [3.5 * ROW, 7.5 * ROW];

/// The state of the list.
#[derive(Debug, Default)]
pub(super) struct HistoryList {
    /// Number of done steps, and the height of the list, when it was last shown.
    last: (usize, f32),
}

/// Returns the id of the list for the focus.
fn focus_id() -> Id {
    Id::unique("steps of the history")
}

impl HistoryList {
    /// Shows the steps and goes to a step that is clicked.
    pub(super) fn show(&mut self, ui: &mut Ui, editor: &mut Editor) {
        let rows = editor.log().entries().len() + 1;
        let [min, max] = HEIGHTS;
        let height = (rows as f32 * ROW).min(ui.available_height().clamp(min, max));
        let rect = egui::Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), height));
        let response = ui.interact(rect, focus_id(), Sense::focusable_noninteractive());
        response.ctx.accesskit_node_builder(response.id, |node| {
            node.set_role(Role::ListBox);
            node.set_label("History");
        });
        if response.has_focus() {
            let filter = EventFilter { vertical_arrows: true, ..Default::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(focus_id(), filter));
            let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
            let done = editor.log().done();
            if pressed(Key::ArrowUp) {
                editor.go_to_step(done.saturating_sub(1));
            } else if pressed(Key::ArrowDown) {
                editor.go_to_step(done + 1);
            }
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = egui::ScrollArea::vertical()
            .auto_shrink(false)
            .max_height(height)
            // The panel scrolls too, so egui would use only what fits into it.
            .min_scrolled_height(height)
            .id_salt("steps");
        let done = editor.log().done();
        let has_changed = self.last != (done, height);
        if has_changed {
            self.last = (done, height);
            let centered = (done as f32 + 0.5) * ROW - 0.5 * height;
            area = area.vertical_scroll_offset(centered.clamp(0.0, rows as f32 * ROW - height));
        }
        let mut go_to = None;
        let has_focus = response.has_focus();
        let shown = area.show_rows(ui, ROW, rows, |ui, range| {
            for index in range {
                if row(ui, editor, index, has_focus) {
                    go_to = Some(index);
                }
            }
        });
        // The keys must not act on a row that is out of sight of the panel.
        if has_focus && (has_changed || response.gained_focus()) {
            let top = rect.top() + done as f32 * ROW - shown.state.unclamped_offset().y;
            let row = egui::Rect::from_x_y_ranges(rect.x_range(), top..=top + ROW);
            ui.scroll_to_rect(row, None);
        }
        if let Some(index) = go_to {
            editor.go_to_step(index);
            ui.memory_mut(|memory| memory.request_focus(focus_id()));
        }
    }
}

/// Shows the row of the state after `index` steps. Returns true if it was clicked.
fn row(ui: &mut Ui, editor: &Editor, index: usize, has_focus: bool) -> bool {
    let history = editor.log();
    let name = index.checked_sub(1).and_then(|step| history.entries().get(step));
    let name = name.map_or("As opened", |step| step.name.as_str());
    let (is_current, is_undone) = (index == history.done(), index > history.done());
    let is_saved = history.saved() == Some(index);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
    let response = ui.interact(rect, focus_id().with(index), Sense::CLICK);
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_current, name));
    let fill = match (is_current, response.hovered()) {
        (true, _) => colors(ui).active_row,
        (false, true) => colors(ui).hovered_row,
        _ => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, 3.0, fill);
    if has_focus && is_current {
        style::focus(ui, rect);
    }
    let color = match (is_current, is_undone) {
        (true, _) => colors(ui).active,
        (_, true) => colors(ui).weak,
        _ => colors(ui).text,
    };
    let mut text = rect.shrink2(vec2(8.0, 0.0));
    if is_saved && index > 0 {
        let small = TextStyle::Small.resolve(ui.style());
        ui.painter().text(text.right_center(), Align2::RIGHT_CENTER, "saved", small, colors(ui).weak);
        text.max.x -= 44.0;
    }
    let is_truncated = style::paint_name(ui, text, name, color);
    let does = if is_current { "The current state" } else { "Go to this state" };
    let about = if is_truncated { format!("{name}. {does}") } else { does.to_owned() };
    response.on_hover_text(about).clicked()
}
