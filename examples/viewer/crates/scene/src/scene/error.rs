//! The reasons why nodes do not form a scene.

/// The reason why nodes do not form a scene, with the index of the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SceneError {
    /// The index of the parent or the mesh is out of range.
    #[error("refers to a parent or a mesh that does not exist")]
    NotThere(usize),
    /// The node is its own ancestor.
    #[error("is its own ancestor")]
    Loop(usize),
    /// An earlier node has the same name.
    #[error("has the same name as an earlier node")]
    SameName(usize),
    /// The product of the transforms from the root to this node overflows.
    #[error("the world transform of this node overflows")]
    NotFinite(usize),
}

impl SceneError {
    /// Returns the index of the node.
    pub fn node(self) -> usize {
        match self {
            Self::NotThere(node) | Self::Loop(node) | Self::SameName(node) | Self::NotFinite(node) => node,
        }
    }
}
