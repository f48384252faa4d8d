//! The cameras of nodes.

use crate::file_error::LocatedError;
use crate::json::Json;
use scene::lens::Lens;
use wgpu_gizmo_core::glam::DVec2;

/// The cameras of a file.
pub(crate) struct Cameras {
    /// The lens of each camera; `None` if it cannot be used.
    pub(crate) lenses: Vec<Option<Lens>>,
    /// The index of the camera of each node, in the order of the file's nodes.
    pub(crate) of_nodes: Vec<Option<usize>>,
    /// Phrases about the cameras that cannot be used.
    pub(crate) remarks: Vec<String>,
}

/// Reads the cameras, and the nodes that have them.
pub(crate) fn read(root: &Json<'_>) -> Result<Cameras, LocatedError> {
    let lenses: Vec<_> = root.items_of("cameras")?.iter().map(lens).collect();
    let remarks = remarks("camera", lenses.iter().filter_map(|lens| lens.as_ref().err()));
    let lenses: Vec<Option<Lens>> = lenses.into_iter().map(Result::ok).collect();
    let camera_of = |node: &Json<'_>| {
        let camera = node.get("camera")?;
        camera.map(|camera| camera.index_below(lenses.len(), "cameras")).transpose()
    };
    let of_nodes = root.items_of("nodes")?.iter().map(camera_of).collect::<Result<_, LocatedError>>()?;
    Ok(Cameras { lenses, of_nodes, remarks })
}

/// Returns a phrase for each of the first errors, and one for the number of the others.
pub(super) fn remarks<'a>(what: &str, errors: impl Iterator<Item = &'a LocatedError>) -> Vec<String> {
    /// Further ones are counted.
    const NAMED: usize = 8;
    let mut remarks = Vec::new();
    let mut more = 0;
    for error in errors {
        match remarks.len() < NAMED {
            true => remarks.push(format!("a {what} ({error})")),
            false => more += 1,
        }
    }
    if more > 0 {
        remarks.push(format!("further {what}s ({more})"));
    }
    remarks
}

fn lens(camera: &Json<'_>) -> Result<Lens, LocatedError> {
    if camera.need("type")?.one_of(&[("perspective", true), ("orthographic", false)])? {
        let perspective = camera.need("perspective")?;
        let (fov_y, near) = (perspective.need("yfov")?, perspective.need("znear")?.positive()?);
        if fov_y.positive()? >= std::f64::consts::PI {
            return Err(fov_y.error("must be less than pi radians"));
        }
        let far = perspective.get("zfar")?.map(|far| greater(&far, near)).transpose()?;
        let aspect = perspective.get("aspectRatio")?.map(|aspect| aspect.positive()).transpose()?;
        return Ok(Lens::Perspective { fov_y: fov_y.number()?, near, far, aspect });
    }
    let orthographic = camera.need("orthographic")?;
    let mag = |key| {
        let mag = orthographic.need(key)?;
        // Some exporters write negative values, which the specification advises against.
        let length = mag.number()?.abs();
        if length > 0.0 { Ok(length) } else { Err(mag.error("must not be 0")) }
    };
    let near = orthographic.need("znear")?.number()?;
    let far = greater(&orthographic.need("zfar")?, near)?;
    Ok(Lens::Orthographic { half: DVec2::new(mag("xmag")?, mag("ymag")?), near, far })
}

fn greater(far: &Json<'_>, near: f64) -> Result<f64, LocatedError> {
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
    fn invalid_camera_becomes_remark() {
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
        let Cameras { lenses, of_nodes, remarks } = read(&Json::root(&document)).expect("a valid document");
        let expected = [
            Some(Lens::Perspective { fov_y: 0.8, near: 0.1, far: None, aspect: Some(1.5) }),
            Some(Lens::Orthographic { half: DVec2::new(2.0, 1.0), near: 0.0, far: 9.0 }),
            None,
            None,
            None,
        ];
        assert_eq!(lenses, expected);
        assert_eq!(of_nodes, [Some(1), None, Some(0), Some(2), Some(4)]);
        let expected = [
            "a camera (cameras[2].perspective.yfov: must be less than pi radians)",
            "a camera (cameras[3].perspective.zfar: must be greater than znear)",
            "a camera (cameras[4].type: unknown: `panorama`; known: perspective, orthographic)",
        ];
        assert_eq!(remarks, expected);
    }

    #[test]
    fn camera_index_out_of_range_is_error() {
        let document = json!({ "nodes": [{"camera": 3}] });
        let error = read(&Json::root(&document)).err().expect("the camera does not exist");
        assert_eq!(error.to_string(), "nodes[0].camera: index 3 is out of range (0 cameras)");
    }
}
