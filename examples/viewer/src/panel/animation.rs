//! The bar of a scene with animations: which one is shown, its time, and buttons to play it and to return to the
//! rest pose.

use super::style;
use egui::{Button, ComboBox, Slider, Ui};
use scene::rig::Pose;
use session::editor::Editor;
use wgpu_gizmo::View;

/// Height of the bar, in points.
const HEIGHT: f32 = 34.0;
/// The longest step of an animation that plays, in seconds. After a pause, such as that of a hidden window, it
/// goes on where it was.
const MAX_STEP: f32 = 0.1;

/// The state of the bar.
#[derive(Debug, Default)]
pub(super) struct AnimationBar {
    /// Index of the animation that is shown next.
    chosen: usize,
    is_playing: bool,
}

impl AnimationBar {
    /// Shows the bar if the scene has animations, and advances the one that plays.
    pub(super) fn show(&mut self, ui: &mut Ui, editor: &mut Editor, view: &View) {
        let animations = editor.scene().rig().animations.clone();
        let Some(longest) = animations.len().checked_sub(1) else {
            *self = Self::default();
            return;
        };
        let pose = editor.scene().pose();
        self.chosen = pose.map_or(self.chosen, |pose| pose.animation).min(longest);
        let duration = animations[self.chosen].duration();
        let mut time = pose.map_or(0.0, |pose| pose.time);
        // An edit shows the scene at rest and ends the animation.
        self.is_playing &= pose.is_some();
        if self.is_playing {
            let step = ui.input(|input| input.stable_dt).min(MAX_STEP);
            time = if duration > 0.0 { (time + f64::from(step)) % duration } else { 0.0 };
        }
        let mut shown = pose.map(|_| time);
        let frame = style::bar(ui).inner_margin(egui::Margin::symmetric(style::EDGE, 4));
        let panel =
            egui::Panel::bottom("animation").frame(frame).exact_size(HEIGHT).show_separator_line(false);
        panel.show(ui, |ui| {
            ui.horizontal_centered(|ui| {
                let play = if self.is_playing { "Pause" } else { "Play" };
                let play = ui.add(Button::new(play).min_size(egui::vec2(56.0, 0.0)));
                if play.on_hover_text("Play the animation, or pause it").clicked() {
                    self.is_playing = !self.is_playing;
                    shown = Some(time);
                }
                let rest = ui.add_enabled(pose.is_some(), Button::new("Rest pose"));
                if rest.on_hover_text("Show the scene at rest, as it is edited and saved").clicked() {
                    self.is_playing = false;
                    shown = None;
                }
                let before = self.chosen;
                let choice = ComboBox::from_id_salt("animation").width(160.0).truncate();
                let name = |index: usize| animations[index].name.clone();
                choice.show_index(ui, &mut self.chosen, animations.len(), name).on_hover_text("Animation");
                if self.chosen != before {
                    shown = Some(0.0);
                }
                ui.spacing_mut().slider_width = (ui.available_width() - 90.0).max(60.0);
                let slider = Slider::new(&mut time, 0.0..=duration.max(1e-3)).suffix(" s");
                // Rounding the number itself would count as a change.
                let slider = slider.custom_formatter(|time, _| format!("{time:.2}"));
                let slider = ui.add(slider).on_hover_text("Time");
                if slider.changed() {
                    self.is_playing = false;
                    shown = Some(time);
                }
            });
        });
        editor.show_pose(shown.map(|time| Pose { animation: self.chosen, time }), view);
        if self.is_playing {
            ui.ctx().request_repaint();
        }
    }
}
