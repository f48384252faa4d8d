//! The cameras and lights of a scene.

use super::Scene;
use crate::lens::Lens;
use crate::volume::NodeVolume;

impl Scene {
    /// Sets the cameras and lights that nodes refer to by index. Those that a file has but that cannot be used
    /// are `None`.
    pub fn set_volumes(&mut self, volumes: Vec<Option<NodeVolume>>) {
        self.volumes = volumes;
    }

    /// Returns the cameras and lights. [`Node::camera`](crate::Node::camera) and
    /// [`Node::light`](crate::Node::light) are indices into this list.
    pub fn volumes(&self) -> &[Option<NodeVolume>] {
        &self.volumes
    }

    /// Returns a camera or light by its index.
    pub fn volume(&self, index: usize) -> Option<NodeVolume> {
        self.volumes.get(index).copied().flatten()
    }

    /// Returns the index of the volume of a node that is edited: its light or, without one, its camera.
    pub fn volume_of(&self, node: usize) -> Option<usize> {
        let node = &self.nodes()[node];
        [node.light, node.camera].into_iter().flatten().find(|index| self.volume(*index).is_some())
    }

    /// Returns the index of the volume of a node that is of the same kind as `volume`.
    pub fn volume_like(&self, node: usize, volume: &NodeVolume) -> Option<usize> {
        let node = &self.nodes()[node];
        let is_alike = |index: &usize| self.volume(*index).is_some_and(|found| found.is_same_kind(volume));
        [node.light, node.camera].into_iter().flatten().find(is_alike)
    }

    /// Returns the first node that exists and has this camera or light.
    pub fn node_with_volume(&self, index: usize) -> Option<usize> {
        let has = |node: &usize| {
            let refers = [self.nodes()[*node].camera, self.nodes()[*node].light].contains(&Some(index));
            refers && self.exists(*node)
        };
        (0..self.nodes().len()).find(has)
    }

    /// Returns the lens of the camera of a node.
    pub fn lens(&self, node: usize) -> Option<Lens> {
        match self.volume(self.nodes()[node].camera?)? {
            NodeVolume::Camera(lens) => Some(lens),
            NodeVolume::Light(_) => None,
        }
    }

    /// Replaces a camera or light by one of the same kind. Returns false and changes nothing if the index, the
    /// kind or a number is not valid.
    pub fn set_volume(&mut self, index: usize, now: NodeVolume) -> bool {
        let before = self.volume(index).filter(|before| before.is_same_kind(&now) && now.is_valid());
        let Some(before) = before else { return false };
        if before != now {
            self.volumes[index] = Some(now);
            self.moves += 1;
        }
        true
    }
}
