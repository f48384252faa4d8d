//! Handles events, whether from a window or a replay. Both drive the same editor and the same cameras.

use crate::cameras::Cameras;
use crate::command::{Command, gizmo_key};
use crate::editor::Editor;
use crate::keymap::Keymap;
use crate::replay_file::{Button, EventKind, Mods, Replay};
use crate::views::{Canvas, Views};
use scene::Scene;
use scene::selection::{SelectMode, Selection};
use wgpu_gizmo_core::glam::{DQuat, DVec2};
use wgpu_gizmo_core::interaction::Key;
use wgpu_gizmo_core::math::ViewError;
use wgpu_gizmo_core::pick::{IdSpaceExhausted, Region};

/// Everything that an event can change.
#[derive(Debug)]
pub struct Session {
    /// The editor.
    pub editor: Editor,
    /// The cameras of all views.
    pub cameras: Cameras,
    /// The views that are shown.
    pub views: Views,
    /// The render target and the viewport.
    pub canvas: Canvas,
}

/// The effect of a key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KeyUse {
    /// The gizmo takes the key.
    Gizmo(Key),
    /// The key begins a drag along an axis or in a plane, which follows the pointer.
    Grab(Key),
    /// The key is the shortcut of a command.
    Command(Command),
}

impl Session {
    /// Creates a session that shows the scene of the editor. Returns an error if a camera has no valid
    /// view of this frame.
    pub fn new(editor: Editor, cameras: Cameras, canvas: Canvas) -> Result<Self, ViewError> {
        let views = Views::new(cameras.views(&canvas)?);
        let mut session = Self { editor, cameras, views, canvas };
        session.look()?;
        Ok(session)
    }

    /// Like [`Session::new`], with cameras that frame the scene.
    pub fn of_scene(editor: Editor, canvas: Canvas) -> Result<Self, ViewError> {
        let cameras = Cameras::of_scene(editor.scene());
        Self::new(editor, cameras, canvas)
    }

    /// Creates the session at the start of a replay, with a new editor of its scene.
    pub fn of_replay(editor: Editor, replay: &Replay) -> Result<Self, ViewError> {
        let mut session = Self::new(editor, Cameras::of_replay(replay), replay.canvas)?;
        session.editor.set(&replay.settings);
        session.editor.select(Selection::of(&replay.select), session.views.current());
        session.look()?;
        Ok(session)
    }

    /// Replaces the scene by another version of it. Nodes that are selected or looked through are found by name.
    pub fn reload(&mut self, scene: Scene) -> Result<(), IdSpaceExhausted> {
        let mut editor = self.editor.with_scene(scene)?;
        editor.select_alike(&self.editor);
        if let Some(node) = self.cameras.looks_through() {
            let name = &self.editor.scene().nodes()[node].name;
            self.cameras.look_through(editor.scene().find(name), editor.scene());
        }
        self.editor = editor;
        Ok(())
    }

    /// Updates the views from the frame and the cameras.
    pub fn look(&mut self) -> Result<(), ViewError> {
        // A camera that is dragged in its own view would move the view under the pointer and so
        // accelerate the drag. It follows once the drag has ended.
        let is_dragged_in = self.editor.is_busy() && self.views.current_index() == self.views.main_index();
        if !is_dragged_in {
            self.cameras.follow(self.editor.scene());
        }
        self.views.renew(self.cameras.views(&self.canvas)?);
        self.editor.look(self.views.current());
        let main_key = self.views.main().key();
        self.editor.volumes.hidden_node = self.cameras.looks_through().map(|node| (node, main_key));
        self.views.title = self.cameras.title(self.editor.scene());
        self.views.framed = self.cameras.framed(self.views.main());
        Ok(())
    }

    /// Handles an event. Queries change nothing here; the caller answers them.
    pub fn take(&mut self, kind: &EventKind, mods: Mods) -> Result<(), ViewError> {
        let mode = SelectMode::of(mods.shift, mods.ctrl);
        if matches!(
            kind,
            EventKind::Edit(_) | EventKind::EditPivot(_) | EventKind::GoToStep(_) | EventKind::Redo
        ) {
            self.editor.end_wheel(self.views.current());
        }
        match kind {
            EventKind::Move(cursor_px) => self.moved(*cursor_px),
            EventKind::Press(Button::Primary) => {
                if let Some(cursor_px) = self.editor.pointer().cursor_px {
                    self.editor.cube.pointer_pressed(cursor_px, self.views.main());
                }
                self.editor.pointer_pressed(mode);
            }
            EventKind::Release(Button::Primary) => {
                let turn = self.editor.cube.pointer_released();
                self.editor.pointer_released();
                self.turn(turn)?;
            }
            EventKind::Press(Button::Secondary) | EventKind::Cancel => {
                self.editor.cube.cancel();
                self.editor.cancel();
            }
            EventKind::Press(Button::Middle) | EventKind::Release(_) => {}
            EventKind::Key(key) => self.key(key, mods)?,
            EventKind::Command(command) => self.run(*command)?,
            EventKind::Set(settings) => self.editor.set(settings),
            EventKind::Select(nodes) => self.editor.select(Selection::of(nodes), self.views.current()),
            EventKind::SelectRegion { region, through } => {
                // The view that contains the start of the region.
                let first = match region {
                    Region::Rectangle([first, _]) => Some(first),
                    Region::Lasso(points) => points.first(),
                };
                let view = first.map_or(self.views.current(), |px| self.views.at(*px));
                self.editor.select_region(view, region.clone(), *through, mode);
            }
            EventKind::Camera(camera) => {
                self.cameras.set_camera(camera.clone());
                self.look()?;
            }
            EventKind::LookThrough(node) => {
                self.cameras.look_through(*node, self.editor.scene());
                self.look()?;
            }
            EventKind::Views(ortho_views) => {
                self.cameras.set_ortho_views(*ortho_views);
                self.look()?;
            }
            EventKind::Window(canvas) => self.set_canvas(*canvas)?,
            EventKind::ViewCube(is_shown) => self.cameras.shows_cube = *is_shown,
            EventKind::Pose(pose) => self.editor.show_pose(*pose, self.views.current()),
            EventKind::Edit(step) => self.editor.replay_step(step),
            EventKind::Raw(edit) => self.editor.edit_unlisted(edit, self.views.current()),
            EventKind::GoToStep(done) => self.editor.go_to_step(*done),
            EventKind::Drive(handle, amount) => self.editor.drive(*handle, *amount, self.views.current()),
            EventKind::Grab(handle) => {
                self.editor.grab(*handle);
                // The next key belongs to the drag, and keys can be faster than frames.
                self.update()?;
            }
            EventKind::Wheel(notches) => self.editor.gizmo.wheel(*notches),
            EventKind::EditPivot(is_on) => self.editor.set_pivot_edit(*is_on),
            EventKind::ResetPivot => self.editor.reset_pivot(),
            EventKind::Undo => self.editor.undo(self.views.current()),
            EventKind::Redo => self.editor.redo(),
            EventKind::Handles
            | EventKind::Readouts
            | EventKind::Claims
            | EventKind::Pick(_)
            | EventKind::Region(_)
            | EventKind::DumpIds(_)
            | EventKind::Save(_)
            | EventKind::Screenshot(_)
            | EventKind::Expect(_) => {}
        }
        Ok(())
    }

    /// Updates the editor, and turns the camera after a press on the view cube.
    pub fn update(&mut self) -> Result<(), ViewError> {
        // A press or drag goes on in the view that it began in.
        let held = self.editor.held_view().copied();
        let shown = held.map_or(Some(self.views.current()), |held| self.views.with_key(held.key()));
        match (shown, held) {
            (Some(view), _) => self.editor.update(view),
            (None, Some(gone)) => {
                // A click in a view that was closed since still selects, but a drag has no view to go on in.
                self.editor.update(&gone);
                if self.editor.is_dragging() {
                    self.editor.cancel();
                    self.editor.update(&gone);
                }
            }
            (None, None) => {}
        }
        if let Some(side) = self.editor.pressed_side.take() {
            let turn = self.editor.cube.pressed(side);
            self.turn(turn)?;
        }
        Ok(())
    }

    fn moved(&mut self, cursor_px: DVec2) {
        let turn = self.editor.cube.pointer_moved(cursor_px);
        self.views.follow(cursor_px, self.editor.is_busy() || self.editor.cube.is_held());
        self.editor.pointer_moved(cursor_px);
        // The views are updated by the next `look`, because the pointer can be faster than frames.
        if let Some(rotation) = turn {
            self.orbit().rotate_to(rotation);
        }
    }

    fn turn(&mut self, turn: Option<DQuat>) -> Result<(), ViewError> {
        let Some(rotation) = turn else { return Ok(()) };
        self.orbit().rotate_to(rotation);
        // Another side of the cube may be under the pointer now.
        self.editor.gizmo.scene_changed();
        self.look()
    }

    /// Returns the effect of a key in a window with this keymap, or in a replay: the gizmo takes precedence over
    /// shortcuts.
    pub fn key_use(&self, keymap: Option<Keymap>, key: &str, mods: Mods) -> Option<KeyUse> {
        // In a replay a capital letter implies Shift. In a window Caps Lock changes the case.
        let is_capital = keymap.is_none() && key.chars().all(char::is_uppercase);
        let typed = gizmo_key(key, mods.shift || is_capital);
        let typed = typed.filter(|key| mods.of_key().may_type(*key) && self.editor.uses_key(*key));
        if let Some(key) = typed.filter(|_| keymap.is_none() || self.editor.gizmo().claims().keys) {
            return Some(KeyUse::Gizmo(key));
        }
        let command = match keymap {
            Some(keymap) => keymap.command(key, mods),
            None => Command::of(key, mods),
        };
        // During a drag, Alt changes the meaning of keys such as digits.
        let is_taken = mods.alt && self.editor.claims().keys;
        let command = command.filter(|command| !is_taken || *command == Command::Cancel);
        let axis = typed.filter(|_| keymap.is_some_and(Keymap::has_axis_keys));
        command.map(KeyUse::Command).or(axis.map(KeyUse::Grab))
    }

    fn key(&mut self, key: &str, mods: Mods) -> Result<(), ViewError> {
        match self.key_use(None, key, mods) {
            Some(KeyUse::Gizmo(key)) => {
                self.editor.gizmo_key(key, mods.of_key());
                // This key decides whether the gizmo takes the next one, and keys can be faster than
                // frames.
                self.update()?;
            }
            // Keys of a replay begin drags without a pointer.
            Some(KeyUse::Grab(_)) => {}
            // In a replay, cameras change by events only, and drags do not follow a pointer.
            Some(KeyUse::Command(command)) if command.is_of_cameras() => {}
            Some(KeyUse::Command(command)) => self.run(command)?,
            None => {}
        }
        Ok(())
    }

    /// Switches between one view and four. Input before this refers to the old views and input after it
    /// to the new ones, even if no frame is drawn in between.
    pub fn switch_views(&mut self) -> Result<(), ViewError> {
        let earlier = self.update();
        self.cameras.shows_four ^= true;
        self.look()?;
        self.update()?;
        earlier
    }

    /// Handles a change of the window's size or scale factor. The pointer stays over the same point of
    /// the picture.
    pub fn set_canvas(&mut self, canvas: Canvas) -> Result<(), ViewError> {
        let ratio = canvas.scale_factor / self.canvas.scale_factor;
        self.canvas = canvas;
        self.look()?;
        if let Some(cursor_px) = self.editor.pointer().cursor_px.filter(|_| ratio != 1.0) {
            self.editor.pointer_moved(cursor_px * ratio);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::*;

    fn new_session() -> Session {
        crate::tests::session(built_in::scene())
    }

    /// Handles an event, and then updates the session.
    fn take(session: &mut Session, kind: EventKind) {
        session.take(&kind, Mods::default()).expect("the views are valid");
        session.update().expect("the views are valid");
    }

    fn switch() -> EventKind {
        EventKind::Key("f4".to_owned())
    }

    /// A pixel of the cube, in one view and in the perspective view of four.
    const CUBE_PX: DVec2 = DVec2::new(584.0, 56.0);

    #[test]
    fn press_is_in_view_that_was_shown_then() {
        let press = |at_px| vec![EventKind::Move(at_px), EventKind::Press(Button::Primary)];
        for (events, pressed_width, main_width) in [
            ([vec![switch()], press(CUBE_PX)].concat(), 320.0, 320.0),
            ([vec![switch(), switch()], press(CUBE_PX)].concat(), 640.0, 640.0),
            // The first point is in the top view after the switch, the second in the perspective view.
            ([press(DVec2::splat(100.0)), vec![switch()]].concat(), 640.0, 320.0),
            ([press(CUBE_PX), vec![switch()]].concat(), 640.0, 320.0),
        ] {
            let mut session = new_session();
            session.update().expect("the view is valid");
            // All events are between two updates, as in a window while a frame is drawn.
            events.iter().for_each(|kind| session.take(kind, Mods::default()).expect("the views are valid"));
            session.update().expect("the view is valid");
            let pressed = session.editor.pick_query().expect("the press needs a pick").view;
            let widths = [&pressed, session.views.main()].map(|view| view.viewport().width);
            assert_eq!(
                (widths, session.has_cube(&pressed)),
                ([pressed_width, main_width], true),
                "{events:?}"
            );
        }
    }

    #[test]
    fn press_is_settled_after_its_view_is_replaced() {
        // In the views before the switch: nothing in one view, in the top view and in the perspective view.
        for (views, at_px) in [(1, [30.0, 450.0]), (4, [10.0, 10.0]), (4, [630.0, 230.0])] {
            let mut session = new_session();
            if views == 4 {
                take(&mut session, switch());
            }
            take(&mut session, EventKind::Move(DVec2::from(at_px)));
            take(&mut session, EventKind::Press(Button::Primary));
            take(&mut session, EventKind::Release(Button::Primary));
            take(&mut session, switch());
            session.editor.answer_on_cpu();
            session.update().expect("the views are valid");
            assert!(!session.editor.is_busy(), "{views} views, {at_px:?}");
            assert_eq!(session.views.current().key(), session.views.main().key());
        }
    }

    #[test]
    fn drag_in_view_that_is_replaced_is_canceled() {
        let mut session = new_session();
        let node = session.editor.node("crate");
        take(&mut session, switch());
        // Hovering in the top view makes it the current one.
        take(&mut session, EventKind::Move(DVec2::new(10.0, 10.0)));
        take(&mut session, EventKind::Select(vec![node]));
        let pivot = session.editor.gizmo().pivot_place().expect("a node is selected");
        let at_px = session.views.current().px_from_world(pivot.translation);
        let at_px = at_px.expect("the node is in front of the camera");
        let before = session.editor.scene().nodes()[node].local;
        take(&mut session, EventKind::Move(at_px));
        take(&mut session, EventKind::Press(Button::Primary));
        session.editor.answer_on_cpu();
        session.update().expect("the views are valid");
        assert!(session.editor.is_dragging());
        take(&mut session, EventKind::Move(at_px + DVec2::splat(20.0)));
        assert_ne!(session.editor.scene().nodes()[node].local, before);
        session.switch_views().expect("the views are valid");
        assert!(!session.editor.is_busy());
        assert_eq!(session.editor.scene().nodes()[node].local, before);
    }

    #[test]
    fn reload_keeps_settings_selection_and_looked_through_node() {
        let mut session = new_session();
        session.editor.change(|values| values.gizmo.mode = Mode::Scale);
        session.editor.select_by_name(["ball", "wrist", "crate"]);
        let node = session.editor.node("crate");
        take(&mut session, EventKind::LookThrough(Some(node)));
        // The reloaded scene has its nodes in another order and lacks some.
        let scene = built_in::scene();
        let roots = scene.nodes().iter().filter(|node| node.parent.is_none()).rev().cloned().collect();
        let reversed = Scene::with_meshes(roots, scene.meshes().to_vec()).expect("the nodes form a tree");
        session.reload(reversed).expect("there are enough ids");
        let [ball, through] = ["ball", "crate"].map(|name| session.editor.node(name));
        assert!(through != node && session.cameras.looks_through() == Some(through));
        assert_eq!(session.editor.selection().nodes(), [ball, through]);
        assert_eq!(session.editor.gizmo().settings.mode, Mode::Scale);
        session.reload(Scene::default()).expect("there are enough ids");
        assert_eq!(session.cameras.looks_through(), None);
    }
}
