use super::{Channel, Constraint, HandleId};
use std::ops::{BitAnd, BitOr};

/// A set of handles of one gizmo.
///
/// ```
/// use wgpu_gizmo::handle::HandleSet;
/// use wgpu_gizmo::{HandleId, Mode};
///
/// let y = HandleId::from_name("translate_y").expect("a built-in handle");
/// let set = Mode::Translate.handles().without(y);
/// assert!(!set.contains(y));
/// let union: HandleSet = Mode::Rotate.handles() | set;
/// assert_eq!(union.built_in().count(), 11);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HandleSet(u128);

impl HandleSet {
    /// The set without handles.
    pub const EMPTY: Self = Self(0);

    /// Returns the set of all box handles.
    pub fn all_of_box() -> Self {
        HandleId::box_handles().collect()
    }

    /// Returns true if the set contains no handles.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if the set contains the handle.
    pub fn contains(self, handle: HandleId) -> bool {
        self.0 >> handle.index() & 1 == 1
    }

    /// Returns the set with a handle added.
    #[must_use]
    pub fn with(self, handle: HandleId) -> Self {
        Self(self.0 | 1 << handle.index())
    }

    /// Returns the set with a handle removed.
    #[must_use]
    pub fn without(self, handle: HandleId) -> Self {
        Self(self.0 & !(1 << handle.index()))
    }

    /// Returns the built-in handles in the set, in the order of their indices.
    pub fn built_in(self) -> impl Iterator<Item = HandleId> {
        HandleId::all().filter(move |handle| self.contains(*handle))
    }
}

impl BitAnd for HandleSet {
    type Output = Self;

    /// Returns the intersection of two sets.
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for HandleSet {
    type Output = Self;

    /// Returns the union of two sets.
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl FromIterator<HandleId> for HandleSet {
    fn from_iter<I: IntoIterator<Item = HandleId>>(handles: I) -> Self {
        handles.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl From<HandleId> for HandleSet {
    fn from(handle: HandleId) -> Self {
        Self::EMPTY.with(handle)
    }
}

/// The handles that a gizmo shows: a preset, or any set of handles.
///
/// The default is [`Mode::Translate`].
///
/// ```
/// use wgpu_gizmo::{HandleId, Mode};
///
/// // The three arrows alone, without squares and the center handle.
/// let arrows = ["translate_x", "translate_y", "translate_z"];
/// let arrows = arrows.into_iter().filter_map(HandleId::from_name);
/// let mode = Mode::Handles(arrows.collect());
/// assert_eq!(mode.handles().built_in().count(), 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// No handles.
    None,
    /// Arrows, squares and the center handle, which moves in the view plane.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/translate.svg"))]
    #[default]
    Translate,
    /// Rings, the outer ring and the trackball.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/rotate.svg"))]
    Rotate,
    /// Stems with cubes, squares and the center cube, which scales uniformly.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/scale.svg"))]
    Scale,
    /// Arrows, squares, rings and scale cubes, laid out so that each of them can be grabbed.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/svg/universal.svg"))]
    Universal,
    /// Exactly the handles of this set, which may contain custom handles and may be empty.
    Handles(HandleSet),
}

impl Mode {
    /// The modes that are presets: all but [`Mode::Handles`].
    pub const PRESETS: [Self; 5] = [Self::None, Self::Translate, Self::Rotate, Self::Scale, Self::Universal];

    /// Returns the name, such as `translate`.
    ///
    /// ```
    /// use wgpu_gizmo::Mode;
    ///
    /// assert_eq!(Mode::PRESETS.map(Mode::name), ["none", "translate", "rotate", "scale", "universal"]);
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Translate => "translate",
            Self::Rotate => "rotate",
            Self::Scale => "scale",
            Self::Universal => "universal",
            Self::Handles(_) => "handles",
        }
    }

    /// Returns the handles that the mode shows.
    pub fn handles(self) -> HandleSet {
        let of = |channel| HandleId::all().filter(move |h| h.constraint().channel() == channel).collect();
        match self {
            Self::None => HandleSet::EMPTY,
            Self::Translate => of(Channel::Translate),
            Self::Rotate => of(Channel::Rotate),
            Self::Scale => of(Channel::Scale),
            Self::Universal => {
                let is_universal = |handle: &HandleId| {
                    matches!(
                        handle.constraint(),
                        Constraint::Axis(_)
                            | Constraint::Plane(_)
                            | Constraint::Ring(_)
                            | Constraint::ScaleAxis(_)
                    )
                };
                HandleId::all().filter(is_universal).collect()
            }
            Self::Handles(set) => set,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_contains_inserted_handles() {
        let x = HandleId::from_name("translate_x").expect("built in");
        let last = HandleId::custom(44, Constraint::ViewPlane).expect("the last slot");
        let set = HandleSet::from(x).with(last);
        assert!(set.contains(x) && set.contains(last));
        assert_eq!(set.without(last), x.into());
        assert_eq!(HandleId::custom(45, Constraint::ViewPlane), None);
        assert_eq!(set.built_in().collect::<Vec<_>>(), [x]);
        assert!(Mode::Handles(HandleSet::EMPTY).handles().is_empty());
    }

    #[test]
    fn universal_mode_has_twelve_handles() {
        assert_eq!(Mode::Universal.handles().built_in().count(), 12);
    }
}
