//! Describes the accessibility tree as text, by sections of the panel.

use super::*;

const SIZE: egui::Vec2 = vec2(1280.0, 800.0);
/// The top of the status line, which hides the rest of the panel.
pub(super) const BOTTOM: f32 = 766.0;
/// Sections with a column of their own. The others are those of a camera or a light.
pub(super) const SECTIONS: [(&str, &str); 5] = [
    ("Transform", "transform"),
    ("History", "history"),
    ("Gizmo", "gizmo"),
    ("Snapping", "snapping"),
    ("Handles and rules", "rules"),
];

/// A widget that is seen, or a text.
pub(super) struct Seen {
    pub(super) id: egui::accesskit::NodeId,
    pub(super) role: Role,
    pub(super) center: Pos2,
    /// The column of the table.
    pub(super) section: &'static str,
    pub(super) is_widget: bool,
    pub(super) text: String,
}

/// The content of the accessibility tree, in order.
struct Reader {
    all: Vec<Seen>,
    /// The left edge of the panel, and its section.
    edge: f32,
    side: &'static str,
}

impl Reader {
    fn read(&mut self, node: &egui_kittest::Node<'_>, is_in_popup: bool) {
        let (at, is_focused) = (node.accesskit_node(), node.is_focused());
        if let Some(rect) = at.bounding_box() {
            let center = Pos2::new(rect.x0.midpoint(rect.x1) as f32, rect.y0.midpoint(rect.y1) as f32);
            if at.role() == Role::DisclosureTriangle && center.x > self.edge {
                let title = at.label().unwrap_or_default();
                let found = SECTIONS.iter().find(|(of, _)| *of == title);
                self.side = found.map_or("volume", |(_, column)| column);
            }
            let section = match center {
                _ if is_in_popup => "popups",
                _ if center.y < 40.0 => "bar",
                _ if center.y > BOTTOM && matches!(at.role(), Role::Label | Role::TextRun) => "status",
                _ if center.x < 48.0 => "toolbar",
                _ if center.x < self.edge && center.y > BOTTOM - 40.0 => "animation",
                _ if center.x < self.edge => "view",
                _ if self.side == "tree" && at.role() == Role::TextInput => "search",
                _ => self.side,
            };
            let does = |action| at.data().supports_action(action);
            let passes = [Role::TextRun, Role::Label, Role::ScrollBar, Role::Tree, Role::ListBox];
            let is_widget = !passes.contains(&at.role()) && (does(Action::Click) || does(Action::Focus));
            let (label, value, toggled) = (at.label(), at.value(), at.toggled());
            let (is_expanded, is_disabled) = (at.data().is_expanded(), at.is_disabled());
            let text = format!("{label:?} {value:?} {toggled:?} {is_expanded:?} {is_disabled} {is_focused}");
            self.all.push(Seen { id: at.locate().0, role: at.role(), center, section, is_widget, text });
        }
        // A menu is in the widget that has opened it.
        let opens = matches!(at.role(), Role::Button | Role::ComboBox | Role::TreeItem);
        node.children().for_each(|child| self.read(&child, is_in_popup || opens));
    }
}

/// Returns what the accessibility tree has, in order.
pub(super) fn seen(harness: &Harness<'_, Session>) -> Vec<Seen> {
    let edge = SIZE.x - harness.state().page.margins.right;
    let mut reader = Reader { all: Vec::new(), edge, side: "tree" };
    reader.read(&harness.root(), false);
    reader.all
}
