//! The scene that everything is measured in: a camera that never stands still, and a gizmo.

use glam::{DQuat, DVec2, DVec3, dcamera::rh};
use wgpu_gizmo::{DrawList, Gizmo, HandleId, IdSpace, Mode, Target, Transform, View, Viewport};

/// Height of the field of view, and the near plane.
pub const FOV: f64 = 0.9;
pub const NEAR: f64 = 0.1;
pub const FAR: f64 = 100.0;
pub const HD: [u32; 2] = [1920, 1080];

/// Where the camera is: it creeps, so that nothing can be kept from the frame before.
pub fn eye(frame: u32) -> DVec3 {
    DVec3::new(2.0 + 1e-4 * f64::from(frame % 1000), 2.5, 6.0)
}

pub fn view(frame: u32, [width, height]: [u32; 2]) -> View {
    let aspect = f64::from(width) / f64::from(height);
    View::new(
        rh::view::look_at_mat4(eye(frame), DVec3::ZERO, DVec3::Y),
        rh::proj::directx::perspective(FOV, aspect, NEAR, FAR),
        Viewport::of_size(width, height),
        1.0,
    )
    .expect("a usual camera")
}

/// The place of the `i`th target: the first is in the middle of the picture, as is the median.
pub fn place(i: usize) -> (DVec3, DQuat) {
    let n = i.div_ceil(2) as f64 * if i.is_multiple_of(2) { 1.0 } else { -1.0 };
    (DVec3::new(1e-3 * n, 2e-4 * n, 0.0), DQuat::from_rotation_y(0.01 * n))
}

pub fn targets(count: usize) -> Vec<Target> {
    let target = |i| {
        let (translation, rotation) = place(i);
        Target::from_world(Transform { translation, rotation, scale: DVec3::ONE })
    };
    (0..count).map(target).collect()
}

/// The pointer of a hover, round the middle of the picture: over handles and between them.
pub fn wandering(frame: u32, middle_px: DVec2) -> DVec2 {
    let direction = DVec2::from_angle(f64::from(frame) * 0.37);
    middle_px + direction * (20.0 + f64::from(frame % 83))
}

/// The pointer of a drag, round where it began.
pub fn dragging(frame: u32, press_px: DVec2) -> DVec2 {
    press_px + DVec2::from_angle(f64::from(frame) * 0.23) * (5.0 + f64::from(frame % 31))
}

/// The modes, by their names.
pub const MODES: [(&str, Mode); 4] = [
    ("translate", Mode::Translate),
    ("rotate", Mode::Rotate),
    ("scale", Mode::Scale),
    ("universal", Mode::Universal),
];

/// A gizmo on some targets, with all a host keeps for it.
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
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has room");
        gizmo.settings.mode = mode;
        let mut stage = Self { gizmo, targets, list: DrawList::new(), size, frame: 0 };
        stage.frame_at(None);
        stage
    }

    pub fn middle_px(&self) -> DVec2 {
        0.5 * DVec2::new(self.size[0].into(), self.size[1].into())
    }

    pub fn view(&self) -> View {
        view(self.frame, self.size)
    }

    /// All of a frame but the pick: the camera handed over, the pointer, the drag, what is drawn.
    pub fn frame_at(&mut self, cursor_px: Option<DVec2>) {
        let view = self.view();
        if let Some(px) = cursor_px {
            self.gizmo.pointer_moved(px);
        }
        self.gizmo.update(&view, &mut self.targets);
        self.gizmo.draw(self.list.begin(&view));
    }

    /// A place where a handle can be taken hold of.
    pub fn place_of(&mut self, name: &str) -> DVec2 {
        let handle = HandleId::from_name(name).expect("a handle");
        let view = self.view();
        self.gizmo.draw(self.list.begin(&view));
        // Well inside of it: a press may reach farther than this.
        let radius_px = self.gizmo.settings.tolerance_lpx;
        let is_it =
            |px: DVec2| self.list.pick(px, radius_px).and_then(|id| self.gizmo.handle_of(id)) == Some(handle);
        around(self.middle_px()).find(|px| is_it(*px)).expect("the handle is in sight")
    }

    /// Takes hold of a handle; says where.
    pub fn press(&mut self, name: &str) -> DVec2 {
        let view = self.view();
        let press_px = self.place_of(name);
        self.gizmo.pointer_moved(press_px);
        self.gizmo.pointer_pressed();
        for _ in 0..2 {
            self.gizmo.update(&view, &mut self.targets);
            self.gizmo.answer_on_cpu();
        }
        self.gizmo.update(&view, &mut self.targets);
        assert_eq!(self.gizmo.dragging(), HandleId::from_name(name), "the press takes hold");
        press_px
    }
}

/// Every second pixel round a place, as far as a gizmo reaches.
pub fn around(middle_px: DVec2) -> impl Iterator<Item = DVec2> {
    (-80..80).flat_map(move |y| (-80..80).map(move |x| middle_px + 2.0 * DVec2::new(x.into(), y.into())))
}
