//! Tests of one stage with several scenes.

mod chunks;

use super::*;
use crate::device;
use scene::built_in;
use scene::selection::SelectMode;
use session::views::Canvas;
use std::collections::BTreeSet;
use wgpu_gizmo::Viewport;
use wgpu_gizmo::pick::Region;

const SIZE: [u32; 2] = [320, 240];

fn new_session() -> Session {
    let editor = Editor::new(built_in::scene()).expect("there are enough ids");
    let canvas = Canvas { size_px: SIZE, viewport: Viewport::from_size(SIZE[0], SIZE[1]), scale_factor: 1.0 };
    Session::of_scene(editor, canvas).expect("the view is valid")
}

fn new_stage(session: &Session) -> Stage {
    let scene = session.editor.scene();
    Stage::new(device::shared(), picture::FORMAT, scene).expect("the stage can be created")
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
fn use_all(stage: &mut Stage, session: &mut Session) {
    stage.picture(session, SIZE).expect("the picture can be drawn");
    for through in [false, true] {
        let Session { editor, views, .. } = session;
        editor.select_region(views.current(), everything(), through, SelectMode::Replace);
        stage.ask(session, SIZE).expect("the query is encoded");
        assert!(stage.is_waiting());
        stage.wait(session).expect("the region is answered");
    }
    stage.id_images(session, SIZE).expect("the ID image can be read");
    stage.picture(session, SIZE).expect("the picture can be drawn");
}

#[test]
fn loading_another_scene_creates_no_pipeline() {
    let mut session = new_session();
    let mut stage = new_stage(&session);
    use_all(&mut stage, &mut session);
    let before = pipelines(&stage);
    assert!(before.len() > 30, "{} pipelines", before.len());
    for _ in 0..2 {
        let mut session = new_session();
        stage.load(&mut session);
        use_all(&mut stage, &mut session);
        assert_eq!(pipelines(&stage), before);
    }
    let mut other = new_stage(&session);
    use_all(&mut other, &mut session);
    assert!(pipelines(&other).is_disjoint(&before), "another stage has other pipelines");
}

#[test]
fn answers_about_previous_scene_are_dropped() {
    let mut session = new_session();
    let mut stage = new_stage(&session);
    // One query for the hovered object and one for a region, both in flight.
    let ask = |stage: &mut Stage, session: &mut Session| {
        session.editor.pointer_moved(DVec2::new(160.0, 120.0));
        session.update().expect("the view is valid");
        stage.ask(session, SIZE).expect("the query is encoded");
        let Session { editor, views, .. } = session;
        editor.select_region(views.current(), everything(), false, SelectMode::Replace);
        stage.ask(session, SIZE).expect("the query is encoded");
        assert!(stage.is_waiting());
    };
    let answers = |stage: &mut Stage, session: &mut Session| {
        stage.wait(session).expect("the device works");
        session.update().expect("the view is valid");
        session.editor.selection().nodes().len()
    };
    ask(&mut stage, &mut session);
    assert!(answers(&mut stage, &mut session) > 3, "the region has nodes");
    ask(&mut stage, &mut session);
    let mut session = new_session();
    stage.load(&mut session);
    assert_eq!(answers(&mut stage, &mut session), 0);
    assert_eq!(session.editor.hovered_node(), None);
    ask(&mut stage, &mut session);
    assert!(answers(&mut stage, &mut session) > 3, "new queries are answered");
}
