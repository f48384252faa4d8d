mod click_behind;
mod history;
#[cfg(test)]
mod tests;

use crate::{WinitInput, gizmo_key};
use click_behind::ClickBehind;
use history::{History, Step};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use wgpu_gizmo::facade::{Frame, UpdateOptions};
use wgpu_gizmo::gpu::{GpuError, TargetState};
use wgpu_gizmo::handle::Axis;
use wgpu_gizmo::interaction::{Events, Key, Views};
use wgpu_gizmo::math::HostTransform;
use wgpu_gizmo::pick::IdRange;
use wgpu_gizmo::scene::{OutlineStyle, OutlinedScene, PickMeshKey, PickObject, PickObjectKey, PickScene};
use wgpu_gizmo::{Event, PickAnswer, PickQuery, Target, Transform, View, WgpuGizmo, wgpu};
use winit::event::{ElementState, MouseButton, WindowEvent};
use winit::keyboard::{Key as WinitKey, ModifiersState, PhysicalKey};
use winit::window::{Window, WindowId};

/// An editor of many objects in any number of viewports and windows: selection by clicks, outlines, a gizmo, undo and
/// redo. It takes one call per event, one per frame, and one in the pass of each view.
///
/// - A click selects an object alone, and Shift+click adds or removes it; a click on nothing selects nothing. A click
///   on the trackball or the center handle, without motion, counts as one on what is behind it.
/// - The selected objects are outlined, and the gizmo moves all of them. The one that was selected last is active.
/// - A drag is an undo step. Ctrl+Z (macOS: Cmd+Z) takes it back; with Shift, or as Ctrl+Y, the keys do it again.
/// - With `tools.gizmo.settings.snap.to`, a drag snaps to the other objects whose meshes have
///   [`PickMesh::with_snapping`](wgpu_gizmo::scene::PickMesh::with_snapping).
///
/// The host draws the objects, at the transforms of [`WinitEditor::objects`]. Whatever changes them, or the selection,
/// requests a redraw.
///
/// ```no_run
/// use std::sync::Arc;
/// use wgpu_gizmo::scene::PickMesh;
/// use wgpu_gizmo::{Transform, View, wgpu};
/// use wgpu_gizmo_winit::WinitEditor;
/// use winit::event::WindowEvent;
/// use winit::window::{Window, WindowId};
///
/// fn new(
///     window: &Arc<Window>,
///     (device, queue): (&wgpu::Device, &wgpu::Queue),
///     format: wgpu::TextureFormat,
///     worlds: &[Transform],
/// ) -> Result<WinitEditor, Box<dyn std::error::Error>> {
///     let mut editor = WinitEditor::new(window, device, queue, format)?;
///     let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
///     let mesh = editor.scene.add_mesh(device, &PickMesh::new(&corners, &[0, 1, 2])?)?;
///     for world in worlds {
///         editor.insert(mesh, *world);
///     }
///     Ok(editor)
/// }
///
/// fn window_event(editor: &mut WinitEditor, id: WindowId, event: &WindowEvent) {
///     if !editor.on_window_event(id, event) { /* the camera, and keys of your own */ }
/// }
///
/// /// The views have viewports or keys of their own, and the scale factor of
/// /// `editor.scale_factor(id)`.
/// fn frame(
///     editor: &mut WinitEditor,
///     encoder: &mut wgpu::CommandEncoder,
///     views: &[View],
/// ) -> Result<(), Box<dyn std::error::Error>> {
///     editor.show(encoder, views)?;
///     for view in views {
///         // In the pass of the view: the objects of `editor.objects()`, and last `editor.render(&mut pass, view)`.
///     }
///     Ok(())
/// }
/// ```
///
/// # Several windows
///
/// Pass the events of all windows, with a [`WinitEditor::add_window`] for each further one. Draw a frame of all windows
/// after any [`WindowEvent::RedrawRequested`], and tell [`WinitEditor::show`] in which view the pointer is:
/// `Views::from(&views).with_pointer_in(key)`, from [`WinitEditor::pointer_window`].
///
/// # What it leaves to you
///
/// Objects with parents, bounding boxes, handles that the scene dims, selection by rectangles, points of the selection
/// that snap (`snap.source`), and a history with other steps than motions are in [`WgpuGizmo`] and [`OutlinedScene`],
/// which it combines: see the guide on
/// [selection](https://docs.rs/wgpu-gizmo/latest/wgpu_gizmo/guide/selection/).
pub struct WinitEditor {
    /// The gizmo, the ids and the GPU half.
    pub tools: WgpuGizmo,
    /// The meshes and the outlines. Add meshes here, but objects with [`WinitEditor::insert`]: those of
    /// [`OutlinedScene::insert`] are not the editor's, and are neither selected nor moved.
    pub scene: OutlinedScene,
    /// The look of the outlines. Its ids are ignored.
    pub outline: OutlineStyle<'static>,
    /// The number of steps that can be undone; older ones are forgotten. Default: 1000.
    pub max_steps: usize,
    device: wgpu::Device,
    queue: wgpu::Queue,
    windows: Vec<EditorWindow>,
    pointer_window: WindowId,
    /// Whether Shift was held at the last press: a click is known frames later.
    is_shift_click: bool,
    /// The last query about what is under the pointer that was answered.
    last_query: Option<PickQuery>,
    behind: ClickBehind,
    objects: BTreeMap<NonZeroU32, Object>,
    /// The active one is the last.
    selected: Vec<NonZeroU32>,
    history: History,
    /// The events of frames that have failed.
    events: Events,
}

#[derive(Debug)]
struct Object {
    range: IdRange,
    key: PickObjectKey,
    world: Transform,
}

struct EditorWindow {
    id: WindowId,
    input: WinitInput,
    /// A function, because tests have no window.
    request_redraw: Box<dyn Fn() + Send + Sync>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyStep {
    Undo,
    Redo,
}

/// Returns what a pressed key does to the undo steps.
fn step_of_key(logical: &WinitKey, physical: PhysicalKey, held: ModifiersState) -> Option<KeyStep> {
    // Ctrl and Alt together are AltGr on Windows.
    if held.alt_key() || !(held.control_key() || held.super_key()) {
        return None;
    }
    match gizmo_key(logical, physical, held)? {
        Key::Axis(Axis::Z) => Some(KeyStep::Undo),
        Key::Plane(Axis::Z) | Key::Axis(Axis::Y) => Some(KeyStep::Redo),
        _ => None,
    }
}

impl fmt::Debug for WinitEditor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("WinitEditor");
        shown.field("tools", &self.tools).field("objects", &self.objects).field("selected", &self.selected);
        shown.finish_non_exhaustive()
    }
}

impl WinitEditor {
    /// Creates an editor without objects for passes with these attachments, as [`WgpuGizmo::new`] does. It keeps the
    /// window alive.
    ///
    /// # Errors
    /// The errors of [`WgpuGizmo::new`], [`OutlinedScene::new`] and [`Picker::new`](wgpu_gizmo::gpu::Picker::new).
    pub fn new(
        window: &Arc<Window>,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: impl Into<TargetState>,
    ) -> Result<Self, GpuError> {
        let mut editor = Self::without_window(window.id(), device, queue, target)?;
        editor.add_window(window);
        Ok(editor)
    }

    fn without_window(
        pointer_window: WindowId,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: impl Into<TargetState>,
    ) -> Result<Self, GpuError> {
        let tools = WgpuGizmo::new(device, target)?;
        Ok(Self {
            scene: OutlinedScene::new(device, tools.gpu.target())?,
            tools,
            outline: OutlineStyle::default(),
            max_steps: 1000,
            device: device.clone(),
            queue: queue.clone(),
            windows: Vec::new(),
            pointer_window,
            is_shift_click: false,
            last_query: None,
            behind: ClickBehind::new(device)?,
            objects: BTreeMap::new(),
            selected: Vec::new(),
            history: History::default(),
            events: Events::default(),
        })
    }

    /// Adds a further window, whose events are passed from now on, and keeps it alive.
    pub fn add_window(&mut self, window: &Arc<Window>) {
        let (id, scale_factor) = (window.id(), window.scale_factor());
        let window = Arc::clone(window);
        self.add(id, scale_factor, move || window.request_redraw());
    }

    fn add(&mut self, id: WindowId, scale_factor: f64, redraw: impl Fn() + Send + Sync + 'static) {
        let input = WinitInput::new(scale_factor);
        self.windows.push(EditorWindow { id, input, request_redraw: Box::new(redraw) });
    }

    /// Forgets a window, so that it can close, and cancels a drag in progress if the pointer was in this window. The
    /// memory of its views is freed by [`GizmoGpu::remove_view`](wgpu_gizmo::facade::GizmoGpu::remove_view).
    pub fn remove_window(&mut self, id: WindowId) {
        if id == self.pointer_window {
            self.on_window_event(id, &WindowEvent::Destroyed);
        }
        self.windows.retain(|window| window.id != id);
        if let Some(first) = self.windows.first().filter(|_| id == self.pointer_window) {
            self.pointer_window = first.id;
            self.request_redraw();
        }
    }

    /// Returns the input of a window, for its settings and the keys that are held.
    pub fn input(&mut self, id: WindowId) -> Option<&mut WinitInput> {
        self.windows.iter_mut().find(|window| window.id == id).map(|window| &mut window.input)
    }

    fn request_redraw(&self) {
        let window = self.windows.iter().find(|window| window.id == self.pointer_window);
        window.or(self.windows.first()).inspect(|window| (window.request_redraw)());
    }

    /// Returns the window that the pointer was in last, for [`Views::with_pointer_in`].
    pub fn pointer_window(&self) -> WindowId {
        self.pointer_window
    }

    /// Returns the scale factor of a window, for [`View::new`]; 1 if the window was not added.
    pub fn scale_factor(&self, id: WindowId) -> f64 {
        let window = self.windows.iter().find(|window| window.id == id);
        window.map_or(1.0, |window| window.input.scale_factor())
    }

    /// Creates everything on the GPU again, on a new device after the old one was lost. Objects, selection, undo steps
    /// and a drag in progress stay. `mesh` returns the mesh of each object, by its id, which it has uploaded to the new
    /// scene; objects that share one can share it again.
    ///
    /// # Errors
    /// The errors of [`WgpuGizmo::rebuild`], [`OutlinedScene::new`] and `mesh`;
    /// [`GpuError::OtherDevice`] if a mesh is not in the new scene. Then nothing changes.
    pub fn rebuild(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        mut mesh: impl FnMut(&mut PickScene, NonZeroU32) -> Result<PickMeshKey, GpuError>,
    ) -> Result<(), GpuError> {
        let mut scene = OutlinedScene::new(device, self.tools.gpu.target())?;
        let mut keys = Vec::new();
        for (id, object) in &self.objects {
            let placed = PickObject::new(mesh(&mut scene.scene, *id)?, object.world.into(), *id);
            keys.push(scene.scene.insert(&placed).ok_or(GpuError::OtherDevice)?);
        }
        let behind = self.behind.rebuilt(device)?;
        self.tools.rebuild(device)?;
        self.behind = behind;
        (self.scene, self.device, self.queue) = (scene, device.clone(), queue.clone());
        self.objects.values_mut().zip(keys).for_each(|(object, key)| object.key = key);
        Ok(())
    }

    /// Adds an object without a parent, and returns its id. Returns `None` if the mesh was removed or no id is left. A
    /// matrix loses its shear, and a singular one its rotation as well.
    pub fn insert(&mut self, mesh: PickMeshKey, world: impl HostTransform) -> Option<NonZeroU32> {
        let world = world.to_transform();
        let range = self.tools.ids.allocate(1).ok()?;
        let id = range.first();
        let Some(key) = self.scene.scene.insert(&PickObject::new(mesh, world.into(), id)) else {
            self.tools.ids.free(range);
            return None;
        };
        self.objects.insert(id, Object { range, key, world });
        self.request_redraw();
        Some(id)
    }

    /// Removes an object, its share of the undo steps included, and frees its id. Returns false if there is none with
    /// this id. A drag that moves it is canceled.
    pub fn remove(&mut self, id: NonZeroU32) -> bool {
        let Some(object) = self.objects.remove(&id) else { return false };
        self.scene.scene.remove(object.key);
        self.tools.ids.free(object.range);
        self.history.forget(id);
        self.set_selected(self.selected.iter().copied().filter(|selected| *selected != id).collect());
        true
    }

    /// Returns the ids and the transforms of all objects, by ascending id. [`Transform::to_matrix`] is the matrix of one.
    pub fn objects(&self) -> impl Iterator<Item = (NonZeroU32, Transform)> {
        self.objects.iter().map(|(id, object)| (*id, object.world))
    }

    /// Returns the transform of an object, if there is one with this id.
    pub fn world(&self, id: NonZeroU32) -> Option<Transform> {
        self.objects.get(&id).map(|object| object.world)
    }

    /// Moves an object, which is no undo step. Returns false if there is none with this id. A drag in progress moves
    /// what it drags back. A matrix loses what it loses in [`WinitEditor::insert`].
    pub fn place(&mut self, id: NonZeroU32, world: impl HostTransform) -> bool {
        self.request_redraw();
        self.move_to(id, world.to_transform())
    }

    fn move_to(&mut self, id: NonZeroU32, world: Transform) -> bool {
        let Some(object) = self.objects.get_mut(&id) else { return false };
        object.world = world;
        self.scene.scene.move_to(object.key, world.into())
    }

    /// Returns the key of an object in `scene.scene`, to hide it for example.
    pub fn key(&self, id: NonZeroU32) -> Option<PickObjectKey> {
        self.objects.get(&id).map(|object| object.key)
    }

    /// Returns the selected objects, of which the last one is active.
    pub fn selected(&self) -> &[NonZeroU32] {
        &self.selected
    }

    /// Selects these objects and no others, and cancels a drag in progress if that changes anything. Ids without an
    /// object, and the repetition of an id, are ignored.
    pub fn select(&mut self, ids: impl IntoIterator<Item = NonZeroU32>) {
        let mut known = BTreeSet::new();
        let is_new = |id: &NonZeroU32| self.objects.contains_key(id) && known.insert(*id);
        let selected = ids.into_iter().filter(is_new).collect();
        self.set_selected(selected);
    }

    fn set_selected(&mut self, ids: Vec<NonZeroU32>) {
        let gizmo = &mut self.tools.gizmo;
        if ids != self.selected && gizmo.is_active() {
            gizmo.cancel();
            if !gizmo.is_editing_pivot() {
                // The gizmo restores only the objects that it still gets.
                let starts: Vec<_> = self.selected.iter().copied().zip(gizmo.starts()).collect();
                for (id, start) in starts {
                    self.move_to(id, start);
                }
            }
        }
        self.selected = ids;
        self.request_redraw();
    }

    /// Takes the last drag back. Returns false, and does nothing, if there is none or a drag is in progress.
    pub fn undo(&mut self) -> bool {
        self.step(History::undo)
    }

    /// Does the last drag that was undone again. Returns false, and does nothing, if there is none or a drag is in
    /// progress.
    pub fn redo(&mut self) -> bool {
        self.step(History::redo)
    }

    /// Forgets all steps, so that nothing can be undone or redone.
    pub fn clear_steps(&mut self) {
        self.history = History::default();
    }

    /// Exchanges the transforms of a step with those of its objects.
    fn step(&mut self, next: impl FnOnce(&mut History) -> Option<&mut Step>) -> bool {
        if self.tools.gizmo.is_active() {
            return false;
        }
        let Some(step) = next(&mut self.history) else { return false };
        for (id, world) in step {
            // Objects that were removed are in no step.
            if let Some(object) = self.objects.get_mut(id) {
                std::mem::swap(&mut object.world, world);
                self.scene.scene.move_to(object.key, object.world.into());
            }
        }
        self.request_redraw();
        true
    }

    /// Passes an event of a window to the gizmo and to the undo steps, and requests a redraw if one is needed. Returns
    /// true if the event belongs to them; the others are those of the camera and the user interface. Pass every event
    /// of the window, but for those of a panel over the view: see [`WinitInput::on_window_event`].
    pub fn on_window_event(&mut self, id: WindowId, event: &WindowEvent) -> bool {
        let Some(window) = self.windows.iter_mut().find(|window| window.id == id) else { return false };
        if matches!(event, WindowEvent::CursorMoved { .. } | WindowEvent::Touch(_)) {
            self.pointer_window = id;
        }
        let response = window.input.on_window_event(&mut self.tools.gizmo, event);
        if matches!(
            event,
            WindowEvent::MouseInput { state: ElementState::Pressed, button: MouseButton::Left, .. }
                | WindowEvent::Touch(_)
        ) {
            self.is_shift_click = window.input.press_modifiers().shift_key();
        }
        let step = match event {
            WindowEvent::KeyboardInput { event: key, is_synthetic: false, .. }
                if key.state.is_pressed() && !response.consumed =>
            {
                step_of_key(&key.logical_key, key.physical_key, window.input.modifiers())
            }
            _ => None,
        };
        if response.repaint {
            (window.request_redraw)();
        }
        let is_step = match step {
            Some(KeyStep::Undo) => self.undo(),
            Some(KeyStep::Redo) => self.redo(),
            None => false,
        };
        response.consumed || is_step
    }

    /// Processes the events since the last frame, moves and selects objects, returns what happened, and prepares what
    /// [`WinitEditor::render`] draws. Call it once per frame, before the passes; the encoder is that of [`Frame::new`].
    /// While no view is passed, as in a minimized window, events wait.
    ///
    /// # Errors
    /// The errors of [`WgpuGizmo::update`], [`OutlinedScene::prepare`] and [`WgpuGizmo::prepare`]. No event is lost: a
    /// later call returns it. After [`GpuError::DeviceLost`], call [`WinitEditor::rebuild`].
    pub fn show<'v>(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        views: impl Into<Views<'v>>,
    ) -> Result<Events, GpuError> {
        let views = views.into();
        let shown = self.update(views).and_then(|()| self.prepare(encoder, views));
        if self.behind.is_pending() || views.all().iter().any(|view| self.tools.needs_redraw(view.key())) {
            self.request_redraw();
        }
        shown.map(|()| std::mem::take(&mut self.events))
    }

    fn update(&mut self, views: Views<'_>) -> Result<(), GpuError> {
        let found = self.behind.poll(&self.device)?;
        // In a drag, the user has gone on.
        if let Some((clicked, is_shift_click)) = found.filter(|_| !self.tools.gizmo.is_active()) {
            self.click(clicked, is_shift_click);
        }
        let target = |id: &NonZeroU32| Target::from_world(self.objects[id].world).with_key(id.get().into());
        let mut targets: Vec<Target> = self.selected.iter().map(target).collect();
        let (snap_to, scene) = (self.tools.gizmo.settings.snap.to, &self.scene.scene);
        let mut search =
            |query: &PickQuery, neighbors: &[NonZeroU32]| snap_to.find(query, &scene.snap_objects(neighbors));
        let last_query = &mut self.last_query;
        let mut remember = |answer: &PickAnswer| {
            *last_query = Some(answer.query).filter(|query| !query.is_snap).or(*last_query)
        };
        let options = UpdateOptions::default().with_snap_search(&mut search).with_answer_hook(&mut remember);
        let events = self.tools.update_with(views, &mut targets, options)?;
        let before = self.selected.clone();
        for (id, target) in before.iter().zip(&targets) {
            if self.world(*id) != Some(target.local) {
                self.move_to(*id, target.local);
            }
        }
        for event in &events {
            match event {
                Event::Ended { changed: true } => {
                    let step = before.iter().copied().zip(self.tools.gizmo.starts()).collect();
                    self.history.push(step, self.max_steps);
                }
                Event::ClickedObject(id) => self.click(Some(*id), self.is_shift_click),
                Event::ClickedNothing => self.click(None, self.is_shift_click),
                Event::ClickPassed(_) => self.behind.ask(self.last_query, self.is_shift_click),
                _ => {}
            }
        }
        self.events.extend(events);
        Ok(())
    }

    fn click(&mut self, clicked: Option<NonZeroU32>, with_shift: bool) {
        let mut selected = Vec::new();
        if with_shift {
            selected.extend(self.selected.iter().filter(|id| Some(**id) != clicked));
        }
        let is_removed = with_shift && clicked.is_some_and(|id| self.selected.contains(&id));
        self.select(selected.into_iter().chain(clicked.filter(|_| !is_removed)));
    }

    fn prepare(&mut self, encoder: &mut wgpu::CommandEncoder, views: Views<'_>) -> Result<(), GpuError> {
        let Self { tools, scene, behind, device, queue, .. } = self;
        let style = OutlineStyle { ids: &self.selected, ..self.outline };
        scene.prepare(device, queue, encoder, views, &[style])?;
        behind.encode((device, queue), encoder, |pass, query, clip_from_clip| {
            scene.draw(device, queue, pass, query, clip_from_clip);
        })?;
        // An edited pivot snaps to its own objects, too.
        let is_moving = !tools.gizmo.is_editing_pivot();
        tools.prepare(Frame::new(device, queue, encoder), views, |pass, query, clip_from_clip| {
            scene.moved.clear();
            if query.is_snap && is_moving {
                scene.moved.extend(&self.selected);
                scene.moved.sort_unstable();
            }
            scene.draw(device, queue, pass, query, clip_from_clip);
        })
    }

    /// Draws the outlines, handles and guides of a view over the contents of the host's pass: call it last. It leaves a
    /// pipeline, buffers and a viewport of its own in the pass. If several viewports share a pass, draw the objects of
    /// all of them first, or set everything again. See [`WgpuGizmo::render`].
    pub fn render(&self, pass: &mut wgpu::RenderPass<'_>, view: &View) {
        self.scene.render(pass, view);
        self.tools.render(pass, view);
    }
}
