//! Tests of drags, edits, undo and cancels of cameras and lights.

use super::*;
use crate::tests::*;

const SPOT: NodeVolume = NodeVolume::Light(Light {
    shape: LightShape::Spot { range: Some(2.0), inner: 0.25, outer: 0.5 },
    color: [1.0, 0.5, 0.25],
    intensity: 40.0,
});
const LENS: NodeVolume =
    NodeVolume::Camera(Lens::Perspective { fov_y: 0.8, near: 0.5, far: Some(3.0), aspect: Some(1.5) });

/// A view from +Y in which a world unit is 100 pixels, X is to the right and −Z is up. Its center is at
/// (400, 300).
fn view() -> View {
    let eye = rh::view::look_at_mat4(DVec3::Y * 20.0, DVec3::ZERO, DVec3::NEG_Z);
    let lens = rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0);
    View::new(eye, lens, Viewport::from_size(800, 600), 1.0).expect("the view is valid")
}

/// Returns an editor with a light at the origin that shines along −Z, and a camera at (0, 0, 1) that looks the
/// same way. Both are scaled, which they ignore. Node 0 is active.
fn editor() -> Editor {
    let scale = DVec3::new(3.0, 0.5, 7.0);
    let at = |z: f64| Transform { translation: DVec3::Z * z, scale, ..Transform::IDENTITY };
    let lamp = Node { light: Some(1), ..Node::new("lamp", None, at(0.0)) };
    let eye = Node { camera: Some(0), ..Node::new("eye", None, at(1.0)) };
    let mut scene = Scene::new(vec![lamp, eye], Vec::new()).expect("the nodes form a tree");
    scene.set_volumes(vec![Some(LENS), Some(SPOT)]);
    let mut editor = Editor::new(scene).expect("there are enough ids");
    editor.change(|values| values.gizmo.mode = Mode::None);
    editor.shows_volumes = true;
    editor.select(Selection::of(&[0]), &view());
    editor.update(&view());
    editor
}

/// Answers all pending queries from the handles.
fn answer(editor: &mut Editor) {
    while let Some(query) = editor.pick_query() {
        let mut list = DrawList::new();
        editor.draw_gizmo(list.begin(&query.view));
        let found = list.pick(query.cursor_px, query.radius_px);
        editor.answer(&query.answered(found));
        editor.update(&view());
    }
}

fn release(editor: &mut Editor) {
    editor.pointer_released();
    editor.update(&view());
}

fn drag(editor: &mut Editor, from_px: [f64; 2], to_px: [f64; 2]) {
    editor.pointer_moved(from_px.into());
    editor.update(&view());
    answer(editor);
    editor.pointer_pressed(SelectMode::Replace);
    editor.update(&view());
    answer(editor);
    editor.pointer_moved(DVec2::from(to_px));
    editor.update(&view());
}

#[test]
fn canceled_drag_restores_bits_and_adds_no_step() {
    type End = fn(&mut Editor);
    let ends: [End; 4] = [
        |editor| editor.cancel(),
        |editor| editor.undo(&view()),
        |editor| editor.select(Selection::of(&[1]), &view()),
        |editor| editor.shows_volumes = false,
    ];
    for (index, end) in ends.into_iter().enumerate() {
        let mut editor = editor();
        drag(&mut editor, [400.0, 100.0], [430.0, 50.0]);
        assert!(editor.is_dragging() && editor.scene().volume(1) != Some(SPOT));
        end(&mut editor);
        editor.update(&view());
        assert_eq!(editor.scene().volume(1), Some(SPOT), "{index}");
        assert!(!editor.is_dragging() && editor.log().entries().is_empty(), "{index}");
    }
}

#[test]
fn readout_shows_value_of_field() {
    let mut editor = editor();
    // The right edges of the outer and the inner cone. The camera is a unit below, and its frame a unit ahead.
    let cone = |angle: f64| [400.0 + 200.0 * angle.sin(), 300.0 - 200.0 * angle.cos()];
    let lens = |half: f64| [400.0 + 100.0 * half.tan(), 300.0];
    let half = (0.4f64.tan() * 1.5).atan();
    let wider = 2.0 * (0.8f64.tan() / 1.5).atan();
    for (node, from_px, to_px, field, angle) in [
        (0, cone(0.5), cone(0.8), "Outer cone", 0.8f64),
        (0, cone(0.25), cone(0.4), "Inner cone", 0.4),
        (1, lens(half), lens(0.8), "Field of view", wider),
    ] {
        editor.select(Selection::of(&[node]), &view());
        editor.update(&view());
        drag(&mut editor, from_px, to_px);
        assert_eq!(editor.readout("Y -17.2°"), format!("{field} {:.1}°", angle.to_degrees()));
        editor.gizmo_key(Key::Digit(3), KeyModifiers::default());
        editor.update(&view());
        assert!(editor.readout("Y 3_°").starts_with(&format!("Y 3_°: {field} ")), "{}", editor.readout(""));
        editor.cancel();
        release(&mut editor);
    }
    for (node, from_px, to_px, wanted) in [
        (0, [400.0, 100.0], [430.0, 50.0], "Range 2.500 m"),
        (1, [400.0, 350.0], [400.0, 340.0], "Near plane 0.600 m"),
        (1, [400.0, 100.0], [400.0, 75.0], "Far plane 3.250 m"),
    ] {
        editor.select(Selection::of(&[node]), &view());
        editor.update(&view());
        drag(&mut editor, from_px, to_px);
        assert_eq!(editor.readout("Z -0.5"), wanted);
        editor.cancel();
        release(&mut editor);
    }
}
