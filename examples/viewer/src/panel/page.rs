//! The user interface around and over the viewport, as a function of the editor and the state of the page. It
//! depends on neither the window nor the GPU.

use super::animation::AnimationBar;
use super::history::HistoryList;
use super::menus::Menus;
use super::transform::{self, Fields};
use super::tree::{self, Tree};
use super::volume;
use super::{bar, help, hints, pasted, settings, side, status, style, toolbar};
use crate::files::Files;
use crate::preferences::Preferences;
use egui::epaint::MarginF32;
use egui::{Context, Id, Key, Popup, PopupKind, Pos2, Rect, Sense, Ui};
use render::overlay::Overlay;
use scene::selection::Selection;
use session::command::Command;
use session::editor::Editor;
use wgpu_gizmo::{DrawList, View};
use wgpu_gizmo_egui::sliders;

/// Sections of the panel that can get the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Nodes,
    Transform,
    /// The camera or light of the active node.
    Volume,
    Gizmo,
    History,
    Search,
}

/// The sections in the order in which the focus moves.
const SECTIONS: [Section; 6] =
    [Section::Nodes, Section::Transform, Section::Volume, Section::History, Section::Gizmo, Section::Search];

/// The context menu of the view.
#[derive(Debug)]
struct ContextMenu {
    /// Its corner, in points.
    at: Pos2,
    /// Whether it was not shown yet.
    is_new: bool,
}

/// The state of the user interface.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Whether the side panel is open. The status line is always shown.
    pub(crate) is_open: bool,
    /// Whether the menu bar is shown. Once shown, it stays.
    has_bar: bool,
    /// The width that the panel took at the right, or the height at the bottom, when it was last shown.
    side: [f32; 2],
    pub(crate) shows_help: bool,
    tree: Tree,
    fields: Fields,
    history: HistoryList,
    animation: AnimationBar,
    /// The section that had the focus last, and whether it must get the focus in the next frame.
    section: Option<(Section, bool)>,
    /// Whether the text that is edited loses the focus after the next frame.
    pub(crate) ends_text: bool,
    /// The widget that had the focus when the last frame began.
    focused: Option<egui::Id>,
    /// Whether the active node has a camera or a light, whose fields are a section.
    has_volume: bool,
    /// Whether the buttons of section planes were shown in the last frame.
    has_section_buttons: bool,
    /// The space that the panels take at the edges of the window, in points.
    pub(crate) margins: MarginF32,
    menu: Option<ContextMenu>,
    pub(crate) preferences: Preferences,
    /// Whether a replay plays, which the handles then belong to.
    pub(crate) is_replaying: bool,
    /// Whether the camera flies, so that the pointer and most keys do nothing else.
    pub(crate) is_flying: bool,
    /// The number of nodes that are drawn, and of all in the picture, while it is drawn in chunks.
    pub(crate) drawing: Option<[usize; 2]>,
    /// The commands that were chosen in the menus, until the window takes them.
    pub(crate) commands: Vec<Command>,
}

impl Page {
    /// Returns a page with the menu bar and the panel, or without both until the panel is opened.
    pub(crate) fn new(is_open: bool) -> Self {
        let mut page = Self { side: [side::WIDTH, 0.0], ..Self::default() };
        if is_open {
            page.set_open(true);
        }
        page
    }

    /// Returns true if a name is being edited, or will be in the next frame.
    pub(crate) fn is_renaming(&self) -> bool {
        self.tree.renaming.is_some()
    }

    fn menus<'a>(&'a mut self, editor: &'a mut Editor, view: &'a View) -> Menus<'a> {
        Menus { editor, view, preferences: &mut self.preferences, commands: &mut self.commands }
    }

    /// Shows or hides the panel.
    pub(crate) fn toggle(&mut self) {
        self.set_open(!self.is_open);
    }

    /// Opens or closes the panel. The margins are updated immediately, because the next frame draws the
    /// viewport before the panel.
    fn set_open(&mut self, is_open: bool) {
        self.is_open = is_open;
        self.has_bar = true;
        let [right, below] = self.side_size();
        let bottom = status::HEIGHT + below;
        let left = self.margins.left.max(toolbar::WIDTH);
        self.margins = MarginF32 { left, top: bar::HEIGHT, right, bottom };
    }

    /// Returns the width that the panel takes at the right and the height at the bottom, of which one is 0.
    pub(crate) fn side_size(&self) -> [f32; 2] {
        if self.is_open { self.side } else { [0.0; 2] }
    }

    /// Moves the focus to the next section of the panel and opens the panel if needed.
    pub(crate) fn focus_next(&mut self, context: &Context) {
        // Keys can be faster than frames, so a pending focus change counts as done.
        let is_pending = self.section.is_some_and(|(_, pending)| pending);
        let has_focus = self.is_open && context.memory(|memory| memory.focused().is_some());
        let has_focus = has_focus || is_pending;
        self.set_open(true);
        let current = self.section.filter(|_| has_focus).map(|(section, _)| section);
        let after = SECTIONS.iter().skip_while(|section| Some(**section) != current).skip(1);
        let mut all =
            after.chain(&SECTIONS).filter(|section| self.has_volume || **section != Section::Volume);
        self.section = all.next().map(|section| (*section, true));
    }

    /// Starts to edit the name of the active node.
    pub(crate) fn rename(&mut self, editor: &mut Editor) {
        let Some(active) = editor.selection().active() else { return editor.explain_no_change() };
        self.set_open(true);
        self.tree.rename(active, editor.scene());
    }

    /// Shows the user interface and applies the user's actions to the editor. `view` is the view of a drag
    /// that an action may end.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        (editor, files): (&mut Editor, &mut Files),
        view: &View,
        overlay: &Overlay,
    ) {
        let window = ui.max_rect();
        let focus_before = ui.memory(|memory| memory.focused());
        // Without the menu bar, the window shows what a picture without a window does.
        let beside = hints::beside_pointer(editor, view, overlay, ui.ctx()).filter(|_| self.has_bar);
        overlay.clone().with_readout(beside).paint(ui.ctx());
        if let Some(message) = pasted::take_message(ui.ctx()) {
            editor.show_message(message);
        }
        if files.dialog.is_none() && !self.is_replaying {
            transform::clipboard(ui, editor);
        }
        // Esc cancels a change in a field.
        if !self.is_replaying && ui.input(|input| input.key_pressed(Key::Escape)) {
            editor.cancel_adjusting();
        }
        let focused = self.section.filter(|(_, pending)| *pending).map(|(section, _)| section);
        self.section = self.section.map(|(section, _)| (section, false));
        if let Some(section) = focused.filter(|_| self.is_open) {
            focus(ui, section);
        }
        if self.has_bar {
            bar::show(ui, &mut self.menus(editor, view), files);
        }
        // The message about a flight has its keys.
        let hints = if self.is_flying { Vec::new() } else { hints::now(editor, self.preferences.keymap) };
        status::show(ui, (editor, self.drawing), &hints);
        if self.has_bar {
            toolbar::show(ui, &mut self.menus(editor, view));
            self.animation.show(ui, editor, view);
        }
        self.close_section_buttons(editor);
        if self.is_open {
            let free = ui.available_rect_before_wrap();
            let frame = egui::Frame::new().fill(style::colors(ui).background);
            side::panel(free, self.preferences.side_width).frame(frame).show(ui, |ui| {
                // Contents that are larger than the panel neither resize it nor move its edge.
                let rect = ui.max_rect();
                let mut contents = ui.new_child(egui::UiBuilder::new().max_rect(rect));
                self.side(&mut contents, editor, view, focused);
                ui.expand_to_include_rect(rect);
            });
            self.side = (free.max - ui.available_rect_before_wrap().max).into();
            if self.side[0] > 0.0 {
                self.preferences.side_width = self.side[0].round();
            }
        }
        help::show(ui.ctx(), &mut self.shows_help, &mut self.preferences);
        super::files::overlays(ui.ctx(), files);
        let free = ui.available_rect_before_wrap();
        self.margins = if self.has_bar { margins(window, free) } else { MarginF32::default() };
        if !self.is_replaying {
            handles(ui, editor, view);
        }
        self.context_menu(ui, editor, view);
        if let Some(before) = focus_before {
            keep_focus(ui, before);
        }
        if std::mem::take(&mut self.ends_text) {
            ui.memory_mut(|memory| memory.focused().into_iter().for_each(|id| memory.surrender_focus(id)));
        }
        // Not in every frame of a drag.
        if !ui.input(|input| input.pointer.any_down()) {
            self.preferences.note(editor);
            self.preferences.store();
        }
        // A change is complete when no field is dragged or edited, unless a replay makes it. A text is read up to a
        // frame after its field has lost the focus.
        let focused = ui.memory(|memory| memory.focused());
        let is_edited = focused.is_some() && [focus_before, self.focused] == [focused; 2];
        if !is_edited && !self.is_replaying && ui.ctx().dragged_id().is_none() {
            editor.settle();
        }
        self.focused = focus_before;
    }

    /// Hides the handles that a section has shown when its buttons are closed: with the panel or their part of it.
    fn close_section_buttons(&mut self, editor: &mut Editor) {
        let has_buttons = self.is_open && style::is_section_open("Gizmo", &self.preferences.sections);
        // A drag of such a handle ends first.
        if has_buttons || !editor.is_dragging() {
            if self.has_section_buttons && !has_buttons {
                editor.hide_section_handles();
            }
            self.has_section_buttons = has_buttons;
        }
    }

    /// Opens the context menu of the view at a position in points. If the pointer is over a node that is not
    /// selected, the node is selected first.
    pub(crate) fn open_context_menu(&mut self, at: Pos2) {
        if self.has_bar {
            self.menu = Some(ContextMenu { at, is_new: true });
        }
    }

    /// Returns true while the context menu of the view is open, which then has exclusive use of the pointer.
    pub(crate) fn has_context_menu(&self) -> bool {
        self.menu.is_some()
    }

    fn context_menu(&mut self, ui: &Ui, editor: &mut Editor, view: &View) {
        let Some(menu) = &mut self.menu else { return };
        if std::mem::take(&mut menu.is_new) {
            let hovered = editor.gizmo().hovered_object().and_then(|id| editor.node_of(id));
            if let Some(node) = hovered.filter(|node| !editor.selection().nodes().contains(node)) {
                editor.select(Selection::of(&[node]), view);
            }
        }
        let (mut is_open, at) = (true, menu.at);
        let mut menus = self.menus(editor, view);
        let id = Id::unique("context menu of the view");
        Popup::new(id, ui.ctx().clone(), at, egui::LayerId::background())
            .kind(PopupKind::Menu)
            .layout(egui::Layout::top_down_justified(egui::Align::Min))
            .style(egui::containers::menu::menu_style)
            .open_bool(&mut is_open)
            .show(|ui| menus.of_nodes(ui));
        if !is_open {
            self.menu = None;
        }
    }

    fn side(&mut self, ui: &mut Ui, editor: &mut Editor, view: &View, focused: Option<Section>) {
        let Self { tree, fields, history, preferences, commands, .. } = self;
        let menus = &mut Menus { editor, view, preferences, commands };
        let free = ui.available_rect_before_wrap();
        let nodes = side::tree(free, menus.preferences.tree_share);
        let shown = nodes.frame(style::section_frame(ui)).show(ui, |ui| tree.show(ui, menus));
        if ui.input(|input| input.pointer.primary_down()) && free.height() > 0.0 {
            let share = shown.response.rect.height() / free.height();
            menus.preferences.tree_share = share.clamp(0.1, 0.9);
        }
        let rest = egui::CentralPanel::no_frame().frame(style::section_frame(ui));
        rest.show(ui, |ui| {
            egui::ScrollArea::vertical().auto_shrink(false).id_salt("parts").show(ui, |ui| {
                let takes_focus = |section| focused == Some(section);
                style::section(ui, "Transform", menus, takes_focus(Section::Transform), |ui, menus| {
                    // Numbers of an animation are neither edited nor saved.
                    let is_at_rest = menus.editor.scene().pose().is_none();
                    ui.add_enabled_ui(is_at_rest, |ui| fields.show(ui, menus.editor));
                });
                self.has_volume = volume::section(ui, menus, takes_focus(Section::Volume));
                let steps = |ui: &mut Ui, menus: &mut Menus<'_>| history.show(ui, menus.editor);
                style::section(ui, "History", menus, takes_focus(Section::History), steps);
                style::section(ui, "Gizmo", menus, takes_focus(Section::Gizmo), settings::show);
                style::section(ui, "Snapping", menus, false, settings::snapping);
                style::section(ui, "Handles and rules", menus, false, settings::rules);
            });
        });
    }
}

/// Makes the handles sliders for screen readers and the keyboard while assistive technology is active.
fn handles(ui: &Ui, editor: &mut Editor, view: &View) {
    let rect = view.viewport().rect();
    let [min, max] = [rect.min, rect.max].map(|px| Pos2::new(px.x as f32, px.y as f32));
    let rect = Rect::from_min_max(min, max) / ui.ctx().pixels_per_point();
    let id = Id::unique("handles");
    let is_idle = !editor.is_busy() && !editor.moved().is_empty();
    if is_idle && ui.ctx().accesskit_node_builder(id, |node| node.set_label("Handles")).is_some() {
        let mut list = DrawList::new();
        editor.draw_gizmo(list.begin(view));
        let response = ui.interact(rect, id, Sense::hover());
        editor.drag_by(|gizmo, targets| sliders(ui, &response, gizmo, &list, targets));
    }
}

/// Keeps the focus in the panel if a click has taken it from a widget. The clicked widget gets it if it can have it.
/// After a click on a part of a list, or in a menu, which closes, the former widget gets it back. A click never takes
/// the focus from the viewport, whose keys are shortcuts.
fn keep_focus(ui: &Ui, former: Id) {
    let is_lost = ui.memory(|memory| memory.focused().is_none());
    let clicked = ui.ctx().interaction_snapshot(|interaction| interaction.clicked);
    let Some(clicked) = clicked.filter(|_| is_lost).and_then(|id| ui.ctx().read_response(id)) else { return };
    let is_in_panel = clicked.layer_id.order == egui::Order::Background;
    let is_part = || {
        let at = ui.input(|input| input.pointer.interact_pos());
        ui.ctx().read_response(former).zip(at).is_some_and(|(former, at)| former.rect.contains(at))
    };
    if is_in_panel && clicked.sense.is_focusable() {
        clicked.request_focus();
    } else if !is_in_panel || is_part() {
        ui.memory_mut(|memory| memory.request_focus(former));
    }
}

fn margins(window: Rect, free: Rect) -> MarginF32 {
    MarginF32 {
        left: (free.left() - window.left()).max(0.0),
        top: (free.top() - window.top()).max(0.0),
        right: (window.right() - free.right()).max(0.0),
        bottom: (window.bottom() - free.bottom()).max(0.0),
    }
}

/// Moves the keyboard focus to a part of the tree.
fn focus(ui: &Ui, section: Section) {
    let id = match section {
        Section::Nodes => tree::focus_id(),
        Section::Search => tree::search_id(),
        _ => return,
    };
    ui.memory_mut(|memory| memory.request_focus(id));
}
