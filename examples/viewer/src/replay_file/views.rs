//! How many views a replay shows: `"one"`, `"quad"`, or `{"quad": {"center": [x, y, z], "height": h}}`
//! with what the views of top, front and side look at and how many world units fit into each.

use crate::file_error::PlaceError;
use crate::json::Json;
use crate::scene::Scene;
use crate::views::Plans;

/// `None` for one view. Where nothing is said of them, the cameras see the whole scene.
pub(super) fn read(json: &Json<'_>, scene: &Scene) -> Result<Option<Plans>, PlaceError> {
    if json.is_text() {
        let is_quad = json.one_of(&[("one", false), ("quad", true)])?;
        return Ok(is_quad.then(|| Plans::of_scene(scene.bounds())));
    }
    json.only(&["quad"])?;
    let quad = json.need("quad")?;
    quad.only(&["center", "height"])?;
    let center = quad.need("center")?.numbers::<3>()?;
    let height = quad.need("height")?.positive()?;
    Ok(Some(Plans::new(center.into(), height).reaching(scene.bounds())))
}
