//! The settings of box handles.

use crate::handle::HandleSet;
use crate::math::is_positive;

/// The settings of the box handles, which move the faces of the active target's bounding box
/// ([`Target::bounds_local`](crate::interaction::Target::bounds_local)).
///
/// ```
/// use wgpu_gizmo_core::interaction::settings::{BoxHandles, BoxResult};
/// use wgpu_gizmo_core::{Mode, Settings};
///
/// // The handles of a crop box alone.
/// let settings = Settings::default().with(|s| {
///     s.mode = Mode::None;
///     s.box_handles.insert(BoxHandles::default()).result = BoxResult::Extents;
/// });
/// # assert_ne!(settings, Settings::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct BoxHandles {
    /// Selects what a drag changes. Default: [`BoxResult::Transform`].
    pub result: BoxResult,
    /// Whether corners scale all sides by one factor. Default: false.
    pub keep_aspect: bool,
    /// The length at which a side stops, in world units. Default: 0.001. A value that is not positive counts
    /// as the default.
    pub min_size: f64,
    /// The handles that may be shown. Of these, a view shows the faces toward the viewer, the edges on the
    /// silhouette, and all corners. Default: all.
    pub handles: HandleSet,
}

impl Default for BoxHandles {
    fn default() -> Self {
        Self {
            result: BoxResult::default(),
            keep_aspect: false,
            min_size: Self::DEFAULT_MIN_SIZE,
            handles: HandleSet::all_of_box(),
        }
    }
}

impl BoxHandles {
    const DEFAULT_MIN_SIZE: f64 = 1e-3;

    /// Returns the minimum length of a side: finite and positive.
    pub(crate) fn usable_min_size(&self) -> f64 {
        if is_positive(self.min_size) { self.min_size } else { Self::DEFAULT_MIN_SIZE }
    }
}

/// The setting that selects what a drag of a box handle changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum BoxResult {
    /// Changes the local transform: a scale, and a translation that keeps the opposite side in place.
    #[default]
    Transform,
    /// Changes the bounding box, and keeps the transform: for crop boxes, section boxes, colliders and
    /// lights.
    Extents,
}

choices!(BoxResult, ALL: Transform = "transform", Extents = "extents");
