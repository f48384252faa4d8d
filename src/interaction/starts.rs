use super::motion::Change;
use super::parent::Parent;
use super::settings::{Locks, Pivot, Settings, ShearPolicy};
use super::target::{Target, is_free};
use crate::handle::Axis;
use crate::math::Transform;
use glam::{DMat3, DQuat, DVec3};

/// The targets as they were at press, and what moves them.
#[derive(Debug, Clone)]
pub(crate) struct Starts {
    targets: Vec<Target>,
    /// Neighbors that hang under the same parent share it.
    parents: Vec<Parent>,
    starts: Vec<Start>,
    /// The index of the target whose axes count.
    active: usize,
    /// The axes that the orientation gives for each, where each turns about its own.
    own_axes: Vec<DMat3>,
    locks: Locks,
    policy: ShearPolicy,
}

/// What a motion needs of one target: kept small, for there may be thousands.
#[derive(Debug, Clone, Copy)]
struct Start {
    local: Transform,
    /// Of unit length.
    rotation: DQuat,
    /// From the point that it turns and scales about, in world space.
    from_pivot: DVec3,
    /// Place in the list of parents.
    parent: usize,
    /// Whether it moves by itself, not with a target that it is inside of.
    is_free: bool,
}

/// A target that moves by itself, as at press.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Free<'a> {
    pub(crate) local: &'a Transform,
    pub(crate) parent_from_world: &'a DMat3,
    /// From the point that it turns and scales about, in world space.
    pub(crate) from_pivot: DVec3,
}

/// A change with what is the same for all targets worked out.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Nothing,
    Translate(DVec3),
    /// `about_pivot` is what it adds to a position from the pivot; `own` is for targets with axes
    /// of their own: which one, and the sine of half the angle.
    Turn {
        turn: DQuat,
        about_pivot: DMat3,
        own: Option<(Axis, f64)>,
    },
    Scale {
        by: DVec3,
        about_pivot: DMat3,
    },
}

impl Step {
    /// `about` is the axis of the frame that is turned about, where it is one; `axes` those that
    /// scale factors belong to.
    pub(crate) fn new(change: &Change, about: Option<Axis>, axes: &DMat3) -> Self {
        let turn = |turn: DQuat, own| {
            let about_pivot = DMat3::from_quat(turn) - DMat3::IDENTITY;
            Self::Turn { turn, about_pivot, own }
        };
        match *change {
            _ if change.is_identity() => Self::Nothing,
            Change::Translate(by) => Self::Translate(by),
            Change::Rotate { axis, principal, .. } => {
                let own = about.map(|axis| (axis, (0.5 * principal).sin()));
                turn(DQuat::from_axis_angle(axis, principal), own)
            }
            Change::RotateFreely(by) => turn(by, None),
            Change::Scale(by) => {
                let stretch = DMat3::from_diagonal(by - DVec3::ONE);
                Self::Scale { by, about_pivot: *axes * stretch * axes.transpose() }
            }
        }
    }
}

impl Starts {
    /// `None` where a parent is singular. Pivot as at press, in world space.
    pub(crate) fn new(
        targets: &[Target],
        settings: &Settings,
        pivot_world: DVec3,
        active: usize,
    ) -> Option<Self> {
        let mut parents = Vec::with_capacity(1);
        let mut starts = Vec::with_capacity(targets.len());
        for (place, target) in targets.iter().enumerate() {
            let is_free = is_free(targets, place);
            let is_siblings = place > 0 && targets[place - 1].world_from_parent == target.world_from_parent;
            if !is_siblings || parents.is_empty() {
                let parent = Parent::new(target.world_from_parent);
                parents.push(parent.unwrap_or(Parent::SINGULAR));
            }
            let parent = parents.len() - 1;
            // One that goes along with another needs no way into its parent.
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
            locks: settings.locks,
            policy: settings.shear,
        })
    }

    /// Each turns about axes of its own.
    pub(crate) fn set_own_axes(&mut self, of: impl Fn(&Target, &Parent) -> DMat3) {
        let Self { targets, parents, starts, own_axes, .. } = self;
        own_axes.clear();
        own_axes.extend(targets.iter().zip(starts).map(|(target, start)| of(target, &parents[start.parent])));
    }

    /// The targets, and with each what of the world its parent sees where it moves by itself.
    pub(crate) fn free(&self) -> impl Iterator<Item = Free<'_>> {
        let free = self.starts.iter().filter(|start| start.is_free);
        free.map(|start| Free {
            local: &start.local,
            parent_from_world: &self.parents[start.parent].parent_from_world,
            from_pivot: start.from_pivot,
        })
    }

    /// Returns the displacement of the center of the targets by a translation: smaller if channels are
    /// locked.
    pub(crate) fn displacement(&self, by_world: DVec3) -> DVec3 {
        if !self.locks.translation.any() {
            return by_world;
        }
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for start in self.starts.iter().filter(|start| start.is_free) {
            let parent = &self.parents[start.parent];
            let by = parent.parent_from_world * by_world;
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

    /// Returns the target whose axes count, and its parent.
    pub(crate) fn active(&self) -> (&Target, &Parent) {
        (&self.targets[self.active], &self.parents[self.starts[self.active].parent])
    }

    /// Local transforms at press, bit for bit.
    pub(crate) fn locals(&self) -> impl ExactSizeIterator<Item = Transform> {
        self.starts.iter().map(|start| start.local)
    }

    /// Writes where a step leaves the targets: their starts, bit for bit, where it changes
    /// nothing. Targets past the end of either list are left alone.
    pub(crate) fn apply(&self, step: &Step, targets: &mut [Target]) {
        // Siblings turn alike.
        let mut last: Option<(usize, DQuat)> = None;
        for (place, (target, start)) in targets.iter_mut().zip(&self.starts).enumerate() {
            let parent = &self.parents[start.parent];
            let (displacement, rotation, scale) = match *step {
                _ if !start.is_free => {
                    target.local = start.local;
                    continue;
                }
                Step::Nothing => {
                    target.local = start.local;
                    continue;
                }
                Step::Translate(by) => (by, start.local.rotation, start.local.scale),
                Step::Turn { turn, about_pivot, own } => {
                    let own = own.zip(self.own_axes.get(place));
                    let local_turn = match last {
                        Some((parent, local_turn)) if parent == start.parent && own.is_none() => local_turn,
                        _ => parent.local_turn(own_turn(turn, own), self.policy),
                    };
                    last = Some((start.parent, local_turn));
                    let rotation = nearly_unit(local_turn * start.rotation);
                    (about_pivot * start.from_pivot, rotation, start.local.scale)
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
            // Numbers past the end of f64 move nothing rather than destroy the object.
            target.local = if moved.is_finite() { moved } else { start.local };
        }
    }

    /// Writes the starts back, bit for bit.
    pub(crate) fn restore(&self, targets: &mut [Target]) {
        for (target, start) in targets.iter_mut().zip(&self.starts) {
            target.local = start.local;
        }
    }

    /// How far from the wanted rotations the step leaves the targets, as a part of their scale:
    /// what only a shear could express. The largest of all.
    pub(crate) fn residual(&self, step: &Step) -> f64 {
        let Step::Turn { turn, own, .. } = *step else { return 0.0 };
        let free = self.starts.iter().enumerate().filter(|(_, start)| start.is_free);
        let residual = |(place, start): (usize, &Start)| {
            let turn = own_turn(turn, own.zip(self.own_axes.get(place)));
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

/// The same turn about the axis of that name of its own, where it has its own.
fn own_turn(turn: DQuat, own: Option<((Axis, f64), &DMat3)>) -> DQuat {
    match own {
        Some(((axis, sine), axes)) => DQuat::from_vec4((axes.col(axis.index()) * sine).extend(turn.w)),
        None => turn,
    }
}

/// Takes the rounding of a product of unit quaternions out of its length: one step of Newton's
/// method for the inverse square root, from 1.
fn nearly_unit(product: DQuat) -> DQuat {
    product * (1.5 - 0.5 * product.length_squared())
}
