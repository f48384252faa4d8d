//! Changes of the scene: hidden, moved and removed objects, and meshes.

use super::heap;
use crate::common::prelude::*;

/// Creates a heap without objects, in which drags can snap to some meshes.
fn empty() -> Heap {
    let mut heap = Heap::new();
    for (positions, indices) in [cube(), blade()] {
        let mesh = PickMesh::new(&positions, &indices).expect("the mesh is valid").with_snapping();
        heap.meshes.push(heap.scene.add_mesh(device(), &mesh).expect("the device is alive"));
        heap.triangles.push((positions, indices));
    }
    heap
}

/// Creates a heap with these objects of another one.
fn rebuilt<'a>(heap: &Heap, objects: impl Iterator<Item = &'a PickObject>) -> Heap {
    let mut rebuilt = empty();
    for object in objects {
        let mesh = heap.meshes.iter().position(|mesh| *mesh == object.mesh);
        let mesh = mesh.expect("the mesh belongs to the heap");
        rebuilt.insert(mesh, object.world_from_local, object.id.get());
    }
    rebuilt
}

#[test]
fn changed_scene_equals_new_scene() {
    let case = cases::named("reversed depth, finite far");
    let mut rng = Rng::with_seed(11);
    let mut heap = empty();
    // Key, object, and whether it is hidden.
    let (mut there, mut snapped) = (Vec::new(), 0);
    for round in 0..12 {
        for step in 0..40 {
            let id = 1 + round * 100 + step;
            let which = (!there.is_empty()).then(|| rng.usize(..there.len()));
            match (rng.u32(..7), which) {
                (0 | 1, _) | (_, None) => {
                    let object = heap.object(&case, 50.0, id, &mut rng);
                    there.push((heap.scene.insert(&object).expect("the mesh exists"), object, false));
                }
                (2, Some(i)) => {
                    let (key, ..) = there.swap_remove(i);
                    assert!(heap.scene.remove(key));
                    assert!(
                        !heap.scene.remove(key) && !heap.scene.show(key),
                        "an object is removed only once"
                    );
                }
                (3, Some(i)) => {
                    there[i].1.world_from_local = match rng.u8(..8) {
                        0 => DAffine3::from_translation(DVec3::NAN),
                        _ => random_transform(&case, 50.0, &mut rng),
                    };
                    assert!(heap.scene.move_to(there[i].0, there[i].1.world_from_local));
                }
                (4, Some(i)) => {
                    there[i].1 = heap.object(&case, 50.0, id, &mut rng);
                    assert!(heap.scene.replace(there[i].0, &there[i].1));
                }
                (5, Some(i)) => {
                    there[i].2 = true;
                    assert!(heap.scene.hide(there[i].0));
                }
                (_, Some(i)) => {
                    there[i].2 = false;
                    assert!(heap.scene.show(there[i].0));
                }
            }
        }
        assert_eq!(heap.scene.len(), there.len());
        // An object with a NaN transform is not drawn until it gets a valid one.
        let shown =
            there.iter().filter(|(_, object, is_hidden)| !is_hidden && object.world_from_local.is_finite());
        let mut rebuilt = rebuilt(&heap, shown.map(|(_, object, _)| object));
        let (changed, new) = (heap.image(&case, None), rebuilt.image(&case, None));
        let different = changed.ids.iter().zip(&new.ids).filter(|(a, b)| a != b).count();
        // Positions are relative to the first object, so the last digit may differ.
        assert!(different < 20, "{different} pixels differ in round {round}");
        let [x, y] = case.target.map(|side| rng.i64(0..i64::from(side)));
        let tile = heap.tile(&case, [x, y], 1, TileMode::Shifted);
        assert_eq!(tile.ids[0], changed.ids[(y * i64::from(case.target[0]) + x) as usize]);
        let ids: Vec<NonZeroU32> = (1..2_000).filter_map(NonZeroU32::new).collect();
        let [snap_to, snap_to_new] = [&heap, &rebuilt].map(|heap| heap.scene.snap_objects(&ids));
        assert_eq!(snap_to.len(), snap_to_new.len(), "round {round}");
        for _ in 0..100 {
            let at = DVec2::from(case.target.map(|side| rng.f64() * f64::from(side)));
            let query = PickQuery::new(&case.view, at, 20.0);
            let found = SnapTo::VERTEX.find(&query, &snap_to);
            assert_eq!(found, SnapTo::VERTEX.find(&query, &snap_to_new), "round {round} at {at}");
            snapped += usize::from(found.is_some());
        }
    }
    assert!(snapped > 50, "{snapped} points");
}

#[test]
fn whole_images_before_one_submit_show_their_own_states() {
    let case = cases::named("right-handed perspective");
    let mut rng = Rng::with_seed(5);
    let (mut heap, mut keys) = Heap::filled(&case, 1..300, 50.0, &mut rng);
    let mut batches = [heap.batch(), heap.batch()];
    let [width, height] = case.target;
    let mut images = [0; 2].map(|_| IdImage::new(device(), width, height).expect("the size is supported"));
    let mut visible = 0;
    for round in 0..20 {
        let mut encoder = gpu().encoder();
        let mut expected = Vec::new();
        for (image, batch) in images.iter_mut().zip(&mut batches) {
            // Of one object, of some, or of those that are drawn.
            for _ in 0..[1, 9, 0][round % 3] {
                let key = *rng.choice(&keys).expect("there are objects");
                match rng.u32(..3) {
                    0 => assert!(heap.scene.hide(key)),
                    1 => assert!(heap.scene.show(key)),
                    _ => assert!(heap.scene.move_to(key, random_transform(&case, 50.0, &mut rng))),
                }
            }
            if round % 3 == 2 {
                assert!(heap.scene.remove(keys.swap_remove(rng.usize(..keys.len()))));
                let object = heap.object(&case, 50.0, 1_000 + round as u32, &mut rng);
                keys.push(heap.scene.insert(&object).expect("the mesh exists"));
            }
            // By a batch that nothing was drawn with before.
            expected.push(heap.image(&case, None));
            batch.select(&heap.scene, &case.view, None);
            let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
                batch.draw(&mut heap.scene, device(), queue(), pass, clip_from_clip);
            };
            let encoded = image.encode(device(), queue(), &mut encoder, &case.view, &DrawList::new(), draw);
            encoded.expect("the device is alive");
        }
        visible += usize::from(expected[0] != expected[1]);
        let submission = queue().submit([encoder.finish()]);
        for (image, expected) in images.iter_mut().zip(expected) {
            let found = image.read(device(), submission.clone(), TIMEOUT).expect("the device is alive");
            assert!(found == expected, "an image of round {round} shows another state");
        }
    }
    assert!(visible >= 10, "{visible} changes are visible");
}

#[test]
fn undrawn_object_in_freed_slot_leaves_others_their_mesh() {
    let case = cases::named("orthographic");
    let mut heap = Heap::new();
    let first = heap.insert(0, placed(PIVOT_WORLD + DVec3::X, 0.2), 1);
    heap.insert(0, placed(PIVOT_WORLD, 0.2), 2);
    let mut batch = heap.batch();
    let mut image = |heap: &mut Heap| {
        batch.select(&heap.scene, &case.view, None);
        with_whole_image(case.target, |image| {
            gpu().read_with(image, &case.view, &DrawList::new(), |pass, clip_from_clip| {
                batch.draw(&mut heap.scene, device(), queue(), pass, clip_from_clip);
            })
        })
    };
    image(&mut heap);
    assert!(heap.scene.remove(first));
    let alone = image(&mut heap);
    heap.insert(2, DAffine3::from_translation(DVec3::NAN), 1);
    assert!(image(&mut heap) == alone && alone.ids.contains(&2), "the ball is drawn as a blade");
}

#[test]
fn first_object_out_of_range_leaves_others_visible() {
    let case = cases::named("orthographic");
    let mut heap = Heap::new();
    for (id, at) in [(1, DVec3::splat(1e39)), (2, PIVOT_WORLD)] {
        heap.insert(0, DAffine3::from_translation(at), id);
    }
    assert!(heap.image(&case, None).ids.contains(&2));
}

#[test]
fn removed_mesh_lives_until_last_object() {
    let case = cases::named("orthographic");
    let mut rng = Rng::with_seed(4);
    let mut heap = Heap::new();
    let [first, second] = [heap.meshes[0], heap.meshes[1]];
    let with = |mesh, object: PickObject| PickObject::new(mesh, object.world_from_local, object.id);
    let object = with(first, heap.object(&case, 90.0, 5, &mut rng));
    let key = heap.scene.insert(&object).expect("the mesh exists");
    let before = heap.image(&case, None);
    assert!(heap.scene.remove_mesh(first) && !heap.scene.remove_mesh(first));
    assert_eq!(heap.scene.insert(&object), None);
    assert!(!heap.scene.replace(key, &object));
    assert_eq!(heap.image(&case, None), before, "the object is still drawn");
    assert!(heap.scene.replace(key, &with(second, object)));
    // Its slot is reused by another mesh, which is not mistaken for it.
    let (corners, indices) = blade();
    let third = heap.scene.add_mesh(device(), &PickMesh::new(&corners, &indices).expect("the mesh is valid"));
    let third = third.expect("the device is alive");
    assert_eq!(heap.scene.insert(&object), None);
    assert!(heap.scene.replace(key, &with(third, object)));
    assert!(heap.image(&case, None).ids.contains(&5));
}

#[test]
fn invalid_mesh_is_refused() {
    let corners = [[0.0; 3], [1.0; 3], [2.0; 3]];
    let error = |corners: &[[f32; 3]], indices: &[u32]| PickMesh::new(corners, indices).err();
    assert_eq!(error(&corners, &[]), Some(MeshError::Empty));
    assert_eq!(error(&corners, &[0, 1]), Some(MeshError::IncompleteTriangle(2)));
    assert_eq!(error(&corners, &[0, 1, 3]), Some(MeshError::IndexOutOfRange { index: 3, vertices: 3 }));
    assert_eq!(error(&[[0.0; 3], [f32::NAN; 3]], &[0, 0, 0]), Some(MeshError::NotFinite(1)));
    assert_eq!(error(&corners, &[0, 1, 2]), None);
}

#[test]
fn many_blocks_of_objects_are_drawn() {
    let case = cases::named("orthographic, reversed depth");
    let mut rng = Rng::with_seed(1);
    let mut heap = heap(&case, 150_000, &mut rng);
    let everywhere = Frustum::new(&case.view, case.view.viewport().rect());
    let (whole, kept) = (heap.image(&case, None), heap.image(&case, Some(&everywhere)));
    assert_eq!(whole, kept, "objects outside of the view make no difference");
    let mut ids: Vec<u32> = whole.ids.clone();
    ids.sort_unstable();
    ids.dedup();
    assert!(ids.last() > Some(&140_000) && ids.len() > 2_000, "{} are visible", ids.len());
}
