//! What is edited and how far along it is: scene, selection, gizmo, history. Knows neither
//! window nor GPU; the window and the replays drive the same one.

use crate::history::{History, Step};
use crate::replay_file::SettingsPatch;
use crate::scene::Scene;
use std::num::NonZeroU32;
use wgpu_gizmo::handle::{Constraint, IdRange, IdSpaceExhausted};
use wgpu_gizmo::interaction::Change;
use wgpu_gizmo::{Event, Gizmo, IdSpace, Mode, Orientation, Snap, Target, View};

/// A scene being edited.
#[derive(Debug)]
pub(crate) struct Editor {
    scene: Scene,
    pub(crate) gizmo: Gizmo,
    /// One id for each node.
    objects: IdRange,
    selection: Option<usize>,
    history: History,
    targets: Vec<Target>,
    events: Vec<Event>,
    /// A press adds to the selection, or takes out of it.
    pub(crate) toggles: bool,
    /// What was asked for last that is not built yet.
    not_yet: Option<&'static str>,
    /// What the user should know, until the next thing happens.
    message: Option<String>,
}

impl Editor {
    /// Nothing selected.
    pub(crate) fn new(scene: Scene) -> Result<Self, IdSpaceExhausted> {
        let mut ids = IdSpace::new();
        let gizmo = Gizmo::new(&mut ids)?;
        let nodes = u32::try_from(scene.nodes().len()).unwrap_or(u32::MAX);
        let objects = ids.take(nodes)?;
        let message = scene.notice.clone();
        Ok(Self {
            scene,
            gizmo,
            objects,
            selection: None,
            history: History::default(),
            targets: Vec::new(),
            events: Vec::new(),
            toggles: false,
            not_yet: None,
            message,
        })
    }

    /// What has been asked for since the last call that is not built yet.
    pub(crate) fn take_not_yet(&mut self) -> Option<&'static str> {
        self.not_yet.take()
    }

    /// The scene as it is now.
    pub(crate) fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The selected node.
    pub(crate) fn selection(&self) -> Option<usize> {
        self.selection
    }

    /// Selects a node, or nothing. A drag is cancelled first.
    pub(crate) fn select(&mut self, node: Option<usize>, view: &View) {
        if self.selection != node {
            self.gizmo.cancel();
            self.update(view);
            self.selection = node;
            self.gizmo.scene_changed();
        }
    }

    /// The id of a node in the ID image.
    pub(crate) fn id_of(&self, node: usize) -> Option<NonZeroU32> {
        self.objects.id(u32::try_from(node).ok()?)
    }

    /// The node with this id, if it is a node's.
    pub(crate) fn node_of(&self, id: NonZeroU32) -> Option<usize> {
        self.objects.offset_of(id).map(|offset| offset as usize)
    }

    /// The node under the pointer.
    pub(crate) fn hovered_node(&self) -> Option<usize> {
        self.gizmo.hovered_object().and_then(|id| self.node_of(id))
    }

    /// Lets the gizmo take in what happened, and the scene what came of it.
    pub(crate) fn update(&mut self, view: &View) {
        self.targets.clear();
        self.targets.extend(
            self.selection
                .map(|node| Target::new(self.scene.nodes()[node].local, self.scene.world_from_parent(node))),
        );
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        events.extend_from_slice(self.gizmo.update(view, &mut self.targets));
        for (node, target) in self.selection.iter().zip(&self.targets) {
            if self.scene.nodes()[*node].local != target.local || has_new_bits(&self.scene, *node, target) {
                self.scene.set_local(*node, target.local);
            }
        }
        for event in &events {
            self.take(*event);
        }
        self.events = events;
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Started(_) | Event::Changed(_) => self.message = None,
            Event::Ended { changed } => {
                if changed {
                    self.record();
                }
                self.gizmo.scene_changed();
            }
            Event::Cancelled => self.gizmo.scene_changed(),
            Event::Refused(handle, refusal) => self.message = Some(format!("{}: {refusal}", handle.name())),
            Event::PressedObject(id) => {
                let pressed = self.node_of(id);
                self.message = None;
                self.selection = match self.selection {
                    Some(_) if self.toggles && self.selection == pressed => None,
                    Some(selected) if self.toggles => {
                        self.not_yet = Some("several targets");
                        Some(selected)
                    }
                    _ => pressed,
                };
                self.gizmo.scene_changed();
            }
            Event::ClickedNothing => {
                self.selection = None;
                self.gizmo.scene_changed();
            }
        }
    }

    fn record(&mut self) {
        let after = self.targets.iter().map(|target| target.local);
        let before = self.gizmo.starts();
        let changes =
            self.selection.iter().zip(before).zip(after).map(|((node, b), a)| (*node, b, a)).collect();
        self.history.push(Step { changes });
    }

    /// Takes the last step back. In a drag, that is the drag.
    pub(crate) fn undo(&mut self, view: &View) {
        if self.gizmo.is_active() {
            self.gizmo.cancel();
            self.update(view);
            return;
        }
        let changes = self.history.undo();
        self.go_to(changes);
    }

    /// Does again what was undone.
    pub(crate) fn redo(&mut self) {
        if !self.gizmo.is_active() {
            let changes = self.history.redo();
            self.go_to(changes);
        }
    }

    fn go_to(&mut self, changes: Option<Vec<(usize, wgpu_gizmo::Transform)>>) {
        for (node, local) in changes.into_iter().flatten() {
            self.scene.set_local(node, local);
        }
        self.gizmo.scene_changed();
    }

    /// Changes what the replay's settings name and leaves the rest.
    pub(crate) fn set(&mut self, patch: &SettingsPatch) {
        let settings = &mut self.gizmo.settings;
        let SettingsPatch { mode, orientation, pivot, solver, snap, size, tolerance, allow_mirror } = *patch;
        settings.mode = mode.unwrap_or(settings.mode);
        settings.orientation = orientation.unwrap_or(settings.orientation);
        settings.pivot = pivot.unwrap_or(settings.pivot);
        settings.solver = solver.unwrap_or(settings.solver);
        settings.size_lpx = size.unwrap_or(settings.size_lpx);
        settings.tolerance_lpx = tolerance.unwrap_or(settings.tolerance_lpx);
        settings.allow_mirror = allow_mirror.unwrap_or(settings.allow_mirror);
        settings.snap = snap.unwrap_or(settings.snap);
        let Snap { translate, rotate, scale } = settings.snap;
        settings.snap_while_held = Snap {
            translate: translate.or(Snap::USUAL.translate),
            rotate: rotate.or(Snap::USUAL.rotate),
            scale: scale.or(Snap::USUAL.scale),
        };
        self.gizmo.scene_changed();
    }

    /// World, Parent, Local, View, World, ….
    pub(crate) fn next_orientation(&mut self) {
        self.gizmo.settings.orientation = match self.gizmo.settings.orientation {
            Orientation::World => Orientation::Parent,
            Orientation::Parent => Orientation::Local,
            Orientation::Local => Orientation::View,
            Orientation::View | Orientation::Custom(_) => Orientation::World,
        };
    }

    /// What the user should know: the last message, or why handles are disabled.
    pub(crate) fn message(&self) -> Option<String> {
        self.message.clone().or_else(|| {
            let mut handles = self.gizmo.settings.mode.handles().built_in();
            let refused = |handle| self.gizmo.refusal(handle).map(|refusal| (handle, refusal));
            let (handle, refusal) = self.selection.and_then(|_| handles.find_map(refused))?;
            Some(format!("{}: {refusal}", handle.name()))
        })
    }

    /// Name of the selected node.
    pub(crate) fn selection_name(&self) -> Option<&str> {
        self.selection.map(|node| self.scene.nodes()[node].name.as_str())
    }

    /// Name of the mode.
    pub(crate) fn mode_name(&self) -> &'static str {
        match self.gizmo.settings.mode {
            Mode::None => "None",
            Mode::Translate => "Move",
            Mode::Rotate => "Rotate",
            Mode::Scale => "Scale",
            Mode::Universal => "Universal",
            Mode::Handles(_) => "Custom",
        }
    }

    /// Name of the orientation. Scale handles follow the local axes whatever it is.
    pub(crate) fn orientation_name(&self) -> &'static str {
        match self.gizmo.settings.orientation {
            _ if self.gizmo.settings.mode == Mode::Scale => "Local",
            Orientation::World => "World",
            Orientation::Parent => "Parent",
            Orientation::Local => "Local",
            Orientation::View => "View",
            Orientation::Custom(_) => "Custom",
        }
    }

    /// The motion of the drag in words, such as `X 1.250` or `45.0°`.
    pub(crate) fn motion(&self) -> Option<String> {
        let drag = self.gizmo.drag()?;
        let motion = drag.motion();
        let names = ["X", "Y", "Z"];
        let text = match (motion.change, drag.handle().constraint()) {
            (Change::Translate(by), constraint) => {
                let along = drag.axes().transpose() * by;
                let moves = |i: usize| match constraint {
                    Constraint::Axis(axis) => axis.index() == i,
                    Constraint::Plane(normal) => normal.index() != i,
                    _ => true,
                };
                let parts = (0..3).filter(|i| moves(*i)).map(|i| format!("{} {:.3}", names[i], along[i]));
                parts.collect::<Vec<_>>().join("  ")
            }
            (change @ Change::Rotate { .. }, _) => format!("{:.1}°", change.total_angle().to_degrees()),
            (Change::RotateFreely(by), _) => format!("{:.1}°", by.to_axis_angle().1.to_degrees()),
            (Change::Scale(by), Constraint::ScaleAxis(axis)) => format!("×{:.3}", by[axis.index()]),
            (Change::Scale(by), Constraint::ScalePlane(normal)) => {
                format!("×{:.3}", by[normal.others()[0].index()])
            }
            (Change::Scale(by), _) => format!("×{:.3}", by.x),
        };
        Some(if motion.clamped { format!("{text} (limit)") } else { text })
    }
}

/// Whether a transform is equal by value but not bit for bit, such as 0 and −0.
fn has_new_bits(scene: &Scene, node: usize, target: &Target) -> bool {
    let bits = |t: &wgpu_gizmo::Transform| {
        (
            t.translation.to_array().map(f64::to_bits),
            t.rotation.to_array().map(f64::to_bits),
            t.scale.to_array().map(f64::to_bits),
        )
    };
    bits(&scene.nodes()[node].local) != bits(&target.local)
}
