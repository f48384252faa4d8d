//! The instant of an animation that a replay shows: `{"animation": index, "time": seconds}`, or `null` for the
//! scene at rest.

use gltf_io::Result;
use gltf_io::json::Json;
use scene::Scene;
use scene::rig::Pose;
use serde_json::{Value, json};

/// Reads a pose.
pub(super) fn read(json: &Json<'_>, scene: &Scene) -> Result<Pose> {
    json.only(&["animation", "time"])?;
    let animation = json.need("animation")?.index_below(scene.rig().animations.len(), "animations")?;
    Ok(Pose { animation, time: json.need("time")?.number()? })
}

/// Returns a pose as JSON.
pub(super) fn write(pose: Option<Pose>) -> Value {
    json!(pose.map(|Pose { animation, time }| json!({ "animation": animation, "time": time })))
}
