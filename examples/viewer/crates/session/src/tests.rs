//! Helpers that tests of several modules share.

pub(crate) use crate::Session;
pub(crate) use crate::cameras::Cameras;
pub(crate) use crate::command::{Command, Run, gizmo_key};
pub(crate) use crate::editor::{Edge, Editor};
pub(crate) use crate::fly::Fly;
pub(crate) use crate::journal::{Journal, JournalHead};
pub(crate) use crate::keymap::Keymap;
pub(crate) use crate::orbit::Ball;
pub(crate) use crate::replay_file::{self, Button, EventKind, Expected, Mods, Replay, volumes};
pub(crate) use crate::settings::{AllSettings, Setting};
pub(crate) use crate::status;
pub(crate) use crate::views::Canvas;
pub(crate) use scene::flags::{FLAGS, Flag};
pub(crate) use scene::lens::Lens;
pub(crate) use scene::mesh::Mesh;
pub(crate) use scene::node_value::bits;
pub(crate) use scene::projection::Projection;
pub(crate) use scene::selection::{SelectMode, Selection};
pub(crate) use scene::volume::{Light, LightShape, NodeVolume};
pub(crate) use scene::{Node, Scene, built_in, shapes};
pub(crate) use serde_json::{Value, json};
pub(crate) use std::fmt::Debug;
pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::time::Duration;
pub(crate) use wgpu_gizmo_core::glam::{DMat4, DQuat, DVec2, DVec3, dcamera::rh};
pub(crate) use wgpu_gizmo_core::handle::Axis;
pub(crate) use wgpu_gizmo_core::interaction::settings::{Limits, Locks, Pivot, SnapKind};
pub(crate) use wgpu_gizmo_core::interaction::{Gizmos, KeyModifiers};
pub(crate) use wgpu_gizmo_core::math::DepthDirection;
pub(crate) use wgpu_gizmo_core::pick::{PickAnswer, PickHit, PickOutcome, PickQuery, Region};
pub(crate) use wgpu_gizmo_core::{
    DrawList, Event as GizmoEvent, HandleId, Increment, Mode, Orientation, Snap,
};
pub(crate) use wgpu_gizmo_core::{Transform, View, Viewport};

/// Returns a view that shows clip space.
pub(crate) fn view() -> View {
    View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(400, 300), 1.0)
        .expect("the view is valid")
}

/// Returns a session of a scene, in 640 × 480 pixels.
pub(crate) fn session(scene: Scene) -> Session {
    let viewport = Viewport::from_size(640, 480);
    let canvas = Canvas { size_px: [640, 480], viewport, scale_factor: 1.0 };
    Session::of_scene(Editor::of_test(scene, &[]), canvas).expect("the view is valid")
}

/// Returns the path of a file in the folder `tests`.
pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Returns the scene of a file in the folder `tests`.
pub(crate) fn scene_of(name: &str) -> Scene {
    gltf_io::open(&path(name)).expect("the file is valid")
}

/// Returns everything that a journal restores, by node name.
pub(crate) fn state(scene: &Scene) -> Vec<String> {
    let exists = (0..scene.nodes().len()).filter(|node| scene.exists(*node));
    let name = |node: usize| scene.nodes()[node].name.as_str();
    let line = |node: usize| {
        let Node { parent, local, mesh, .. } = &scene.nodes()[node];
        let (flags, extents) = (FLAGS.map(|flag| scene.has_flag(node, flag)), scene.extents(node));
        format!("{} {:?} {:?} {flags:?} {extents:?} {mesh:?}", name(node), parent.map(name), bits(local))
    };
    let mut lines: Vec<String> = exists.map(line).collect();
    lines.sort();
    lines.push(format!("{:?}", scene.volumes()));
    lines
}

impl Editor {
    /// Creates an editor of a scene with these nodes selected.
    pub(crate) fn of_test(scene: Scene, selected: &[&str]) -> Self {
        let mut editor = Self::new(scene).expect("there are enough ids");
        editor.select_named(selected);
        editor
    }

    /// Returns the node with this name.
    pub(crate) fn node(&self, name: &str) -> usize {
        self.scene().find(name).unwrap_or_else(|| panic!("no {name}"))
    }

    /// Selects nodes by name.
    pub(crate) fn select_named(&mut self, names: &[&str]) {
        let nodes: Vec<usize> = names.iter().map(|name| self.node(name)).collect();
        self.select(Selection::of(&nodes), &view());
    }

    /// Returns the names of the selected nodes.
    pub(crate) fn selected_names(&self) -> Vec<&str> {
        self.selection().nodes().iter().map(|node| self.scene().nodes()[*node].name.as_str()).collect()
    }

    /// Returns the names of all undo steps.
    pub(crate) fn step_names(&self) -> Vec<&str> {
        self.log().entries().iter().map(|entry| entry.name.as_str()).collect()
    }
}
