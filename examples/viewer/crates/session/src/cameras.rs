//! The cameras: the main camera, which can be the viewer's orbit camera, a node's camera or one from a
//! replay, and the cameras of the three orthographic views.

use crate::orbit::{Ball, FIELD_OF_VIEW, Orbit};
use crate::replay_file::{Camera, Replay};
use crate::views::{Canvas, OrthoArea, OrthoViews, Views, ZOOM, pan};
use scene::Scene;
use scene::bounds::Bounds;
use scene::lens::{self, Lens};
use wgpu_gizmo_core::glam::{DMat4, DVec2, DVec3};
use wgpu_gizmo_core::math::ViewError;
use wgpu_gizmo_core::{View, Viewport};

/// The source of the main camera.
#[derive(Debug, Clone, PartialEq)]
enum CameraSource {
    /// The viewer's orbit camera.
    Orbit,
    /// A node's camera, at its last known transform. `before` is the source to return to.
    Node { node: usize, view_from_world: DMat4, lens: Lens, before: Box<CameraSource> },
    /// A camera from a replay.
    Replay(Camera),
}

/// All cameras, and whether one view or four are shown.
#[derive(Debug, Clone)]
pub struct Cameras {
    orbit: Orbit,
    source: CameraSource,
    /// The camera that the main view shows during a jump to its own.
    pub transit: Option<Orbit>,
    ortho_views: OrthoViews,
    pub(crate) shows_four: bool,
    /// Whether the main view shows the view cube.
    pub shows_cube: bool,
    /// The bounding ball of the scene when it was loaded.
    scene: Ball,
}

impl Cameras {
    /// Creates one view that frames a scene.
    pub fn of_scene(scene: &Scene) -> Self {
        Self {
            orbit: Orbit::framing(scene),
            source: CameraSource::Orbit,
            transit: None,
            ortho_views: OrthoViews::of_scene(scene),
            shows_four: false,
            shows_cube: true,
            scene: Ball::of_scene(scene),
        }
    }

    /// Creates the cameras at the start of a replay.
    pub fn of_replay(replay: &Replay) -> Self {
        let mut cameras = Self::of_scene(&replay.scene);
        cameras.set_camera(replay.camera.clone());
        cameras.shows_cube = replay.view_cube;
        cameras.set_ortho_views(replay.ortho_views);
        cameras.look_through(replay.look_through, &replay.scene);
        cameras
    }

    /// Shows four views with these cameras, or one view if `None`.
    pub(crate) fn set_ortho_views(&mut self, ortho_views: Option<OrthoViews>) {
        self.ortho_views = ortho_views.unwrap_or(self.ortho_views);
        self.shows_four = ortho_views.is_some();
    }

    /// Returns the cameras of the orthographic views, if four views are shown.
    pub(crate) fn ortho_views(&self) -> Option<&OrthoViews> {
        Some(&self.ortho_views).filter(|_| self.shows_four)
    }

    /// Sets the main camera to one from a replay.
    pub(crate) fn set_camera(&mut self, camera: Camera) {
        self.source = CameraSource::Replay(camera);
    }

    /// Looks through a node, or with `None` returns to the earlier camera. A node without a camera gets a default lens.
    pub fn look_through(&mut self, node: impl Into<Option<usize>>, scene: &Scene) {
        let Some(node) = node.into() else { return self.leave_node() };
        let lens = scene.lens(node).unwrap_or(Lens::Perspective {
            fov_y: FIELD_OF_VIEW,
            near: 1e-3 * self.scene.radius,
            far: None,
            aspect: None,
        });
        let view_from_world = lens::view_from_world(scene, node);
        let before = match std::mem::replace(&mut self.source, CameraSource::Orbit) {
            CameraSource::Node { before, .. } => before,
            other => Box::new(other),
        };
        self.source = CameraSource::Node { node, view_from_world, lens, before };
    }

    /// Stops looking through a node and returns to the previous camera. The viewpoint of the node is
    /// not kept, because the node itself would surround it.
    pub fn leave_node(&mut self) {
        if let CameraSource::Node { before, .. } = &mut self.source {
            self.source = std::mem::replace(before, CameraSource::Orbit);
        }
    }

    /// Returns the source of the camera that the main view shows.
    fn shown(&self) -> &CameraSource {
        if self.transit.is_some() { &CameraSource::Orbit } else { &self.source }
    }

    /// Returns the node that the main view looks through.
    pub fn looks_through(&self) -> Option<usize> {
        match self.shown() {
            CameraSource::Node { node, .. } => Some(*node),
            _ => None,
        }
    }

    /// Follows the node that is looked through.
    pub fn follow(&mut self, scene: &Scene) {
        if let CameraSource::Node { node, view_from_world, lens, .. } = &mut self.source {
            match *node < scene.nodes().len() && scene.exists(*node) {
                true => {
                    *view_from_world = lens::view_from_world(scene, *node);
                    *lens = scene.lens(*node).unwrap_or(*lens);
                }
                false => self.leave_node(),
            }
        }
    }

    /// Returns the main camera for a viewport, in the form that [`Cameras::set_camera`] takes.
    pub(crate) fn main_camera(&self, viewport: Viewport) -> Camera {
        let [view_from_world, clip_from_view] = match self.shown() {
            CameraSource::Orbit => self.transit.unwrap_or(self.orbit).matrices(viewport),
            CameraSource::Node { view_from_world, lens, .. } => {
                [*view_from_world, lens.clip_from_view(viewport)]
            }
            CameraSource::Replay(camera) => return camera.clone(),
        };
        Camera::Matrices { view_from_world, clip_from_view }
    }

    /// Returns the views of a frame.
    pub fn views(&self, canvas: &Canvas) -> Result<Vec<View>, ViewError> {
        let main = |viewport| self.main_camera(viewport).view(viewport, canvas.scale_factor);
        match self.shows_four {
            true => self.ortho_views.views(canvas.viewport, canvas.scale_factor, main),
            false => main(canvas.viewport).map(|view| vec![view]),
        }
    }

    /// Returns the title of the main view.
    pub fn title(&self, scene: &Scene) -> Option<String> {
        let orbit = self.transit.unwrap_or(self.orbit);
        match self.shown() {
            CameraSource::Node { node, .. } => Some(format!("Through {}", scene.nodes().get(*node)?.name)),
            CameraSource::Orbit if orbit.is_orthographic => Some("Orthographic".to_owned()),
            CameraSource::Orbit | CameraSource::Replay(_) => None,
        }
    }

    /// Returns the part of the main view that the camera of the node was made for.
    pub fn framed(&self, main: &View) -> Option<Viewport> {
        match self.shown() {
            CameraSource::Node { lens, .. } => lens.framed(main.viewport()),
            _ => None,
        }
    }

    /// Makes the orbit camera the main camera and returns it. It takes over the current view, or the
    /// view before looking through a node.
    pub fn use_orbit(&mut self, views: &Views) -> &mut Orbit {
        self.leave_node();
        if let CameraSource::Replay(camera) = &self.source {
            let main = views.main();
            // A camera that is not valid in this viewport is ignored.
            let view = camera.view(main.viewport(), main.scale_factor()).unwrap_or(*main);
            self.orbit = Orbit::from_view(&view, self.scene);
            self.source = CameraSource::Orbit;
        }
        &mut self.orbit
    }

    /// Frames a bounding box in every view.
    pub fn frame(&mut self, bounds: Bounds, views: &Views) {
        let ball = Ball::new(bounds.center(), bounds.radius());
        self.use_orbit(views).frame(ball);
        self.ortho_views.frame(ball);
    }

    /// Handles a drag of the pointer in a view: pans its camera, or orbits about a point in world space or its center.
    /// The orthographic views only pan.
    pub fn drag(&mut self, views: &Views, by_px: DVec2, pans: bool, about: Option<DVec3>) {
        if let Some(area) = self.plan_area(views) {
            pan(&mut area.center, by_px, views.current());
        } else if pans {
            let seen = self.seen_by_orbit(views);
            pan(&mut self.orbit.center, by_px, &seen);
        } else {
            let orbit = self.use_orbit(views);
            orbit.turn_about(about.unwrap_or(orbit.center), by_px / views.main().scale_factor());
        }
    }

    /// Makes the orbit camera the main camera and returns its view. The current one is stale if the camera has just
    /// left a node.
    fn seen_by_orbit(&mut self, views: &Views) -> View {
        let (view, viewport) = (views.current(), views.current().viewport());
        self.use_orbit(views);
        self.main_camera(viewport).view(viewport, view.scale_factor()).unwrap_or(*view)
    }

    /// Zooms the view under the pointer in by a number of wheel notches. The point of the scene under the
    /// pointer stays there; if it is not known, the one at the depth of the center.
    pub fn zoom_at(&mut self, views: &Views, notches: f64, cursor_px: DVec2, point: Option<DVec3>) {
        let view = *views.current();
        if !view.viewport().contains(cursor_px) {
            return self.zoom(views, notches);
        }
        let at_depth_of = |center: DVec3, view: &View| {
            let ray = view.pointer_ray(cursor_px);
            let depth = (center - ray.origin).dot(view.forward()) / ray.direction.dot(view.forward());
            Some(ray.at(depth)).filter(|point| point.is_finite()).unwrap_or(center)
        };
        if let Some(area) = self.plan_area(views) {
            let point = point.unwrap_or_else(|| at_depth_of(area.center, &view));
            return area.zoom_to(point, notches);
        }
        let seen = self.seen_by_orbit(views);
        let point = point.unwrap_or_else(|| at_depth_of(self.orbit.center, &seen));
        self.orbit.zoom_to(point, notches);
    }

    /// Returns the orbit camera, if it is the main camera.
    pub fn orbit(&self) -> Option<Orbit> {
        (self.source == CameraSource::Orbit).then_some(self.orbit)
    }

    /// Returns the orbit camera that is closest to the main camera: the same position and direction, without
    /// roll. Returns `None` if the main camera has no valid view.
    pub fn orbit_like_main(&self, canvas: Canvas) -> Option<Orbit> {
        let like = || Some(Orbit::from_view(Views::new(self.views(&canvas).ok()?).main(), self.scene));
        self.orbit().or_else(like)
    }

    /// Zooms the view under the pointer in by this number of wheel notches.
    pub fn zoom(&mut self, views: &Views, notches: f64) {
        match self.plan_area(views) {
            Some(area) => area.zoom(notches),
            None => self.use_orbit(views).zoom(notches),
        }
    }

    /// Magnifies the view under the pointer by this factor.
    pub fn magnify(&mut self, views: &Views, times: f64) {
        if times.is_finite() && times > 0.0 {
            self.zoom(views, times.ln() / -ZOOM.ln());
        }
    }

    /// Returns the area of the orthographic view that the pointer is over, if there is one.
    fn plan_area(&mut self, views: &Views) -> Option<&mut OrthoArea> {
        let is_plan = self.shows_four && views.current_index() != views.main_index();
        self.ortho_views.of_view(views.current_index()).filter(|_| is_plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::*;

    fn canvas() -> Canvas {
        Canvas { size_px: [640, 480], viewport: Viewport::from_size(640, 480), scale_factor: 1.0 }
    }

    fn views_of(cameras: &Cameras) -> Views {
        Views::new(cameras.views(&canvas()).expect("the view is valid"))
    }

    fn main(cameras: &Cameras) -> View {
        *views_of(cameras).main()
    }

    #[test]
    fn orbit_like_node_has_its_eye_and_direction() {
        let scene = built_in::scene();
        let mut cameras = Cameras::of_scene(&scene);
        assert_eq!(cameras.orbit_like_main(canvas()), cameras.orbit());
        for node in 0..scene.nodes().len() {
            cameras.look_through(node, &scene);
            let through = main(&cameras);
            let like = cameras.orbit_like_main(canvas()).expect("the view is valid");
            cameras.transit = Some(like);
            assert_eq!(cameras.looks_through(), None, "not before the end of the jump");
            let moved = main(&cameras);
            let eyes = through.eye().zip(moved.eye()).expect("both views are perspective");
            let name = &scene.nodes()[node].name;
            assert!(eyes.0.distance(eyes.1) < 1e-9, "{name}: {eyes:?}");
            assert!(through.forward().distance(moved.forward()) < 1e-9, "{name}");
            cameras.transit = None;
        }
    }

    #[test]
    fn leaving_look_through_restores_earlier_view() {
        let scene = built_in::scene();
        let [wrist, lamp] = [0, scene.nodes().len() - 1];
        let mut own = Cameras::of_scene(&scene);
        own.drag(&views_of(&own), DVec2::new(40.0, -9.0), false, None);
        let mut given = Cameras::of_scene(&scene);
        given.set_camera(own.main_camera(canvas().viewport));
        for mut cameras in [own, given] {
            let before = main(&cameras);
            cameras.look_through(wrist, &scene);
            cameras.look_through(lamp, &scene);
            cameras.follow(&scene);
            assert_ne!(main(&cameras), before);
            let mut left = cameras.clone();
            left.leave_node();
            assert_eq!((main(&left), left.looks_through()), (before, None));
            // Deleting the node that is looked through leaves it too.
            let mut gone = scene.clone();
            gone.set_flag(lamp, scene::flags::Flag::Deleted, true);
            let mut lost = cameras.clone();
            lost.follow(&gone);
            assert_eq!((main(&lost), lost.looks_through()), (before, None));
            // Moving the camera moves the previous one.
            let mut moved = cameras.clone();
            moved.drag(&views_of(&moved), DVec2::ZERO, false, None);
            let after = main(&moved);
            let point = scene.bounds().expect("the scene is not empty").center();
            let [a, b] = [before, after]
                .map(|view| view.px_from_world(point).expect("the point is in front of the eye"));
            assert!(a.distance(b) < 1e-6 && moved.looks_through().is_none(), "{a} {b}");
        }
    }

    #[test]
    fn view_through_camera_follows_its_field_of_view() {
        let eye = Node { camera: Some(0), ..Node::new("eye", None, Transform::IDENTITY) };
        let mut scene = Scene::new(vec![eye], Vec::new()).expect("the node forms a tree");
        let lens =
            |fov_y| NodeVolume::Camera(Lens::Perspective { fov_y, near: 0.1, far: None, aspect: None });
        scene.set_volumes(vec![Some(lens(0.8))]);
        let mut cameras = Cameras::of_scene(&scene);
        cameras.look_through(0, &scene);
        for fov_y in [0.8, 1.2] {
            assert!(scene.set_volume(0, lens(fov_y)));
            cameras.follow(&scene);
            let at_top = DVec3::new(0.0, (0.5 * fov_y).tan(), -1.0);
            let px = main(&cameras).px_from_world(at_top).expect("the point is in front of the eye");
            assert!(px.y.abs() < 1e-6, "{fov_y}: {px}");
        }
    }

    type Motion<'a> = &'a dyn Fn(&mut Cameras, &Views);

    #[test]
    fn first_camera_motion_out_of_node_acts_on_earlier_view() {
        let scene = built_in::scene();
        let own = Cameras::of_scene(&scene);
        let (by_px, at_px) = (DVec2::new(40.0, -9.0), DVec2::new(200.0, 100.0));
        let motions: [Motion<'_>; 7] = [
            &|cameras, views| cameras.drag(views, by_px, true, None),
            &|cameras, views| cameras.drag(views, by_px, false, None),
            &|cameras, views| cameras.drag(views, by_px, false, Some(DVec3::ONE)),
            &|cameras, views| cameras.zoom_at(views, 2.0, at_px, None),
            &|cameras, views| cameras.zoom_at(views, 2.0, at_px, Some(DVec3::ONE)),
            &|cameras, views| cameras.zoom(views, 2.0),
            &|cameras, views| cameras.magnify(views, 1.5),
        ];
        for (index, moves) in motions.into_iter().enumerate() {
            let [direct, through] = [false, true].map(|looks_through| {
                let mut cameras = own.clone();
                if looks_through {
                    cameras.look_through(0, &scene);
                }
                let views = views_of(&cameras);
                moves(&mut cameras, &views);
                main(&cameras)
            });
            assert_eq!(through, direct, "motion {index}");
            assert_ne!(direct, main(&own), "motion {index}");
        }
    }
}
