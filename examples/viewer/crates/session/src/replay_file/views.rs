//! The views that a replay shows: `"one"`, `"quad"`, `{"quad": {"center": [x, y, z], "height": h}}`
//! with the point that the top, front and side views look at and their height in world units, or
//! `{"quad": {"top": …, "front": …, "side": …}}` with the same for each of them.

use crate::views::{OrthoArea, OrthoViews};
use gltf_io::Result;
use gltf_io::json::Json;
use scene::Scene;
use serde_json::{Value, json};
use wgpu_gizmo_core::Viewport;

/// Reads the cameras of the top, front and side views, and checks that views can be made from them; `None` for one
/// view. By default they show the whole scene.
pub(super) fn read(json: &Json<'_>, scene: &Scene, viewport: Viewport) -> Result<Option<OrthoViews>> {
    let ortho_views = areas(json, scene)?;
    let checked = ortho_views.map_or(Ok(()), |ortho_views| ortho_views.check(viewport));
    checked.map(|()| ortho_views).map_err(|error| json.error(error.to_string()))
}

fn areas(json: &Json<'_>, scene: &Scene) -> Result<Option<OrthoViews>> {
    if json.is_text() {
        let is_quad = json.one_of(&[("one", false), ("quad", true)])?;
        return Ok(is_quad.then(|| OrthoViews::of_scene(scene)));
    }
    json.only(&["quad"])?;
    let quad = json.need("quad")?;
    if quad.get("center")?.is_none() {
        quad.only(&["top", "front", "side"])?;
        let [top, front, side] = ["top", "front", "side"].map(|view| plan_place(&quad.need(view)?, scene));
        return Ok(Some(OrthoViews([top?, front?, side?])));
    }
    quad.only(&["center", "height"])?;
    let center = quad.need("center")?.numbers::<3>()?;
    let height = quad.need("height")?.positive()?;
    Ok(Some(OrthoViews::new(center.into(), height).reaching(scene.bounds())))
}

/// Reads the camera of one view. Recordings write `reach`, how far the view sees, so that a replay
/// computes the same numbers.
fn plan_place(json: &Json<'_>, scene: &Scene) -> Result<OrthoArea> {
    json.only(&["center", "height", "reach"])?;
    let (center, height) = (json.need("center")?.numbers::<3>()?, json.need("height")?.positive()?);
    let OrthoViews([default, ..]) = OrthoViews::new(center.into(), height).reaching(scene.bounds());
    let reach = json.get_some("reach")?.map_or(Ok(default.reach), |reach| reach.positive())?;
    Ok(OrthoArea { reach, ..default })
}

/// Returns the cameras of the top, front and side views as JSON, or `"one"`.
pub(crate) fn write(ortho_views: Option<&OrthoViews>) -> Value {
    let Some(ortho_views) = ortho_views else { return json!("one") };
    let place = |OrthoArea { center, height, reach }: OrthoArea| json!({ "center": center.to_array(), "height": height, "reach": reach });
    let [top, front, side] = ortho_views.0.map(place);
    json!({ "quad": { "top": top, "front": front, "side": side } })
}
