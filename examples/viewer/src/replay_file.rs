//! Reads a replay: a scene, a view and a list of events. Everything that does not depend on
//! events is checked here, so that a replay that opens can be run.

mod camera;
mod events;
mod objects;
mod settings;
mod views;

#[cfg(test)]
mod tests;

pub(crate) use camera::Camera;
#[cfg(test)]
pub(crate) use camera::Projection;
pub(crate) use events::{Button, Event, EventKind};
pub(crate) use settings::SettingsPatch;

use crate::built_in;
use crate::file_error::{FileError, PlaceError};
use crate::gltf_file;
use crate::json::{self, Json};
use crate::scene::Scene;
use crate::views::Plans;
use std::path::{Path, PathBuf};
use wgpu_gizmo::math::Viewport;

/// A replay that has been read and checked. Nodes are indices into [`Replay::scene`].
#[derive(Debug, Clone)]
pub(crate) struct Replay {
    /// Width and height of the target.
    pub(crate) size_px: [u32; 2],
    /// Inside the target; the whole of it unless the file says otherwise.
    pub(crate) viewport: Viewport,
    /// Physical pixels in a logical one.
    pub(crate) scale_factor: f64,
    /// What the first event sees.
    pub(crate) camera: Camera,
    /// Loaded, or made from the objects in the file.
    pub(crate) scene: Scene,
    /// To lay over the defaults.
    pub(crate) settings: SettingsPatch,
    /// Selected at the start; the last is the active one.
    pub(crate) select: Vec<usize>,
    /// The cameras of the other views, where there are four.
    pub(crate) plans: Option<Plans>,
    /// What happens, in order.
    pub(crate) events: Vec<Event>,
}

impl Replay {
    /// No events: a scene from where a window of this size first shows it.
    pub(crate) fn still(scene: Scene, size_px: [u32; 2]) -> Self {
        let viewport = Viewport::of_size(size_px[0], size_px[1]);
        Self {
            size_px,
            viewport,
            scale_factor: 1.0,
            camera: Camera::of_window(&scene, viewport),
            scene,
            settings: SettingsPatch::default(),
            select: Vec::new(),
            plans: None,
            events: Vec::new(),
        }
    }
}

/// Largest width and height: what any GPU can render to.
const MAX_SIZE_PX: usize = 16384;

/// Reads and checks a replay, and the scene it names.
pub(crate) fn open(path: &Path) -> Result<Replay, FileError> {
    let bytes = gltf_file::file_bytes(path).map_err(|what| FileError::new(path, what))?;
    from_bytes(&bytes, path)
}

/// As [`open`], of a file whose contents are at hand.
pub(crate) fn from_bytes(bytes: &[u8], path: &Path) -> Result<Replay, FileError> {
    if bytes.trim_ascii().is_empty() {
        return Err(FileError::new(path, "is empty"));
    }
    let document = json::parse(bytes).map_err(|error| error.in_file(path))?;
    let root = Json::root(&document);
    let here = |error: PlaceError| error.in_file(path);
    check_head(&root).map_err(here)?;
    let scene = match scene_source(&root).map_err(here)? {
        Source::Here(scene) => *scene,
        Source::Gltf(file) => gltf_file::open(&path.parent().unwrap_or(Path::new("")).join(file))?,
    };
    read(&root, scene).map_err(here)
}

fn check_head(root: &Json<'_>) -> Result<(), PlaceError> {
    root.only(&[
        "version",
        "size_px",
        "viewport",
        "scale_factor",
        "camera",
        "scene",
        "settings",
        "select",
        "views",
        "events",
    ])?;
    let version = root.need("version")?;
    match version.number()? {
        1.0 => Ok(()),
        _ => Err(version.error("only version 1 can be read")),
    }
}

enum Source {
    Here(Box<Scene>),
    Gltf(PathBuf),
}

type MakeScene = fn() -> Scene;

/// Scenes that need no file.
const BUILT_IN: [(&str, MakeScene); 1] = [("robot_arm", built_in::scene)];

fn scene_source(root: &Json<'_>) -> Result<Source, PlaceError> {
    let scene = root.need("scene")?;
    scene.only(&["objects", "gltf", "built_in"])?;
    match (scene.get("objects")?, scene.get("gltf")?, scene.get("built_in")?) {
        (Some(objects), None, None) => objects::read(&objects).map(|scene| Source::Here(Box::new(scene))),
        (None, Some(file), None) => Ok(Source::Gltf(PathBuf::from(file.text()?))),
        (None, None, Some(name)) => Ok(Source::Here(Box::new(name.one_of(&BUILT_IN)?()))),
        _ => Err(scene.error("must have one of `objects`, `gltf` and `built_in`")),
    }
}

fn read(root: &Json<'_>, scene: Scene) -> Result<Replay, PlaceError> {
    let size_px = size(&root.need("size_px")?)?;
    let viewport = match root.get_some("viewport")? {
        Some(json) => viewport(&json, size_px)?,
        None => Viewport::of_size(size_px[0], size_px[1]),
    };
    let scale_factor = root.get_some("scale_factor")?.map_or(Ok(1.0), |json| json.positive())?;
    let camera = match root.get_some("camera")? {
        Some(json) => camera::read(&json, viewport)?,
        None => Camera::of_window(&scene, viewport),
    };
    let settings = match root.get_some("settings")? {
        Some(json) => settings::read(&json)?,
        None => SettingsPatch::default(),
    };
    let select = match root.get_some("select")? {
        Some(json) => events::selection(&json, &scene)?,
        None => Vec::new(),
    };
    let plans = match root.get_some("views")? {
        Some(json) => views::read(&json, &scene)?,
        None => None,
    };
    let context = events::Context { scene: &scene, viewport };
    let events = root.need("events")?.items()?;
    let events = events.iter().map(|event| events::read(event, &context)).collect::<Result<_, _>>()?;
    Ok(Replay { size_px, viewport, scale_factor, camera, scene, settings, select, plans, events })
}

fn size(json: &Json<'_>) -> Result<[u32; 2], PlaceError> {
    let items = json.items()?;
    let [width, height] = items.as_slice() else {
        return Err(json.error("must be a width and a height"));
    };
    let side = |json: &Json<'_>| match json.index()? {
        0 => Err(json.error("the size is empty: must be 1 or more")),
        side if side > MAX_SIZE_PX => Err(json.error(format!("must be {MAX_SIZE_PX} or less"))),
        side => Ok(side as u32),
    };
    Ok([side(width)?, side(height)?])
}

fn viewport(json: &Json<'_>, [target_width, target_height]: [u32; 2]) -> Result<Viewport, PlaceError> {
    let [x, y, width, height] = json.numbers::<4>()?;
    if width <= 0.0 || height <= 0.0 {
        return Err(json.error("the viewport is empty: width and height must be greater than 0"));
    }
    if x < 0.0 || y < 0.0 || x + width > target_width.into() || y + height > target_height.into() {
        return Err(json.error("the viewport reaches outside the target"));
    }
    Ok(Viewport { x, y, width, height })
}
