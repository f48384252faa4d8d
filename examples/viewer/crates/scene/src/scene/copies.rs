//! Copies of nodes. A copy is made in two steps: first its name and index are reserved by adding it as
//! a deleted node, then it gets the state of its original and is undeleted. A replay reserves all of
//! its copies before its first event, so their names and indices are known from the start.

use super::{Node, RenameError, Scene};
use crate::flags::{FLAGS, Flag};
use std::collections::HashMap;

/// The indices of a node and its copy.
pub type CopyPair = (usize, usize);

impl Scene {
    /// Reserves a copy of each of these nodes with the given names. The copies are deleted nodes until
    /// [`Scene::fill_copies`]. If a name is empty or taken, nothing is added and an error is returned.
    pub fn reserve_copies(&mut self, of: &[(usize, String)]) -> Result<Vec<CopyPair>, RenameError> {
        self.check_names(of, |_| false)?;
        let copies = of.iter().map(|(of, name)| (*of, self.reserve(*of, name))).collect();
        self.version.arranged += 1;
        Ok(copies)
    }

    fn reserve(&mut self, of: usize, name: &str) -> usize {
        let copy = self.nodes.len();
        let Node { local, mesh, camera, light, .. } = self.nodes[of];
        self.nodes.push(Node { mesh, camera, light, copy_of: Some(of), ..Node::new(name, None, local) });
        self.worlds.push(local.to_matrix());
        self.moved_at.push(self.moves);
        for flag in FLAGS {
            self.flags[flag as usize].push(flag == Flag::Deleted);
        }
        self.copy_deformation(of, copy);
        self.register_name(copy);
        copy
    }

    /// Gives copies the current transforms and flags of their originals and undeletes them. The parent of
    /// a copy is the copy of the original's parent if that is among `copies`, otherwise the original's
    /// parent. Copies of deleted nodes stay deleted. If the name of a copy is taken, nothing changes and
    /// an error is returned.
    pub fn fill_copies(&mut self, copies: &[CopyPair]) -> Result<(), RenameError> {
        let name = |copy: usize| self.nodes[copy].name.as_str();
        let taken = copies.iter().find(|(_, copy)| self.find(name(*copy)).is_some_and(|node| node != *copy));
        if let Some((_, copy)) = taken {
            return Err(RenameError::Taken(name(*copy).to_owned()));
        }
        let copy_of: HashMap<usize, usize> = copies.iter().copied().collect();
        for (of, copy) in copies.iter().copied() {
            if !self.exists(of) || of == copy {
                continue;
            }
            let Node { parent, local, .. } = self.nodes[of];
            let parent = parent.map(|parent| copy_of.get(&parent).copied().unwrap_or(parent));
            self.set_crop_box(copy, self.crop_box(of));
            if self.reparent(copy, parent, local) {
                for flag in [Flag::Hidden, Flag::Locked] {
                    self.set_flag(copy, flag, self.has_flag(of, flag));
                }
                self.set_flag(copy, Flag::Deleted, false);
            }
        }
        Ok(())
    }

    /// Returns the node at the start of a chain of copies, which is the node itself if it is not a copy.
    pub fn origin(&self, node: usize) -> usize {
        std::iter::successors(Some(node), |node| self.nodes[*node].copy_of).last().unwrap_or(node)
    }

    /// Returns the nodes to duplicate, with free names for the copies: the nodes `tops` and their
    /// descendants that are not deleted, parents before children. The name of a copy of `lamp` or
    /// `lamp.000` is `lamp.001`, or the next free number.
    pub fn plan_copies(&self, tops: &[usize]) -> Vec<(usize, String)> {
        let mut pending: Vec<usize> = tops.iter().rev().copied().collect();
        let mut last: HashMap<&str, usize> = HashMap::new();
        let mut found = Vec::new();
        while let Some(node) = pending.pop() {
            let Node { name, children, .. } = &self.nodes[node];
            pending.extend(children.iter().rev().filter(|child| self.exists(**child)));
            let stem = stem(name.trim());
            let last = last.entry(stem).or_default();
            let name = loop {
                *last += 1;
                let name = format!("{stem}.{last:03}");
                if self.find(&name).is_none() {
                    break name;
                }
            };
            found.push((node, name));
        }
        found
    }
}

/// Returns a name without the number suffix of copies.
fn stem(name: &str) -> &str {
    let is_digit = |byte: u8| byte.is_ascii_digit();
    match name.rsplit_once('.') {
        Some((stem, number)) if !stem.is_empty() && number.len() >= 3 && number.bytes().all(is_digit) => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::tests::{at, scene_of};

    /// Returns a scene of `top` with the children `arm` and `leg`, `hand` as child of `arm`, and `other`.
    fn scene() -> Scene {
        scene_of(&[
            ("hand", Some(2), 1.0),
            ("top", None, 2.0),
            ("arm", Some(1), 4.0),
            ("leg", Some(1), 8.0),
            ("other", None, 16.0),
        ])
    }

    fn copy(scene: &mut Scene, tops: &[usize]) -> Vec<CopyPair> {
        let copies = scene.reserve_copies(&scene.plan_copies(tops)).expect("the names are free");
        scene.fill_copies(&copies).expect("the names are free");
        copies
    }

    fn parent_of<'a>(scene: &'a Scene, name: &str) -> Option<&'a str> {
        let node = scene.find(name).unwrap_or_else(|| panic!("{name} does not exist"));
        scene.nodes()[node].parent.map(|parent| scene.nodes()[parent].name.as_str())
    }

    #[test]
    fn copy_of_copy_continues_numbering() {
        let mut scene = scene();
        copy(&mut scene, &[4]);
        assert_eq!(copy(&mut scene, &[5, 4]), [(5, 6), (4, 7)]);
        let names: Vec<&str> = scene.nodes()[5..].iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["other.001", "other.002", "other.003"]);
        assert!((5..8).all(|node| scene.origin(node) == 4));
        assert_eq!([6, 7].map(|node| scene.nodes()[node].copy_of), [Some(5), Some(4)]);
        scene.rename_all(&[(6, " other".to_owned())]).expect("the name is free");
        copy(&mut scene, &[6, 4]);
        assert_eq!([8, 9].map(|node| scene.nodes()[node].name.as_str()), ["other.002", "other.004"]);
        for (name, stem) in
            [("a.001", "a"), ("a.1", "a.1"), (".001", ".001"), ("a.b.1234", "a.b"), ("é.00é", "é.00é")]
        {
            assert_eq!(super::stem(name), stem);
        }
    }

    #[test]
    fn reserved_copies_stay_deleted_until_filled() {
        let mut scene = scene();
        let names = [(2, "copy".to_owned()), (0, "held".to_owned())];
        let copies = scene.reserve_copies(&names).expect("the names are free");
        assert_eq!((scene.find("copy"), scene.named("held")), (None, Some(6)));
        scene.set_local(2, at(-3.0));
        assert!(scene.reparent(2, None, at(-3.0)));
        assert_eq!(scene.rename(4, "copy"), Ok(()));
        assert_eq!(scene.fill_copies(&copies), Err(RenameError::Taken("copy".to_owned())));
        assert_eq!((scene.find("copy"), scene.find("held")), (Some(4), None));
        assert_eq!((scene.rename(4, "other"), scene.fill_copies(&copies)), (Ok(()), Ok(())));
        assert_eq!((scene.find("copy"), parent_of(&scene, "copy")), (Some(5), None));
        assert_eq!(scene.world_from_node(6).w_axis.x, -2.0);
    }

    #[test]
    fn invalid_names_add_no_copies() {
        let mut scene = scene();
        let mut refused = |names: [&str; 2]| {
            let names = names.map(|name| (0, name.to_owned()));
            scene.reserve_copies(&names).expect_err("a name is not free")
        };
        assert_eq!(refused(["a", "a"]), RenameError::Taken("a".to_owned()));
        assert_eq!(refused(["a", "arm"]), RenameError::Taken("arm".to_owned()));
        assert_eq!(refused(["", "a"]), RenameError::Empty);
        assert_eq!((scene.nodes().len(), scene.named("a")), (5, None));
        scene.set_flag(4, Flag::Deleted, true);
        let copies =
            scene.reserve_copies(&[(0, "other".to_owned())]).expect("the name of a deleted node is free");
        assert_eq!((scene.fill_copies(&copies), scene.find("other")), (Ok(()), Some(5)));
    }

    #[test]
    fn copies_have_copied_parents_and_same_world_transforms() {
        let mut scene = scene();
        let before: Vec<f64> = (0..5).map(|node| scene.world_from_node(node).w_axis.x).collect();
        assert_eq!(copy(&mut scene, &[2, 4]), [(2, 5), (0, 6), (4, 7)]);
        assert_eq!(parent_of(&scene, "arm.001"), Some("top"));
        assert_eq!(parent_of(&scene, "hand.001"), Some("arm.001"));
        assert_eq!(parent_of(&scene, "other.001"), None);
        let world = |node: usize| scene.world_from_node(node).w_axis.x;
        assert_eq!([5, 6, 7].map(world), [2, 0, 4].map(|node| before[node]));
        assert_eq!((0..5).map(world).collect::<Vec<_>>(), before, "the originals do not move");
        assert_eq!(scene.nodes()[1].children, [2, 3, 5]);
        scene.set_local(5, at(100.0));
        assert_eq!(scene.world_from_node(6).w_axis.x, 103.0);
        assert_eq!(scene.world_from_node(0).w_axis.x, before[0]);
    }

    #[test]
    fn copies_keep_flags_and_skip_deleted_nodes() {
        let mut scene = scene();
        scene.set_flag(0, Flag::Hidden, true);
        scene.set_flag(2, Flag::Locked, true);
        scene.set_flag(3, Flag::Deleted, true);
        let copies = copy(&mut scene, &[1]);
        assert_eq!(copies, [(1, 5), (2, 6), (0, 7)]);
        assert!(scene.has_flag(7, Flag::Hidden) && !scene.has_flag(7, Flag::Locked));
        assert!(scene.has_flag(6, Flag::Locked) && scene.is_flagged(7, Flag::Locked));
        assert!(scene.exists(7) && scene.find("leg.001").is_none());
    }
}
