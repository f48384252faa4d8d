//! Animations.

use crate::budget::Charge;
use crate::file_error::{Result, excerpt};
use crate::json::Json;
use crate::read::Broken;
use crate::read::primitives::MeshReader;
use crate::read::rig::RigReader;
use scene::rig::{Animation, Channel, Interpolation, Keyframes, Property};
use std::collections::{HashMap, HashSet};

/// Maximum number of animations that are shown.
const MAX_ANIMATIONS: usize = 1000;

/// What a channel can animate besides a property of a node.
const POINTER: &str = "pointer";

/// Returns the nodes whose morph weights an animation changes, by index in the file.
pub(super) fn morphed_nodes(animations: &[Json<'_>]) -> HashSet<usize> {
    let channels = animations.iter().filter_map(|animation| animation.value().get("channels")?.as_array());
    let targets = channels.flatten().filter_map(|channel| channel.get("target"));
    let weights =
        targets.filter(|target| target.get("path").and_then(|path| path.as_str()) == Some("weights"));
    weights.filter_map(|target| target.get("node")?.as_u64()).map(|node| node as usize).collect()
}

/// Reads the animations of nodes in the scene, with remarks on those that could not be read.
pub(super) fn read(
    animations: &[Json<'_>],
    rig: &RigReader<'_>,
    meshes: &MeshReader<'_>,
) -> Result<(Vec<Animation>, Vec<String>)> {
    let (mut found, mut broken, mut pointers) = (Vec::new(), Broken::default(), 0);
    for (index, animation) in animations.iter().enumerate().take(MAX_ANIMATIONS) {
        meshes.files().check(animation)?;
        let mut reader = AnimationReader { rig, meshes, samplers: HashMap::new(), pointers: 0 };
        if let Some(mut read) = broken.keep(reader.read(animation)).filter(|read| !read.channels.is_empty()) {
            let name = animation.get("name")?.and_then(|name| name.text().ok()).map(excerpt);
            read.name = name.filter(|name| !name.is_empty()).unwrap_or(format!("animation {index}"));
            found.push(read);
        }
        pointers += reader.pointers;
    }
    let mut remarks: Vec<String> = broken.remark("animations").into_iter().collect();
    if pointers > 0 {
        remarks.push(format!("animated properties other than those of nodes ({pointers})"));
    }
    if let Some(further) = animations.len().checked_sub(MAX_ANIMATIONS).filter(|further| *further > 0) {
        remarks.push(format!("further animations ({further})"));
    }
    Ok((found, remarks))
}

struct AnimationReader<'a, 'b> {
    rig: &'a RigReader<'b>,
    meshes: &'a MeshReader<'b>,
    /// Index into [`Animation::samplers`] by index in the file.
    samplers: HashMap<usize, usize>,
    /// The number of channels that animate something else.
    pointers: usize,
}

impl AnimationReader<'_, '_> {
    fn read(&mut self, animation: &Json<'_>) -> Result<Animation> {
        let (samplers, channels) = (animation.need("samplers")?, animation.need("channels")?);
        // The parsed lists, and the channels with the transforms of their nodes.
        let bytes = 160 * samplers.len() as u64 + 320 * channels.len() as u64;
        self.meshes.files().budget.charge(Charge::Memory, bytes, animation)?;
        let samplers = samplers.items()?;
        let mut read = Animation::default();
        for channel in channels.items()? {
            if let Some(channel) = self.channel(&channel, &samplers, &mut read)? {
                read.channels.push(channel);
            }
        }
        Ok(read)
    }

    /// Reads a channel and its sampler. Returns `None` if it animates nothing in the scene.
    fn channel(
        &mut self,
        channel: &Json<'_>,
        samplers: &[Json<'_>],
        animation: &mut Animation,
    ) -> Result<Option<Channel>> {
        let target = channel.need("target")?;
        let path = target.need("path")?;
        if path.text()? == POINTER {
            self.pointers += 1;
            return Ok(None);
        }
        let (property, width) = path.one_of(&[
            ("translation", (Property::Translation, 3)),
            ("rotation", (Property::Rotation, 4)),
            ("scale", (Property::Scale, 3)),
            ("weights", (Property::Weights, 1)),
        ])?;
        let Some(node) = target.get("node")? else { return Ok(None) };
        let Some(&node) = self.rig.scene_index.get(&node.index()?) else { return Ok(None) };
        // The number of values per keyframe is that of the morph targets.
        let (width, per_keyframe) = match (property, self.rig.target_counts.get(&node)) {
            (Property::Weights, None | Some(0)) => return Ok(None),
            (Property::Weights, Some(count)) => (1, *count),
            _ => (width, width),
        };
        let index = channel.need("sampler")?;
        let file_index = index.index_below(samplers.len(), "samplers")?;
        let sampler = match self.samplers.get(&file_index) {
            Some(sampler) => *sampler,
            None => {
                animation.samplers.push(self.keyframes(&samplers[file_index], width)?);
                let sampler = animation.samplers.len() - 1;
                self.samplers.insert(file_index, sampler);
                sampler
            }
        };
        let found = animation.samplers[sampler].width;
        if found != per_keyframe {
            return Err(index.error(format!("has {found} numbers per keyframe; expected {per_keyframe}")));
        }
        Ok(Some(Channel { node, property, sampler }))
    }

    fn keyframes(&self, sampler: &Json<'_>, width: usize) -> Result<Keyframes> {
        let table = [
            ("LINEAR", Interpolation::Linear),
            ("STEP", Interpolation::Step),
            ("CUBICSPLINE", Interpolation::CubicSpline),
        ];
        let interpolation =
            sampler.get_or("interpolation", Interpolation::Linear, |name| name.one_of(&table))?;
        let times = self.meshes.accessors.flat_floats(&sampler.need("input")?, 1)?;
        let values = self.meshes.accessors.flat_floats(&sampler.need("output")?, width)?;
        Keyframes::new(times, values, interpolation)
            .ok_or_else(|| sampler.error("its times must increase from 0, with finite values for each"))
    }
}
