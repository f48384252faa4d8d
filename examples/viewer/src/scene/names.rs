//! What nodes are called. Of the nodes that are there no two have one name. Those that are not may
//! have the name of one that is: a step of the history that brings them back comes after those that
//! gave the name away have been undone.

use super::Scene;
use std::collections::HashSet;

/// Why a node cannot be given a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RenameError {
    /// Nothing but space.
    #[error("a node needs a name")]
    Empty,
    /// Another node has it.
    #[error("there is a node named {0} already; names are unique in a scene")]
    Taken(String),
}

impl Scene {
    /// Index of the node with this name, if it is there.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.named(name).filter(|node| self.is_there(*node))
    }

    /// Index of the node with this name, or, where none is there, of one that is not.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Gives a node a name that no other has. Space round it does not count.
    pub(crate) fn rename(&mut self, node: usize, name: &str) -> Result<(), RenameError> {
        self.rename_all(&[(node, name.to_owned())])
    }

    /// Gives nodes names, all at once, so that two may swap theirs. Where one cannot be given, none
    /// is.
    pub(crate) fn rename_all(&mut self, names: &[(usize, String)]) -> Result<(), RenameError> {
        let renamed: HashSet<usize> = names.iter().map(|(node, _)| *node).collect();
        let mut given = HashSet::new();
        for name in names.iter().map(|(_, name)| name.trim()) {
            if name.is_empty() {
                return Err(RenameError::Empty);
            }
            let is_taken = self.find(name).is_some_and(|holder| !renamed.contains(&holder));
            if is_taken || !given.insert(name) {
                return Err(RenameError::Taken(name.to_owned()));
            }
        }
        for (node, _) in names {
            let name = &self.nodes[*node].name;
            if self.named(name) == Some(*node) {
                self.by_name.remove(name);
            }
        }
        for (node, name) in names {
            let before = &mut self.nodes[*node].name;
            if before != name.trim() {
                self.reports.renamed(*node, before);
            }
            name.trim().clone_into(before);
            self.claim(*node);
        }
        self.version.renamed += 1;
        Ok(())
    }

    /// A node is known by its name, unless another one that is there has it.
    pub(super) fn claim(&mut self, node: usize) {
        let name = &self.nodes[node].name;
        let goes_before = |holder: usize| self.is_there(holder) || !self.is_there(node);
        if !self.named(name).is_some_and(goes_before) {
            self.by_name.insert(name.clone(), node);
        }
    }

    /// The same of all that hangs on a node, which has come back.
    pub(super) fn claim_below(&mut self, top: usize) {
        let mut rest = vec![top];
        while let Some(node) = rest.pop() {
            self.claim(node);
            rest.extend(&self.nodes[node].children);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Flag;
    use crate::scene::Node;
    use wgpu_gizmo::Transform;

    fn scene(names: &[(&str, Option<usize>)]) -> Scene {
        let node = |(name, parent): &(&str, Option<usize>)| Node::new(*name, *parent, Transform::IDENTITY);
        Scene::new(names.iter().map(node).collect(), Vec::new()).expect("a tree")
    }

    #[test]
    fn a_name_is_given_once() {
        let mut scene = scene(&[("a", None), ("b", None)]);
        let version = scene.version();
        assert_eq!(scene.rename(0, "b"), Err(RenameError::Taken("b".to_owned())));
        assert_eq!(scene.rename(0, " \t"), Err(RenameError::Empty));
        assert_eq!((scene.find("a"), scene.version()), (Some(0), version), "a refusal changes nothing");
        assert_eq!((scene.rename(0, " c "), scene.rename(1, "a")), (Ok(()), Ok(())));
        assert_eq!((scene.find("a"), scene.find("b"), scene.find("c")), (Some(1), None, Some(0)));
        assert_eq!(scene.rename(0, "c"), Ok(()), "its own name is free");
        assert!(scene.version() != version && scene.version().is_same_tree(version));
        let all = |names: [&str; 2]| [(0, names[0].to_owned()), (1, names[1].to_owned())];
        assert_eq!(scene.rename_all(&all(["a", "c "])), Ok(()), "two swap theirs");
        assert_eq!((scene.find("a"), scene.find("c")), (Some(0), Some(1)));
        assert_eq!(scene.rename_all(&all(["d", "d"])), Err(RenameError::Taken("d".to_owned())));
        assert_eq!(scene.rename_all(&all(["d", ""])), Err(RenameError::Empty));
        assert_eq!(scene.rename_all(&[(0, "c".to_owned())]), Err(RenameError::Taken("c".to_owned())));
        assert_eq!((scene.find("a"), scene.find("c"), scene.find("d")), (Some(0), Some(1), None));
    }

    #[test]
    fn the_name_of_what_was_deleted_is_free_until_it_is_back() {
        let mut scene = scene(&[("top", None), ("leaf", Some(0)), ("other", None)]);
        scene.set_flag(0, Flag::Deleted, true);
        assert_eq!((scene.find("leaf"), scene.named("leaf")), (None, Some(1)));
        assert_eq!(scene.rename(2, "leaf"), Ok(()));
        assert_eq!((scene.find("leaf"), scene.find("other")), (Some(2), None));
        assert_eq!(scene.rename(2, "other"), Ok(()));
        assert_eq!(scene.find("leaf"), None);
        scene.set_flag(0, Flag::Deleted, false);
        assert_eq!([scene.find("top"), scene.find("leaf"), scene.find("other")], [Some(0), Some(1), Some(2)]);
        // Out of what was deleted, and into it again.
        scene.set_flag(0, Flag::Deleted, true);
        assert_eq!(scene.rename(2, "leaf"), Ok(()));
        assert_eq!(scene.rename(2, "other"), Ok(()));
        assert!(scene.hang(1, None, Transform::IDENTITY));
        assert_eq!(scene.find("leaf"), Some(1));
        assert!(scene.hang(1, Some(0), Transform::IDENTITY));
        assert_eq!(scene.find("leaf"), None);
    }
}
