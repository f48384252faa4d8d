//! One stage and several scenes.

use super::*;
use crate::built_in;
use crate::cameras::Cameras;
use crate::device;
use crate::selection::How;
use crate::views::Frame;
use std::collections::BTreeSet;
use wgpu_gizmo::Viewport;
use wgpu_gizmo::pick::Region;

const SIZE: [u32; 2] = [320, 240];

fn editor_and_views() -> (Editor, Views) {
    let editor = Editor::new(built_in::scene()).expect("few nodes");
    let frame = Frame { size_px: SIZE, viewport: Viewport::of_size(SIZE[0], SIZE[1]), scale_factor: 1.0 };
    let view = Cameras::of_scene(editor.scene()).views(&frame).expect("usable")[0];
    (editor, Views::one(view))
}

fn everything() -> Region {
    Region::Rectangle([DVec2::ZERO, DVec2::new(SIZE[0].into(), SIZE[1].into())])
}

/// The pipelines of a stage and of all its parts, the library's too, as wgpu numbers them. A number is
/// never given twice.
fn pipelines(stage: &Stage) -> BTreeSet<String> {
    let text = format!("{stage:?}");
    let parts = text.split("CoreRenderPipeline {").skip(1);
    let ids = parts.filter_map(|part| part.split_once("id: ")?.1.split_once(')'));
    ids.map(|(id, _)| id.to_owned()).collect()
}

/// Draws and asks for all that a stage can be asked for, so that nothing is left to be made.
fn use_all(stage: &mut Stage, gpu: &Gpu, editor: &mut Editor, views: &Views) {
    stage.picture(gpu, editor, views, SIZE).expect("a picture");
    for through in [false, true] {
        editor.select_region(views.current(), everything(), through, How::Replace);
        let query = editor.region_query().expect("asked");
        stage.region(gpu, editor, query, SIZE).expect("an answer");
    }
    stage.id_images(gpu, editor, views, SIZE).expect("ids");
    stage.picture(gpu, editor, views, SIZE).expect("a picture");
}

#[test]
fn loading_another_scene_makes_no_pipeline() {
    let gpu = device::shared();
    let (mut editor, views) = editor_and_views();
    let mut stage = Stage::new(gpu, picture::FORMAT, editor.scene()).expect("a stage");
    use_all(&mut stage, gpu, &mut editor, &views);
    let before = pipelines(&stage);
    assert!(before.len() > 30, "{} pipelines", before.len());
    for _ in 0..2 {
        let (mut editor, views) = editor_and_views();
        stage.load(gpu, editor.scene());
        use_all(&mut stage, gpu, &mut editor, &views);
        assert_eq!(pipelines(&stage), before);
    }
    let mut other = Stage::new(gpu, picture::FORMAT, editor.scene()).expect("a stage");
    use_all(&mut other, gpu, &mut editor, &views);
    assert!(pipelines(&other).is_disjoint(&before), "pipelines can be told apart");
}

#[test]
fn answers_about_the_scene_before_are_dropped() {
    let gpu = device::shared();
    let (mut editor, views) = editor_and_views();
    let view = views.current();
    let mut stage = Stage::new(gpu, picture::FORMAT, editor.scene()).expect("a stage");
    // What is hovered, and what is in a region: both are on their way.
    let ask = |stage: &mut Stage, editor: &mut Editor| {
        editor.pointer_moved(DVec2::new(160.0, 120.0));
        editor.update(view);
        stage.ask(gpu, editor, view, SIZE).expect("asked");
        editor.select_region(view, everything(), false, How::Replace);
        stage.ask(gpu, editor, view, SIZE).expect("asked");
        assert!(stage.is_waiting());
    };
    let answers = |stage: &mut Stage, editor: &mut Editor| {
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).expect("done");
        for _ in 0..2 {
            stage.poll(gpu, editor).expect("the device is there");
        }
        editor.update(view);
        assert!(!stage.is_waiting());
        editor.selection().nodes().len()
    };
    ask(&mut stage, &mut editor);
    assert!(answers(&mut stage, &mut editor) > 3, "what is asked about is there");
    ask(&mut stage, &mut editor);
    let (mut editor, _) = editor_and_views();
    stage.load(gpu, editor.scene());
    assert_eq!(answers(&mut stage, &mut editor), 0);
    assert_eq!(editor.hovered_node(), None);
    ask(&mut stage, &mut editor);
    assert!(answers(&mut stage, &mut editor) > 3, "new questions are answered");
}
