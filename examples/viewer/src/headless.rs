//! Plays a replay without a window and prints one line of JSON per event.

mod animation;
pub(crate) mod drivers;
pub(crate) mod interrupt;
mod report;

use super::messages::print_error;
use super::small_files::{self, make_folder, not_written};
use animation::Animation;
use gltf_io::{FileError, printable_json};
use render::device::Gpu;
use render::error::StageError;
use render::picture;
use render::stage::Stage;
use serde_json::{Value, json};
use session::Session;
use session::editor::Editor;
use session::replay_file::{Event, EventKind, Replay};
use std::io::Write;
use std::path::Path;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::IdTexels;
use wgpu_gizmo::pick::{PickQuery, Region};

/// The reason why a replay failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplayError {
    /// Rendering or picking failed.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Standard output was closed.
    #[error("standard output: {0}")]
    Output(std::io::Error),
    /// A camera is not valid for the current viewport. Reading the replay checks all cameras, but only
    /// with the viewport and the nodes at the start.
    #[error("camera: {0}")]
    View(#[from] wgpu_gizmo::math::ViewError),
    /// An `expect` event was not met. This is reported after the last event.
    #[error("{0}")]
    Missed(String),
    /// The scene has more nodes than there are ids.
    #[error(transparent)]
    Ids(#[from] wgpu_gizmo::pick::IdSpaceExhausted),
    /// A picture of the replay cannot be made, or an event cannot be played.
    #[error("{0}: {1}")]
    At(String, Box<Self>),
}

/// The pictures that the command line asks for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pictures {
    /// Whether there is a picture after the last event.
    pub(crate) last: bool,
    /// Whether there is an animation of all events.
    pub(crate) all: bool,
}

/// A replay in progress.
pub(crate) struct Run<'a> {
    gpu: &'a Gpu,
    stage: Stage,
    session: Session,
    /// The first value that was not as expected.
    missed: Option<String>,
    /// Whether the last event that was no query was a release that belongs to a gizmo.
    owns_release: bool,
    replay: &'a Replay,
    /// The file of the replay, if there is one.
    file: Option<&'a Path>,
    out: &'a Path,
    /// The animation in progress, and its file.
    animation: Option<(Animation, &'a Path)>,
}

impl<'a> Run<'a> {
    /// Prepares for the first event. Files are written to the folder `out`, which is created if needed.
    pub(crate) fn new(
        gpu: &'a Gpu,
        (replay, file): (&'a Replay, Option<&'a Path>),
        out: &'a Path,
    ) -> Result<Self, ReplayError> {
        let editor = Editor::new(replay.scene.clone())?;
        let stage = Stage::new(gpu, picture::FORMAT, editor.scene())?;
        let mut session = Session::of_replay(editor, replay)?;
        session.update()?;
        let (missed, owns_release, animation) = (None, false, None);
        Ok(Self { gpu, stage, session, missed, owns_release, replay, file, out, animation })
    }

    /// Returns an error if the device cannot make one of the pictures or ID images of a replay, so that this is
    /// known before the first event. It names the file, if there is one, and the event or key that sets the size.
    pub(crate) fn check_sizes(
        gpu: &Gpu,
        (replay, file): (&Replay, Option<&Path>),
        pictures: Pictures,
    ) -> Result<(), ReplayError> {
        let mut size_px = replay.canvas.size_px;
        let mut place = "size_px".to_owned();
        let sized = |place: &str, checked: Result<(), StageError>| {
            checked.map_err(|error| at(file, place, error.into()))
        };
        for (index, event) in replay.events.iter().enumerate() {
            match &event.kind {
                EventKind::Window(canvas) => {
                    if pictures.all && canvas.size_px != size_px {
                        place = format!("events[{index}].window.size_px");
                        return sized(&place, Err(StageError::Resized));
                    }
                    size_px = canvas.size_px;
                    place = format!("events[{index}].window.size_px");
                }
                EventKind::Screenshot(_) => sized(&place, picture::check_size(gpu, size_px))?,
                EventKind::Handles | EventKind::Region(_) | EventKind::DumpIds(_) => {
                    sized(&place, picture::check_id_size(gpu, size_px))?;
                }
                _ => {}
            }
        }
        if pictures.last || pictures.all { sized(&place, picture::check_size(gpu, size_px)) } else { Ok(()) }
    }

    /// Adds a picture after each event to an animation, which is written to this file after the last one.
    pub(crate) fn animate(&mut self, path: &'a Path) -> Result<(), ReplayError> {
        let pictures = u32::try_from(self.replay.events.len() + 1).unwrap_or(u32::MAX);
        self.animation = Some((Animation::new(pictures), path));
        self.session.update()?;
        self.add_to_animation(None)
    }

    fn add_to_animation(&mut self, event: Option<&EventKind>) -> Result<(), ReplayError> {
        let Some((mut animation, path)) = self.animation.take() else { return Ok(()) };
        let size_px @ [width, height] = self.session.canvas.size_px;
        let pixels = self.stage.picture(&mut self.session, size_px)?;
        let mut picture = image::RgbaImage::from_raw(width, height, pixels).unwrap_or_default();
        if let Some(at_px) = self.session.editor.pointer().cursor_px {
            animation::draw_pointer(&mut picture, at_px);
        }
        animation.add(picture, event).map_err(|error| not_written(path, error))?;
        self.animation = Some((animation, path));
        Ok(())
    }

    /// Plays all events and writes their lines, then the line `done`.
    pub(crate) fn play(&mut self, lines: &mut dyn Write) -> Result<(), ReplayError> {
        for (index, event) in self.replay.events.iter().enumerate() {
            interrupt::set_played(index, self.replay.events.len());
            let line = self.event(index, event).map_err(|error| match error {
                ReplayError::View(_) => {
                    at(self.file, &format!("events[{index}].{}", event.kind.name()), error)
                }
                _ => error,
            })?;
            self.add_to_animation(Some(&event.kind))?;
            let _writing = interrupt::writing();
            // Names from a file can contain characters that control a terminal.
            writeln!(lines, "{}", printable_json(&line.to_string())).map_err(ReplayError::Output)?;
            lines.flush().map_err(ReplayError::Output)?;
        }
        interrupt::set_played(self.replay.events.len(), self.replay.events.len());
        if let Some((animation, path)) = self.animation.take() {
            write(path, &animation.finish().map_err(|error| not_written(path, error))?)?;
        }
        let _writing = interrupt::writing();
        let done = json!({
            "done": true,
            "events": self.replay.events.len(),
            "adapter": self.gpu.adapter_name(),
            "backend": self.gpu.backend_name(),
        });
        writeln!(lines, "{done}").map_err(ReplayError::Output)?;
        self.missed.take().map_or(Ok(()), |missed| Err(ReplayError::Missed(missed)))
    }

    fn event(&mut self, index: usize, Event { kind, mods }: &Event) -> Result<Value, ReplayError> {
        self.session.editor.hold(*mods);
        let written =
            |path: &Path| json!({ "event": index, "kind": kind.name(), "path": path.to_string_lossy() });
        match kind {
            EventKind::Handles => {
                // Each view shows every handle; the view under the pointer is reported.
                let (view, size_px) = (*self.session.views.current(), self.session.canvas.size_px);
                let texels = self.stage.id_image(&mut self.session, &view, size_px)?;
                return Ok(report::handles(index, &texels, &self.session.editor));
            }
            EventKind::Readouts => {
                let view = self.session.views.current();
                return Ok(report::readouts(index, &self.stage.readouts(&mut self.session.editor, view)));
            }
            EventKind::Claims => {
                let mut claims = self.session.editor.claims();
                claims.click |= self.owns_release;
                return Ok(report::claims(index, &claims));
            }
            EventKind::Pick(pixel) => return self.pick(index, *pixel),
            EventKind::Region([x0, y0, x1, y1]) => {
                let region = Region::Rectangle([DVec2::new(*x0, *y0), DVec2::new(*x1, *y1)]);
                let ids = self.id_images()?.ids_in(&region);
                return Ok(report::region(index, &ids, &self.session.editor));
            }
            EventKind::DumpIds(name) => {
                let texels = self.id_images()?;
                let bytes: Vec<u8> = texels.ids.iter().flat_map(|id| id.to_le_bytes()).collect();
                let path = self.out.join(name);
                write(&path, &bytes)?;
                return Ok(written(&path));
            }
            EventKind::Save(name) => {
                let path = self.out.join(name);
                make_folder(&path)?;
                let _writing = interrupt::writing();
                if let Some(remark) = gltf_io::save(self.session.editor.scene(), &path)?.remark {
                    print_error(&format!("{}: {remark}", path.display()));
                }
                return Ok(written(&path));
            }
            EventKind::Screenshot(name) => {
                let path = self.out.join(name);
                self.screenshot(&path)?;
                return Ok(written(&path));
            }
            EventKind::Expect(expected) => {
                let missed = expected.missed(self.session.editor.scene());
                let line =
                    json!({ "event": index, "kind": "expect", "met": missed.is_none(), "missed": missed });
                let missed = missed.map(|missed| format!("events[{index}].expect: {missed}"));
                self.missed = self.missed.take().or(missed);
                return Ok(line);
            }
            _ => {}
        }
        self.session.take(kind, *mods)?;
        self.session.update()?;
        // The answers that follow are not part of the release.
        self.owns_release = matches!(kind, EventKind::Release(_)) && self.session.editor.claims().click;
        self.settle()?;
        let editor = &self.session.editor;
        let mut state = report::state(index, kind.name(), editor, self.session.cameras.shows_cube);
        if matches!(kind, EventKind::Drive(..)) {
            // The drag is over already.
            state["clamped"] = json!(editor.is_drive_clamped);
        }
        Ok(state)
    }

    /// Answers all pending queries, so that the editor is up to date.
    fn settle(&mut self) -> Result<(), ReplayError> {
        // A press takes one query and its hover another. The limit guards against an endless loop.
        for _ in 0..16 {
            self.session.update()?;
            let size_px = self.session.canvas.size_px;
            self.stage.ask(&mut self.session, size_px)?;
            if !self.stage.is_waiting() {
                break;
            }
            self.stage.wait(&mut self.session)?;
        }
        self.session.update()?;
        // A drag can change the cameras: of the node that is looked through, or with the view cube.
        Ok(self.session.look()?)
    }

    /// Renders the ID image of the whole render target.
    fn id_images(&mut self) -> Result<IdTexels, StageError> {
        let size_px = self.session.canvas.size_px;
        self.stage.id_images(&mut self.session, size_px)
    }

    fn pick(&mut self, index: usize, [x, y]: [i32; 2]) -> Result<Value, ReplayError> {
        let cursor_px = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let query = PickQuery::new(self.session.views.at(cursor_px), cursor_px, 0.0);
        let answer = self.stage.pick(&mut self.session, &query)?;
        let id = match answer.outcome {
            wgpu_gizmo::PickOutcome::Hit(hit) => hit.id.get(),
            _ => 0,
        };
        Ok(json!({ "event": index, "kind": "pick", "id": id, "hit": report::hit(id, &self.session.editor) }))
    }

    /// Writes the picture that the user sees to a PNG file.
    pub(crate) fn screenshot(&mut self, path: &Path) -> Result<(), ReplayError> {
        let [width, height] = self.session.canvas.size_px;
        let pixels = self.stage.picture(&mut self.session, [width, height])?;
        let mut bytes = std::io::Cursor::new(Vec::new());
        image::write_buffer_with_format(
            &mut bytes,
            &pixels,
            width,
            height,
            image::ExtendedColorType::Rgba8,
            image::ImageFormat::Png,
        )
        .map_err(|error| not_written(path, error))?;
        Ok(write(path, bytes.get_ref())?)
    }
}

/// Adds the file of a replay, if there is one, and the place in it to an error.
fn at(file: Option<&Path>, place: &str, error: ReplayError) -> ReplayError {
    let file = file.map_or(String::new(), |file| format!("{}: ", file.display()));
    ReplayError::At(format!("{file}{place}"), Box::new(error))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let _writing = interrupt::writing();
    // Something other than a regular file, such as a pipe, cannot be replaced.
    match path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir()) {
        true => std::fs::write(path, bytes).map_err(|error| not_written(path, error)),
        false => small_files::write(path, bytes),
    }
}
