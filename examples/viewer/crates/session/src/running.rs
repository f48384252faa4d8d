//! Runs commands of a replay or a window.

use crate::command::Command;
use crate::session::Session;
use scene::bounds::Bounds;
use wgpu_gizmo_core::math::ViewError;
use wgpu_gizmo_core::{HandleId, Mode};

/// The angle of an orbit step, in radians.
const ORBIT_STEP: f64 = std::f64::consts::PI / 12.0;

/// Returns the handle that follows the pointer freely in a mode, if the mode has one.
pub fn free_handle(mode: Mode) -> Option<HandleId> {
    HandleId::from_name(match mode {
        Mode::Translate | Mode::Universal => "translate_view",
        Mode::Rotate => "rotate_view",
        Mode::Scale => "scale_uniform",
        Mode::None | Mode::Handles(_) => return None,
    })
}

impl Session {
    /// Runs a command. Commands that only a window has, such as those of files and the panel, have no effect.
    pub(crate) fn run(&mut self, command: Command) -> Result<(), ViewError> {
        match command {
            Command::Views => self.switch_views(),
            Command::Grab(mode) => self.grab(mode),
            Command::GrabInMode => self.grab(self.editor.gizmo().settings.mode),
            _ if self.run_camera(command) => self.look(),
            _ => {
                self.editor.run(command, self.views.current());
                Ok(())
            }
        }
    }

    fn grab(&mut self, mode: Mode) -> Result<(), ViewError> {
        if let Some(handle) = free_handle(mode).filter(|_| !self.editor.selection().nodes().is_empty()) {
            self.editor.cancel();
            self.update()?;
            self.editor.grab(handle);
        }
        self.update()
    }

    /// Runs a command of the cameras, without updating the views. Returns false for other commands.
    pub fn run_camera(&mut self, command: Command) -> bool {
        let Self { editor, cameras, views, .. } = self;
        let scene = editor.scene();
        let mut frame = |bounds: Option<Bounds>| {
            if let Some(bounds) = bounds.or_else(|| scene.bounds()) {
                cameras.frame(bounds, views);
            }
        };
        match command {
            Command::Frame => {
                let selected = editor.selection().nodes().iter();
                frame(selected.filter_map(|node| scene.world_bounds(*node)).reduce(Bounds::union));
            }
            Command::FrameAll => frame(None),
            Command::Face(backward) => cameras.face(backward, views),
            Command::Opposite => cameras.look_from_opposite(views),
            Command::OrbitStep(right_up) => {
                cameras.orbit_by(views, right_up.map(|steps| f64::from(steps) * ORBIT_STEP));
            }
            Command::ToggleOrthographic => cameras.toggle_orthographic(views),
            Command::LookThrough => match editor.selection().active() {
                Some(active) if cameras.looks_through() != Some(active) => {
                    cameras.look_through(active, scene);
                }
                _ => cameras.leave_node(),
            },
            _ => return false,
        }
        true
    }
}
