//! Edits of transforms outside of the gizmo: values that are typed, pasted or dragged in a field.

use super::Editor;
use super::driving::restore_pivots;
use crate::labels;
use crate::replay_file::Step;
use scene::Scene;
use scene::edit::Edit;
use scene::flags::Flag;
use scene::log::OpenEdit;
use wgpu_gizmo_core::{Transform, View};

impl Editor {
    /// Returns the selected nodes whose transforms may be edited: those that are not locked.
    pub fn adjustable(&self) -> impl Iterator<Item = usize> {
        let nodes = self.selection.nodes().iter().copied();
        nodes.filter(|node| !self.scene.is_flagged(*node, Flag::Locked))
    }

    /// Shows why there is nothing to change: nothing is selected, or only locked nodes.
    pub fn explain_no_change(&mut self) {
        let why = match self.selection.active() {
            None => "Nothing is selected: click on something first",
            Some(_) => "Select a node that is not locked",
        };
        self.message = Some(why.to_owned());
    }

    /// Returns true while a drag or an edit of a field is in progress. Such intermediate transforms are
    /// not worth storing.
    pub fn is_changing(&self) -> bool {
        self.is_dragging() || self.is_adjusting()
    }

    /// Returns true while a field is edited.
    pub(super) fn is_adjusting(&self) -> bool {
        self.log.open.is_some()
    }

    /// Sets the transform of each adjustable node to the result of `to`, which receives the transform
    /// at the start of the edit. A different `key` ends the previous edit and starts a new one. `name`
    /// is the name of the undo step; `{}` in it stands for the names of the nodes. The edit lasts until
    /// [`Editor::settle`].
    ///
    /// Does nothing during a drag of the gizmo. Transforms that are not finite in local or world space
    /// are rejected with a message.
    pub fn adjust(&mut self, key: &str, name: &str, mut to: impl FnMut(usize, &Transform) -> Transform) {
        if self.is_dragging() {
            return;
        }
        self.rest();
        let (starts, last_name) = match self.open_edit(key).map(|open| (&open.start, &open.name)) {
            Some((Edit::Place(starts), name)) => (starts.clone(), name.clone()),
            _ => {
                let starts = self.adjustable().map(|node| (node, self.scene.nodes()[node].local));
                (starts.collect(), String::new())
            }
        };
        let nodes: Vec<usize> = starts.iter().map(|(node, _)| *node).collect();
        let mut of_nodes = starts.iter();
        let placed = self.place_each(&nodes, |_, _| of_nodes.next().map(|(node, start)| to(*node, start)));
        self.changed();
        let name = match placed {
            Ok(_) => {
                if nodes.is_empty() {
                    self.explain_no_change();
                }
                name.replace("{}", &labels::nodes(&self.scene, &nodes))
            }
            Err(_) => {
                self.message = Some("Could not set the value: the number is too large".to_owned());
                last_name
            }
        };
        self.log.open = Some(OpenEdit { key: key.to_owned(), name, start: Edit::Place(starts) });
    }

    /// Sets the local transforms that `to` returns, one after another, and returns the former ones. If one is not
    /// finite in local or world space, restores all and returns its node.
    pub(super) fn place_each(
        &mut self,
        nodes: &[usize],
        mut to: impl FnMut(&Scene, usize) -> Option<Transform>,
    ) -> Result<Vec<(usize, Transform)>, usize> {
        let mut before = Vec::with_capacity(nodes.len());
        for node in nodes.iter().copied() {
            let Some(local) = to(&self.scene, node) else { continue };
            before.push((node, self.scene.nodes()[node].local));
            if local.is_finite() {
                self.scene.set_local(node, local);
            }
            if !local.is_finite() || !self.scene.world_from_node(node).is_finite() {
                before.into_iter().for_each(|(node, local)| self.scene.set_local(node, local));
                return Err(node);
            }
        }
        Ok(before)
    }

    /// Returns the edit in progress with this key. Ends another one.
    pub(super) fn open_edit(&mut self, key: &str) -> Option<&OpenEdit> {
        if self.log.open.as_ref().is_some_and(|open| open.key != key) {
            self.settle();
        }
        self.log.open.as_ref()
    }

    /// Cancels the edit in progress, if any, and restores its start.
    pub fn cancel_adjusting(&mut self) {
        if let Some(open) = self.log.open.take() {
            // The values were there before.
            let _ = open.start.apply(&mut self.scene);
            restore_pivots(&mut self.gizmo, &open.start, &self.scene);
            self.edited(&open.start);
        }
    }

    /// Ends the edit in progress, if any. It becomes one undo step if anything changed.
    pub fn settle(&mut self) {
        self.log.settle(&self.scene);
    }

    /// Makes the edit of a recorded panel, as one undo step, or one in progress. Its values are totals, so they
    /// replace those of an edit in progress. Does nothing during a drag.
    pub(crate) fn replay_step(&mut self, step: &Step) {
        if self.is_dragging() {
            return;
        }
        let parts = step.edit.parts();
        if parts.iter().any(|edit| matches!(edit, Edit::Place(_) | Edit::Parent(_) | Edit::Copy(_))) {
            self.rest();
        }
        self.cancel_adjusting();
        if parts.is_empty() {
            return;
        }
        let mut edit = step.edit.clone();
        let mut undo = match edit.apply(&mut self.scene) {
            Ok(undo) => undo,
            Err(error) => return self.message = Some(error.to_string()),
        };
        let (nodes, place) = (self.selection.nodes().to_vec(), self.gizmo.edited_pivot());
        edit.pivots_mut().for_each(|(of, _)| of.clone_from(&nodes));
        undo.pivots_mut().for_each(|pivot| (*pivot.0, *pivot.1) = (nodes.clone(), place));
        restore_pivots(&mut self.gizmo, &edit, &self.scene);
        self.edited(&edit);
        match step.is_open {
            true => {
                self.log.open = Some(OpenEdit { key: String::new(), name: step.name.clone(), start: undo });
            }
            false => self.log.push(step.name.clone(), edit, undo),
        }
    }

    /// Makes an edit that is no undo step, as older recordings have them. Cancels a drag first.
    pub fn edit_unlisted(&mut self, edit: &Edit, view: &View) {
        if let Edit::Pivot(_, place) = edit {
            return self.place_pivot(*place);
        }
        if !matches!(edit, Edit::Volume(_)) {
            self.rest();
        }
        self.cancel();
        self.update(view);
        let undo = edit.apply(&mut self.scene);
        self.edited(edit);
        match undo {
            Ok(undo) => self.log.unlisted.push(undo),
            Err(error) => self.message = Some(error.to_string()),
        }
    }
}
