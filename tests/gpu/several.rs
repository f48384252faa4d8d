//! Several gizmos in one view: the nearer one hides the farther completely, and many gizmos take
//! few draw calls.

use crate::common::prelude::*;

/// Returns two gizmos, the second behind and slightly beside the first.
fn one_behind_the_other(view: &View, mode: Mode) -> [Gizmo; 2] {
    let mut ids = IdSpace::new();
    let near = PIVOT_WORLD;
    let aside = (view.right() + 0.5 * view.up()) * 20.0 * view.pixel_size(near) * view.scale_factor();
    let behind = near + view.direction_to(near) * 0.35 + aside;
    [near, behind].map(|at| gizmo_at(view, &mut ids, mode, at))
}

fn list_of<'a>(view: &View, gizmos: impl IntoIterator<Item = &'a mut Gizmo>) -> DrawList {
    let mut list = DrawList::new();
    list.begin(view);
    gizmos.into_iter().for_each(|gizmo| gizmo.draw(&mut list));
    list
}

#[test]
fn nearer_gizmo_hides_farther_in_any_order() {
    for case in cases::all() {
        for mode in MODES {
            let mut gizmos = one_behind_the_other(&case.view, mode);
            let [near, far] = &mut gizmos;
            let alone = gpu().id_image(case.target, &case.view, &list_of(&case.view, [&mut *near]));
            let far_alone = gpu().id_image(case.target, &case.view, &list_of(&case.view, [&mut *far]));
            let nearer_first = list_of(&case.view, [&mut *near, &mut *far]);
            let farther_first = list_of(&case.view, [far, near]);
            let images =
                [&nearer_first, &farther_first].map(|list| gpu().id_image(case.target, &case.view, list));
            let name = case.name;
            assert_eq!(images[0].ids, images[1].ids, "{name}, {mode:?}: the drawing order must not matter");
            let over = |near: u32, far: u32| if near != 0 { near } else { far };
            let expected = alone.ids.iter().zip(&far_alone.ids).map(|(near, far)| over(*near, *far));
            // At the intersection of two parts of one gizmo, a different depth range may round
            // differently.
            let different = expected.zip(&images[0].ids).filter(|(expected, got)| expected != *got).count();
            let covered = alone.ids.iter().zip(&far_alone.ids).filter(|(a, b)| **a != 0 && **b != 0).count();
            assert!(covered > 100, "{name}, {mode:?}: only {covered} pixels overlap");
            assert!(different <= 8, "{name}, {mode:?}: {different} pixels");
        }
    }
}

/// Returns up to a thousand gizmos in rows that lead away from the viewer.
fn gizmo_rows(view: &View, count: usize) -> Vec<Gizmo> {
    let mut ids = IdSpace::new();
    let center = PIVOT_WORLD;
    let position = |i: usize| {
        let [x, y, z] = [i % 10, i / 10 % 10, i / 100].map(|n| n as f64 - 4.5);
        center + view.right() * x * 0.3 + view.up() * y * 0.25 + view.forward() * (z * 0.2)
    };
    let gizmo = |i: usize| gizmo_at(view, &mut ids, Mode::Translate, position(i));
    (0..count).map(gizmo).collect()
}

#[test]
fn thousand_gizmos_take_draw_calls_of_one() {
    let case = cases::named("reversed depth, infinite far");
    let allocations = |count: usize| {
        let mut gizmos = gizmo_rows(&case.view, count);
        let mut list = list_of(&case.view, &mut gizmos);
        let mut renderer = GizmoRenderer::new(device(), PLAIN).expect("the render target is supported");
        let mut frame = || {
            let encoder = gpu().encoder();
            let counted = allocation_counter::measure(|| {
                list.begin(&case.view);
                gizmos.iter_mut().for_each(|gizmo| gizmo.draw(&mut list));
                renderer.prepare(device(), queue(), &list).expect("the device is alive");
            });
            queue().submit([encoder.finish()]);
            gpu().wait();
            counted.count_total
        };
        (0..5).map(|_| frame()).skip(2).min().expect("frames were measured")
    };
    let (one, thousand) = (allocations(1), allocations(1000));
    // Other tests on the same device add a few allocations; a draw call per gizmo would add
    // hundreds.
    assert!(thousand <= one + 10, "{thousand} allocations for a thousand, {one} for one");
}
