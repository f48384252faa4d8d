//! Nodes in the same place.

use super::*;

const COPIES: usize = 200;

/// Creates copies of a mesh in one place, and a node beside them.
fn copies(mesh: Mesh, count: usize) -> Scene {
    let at = |x| Transform { translation: DVec3::X * x, ..Transform::IDENTITY };
    let mut nodes: Vec<Node> = (0..count).map(|i| Node::new(format!("copy {i}"), None, at(0.0))).collect();
    nodes.push(Node::new("beside", None, at(3.0)));
    nodes.iter_mut().for_each(|node| node.mesh = Some(0));
    Scene::new(nodes, vec![mesh]).expect("the nodes form a tree")
}

/// Returns the number of nodes that a view draws.
fn drawn(renderer: &mut SceneRenderer, scene: &Scene, hidden_node: Option<usize>) -> usize {
    renderer.sync(scene, id_of);
    let mut draws = renderer.new_view();
    let shown = renderer.scene_view(&view(), SceneStyle::default(), hidden_node);
    renderer.prepare(&shown, &mut draws);
    draws.runs.len()
}

fn view() -> View {
    look([2.0, 1.5, 6.0], [1.0, 0.0, 0.0], perspective(true))
}

#[test]
fn opaque_nodes_in_one_place_are_drawn_once() {
    let mut scene = copies(shapes::cube(), COPIES);
    let mut renderer = SceneRenderer::new(device::shared(), COLOR, &scene);
    // One more if the blocks of slots are not visited in their order.
    for hidden_node in [None, Some(COPIES - 1), Some(5)] {
        let drawn = drawn(&mut renderer, &scene, hidden_node);
        assert!((2..=3).contains(&drawn), "{drawn} nodes without {hidden_node:?}");
    }
    let many = picture(&scene, &view(), SceneStyle::default(), "copies");
    assert!(many == picture(&copies(shapes::cube(), 1), &view(), SceneStyle::default(), "copy"));
    let (ids, _) = ids(&scene, &view(), DMat4::IDENTITY, SIZE);
    let visible = (1..=COPIES as u32).filter(|id| ids.contains(id));
    assert_eq!(visible.count(), 1, "one copy covers the others");
    let once = drawn(&mut renderer, &scene, None);
    scene.set_crop_box(100, Some(Bounds { min: DVec3::ZERO, max: DVec3::ONE }));
    assert!(drawn(&mut renderer, &scene, None) > once, "one that is cut differently covers no other");
    scene.set_local(100, Transform { translation: DVec3::X * -3.0, ..Transform::IDENTITY });
    let moved = drawn(&mut renderer, &scene, None);
    assert!((3..10).contains(&moved), "{moved} nodes");
}

#[test]
fn transparent_nodes_in_one_place_are_all_drawn() {
    let mut cube = shapes::cube();
    cube.parts = vec![Part { indices: 0..cube.indices.len() as u32, material: Some(0) }];
    let mut scene = copies(cube, COPIES);
    let material = Material { alpha: Alpha::Blend, ..Material::default() };
    scene.look = Arc::new(Look { materials: vec![material], images: Vec::new() });
    let mut renderer = SceneRenderer::new(device::shared(), COLOR, &scene);
    assert_eq!(drawn(&mut renderer, &scene, None), COPIES + 1);
}
