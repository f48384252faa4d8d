//! Shows animations. Edits always apply to the scene at rest.

use super::Editor;
use scene::rig::Pose;
use wgpu_gizmo_core::View;

impl Editor {
    /// Shows an instant of an animation, or the scene at rest. Cancels a drag first. While an animation is
    /// shown, there are no handles; an edit by other means shows the scene at rest again.
    pub fn show_pose(&mut self, pose: Option<Pose>, view: &View) {
        if self.scene.pose() == pose {
            return;
        }
        self.settle();
        // A click or a box goes on while an animation plays.
        if self.is_dragging() {
            self.cancel();
            self.update(view);
        }
        self.scene.set_pose(pose);
        self.pointer.clicks.reset();
        self.gizmo.scene_changed();
    }

    /// Shows the scene at rest, before an edit.
    pub(super) fn rest(&mut self) {
        if self.scene.pose().is_some() {
            self.scene.set_pose(None);
            self.gizmo.scene_changed();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::*;

    /// Returns an editor of a scene with an animation, in which a node is selected.
    fn editor() -> Editor {
        let mut editor = Editor::of_test(scene_of("sessions.gltf"), &["box"]);
        editor.update(&view());
        editor
    }

    #[test]
    fn click_on_nothing_deselects_while_animation_plays() {
        let mut editor = editor();
        let mut play = (1..9).map(|step| Some(Pose { animation: 0, time: 0.1 * f64::from(step) }));
        let mut frame = |editor: &mut Editor| {
            editor.show_pose(play.next().flatten(), &view());
            editor.update(&view());
        };
        frame(&mut editor);
        editor.pointer_moved(DVec2::ONE);
        editor.pointer_pressed(SelectMode::Replace);
        frame(&mut editor);
        editor.answer_on_cpu();
        frame(&mut editor);
        editor.pointer_released();
        frame(&mut editor);
        assert!(editor.scene().pose().is_some() && editor.selection().nodes().is_empty());
    }
}
