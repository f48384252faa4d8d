//! What a handle is: a constraint, a shape and an id; the presets; meshes; the draw list.

mod cpu_pick;
mod draw_list;
mod ids;
mod layout;
mod mesh;
mod pick;
mod query;
mod theme;

pub(crate) use cpu_pick::FAR_HALF;
pub use draw_list::{DrawList, Instance, Item};
pub use ids::{IdRange, IdSpace, IdSpaceExhausted};
pub(crate) use layout::{BALL_RADIUS, Layout, Look, Shown, append};
pub use mesh::{MeshKind, Vertex};
pub use pick::{PickTile, Priority, Texel};
pub use query::{PickAnswer, PickHit, PickOutcome, PickQuery};
pub use theme::{Rgba, Theme};

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

/// A built-in handle: its place in one table of names and constraints. The id of a handle in
/// the ID image is its gizmo's first id plus this index, whatever the mode, so an answer that
/// comes after a change of mode still means what it meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HandleId(u8);

const TABLE: [(&str, Constraint); 19] = [
    ("translate_x", Constraint::Axis(Axis::X)),
    ("translate_y", Constraint::Axis(Axis::Y)),
    ("translate_z", Constraint::Axis(Axis::Z)),
    ("translate_yz", Constraint::Plane(Axis::X)),
    ("translate_zx", Constraint::Plane(Axis::Y)),
    ("translate_xy", Constraint::Plane(Axis::Z)),
    ("translate_view", Constraint::ViewPlane),
    ("rotate_x", Constraint::Ring(Axis::X)),
    ("rotate_y", Constraint::Ring(Axis::Y)),
    ("rotate_z", Constraint::Ring(Axis::Z)),
    ("rotate_view", Constraint::ViewRing),
    ("rotate_trackball", Constraint::Trackball),
    ("scale_x", Constraint::ScaleAxis(Axis::X)),
    ("scale_y", Constraint::ScaleAxis(Axis::Y)),
    ("scale_z", Constraint::ScaleAxis(Axis::Z)),
    ("scale_yz", Constraint::ScalePlane(Axis::X)),
    ("scale_zx", Constraint::ScalePlane(Axis::Y)),
    ("scale_xy", Constraint::ScalePlane(Axis::Z)),
    ("scale_uniform", Constraint::ScaleUniform),
];

impl HandleId {
    /// How many built-in handles there are: the ids one gizmo takes.
    pub const COUNT: usize = TABLE.len();

    /// All built-in handles, in id order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..TABLE.len() as u8).map(Self)
    }

    /// The handle at this place of the table.
    pub fn from_index(index: usize) -> Option<Self> {
        (index < TABLE.len()).then_some(Self(index as u8))
    }

    /// The handle of this name, such as `translate_x`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|handle| handle.name() == name)
    }

    /// The handle with this constraint.
    pub fn from_constraint(constraint: Constraint) -> Option<Self> {
        Self::all().find(|handle| handle.constraint() == constraint)
    }

    /// Its place in the table.
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// Its name, such as `translate_x`.
    pub fn name(self) -> &'static str {
        TABLE[self.index()].0
    }

    /// What a drag of it may change.
    pub fn constraint(self) -> Constraint {
        TABLE[self.index()].1
    }
}

/// A preset: which handles are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// No handles.
    None,
    /// Arrows, squares and the centre.
    #[default]
    Translate,
    /// Rings, the outer ring and the trackball.
    Rotate,
    /// Stems with cubes, squares and the centre cube.
    Scale,
}

impl Mode {
    /// The handles of the preset, in id order.
    pub fn handles(self) -> impl Iterator<Item = HandleId> {
        let channel = match self {
            Self::None => None,
            Self::Translate => Some(Channel::Translate),
            Self::Rotate => Some(Channel::Rotate),
            Self::Scale => Some(Channel::Scale),
        };
        HandleId::all().filter(move |handle| Some(handle.constraint().channel()) == channel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_handle_is_named_after_the_two_axes_it_moves_along() {
        for handle in HandleId::all() {
            let (Constraint::Plane(normal) | Constraint::ScalePlane(normal)) = handle.constraint() else {
                continue;
            };
            let [a, b] = normal.others().map(|axis| format!("{axis:?}").to_lowercase());
            assert!(handle.name().ends_with(&format!("_{a}{b}")), "{} has normal {normal:?}", handle.name());
        }
    }

    #[test]
    fn names_indices_and_constraints_lead_back_to_the_same_handle() {
        for handle in HandleId::all() {
            assert_eq!(HandleId::from_name(handle.name()), Some(handle));
            assert_eq!(HandleId::from_index(handle.index()), Some(handle));
            assert_eq!(HandleId::from_constraint(handle.constraint()), Some(handle));
        }
        assert_eq!(HandleId::from_index(HandleId::COUNT), None);
        assert_eq!(HandleId::from_name("translate_w"), None);
    }
}
