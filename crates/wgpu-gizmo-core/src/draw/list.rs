use crate::draw::depth_style::DepthStyle;
use crate::draw::glyphs::paint_text;
use crate::draw::grid::GuideGrid;
use crate::draw::guides::{GuidePainter, GuideVertex};
use crate::draw::item::Item;
use crate::draw::order::{PaintLayer, Piece, PiecePart};
use crate::handle::{HandleMesh, MeshData, MeshKind};
use crate::math::{Rect, View};
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// The range of items of one gizmo in a list, with its depth and bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GizmoEntry {
    /// The index of its first item. The entry ends where the next one begins.
    first: usize,
    /// The index of its first position in the order of painting.
    first_piece: usize,
    /// The depth of the pivot along the view direction, in world units; smaller is nearer.
    pub(crate) depth: f64,
    /// The bounds of the handles in pixels, like [`DrawList::bounds_px`] but not clamped to the viewport.
    pub(crate) bounds_px: Rect,
    /// How parts are drawn that the scene hides.
    pub(crate) depth_style: DepthStyle,
}

impl GizmoEntry {
    /// Returns false only if every handle is farther than this from a pixel.
    pub(crate) fn may_reach(&self, px: DVec2, radius_px: f64) -> bool {
        let Rect { min, max } = self.bounds_px;
        px.cmpge(min - radius_px).all() && px.cmple(max + radius_px).all()
    }
}

/// Everything that one view shows of one or more gizmos.
///
/// The renderer and the picker read the same list, so the handles that are visible are the handles
/// that can be picked. Keep the list from frame to frame: it reuses its memory, so that no frame
/// allocates in the steady state.
///
/// ```
/// use wgpu_gizmo_core::glam::{DVec3, dcamera::rh};
/// use wgpu_gizmo_core::{DrawList, Gizmo, IdSpace, Target, Transform, View, Viewport};
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
///
/// Two lists are equal if they show the same: a host that keeps the last list can skip a frame
/// whose list is equal.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DrawList {
    view: Option<View>,
    /// In the order in which they were added.
    items: Vec<Item>,
    /// The parts of each gizmo in the order of painting.
    pieces: Vec<Piece>,
    gizmos: Vec<GizmoEntry>,
    /// The custom meshes that are shown, sorted by key.
    meshes: Vec<Arc<MeshData>>,
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
pub enum GuideLayer {
    /// Below the handles.
    Under,
    /// Above the handles.
    Over,
}

/// A line of text that reports the motion of a drag, for the host to show. A host without text calls
/// [`DrawList::stroke_readouts`].
///
/// ```
/// use wgpu_gizmo_core::DrawList;
/// use wgpu_gizmo_core::draw::Readout;
///
/// fn show(list: &DrawList, mut write: impl FnMut([f64; 2], &str)) {
///     for Readout { text, anchor_px, .. } in list.readouts() {
///         write(anchor_px.to_array(), text);
///     }
/// }
/// # show(&DrawList::new(), |_, _| unreachable!("there is no drag"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Readout<'a> {
    /// The text, such as `X 1.250`, `X 45.0°` or `×1.50`.
    pub text: &'a str,
    /// The position of the left end of the text at half of its height, in physical pixels.
    ///
    /// It is near the pointer, if there is one. The text fits into the viewport and does not overlap the dragged
    /// handle if a character is at most 8 by 16 logical pixels.
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
        self.pieces.clear();
        self.gizmos.clear();
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
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Returns true if gizmos of several [`IdSpace`](crate::pick::IdSpace)s are in the list. Their
    /// handles can have equal ids, so [`DrawList::pick`] finds nothing in such a list, and it cannot be encoded for
    /// a pick on the GPU. [`Gizmo::answer_from`](crate::Gizmo::answer_from) then picks among the handles of its
    /// gizmo alone. Drawing is not affected.
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

    /// Returns the depth style of each gizmo.
    pub fn depth_styles(&self) -> impl Iterator<Item = DepthStyle> {
        self.gizmos.iter().map(|gizmo| gizmo.depth_style)
    }

    /// Returns the readouts of the drags in progress.
    pub fn readouts(&self) -> impl Iterator<Item = Readout<'_>> {
        let starts = [0].into_iter().chain(self.readouts.iter().map(|(end, _)| *end));
        starts.zip(&self.readouts).map(|(start, (end, anchor_px))| {
            let text = self.text.get(start..*end).unwrap_or_default();
            Readout { text, anchor_px: *anchor_px }
        })
    }

    /// Paints the readouts as strokes above the handles, for a host that shows no text. Call it once, after the
    /// gizmos are drawn into the list. Picks are not affected.
    pub fn stroke_readouts(&mut self) {
        let Some(view) = self.view.as_ref() else { return };
        let mut painter = GuidePainter::new(&mut self.guides[GuideLayer::Over as usize], view).without_halo();
        let mut start = 0;
        for (end, anchor_px) in &self.readouts {
            paint_text(&mut painter, self.text.get(start..*end).unwrap_or_default(), *anchor_px);
            start = *end;
        }
    }

    /// Returns a rectangle that contains all handles, clamped to the viewport.
    ///
    /// Returns `None` if nothing is visible.
    pub fn bounds_px(&self) -> Option<Rect> {
        self.bounds_px?.intersection(self.view?.viewport().rect())
    }

    /// Begins the entry of a gizmo whose pivot is at this `depth` along the view direction.
    ///
    /// A nearer gizmo is drawn entirely in front of a farther one.
    pub(crate) fn begin_gizmo(&mut self, depth: f64) {
        let bounds_px = Rect::EVERYWHERE;
        let (first, first_piece) = (self.items.len(), self.pieces.len());
        let depth_style = DepthStyle::default();
        self.gizmos.push(GizmoEntry { first, first_piece, depth, bounds_px, depth_style });
    }

    /// Sets the style of the gizmo that was begun last.
    pub(crate) fn set_depth_style(&mut self, depth_style: DepthStyle) {
        if let Some(gizmo) = self.gizmos.last_mut() {
            gizmo.depth_style = depth_style;
        }
    }

    /// Registers a mesh, and keeps it alive until the list is cleared if it has triangles.
    pub(crate) fn keep(&mut self, mesh: &HandleMesh) -> MeshKind {
        if let Some(data) = mesh.data()
            && let Err(index) = self.custom_mesh_index(data.key)
        {
            self.meshes.insert(index, data.clone());
        }
        mesh.kind()
    }

    fn custom_mesh_index(&self, key: u32) -> Result<usize, usize> {
        self.meshes.binary_search_by_key(&key, |mesh| mesh.key)
    }

    /// Returns the custom mesh of this kind, or `None` for a built-in kind.
    pub(crate) fn custom_mesh(&self, kind: MeshKind) -> Option<&MeshData> {
        let MeshKind::Custom(key) = kind else { return None };
        self.custom_mesh_index(key).ok().map(|index| &*self.meshes[index])
    }

    /// Returns the center and the half extents of the bounding box of a part, in part space and without the
    /// width of strokes.
    pub(crate) fn bounds_of(&self, item: &Item) -> Option<[DVec3; 2]> {
        let custom = || {
            let custom = self.custom_mesh(item.mesh)?;
            let half = custom.bounds.radius + item.thickness() * custom.thick;
            Some([custom.bounds.center, DVec3::splat(half)])
        };
        item.mesh.bounds().or_else(custom)
    }

    /// Adds a part. `nearness` is how far its center is toward the viewer, in sizes.
    pub(crate) fn push(&mut self, item: Item, layer: PaintLayer, nearness: f64) {
        let index = self.items.len() as u32;
        let mut paint = |part, layer| self.pieces.push(Piece::new(index, part, layer, nearness));
        if item.mesh == MeshKind::Ring {
            if item.has_far_half() {
                paint(PiecePart::Far, layer.min(PaintLayer::FarArcs));
            }
            paint(PiecePart::Near, layer);
        } else {
            paint(PiecePart::Whole, layer);
        }
        self.items.push(item);
    }

    /// Returns one entry per gizmo.
    pub(crate) fn gizmos(&self) -> &[GizmoEntry] {
        &self.gizmos
    }

    /// Returns each gizmo with its pieces in the order of painting.
    pub(crate) fn painted(&self) -> impl ExactSizeIterator<Item = (&GizmoEntry, &[Piece])> {
        (0..self.gizmos.len()).map(|gizmo| (&self.gizmos[gizmo], self.pieces_of(gizmo)))
    }

    /// Returns the pieces of a gizmo, by its index in [`DrawList::gizmos`], in the order of painting.
    pub(crate) fn pieces_of(&self, gizmo: usize) -> &[Piece] {
        let end = self.gizmos.get(gizmo + 1).map_or(self.pieces.len(), |next| next.first_piece);
        &self.pieces[self.gizmos[gizmo].first_piece..end]
    }

    pub(crate) fn push_grid(&mut self, grid: GuideGrid) {
        self.grids.push(grid);
    }

    /// Returns a painter that adds guides, or `None` before the first [`DrawList::begin`].
    ///
    /// ```
    /// use wgpu_gizmo_core::draw::parts::{GuideLayer, StrokeStyle};
    /// use wgpu_gizmo_core::glam::DVec3;
    /// use wgpu_gizmo_core::{DrawList, Gizmo};
    ///
    /// /// Adds a line from the pivot to a point, below the handles.
    /// fn connect(list: &mut DrawList, gizmo: &Gizmo, pivot_world: DVec3, point_world: DVec3) {
    ///     let style = StrokeStyle { color: gizmo.theme.colors.guide, width_lpx: gizmo.theme.sizes.guide_lpx };
    ///     if let Some(mut painter) = list.guide_painter(GuideLayer::Under) {
    ///         painter.world_stroke(pivot_world, point_world, style);
    ///     }
    /// }
    /// # let mut list = DrawList::new();
    /// # connect(&mut list, &Gizmo::new(&mut Default::default()).expect("ids are free"), DVec3::ZERO, DVec3::X);
    /// # assert!(list.guides()[0].is_empty());
    /// ```
    pub fn guide_painter(&mut self, layer: GuideLayer) -> Option<GuidePainter<'_>> {
        Some(GuidePainter::new(&mut self.guides[layer as usize], self.view.as_ref()?))
    }

    /// Records the id space of the handles that are pushed next.
    pub(crate) fn record_id_space(&mut self, id_space: u64) {
        self.has_mixed_ids |= *self.id_space.get_or_insert(id_space) != id_space;
    }

    /// Adds a readout. `write` appends its text. `anchor_px` returns the anchor for that text, or `None`
    /// to drop the readout.
    pub(crate) fn push_readout(
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

    /// Ends the entry of a gizmo, and sets the bounds of all that was pushed since
    /// [`DrawList::begin_gizmo`].
    pub(crate) fn end_gizmo(&mut self, bounds_px: Rect) {
        if let Some(entry) = self.gizmos.last_mut() {
            entry.bounds_px = bounds_px;
            self.pieces[entry.first_piece..].sort_unstable();
        }
        self.bounds_px = Some(self.bounds_px.map_or(bounds_px, |all| all.union(bounds_px)));
    }
}
