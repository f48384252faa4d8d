//! One row: where it stands, what is written in it, and what is done to it.

use super::super::style::{self, ROW, colors};
use super::carried::{Place, Verdict};
use super::indent::{FOLD, LEVEL};
use super::rows::Row;
use super::{ICON, Renaming, Tree, focus_id, icons};
use crate::editor::Editor;
use crate::flags::Flag;
use crate::scene::Scene;
use crate::selection::How;
use egui::accesskit::Role;
use egui::{Align2, Key, Modifiers, Rect, Response, Sense, Stroke, StrokeKind, TextEdit, TextStyle, Ui};
use egui::{WidgetInfo, pos2, vec2};
use wgpu_gizmo::View;

/// So many of the nodes above one are named.
const NAMED: usize = 5;

impl Tree {
    pub(super) fn row(
        &mut self,
        ui: &mut Ui,
        editor: &mut Editor,
        view: &View,
        (place, Row { node, depth }, is_selected, has_focus): (usize, Row, bool, bool),
    ) {
        let size = vec2(ui.available_width(), ROW);
        let (_, rect) = ui.allocate_space(size);
        let id = focus_id().with(node);
        let scene = editor.scene();
        let has_children = scene.nodes()[node].children.iter().any(|child| scene.is_there(*child));
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
        let left = rect.left() + 2.0 + self.indent.of(depth);
        let fold = Rect::from_min_size(pos2(left, rect.top()), vec2(FOLD, ROW));
        let lock = Rect::from_min_max(pos2(rect.right() - ICON, rect.top()), rect.max);
        let eye = lock.translate(vec2(-ICON, 0.0));
        let mut text = Rect::from_min_max(pos2(fold.right() + 3.0, rect.top()), eye.left_bottom());
        if self.indent.is_told() {
            let font = TextStyle::Small.resolve(ui.style());
            let right = text.right_center() - vec2(2.0, 0.0);
            ui.painter().text(right, Align2::RIGHT_CENTER, depth + 1, font, colors(ui).quiet);
            text.max.x -= LEVEL;
        }
        self.drop_here(ui, editor, rect, (node, has_children));

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
            let does = if is_open { "Close" } else { "Open" };
            let button = ui.interact(fold, id.with("fold"), Sense::CLICK);
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{does} {name}")));
            icons::fold(
                ui.painter(),
                fold,
                if button.hovered() { colors(ui).clear } else { colors(ui).quiet },
                is_open,
            );
            if button.clicked() {
                self.rows.set_open(place, !is_open, editor.scene());
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
            (false, true) => colors(ui).plain,
        };
        let font = TextStyle::Body.resolve(ui.style());
        let mut job = egui::text::LayoutJob::simple_singleline(name, font, color);
        job.wrap = egui::text::TextWrapping::truncate_at_width(text.width());
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        let is_cut = galley.elided;
        let at = Align2::LEFT_CENTER.anchor_size(text.left_center(), galley.size()).min;
        ui.painter().galley(at, galley, color);
        let response = match (is_cut, self.indent.is_told()) {
            _ if self.carried.is_some() => response,
            (_, true) => response.on_hover_text(node_path(editor.scene(), node)),
            (true, false) => response.on_hover_text(editor.scene().nodes()[node].name.as_str()),
            (false, false) => response,
        };
        let is_finger = ui.input(egui::InputState::any_touches);
        if response.drag_started() && !is_finger {
            // Where it was pressed: the pointer may be elsewhere by the end of the frame.
            let origin = ui.input(|input| input.pointer.press_origin());
            let below = origin.map_or(0.0, |at| ((at.y - rect.top()) / ROW).floor());
            let pressed = place.checked_add_signed(below as isize);
            if let Some(row) = pressed.and_then(|place| self.rows.rows().get(place)) {
                let held = ui.input(|input| input.modifiers);
                self.take_up(row.node, held, editor, view);
            }
        } else if response.dragged() && is_finger {
            // As everywhere, a finger moves the list.
            ui.scroll_with_delta(vec2(0.0, response.drag_delta().y));
        } else if response.double_clicked() {
            self.rename(node, editor.scene());
            self.scroll_to = None;
        } else if response.clicked() {
            let held = ui.input(modifiers_of_click);
            let how = How::of(held.shift, held.command);
            editor.select(editor.selection().clicked(node, how), view);
            // It is under the pointer: the list stays where it is.
            self.seen_active = editor.selection().active();
            self.cursor = Some(node);
            ui.memory_mut(|memory| memory.request_focus(focus_id()));
        }
    }

    /// Whether what is dragged is over this row, and what would come of that.
    fn drop_here(&mut self, ui: &Ui, editor: &Editor, rect: Rect, (node, has_children): (usize, bool)) {
        let Some(carried) = &self.carried else { return };
        let at = ui.input(|input| input.pointer.latest_pos());
        if !at.is_some_and(|at| rect.intersect(ui.clip_rect()).contains(at)) {
            return;
        }
        let verdict = carried.verdict(editor.scene(), Place::On(node));
        carried.mark(ui, rect, verdict);
        let opens = has_children && !self.rows.is_open(node) && !matches!(verdict, Verdict::Below(_));
        self.over.place = Some(Place::On(node));
        self.over.closed = opens.then_some(node);
    }

    fn flag(&self, ui: &Ui, editor: &mut Editor, (rect, node, flag): (Rect, usize, Flag), row: &Response) {
        let scene = editor.scene();
        let (own, reached) = (scene.has_flag(node, flag), scene.is_flagged(node, flag));
        let button = ui.interact(rect, focus_id().with((node, flag)), Sense::CLICK);
        let does = match (flag, own) {
            (Flag::Hidden, false) => "Hide",
            (Flag::Hidden, true) => "Show",
            (Flag::Locked, false) => "Lock",
            (Flag::Locked, true) => "Unlock",
            // No row is of a deleted node.
            (Flag::Deleted, _) => return,
        };
        let name = format!("{does} {}", scene.nodes()[node].name);
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let is_near = row.contains_pointer() || button.hovered();
        let color = match (button.hovered(), own, reached) {
            (true, ..) => colors(ui).clear,
            (_, true, _) => colors(ui).plain,
            (_, false, true) => colors(ui).faint,
            // An open lock is nothing to look at, an open eye little.
            _ if is_near => colors(ui).quiet,
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

    fn type_name(&mut self, ui: &mut Ui, rect: Rect, editor: &mut Editor) {
        let Some(renaming) = &mut self.renaming else { return };
        let id = focus_id().with("name");
        let wanted = renaming.name.trim();
        let taken = editor.scene().find(wanted).is_some_and(|other| other != renaming.node);
        let color = if taken || wanted.is_empty() { colors(ui).wrong } else { colors(ui).clear };
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
            // What was typed is not lost: it can be made another.
            self.renaming = Some(Renaming { node, name, has_begun: false });
        } else if enter || escape {
            ui.memory_mut(|memory| memory.request_focus(focus_id()));
        }
    }
}

/// A node's name after those of what it hangs on.
fn node_path(scene: &Scene, node: usize) -> String {
    let up = std::iter::successors(Some(node), |node| scene.nodes()[*node].parent);
    let mut names: Vec<&str> = up.take(NAMED + 2).map(|node| scene.nodes()[node].name.as_str()).collect();
    if names.len() > NAMED + 1 {
        names[NAMED + 1] = "…";
    }
    names.reverse();
    names.join(" › ")
}

/// What was held when the button went up; by now it may be up as well.
fn modifiers_of_click(input: &egui::InputState) -> Modifiers {
    let released = input.raw.events.iter().rev().find_map(|event| match event {
        egui::Event::PointerButton { pressed: false, modifiers, .. } => Some(*modifiers),
        _ => None,
    });
    released.unwrap_or(input.modifiers)
}
