//! Keeps what has happened since a scene was opened, as a replay of it.
//!
//! What a person does to the picture is kept as it was done. What they do elsewhere (in a panel, to
//! the camera) is kept as what came of it.

use crate::desk::Desk;
use crate::editor::Editor;
use crate::file_error::FileError;
use crate::flags::Flag;
use crate::history::Change;
use crate::replay_file::{
    Camera, Event, EventKind, Expected, Flagged, Hangs, Mods, SceneSource, SettingsPatch, written,
};
use crate::scene::{Scene, Version};
use crate::views::{Frame, Plans};
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashSet};
use std::path::{Component, Path, PathBuf};
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::pick::IdSpaceExhausted;
use wgpu_gizmo::{Gizmo, IdSpace, Transform};

/// A pointer that wanders about and holds nothing is kept in steps of so many physical pixels.
const STEP_PX: f64 = 16.0;

/// Everything since a scene was opened.
#[derive(Debug)]
pub(crate) struct Recorder {
    source: SceneSource,
    /// All but the scene and the events.
    head: Map<String, Value>,
    events: Vec<Value>,
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
    /// Names were given, which are steps here and none in the replay.
    has_renamed: bool,
    shown: Shown,
    /// Where the last event leaves a pointer that holds nothing: the next such may take its place.
    wandering: Option<DVec2>,
}

/// How the picture was last seen.
#[derive(Debug, Clone, PartialEq)]
struct Shown {
    frame: Frame,
    plans: Option<Plans>,
    looks_through: Option<usize>,
    camera: Camera,
}

impl Shown {
    fn of(desk: &Desk<'_>) -> Self {
        Self {
            frame: *desk.frame,
            plans: desk.cameras.plans().copied(),
            looks_through: desk.cameras.looks_through(),
            camera: desk.cameras.main_camera(desk.views.main().viewport()),
        }
    }
}

/// What panels may change, to be compared with what it is after they did.
#[derive(Debug, Clone)]
struct Before {
    settings: SettingsPatch,
    selected: Vec<usize>,
    /// Of all nodes.
    places: Vec<Transform>,
    flags: Vec<[bool; 3]>,
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    /// As of which names and parents are these.
    version: Version,
}

const FLAGS: [Flag; 3] = [Flag::Hidden, Flag::Locked, Flag::Deleted];

fn flags_of(scene: &Scene) -> impl Iterator<Item = [bool; 3]> {
    (0..scene.nodes().len()).map(|node| FLAGS.map(|flag| scene.has_flag(node, flag)))
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
        let scene = editor.scene();
        Self {
            settings: SettingsPatch::of(&editor.gizmo),
            selected: editor.selection().nodes().to_vec(),
            places: scene.nodes().iter().map(|node| node.local).collect(),
            flags: flags_of(scene).collect(),
            names: names_of(scene),
            parents: parents_of(scene),
            version: scene.version(),
        }
    }

    fn renew(&mut self, editor: &Editor) {
        let scene = editor.scene();
        self.places.clear();
        self.places.extend(scene.nodes().iter().map(|node| node.local));
        self.flags.clear();
        self.flags.extend(flags_of(scene));
        if self.version != scene.version() {
            (self.names, self.parents) = (names_of(scene), parents_of(scene));
            self.version = scene.version();
        }
        self.settings = SettingsPatch::of(&editor.gizmo);
        self.selected = editor.selection().nodes().to_vec();
    }
}

impl Recorder {
    /// From now on, with the scene as it was opened.
    pub(crate) fn new(source: SceneSource, desk: &Desk<'_>) -> Result<Self, IdSpaceExhausted> {
        let shown = Shown::of(desk);
        let scene = desk.editor.scene();
        let at_rest = Gizmo::new(&mut IdSpace::new())?;
        let settings = SettingsPatch::of(&desk.editor.gizmo).since(&SettingsPatch::of(&at_rest));
        let mut head = written::frame(&shown.frame);
        let mut put = |key: &str, value: Value| drop(head.insert(key.to_owned(), value));
        put("version", json!(1));
        put("camera", written::camera(&shown.camera));
        put("settings", written::settings(&settings));
        let names = names_of(scene);
        let selected = desk.editor.selection().nodes().iter();
        put("select", selected.map(|node| written::name(*node, &names)).collect());
        put("views", written::views(shown.plans.as_ref()));
        put("view_cube", json!(desk.cameras.shows_cube()));
        if let Some(node) = shown.looks_through {
            put("look_through", written::name(node, &names));
        }
        let before = Before::of(desk.editor);
        let (starts, events, wandering) = (before.places.clone(), Vec::new(), None);
        // A file that was read again is opened without the eyes and locks that stayed.
        let nodes = (0..scene.nodes().len()).filter(|node| scene.nodes()[*node].copy_of.is_none());
        let nodes = nodes.flat_map(|node| flagged(node, scene));
        let flags: Vec<Flagged> = nodes.filter(|(.., on)| *on).collect();
        let [moved, hung, flagged] = [(); 3].map(|()| BTreeSet::new());
        let mut recorder = Self {
            source,
            head,
            events,
            names,
            starts,
            copied: BTreeSet::new(),
            before,
            moved,
            hung,
            flagged,
            parents: parents_of(scene),
            shown,
            wandering,
            has_renamed: false,
        };
        recorder.put((Vec::new(), Vec::new()), Vec::new(), flags);
        Ok(recorder)
    }

    /// Something is about to be done to the picture. `is_idle`: the pointer holds nothing.
    pub(crate) fn event(&mut self, kind: &EventKind, mods: Mods, is_idle: bool) {
        if let EventKind::Duplicate(copies) = kind {
            self.copied.extend(copies.iter().map(|(_, copy)| copy));
        }
        let event = written::event(&Event { kind: kind.clone(), mods }, &self.names);
        let at = match kind {
            EventKind::Move(px) if is_idle => Some(*px),
            _ => None,
        };
        match (self.wandering, at, self.events.last_mut()) {
            (Some(before), Some(at), Some(last)) if before.distance(at) < STEP_PX => *last = event,
            _ => {
                self.wandering = at;
                self.events.push(event);
            }
        }
    }

    fn push(&mut self, kind: EventKind) {
        self.event(&kind, Mods::default(), false);
    }

    /// The picture has been looked at anew: what has changed about that.
    pub(crate) fn look(&mut self, desk: &Desk<'_>) {
        let shown = Shown::of(desk);
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
    }

    /// Panels are about to do what they do.
    pub(crate) fn before(&mut self, editor: &Editor) {
        self.before.renew(editor);
    }

    /// What they have changed; whether that is anything.
    pub(crate) fn changed(&mut self, editor: &Editor) -> bool {
        let before = self.events.len();
        let scene = editor.scene();
        self.keep_copies(scene);
        let settings = SettingsPatch::of(&editor.gizmo).since(&self.before.settings);
        if settings != SettingsPatch::default() {
            self.push(EventKind::Set(Box::new(settings)));
        }
        let both = self.before.places.iter().zip(scene.nodes()).enumerate();
        let moved = both.filter(|(_, (before, node))| **before != node.local);
        let moved = moved.map(|(index, (_, node))| (index, node.local)).collect();
        let flags = self.before.flags.iter().zip(flags_of(scene)).enumerate();
        let flags = flags.filter(|(_, (before, now))| **before != *now);
        let flags = flags.flat_map(|(node, _)| flagged(node, scene)).collect();
        self.put((self.hung(scene), moved), self.renamed(scene), flags);
        if self.before.selected != editor.selection().nodes() {
            self.push(EventKind::Select(editor.selection().nodes().to_vec()));
        }
        self.before.renew(editor);
        self.events.len() > before
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

    /// The nodes that have other names than before, with these names.
    fn renamed(&self, scene: &Scene) -> Vec<(usize, String)> {
        if self.before.version == scene.version() {
            return Vec::new();
        }
        let both = self.before.names.iter().zip(scene.nodes()).enumerate();
        let renamed = both.filter(|(_, (before, node))| **before != node.name);
        renamed.map(|(index, (_, node))| (index, node.name.clone())).collect()
    }

    /// The nodes that hang on something else than before, with what that is.
    fn hung(&self, scene: &Scene) -> Vec<Hangs> {
        if self.before.version.is_same_arrangement(scene.version()) {
            return Vec::new();
        }
        let both = self.before.parents.iter().zip(scene.nodes()).enumerate();
        let hung = both.filter(|(_, (before, node))| **before != node.parent);
        hung.map(|(index, (_, node))| (index, node.parent)).collect()
    }

    /// Says what nodes are made to be otherwise than by events.
    fn put(
        &mut self,
        (hung, moved): (Vec<Hangs>, Vec<(usize, Transform)>),
        names: Vec<(usize, String)>,
        flags: Vec<Flagged>,
    ) {
        self.hung.extend(hung.iter().map(|(node, _)| node));
        self.moved.extend(moved.iter().map(|(node, _)| node));
        self.flagged.extend(flags.iter().map(|(node, ..)| node));
        self.has_renamed |= !names.is_empty();
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
    pub(crate) fn after(&mut self, kind: &EventKind, editor: &Editor) {
        if editor.scene().nodes().len() > self.names.len() {
            self.events.pop();
            self.keep_copies(editor.scene());
            self.push(EventKind::Select(editor.selection().nodes().to_vec()));
            self.before.renew(editor);
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
        let scene = editor.scene();
        // No key gives names, so that in the replay they are as before.
        let names = self.renamed(scene);
        let is_as_played = self.moved.is_empty() && self.hung.is_empty() && self.flagged.is_empty();
        if self.has_renamed || !is_as_played {
            // The replay may have gone back another step than this one.
            for step in editor.history().steps() {
                match &step.change {
                    Change::Moved(moved) => self.moved.extend(moved.iter().map(|(node, ..)| node)),
                    Change::Hung(hung) => {
                        self.hung.extend(hung.iter().map(|hung| hung.node));
                        self.moved.extend(hung.iter().map(|hung| hung.node));
                    }
                    Change::Flagged { nodes, .. } => self.flagged.extend(nodes),
                    Change::Copied { copies, .. } => self.flagged.extend(copies),
                    Change::Renamed { .. } => {}
                }
            }
            let hung = self.hung.iter().map(|node| (*node, scene.nodes()[*node].parent)).collect();
            let moved = self.moved.iter().map(|node| (*node, scene.nodes()[*node].local)).collect();
            let flags = self.flagged.iter().flat_map(|node| flagged(*node, scene)).collect();
            self.put((hung, moved), names, flags);
            self.push(EventKind::Select(editor.selection().nodes().to_vec()));
            self.before.renew(editor);
        }
    }

    /// How many events there are.
    pub(crate) fn count(&self) -> usize {
        self.events.len()
    }

    /// A replay of all that has happened, to be written to this file.
    pub(crate) fn replay(&self, path: &Path) -> Value {
        let mut document = self.head.clone();
        let folder = path.parent().unwrap_or(Path::new(""));
        let scene = match &self.source {
            SceneSource::BuiltIn(name) => json!({ "built_in": name }),
            SceneSource::Gltf(file) => json!({ "gltf": from_folder(file, folder) }),
            SceneSource::Objects(objects) => json!({ "objects": objects }),
        };
        document.insert("scene".to_owned(), scene);
        document.insert("events".to_owned(), Value::Array(self.events.clone()));
        Value::Object(document)
    }

    /// The same, with what must have come of it: where all nodes stand that have moved or are
    /// selected, bit for bit; new names and parents, and what is hidden, locked or deleted.
    pub(crate) fn test(&self, path: &Path, editor: &Editor) -> Value {
        let scene = editor.scene();
        let nodes = scene.nodes().iter().enumerate();
        let places = nodes.filter(|(index, node)| {
            self.starts.get(*index) != Some(&node.local) || editor.selection().nodes().contains(index)
        });
        let places = places.map(|(index, node)| (index, node.local)).collect();
        let called = self.names.iter().zip(scene.nodes()).enumerate();
        let called = called.filter(|(_, (before, node))| **before != node.name);
        let names = called.map(|(index, (_, node))| (index, node.name.clone())).collect();
        let all = (0..scene.nodes().len()).flat_map(|node| flagged(node, scene));
        // A replay that is played here may not have come to all of its copies yet.
        let is_known = |node: usize| scene.nodes()[node].copy_of.is_none() || self.copied.contains(&node);
        let flags = all.filter(|(node, _, on)| is_known(*node) && (*on || self.flagged.contains(node)));
        let flags = flags.collect();
        let parents = (0..scene.nodes().len()).map(|node| (node, scene.nodes()[node].parent));
        let parents = parents.filter(|(node, parent)| self.parents.get(*node) != Some(parent)).collect();
        let expect = EventKind::Expect(Expected { places, tolerance: 0.0, parents, names, flags });
        let mut document = self.replay(path);
        if let Some(Value::Array(events)) = document.get_mut("events") {
            events.push(written::event(&Event { kind: expect, mods: Mods::default() }, &self.names));
        }
        document
    }
}

/// Text with one event a line.
pub(crate) fn text(document: &Value) -> String {
    let mut lines = Vec::new();
    for (key, value) in document.as_object().into_iter().flatten() {
        let value = match value {
            Value::Array(events) if key == "events" && !events.is_empty() => {
                let events: Vec<String> = events.iter().map(|event| format!("    {event}")).collect();
                format!("[\n{}\n  ]", events.join(",\n"))
            }
            value => value.to_string(),
        };
        lines.push(format!("  {}: {value}", json!(key)));
    }
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Writes a file so that it is there whole, or as it was.
pub(crate) fn write(path: &Path, document: &Value) -> Result<(), FileError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error: &dyn std::fmt::Display| FileError::new(path, format!("cannot be written: {error}"));
    std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    let written = crate::write_file::write(path, &[text(document).as_bytes()]);
    written.map(drop).map_err(|what| FileError::new(path, what))
}

/// A file as seen from a folder, with `/` between the parts; as it is, where there is no way from
/// one to the other.
fn from_folder(file: &Path, folder: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).and_then(|path| path.canonicalize().or(Ok(path)));
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (Ok(file), Ok(folder)) = (absolute(file), absolute(here)) else {
        return file.to_string_lossy().into_owned();
    };
    let (to, from): (Vec<Component<'_>>, Vec<_>) =
        (file.components().collect(), folder.components().collect());
    let same = to.iter().zip(&from).take_while(|(a, b)| a == b).count();
    if same == 0 {
        return file.to_string_lossy().into_owned();
    }
    let up = std::iter::repeat_n(Path::new("..").to_path_buf(), from.len() - same);
    let down = to[same..].iter().map(|part| PathBuf::from(part.as_os_str()));
    let parts: Vec<String> = up.chain(down).map(|part| part.to_string_lossy().into_owned()).collect();
    parts.join("/")
}

#[cfg(test)]
mod tests;
