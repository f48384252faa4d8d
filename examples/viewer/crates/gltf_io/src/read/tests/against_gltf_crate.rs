//! Compares this reader with the `gltf` crate on valid files.

use crate::open;
use base64::Engine as _;
use std::path::Path;
use wgpu_gizmo_core::glam::{Mat4, Quat};

/// Returns the only buffer of a file: the binary chunk of a `.glb` or a data URI.
fn buffer(file: &gltf::Gltf) -> Vec<u8> {
    match file.buffers().next().expect("the file has a buffer").source() {
        gltf::buffer::Source::Bin => file.blob.clone().expect("a .glb has a binary chunk"),
        gltf::buffer::Source::Uri(uri) => {
            let (_, data) = uri.split_once("base64,").expect("the URI is a base64 data URI");
            base64::engine::general_purpose::STANDARD.decode(data).expect("the data is valid base64")
        }
    }
}

/// Returns the corner positions of every triangle of a mesh, in order.
fn corners(mesh: &gltf::Mesh<'_>, buffer: &[u8]) -> Vec<[f32; 3]> {
    let mut corners = Vec::new();
    for primitive in mesh.primitives() {
        assert_eq!(primitive.mode(), gltf::mesh::Mode::Triangles, "the test files contain only triangles");
        let reader = primitive.reader(|_| Some(buffer));
        let positions: Vec<[f32; 3]> = reader.read_positions().expect("a primitive has positions").collect();
        match reader.read_indices() {
            Some(indices) => corners.extend(indices.into_u32().map(|i| positions[i as usize])),
            None => corners.extend(positions),
        }
    }
    corners
}

/// Returns the local matrix of a node. The crate reads `f32` and does not normalize quaternions.
fn matrix(node: &gltf::Node<'_>) -> Mat4 {
    match node.transform() {
        gltf::scene::Transform::Matrix { matrix } => Mat4::from_cols_array_2d(&matrix),
        gltf::scene::Transform::Decomposed { translation, rotation, scale } => {
            let rotation = Quat::from_array(rotation).normalize();
            Mat4::from_scale_rotation_translation(scale.into(), rotation, translation.into())
        }
    }
}

#[test]
fn nodes_and_triangles_match_gltf_crate() {
    // The scene of the replay tests, and files written by other programs.
    let files = ["../../tests/replays/scene.gltf", "tests/scenes/alien.glb", "tests/scenes/cakeBirthday.glb"];
    for file in files {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
        let ours = open(&path).unwrap_or_else(|error| panic!("{error}"));
        let theirs = gltf::Gltf::open(&path).expect("the gltf crate reads the file");
        let buffer = buffer(&theirs);
        assert_eq!(ours.nodes().len(), theirs.nodes().count(), "{}", path.display());
        for (node, other) in ours.nodes().iter().zip(theirs.nodes()) {
            let name = format!("{}: {}", path.display(), node.name);
            let parent = theirs.nodes().find(|p| p.children().any(|c| c.index() == other.index()));
            assert_eq!(node.parent, parent.map(|p| p.index()), "{name}");
            let matrix = matrix(&other);
            let difference = node.local.to_matrix() - matrix.as_dmat4();
            let largest = difference.to_cols_array().iter().fold(0.0, |a: f64, b| a.max(b.abs()));
            assert!(largest < 1e-6, "{name}: {:?} {:?}", node.local.to_matrix(), matrix.as_dmat4());
            let corners_here = node.mesh.map(|mesh| {
                let mesh = &ours.meshes()[mesh];
                mesh.indices.iter().map(|i| mesh.positions[*i as usize]).collect::<Vec<_>>()
            });
            let corners_there = other.mesh().map(|mesh| corners(&mesh, &buffer));
            assert_eq!(corners_here, corners_there, "{name}");
        }
    }
}
