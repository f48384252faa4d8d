//! Edits of transforms outside of the gizmo: values that are typed, pasted or dragged in a field.

use super::Editor;
use crate::labels;
use scene::flags::Flag;
use scene::history::{Change, Step};
use wgpu_gizmo_core::Transform;

/// An edit in progress, such as a field that is being dragged. Values are totals since its start, and
/// its end is one undo step.
#[derive(Debug)]
pub(super) struct Adjusting {
    /// Identifies the edit, to distinguish it from the next one.
    key: String,
    /// The name of the undo step.
    name: String,
    starts: Vec<(usize, Transform)>,
}

impl Adjusting {
    /// Returns the edited nodes with their transforms before the edit.
    pub(super) fn starts(&self) -> impl Iterator<Item = (usize, Transform)> {
        self.starts.iter().copied()
    }
}

impl Editor {
    /// Returns the selected nodes whose transforms may be edited: those that are not locked.
    pub fn adjustable(&self) -> impl Iterator<Item = usize> {
        let nodes = self.selection.nodes().iter().copied();
        nodes.filter(|node| !self.scene.is_flagged(*node, Flag::Locked))
    }

    /// Returns true while a drag or an edit of a field is in progress. Such intermediate transforms are
    /// not worth storing.
    pub fn is_changing(&self) -> bool {
        self.is_dragging() || self.is_adjusting()
    }

    /// Returns true while a field is edited.
    pub(super) fn is_adjusting(&self) -> bool {
        self.adjusting.is_some() || self.volumes.is_adjusted()
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
        let is_other = self.adjusting.as_ref().is_some_and(|adjusting| adjusting.key != key);
        if is_other || self.volumes.is_adjusted() {
            self.settle();
        }
        let mut adjusting = self.adjusting.take().unwrap_or_else(|| {
            let starts = self.adjustable().map(|node| (node, self.scene.nodes()[node].local));
            Adjusting { key: key.to_owned(), name: String::new(), starts: starts.collect() }
        });
        let nodes: Vec<usize> = adjusting.starts.iter().map(|(node, _)| *node).collect();
        let before: Vec<Transform> = nodes.iter().map(|node| self.scene.nodes()[*node].local).collect();
        let mut is_finite = true;
        for (node, start) in &adjusting.starts {
            let local = to(*node, start);
            is_finite &= local.is_finite();
            if is_finite {
                self.scene.set_local(*node, local);
                is_finite = self.scene.world_from_node(*node).is_finite();
            }
        }
        self.changed();
        if is_finite {
            adjusting.name = name.replace("{}", &labels::nodes(&self.scene, &nodes));
        } else {
            nodes.iter().zip(before).for_each(|(node, before)| self.scene.set_local(*node, before));
            self.message = Some("Could not set the value: the number is too large".to_owned());
        }
        self.adjusting = Some(adjusting);
    }

    /// Cancels the edit in progress, if any, and restores its start.
    pub fn cancel_adjusting(&mut self) {
        self.cancel_adjusting_volume();
        if let Some(Adjusting { starts, .. }) = self.adjusting.take() {
            starts.into_iter().for_each(|(node, start)| self.scene.set_local(node, start));
            self.changed();
        }
    }

    /// Ends the edit in progress, if any. It becomes one undo step if anything changed.
    pub fn settle(&mut self) {
        self.settle_volume();
        let Some(Adjusting { name, starts, .. }) = self.adjusting.take() else { return };
        let after = |node: usize| self.scene.nodes()[node].local;
        let moved = starts.into_iter().map(|(node, before)| (node, before, after(node)));
        let moved: Vec<_> = moved.filter(|(_, before, after)| before != after).collect();
        if !moved.is_empty() {
            self.history.push(Step { name, change: Change::Moved(moved) });
        }
    }
}
