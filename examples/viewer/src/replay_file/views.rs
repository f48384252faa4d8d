//! How many views a replay shows: `"one"`, `"quad"`, `{"quad": {"center": [x, y, z], "height": h}}`
//! with what the views of top, front and side look at and how many world units fit into each, or
//! `{"quad": {"top": …, "front": …, "side": …}}` with the same for each of them.

use crate::file_error::PlaceError;
use crate::json::Json;
use crate::scene::Scene;
use crate::views::{PlanPlace, Plans};

/// `None` for one view. Where nothing is said of them, the cameras see the whole scene.
pub(super) fn read(json: &Json<'_>, scene: &Scene) -> Result<Option<Plans>, PlaceError> {
    if json.is_text() {
        let is_quad = json.one_of(&[("one", false), ("quad", true)])?;
        return Ok(is_quad.then(|| Plans::of_scene(scene.bounds())));
    }
    json.only(&["quad"])?;
    let quad = json.need("quad")?;
    if quad.get("center")?.is_none() {
        quad.only(&["top", "front", "side"])?;
        let [top, front, side] = ["top", "front", "side"].map(|view| place(&quad.need(view)?, scene));
        return Ok(Some(Plans::at([top?, front?, side?])));
    }
    quad.only(&["center", "height"])?;
    let center = quad.need("center")?.numbers::<3>()?;
    let height = quad.need("height")?.positive()?;
    Ok(Some(Plans::new(center.into(), height).reaching(scene.bounds())))
}

/// `reach`, how far it sees, is what a recording needs to come to the same numbers.
fn place(json: &Json<'_>, scene: &Scene) -> Result<PlanPlace, PlaceError> {
    json.only(&["center", "height", "reach"])?;
    let (center, height) = (json.need("center")?.numbers::<3>()?, json.need("height")?.positive()?);
    let [usual, ..] = Plans::new(center.into(), height).reaching(scene.bounds()).places();
    let reach = json.get_some("reach")?.map_or(Ok(usual.reach), |reach| reach.positive())?;
    Ok(PlanPlace { reach, ..usual })
}
