//! Reports which settings and which selection have changed, with the former values, so that no copies are
//! needed for comparison.

use super::Editor;
use super::section::SectionHandles;
use crate::replay_file::SettingsPatch;
use scene::selection::Selection;
use wgpu_gizmo_core::{Settings, Theme};

/// The changes since the last call of [`Editor::take_changes`], with the values before the first
/// change.
#[derive(Debug, Default)]
pub(crate) struct EditorChanges {
    /// All settings before, if one of them was set.
    pub(crate) settings: Option<SettingsPatch>,
    /// The selection before, if it was set.
    pub(crate) selection: Option<Selection>,
}

impl Editor {
    /// Returns what has changed since the last call.
    pub(crate) fn take_changes(&mut self) -> EditorChanges {
        std::mem::take(&mut self.reports)
    }

    /// Replaces the selection and reports the change.
    pub(super) fn report_selection(&mut self, selection: Selection) {
        let before = std::mem::replace(&mut self.selection, selection);
        self.reports.selection.get_or_insert(before);
    }

    /// Must be called before a setting or the theme is set, so that the change is reported.
    pub(super) fn report_settings(&mut self) {
        self.reports.settings.get_or_insert_with(|| SettingsPatch::of(&self.gizmo));
    }

    /// Replaces the settings of the gizmo.
    pub fn set_settings(&mut self, settings: Settings) {
        if self.gizmo.settings != settings {
            self.report_settings();
            self.gizmo.settings = settings;
            self.gizmo.scene_changed();
        }
    }

    /// Sets the theme of the gizmo, which also selects the background.
    pub fn set_theme(&mut self, theme: Theme) {
        if self.gizmo.theme != theme {
            self.report_settings();
            self.gizmo.theme = theme;
            self.gizmo.scene_changed();
        }
    }

    /// Applies the settings that a replay lists; the others stay as they are.
    pub fn set(&mut self, patch: &SettingsPatch) {
        self.report_settings();
        let shown = self.gizmo.settings.box_handles.map(|shown| shown.result);
        patch.apply(&mut self.gizmo, &mut self.hidden_box);
        if self.gizmo.settings.box_handles.map(|shown| shown.result) != shown {
            self.section_handles = SectionHandles::Chosen;
        }
        self.gizmo.scene_changed();
    }
}
