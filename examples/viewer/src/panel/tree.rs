//! The nodes of the scene as a tree: searched, chosen, renamed, hidden, locked, and dragged onto
//! others. Only the rows that can be seen are laid out, so that a hundred thousand nodes scroll as
//! a hundred do.

mod carried;
mod icons;
mod indent;
mod row;
mod rows;

use super::style::{self, ROW, colors};
use crate::editor::Editor;
use crate::scene::Scene;
use crate::selection::{How, Selection};
use carried::{Carried, Place};
use egui::accesskit::Role;
use egui::{Align, Align2, EventFilter, Id, Key, Layout, Modifiers, Rect, Sense, TextEdit, TextStyle, Ui};
use egui::{Stroke, StrokeKind, vec2};
use indent::Indent;
use rows::{Row, Rows};
use std::collections::HashSet;
use wgpu_gizmo::View;

/// Width of an eye or a lock with the room round it, in points.
const ICON: f32 = 22.0;
/// Height of the strip where what is dragged loses its parent, with the room over it, in points.
const STRIP: f32 = ROW + 6.0;

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
    indent: Indent,
    /// What is dragged, and what it is over.
    carried: Option<Carried>,
    over: Over,
}

/// What a pointer that drags is over, as it turns out while rows are shown.
#[derive(Debug, Default)]
struct Over {
    place: Option<Place>,
    /// A row whose children are not in the list.
    closed: Option<usize>,
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
        // Esc is the list's while something is dragged in it.
        let escape = || ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        let has_focus = ui.input(|input| input.focused);
        self.carried.take_if(|carried| !carried.is_of(editor) || !has_focus || escape());
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
        self.over = Over::default();
        let strip = self.carried.as_ref().is_some_and(|carried| carried.can_be_freed(editor.scene()));
        let height = (ui.available_height() - if strip { STRIP } else { 0.0 }).max(ROW);
        let mut area = egui::ScrollArea::vertical().auto_shrink(false).id_salt("nodes").max_height(height);
        let most = (self.rows.rows().len() as f32 * ROW - height).max(0.0);
        let whole = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), height));
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
                area = area.vertical_scroll_offset(offset.clamp(0.0, most));
            }
        }
        let by = self.carried.as_ref().map_or(0.0, |carried| carried.scrolls(ui, whole));
        if by != 0.0 {
            area = area.vertical_scroll_offset((self.window.0 + by).clamp(0.0, most));
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
            self.set_indent(ui, &range);
            for (place, row) in range.zip(visible) {
                let is_selected = selected.contains(&row.node);
                self.row(ui, editor, view, (place, row, is_selected, has_focus));
            }
        });
        self.window = (output.state.unclamped_offset().y, output.inner_rect.height());
        self.carry(ui, editor, output.inner_rect, strip);
    }

    /// Rows of this range stand as far to the right as their levels have it.
    fn set_indent(&mut self, ui: &Ui, range: &std::ops::Range<usize>) {
        let depths = self.rows.rows()[range.clone()].iter().map(|row| row.depth);
        let Some(first) = depths.clone().min() else { return };
        let seen = first..=depths.max().unwrap_or(first);
        let width = ui.available_width() - 2.0 * ICON;
        self.indent = Indent::new(width, self.rows.deepest(), &seen, self.indent);
    }

    /// What is dragged goes on, or is let go of.
    fn carry(&mut self, ui: &mut Ui, editor: &mut Editor, list: Rect, has_strip: bool) {
        let Some(carried) = &mut self.carried else { return };
        let (at, is_over) = ui.input(|input| (input.pointer.latest_pos(), !input.pointer.primary_down()));
        let is_at = |rect: Rect| at.is_some_and(|at| rect.contains(at));
        let (mut place, closed) = (self.over.place, self.over.closed);
        if has_strip {
            ui.add_space(STRIP - ROW);
            let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
            let font = TextStyle::Body.resolve(ui.style());
            ui.painter().rect_stroke(rect, 3.0, Stroke::new(1.0, colors(ui).faint), StrokeKind::Inside);
            ui.painter().text(rect.center(), Align2::CENTER_CENTER, "No parent", font, colors(ui).plain);
            let below = Rect::from_min_max(list.left_bottom(), rect.max);
            // What is free below the rows is as good.
            if place.is_none() && (is_at(below) || is_at(list)) {
                place = Some(Place::Free);
                carried.mark(ui, rect, carried.verdict(editor.scene(), Place::Free));
            }
        }
        let opens = carried.point(ui, place, closed);
        if is_over {
            if self.carried.take().is_some_and(|carried| carried.let_go(editor)) {
                // Wherever it hangs now, it is shown there.
                self.seen_active = None;
            }
            return;
        }
        carried.say(ui, editor.scene());
        if let Some(place) = opens.and_then(|node| self.rows.place_of(node)) {
            self.rows.set_open(place, true, editor.scene());
        }
    }

    /// Takes up a row, and with it all others that are selected, if it is.
    fn take_up(&mut self, node: usize, held: Modifiers, editor: &mut Editor, view: &View) {
        let is_selected = editor.selection().nodes().contains(&node);
        // A click that was to add or take out, by an unsteady hand, must not deselect all.
        if editor.gizmo.is_active() || (!is_selected && (held.shift || held.command)) {
            return;
        }
        if !is_selected {
            editor.select(Selection::of(&[node]), view);
        }
        // It is under the pointer: the list stays where it is.
        (self.seen_active, self.cursor) = (editor.selection().active(), Some(node));
        self.carried = Carried::take_up(editor);
    }
}
