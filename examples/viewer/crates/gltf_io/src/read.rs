//! Reads glTF 2.0 files, text (`.gltf`) and binary (`.glb`), as a [`Scene`].

mod accessor;
mod draco;
mod materials;
mod primitives;
mod rig;
pub(crate) mod tree;
pub(crate) mod volumes;

#[cfg(test)]
pub(crate) mod tests;

use crate::budget::{Budget, Charge};
use crate::buffers;
use crate::container;
use crate::external::ExternalFiles;
use crate::file_error::{FileError, LocatedError, Result, excerpt, readable};
use crate::json::{self, Json};
use crate::meshopt;
use crate::progress::Progress;
use crate::source::{LoadedNode, Marks, Source};
use crate::uri::{AllowedFolders, SceneFolder, is_data};
use crate::write_file::{FileStamp, Restriction};
use accessor::{Accessors, Views};
use materials::MaterialReader;
use primitives::MeshReader;
use scene::Scene;
use std::path::Path;
use std::sync::Arc;

/// Prefixes of the extensions that a file may require although the viewer ignores most of them: the
/// shapes are correct without them. `KHR_mesh_quantization` is supported.
const ACCEPTED_EXTENSIONS: [&str; 13] = [
    meshopt::EXTENSIONS[0],
    meshopt::EXTENSIONS[1],
    draco::EXTENSION,
    "KHR_mesh_quantization",
    "KHR_materials_",
    "KHR_texture_",
    volumes::LIGHTS,
    "KHR_animation_pointer",
    tree::VISIBILITY,
    "EXT_texture_",
    "KHR_xmp",
    // Predecessors of `KHR_texture_basisu` and of the materials of glTF 2.0.
    "GOOGLE_texture_basis",
    "KHR_techniques_webgl",
];

/// Opens the default scene of a file, or its first scene if there is no default. [`Scene::notice`]
/// lists the features of the file that the viewer does not show, and [`Scene::source`] keeps the data
/// that saving needs.
pub fn open(path: &Path) -> Result<Scene, FileError> {
    open_allowing(path, &AllowedFolders::default(), &Progress::default())
}

/// Like [`open`], and reads files in further folders, and reports its progress.
pub fn open_allowing(path: &Path, allowed: &AllowedFolders, progress: &Progress) -> Result<Scene, FileError> {
    let (container, metadata) = container::read(path, progress)?;
    let budget = Budget::new(container.bytes.len() as u64);
    let document = json::parse_within(container.json(), &budget).map_err(|error| error.in_file(path))?;
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let files = ExternalFiles::new(SceneFolder::new(&folder, allowed), &budget, progress);
    let root = Json::root(&document);
    charge_lists(&root, &budget).map_err(|error| error.in_file(path))?;
    // Stamped before anything is read, so that any later write counts as a change.
    let stamp = FileStamp::of_metadata(&metadata).with_contents(&[&container.bytes]);
    let mut stamps = vec![(path.to_owned(), stamp)];
    stamps.extend(files.stamps(&root).map_err(|error| error.in_file(path))?);
    let (mut scene, nodes) = read(&root, container.binary(), &files).map_err(|error| error.in_file(path))?;
    let (files, outside) = (files.by_uri.into_inner(), files.outside.into_inner().into_iter().collect());
    drop(document);
    let volumes = scene.volumes().to_vec();
    let restriction = Restriction::of(&metadata);
    let source = Source { container, nodes, volumes, folder, files, outside, restriction, stamps };
    scene.source = Some(Arc::new(source));
    Ok(scene)
}

/// Parts of a file that could not be read: their number, and the first errors.
#[derive(Default)]
struct Broken {
    count: usize,
    first: Vec<LocatedError>,
}

impl Broken {
    /// Further errors are counted.
    const MAX_NAMED: usize = 8;

    /// Returns what was read, or counts the error.
    fn keep<T>(&mut self, read: Result<T>) -> Option<T> {
        let note = |error| {
            self.count += 1;
            if self.first.len() < Self::MAX_NAMED {
                self.first.push(error);
            }
        };
        read.map_err(note).ok()
    }

    /// Returns a remark such as `skins (2; skins[0].joints: missing)`.
    fn remark(self, what: &str) -> Option<String> {
        let first = readable(&self.first.first()?.to_string());
        Some(format!("{what} ({}; {first})", self.count))
    }
}

/// Charges the lists of values that the readers make of the lists of the document.
fn charge_lists(root: &Json<'_>, budget: &Budget) -> Result<()> {
    for key in root.keys()? {
        let Some(list) = root.get(key)? else { continue };
        let items = list.len() as u64;
        // With the list of what was read, such as cameras.
        let bytes = 3 * items * size_of::<Json<'_>>() as u64;
        let files = if matches!(key, "images" | "buffers") { items } else { 0 };
        for (charge, amount) in [(Charge::Memory, bytes), (Charge::Images, files)] {
            budget.charge(charge, amount, &list)?;
        }
    }
    Ok(())
}

/// Reads the scene, its nodes as the file describes them, and all files that it refers to.
fn read(
    root: &Json<'_>,
    binary: Option<&[u8]>,
    files: &ExternalFiles<'_>,
) -> Result<(Scene, Vec<LoadedNode>)> {
    check_version(root)?;
    check_extensions(root)?;
    let mut tree = tree::read(root, files.budget)?;
    let buffers = buffers::read(root, binary, files)?;
    let decoded = meshopt::decode_views(root, &buffers, files)?;
    let list = root.items_of("bufferViews")?.into();
    let views = Views { list, buffers: &buffers, decoded: &decoded };
    let materials = MaterialReader::new(root, views.clone(), files)?;
    let mut accessors = Accessors::new(root, views, files.budget)?;
    accessors.draco = draco::decode(root, &accessors, files)?;
    let mut meshes = MeshReader::new(root, accessors, materials)?;
    let (done, total) = files.progress.state();
    let per_node = total.saturating_sub(done) / tree.nodes.len().max(1) as u64;
    for (node, mesh) in tree.nodes.iter_mut().zip(&tree.meshes) {
        files.progress.advance(per_node).map_err(|what| root.error(what))?;
        if let Some(mesh) = mesh {
            node.mesh = meshes.mesh(mesh)?;
        }
    }
    let (rig, rig_remarks) = rig::read(root, &mut tree, &mut meshes)?;
    let volumes = volumes::read(root)?;
    for (node, index) in tree.nodes.iter_mut().zip(&tree.file_indices) {
        [node.camera, node.light] = volumes.of_nodes[*index];
    }
    let mut remarks = Vec::new();
    let other_scenes = root.items_of("scenes")?.len().saturating_sub(1);
    if other_scenes > 0 {
        remarks.push(format!("other scenes ({other_scenes})"));
    }
    remarks.extend(volumes.remarks);
    remarks.extend(rig_remarks);
    remarks.extend(tree.remarks);
    remarks.extend(meshes.remarks());
    let (look, texture_remarks) = meshes.materials.finish();
    remarks.extend(texture_remarks);
    let path_of = |node: usize| format!("nodes[{}]", tree.file_indices[node]);
    let mut scene = Scene::new(tree.nodes, meshes.meshes)
        .map_err(|error| LocatedError::new(path_of(error.node), error.to_string()))?;
    scene.set_rig(rig);
    let mut loaded = Vec::with_capacity(tree.marks.len());
    for (node, (marks, file_index)) in tree.marks.into_iter().zip(tree.file_indices).enumerate() {
        // A node without a mesh has nothing to cut.
        let has_mesh = scene.nodes()[node].mesh.is_some();
        Marks { crop: marks.crop.filter(|_| has_mesh), ..marks }.apply(&mut scene, node);
        loaded.push(LoadedNode::of(&scene, node, file_index));
    }
    scene.set_volumes(volumes.list);
    scene.look = Arc::new(look);
    scene.notice = (!remarks.is_empty()).then(|| readable(&format!("Not shown: {}", remarks.join(", "))));
    read_images(root, files)?;
    Ok((scene, loaded))
}

fn check_extensions(root: &Json<'_>) -> Result<()> {
    for required in root.items_of("extensionsRequired")? {
        let name = required.text()?;
        if !ACCEPTED_EXTENSIONS.iter().any(|known| name.starts_with(known)) {
            let name = excerpt(name);
            return Err(required.error(format!("requires the extension {name}, which is not supported")));
        }
    }
    Ok(())
}

/// Reads the files of all images that can be read, including those that are not shown, for saving.
fn read_images(root: &Json<'_>, files: &ExternalFiles<'_>) -> Result<()> {
    for image in root.items_of("images")? {
        files.check(&image)?;
        if let Some(uri) = image.get("uri").ok().flatten().filter(|uri| !uri.text().is_ok_and(is_data)) {
            // The scene opens without it.
            let _ = files.content(&uri, "image", u64::MAX);
        }
    }
    Ok(())
}

fn check_version(root: &Json<'_>) -> Result<()> {
    let Some(asset) = root.get("asset")? else {
        return Err(root.error("this is not a glTF file: it has no `asset` property"));
    };
    let version = asset.need("version")?;
    match version.text()?.split('.').next() {
        Some("2") => Ok(()),
        _ => Err(version.error("only glTF 2.0 is supported")),
    }
}
