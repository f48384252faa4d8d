//! Meshes: all primitives of a glTF mesh become one triangle list.

use crate::budget::Charge;
use crate::external::ExternalFiles;
use crate::file_error::Result;
use crate::json::Json;
use crate::read::accessor::Accessors;
use crate::read::materials::MaterialReader;
use scene::mesh::{Mesh, Part, srgb8_from_linear};
use std::collections::HashMap;

/// Maximum number of vertices and indices in a scene. Within these limits each buffer fits wgpu's
/// downlevel limit of 256 MiB and all of them take at most half a gigabyte; otherwise a small file could
/// allocate any amount by naming one accessor many times.
const MAX_VERTICES: usize = 1 << 23;
pub(crate) const MAX_INDICES: usize = 1 << 25;

/// The way the vertices of a primitive form triangles.
#[derive(Clone, Copy)]
enum Topology {
    Triangles,
    Strip,
    Fan,
}

impl Topology {
    /// Returns `None` for points and lines.
    fn of(primitive: &Json<'_>) -> Result<Option<Self>> {
        match primitive.get_or("mode", 4, Json::index)? {
            0..=3 => Ok(None),
            4 => Ok(Some(Self::Triangles)),
            5 => Ok(Some(Self::Strip)),
            6 => Ok(Some(Self::Fan)),
            other => Err(primitive.error(format!("unknown mode {other}"))),
        }
    }
}

/// Reads meshes on demand.
pub(crate) struct MeshReader<'a> {
    pub(crate) accessors: Accessors<'a>,
    pub(crate) file_meshes: Vec<Json<'a>>,
    pub(crate) materials: MaterialReader<'a>,
    /// Index into [`MeshReader::meshes`] by index in the file; `None` for a mesh without triangles.
    read: HashMap<usize, Option<usize>>,
    /// The meshes read so far.
    pub(crate) meshes: Vec<Mesh>,
    vertices: usize,
    indices: usize,
    points_or_lines: usize,
}

impl<'a> MeshReader<'a> {
    pub(crate) fn new(
        root: &Json<'a>,
        accessors: Accessors<'a>,
        materials: MaterialReader<'a>,
    ) -> Result<Self> {
        Ok(Self {
            accessors,
            file_meshes: root.items_of("meshes")?,
            materials,
            read: HashMap::new(),
            meshes: Vec::new(),
            vertices: 0,
            indices: 0,
            points_or_lines: 0,
        })
    }

    /// Returns the files of the document, with the budget and the progress of the load.
    pub(crate) fn files(&self) -> &'a ExternalFiles<'a> {
        self.materials.files
    }

    /// Returns a remark on the primitives that were left out.
    pub(crate) fn remarks(&self) -> Option<String> {
        (self.points_or_lines > 0).then(|| format!("points and lines ({})", self.points_or_lines))
    }

    /// Reads the mesh whose index in the file is the value at `index`, and returns its index in
    /// [`MeshReader::meshes`], or `None` if it has no triangles. Looks for a cancel before each primitive.
    pub(crate) fn mesh(&mut self, index: &Json<'_>) -> Result<Option<usize>> {
        let file_index = index.index_below(self.file_meshes.len(), "meshes")?;
        if let Some(&index) = self.read.get(&file_index) {
            return Ok(index);
        }
        let mut mesh = Mesh::default();
        for primitive in self.file_meshes[file_index].need("primitives")?.items()? {
            self.files().check(&primitive)?;
            match self.primitive(&primitive)? {
                // Moved without a copy: most meshes have one primitive, and some are large.
                Some(part) if mesh.positions.is_empty() => mesh = part,
                Some(part) => mesh.append(part),
                None => {}
            }
        }
        let index = (!mesh.indices.is_empty()).then_some(self.meshes.len());
        if index.is_some() {
            self.meshes.push(mesh);
        }
        self.read.insert(file_index, index);
        Ok(index)
    }

    /// Returns the primitives of a mesh that it shows, in the order of its vertices.
    pub(crate) fn drawn_primitives(&self, file_mesh: usize) -> Result<Vec<Json<'a>>> {
        let mut drawn = Vec::new();
        for primitive in self.file_meshes[file_mesh].need("primitives")?.items()? {
            let has_positions = primitive.need("attributes")?.get("POSITION")?.is_some();
            if has_positions && Topology::of(&primitive)?.is_some() {
                drawn.push(primitive);
            }
        }
        Ok(drawn)
    }

    /// Copies a mesh that was read, for a node that deforms it. Returns the index of the copy.
    pub(crate) fn copy(&mut self, mesh: usize, node: &Json<'_>) -> Result<usize> {
        let (vertices, indices) = (self.meshes[mesh].positions.len(), self.meshes[mesh].indices.len());
        self.reserve(node, Topology::Triangles, vertices, indices)?;
        self.meshes.push(self.meshes[mesh].clone());
        Ok(self.meshes.len() - 1)
    }

    fn primitive(&mut self, primitive: &Json<'_>) -> Result<Option<Mesh>> {
        let topology = Topology::of(primitive)?;
        let attributes = primitive.need("attributes")?;
        let Some(position) = attributes.get("POSITION")? else {
            return Ok(None);
        };
        let Some(mut topology) = topology else {
            self.points_or_lines += 1;
            return Ok(None);
        };
        let count = self.accessors.count(&position)?;
        let index = primitive.get("indices")?;
        let index_count = index.as_ref().map_or(Ok(count), |index| self.accessors.count(index))?;
        if index.as_ref().is_some_and(|index| self.accessors.draco(index).is_ok_and(|found| found.is_some()))
        {
            // Compressed data has triangles even if they stand for a strip.
            topology = Topology::Triangles;
        }
        let normal = attributes.get("NORMAL")?;
        self.reserve(primitive, topology, count, index_count)?;

        let positions = self.accessors.floats::<3>(&position, &[3], 0.0)?;
        if let Some(element) = positions.iter().position(|p| p.iter().any(|c| !c.is_finite())) {
            return Err(self
                .accessors
                .at(&position)?
                .error(format!("element {element} is not a finite position")));
        }
        let vertices = positions.len() as u32;
        let indices = match &index {
            Some(index) => self.accessors.indices(index)?,
            None => (0..vertices).collect(),
        };
        if let Some((at, &vertex)) = indices.iter().enumerate().find(|(_, i)| **i >= vertices) {
            let what =
                format!("index {at} refers to vertex {vertex}, which is out of range ({vertices} vertices)");
            return Err(primitive.error(what));
        }
        let normals = normal.as_ref().map(|n| self.vectors(n, positions.len())).transpose()?;
        let material = primitive.get("material")?;
        let material = material.map(|index| self.materials.material(&index)).transpose()?;
        let indices = triangles(topology, indices);
        Ok(Some(Mesh {
            // Zero normals draw flat triangles, as glTF requires for a mesh without normals.
            normals: normals.unwrap_or_else(|| vec![[0.0; 3]; positions.len()]),
            colors: self.colors(&attributes, positions.len())?,
            uvs: self.uvs(&attributes, material, positions.len())?,
            positions,
            parts: vec![Part { indices: 0..indices.len() as u32, material }],
            indices,
        }))
    }

    /// Adds a primitive to the scene's totals, before its data is read. Exceeding a limit is an error.
    fn reserve(
        &mut self,
        primitive: &Json<'_>,
        topology: Topology,
        count: usize,
        index_count: usize,
    ) -> Result<()> {
        let corners = match topology {
            Topology::Triangles => index_count,
            Topology::Strip | Topology::Fan => index_count.saturating_mul(3),
        };
        self.vertices = self.vertices.saturating_add(count);
        self.indices = self.indices.saturating_add(corners);
        if self.vertices > MAX_VERTICES || self.indices > MAX_INDICES {
            return Err(primitive.error(format!(
                "too large: a scene may have at most {MAX_VERTICES} vertices and {MAX_INDICES} indices"
            )));
        }
        // Positions, normals, colors and texture coordinates; twice, because lists of several primitives
        // grow by doubling.
        let bytes = 2 * (36 * count as u64 + 4 * corners as u64);
        self.files().budget.charge(Charge::Memory, bytes, primitive)
    }

    /// Reads vectors of vertices. Those that are not finite count as 0.
    pub(crate) fn vectors(&self, index: &Json<'_>, count: usize) -> Result<Vec<[f32; 3]>> {
        self.same_count(index, count)?;
        let mut vectors = self.accessors.floats::<3>(index, &[3], 0.0)?;
        for vector in vectors.iter_mut().filter(|vector| !vector.iter().all(|c| c.is_finite())) {
            *vector = [0.0; 3];
        }
        Ok(vectors)
    }

    /// Reads the vertex colors, which are linear in the file, as sRGB.
    fn colors(&self, attributes: &Json<'_>, count: usize) -> Result<Vec<[u8; 4]>> {
        let Some(index) = attributes.get("COLOR_0")? else {
            return Ok(vec![[255; 4]; count]);
        };
        self.same_count(&index, count)?;
        let colors = self.accessors.floats::<4>(&index, &[3, 4], 1.0)?;
        Ok(colors.into_iter().map(srgb8_from_linear).collect())
    }

    /// Reads the texture coordinates that the material uses, or none if it has no textures.
    fn uvs(&self, attributes: &Json<'_>, material: Option<usize>, count: usize) -> Result<Vec<[f32; 2]>> {
        let Some(set) = material.and_then(|material| self.materials.uv_set(material)) else {
            return Ok(Vec::new());
        };
        let Some(index) = attributes.get(&format!("TEXCOORD_{set}"))? else {
            return Ok(Vec::new());
        };
        self.same_count(&index, count)?;
        self.accessors.floats::<2>(&index, &[2], 0.0)
    }

    /// Checks the number of elements of an attribute before it is read.
    pub(crate) fn same_count(&self, attribute: &Json<'_>, positions: usize) -> Result<()> {
        match self.accessors.count(attribute)? {
            found if found == positions => Ok(()),
            found => Err(attribute.error(format!("has {found} elements, but POSITION has {positions}"))),
        }
    }
}

/// Returns the triangle list of a primitive.
fn triangles(topology: Topology, mut indices: Vec<u32>) -> Vec<u32> {
    match topology {
        Topology::Triangles => {
            indices.truncate(indices.len() / 3 * 3);
            indices
        }
        // Every second triangle of a strip is flipped to keep the winding order.
        Topology::Strip => {
            let corner =
                |(i, w): (usize, &[u32])| if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] };
            indices.windows(3).enumerate().flat_map(corner).collect()
        }
        Topology::Fan => {
            let around = |w: &[u32]| [indices[0], w[0], w[1]];
            indices.get(1..).unwrap_or_default().windows(2).flat_map(around).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_fans_become_triangle_lists() {
        assert_eq!(triangles(Topology::Strip, vec![0, 1, 2, 3]), [0, 1, 2, 2, 1, 3]);
        assert_eq!(triangles(Topology::Fan, vec![0, 1, 2, 3]), [0, 1, 2, 0, 2, 3]);
        assert_eq!(triangles(Topology::Triangles, vec![0, 1, 2, 3]), [0, 1, 2]);
        assert_eq!(triangles(Topology::Fan, Vec::new()), [0; 0]);
    }
}
