//! The shapes that handles are drawn with: strokes, cones, cubes, squares, discs and triangles in pixels.
//!
//! A shape is read as its edges. The ID image draws the pixels of each edge ([`Shape::edges`]), the CPU pick measures the
//! distance to them, and the picture is drawn in patches along the same edges ([`Shape::patches`]): what is seen is
//! what is picked.
//!
//! Shapes are painted in order, far ones first ([`Piece`](crate::draw::order::Piece)).

mod arc;
mod conic;
mod distance;
mod edge;
mod outline;
mod patch;
mod polygon;
mod solid;
mod solid_outlines;
mod stroke;
mod triangles;

pub use edge::{Edge, Line, Plane};
pub use patch::{Patch, PatchCorner};

use crate::draw::MAX_WIDTH_PX;
use crate::draw::item::{Halo, Item};
use crate::draw::list::DrawList;
use crate::draw::order::Piece;
use crate::handle::{MeshKind, Rgba};
use glam::{DMat2, DMat4, DVec2, DVec3, DVec4};

/// The geometry of a shape, in pixels from its anchor.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Geometry {
    Stroke(Stroke),
    /// An arrow head.
    Cone(Cone),
    Cube(Cube),
    Square(Square),
    /// The disc of a ball.
    Disc(Disc),
    /// A triangle of a custom mesh.
    Triangle(Triangle),
}

/// A straight stroke, or a piece of a ring.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stroke {
    edge: Edge,
    /// The ends of the chord, and how far the halo reaches at both to the side of -perp and of perp of the tangent.
    ends: [DVec2; 2],
    reach_px: [[f64; 2]; 2],
    /// How far the halo reaches beyond flat, soft ends. 0 at joints between pieces of a ring.
    beyond_px: f64,
}

/// The hull of an ellipse, the base, and a point, the tip.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cone {
    center: DVec2,
    /// Maps the unit circle to the base, around its center, and (`tip`, 0) to the tip; and its inverse.
    px_from_unit: DMat2,
    unit_from_px: DMat2,
    tip: f64,
    /// The cosine to the light on the side of the cone: a constant, and its change along the point of the
    /// unit circle that the side runs to.
    side_lit: (f64, DVec2),
    /// The cosine between the base and the light, unless the base faces away.
    base_lit: Option<f64>,
    /// The direction, on the unit circle, to the side that faces the viewer.
    facing: DVec2,
    /// The depth of the view at the center of the base and at the tip.
    depths: [f64; 2],
    /// Half of the width of the stem, without a halo, at the base.
    stem_px: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Cube {
    /// The corner that is nearest to the viewer.
    corner: DVec2,
    /// Half of the edges that meet there, pointing toward it.
    edges: [DVec2; 3],
    /// The offsets of the two outermost edges along the normal (-y, x) of each direction.
    outline: [[f64; 2]; 3],
    /// The brightness of the faces across these edges.
    lights: [f64; 3],
    /// The depth of the view at the nearest corner, and its changes along half of the edges.
    corner_depth: f64,
    depths: [f64; 3],
    /// Half of the width of the stem, without a halo, at the end of the first edge or, with this sign, at
    /// its start.
    stem_px: f64,
}

/// A convex quadrilateral with a border on its edges.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Square {
    sides: [Line; 4],
    /// Half of the width of the border.
    half_width: f64,
    is_filled: bool,
    depth: Plane,
}

/// The ellipse that bounds a ball.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Disc {
    center: DVec2,
    px_from_unit: DMat2,
    /// The depth of the view at the center of the ball, and from there to its front.
    depth: f64,
    front_depth: f64,
}

/// A triangle with smooth shading.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Triangle {
    corners: [DVec2; 3],
    /// The lines from each corner to the next one, and whether they bound the mesh.
    sides: [Line; 3],
    is_outer: [bool; 3],
    /// The cosine to the light.
    lit: Plane,
    depth: Plane,
}

/// A shape in pixels relative to [`Shape::anchor_px`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    geometry: Geometry,
    /// A corner of a pixel. Distances from it are exact for the centers of all pixels.
    pub(crate) anchor_px: DVec2,
    /// The sRGB colors, not premultiplied: at the start and at the end of a stroke; of the fill and of the
    /// border of a square; otherwise equal.
    colors: [Rgba; 2],
    halo: Halo,
}

/// The purpose that shapes are built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The picture, with halos and with the wider strokes of a hovered handle.
    Picture,
    /// The ID image or the CPU pick.
    Ids,
}

/// The factor on the color of a surface with this cosine to the light. The shader has the same.
pub(crate) fn brightness(lit: f64) -> f64 {
    let t = (lit / 0.95).clamp(0.0, 1.0);
    0.68 + 0.32 * t * t * (3.0 - 2.0 * t)
}

/// The brightness of a ball at a point of the unit disc. The shader has the same.
pub(crate) fn ball_light(q: DVec2) -> f64 {
    0.99 - 0.25 * q.length_squared() - q.dot(DVec2::new(0.036, 0.08))
}

/// A point of a part on screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Projected {
    /// Pixels from the anchor.
    pub(super) px: DVec2,
    /// Clip w.
    pub(super) w: f64,
    /// The depth of the view.
    pub(super) depth: f64,
}

/// The maximum distance of a pixel from the anchor. Shapes with points beyond are left out.
const MAX_SHAPE_PX: f64 = 3e4;
/// The distance from an outline at which a pixel is not covered anymore.
pub(crate) const EDGE_PX: f64 = 0.6;
/// The minimum w of a point in front of the viewer, as a fraction of the w of the pivot.
const MIN_SHAPE_W: f64 = 1e-4;

impl Item {
    /// Projects a homogeneous point of the part. Returns `None` if it is not in front of the viewer or far
    /// outside of the view.
    pub(super) fn projected(&self, homogeneous: DVec4) -> Option<Projected> {
        let DVec4 { x, y, z, w } = homogeneous;
        let is_in_front = w > MIN_SHAPE_W * self.pivot_w;
        let px = DVec2::new(x, y) / w;
        (is_in_front && px.abs().max_element() < MAX_SHAPE_PX).then_some(Projected { px, w, depth: z / w })
    }

    /// Projects a point of the part.
    pub(super) fn seen(&self, part: DVec3) -> Option<Projected> {
        self.projected(self.px_from_part * part.extend(1.0))
    }

    /// Returns the change of the pixel at a projected point along a homogeneous vector.
    pub(super) fn change(&self, at: &Projected, along: DVec4) -> DVec2 {
        (DVec2::new(along.x, along.y) - at.px * along.w) / at.w
    }

    /// Returns half of the width of the handle's strokes at a point with this w, in pixels.
    pub(super) fn half_width_px(&self, w: f64, purpose: Purpose) -> f64 {
        let half = (self.half_width_px * self.pivot_w / w).min(MAX_WIDTH_PX);
        match purpose {
            Purpose::Picture => half + self.grown_px,
            // A stroke thinner than a pixel has no gaps.
            Purpose::Ids => half.max(0.5),
        }
    }

    /// Returns the part as the picture shows it, with the outline of a solid moved outward.
    fn grown(&self) -> Self {
        let m = &self.px_from_part;
        // The squared lengths of three perpendicular units on screen add up to twice the squared length of one that faces the
        // viewer.
        let squared = [m.x_axis, m.y_axis, m.z_axis].map(|axis| DVec2::new(axis.x, axis.y).length_squared());
        let px_per_unit = (0.5 * squared.into_iter().sum::<f64>()).sqrt() / self.pivot_w;
        let by = self.grown_px / px_per_unit;
        let (scale, shift) = match self.mesh {
            MeshKind::Cube | MeshKind::Ball | MeshKind::Dot => (1.0 + by, 0.0),
            MeshKind::Cone => {
                let [height, radius] = [MeshKind::HEAD_LENGTH, MeshKind::HEAD_RADIUS].map(f64::from);
                let sine = radius / height.hypot(radius);
                (1.0 + (by + by / sine) / height, -by)
            }
            _ => return *self,
        };
        if !(self.grown_px > 0.0 && by.is_finite()) {
            return *self;
        }
        let columns = [m.x_axis, m.y_axis, m.z_axis].map(|axis| axis * scale);
        let [x, y, z] = columns;
        Self { px_from_part: DMat4::from_cols(x, y, z, m.w_axis + m.x_axis * shift), ..*self }
    }

    fn halo(&self, purpose: Purpose) -> Halo {
        match purpose {
            Purpose::Picture => Halo { opacity: self.halo.opacity * self.color[3], ..self.halo },
            Purpose::Ids => Halo::NONE,
        }
    }

    /// Returns the distance from an outline that a shape's bounds must include.
    fn reach_px(&self, purpose: Purpose) -> f64 {
        self.halo(purpose).width_px + EDGE_PX
    }
}

impl DrawList {
    /// Passes the shapes of a piece to `emit`, in the order of painting. `order` is a scratch buffer.
    pub(super) fn shapes(
        &self,
        piece: &Piece,
        purpose: Purpose,
        order: &mut Vec<(f64, u32)>,
        mut emit: impl FnMut(Shape),
    ) {
        let item = &self.items()[piece.item as usize];
        let item = if purpose == Purpose::Ids { item } else { &item.with_rim().grown() };
        match item.mesh {
            MeshKind::Ring => arc::strokes(item, piece.part, purpose, |_| true, emit),
            MeshKind::Custom(_) => triangles::shapes(self, item, purpose, order, emit),
            _ => item.shape(purpose).into_iter().for_each(&mut emit),
        }
    }
}

impl Item {
    /// Returns the shape of a part that has one.
    fn shape(&self, purpose: Purpose) -> Option<Shape> {
        match self.mesh {
            MeshKind::Ring | MeshKind::Custom(_) => None,
            MeshKind::Stem => stroke::line(self, purpose),
            MeshKind::Cone => solid::cone(self, purpose),
            MeshKind::Cube => solid::cube(self, purpose),
            MeshKind::Square | MeshKind::SquareBorder => solid::square(self, purpose),
            MeshKind::Ball | MeshKind::Dot => solid::disc(self, purpose),
        }
    }
}

/// Returns a color multiplied with the light.
pub(super) fn lit_color([r, g, b, a]: Rgba, lit: f64) -> Rgba {
    let light = brightness(lit) as f32;
    [r * light, g * light, b * light, a]
}
