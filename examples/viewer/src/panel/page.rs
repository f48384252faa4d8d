//! What is shown round and over the view: a function of the editor and of how the page is looked
//! at. Knows neither window nor GPU.

use super::history::{self, Steps};
use super::transform::Fields;
use super::tree::{self, Tree};
use super::{bar, help, settings, status, style};
use crate::command::Command;
use crate::editor::Editor;
use crate::files::Files;
use crate::overlay::Overlay;
use egui::{Context, Id, Key, Rect, Ui};
use wgpu_gizmo::View;

/// Width of the panel at first, in points.
const WIDTH: f32 = 340.0;
/// Height of the tree at first, in points.
const TREE: f32 = 236.0;

/// Parts of the panel, in the order in which the keys go through them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Nodes,
    Transform,
    Gizmo,
    History,
    Search,
}

const PARTS: [Part; 5] = [Part::Nodes, Part::Transform, Part::History, Part::Gizmo, Part::Search];

/// What the panels leave to the view, as distances from the window's edges, in points.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Margins {
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) right: f32,
    pub(crate) bottom: f32,
}

/// The page as it is looked at.
#[derive(Debug)]
pub(crate) struct Page {
    /// The panel at the side. The status line is always there.
    pub(crate) is_open: bool,
    /// The menu bar. Once it is there, it stays.
    has_bar: bool,
    /// Width of the panel when it was shown last, in points.
    width: f32,
    pub(crate) shows_help: bool,
    tree: Tree,
    fields: Fields,
    steps: Steps,
    /// The part that the keys went to last, and whether they are to go there now.
    part: Option<(Part, bool)>,
    margins: Margins,
    asked: Vec<Command>,
}

impl Page {
    /// With bar and panel, or without them until the panel is opened.
    pub(crate) fn new(is_open: bool) -> Self {
        let mut page = Self {
            is_open: false,
            has_bar: false,
            width: WIDTH,
            shows_help: false,
            tree: Tree::default(),
            fields: Fields::default(),
            steps: Steps::default(),
            part: None,
            margins: Margins::default(),
            asked: Vec::new(),
        };
        if is_open {
            page.set_open(true);
        }
        page
    }

    /// What the panels left to the view when they were shown last.
    pub(crate) fn margins(&self) -> Margins {
        self.margins
    }

    /// What was asked for that is not the editor's to do alone, once.
    pub(crate) fn take_asked(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.asked)
    }

    /// Whether a name is being typed, or will be in the next frame.
    pub(crate) fn is_renaming(&self) -> bool {
        self.tree.is_renaming()
    }

    /// Shows or hides the panel.
    pub(crate) fn switch(&mut self) {
        self.set_open(!self.is_open);
    }

    /// The margins are known at once: the next frame draws the view before the panel.
    fn set_open(&mut self, is_open: bool) {
        self.is_open = is_open;
        self.has_bar = true;
        let right = if is_open { self.width } else { 0.0 };
        self.margins = Margins { left: 0.0, top: bar::HEIGHT, right, bottom: status::HEIGHT };
    }

    /// The keys go to the next part of the panel, which is opened for that.
    pub(crate) fn focus_next(&mut self, context: &Context) {
        // Keys can come faster than frames: what they were to go to counts.
        let is_on_the_way = self.part.is_some_and(|(_, now)| now);
        let has_focus = self.is_open && context.memory(|memory| memory.focused().is_some());
        let has_focus = has_focus || is_on_the_way;
        self.set_open(true);
        let now = self.part.filter(|_| has_focus).and_then(|(part, _)| PARTS.iter().position(|p| *p == part));
        let next = now.map_or(0, |now| (now + 1) % PARTS.len());
        self.part = Some((PARTS[next], true));
    }

    /// The name of the active node can be typed.
    pub(crate) fn rename(&mut self, editor: &Editor) {
        if let Some(active) = editor.selection().active() {
            self.set_open(true);
            self.tree.rename(active, editor.scene());
        }
    }

    /// Shows everything, and does with the editor what is done to it. `view` is the one that a
    /// drag which this ends was in.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        (editor, files): (&mut Editor, &mut Files),
        view: &View,
        overlay: &Overlay,
    ) {
        let window = ui.max_rect();
        overlay.write(ui.ctx());
        // Esc takes back what is being done to a field.
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            editor.cancel_drawing();
        }
        let begins = self.part.filter(|(_, now)| *now).map(|(part, _)| part);
        self.part = self.part.map(|(part, _)| (part, false));
        if self.is_open {
            let context = ui.ctx().clone();
            let focus = |id: Id| context.memory_mut(|memory| memory.request_focus(id));
            match begins {
                Some(Part::Nodes) => focus(tree::focus_id()),
                Some(Part::History) => focus(history::focus_id()),
                Some(Part::Search) => focus(tree::search_id()),
                Some(Part::Transform | Part::Gizmo) | None => {}
            }
        }
        if self.has_bar {
            bar::show(ui, editor, files, &mut self.asked);
        }
        status::show(ui, editor, overlay);
        if self.is_open {
            let side =
                egui::Panel::right("side").resizable(true).default_size(WIDTH).size_range(320.0..=600.0);
            let frame = egui::Frame::new().fill(style::colors(ui).paper);
            side.frame(frame).show(ui, |ui| self.side(ui, editor, view, begins));
        }
        help::show(ui.ctx(), &mut self.shows_help);
        super::files::over(ui.ctx(), files);
        let free = ui.available_rect_before_wrap();
        self.margins = if self.has_bar { between(window, free) } else { Margins::default() };
        if self.is_open {
            self.width = self.margins.right;
        }
        // A field that is neither dragged nor typed in is done.
        let is_at_rest = ui.memory(|memory| memory.focused().is_none()) && ui.ctx().dragged_id().is_none();
        if is_at_rest {
            editor.settle();
        }
    }

    fn side(&mut self, ui: &mut Ui, editor: &mut Editor, view: &View, begins: Option<Part>) {
        let nodes = egui::Panel::top("nodes").resizable(true).default_size(TREE).size_range(96.0..=2000.0);
        nodes.frame(style::part(ui)).show(ui, |ui| self.tree.show(ui, editor, view));
        let rest = egui::CentralPanel::no_frame().frame(style::part(ui));
        rest.show(ui, |ui| {
            egui::ScrollArea::vertical().auto_shrink(false).id_salt("parts").show(ui, |ui| {
                style::section(ui, "Transform", true, |ui| {
                    self.fields.show(ui, editor, begins == Some(Part::Transform));
                });
                style::section(ui, "History", true, |ui| self.steps.show(ui, editor));
                style::section(ui, "Gizmo", true, |ui| {
                    settings::show(ui, editor, begins == Some(Part::Gizmo));
                });
            });
        });
    }
}

fn between(window: Rect, free: Rect) -> Margins {
    Margins {
        left: (free.left() - window.left()).max(0.0),
        top: (free.top() - window.top()).max(0.0),
        right: (window.right() - free.right()).max(0.0),
        bottom: (window.bottom() - free.bottom()).max(0.0),
    }
}
