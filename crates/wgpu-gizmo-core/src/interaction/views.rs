//! The views of one update, and the one that the pointer is in.

use crate::math::View;
use glam::DVec2;

/// The views that the user sees, for [`Gizmo::update`](crate::interaction::Gizmo::update): `&view`, or a slice
/// of the views of all viewports and windows.
///
/// The views of one render target are told apart by their viewports: the pointer is in the one that contains its
/// position. With keys, a drag also finds its view after a resize. Positions in several windows can be equal, so a host
/// with several windows also passes the key of the view that the pointer is in.
///
/// ```
/// use wgpu_gizmo_core::interaction::Views;
/// use wgpu_gizmo_core::{Gizmo, Target, View};
///
/// /// A window with two viewports.
/// fn one_window(gizmo: &mut Gizmo, views: &[View; 2], targets: &mut [Target]) {
///     gizmo.update(views, targets);
/// }
///
/// /// Two windows, whose views have the keys 0 and 1.
/// fn two_windows(gizmo: &mut Gizmo, views: &[View; 2], pointer_in: u64, targets: &mut [Target]) {
///     gizmo.update(Views::from(views).with_pointer_in(pointer_in), targets);
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Views<'a> {
    all: &'a [View],
    pointer_key: Option<u64>,
}

impl<'a> Views<'a> {
    /// Sets the key of the view that the pointer is in ([`View::with_key`]). A press or drag in progress stays in
    /// its view, wherever the pointer goes.
    #[must_use]
    pub fn with_pointer_in(self, view_key: u64) -> Self {
        Self { pointer_key: Some(view_key), ..self }
    }

    /// Returns all views.
    pub fn all(self) -> &'a [View] {
        self.all
    }

    /// Returns the views that the pointer may be in.
    pub(crate) fn of_pointer(self) -> impl Iterator<Item = &'a View> {
        self.all.iter().filter(move |view| self.pointer_key.is_none_or(|key| view.key() == key))
    }

    /// Returns the view that shows the same as one of an earlier frame: that with its key and viewport, or else the
    /// first with its key.
    pub(crate) fn like(self, earlier: &View) -> Option<&'a View> {
        let mut same = self.all.iter().filter(|view| view.key() == earlier.key());
        let is_unmoved = |view: &&View| view.viewport() == earlier.viewport();
        same.clone().find(is_unmoved).or_else(|| same.next())
    }

    /// Returns the view that contains the pointer.
    pub(crate) fn at(self, cursor_px: DVec2) -> Option<&'a View> {
        self.of_pointer().find(|view| view.viewport().contains(cursor_px))
    }
}

impl<'a> From<&'a View> for Views<'a> {
    fn from(view: &'a View) -> Self {
        Self::from(std::slice::from_ref(view))
    }
}

impl<'a> From<&'a mut View> for Views<'a> {
    fn from(view: &'a mut View) -> Self {
        Self::from(&*view)
    }
}

impl<'a> From<&'a [View]> for Views<'a> {
    fn from(all: &'a [View]) -> Self {
        Self { all, pointer_key: None }
    }
}

impl<'a, const N: usize> From<&'a [View; N]> for Views<'a> {
    fn from(all: &'a [View; N]) -> Self {
        Self::from(all.as_slice())
    }
}

impl<'a> From<&'a Vec<View>> for Views<'a> {
    fn from(all: &'a Vec<View>) -> Self {
        Self::from(all.as_slice())
    }
}
