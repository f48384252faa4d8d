//! Arranges the selected nodes: drops them to a grid or aligns them with the active node.

use super::Editor;
use crate::labels;
use scene::Scene;
use scene::bounds::Bounds;
use scene::edit::Edit;
use std::collections::{HashMap, HashSet};
use wgpu_gizmo_core::glam::{DMat3, DVec3};
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::settings::SnapKind;
use wgpu_gizmo_core::{Orientation, Transform};

/// The distance between grid points if no increment is set, in world units.
const DEFAULT_INCREMENT: f64 = 1.0;

/// The part of a node that alignment compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Edge {
    /// The node's origin.
    #[default]
    Origin,
    /// The minimum of its visible geometry along the axis, descendants included.
    Min,
    /// The center between minimum and maximum.
    Center,
    /// The maximum of its shape along the axis.
    Max,
}

impl Edge {
    /// All edges, with their names.
    pub const ALL: [(&str, Self); 4] =
        [("Origin", Self::Origin), ("Minimum", Self::Min), ("Center", Self::Center), ("Maximum", Self::Max)];

    /// Returns the name of the edge.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, edge)| *edge == self).map_or("", |(name, _)| name)
    }

    fn of(self, [low, high]: [f64; 2], origin: f64) -> f64 {
        match self {
            Self::Origin => origin,
            Self::Min => low,
            Self::Center => 0.5 * low + 0.5 * high,
            Self::Max => high,
        }
    }
}

/// A node this close to its goal counts as being there: the rounding error of multiplying transforms,
/// relative to the numbers that are multiplied.
const ROUNDING: f64 = 1e-13;

impl Editor {
    /// Moves each selected node that is not locked to the nearest point of a grid: one undo step.
    ///
    /// The grid has the increment of translation snapping, in world units, whether it always snaps or
    /// only while the key is held. Its axes are those of the world or, if the orientation has a grid,
    /// of the orientation; see `SnapKind::Grid`.
    pub(crate) fn drop_to_grid(&mut self) {
        self.rest();
        let settings = self.gizmo.settings;
        let increment = settings.snap.increments.translate.or(settings.snap.while_held.translate);
        let increment = increment.map_or(DEFAULT_INCREMENT, |increment| increment.get());
        let set_origin = match settings.snap.kind {
            SnapKind::Grid { origin_world } => origin_world,
            _ => DVec3::ZERO,
        };
        let nodes: Vec<usize> = self.adjustable().collect();
        let starts: HashMap<usize, DVec3> =
            nodes.iter().map(|&node| (node, position(&self.scene, node))).collect();
        let goal = |scene: &Scene, node| {
            let (axes, origin, now) = match settings.orientation {
                // The parent may have moved to its own grid, and the node with it.
                Orientation::Parent => {
                    let world_from_parent = scene.world_from_parent(node);
                    let axes =
                        Transform::nearest_rotation(DMat3::from_mat4(world_from_parent)).unwrap_or_default();
                    (axes, world_from_parent.w_axis.truncate(), position(scene, node))
                }
                Orientation::Custom(rotation) if (rotation.length() - 1.0).abs() < 1e-6 => {
                    (DMat3::from_quat(rotation.normalize()), set_origin, starts[&node])
                }
                _ => (DMat3::IDENTITY, set_origin, starts[&node]),
            };
            origin + axes * ((axes.transpose() * (now - origin) / increment).round() * increment)
        };
        self.move_origins(nodes, goal, |what| format!("Drop {what} to a grid of {increment}"));
    }

    /// Moves each selected node that is not locked along a world axis, until its edge lines up with the
    /// same edge of the active node: one undo step.
    pub fn align(&mut self, axis: Axis, edge: Edge) {
        self.rest();
        let Some(active) = self.selection.active().filter(|_| self.selection.nodes().len() > 1) else {
            return self.show_message("Select the nodes to align, and last the node to align them to");
        };
        let nodes: Vec<usize> = self.adjustable().collect();
        let are_moved: HashSet<usize> = nodes.iter().copied().collect();
        let up = |node: &usize| self.scene.nodes()[*node].parent;
        let is_carried = || std::iter::successors(up(&active), up).any(|above| are_moved.contains(&above));
        if !are_moved.contains(&active) && is_carried() {
            let name = &self.scene.nodes()[active].name;
            let why = format!("{name} is locked, so nodes that it is in cannot be aligned with it");
            return self.show_message(why);
        }
        let edge_of = |node: usize| {
            let origin = position(&self.scene, node)[axis.index()];
            let extent = match edge {
                Edge::Origin => [origin; 2],
                _ => extent(&self.scene, node, &are_moved, axis).unwrap_or([origin; 2]),
            };
            (edge.of(extent, origin), extent[0].abs() + extent[1].abs())
        };
        let (wanted, size) = edge_of(active);
        let goals = nodes.iter().map(|&node| {
            let mut goal = position(&self.scene, node);
            let (now, own_size) = edge_of(node);
            match edge {
                Edge::Origin => goal[axis.index()] = wanted,
                // A shape that is aligned except for rounding stays.
                _ if (wanted - now).abs() <= ROUNDING * (size + own_size) => {}
                _ => goal[axis.index()] += wanted - now,
            }
            (node, goal)
        });
        let goals: HashMap<usize, DVec3> = goals.collect();
        let name = &self.scene.nodes()[active].name;
        let by = match edge {
            Edge::Origin => String::new(),
            _ => format!(" by {}", edge.name().to_lowercase()),
        };
        let name = format!("in {axis:?}{by} to {name}");
        self.move_origins(nodes, |_, node| goals[&node], |what| format!("Align {what} {name}"));
    }

    /// Moves the origins of nodes to world positions, also if their ancestors move as well. Adds one
    /// undo step with this name, or none if all nodes are there already. If a node cannot be moved
    /// there, changes nothing and shows a message. Does nothing during a drag.
    fn move_origins(
        &mut self,
        mut nodes: Vec<usize>,
        goal: impl Fn(&Scene, usize) -> DVec3,
        name: impl Fn(&str) -> String,
    ) {
        if self.is_dragging() {
            return;
        }
        self.settle();
        // Ancestors come before their descendants.
        nodes.sort_by_cached_key(|node| depth(&self.scene, *node));
        let moved = self.place_each(&nodes, |scene, node| {
            let (goal, world_from_parent) = (goal(scene, node), scene.world_from_parent(node));
            let now = position(scene, node);
            let size = now.abs() + world_from_parent.w_axis.truncate().abs() + goal.abs();
            let parent_from_world = scene.parent_from_world(scene.nodes()[node].parent);
            let translation = parent_from_world.map_or(DVec3::NAN, |matrix| matrix.transform_point3(goal));
            let is_there = (goal - now).length() <= ROUNDING * size.length();
            (!is_there).then_some(Transform { translation, ..scene.nodes()[node].local })
        });
        self.changed();
        match moved {
            Err(node) => {
                let name = &self.scene.nodes()[node].name;
                self.message =
                    Some(format!("Could not move {name}: its parent is flat, or the numbers are too large"));
            }
            Ok(_) if nodes.is_empty() => self.explain_no_change(),
            Ok(starts) if starts.is_empty() => {
                self.message = Some("The selected nodes that are not locked are already there".to_owned());
            }
            Ok(starts) => {
                let nodes: Vec<usize> = starts.iter().map(|(node, _)| *node).collect();
                let (name, start) = (name(&labels::nodes(&self.scene, &nodes)), Edit::Place(starts));
                self.log.push(name, start.now(&self.scene), start);
            }
        }
    }
}

/// Returns a node's origin in world space.
fn position(scene: &Scene, node: usize) -> DVec3 {
    scene.world_from_node(node).w_axis.truncate()
}

/// Returns the minimum and maximum of a node's shape along a world axis. The shape consists of the
/// meshes of the node and its descendants, as they are cropped, without the subtrees of nodes in
/// `are_moved`. Hidden meshes count only if nothing else is left. Returns `None` if there is no mesh.
fn extent(scene: &Scene, node: usize, are_moved: &HashSet<usize>, axis: Axis) -> Option<[f64; 2]> {
    let mut extents = [None; 2];
    let mut rest = vec![node];
    while let Some(at) = rest.pop() {
        let children = scene.nodes()[at].children.iter().copied();
        rest.extend(children.filter(|child| scene.exists(*child) && !are_moved.contains(child)));
        let Some(mesh) = scene.nodes()[at].mesh.map(|mesh| &scene.meshes()[mesh]) else { continue };
        let row = scene.world_from_node(at).row(axis.index());
        let extent = &mut extents[usize::from(!scene.is_shown(at))];
        let mut add = |point: DVec3| {
            let along = row.dot(point.extend(1.0));
            let [low, high] = extent.unwrap_or([along; 2]);
            *extent = Some([along.min(low), along.max(high)]);
        };
        let points = mesh.positions.iter().map(|position| DVec3::from(position.map(f64::from)));
        let Some(crop) = scene.crop_box(at) else {
            points.for_each(add);
            continue;
        };
        let points: Vec<DVec3> = points.collect();
        for corners in mesh.indices.chunks_exact(3) {
            let corners = corners.iter().map(|index| points[*index as usize]).collect();
            clipped(corners, crop).into_iter().for_each(&mut add);
        }
    }
    let [shown, hidden] = extents;
    shown.or(hidden)
}

/// Returns the corners of the part of a polygon that is in a box.
fn clipped(mut corners: Vec<DVec3>, Bounds { min, max }: Bounds) -> Vec<DVec3> {
    for (axis, sign, side) in (0..3).flat_map(|axis| [(axis, 1.0, min[axis]), (axis, -1.0, max[axis])]) {
        let edges = corners.iter().zip(corners.iter().cycle().skip(1));
        let kept = edges.flat_map(|(from, to)| {
            let [a, b] = [from, to].map(|point| sign * (point[axis] - side));
            let crossing = ((a < 0.0) != (b < 0.0)).then(|| from.lerp(*to, a / (a - b)));
            [(a >= 0.0).then_some(*from), crossing]
        });
        corners = kept.flatten().collect();
    }
    corners
}

/// Returns the number of a node's ancestors.
fn depth(scene: &Scene, node: usize) -> usize {
    std::iter::successors(scene.nodes()[node].parent, |above| scene.nodes()[*above].parent).count()
}

#[cfg(test)]
mod tests;
