//! The rows of the tree that are visible or can be scrolled to. They are listed again only when a row expands or
//! collapses, the search changes, or the hierarchy changes.

use scene::{Scene, Version};

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) node: usize,
    /// Level in the tree; roots are at 0.
    pub(crate) depth: usize,
}

/// Trees of up to this many nodes are expanded initially.
const MAX_EXPANDED: usize = 300;

/// A tree as a list of rows.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    version: Version,
    /// The search text in lower case.
    query: String,
    /// Whether each node is expanded, by node index.
    is_open: Vec<bool>,
    /// All rows from top to bottom.
    pub(crate) rows: Vec<Row>,
    /// Level of the deepest row; roots are at 0.
    pub(crate) deepest: usize,
    /// Number of nodes that match the search.
    found: usize,
}

impl Rows {
    /// Updates the rows for a scene and a search text. Returns true if the scene is another one than before.
    pub(crate) fn sync(&mut self, scene: &Scene, query: &str) -> bool {
        let query = query.trim().to_lowercase();
        let version = scene.version();
        let is_new = !version.is_same_tree(self.version);
        if is_new {
            self.is_open.clear();
        }
        // Copies are added without changing the other nodes.
        self.is_open.resize(scene.nodes().len(), scene.nodes().len() <= MAX_EXPANDED);
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
        self.rows = match self.query.is_empty() {
            true => outline(scene, |node| self.is_open[node]),
            false => self.search(scene),
        };
        self.deepest = self.rows.iter().map(|row| row.depth).max().unwrap_or(0);
    }

    /// Returns the rows of the matches and their ancestors.
    fn search(&mut self, scene: &Scene) -> Vec<Row> {
        let is_found = |node: &scene::Node| node.name.to_lowercase().contains(&self.query);
        let found: Vec<usize> =
            (0..scene.nodes().len()).filter(|n| scene.exists(*n) && is_found(&scene.nodes()[*n])).collect();
        self.found = found.len();
        let mut is_kept = vec![false; scene.nodes().len()];
        for node in found {
            let mut up = Some(node);
            while let Some(node) = up.filter(|node| !is_kept[*node]) {
                is_kept[node] = true;
                up = scene.nodes()[node].parent;
            }
        }
        let mut rows = outline(scene, |_| true);
        rows.retain(|row| is_kept[row.node]);
        rows
    }

    /// Returns the number of nodes that match, during a search.
    pub(crate) fn found(&self) -> Option<usize> {
        (!self.query.is_empty()).then_some(self.found)
    }

    /// Returns the index of a node's row, if it is in the list.
    pub(crate) fn index_of(&self, node: usize) -> Option<usize> {
        self.rows.iter().position(|row| row.node == node)
    }

    /// Returns true if the children of a node are in the list.
    pub(crate) fn is_open(&self, node: usize) -> bool {
        self.found().is_some() || self.is_open[node]
    }

    /// Expands or collapses a node. During a search, all nodes are expanded.
    pub(crate) fn set_open(&mut self, node: usize, open: bool, scene: &Scene) {
        if self.found().is_none() {
            self.is_open[node] = open;
            self.rebuild(scene);
        }
    }

    /// Expands all ancestors of a node, so that it is in the list. Does nothing during a search.
    pub(crate) fn reveal(&mut self, node: usize, scene: &Scene) {
        if self.found().is_some() {
            return;
        }
        let up = |node: &usize| scene.nodes()[*node].parent;
        let mut changed = false;
        for above in std::iter::successors(up(&node), up) {
            changed |= !std::mem::replace(&mut self.is_open[above], true);
        }
        // Rebuild once for all ancestors: a tree can be as deep as it is large.
        if changed {
            self.rebuild(scene);
        }
    }
}

/// Returns the rows of the roots and of what is below expanded nodes. Uses an explicit stack instead of recursion,
/// because trees can be deeper than the call stack.
fn outline(scene: &Scene, is_open: impl Fn(usize) -> bool) -> Vec<Row> {
    let is_root = |node: &usize| scene.nodes()[*node].parent.is_none() && scene.exists(*node);
    let roots = (0..scene.nodes().len()).rev().filter(is_root);
    let mut rest: Vec<Row> = roots.map(|node| Row { node, depth: 0 }).collect();
    let mut rows = Vec::with_capacity(rest.len());
    while let Some(row) = rest.pop() {
        rows.push(row);
        if is_open(row.node) {
            let children = scene.nodes()[row.node].children.iter().rev();
            let children = children.filter(|child| scene.exists(**child));
            rest.extend(children.map(|child| Row { node: *child, depth: row.depth + 1 }));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::Node;
    use wgpu_gizmo::Transform;

    /// Returns a scene with `b` in `a`, `c` in `b`, and `d` with this many leaves.
    fn scene(leaves: usize) -> Scene {
        let node = |name: &str, parent| Node::new(name, parent, Transform::IDENTITY);
        let mut nodes = vec![node("a", None), node("b", Some(0)), node("c", Some(1)), node("d", None)];
        nodes.extend((0..leaves).map(|leaf| node(&format!("leaf {leaf}"), Some(3))));
        Scene::new(nodes, Vec::new()).expect("the nodes form a tree")
    }

    fn nodes(rows: &Rows) -> Vec<usize> {
        rows.rows.iter().map(|row| row.node).collect()
    }

    #[test]
    fn expanding_and_collapsing_updates_rows_in_place() {
        let (scene, mut rows) = (scene(1000), Rows::default());
        assert!(rows.sync(&scene, "") && !rows.sync(&scene, ""));
        assert_eq!(nodes(&rows), [0, 3], "a large tree is collapsed initially");
        rows.set_open(0, true, &scene);
        assert_eq!(nodes(&rows), [0, 1, 3]);
        rows.set_open(1, true, &scene);
        assert_eq!(rows.deepest, 2);
        rows.set_open(0, false, &scene);
        assert_eq!((nodes(&rows), rows.deepest), (vec![0, 3], 0));
        rows.set_open(0, true, &scene);
        assert_eq!(nodes(&rows), [0, 1, 2, 3], "b stays expanded");
        assert_eq!(rows.rows[2], Row { node: 2, depth: 2 });
        rows.reveal(700, &scene);
        assert_eq!(rows.rows.len(), 1004);
        assert_eq!(rows.index_of(700), Some(700));
        rows.set_open(3, false, &scene);
        assert_eq!(rows.index_of(700), None);
    }

    #[test]
    fn search_lists_matches_with_ancestors() {
        let (mut scene, mut rows) = (scene(1000), Rows::default());
        rows.sync(&scene, "  C ");
        assert_eq!((nodes(&rows), rows.found()), (vec![0, 1, 2], Some(1)));
        rows.set_open(0, false, &scene);
        assert_eq!(nodes(&rows), [0, 1, 2], "all nodes are expanded during a search");
        rows.sync(&scene, "leaf 99");
        assert_eq!((rows.found(), rows.rows.len()), (Some(11), 12));
        scene.rename(2, "leaf 99 too").expect("the name is free");
        rows.sync(&scene, "leaf 99");
        assert_eq!(rows.found(), Some(12));
        rows.sync(&scene, "nowhere");
        assert_eq!((rows.found(), rows.rows.len()), (Some(0), 0));
        rows.sync(&scene, "");
        assert_eq!((rows.found(), nodes(&rows)), (None, vec![0, 3]));
    }

    #[test]
    fn reparented_and_deleted_nodes_update_rows() {
        use scene::flags::Flag;
        let (mut scene, mut rows) = (scene(0), Rows::default());
        rows.sync(&scene, "");
        let local = scene.nodes()[2].local;
        assert!(scene.reparent(2, Some(3), local));
        assert!(!rows.sync(&scene, ""), "the scene is the same");
        assert_eq!(nodes(&rows), [0, 1, 3, 2]);
        scene.set_flag(0, Flag::Deleted, true);
        rows.sync(&scene, "");
        assert_eq!(nodes(&rows), [3, 2]);
        scene.set_flag(2, Flag::Deleted, true);
        rows.sync(&scene, "c");
        assert_eq!((nodes(&rows), rows.found()), (vec![], Some(0)));
        scene.set_flag(0, Flag::Deleted, false);
        rows.sync(&scene, "");
        rows.set_open(3, true, &scene);
        assert_eq!(nodes(&rows), [0, 1, 3]);
    }
}
