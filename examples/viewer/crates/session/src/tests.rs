//! Helpers that tests of several modules share.

use crate::editor::Editor;
use crate::session::Session;
use crate::views::Canvas;
use scene::flags::FLAGS;
use scene::node_value::bits;
use scene::selection::Selection;
use scene::{Node, Scene};
use std::path::{Path, PathBuf};
use wgpu_gizmo_core::glam::DMat4;
use wgpu_gizmo_core::{View, Viewport};

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
