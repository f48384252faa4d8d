//! One view, or four of them in one picture: from the top, the front and the side with parallel
//! rays, and the one in perspective.

use crate::bounds::Bounds;
use crate::orbit::ZOOM;
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3, dcamera::rh};
use wgpu_gizmo::math::{DepthDirection, ViewError};
use wgpu_gizmo::{View, Viewport};

/// Where a picture is: a target, the part of it that shows the scene, and its pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    /// Width and height of the target in physical pixels.
    pub(crate) size_px: [u32; 2],
    pub(crate) viewport: Viewport,
    /// Physical pixels in a logical one.
    pub(crate) scale_factor: f64,
}

/// The views that one picture shows, and which of them the pointer is in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Views {
    /// At least one.
    views: Vec<View>,
    current: usize,
    /// Of the main view, where it is seen otherwise than usual.
    title: Option<String>,
    /// The part of the main view that a camera is meant for which it is seen by.
    framed: Option<Viewport>,
}

/// What stands in the corner of each view, where there are four.
const LABELS: [&str; 4] = ["Top", "Perspective", "Front", "Side"];
/// Place of the view in perspective among the four.
pub(crate) const PERSPECTIVE: usize = 1;

impl Views {
    /// The whole picture is one view.
    pub(crate) fn one(view: View) -> Self {
        Self { views: vec![view], current: 0, title: None, framed: None }
    }

    /// All of them; no two overlap.
    pub(crate) fn all(&self) -> &[View] {
        &self.views
    }

    /// Place of the view that the pointer is in.
    pub(crate) fn place(&self) -> usize {
        self.current
    }

    /// The view that the pointer is in, or was last.
    pub(crate) fn current(&self) -> &View {
        &self.views[self.current]
    }

    /// The view with this point in it; else the pointer's.
    pub(crate) fn at(&self, px: DVec2) -> &View {
        self.views.iter().find(|view| view.viewport().contains(px)).unwrap_or(self.current())
    }

    /// Goes along with the pointer. What has begun in one view stays there, wherever the pointer
    /// goes.
    pub(crate) fn follow(&mut self, cursor_px: DVec2, stays: bool) {
        let under = self.views.iter().position(|view| view.viewport().contains(cursor_px));
        self.current = under.filter(|_| !stays).unwrap_or(self.current);
    }

    /// The same views seen anew: the pointer stays where it is.
    pub(crate) fn renew(&mut self, views: Vec<View>) {
        self.current = if views.len() == self.views.len() { self.current } else { 0 };
        self.views = views;
    }

    /// Place of the main view: the only one, or that in perspective.
    pub(crate) fn main_place(&self) -> usize {
        if self.views.len() == LABELS.len() { PERSPECTIVE } else { 0 }
    }

    /// The main view.
    pub(crate) fn main(&self) -> &View {
        &self.views[self.main_place()]
    }

    /// Names the main view, where it is seen otherwise than usual.
    pub(crate) fn set_title(&mut self, title: Option<String>) {
        self.title = title;
    }

    /// Shows which part of the main view counts.
    pub(crate) fn set_framed(&mut self, framed: Option<Viewport>) {
        self.framed = framed;
    }

    /// The part of the main view that counts, where that is not all of it.
    pub(crate) fn framed(&self) -> Option<Viewport> {
        self.framed
    }

    /// Name of a view, where there are several, or where it is seen otherwise than usual.
    pub(crate) fn label(&self, place: usize) -> Option<&str> {
        let title = self.title.as_deref().filter(|_| place == self.main_place());
        let usual = || if self.views.len() == LABELS.len() { LABELS.get(place).copied() } else { None };
        title.or_else(usual)
    }
}

/// The three cameras with parallel rays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plans([Plan; 3]);

/// What a view with parallel rays looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PlanPlace {
    /// In the middle of the view, in world space.
    pub(crate) center: DVec3,
    /// World units that the view's height shows.
    pub(crate) height: f64,
    /// World units. It goes with the scene as it was: a depth that changed with what is dragged
    /// would make another view of it in the middle of the drag.
    pub(crate) reach: f64,
}

/// A camera with parallel rays that looks at a point along one of the world's axes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Plan {
    place: PlanPlace,
    /// Unit, from what is looked at to the viewer.
    backward: DVec3,
    up: DVec3,
}

impl Plans {
    /// All three look at one point; so many world units fit into the height of each.
    pub(crate) fn new(center: DVec3, height: f64) -> Self {
        Self::at([PlanPlace { center, height, reach: height }; 3])
    }

    /// Top, front and side look at these.
    pub(crate) fn at([top, front, side]: [PlanPlace; 3]) -> Self {
        let plan = |place, backward, up| Plan { place, backward, up };
        Self([
            plan(top, DVec3::Y, DVec3::NEG_Z),
            plan(front, DVec3::Z, DVec3::Y),
            plan(side, DVec3::X, DVec3::Y),
        ])
    }

    /// What top, front and side look at.
    pub(crate) fn places(&self) -> [PlanPlace; 3] {
        self.0.map(|plan| plan.place)
    }

    /// Round everything in a scene, with some room.
    pub(crate) fn of_scene(bounds: Option<Bounds>) -> Self {
        let (center, radius) = bounds.map_or((DVec3::ZERO, 1.0), |b| (b.center(), b.radius()));
        let mut plans = Self::new(center, 2.5);
        plans.frame(center, radius);
        plans.reaching(bounds)
    }

    /// Nothing of this is cut off, however close the cameras come to a part of it.
    #[must_use]
    pub(crate) fn reaching(mut self, scene: Option<Bounds>) -> Self {
        for Plan { place, .. } in &mut self.0 {
            let around = scene.map_or(0.0, |scene| scene.center().distance(place.center) + scene.radius());
            place.reach = place.reach.max(around);
        }
        self
    }

    /// Comes close to a sphere.
    pub(crate) fn frame(&mut self, center: DVec3, radius: f64) {
        let radius = if radius.is_finite() && radius > 0.0 { radius } else { 1.0 };
        for plan in &mut self.0 {
            (plan.place.center, plan.place.height) = (center, 2.5 * radius);
        }
    }

    /// The four views of a viewport. `perspective` sees through the quarter that it is given.
    pub(crate) fn views(
        &self,
        viewport: Viewport,
        scale_factor: f64,
        perspective: impl FnOnce(Viewport) -> Result<View, ViewError>,
    ) -> Result<Vec<View>, ViewError> {
        let [a, b, c, d] = quarters(viewport);
        let perspective = perspective(b)?;
        // One pass draws all four, so that their depths run one way.
        let plan = |place: usize, viewport: Viewport| {
            self.0[place].view(viewport, scale_factor, perspective.depth_direction())
        };
        Ok(vec![plan(0, a)?, perspective, plan(1, c)?, plan(2, d)?])
    }

    /// The camera of a view, if it is one of these.
    fn of_view(&mut self, place: usize) -> Option<&mut Plan> {
        let plan = if place < PERSPECTIVE { place } else { place.checked_sub(1)? };
        self.0.get_mut(plan).filter(|_| place != PERSPECTIVE)
    }

    /// Moves a view sideways so that what is looked at stays under the pointer.
    pub(crate) fn pan(&mut self, place: usize, by_px: DVec2, view: &View) {
        if let Some(plan) = self.of_view(place) {
            let unit = view.pixel_size(plan.place.center);
            plan.place.center += (view.up() * by_px.y - view.right() * by_px.x) * unit;
        }
    }

    /// Nearer by so many notches of a wheel.
    pub(crate) fn zoom(&mut self, place: usize, notches: f64) {
        if let Some(plan) = self.of_view(place) {
            plan.place.height = (plan.place.height * ZOOM.powf(notches)).clamp(1e-6, 1e12);
        }
    }
}

impl Plan {
    fn view(&self, viewport: Viewport, scale_factor: f64, depth: DepthDirection) -> Result<View, ViewError> {
        let PlanPlace { center, height, reach } = self.place;
        // Room for what is dragged about, and not so much that depths lose their digits.
        let reach = 50.0 * reach.max(height);
        let looks = [center, self.backward, self.up];
        let [view_from_world, clip_from_view] = parallel(looks, height, reach, viewport, depth);
        let view = View::new(view_from_world, clip_from_view, viewport, scale_factor)?;
        Ok(view.with_depth_direction(depth))
    }
}

/// `view_from_world` and `clip_from_view` of parallel rays: through a centre, toward the viewer, and
/// what is up. So many world units fit into the viewport's height, and as many as `reach` before and
/// behind the centre are seen.
pub(crate) fn parallel(
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

/// Top left, top right, bottom left, bottom right, with edges between pixels.
fn quarters(viewport: Viewport) -> [Viewport; 4] {
    let Viewport { x, y, width, height } = viewport;
    // A viewport of a single pixel still gives four that have some.
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

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu_gizmo::glam::DMat4;

    fn four(viewport: Viewport) -> Views {
        let plans = Plans::new(DVec3::new(1.0, 2.0, 3.0), 4.0);
        let perspective = |viewport| {
            let projection = rh::proj::directx::perspective_infinite_reverse(0.7, 1.0, 0.1);
            View::new(DMat4::from_translation(DVec3::NEG_Z), projection, viewport, 1.0)
        };
        let views = plans.views(viewport, 1.0, perspective).expect("usable");
        let mut four = Views::one(views[0]);
        four.renew(views);
        four
    }

    #[test]
    fn top_front_and_side_show_the_axes_where_a_drawing_has_them() {
        let four = four(Viewport { x: 10.0, y: 20.0, width: 801.0, height: 600.0 });
        let center = DVec3::new(1.0, 2.0, 3.0);
        // 300 pixels for 4 units.
        for (place, right, up) in
            [(0, DVec3::X, DVec3::NEG_Z), (2, DVec3::X, DVec3::Y), (3, DVec3::NEG_Z, DVec3::Y)]
        {
            let view = four.all()[place];
            let px = |point| view.px_from_world(point).expect("parallel rays see all");
            let viewport = view.viewport();
            let middle = DVec2::new(viewport.x + 0.5 * viewport.width, viewport.y + 0.5 * viewport.height);
            assert!(px(center).abs_diff_eq(middle, 1e-9), "{place}");
            assert!((px(center + right) - middle).abs_diff_eq(DVec2::X * 75.0, 1e-9), "{place}");
            assert!((px(center + up) - middle).abs_diff_eq(DVec2::NEG_Y * 75.0, 1e-9), "{place}");
            assert_eq!(view.depth_direction(), DepthDirection::Reversed);
            assert!(view.forward().abs_diff_eq(up.cross(right), 1e-12), "{place}");
        }
    }

    #[test]
    fn every_pixel_is_in_one_view_and_a_drag_stays_in_its_own() {
        let mut four = four(Viewport { x: 0.0, y: 0.0, width: 7.0, height: 5.0 });
        for (x, y) in (0..7).flat_map(|x| (0..5).map(move |y| (f64::from(x) + 0.5, f64::from(y) + 0.5))) {
            let inside = four.all().iter().filter(|view| view.viewport().contains(DVec2::new(x, y)));
            assert_eq!(inside.count(), 1);
        }
        four.follow(DVec2::new(6.0, 4.0), false);
        assert_eq!(four.label(four.place()), Some("Side"));
        four.follow(DVec2::ONE, true);
        assert_eq!(four.place(), 3);
        four.follow(DVec2::ONE, false);
        assert_eq!((four.place(), four.at(DVec2::splat(-9.0))), (0, four.current()));
    }
}
