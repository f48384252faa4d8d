//! Node names. They are unique among the nodes that are not deleted. A deleted node may share its name
//! with another node: undoing its deletion comes after undoing the steps that reused the name.

use super::Scene;
use std::collections::HashSet;

/// The reason why a node cannot get a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenameError {
    /// The name is empty or white space.
    #[error("the name is empty")]
    Empty,
    /// Another node has the name.
    #[error("the name {0} is already taken")]
    Taken(String),
}

impl Scene {
    /// Returns the index of the node with this name, unless it is deleted.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.named(name).filter(|node| self.exists(*node))
    }

    /// Returns the index of the node with this name. A deleted node is returned only if no other node has
    /// the name.
    pub fn named(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Renames a node. White space around the name is ignored.
    pub fn rename(&mut self, node: usize, name: &str) -> Result<(), RenameError> {
        self.rename_all(&[(node, name.trim().to_owned())])
    }

    /// Renames several nodes at once, so two nodes can swap their names. If a name is empty or taken,
    /// nothing changes and an error is returned. White space stays, because undo gives back the names of a file.
    pub fn rename_all(&mut self, names: &[(usize, String)]) -> Result<(), RenameError> {
        let renamed: HashSet<usize> = names.iter().map(|(node, _)| *node).collect();
        self.check_names(names, |holder| renamed.contains(&holder))?;
        for (node, _) in names {
            let name = &self.nodes[*node].name;
            if self.named(name) == Some(*node) {
                self.by_name.remove(name);
            }
        }
        for (node, name) in names {
            self.nodes[*node].name.clone_from(name);
            self.register_name(*node);
        }
        self.version.renamed += 1;
        Ok(())
    }

    /// Returns an error if one of these new names is empty, another one as well, or that of a node that does not
    /// give it up.
    pub(super) fn check_names(
        &self,
        names: &[(usize, String)],
        gives_up: impl Fn(usize) -> bool,
    ) -> Result<(), RenameError> {
        let mut new_names = HashSet::new();
        for (_, name) in names {
            if name.is_empty() {
                return Err(RenameError::Empty);
            }
            if self.find(name).is_some_and(|holder| !gives_up(holder)) || !new_names.insert(name) {
                return Err(RenameError::Taken(name.clone()));
            }
        }
        Ok(())
    }

    /// Makes a node the one that is found by its name, unless a node that is not deleted has the name.
    pub(super) fn register_name(&mut self, node: usize) {
        let name = &self.nodes[node].name;
        let has_precedence = |holder: usize| self.exists(holder) || !self.exists(node);
        if !self.named(name).is_some_and(has_precedence) {
            self.by_name.insert(name.clone(), node);
        }
    }

    /// Registers the names of a node and its descendants, after the node was undeleted.
    pub(super) fn register_names_below(&mut self, top: usize) {
        let mut pending = vec![top];
        while let Some(node) = pending.pop() {
            self.register_name(node);
            pending.extend(&self.nodes[node].children);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Flag;
    use crate::scene::tests::scene_of;
    use wgpu_gizmo_core::Transform;

    #[test]
    fn names_are_unique() {
        let mut scene = scene_of(&[("a", None, 0.0), ("b", None, 0.0)]);
        let version = scene.version();
        assert_eq!(scene.rename(0, "b"), Err(RenameError::Taken("b".to_owned())));
        assert_eq!(scene.rename(0, " \t"), Err(RenameError::Empty));
        assert_eq!((scene.find("a"), scene.version()), (Some(0), version), "an error changes nothing");
        assert_eq!((scene.rename(0, " c "), scene.rename(1, "a")), (Ok(()), Ok(())));
        assert_eq!((scene.find("a"), scene.find("b"), scene.find("c")), (Some(1), None, Some(0)));
        assert_eq!(scene.rename(0, "c"), Ok(()), "a node can keep its name");
        assert!(scene.version() != version && scene.version().is_same_tree(version));
        let all = |names: [&str; 2]| [(0, names[0].to_owned()), (1, names[1].to_owned())];
        assert_eq!(scene.rename_all(&all(["a", "c"])), Ok(()), "two nodes can swap their names");
        assert_eq!((scene.find("a"), scene.find("c")), (Some(0), Some(1)));
        assert_eq!(scene.rename_all(&all(["d", "d"])), Err(RenameError::Taken("d".to_owned())));
        assert_eq!(scene.rename_all(&all(["d", ""])), Err(RenameError::Empty));
        assert_eq!(scene.rename_all(&[(0, "c".to_owned())]), Err(RenameError::Taken("c".to_owned())));
        assert_eq!((scene.find("a"), scene.find("c"), scene.find("d")), (Some(0), Some(1), None));
    }

    #[test]
    fn undo_gives_back_white_space_of_file() {
        let mut scene = scene_of(&[(" a", None, 0.0), ("a", None, 0.0), (" ", None, 0.0)]);
        assert_eq!((scene.rename(0, "b"), scene.rename(2, "c")), (Ok(()), Ok(())));
        assert_eq!(scene.rename_all(&[(0, " a".to_owned()), (2, " ".to_owned())]), Ok(()));
        assert_eq!([" a", "a", " "].map(|name| scene.find(name)), [Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn name_of_deleted_node_is_free_until_undeleted() {
        let mut scene = scene_of(&[("top", None, 0.0), ("leaf", Some(0), 0.0), ("other", None, 0.0)]);
        scene.set_flag(0, Flag::Deleted, true);
        assert_eq!((scene.find("leaf"), scene.named("leaf")), (None, Some(1)));
        assert_eq!(scene.rename(2, "leaf"), Ok(()));
        assert_eq!((scene.find("leaf"), scene.find("other")), (Some(2), None));
        assert_eq!(scene.rename(2, "other"), Ok(()));
        assert_eq!(scene.find("leaf"), None);
        scene.set_flag(0, Flag::Deleted, false);
        assert_eq!([scene.find("top"), scene.find("leaf"), scene.find("other")], [Some(0), Some(1), Some(2)]);
        // Reparents a node out of a deleted one and back into it.
        scene.set_flag(0, Flag::Deleted, true);
        assert_eq!(scene.rename(2, "leaf"), Ok(()));
        assert_eq!(scene.rename(2, "other"), Ok(()));
        assert!(scene.reparent(1, None, Transform::IDENTITY));
        assert_eq!(scene.find("leaf"), Some(1));
        assert!(scene.reparent(1, Some(0), Transform::IDENTITY));
        assert_eq!(scene.find("leaf"), None);
        // Another node that has its name by then keeps it if the deleted one is renamed.
        assert_eq!((scene.rename(2, "leaf"), scene.rename(1, "gone")), (Ok(()), Ok(())));
        assert_eq!((scene.find("leaf"), scene.named("gone")), (Some(2), Some(1)));
    }
}
