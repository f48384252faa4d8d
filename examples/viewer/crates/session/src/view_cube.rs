//! The view cube in the corner of the main view, which shows the orientation of the view and changes
//! it.
//!
//! Each of the six faces, twelve edges and eight corners is a side to view the scene from, and has its
//! own id in the ID image.

mod pointer;

pub use pointer::{CubePointer, Turn};

use wgpu_gizmo::glam::DVec3;

/// A face, an edge or a corner of the cube: −1, 0 or 1 along each axis, not all 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side([i8; 3]);

impl Side {
    /// Number of sides.
    pub const COUNT: u32 = 26;

    /// Returns all sides, ordered by index.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).filter_map(Self::from_index)
    }

    /// Returns the side with this index.
    pub(crate) fn from_index(index: u32) -> Option<Self> {
        // The center of the 27 cells is not a side.
        let cell = if index < 13 { index } else { index + 1 };
        let along = |weight: u32| (cell / weight % 3) as i8 - 1;
        (index < Self::COUNT).then(|| Self([along(9), along(3), along(1)]))
    }

    /// Returns the index of the side.
    pub fn index(self) -> u32 {
        let [x, y, z] = self.0.map(|along| (along + 1) as u32);
        let cell = 9 * x + 3 * y + z;
        if cell < 13 { cell } else { cell - 1 }
    }

    /// Returns −1, 0 or 1 along each axis.
    pub fn along(self) -> [i8; 3] {
        self.0
    }

    /// Returns the unit vector from the center of the cube to the side, in world space.
    pub fn outward(self) -> DVec3 {
        DVec3::from(self.0.map(f64::from)).normalize()
    }

    /// Returns the name of the side in replays, such as `+x`, `-y+z` or `+x+y-z`.
    pub fn name(self) -> String {
        let signs = self.0.iter().zip(["x", "y", "z"]).filter(|(along, _)| **along != 0);
        signs.map(|(along, axis)| format!("{}{axis}", if *along > 0 { '+' } else { '-' })).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_have_unique_indices_and_names() {
        let sides: Vec<Side> = Side::all().collect();
        assert_eq!(sides.len(), 26);
        for (index, side) in (0..).zip(&sides) {
            assert_eq!(side.index(), index);
            assert_eq!(sides.iter().filter(|other| other.name() == side.name()).count(), 1);
            assert!(side.outward().is_normalized());
        }
        assert_eq!(Side([1, 0, -1]).name(), "+x-z");
        assert_eq!(Side::from_index(26), None);
    }
}
