//! The cameras that nodes carry.

use crate::file_error::PlaceError;
use crate::json::Json;
use crate::lens::Lens;
use wgpu_gizmo::glam::DVec2;

/// How each node sees that is a camera, in the order of the file's nodes, and what is said of those
/// that cannot be looked through.
pub(super) fn read(root: &Json<'_>) -> Result<(Vec<Option<Lens>>, Vec<String>), PlaceError> {
    let mut remarks = Vec::new();
    let mut lenses = Vec::new();
    for camera in root.items_of("cameras")? {
        let lens = lens(&camera);
        if let Err(error) = &lens {
            remarks.push(format!("a camera ({error})"));
        }
        lenses.push(lens.ok());
    }
    let of_node = |node: &Json<'_>| match node.get("camera")? {
        Some(camera) => Ok(lenses[camera.index_below(lenses.len(), "camera")?]),
        None => Ok(None),
    };
    let of_nodes = root.items_of("nodes")?.iter().map(of_node).collect::<Result<_, PlaceError>>()?;
    Ok((of_nodes, remarks))
}

fn lens(camera: &Json<'_>) -> Result<Lens, PlaceError> {
    if camera.need("type")?.one_of(&[("perspective", true), ("orthographic", false)])? {
        let perspective = camera.need("perspective")?;
        let (fov_y, near) = (perspective.need("yfov")?, perspective.need("znear")?.positive()?);
        if fov_y.positive()? >= std::f64::consts::PI {
            return Err(fov_y.error("must be less than half a turn"));
        }
        let far = perspective.get("zfar")?.map(|far| greater(&far, near)).transpose()?;
        let aspect = perspective.get("aspectRatio")?.map(|aspect| aspect.positive()).transpose()?;
        return Ok(Lens::Perspective { fov_y: fov_y.number()?, near, far, aspect });
    }
    let orthographic = camera.need("orthographic")?;
    let mag = |key| {
        let mag = orthographic.need(key)?;
        // Some writers mirror by it, which the specification advises against.
        let length = mag.number()?.abs();
        if length > 0.0 { Ok(length) } else { Err(mag.error("must not be 0")) }
    };
    let near = orthographic.need("znear")?.number()?;
    let far = greater(&orthographic.need("zfar")?, near)?;
    Ok(Lens::Orthographic { half: DVec2::new(mag("xmag")?, mag("ymag")?), near, far })
}

fn greater(far: &Json<'_>, near: f64) -> Result<f64, PlaceError> {
    match far.number()? {
        number if number > near => Ok(number),
        _ => Err(far.error("must be greater than znear")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_node_sees_as_its_camera_says_and_a_bad_camera_leaves_the_file_readable() {
        let document = json!({
            "cameras": [
                {"type": "perspective", "perspective": {"yfov": 0.8, "znear": 0.1, "aspectRatio": 1.5}},
                {"type": "orthographic", "orthographic": {"xmag": -2, "ymag": 1, "znear": 0, "zfar": 9}},
                {"type": "perspective", "perspective": {"yfov": 4, "znear": 0.1}},
                {"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1, "zfar": 0.05}},
                {"type": "panorama"}
            ],
            "nodes": [{"camera": 1}, {}, {"camera": 0}, {"camera": 2}, {"camera": 4}]
        });
        let (lenses, remarks) = read(&Json::root(&document)).expect("readable");
        let wanted = [
            Some(Lens::Orthographic { half: DVec2::new(2.0, 1.0), near: 0.0, far: 9.0 }),
            None,
            Some(Lens::Perspective { fov_y: 0.8, near: 0.1, far: None, aspect: Some(1.5) }),
            None,
            None,
        ];
        assert_eq!(lenses, wanted);
        let said = [
            "a camera (cameras[2].perspective.yfov: must be less than half a turn)",
            "a camera (cameras[3].perspective.zfar: must be greater than znear)",
            "a camera (cameras[4].type: unknown: `panorama`; known: perspective, orthographic)",
        ];
        assert_eq!(remarks, said);
    }

    #[test]
    fn a_camera_that_is_not_there_is_a_mistake_of_the_file() {
        let document = json!({ "nodes": [{"camera": 3}] });
        let error = read(&Json::root(&document)).expect_err("none");
        assert_eq!(error.to_string(), "nodes[0].camera: there is no camera 3; the file has 0");
    }
}
