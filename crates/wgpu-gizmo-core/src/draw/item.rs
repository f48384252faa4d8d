use crate::handle::{MeshKind, Priority, Rgba};
use glam::{DAffine3, DMat4, DVec2, DVec3};
use std::num::NonZeroU32;

/// The appearance of the far half of a ring, relative to the near half.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RingHalves {
    /// The ring faces the viewer or is not a ring around an axis.
    None,
    /// Only in the order of painting.
    Alike,
    /// The far half is thin, has this factor on its opacity, and cannot be picked.
    Dimmed { far_opacity: f32 },
}

/// A point of a ring is on its far half if the cosine of its radial direction to the eye is below this.
pub(crate) const FAR_HALF: f64 = -0.05;
/// The range of this cosine over which the stroke narrows and dims: about 10°, all on the far half.
pub(super) const TAPER: f64 = 0.17;
/// The width of the far half of a ring, relative to the near half.
pub(super) const FAR_WIDTH: f64 = 0.45;

/// The dark halo of a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Halo {
    /// The width around the shape, in physical pixels.
    pub width_px: f64,
    /// The opacity.
    pub opacity: f32,
}

impl Halo {
    pub(crate) const NONE: Self = Self { width_px: 0.0, opacity: 0.0 };
}

/// The rim around a part of the active handle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rim {
    pub(crate) color: Rgba,
    pub(crate) width_px: f64,
}

impl Rim {
    /// Returns the rim in the light that changed the first color to the second one.
    pub(crate) fn lit(self, from: Rgba, to: Rgba) -> Self {
        let light = light_between(from, to);
        let [r, g, b, a] = self.color;
        Self { color: [r * light, g * light, b * light, a], ..self }
    }
}

/// Returns the factor that light put on a color. Black ones do not tell.
pub(crate) fn light_between(from: Rgba, to: Rgba) -> f32 {
    let sum = |[r, g, b, _]: Rgba| r + g + b;
    if sum(from) > 1e-3 { sum(to) / sum(from) } else { 1.0 }
}

/// The opacity below which the far half of a ring is left out.
const MIN_OPACITY: f32 = 0.06;

/// One part of a handle in one view, such as the stem of an arrow.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Item {
    /// The mesh of the part.
    pub mesh: MeshKind,
    /// The transform from the space of the mesh to world space.
    pub world_from_part: DAffine3,
    /// The corner of a pixel that pixels of this part are relative to.
    pub(super) anchor_px: DVec2,
    /// Maps part space to homogeneous pixels from the anchor: x · w, y · w, the clip z of the view, and w.
    /// Multiplied in `f64`.
    pub(super) px_from_part: DMat4,
    /// Clip w of the pivot.
    pub(super) pivot_w: f64,
    /// Unit directions to the eye and to the light in the space of the part.
    pub(super) to_eye: DVec3,
    pub(super) to_light: DVec3,
    /// Half of the width of strokes at the pivot, and the additional pixels on each side in pictures.
    pub(super) half_width_px: f64,
    pub(super) grown_px: f64,
    /// The radius of a ring at the pivot.
    pub(super) radius_px: f64,
    pub(super) halves: RingHalves,
    /// The sRGB color, not premultiplied, and the factor on its opacity inside of a border.
    pub(super) color: Rgba,
    pub(super) fill_opacity: f32,
    pub(super) halo: Halo,
    pub(crate) rim: Option<Rim>,
    /// A stem is attached to the origin, which the halo must not cover.
    pub(super) is_head: bool,
    /// The id of the handle, or `None` if the part cannot be picked.
    pub id: Option<NonZeroU32>,
    /// The id of the handle, even if it is disabled and cannot be picked.
    pub(super) handle_id: NonZeroU32,
    /// The rank of the handle within the pick tolerance.
    pub priority: Priority,
}

impl Item {
    /// Returns the id of the handle, even if it is disabled and cannot be picked.
    pub fn handle_id(&self) -> u32 {
        self.handle_id.get()
    }

    /// Returns the sRGB color, not premultiplied. The far half of a ring is drawn dimmer.
    pub fn color(&self) -> Rgba {
        self.color
    }

    /// Returns the color of the rim, which only the active handle has.
    pub fn rim_color(&self) -> Option<Rgba> {
        self.rim.map(|rim| rim.color)
    }

    /// Returns the part and its rim as one.
    pub(super) fn with_rim(&self) -> Self {
        let width_px = self.rim.map_or(0.0, |rim| rim.width_px);
        Self { grown_px: self.grown_px + width_px, ..*self }
    }

    /// Returns the pixel that a point of the part is drawn at, or `None` if it is not visible.
    pub fn px_from_part(&self, point: DVec3) -> Option<DVec2> {
        self.seen(point).map(|seen| seen.px + self.anchor_px)
    }

    /// Returns half of the width of strokes, in units of the part.
    pub fn thickness(&self) -> f64 {
        let m = &self.px_from_part;
        let sizes = [m.y_axis, m.z_axis].map(|axis| DVec2::new(axis.x, axis.y).length());
        self.half_width_px * self.pivot_w / sizes[0].max(sizes[1]).max(f64::MIN_POSITIVE)
    }

    /// Returns half of the width of strokes on the far half of a ring, in units of the part.
    pub fn far_thickness(&self) -> f64 {
        match self.halves {
            RingHalves::Dimmed { .. } => FAR_WIDTH * self.thickness(),
            RingHalves::None | RingHalves::Alike => self.thickness(),
        }
    }

    /// Returns the factor on the opacity of the far half of a ring.
    pub fn far_opacity(&self) -> f32 {
        match self.halves {
            RingHalves::Dimmed { far_opacity } => far_opacity,
            RingHalves::None | RingHalves::Alike => 1.0,
        }
    }

    /// Returns the unit direction to the eye in the space of the part.
    pub fn to_eye_part(&self) -> DVec3 {
        self.to_eye
    }

    /// Returns true if a ring has a far half that can be seen.
    pub(super) fn has_far_half(&self) -> bool {
        match self.halves {
            RingHalves::None => false,
            RingHalves::Alike => true,
            RingHalves::Dimmed { far_opacity } => self.color[3] * far_opacity >= MIN_OPACITY,
        }
    }

    /// Returns true if all of the part is in the ID image, and not only the near half of a ring.
    pub fn is_whole_in_ids(&self) -> bool {
        !matches!(self.halves, RingHalves::Dimmed { .. })
    }
}
