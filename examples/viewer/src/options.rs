//! The command line.

use crate::app::TestHook;
use gltf_io::AllowedFolders;
use lexopt::Arg::{Long, Short, Value};
use lexopt::{Error, Parser, ValueExt};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use wgpu::Backends;

const HELP: &str = "\
Opens a glTF scene and lets you move, rotate and scale its nodes.

Usage: wgpu-gizmo-viewer [OPTIONS] [SCENE]

  SCENE                     opens this .gltf or .glb file instead of the built-in scene
  --replay FILE.json        plays this replay
  --headless                opens no window and needs no display; prints one line of JSON per event
  --out DIR                 the folder that a replay writes its files to (this one, unless given)
  --backend vulkan|gl       the graphics API (that of the environment variable WGPU_BACKEND, unless given)
  --record FILE.json        records the session in the window to this file, as a replay, when it is closed
  --no-panel                opens the window without the menu bar and the panel; N shows them
  --from-desktop            reports a file that cannot be opened in the window too, as the desktop entry does
  --allow-outside FOLDER    lets the scene read files in this folder, in addition to its own; can be repeated
  --animation FILE.png      writes the pictures after all events as an animation; requires --headless
  --screenshot FILE.png     writes a picture of the final state; requires --headless
  -h, --help                prints this
  -V, --version             prints the version
";

const VERSION: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"), "\n");

/// The options of the command line, which [`HELP`] describes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    pub(crate) scene: Option<PathBuf>,
    pub(crate) replay: Option<PathBuf>,
    pub(crate) is_headless: bool,
    pub(crate) out: PathBuf,
    pub(crate) backends: Option<Backends>,
    pub(crate) record: Option<PathBuf>,
    /// Prints a line for each frame that the window draws, with the x, y, width and height of the viewport. For tests.
    pub(crate) prints_frames: bool,
    /// A fault that F12 causes in the window. For tests.
    pub(crate) test_hook: Option<TestHook>,
    pub(crate) hides_panel: bool,
    pub(crate) from_desktop: bool,
    pub(crate) allow_outside: Vec<PathBuf>,
    pub(crate) animation: Option<PathBuf>,
    pub(crate) screenshot: Option<PathBuf>,
}

impl Options {
    /// Reads the command line. Prints what it asks for and returns `None` if that is help or the version.
    pub(crate) fn parse(mut arguments: Parser) -> Result<Option<Self>, Error> {
        let mut options = Self { out: ".".into(), ..Self::default() };
        while let Some(argument) = arguments.next()? {
            match argument {
                Value(scene) if options.scene.is_none() => options.scene = Some(scene.into()),
                Long("replay") => options.replay = Some(arguments.value()?.into()),
                Long("headless") => options.is_headless = true,
                Long("out") => options.out = arguments.value()?.into(),
                Long("backend") => {
                    let backends = [("vulkan", Backends::VULKAN), ("gl", Backends::GL)];
                    options.backends = Some(one_of(&mut arguments, &backends)?);
                }
                Long("record") => options.record = Some(arguments.value()?.into()),
                Long("print-frames") => options.prints_frames = true,
                Long("test-hook") => options.test_hook = Some(one_of(&mut arguments, TestHook::ALL)?),
                Long("no-panel") => options.hides_panel = true,
                Long("from-desktop") => options.from_desktop = true,
                Long("allow-outside") => {
                    let folder = PathBuf::from(arguments.value()?);
                    if !folder.is_dir() {
                        return Err(format!("--allow-outside: {} is not a folder", folder.display()).into());
                    }
                    options.allow_outside.push(folder);
                }
                Long("animation") => options.animation = Some(arguments.value()?.into()),
                Long("screenshot") => options.screenshot = Some(arguments.value()?.into()),
                Short('h') | Long("help") => return Ok(print(HELP)),
                Short('V') | Long("version") => return Ok(print(VERSION)),
                _ => return Err(argument.unexpected()),
            }
        }
        let is_windowed = options.record.is_some() || options.from_desktop;
        let has_pictures = options.animation.is_some() || options.screenshot.is_some();
        match options.is_headless {
            _ if options.replay.is_some() && options.scene.is_some() => {
                Err("a replay has a scene of its own, so --replay excludes SCENE".into())
            }
            true if is_windowed => {
                Err("--record and --from-desktop need a window, without --headless".into())
            }
            false if has_pictures => Err("--screenshot and --animation need --headless".into()),
            _ => Ok(Some(options)),
        }
    }

    pub(crate) fn allowed(&self) -> AllowedFolders {
        AllowedFolders::new(self.allow_outside.iter().cloned())
    }

    /// Returns true if the program was started from a desktop instead of a terminal.
    pub(crate) fn is_from_desktop(&self) -> bool {
        self.from_desktop || (!cfg!(target_os = "linux") && !std::io::stderr().is_terminal())
    }
}

/// Prints a text, unless nobody reads it.
fn print(text: &str) -> Option<Options> {
    let _ = std::io::stdout().write_all(text.as_bytes());
    None
}

/// Reads a value that is one of these names.
fn one_of<T: Copy>(arguments: &mut Parser, names: &[(&str, T)]) -> Result<T, Error> {
    arguments.value()?.parse_with(|text| {
        let found = names.iter().find(|(name, _)| *name == text);
        let listed = || names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        found.map(|(_, value)| *value).ok_or_else(|| format!("it is none of {}", listed()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, String> {
        let parsed = Options::parse(Parser::from_args(arguments));
        parsed.map(|options| options.expect("nothing is printed")).map_err(|error| error.to_string())
    }

    #[test]
    fn options_of_help_are_understood() {
        let mut count = 0;
        for line in HELP.lines().filter(|line| line.starts_with("  --")) {
            let mut words = line.split_whitespace();
            let name = words.next().expect("the line has an option");
            let mut arguments = vec![name];
            match words.next().expect("the line has a description") {
                "vulkan|gl" => arguments.push("gl"),
                "FILE.json" | "FILE.png" | "DIR" => arguments.push("path"),
                "FOLDER" => arguments.push("."),
                _ => {}
            }
            arguments.extend(line.ends_with("requires --headless").then_some("--headless"));
            parse(&arguments).unwrap_or_else(|error| panic!("{name}: {error}"));
            count += 1;
        }
        assert_eq!(count, 10);
        let options = parse(&["--out=d", "--allow-outside", ".", "--allow-outside=src", "--", "--scene.glb"]);
        let options = options.expect("the command line is valid");
        assert_eq!((options.out, options.scene), ("d".into(), Some("--scene.glb".into())));
        assert_eq!(options.allow_outside, [".", "src"].map(PathBuf::from));
    }

    #[test]
    fn wrong_command_line_is_refused_with_reason() {
        for (arguments, reason) in [
            (&["--bla"][..], "invalid option '--bla'"),
            (&["a.glb", "b.glb"], "unexpected argument \"b.glb\""),
            (&["--replay"], "missing argument for option '--replay'"),
            (&["--headless=yes"], "unexpected argument for option '--headless': \"yes\""),
            (&["--backend", "metal"], "cannot parse argument \"metal\": it is none of vulkan, gl"),
            (&["--replay", "a.json", "b.glb"], "a replay has a scene of its own, so --replay excludes SCENE"),
            (
                &["--headless", "--record", "a"],
                "--record and --from-desktop need a window, without --headless",
            ),
            (&["--allow-outside", "Cargo.toml"], "--allow-outside: Cargo.toml is not a folder"),
            (&["--allow-outside", "none"], "--allow-outside: none is not a folder"),
            (&["--screenshot", "a.png"], "--screenshot and --animation need --headless"),
        ] {
            assert_eq!(parse(arguments).expect_err("the command line is wrong"), reason);
        }
    }
}
