//! A row of the tree: layout, drawing and input.

use super::super::icons;
use super::super::menus::Menus;
use super::super::style::{self, ROW, colors};
use super::indent::{FOLD, LEVEL};
use super::row_drag::Verdict;
use super::rows::Row;
use super::{ICON, Renaming, Tree, focus_id};
use crate::panel::pasted::MAX_CHARACTERS;
use egui::accesskit::Role;
use egui::{Align2, Color32, Key, Modifiers, Rect, Response, Sense, Stroke, TextEdit, TextStyle, Ui};
use egui::{WidgetInfo, pos2, vec2};
use scene::Scene;
use scene::flags::Flag;
use scene::selection::{SelectMode, Selection};
use session::editor::Editor;

/// Maximum number of ancestors in a path.
const MAX_ANCESTORS: usize = 5;

/// A row as it is shown in this frame.
struct ShownRow {
    index: usize,
    node: usize,
    depth: usize,
    rect: Rect,
    name: String,
    has_children: bool,
    is_open: bool,
    is_active: bool,
    is_selected: bool,
}

/// The parts of a row.
struct Areas {
    /// The button that expands and collapses.
    fold: Rect,
    eye: Rect,
    lock: Rect,
    text: Rect,
}

impl Tree {
    /// Shows a row and handles its input.
    pub(super) fn row(
        &mut self,
        ui: &mut Ui,
        menus: &mut Menus<'_>,
        (index, Row { node, depth }, is_selected, has_focus): (usize, Row, bool, bool),
    ) {
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
        let editor = &mut *menus.editor;
        let scene = editor.scene();
        let has_children = scene.nodes()[node].children.iter().any(|child| scene.exists(*child));
        let row = ShownRow {
            index,
            node,
            depth,
            rect,
            name: scene.nodes()[node].name.clone(),
            has_children,
            is_open: has_children && self.rows.is_open(node),
            is_active: editor.selection().active() == Some(node),
            is_selected,
        };
        let response = ui.interact(rect, focus_id().with(node), Sense::CLICK | Sense::DRAG);
        self.background(ui, &row, response.hovered(), has_focus);
        let Areas { fold, eye, lock, text } = self.areas(ui, &row);
        self.update_drop_target(ui, editor, rect, (node, has_children));
        describe(ui, &row, &response);
        if has_children {
            self.fold(ui, editor.scene(), &row, fold);
        }
        self.flag(ui, editor, (eye, node, Flag::Hidden), &response);
        self.flag(ui, editor, (lock, node, Flag::Locked), &response);
        if self.renaming.as_ref().is_some_and(|renaming| renaming.node == node) {
            self.type_name(ui, text, editor);
            return;
        }
        let response = self.name(ui, editor.scene(), &row, text, response);
        self.on_pointer(ui, menus, &row, &response);
    }

    /// Paints the background of a row: the fill, the focus and the guides of the levels.
    fn background(&self, ui: &Ui, row: &ShownRow, is_hovered: bool, has_focus: bool) {
        let fill = match (row.is_active, row.is_selected, is_hovered) {
            (true, ..) => colors(ui).active_row,
            (_, true, _) => colors(ui).selected_row,
            (_, _, true) => colors(ui).hovered_row,
            _ => Color32::TRANSPARENT,
        };
        let rect = row.rect;
        ui.painter().rect_filled(rect, 3.0, fill);
        if has_focus && self.cursor == Some(row.node) {
            style::focus(ui, rect);
        }
        for at in self.indent.guides(row.depth) {
            let x = (rect.left() + 2.0 + at).round() + 0.5;
            ui.painter().vline(x, rect.y_range(), Stroke::new(1.0, colors(ui).line));
        }
    }

    /// Returns the parts of a row, and paints its level if the indentation does not show it.
    fn areas(&self, ui: &Ui, row: &ShownRow) -> Areas {
        let rect = row.rect;
        let left = rect.left() + 2.0 + self.indent.offset(row.depth);
        let fold = Rect::from_min_size(pos2(left, rect.top()), vec2(FOLD, ROW));
        let lock = Rect::from_min_max(pos2(rect.right() - ICON, rect.top()), rect.max);
        let eye = lock.translate(vec2(-ICON, 0.0));
        let mut text = Rect::from_min_max(pos2(fold.right() + 3.0, rect.top()), eye.left_bottom());
        if self.indent.shows_level {
            let font = TextStyle::Small.resolve(ui.style());
            let right = text.right_center() - vec2(2.0, 0.0);
            ui.painter().text(right, Align2::RIGHT_CENTER, row.depth + 1, font, colors(ui).weak);
            text.max.x -= LEVEL;
        }
        Areas { fold, eye, lock, text }
    }

    /// Shows the button that expands and collapses a row.
    fn fold(&mut self, ui: &Ui, scene: &Scene, row: &ShownRow, rect: Rect) {
        let does = if row.is_open { "Collapse" } else { "Expand" };
        let button = ui.interact(rect, focus_id().with(row.node).with("fold"), Sense::CLICK);
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{does} {}", row.name)));
        let color = if button.hovered() { colors(ui).strong } else { colors(ui).weak };
        icons::paint(ui.painter(), rect, icons::FOLDS[usize::from(row.is_open)], color);
        let button = button.on_hover_text(format!("{does} this node"));
        if button.clicked() {
            self.rows.set_open(row.node, !row.is_open, scene);
            self.scroll_to = None;
        }
    }

    /// Paints the name of a row, truncated if there is no space for it. Returns the response, with the
    /// whole name or path as a tooltip.
    fn name(&self, ui: &Ui, scene: &Scene, row: &ShownRow, text: Rect, response: Response) -> Response {
        let color = match (row.is_active, scene.is_shown(row.node)) {
            (_, false) => colors(ui).weak,
            (true, true) => colors(ui).active,
            (false, true) => colors(ui).text,
        };
        let is_truncated = style::paint_name(ui, text, &row.name, color);
        match (is_truncated, self.indent.shows_level) {
            _ if self.drag.is_some() => response,
            (_, true) => response.on_hover_text(node_path(scene, row.node)),
            (true, false) => response.on_hover_text(row.name.as_str()),
            (false, false) => response,
        }
    }

    /// Handles clicks and drags of a row.
    fn on_pointer(&mut self, ui: &mut Ui, menus: &mut Menus<'_>, row: &ShownRow, response: &Response) {
        let (editor, view) = (&mut *menus.editor, menus.view);
        if response.secondary_clicked() && !editor.selection().nodes().contains(&row.node) {
            self.select(row.node, Selection::of(&[row.node]), editor, view);
        }
        response.context_menu(|ui| menus.of_nodes(ui));
        let editor = &mut *menus.editor;
        let is_touch = ui.input(egui::InputState::any_touches);
        if response.drag_started() && !is_touch {
            // Drag the row that was pressed: the pointer may be on another one by the end of the frame.
            let origin = ui.input(|input| input.pointer.press_origin());
            let below = origin.map_or(0.0, |at| ((at.y - row.rect.top()) / ROW).floor());
            let pressed = row.index.checked_add_signed(below as isize);
            if let Some(row) = pressed.and_then(|index| self.rows.rows.get(index)) {
                let held = ui.input(|input| input.modifiers);
                self.begin_drag(row.node, held, editor, view);
            }
        } else if response.dragged() && is_touch {
            // A finger scrolls the list.
            ui.scroll_with_delta(vec2(0.0, response.drag_delta().y));
        } else if response.double_clicked() {
            self.rename(row.node, editor.scene());
            self.scroll_to = None;
        } else if response.clicked() {
            let held = ui.input(modifiers_of_click);
            let mode = SelectMode::of(held.shift, held.command);
            self.select(row.node, editor.selection().clicked(row.node, mode), editor, view);
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
        let Some(drag) = &mut self.drag else { return };
        let at = ui.input(|input| input.pointer.latest_pos());
        if !at.is_some_and(|at| rect.intersect(ui.clip_rect()).contains(at)) {
            return;
        }
        let verdict = drag.verdict(editor.scene(), Some(node));
        drag.mark(ui, rect, verdict);
        let opens = has_children && !self.rows.is_open(node) && !matches!(verdict, Verdict::Cycle(_));
        (drag.over, drag.closed) = (Some(Some(node)), opens.then_some(node));
    }

    /// Shows the eye or the lock of a row.
    fn flag(&self, ui: &Ui, editor: &mut Editor, (rect, node, flag): (Rect, usize, Flag), row: &Response) {
        let scene = editor.scene();
        let (own, reached) = (scene.has_flag(node, flag), scene.is_flagged(node, flag));
        let button = ui.interact(rect, focus_id().with((node, flag)), Sense::CLICK);
        let (does, key, state, icons) = match flag {
            Flag::Hidden => (["Hide", "Show"], "H", "hidden", icons::EYES),
            Flag::Locked => (["Lock", "Unlock"], "K", "locked", icons::LOCKS),
            // Deleted nodes have no rows.
            Flag::Deleted => return,
        };
        let does = does[usize::from(own)];
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
            _ => Color32::TRANSPARENT,
        };
        icons::paint(ui.painter(), rect, icons[usize::from(reached)], color);
        let why = if reached && !own { format!("; an ancestor is {state}") } else { String::new() };
        let button = button.on_hover_text(format!("{does} with descendants ({key} for the selection){why}"));
        if button.clicked() {
            editor.set_flag(&[node], flag, !own);
        }
    }

    /// Shows the field for the name, and renames the node when the field loses the focus.
    fn type_name(&mut self, ui: &mut Ui, rect: Rect, editor: &mut Editor) {
        let Some(renaming) = &mut self.renaming else { return };
        renaming.is_shown = true;
        let id = focus_id().with("name");
        let wanted = renaming.name.trim();
        let taken = editor.scene().find(wanted).is_some_and(|other| other != renaming.node);
        let color = if taken || wanted.is_empty() { colors(ui).error } else { colors(ui).strong };
        let field = TextEdit::singleline(&mut renaming.name)
            .char_limit(MAX_CHARACTERS)
            .id(id)
            .text_color(color)
            .margin(egui::Margin::symmetric(3, 1));
        let response = style::named(ui.put(rect.shrink2(vec2(0.0, 1.0)), field), "Name");
        if !renaming.has_begun {
            renaming.has_begun = true;
            response.request_focus();
            style::select_text(ui.ctx(), id, 0..renaming.name.chars().count());
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
            self.renaming = Some(Renaming { node, name, has_begun: false, is_shown: true });
        } else if enter || escape {
            ui.memory_mut(|memory| memory.request_focus(focus_id()));
        }
    }
}

/// Describes a row to screen readers.
fn describe(ui: &Ui, row: &ShownRow, response: &Response) {
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, row.is_selected, &row.name));
    let id = response.id;
    response.ctx.accesskit_node_builder(id, |builder| {
        builder.set_role(Role::TreeItem);
        builder.set_level(row.depth + 1);
        if row.has_children {
            builder.set_expanded(row.is_open);
        }
    });
    if row.is_active {
        ui.ctx().accesskit_node_builder(focus_id(), |tree| tree.set_active_descendant(id.accesskit_id()));
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

/// Returns the modifiers that were held when the button was released. They may have been released since.
fn modifiers_of_click(input: &egui::InputState) -> Modifiers {
    let released = input.raw.events.iter().rev().find_map(|event| match event {
        egui::Event::PointerButton { pressed: false, modifiers, .. } => Some(*modifiers),
        _ => None,
    });
    released.unwrap_or(input.modifiers)
}
