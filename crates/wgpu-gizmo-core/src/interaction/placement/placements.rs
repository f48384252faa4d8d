use crate::draw::{InvisibleReason, OrientedBox};
use crate::handle::{HandleId, Theme};
use crate::interaction::placement::{PlacedHandle, Placement, active, disabled_reasons};
use crate::interaction::settings::{Orientation, Pivot, Settings};
use crate::interaction::targets::bounds::Bounds;
use crate::interaction::targets::target::{DisabledReason, Target, are_same, is_free, is_same};
use crate::math::View;
use glam::DMat3;

/// The maximum number of targets with a gizmo each. More of them on one screen would hide each other.
pub(crate) const MAX_COPIES: usize = 1024;

/// The inputs that the placements were computed from. Equal inputs need no new computation.
#[derive(Debug, Default)]
struct Cache {
    settings: Option<Settings>,
    /// The settings that a drag was last shown with.
    drag_settings: Option<Settings>,
    view_axes: Option<DMat3>,
    targets: Vec<Target>,
    theme: Theme,
}

/// The placement of the gizmo (of each gizmo if every target has one), and the disabled handles.
#[derive(Debug)]
pub(crate) struct Placements {
    /// If every target has a gizmo, that of the active target.
    active: Option<Placement>,
    /// The gizmos that are shown: one, or each with the index of its target.
    shown: Vec<(Option<usize>, Placement)>,
    disabled_reasons: [Option<DisabledReason>; HandleId::MAX],
    /// The box whose handles are shown, and the index of its target.
    oriented_box: Option<(usize, OrientedBox)>,
    cache: Cache,
}

impl Placements {
    pub(crate) fn new() -> Self {
        Self {
            active: None,
            shown: Vec::new(),
            disabled_reasons: [None; HandleId::MAX],
            oriented_box: None,
            cache: Cache::default(),
        }
    }

    #[inline]
    pub(crate) fn active(&self) -> Option<Placement> {
        self.active
    }

    /// Returns why there is no placement.
    pub(crate) fn missing(&self) -> InvisibleReason {
        match self.disabled_reasons[0] {
            Some(DisabledReason::NotFinite) => InvisibleReason::NotFinite,
            _ => InvisibleReason::NoTarget,
        }
    }

    #[inline]
    pub(crate) fn shown(&self) -> &[(Option<usize>, Placement)] {
        &self.shown
    }

    /// Returns the placement of the only gizmo, or of the one of a target.
    pub(crate) fn of(&self, copy: Option<usize>) -> Option<Placement> {
        self.shown.iter().find(|(index, _)| *index == copy).map(|(_, placement)| *placement)
    }

    #[inline]
    pub(crate) fn disabled_reason(&self, handle: HandleId) -> Option<DisabledReason> {
        self.disabled_reasons[handle.index()]
    }

    /// Stores the theme; returns true if it has changed.
    pub(crate) fn set_theme(&mut self, theme: &Theme) -> bool {
        let is_change = !is_same(&self.cache.theme, theme);
        if is_change {
            self.cache.theme = *theme;
        }
        is_change
    }

    /// Records the settings that a drag is shown with. Returns true if they have changed.
    pub(crate) fn set_drag_settings(&mut self, settings: &Settings) -> bool {
        let is_change = !self.cache.drag_settings.as_ref().is_some_and(|known| is_same(known, settings));
        if is_change {
            self.cache.drag_settings = Some(*settings);
        }
        is_change
    }

    /// Returns true if the settings or the theme were changed since the last update.
    pub(crate) fn is_outdated(&self, settings: &Settings, theme: &Theme, is_dragging: bool) -> bool {
        let known = if is_dragging { &self.cache.drag_settings } else { &self.cache.settings };
        let is_set_anew = |known: &Settings| !is_same(known, settings) || !is_same(&self.cache.theme, theme);
        known.as_ref().is_some_and(is_set_anew)
    }

    /// Computes the placements for the current targets. Returns `None` if the inputs are the same as before, and
    /// otherwise whether the gizmo may have changed.
    pub(crate) fn update(
        &mut self,
        settings: &Settings,
        view: &View,
        targets: &[Target],
        handles: impl Iterator<Item = PlacedHandle>,
    ) -> Option<bool> {
        let Cache { settings: known, view_axes: known_axes, targets: known_targets, .. } = &mut self.cache;
        let has_same_settings = known.as_ref().is_some_and(|known| is_same(known, settings));
        let view_axes = (settings.orientation == Orientation::View).then(|| view.axes());
        if has_same_settings && *known_axes == view_axes && are_same(known_targets, targets) {
            return None;
        }
        (*known, *known_axes) = (Some(*settings), view_axes);
        known_targets.clear();
        known_targets.extend_from_slice(targets);
        let before = (self.active, self.disabled_reasons);
        let placement = Placement::of(targets, settings, view, None);
        self.disabled_reasons = match &placement {
            Ok(placement) => disabled_reasons(targets, settings, placement, view, handles),
            Err(reason) => [Some(*reason); HandleId::MAX],
        };
        self.active = placement.ok();
        self.shown.clear();
        if settings.pivot == Pivot::EachTarget {
            for index in (0..targets.len().min(MAX_COPIES)).filter(|index| is_free(targets, *index)) {
                let (target, pivot_world) = (&targets[index], targets[index].position_world());
                if pivot_world.is_finite() {
                    let placement = Placement::with_axes_of(target, settings, view, pivot_world);
                    self.shown.push((Some(index), placement));
                }
            }
        } else {
            self.shown.extend(self.active.map(|placement| (None, placement)));
        }
        let is_for_each = settings.pivot == Pivot::EachTarget;
        Some(!has_same_settings || is_for_each || before != (self.active, self.disabled_reasons))
    }

    /// Updates the box whose handles are shown, also in a drag. Returns true if it has changed.
    pub(crate) fn set_box(&mut self, settings: &Settings, targets: &[Target]) -> bool {
        if settings.box_handles.is_none() && self.oriented_box.is_none() {
            return false;
        }
        let active = settings.box_handles.and_then(|_| active(targets, None));
        let oriented = active.and_then(|index| Some((index, Bounds::of(&targets[index])?.oriented_box())));
        std::mem::replace(&mut self.oriented_box, oriented) != oriented
    }

    /// Returns the box to show with the gizmo of one target, or with the only one.
    pub(crate) fn oriented_box(&self, copy: Option<usize>) -> Option<OrientedBox> {
        let shown = self.oriented_box.filter(|(index, _)| copy.is_none_or(|copy| copy == *index));
        shown.map(|(_, frame)| frame)
    }

    /// Makes the next [`Placements::update`] compute.
    pub(crate) fn invalidate(&mut self) {
        self.cache = Cache { targets: std::mem::take(&mut self.cache.targets), ..Cache::default() };
    }

    /// Returns true if these are the targets of the last update: the same number, with the same keys.
    pub(crate) fn are_of(&self, targets: &[Target]) -> bool {
        let known = &self.cache.targets;
        known.len() == targets.len()
            && known.iter().zip(targets).all(|(known, target)| known.key == target.key)
    }

    /// Removes the gizmo until the next [`Placements::update`].
    pub(crate) fn clear(&mut self) {
        self.active = None;
        self.shown.clear();
        self.invalidate();
    }
}
