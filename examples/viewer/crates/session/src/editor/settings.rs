//! Sets the settings of the gizmo and its theme.

use super::Editor;
use super::section::SectionHandles;
use crate::settings::{AllSettings, SettingsPatch};
use wgpu_gizmo_core::interaction::settings::BoxResult;

impl Editor {
    /// Returns the values of all settings.
    pub fn values(&self) -> AllSettings {
        let shown = self.gizmo.settings.box_handles;
        let mut box_handles = shown.unwrap_or(self.sections.hidden_box);
        box_handles.result = BoxResult::default();
        AllSettings {
            gizmo: self.gizmo.settings.with(|s| s.box_handles = None),
            theme: self.gizmo.theme,
            box_result: shown.map(|shown| shown.result),
            box_handles,
        }
    }

    /// Sets all settings.
    pub fn set_values(&mut self, values: AllSettings) {
        let before = self.values();
        if values == before {
            return;
        }
        let AllSettings { gizmo, theme, box_result, box_handles } = values;
        let mut shown = box_result.map(|_| box_handles);
        shown.iter_mut().zip(box_result).for_each(|(shown, result)| shown.result = result);
        (self.gizmo.settings, self.gizmo.theme) = (gizmo.with(|s| s.box_handles = shown), theme);
        self.sections.hidden_box = box_handles;
        if box_result != before.box_result {
            self.sections.handles = SectionHandles::Chosen;
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
