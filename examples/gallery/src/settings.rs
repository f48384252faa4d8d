//! The controls of the page: each is a setting with a list of values.

use wgpu_gizmo::draw::DepthStyle;
use wgpu_gizmo::glam::DVec3;
use wgpu_gizmo::interaction::settings::{self, Pivot, ShearPolicy, SnapKind};
use wgpu_gizmo::{Gizmo, Increment, Mode, Orientation, Snap};

/// A setting that the page shows a control for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setting {
    Mode,
    Orient,
    PivotPoint,
    Axes,
    Shear,
    SnapOn,
    Increments,
    Angle,
    Kind,
    KeepAspect,
    Depth,
    Size,
    Letters,
    Flip,
    Construction,
    Wheel,
    /// The selected object, which the scene knows.
    Object,
}

const MODES: [Mode; 4] = [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal];
const LENGTHS: [f64; 3] = [0.25, 0.5, 1.0];
const DEGREES: [f64; 3] = [5.0, 15.0, 45.0];
const SIZES: [f64; 3] = [72.0, 96.0, 128.0];
const KINDS: [SnapKind; 3] =
    [SnapKind::Relative, SnapKind::Grid { origin_world: DVec3::ZERO }, SnapKind::Value];

impl Setting {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Mode => "Mode",
            Self::Orient => "Orientation",
            Self::PivotPoint => "Pivot",
            Self::Axes => "Axes",
            Self::Shear => "Under scaled parents",
            Self::SnapOn => "Snap",
            Self::Increments => "Step",
            Self::Angle => "Angle step",
            Self::Kind => "Snap to",
            Self::KeepAspect => "Keep aspect",
            Self::Depth => "Depth style",
            Self::Size => "Size",
            Self::Letters => "Letters",
            Self::Flip => "Face the viewer",
            Self::Construction => "Construction lines",
            Self::Wheel => "Wheel nudges",
            Self::Object => "Object",
        }
    }

    /// Returns the names of the values. A setting that is on or off has two: `off` and `on`.
    pub(crate) fn values(self) -> Vec<String> {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        match self {
            Self::Mode => names(&MODES.map(Mode::name)),
            Self::Orient => names(&Orientation::PRESETS.map(Orientation::name)),
            Self::PivotPoint => names(&Pivot::PRESETS.map(Pivot::name)),
            Self::Axes => names(&settings::Axes::ALL.map(settings::Axes::name)),
            Self::Shear => names(&ShearPolicy::ALL.map(ShearPolicy::name)),
            Self::Increments => LENGTHS.map(|length| length.to_string()).into(),
            Self::Angle => DEGREES.map(|degrees| format!("{degrees}°")).into(),
            Self::Kind => names(&KINDS.map(SnapKind::name)),
            Self::Depth => names(&DepthStyle::ALL.map(DepthStyle::name)),
            Self::Size => names(&["small", "medium", "large"]),
            Self::Object => Vec::new(),
            Self::SnapOn
            | Self::KeepAspect
            | Self::Letters
            | Self::Flip
            | Self::Construction
            | Self::Wheel => names(&["off", "on"]),
        }
    }

    /// Returns the index of the current value.
    pub(crate) fn current(self, gizmo: &Gizmo) -> usize {
        let settings = &gizmo.settings;
        let find = |found: Option<usize>| found.unwrap_or(0);
        match self {
            Self::Mode => find(MODES.iter().position(|mode| *mode == settings.mode)),
            Self::Orient => find(Orientation::PRESETS.iter().position(|o| *o == settings.orientation)),
            Self::PivotPoint => find(Pivot::PRESETS.iter().position(|pivot| *pivot == settings.pivot)),
            Self::Axes => settings.axes as usize,
            Self::Shear => settings.motion.shear as usize,
            Self::SnapOn => usize::from(settings.snap.increments != Snap::OFF),
            Self::Increments => {
                let length = increments(gizmo).translate.map(Increment::get);
                find(LENGTHS.iter().position(|other| Some(*other) == length))
            }
            Self::Angle => {
                let angle = increments(gizmo).rotate.map_or(0.0, Increment::get).to_degrees();
                find(DEGREES.iter().position(|other| (other - angle).abs() < 1e-6))
            }
            Self::Kind => find(KINDS.iter().position(|kind| *kind == settings.snap.kind)),
            Self::KeepAspect => usize::from(settings.box_handles.is_some_and(|shown| shown.keep_aspect)),
            Self::Depth => {
                find(DepthStyle::ALL.iter().position(|style| *style == settings.display.depth_style))
            }
            Self::Size => find(SIZES.iter().position(|size| *size == settings.display.size_lpx)),
            Self::Letters => usize::from(gizmo.theme.letters),
            Self::Flip => usize::from(settings.display.flip_toward_camera),
            Self::Construction => usize::from(settings.display.construction_lines),
            Self::Wheel => usize::from(settings.input.wheel_nudge),
            Self::Object => 0,
        }
    }

    /// Selects a value. An index out of range changes nothing.
    pub(crate) fn select(self, gizmo: &mut Gizmo, index: usize) {
        if index >= self.values().len() {
            return;
        }
        let is_on = index == 1;
        let letters = &mut gizmo.theme.letters;
        let settings = &mut gizmo.settings;
        match self {
            Self::Mode => settings.mode = MODES[index],
            Self::Orient => settings.orientation = Orientation::PRESETS[index],
            Self::PivotPoint => settings.pivot = Pivot::PRESETS[index],
            Self::Axes => settings.axes = settings::Axes::ALL[index],
            Self::Shear => settings.motion.shear = ShearPolicy::ALL[index],
            Self::SnapOn if (settings.snap.increments != Snap::OFF) != is_on => {
                std::mem::swap(&mut settings.snap.increments, &mut settings.snap.while_held);
            }
            Self::SnapOn => {}
            Self::Increments => set_increments(gizmo, |snap| snap.translate = Increment::new(LENGTHS[index])),
            Self::Angle => {
                set_increments(gizmo, |snap| snap.rotate = Increment::new(DEGREES[index].to_radians()));
            }
            Self::Kind => settings.snap.kind = KINDS[index],
            Self::KeepAspect => {
                settings.box_handles.iter_mut().for_each(|shown| shown.keep_aspect = is_on);
            }
            Self::Depth => settings.display.depth_style = DepthStyle::ALL[index],
            Self::Size => settings.display.size_lpx = SIZES[index],
            Self::Letters => *letters = is_on,
            Self::Flip => settings.display.flip_toward_camera = is_on,
            Self::Construction => settings.display.construction_lines = is_on,
            Self::Wheel => settings.input.wheel_nudge = is_on,
            Self::Object => {}
        }
    }
}

/// Returns the increments, whether the snap key selects them or not.
fn increments(gizmo: &Gizmo) -> Snap {
    let snap = &gizmo.settings.snap;
    if snap.increments == Snap::OFF { snap.while_held } else { snap.increments }
}

fn set_increments(gizmo: &mut Gizmo, set: impl Fn(&mut Snap)) {
    let snap = &mut gizmo.settings.snap;
    let is_off = snap.increments == Snap::OFF;
    set(if is_off { &mut snap.while_held } else { &mut snap.increments });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::SCENES;
    use wgpu_gizmo::IdSpace;
    use wgpu_gizmo::interaction::settings::BoxHandles;

    #[test]
    fn each_value_of_each_control_is_read_back() {
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new space has ids");
        gizmo.settings.box_handles = Some(BoxHandles::default());
        let shown = SCENES.iter().flat_map(|scene| scene.settings);
        let mut checked = 0;
        for setting in shown.filter(|setting| **setting != Setting::Object) {
            assert!(!setting.label().is_empty());
            for (index, value) in setting.values().iter().enumerate() {
                setting.select(&mut gizmo, index);
                assert_eq!(setting.current(&gizmo), index, "{setting:?}: {value}");
                checked += 1;
            }
            setting.select(&mut gizmo, usize::MAX);
        }
        assert!(checked > 40);
    }
}
