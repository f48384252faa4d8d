//! The tree of nodes: searching, selecting, renaming, hiding, locking and reparenting. Only visible rows are
//! laid out, so a hundred thousand nodes scroll as fast as a hundred.

mod indent;
mod row;
mod row_drag;
mod rows;

use super::menus::Menus;
use super::pasted::MAX_CHARACTERS;
use super::style::{self, ROW, colors};
use egui::accesskit::Role;
use egui::{Align, Align2, EventFilter, Id, Key, Layout, Modifiers, Rect, Sense, TextEdit, TextStyle, Ui};
use egui::{Stroke, StrokeKind, vec2};
use indent::Indent;
use row_drag::RowDrag;
use rows::{Row, Rows};
use scene::Scene;
use scene::selection::{SelectMode, Selection};
use session::editor::Editor;
use std::collections::HashSet;
use wgpu_gizmo::View;

/// Width of an eye or a lock with its margin, in points.
const ICON: f32 = 22.0;
/// Height of the strip that clears the parent of dropped rows, with its margin, in points.
const STRIP: f32 = ROW + 6.0;

/// The state of the tree.
#[derive(Debug, Default)]
pub(super) struct Tree {
    query: String,
    rows: Rows,
    /// The node that keyboard navigation starts from.
    cursor: Option<usize>,
    /// The active node when the list was last shown.
    last_active: Option<usize>,
    pub(super) renaming: Option<Renaming>,
    /// The node that the list scrolls to in the next frame.
    scroll_to: Option<usize>,
    /// Scroll offset and height of the list, in points.
    window: (f32, f32),
    indent: Indent,
    /// The drag of rows in progress.
    drag: Option<RowDrag>,
}

/// A name that is being edited.
#[derive(Debug)]
pub(super) struct Renaming {
    node: usize,
    name: String,
    has_begun: bool,
    /// Whether the field was in sight in this frame, or is new.
    is_shown: bool,
}

/// Returns the id of the tree for the focus.
pub(super) fn focus_id() -> Id {
    Id::unique("tree of nodes")
}

/// Returns the id of the search field for the focus.
pub(super) fn search_id() -> Id {
    Id::unique("search of nodes")
}

impl Tree {
    /// Shows the tree and applies the user's actions to the editor.
    pub(super) fn show(&mut self, ui: &mut Ui, menus: &mut Menus<'_>) {
        let (editor, view) = (&mut *menus.editor, menus.view);
        self.search(ui, editor, view);
        ui.add_space(2.0);
        self.sync(editor.scene());
        // During a drag of rows, Esc cancels that drag only.
        let escape = || ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        let has_focus = ui.input(|input| input.focused);
        self.drag.take_if(|drag| !drag.is_valid(editor) || !has_focus || escape());
        let active = editor.selection().active();
        if active != self.last_active {
            self.last_active = active;
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
        // A text typed in a field belongs to the nodes that are selected before the press.
        let is_pressed = response.contains_pointer() && ui.input(|input| input.pointer.any_pressed());
        if is_pressed && self.renaming.is_none() && ui.ctx().text_edit_focused() {
            response.request_focus();
        }
        if response.has_focus() {
            let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..Default::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(focus_id(), filter));
            self.keys(ui, editor, view);
        }
        self.list(ui, menus, response.has_focus());
        // A field out of sight has lost the focus, which confirms the name.
        if let Some(Renaming { node, name, .. }) =
            self.renaming.take_if(|it| !std::mem::take(&mut it.is_shown))
            && menus.editor.scene().exists(node)
        {
            let _ = menus.editor.rename(node, &name);
        }
        let row = self.cursor.and_then(|node| self.rows.index_of(node));
        if response.has_focus() && row.is_none() {
            style::focus(ui, list);
        }
    }

    /// Updates the rows, and forgets the nodes of another scene.
    fn sync(&mut self, scene: &Scene) {
        if self.rows.sync(scene, &self.query) {
            (self.cursor, self.last_active, self.renaming) = (None, None, None);
        }
    }

    /// Starts to edit the name of a node. Ends a search that does not show the node.
    pub(super) fn rename(&mut self, node: usize, scene: &Scene) {
        // The tree may never have been shown, or only another scene.
        self.sync(scene);
        if self.rows.found().is_some() && self.rows.index_of(node).is_none() {
            self.query.clear();
            self.sync(scene);
        }
        self.rows.reveal(node, scene);
        self.scroll_to = Some(node);
        let name = scene.nodes()[node].name.clone();
        self.renaming = Some(Renaming { node, name, has_begun: false, is_shown: true });
    }

    fn search(&mut self, ui: &mut Ui, editor: &mut Editor, view: &View) {
        let found = self.rows.found().filter(|_| !self.query.is_empty());
        let width = ui.available_width();
        let row = Layout::right_to_left(Align::Center);
        ui.allocate_ui_with_layout(vec2(width, ROW + 2.0), row, |ui| {
            if let Some(found) = found {
                if style::named(ui.small_button("×"), "Clear search")
                    .on_hover_text("Show all nodes")
                    .clicked()
                {
                    self.query.clear();
                    self.scroll_to = editor.selection().active();
                }
                ui.label(style::weak(format!("{found} found")).small());
            }
            let width = ui.available_width();
            let field = TextEdit::singleline(&mut self.query)
                .char_limit(MAX_CHARACTERS)
                .id(search_id())
                .hint_text("Search")
                .desired_width(width)
                .margin(egui::Margin::symmetric(8, 3));
            let field = ui.allocate_ui_with_layout(
                vec2(width, ROW + 2.0),
                Layout::left_to_right(Align::Center),
                |ui| ui.add(field),
            );
            let about = "Show the nodes whose name contains this; Enter selects the first";
            let response = style::named(field.inner, "Search nodes").on_hover_text(about);
            // Consume the key, so that the tree does not receive it.
            let enter = || ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            if response.lost_focus() && enter() {
                // Select the first match, which may follow rows of ancestors that do not match.
                let query = self.query.trim().to_lowercase();
                let is_found =
                    |row: &&Row| editor.scene().nodes()[row.node].name.to_lowercase().contains(&query);
                if let Some(row) = self.rows.rows.iter().find(is_found).copied() {
                    editor.select(Selection::of(&[row.node]), view);
                    ui.memory_mut(|memory| memory.request_focus(focus_id()));
                }
            }
        });
    }

    fn keys(&mut self, ui: &Ui, editor: &mut Editor, view: &View) {
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let index = self.cursor.and_then(|node| self.rows.index_of(node));
        let last = self.rows.rows.len().saturating_sub(1);
        let page = (self.window.1 / ROW).floor().max(1.0) as usize;
        let steps: [(Key, usize); 6] = [
            (Key::ArrowUp, index.map_or(last, |index| index.saturating_sub(1))),
            (Key::ArrowDown, index.map_or(0, |index| index + 1)),
            (Key::PageUp, index.unwrap_or(0).saturating_sub(page)),
            (Key::PageDown, index.unwrap_or(0) + page),
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
        let Some((index, row)) = index.and_then(|index| Some((index, *self.rows.rows.get(index)?))) else {
            return;
        };
        let scene = editor.scene();
        let parent = scene.nodes()[row.node].parent;
        let is_leaf = !scene.nodes()[row.node].children.iter().any(|child| scene.exists(*child));
        if pressed(Key::ArrowRight) {
            match (is_leaf, self.rows.is_open(row.node)) {
                (true, _) => {}
                (_, false) => self.rows.set_open(row.node, true, scene),
                (_, true) => self.go(index + 1, false, editor, view),
            }
        } else if pressed(Key::ArrowLeft) {
            if self.rows.found().is_none() && self.rows.is_open(row.node) && !is_leaf {
                self.rows.set_open(row.node, false, scene);
            } else if let Some(index) = parent.and_then(|parent| self.rows.index_of(parent)) {
                self.go(index, false, editor, view);
            }
        } else if pressed(Key::Enter) {
            self.rename(row.node, scene);
        }
    }

    /// Moves the cursor to a row and selects its node, or adds it to the selection.
    fn go(&mut self, index: usize, adds: bool, editor: &mut Editor, view: &View) {
        let Some(Row { node, .. }) = self.rows.rows.get(index).copied() else { return };
        let selection = editor.selection();
        let selection = match adds {
            true => selection.with(&[node], SelectMode::Add).activated(node),
            false => Selection::of(&[node]),
        };
        self.select(node, selection, editor, view);
        self.scroll_to = Some(node);
    }

    /// Selects nodes by the row of this one, which is in sight, so the list need not scroll.
    fn select(&mut self, node: usize, selection: Selection, editor: &mut Editor, view: &View) {
        editor.select(selection, view);
        (self.last_active, self.cursor) = (editor.selection().active(), Some(node));
    }

    fn list(&mut self, ui: &mut Ui, menus: &mut Menus<'_>, has_focus: bool) {
        ui.spacing_mut().item_spacing.y = 0.0;
        if let Some(drag) = &mut self.drag {
            // Found while the rows are shown.
            (drag.over, drag.closed) = (None, None);
        }
        let has_strip = self.drag.as_ref().is_some_and(|drag| drag.has_parents(menus.editor.scene()));
        let height = (ui.available_height() - if has_strip { STRIP } else { 0.0 }).max(ROW);
        let mut area = egui::ScrollArea::vertical().auto_shrink(false).id_salt("nodes").max_height(height);
        let max_offset = (self.rows.rows.len() as f32 * ROW - height).max(0.0);
        let whole = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), height));
        if let Some(index) = self.scroll_to.take().and_then(|node| self.rows.index_of(node)) {
            let (top, bottom) = (index as f32 * ROW, (index + 1) as f32 * ROW);
            let (offset, _) = self.window;
            if top < offset || bottom > offset + height {
                // Scroll by one row to an adjacent row; center any other row.
                let near = top < offset + height + ROW && bottom > offset - ROW;
                let offset = match (near, top < offset) {
                    (true, true) => top,
                    (true, false) => bottom - height,
                    (false, _) => top - 0.5 * (height - ROW),
                };
                area = area.vertical_scroll_offset(offset.clamp(0.0, max_offset));
            }
        }
        let by = self.drag.as_ref().map_or(0.0, |drag| drag.scroll_delta(ui, whole));
        if by != 0.0 {
            area = area.vertical_scroll_offset((self.window.0 + by).clamp(0.0, max_offset));
        }
        if self.rows.rows.is_empty() {
            let empty = if self.rows.found().is_some() { "No matching nodes" } else { "No nodes" };
            ui.add_space(6.0);
            ui.label(style::weak(empty));
            // Keep the height of the list.
            ui.allocate_space(ui.available_size());
            return;
        }
        let count = self.rows.rows.len();
        let output = area.show_rows(ui, ROW, count, |ui, range| {
            let visible: Vec<Row> = self.rows.rows[range.clone()].to_vec();
            let nodes: HashSet<usize> = visible.iter().map(|row| row.node).collect();
            let selected = menus.editor.selection().nodes().iter().copied();
            let selected: HashSet<usize> = selected.filter(|node| nodes.contains(node)).collect();
            self.set_indent(ui, &range);
            for (index, row) in range.zip(visible) {
                let is_selected = selected.contains(&row.node);
                self.row(ui, menus, (index, row, is_selected, has_focus));
            }
        });
        self.window = (output.state.unclamped_offset().y, output.inner_rect.height());
        self.update_drag(ui, menus.editor, output.inner_rect, has_strip);
    }

    /// Updates the indentation for the rows of this range.
    fn set_indent(&mut self, ui: &Ui, range: &std::ops::Range<usize>) {
        let depths = self.rows.rows[range.clone()].iter().map(|row| row.depth);
        let Some(first) = depths.clone().min() else { return };
        let seen = first..=depths.max().unwrap_or(first);
        let width = ui.available_width() - 2.0 * ICON;
        self.indent = Indent::new(width, self.rows.deepest, &seen, self.indent);
    }

    /// Updates a drag of rows, or drops them if the button is released.
    fn update_drag(&mut self, ui: &mut Ui, editor: &mut Editor, list: Rect, has_strip: bool) {
        let Some(drag) = &mut self.drag else { return };
        let (at, is_over) = ui.input(|input| (input.pointer.latest_pos(), !input.pointer.primary_down()));
        let is_at = |rect: Rect| at.is_some_and(|at| rect.contains(at));
        if has_strip {
            ui.add_space(STRIP - ROW);
            let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
            let font = TextStyle::Body.resolve(ui.style());
            ui.painter().rect_stroke(rect, 3.0, Stroke::new(1.0, colors(ui).faint), StrokeKind::Inside);
            ui.painter().text(rect.center(), Align2::CENTER_CENTER, "Clear parent", font, colors(ui).text);
            let below = Rect::from_min_max(list.left_bottom(), rect.max);
            // The empty area below the rows has the same effect as the strip.
            if drag.over.is_none() && (is_at(below) || is_at(list)) {
                drag.over = Some(None);
                drag.mark(ui, rect, drag.verdict(editor.scene(), None));
            }
        }
        let opens = drag.expand(ui);
        if is_over {
            if self.drag.take().is_some_and(|drag| drag.drop_rows(editor)) {
                // Scroll to the active node at its new position.
                self.last_active = None;
            }
            return;
        }
        drag.show_verdict(ui, editor.scene());
        if let Some(node) = opens {
            self.rows.set_open(node, true, editor.scene());
        }
    }

    /// Starts to drag a row. If its node is selected, all selected nodes are dragged.
    fn begin_drag(&mut self, node: usize, held: Modifiers, editor: &mut Editor, view: &View) {
        let is_selected = editor.selection().nodes().contains(&node);
        // A click with a modifier that becomes a small drag must not replace the selection.
        if editor.is_dragging() || (!is_selected && (held.shift || held.command)) {
            return;
        }
        if !is_selected {
            editor.select(Selection::of(&[node]), view);
        }
        // The row is under the pointer, so the list must not scroll.
        (self.last_active, self.cursor) = (editor.selection().active(), Some(node));
        self.drag = RowDrag::begin(editor);
    }
}
