//! Values of nodes, as the difference between two states.

use crate::Scene;
use crate::bounds::Bounds;
use crate::edit::Edit;
use crate::flags::{FLAGS, Flag};
use crate::volume::NodeVolume;
use std::collections::BTreeMap;
use wgpu_gizmo_core::Transform;

/// The values of one node that edits have set; the others are `None`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NodeValues {
    /// The name.
    pub name: Option<String>,
    /// The parent.
    pub parent: Option<Option<usize>>,
    /// The local transform.
    pub local: Option<Transform>,
    /// The flags in the order of [`FLAGS`].
    pub flags: [Option<bool>; FLAGS.len()],
    /// The crop box.
    pub crop: Option<Option<Bounds>>,
}

/// The values that edits have set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Values {
    /// The nodes, by index.
    pub nodes: BTreeMap<usize, NodeValues>,
    /// Cameras and lights, by their index in [`Scene::volumes`].
    pub volumes: BTreeMap<usize, NodeVolume>,
}

impl Values {
    /// Adds the values that an edit sets, unless there are values already: those of edits that come later.
    pub fn add(&mut self, edit: &Edit, scene: &Scene) {
        match edit {
            Edit::Place(places) => places.iter().for_each(|(node, local)| {
                self.node(*node).local.get_or_insert(*local);
            }),
            Edit::Rename(names) => names.iter().for_each(|(node, name)| {
                self.node(*node).name.get_or_insert_with(|| name.clone());
            }),
            Edit::Parent(parents) => parents.iter().for_each(|(node, parent)| {
                self.node(*node).parent.get_or_insert(*parent);
            }),
            Edit::Flag(flags) => flags.iter().for_each(|(node, flag, on)| self.add_flag(*node, *flag, *on)),
            Edit::Crop(crops) => crops.iter().for_each(|(node, crop)| {
                self.node(*node).crop.get_or_insert(*crop);
            }),
            Edit::Volume(volumes) => {
                for (node, volume) in volumes {
                    if let Some(index) = scene.volume_like(*node, volume) {
                        self.volumes.entry(index).or_insert(*volume);
                    }
                }
            }
            Edit::Copy(copies) => {
                copies.iter().for_each(|(_, copy)| self.add_flag(*copy, Flag::Deleted, false));
            }
            Edit::Pivot(..) => {}
            Edit::All(edits) => edits.iter().rev().for_each(|edit| self.add(edit, scene)),
        }
    }

    fn node(&mut self, node: usize) -> &mut NodeValues {
        self.nodes.entry(node).or_default()
    }

    fn add_flag(&mut self, node: usize, flag: Flag, on: bool) {
        self.node(node).flags[flag as usize].get_or_insert(on);
    }
}
