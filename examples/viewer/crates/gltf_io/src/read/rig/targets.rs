//! Morph targets.

use crate::budget::Charge;
use crate::file_error::LocatedError;
use crate::json::Json;
use crate::read::primitives::MeshReader;
use scene::rig::{Delta, MorphTarget};

/// Returns the number of morph targets of a mesh.
pub(super) fn count(mesh: &Json<'_>) -> usize {
    let primitives = mesh.value().get("primitives").and_then(|primitives| primitives.as_array());
    let targets = |primitive: &serde_json::Value| primitive.get("targets")?.as_array().map(Vec::len);
    primitives.into_iter().flatten().filter_map(targets).max().unwrap_or(0)
}

/// Reads the morph targets of a primitive.
pub(super) fn read(
    primitive: &Json<'_>,
    count: usize,
    meshes: &MeshReader<'_>,
) -> Result<Vec<MorphTarget>, LocatedError> {
    let Some(targets) = primitive.get("targets")? else { return Ok(Vec::new()) };
    // As if every vertex were moved, because the time to read a target depends on all vertices.
    let number = targets.value().as_array().map_or(0, Vec::len) as u64;
    let bytes = number.saturating_mul(64 + 28 * count as u64);
    let budget = meshes.materials.files.budget;
    budget.charge(Charge::Memory, bytes).map_err(|spent| spent.at(&targets.place()))?;
    let scratch = budget.scratch(24 * count as u64);
    let _scratch = scratch.map_err(|spent| spent.at(&targets.place()))?;
    let target = |target: Json<'_>| {
        meshes.materials.files.progress.check().map_err(|what| target.error(what))?;
        let positions = deltas(&target, "POSITION", count, meshes)?;
        let normals = deltas(&target, "NORMAL", count, meshes)?;
        let at = |list: &[[f32; 3]], vertex: usize| list.get(vertex).copied().unwrap_or_default();
        let delta = |vertex: usize| {
            let (position, normal) = (at(&positions, vertex), at(&normals, vertex));
            let is_moved = position.iter().chain(&normal).any(|coordinate| *coordinate != 0.0);
            is_moved.then_some(Delta { vertex: vertex as u32, position, normal })
        };
        let mut deltas: Vec<Delta> = (0..count).filter_map(delta).collect();
        deltas.shrink_to_fit();
        Ok(MorphTarget { deltas })
    };
    targets.items()?.into_iter().map(target).collect()
}

/// Reads the displacements of an attribute, or none if the target does not have it. Numbers that are not
/// finite count as 0.
fn deltas(
    target: &Json<'_>,
    attribute: &str,
    count: usize,
    meshes: &MeshReader<'_>,
) -> Result<Vec<[f32; 3]>, LocatedError> {
    let Some(index) = target.get(attribute)? else { return Ok(Vec::new()) };
    meshes.same_count(&index, count)?;
    let mut deltas = meshes.accessors.floats::<3>(&index, &[3], 0.0)?;
    for delta in &mut deltas {
        if delta.iter().any(|coordinate| !coordinate.is_finite()) {
            *delta = [0.0; 3];
        }
    }
    Ok(deltas)
}
