//! The transform gizmo of [wgpu-gizmo](https://docs.rs/wgpu-gizmo) as a plugin for [Bevy](https://bevy.org).
//!
//! ```no_run
//! use bevy::prelude::*;
//! use wgpu_gizmo_bevy::{GizmoCamera, GizmoPlugin, GizmoTarget};
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((DefaultPlugins, GizmoPlugin))
//!         .add_systems(Startup, |mut commands: Commands| {
//!             commands.spawn((Camera3d::default(), GizmoCamera, Transform::from_xyz(0.0, 2.0, 5.0)));
//!             commands.spawn((GizmoTarget, Transform::default()));
//!         })
//!         .run();
//! }
//! ```
//!
//! # Parts
//!
//! | item | use |
//! |---|---|
//! | [`GizmoCamera`], [`GizmoTarget`] | which cameras show the gizmo, and which entities it moves |
//! | [`GizmoSettings`], [`GizmoTheme`] | modes, orientations, pivots, snapping, limits; colors and widths |
//! | [`GizmoClaims`] and [`conditions`] | which uses of the pointer and the keys are free for cameras and selection |
//! | [`DragStarted`], [`DragChanged`], [`DragEnded`], [`DragCanceled`] | messages of a drag, with all that undo needs |
//! | [`ClickPassed`], [`DragRefused`], [`PivotChanged`] | other messages |
//! | [`GizmoInput`] | keeps pointer and keys from the gizmo while a user interface has them |
//! | [`GizmoCore`] | the gizmo itself: hovered handle, custom handles, the pivot |
//! | [`GizmoSystems`], [`GizmoDrawSystems`] | sets of the systems, to order others against them |
//!
//! # Frames
//!
//! The input is handled in [`First`], with the views and targets that the user saw in the last frame, so that
//! claims and messages are current for picking in `PreUpdate` and for cameras in `Update`. In `PostUpdate`,
//! before transforms are propagated, the gizmo follows what moved in between, and its picture is made. So
//! neither the objects nor their handles lag behind.
//!
//! # Conventions
//!
//! - Angles are in radians, lengths in world units, and names that end in `_lpx` are in logical pixels.
//! - The gizmo calculates in `f64`, from the `f32` transforms of the entities.
//! - Handles are picked on the CPU within the frame. Nothing panics, and nothing waits for the GPU.

#![forbid(unsafe_code)]

mod claims;
mod components;
#[doc = include_str!("guide.md")]
pub mod guide {}
mod input;
mod keys;
mod messages;
mod pictures;
mod render;
mod scene;
mod step;
mod views;

pub use claims::{GizmoClaims, conditions};
pub use components::{GizmoCamera, GizmoCore, GizmoInput, GizmoSettings, GizmoTarget, GizmoTheme};
pub use messages::{
    ClickPassed, DragCanceled, DragChanged, DragEnded, DragRefused, DragStarted, MovedTarget, PivotChanged,
};
pub use render::GizmoDrawSystems;
pub use wgpu_gizmo_core as core;

use bevy::app::{App, First, Plugin, PostUpdate};
use bevy::camera::CameraUpdateSystems;
use bevy::ecs::message::MessageUpdateSystems;
use bevy::ecs::schedule::{IntoScheduleConfigs, SystemSet};
use bevy::transform::TransformSystems;

/// Adds the gizmo to an app: input, claims, drags and drawing.
///
/// It works without a renderer, too, as in tests, and before or after `DefaultPlugins`.
#[derive(Debug, Clone, Copy, Default)]
pub struct GizmoPlugin;

/// The sets of the systems in the main world.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GizmoSystems {
    /// Handles the input, moves the targets, and writes claims and messages: in [`First`], after messages are
    /// updated. A run condition on this set freezes the gizmo.
    HandleInput,
    /// Follows cameras and targets that other systems moved, and makes the pictures: in [`PostUpdate`], after
    /// cameras are updated and before transforms are propagated.
    Draw,
}

impl Plugin for GizmoPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<GizmoCamera>()
            .register_type::<GizmoTarget>()
            .init_resource::<GizmoSettings>()
            .init_resource::<GizmoTheme>()
            .init_resource::<GizmoInput>()
            .init_resource::<GizmoClaims>()
            .init_resource::<GizmoCore>()
            .init_resource::<step::Progress>()
            .init_resource::<input::InputState>()
            .init_resource::<pictures::Pictures>()
            .add_message::<DragStarted>()
            .add_message::<DragChanged>()
            .add_message::<DragEnded>()
            .add_message::<DragCanceled>()
            .add_message::<DragRefused>()
            .add_message::<ClickPassed>()
            .add_message::<PivotChanged>()
            .configure_sets(First, GizmoSystems::HandleInput.after(MessageUpdateSystems))
            .configure_sets(
                PostUpdate,
                GizmoSystems::Draw.after(CameraUpdateSystems).before(TransformSystems::Propagate),
            )
            .add_systems(First, input::handle_input.in_set(GizmoSystems::HandleInput))
            .add_systems(PostUpdate, pictures::update_pictures.in_set(GizmoSystems::Draw));
        input::add_messages(app);
    }

    fn finish(&self, app: &mut App) {
        render::add_to(app);
    }
}
