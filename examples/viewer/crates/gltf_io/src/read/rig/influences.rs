//! The joints and weights of vertices.

use crate::file_error::Result;
use crate::json::Json;
use crate::read::primitives::MeshReader;
use scene::rig::Influence;

/// Maximum number of attributes with four joints each.
const MAX_SETS: usize = 4;

/// Returns the attributes of a primitive that have joints and their weights.
fn sets<'a>(attributes: &Json<'a>) -> Result<Vec<(Json<'a>, Json<'a>)>> {
    let mut sets = Vec::new();
    for set in 0..MAX_SETS {
        let Some(joints) = attributes.get(&format!("JOINTS_{set}"))? else { break };
        sets.push((joints, attributes.need(&format!("WEIGHTS_{set}"))?));
    }
    Ok(sets)
}

/// Returns the number of influences that each vertex of a mesh has: the largest of its primitives.
pub(super) fn per_vertex(primitives: &[Json<'_>]) -> Result<usize> {
    let of = |primitive: &Json<'_>| Ok(4 * sets(&primitive.need("attributes")?)?.len());
    primitives.iter().try_fold(0, |max, primitive| Ok(of(primitive)?.max(max)))
}

/// Reads the influences of the vertices of a primitive. The weights of a vertex add up to 1. A vertex without a usable
/// weight follows its first joint, and one without joints the first of the skin.
pub(super) fn read(
    attributes: &Json<'_>,
    influences: &mut [Influence],
    per_vertex: usize,
    meshes: &MeshReader<'_>,
) -> Result<()> {
    let count = influences.len() / per_vertex;
    for (set, (joints, weights)) in sets(attributes)?.iter().enumerate() {
        meshes.same_count(joints, count)?;
        meshes.same_count(weights, count)?;
        let expected = "must have elements of four unsigned integers";
        let joints = meshes.accessors.unsigned::<4>(joints, expected)?;
        let weights = meshes.accessors.floats::<4>(weights, &[4], 0.0)?;
        for (vertex, (joints, weights)) in
            influences.chunks_exact_mut(per_vertex).zip(joints.iter().zip(&weights))
        {
            for ((slot, joint), weight) in vertex[4 * set..].iter_mut().zip(joints).zip(weights) {
                let is_usable = weight.is_finite() && *weight > 0.0;
                *slot = Influence { joint: *joint, weight: if is_usable { *weight } else { 0.0 } };
            }
        }
    }
    influences.chunks_exact_mut(per_vertex).for_each(normalize);
    Ok(())
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
