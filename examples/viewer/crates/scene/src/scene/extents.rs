//! Boxes of nodes that were changed by dragging their faces.

use super::Scene;
use crate::bounds::Bounds;

impl Scene {
    /// Returns the extents of a node in its own space: the box that was set, or the bounding box of its
    /// mesh.
    pub fn extents(&self, node: usize) -> Option<Bounds> {
        self.extents.get(&node).copied().or_else(|| self.mesh_box(node))
    }

    /// Returns the crop box that gives a node these extents: `None` for the bounding box of its mesh.
    pub fn crop_for(&self, node: usize, extents: Bounds) -> Option<Bounds> {
        Some(extents).filter(|extents| Some(*extents) != self.mesh_box(node))
    }

    /// Returns the crop box of a node in its own space: extents that differ from the bounding box of its
    /// mesh. The mesh is cut by it.
    pub fn crop_box(&self, node: usize) -> Option<Bounds> {
        self.extents.get(&node).copied()
    }

    /// Sets or removes the crop box of a node.
    pub fn set_crop_box(&mut self, node: usize, crop: Option<Bounds>) {
        let before = match crop {
            Some(crop) => self.extents.insert(node, crop),
            None => self.extents.remove(&node),
        };
        if before != crop {
            self.moves += 1;
            self.moved_at[node] = self.moves;
        }
    }
}
