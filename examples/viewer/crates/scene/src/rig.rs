//! Skins, morph targets and animations, as a file describes them.

mod keyframes;
mod shape;

pub use keyframes::{Interpolation, Keyframes};
pub use shape::{Delta, Influence, MorphTarget, Shape};

use std::sync::Arc;
use wgpu_gizmo_core::glam::DMat4;

/// Everything of a scene that deforms meshes or moves nodes over time.
#[derive(Debug, Clone, Default)]
pub struct Rig {
    /// The nodes whose meshes are deformed. Each of these meshes belongs to one node.
    pub deformed: Vec<Deformed>,
    /// The animations.
    pub animations: Arc<Vec<Animation>>,
}

/// A node with a mesh that is deformed.
#[derive(Debug, Clone)]
pub struct Deformed {
    /// Index of the node.
    pub node: usize,
    /// The mesh before it is deformed.
    pub shape: Arc<Shape>,
    /// The weights of the morph targets at rest.
    pub weights: Vec<f32>,
    /// The skin.
    pub skin: Option<Arc<Skin>>,
}

/// The joints of a mesh.
#[derive(Debug, Clone, Default)]
pub struct Skin {
    /// Index of the node of each joint.
    pub joints: Vec<usize>,
    /// The inverse bind matrix of each joint.
    pub joint_from_mesh: Vec<DMat4>,
}

/// A named animation.
#[derive(Debug, Clone, Default)]
pub struct Animation {
    /// The name that is shown.
    pub name: String,
    /// The keyframes that the channels share.
    pub samplers: Vec<Keyframes>,
    /// What the keyframes move.
    pub channels: Vec<Channel>,
}

/// The connection between keyframes and a property of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channel {
    /// Index of the node.
    pub node: usize,
    /// The animated property.
    pub property: Property,
    /// Index into [`Animation::samplers`].
    pub sampler: usize,
}

/// A property of a node that can be animated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// The translation.
    Translation,
    /// The rotation, as a quaternion.
    Rotation,
    /// The scale.
    Scale,
    /// The weights of the morph targets.
    Weights,
}

impl Animation {
    /// Returns the time of the last keyframe, in seconds.
    pub fn duration(&self) -> f64 {
        self.samplers.iter().filter_map(Keyframes::end).fold(0.0, f64::max)
    }
}

/// An instant of an animation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Index into [`Rig::animations`].
    pub animation: usize,
    /// The time in seconds.
    pub time: f64,
}
