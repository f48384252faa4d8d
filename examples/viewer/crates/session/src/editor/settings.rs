//! Sets the settings of the gizmo and its theme.

use super::Editor;
use super::section::SectionHandles;
use crate::settings::{AllSettings, SettingsPatch};

impl Editor {
    /// Returns the values of all settings.
    pub fn values(&self) -> AllSettings {
        self.values
    }

    /// Sets all settings.
    pub fn set_values(&mut self, values: AllSettings) {
        if values == self.values {
            return;
        }
        let before = std::mem::replace(&mut self.values, values);
        (self.gizmo.settings, self.gizmo.theme) = (values.of_gizmo(), values.theme);
        if values.box_result != before.box_result {
            self.sections.handles = SectionHandles::Chosen;
        }
        self.gizmo.scene_changed();
    }

    /// Changes settings.
    pub fn change(&mut self, change: impl FnOnce(&mut AllSettings)) {
        let mut values = self.values;
        change(&mut values);
        self.set_values(values);
    }

    /// Applies the settings that a replay lists; the others stay as they are.
    pub fn set(&mut self, patch: &SettingsPatch) {
        self.change(|values| patch.apply(values));
    }
}
