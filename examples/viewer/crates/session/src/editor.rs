//! The state of an editing session: scene, selection, gizmo and the log of edits. The editor knows neither the
//! window nor the GPU; the window and replays drive the same editor.

mod adjusting;
mod arranging;
mod commands;
mod driving;
mod duplicating;
mod hierarchy;
mod icons;
mod ids;
mod messages;
mod moved;
mod pointer;
mod posing;
mod restoring;
mod section;
mod settings;
mod snapping;
mod tree;
mod undo;
mod volumes;

pub use arranging::Edge;
pub use pointer::Pointer;
pub use restoring::{RestoreError, Restored};

use crate::labels;
use crate::settings::AllSettings;
use driving::PivotEdits;
use ids::Ids;
use moved::Moved;
use scene::Scene;
use scene::edit::{Edit, EditError};
use scene::log::Log;
use scene::selection::Selection;
use scene::style::SceneStyle;
use section::{SectionHandles, Sections};
use snapping::Snapping;
use std::num::NonZeroU32;
use volumes::Volumes;
use wgpu_gizmo_core::interaction::Drag;
use wgpu_gizmo_core::pick::IdSpaceExhausted;
use wgpu_gizmo_core::{DrawList, Event, Gizmo, IdSpace, Target, View};
use wgpu_gizmo_extras::NavigationCube;
use wgpu_gizmo_extras::volume::VolumeHandles;

/// A scene that is being edited.
#[derive(Debug)]
pub struct Editor {
    scene: Scene,
    /// The values of all settings.
    values: AllSettings,
    /// The gizmo, whose settings follow from those above.
    pub(crate) gizmo: Gizmo,
    ids: Ids,
    /// The view cube.
    pub cube: NavigationCube,
    /// The id of the side of the view cube that was pressed last, until it is taken.
    pub(crate) pressed_side: Option<NonZeroU32>,
    selection: Selection,
    log: Log,
    moved: Moved,
    pub(crate) pointer: Pointer,
    snapping: Snapping,
    pub(crate) volumes: Volumes,
    /// Whether the handles of cameras and lights are shown.
    pub shows_volumes: bool,
    /// Whether the icons of cameras and lights are shown.
    pub shows_icons: bool,
    pivot_edits: PivotEdits,
    /// Whether a limit has held back the last drive.
    pub is_drive_clamped: bool,
    sections: Sections,
    /// The style in which the scene is drawn, except the theme.
    pub(crate) scene_style: SceneStyle,
    /// The message for the user, shown until the next action.
    message: Option<String>,
}

impl Editor {
    /// Creates an editor with an empty selection.
    pub fn new(scene: Scene) -> Result<Self, IdSpaceExhausted> {
        let mut ids = IdSpace::new();
        let mut gizmo = Gizmo::new(&mut ids)?;
        let values = AllSettings::default();
        (gizmo.settings, gizmo.theme) = (values.of_gizmo(), values.theme);
        let cube = NavigationCube::new(&mut ids)?;
        let mut ids = Ids::new(ids);
        ids.grow_to(scene.nodes().len())?;
        let mut volumes = Volumes::default();
        if scene.volumes().iter().any(Option::is_some) {
            volumes.handles = Some(VolumeHandles::new(&mut ids.space)?);
        }
        let message = scene.notice.clone();
        Ok(Self {
            scene,
            values,
            gizmo,
            ids,
            cube,
            pressed_side: None,
            selection: Selection::default(),
            log: Log::default(),
            moved: Moved::default(),
            pointer: Pointer::default(),
            snapping: Snapping::default(),
            volumes,
            shows_volumes: false,
            shows_icons: false,
            pivot_edits: PivotEdits::default(),
            is_drive_clamped: false,
            sections: Sections::default(),
            scene_style: SceneStyle::default(),
            message,
        })
    }

    /// Creates an editor for another scene with the same settings, an empty selection and no undo steps.
    pub fn with_scene(&self, scene: Scene) -> Result<Self, IdSpaceExhausted> {
        let mut editor = Self::new(scene)?;
        let mut values = self.values;
        // Handles that a section has shown go with its scene.
        if let SectionHandles::Shown(before) = self.sections.handles {
            values.box_result = before;
        }
        editor.set_values(values);
        editor.scene_style = self.scene_style;
        (editor.shows_volumes, editor.shows_icons) = (self.shows_volumes, self.shows_icons);
        editor.pointer.marquee.through = self.is_through();
        Ok(editor)
    }

    /// Copies the selection of another editor. Nodes are matched by name.
    pub fn select_alike(&mut self, other: &Self) {
        self.select_by_name(
            other.selection.nodes().iter().map(|node| other.scene.nodes()[*node].name.as_str()),
        );
    }

    /// Selects the nodes that have these names, in an editor that nothing is dragged in.
    pub fn select_by_name<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        let nodes: Vec<usize> = names.into_iter().filter_map(|name| self.scene.find(name)).collect();
        self.selection = Selection::of(&nodes);
        self.gizmo.scene_changed();
    }

    /// Returns the current scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Returns the style in which the scene is drawn.
    pub fn scene_style(&self) -> SceneStyle {
        SceneStyle { theme: self.gizmo.theme, ..self.scene_style }
    }

    /// Returns the gizmo, to read its state.
    pub fn gizmo(&self) -> &Gizmo {
        &self.gizmo
    }

    /// Appends the handles and guides of the gizmo to a draw list that has begun with a view.
    pub fn draw_gizmo(&mut self, list: &mut DrawList) {
        self.gizmo.draw(list);
        self.volumes.handles.iter_mut().for_each(|handles| handles.draw(list));
    }

    /// Returns the selection.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Returns the log of edits.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Returns true if the scene is as it was when it was opened or last saved.
    pub fn is_saved(&self) -> bool {
        self.log.is_saved() && !self.is_adjusting()
    }

    /// Prepares for writing the scene as it is now. A pending edit of a field becomes an undo step.
    pub fn begin_save(&mut self) {
        self.settle();
        self.log.begin_save();
    }

    /// Finishes a save. `is_on_disk` is true if the scene of [`Editor::begin_save`] was written.
    pub fn end_save(&mut self, is_on_disk: bool) {
        self.log.end_save(is_on_disk);
    }

    /// Returns true if a save is in progress and the scene has not changed since it began.
    pub fn is_being_saved(&self) -> bool {
        self.log.is_being_saved() && !self.is_adjusting()
    }

    /// Replaces the selection. Cancels a drag first.
    pub fn select(&mut self, selection: Selection, view: &View) {
        self.end_wheel(view);
        self.settle();
        let selection = selection.retain(|node| self.scene.exists(node));
        if self.selection != selection {
            self.cancel();
            self.update(view);
            self.message = None;
            self.selection = selection;
            self.pointer.clicks.reset();
            self.gizmo.scene_changed();
        }
        self.pointer.marquee.forget();
    }

    /// Returns the nodes that the gizmo moves, in the order of its targets.
    pub fn moved(&self) -> &[usize] {
        &self.moved.nodes
    }

    /// Draws a box or lasso in the view that is shown from now on.
    pub(crate) fn look(&mut self, view: &View) {
        self.pointer.marquee.look(view);
    }

    /// Updates the gizmo with the pending input, and the scene with the moved targets.
    pub fn update(&mut self, view: &View) {
        self.look(view);
        self.scene.deform();
        self.moved.update(&self.selection, &self.scene);
        let events = self.with_snap_settings(|editor| editor.gizmo.update(view, &mut editor.moved.targets));
        if events.iter().any(|event| matches!(event, Event::Started(_))) {
            // An edit of a field ends with its last value.
            self.settle();
        }
        // Only drags write targets, of which there can be very many.
        if !events.is_empty() || self.gizmo.drag().is_some() {
            self.moved.write(&mut self.scene);
        }
        for event in events {
            self.handle(event);
        }
        self.update_volume(view);
        self.scene.deform();
        self.pivot_edits.edited = self.gizmo.edited_pivot();
        self.pivot_edits.is_restoring = false;
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Started(_) => {
                self.message = None;
                self.pointer.marquee.forget();
            }
            Event::Changed(_) => self.message = None,
            Event::Ended { changed } => {
                if changed {
                    self.record();
                    self.pointer.clicks.reset();
                } else {
                    self.moved.forget_start();
                    self.pass_click_on_icon(self.gizmo.last_drag().is_some_and(Drag::was_click));
                }
                self.gizmo.scene_changed();
            }
            Event::Canceled => {
                self.moved.forget_start();
                self.gizmo.scene_changed();
            }
            Event::PivotChanged { .. } => self.record_pivot(),
            Event::Refused(..) if self.selection.active().is_none() => self.explain_no_change(),
            // Then the message says that the selection is locked or hidden, or that an animation is shown.
            Event::Refused(..) if self.moved.nodes.is_empty() => self.message = None,
            Event::Refused(handle, disabled_reason) => {
                self.message = Some(format!("{}: {disabled_reason}", labels::handle(handle)))
            }
            Event::PressedObject(id) => {
                self.message = None;
                if self.cube.side_of(id).is_some() {
                    self.pressed_side = Some(id);
                    return;
                }
                if let Some(node) = self.node_of(id) { self.clicked(Some(node)) } else { self.settle() }
            }
            Event::ClickedNothing => {
                self.message = None;
                self.clicked(None);
            }
            Event::ClickPassed(_) => self.pointer.pass_click(),
            _ => {}
        }
    }

    /// Lets assistive technology drag handles: `drag` gets the gizmo and its targets, and returns the events.
    pub fn drag_by(&mut self, drag: impl FnOnce(&mut Gizmo, &mut [Target]) -> Vec<Event>) {
        let events = drag(&mut self.gizmo, &mut self.moved.targets);
        if !events.is_empty() {
            self.settle();
            self.moved.write(&mut self.scene);
            events.into_iter().for_each(|event| self.handle(event));
        }
    }

    /// Resets the state that depends on the scene, after a change by other means than a drag.
    fn changed(&mut self) {
        self.message = None;
        self.pointer.clicks.reset();
        self.gizmo.scene_changed();
    }

    /// Makes an edit, as one undo step. If it cannot be made, nothing changes and the message says why.
    fn edit(&mut self, name: String, edit: Edit) -> Result<(), EditError> {
        let undo = edit.apply(&mut self.scene);
        self.edited(&edit);
        match undo {
            Ok(undo) => self.log.push(name, edit, undo),
            Err(error) => {
                self.message = Some(error.to_string());
                return Err(error);
            }
        }
        Ok(())
    }

    /// Updates what depends on the nodes after an edit.
    fn edited(&mut self, edit: &Edit) {
        self.changed();
        let parts = edit.parts();
        if parts.iter().any(|edit| matches!(edit, Edit::Flag(_))) {
            self.selection = self.selection.retain(|node| self.scene.exists(node));
        }
        self.sections.has_cropped |= parts.iter().any(|edit| matches!(edit, Edit::Crop(_)));
        // Nodes that are cut can be deleted, and copied.
        if parts.iter().any(|edit| matches!(edit, Edit::Crop(_) | Edit::Flag(_) | Edit::Copy(_))) {
            self.update_section_handles();
        }
    }
}
