//! What surfaces are made of: colours, textures, how they shine. Plain data, no GPU.

use crate::pixels::Pixels;

/// Materials and the images that they refer to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Look {
    pub(crate) materials: Vec<Material>,
    pub(crate) images: Vec<Pixels>,
}

/// A surface, as glTF's metallic-roughness model has it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Material {
    /// Linear, and alpha. The vertices' colours and the texture are multiplied onto it.
    pub(crate) base_color: [f32; 4],
    /// From 0, paint or plastic, to 1, bare metal.
    pub(crate) metallic: f32,
    /// From 0, a mirror, to 1, chalk.
    pub(crate) roughness: f32,
    /// Linear light that it gives off.
    pub(crate) emissive: [f32; 3],
    /// How deep the normal texture is.
    pub(crate) normal_scale: f32,
    pub(crate) alpha: Alpha,
    /// It is seen as its base colour is, whatever light falls on it.
    pub(crate) is_unlit: bool,
    /// By [`Slot`].
    pub(crate) textures: [Option<Texture>; Slot::COUNT],
    /// Which set of texture coordinates all of the textures use.
    pub(crate) uv_set: usize,
}

impl Default for Material {
    /// White, half rough, no metal.
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

/// What a texture says something about. The numbers are those of the shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Colour and alpha, sRGB.
    BaseColor = 0,
    /// Directions in the surface's own frame.
    Normal = 1,
    /// Green is the roughness, blue the metal.
    MetallicRoughness = 2,
    /// Light, sRGB.
    Emissive = 3,
}

impl Slot {
    pub(crate) const COUNT: usize = 4;
    pub(crate) const ALL: [Self; Self::COUNT] =
        [Self::BaseColor, Self::Normal, Self::MetallicRoughness, Self::Emissive];

    /// Whether its texels are sRGB, and not numbers as they are.
    pub(crate) fn is_srgb(self) -> bool {
        matches!(self, Self::BaseColor | Self::Emissive)
    }
}

/// What alpha means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Alpha {
    /// Nothing.
    Opaque,
    /// Below this there is a hole.
    Mask(f32),
    /// How much it hides.
    Blend,
}

impl Alpha {
    /// What is less opaque than this is not there: neither seen nor picked.
    pub(crate) fn cutoff(self) -> f32 {
        match self {
            Self::Opaque => 0.0,
            Self::Mask(cutoff) => cutoff,
            // What nobody can see should not be in the way of a click.
            Self::Blend => 0.02,
        }
    }
}

/// An image on a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Texture {
    /// Index into [`Look::images`].
    pub(crate) image: usize,
    pub(crate) sampler: Sampler,
    /// Rows of the matrix that takes (u, v, 1) to the place in the image.
    pub(crate) image_from_uv: [[f32; 3]; 2],
}

/// How an image is repeated and how it is shown larger and smaller than it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Sampler {
    /// Along u and v.
    pub(crate) wrap: [Wrap; 2],
    /// Texels are mixed where they are larger than a pixel.
    pub(crate) smooth_larger: bool,
    /// And where they are smaller.
    pub(crate) smooth_smaller: bool,
    pub(crate) mipmaps: Mipmaps,
}

impl Default for Sampler {
    fn default() -> Self {
        Self { wrap: [Wrap::Repeat; 2], smooth_larger: true, smooth_smaller: true, mipmaps: Mipmaps::Mixed }
    }
}

/// What is beyond the edge of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Wrap {
    Repeat,
    Mirror,
    Clamp,
}

/// How the smaller copies of an image are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Mipmaps {
    Unused,
    Nearest,
    Mixed,
}
