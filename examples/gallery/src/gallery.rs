//! The scenes with their input, for any platform.

mod answers;

use crate::attachments::Attachments;
use crate::input::{self, Input};
use crate::pointers::Pointer;
use crate::scene::{Gpu, Scene, Window};
use crate::scenes::{SCENES, SceneInfo};
use crate::settings::Setting;
use crate::snippets::snippet;
use crate::solids::Solids;
use std::rc::Rc;
use wgpu_gizmo::interaction::{HeldKeys, KeyModifiers};

/// The scenes with their input.
///
/// Scenes have an index. One that was not built is built by the first step; input for it is ignored until
/// then.
pub struct Gallery {
    gpu: Gpu,
    solids: Rc<Solids>,
    attachments: Attachments,
    entries: Vec<Entry>,
    is_dark: bool,
    is_magnifying: bool,
}

#[derive(Default)]
struct Entry {
    scene: Option<Box<dyn Scene>>,
    input: Input,
    window: Option<Window>,
    frames: u64,
}

impl std::fmt::Debug for Gallery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gallery").field("is_dark", &self.is_dark).finish_non_exhaustive()
    }
}

/// A control of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// The text beside it.
    pub label: &'static str,
    /// The names of its values: `off` and `on` if it is a switch.
    pub values: Vec<String>,
    /// The index of the current value.
    pub current: usize,
}

/// The description of a scene.
impl Gallery {
    /// Creates the gallery. Scenes are built when they are first shown.
    pub fn new(gpu: Gpu) -> Self {
        Self {
            solids: Rc::new(Solids::new(&gpu.device, gpu.format)),
            gpu,
            attachments: Attachments::default(),
            entries: SCENES.iter().map(|_| Entry::default()).collect(),
            is_dark: true,
            is_magnifying: false,
        }
    }

    /// Returns the number of scenes.
    pub fn count() -> usize {
        SCENES.len()
    }

    /// Returns the name, title and description of a scene.
    pub fn texts(index: usize) -> [&'static str; 3] {
        SCENES.get(index).map_or([""; 3], |SceneInfo { name, title, text, .. }| [name, title, text])
    }

    /// Returns the index of the scene with a name.
    pub fn index_of(name: &str) -> Option<usize> {
        SCENES.iter().position(|scene| scene.name == name)
    }

    /// Returns the code of a scene, as it was compiled.
    pub fn code(index: usize) -> String {
        let names = SCENES.get(index).map_or(&[][..], |scene| scene.code);
        let parts: Vec<String> = names.iter().filter_map(|name| snippet(name)).collect();
        parts.join("\n\n")
    }

    /// Returns the controls of a scene that was built.
    pub fn controls(&mut self, index: usize) -> Vec<Control> {
        let Some(scene) = self.scene(index) else { return Vec::new() };
        let control = |setting: &Setting| {
            let (values, current) = if *setting == Setting::Object {
                let names = (0..scene.transforms().len()).map(|object| scene.object_name(object).to_owned());
                (names.collect(), scene.selected().last().copied().unwrap_or(0))
            } else {
                (setting.values(), setting.current(scene.keyed_gizmo()))
            };
            Control { label: setting.label(), values, current }
        };
        SCENES[index].settings.iter().map(control).collect()
    }

    /// Selects a value of a control.
    pub fn set_control(&mut self, index: usize, control: usize, value: usize) {
        let Some(scene) = self.scene(index) else { return };
        match SCENES[index].settings.get(control) {
            Some(Setting::Object) => scene.choose(value),
            Some(setting) => scene.gizmos(&mut |gizmo| setting.select(gizmo, value)),
            None => {}
        }
        scene.redraw();
    }
}

/// Frames.
impl Gallery {
    /// Builds a scene, unless it was built.
    ///
    /// # Errors
    /// Returns the reason if the device cannot show the scene.
    pub fn build(&mut self, index: usize) -> Result<(), String> {
        let (Some(entry), Some(info)) = (self.entries.get_mut(index), SCENES.get(index)) else {
            return Err("There is no such scene.".to_owned());
        };
        if entry.scene.is_none() {
            let mut scene = info.build(&self.gpu, &self.solids).map_err(|error| error.to_string())?;
            scene.set_dark(self.is_dark);
            scene.probes().is_magnifying = self.is_magnifying;
            entry.scene = Some(scene);
        }
        Ok(())
    }

    /// Builds the scene again, as it was at first.
    ///
    /// # Errors
    /// The same as [`Gallery::build`].
    pub fn reset(&mut self, index: usize) -> Result<(), String> {
        let entry = self.entries.get_mut(index).ok_or("There is no such scene.")?;
        (entry.scene, entry.input) = (None, Input::default());
        self.build(index)
    }

    /// Handles input and answers of a scene, and draws it if it looks different. Returns true if it was drawn.
    /// `acquire` returns the texture to draw into.
    ///
    /// # Errors
    /// Returns what the device reports. The next step goes on.
    pub fn step(
        &mut self,
        index: usize,
        window: Window,
        acquire: &mut dyn FnMut() -> Option<wgpu::TextureView>,
    ) -> Result<bool, String> {
        self.build(index)?;
        let Self { gpu, attachments, entries, .. } = self;
        let entry = &mut entries[index];
        let Some(scene) = &mut entry.scene else { return Ok(false) };
        if window.size.contains(&0) {
            return Ok(false);
        }
        entry.window = Some(window);
        let stepped = scene.step(gpu, window, attachments, acquire);
        entry.input.stepped(scene.as_mut());
        let is_drawn = stepped.map_err(|error| error.to_string())?;
        entry.frames += u64::from(is_drawn);
        Ok(is_drawn)
    }

    /// Returns true if a scene must be stepped although no input comes.
    pub fn needs_step(&self, index: usize) -> bool {
        self.entries.get(index).is_some_and(|entry| entry.scene.as_ref().is_none_or(|s| s.needs_step()))
    }

    /// Draws the scene again in the next step, such as after its canvas was cleared.
    pub fn redraw(&mut self, index: usize) {
        if let Some(scene) = self.scene(index) {
            scene.redraw();
        }
    }

    /// Selects a dark or a light background for all scenes.
    pub fn set_dark(&mut self, is_dark: bool) {
        self.is_dark = is_dark;
        self.scenes().for_each(|scene| scene.set_dark(is_dark));
    }

    /// Shows or hides the magnifier in all scenes.
    pub fn set_magnifying(&mut self, is_magnifying: bool) {
        self.is_magnifying = is_magnifying;
        self.scenes().for_each(|scene| scene.probes().is_magnifying = is_magnifying);
    }

    fn scenes(&mut self) -> impl Iterator<Item = &mut Box<dyn Scene>> {
        self.entries.iter_mut().filter_map(|entry| entry.scene.as_mut())
    }

    fn scene(&mut self, index: usize) -> Option<&mut dyn Scene> {
        Some(self.entries.get_mut(index)?.scene.as_mut()?.as_mut())
    }

    fn scene_ref(&self, index: usize) -> Option<&dyn Scene> {
        Some(self.entries.get(index)?.scene.as_ref()?.as_ref())
    }

    fn with_input(&mut self, index: usize, with: impl FnOnce(&mut Input, &mut dyn Scene, Option<Window>)) {
        if let Some(Entry { scene: Some(scene), input, window, .. }) = self.entries.get_mut(index) {
            with(input, scene.as_mut(), *window);
        }
    }
}

/// Input. Positions are in physical pixels.
impl Gallery {
    /// A pointer moved, or its buttons changed. The primary button, or a finger, drags handles or orbits; the others,
    /// or two fingers, move the camera, and cancel a drag.
    pub fn pointer(&mut self, index: usize, pointer: Pointer) {
        self.with_input(index, |input, scene, window| {
            input.take(scene, pointer, window.map_or(1.0, |window| window.scale_factor));
        });
    }

    /// The system has taken a pointer away.
    pub fn pointer_lost(&mut self, index: usize, id: i32) {
        self.with_input(index, |input, scene, _| input.lost(scene, id));
    }

    /// The pointer left the scene.
    pub fn pointer_left(&mut self, index: usize) {
        self.with_input(index, |input, scene, _| input.left(scene));
    }

    /// The press was canceled, as when the scene loses the focus.
    pub fn pointer_canceled(&mut self, index: usize) {
        self.with_input(index, |input, scene, _| input.canceled(scene));
    }

    /// Turns the wheel by notches, positive away from the user, over a handle that it can nudge
    /// ([`Claims::wheel`](wgpu_gizmo::interaction::Claims::wheel)). Returns false if there is none.
    pub fn nudge(&mut self, index: usize, notches: f64) -> bool {
        self.scene(index).is_some_and(|scene| input::nudge(scene, notches))
    }

    /// Zooms in by notches of the wheel, but not in a drag. Returns false if the scene has no camera that zooms.
    pub fn zoom(&mut self, index: usize, notches: f64) -> bool {
        self.scene(index).is_some_and(|scene| input::zoom_by(scene, notches))
    }

    /// Sets the held keys.
    pub fn set_held(&mut self, index: usize, held: HeldKeys) {
        if let Some(scene) = self.scene(index) {
            input::set_held(scene, held);
        }
    }

    /// Passes a key by its name in browsers, such as `ArrowLeft` or `x`. Returns true if the scene used it.
    pub fn key(&mut self, index: usize, name: &str, modifiers: KeyModifiers) -> bool {
        self.scene(index).is_some_and(|scene| input::key(scene, name, modifiers))
    }

    /// Cancels the drag in progress, such as one by the wheel, or else undoes the last one. Returns false if there is
    /// none.
    pub fn undo(&mut self, index: usize) -> bool {
        let Some(Entry { scene: Some(scene), input, .. }) = self.entries.get_mut(index) else { return false };
        input.cancel_drag(scene.as_mut()) || scene.undo()
    }

    /// Returns the state of a scene, for [`Gallery::restore`] on another device. Undo steps are not part of it.
    pub fn save(&self, index: usize) -> Vec<f64> {
        self.scene_ref(index).map(Scene::save).unwrap_or_default()
    }

    /// Restores a state of the same scene.
    pub fn restore(&mut self, index: usize, state: &[f64]) {
        if let Some(scene) = self.scene(index) {
            scene.restore(state);
        }
    }

    /// Moves the selected objects of a scene with a handle, without a pointer. Angles are in degrees.
    ///
    /// # Errors
    /// Returns the reason if the handle cannot be used.
    pub fn drive(&mut self, index: usize, handle: &str, amount: f64) -> Result<(), String> {
        let amount = if handle.starts_with("rotate") { amount.to_radians() } else { amount };
        self.scene(index).map_or(Err("There is no such scene.".to_owned()), |s| s.drive(handle, amount))
    }

    /// Asks for the ids of the whole view.
    pub fn request_ids(&mut self, index: usize) {
        if let Some(scene) = self.scene(index) {
            scene.probes().request_whole();
        }
    }
}
