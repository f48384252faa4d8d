use super::list::DrawList;
use crate::handle::CustomHandle;
use crate::handle::HandleSet;
use crate::handle::MeshKind;
use crate::handle::{Axis, Channel, Constraint, HandleId};
use crate::math::View;
use glam::{DMat3, DVec2, DVec3};

/// Longest arrow as a fraction of the viewport's shorter side: small viewports get a small gizmo.
const LARGEST_FRACTION: f64 = 0.4;
/// Everything of a gizmo of one channel is within this many sizes of the pivot; arrows that go
/// beyond rings are within the other.
const REACH: f64 = 1.25;
const MIXED_REACH: f64 = 1.45;
const ARROW_START: f64 = 0.15;
/// Where an arrow's head begins that stands beyond the rings, the outer one included.
const BEYOND_RINGS: f64 = 1.19;
/// Where the stem of such an arrow begins: past the ring that crosses there.
const PAST_RING: f64 = 1.05;
/// Middle of a scale handle's cube that stands inside rings.
const INSIDE_RINGS: f64 = 0.8;
pub(super) const CUBE_HALF: f64 = 0.055;
const SQUARE_START: f64 = 0.3;
const SQUARE_SIDE: f64 = 0.2;
/// The same of squares that scale, where others move: between those and the rings.
const OUTER_SQUARE_START: f64 = 0.54;
const OUTER_SQUARE_SIDE: f64 = 0.13;
/// Sine of an angle to the view ray past which no handle fades: 15°.
const SINE_WELL_CLEAR: f64 = 0.259;
/// Cosine to the viewer past which a flipped handle flips back, and the other way round: 3°.
const FLIP_BACK: f64 = 0.052;

/// Radial directions whose cosine to the eye is below this are on a ring's far half.
pub(crate) const FAR_HALF: f64 = -0.05;

/// Where a gizmo stands in one view, and how large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Layout {
    pub(crate) pivot_world: DVec3,
    /// Axes of the handles that move and turn.
    pub(crate) axes: DMat3,
    /// Axes of the handles that scale.
    pub(crate) scale_axes: DMat3,
    /// Length of an arrow, in physical pixels.
    pub(crate) size_px: f64,
    /// The same in world units, at the pivot.
    pub(crate) size_world: f64,
    /// Unit direction in which the viewer sees the pivot.
    pub(crate) toward: DVec3,
    /// Clip w of the pivot.
    pub(crate) pivot_w: f64,
}

/// Which of the axes are seen from behind: three bits for those that move and turn, three for
/// those that scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flips(u8);

impl Flips {
    /// 1, or -1 where the handles on this axis stand on its negative side.
    pub(super) fn sign(self, channel: Channel, axis: Axis) -> f64 {
        if self.0 >> Self::bit(channel, axis) & 1 == 1 { -1.0 } else { 1.0 }
    }

    fn bit(channel: Channel, axis: Axis) -> usize {
        axis.index() + if channel == Channel::Scale { 3 } else { 0 }
    }
}

/// How the handles of one gizmo stand beside each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Arrangement {
    set: HandleSet,
    /// Whether handles of several channels share the room.
    pub(super) is_mixed: bool,
    pub(crate) flips: Flips,
    /// Everything is within this many sizes of the pivot.
    pub(super) reach: f64,
}

impl Arrangement {
    pub(crate) fn new(set: HandleSet, custom: &[CustomHandle], flips: Flips) -> Self {
        let mut channels = set.built_in().map(|handle| handle.constraint().channel());
        let first = channels.next();
        let is_mixed = channels.any(|channel| Some(channel) != first);
        let shown = custom.iter().enumerate().filter(|(place, handle)| {
            HandleId::custom(*place, handle.constraint).is_some_and(|id| set.contains(id))
        });
        let least = if is_mixed { MIXED_REACH } else { REACH };
        let reach = shown.filter_map(|(_, handle)| handle.reach()).fold(least, f64::max);
        Self { set, is_mixed, flips, reach }
    }

    pub(super) fn has(&self, constraint: Constraint) -> bool {
        self.set.contains(HandleId::from_constraint(constraint))
    }

    /// Where an arrow's stem and head begin.
    pub(super) fn arrow(&self, axis: Axis) -> [f64; 2] {
        let head = f64::from(MeshKind::HEAD_LENGTH);
        match (self.is_mixed, self.has(Constraint::ScaleAxis(axis))) {
            (false, _) => [ARROW_START, 1.0 - head],
            (true, false) => [ARROW_START, BEYOND_RINGS],
            (true, true) => [PAST_RING, BEYOND_RINGS],
        }
    }

    /// The middle of a scale handle's cube.
    pub(super) fn cube(&self) -> f64 {
        if self.is_mixed { INSIDE_RINGS } else { 1.0 - CUBE_HALF }
    }

    /// Where a square begins, and its side.
    pub(super) fn square(&self, constraint: Constraint) -> [f64; 2] {
        match constraint {
            Constraint::ScalePlane(normal) if self.has(Constraint::Plane(normal)) => {
                [OUTER_SQUARE_START, OUTER_SQUARE_SIDE]
            }
            _ => [SQUARE_START, SQUARE_SIDE],
        }
    }
}

impl Layout {
    /// `None` where the pivot is not in front of the viewer.
    pub(crate) fn new(
        view: &View,
        pivot_world: DVec3,
        axes: DMat3,
        scale_axes: DMat3,
        size_lpx: f64,
    ) -> Option<Self> {
        let v = view.viewport();
        let size_px = (size_lpx * view.scale_factor()).min(LARGEST_FRACTION * v.width.min(v.height));
        let size_world = size_px * view.pixel_size(pivot_world);
        let (toward, pivot_w) = (view.direction_to(pivot_world), view.clip_w(pivot_world));
        let visible = pivot_w > 0.0 && size_world.is_finite() && size_world > 0.0;
        visible.then_some(Self { pivot_world, axes, scale_axes, size_px, size_world, toward, pivot_w })
    }

    /// The axes that a handle of this constraint hangs on.
    pub(crate) fn axes_of(&self, constraint: Constraint) -> DMat3 {
        match constraint.channel() {
            Channel::Scale => self.scale_axes,
            Channel::Translate | Channel::Rotate => self.axes,
        }
    }

    /// Which axes are to be seen on their negative side, so that handles stand toward the viewer.
    /// `were` is what they were in this view: it takes some degrees to change that.
    pub(crate) fn flips(&self, were: Flips) -> Flips {
        let to_eye = -self.toward;
        let mut flips = Flips::default();
        for (channel, axes) in [(Channel::Translate, &self.axes), (Channel::Scale, &self.scale_axes)] {
            for axis in Axis::ALL {
                let cosine = axes.col(axis.index()).dot(to_eye);
                let sign = were.sign(channel, axis);
                let turns_over = cosine * sign < -FLIP_BACK;
                flips.0 |= u8::from((sign < 0.0) != turns_over) << Flips::bit(channel, axis);
            }
        }
        flips
    }

    /// The axes that a handle hangs on, its own rotation included.
    fn frame_of(&self, handle: HandleId, custom: &[CustomHandle]) -> DMat3 {
        let axes = self.axes_of(handle.constraint());
        let own = handle.custom_index().and_then(|place| custom.get(place));
        match own {
            Some(own) if handle.constraint().channel() != Channel::Scale => axes * own.rotation(),
            _ => axes,
        }
    }

    /// How far a handle is from glancing: 1 and more when clear of it, 0 and less when it must
    /// go, and the slope in between, per radian. `None` of what never goes, and of what is well
    /// clear.
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

    /// Opacity of a handle by how glancing it is, `None` where it is gone. One that was gone
    /// comes back 1° later than it went, so that it does not flicker on the edge.
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

    /// Opens this gizmo's share of a list: all that is appended from here on.
    pub(crate) fn begin(&self, list: &mut DrawList, view: &View, arrangement: &Arrangement) {
        let depth = view.forward().dot(self.pivot_world);
        list.begin_gizmo(depth, self.own_depths(view, arrangement.reach));
    }

    /// The depths that [`Sight::part`] gives to the far and the near end of the gizmo, with
    /// some to spare for the thickness of lines.
    pub(super) fn own_depths(&self, view: &View, reach: f64) -> [f64; 2] {
        let spare = 1.1;
        if view.is_orthographic() {
            return [0.5 - 0.25 * spare, 0.5 + 0.25 * spare];
        }
        let w = self.pivot_w;
        let reach = spare * reach * self.size_world * view.clip_from_world().row(3).truncate().length();
        [w / (w + reach) / 16.0, w / (w - reach).max(w / 16.0) / 16.0]
    }

    /// Screen rectangle that holds the whole gizmo and its halo; everything where part of it
    /// reaches behind the viewer.
    pub(crate) fn bounds_px(&self, view: &View, line_lpx: f32, arrangement: &Arrangement) -> [DVec2; 2] {
        let everywhere = [DVec2::NEG_INFINITY, DVec2::INFINITY];
        let reach = arrangement.reach * self.size_world;
        let lines_and_halo = 2.0 + 0.5 * f64::from(line_lpx.max(0.0));
        let halo = DVec2::splat(lines_and_halo * view.scale_factor().max(1.0));
        let frame = view.frame();
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for corner in 0..8 {
            let side = |bit: u32| if corner >> bit & 1 == 0 { -reach } else { reach };
            let offset = frame * DVec3::new(side(0), side(1), side(2));
            let Some(px) = view.px_from_world(self.pivot_world + offset) else { return everywhere };
            low = low.min(px);
            high = high.max(px);
        }
        [low - halo, high + halo]
    }
}
