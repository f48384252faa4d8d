//! Materials of surfaces: colors, textures, metallic and roughness factors. Plain data without GPU
//! resources.

use crate::pixels::Pixels;

/// Materials and the images that they refer to.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// All materials.
    pub materials: Vec<Material>,
    /// All images.
    pub images: Vec<Pixels>,
}

/// A material of glTF's metallic-roughness model.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Linear color with alpha. It is multiplied with the vertex color and the texture.
    pub base_color: [f32; 4],
    /// From 0 (dielectric) to 1 (metal).
    pub metallic: f32,
    /// From 0 (mirror) to 1 (fully rough).
    pub roughness: f32,
    /// Linear emitted light.
    pub emissive: [f32; 3],
    /// Scale of the normal texture.
    pub normal_scale: f32,
    /// The meaning of the alpha of the base color.
    pub alpha: Alpha,
    /// Shows the base color without lighting.
    pub is_unlit: bool,
    /// Textures by [`Slot`].
    pub textures: [Option<Texture>; Slot::COUNT],
    /// The set of texture coordinates that all textures use.
    pub uv_set: usize,
}

impl Default for Material {
    /// Returns a white, fairly rough dielectric.
    fn default() -> Self {
        Self {
            base_color: [1.0; 4],
            metallic: 0.0,
            roughness: 0.6,
            emissive: [0.0; 3],
            normal_scale: 1.0,
            alpha: Alpha::Opaque,
            is_unlit: false,
            textures: [None; Slot::COUNT],
            uv_set: 0,
        }
    }
}

/// The property that a texture defines. The numbers match the shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// Color and alpha, sRGB.
    BaseColor = 0,
    /// Normals in tangent space.
    Normal = 1,
    /// Roughness in the green channel, metallic in the blue channel.
    MetallicRoughness = 2,
    /// Emitted light, sRGB.
    Emissive = 3,
}

impl Slot {
    /// The number of slots.
    pub const COUNT: usize = 4;
    /// All slots, by number.
    pub const ALL: [Self; Self::COUNT] =
        [Self::BaseColor, Self::Normal, Self::MetallicRoughness, Self::Emissive];

    /// Returns true if the texels are sRGB, false if they are linear.
    pub fn is_srgb(self) -> bool {
        matches!(self, Self::BaseColor | Self::Emissive)
    }
}

/// The meaning of alpha.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Alpha {
    /// Alpha is ignored.
    Opaque,
    /// Fragments with a lower alpha are discarded.
    Mask(f32),
    /// Fragments are blended over what is behind them.
    Blend,
}

impl Alpha {
    /// Returns the alpha below which a fragment is discarded, so that it is neither drawn nor picked.
    pub fn cutoff(self) -> f32 {
        match self {
            Self::Opaque => 0.0,
            Self::Mask(cutoff) => cutoff,
            // An invisible surface should not block clicks.
            Self::Blend => 0.02,
        }
    }
}

/// An image on a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Texture {
    /// Index into [`Look::images`].
    pub image: usize,
    /// Wrapping and filtering.
    pub sampler: Sampler,
    /// Rows of the matrix from (u, v, 1) to texture coordinates of the image.
    pub image_from_uv: [[f32; 3]; 2],
}

/// Wrapping and filtering of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// Wrapping along u and v.
    pub wrap: [Wrap; 2],
    /// Uses linear filtering for magnification.
    pub linear_mag: bool,
    /// Uses linear filtering for minification.
    pub linear_min: bool,
    /// Filtering between mipmap levels.
    pub mipmaps: Mipmaps,
}

impl Default for Sampler {
    fn default() -> Self {
        Self { wrap: [Wrap::Repeat; 2], linear_mag: true, linear_min: true, mipmaps: Mipmaps::Mixed }
    }
}

/// Address mode beyond the edge of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// Repeats the image.
    Repeat,
    /// Repeats the image, every other time mirrored.
    Mirror,
    /// Repeats the texels of the edge.
    Clamp,
}

/// Filtering between the mipmap levels of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mipmaps {
    /// Only the image itself is sampled.
    Unused,
    /// The nearest level is sampled.
    Nearest,
    /// The two nearest levels are interpolated.
    Mixed,
}
