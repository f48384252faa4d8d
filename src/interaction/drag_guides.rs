use super::drag::Drag;
use super::gizmo::Gizmo;
use super::motion::Change;
use super::readout::{self, Wording};
use super::settings::{Modifiers, Solver};
use crate::draw::grid::{Grid, GuideGrid};
use crate::draw::guides::{self, GuidePainter, Sector, StrokeStyle, faded};
use crate::draw::{DrawList, Layer, Layout, OUTER_RING};
use crate::handle::{Axis, Constraint, Rgba, Theme};
use crate::math::View;
use glam::{DVec2, DVec3};

/// Where a grid has faded out, in sizes.
const GRID_RADIUS: f64 = 2.4;
/// Least distance of a grid's lines, in sizes, where nothing snaps and where something does.
const GRID_SPACING: f64 = 0.28;
const SNAP_SPACING: f64 = 0.1;
/// Where the marks of a scale handle stand, in sizes, where nobody pressed it.
const MARK: f64 = 1.0;
/// Sides of the marks of squares and of the middle.
const SQUARE_MARK: f64 = 0.5;
/// How far a readout stands from the pivot, in sizes.
const READOUT_DISTANCE: f64 = 1.5;

/// A drag as one view shows it.
struct DragGuides<'a> {
    theme: &'a Theme,
    drag: &'a Drag,
    held: Modifiers,
    view: &'a View,
    /// Where the gizmo stands now.
    layout: &'a Layout,
    /// The pivot at press.
    start: DVec3,
}

impl Gizmo {
    /// Adds the guides and the readout of the drag. Where the pivot is behind the viewer, there is no
    /// layout and only the readout: what is typed must be seen somewhere.
    pub(super) fn append_guides(
        &self,
        list: &mut DrawList,
        view: &View,
        layout: Option<&Layout>,
        drag: &Drag,
    ) {
        let start = drag.pivot_world();
        let Some(layout) = layout else {
            let wording = Wording { drag, least: None };
            return readout::add(list, view, &wording, |_| None);
        };
        let guiding = DragGuides { theme: &self.theme, drag, held: self.held(), view, layout, start };
        if view.clip_w(start) > 0.0 {
            if let Some(grid) = guiding.seen_grid() {
                list.push_grid(grid);
            }
            if let Some(mut brush) = list.brush(Layer::Under) {
                guiding.paint(&mut brush);
            }
            if let (true, Some(mut brush)) = (self.settings.construction_lines, list.brush(Layer::Over)) {
                guiding.construct(&mut brush);
            }
        }
        guiding.say(list);
    }
}

impl DragGuides<'_> {
    fn ink(&self, color: Rgba) -> StrokeStyle {
        StrokeStyle { color, width_lpx: self.theme.guide_lpx }
    }

    fn of_axis(&self, axis: Axis) -> StrokeStyle {
        self.ink(self.theme.axes[axis.index()])
    }

    fn direction(&self, axis: Axis) -> DVec3 {
        self.drag.axes().col(axis.index())
    }

    /// The same to the side of the pivot that was pressed: where handles flip toward the viewer
    /// that may be the negative one.
    fn outward(&self, axis: Axis) -> DVec3 {
        let direction = self.direction(axis);
        let on_plane = || {
            let (press_px, press_view) = self.drag.press();
            let normal = self.drag.handle().constraint().axis().map(|normal| self.direction(normal))?;
            press_view.pointer_ray(press_px?).plane_hit(self.start, normal)
        };
        let pressed = self.drag.press_point_world().or_else(on_plane);
        let is_behind = pressed.is_some_and(|point| (point - self.start).dot(direction) < 0.0);
        if is_behind { -direction } else { direction }
    }

    fn paint(&self, brush: &mut GuidePainter<'_>) {
        let (theme, start, now) = (self.theme, self.start, self.layout.pivot_world);
        let [line_opacity, _] = theme.guide_opacity;
        let neutral = self.ink(theme.guide);
        let constraint = self.drag.handle().constraint();
        let size = self.layout.size_world;
        match constraint {
            Constraint::Axis(axis) => {
                let ink = self.of_axis(axis).faded(line_opacity);
                guides::axis_line(brush, start, self.direction(axis), ink);
                guides::start_ghost(brush, start, now, neutral);
            }
            Constraint::Plane(_) | Constraint::ViewPlane => {
                if let Constraint::Plane(normal) = constraint {
                    for axis in normal.others() {
                        let ink = self.of_axis(axis).faded(0.6 * line_opacity);
                        guides::axis_line(brush, start, self.direction(axis), ink);
                    }
                }
                guides::start_ghost(brush, start, now, neutral);
            }
            Constraint::Ring(_) | Constraint::ViewRing => {
                let Some(sector) = self.sector() else { return };
                let color = constraint.axis().map_or(theme.neutral, |axis| theme.axes[axis.index()]);
                let fill = faded(color, theme.sector_opacity);
                let current = self.ink(theme.active);
                guides::sector(brush, &sector, fill, neutral.faded(0.7), current);
                if let Some(increment) = self.held.snap.rotate {
                    guides::snap_ticks(brush, &sector, increment.get(), neutral.faded(0.9));
                }
            }
            Constraint::Trackball => {
                if let (Some(press_px), Some(cursor_px)) = (self.drag.press().0, self.drag.cursor_px()) {
                    let [at, to] = [press_px, cursor_px].map(|px| self.view.pointer_ray(px));
                    // In the plane of the pivot, so that every view shows the same way.
                    let normal = self.view.forward();
                    let hits = [at, to].map(|ray| ray.plane_hit(start, normal));
                    if let [Some(from), Some(to)] = hits {
                        guides::start_ghost(brush, from, to, neutral);
                    }
                }
            }
            Constraint::ScaleAxis(axis) => {
                let direction = self.direction(axis);
                let ink = self.of_axis(axis);
                guides::axis_line(brush, start, direction, ink.faded(0.6 * line_opacity));
                let pressed = self.drag.press_point_world().map(|point| (point - start).dot(direction));
                let length = pressed.unwrap_or(MARK * size);
                let at = |length: f64| start + direction * length;
                let points = [start, at(length), at(length * self.factor(axis))];
                guides::scaled_length(brush, points, neutral.faded(0.7), self.ink(theme.active));
            }
            Constraint::ScalePlane(normal) => {
                let sides = normal.others().map(|axis| self.outward(axis) * (SQUARE_MARK * size));
                let factor = self.factor(normal.others()[0]);
                guides::parallelogram(brush, start, sides, neutral.faded(0.7));
                let scaled = sides.map(|side| side * factor);
                guides::parallelogram(brush, start, scaled, self.ink(theme.active));
            }
            Constraint::ScaleUniform => {
                let Some(center_px) = self.view.px_from_world(start) else { return };
                let radius_px = SQUARE_MARK * self.layout.size_px;
                brush.circle(center_px, radius_px, neutral.faded(0.7));
                let scaled = radius_px * self.factor(Axis::X).abs();
                // Larger, and it is past every edge of the viewport.
                let v = self.view.viewport();
                if scaled < 2.0 * (v.width + v.height) {
                    brush.circle(center_px, scaled, self.ink(theme.active));
                }
            }
        }
    }

    /// What the drag scales an axis by.
    fn factor(&self, axis: Axis) -> f64 {
        match self.drag.motion().change {
            Change::Scale(by) => by[axis.index()],
            _ => 1.0,
        }
    }

    fn seen_grid(&self) -> Option<GuideGrid> {
        let [_, opacity] = self.theme.guide_opacity;
        self.grid()?.seen(self.view, self.ink(self.theme.guide).faded(opacity))
    }

    /// Of the plane that the drag goes in, if it goes in one.
    fn grid(&self) -> Option<Grid> {
        let frame = self.drag.axes();
        let axes = match self.drag.handle().constraint() {
            Constraint::Plane(normal) => normal.others().map(|axis| frame.col(axis.index())),
            Constraint::ViewPlane => [frame.x_axis, frame.y_axis],
            _ => return None,
        };
        let size = self.layout.size_world;
        let increment = self.held.snap.translate.map(|increment| increment.get());
        let spacing = match increment {
            // Of lines too close together, every second, fifth or tenth.
            Some(increment) if increment < SNAP_SPACING * size => {
                increment * guides::nice_length(SNAP_SPACING * size / increment)?
            }
            Some(increment) => increment,
            None => guides::nice_length(GRID_SPACING * size)?,
        };
        let origin = increment.and(self.drag.grid(self.held.snap_kind)).unwrap_or(self.start);
        let [a, b] = axes;
        let to_origin = origin - self.start;
        let anchor = self.start + a * to_origin.dot(a) + b * to_origin.dot(b);
        let moved = self.layout.pivot_world - self.start;
        let center = self.start + a * moved.dot(a) + b * moved.dot(b);
        Some(Grid { center, anchor, axes, spacing, radius: GRID_RADIUS * size })
    }

    fn sector(&self) -> Option<Sector> {
        let frame = self.drag.axes();
        let (axis, reach, rest) = match self.drag.handle().constraint() {
            Constraint::Ring(axis) => {
                let [next, _] = axis.others();
                (frame.col(axis.index()), 1.0, frame.col(next.index()))
            }
            _ => (frame.z_axis, OUTER_RING, frame.x_axis),
        };
        let (press_px, press_view) = self.drag.press();
        let pressed = press_px.and_then(|px| press_view.pointer_ray(px).plane_hit(self.start, axis));
        let pressed = pressed.map(|hit| hit - self.start);
        let radial = self.drag.grab().and_then(|grab| grab.radial_world()).or(pressed).unwrap_or(rest);
        let from = radial.reject_from_normalized(axis).try_normalize().or(rest.try_normalize())?;
        let total = self.drag.motion().change.total_angle();
        Some(Sector { pivot: self.start, axis, from, radius: reach * self.layout.size_world, total })
    }

    /// How the solver gets from the cursor to a place.
    fn construct(&self, brush: &mut GuidePainter<'_>) {
        let Some(cursor_px) = self.drag.cursor_px().filter(|px| self.view.viewport().contains(*px)) else {
            return;
        };
        let ink = self.ink(self.theme.construction);
        let constraint = self.drag.handle().constraint();
        let ray = self.view.pointer_ray(cursor_px);
        match constraint {
            Constraint::Axis(axis) | Constraint::ScaleAxis(axis) => {
                let direction = self.direction(axis);
                let line = self.drag.grab().and_then(|grab| grab.line());
                match line.map(|line| (line.solver, line.plane_normal)) {
                    Some((Solver::ClosestPoint, _)) => {
                        // Where axis and ray are closest: across both of them.
                        let cosine = direction.dot(ray.direction);
                        let to_origin = ray.origin - self.start;
                        let (on_axis, on_ray) = (to_origin.dot(direction), to_origin.dot(ray.direction));
                        let along = (on_axis - cosine * on_ray) / (1.0 - cosine * cosine);
                        let reach = (cosine * on_axis - on_ray) / (1.0 - cosine * cosine);
                        if along.is_finite() && reach > ray.start {
                            let on_axis = self.start + direction * along;
                            guides::brought_together(brush, on_axis, ray.at(reach), ink);
                        }
                    }
                    Some((Solver::MovementPlane, normal)) => {
                        if let Some(hit) = ray.plane_hit(self.start, normal) {
                            let along = direction * (hit - self.start).dot(direction);
                            let across = hit - self.start - along;
                            guides::parallelogram(brush, self.start, [along, across], ink.faded(0.6));
                            guides::brought_together(brush, self.start + along, hit, ink);
                        }
                    }
                    _ => guides::foot_on_axis(brush, self.start, direction, cursor_px, ink),
                }
            }
            Constraint::Plane(_) | Constraint::ScalePlane(_) | Constraint::ViewPlane => {
                let normal = match constraint {
                    Constraint::Plane(normal) | Constraint::ScalePlane(normal) => self.direction(normal),
                    _ => self.drag.axes().z_axis,
                };
                if let Some(hit) = ray.plane_hit(self.start, normal) {
                    let grabbed = self.drag.press_point_world().unwrap_or(self.start);
                    guides::brought_together(brush, grabbed, hit, ink);
                }
            }
            Constraint::Ring(_) | Constraint::ViewRing => {
                if let Some(sector) = self.sector() {
                    if let Some(hit) = ray.plane_hit(sector.pivot, sector.axis) {
                        guides::brought_together(brush, sector.pivot, hit, ink);
                    }
                }
            }
            Constraint::Trackball | Constraint::ScaleUniform => {
                if let Some(pivot_px) = self.view.px_from_world(self.start) {
                    brush.dashes([pivot_px, cursor_px], ink);
                }
            }
        }
    }

    fn say(&self, list: &mut DrawList) {
        // To about a tenth of a pixel: more than a hand can mean.
        let least = Some(0.1 * self.layout.size_world / self.layout.size_px);
        readout::add(list, self.view, &Wording { drag: self.drag, least }, |room| self.readout_anchor(room));
    }

    /// Returns an anchor beside the gizmo for a text of this size, on a side that the handle leaves free.
    fn readout_anchor(&self, room_lpx: DVec2) -> Option<DVec2> {
        let pivot_px = self.view.px_from_world(self.layout.pivot_world)?;
        let scale = self.view.scale_factor();
        let v = self.view.viewport();
        let room = room_lpx * scale;
        let away = READOUT_DISTANCE * self.layout.size_px;
        let taken = self.handle_px().map_or(DVec2::ZERO, |px| (px - pivot_px).normalize_or_zero());
        // Where the text's middle goes, as seen from the pivot.
        let sides = [DVec2::Y, DVec2::NEG_Y, DVec2::X, DVec2::NEG_X];
        let [low, high] = [DVec2::new(v.x, v.y), DVec2::new(v.x + v.width, v.y + v.height)];
        let margin = DVec2::splat(readout::MARGIN_LPX * scale);
        let left_end = |side: DVec2| {
            let middle = pivot_px + side * (away + 0.5 * room * side.abs());
            middle - DVec2::new(0.5 * room.x, 0.0)
        };
        let fits = |at: &DVec2| {
            let half = DVec2::new(0.0, 0.5 * room.y);
            (*at - half).cmpge(low + margin).all()
                && (*at + DVec2::new(room.x, half.y)).cmple(high - margin).all()
        };
        let free = sides.into_iter().filter(|side| side.dot(taken) < 0.8).map(left_end);
        let at = free.clone().find(fits).or(sides.map(left_end).into_iter().find(fits));
        let at = at.unwrap_or(left_end(DVec2::Y));
        at.is_finite().then(|| readout::kept_inside(self.view, at, room))
    }

    /// A pixel toward which the dragged handle stands.
    fn handle_px(&self) -> Option<DVec2> {
        let layout = self.layout;
        let toward = match self.drag.handle().constraint() {
            Constraint::Axis(axis) | Constraint::ScaleAxis(axis) => self.outward(axis),
            Constraint::Plane(normal) | Constraint::ScalePlane(normal) => {
                let [a, b] = normal.others().map(|axis| self.outward(axis));
                0.4 * (a + b)
            }
            _ => return None,
        };
        self.view.px_from_world(layout.pivot_world + toward * layout.size_world)
    }
}
