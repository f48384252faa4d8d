//! Snapping, and the modifiers of one cursor position.

use crate::math::Increment;
use glam::DVec3;

/// The setting that selects what is snapped: the change, or the resulting value.
///
/// ```
/// use wgpu_gizmo_core::glam::DVec3;
/// use wgpu_gizmo_core::interaction::settings::SnapKind;
/// use wgpu_gizmo_core::{Settings, Snap};
///
/// // Snaps to a grid whose lines pass through the origin of the world.
/// let snap_kind = SnapKind::Grid { origin_world: DVec3::ZERO };
/// let settings = Settings::default().with(|s| {
///     s.snap.increments = Snap::DEFAULT_INCREMENTS;
///     s.snap.kind = snap_kind;
/// });
/// # assert_ne!(settings.snap.kind, SnapKind::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SnapKind {
    /// Snaps the displacement since the start, along the handle.
    #[default]
    Relative,
    /// Snaps the position of the pivot along the axes of the reference frame, in world units. In Parent
    /// orientation the grid has the parent's origin. Local and View have no grid and use
    /// [`SnapKind::Relative`].
    Grid {
        /// The origin of the grid in World and Custom orientation.
        origin_world: DVec3,
    },
    /// Snaps the resulting angle or factor of the active target instead of the change. A rotation snaps the
    /// angle of its local rotation about the handle's axis to multiples of the increment. A scale snaps its
    /// local scale along the first scaled axis. Translations use [`SnapKind::Relative`].
    Value,
}

impl SnapKind {
    /// One of each kind; the grid has the origin of the world.
    pub const ALL: [Self; 3] = [Self::Relative, Self::Grid { origin_world: DVec3::ZERO }, Self::Value];

    /// Returns the name: `relative`, `grid` or `value`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Grid { .. } => "grid",
            Self::Value => "value",
        }
    }
}

/// The setting that selects the point of the targets that a translation moves onto the snap point
/// ([`SnapSettings::to`](crate::interaction::settings::SnapSettings::to)).
///
/// ```
/// use wgpu_gizmo_core::Settings;
/// use wgpu_gizmo_core::interaction::settings::SnapSource;
///
/// let settings = Settings::default().with(|s| s.snap.source = SnapSource::Vertex);
/// # assert_ne!(settings.snap.source, SnapSource::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SnapSource {
    /// The pivot.
    #[default]
    Pivot,
    /// The vertex of the targets that is nearest to the cursor at the press. The host passes their meshes to
    /// [`Gizmo::snap_from`](crate::interaction::Gizmo::snap_from).
    Vertex,
    /// The vertex of the targets that would be nearest to the snap point without snapping, so that it may change in a
    /// drag. The host passes their meshes as well.
    NearestVertex,
}

choices!(SnapSource, ALL: Pivot = "pivot", Vertex = "vertex", NearestVertex = "nearest_vertex");

/// The modifiers of one cursor position in a drag: snapping and precision, as the held keys select them.
///
/// ```
/// use wgpu_gizmo_core::Snap;
/// use wgpu_gizmo_core::interaction::settings::Modifiers;
///
/// let modifiers = Modifiers { precise: true, ..Snap::DEFAULT_INCREMENTS.into() };
/// assert_eq!(modifiers.snap, Snap::DEFAULT_INCREMENTS);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Modifiers {
    /// The increments. Default: [`Snap::OFF`].
    pub snap: Snap,
    /// Whether the motion or the position is snapped. Default: [`SnapKind::Relative`].
    pub snap_kind: SnapKind,
    /// Whether the motion continues at a tenth of the pointer's speed. Default: false.
    pub precise: bool,
    /// Whether box handles move the opposite side by as much, so that the center stays. Default: false.
    pub symmetric: bool,
}

impl From<Snap> for Modifiers {
    /// Returns relative snapping at full speed.
    fn from(snap: Snap) -> Self {
        Self { snap, ..Self::default() }
    }
}

/// The increments of snapping; `None` turns snapping off.
///
/// ```
/// use wgpu_gizmo_core::math::Increment;
/// use wgpu_gizmo_core::{Settings, Snap};
///
/// let quarter = Snap { translate: Increment::new(0.25), ..Snap::DEFAULT_INCREMENTS };
/// let settings = Settings::default().with(|s| {
///     s.snap.increments = quarter;
///     s.snap.while_held = Snap::OFF;
/// });
/// # assert!(settings.snap.increments.translate.is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Snap {
    /// The increment of translations in world units. Default: `None`.
    pub translate: Option<Increment>,
    /// The increment of the total angle in radians. Default: `None`.
    pub rotate: Option<Increment>,
    /// The increment of the scale factor, which is added: 1.0, 1.1, …. Default: `None`.
    pub scale: Option<Increment>,
}

impl Snap {
    /// No snapping.
    pub const OFF: Self = Self { translate: None, rotate: None, scale: None };

    /// The default increments: 0.5 world units, 15° and a factor of 0.1.
    pub const DEFAULT_INCREMENTS: Self = Self {
        translate: Increment::new(0.5),
        rotate: Increment::new(std::f64::consts::PI / 12.0),
        scale: Increment::new(0.1),
    };
}
