//! The joints and weights of vertices.

use crate::budget::Charge;
use crate::file_error::Result;
use crate::json::Json;
use crate::read::primitives::MeshReader;
use scene::rig::Influence;

/// Maximum number of attributes with four joints each.
const MAX_SETS: usize = 4;

/// Reads the influences of each vertex, or none if the primitive has no joints. The weights of a vertex add
/// up to 1. A vertex without a usable weight follows its first joint.
pub(super) fn read(attributes: &Json<'_>, count: usize, meshes: &MeshReader<'_>) -> Result<Vec<Influence>> {
    let mut sets = Vec::new();
    for set in 0..MAX_SETS {
        let Some(joints) = attributes.get(&format!("JOINTS_{set}"))? else { break };
        sets.push((joints, attributes.need(&format!("WEIGHTS_{set}"))?));
    }
    if sets.is_empty() {
        return Ok(Vec::new());
    }
    let per_vertex = 4 * sets.len();
    // Twice, because the shapes of several primitives are joined, and the numbers that are read.
    let bytes = (2 * 8 * per_vertex as u64 + 32) * count as u64;
    meshes.files().budget.charge(Charge::Memory, bytes, attributes)?;
    let mut influences = vec![Influence::default(); per_vertex * count];
    for (set, (joints, weights)) in sets.iter().enumerate() {
        meshes.same_count(joints, count)?;
        meshes.same_count(weights, count)?;
        let expected = "must have elements of four unsigned integers";
        let joints = meshes.accessors.unsigned::<4>(joints, expected)?;
        let weights = meshes.accessors.floats::<4>(weights, &[4], 0.0)?;
        for (vertex, (joints, weights)) in joints.iter().zip(&weights).enumerate() {
            let slots = &mut influences[vertex * per_vertex + 4 * set..][..4];
            for ((slot, joint), weight) in slots.iter_mut().zip(joints).zip(weights) {
                let is_usable = weight.is_finite() && *weight > 0.0;
                *slot = Influence { joint: *joint, weight: if is_usable { *weight } else { 0.0 } };
            }
        }
    }
    influences.chunks_exact_mut(per_vertex).for_each(normalize);
    Ok(influences)
}

fn normalize(influences: &mut [Influence]) {
    let sum: f32 = influences.iter().map(|influence| influence.weight).sum();
    if sum > 0.0 && sum.is_finite() {
        influences.iter_mut().for_each(|influence| influence.weight /= sum);
    } else {
        influences.iter_mut().for_each(|influence| influence.weight = 0.0);
        influences[0].weight = 1.0;
    }
}
