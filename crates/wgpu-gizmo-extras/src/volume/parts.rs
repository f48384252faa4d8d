//! The handles of each kind of volume: their positions, and the numbers that they change.

use super::Volume;
use std::f64::consts::FRAC_PI_2;
use wgpu_gizmo_core::glam::DVec3;
use wgpu_gizmo_core::handle::{Axis, Constraint};

/// The length that is shown for an unlimited one, in world units.
pub(super) const UNLIMITED: f64 = 1.0;
/// The distance of the frame of a perspective camera, in world units, if it is between its planes.
const FRAME: f64 = 1.0;
/// The minimum of a length in world units, and of an angle in radians.
const MIN_LENGTH: f64 = 1e-4;
const MIN_ANGLE: f64 = 1e-3;
/// The field of view at which a drag stops, in radians. Near 180°, the handles would be too far away to be dragged back.
const MAX_FIELD_OF_VIEW: f64 = 170f64.to_radians();

/// A direction from the origin of a volume: one of four across its axis, or along it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Right,
    Left,
    Top,
    Bottom,
    Front,
    Back,
}

impl Side {
    /// The four sides across the axis.
    pub(super) const ACROSS: [Self; 4] = [Self::Right, Self::Left, Self::Top, Self::Bottom];

    /// Returns the unit vector toward the side.
    pub(super) fn unit(self) -> DVec3 {
        match self {
            Self::Right => DVec3::X,
            Self::Left => DVec3::NEG_X,
            Self::Top => DVec3::Y,
            Self::Bottom => DVec3::NEG_Y,
            Self::Front => DVec3::NEG_Z,
            Self::Back => DVec3::Z,
        }
    }

    fn is_across(self) -> bool {
        matches!(self, Self::Right | Self::Left)
    }

    /// Returns the axis along which the side lies.
    fn axis(self) -> Axis {
        Axis::ALL[self.unit().abs().max_position()]
    }

    /// Returns 1 if the side is on the positive end of its axis, and -1 otherwise.
    fn sign(self) -> f64 {
        self.unit().element_sum()
    }

    /// Returns the constraint that turns a direction along -Z toward the side.
    fn turn(self) -> Constraint {
        Constraint::Ring(if self.is_across() { Axis::Y } else { Axis::X })
    }

    /// Returns the angle from -Z toward the side that a rotation by [`Side::turn`] adds: a positive one
    /// about Y turns -Z toward -X, and about X toward +Y.
    fn opening(self, turned: f64) -> f64 {
        let is_toward = if self.is_across() { -1.0 } else { 1.0 };
        turned * is_toward * self.sign()
    }
}

/// A handle of a volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The end of a sphere along an axis, on its positive or negative side.
    Radius(Side),
    /// The end of a cone.
    Range,
    /// The rim of a cone.
    Outer(Side),
    /// The angle at which the light of a cone begins to fall off.
    Inner(Side),
    /// A side of the frame of a perspective camera.
    FieldOfView(Side),
    /// A side of an orthographic camera.
    Extent(Side),
    Near,
    Far,
}

impl Part {
    /// Returns the handles of a kind of volume.
    pub(super) fn of(volume: &Volume) -> &'static [Self] {
        const SPHERE: [Part; 6] = [
            Part::Radius(Side::Right),
            Part::Radius(Side::Left),
            Part::Radius(Side::Top),
            Part::Radius(Side::Bottom),
            Part::Radius(Side::Front),
            Part::Radius(Side::Back),
        ];
        const CONE: [Part; 7] = [
            Part::Range,
            Part::Outer(Side::Right),
            Part::Outer(Side::Left),
            Part::Outer(Side::Top),
            Part::Outer(Side::Bottom),
            Part::Inner(Side::Right),
            Part::Inner(Side::Top),
        ];
        const PERSPECTIVE: [Part; 6] = [
            Part::Near,
            Part::Far,
            Part::FieldOfView(Side::Right),
            Part::FieldOfView(Side::Left),
            Part::FieldOfView(Side::Top),
            Part::FieldOfView(Side::Bottom),
        ];
        const ORTHOGRAPHIC: [Part; 6] = [
            Part::Near,
            Part::Far,
            Part::Extent(Side::Right),
            Part::Extent(Side::Left),
            Part::Extent(Side::Top),
            Part::Extent(Side::Bottom),
        ];
        match volume {
            Volume::Sphere { .. } => &SPHERE,
            Volume::Cone { .. } => &CONE,
            Volume::Parallel => &[],
            Volume::Perspective { .. } => &PERSPECTIVE,
            Volume::Orthographic { .. } => &ORTHOGRAPHIC,
        }
    }

    /// Returns the name, such as `range` or `outer_left`.
    pub(super) fn name(self) -> &'static str {
        const RADII: [&str; 6] =
            ["radius_right", "radius_left", "radius_top", "radius_bottom", "radius_front", "radius_back"];
        let of_side = |side: Side, names: [&'static str; 4]| names[side as usize];
        match self {
            Self::Radius(side) => RADII[side as usize],
            Self::Range => "range",
            Self::Outer(side) => of_side(side, ["outer_right", "outer_left", "outer_top", "outer_bottom"]),
            Self::Inner(side) => of_side(side, ["inner_right", "inner_left", "inner_top", "inner_bottom"]),
            Self::FieldOfView(side) => of_side(side, ["fov_right", "fov_left", "fov_top", "fov_bottom"]),
            Self::Extent(side) => {
                of_side(side, ["extent_right", "extent_left", "extent_top", "extent_bottom"])
            }
            Self::Near => "near",
            Self::Far => "far",
        }
    }

    pub(super) fn constraint(self) -> Constraint {
        match self {
            Self::Radius(side) | Self::Extent(side) => Constraint::Axis(side.axis()),
            Self::Range | Self::Near | Self::Far => Constraint::Axis(Axis::Z),
            Self::Outer(side) | Self::Inner(side) | Self::FieldOfView(side) => side.turn(),
        }
    }

    /// Returns the position of the handle, from the origin of the volume.
    pub(super) fn offset(self, volume: &Volume) -> DVec3 {
        match (self, *volume) {
            (Self::Radius(side), Volume::Sphere { radius }) => side.unit() * radius.unwrap_or(UNLIMITED),
            (Self::Range, Volume::Cone { range, .. }) => DVec3::NEG_Z * range.unwrap_or(UNLIMITED),
            (Self::Outer(side), Volume::Cone { range, outer, .. }) => {
                toward(side, outer) * range.unwrap_or(UNLIMITED)
            }
            (Self::Inner(side), Volume::Cone { range, inner, .. }) => {
                toward(side, inner) * range.unwrap_or(UNLIMITED)
            }
            (Self::FieldOfView(side), Volume::Perspective { fov_y, aspect, near, far }) => {
                let tangent = (0.5 * fov_y).tan() * if side.is_across() { aspect } else { 1.0 };
                (DVec3::NEG_Z + side.unit() * tangent) * frame_distance(near, far)
            }
            (Self::Extent(side), Volume::Orthographic { half_width, half_height, near, far }) => {
                let half = if side.is_across() { half_width } else { half_height };
                side.unit() * half - DVec3::Z * (0.5 * (near + far))
            }
            (Self::Near, Volume::Perspective { near, .. } | Volume::Orthographic { near, .. }) => {
                DVec3::NEG_Z * near
            }
            (Self::Far, Volume::Perspective { near, far, .. }) => DVec3::NEG_Z * far_or_shown(near, far),
            (Self::Far, Volume::Orthographic { far, .. }) => DVec3::NEG_Z * far,
            _ => DVec3::ZERO,
        }
    }

    /// Returns the volume after a drag by a number: world units along the axis of the handle, or radians.
    pub(super) fn applied(self, start: &Volume, number: f64) -> Volume {
        let angle = |from: f64, side: Side| from + side.opening(number);
        match (self, *start) {
            (Self::Radius(side), Volume::Sphere { radius }) => {
                let radius = radius.unwrap_or(UNLIMITED) + number * side.sign();
                Volume::Sphere { radius: Some(radius.max(MIN_LENGTH)) }
            }
            (Self::Range, Volume::Cone { range, inner, outer }) => {
                let range = range.unwrap_or(UNLIMITED) - number;
                Volume::Cone { range: Some(range.max(MIN_LENGTH)), inner, outer }
            }
            (Self::Outer(side), Volume::Cone { range, inner, outer }) => {
                let outer = angle(outer, side).clamp(MIN_ANGLE, FRAC_PI_2);
                Volume::Cone { range, inner: inner.min(outer - 0.5 * MIN_ANGLE), outer }
            }
            (Self::Inner(side), Volume::Cone { range, inner, outer }) => {
                let inner = angle(inner, side).min(outer - 0.5 * MIN_ANGLE).max(0.0);
                Volume::Cone { range, inner, outer }
            }
            (Self::FieldOfView(side), Volume::Perspective { fov_y, aspect, near, far }) => {
                let stretch = if side.is_across() { aspect } else { 1.0 };
                // A larger one of the host stays.
                let max = MAX_FIELD_OF_VIEW.max(fov_y);
                let half = angle(((0.5 * fov_y).tan() * stretch).atan(), side);
                let half = half.clamp(MIN_ANGLE, FRAC_PI_2 - MIN_ANGLE);
                let fov_y = (2.0 * (half.tan() / stretch).atan()).clamp(MIN_ANGLE, max);
                Volume::Perspective { fov_y, aspect, near, far }
            }
            (Self::Extent(side), Volume::Orthographic { half_width, half_height, near, far }) => {
                let longer = |half: f64| (half + number * side.sign()).max(MIN_LENGTH);
                match side.is_across() {
                    true => Volume::Orthographic { half_width: longer(half_width), half_height, near, far },
                    false => Volume::Orthographic { half_width, half_height: longer(half_height), near, far },
                }
            }
            (Self::Near, Volume::Perspective { fov_y, aspect, near, far }) => {
                let near = (near - number).min(far.unwrap_or(f64::MAX) - MIN_LENGTH).max(MIN_LENGTH);
                Volume::Perspective { fov_y, aspect, near, far }
            }
            (Self::Near, Volume::Orthographic { half_width, half_height, near, far }) => {
                let near = (near - number).min(far - MIN_LENGTH).max(0.0);
                Volume::Orthographic { half_width, half_height, near, far }
            }
            (Self::Far, Volume::Perspective { fov_y, aspect, near, far }) => {
                let far = (far_or_shown(near, far) - number).max(near + MIN_LENGTH);
                Volume::Perspective { fov_y, aspect, near, far: Some(far) }
            }
            (Self::Far, Volume::Orthographic { half_width, half_height, near, far }) => {
                let far = (far - number).max(near + MIN_LENGTH);
                Volume::Orthographic { half_width, half_height, near, far }
            }
            (_, volume) => volume,
        }
    }
}

/// Returns the unit vector at an angle from -Z toward a side.
pub(super) fn toward(side: Side, angle: f64) -> DVec3 {
    let (sin, cos) = angle.sin_cos();
    side.unit() * sin + DVec3::NEG_Z * cos
}

/// Returns the distance of the frame of a perspective camera, which shows its field of view.
pub(super) fn frame_distance(near: f64, far: Option<f64>) -> f64 {
    FRAME.max(near).min(far.unwrap_or(f64::INFINITY))
}

/// Returns the distance of the far plane, or the distance at which an infinitely far plane is shown.
pub(super) fn far_or_shown(near: f64, far: Option<f64>) -> f64 {
    far.unwrap_or(2.0 * FRAME.max(near))
}
