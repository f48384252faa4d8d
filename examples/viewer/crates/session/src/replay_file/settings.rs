//! Settings as a patch: an absent key keeps its value.

mod read;
mod write;

pub(super) use read::read;
pub(super) use write::degrees;
pub(crate) use write::written;

use wgpu_gizmo_core::draw::DepthStyle;
use wgpu_gizmo_core::glam::DVec3;
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::settings::{
    Axes, BoxHandles, BoxResult, GrabMode, Limits, Locks, Pivot, ShearPolicy, SnapKind, SnapSource,
};
use wgpu_gizmo_core::pick::snap::SnapTo;
use wgpu_gizmo_core::{Gizmo, Mode, Orientation, Settings, Snap, Solver, Theme};

/// The changes of a `set` event, or of the settings at the top level of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SettingsPatch {
    /// See [`Mode`].
    pub mode: Option<Mode>,
    /// See [`Orientation`].
    pub orientation: Option<Orientation>,
    /// See [`Pivot`].
    pub pivot: Option<Pivot>,
    /// See [`Solver`].
    pub solver: Option<Solver>,
    /// See [`ShearPolicy`].
    pub shear: Option<ShearPolicy>,
    /// Replaces all three increments.
    pub snap: Option<Snap>,
    /// The increments while the snap key is held. If absent, they follow from `snap`.
    pub snap_while_held: Option<Snap>,
    /// See [`SnapKind`].
    pub snap_kind: Option<SnapKind>,
    /// Replaces all limits.
    pub limits: Option<Limits>,
    /// Replaces all locks.
    pub locks: Option<Locks>,
    /// The colors of the handles.
    pub theme: Option<Theme>,
    /// Whether handles flip toward the camera.
    pub flip: Option<bool>,
    /// Whether a drag shows how it is solved.
    pub construction_lines: Option<bool>,
    /// The length of an arrow in logical pixels.
    pub size: Option<f64>,
    /// The radius of a tolerant pick in logical pixels.
    pub tolerance: Option<f64>,
    /// Whether a scale factor may become negative.
    pub allow_mirror: Option<bool>,
    /// See [`GrabMode`].
    pub grab: Option<GrabMode>,
    /// Whether a click on a handle begins a typed drag of it.
    pub click_to_type: Option<bool>,
    /// See [`Axes`].
    pub axes: Option<Axes>,
    /// Whether the wheel nudges the hovered handle.
    pub wheel_nudge: Option<bool>,
    /// Selects the result of box handles; `Some(None)` hides them.
    pub box_result: Option<Option<BoxResult>>,
    /// Whether corners of the box scale all sides by one factor.
    pub keep_aspect: Option<bool>,
    /// The length at which a side of the box stops.
    pub min_size: Option<f64>,
    /// See [`DepthStyle`].
    pub depth_style: Option<DepthStyle>,
    /// The geometry under the pointer that translations snap to: nothing or one kind.
    pub snap_to: Option<SnapTo>,
    /// See [`SnapSource`].
    pub snap_source: Option<SnapSource>,
    /// Whether a translation that snaps aligns the Y axis of the target with the normal.
    pub align_to_normal: Option<bool>,
}

/// The themes, with their names in replays.
pub const THEMES: [(&str, Theme); 3] =
    [("dark", Theme::dark()), ("light", Theme::light()), ("colour_blind_safe", Theme::color_blind_safe())];

const MODES: [(&str, Mode); 5] = [
    ("none", Mode::None),
    ("translate", Mode::Translate),
    ("rotate", Mode::Rotate),
    ("scale", Mode::Scale),
    ("universal", Mode::Universal),
];

const ORIENTATIONS: [(&str, Orientation); 4] = [
    ("world", Orientation::World),
    ("parent", Orientation::Parent),
    ("local", Orientation::Local),
    ("view", Orientation::View),
];

const PIVOTS: [(&str, Pivot); 5] = [
    ("median", Pivot::Median),
    ("active", Pivot::Active),
    ("individual", Pivot::Individual),
    ("bounds", Pivot::BoundsCenter),
    ("each", Pivot::EachTarget),
];

const SOLVERS: [(&str, Solver); 3] = [
    ("screen_projection", Solver::ScreenProjection),
    ("closest_point", Solver::ClosestPoint),
    ("movement_plane", Solver::MovementPlane),
];

const SHEARS: [(&str, ShearPolicy); 3] = [
    ("best_fit", ShearPolicy::BestFit),
    ("local_only", ShearPolicy::LocalOnly),
    ("reject", ShearPolicy::Reject),
];

const DEPTH_STYLES: [(&str, DepthStyle); 4] = [
    ("on_top", DepthStyle::OnTop),
    ("dimmed", DepthStyle::DIMMED),
    ("hatched", DepthStyle::Hatched),
    ("hidden", DepthStyle::Hidden),
];

const SNAP_KINDS: [(&str, SnapKind); 3] = [
    ("relative", SnapKind::Relative),
    ("value", SnapKind::Value),
    ("grid", SnapKind::Grid { origin_world: DVec3::ZERO }),
];

impl SettingsPatch {
    /// Applies the patch to a gizmo. A new `snap` also resets each increment of the snap key: to that of
    /// `snap`, or to the default if `snap` has none. `hidden_box` holds the settings of box handles while
    /// none are shown.
    pub fn apply(&self, gizmo: &mut Gizmo, hidden_box: &mut BoxHandles) {
        gizmo.theme = self.theme.unwrap_or(gizmo.theme);
        let settings = &mut gizmo.settings;
        settings.mode = self.mode.unwrap_or(settings.mode);
        settings.orientation = self.orientation.unwrap_or(settings.orientation);
        settings.pivot = self.pivot.unwrap_or(settings.pivot);
        settings.solver = self.solver.unwrap_or(settings.solver);
        settings.shear = self.shear.unwrap_or(settings.shear);
        settings.snap_kind = self.snap_kind.unwrap_or(settings.snap_kind);
        settings.limits = self.limits.unwrap_or(settings.limits);
        settings.locks = self.locks.unwrap_or(settings.locks);
        settings.flip_toward_camera = self.flip.unwrap_or(settings.flip_toward_camera);
        settings.construction_lines = self.construction_lines.unwrap_or(settings.construction_lines);
        settings.size_lpx = self.size.unwrap_or(settings.size_lpx);
        settings.tolerance_lpx = self.tolerance.unwrap_or(settings.tolerance_lpx);
        settings.allow_mirror = self.allow_mirror.unwrap_or(settings.allow_mirror);
        settings.grab = self.grab.unwrap_or(settings.grab);
        settings.click_to_type = self.click_to_type.unwrap_or(settings.click_to_type);
        settings.axes = self.axes.unwrap_or(settings.axes);
        settings.wheel_nudge = self.wheel_nudge.unwrap_or(settings.wheel_nudge);
        settings.depth_style = self.depth_style.unwrap_or(settings.depth_style);
        settings.snap_to = self.snap_to.unwrap_or(settings.snap_to);
        settings.snap_source = self.snap_source.unwrap_or(settings.snap_source);
        if let Some(is_aligned) = self.align_to_normal {
            settings.align_to_normal = is_aligned.then_some(Axis::Y);
        }
        self.apply_box(settings, hidden_box);
        if let Some(snap) = self.snap {
            let Snap { translate, rotate, scale } = snap;
            settings.snap = snap;
            settings.snap_while_held = Snap {
                translate: translate.or(Snap::DEFAULT_INCREMENTS.translate),
                rotate: rotate.or(Snap::DEFAULT_INCREMENTS.rotate),
                scale: scale.or(Snap::DEFAULT_INCREMENTS.scale),
            };
        }
        settings.snap_while_held = self.snap_while_held.unwrap_or(settings.snap_while_held);
    }

    /// Applies the settings of box handles. `hidden` holds them while no box handles are shown.
    fn apply_box(&self, settings: &mut Settings, hidden: &mut BoxHandles) {
        *hidden = settings.box_handles.unwrap_or(*hidden);
        hidden.keep_aspect = self.keep_aspect.unwrap_or(hidden.keep_aspect);
        hidden.min_size = self.min_size.unwrap_or(hidden.min_size);
        let result = self.box_result.unwrap_or(settings.box_handles.map(|shown| shown.result));
        settings.box_handles = result.map(|result| BoxHandles { result, ..*hidden });
    }

    /// Returns a patch with all settings of a gizmo.
    pub fn of(gizmo: &Gizmo) -> Self {
        let settings = &gizmo.settings;
        Self {
            mode: Some(settings.mode),
            orientation: Some(settings.orientation),
            pivot: Some(settings.pivot),
            solver: Some(settings.solver),
            shear: Some(settings.shear),
            snap: Some(settings.snap),
            snap_while_held: Some(settings.snap_while_held),
            snap_kind: Some(settings.snap_kind),
            limits: Some(settings.limits),
            locks: Some(settings.locks),
            theme: Some(gizmo.theme),
            flip: Some(settings.flip_toward_camera),
            construction_lines: Some(settings.construction_lines),
            size: Some(settings.size_lpx),
            tolerance: Some(settings.tolerance_lpx),
            allow_mirror: Some(settings.allow_mirror),
            grab: Some(settings.grab),
            click_to_type: Some(settings.click_to_type),
            axes: Some(settings.axes),
            wheel_nudge: Some(settings.wheel_nudge),
            box_result: Some(settings.box_handles.map(|shown| shown.result)),
            keep_aspect: Some(settings.box_handles.unwrap_or_default().keep_aspect),
            min_size: Some(settings.box_handles.unwrap_or_default().min_size),
            depth_style: Some(settings.depth_style),
            snap_to: Some(settings.snap_to),
            snap_source: Some(settings.snap_source),
            align_to_normal: Some(settings.align_to_normal.is_some()),
        }
    }

    /// Returns the settings that differ from `before`.
    pub fn since(self, before: &Self) -> Self {
        fn new<T: PartialEq>(now: Option<T>, before: &Option<T>) -> Option<T> {
            now.filter(|now| before.as_ref() != Some(now))
        }
        let snap = new(self.snap, &before.snap);
        Self {
            mode: new(self.mode, &before.mode),
            orientation: new(self.orientation, &before.orientation),
            pivot: new(self.pivot, &before.pivot),
            solver: new(self.solver, &before.solver),
            shear: new(self.shear, &before.shear),
            // Setting `snap` resets the increments of the snap key, so they must be written too.
            snap_while_held: match snap {
                Some(_) => self.snap_while_held,
                None => new(self.snap_while_held, &before.snap_while_held),
            },
            snap,
            snap_kind: new(self.snap_kind, &before.snap_kind),
            limits: new(self.limits, &before.limits),
            locks: new(self.locks, &before.locks),
            theme: new(self.theme, &before.theme),
            flip: new(self.flip, &before.flip),
            construction_lines: new(self.construction_lines, &before.construction_lines),
            size: new(self.size, &before.size),
            tolerance: new(self.tolerance, &before.tolerance),
            allow_mirror: new(self.allow_mirror, &before.allow_mirror),
            grab: new(self.grab, &before.grab),
            click_to_type: new(self.click_to_type, &before.click_to_type),
            axes: new(self.axes, &before.axes),
            wheel_nudge: new(self.wheel_nudge, &before.wheel_nudge),
            box_result: new(self.box_result, &before.box_result),
            keep_aspect: new(self.keep_aspect, &before.keep_aspect),
            min_size: new(self.min_size, &before.min_size),
            depth_style: new(self.depth_style, &before.depth_style),
            snap_to: new(self.snap_to, &before.snap_to),
            snap_source: new(self.snap_source, &before.snap_source),
            align_to_normal: new(self.align_to_normal, &before.align_to_normal),
        }
    }
}
