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
use std::error::Error;
use std::io::Write;
use std::path::Path;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::IdTexels;
use wgpu_gizmo::math::ViewError;
use wgpu_gizmo::pick::{PickQuery, Region};

/// The error that an `expect` event was not met. This is reported after the last event.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Missed(String);

type Result<T> = std::result::Result<T, Box<dyn Error>>;

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
    ) -> Result<Self> {
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
    ) -> Result<()> {
        let mut size_px = replay.canvas.size_px;
        let mut place = "size_px".to_owned();
        let sized = |place: &str, checked: std::result::Result<(), StageError>| {
            checked.map_err(|error| at(file, place, &error))
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
    pub(crate) fn animate(&mut self, path: &'a Path) -> Result<()> {
        let pictures = u32::try_from(self.replay.events.len() + 1).unwrap_or(u32::MAX);
        self.animation = Some((Animation::new(pictures), path));
        self.session.update()?;
        self.add_to_animation(None)
    }

    fn add_to_animation(&mut self, event: Option<&EventKind>) -> Result<()> {
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
    pub(crate) fn play(&mut self, lines: &mut dyn Write) -> Result<()> {
        let (events, count) = (&self.replay.events, self.replay.events.len());
        for (index, event) in events.iter().enumerate() {
            interrupt::set_played(index, count);
            let kind = event.kind.name();
            let line = self.event(index, event).map_err(|error| match error.downcast::<ViewError>() {
                // Reading the replay checks all cameras, but only with the viewport and the nodes at the start.
                Ok(error) => at(self.file, &format!("events[{index}].{kind}: camera"), &error),
                Err(other) => other,
            });
            let mut line = line?;
            (line["event"], line["kind"]) = (json!(index), json!(kind));
            self.add_to_animation(Some(&event.kind))?;
            print_line(lines, &line)?;
        }
        interrupt::set_played(count, count);
        if let Some((animation, path)) = self.animation.take() {
            write(path, &animation.finish().map_err(|error| not_written(path, error))?)?;
        }
        let (adapter, backend) = (self.gpu.adapter_name(), self.gpu.backend_name());
        let done = json!({ "done": true, "events": count, "adapter": adapter, "backend": backend });
        print_line(lines, &done)?;
        self.missed.take().map_or(Ok(()), |missed| Err(Missed(missed).into()))
    }

    /// Plays an event. Returns its line, without the members that every line has.
    fn event(&mut self, index: usize, Event { kind, mods }: &Event) -> Result<Value> {
        self.session.editor.hold(*mods);
        let written = |path: &Path| json!({ "path": path.to_string_lossy() });
        match kind {
            EventKind::Handles => {
                // Each view shows every handle; the view under the pointer is reported.
                let (view, size_px) = (*self.session.views.current(), self.session.canvas.size_px);
                let texels = self.stage.id_image(&mut self.session, &view, size_px)?;
                return Ok(report::handles(&texels, &self.session.editor));
            }
            EventKind::Readouts => {
                let view = self.session.views.current();
                return Ok(report::readouts(&self.stage.readouts(&mut self.session.editor, view)));
            }
            EventKind::Claims => {
                let mut claims = self.session.editor.claims();
                claims.click |= self.owns_release;
                return Ok(report::claims(&claims));
            }
            EventKind::Pick(pixel) => return self.pick(*pixel),
            EventKind::Region([x0, y0, x1, y1]) => {
                let region = Region::Rectangle([DVec2::new(*x0, *y0), DVec2::new(*x1, *y1)]);
                let ids = self.id_images()?.ids_in(&region);
                return Ok(report::region(&ids, &self.session.editor));
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
                let line = json!({ "met": missed.is_none(), "missed": missed });
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
        let mut state = report::state(editor, self.session.cameras.shows_cube);
        if matches!(kind, EventKind::Drive(..)) {
            // The drag is over already.
            state["clamped"] = json!(editor.is_drive_clamped);
        }
        Ok(state)
    }

    /// Answers all pending queries, so that the editor is up to date.
    fn settle(&mut self) -> Result<()> {
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
    fn id_images(&mut self) -> Result<IdTexels> {
        let size_px = self.session.canvas.size_px;
        Ok(self.stage.id_images(&mut self.session, size_px)?)
    }

    fn pick(&mut self, [x, y]: [i32; 2]) -> Result<Value> {
        let cursor_px = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let query = PickQuery::new(self.session.views.at(cursor_px), cursor_px, 0.0);
        let answer = self.stage.pick(&mut self.session, &query)?;
        let id = match answer.outcome {
            wgpu_gizmo::PickOutcome::Hit(hit) => hit.id.get(),
            _ => 0,
        };
        Ok(json!({ "id": id, "hit": report::hit(id, &self.session.editor) }))
    }

    /// Writes the picture that the user sees to a PNG file.
    pub(crate) fn screenshot(&mut self, path: &Path) -> Result<()> {
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
fn at(file: Option<&Path>, place: &str, error: &dyn Error) -> Box<dyn Error> {
    let file = file.map_or(String::new(), |file| format!("{}: ", file.display()));
    format!("{file}{place}: {error}").into()
}

fn print_line(lines: &mut dyn Write, line: &Value) -> Result<()> {
    let _writing = interrupt::writing();
    // Names from a file can contain characters that control a terminal.
    let printed = writeln!(lines, "{}", printable_json(&line.to_string())).and_then(|()| lines.flush());
    Ok(printed.map_err(|error| format!("standard output: {error}"))?)
}

fn write(path: &Path, bytes: &[u8]) -> std::result::Result<(), FileError> {
    let _writing = interrupt::writing();
    // Something other than a regular file, such as a pipe, cannot be replaced.
    match path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir()) {
        true => std::fs::write(path, bytes).map_err(|error| not_written(path, error)),
        false => small_files::write(path, bytes),
    }
}
