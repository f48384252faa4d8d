//! Drags without a pointer, and edits of the gizmo's own place.

use super::Editor;
use crate::labels;
use scene::Scene;
use scene::edit::{Edit, EditedPivot};
use scene::selection::Selection;
use std::borrow::Cow;
use wgpu_gizmo_core::interaction::drive::Amount;
use wgpu_gizmo_core::{Gizmo, HandleId, View};

/// The edits of the gizmo's place, for undo.
#[derive(Debug, Default)]
pub(super) struct PivotEdits {
    /// The point and the rotation that were edited, as of the last update.
    pub(super) edited: EditedPivot,
    /// Whether the place was edited or reset in this session. If so, replays print it.
    was_ever_edited: bool,
    /// Whether undo or redo has set the place. That adds no undo step.
    pub(super) is_restoring: bool,
}

impl Editor {
    /// Drags a handle by an amount, as one undo step. A drag in progress ends first. If the handle cannot
    /// be driven, nothing moves and the message gives the reason.
    pub fn drive(&mut self, handle: HandleId, amount: Amount, view: &View) {
        self.rest();
        self.end_wheel(view);
        self.settle();
        self.update(view);
        let driven = self.gizmo.drive(handle, amount, &mut self.moved.targets);
        self.is_drive_clamped = driven.as_ref().is_ok_and(|driven| driven.motion.clamped);
        match driven {
            Ok(driven) => {
                self.message = None;
                self.moved.write(&mut self.scene);
                if driven.changed {
                    self.record();
                    self.pointer.clicks.reset();
                }
                self.gizmo.scene_changed();
            }
            Err(error) => self.message = Some(format!("{}: {error}", labels::handle(handle))),
        }
    }

    /// Begins a drag of a handle at the pointer, without a press.
    pub fn grab(&mut self, handle: HandleId) {
        self.settle();
        self.gizmo.grab(handle);
    }

    /// Ends the drag of the wheel, if one is in progress: it has no release, and the pointer can stay where it is.
    pub(crate) fn end_wheel(&mut self, view: &View) {
        if self.gizmo.drive_end(&mut self.moved.targets).is_ok() {
            self.update(view);
        }
    }

    /// Makes drags move the gizmo itself, or its targets again.
    pub fn set_pivot_edit(&mut self, is_on: bool) {
        self.rest();
        self.pivot_edits.was_ever_edited = true;
        match is_on {
            true => self.gizmo.edit_pivot(),
            false => self.gizmo.end_pivot_edit(),
        }
        self.gizmo.scene_changed();
    }

    /// Drops the edited place of the gizmo.
    pub fn reset_pivot(&mut self) {
        self.pivot_edits.was_ever_edited = true;
        self.gizmo.reset_pivot();
        self.gizmo.scene_changed();
    }

    /// Returns true if the place of the gizmo was edited or reset in this session.
    pub fn has_ever_edited_pivot(&self) -> bool {
        self.pivot_edits.was_ever_edited
    }

    /// Returns the places that the gizmo has for other selections, in the scene at rest, each with the nodes. Nodes
    /// that are hidden, locked or deleted cannot be selected to give it to them, so their selections are left out.
    pub(crate) fn other_edited_pivots(&self) -> Vec<(Vec<usize>, EditedPivot)> {
        let mut at_rest = Cow::Borrowed(&self.scene);
        if self.scene.pose().is_some() {
            at_rest.to_mut().set_pose(None);
        }
        let (mut nodes, mut targets) = (Vec::new(), Vec::new());
        let others = self.gizmo.other_edited_selections().map(|keys| {
            let selected: Vec<usize> = keys.iter().flatten().map(|node| *node as usize).collect();
            Selection::of(&selected).targets(&at_rest, &mut nodes, &mut targets);
            (nodes.clone(), self.gizmo.edited_pivot_of(&targets))
        });
        others.filter(|(_, place)| *place != (None, None)).collect()
    }

    /// Adds an undo step for a change of the gizmo's place.
    pub(super) fn record_pivot(&mut self) {
        if self.pivot_edits.is_restoring {
            return;
        }
        let (before, after) = (self.pivot_edits.edited, self.gizmo.edited_pivot());
        let nodes_label = labels::nodes(&self.scene, &self.moved.nodes);
        let name = match after {
            (None, None) => format!("Reset pivot of {nodes_label}"),
            _ => format!("Move pivot of {nodes_label}"),
        };
        let nodes = self.moved.nodes.clone();
        self.log.push(name, Edit::Pivot(nodes.clone(), after), Edit::Pivot(nodes, before));
    }

    /// Gives the gizmo a place, without an undo step.
    pub(super) fn place_pivot(&mut self, (point, rotation): EditedPivot) {
        self.pivot_edits.was_ever_edited = true;
        self.pivot_edits.is_restoring = true;
        self.gizmo.reset_pivot();
        point.into_iter().for_each(|point| self.gizmo.pivot_to(point));
        rotation.into_iter().for_each(|rotation| self.gizmo.align_frame_to(rotation));
    }
}

/// Gives the gizmo the places that an edit sets, whatever is selected now.
pub(super) fn restore_pivots(gizmo: &mut Gizmo, edit: &Edit, scene: &Scene) {
    for part in edit.parts() {
        let Edit::Pivot(selected, (point, rotation)) = part else { continue };
        let (mut nodes, mut targets) = (Vec::new(), Vec::new());
        Selection::of(selected).targets(scene, &mut nodes, &mut targets);
        gizmo.restore_pivot(&targets, *point, *rotation);
    }
}
