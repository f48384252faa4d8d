use crate::draw::Flips;
use crate::handle::HandleSet;
use crate::math::{View, Viewport};

/// The maximum number of viewports that are remembered; the oldest are dropped. A window that is resized
/// has a new viewport in every frame.
const MAX_VIEWPORTS: usize = 16;

/// The handles and flips that a view showed. They are kept until the view has rotated by a degree or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Seen {
    /// The handles that were too glancing to be shown.
    pub(super) hidden: HandleSet,
    pub(super) flips: Flips,
}

/// The state that the gizmo keeps per view.
#[derive(Debug, Default)]
pub(super) struct ViewMemory {
    /// The view of the last update.
    shown: Option<View>,
    /// By key and viewport of the view, then by target if each has a gizmo.
    seen: Vec<((u64, Viewport), Vec<Seen>)>,
}

impl ViewMemory {
    pub(super) fn shown(&self) -> Option<View> {
        self.shown
    }

    pub(super) fn set_shown(&mut self, view: &View) {
        self.shown = Some(*view);
    }

    #[inline]
    pub(super) fn seen(&self, view: &View, copy: usize) -> Seen {
        let key = (view.key(), view.viewport());
        let of_viewport = self.seen.iter().find(|(other, _)| *other == key);
        of_viewport.and_then(|(_, seen)| seen.get(copy).copied()).unwrap_or_default()
    }

    /// Stores the handles and flips that a view shows; returns true if they have changed.
    #[inline]
    pub(super) fn remember(&mut self, view: &View, copy: usize, now: Seen) -> bool {
        let key = (view.key(), view.viewport());
        let index = self.seen.iter().position(|(other, _)| *other == key).unwrap_or_else(|| {
            if self.seen.len() >= MAX_VIEWPORTS {
                self.seen.remove(0);
            }
            self.seen.push((key, Vec::new()));
            self.seen.len() - 1
        });
        let of_viewport = &mut self.seen[index].1;
        if of_viewport.len() <= copy {
            of_viewport.resize(copy + 1, Seen::default());
        }
        std::mem::replace(&mut of_viewport[copy], now) != now
    }
}
