//! The values that an `expect` event compares.

use super::edits;
use gltf_io::Result;
use gltf_io::json::Json;
use scene::Scene;
use scene::edit::Edit;
use scene::node_value::NodeValue;
use serde_json::{Value, json};

/// The keys of an `expect` event, with those of the edits whose form they have, and those of the values.
const KEYS: [(&str, &str, &str); 6] = [
    ("targets", "place", "transform"),
    ("parents", "parent", "parent"),
    ("names", "rename", "name"),
    ("flags", "flags", "flags"),
    ("extents", "extents", "extents"),
    ("volumes", "volumes", "volumes"),
];

/// The values that an `expect` event requires.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Expected {
    /// The values of nodes.
    pub values: Vec<(usize, NodeValue)>,
    /// The maximum difference of each number.
    pub tolerance: f64,
}

impl Expected {
    /// Reads `{"targets": {"NAME": TRANSFORM, …}, "tolerance": 0, …}`.
    pub(super) fn read(json: &Json<'_>, scene: &Scene) -> Result<Self> {
        let keys = KEYS.iter().map(|(key, ..)| *key).chain(["tolerance"]);
        json.only(&keys.collect::<Vec<_>>())?;
        json.need("targets")?;
        let tolerance = json.read("tolerance", Json::non_negative)?;
        let mut values = Vec::new();
        for (key, edit, _) in KEYS {
            if let Some(json) = json.get(key)? {
                values.extend(edits::read(edit, &json, scene)?.iter().flat_map(Edit::values));
            }
        }
        Ok(Self { values, tolerance: tolerance.unwrap_or(0.0) })
    }

    /// Returns the values as JSON. Nodes are identified by these names.
    pub(super) fn write(&self, names: &[String]) -> Value {
        let mut object = json!({ "targets": {}, "tolerance": self.tolerance });
        for (node, value) in &self.values {
            let (of, _) = edits::write_value(value, |_| Value::Null);
            // Each flag has a key of its own.
            let key = KEYS.iter().find(|(.., key)| *key == of).map_or("flags", |(key, ..)| *key);
            edits::put(&mut object[key], *node, value, names);
        }
        object
    }

    /// Returns a line about the first value that is not as expected, or `None` if all are.
    pub fn missed(&self, scene: &Scene) -> Option<String> {
        let name = |node: usize| &scene.nodes()[node].name;
        self.values.iter().find_map(|(node, value)| {
            let values = [value, &value.now(*node, scene)?];
            let [(key, wanted), (_, found)] =
                values.map(|value| edits::write_value(value, |parent| json!(name(parent))));
            let difference = |key: &str, found: &Value, wanted: &Value| {
                let line = || format!("{}: {key} is {found}, not {wanted}", name(*node));
                (!self.is_within(found, wanted)).then(line)
            };
            match (&found, &wanted) {
                (Value::Object(found), Value::Object(wanted)) => {
                    wanted.iter().find_map(|(key, wanted)| difference(key, found.get(key)?, wanted))
                }
                _ => difference(key, &found, &wanted),
            }
        })
    }

    fn is_within(&self, found: &Value, wanted: &Value) -> bool {
        match (found, wanted) {
            (Value::Number(found), Value::Number(wanted)) => {
                let [found, wanted] = [found, wanted].map(|number| number.as_f64().unwrap_or(f64::NAN));
                (found - wanted).abs() <= self.tolerance
            }
            (Value::Array(found), Value::Array(wanted)) => {
                found.len() == wanted.len()
                    && found.iter().zip(wanted).all(|(found, wanted)| self.is_within(found, wanted))
            }
            _ => found == wanted,
        }
    }
}
