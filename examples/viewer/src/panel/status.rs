//! The status line: the selection, hints, and messages.

use super::hints::{self, Hint};
use super::style::{EDGE, colors};
use egui::accesskit::Role;
use egui::{Align, Align2, Frame, Id, Label, Layout, Margin, RichText, TextStyle, Ui, WidgetInfo};
use session::editor::Editor;
use session::settings::Setting;
use session::status;

/// Height of the status line, in points.
pub(super) const HEIGHT: f32 = 30.0;

/// Shows the status line. `drawing` is the progress of a picture that is drawn in chunks.
pub(super) fn show(ui: &mut Ui, (editor, drawing): (&Editor, Option<[usize; 2]>), hints: &[Hint]) {
    let frame = Frame::new().fill(colors(ui).status_bar).inner_margin(Margin::symmetric(EDGE, 0));
    let panel = egui::Panel::bottom("status").frame(frame).exact_size(HEIGHT).show_separator_line(false);
    panel.show(ui, |ui| {
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 10.0;
            state(ui, editor);
            ui.separator();
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let drawing = drawing.map(|[drawn, all]| format!("Drawing {drawn} of {all}: Esc cancels"));
                if let Some(message) = drawing.or_else(|| editor.message()) {
                    let width = (0.6 * ui.available_width()).max(120.0);
                    let text = RichText::new(&message).strong();
                    let shown = ui.scope(|ui| {
                        ui.set_max_width(width);
                        ui.add(Label::new(text.clone()).truncate());
                    });
                    ui.separator();
                    let font = TextStyle::Body.resolve(ui.style());
                    let full = ui.painter().layout_no_wrap(message, font, colors(ui).strong).size().x;
                    if full > shown.response.rect.width() + 1.0 {
                        whole(ui, text);
                    }
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    // Hints that do not fit in a narrow window or with large text are left out whole.
                    let width = ui.available_width();
                    let line = |count: &usize| hints::line(ui, &hints[..*count]);
                    let fits = |count: &usize| ui.painter().layout_job(line(count)).size().x <= width;
                    if let Some(count) = (1..=hints.len()).rev().find(fits) {
                        let response = ui.label(line(&count));
                        // The gaps between the words of the line are not part of its text.
                        let spoken: Vec<String> = hints[..count].iter().map(Hint::spoken).collect();
                        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, spoken.join(", ")));
                    }
                });
            });
        });
    });
}

/// Shows a message above the status line, which has no room for it, as in a narrow window or with large text.
fn whole(ui: &Ui, text: RichText) {
    let window = ui.ctx().content_rect();
    egui::Area::new(Id::unique("whole message"))
        .anchor(Align2::RIGHT_BOTTOM, [-f32::from(EDGE), -HEIGHT - 4.0])
        .interactable(false)
        .show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(0.6 * window.width());
                ui.add(Label::new(text).wrap());
            });
        });
}

/// Shows the selection and the settings that apply to the next drag.
fn state(ui: &mut Ui, editor: &Editor) {
    match status::selection(editor) {
        Some(name) => ui.label(RichText::new(name).strong()),
        None => ui.label(RichText::new("Nothing selected").weak()),
    };
    ui.separator();
    let values = editor.values();
    ui.label(RichText::new(Setting::Mode.shown(&values)).strong());
    ui.label(RichText::new(Setting::Orientation.shown(&values)).weak());
    ui.label(RichText::new(Setting::Pivot.shown(&values)).weak());
    if let Some(snapping) = status::snapping(&values) {
        ui.label(RichText::new(snapping).weak());
    }
    if editor.gizmo().is_editing_pivot() {
        ui.label(RichText::new("Editing the pivot").color(colors(ui).active));
    }
    if editor.is_through() {
        ui.label(RichText::new("Select occluded").weak());
    }
}
