//! The gizmo: a state machine, and the parts of its state.

pub(crate) mod claims;
mod custom_handles;
mod drawing;
mod driving;
mod input;
pub(crate) mod interact;
mod machine;
mod output;
mod picking;
mod pivot;
mod ray;
mod snapping;
mod update;
mod view_memory;

use crate::draw::DrawList;
use crate::handle::{HandleId, Theme};
use crate::interaction::drag::Drag;
use crate::interaction::gizmo::interact::ImmediateState;
use crate::interaction::input::Input;
use crate::interaction::key::{HeldKeys, Key, KeyModifiers};
use crate::interaction::placement::placements::{MAX_COPIES, Placements};
use crate::interaction::settings::{Pivot, Settings};
use crate::interaction::targets::target::DisabledReason;
use crate::math::{Transform, View};
use crate::pick::{IdRange, IdSpace, IdSpaceExhausted, OwnedIds};
use custom_handles::CustomHandles;
use glam::DVec2;
use input::{InputEvent, InputQueue};
use machine::Phase;
use output::Output;
use picking::Hover;
use pivot::PivotEdit;
use snapping::Snapping;
use std::num::NonZeroU32;
use view_memory::ViewMemory;

/// A gizmo: its handles, the hovered handle or object, and the drag in progress.
///
/// It knows neither windows nor wgpu: pointer events, views and pick answers come in; draw lists, pick
/// queries and new transforms go out. One gizmo can be shown in any number of views.
///
/// ```
/// use wgpu_gizmo_core::glam::{DVec2, DVec3, dcamera::rh};
/// use wgpu_gizmo_core::{Event, Gizmo, IdSpace, Target, Transform, View, Viewport};
///
/// let eye = rh::view::look_at_mat4(DVec3::Z * 5.0, DVec3::ZERO, DVec3::Y);
/// let lens = rh::proj::directx::perspective(1.0, 1.0, 0.1, 100.0);
/// let view = View::new(eye, lens, Viewport::from_size(600, 600), 1.0)?;
/// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
/// let mut targets = [Target::from_world(Transform::IDENTITY)];
/// gizmo.update(&view, &mut targets);
/// gizmo.pointer_moved(DVec2::new(360.0, 300.0)); // over the X arrow
/// gizmo.pointer_pressed();
/// gizmo.update(&view, &mut targets);
/// gizmo.answer_on_cpu(); // or a GPU pick, whose answer arrives a frame later
/// let events = gizmo.update(&view, &mut targets);
/// assert!(matches!(*events, [Event::Started(handle)] if handle.name() == "translate_x"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Gizmo {
    /// The settings: how it behaves. They can be changed at any time.
    pub settings: Settings,
    /// The theme: how it looks.
    pub theme: Theme,
    ids: OwnedIds,
    phase: Phase,
    input: InputQueue,
    hover: Hover,
    placements: Placements,
    custom: CustomHandles,
    views: ViewMemory,
    output: Output,
    immediate: ImmediateState,
    scratch: DrawList,
    /// Whether the press in progress, or the release just handled, is on a handle.
    owns_click: bool,
    pivot_edit: PivotEdit,
    snapping: Snapping,
}

/// Input and state.
impl Gizmo {
    /// Creates a gizmo and allocates its ids.
    ///
    /// Keep the id space: other gizmos and the host's objects in the same ID image must allocate their
    /// ids from it as well.
    ///
    /// # Errors
    /// Returns an error if the space has fewer than 98 304 ids left.
    pub fn new(ids: &mut IdSpace) -> Result<Self, IdSpaceExhausted> {
        let range = ids.allocate_for_handles((HandleId::MAX * MAX_COPIES) as u32)?;
        Ok(Self {
            settings: Settings::default(),
            theme: Theme::default(),
            ids: ids.own(range),
            phase: Phase::Idle,
            input: InputQueue::default(),
            hover: Hover::default(),
            placements: Placements::new(),
            custom: CustomHandles::default(),
            views: ViewMemory::default(),
            output: Output::new(),
            immediate: ImmediateState::default(),
            scratch: DrawList::new(),
            owns_click: false,
            pivot_edit: PivotEdit::default(),
            snapping: Snapping::default(),
        })
    }

    /// Returns the ids of the handles in the ID image. They are freed when the gizmo is dropped.
    pub fn ids(&self) -> IdRange {
        self.ids.range()
    }

    /// Returns the id of a handle in the ID image.
    pub fn id_of(&self, handle: HandleId) -> NonZeroU32 {
        self.id_on(handle, 0)
    }

    /// Returns the id of a handle of the gizmo on one target, if each target has one.
    fn id_on(&self, handle: HandleId, copy: usize) -> NonZeroU32 {
        // The range holds one id for each handle of each copy.
        let offset = copy * HandleId::MAX + handle.index();
        self.ids().id(offset as u32).unwrap_or(self.ids().first())
    }

    /// Returns the handle with this id, if it is one of this gizmo's.
    pub fn handle_of(&self, id: NonZeroU32) -> Option<HandleId> {
        self.handle_at(self.ids().offset_of(id)? as usize % HandleId::MAX)
    }

    /// Returns the index of the target whose gizmo the id belongs to, with
    /// [`Pivot::EachTarget`](crate::interaction::settings::Pivot::EachTarget); otherwise, and for foreign ids, `None`.
    pub fn target_of(&self, id: NonZeroU32) -> Option<usize> {
        self.ids().offset_of(id).filter(|_| self.has_copies())?;
        Some(self.copy_of(id))
    }

    /// Returns true if each target has a gizmo.
    fn has_copies(&self) -> bool {
        self.settings.pivot == Pivot::EachTarget && !self.pivot_edit.has_point()
    }

    fn copy_of(&self, id: NonZeroU32) -> usize {
        self.ids().offset_of(id).unwrap_or_default() as usize / HandleId::MAX
    }

    /// Returns true if the id is in the range of this gizmo, even if no handle has it.
    fn owns(&self, id: NonZeroU32) -> bool {
        self.ids().offset_of(id).is_some()
    }

    #[inline]
    fn handle_at(&self, index: usize) -> Option<HandleId> {
        HandleId::from_index(index).or_else(|| {
            let slot = index.checked_sub(HandleId::BUILT_IN)?;
            self.custom.id_at(slot)
        })
    }

    /// Processes an input as the method that it names does.
    pub fn handle_input(&mut self, input: Input) {
        match input {
            Input::Moved { px, tolerance_lpx } if px.is_finite() => {
                if std::mem::replace(&mut self.input.tolerance_lpx, tolerance_lpx) != tolerance_lpx {
                    self.hover.invalidate();
                }
                self.input.push(InputEvent::Moved(px));
            }
            Input::Moved { .. } => {}
            Input::Left => self.pointer_left(),
            Input::Pressed => self.pointer_pressed(),
            Input::Released => self.pointer_released(),
            Input::Canceled => self.cancel(),
            Input::Interrupted => self.interrupt(),
            Input::Held(held) => self.set_held_keys(held),
            Input::Key(key, modifiers) => self.key(key, modifiers),
            Input::Wheel(notches) => self.wheel(notches),
        }
    }

    /// Returns the tolerance of the pointer in logical pixels.
    fn tolerance_lpx(&self) -> f64 {
        self.input.tolerance_lpx.unwrap_or(self.settings.input.tolerance_lpx)
    }

    /// Moves the pointer to a position in physical pixels of the render target, which may lie outside of
    /// it. A position that is not finite is ignored.
    pub fn pointer_moved(&mut self, cursor_px: DVec2) {
        self.handle_input(Input::Moved { px: cursor_px, tolerance_lpx: None });
    }

    /// Reports that the pointer has left the window, or is over something else, such as a panel. Nothing is
    /// hovered then, but a drag continues.
    pub fn pointer_left(&mut self) {
        self.input.push(InputEvent::Left);
    }

    /// Reports that the primary button or the first finger went down, at the last position of
    /// [`Gizmo::pointer_moved`]. After [`Gizmo::pointer_left`] it does nothing. Do not report presses that
    /// belong to a panel or to the camera.
    pub fn pointer_pressed(&mut self) {
        self.input.push(InputEvent::Pressed);
    }

    /// Reports that the primary button went up.
    pub fn pointer_released(&mut self) {
        self.input.push(InputEvent::Released);
    }

    /// Cancels the drag: its targets return to their starts. Hosts call it for Escape, the secondary button and
    /// a second finger. If the primary button is down, the rest of its press drags nothing.
    pub fn cancel(&mut self) {
        self.input.push(InputEvent::Canceled);
    }

    /// Cancels the drag, and counts the primary button and all keys as released, because the host will not be
    /// told of it. Hosts call it if the window has lost the focus, or the system has taken the pointer.
    pub fn interrupt(&mut self) {
        self.input.push(InputEvent::Interrupted);
    }

    /// Sets the keys that are held. Hosts call it if they change, or in every frame.
    pub fn set_held_keys(&mut self, held: HeldKeys) {
        self.input.push(InputEvent::Held(held));
    }

    /// Reports that a key was pressed, or repeats ([`KeyModifiers::repeat`]).
    ///
    /// Outside a drag, x, y and z begin one while a handle is hovered, or whenever the gizmo is visible
    /// ([`Gizmo::invisible_reason`]), or not, as
    /// [`InputSettings::axis_keys`](crate::interaction::settings::InputSettings::axis_keys) says; other keys do
    /// nothing. The drag ignores the pointer. In a drag, they choose the axis, characters type
    /// the number, arrows nudge by one increment, Enter ends and Escape cancels; in one of
    /// [`Gizmo::drive_begin`], only Escape acts. [`Gizmo::uses_key`] tells whether a key is of use now. If there are several gizmos that begin
    /// drags without being hovered, only one of them should get the keys, or each begins a drag.
    ///
    /// With Ctrl, Alt or the like, only arrows, Enter and Escape act ([`KeyModifiers::may_type`]): Ctrl+Z is an
    /// undo, not a drag along Z.
    pub fn key(&mut self, key: Key, modifiers: KeyModifiers) {
        // A key that the gizmo has left to the host must not begin a drag if a handle is hovered by the next update.
        let is_left_to_host = matches!(key, Key::Axis(_) | Key::Plane(_)) && !self.uses_key(key);
        if modifiers.may_type(key) && !is_left_to_host {
            self.input.push(InputEvent::Key(key));
        }
    }

    /// Returns true if the gizmo uses this key at the moment, so that it is no shortcut of the host. In a drag
    /// it uses all keys, and letters other than x, y and z once a number is begun. Outside a drag it uses the keys
    /// that begin one: x, y and z, while a handle is hovered or as
    /// [`InputSettings::axis_keys`](crate::interaction::settings::InputSettings::axis_keys) says.
    pub fn uses_key(&self, key: Key) -> bool {
        match key {
            Key::Axis(_) | Key::Plane(_) => {
                let begins = self.settings.input.axis_keys.begin_drag(self.hovered().is_some());
                begins || self.is_busy() || self.claims().keys
            }
            Key::Char(character) if character.is_alphabetic() => {
                self.input.has_text_key() || self.drag().is_some_and(Drag::is_typing)
            }
            _ => self.claims().keys,
        }
    }

    /// Begins a drag of a handle at the pointer, without a press, as modal tools do: the drag follows the
    /// pointer, and the next press or Enter ends it.
    ///
    /// The handle need not be shown. Keys act as in any drag, so that an axis key constrains it. If the
    /// pointer has left, or cannot drag the handle in this view, keys alone control the drag. In a press or
    /// a drag it does nothing.
    ///
    /// ```
    /// use wgpu_gizmo_core::glam::{DMat4, DVec2};
    /// use wgpu_gizmo_core::{Event, Gizmo, HandleId, IdSpace, Target, Transform, View, Viewport};
    ///
    /// let view = View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(600, 600), 1.0)?;
    /// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
    /// let mut targets = [Target::from_world(Transform::IDENTITY)];
    /// gizmo.pointer_moved(DVec2::new(100.0, 100.0));
    /// gizmo.grab(HandleId::from_name("translate_view").expect("the handle is built in"));
    /// gizmo.pointer_moved(DVec2::new(160.0, 100.0));
    /// gizmo.update(&view, &mut targets);
    /// assert!((targets[0].local.translation.x - 0.2).abs() < 1e-12);
    /// gizmo.pointer_pressed();
    /// assert_eq!(gizmo.update(&view, &mut targets).last(), Some(&Event::Ended { changed: true }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn grab(&mut self, handle: HandleId) {
        self.input.push(InputEvent::Grabbed(handle));
    }

    /// Reports that the scene has changed under a cursor that may stand still: hover is queried again.
    pub fn scene_changed(&mut self) {
        self.hover.invalidate();
        self.snapping.ask.repeat();
    }

    /// Returns true if a drag is in progress.
    pub fn is_active(&self) -> bool {
        matches!(self.phase, Phase::Dragging(..))
    }

    /// Returns true if a drag is in progress, or a press waits for its pick and may begin one.
    pub fn is_busy(&self) -> bool {
        match self.phase {
            Phase::Dragging(..) | Phase::Pressed(_) => true,
            Phase::Idle | Phase::PressedElsewhere { .. } => self.input.has_press(),
        }
    }

    /// Returns the handle that is hovered or dragged.
    pub fn hovered(&self) -> Option<HandleId> {
        self.hover.handle()
    }

    /// Returns the index of the target whose gizmo is hovered or dragged, if each target has one.
    pub fn hovered_target(&self) -> Option<usize> {
        self.hover.handle().filter(|_| self.has_copies()).map(|_| self.hover.copy())
    }

    /// Returns the id under the pointer if it is not this gizmo's: an object of the host, or a handle of
    /// another gizmo.
    pub fn hovered_object(&self) -> Option<NonZeroU32> {
        self.hover.object()
    }

    /// Returns the handle that is dragged.
    pub fn dragging(&self) -> Option<HandleId> {
        self.drag().map(Drag::handle)
    }

    /// Returns the view of the press or drag in progress, as it was at the press.
    ///
    /// Its key and viewport identify the view that [`Gizmo::update`] must get until the drag ends, wherever
    /// the pointer goes. If the camera moves or the viewport is resized, pass that view with its current
    /// camera and viewport.
    pub fn held_view(&self) -> Option<&View> {
        match &self.phase {
            Phase::Dragging(drag, _) => Some(drag.seen_view()),
            Phase::Pressed(press) => Some(press.seen_in.as_ref().unwrap_or(&press.view)),
            Phase::Idle | Phase::PressedElsewhere { .. } => None,
        }
    }

    /// Returns the drag in progress.
    pub fn drag(&self) -> Option<&Drag> {
        match &self.phase {
            Phase::Dragging(drag, _) => Some(drag),
            _ => None,
        }
    }

    /// Returns the drag in progress, or the last one as it was when it ended. Hosts can name an undo
    /// step after it.
    pub fn last_drag(&self) -> Option<&Drag> {
        self.drag().or(self.output.last_drag())
    }

    /// Returns why a handle is disabled, if it is.
    pub fn disabled_reason(&self, handle: HandleId) -> Option<DisabledReason> {
        self.placements.disabled_reason(handle)
    }

    /// Returns the local transforms at the press of the drag in progress, or of the last one: what an
    /// undo step restores.
    pub fn starts(&self) -> impl Iterator<Item = Transform> {
        self.last_drag().into_iter().flat_map(Drag::starts)
    }
}
