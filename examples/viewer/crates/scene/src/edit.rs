//! Edits of a scene as values, which replays and undo steps consist of.

use crate::bounds::Bounds;
use crate::flags::Flag;
use crate::node_value::NodeValue;
use crate::volume::NodeVolume;
use crate::{CopyPair, RenameError, Scene};
use wgpu_gizmo_core::Transform;
use wgpu_gizmo_core::glam::{DQuat, DVec3};

/// The edited point and rotation of the gizmo, in world space. The settings give what is `None`.
pub type EditedPivot = (Option<DVec3>, Option<DQuat>);

/// New values of nodes, by their indices.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Sets local transforms.
    Place(Vec<(usize, Transform)>),
    /// Renames nodes, all at once, so two can swap their names.
    Rename(Vec<(usize, String)>),
    /// Changes parents, all at once. Local transforms stay.
    Parent(Vec<(usize, Option<usize>)>),
    /// Sets or clears flags.
    Flag(Vec<(usize, Flag, bool)>),
    /// Sets crop boxes, or removes them.
    Crop(Vec<(usize, Option<Bounds>)>),
    /// Sets the cameras or lights of nodes that have one of the same kind.
    Volume(Vec<(usize, NodeVolume)>),
    /// Gives reserved copies the state of their originals and undeletes them.
    Copy(Vec<CopyPair>),
    /// Sets the place of the gizmo for the selection of these nodes. The editor applies it, because a scene has no
    /// gizmo. In a replay the list is empty and stands for the selected nodes.
    Pivot(Vec<usize>, EditedPivot),
    /// Makes several edits, one after another.
    All(Vec<Self>),
}

/// The reason why an edit cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// A name is empty or taken.
    #[error(transparent)]
    Name(#[from] RenameError),
    /// A node would become its own ancestor.
    #[error("A node cannot be the child of its own descendant")]
    Loop,
}

impl Edit {
    /// Makes the edit and returns its inverse. On an error nothing changes.
    pub fn apply(&self, scene: &mut Scene) -> Result<Self, EditError> {
        if let Self::All(edits) = self {
            return apply_all(edits, scene);
        }
        let inverse = self.now(scene);
        match self {
            Self::Place(places) => places.iter().for_each(|(node, local)| scene.set_local(*node, *local)),
            Self::Rename(names) => scene.rename_all(names)?,
            Self::Parent(parents) if !scene.reparent_all(parents) => return Err(EditError::Loop),
            Self::Flag(flags) => flags.iter().for_each(|(node, flag, on)| scene.set_flag(*node, *flag, *on)),
            Self::Crop(crops) => crops.iter().for_each(|(node, crop)| scene.set_crop_box(*node, *crop)),
            Self::Volume(volumes) => {
                for (node, volume) in volumes {
                    if let Some(index) = scene.volume_like(*node, volume) {
                        scene.set_volume(index, *volume);
                    }
                }
            }
            Self::Copy(copies) => scene.fill_copies(copies)?,
            Self::Parent(_) | Self::Pivot(..) | Self::All(_) => {}
        }
        Ok(inverse)
    }

    /// Returns the edit that sets the same values to what they are now. It is the inverse of an edit that is
    /// made next, and repeats one that was made last.
    #[must_use]
    pub fn now(&self, scene: &Scene) -> Self {
        let node = |node: usize| &scene.nodes()[node];
        let has = |node: usize, flag: Flag| (node, flag, scene.has_flag(node, flag));
        match self {
            Self::Place(places) => Self::Place(now(places, |index| node(index).local)),
            Self::Rename(names) => Self::Rename(now(names, |index| node(index).name.clone())),
            Self::Parent(parents) => Self::Parent(now(parents, |index| node(index).parent)),
            Self::Flag(flags) => Self::Flag(flags.iter().map(|(node, flag, _)| has(*node, *flag)).collect()),
            Self::Crop(crops) => Self::Crop(now(crops, |node| scene.crop_box(node))),
            Self::Volume(volumes) => {
                let now = |(node, volume): &(usize, NodeVolume)| {
                    Some((*node, scene.volume(scene.volume_like(*node, volume)?)?))
                };
                Self::Volume(volumes.iter().filter_map(now).collect())
            }
            Self::Copy(copies) => {
                Self::Flag(copies.iter().map(|(_, copy)| has(*copy, Flag::Deleted)).collect())
            }
            Self::Pivot(nodes, place) => Self::Pivot(nodes.clone(), *place),
            Self::All(edits) => Self::All(edits.iter().map(|edit| edit.now(scene)).collect()),
        }
    }

    /// Returns the values that the edit sets, in order. Copies become nodes that are not deleted.
    pub fn values(&self) -> Vec<(usize, NodeValue)> {
        match self {
            Self::Place(places) => each(places, NodeValue::Local),
            Self::Rename(names) => each(names, NodeValue::Name),
            Self::Parent(parents) => each(parents, NodeValue::Parent),
            Self::Flag(flags) => {
                flags.iter().map(|(node, flag, on)| (*node, NodeValue::Flag(*flag, *on))).collect()
            }
            Self::Crop(crops) => each(crops, NodeValue::Crop),
            Self::Volume(volumes) => each(volumes, NodeValue::Volume),
            Self::Copy(copies) => {
                copies.iter().map(|(_, copy)| (*copy, NodeValue::Flag(Flag::Deleted, false))).collect()
            }
            Self::Pivot(..) => Vec::new(),
            Self::All(edits) => edits.iter().flat_map(Self::values).collect(),
        }
    }

    /// Returns the nodes and the places of the gizmo that this edit sets.
    pub fn pivots_mut(&mut self) -> impl Iterator<Item = (&mut Vec<usize>, &mut EditedPivot)> {
        let parts = match self {
            Self::All(edits) => edits,
            edit => std::slice::from_mut(edit),
        };
        parts.iter_mut().filter_map(|edit| match edit {
            Self::Pivot(nodes, place) => Some((nodes, place)),
            _ => None,
        })
    }

    /// Returns the edits that this one consists of, or the edit itself.
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::All(edits) => edits,
            _ => std::slice::from_ref(self),
        }
    }
}

fn each<T: Clone>(values: &[(usize, T)], of: impl Fn(T) -> NodeValue) -> Vec<(usize, NodeValue)> {
    values.iter().map(|(node, value)| (*node, of(value.clone()))).collect()
}

fn now<T>(values: &[(usize, T)], of: impl Fn(usize) -> T) -> Vec<(usize, T)> {
    values.iter().map(|(node, _)| (*node, of(*node))).collect()
}

fn apply_all(edits: &[Edit], scene: &mut Scene) -> Result<Edit, EditError> {
    let mut inverses = Vec::with_capacity(edits.len());
    let result = edits.iter().try_for_each(|edit| {
        inverses.push(edit.apply(scene)?);
        Ok(())
    });
    inverses.reverse();
    let inverse = Edit::All(inverses);
    if let Err(error) = result {
        let restored = inverse.apply(scene);
        debug_assert!(restored.is_ok(), "an inverse can be applied");
        return Err(error);
    }
    Ok(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::tests::scene_of;

    #[test]
    fn edit_that_fails_changes_nothing() {
        let mut scene = scene_of(&["a", "b", "c"].map(|name| (name, None, 0.0)));
        let before = format!("{:?}", scene.nodes());
        for (last, error) in [
            (Edit::Rename(vec![(0, "c".to_owned())]), EditError::Name(RenameError::Taken("c".to_owned()))),
            (Edit::Parent(vec![(1, Some(0))]), EditError::Loop),
        ] {
            let edit = Edit::All(vec![
                Edit::Rename(vec![(0, "d".to_owned()), (1, "a".to_owned())]),
                Edit::Parent(vec![(0, Some(1))]),
                last,
            ]);
            assert_eq!(edit.apply(&mut scene), Err(error));
            assert_eq!(format!("{:?}", scene.nodes()), before);
        }
    }
}
