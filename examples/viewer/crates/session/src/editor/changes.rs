//! Reports what has changed in the editor, with the former values, so that no copies are needed for
//! comparison.

use super::Editor;
use crate::replay_file::SettingsPatch;
use scene::NodeChanges;
use scene::selection::Selection;
use wgpu_gizmo_core::{Settings, Theme, Transform};

/// The changes since the last call of [`Editor::take_changes`], with the values before the first
/// change.
#[derive(Debug, Default)]
pub(crate) struct EditorChanges {
    pub(crate) nodes: NodeChanges,
    /// All settings before, if one of them was set.
    pub(crate) settings: Option<SettingsPatch>,
    /// The selection before, if it was set.
    pub(crate) selection: Option<Selection>,
    /// The place that undo or redo has given the gizmo; `None` inside if they have dropped it.
    pub(crate) pivot: Option<Option<Transform>>,
}

impl Editor {
    /// Returns what has changed since the last call.
    pub(crate) fn take_changes(&mut self) -> EditorChanges {
        EditorChanges { nodes: self.scene.take_changes(), ..std::mem::take(&mut self.reports) }
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
        patch.apply(&mut self.gizmo, &mut self.hidden_box);
        self.gizmo.scene_changed();
    }
}
