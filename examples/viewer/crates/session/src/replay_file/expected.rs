//! The values that an `expect` event compares.

use super::edits;
use gltf_io::LocatedError;
use gltf_io::json::Json;
use scene::Scene;
use scene::edit::Edit;
use serde_json::{Value, json};

/// The keys of an `expect` event, with those of the edits whose form they have.
const KEYS: [(&str, &str); 6] = [
    ("targets", "place"),
    ("parents", "parent"),
    ("names", "rename"),
    ("flags", "flags"),
    ("extents", "extents"),
    ("volumes", "volumes"),
];

/// The values that an `expect` event requires.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Expected {
    /// The edits that must change nothing.
    pub edits: Vec<Edit>,
    /// The maximum difference of each number.
    pub tolerance: f64,
}

impl Expected {
    /// Reads `{"targets": {"NAME": TRANSFORM, …}, "tolerance": 0, …}`.
    pub(super) fn read(json: &Json<'_>, scene: &Scene) -> Result<Self, LocatedError> {
        let keys = KEYS.iter().map(|(key, _)| *key).chain(["tolerance"]);
        json.only(&keys.collect::<Vec<_>>())?;
        json.need("targets")?;
        let tolerance = json.read("tolerance", Json::non_negative)?;
        let mut edits = Vec::new();
        for (key, edit) in KEYS {
            if let Some(json) = json.get(key)? {
                edits.extend(edits::read(edit, &json, scene)?.filter(|edit| !edit.is_empty()));
            }
        }
        Ok(Self { edits, tolerance: tolerance.unwrap_or(0.0) })
    }

    /// Returns the values as JSON. Nodes are identified by these names.
    pub(super) fn write(&self, names: &[String]) -> Value {
        let mut object = json!({ "targets": {}, "tolerance": self.tolerance });
        for edit in &self.edits {
            let (edit, value) = edits::write(edit, names);
            if let Some((key, _)) = KEYS.iter().find(|(_, of)| *of == edit) {
                object[*key] = value;
            }
        }
        object
    }

    /// Returns a line about the first value that is not as expected, or `None` if all are.
    pub fn missed(&self, scene: &Scene) -> Option<String> {
        let names: Vec<String> = scene.nodes().iter().map(|node| node.name.clone()).collect();
        self.edits.iter().find_map(|edit| {
            let [(key, wanted), (_, found)] = [edit, &edit.now(scene)].map(|edit| edits::write(edit, &names));
            let key = if key == "rename" { "name" } else { key };
            let missed = |(node, wanted): (&String, &Value)| {
                let found = found.get(node)?;
                match wanted.as_object().filter(|_| found.is_object()) {
                    Some(values) => values.iter().find_map(|(key, wanted)| {
                        self.difference(found.get(key)?, wanted).map(|what| format!("{node}: {key} {what}"))
                    }),
                    None => self.difference(found, wanted).map(|what| format!("{node}: {key} {what}")),
                }
            };
            wanted.as_object()?.iter().find_map(missed)
        })
    }

    fn difference(&self, found: &Value, wanted: &Value) -> Option<String> {
        (!self.is_within(found, wanted)).then(|| format!("is {found}, not {wanted}"))
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
