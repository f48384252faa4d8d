//! Which nodes of a tree are hidden and which are locked. What hangs on a hidden or locked node is
//! so too.

/// What can be said of a node besides where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Flag {
    /// Neither drawn nor picked nor outlined.
    Hidden,
    /// Not picked by the pointer, and neither dragged nor typed elsewhere.
    Locked,
    /// Not there any longer. It keeps its index and its name, for undo to bring it back.
    Deleted,
}

/// All flags.
pub(crate) const FLAGS: [Flag; 3] = [Flag::Hidden, Flag::Locked, Flag::Deleted];

/// One flag of every node.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flags {
    /// Of the node itself.
    own: Vec<bool>,
    /// Of the node or of any above it.
    reached: Vec<bool>,
}

impl Flags {
    /// Of so many nodes, none of which has it.
    pub(crate) fn none(nodes: usize) -> Self {
        Self { own: vec![false; nodes], reached: vec![false; nodes] }
    }

    /// One node more, on which nothing hangs and which hangs on nothing.
    pub(crate) fn push(&mut self, on: bool) {
        self.own.push(on);
        self.reached.push(on);
    }

    /// Whether the node itself has it.
    pub(crate) fn has(&self, node: usize) -> bool {
        self.own[node]
    }

    /// Whether the node or one above it has it.
    pub(crate) fn reaches(&self, node: usize) -> bool {
        self.reached[node]
    }

    /// Gives it to a node or takes it away, and to what hangs on the node. `family` knows the
    /// parent and the children of each.
    pub(crate) fn set<'a>(
        &mut self,
        node: usize,
        on: bool,
        family: impl Fn(usize) -> (Option<usize>, &'a [usize]),
    ) {
        self.own[node] = on;
        let mut rest = vec![node];
        while let Some(node) = rest.pop() {
            let (parent, children) = family(node);
            let reached = self.own[node] || parent.is_some_and(|parent| self.reached[parent]);
            // Where nothing changes, nothing changes below.
            if self.reached[node] != reached {
                self.reached[node] = reached;
                rest.extend(children);
            }
        }
    }
}
