//! The views of a picture: one, or four. The top, front and side views are orthographic.

use crate::orbit::Ball;
use scene::Scene;
use scene::bounds::Bounds;
use wgpu_gizmo_core::glam::{DMat4, DVec2, DVec3, dcamera::rh};
use wgpu_gizmo_core::math::{DepthDirection, ViewError};
use wgpu_gizmo_core::{View, Viewport};

/// The pixels that the viewer draws into: the size of the render target, the viewport in it, and the scale factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Canvas {
    /// Width and height of the render target in physical pixels.
    pub size_px: [u32; 2],
    /// The part of the render target that shows the scene.
    pub viewport: Viewport,
    /// Physical pixels per logical pixel.
    pub scale_factor: f64,
}

/// The views of a picture, and the one under the pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct Views {
    /// The views, at least one.
    views: Vec<View>,
    current: usize,
    /// The title of the main view while it looks through a node.
    pub(crate) title: Option<String>,
    /// The part of the main view that shows the intended picture of the node's camera.
    pub framed: Option<Viewport>,
}

/// The factor of the distance per wheel notch.
pub(crate) const ZOOM: f64 = 0.88;
/// The labels of the four views.
const LABELS: [&str; 4] = ["Top", "Perspective", "Front", "Side"];
/// The index of the perspective view among the four.
pub(crate) const PERSPECTIVE: usize = 1;

impl Views {
    /// Returns a picture with these views, which must not overlap. There must be at least one.
    pub fn new(views: Vec<View>) -> Self {
        Self { views, current: 0, title: None, framed: None }
    }

    /// Returns all views. They do not overlap.
    pub fn all(&self) -> &[View] {
        &self.views
    }

    /// Returns the index of the view under the pointer.
    pub fn current_index(&self) -> usize {
        self.current
    }

    /// Returns the view under the pointer, or the last one if it has left all views.
    pub fn current(&self) -> &View {
        &self.views[self.current]
    }

    /// Returns the view that contains this point, or the current one.
    pub fn at(&self, px: DVec2) -> &View {
        self.views.iter().find(|view| view.viewport().contains(px)).unwrap_or(self.current())
    }

    /// Makes the view under the pointer the current one, unless it is `captured` by a drag.
    pub fn follow(&mut self, cursor_px: DVec2, captured: bool) {
        let hovered = self.views.iter().position(|view| view.viewport().contains(cursor_px));
        self.current = hovered.filter(|_| !captured).unwrap_or(self.current);
    }

    /// Returns the view with this key, if it is shown.
    pub(crate) fn with_key(&self, key: u64) -> Option<&View> {
        self.views.iter().find(|view| view.key() == key)
    }

    /// Replaces the views. The current one keeps its key; if that is gone, the first one becomes current.
    pub fn renew(&mut self, views: Vec<View>) {
        let key = self.current().key();
        self.views = views;
        self.current = self.views.iter().position(|view| view.key() == key).unwrap_or(0);
    }

    /// Returns the index of the main view: the only one, or the perspective view.
    pub(crate) fn main_index(&self) -> usize {
        if self.views.len() == LABELS.len() { PERSPECTIVE } else { 0 }
    }

    /// Returns the main view.
    pub fn main(&self) -> &View {
        &self.views[self.main_index()]
    }

    /// Returns the label of a view: its title, or its name if there are four views.
    pub fn label(&self, index: usize) -> Option<&str> {
        let title = self.title.as_deref().filter(|_| index == self.main_index());
        let name = || if self.views.len() == LABELS.len() { LABELS.get(index).copied() } else { None };
        title.or_else(name)
    }
}

/// The top, front and side cameras, by the areas that they show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrthoViews(pub [OrthoArea; 3]);

/// The unit vector from the center toward the viewer, and the up direction, of the top, front and side cameras.
const AXES: [[DVec3; 2]; 3] = [[DVec3::Y, DVec3::NEG_Z], [DVec3::Z, DVec3::Y], [DVec3::X, DVec3::Y]];

/// The area that an orthographic view shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrthoArea {
    /// The point at the center of the view, in world space.
    pub center: DVec3,
    /// The height of the view in world units.
    pub height: f64,
    /// The distance that the view sees in front of and behind the center, in world units. It is not updated
    /// while the scene changes, because a drag must not change its view.
    pub reach: f64,
}

impl OrthoViews {
    /// Returns three cameras that look at one point, with this height in world units.
    pub fn new(center: DVec3, height: f64) -> Self {
        Self([OrthoArea { center, height, reach: height }; 3])
    }

    /// Returns cameras that frame a scene, with a margin.
    pub fn of_scene(scene: &Scene) -> Self {
        let ball = Ball::of_scene(scene);
        let mut ortho_views = Self::new(ball.center, 2.5);
        ortho_views.frame(ball);
        ortho_views.reaching(scene.bounds())
    }

    /// Extends the depth ranges to contain a scene.
    #[must_use]
    pub(crate) fn reaching(mut self, scene: Option<Bounds>) -> Self {
        for area in &mut self.0 {
            let around = scene.map_or(0.0, |scene| scene.center().distance(area.center) + scene.radius());
            area.reach = area.reach.max(around);
        }
        self
    }

    /// Frames a sphere.
    pub fn frame(&mut self, Ball { center, radius }: Ball) {
        for area in &mut self.0 {
            (area.center, area.height) = (center, 2.5 * radius);
        }
    }

    /// Returns the four views of a viewport. `perspective` makes the perspective view in its quarter. It
    /// has the key of a single view, because both are the main view; the others have keys of their own.
    pub fn views(
        &self,
        viewport: Viewport,
        scale_factor: f64,
        perspective: impl FnOnce(Viewport) -> Result<View, ViewError>,
    ) -> Result<Vec<View>, ViewError> {
        let [a, b, c, d] = quarters(viewport);
        let perspective = perspective(b)?;
        // One pass draws all four views, so they need the same depth direction.
        let camera = |index: usize, viewport: Viewport| {
            let view =
                self.0[index].view(AXES[index], viewport, scale_factor, perspective.depth_direction())?;
            Ok(view.with_key(index as u64 + 1))
        };
        Ok(vec![camera(0, a)?, perspective, camera(1, c)?, camera(2, d)?])
    }

    /// Returns an error if the orthographic views cannot be made in a viewport.
    pub(crate) fn check(&self, viewport: Viewport) -> Result<(), ViewError> {
        let mut areas = self.0.iter().zip(AXES);
        areas
            .try_for_each(|(area, axes)| area.view(axes, viewport, 1.0, DepthDirection::Standard).map(|_| ()))
    }

    /// Returns the area of a view, or `None` for the perspective view.
    pub(crate) fn of_view(&mut self, view: usize) -> Option<&mut OrthoArea> {
        let index = if view < PERSPECTIVE { view } else { view.checked_sub(1)? };
        self.0.get_mut(index).filter(|_| view != PERSPECTIVE)
    }
}

impl OrthoArea {
    /// Zooms in by a number of wheel notches. This point stays where it is on screen.
    pub(crate) fn zoom_to(&mut self, point: DVec3, notches: f64) {
        let before = *self;
        self.zoom(notches);
        self.center = point + (before.center - point) * (self.height / before.height);
    }

    /// Zooms in by a number of wheel notches.
    pub(crate) fn zoom(&mut self, notches: f64) {
        self.height = (self.height * ZOOM.powf(notches)).clamp(1e-6, 1e12);
    }

    fn view(
        &self,
        [backward, up]: [DVec3; 2],
        viewport: Viewport,
        scale_factor: f64,
        depth: DepthDirection,
    ) -> Result<View, ViewError> {
        let Self { center, height, reach } = *self;
        // Enough space for dragged objects, but not so much that depth loses precision.
        let reach = 50.0 * reach.max(height);
        let pose = [center, backward, up];
        let [view_from_world, clip_from_view] = orthographic_matrices(pose, height, reach, viewport, depth);
        let view = View::new(view_from_world, clip_from_view, viewport, scale_factor)?;
        Ok(view.with_depth_direction(depth))
    }
}

/// Pans a camera so that the point that it looks at follows the pointer in its view.
pub(crate) fn pan(center: &mut DVec3, by_px: DVec2, view: &View) {
    *center += (view.up() * by_px.y - view.right() * by_px.x) * view.pixel_size(*center);
}

/// Returns `view_from_world` and `clip_from_view` of an orthographic camera. `height` is the height of the
/// viewport in world units, and `reach` the distance that is visible in front of and behind the center.
pub(crate) fn orthographic_matrices(
    [center, backward, up]: [DVec3; 3],
    height: f64,
    reach: f64,
    viewport: Viewport,
    depth: DepthDirection,
) -> [DMat4; 2] {
    let half_height = 0.5 * height;
    let half_width = half_height * viewport.width / viewport.height;
    let (near, far) = match depth {
        DepthDirection::Standard => (-reach, reach),
        DepthDirection::Reversed => (reach, -reach),
    };
    [
        rh::view::look_at_mat4(center + backward, center, up),
        rh::proj::directx::orthographic(-half_width, half_width, -half_height, half_height, near, far),
    ]
}

/// Splits a viewport into top left, top right, bottom left and bottom right, at pixel boundaries.
fn quarters(viewport: Viewport) -> [Viewport; 4] {
    let Viewport { x, y, width, height } = viewport;
    // A viewport of a single pixel is split within the pixel, because no quarter may be empty.
    let split = |start: f64, length: f64| match (start + 0.5 * length).floor() - start {
        first if first > 0.0 && first < length => first,
        _ => 0.5 * length,
    };
    let (w, h) = (split(x, width), split(y, height));
    let part = |x, y, width, height| Viewport { x, y, width, height };
    [
        part(x, y, w, h),
        part(x + w, y, width - w, h),
        part(x, y + h, w, height - h),
        part(x + w, y + h, width - w, height - h),
    ]
}
