//! Picks in a scene, and click-through.

use crate::common::prelude::*;
use std::collections::BTreeSet;

#[test]
fn click_through_reaches_occluded_objects() {
    let case = cases::named("reversed depth, infinite far");
    let mut rng = Rng::with_seed(8);
    let mut heap = Heap::new();
    let px = DVec2::new(160.0, 120.0);
    let mut layers: Vec<(f64, u32)> = (1..60).map(|id| (1.0 + 8.0 * rng.f64(), id)).collect();
    for (distance, id) in &layers {
        let at = case.view.pointer_ray(px).at(*distance);
        // Closed, and larger than the tolerance.
        heap.insert(0, placed(at, 30.0 * case.view.pixel_size(at)), *id);
    }
    let mut picker = picker();
    let (mut batch, mut cycle) = (heap.batch(), ClickThrough::new());
    let mut found = Vec::new();
    for click in 0..59 {
        cycle.click(px, 4.0);
        let query = PickQuery::new(&case.view, px, 5.0);
        batch.select(&heap.scene, &case.view, Some(&query.frustum()));
        batch.exclude(&heap.scene, cycle.passed());
        let answer = heap.pick(&mut picker, &mut batch, &query);
        if let PickOutcome::Hit(hit) = cycle.take(answer.outcome) {
            found.push(hit.id.get());
        }
        assert_eq!(batch.selected(), Some(59 - click));
        assert!(batch.drawn() < 20, "{} are drawn at click {click}", batch.drawn());
    }
    // By distance: farther objects are larger, so all have the same size on screen.
    layers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let in_order: Vec<u32> = layers.iter().map(|(_, id)| *id).collect();
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 59);
    let out_of_order = found.iter().zip(&in_order).filter(|(a, b)| a != b).count();
    assert_eq!(out_of_order, 0, "{found:?} for {in_order:?}");
}

#[test]
fn warm_scene_picks_allocate_nothing() {
    let case = cases::named("right-handed perspective");
    let mut rng = Rng::with_seed(6);
    let mut heap = Heap::new();
    let objects: Vec<PickObject> = (1..500).map(|id| heap.object(&case, 20.0, id, &mut rng)).collect();
    let keys: Vec<_> = objects.iter().map(|o| heap.scene.insert(o).expect("the mesh exists")).collect();
    let mut batch = heap.batch();
    let mut frame = |rng: &mut Rng| {
        let px = DVec2::new(rng.f64() * 320.0, rng.f64() * 240.0);
        let query = PickQuery::new(&case.view, px, 16.0);
        allocation_counter::measure(|| {
            for (key, object) in keys.iter().zip(&objects) {
                let by = DAffine3::from_translation(DVec3::splat(1e-3 * px.x));
                heap.scene.move_to(*key, by * object.world_from_local);
            }
            batch.select(&heap.scene, &case.view, Some(&query.frustum()));
            batch.exclude(&heap.scene, &[NonZeroU32::MIN]);
        })
        .count_total
    };
    (0..200).for_each(|_| _ = frame(&mut rng));
    assert_eq!((0..200).map(|_| frame(&mut rng)).sum::<u64>(), 0);
}
