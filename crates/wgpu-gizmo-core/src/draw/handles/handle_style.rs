//! The state and the appearance of one handle.

use crate::draw::guides::faded;
use crate::handle::{Rgba, Theme};
use std::num::NonZeroU32;

/// The state of one handle, which decides its color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HandleState {
    Plain,
    Hovered,
    Active,
    Dimmed,
    Disabled,
    /// Part of a box that cannot be grabbed in this view.
    Passive,
}

impl HandleState {
    /// Returns the color of a handle whose color at rest is `plain`.
    pub(crate) fn color(self, theme: &Theme, plain: Rgba) -> Rgba {
        match self {
            // The active handle keeps its color and has a bright rim.
            Self::Plain | Self::Passive | Self::Active => plain,
            Self::Dimmed => faded(plain, theme.opacities.dimmed),
            Self::Hovered => theme.colors.hovered,
            Self::Disabled => theme.colors.disabled,
        }
    }
}

/// The id and the appearance of one handle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HandleStyle {
    pub(crate) id: NonZeroU32,
    pub(crate) state: HandleState,
    /// From 0 to 1, less than 1 if the handle is seen at a glancing angle.
    pub(crate) opacity: f64,
    /// How a scale handle follows the pointer in its drag.
    pub(crate) stretch: HandleStretch,
}

/// The displacement of a scale handle that is being dragged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HandleStretch {
    /// The factor of the scale.
    pub(crate) factor: f64,
    /// The distance of the grabbed point from the pivot in world units, along each axis of the handle, if a
    /// pointer grabbed one.
    pub(crate) grab_world: Option<f64>,
}

impl HandleStretch {
    /// The handle is at its place.
    pub(crate) const NONE: Self = Self { factor: 1.0, grab_world: None };

    /// Returns how far a part with this range along the axis is moved, in sizes: a point of it that was grabbed
    /// stays under the pointer.
    pub(crate) fn shift(self, [low, high]: [f64; 2], size_world: f64) -> f64 {
        let grabbed = self.grab_world.map_or(0.5 * (low + high), |grab| grab.abs() / size_world);
        let shift = (self.factor - 1.0) * grabbed.max(low).min(high);
        if shift.is_finite() { shift } else { 0.0 }
    }
}
