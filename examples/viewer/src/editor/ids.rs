//! The ids in the ID image of all that an editor shows but the handles.

use crate::view_cube::Side;
use std::num::NonZeroU32;
use wgpu_gizmo::IdSpace;
use wgpu_gizmo::pick::{IdRange, IdSpaceExhausted};

/// One id for each node and for each side of the view cube. Nodes come, but none ever goes.
#[derive(Debug)]
pub(super) struct Ids {
    space: IdSpace,
    cube: IdRange,
    /// Each with the first of the nodes whose ids it holds, in ascending order of both.
    nodes: Vec<(usize, IdRange)>,
    /// How many nodes have one.
    count: usize,
}

impl Ids {
    /// Of no nodes yet.
    pub(super) fn new(mut space: IdSpace) -> Result<Self, IdSpaceExhausted> {
        let cube = space.allocate(Side::COUNT)?;
        Ok(Self { space, cube, nodes: Vec::new(), count: 0 })
    }

    /// Gives ids to all nodes up to so many.
    pub(super) fn grow_to(&mut self, count: usize) -> Result<(), IdSpaceExhausted> {
        if let Some(more) = count.checked_sub(self.count).filter(|more| *more > 0) {
            let range = self.space.allocate(u32::try_from(more).unwrap_or(u32::MAX))?;
            self.nodes.push((self.count, range));
            self.count = count;
        }
        Ok(())
    }

    /// The ids of the view cube's sides.
    pub(super) fn cube(&self) -> IdRange {
        self.cube
    }

    /// The id of a node.
    pub(super) fn of_node(&self, node: usize) -> Option<NonZeroU32> {
        let after = self.nodes.partition_point(|(first, _)| *first <= node);
        let (first, range) = self.nodes.get(after.checked_sub(1)?)?;
        range.id(u32::try_from(node - first).ok()?)
    }

    /// The node with this id, if it is a node's.
    pub(super) fn node(&self, id: NonZeroU32) -> Option<usize> {
        let after = self.nodes.partition_point(|(_, range)| range.first() <= id);
        let (first, range) = self.nodes.get(after.checked_sub(1)?)?;
        range.offset_of(id).map(|offset| first + offset as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_has_an_id_of_its_own_whenever_it_came() {
        let mut ids = Ids::new(IdSpace::new()).expect("free");
        assert_eq!((ids.of_node(0), ids.node(ids.cube().first())), (None, None));
        for count in [3, 3, 4, 9] {
            ids.grow_to(count).expect("free");
        }
        let of: Vec<NonZeroU32> = (0..9).filter_map(|node| ids.of_node(node)).collect();
        let back: Vec<usize> = of.iter().filter_map(|id| ids.node(*id)).collect();
        assert_eq!(back, (0..9).collect::<Vec<_>>());
        assert!(of.iter().all(|id| ids.cube().offset_of(*id).is_none()));
        assert_eq!(ids.of_node(9), None);
        let past = of[8].checked_add(1).expect("far from the end");
        assert_eq!(ids.node(past), None);
    }
}
