//! The menu and the dialogs for files, and the progress of loads and saves.

#[cfg(test)]
mod tests;

use super::pasted::MAX_CHARACTERS;
use super::style::{self, colors, weak};
use crate::files::{Answer, Dialog, Files, PROGRESS_DELAY, PathDialog, Request, file_name};
use egui::{
    Align, Button, Color32, Context, Frame, Id, Key, Label, Layout, Margin, Modal, Order, RichText, TextEdit,
    TextStyle, Ui, vec2,
};
use gltf_io::printable;
use session::command::Command;
use session::keymap::Keymap;
use std::path::{Path, PathBuf};

/// Width of the dialogs, in points.
const WIDTH: f32 = 520.0;

/// Horizontal space around the contents of a dialog, in points.
const MARGIN: f32 = 48.0;

/// Id of the path field.
const PATH_ID: &str = "file path";

/// Minimum size of the buttons of dialogs, in points.
const BUTTON: egui::Vec2 = vec2(84.0, 26.0);

/// Shows the File menu. Chosen entries are added to [`Files::requests`].
pub(crate) fn menu(ui: &mut Ui, files: &mut Files) {
    ui.menu_button("File", |ui| {
        ui.set_min_width(240.0);
        entry(ui, files, Command::Open, Request::Open);
        // A page forgets its files.
        if !cfg!(target_arch = "wasm32") {
            recent_menu(ui, files);
        }
        let has_file = files.file.path().is_some();
        ui.add_enabled_ui(has_file, |ui| entry(ui, files, Command::Reload, Request::Reload));
        ui.separator();
        entry(ui, files, Command::Save, Request::Save);
        entry(ui, files, Command::SaveAs, Request::SaveAs);
        if !Command::Quit.is_absent() {
            ui.separator();
            entry(ui, files, Command::Quit, Request::Quit);
        }
    });
}

fn recent_menu(ui: &mut Ui, files: &mut Files) {
    let recent: Vec<PathBuf> = files.recent.paths.to_vec();
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        ui.menu_button("Open Recent", |ui| {
            for path in recent {
                let button = Button::new(file_name(&path)).shortcut_text(weak(folder_of(&path)));
                if ui.add(button).on_hover_text(printable(&path.to_string_lossy())).clicked() {
                    files.requests.push(Request::OpenFile(path));
                    ui.close();
                }
            }
        });
    });
}

fn entry(ui: &mut Ui, files: &mut Files, command: Command, request: Request) {
    let key = Keymap::default().shown(command).unwrap_or_default();
    if ui.add(Button::new(command.label()).shortcut_text(weak(key))).clicked() {
        files.requests.push(request);
        ui.close();
    }
}

/// Shows the dialog and the progress of a load or save over everything else.
pub(crate) fn overlays(context: &Context, files: &mut Files) {
    loading(context, files);
    saving(context, files);
    let name = files.file.name();
    let Some(dialog) = &mut files.dialog else { return };
    // The text, the answers, the default answer, and the answer that Esc gives.
    let (text, answers, default, canceled) = match dialog {
        Dialog::Path(PathDialog { saves, .. }) => {
            let done = if *saves { "Save" } else { "Open" };
            let answers = vec![(Request::SubmitPath, done), (Request::Dismiss, "Cancel")];
            (String::new(), answers, None, Request::Dismiss)
        }
        Dialog::Message(message) => {
            let answers = vec![(Request::Dismiss, "OK")];
            (message.clone(), answers, Some(Request::Dismiss), Request::Dismiss)
        }
        Dialog::Question(question) => {
            let (default, answers) = question.answers();
            let answers = answers.iter().map(|(answer, label)| (Request::Answer(*answer), *label));
            let [default, canceled] = [default, Answer::Cancel].map(Request::Answer);
            (question.text(&name), answers.collect(), Some(default), canceled)
        }
    };
    let frame = Frame::popup(&context.global_style()).inner_margin(Margin::same(14));
    // egui remembers the size and the focus per id, so each dialog needs its own.
    let id = Id::unique(("file dialog", &text));
    let modal = Modal::new(id)
        // A tooltip stays while the pointer does, and must not cover the dialog.
        .area(Modal::default_area(id).order(Order::Tooltip))
        .frame(frame)
        .show(context, |ui| {
            // A small window limits the width.
            ui.set_width((context.content_rect().width() - MARGIN).clamp(0.0, WIDTH));
            ui.spacing_mut().item_spacing.y = 8.0;
            let is_done = match dialog {
                Dialog::Path(dialog) => path(ui, dialog),
                Dialog::Message(_) | Dialog::Question(_) => {
                    ui.add(Label::new(RichText::new(&text).strong()).wrap());
                    false
                }
            };
            let clicked = buttons(ui, &answers, default.as_ref());
            is_done.then_some(Request::SubmitPath).or(clicked)
        });
    context.move_to_top(modal.response.layer_id);
    let escape = context.input(|input| input.key_pressed(Key::Escape));
    files.requests.extend(modal.inner.or(escape.then_some(canceled)));
}

/// Shows right-aligned buttons in reading order, so that Tab follows it. The default one gets the focus at first, so that
/// Enter presses it. Returns the clicked choice.
fn buttons(ui: &mut Ui, choices: &[(Request, &str)], default: Option<&Request>) -> Option<Request> {
    let default = default.filter(|_| {
        ui.memory_mut(|memory| {
            // The path field of a previous dialog may still have the focus.
            memory.surrender_focus(Id::unique(PATH_ID));
            memory.focused().is_none()
        })
    });
    let (mut chosen, mut first) = (None, None);
    let font = TextStyle::Button.resolve(ui.style());
    let padding = 2.0 * ui.spacing().button_padding.x;
    let width = |label: &str| {
        let text = ui.painter().layout_no_wrap(label.to_owned(), font.clone(), Color32::WHITE);
        (text.size().x + padding).max(BUTTON.x)
    };
    let gaps = ui.spacing().item_spacing.x * choices.len().saturating_sub(1) as f32;
    let row = choices.iter().map(|(_, label)| width(label)).sum::<f32>() + gaps;
    ui.horizontal(|ui| {
        let gap = std::mem::take(&mut ui.spacing_mut().item_spacing.x);
        ui.add_space((ui.available_width() - row).max(0.0));
        ui.spacing_mut().item_spacing.x = gap;
        for (request, label) in choices {
            let button = ui.add(Button::new(*label).min_size(BUTTON));
            if button.clicked() {
                chosen = Some(request.clone());
            }
            if default == Some(request) {
                first = Some(button);
            }
        }
    });
    // Tab leads from the last button to the first one in two frames.
    if let Some(first) = first.filter(|_| ui.memory(|memory| memory.focused().is_none())) {
        first.request_focus();
        ui.request_repaint();
    }
    chosen
}

/// Shows the title and the field of the path dialog. Returns true if the path is confirmed by Enter.
fn path(ui: &mut Ui, dialog: &mut PathDialog) -> bool {
    let title = if dialog.saves { "Save As" } else { "Open" };
    ui.label(RichText::new(title).strong());
    let field = TextEdit::singleline(&mut dialog.text)
        .char_limit(MAX_CHARACTERS)
        .id(Id::unique(PATH_ID))
        .desired_width(f32::INFINITY)
        .hint_text("Path of a .glb or .gltf file");
    let field = style::named(ui.add(field), "Path");
    if dialog.is_fresh {
        // egui drops the selection of a field without the focus, which another widget may still have.
        dialog.is_fresh = !field.has_focus();
        style::select_text(ui.ctx(), field.id, dialog.selected());
        ui.request_repaint();
    }
    if field.changed() {
        dialog.error = None;
    }
    let is_done = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    // This includes the frame after Enter: a path that is not accepted can be edited further.
    if ui.memory(|memory| memory.focused().is_none()) {
        field.request_focus();
    }
    // The label is always present, so nothing moves when an error appears.
    let error = dialog.error.as_deref().unwrap_or(" ");
    ui.label(RichText::new(error).color(colors(ui).error));
    is_done
}

fn loading(context: &Context, files: &mut Files) {
    let (text, fraction) = match (files.loading(), files.loaded_path()) {
        (Some((path, fraction)), _) => (format!("Loading {}…", file_name(path)), Some(fraction)),
        (None, Some(path)) => (format!("Preparing {}…", file_name(path)), None),
        (None, None) => return,
    };
    let canceled = style::strip("loading", 48.0)
        .show(context, |ui| {
            ui.set_width(360.0);
            let canceled = ui.horizontal(|ui| {
                ui.add(Label::new(RichText::new(text).strong()).truncate());
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.button("Cancel").clicked()).inner
            });
            ui.add_space(4.0);
            let bar = egui::ProgressBar::new(fraction.unwrap_or(1.0));
            ui.add(if fraction.is_some() { bar.show_percentage() } else { bar });
            canceled.inner
        })
        .and_then(|shown| shown.inner)
        .unwrap_or(false);
    if canceled {
        files.requests.push(Request::CancelLoad);
    }
}

fn saving(context: &Context, files: &Files) {
    let Some((path, elapsed)) = files.saving() else { return };
    if let Some(rest) = PROGRESS_DELAY.checked_sub(elapsed).filter(|rest| !rest.is_zero()) {
        context.request_repaint_after(rest);
        return;
    }
    let text = format!("Saving {}…", file_name(path));
    // The window of a load is below this one.
    style::strip("saving", 116.0).show(context, |ui| {
        ui.set_width(360.0);
        ui.add(Label::new(RichText::new(text).strong()).truncate());
    });
}

/// Returns the name of the folder that contains a file.
fn folder_of(path: &Path) -> String {
    path.parent().map_or(String::new(), file_name)
}
