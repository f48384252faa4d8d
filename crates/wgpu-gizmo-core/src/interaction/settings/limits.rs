//! The limits and locks of the local transforms.

use glam::{BVec3, DVec3};

/// The minimum and maximum values at which a drag stops. They are the same for all targets.
///
/// Motion along a handle is shortened and never leaves the handle's line. A start outside the limits may
/// only come nearer to them.
///
/// ```
/// use wgpu_gizmo_core::glam::DVec3;
/// use wgpu_gizmo_core::interaction::settings::Limits;
///
/// let floor = DVec3::new(f64::NEG_INFINITY, 0.0, f64::NEG_INFINITY);
/// let limits = Limits { translation: [floor, DVec3::INFINITY], ..Limits::NONE };
/// # assert_ne!(limits, Limits::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "SavedLimits", into = "SavedLimits"))]
pub struct Limits {
    /// The limits of the components of the local translation. Default: none.
    pub translation: [DVec3; 2],
    /// The limits of the components of the local scale. Default: none.
    pub scale: [DVec3; 2],
    /// The limits of the angle of one drag, in radians. Default: none.
    pub angle: [f64; 2],
}

/// Limits as they are serialized.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize, Default)]
#[serde(default)]
struct SavedLimits {
    translation: [[End; 3]; 2],
    scale: [[End; 3]; 2],
    angle: [End; 2],
}

/// A limit, or an infinity or NaN where there is none. Human-readable formats get the number: JSON writes null for
/// what is not finite, and TOML has no null. Binary formats get an `Option`.
#[cfg(feature = "serde")]
#[derive(Clone, Copy)]
struct End(f64);

#[cfg(feature = "serde")]
impl Default for End {
    fn default() -> Self {
        Self(f64::NAN)
    }
}

#[cfg(feature = "serde")]
impl End {
    fn or(self, none: f64) -> f64 {
        if self.0.is_finite() { self.0 } else { none }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for End {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => self.0.serialize(serializer),
            false => Some(self.0).filter(|end| end.is_finite()).serialize(serializer),
        }
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for End {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged)]
        enum Readable {
            Number(f64),
            Optional(Option<f64>),
        }
        let end = match deserializer.is_human_readable() {
            false => Option::deserialize(deserializer)?,
            true => match Readable::deserialize(deserializer)? {
                Readable::Number(number) => Some(number),
                Readable::Optional(end) => end,
            },
        };
        Ok(end.map_or_else(Self::default, Self))
    }
}

#[cfg(feature = "serde")]
impl From<Limits> for SavedLimits {
    fn from(limits: Limits) -> Self {
        let ends = |ends: [DVec3; 2]| ends.map(|end| end.to_array().map(End));
        Self {
            translation: ends(limits.translation),
            scale: ends(limits.scale),
            angle: limits.angle.map(End),
        }
    }
}

#[cfg(feature = "serde")]
impl From<SavedLimits> for Limits {
    fn from(limits: SavedLimits) -> Self {
        let or = |end: [End; 3], none: f64| DVec3::from_array(end.map(|end| end.or(none)));
        let ends = |[low, high]: [[End; 3]; 2]| [or(low, f64::NEG_INFINITY), or(high, f64::INFINITY)];
        let [low, high] = limits.angle;
        let angle = [low.or(f64::NEG_INFINITY), high.or(f64::INFINITY)];
        Self { translation: ends(limits.translation), scale: ends(limits.scale), angle }
    }
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self {
        translation: [DVec3::NEG_INFINITY, DVec3::INFINITY],
        scale: [DVec3::NEG_INFINITY, DVec3::INFINITY],
        angle: [f64::NEG_INFINITY, f64::INFINITY],
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::NONE
    }
}

/// The channels of the local transforms that keep their start in every drag.
///
/// ```
/// use wgpu_gizmo_core::glam::BVec3;
/// use wgpu_gizmo_core::interaction::settings::Locks;
///
/// let locks = Locks { translation: BVec3::new(false, true, false), ..Locks::NONE };
/// # assert_ne!(locks, Locks::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Locks {
    /// The locked components of the translation. Default: none.
    pub translation: BVec3,
    /// Whether the rotation is locked. Default: false.
    pub rotation: bool,
    /// The locked components of the scale. Default: none.
    pub scale: BVec3,
}

impl Locks {
    /// No locks.
    pub const NONE: Self = Self { translation: BVec3::FALSE, rotation: false, scale: BVec3::FALSE };
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::End;
    use std::fmt::{self, Display, Formatter};

    /// A human-readable format without null.
    struct Plain(End);

    impl Display for Plain {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            serde::Serialize::serialize(&self.0, f)
        }
    }

    #[test]
    fn limits_can_be_saved_without_null() {
        assert_eq!(Plain(End(f64::NEG_INFINITY)).to_string(), "-inf");
    }
}
