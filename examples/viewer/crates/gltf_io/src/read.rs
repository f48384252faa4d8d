//! Reads glTF 2.0 files, text (`.gltf`) and binary (`.glb`), as a [`Scene`].

mod accessor;
mod cameras;
mod materials;
mod notice;
mod primitives;
pub(crate) mod tree;

#[cfg(test)]
mod against_gltf_crate;
#[cfg(test)]
mod tests;

use crate::buffers;
use crate::container;
use crate::file_error::{FileError, LocatedError};
use crate::json::{self, Json};
use crate::progress::Progress;
use crate::source;
use crate::source::Source;
use crate::write_file::FileStamp;
use accessor::Accessors;
use materials::MaterialReader;
use primitives::MeshReader;
use scene::Scene;
use std::path::Path;
use std::sync::Arc;

/// Prefixes of the extensions that a file may require although the viewer ignores most of them: the
/// shapes are correct without them. `KHR_mesh_quantization` is supported.
const ACCEPTED_EXTENSIONS: [&str; 7] = [
    "KHR_mesh_quantization",
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_punctual",
    "KHR_animation_pointer",
    "EXT_texture_",
    "KHR_xmp",
];

/// Opens the default scene of a file, or its first scene if there is no default. [`Scene::notice`]
/// lists the features of the file that the viewer does not show, and [`Scene::source`] keeps the data
/// that saving needs.
pub fn open(path: &Path) -> Result<Scene, FileError> {
    open_with_progress(path, &Progress::default())
}

/// Like [`open`], and reports its progress.
pub fn open_with_progress(path: &Path, progress: &Progress) -> Result<Scene, FileError> {
    // Stamped before anything is read, so that any later write counts as a change.
    let mut stamps = vec![(path.to_owned(), FileStamp::of(path))];
    let container = container::read(path, progress)?;
    let document = json::parse(container.json()).map_err(|error| error.in_file(path))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let root = Json::root(&document);
    let files = source::external_files(&root, folder).into_iter();
    stamps.extend(files.map(|file| (file.clone(), FileStamp::of(&file))));
    let (mut scene, nodes, buffers) =
        read(&root, container.binary(), folder, progress).map_err(|error| error.in_file(path))?;
    drop(document);
    let mut source = Source::new(path, container, nodes, stamps);
    source.buffers = buffers;
    scene.source = Some(Arc::new(source));
    Ok(scene)
}

/// Reads the scene, its nodes as the file describes them, and the buffers that are stored in separate
/// files.
fn read(
    root: &Json<'_>,
    binary: Option<&[u8]>,
    folder: &Path,
    progress: &Progress,
) -> Result<(Scene, Vec<source::LoadedNode>, buffers::ExternalBuffers), LocatedError> {
    check_version(root)?;
    for required in root.items_of("extensionsRequired")? {
        let name = required.text()?;
        if !ACCEPTED_EXTENSIONS.iter().any(|known| name.starts_with(known)) {
            return Err(required.error(format!("requires the extension {name}, which is not supported")));
        }
    }
    let mut tree = tree::read(root)?;
    let buffers = buffers::read(root, binary, folder)?;
    let materials = MaterialReader::new(root, folder)?;
    let mut meshes = MeshReader::new(root, Accessors::new(root, &buffers)?, materials)?;
    let (done, total) = progress.state();
    let per_node = total.saturating_sub(done) / tree.nodes.len().max(1) as u64;
    for (node, mesh) in tree.nodes.iter_mut().zip(&tree.meshes) {
        progress.advance(per_node).map_err(|what| root.error(what))?;
        if let Some(mesh) = mesh {
            node.mesh = meshes.mesh(mesh)?;
        }
    }
    let (lenses, camera_remarks) = cameras::read(root)?;
    for (node, index) in tree.nodes.iter_mut().zip(&tree.file_indices) {
        node.lens = lenses[*index];
    }
    let mut remarks = notice::unsupported(root)?;
    remarks.extend(camera_remarks);
    remarks.extend(tree.remarks);
    remarks.extend(meshes.remarks());
    let (look, texture_remarks) = meshes.materials.finish();
    remarks.extend(texture_remarks);
    let path_of = |node: usize| format!("nodes[{}]", tree.file_indices[node]);
    let loaded = source::loaded(&tree.file_indices, &tree.nodes);
    let mut scene = Scene::new(tree.nodes, meshes.meshes)
        .map_err(|error| LocatedError::new(path_of(error.node()), error.to_string()))?;
    scene.look = Arc::new(look);
    scene.notice = (!remarks.is_empty()).then(|| format!("not shown: {}", remarks.join(", ")));
    Ok((scene, loaded, buffers::into_external(root, folder, buffers)?))
}

fn check_version(root: &Json<'_>) -> Result<(), LocatedError> {
    let Some(asset) = root.get("asset")? else {
        return Err(root.error("this is not a glTF file: it has no `asset` property"));
    };
    let version = asset.need("version")?;
    match version.text()?.split('.').next() {
        Some("2") => Ok(()),
        _ => Err(version.error("only glTF 2.0 is supported")),
    }
}
