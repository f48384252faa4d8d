//! The extents of nodes, in their own space.

use super::node_edits::node_of;
use gltf_io::LocatedError;
use gltf_io::json::Json;
use scene::Scene;
use scene::bounds::Bounds;
use serde_json::{Value, json};
use wgpu_gizmo_core::glam::DVec3;

/// Reads `{"NAME": [[x0, y0, z0], [x1, y1, z1]], "OTHER": null, …}`; `null` is the box of the mesh.
pub(super) fn read(json: &Json<'_>, scene: &Scene) -> Result<Vec<(usize, Option<Bounds>)>, LocatedError> {
    let one = |name| {
        let extents = json.need(name)?;
        let node = node_of(&extents, name, scene)?;
        if scene.mesh_box(node).is_none() {
            return Err(extents.error("the object has no shape"));
        }
        Ok((node, if extents.is_null() { None } else { Some(bounds(&extents)?) }))
    };
    json.keys()?.map(one).collect()
}

/// Reads a box from two opposite corners, the lower one first.
pub(crate) fn bounds(json: &Json<'_>) -> Result<Bounds, LocatedError> {
    let corners = <[Json<'_>; 2]>::try_from(json.items()?).map_err(|_| json.error("must be two corners"))?;
    let corner = |json: &Json<'_>| json.numbers::<3>().map(DVec3::from);
    let [min, max] = [corner(&corners[0])?, corner(&corners[1])?];
    match min.cmple(max).all() {
        true => Ok(Bounds { min, max }),
        false => Err(json.error("the first corner must not be above the second")),
    }
}

/// Returns extents by node name.
pub(super) fn written(set: &[(usize, Option<Bounds>)], names: &[String]) -> Value {
    let corners = |Bounds { min, max }: Bounds| json!([min.to_array(), max.to_array()]);
    let named =
        |(node, one): &(usize, Option<Bounds>)| Some((names.get(*node)?.clone(), json!(one.map(corners))));
    Value::Object(set.iter().filter_map(named).collect())
}
