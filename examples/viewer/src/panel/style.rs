//! Colours, sizes and the few widgets that the panel's parts share.

use egui::{Color32, CornerRadius, FontFamily, FontId, Frame, Margin, Response, RichText, Stroke, TextStyle};
use egui::{Ui, vec2};

/// What the panel is painted on.
pub(super) const PAPER: Color32 = Color32::from_rgb(30, 32, 36);
/// Bars at the window's edges, and fields to type in.
pub(super) const DEEP: Color32 = Color32::from_rgb(21, 23, 26);
/// Lines between parts.
pub(super) const LINE: Color32 = Color32::from_rgb(48, 51, 57);
/// What is important.
pub(super) const CLEAR: Color32 = Color32::from_gray(236);
/// What is to be read.
pub(super) const PLAIN: Color32 = Color32::from_gray(204);
/// What is to be read second: still 6 : 1 against the paper.
pub(super) const QUIET: Color32 = Color32::from_gray(154);
/// What is there to be found, such as an open eye.
pub(super) const FAINT: Color32 = Color32::from_gray(104);
/// As the outline of the active node.
pub(super) const ACTIVE: Color32 = Color32::from_rgb(255, 176, 84);
/// Behind the active node's row.
pub(super) const ACTIVE_ROW: Color32 = Color32::from_rgb(84, 58, 28);
/// Behind the rows of the other selected nodes.
pub(super) const SELECTED_ROW: Color32 = Color32::from_rgb(56, 46, 36);
/// Behind the row under the pointer.
pub(super) const HOVERED_ROW: Color32 = Color32::from_rgb(41, 44, 50);
/// Round what the keys go to.
pub(super) const FOCUS: Color32 = Color32::from_rgb(110, 168, 255);
/// What cannot be.
pub(super) const WRONG: Color32 = Color32::from_rgb(255, 122, 112);
/// Height of a row in lists, in points.
pub(super) const ROW: f32 = 22.0;
/// Between the panel's edge and what is in it, in points.
pub(super) const EDGE: i8 = 12;

/// Gives everything that egui draws here its looks.
pub(super) fn set(context: &egui::Context) {
    context.set_theme(egui::Theme::Dark);
    context.all_styles_mut(|style| {
        let font = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles.insert(TextStyle::Body, font(13.0));
        style.text_styles.insert(TextStyle::Button, font(13.0));
        style.text_styles.insert(TextStyle::Small, font(11.5));
        style.text_styles.insert(TextStyle::Heading, font(14.0));
        style.text_styles.insert(TextStyle::Monospace, FontId::new(12.5, FontFamily::Monospace));
        style.drag_value_text_style = TextStyle::Monospace;
        style.animation_time = 0.0;
        style.scroll_animation = egui::style::ScrollAnimation::none();
        let spacing = &mut style.spacing;
        spacing.item_spacing = vec2(6.0, 4.0);
        spacing.button_padding = vec2(8.0, 2.0);
        spacing.interact_size = vec2(36.0, ROW);
        spacing.icon_width = 15.0;
        spacing.indent = 14.0;
        spacing.window_margin = Margin::same(EDGE);
        spacing.combo_width = 60.0;
        spacing.scroll = egui::style::ScrollStyle::thin();
        let visuals = &mut style.visuals;
        visuals.panel_fill = PAPER;
        visuals.window_fill = Color32::from_rgb(36, 39, 44);
        visuals.window_stroke = Stroke::new(1.0, LINE);
        visuals.extreme_bg_color = DEEP;
        visuals.faint_bg_color = HOVERED_ROW;
        visuals.selection.bg_fill = Color32::from_rgb(108, 74, 34);
        visuals.selection.stroke = Stroke::new(1.0, Color32::from_rgb(255, 224, 188));
        visuals.weak_text_color = Some(QUIET);
        visuals.error_fg_color = WRONG;
        visuals.disabled_alpha = 0.45;
        // A frame only where something changes.
        visuals.text_cursor.blink = false;
        let widgets = &mut visuals.widgets;
        widgets.noninteractive.fg_stroke.color = PLAIN;
        widgets.noninteractive.bg_stroke.color = LINE;
        let fills = [
            (&mut widgets.inactive, Color32::from_rgb(47, 50, 57), PLAIN),
            (&mut widgets.hovered, Color32::from_rgb(60, 64, 73), CLEAR),
            (&mut widgets.active, Color32::from_rgb(72, 77, 88), CLEAR),
            (&mut widgets.open, Color32::from_rgb(60, 64, 73), CLEAR),
        ];
        for (widget, fill, text) in fills {
            (widget.bg_fill, widget.weak_bg_fill) = (fill, fill);
            widget.fg_stroke.color = text;
            widget.bg_stroke = Stroke::NONE;
            widget.corner_radius = CornerRadius::same(4);
            widget.expansion = 0.0;
        }
        // What has the focus is drawn as what is pressed.
        widgets.active.bg_stroke = Stroke::new(1.0, FOCUS);
    });
}

/// A bar along an edge of the window.
pub(super) fn bar() -> Frame {
    Frame::new().fill(DEEP).inner_margin(Margin::symmetric(EDGE, 0))
}

/// A part of the panel.
pub(super) fn part() -> Frame {
    Frame::new().fill(PAPER).inner_margin(Margin { left: EDGE, right: EDGE, top: 8, bottom: 8 })
}

/// What a screen reader calls a widget, and what is said when the pointer rests on it.
pub(super) fn named(response: Response, name: &str) -> Response {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_label(name));
    response
}

/// Whether the keys go to the widget that is added to this very `Ui` next.
pub(super) fn next_has_focus(ui: &Ui) -> bool {
    ui.memory(|memory| memory.has_focus(ui.next_auto_id()))
}

/// A text that comes second.
pub(super) fn quiet(text: impl Into<String>) -> RichText {
    RichText::new(text).color(QUIET)
}

/// A part that can be folded away.
pub(super) fn section<R>(ui: &mut Ui, title: &str, is_open: bool, body: impl FnOnce(&mut Ui) -> R) {
    let title = RichText::new(title).color(CLEAR).strong();
    egui::CollapsingHeader::new(title).default_open(is_open).show_unindented(ui, |ui| {
        ui.add_space(2.0);
        body(ui);
        ui.add_space(8.0);
    });
}

/// A label in a column of its own, with something to change beside it.
pub(super) fn labelled<R>(ui: &mut Ui, label: &str, widget: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(LABEL, ROW), egui::Sense::hover());
        let font = TextStyle::Body.resolve(ui.style());
        ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, label, font, QUIET);
        widget(ui)
    })
    .inner
}

/// Width of the column of labels, in points.
pub(super) const LABEL: f32 = 92.0;
