//! The scene that is shown without a file: a robot arm on the ground, y up, 2.4 units tall. It is ten
//! levels deep and has a non-uniformly scaled parent and a mirrored one, which a gizmo has to handle
//! correctly.

use crate::mesh::Mesh;
use crate::shapes::{beveled_box, cylinder, sphere};
use crate::{Node, Scene};
use wgpu_gizmo_core::glam::{DQuat, DVec3};
use wgpu_gizmo_core::math::Transform;

const GRAPHITE: [u8; 3] = [66, 70, 78];
const STEEL: [u8; 3] = [168, 174, 182];
const SHELL: [u8; 3] = [236, 232, 222];
const ORANGE: [u8; 3] = [235, 128, 44];
const TEAL: [u8; 3] = [44, 150, 152];
const RED: [u8; 3] = [206, 74, 66];
const YELLOW: [u8; 3] = [238, 190, 66];

/// Collects nodes and meshes. A parent is added before its children.
#[derive(Default)]
struct Builder {
    nodes: Vec<Node>,
    meshes: Vec<Mesh>,
}

impl Builder {
    /// Adds a node with a mesh of `parts` and returns its index.
    fn add(
        &mut self,
        name: &str,
        parent: Option<usize>,
        local: Transform,
        parts: impl IntoIterator<Item = Mesh>,
    ) -> usize {
        let mut node = Node::new(name, parent, local);
        let mut mesh = Mesh::default();
        parts.into_iter().for_each(|part| mesh.append(part));
        if !mesh.indices.is_empty() {
            node.mesh = Some(self.meshes.len());
            self.meshes.push(mesh);
        }
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

/// Returns the robot arm and the objects around it.
pub fn scene() -> Scene {
    let mut builder = Builder::default();
    let gripper = arm(&mut builder);
    hand(&mut builder, gripper);
    props(&mut builder);
    Scene::new(builder.nodes, builder.meshes).expect("the nodes form a tree with unique names")
}

/// Adds the arm and returns the parent node of the fingers.
fn arm(builder: &mut Builder) -> usize {
    let plinth = shaped(cylinder(0.02), [1.3, 0.12, 1.3], [0.0, 0.06, 0.0]).colored(GRAPHITE);
    let collar = shaped(cylinder(0.05), [0.95, 0.16, 0.95], [0.0, 0.18, 0.0]).colored(SHELL);
    let base = builder.add("base", None, Transform::IDENTITY, [plinth, collar]);

    let disc = shaped(cylinder(0.04), [0.78, 0.12, 0.78], [0.0, 0.06, 0.0]).colored(STEEL);
    let cheek = |z| shaped(beveled_box([0.42, 0.52, 0.1], 0.04), [1.0; 3], [0.0, 0.34, z]).colored(TEAL);
    let turned = turned(at(0.0, 0.26, 0.0), DVec3::Y, 28.0);
    let turntable = builder.add("turntable", Some(base), turned, [disc, cheek(0.23), cheek(-0.23)]);

    let axle = lying(cylinder(0.05), 0.34, 0.62).colored(GRAPHITE);
    let shoulder = builder.add("shoulder", Some(turntable), tilted(0.0, 0.46, 18.0), [axle]);
    let beam = shaped(beveled_box([0.26, 1.0, 0.28], 0.05), [1.0; 3], [0.0, 0.5, 0.0]).colored(SHELL);
    let stripe = shaped(beveled_box([0.28, 0.12, 0.3], 0.02), [1.0; 3], [0.0, 0.74, 0.0]).colored(TEAL);
    let upper_arm = builder.add("upper_arm", Some(shoulder), at(0.0, 0.05, 0.0), [beam, stripe]);

    let joint = lying(cylinder(0.06), 0.36, 0.4).colored(GRAPHITE);
    let cap = |z| {
        let mut cap = lying(cylinder(0.1), 0.2, 0.05).colored(ORANGE);
        cap.positions.iter_mut().for_each(|p| p[2] += z);
        cap
    };
    let elbow =
        builder.add("elbow", Some(upper_arm), tilted(0.0, 1.05, -98.0), [joint, cap(0.21), cap(-0.21)]);
    // Thinned by a non-uniform scale, which the descendants inherit.
    let slim = Transform { scale: DVec3::new(0.8, 1.0, 0.9), ..at(0.0, 0.1, 0.0) };
    let tube = shaped(beveled_box([0.24, 0.72, 0.24], 0.05), [1.0; 3], [0.0, 0.4, 0.0]).colored(TEAL);
    let forearm = builder.add("forearm", Some(elbow), slim, [tube]);

    let ball = scaled(sphere(), 0.3).colored(GRAPHITE);
    let wrist = builder.add("wrist", Some(forearm), tilted(0.0, 0.84, -52.0), [ball]);
    let palm = shaped(beveled_box([0.14, 0.12, 0.44], 0.03), [1.0; 3], [0.0, 0.24, 0.0]).colored(SHELL);
    let neck = shaped(cylinder(0.02), [0.14, 0.16, 0.14], [0.0, 0.15, 0.0]).colored(STEEL);
    builder.add("gripper", Some(wrist), self::turned(Transform::IDENTITY, DVec3::Y, 20.0), [palm, neck])
}

fn hand(builder: &mut Builder, gripper: usize) {
    let finger = || shaped(beveled_box([0.1, 0.22, 0.06], 0.02), [1.0; 3], [0.0, 0.1, 0.0]).colored(ORANGE);
    let tip = || shaped(beveled_box([0.09, 0.12, 0.05], 0.02), [1.0; 3], [0.0, 0.05, 0.0]).colored(GRAPHITE);
    let open = turned(at(0.0, 0.3, 0.17), DVec3::X, 12.0);
    let left = builder.add("finger_left", Some(gripper), open, [finger()]);
    builder.add("fingertip_left", Some(left), turned(at(0.0, 0.2, 0.0), DVec3::X, -30.0), [tip()]);
    // The same finger, mirrored.
    let mirror =
        Transform { scale: DVec3::new(1.0, 1.0, -1.0), ..turned(at(0.0, 0.3, -0.17), DVec3::X, -12.0) };
    let right = builder.add("finger_right", Some(gripper), mirror, [finger()]);
    builder.add("fingertip_right", Some(right), turned(at(0.0, 0.2, 0.0), DVec3::X, -30.0), [tip()]);
}

fn props(builder: &mut Builder) {
    let crate_box = beveled_box([0.4, 0.4, 0.4], 0.03).colored(RED);
    builder.add("crate", None, turned(at(1.35, 0.2, -0.55), DVec3::Y, 24.0), [crate_box]);
    let small = beveled_box([0.24, 0.24, 0.24], 0.025).colored(YELLOW);
    builder.add("small_crate", None, turned(at(1.3, 0.52, -0.55), DVec3::Y, -12.0), [small]);
    let ball = scaled(sphere(), 0.36).colored(ORANGE);
    builder.add("ball", None, at(0.75, 0.18, 0.85), [ball]);
}

fn at(x: f64, y: f64, z: f64) -> Transform {
    Transform { translation: DVec3::new(x, y, z), ..Transform::IDENTITY }
}

fn turned(local: Transform, axis: DVec3, degrees: f64) -> Transform {
    Transform { rotation: DQuat::from_axis_angle(axis, degrees.to_radians()), ..local }
}

/// Returns the transform of a joint that bends in the plane of the arm.
fn tilted(x: f64, y: f64, degrees: f64) -> Transform {
    turned(at(x, y, 0.0), DVec3::Z, degrees)
}

/// Scales and then translates a mesh. Normals stay unchanged, which is correct for boxes and for upright
/// cylinders with equal scales in x and z.
fn shaped(mut mesh: Mesh, scale: [f32; 3], offset: [f32; 3]) -> Mesh {
    for position in &mut mesh.positions {
        for axis in 0..3 {
            position[axis] = position[axis] * scale[axis] + offset[axis];
        }
    }
    mesh
}

fn scaled(mesh: Mesh, factor: f32) -> Mesh {
    shaped(mesh, [factor; 3], [0.0; 3])
}

/// Scales an upright solid and lays it down along z.
fn lying(mesh: Mesh, diameter: f32, length: f32) -> Mesh {
    let mut mesh = shaped(mesh, [diameter, length, diameter], [0.0; 3]);
    for vector in mesh.positions.iter_mut().chain(&mut mesh.normals) {
        let [x, y, z] = *vector;
        *vector = [x, -z, y];
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arm_stands_on_ground_and_is_deep() {
        let scene = scene();
        let bounds = scene.bounds().expect("the scene is not empty");
        assert!(bounds.min.y.abs() < 1e-6, "{bounds:?}");
        assert!((1.8..3.0).contains(&bounds.max.y), "{bounds:?}");
        let tip = scene.find("fingertip_left").expect("the node exists");
        assert!(std::iter::successors(Some(tip), |node| scene.nodes()[*node].parent).count() > 8);
        for name in ["base", "turntable", "upper_arm", "forearm", "wrist", "finger_left", "finger_right"] {
            assert!(scene.find(name).is_some(), "{name}");
        }
    }
}
