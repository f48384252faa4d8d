//! Puts what is selected in order: onto a grid, or in line with the active node.

use super::Editor;
use crate::history::{Change, Step};
use crate::labels;
use crate::scene::Scene;
use std::collections::HashSet;
use wgpu_gizmo::Orientation;
use wgpu_gizmo::glam::{DMat3, DVec3};
use wgpu_gizmo::handle::Axis;
use wgpu_gizmo::interaction::SnapKind;
use wgpu_gizmo::math::nearest_rotation;

/// How far apart the points of the grid are where no increment is set, in world units.
const USUAL: f64 = 1.0;

/// What of a node comes to stand where that of the active one does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Edge {
    /// Its origin.
    #[default]
    Origin,
    /// Where its shape begins, going along the axis; see [`extent`].
    Min,
    /// The middle between the two.
    Center,
    /// Where its shape ends.
    Max,
}

impl Edge {
    /// All of them, by their names.
    pub(crate) const ALL: [(&str, Self); 4] =
        [("Origin", Self::Origin), ("Minimum", Self::Min), ("Center", Self::Center), ("Maximum", Self::Max)];

    /// As it is called.
    pub(crate) fn name(self) -> &'static str {
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

/// A node that is as near as this to where it is to be is there: what multiplying down to it can
/// round, in parts of the numbers that are multiplied.
const ROUNDING: f64 = 1e-13;

impl Editor {
    /// Puts each selected node that is not locked onto the nearest point of the grid: one step.
    ///
    /// The grid has the increment of moving, in world units, whether it snaps always or while the
    /// key is held. It stands along the world's axes, or those of the orientation, where that has
    /// a grid: see `SnapKind::Grid`.
    pub(super) fn drop_to_grid(&mut self) {
        let settings = self.gizmo.settings;
        let increment = settings.snap.translate.or(settings.snap_while_held.translate);
        let increment = increment.map_or(USUAL, |increment| increment.get());
        let set_origin = match settings.snap_kind {
            SnapKind::Grid { origin_world } => origin_world,
            SnapKind::Relative => DVec3::ZERO,
        };
        let places = self.adjustable().map(|node| {
            let (axes, origin) = match settings.orientation {
                Orientation::Parent => {
                    let world_from_parent = self.scene.world_from_parent(node);
                    let axes = nearest_rotation(DMat3::from_mat4(world_from_parent)).unwrap_or_default();
                    (axes, world_from_parent.w_axis.truncate())
                }
                Orientation::Custom(rotation) if (rotation.length() - 1.0).abs() < 1e-6 => {
                    (DMat3::from_quat(rotation.normalize()), set_origin)
                }
                _ => (DMat3::IDENTITY, set_origin),
            };
            let from_origin = axes.transpose() * (position(&self.scene, node) - origin);
            (node, origin + axes * ((from_origin / increment).round() * increment))
        });
        let places = places.collect();
        self.put(places, |what| format!("Drop {what} to a grid of {increment}"));
    }

    /// Moves each selected node that is not locked along an axis of the world, to where an edge of
    /// it is as far along as that of the active one: one step.
    pub(crate) fn align(&mut self, axis: Axis, edge: Edge) {
        let Some(active) = self.selection.active().filter(|_| self.selection.nodes().len() > 1) else {
            self.message = Some("Select what is to be aligned, and last what to align it to".to_owned());
            return;
        };
        let nodes: Vec<usize> = self.adjustable().collect();
        let are_moved: HashSet<usize> = nodes.iter().copied().collect();
        let of = |node: usize| {
            let origin = position(&self.scene, node)[axis.index()];
            let extent = match edge {
                Edge::Origin => [origin; 2],
                _ => extent(&self.scene, node, &are_moved, axis).unwrap_or([origin; 2]),
            };
            (edge.of(extent, origin), extent[0].abs() + extent[1].abs())
        };
        let (wanted, size) = of(active);
        let places = nodes.into_iter().map(|node| {
            let mut place = position(&self.scene, node);
            let (now, own_size) = of(node);
            match edge {
                Edge::Origin => place[axis.index()] = wanted,
                // What is there but for rounding stays.
                _ if (wanted - now).abs() <= ROUNDING * (size + own_size) => {}
                _ => place[axis.index()] += wanted - now,
            }
            (node, place)
        });
        let places = places.collect();
        let name = &self.scene.nodes()[active].name;
        let by = match edge {
            Edge::Origin => String::new(),
            _ => format!(" by {}", edge.name().to_lowercase()),
        };
        let name = format!("in {axis:?}{by} to {name}");
        self.put(places, |what| format!("Align {what} {name}"));
    }

    /// Puts the origins of nodes at places in the world, whatever becomes of those above them:
    /// one step with this name, none where all are there already. Where one cannot be put there,
    /// nothing changes and a message says why. Not in a drag.
    fn put(&mut self, mut places: Vec<(usize, DVec3)>, name: impl Fn(&str) -> String) {
        if self.gizmo.is_active() {
            return;
        }
        self.settle();
        // What hangs on another comes after it.
        places.sort_by_cached_key(|(node, _)| depth(&self.scene, *node));
        let mut moved = Vec::new();
        let mut refused = None;
        for (node, place) in places {
            let world_from_parent = self.scene.world_from_parent(node);
            let is_at = position(&self.scene, node);
            let size = is_at.abs() + world_from_parent.w_axis.truncate().abs() + place.abs();
            if (place - is_at).length() <= ROUNDING * size.length() {
                continue;
            }
            let before = self.scene.nodes()[node].local;
            let mut after = before;
            after.translation = world_from_parent.inverse().transform_point3(place);
            if !after.is_finite() {
                refused = Some(node);
                break;
            }
            self.scene.set_local(node, after);
            moved.push((node, before, after));
            if !self.scene.world_from_node(node).is_finite() {
                refused = Some(node);
                break;
            }
        }
        if let Some(node) = refused {
            moved.iter().rev().for_each(|(node, before, _)| self.scene.set_local(*node, *before));
            self.changed();
            let name = &self.scene.nodes()[node].name;
            self.message =
                Some(format!("{name} cannot be put there: what it hangs on is flat, or too large"));
        } else if moved.is_empty() {
            self.message = Some("All that is selected and not locked is there already".to_owned());
        } else {
            let nodes: Vec<usize> = moved.iter().map(|(node, ..)| *node).collect();
            let name = name(&labels::nodes(&self.scene, &nodes));
            self.history.push(Step { name, change: Change::Moved(moved) });
            self.changed();
        }
    }
}

/// A node's origin, in world space.
fn position(scene: &Scene, node: usize) -> DVec3 {
    scene.world_from_node(node).w_axis.truncate()
}

/// From where to where the shape of a node goes along an axis of the world: its own mesh, and those
/// of all that hangs on it, but for the nodes that are moved by themselves and what hangs on those.
/// Of what is hidden of that only where nothing else is there; `None` where there is no mesh at all.
fn extent(scene: &Scene, node: usize, are_moved: &HashSet<usize>, axis: Axis) -> Option<[f64; 2]> {
    let mut extents = [None; 2];
    let mut rest = vec![node];
    while let Some(at) = rest.pop() {
        let children = scene.nodes()[at].children.iter().copied();
        rest.extend(children.filter(|child| scene.is_there(*child) && !are_moved.contains(child)));
        let Some(mesh) = scene.nodes()[at].mesh else { continue };
        let row = scene.world_from_node(at).row(axis.index());
        for position in &scene.meshes()[mesh].positions {
            let along = row.dot(DVec3::from(position.map(f64::from)).extend(1.0));
            let extent = &mut extents[usize::from(!scene.is_shown(at))];
            let [low, high] = extent.unwrap_or([along; 2]);
            *extent = Some([along.min(low), along.max(high)]);
        }
    }
    let [shown, hidden] = extents;
    shown.or(hidden)
}

/// How many nodes are above this one.
fn depth(scene: &Scene, node: usize) -> usize {
    std::iter::successors(scene.nodes()[node].parent, |above| scene.nodes()[*above].parent).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;
    use crate::flags::Flag;
    use crate::mesh::Mesh;
    use crate::scene::Node;
    use crate::selection::Selection;
    use wgpu_gizmo::glam::{DMat4, DQuat};
    use wgpu_gizmo::interaction::{Key, KeyModifiers};
    use wgpu_gizmo::{Increment, Snap, Transform, View, Viewport};

    fn view() -> View {
        View::from_clip_from_world(DMat4::IDENTITY, Viewport::of_size(400, 300), 1.0).expect("usable")
    }

    fn at(x: f64, y: f64, z: f64) -> Transform {
        Transform { translation: DVec3::new(x, y, z), ..Transform::IDENTITY }
    }

    /// Corners at 1 and -1 on each axis: seen along a direction, it is as wide as the longest of its
    /// half axes, and a box round it is wider.
    fn octahedron() -> Mesh {
        let corner = |i: usize| {
            let mut corner = [0.0; 3];
            corner[i / 2] = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
            corner
        };
        Mesh { positions: (0..6).map(corner).collect(), ..Mesh::default() }
    }

    /// `leaf` on `arm`, which is turned, scaled unevenly and mirrored; and `box`, which is listed
    /// first.
    fn editor(selected: &[&str]) -> Editor {
        let arm = Transform {
            rotation: DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -2.0) / 3.0, 0.7),
            scale: DVec3::new(-2.0, 0.5, 3.0),
            ..at(0.4, -0.2, 7.9)
        };
        let mut nodes = vec![
            Node::new("leaf", Some(1), at(0.31, 1.2, -0.7)),
            Node::new("arm", None, arm),
            Node::new("box", None, at(-1.6, 2.5, 100.2)),
        ];
        nodes.iter_mut().for_each(|node| node.mesh = Some(0));
        let scene = Scene::new(nodes, vec![octahedron()]).expect("a tree");
        let mut editor = Editor::new(scene).expect("few nodes");
        let selected: Vec<usize> =
            selected.iter().map(|name| editor.scene.find(name).expect("ours")).collect();
        editor.select(Selection::of(&selected), &view());
        editor
    }

    fn locals(editor: &Editor) -> Vec<Transform> {
        editor.scene.nodes().iter().map(|node| node.local).collect()
    }

    fn world(editor: &Editor, name: &str) -> DVec3 {
        position(&editor.scene, editor.scene.find(name).expect("ours"))
    }

    fn names(editor: &Editor) -> Vec<&str> {
        editor.history.steps().iter().map(|step| step.name.as_str()).collect()
    }

    #[test]
    fn each_node_drops_to_the_point_nearest_to_where_it_was_and_back() {
        let mut editor = editor(&["leaf", "arm", "box"]);
        let before = locals(&editor);
        let was = ["leaf", "arm", "box"].map(|name| world(&editor, name));
        editor.gizmo.settings.snap_while_held = Snap { translate: Increment::new(0.5), ..Snap::OFF };
        assert!(editor.run(Command::DropToGrid, &view()));
        let wanted = was.map(|was| (was * 2.0).round() / 2.0);
        for (name, wanted) in ["leaf", "arm", "box"].into_iter().zip(wanted) {
            let found = world(&editor, name);
            assert!(found.abs_diff_eq(wanted, 1e-13), "{name}: {found}, not {wanted}");
        }
        assert_eq!(editor.scene.nodes()[2].local, at(-1.5, 2.5, 100.0), "to the last bit");
        let after = locals(&editor);
        assert!(before.iter().zip(&after).all(|(a, b)| (a.rotation, a.scale) == (b.rotation, b.scale)));
        editor.run(Command::DropToGrid, &view());
        assert_eq!(locals(&editor), after, "what is on the grid stays as it is");
        assert!(editor.message().is_some_and(|message| message.contains("already")));
        assert_eq!(names(&editor), ["Drop 3 nodes to a grid of 0.5"]);
        editor.undo(&view());
        assert_eq!(locals(&editor), before);
        editor.redo();
        assert_eq!(locals(&editor), after);
    }

    #[test]
    fn the_grid_is_that_of_the_orientation() {
        let origin_world = DVec3::new(0.25, 0.0, -0.125);
        let turn = DQuat::from_rotation_z(0.3);
        for (orientation, axes, origin) in [
            (Orientation::World, DMat3::IDENTITY, origin_world),
            (Orientation::Local, DMat3::IDENTITY, origin_world),
            (Orientation::View, DMat3::IDENTITY, origin_world),
            (Orientation::Custom(turn), DMat3::from_quat(turn), origin_world),
            (Orientation::Parent, DMat3::NAN, DVec3::NAN),
        ] {
            let mut editor = editor(&["leaf"]);
            editor.gizmo.settings.snap_while_held = Snap::OFF;
            editor.gizmo.settings.snap_kind = SnapKind::Grid { origin_world };
            editor.gizmo.settings.orientation = orientation;
            let was = world(&editor, "leaf");
            editor.run(Command::DropToGrid, &view());
            let arm = editor.scene.world_from_node(1);
            let parent = nearest_rotation(DMat3::from_mat4(arm)).expect("not flat");
            let (axes, origin) = match orientation {
                Orientation::Parent => (parent, arm.w_axis.truncate()),
                _ => (axes, origin),
            };
            let steps = axes.inverse() * (world(&editor, "leaf") - origin);
            assert!(steps.abs_diff_eq(steps.round(), 1e-12), "{orientation:?}: {steps}");
            let apart = axes.inverse() * (world(&editor, "leaf") - was);
            assert!(apart.abs().max_element() <= 0.5 + 1e-12, "{orientation:?}: {apart}");
        }
    }

    #[test]
    fn nodes_stand_in_line_with_the_active_one_whatever_hangs_on_what() {
        for axis in [Axis::X, Axis::Y, Axis::Z] {
            for selected in [["box", "arm", "leaf"], ["leaf", "box", "arm"], ["arm", "leaf", "box"]] {
                let mut editor = editor(&selected);
                let (before, was) = (locals(&editor), selected.map(|name| world(&editor, name)));
                let wanted = was[2][axis.index()];
                editor.run(Command::Align(axis), &view());
                for (name, was) in selected.into_iter().zip(was) {
                    let mut place = was;
                    place[axis.index()] = wanted;
                    let found = world(&editor, name);
                    assert!(found.abs_diff_eq(place, 1e-12), "{name} to {selected:?}: {found}, not {place}");
                }
                assert_eq!(names(&editor).len(), 1);
                assert!(names(&editor)[0].contains(&format!("in {axis:?} to {}", selected[2])));
                editor.undo(&view());
                assert_eq!(locals(&editor), before);
            }
        }
    }

    /// Lowest, middle and highest of an octahedron's corners.
    fn closed_form(editor: &Editor, name: &str, axis: Axis) -> [f64; 3] {
        let world = editor.scene.world_from_node(editor.scene.find(name).expect("ours"));
        let row = world.row(axis.index());
        let half = row.truncate().abs().max_element();
        [row.w - half, row.w, row.w + half]
    }

    #[test]
    fn edges_of_shapes_stand_in_line_however_turned_and_stretched_they_are() {
        for axis in [Axis::X, Axis::Y, Axis::Z] {
            for (which, edge) in [Edge::Min, Edge::Center, Edge::Max].into_iter().enumerate() {
                for selected in [["box", "arm", "leaf"], ["leaf", "box", "arm"], ["arm", "leaf", "box"]] {
                    let mut editor = editor(&selected);
                    let (before, was) = (locals(&editor), selected.map(|name| world(&editor, name)));
                    let wanted = closed_form(&editor, selected[2], axis)[which];
                    editor.align(axis, edge);
                    for (name, mut was) in selected.into_iter().zip(was) {
                        let found = closed_form(&editor, name, axis)[which];
                        assert!((found - wanted).abs() < 1e-12, "{name} {edge:?}: {found}, not {wanted}");
                        was[axis.index()] = world(&editor, name)[axis.index()];
                        assert!(
                            world(&editor, name).abs_diff_eq(was, 1e-12),
                            "{name} moves along {axis:?} alone"
                        );
                    }
                    let (after, steps) = (locals(&editor), names(&editor).len());
                    editor.align(axis, edge);
                    assert_eq!(
                        (locals(&editor), names(&editor).len(), steps),
                        (after, 1, 1),
                        "they are there"
                    );
                    editor.undo(&view());
                    assert_eq!(locals(&editor), before);
                }
            }
        }
    }

    #[test]
    fn what_hangs_on_a_node_and_goes_along_is_part_of_its_shape() {
        let mut editor = editor(&["arm", "box"]);
        let edges = |editor: &Editor| {
            let [arm, leaf, cube] = ["arm", "leaf", "box"].map(|name| closed_form(editor, name, Axis::Z));
            (arm[0].min(leaf[0]), cube[0])
        };
        let apart = closed_form(&editor, "leaf", Axis::Z)[0] - closed_form(&editor, "arm", Axis::Z)[0];
        assert!(apart < -0.5, "the leaf stands out: {apart}");
        editor.align(Axis::Z, Edge::Min);
        let (both, cube) = edges(&editor);
        assert!((both - cube).abs() < 1e-12, "{both} and {cube}");
        assert_eq!(names(&editor), ["Align arm in Z by minimum to box"]);
        // Hidden, it is no part of what is seen.
        editor.set_flag(&[0], Flag::Hidden, true);
        editor.align(Axis::Z, Edge::Min);
        assert!((closed_form(&editor, "arm", Axis::Z)[0] - cube).abs() < 1e-12);
        // Where all of it is, it counts.
        editor.set_flag(&[1], Flag::Hidden, true);
        editor.align(Axis::Z, Edge::Min);
        let (both, cube) = edges(&editor);
        assert!((both - cube).abs() < 1e-12, "{both} and {cube}");
    }

    #[test]
    fn what_has_no_shape_is_aligned_by_its_origin() {
        let nodes = vec![Node::new("a", None, at(1.0, 2.0, 3.0)), Node::new("b", None, at(-4.0, 5.0, 0.1))];
        let mut editor = Editor::new(Scene::new(nodes, Vec::new()).expect("a tree")).expect("few nodes");
        editor.select(Selection::of(&[0, 1]), &view());
        editor.align(Axis::X, Edge::Max);
        assert_eq!(editor.scene.nodes()[0].local, at(-4.0, 2.0, 3.0));
        editor.select(Selection::of(&[0]), &view());
        editor.align(Axis::Y, Edge::Min);
        assert!(editor.message().is_some_and(|message| message.starts_with("Select what is to be aligned")));
        assert_eq!(names(&editor).len(), 1);
    }

    #[test]
    fn what_is_locked_stays_and_can_still_be_aligned_to() {
        let mut editor = editor(&["box", "leaf", "arm"]);
        editor.set_flag(&[1], Flag::Locked, true);
        let (before, wanted) = (locals(&editor), world(&editor, "arm").y);
        editor.run(Command::Align(Axis::Y), &view());
        editor.run(Command::DropToGrid, &view());
        let after = locals(&editor);
        assert_eq!(after[..2], before[..2], "the leaf is locked with what it hangs on");
        assert_eq!(after[2].translation.y, wanted.round());
        assert_eq!(names(&editor)[1], "Align box in Y to arm");
    }

    #[test]
    fn what_hangs_on_a_flat_node_is_refused_and_nothing_moves() {
        let mut editor = editor(&["box", "leaf"]);
        let flat = Transform { scale: DVec3::new(1.0, 0.0, 1.0), ..editor.scene.nodes()[1].local };
        editor.scene.set_local(1, flat);
        let before = locals(&editor);
        editor.run(Command::DropToGrid, &view());
        assert_eq!((locals(&editor), names(&editor).len()), (before, 0));
        let message = editor.message().unwrap_or_default();
        assert!(message.starts_with("leaf cannot be put there"), "{message}");
    }

    #[test]
    fn nothing_is_put_anywhere_in_a_drag_or_with_nothing_selected() {
        let mut editor = editor(&[]);
        editor.run(Command::Align(Axis::X), &view());
        editor.run(Command::DropToGrid, &view());
        editor.select(Selection::of(&[2]), &view());
        editor.update(&view());
        editor.gizmo.key(Key::Axis(Axis::X), KeyModifiers::NONE);
        editor.update(&view());
        assert!(editor.gizmo.is_active());
        editor.run(Command::DropToGrid, &view());
        assert_eq!((editor.scene.nodes()[2].local, names(&editor).len()), (at(-1.6, 2.5, 100.2), 0));
    }
}
