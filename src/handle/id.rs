use super::constraint::{Axis, Constraint};

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
