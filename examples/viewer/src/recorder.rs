//! Keeps what has happened since a scene was opened, as a replay of it.
//!
//! What a person does to the picture is kept as it was done. What they do elsewhere (in a panel, to
//! the camera) is kept as what came of it. Of what comes of it again and again (a camera that orbits, a value
//! that is dragged) the last is kept, unless something was done in between that may depend on another.

mod compact;
mod events;
mod file;

pub(crate) use file::write;

use crate::editor::Editor;
use crate::flags::{FLAGS, Flag};
use crate::history::Change;
use crate::replay_file::{
    Camera, Event, EventKind, Flagged, Mods, ParentEdit, SceneSource, SettingsPatch, to_json,
};
use crate::scene::{NodeChanges, Scene};
use crate::selection::Selection;
use crate::session::Session;
use crate::views::{Frame, OrthoViews};
use events::{Events, Role};
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashSet};
use std::num::NonZeroU32;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::pick::IdSpaceExhausted;
use wgpu_gizmo::{Gizmo, IdSpace, Transform};

/// A pointer that wanders about and holds nothing is kept in steps of so many physical pixels.
const STEP_PX: f64 = 16.0;

/// The memory that events may take. Past that, the recording begins anew with where things are: an hour of
/// dragging without a pause takes less.
const MAX_BYTES: usize = 16 << 20;

/// What the pointer holds when an event comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    Nothing,
    /// The view cube: it turns the camera, which is kept by itself.
    Cube,
    /// Anything else, or a press of which it is not known what it hit.
    Something,
}

/// Everything since a scene was opened.
#[derive(Debug)]
pub(crate) struct Recorder {
    source: SceneSource,
    /// All but the scene and the events.
    head: Map<String, Value>,
    events: Events,
    /// How much memory the events may take until they are replaced.
    max_bytes: usize,
    /// How nodes were called at first, what they hung on, and where they stood.
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    starts: Vec<Transform>,
    /// The copies that events make. Their names are those that the first of these gives them.
    copied: BTreeSet<usize>,
    before: Before,
    /// Nodes that were moved, hung elsewhere, hidden, locked or deleted otherwise than by events; since then also those that
    /// steps were about. A step of the replay may leave these as they are not here.
    moved: BTreeSet<usize>,
    hung: BTreeSet<usize>,
    flagged: BTreeSet<usize>,
    /// There are steps here that are none in the replay, such as new names, and nodes do not tell.
    has_other_steps: bool,
    shown: Shown,
    /// Where the last event leaves a pointer that holds nothing: the next such may take its place.
    wandering: Option<DVec2>,
    /// The ids of the handles that were seen last.
    handles: Vec<NonZeroU32>,
    /// How many nodes have been looked at for changes.
    #[cfg(test)]
    compared: usize,
}

/// How the picture was last seen.
#[derive(Debug, Clone, PartialEq)]
struct Shown {
    frame: Frame,
    plans: Option<OrthoViews>,
    looks_through: Option<usize>,
    camera: Camera,
}

impl Shown {
    fn of(session: &Session<'_>) -> Self {
        Self {
            frame: *session.frame,
            plans: session.cameras.plans().copied(),
            looks_through: session.cameras.looks_through(),
            camera: session.cameras.main_camera(session.views.main().viewport()),
        }
    }
}

/// What panels may change besides nodes, to be compared with what it is after they did.
#[derive(Debug, Clone)]
struct Before {
    settings: SettingsPatch,
    selection: Selection,
}

fn names_of(scene: &Scene) -> Vec<String> {
    scene.nodes().iter().map(|node| node.name.clone()).collect()
}

fn parents_of(scene: &Scene) -> Vec<Option<usize>> {
    scene.nodes().iter().map(|node| node.parent).collect()
}

/// All flags of a node, as they are.
fn flagged(node: usize, scene: &Scene) -> impl Iterator<Item = Flagged> {
    FLAGS.into_iter().map(move |flag| (node, flag, scene.has_flag(node, flag)))
}

impl Before {
    fn of(editor: &Editor) -> Self {
        Self { settings: SettingsPatch::of(&editor.gizmo), selection: editor.selection().clone() }
    }
}

/// The changed nodes of which this is still so, with what they are now.
fn now<'a, T: PartialEq, N>(
    before: &'a [(usize, T)],
    known: usize,
    of: impl Fn(usize) -> N + 'a,
    differs: impl Fn(&T, &N) -> bool + 'a,
) -> impl Iterator<Item = (usize, N)> + 'a {
    // What new nodes are, their copying says.
    let known = before.iter().take_while(move |(node, _)| *node < known);
    known
        .map(move |(node, before)| (*node, before, of(*node)))
        .filter_map(move |(node, before, now)| differs(before, &now).then_some((node, now)))
}

impl Recorder {
    /// From now on, with the scene as it was opened.
    pub(crate) fn new(source: SceneSource, session: &Session<'_>) -> Result<Self, IdSpaceExhausted> {
        let shown = Shown::of(session);
        let scene = session.editor.scene();
        let at_rest = Gizmo::new(&mut IdSpace::new())?;
        let settings = SettingsPatch::of(&session.editor.gizmo).since(&SettingsPatch::of(&at_rest));
        let mut head = to_json::frame(&shown.frame);
        let mut put = |key: &str, value: Value| drop(head.insert(key.to_owned(), value));
        put("version", json!(1));
        put("camera", to_json::camera(&shown.camera));
        put("settings", to_json::settings(&settings));
        let names = names_of(scene);
        let selected = session.editor.selection().nodes().iter();
        put("select", selected.map(|node| to_json::name(*node, &names)).collect());
        put("views", to_json::views(shown.plans.as_ref()));
        put("view_cube", json!(session.cameras.shows_cube()));
        if let Some(node) = shown.looks_through {
            put("look_through", to_json::name(node, &names));
        }
        let before = Before::of(session.editor);
        let starts = scene.nodes().iter().map(|node| node.local).collect();
        // A file that was read again is opened without the eyes and locks that stayed.
        let nodes = (0..scene.nodes().len()).filter(|node| scene.nodes()[*node].copy_of.is_none());
        let nodes = nodes.flat_map(|node| flagged(node, scene));
        let flags: Vec<Flagged> = nodes.filter(|(.., on)| *on).collect();
        let [moved, hung, flagged] = [(); 3].map(|()| BTreeSet::new());
        let mut recorder = Self {
            source,
            head,
            events: Events::default(),
            max_bytes: MAX_BYTES,
            names,
            starts,
            copied: BTreeSet::new(),
            before,
            moved,
            hung,
            flagged,
            parents: parents_of(scene),
            shown,
            wandering: None,
            has_other_steps: false,
            handles: Vec::new(),
            #[cfg(test)]
            compared: 0,
        };
        recorder.put((Vec::new(), Vec::new()), Vec::new(), flags);
        recorder.push_switches(session.editor);
        Ok(recorder)
    }

    /// Something is about to be done to the picture.
    pub(crate) fn event(&mut self, kind: &EventKind, mods: Mods, held: Held) {
        if let EventKind::Duplicate(copies) = kind {
            self.copied.extend(copies.iter().map(|(_, copy)| copy));
        }
        let event = to_json::event(&Event { kind: kind.clone(), mods }, &self.names);
        let at = match kind {
            EventKind::Move(px) if held == Held::Nothing => Some(*px),
            _ => None,
        };
        match (self.wandering, at) {
            (Some(before), Some(at)) if before.distance(at) < STEP_PX => self.events.replace_last(&event),
            _ => {
                self.wandering = at;
                let role = match kind {
                    EventKind::Move(_) if held != Held::Something => Role::Pointer,
                    EventKind::Camera(_) => Role::Camera,
                    EventKind::Views(Some(_)) => Role::OrthoViews,
                    EventKind::Window(frame) => Role::Window(*frame),
                    EventKind::Place(_) | EventKind::Set(_) => Role::of_values(kind.name(), &event),
                    _ => Role::Other,
                };
                self.events.push(&event, role);
            }
        }
    }

    fn push(&mut self, kind: EventKind) {
        self.event(&kind, Mods::default(), Held::Nothing);
    }

    /// The picture has been looked at anew: what has changed about that.
    pub(crate) fn look(&mut self, session: &Session<'_>) {
        let shown = Shown::of(session);
        if shown == self.shown {
            return;
        }
        // A drag depends on every camera that it is seen by.
        let is_busy = session.editor.is_busy();
        // So do handles that turn toward the camera: they turn back later than they turned.
        let is_open = !is_busy && !session.editor.gizmo.settings.flip_toward_camera;
        if !is_open {
            self.events.close();
        }
        let before = std::mem::replace(&mut self.shown, shown.clone());
        if shown.frame != before.frame {
            self.push(EventKind::Window(shown.frame));
        }
        if shown.plans != before.plans {
            self.push(EventKind::Views(shown.plans));
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
        // Under another camera no row of clicks goes on.
        if self.events.bytes() > self.max_bytes && !is_busy && !session.cube.holds() {
            self.compact(session);
            self.max_bytes = MAX_BYTES.max(2 * self.events.bytes());
        }
    }

    /// These handles are seen from now on. One that is seen at a glancing angle stays gone for a while after
    /// it went: the camera under which it went is kept, so that it goes in the replay too.
    pub(crate) fn saw(&mut self, handles: impl Iterator<Item = NonZeroU32>) {
        let before = std::mem::take(&mut self.handles);
        self.handles = handles.collect();
        if self.handles != before {
            self.events.close();
        }
    }

    /// Panels are about to do what they do.
    pub(crate) fn before(&mut self, editor: &mut Editor) {
        drop(editor.take_changes());
        self.before = Before::of(editor);
    }

    /// What they have changed; whether that is anything.
    pub(crate) fn changed(&mut self, editor: &mut Editor) -> bool {
        let (before, known) = (self.events.len(), self.names.len());
        let NodeChanges { locals, parents, names, flags } = editor.take_changes();
        #[cfg(test)]
        {
            self.compared += locals.len() + parents.len() + names.len() + flags.len();
        }
        let scene = editor.scene();
        self.keep_copies(scene);
        let settings = SettingsPatch::of(&editor.gizmo).since(&self.before.settings);
        let mut is_changed = settings != SettingsPatch::default();
        if is_changed {
            self.push(EventKind::Set(Box::new(settings)));
        }
        let node = |node: usize| &scene.nodes()[node];
        let moved: Vec<_> = now(&locals, known, |index| node(index).local, |a, b| a != b).collect();
        let hung: Vec<_> = now(&parents, known, |index| node(index).parent, |a, b| a != b).collect();
        let names: Vec<_> = now(&names, known, |index| node(index).name.clone(), |a, b| a != b).collect();
        let flags = now(&flags, known, |node| FLAGS.map(|flag| scene.has_flag(node, flag)), |a, b| a != b);
        let flags: Vec<_> = flags.flat_map(|(node, _)| flagged(node, scene)).collect();
        is_changed |= !(moved.is_empty() && hung.is_empty() && names.is_empty() && flags.is_empty());
        self.put((hung, moved), names, flags);
        if self.before.selection != *editor.selection() {
            self.push(EventKind::Select(editor.selection().nodes().to_vec()));
        }
        self.before = Before::of(editor);
        // One may have taken another's place.
        is_changed || self.events.len() > before
    }

    /// Keeps the copies that have been made since the last call, by names that no node has had at
    /// first.
    fn keep_copies(&mut self, scene: &Scene) {
        let new = self.names.len()..scene.nodes().len();
        if new.is_empty() {
            return;
        }
        let mut taken: HashSet<String> = self.names.iter().cloned().collect();
        for node in new.clone() {
            let name = &scene.nodes()[node].name;
            let others = (2..).map(|number| format!("{name} ({number})"));
            let free = std::iter::once(name.clone()).chain(others).find(|name| taken.insert(name.clone()));
            self.names.extend(free);
        }
        let copies = |node: usize| Some((scene.nodes()[node].copy_of?, node));
        self.push(EventKind::Duplicate(new.clone().filter_map(copies).collect()));
        let renamed = new.clone().filter(|node| self.names[*node] != scene.nodes()[*node].name);
        let renamed: Vec<_> = renamed.map(|node| (node, scene.nodes()[node].name.clone())).collect();
        if !renamed.is_empty() {
            self.push(EventKind::Rename(renamed));
        }
        for put in [&mut self.moved, &mut self.hung, &mut self.flagged] {
            put.extend(new.clone());
        }
    }

    /// Says what nodes are made to be otherwise than by events.
    fn put(
        &mut self,
        (hung, moved): (Vec<ParentEdit>, Vec<(usize, Transform)>),
        names: Vec<(usize, String)>,
        flags: Vec<Flagged>,
    ) {
        self.hung.extend(hung.iter().map(|(node, _)| node));
        self.moved.extend(moved.iter().map(|(node, _)| node));
        self.flagged.extend(flags.iter().map(|(node, ..)| node));
        self.has_other_steps |= !names.is_empty();
        // A name is free once the node that has it is gone, and given before it is back.
        let is_gone = |(_, flag, on): &Flagged| *flag == Flag::Deleted && *on;
        let (gone, flags): (Vec<Flagged>, Vec<Flagged>) = flags.into_iter().partition(is_gone);
        if !gone.is_empty() {
            self.push(EventKind::Flags(gone));
        }
        if !hung.is_empty() {
            self.push(EventKind::Hang(hung));
        }
        if !moved.is_empty() {
            self.push(EventKind::Place(moved));
        }
        if !names.is_empty() {
            self.push(EventKind::Rename(names));
        }
        if !flags.is_empty() {
            self.push(EventKind::Flags(flags));
        }
    }

    /// What was put is no step of the replay's history: where a step back or forth leads, is to be
    /// said from then on. Copies are told in the place of the key that has made them, since what
    /// comes later needs their names.
    pub(crate) fn after(&mut self, kind: &EventKind, editor: &mut Editor) {
        if editor.scene().nodes().len() > self.names.len() {
            self.events.pop();
            self.keep_copies(editor.scene());
            self.push(EventKind::Select(editor.selection().nodes().to_vec()));
            self.before(editor);
            return;
        }
        let is_step = match kind {
            EventKind::Undo | EventKind::Redo => true,
            EventKind::Key(key) => ["z", "y"].iter().any(|step| key.eq_ignore_ascii_case(step)),
            _ => false,
        };
        if !is_step || editor.gizmo.is_active() {
            return;
        }
        let is_as_played = self.moved.is_empty() && self.hung.is_empty() && self.flagged.is_empty();
        if self.has_other_steps || !is_as_played {
            let names = editor.take_changes().names;
            let scene = editor.scene();
            // No key gives names, so that in the replay they are as before.
            let name = |node: usize| scene.nodes()[node].name.clone();
            let names = now(&names, self.names.len(), name, |a, b| a != b).collect();
            // The replay may have gone back another step than this one.
            for step in editor.history().steps() {
                match &step.change {
                    Change::Moved(moved) => self.moved.extend(moved.iter().map(|(node, ..)| node)),
                    Change::Reparented(hung) => {
                        self.hung.extend(hung.iter().map(|hung| hung.node));
                        self.moved.extend(hung.iter().map(|hung| hung.node));
                    }
                    Change::Flagged { nodes, .. } => self.flagged.extend(nodes),
                    Change::CopyPair { copies, .. } => self.flagged.extend(copies),
                    Change::Renamed { .. } => {}
                }
            }
            let hung = self.hung.iter().map(|node| (*node, scene.nodes()[*node].parent)).collect();
            let moved = self.moved.iter().map(|node| (*node, scene.nodes()[*node].local)).collect();
            let flags = self.flagged.iter().flat_map(|node| flagged(*node, scene)).collect();
            self.put((hung, moved), names, flags);
            self.push(EventKind::Select(editor.selection().nodes().to_vec()));
            self.before(editor);
        }
    }

    /// How many events there are.
    pub(crate) fn count(&self) -> usize {
        self.events.len()
    }
}

#[cfg(test)]
mod tests;
