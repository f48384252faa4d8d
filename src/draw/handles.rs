use super::guides::{Ink, faded};
use super::layout::{Arrangement, CUBE_HALF, Layout};
use super::letters::letter;
use super::list::{DrawList, Instance, Item};
use super::projection::{SeenAxes, SeenPart, Sight};
use crate::handle::{Axis, Channel, Constraint, CustomHandle, HandleId, MeshKind, Rgba, Theme};
use crate::math::View;
use glam::{DMat3, DVec2, DVec3};
use std::num::NonZeroU32;

const SCALE_START: f64 = 0.2;
const CENTRE_CUBE_HALF: f64 = 0.075;
const CENTRE_BALL: f64 = 0.085;
/// Radius of the circle that stands for the ball where the cube has the centre.
const CENTRE_CIRCLE: f64 = 0.16;
pub(crate) const BALL_RADIUS: f64 = 0.9;
pub(crate) const OUTER_RING: f64 = 1.15;

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
