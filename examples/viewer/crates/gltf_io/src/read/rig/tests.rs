//! Opens files with skins, morph targets and animations, valid and broken.

use crate::read::tests::*;
use scene::Scene;
use scene::rig::{Influence, Pose, Property};

/// The numbers of a binary chunk, with the accessors that refer to them.
#[derive(Default)]
struct Binary {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Binary {
    fn add(&mut self, bytes: &[u8], kind: &str, component: u32, count: usize) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()}));
        self.bytes.extend(bytes);
        let view = self.views.len() - 1;
        let accessor = json!({"bufferView": view, "componentType": component, "count": count, "type": kind});
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn floats(&mut self, numbers: &[f32], kind: &str, width: usize) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.add(&bytes, kind, 5126, numbers.len() / width)
    }
}

/// Returns a document of a triangle with a skin of two joints and a morph target, and an animation of each
/// kind of property.
fn document() -> (Value, Vec<u8>) {
    let mut binary = Binary::default();
    let positions = binary.floats(&[0., 0., 0., 1., 0., 0., 0., 1., 0.], "VEC3", 3);
    let joints = binary.add(&[0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0], "VEC4", 5121, 3);
    let weights = binary.floats(&[1., 0., 0., 0., 2., 0., 0., 0., 0.5, 0.5, 0., 0.], "VEC4", 4);
    let target = binary.floats(&[0., 0., 0., 0., 0., 4., 0., 0., 0.], "VEC3", 3);
    let mut matrices = [0.0; 32];
    (0..2).for_each(|m| (0..4).for_each(|i| matrices[16 * m + 5 * i] = 1.0));
    // The second joint is at x = 10 at rest.
    matrices[16 + 12] = -10.0;
    let matrices = binary.floats(&matrices, "MAT4", 16);
    let times = binary.floats(&[0.0, 2.0], "SCALAR", 1);
    let moves = binary.floats(&[10., 0., 0., 10., 8., 0.], "VEC3", 3);
    let turns = binary.floats(&[0., 0., 0., 1., 0., 0., 1., 0.], "VEC4", 4);
    let morphs = binary.floats(&[0.0, 1.0], "SCALAR", 1);
    let sampler = |output| json!({"input": times, "output": output});
    let channel = |sampler: usize, node: usize, path: &str| json!({"sampler": sampler, "target": {"node": node, "path": path}});
    let document = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"name": "body", "mesh": 0, "skin": 0, "translation": [0, 0, 50], "weights": [0.5]},
            {"name": "root", "children": [2]},
            {"name": "arm", "translation": [10, 0, 0]},
        ],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights},
            "targets": [{"POSITION": target}],
        }]}],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": matrices}],
        "animations": [{
            "name": "wave",
            "samplers": [sampler(moves), sampler(turns), sampler(morphs)],
            "channels": [channel(0, 2, "translation"), channel(1, 1, "rotation"), channel(2, 0, "weights")],
        }],
        "accessors": binary.accessors, "bufferViews": binary.views,
        "buffers": [{"byteLength": binary.bytes.len()}],
    });
    (document, binary.bytes)
}

fn opened(document: &Value, binary: &[u8]) -> Scene {
    open_document(document, binary).expect("the file is valid")
}

/// Returns the vertices of the body in world space.
fn vertices(scene: &Scene) -> Vec<DVec3> {
    let mesh = &scene.meshes()[scene.nodes()[0].mesh.expect("the body has a mesh")];
    let world = scene.world_from_node(0);
    mesh.positions.iter().map(|p| world.transform_point3(DVec3::from(p.map(f64::from)))).collect()
}

fn assert_vertices<const N: usize>(scene: &Scene, expected: [[f64; 3]; N]) {
    assert_eq!(vertices(scene).len(), N);
    for (found, expected) in vertices(scene).into_iter().zip(expected.map(DVec3::from)) {
        assert!(found.abs_diff_eq(expected, 1e-5), "{found} instead of {expected}");
    }
}

#[test]
fn skinned_and_morphed_mesh_opens_in_its_pose() {
    let (mut document, binary) = document();
    let mut scene = opened(&document, &binary);
    assert_eq!(scene.notice, None);
    let deformed = &scene.rig().deformed[0];
    assert_eq!((deformed.shape.per_vertex(), deformed.shape.targets[0].deltas.len()), (4, 1));
    assert_eq!(deformed.shape.influences[4], Influence { joint: 1, weight: 1.0 }, "normalized");
    // At rest, the joints have no effect, and neither has the node.
    assert_vertices(&scene, [[0., 0., 0.], [1., 0., 2.], [0., 1., 0.]]);
    scene.set_pose(Some(Pose { animation: 0, time: 1.0 }));
    // The root has turned by 90 degrees about z, and the arm has moved by 4 along y, before that turn.
    assert_vertices(&scene, [[0., 0., 0.], [-4., 1., 2.], [-3., 0., 0.]]);
    scene.set_pose(None);
    assert_vertices(&scene, [[0., 0., 0.], [1., 0., 2.], [0., 1., 0.]]);
    // The channels use their samplers in any order.
    document["animations"][0]["channels"].as_array_mut().expect("it is a list").reverse();
    let mut scene = opened(&document, &binary);
    scene.set_pose(Some(Pose { animation: 0, time: 1.0 }));
    assert_vertices(&scene, [[0., 0., 0.], [-4., 1., 2.], [-3., 0., 0.]]);
}

#[test]
fn primitive_without_joints_follows_first_joint_of_skin() {
    let (mut document, binary) = document();
    let primitives = document["meshes"][0]["primitives"].as_array_mut().expect("the value is a list");
    primitives.insert(0, json!({"attributes": {"POSITION": 0}}));
    let mut scene = opened(&document, &binary);
    assert_eq!(scene.notice, None);
    let target = [[0., 0., 0.], [1., 0., 2.], [0., 1., 0.]];
    assert_vertices(&scene, [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], target[0], target[1], target[2]]);
    scene.set_pose(Some(Pose { animation: 0, time: 1.0 }));
    let posed = [[0., 0., 0.], [-4., 1., 2.], [-3., 0., 0.]];
    assert_vertices(&scene, [[0., 0., 0.], [0., 1., 0.], [-1., 0., 0.], posed[0], posed[1], posed[2]]);
}

#[test]
fn animation_is_read_with_name_and_properties() {
    let (mut document, binary) = document();
    push(&mut document["animations"], json!({"samplers": [], "channels": []}));
    document["animations"][0]["name"] = json!("");
    let scene = opened(&document, &binary);
    let [animation] = scene.rig().animations.as_slice() else { panic!("an animation without channels") };
    assert_eq!((animation.name.as_str(), animation.duration()), ("animation 0", 2.0));
    let properties: Vec<_> = animation.channels.iter().map(|channel| channel.property).collect();
    assert_eq!(properties, [Property::Translation, Property::Rotation, Property::Weights]);
}

#[test]
fn nodes_that_share_skinned_mesh_are_deformed_separately() {
    let (mut document, binary) = document();
    push(&mut document["nodes"], json!({"name": "still", "mesh": 0}));
    push(&mut document["nodes"], json!({"name": "twin", "mesh": 0, "skin": 0}));
    document["scenes"][0]["nodes"] = json!([0, 1, 3, 4]);
    let scene = opened(&document, &binary);
    let mesh = |name: &str| scene.nodes()[scene.find(name).expect("the node exists")].mesh;
    assert_eq!(scene.meshes().len(), 3);
    assert!(mesh("body") != mesh("still") && mesh("twin") != mesh("still") && mesh("body") != mesh("twin"));
    assert_eq!(scene.meshes()[mesh("still").expect("it has a mesh")].positions[1], [1.0, 0.0, 0.0]);
    assert_eq!(scene.meshes()[mesh("twin").expect("it has a mesh")].positions[1], [1.0, 0.0, 0.0]);
}

#[test]
fn broken_rig_is_named_once_and_the_rest_is_shown() {
    let cases: [(&str, Value, &str); 14] = [
        ("/skins/0/joints", json!([]), "has 0 joints"),
        ("/skins/0/inverseBindMatrices", json!(0), "skins (1; accessors[0]: has 3 components"),
        ("/skins/0/inverseBindMatrices", json!(99), "skins (1; skins[0].inverseBindMatrices: index 99"),
        ("/nodes/0/skin", json!(7), "skins (1; nodes[0].skin: index 7 is out of range"),
        ("/nodes/0/skin", json!("x"), "skins (1; nodes[0].skin: must be"),
        ("/nodes/0/weights", json!(["x"]), "morph targets (1; nodes[0].weights[0]: must be a number"),
        ("/skins/0/joints", json!([1]), "a vertex uses joint 1, but its skin has 1 joints"),
        ("/scenes/0/nodes", json!([0]), "skins (1; skins[0].joints[0]: is outside the scene"),
        ("/accessors/1/count", json!(2), "skins (1; "),
        ("/accessors/1/componentType", json!(5126), "skins (1; accessors[1]: "),
        ("/meshes/0/primitives/0/targets/0/POSITION", json!(4), "morph targets (1; "),
        ("/animations/0/samplers/0/input", json!(6), "animations (1; accessors[6]: has 3 components"),
        ("/animations/0/channels/0/target/path", json!("color"), "animations (1; animations[0].channels[0]"),
        (
            "/animations/0/samplers/1",
            json!({"input": 5, "output": 7, "interpolation": "CUBICSPLINE"}),
            "animations (1; animations[0].samplers[1]: its times must increase",
        ),
    ];
    for (pointer, value, expected) in cases {
        let (mut document, binary) = document();
        *document.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} exists")) = value;
        let scene = opened(&document, &binary);
        let notice = scene.notice.clone().unwrap_or_default();
        assert!(notice.contains(expected), "{pointer}: {notice}");
        assert!(vertices(&scene).iter().all(|vertex| vertex.is_finite()), "{pointer}");
        assert_eq!(scene.meshes()[0].indices.len(), 3, "{pointer}");
    }
}

#[test]
fn numbers_that_are_not_finite_do_no_harm() {
    for accessor in [2, 3, 4] {
        for number in [f32::NAN, f32::INFINITY, f32::MAX, -1.0] {
            let (document, mut binary) = document();
            let start =
                document["bufferViews"][accessor]["byteOffset"].as_u64().expect("it has one") as usize;
            binary[start..][..4].copy_from_slice(&number.to_le_bytes());
            let mut scene = opened(&document, &binary);
            scene.set_pose(Some(Pose { animation: 0, time: 0.7 }));
            assert!(vertices(&scene).iter().all(|vertex| vertex.is_finite()), "{accessor} {number}");
        }
    }
}
