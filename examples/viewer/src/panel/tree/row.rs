//! A row of the tree: layout, drawing and input.

use super::super::style::{self, ROW, colors};
use super::indent::{FOLD, LEVEL};
use super::row_drag::{DropTarget, Verdict};
use super::rows::Row;
use super::{ICON, Renaming, Tree, focus_id, icons};
use egui::accesskit::Role;
use egui::{Align2, Key, Modifiers, Rect, Response, Sense, Stroke, StrokeKind, TextEdit, TextStyle, Ui};
use egui::{WidgetInfo, pos2, vec2};
use scene::Scene;
use scene::flags::Flag;
use scene::selection::SelectMode;
use session::editor::Editor;
use wgpu_gizmo::View;

/// Maximum number of ancestors in a path.
const MAX_ANCESTORS: usize = 5;

impl Tree {
    /// Shows a row and handles its input.
    pub(super) fn row(
        &mut self,
        ui: &mut Ui,
        editor: &mut Editor,
        view: &View,
        (index, Row { node, depth }, is_selected, has_focus): (usize, Row, bool, bool),
    ) {
        let size = vec2(ui.available_width(), ROW);
        let (_, rect) = ui.allocate_space(size);
        let id = focus_id().with(node);
        let scene = editor.scene();
        let has_children = scene.nodes()[node].children.iter().any(|child| scene.exists(*child));
        let is_active = editor.selection().active() == Some(node);
        let name = scene.nodes()[node].name.clone();
        let is_shown = scene.is_shown(node);
        let response = ui.interact(rect, id, Sense::CLICK | Sense::DRAG);
        let fill = match (is_active, is_selected, response.hovered()) {
            (true, ..) => Some(colors(ui).active_row),
            (_, true, _) => Some(colors(ui).selected_row),
            (_, _, true) => Some(colors(ui).hovered_row),
            _ => None,
        };
        if let Some(fill) = fill {
            ui.painter().rect_filled(rect, 3.0, fill);
        }
        if has_focus && self.cursor == Some(node) {
            ui.painter().rect_stroke(rect, 3.0, egui::Stroke::new(1.0, colors(ui).focus), StrokeKind::Inside);
        }
        for at in self.indent.guides(depth) {
            ui.painter().vline(
                (rect.left() + 2.0 + at).round() + 0.5,
                rect.y_range(),
                Stroke::new(1.0, colors(ui).line),
            );
        }
        let left = rect.left() + 2.0 + self.indent.offset(depth);
        let fold = Rect::from_min_size(pos2(left, rect.top()), vec2(FOLD, ROW));
        let lock = Rect::from_min_max(pos2(rect.right() - ICON, rect.top()), rect.max);
        let eye = lock.translate(vec2(-ICON, 0.0));
        let mut text = Rect::from_min_max(pos2(fold.right() + 3.0, rect.top()), eye.left_bottom());
        if self.indent.shows_level() {
            let font = TextStyle::Small.resolve(ui.style());
            let right = text.right_center() - vec2(2.0, 0.0);
            ui.painter().text(right, Align2::RIGHT_CENTER, depth + 1, font, colors(ui).weak);
            text.max.x -= LEVEL;
        }
        self.update_drop_target(ui, editor, rect, (node, has_children));

        response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, is_selected, &name));
        let is_open = has_children && self.rows.is_open(node);
        response.ctx.accesskit_node_builder(id, |builder| {
            builder.set_role(Role::TreeItem);
            builder.set_level(depth + 1);
            if has_children {
                builder.set_expanded(is_open);
            }
        });
        if is_active {
            ui.ctx().accesskit_node_builder(focus_id(), |tree| tree.set_active_descendant(id.accesskit_id()));
        }

        if has_children {
            let does = if is_open { "Collapse" } else { "Expand" };
            let button = ui.interact(fold, id.with("fold"), Sense::CLICK);
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{does} {name}")));
            icons::fold(
                ui.painter(),
                fold,
                if button.hovered() { colors(ui).strong } else { colors(ui).weak },
                is_open,
            );
            if button.clicked() {
                self.rows.set_open(index, !is_open, editor.scene());
                self.scroll_to = None;
            }
        }
        self.flag(ui, editor, (eye, node, Flag::Hidden), &response);
        self.flag(ui, editor, (lock, node, Flag::Locked), &response);
        if self.renaming.as_ref().is_some_and(|renaming| renaming.node == node) {
            self.type_name(ui, text, editor);
            return;
        }
        let color = match (is_active, is_shown) {
            (_, false) => colors(ui).faint,
            (true, true) => colors(ui).active,
            (false, true) => colors(ui).text,
        };
        let font = TextStyle::Body.resolve(ui.style());
        let mut job = egui::text::LayoutJob::simple_singleline(name, font, color);
        job.wrap = egui::text::TextWrapping::truncate_at_width(text.width());
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        let is_truncated = galley.elided;
        let at = Align2::LEFT_CENTER.anchor_size(text.left_center(), galley.size()).min;
        ui.painter().galley(at, galley, color);
        let response = match (is_truncated, self.indent.shows_level()) {
            _ if self.drag.is_some() => response,
            (_, true) => response.on_hover_text(node_path(editor.scene(), node)),
            (true, false) => response.on_hover_text(editor.scene().nodes()[node].name.as_str()),
            (false, false) => response,
        };
        let is_touch = ui.input(egui::InputState::any_touches);
        if response.drag_started() && !is_touch {
            // Drag the row that was pressed: the pointer may be on another one by the end of the frame.
            let origin = ui.input(|input| input.pointer.press_origin());
            let below = origin.map_or(0.0, |at| ((at.y - rect.top()) / ROW).floor());
            let pressed = index.checked_add_signed(below as isize);
            if let Some(row) = pressed.and_then(|index| self.rows.rows().get(index)) {
                let held = ui.input(|input| input.modifiers);
                self.begin_drag(row.node, held, editor, view);
            }
        } else if response.dragged() && is_touch {
            // A finger scrolls the list.
            ui.scroll_with_delta(vec2(0.0, response.drag_delta().y));
        } else if response.double_clicked() {
            self.rename(node, editor.scene());
            self.scroll_to = None;
        } else if response.clicked() {
            let held = ui.input(modifiers_of_click);
            let mode = SelectMode::of(held.shift, held.command);
            editor.select(editor.selection().clicked(node, mode), view);
            // The row is under the pointer, so the list must not scroll.
            self.last_active = editor.selection().active();
            self.cursor = Some(node);
            ui.memory_mut(|memory| memory.request_focus(focus_id()));
        }
    }

    /// Makes this row the drop target if the pointer drags rows over it.
    fn update_drop_target(
        &mut self,
        ui: &Ui,
        editor: &Editor,
        rect: Rect,
        (node, has_children): (usize, bool),
    ) {
        let Some(drag) = &self.drag else { return };
        let at = ui.input(|input| input.pointer.latest_pos());
        if !at.is_some_and(|at| rect.intersect(ui.clip_rect()).contains(at)) {
            return;
        }
        let verdict = drag.verdict(editor.scene(), DropTarget::Node(node));
        drag.mark(ui, rect, verdict);
        let opens = has_children && !self.rows.is_open(node) && !matches!(verdict, Verdict::Cycle(_));
        self.over.target = Some(DropTarget::Node(node));
        self.over.closed = opens.then_some(node);
    }

    /// Shows the eye or the lock of a row.
    fn flag(&self, ui: &Ui, editor: &mut Editor, (rect, node, flag): (Rect, usize, Flag), row: &Response) {
        let scene = editor.scene();
        let (own, reached) = (scene.has_flag(node, flag), scene.is_flagged(node, flag));
        let button = ui.interact(rect, focus_id().with((node, flag)), Sense::CLICK);
        let does = match (flag, own) {
            (Flag::Hidden, false) => "Hide",
            (Flag::Hidden, true) => "Show",
            (Flag::Locked, false) => "Lock",
            (Flag::Locked, true) => "Unlock",
            // Deleted nodes have no rows.
            (Flag::Deleted, _) => return,
        };
        let name = format!("{does} {}", scene.nodes()[node].name);
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let is_row_hovered = row.contains_pointer() || button.hovered();
        let color = match (button.hovered(), own, reached) {
            (true, ..) => colors(ui).strong,
            (_, true, _) => colors(ui).text,
            (_, false, true) => colors(ui).faint,
            // An open eye is faint and an open lock invisible, unless the pointer is over the row.
            _ if is_row_hovered => colors(ui).weak,
            _ if flag == Flag::Hidden => colors(ui).faint.gamma_multiply(0.7),
            _ => egui::Color32::TRANSPARENT,
        };
        match flag {
            Flag::Hidden => icons::eye(ui.painter(), rect, color, !reached),
            Flag::Locked => icons::lock(ui.painter(), rect, color, reached),
            Flag::Deleted => {}
        }
        if button.clicked() {
            editor.set_flag(&[node], flag, !own);
        }
    }

    /// Shows the field for the name, and renames the node when the field loses the focus.
    fn type_name(&mut self, ui: &mut Ui, rect: Rect, editor: &mut Editor) {
        let Some(renaming) = &mut self.renaming else { return };
        let id = focus_id().with("name");
        let wanted = renaming.name.trim();
        let taken = editor.scene().find(wanted).is_some_and(|other| other != renaming.node);
        let color = if taken || wanted.is_empty() { colors(ui).error } else { colors(ui).strong };
        let field = TextEdit::singleline(&mut renaming.name)
            .id(id)
            .text_color(color)
            .margin(egui::Margin::symmetric(3, 1));
        let response = style::named(ui.put(rect.shrink2(vec2(0.0, 1.0)), field), "Name");
        if !renaming.has_begun {
            renaming.has_begun = true;
            response.request_focus();
            let all = egui::text::CCursorRange::two(
                egui::text::CCursor::default(),
                egui::text::CCursor::new(renaming.name.chars().count()),
            );
            let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
            state.cursor.set_char_range(Some(all));
            state.store(ui.ctx(), id);
            return;
        }
        if response.has_focus() {
            return;
        }
        let Some(Renaming { node, name, .. }) = self.renaming.take() else { return };
        let (enter, escape) =
            ui.input(|input| (input.key_pressed(Key::Enter), input.key_pressed(Key::Escape)));
        if !escape && editor.rename(node, &name).is_err() && enter {
            // The typed name stays, so it can be corrected.
            self.renaming = Some(Renaming { node, name, has_begun: false });
        } else if enter || escape {
            ui.memory_mut(|memory| memory.request_focus(focus_id()));
        }
    }
}

/// Returns the path of a node: the names of its ancestors and its own.
fn node_path(scene: &Scene, node: usize) -> String {
    let up = std::iter::successors(Some(node), |node| scene.nodes()[*node].parent);
    let mut names: Vec<&str> =
        up.take(MAX_ANCESTORS + 2).map(|node| scene.nodes()[node].name.as_str()).collect();
    if names.len() > MAX_ANCESTORS + 1 {
        names[MAX_ANCESTORS + 1] = "…";
    }
    names.reverse();
    names.join(" › ")
}

/// Returns the modifiers at the release of the button. They may have been released since.
fn modifiers_of_click(input: &egui::InputState) -> Modifiers {
    let released = input.raw.events.iter().rev().find_map(|event| match event {
        egui::Event::PointerButton { pressed: false, modifiers, .. } => Some(*modifiers),
        _ => None,
    });
    released.unwrap_or(input.modifiers)
}
