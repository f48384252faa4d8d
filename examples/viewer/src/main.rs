//! Opens a glTF scene and lets you move its nodes with `wgpu-gizmo`.

mod app;
mod files;
mod headless;
mod messages;
mod options;
mod panel;
mod preferences;
mod recovery;
mod signals;
mod small_files;
mod tasks;
mod user_data;
mod user_event;

use app::{App, SharedApp, Start};
use gltf_io::Progress;
use messages::{print, print_error};
use options::Options;
use render::device::{Gpu, NoAdapter, instance};
use scene::{Scene, built_in};
use session::editor::Editor;
use session::replay_file::{self, Replay, SceneSource};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wgpu::InstanceDescriptor;
use winit::event_loop::{ControlFlow, EventLoop};

/// The replay that is played if there is no display.
const DEMO: &[u8] = include_bytes!("../replays/demo.json");

fn main() -> ExitCode {
    let options = match Options::parse(lexopt::Parser::from_env()) {
        Ok(Some(options)) => options,
        Ok(None) => return ExitCode::SUCCESS,
        Err(error) => {
            print_error(&format!("{error}. See --help."));
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error.to_string());
            if let Some(app::Signaled(signal)) = error.downcast_ref() {
                // Shells report a signal by this status.
                return ExitCode::from(128 + u8::try_from(*signal).unwrap_or_default());
            }
            ExitCode::from(match () {
                () if error.is::<NoDisplay>() => 4,
                () if error.is::<headless::Missed>() => 1,
                () if error.is::<NoAdapter>() => 3,
                () => 2,
            })
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    if options.is_headless {
        headless::drivers::silence();
        headless::interrupt::end_at_signals();
        headless::interrupt::show_progress();
    }
    let open = |path| replay_file::open_allowing(path, &options.allowed());
    let replay = options.replay.as_deref().map(open).transpose()?;
    replay.iter().for_each(|replay| print_notice(&replay.scene));
    if !options.is_headless {
        return show(options, replay);
    }
    let replay = replay.map_or_else(|| still(options), Ok)?;
    play(&replay, options, &options.out, &mut std::io::stdout().lock())
}

/// Opens the window with a replay or the scene of the command line.
fn show(options: &Options, replay: Option<Replay>) -> Result<(), Box<dyn Error>> {
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
    let event_loop = match EventLoop::with_user_event().build() {
        Ok(event_loop) => event_loop,
        Err(error) => return without_display(options, replay, &error),
    };
    event_loop.set_control_flow(ControlFlow::Wait);
    let start = Start { editor, name, source, replay, options: options.clone() };
    recovery::install_panic_hook();
    signals::forward(event_loop.create_proxy());
    let display = event_loop.owned_display_handle();
    let mut app = SharedApp::new(App::new((display, event_loop.create_proxy()), start));
    app.keep_at_exit();
    let result = event_loop.run_app(&mut app);
    app.0.borrow_mut().outcome(result)
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
        let stem = scene.file_stem().unwrap_or_default().to_string_lossy();
        let first = options.out.join(format!("{stem}.png"));
        let numbered = || small_files::free_path(|number| options.out.join(format!("{stem} {number}.png")));
        let picture = if first.exists() { numbered() } else { first };
        let options = Options { screenshot: Some(picture.clone()), ..options.clone() };
        play(&still(&options)?, &options, &options.out, &mut std::io::sink())?;
        let instead = format!("Drew the scene to {} instead.", absolute(picture).display());
        return Err(NoDisplay { reason, instead }.into());
    }
    print(&format!("Could not open a window: there is no display ({reason})."));
    print("Playing a short replay instead. See --help for how to play your own.");
    let folder = if options.out == Path::new(".") { PathBuf::from("demo") } else { options.out.clone() };
    let replay = replay_file::from_bytes(DEMO, Path::new("demo.json"))?;
    play(&replay, options, &folder, &mut std::io::sink())?;
    for event in &replay.events {
        if let replay_file::EventKind::Screenshot(name) = &event.kind {
            print(&absolute(folder.join(name)).to_string_lossy());
        }
    }
    Ok(())
}

/// Returns the absolute path of a file that was written, for a message.
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// Returns a replay without events: the scene of the command line, or the built-in one, from the camera
/// that the window begins with.
fn still(options: &Options) -> Result<Replay, Box<dyn Error>> {
    let scene = match &options.scene {
        Some(path) => {
            let scene = gltf_io::open_allowing(path, &options.allowed(), &Progress::default())?;
            print_notice(&scene);
            (scene, SceneSource::Gltf(path.clone()))
        }
        None => (built_in::scene(), SceneSource::BuiltIn("robot_arm")),
    };
    Ok(Replay::still(scene, [1280, 800]))
}

/// Prints what is not as it was or not shown in a scene, if anything.
fn print_notice(scene: &Scene) {
    if let Some(notice) = &scene.notice {
        print_error(notice);
    }
}

fn play(replay: &Replay, options: &Options, out: &Path, lines: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let instance = instance(InstanceDescriptor::new_without_display_handle(), options.backends);
    let gpu = Gpu::new(&instance, None)?;
    let pictures =
        headless::Pictures { last: options.screenshot.is_some(), all: options.animation.is_some() };
    let source = options.replay.as_deref();
    headless::Run::check_sizes(&gpu, (replay, source), pictures)?;
    let mut run = headless::Run::new(&gpu, (replay, source), out)?;
    if let Some(path) = &options.animation {
        run.animate(path)?;
    }
    run.play(lines)?;
    if let Some(path) = &options.screenshot {
        run.screenshot(path)?;
    }
    Ok(())
}
