//! The expected result of a drag in closed form, as docs/spec.md defines it, from the matrices of the
//! camera, the pixels, the start and the parent.

use crate::camera::Camera;
use crate::line::{Line, LinePosition};
use crate::settings::{Settings, Snap};
use crate::solid::{Trs, rotation_about};
use crate::turning::{Ball, Ring, nearest_turn, wrapped};
use wgpu_gizmo::glam::{DMat3, DMat4, DVec2, DVec3};

/// The change of the target since the press, in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Change {
    Nothing,
    Translated(DVec3),
    Rotated(DMat3),
    /// Factors along the local axes of the target.
    Scaled(DVec3),
}

/// A change, and whether it is clamped.
pub(crate) type Answer = (Change, bool);

/// A drag in progress.
#[derive(Debug, Clone)]
pub(crate) struct Drag {
    pub(crate) handle: String,
    pub(crate) start: Trs,
    pub(crate) parent: DMat4,
    press_px: DVec2,
    press_camera: Camera,
    press_snap: Snap,
    pivot: DVec3,
    frame: DMat3,
    settings: Settings,
    reach: Reach,
    /// Whether the cursor has left the pressed position.
    has_left: bool,
    /// In radians, including whole turns.
    last_angle: f64,
    last: Answer,
}

/// Lengths that are fixed at the press.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach {
    /// The maximum distance of a drag in world units.
    pub(crate) max_distance: f64,
    /// The minimum clip w.
    pub(crate) min_w: f64,
    pub(crate) size_px: f64,
    pub(crate) size_world: f64,
}

/// Returns the index of the axis in a handle's name: its direction, or the normal of its plane.
fn axis_of(handle: &str) -> Option<usize> {
    let name = handle.split('_').nth(1)?;
    ["x", "y", "z", "yz", "zx", "xy"].iter().position(|known| *known == name).map(|i| i % 3)
}

fn rounded(value: f64, increment: Option<f64>) -> f64 {
    increment.map_or(value, |step| (value / step).round() * step)
}

impl Drag {
    pub(crate) fn begin(
        handle: &str,
        (start, parent): (Trs, DMat4),
        pivot: DVec3,
        (camera, press_px): (Camera, DVec2),
        (settings, snap): (&Settings, Snap),
    ) -> Self {
        let size_px = (settings.size * camera.scale_factor).min(0.4 * camera.shorter_side());
        let reach = Reach {
            max_distance: 1000.0 * camera.visible_height(pivot),
            min_w: 0.01 * camera.w(pivot),
            size_px,
            size_world: size_px / camera.px_per_unit(pivot),
        };
        Self {
            handle: handle.to_owned(),
            start,
            parent,
            press_px,
            press_camera: camera,
            press_snap: snap,
            pivot,
            frame: settings.reference_frame(handle, &camera, parent, &start),
            settings: settings.clone(),
            reach,
            has_left: false,
            last_angle: 0.0,
            last: (Change::Nothing, false),
        }
    }

    /// Returns the total change for this cursor in this view.
    pub(crate) fn at(&mut self, camera: &Camera, cursor: DVec2, snap: Snap) -> Answer {
        let at_press = cursor == self.press_px;
        self.has_left |= !at_press;
        let as_pressed = *camera == self.press_camera && snap == self.press_snap;
        if at_press && (as_pressed || !self.has_left) {
            self.last_angle = nearest_turn(0.0, self.last_angle);
            self.last = (Change::Nothing, false);
        } else if let Some(answer) = self.solved(camera, cursor, snap) {
            self.last = answer;
        }
        self.last
    }

    fn solved(&mut self, camera: &Camera, cursor: DVec2, snap: Snap) -> Option<Answer> {
        let axis = axis_of(&self.handle);
        let (kind, rest) = self.handle.split_once('_').expect("a handle has a kind");
        match (kind, axis, rest.len()) {
            ("translate", Some(axis), 1) => self.along_axis(camera, cursor, axis, snap),
            ("translate", Some(axis), _) => {
                let [a, b] = [1, 2].map(|i| self.frame.col((axis + i) % 3));
                self.in_plane(camera, cursor, [a, b], snap)
            }
            ("translate", None, _) => {
                let DMat3 { x_axis, y_axis, .. } = self.press_camera.axes();
                self.in_plane(camera, cursor, [x_axis, y_axis], snap)
            }
            ("rotate", ..) => self.rotated(camera, cursor, axis, snap),
            ("scale", Some(axis), 1) => {
                let line = self.line(axis, "screen_projection");
                let grab = self.grabbed(&line);
                let LinePosition { at, clamped } = line.within(camera, cursor, grab, self.reach)?;
                Some(self.scaled(at / grab, clamped, DVec3::AXES[axis], snap))
            }
            ("scale", Some(axis), _) => {
                let normal = self.frame.col(axis);
                let diagonal = self.frame.col((axis + 1) % 3) + self.frame.col((axis + 2) % 3);
                let along = |camera: &Camera, px| {
                    let hit = camera.ray(px).hit(self.pivot, normal);
                    hit.map(|hit| (hit - self.pivot).dot(diagonal))
                };
                let grab = along(&self.press_camera, self.press_px).expect("the press hits the plane");
                let now = along(camera, cursor).expect("the cursors of these replays hit the plane");
                Some(self.scaled(now / grab, false, DVec3::ONE - DVec3::AXES[axis], snap))
            }
            ("scale", None, _) => {
                let delta = (cursor - self.press_px) / self.reach.size_px;
                Some(self.scaled(2f64.powf(delta.x - delta.y), false, DVec3::ONE, snap))
            }
            _ => panic!("unknown handle {}", self.handle),
        }
    }

    /// Returns the line of an axis handle.
    fn line(&self, axis: usize, solver: &str) -> Line {
        // The plane of the reference frame through the axis that the pressed ray hits at the steeper angle;
        // the first one if both angles are equal.
        let ray = self.press_camera.ray(self.press_px).direction;
        let [b, c] = [1, 2].map(|i| self.frame.col((axis + i) % 3));
        let plane_normal = if b.dot(ray).abs() >= c.dot(ray).abs() { b } else { c };
        let direction = self.frame.col(axis);
        let step = 0.5 * self.reach.size_world;
        Line { pivot: self.pivot, direction, plane_normal, solver: solver.to_owned(), step }
    }

    /// Returns the position of the press along a line.
    fn grabbed(&self, line: &Line) -> f64 {
        let position = line.within(&self.press_camera, self.press_px, 0.0, self.reach);
        position.expect("the pressed axis is not parallel to the line of sight").at
    }

    fn along_axis(&self, camera: &Camera, cursor: DVec2, axis: usize, snap: Snap) -> Option<Answer> {
        let line = self.line(axis, &self.settings.solver);
        let grab = self.grabbed(&line);
        let LinePosition { at, clamped } = line.within(camera, cursor, grab, self.reach)?;
        let distance = rounded(at - grab, snap.translate);
        assert!(!(clamped && snap.translate.is_some()), "these replays do not snap at a limit");
        Some((translated(line.direction * distance), clamped))
    }

    fn in_plane(&self, camera: &Camera, cursor: DVec2, axes: [DVec3; 2], snap: Snap) -> Option<Answer> {
        let normal = axes[0].cross(axes[1]);
        let grab =
            self.press_camera.ray(self.press_px).hit(self.pivot, normal).expect("the press hits the plane");
        let ray = camera.ray(cursor);
        let (by, clamped) = match ray.hit(self.pivot, normal).map(|hit| hit - grab) {
            Some(by) if by.length() <= self.reach.max_distance => (by, false),
            Some(by) => (by.normalize() * self.reach.max_distance, true),
            None => {
                let along = ray.direction - normal * normal.dot(ray.direction);
                (along.normalize() * self.reach.max_distance, true)
            }
        };
        // Only the components within the plane count; the rest is a rounding error.
        let by = axes.map(|axis| axis * rounded(by.dot(axis), snap.translate));
        Some((translated(by[0] + by[1]), clamped))
    }

    fn rotated(&mut self, camera: &Camera, cursor: DVec2, axis: Option<usize>, snap: Snap) -> Option<Answer> {
        if self.handle == "rotate_trackball" {
            let press = self.press_px.distance(self.press_camera.px(self.pivot));
            let ball = Ball { pivot: self.pivot, radius_px: press.max(0.9 * self.reach.size_px) };
            let grab = ball.front(&self.press_camera, self.press_px).0;
            return Some((Change::Rotated(ball.rotation(camera, cursor, grab)), false));
        }
        let direction = axis.map_or(self.press_camera.axes().z_axis, |axis| self.frame.col(axis));
        let ring = Ring { pivot: self.pivot, axis: direction, radius: self.reach };
        let total = match axis {
            None => nearest_turn(
                ring.on_screen(camera, cursor)? - ring.on_screen(&self.press_camera, self.press_px)?,
                self.last_angle,
            ),
            Some(_) if ring.is_edge_on(&self.press_camera, self.press_px) => {
                ring.along_tangent(&self.press_camera, self.press_px, cursor)
            }
            Some(_) => nearest_turn(
                ring.in_plane(camera, cursor)? - ring.in_plane(&self.press_camera, self.press_px)?,
                self.last_angle,
            ),
        };
        self.last_angle = total;
        let principal = wrapped(rounded(total, snap.rotate));
        // The angle of a snapped whole turn has a rounding error.
        let is_whole = snap.rotate.is_some() && principal.abs() < 1e-12;
        let rotated = Change::Rotated(rotation_about(direction, principal));
        Some((if is_whole { Change::Nothing } else { rotated }, false))
    }

    fn scaled(&self, factor: f64, clamped: bool, axes: DVec3, snap: Snap) -> Answer {
        let min = 1e-4;
        let is_clamped = factor.abs() < min || (factor < 0.0 && !self.settings.allow_mirror);
        let size = if is_clamped { min } else { factor.abs() };
        let size = snap.scale.map_or(size, |step| ((size / step).round() * step).max(step));
        let sign = if factor < 0.0 && self.settings.allow_mirror { -1.0 } else { 1.0 };
        let factors = DVec3::ONE + axes * (sign * size - 1.0);
        let change = if factors == DVec3::ONE { Change::Nothing } else { Change::Scaled(factors) };
        (change, clamped || is_clamped)
    }
}

fn translated(by: DVec3) -> Change {
    if by == DVec3::ZERO { Change::Nothing } else { Change::Translated(by) }
}
