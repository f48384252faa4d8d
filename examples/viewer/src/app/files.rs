//! The window's part of opening and saving: scenes take each other's place.

use super::UserEvent;
use super::screen::Screen;
use crate::cameras::Cameras;
use crate::files::{Ask, FileEvent, Files, Opened, Purpose, Recent};
use crate::replay_file::SceneSource;
use std::error::Error;
use std::sync::Arc;
use winit::event_loop::EventLoopProxy;

/// Files whose threads tell the window.
pub(super) fn files(proxy: EventLoopProxy<UserEvent>, unnamed: &str) -> Files {
    // An event loop that is closed wants to hear of nothing.
    let tell = move |event| drop(proxy.send_event(UserEvent::File(event)));
    Files::new(Arc::new(tell), unnamed, Recent::of_person())
}

impl Screen {
    /// Does what the person asks for, or asks back.
    pub(super) fn ask(&mut self, ask: Ask) {
        let had_dialog = self.files.dialog.is_some();
        let opened = self.files.ask(ask, &mut self.editor);
        self.show(opened);
        if self.files.dialog.is_some() && !had_dialog {
            // A path can be typed faster than the dialog comes.
            self.keys.wait();
        }
        self.wake();
    }

    pub(super) fn on_file_event(&mut self, event: FileEvent) {
        let opened = self.files.on_event(event, &mut self.editor);
        self.show(opened);
        self.wake();
    }

    /// After a frame: what was done in it, and what waited for it.
    pub(super) fn after_frame(&mut self) {
        if !self.files.wishes.is_empty() {
            let opened = self.files.grant(&mut self.editor);
            self.show(opened);
            self.wake();
        }
        if self.files.arrived().is_some() {
            let opened = self.files.take_arrived(&mut self.editor);
            self.show(opened);
        }
        self.files.look_after(&mut self.editor);
        let title = self.files.title(self.editor.is_saved());
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
    }

    /// Whether the window may close now. A recording that cannot be written keeps it, until the person
    /// says that it need not be.
    pub(super) fn may_close(&mut self) -> bool {
        if !self.files.quits() {
            return false;
        }
        match self.write_recording() {
            Err(error) if !self.files.gives_up_recording() => {
                self.files.recording_failed(&error);
                self.wake();
                false
            }
            _ => {
                // Once is enough.
                self.record = None;
                true
            }
        }
    }

    /// The window cannot go on: what is not saved goes to the person's data folder.
    pub(super) fn rescue(&self) {
        let folders = directories::ProjectDirs::from("", "", "wgpu-gizmo");
        let folder = folders.map_or_else(std::env::temp_dir, |folders| folders.data_dir().join("rescued"));
        match self.files.rescue(&folder, &self.editor) {
            Ok(None) => {}
            Ok(Some(path)) => eprintln!("What was not saved is in {}", path.display()),
            Err(error) => eprintln!("What was not saved is lost. {error}"),
        }
    }

    /// Shows a scene instead of the one that is there, which stays where that cannot be.
    fn show(&mut self, opened: Option<Opened>) {
        if let Some(Opened { scene, path, purpose }) = opened {
            match self.put_in(scene, purpose) {
                Ok(()) => {
                    self.files.shown(&path, self.editor.scene());
                    self.record_anew(SceneSource::Gltf(path));
                }
                Err(error) => self.files.warn(format!("{}: cannot be shown: {error}", path.display())),
            }
            self.wake();
        }
    }

    fn put_in(&mut self, scene: crate::scene::Scene, purpose: Purpose) -> Result<(), Box<dyn Error>> {
        let mut editor = self.editor.with_scene(scene)?;
        self.stage.load(&self.gpu, editor.scene());
        match purpose {
            Purpose::Reload => {
                editor.select_alike(&self.editor);
                let name = self.files.name();
                editor.say(format!("{name} was read again; what was done before cannot be undone"));
            }
            Purpose::Open => self.cameras = Cameras::of_scene(editor.scene()),
        }
        self.navigating = None;
        self.editor = editor;
        let mods = self.mods();
        self.session().hold(mods);
        self.editor.pointer_moved(self.cursor_px);
        Ok(())
    }
}
