//! The window's cameras: the one that circles a point, and the three of the other views.

use crate::bounds::Bounds;
use crate::orbit::Orbit;
use crate::scene::Scene;
use crate::views::{PERSPECTIVE, Plans, Views};
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::math::ViewError;
use wgpu_gizmo::{View, Viewport};

/// All cameras, and whether one view is shown or four.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cameras {
    orbit: Orbit,
    plans: Plans,
    shows_four: bool,
}

impl Cameras {
    /// One view, round everything in a scene.
    pub(crate) fn of_scene(scene: &Scene) -> Self {
        Self { orbit: Orbit::of_scene(scene), plans: Plans::of_scene(scene.bounds()), shows_four: false }
    }

    /// One view for four, or four for one.
    pub(crate) fn switch(&mut self) {
        self.shows_four = !self.shows_four;
    }

    /// What they see through a window.
    pub(crate) fn views(&self, window: Viewport, scale_factor: f64) -> Result<Vec<View>, ViewError> {
        let perspective = |viewport| self.orbit.view(viewport, scale_factor);
        match self.shows_four {
            true => self.plans.views(window, scale_factor, perspective),
            false => perspective(window).map(|view| vec![view]),
        }
    }

    /// Comes close to a box in every view.
    pub(crate) fn frame(&mut self, bounds: Bounds) {
        self.orbit.frame(bounds.center(), bounds.radius());
        self.plans.frame(bounds.center(), bounds.radius());
    }

    /// The pointer has been dragged in a view: its camera turns, or moves sideways. Those with
    /// parallel rays keep looking along their axes.
    pub(crate) fn drag(&mut self, views: &Views, by_px: DVec2, pans: bool) {
        let view = views.current();
        if self.is_plan(views) {
            self.plans.pan(views.place(), by_px, view);
        } else if pans {
            self.orbit.pan(by_px, view);
        } else {
            self.orbit.turn(by_px / view.scale_factor());
        }
    }

    /// Nearer in the pointer's view by so many notches of a wheel.
    pub(crate) fn zoom(&mut self, views: &Views, notches: f64) {
        if self.is_plan(views) {
            self.plans.zoom(views.place(), notches);
        } else {
            self.orbit.zoom(notches);
        }
    }

    fn is_plan(&self, views: &Views) -> bool {
        self.shows_four && views.place() != PERSPECTIVE
    }
}
