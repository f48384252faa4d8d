use super::drag::Drag;
use super::key::{Key, KeyModifiers};
use super::motion::Motion;
use super::placement::{Placement, PlacementCache};
use super::settings::{Pivot, Settings};
use super::target::DisabledReason;
use crate::draw::{DrawList, Flips};
use crate::handle::{CustomHandle, HandleId, HandleSet, Theme};
use crate::math::{Transform, View, Viewport};
use crate::pick::{IdRange, IdSpace, IdSpaceExhausted, PickOutcome, PickQuery, is_in_flight};
use glam::DVec2;
use std::num::NonZeroU32;

/// Pointer events kept while a press waits for its pick. More than a second of the fastest
/// mouse; past it, moves replace the last move.
const INPUT_CAPACITY: usize = 1024;

/// How many targets can have a gizmo each. More of them on one screen hide each other.
pub(super) const MAX_COPIES: usize = 1024;

/// What happened, as [`Gizmo::update`] reports it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// A drag began on this handle.
    Started(HandleId),
    /// The drag's motion is another than before; the targets have been written.
    Changed(Motion),
    /// The drag was released: one step for the undo history, none where nothing changed.
    Ended {
        /// Whether the targets are elsewhere than at press.
        changed: bool,
    },
    /// The drag was cancelled; the targets have their starts back, bit for bit. Where the list
    /// of targets is not the one that was pressed, nothing was written: [`Gizmo::starts`] has
    /// the starts.
    Cancelled,
    /// A handle was pressed that cannot be used, and why.
    Refused(HandleId, DisabledReason),
    /// A press hit what is not this gizmo's: an object of the host's, to be selected, or a handle
    /// of another gizmo, which says so itself.
    PressedObject(NonZeroU32),
    /// A press in the view hit nothing and was released where it was: deselect.
    ClickedNothing,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Input {
    Moved(DVec2),
    Left,
    Pressed,
    Released,
    Cancelled,
    SnapHeld(bool),
    PrecisionHeld(bool),
    Key(Key),
}

/// A press that waits for its pick.
#[derive(Debug, Clone, Copy)]
pub(super) struct Press {
    pub(super) cursor_px: DVec2,
    pub(super) view: View,
    /// The newest question there was: only later ones are about this press.
    pub(super) since: u64,
    /// The question that was given out last, unless it came to nothing.
    pub(super) asked: Option<u64>,
    /// Updates in which nobody had the question, since it was first given out; `None` before.
    pub(super) idle: Option<u32>,
    pub(super) outcome: Option<PickOutcome>,
}

#[derive(Debug, Clone)]
pub(super) enum Phase {
    Idle,
    Pressed(Box<Press>),
    Dragging(Box<Drag>),
    /// The button is down on something else; where it went down on nothing and has not wandered
    /// since, from where.
    PressedElsewhere {
        on_nothing: Option<DVec2>,
    },
}

/// What the last hover question was about: the same again needs no answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HoverQuery {
    pub(super) texel: DVec2,
    pub(super) view: View,
    pub(super) revision: u64,
    pub(super) sequence: u64,
}

/// What a view showed of a gizmo and what not: in the next frame it takes a degree or more to
/// change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Seen {
    /// Too glancing to show.
    pub(super) gone: HandleSet,
    pub(super) flips: Flips,
}

/// A gizmo: what is hovered, pressed and dragged, and where its handles are.
///
/// It knows nothing of windows or of wgpu: pointer events, views and answers of the ID image
/// come in; draw lists, questions and new transforms go out. One gizmo may be shown in any
/// number of views.
#[derive(Debug)]
pub struct Gizmo {
    /// How it behaves.
    pub settings: Settings,
    /// How it looks.
    pub theme: Theme,
    pub(super) ids: IdRange,
    pub(super) phase: Phase,
    pub(super) inputs: Vec<Input>,
    pub(super) events: Vec<Event>,
    pub(super) cursor_px: Option<DVec2>,
    /// It left while a button was down: past the release it is nowhere.
    pub(super) pointer_is_out: bool,
    pub(super) snap_held: bool,
    pub(super) precision_held: bool,
    pub(super) shown_view: Option<View>,
    /// Where it stands; of several that stand about, the active target's.
    pub(super) placement: Option<Placement>,
    /// With [`Pivot::EachTarget`](super::Pivot::EachTarget): where each stands, and on which
    /// target.
    pub(super) copies: Vec<(usize, Placement)>,
    pub(super) disabled_reasons: [Option<DisabledReason>; HandleId::MAX],
    pub(super) hovered: Option<HandleId>,
    /// The target whose gizmo is hovered, where each has one.
    pub(super) hovered_copy: usize,
    pub(super) hovered_object: Option<NonZeroU32>,
    pub(super) asked: Option<HoverQuery>,
    /// Updates in which nobody had that question.
    pub(super) asked_idle: u32,
    pub(super) revision: u64,
    pub(super) answered: u64,
    pub(super) needs_redraw: bool,
    /// The last update had events, to which the host reacts after it.
    pub(super) has_reported: bool,
    /// By key and viewport of the view, and by target where each has a gizmo: what was shown there
    /// when last drawn.
    pub(super) seen: Vec<((u64, Viewport), Vec<Seen>)>,
    /// The host's own handles, by place; what stands at the places of `removed` counts as none.
    pub(super) custom: Vec<CustomHandle>,
    pub(super) removed: HandleSet,
    pub(super) last: Option<Box<Drag>>,
    /// What placement and disabled_reasons were worked out from.
    pub(super) placement_cache: PlacementCache,
    pub(super) scratch: DrawList,
    pub(super) immediate: super::immediate::Frame,
}

impl Press {
    /// Returns whether its question was given out, has no answer, and nobody has it any more.
    pub(super) fn is_adrift(&self) -> bool {
        let is_waiting = self.idle.is_some() && self.outcome.is_none();
        is_waiting && !is_in_flight(self.cursor_px, &self.view, self.since)
    }
}

impl Gizmo {
    /// A gizmo with ids of its own. Keep the space: what else is drawn into the same ID image, other
    /// gizmos and the host's objects, is to get its ids from it as well.
    pub fn new(ids: &mut IdSpace) -> Result<Self, IdSpaceExhausted> {
        Ok(Self {
            settings: Settings::default(),
            theme: Theme::default(),
            ids: ids.allocate_for_gizmo((HandleId::MAX * MAX_COPIES) as u32)?,
            phase: Phase::Idle,
            inputs: Vec::new(),
            events: Vec::new(),
            cursor_px: None,
            pointer_is_out: false,
            snap_held: false,
            precision_held: false,
            shown_view: None,
            placement: None,
            copies: Vec::new(),
            disabled_reasons: [None; HandleId::MAX],
            hovered: None,
            hovered_copy: 0,
            hovered_object: None,
            asked: None,
            asked_idle: 0,
            revision: 0,
            // What was asked before is not about its handles, whoever had their ids then.
            answered: PickQuery::last_sequence(),
            needs_redraw: true,
            has_reported: false,
            seen: Vec::new(),
            custom: Vec::new(),
            removed: HandleSet::EMPTY,
            last: None,
            placement_cache: PlacementCache::default(),
            scratch: DrawList::new(),
            immediate: super::immediate::Frame::default(),
        })
    }

    /// The ids that its handles have in the ID image. Free them when the gizmo goes.
    pub fn ids(&self) -> IdRange {
        self.ids
    }

    /// The id of a handle in the ID image.
    pub fn id_of(&self, handle: HandleId) -> NonZeroU32 {
        self.id_on(handle, 0)
    }

    /// The id of a handle of the gizmo on the target at this place, where each has one.
    pub(super) fn id_on(&self, handle: HandleId, copy: usize) -> NonZeroU32 {
        // The range holds one id for each handle of each copy.
        let offset = copy * HandleId::MAX + handle.index();
        self.ids.id(offset as u32).unwrap_or(self.ids.first())
    }

    /// The handle with this id, if it is one of this gizmo's.
    pub fn handle_of(&self, id: NonZeroU32) -> Option<HandleId> {
        self.handle_at(self.ids.offset_of(id)? as usize % HandleId::MAX)
    }

    /// The place in the list of the target whose gizmo the id belongs to; `None` for an id that is
    /// not one of this gizmo's, and where not each target has a gizmo.
    pub fn target_of(&self, id: NonZeroU32) -> Option<usize> {
        self.ids.offset_of(id).filter(|_| self.settings.pivot == Pivot::EachTarget)?;
        Some(self.copy_of(id))
    }

    pub(super) fn copy_of(&self, id: NonZeroU32) -> usize {
        self.ids.offset_of(id).unwrap_or_default() as usize / HandleId::MAX
    }

    /// Whether the id is in its range, whether or not a handle has it.
    pub(super) fn owns(&self, id: NonZeroU32) -> bool {
        self.ids.offset_of(id).is_some()
    }

    fn handle_at(&self, index: usize) -> Option<HandleId> {
        HandleId::from_index(index).or_else(|| {
            let place = index.checked_sub(HandleId::BUILT_IN)?;
            self.custom_at(place)
        })
    }

    /// The pointer is at this point of the target, in physical pixels. It may lie outside.
    /// A position that is not finite is ignored.
    pub fn pointer_moved(&mut self, cursor_px: DVec2) {
        if cursor_px.is_finite() {
            self.push(Input::Moved(cursor_px));
        }
    }

    /// The pointer has left the window, or is over something else such as a panel: nothing is
    /// hovered. A drag goes on.
    pub fn pointer_left(&mut self) {
        self.push(Input::Left);
    }

    /// The primary button went down, or a first finger, where [`Gizmo::pointer_moved`] said last
    /// that the pointer is; after [`Gizmo::pointer_left`], nowhere. Presses that are a panel's or
    /// the camera's are not to be handed in.
    pub fn pointer_pressed(&mut self) {
        self.push(Input::Pressed);
    }

    /// The primary button went up.
    pub fn pointer_released(&mut self) {
        self.push(Input::Released);
    }

    /// Esc, the secondary button, a second finger, lost focus: a drag ends where it began.
    pub fn cancel(&mut self) {
        self.push(Input::Cancelled);
    }

    /// The key that turns snapping on (or off, see [`Settings`]) went down or up.
    pub fn snap_held(&mut self, held: bool) {
        self.push(Input::SnapHeld(held));
    }

    /// The key that slows the motion to a tenth of the pointer's went down or up. In both cases
    /// the motion goes on from where it is.
    pub fn precision_held(&mut self, held: bool) {
        self.push(Input::PrecisionHeld(held));
    }

    /// A key was pressed, or repeats. Outside a drag x, y and z begin one that needs no pointer;
    /// in a drag they choose the axis, digits type the number, arrows nudge by one increment,
    /// Enter ends and Escape cancels. Other keys outside a drag do nothing. Of several gizmos, only
    /// one is to get the keys, or each begins a drag.
    ///
    /// A key with modifiers that are not the gizmo's is ignored, in a drag too
    /// ([`KeyModifiers::may_type`]): Ctrl+Z is an undo, not a drag along Z. What Escape does there,
    /// [`Gizmo::cancel`] does with any modifiers.
    pub fn key(&mut self, key: Key, modifiers: KeyModifiers) {
        if modifiers.may_type(key) {
            self.push(Input::Key(key));
        }
    }

    fn push(&mut self, input: Input) {
        let is_full = self.inputs.len() >= INPUT_CAPACITY;
        match (self.inputs.last_mut(), input) {
            (Some(last @ Input::Moved(_)), Input::Moved(_)) if is_full => *last = input,
            _ => self.inputs.push(input),
        }
    }

    /// The scene has changed under a cursor that stands still: hover is asked for again.
    pub fn scene_changed(&mut self) {
        self.revision += 1;
    }

    /// Whether a drag is going on.
    pub fn is_active(&self) -> bool {
        matches!(self.phase, Phase::Dragging(_))
    }

    /// Whether a drag is going on, or a press waits for its pick and may become one.
    pub fn is_busy(&self) -> bool {
        match self.phase {
            Phase::Dragging(_) | Phase::Pressed(_) => true,
            Phase::Idle | Phase::PressedElsewhere { .. } => self.inputs.contains(&Input::Pressed),
        }
    }

    /// Whether digits, arrows, Enter and the like are the gizmo's: a drag is going on, or a key that
    /// begins one is waiting for [`Gizmo::update`].
    pub fn wants_keys(&self) -> bool {
        let begins = |input: &Input| matches!(input, Input::Key(Key::Axis(_) | Key::Plane(_)));
        self.is_active() || self.inputs.iter().any(begins)
    }

    /// Whether the pointer is the gizmo's: busy, or hovering a handle. The host keeps its camera
    /// still.
    pub fn wants_pointer(&self) -> bool {
        self.is_busy() || (matches!(self.phase, Phase::Idle) && self.hovered.is_some())
    }

    /// The handle under the pointer, or being dragged.
    pub fn hovered(&self) -> Option<HandleId> {
        self.hovered
    }

    /// The place in the list of the target whose gizmo is hovered or dragged, where each target
    /// has one.
    pub fn hovered_target(&self) -> Option<usize> {
        self.hovered.filter(|_| self.settings.pivot == Pivot::EachTarget).map(|_| self.hovered_copy)
    }

    /// What is under the pointer and not this gizmo's: the host's object, or a handle of another
    /// gizmo.
    pub fn hovered_object(&self) -> Option<NonZeroU32> {
        self.hovered_object
    }

    /// The handle being dragged.
    pub fn dragging(&self) -> Option<HandleId> {
        self.drag().map(Drag::handle)
    }

    /// The view that a press or a drag which is going on belongs to, as it was when that began.
    /// Its viewport tells which of several views [`Gizmo::update`] is to get until the drag has
    /// ended, wherever the pointer goes; where the camera moves, as that view is by then.
    pub fn held_view(&self) -> Option<&View> {
        match &self.phase {
            Phase::Dragging(drag) => Some(drag.press().1),
            Phase::Pressed(press) => Some(&press.view),
            Phase::Idle | Phase::PressedElsewhere { .. } => None,
        }
    }

    /// The drag that is going on.
    pub fn drag(&self) -> Option<&Drag> {
        match &self.phase {
            Phase::Dragging(drag) => Some(drag),
            _ => None,
        }
    }

    /// The drag that is going on, else the last one, as it was when it ended: what names an undo
    /// step. `None` where there was none yet.
    pub fn last_drag(&self) -> Option<&Drag> {
        self.drag().or(self.last.as_deref())
    }

    /// Why a handle is disabled, if it is.
    pub fn disabled_reason(&self, handle: HandleId) -> Option<DisabledReason> {
        self.disabled_reasons[handle.index()]
    }

    /// Local transforms at the press of the drag that is going on, else of the last one: what an
    /// undo step goes back to.
    pub fn starts(&self) -> impl Iterator<Item = Transform> {
        self.last_drag().into_iter().flat_map(Drag::starts)
    }
}
