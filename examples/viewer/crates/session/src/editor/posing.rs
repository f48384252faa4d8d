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
    use crate::command::Command;
    use crate::tests::view;
    use scene::rig::{
        Animation, Channel, Deformed, Influence, Interpolation, Keyframes, Property, Rig, Shape, Skin,
    };
    use scene::selection::{SelectMode, Selection};
    use scene::{Node, Scene, shapes};
    use std::sync::Arc;
    use wgpu_gizmo_core::Transform;
    use wgpu_gizmo_core::glam::{DMat4, DVec2, DVec3};

    /// Returns an editor with a selected `box` at x = 1, whose animation moves it from x = 0 to x = 10.
    fn editor() -> Editor {
        let local = Transform { translation: DVec3::X, ..Transform::IDENTITY };
        let nodes = vec![Node { mesh: Some(0), ..Node::new("box", None, local) }];
        let mut scene = Scene::new(nodes, vec![shapes::cube()]).expect("the nodes form a tree");
        let times = vec![0.0, 1.0];
        let keyframes = Keyframes::new(times, vec![0., 0., 0., 10., 0., 0.], Interpolation::Linear);
        let animation = Animation {
            name: "slide".to_owned(),
            samplers: vec![keyframes.expect("the keyframes are valid")],
            channels: vec![Channel { node: 0, property: Property::Translation, sampler: 0 }],
        };
        scene.set_rig(Rig { animations: Arc::new(vec![animation]), ..Rig::default() });
        let mut editor = Editor::new(scene).expect("there are few nodes");
        editor.select(Selection::of(&[0]), &view());
        editor.update(&view());
        editor
    }

    fn x(editor: &Editor) -> f64 {
        editor.scene().world_from_node(0).w_axis.x
    }

    #[test]
    fn pose_hides_handles_and_names_reason() {
        let mut editor = editor();
        assert_eq!((editor.moved(), editor.message()), (&[0][..], None));
        editor.show_pose(Some(Pose { animation: 0, time: 0.5 }), &view());
        editor.update(&view());
        assert_eq!((editor.moved(), x(&editor)), (&[][..], 5.0));
        assert!(editor.message().is_some_and(|message| message.contains("rest pose")));
        assert!(editor.is_saved(), "a pose is no change");
        editor.show_pose(None, &view());
        editor.update(&view());
        assert_eq!((editor.moved(), x(&editor)), (&[0][..], 1.0));
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

    #[test]
    fn pose_ends_edit_of_field() {
        let mut editor = editor();
        editor.adjust("x", "Translate {}", |_, local| Transform { translation: DVec3::Y, ..*local });
        editor.show_pose(Some(Pose { animation: 0, time: 0.5 }), &view());
        assert!(!editor.is_changing());
        assert_eq!(editor.step_names(), ["Translate box"]);
    }

    #[test]
    fn skinned_node_names_joint_to_move() {
        let cube = shapes::cube();
        let shape = Shape {
            positions: cube.positions.clone(),
            normals: cube.normals.clone(),
            influences: vec![Influence { joint: 0, weight: 1.0 }; cube.positions.len()],
            ..Shape::default()
        };
        let body = Node { mesh: Some(0), ..Node::new("body", None, Transform::IDENTITY) };
        let nodes = vec![body, Node::new("hip", None, Transform::IDENTITY)];
        let mut scene = Scene::new(nodes, vec![cube]).expect("the nodes form a tree");
        let skin = Skin { joints: vec![1], joint_from_mesh: vec![DMat4::IDENTITY] };
        let (shape, skin) = (Arc::new(shape), Some(Arc::new(skin)));
        let deformed = vec![Deformed { node: 0, shape, weights: Vec::new(), skin }];
        scene.set_rig(Rig { deformed, ..Rig::default() });
        let mut editor = Editor::new(scene).expect("there are few nodes");
        for (node, message) in [(0, Some("body follows its joints: move hip instead")), (1, None)] {
            editor.select(Selection::of(&[node]), &view());
            editor.update(&view());
            assert_eq!(editor.message().as_deref(), message);
        }
    }

    #[test]
    fn edits_apply_to_scene_at_rest() {
        type Edit = fn(&mut Editor);
        let edits: [Edit; 4] = [
            |editor| {
                editor.adjust("x", "Translate {}", |_, start| Transform {
                    translation: start.translation + DVec3::X,
                    ..*start
                });
                editor.settle();
            },
            |editor| editor.reparent(None),
            |editor| assert!(editor.run(Command::Duplicate, &view())),
            |editor| assert!(editor.run(Command::DropToGrid, &view())),
        ];
        for edit in edits {
            let mut editor = editor();
            editor.show_pose(Some(Pose { animation: 0, time: 0.5 }), &view());
            edit(&mut editor);
            assert_eq!(editor.scene().pose(), None);
            assert_eq!(x(&editor), editor.scene().nodes()[0].local.translation.x);
        }
    }
}
