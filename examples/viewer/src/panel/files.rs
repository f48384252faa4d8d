//! What is shown of files: the menu, the dialogs over the window, and how far a load has come.

#[cfg(test)]
mod tests;

use super::style::colors;
use crate::command::{Command, SHORTCUTS};
use crate::file_error::printable;
use crate::files::{Answer, Ask, Dialog, Entry, Files, PathDialog, PlayerRequest, SOON, read_folder};
use egui::text::{CCursor, CCursorRange};
use egui::{
    Align, Align2, Button, Color32, Context, Frame, Id, Key, Label, Layout, Margin, Modal, RichText,
    TextEdit, TextStyle, Ui, vec2,
};
use std::path::{Path, PathBuf};

/// Rows of a folder that are shown at once.
const ROWS: f32 = 9.0;
/// Width of the dialogs, in points.
const WIDTH: f32 = 520.0;

/// What a window has besides a dialog's width, and besides the rows of a folder: edges, the path,
/// the buttons.
const AROUND: egui::Vec2 = vec2(48.0, 190.0);

/// The field of a dialog's path.
const PATH: &str = "file path";

/// Least size of the buttons of dialogs, in points.
const BUTTON: egui::Vec2 = vec2(84.0, 26.0);

/// The menu of the bar. What is chosen comes to [`Files::wishes`].
pub(crate) fn menu(ui: &mut Ui, files: &mut Files) {
    ui.menu_button("File", |ui| {
        ui.set_min_width(240.0);
        entry(ui, files, Command::Open, Ask::Open);
        let recent: Vec<PathBuf> = files.recent.paths().to_vec();
        ui.add_enabled_ui(!recent.is_empty(), |ui| {
            ui.menu_button("Open recent", |ui| {
                for path in recent {
                    let button = Button::new(name_of(&path)).shortcut_text(quiet(&folder_of(&path)));
                    if ui.add(button).on_hover_text(shown(&path)).clicked() {
                        files.wishes.push(PlayerRequest::Ask(Ask::OpenFile(path)));
                        ui.close();
                    }
                }
            });
        });
        let has_file = files.path().is_some();
        ui.add_enabled_ui(has_file, |ui| entry(ui, files, Command::Reload, Ask::Reload));
        ui.separator();
        entry(ui, files, Command::Save, Ask::Save);
        entry(ui, files, Command::SaveAs, Ask::SaveAs);
        ui.separator();
        entry(ui, files, Command::Quit, Ask::Quit);
    });
}

fn entry(ui: &mut Ui, files: &mut Files, command: Command, ask: Ask) {
    let Some(shortcut) = SHORTCUTS.iter().find(|shortcut| shortcut.command == command) else { return };
    if ui.add(Button::new(shortcut.does).shortcut_text(quiet(shortcut.shown))).clicked() {
        files.wishes.push(PlayerRequest::Ask(ask));
        ui.close();
    }
}

/// What lies over everything else: a question, a message, a load.
pub(crate) fn over(context: &Context, files: &mut Files) {
    loading(context, files);
    saving(context, files);
    let name = files.name();
    let Some(dialog) = &mut files.dialog else { return };
    // One of another height is another one: egui keeps the size of each.
    let id = match dialog {
        Dialog::Path(_) => "file dialog path",
        Dialog::Message(_) => "file dialog message",
        Dialog::Question(_) => "file dialog question",
    };
    let frame = Frame::popup(&context.global_style()).inner_margin(Margin::same(14));
    let wish = Modal::new(Id::unique(id))
        .frame(frame)
        .show(context, |ui| {
            // In a small window as wide as that lets it be.
            ui.set_width(WIDTH.min(context.content_rect().width() - AROUND.x));
            ui.spacing_mut().item_spacing.y = 8.0;
            match dialog {
                Dialog::Path(asked) => path(ui, asked),
                Dialog::Message(message) => {
                    text(ui, message);
                    focused_buttons(ui, &[(PlayerRequest::Dismiss, "OK")], &PlayerRequest::Dismiss)
                }
                Dialog::Question(question) => {
                    text(ui, &question.text(&name));
                    let answers = question.answers().iter();
                    let answers: Vec<_> =
                        answers.map(|(answer, label)| (PlayerRequest::Answer(*answer), *label)).collect();
                    focused_buttons(ui, &answers, &PlayerRequest::Answer(question.usual()))
                }
            }
        })
        .inner;
    let escape = context.input(|input| input.key_pressed(Key::Escape));
    let given_up = match files.dialog {
        Some(Dialog::Question(_)) => PlayerRequest::Answer(Answer::Cancel),
        _ => PlayerRequest::Dismiss,
    };
    let wish = wish.or(escape.then_some(given_up));
    files.wishes.extend(wish);
}

fn text(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).strong()).wrap());
}

/// Buttons of which the usual one has the focus, so that Enter presses it.
fn focused_buttons(
    ui: &mut Ui,
    choices: &[(PlayerRequest, &str)],
    usual: &PlayerRequest,
) -> Option<PlayerRequest> {
    // The dialog before this one may have had it.
    ui.memory_mut(|memory| memory.surrender_focus(Id::unique(PATH)));
    let is_new = ui.memory(|memory| memory.focused().is_none());
    let (usual, chosen) = buttons(ui, choices, Some(usual));
    if let Some(usual) = usual.filter(|_| is_new) {
        usual.request_focus();
        ui.request_repaint();
    }
    chosen
}

/// In a row at the right, Tab going through them as they are read. Answers with the usual one, and
/// what was chosen.
fn buttons(
    ui: &mut Ui,
    choices: &[(PlayerRequest, &str)],
    usual: Option<&PlayerRequest>,
) -> (Option<egui::Response>, Option<PlayerRequest>) {
    let mut found = None;
    let mut chosen = None;
    let font = TextStyle::Button.resolve(ui.style());
    let around = 2.0 * ui.spacing().button_padding.x;
    let width = |label: &str| {
        let text = ui.painter().layout_no_wrap(label.to_owned(), font.clone(), Color32::WHITE);
        (text.size().x + around).max(BUTTON.x)
    };
    let gaps = ui.spacing().item_spacing.x * choices.len().saturating_sub(1) as f32;
    let row = choices.iter().map(|(_, label)| width(label)).sum::<f32>() + gaps;
    ui.horizontal(|ui| {
        let gap = std::mem::take(&mut ui.spacing_mut().item_spacing.x);
        ui.add_space((ui.available_width() - row).max(0.0));
        ui.spacing_mut().item_spacing.x = gap;
        for (wish, label) in choices {
            let button = ui.add(Button::new(*label).min_size(BUTTON));
            if button.clicked() {
                chosen = Some(wish.clone());
            }
            if usual == Some(wish) {
                found = Some(button);
            }
        }
    });
    (found, chosen)
}

fn path(ui: &mut Ui, asked: &mut PathDialog) -> Option<PlayerRequest> {
    let title = if asked.saves { "Save as" } else { "Open" };
    ui.label(RichText::new(title).strong());
    let mut shown = TextEdit::singleline(&mut asked.text)
        .id(Id::unique(PATH))
        .desired_width(f32::INFINITY)
        .hint_text("Path of a .glb or .gltf file")
        .show(ui);
    if std::mem::take(&mut asked.is_fresh) {
        let end = CCursorRange::one(CCursor::new(asked.text.chars().count()));
        shown.state.cursor.set_char_range(Some(end));
        shown.state.store(ui.ctx(), Id::unique(PATH));
        ui.request_repaint();
    }
    let field = shown.response.response;
    field.ctx.accesskit_node_builder(field.id, |node| node.set_label("Path"));
    if field.changed() {
        asked.refused = None;
    }
    let is_done = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    // Also after Enter: a path that is not taken is typed on.
    if ui.memory(|memory| memory.focused().is_none()) {
        field.request_focus();
    }
    let mut wish = is_done.then_some(PlayerRequest::TakePath);
    folder(ui, asked, &mut wish);
    // Always there, so that nothing moves when it is filled.
    let refused = asked.refused.as_deref().unwrap_or(" ");
    ui.label(RichText::new(refused).color(colors(ui).wrong));
    let done = if asked.saves { "Save" } else { "Open" };
    wish.or(buttons(ui, &[(PlayerRequest::TakePath, done), (PlayerRequest::Dismiss, "Cancel")], None).1)
}

/// What is in the folder of the path and begins as its name does. It is read again where the window has got
/// the focus back, and by F5.
fn folder(ui: &mut Ui, asked: &mut PathDialog, wish: &mut Option<PlayerRequest>) {
    let refreshes = ui.input(|input| {
        input.key_pressed(Key::F5) || input.events.contains(&egui::Event::WindowFocused(true))
    });
    if refreshes {
        asked.listing.refresh();
    }
    asked.list(read_folder);
    let row = ui.spacing().interact_size.y + ui.spacing().item_spacing.y;
    let rows = ((ui.ctx().content_rect().height() - AROUND.y) / row).clamp(1.0, ROWS);
    let entries = asked.listing.entries();
    let mut clicked = None;
    egui::ScrollArea::vertical()
        .max_height(rows * row)
        .min_scrolled_height(rows * row)
        .auto_shrink(false)
        .show_rows(ui, ui.spacing().interact_size.y, entries.len(), |ui, rows| {
            for entry in entries.skip(rows.start).take(rows.len()) {
                let button = Button::selectable(asked.is_picked(&entry.path), entry.label());
                let shown = ui.add(button.min_size(vec2(ui.available_width(), 0.0)));
                if shown.clicked() {
                    clicked = Some((entry.clone(), shown.double_clicked() || shown.triple_clicked()));
                }
            }
        });
    match clicked {
        Some((Entry { path, is_folder, .. }, false)) => asked.pick(path, is_folder),
        // A second click on what was another entry at the first, such as a folder, is no double click.
        Some((Entry { path, .. }, true)) if asked.is_picked(&path) => *wish = Some(PlayerRequest::TakePath),
        _ => {}
    }
}

fn loading(context: &Context, files: &mut Files) {
    let (text, part) = match (files.loading(), files.arrived()) {
        (Some((path, part)), _) => (format!("Loading {}", name_of(path)), Some(part)),
        (None, Some(path)) => (format!("Putting {} in place…", name_of(path)), None),
        (None, None) => return,
    };
    let cancelled = egui::Window::new("loading")
        .title_bar(false)
        .resizable(false)
        .fade_in(false)
        .anchor(Align2::CENTER_BOTTOM, [0.0, -48.0])
        .show(context, |ui| {
            ui.set_width(360.0);
            let cancelled = ui.horizontal(|ui| {
                ui.add(Label::new(RichText::new(text).strong()).truncate());
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.button("Cancel").clicked()).inner
            });
            ui.add_space(4.0);
            let bar = egui::ProgressBar::new(part.unwrap_or(1.0));
            ui.add(if part.is_some() { bar.show_percentage() } else { bar });
            cancelled.inner
        })
        .and_then(|shown| shown.inner)
        .unwrap_or(false);
    if cancelled {
        files.wishes.push(PlayerRequest::Ask(Ask::CancelLoad));
    }
}

fn saving(context: &Context, files: &Files) {
    let Some((path, elapsed)) = files.saving() else { return };
    if let Some(rest) = SOON.checked_sub(elapsed).filter(|rest| !rest.is_zero()) {
        context.request_repaint_after(rest);
        return;
    }
    let text = format!("Saving {}", name_of(path));
    // Above a load.
    egui::Window::new("saving")
        .title_bar(false)
        .resizable(false)
        .fade_in(false)
        .anchor(Align2::CENTER_BOTTOM, [0.0, -116.0])
        .show(context, |ui| {
            ui.set_width(360.0);
            ui.add(Label::new(RichText::new(text).strong()).truncate());
        });
}

fn quiet(text: &str) -> RichText {
    RichText::new(text).weak()
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

fn name_of(path: &Path) -> String {
    printable(&path.file_name().unwrap_or_default().to_string_lossy())
}

/// The name of the folder that a file is in.
fn folder_of(path: &Path) -> String {
    path.parent().map_or(String::new(), name_of)
}
