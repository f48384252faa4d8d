//! The reasons why nodes do not form a scene.

/// The reason why nodes do not form a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct SceneError {
    /// Index of the node.
    pub node: usize,
    /// The fault, without the name of the node: "is its own ancestor".
    pub what: &'static str,
}
