//! Messages of drags.

use bevy::ecs::entity::Entity;
use bevy::ecs::message::Message;
use bevy::transform::components::Transform;
use wgpu_gizmo_core::interaction::{DisabledReason, Motion};
use wgpu_gizmo_core::{HandleId, Transform as CoreTransform};

/// A drag of a handle began.
#[derive(Message, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DragStarted {
    /// The handle.
    pub handle: HandleId,
    /// The camera in whose view the drag began; `None` if that camera is gone already.
    pub camera: Option<Entity>,
    /// The targets that move, the active one last.
    pub targets: Vec<Entity>,
}

/// The motion of a drag changed, and the transforms of its targets were written.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct DragChanged {
    /// The total motion since the start in world space, after snapping and limits.
    pub motion: Motion,
}

/// A target of a drag with its local transforms before and after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovedTarget {
    /// The target.
    pub entity: Entity,
    /// Its transform at the start of the drag.
    pub start: Transform,
    /// Its transform at the end of the drag.
    pub end: Transform,
}

/// A drag was released. If something changed, it is one undo step.
///
/// ```
/// use bevy::prelude::*;
/// use wgpu_gizmo_bevy::{DragEnded, MovedTarget};
///
/// #[derive(Resource, Default)]
/// struct UndoSteps(Vec<Vec<MovedTarget>>);
///
/// fn record(mut drags: MessageReader<DragEnded>, mut steps: ResMut<UndoSteps>) {
///     steps.0.extend(drags.read().filter(|drag| drag.changed).map(|drag| drag.targets.clone()));
/// }
///
/// fn undo(mut steps: ResMut<UndoSteps>, mut transforms: Query<&mut Transform>) {
///     for target in steps.0.pop().unwrap_or_default() {
///         if let Ok(mut transform) = transforms.get_mut(target.entity) {
///             *transform = target.start;
///         }
///     }
/// }
/// # App::new().add_message::<DragEnded>().init_resource::<UndoSteps>().add_systems(Update, (record, undo)).update();
/// ```
#[derive(Message, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DragEnded {
    /// The handle.
    pub handle: HandleId,
    /// Whether a target differs from its start.
    pub changed: bool,
    /// All targets of the drag, the active one last.
    pub targets: Vec<MovedTarget>,
}

/// A drag was canceled, and its targets have their starts back, bit for bit.
#[derive(Message, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DragCanceled {
    /// The handle.
    pub handle: HandleId,
    /// The targets of the drag, also those that are gone.
    pub targets: Vec<Entity>,
}

/// A press or a key chose a handle that cannot be used.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct DragRefused {
    /// The handle.
    pub handle: HandleId,
    /// The reason, whose `Display` text can be shown to users.
    pub reason: DisabledReason,
}

/// A click without motion on the trackball or on the center handle, which cover objects: select what is
/// behind, as if the handle were not there. It follows a [`DragEnded`] without a change.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ClickPassed {
    /// The handle.
    pub handle: HandleId,
}

/// The place of the gizmo itself was changed, as in `GizmoCore::edit_pivot`. It is one undo step; the targets
/// stay as they are.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PivotChanged {
    /// The pivot and the reference frame before the change, in world space; `None` if the gizmo was not
    /// placed.
    pub from: Option<CoreTransform>,
    /// The place after the change.
    pub to: Option<CoreTransform>,
}
