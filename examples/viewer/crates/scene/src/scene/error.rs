//! The reasons why nodes do not form a scene.

/// The reason why nodes do not form a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct SceneError {
    /// Index of the node.
    pub node: usize,
    /// What is wrong with the node, without its name: "is its own ancestor".
    pub what: &'static str,
}
