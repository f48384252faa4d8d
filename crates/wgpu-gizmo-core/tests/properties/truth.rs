//! Projects with a camera's raw matrices, in double-double numbers.

use crate::prelude::*;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Truth {
    /// `(x_px · w, y_px · w, w)` of a homogeneous world vector.
    px_rows: [V<4>; 3],
    clip_from_world: M<4>,
    viewport: Viewport,
    is_orthographic: bool,
    is_reversed: bool,
}

fn xyz(row: V<4>) -> V<3> {
    [row[0], row[1], row[2]]
}

pub(crate) fn point4(point: V<3>) -> V<4> {
    [point[0], point[1], point[2], Dd::ONE]
}

pub(crate) fn vector4(vector: V<3>) -> V<4> {
    [vector[0], vector[1], vector[2], Dd::ZERO]
}

pub(crate) fn px2(px: DVec2) -> V<2> {
    px.to_array().map(Dd::from)
}

impl Truth {
    pub(crate) fn new(
        [clip_from_view, view_from_world]: [DMat4; 2],
        viewport: Viewport,
        is_orthographic: bool,
        is_reversed: bool,
    ) -> Self {
        let clip_from_world = mul(&m4(clip_from_view), &m4(view_from_world));
        let [x, y, _, w] = clip_from_world;
        let half = |size: f64| Dd::from(size) * Dd::from(0.5);
        let (left, top) = (Dd::from(viewport.x), Dd::from(viewport.y));
        let px_rows = [
            add(scale(w, left), scale(add(w, x), half(viewport.width))),
            add(scale(w, top), scale(sub(w, y), half(viewport.height))),
            w,
        ];
        Self { px_rows, clip_from_world, viewport, is_orthographic, is_reversed }
    }

    pub(crate) fn is_orthographic(&self) -> bool {
        self.is_orthographic
    }

    pub(crate) fn homogeneous_px(&self, world: V<4>) -> V<3> {
        self.px_rows.map(|row| dot(row, world))
    }

    pub(crate) fn w(&self, point: V<3>) -> Dd {
        dot(self.px_rows[2], point4(point))
    }

    /// Returns the pixel of a point; meaningless behind the viewer.
    pub(crate) fn px(&self, point: V<3>) -> V<2> {
        let [x, y, w] = self.homogeneous_px(point4(point));
        [x / w, y / w]
    }

    /// Returns two planes whose intersection is the line of all points drawn at a pixel.
    fn planes(&self, px: V<2>) -> [V<4>; 2] {
        let [x, y, w] = self.px_rows;
        // Their lengths are arbitrary; equal lengths are better conditioned.
        let normalized = |plane: V<4>| scale(plane, Dd::ONE / length(xyz(plane)));
        [normalized(sub(x, scale(w, px[0]))), normalized(sub(y, scale(w, px[1])))]
    }

    /// Returns the unit direction of the ray through a pixel, away from the viewer.
    pub(crate) fn ray(&self, px: V<2>) -> V<3> {
        let [a, b] = self.planes(px);
        let along = normalize(cross(xyz(a), xyz(b)));
        let [_, _, z, w] = self.clip_from_world;
        let away = match (self.is_orthographic, self.is_reversed) {
            (false, _) => dot(xyz(w), along),
            (true, false) => dot(xyz(z), along),
            (true, true) => -dot(xyz(z), along),
        };
        if away < Dd::ZERO { scale(along, -Dd::ONE) } else { along }
    }

    /// Returns the vector from `point` to the intersection of a pixel's line with the plane through
    /// `point`, in front of the viewer or behind.
    pub(crate) fn line_hit(&self, px: V<2>, point: V<3>, normal: V<3>) -> Option<V<3>> {
        let [a, b] = self.planes(px);
        let offsets = [-dot(a, point4(point)), -dot(b, point4(point)), Dd::ZERO];
        solve(&[xyz(a), xyz(b), normal], offsets)
    }

    /// The same as [`Truth::line_hit`], in front of the viewer only.
    pub(crate) fn hit(&self, px: V<2>, point: V<3>, normal: V<3>) -> Option<V<3>> {
        let hit = self.line_hit(px, point, normal)?;
        (self.w(add(point, hit)) > Dd::ZERO).then_some(hit)
    }

    /// Returns the eye of a perspective projection.
    pub(crate) fn eye(&self) -> Option<V<3>> {
        let [x, y, _, w] = self.clip_from_world;
        if self.is_orthographic {
            return None;
        }
        solve(&[xyz(x), xyz(y), xyz(w)], [-x[3], -y[3], -w[3]])
    }

    /// Returns the unit normal of the image plane, in which all points have the same depth.
    pub(crate) fn image_normal(&self) -> V<3> {
        let [_, _, z, w] = self.clip_from_world;
        normalize(xyz(if self.is_orthographic { z } else { w }))
    }

    /// Returns the world length of a pixel at a point, in the image plane: the inverse of how many
    /// pixels a point moves per unit upward.
    pub(crate) fn pixel_size(&self, point: V<3>) -> Dd {
        let normal = self.image_normal();
        let y = xyz(self.clip_from_world[1]);
        let up = normalize(sub(y, scale(normal, dot(y, normal))));
        let per_unit = dot(y, up) * Dd::from(self.viewport.height) * Dd::from(0.5);
        self.w(point) / per_unit
    }

    pub(crate) fn visible_height(&self, point: V<3>) -> Dd {
        self.pixel_size(point) * Dd::from(self.viewport.height)
    }

    /// Returns the point drawn at a pixel, at a `depth` along `forward` from `from`.
    pub(crate) fn at_depth(&self, px: DVec2, from: DVec3, forward: DVec3, depth: f64) -> Option<DVec3> {
        let plane = add(v3(from), scale(v3(forward), Dd::from(depth)));
        let hit = self.line_hit(px2(px), plane, v3(forward))?;
        Some(crate::dd::to_dvec3(add(plane, hit)))
    }
}
