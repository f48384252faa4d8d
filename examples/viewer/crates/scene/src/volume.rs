//! Cameras and lights: what is seen or lit from a node, as a volume that can be edited.

use crate::lens::Lens;
use std::f64::consts::{FRAC_PI_2, PI};
use wgpu_gizmo_extras::volume::Volume;

/// A light. It does not light the picture; only its volume is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Light {
    /// Where it shines.
    pub shape: LightShape,
    /// The color: linear red, green and blue.
    pub color: [f64; 3],
    /// The brightness, in candela or, if the light is directional, in lux.
    pub intensity: f64,
}

impl Light {
    /// Creates a light with the color and the intensity that glTF gives to lights without them.
    pub fn new(shape: LightShape) -> Self {
        Self { shape, color: [1.0; 3], intensity: 1.0 }
    }
}

/// Where a light shines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightShape {
    /// Shines in all directions.
    Point {
        /// The range in world units; `None` if it is not limited.
        range: Option<f64>,
    },
    /// Shines in a cone along the node's −Z.
    Spot {
        /// The range in world units; `None` if it is not limited.
        range: Option<f64>,
        /// The angle from the axis at which the light begins to fall off, in radians.
        inner: f64,
        /// The angle from the axis at which the light ends, in radians.
        outer: f64,
    },
    /// Shines along the node's −Z everywhere, so it has nothing but a direction.
    Directional,
}

/// The camera or the light of nodes. Several nodes can share one, and an edit changes it for all of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NodeVolume {
    /// A camera.
    Camera(Lens),
    /// A light.
    Light(Light),
}

impl NodeVolume {
    /// Returns true if all numbers are finite, fit into the `f32` of glTF and are in the ranges that glTF
    /// allows.
    pub fn is_valid(&self) -> bool {
        let fits = |number: f64| number.abs() <= f64::from(f32::MAX);
        let positive = |number: f64| number > 0.0 && fits(number);
        let is_past = |far: f64, near: f64| fits(far) && far > near;
        match *self {
            Self::Camera(Lens::Perspective { fov_y, near, far, aspect }) => {
                let is_open = positive(fov_y) && fov_y < PI && aspect.is_none_or(positive);
                is_open && positive(near) && far.is_none_or(|far| is_past(far, near))
            }
            Self::Camera(Lens::Orthographic { half, near, far }) => {
                positive(half.x) && positive(half.y) && fits(near) && is_past(far, near)
            }
            Self::Light(Light { shape, color, intensity }) => {
                let is_valid = match shape {
                    LightShape::Point { range } => range.is_none_or(positive),
                    LightShape::Spot { range, inner, outer } => {
                        range.is_none_or(positive) && inner >= 0.0 && inner < outer && outer <= FRAC_PI_2
                    }
                    LightShape::Directional => true,
                };
                is_valid && [&color[..], &[intensity]].concat().iter().all(|n| *n >= 0.0 && fits(*n))
            }
        }
    }

    /// Returns the numbers by their keys in glTF, in its units, except those of a color. Those that are absent are
    /// `None`.
    pub fn fields(&self) -> Vec<(&'static str, Option<f64>)> {
        match *self {
            Self::Camera(Lens::Perspective { fov_y, near, far, aspect }) => {
                vec![("yfov", Some(fov_y)), ("znear", Some(near)), ("zfar", far), ("aspectRatio", aspect)]
            }
            Self::Camera(Lens::Orthographic { half, near, far }) => {
                let [x, y] = half.to_array();
                vec![("xmag", Some(x)), ("ymag", Some(y)), ("znear", Some(near)), ("zfar", Some(far))]
            }
            Self::Light(Light { shape, intensity, .. }) => {
                let mut fields = vec![("intensity", Some(intensity))];
                match shape {
                    LightShape::Directional => {}
                    LightShape::Point { range } => fields.push(("range", range)),
                    LightShape::Spot { range, inner, outer } => {
                        let angles = [("innerConeAngle", Some(inner)), ("outerConeAngle", Some(outer))];
                        fields.extend([("range", range)].into_iter().chain(angles));
                    }
                }
                fields
            }
        }
    }

    /// Returns the light, if it is one.
    pub fn light(&self) -> Option<Light> {
        match *self {
            Self::Light(light) => Some(light),
            Self::Camera(_) => None,
        }
    }

    /// Returns the volume. A camera without an aspect ratio has that of the viewport.
    pub fn volume(self, viewport_aspect: f64) -> Volume {
        match self {
            Self::Camera(Lens::Perspective { fov_y, near, far, aspect }) => {
                Volume::Perspective { fov_y, aspect: aspect.unwrap_or(viewport_aspect), near, far }
            }
            Self::Camera(Lens::Orthographic { half, near, far }) => {
                Volume::Orthographic { half_width: half.x, half_height: half.y, near, far }
            }
            Self::Light(light) => match light.shape {
                LightShape::Point { range } => Volume::Sphere { radius: range },
                LightShape::Spot { range, inner, outer } => Volume::Cone { range, inner, outer },
                LightShape::Directional => Volume::Parallel,
            },
        }
    }

    /// Returns the camera or light with another volume. A volume of another kind changes nothing.
    #[must_use]
    pub fn with_volume(self, volume: Volume) -> Self {
        let with = |light, shape| Self::Light(Light { shape, ..light });
        let now = match (self, volume) {
            (Self::Camera(lens), Volume::Perspective { fov_y, near, far, .. }) => {
                Self::Camera(Lens::Perspective { fov_y, near, far, aspect: lens.aspect() })
            }
            (Self::Camera(_), Volume::Orthographic { half_width, half_height, near, far }) => {
                Self::Camera(Lens::Orthographic { half: [half_width, half_height].into(), near, far })
            }
            (Self::Light(light), Volume::Sphere { radius }) => {
                with(light, LightShape::Point { range: radius })
            }
            (Self::Light(light), Volume::Cone { range, inner, outer }) => {
                with(light, LightShape::Spot { range, inner, outer })
            }
            _ => self,
        };
        if now.is_same_kind(&self) { now } else { self }
    }

    /// Returns true if both are of the same kind, such as two spot lights.
    pub fn is_same_kind(&self, other: &Self) -> bool {
        use std::mem::discriminant;
        match (self, other) {
            (Self::Camera(a), Self::Camera(b)) => discriminant(a) == discriminant(b),
            (Self::Light(a), Self::Light(b)) => discriminant(&a.shape) == discriminant(&b.shape),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scene;
    use wgpu_gizmo_core::glam::DVec2;

    fn light(shape: LightShape) -> NodeVolume {
        NodeVolume::Light(Light { color: [0.5, 0.25, 1.0], intensity: 40.0, ..Light::new(shape) })
    }

    fn kinds() -> [NodeVolume; 5] {
        let half = DVec2::new(2.0, 1.0);
        [
            NodeVolume::Camera(Lens::Perspective { fov_y: 1.0, near: 0.1, far: None, aspect: None }),
            NodeVolume::Camera(Lens::Orthographic { half, near: 0.0, far: 9.0 }),
            light(LightShape::Point { range: Some(2.0) }),
            light(LightShape::Spot { range: None, inner: 0.0, outer: 0.5 }),
            light(LightShape::Directional),
        ]
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let spot = |range, inner, outer| light(LightShape::Spot { range, inner, outer });
        let lens =
            |fov_y, near, far| NodeVolume::Camera(Lens::Perspective { fov_y, near, far, aspect: Some(1.5) });
        let ortho =
            |x, near, far| NodeVolume::Camera(Lens::Orthographic { half: DVec2::new(x, 1.0), near, far });
        let dimmed = |color, intensity| {
            NodeVolume::Light(Light { color, intensity, ..Light::new(LightShape::Directional) })
        };
        for bad in [
            spot(Some(-1.0), 0.1, 0.2),
            spot(Some(0.0), 0.1, 0.2),
            spot(Some(f64::NAN), 0.1, 0.2),
            spot(Some(1e39), 0.1, 0.2),
            spot(None, 0.2, 0.2),
            spot(None, -0.1, 0.2),
            spot(None, 0.1, 1.6),
            spot(None, 0.1, f64::NAN),
            dimmed([0.0; 3], -1.0),
            dimmed([0.0, -0.5, 0.0], 1.0),
            lens(0.0, 0.1, None),
            lens(PI, 0.1, None),
            lens(1.0, 0.0, None),
            lens(1.0, 2.0, Some(2.0)),
            lens(1.0, 2.0, Some(f64::NAN)),
            ortho(0.0, 0.0, 1.0),
            ortho(1.0, 1.0, 1.0),
            ortho(1.0, 0.0, f64::INFINITY),
        ] {
            assert!(!bad.is_valid(), "{bad:?}");
            let mut scene = Scene::default();
            let good = kinds().into_iter().find(|good| good.is_same_kind(&bad));
            scene.set_volumes(vec![good]);
            assert!(!scene.set_volume(0, bad) && scene.volume(0) == good, "{bad:?}");
        }
        let mut scene = Scene::default();
        scene.set_volumes(kinds().map(Some).to_vec());
        for (index, good) in kinds().into_iter().enumerate() {
            assert!(good.is_valid() && scene.set_volume(index, good), "{good:?}");
            assert!(!scene.set_volume(index + 1, good), "it is of another kind, or there is none");
        }
        assert_eq!(scene.volumes(), kinds().map(Some), "nothing has changed");
    }
}
