//! Runs commands of a replay or a window.

use crate::command::{Command, Run};
use crate::orbit::Orbit;
use crate::session::Session;
use scene::Scene;
use scene::bounds::Bounds;
use wgpu_gizmo_core::glam::DVec3;
use wgpu_gizmo_core::math::ViewError;
use wgpu_gizmo_core::{HandleId, Mode};

/// Returns the handle that follows the pointer freely in a mode, if the mode has one.
pub fn free_handle(mode: Mode) -> Option<HandleId> {
    HandleId::from_name(match mode {
        Mode::Translate | Mode::Universal => "translate_view",
        Mode::Rotate => "rotate_view",
        Mode::Scale => "scale_uniform",
        _ => return None,
    })
}

/// Returns the part of the scene that frames a node: its mesh, or else the meshes below it, or else a tenth of the
/// scene about it.
fn framed_bounds(scene: &Scene, node: usize) -> Bounds {
    let below = || {
        let (mut nodes, mut bounds) = (vec![node], None);
        while let Some(node) = nodes.pop() {
            bounds = bounds.into_iter().chain(scene.world_bounds(node)).reduce(Bounds::union);
            nodes.extend(scene.nodes()[node].children.iter().filter(|child| scene.exists(**child)));
        }
        bounds
    };
    scene.world_bounds(node).or_else(below).unwrap_or_else(|| {
        let at = scene.world_from_node(node).w_axis.truncate();
        let reach = DVec3::splat(0.1 * scene.bounds().map_or(10.0, |bounds| bounds.radius()));
        Bounds { min: at - reach, max: at + reach }
    })
}

impl Session {
    /// Runs a command. Commands that only a window has, such as those of files and the panel, have no effect.
    pub(crate) fn run(&mut self, command: Command) -> Result<(), ViewError> {
        match command.row().run {
            Run::Session(run) => run(self),
            Run::Grabs(_) => self.grab(command.grab_mode(&self.editor).unwrap_or_default()),
            Run::Cameras(_) => {
                self.run_camera(command);
                self.look()
            }
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

    /// Runs a command of the cameras, without updating the views. Other commands have no effect.
    pub fn run_camera(&mut self, command: Command) {
        if let Run::Cameras(run) = command.row().run {
            run(self);
        }
    }

    /// Frames the selection, or everything.
    pub(crate) fn frame_selection(&mut self) {
        let scene = self.editor.scene();
        let selected = self.editor.selection().nodes().iter();
        self.frame(selected.map(|node| framed_bounds(scene, *node)).reduce(Bounds::union));
    }

    /// Frames a bounding box, or everything.
    pub(crate) fn frame(&mut self, bounds: Option<Bounds>) {
        if let Some(bounds) = bounds.or_else(|| self.editor.scene().bounds()) {
            self.cameras.frame(bounds, &self.views);
        }
    }

    /// Makes the orbit camera the main camera and returns it, as [`Cameras::use_orbit`] does.
    ///
    /// [`Cameras::use_orbit`]: crate::cameras::Cameras::use_orbit
    pub fn orbit(&mut self) -> &mut Orbit {
        self.cameras.use_orbit(&self.views)
    }

    /// Looks through the active node, or no longer through one.
    pub(crate) fn look_through_active(&mut self) {
        let active =
            self.editor.selection().active().filter(|node| self.cameras.looks_through() != Some(*node));
        self.cameras.look_through(active, self.editor.scene());
    }
}
