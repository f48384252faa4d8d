//! Flags of nodes: hidden, locked and deleted. Descendants inherit them.

/// A flag of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flag {
    /// The node is not drawn, picked or outlined.
    Hidden,
    /// The node cannot be picked by the pointer, and neither drags nor typed values move it.
    Locked,
    /// The node is deleted. It keeps its index and its name, so that undo can restore it.
    Deleted,
}

/// All flags.
pub const FLAGS: [Flag; 3] = [Flag::Hidden, Flag::Locked, Flag::Deleted];

/// One flag for each node.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// Whether the flag is set on the node itself.
    pub(crate) own: Vec<bool>,
    /// Whether the flag is set on the node or on one of its ancestors.
    pub(crate) effective: Vec<bool>,
}

impl Flags {
    /// Creates a cleared flag for this number of nodes.
    pub fn none(nodes: usize) -> Self {
        Self { own: vec![false; nodes], effective: vec![false; nodes] }
    }

    /// Adds a node without parent and children.
    pub fn push(&mut self, on: bool) {
        self.own.push(on);
        self.effective.push(on);
    }

    /// Sets or clears the flag of a node and updates its descendants. `family` returns the parent and the
    /// children of a node.
    pub fn set<'a>(&mut self, node: usize, on: bool, family: impl Fn(usize) -> (Option<usize>, &'a [usize])) {
        self.own[node] = on;
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            let (parent, children) = family(node);
            let effective = self.own[node] || parent.is_some_and(|parent| self.effective[parent]);
            // Descendants change only if the node does.
            if self.effective[node] != effective {
                self.effective[node] = effective;
                pending.extend(children);
            }
        }
    }
}
