//! Materials on the GPU: uniforms, textures with mipmaps, and samplers.

use crate::device::Gpu;
use crate::resources::{UNIFORM, bind_group, bind_group_layout, filled_buffer, texture};
use bytemuck::{Pod, Zeroable};
use scene::material::{Look, Material, Mipmaps, Sampler, Slot, Wrap};
use scene::pixels::Pixels;
use std::collections::HashMap;

/// The uniforms of a material, with the layout of `Material` in the shader.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct Numbers {
    base_color: [f32; 4],
    /// The emissive color, and in w the scale of the normal texture.
    emissive: [f32; 4],
    metallic: f32,
    roughness: f32,
    cutoff: f32,
    zero: u32,
    /// The texture coordinate transforms, two rows per slot. In w of the first row one bit per slot that has a
    /// texture, and [`UNLIT`].
    image_from_uv: [[f32; 4]; 2 * Slot::COUNT],
}

/// The flag of a material without shading.
const UNLIT: u32 = 1 << 8;

#[cfg(test)]
impl Numbers {
    pub(super) const OFFSETS: &[(&str, usize)] =
        super::offsets!(base_color emissive metallic roughness cutoff zero image_from_uv);
}

impl Numbers {
    fn new(material: &Material) -> Self {
        let [r, g, b] = material.emissive;
        let flag = |(slot, texture): (usize, &Option<_>)| u32::from(texture.is_some()) << slot;
        let mut numbers = Self {
            base_color: material.base_color,
            emissive: [r, g, b, material.normal_scale],
            metallic: material.metallic,
            roughness: material.roughness,
            cutoff: material.alpha.cutoff(),
            zero: 0,
            image_from_uv: [[0.0; 4]; 2 * Slot::COUNT],
        };
        for (slot, texture) in material.textures.iter().enumerate() {
            for (row, [a, b, c]) in texture.iter().flat_map(|texture| texture.image_from_uv).enumerate() {
                numbers.image_from_uv[2 * slot + row] = [a, b, c, 0.0];
            }
        }
        let flags: u32 = material.textures.iter().enumerate().map(flag).sum();
        numbers.image_from_uv[0][3] = (flags | if material.is_unlit { UNLIT } else { 0 }) as f32;
        numbers
    }
}

/// Creates the bind group layout of a material: uniforms, then textures, then samplers.
pub(super) fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let texture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    let bindings = [UNIFORM].into_iter().chain([texture; Slot::COUNT]).chain([sampler; Slot::COUNT]);
    let bindings = bindings.map(|binding| (wgpu::ShaderStages::FRAGMENT, binding));
    bind_group_layout(device, "viewer material", bindings)
}

/// The bind groups of a scene's materials.
#[derive(Debug)]
pub(super) struct Surfaces {
    /// The bind group for parts without a material, then one per material.
    groups: Vec<wgpu::BindGroup>,
}

impl Surfaces {
    pub(super) fn new(gpu: &Gpu, layout: &wgpu::BindGroupLayout, look: &Look) -> Self {
        let limits = gpu.device.limits();
        let stride =
            size_of::<Numbers>().next_multiple_of(limits.min_uniform_buffer_offset_alignment.max(1) as usize);
        let plain = Material::default();
        // Materials that exceed the limit of a buffer look like the last one that fits.
        let materials = std::iter::once(&plain).chain(&look.materials);
        let materials: Vec<_> = materials.take(limits.max_buffer_size as usize / stride).collect();
        let mut bytes = vec![0; stride * materials.len()];
        for (material, bytes) in materials.iter().zip(bytes.chunks_exact_mut(stride)) {
            bytes[..size_of::<Numbers>()].copy_from_slice(bytemuck::bytes_of(&Numbers::new(material)));
        }
        let numbers = filled_buffer(&gpu.device, "viewer materials", &bytes, wgpu::BufferUsages::UNIFORM);
        let mut cache = TextureCache::new(gpu, look);
        let group = |(index, material): (usize, &Material)| {
            let numbers = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: &numbers,
                offset: (index * stride) as u64,
                size: std::num::NonZeroU64::new(size_of::<Numbers>() as u64),
            });
            let slots = Slot::ALL.map(|slot| cache.get(material, slot));
            let textures = slots.iter().map(|(view, _)| wgpu::BindingResource::TextureView(view));
            let samplers = slots.iter().map(|(_, sampler)| wgpu::BindingResource::Sampler(sampler));
            let resources = std::iter::once(numbers).chain(textures).chain(samplers);
            bind_group(&gpu.device, "viewer material", layout, resources)
        };
        Self { groups: materials.into_iter().enumerate().map(group).collect() }
    }

    /// Returns the bind group for the material of a [`Batch`](super::meshes::Batch).
    pub(super) fn group(&self, material: usize) -> &wgpu::BindGroup {
        &self.groups[material.min(self.groups.len() - 1)]
    }
}

/// Textures and samplers, each created once.
struct TextureCache<'a> {
    gpu: &'a Gpu,
    look: &'a Look,
    blank: wgpu::TextureView,
    default_sampler: wgpu::Sampler,
    /// By image index and whether the format is sRGB.
    views: HashMap<(usize, bool), wgpu::TextureView>,
    samplers: HashMap<Sampler, wgpu::Sampler>,
}

impl<'a> TextureCache<'a> {
    fn new(gpu: &'a Gpu, look: &'a Look) -> Self {
        let white = Pixels { size: [1, 1], rgba: vec![[255; 4]] };
        let blank = upload(gpu, &white, false);
        let default_sampler = new_sampler(&gpu.device, Sampler::default());
        let (views, samplers) = (HashMap::new(), HashMap::new());
        Self { gpu, look, blank, default_sampler, views, samplers }
    }

    /// Returns the texture and the sampler of a slot, blank ones if there is no image.
    fn get(&mut self, material: &Material, slot: Slot) -> (wgpu::TextureView, wgpu::Sampler) {
        let texture = material.textures[slot as usize];
        let Some((texture, image)) = texture.and_then(|it| Some((it, self.look.images.get(it.image)?)))
        else {
            return (self.blank.clone(), self.default_sampler.clone());
        };
        let view = self.views.entry((texture.image, slot.is_srgb()));
        let view = view.or_insert_with(|| upload(self.gpu, image, slot.is_srgb()));
        let sampler = self.samplers.entry(texture.sampler);
        let sampler = sampler.or_insert_with(|| new_sampler(&self.gpu.device, texture.sampler));
        (view.clone(), sampler.clone())
    }
}

/// Creates a texture with mipmaps. They are computed here, so that every driver shows the same.
fn upload(Gpu { device, queue, .. }: &Gpu, image: &Pixels, is_srgb: bool) -> wgpu::TextureView {
    let limit = device.limits().max_texture_dimension_2d;
    let is_too_large = image.size.iter().any(|side| *side > limit);
    let fitting = is_too_large.then(|| image.clone().at_most(limit, is_srgb));
    let image = fitting.as_ref().unwrap_or(image);
    let format = if is_srgb { wgpu::TextureFormat::Rgba8UnormSrgb } else { wgpu::TextureFormat::Rgba8Unorm };
    let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
    let texture = texture("viewer texture", image.size, format, usage);
    let levels = texture.size.max_mips(wgpu::TextureDimension::D2);
    let texture = device.create_texture(&wgpu::TextureDescriptor { mip_level_count: levels, ..texture });
    let mut smaller = None;
    for mip_level in 0..levels {
        let level: &Pixels = smaller.as_ref().unwrap_or(image);
        let [width, height] = level.size;
        queue.write_texture(
            wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
            level.rgba.as_flattened(),
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: None },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        smaller = Some(level.halved(is_srgb));
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn new_sampler(device: &wgpu::Device, sampler: Sampler) -> wgpu::Sampler {
    let [u, v] = sampler.wrap.map(|wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
    });
    let filter = |is_smooth| if is_smooth { wgpu::FilterMode::Linear } else { wgpu::FilterMode::Nearest };
    let is_mixed = sampler.mipmaps == Mipmaps::Mixed;
    let is_smooth = sampler.linear_mag && sampler.linear_min && is_mixed;
    device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("viewer texture"),
        address_mode_u: u,
        address_mode_v: v,
        mag_filter: filter(sampler.linear_mag),
        min_filter: filter(sampler.linear_min),
        mipmap_filter: match sampler.mipmaps {
            Mipmaps::Mixed => wgpu::MipmapFilterMode::Linear,
            Mipmaps::Unused | Mipmaps::Nearest => wgpu::MipmapFilterMode::Nearest,
        },
        lod_max_clamp: if sampler.mipmaps == Mipmaps::Unused { 0.0 } else { 32.0 },
        // Anisotropic filtering keeps surfaces at grazing angles sharp.
        anisotropy_clamp: if is_smooth { 4 } else { 1 },
        ..Default::default()
    })
}
