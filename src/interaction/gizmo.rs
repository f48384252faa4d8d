use super::drag::{Drag, Placement, refusal};
use super::motion::Motion;
use super::settings::{Settings, Snap};
use super::target::{Refusal, Target};
use crate::handle::{
    DrawList, HandleId, IdRange, IdSpace, IdSpaceExhausted, PickAnswer, PickOutcome, PickQuery, Shown, Theme,
    append,
};
use crate::math::{Transform, View, Viewport};
use glam::DVec2;
use std::num::NonZeroU32;

/// How far a press may wander and still be a click, in logical pixels.
const CLICK_LPX: f64 = 4.0;
/// Pointer events kept while a press waits for its pick. More than a second of the fastest
/// mouse; past it, moves replace the last move.
const QUEUE: usize = 1024;

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
    Refused(HandleId, Refusal),
    /// A press hit an object of the host's: select it.
    PressedObject(NonZeroU32),
    /// A press hit nothing and was released where it was: deselect.
    ClickedNothing,
}

/// The pointer shape that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CursorHint {
    /// The host's own.
    #[default]
    Default,
    /// Something can be taken hold of.
    Grab,
    /// Something is held.
    Grabbing,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Input {
    Moved(DVec2),
    Left,
    Pressed,
    Released,
    Cancelled,
    SnapHeld(bool),
}

/// A press that waits for its pick.
#[derive(Debug, Clone, Copy)]
struct Press {
    cursor_px: DVec2,
    view: View,
    /// The question's sequence, once asked.
    asked: Option<u64>,
    outcome: Option<PickOutcome>,
}

#[derive(Debug, Clone)]
enum Phase {
    Idle,
    Pressed(Press),
    Dragging(Box<Drag>),
    /// The button is down on something else; where it went down on nothing, from where.
    Elsewhere {
        on_nothing: Option<DVec2>,
    },
}

/// What the last hover question was about: the same again needs no answer.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Asked {
    texel: DVec2,
    view: View,
    revision: u64,
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
    ids: IdRange,
    phase: Phase,
    inputs: Vec<Input>,
    events: Vec<Event>,
    cursor_px: Option<DVec2>,
    snap_held: bool,
    shown_view: Option<View>,
    placement: Option<Placement>,
    refusals: [Option<Refusal>; HandleId::COUNT],
    hovered: Option<HandleId>,
    hovered_object: Option<NonZeroU32>,
    asked: Option<Asked>,
    revision: u64,
    sequence: u64,
    answered: u64,
    needs_redraw: bool,
    /// By viewport: which handles were too glancing to show when last drawn there.
    gone: Vec<(Viewport, u32)>,
    cancelled_starts: Vec<Transform>,
    scratch: DrawList,
    pub(super) immediate: super::immediate::Frame,
}

impl Gizmo {
    /// A gizmo with ids of its own.
    pub fn new(ids: &mut IdSpace) -> Result<Self, IdSpaceExhausted> {
        Ok(Self {
            settings: Settings::default(),
            theme: Theme::default(),
            ids: ids.take(HandleId::COUNT as u32)?,
            phase: Phase::Idle,
            inputs: Vec::new(),
            events: Vec::new(),
            cursor_px: None,
            snap_held: false,
            shown_view: None,
            placement: None,
            refusals: [None; HandleId::COUNT],
            hovered: None,
            hovered_object: None,
            asked: None,
            revision: 0,
            sequence: 0,
            answered: 0,
            needs_redraw: true,
            gone: Vec::new(),
            cancelled_starts: Vec::new(),
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
        // The range holds one id for each built-in handle.
        self.ids.id(handle.index() as u32).unwrap_or(self.ids.first())
    }

    /// The handle with this id, if it is one of this gizmo's.
    pub fn handle_of(&self, id: NonZeroU32) -> Option<HandleId> {
        HandleId::from_index(self.ids.offset_of(id)? as usize)
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

    /// The primary button went down, or a first finger.
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

    fn push(&mut self, input: Input) {
        if self.inputs.len() >= QUEUE
            && let (Some(last @ Input::Moved(_)), Input::Moved(_)) = (self.inputs.last_mut(), input)
        {
            *last = input;
            return;
        }
        self.inputs.push(input);
    }

    /// The scene has changed under a cursor that stands still: hover is asked for again.
    pub fn scene_changed(&mut self) {
        self.revision += 1;
    }

    /// Takes in what happened since the last call, and moves the targets.
    ///
    /// `view` is the one under the pointer (in a drag, the one the drag began in); it is what
    /// the user sees until the next call, and presses until then are judged in it. The last
    /// target is the active one. Their `local` is written during a drag, in place.
    pub fn update(&mut self, view: &View, targets: &mut [Target]) -> &[Event] {
        self.events.clear();
        self.place(view, targets);
        if matches!(&self.phase, Phase::Dragging(drag) if drag.starts().len() != targets.len()) {
            self.end_cancelled(&mut []);
        }
        let mut taken = 0;
        loop {
            self.settle_press(view, targets);
            if matches!(self.phase, Phase::Pressed(_)) {
                break;
            }
            let Some(input) = self.inputs.get(taken).copied() else { break };
            taken += 1;
            self.take(input, view, targets);
        }
        self.inputs.drain(..taken);
        self.follow(view);
        if let Phase::Dragging(drag) = &self.phase {
            drag.apply(targets);
        }
        self.shown_view = Some(*view);
        &self.events
    }

    /// Where the handles are, from the targets as they are.
    fn place(&mut self, view: &View, targets: &[Target]) {
        if self.is_active() {
            return;
        }
        let placement = Placement::of(targets, &self.settings, view).ok();
        let mut refusals = [None; HandleId::COUNT];
        if placement.is_some() {
            for handle in self.settings.mode.handles() {
                refusals[handle.index()] = refusal(handle, targets);
            }
        }
        if placement != self.placement || refusals != self.refusals {
            self.placement = placement;
            self.refusals = refusals;
            self.changed();
        }
    }

    fn changed(&mut self) {
        self.needs_redraw = true;
        self.revision += 1;
    }

    fn snap(&self) -> Snap {
        if self.snap_held { self.settings.snap_while_held } else { self.settings.snap }
    }

    fn take(&mut self, input: Input, view: &View, targets: &mut [Target]) {
        match input {
            Input::Moved(cursor_px) => {
                self.cursor_px = Some(cursor_px);
                self.follow(view);
            }
            Input::Left => {
                if matches!(self.phase, Phase::Idle) {
                    self.cursor_px = None;
                    self.hover(None, None);
                }
            }
            Input::SnapHeld(held) => {
                self.snap_held = held;
                self.follow(view);
            }
            Input::Pressed => {
                // A second press while one is held is another button's, or a repeat.
                if let (Phase::Idle, Some(cursor_px)) = (&self.phase, self.cursor_px) {
                    let view = self.shown_view.unwrap_or(*view);
                    let outside = !view.viewport().contains(cursor_px);
                    let outcome = outside.then_some(PickOutcome::Nothing);
                    self.phase = Phase::Pressed(Press { cursor_px, view, asked: None, outcome });
                }
            }
            Input::Released => self.release(view, targets),
            Input::Cancelled => match self.phase {
                Phase::Dragging(_) => self.end_cancelled(targets),
                Phase::Elsewhere { .. } => self.phase = Phase::Elsewhere { on_nothing: None },
                Phase::Idle | Phase::Pressed(_) => {}
            },
        }
    }

    /// Turns a press whose pick is known into what it was a press on.
    fn settle_press(&mut self, view: &View, targets: &[Target]) {
        let Phase::Pressed(Press { cursor_px, view: press_view, outcome: Some(outcome), .. }) = self.phase
        else {
            return;
        };
        let hit = match outcome {
            PickOutcome::Hit(hit) => Some(hit.id),
            PickOutcome::Nothing | PickOutcome::Lost => None,
        };
        let handle = hit.and_then(|id| self.handle_of(id));
        self.phase = Phase::Elsewhere { on_nothing: hit.is_none().then_some(cursor_px) };
        match (handle, hit) {
            (Some(handle), _) => {
                match Drag::begin(handle, &press_view, cursor_px, targets, &self.settings, self.snap()) {
                    Ok(drag) => {
                        self.phase = Phase::Dragging(Box::new(drag));
                        self.hover(Some(handle), None);
                        self.events.push(Event::Started(handle));
                        self.changed();
                        self.follow(view);
                    }
                    Err(refusal) => self.events.push(Event::Refused(handle, refusal)),
                }
            }
            (None, Some(object)) => self.events.push(Event::PressedObject(object)),
            (None, None) => {}
        }
    }

    /// Solves the drag, if there is one, for the cursor where it is.
    fn follow(&mut self, view: &View) {
        let snap = self.snap();
        let (Phase::Dragging(drag), Some(cursor_px)) = (&mut self.phase, self.cursor_px) else { return };
        let before = drag.motion();
        let motion = drag.solve(view, cursor_px, snap);
        if motion != before {
            self.events.push(Event::Changed(motion));
            self.changed();
        }
    }

    fn release(&mut self, view: &View, targets: &mut [Target]) {
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Dragging(drag) => {
                drag.apply(targets);
                let changed = !drag.motion().change.is_identity();
                self.events.push(Event::Ended { changed });
                self.changed();
                self.place(view, targets);
            }
            Phase::Elsewhere { on_nothing: Some(press_px) } => {
                let still = CLICK_LPX * view.scale_factor();
                if self.cursor_px.is_some_and(|cursor_px| cursor_px.distance(press_px) < still) {
                    self.events.push(Event::ClickedNothing);
                }
            }
            Phase::Elsewhere { on_nothing: None } | Phase::Idle | Phase::Pressed(_) => {}
        }
    }

    fn end_cancelled(&mut self, targets: &mut [Target]) {
        if let Phase::Dragging(drag) =
            std::mem::replace(&mut self.phase, Phase::Elsewhere { on_nothing: None })
        {
            drag.restore(targets);
            self.cancelled_starts.clear();
            self.cancelled_starts.extend(drag.starts());
            self.events.push(Event::Cancelled);
            self.changed();
        }
    }

    /// Ends a drag without a look at the targets; [`Gizmo::starts`] has what they were.
    pub(super) fn abandon(&mut self) {
        self.end_cancelled(&mut []);
        self.phase = Phase::Idle;
        self.inputs.clear();
        self.placement = None;
        self.hover(None, None);
    }

    fn hover(&mut self, handle: Option<HandleId>, object: Option<NonZeroU32>) {
        if (self.hovered, self.hovered_object) != (handle, object) {
            self.hovered = handle;
            self.hovered_object = object;
            self.needs_redraw = true;
        }
    }

    /// The next question to the ID image: the press that waits, or what is under the cursor.
    /// `None` in a drag, when nothing has changed since the last question, and for a cursor
    /// outside the view. Call it only when the answer can be asked for: a question is given out
    /// once.
    pub fn pick_query(&mut self) -> Option<PickQuery> {
        let radius_lpx = self.settings.tolerance_lpx;
        let sequence = self.sequence + 1;
        let query = match &mut self.phase {
            Phase::Dragging(_) => return None,
            Phase::Pressed(press) => {
                if press.asked.is_some() {
                    return None;
                }
                press.asked = Some(sequence);
                let radius_px = radius_lpx * press.view.scale_factor();
                PickQuery { cursor_px: press.cursor_px, view: press.view, radius_px, sequence }
            }
            Phase::Idle | Phase::Elsewhere { .. } => {
                let (cursor_px, view) = (self.cursor_px?, self.shown_view?);
                if !view.viewport().contains(cursor_px) {
                    self.asked = None;
                    self.hover(None, None);
                    return None;
                }
                let asked = Asked { texel: cursor_px.floor(), view, revision: self.revision };
                if self.asked == Some(asked) {
                    return None;
                }
                self.asked = Some(asked);
                PickQuery { cursor_px, view, radius_px: radius_lpx * view.scale_factor(), sequence }
            }
        };
        self.sequence = sequence;
        Some(query)
    }

    /// Takes the answer to a question of [`Gizmo::pick_query`]. Answers that come too late, or
    /// that are not its own, change nothing.
    pub fn answer(&mut self, answer: &PickAnswer) {
        let sequence = answer.query.sequence;
        if let Phase::Pressed(press) = &mut self.phase {
            if press.asked == Some(sequence) {
                match answer.outcome {
                    PickOutcome::Lost => press.asked = None,
                    outcome => press.outcome = Some(outcome),
                }
            }
            return;
        }
        if sequence <= self.answered || self.is_active() {
            return;
        }
        match answer.outcome {
            PickOutcome::Lost => self.asked = None,
            PickOutcome::Nothing => self.hover(None, None),
            PickOutcome::Hit(hit) => match self.handle_of(hit.id) {
                Some(handle) => self.hover(Some(handle), None),
                None => self.hover(None, Some(hit.id)),
            },
        }
        self.answered = sequence;
    }

    /// Answers its own question on the CPU, from the handles alone: for hosts without a picker.
    pub fn answer_on_cpu(&mut self) {
        let Some(query) = self.pick_query() else { return };
        let mut list = std::mem::take(&mut self.scratch);
        list.begin(&query.view);
        self.append_to(&mut list);
        let outcome = match list.pick(query.cursor_px, query.radius_px) {
            Some(id) => PickOutcome::Hit(crate::handle::PickHit {
                id,
                pixel: (query.cursor_px.x.floor() as i64, query.cursor_px.y.floor() as i64),
                depth: 0.0,
                position_world: None,
            }),
            None => PickOutcome::Nothing,
        };
        self.scratch = list;
        self.answer(&PickAnswer { query, outcome });
    }

    /// Adds the handles, as the list's view sees them, to the list.
    pub fn draw(&mut self, list: &mut DrawList) {
        if !self.immediate.may_draw(list.view()) {
            self.abandon();
        }
        self.needs_redraw = false;
        self.append_to(list);
    }

    fn append_to(&mut self, list: &mut DrawList) {
        let Some(view) = list.view().copied() else { return };
        let dragged = match &self.phase {
            Phase::Dragging(drag) => Some((drag.handle(), drag.placement())),
            _ => None,
        };
        let placement = dragged.map(|(_, placement)| placement).or(self.placement);
        let Some(layout) = placement.and_then(|p| p.layout(&view, self.settings.size_lpx)) else { return };
        let active = dragged.map(|(handle, _)| handle);
        let mode = self.settings.mode;
        // The mode of a drag is that of its handle until it is released.
        let channel = active.map(|handle| handle.constraint().channel());
        let handles = HandleId::all().filter(|h| match channel {
            Some(channel) => h.constraint().channel() == channel,
            None => mode.handles().any(|m| m == *h),
        });
        let was_gone = self.gone.iter().find(|(v, _)| *v == view.viewport()).map_or(0, |(_, gone)| *gone);
        let mut gone = 0;
        for handle in handles {
            let bit = 1 << handle.index();
            let opacity = match active {
                Some(_) => (was_gone & bit == 0).then_some(1.0),
                None => layout.glancing_opacity(&view, handle.constraint(), was_gone & bit != 0),
            };
            let Some(opacity) = opacity else {
                gone |= bit;
                continue;
            };
            let shown = if self.refusals[handle.index()].is_some() {
                Shown::Disabled
            } else if active == Some(handle) {
                Shown::Active
            } else if active.is_some() {
                Shown::Dimmed
            } else if self.hovered == Some(handle) {
                Shown::Hovered
            } else {
                Shown::Plain
            };
            append(list, &layout, &view, &self.theme, handle, self.id_of(handle), shown, opacity);
        }
        list.include_bounds(layout.bounds_px(&view));
        self.remember_gone(&view, gone);
    }

    fn remember_gone(&mut self, view: &View, gone: u32) {
        let viewport = view.viewport();
        match self.gone.iter_mut().find(|(v, _)| *v == viewport) {
            Some((_, bits)) => *bits = gone,
            None => {
                // A window being resized shows a new viewport every frame; the oldest go.
                if self.gone.len() >= 16 {
                    self.gone.remove(0);
                }
                self.gone.push((viewport, gone));
            }
        }
    }

    /// Whether a drag is going on.
    pub fn is_active(&self) -> bool {
        matches!(self.phase, Phase::Dragging(_))
    }

    /// Whether the pointer is the gizmo's: hovering a handle, a press waiting for its pick, or a
    /// drag. The host keeps its camera still.
    pub fn wants_pointer(&self) -> bool {
        match self.phase {
            Phase::Dragging(_) | Phase::Pressed(_) => true,
            Phase::Idle => self.hovered.is_some() || self.inputs.contains(&Input::Pressed),
            Phase::Elsewhere { .. } => false,
        }
    }

    /// The handle under the pointer, or being dragged.
    pub fn hovered(&self) -> Option<HandleId> {
        self.hovered
    }

    /// The host's object under the pointer.
    pub fn hovered_object(&self) -> Option<NonZeroU32> {
        self.hovered_object
    }

    /// The handle being dragged.
    pub fn dragging(&self) -> Option<HandleId> {
        self.drag().map(Drag::handle)
    }

    /// The drag that is going on.
    pub fn drag(&self) -> Option<&Drag> {
        match &self.phase {
            Phase::Dragging(drag) => Some(drag),
            _ => None,
        }
    }

    /// Why a handle is disabled, if it is.
    pub fn refusal(&self, handle: HandleId) -> Option<Refusal> {
        self.refusals[handle.index()]
    }

    /// Local transforms at the press of the drag that is going on, or of the last one that was
    /// cancelled.
    pub fn starts(&self) -> impl Iterator<Item = Transform> {
        let cancelled = if self.is_active() { &[][..] } else { &self.cancelled_starts[..] };
        self.drag().into_iter().flat_map(Drag::starts).chain(cancelled.iter().copied())
    }

    /// Whether it would look different from when it was last drawn, or a press is waiting.
    pub fn needs_redraw(&self) -> bool {
        self.needs_redraw || !self.inputs.is_empty() || matches!(self.phase, Phase::Pressed(_))
    }

    /// The pointer shape that fits.
    pub fn cursor_hint(&self) -> CursorHint {
        match self.phase {
            Phase::Dragging(_) => CursorHint::Grabbing,
            _ if self.hovered.is_some() => CursorHint::Grab,
            _ => CursorHint::Default,
        }
    }

    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }
}
