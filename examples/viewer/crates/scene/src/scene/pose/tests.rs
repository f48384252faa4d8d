//! Tests of poses.

use crate::rig::{
    Animation, Channel, Deformed, Influence, Interpolation, Keyframes, Property, Rig, Shape, Skin,
};
use crate::scene::tests::at;
use crate::{Node, Scene, shapes};
use std::sync::Arc;
use wgpu_gizmo_core::Transform;
use wgpu_gizmo_core::glam::{DMat4, DQuat, DVec3};

fn keyframes(values: &[f32]) -> Keyframes {
    let times = (0..values.len() / 3).map(|time| time as f32).collect();
    Keyframes::new(times, values.to_vec(), Interpolation::Linear).expect("the keyframes are valid")
}

/// Returns a scene of a skinned `body` at x = 5 with a `joint` at x = 1, whose animation moves the joint to
/// x = 11 within a second.
fn scene() -> Scene {
    let cube = shapes::cube();
    let body = Node { mesh: Some(0), ..Node::new("body", None, at(5.0)) };
    let nodes = vec![body, Node::new("joint", None, at(1.0)), Node::new("tip", Some(1), at(1.0))];
    let shape = Shape {
        positions: cube.positions.clone(),
        normals: cube.normals.clone(),
        influences: vec![Influence { joint: 0, weight: 1.0 }; cube.positions.len()],
        ..Shape::default()
    };
    let mut scene = Scene::new(nodes, vec![cube]).expect("the nodes form a tree");
    let skin = Skin { joints: vec![1], joint_from_mesh: vec![DMat4::IDENTITY] };
    let animation = Animation {
        name: "walk".to_owned(),
        samplers: vec![keyframes(&[1.0, 0.0, 0.0, 11.0, 0.0, 0.0])],
        channels: vec![Channel { node: 1, property: Property::Translation, sampler: 0 }],
    };
    scene.set_rig(Rig {
        deformed: vec![Deformed {
            node: 0,
            shape: Arc::new(shape),
            weights: Vec::new(),
            skin: Some(Arc::new(skin)),
        }],
        animations: Arc::new(vec![animation]),
    });
    scene
}

/// Returns the center of the body in world space.
fn center(scene: &Scene) -> f64 {
    scene.world_bounds(0).expect("the body has a mesh").center().x
}

#[test]
fn skinned_mesh_is_where_its_joints_are() {
    let mut scene = scene();
    assert_eq!([scene.root_joint(0), scene.root_joint(1)], [Some(1), None]);
    assert!((center(&scene) - 1.0).abs() < 1e-6, "its own node has no effect: {}", center(&scene));
    let moves = scene.moves();
    scene.set_local(1, at(3.0));
    scene.deform();
    assert!((center(&scene) - 3.0).abs() < 1e-6);
    assert_eq!(scene.deformed_since(moves).collect::<Vec<_>>(), [0]);
    assert!(scene.moved_at(0) > moves, "its node counts as moved");
    let moves = scene.moves();
    scene.deform();
    assert_eq!((scene.deformed_since(moves).next(), scene.moves()), (None, moves), "nothing has moved");
    scene.set_local(0, at(0.0));
    scene.deform();
    assert!((center(&scene) - 3.0).abs() < 1e-6);
}

/// Only rounding keeps the matrix of the body from being singular, so its inverse has no meaning.
#[test]
fn skinned_mesh_below_flat_ancestor_stays_small() {
    for angle in 1..20 {
        let mut scene = scene();
        let local = |axis: DVec3, scale| Transform {
            rotation: DQuat::from_axis_angle(axis.normalize(), 0.1 * f64::from(angle)),
            scale,
            ..Transform::IDENTITY
        };
        scene.set_local(1, local(DVec3::new(1.0, 2.0, -1.0), DVec3::new(1.5, 0.0, 0.7)));
        scene.set_local(2, local(DVec3::new(-2.0, 1.0, 3.0), DVec3::ONE));
        assert!(scene.reparent_all(&[(0, Some(2))]), "the nodes form a tree");
        scene.deform();
        let bounds = scene.world_bounds(0).expect("the body has a mesh");
        let size = (bounds.max - bounds.min).length();
        assert!(size < 10.0, "at {angle}: {size}");
    }
}

#[test]
fn copy_of_skinned_node_follows_same_joints() {
    let mut scene = scene();
    let copies = scene.reserve_copies(&scene.plan_copies(&[0])).expect("the names are free");
    scene.fill_copies(&copies).expect("the names are free");
    scene.set_local(3, at(-7.0));
    scene.deform();
    assert_eq!((scene.nodes()[3].mesh, scene.meshes().len()), (Some(1), 2));
    let bounds = scene.world_bounds(3).expect("the copy has a mesh");
    assert!((bounds.center().x - 1.0).abs() < 1e-5, "{bounds:?}");
}

#[test]
fn rig_of_missing_nodes_is_dropped() {
    let mut scene = scene();
    let mut rig = scene.rig().clone();
    let mut broken = rig.deformed[0].clone();
    broken.skin = Some(Arc::new(Skin { joints: vec![9], joint_from_mesh: vec![DMat4::IDENTITY] }));
    let other_mesh = Deformed { shape: Arc::default(), ..rig.deformed[0].clone() };
    let no_mesh = Deformed { node: 1, ..rig.deformed[0].clone() };
    rig.deformed = vec![broken, other_mesh, no_mesh, Deformed { node: 99, ..rig.deformed[0].clone() }];
    scene.set_rig(rig);
    assert!(scene.rig().deformed.is_empty());
}
