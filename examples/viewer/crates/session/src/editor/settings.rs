//! Sets the settings of the gizmo and its theme.

use super::Editor;
use super::section::SectionHandles;
use crate::settings::{AllSettings, SettingsPatch};
use wgpu_gizmo_core::Settings;
use wgpu_gizmo_core::interaction::settings::{BoxHandles, BoxResult};

impl Editor {
    /// Returns the values of all settings.
    pub fn values(&self) -> AllSettings {
        let shown = self.gizmo.settings.box_handles;
        AllSettings {
            gizmo: Settings { box_handles: None, ..self.gizmo.settings },
            theme: self.gizmo.theme,
            box_result: shown.map(|shown| shown.result),
            box_handles: BoxHandles { result: BoxResult::default(), ..shown.unwrap_or(self.hidden_box) },
        }
    }

    /// Sets all settings.
    pub fn set_values(&mut self, values: AllSettings) {
        let before = self.values();
        if values == before {
            return;
        }
        let AllSettings { gizmo, theme, box_result, box_handles } = values;
        let shown = box_result.map(|result| BoxHandles { result, ..box_handles });
        (self.gizmo.settings, self.gizmo.theme) = (Settings { box_handles: shown, ..gizmo }, theme);
        self.hidden_box = box_handles;
        if box_result != before.box_result {
            self.section_handles = SectionHandles::Chosen;
        }
        self.gizmo.scene_changed();
    }

    /// Changes settings.
    pub fn change(&mut self, change: impl FnOnce(&mut AllSettings)) {
        let mut values = self.values();
        change(&mut values);
        self.set_values(values);
    }

    /// Applies the settings that a replay lists; the others stay as they are.
    pub fn set(&mut self, patch: &SettingsPatch) {
        self.change(|values| patch.apply(values));
    }
}
