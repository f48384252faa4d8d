//! Where a gizmo stands: its pivot and its reference frame.

pub(crate) mod edited_place;
pub(crate) mod end_on;
pub(crate) mod placements;
pub(crate) mod reference_frame;

use crate::draw::{InvisibleReason, Layout};
use crate::handle::{Axis, BoxGrip, ChangeKind, Constraint, HandleId};
use crate::interaction::placement::reference_frame::local_axes;
use crate::interaction::settings::{Axes, BoxResult, Locks, Pivot, Settings, ShearPolicy};
use crate::interaction::targets::bounds::Bounds;
use crate::interaction::targets::parent::Parent;
use crate::interaction::targets::target::{DisabledReason, Target, free};
use crate::math::View;
use glam::{DMat3, DVec3};

/// The pivot and the axes of a gizmo, for drawing, picking and dragging.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placement {
    pub(crate) pivot_world: DVec3,
    pub(crate) axes: DMat3,
    pub(crate) scale_axes: DMat3,
}

impl Placement {
    /// Returns the placement for the current targets. The active one decides the axes. `grabbed` is the
    /// index of the target whose gizmo is grabbed, if each has one.
    pub(crate) fn of(
        targets: &[Target],
        settings: &Settings,
        view: &View,
        grabbed: Option<usize>,
    ) -> Result<Self, DisabledReason> {
        let finite = |t: &Target| t.local.is_finite() && t.world_from_parent.is_finite();
        if !targets.iter().all(finite) {
            return Err(DisabledReason::NotFinite);
        }
        let active = active(targets, grabbed).ok_or(DisabledReason::NoTarget)?;
        let pivot_world = pivot(targets, settings, active).ok_or(DisabledReason::NoTarget)?;
        Ok(Self::with_axes_of(&targets[active], settings, view, pivot_world))
    }

    /// Returns the placement at a pivot with the axes of one target.
    fn with_axes_of(target: &Target, settings: &Settings, view: &View, pivot_world: DVec3) -> Self {
        let parent = Parent::new(target.world_from_parent);
        let scale_axes = local_axes(target, parent.as_ref());
        let axes = settings.orientation.axes(view, target, parent.as_ref());
        Self { pivot_world, axes, scale_axes }
    }

    /// Returns the displacement of a target from the point that it rotates and scales about, in world space: zero
    /// instead of the rounding error of the pivot.
    pub(crate) fn distance_of(&self, target: &Target, pivot: Pivot) -> DVec3 {
        let position_world = target.position_world();
        let from_pivot = position_world - self.pivot_world;
        let is_rounding = from_pivot.length() <= 1e-14 * position_world.length();
        if pivot == Pivot::Individual || is_rounding { DVec3::ZERO } else { from_pivot }
    }

    pub(crate) fn layout(&self, view: &View, size_lpx: f64) -> Result<Layout, InvisibleReason> {
        Layout::new(view, self.pivot_world, self.axes, self.scale_axes, size_lpx)
    }
}

/// A handle of one gizmo on screen: built in, custom, or of the box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedHandle {
    pub(crate) handle: HandleId,
    /// The rotation from the axes of the reference frame to those of the handle; the identity unless it is
    /// custom.
    pub(crate) rotation: DMat3,
    /// The offset of a custom handle from the pivot, in world units along the reference frame.
    pub(crate) offset: DVec3,
    /// The offset of its mesh from there, in sizes along the reference frame.
    pub(crate) offset_sizes: DVec3,
    /// The index of the target whose gizmo it belongs to, if each target has one.
    pub(crate) copy: Option<usize>,
}

impl From<HandleId> for PlacedHandle {
    fn from(handle: HandleId) -> Self {
        Self { handle, rotation: DMat3::IDENTITY, offset: DVec3::ZERO, offset_sizes: DVec3::ZERO, copy: None }
    }
}

/// Returns the index of the active target, which decides axes, pivot and box: the last one that is not inside of
/// another target, because that one would not move by itself. `grabbed` is the index of the target whose gizmo is
/// grabbed, if each has one.
pub(crate) fn active(targets: &[Target], grabbed: Option<usize>) -> Option<usize> {
    match grabbed {
        Some(index) => free(targets).find(|free| *free == index),
        None => free(targets).next_back(),
    }
}

fn pivot(targets: &[Target], settings: &Settings, active: usize) -> Option<DVec3> {
    let center = |points: &mut dyn Iterator<Item = DVec3>| {
        let mut ends: Option<[DVec3; 2]> = None;
        for point in points {
            let [low, high] = ends.unwrap_or([point; 2]);
            ends = Some([low.min(point), high.max(point)]);
        }
        // Halved first, because the sum of two huge numbers may overflow.
        ends.map(|[low, high]| low * 0.5 + high * 0.5)
    };
    match settings.pivot {
        Pivot::Custom(point_world) if point_world.is_finite() => Some(point_world),
        Pivot::EachTarget | Pivot::Active | Pivot::Individual => Some(targets[active].position_world()),
        // Rounding of the corners would put the pivot of a single target beside it.
        Pivot::BoundsCenter if free(targets).count() == 1 => {
            let center = Bounds::of(&targets[active]).map(|bounds| bounds.oriented_box().center);
            center.or_else(|| Some(targets[active].position_world()))
        }
        Pivot::BoundsCenter => center(&mut free(targets).flat_map(|index| targets[index].corners_world())),
        Pivot::Median | Pivot::Custom(_) => {
            let count = free(targets).count();
            if count == 1 {
                return Some(targets[active].position_world());
            }
            let fraction = (count as f64).recip();
            Some(free(targets).map(|index| targets[index].position_world() * fraction).sum())
        }
    }
}

/// Returns why each handle is disabled with these targets, if it is.
pub(crate) fn disabled_reasons(
    targets: &[Target],
    settings: &Settings,
    placement: &Placement,
    view: &View,
    handles: impl Iterator<Item = PlacedHandle>,
) -> [Option<DisabledReason>; HandleId::MAX] {
    if free(targets).any(|index| Parent::new(targets[index].world_from_parent).is_none()) {
        return [Some(DisabledReason::SingularParent); HandleId::MAX];
    }
    let mut disabled_reasons = [None; HandleId::MAX];
    let parents = || free(targets).filter_map(|index| Parent::new(targets[index].world_from_parent));
    let rejects =
        settings.motion.shear == ShearPolicy::Reject && !parents().all(|parent| parent.is_uniform());
    let zero =
        Axis::ALL.map(|axis| free(targets).all(|index| targets[index].local.scale[axis.index()] == 0.0));
    let has_locks = settings.motion.locks != Locks::NONE;
    for placed in handles {
        let PlacedHandle { handle, copy, .. } = placed;
        let constraint = handle.constraint();
        let has_no_scale =
            || Axis::ALL.into_iter().all(|axis| !constraint.involves(axis) || zero[axis.index()]);
        disabled_reasons[handle.index()] = match (constraint, constraint.change_kind()) {
            (Constraint::Box(grip), _) => {
                active(targets, copy).and_then(|active| box_reason(&targets[active], settings, grip))
            }
            (_, ChangeKind::Rotate) if rejects => Some(DisabledReason::Shear),
            (_, ChangeKind::Scale) if has_no_scale() => Some(DisabledReason::ZeroScale),
            _ if has_locks && is_locked(placed, targets, settings, placement, view) => {
                Some(DisabledReason::Locked)
            }
            _ => None,
        };
    }
    disabled_reasons
}

/// Returns why a box handle is disabled for the active target, if it is.
fn box_reason(active: &Target, settings: &Settings, grip: BoxGrip) -> Option<DisabledReason> {
    let changes_transform = settings.box_handles.unwrap_or_default().result == BoxResult::Transform;
    let Locks { translation, scale, .. } = settings.motion.locks;
    let is_locked = translation.any() || grip.axes().any(|axis| scale.test(axis.index()));
    if changes_transform && is_locked {
        return Some(DisabledReason::Locked);
    }
    Bounds::disabled_reason(active, grip)
}

/// Returns true if all channels that the handle could change are locked.
fn is_locked(
    PlacedHandle { handle, rotation, .. }: PlacedHandle,
    targets: &[Target],
    settings: &Settings,
    placement: &Placement,
    view: &View,
) -> bool {
    let (constraint, Locks { translation, rotation: is_rotation_locked, scale }) =
        (handle.constraint(), settings.motion.locks);
    free(targets).map(|index| &targets[index]).all(|target| {
        let Some(parent) = Parent::new(target.world_from_parent) else { return true };
        let is_kept = |by_world: DVec3| {
            let by = parent.parent_from_world * by_world;
            let noise = 1e-12 * by.abs().max_element();
            (0..3).all(|i| by[i].abs() <= noise || translation.test(i))
        };
        // A rotation or scale about a pivot elsewhere also changes positions.
        let from_pivot = placement.distance_of(target, settings.pivot);
        let stays = |by_world: DVec3| by_world.length() <= 1e-12 * from_pivot.length() || is_kept(by_world);
        let has_own = settings.axes == Axes::Own;
        let axes = || match constraint.change_kind() {
            ChangeKind::Scale if has_own => local_axes(target, Some(&parent)),
            ChangeKind::Scale => placement.scale_axes,
            ChangeKind::Translate if has_own => {
                settings.orientation.axes(view, target, Some(&parent)) * rotation
            }
            ChangeKind::Translate | ChangeKind::Rotate => placement.axes * rotation,
        };
        let mut involved = Axis::ALL.into_iter().filter(|axis| constraint.involves(*axis));
        match (constraint.change_kind(), constraint.axis()) {
            (ChangeKind::Translate, None) => translation.all(),
            (ChangeKind::Translate, Some(_)) => involved.all(|axis| is_kept(axes().col(axis.index()))),
            (ChangeKind::Rotate, None) => {
                is_rotation_locked && (translation.all() || from_pivot == DVec3::ZERO)
            }
            (ChangeKind::Rotate, Some(axis)) => {
                let about = axes().col(axis.index());
                let across = about.cross(from_pivot);
                is_rotation_locked && stays(across) && stays(about.cross(across))
            }
            (ChangeKind::Scale, _) => involved.all(|axis| {
                let along = axes().col(axis.index());
                let is_scale_kept = scale.test(axis.index()) || target.local.scale[axis.index()] == 0.0;
                is_scale_kept && stays(along * along.dot(from_pivot))
            }),
        }
    })
}
