use super::box_grip::BoxGrip;
use glam::DVec3;

/// One of the three axes of a reference frame.
///
/// ```
/// use wgpu_gizmo_core::handle::Axis;
///
/// assert_eq!(Axis::Y.others(), [Axis::Z, Axis::X]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Axis {
    /// The first axis.
    X,
    /// The second axis.
    Y,
    /// The third axis.
    Z,
}

impl Axis {
    /// All axes, in the order X, Y, Z.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// Returns the index of the axis: 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns the unit vector along the axis.
    pub fn unit(self) -> DVec3 {
        DVec3::AXES[self.index()]
    }

    /// Returns the two other axes in cyclic order: Y, Z for X; Z, X for Y; X, Y for Z.
    pub fn others(self) -> [Self; 2] {
        let i = self.index();
        [Self::ALL[(i + 1) % 3], Self::ALL[(i + 2) % 3]]
    }
}

/// A rule for what a drag of a handle may change.
///
/// The pictures show the handle of each constraint, among the other handles of its mode.
///
/// ```
/// use wgpu_gizmo_core::HandleId;
/// use wgpu_gizmo_core::handle::{Axis, Constraint};
///
/// let ring = Constraint::Ring(Axis::Y);
/// assert_eq!(HandleId::from_constraint(ring).name(), "rotate_y");
/// assert_eq!((ring.rotates(), ring.axis()), (true, Some(Axis::Y)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Constraint {
    /// Moves along one axis of the reference frame.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/handle-axis.svg"))]
    Axis(Axis),
    /// Moves in the plane of the reference frame that has this normal.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/handle-plane.svg"))]
    Plane(Axis),
    /// Moves in the plane through the pivot that is parallel to the image plane.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/handle-view-plane.svg"))]
    ViewPlane,
    /// Rotates about one axis of the reference frame.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/handle-ring.svg"))]
    Ring(Axis),
    /// Rotates about the Z axis of the view, which points out of the screen.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/handle-view-ring.svg"))]
    ViewRing,
    /// Rotates freely, like a trackball.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/handle-trackball.svg"))]
    Trackball,
    /// Scales along one local axis.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/handle-scale-axis.svg"))]
    ScaleAxis(Axis),
    /// Scales along the two local axes of the plane that has this normal.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/handle-scale-plane.svg"))]
    ScalePlane(Axis),
    /// Scales along all three local axes by the same factor.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/handle-scale-uniform.svg"))]
    ScaleUniform,
    /// Moves faces of the target's bounding box along the axes of the box.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/handle-box.svg"))]
    Box(BoxGrip),
}

/// The kind of [`Change`](crate::interaction::Change) that a handle makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ChangeKind {
    Translate,
    Rotate,
    Scale,
}

impl Constraint {
    pub(crate) fn change_kind(self) -> ChangeKind {
        match self {
            Self::Axis(_) | Self::Plane(_) | Self::ViewPlane => ChangeKind::Translate,
            Self::Ring(_) | Self::ViewRing | Self::Trackball => ChangeKind::Rotate,
            Self::ScaleAxis(_) | Self::ScalePlane(_) | Self::ScaleUniform | Self::Box(_) => ChangeKind::Scale,
        }
    }

    /// Returns true if a drag of the handle translates the targets.
    ///
    /// ```
    /// use wgpu_gizmo_core::HandleId;
    ///
    /// // Three arrows, three squares, and the square of the view plane.
    /// let translates = |handle: &HandleId| handle.constraint().translates();
    /// assert_eq!(HandleId::all().filter(translates).count(), 7);
    /// ```
    pub fn translates(self) -> bool {
        self.change_kind() == ChangeKind::Translate
    }

    /// Returns true if a drag of the handle rotates the targets.
    pub fn rotates(self) -> bool {
        self.change_kind() == ChangeKind::Rotate
    }

    /// Returns true if a drag of the handle scales the targets, as box handles do.
    pub fn scales(self) -> bool {
        self.change_kind() == ChangeKind::Scale
    }

    /// Returns the axis in the name of the constraint, if it has one: the direction, the rotation axis or
    /// the normal of the plane.
    pub fn axis(self) -> Option<Axis> {
        match self {
            Self::Axis(a) | Self::Plane(a) | Self::Ring(a) | Self::ScaleAxis(a) | Self::ScalePlane(a) => {
                Some(a)
            }
            Self::ViewPlane | Self::ViewRing | Self::Trackball | Self::ScaleUniform | Self::Box(_) => None,
        }
    }

    /// Returns true if the constraint translates or scales along this axis, or rotates about it.
    pub(crate) fn involves(self, axis: Axis) -> bool {
        match self {
            Self::Axis(along) | Self::ScaleAxis(along) | Self::Ring(along) => along == axis,
            Self::Plane(normal) | Self::ScalePlane(normal) => normal != axis,
            Self::Box(grip) => grip.sign(axis) != 0.0,
            Self::ViewPlane | Self::ViewRing | Self::Trackball | Self::ScaleUniform => true,
        }
    }

    /// Returns the rank of a handle with this constraint among those within the pick tolerance.
    pub fn priority(self) -> Priority {
        match self {
            Self::Axis(_) | Self::ViewPlane | Self::ScaleAxis(_) | Self::ScaleUniform | Self::Box(_) => {
                Priority::Axis
            }
            Self::Ring(_) => Priority::Ring,
            Self::Plane(_) | Self::ScalePlane(_) => Priority::Square,
            Self::ViewRing => Priority::OuterRing,
            Self::Trackball => Priority::Trackball,
        }
    }
}

/// The rank of a handle when several lie within the pick tolerance. The lowest value wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Priority {
    /// Axis handles and center handles.
    Axis,
    /// Rings about an axis of the reference frame.
    Ring,
    /// Plane handles, drawn as squares.
    Square,
    /// The outer ring, about the Z axis of the view.
    OuterRing,
    /// The trackball, which wins only if no other handle is near.
    Trackball,
}
