use super::{BoxGrip, ChangeKind, Constraint, HandleId};
use std::ops::{BitAnd, BitOr};

/// A set of handles of one gizmo.
///
/// ```
/// use wgpu_gizmo_core::handle::HandleSet;
/// use wgpu_gizmo_core::{HandleId, Mode};
///
/// let y = HandleId::from_name("translate_y").expect("the handle is built in");
/// let set = Mode::Translate.handles().without(y);
/// assert!(!set.contains(y));
/// let union: HandleSet = Mode::Rotate.handles() | set;
/// assert_eq!(union.built_in().count(), 11);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HandleSet(
    /// A bit per [`HandleId::index`].
    u128,
);

impl HandleSet {
    /// The set without handles.
    pub const EMPTY: Self = Self(0);

    /// Returns the set of all box handles.
    pub fn all_of_box() -> Self {
        Self(((1 << BoxGrip::ALL.len()) - 1) << HandleId::FIRST_BOX)
    }

    /// Returns true if the set contains no handles.
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Returns true if the set contains the handle.
    pub fn contains(self, handle: HandleId) -> bool {
        self.0 & Self::one(handle.index()).0 != 0
    }

    /// Returns the set with a handle added.
    #[must_use]
    pub fn with(self, handle: HandleId) -> Self {
        self | Self::one(handle.index())
    }

    /// Returns the set with a handle removed.
    #[must_use]
    pub fn without(self, handle: HandleId) -> Self {
        self.minus(Self::one(handle.index()))
    }

    /// Returns the set of the built-in and custom handles with an index below this one.
    pub(crate) fn below(index: usize) -> Self {
        Self((1 << index) - 1)
    }

    /// Returns the set without the handles of another.
    pub(crate) fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Removes the handle with the lowest index, and returns that index.
    #[inline]
    pub(crate) fn pop_first(&mut self) -> Option<usize> {
        let index = self.0.trailing_zeros() as usize;
        self.0 &= self.0.checked_sub(1)?;
        Some(index)
    }

    /// Returns the indices of the handles in the set.
    pub(crate) fn iter(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || self.pop_first())
    }

    /// Returns true if the built-in handles in the set change several channels.
    pub(crate) fn is_mixed(self) -> bool {
        // By index, as in the table of handles; a test compares the two.
        const CHANNELS: [u128; 3] = [0x7f, 0x1f << 7, 0x7f << 12];
        CHANNELS.into_iter().filter(|channel| self.0 & channel != 0).count() > 1
    }

    /// Returns the set of the handle with this index.
    fn one(index: usize) -> Self {
        Self(1 << index)
    }

    /// Returns the built-in handles in the set, in the order of their indices.
    pub fn built_in(self) -> impl Iterator<Item = HandleId> {
        HandleId::all().filter(move |handle| self.contains(*handle))
    }
}

/// A set is a list of names; custom handles are numbered, as in `custom_3`.
#[cfg(feature = "serde")]
impl serde::Serialize for HandleSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let named = HandleId::all().chain(HandleId::box_handles()).filter(|handle| self.contains(*handle));
        let custom =
            (0..HandleId::MAX_CUSTOM).filter(|slot| self.0 & Self::one(HandleId::BUILT_IN + slot).0 != 0);
        let names = named.map(|handle| handle.name().to_owned());
        serializer.collect_seq(names.chain(custom.map(|slot| format!("custom_{slot}"))))
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for HandleSet {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = <Vec<String> as serde::Deserialize>::deserialize(deserializer)?;
        names.iter().try_fold(Self::EMPTY, |set, name| {
            let slot = name.strip_prefix("custom_").and_then(|slot| slot.parse::<usize>().ok());
            let custom =
                slot.filter(|slot| *slot < HandleId::MAX_CUSTOM).map(|slot| HandleId::BUILT_IN + slot);
            let index = HandleId::from_name(name).map(HandleId::index).or(custom);
            let index =
                index.ok_or_else(|| serde::de::Error::custom(format!("no handle is named {name:?}")))?;
            Ok(set | Self::one(index))
        })
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
/// use wgpu_gizmo_core::{HandleId, Mode};
///
/// // The three arrows alone, without squares and the center handle.
/// let arrows = ["translate_x", "translate_y", "translate_z"];
/// let arrows = arrows.into_iter().filter_map(HandleId::from_name);
/// let mode = Mode::Handles(arrows.collect());
/// assert_eq!(mode.handles().built_in().count(), 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
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

/// The name for menus and buttons, such as `Translate`.
impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.names()[1])
    }
}

impl Mode {
    /// The modes that are presets: all but [`Mode::Handles`].
    pub const PRESETS: [Self; 5] = [Self::None, Self::Translate, Self::Rotate, Self::Scale, Self::Universal];

    /// Returns the name in files, such as `translate`. In a user interface, `Display` writes `Translate`.
    ///
    /// ```
    /// use wgpu_gizmo_core::Mode;
    ///
    /// assert_eq!(Mode::PRESETS.map(Mode::name), ["none", "translate", "rotate", "scale", "universal"]);
    /// assert_eq!(Mode::Translate.to_string(), "Translate");
    /// ```
    pub fn name(self) -> &'static str {
        self.names()[0]
    }

    /// Returns the name in files, and the one for menus.
    fn names(self) -> [&'static str; 2] {
        match self {
            Self::None => ["none", "None"],
            Self::Translate => ["translate", "Translate"],
            Self::Rotate => ["rotate", "Rotate"],
            Self::Scale => ["scale", "Scale"],
            Self::Universal => ["universal", "Universal"],
            Self::Handles(_) => ["handles", "Handles"],
        }
    }

    /// Returns the handles that the mode shows.
    pub fn handles(self) -> HandleSet {
        let of = |channel| HandleId::all().filter(move |h| h.constraint().change_kind() == channel).collect();
        match self {
            Self::None => HandleSet::EMPTY,
            Self::Translate => of(ChangeKind::Translate),
            Self::Rotate => of(ChangeKind::Rotate),
            Self::Scale => of(ChangeKind::Scale),
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
        let x = HandleId::from_name("translate_x").expect("the handle is built in");
        let last = HandleId::custom(44, Constraint::ViewPlane).expect("slot 44 is the last one");
        let set = HandleSet::from(x).with(last);
        assert!(set.contains(x) && set.contains(last));
        assert_eq!(set.without(last), x.into());
        assert_eq!(HandleId::custom(45, Constraint::ViewPlane), None);
        assert_eq!(set.built_in().collect::<Vec<_>>(), [x]);
        let corner = HandleId::box_handles().last().expect("there are 26 box handles");
        let mut rest = set.with(corner);
        let popped = std::array::from_fn(|_| rest.pop_first());
        assert_eq!(popped, [Some(x.index()), Some(last.index()), Some(corner.index()), None]);
        assert_eq!(HandleSet::below(last.index() + 1).minus(HandleSet::below(last.index())), last.into());
        assert!(Mode::Handles(HandleSet::EMPTY).handles().is_empty());
    }
}
