//! The table of settings: one row each, for replays, commands, menus and the panel.

mod values;

pub(crate) use values::degrees;

use gltf_io::Result;
use gltf_io::json::Json;
use serde_json::{Map, Value};
use std::any::Any;
use values::SettingValue;
use wgpu_gizmo_core::interaction::settings::{AxisKeys, BoxHandles, BoxResult};
use wgpu_gizmo_core::{Increment, Mode, Orientation, Settings, Snap, Theme};

/// The values of all settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AllSettings {
    /// The settings of the gizmo, without those of box handles.
    pub gizmo: Settings,
    /// The colors of the handles, which also select the background.
    pub theme: Theme,
    /// The result of box handles; `None` hides them.
    pub box_result: Option<BoxResult>,
    /// The other settings of box handles, which stay while these are hidden. Their own result is the default.
    pub box_handles: BoxHandles,
}

impl Default for AllSettings {
    fn default() -> Self {
        Self {
            // The keys of a modeler work wherever the pointer is.
            gizmo: Settings::default().with(|s| s.input.axis_keys = AxisKeys::Always),
            theme: Theme::default(),
            box_result: None,
            box_handles: BoxHandles::default(),
        }
    }
}

impl AllSettings {
    /// Returns the settings of the gizmo, with those of box handles if these are shown.
    pub(crate) fn of_gizmo(&self) -> Settings {
        let mut box_handles = self.box_result.map(|_| self.box_handles);
        box_handles.iter_mut().zip(self.box_result).for_each(|(shown, result)| shown.result = result);
        self.gizmo.with(|s| s.box_handles = box_handles)
    }

    /// Returns true if drags snap without a held key.
    pub fn snaps_always(&self) -> bool {
        self.gizmo.snap.increments != Snap::OFF
    }

    /// Returns the increments of snapping, whether it needs a held key or not.
    pub fn increments(&mut self) -> &mut Snap {
        if self.snaps_always() { &mut self.gizmo.snap.increments } else { &mut self.gizmo.snap.while_held }
    }

    /// Sets the increment of translations to the spacing of the grid, unless it is off.
    pub fn follow_grid(&mut self, spacing: Option<Increment>) {
        for snap in [&mut self.gizmo.snap.increments, &mut self.gizmo.snap.while_held] {
            snap.translate = snap.translate.and(spacing.or(snap.translate));
        }
    }

    /// Resets each increment of the snap key to that without it, or to the default if there is none.
    fn reset_held_increments(&mut self) {
        let (Snap { translate, rotate, scale }, or) = (self.gizmo.snap.increments, Snap::DEFAULT_INCREMENTS);
        self.gizmo.snap.while_held = Snap {
            translate: translate.or(or.translate),
            rotate: rotate.or(or.rotate),
            scale: scale.or(or.scale),
        };
    }

    /// Toggles snapping without a held key. The increments stay.
    pub fn toggle_snapping(&mut self) {
        let snap = &mut self.gizmo.snap;
        (snap.increments, snap.while_held) = match snap.increments == Snap::OFF {
            true => (snap.while_held, Snap::OFF),
            false => (Snap::OFF, snap.increments),
        };
    }
}

/// A group of rows in the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// The axes and the pivot.
    Gizmo,
    /// Whether box handles are shown.
    Box,
    /// The settings of box handles that are shown.
    ShownBox,
    /// The increments.
    Steps,
    /// The geometry under the pointer.
    UnderPointer,
    /// The handles, the rules of drags, and the theme.
    Rules,
}

/// The widget of a setting in the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Widget {
    /// A check box with this text and tooltip, for settings that are off or on.
    Check(&'static str, &'static str),
    /// A list that opens.
    Combo,
    /// A button for each choice.
    Buttons,
    /// A field for a length.
    Length,
}

/// The row of a setting in the panel.
#[derive(Debug, Clone, Copy)]
pub struct PanelRow {
    /// The group that the row is in, in the order of the table.
    pub group: Group,
    /// The text in the column of labels.
    pub label: &'static str,
    /// The tooltip of the label, and of the widget unless that has one of its own.
    pub about: &'static str,
    /// The widget.
    pub widget: Widget,
}

/// A row of the table, with the access to its value, whatever the type is.
struct Row {
    read: fn(&Json<'_>, &mut AllSettings) -> Result<()>,
    write: fn(&AllSettings) -> Option<Value>,
    labels: fn(&AllSettings) -> Vec<String>,
    chosen: fn(&AllSettings) -> Option<usize>,
    choose: fn(&mut AllSettings, usize),
    number: fn(&mut AllSettings) -> Option<&mut f64>,
    optional: Optional,
}

/// The optional parts of a row.
struct Optional {
    panel: Option<PanelRow>,
    /// Returns whether the setting has an effect with these values.
    is_used: fn(&AllSettings) -> bool,
    /// Checks a value before it is read.
    check: fn(&Json<'_>) -> Result<()>,
    /// Called after a replay has set the value.
    then: fn(&mut AllSettings),
}

const NOTHING: Optional = Optional { panel: None, is_used: |_| true, check: |_| Ok(()), then: |_| {} };

const fn shown(group: Group, widget: Widget, label: &'static str, about: &'static str) -> Option<PanelRow> {
    Some(PanelRow { group, label, about, widget })
}

/// Returns the row of a check box below the one that has the label.
const fn switch(group: Group, text: &'static str, about: &'static str) -> Option<PanelRow> {
    shown(group, Check(text, about), "", "")
}

/// Defines [`Setting`] with the place of each value and its row.
macro_rules! settings {
    ($($setting:ident($($place:ident).+) { $($field:ident: $value:expr),* };)+) => {
        /// A setting.
        ///
        /// A replay names it as here, in snake case.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the rows of the table say what they are")]
        pub enum Setting { $($setting),+ }

        static ROWS: &[Row] = &[$(Row {
            read: |json, values| SettingValue::read(json).map(|value| values.$($place).+ = value),
            write: |values| values.$($place).+.write(),
            labels: |values| values.$($place).+.labels(),
            chosen: |values| values.$($place).+.index(),
            choose: |values, index| values.$($place).+.choose(index),
            number: |values| (&mut values.$($place).+ as &mut dyn Any).downcast_mut(),
            optional: Optional { $($field: $value,)* ..NOTHING },
        }),+];

        impl Setting {
            /// All settings, in the order of the table.
            pub const ALL: [Self; [$(stringify!($setting)),+].len()] = [$(Self::$setting),+];
        }
    };
}

use Group::{Gizmo, Rules, ShownBox, Steps, UnderPointer};
use Widget::{Buttons, Check, Combo, Length};

// A replay sets them in this order.
settings! {
    Mode(gizmo.mode) { panel: shown(Gizmo, Buttons, "Mode", "The handles that are shown") };
    Orientation(gizmo.orientation) {
        panel: shown(Gizmo, Combo, "Orientation",
            "The axes that handles follow. Scale always follows the local axes"),
        is_used: |now| now.gizmo.mode != Mode::Scale };
    Axes(gizmo.axes) {
        panel: shown(Gizmo, Buttons, "Axes", "Move all nodes along shared axes, or each along its own") };
    Pivot(gizmo.pivot) { panel: shown(Gizmo, Combo, "Pivot", "The point that nodes turn and scale about") };
    Box(box_result) {
        panel: shown(Group::Box, Buttons, "Box",
            "Handles on the box of the active node: scale the node, or crop its mesh") };
    KeepAspect(box_handles.keep_aspect) {
        panel: switch(ShownBox, "Keep the aspect", "Corners scale all sides by one factor") };
    MinSize(box_handles.min_size) {
        panel: shown(ShownBox, Length, "Minimum side", "The length at which a side of the box stops"),
        check: |json| json.positive().map(drop) };
    SnapKind(gizmo.snap.kind) {
        panel: shown(Steps, Buttons, "Snap to", "Steps from the start, lines of the grid, or round values") };
    // In a replay it also resets the increments of the snap key, which come later.
    Snap(gizmo.snap.increments) { then: AllSettings::reset_held_increments };
    SnapWhileHeld(gizmo.snap.while_held) {};
    SnapTo(gizmo.snap.to) {
        panel: shown(UnderPointer, Combo, "Under pointer", "What a translation snaps to under the pointer") };
    SnapSource(gizmo.snap.source) {
        panel: shown(UnderPointer, Combo, "Snap source", "The point of the nodes that is put there"),
        is_used: |now| !now.gizmo.snap.to.is_empty() };
    AlignToNormal(gizmo.snap.align_to_normal) {
        panel: switch(UnderPointer, "Align Y to the normal",
            "Rotate the object to stand on the surface it snaps to"),
        is_used: |now| !now.gizmo.snap.to.is_empty() };
    DepthStyle(gizmo.display.depth_style) {
        panel: shown(Rules, Combo, "Behind objects", "How handles look where the scene hides them") };
    Flip(gizmo.display.flip_toward_camera) {
        panel: shown(Rules,
            Check("Flip toward the camera", "Arrows and planes turn to the side that is seen (Shift+F)"), "Handles",
            "How handles look and behave") };
    ConstructionLines(gizmo.display.construction_lines) {
        panel: switch(Rules, "Construction lines", "Show how a drag is solved (Ctrl+Shift+L)") };
    AllowMirror(gizmo.motion.allow_mirror) {
        panel: switch(Rules, "Scale may mirror", "A scale handle can be dragged through the pivot") };
    Grab(gizmo.input.grab) {
        panel: shown(Rules, Combo, "Grab",
            "How a handle is dragged: by holding the button, or from click to click") };
    ClickToType(gizmo.input.click_to_type) {
        panel: switch(Rules, "Click to type", "A click on a handle types its number; Enter ends") };
    WheelNudge(gizmo.input.wheel_nudge) {
        panel: switch(Rules, "Wheel nudges handles", "5° per notch over a ring, one increment over an arrow") };
    AxisKeys(gizmo.input.axis_keys) {
        panel: shown(Rules, Combo, "Axis keys", "When X, Y and Z begin a drag along that axis") };
    Solver(gizmo.motion.solver) {
        panel: shown(Rules, Combo, "Solver", "How a drag along an axis follows the pointer") };
    Shear(gizmo.motion.shear) {
        panel: shown(Rules, Combo, "Shear", "The rule for rotations under parents with non-uniform scale") };
    Theme(theme) { panel: shown(Rules, Combo, "Theme", "The colors of handles, background and panel") };
    Limits(gizmo.motion.limits) {};
    Locks(gizmo.motion.locks) {};
    // Both in logical pixels.
    Size(gizmo.display.size_lpx) { check: |json| json.number_in([0.01, 16384.0]).map(drop) };
    Tolerance(gizmo.input.tolerance_lpx) { check: |json| json.number_in([0.0, 1024.0]).map(drop) };
}

/// Returns the name of a variant in snake case.
pub(crate) fn snake_case(variant: impl std::fmt::Debug) -> String {
    let mut name = String::new();
    for letter in format!("{variant:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

impl Setting {
    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns the row in the panel, if the panel shows the setting.
    pub fn panel(self) -> Option<PanelRow> {
        self.row().optional.panel
    }

    /// Returns true if the setting has an effect with these values.
    pub fn is_used(self, values: &AllSettings) -> bool {
        (self.row().optional.is_used)(values)
    }

    /// Returns the labels of the values to choose from.
    pub fn labels(self) -> Vec<String> {
        (self.row().labels)(&AllSettings::default())
    }

    /// Returns the index of the chosen value, unless it is a custom one.
    pub fn chosen(self, values: &AllSettings) -> Option<usize> {
        (self.row().chosen)(values)
    }

    /// Chooses a value by its index.
    pub fn choose(self, values: &mut AllSettings, index: usize) {
        (self.row().choose)(values, index);
    }

    /// Chooses the next value.
    pub fn choose_next(self, values: &mut AllSettings) {
        let next = self.chosen(values).map_or(0, |index| (index + 1) % self.labels().len());
        self.choose(values, next);
    }

    /// Returns true if the setting is on.
    pub fn is_on(self, values: &AllSettings) -> bool {
        self.chosen(values) == Some(1)
    }

    /// Returns the label of the value that is in effect: scale handles always follow the local axes.
    pub fn shown(self, values: &AllSettings) -> String {
        let mut values = *values;
        if self == Self::Orientation && !self.is_used(&values) {
            values.gizmo.orientation = Orientation::Local;
        }
        let label = self.chosen(&values).and_then(|index| self.labels().into_iter().nth(index));
        label.unwrap_or_else(|| "Custom".to_owned())
    }

    /// Returns the value, if it is a number.
    pub fn number(self, values: &mut AllSettings) -> Option<&mut f64> {
        (self.row().number)(values)
    }
}

/// The changes of a `set` event, or of the settings at the top level of a replay: valid JSON.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SettingsPatch(pub(crate) Map<String, Value>);

impl SettingsPatch {
    /// Returns the settings that differ.
    pub fn between(before: &AllSettings, after: &AllSettings) -> Self {
        // Panels ask in every frame.
        if before == after {
            return Self::default();
        }
        let differs = |setting: Setting| (setting.row().write)(before) != (setting.row().write)(after);
        // Setting the increments resets those of the snap key, so these must be written too.
        Self::of(after, |setting| {
            differs(setting) || (setting == Setting::SnapWhileHeld && differs(Setting::Snap))
        })
    }

    /// Returns a patch with all settings. A custom mode has no name and is omitted.
    pub(crate) fn all(values: &AllSettings) -> Self {
        Self::of(values, |_| true)
    }

    fn of(values: &AllSettings, is_changed: impl Fn(Setting) -> bool) -> Self {
        let changed = Setting::ALL.into_iter().filter(|setting| is_changed(*setting));
        Self(changed.filter_map(|it| Some((snake_case(it), (it.row().write)(values)?))).collect())
    }

    /// Returns true if it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if this sets all that another patch sets.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        other.0.keys().all(|key| self.0.contains_key(key))
    }

    /// Changes the settings.
    pub fn apply(&self, values: &mut AllSettings) {
        // It was read or written before, so there is no error.
        let _ = set(&Json::root(&Value::Object(self.0.clone())), values);
    }

    /// Reads settings. Every key is optional.
    pub(crate) fn read(json: &Json<'_>) -> Result<Self> {
        json.only(&Setting::ALL.map(snake_case).each_ref().map(String::as_str))?;
        set(json, &mut AllSettings::default())?;
        Ok(Self(json.value().as_object().cloned().unwrap_or_default()))
    }
}

/// Sets what an object lists.
fn set(json: &Json<'_>, values: &mut AllSettings) -> Result<()> {
    for setting in Setting::ALL {
        if let Some(json) = json.get(&snake_case(setting))? {
            (setting.row().optional.check)(&json)?;
            (setting.row().read)(&json, values)?;
            (setting.row().optional.then)(values);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snap_of_replay_resets_increments_of_key() {
        let value = serde_json::json!({ "snap": { "rotate": 20 } });
        let patch = SettingsPatch::read(&Json::root(&value)).expect("the settings are valid");
        let mut values = AllSettings::default();
        values.gizmo.snap.while_held = Snap::OFF;
        patch.apply(&mut values);
        let rotate = Increment::new(20f64.to_radians());
        assert_eq!(values.gizmo.snap.increments, Snap { rotate, ..Snap::OFF });
        assert_eq!(values.gizmo.snap.while_held, Snap { rotate, ..Snap::DEFAULT_INCREMENTS });
    }
}
