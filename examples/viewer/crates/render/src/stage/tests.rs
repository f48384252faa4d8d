//! Tests of one stage with several scenes.

mod chunks;

use super::*;
use crate::device;
use scene::built_in;
use scene::selection::SelectMode;
use session::cameras::Cameras;
use session::views::Canvas;
use std::collections::BTreeSet;
use wgpu_gizmo::Viewport;
use wgpu_gizmo::pick::Region;

const SIZE: [u32; 2] = [320, 240];

fn editor_and_views() -> (Editor, Views) {
    let editor = Editor::new(built_in::scene()).expect("there are enough ids");
    let canvas = Canvas { size_px: SIZE, viewport: Viewport::from_size(SIZE[0], SIZE[1]), scale_factor: 1.0 };
    let view = Cameras::of_scene(editor.scene()).views(&canvas).expect("the view is valid")[0];
    (editor, Views::one(view))
}

fn everything() -> Region {
    Region::Rectangle([DVec2::ZERO, DVec2::new(SIZE[0].into(), SIZE[1].into())])
}

/// Returns the ids of all render pipelines in a stage, including the library's. wgpu never reuses an
/// id.
fn pipelines(stage: &Stage) -> BTreeSet<String> {
    let text = format!("{stage:?}");
    let parts = text.split("CoreRenderPipeline {").skip(1);
    let ids = parts.filter_map(|part| part.split_once("id: ")?.1.split_once(')'));
    ids.map(|(id, _)| id.to_owned()).collect()
}

/// Draws a picture and asks every kind of query, so that everything lazy is created.
fn use_all(stage: &mut Stage, gpu: &Gpu, editor: &mut Editor, views: &Views) {
    stage.picture(gpu, editor, views, SIZE).expect("the picture can be drawn");
    for through in [false, true] {
        editor.select_region(views.current(), everything(), through, SelectMode::Replace);
        let query = editor.region_query().expect("a query is pending");
        stage.region(gpu, editor, query, SIZE).expect("the region is answered");
    }
    stage.id_images(gpu, editor, views, SIZE).expect("the ID image can be read");
    stage.picture(gpu, editor, views, SIZE).expect("the picture can be drawn");
}

#[test]
fn loading_another_scene_creates_no_pipeline() {
    let gpu = device::shared();
    let (mut editor, views) = editor_and_views();
    let mut stage = Stage::new(gpu, picture::FORMAT, editor.scene()).expect("the stage can be created");
    use_all(&mut stage, gpu, &mut editor, &views);
    let before = pipelines(&stage);
    assert!(before.len() > 30, "{} pipelines", before.len());
    for _ in 0..2 {
        let (mut editor, views) = editor_and_views();
        stage.load(gpu, editor.scene());
        use_all(&mut stage, gpu, &mut editor, &views);
        assert_eq!(pipelines(&stage), before);
    }
    let mut other = Stage::new(gpu, picture::FORMAT, editor.scene()).expect("the stage can be created");
    use_all(&mut other, gpu, &mut editor, &views);
    assert!(pipelines(&other).is_disjoint(&before), "another stage has other pipelines");
}

#[test]
fn answers_about_previous_scene_are_dropped() {
    let gpu = device::shared();
    let (mut editor, views) = editor_and_views();
    let view = views.current();
    let mut stage = Stage::new(gpu, picture::FORMAT, editor.scene()).expect("the stage can be created");
    // One query for the hovered object and one for a region, both in flight.
    let ask = |stage: &mut Stage, editor: &mut Editor| {
        editor.pointer_moved(DVec2::new(160.0, 120.0));
        editor.update(view);
        stage.ask(gpu, editor, SIZE).expect("the query is encoded");
        editor.select_region(view, everything(), false, SelectMode::Replace);
        stage.ask(gpu, editor, SIZE).expect("the query is encoded");
        assert!(stage.is_waiting());
    };
    let answers = |stage: &mut Stage, editor: &mut Editor| {
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device works");
        for _ in 0..2 {
            stage.poll(gpu, editor).expect("the device works");
        }
        editor.update(view);
        assert!(!stage.is_waiting());
        editor.selection().nodes().len()
    };
    ask(&mut stage, &mut editor);
    assert!(answers(&mut stage, &mut editor) > 3, "the region has nodes");
    ask(&mut stage, &mut editor);
    let (mut editor, _) = editor_and_views();
    stage.load(gpu, editor.scene());
    assert_eq!(answers(&mut stage, &mut editor), 0);
    assert_eq!(editor.hovered_node(), None);
    ask(&mut stage, &mut editor);
    assert!(answers(&mut stage, &mut editor) > 3, "new queries are answered");
}
