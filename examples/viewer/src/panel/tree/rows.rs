//! The rows of the tree that can be seen or scrolled to: kept, and changed only where something
//! opens, closes or is searched for.

use crate::scene::{Scene, Version};

/// One node in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) node: usize,
    /// Roots are at 0.
    pub(crate) depth: usize,
}

/// Trees of no more nodes than this are open from the start.
const SMALL: usize = 300;

/// A tree as a list of rows.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    version: Version,
    /// In lower case.
    query: String,
    /// By node.
    is_open: Vec<bool>,
    rows: Vec<Row>,
    /// Level of the deepest of them.
    deepest: usize,
    /// How many nodes the search found.
    found: usize,
}

impl Rows {
    /// The rows of this scene, with what was searched for; whether they are another tree's than
    /// before.
    pub(crate) fn sync(&mut self, scene: &Scene, query: &str) -> bool {
        let query = query.trim().to_lowercase();
        let version = scene.version();
        let is_new = !version.is_same_tree(self.version);
        if is_new {
            self.is_open.clear();
        }
        // Copies come while the rest stays as it is.
        self.is_open.resize(scene.nodes().len(), scene.nodes().len() <= SMALL);
        let renamed = !query.is_empty() && version != self.version;
        let rearranged = !version.has_same_hierarchy(self.version);
        if rearranged || renamed || query != self.query {
            (self.version, self.query) = (version, query);
            self.rebuild(scene);
        }
        self.version = version;
        is_new
    }

    fn rebuild(&mut self, scene: &Scene) {
        self.list(scene);
        self.measure();
    }

    fn measure(&mut self) {
        self.deepest = self.rows.iter().map(|row| row.depth).max().unwrap_or(0);
    }

    fn list(&mut self, scene: &Scene) {
        self.rows.clear();
        let is_root = |node: &usize| scene.nodes()[*node].parent.is_none() && scene.is_there(*node);
        let roots = (0..scene.nodes().len()).filter(is_root);
        let roots: Vec<Row> = roots.map(|node| Row { node, depth: 0 }).collect();
        if self.query.is_empty() {
            self.rows = outline(scene, roots, |node| self.is_open[node]);
            return;
        }
        let is_found = |node: &crate::scene::Node| node.name.to_lowercase().contains(&self.query);
        let found: Vec<usize> =
            (0..scene.nodes().len()).filter(|n| scene.is_there(*n) && is_found(&scene.nodes()[*n])).collect();
        self.found = found.len();
        // What is found, and all above it, so that one sees where it is.
        let mut is_kept = vec![false; scene.nodes().len()];
        for node in found {
            let mut up = Some(node);
            while let Some(node) = up.filter(|node| !is_kept[*node]) {
                is_kept[node] = true;
                up = scene.nodes()[node].parent;
            }
        }
        self.rows = outline(scene, roots, |_| true);
        self.rows.retain(|row| is_kept[row.node]);
    }

    /// All rows, from the top.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The level of the deepest row; roots are at 0.
    pub(crate) fn deepest(&self) -> usize {
        self.deepest
    }

    /// How many nodes the search found, while something is searched for.
    pub(crate) fn found(&self) -> Option<usize> {
        (!self.query.is_empty()).then_some(self.found)
    }

    /// The row of a node, if it is in the list.
    pub(crate) fn place_of(&self, node: usize) -> Option<usize> {
        self.rows.iter().position(|row| row.node == node)
    }

    /// Whether what hangs on a node is in the list.
    pub(crate) fn is_open(&self, node: usize) -> bool {
        self.found().is_some() || self.is_open[node]
    }

    /// Opens or closes the node of a row. While something is searched for, all are open.
    pub(crate) fn set_open(&mut self, place: usize, open: bool, scene: &Scene) {
        let Row { node, depth } = self.rows[place];
        if self.found().is_some() || self.is_open[node] == open {
            return;
        }
        self.is_open[node] = open;
        let first = place + 1;
        if open {
            let children = scene.nodes()[node].children.iter().filter(|child| scene.is_there(**child));
            let children = children.map(|child| Row { node: *child, depth: depth + 1 }).collect();
            let below = outline(scene, children, |node| self.is_open[node]);
            self.rows.splice(first..first, below);
        } else {
            let below = self.rows[first..].iter().take_while(|row| row.depth > depth).count();
            self.rows.drain(first..first + below);
        }
        self.measure();
    }

    /// Opens all above a node, so that it is in the list; not while something is searched for.
    pub(crate) fn reveal(&mut self, node: usize, scene: &Scene) {
        if self.found().is_some() {
            return;
        }
        let up = |node: &usize| scene.nodes()[*node].parent;
        let mut changed = false;
        for above in std::iter::successors(up(&node), up) {
            changed |= !std::mem::replace(&mut self.is_open[above], true);
        }
        // Once for all of them: a tree can be as deep as it is large.
        if changed {
            self.rebuild(scene);
        }
    }
}

/// Rows and what hangs on them, as far as it is open. A loop of its own rather than recursion:
/// trees can be deeper than the stack.
fn outline(scene: &Scene, tops: Vec<Row>, is_open: impl Fn(usize) -> bool) -> Vec<Row> {
    let mut rest: Vec<Row> = tops.into_iter().rev().collect();
    let mut rows = Vec::with_capacity(rest.len());
    while let Some(row) = rest.pop() {
        rows.push(row);
        if is_open(row.node) {
            let children = scene.nodes()[row.node].children.iter().rev();
            let children = children.filter(|child| scene.is_there(**child));
            rest.extend(children.map(|child| Row { node: *child, depth: row.depth + 1 }));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Node;
    use wgpu_gizmo::Transform;

    /// `a` with `b` in it, `b` with `c`; and `d`. Then leaves, to be more than a small tree.
    fn scene(leaves: usize) -> Scene {
        let node = |name: &str, parent| Node::new(name, parent, Transform::IDENTITY);
        let mut nodes = vec![node("a", None), node("b", Some(0)), node("c", Some(1)), node("d", None)];
        nodes.extend((0..leaves).map(|leaf| node(&format!("leaf {leaf}"), Some(3))));
        Scene::new(nodes, Vec::new()).expect("a tree")
    }

    fn nodes(rows: &Rows) -> Vec<usize> {
        rows.rows().iter().map(|row| row.node).collect()
    }

    #[test]
    fn what_opens_and_closes_comes_and_goes_where_it_stands() {
        let (scene, mut rows) = (scene(1000), Rows::default());
        assert!(rows.sync(&scene, "") && !rows.sync(&scene, ""));
        assert_eq!(nodes(&rows), [0, 3], "a large tree begins closed");
        rows.set_open(0, true, &scene);
        assert_eq!(nodes(&rows), [0, 1, 3]);
        rows.set_open(1, true, &scene);
        assert_eq!(rows.deepest(), 2);
        rows.set_open(0, false, &scene);
        assert_eq!((nodes(&rows), rows.deepest()), (vec![0, 3], 0));
        rows.set_open(0, true, &scene);
        assert_eq!(nodes(&rows), [0, 1, 2, 3], "b was left open");
        assert_eq!(rows.rows()[2], Row { node: 2, depth: 2 });
        rows.reveal(700, &scene);
        assert_eq!(rows.rows().len(), 1004);
        assert_eq!(rows.place_of(700), Some(700));
        rows.set_open(3, false, &scene);
        assert_eq!(rows.place_of(700), None);
    }

    #[test]
    fn a_search_shows_what_it_finds_and_all_above_it() {
        let (mut scene, mut rows) = (scene(1000), Rows::default());
        rows.sync(&scene, "  C ");
        assert_eq!((nodes(&rows), rows.found()), (vec![0, 1, 2], Some(1)));
        rows.set_open(0, false, &scene);
        assert_eq!(nodes(&rows), [0, 1, 2], "all are open in a search");
        rows.sync(&scene, "leaf 99");
        assert_eq!((rows.found(), rows.rows().len()), (Some(11), 12));
        scene.rename(2, "leaf 99 too").expect("a free name");
        rows.sync(&scene, "leaf 99");
        assert_eq!(rows.found(), Some(12));
        rows.sync(&scene, "nowhere");
        assert_eq!((rows.found(), rows.rows().len()), (Some(0), 0));
        rows.sync(&scene, "");
        assert_eq!((rows.found(), nodes(&rows)), (None, vec![0, 3]));
    }

    #[test]
    fn what_is_hung_elsewhere_or_deleted_is_listed_so() {
        use crate::flags::Flag;
        let (mut scene, mut rows) = (scene(0), Rows::default());
        rows.sync(&scene, "");
        let local = scene.nodes()[2].local;
        assert!(scene.reparent(2, Some(3), local));
        assert!(!rows.sync(&scene, ""), "it is the same tree");
        assert_eq!(nodes(&rows), [0, 1, 3, 2]);
        scene.set_flag(0, Flag::Deleted, true);
        rows.sync(&scene, "");
        assert_eq!(nodes(&rows), [3, 2]);
        scene.set_flag(2, Flag::Deleted, true);
        rows.sync(&scene, "c");
        assert_eq!((nodes(&rows), rows.found()), (vec![], Some(0)));
        scene.set_flag(0, Flag::Deleted, false);
        rows.sync(&scene, "");
        rows.set_open(2, true, &scene);
        assert_eq!(nodes(&rows), [0, 1, 3]);
    }

    #[test]
    fn another_scene_is_another_tree() {
        let mut rows = Rows::default();
        rows.sync(&scene(1000), "");
        assert!(rows.sync(&scene(0), ""));
        assert_eq!(nodes(&rows), [0, 1, 2, 3], "a small tree begins open");
    }

    #[test]
    fn a_tree_deeper_than_the_stack_is_listed() {
        let node = |i: usize| Node::new(format!("n{i}"), i.checked_sub(1), Transform::IDENTITY);
        let scene = Scene::new((0..100_000).map(node).collect(), Vec::new()).expect("a tree");
        let mut rows = Rows::default();
        rows.sync(&scene, "n99999");
        assert_eq!((rows.found(), rows.rows().len()), (Some(1), 100_000));
        rows.sync(&scene, "");
        rows.reveal(300, &scene);
        assert_eq!(rows.rows().last(), Some(&Row { node: 300, depth: 300 }));
    }
}
