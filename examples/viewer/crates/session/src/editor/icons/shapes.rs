//! The meshes of icons, in a disc of radius 1 with Y up.

use scene::lens::Lens;
use scene::volume::{LightShape, NodeVolume};
use std::f64::consts::TAU;
use std::sync::LazyLock;
use wgpu_gizmo_core::glam::DVec2;
use wgpu_gizmo_core::handle::{HandleMesh, Vertex};

/// A convex polygon.
type Polygon = Vec<DVec2>;

/// The meshes that all icons share.
pub(super) struct Shapes {
    pub(super) rim: HandleMesh,
    pub(super) disc: HandleMesh,
    point: HandleMesh,
    spot: HandleMesh,
    sun: HandleMesh,
    perspective: HandleMesh,
    orthographic: HandleMesh,
}

impl Shapes {
    /// Returns the meshes.
    pub(super) fn shared() -> Option<&'static Self> {
        static SHAPES: LazyLock<Option<Shapes>> = LazyLock::new(Shapes::new);
        SHAPES.as_ref()
    }

    fn new() -> Option<Self> {
        // A camera from its left, with a lens that widens or does not.
        let camera = |lens: f64| {
            let lens = [[0.2, -0.1], [0.2, 0.1], [0.62, lens], [0.62, -lens]];
            mesh(&[rectangle([-0.6, -0.32], [0.14, 0.32]), lens.map(DVec2::from).to_vec()])
        };
        let rays = |count: u32, from: f64, to: f64, turned: f64| {
            (0..count).map(move |i| ray(turned + TAU * f64::from(i) / f64::from(count), from, to))
        };
        let bulb = [circle(DVec2::Y * 0.14, 0.36), rectangle([-0.17, -0.42], [0.17, -0.3])];
        let socket = [rectangle([-0.17, -0.58], [0.17, -0.48])];
        let shade = [[-0.16, 0.56], [-0.5, -0.06], [0.5, -0.06], [0.16, 0.56]].map(DVec2::from).to_vec();
        let beams = [-0.42, 0.0, 0.42].map(|turned| ray(-0.25 * TAU + turned, 0.26, 0.66));
        Some(Self {
            rim: mesh(&[circle(DVec2::ZERO, 1.0)])?,
            disc: mesh(&[circle(DVec2::ZERO, 0.88)])?,
            point: mesh(&[bulb.to_vec(), socket.to_vec()].concat())?,
            spot: mesh(&[vec![shade], beams.to_vec()].concat())?,
            sun: mesh(
                &std::iter::once(circle(DVec2::ZERO, 0.28))
                    .chain(rays(8, 0.4, 0.66, 0.0))
                    .collect::<Vec<_>>(),
            )?,
            perspective: camera(0.34)?,
            orthographic: camera(0.1)?,
        })
    }

    /// Returns the glyph of a camera or light.
    pub(super) fn glyph(&self, volume: &NodeVolume) -> &HandleMesh {
        match volume {
            NodeVolume::Camera(Lens::Perspective { .. }) => &self.perspective,
            NodeVolume::Camera(Lens::Orthographic { .. }) => &self.orthographic,
            NodeVolume::Light(light) => match light.shape {
                LightShape::Point { .. } => &self.point,
                LightShape::Spot { .. } => &self.spot,
                LightShape::Directional => &self.sun,
            },
        }
    }
}

fn circle(center: DVec2, radius: f64) -> Polygon {
    let corners = (0..32).map(|i| DVec2::from_angle(TAU * f64::from(i) / 32.0));
    corners.map(|corner| center + corner * radius).collect()
}

fn rectangle(min: [f64; 2], max: [f64; 2]) -> Polygon {
    let [left, bottom, right, top] = [min[0], min[1], max[0], max[1]];
    [[left, bottom], [right, bottom], [right, top], [left, top]].map(DVec2::from).to_vec()
}

/// Returns a stroke away from the center.
fn ray(angle: f64, from: f64, to: f64) -> Polygon {
    let along = DVec2::from_angle(angle);
    let beside = along.perp() * 0.06;
    vec![along * from - beside, along * to - beside, along * to + beside, along * from + beside]
}

fn mesh(polygons: &[Polygon]) -> Option<HandleMesh> {
    let (mut vertices, mut indices) = (Vec::new(), Vec::new());
    for polygon in polygons {
        let first = vertices.len() as u16;
        vertices.extend(polygon.iter().map(|corner| Vertex {
            position: [corner.x as f32, corner.y as f32, 0.0],
            weight: 0.0,
            normal: [0.0, 0.0, 1.0],
            lit: 0.0,
        }));
        (2..polygon.len() as u16).for_each(|i| indices.extend([first, first + i - 1, first + i]));
    }
    HandleMesh::new(vertices, indices).ok()
}
