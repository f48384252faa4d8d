//! §2 to §10 of docs/spec.md: drags in, transforms out, as a table that every platform reproduces. A host in another
//! language can check itself with it. `WGPU_GIZMO_WRITE=1` writes the results in `tests/drags.tsv` anew.

use crate::prelude::*;

/// The number of columns before those with the result.
const GIVEN: usize = 11;

/// Drags the handle of a row as an application does. Returns the cells with the result, and those in the row.
fn dragged(row: &str) -> [[Vec<f64>; 3]; 2] {
    let cells: Vec<&str> = row.split('\t').collect();
    let number = |number: &str| -> f64 { number.parse().expect("the cell has numbers") };
    let numbers = |cell: usize| cells[cell].split(' ').map(number).collect::<Vec<_>>();
    let vector = |cell: usize| DVec3::from_slice(&numbers(cell));
    let transform = |first: usize| Transform {
        translation: vector(first),
        rotation: DQuat::from_slice(&numbers(first + 1)),
        scale: vector(first + 2),
    };
    let mut stage = Stage::of_mode(Mode::Handles(handle(cells[0]).into()));
    let orientation = Orientation::PRESETS.into_iter().find(|preset| format!("{preset:?}") == cells[1]);
    stage.gizmo.settings.orientation = orientation.expect("the orientation exists");
    let eye = rh::view::look_at_mat4(vector(2), DVec3::ZERO, DVec3::Y);
    let lens = rh::proj::directx::perspective(0.9, 640.0 / 480.0, 0.1, 100.0);
    stage.shot.view = View::new(eye, lens, Viewport::from_size(640, 480), 1.0).expect("the view is valid");
    stage.targets = vec![Target::new(transform(6), transform(3).to_matrix())];
    stage.grab(DVec2::from_slice(&numbers(9)));
    stage.move_to(DVec2::from_slice(&numbers(10)));
    stage.release();
    let Transform { translation, rotation, scale } = stage.local();
    let found = [translation.to_array().to_vec(), rotation.to_array().to_vec(), scale.to_array().to_vec()];
    [found, [0, 1, 2].map(|cell| numbers(GIVEN + cell))]
}

#[test]
fn every_platform_reproduces_the_table() {
    let table = std::fs::read_to_string("tests/drags.tsv").expect("the table exists");
    let is_row =
        |line: &&str| line.split('\t').next().is_some_and(|name| HandleId::from_name(name).is_some());
    assert_eq!(table.lines().filter(is_row).count(), 5 * HandleId::all().len());
    if std::env::var_os("WGPU_GIZMO_WRITE").is_some() {
        let written = |line: &str| {
            let result = is_row(&line).then(|| {
                dragged(line)[0]
                    .each_ref()
                    .map(|cell| cell.iter().map(f64::to_string).collect::<Vec<_>>().join(" "))
            });
            let cells = line.split('\t').take(GIVEN).map(str::to_owned);
            result.map_or(line.to_owned(), |result| cells.chain(result).collect::<Vec<_>>().join("\t")) + "\n"
        };
        return std::fs::write("tests/drags.tsv", table.lines().map(written).collect::<String>())
            .expect("the folder is writable");
    }
    for row in table.lines().filter(is_row) {
        let [found, expected] = dragged(row);
        for (found, expected) in found.iter().zip(&expected) {
            let largest = expected.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
            let is_same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * largest;
            assert!(found.iter().zip(expected).all(is_same), "{found:?} instead of {expected:?}: {row}");
        }
    }
}
