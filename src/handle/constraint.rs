use glam::DVec3;

/// One of the three axes of a reference frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

impl Axis {
    /// X, Y, Z.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The unit vector along it.
    pub fn unit(self) -> DVec3 {
        DVec3::AXES[self.index()]
    }

    /// The two others, in cyclic order: Y, Z for X; Z, X for Y; X, Y for Z.
    pub fn others(self) -> [Self; 2] {
        let i = self.index();
        [Self::ALL[(i + 1) % 3], Self::ALL[(i + 2) % 3]]
    }
}

/// What a drag of a handle may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Constraint {
    /// Moves along one axis of the reference frame.
    Axis(Axis),
    /// Moves in the plane of the frame that has this normal.
    Plane(Axis),
    /// Moves in the plane through the pivot that is parallel to the image plane.
    ViewPlane,
    /// Turns about one axis of the frame.
    Ring(Axis),
    /// Turns about the axis that looks out of the screen.
    ViewRing,
    /// Turns freely, as a ball under the hand.
    Trackball,
    /// Scales along one local axis.
    ScaleAxis(Axis),
    /// Scales along the two local axes of the plane that has this normal.
    ScalePlane(Axis),
    /// Scales along all local axes alike.
    ScaleUniform,
}

/// The channel of the transform that a handle changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Position.
    Translate,
    /// Rotation.
    Rotate,
    /// Scale.
    Scale,
}

impl Constraint {
    /// Which channel of the transform it changes.
    pub fn channel(self) -> Channel {
        match self {
            Self::Axis(_) | Self::Plane(_) | Self::ViewPlane => Channel::Translate,
            Self::Ring(_) | Self::ViewRing | Self::Trackball => Channel::Rotate,
            Self::ScaleAxis(_) | Self::ScalePlane(_) | Self::ScaleUniform => Channel::Scale,
        }
    }

    /// The frame axis that it is named after, if any: the direction, or the plane's normal.
    pub fn axis(self) -> Option<Axis> {
        match self {
            Self::Axis(a) | Self::Plane(a) | Self::Ring(a) | Self::ScaleAxis(a) | Self::ScalePlane(a) => {
                Some(a)
            }
            Self::ViewPlane | Self::ViewRing | Self::Trackball | Self::ScaleUniform => None,
        }
    }

    /// How it ranks when several handles are within the pick tolerance.
    pub fn priority(self) -> Priority {
        match self {
            Self::Axis(_) | Self::ViewPlane | Self::ScaleAxis(_) | Self::ScaleUniform => Priority::Axis,
            Self::Ring(_) => Priority::Ring,
            Self::Plane(_) | Self::ScalePlane(_) => Priority::Square,
            Self::ViewRing => Priority::OuterRing,
            Self::Trackball => Priority::Trackball,
        }
    }
}

/// How handles rank when several lie within the pick tolerance: the first wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// Axis and centre handles.
    Axis,
    /// Rings about an axis.
    Ring,
    /// Squares.
    Square,
    /// The ring about the view.
    OuterRing,
    /// The ball: only where nothing else is near.
    Trackball,
}
