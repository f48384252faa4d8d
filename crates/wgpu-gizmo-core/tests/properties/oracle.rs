//! Solves every drag a second time, from the raw matrices, in double-double numbers and by search
//! where the crate uses a formula, without shared code. The results must agree to 10⁻⁷, relative to
//! the visible height at the pivot plus the motion, to a radian plus the rotation, or to one plus
//! the factor.

mod agreement;

use crate::prelude::*;

/// The result of the search.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Answer {
    Move(V<3>),
    Turn {
        axis: V<3>,
        angle: f64,
    },
    /// A rotation, with the angle past the rim in radians.
    Roll(DQuat, f64),
    Scale(Dd),
}

/// A press and a cursor.
pub(crate) struct Situation<'a> {
    pub(crate) press: &'a Scene,
    pub(crate) now: &'a Scene,
    pub(crate) pivot: V<3>,
    pub(crate) axes: [V<3>; 3],
    pub(crate) press_px: V<2>,
    pub(crate) cursor_px: V<2>,
    pub(crate) settings: &'a Settings,
}

impl Situation<'_> {
    fn column(&self, axis: Axis) -> V<3> {
        self.axes[axis.index()]
    }

    fn visible_height(&self) -> Dd {
        self.press.truth.visible_height(self.pivot)
    }

    fn size_world(&self) -> Dd {
        self.press.truth.pixel_size(self.pivot) * Dd::from(self.press.size_px(self.settings.display.size_lpx))
    }

    /// Returns how far a drag may move. `chosen` selects the limit of the settings; scaling always
    /// uses the visible height.
    fn reach(&self, chosen: bool) -> Dd {
        let visible = self.visible_height() * Dd::from(1000.0);
        self.settings.motion.max_distance.filter(|_| chosen).map_or(visible, Dd::from)
    }

    /// Returns the ends of the part of the axis that can be reached from `from` in the view of
    /// `truth`.
    fn ends(&self, truth: &Truth, direction: V<3>, from: Dd, reach: Dd) -> Option<(Dd, Dd)> {
        let (mut low, mut high) = (from - reach, from + reach);
        let min_w = self.press.truth.w(self.pivot) * Dd::from(0.01);
        let at_pivot = truth.w(self.pivot);
        let per_unit = truth.homogeneous_px(vector4(direction))[2];
        if per_unit.abs() > Dd::from(1e-25) {
            let end = (min_w - at_pivot) / per_unit;
            if per_unit > Dd::ZERO {
                low = low.max(end);
            } else {
                high = high.min(end);
            }
        }
        (low <= high).then_some((low, high))
    }

    /// Returns the point of the axis that is drawn nearest to the pixel, by search along the axis.
    fn screen_projection(&self, truth: &Truth, direction: V<3>, px: V<2>, ends: (Dd, Dd)) -> Dd {
        let (a, b) = (truth.homogeneous_px(point4(self.pivot)), truth.homogeneous_px(vector4(direction)));
        minimize(ends.0, ends.1, |s| {
            let [x, y, w] = add(a, scale(b, s));
            let off = sub([x / w, y / w], px);
            dot(off, off)
        })
    }

    /// Returns the point of the axis that is closest to the ray through the pixel, or an end of the
    /// axis if the two are closest behind the eye.
    fn closest_point(&self, truth: &Truth, direction: V<3>, px: V<2>, ends: (Dd, Dd)) -> Option<Dd> {
        let ray = truth.ray(px);
        let cosine = dot(ray, direction);
        // Any plane that the ray crosses contains one point of it.
        let on_ray = add(self.pivot, truth.line_hit(px, self.pivot, ray)?);
        let off = |s: Dd| cross(ray, sub(add(self.pivot, scale(direction, s)), on_ray));
        let far = (ends.1 - ends.0).max(self.visible_height()) * Dd::from(1e6);
        let s = minimize(-far, far, |s| dot(off(s), off(s)));
        if let Some(eye) = truth.eye() {
            let closest = add(self.pivot, scale(direction, s));
            if dot(sub(closest, eye), ray) <= Dd::ZERO {
                return Some(if cosine < Dd::ZERO { ends.0 } else { ends.1 });
            }
        }
        Some(s.max(ends.0).min(ends.1))
    }

    fn movement_plane(
        &self,
        truth: &Truth,
        direction: V<3>,
        normal: V<3>,
        px: V<2>,
        ends: (Dd, Dd),
    ) -> Option<Dd> {
        match truth.hit(px, self.pivot, normal) {
            Some(hit) => Some(dot(hit, direction).max(ends.0).min(ends.1)),
            None if truth.is_orthographic() => None,
            None => Some(if dot(truth.ray(px), direction) < Dd::ZERO { ends.0 } else { ends.1 }),
        }
    }

    /// Returns the positions of the press and of the cursor on an axis, by one of the solvers.
    fn along(&self, axis: Axis, solver: Solver, chosen_reach: bool) -> Option<[Dd; 2]> {
        let direction = self.column(axis);
        let [b, c] = axis.others().map(|axis| self.column(axis));
        let pressed_ray = self.press.truth.ray(self.press_px);
        let facing = [b, c].map(|normal| dot(normal, pressed_ray).abs());
        if solver == Solver::MovementPlane && (facing[0] - facing[1]).abs() < Dd::from(1e-9) {
            return None;
        }
        let normal = if facing[0] > facing[1] { b } else { c };
        let solve = |truth: &Truth, px: V<2>, ends: (Dd, Dd)| match solver {
            Solver::ScreenProjection => Some(self.screen_projection(truth, direction, px, ends)),
            Solver::ClosestPoint => self.closest_point(truth, direction, px, ends),
            Solver::MovementPlane => self.movement_plane(truth, direction, normal, px, ends),
            other => unreachable!("{other:?}"),
        };
        let ends = self.ends(&self.press.truth, direction, Dd::ZERO, self.reach(false))?;
        let at = solve(&self.press.truth, self.press_px, ends)?;
        let ends = self.ends(&self.now.truth, direction, at, self.reach(chosen_reach))?;
        Some([at, solve(&self.now.truth, self.cursor_px, ends)?])
    }

    /// Returns the vector from the pivot to the point under the pixel in a plane through the pivot,
    /// clamped to `reach` from `from`.
    fn in_plane(&self, truth: &Truth, normal: V<3>, px: V<2>, from: V<3>, reach: Dd) -> Option<V<3>> {
        let ray = truth.ray(px);
        if truth.is_orthographic() && dot(ray, normal).abs() < Dd::from(2e-6) {
            return None;
        }
        let away = match truth.hit(px, self.pivot, normal) {
            Some(hit) if length(sub(hit, from)) <= reach => return Some(hit),
            Some(hit) => sub(hit, from),
            None => sub(ray, scale(normal, dot(ray, normal))),
        };
        Some(add(from, scale(normalize(away), reach)))
    }

    fn plane(&self, normal: V<3>, chosen_reach: bool) -> Option<[V<3>; 2]> {
        let zero = [Dd::ZERO; 3];
        let at = self.in_plane(&self.press.truth, normal, self.press_px, zero, self.reach(false))?;
        let from = if chosen_reach { at } else { zero };
        let now = self.in_plane(&self.now.truth, normal, self.cursor_px, from, self.reach(chosen_reach))?;
        Some([at, now])
    }

    /// Returns the unit direction of a pixel in a ring's plane.
    fn radial(&self, scene: &Scene, axis: V<3>, px: V<2>) -> Option<V<3>> {
        if self.is_dead(scene, px) {
            return None;
        }
        let along = match scene.truth.hit(px, self.pivot, axis) {
            Some(hit) => hit,
            None if scene.truth.is_orthographic() => return None,
            None => scene.truth.ray(px),
        };
        Some(normalize(sub(along, scale(axis, dot(along, axis)))))
    }

    /// Returns true if a pixel is within two logical pixels of the pivot, with a small margin.
    fn is_dead(&self, scene: &Scene, px: V<2>) -> bool {
        let off = length(sub(px, scene.truth.px(self.pivot)));
        off < Dd::from(2.0 * scene.camera.scale_factor + 1e-6)
    }

    fn ring(&self, axis: V<3>) -> Option<f64> {
        let facing = dot(axis, self.press.truth.ray(self.press_px)).abs().to_f64();
        let limit = 10f64.to_radians().sin();
        if (facing - limit).abs() < 1e-9 {
            return None;
        }
        if facing < limit {
            return self.tangent(axis);
        }
        let from = self.radial(self.press, axis, self.press_px)?;
        let to = self.radial(self.now, axis, self.cursor_px)?;
        Some(dot(axis, cross(from, to)).to_f64().atan2(dot(from, to).to_f64()))
    }

    /// Solves an edge-on ring: searches the ring for the pressed point.
    fn tangent(&self, axis: V<3>) -> Option<f64> {
        let truth = &self.press.truth;
        let radius = self.size_world();
        let a =
            normalize(cross(axis, if axis[0].abs() < Dd::from(0.5) { v3(DVec3::X) } else { v3(DVec3::Y) }));
        let b = cross(axis, a);
        let at = |angle: f64| {
            let (sine, cosine) = angle.sin_cos();
            let radial = add(scale(a, Dd::from(cosine)), scale(b, Dd::from(sine)));
            (radial, add(self.pivot, scale(radial, radius)))
        };
        let toward_eye = match truth.eye() {
            Some(eye) => normalize(sub(eye, self.pivot)),
            None => scale(truth.ray(self.press_px), -Dd::ONE),
        };
        let off = |angle: f64| length(sub(truth.px(at(angle).1), self.press_px)).to_f64();
        let steps = 3600;
        let angle_of = |step: i32| f64::from(step) * std::f64::consts::TAU / f64::from(steps);
        // Points on the near half that are drawn at the press; if there are two, the choice is
        // ambiguous.
        let near = |step: i32| dot(at(angle_of(step)).0, toward_eye) > Dd::from(-0.05);
        let mut candidates: Vec<i32> = Vec::new();
        for step in 0..steps {
            let here = off(angle_of(step));
            if near(step) && here <= off(angle_of(step - 1)) && here < off(angle_of(step + 1)) && here < 3.0 {
                candidates.push(step);
            }
        }
        let [step] = candidates[..] else { return None };
        let pressed = angle_of(step);
        if off(pressed) > 0.5 || dot(at(pressed).0, toward_eye).abs() < Dd::from(0.1) {
            return None;
        }
        // The ray and the axis span a plane that intersects the ring twice, symmetrically about
        // `across`. Points closer together than a quarter of a pixel cannot be distinguished.
        let across = cross(axis, truth.ray(self.press_px));
        let mid_angle = dot(across, b).to_f64().atan2(dot(across, a).to_f64());
        let other = off(2.0 * mid_angle - pressed);
        if other < 0.3 {
            return None;
        }
        // Refines the angle until the ring passes as close to the press as possible.
        let (mut low, mut high) = (angle_of(step - 1), angle_of(step + 1));
        for _ in 0..200 {
            let (l, h) = (low + (high - low) * 0.382, low + (high - low) * 0.618);
            if off(l) < off(h) { high = h } else { low = l }
        }
        let pressed = 0.5 * (low + high);
        // Next to the line, the pressed point is ambiguous.
        if off(pressed) > 1e-7 {
            return None;
        }
        let (radial, point) = at(pressed);
        let step = scale(cross(axis, radial), radius * Dd::from(1e-9));
        let tangent = normalize(sub(truth.px(add(point, step)), truth.px(sub(point, step))));
        let moved = dot(sub(self.cursor_px, self.press_px), tangent);
        Some(moved.to_f64() / self.press.size_px(self.settings.display.size_lpx))
    }

    /// Returns the view's axes: X right, Y up on screen and Z = X × Y.
    fn view_frame(scene: &Scene) -> [V<3>; 3] {
        let (view_from_world, _) = scene.projection.matrices(&scene.camera);
        let row = |i: usize| normalize(v3(view_from_world.row(i).truncate()));
        let (x, y) = (row(0), row(1));
        [x, y, cross(x, y)]
    }

    /// Returns the coordinates of a pixel along the view's X and Y axes, from the pivot. A projection can mirror them.
    fn off_pivot(&self, scene: &Scene, px: V<2>) -> V<2> {
        let [x, y, _] = Self::view_frame(scene);
        let sign = |pixels: Dd| Dd::from(if pixels < Dd::ZERO { -1.0 } else { 1.0 });
        let [right, up] = [x, y].map(|axis| scene.truth.homogeneous_px(vector4(axis)));
        let off = sub(px, scene.truth.px(self.pivot));
        [off[0] * sign(right[0]), off[1] * sign(up[1])]
    }

    fn screen_angle(&self, scene: &Scene, px: V<2>) -> Option<f64> {
        let [x, y] = self.off_pivot(scene, px);
        (!self.is_dead(scene, px)).then(|| y.to_f64().atan2(x.to_f64()))
    }

    /// Returns the unit vector from the ball's center to the point under a pixel, the distance of
    /// the pixel past the rim in radii, and the axis of rolling.
    fn on_ball(&self, scene: &Scene, px: V<2>, radius_px: Dd) -> (V<3>, Dd, V<3>) {
        let [x, y, z] = Self::view_frame(scene);
        let off = scale(self.off_pivot(scene, px), Dd::ONE / radius_px);
        let toward_viewer = {
            let ray = scene.truth.ray(px2(scene.center_px()));
            if dot(z, ray) < Dd::ZERO { z } else { scale(z, -Dd::ONE) }
        };
        let on_screen = add(scale(x, off[0]), scale(y, off[1]));
        let distance = length(off);
        if distance < Dd::ONE {
            let height = (Dd::ONE - distance * distance).sqrt();
            return (add(on_screen, scale(toward_viewer, height)), Dd::ZERO, on_screen);
        }
        let rim = scale(on_screen, Dd::ONE / distance);
        // A right-handed rotation about this axis moves the rim's point away from the viewer.
        (rim, distance - Dd::ONE, cross(toward_viewer, rim))
    }

    fn ball(&self) -> Option<Answer> {
        let pressed_off = length(sub(self.press_px, self.press.truth.px(self.pivot)));
        let radius_px = pressed_off.max(Dd::from(0.9 * self.press.size_px(self.settings.display.size_lpx)));
        let (from, ..) = self.on_ball(self.press, self.press_px, radius_px);
        let (to, past, about) = self.on_ball(self.now, self.cursor_px, radius_px);
        // Straight across the ball, the shortest rotation is not unique.
        if length(add(from, to)) < Dd::from(0.3) {
            return None;
        }
        // The shortest rotation is twice that to the midpoint.
        let half = normalize(add(from, to));
        let axis = to_dvec3(cross(from, half));
        let shortest = DQuat::from_xyzw(axis.x, axis.y, axis.z, dot(from, half).to_f64());
        let angle = past.to_f64();
        let (sine, cosine) = (0.5 * angle).sin_cos();
        let axis = to_dvec3(about) * sine;
        let rolled =
            if angle > 0.0 { DQuat::from_xyzw(axis.x, axis.y, axis.z, cosine) } else { DQuat::IDENTITY };
        Some(Answer::Roll(rolled * shortest, angle))
    }

    /// Divides by the distance of the grab from the pivot, but at least by a twentieth of the size.
    fn factor(&self, at: Dd, now: Dd) -> Option<Dd> {
        let min = self.size_world() * Dd::from(0.05);
        if (at.abs() - min).abs() < min * Dd::from(1e-6) {
            return None;
        }
        let divisor = if at.abs() < min { min } else { at };
        Some(Dd::ONE + (now - at) / divisor)
    }

    /// Solves a drag. Returns `None` if the cursor has no well-conditioned solution.
    pub(crate) fn solve(&self, constraint: Constraint) -> Option<Answer> {
        Some(match constraint {
            // `boxes.rs` has their properties.
            Constraint::Box(_) => return None,
            Constraint::Axis(axis) => {
                let [at, now] = self.along(axis, self.settings.motion.solver, true)?;
                Answer::Move(scale(self.column(axis), now - at))
            }
            Constraint::Plane(normal) => {
                let [at, now] = self.plane(self.column(normal), true)?;
                Answer::Move(sub(now, at))
            }
            Constraint::ViewPlane => {
                let [at, now] = self.plane(self.press.truth.image_normal(), true)?;
                Answer::Move(sub(now, at))
            }
            Constraint::Ring(axis) => {
                let axis = self.column(axis);
                Answer::Turn { axis, angle: self.ring(axis)? }
            }
            Constraint::ViewRing => {
                let from = self.screen_angle(self.press, self.press_px)?;
                let to = self.screen_angle(self.now, self.cursor_px)?;
                Answer::Turn { axis: Self::view_frame(self.press)[2], angle: to - from }
            }
            Constraint::Trackball => self.ball()?,
            Constraint::ScaleAxis(axis) => {
                let [at, now] = self.along(axis, Solver::ScreenProjection, false)?;
                Answer::Scale(self.factor(at, now)?)
            }
            Constraint::ScalePlane(normal) => {
                let [at, now] = self.plane(self.column(normal), false)?;
                let [a, b] = normal.others().map(|axis| self.column(axis));
                let diagonal = add(a, b);
                Answer::Scale(self.factor(dot(at, diagonal), dot(now, diagonal))?)
            }
            Constraint::ScaleUniform => {
                let [x, y] = sub(self.cursor_px, self.press_px);
                let size = self.press.size_px(self.settings.display.size_lpx);
                Answer::Scale(Dd::from(((x - y).to_f64() / size).exp2()))
            }
            other => unreachable!("{other:?}"),
        })
    }
}

/// Returns how glancing an axis or a plane is, as a sine: 0 for an axis that points at the viewer
/// and for a plane seen edge-on.
pub(crate) fn glance(scene: &Scene, constraint: Constraint, axes: &[V<3>; 3], px: V<2>) -> f64 {
    let pivot = v3(scene.pivot);
    let toward = scene.truth.eye().map_or_else(|| scene.truth.ray(px), |eye| normalize(sub(pivot, eye)));
    let ray = scene.truth.ray(px);
    let column = |axis: Axis| axes[axis.index()];
    match constraint {
        Constraint::Axis(axis) | Constraint::ScaleAxis(axis) => {
            let at_pivot = length(cross(column(axis), toward)).to_f64();
            at_pivot.min(length(cross(column(axis), ray)).to_f64())
        }
        Constraint::Plane(normal) | Constraint::ScalePlane(normal) => dot(column(normal), ray).abs().to_f64(),
        _ => 1.0,
    }
}
