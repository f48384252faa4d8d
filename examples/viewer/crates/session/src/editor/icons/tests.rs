//! Tests of icons in the draw list, without a GPU.

use super::*;
use crate::tests::*;

/// A view from +Z in which a world unit is 100 pixels. Its center is at (400, 300).
fn view(scale_factor: f64) -> View {
    let eye = rh::view::look_at_mat4(DVec3::Z * 20.0, DVec3::ZERO, DVec3::Y);
    let lens = rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0);
    View::new(eye, lens, Viewport::from_size(800, 600), scale_factor).expect("the view is valid")
}

const AT_PX: [DVec2; 3] = [DVec2::new(400.0, 300.0), DVec2::new(500.0, 300.0), DVec2::new(600.0, 300.0)];

/// Returns an editor with a sun, a lamp, a node that is neither, and a child of the lamp that is a light too.
fn editor() -> Editor {
    let at = |x: f64| Transform { translation: DVec3::X * x, ..Transform::IDENTITY };
    let light = |name: &str, parent, x, light| Node { light, ..Node::new(name, parent, at(x)) };
    let nodes = vec![
        light("sun", None, 0.0, Some(0)),
        light("lamp", None, 1.0, Some(1)),
        light("cube", None, 3.0, None),
        light("child", Some(1), 1.0, Some(1)),
    ];
    let mut scene = Scene::new(nodes, Vec::new()).expect("the nodes form a tree");
    let shapes = [LightShape::Directional, LightShape::Point { range: None }];
    scene.set_volumes(shapes.map(|shape| Some(NodeVolume::Light(Light::new(shape)))).to_vec());
    let mut editor = Editor::new(scene).expect("there are enough ids");
    editor.shows_icons = true;
    editor
}

/// Returns the node that a pick without tolerance finds.
fn found(editor: &Editor, view: &View, at_px: DVec2) -> Option<usize> {
    let mut list = DrawList::new();
    editor.draw_icons(list.begin(view), None, |node| editor.pickable_id_of(node));
    list.pick(at_px, 0.0).and_then(|id| editor.node_of(id))
}

#[test]
fn icons_are_picked_by_node_id_within_their_radius() {
    let mut editor = editor();
    for scale_factor in [1.0, 2.0] {
        let radius_px = RADIUS_LPX * scale_factor;
        for (node, at_px) in [0, 1, 3].into_iter().zip(AT_PX) {
            for (off, is_hit) in [(0.0, true), (radius_px - 1.0, true), (radius_px + 1.0, false)] {
                let found = found(&editor, &view(scale_factor), at_px + DVec2::Y * off);
                assert_eq!(found, is_hit.then_some(node), "{off} pixels from {node}");
            }
        }
    }
    assert_eq!(found(&editor, &view(1.0), DVec2::new(700.0, 300.0)), None, "it is no light");
    editor.select(Selection::of(&[1]), &view(1.0));
    editor.switch_flag(Flag::Hidden);
    editor.select(Selection::of(&[0]), &view(1.0));
    editor.switch_flag(Flag::Locked);
    assert_eq!(AT_PX.map(|at_px| found(&editor, &view(1.0), at_px)), [None; 3], "the child is hidden too");
    editor.shows_icons = false;
    let mut list = DrawList::new();
    editor.draw_icons(list.begin(&view(1.0)), None, |node| editor.id_of(node));
    assert!(list.items().is_empty());
}

#[test]
fn icon_of_node_looked_through_is_found_in_other_views() {
    let mut editor = editor();
    editor.volumes.hidden_node = Some((1, 7));
    let region = Region::Rectangle([DVec2::ZERO, DVec2::new(550.0, 600.0)]);
    for (key, wanted) in [(7, vec![0]), (8, vec![0, 1])] {
        let mut nodes = Vec::new();
        editor.add_icons_in(&view(1.0).with_key(key), &region, &mut nodes);
        assert_eq!(nodes, wanted, "in the view with key {key}");
    }
}

#[test]
fn click_through_handle_is_pending_until_answered() {
    // Without another press before the answer, and with one.
    for next in [None, Some(SelectMode::Add)] {
        let mut editor = editor();
        editor.select(Selection::of(&[1]), &view(1.0));
        editor.update(&view(1.0));
        editor.pointer_moved(AT_PX[1]);
        editor.pointer_pressed(SelectMode::Replace);
        editor.update(&view(1.0));
        let query = editor.pick_query().expect("the press needs a pick");
        let mut list = DrawList::new();
        editor.draw_gizmo(list.begin(&query.view));
        editor.answer(&query.answered(list.pick(query.cursor_px, query.radius_px)));
        editor.update(&view(1.0));
        editor.pointer_released();
        editor.update(&view(1.0));
        // The center handle covers the icon.
        assert!(editor.waits() && !editor.is_busy());
        next.into_iter().for_each(|mode| editor.pointer_pressed(mode));
        let query = editor.pick_query().expect("it asks what is behind the handle");
        editor.answer(&query.answered(editor.id_of(0)));
        assert_eq!((editor.waits(), editor.selection().nodes()), (next.is_some(), &[0][..]));
    }
}

#[test]
fn select_all_leaves_icons_out_for_recordings() {
    let mut editor = editor();
    editor.shows_icons = true;
    editor.run(Command::SelectAll, &view(1.0));
    assert_eq!(editor.selection().nodes(), [0; 0], "cameras and lights have no mesh");
}
