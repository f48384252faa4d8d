use super::Axis;

/// A grip of the box handles: one of the 6 faces, 12 edges and 8 corners of a target's bounding box.
///
/// ```
/// use wgpu_gizmo_core::HandleId;
/// use wgpu_gizmo_core::handle::{Axis, BoxGrip, Constraint};
///
/// let edge = HandleId::from_name("box_+x-y").expect("the name is that of an edge");
/// let Constraint::Box(grip) = edge.constraint() else { unreachable!() };
/// assert_eq!((grip.sign(Axis::X), grip.sign(Axis::Y), grip.sign(Axis::Z)), (1.0, -1.0, 0.0));
/// assert_eq!(grip, BoxGrip::ALL[edge.box_index().expect("an edge is a box handle")]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BoxGrip {
    /// Per axis: 1 for the face at the maximum, -1 for the one at the minimum, 0 for neither.
    signs: [i8; 3],
}

impl BoxGrip {
    /// All grips: faces, edges, corners.
    pub const ALL: [Self; 26] = {
        let mut all = [Self { signs: [0; 3] }; 26];
        let mut index = 0;
        while index < all.len() {
            all[index] = Self { signs: TABLE[index].1 };
            index += 1;
        }
        all
    };

    /// Returns the side of the box on which the grip is along an axis: 1 for the maximum, -1 for the minimum,
    /// 0 if the grip does not move a face across this axis.
    pub fn sign(self, axis: Axis) -> f64 {
        f64::from(self.signs[axis.index()])
    }

    /// Returns the axes whose faces it moves: one for a face, two for an edge, three for a corner.
    pub fn axes(self) -> impl Iterator<Item = Axis> + Clone {
        Axis::ALL.into_iter().filter(move |axis| self.signs[axis.index()] != 0)
    }

    /// Returns the grip of one face.
    pub(crate) fn face(axis: Axis, is_max: bool) -> Self {
        let mut signs = [0; 3];
        signs[axis.index()] = if is_max { 1 } else { -1 };
        Self { signs }
    }

    /// Returns the name, such as `box_+x-y`.
    pub(crate) fn name(self) -> &'static str {
        TABLE[self.index()].0
    }

    /// Returns the index in [`BoxGrip::ALL`].
    pub fn index(self) -> usize {
        // The table contains every combination of signs.
        TABLE.iter().position(|(_, signs)| *signs == self.signs).unwrap_or_default()
    }
}

const TABLE: [(&str, [i8; 3]); 26] = [
    ("box_+x", [1, 0, 0]),
    ("box_-x", [-1, 0, 0]),
    ("box_+y", [0, 1, 0]),
    ("box_-y", [0, -1, 0]),
    ("box_+z", [0, 0, 1]),
    ("box_-z", [0, 0, -1]),
    ("box_+x+y", [1, 1, 0]),
    ("box_+x-y", [1, -1, 0]),
    ("box_-x+y", [-1, 1, 0]),
    ("box_-x-y", [-1, -1, 0]),
    ("box_+y+z", [0, 1, 1]),
    ("box_+y-z", [0, 1, -1]),
    ("box_-y+z", [0, -1, 1]),
    ("box_-y-z", [0, -1, -1]),
    ("box_+x+z", [1, 0, 1]),
    ("box_+x-z", [1, 0, -1]),
    ("box_-x+z", [-1, 0, 1]),
    ("box_-x-z", [-1, 0, -1]),
    ("box_+x+y+z", [1, 1, 1]),
    ("box_+x+y-z", [1, 1, -1]),
    ("box_+x-y+z", [1, -1, 1]),
    ("box_+x-y-z", [1, -1, -1]),
    ("box_-x+y+z", [-1, 1, 1]),
    ("box_-x+y-z", [-1, 1, -1]),
    ("box_-x-y+z", [-1, -1, 1]),
    ("box_-x-y-z", [-1, -1, -1]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::HandleId;

    #[test]
    fn grip_names_spell_their_signs_in_order() {
        for grip in BoxGrip::ALL {
            let spelled: String = Axis::ALL
                .into_iter()
                .filter(|axis| grip.sign(*axis) != 0.0)
                .map(|axis| {
                    let sign = if grip.sign(axis) > 0.0 { '+' } else { '-' };
                    format!("{sign}{axis:?}").to_lowercase()
                })
                .collect();
            assert_eq!(grip.name(), format!("box_{spelled}"));
            let handle = HandleId::from_name(grip.name()).expect("the handle exists");
            assert_eq!(HandleId::from_constraint(handle.constraint()), handle);
            assert_eq!(HandleId::from_index(handle.index()), Some(handle));
            assert_eq!((handle.custom_index(), handle.box_index()), (None, Some(grip.index())));
        }
        let of_axes =
            |count: usize| BoxGrip::ALL.into_iter().filter(|grip| grip.axes().count() == count).count();
        assert_eq!([1, 2, 3].map(of_axes), [6, 12, 8]);
    }
}
