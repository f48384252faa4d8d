//! Sets the settings of the gizmo and its theme.

use super::Editor;
use super::section::SectionHandles;
use crate::replay_file::SettingsPatch;
use wgpu_gizmo_core::{Settings, Theme};

impl Editor {
    /// Replaces the settings of the gizmo.
    pub fn set_settings(&mut self, settings: Settings) {
        if self.gizmo.settings != settings {
            self.gizmo.settings = settings;
            self.gizmo.scene_changed();
        }
    }

    /// Sets the theme of the gizmo, which also selects the background.
    pub fn set_theme(&mut self, theme: Theme) {
        if self.gizmo.theme != theme {
            self.gizmo.theme = theme;
            self.gizmo.scene_changed();
        }
    }

    /// Applies the settings that a replay lists; the others stay as they are.
    pub fn set(&mut self, patch: &SettingsPatch) {
        let shown = self.gizmo.settings.box_handles.map(|shown| shown.result);
        patch.apply(&mut self.gizmo, &mut self.hidden_box);
        if self.gizmo.settings.box_handles.map(|shown| shown.result) != shown {
            self.section_handles = SectionHandles::Chosen;
        }
        self.gizmo.scene_changed();
    }
}
