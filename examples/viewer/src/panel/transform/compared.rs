//! Which values differ among the selected nodes.

use super::super::number::Channel;
use scene::selection::Selection;
use scene::{Scene, Version};
use session::editor::Editor;
use wgpu_gizmo::Transform;
use wgpu_gizmo::glam::BVec3;

/// The number of selected nodes from which on they are not compared in every frame in which they move: ten thousand
/// take about two milliseconds.
const MANY: usize = 2_000;

/// The result of comparing the selected nodes. It is kept until they may have changed, because the comparison looks at
/// all of them if their values are equal.
#[derive(Debug, Default)]
pub(super) struct Compared {
    /// The state that was compared: the scene, its [`Scene::moves`] and the selection.
    of: Option<(Version, u64, Selection)>,
    found: Found,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Found {
    translation: BVec3,
    rotation: bool,
    scale: BVec3,
    /// Whether a node has another transform than the identity.
    is_set: bool,
}

impl Found {
    const ALL: Self = Self { translation: BVec3::TRUE, rotation: true, scale: BVec3::TRUE, is_set: true };

    fn of(scene: &Scene, selection: &Selection) -> Self {
        let mut found = Self::default();
        let local = |node: usize| &scene.nodes()[node].local;
        let Some(active) = selection.active().map(local) else { return found };
        for local in selection.nodes().iter().map(|node| local(*node)) {
            found.translation |= local.translation.cmpne(active.translation);
            // A quaternion and its negative are the same rotation.
            found.rotation |= ![active.rotation, -active.rotation].contains(&local.rotation);
            found.scale |= local.scale.cmpne(active.scale);
            found.is_set |= *local != Transform::IDENTITY;
            if found == Self::ALL {
                break;
            }
        }
        found
    }
}

impl Compared {
    /// Compares the selected nodes, if they may have changed. Nothing is typed during a drag, so many nodes are
    /// compared after it.
    pub(super) fn update(&mut self, editor: &Editor) {
        let (scene, selection) = (editor.scene(), editor.selection());
        let is_same = self.of.as_ref().is_some_and(|(version, moves, selected)| {
            let is_late = editor.is_changing() && selection.nodes().len() >= MANY;
            *version == scene.version() && (*moves == scene.moves() || is_late) && selected == selection
        });
        if !is_same {
            self.found = Found::of(scene, selection);
            self.of = Some((scene.version(), scene.moves(), selection.clone()));
        }
    }

    /// Returns true if a value is not the same for all selected nodes. Rotations are compared as a whole, because
    /// single angles are not unique.
    pub(super) fn is_mixed(&self, channel: Channel, axis: usize) -> bool {
        match channel {
            Channel::Translate => self.found.translation.test(axis),
            Channel::Rotate => self.found.rotation,
            Channel::Scale => self.found.scale.test(axis),
        }
    }

    /// Returns true if a selected node has a transform to reset.
    pub(super) fn may_reset(&self) -> bool {
        self.found.is_set
    }
}
