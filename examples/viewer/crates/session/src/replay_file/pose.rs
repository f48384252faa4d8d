//! The instant of an animation that a replay shows: `{"animation": index, "time": seconds}`, or `null` for the
//! scene at rest.

use gltf_io::LocatedError;
use gltf_io::json::Json;
use scene::Scene;
use scene::rig::Pose;

/// Reads a pose.
pub(super) fn read(json: &Json<'_>, scene: &Scene) -> Result<Option<Pose>, LocatedError> {
    if json.is_null() {
        return Ok(None);
    }
    json.only(&["animation", "time"])?;
    let animation = json.need("animation")?.index_below(scene.rig().animations.len(), "animations")?;
    Ok(Some(Pose { animation, time: json.need("time")?.number()? }))
}
