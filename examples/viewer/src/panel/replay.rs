//! The strip of a replay: how far it is, and buttons to go on, wait, step and begin again.

use super::style::colors;
use crate::player::{Player, PlayerRequest};
use egui::{Align2, ProgressBar, RichText};

/// Shows it over the picture; says what was asked for.
pub(crate) fn show(context: &egui::Context, player: &Player) -> Option<PlayerRequest> {
    let mut asked = None;
    egui::Window::new("Replay")
        .title_bar(false)
        .resizable(false)
        .fade_in(false)
        .anchor(Align2::CENTER_BOTTOM, [0.0, -44.0])
        .show(context, |ui| {
            ui.horizontal(|ui| {
                let mut button = |text: &str, is_on: bool, ask: PlayerRequest| {
                    if ui.add_enabled(is_on, egui::Button::new(text)).clicked() {
                        asked = Some(ask);
                    }
                };
                button("Restart", true, PlayerRequest::Restart);
                button("Step", !player.is_over(), PlayerRequest::Step);
                match player.is_playing() {
                    true => button("Pause", true, PlayerRequest::Pause),
                    false => button("Play", !player.is_over(), PlayerRequest::Play),
                }
                let [played, of] = player.progress();
                let done = if of == 0 { 1.0 } else { played as f32 / of as f32 };
                ui.add(ProgressBar::new(done).desired_width(160.0).text(format!("{played} / {of}")));
                let name = player.last_event().map_or("", |event| event.kind.name());
                ui.add_sized([90.0, 18.0], egui::Label::new(RichText::new(name).weak().monospace()));
                match (player.missed(), player.is_over()) {
                    (Some(missed), _) => ui.label(RichText::new(missed).color(colors(ui).wrong)),
                    (None, true) if player.expects() => {
                        ui.label(RichText::new("As expected").color(colors(ui).good))
                    }
                    (None, true) => ui.label(RichText::new("Done").weak()),
                    (None, false) => ui.label(""),
                };
            });
        });
    asked
}
