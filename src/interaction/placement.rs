use super::reference_frame::{Orientation, local_axes};
use super::settings::{Pivot, Settings};
use super::target::{Parent, Refusal, Target};
use crate::handle::{Axis, Constraint, HandleId, Layout, Theme};
use crate::math::View;
use glam::{DMat3, DVec3};

/// Where a gizmo stands: shared by all that draws, picks and drags it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placement {
    pub(crate) pivot_world: DVec3,
    pub(crate) axes: DMat3,
    pub(crate) scale_axes: DMat3,
}

impl Placement {
    /// From the targets as they are; the active one decides the axes.
    pub(crate) fn of(targets: &[Target], settings: &Settings, view: &View) -> Result<Self, Refusal> {
        let active = targets.last().ok_or(Refusal::NoTarget)?;
        let finite = |t: &Target| t.local.is_finite() && t.world_from_parent.is_finite();
        if !targets.iter().all(finite) {
            return Err(Refusal::NotFinite);
        }
        let pivot_world = match settings.pivot {
            Pivot::Active => active.position_world(),
            _ if targets.len() == 1 => active.position_world(),
            _ => {
                let sum: DVec3 = targets.iter().map(Target::position_world).sum();
                sum / targets.len() as f64
            }
        };
        let parent = Parent::new(active.world_from_parent);
        let scale_axes = local_axes(active, parent.as_ref());
        let axes = settings.orientation.axes(view, active, parent.as_ref());
        Ok(Self { pivot_world, axes, scale_axes })
    }

    pub(crate) fn layout(&self, view: &View, size_lpx: f64) -> Option<Layout> {
        Layout::new(view, self.pivot_world, self.axes, self.scale_axes, size_lpx)
    }
}

/// Why each handle cannot be used with these targets, if it cannot.
pub(crate) fn refusals(targets: &[Target]) -> [Option<Refusal>; HandleId::MOST] {
    if targets.iter().any(|t| Parent::new(t.world_from_parent).is_none()) {
        return [Some(Refusal::SingularParent); HandleId::MOST];
    }
    let zero = Axis::ALL.map(|axis| targets.iter().all(|t| t.local.scale[axis.index()] == 0.0));
    let mut refusals = [None; HandleId::MOST];
    if zero.contains(&true) {
        for handle in HandleId::all() {
            let flat = match handle.constraint() {
                Constraint::ScaleAxis(axis) => zero[axis.index()],
                Constraint::ScalePlane(axis) => axis.others().into_iter().all(|other| zero[other.index()]),
                Constraint::ScaleUniform => zero == [true; 3],
                _ => false,
            };
            refusals[handle.index()] = flat.then_some(Refusal::ZeroScale);
        }
    }
    refusals
}

/// What a placement was worked out from, to do it again only when something has changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Placed {
    pub(crate) settings: Option<Settings>,
    view_axes: Option<DMat3>,
    targets: Vec<Target>,
    pub(crate) theme: Theme,
}

impl Placed {
    /// Whether anything is other than at the last call.
    pub(crate) fn renew(&mut self, settings: &Settings, view: &View, targets: &[Target]) -> bool {
        let view_axes = (settings.orientation == Orientation::View).then(|| view.frame());
        let same = self.settings.as_ref() == Some(settings)
            && self.view_axes == view_axes
            && self.targets == targets;
        if !same {
            self.settings = Some(*settings);
            self.view_axes = view_axes;
            self.targets.clear();
            self.targets.extend_from_slice(targets);
        }
        !same
    }
}
