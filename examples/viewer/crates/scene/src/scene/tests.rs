//! Tests of the tree of nodes.

use super::*;
use wgpu_gizmo_core::glam::DVec3;

/// Returns a translation along x.
pub(crate) fn at(x: f64) -> Transform {
    Transform { translation: DVec3::X * x, ..Transform::IDENTITY }
}

/// Returns a scene of nodes without meshes, by name, parent and position along x.
pub(crate) fn scene_of(nodes: &[(&str, Option<usize>, f64)]) -> Scene {
    let nodes = nodes.iter().map(|(name, parent, x)| Node::new(*name, *parent, at(*x)));
    Scene::new(nodes.collect(), Vec::new()).expect("the nodes form a tree")
}

#[test]
fn bounds_are_those_of_meshes_or_else_of_origins() {
    let node = |name: &str, x, mesh| Node { mesh, ..Node::new(name, None, at(x)) };
    let of = |nodes| {
        let bounds = Scene::new(nodes, vec![crate::shapes::cube()]).expect("the nodes form a tree").bounds();
        bounds.map(|bounds| [bounds.min.x, bounds.max.x])
    };
    assert_eq!(of(vec![node("cube", 2.0, Some(0)), node("lamp", 9.0, None)]), Some([1.5, 2.5]));
    assert_eq!(of(vec![node("lamp", 9.0, None), node("other", -1.0, None)]), Some([-1.0, 9.0]));
    assert_eq!(of(Vec::new()), None);
}

#[test]
fn invalid_tree_error_names_node() {
    let node = |name: &str, parent| Node::new(name, parent, Transform::IDENTITY);
    let build = |nodes| {
        let SceneError { node, what } =
            Scene::new(nodes, Vec::new()).expect_err("the nodes do not form a tree");
        (node, what)
    };
    let looped = vec![node("r", None), node("tail", Some(2)), node("a", Some(3)), node("b", Some(2))];
    assert!(matches!(build(looped), (2 | 3, "is its own ancestor")));
    assert_eq!(build(vec![node("a", Some(0))]), (0, "is its own ancestor"));
    assert_eq!(build(vec![node("a", Some(7))]), (0, "refers to a parent or a mesh that does not exist"));
    assert_eq!(build(vec![node("a", None), node("a", None)]), (1, "has the same name as an earlier node"));
    let huge = Transform { scale: DVec3::splat(1e200), ..Transform::IDENTITY };
    let nodes = vec![Node::new("a", None, huge), Node::new("b", Some(0), huge)];
    assert_eq!(build(nodes), (1, "the world transform of this node overflows"));
}

#[test]
fn descendants_inherit_hidden_and_locked() {
    let mut scene = scene_of(&[("c", Some(1), 0.0), ("b", Some(2), 0.0), ("a", None, 0.0), ("d", None, 0.0)]);
    let shown = |scene: &Scene| (0..4).map(|node| scene.is_shown(node)).collect::<Vec<_>>();
    scene.set_flag(2, Flag::Hidden, true);
    assert_eq!(shown(&scene), [false, false, false, true]);
    scene.set_flag(1, Flag::Hidden, true);
    scene.set_flag(2, Flag::Hidden, false);
    assert_eq!(shown(&scene), [false, false, true, true], "b itself is still hidden");
    assert!(!scene.has_flag(0, Flag::Hidden) && scene.has_flag(1, Flag::Hidden));
    scene.set_flag(1, Flag::Hidden, false);
    assert_eq!(shown(&scene), [true; 4]);
    scene.set_flag(1, Flag::Locked, true);
    assert_eq!((0..4).filter(|node| scene.is_pickable(*node)).collect::<Vec<_>>(), [2, 3]);
}
