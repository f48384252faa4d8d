use super::box_grip::BoxGrip;
use super::constraint::{Axis, Constraint};

/// The identity of one handle of a gizmo: a built-in handle or a
/// [`CustomHandle`](super::CustomHandle).
///
/// The id of a handle in the ID image is the first id of its gizmo plus [`HandleId::index`], in every mode; if each
/// target has a gizmo, [`HandleId::MAX`] more for each target before it. So an answer that arrives after a change of mode keeps its meaning.
///
/// ```
/// use wgpu_gizmo_core::HandleId;
/// use wgpu_gizmo_core::handle::{Axis, Constraint};
///
/// let handle = HandleId::from_name("translate_x").expect("the handle is built in");
/// assert_eq!(handle.constraint(), Constraint::Axis(Axis::X));
/// assert_eq!(HandleId::from_index(handle.index()), Some(handle));
/// ```
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
    /// The number of built-in handles that a [`Mode`](super::Mode) can show.
    pub const BUILT_IN: usize = TABLE.len();
    /// The maximum number of custom handles of one gizmo.
    pub const MAX_CUSTOM: usize = Self::FIRST_BOX - Self::BUILT_IN;
    /// The number of ids that a gizmo reserves for its handles. Every [`HandleId::index`] is less than it.
    pub const MAX: usize = 96;
    /// The index of the first box handle.
    pub(super) const FIRST_BOX: usize = 64;

    /// Returns all built-in handles in the order of their indices.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..TABLE.len()).map(|index| Self { index: index as u8, constraint: TABLE[index].1 })
    }

    /// Returns the handles of the faces, edges and corners of a box, in the order of [`BoxGrip::ALL`].
    pub fn box_handles() -> impl ExactSizeIterator<Item = Self> + Clone {
        let handle =
            |(slot, grip)| Self { index: (Self::FIRST_BOX + slot) as u8, constraint: Constraint::Box(grip) };
        BoxGrip::ALL.into_iter().enumerate().map(handle)
    }

    /// Returns the id of the custom handle in this slot, counted from 0, or `None` past the limit.
    pub(crate) fn custom(slot: usize, constraint: Constraint) -> Option<Self> {
        let index = Self::BUILT_IN + slot;
        (slot < Self::MAX_CUSTOM).then_some(Self { index: index as u8, constraint })
    }

    /// Returns the built-in handle or the box handle with this index.
    #[inline]
    pub fn from_index(index: usize) -> Option<Self> {
        match index.checked_sub(Self::FIRST_BOX) {
            Some(slot) => Self::box_handles().nth(slot),
            None => {
                TABLE.get(index).map(|(_, constraint)| Self { index: index as u8, constraint: *constraint })
            }
        }
    }

    /// Returns the built-in handle with this name, such as `translate_x`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().chain(Self::box_handles()).find(|handle| handle.name() == name)
    }

    /// Returns the built-in handle with this constraint.
    pub fn from_constraint(constraint: Constraint) -> Self {
        // The order of `TABLE`; a test compares the two.
        let index = match constraint {
            Constraint::Axis(axis) => axis.index(),
            Constraint::Plane(axis) => 3 + axis.index(),
            Constraint::ViewPlane => 6,
            Constraint::Ring(axis) => 7 + axis.index(),
            Constraint::ViewRing => 10,
            Constraint::Trackball => 11,
            Constraint::ScaleAxis(axis) => 12 + axis.index(),
            Constraint::ScalePlane(axis) => 15 + axis.index(),
            Constraint::ScaleUniform => 18,
            Constraint::Box(grip) => Self::FIRST_BOX + grip.index(),
        };
        Self { index: index as u8, constraint }
    }

    /// Returns the index among the handles of the gizmo. The built-in handles come first.
    pub fn index(self) -> usize {
        self.index.into()
    }

    /// Returns the index among the custom handles of the gizmo, or `None` for a built-in handle.
    pub fn custom_index(self) -> Option<usize> {
        self.index().checked_sub(Self::BUILT_IN).filter(|slot| *slot < Self::MAX_CUSTOM)
    }

    /// Returns the index of a box handle in [`BoxGrip::ALL`], or `None` for another handle.
    pub fn box_index(self) -> Option<usize> {
        self.index().checked_sub(Self::FIRST_BOX)
    }

    /// Returns the name, such as `translate_x`. Custom handles are all named `custom`.
    pub fn name(self) -> &'static str {
        if let Constraint::Box(grip) = self.constraint {
            return grip.name();
        }
        TABLE.get(self.index()).map_or("custom", |(name, _)| name)
    }

    /// Returns the constraint: what a drag of the handle may change.
    pub fn constraint(self) -> Constraint {
        self.constraint
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plane_handle_name_matches_its_axes() {
        for handle in HandleId::all() {
            let (Constraint::Plane(normal) | Constraint::ScalePlane(normal)) = handle.constraint() else {
                continue;
            };
            let [a, b] = normal.others().map(|axis| format!("{axis:?}").to_lowercase());
            assert!(handle.name().ends_with(&format!("_{a}{b}")), "{} has normal {normal:?}", handle.name());
        }
    }

    #[test]
    fn names_indices_and_constraints_round_trip() {
        for handle in HandleId::all() {
            assert_eq!(HandleId::from_name(handle.name()), Some(handle));
            assert_eq!(HandleId::from_index(handle.index()), Some(handle));
            assert_eq!(HandleId::from_constraint(handle.constraint()), handle);
        }
        assert_eq!(HandleId::from_index(HandleId::BUILT_IN), None);
        assert_eq!(HandleId::from_name("translate_w"), None);
    }
}
