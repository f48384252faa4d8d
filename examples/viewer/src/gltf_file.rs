//! Opens glTF 2.0 files, text (`.gltf`) and binary (`.glb`), as a [`Scene`].
//!
//! Reads the JSON itself rather than through a glTF library: numbers stay f64, every error
//! says where it is, and nothing in a bad file can make it panic.

mod accessor;
mod buffers;
mod cameras;
mod container;
mod notice;
mod primitives;
mod tree;

#[cfg(test)]
mod against_gltf_crate;
#[cfg(test)]
mod tests;

use crate::file_error::{FileError, PlaceError};
use crate::json::{self, Json};
use crate::scene::Scene;
pub(crate) use container::file_bytes;

use accessor::Accessors;
use primitives::MeshReader;
use std::path::Path;

/// Extensions that a file may require although they are not (all) shown: without them the
/// shapes are still right. `KHR_mesh_quantization` is supported.
const HARMLESS: [&str; 7] = [
    "KHR_mesh_quantization",
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_punctual",
    "KHR_animation_pointer",
    "EXT_texture_",
    "KHR_xmp",
];

/// Opens the file's scene (its first one, where it does not say which). What the file has and
/// the viewer does not show is in [`Scene::notice`].
pub(crate) fn open(path: &Path) -> Result<Scene, FileError> {
    let container = container::read(path)?;
    let document = json::parse(&container.json).map_err(|error| error.in_file(path))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    read(&Json::root(&document), container.binary, folder).map_err(|error| error.in_file(path))
}

fn read(root: &Json<'_>, binary: Option<Vec<u8>>, folder: &Path) -> Result<Scene, PlaceError> {
    check_version(root)?;
    for required in root.items_of("extensionsRequired")? {
        let name = required.text()?;
        if !HARMLESS.iter().any(|known| name.starts_with(known)) {
            return Err(required.error(format!("needs the extension {name}, which is not supported")));
        }
    }
    let mut tree = tree::read(root)?;
    let buffers = buffers::read(root, binary, folder)?;
    let mut meshes = MeshReader::new(root, Accessors::new(root, &buffers)?)?;
    for (node, mesh) in tree.nodes.iter_mut().zip(&tree.meshes) {
        if let Some(mesh) = mesh {
            node.mesh = meshes.mesh(mesh)?;
        }
    }
    let (lenses, cameras_lost) = cameras::read(root)?;
    for (node, index) in tree.nodes.iter_mut().zip(&tree.file_indices) {
        node.lens = lenses[*index];
    }
    let mut remarks = notice::not_shown(root)?;
    remarks.extend(cameras_lost);
    remarks.extend(tree.remarks);
    remarks.extend(meshes.remarks());
    let place = |node: usize| format!("nodes[{}]", tree.file_indices[node]);
    let mut scene = Scene::new(tree.nodes, meshes.meshes)
        .map_err(|error| PlaceError::new(place(error.node()), error.to_string()))?;
    scene.notice = (!remarks.is_empty()).then(|| format!("not shown: {}", remarks.join(", ")));
    Ok(scene)
}

fn check_version(root: &Json<'_>) -> Result<(), PlaceError> {
    let Some(asset) = root.get("asset")? else {
        return Err(root.error("this is no glTF file: it has no `asset`"));
    };
    let version = asset.need("version")?;
    match version.text()?.split('.').next() {
        Some("2") => Ok(()),
        _ => Err(version.error("only glTF 2 can be read")),
    }
}
