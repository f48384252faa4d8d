//! Materials, textures and images. An invalid image affects only itself: the surface keeps its plain
//! color, and a remark reports the image.

use crate::budget::Charge;
use crate::external::ExternalFiles;
use crate::file_error::Result;
use crate::json::Json;
use crate::read::Broken;
use crate::read::accessor::Views;
use crate::uri::data_of;
use scene::material::{Alpha, Look, Material, Mipmaps, Sampler, Slot, Texture, Wrap};
use scene::pixels::EncodedImage;
use std::collections::HashMap;

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
    /// Index into [`Look::images`] by the address and length of the source, which stays in memory while a file is
    /// read, and whether it is sRGB: images of the same source are decoded once.
    decoded: HashMap<(usize, usize, bool), usize>,
    texels: u64,
    look: Look,
    broken: Broken,
    on_other_uvs: usize,
}

impl<'a> MaterialReader<'a> {
    pub(crate) fn new(root: &Json<'a>, views: Views<'a>, files: &'a ExternalFiles<'a>) -> Result<Self> {
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
    pub(crate) fn material(&mut self, index: &Json<'_>) -> Result<usize> {
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

    fn read_material(&mut self, json: &Json<'a>) -> Result<Material> {
        let mut material = Material { metallic: 1.0, roughness: 1.0, ..Material::default() };
        let mut slots: [Option<Json<'a>>; Slot::COUNT] = [const { None }; Slot::COUNT];
        if let Some(pbr) = json.get("pbrMetallicRoughness")? {
            material.base_color = numbers(&pbr, "baseColorFactor", [1.0; 4])?;
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
        material.emissive = numbers(json, "emissiveFactor", [0.0; 3])?;
        material.is_unlit = json.extension("KHR_materials_unlit")?.is_some();
        if let Some(specular) = json.extension("KHR_materials_pbrSpecularGlossiness")? {
            slots[Slot::BaseColor as usize] = specular_glossiness(&specular, &mut material)?;
            slots[Slot::MetallicRoughness as usize] = None;
        }
        if let Some(strength) = json.extension("KHR_materials_emissive_strength")? {
            let strength = number(&strength, "emissiveStrength", 1.0)?;
            material.emissive = material.emissive.map(|c| c * strength);
        }
        material.alpha = match json.get_or("alphaMode", "OPAQUE", Json::text)? {
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
    fn texture(&mut self, info: &Json<'a>, slot: Slot) -> Result<Option<(Texture, usize)>> {
        let index = info.need("index")?;
        let texture = self.textures[index.index_below(self.textures.len(), "textures")?].clone();
        let mut uv_set = info.get_or("texCoord", 0, Json::index)?;
        let image_from_uv = match info.extension("KHR_texture_transform")? {
            Some(transform) => {
                uv_set = transform.get_or("texCoord", uv_set, Json::index)?;
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
    fn image(&mut self, index: &Json<'a>, is_srgb: bool) -> Result<Option<usize>> {
        let file_index = index.index_below(self.images.len(), "images")?;
        if let Some(index) = self.read_images.get(&(file_index, is_srgb)) {
            return Ok(*index);
        }
        self.read_images.insert((file_index, is_srgb), None);
        let json = self.images[file_index].clone();
        self.files.check(&json)?;
        let uri = json.get("uri")?;
        let read = uri.as_ref().map(|uri| self.files.content(uri, "image", u64::MAX)).transpose()?;
        let bytes = match (&read, json.get("bufferView")?) {
            (Some(bytes), _) => bytes,
            (None, Some(view)) => self.views.bytes(&view)?,
            (None, None) => return Err(json.error("has neither a uri nor a bufferView")),
        };
        // The bytes decoded from a data URI are not kept, but its text is, so that its address identifies the image.
        let source = uri.as_ref().and_then(|uri| data_of(uri.text().ok()?)).map_or(bytes, str::as_bytes);
        let key = (source.as_ptr().addr(), source.len(), is_srgb);
        let index = match self.decoded.get(&key) {
            Some(index) => *index,
            None => self.decode(&json, bytes, is_srgb)?,
        };
        self.decoded.insert(key, index);
        self.read_images.insert((file_index, is_srgb), Some(index));
        Ok(Some(index))
    }

    /// Decodes an image and returns its index in [`Look::images`].
    fn decode(&mut self, json: &Json<'_>, bytes: &[u8], is_srgb: bool) -> Result<usize> {
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
        self.look.images.push(pixels);
        Ok(self.look.images.len() - 1)
    }
}

/// Reads the older description of a surface, as one that is not metallic. Returns its texture.
fn specular_glossiness<'a>(json: &Json<'a>, material: &mut Material) -> Result<Option<Json<'a>>> {
    material.base_color = numbers(json, "diffuseFactor", [1.0; 4])?;
    material.metallic = 0.0;
    material.roughness = 1.0 - number(json, "glossinessFactor", 1.0)?.clamp(0.0, 1.0);
    if json.get("specularGlossinessTexture")?.is_some() {
        // Its glossiness is per texel, and is not shown: neither mirrors nor chalk.
        material.roughness = 0.5;
    }
    json.get("diffuseTexture")
}

fn number(json: &Json<'_>, key: &str, default: f32) -> Result<f32> {
    Ok(json.get_or(key, f64::from(default), Json::number)? as f32)
}

fn numbers<const N: usize>(json: &Json<'_>, key: &str, default: [f64; N]) -> Result<[f32; N]> {
    Ok(json.get_or(key, default, Json::numbers)?.map(|number| number as f32))
}

/// Returns the index of an image in a format that needs an extension.
fn image_of_extension<'a>(texture: &Json<'a>) -> Result<Option<Json<'a>>> {
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
fn image_from_uv(transform: &Json<'_>) -> Result<[[f32; 3]; 2]> {
    let [u, v] = transform.get_or("offset", [0.0; 2], Json::numbers)?;
    let [su, sv] = transform.get_or("scale", [1.0; 2], Json::numbers)?;
    let (sin, cos) = transform.get_or("rotation", 0.0, Json::number)?.sin_cos();
    Ok([[cos * su, sin * sv, u], [-sin * su, cos * sv, v]].map(|row| row.map(|v| v as f32)))
}

/// Reads a sampler, whose numbers are OpenGL constants.
fn sampler(json: &Json<'_>) -> Result<Sampler> {
    let read = |key, default| json.get_or(key, default, Json::index);
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
