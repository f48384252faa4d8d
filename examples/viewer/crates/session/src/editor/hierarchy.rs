//! Changes the hierarchy: reparents nodes in place and deletes them.

use super::Editor;
use crate::labels;
use scene::edit::Edit;
use scene::flags::Flag;
use wgpu_gizmo_core::Transform;
use wgpu_gizmo_core::glam::{DMat3, DMat4};
use wgpu_gizmo_core::interaction::settings::ShearPolicy;

/// A relative error of a node's shape below this is rounding.
const ROUNDING: f64 = 1e-9;

impl Editor {
    /// Reparents the selected nodes to the active node, in place. Their descendants follow.
    pub(crate) fn parent_to_active(&mut self) {
        match (self.selection.active(), self.selection.nodes().len()) {
            (Some(active), 2..) => self.reparent(Some(active)),
            _ => self.message = Some("Select the children, and last their new parent".to_owned()),
        }
    }

    /// Reparents the selected nodes that are not locked to `parent`, or to no parent: one undo step.
    /// Each keeps its world transform as closely as a translation, rotation and scale can express it; a
    /// message reports the error. If that is impossible, changes nothing and shows a message. Does
    /// nothing during a drag.
    pub fn reparent(&mut self, parent: Option<usize>) {
        if self.is_dragging() {
            return;
        }
        self.rest();
        self.settle();
        let mut nodes = self.tops(parent);
        if nodes.is_empty() {
            return self.explain_no_change();
        }
        nodes.retain(|node| self.scene.nodes()[*node].parent != parent);
        let name_of = |node: usize| self.scene.nodes()[node].name.as_str();
        if let Some(parent) = parent
            && let Some(node) = nodes.iter().find(|node| self.scene.is_in_subtree(parent, **node))
        {
            let (parent, node) = (name_of(parent), name_of(*node));
            return self.show_message(format!("{parent} is below {node}, so it cannot be its parent"));
        }
        let world_from_parent = parent.map_or(DMat4::IDENTITY, |parent| self.scene.world_from_node(parent));
        let parent_from_world = self.scene.parent_from_world(parent);
        let (mut parents, mut places) = (Vec::new(), Vec::new());
        let mut worst = (0.0, None);
        for node in nodes {
            let before = self.scene.nodes()[node].local;
            let world = self.scene.world_from_node(node);
            let is_below_flat =
                self.scene.nodes()[node].parent.is_some_and(|parent| self.scene.is_flat(parent));
            let fitted = |parent_from_world| {
                fit_local(parent_from_world, world, self.scene.world_from_parent(node), &before)
            };
            let Some(local) = parent_from_world.filter(|_| !is_below_flat).and_then(fitted) else {
                let name = name_of(node);
                return self.show_message(format!("Could not keep {name} in place: one of the scales is 0"));
            };
            let lost = relative_error(world, world_from_parent * local.to_matrix());
            if lost > worst.0 {
                worst = (lost, Some(node));
            }
            parents.push((node, parent));
            places.push((node, local));
        }
        if parents.is_empty() {
            return self.show_message("The selected nodes that are not locked already have that parent");
        }
        let sheared = worst.1.filter(|_| worst.0 > ROUNDING).map(name_of);
        let remark = sheared
            .map(|name| format!("{name} would be sheared: {:.1} % of its shape is lost", 100.0 * worst.0));
        if let Some(remark) =
            remark.as_ref().filter(|_| self.gizmo.settings.motion.shear == ShearPolicy::Reject)
        {
            return self.show_message(format!("{remark}, which the shear setting forbids"));
        }
        let nodes: Vec<usize> = parents.iter().map(|(node, _)| *node).collect();
        let nodes_label = labels::nodes(&self.scene, &nodes);
        let name = match parent {
            Some(parent) => format!("Parent {nodes_label} to {}", self.scene.nodes()[parent].name),
            None => format!("Clear parent of {nodes_label}"),
        };
        // Cycles were ruled out above.
        if self.edit(name, Edit::All(vec![Edit::Parent(parents), Edit::Place(places)])).is_ok() {
            self.message = remark;
        }
    }

    /// Returns the selected nodes that are not locked, except `without` and except descendants of
    /// others.
    pub fn tops(&self, without: Option<usize>) -> Vec<usize> {
        let mut nodes: Vec<usize> = self.adjustable().filter(|node| Some(*node) != without).collect();
        // A flat list of flags, because trees and selections can be large.
        let mut is_taken = vec![false; self.scene.nodes().len()];
        nodes.iter().for_each(|node| is_taken[*node] = true);
        let up = |node: &usize| self.scene.nodes()[*node].parent;
        nodes.retain(|node| !std::iter::successors(up(node), up).any(|above| is_taken[above]));
        nodes
    }

    /// Deletes the selected nodes that are not locked, with their descendants: one undo step. The last
    /// root of a scene cannot be deleted. Does nothing during a drag.
    pub(crate) fn delete(&mut self) {
        if self.is_dragging() {
            return;
        }
        self.settle();
        let tops = self.tops(None);
        let are_roots = tops.iter().filter(|node| self.scene.nodes()[**node].parent.is_none()).count();
        let is_root = |node: &usize| self.scene.nodes()[*node].parent.is_none() && self.scene.exists(*node);
        let stays = (0..self.scene.nodes().len()).filter(is_root).count() > are_roots;
        if tops.is_empty() {
            self.explain_no_change();
        } else if !stays {
            self.message = Some("A scene must keep at least one node".to_owned());
        } else {
            self.set_flag(&tops, Flag::Deleted, true);
        }
    }
}

/// Returns the local transform under a new parent that fits a world transform best: the lengths of the
/// matrix columns as scale, with the former signs, and the nearest rotation. Returns `None` if there is none.
fn fit_local(
    parent_from_world: DMat4,
    world_from_node: DMat4,
    world_from_parent_before: DMat4,
    before: &Transform,
) -> Option<Transform> {
    let signs = before.scale.map(f64::signum);
    let upright = |matrix: DMat4| Transform::from_matrix(matrix * DMat4::from_scale(signs));
    if let Some(taken) = upright(parent_from_world * world_from_node) {
        return Some(taken).filter(Transform::is_finite).map(|mut local| {
            local.scale *= signs;
            local
        });
    }
    // The node itself is flat: fit it as if it had thickness.
    let thick = Transform { scale: signs, ..*before };
    let taken = upright(parent_from_world * world_from_parent_before * thick.to_matrix())?;
    let scale = taken.scale * signs * before.scale.abs();
    Some(Transform { scale, ..taken }).filter(Transform::is_finite)
}

/// Returns the difference of two matrices without their translations, relative to the first.
fn relative_error(wanted: DMat4, found: DMat4) -> f64 {
    let size = |matrix: DMat3| matrix.to_cols_array().into_iter().map(|n| n * n).sum::<f64>().sqrt();
    let (wanted, found) = (DMat3::from_mat4(wanted), DMat3::from_mat4(found));
    let whole = size(wanted);
    if whole > 0.0 { size(wanted - found) / whole } else { 0.0 }
}

#[cfg(test)]
mod tests;
