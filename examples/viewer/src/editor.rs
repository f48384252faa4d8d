//! What is edited and how far along it is: scene, selection, gizmo, history. Knows neither
//! window nor GPU; the window and the replays drive the same one.

mod adjusting;
mod arranging;
mod commands;
mod copying;
mod family;
mod ids;
mod pointer;
mod tree;

pub(crate) use arranging::Edge;

use crate::clicks::Clicks;
use crate::command::Command;
use crate::flags::Flag;
use crate::history::{Change, History, Step};
use crate::labels;
use crate::marquee::Marquee;
use crate::replay_file::SettingsPatch;
use crate::scene::{NodeChanges, Scene};
use crate::scene_renderer::SceneStyle;
use crate::selection::{How, Selection};
use crate::vertex::VertexSnap;
use crate::view_cube::Side;
use adjusting::Adjusting;
use ids::Ids;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::interaction::{DisabledReason, Key};
use wgpu_gizmo::pick::{IdRange, IdSpaceExhausted, PickAnswer, PickOutcome, PickQuery};
use wgpu_gizmo::{Event, Gizmo, IdSpace, Target, Theme, Transform, View};

/// A scene being edited.
#[derive(Debug)]
pub(crate) struct Editor {
    scene: Scene,
    pub(crate) gizmo: Gizmo,
    ids: Ids,
    /// The side that was pressed last, until it is taken.
    cube_pressed: Option<Side>,
    selection: Selection,
    history: History,
    /// What the gizmo moves: the selected nodes that are neither hidden nor locked.
    moved: Vec<usize>,
    /// One for each of them.
    targets: Vec<Target>,
    adjusting: Option<Adjusting>,
    events: Vec<Event>,
    cursor_px: Option<DVec2>,
    /// How the last press was meant.
    how: How,
    /// The question of the last press.
    pressed: Option<u64>,
    clicks: Clicks,
    marquee: Marquee,
    vertex: VertexSnap,
    /// How the scene is shown.
    scene_style: SceneStyle,
    /// What the user should know, until the next thing happens.
    message: Option<String>,
}

impl Editor {
    /// Nothing selected.
    pub(crate) fn new(scene: Scene) -> Result<Self, IdSpaceExhausted> {
        let mut ids = IdSpace::new();
        let gizmo = Gizmo::new(&mut ids)?;
        let mut ids = Ids::new(ids)?;
        ids.grow_to(scene.nodes().len())?;
        let message = scene.notice.clone();
        Ok(Self {
            scene,
            gizmo,
            ids,
            cube_pressed: None,
            selection: Selection::default(),
            history: History::default(),
            moved: Vec::new(),
            targets: Vec::new(),
            adjusting: None,
            events: Vec::new(),
            cursor_px: None,
            how: How::default(),
            pressed: None,
            clicks: Clicks::default(),
            marquee: Marquee::default(),
            vertex: VertexSnap::default(),
            scene_style: SceneStyle::default(),
            message,
        })
    }

    /// An editor for another scene with the same settings: nothing selected, nothing done yet.
    pub(crate) fn with_scene(&self, scene: Scene) -> Result<Self, IdSpaceExhausted> {
        let mut editor = Self::new(scene)?;
        editor.gizmo.settings = self.gizmo.settings;
        editor.gizmo.theme = self.gizmo.theme;
        editor.scene_style = self.scene_style;
        if self.is_through() {
            editor.marquee.switch_through();
        }
        Ok(editor)
    }

    /// Selects the nodes with the names of those that another editor has selected, and hides and
    /// locks those that it has.
    pub(crate) fn select_alike(&mut self, other: &Self) {
        let name = |node: &usize| other.scene.nodes()[*node].name.as_str();
        let same = |node: &usize| self.scene.find(name(node));
        let selected: Vec<usize> = other.selection.nodes().iter().filter_map(same).collect();
        self.selection = Selection::of(&selected);
        for flag in [Flag::Hidden, Flag::Locked] {
            for node in (0..other.scene.nodes().len()).filter(|node| other.scene.has_flag(*node, flag)) {
                if let Some(node) = self.scene.find(name(&node)) {
                    self.scene.set_flag(node, flag, true);
                }
            }
        }
        self.gizmo.scene_changed();
    }

    /// The scene as it is now.
    pub(crate) fn scene(&self) -> &Scene {
        &self.scene
    }

    /// What nodes have become since the last call.
    pub(crate) fn take_changes(&mut self) -> NodeChanges {
        self.scene.take_changes()
    }

    /// How the scene is shown.
    pub(crate) fn scene_style(&self) -> SceneStyle {
        SceneStyle { on_light: self.gizmo.theme == Theme::light(), ..self.scene_style }
    }

    /// What is selected.
    pub(crate) fn selection(&self) -> &Selection {
        &self.selection
    }

    /// What has been done, by steps.
    pub(crate) fn history(&self) -> &History {
        &self.history
    }

    /// Whether the scene is as it was opened, or as it was saved last.
    pub(crate) fn is_saved(&self) -> bool {
        self.history.is_saved() && self.adjusting.is_none()
    }

    /// The scene is about to be written as it is now. What goes on being typed is a step.
    pub(crate) fn begin_save(&mut self) {
        self.settle();
        self.history.begin_save();
    }

    /// The scene is on disk as it was at [`Editor::begin_save`], or could not be brought there.
    pub(crate) fn end_save(&mut self, is_on_disk: bool) {
        self.history.end_save(is_on_disk);
    }

    /// Whether the scene is as it was when the save began that is going on.
    pub(crate) fn is_being_saved(&self) -> bool {
        self.history.is_being_saved() && self.adjusting.is_none()
    }

    /// Selects these and nothing else. A drag is cancelled first.
    pub(crate) fn select(&mut self, selection: Selection, view: &View) {
        self.settle();
        let selection = selection.retain(|node| self.scene.is_there(node));
        if self.selection != selection {
            self.cancel();
            self.update(view);
            self.selection = selection;
            self.clicks.reset();
            self.gizmo.scene_changed();
        }
        self.marquee.forget();
    }

    /// The id of a node in the ID image.
    pub(crate) fn id_of(&self, node: usize) -> Option<NonZeroU32> {
        self.ids.of_node(node)
    }

    /// The id of a node in images that are asked what is under the pointer or in a region: a
    /// locked node has none, so that what lies behind it is found.
    pub(crate) fn free_id_of(&self, node: usize) -> Option<NonZeroU32> {
        self.id_of(node).filter(|_| self.scene.is_free(node))
    }

    /// The nodes that the gizmo moves, in the order of its targets.
    pub(crate) fn moved(&self) -> &[usize] {
        &self.moved
    }

    /// The node with this id, if it is a node's.
    pub(crate) fn node_of(&self, id: NonZeroU32) -> Option<usize> {
        self.ids.node(id)
    }

    /// The ids of the view cube's sides.
    pub(crate) fn cube_ids(&self) -> IdRange {
        self.ids.cube()
    }

    /// The side of the view cube with this id, if it is one's.
    pub(crate) fn side_of(&self, id: NonZeroU32) -> Option<Side> {
        self.ids.cube().offset_of(id).and_then(Side::from_index)
    }

    /// The side of the view cube under the pointer.
    pub(crate) fn hovered_side(&self) -> Option<Side> {
        self.gizmo.hovered_object().and_then(|id| self.side_of(id))
    }

    /// The side of the view cube that was pressed, once.
    pub(crate) fn take_pressed_side(&mut self) -> Option<Side> {
        self.cube_pressed.take()
    }

    /// The node under the pointer.
    pub(crate) fn hovered_node(&self) -> Option<usize> {
        self.gizmo.hovered_object().and_then(|id| self.node_of(id))
    }

    /// Lets the gizmo take in what happened, and the scene what came of it.
    pub(crate) fn update(&mut self, view: &View) {
        self.marquee.look(view);
        self.selection.targets(&self.scene, &mut self.moved, &mut self.targets);
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        let mut hook = |moved_pivot_world| self.vertex.snapped(moved_pivot_world);
        events.extend_from_slice(self.gizmo.update_with(view, &mut self.targets, &mut hook));
        for (node, target) in self.moved.iter().zip(&self.targets) {
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
            Event::Started(_) => {
                // Its last value stays: a field that was being typed in is done.
                self.settle();
                self.message = None;
                self.vertex.forget();
                self.marquee.forget();
            }
            Event::Changed(_) => self.message = None,
            Event::Ended { changed } => {
                if changed {
                    self.record();
                    self.clicks.reset();
                }
                self.vertex.forget();
                self.gizmo.scene_changed();
            }
            Event::Cancelled => {
                self.vertex.forget();
                self.gizmo.scene_changed();
            }
            Event::Refused(_, disabled_reason @ DisabledReason::NoTarget) => {
                self.message = Some(format!("{disabled_reason}: click on something first"));
            }
            Event::Refused(handle, disabled_reason) => {
                self.message = Some(format!("{}: {disabled_reason}", handle.name()))
            }
            Event::PressedObject(id) => {
                self.message = None;
                if let Some(side) = self.side_of(id) {
                    self.cube_pressed = Some(side);
                    return;
                }
                self.settle();
                if let Some(node) = self.node_of(id) {
                    self.selection = self.selection.clicked(node, self.how);
                }
                self.marquee.forget();
                self.gizmo.scene_changed();
            }
            Event::ClickedNothing => {
                // Who holds the key to add has missed, and does not mean to lose all.
                self.settle();
                if self.how == How::Replace {
                    self.selection = Selection::default();
                    self.marquee.forget();
                }
                self.gizmo.scene_changed();
            }
        }
    }

    /// Whether a key is the gizmo's now: in a drag all are that it knows, and outside one those
    /// that begin one.
    pub(crate) fn takes(&self, key: Key) -> bool {
        self.gizmo.wants_keys() || matches!(key, Key::Axis(_) | Key::Plane(_))
    }

    /// Returns whether a key that was pressed with or without Alt may run this command. In a drag, Alt
    /// makes another key of it, such as of a digit.
    pub(crate) fn may_run(&self, command: Command, alt: bool) -> bool {
        !alt || command == Command::Cancel || !self.gizmo.wants_keys()
    }

    /// The key that snaps to vertices went down or up.
    pub(crate) fn hold_vertex(&mut self, is_held: bool) {
        self.vertex.hold(is_held);
    }

    /// What is to be asked of an ID image for a vertex to snap to, if anything is.
    pub(crate) fn vertex_query(&mut self, view: &View) -> Option<PickQuery> {
        self.vertex.query(&self.gizmo, view)
    }

    /// The answer to that.
    pub(crate) fn answer_vertex(&mut self, answer: &PickAnswer) {
        let hit = match answer.outcome {
            PickOutcome::Hit(hit) => self.node_of(hit.id).map(|node| (node, hit.position_world)),
            _ => None,
        };
        self.vertex.answer(answer, hit, (&self.scene, &self.selection, &self.gizmo));
    }

    /// The vertex that is snapped to, in world space.
    pub(crate) fn vertex(&self) -> Option<DVec3> {
        self.vertex.found()
    }

    fn record(&mut self) {
        let after = self.targets.iter().map(|target| target.local);
        let before = self.gizmo.starts();
        let moved = self.moved.iter().zip(before).zip(after);
        let moved: Vec<_> = moved.map(|((node, before), after)| (*node, before, after)).collect();
        let what = labels::nodes(&self.scene, &self.moved);
        let name = labels::drag(self.gizmo.last_drag(), &what);
        self.history.push(Step { name, change: Change::Moved(moved) });
    }

    /// Takes the last step back. In a drag, that is the drag.
    pub(crate) fn undo(&mut self, view: &View) {
        if self.gizmo.is_active() {
            self.cancel();
            self.update(view);
            return;
        }
        self.settle();
        self.go_to_step(self.history.done().saturating_sub(1));
    }

    /// Does again what was undone.
    pub(crate) fn redo(&mut self) {
        self.settle();
        self.go_to_step(self.history.done() + 1);
    }

    /// Makes the scene what it was after so many steps. Not in a drag.
    pub(crate) fn go_to_step(&mut self, done: usize) {
        if !self.gizmo.is_active() {
            self.settle();
            let before = self.history.done();
            if self.history.go_to(done, &mut self.scene) {
                let is_undone = self.history.done() < before;
                let last = self.history.done() - usize::from(!is_undone);
                self.selection = self
                    .selection_after(last, is_undone)
                    .unwrap_or_else(|| self.selection.retain(|node| self.scene.is_there(node)));
                self.changed();
            }
        }
    }

    /// The scene is another than before, by other means than a drag.
    fn changed(&mut self) {
        self.message = None;
        self.clicks.reset();
        self.gizmo.scene_changed();
    }

    /// Puts nodes where they are said to be: nothing that undo knows of. A drag is cancelled first.
    pub(crate) fn place(&mut self, places: &[(usize, Transform)], view: &View) {
        self.cancel();
        self.update(view);
        for (node, local) in places {
            self.scene.set_local(*node, *local);
        }
        self.clicks.reset();
        self.gizmo.scene_changed();
    }

    /// Changes what the replay's settings name and leaves the rest.
    pub(crate) fn set(&mut self, patch: &SettingsPatch) {
        patch.apply(&mut self.gizmo);
        self.gizmo.scene_changed();
    }

    /// Says something to the user.
    pub(crate) fn say(&mut self, message: impl Into<String>) {
        self.message = Some(message.into());
    }

    /// Why there is no gizmo although something is selected.
    fn left_alone(&self) -> Option<String> {
        let active = self.selection.active().filter(|_| self.moved.is_empty())?;
        let hidden = !self.scene.is_shown(active);
        let what = labels::nodes(&self.scene, self.selection.nodes());
        Some(format!("{what}: {}, so there are no handles", if hidden { "hidden" } else { "locked" }))
    }

    /// What the user should know: the last message, or why handles are disabled.
    pub(crate) fn message(&self) -> Option<String> {
        self.message.clone().or_else(|| {
            if let Some(reason) = self.left_alone() {
                return Some(reason);
            }
            let mut handles = self.gizmo.settings.mode.handles().built_in();
            let refused =
                |handle| self.gizmo.disabled_reason(handle).map(|disabled_reason| (handle, disabled_reason));
            let (handle, disabled_reason) = self.moved.last().and_then(|_| handles.find_map(refused))?;
            Some(format!("{}: {disabled_reason}", handle.name()))
        })
    }
}

/// Whether a transform is equal by value but not bit for bit, such as 0 and −0.
fn has_new_bits(scene: &Scene, node: usize, target: &Target) -> bool {
    let bits = |t: &Transform| {
        (
            t.translation.to_array().map(f64::to_bits),
            t.rotation.to_array().map(f64::to_bits),
            t.scale.to_array().map(f64::to_bits),
        )
    };
    bits(&scene.nodes()[node].local) != bits(&target.local)
}
