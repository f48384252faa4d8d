use crate::draw::handles::handle_style::HandleStretch;
use crate::draw::handles::invisible::InvisibleReason;
use crate::draw::handles::oriented_box::OrientedBox;
use crate::draw::list::DrawList;
use crate::handle::CustomHandle;
use crate::handle::HandleSet;
use crate::handle::MeshKind;
use crate::handle::{Axis, ChangeKind, Constraint, HandleId};
use crate::math::{Rect, View};
use glam::{DMat3, DVec2, DVec3};

/// The maximum length of an arrow, as a fraction of the shorter side of the viewport.
const MAX_VIEWPORT_FRACTION: f64 = 0.4;
/// The radius of a sphere around the pivot that contains a gizmo whose handles share one channel, in
/// units of the gizmo's size.
const REACH: f64 = 1.25;
/// The same radius for a gizmo with several channels, whose arrows extend beyond the rings.
const MIXED_REACH: f64 = 1.45;
const ARROW_START: f64 = 0.15;
/// Base of the head of an arrow that extends beyond all rings, including the outer one.
const BEYOND_RINGS: f64 = 1.19;
/// Start of the stem of such an arrow, which is past the rings.
const PAST_RING: f64 = 1.05;
/// Center of the cube of a scale handle inside the rings.
const INSIDE_RINGS: f64 = 0.8;
pub(crate) const CUBE_HALF: f64 = 0.055;
const SQUARE_START: f64 = 0.3;
const SQUARE_SIDE: f64 = 0.2;
/// Squares that scale, between the squares that translate and the rings if both are shown.
const OUTER_SQUARE_START: f64 = 0.54;
const OUTER_SQUARE_SIDE: f64 = 0.13;
/// Sine of 15°. No handle fades at larger angles to the view ray.
const SINE_WELL_CLEAR: f64 = 0.259;
/// Cosine to the viewer at which a handle flips or flips back: 3° past the perpendicular, for hysteresis.
const FLIP_HYSTERESIS: f64 = 0.052;

/// The position, axes and size of a gizmo in one view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Layout {
    pub(crate) pivot_world: DVec3,
    /// Axes of the handles that translate and rotate.
    pub(crate) axes: DMat3,
    /// Axes of the handles that scale.
    pub(crate) scale_axes: DMat3,
    /// Length of an arrow, in physical pixels.
    pub(crate) size_px: f64,
    /// Length of an arrow at the pivot, in world units.
    pub(crate) size_world: f64,
    /// Unit direction from the viewer to the pivot.
    pub(crate) toward: DVec3,
    /// Clip w of the pivot.
    pub(crate) pivot_w: f64,
    /// The box whose handles are shown.
    pub(crate) oriented_box: Option<OrientedBox>,
}

/// The axes whose handles are flipped to the negative side, as three bits for the axes of the handles
/// that translate and rotate, and three for those that scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flips(u8);

impl Flips {
    /// Returns -1 if the handles of this axis are flipped to its negative side, and 1 otherwise.
    pub(crate) fn sign(self, channel: ChangeKind, axis: Axis) -> f64 {
        if self.0 >> Self::bit(channel, axis) & 1 == 1 { -1.0 } else { 1.0 }
    }

    fn bit(channel: ChangeKind, axis: Axis) -> usize {
        axis.index() + if channel == ChangeKind::Scale { 3 } else { 0 }
    }
}

/// The arrangement of the handles of one gizmo, which depends on those that are shown together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Arrangement {
    set: HandleSet,
    /// True if handles of several channels are shown together.
    pub(crate) is_mixed: bool,
    pub(crate) flips: Flips,
    /// The radius of a sphere around the pivot that contains all handles, in units of the gizmo's size.
    pub(crate) reach: f64,
}

impl Arrangement {
    /// Returns the arrangement that also contains the box of a layout.
    pub(crate) fn with_box(self, layout: &Layout) -> Self {
        // The thickness of the lines, and the cubes at the corners.
        let margin = 0.2;
        let reach_of =
            |shown: &OrientedBox| shown.reach_from(layout.pivot_world) / layout.size_world + margin;
        let reach = layout.oriented_box.as_ref().map_or(self.reach, |shown| self.reach.max(reach_of(shown)));
        Self { reach, ..self }
    }

    /// Returns the arrangement that also contains a scale handle that follows the pointer in its drag.
    pub(crate) fn with_stretch(self, stretch: HandleStretch) -> Self {
        // Along both axes of a square. No point of a handle is farther than one size from the pivot.
        let shift = std::f64::consts::SQRT_2 * stretch.shift([1.0, 1.0], 1.0).abs();
        Self { reach: self.reach + shift, ..self }
    }

    pub(crate) fn new(set: HandleSet, custom: &[CustomHandle], flips: Flips, size_world: f64) -> Self {
        let is_mixed = set.is_mixed();
        let shown = custom.iter().enumerate().filter(|(index, handle)| {
            HandleId::custom(*index, handle.constraint).is_some_and(|id| set.contains(id))
        });
        let built_in = if is_mixed { MIXED_REACH } else { REACH };
        let reach = shown.filter_map(|(_, handle)| handle.reach(size_world)).fold(built_in, f64::max);
        Self { set, is_mixed, flips, reach }
    }

    pub(crate) fn has(&self, constraint: Constraint) -> bool {
        self.set.contains(HandleId::from_constraint(constraint))
    }

    /// Returns the start of an arrow's stem and of its head.
    pub(crate) fn arrow(&self, axis: Axis) -> [f64; 2] {
        let head = f64::from(MeshKind::HEAD_LENGTH);
        match (self.is_mixed, self.has(Constraint::ScaleAxis(axis))) {
            (false, _) => [ARROW_START, 1.0 - head],
            (true, false) => [ARROW_START, BEYOND_RINGS],
            (true, true) => [PAST_RING, BEYOND_RINGS],
        }
    }

    /// Returns the center of the cube of a scale handle.
    pub(crate) fn cube(&self) -> f64 {
        if self.is_mixed { INSIDE_RINGS } else { 1.0 - CUBE_HALF }
    }

    /// Returns the start of a square along its axes, and the length of its sides.
    pub(crate) fn square(&self, constraint: Constraint) -> [f64; 2] {
        match constraint {
            Constraint::ScalePlane(normal) if self.has(Constraint::Plane(normal)) => {
                [OUTER_SQUARE_START, OUTER_SQUARE_SIDE]
            }
            _ => [SQUARE_START, SQUARE_SIDE],
        }
    }
}

impl Layout {
    /// Creates the layout of a gizmo, or returns the reason why it has none in this view.
    pub(crate) fn new(
        view: &View,
        pivot_world: DVec3,
        axes: DMat3,
        scale_axes: DMat3,
        size_lpx: f64,
    ) -> Result<Self, InvisibleReason> {
        let v = view.viewport();
        let size_px = (size_lpx * view.scale_factor()).min(MAX_VIEWPORT_FRACTION * v.width.min(v.height));
        let size_world = size_px * view.pixel_size(pivot_world);
        let (toward, pivot_w) = (view.direction_to(pivot_world), view.clip_w(pivot_world));
        if v.is_degenerate() || size_px.is_nan() || size_px <= 0.0 {
            return Err(InvisibleReason::DegenerateView);
        }
        let is_in_front = pivot_w > 0.0 && size_world.is_finite() && size_world > 0.0;
        is_in_front
            .then_some(Self {
                pivot_world,
                axes,
                scale_axes,
                size_px,
                size_world,
                toward,
                pivot_w,
                oriented_box: None,
            })
            .ok_or(InvisibleReason::PivotNotInFront)
    }

    /// Returns the axes that a handle with this constraint follows.
    pub(crate) fn axes_of(&self, constraint: Constraint) -> DMat3 {
        match constraint.change_kind() {
            ChangeKind::Scale => self.scale_axes,
            ChangeKind::Translate | ChangeKind::Rotate => self.axes,
        }
    }

    /// Returns the axes to flip so that their handles point toward the viewer.
    ///
    /// `previous` are the flips that this view showed last, for hysteresis.
    pub(crate) fn flips(&self, previous: Flips) -> Flips {
        let to_eye = -self.toward;
        let mut flips = Flips::default();
        for (channel, axes) in [(ChangeKind::Translate, &self.axes), (ChangeKind::Scale, &self.scale_axes)] {
            for axis in Axis::ALL {
                let cosine = axes.col(axis.index()).dot(to_eye);
                let sign = previous.sign(channel, axis);
                let changes = cosine * sign < -FLIP_HYSTERESIS;
                flips.0 |= u8::from((sign < 0.0) != changes) << Flips::bit(channel, axis);
            }
        }
        flips
    }

    /// Returns the axes of a handle, including the rotation of a custom handle.
    fn frame_of(&self, handle: HandleId, custom: &[CustomHandle]) -> DMat3 {
        let axes = self.axes_of(handle.constraint());
        let custom = handle.custom_index().and_then(|index| custom.get(index));
        match custom {
            Some(custom) if handle.constraint().change_kind() != ChangeKind::Scale => {
                axes * custom.rotation()
            }
            _ => axes,
        }
    }

    /// Returns the opacity that follows from the glancing angle of a handle, unclamped, and its slope
    /// per radian.
    ///
    /// A handle is hidden at 0 and below. Returns `None` for a handle that never fades or that is far
    /// from fading.
    fn clearance(&self, constraint: Constraint, frame: &DMat3) -> Option<(f64, f64)> {
        let (axis, low, high) = match constraint {
            Constraint::Axis(axis) | Constraint::ScaleAxis(axis) => (axis, 8f64, 12f64),
            Constraint::Plane(axis) | Constraint::ScalePlane(axis) => (axis, 10f64, 14f64),
            _ => return None,
        };
        let along = frame.col(axis.index());
        let cosine = along.dot(self.toward).abs();
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        let is_plane = matches!(constraint, Constraint::Plane(_) | Constraint::ScalePlane(_));
        let (opposite, adjacent) = if is_plane { (cosine, sine) } else { (sine, cosine) };
        if opposite > SINE_WELL_CLEAR {
            return None;
        }
        let angle = opposite.atan2(adjacent);
        let slope = (high - low).to_radians().recip();
        Some(((angle - low.to_radians()) * slope, slope))
    }

    /// Returns the opacity of a handle at its glancing angle, or `None` if it is hidden.
    ///
    /// A handle that was hidden comes back 1° later than it disappeared, so that it does not flicker.
    pub(crate) fn glancing_opacity(
        &self,
        handle: HandleId,
        custom: &[CustomHandle],
        was_gone: bool,
    ) -> Option<f64> {
        let frame = self.frame_of(handle, custom);
        let Some((clearance, slope)) = self.clearance(handle.constraint(), &frame) else {
            return Some(1.0);
        };
        let returns_at = if was_gone { slope * 1f64.to_radians() } else { 0.0 };
        (clearance > returns_at).then_some(clearance.min(1.0))
    }

    /// Begins the entry of this gizmo in a list.
    pub(crate) fn begin(&self, list: &mut DrawList, view: &View) {
        list.begin_gizmo(view.forward().dot(self.pivot_world));
    }

    /// Returns a rectangle that contains the gizmo and its halo.
    ///
    /// The rectangle is infinite if part of the gizmo is behind the viewer.
    pub(crate) fn bounds_px(&self, view: &View, line_lpx: f32, arrangement: &Arrangement) -> Rect {
        let reach = arrangement.reach * self.size_world;
        let lines_and_halo = 2.0 + 0.5 * f64::from(line_lpx.max(0.0));
        let halo = DVec2::splat(lines_and_halo * view.scale_factor().max(1.0));
        let axes = view.axes();
        let side = |axis: DVec3| view.px_homogeneous((axis * reach).extend(0.0));
        let (x, y, z) = (side(axes.x_axis), side(axes.y_axis), side(axes.z_axis));
        let center = view.px_homogeneous(self.pivot_world.extend(1.0));
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for homogeneous in [center - z, center + z]
            .into_iter()
            .flat_map(|face| [face - x - y, face + x - y, face - x + y, face + x + y])
        {
            let px = homogeneous.truncate() / homogeneous.z;
            if !(homogeneous.z > 0.0 && px.is_finite()) {
                return Rect::EVERYWHERE;
            }
            low = low.min(px);
            high = high.max(px);
        }
        Rect { min: low - halo, max: high + halo }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Viewport;
    use glam::{DMat4, dcamera::rh};

    /// Views that skew the image, so that each corner of a box around the gizmo is the outermost one in some.
    fn views() -> impl Iterator<Item = View> {
        let lenses = [
            rh::proj::directx::perspective(0.9, 4.0 / 3.0, 0.1, 100.0),
            rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0),
        ];
        let skews = [[0.9, 0.0], [-0.9, 0.0], [0.0, 0.9], [0.0, -0.9], [0.0, 0.0]];
        lenses.into_iter().flat_map(move |lens| {
            skews.map(|[x, y]| {
                let mut skew = DMat4::IDENTITY;
                (skew.y_axis.x, skew.x_axis.y) = (x, y);
                let eye = rh::view::look_at_mat4(DVec3::new(1.0, 2.0, 5.0), DVec3::ZERO, DVec3::Y);
                View::new(eye, skew * lens, Viewport::from_size(800, 600), 1.0).expect("the view is valid")
            })
        })
    }

    #[test]
    fn bounds_contain_ball_around_gizmo() {
        let mut rng = fastrand::Rng::with_seed(4);
        let arrangement = Arrangement::new(HandleSet::EMPTY, &[], Flips::default(), 1.0);
        for view in views() {
            let layout =
                Layout::new(&view, DVec3::new(0.2, 0.1, 0.3), DMat3::IDENTITY, DMat3::IDENTITY, 200.0)
                    .expect("the gizmo is visible");
            let Rect { min, max } = layout.bounds_px(&view, 0.0, &arrangement);
            let reach = arrangement.reach * layout.size_world;
            for _ in 0..2_000 {
                let direction = DVec3::from_array(std::array::from_fn(|_| rng.f64() * 2.0 - 1.0));
                let point = layout.pivot_world + direction.normalize_or_zero() * reach;
                let px = view.px_from_world(point).expect("the point is in front");
                assert!(px.cmpge(min).all() && px.cmple(max).all(), "{px} is not in {min} to {max}");
            }
        }
    }

    #[test]
    fn gizmo_partly_behind_viewer_is_everywhere() {
        let view = views().next().expect("there are views");
        let pivot = view.eye().expect("it is a perspective") + view.forward() * 0.2;
        let layout =
            Layout::new(&view, pivot, DMat3::IDENTITY, DMat3::IDENTITY, 200.0).expect("it is visible");
        let arrangement =
            Arrangement { reach: 9.0, ..Arrangement::new(HandleSet::EMPTY, &[], Flips::default(), 1.0) };
        assert_eq!(layout.bounds_px(&view, 1.0, &arrangement), Rect::EVERYWHERE);
    }
}
