//! The controls of a replay: its progress, and buttons to restart, step, pause and play.

use super::style::{self, colors};
use egui::{ProgressBar, RichText};
use session::player::{Player, PlayerRequest};

/// Shows the controls over the viewport. Returns the request of the user, if any.
pub(crate) fn show(context: &egui::Context, player: &Player) -> Option<PlayerRequest> {
    let mut requested = None;
    style::strip("Replay", 44.0).show(context, |ui| {
        ui.horizontal(|ui| {
            let mut button = |text: &str, is_enabled: bool, request: PlayerRequest| {
                if ui.add_enabled(is_enabled, egui::Button::new(text)).clicked() {
                    requested = Some(request);
                }
            };
            button("Restart", true, PlayerRequest::Restart);
            button("Step", !player.is_over(), PlayerRequest::Step);
            match player.is_playing() {
                true => button("Pause", true, PlayerRequest::Pause),
                false => button("Play", !player.is_over(), PlayerRequest::Play),
            }
            let [played, total] = player.progress();
            let done = if total == 0 { 1.0 } else { played as f32 / total as f32 };
            ui.add(ProgressBar::new(done).desired_width(160.0).text(format!("{played} / {total}")));
            let name = player.last_event().map_or("", |event| event.kind.name());
            ui.add_sized([90.0, 18.0], egui::Label::new(RichText::new(name).weak().monospace()));
            match (player.missed(), player.is_over()) {
                (Some(missed), _) => ui.label(RichText::new(missed).color(colors(ui).error)),
                (None, true) if player.expects() => {
                    ui.label(RichText::new("As expected").color(colors(ui).success))
                }
                (None, true) => ui.label(RichText::new("Done").weak()),
                (None, false) => ui.label(""),
            };
        });
    });
    requested
}
