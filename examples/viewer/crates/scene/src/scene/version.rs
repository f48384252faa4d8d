//! Versions, to find out whether a scene has changed.

use std::sync::atomic::{AtomicU64, Ordering};

/// The version of a scene. It differs between scenes, and changes whenever a node is renamed,
/// reparented, added or deleted. Transforms, visibility and locks do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Version {
    scene: u64,
    pub(super) renamed: u64,
    pub(super) arranged: u64,
}

impl Version {
    /// Returns the version of a new scene, which differs from every other version.
    pub(super) fn new() -> Self {
        static SCENES: AtomicU64 = AtomicU64::new(1);
        Self { scene: SCENES.fetch_add(1, Ordering::Relaxed), renamed: 0, arranged: 0 }
    }

    /// Returns true if both versions are of the same scene; names and parents may differ.
    pub fn is_same_tree(self, other: Self) -> bool {
        self.scene == other.scene
    }

    /// Returns true if all nodes have the same parents in both versions.
    pub fn has_same_hierarchy(self, other: Self) -> bool {
        self.is_same_tree(other) && self.arranged == other.arranged
    }
}
