use super::instance::ObjectInstance;
use super::spheres::Spheres;
use crate::math::Ball;
use glam::{DAffine3, DVec3};
use std::num::NonZeroU32;

/// Identifies an object of a [`PickScene`](super::PickScene).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PickObjectKey(SlotKey);

/// Identifies a mesh of a [`PickScene`](super::PickScene).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PickMeshKey(pub(super) SlotKey);

/// A slot and its generation: how often the slot was freed before this key was created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SlotKey {
    pub(super) slot: u32,
    pub(super) generation: u32,
}

/// An object that can be picked: a mesh, its transform and its id.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PickObject {
    /// The mesh.
    pub mesh: PickMeshKey,
    /// Transforms from the mesh's local space to world space. If a number in it is not finite or
    /// exceeds the range of `f32`, the object is neither drawn nor picked.
    pub world_from_local: DAffine3,
    /// The id that the ID image contains for it. Several objects may share one.
    pub id: NonZeroU32,
}

/// The objects of a scene, on the CPU, by slot.
#[derive(Debug, Default)]
pub(super) struct Store {
    /// The position of the first object. Positions are relative to it, so that a scene far from the
    /// world's origin is culled as tightly as one near it.
    pub(super) origin_world: DVec3,
    pub(super) instances: Vec<ObjectInstance>,
    /// Per object: the slot of its mesh.
    pub(super) meshes: Vec<u32>,
    states: Vec<State>,
    free: Vec<u32>,
    pub(super) spheres: Spheres,
}

#[derive(Debug, Clone, Copy)]
struct State {
    generation: u32,
    is_live: bool,
    is_hidden: bool,
    /// True if its transform can be represented in `f32`.
    is_finite: bool,
}

impl Store {
    /// Returns `None` if there are no slots left.
    pub(super) fn insert(&mut self, object: &PickObject, bounds: Ball) -> Option<PickObjectKey> {
        if self.len() == 0 && object.world_from_local.is_finite() {
            self.origin_world = object.world_from_local.translation;
        }
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = u32::try_from(self.states.len()).ok()?;
                self.states.push(State { generation: 0, is_live: false, is_hidden: false, is_finite: false });
                self.instances.push(ObjectInstance::COLLAPSED);
                self.meshes.push(0);
                slot
            }
        };
        let state = &mut self.states[slot as usize];
        (state.is_live, state.is_hidden) = (true, false);
        let generation = state.generation;
        self.put(slot, object, bounds);
        Some(PickObjectKey(SlotKey { slot, generation }))
    }

    /// Returns the slot of an object, or `None` if it was removed.
    pub(super) fn slot_of(&self, PickObjectKey(key): PickObjectKey) -> Option<u32> {
        let state = self.states.get(key.slot as usize)?;
        (state.is_live && state.generation == key.generation).then_some(key.slot)
    }

    /// Replaces the object in a slot.
    pub(super) fn put(&mut self, slot: u32, object: &PickObject, bounds: Ball) {
        self.meshes[slot as usize] = object.mesh.0.slot;
        self.set(slot, object.world_from_local, object.id.get(), bounds);
    }

    pub(super) fn move_to(&mut self, slot: u32, world_from_local: DAffine3, bounds: Ball) {
        self.set(slot, world_from_local, self.instances[slot as usize].id, bounds);
    }

    fn set(&mut self, slot: u32, world_from_local: DAffine3, id: u32, bounds: Ball) {
        let translation = world_from_local.translation - self.origin_world;
        let instance = ObjectInstance::new(DAffine3 { translation, ..world_from_local }, id);
        self.states[slot as usize].is_finite = instance.is_some();
        self.instances[slot as usize] =
            instance.unwrap_or(ObjectInstance { id, ..ObjectInstance::COLLAPSED });
        self.update_ball(slot, bounds);
    }

    pub(super) fn set_hidden(&mut self, slot: u32, is_hidden: bool, bounds: Ball) {
        self.states[slot as usize].is_hidden = is_hidden;
        self.update_ball(slot, bounds);
    }

    pub(super) fn remove(&mut self, slot: u32) {
        let state = &mut self.states[slot as usize];
        state.is_live = false;
        state.generation = state.generation.wrapping_add(1);
        self.spheres.clear(slot);
        self.free.push(slot);
    }

    /// Gives a drawn object a bounding ball and clears that of any other.
    fn update_ball(&mut self, slot: u32, bounds: Ball) {
        if self.is_drawn(slot) {
            let ball = self.instances[slot as usize].ball(bounds);
            self.spheres.set(slot, ball.center, ball.radius);
        } else {
            self.spheres.clear(slot);
        }
    }

    pub(super) fn is_drawn(&self, slot: u32) -> bool {
        let state = self.states.get(slot as usize);
        state.is_some_and(|state| state.is_live && !state.is_hidden && state.is_finite)
    }

    /// Returns the number of objects, including hidden ones.
    pub(super) fn len(&self) -> usize {
        self.states.len() - self.free.len()
    }
}
