//! Opens glTF 2.0 files, text (`.gltf`) and binary (`.glb`), as a [`Scene`].
//!
//! Reads the JSON itself rather than through a glTF library: numbers stay f64, every error
//! says where it is, and nothing in a bad file can make it panic.

mod accessor;
mod buffers;
mod cameras;
mod container;
mod generated;
mod materials;
mod nodes_text;
mod notice;
mod primitives;
mod save;
mod source;
mod tree;
mod tree_text;

#[cfg(test)]
mod against_gltf_crate;
#[cfg(test)]
mod saved_copies;
#[cfg(test)]
mod saved_files;
#[cfg(test)]
mod saved_trees;
#[cfg(test)]
mod tests;

use crate::file_error::{FileError, PlaceError};
use crate::json::{self, Json};
use crate::scene::Scene;
use crate::write_file::Disk;
pub(crate) use container::{check, file_bytes};
pub(crate) use save::{Format, Written, save, save_over};
pub(crate) use source::Source;

use crate::progress::Progress;
use accessor::Accessors;
use materials::MaterialReader;
use primitives::MeshReader;
use std::path::Path;
use std::sync::Arc;

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
/// the viewer does not show is in [`Scene::notice`]; what saving needs of it in [`Scene::source`].
pub(crate) fn open(path: &Path) -> Result<Scene, FileError> {
    open_telling(path, &Progress::default())
}

/// As [`open`], telling how far it has come.
pub(crate) fn open_telling(path: &Path, progress: &Progress) -> Result<Scene, FileError> {
    // Before anything is read: what changes from here on is a change.
    let mut disk = vec![(path.to_owned(), Disk::of(path))];
    let container = container::read(path, progress)?;
    let document = json::parse(container.json()).map_err(|error| error.in_file(path))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let root = Json::root(&document);
    let files = source::files_beside(&root, folder).into_iter();
    disk.extend(files.map(|file| (file.clone(), Disk::of(&file))));
    let (mut scene, nodes, buffers) =
        read(&root, container.binary(), folder, progress).map_err(|error| error.in_file(path))?;
    drop(document);
    let mut source = Source::new(path, container, nodes, disk);
    source.buffers = buffers;
    scene.source = Some(Arc::new(source));
    Ok(scene)
}

/// The scene, what the file has of each of its nodes, and the buffers that are in files of their own.
fn read(
    root: &Json<'_>,
    binary: Option<&[u8]>,
    folder: &Path,
    progress: &Progress,
) -> Result<(Scene, Vec<source::Loaded>, source::Kept), PlaceError> {
    check_version(root)?;
    for required in root.items_of("extensionsRequired")? {
        let name = required.text()?;
        if !HARMLESS.iter().any(|known| name.starts_with(known)) {
            return Err(required.error(format!("needs the extension {name}, which is not supported")));
        }
    }
    let mut tree = tree::read(root)?;
    let buffers = buffers::read(root, binary, folder)?;
    let materials = MaterialReader::new(root, folder)?;
    let mut meshes = MeshReader::new(root, Accessors::new(root, &buffers)?, materials)?;
    let (done, whole) = progress.state();
    let each = whole.saturating_sub(done) / tree.nodes.len().max(1) as u64;
    for (node, mesh) in tree.nodes.iter_mut().zip(&tree.meshes) {
        progress.advanced(each).map_err(|what| root.error(what))?;
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
    let (look, broken) = meshes.materials.finish();
    remarks.extend(broken);
    let place = |node: usize| format!("nodes[{}]", tree.file_indices[node]);
    let loaded = source::loaded(&tree.file_indices, &tree.nodes);
    let mut scene = Scene::new(tree.nodes, meshes.meshes)
        .map_err(|error| PlaceError::new(place(error.node()), error.to_string()))?;
    scene.look = Arc::new(look);
    scene.notice = (!remarks.is_empty()).then(|| format!("not shown: {}", remarks.join(", ")));
    Ok((scene, loaded, buffers::of_files(root, folder, buffers)?))
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
