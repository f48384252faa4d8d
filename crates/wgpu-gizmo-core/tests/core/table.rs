//! §2 to §10 of docs/spec.md: drags in, transforms out, as a table that every platform reproduces. A host in another
//! language can check itself with it. `WGPU_GIZMO_WRITE=1` writes `tests/drags.tsv` anew.

use fastrand::Rng;
use wgpu_gizmo_core::glam::{DQuat, DVec2, DVec3, dcamera::rh};
use wgpu_gizmo_core::{Gizmo, HandleId, IdSpace, Mode, Orientation, Target, Transform, View, Viewport};

const HEADER: &str = "\
# Drags of one target in a viewport of 640 by 480 pixels with 1 pixel per point, seen toward the origin with Y up, by a
# right-handed perspective of 0.9 radians from 0.1 to 100. Lengths are in world units; rotations are x, y, z, w.
# The last three columns are the local transform after the drag; numbers agree within 1e-12 relative to the largest of
# their column, or absolute below 1.
handle\torientation\teye\tparent translation\tparent rotation\tparent scale\ttranslation\trotation\tscale\tpress px\t\
cursor px\tnew translation\tnew rotation\tnew scale\n";

/// One row.
struct Row {
    handle: HandleId,
    orientation: Orientation,
    eye: DVec3,
    parent: Transform,
    local: Transform,
    press_px: DVec2,
    cursor_px: DVec2,
}

fn orientation(name: &str) -> Orientation {
    let all = [Orientation::World, Orientation::Parent, Orientation::Local, Orientation::View];
    all.into_iter().find(|orientation| format!("{orientation:?}") == name).expect("the orientation exists")
}

impl Row {
    fn view(&self) -> View {
        let eye = rh::view::look_at_mat4(self.eye, DVec3::ZERO, DVec3::Y);
        let lens = rh::proj::directx::perspective(0.9, 640.0 / 480.0, 0.1, 100.0);
        View::new(eye, lens, Viewport::from_size(640, 480), 1.0).expect("the view is valid")
    }

    fn gizmo(&self) -> (Gizmo, [Target; 1]) {
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
        gizmo.settings.orientation = self.orientation;
        gizmo.settings.mode = Mode::Handles([self.handle].into_iter().collect());
        (gizmo, [Target::new(self.local, self.parent.to_matrix())])
    }

    /// Drags the handle as an application does, and returns the local transform.
    fn dragged(&self) -> Transform {
        let (mut gizmo, mut targets) = self.gizmo();
        let view = self.view();
        gizmo.update(&view, &mut targets);
        gizmo.pointer_moved(self.press_px);
        gizmo.pointer_pressed();
        gizmo.update(&view, &mut targets);
        gizmo.answer_on_cpu();
        gizmo.pointer_moved(self.cursor_px);
        gizmo.pointer_released();
        gizmo.update(&view, &mut targets);
        targets[0].local
    }

    /// Returns a row with short numbers, or `None` if the handle cannot be grabbed there.
    fn random(rng: &mut Rng, handle: HandleId) -> Option<Self> {
        let mut vector =
            |size: f64| DVec3::from([(); 3].map(|()| (rng.f64() * 200.0 - 100.0).round() / 100.0 * size));
        let mut transform = |by: f64| Transform {
            translation: vector(by),
            rotation: DQuat::from_vec4(vector(1.0).extend(1.25)),
            scale: ((DVec3::ONE + vector(0.5)) * 1e3).round() / 1e3,
        };
        let (parent, local) = (transform(0.5), transform(0.5));
        let eye = vector(1.0) + DVec3::new(3.0, 2.0, 5.0);
        let names = ["World", "Parent", "Local", "View"];
        let orientation = orientation(names[rng.usize(..4)]);
        let row =
            Self { handle, orientation, eye, parent, local, press_px: DVec2::ZERO, cursor_px: DVec2::ZERO };
        let (mut gizmo, mut targets) = row.gizmo();
        gizmo.update(&row.view(), &mut targets);
        let press_px = gizmo.handle_px(&row.view(), handle)?;
        let cursor_px = press_px + (DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * 120.0).round();
        let row = Self { press_px, cursor_px, ..row };
        (row.dragged() != row.local).then_some(row)
    }

    /// Returns the cells with numbers.
    fn numbers(&self) -> Vec<Vec<f64>> {
        let transform = |of: &Transform| {
            let Transform { translation, rotation, scale } = of;
            [translation.to_array().to_vec(), rotation.to_array().to_vec(), scale.to_array().to_vec()]
        };
        let pointer = [self.press_px, self.cursor_px].map(|px| px.to_array().to_vec());
        let start = [transform(&self.parent), transform(&self.local)].concat();
        [&[self.eye.to_array().to_vec()][..], &start, &pointer, &transform(&self.dragged())].concat()
    }

    fn written(&self) -> String {
        let numbers = |list: &Vec<f64>| list.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
        let numbers: Vec<String> = self.numbers().iter().map(numbers).collect();
        format!("{}\t{:?}\t{}\n", self.handle.name(), self.orientation, numbers.join("\t"))
    }

    /// Reads a row, and its cells with numbers.
    fn read(line: &str) -> (Self, Vec<Vec<f64>>) {
        let mut cells = line.split('\t');
        let handle = cells.next().and_then(HandleId::from_name).expect("the handle is built in");
        let orientation = orientation(cells.next().expect("a row has an orientation"));
        let number = |number: &str| -> f64 { number.parse().expect("the cell has numbers") };
        let numbers: Vec<Vec<f64>> = cells.map(|cell| cell.split(' ').map(number).collect()).collect();
        let vector = |cell: usize| DVec3::from_slice(&numbers[cell]);
        let transform = |first: usize| Transform {
            translation: vector(first),
            rotation: DQuat::from_slice(&numbers[first + 1]),
            scale: vector(first + 2),
        };
        let [press_px, cursor_px] = [7, 8].map(|cell| DVec2::from_slice(&numbers[cell]));
        let (eye, parent, local) = (vector(0), transform(1), transform(4));
        (Self { handle, orientation, eye, parent, local, press_px, cursor_px }, numbers)
    }
}

#[test]
fn every_platform_reproduces_the_table() {
    if std::env::var_os("WGPU_GIZMO_WRITE").is_some() {
        let mut rng = Rng::with_seed(4);
        let rows = HandleId::all().flat_map(|handle| {
            let rows = std::iter::repeat_with(|| Row::random(&mut rng, handle)).flatten();
            rows.take(5).map(|row| row.written()).collect::<Vec<_>>()
        });
        let text = HEADER.to_owned() + &rows.collect::<String>();
        std::fs::write("tests/drags.tsv", text).expect("the folder is writable");
    }
    let table = std::fs::read_to_string("tests/drags.tsv").expect("the table exists");
    let rows: Vec<&str> = table.lines().skip_while(|line| line.starts_with('#')).skip(1).collect();
    assert_eq!(rows.len(), 5 * HandleId::all().len());
    for line in rows {
        let (row, expected) = Row::read(line);
        for (found, expected) in row.numbers().iter().zip(&expected) {
            let largest = expected.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
            let is_same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * largest;
            assert!(found.iter().zip(expected).all(is_same), "{found:?} instead of {expected:?}: {line}");
        }
    }
}
