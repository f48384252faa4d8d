//! The settings of a replay that the tests keep track of.

use crate::camera::Camera;
use crate::solid::{Trs, nearest_rotation, numbers, rotation_of};
use serde_json::Value;
use wgpu_gizmo::glam::{DMat3, DMat4};

/// The increments of a drag: in world units, in radians, and a factor.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Snap {
    pub(crate) translate: Option<f64>,
    pub(crate) rotate: Option<f64>,
    pub(crate) scale: Option<f64>,
}

/// The settings that `set` events change.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) mode: String,
    orientation: Value,
    pub(crate) pivot: Value,
    pub(crate) solver: String,
    snap: Snap,
    pub(crate) size: f64,
    pub(crate) allow_mirror: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: "translate".to_owned(),
            orientation: Value::from("world"),
            pivot: Value::from("median"),
            solver: "screen_projection".to_owned(),
            snap: Snap::default(),
            size: 96.0,
            allow_mirror: false,
        }
    }
}

impl Settings {
    pub(crate) fn set(&mut self, patch: &Value) {
        for (key, value) in patch.as_object().expect("settings are an object") {
            match key.as_str() {
                "mode" => self.mode = value.as_str().expect("the value is a string").to_owned(),
                "orientation" => self.orientation = value.clone(),
                "pivot" => self.pivot = value.clone(),
                "solver" => self.solver = value.as_str().expect("the value is a string").to_owned(),
                "size" => self.size = value.as_f64().expect("the value is a number"),
                "allow_mirror" => self.allow_mirror = value.as_bool().expect("the value is a boolean"),
                // They affect the picture and the handles, but not the result of a drag.
                "tolerance" | "flip" | "construction_lines" => {}
                "snap" => {
                    self.snap = Snap {
                        translate: value["translate"].as_f64(),
                        rotate: value["rotate"].as_f64().map(f64::to_radians),
                        scale: value["scale"].as_f64(),
                    };
                }
                other => panic!("the tests do not support the setting `{other}`"),
            }
        }
    }

    /// Handles the key `q`: World, Parent, Local, View, World, …
    pub(crate) fn next_orientation(&mut self) {
        let names = ["world", "parent", "local", "view", "world"];
        let at = names.iter().position(|name| self.orientation == *name);
        self.orientation = Value::from(at.map_or("world", |at| names[at + 1]));
    }

    /// Handles the key `p`: Median, Active, Individual, …
    pub(crate) fn next_pivot(&mut self) {
        let names = ["median", "active", "individual", "bounds", "each", "median"];
        let at = names.iter().position(|name| self.pivot == *name);
        self.pivot = Value::from(at.map_or("median", |at| names[at + 1]));
    }

    /// Returns the increments in effect. The snap key adds the defaults for those that are not set.
    pub(crate) fn snap(&self, held: bool) -> Snap {
        let Snap { translate, rotate, scale } = self.snap;
        match held {
            false => self.snap,
            true => Snap {
                translate: translate.or(Some(0.5)),
                rotate: rotate.or(Some(15f64.to_radians())),
                scale: scale.or(Some(0.1)),
            },
        }
    }

    /// Returns the axes that a handle follows as columns. Scale handles follow the local axes.
    pub(crate) fn reference_frame(&self, handle: &str, camera: &Camera, parent: DMat4, local: &Trs) -> DMat3 {
        let parent = DMat3::from_mat4(parent);
        let name = if handle.starts_with("scale") { Some("local") } else { self.orientation.as_str() };
        match name {
            Some("world") => DMat3::IDENTITY,
            Some("parent") => nearest_rotation(parent),
            Some("local") => nearest_rotation(parent * local.linear()),
            Some("view") => camera.axes(),
            Some(other) => panic!("unknown orientation `{other}`"),
            None => rotation_of(numbers(&self.orientation["custom"])),
        }
    }
}
