//! Colors, sizes and the few widgets that the panel's parts share.

use egui::{
    Color32, CornerRadius, FontFamily, FontId, Frame, Margin, Response, RichText, Stroke, Style, TextStyle,
    Theme, Ui, vec2,
};

/// Everything that is painted in the panel is painted with these.
#[derive(Debug)]
pub(super) struct Colors {
    /// What the panel is painted on.
    pub(super) paper: Color32,
    /// The bar at the top, and the line at the bottom.
    bar: Color32,
    pub(super) foot: Color32,
    /// What is typed in, what lies over the window.
    field: Color32,
    window: Color32,
    /// Lines between parts.
    pub(super) line: Color32,
    /// What is important.
    pub(super) clear: Color32,
    /// What is to be read.
    pub(super) plain: Color32,
    /// What is to be read second: still 5.5 : 1 against the paper.
    pub(super) quiet: Color32,
    /// What is there to be found, such as an open eye.
    pub(super) faint: Color32,
    /// As the outline of the active node.
    pub(super) active: Color32,
    /// Behind the active node's row.
    pub(super) active_row: Color32,
    /// Behind the rows of the other selected nodes.
    pub(super) selected_row: Color32,
    /// Behind the row under the pointer.
    pub(super) hovered_row: Color32,
    /// Behind text that is selected, and the text itself.
    marked: [Color32; 2],
    /// Round what the keys go to.
    pub(super) focus: Color32,
    /// What cannot be, and what is as it should be.
    pub(super) wrong: Color32,
    pub(super) good: Color32,
    /// A number of the drag.
    pub(super) number: Color32,
    /// As the handles' colors, such that they can be read.
    pub(super) axes: [Color32; 3],
    /// Of buttons: as they are, under the pointer, pressed.
    buttons: [Color32; 3],
}

const DARK: Colors = Colors {
    paper: Color32::from_rgb(30, 32, 36),
    bar: Color32::from_rgb(21, 23, 26),
    foot: Color32::from_rgb(18, 20, 24),
    field: Color32::from_rgb(21, 23, 26),
    window: Color32::from_rgb(36, 39, 44),
    line: Color32::from_rgb(48, 51, 57),
    clear: Color32::from_gray(236),
    plain: Color32::from_gray(204),
    quiet: Color32::from_gray(154),
    faint: Color32::from_gray(104),
    active: Color32::from_rgb(255, 176, 84),
    active_row: Color32::from_rgb(84, 58, 28),
    selected_row: Color32::from_rgb(56, 46, 36),
    hovered_row: Color32::from_rgb(41, 44, 50),
    marked: [Color32::from_rgb(108, 74, 34), Color32::from_rgb(255, 224, 188)],
    focus: Color32::from_rgb(110, 168, 255),
    wrong: Color32::from_rgb(255, 122, 112),
    good: Color32::from_rgb(130, 220, 140),
    number: Color32::from_rgb(255, 214, 92),
    axes: [
        Color32::from_rgb(240, 112, 112),
        Color32::from_rgb(126, 196, 92),
        Color32::from_rgb(108, 156, 250),
    ],
    buttons: [Color32::from_rgb(47, 50, 57), Color32::from_rgb(60, 64, 73), Color32::from_rgb(72, 77, 88)],
};

const LIGHT: Colors = Colors {
    paper: Color32::from_rgb(243, 244, 246),
    bar: Color32::from_rgb(228, 230, 234),
    foot: Color32::from_rgb(222, 225, 230),
    field: Color32::from_rgb(254, 254, 255),
    window: Color32::from_rgb(249, 250, 251),
    line: Color32::from_rgb(205, 208, 214),
    clear: Color32::from_gray(20),
    plain: Color32::from_gray(52),
    quiet: Color32::from_gray(86),
    faint: Color32::from_gray(146),
    active: Color32::from_rgb(152, 72, 0),
    active_row: Color32::from_rgb(255, 217, 168),
    selected_row: Color32::from_rgb(250, 234, 213),
    hovered_row: Color32::from_rgb(230, 233, 238),
    marked: [Color32::from_rgb(255, 205, 146), Color32::from_rgb(84, 44, 0)],
    focus: Color32::from_rgb(28, 100, 216),
    wrong: Color32::from_rgb(178, 28, 20),
    good: Color32::from_rgb(14, 100, 34),
    number: Color32::from_rgb(122, 72, 0),
    axes: [Color32::from_rgb(190, 36, 36), Color32::from_rgb(46, 116, 16), Color32::from_rgb(32, 84, 204)],
    buttons: [
        Color32::from_rgb(221, 224, 230),
        Color32::from_rgb(208, 212, 220),
        Color32::from_rgb(194, 199, 209),
    ],
};

fn of_theme(theme: Theme) -> &'static Colors {
    match theme {
        Theme::Dark => &DARK,
        Theme::Light => &LIGHT,
    }
}

/// What there is painted with.
pub(super) fn colors(ui: &Ui) -> &'static Colors {
    if ui.visuals().dark_mode { &DARK } else { &LIGHT }
}

/// Light where the view is light.
pub(super) fn follow(context: &egui::Context, is_light: bool) {
    context.set_theme(if is_light { Theme::Light } else { Theme::Dark });
}

/// Height of a row in lists, in points.
pub(super) const ROW: f32 = 22.0;
/// Between the panel's edge and what is in it, in points.
pub(super) const EDGE: i8 = 12;

/// Gives everything that egui draws here its looks.
pub(super) fn set(context: &egui::Context) {
    context.set_theme(Theme::Dark);
    for theme in [Theme::Dark, Theme::Light] {
        context.style_mut_of(theme, |style| looks(style, of_theme(theme)));
    }
}

fn looks(style: &mut Style, colors: &Colors) {
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
    // What stands at an edge is to be read as well: it may be the active node.
    spacing.scroll.fade.strength = 0.0;
    // At the end of a hundred thousand rows an `f32` has no places near enough to each other for a
    // spring to come to rest.
    spacing.scroll.kinetic.rubber_band = false;
    let visuals = &mut style.visuals;
    visuals.panel_fill = colors.paper;
    visuals.window_fill = colors.window;
    visuals.window_stroke = Stroke::new(1.0, colors.line);
    visuals.extreme_bg_color = colors.field;
    visuals.faint_bg_color = colors.hovered_row;
    visuals.selection.bg_fill = colors.marked[0];
    visuals.selection.stroke = Stroke::new(1.0, colors.marked[1]);
    visuals.weak_text_color = Some(colors.quiet);
    visuals.error_fg_color = colors.wrong;
    visuals.disabled_alpha = 0.45;
    // A frame only where something changes.
    visuals.text_cursor.blink = false;
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.fg_stroke.color = colors.plain;
    widgets.noninteractive.bg_stroke.color = colors.line;
    let fills = [
        (&mut widgets.inactive, colors.buttons[0], colors.plain),
        (&mut widgets.hovered, colors.buttons[1], colors.clear),
        (&mut widgets.active, colors.buttons[2], colors.clear),
        (&mut widgets.open, colors.buttons[1], colors.clear),
    ];
    for (widget, fill, text) in fills {
        (widget.bg_fill, widget.weak_bg_fill) = (fill, fill);
        widget.fg_stroke.color = text;
        widget.bg_stroke = Stroke::NONE;
        widget.corner_radius = CornerRadius::same(4);
        widget.expansion = 0.0;
    }
    // What has the focus is drawn as what is pressed.
    widgets.active.bg_stroke = Stroke::new(1.0, colors.focus);
}

/// A bar along an edge of the window.
pub(super) fn bar(ui: &Ui) -> Frame {
    Frame::new().fill(colors(ui).bar).inner_margin(Margin::symmetric(EDGE, 0))
}

/// A part of the panel.
pub(super) fn part(ui: &Ui) -> Frame {
    Frame::new().fill(colors(ui).paper).inner_margin(Margin { left: EDGE, right: EDGE, top: 8, bottom: 8 })
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
    RichText::new(text).weak()
}

/// A part that can be folded away.
pub(super) fn section<R>(ui: &mut Ui, title: &str, is_open: bool, body: impl FnOnce(&mut Ui) -> R) {
    let title = RichText::new(title).strong();
    egui::CollapsingHeader::new(title).default_open(is_open).show_unindented(ui, |ui| {
        ui.add_space(2.0);
        body(ui);
        ui.add_space(8.0);
    });
}

/// A label in a column of its own, with something to change beside it.
pub(super) fn labeled<R>(ui: &mut Ui, label: &str, widget: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(LABEL, ROW), egui::Sense::hover());
        let font = TextStyle::Body.resolve(ui.style());
        ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, label, font, colors(ui).quiet);
        widget(ui)
    })
    .inner
}

/// Width of the column of labels, in points.
pub(super) const LABEL: f32 = 92.0;

#[cfg(test)]
mod tests {
    use super::*;

    /// As WCAG 2 has it: 1 to 21.
    fn contrast(a: Color32, b: Color32) -> f64 {
        let light = |color: Color32| {
            let linear = |channel: u8| match f64::from(channel) / 255.0 {
                dark if dark <= 0.04045 => dark / 12.92,
                bright => ((bright + 0.055) / 1.055).powf(2.4),
            };
            0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
        };
        let (a, b) = (light(a) + 0.05, light(b) + 0.05);
        if a > b { a / b } else { b / a }
    }

    #[test]
    fn what_is_written_can_be_read_in_the_dark_and_in_the_light() {
        for (name, colors) in [("dark", &DARK), ("light", &LIGHT)] {
            let grounds = [colors.paper, colors.bar, colors.foot, colors.window, colors.field];
            let rows = [colors.selected_row, colors.hovered_row];
            let texts = [colors.clear, colors.plain, colors.quiet, colors.wrong, colors.good, colors.number];
            let on_rows =
                [colors.clear, colors.plain].into_iter().flat_map(|text| rows.map(|row| (text, row)));
            let axes = colors.axes.map(|axis| (axis, colors.paper));
            let pairs = texts.iter().flat_map(|text| grounds.map(|ground| (*text, ground)));
            let pairs = pairs.chain(on_rows).chain(axes).chain([
                (colors.active, colors.active_row),
                (colors.active, colors.paper),
                (colors.marked[0], colors.marked[1]),
                (colors.clear, colors.buttons[2]),
                (colors.plain, colors.buttons[0]),
            ]);
            for (text, ground) in pairs {
                let contrast = contrast(text, ground);
                assert!(contrast >= 4.5, "{name}: {text:?} on {ground:?}: {contrast:.2}");
            }
            for ground in [colors.paper, colors.bar] {
                assert!(contrast(colors.quiet, ground) >= 5.5, "{name}: what is to be read second");
                assert!(contrast(colors.focus, ground) >= 3.0, "{name}: what the keys go to");
            }
        }
    }
}
