//! Boxes of nodes that were changed by dragging their faces.

use super::Scene;
use crate::bounds::Bounds;

impl Scene {
    /// Returns the extents of a node in its own space: the box that was set, or the bounding box of its
    /// mesh.
    pub fn extents(&self, node: usize) -> Option<Bounds> {
        self.extents.get(&node).copied().or_else(|| self.local_bounds(node))
    }

    /// Returns the nodes whose extents were set, in ascending order.
    pub fn resized(&self) -> Vec<(usize, Bounds)> {
        let mut resized: Vec<_> = self.extents.iter().map(|(node, extents)| (*node, *extents)).collect();
        resized.sort_unstable_by_key(|(node, _)| *node);
        resized
    }

    /// Sets the extents of a node; the bounding box of its mesh removes them.
    pub fn set_extents(&mut self, node: usize, extents: Bounds) {
        if Some(extents) == self.local_bounds(node) {
            self.extents.remove(&node);
        } else {
            self.extents.insert(node, extents);
        }
    }
}
