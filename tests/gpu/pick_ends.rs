//! The CPU pick agrees with the ID image at tips, ends, rims and corners of shapes.

use crate::common::device::gpu;
use crate::common::{MODES, cases, gizmo};
use std::collections::BTreeMap;
use wgpu_gizmo::draw::parts::Item;
use wgpu_gizmo::draw::parts::MeshKind;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::gpu::IdTexels;
use wgpu_gizmo::{DrawList, IdSpace, Mode, View};

/// The distance around such a point, in pixels, within which pixels are compared.
const AROUND: i64 = 9;

/// Returns unit vectors in the YZ plane.
fn around(count: u32) -> impl Iterator<Item = DVec3> {
    let angle = move |i: u32| f64::from(i) * std::f64::consts::TAU / f64::from(count);
    (0..count).map(move |i| DVec3::new(0.0, angle(i).cos(), angle(i).sin()))
}

/// Returns the ends of the near half of a ring: the radial directions whose cosine to the eye is −0.05.
fn ends_of_near_half(item: &Item) -> Vec<DVec3> {
    let eye = item.to_eye_part();
    let DVec3 { y, z, .. } = eye;
    let facing = (y * y + z * z).sqrt();
    if item.is_whole_in_ids() || facing <= 0.05 {
        return Vec::new();
    }
    let toward = DVec3::new(0.0, y, z) / facing;
    let cosine = -0.05 / facing;
    let sine = (1.0 - cosine * cosine).sqrt();
    let aside = DVec3::new(0.0, -toward.z, toward.y);
    let ends = [1.0, -1.0].map(|sign| toward * cosine + aside * (sine * sign));
    assert!(ends.iter().all(|end| (end.dot(eye) + 0.05).abs() < 1e-9));
    ends.into()
}

/// Returns the tips, ends, rims and corners of a part, in part space.
fn endings(item: &Item) -> Vec<DVec3> {
    let thickness = item.thickness();
    let [length, radius] = [MeshKind::HEAD_LENGTH, MeshKind::HEAD_RADIUS].map(f64::from);
    let square = |low: f64, high: f64| {
        [[low, low], [low, high], [high, low], [high, high]].map(|[y, z]| DVec3::new(0.0, y, z)).to_vec()
    };
    match item.mesh {
        MeshKind::Stem => vec![DVec3::ZERO, DVec3::X],
        MeshKind::Cone => around(8).map(|rim| rim * radius).chain([DVec3::X * length]).collect(),
        MeshKind::Cube => {
            let side = |i: u8, bit: u8| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
            (0..8).map(|i| DVec3::new(side(i, 0), side(i, 1), side(i, 2))).collect()
        }
        MeshKind::Square => square(-thickness, 1.0 + thickness),
        MeshKind::Ring => around(12).chain(ends_of_near_half(item)).collect(),
        MeshKind::Ball | MeshKind::Dot => {
            let (u, v) = item.to_eye_part().normalize().any_orthonormal_pair();
            around(12).map(|rim| u * rim.y + v * rim.z).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the id at a pixel if all pixels around it have the same one. `None` on an edge and at the border
/// of the viewport.
fn uniform_id(image: &IdTexels, view: &View, [x, y]: [i64; 2]) -> Option<u32> {
    let at = |x: i64, y: i64| {
        let inside = (0..i64::from(image.width)).contains(&x) && (0..i64::from(image.height)).contains(&y);
        let px = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
        (inside && view.viewport().contains(px))
            .then(|| image.ids[y as usize * image.width as usize + x as usize])
    };
    let id = at(x, y)?;
    let all = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
    all.map(|(dx, dy)| at(x + dx, y + dy)).all(|other| other == Some(id)).then_some(id)
}

/// The numbers of pixels that were compared on a handle and beside all handles, by mesh.
type Counts = BTreeMap<MeshKind, [u32; 2]>;

fn compare(case: &cases::Case, mode: Mode, line_lpx: f32, counts: &mut Counts, wrong: &mut Vec<String>) {
    let (mut gizmo, _) = gizmo(case, mode, &mut IdSpace::new());
    gizmo.theme.sizes.line_lpx = line_lpx;
    let mut list = DrawList::new();
    list.begin(&case.view);
    gizmo.draw(&mut list);
    let image = gpu().id_image(case.target, &case.view, &list);
    for item in list.items() {
        for ending in endings(item) {
            let at = case.view.px_from_world(item.world_from_part.transform_point3(ending));
            let at = at.expect("the gizmo is in front of the camera").floor();
            let [x, y] = [at.x as i64, at.y as i64];
            for [x, y] in (-AROUND..=AROUND).flat_map(|dy| (-AROUND..=AROUND).map(move |dx| [x + dx, y + dy]))
            {
                let Some(id) = uniform_id(&image, &case.view, [x, y]) else { continue };
                let picked = list.pick(DVec2::new(x as f64 + 0.5, y as f64 + 0.5), 0.0);
                counts.entry(item.mesh).or_default()[usize::from(id == 0)] += 1;
                if picked.map_or(0, |id| id.get()) != id {
                    let (name, mesh) = (case.name, item.mesh);
                    wrong.push(format!(
                        "{name}, {mode:?}, {line_lpx}, {mesh:?} at {x}, {y}: {picked:?}, not {id}"
                    ));
                }
            }
        }
    }
}

#[test]
fn cpu_pick_agrees_with_id_image_at_shape_ends() {
    let (mut counts, mut wrong) = (Counts::new(), Vec::new());
    for case in cases::all() {
        for mode in MODES {
            for line_lpx in [3.0, 7.0] {
                compare(&case, mode, line_lpx, &mut counts, &mut wrong);
            }
        }
    }
    println!("pixels on a handle and beside all handles: {counts:?}");
    assert!(wrong.is_empty(), "{} differ: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), {
        // Only custom handles are borders without a fill.
        let mut all: Vec<_> =
            MeshKind::ALL.into_iter().filter(|mesh| *mesh != MeshKind::SquareBorder).collect();
        all.sort();
        all
    });
    assert!(counts.values().all(|[on, beside]| *on > 1_000 && *beside > 1_000), "{counts:?}");
}
