//! Triangles in pixels with colors, for renderers that have no shaders of this crate, such as egui's painter.
//!
//! Edges are anti-aliased by a band of triangles a pixel wide, over which the color fades out, as egui and
//! other 2D libraries do. Halos are a second band.

mod edges;
mod grid;
mod solid;
mod square;
mod strip;

use super::item::Rim;
use super::list::DrawList;
use super::shape::{Expansion, Purpose, ShapeKind};
use crate::handle::Rgba;
use glam::DVec2;

/// A vertex of [`Triangles`].
#[derive(Debug, Clone, Copy, PartialEq, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct TriangleVertex {
    /// The position in physical pixels of the render target.
    pub position_px: [f32; 2],
    /// The sRGB-encoded color, premultiplied with the opacity. Colors are blended in this encoding.
    pub color: [f32; 4],
}

/// Triangles with colors in pixels: everything that a view shows, for any renderer.
///
/// [`DrawList::triangles_px`] fills it. It keeps its memory from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct Triangles {
    vertices: Vec<TriangleVertex>,
    indices: Vec<u32>,
    scratch: Scratch,
}

/// Memory that is kept between frames.
#[derive(Debug, Clone, Default)]
struct Scratch {
    gizmos: Vec<usize>,
    order: Vec<(f64, u32)>,
    edges: edges::Edges,
}

impl Triangles {
    /// Creates an empty set of triangles.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the vertices.
    pub fn vertices(&self) -> &[TriangleVertex] {
        &self.vertices
    }

    /// Returns the indices of the vertices, three per triangle, in the order of painting. The winding varies:
    /// draw without culling.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    fn vertex(&mut self, at: DVec2, color: Rgba) -> u32 {
        self.vertices.push(TriangleVertex { position_px: at.as_vec2().to_array(), color });
        self.vertices.len() as u32 - 1
    }

    /// Removes triangles whose positions exceed `f32`. Only views and transforms near the limits of `f64` have
    /// any.
    fn retain_finite(&mut self) {
        let is_finite = |vertex: &TriangleVertex| vertex.position_px.iter().all(|px| px.is_finite());
        if self.vertices.iter().all(is_finite) {
            return;
        }
        let mut kept = 0;
        for first in (0..self.indices.len()).step_by(3) {
            if self.indices[first..first + 3].iter().all(|i| is_finite(&self.vertices[*i as usize])) {
                self.indices.copy_within(first..first + 3, kept);
                kept += 3;
            }
        }
        self.indices.truncate(kept);
        self.vertices.iter_mut().filter(|v| !is_finite(v)).for_each(|v| *v = TriangleVertex::default());
    }

    /// Adds the quad between two pairs of neighboring vertices.
    fn quad(&mut self, [a, b]: [u32; 2], [c, d]: [u32; 2]) {
        self.indices.extend([a, b, c, c, b, d]);
    }

    fn fan(&mut self, corners: impl IntoIterator<Item = DVec2>, color: Rgba) {
        let first = self.vertices.len() as u32;
        for corner in corners {
            self.vertex(corner, color);
        }
        for last in first + 2..self.vertices.len() as u32 {
            self.indices.extend([first, last - 1, last]);
        }
    }
}

impl DrawList {
    /// Replaces `triangles` by the handles, guides and grids of this list, for renderers that can only draw
    /// triangles with colors. The picture is that of [`GizmoRenderer`], except for differences of a few
    /// percent in the color of edge pixels.
    ///
    /// Draw the triangles in order, with the blend function `one, one_minus_src_alpha`, without culling, into
    /// a render target whose blending is in sRGB encoding. The texts of [`DrawList::readouts`] are left to
    /// the host.
    ///
    /// It costs the CPU 7 to 35 µs and 25 to 130 kB per gizmo in a frame, ten to forty times as much as a
    /// frame of the core (`cargo bench --bench core`). With more pixels per point, curves have more triangles.
    /// Prefer [`GizmoRenderer`] on wgpu.
    ///
    /// ```
    /// use wgpu_gizmo::draw::parts::Triangles;
    /// use wgpu_gizmo::glam::{DVec3, dcamera::rh};
    /// use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Target, Transform, View, Viewport};
    ///
    /// let eye = rh::view::look_at_mat4(DVec3::new(3.0, 4.0, 5.0), DVec3::ZERO, DVec3::Y);
    /// let lens = rh::proj::directx::perspective(1.0, 4.0 / 3.0, 0.1, 100.0);
    /// let view = View::new(eye, lens, Viewport::from_size(800, 600), 1.0)?;
    /// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
    /// gizmo.update(&view, &mut [Target::from_world(Transform::IDENTITY)]);
    /// let (mut list, mut triangles) = (DrawList::new(), Triangles::new());
    /// gizmo.draw(list.begin(&view));
    /// list.triangles_px(&mut triangles);
    /// assert_eq!(triangles.indices().len() % 3, 0);
    /// assert!(triangles.vertices().iter().all(|vertex| vertex.color[0] <= vertex.color[3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    #[cfg_attr(feature = "wgpu", doc = "[`GizmoRenderer`]: crate::gpu::GizmoRenderer")]
    #[cfg_attr(not(feature = "wgpu"), doc = "[`GizmoRenderer`]: DrawList")]
    pub fn triangles_px(&self, triangles: &mut Triangles) {
        triangles.vertices.clear();
        triangles.indices.clear();
        let Some(view) = self.view() else { return };
        for grid in self.grids() {
            grid::lines(triangles, view, grid);
        }
        let [under, over] = self.guides();
        strip::guides(triangles, under);
        self.handles(triangles);
        strip::guides(triangles, over);
        triangles.retain_finite();
    }

    /// Adds the handles of all gizmos, the farthest first.
    fn handles(&self, triangles: &mut Triangles) {
        let Scratch { mut gizmos, mut order, mut edges } = std::mem::take(&mut triangles.scratch);
        let spans = self.gizmos();
        gizmos.clear();
        gizmos.extend(0..spans.len());
        gizmos.sort_unstable_by(|a, b| spans[*b].depth.total_cmp(&spans[*a].depth).then(b.cmp(a)));
        for piece in gizmos.iter().flat_map(|gizmo| self.pieces_of(*gizmo)) {
            let mut arcs = strip::Arcs::default();
            let expansion = Expansion::new(self, piece, Purpose::Picture);
            let shape_rim = expansion.item.rim.map(|rim| ShapeRim { rim, unlit: expansion.item.color() });
            expansion.shapes(&mut order, |shape| match shape.kind {
                ShapeKind::Line => strip::line(triangles, &shape, shape_rim),
                ShapeKind::Arc => arcs.push(triangles, &shape, shape_rim),
                ShapeKind::Cone => solid::cone(triangles, &mut edges, &shape, shape_rim),
                ShapeKind::Cube => solid::cube(triangles, &mut edges, &shape, shape_rim),
                ShapeKind::Square => square::square(triangles, &shape, shape_rim),
                ShapeKind::Disc => solid::disc(triangles, &shape, shape_rim),
                ShapeKind::Triangle => solid::triangle(triangles, &shape),
            });
        }
        triangles.scratch = Scratch { gizmos, order, edges };
    }
}

/// The rim of a shape, and the color inside of it without light.
#[derive(Debug, Clone, Copy)]
struct ShapeRim {
    rim: Rim,
    unlit: Rgba,
}

impl ShapeRim {
    fn width_px(&self) -> f64 {
        self.rim.width_px
    }

    /// Returns the rim beside a lit color of the shape.
    fn lit(&self, inside: Rgba) -> Rim {
        let Rim { color: [r, g, b, _], width_px } = self.rim.lit(self.unlit, inside);
        Rim { color: [r, g, b, inside[3]], width_px }
    }
}

/// Returns the premultiplied color of a pixel that is covered by a share `core` of a shape, and by a halo of
/// this opacity around it.
fn shade([r, g, b, a]: Rgba, core: f32, halo: f32) -> Rgba {
    let covered = a * core;
    [r * covered, g * covered, b * covered, covered + halo * (1.0 - core)]
}

/// Returns a color between two.
fn mix(a: Rgba, b: Rgba, t: f32) -> Rgba {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}

/// Returns a point or direction of a shape's data.
fn vec([x, y]: [f32; 2]) -> DVec2 {
    DVec2::new(x.into(), y.into())
}

/// Returns the point where two lines `x · p.x + y · p.y = z` cross, or `None` if they are almost parallel.
fn crossing([a, b, c]: [f64; 3], [d, e, f]: [f64; 3]) -> Option<DVec2> {
    let det = a * e - b * d;
    (det.abs() > 1e-4).then(|| DVec2::new(c * e - b * f, a * f - c * d) / det)
}
