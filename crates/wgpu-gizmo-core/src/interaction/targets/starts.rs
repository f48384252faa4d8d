use crate::handle::Axis;
use crate::interaction::settings::{BoxResult, Locks, Pivot, Settings, ShearPolicy};
use crate::interaction::targets::bounds::resized;
use crate::interaction::targets::parent::{LANES, Parent};
use crate::interaction::targets::step::Step;
use crate::interaction::targets::target::{Target, is_free};
use crate::math::Transform;
use glam::{DMat3, DQuat, DVec3};
use std::collections::HashMap;

/// The targets at the press, and the data that moves them.
#[derive(Debug, Clone)]
pub(crate) struct Starts {
    targets: Vec<Target>,
    /// The inverted parents. Neighboring targets with the same parent share one.
    parents: Vec<Parent>,
    starts: Vec<Start>,
    /// The index of the target whose axes the gizmo follows.
    active: usize,
    /// The axes of the orientation for each target, if each rotates about its own.
    own_axes: Vec<DMat3>,
    /// The rotation from the shared axes to those of each target, if each moves along its own.
    own_frames: Vec<DMat3>,
    /// Whether a target has a key. Otherwise the targets are identified by their positions in the list.
    has_keys: bool,
    locks: Locks,
    policy: ShearPolicy,
}

/// The start of one target. It is kept small, because there may be thousands.
#[derive(Debug, Clone, Copy)]
struct Start {
    local: Transform,
    /// Unit length.
    rotation: DQuat,
    /// The displacement from the point that it rotates and scales about, in world space.
    from_pivot: DVec3,
    /// The index in the list of parents.
    parent: usize,
    /// Whether it moves by itself, not with a target that it is inside of.
    is_free: bool,
}

/// A target that moves by itself, at the press.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Free<'a> {
    pub(crate) local: &'a Transform,
    pub(crate) parent_from_world: &'a DMat3,
    /// The displacement from the point that it rotates and scales about, in world space.
    pub(crate) from_pivot: DVec3,
    /// The rotation from the shared axes to its own, if it moves along its own.
    own_frame: Option<&'a DMat3>,
}

impl Free<'_> {
    /// Converts a displacement along the shared axes to one along its own.
    pub(crate) fn along_own(&self, by_world: DVec3) -> DVec3 {
        self.own_frame.map_or(by_world, |frame| *frame * by_world)
    }

    /// Applies a linear map, given along the shared axes, along the axes of the target. Returns the
    /// displacement.
    pub(crate) fn mapped(&self, map: impl Fn(DVec3) -> DVec3) -> DVec3 {
        mapped_along(self.own_frame, self.from_pivot, map)
    }
}

/// A rotation in the spaces of [`LANES`] consecutive parents.
struct LocalTurns {
    /// The index of the first parent.
    first: usize,
    by_parent: [DQuat; LANES],
}

impl Starts {
    /// Stores the targets at the press. Returns `None` if a parent is singular.
    pub(crate) fn new(
        targets: &[Target],
        settings: &Settings,
        pivot_world: DVec3,
        active: usize,
    ) -> Option<Self> {
        let mut parents = Vec::with_capacity(1);
        let mut starts = Vec::with_capacity(targets.len());
        for (index, target) in targets.iter().enumerate() {
            let is_free = is_free(targets, index);
            let is_siblings = index > 0 && targets[index - 1].world_from_parent == target.world_from_parent;
            if !is_siblings || parents.is_empty() {
                let parent = Parent::new(target.world_from_parent);
                parents.push(parent.map_or(Parent::SINGULAR, Parent::decomposed));
            }
            let parent = parents.len() - 1;
            // The inverse of the parent is not needed for a target that moves with another one.
            if is_free && parents[parent] == Parent::SINGULAR {
                return None;
            }
            let from_pivot = match settings.pivot {
                Pivot::Individual => DVec3::ZERO,
                _ => target.position_world() - pivot_world,
            };
            let local = target.local;
            starts.push(Start { local, rotation: local.unit_rotation(), from_pivot, parent, is_free });
        }
        Some(Self {
            targets: targets.to_vec(),
            parents,
            starts,
            active,
            own_axes: Vec::new(),
            own_frames: Vec::new(),
            has_keys: targets.iter().any(|target| target.key.is_some()),
            locks: settings.locks,
            policy: settings.shear,
        })
    }

    /// Makes each target rotate about axes of its own.
    pub(crate) fn set_own_axes(&mut self, of: impl Fn(&Target, &Parent) -> DMat3) {
        let Self { targets, parents, starts, own_axes, .. } = self;
        own_axes.clear();
        own_axes.extend(targets.iter().zip(starts).map(|(target, start)| of(target, &parents[start.parent])));
    }

    /// Makes each target translate and scale along axes of its own instead of the shared ones.
    pub(crate) fn set_own_frames(&mut self, shared: &DMat3, of: impl Fn(&Target, &Parent) -> DMat3) {
        let Self { targets, parents, starts, own_frames, .. } = self;
        own_frames.clear();
        let own =
            |(target, start): (&Target, &Start)| of(target, &parents[start.parent]) * shared.transpose();
        own_frames.extend(targets.iter().zip(&*starts).map(own));
    }

    /// Makes all targets translate and scale along the shared axes.
    pub(crate) fn share_frame(&mut self) {
        self.own_frames.clear();
    }

    /// Returns the targets that move by themselves.
    pub(crate) fn free(&self) -> impl Iterator<Item = Free<'_>> {
        let free = self.starts.iter().enumerate().filter(|(_, start)| start.is_free);
        free.map(|(index, start)| Free {
            local: &start.local,
            parent_from_world: &self.parents[start.parent].parent_from_world,
            from_pivot: start.from_pivot,
            own_frame: self.own_frames.get(index),
        })
    }

    /// Returns the displacement of the center of the targets by a translation: smaller if channels are
    /// locked.
    pub(crate) fn displacement(&self, by_world: DVec3) -> DVec3 {
        if !self.locks.translation.any() {
            return by_world;
        }
        let by_world = &|index: usize| self.own_frames.get(index).map_or(by_world, |frame| *frame * by_world);
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for (index, start) in self.starts.iter().enumerate().filter(|(_, start)| start.is_free) {
            let parent = &self.parents[start.parent];
            let by = parent.parent_from_world * by_world(index);
            sum += parent.world_from_parent * DVec3::select(self.locks.translation, DVec3::ZERO, by);
            count += 1.0;
        }
        sum / count
    }

    pub(crate) fn locks(&self) -> &Locks {
        &self.locks
    }

    pub(crate) fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// Returns the target whose axes the gizmo follows, and its parent.
    pub(crate) fn active(&self) -> (&Target, &Parent) {
        (&self.targets[self.active], &self.parents[self.starts[self.active].parent])
    }

    /// Returns the local transforms at the press, bit for bit.
    pub(crate) fn locals(&self) -> impl ExactSizeIterator<Item = Transform> {
        self.starts.iter().map(|start| start.local)
    }

    /// Returns true if these are the targets of the press: the same number, with the same keys.
    pub(crate) fn are_of(&self, targets: &[Target]) -> bool {
        let has_same_key = |(target, start): (&Target, &Target)| target.key == start.key;
        let have_same_keys = || !self.has_keys || targets.iter().zip(&self.targets).all(has_same_key);
        targets.len() == self.targets.len() && have_same_keys()
    }

    /// Writes the moved targets: their starts, bit for bit, if the step changes nothing. Targets past the
    /// end of either list are ignored.
    pub(crate) fn apply(&self, step: &Step, targets: &mut [Target]) {
        let mut last = LocalTurns { first: self.parents.len(), by_parent: [DQuat::IDENTITY; LANES] };
        let pairs = targets.iter_mut().zip(&self.starts).enumerate();
        if self.own_frames.is_empty() {
            for (index, (target, start)) in pairs {
                target.local = self.moved(index, start, step, &mut last);
            }
        } else {
            for ((index, (target, start)), frame) in pairs.zip(&self.own_frames) {
                target.local = self.moved(index, start, &step.along(frame), &mut last);
            }
        }
    }

    /// Returns the moved transform of one target. `last` holds the local rotations under the parents of the targets
    /// before.
    #[inline(always)]
    fn moved(&self, index: usize, start: &Start, step: &Step, last: &mut LocalTurns) -> Transform {
        let parent = &self.parents[start.parent];
        let (displacement, rotation, scale) = match *step {
            _ if !start.is_free => return start.local,
            Step::Nothing => return start.local,
            Step::Translate(by) => (by, start.local.rotation, start.local.scale),
            Step::Turn { turn, about_pivot, own } => {
                let own = own.zip(self.own_axes.get(index));
                let local_turn = match own {
                    None => self.shared_turn(turn, start.parent, last),
                    Some(_) => parent.local_turn(own_turn(turn, own), self.policy),
                };
                let rotation = nearly_unit(local_turn * start.rotation);
                (about_pivot * start.from_pivot, rotation, start.local.scale)
            }
            Step::Place { by, turn, about_pivot } => {
                let rotation = nearly_unit(self.shared_turn(turn, start.parent, last) * start.rotation);
                (by + about_pivot * start.from_pivot, rotation, start.local.scale)
            }
            Step::Scale { by, about_pivot } => {
                (about_pivot * start.from_pivot, start.local.rotation, start.local.scale * by)
            }
        };
        let translation = if displacement == DVec3::ZERO {
            start.local.translation
        } else {
            start.local.translation + parent.parent_from_world * displacement
        };
        let moved = self.unlocked(start, Transform { translation, rotation, scale });
        // A result that is not finite moves nothing rather than destroy the object.
        if moved.is_finite() { moved } else { start.local }
    }

    /// Returns the local rotation under a parent. It is computed once for siblings, and for several parents at once.
    #[inline(always)]
    fn shared_turn(&self, turn: DQuat, parent: usize, last: &mut LocalTurns) -> DQuat {
        if self.parents[parent].is_uniform() {
            return self.parents[parent].local_turn(turn, self.policy);
        }
        if parent.wrapping_sub(last.first) >= LANES {
            let first = parent - parent % LANES;
            *last = LocalTurns {
                first,
                by_parent: Parent::local_turns(&self.parents[first..], turn, self.policy),
            };
        }
        last.by_parent[parent - last.first]
    }

    /// Writes the starts, and the active target with moved faces of its bounding box.
    pub(crate) fn apply_resize(&self, by: [DVec3; 2], result: BoxResult, targets: &mut [Target]) {
        self.apply(&Step::Nothing, targets);
        let (Some(target), Some(start)) = (targets.get_mut(self.active), self.targets.get(self.active))
        else {
            return;
        };
        let moved = resized(start, by, result);
        let is_finite = moved.local.is_finite()
            && moved.bounds_local.is_some_and(|[low, high]| low.is_finite() && high.is_finite());
        let moved = if is_finite { moved } else { *start };
        target.local = moved.local;
        if result == BoxResult::Extents {
            target.bounds_local = moved.bounds_local;
        }
    }

    /// Writes the bounding box of the active target back, bit for bit.
    pub(crate) fn restore_bounds(&self, targets: &mut [Target]) {
        let Some(start) = self.targets.get(self.active) else { return };
        let by_key = |target: &&mut Target| start.key.is_some() && target.key == start.key;
        let target =
            if self.are_of(targets) { targets.get_mut(self.active) } else { targets.iter_mut().find(by_key) };
        if let Some(target) = target {
            target.bounds_local = start.bounds_local;
        }
    }

    /// Writes the starts back, bit for bit. If the list differs from that of the press, only the targets
    /// with the key of a target of the press get their starts.
    pub(crate) fn restore(&self, targets: &mut [Target]) {
        if self.are_of(targets) {
            for (target, start) in targets.iter_mut().zip(&self.starts) {
                target.local = start.local;
            }
            return;
        }
        let keyed = self.targets.iter().filter_map(|start| Some((start.key?, start.local)));
        let starts: HashMap<u64, Transform> = keyed.collect();
        for target in targets {
            if let Some(start) = target.key.and_then(|key| starts.get(&key)) {
                target.local = *start;
            }
        }
    }

    /// Returns the largest error of the rotations, relative to the scale of the target: the part of the
    /// rotation that would need shear.
    pub(crate) fn residual(&self, step: &Step) -> f64 {
        let (turn, own) = match *step {
            Step::Turn { turn, own, .. } => (turn, own),
            Step::Place { turn, .. } => (turn, None),
            Step::Nothing | Step::Translate(_) | Step::Scale { .. } => return 0.0,
        };
        let free = self.starts.iter().enumerate().filter(|(_, start)| start.is_free);
        let residual = |(index, start): (usize, &Start)| {
            let turn = own_turn(turn, own.zip(self.own_axes.get(index)));
            self.parents[start.parent].residual(&start.local, turn, self.policy)
        };
        free.map(residual).fold(0.0, f64::max)
    }

    fn unlocked(&self, start: &Start, moved: Transform) -> Transform {
        if self.locks == Locks::NONE {
            return moved;
        }
        let (locks, start) = (self.locks, start.local);
        Transform {
            translation: DVec3::select(locks.translation, start.translation, moved.translation),
            rotation: if locks.rotation { start.rotation } else { moved.rotation },
            scale: DVec3::select(locks.scale, start.scale, moved.scale),
        }
    }
}

/// Returns the rotation about a target's own axis of the same name, if it has its own.
fn own_turn(turn: DQuat, own: Option<((Axis, f64), &DMat3)>) -> DQuat {
    match own {
        Some(((axis, sine), axes)) => DQuat::from_vec4((axes.col(axis.index()) * sine).extend(turn.w)),
        None => turn,
    }
}

/// Normalizes a product of unit quaternions, whose length differs from 1 only by rounding: one step of
/// Newton's method for the inverse square root, from 1.
fn nearly_unit(product: DQuat) -> DQuat {
    product * (1.5 - 0.5 * product.length_squared())
}

/// Applies a linear map of the shared axes along the axes of one target.
fn mapped_along(own_frame: Option<&DMat3>, from_pivot: DVec3, map: impl Fn(DVec3) -> DVec3) -> DVec3 {
    match own_frame {
        Some(frame) => *frame * map(frame.transpose() * from_pivot),
        None => map(from_pivot),
    }
}
