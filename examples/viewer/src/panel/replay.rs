//! The controls of a replay: its progress, and buttons to restart, step, pause and play.

use super::style::{self, colors};
use egui::{ProgressBar, RichText};
use session::player::{Player, PlayerRequest};

/// Minimum and maximum width of the result, in points. A longer one is truncated, and its tooltip has all of it.
const RESULTS: [f32; 2] = [80.0, 260.0];

/// Shows the controls over the viewport. Returns the request of the user, if any.
pub(crate) fn show(context: &egui::Context, player: &Player) -> Option<PlayerRequest> {
    let mut requested = None;
    style::strip("Replay", 44.0).show(context, |ui| {
        ui.horizontal(|ui| {
            let mut button = |text: &str, is_enabled: bool, request: PlayerRequest| {
                let button = egui::Button::new(text).min_size(egui::vec2(56.0, 0.0));
                if ui.add_enabled(is_enabled, button).clicked() {
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
            let result = match (player.missed(), player.is_over()) {
                (Some(missed), _) => RichText::new(missed).color(colors(ui).error),
                (None, true) if player.expects() => RichText::new("As expected").color(colors(ui).success),
                (None, true) => RichText::new("Done").weak(),
                (None, false) => RichText::default(),
            };
            // The buttons stay where they are when there is a result.
            let width = (ui.ctx().content_rect().width() - 500.0).clamp(RESULTS[0], RESULTS[1]);
            ui.add_sized([width, 18.0], egui::Label::new(result).truncate());
        });
    });
    requested
}
