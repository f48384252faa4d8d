//! Morph targets.

use crate::budget::Charge;
use crate::file_error::Result;
use crate::json::Json;
use crate::read::primitives::MeshReader;
use scene::rig::{Delta, MorphTarget};
use std::ops::Range;

/// Returns the number of morph targets of a mesh.
pub(super) fn count(mesh: &Json<'_>) -> usize {
    let primitives = mesh.value().get("primitives").and_then(|primitives| primitives.as_array());
    let targets = |primitive: &serde_json::Value| primitive.get("targets")?.as_array().map(Vec::len);
    primitives.into_iter().flatten().filter_map(targets).max().unwrap_or(0)
}

/// Reads the morph targets of a primitive, which has these vertices of its mesh.
pub(super) fn read(
    primitive: &Json<'_>,
    vertices: Range<usize>,
    meshes: &MeshReader<'_>,
) -> Result<Vec<MorphTarget>> {
    let Some(targets) = primitive.get("targets")? else { return Ok(Vec::new()) };
    let count = vertices.len();
    // As if every vertex were moved, because the time to read a target depends on all vertices.
    let number = targets.len() as u64;
    let bytes = number.saturating_mul(64 + 28 * count as u64);
    let files = meshes.files();
    files.budget.charge(Charge::Memory, bytes, &targets)?;
    let _scratch = files.budget.scratch(24 * count as u64, &targets)?;
    let target = |target: Json<'_>| {
        files.check(&target)?;
        let vectors = |key| target.get_or(key, Vec::new(), |index| meshes.vectors(index, count));
        let (positions, normals) = (vectors("POSITION")?, vectors("NORMAL")?);
        let at = |list: &[[f32; 3]], vertex: usize| list.get(vertex).copied().unwrap_or_default();
        let delta = |vertex: usize| {
            let (position, normal) = (at(&positions, vertex), at(&normals, vertex));
            let is_moved = position.iter().chain(&normal).any(|coordinate| *coordinate != 0.0);
            is_moved.then_some(Delta { vertex: (vertices.start + vertex) as u32, position, normal })
        };
        let mut deltas: Vec<Delta> = (0..count).filter_map(delta).collect();
        deltas.shrink_to_fit();
        Ok(MorphTarget { deltas })
    };
    targets.items()?.into_iter().map(target).collect()
}
