//! Pointers and keys of one scene.

use crate::pointers::{Act, Pointer, Pointers};
use crate::scene::{Combine, Scene};
use wgpu_gizmo::Gizmo;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::interaction::{self, Fingers, HeldKeys, Key, KeyModifiers};

/// The kind of a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PointerKind {
    /// A mouse or a pen.
    #[default]
    Exact,
    /// A finger, which has a larger tolerance and hovers over nothing.
    Finger,
}

impl PointerKind {
    /// Returns the distance from a handle within which it is picked, in logical pixels, if it is not that of the
    /// settings.
    fn tolerance_lpx(self) -> Option<f64> {
        (self == Self::Finger).then_some(Fingers::TOLERANCE_LPX)
    }
}

/// The pointer of one scene.
#[derive(Debug, Default)]
pub(crate) struct Input {
    pointers: Pointers,
    kind: PointerKind,
    last_px: Option<DVec2>,
    /// The primary button, or the finger, is down.
    is_down: bool,
    /// It is not known yet whether the press hit a handle.
    is_undecided: bool,
    /// The pixels since the press, in a scene with a lasso.
    path: Vec<DVec2>,
}

/// The smallest extent of a lasso, in logical pixels: less is a click.
const MIN_LASSO_LPX: f64 = 6.0;
/// Logical pixels of orbit per press of an arrow key.
const KEY_ORBIT_LPX: f64 = 14.0;
/// The factor of the distance per press of a key, and per notch of the wheel.
const ZOOM: f64 = 1.1;

fn is_any(scene: &mut dyn Scene, is_so: impl Fn(&Gizmo) -> bool) -> bool {
    let mut found = false;
    scene.gizmos(&mut |gizmo| found |= is_so(gizmo));
    found
}

impl Input {
    /// Returns the last position of the pointer.
    pub(crate) fn last_px(&self) -> Option<DVec2> {
        self.last_px
    }

    /// Returns the lasso that is being drawn.
    pub(crate) fn lasso(&self) -> &[DVec2] {
        if self.is_lasso() { &self.path } else { &[] }
    }

    fn is_lasso(&self) -> bool {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for point in &self.path {
            (low, high) = (low.min(*point), high.max(*point));
        }
        self.is_down && !self.is_undecided && (high - low).max_element() > MIN_LASSO_LPX
    }

    /// Handles an event of a pointer.
    pub(crate) fn take(&mut self, scene: &mut dyn Scene, pointer: Pointer, scale_factor: f64) {
        if !pointer.px.is_finite() {
            return;
        }
        for act in self.pointers.take(pointer) {
            match act {
                Act::Move => self.moved(scene, pointer.px, pointer.kind, scale_factor),
                Act::Press => self.pressed(scene),
                Act::Release => self.released(scene),
                Act::Cancel => self.canceled(scene),
                Act::Orbit { by_px, zoom: factor } => {
                    orbit(scene, by_px / scale_factor);
                    zoom(scene, factor);
                }
            }
        }
    }

    /// Forgets a pointer that the system has taken away.
    pub(crate) fn lost(&mut self, scene: &mut dyn Scene, id: i32) {
        if self.pointers.lose(id) {
            self.canceled(scene);
        }
    }

    fn moved(&mut self, scene: &mut dyn Scene, px: DVec2, kind: PointerKind, scale_factor: f64) {
        self.kind = kind;
        let moved = interaction::Input::Moved { px, tolerance_lpx: kind.tolerance_lpx() };
        scene.gizmos(&mut |gizmo| gizmo.handle_input(moved));
        scene.pointer_at(Some(px));
        let last = self.last_px.replace(px);
        let is_free = !is_any(scene, |gizmo| gizmo.is_active() || gizmo.claims().primary_drag);
        if !self.is_down || !is_free {
            return;
        }
        if scene.has_lasso() {
            self.path.push(px);
        } else if !self.is_undecided {
            let by = (px - last.unwrap_or(px)) / scale_factor;
            orbit(scene, by);
        }
    }

    fn pressed(&mut self, scene: &mut dyn Scene) {
        (self.is_down, self.is_undecided) = (true, true);
        self.path.clear();
        self.path.extend(self.last_px);
        // In a drag, a press belongs to the gizmo that is dragged.
        let is_taken = is_any(scene, |gizmo| gizmo.claims().keys);
        scene.gizmos(&mut |gizmo| {
            if !is_taken || gizmo.claims().keys {
                gizmo.pointer_pressed();
            }
        });
    }

    fn released(&mut self, scene: &mut dyn Scene) {
        let is_free = !is_any(scene, Gizmo::is_active);
        if scene.has_lasso() && is_free && self.is_lasso() {
            scene.probes().request_lasso(std::mem::take(&mut self.path));
        }
        self.is_down = false;
        self.path.clear();
        scene.gizmos(&mut Gizmo::pointer_released);
        if self.kind == PointerKind::Finger {
            self.left(scene);
        }
    }

    pub(crate) fn left(&mut self, scene: &mut dyn Scene) {
        self.last_px = None;
        scene.gizmos(&mut Gizmo::pointer_left);
        scene.pointer_at(None);
    }

    /// Cancels a drag: the secondary button, a second finger, or a lost window.
    pub(crate) fn canceled(&mut self, scene: &mut dyn Scene) {
        self.pointers.cancel();
        self.path.clear();
        if std::mem::take(&mut self.is_down) {
            scene.gizmos(&mut |gizmo| {
                gizmo.cancel();
                gizmo.pointer_released();
            });
        } else {
            scene.gizmos(&mut Gizmo::cancel);
        }
    }

    /// Cancels the drag in progress. Returns false if there is none.
    pub(crate) fn cancel_drag(&mut self, scene: &mut dyn Scene) -> bool {
        let is_dragging = is_any(scene, Gizmo::is_active);
        if is_dragging {
            self.canceled(scene);
        }
        is_dragging
    }

    /// Looks at the answers of a step.
    pub(crate) fn stepped(&mut self, scene: &mut dyn Scene) {
        if self.is_undecided && !is_any(scene, |gizmo| gizmo.is_busy() && !gizmo.is_active()) {
            self.is_undecided = false;
            if is_any(scene, Gizmo::is_active) {
                self.path.clear();
            }
        }
    }
}

/// Orbits the camera by a displacement in logical pixels.
pub(crate) fn orbit(scene: &mut dyn Scene, by_lpx: DVec2) {
    if let Some(camera) = scene.camera() {
        camera.orbit(by_lpx);
        scene.redraw();
    }
}

/// Zooms the camera.
pub(crate) fn zoom(scene: &mut dyn Scene, factor: f64) {
    if let Some(camera) = scene.camera() {
        camera.zoom(factor);
        scene.redraw();
    }
}

/// Turns the wheel by notches. Returns true if a handle uses it.
pub(crate) fn nudge(scene: &mut dyn Scene, notches: f64) -> bool {
    let mut is_used = false;
    scene.gizmos(&mut |gizmo| {
        if gizmo.claims().wheel {
            gizmo.wheel(notches);
            is_used = true;
        }
    });
    is_used
}

/// Zooms by notches of the wheel, but not in a drag. Returns true if the scene has a camera.
pub(crate) fn zoom_by(scene: &mut dyn Scene, notches: f64) -> bool {
    if !is_any(scene, Gizmo::is_busy) {
        zoom(scene, ZOOM.powf(-notches));
    }
    scene.camera().is_some()
}

/// Sets the held keys, and whether clicks add to the selection.
pub(crate) fn set_held(scene: &mut dyn Scene, held: HeldKeys) {
    scene.gizmos(&mut |gizmo| gizmo.set_held_keys(held));
    scene.set_combine(if held.precision { Combine::Add } else { Combine::Replace });
}

/// Passes a key by its name in browsers, such as `ArrowLeft` or `x`. Returns true if the scene used it.
pub(crate) fn key(scene: &mut dyn Scene, name: &str, modifiers: KeyModifiers) -> bool {
    let gizmo = scene.keyed_gizmo();
    let is_typing = gizmo.claims().keys;
    let key = gizmo_key(name).filter(|key| modifiers.may_type(*key));
    // Without a drag, only the letters of axes begin one; the other keys belong to the camera and the page.
    if let Some(key) = key.filter(|key| gizmo.uses_key(*key)) {
        gizmo.key(key, modifiers);
        return true;
    }
    let step = KEY_ORBIT_LPX;
    let has_modifiers = modifiers.ctrl || modifiers.alt || modifiers.meta;
    if has_modifiers || is_typing {
        return is_typing && !has_modifiers;
    }
    match name {
        "ArrowLeft" => orbit(scene, DVec2::new(step, 0.0)),
        "ArrowRight" => orbit(scene, DVec2::new(-step, 0.0)),
        "ArrowUp" => orbit(scene, DVec2::new(0.0, step)),
        "ArrowDown" => orbit(scene, DVec2::new(0.0, -step)),
        "+" | "=" => zoom(scene, 1.0 / ZOOM),
        "-" => zoom(scene, ZOOM),
        "[" | "]" => {
            let count = scene.transforms().len();
            let forward = if name == "]" { 1 } else { count - 1 };
            let index = scene.selected().last().map_or(0, |active| (active + forward) % count);
            scene.choose(index);
        }
        _ => return false,
    }
    true
}

fn gizmo_key(name: &str) -> Option<Key> {
    let mut characters = name.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => Key::from_char(character),
        _ => Some(match name {
            "ArrowLeft" => Key::Left,
            "ArrowRight" => Key::Right,
            "ArrowUp" => Key::Up,
            "ArrowDown" => Key::Down,
            "Backspace" => Key::Backspace,
            "Tab" => Key::Tab,
            "Enter" => Key::Enter,
            "Escape" => Key::Escape,
            _ => return None,
        }),
    }
}
