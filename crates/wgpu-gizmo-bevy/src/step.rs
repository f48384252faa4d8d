//! Updates of the gizmo with the world.

use crate::components::{GizmoCore, GizmoSettings, GizmoTheme};
use crate::messages::{
    ClickPassed, DragCanceled, DragChanged, DragEnded, DragRefused, DragStarted, MovedTarget, PivotChanged,
};
use crate::scene::{Scene, Targets, bevy_transform};
use crate::views::{CameraView, Cameras};
use bevy::ecs::change_detection::{Res, ResMut};
use bevy::ecs::entity::Entity;
use bevy::ecs::message::MessageWriter;
use bevy::ecs::resource::Resource;
use bevy::ecs::system::SystemParam;
use bevy::transform::components::Transform;
use wgpu_gizmo_core::interaction::{Events, Views};
use wgpu_gizmo_core::{Event, Gizmo, HandleId, View};

/// The maximum number of queries in one update, such as those of several presses.
const MAX_QUERIES: usize = 8;

/// The targets and the drag in progress.
#[derive(Resource, Debug, Default)]
pub(crate) struct Progress {
    /// All marked entities, in the order in which they were marked.
    order: Vec<Entity>,
    drag: Option<Record>,
}

impl Progress {
    /// Makes an entity the last of the targets.
    pub(crate) fn set_active(&mut self, entity: Entity) {
        self.order.retain(|other| *other != entity);
        self.order.push(entity);
    }
}

/// The targets of a drag with their starts.
#[derive(Debug)]
struct Record {
    handle: HandleId,
    starts: Vec<(Entity, Transform)>,
}

/// The messages of drags.
#[derive(SystemParam)]
pub(crate) struct DragMessages<'w> {
    started: MessageWriter<'w, DragStarted>,
    changed: MessageWriter<'w, DragChanged>,
    ended: MessageWriter<'w, DragEnded>,
    canceled: MessageWriter<'w, DragCanceled>,
    refused: MessageWriter<'w, DragRefused>,
    passed: MessageWriter<'w, ClickPassed>,
    pivot_changed: MessageWriter<'w, PivotChanged>,
}

/// Everything that an update of the gizmo reads and writes.
#[derive(SystemParam)]
pub(crate) struct Step<'w, 's> {
    pub(crate) gizmo: ResMut<'w, GizmoCore>,
    pub(crate) cameras: Cameras<'w, 's>,
    settings: Res<'w, GizmoSettings>,
    theme: Res<'w, GizmoTheme>,
    scene: Scene<'w, 's>,
    progress: ResMut<'w, Progress>,
    messages: DragMessages<'w>,
}

impl Step<'_, '_> {
    /// Returns the views of all cameras that show the gizmo.
    pub(crate) fn views(&self) -> Vec<CameraView> {
        self.cameras.views(&self.scene)
    }

    /// Updates the gizmo, moves the targets and writes the messages. `pointer_in` is the key of the view that
    /// the pointer is in. `finger_tolerance_lpx` replaces the tolerance while a finger is the pointer.
    pub(crate) fn update(
        &mut self,
        views: &[CameraView],
        pointer_in: u64,
        finger_tolerance_lpx: Option<f64>,
    ) {
        self.set_settings(finger_tolerance_lpx);
        self.scene.order_targets(&mut self.progress.order);
        let mut targets = self.scene.targets(&self.progress.order);
        let mut all: Vec<View> = views.iter().map(|view| view.view).collect();
        // A drag ends with its camera. Its view is needed once more to end it. Button and keys stay down.
        if let Some(held) = self.gizmo.held_view().copied()
            && all.iter().all(|view| view.key() != held.key())
        {
            self.gizmo.cancel();
            all = vec![held];
        }
        let views = Views::from(&all).with_pointer_in(pointer_in);
        let before: Vec<_> = targets.targets.iter().map(|target| target.local).collect();
        let events = update_and_pick(&mut self.gizmo, views, &mut targets);
        for (i, target) in targets.targets.iter().enumerate() {
            // Outside of a drag nothing is written, not even a NaN.
            if target.local != before[i] && target.local.is_finite() {
                self.scene.set_transform(targets.entities[i], bevy_transform(&target.local));
            }
        }
        for event in &events {
            self.handle_event(event, &targets);
        }
    }

    fn set_settings(&mut self, finger_tolerance_lpx: Option<f64>) {
        self.gizmo.settings = self.settings.0;
        if let Some(tolerance_lpx) = finger_tolerance_lpx {
            self.gizmo.settings.input.tolerance_lpx = tolerance_lpx;
        }
        self.gizmo.theme = self.theme.0;
    }

    fn handle_event(&mut self, event: &Event, targets: &Targets) {
        match event {
            Event::Started(handle) => {
                let starts = targets.entities.iter().copied().zip(targets.before.iter().copied()).collect();
                self.progress.drag = Some(Record { handle: *handle, starts });
                let camera = self.gizmo.held_view().and_then(|view| Entity::try_from_bits(view.key()));
                let targets = targets.entities.clone();
                self.messages.started.write(DragStarted { handle: *handle, camera, targets });
            }
            Event::Changed(motion) => {
                self.messages.changed.write(DragChanged { motion: *motion });
            }
            Event::Ended { changed } => {
                let Some(Record { handle, starts }) = self.progress.drag.take() else { return };
                let moved = |(entity, start): (Entity, Transform)| {
                    let end = self.scene.transform(entity)?;
                    Some(MovedTarget { entity, start, end })
                };
                let targets = starts.into_iter().filter_map(moved).collect();
                self.messages.ended.write(DragEnded { handle, changed: *changed, targets });
            }
            Event::Canceled => {
                let Some(Record { handle, starts }) = self.progress.drag.take() else { return };
                // Also those that are no longer targets, which the gizmo cannot restore.
                for (entity, start) in &starts {
                    self.scene.set_transform(*entity, *start);
                }
                let targets = starts.into_iter().map(|(entity, _)| entity).collect();
                self.messages.canceled.write(DragCanceled { handle, targets });
            }
            Event::Refused(handle, reason) => {
                self.messages.refused.write(DragRefused { handle: *handle, reason: *reason });
            }
            Event::ClickPassed(handle) => {
                self.messages.passed.write(ClickPassed { handle: *handle });
            }
            Event::PivotChanged { from, to } => {
                self.messages.pivot_changed.write(PivotChanged { from: *from, to: *to });
            }
            _ => {}
        }
    }
}

/// Updates the gizmo and answers its queries at once, so that presses and drags within one frame are
/// complete.
fn update_and_pick(gizmo: &mut Gizmo, views: Views<'_>, targets: &mut Targets) -> Events {
    let mut events = Events::default();
    for _ in 0..MAX_QUERIES {
        events.extend(gizmo.update(views, &mut targets.targets));
        let is_pressed = gizmo.is_busy() && !gizmo.is_active();
        gizmo.answer_on_cpu();
        if !is_pressed {
            break;
        }
    }
    events
}
