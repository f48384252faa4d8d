//! The place of the gizmo in a replay.

use gltf_io::LocatedError;
use gltf_io::json::Json;
use wgpu_gizmo_core::Transform;
use wgpu_gizmo_core::glam::{DQuat, DVec3};

/// Reads `{"point": [x, y, z], "rotation": [x, y, z, w]}` in world space, or `null`.
pub(super) fn read(json: &Json<'_>) -> Result<Option<Transform>, LocatedError> {
    if json.is_null() {
        return Ok(None);
    }
    json.only(&["point", "rotation"])?;
    let rotation = json.need("rotation")?;
    let place = Transform {
        translation: DVec3::from(json.need("point")?.numbers::<3>()?),
        rotation: DQuat::from_array(rotation.numbers::<4>()?),
        ..Transform::IDENTITY
    };
    let length = place.rotation.length();
    match length.is_finite() && length > 0.0 {
        true => Ok(Some(place)),
        false => Err(rotation.error("must have a length greater than 0")),
    }
}
