//! Skins, morph targets and animations that try to take much memory or time.

use super::parent::Expect::{Opened, Refused};
use super::parent::{Case, Expect};
use serde_json::{Value, json};

/// Returns all cases.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = targets();
    cases.extend(skins());
    cases.extend(animations());
    cases
}

/// Returns a document of one mesh with this many vertices. Accessor 0 has the positions, and all accessors are
/// zeros.
fn document(vertices: u64) -> Value {
    let accessor =
        |kind: &str, component: u32| json!({"count": vertices, "type": kind, "componentType": component});
    json!({
        "asset": {"version": "2.0"}, "nodes": [{"mesh": 0, "skin": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]}],
        "skins": [{"joints": [0]}],
        "accessors": [accessor("VEC3", 5126), accessor("VEC4", 5121), accessor("VEC4", 5126)],
    })
}

fn add_accessors<const N: usize>(document: &mut Value, accessors: [Value; N]) {
    document["accessors"].as_array_mut().expect("the value is an array").extend(accessors);
}

fn case(name: &str, document: &Value, expect: Expect) -> Case {
    super::parent::case(name, document.to_string(), expect)
}

fn targets() -> Vec<Case> {
    let spent = "too large";
    let mut many = document(1_000_000);
    many["meshes"][0]["weights"] = json!([1]);
    many["meshes"][0]["primitives"][0]["targets"] = json!(vec![json!({"POSITION": 0}); 100_000]);
    many["nodes"][0] = json!({"mesh": 0});
    let mut empty = document(3);
    empty["nodes"] = json!(vec![json!({"mesh": 0, "weights": [1]}); 1000]);
    empty["meshes"][0]["primitives"][0]["targets"] = json!(vec![json!({}); 100_000]);
    let mut weights = document(3);
    weights["nodes"][0] = json!({"mesh": 0, "weights": vec![1e300; 100_000]});
    weights["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 0}]);
    vec![
        case("100_000_targets_of_one_accessor", &many, Opened(spent)),
        case("100_000_targets_of_1000_nodes", &empty, Opened(spent)),
        case("100_000_morph_weights", &weights, Opened("")),
    ]
}

fn skins() -> Vec<Case> {
    let spent = "too large";
    let mut nodes = document(100_000);
    nodes["nodes"] = json!(vec![json!({"mesh": 0, "skin": 0}); 10_000]);
    let mut joints = document(3);
    joints["nodes"] = json!(vec![json!({"mesh": 0, "skin": 0}); 2000]);
    joints["skins"][0]["joints"] = json!(vec![0; 100_000]);
    let mut itself = document(3);
    itself["nodes"] = json!([{"mesh": 0, "skin": 0, "children": [1]}, {"translation": [1e300, 0, 0]}]);
    itself["skins"][0]["joints"] = json!([0, 1]);
    let mut out_of_range = document(3);
    out_of_range["skins"][0]["joints"] = json!([u32::MAX]);
    let mut cyclic = document(3);
    cyclic["nodes"] = json!([{"mesh": 0, "skin": 0}, {"children": [2]}, {"children": [1]}]);
    cyclic["skins"][0]["joints"] = json!([1, 2]);
    let mut few_matrices = document(3);
    few_matrices["skins"][0] = json!({"joints": [0, 0], "inverseBindMatrices": 3});
    add_accessors(&mut few_matrices, [json!({"count": 1, "type": "MAT4", "componentType": 5126})]);
    let mut many_matrices = few_matrices.clone();
    many_matrices["accessors"][3]["count"] = json!(1 << 26);
    let mut long_attributes = document(3);
    long_attributes["accessors"][1]["count"] = json!(1 << 26);
    vec![
        case("10_000_nodes_of_one_skin", &nodes, Opened(spent)),
        case("100_000_joints_of_2000_nodes", &joints, Opened(spent)),
        case("joint_that_is_its_own_mesh", &itself, Opened("")),
        case("joint_out_of_range", &out_of_range, Opened("skins (1; skins[0].joints[0]")),
        case("cyclic_joints", &cyclic, Refused("is its own ancestor")),
        case("fewer_matrices_than_joints", &few_matrices, Opened("has 1 matrices")),
        case("huge_count_of_matrices", &many_matrices, Opened(spent)),
        case("huge_count_of_joints", &long_attributes, Opened("but POSITION has 3")),
    ]
}

fn animations() -> Vec<Case> {
    let with = |samplers: Value, channels: Value, accessors: [Value; 2]| {
        let mut document = document(3);
        document["nodes"] = json!([{}]);
        document["animations"] = json!([{"samplers": samplers, "channels": channels}]);
        add_accessors(&mut document, accessors);
        document
    };
    let times = |count: u64| json!({"count": count, "type": "SCALAR", "componentType": 5126});
    let values = |count: u64| json!({"count": count, "type": "VEC3", "componentType": 5126});
    let channel = |sampler: usize| json!({"sampler": sampler, "target": {"node": 0, "path": "translation"}});
    let one = |count: u64| {
        let sampler = json!({"input": 3, "output": 4});
        with(json!([sampler]), json!([channel(0)]), [times(count), values(count)])
    };
    let (last, all) = (channel(99_999), (0..100_000).map(channel).collect::<Vec<_>>());
    let samplers = vec![json!({"input": 3, "output": 4}); 100_000];
    let many = with(json!(samplers), json!(all), [times(1), values(1)]);
    let huge = with(json!(samplers), json!(all), [times(1 << 20), values(1 << 20)]);
    let channels = vec![last; 200_000];
    let repeated = with(json!(samplers), json!(channels), [times(1), values(1)]);
    let mut thousands = document(3);
    let animation = json!({"samplers": [{"input": 0, "output": 0}], "channels": []});
    thousands["animations"] = json!(vec![animation; 50_000]);
    let order = "its times must increase";
    vec![
        case("one_keyframe", &one(1), Opened("")),
        case("equal_keyframe_times", &one(2), Opened(order)),
        case("a_million_equal_keyframe_times", &one(1 << 20), Opened(order)),
        case("huge_count_of_keyframes", &one(1 << 26), Opened("too large")),
        case("100_000_samplers", &many, Opened("")).slow(),
        case("100_000_huge_samplers", &huge, Opened(order)).slow(),
        case("200_000_channels_of_one_node", &repeated, Opened("")).slow(),
        case("50_000_animations", &thousands, Opened("further animations (49000)")),
    ]
}

/// Returns a valid document with a skin, a morph target and an animation, for mutations.
pub(crate) fn valid() -> Value {
    let mut document = document(3);
    document["scenes"] = json!([{"nodes": [0, 1]}]);
    document["nodes"] = json!([{"mesh": 0, "skin": 0, "weights": [0.5]}, {"children": [2]}, {}]);
    document["skins"] = json!([{"joints": [1, 2], "inverseBindMatrices": 3}]);
    document["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 0, "NORMAL": 0}]);
    let accessor = |kind: &str, count: u32| json!({"count": count, "type": kind, "componentType": 5126});
    add_accessors(&mut document, [accessor("MAT4", 2), accessor("SCALAR", 1), accessor("VEC4", 1)]);
    document["animations"] = json!([{
        "name": "a",
        "samplers": [
            {"input": 4, "output": 5, "interpolation": "STEP"},
            {"input": 4, "output": 4, "interpolation": "LINEAR"},
        ],
        "channels": [
            {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
            {"sampler": 1, "target": {"node": 0, "path": "weights"}},
        ],
    }]);
    document
}
