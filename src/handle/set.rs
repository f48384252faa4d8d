use super::{Channel, Constraint, HandleId};
use std::ops::BitOr;

/// Some of a gizmo's handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HandleSet(u64);

impl HandleSet {
    /// No handle.
    pub const EMPTY: Self = Self(0);

    /// Whether there is none in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the handle is in it.
    pub fn contains(self, handle: HandleId) -> bool {
        self.0 >> handle.index() & 1 == 1
    }

    /// The same with one more.
    #[must_use]
    pub fn with(self, handle: HandleId) -> Self {
        Self(self.0 | 1 << handle.index())
    }

    /// The same with one less.
    #[must_use]
    pub fn without(self, handle: HandleId) -> Self {
        Self(self.0 & !(1 << handle.index()))
    }

    /// The built-in handles in it, in id order.
    pub fn built_in(self) -> impl Iterator<Item = HandleId> {
        HandleId::all().filter(move |handle| self.contains(*handle))
    }
}

impl BitOr for HandleSet {
    type Output = Self;

    /// What is in either.
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

/// Which handles are shown: a preset, or a set of the host's choice.
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
    /// Arrows, squares, rings and scale cubes, laid out so that all can be taken hold of.
    Universal,
    /// These.
    Handles(HandleSet),
}

impl Mode {
    /// The handles that are shown.
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
    fn a_set_holds_what_was_put_into_it() {
        let x = HandleId::from_name("translate_x").expect("built in");
        let last = HandleId::custom(44, Constraint::ViewPlane).expect("the last place");
        let set = HandleSet::from(x).with(last);
        assert!(set.contains(x) && set.contains(last));
        assert_eq!(set.without(last), x.into());
        assert_eq!(HandleId::custom(45, Constraint::ViewPlane), None);
        assert_eq!(set.built_in().collect::<Vec<_>>(), [x]);
        assert!(Mode::Handles(HandleSet::EMPTY).handles().is_empty());
    }

    #[test]
    fn universal_has_the_handles_that_do_not_get_into_each_others_way() {
        assert_eq!(Mode::Universal.handles().built_in().count(), 12);
    }
}
