//! Records everything since a scene was opened, as a replay.
//!
//! Input to the picture is recorded as events. Edits that panels make are recorded from the log, each as an event
//! and as one undo step, and other changes (settings, the selection, cameras) as their results. If results
//! repeat (a camera that orbits, a value that is dragged), only the last is kept, unless an event in between
//! may depend on an earlier one.

mod events;
mod file;

use crate::command::Command;
use crate::editor::Editor;
use crate::replay_file::{Camera, Event, EventKind, Mods, SceneSource, Step, contents};
use crate::replay_file::{camera, edits, views, window};
use crate::session::Session;
use crate::settings::{AllSettings, SettingsPatch};
use crate::views::{Canvas, OrthoViews};
use events::Events;
use scene::Scene;
use scene::edit::Edit;
use scene::log::{Cursor, Entry, Values};
use scene::rig::Pose;
use scene::selection::Selection;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU32;
use wgpu_gizmo_core::glam::DVec2;
use wgpu_gizmo_core::pick::IdSpaceExhausted;

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
        match (session.editor.is_busy(), session.editor.cube.is_held()) {
            (true, _) => Self::Something,
            (false, true) => Self::Cube,
            (false, false) => Self::Nothing,
        }
    }
}

/// A recording since a scene was opened.
#[derive(Debug)]
pub struct Recorder {
    source: SceneSource,
    /// The hash of the file of the scene when it was opened, if it has one.
    contents: Option<String>,
    /// The replay without its scene and its events.
    head: Map<String, Value>,
    events: Events,
    /// The memory limit of the events until the recording starts over.
    max_bytes: usize,
    /// The names that nodes have in the replay: those at the start, and those under which it reserves copies.
    names: Vec<String>,
    /// The names of copies when they were made, where they differ from those in the replay.
    first_names: BTreeMap<usize, String>,
    before: Before,
    shown: Shown,
    /// The position of an idle pointer after the last event. The next such event can replace it.
    idle_px: Option<DVec2>,
    /// The ids of the handles that were drawn last.
    handles: Vec<NonZeroU32>,
}

/// The state before an event, or before panels were shown.
#[derive(Debug)]
struct Before {
    cursor: Cursor,
    /// The value of [`Scene::moves`].
    moves: u64,
    has_open_edit: bool,
    settings: AllSettings,
    selection: Selection,
}

impl Before {
    fn of(editor: &Editor) -> Self {
        let log = editor.log();
        Self {
            cursor: log.cursor(),
            moves: editor.scene().moves(),
            has_open_edit: log.open.is_some(),
            settings: editor.values(),
            selection: editor.selection().clone(),
        }
    }
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

impl Recorder {
    /// Starts a recording of the scene as it was opened.
    pub fn new(source: SceneSource, session: &Session) -> Result<Self, IdSpaceExhausted> {
        let shown = Shown::of(session);
        let scene = session.editor.scene();
        let settings = SettingsPatch::between(&AllSettings::default(), &session.editor.values());
        let mut head = window::write(&shown.canvas);
        let mut put = |key: &str, value: Value| drop(head.insert(key.to_owned(), value));
        put("version", json!(1));
        put("camera", camera::write(&shown.camera));
        put("settings", Value::Object(settings.0));
        let names: Vec<String> = scene.nodes().iter().map(|node| node.name.clone()).collect();
        let selected = session.editor.selection().nodes().iter();
        put("select", selected.map(|node| edits::name(*node, &names)).collect());
        put("views", views::write(shown.ortho_views.as_ref()));
        put("view_cube", json!(session.cameras.shows_cube));
        if let Some(node) = shown.looks_through {
            put("look_through", edits::name(node, &names));
        }
        let mut recorder = Self {
            source,
            contents: contents(scene),
            head,
            events: Events::default(),
            max_bytes: MAX_BYTES,
            names,
            first_names: BTreeMap::new(),
            before: Before::of(&session.editor),
            shown,
            idle_px: None,
            handles: Vec::new(),
        };
        recorder.push_switches(&session.editor);
        recorder.push_pose();
        Ok(recorder)
    }

    /// Records an event that is about to be handled.
    pub fn event(&mut self, kind: &EventKind, mods: Mods, session: &Session) {
        self.before(&session.editor);
        self.record(kind, mods, Held::of(session));
    }

    /// Finishes the record of an event after it was handled. Copies are recorded as an edit instead of the
    /// command that made them, because later events need their names.
    pub fn after(&mut self, editor: &Editor) {
        if editor.scene().nodes().len() > self.names.len() {
            self.events.close();
            self.events.pop();
            self.record_log(editor);
            self.push(EventKind::Select(editor.selection().nodes().to_vec()));
        }
        // Undo hides and shows the handles that a section has shown, which a recording that has started over does
        // not know.
        let before = &self.before.settings;
        let settings = AllSettings { box_result: editor.values().box_result, ..*before };
        let settings = SettingsPatch::between(before, &settings);
        if !settings.is_empty() {
            self.push(EventKind::Set(Box::new(settings)));
        }
    }

    fn record(&mut self, kind: &EventKind, mods: Mods, held: Held) {
        let event = Event { kind: kind.clone(), mods }.write(&self.names);
        let at = match kind {
            EventKind::Move(px) if held == Held::Nothing => Some(*px),
            _ => None,
        };
        match (self.idle_px, at) {
            (Some(before), Some(at)) if before.distance(at) < STEP_PX => self.events.replace_last(&event),
            _ => {
                self.idle_px = at;
                self.events.push(kind, &event, held == Held::Something);
            }
        }
    }

    fn push(&mut self, kind: EventKind) {
        self.record(&kind, Mods::default(), Held::Nothing);
    }

    /// Records changes of the views after they were updated. A camera that has moved since is recorded once the views
    /// follow, because a press before that refers to the views that are shown.
    pub fn look(&mut self, session: &Session) {
        let shown = Shown::of(session);
        let shows_cameras =
            || session.cameras.views(&session.canvas).is_ok_and(|it| it == session.views.all());
        if shown == self.shown || !shows_cameras() {
            return;
        }
        // A drag depends on every camera of the views that show it.
        let is_busy = session.editor.is_busy();
        // Handles that flip toward the camera depend on it too, because flipping has hysteresis.
        let is_open = !is_busy && !session.editor.gizmo().settings.display.flip_toward_camera;
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
        // A changed camera ends click-through, so starting over loses nothing.
        let log = session.editor.log();
        let is_idle =
            !is_busy && !session.editor.cube.is_held() && log.open.is_none() && log.unlisted.is_empty();
        if self.events.bytes > self.max_bytes && is_idle {
            self.start_over(session);
            self.max_bytes = MAX_BYTES.max(2 * self.events.bytes);
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
    pub fn before(&mut self, editor: &Editor) {
        self.before = Before::of(editor);
    }

    /// Records the changes that panels made. Returns true if there are any.
    pub fn changed(&mut self, editor: &Editor) -> bool {
        let mut is_changed = self.record_log(editor);
        // After the extents, which may show or hide the handles of a section.
        let settings = SettingsPatch::between(&self.before.settings, &editor.values());
        if !settings.is_empty() {
            self.push(EventKind::Set(Box::new(settings)));
            is_changed = true;
        }
        if self.before.selection != *editor.selection() {
            self.push(EventKind::Select(editor.selection().nodes().to_vec()));
            is_changed = true;
        }
        is_changed
    }

    /// Records what the log has got since [`Recorder::before`]. Returns true if that is anything.
    fn record_log(&mut self, editor: &Editor) -> bool {
        let (scene, log) = (editor.scene(), editor.log());
        let Before { cursor, moves, has_open_edit, .. } = self.before;
        let is_jump = log.done() != cursor.done;
        let (done, made) = log.since(cursor);
        self.name_copies(scene, made);
        self.push_jump(cursor.done, done);
        made.iter().for_each(|entry| self.push_entry(entry));
        self.push_jump(done + made.len(), log.done());
        let is_adjusted = log.open.is_some() && scene.moves() != moves;
        let is_canceled = log.open.is_none() && has_open_edit && made.is_empty();
        if is_adjusted || is_canceled {
            self.push_open_edit(editor);
        }
        is_jump || !made.is_empty() || is_adjusted || is_canceled
    }

    fn push_jump(&mut self, before: usize, done: usize) {
        if before != done {
            self.push(EventKind::GoToStep(done));
        }
    }

    fn push_entry(&mut self, Entry { name, redo, .. }: &Entry) {
        for edit in redo.parts() {
            let Edit::Copy(copies) = edit else { continue };
            let first_name = |(_, copy): &(usize, usize)| Some((*copy, self.first_names.get(copy)?.clone()));
            let renamed: Vec<(usize, String)> = copies.iter().filter_map(first_name).collect();
            if !renamed.is_empty() {
                self.push(EventKind::Raw(Edit::Rename(renamed)));
            }
        }
        if let Edit::Pivot(nodes, _) = redo {
            self.push(EventKind::Select(nodes.clone()));
        }
        self.push(EventKind::Edit(Step { name: name.clone(), edit: redo.clone(), is_open: false }));
    }

    /// Records the edit in progress, or that there is none any longer.
    fn push_open_edit(&mut self, editor: &Editor) {
        let step = match &editor.log().open {
            Some(open) => {
                let edit = open.start.now(editor.scene());
                Step { name: open.name.clone(), edit, is_open: true }
            }
            None => Step { name: String::new(), edit: Edit::All(Vec::new()), is_open: false },
        };
        self.push(EventKind::Edit(step));
    }

    /// Gives new copies names that no other node of the replay has.
    fn name_copies(&mut self, scene: &Scene, made: &[Entry]) {
        let new = self.names.len()..scene.nodes().len();
        if new.is_empty() {
            return;
        }
        let mut taken: HashSet<String> = self.names.iter().cloned().collect();
        // An edit can also rename the copies that it makes.
        let mut first = Values::default();
        made.iter().for_each(|entry| first.add(&entry.undo, scene));
        for node in new {
            let name = first.name(node).unwrap_or(&scene.nodes()[node].name);
            let others = (2..).map(|number| format!("{name} ({number})"));
            let free = std::iter::once(name.clone()).chain(others).find(|name| taken.insert(name.clone()));
            let free = free.unwrap_or_default();
            if free != *name {
                self.first_names.insert(node, name.clone());
            }
            self.names.push(free);
        }
    }

    /// Replaces all events by the edits of the log, and events that lead to the current state of everything
    /// else. Must not be called during a drag or an edit of a field.
    fn start_over(&mut self, session: &Session) {
        let editor = &session.editor;
        self.events = Events::default();
        self.idle_px = None;
        editor.log().entries().iter().for_each(|entry| self.push_entry(entry));
        self.push_jump(editor.log().entries().len(), editor.log().done());
        self.push(EventKind::Set(Box::new(SettingsPatch::all(&editor.values()))));
        for (nodes, place) in editor.other_edited_pivots() {
            self.push(EventKind::Select(nodes));
            self.push(EventKind::Raw(Edit::Pivot(Vec::new(), place)));
        }
        self.push(EventKind::Select(editor.selection().nodes().to_vec()));
        if editor.gizmo().has_edited_pivot() {
            self.push(EventKind::Raw(Edit::Pivot(Vec::new(), editor.gizmo().edited_pivot())));
        }
        self.push_switches(editor);
        let shows_cube = session.cameras.shows_cube;
        if self.head["view_cube"] != json!(shows_cube) {
            self.push(EventKind::ViewCube(shows_cube));
        }
        self.push_pose();
        self.push(EventKind::Window(self.shown.canvas));
        self.push(EventKind::Views(self.shown.ortho_views));
        self.push(match self.shown.looks_through {
            Some(node) => EventKind::LookThrough(Some(node)),
            None => EventKind::Camera(self.shown.camera.clone()),
        });
        if let Some(cursor_px) = editor.pointer().cursor_px {
            self.push(EventKind::Move(cursor_px));
        }
    }

    /// Records the pose, if it is not the one at rest, with which a replay starts.
    fn push_pose(&mut self) {
        if self.shown.pose.is_some() {
            self.push(EventKind::Pose(self.shown.pose));
        }
    }

    /// Records the commands that toggle a state outside of the settings, if it is not the one that a replay starts
    /// with.
    fn push_switches(&mut self, editor: &Editor) {
        for command in Command::ALL.into_iter().filter(|command| command.is_switched(editor)) {
            self.push(EventKind::Command(command));
        }
    }

    /// Returns the number of events.
    pub fn count(&self) -> usize {
        self.events.lines.len()
    }
}

#[cfg(test)]
mod tests;
