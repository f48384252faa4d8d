//! The scene of all measurements: a camera that never rests, and a gizmo.

use glam::{DQuat, DVec2, DVec3, dcamera::rh};
use wgpu_gizmo::{DrawList, Gizmo, HandleId, IdSpace, Mode, Target, Transform, View, Viewport};

/// Vertical field of view in radians.
pub const FOV: f64 = 0.9;
pub const NEAR: f64 = 0.1;
pub const FAR: f64 = 100.0;
pub const HD: [u32; 2] = [1920, 1080];

/// The position of the camera, which moves slowly so that nothing can be cached between frames.
pub fn eye(frame: u32) -> DVec3 {
    DVec3::new(2.0 + 1e-4 * f64::from(frame % 1000), 2.5, 6.0)
}

pub fn view(frame: u32, [width, height]: [u32; 2]) -> View {
    let aspect = f64::from(width) / f64::from(height);
    View::new(
        rh::view::look_at_mat4(eye(frame), DVec3::ZERO, DVec3::Y),
        rh::proj::directx::perspective(FOV, aspect, NEAR, FAR),
        Viewport::from_size(width, height),
        1.0,
    )
    .expect("the view is valid")
}

/// The transform of the `i`th target: the first is at the center of the view, as is the median.
pub fn placement(i: usize) -> (DVec3, DQuat) {
    let n = i.div_ceil(2) as f64 * if i.is_multiple_of(2) { 1.0 } else { -1.0 };
    (DVec3::new(1e-3 * n, 2e-4 * n, 0.0), DQuat::from_rotation_y(0.01 * n))
}

pub fn targets(count: usize) -> Vec<Target> {
    let target = |i| {
        let (translation, rotation) = placement(i);
        Target::from_world(Transform { translation, rotation, scale: DVec3::ONE })
    };
    (0..count).map(target).collect()
}

/// The pointer of a hover, around the center of the view: on handles and between them.
pub fn wandering(frame: u32, center_px: DVec2) -> DVec2 {
    let direction = DVec2::from_angle(f64::from(frame) * 0.37);
    center_px + direction * (20.0 + f64::from(frame % 83))
}

/// The pointer of a drag, around the pressed position.
pub fn dragging(frame: u32, press_px: DVec2) -> DVec2 {
    press_px + DVec2::from_angle(f64::from(frame) * 0.23) * (5.0 + f64::from(frame % 31))
}

/// The modes and their names.
pub const MODES: [(&str, Mode); 4] = [
    ("translate", Mode::Translate),
    ("rotate", Mode::Rotate),
    ("scale", Mode::Scale),
    ("universal", Mode::Universal),
];

/// A gizmo on some targets, with everything that a host stores for it.
#[derive(Debug)]
pub struct Stage {
    pub gizmo: Gizmo,
    pub targets: Vec<Target>,
    pub list: DrawList,
    pub size: [u32; 2],
    pub frame: u32,
}

impl Stage {
    pub fn new(mode: Mode, targets: Vec<Target>, size: [u32; 2]) -> Self {
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has free ids");
        gizmo.settings.mode = mode;
        let mut stage = Self { gizmo, targets, list: DrawList::new(), size, frame: 0 };
        stage.frame_at(None);
        stage
    }

    pub fn center_px(&self) -> DVec2 {
        0.5 * DVec2::new(self.size[0].into(), self.size[1].into())
    }

    pub fn view(&self) -> View {
        view(self.frame, self.size)
    }

    /// Runs a frame without the pick: sets the camera, moves the pointer, drags and draws.
    pub fn frame_at(&mut self, cursor_px: Option<DVec2>) {
        let view = self.view();
        if let Some(px) = cursor_px {
            self.gizmo.pointer_moved(px);
        }
        self.gizmo.update(&view, &mut self.targets);
        self.gizmo.draw(self.list.begin(&view));
    }

    /// Returns a pixel where a handle can be pressed.
    pub fn pixel_of(&mut self, name: &str) -> DVec2 {
        let handle = HandleId::from_name(name).expect("the handle exists");
        let view = self.view();
        self.gizmo.draw(self.list.begin(&view));
        // Well inside the handle: a press accepts a larger distance than this.
        let radius_px = self.gizmo.settings.input.tolerance_lpx;
        let is_hit =
            |px: DVec2| self.list.pick(px, radius_px).and_then(|id| self.gizmo.handle_of(id)) == Some(handle);
        around(self.center_px()).find(|px| is_hit(*px)).expect("the handle is visible")
    }

    /// Presses a handle and returns the pressed pixel.
    pub fn press(&mut self, name: &str) -> DVec2 {
        let view = self.view();
        let press_px = self.pixel_of(name);
        self.gizmo.pointer_moved(press_px);
        self.gizmo.pointer_pressed();
        for _ in 0..2 {
            self.gizmo.update(&view, &mut self.targets);
            self.gizmo.answer_on_cpu();
        }
        self.gizmo.update(&view, &mut self.targets);
        assert_eq!(self.gizmo.dragging(), HandleId::from_name(name), "the press begins a drag");
        press_px
    }
}

/// Returns every second pixel around a center, as far as a gizmo reaches.
pub fn around(center_px: DVec2) -> impl Iterator<Item = DVec2> {
    (-80..80).flat_map(move |y| (-80..80).map(move |x| center_px + 2.0 * DVec2::new(x.into(), y.into())))
}
