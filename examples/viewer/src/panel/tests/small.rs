//! Tests of small windows, such as a phone's or one at twice the scale factor.

use super::pictures::RenderedPage;
use super::*;
use crate::files::{Dialog, PendingAction, Question, Request};
use crate::panel::replay;
use session::player::{Next, Player};
use std::path::Path;
use web_time::Instant;

/// Sizes in points. The last two are those of 720 x 800 and 720 x 500 pixels at 2x.
const SIZES: [[f32; 2]; 6] =
    [[1280.0, 800.0], [640.0, 480.0], [559.0, 700.0], [360.0, 640.0], [360.0, 400.0], [360.0, 250.0]];

#[test]
fn panel_leaves_room_for_view_and_toolbar() {
    for size @ [width, height] in SIZES {
        let mut harness = session(scene(), &[0]);
        resize(&mut harness, size);
        if height >= 400.0 {
            let last = harness.get_by_label("Toggle clay").rect();
            assert!(last.bottom() <= height - 30.0, "{size:?}: {last:?}");
            click(&mut harness, "Toggle clay", Modifiers::NONE);
            assert_eq!(commands(&mut harness), [Command::Clay], "{size:?}");
        }
        let margins = harness.state().page.margins;
        let free = [width - margins.left - margins.right, height - margins.top - margins.bottom];
        assert!(free[0] >= 199.0 && free[1] >= 90.0, "{size:?} leaves {free:?}");
        let [right, below] = harness.state().page.side_size();
        assert_eq!((right > 0.0, below > 0.0), (width > 600.0, width < 600.0), "{size:?}");
        // The panel can be hidden and shown again.
        harness.state_mut().page.toggle();
        harness.run();
        let hidden = harness.state().page.margins;
        assert_eq!([hidden.right, hidden.bottom], [0.0, 30.0], "{size:?}");
        harness.state_mut().page.toggle();
        assert_eq!(harness.state().page.margins, margins, "{size:?}");
    }
}

#[test]
fn hints_without_room_or_use_are_left_out() {
    let mut harness = session(scene(), &[]);
    for (width, has_last) in [(1280.0, true), (700.0, false)] {
        resize(&mut harness, [width, 800.0]);
        let hints = harness.get_by_label_contains("an object, to select it");
        assert!(hints.rect().right() <= width, "{}", hints.rect());
        let text = hints.value().expect("a label has a text");
        assert_eq!(text.contains(", Wheel zoom"), has_last, "{width}: {text}");
    }
    for is_flying in [false, true] {
        harness.state_mut().page.is_flying = is_flying;
        harness.run();
        assert_eq!(harness.query_by_label_contains("box select").is_none(), is_flying);
    }
}

#[test]
fn fields_can_be_reached_in_low_windows() {
    let mut harness = session(scene(), &[0]);
    let heights = [390.0, 250.0, 390.0].map(|height| {
        resize(&mut harness, [500.0, height]);
        harness.state().page.side_size()[1]
    });
    assert!(heights[1] < heights[0] && heights[2] == heights[0], "it grows again: {heights:?}");
    for size in SIZES.into_iter().chain([[500.0, 390.0], [500.0, 300.0]]) {
        for tree_share in [0.1, 0.32, 0.9] {
            harness.state_mut().page.preferences.tree_share = tree_share;
            resize(&mut harness, size);
            let tree = harness.get_by_label("Nodes").rect();
            harness.get_by_label("Position Z").scroll_to_me();
            harness.run();
            let seen = tree.bottom()..=size[1] - 30.0;
            let field = harness.get_by_label("Position Z").rect();
            assert!(tree.height() >= 10.0, "{size:?}: {tree}");
            assert!(seen.contains(&field.center().y), "{size:?} {tree_share}: {field} in {seen:?}");
        }
    }
}

/// Lays the page out in windows of these sizes.
fn lay_out(harness: &mut Harness<'_, Session>, what: &str, sizes: &[[f32; 2]]) {
    for size in sizes {
        let size = *size;
        harness.set_size(size.into());
        harness.step();
        assert_eq!(harness.ctx.content_rect().size(), size.into(), "{what}");
    }
}

#[test]
fn every_panel_lays_out_at_every_size() {
    let opened = |scene, selected: &[usize]| {
        let mut harness = session(scene, selected);
        for command in [Command::SectionX, Command::DropToGrid] {
            harness.state_mut().editor.run(command, &view());
        }
        harness
    };
    // 1, 3, 6, 11, … 957 points.
    let sides = || std::iter::successors(Some(1.0_f32), |side| Some((side * 1.6 + 0.8).ceil())).take(13);
    let all: Vec<_> = sides().flat_map(|side| [[side, side], [side, 800.0], [1280.0, side]]).collect();
    let squares: Vec<_> = sides().map(|side| [side, side]).collect();
    for (what, scene, selected) in [
        ("nothing", scene(), &[][..]),
        ("three", animation::animated(), &[0, 1, 2]),
        ("camera", volumes::lit_scene(), &[0]),
        ("light", volumes::lit_scene(), &[1]),
    ] {
        lay_out(&mut opened(scene, selected), what, &all);
    }
    type Open = fn(&mut Harness<'_, Session>);
    let over: [(&str, Open); 7] = [
        ("help", |harness| harness.state_mut().page.shows_help = true),
        ("context menu", |harness| harness.state_mut().page.open_context_menu(Pos2::new(300.0, 200.0))),
        ("menu", |harness| harness.get_by_label("View").click()),
        ("toolbar menu", |harness| harness.get_by_label("Choose the pivot").click()),
        ("path", |harness| {
            let Session { files, editor, .. } = harness.state_mut();
            files.request(Request::SaveAs, editor);
        }),
        ("message", |harness| {
            harness.state_mut().files.dialog = Some(Dialog::Message("The file is gone. ".repeat(20)));
        }),
        ("question", |harness| {
            let question = Question::Unsaved(PendingAction::Quit);
            harness.state_mut().files.dialog = Some(Dialog::Question(question));
        }),
    ];
    for (what, open) in over {
        let mut harness = opened(scene(), &[0]);
        open(&mut harness);
        harness.run();
        lay_out(&mut harness, what, &squares);
    }
}

/// The color of lines in the light theme.
const LINE: [u8; 4] = [205, 208, 214, 255];

/// Returns a page in the light theme and its picture, at two pixels per point.
fn light_page(size: [f32; 2]) -> (RenderedPage, Vec<[u8; 4]>) {
    let mut page = RenderedPage::new(scene(), &[0], size, 2.0);
    page.session.editor.run(Command::NextTheme, &view());
    let picture = page.picture();
    (page, picture)
}

#[test]
fn edge_of_panel_does_not_cross_bars() {
    let [width, height] = [700.0, 300.0];
    let (page, picture) = light_page([width, height]);
    let edge = 2.0 * (width - page.session.page.margins.right);
    let columns = edge as usize - 4..edge as usize + 5;
    let is_line_in = |row: usize| columns.clone().any(|x| picture[row * 2 * width as usize + x] == LINE);
    let beside_view: Vec<usize> = (80..2 * height as usize - 80).filter(|row| is_line_in(*row)).collect();
    assert!(beside_view.len() > 400, "{} rows of the edge", beside_view.len());
    let bars = (0..58).chain(2 * height as usize - 58..2 * height as usize);
    assert_eq!(bars.filter(|row| is_line_in(*row)).collect::<Vec<_>>(), [0; 0]);
}

#[test]
fn edge_of_low_panel_does_not_cross_its_contents() {
    let [width, height] = [500.0, 300.0];
    let (_, picture) = light_page([width, height]);
    let row_length = 2 * width as usize;
    // The toolbar is at the left.
    let is_line = |row: &usize| (300..row_length - 100).all(|x| picture[row * row_length + x] == LINE);
    let lines: Vec<usize> = (80..2 * height as usize - 80).filter(is_line).collect();
    // The panel has half of the height between two bars of the same height, at two pixels per point.
    assert_eq!(lines[0], height as usize, "{lines:?}");
    // The edge of the tree is the other line, and each has two rows.
    assert!(lines.len() <= 4, "{lines:?}");
}

#[test]
fn result_of_replay_moves_no_button() {
    let replay = r#"{"version": 1, "size_px": [640, 480], "scene": {"objects": [{"name": "a", "shape": "cube"}]},
        "events": [{"expect": {"targets": {"a": {"translation": [1, 2, 3]}}}}]}"#;
    let replay = session::replay_file::from_bytes(replay.as_bytes(), Path::new("a.json"));
    let replay = replay.expect("the replay is valid");
    for width in [1280.0, 640.0] {
        let show = |ui: &mut egui::Ui, player: &mut Player| {
            let _ = replay::show(ui.ctx(), player);
        };
        let builder = Harness::builder().with_size(vec2(width, 800.0)).with_context_setup(style::install);
        let mut harness = builder.build_ui_state(show, Player::new(replay.clone()));
        harness.run();
        let buttons =
            |harness: &Harness<'_, Player>| ["Restart", "Step"].map(|name| harness.get_by_label(name).rect());
        let before = buttons(&harness);
        let event = loop {
            if let Next::Event(event) = harness.state_mut().next(true, Instant::now()) {
                break event;
            }
        };
        let scene = harness.state().replay.scene.clone();
        harness.state_mut().check(&event, &scene);
        // The strip is placed by its size in the frame before.
        harness.run_steps(3);
        assert!(harness.state().is_over() && harness.state().missed().is_some());
        assert_eq!(buttons(&harness), before, "{width}");
    }
}
