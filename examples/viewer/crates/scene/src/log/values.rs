//! Values of nodes in the past, and how the scene differs from them.

use crate::Scene;
use crate::edit::Edit;
use crate::node_value::NodeValue;
use std::collections::{BTreeMap, BTreeSet};

/// Values that edits have set, each with its node.
///
/// The key is the kind of the value with the node or, as nodes can share a camera or a light, with its index in
/// [`Scene::volumes`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Values(pub(super) BTreeMap<(usize, usize), (usize, NodeValue)>);

impl Values {
    /// Adds the values that an edit sets, unless there are values already: those of edits that come later.
    pub fn add(&mut self, edit: &Edit, scene: &Scene) {
        for (node, value) in edit.values().into_iter().rev() {
            let owner = match &value {
                NodeValue::Volume(volume) => scene.volume_like(node, volume),
                _ => Some(node),
            };
            if let Some(owner) = owner {
                self.0.entry((value.kind(), owner)).or_insert((node, value));
            }
        }
    }

    /// Returns the nodes that have values, some of them repeatedly.
    pub fn nodes(&self) -> impl Iterator<Item = usize> {
        self.0.values().map(|(node, _)| *node)
    }

    /// Returns the value that replaces this one, which must not be a camera or light.
    pub fn get(&self, node: usize, value: &NodeValue) -> Option<&NodeValue> {
        self.0.get(&(value.kind(), node)).map(|(_, value)| value)
    }

    /// Returns the name of a node, if an edit has set it.
    pub fn name(&self, node: usize) -> Option<&String> {
        match self.get(node, &NodeValue::Name(String::new()))? {
            NodeValue::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the values that are others now, and all values of the nodes `new`. An edit in progress does not count;
    /// `starts` are the edits that restore its start.
    pub fn changed(&self, scene: &Scene, starts: &[Edit], new: &BTreeSet<usize>) -> Vec<(usize, NodeValue)> {
        let mut pending = Self::default();
        starts.iter().for_each(|edit| pending.add(edit, scene));
        let changed = self.0.iter().filter_map(|((kind, owner), (node, before))| {
            let started = pending.0.get(&(*kind, *owner)).map(|(_, value)| value.clone());
            let now = started.or_else(|| before.now(*node, scene)).filter(|now| !now.is_same(before))?;
            match now {
                NodeValue::Volume(_) => Some((scene.node_with_volume(*owner)?, now)),
                _ => Some((*node, now)).filter(|(node, _)| !new.contains(node)),
            }
        });
        let of_new = new.iter().flat_map(|node| NodeValue::all(*node, scene).map(|value| (*node, value)));
        let of_new = of_new.map(|(node, value)| (node, pending.get(node, &value).cloned().unwrap_or(value)));
        changed.chain(of_new).collect()
    }
}
