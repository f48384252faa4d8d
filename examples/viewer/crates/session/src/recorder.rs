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

use crate::editor::{Editor, EditorChanges};
use crate::replay_file::{Camera, Event, EventKind, FlagEdit, Mods, SceneSource, SettingsPatch, to_json};
use crate::session::Session;
use crate::views::{Canvas, OrthoViews};
use events::{Events, Role};
use scene::flags::FLAGS;
use scene::rig::Pose;
use scene::volume::NodeVolume;
use scene::{NodeChanges, Scene};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::pick::IdSpaceExhausted;
use wgpu_gizmo::{Gizmo, IdSpace, Transform};

/// An idle pointer is recorded in steps of this many physical pixels.
const STEP_PX: f64 = 16.0;

/// The memory limit of the events. Beyond it, the recording starts over from the current state. An hour
/// of continuous dragging stays below it.
const MAX_BYTES: usize = 16 << 20;

/// The object that the pointer holds during an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// The pointer holds nothing.
    Nothing,
    /// The view cube. It turns the camera, which is recorded separately.
    Cube,
    /// Anything else, or a press whose pick is pending.
    Something,
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
    /// The names of nodes at the start. Their parents and local transforms follow.
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    starts: Vec<Transform>,
    /// The copies that events create. The first such event decides their names.
    copied: BTreeSet<usize>,
    /// Nodes that were moved, reparented or flagged by other means than events, and nodes of steps
    /// since then. Undoing a step in the replay may leave these nodes in a different state.
    moved: BTreeSet<usize>,
    reparented: BTreeSet<usize>,
    flagged: BTreeSet<usize>,
    /// The cameras and lights that were set by other means than events.
    volumes_set: BTreeSet<usize>,
    /// The cameras and lights at the start.
    volume_starts: Vec<Option<NodeVolume>>,
    /// Whether steps exist that the replay does not have and that the sets above do not show, such as
    /// new names.
    has_other_steps: bool,
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

fn parents_of(scene: &Scene) -> Vec<Option<usize>> {
    scene.nodes().iter().map(|node| node.parent).collect()
}

/// Returns all flags of a node.
fn flagged(node: usize, scene: &Scene) -> impl Iterator<Item = FlagEdit> {
    FLAGS.into_iter().map(move |flag| (node, flag, scene.has_flag(node, flag)))
}

/// Returns the nodes whose value differs from the one before, with their current values.
fn now<'a, T: PartialEq, N>(
    before: &'a [(usize, T)],
    known: usize,
    of: impl Fn(usize) -> N + 'a,
    differs: impl Fn(&T, &N) -> bool + 'a,
) -> impl Iterator<Item = (usize, N)> + 'a {
    // The event that copies new nodes implies their state.
    let known = before.iter().take_while(move |(node, _)| *node < known);
    known
        .map(move |(node, before)| (*node, before, of(*node)))
        .filter_map(move |(node, before, now)| differs(before, &now).then_some((node, now)))
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
        let starts = scene.nodes().iter().map(|node| node.local).collect();
        // A reloaded file is opened without the hidden and locked flags that were carried over.
        let nodes = (0..scene.nodes().len()).filter(|node| scene.nodes()[*node].copy_of.is_none());
        let nodes = nodes.flat_map(|node| flagged(node, scene));
        let flags: Vec<FlagEdit> = nodes.filter(|(.., on)| *on).collect();
        let [moved, reparented, flagged] = [(); 3].map(|()| BTreeSet::new());
        let mut recorder = Self {
            source,
            head,
            events: Events::default(),
            max_bytes: MAX_BYTES,
            names,
            starts,
            copied: BTreeSet::new(),
            moved,
            reparented,
            flagged,
            volumes_set: BTreeSet::new(),
            volume_starts: scene.volumes().to_vec(),
            parents: parents_of(scene),
            shown,
            idle_px: None,
            has_other_steps: false,
            handles: Vec::new(),
            #[cfg(test)]
            compared: 0,
        };
        recorder.record_edits((Vec::new(), Vec::new()), Vec::new(), flags);
        recorder.push_switches(&session.editor);
        recorder.push_pose();
        Ok(recorder)
    }

    /// Records an event that is about to be handled.
    pub fn event(&mut self, kind: &EventKind, mods: Mods, held: Held) {
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
                    EventKind::SetTransforms(_) | EventKind::Set(_) | EventKind::SetVolumes(_) => {
                        Role::of_values(kind.name(), &event)
                    }
                    _ => Role::Other,
                };
                self.events.push(&event, role);
            }
        }
    }

    fn push(&mut self, kind: EventKind) {
        self.event(&kind, Mods::default(), Held::Nothing);
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
        let EditorChanges { nodes, settings, selection } = editor.take_changes();
        let NodeChanges { locals, parents, names, flags, volumes } = nodes;
        #[cfg(test)]
        {
            self.compared += locals.len() + parents.len() + names.len() + flags.len();
        }
        let scene = editor.scene();
        self.record_copies(scene);
        let settings = settings.map(|before| SettingsPatch::of(editor.gizmo()).since(&before));
        let settings = settings.filter(|settings| *settings != SettingsPatch::default());
        let mut is_changed = settings.is_some();
        if let Some(settings) = settings {
            self.push(EventKind::Set(Box::new(settings)));
        }
        let node = |node: usize| &scene.nodes()[node];
        let moved: Vec<_> = now(&locals, known, |index| node(index).local, |a, b| a != b).collect();
        let reparented: Vec<_> = now(&parents, known, |index| node(index).parent, |a, b| a != b).collect();
        let names: Vec<_> = now(&names, known, |index| node(index).name.clone(), |a, b| a != b).collect();
        let flags = now(&flags, known, |node| FLAGS.map(|flag| scene.has_flag(node, flag)), |a, b| a != b);
        let flags: Vec<_> = flags.flat_map(|(node, _)| flagged(node, scene)).collect();
        is_changed |= !(moved.is_empty() && reparented.is_empty() && names.is_empty() && flags.is_empty());
        self.record_edits((reparented, moved), names, flags);
        is_changed |= self.record_changed_volumes(&volumes, scene);
        if selection.is_some_and(|before| before != *editor.selection()) {
            self.push(EventKind::Select(editor.selection().nodes().to_vec()));
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
