use super::grid::GuideGrid;
use super::guides::{GuidePainter, GuideVertex};
use crate::handle::{FAR_HALF, HandleMesh, MeshKind, Piece, Priority, Rgba};
use crate::math::{Rect, View};
use glam::{DAffine3, DVec2, DVec3};
use std::num::NonZeroU32;

/// The GPU instance data of one part of a handle, in the layout of the shader.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct PartInstance {
    /// The columns of `clip_from_part`, multiplied in `f64` and rounded once.
    ///
    /// Row 2 is the gizmo's own depth instead of the view's. It is 1 near and 0 far, and it is precise
    /// at any distance and independent of the depth direction of the view.
    pub(crate) clip_from_part: [[f32; 4]; 4],
    /// Row 2 of `clip_from_part` with the depth of the view, which pick answers report.
    pub(crate) view_depth_from_part: [f32; 4],
    /// The unit direction to the eye in the space of the part. w is 1 if the part is a ring whose
    /// far half is drawn differently, and 0 otherwise.
    pub(crate) to_eye_part: [f32; 4],
    /// The sRGB color, not premultiplied.
    pub(crate) color: [f32; 4],
    /// Half of the line width, in units of the part.
    pub(crate) thickness: f32,
    /// Half of the line width on the far half of a ring, in units of the part.
    pub(crate) far_thickness: f32,
    /// Factor on the opacity of the far half of a ring.
    pub(crate) far_opacity: f32,
    /// The id that is written to the ID image.
    pub(crate) id: u32,
}

/// One part of a handle in one view, such as the stem of an arrow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Item {
    pub(crate) instance: PartInstance,
    /// The mesh of the instance.
    pub mesh: MeshKind,
    /// The transform from the space of the mesh to world space.
    pub world_from_part: DAffine3,
    /// The id of the handle, or `None` if the part cannot be picked.
    pub id: Option<NonZeroU32>,
    /// The rank of the handle within the pick tolerance.
    pub(crate) priority: Priority,
    /// True if the part is blended over the opaque parts. The ID image ignores translucency.
    pub translucent: bool,
}

impl Item {
    /// Returns the id of the handle, even if it is disabled and cannot be picked.
    pub fn handle_id(&self) -> u32 {
        self.instance.id
    }

    /// Returns the sRGB color, not premultiplied. The far half of a ring is drawn dimmer.
    pub fn color(&self) -> Rgba {
        self.instance.color
    }

    /// Returns the columns of the matrix that the vertex stage applies, rounded to `f32`.
    ///
    /// Row 2 is the gizmo's own depth instead of the view's: 1 is near and 0 is far.
    pub fn clip_from_part(&self) -> [[f32; 4]; 4] {
        self.instance.clip_from_part
    }

    /// Returns half of the line width, in units of the part.
    pub fn thickness(&self) -> f32 {
        self.instance.thickness
    }

    /// Returns half of the line width on the far half of a ring, in units of the part.
    pub fn far_thickness(&self) -> f32 {
        self.instance.far_thickness
    }

    /// Returns the factor on the opacity of the far half of a ring.
    pub fn far_opacity(&self) -> f32 {
        self.instance.far_opacity
    }

    /// Returns the unit direction to the eye in the space of the part. w is 1 if the part is a ring
    /// without a far half in the ID image, and 0 otherwise.
    pub fn to_eye_part(&self) -> [f32; 4] {
        self.instance.to_eye_part
    }
}

/// The pieces of a part that are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VisiblePieces {
    Nothing,
    Whole,
    /// A bit mask of the pieces ([`MeshKind::pieces`]). One upload has either whole parts or pieces.
    Pieces(u16),
}

/// The range of items of one gizmo in a list, with its depth and bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GizmoSpan {
    /// The index of its first item. The span ends where the next one begins.
    first: usize,
    /// The depth of the pivot along the view direction, in world units; smaller is nearer.
    pub(crate) depth: f64,
    /// True if the ball is behind everything inside it.
    pub(crate) is_ball_behind: bool,
    /// The range of the gizmo's own depth: the far end and the near end.
    pub(crate) own_depths: [f64; 2],
    /// The bounds of the handles in pixels, like [`DrawList::bounds_px`] but not clamped to the viewport.
    pub(crate) bounds_px: Rect,
}

/// Everything that one view shows of one or more gizmos.
///
/// The renderer and the picker read the same list, so the handles that are visible are the handles
/// that can be picked. Keep the list from frame to frame: it reuses its memory, so that no frame
/// allocates in the steady state.
///
/// ```
/// use wgpu_gizmo::glam::{DVec3, dcamera::rh};
/// use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Target, Transform, View, Viewport};
///
/// let eye = rh::view::look_at_mat4(DVec3::new(3.0, 4.0, 5.0), DVec3::ZERO, DVec3::Y);
/// let lens = rh::proj::directx::perspective(1.0, 4.0 / 3.0, 0.1, 100.0);
/// let view = View::new(eye, lens, Viewport::from_size(800, 600), 1.0)?;
/// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
/// gizmo.update(&view, &mut [Target::from_world(Transform::IDENTITY)]);
/// let mut list = DrawList::new();
/// gizmo.draw(list.begin(&view));
/// assert!(!list.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// Two lists are equal if they show the same: a host that keeps the last list can skip a frame
/// whose list is equal.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DrawList {
    view: Option<View>,
    /// In the order in which they were added. The upload to the GPU sorts them.
    items: Vec<Item>,
    spans: Vec<GizmoSpan>,
    /// The custom meshes that are shown, sorted by key.
    meshes: Vec<HandleMesh>,
    /// Guides below the handles, and guides above them.
    guides: [Vec<GuideVertex>; 2],
    /// Grids, which are below all guides.
    grids: Vec<GuideGrid>,
    /// The concatenated texts of all readouts.
    text: String,
    /// The end of each readout in `text`, and its anchor.
    readouts: Vec<(usize, DVec2)>,
    bounds_px: Option<Rect>,
    /// The id space of the first gizmo.
    id_space: Option<u64>,
    has_mixed_ids: bool,
}

/// The layer that guides are painted into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layer {
    Under,
    Over,
}

/// A line of text that reports the motion of a drag, for the host to show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Readout<'a> {
    /// The text, such as `X 1.250`, `45.0°` or `×1.50`.
    pub text: &'a str,
    /// The position of the left end of the text at half of its height, in physical pixels.
    ///
    /// The text fits into the viewport and does not overlap the handles if a character is at most
    /// 8 by 16 logical pixels.
    pub anchor_px: DVec2,
}

impl DrawList {
    /// Creates an empty list without a view.
    pub fn new() -> Self {
        Self::default()
    }

    /// Clears the list and sets its view.
    ///
    /// Gizmos are drawn into the list afterwards: `gizmo.draw(list.begin(&view))`.
    pub fn begin(&mut self, view: &View) -> &mut Self {
        self.view = Some(*view);
        self.items.clear();
        self.spans.clear();
        self.meshes.clear();
        self.guides.iter_mut().for_each(Vec::clear);
        self.grids.clear();
        self.text.clear();
        self.readouts.clear();
        self.bounds_px = None;
        self.id_space = None;
        self.has_mixed_ids = false;
        self
    }

    /// Returns the view of the list, or `None` before the first [`DrawList::begin`].
    pub fn view(&self) -> Option<&View> {
        self.view.as_ref()
    }

    /// Returns all parts of handles, grouped by gizmo, in the order in which they were added.
    ///
    /// Opaque parts must be drawn before translucent ones.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Returns true if gizmos of several [`IdSpace`](crate::pick::IdSpace)s are in the list. Their
    /// handles can have equal ids, so nothing can be picked in such a list. Drawing is not affected.
    pub fn has_mixed_ids(&self) -> bool {
        self.has_mixed_ids
    }

    /// Returns true if there are no handles to draw or pick.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the quads of the guides below the handles and of those above the handles, each in the
    /// order of painting.
    ///
    /// Guides cannot be picked. Grids are separate: see [`DrawList::grids`].
    pub fn guides(&self) -> [&[GuideVertex]; 2] {
        [&self.guides[0], &self.guides[1]]
    }

    /// Returns the grids in the planes of drags, which are painted before all [`DrawList::guides`].
    pub fn grids(&self) -> &[GuideGrid] {
        &self.grids
    }

    /// Returns the readouts of the drags in progress.
    pub fn readouts(&self) -> impl Iterator<Item = Readout<'_>> {
        let starts = [0].into_iter().chain(self.readouts.iter().map(|(end, _)| *end));
        starts.zip(&self.readouts).map(|(start, (end, anchor_px))| {
            let text = self.text.get(start..*end).unwrap_or_default();
            Readout { text, anchor_px: *anchor_px }
        })
    }

    /// Returns a rectangle that contains all handles, clamped to the viewport.
    ///
    /// Returns `None` if nothing is visible.
    pub fn bounds_px(&self) -> Option<Rect> {
        self.bounds_px?.intersection(self.view?.viewport().rect())
    }

    /// Begins the span of a gizmo whose pivot is at this `depth` along the view direction.
    ///
    /// A nearer gizmo is drawn entirely in front of a farther one.
    pub(crate) fn begin_gizmo(&mut self, depth: f64, is_ball_behind: bool, own_depths: [f64; 2]) {
        let bounds_px = Rect::EVERYWHERE;
        self.spans.push(GizmoSpan { first: self.items.len(), depth, is_ball_behind, own_depths, bounds_px });
    }

    /// Registers a custom mesh, and keeps it alive until the list is cleared.
    pub(crate) fn keep(&mut self, mesh: &HandleMesh) -> MeshKind {
        let key = mesh.data().key;
        if let Err(index) = self.custom_mesh_index(key) {
            self.meshes.insert(index, mesh.clone());
        }
        MeshKind::Custom(key)
    }

    fn custom_mesh_index(&self, key: u32) -> Result<usize, usize> {
        self.meshes.binary_search_by_key(&key, |mesh| mesh.data().key)
    }

    /// Returns the custom meshes that are shown.
    pub(crate) fn custom_meshes(&self) -> &[HandleMesh] {
        &self.meshes
    }

    /// Returns the custom mesh of this kind, or `None` for a built-in kind.
    pub(crate) fn custom_mesh(&self, kind: MeshKind) -> Option<&HandleMesh> {
        let MeshKind::Custom(key) = kind else { return None };
        self.custom_mesh_index(key).ok().map(|index| &self.meshes[index])
    }

    /// Returns the index of a mesh among the built-in meshes, followed by the custom ones in the list.
    pub(crate) fn mesh_index(&self, kind: MeshKind) -> Option<usize> {
        let MeshKind::Custom(key) = kind else { return kind.index() };
        self.custom_mesh_index(key).ok().map(|index| MeshKind::ALL.len() + index)
    }

    /// Returns the pieces of a part whose bounding boxes pass `may_intersect`.
    ///
    /// A box is given by its center and its half extents, in the space of the part.
    pub(crate) fn visible_pieces(
        &self,
        item: &Item,
        may_intersect: impl Fn([DVec3; 2]) -> bool,
    ) -> VisiblePieces {
        let thickness = f64::from(item.instance.thickness);
        let custom_bounds = || {
            let custom = self.custom_mesh(item.mesh)?.data();
            Some([custom.bounds.center, DVec3::splat(custom.bounds.radius + thickness.abs() * custom.thick)])
        };
        match item.mesh.bounds(thickness).or_else(custom_bounds) {
            Some(whole) if may_intersect(whole) => {}
            _ => return VisiblePieces::Nothing,
        }
        let [x, y, z, halved] = item.instance.to_eye_part.map(f64::from);
        let to_eye = DVec3::new(x, y, z);
        // The far half of a ring is not in the ID image. The margin covers rounding in the shader.
        let is_away = |piece: &Piece| halved > 0.5 && piece.is_beyond(to_eye, FAR_HALF - 1e-3);
        let mut pieces = 0;
        for (index, piece) in item.mesh.piece_shapes().iter().enumerate() {
            let may_be_visible = !is_away(piece) && may_intersect(piece.bounds(thickness));
            pieces |= u16::from(may_be_visible) << index;
        }
        match (item.mesh.pieces(), pieces) {
            (1, _) => VisiblePieces::Pieces(1),
            (_, 0) => VisiblePieces::Nothing,
            _ => VisiblePieces::Pieces(pieces),
        }
    }

    pub(crate) fn push(&mut self, item: Item) {
        self.items.push(item);
    }

    /// Returns one span per gizmo.
    pub(crate) fn spans(&self) -> &[GizmoSpan] {
        &self.spans
    }

    /// Returns each gizmo with its parts.
    pub(crate) fn gizmos(&self) -> impl Iterator<Item = (&GizmoSpan, &[Item])> {
        let ends = self.spans.iter().skip(1).map(|span| span.first).chain([self.items.len()]);
        self.spans.iter().zip(ends).map(|(span, end)| (span, &self.items[span.first..end]))
    }

    pub(crate) fn push_grid(&mut self, grid: GuideGrid) {
        self.grids.push(grid);
    }

    /// Returns a brush that paints guides, or `None` before the first [`DrawList::begin`].
    pub(crate) fn brush(&mut self, layer: Layer) -> Option<GuidePainter<'_>> {
        Some(GuidePainter::new(&mut self.guides[layer as usize], self.view?))
    }

    /// Records the id space of the handles that are pushed next.
    pub(crate) fn note_id_space(&mut self, id_space: u64) {
        self.has_mixed_ids |= *self.id_space.get_or_insert(id_space) != id_space;
    }

    /// Adds a readout. `write` appends its text. `anchor_px` returns the anchor for that text, or `None`
    /// to drop the readout.
    pub(crate) fn say(
        &mut self,
        write: impl FnOnce(&mut String),
        anchor_px: impl FnOnce(&str) -> Option<DVec2>,
    ) {
        let start = self.text.len();
        write(&mut self.text);
        match anchor_px(self.text.get(start..).unwrap_or_default()) {
            Some(anchor_px) => self.readouts.push((self.text.len(), anchor_px)),
            None => self.text.truncate(start),
        }
    }

    /// Ends the span of a gizmo, and sets the bounds of all that was pushed since
    /// [`DrawList::begin_gizmo`].
    pub(crate) fn end_gizmo(&mut self, bounds_px: Rect) {
        if let Some(span) = self.spans.last_mut() {
            span.bounds_px = bounds_px;
        }
        self.bounds_px = Some(self.bounds_px.map_or(bounds_px, |all| all.union(bounds_px)));
    }
}
