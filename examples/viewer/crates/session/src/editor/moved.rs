//! The nodes that the gizmo moves.

use scene::Scene;
use scene::bounds::Bounds;
use scene::edit::Edit;
use scene::node_value::bits;
use scene::selection::Selection;
use wgpu_gizmo_core::{Gizmo, Target};

/// The nodes that the gizmo moves: the selected nodes that are neither hidden nor locked.
#[derive(Debug, Default)]
pub(super) struct Moved {
    /// The nodes, in the order of the targets.
    pub(super) nodes: Vec<usize>,
    /// The gizmo's targets, one per node.
    pub(super) targets: Vec<Target>,
    /// The nodes whose crop boxes the drag in progress has changed, with the former ones.
    resized: Vec<(usize, Option<Bounds>)>,
}

impl Moved {
    /// Updates the nodes and their targets. While an animation is shown, there are none.
    pub(super) fn update(&mut self, selection: &Selection, scene: &Scene) {
        match scene.pose() {
            Some(_) => {
                self.nodes.clear();
                self.targets.clear();
            }
            None => selection.targets(scene, &mut self.nodes, &mut self.targets),
        }
    }

    /// Writes the moved targets to the scene.
    pub(super) fn write(&mut self, scene: &mut Scene) {
        for (node, target) in self.nodes.iter().zip(&self.targets) {
            // Equal numbers can differ in their bits, such as 0 and −0.
            if bits(&scene.nodes()[*node].local) != bits(&target.local) {
                scene.set_local(*node, target.local);
            }
            let before = scene.extents(*node);
            let now = target.bounds_local.map(|[min, max]| Bounds { min, max });
            if let (Some(before), Some(now)) = (before, now)
                && before != now
            {
                if self.resized.iter().all(|(resized, _)| resized != node) {
                    self.resized.push((*node, scene.crop_box(*node)));
                }
                scene.set_crop_box(*node, scene.crop_for(*node, now));
            }
        }
    }

    /// Returns the edit that restores the start of the drag that has ended, with its crop boxes if it changed those.
    pub(super) fn take_start(&mut self, gizmo: &Gizmo) -> Edit {
        match std::mem::take(&mut self.resized) {
            resized if resized.is_empty() => self.places(gizmo),
            resized => Edit::Crop(resized),
        }
    }

    /// Returns the edits that restore the start of the drag in progress.
    pub(super) fn starts(&self, gizmo: &Gizmo) -> [Edit; 2] {
        [self.places(gizmo), Edit::Crop(self.resized.clone())]
    }

    /// Forgets the crop boxes at the start of a drag, which was canceled or has changed nothing.
    pub(super) fn forget_start(&mut self) {
        self.resized.clear();
    }

    fn places(&self, gizmo: &Gizmo) -> Edit {
        Edit::Place(self.nodes.iter().copied().zip(gizmo.starts()).collect())
    }
}
