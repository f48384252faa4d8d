//! Runs a replay with no window: one line of JSON for each event.

use crate::command::{Command, gizmo_key};
use crate::device::Gpu;
use crate::editor::Editor;
use crate::file_error::FileError;
use crate::gltf_file;
use crate::picture;
use crate::replay_file::{Button, Camera, Event, EventKind, Replay};
use crate::report;
use crate::selection::{How, Selection};
use crate::stage::{Stage, StageError};
use crate::views::{Plans, Views};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::IdTexels;
use wgpu_gizmo::handle::{PickQuery, Region};

/// Why a replay stopped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplayError {
    /// The GPU refused.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// A file could not be written.
    #[error("{}: cannot be written: {source}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The scene could not be written.
    #[error(transparent)]
    Save(#[from] FileError),
    /// Standard output was closed.
    #[error("standard output: {0}")]
    Output(std::io::Error),
    /// A camera in the middle of the replay sees nothing. The reader checks them all, so this
    /// is one that only this viewport spoils.
    #[error("camera: {0}")]
    View(#[from] wgpu_gizmo::math::ViewError),
    /// More nodes than ids.
    #[error(transparent)]
    Ids(#[from] wgpu_gizmo::handle::IdSpaceExhausted),
}

/// A replay being run.
pub(crate) struct Run<'a> {
    gpu: &'a Gpu,
    stage: Stage,
    editor: Editor,
    camera: Camera,
    plans: Plans,
    shows_four: bool,
    views: Views,
    replay: &'a Replay,
    out: &'a Path,
}

impl<'a> Run<'a> {
    /// Ready for the first event. Files go to the folder `out`, which is made when needed.
    pub(crate) fn new(gpu: &'a Gpu, replay: &'a Replay, out: &'a Path) -> Result<Self, ReplayError> {
        let mut editor = Editor::new(replay.scene.clone())?;
        let stage = Stage::new(gpu, picture::FORMAT, editor.scene())?;
        let camera = replay.camera.clone();
        let plans = replay.plans.unwrap_or_else(|| Plans::of_scene(editor.scene().bounds()));
        let shows_four = replay.plans.is_some();
        let view = camera.view(replay.viewport, replay.scale_factor)?;
        editor.set(&replay.settings);
        editor.select(Selection::of(&replay.select), &view);
        let views = Views::one(view);
        let mut run = Self { gpu, stage, editor, camera, plans, shows_four, views, replay, out };
        run.look()?;
        run.editor.update(run.views.current());
        Ok(run)
    }

    /// Makes the views anew, as the cameras are now.
    fn look(&mut self) -> Result<(), ReplayError> {
        let Replay { viewport, scale_factor, .. } = *self.replay;
        let perspective = |viewport| self.camera.view(viewport, scale_factor);
        self.views.renew(match self.shows_four {
            true => self.plans.views(viewport, scale_factor, perspective)?,
            false => vec![perspective(viewport)?],
        });
        Ok(())
    }

    /// Every event, then the line that says it is done.
    pub(crate) fn play(&mut self, lines: &mut dyn Write) -> Result<(), ReplayError> {
        for (index, event) in self.replay.events.iter().enumerate() {
            let line = self.event(index, event)?;
            writeln!(lines, "{line}").map_err(ReplayError::Output)?;
        }
        let done = json!({
            "done": true,
            "events": self.replay.events.len(),
            "adapter": self.gpu.adapter_name(),
            "backend": self.gpu.backend_name(),
        });
        writeln!(lines, "{done}").map_err(ReplayError::Output)
    }

    fn event(&mut self, index: usize, Event { kind, mods }: &Event) -> Result<Value, ReplayError> {
        self.editor.hold_vertex(mods.vertex);
        self.editor.hold_lasso(mods.lasso);
        self.editor.gizmo.snap_held(mods.ctrl);
        self.editor.gizmo.precision_held(mods.shift);
        let (editor, how) = (&mut self.editor, How::of(mods.shift, mods.ctrl));
        match kind {
            EventKind::Move(cursor_px) => {
                self.views.follow(*cursor_px, editor.is_busy());
                editor.pointer_moved(*cursor_px);
            }
            EventKind::Press(Button::Primary) => editor.pointer_pressed(how),
            EventKind::Release(Button::Primary) => editor.pointer_released(),
            EventKind::Press(Button::Secondary) | EventKind::Cancel => editor.cancel(),
            EventKind::Press(Button::Middle) | EventKind::Release(_) => {}
            EventKind::Key(key) => self.key(key, mods.ctrl, mods.shift)?,
            EventKind::Set(settings) => self.editor.set(settings),
            EventKind::Select(nodes) => self.editor.select(Selection::of(nodes), self.views.current()),
            EventKind::SelectRegion { region, through } => {
                // Where it begins says of which view it is a part.
                let view = region_start(region).map_or(self.views.current(), |px| self.views.at(px));
                self.editor.select_region(view, region.clone(), *through, how);
            }
            EventKind::Camera(camera) => {
                self.camera = camera.clone();
                self.look()?;
            }
            EventKind::Views(plans) => {
                self.plans = plans.unwrap_or(self.plans);
                self.shows_four = plans.is_some();
                self.look()?;
            }
            EventKind::Undo => self.editor.undo(self.views.current()),
            EventKind::Redo => self.editor.redo(),
            EventKind::Handles => {
                // Of the pointer's view: a handle is in each of them.
                let (view, size_px) = (self.views.current(), self.replay.size_px);
                let texels = self.stage.id_image(self.gpu, &mut self.editor, view, size_px)?;
                return Ok(report::handles(index, &texels, &self.editor));
            }
            EventKind::Readouts => {
                let view = self.views.current();
                return Ok(report::readouts(index, &self.stage.readouts(&mut self.editor, view)));
            }
            EventKind::Pick(pixel) => return self.pick(index, *pixel),
            EventKind::Region([x0, y0, x1, y1]) => {
                let region = Region::Rectangle([DVec2::new(*x0, *y0), DVec2::new(*x1, *y1)]);
                let ids = self.id_images()?.ids_in(&region);
                return Ok(report::region(index, &ids, &self.editor));
            }
            EventKind::DumpIds(name) => {
                let texels = self.id_images()?;
                let bytes: Vec<u8> = texels.ids.iter().flat_map(|id| id.to_le_bytes()).collect();
                let path = self.out.join(name);
                write(&path, &bytes)?;
                return Ok(json!({ "event": index, "kind": "dump_ids", "path": path.to_string_lossy() }));
            }
            EventKind::Save(name) => {
                let path = self.out.join(name);
                make_folder(&path)?;
                if let Some(remark) = gltf_file::save(self.editor.scene(), &path)? {
                    eprintln!("{}: {remark}", path.display());
                }
                return Ok(json!({ "event": index, "kind": "save", "path": path.to_string_lossy() }));
            }
            EventKind::Screenshot(name) => {
                let path = self.out.join(name);
                self.screenshot(&path)?;
                return Ok(json!({ "event": index, "kind": "screenshot", "path": path.to_string_lossy() }));
            }
        }
        self.settle()?;
        self.editor.gizmo.snap_held(false);
        self.editor.gizmo.precision_held(false);
        Ok(report::state(index, kind.name(), &self.editor))
    }

    fn key(&mut self, key: &str, ctrl: bool, shift: bool) -> Result<(), ReplayError> {
        // A capital X is the one with shift; shortcuts go by the letter alone.
        let is_capital = key.chars().all(char::is_uppercase);
        if let Some(key) = gizmo_key(key, shift || is_capital).filter(|key| !ctrl && self.editor.takes(*key))
        {
            self.editor.gizmo.key(key);
            return Ok(());
        }
        match Command::of(key, ctrl, shift) {
            Some(Command::Views) => {
                self.shows_four = !self.shows_four;
                self.look()?;
            }
            // What else is not the editor's is the window's: a replay's camera is its own, and it
            // has no page to show help on.
            Some(command) => {
                self.editor.run(command, self.views.current());
            }
            None => {}
        }
        Ok(())
    }

    /// Until every question has its answer and the editor has taken it in.
    fn settle(&mut self) -> Result<(), ReplayError> {
        // A press is one question and its hover another; more would be a loop of our own making.
        for _ in 0..16 {
            self.editor.update(self.views.current());
            if let Some(query) = self.editor.vertex_query(self.views.current()) {
                let answer = self.stage.pick_at_rest(self.gpu, &self.editor, &query)?;
                self.editor.answer_vertex(&answer);
                continue;
            }
            if let Some(query) = self.editor.region_query() {
                self.stage.region(self.gpu, &mut self.editor, query, self.replay.size_px)?;
                continue;
            }
            let Some(query) = self.editor.pick_query() else { break };
            let answer = self.stage.pick(self.gpu, &mut self.editor, &query)?;
            self.editor.answer(&answer);
        }
        self.editor.update(self.views.current());
        Ok(())
    }

    /// The ID image of the whole target.
    fn id_images(&mut self) -> Result<IdTexels, StageError> {
        self.stage.id_images(self.gpu, &mut self.editor, &self.views, self.replay.size_px)
    }

    fn pick(&mut self, index: usize, [x, y]: [i32; 2]) -> Result<Value, ReplayError> {
        let cursor_px = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let query = PickQuery { cursor_px, view: *self.views.at(cursor_px), radius_px: 0.0, sequence: 0 };
        let answer = self.stage.pick(self.gpu, &mut self.editor, &query)?;
        let id = match answer.outcome {
            wgpu_gizmo::PickOutcome::Hit(hit) => hit.id.get(),
            _ => 0,
        };
        Ok(json!({ "event": index, "kind": "pick", "id": id, "hit": report::hit(id, &self.editor) }))
    }

    /// What the user sees, to a PNG file.
    pub(crate) fn screenshot(&mut self, path: &Path) -> Result<(), ReplayError> {
        let [width, height] = self.replay.size_px;
        let pixels = self.stage.picture(self.gpu, &mut self.editor, &self.views, [width, height])?;
        let mut bytes = std::io::Cursor::new(Vec::new());
        image::write_buffer_with_format(
            &mut bytes,
            &pixels,
            width,
            height,
            image::ExtendedColorType::Rgba8,
            image::ImageFormat::Png,
        )
        .map_err(|error| ReplayError::Write {
            path: path.to_owned(),
            source: std::io::Error::other(error),
        })?;
        write(path, bytes.get_ref())
    }
}

fn region_start(region: &Region) -> Option<DVec2> {
    match region {
        Region::Rectangle([first, _]) => Some(*first),
        Region::Lasso(points) => points.first().copied(),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), ReplayError> {
    make_folder(path)?;
    std::fs::write(path, bytes).map_err(|source| ReplayError::Write { path: path.to_owned(), source })
}

/// The folder that a file is to be in.
fn make_folder(path: &Path) -> Result<(), ReplayError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let made = folder.map_or(Ok(()), std::fs::create_dir_all);
    made.map_err(|source| ReplayError::Write { path: path.to_owned(), source })
}
