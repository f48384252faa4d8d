//! Triangles in pixels with colors, for renderers that have no shaders of this crate, such as egui's painter.
//!
//! Edges are anti-aliased by a band of triangles a pixel wide, over which the color fades out, as egui and
//! other 2D libraries do. Halos are a second band.

use crate::draw::list::DrawList;
use crate::draw::painting::Painting;
use crate::handle::Rgba;
use crate::math::Rect;
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
    painting: Painting,
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

    pub(crate) fn next_index(&self) -> u32 {
        self.vertices.len() as u32
    }

    pub(crate) fn vertex(&mut self, at: DVec2, color: Rgba) {
        self.vertices.push(TriangleVertex { position_px: at.as_vec2().to_array(), color });
    }

    pub(crate) fn triangle(&mut self, triangle: [u32; 3]) {
        self.indices.extend(triangle);
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
}

impl DrawList {
    /// Replaces `triangles` by the handles, guides and grids of this list, for renderers that can only draw
    /// triangles with colors. They show what the renderer of `wgpu-gizmo` draws, except for differences of a few
    /// percent in the color of edge pixels.
    ///
    /// Draw the triangles in order, with the blend function `one, one_minus_src_alpha`, without culling, into
    /// a render target whose blending is in sRGB encoding. The texts of [`DrawList::readouts`] are left to
    /// the host.
    ///
    /// It costs the CPU 0.08 to 0.2 ms and 75 to 160 kB per gizmo in a frame, fifty to a hundred times as much as a
    /// frame of the core (`cargo bench --bench core`). With more pixels per point, curves have more triangles.
    /// On wgpu, prefer that renderer.
    ///
    /// ```
    /// use wgpu_gizmo_core::draw::parts::Triangles;
    /// use wgpu_gizmo_core::glam::{DVec3, dcamera::rh};
    /// use wgpu_gizmo_core::{DrawList, Gizmo, IdSpace, Target, Transform, View, Viewport};
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
    pub fn triangles_px(&self, triangles: &mut Triangles) {
        triangles.vertices.clear();
        triangles.indices.clear();
        let Some(view) = self.view() else { return };
        for grid in self.grids() {
            triangles.grid(view, grid);
        }
        let mut painting = std::mem::take(&mut triangles.painting);
        painting.patches(self, &Rect::EVERYWHERE, |_, patch| triangles.patch(patch));
        triangles.painting = painting;
        triangles.retain_finite();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_past_single_precision_are_removed() {
        let mut triangles = Triangles::new();
        for x in [0.0, 1.0, 2.0, f64::MAX, 4.0] {
            triangles.vertex(DVec2::new(x, 1.0), [1.0; 4]);
        }
        for corners in [[0, 1, 2], [1, 2, 3], [2, 0, 4], [3, 3, 3], [1, 0, 4]] {
            triangles.triangle(corners);
        }
        triangles.retain_finite();
        assert_eq!(triangles.indices(), [0, 1, 2, 2, 0, 4, 1, 0, 4]);
        let numbers = triangles.vertices().iter().flat_map(|vertex| vertex.position_px);
        assert!(numbers.into_iter().all(f32::is_finite), "the host may look at unused vertices");
    }
}
