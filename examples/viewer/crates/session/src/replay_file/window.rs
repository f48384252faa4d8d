//! The size of the render target, the viewport and the scale factor.

use crate::views::Canvas;
use gltf_io::Result;
use gltf_io::json::Json;
use serde_json::{Map, Value, json};
use wgpu_gizmo_core::math::Viewport;

/// The maximum width and height, which every GPU can render to.
const MAX_SIZE_PX: usize = 16384;
/// The maximum number of pixels: 256 MiB as a picture, and 2 GiB as multisampled attachments.
const MAX_PIXELS: u64 = 1 << 26;
/// The limits of the scale factor. Text is rasterized at its size in physical pixels.
const SCALE_FACTORS: [f64; 2] = [1.0 / 64.0, 64.0];
/// The largest coordinate of a pointer position or region, in pixels.
pub(super) const MAX_COORDINATE_PX: f64 = 1e9;

/// Reads a `window` event.
pub(super) fn read(json: &Json<'_>) -> Result<Canvas> {
    json.only(&["size_px", "viewport", "scale_factor"])?;
    canvas(json)
}

/// Reads the keys of a `window` event from an object that may have other keys.
pub(super) fn canvas(json: &Json<'_>) -> Result<Canvas> {
    let size_px = size(&json.need("size_px")?)?;
    let viewport = match json.get_some("viewport")? {
        Some(json) => viewport(&json, size_px)?,
        None => Viewport::from_size(size_px[0], size_px[1]),
    };
    let scale_factor =
        json.get_some("scale_factor")?.map_or(Ok(1.0), |json| json.number_in(SCALE_FACTORS))?;
    Ok(Canvas { size_px, viewport, scale_factor })
}

fn size(json: &Json<'_>) -> Result<[u32; 2]> {
    let items = json.items()?;
    let [width, height] = items.as_slice() else {
        return Err(json.error("must be a width and a height"));
    };
    let side = |json: &Json<'_>| match json.index()? {
        0 => Err(json.error("the size is empty: must be 1 or more")),
        side if side > MAX_SIZE_PX => Err(json.error(format!("must be {MAX_SIZE_PX} or less"))),
        side => Ok(side as u32),
    };
    let size = [side(width)?, side(height)?];
    match size.map(u64::from).iter().product::<u64>() <= MAX_PIXELS {
        true => Ok(size),
        false => Err(json.error(format!("width times height must be {MAX_PIXELS} or less"))),
    }
}

fn viewport(json: &Json<'_>, [target_width, target_height]: [u32; 2]) -> Result<Viewport> {
    let [x, y, width, height] = json.numbers::<4>()?;
    if width <= 0.0 || height <= 0.0 {
        return Err(json.error("the viewport is empty: width and height must be greater than 0"));
    }
    if x < 0.0 || y < 0.0 || x + width > target_width.into() || y + height > target_height.into() {
        return Err(json.error("the viewport must not reach outside the render target"));
    }
    Ok(Viewport { x, y, width, height })
}

/// Returns the size of the render target, the viewport and the scale factor as JSON.
pub(crate) fn write(canvas: &Canvas) -> Map<String, Value> {
    let Canvas { size_px, viewport: Viewport { x, y, width, height }, scale_factor } = *canvas;
    let viewport = json!([x, y, width, height]);
    let members =
        [("size_px", json!(size_px)), ("viewport", viewport), ("scale_factor", json!(scale_factor))];
    members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
