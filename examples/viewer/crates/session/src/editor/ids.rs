//! Allocates the ids that nodes have in the ID image.

use super::Editor;
use std::num::NonZeroU32;
use wgpu_gizmo_core::handle::BoxGrip;
use wgpu_gizmo_core::pick::{IdRange, IdSpaceExhausted};
use wgpu_gizmo_core::{DrawList, IdSpace};

/// One id per node. Nodes are added but never removed.
#[derive(Debug)]
pub(super) struct Ids {
    /// The space that the ids are allocated from.
    pub(super) space: IdSpace,
    /// The id ranges of nodes, each with its first node, in ascending order of both.
    nodes: Vec<(usize, IdRange)>,
    /// The number of nodes that have an id.
    count: usize,
}

impl Ids {
    /// Creates the ids of no nodes, to be allocated from a space.
    pub(super) fn new(space: IdSpace) -> Self {
        Self { space, nodes: Vec::new(), count: 0 }
    }

    /// Allocates ids until `count` nodes have one.
    pub(super) fn grow_to(&mut self, count: usize) -> Result<(), IdSpaceExhausted> {
        if let Some(more) = count.checked_sub(self.count).filter(|more| *more > 0) {
            let range = self.space.allocate(u32::try_from(more).unwrap_or(u32::MAX))?;
            self.nodes.push((self.count, range));
            self.count = count;
        }
        Ok(())
    }

    /// Returns the range that contains the id of a node.
    pub(super) fn range_of(&self, node: usize) -> Option<IdRange> {
        self.part_of(node).map(|(_, range)| range)
    }

    fn part_of(&self, node: usize) -> Option<(usize, IdRange)> {
        let after = self.nodes.partition_point(|(first, _)| *first <= node);
        self.nodes.get(after.checked_sub(1)?).copied()
    }

    /// Returns the node with this id, or `None` if the id is not a node's.
    pub(super) fn node(&self, id: NonZeroU32) -> Option<usize> {
        let after = self.nodes.partition_point(|(_, range)| range.first() <= id);
        let (first, range) = self.nodes.get(after.checked_sub(1)?)?;
        range.offset_of(id).map(|offset| first + offset as usize)
    }
}

impl Editor {
    /// Returns a node's id in the ID image.
    pub fn id_of(&self, node: usize) -> Option<NonZeroU32> {
        let (first, range) = self.ids.part_of(node)?;
        range.id(u32::try_from(node - first).ok()?)
    }

    /// Returns a node's id in images that are asked for the object under the pointer or the objects in
    /// a region. Locked nodes have none, so that the objects behind them are found.
    pub fn pickable_id_of(&self, node: usize) -> Option<NonZeroU32> {
        self.id_of(node).filter(|_| self.scene.is_pickable(node))
    }

    /// Returns the node with this id, or `None` if the id is not a node's.
    pub fn node_of(&self, id: NonZeroU32) -> Option<usize> {
        self.ids.node(id)
    }

    /// Returns the side of the view cube under the pointer.
    pub fn hovered_side(&self) -> Option<BoxGrip> {
        self.gizmo.hovered_object().and_then(|id| self.cube.side_of(id))
    }

    /// Adds the view cube to a list.
    pub(crate) fn draw_cube(&mut self, list: &mut DrawList) {
        self.cube.set_hovered(self.gizmo.hovered_object());
        self.cube.draw(list, &self.gizmo.theme);
    }

    /// Returns the node under the pointer.
    pub fn hovered_node(&self) -> Option<usize> {
        self.gizmo.hovered_object().and_then(|id| self.node_of(id))
    }
}
