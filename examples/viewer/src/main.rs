//! Opens a glTF scene and lets you move its nodes with `wgpu-gizmo`.

mod app;
mod files;
mod headless;
mod panel;
mod preferences;
mod recovery;
mod signals;
mod small_files;
mod tasks;
mod user_data;
mod user_event;

use app::{App, SharedApp, Start};
use clap::Parser;
use gltf_io::{AllowedFolders, Progress, printable};
use render::device::{Gpu, NoAdapter, instance};
use scene::{Scene, built_in};
use session::editor::Editor;
use session::replay_file::{self, Replay, SceneSource};
use std::error::Error;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wgpu::{Backends, InstanceDescriptor};
use winit::event_loop::{ControlFlow, EventLoop};

/// A graphics API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Backend {
    /// Vulkan.
    Vulkan,
    /// OpenGL.
    Gl,
}

impl Backend {
    fn backends(self) -> Backends {
        match self {
            Self::Vulkan => Backends::VULKAN,
            Self::Gl => Backends::GL,
        }
    }
}

/// Opens a glTF scene and lets you move, rotate and scale its nodes.
#[derive(Debug, Clone, Parser)]
#[command(version)]
struct Options {
    /// Opens this .gltf or .glb file instead of the built-in scene.
    scene: Option<PathBuf>,
    /// Plays this replay.
    #[arg(long, value_name = "FILE.json", conflicts_with = "scene")]
    replay: Option<PathBuf>,
    /// Opens no window and needs no display. Prints one line of JSON per event.
    #[arg(long)]
    headless: bool,
    /// The folder that a replay writes its files to.
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// The graphics API; the default is that of the environment variable WGPU_BACKEND.
    #[arg(long)]
    backend: Option<Backend>,
    /// Records the session in the window to this file, as a replay, when the window is closed.
    #[arg(long, value_name = "FILE.json", conflicts_with = "headless")]
    record: Option<PathBuf>,
    /// Prints a line for each frame that the window draws, with the x, y, width and height of the viewport.
    #[arg(long, hide = true, conflicts_with = "headless")]
    print_frames: bool,
    /// Causes a fault in the window when F12 is pressed.
    #[arg(long, hide = true, value_name = "FAULT", conflicts_with = "headless")]
    test_hook: Option<app::TestHook>,
    /// Opens the window without the menu bar and the panel; N shows them.
    #[arg(long)]
    no_panel: bool,
    /// Reports a file that cannot be opened in the window too, as the desktop entry does.
    #[arg(long, conflicts_with = "headless")]
    from_desktop: bool,
    /// Lets the scene read files in this folder, in addition to its own. Can be repeated.
    #[arg(long, value_name = "FOLDER")]
    allow_outside: Vec<PathBuf>,
    /// Writes the pictures after all events as an animation; requires --headless.
    #[arg(long, value_name = "FILE.gif")]
    animation: Option<PathBuf>,
    /// Writes a picture of the final state; requires --headless.
    #[arg(long, value_name = "FILE.png")]
    screenshot: Option<PathBuf>,
}

impl Options {
    fn allowed(&self) -> AllowedFolders {
        AllowedFolders::new(self.allow_outside.iter().cloned())
    }

    /// Returns true if the program was started from a desktop instead of a terminal.
    fn is_from_desktop(&self) -> bool {
        self.from_desktop || (!cfg!(target_os = "linux") && !std::io::stderr().is_terminal())
    }
}

/// The replay that is played if there is no display.
const DEMO: &[u8] = include_bytes!("../replays/demo.json");

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", printable(&error.to_string()));
            if let Some(app::Signaled(signal)) = error.downcast_ref() {
                // Shells report a signal by this status.
                return ExitCode::from(128 + u8::try_from(*signal).unwrap_or_default());
            }
            ExitCode::from(match error.downcast_ref() {
                _ if error.is::<NoDisplay>() => 4,
                Some(headless::ReplayError::Missed(_)) => 1,
                _ if error.is::<NoAdapter>() => 3,
                _ => 2,
            })
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    if options.headless {
        headless::drivers::silence();
        headless::interrupt::end_at_signals();
        headless::interrupt::show_progress();
    }
    let open = |path| replay_file::open_allowing(path, &options.allowed());
    let replay = options.replay.as_deref().map(open).transpose()?;
    if !options.headless {
        return show(options, replay);
    }
    let replay = replay.map_or_else(|| still(options), Ok)?;
    play(&replay, options, &options.out, &mut std::io::stdout().lock())
}

/// Opens the window with a replay or the scene of the command line.
fn show(options: &Options, replay: Option<Replay>) -> Result<(), Box<dyn Error>> {
    if options.screenshot.is_some() {
        return Err("--screenshot needs --headless".into());
    }
    if options.animation.is_some() {
        return Err("--animation needs --headless".into());
    }
    let built_in = SceneSource::BuiltIn("robot_arm");
    let (editor, source, name) = match (&replay, &options.scene) {
        (Some(replay), _) => (Editor::new(replay.scene.clone())?, replay.source.clone(), "replay"),
        (None, Some(path)) => {
            // A file that is not a scene is reported on stderr. Errors that take longer to find are
            // reported in the window.
            match gltf_io::check(path) {
                // The window shows the message, because nobody reads stderr.
                Err(_) if options.is_from_desktop() => {}
                checked => checked?,
            }
            (Editor::new(Scene::default())?, SceneSource::Objects(serde_json::json!([])), "untitled")
        }
        (None, None) => (Editor::new(built_in::scene())?, built_in, "robot arm"),
    };
    let start = match &replay {
        None => Start::new(editor, name, source),
        Some(_) => Start::of_replay(editor, name, source),
    };
    let event_loop = match EventLoop::with_user_event().build() {
        Ok(event_loop) => event_loop,
        Err(error) => return without_display(options, replay, &error),
    };
    event_loop.set_control_flow(ControlFlow::Wait);
    let start = Start {
        file: options.scene.clone(),
        allowed: options.allowed(),
        // A replay's picture is as large as the window.
        shows_panel: !options.no_panel && replay.is_none(),
        replay,
        record: options.record.clone(),
        out: options.out.clone(),
        prints_frames: options.print_frames,
        test_hook: options.test_hook,
        ..start
    };
    recovery::install_panic_hook();
    signals::forward(event_loop.create_proxy());
    let display = event_loop.owned_display_handle();
    let backends = options.backend.map(Backend::backends);
    let mut app = SharedApp::new(App::new((display, event_loop.create_proxy()), backends, start));
    app.keep_at_exit();
    let result = event_loop.run_app(&mut app);
    app.outcome(result)
}

/// The error if a window was asked for and there is no display.
#[derive(Debug, thiserror::Error)]
#[error("Could not open a window: there is no display ({reason}). {instead}")]
struct NoDisplay {
    reason: String,
    instead: String,
}

/// Runs the command line without a window, and returns an error that reports this. Without a scene or a
/// replay, plays the demo replay.
fn without_display(
    options: &Options,
    replay: Option<Replay>,
    error: &dyn Error,
) -> Result<(), Box<dyn Error>> {
    headless::drivers::silence();
    // winit's message begins with a location in its source code.
    let reason = error.to_string();
    let reason = reason.rsplit(": ").next().unwrap_or_default().trim_end_matches('.').to_owned();
    if let Some(replay) = replay {
        play(&replay, options, &options.out, &mut std::io::stdout().lock())?;
        return Err(NoDisplay { reason, instead: "Played the replay without it.".to_owned() }.into());
    }
    if let Some(scene) = &options.scene {
        let picture = free_picture_path(&options.out, scene);
        let options = Options { screenshot: Some(picture.clone()), ..options.clone() };
        play(&still(&options)?, &options, &options.out, &mut std::io::sink())?;
        let instead = format!("Drew the scene to {} instead.", absolute(picture).display());
        return Err(NoDisplay { reason, instead }.into());
    }
    println!("Could not open a window: there is no display ({reason}).");
    println!("Playing a short replay instead. See --help for how to play your own.");
    let folder = if options.out == Path::new(".") { PathBuf::from("demo") } else { options.out.clone() };
    let replay = replay_file::from_bytes(DEMO, Path::new("demo.json"))?;
    play(&replay, options, &folder, &mut std::io::sink())?;
    for event in &replay.events {
        if let replay_file::EventKind::Screenshot(name) = &event.kind {
            println!("{}", absolute(folder.join(name)).display());
        }
    }
    Ok(())
}

/// Returns the absolute path of a file that was written, for a message.
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// Returns a path for a picture of a scene, in a folder and with a name that is not taken.
fn free_picture_path(folder: &Path, scene: &Path) -> PathBuf {
    let stem = scene.file_stem().unwrap_or_default().to_string_lossy();
    let numbered = (1..).map(|number| folder.join(format!("{stem} {number}.png")));
    let mut paths = std::iter::once(folder.join(format!("{stem}.png"))).chain(numbered);
    paths.find(|path| !path.exists()).unwrap_or_default()
}

/// Returns a replay without events: the scene of the command line, or the built-in one, from the camera
/// that the window begins with.
fn still(options: &Options) -> Result<Replay, Box<dyn Error>> {
    let scene = match &options.scene {
        Some(path) => {
            let scene = gltf_io::open_allowing(path, &options.allowed(), &Progress::default())?;
            (scene, SceneSource::Gltf(path.clone()))
        }
        None => (built_in::scene(), SceneSource::BuiltIn("robot_arm")),
    };
    Ok(Replay::still(scene, [1280, 800]))
}

fn play(replay: &Replay, options: &Options, out: &Path, lines: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let instance =
        instance(InstanceDescriptor::new_without_display_handle(), options.backend.map(Backend::backends));
    let gpu = Gpu::new(&instance, None)?;
    if let Some(notice) = &replay.scene.notice {
        eprintln!("{}", printable(notice));
    }
    let pictures =
        headless::Pictures { last: options.screenshot.is_some(), all: options.animation.is_some() };
    let source = options.replay.as_deref();
    headless::Run::check_sizes(&gpu, (replay, source), pictures)?;
    let mut run = headless::Run::new(&gpu, replay, out)?;
    if let Some(path) = &options.animation {
        run.animate(path)?;
    }
    run.play(lines)?;
    if let Some(path) = &options.screenshot {
        run.screenshot(path)?;
    }
    Ok(())
}
