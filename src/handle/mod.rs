//! What a handle is: a constraint, a shape and an id; the presets; meshes; the draw list.

mod cpu_pick;
mod custom;
mod cycle;
mod draw_list;
pub(crate) mod grid;
pub(crate) mod guides;
mod hull;
mod ids;
mod in_flight;
mod layout;
mod letters;
mod mesh;
mod part_hit;
mod pick;
mod query;
mod region;
mod ring;
mod set;
mod sight;
mod silhouette;
mod theme;

pub use custom::{CustomHandle, HandleMesh, MeshError};
pub use cycle::{PickCycle, PickNext};
pub(crate) use draw_list::Layer;
pub use draw_list::{DrawList, Instance, Item, Readout};
pub use grid::GuideGrid;
pub use guides::GuideVertex;
pub use ids::{IdRange, IdSpace, IdSpaceExhausted};
pub use in_flight::InFlight;
pub(crate) use in_flight::is_in_flight;
pub(crate) use layout::{
    Arrangement, BALL_RADIUS, Flips, Layout, Look, OUTER_RING, Shown, Stand, append, append_letter,
};
pub use mesh::{MeshKind, Vertex};
pub use pick::{PickTile, Priority, Texel};
pub use query::{PickAnswer, PickHit, PickOutcome, PickQuery};
pub use region::Region;
pub(crate) use ring::FAR_HALF;
pub use set::{HandleSet, Mode};
pub use theme::{Rgba, Theme};
#[cfg(feature = "wgpu")]
pub(crate) use {custom::Numbered, mesh::Mesh};
#[cfg(feature = "wgpu")]
pub(crate) use {
    draw_list::{Share, Span},
    mesh::PIECES,
};

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

/// One handle of a gizmo: a built-in one, or one of the host's own ([`CustomHandle`]). It knows
/// its constraint. The id of a handle in the ID image is its gizmo's first id plus the index,
/// whatever the mode, so an answer that comes after a change of mode still means what it meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HandleId {
    index: u8,
    constraint: Constraint,
}

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
    /// How many built-in handles there are.
    pub const BUILT_IN: usize = TABLE.len();
    /// How many handles one gizmo can have, its host's own included.
    pub const MOST: usize = 64;

    /// All built-in handles, in id order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..TABLE.len()).map(|index| Self { index: index as u8, constraint: TABLE[index].1 })
    }

    /// The host's own handle at this place, counted from 0.
    pub(crate) fn custom(place: usize, constraint: Constraint) -> Option<Self> {
        let index = Self::BUILT_IN + place;
        (index < Self::MOST).then_some(Self { index: index as u8, constraint })
    }

    /// The built-in handle at this place of the table.
    pub fn from_index(index: usize) -> Option<Self> {
        Self::all().nth(index)
    }

    /// The built-in handle of this name, such as `translate_x`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|handle| handle.name() == name)
    }

    /// The built-in handle with this constraint.
    pub fn from_constraint(constraint: Constraint) -> Self {
        // Every constraint stands in the table, in the order of the enum.
        let index = TABLE.iter().position(|(_, other)| *other == constraint).unwrap_or_default();
        Self { index: index as u8, constraint }
    }

    /// Its place among its gizmo's handles: the built-in ones first.
    pub fn index(self) -> usize {
        self.index.into()
    }

    /// Its place among the host's own handles of its gizmo, if it is one of them.
    pub fn custom_index(self) -> Option<usize> {
        self.index().checked_sub(Self::BUILT_IN)
    }

    /// Its name, such as `translate_x`; `custom` for one of the host's own.
    pub fn name(self) -> &'static str {
        TABLE.get(self.index()).map_or("custom", |(name, _)| name)
    }

    /// What a drag of it may change.
    pub fn constraint(self) -> Constraint {
        self.constraint
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
            assert_eq!(HandleId::from_constraint(handle.constraint()), handle);
        }
        assert_eq!(HandleId::from_index(HandleId::BUILT_IN), None);
        assert_eq!(HandleId::from_name("translate_w"), None);
    }
}
