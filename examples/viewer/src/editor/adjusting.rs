//! Transforms that are typed, dragged in a field or pasted rather than dragged in the view.

use super::Editor;
use crate::flags::Flag;
use crate::history::{Change, Step};
use crate::labels;
use wgpu_gizmo::Transform;

/// A change that is still going on, such as a field that is being dragged: the total since its
/// start, and one step at its end.
#[derive(Debug)]
pub(super) struct Adjusting {
    /// Tells it from the next one.
    what: String,
    /// As the step will be named.
    name: String,
    starts: Vec<(usize, Transform)>,
}

impl Editor {
    /// The selected nodes whose transforms may be typed: all but the locked.
    pub(crate) fn adjustable(&self) -> impl Iterator<Item = usize> {
        let nodes = self.selection.nodes().iter().copied();
        nodes.filter(|node| !self.scene.is_flagged(*node, Flag::Locked))
    }

    /// Returns true while a drag or a field changes transforms: where they are is no state to come
    /// back to.
    pub(crate) fn is_changing(&self) -> bool {
        self.gizmo.is_active() || self.adjusting.is_some()
    }

    /// Makes of each adjustable node's transform what `to` makes of the one that it had when this
    /// change began. `what` tells this change from another, which ends with its start; `name` is
    /// the step's, with the nodes' names put for `{}`. It goes on until [`Editor::settle`].
    ///
    /// Not in a drag of the gizmo. What is not finite, or takes the node out of the finite world,
    /// is refused with a message.
    pub(crate) fn adjust(
        &mut self,
        what: &str,
        name: &str,
        mut to: impl FnMut(usize, &Transform) -> Transform,
    ) {
        if self.gizmo.is_active() {
            return;
        }
        if self.adjusting.as_ref().is_some_and(|adjusting| adjusting.what != what) {
            self.settle();
        }
        let mut adjusting = self.adjusting.take().unwrap_or_else(|| {
            let starts = self.adjustable().map(|node| (node, self.scene.nodes()[node].local));
            Adjusting { what: what.to_owned(), name: String::new(), starts: starts.collect() }
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
            self.message = Some("That is too large a number to place a node with".to_owned());
        }
        self.adjusting = Some(adjusting);
    }

    /// The change that is going on, if one is, ends as if it had never been.
    pub(crate) fn cancel_drawing(&mut self) {
        if let Some(Adjusting { starts, .. }) = self.adjusting.take() {
            starts.into_iter().for_each(|(node, start)| self.scene.set_local(node, start));
            self.changed();
        }
    }

    /// Ends the change that is going on, if one is: one step, none where nothing changed.
    pub(crate) fn settle(&mut self) {
        let Some(Adjusting { name, starts, .. }) = self.adjusting.take() else { return };
        let after = |node: usize| self.scene.nodes()[node].local;
        let moved = starts.into_iter().map(|(node, before)| (node, before, after(node)));
        let moved: Vec<_> = moved.filter(|(_, before, after)| before != after).collect();
        if !moved.is_empty() {
            self.history.push(Step { name, change: Change::Moved(moved) });
        }
    }
}
