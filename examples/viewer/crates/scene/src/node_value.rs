//! Single values of nodes, which edits set and by which two states differ.

use crate::bounds::Bounds;
use crate::flags::{FLAGS, Flag};
use crate::volume::NodeVolume;
use crate::{Node, Scene};
use wgpu_gizmo_core::Transform;

/// A value of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeValue {
    /// The name.
    Name(String),
    /// The parent.
    Parent(Option<usize>),
    /// The local transform.
    Local(Transform),
    /// A flag, and whether it is set.
    Flag(Flag, bool),
    /// The crop box.
    Crop(Option<Bounds>),
    /// The camera or light. Nodes can share one.
    Volume(NodeVolume),
}

impl NodeValue {
    /// Returns all values of a node but its camera and its light.
    pub(crate) fn all(node: usize, scene: &Scene) -> impl Iterator<Item = Self> {
        let Node { name, parent, local, .. } = &scene.nodes()[node];
        let crop = Self::Crop(scene.crop_box(node));
        let flags = FLAGS.map(|flag| Self::Flag(flag, scene.has_flag(node, flag)));
        [Self::Name(name.clone()), Self::Parent(*parent), Self::Local(*local), crop].into_iter().chain(flags)
    }

    /// Returns the value that the node has now. `None` if it has no camera or light of this kind.
    pub fn now(&self, node: usize, scene: &Scene) -> Option<Self> {
        match self {
            Self::Volume(volume) => scene.volume(scene.volume_like(node, volume)?).map(Self::Volume),
            _ => Self::all(node, scene).find(|now| now.kind() == self.kind()),
        }
    }

    /// Returns a number that is the same for all values that replace each other.
    pub(crate) fn kind(&self) -> usize {
        match self {
            Self::Name(_) => 0,
            Self::Parent(_) => 1,
            Self::Local(_) => 2,
            Self::Crop(_) => 3,
            Self::Volume(_) => 4,
            Self::Flag(flag, _) => 5 + *flag as usize,
        }
    }

    /// Returns true if both values have the same bits.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Local(local), Self::Local(other)) => bits(local) == bits(other),
            _ => self == other,
        }
    }
}

/// Returns the bits of all numbers, because 0 and −0 are equal.
pub fn bits(local: &Transform) -> ([u64; 3], [u64; 4], [u64; 3]) {
    let Transform { translation, rotation, scale } = local;
    let bits = f64::to_bits;
    (translation.to_array().map(bits), rotation.to_array().map(bits), scale.to_array().map(bits))
}
