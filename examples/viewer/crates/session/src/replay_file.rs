//! Reads and checks replays, as docs/replays.md describes them. Everything that does not depend on
//! events is checked here, so a replay that opens can be played.

pub(crate) mod camera;
mod drives;
pub(crate) mod edits;
mod events;
mod expected;
mod objects;
pub mod values;
pub(crate) mod views;
pub mod volumes;
pub(crate) mod window;

#[cfg(test)]
mod tests;

pub use camera::Camera;
pub use edits::Step;
pub use events::{Button, Event, EventKind, Mods};
pub use expected::Expected;

use crate::cameras::Cameras;
use crate::settings::SettingsPatch;
use crate::views::{Canvas, OrthoViews};
use gltf_io::json::{self, Json};
use gltf_io::{AllowedFolders, FileError, LocatedError, Progress, Result, Source};
use scene::Scene;
use scene::built_in;
use std::path::{Path, PathBuf};
use wgpu_gizmo_core::math::Viewport;

/// The source of a scene.
#[derive(Debug, Clone, PartialEq)]
pub enum SceneSource {
    /// The name of a built-in scene.
    BuiltIn(&'static str),
    /// A glTF file; the path is relative to the working directory.
    Gltf(PathBuf),
    /// The list of objects of a replay.
    Objects(serde_json::Value),
}

/// A replay that has been read and checked. Nodes are indices into [`Replay::scene`].
#[derive(Debug, Clone)]
pub struct Replay {
    /// The render target and the viewport, which covers all of it by default.
    pub canvas: Canvas,
    /// The camera at the start.
    pub camera: Camera,
    /// The scene, loaded from a file or made from the objects of the replay.
    pub scene: Scene,
    /// The source of the scene.
    pub source: SceneSource,
    /// Changes to the default settings.
    pub settings: SettingsPatch,
    /// The nodes that are selected at the start; the last is the active one.
    pub select: Vec<usize>,
    /// The cameras of the top, front and side views, or `None` for one view.
    pub(crate) ortho_views: Option<OrthoViews>,
    /// The node whose camera the main view shows at the start.
    pub look_through: Option<usize>,
    /// Whether the view cube is shown.
    pub view_cube: bool,
    /// The events in order.
    pub events: Vec<Event>,
}

impl Replay {
    /// Returns a replay without events that shows a scene as a window of this size first shows it.
    pub fn still((scene, source): (Scene, SceneSource), size_px: [u32; 2]) -> Self {
        let viewport = Viewport::from_size(size_px[0], size_px[1]);
        let canvas = Canvas { size_px, viewport, scale_factor: 1.0 };
        let camera = Camera::of_window(&scene, viewport);
        let (settings, select, ortho_views, look_through, view_cube, events) = Default::default();
        Self { canvas, camera, scene, source, settings, select, ortho_views, look_through, view_cube, events }
    }
}

/// Reads and checks a replay and the scene that it refers to.
pub fn open(path: &Path) -> Result<Replay, FileError> {
    open_allowing(path, &AllowedFolders::default())
}

/// Like [`open`], for a scene that may read files in further folders.
pub fn open_allowing(path: &Path, allowed: &AllowedFolders) -> Result<Replay, FileError> {
    let bytes = gltf_io::read_file(path).map_err(|what| FileError::new(path, what))?;
    parse(&bytes, path, allowed)
}

/// Like [`open`], with the contents of the file given.
pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Replay, FileError> {
    parse(bytes, path, &AllowedFolders::default())
}

fn parse(bytes: &[u8], path: &Path, allowed: &AllowedFolders) -> Result<Replay, FileError> {
    if bytes.trim_ascii().is_empty() {
        return Err(FileError::new(path, "is empty"));
    }
    let document = json::parse(bytes).map_err(|error| error.in_file(path))?;
    let root = Json::root(&document);
    let in_file = |error: LocatedError| error.in_file(path);
    check_head(&root).map_err(in_file)?;
    let (source, scene) = scene_source(&root, path).map_err(in_file)?;
    let mut changed = None;
    let scene = match (scene, &source) {
        (None, SceneSource::Gltf(file)) => {
            let mut scene = gltf_io::open_allowing(file, allowed, &Progress::default())?;
            let source = root.need("scene").map_err(in_file)?;
            let recorded = source.read("contents", |json| Ok(json.text()?.to_owned())).map_err(in_file)?;
            if recorded.is_some() && recorded != contents(&scene) {
                changed = Some(format!("{} has changed since it was recorded", file.display()));
                let notices = [changed.clone(), scene.notice];
                scene.notice = Some(notices.into_iter().flatten().collect::<Vec<_>>().join(". "));
            }
            scene
        }
        (scene, _) => scene.unwrap_or_default(),
    };
    read(&root, scene, source).map_err(|mut error| {
        // Probably the reason.
        error.what.extend(changed.map(|changed| format!("; {changed}")));
        in_file(error)
    })
}

/// Returns the hash of the file that a scene was read from, if there is one.
pub(crate) fn contents(scene: &Scene) -> Option<String> {
    let (_, stamp) = Source::of(scene)?.stamps.first()?;
    Some(format!("{:016x}", stamp.fingerprint()?.contents))
}

fn check_head(root: &Json<'_>) -> Result<()> {
    root.only(&[
        "version",
        "size_px",
        "viewport",
        "scale_factor",
        "camera",
        "look_through",
        "scene",
        "settings",
        "select",
        "views",
        "view_cube",
        "events",
    ])?;
    let version = root.need("version")?;
    match version.number()? {
        1.0 => Ok(()),
        _ => Err(version.error("only version 1 can be read")),
    }
}

type MakeScene = fn() -> Scene;

/// The built-in scenes by name.
const BUILT_IN: [(&str, MakeScene); 1] = [("robot_arm", built_in::scene)];

/// Returns the source of the scene, and the scene unless it is in a file.
fn scene_source(root: &Json<'_>, path: &Path) -> Result<(SceneSource, Option<Scene>)> {
    let scene = root.need("scene")?;
    scene.only(&["objects", "gltf", "built_in", "contents"])?;
    match (scene.get("objects")?, scene.get("gltf")?, scene.get("built_in")?) {
        (Some(objects), None, None) => {
            Ok((SceneSource::Objects(objects.value().clone()), Some(objects::read(&objects)?)))
        }
        (None, Some(file), None) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            Ok((SceneSource::Gltf(folder.join(file.text()?)), None))
        }
        (None, None, Some(name)) => {
            let (name, make) = name.one_of(&BUILT_IN.map(|(name, make)| (name, (name, make))))?;
            Ok((SceneSource::BuiltIn(name), Some(make())))
        }
        _ => Err(scene.error("must have one of `objects`, `gltf` and `built_in`")),
    }
}

fn read(root: &Json<'_>, mut scene: Scene, source: SceneSource) -> Result<Replay> {
    let canvas = window::canvas(root)?;
    let viewport = canvas.viewport;
    let camera = root.read("camera", |json| camera::read(json, viewport))?;
    let camera = camera.unwrap_or_else(|| Camera::of_window(&scene, viewport));
    let settings = root.read("settings", SettingsPatch::read)?.unwrap_or_default();
    let select = root.read("select", |json| events::selection(json, &scene))?.unwrap_or_default();
    let ortho_views = root.read("views", |json| views::read(json, &scene, viewport))?.flatten();
    let look_through = root.read("look_through", |json| {
        let node = edits::node(json, &scene)?;
        let mut cameras = Cameras::of_scene(&scene);
        cameras.look_through(node, &scene);
        cameras.views(&canvas).map(|_| node).map_err(|error| json.error(error.to_string()))
    })?;
    let view_cube = root.read("view_cube", Json::boolean)?.unwrap_or(false);
    let items = root.need("events")?.items()?;
    edits::reserve_copies(&items, &mut scene)?;
    let context = events::Context { scene: &scene, viewport };
    let events: Vec<Event> =
        items.iter().map(|event| events::read(event, &context)).collect::<Result<_, _>>()?;
    edits::check(&items, &events, &scene)?;
    Ok(Replay {
        canvas,
        camera,
        scene,
        source,
        settings,
        select,
        ortho_views,
        look_through,
        view_cube,
        events,
    })
}
