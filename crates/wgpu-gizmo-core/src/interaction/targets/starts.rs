use crate::interaction::placement::Placement;
use crate::interaction::settings::{BoxResult, Locks, Pivot, Settings};
use crate::interaction::targets::bounds::resized;
use crate::interaction::targets::motion::Change;
use crate::interaction::targets::parent::{LANES, Parent};
use crate::interaction::targets::target::{Target, is_free};
use crate::math::Transform;
use glam::{DMat3, DQuat, DVec3};
use std::collections::HashMap;

/// The targets at the press, and the data that moves them.
#[derive(Debug, Clone)]
pub(crate) struct Starts {
    targets: Vec<Target>,
    starts: Vec<Start>,
    /// The inverted parents. Neighboring targets with the same parent share one.
    parents: Vec<Parent>,
    /// The index of the target whose axes the gizmo follows.
    active: usize,
    /// The axes of scale factors.
    pub(super) scale_axes: DMat3,
    /// The rotation from the shared axes to those of each target, if each moves along its own.
    own_frames: Vec<DMat3>,
    /// How many times they have changed.
    frame_changes: usize,
    /// Whether a target has a key. Otherwise the targets are identified by their positions in the list.
    has_keys: bool,
    pub(super) settings: Settings,
    has_locks: bool,
    /// What the drag of a box handle changes; `None` for another handle.
    box_result: Option<BoxResult>,
}

/// What is computed at the press for one target. It is kept small, because there may be thousands.
#[derive(Debug, Clone, Copy)]
struct Start {
    /// The local rotation with unit length.
    rotation: DQuat,
    /// The displacement from the point that it rotates and scales about, in world space.
    from_pivot: DVec3,
    /// The index in the list of parents.
    parent: usize,
    /// Whether it moves by itself, not with a target that it is inside of.
    is_free: bool,
}

/// A target that moves by itself, at the press.
pub(super) struct Free<'a> {
    index: usize,
    pub(super) local: &'a Transform,
    pub(super) parent: &'a Parent,
    /// The displacement from the point that it rotates and scales about, in world space.
    pub(super) from_pivot: DVec3,
    /// The rotation from the shared axes to those that it moves along.
    pub(super) frame: DMat3,
}

/// A change, prepared for all targets.
#[derive(Debug, Clone, Copy)]
struct PreparedChange {
    by: DVec3,
    /// Maps a displacement from the pivot to a translation in addition to `by`.
    about_pivot: Option<DMat3>,
    turn: Option<DQuat>,
    scale: DVec3,
}

impl PreparedChange {
    const IDENTITY: Self = Self { by: DVec3::ZERO, about_pivot: None, turn: None, scale: DVec3::ONE };

    /// Prepares a change. `axes` are those of the scale factors.
    fn new(change: &Change, axes: &DMat3) -> Self {
        let turned = |turn: DQuat| {
            let about_pivot = DMat3::from_quat(turn) - DMat3::IDENTITY;
            Self { about_pivot: Some(about_pivot), turn: Some(turn), ..Self::IDENTITY }
        };
        match *change {
            _ if change.is_identity() => Self::IDENTITY,
            Change::Translate(by) => Self { by, ..Self::IDENTITY },
            Change::Rotate { axis, principal, .. } => turned(DQuat::from_axis_angle(axis, principal)),
            Change::RotateFreely(turn) => turned(turn),
            Change::Place { by, turn } => Self { by, ..turned(turn) },
            Change::Scale(scale) => {
                let stretch = DMat3::from_diagonal(scale - DVec3::ONE);
                Self { about_pivot: Some(*axes * stretch * axes.transpose()), scale, ..Self::IDENTITY }
            }
            // Only the active target changes.
            Change::Resize { .. } => Self::IDENTITY,
        }
    }

    /// Returns the step along the axes of one target. `frame` is the rotation from the shared axes to them.
    fn along(&self, frame: &DMat3) -> Self {
        Self {
            by: *frame * self.by,
            about_pivot: self.about_pivot.map(|about_pivot| *frame * about_pivot * frame.transpose()),
            turn: self.turn.map(|turn| DQuat::from_vec4((*frame * turn.xyz()).extend(turn.w))),
            ..*self
        }
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
        placement: &Placement,
        active: usize,
        box_result: Option<BoxResult>,
    ) -> Option<Self> {
        let (mut parents, mut is_singular) = (Vec::with_capacity(1), false);
        let mut starts = Vec::with_capacity(targets.len());
        for (index, target) in targets.iter().enumerate() {
            let is_free = is_free(targets, index);
            let is_siblings = index > 0 && targets[index - 1].world_from_parent == target.world_from_parent;
            if !is_siblings || parents.is_empty() {
                let parent = Parent::new(target.world_from_parent);
                is_singular = parent.is_none();
                parents.push(parent.map_or(Parent::NONE, Parent::decomposed));
            }
            // The inverse of the parent is not needed for a target that moves with another one.
            if is_free && is_singular {
                return None;
            }
            let from_pivot = placement.distance_of(target, settings.pivot);
            let (rotation, parent) = (target.local.unit_rotation(), parents.len() - 1);
            starts.push(Start { rotation, from_pivot, parent, is_free });
        }
        Some(Self {
            targets: targets.to_vec(),
            starts,
            parents,
            active,
            scale_axes: placement.scale_axes,
            own_frames: Vec::new(),
            frame_changes: 0,
            has_keys: targets.iter().any(|target| target.key.is_some()),
            settings: *settings,
            has_locks: settings.motion.locks != Locks::NONE,
            box_result,
        })
    }

    /// Makes each target move along axes of its own instead of the shared ones.
    pub(crate) fn set_own_frames(&mut self, shared: &DMat3, axes_of: impl Fn(&Target, &Parent) -> DMat3) {
        // No frame is zero, so one that is new counts as changed.
        self.own_frames.resize(self.targets.len(), DMat3::ZERO);
        let mut is_changed = false;
        for ((frame, target), start) in self.own_frames.iter_mut().zip(&self.targets).zip(&self.starts) {
            let own = axes_of(target, &self.parents[start.parent]) * shared.transpose();
            is_changed |= std::mem::replace(frame, own) != own;
        }
        self.frame_changes += usize::from(is_changed);
    }

    /// Makes all targets move along the shared axes.
    pub(crate) fn share_frame(&mut self) {
        self.frame_changes += usize::from(!self.own_frames.is_empty());
        self.own_frames.clear();
    }

    pub(crate) fn frame_changes(&self) -> usize {
        self.frame_changes
    }

    /// Returns the targets that move by themselves.
    pub(super) fn free(&self) -> impl Iterator<Item = Free<'_>> {
        let all = self.starts.iter().zip(&self.targets).enumerate();
        all.filter(|(_, (start, _))| start.is_free).map(|(index, (start, target))| Free {
            index,
            local: &target.local,
            parent: &self.parents[start.parent],
            from_pivot: start.from_pivot,
            frame: self.own_frames.get(index).copied().unwrap_or_default(),
        })
    }

    /// Returns the displacement of the pivot by a translation, which is smaller if channels are locked: that of the
    /// active target if the pivot is there, and otherwise that of the center of the targets.
    pub(crate) fn displacement(&self, by_world: DVec3) -> DVec3 {
        if !self.settings.motion.locks.translation.any() {
            return by_world;
        }
        let is_at_active =
            matches!(self.settings.pivot, Pivot::Active | Pivot::Individual | Pivot::EachTarget);
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for free in self.free().filter(|free| !is_at_active || free.index == self.active) {
            let by = free.parent.parent_from_world * (free.frame * by_world);
            sum += free.parent.world_from_parent
                * DVec3::select(self.settings.motion.locks.translation, DVec3::ZERO, by);
            count += 1.0;
        }
        sum / count
    }

    pub(crate) fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// Returns the target whose axes the gizmo follows, and its parent.
    pub(crate) fn active(&self) -> (&Target, &Parent) {
        (&self.targets[self.active], &self.parents[self.starts[self.active].parent])
    }

    /// Returns true if these are the targets of the press: the same number, with the same keys.
    pub(crate) fn are_of(&self, targets: &[Target]) -> bool {
        let has_same_key = |(target, start): (&Target, &Target)| target.key == start.key;
        let have_same_keys = || !self.has_keys || targets.iter().zip(&self.targets).all(has_same_key);
        targets.len() == self.targets.len() && have_same_keys()
    }

    /// Returns true if a target differs from its start.
    pub(crate) fn have_changed(&self, targets: &[Target]) -> bool {
        let has_bounds = self.box_result == Some(BoxResult::Extents);
        let differs = |(target, start): (&Target, &Target)| {
            target.local != start.local || (has_bounds && target.bounds_local != start.bounds_local)
        };
        targets.iter().zip(&self.targets).any(differs)
    }

    /// Writes the moved targets: their starts, bit for bit, if the change is the identity. Writes nothing if these
    /// are not the targets of the press.
    pub(crate) fn apply(&self, change: &Change, targets: &mut [Target]) {
        if !self.are_of(targets) {
            return;
        }
        let step = PreparedChange::new(change, &self.scale_axes);
        let mut last = LocalTurns { first: self.parents.len(), by_parent: [DQuat::IDENTITY; LANES] };
        let pairs = self.starts.iter().zip(&self.targets).zip(targets.iter_mut());
        if self.own_frames.is_empty() {
            for ((start, at_press), target) in pairs {
                let local_turn = |turn, parent: &Parent| {
                    if parent.is_uniform() {
                        return parent.local_turn(turn, self.settings.motion.shear);
                    }
                    self.shared_turn(turn, start.parent, &mut last)
                };
                target.local = self.moved(start, &at_press.local, &step, local_turn);
            }
        } else {
            for (((start, at_press), target), frame) in pairs.zip(&self.own_frames) {
                let local_turn = |turn, parent: &Parent| parent.local_turn(turn, self.settings.motion.shear);
                target.local = self.moved(start, &at_press.local, &step.along(frame), local_turn);
            }
        }
        if let (Change::Resize { by }, Some(result)) = (*change, self.box_result) {
            let start = &self.targets[self.active];
            let moved = resized(start, by, result);
            let is_finite = moved.local.is_finite()
                && moved.bounds_local.is_some_and(|[low, high]| low.is_finite() && high.is_finite());
            let moved = if is_finite { &moved } else { start };
            let target = &mut targets[self.active];
            target.local = moved.local;
            if result == BoxResult::Extents {
                target.bounds_local = moved.bounds_local;
            }
        }
    }

    /// Returns the moved transform of one target. `local_turn` converts a rotation to the space of its parent.
    #[inline(always)]
    fn moved(
        &self,
        start: &Start,
        local: &Transform,
        step: &PreparedChange,
        local_turn: impl FnOnce(DQuat, &Parent) -> DQuat,
    ) -> Transform {
        if !start.is_free {
            return *local;
        }
        let parent = &self.parents[start.parent];
        let by = match &step.about_pivot {
            Some(about_pivot) => step.by + *about_pivot * start.from_pivot,
            None => step.by,
        };
        let translation = if by == DVec3::ZERO {
            local.translation
        } else {
            local.translation + parent.parent_from_world * by
        };
        let (rotation, scale) = match step.turn {
            Some(turn) => (nearly_unit(local_turn(turn, parent) * start.rotation), local.scale),
            None => (local.rotation, local.scale * step.scale),
        };
        let moved = Transform { translation, rotation, scale };
        let moved = self.unlocked(local, moved);
        // A result that is not finite moves nothing rather than destroy the object.
        if moved.is_finite() { moved } else { *local }
    }

    /// Returns the local rotation under a parent. It is computed once for siblings, and for several parents at once.
    #[inline(always)]
    fn shared_turn(&self, turn: DQuat, parent: usize, last: &mut LocalTurns) -> DQuat {
        if parent.wrapping_sub(last.first) >= LANES {
            let first = parent - parent % LANES;
            *last = LocalTurns {
                first,
                by_parent: Parent::local_turns(&self.parents[first..], turn, self.settings.motion.shear),
            };
        }
        last.by_parent[parent - last.first]
    }

    /// Writes the starts back, bit for bit. If the list differs from that of the press, only the targets
    /// with the key of a target of the press get their starts.
    pub(crate) fn restore(&self, targets: &mut [Target]) {
        let are_same = self.are_of(targets);
        let keyed = self.targets.iter().enumerate().filter_map(|(index, start)| Some((start.key?, index)));
        let indices: HashMap<u64, usize> = keyed.filter(|_| !are_same).collect();
        for (index, target) in targets.iter_mut().enumerate() {
            let by_key = || target.key.and_then(|key| indices.get(&key)).copied();
            let Some(index) = (if are_same { Some(index) } else { by_key() }) else { continue };
            target.local = self.targets[index].local;
            if index == self.active && self.box_result == Some(BoxResult::Extents) {
                target.bounds_local = self.targets[index].bounds_local;
            }
        }
    }

    /// Returns the largest error of the rotations of a change, relative to the scale of the target: the part of the
    /// rotation that would need shear.
    pub(crate) fn residual(&self, change: &Change) -> f64 {
        let step = PreparedChange::new(change, &self.scale_axes);
        let residual = |free: Free<'_>| {
            let turn = step.along(&free.frame).turn?;
            Some(free.parent.residual(free.local, turn, self.settings.motion.shear))
        };
        self.free().filter_map(residual).fold(0.0, f64::max)
    }

    fn unlocked(&self, start: &Transform, moved: Transform) -> Transform {
        if !self.has_locks {
            return moved;
        }
        let locks = self.settings.motion.locks;
        Transform {
            translation: DVec3::select(locks.translation, start.translation, moved.translation),
            rotation: if locks.rotation { start.rotation } else { moved.rotation },
            scale: DVec3::select(locks.scale, start.scale, moved.scale),
        }
    }
}

/// Normalizes a product of unit quaternions, whose length differs from 1 only by rounding: one step of
/// Newton's method for the inverse square root, from 1.
fn nearly_unit(product: DQuat) -> DQuat {
    product * (1.5 - 0.5 * product.length_squared())
}
