//! The parts of handles, and where they are on screen.

pub(crate) mod handle_style;
pub(crate) mod invisible;
pub(crate) mod layout;
pub(crate) mod letters;
pub(crate) mod oriented_box;
pub(crate) mod projection;

use crate::draw::guides::faded;
use crate::draw::handles::handle_style::{HandleState, HandleStretch, HandleStyle};
use crate::draw::handles::layout::{Arrangement, CUBE_HALF, Layout};
use crate::draw::handles::projection::{GizmoProjection, ProjectedAxes, ProjectedPart};
use crate::draw::item::{Halo, Item, Rim, RingHalves};
use crate::draw::list::DrawList;
use crate::draw::order::PaintLayer;
use crate::draw::width_px;
use crate::handle::{Axis, BoxGrip, ChangeKind, Constraint, CustomHandle, HandleId, MeshKind, Rgba, Theme};
use crate::math::View;
use glam::{DMat3, DVec3};
use std::num::NonZeroU32;

const SCALE_START: f64 = 0.2;
const CENTER_CUBE_HALF: f64 = 0.075;
const BOX_CUBE_HALF: f64 = 0.05;
/// The cubes of a small box have a tenth of its longest side from center to face, but not less than this.
const BOX_CUBE_HALF_MIN: f64 = 0.02;
const CENTER_BALL: f64 = 0.085;
/// Radius of the circle that replaces the center ball if the center cube is shown as well.
const CENTER_CIRCLE: f64 = 0.16;
pub(crate) const BALL_RADIUS: f64 = 0.9;
pub(crate) const OUTER_RING: f64 = 1.15;
/// The width of the halo, in logical pixels. It separates a handle from a background of its color.
const HALO_LPX: f64 = 1.5;
const MAX_HALO_PX: f64 = 4.0;
/// The opacity of the black halo: a contrast of 3 : 1 with mid gray.
const HALO_OPACITY: f32 = 0.6;
/// How much wider a handle under the pointer is on each side, in logical pixels, and its halo.
const HOVER_GROWN_LPX: f64 = 0.5;
const HOVER_HALO_LPX: f64 = 2.0;
const HOVER_HALO_OPACITY: f32 = 0.7;
/// The width of the rim around the active handle, in logical pixels.
const RIM_LPX: f64 = 1.0;
/// The maximum displacement of a scale handle in its drag, in sizes.
const MAX_SHIFT: f64 = 100.0;
/// The cosine between the axis of a ring and the direction to the eye, below which it is seen edge-on.
const EDGE_ON: f64 = 0.06;

/// One gizmo in one view: the context in which its handles are drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DrawContext<'a> {
    pub(crate) view: &'a View,
    pub(crate) theme: &'a Theme,
    pub(crate) layout: &'a Layout,
    pub(crate) arrangement: &'a Arrangement,
    /// The custom handles of the gizmo, by their index.
    pub(crate) custom: &'a [CustomHandle],
    projection: GizmoProjection<'a>,
}

impl<'a> DrawContext<'a> {
    pub(crate) fn new(
        view: &'a View,
        theme: &'a Theme,
        layout: &'a Layout,
        arrangement: &'a Arrangement,
        custom: &'a [CustomHandle],
    ) -> Self {
        let projection = GizmoProjection::new(view, layout);
        Self { view, theme, layout, arrangement, custom, projection }
    }

    /// Returns the center of the cube of a scale handle along X of `axes`, with its displacement in a drag.
    pub(crate) fn cube_center(&self, axes: &ProjectedAxes, center: f64, stretch: HandleStretch) -> f64 {
        let shift = stretch.shift([center - CUBE_HALF, center + CUBE_HALF], self.layout.size_world);
        if shift == 0.0 {
            return center;
        }
        self.projection.in_front(axes, center + shift.clamp(-MAX_SHIFT, MAX_SHIFT))
    }

    /// Returns the center of the cube of a scale handle along its axis, with its displacement in a drag.
    pub(crate) fn cube_center_along(&self, axis: Axis, stretch: HandleStretch) -> f64 {
        let sign = self.arrangement.flips.sign(ChangeKind::Scale, axis);
        let axes = self.projection.scale_axes().cyclic(axis, [sign, sign, 1.0]);
        self.cube_center(&axes, self.arrangement.cube(), stretch)
    }

    /// Returns the axes that the handle of a constraint follows.
    fn axes_of(&self, constraint: Constraint) -> &ProjectedAxes {
        match constraint.change_kind() {
            ChangeKind::Scale => self.projection.scale_axes(),
            ChangeKind::Translate | ChangeKind::Rotate => self.projection.axes(),
        }
    }
}

/// Appends the parts of one handle to `list`.
pub(crate) fn append(
    list: &mut DrawList,
    context: &DrawContext<'_>,
    handle: HandleId,
    HandleStyle { id, state, opacity, stretch }: HandleStyle,
) {
    let constraint = handle.constraint();
    let axes = *context.axes_of(constraint);
    let mut pen = Pen { list, context, handle, id, state, opacity, stretch, axes };
    match handle.custom_index() {
        Some(index) => context.custom.get(index).into_iter().for_each(|custom| pen.custom(custom)),
        None => pen.built_in(constraint),
    }
}

/// Appends the parts of one handle to a draw list.
struct Pen<'a> {
    list: &'a mut DrawList,
    context: &'a DrawContext<'a>,
    handle: HandleId,
    id: NonZeroU32,
    state: HandleState,
    opacity: f64,
    stretch: HandleStretch,
    /// The axes of the part that is appended next.
    axes: ProjectedAxes,
}

impl Pen<'_> {
    /// Appends the parts of a built-in handle.
    fn built_in(&mut self, constraint: Constraint) {
        let context = self.context;
        let sign = |axis: Axis| context.arrangement.flips.sign(constraint.change_kind(), axis);
        // Signs of a rotation that maps X to the axis or to its opposite.
        let toward = |axis: Axis| [sign(axis), sign(axis), 1.0];
        let plain = [1.0; 3];
        let kind_axes = context.axes_of(constraint);
        let view_axes = || context.projection.axes_of(&context.view.axes());
        match constraint {
            Constraint::Box(grip) => self.box_grip(grip),
            Constraint::Axis(axis) => {
                self.axes = kind_axes.cyclic(axis, toward(axis));
                self.arrow(context.arrangement.arrow(axis));
            }
            Constraint::ScaleAxis(axis) => {
                self.axes = kind_axes.cyclic(axis, toward(axis));
                self.scale_arrow(context.arrangement.cube());
            }
            Constraint::Plane(axis) | Constraint::ScalePlane(axis) => {
                let [b, c] = axis.others().map(sign);
                // The normal flips if one of the two axes does, so this is a rotation and not a mirror.
                self.axes = kind_axes.cyclic(axis, [b * c, b, c]);
                self.square(context.arrangement.square(constraint));
            }
            Constraint::ViewPlane if context.arrangement.has(Constraint::ScaleUniform) => {
                self.axes = view_axes().cyclic(Axis::Z, plain);
                self.centered(MeshKind::Ring, CENTER_CIRCLE);
            }
            Constraint::ViewPlane => {
                self.axes = context.projection.axes_of(&DMat3::IDENTITY);
                self.centered(MeshKind::Dot, CENTER_BALL);
            }
            Constraint::ScaleUniform => self.centered(MeshKind::Cube, CENTER_CUBE_HALF),
            Constraint::Ring(axis) => {
                self.axes = kind_axes.cyclic(axis, plain);
                self.centered(MeshKind::Ring, 1.0);
            }
            Constraint::ViewRing => {
                self.axes = view_axes().cyclic(Axis::Z, plain);
                self.centered(MeshKind::Ring, OUTER_RING);
            }
            Constraint::Trackball => {
                self.axes = view_axes();
                self.centered(MeshKind::Ball, BALL_RADIUS);
            }
        }
    }

    /// Appends an arrow along X from `start` to the base of its head at `neck`.
    fn arrow(&mut self, [start, neck]: [f64; 2]) {
        // Arrows that begin at a ring have no gap to the center.
        let start = if start < 1.0 { self.stem_start(start) } else { start };
        if start < neck {
            self.stem(start, neck + 0.01);
        }
        self.part(MeshKind::Cone, DVec3::X * neck, DVec3::ONE);
    }

    /// Appends a stem along X with a cube at its end.
    fn scale_arrow(&mut self, center: f64) {
        let center = self.context.cube_center(&self.axes, center, self.stretch);
        let start = self.stem_start(SCALE_START).copysign(center);
        if start.abs() + CUBE_HALF < center.abs() {
            self.stem(start, center);
        }
        self.part(MeshKind::Cube, DVec3::X * center, DVec3::splat(CUBE_HALF));
    }

    /// Returns where the stem of an arrow begins so that the gap to the center handle is equally wide for all
    /// axes on screen. `start` is the place for an axis that faces sideways.
    fn stem_start(&self, start: f64) -> f64 {
        // An axis that points at the viewer has no stem.
        self.context.projection.at_screen_distance(&self.axes, start).unwrap_or(f64::INFINITY)
    }

    /// Appends a square in the YZ plane, with one corner at `start` along both axes.
    fn square(&mut self, [start, side]: [f64; 2]) {
        let shift = self.stretch.shift([start, start + side], self.context.layout.size_world);
        let corner = (start + shift).clamp(-MAX_SHIFT, MAX_SHIFT);
        self.part(MeshKind::Square, DVec3::new(0.0, corner, corner), DVec3::splat(side));
    }

    /// Appends a mesh at the pivot.
    fn centered(&mut self, mesh: MeshKind, size: f64) {
        self.part(mesh, DVec3::ZERO, DVec3::splat(size));
    }

    fn stem(&mut self, from: f64, to: f64) {
        self.part(MeshKind::Stem, DVec3::X * from, DVec3::new(to - from, 1.0, 1.0));
    }

    /// Appends a mesh, with its offset and scale in units of the gizmo's size.
    fn part(&mut self, mesh: MeshKind, offset: DVec3, scale: DVec3) {
        let axis = self.handle.constraint().axis();
        let theme = self.context.theme;
        let color = axis.map_or(theme.colors.neutral, |axis| theme.colors.axes[axis.index()]);
        self.colored_part(mesh, offset, scale, color);
    }

    /// Appends the mesh of a custom handle.
    fn custom(&mut self, custom: &CustomHandle) {
        let placement = &custom.placement;
        let layout = self.context.layout;
        if custom.reach(layout.size_world).is_none() {
            return;
        }
        let offset = placement.translation + custom.offset_world / layout.size_world;
        // The offset of a part is along the axes of the part.
        let offset = custom.rotation().transpose() * offset;
        let axes = layout.axes_of(self.handle.constraint()) * custom.rotation();
        self.axes = self.context.projection.axes_of(&axes);
        let mesh = self.list.keep(&custom.mesh);
        self.colored_part(mesh, offset, placement.scale, custom.color);
    }

    /// Appends the edge of a box as a line, and the middle of a face or a corner as a cube.
    fn box_grip(&mut self, grip: BoxGrip) {
        let DrawContext { layout, theme, projection, .. } = *self.context;
        let Some(shown) = layout.oriented_box else { return };
        let in_sizes = |point: DVec3| (point - layout.pivot_world) / layout.size_world;
        let Some([from, to]) = shown.edge(grip) else {
            // Passive faces and corners are not drawn.
            if self.state != HandleState::Passive {
                self.axes = *projection.scale_axes();
                let offset = layout.scale_axes.transpose() * in_sizes(shown.point(grip));
                let longest_half =
                    shown.half.iter().map(|half| half.length()).fold(0.0, f64::max) / layout.size_world;
                let half = (0.2 * longest_half).clamp(BOX_CUBE_HALF_MIN, BOX_CUBE_HALF);
                self.colored_part(MeshKind::Cube, offset, DVec3::splat(half), theme.colors.neutral);
            }
            return;
        };
        let Some(along) = (to - from).try_normalize() else { return };
        let (y, z) = along.any_orthonormal_pair();
        let axes = DMat3::from_cols(along, y, z);
        self.axes = projection.axes_of(&axes);
        let offset = axes.transpose() * in_sizes(from);
        let length = from.distance(to) / layout.size_world;
        let color =
            if self.state == HandleState::Passive { theme.colors.guide } else { theme.colors.neutral };
        self.colored_part(MeshKind::Stem, offset, DVec3::new(length, 1.0, 1.0), color);
    }

    fn colored_part(&mut self, mesh: MeshKind, offset: DVec3, scale: DVec3, plain: Rgba) {
        let DrawContext { view, theme, layout, projection, .. } = self.context;
        let width = match mesh {
            // Thinner than a stem, but without gaps in a slanted view.
            MeshKind::Square | MeshKind::SquareBorder => theme.sizes.line_lpx * 0.75,
            _ => theme.sizes.line_lpx,
        };
        let projected = projection.part(&self.axes, offset, scale);
        let ProjectedPart { world_from_part, px_from_part, to_eye, to_light } = projected;
        let item = Item {
            mesh,
            world_from_part,
            anchor_px: projection.anchor_px,
            px_from_part,
            pivot_w: layout.pivot_w,
            to_eye,
            to_light,
            half_width_px: 0.5 * width_px(width, view),
            grown_px: self.grown_px(),
            radius_px: layout.size_px * scale.y.abs().max(scale.z.abs()),
            halves: self.halves(mesh),
            color: self.color(mesh, plain),
            fill_opacity: self.fill_opacity(),
            halo: self.halo(),
            rim: self.has_rim(mesh).then_some(Rim {
                color: faded(theme.colors.active, self.opacity as f32),
                width_px: width_px(RIM_LPX, view),
            }),
            is_head: matches!(self.handle.constraint(), Constraint::Axis(_) | Constraint::ScaleAxis(_)),
            id: (!matches!(self.state, HandleState::Disabled | HandleState::Passive)).then_some(self.id),
            handle_id: self.id,
            priority: self.handle.constraint().priority(),
        };
        let (layer, nearness) = self.position(mesh, offset, scale);
        self.list.push(item, layer, nearness);
    }

    /// Returns true if the part has a rim. Other parts of an active handle have the active color instead.
    fn has_rim(&self, mesh: MeshKind) -> bool {
        self.state == HandleState::Active && !matches!(mesh, MeshKind::Ball | MeshKind::Custom(_))
    }

    /// Returns the layer of a part and its nearness, which decide the order of painting.
    fn position(&self, mesh: MeshKind, offset: DVec3, scale: DVec3) -> (PaintLayer, f64) {
        let bounds = mesh.bounds().unwrap_or_default();
        let center = offset + bounds[0] * scale;
        let nearness = self.axes.nearness(center);
        let is_edge_on = self.axes.nearness(DVec3::X).abs() < EDGE_ON;
        let layer = match mesh {
            // The inactive handles in a drag are behind the active one.
            _ if self.state == HandleState::Dimmed => PaintLayer::Backdrop,
            MeshKind::Ball if self.context.arrangement.is_mixed => PaintLayer::Backdrop,
            MeshKind::Ball => PaintLayer::Ball,
            // A ring that is seen edge-on would cover the stems and cubes of two axes.
            MeshKind::Ring if self.context.arrangement.is_mixed && is_edge_on => PaintLayer::FarArcs,
            MeshKind::Ring if scale.y.abs() > 0.5 => PaintLayer::NearArcs,
            _ => PaintLayer::at(center.length(), nearness),
        };
        (layer, nearness)
    }

    /// Returns what the picture adds to half of the width of strokes, and to all sides of other shapes.
    fn grown_px(&self) -> f64 {
        let lit = matches!(self.state, HandleState::Hovered | HandleState::Active);
        if lit { width_px(HOVER_GROWN_LPX, self.context.view) } else { 0.0 }
    }

    fn halo(&self) -> Halo {
        let (width_lpx, opacity) = match self.state {
            HandleState::Hovered | HandleState::Active => (HOVER_HALO_LPX, HOVER_HALO_OPACITY),
            HandleState::Dimmed => return Halo::NONE,
            _ => (HALO_LPX, HALO_OPACITY),
        };
        Halo { width_px: width_px(width_lpx, self.context.view).clamp(1.0, MAX_HALO_PX), opacity }
    }

    fn halves(&self, mesh: MeshKind) -> RingHalves {
        let is_built_in = mesh == MeshKind::Ring && self.handle.custom_index().is_none();
        match (self.handle.constraint(), self.state) {
            (Constraint::Ring(_), HandleState::Active) if is_built_in => RingHalves::Alike,
            // Among handles of several channels, far halves would cross stems and cubes.
            (Constraint::Ring(_), _) if is_built_in && self.context.arrangement.is_mixed => {
                RingHalves::Dimmed { far_opacity: 0.0 }
            }
            (Constraint::Ring(_), _) if is_built_in => {
                RingHalves::Dimmed { far_opacity: self.context.theme.opacities.far_half }
            }
            _ => RingHalves::None,
        }
    }

    /// Returns the factor on the opacity inside of a border.
    fn fill_opacity(&self) -> f32 {
        let lit = matches!(self.state, HandleState::Hovered | HandleState::Active);
        self.context.theme.opacities.square[usize::from(lit)]
    }

    fn color(&self, mesh: MeshKind, plain: Rgba) -> Rgba {
        let theme = self.context.theme;
        let is_lit_whole = self.state == HandleState::Active && !self.has_rim(mesh);
        let plain = if is_lit_whole { theme.colors.active } else { plain };
        let [r, g, b, mut a] = self.state.color(theme, plain);
        if mesh == MeshKind::Ball {
            let lit = matches!(self.state, HandleState::Hovered | HandleState::Active);
            a *= theme.opacities.ball[usize::from(lit)];
        }
        [r, g, b, a * self.opacity as f32]
    }
}
