//! Materials, textures and images. An invalid image affects only itself: the surface keeps its plain
//! color, and a remark reports the image.

use crate::budget::Charge;
use crate::external::{Content, ExternalFiles};
use crate::file_error::LocatedError;
use crate::json::Json;
use crate::read::Broken;
use crate::read::accessor::Views;
use scene::material::{Alpha, Look, Material, Mipmaps, Sampler, Slot, Texture, Wrap};
use scene::pixels::EncodedImage;
use std::collections::HashMap;
use std::sync::Arc;

/// Larger images are halved until they fit. Most GPUs support this size, and no window shows more.
const MAX_SIDE: u32 = 8192;
/// Once all images together have this many texels (256 MiB), further ones are reduced to
/// [`SMALL_SIDE`].
const MAX_TEXELS: u64 = 1 << 26;
const SMALL_SIDE: u32 = 256;

/// Reads materials as meshes ask for them.
pub(crate) struct MaterialReader<'a> {
    materials: Vec<Json<'a>>,
    textures: Vec<Json<'a>>,
    images: Vec<Json<'a>>,
    samplers: Vec<Json<'a>>,
    views: Views<'a>,
    pub(crate) files: &'a ExternalFiles<'a>,
    /// Index into [`Look::materials`] by index in the file.
    read: HashMap<usize, usize>,
    /// Index into [`Look::images`] by index in the file and whether it is sRGB; `None` for an image
    /// that cannot be shown.
    read_images: HashMap<(usize, bool), Option<usize>>,
    /// Index into [`Look::images`] by the address and length of the encoded bytes and whether they are
    /// sRGB: images of the same source are decoded once.
    decoded: HashMap<(Source, bool), usize>,
    texels: u64,
    look: Look,
    broken: Broken,
    on_other_uvs: usize,
}

impl<'a> MaterialReader<'a> {
    pub(crate) fn new(
        root: &Json<'a>,
        views: Views<'a>,
        files: &'a ExternalFiles<'a>,
    ) -> Result<Self, LocatedError> {
        Ok(Self {
            materials: root.items_of("materials")?,
            textures: root.items_of("textures")?,
            images: root.items_of("images")?,
            samplers: root.items_of("samplers")?,
            views,
            files,
            read: HashMap::new(),
            read_images: HashMap::new(),
            decoded: HashMap::new(),
            texels: 0,
            look: Look::default(),
            broken: Broken::default(),
            on_other_uvs: 0,
        })
    }

    /// Returns the materials and images that were read, and remarks on the textures that were not.
    pub(crate) fn finish(self) -> (Look, Vec<String>) {
        let mut remarks: Vec<_> = self.broken.remark("textures").into_iter().collect();
        if self.on_other_uvs > 0 {
            remarks.push(format!("textures on further UV sets ({})", self.on_other_uvs));
        }
        (self.look, remarks)
    }

    /// Reads the material whose index in the file is the value at `index`, and returns its index in
    /// [`Look::materials`].
    pub(crate) fn material(&mut self, index: &Json<'_>) -> Result<usize, LocatedError> {
        let file_index = index.index_below(self.materials.len(), "materials")?;
        if let Some(index) = self.read.get(&file_index) {
            return Ok(*index);
        }
        let material = self.read_material(&self.materials[file_index].clone())?;
        let index = self.look.materials.len();
        self.look.materials.push(material);
        self.read.insert(file_index, index);
        Ok(index)
    }

    /// Returns the set of texture coordinates that a material uses, or `None` if it has no textures.
    pub(crate) fn uv_set(&self, material: usize) -> Option<usize> {
        let material = &self.look.materials[material];
        material.textures.iter().any(Option::is_some).then_some(material.uv_set)
    }

    fn read_material(&mut self, json: &Json<'a>) -> Result<Material, LocatedError> {
        let mut material = Material { metallic: 1.0, roughness: 1.0, ..Material::default() };
        let mut slots: [Option<Json<'a>>; Slot::COUNT] = [const { None }; Slot::COUNT];
        if let Some(pbr) = json.get("pbrMetallicRoughness")? {
            if let Some(factor) = pbr.get("baseColorFactor")? {
                material.base_color = factor.numbers::<4>()?.map(|c| c as f32);
            }
            material.metallic = number(&pbr, "metallicFactor", 1.0)?.clamp(0.0, 1.0);
            material.roughness = number(&pbr, "roughnessFactor", 1.0)?.clamp(0.0, 1.0);
            slots[Slot::BaseColor as usize] = pbr.get("baseColorTexture")?;
            slots[Slot::MetallicRoughness as usize] = pbr.get("metallicRoughnessTexture")?;
        }
        slots[Slot::Normal as usize] = json.get("normalTexture")?;
        slots[Slot::Emissive as usize] = json.get("emissiveTexture")?;
        if let Some(normal) = &slots[Slot::Normal as usize] {
            material.normal_scale = number(normal, "scale", 1.0)?;
        }
        if let Some(factor) = json.get("emissiveFactor")? {
            material.emissive = factor.numbers::<3>()?.map(|c| c as f32);
        }
        material.is_unlit = json.extension("KHR_materials_unlit")?.is_some();
        if let Some(specular) = json.extension("KHR_materials_pbrSpecularGlossiness")? {
            slots[Slot::BaseColor as usize] = specular_glossiness(&specular, &mut material)?;
            slots[Slot::MetallicRoughness as usize] = None;
        }
        if let Some(strength) = json.extension("KHR_materials_emissive_strength")? {
            let strength = number(&strength, "emissiveStrength", 1.0)?;
            material.emissive = material.emissive.map(|c| c * strength);
        }
        material.alpha = match json.get("alphaMode")?.map_or(Ok("OPAQUE"), |mode| mode.text())? {
            "MASK" => Alpha::Mask(number(json, "alphaCutoff", 0.5)?),
            "BLEND" => Alpha::Blend,
            _ => Alpha::Opaque,
        };
        let mut uv_set = None;
        for slot in Slot::ALL {
            let Some(info) = &slots[slot as usize] else { continue };
            let texture = self.texture(info, slot);
            if texture.is_err() {
                self.files.check(info)?;
            }
            match self.broken.keep(texture).flatten() {
                None => {}
                // All textures share the UV set of the first one, which is the base color if present.
                Some((_, set)) if *uv_set.get_or_insert(set) != set => self.on_other_uvs += 1,
                Some((texture, _)) => material.textures[slot as usize] = Some(texture),
            }
        }
        material.uv_set = uv_set.unwrap_or(0);
        Ok(material)
    }

    /// Reads a texture and returns it with its UV set, or `None` if its image was reported as broken
    /// before.
    fn texture(&mut self, info: &Json<'a>, slot: Slot) -> Result<Option<(Texture, usize)>, LocatedError> {
        let index = info.need("index")?;
        let texture = self.textures[index.index_below(self.textures.len(), "textures")?].clone();
        let mut uv_set = info.get("texCoord")?.map_or(Ok(0), |set| set.index())?;
        let image_from_uv = match info.extension("KHR_texture_transform")? {
            Some(transform) => {
                uv_set = transform.get("texCoord")?.map_or(Ok(uv_set), |set| set.index())?;
                image_from_uv(&transform)?
            }
            None => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        };
        let sampler = match texture.get("sampler")? {
            Some(index) => sampler(&self.samplers[index.index_below(self.samplers.len(), "samplers")?])?,
            None => Sampler::default(),
        };
        let source =
            texture.get("source")?.map_or_else(|| image_of_extension(&texture), |source| Ok(Some(source)))?;
        let source = source.ok_or_else(|| texture.error("has no image in a supported format"))?;
        let image = self.image(&source, slot.is_srgb())?;
        Ok(image.map(|image| (Texture { image, sampler, image_from_uv }, uv_set)))
    }

    /// Reads an image and returns its index in [`Look::images`], or `None` if it was reported as broken
    /// before.
    fn image(&mut self, index: &Json<'a>, is_srgb: bool) -> Result<Option<usize>, LocatedError> {
        let file_index = index.index_below(self.images.len(), "images")?;
        if let Some(index) = self.read_images.get(&(file_index, is_srgb)) {
            return Ok(*index);
        }
        self.read_images.insert((file_index, is_srgb), None);
        let json = self.images[file_index].clone();
        self.files.check(&json)?;
        let index = match (json.get("uri")?, json.get("bufferView")?) {
            (Some(uri), _) => match self.files.content(&uri, "image", u64::MAX)? {
                Content::File(file) => {
                    let source = Source::File(Arc::as_ptr(&file.bytes).addr());
                    self.decode(&json, &file.bytes, (Some(source), is_srgb))?
                }
                Content::Data(bytes) => self.decode(&json, &bytes, (None, is_srgb))?,
            },
            (None, Some(view)) => {
                let bytes = self.views.bytes(&view)?;
                let source = Source::View(bytes.as_ptr().addr(), bytes.len());
                self.decode(&json, bytes, (Some(source), is_srgb))?
            }
            (None, None) => return Err(json.error("has neither a uri nor a bufferView")),
        };
        self.read_images.insert((file_index, is_srgb), Some(index));
        Ok(Some(index))
    }

    /// Decodes an image, unless its source was decoded before, and returns its index in [`Look::images`].
    fn decode(
        &mut self,
        json: &Json<'_>,
        bytes: &[u8],
        (source, is_srgb): (Option<Source>, bool),
    ) -> Result<usize, LocatedError> {
        let key = source.map(|source| (source, is_srgb));
        if let Some(index) = key.and_then(|key| self.decoded.get(&key)) {
            return Ok(*index);
        }
        let encoded = EncodedImage::new(bytes).map_err(|what| json.error(what))?;
        self.files.budget.charge(Charge::Texels, encoded.texels(), json)?;
        let max_side = if self.texels < MAX_TEXELS { MAX_SIDE } else { SMALL_SIDE };
        let shown = encoded.texels_at_most(max_side);
        let pixels = {
            let _scratch = self.files.budget.scratch(encoded.decoder_bytes(max_side), json)?;
            encoded.decode(max_side, is_srgb).map_err(|what| json.error(what))?
        };
        self.files.budget.charge(Charge::Memory, 4 * shown, json)?;
        self.texels += shown;
        let index = self.look.images.len();
        self.look.images.push(pixels);
        if let Some(key) = key {
            self.decoded.insert(key, index);
        }
        Ok(index)
    }
}

/// The encoded bytes of an image, which stay in memory while a file is read: the address of a file, or the
/// address and the length of a buffer view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    File(usize),
    View(usize, usize),
}

/// Reads the older description of a surface, as one that is not metallic. Returns its texture.
fn specular_glossiness<'a>(
    json: &Json<'a>,
    material: &mut Material,
) -> Result<Option<Json<'a>>, LocatedError> {
    let factor = json.get("diffuseFactor")?.map_or(Ok([1.0; 4]), |factor| factor.numbers::<4>())?;
    material.base_color = factor.map(|c| c as f32);
    material.metallic = 0.0;
    material.roughness = 1.0 - number(json, "glossinessFactor", 1.0)?.clamp(0.0, 1.0);
    if json.get("specularGlossinessTexture")?.is_some() {
        // Its glossiness is per texel, and is not shown: neither mirrors nor chalk.
        material.roughness = 0.5;
    }
    json.get("diffuseTexture")
}

fn number(json: &Json<'_>, key: &str, default: f32) -> Result<f32, LocatedError> {
    Ok(json.get(key)?.map_or(Ok(f64::from(default)), |json| json.number())? as f32)
}

/// Returns the index of an image in a format that needs an extension.
fn image_of_extension<'a>(texture: &Json<'a>) -> Result<Option<Json<'a>>, LocatedError> {
    for name in ["KHR_texture_basisu", "EXT_texture_webp"] {
        if let Some(extension) = texture.extension(name)?
            && let Some(source) = extension.get("source")?
        {
            return Ok(Some(source));
        }
    }
    Ok(None)
}

/// Returns the matrix of `KHR_texture_transform`, which scales, then rotates, then offsets.
fn image_from_uv(transform: &Json<'_>) -> Result<[[f32; 3]; 2], LocatedError> {
    let pair = |key, default| transform.get(key)?.map_or(Ok(default), |json| json.numbers::<2>());
    let ([u, v], [su, sv]) = (pair("offset", [0.0; 2])?, pair("scale", [1.0; 2])?);
    let rotation = transform.get("rotation")?.map_or(Ok(0.0), |json| json.number())?;
    let (sin, cos) = rotation.sin_cos();
    Ok([[cos * su, sin * sv, u], [-sin * su, cos * sv, v]].map(|row| row.map(|v| v as f32)))
}

/// Reads a sampler, whose numbers are OpenGL constants.
fn sampler(json: &Json<'_>) -> Result<Sampler, LocatedError> {
    let read = |key, default| json.get(key)?.map_or(Ok(default), |json| json.index());
    let wrap = |key| {
        Ok(match read(key, 10497)? {
            33071 => Wrap::Clamp,
            33648 => Wrap::Mirror,
            _ => Wrap::Repeat,
        })
    };
    let (linear_min, mipmaps) = match read("minFilter", 9987)? {
        9728 => (false, Mipmaps::Unused),
        9729 => (true, Mipmaps::Unused),
        9984 => (false, Mipmaps::Nearest),
        9985 => (true, Mipmaps::Nearest),
        9986 => (false, Mipmaps::Mixed),
        _ => (true, Mipmaps::Mixed),
    };
    let linear_mag = read("magFilter", 9729)? != 9728;
    Ok(Sampler { wrap: [wrap("wrapS")?, wrap("wrapT")?], linear_mag, linear_min, mipmaps })
}
