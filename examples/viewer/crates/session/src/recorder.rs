//! Records everything since a scene was opened, as a replay.
//!
//! Input to the picture is recorded as events. Changes made elsewhere (in a panel, by the camera) are
//! recorded as their results. If results repeat (a camera that orbits, a value that is dragged), only
//! the last is kept, unless an event in between may depend on an earlier one.

mod compact;
mod edits;
mod events;
mod file;

pub use file::write;

use crate::command::Command;
use crate::editor::{Editor, EditorChanges};
use crate::replay_file::{Camera, Event, EventKind, FlagEdit, Mods, SceneSource, SettingsPatch, to_json};
use crate::session::Session;
use crate::views::{Canvas, OrthoViews};
use edits::Edits;
use events::{Events, Role};
use scene::bounds::Bounds;
use scene::flags::FLAGS;
use scene::rig::Pose;
use scene::volume::NodeVolume;
use scene::{Node, Scene};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::num::NonZeroU32;
use wgpu_gizmo_core::glam::DVec2;
use wgpu_gizmo_core::pick::IdSpaceExhausted;
use wgpu_gizmo_core::{Gizmo, IdSpace, Transform};

/// An idle pointer is recorded in steps of this many physical pixels.
const STEP_PX: f64 = 16.0;

/// The memory limit of the events. Beyond it, the recording starts over from the current state. An hour
/// of continuous dragging stays below it.
const MAX_BYTES: usize = 16 << 20;

/// The object that the pointer holds during an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// The pointer holds nothing.
    Nothing,
    /// The view cube. It turns the camera, which is recorded separately.
    Cube,
    /// Anything else, or a press whose pick is pending.
    Something,
}

impl Held {
    fn of(session: &Session) -> Self {
        match (session.editor.is_busy(), session.editor.cube().is_held()) {
            (true, _) => Self::Something,
            (false, true) => Self::Cube,
            (false, false) => Self::Nothing,
        }
    }
}

/// The state of a node besides its name.
#[derive(Debug, Clone, Copy, PartialEq)]
struct NodeState {
    parent: Option<usize>,
    local: Transform,
    flags: [bool; FLAGS.len()],
    crop: Option<Bounds>,
}

impl NodeState {
    fn of(node: usize, scene: &Scene) -> Self {
        let Node { parent, local, .. } = scene.nodes()[node];
        let flags = FLAGS.map(|flag| scene.has_flag(node, flag));
        Self { parent, local, flags, crop: scene.crop_box(node) }
    }
}

/// A recording since a scene was opened.
#[derive(Debug)]
pub struct Recorder {
    source: SceneSource,
    /// The replay without its scene and its events.
    head: Map<String, Value>,
    events: Events,
    /// The memory limit of the events until the next compaction.
    max_bytes: usize,
    /// The names of nodes at the start, and of the copies that events create.
    names: Vec<String>,
    /// The nodes at the start.
    starts: Vec<NodeState>,
    /// The copies that events create. The first such event decides their names.
    copied: BTreeSet<usize>,
    /// The cameras and lights at the start.
    volume_starts: Vec<Option<NodeVolume>>,
    /// Whether the replay has made every step of the history. Otherwise its undo and redo lead elsewhere, so
    /// their results are recorded instead.
    has_all_steps: bool,
    /// Whether the event that is being handled is an undo or redo whose result is recorded instead.
    is_through_history: bool,
    shown: Shown,
    /// The position of an idle pointer after the last event. The next such event can replace it.
    idle_px: Option<DVec2>,
    /// The ids of the handles that were drawn last.
    handles: Vec<NonZeroU32>,
    /// The number of nodes that were compared.
    #[cfg(test)]
    compared: usize,
}

/// The properties of the picture at the last look.
#[derive(Debug, Clone, PartialEq)]
struct Shown {
    canvas: Canvas,
    ortho_views: Option<OrthoViews>,
    looks_through: Option<usize>,
    camera: Camera,
    pose: Option<Pose>,
}

impl Shown {
    fn of(session: &Session) -> Self {
        Self {
            canvas: session.canvas,
            ortho_views: session.cameras.ortho_views().copied(),
            looks_through: session.cameras.looks_through(),
            camera: session.cameras.main_camera(session.views.main().viewport()),
            pose: session.editor.scene().pose(),
        }
    }
}

fn names_of(scene: &Scene) -> Vec<String> {
    scene.nodes().iter().map(|node| node.name.clone()).collect()
}

/// Returns all flags of a node.
fn flags_of(node: usize, scene: &Scene) -> impl Iterator<Item = FlagEdit> {
    FLAGS.into_iter().map(move |flag| (node, flag, scene.has_flag(node, flag)))
}

impl Recorder {
    /// Starts a recording of the scene as it was opened.
    pub fn new(source: SceneSource, session: &Session) -> Result<Self, IdSpaceExhausted> {
        let shown = Shown::of(session);
        let scene = session.editor.scene();
        let at_rest = Gizmo::new(&mut IdSpace::new())?;
        let settings = SettingsPatch::of(session.editor.gizmo()).since(&SettingsPatch::of(&at_rest));
        let mut head = to_json::canvas(&shown.canvas);
        let mut put = |key: &str, value: Value| drop(head.insert(key.to_owned(), value));
        put("version", json!(1));
        put("camera", to_json::camera(&shown.camera));
        put("settings", to_json::settings(&settings));
        let names = names_of(scene);
        let selected = session.editor.selection().nodes().iter();
        put("select", selected.map(|node| to_json::name(*node, &names)).collect());
        put("views", to_json::views(shown.ortho_views.as_ref()));
        put("view_cube", json!(session.cameras.shows_cube()));
        if let Some(node) = shown.looks_through {
            put("look_through", to_json::name(node, &names));
        }
        let mut recorder = Self {
            source,
            head,
            events: Events::default(),
            max_bytes: MAX_BYTES,
            names,
            starts: (0..scene.nodes().len()).map(|node| NodeState::of(node, scene)).collect(),
            copied: BTreeSet::new(),
            volume_starts: scene.volumes().to_vec(),
            has_all_steps: true,
            is_through_history: false,
            shown,
            idle_px: None,
            handles: Vec::new(),
            #[cfg(test)]
            compared: 0,
        };
        recorder.push_switches(&session.editor);
        recorder.push_pose();
        Ok(recorder)
    }

    /// Records an event that is about to be handled.
    pub fn event(&mut self, kind: &EventKind, mods: Mods, session: &mut Session) {
        let is_history = matches!(kind.command(mods), Some(Command::Undo | Command::Redo));
        // In a drag they cancel it, as in the replay.
        self.is_through_history = is_history && !self.has_all_steps && !session.editor.is_dragging();
        if self.is_through_history {
            self.before(&mut session.editor);
        } else {
            self.record(kind, mods, Held::of(session));
        }
    }

    fn record(&mut self, kind: &EventKind, mods: Mods, held: Held) {
        if let EventKind::Duplicate(copies) = kind {
            self.copied.extend(copies.iter().map(|(_, copy)| copy));
        }
        let event = to_json::event(&Event { kind: kind.clone(), mods }, &self.names);
        let at = match kind {
            EventKind::Move(px) if held == Held::Nothing => Some(*px),
            _ => None,
        };
        match (self.idle_px, at) {
            (Some(before), Some(at)) if before.distance(at) < STEP_PX => self.events.replace_last(&event),
            _ => {
                self.idle_px = at;
                let role = match kind {
                    EventKind::Move(_) if held != Held::Something => Role::Pointer,
                    EventKind::Camera(_) => Role::Camera,
                    EventKind::Pose(_) => Role::Pose,
                    EventKind::Views(Some(_)) => Role::OrthoViews,
                    EventKind::Window(canvas) => Role::Window(*canvas),
                    EventKind::SetTransforms(_)
                    | EventKind::Set(_)
                    | EventKind::SetExtents(_)
                    | EventKind::SetVolumes(_) => Role::of_values(kind.name(), &event),
                    _ => Role::Other,
                };
                self.events.push(&event, role);
            }
        }
    }

    fn push(&mut self, kind: EventKind) {
        self.record(&kind, Mods::default(), Held::Nothing);
    }

    /// Records changes of the views after they were updated.
    pub fn look(&mut self, session: &Session) {
        let shown = Shown::of(session);
        if shown == self.shown {
            return;
        }
        // A drag depends on every camera of the views that show it.
        let is_busy = session.editor.is_busy();
        // Handles that flip toward the camera depend on it too, because flipping has hysteresis.
        let is_open = !is_busy && !session.editor.gizmo().settings.flip_toward_camera;
        if !is_open {
            self.events.close();
        }
        let before = std::mem::replace(&mut self.shown, shown.clone());
        if shown.canvas != before.canvas {
            self.push(EventKind::Window(shown.canvas));
        }
        if shown.ortho_views != before.ortho_views {
            self.push(EventKind::Views(shown.ortho_views));
        }
        if shown.pose != before.pose {
            self.push(EventKind::Pose(shown.pose));
        }
        match shown.looks_through {
            Some(_) if shown.looks_through != before.looks_through => {
                self.push(EventKind::LookThrough(shown.looks_through));
            }
            Some(_) => {}
            None if shown.camera != before.camera || before.looks_through.is_some() => {
                self.push(EventKind::Camera(shown.camera));
            }
            None => {}
        }
        if !is_open {
            self.events.close();
        }
        // A changed camera ends click-through, so compacting loses nothing.
        if self.events.bytes() > self.max_bytes && !is_busy && !session.editor.cube().is_held() {
            self.compact(session);
            self.max_bytes = MAX_BYTES.max(2 * self.events.bytes());
        }
    }

    /// Records which handles are visible. A handle that is hidden at a glancing angle stays hidden for
    /// a while, so the camera that hid it must be kept for the replay.
    pub fn saw(&mut self, handles: impl Iterator<Item = NonZeroU32>) {
        let before = std::mem::take(&mut self.handles);
        self.handles = handles.collect();
        if self.handles != before {
            self.events.close();
        }
    }

    /// Prepares for changes by panels.
    pub fn before(&mut self, editor: &mut Editor) {
        drop(editor.take_changes());
    }

    /// Records the changes that panels made. Returns true if there are any.
    pub fn changed(&mut self, editor: &mut Editor) -> bool {
        let (before, known) = (self.events.len(), self.names.len());
        let EditorChanges { nodes, settings, selection, pivot } = editor.take_changes();
        #[cfg(test)]
        {
            self.compared += nodes.locals.len() + nodes.parents.len() + nodes.names.len() + nodes.flags.len();
        }
        let scene = editor.scene();
        self.record_copies(scene);
        let mut is_changed = self.record_edits(Edits::of(&nodes, known, scene));
        is_changed |= self.record_changed_volumes(&nodes.volumes, scene);
        // After the extents, which may show or hide the handles of a section.
        let settings = settings.map(|before| SettingsPatch::of(editor.gizmo()).since(&before));
        if let Some(settings) = settings.filter(|settings| *settings != SettingsPatch::default()) {
            self.push(EventKind::Set(Box::new(settings)));
            is_changed = true;
        }
        if selection.is_some_and(|before| before != *editor.selection()) {
            self.push(EventKind::Select(editor.selection().nodes().to_vec()));
        }
        if let Some(place) = pivot {
            self.push(EventKind::PlacePivot(place));
        }
        // An event may have replaced another one.
        is_changed || self.events.len() > before
    }

    /// Returns the number of events.
    pub fn count(&self) -> usize {
        self.events.len()
    }
}

#[cfg(test)]
mod tests;
