//! The cameras: the main one, which may be the viewer's own, a node's or one that a replay gives,
//! and the three of the other views.

use crate::bounds::Bounds;
use crate::lens::{self, Lens};
use crate::orbit::{Ball, FIELD_OF_VIEW, Orbit, ZOOM};
use crate::replay_file::{Camera, Replay};
use crate::scene::Scene;
use crate::views::{Frame, OrthoViews, Views};
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3};
use wgpu_gizmo::math::ViewError;
use wgpu_gizmo::{View, Viewport};

/// What the main view is seen by.
#[derive(Debug, Clone, PartialEq)]
enum CameraSource {
    /// The viewer's own camera.
    Own,
    /// A node, as it stood when it was last followed; `before` is what it was seen by before it was
    /// looked through a node.
    Node { node: usize, view_from_world: DMat4, lens: Lens, before: Box<CameraSource> },
    /// What a replay says.
    Given(Camera),
}

/// All cameras, and whether one view is shown or four.
#[derive(Debug, Clone)]
pub(crate) struct Cameras {
    own: Orbit,
    by: CameraSource,
    plans: OrthoViews,
    shows_four: bool,
    shows_cube: bool,
    /// Round the scene as it was loaded.
    scene: Ball,
}

impl Cameras {
    /// One view, round everything in a scene.
    pub(crate) fn of_scene(scene: &Scene) -> Self {
        Self {
            own: Orbit::of_scene(scene),
            by: CameraSource::Own,
            plans: OrthoViews::of_scene(scene.bounds()),
            shows_four: false,
            shows_cube: true,
            scene: Ball::of_scene(scene),
        }
    }

    /// As a replay begins.
    pub(crate) fn of_replay(replay: &Replay) -> Self {
        let mut cameras = Self::of_scene(&replay.scene);
        cameras.give(replay.camera.clone());
        cameras.shows_cube = replay.view_cube;
        cameras.plans = replay.plans.unwrap_or(cameras.plans);
        cameras.shows_four = replay.plans.is_some();
        if let Some(node) = replay.look_through {
            cameras.look_through(node, &replay.scene);
        }
        cameras
    }

    /// One view for four, or four for one.
    pub(crate) fn switch(&mut self) {
        self.shows_four = !self.shows_four;
    }

    /// Four views with these cameras, or one.
    pub(crate) fn set_plans(&mut self, plans: Option<OrthoViews>) {
        self.plans = plans.unwrap_or(self.plans);
        self.shows_four = plans.is_some();
    }

    /// The cameras of the other views, where there are four.
    pub(crate) fn plans(&self) -> Option<&OrthoViews> {
        Some(&self.plans).filter(|_| self.shows_four)
    }

    /// The main view has the view cube in its corner, or not.
    pub(crate) fn show_cube(&mut self, is_shown: bool) {
        self.shows_cube = is_shown;
    }

    /// Whether the main view has the view cube in its corner.
    pub(crate) fn shows_cube(&self) -> bool {
        self.shows_cube
    }

    /// The main view is seen by this camera from now on.
    pub(crate) fn give(&mut self, camera: Camera) {
        self.by = CameraSource::Given(camera);
    }

    /// The main view is seen by this node from now on.
    pub(crate) fn look_through(&mut self, node: usize, scene: &Scene) {
        let lens = scene.nodes()[node].lens.unwrap_or(Lens::Perspective {
            fov_y: FIELD_OF_VIEW,
            near: 1e-3 * self.scene.radius,
            far: None,
            aspect: None,
        });
        let view_from_world = lens::view_from_world(scene, node);
        let before = match std::mem::replace(&mut self.by, CameraSource::Own) {
            CameraSource::Node { before, .. } => before,
            other => Box::new(other),
        };
        self.by = CameraSource::Node { node, view_from_world, lens, before };
    }

    /// Looks through no node any longer, but as it was looked before: the node itself may be all
    /// round where it stands.
    pub(crate) fn leave_node(&mut self) {
        if let CameraSource::Node { before, .. } = &mut self.by {
            self.by = std::mem::replace(before, CameraSource::Own);
        }
    }

    /// The node that the main view is seen by.
    pub(crate) fn looks_through(&self) -> Option<usize> {
        match self.by {
            CameraSource::Node { node, .. } => Some(node),
            _ => None,
        }
    }

    /// Goes along with the node that is looked through.
    pub(crate) fn follow(&mut self, scene: &Scene) {
        if let CameraSource::Node { node, view_from_world, .. } = &mut self.by {
            match *node < scene.nodes().len() && scene.is_there(*node) {
                true => *view_from_world = lens::view_from_world(scene, *node),
                false => self.leave_node(),
            }
        }
    }

    /// The main camera as it is through this viewport: what [`Cameras::give`] takes.
    pub(crate) fn main_camera(&self, viewport: Viewport) -> Camera {
        let [view_from_world, clip_from_view] = match &self.by {
            CameraSource::Own => self.own.matrices(viewport),
            CameraSource::Node { view_from_world, lens, .. } => {
                [*view_from_world, lens.clip_from_view(viewport)]
            }
            CameraSource::Given(camera) => return camera.clone(),
        };
        Camera::Matrices { view_from_world, clip_from_view }
    }

    /// What they see through a frame.
    pub(crate) fn views(&self, frame: &Frame) -> Result<Vec<View>, ViewError> {
        let main = |viewport| self.main_camera(viewport).view(viewport, frame.scale_factor);
        match self.shows_four {
            true => self.plans.views(frame.viewport, frame.scale_factor, main),
            false => main(frame.viewport).map(|view| vec![view]),
        }
    }

    /// What is to be said of the main view.
    pub(crate) fn title(&self, scene: &Scene) -> Option<String> {
        match &self.by {
            CameraSource::Node { node, .. } => Some(format!("Through {}", scene.nodes().get(*node)?.name)),
            CameraSource::Own if self.own.is_parallel() => Some("Orthographic".to_owned()),
            CameraSource::Own | CameraSource::Given(_) => None,
        }
    }

    /// The part of the main view that the camera that is looked through is meant for.
    pub(crate) fn framed(&self, main: &View) -> Option<Viewport> {
        match self.by {
            CameraSource::Node { lens, .. } => lens.framed(main.viewport()),
            _ => None,
        }
    }

    /// The viewer's own camera, which sees the main view from now on: from where it is seen, or, where
    /// it is looked through a node, from where it was seen before.
    pub(crate) fn own(&mut self, views: &Views) -> &mut Orbit {
        self.leave_node();
        if let CameraSource::Given(camera) = &self.by {
            let main = views.main();
            // One that sees nothing in this viewport leaves what is seen.
            let view = camera.view(main.viewport(), main.scale_factor()).unwrap_or(*main);
            self.own = Orbit::seeing_as(&view, self.scene);
            self.by = CameraSource::Own;
        }
        &mut self.own
    }

    /// Comes close to a box in every view.
    pub(crate) fn frame(&mut self, bounds: Bounds, views: &Views) {
        let ball = Ball::new(bounds.center(), bounds.radius());
        self.own(views).frame(ball);
        self.plans.frame(ball.center, ball.radius);
    }

    /// The main view looks at what it looks at from this side.
    pub(crate) fn face(&mut self, backward: DVec3, views: &Views) {
        self.own(views).face(backward);
    }

    /// Parallel rays in the main view, or no longer.
    pub(crate) fn switch_parallel(&mut self, views: &Views) {
        let own = self.own(views);
        own.set_parallel(!own.is_parallel());
    }

    /// The pointer has been dragged in a view: its camera turns, or moves sideways. Those with
    /// parallel rays keep looking along their axes.
    pub(crate) fn drag(&mut self, views: &Views, by_px: DVec2, pans: bool) {
        let view = views.current();
        if self.is_plan(views) {
            self.plans.pan(views.place(), by_px, view);
        } else if pans {
            // Not `view`: the camera may have left a node since that was made.
            let viewport = view.viewport();
            self.own(views);
            let seen = self.main_camera(viewport).view(viewport, view.scale_factor());
            self.own.pan(by_px, &seen.unwrap_or(*view));
        } else {
            self.turn(views, by_px);
        }
    }

    /// The main camera turns round what it looks at.
    pub(crate) fn turn(&mut self, views: &Views, by_px: DVec2) {
        self.own(views).turn(by_px / views.main().scale_factor());
    }

    /// Nearer in the pointer's view by so many notches of a wheel.
    pub(crate) fn zoom(&mut self, views: &Views, notches: f64) {
        if self.is_plan(views) {
            self.plans.zoom(views.place(), notches);
        } else {
            self.own(views).zoom(notches);
        }
    }

    /// So many times as large, in the pointer's view.
    pub(crate) fn magnify(&mut self, views: &Views, times: f64) {
        if times.is_finite() && times > 0.0 {
            self.zoom(views, times.ln() / -ZOOM.ln());
        }
    }

    /// The main camera goes round what it looks at by so many radians.
    pub(crate) fn spin(&mut self, views: &Views, radians: f64) {
        self.own(views).spin(radians);
    }

    fn is_plan(&self, views: &Views) -> bool {
        self.shows_four && views.place() != views.main_place()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::built_in;

    fn frame() -> Frame {
        Frame { size_px: [640, 480], viewport: Viewport::of_size(640, 480), scale_factor: 1.0 }
    }

    fn looks_of(cameras: &Cameras) -> Views {
        Views::one(cameras.views(&frame()).expect("usable")[0])
    }

    fn main(cameras: &Cameras) -> View {
        *looks_of(cameras).main()
    }

    #[test]
    fn leaving_look_through_returns_to_the_view_before_it() {
        let scene = built_in::scene();
        let [wrist, lamp] = [0, scene.nodes().len() - 1];
        let mut own = Cameras::of_scene(&scene);
        own.turn(&looks_of(&own), DVec2::new(40.0, -9.0));
        let mut given = Cameras::of_scene(&scene);
        given.give(own.main_camera(frame().viewport));
        for mut cameras in [own, given] {
            let before = main(&cameras);
            cameras.look_through(wrist, &scene);
            cameras.look_through(lamp, &scene);
            cameras.follow(&scene);
            assert_ne!(main(&cameras), before);
            let mut left = cameras.clone();
            left.leave_node();
            assert_eq!((main(&left), left.looks_through()), (before, None));
            // As does a node that goes while it is looked through.
            let mut gone = scene.clone();
            gone.set_flag(lamp, crate::flags::Flag::Deleted, true);
            let mut lost = cameras.clone();
            lost.follow(&gone);
            assert_eq!((main(&lost), lost.looks_through()), (before, None));
            // What moves the camera moves that of before.
            let mut moved = cameras.clone();
            moved.turn(&looks_of(&moved), DVec2::ZERO);
            let after = main(&moved);
            let point = scene.bounds().expect("not empty").center();
            let [a, b] = [before, after].map(|view| view.px_from_world(point).expect("in front"));
            assert!(a.distance(b) < 1e-6 && moved.looks_through().is_none(), "{a} {b}");
        }
    }
}
