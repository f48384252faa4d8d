use crate::draw::Flips;
use crate::handle::HandleSet;
use crate::interaction::views::Views;
use crate::math::{View, Viewport};
use glam::DVec2;

/// The maximum number of viewports that are remembered; the one that was used longest ago is dropped. A window that
/// is resized has a new viewport in every frame.
const MAX_VIEWPORTS: usize = 16;

/// The maximum number of keys that are remembered: far more than an app has windows.
const MAX_KEYS: usize = 64;

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
    /// The view of the last update: that of the press or drag, or else the one that the pointer was in.
    shown: Option<View>,
    /// All views that the pointer could be in.
    reachable: Vec<View>,
    /// By key and viewport of the view, then by target if each has a gizmo.
    seen: Vec<((u64, Viewport), Vec<Seen>)>,
    /// The revision of the look that was drawn last, by key of the view.
    drawn: Vec<(u64, u64)>,
}

impl ViewMemory {
    pub(super) fn shown(&self) -> Option<View> {
        self.shown
    }

    pub(super) fn set_shown(&mut self, view: &View, views: Views<'_>) {
        self.shown = Some(*view);
        self.reachable.clear();
        self.reachable.extend(views.of_pointer());
    }

    /// Returns the view that a position of the pointer is in, or the view of the last update if it is in none.
    pub(super) fn shown_at(&self, cursor_px: DVec2) -> Option<View> {
        let contains = |view: &&View| view.viewport().contains(cursor_px);
        let found = self.shown.iter().chain(&self.reachable).find(contains);
        found.copied().or(self.shown)
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
        let of_viewport = entry(&mut self.seen, (view.key(), view.viewport()), MAX_VIEWPORTS);
        if of_viewport.len() <= copy {
            of_viewport.resize(copy + 1, Seen::default());
        }
        std::mem::replace(&mut of_viewport[copy], now) != now
    }

    /// Returns the revision of the look that the views with a key show; 0 if none was drawn.
    pub(super) fn drawn(&self, key: u64) -> u64 {
        self.drawn.iter().find(|(other, _)| *other == key).map_or(0, |(_, look)| *look)
    }

    /// Records that a view shows a revision of the look.
    pub(super) fn set_drawn(&mut self, key: u64, look: u64) {
        *entry(&mut self.drawn, key, MAX_KEYS) = look;
    }
}

/// Returns the value of a key. A new one replaces the one that was used longest ago if there are too many.
fn entry<K: PartialEq, V: Default>(entries: &mut Vec<(K, V)>, key: K, max: usize) -> &mut V {
    let index = entries.iter().position(|(other, _)| *other == key).unwrap_or_else(|| {
        if entries.len() >= max {
            entries.remove(0);
        }
        entries.push((key, V::default()));
        entries.len() - 1
    });
    entries[index..].rotate_left(1);
    let last = entries.len() - 1;
    &mut entries[last].1
}
