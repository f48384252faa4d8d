//! The nodes of the scene as a tree: searched, chosen, renamed, hidden and locked. Only the rows
//! that can be seen are laid out, so that a hundred thousand nodes scroll as a hundred do.

mod icons;
mod rows;

use super::style::{self, ROW, colors};
use crate::editor::Editor;
use crate::flags::Flag;
use crate::scene::Scene;
use crate::selection::{How, Selection};
use egui::accesskit::Role;
use egui::{Align, Layout};
use egui::{
    Align2, EventFilter, Id, Key, Modifiers, Rect, Response, Sense, StrokeKind, TextEdit, TextStyle, Ui,
};
use egui::{WidgetInfo, pos2, vec2};
use rows::{Row, Rows};
use std::collections::HashSet;
use wgpu_gizmo::View;

/// How far a child stands to the right of its parent, in points.
const INDENT: f32 = 13.0;
/// What stands deeper than this stands no farther to the right, so that its name can be read.
const DEEPEST_INDENT: usize = 12;
/// Width of an eye or a lock with the room round it, in points.
const ICON: f32 = 22.0;

/// The tree as it is looked at.
#[derive(Debug, Default)]
pub(super) struct Tree {
    query: String,
    rows: Rows,
    /// The node that keys go on from.
    cursor: Option<usize>,
    /// The active node when the list was last drawn.
    seen_active: Option<usize>,
    renaming: Option<Renaming>,
    /// The list goes to this node next.
    scroll_to: Option<usize>,
    /// Scroll offset and height of the list, in points.
    window: (f32, f32),
}

/// A name that is being typed.
#[derive(Debug)]
struct Renaming {
    node: usize,
    name: String,
    has_begun: bool,
}

/// Where the keys go for the tree.
pub(super) fn focus_id() -> Id {
    Id::unique("tree of nodes")
}

/// Where the keys go for the search.
pub(super) fn search_id() -> Id {
    Id::unique("search of nodes")
}

impl Tree {
    /// Shows the tree, and does with the editor what is done to it.
    pub(super) fn show(&mut self, ui: &mut Ui, editor: &mut Editor, view: &View) {
        self.search(ui, editor, view);
        ui.add_space(2.0);
        if self.rows.sync(editor.scene(), &self.query) {
            (self.cursor, self.seen_active, self.renaming) = (None, None, None);
        }
        let active = editor.selection().active();
        if active != self.seen_active {
            self.seen_active = active;
            self.cursor = active.or(self.cursor);
            if let Some(active) = active {
                self.rows.reveal(active, editor.scene());
                self.scroll_to = Some(active);
            }
        }
        let list = ui.available_rect_before_wrap();
        let response = ui.interact(list, focus_id(), Sense::focusable_noninteractive());
        response.ctx.accesskit_node_builder(response.id, |node| {
            node.set_role(Role::Tree);
            node.set_label("Nodes");
        });
        if response.has_focus() {
            let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..Default::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(focus_id(), filter));
            self.keys(ui, editor, view);
        }
        self.list(ui, editor, view, response.has_focus());
    }

    /// Begins to rename a node.
    pub(super) fn rename(&mut self, node: usize, scene: &Scene) {
        self.rows.reveal(node, scene);
        self.scroll_to = Some(node);
        let name = scene.nodes()[node].name.clone();
        self.renaming = Some(Renaming { node, name, has_begun: false });
    }

    /// Whether a name is being typed, or will be in the next frame.
    pub(super) fn is_renaming(&self) -> bool {
        self.renaming.is_some()
    }

    fn search(&mut self, ui: &mut Ui, editor: &mut Editor, view: &View) {
        let found = self.rows.found().filter(|_| !self.query.is_empty());
        let width = ui.available_width();
        let row = Layout::right_to_left(Align::Center);
        ui.allocate_ui_with_layout(vec2(width, ROW + 2.0), row, |ui| {
            if let Some(found) = found {
                if style::named(ui.small_button("×"), "Clear search").clicked() {
                    self.query.clear();
                    self.scroll_to = editor.selection().active();
                }
                ui.label(style::quiet(format!("{found} found")).small());
            }
            let width = ui.available_width();
            let field = TextEdit::singleline(&mut self.query)
                .id(search_id())
                .hint_text("Search")
                .desired_width(width)
                .margin(egui::Margin::symmetric(8, 3));
            let field = ui.allocate_ui_with_layout(
                vec2(width, ROW + 2.0),
                Layout::left_to_right(Align::Center),
                |ui| ui.add(field),
            );
            let response = style::named(field.inner, "Search nodes");
            // Taken, so that it does not go on to the tree.
            let enter = || ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            if response.lost_focus() && enter() {
                // The first that was found itself, and not only for what hangs on it.
                let query = self.query.trim().to_lowercase();
                let is_found =
                    |row: &&Row| editor.scene().nodes()[row.node].name.to_lowercase().contains(&query);
                if let Some(row) = self.rows.rows().iter().find(is_found).copied() {
                    editor.select(Selection::of(&[row.node]), view);
                    ui.memory_mut(|memory| memory.request_focus(focus_id()));
                }
            }
        });
    }

    fn keys(&mut self, ui: &Ui, editor: &mut Editor, view: &View) {
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let place = self.cursor.and_then(|node| self.rows.place_of(node));
        let last = self.rows.rows().len().saturating_sub(1);
        let page = (self.window.1 / ROW).floor().max(1.0) as usize;
        let steps: [(Key, usize); 6] = [
            (Key::ArrowUp, place.map_or(last, |place| place.saturating_sub(1))),
            (Key::ArrowDown, place.map_or(0, |place| place + 1)),
            (Key::PageUp, place.unwrap_or(0).saturating_sub(page)),
            (Key::PageDown, place.unwrap_or(0) + page),
            (Key::Home, 0),
            (Key::End, last),
        ];
        for (key, to) in steps {
            let adds = ui.input_mut(|input| input.consume_key(Modifiers::SHIFT, key));
            if adds || pressed(key) {
                self.go(to.min(last), adds, editor, view);
                return;
            }
        }
        let Some((place, row)) = place.and_then(|place| Some((place, *self.rows.rows().get(place)?))) else {
            return;
        };
        let scene = editor.scene();
        let parent = scene.nodes()[row.node].parent;
        let is_leaf = !scene.nodes()[row.node].children.iter().any(|child| scene.is_there(*child));
        if pressed(Key::ArrowRight) {
            match (is_leaf, self.rows.is_open(row.node)) {
                (true, _) => {}
                (_, false) => self.rows.set_open(place, true, scene),
                (_, true) => self.go(place + 1, false, editor, view),
            }
        } else if pressed(Key::ArrowLeft) {
            if self.rows.found().is_none() && self.rows.is_open(row.node) && !is_leaf {
                self.rows.set_open(place, false, scene);
            } else if let Some(place) = parent.and_then(|parent| self.rows.place_of(parent)) {
                self.go(place, false, editor, view);
            }
        } else if pressed(Key::Enter) {
            self.rename(row.node, scene);
        }
    }

    /// Goes to a row and selects its node, alone or with the others.
    fn go(&mut self, place: usize, adds: bool, editor: &mut Editor, view: &View) {
        let Some(Row { node, .. }) = self.rows.rows().get(place).copied() else { return };
        let selection = editor.selection();
        let selection = match adds {
            true => selection.with(&[node], How::Add).activated(node),
            false => Selection::of(&[node]),
        };
        editor.select(selection, view);
        self.seen_active = editor.selection().active();
        (self.cursor, self.scroll_to) = (Some(node), Some(node));
    }

    fn list(&mut self, ui: &mut Ui, editor: &mut Editor, view: &View, has_focus: bool) {
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = egui::ScrollArea::vertical().auto_shrink(false).id_salt("nodes");
        let height = ui.available_height();
        if let Some(place) = self.scroll_to.take().and_then(|node| self.rows.place_of(node)) {
            let (top, bottom) = (place as f32 * ROW, (place + 1) as f32 * ROW);
            let (offset, _) = self.window;
            if top < offset || bottom > offset + height {
                // By a row where it is the next one; else into the middle.
                let near = top < offset + height + ROW && bottom > offset - ROW;
                let offset = match (near, top < offset) {
                    (true, true) => top,
                    (true, false) => bottom - height,
                    (false, _) => top - 0.5 * (height - ROW),
                };
                area = area.vertical_scroll_offset(offset.max(0.0));
            }
        }
        if self.rows.rows().is_empty() {
            let empty = if self.rows.found().is_some() { "No node has this in its name" } else { "No nodes" };
            ui.add_space(6.0);
            ui.label(style::quiet(empty));
            // The list stays as high as it is.
            ui.allocate_space(ui.available_size());
            return;
        }
        let count = self.rows.rows().len();
        let output = area.show_rows(ui, ROW, count, |ui, range| {
            let visible: Vec<Row> = self.rows.rows()[range.clone()].to_vec();
            let nodes: HashSet<usize> = visible.iter().map(|row| row.node).collect();
            let selected: HashSet<usize> =
                editor.selection().nodes().iter().copied().filter(|node| nodes.contains(node)).collect();
            for (place, row) in range.zip(visible) {
                let is_selected = selected.contains(&row.node);
                self.row(ui, editor, view, (place, row, is_selected, has_focus));
            }
        });
        self.window = (output.state.unclamped_offset().y, output.inner_rect.height());
    }

    fn row(
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
        let response = ui.interact(rect, id, Sense::CLICK);
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
        let left = rect.left() + 2.0 + INDENT * depth.min(DEEPEST_INDENT) as f32;
        let fold = Rect::from_min_size(pos2(left, rect.top()), vec2(16.0, ROW));
        let lock = Rect::from_min_max(pos2(rect.right() - ICON, rect.top()), rect.max);
        let eye = lock.translate(vec2(-ICON, 0.0));
        let text = Rect::from_min_max(pos2(fold.right() + 3.0, rect.top()), eye.left_bottom());

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
        let response = match is_cut {
            true => response.on_hover_text(editor.scene().nodes()[node].name.as_str()),
            false => response,
        };
        if response.double_clicked() {
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

/// What was held when the button went up; by now it may be up as well.
fn modifiers_of_click(input: &egui::InputState) -> Modifiers {
    let released = input.raw.events.iter().rev().find_map(|event| match event {
        egui::Event::PointerButton { pressed: false, modifiers, .. } => Some(*modifiers),
        _ => None,
    });
    released.unwrap_or(input.modifiers)
}
