//! What events do, wherever they come from: a window's pointer and keys, or a replay. Both drive
//! the same editor and the same cameras.

use crate::cameras::Cameras;
use crate::command::{Command, gizmo_key};
use crate::editor::Editor;
use crate::replay_file::{Button, EventKind, Mods};
use crate::selection::{How, Selection};
use crate::view_cube::{CubePointer, Turn};
use crate::views::{Frame, Views};
use wgpu_gizmo::View;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::math::ViewError;
use wgpu_gizmo::pick::Region;

/// All that an event can change.
pub(crate) struct Session<'a> {
    pub(crate) editor: &'a mut Editor,
    pub(crate) cameras: &'a mut Cameras,
    pub(crate) views: &'a mut Views,
    pub(crate) frame: &'a mut Frame,
    pub(crate) cube: &'a mut CubePointer,
}

/// What is particular about the main view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MainLook {
    view: View,
    has_cube: bool,
    /// The node that it is seen by, which is not seen itself.
    unseen: Option<usize>,
}

impl MainLook {
    /// Questions are of a view as it was; the place in the picture tells which one it is.
    fn is_of(&self, view: &View) -> bool {
        self.view.viewport() == view.viewport()
    }

    /// The view, if it has the view cube.
    pub(crate) fn cube_view(&self) -> Option<&View> {
        Some(&self.view).filter(|_| self.has_cube)
    }

    /// Whether a view has the view cube.
    pub(crate) fn has_cube(&self, view: &View) -> bool {
        self.has_cube && self.is_of(view)
    }

    /// The node that a view does not show.
    pub(crate) fn unseen(&self, view: &View) -> Option<usize> {
        self.unseen.filter(|_| self.is_of(view))
    }
}

impl Session<'_> {
    /// Makes the views anew, as frame and cameras are now.
    pub(crate) fn look(&mut self) -> Result<(), ViewError> {
        // A view that went along with what is dragged in it would carry the pointer farther and
        // farther: it waits for the end of the drag.
        let is_dragged_in = self.editor.is_busy() && self.views.place() == self.views.main_place();
        if !is_dragged_in {
            self.cameras.follow(self.editor.scene());
        }
        self.views.renew(self.cameras.views(self.frame)?);
        self.views.set_title(self.cameras.title(self.editor.scene()));
        self.views.set_framed(self.cameras.framed(self.views.main()));
        Ok(())
    }

    /// Keys are held from now on, and others no longer.
    pub(crate) fn hold(&mut self, mods: Mods) {
        self.editor.hold_vertex(mods.vertex);
        self.editor.hold_lasso(mods.lasso);
        self.editor.gizmo.snap_held(mods.ctrl);
        self.editor.gizmo.precision_held(mods.shift);
    }

    /// Does what an event says. One that asks for something changes nothing, and is answered by
    /// those who can.
    pub(crate) fn take(&mut self, kind: &EventKind, mods: Mods) -> Result<(), ViewError> {
        let how = How::of(mods.shift, mods.ctrl);
        match kind {
            EventKind::Move(cursor_px) => self.moved(*cursor_px),
            EventKind::Press(Button::Primary) => {
                if let Some(cursor_px) = self.editor.cursor_px() {
                    self.cube.press(cursor_px);
                }
                self.editor.pointer_pressed(how);
            }
            EventKind::Release(Button::Primary) => {
                let turn = self.cube.release(self.frame.scale_factor);
                self.editor.pointer_released();
                self.turn(turn)?;
            }
            EventKind::Press(Button::Secondary) | EventKind::Cancel => {
                self.cube.forget();
                self.editor.cancel();
            }
            EventKind::Press(Button::Middle) | EventKind::Release(_) => {}
            EventKind::Key(key) => self.key(key, mods)?,
            EventKind::Set(settings) => self.editor.set(settings),
            EventKind::Select(nodes) => self.editor.select(Selection::of(nodes), self.views.current()),
            EventKind::SelectRegion { region, through } => {
                // Where it begins says of which view it is a part.
                let view = region_start(region).map_or(self.views.current(), |px| self.views.at(px));
                self.editor.select_region(view, region.clone(), *through, how);
            }
            EventKind::Camera(camera) => {
                self.cameras.give(camera.clone());
                self.look()?;
            }
            EventKind::LookThrough(node) => {
                match node {
                    Some(node) => self.cameras.look_through(*node, self.editor.scene()),
                    None => self.cameras.leave_node(),
                }
                self.look()?;
            }
            EventKind::Views(plans) => {
                self.cameras.set_plans(*plans);
                self.look()?;
            }
            EventKind::Window(frame) => self.reframe(*frame)?,
            EventKind::ViewCube(is_shown) => self.cameras.show_cube(*is_shown),
            EventKind::Place(places) => self.editor.place(places, self.views.current()),
            EventKind::Rename(names) => self.editor.call(names, self.views.current()),
            EventKind::Duplicate(copies) => self.editor.duplicate_raw(copies, self.views.current()),
            EventKind::Hang(hangs) => self.editor.hang_so(hangs, self.views.current()),
            EventKind::Flags(flags) => self.editor.flag(flags, self.views.current()),
            EventKind::Undo => self.editor.undo(self.views.current()),
            EventKind::Redo => self.editor.redo(),
            EventKind::Handles
            | EventKind::Readouts
            | EventKind::Pick(_)
            | EventKind::Region(_)
            | EventKind::DumpIds(_)
            | EventKind::Save(_)
            | EventKind::Screenshot(_)
            | EventKind::Expect(_) => {}
        }
        Ok(())
    }

    /// Lets the editor take in what happened, and the cameras what that means to them.
    pub(crate) fn update(&mut self) -> Result<(), ViewError> {
        self.editor.update(self.views.current());
        if let Some(side) = self.editor.take_pressed_side() {
            let turn = self.cube.hit(side, self.frame.scale_factor);
            self.turn(turn)?;
        }
        Ok(())
    }

    /// What is particular about the main view.
    pub(crate) fn main_look(&self) -> MainLook {
        let view = *self.views.main();
        MainLook { view, has_cube: self.cameras.shows_cube(), unseen: self.cameras.looks_through() }
    }

    fn moved(&mut self, cursor_px: DVec2) {
        let turn = self.cube.follow(cursor_px, self.frame.scale_factor);
        self.views.follow(cursor_px, self.editor.is_busy() || self.cube.holds());
        self.editor.pointer_moved(cursor_px);
        // The next look shows it: a pointer can be faster than frames.
        match turn {
            Some(Turn::CameraSource(by_px)) => self.cameras.turn(self.views, by_px),
            Some(Turn::To(side)) => self.cameras.face(side.outward(), self.views),
            None => {}
        }
    }

    fn turn(&mut self, turn: Option<Turn>) -> Result<(), ViewError> {
        match turn {
            Some(Turn::CameraSource(by_px)) => self.cameras.turn(self.views, by_px),
            Some(Turn::To(side)) => self.cameras.face(side.outward(), self.views),
            None => return Ok(()),
        }
        // Another side may be under the pointer now.
        self.editor.gizmo.scene_changed();
        self.look()
    }

    fn key(&mut self, key: &str, mods: Mods) -> Result<(), ViewError> {
        let Mods { ctrl, shift, alt, .. } = mods;
        let modifiers = mods.of_key();
        // A capital X is the one with shift; shortcuts go by the letter alone.
        let is_capital = key.chars().all(char::is_uppercase);
        let typed = gizmo_key(key, shift || is_capital).filter(|key| modifiers.may_type(*key));
        if let Some(key) = typed.filter(|key| self.editor.takes(*key)) {
            self.editor.gizmo.key(key, modifiers);
            // Whether the next key is the gizmo's as well, it knows only then; keys can come faster
            // than frames.
            return self.update();
        }
        match Command::of(key, ctrl, shift).filter(|command| self.editor.may_run(*command, alt)) {
            Some(Command::Views) => {
                self.cameras.switch();
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

    /// The picture is elsewhere, or has other pixels. The pointer stays over what it was over.
    pub(crate) fn reframe(&mut self, frame: Frame) -> Result<(), ViewError> {
        let ratio = frame.scale_factor / self.frame.scale_factor;
        *self.frame = frame;
        self.look()?;
        if let Some(cursor_px) = self.editor.cursor_px().filter(|_| ratio != 1.0) {
            self.editor.pointer_moved(cursor_px * ratio);
        }
        Ok(())
    }
}

fn region_start(region: &Region) -> Option<DVec2> {
    match region {
        Region::Rectangle([first, _]) => Some(*first),
        Region::Lasso(points) => points.first().copied(),
    }
}
