//! Colors, sizes and widgets that the sections of the panel share.

use super::menus::Menus;
use egui::accesskit::Role;
use egui::text::{CCursor, CCursorRange, LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, Context, CornerRadius, FocusDirection, FontFamily, FontId, Frame, Galley, Id, Margin,
    Rect, Response, RichText, Stroke, StrokeKind, Style, TextEdit, TextStyle, Theme, Ui, Window, vec2,
};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The colors of the user interface.
#[derive(Debug)]
pub(super) struct Colors {
    /// Background of the panel.
    pub(super) background: Color32,
    /// Backgrounds of the menu bar and the status line.
    bar: Color32,
    pub(super) status_bar: Color32,
    /// Backgrounds of text fields and of windows.
    field: Color32,
    window: Color32,
    /// Lines between sections.
    pub(super) line: Color32,
    /// Emphasized text.
    pub(super) strong: Color32,
    /// Normal text.
    pub(super) text: Color32,
    /// Secondary text, also of hidden nodes and undone steps.
    pub(super) weak: Color32,
    /// Unobtrusive icons, such as an open eye.
    pub(super) faint: Color32,
    /// The active node; matches its outline in the viewport.
    pub(super) active: Color32,
    /// Background of the active node's row.
    pub(super) active_row: Color32,
    /// Background of the rows of other selected nodes.
    pub(super) selected_row: Color32,
    /// Background of the row under the pointer.
    pub(super) hovered_row: Color32,
    /// Background and color of selected text.
    text_selection: [Color32; 2],
    /// Outline of the widget with the focus.
    pub(super) focus: Color32,
    /// Text of errors and of successful checks.
    pub(super) error: Color32,
    pub(super) success: Color32,
    /// The colors of the axes, adjusted for legibility.
    pub(super) axes: [Color32; 3],
    /// Backgrounds of buttons: normal, hovered and pressed.
    buttons: [Color32; 3],
}

const fn rgb(r: u8, g: u8, b: u8) -> Color32 {
    Color32::from_rgb(r, g, b)
}

const DARK: Colors = Colors {
    background: rgb(30, 32, 36),
    bar: rgb(21, 23, 26),
    status_bar: rgb(18, 20, 24),
    field: rgb(21, 23, 26),
    window: rgb(36, 39, 44),
    line: rgb(48, 51, 57),
    strong: Color32::from_gray(236),
    text: Color32::from_gray(204),
    weak: Color32::from_gray(168),
    faint: Color32::from_gray(104),
    active: rgb(255, 176, 84),
    active_row: rgb(66, 46, 22),
    selected_row: rgb(56, 46, 36),
    hovered_row: rgb(41, 44, 50),
    text_selection: [rgb(108, 74, 34), rgb(255, 224, 188)],
    focus: rgb(110, 168, 255),
    error: rgb(255, 122, 112),
    success: rgb(130, 220, 140),
    axes: [rgb(240, 112, 112), rgb(126, 196, 92), rgb(108, 156, 250)],
    buttons: [rgb(45, 48, 54), rgb(52, 56, 63), rgb(58, 62, 70)],
};

const LIGHT: Colors = Colors {
    background: rgb(243, 244, 246),
    bar: rgb(228, 230, 234),
    status_bar: rgb(222, 225, 230),
    field: rgb(254, 254, 255),
    window: rgb(249, 250, 251),
    line: rgb(205, 208, 214),
    strong: Color32::from_gray(20),
    text: Color32::from_gray(52),
    weak: Color32::from_gray(80),
    faint: Color32::from_gray(146),
    active: rgb(132, 62, 0),
    active_row: rgb(255, 217, 168),
    selected_row: rgb(250, 234, 213),
    hovered_row: rgb(230, 233, 238),
    text_selection: [rgb(255, 205, 146), rgb(84, 44, 0)],
    focus: rgb(28, 100, 216),
    error: rgb(178, 28, 20),
    success: rgb(14, 100, 34),
    axes: [rgb(190, 36, 36), rgb(46, 116, 16), rgb(32, 84, 204)],
    buttons: [rgb(221, 224, 230), rgb(208, 212, 220), rgb(194, 199, 209)],
};

/// Returns the colors of the current theme.
pub(super) fn colors(ui: &Ui) -> &'static Colors {
    if ui.visuals().dark_mode { &DARK } else { &LIGHT }
}

/// Selects the light or dark theme.
pub(super) fn set_theme(context: &Context, is_light: bool) {
    context.set_theme(if is_light { Theme::Light } else { Theme::Dark });
}

/// Height of a row in lists, in points.
pub(super) const ROW: f32 = 22.0;
/// Space between the edge of the panel and its contents, in points.
pub(super) const EDGE: i8 = 12;

/// Installs the styles of both themes in an egui context.
pub(super) fn install(context: &Context) {
    context.add_plugin(super::pasted::TextLimit::default());
    context.add_plugin(super::press::PressFirst::default());
    super::color::install_copy_icon(context);
    // As on desktops. egui sees clicks at the times of frames, which can be long.
    context.options_mut(|options| options.input_options.max_double_click_delay = 0.5);
    context.set_theme(Theme::Dark);
    for (theme, colors) in [(Theme::Dark, &DARK), (Theme::Light, &LIGHT)] {
        context.style_mut_of(theme, |style| apply(style, colors));
    }
}

fn apply(style: &mut Style, colors: &Colors) {
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
    // Rows at the edge must be legible: one of them may be the active node.
    spacing.scroll.fade.strength = 0.0;
    // At offsets of millions of points, `f32` is too coarse for the spring to come to rest.
    spacing.scroll.kinetic.rubber_band = false;
    let visuals = &mut style.visuals;
    visuals.panel_fill = colors.background;
    visuals.window_fill = colors.window;
    visuals.window_stroke = Stroke::new(1.0, colors.line);
    visuals.extreme_bg_color = colors.field;
    visuals.faint_bg_color = colors.hovered_row;
    visuals.selection.bg_fill = colors.text_selection[0];
    visuals.selection.stroke = Stroke::new(1.0, colors.text_selection[1]);
    visuals.weak_text_color = Some(colors.weak);
    visuals.error_fg_color = colors.error;
    visuals.disabled_alpha = 0.45;
    // A blinking cursor would need frames while nothing changes.
    visuals.text_cursor.blink = false;
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.fg_stroke.color = colors.text;
    widgets.noninteractive.bg_stroke.color = colors.line;
    let fills = [
        (&mut widgets.inactive, colors.buttons[0], colors.text),
        (&mut widgets.hovered, colors.buttons[1], colors.strong),
        (&mut widgets.active, colors.buttons[2], colors.strong),
        (&mut widgets.open, colors.buttons[1], colors.strong),
    ];
    for (widget, fill, text) in fills {
        (widget.bg_fill, widget.weak_bg_fill) = (fill, fill);
        widget.fg_stroke.color = text;
        widget.bg_stroke = Stroke::NONE;
        widget.corner_radius = CornerRadius::same(4);
        widget.expansion = 0.0;
    }
    // egui draws widgets with the focus like pressed ones.
    widgets.active.bg_stroke = Stroke::new(1.0, colors.focus);
}

/// Outlines what has the keyboard focus.
pub(super) fn focus(ui: &Ui, rect: Rect) {
    ui.painter().rect_stroke(rect, 3.0, Stroke::new(1.0, colors(ui).focus), StrokeKind::Inside);
}

/// Shows a radio button, whose circle has an outline: the color of buttons alone is too close to that of menus.
pub(super) fn radio(ui: &mut Ui, is_chosen: bool, name: impl Into<String>) -> Response {
    outlined(ui, |ui| ui.radio(is_chosen, name.into()))
}

/// Shows a check box, whose box has an outline as radio buttons have.
pub(super) fn checkbox(ui: &mut Ui, mut is_checked: bool, name: &str) -> Response {
    outlined(ui, |ui| ui.checkbox(&mut is_checked, name))
}

fn outlined(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> Response) -> Response {
    let outline = Stroke::new(1.0, colors(ui).weak);
    let shown = ui.scope(|ui| {
        let widgets = &mut ui.visuals_mut().widgets;
        (widgets.inactive.bg_stroke, widgets.hovered.bg_stroke) = (outline, outline);
        add(ui)
    });
    shown.inner
}

/// Returns the frame of a bar along an edge of the window.
pub(super) fn bar(ui: &Ui) -> Frame {
    Frame::new().fill(colors(ui).bar).inner_margin(Margin::symmetric(EDGE, 0))
}

/// Returns the frame of a section of the panel.
pub(super) fn section_frame(ui: &Ui) -> Frame {
    Frame::new().fill(colors(ui).background).inner_margin(Margin::symmetric(EDGE, 8))
}

/// Sets the name of a widget for screen readers.
pub(super) fn named(response: Response, name: &str) -> Response {
    response.ctx.accesskit_node_builder(response.id, |node| match node.role() {
        // What is read of a text is its value.
        Role::Label => node.set_value(name),
        _ => node.set_label(name),
    });
    response
}

/// Selects these characters in a text field that has the focus, or gets it in the next frame.
pub(super) fn select_text(context: &Context, field: Id, characters: Range<usize>) {
    let (start, end) = (CCursor::new(characters.start), CCursor::new(characters.end));
    let mut state = TextEdit::load_state(context, field).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::two(start, end)));
    state.store(context, field);
}

/// Lays out a line of text, truncated to this width.
pub(super) fn truncated(ui: &Ui, text: String, width: f32, color: Color32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text, TextStyle::Body.resolve(ui.style()), color);
    job.wrap = TextWrapping::truncate_at_width(width);
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// Paints the name of a row of a list, truncated if there is no space for it. Returns true if it was truncated.
pub(super) fn paint_name(ui: &Ui, rect: Rect, name: &str, color: Color32) -> bool {
    let galley = truncated(ui, name.to_owned(), rect.width(), color);
    let is_truncated = galley.elided;
    let at = Align2::LEFT_CENTER.anchor_size(rect.left_center(), galley.size()).min;
    ui.painter().galley(at, galley, color);
    is_truncated
}

/// Returns a window without a title, this far above the lower edge of the window of the program.
pub(super) fn strip(name: &str, above: f32) -> Window<'_> {
    let strip = Window::new(name).title_bar(false).resizable(false).fade_in(false);
    strip.anchor(Align2::CENTER_BOTTOM, [0.0, -above])
}

/// Returns a test of whether the next widget that is added to this `Ui` has the focus. The answer changes while the widget
/// is shown if Tab takes the focus away.
pub(super) fn focus_of_next(ui: &Ui) -> impl Fn() -> bool + 'static {
    let (context, id, is_enabled) = (ui.ctx().clone(), ui.next_auto_id(), ui.is_enabled());
    move || is_enabled && context.memory(|memory| memory.has_focus(id))
}

/// Returns secondary text.
pub(super) fn weak(text: impl Into<String>) -> RichText {
    RichText::new(text).weak()
}

/// The sections that are collapsed until they are opened.
const COLLAPSED: [&str; 3] = ["Gizmo", "Snapping", "Handles and rules"];

/// Shows a collapsible section, and stores whether it is open by its title. With `takes_focus` it opens, and its first
/// widget gets the focus.
pub(super) fn section(
    ui: &mut Ui,
    title: &str,
    menus: &mut Menus<'_>,
    takes_focus: bool,
    body: impl FnOnce(&mut Ui, &mut Menus<'_>),
) {
    let is_open = takes_focus || is_section_open(title, &menus.preferences.sections);
    let text = RichText::new(title).strong();
    let header = egui::CollapsingHeader::new(text).id_salt(title).open(Some(is_open));
    let shown = header.show_unindented(ui, |ui| {
        ui.add_space(2.0);
        if takes_focus {
            // As if the user had pressed Tab with the focus before this section.
            ui.memory_mut(|memory| {
                memory.stop_text_input();
                memory.move_focus(FocusDirection::Next);
            });
        }
        body(ui, menus);
        let focused = ui.memory(|memory| memory.focused()).filter(|_| takes_focus);
        if let Some(first) = focused.and_then(|id| ui.ctx().read_response(id)) {
            first.scroll_to_me(None);
        }
        ui.add_space(8.0);
    });
    let is_toggled = shown.header_response.clicked();
    if takes_focus || is_toggled {
        menus.preferences.sections.insert(title.to_owned(), is_open != is_toggled);
    }
    let does = if is_open { "Collapse" } else { "Expand" };
    shown.header_response.on_hover_text(format!("{does} this section"));
}

/// Returns true if the section with this title is open.
pub(super) fn is_section_open(title: &str, sections: &BTreeMap<String, bool>) -> bool {
    sections.get(title).copied().unwrap_or(!COLLAPSED.contains(&title))
}

/// Shows a label with a tooltip in the column of labels, with a widget beside it.
pub(super) fn labeled<R>(ui: &mut Ui, label: &str, about: &str, widget: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let (rect, response) = ui.allocate_exact_size(vec2(LABEL, ROW), egui::Sense::hover());
        if !label.is_empty() && !about.is_empty() {
            response.on_hover_text(about);
        }
        let font = TextStyle::Body.resolve(ui.style());
        ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, label, font, colors(ui).weak);
        widget(ui)
    })
    .inner
}

/// Returns the widths of columns that share what `taken` points leave of the row: with these proportions, and 0 if
/// nothing is left. All widths that depend on the space come from here, because egui panics on negative ones in debug
/// builds.
pub(super) fn columns<const N: usize>(ui: &Ui, taken: f32, proportions: [f32; N]) -> [f32; N] {
    let free = (ui.available_width() - taken).max(0.0);
    let total: f32 = proportions.iter().sum();
    proportions.map(|proportion| (free * proportion / total).floor())
}

/// Width of the column of labels, in points.
pub(super) const LABEL: f32 = 92.0;

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the contrast ratio as defined by WCAG 2, from 1 to 21.
    fn contrast(a: Color32, b: Color32) -> f64 {
        let luminance = |color: Color32| {
            let linear = |channel: u8| match f64::from(channel) / 255.0 {
                dark if dark <= 0.04045 => dark / 12.92,
                bright => ((bright + 0.055) / 1.055).powf(2.4),
            };
            0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
        };
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        if a > b { a / b } else { b / a }
    }

    #[test]
    fn text_contrast_is_sufficient_in_both_themes() {
        for (name, colors) in [("dark", &DARK), ("light", &LIGHT)] {
            let backgrounds = [colors.background, colors.bar, colors.status_bar, colors.window, colors.field];
            let rows = [
                colors.active_row,
                colors.selected_row,
                colors.hovered_row,
                colors.buttons[0],
                colors.buttons[1],
            ];
            let texts = [colors.strong, colors.text, colors.weak, colors.error, colors.success];
            // Hidden nodes, undone steps and shortcuts in menus are secondary text.
            let on_rows = [colors.strong, colors.text, colors.weak];
            let on_rows = on_rows.into_iter().flat_map(|text| rows.map(|row| (text, row)));
            let axes = colors.axes.map(|axis| (axis, colors.background));
            let pairs = texts.iter().flat_map(|text| backgrounds.map(|background| (*text, background)));
            let pairs = pairs.chain(on_rows).chain(axes).chain([
                (colors.active, colors.active_row),
                (colors.active, colors.background),
                (colors.text_selection[0], colors.text_selection[1]),
                (colors.strong, colors.buttons[2]),
            ]);
            for (text, background) in pairs {
                let contrast = contrast(text, background);
                assert!(contrast >= 4.5, "{name}: {text:?} on {background:?}: {contrast:.2}");
            }
            for background in [colors.background, colors.bar] {
                assert!(contrast(colors.weak, background) >= 5.5, "{name}: secondary text");
                assert!(contrast(colors.focus, background) >= 3.0, "{name}: focus outline");
            }
        }
    }
}
