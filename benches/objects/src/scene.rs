//! Scenes of instanced meshes with 24 to 5 000 triangles, on the GPU and for ray casts.

use glam::{DAffine3, DMat3, DQuat, DVec2, DVec3, dcamera::rh, dvec3};
use std::num::NonZeroU32;
use wgpu_gizmo::scene::{PickMesh, PickMeshKey, PickObject, PickObjectKey, PickScene};
use wgpu_gizmo::{View, Viewport};

/// Vertex positions and indices.
pub struct Triangles {
    pub corners: Vec<[f32; 3]>,
    pub indices: Vec<u32>,
}

/// A ball of `around` x `down` quads of two triangles.
fn ball(around: u32, down: u32) -> Triangles {
    let corner = |i: u32, j: u32| {
        let (polar, turn) =
            (std::f32::consts::PI * i as f32 / down as f32, std::f32::consts::TAU * j as f32 / around as f32);
        [polar.sin() * turn.cos(), polar.cos(), polar.sin() * turn.sin()]
    };
    let corners = (0..=down).flat_map(|i| (0..=around).map(move |j| corner(i, j))).collect();
    let at = |i: u32, j: u32| i * (around + 1) + j;
    let square =
        |(i, j)| [at(i, j), at(i + 1, j), at(i, j + 1), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)];
    let indices = (0..down).flat_map(|i| (0..around).map(move |j| (i, j))).flat_map(square).collect();
    Triangles { corners, indices }
}

/// 24, 48, 96, 200, 450, 1 058, 2 048 and 5 000 triangles.
pub fn meshes() -> Vec<Triangles> {
    [(4, 3), (6, 4), (8, 6), (10, 10), (15, 15), (23, 23), (32, 32), (50, 50)]
        .map(|(around, down)| ball(around, down))
        .into()
}

/// The two kinds of scenes.
#[derive(Clone, Copy, PartialEq)]
pub enum Layout {
    /// At constant density on a plain that the camera stands in, like a level.
    Plain,
    /// In a cube that fills the view: more objects mean more layers behind each pixel.
    Cube,
}

pub struct Scene {
    pub objects: Vec<(usize, DAffine3)>,
    pub gpu: PickScene,
    pub keys: Vec<PickObjectKey>,
    pub view: View,
    pub triangles: u64,
}

pub const SIZE: [u32; 2] = [1920, 1080];

impl Scene {
    pub fn new(device: &wgpu::Device, meshes: &[Triangles], layout: Layout, count: usize) -> Self {
        let mut gpu = PickScene::new(device).expect("the device is alive");
        let upload = |mesh: &Triangles| {
            let mesh = PickMesh::new(&mesh.corners, &mesh.indices).expect("the mesh is valid");
            gpu.add_mesh(device, &mesh).expect("the device is alive")
        };
        let on_gpu: Vec<PickMeshKey> = meshes.iter().map(upload).collect();
        let objects: Vec<(usize, DAffine3)> = (0..count).map(|i| object(layout, count, i)).collect();
        let mut triangles = 0;
        let insert = |(i, (mesh, world_from_local)): (usize, &(usize, DAffine3))| {
            triangles += meshes[*mesh].indices.len() as u64 / 3;
            let id = NonZeroU32::new(i as u32 + 1).expect("ids start at 1");
            gpu.insert(&PickObject::new(on_gpu[*mesh], *world_from_local, id))
        };
        let keys = objects.iter().enumerate().filter_map(insert).collect();
        Self { objects, gpu, keys, view: view(layout), triangles }
    }

    /// Returns the same objects, inserted in random order.
    pub fn shuffled(&self, device: &wgpu::Device, meshes: &[Triangles]) -> PickScene {
        let mut gpu = PickScene::new(device).expect("the device is alive");
        let upload = |mesh: &Triangles| {
            let mesh = PickMesh::new(&mesh.corners, &mesh.indices).expect("the mesh is valid");
            gpu.add_mesh(device, &mesh).expect("the device is alive")
        };
        let on_gpu: Vec<PickMeshKey> = meshes.iter().map(upload).collect();
        let mut order: Vec<usize> = (0..self.objects.len()).collect();
        fastrand::Rng::with_seed(3).shuffle(&mut order);
        for i in order {
            let (mesh, world_from_local) = self.objects[i];
            let id = NonZeroU32::new(i as u32 + 1).expect("ids start at 1");
            gpu.insert(&PickObject::new(on_gpu[mesh], world_from_local, id));
        }
        gpu
    }

    /// Returns random points of the render target.
    pub fn cursors(&self, count: usize) -> Vec<DVec2> {
        let mut rng = fastrand::Rng::with_seed(77);
        let mut point = || DVec2::new(rng.f64() * f64::from(SIZE[0]), rng.f64() * f64::from(SIZE[1]));
        (0..count).map(|_| point()).collect()
    }
}

fn view(layout: Layout) -> View {
    let (eye, look_at) = match layout {
        Layout::Plain => (dvec3(0.0, 30.0, 0.0), dvec3(0.0, 0.0, -45.0)),
        Layout::Cube => (dvec3(0.0, 0.0, 235.0), DVec3::ZERO),
    };
    View::new(
        rh::view::look_at_mat4(eye, look_at, DVec3::Y),
        rh::proj::directx::perspective_infinite_reverse(0.8, f64::from(SIZE[0]) / f64::from(SIZE[1]), 0.1),
        Viewport::from_size(SIZE[0], SIZE[1]),
        1.0,
    )
    .expect("the view is valid")
}

/// Half of the objects have the first mesh, a quarter the next, and so on.
fn object(layout: Layout, count: usize, index: usize) -> (usize, DAffine3) {
    let (translation, spacing, seed) = match layout {
        Layout::Plain => {
            // Square rings around a point in front of the camera: the first thousand are in every
            // scene.
            let (x, z) = on_spiral(index as u32);
            (dvec3(f64::from(x) * 3.0, 0.3, f64::from(z) * 3.0 - 45.0), 3.0, index)
        }
        Layout::Cube => {
            let side = (count as f64).cbrt().ceil();
            let spacing = 160.0 / side;
            let i = index as f64;
            let at = dvec3(i % side, (i / side).floor() % side, (i / (side * side)).floor());
            ((at - 0.5 * side) * spacing, spacing, index ^ count)
        }
    };
    let mut rng = fastrand::Rng::with_seed(seed as u64);
    let mesh = (rng.u32(1..256).leading_zeros() as usize - 24).min(7);
    let mut number = || rng.f64() * 2.0 - 1.0;
    let jitter = dvec3(number(), number(), number());
    let turn = DQuat::from_scaled_axis(dvec3(number(), number(), number()) * 3.0);
    let radius = 0.3 * spacing;
    let scale = DVec3::splat(radius) + jitter.abs() * radius;
    let matrix3 = DMat3::from_quat(turn) * DMat3::from_diagonal(scale);
    (mesh, DAffine3 { matrix3, translation: translation + jitter * radius })
}

/// Returns the grid points of the plane, ordered by distance in square rings.
fn on_spiral(index: u32) -> (i32, i32) {
    let ring = index.isqrt().div_ceil(2) as i32;
    if ring == 0 {
        return (0, 0);
    }
    let side = 2 * ring;
    // The inner rings have (2 ring - 1)² points.
    let along = index as i32 - (side - 1) * (side - 1);
    let (edge, step) = (along / side, along % side);
    match edge {
        0 => (ring, step - ring + 1),
        1 => (ring - 1 - step, ring),
        2 => (-ring, ring - 1 - step),
        3 => (step - ring + 1, -ring),
        _ => (ring, -ring),
    }
}
