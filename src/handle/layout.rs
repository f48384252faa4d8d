use super::draw_list::{DrawList, Instance, Item};
use super::mesh::MeshKind;
use super::theme::Theme;
use super::{Axis, Constraint, HandleId};
use crate::math::View;
use glam::{DAffine3, DMat3, DVec2, DVec3, DVec4};
use std::num::NonZeroU32;

/// Longest arrow as a fraction of the viewport's shorter side: small viewports get a small gizmo.
const LARGEST_FRACTION: f64 = 0.4;
/// Everything of the gizmo is within this many sizes of the pivot.
const REACH: f64 = 1.25;
const ARROW_START: f64 = 0.15;
const SCALE_START: f64 = 0.2;
const CUBE_HALF: f64 = 0.055;
const CENTRE_CUBE_HALF: f64 = 0.075;
const CENTRE_BALL: f64 = 0.085;
const SQUARE_START: f64 = 0.3;
const SQUARE_SIDE: f64 = 0.2;
pub(crate) const BALL_RADIUS: f64 = 0.9;
pub(crate) const OUTER_RING: f64 = 1.15;

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
        let visible = view.clip_w(pivot_world) > 0.0 && size_world.is_finite() && size_world > 0.0;
        visible.then_some(Self { pivot_world, axes, scale_axes, size_px, size_world })
    }

    /// The axes that a handle of this constraint hangs on.
    pub(crate) fn axes_of(&self, constraint: Constraint) -> DMat3 {
        match constraint.channel() {
            super::Channel::Scale => self.scale_axes,
            super::Channel::Translate | super::Channel::Rotate => self.axes,
        }
    }

    /// How far a handle is from glancing: 1 and more when clear of it, 0 and less when it must
    /// go, and the slope in between, per radian.
    fn clearance(&self, view: &View, constraint: Constraint) -> Option<(f64, f64)> {
        let (axis, low, high) = match constraint {
            Constraint::Axis(axis) | Constraint::ScaleAxis(axis) => (axis, 8f64, 12f64),
            Constraint::Plane(axis) | Constraint::ScalePlane(axis) => (axis, 10f64, 14f64),
            _ => return None,
        };
        let along = self.axes_of(constraint).col(axis.index());
        let cosine = along.dot(view.direction_to(self.pivot_world)).abs();
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        let is_plane = matches!(constraint, Constraint::Plane(_) | Constraint::ScalePlane(_));
        let angle = if is_plane { cosine.atan2(sine) } else { sine.atan2(cosine) };
        let slope = (high - low).to_radians().recip();
        Some(((angle - low.to_radians()) * slope, slope))
    }

    /// Opacity of a handle by how glancing it is, `None` where it is gone. One that was gone
    /// comes back 1° later than it went, so that it does not flicker on the edge.
    pub(crate) fn glancing_opacity(
        &self,
        view: &View,
        constraint: Constraint,
        was_gone: bool,
    ) -> Option<f64> {
        let Some((clearance, slope)) = self.clearance(view, constraint) else { return Some(1.0) };
        let returns_at = if was_gone { slope * 1f64.to_radians() } else { 0.0 };
        (clearance > returns_at).then_some(clearance.min(1.0))
    }

    /// Opens this gizmo's share of a list: all that is appended from here on.
    pub(crate) fn begin(&self, list: &mut DrawList, view: &View) {
        let depth = view.forward().dot(self.pivot_world);
        list.begin_gizmo(depth, self.own_depths(view));
    }

    /// The depths that [`Pen::clip_rows`] gives to the far and the near end of the gizmo, with
    /// some to spare for the thickness of lines.
    fn own_depths(&self, view: &View) -> [f64; 2] {
        let spare = 1.1;
        if view.is_orthographic() {
            return [0.5 - 0.25 * spare, 0.5 + 0.25 * spare];
        }
        let w = view.clip_w(self.pivot_world);
        let reach = spare * REACH * self.size_world * view.clip_from_world().row(3).truncate().length();
        [w / (w + reach) / 16.0, w / (w - reach).max(w / 16.0) / 16.0]
    }

    /// Screen rectangle that holds the whole gizmo and its halo; everything where part of it
    /// reaches behind the viewer.
    pub(crate) fn bounds_px(&self, view: &View, line_lpx: f32) -> [DVec2; 2] {
        let everywhere = [DVec2::NEG_INFINITY, DVec2::INFINITY];
        let reach = REACH * self.size_world;
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

/// Appends the parts of one handle to `list`.
pub(crate) fn append(
    list: &mut DrawList,
    layout: &Layout,
    view: &View,
    theme: &Theme,
    handle: HandleId,
    Look { id, shown, opacity }: Look,
) {
    let constraint = handle.constraint();
    let mut pen =
        Pen { list, layout, view, theme, constraint, id, shown, opacity, rotation: DMat3::IDENTITY };
    match constraint {
        Constraint::Axis(axis) => {
            pen.rotation = layout.axes * cyclic(axis);
            let neck = 1.0 - f64::from(MeshKind::HEAD_LENGTH);
            pen.stem(ARROW_START, neck + 0.01);
            pen.part(MeshKind::Cone, DVec3::X * neck, DVec3::ONE);
        }
        Constraint::ScaleAxis(axis) => {
            pen.rotation = layout.scale_axes * cyclic(axis);
            let centre = 1.0 - CUBE_HALF;
            pen.stem(SCALE_START, centre);
            pen.part(MeshKind::Cube, DVec3::X * centre, DVec3::splat(CUBE_HALF));
        }
        Constraint::Plane(axis) | Constraint::ScalePlane(axis) => {
            pen.rotation = layout.axes_of(constraint) * cyclic(axis);
            let corner = DVec3::new(0.0, SQUARE_START, SQUARE_START);
            pen.part(MeshKind::Square, corner, DVec3::splat(SQUARE_SIDE));
            pen.part(MeshKind::Frame, corner, DVec3::splat(SQUARE_SIDE));
        }
        Constraint::ViewPlane => pen.part(MeshKind::Dot, DVec3::ZERO, DVec3::splat(CENTRE_BALL)),
        Constraint::ScaleUniform => {
            pen.rotation = layout.scale_axes;
            pen.part(MeshKind::Cube, DVec3::ZERO, DVec3::splat(CENTRE_CUBE_HALF));
        }
        Constraint::Ring(axis) => {
            pen.rotation = layout.axes * cyclic(axis);
            pen.part(MeshKind::Ring, DVec3::ZERO, DVec3::ONE);
        }
        Constraint::ViewRing => {
            pen.rotation = view.frame() * cyclic(Axis::Z);
            pen.part(MeshKind::Ring, DVec3::ZERO, DVec3::splat(OUTER_RING));
        }
        Constraint::Trackball => {
            pen.rotation = view.frame();
            pen.part(MeshKind::Ball, DVec3::ZERO, DVec3::splat(BALL_RADIUS));
        }
    }
}

/// Turns X into the axis, and Y and Z into the two that follow it: exact, and never a mirror.
fn cyclic(axis: Axis) -> DMat3 {
    let [b, c] = axis.others();
    DMat3::from_cols(axis.unit(), b.unit(), c.unit())
}

struct Pen<'a> {
    list: &'a mut DrawList,
    layout: &'a Layout,
    view: &'a View,
    theme: &'a Theme,
    constraint: Constraint,
    id: NonZeroU32,
    shown: Shown,
    opacity: f64,
    /// World axes of the part.
    rotation: DMat3,
}

impl Pen<'_> {
    fn stem(&mut self, from: f64, to: f64) {
        self.part(MeshKind::Stem, DVec3::X * from, DVec3::new(to - from, 1.0, 1.0));
    }

    /// One mesh, placed and scaled in units of the gizmo's size.
    fn part(&mut self, mesh: MeshKind, offset: DVec3, scale: DVec3) {
        let Layout { pivot_world, size_world, size_px, .. } = *self.layout;
        let axes = self.rotation * size_world;
        let world_from_part = DAffine3 {
            matrix3: axes * DMat3::from_diagonal(scale),
            translation: pivot_world + axes * offset,
        };
        let translucent = mesh == MeshKind::Square || self.constraint == Constraint::Trackball;
        let width = match mesh {
            // Thinner than a stem, and wide enough to stay whole when it is seen at a slant.
            MeshKind::Frame => self.theme.line_lpx * 0.75,
            _ => self.theme.line_lpx,
        };
        // Stems keep Y and Z unscaled, so for every mesh the scale across is its Z.
        let thickness = 0.5 * f64::from(width) * self.view.scale_factor() / (size_px * scale.z);
        let halved = matches!(self.constraint, Constraint::Ring(_)) && self.shown != Shown::Active;
        // Rotation and uniform scale keep this direction's meaning; stems have no far half.
        let to_eye = self.rotation.transpose() * -self.view.direction_to(pivot_world);
        let (clip_from_part, view_depth_from_part) = self.clip_rows(&world_from_part);
        let instance = Instance {
            clip_from_part,
            view_depth_from_part,
            to_eye_part: to_eye.as_vec3().extend(if halved { 1.0 } else { 0.0 }).to_array(),
            color: self.color(translucent),
            thickness: thickness as f32,
            far_thickness: 0.45 * thickness as f32,
            far_opacity: self.theme.far_half,
            id: self.id.get(),
        };
        let id = (self.shown != Shown::Disabled).then_some(self.id);
        let priority = self.constraint.priority();
        self.list.push(Item { instance, mesh, world_from_part, id, priority, translucent });
    }

    /// `clip_from_part` with the gizmo's own depth in row 2, and the row 2 of the view.
    fn clip_rows(&self, world_from_part: &DAffine3) -> ([[f32; 4]; 4], [f32; 4]) {
        let clip_from_world = self.view.clip_from_world();
        let mut columns = [DVec4::ZERO; 4];
        for (i, column) in columns.iter_mut().enumerate().take(3) {
            *column = clip_from_world * world_from_part.matrix3.col(i).extend(0.0);
        }
        columns[3] = clip_from_world * world_from_part.translation.extend(1.0);
        let view_depth = columns.map(|c| c.z as f32);
        let pivot = self.layout.pivot_world;
        if self.view.is_orthographic() {
            // Linear in depth, half way at the pivot, in units that the whole gizmo fits in.
            let w = columns[3].w;
            let nearer = self.view.forward() * (-w / (4.0 * REACH * self.layout.size_world));
            for (i, column) in columns.iter_mut().enumerate().take(3) {
                column.z = nearer.dot(world_from_part.matrix3.col(i));
            }
            columns[3].z = 0.5 * w + nearer.dot(world_from_part.translation - pivot);
        } else {
            // A sixteenth of the pivot's w over w: 1/16 at the pivot, 1 just before the eye.
            for column in columns.iter_mut().take(3) {
                column.z = 0.0;
            }
            columns[3].z = self.view.clip_w(pivot) / 16.0;
        }
        (columns.map(|c| c.as_vec4().to_array()), view_depth)
    }

    fn color(&self, translucent: bool) -> [f32; 4] {
        let theme = self.theme;
        let plain = self.constraint.axis().map_or(theme.neutral, |axis| theme.axes[axis.index()]);
        let [r, g, b, mut a] = match self.shown {
            Shown::Plain | Shown::Dimmed => plain,
            Shown::Hovered => theme.hovered,
            Shown::Active => theme.active,
            Shown::Disabled => theme.disabled,
        };
        if translucent {
            let lit = matches!(self.shown, Shown::Hovered | Shown::Active);
            let opacities = if self.constraint == Constraint::Trackball {
                theme.ball_opacity
            } else {
                theme.square_opacity
            };
            a *= opacities[usize::from(lit)];
        }
        if self.shown == Shown::Dimmed {
            a *= theme.dimmed;
        }
        [r, g, b, a * self.opacity as f32]
    }
}
