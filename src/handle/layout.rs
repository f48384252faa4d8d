use super::custom::CustomHandle;
use super::draw_list::{DrawList, Instance, Item};
use super::guides::{Ink, faded};
use super::letters::letter;
use super::mesh::MeshKind;
use super::set::HandleSet;
use super::sight::{SeenAxes, SeenPart, Sight};
use super::theme::{Rgba, Theme};
use super::{Axis, Channel, Constraint, HandleId};
use crate::math::View;
use glam::{DMat3, DVec2, DVec3};
use std::num::NonZeroU32;

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
const SCALE_START: f64 = 0.2;
/// Middle of a scale handle's cube that stands inside rings.
const INSIDE_RINGS: f64 = 0.8;
const CUBE_HALF: f64 = 0.055;
const CENTRE_CUBE_HALF: f64 = 0.075;
const CENTRE_BALL: f64 = 0.085;
/// Radius of the circle that stands for the ball where the cube has the centre.
const CENTRE_CIRCLE: f64 = 0.16;
const SQUARE_START: f64 = 0.3;
const SQUARE_SIDE: f64 = 0.2;
/// The same of squares that scale, where others move: between those and the rings.
const OUTER_SQUARE_START: f64 = 0.54;
const OUTER_SQUARE_SIDE: f64 = 0.13;
pub(crate) const BALL_RADIUS: f64 = 0.9;
pub(crate) const OUTER_RING: f64 = 1.15;
/// Sine of an angle to the view ray past which no handle fades: 15°.
const SINE_WELL_CLEAR: f64 = 0.259;
/// Cosine to the viewer past which a flipped handle flips back, and the other way round: 3°.
const FLIP_BACK: f64 = 0.052;

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
    fn sign(self, channel: Channel, axis: Axis) -> f64 {
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
    is_mixed: bool,
    pub(crate) flips: Flips,
    /// Everything is within this many sizes of the pivot.
    reach: f64,
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

    fn has(&self, constraint: Constraint) -> bool {
        self.set.contains(HandleId::from_constraint(constraint))
    }

    /// Where an arrow's stem and head begin.
    fn arrow(&self, axis: Axis) -> [f64; 2] {
        let head = f64::from(MeshKind::HEAD_LENGTH);
        match (self.is_mixed, self.has(Constraint::ScaleAxis(axis))) {
            (false, _) => [ARROW_START, 1.0 - head],
            (true, false) => [ARROW_START, BEYOND_RINGS],
            (true, true) => [PAST_RING, BEYOND_RINGS],
        }
    }

    /// The middle of a scale handle's cube.
    fn cube(&self) -> f64 {
        if self.is_mixed { INSIDE_RINGS } else { 1.0 - CUBE_HALF }
    }

    /// Where a square begins, and its side.
    fn square(&self, constraint: Constraint) -> [f64; 2] {
        match constraint {
            Constraint::ScalePlane(normal) if self.has(Constraint::Plane(normal)) => {
                [OUTER_SQUARE_START, OUTER_SQUARE_SIDE]
            }
            _ => [SQUARE_START, SQUARE_SIDE],
        }
    }
}

/// How one handle is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    Plain,
    Hovered,
    Active,
    Dimmed,
    Disabled,
}

impl Shown {
    /// Of a handle that is `plain` at rest.
    fn color(self, theme: &Theme, plain: Rgba) -> Rgba {
        match self {
            Self::Plain => plain,
            Self::Dimmed => faded(plain, theme.dimmed),
            Self::Hovered => theme.hovered,
            Self::Active => theme.active,
            Self::Disabled => theme.disabled,
        }
    }
}

/// One handle's id and looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    pub(crate) id: NonZeroU32,
    pub(crate) shown: Shown,
    /// 0..1, by how glancing the handle is.
    pub(crate) opacity: f64,
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
        list.begin_gizmo(depth, arrangement.is_mixed, self.own_depths(view, arrangement.reach));
    }

    /// The depths that [`Sight::part`] gives to the far and the near end of the gizmo, with
    /// some to spare for the thickness of lines.
    fn own_depths(&self, view: &View, reach: f64) -> [f64; 2] {
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

/// One gizmo in one view: what its handles are drawn from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stand<'a> {
    pub(crate) view: &'a View,
    pub(crate) theme: &'a Theme,
    pub(crate) layout: &'a Layout,
    pub(crate) arrangement: &'a Arrangement,
    /// The host's own handles.
    pub(crate) custom: &'a [CustomHandle],
    sight: Sight<'a>,
}

impl<'a> Stand<'a> {
    pub(crate) fn new(
        view: &'a View,
        theme: &'a Theme,
        layout: &'a Layout,
        arrangement: &'a Arrangement,
        custom: &'a [CustomHandle],
    ) -> Self {
        let sight = Sight::new(view, layout, arrangement.reach);
        Self { view, theme, layout, arrangement, custom, sight }
    }
}

/// Appends the parts of one handle to `list`.
pub(crate) fn append(
    list: &mut DrawList,
    stand: &Stand<'_>,
    handle: HandleId,
    Look { id, shown, opacity }: Look,
) {
    let Stand { view, arrangement, sight, .. } = stand;
    let constraint = handle.constraint();
    let flips = arrangement.flips;
    let sign = |axis: Axis| flips.sign(constraint.channel(), axis);
    // Turns X into the axis, or by half a turn into its opposite.
    let toward = |axis: Axis| [sign(axis), sign(axis), 1.0];
    let plain = [1.0; 3];
    let channel_axes = match constraint.channel() {
        Channel::Scale => sight.scale_axes(),
        Channel::Translate | Channel::Rotate => sight.axes(),
    };
    let mut pen = Pen { list, stand, constraint, id, shown, opacity, axes: *channel_axes };
    if let Some(place) = handle.custom_index() {
        if let Some(custom) = stand.custom.get(place) {
            pen.custom(custom);
        }
        return;
    }
    match constraint {
        Constraint::Axis(axis) => {
            let [start, neck] = arrangement.arrow(axis);
            pen.axes = channel_axes.cyclic(axis, toward(axis));
            pen.stem(start, neck + 0.01);
            pen.part(MeshKind::Cone, DVec3::X * neck, DVec3::ONE);
        }
        Constraint::ScaleAxis(axis) => {
            let centre = arrangement.cube();
            pen.axes = channel_axes.cyclic(axis, toward(axis));
            pen.stem(SCALE_START, centre);
            pen.part(MeshKind::Cube, DVec3::X * centre, DVec3::splat(CUBE_HALF));
        }
        Constraint::Plane(axis) | Constraint::ScalePlane(axis) => {
            let [b, c] = axis.others().map(sign);
            let [start, side] = arrangement.square(constraint);
            // The normal turns round where one of the two does: a rotation, not a mirror.
            pen.axes = channel_axes.cyclic(axis, [b * c, b, c]);
            let corner = DVec3::new(0.0, start, start);
            pen.part(MeshKind::Square, corner, DVec3::splat(side));
            pen.part(MeshKind::Frame, corner, DVec3::splat(side));
        }
        Constraint::ViewPlane if arrangement.has(Constraint::ScaleUniform) => {
            pen.axes = sight.axes_of(&view.frame()).cyclic(Axis::Z, plain);
            pen.part(MeshKind::Ring, DVec3::ZERO, DVec3::splat(CENTRE_CIRCLE));
        }
        Constraint::ViewPlane => {
            pen.axes = sight.axes_of(&DMat3::IDENTITY);
            pen.part(MeshKind::Dot, DVec3::ZERO, DVec3::splat(CENTRE_BALL));
        }
        Constraint::ScaleUniform => {
            pen.part(MeshKind::Cube, DVec3::ZERO, DVec3::splat(CENTRE_CUBE_HALF));
        }
        Constraint::Ring(axis) => {
            pen.axes = channel_axes.cyclic(axis, plain);
            pen.part(MeshKind::Ring, DVec3::ZERO, DVec3::ONE);
        }
        Constraint::ViewRing => {
            pen.axes = sight.axes_of(&view.frame()).cyclic(Axis::Z, plain);
            pen.part(MeshKind::Ring, DVec3::ZERO, DVec3::splat(OUTER_RING));
        }
        Constraint::Trackball => {
            pen.axes = sight.axes_of(&view.frame());
            pen.part(MeshKind::Ball, DVec3::ZERO, DVec3::splat(BALL_RADIUS));
        }
    }
}

/// Paints the letter of a handle's axis: past the tip of an arrow or cube, outside a ring where
/// that is nearest to the viewer.
pub(crate) fn append_letter(list: &mut DrawList, stand: &Stand<'_>, handle: HandleId, look: Look) {
    let Stand { view, theme, layout, arrangement, .. } = *stand;
    let constraint = handle.constraint();
    let Some(axis) = constraint.axis() else { return };
    let frame = layout.axes_of(constraint);
    let direction = frame.col(axis.index());
    let sign = arrangement.flips.sign(constraint.channel(), axis);
    let offset = match constraint {
        Constraint::Axis(_) => {
            direction * (sign * (arrangement.arrow(axis)[1] + f64::from(MeshKind::HEAD_LENGTH)))
        }
        Constraint::ScaleAxis(_) => direction * (sign * (arrangement.cube() + CUBE_HALF)),
        Constraint::Ring(_) => {
            let nearest = (-layout.toward).reject_from_normalized(direction);
            let [b, c] = axis.others().map(|other| frame.col(other.index()));
            // Of a ring that faces the viewer no point is the nearest.
            if nearest.length() > 0.1 { nearest.normalize() } else { (b + c).normalize_or_zero() }
        }
        _ => return,
    };
    let at = |offset: DVec3| view.px_from_world(layout.pivot_world + offset * layout.size_world);
    let (Some(pivot_px), Some(tip_px)) = (at(DVec3::ZERO), at(offset)) else { return };
    let outward = tip_px - pivot_px;
    let outward = if outward.length() > 4.0 { outward.normalize() } else { DVec2::NEG_Y };
    let gap_lpx = 0.5 * f64::from(theme.letter_lpx) + 5.0;
    let middle_px = tip_px + outward * (gap_lpx * view.scale_factor());
    let plain = theme.axes[axis.index()];
    let color = faded(look.shown.color(theme, plain), look.opacity as f32);
    let ink = Ink { color, width_lpx: 0.17 * theme.letter_lpx };
    if middle_px.is_finite() && theme.letter_lpx > 0.0 {
        letter(list, axis, middle_px, theme.letter_lpx, ink);
    }
}

struct Pen<'a> {
    list: &'a mut DrawList,
    stand: &'a Stand<'a>,
    constraint: Constraint,
    id: NonZeroU32,
    shown: Shown,
    opacity: f64,
    /// Those of the part.
    axes: SeenAxes,
}

impl Pen<'_> {
    fn stem(&mut self, from: f64, to: f64) {
        self.part(MeshKind::Stem, DVec3::X * from, DVec3::new(to - from, 1.0, 1.0));
    }

    /// One mesh, placed and scaled in units of the gizmo's size.
    fn part(&mut self, mesh: MeshKind, offset: DVec3, scale: DVec3) {
        let axis = self.constraint.axis();
        let theme = self.stand.theme;
        let color = axis.map_or(theme.neutral, |axis| theme.axes[axis.index()]);
        self.colored_part(mesh, offset, scale, color);
    }

    /// A handle of the host's own.
    fn custom(&mut self, custom: &CustomHandle) {
        let placement = &custom.placement;
        if custom.reach().is_none() {
            return;
        }
        let offset = placement.translation;
        // A part's offset is along its own axes.
        let offset = custom.rotation().transpose() * offset;
        let axes = self.stand.layout.axes_of(self.constraint) * custom.rotation();
        self.axes = self.stand.sight.axes_of(&axes);
        let mesh = self.list.keep(&custom.mesh);
        self.colored_part(mesh, offset, placement.scale, custom.color);
    }

    fn colored_part(&mut self, mesh: MeshKind, offset: DVec3, scale: DVec3, plain: [f32; 4]) {
        let Stand { view, theme, layout, arrangement, sight, .. } = self.stand;
        let is_custom = matches!(mesh, MeshKind::Custom(_));
        let is_ball = self.constraint == Constraint::Trackball && !is_custom;
        let translucent = mesh == MeshKind::Square || is_ball;
        let width = match mesh {
            // Thinner than a stem, and wide enough to stay whole when it is seen at a slant.
            MeshKind::Frame => theme.line_lpx * 0.75,
            _ => theme.line_lpx,
        };
        // Stems keep Y and Z unscaled, so for every mesh the scale across is its Z.
        let thickness = 0.5 * f64::from(width) * view.scale_factor() / (layout.size_px * scale.z.abs());
        let thickness = if thickness.is_finite() { thickness } else { 0.0 };
        let is_ring = matches!(self.constraint, Constraint::Ring(_)) && !is_custom;
        let halved = is_ring && self.shown != Shown::Active;
        let mut seen = sight.part(&self.axes, offset, scale);
        if is_ball && arrangement.is_mixed {
            // Behind all that stands inside it.
            let [far, _] = layout.own_depths(view, arrangement.reach);
            for [_, _, z, w] in &mut seen.clip_from_part {
                *z = *w * far as f32;
            }
        }
        let SeenPart { world_from_part, clip_from_part, view_depth_from_part, to_eye } = seen;
        let instance = Instance {
            clip_from_part,
            view_depth_from_part,
            to_eye_part: to_eye.as_vec3().extend(if halved { 1.0 } else { 0.0 }).to_array(),
            color: self.color(plain, translucent),
            thickness: thickness as f32,
            far_thickness: 0.45 * thickness as f32,
            far_opacity: theme.far_half,
            id: self.id.get(),
        };
        let id = (self.shown != Shown::Disabled).then_some(self.id);
        let priority = self.constraint.priority();
        self.list.push(Item { instance, mesh, world_from_part, id, priority, translucent });
    }

    fn color(&self, plain: [f32; 4], translucent: bool) -> [f32; 4] {
        let theme = self.stand.theme;
        let [r, g, b, mut a] = self.shown.color(theme, plain);
        if translucent {
            let lit = matches!(self.shown, Shown::Hovered | Shown::Active);
            let opacities = if self.constraint == Constraint::Trackball {
                theme.ball_opacity
            } else {
                theme.square_opacity
            };
            a *= opacities[usize::from(lit)];
        }
        [r, g, b, a * self.opacity as f32]
    }
}
