//! Scenes of many instanced objects that the crate draws.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use super::cases::{Case, PIVOT_WORLD};
use super::device::{TileMode, device, gpu, queue, with_whole_image};
use fastrand::Rng;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DAffine3, DMat3, DQuat, DVec2, DVec3, Vec3};
use wgpu_gizmo::gpu::{IdImage, IdTexels, Picker};
use wgpu_gizmo::math::{Frustum, Rect};
use wgpu_gizmo::scene::{PickBatch, PickMesh, PickMeshKey, PickObject, PickObjectKey, PickScene};
use wgpu_gizmo::{DrawList, PickAnswer, PickQuery};

/// Vertex positions and indices.
pub(crate) type Triangles = (Vec<[f32; 3]>, Vec<u32>);

/// A sphere of radius 1 with `n` segments around and 2 n² triangles.
pub(crate) fn ball(n: u32) -> Triangles {
    let corner = |i: u32, j: u32| {
        let (polar, azimuth) =
            (std::f32::consts::PI * i as f32 / n as f32, std::f32::consts::TAU * j as f32 / n as f32);
        [polar.sin() * azimuth.cos(), polar.cos(), polar.sin() * azimuth.sin()]
    };
    let corners = (0..=n).flat_map(|i| (0..=n).map(move |j| corner(i, j))).collect();
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let square =
        |(i, j)| [at(i, j), at(i + 1, j), at(i, j + 1), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)];
    (corners, (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).flat_map(square).collect())
}

/// A cube whose center is not at the origin of its local space.
pub(crate) fn cube() -> Triangles {
    let corners = (0..8u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| bit as f32 * 1.5 - 0.5)).collect();
    let sides = [[0, 1, 2, 3], [4, 6, 5, 7], [0, 4, 1, 5], [2, 3, 6, 7], [0, 2, 4, 6], [1, 5, 3, 7]];
    (corners, sides.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, *c, *b, *d]).collect())
}

/// A long, thin triangle whose bounding ball is mostly empty.
pub(crate) fn blade() -> Triangles {
    (vec![[-3.0, 0.0, 0.0], [3.0, 0.1, 0.0], [3.0, -0.1, 0.2]], vec![0, 1, 2])
}

/// A scene with its meshes.
pub(crate) struct Heap {
    pub(crate) scene: PickScene,
    pub(crate) meshes: Vec<PickMeshKey>,
    pub(crate) triangles: Vec<Triangles>,
}

impl Heap {
    /// Creates a scene without objects.
    pub(crate) fn new() -> Self {
        let mut scene = PickScene::new(device()).expect("the device is alive");
        let triangles = vec![ball(6), cube(), blade()];
        let meshes = triangles
            .iter()
            .map(|(corners, indices)| {
                let mesh = PickMesh::new(corners, indices).expect("the mesh is valid");
                scene.add_mesh(device(), &mesh).expect("the device is alive")
            })
            .collect();
        Self { scene, meshes, triangles }
    }

    /// Creates a scene of random objects with these ids.
    pub(crate) fn filled(
        case: &Case,
        ids: std::ops::Range<u32>,
        size_px: f64,
        rng: &mut Rng,
    ) -> (Self, Vec<PickObjectKey>) {
        let mut heap = Self::new();
        let insert = |id| heap.scene.insert(&heap.object(case, size_px, id, rng)).expect("the mesh exists");
        let keys = ids.map(insert).collect();
        (heap, keys)
    }

    /// Inserts an object with one of the meshes.
    pub(crate) fn insert(&mut self, mesh: usize, world_from_local: DAffine3, id: u32) -> PickObjectKey {
        let id = NonZeroU32::new(id).expect("ids start at 1");
        let object = PickObject::new(self.meshes[mesh], world_from_local, id);
        self.scene.insert(&object).expect("the mesh exists")
    }

    pub(crate) fn batch(&self) -> PickBatch {
        self.scene.batch(device()).expect("the device is alive")
    }

    /// Returns the ID image of the whole render target, with all objects or those in a frustum.
    pub(crate) fn image(&mut self, case: &Case, frustum: Option<&Frustum>) -> IdTexels {
        with_whole_image(case.target, |image| self.read(image, case, frustum))
    }

    /// Returns a square of `side` pixels around a pixel, culled by the square's frustum.
    pub(crate) fn tile(&mut self, case: &Case, at: [i64; 2], side: u32, mode: TileMode) -> IdTexels {
        mode.with_image(at, side, |image| {
            let [x, y] = image.origin_px.map(|o| o as f64);
            let frustum =
                Frustum::new(&case.view, Rect::from_min_size(DVec2::new(x, y), DVec2::splat(side.into())));
            self.read(image, case, Some(&frustum))
        })
    }

    /// Returns the same square with all objects drawn.
    pub(crate) fn unculled_tile(&mut self, case: &Case, at: [i64; 2], side: u32, mode: TileMode) -> IdTexels {
        mode.with_image(at, side, |image| self.read(image, case, None))
    }

    /// Waits for the answer to a query about the objects that are selected.
    pub(crate) fn pick(
        &mut self,
        picker: &mut Picker,
        batch: &mut PickBatch,
        query: &PickQuery,
    ) -> PickAnswer {
        gpu().pick(picker, query, &DrawList::new(), |pass, clip_from_clip| {
            batch.draw(&mut self.scene, device(), queue(), pass, clip_from_clip);
        })
    }

    fn read(&mut self, image: &mut IdImage, case: &Case, frustum: Option<&Frustum>) -> IdTexels {
        let mut batch = self.batch();
        batch.select(&self.scene, &case.view, frustum);
        gpu().read_with(image, &case.view, &DrawList::new(), |pass, clip_from_clip| {
            batch.draw(&mut self.scene, device(), queue(), pass, clip_from_clip);
        })
    }

    /// Creates a random object near the case's pivot, with a size of up to `size_px` pixels.
    pub(crate) fn object(&self, case: &Case, size_px: f64, id: u32, rng: &mut Rng) -> PickObject {
        PickObject::new(
            *rng.choice(&self.meshes).expect("there are three meshes"),
            random_transform(case, size_px, rng),
            NonZeroU32::new(id).expect("ids start at 1"),
        )
    }

    /// Returns the triangles of an object in world space.
    pub(crate) fn in_world(&self, object: &PickObject) -> Vec<[DVec3; 3]> {
        let mesh =
            self.meshes.iter().position(|mesh| *mesh == object.mesh).expect("the mesh belongs to the heap");
        let (corners, indices) = &self.triangles[mesh];
        let corner = |i: u32| Vec3::from(corners[i as usize]).as_dvec3();
        let point = |i: u32| object.world_from_local.transform_point3(corner(i));
        indices.chunks(3).map(|t| [point(t[0]), point(t[1]), point(t[2])]).collect()
    }
}

/// Returns the transform of an object of this size.
pub(crate) fn placed(at: DVec3, size: f64) -> DAffine3 {
    DAffine3::from_translation(at) * DAffine3::from_scale(DVec3::splat(size))
}

/// Returns a random transform in or near the view: rotated, non-uniformly scaled and sometimes
/// mirrored.
pub(crate) fn random_transform(case: &Case, size_px: f64, rng: &mut Rng) -> DAffine3 {
    let mut number = || rng.f64() * 2.0 - 1.0;
    let pixel = case.view.pixel_size(PIVOT_WORLD);
    let at = DVec3::new(number() * 180.0, number() * 140.0, number() * 250.0) * case.view.scale_factor();
    let turn = DQuat::from_scaled_axis(DVec3::new(number(), number(), number()) * 3.0);
    let scale = DVec3::new(number(), number(), number()) * (0.5 * size_px * pixel * case.view.scale_factor());
    DAffine3 {
        matrix3: DMat3::from_quat(turn) * DMat3::from_diagonal(scale),
        translation: PIVOT_WORLD + case.view.axes() * at * pixel,
    }
}

/// Returns true if all pixels within `reach` of a pixel have its id.
pub(crate) fn is_inside(image: &IdTexels, x: i64, y: i64, reach: i64) -> bool {
    let (width, height) = (i64::from(image.width), i64::from(image.height));
    let at = |x: i64, y: i64| {
        ((0..width).contains(&x) && (0..height).contains(&y)).then(|| image.ids[(y * width + x) as usize])
    };
    let all = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy)));
    all.map(|(dx, dy)| at(x + dx, y + dy)).all(|id| id.is_some() && id == at(x, y))
}
