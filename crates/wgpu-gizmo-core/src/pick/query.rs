use crate::math::{DepthDirection, Frustum, Rect, View};
use glam::{DVec2, DVec3};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};

/// A query to the ID image: what is under this cursor, in this view?
///
/// It is part of its answer, so a late answer is never taken for a newer one.
///
/// [`Gizmo::pick_query`](crate::Gizmo::pick_query) returns the queries of a gizmo. A host creates its own,
/// for example for a tooltip:
///
/// ```
/// use wgpu_gizmo_core::glam::{DMat4, dvec2};
/// use wgpu_gizmo_core::{PickQuery, View, Viewport};
///
/// let view = View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(800, 600), 1.0)?;
/// let query = PickQuery::new(&view, dvec2(400.0, 300.0), 5.0);
/// // Objects outside of this frustum need not be drawn for the pick: 11 by 11 pixels.
/// assert_eq!(query.frustum().rect_px().size(), dvec2(11.0, 11.0));
/// # Ok::<(), wgpu_gizmo_core::math::ViewError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PickQuery {
    /// The cursor in physical pixels of the render target. Rounded down, it is the texel under the cursor.
    pub cursor_px: DVec2,
    /// The view as the user saw it.
    pub view: View,
    /// The tolerance around the cursor's texel, in physical pixels. 0 picks the exact texel; the value is
    /// clamped to [`PickQuery::MAX_RADIUS_PX`].
    pub radius_px: f64,
    /// The sequence number, which increases with every query of the process.
    pub sequence: u64,
    /// Whether it is a snap query of a drag ([`Gizmo::snap_query`](crate::Gizmo::snap_query)): the moved
    /// objects are left out of the ID image, and a `Picker` leaves the handles out.
    pub is_snap: bool,
}

/// The last sequence number. It is shared, so that queries of different gizmos can be ordered.
static LAST: AtomicU64 = AtomicU64::new(0);

impl PickQuery {
    /// Creates a query of the host, with the next sequence number.
    pub fn new(view: &View, cursor_px: DVec2, radius_px: f64) -> Self {
        Self { cursor_px, view: *view, radius_px, sequence: Self::next_sequence(), is_snap: false }
    }

    /// Returns the answer of a picker that knows only the id at the cursor: for hosts that pick without this crate.
    ///
    /// ```
    /// use std::num::NonZeroU32;
    /// use wgpu_gizmo_core::{Gizmo, PickQuery};
    ///
    /// fn pick(gizmo: &mut Gizmo, id_under: impl Fn(&PickQuery) -> Option<NonZeroU32>) {
    ///     if let Some(query) = gizmo.pick_query() {
    ///         gizmo.answer(&query.answered(id_under(&query)));
    ///     }
    /// }
    /// ```
    pub fn answered(self, found: Option<NonZeroU32>) -> PickAnswer {
        let outcome =
            found.map_or(PickOutcome::Nothing, |id| PickOutcome::Hit(PickHit::at(id, self.cursor_px)));
        PickAnswer::new(self, outcome)
    }

    /// Returns the frustum of all texels within the tolerance. Objects outside it need not be drawn for
    /// this pick.
    pub fn frustum(&self) -> Frustum {
        let radius = self.radius_px.max(0.0).clamp(0.0, Self::MAX_RADIUS_PX).floor();
        let min = self.cursor_px.floor() - radius;
        Frustum::new(&self.view, Rect::from_min_size(min, DVec2::splat(2.0 * radius + 1.0)))
    }

    pub(crate) fn next_sequence() -> u64 {
        LAST.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Returns the sequence number of the newest query.
    pub(crate) fn last_sequence() -> u64 {
        LAST.load(Ordering::Relaxed)
    }

    /// The maximum tolerance, in physical pixels: that of a finger (22 logical pixels) at a scale factor of 4. The
    /// larger of the picker's two tiles fits it.
    pub const MAX_RADIUS_PX: f64 = 88.0;
}

/// The answer to a [`PickQuery`].
///
/// ```
/// use wgpu_gizmo_core::{Gizmo, IdSpace, PickAnswer};
///
/// fn take(answer: &PickAnswer, gizmo: &mut Gizmo, ids: &IdSpace) {
///     gizmo.answer(answer);
///     if let Some((range, offset)) = ids.resolve(answer) {
///         println!("number {offset} of {range:?}, at a distance of {:?}", answer.distance());
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PickAnswer {
    /// The query that is answered.
    pub query: PickQuery,
    /// The result.
    pub outcome: PickOutcome,
}

impl PickAnswer {
    /// Creates the answer of a host's own picker. [`PickQuery::answered`] is shorter if only the id is known.
    pub fn new(query: PickQuery, outcome: PickOutcome) -> Self {
        Self { query, outcome }
    }

    /// Returns the distance from the viewer to the hit, in world units, along the ray through the center of
    /// its pixel. It is measured from the eye, or from the near plane in a parallel projection. Returns
    /// `None` if nothing was hit or the depth is infinitely far.
    pub fn distance(&self) -> Option<f64> {
        let PickOutcome::Hit(hit) = self.outcome else { return None };
        let view = &self.query.view;
        let near = match view.depth_direction() {
            DepthDirection::Standard => 0.0,
            DepthDirection::Reversed => 1.0,
        };
        let center_px = DVec2::new(hit.pixel.0 as f64 + 0.5, hit.pixel.1 as f64 + 0.5);
        let from = view.eye().or_else(|| view.unproject(center_px, near))?;
        Some(hit.position_world?.distance(from))
    }
}

/// The result of a pick.
///
/// ```
/// use wgpu_gizmo_core::{PickAnswer, PickOutcome};
///
/// fn describe(answer: &PickAnswer) -> String {
///     match answer.outcome {
///         PickOutcome::Hit(hit) => format!("the id {} at the pixel {:?}", hit.id, hit.pixel),
///         PickOutcome::Nothing => "nothing".to_owned(),
///         _ => "no answer: ask again".to_owned(),
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PickOutcome {
    /// Nothing is within the tolerance.
    Nothing,
    /// The texel that the pick rule has chosen.
    Hit(PickHit),
    /// The query has no answer, because its commands could not be encoded or were dropped before they were
    /// submitted. Repeat it.
    Lost,
}

impl PickOutcome {
    /// Returns the id that was hit, if any.
    pub(crate) fn id(self) -> Option<NonZeroU32> {
        match self {
            Self::Hit(hit) => Some(hit.id),
            Self::Nothing | Self::Lost => None,
        }
    }
}

/// A texel of the ID image that a pick has chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PickHit {
    /// The id of the handle or object.
    pub id: NonZeroU32,
    /// The column and row in the render target.
    pub pixel: (i64, i64),
    /// The depth, as the projection of the view writes it.
    pub depth: f32,
    /// The world position of the surface, or `None` if the depth is infinitely far.
    pub position_world: Option<DVec3>,
    /// The unit normal of the surface toward the viewer, from the depths around it. `None` if it is not known,
    /// as on a surface of one texel, and for queries that are not for snapping.
    pub normal_world: Option<DVec3>,
}

impl PickHit {
    /// Returns a hit of which only the id and the pixel are known, as of a pick without depth.
    pub fn at(id: NonZeroU32, cursor_px: DVec2) -> Self {
        let texel = cursor_px.floor();
        let pixel = (texel.x as i64, texel.y as i64);
        Self { id, pixel, depth: 0.0, position_world: None, normal_world: None }
    }
}
