use crate::handle::ChangeKind;
use crate::interaction::ask::Ask;
use crate::interaction::drag::Drag;
use crate::interaction::gesture::Snapped;
use crate::interaction::gizmo::Gizmo;
use crate::interaction::gizmo::machine::Phase;
use crate::interaction::settings::{Settings, SnapSource};
use crate::math::View;
use crate::pick::snap::{SnapObject, SnapPoint, SnapTo, nearer};
use crate::pick::{PickAnswer, PickHit, PickOutcome, PickQuery};
use glam::{DQuat, DVec2, DVec3};

/// The minimum cosine between the normal of a surface and the pointer's ray at which the surface is extended
/// to another cursor position.
const MIN_FACING: f64 = 0.1;

/// The state of snapping to the geometry under the pointer, in one drag.
#[derive(Debug, Default)]
pub(super) struct Snapping {
    /// The query for a cursor, a view and kinds.
    pub(super) ask: Ask<(DVec2, View, SnapTo)>,
    /// The newest answer, with its query.
    found: Option<(PickQuery, SnapPoint)>,
    /// The kind of the points of the targets that the drag knows.
    source: SnapSource,
    /// The point that is in effect.
    in_effect: Option<SnapPoint>,
}

impl Snapping {
    fn take(&mut self, query: &PickQuery, found: Option<SnapPoint>) {
        let found = found.filter(|found| found.point_world.is_finite());
        self.ask.set_answered(query.sequence);
        self.found = found.map(|found| (*query, found));
    }

    /// Returns the point for a cursor. An answer for an earlier cursor applies only if it also holds for this
    /// one, so a late answer never moves anything back.
    fn found_for(&self, settings: &Settings, view: &View, cursor_px: DVec2) -> Option<SnapPoint> {
        let (query, found) = self.found?;
        if !settings.snap.to.contains(found.kind) {
            return None;
        }
        if (query.cursor_px, query.view) == (cursor_px, *view) {
            return Some(found);
        }
        if found.kind == SnapTo::FACE || found.kind == SnapTo::SURFACE {
            // The surface continues as a plane.
            let hit = surface_under(view, cursor_px, found.point_world, found.normal_world?)?;
            return Some(SnapPoint { point_world: hit, ..found });
        }
        let distance_px = view.px_from_world(found.point_world)?.distance(cursor_px);
        (distance_px <= query.radius_px).then_some(found)
    }
}

/// Returns the point under a cursor of the plane that continues a surface, unless it is seen almost edge-on.
fn surface_under(view: &View, cursor_px: DVec2, point_world: DVec3, normal: DVec3) -> Option<DVec3> {
    let ray = view.pointer_ray(cursor_px);
    let is_facing = normal.dot(ray.direction).abs() > MIN_FACING;
    ray.plane_hit(point_world, normal).filter(|_| is_facing)
}

/// Returns the drag if it translates and follows the pointer.
fn translation(phase: &Phase) -> Option<&Drag> {
    match phase {
        Phase::Dragging(drag, _) => {
            let is_translation = drag.handle().constraint().change_kind() == ChangeKind::Translate;
            Some(&**drag).filter(|drag| is_translation && !drag.is_by_keyboard())
        }
        Phase::Idle | Phase::Pressed(_) | Phase::PressedElsewhere { .. } => None,
    }
}

/// Snapping to the geometry under the pointer.
impl Gizmo {
    /// Returns the next query of a translation that snaps to the geometry under the pointer
    /// ([`SnapSettings::to`](crate::interaction::settings::SnapSettings::to)). It asks what is under the cursor, apart from the handles, the moved targets
    /// and their descendants. Each query is returned once.
    ///
    /// Its [`PickQuery::is_snap`] is true, so the host leaves the moved objects out of the ID image. For
    /// vertices, edges and faces, pass the result of [`SnapTo::find`] to [`Gizmo::answer_snap`]; surfaces need
    /// only [`Gizmo::answer`]. A host without a GPU finds the point in another way.
    ///
    /// While the place of the gizmo itself is edited ([`Gizmo::edit_pivot`]), nothing is moved and nothing is
    /// left out.
    pub fn snap_query(&mut self) -> Option<PickQuery> {
        if self.settings.snap.to.is_empty() {
            self.snapping.ask.repeat();
            self.snapping.found = None;
            return None;
        }
        let cursor_px = translation(&self.phase)?.cursor_px()?;
        let view = self.views.shown().filter(|view| view.viewport().contains(cursor_px))?;
        let radius_px = self.tolerance_lpx() * view.scale_factor();
        self.snapping.ask.query((cursor_px, view, self.settings.snap.to), || PickQuery {
            is_snap: true,
            ..PickQuery::new(&view, cursor_px, radius_px)
        })
    }

    /// Processes the answer to a query of [`Gizmo::snap_query`]: the point to snap to, or `None`. The next
    /// [`Gizmo::update`] moves the targets. Answers that are older than the last one, or about another drag,
    /// are ignored. A point that is not finite counts as `None`.
    ///
    /// Until the next answer, a vertex or edge applies to positions of the cursor within
    /// [`PickQuery::radius_px`] of it. A host that searches farther than the query passes the query with its own
    /// radius.
    pub fn answer_snap(&mut self, query: &PickQuery, found: Option<SnapPoint>) {
        if !self.snapping.ask.is_stale(query) {
            self.snapping.take(query, found);
            self.output.redraw();
        }
    }

    /// Processes the outcome of a pick for a snap query: a surface.
    pub(super) fn answer_surface(&mut self, answer: &PickAnswer) {
        let point = |hit: PickHit| {
            let (center_world, normal_world) = (hit.position_world?, hit.normal_world);
            let PickQuery { cursor_px, view, .. } = answer.query;
            let is_exact = cursor_px.floor() == DVec2::new(hit.pixel.0 as f64, hit.pixel.1 as f64);
            // The cursor is not at the center of its texel.
            let under_cursor = normal_world
                .filter(|_| is_exact)
                .and_then(|normal| surface_under(&view, cursor_px, center_world, normal));
            let point_world = under_cursor.unwrap_or(center_world);
            Some(SnapPoint { point_world, normal_world, kind: SnapTo::SURFACE })
        };
        match answer.outcome {
            PickOutcome::Lost => self.snapping.ask.repeat(),
            PickOutcome::Nothing => self.answer_snap(&answer.query, None),
            PickOutcome::Hit(hit) => self.answer_snap(&answer.query, point(hit)),
        }
    }

    /// Returns true if a drag needs the vertices of its targets: see [`Gizmo::snap_from`].
    pub fn wants_snap_source(&self) -> bool {
        let source = self.settings.snap.source;
        let is_wanted = source != SnapSource::Pivot && !self.settings.snap.to.is_empty();
        let is_known = self.snapping.source == source;
        is_wanted && !is_known && !self.pivot_edit.is_on() && translation(&self.phase).is_some()
    }

    /// Sets the points that a drag may move onto the snap point, see [`SnapSource`]. The objects are the targets and
    /// their descendants, with their transforms at the press, which follow from [`Gizmo::starts`]. Without objects
    /// the drag moves the pivot there.
    pub fn snap_from(&mut self, objects: &[SnapObject<'_>]) {
        let source = self.settings.snap.source;
        let Some(drag) = translation(&self.phase) else { return };
        let (Some(press_px), view) = drag.press() else { return };
        let sources_world = match source {
            SnapSource::Pivot => Vec::new(),
            SnapSource::Vertex => {
                let distance = |vertex: DVec3| {
                    let px = view.px_from_world(vertex)?;
                    Some([px.distance(press_px), vertex.dot(view.forward())])
                };
                let nearest = objects.iter().filter_map(|object| object.nearest_vertex(distance));
                let nearest = nearest.min_by(|a, b| nearer(a.0, b.0));
                nearest.map(|(_, vertex)| vertex).into_iter().collect()
            }
            SnapSource::NearestVertex => objects.iter().flat_map(SnapObject::vertices).collect(),
        };
        if let Phase::Dragging(drag, _) = &mut self.phase {
            drag.snap_sources = sources_world;
            self.snapping.source = source;
            self.output.redraw();
        }
    }

    /// Returns the point that the drag in progress snaps to, to show it.
    pub fn snapped_to(&self) -> Option<SnapPoint> {
        self.snapping.in_effect
    }

    /// Returns the point that a drag snaps to for a cursor, with its source and rotation, if there is one.
    pub(super) fn snapped(&mut self, view: &View, cursor_px: DVec2) -> Option<Snapped> {
        let settings = &self.settings;
        if self.snapping.source != settings.snap.source
            && let Phase::Dragging(drag, _) = &mut self.phase
        {
            // Until the host has set those of the new setting.
            drag.snap_sources = Vec::new();
            self.snapping.source = SnapSource::Pivot;
        }
        let drag = translation(&self.phase).filter(|_| !settings.snap.to.is_empty());
        let found = drag.and_then(|_| self.snapping.found_for(settings, view, cursor_px));
        self.snapping.in_effect = found;
        let (drag, found) = (drag?, found?);
        let turn = settings.snap.align_to_normal.zip(found.normal_world).and_then(|(axis, normal)| {
            let axis_world = drag.axis_of_active(axis)?;
            let turn = DQuat::from_rotation_arc(axis_world, normal.try_normalize()?);
            turn.is_finite().then_some(turn)
        });
        Some(Snapped { point_world: found.point_world, turn })
    }
}
