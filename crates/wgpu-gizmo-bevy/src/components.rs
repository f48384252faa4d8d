//! Components and resources of the main world.

use crate::step::Progress;
use bevy::ecs::component::Component;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::reflect::ReflectComponent;
use bevy::ecs::resource::Resource;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::{Deref, DerefMut, ReflectDefault};
use bevy::reflect::Reflect;
use wgpu_gizmo_core::interaction::Fingers;
use wgpu_gizmo_core::{Gizmo, IdSpace, Settings, Theme};

/// Marks a camera whose view shows the gizmo, and whose part of the window takes its input.
///
/// Any number of cameras can have it, in any viewport of any window. The gizmo is drawn above the scene of
/// each of them, also if the camera renders to an image; only a window has a pointer. Inactive cameras are
/// ignored. If viewports overlap, the pointer belongs to the camera with the highest
/// [`order`](bevy::camera::Camera::order).
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Default, Reflect)]
#[reflect(Component, Default)]
pub struct GizmoCamera;

/// Marks an entity that the gizmo moves. Its [`Transform`](bevy::transform::components::Transform) is written
/// during a drag, under any parents; those are read from the `Transform`s of its ancestors.
///
/// Any number of entities can have it: they move together. The one that was marked last is the active one;
/// insert the component again to make a target active. A target whose ancestor is a target moves along with
/// it. Hidden targets (`Visibility`) are left out. A target that is despawned, hidden, marked or no longer
/// marked during a drag cancels it.
///
/// Its `Aabb`, which Bevy adds to meshes, is the box of `Pivot::BoundsCenter` and of box handles.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Default, Reflect)]
#[reflect(Component, Default)]
#[component(on_insert = set_active)]
pub struct GizmoTarget;

fn set_active(mut world: DeferredWorld<'_>, context: HookContext) {
    // Without the plugin there is nothing to keep, and entities that were marked before it are found later.
    if let Some(mut progress) = world.get_resource_mut::<Progress>() {
        progress.set_active(context.entity);
    }
}

/// The settings of the gizmo: mode, orientation, pivot, snapping, limits and more. They can be changed at any
/// time; a mode takes effect after the drag in progress.
///
/// ```
/// use wgpu_gizmo_bevy::GizmoSettings;
/// use wgpu_gizmo_bevy::core::{Mode, Orientation};
///
/// let mut settings = GizmoSettings::default();
/// settings.mode = Mode::Rotate;
/// settings.orientation = Orientation::Local;
/// ```
#[derive(Resource, Debug, Clone, PartialEq, Default, Deref, DerefMut)]
pub struct GizmoSettings(pub Settings);

/// The colors, opacities and widths of the gizmo. Colors are sRGB-encoded.
#[derive(Resource, Debug, Clone, PartialEq, Default, Deref, DerefMut)]
pub struct GizmoTheme(pub Theme);

/// Keeps input from the gizmo. Set its fields while a user interface has the pointer or the keyboard.
///
/// A drag in progress still gets all input until it ends.
///
/// ```
/// use wgpu_gizmo_bevy::GizmoInput;
///
/// fn while_text_is_edited(is_editing: bool, input: &mut GizmoInput) {
///     input.ignore_keys = is_editing;
/// }
/// # while_text_is_edited(true, &mut GizmoInput::default());
/// ```
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct GizmoInput {
    /// Whether the pointer counts as outside of all views. Default: false.
    pub ignore_pointer: bool,
    /// Whether keys are ignored. Default: false.
    pub ignore_keys: bool,
    /// The pick tolerance of fingers in logical pixels, which replaces
    /// [`InputSettings::tolerance_lpx`](wgpu_gizmo_core::interaction::settings::InputSettings::tolerance_lpx)
    /// until the mouse moves. Default: 22.
    pub finger_tolerance_lpx: f64,
    /// The distance on a touchpad that counts as one notch of a wheel, in logical pixels. Default: 50.
    pub notch_lpx: f64,
}

impl Default for GizmoInput {
    fn default() -> Self {
        Self {
            ignore_pointer: false,
            ignore_keys: false,
            finger_tolerance_lpx: Fingers::TOLERANCE_LPX,
            notch_lpx: 50.0,
        }
    }
}

/// The gizmo itself, for everything that the other resources do not offer: the hovered handle, the shape of
/// the cursor, custom handles, `grab`, `cancel`, the pivot.
///
/// The plugin feeds its input, updates it and sets its settings and theme from [`GizmoSettings`] and
/// [`GizmoTheme`] before each update: change those instead.
#[derive(Resource, Debug, Deref, DerefMut)]
pub struct GizmoCore(Gizmo);

impl Default for GizmoCore {
    fn default() -> Self {
        Self(Gizmo::new(&mut IdSpace::new()).expect("a new id space has room for a gizmo"))
    }
}
