//! Decodes the primitives of `KHR_draco_mesh_compression` into the accessors that they stand for.

use super::accessor::{Accessors, Component};
use super::primitives::MAX_INDICES;
use crate::budget::Charge;
use crate::external::ExternalFiles;
use crate::file_error::Result;
use crate::json::Json;
use draco_core::{
    DataType, DecodeLimits, DecoderBuffer, ErrorKind, Mesh, MeshDecoder, PointAttribute, PointIndex,
};
use std::collections::HashMap;

/// The name of the extension.
pub(crate) const EXTENSION: &str = "KHR_draco_mesh_compression";

/// Upper bounds of the memory that the decoder takes, per triangle and per byte of its attributes, as measured
/// with Draco 1.5.7 files of 10^6 vertices.
const BYTES_PER_FACE: u64 = 66;
const BYTES_PER_DECODED_BYTE: u64 = 8;

/// The tightly packed elements of an accessor that a compressed primitive stands for. Their type is the decoded
/// one: a primitive can decode to more vertices than its accessor of 16-bit indices expects.
#[derive(Debug)]
pub(crate) struct DecodedAccessor {
    pub(crate) component: Component,
    /// Components per element.
    pub(crate) width: usize,
    pub(crate) bytes: Vec<u8>,
}

impl DecodedAccessor {
    pub(crate) fn count(&self) -> usize {
        self.bytes.len() / (self.width * self.component.size()).max(1)
    }
}

/// Decodes the compressed primitives of all meshes, by the index of the accessor. A primitive that also has
/// uncompressed positions is left as it is.
pub(crate) fn decode(
    root: &Json<'_>,
    accessors: &Accessors<'_>,
    files: &ExternalFiles<'_>,
) -> Result<HashMap<usize, DecodedAccessor>> {
    let mut decoded = HashMap::new();
    for mesh in root.items_of("meshes")? {
        for primitive in mesh.items_of("primitives")? {
            if let Some(compressed) = primitive.extension(EXTENSION)? {
                files.check(&primitive)?;
                decode_primitive(&primitive, &compressed, accessors, files, &mut decoded)?;
            }
        }
    }
    Ok(decoded)
}

fn decode_primitive(
    primitive: &Json<'_>,
    compressed: &Json<'_>,
    accessors: &Accessors<'_>,
    files: &ExternalFiles<'_>,
    decoded: &mut HashMap<usize, DecodedAccessor>,
) -> Result<()> {
    let attributes = primitive.need("attributes")?;
    let Some(position) = attributes.get("POSITION")? else { return Ok(()) };
    if accessors.at(&position)?.get("bufferView")?.is_some() {
        return Ok(());
    }
    let ids = compressed.need("attributes")?;
    // The accessors of the attributes, with the ids of the attributes in the compressed data.
    let mut slots = Vec::new();
    for semantic in ids.keys()? {
        // An attribute that the primitive does not have is not shown.
        let Some(accessor) = attributes.get(semantic)? else { continue };
        let id = ids.need(semantic)?;
        let unique_id = u32::try_from(id.index()?).map_err(|_| id.error("is out of range"))?;
        slots.push((accessors.index_of(&accessor)?, unique_id));
    }
    let indices = accessors.index_of(&primitive.need("indices")?)?;
    if slots.iter().map(|(accessor, _)| accessor).chain([&indices]).all(|slot| decoded.contains_key(slot)) {
        return Ok(());
    }
    let bytes = accessors.views.bytes(&compressed.need("bufferView")?)?;
    let mesh = decode_mesh(bytes, files).map_err(|what| compressed.error(what))?;
    let charge = |bytes: usize| files.budget.charge(Charge::Memory, bytes as u64, compressed);
    charge(12 * mesh.num_faces())?;
    let points = mesh.faces().as_flattened().iter();
    let bytes = points.flat_map(|point| point.0.to_le_bytes()).collect();
    decoded.insert(indices, DecodedAccessor { component: Component::U32, width: 1, bytes });
    for (accessor, unique_id) in slots {
        let attribute = mesh
            .attribute_by_unique_id(unique_id)
            .ok_or_else(|| compressed.error(format!("the compressed data has no attribute {unique_id}")))?;
        let component = component(attribute.data_type()).ok_or_else(|| {
            compressed.error(format!("attribute {unique_id} has an unsupported type of numbers"))
        })?;
        let width = usize::from(attribute.num_components());
        charge(mesh.num_points() * width * component.size())?;
        let bytes = packed(attribute, mesh.num_points(), width * component.size());
        decoded.insert(accessor, DecodedAccessor { component, width, bytes });
    }
    Ok(())
}

/// Decodes within the memory that is left, about half of which triangles may take, and attributes the other half.
fn decode_mesh(bytes: &[u8], files: &ExternalFiles<'_>) -> Result<Mesh, String> {
    let half = files.budget.left(Charge::Memory) / 2;
    let limits = DecodeLimits::default()
        .with_max_faces((half / BYTES_PER_FACE).min(MAX_INDICES as u64 / 3))
        .with_max_decoded_bytes(half / BYTES_PER_DECODED_BYTE);
    let mut mesh = Mesh::new();
    let decoded = MeshDecoder::new().decode(&mut DecoderBuffer::new(bytes).with_limits(limits), &mut mesh);
    match decoded {
        Ok(()) => Ok(mesh),
        Err(error) if error.kind() == ErrorKind::LimitExceeded => {
            Err("too large: decoding it needs more memory than files of this size may take".to_owned())
        }
        Err(_) => Err("the compressed data is damaged".to_owned()),
    }
}

fn component(data_type: DataType) -> Option<Component> {
    match data_type {
        DataType::Int8 => Some(Component::I8),
        DataType::Uint8 => Some(Component::U8),
        DataType::Int16 => Some(Component::I16),
        DataType::Uint16 => Some(Component::U16),
        DataType::Uint32 => Some(Component::U32),
        DataType::Float32 => Some(Component::F32),
        _ => None,
    }
}

/// Returns the element of each vertex. Vertices can share an element.
fn packed(attribute: &PointAttribute, vertices: usize, size: usize) -> Vec<u8> {
    let data = attribute.buffer().data();
    let stride = usize::try_from(attribute.byte_stride()).unwrap_or(size);
    let mut bytes = vec![0; vertices * size];
    for (vertex, out) in bytes.chunks_exact_mut(size.max(1)).enumerate() {
        let element = attribute.mapped_index(PointIndex(vertex as u32)).0 as usize;
        let start = element.checked_mul(stride);
        if let Some(found) = start.and_then(|start| data.get(start..start.checked_add(size)?)) {
            out.copy_from_slice(found);
        }
    }
    bytes
}

#[cfg(test)]
mod tests;
