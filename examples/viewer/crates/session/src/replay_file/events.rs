//! The events of a replay.

use super::camera::{self, Camera};
use super::edits::{self, Step, name, node, or_null};
use super::expected::Expected;
use super::window::{self, MAX_COORDINATE_PX};
use super::{drives, views};
use crate::command::{self, Command, LASSO_KEY, VERTEX_KEY};
use crate::settings::SettingsPatch;
use crate::views::{Canvas, OrthoViews};
use gltf_io::json::Json;
use gltf_io::{Format, Result};
use scene::Scene;
use scene::edit::Edit;
use scene::rig::Pose;
use serde_json::{Map, Value, json};
use std::path::{Component, Path};
use wgpu_gizmo_core::HandleId;
use wgpu_gizmo_core::glam::DVec2;
use wgpu_gizmo_core::interaction::KeyModifiers;
use wgpu_gizmo_core::interaction::drive::Amount;
use wgpu_gizmo_core::math::Viewport;
use wgpu_gizmo_core::pick::Region;

/// The modifiers that are held during an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mods {
    /// Either Shift key.
    pub shift: bool,
    /// Either Ctrl key.
    pub ctrl: bool,
    /// Either Alt key.
    pub alt: bool,
    /// The key that snaps to vertices.
    pub vertex: bool,
    /// The key that draws lassos.
    pub lasso: bool,
}

impl Mods {
    /// Returns the modifiers of a key that is pressed together with these.
    pub(crate) fn of_key(self) -> KeyModifiers {
        KeyModifiers { ctrl: self.ctrl, alt: self.alt, ..KeyModifiers::NONE }
    }
}

/// An event of a replay.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The kind of the event, with its data.
    pub kind: EventKind,
    /// The modifiers that are held during this event only.
    pub mods: Mods,
}

/// A mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    /// Presses and drags.
    Primary,
    /// Cancels a drag.
    Secondary,
    /// Does nothing to a gizmo.
    Middle,
}

/// The kind of an event, with its data.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    /// Moves the pointer to a point of the render target, in physical pixels.
    Move(DVec2),
    /// Presses a button at the position of the pointer.
    Press(Button),
    /// Releases a button.
    Release(Button),
    /// Cancels the drag, box or lasso.
    Cancel,
    /// Presses and releases a key: a character as typed, or a name such as `escape`.
    Key(String),
    /// Runs a command of the viewer.
    Command(Command),
    /// Changes settings.
    Set(Box<SettingsPatch>),
    /// Replaces the selection; the last node is the active one.
    Select(Vec<usize>),
    /// Selects the nodes in a region of the view that contains the region's first corner.
    SelectRegion {
        /// The region, in physical pixels.
        region: Region,
        /// If true, occluded nodes are selected too.
        through: bool,
    },
    /// Replaces the camera.
    Camera(Camera),
    /// Shows the main view through the camera of a node, or through the viewer's camera.
    LookThrough(Option<usize>),
    /// Drags a handle by an amount in world units, radians or factors.
    Drive(HandleId, Amount),
    /// Begins a drag of a handle at the pointer, without a press.
    Grab(HandleId),
    /// Turns the wheel by notches, positive away from the user.
    Wheel(f64),
    /// Makes drags move the gizmo itself, or its targets again.
    EditPivot(bool),
    /// Drops the edited place of the gizmo.
    ResetPivot,
    /// Prints the uses of pointer and keys that belong to the gizmo.
    Claims,
    /// Shows one view or four.
    Views(Option<OrthoViews>),
    /// Shows or hides the view cube.
    ViewCube(bool),
    /// Shows an instant of an animation, or the scene at rest.
    Pose(Option<Pose>),
    /// Changes the render target's size, the viewport or the scale factor.
    Window(Canvas),
    /// Makes an edit, as one undo step.
    Edit(Step),
    /// Makes an edit that is no undo step.
    Raw(Edit),
    /// Undoes or redoes steps until this many are done.
    GoToStep(usize),
    /// Compares nodes with their expected values.
    Expect(Expected),
    /// Undoes one step.
    Undo,
    /// Redoes one step.
    Redo,
    /// Prints where each handle can be pressed.
    Handles,
    /// Prints the readouts of the drag.
    Readouts,
    /// Picks one pixel (column, row) of the render target.
    Pick([i32; 2]),
    /// Prints what is visible in a rectangle, given by two opposite corners (x0, y0, x1, y1).
    Region([f64; 4]),
    /// Writes the ID image to a file with this name.
    DumpIds(String),
    /// Writes the scene with its changes to a file with this name.
    Save(String),
    /// Writes the picture to a file with this name.
    Screenshot(String),
}

impl EventKind {
    /// Returns the command that the event runs with these modifiers, if no drag takes its key.
    pub(crate) fn command(&self, mods: Mods) -> Option<Command> {
        match self {
            Self::Command(command) => Some(*command),
            Self::Key(key) => Command::of(key, mods),
            Self::Undo => Some(Command::Undo),
            Self::Redo => Some(Command::Redo),
            _ => None,
        }
    }

    /// Returns true if the event asks something and changes nothing.
    pub fn is_query(&self) -> bool {
        use EventKind::{Claims, DumpIds, Handles, Pick, Readouts, Region, Save, Screenshot};
        matches!(
            self,
            Handles | Readouts | Claims | Pick(_) | Region(_) | DumpIds(_) | Save(_) | Screenshot(_)
        )
    }

    /// Returns the key of the event in a file.
    pub fn name(&self) -> &'static str {
        self.write(&[]).0
    }

    /// Returns the key and the value of the event in a file. Nodes are identified by these names.
    fn write(&self, names: &[String]) -> (&'static str, Value) {
        let one = |node: &usize| name(*node, names);
        match self {
            Self::Move(px) => ("move", json!(px.to_array())),
            Self::Press(button) => ("press", json!(button.name())),
            Self::Release(button) => ("release", json!(button.name())),
            Self::Cancel => ("cancel", json!(true)),
            Self::Key(key) => ("key", json!(key)),
            Self::Command(command) => ("command", json!(command.name())),
            Self::Set(patch) => ("set", Value::Object(patch.0.clone())),
            Self::Select(nodes) => ("select", nodes.iter().map(one).collect()),
            Self::SelectRegion { region, through } => ("select_region", written_region(region, *through)),
            Self::Camera(camera) => ("camera", camera::write(camera)),
            Self::LookThrough(node) => ("look_through", json!(node.as_ref().map(one))),
            Self::Drive(handle, amount) => ("drive", drives::write(*handle, *amount)),
            Self::Grab(handle) => ("grab", json!(handle.name())),
            Self::Wheel(notches) => ("wheel", json!(notches)),
            Self::EditPivot(is_on) => ("edit_pivot", json!(is_on)),
            Self::ResetPivot => ("reset_pivot", json!(true)),
            Self::Claims => ("claims", json!(true)),
            Self::Views(ortho_views) => ("views", views::write(ortho_views.as_ref())),
            Self::ViewCube(is_shown) => ("view_cube", json!(is_shown)),
            Self::Pose(pose) => {
                let written = |Pose { animation, time }| json!({ "animation": animation, "time": time });
                ("pose", json!(pose.map(written)))
            }
            Self::Window(canvas) => ("window", Value::Object(window::write(canvas))),
            Self::Edit(step) => ("edit", step.write(names)),
            Self::Raw(edit) => edits::write(edit, names),
            Self::GoToStep(done) => ("go_to_step", json!(done)),
            Self::Expect(expected) => ("expect", expected.write(names)),
            Self::Undo => ("undo", json!(true)),
            Self::Redo => ("redo", json!(true)),
            Self::Handles => ("handles", json!(true)),
            Self::Readouts => ("readouts", json!(true)),
            Self::Pick(pixel) => ("pick", json!(pixel)),
            Self::Region(corners) => ("region", json!(corners)),
            Self::DumpIds(name) => ("dump_ids", json!(name)),
            Self::Save(name) => ("save", json!(name)),
            Self::Screenshot(name) => ("screenshot", json!(name)),
        }
    }
}

impl Event {
    /// Returns the event as JSON. Nodes are identified by these names.
    pub(crate) fn write(&self, names: &[String]) -> Value {
        let (key, value) = self.kind.write(names);
        let mut object = Map::from_iter([(key.to_owned(), value)]);
        let mut mods = self.mods;
        let held = MODIFIERS.iter().filter(|(_, flag)| std::mem::take(flag(&mut mods)));
        let held: Vec<&str> = held.map(|(name, _)| *name).collect();
        if !held.is_empty() {
            object.insert("mods".to_owned(), json!(held));
        }
        Value::Object(object)
    }
}

/// The data that events are checked against.
pub(super) struct Context<'a> {
    /// The scene, for the names of nodes.
    pub(super) scene: &'a Scene,
    /// The viewport, for cameras.
    pub(super) viewport: Viewport,
}

type Reader = fn(&Json<'_>, &Context<'_>) -> Result<EventKind>;

/// The readers of all events but edits, by key.
const EVENTS: [(&str, Reader); 33] = [
    ("move", |json, _| Ok(EventKind::Move(json.numbers_up_to::<2>(MAX_COORDINATE_PX)?.into()))),
    ("press", |json, _| Ok(EventKind::Press(json.one_of(&BUTTONS)?))),
    ("release", |json, _| Ok(EventKind::Release(json.one_of(&BUTTONS)?))),
    ("cancel", |json, _| only_true(json, EventKind::Cancel)),
    ("key", |json, _| Ok(EventKind::Key(key(json)?))),
    ("command", |json, _| Ok(EventKind::Command(command(json)?))),
    ("set", |json, _| Ok(EventKind::Set(Box::new(SettingsPatch::read(json)?)))),
    ("select", |json, context| Ok(EventKind::Select(selection(json, context.scene)?))),
    ("select_region", |json, _| select_region(json)),
    ("camera", |json, context| Ok(EventKind::Camera(camera::read(json, context.viewport)?))),
    ("views", |json, context| Ok(EventKind::Views(views::read(json, context.scene, context.viewport)?))),
    ("look_through", |json, context| {
        Ok(EventKind::LookThrough(or_null(json, |json| node(json, context.scene))?))
    }),
    ("view_cube", |json, _| Ok(EventKind::ViewCube(json.boolean()?))),
    ("pose", |json, context| Ok(EventKind::Pose(or_null(json, |json| pose(json, context.scene))?))),
    ("window", |json, _| Ok(EventKind::Window(window::read(json)?))),
    ("edit", |json, context| Ok(EventKind::Edit(Step::read(json, context.scene)?))),
    ("go_to_step", |json, _| Ok(EventKind::GoToStep(json.index()?))),
    ("expect", |json, context| Ok(EventKind::Expect(Expected::read(json, context.scene)?))),
    ("drive", |json, _| drives::read(json).map(|(handle, amount)| EventKind::Drive(handle, amount))),
    ("grab", |json, _| drives::handle(json).map(EventKind::Grab)),
    ("wheel", |json, _| Ok(EventKind::Wheel(json.number_in([-MAX_NOTCHES, MAX_NOTCHES])?))),
    ("edit_pivot", |json, _| Ok(EventKind::EditPivot(json.boolean()?))),
    ("reset_pivot", |json, _| only_true(json, EventKind::ResetPivot)),
    ("claims", |json, _| only_true(json, EventKind::Claims)),
    ("undo", |json, _| only_true(json, EventKind::Undo)),
    ("redo", |json, _| only_true(json, EventKind::Redo)),
    ("handles", |json, _| only_true(json, EventKind::Handles)),
    ("readouts", |json, _| only_true(json, EventKind::Readouts)),
    ("pick", |json, _| Ok(EventKind::Pick(pixel(json)?))),
    ("region", |json, _| Ok(EventKind::Region(json.numbers_up_to::<4>(MAX_COORDINATE_PX)?))),
    ("dump_ids", |json, _| Ok(EventKind::DumpIds(file_name(json)?))),
    ("save", |json, _| Ok(EventKind::Save(scene_name(json)?))),
    ("screenshot", |json, _| Ok(EventKind::Screenshot(file_name(json)?))),
];

/// The largest number of wheel notches in one event.
const MAX_NOTCHES: f64 = 1e4;
/// The largest number of points of a lasso.
const MAX_LASSO_POINTS: usize = 1 << 16;

const BUTTONS: [(&str, Button); 3] =
    [("primary", Button::Primary), ("secondary", Button::Secondary), ("middle", Button::Middle)];

impl Button {
    fn name(self) -> &'static str {
        BUTTONS.iter().find(|(_, button)| *button == self).map_or("", |(name, _)| name)
    }
}

pub(super) fn read(json: &Json<'_>, context: &Context<'_>) -> Result<Event> {
    let keys: Vec<&str> = json.keys()?.filter(|&key| key != "mods").collect();
    let &[key] = keys.as_slice() else {
        return Err(json.error(format!("must have one key besides `mods`, not {}", keys.len())));
    };
    let mods = mods(json)?;
    let value = json.need(key)?;
    if let Some(edit) = edits::read(key, &value, context.scene)? {
        return Ok(Event { kind: EventKind::Raw(edit), mods });
    }
    let known = || EVENTS.iter().map(|(name, _)| *name).chain(edits::KEYS).collect::<Vec<_>>().join(", ");
    let reader = EVENTS.iter().find(|(name, _)| *name == key);
    let (_, reader) =
        reader.ok_or_else(|| json.error(format!("unknown event `{key}`; known: {}", known())))?;
    Ok(Event { kind: reader(&value, context)?, mods })
}

type Flag = fn(&mut Mods) -> &mut bool;

/// The modifiers by name.
const MODIFIERS: [(&str, Flag); 5] = [
    ("shift", |mods| &mut mods.shift),
    ("ctrl", |mods| &mut mods.ctrl),
    ("alt", |mods| &mut mods.alt),
    (VERTEX_KEY, |mods| &mut mods.vertex),
    (LASSO_KEY, |mods| &mut mods.lasso),
];

fn mods(json: &Json<'_>) -> Result<Mods> {
    let mut mods = Mods::default();
    for name in json.items_of("mods")? {
        *name.one_of(&MODIFIERS)?(&mut mods) = true;
    }
    Ok(mods)
}

fn only_true(json: &Json<'_>, kind: EventKind) -> Result<EventKind> {
    if json.boolean()? { Ok(kind) } else { Err(json.error("must be true")) }
}

fn command(json: &Json<'_>) -> Result<Command> {
    let names = Command::ALL.map(Command::name);
    let named: Vec<_> = names.iter().map(String::as_str).zip(Command::ALL).collect();
    json.one_of(&named)
}

fn key(json: &Json<'_>) -> Result<String> {
    let text = json.text()?;
    match text.chars().count() == 1 || command::has_name(text) {
        true => Ok(text.to_owned()),
        false => Err(json.error(format!(
            "unknown key `{text}`; known: one character, enter, escape, backspace, tab, left, right, up, \
             down, f1, f4"
        ))),
    }
}

/// Reads a list of nodes by name, each at most once.
pub(super) fn selection(json: &Json<'_>, scene: &Scene) -> Result<Vec<usize>> {
    let mut selected = Vec::new();
    for name in json.items()? {
        let node = node(&name, scene)?;
        if selected.contains(&node) {
            return Err(name.error("is selected already"));
        }
        selected.push(node);
    }
    Ok(selected)
}

fn select_region(json: &Json<'_>) -> Result<EventKind> {
    json.only(&["rect", "lasso", "through"])?;
    let region = match (json.get("rect")?, json.get("lasso")?) {
        (Some(rect), None) => {
            let [x0, y0, x1, y1] = rect.numbers::<4>()?;
            Region::Rectangle([DVec2::new(x0, y0), DVec2::new(x1, y1)])
        }
        (None, Some(lasso)) => {
            let points = lasso.items()?;
            if points.len() > MAX_LASSO_POINTS {
                return Err(lasso.error(format!("must have {MAX_LASSO_POINTS} points or fewer")));
            }
            let points =
                points.iter().map(|point| point.numbers_up_to::<2>(MAX_COORDINATE_PX).map(DVec2::from));
            Region::Lasso(points.collect::<Result<_, _>>()?)
        }
        _ => return Err(json.error("must have one of `rect` and `lasso`")),
    };
    if matches!(&region, Region::Lasso(points) if points.len() < 3) {
        return Err(json.need("lasso")?.error("a lasso has three points or more"));
    }
    let through = json.read("through", Json::boolean)?.unwrap_or(false);
    Ok(EventKind::SelectRegion { region, through })
}

fn written_region(region: &Region, through: bool) -> Value {
    match region {
        Region::Rectangle([a, b]) => json!({ "rect": [a.x, a.y, b.x, b.y], "through": through }),
        Region::Lasso(points) => {
            let points: Vec<[f64; 2]> = points.iter().map(|px| px.to_array()).collect();
            json!({ "lasso": points, "through": through })
        }
    }
}

fn pixel(json: &Json<'_>) -> Result<[i32; 2]> {
    let whole = |n: f64| (n.fract() == 0.0 && n.abs() < 1e9).then_some(n as i32);
    match json.numbers::<2>()?.map(whole) {
        [Some(column), Some(row)] => Ok([column, row]),
        _ => Err(json.error("must be a column and a row: whole numbers")),
    }
}

/// Like [`file_name`], with the extension of a glTF file.
fn scene_name(json: &Json<'_>) -> Result<String> {
    let name = file_name(json)?;
    match Format::of(Path::new(&name)) {
        Some(_) => Ok(name),
        None => Err(json.error("must end in .glb or .gltf")),
    }
}

/// Reads a file name that stays inside the output folder.
fn file_name(json: &Json<'_>) -> Result<String> {
    let text = json.text()?;
    let inside = Path::new(text).components().all(|part| matches!(part, Component::Normal(_)));
    match inside && !text.is_empty() && !text.contains('\0') {
        true => Ok(text.to_owned()),
        false => Err(json.error("must be a file name inside the output folder")),
    }
}

/// Reads `{"animation": INDEX, "time": SECONDS}`.
fn pose(json: &Json<'_>, scene: &Scene) -> Result<Pose> {
    json.only(&["animation", "time"])?;
    let animation = json.need("animation")?.index_below(scene.rig().animations.len(), "animations")?;
    Ok(Pose { animation, time: json.need("time")?.number()? })
}
