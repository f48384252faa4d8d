//! Compares drags that snap to the geometry under the pointer, and handles that the scene hides, with closed
//! forms.

use crate::viewer::*;
use wgpu_gizmo::glam::{DQuat, DVec2, DVec3, dcamera::rh};
use wgpu_gizmo::{View, Viewport};

const EYE: DVec3 = DVec3::new(3.0, 2.2, 3.5);
const LOOK_AT: DVec3 = DVec3::new(0.0, 0.3, 0.0);
/// The position of the snapped cube, and half of its sides.
const AT: DVec3 = DVec3::new(0.9, 0.4, 0.3);
const HALF: DVec3 = DVec3::new(0.3, 0.4, 0.3);
const MOVED: DVec3 = DVec3::new(-1.0, 0.5, 0.0);

fn view() -> View {
    let lens = rh::proj::directx::perspective_infinite_reverse(45f64.to_radians(), 1.5, 0.1);
    let view_from_world = rh::view::look_at_mat4(EYE, LOOK_AT, DVec3::Y);
    View::new(view_from_world, lens, Viewport::from_size(900, 600), 1.0).expect("the view is valid")
}

fn turn() -> DQuat {
    DQuat::from_rotation_y(45f64.to_radians())
}

/// Returns the world position of a point of the snapped cube, in half sides.
fn on_cube(point: DVec3) -> DVec3 {
    AT + turn() * (HALF * point)
}

fn px(point: DVec3) -> DVec2 {
    view().px_from_world(point).expect("the point is in front of the camera")
}

/// Plays these events with two cubes, and returns the lines.
fn played(settings: Value, events: &[Value]) -> Vec<Value> {
    let object = |name: &str, at: DVec3, rotation: DQuat, scale: DVec3| {
        json!({ "name": name, "translation": at.to_array(), "rotation": rotation.to_array(),
            "scale": scale.to_array(), "shape": "cube" })
    };
    let replay = json!({
        "size_px": [900, 600],
        "camera": { "eye": EYE.to_array(), "look_at": LOOK_AT.to_array(), "up": [0, 1, 0], "projection":
            { "kind": "perspective", "fov_y": 45, "near": 0.1, "far": null, "reversed": true } },
        "scene": { "objects": [
            object("moved", MOVED, DQuat::IDENTITY, DVec3::splat(0.5)),
            object("still", AT, turn(), 2.0 * HALF),
        ] },
        "settings": settings,
        "select": ["moved"],
        "events": events,
    });
    lines(&Folder::new(), replay)
}

/// Returns the translation and the rotation of the moved cube after a drag of its center to a pixel.
fn dragged(settings: Value, to: DVec2) -> (DVec3, DQuat) {
    let lines = played(settings, &drag(px(MOVED).into(), to.into()));
    assert_eq!(lines[2]["dragging"], "translate_view");
    assert_eq!(lines[2]["targets"], lines[3]["targets"]);
    let moved = &lines[3]["targets"]["moved"];
    (numbers::<3>(&moved["translation"]).into(), DQuat::from_array(numbers(&moved["rotation"])))
}

#[test]
fn center_snaps_to_vertex_edge_midpoint_and_face() {
    let corner = on_cube(DVec3::ONE);
    let edge = on_cube(DVec3::new(1.0, 1.0, 0.2));
    let middle = on_cube(DVec3::new(1.0, 1.0, 0.0));
    let face = on_cube(DVec3::new(0.3, 0.2, 1.0));
    // Two pixels beside it, so that only snapping puts it there.
    let beside = DVec2::new(1.5, -1.0);
    for (kind, to, expected) in
        [("vertex", px(corner) + beside, corner), ("midpoint", px(middle) + beside, middle)]
    {
        let (found, rotation) = dragged(json!({ "snap_to": kind }), to);
        assert!((found - expected).length() < 1e-12, "{kind}: {found} instead of {expected}");
        assert_eq!(rotation, DQuat::IDENTITY);
    }
    for (kind, to, tolerance, up) in [
        ("edge", edge, 1e-9, None),
        ("face", face, 1e-9, Some(turn() * DVec3::Z)),
        ("surface", face, 1e-4, Some(turn() * DVec3::Z)),
    ] {
        let settings = json!({ "snap_to": kind, "align_to_normal": up.is_some() });
        let (found, rotation) = dragged(settings, px(to));
        assert!((found - to).length() < tolerance, "{kind}: {found} instead of {to}");
        let error = rotation * DVec3::Y - up.unwrap_or(DVec3::Y);
        assert!(error.length() < 2e-3, "{kind}: {}", rotation * DVec3::Y);
    }
    // Nothing is within the tolerance: the drag stays in the view plane.
    let (free, _) = dragged(json!({ "snap_to": "vertex" }), px(face));
    assert!((free - MOVED).dot(view().forward()).abs() < 1e-9);
}

#[test]
fn cut_parts_are_not_snapped_to_and_hide_nothing() {
    let (corner, back) = (on_cube(DVec3::ONE), on_cube(DVec3::NEG_Z));
    for (kind, to, depth, is_left) in [("face", back, -0.4, true), ("vertex", corner, 0.45, false)] {
        let cut = json!({ "extents": { "still": [[-0.5, -0.5, -0.5], [0.5, 0.5, depth]] } });
        let events = [&[cut][..], &drag(px(MOVED).into(), px(to).into())].concat();
        let lines = played(json!({ "snap_to": kind, "tolerance": 20 }), &events);
        let found = DVec3::from(numbers(&lines[3]["targets"]["moved"]["translation"]));
        assert_eq!((found - to).length() < 1e-9, is_left, "{kind}: {found} for {to}");
    }
}

#[test]
fn edited_pivot_snaps_to_a_vertex_of_its_own_object() {
    let corner = MOVED + 0.25;
    let to_corner = drag(px(MOVED).into(), (px(corner) + 1.0).into());
    let events = [&[json!({ "edit_pivot": true })][..], &to_corner].concat();
    let lines = played(json!({ "snap_to": "vertex" }), &events);
    let point: DVec3 = numbers::<3>(&lines[4]["pivot"]["point"]).into();
    assert!((point - corner).length() < 1e-12, "{point}");
    assert_eq!(lines[0]["targets"], lines[4]["targets"]);
}

#[test]
fn locked_node_of_selection_is_snapped_to_and_never_from() {
    let corner = on_cube(DVec3::ONE);
    let px = |offset: f64| (px(corner) + offset).to_array();
    let lock = json!({ "flags": { "still": { "locked": true } } });
    let select = json!({ "select": ["still", "moved"] });
    let grab = json!({ "grab": "translate_view" });
    let events = [lock, select, json!({ "move": px(3.0) }), grab, json!({ "move": px(1.0) })];
    for (source, distance) in [("pivot", 0.0), ("vertex", 0.25)] {
        let lines = played(json!({ "snap_to": "vertex", "snap_source": source }), &events);
        let found = DVec3::from(numbers(&lines[4]["targets"]["moved"]["translation"]));
        let error = (found - corner).abs() - distance;
        assert!(error.abs().max_element() < 1e-12, "{source}: {found} for {corner}");
    }
}
