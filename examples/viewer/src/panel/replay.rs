//! The strip of a replay: how far it is, and buttons to go on, wait, step and begin again.

use crate::player::{Player, Wish};
use egui::{Align2, Color32, ProgressBar, RichText};

const QUIET: Color32 = Color32::from_gray(150);
const GOOD: Color32 = Color32::from_rgb(130, 220, 140);
const BAD: Color32 = Color32::from_rgb(255, 130, 110);

/// Shows it over the picture; says what was asked for.
pub(crate) fn show(context: &egui::Context, player: &Player) -> Option<Wish> {
    let mut asked = None;
    egui::Window::new("Replay")
        .title_bar(false)
        .resizable(false)
        .fade_in(false)
        .anchor(Align2::CENTER_BOTTOM, [0.0, -44.0])
        .show(context, |ui| {
            ui.horizontal(|ui| {
                let mut button = |text: &str, is_on: bool, ask: Wish| {
                    if ui.add_enabled(is_on, egui::Button::new(text)).clicked() {
                        asked = Some(ask);
                    }
                };
                button("Restart", true, Wish::Restart);
                button("Step", !player.is_over(), Wish::Step);
                match player.is_playing() {
                    true => button("Pause", true, Wish::Pause),
                    false => button("Play", !player.is_over(), Wish::Play),
                }
                let [played, of] = player.progress();
                let done = if of == 0 { 1.0 } else { played as f32 / of as f32 };
                ui.add(ProgressBar::new(done).desired_width(160.0).text(format!("{played} / {of}")));
                let name = player.last_event().map_or("", |event| event.kind.name());
                ui.add_sized([90.0, 18.0], egui::Label::new(RichText::new(name).color(QUIET).monospace()));
                match (player.missed(), player.is_over()) {
                    (Some(missed), _) => ui.label(RichText::new(missed).color(BAD)),
                    (None, true) if player.expects() => ui.label(RichText::new("As expected").color(GOOD)),
                    (None, true) => ui.label(RichText::new("Done").color(QUIET)),
                    (None, false) => ui.label(""),
                };
            });
        });
    asked
}
