//! The reasons why nodes do not form a scene.

/// The reason why nodes do not form a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct SceneError {
    /// Index of the node.
    pub node: usize,
    /// What the node does.
    pub what: &'static str,
}
