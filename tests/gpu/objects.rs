//! The host's objects in the same ID image as the handles.

use crate::common::prelude::*;

#[test]
fn handles_cover_objects_and_objects_depth_test() {
    for case in cases::all() {
        let towards = -case.view.direction_to(PIVOT_WORLD);
        let v = case.view.viewport();
        let size_px = (96.0 * case.view.scale_factor()).min(0.4 * v.width.min(v.height));
        let aside = case.view.right() * (1.25 * size_px * case.view.pixel_size(PIVOT_WORLD));
        // In front of the gizmo and behind it. The near one is drawn first.
        let near = (facing(&case.view, PIVOT_WORLD + 0.3 * towards + aside, 0.35 * size_px), id(1));
        let far = (facing(&case.view, PIVOT_WORLD - 2.0 * towards, 2.2 * size_px), id(2));
        let host = Host::new(&case.view, vec![near, far]);
        let [near, far] = [near, far].map(|object| {
            let alone = Host::new(&case.view, vec![object]);
            alone.image(case.target, &DrawList::new()).ids
        });
        for mode in MODES {
            let list = list(&case, mode);
            let handles = gpu().id_image(case.target, &case.view, &list).ids;
            let all = host.image(case.target, &list).ids;
            let mut seen = [0; 3];
            for (i, found) in all.into_iter().enumerate() {
                let layers = [handles[i], near[i], far[i]];
                let first = layers.iter().position(|id| *id != 0);
                assert_eq!(found, first.map_or(0, |first| layers[first]), "{}, {mode:?}", case.name);
                seen[first.unwrap_or(0)] += 1;
            }
            assert!(seen[1] > 0 && seen[2] > 0, "{}, {mode:?}: both objects are visible", case.name);
        }
    }
}
