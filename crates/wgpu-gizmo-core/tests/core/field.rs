//! Problems reported to other gizmo projects (docs/field.md) that no other file tests.

use crate::oracle::{self, begin, cases, handle, oriented, px, size_world, target_at};
use crate::stage::Stage;
use crate::views::{self, Camera};
use std::fs;
use std::path::{Path, PathBuf};
use wgpu_gizmo_core::glam::{DMat4, DQuat, DVec2, DVec3};
use wgpu_gizmo_core::interaction::Change;
use wgpu_gizmo_core::{DrawList, HandleId, Mode, Orientation, Settings, Snap, Target, Transform, Viewport};

fn test_functions(folder: &Path, found: &mut Vec<String>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("the entry is readable").path()) {
        if path.is_dir() {
            test_functions(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("the source file is readable");
            let tests =
                text.split("#[test]\n").skip(1).filter_map(|test| test.trim_start().strip_prefix("fn "));
            found.extend(tests.filter_map(|test| Some(test.split_once('(')?.0.to_owned())));
        }
    }
}

/// Asserts that the rows of each test table of a page are numbered and name existing tests. Returns the
/// number of rows per table.
fn rows_of_tables(page: &str) -> Vec<usize> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
    // Reads the sources, because the tests of other packages are not built here.
    let mut tests = Vec::new();
    for folder in ["src", "tests", "crates/wgpu-gizmo-core", "crates/wgpu-gizmo-extras"] {
        test_functions(&root.join(folder), &mut tests);
    }
    let is_row = |line: &&str| line.starts_with("| ");
    let parts = text.split("\n\n").map(|part| part.lines().filter(is_row).collect::<Vec<_>>());
    let tables = parts.filter(|rows| rows.first().is_some_and(|head| head.ends_with("| Tests |")));
    let check = |rows: Vec<&str>| {
        for (row, number) in rows.iter().skip(1).zip(1..) {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let [problem, named] = cells[..] else { panic!("not two columns: {row}") };
            assert!(problem.starts_with(&format!("{number}. ")), "row {number} is {problem}");
            // Test names are the odd parts between backticks.
            let names: Vec<&str> = named.split('`').skip(1).step_by(2).collect();
            assert!(!names.is_empty(), "{problem} names no test");
            for name in names {
                assert!(
                    tests.iter().any(|test| test == name),
                    "{problem} names {name}, which does not exist"
                );
            }
        }
        rows.len() - 1
    };
    tables.map(check).collect()
}

#[test]
fn field_table_names_existing_tests() {
    assert_eq!(rows_of_tables("docs/field.md"), [22, 20]);
}

#[test]
fn picking_tables_name_existing_tests() {
    assert_eq!(rows_of_tables("docs/picking.md"), [15, 19]);
}

#[test]
fn children_of_transformed_parents_follow_cursor() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(1.0, 2.0, 8.0)));
    let uneven = DMat4::from_scale(DVec3::new(3.0, 0.5, -1.5));
    let parents = [
        DMat4::from_translation(DVec3::new(4.0, -3.0, 2.0)),
        DMat4::from_rotation_y(2.0),
        DMat4::from_scale(DVec3::splat(0.01)),
        DMat4::from_rotation_x(1.0) * uneven * DMat4::from_rotation_z(0.6),
    ];
    for parent in parents {
        let translation = parent.inverse().transform_point3(DVec3::new(0.3, 0.2, -0.1));
        let start = Target::new(Transform { translation, ..Transform::IDENTITY }, parent);
        let pivot = start.position_world();
        let size = size_world(&shot, pivot, &Settings::default());
        let to = DVec3::new(0.9, 0.0, 0.0);
        let press = px(&shot, pivot + DVec3::X * size);
        let mut drag = begin(handle("translate_x"), &shot, press, start, &Settings::default());
        drag.solve(&shot.view, px(&shot, pivot + DVec3::X * size + to), Snap::OFF);
        let mut targets = [start];
        drag.apply(&mut targets);
        assert!((targets[0].position_world() - pivot).distance(to) < 1e-12, "under {parent}");
    }
}

#[test]
fn ten_thousand_moves_and_back_leave_no_drift() {
    for name in ["translate_x", "translate_zx", "rotate_y", "rotate_view", "scale_x", "scale_uniform"] {
        let shot = views::ALL[0].shot(&Camera::at(DVec3::new(2.0, 2.5, 6.0)));
        let start = Target::from_world(oracle::odd_transform(DVec3::new(0.1, 0.2, 0.3)));
        let press = px(&shot, DVec3::new(0.9, 0.2, 0.3));
        let (mut once, mut often) = {
            let drag = || begin(handle(name), &shot, press, start, &Settings::default());
            (drag(), drag())
        };
        let mut targets = [start];
        for step in 0..10_000 {
            let angle = f64::from(step) * 0.01;
            let movement = DVec2::new(80.0 * angle.sin(), 60.0 * (1.7 * angle).sin());
            often.solve(&shot.view, press + movement, Snap::OFF);
            often.apply(&mut targets);
        }
        // Back along the same path, so that no turn remains.
        for step in (0..10_000).rev() {
            let angle = f64::from(step) * 0.01;
            let movement = DVec2::new(80.0 * angle.sin(), 60.0 * (1.7 * angle).sin());
            often.solve(&shot.view, press + movement, Snap::OFF);
            often.apply(&mut targets);
        }
        let to = press + DVec2::new(31.0, -17.0);
        let mut expected = [start];
        once.solve(&shot.view, to, Snap::OFF);
        once.apply(&mut expected);
        often.solve(&shot.view, to, Snap::OFF);
        often.apply(&mut targets);
        assert_eq!(oracle::bits(&targets[0].local), oracle::bits(&expected[0].local), "{name}");
        often.solve(&shot.view, press, Snap::OFF);
        often.apply(&mut targets);
        assert_eq!(oracle::bits(&targets[0].local), oracle::bits(&start.local), "{name}");
    }
}

#[test]
fn moving_across_axis_keeps_scale() {
    for projection in views::ALL {
        let shot = projection.shot(&Camera::at(DVec3::new(2.0, 2.5, 6.0)));
        let size = size_world(&shot, DVec3::ZERO, &Settings::default());
        let [from, press] = [DVec3::ZERO, DVec3::X * size].map(|point| px(&shot, point));
        let across = (press - from).normalize().perp();
        let mut drag = begin(handle("scale_x"), &shot, press, target_at(DVec3::ZERO), &Settings::default());
        for distance in [-500.0, -40.0, 3.0, 90.0, 2000.0] {
            let Change::Scale(by) = drag.solve(&shot.view, press + across * distance, Snap::OFF).change
            else {
                panic!("no scale")
            };
            assert!(by.distance(DVec3::ONE) < 1e-9, "{}: {by} after {distance} px across", projection.name);
        }
    }
}

#[test]
fn every_handle_works_in_orthographic_views() {
    for projection in views::ALL.into_iter().filter(|projection| projection.orthographic) {
        for handle in HandleId::all() {
            let shot = projection.shot(&Camera::at(DVec3::new(2.0, 2.5, 6.0)));
            let press = px(&shot, DVec3::new(0.3, 0.3, 0.4));
            let start = target_at(DVec3::ZERO);
            let mut drag = begin(handle, &shot, press, start, &Settings::default());
            let motion = drag.solve(&shot.view, press + DVec2::new(60.0, 35.0), Snap::OFF);
            let mut targets = [start];
            drag.apply(&mut targets);
            let good = targets[0].local.is_finite() && targets[0] != start;
            assert!(good, "{}: {} by {motion:?}", projection.name, handle.name());
            // The motion is bounded by the movement of the cursor, which has one scale everywhere, and by the
            // slant of the plane. There is no horizon.
            if let Change::Translate(by) = motion.change {
                assert!(!motion.clamped, "{}: {by}", handle.name());
                let per_px = oracle::world_per_px(&shot, DVec3::ZERO);
                assert!(by.length() < 4.0 * 70.0 * per_px, "{}: {by}", handle.name());
            }
        }
    }
}

#[test]
fn viewport_offset_and_scale_factor_keep_motion() {
    let camera = Camera::at(DVec3::new(2.0, 2.5, 6.0));
    let plain = views::ALL[0];
    let others = ["viewport at an offset", "two pixels to the pixel"];
    for other in views::ALL.into_iter().filter(|projection| others.contains(&projection.name)) {
        for handle in HandleId::all() {
            let moved = [plain, other].map(|projection| {
                let shot = projection.shot(&camera);
                let at = |point: DVec3| px(&shot, point);
                let size = size_world(&shot, DVec3::ZERO, &Settings::default());
                let start = target_at(DVec3::ZERO);
                let press = at(DVec3::new(0.6, 0.5, 0.3) * size);
                let mut drag = begin(handle, &shot, press, start, &Settings::default());
                drag.solve(&shot.view, at(DVec3::new(1.3, 0.7, 0.2) * size), Snap::OFF);
                let mut targets = [start];
                drag.apply(&mut targets);
                oracle::matrix(&targets[0].local)
            });
            assert!(moved[0].abs_diff_eq(moved[1], 1e-9), "{}: {}", other.name, handle.name());
        }
    }
}

#[test]
fn size_is_constant_toward_edges_of_wide_view() {
    for name in ["right-handed perspective", "left-handed perspective", "off-axis perspective"] {
        let projection = views::ALL.into_iter().find(|projection| projection.name == name);
        let projection = projection.expect("the table has this projection");
        let camera = Camera { look_at: DVec3::NEG_Z, ..Camera::at(DVec3::ZERO) };
        let camera = Camera { viewport: Viewport::from_size(3000, 600), ..camera };
        let shot = projection.shot(&camera);
        for x in [-9.0, -4.0, 0.0, 5.0, 11.0] {
            let mut stage = Stage::of_mode(Mode::Translate);
            stage.shot = shot;
            let pivot = DVec3::new(x, 0.4, -5.0);
            stage.targets = vec![target_at(pivot)];
            stage.update();
            let mut list = DrawList::new();
            list.begin(&shot.view);
            stage.gizmo.draw(&mut list);
            let arrow = stage.gizmo.id_of(handle("translate_y"));
            let tip = list.items().iter().rfind(|item| item.id == Some(arrow));
            // The arrow is parallel to the image plane, so its length on screen is the size.
            let head = tip.expect("the arrow is shown").world_from_part;
            let tip = head
                .transform_point3(DVec3::X * f64::from(wgpu_gizmo_core::draw::parts::MeshKind::HEAD_LENGTH));
            let length = px(&shot, tip).distance(px(&shot, pivot));
            assert!((length - 96.0).abs() < 0.5, "{name} at {x}: {length} px");
        }
    }
}

#[test]
fn gizmo_claims_pointer_from_press_to_release() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let arrow = stage.at(DVec3::X * 0.8);
    stage.update();
    stage.move_to(arrow);
    stage.gizmo.pointer_pressed();
    assert!(stage.gizmo.claims().primary_press, "the press is pending");
    stage.update();
    assert!(stage.gizmo.claims().primary_press, "the pick is in flight");
    stage.answer();
    stage.update();
    assert!(stage.gizmo.claims().primary_press && stage.gizmo.is_active());
    stage.point_at(DVec2::new(-300.0, 4000.0));
    assert!(stage.gizmo.claims().primary_press, "outside the window too");
    stage.release();
    stage.answer();
    stage.update();
    assert!(!stage.gizmo.claims().primary_press);
}

#[test]
fn infinite_and_reversed_depth_give_finite_rays() {
    for projection in views::ALL {
        cases(200, |rng| {
            let shot = projection.shot(&oracle::camera(rng));
            for px in [DVec2::ZERO, DVec2::new(0.5, 0.5), DVec2::splat(1e5), DVec2::new(-3e9, 2.0)] {
                let ray = shot.view.pointer_ray(px);
                assert!(ray.origin.is_finite() && ray.direction.is_normalized(), "{}", projection.name);
            }
        });
    }
}

/// Runs two gizmos in two viewports, alternately and each alone. The motions must be equal.
#[test]
fn viewports_and_gizmos_share_nothing() {
    let camera = |eye: DVec3, x: f64| Camera {
        viewport: Viewport { x, y: 0.0, width: 400.0, height: 600.0 },
        ..Camera::at(eye)
    };
    let views = [camera(DVec3::new(2.0, 2.5, 6.0), 0.0), camera(DVec3::new(-3.0, 1.0, 4.0), 400.0)];
    let stages = || {
        views.map(|camera| {
            let mut stage = Stage::of_mode(Mode::Translate);
            stage.shot = views::ALL[0].shot(&camera);
            stage
        })
    };
    let (mut alone, mut together) = (stages(), stages());
    let steps = |stage: &mut Stage, step: u32| {
        let along = DVec3::X * (0.8 + 0.1 * f64::from(step));
        let at = px(&stage.shot, along * 0.5);
        match step {
            0 => drop(stage.grab(at)),
            9 => stage.gizmo.pointer_released(),
            _ => stage.move_to(at),
        }
        stage.update();
    };
    for stage in &mut alone {
        (0..10).for_each(|step| steps(stage, step));
    }
    for step in 0..10 {
        together.iter_mut().for_each(|stage| steps(stage, step));
    }
    for (alone, together) in alone.iter().zip(&together) {
        assert_eq!(oracle::bits(&alone.local()), oracle::bits(&together.local()));
        assert!(alone.local() != Transform::IDENTITY);
    }
}

#[test]
fn rotated_frame_snaps_along_handle_not_world_axes() {
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -2.0) / 3.0, 0.9);
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(1.0, 2.0, 8.0)));
    let settings = oriented(Orientation::Custom(turn));
    let press = px(&shot, turn * DVec3::X * 0.7);
    let mut drag = begin(handle("translate_x"), &shot, press, target_at(DVec3::ZERO), &settings);
    let cursor = px(&shot, turn * DVec3::X * 1.83);
    let Change::Translate(by) = drag.solve(&shot.view, cursor, Snap::DEFAULT_INCREMENTS).change else {
        panic!("no translation")
    };
    assert!(by.distance(turn * DVec3::X) < 1e-12, "{by}: 1.13 along the handle is two halves");
}
