//! The lines of a volume.

use super::parts::{Side, UNLIMITED, far_or_shown, frame_distance, toward};
use super::{Volume, VolumeTarget, rigid};
use std::f64::consts::TAU;
use wgpu_gizmo_core::draw::parts::{GuidePainter, StrokeStyle};
use wgpu_gizmo_core::glam::{DAffine3, DVec3};
use wgpu_gizmo_core::handle::Theme;

/// The number of strokes of a circle.
const CIRCLE: u32 = 64;

/// Paints the volume of a light or a camera.
pub(super) fn paint(brush: &mut GuidePainter<'_>, target: &VolumeTarget, theme: &Theme) {
    let ink = StrokeStyle { color: theme.colors.guide, width_lpx: theme.sizes.guide_lpx };
    let mut wires = Wires { brush, world: DAffine3::from(rigid(&target.world)), ink };
    match target.volume {
        Volume::Sphere { radius } => wires.sphere(radius.unwrap_or(UNLIMITED)),
        Volume::Cone { range, inner, outer } => {
            let range = range.unwrap_or(UNLIMITED);
            wires.cone(range, outer);
            wires.ink = wires.ink.faded(0.5);
            wires.rim(range, inner);
        }
        Volume::Parallel => wires.arrows(),
        Volume::Perspective { fov_y, aspect, near, far } => {
            let tangent = (0.5 * fov_y).tan();
            let half = |distance: f64| [tangent * aspect * distance, tangent * distance];
            let [shown, end] = [frame_distance(near, far), far_or_shown(near, far)];
            wires.rectangle(half(shown), shown);
            wires.edges([half(near), half(end)], [near, end]);
        }
        Volume::Orthographic { half_width, half_height, near, far } => {
            wires.edges([[half_width, half_height]; 2], [near, far]);
        }
    }
}

struct Wires<'a, 'b> {
    brush: &'a mut GuidePainter<'b>,
    world: DAffine3,
    ink: StrokeStyle,
}

impl Wires<'_, '_> {
    fn line(&mut self, from: DVec3, to: DVec3) {
        let [from, to] = [from, to].map(|point| self.world.transform_point3(point));
        self.brush.world_stroke(from, to, self.ink);
    }

    fn circle(&mut self, center: DVec3, [u, v]: [DVec3; 2]) {
        let at = |step: u32| {
            let (sin, cos) = (TAU * f64::from(step % CIRCLE) / f64::from(CIRCLE)).sin_cos();
            center + u * cos + v * sin
        };
        (0..CIRCLE).for_each(|step| self.line(at(step), at(step + 1)));
    }

    fn sphere(&mut self, radius: f64) {
        let [x, y, z] = DVec3::AXES.map(|axis| axis * radius);
        [[x, y], [y, z], [z, x]].into_iter().for_each(|pair| self.circle(DVec3::ZERO, pair));
    }

    fn rim(&mut self, range: f64, angle: f64) {
        let (sin, cos) = angle.sin_cos();
        self.circle(DVec3::NEG_Z * (range * cos), [DVec3::X, DVec3::Y].map(|axis| axis * (range * sin)));
    }

    fn cone(&mut self, range: f64, angle: f64) {
        self.rim(range, angle);
        Side::ACROSS.into_iter().for_each(|side| self.line(DVec3::ZERO, toward(side, angle) * range));
        self.line(DVec3::ZERO, DVec3::NEG_Z * range);
    }

    /// Draws parallel arrows along -Z: one from the origin, and four from a circle around it.
    fn arrows(&mut self) {
        let radius = 0.25 * UNLIMITED;
        self.circle(DVec3::ZERO, [DVec3::X, DVec3::Y].map(|axis| axis * radius));
        let from_circle = Side::ACROSS.map(|side| side.unit() * radius);
        for from in [DVec3::ZERO].into_iter().chain(from_circle) {
            let tip = from + DVec3::NEG_Z * UNLIMITED;
            self.line(from, tip);
            for side in Side::ACROSS {
                self.line(tip, tip + (side.unit() * 0.5 + DVec3::Z) * (0.12 * UNLIMITED));
            }
        }
    }

    fn rectangle(&mut self, half: [f64; 2], distance: f64) {
        let corners = corners(half, distance);
        (0..4).for_each(|i| self.line(corners[i], corners[(i + 1) % 4]));
    }

    /// Draws the rectangles at two distances, and the edges between them.
    fn edges(&mut self, halves: [[f64; 2]; 2], distances: [f64; 2]) {
        let [near, far] = [0, 1].map(|end| {
            self.rectangle(halves[end], distances[end]);
            corners(halves[end], distances[end])
        });
        (0..4).for_each(|i| self.line(near[i], far[i]));
    }
}

fn corners([x, y]: [f64; 2], distance: f64) -> [DVec3; 4] {
    [(-x, -y), (x, -y), (x, y), (-x, y)].map(|(x, y)| DVec3::new(x, y, -distance))
}
