use crate::Shown;
use egui::{Painter, Response};
use wgpu_gizmo_core::interaction::Events;
use wgpu_gizmo_core::{DrawList, Gizmo, Target, View};

/// A back end, which picks and draws: [`PainterBackend`](crate::PainterBackend) or `WgpuBackend`.
pub trait Backend: Methods {}

impl<B: Methods> Backend for B {}

/// The methods of a back end, which only this crate calls.
pub trait Methods {
    /// The host's objects, borrowed for one call of [`EguiGizmo::show_with`](crate::EguiGizmo::show_with).
    type Objects<'a>;

    /// Passes answers to the gizmo.
    fn receive(&mut self, gizmo: &mut Gizmo, objects: &mut Option<Self::Objects<'_>>, shown: &mut Shown);

    /// Updates the gizmo, and processes its queries.
    fn update(
        &mut self,
        gizmo: &mut Gizmo,
        view: &View,
        targets: &mut [Target],
        objects: &mut Option<Self::Objects<'_>>,
    ) -> Events;

    /// Returns a list to be filled for a panel.
    fn take_list(&mut self, response: &Response) -> DrawList;

    /// Adds the list of a panel to egui's shapes.
    fn paint(&mut self, painter: &Painter, response: &Response, list: DrawList);

    /// Returns true while a query waits for its answer.
    fn is_pending(&self) -> bool;

    /// Returns the number of panels whose resources on the GPU are kept.
    fn kept_panels(&self) -> usize;
}
