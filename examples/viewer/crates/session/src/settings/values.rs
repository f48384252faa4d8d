//! The types of settings: the values to choose from, and their form in replays.

use crate::replay_file::values::normalizable;
use gltf_io::Result;
use gltf_io::json::Json;
use serde_json::{Value, json};
use wgpu_gizmo_core::draw::DepthStyle;
use wgpu_gizmo_core::glam::{BVec3, DVec3};
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::settings::{
    Axes, AxisKeys, BoxResult, GrabMode, Limits, Locks, Pivot, ShearPolicy, SnapKind, SnapSource,
};
use wgpu_gizmo_core::pick::snap::SnapTo;
use wgpu_gizmo_core::{Increment, Mode, Orientation, Snap, Solver, Theme};

/// A type of settings. By default, it is one of the values to choose from.
pub(super) trait SettingValue: Copy + PartialEq + 'static {
    /// The values to choose from, in the order of menus.
    const CHOICES: &'static [Self] = &[];
    /// Their labels, unless these are the names.
    const LABELS: &'static [&'static str] = &[];
    /// The value that `null` stands for.
    const NULL: Option<Self> = None;

    /// Returns the name of a choice, in words.
    fn name(self) -> &'static str {
        ""
    }

    /// Returns the index among the choices.
    fn index(self) -> Option<usize> {
        Self::CHOICES.iter().position(|choice| choice.name() == self.name())
    }

    /// Returns the labels of the choices.
    fn labels(self) -> Vec<String> {
        match Self::LABELS {
            [] => Self::CHOICES.iter().map(|choice| capitalized(choice.name())).collect(),
            labels => labels.iter().copied().map(str::to_owned).collect(),
        }
    }

    /// Becomes a choice. A grid with an origin of its own keeps it.
    fn choose(&mut self, index: usize) {
        if self.index() != Some(index) {
            *self = Self::CHOICES.get(index).copied().unwrap_or(*self);
        }
    }

    /// Reads a value.
    fn read(json: &Json<'_>) -> Result<Self> {
        match Self::NULL.filter(|_| json.is_null()) {
            Some(value) => Ok(value),
            None if json.is_text() && !Self::CHOICES.is_empty() => Self::read_choice(json),
            None => Self::read_custom(json),
        }
    }

    /// Reads the name of a choice.
    fn read_choice(json: &Json<'_>) -> Result<Self> {
        let names: Vec<String> = Self::CHOICES.iter().map(|choice| in_replays(choice.name())).collect();
        let named: Vec<_> = names.iter().map(String::as_str).zip(Self::CHOICES.iter().copied()).collect();
        json.one_of(&named)
    }

    /// Reads a value that is neither a choice nor `null`.
    fn read_custom(json: &Json<'_>) -> Result<Self> {
        Self::read_choice(json)
    }

    /// Returns the value as JSON, if a replay can have it.
    fn write(self) -> Option<Value> {
        let named = || Self::NULL.is_none_or(|null| null != self).then(|| in_replays(self.name()));
        self.write_custom().or_else(|| self.index().map(|_| json!(named())))
    }

    /// Returns a value that is neither a choice nor `null` there as JSON.
    fn write_custom(self) -> Option<Value> {
        None
    }
}

fn capitalized(name: &str) -> String {
    let (first, rest) = name.split_at(name.len().min(1));
    first.to_uppercase() + rest
}

fn in_replays(name: &str) -> String {
    name.replace(' ', "_")
}

/// Makes a type a setting, with its list of values, with labels where they are not the names, and with the form of
/// values that are not texts.
macro_rules! choices {
    ($type:ty, $list:expr $(, [$($label:literal),+])?; $($custom:item)*) => {
        impl SettingValue for $type {
            const CHOICES: &'static [Self] = &$list;
            $(const LABELS: &'static [&'static str] = &[$($label),+];)?
            $($custom)*

            fn name(self) -> &'static str {
                self.name()
            }
        }
    };
}

choices!(Mode, Self::PRESETS;);
choices!(Axes, Self::ALL;);
choices!(Solver, Self::ALL;);
choices!(DepthStyle, Self::ALL;);
choices!(ShearPolicy, Self::ALL, ["Nearest rotation", "Angle in the parent", "No rotation"];);
choices!(GrabMode, Self::ALL, ["Hold the button", "Click, move, click", "Either"];);
choices!(SnapSource, Self::ALL, ["The pivot", "Its vertex at the press", "Its vertex nearest to there"];);

choices! { Orientation, Self::PRESETS;
    fn read_custom(json: &Json<'_>) -> Result<Self> {
        normalizable(&only(json, "custom")?).map(Self::Custom)
    }

    fn write_custom(self) -> Option<Value> {
        if let Self::Custom(rotation) = self { Some(json!({ "custom": rotation.to_array() })) } else { None }
    }
}

choices! { Pivot, Self::PRESETS;
    fn read_custom(json: &Json<'_>) -> Result<Self> {
        Ok(Self::Custom(only(json, "custom")?.numbers::<3>()?.into()))
    }

    fn write_custom(self) -> Option<Value> {
        if let Self::Custom(point) = self { Some(json!({ "custom": point.to_array() })) } else { None }
    }
}

choices! { SnapKind, Self::ALL, ["Relative", "Grid", "Values"];
    fn read_custom(json: &Json<'_>) -> Result<Self> {
        Ok(Self::Grid { origin_world: only(json, "grid")?.numbers::<3>()?.into() })
    }

    fn write_custom(self) -> Option<Value> {
        if let Self::Grid { origin_world } = self { Some(json!({ "grid": origin_world.to_array() })) } else { None }
    }
}

choices! { SnapTo, [Self::NONE, Self::VERTEX, Self::EDGE, Self::MIDPOINT, Self::FACE, Self::SURFACE],
    ["Nothing", "Vertex", "Edge", "Midpoint", "Face", "Surface"];
    const NULL: Option<Self> = Some(Self::NONE);
}

/// Box handles with one of these results, or none.
impl SettingValue for Option<BoxResult> {
    const CHOICES: &'static [Self] = &[None, Some(BoxResult::Transform), Some(BoxResult::Extents)];
    const LABELS: &'static [&'static str] = &["Off", "Transform", "Crop box"];
    const NULL: Option<Self> = Some(None);

    fn name(self) -> &'static str {
        self.map_or("off", BoxResult::name)
    }
}

impl SettingValue for AxisKeys {
    const CHOICES: &'static [Self] = &Self::ALL;

    fn name(self) -> &'static str {
        if self == Self::WhenHovered { "hovered" } else { self.name() }
    }
}

impl SettingValue for Theme {
    const CHOICES: &'static [Self] = &[Self::dark(), Self::light(), Self::color_blind_safe()];
    const LABELS: &'static [&'static str] = &["Dark", "Light", "Color-blind safe"];

    fn name(self) -> &'static str {
        let names = ["dark", "light", "colour blind safe"];
        Self::CHOICES.iter().zip(names).find(|(theme, _)| **theme == self).map_or("", |(_, name)| name)
    }
}

impl SettingValue for bool {
    const CHOICES: &'static [Self] = &[false, true];

    fn name(self) -> &'static str {
        if self { "on" } else { "off" }
    }

    fn read(json: &Json<'_>) -> Result<Self> {
        json.boolean()
    }

    fn write(self) -> Option<Value> {
        Some(json!(self))
    }
}

/// The axis that is aligned: none or Y.
impl SettingValue for Option<Axis> {
    const CHOICES: &'static [Self] = &[None, Some(Axis::Y)];

    fn name(self) -> &'static str {
        self.is_some().name()
    }

    fn read(json: &Json<'_>) -> Result<Self> {
        Ok(json.boolean()?.then_some(Axis::Y))
    }

    fn write(self) -> Option<Value> {
        self.is_some().write()
    }
}

impl SettingValue for f64 {
    fn read_custom(json: &Json<'_>) -> Result<Self> {
        json.number()
    }

    fn write_custom(self) -> Option<Value> {
        Some(json!(self))
    }
}

/// Returns the value of an object's only key.
fn only<'a>(json: &Json<'a>, key: &str) -> Result<Json<'a>> {
    json.only(&[key])?;
    json.need(key)
}

impl SettingValue for Snap {
    const NULL: Option<Self> = Some(Self::OFF);

    fn read_custom(json: &Json<'_>) -> Result<Self> {
        json.only(&["translate", "rotate", "scale"])?;
        let increment = |key, unit: f64| {
            let Some(value) = json.get_some(key)? else { return Ok(None) };
            // A tiny number of degrees can underflow to 0 radians.
            Increment::new(value.positive()? * unit)
                .map(Some)
                .ok_or_else(|| value.error("is too small to snap to"))
        };
        Ok(Snap {
            translate: increment("translate", 1.0)?,
            rotate: increment("rotate", 1f64.to_radians())?,
            scale: increment("scale", 1.0)?,
        })
    }

    fn write_custom(self) -> Option<Value> {
        let Self { translate, rotate, scale } = self;
        let size = |increment: Option<Increment>| increment.map(Increment::get);
        Some(
            json!({ "translate": size(translate), "rotate": size(rotate).map(degrees), "scale": size(scale) }),
        )
    }
}

impl SettingValue for Limits {
    const NULL: Option<Self> = Some(Self::NONE);

    /// Reads `{"translation": [LOW, HIGH], "scale": [LOW, HIGH], "angle": [low, high]}`. `LOW` and `HIGH` are
    /// lists of three, the angle is in degrees, and `null` at any depth means no limit.
    fn read_custom(json: &Json<'_>) -> Result<Self> {
        json.only(&["translation", "scale", "angle"])?;
        Ok(Self {
            translation: range(json, "translation")?.map(DVec3::from_array),
            scale: range(json, "scale")?.map(DVec3::from_array),
            angle: range(json, "angle")?.map(|[degrees]| degrees.to_radians()),
        })
    }

    fn write_custom(self) -> Option<Value> {
        let Self { translation, scale, angle } = self;
        let or_none = |limit: f64| limit.is_finite().then_some(limit);
        let of_three = |ends: [DVec3; 2]| ends.map(|end| end.to_array().map(or_none));
        Some(json!({
            "translation": of_three(translation),
            "scale": of_three(scale),
            "angle": angle.map(|end| or_none(end).map(degrees)),
        }))
    }
}

/// Reads the low and the high value of a key.
fn range<const N: usize>(json: &Json<'_>, key: &str) -> Result<[[f64; N]; 2]> {
    let none = [[f64::NEG_INFINITY; N], [f64::INFINITY; N]];
    let Some(value) = json.get_some(key)? else { return Ok(none) };
    let ends: [Json<'_>; 2] =
        value.items()?.try_into().map_err(|_| value.error("must be a list of a low and a high value"))?;
    let [low, high] = [end(&ends[0], none[0])?, end(&ends[1], none[1])?];
    let is_in_order = low.iter().zip(&high).all(|(low, high)| low <= high);
    is_in_order
        .then_some([low, high])
        .ok_or_else(|| value.error("the low value must not exceed the high value"))
}

/// Reads one number, or a list of several.
fn end<const N: usize>(json: &Json<'_>, mut end: [f64; N]) -> Result<[f64; N]> {
    if json.is_null() {
        return Ok(end);
    }
    let items = if N == 1 { vec![json.clone()] } else { json.items()? };
    if items.len() != N {
        return Err(json.error(format!("must be a list of {N}")));
    }
    for (end, item) in end.iter_mut().zip(&items).filter(|(_, item)| !item.is_null()) {
        *end = item.number()?;
    }
    Ok(end)
}

impl SettingValue for Locks {
    const NULL: Option<Self> = Some(Self::NONE);

    /// Reads a list of locked channels: `rotation`, and `translation` and `scale` with or without an axis.
    fn read_custom(json: &Json<'_>) -> Result<Self> {
        let mut locks = Self::NONE;
        for name in json.items()? {
            let text = name.text()?;
            let (kind, axes) = match text.split_once('_') {
                None => (text, BVec3::TRUE),
                Some((kind, axis)) => (kind, BVec3::from(["x", "y", "z"].map(|known| known == axis))),
            };
            match kind {
                "translation" if axes.any() => locks.translation |= axes,
                "scale" if axes.any() => locks.scale |= axes,
                _ if text == "rotation" => locks.rotation = true,
                _ => {
                    return Err(name.error(format!(
                        "unknown: `{text}`; known: translation, scale (also translation_x, …), rotation"
                    )));
                }
            }
        }
        Ok(locks)
    }

    fn write_custom(self) -> Option<Value> {
        let Self { translation, rotation, scale } = self;
        let axes = |kind: &str, axes: BVec3| {
            let axes = <[bool; 3]>::from(axes).into_iter().zip(["x", "y", "z"]);
            let locked = axes.filter(|(is_locked, _)| *is_locked);
            locked.map(|(_, axis)| format!("{kind}_{axis}")).collect::<Vec<_>>()
        };
        let turns = rotation.then(|| "rotation".to_owned());
        Some(json!(
            [axes("translation", translation), axes("scale", scale), turns.into_iter().collect()].concat()
        ))
    }
}

/// Returns a number of degrees that reads back as exactly this number of radians, if one exists.
pub(crate) fn degrees(radians: f64) -> f64 {
    let near = radians.to_degrees();
    let up = std::iter::successors(Some(near), |n| Some(n.next_up())).take(4);
    let down = std::iter::successors(Some(near), |n| Some(n.next_down())).take(4);
    // The shortest of them is the most likely to be the number that was typed.
    let exact = up.chain(down).filter(|degrees| degrees.to_radians() == radians);
    exact.min_by_key(|degrees| degrees.to_string().len()).unwrap_or(near)
}
