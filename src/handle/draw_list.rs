use super::custom::HandleMesh;
use super::grid::GuideGrid;
use super::guides::{Brush, GuideVertex};
use super::ids::IdRange;
use super::mesh::MeshKind;
use super::pick::Priority;
use crate::math::View;
use glam::{DAffine3, DVec2};
use std::num::NonZeroU32;
#[cfg(feature = "wgpu")]
use {super::mesh::Piece, super::ring::FAR_HALF, glam::DVec3};

/// What the GPU gets for one part of a handle.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
#[cfg_attr(feature = "wgpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct Instance {
    /// Columns of `clip_from_part`, multiplied in f64 and rounded once. Its row 2 is not the
    /// view's: it is a depth of the gizmo's own (1 near, 0 far) that stays precise however far
    /// away the gizmo is and whichever way the host's depth runs.
    pub clip_from_part: [[f32; 4]; 4],
    /// Row 2 that the view's own `clip_from_part` has: gives the depth an answer reports.
    pub view_depth_from_part: [f32; 4],
    /// Unit direction to the eye in the part's space; w is 1 where a ring's far half is told
    /// apart, else 0.
    pub to_eye_part: [f32; 4],
    /// sRGB, opacity not multiplied in.
    pub color: [f32; 4],
    /// Half the line width, in the part's units.
    pub thickness: f32,
    /// Half the line width on a ring's far half, likewise.
    pub far_thickness: f32,
    /// Factor on the opacity of a ring's far half.
    pub far_opacity: f32,
    /// What the ID image gets.
    pub id: u32,
}

/// One part of a handle as shown in one view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Item {
    /// For the GPU.
    pub instance: Instance,
    /// Which mesh it is an instance of.
    pub mesh: MeshKind,
    /// Where the mesh is.
    pub world_from_part: DAffine3,
    /// Whose part it is; `None` where it is shown only and cannot be picked.
    pub id: Option<NonZeroU32>,
    /// How the handle ranks within the pick tolerance.
    pub priority: Priority,
    /// Drawn after the others, tinting what it covers. The ID image knows no translucency.
    pub translucent: bool,
}

/// How much of a part is drawn.
#[cfg(feature = "wgpu")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    Nothing,
    Whole,
    /// A bit for each of [`MeshKind::pieces`]. Of one list, either whole parts are drawn or pieces.
    Pieces(u16),
}

/// The parts of one gizmo in a list, and how they stand to those of the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span {
    /// Its first item; they go on to the next span's first.
    first: usize,
    /// Of the pivot, along the view in world units; smaller is nearer.
    pub(crate) depth: f64,
    /// Whether its ball is behind all that stands inside it.
    pub(crate) is_ball_behind: bool,
    /// What its parts write as depth when it is alone in a view: far end, near end.
    pub(crate) own_depths: [f64; 2],
    /// As [`DrawList::bounds_px`], not cut to the viewport.
    pub(crate) bounds_px: [DVec2; 2],
}

/// What one view shows of one or more gizmos: the one thing that drawing and picking share.
///
/// Keep it from frame to frame: it then allocates nothing. Two lists are equal if they show the same:
/// a host that keeps the last one need not draw a frame for an equal one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DrawList {
    view: Option<View>,
    /// In the order they were added; the GPU part sorts them.
    items: Vec<Item>,
    spans: Vec<Span>,
    /// The host's own meshes that are shown, by their keys.
    meshes: Vec<HandleMesh>,
    /// Under the handles, and over them.
    guides: [Vec<GuideVertex>; 2],
    /// Under the guides.
    grids: Vec<GuideGrid>,
    /// Of all readouts, one after the other.
    text: String,
    /// Where in the text each ends, and where it is to be shown.
    readouts: Vec<(usize, DVec2)>,
    bounds_px: Option<[DVec2; 2]>,
    /// The id space of the first gizmo.
    id_space: Option<u64>,
    has_mixed_ids: bool,
}

/// Where guides are painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layer {
    Under,
    Over,
}

/// A line of text that says how far a drag has gone, for the host to show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Readout<'a> {
    /// Such as `X 1.250`, `45.0°` or `×1.50`.
    pub text: &'a str,
    /// Where its left end goes, half way up, in physical pixels: inside the viewport, with room
    /// for 8 by 16 logical pixels a character, and clear of the handles.
    pub anchor_px: DVec2,
}

impl DrawList {
    /// An empty list of no view.
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties the list and says which view it is for. Gizmos are drawn into it after this:
    /// `gizmo.draw(list.begin(&view))`.
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

    /// The view it is for; `None` before the first [`DrawList::begin`].
    pub fn view(&self) -> Option<&View> {
        self.view.as_ref()
    }

    /// Every part, gizmo by gizmo in the order they were added. Drawn is what is opaque first.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Returns whether gizmos of several [`IdSpace`](super::IdSpace)s are in the list. Their handles
    /// can have the same ids, so that nothing can be picked in it; drawing is not affected.
    pub fn has_mixed_ids(&self) -> bool {
        self.has_mixed_ids
    }

    /// Whether there are no handles to draw or pick.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Quads of the guides ([`GuideVertex`]), in the order of painting: those under the handles, and those over
    /// them. They cannot be picked. Grids are besides.
    pub fn guides(&self) -> [&[GuideVertex]; 2] {
        [&self.guides[0], &self.guides[1]]
    }

    /// The grids of the planes that drags go in, painted before all [`DrawList::guides`].
    pub fn grids(&self) -> &[GuideGrid] {
        &self.grids
    }

    /// What the drags that are going on have to say.
    pub fn readouts(&self) -> impl Iterator<Item = Readout<'_>> {
        let starts = [0].into_iter().chain(self.readouts.iter().map(|(end, _)| *end));
        starts.zip(&self.readouts).map(|(start, (end, anchor_px))| {
            let text = self.text.get(start..*end).unwrap_or_default();
            Readout { text, anchor_px: *anchor_px }
        })
    }

    /// Top-left and bottom-right corner, in physical pixels, of a rectangle that all handles are
    /// inside of; cut to the viewport. `None` where nothing is to be seen.
    pub fn bounds_px(&self) -> Option<[DVec2; 2]> {
        let v = self.view?.viewport();
        let [low, high] = self.bounds_px?;
        let low = low.max(DVec2::new(v.x, v.y));
        let high = high.min(DVec2::new(v.x + v.width, v.y + v.height));
        (low.cmplt(high).all()).then_some([low, high])
    }

    /// What is pushed from here on belongs to another gizmo, whose pivot is at this `depth` along
    /// the view. A nearer gizmo is in front of a farther one, wholly.
    pub(crate) fn begin_gizmo(&mut self, depth: f64, is_ball_behind: bool, own_depths: [f64; 2]) {
        let bounds_px = [DVec2::NEG_INFINITY, DVec2::INFINITY];
        self.spans.push(Span { first: self.items.len(), depth, is_ball_behind, own_depths, bounds_px });
    }

    /// Notes whose ids the handles have that are pushed from here on.
    pub(crate) fn note_ids(&mut self, ids: IdRange) {
        self.has_mixed_ids |= *self.id_space.get_or_insert(ids.space()) != ids.space();
    }

    /// Holds on to a mesh of the host's for as long as the list shows it.
    pub(crate) fn keep(&mut self, mesh: &HandleMesh) -> MeshKind {
        let key = mesh.numbered().key;
        if let Err(place) = self.custom_place(key) {
            self.meshes.insert(place, mesh.clone());
        }
        MeshKind::Custom(key)
    }

    fn custom_place(&self, key: u32) -> Result<usize, usize> {
        self.meshes.binary_search_by_key(&key, |mesh| mesh.numbered().key)
    }

    /// The host's own meshes that are shown.
    #[cfg(feature = "wgpu")]
    pub(crate) fn custom_meshes(&self) -> &[HandleMesh] {
        &self.meshes
    }

    /// The host's own mesh that this is, if it is one.
    pub(crate) fn custom_mesh(&self, kind: MeshKind) -> Option<&HandleMesh> {
        let MeshKind::Custom(key) = kind else { return None };
        self.custom_place(key).ok().map(|place| &self.meshes[place])
    }

    /// Place of a mesh among the built-in and the host's own that are shown.
    #[cfg(feature = "wgpu")]
    pub(crate) fn place_of(&self, kind: MeshKind) -> Option<usize> {
        let MeshKind::Custom(key) = kind else { return kind.place() };
        self.custom_place(key).ok().map(|place| MeshKind::ALL.len() + place)
    }

    /// What of a part can be where `may_hold` says of boxes, middle and half their sides in the
    /// part's own space, whether anything in them can be.
    #[cfg(feature = "wgpu")]
    pub(crate) fn share_of(&self, item: &Item, may_hold: impl Fn([DVec3; 2]) -> bool) -> Share {
        let thickness = f64::from(item.instance.thickness);
        let own = || {
            let own = self.custom_mesh(item.mesh)?.numbered();
            Some([own.centre, DVec3::splat(own.radius + thickness.abs() * own.thick)])
        };
        match item.mesh.bounds(thickness).or_else(own) {
            Some(whole) if may_hold(whole) => {}
            _ => return Share::Nothing,
        }
        let [x, y, z, halved] = item.instance.to_eye_part.map(f64::from);
        let to_eye = DVec3::new(x, y, z);
        // The far half of a ring is not in the ID image; a little of it to spare.
        let is_away = |piece: &Piece| halved > 0.5 && piece.is_beyond(to_eye, FAR_HALF - 1e-3);
        let mut pieces = 0;
        for (place, piece) in item.mesh.piece_shapes().iter().enumerate() {
            let may_be_seen = !is_away(piece) && may_hold(piece.bounds(thickness));
            pieces |= u16::from(may_be_seen) << place;
        }
        match (item.mesh.pieces(), pieces) {
            (1, _) => Share::Pieces(1),
            (_, 0) => Share::Nothing,
            _ => Share::Pieces(pieces),
        }
    }

    pub(crate) fn push(&mut self, item: Item) {
        self.items.push(item);
    }

    /// Of each gizmo.
    #[cfg(feature = "wgpu")]
    pub(crate) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Each gizmo with its parts.
    pub(crate) fn gizmos(&self) -> impl Iterator<Item = (&Span, &[Item])> {
        let ends = self.spans.iter().skip(1).map(|span| span.first).chain([self.items.len()]);
        self.spans.iter().zip(ends).map(|(span, end)| (span, &self.items[span.first..end]))
    }

    pub(crate) fn push_grid(&mut self, grid: GuideGrid) {
        self.grids.push(grid);
    }

    /// To paint guides with; `None` before the first [`DrawList::begin`].
    pub(crate) fn brush(&mut self, layer: Layer) -> Option<Brush<'_>> {
        Some(Brush::new(&mut self.guides[layer as usize], self.view?))
    }

    /// Adds a readout: `write` appends its text, of which `anchor_px` says where it goes, or that it
    /// goes nowhere.
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

    /// Says where all is that was pushed since [`DrawList::begin_gizmo`].
    pub(crate) fn end_gizmo(&mut self, [low, high]: [DVec2; 2]) {
        if let Some(span) = self.spans.last_mut() {
            span.bounds_px = [low, high];
        }
        let joint = self.bounds_px.map_or([low, high], |[l, h]| [l.min(low), h.max(high)]);
        self.bounds_px = Some(joint);
    }
}
