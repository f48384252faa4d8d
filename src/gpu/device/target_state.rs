use super::error::GpuError;
use wgpu::TextureFormat;

/// The attachments of the pass in which [`GizmoRenderer::render`](crate::gpu::GizmoRenderer::render) is
/// called.
///
/// ```
/// use wgpu_gizmo::gpu::TargetState;
/// use wgpu_gizmo::wgpu::TextureFormat;
///
/// // With one sample per pixel, the formats of color and depth are enough.
/// let plain = TargetState::from(TextureFormat::Bgra8UnormSrgb);
/// let with_depth = TargetState::from((TextureFormat::Bgra8UnormSrgb, TextureFormat::Depth32Float));
/// let multisampled = TargetState { sample_count: 4, ..with_depth };
/// assert_eq!(multisampled.depth_stencil, Some(TextureFormat::Depth32Float));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetState {
    /// The format of the color attachment at location 0, which must be the only one. `Srgb` and float formats
    /// receive linear values, and other formats receive sRGB-encoded values. Both are at most 1: in an HDR
    /// frame, draw after the tone mapping, so that the theme's colors are shown.
    pub format: TextureFormat,
    /// The number of samples per pixel of all attachments.
    pub sample_count: u32,
    /// The format of the depth-stencil attachment, if the pass has one. Depth and stencil are neither
    /// tested nor written.
    pub depth_stencil: Option<TextureFormat>,
}

/// A pass with one sample per pixel and without depth.
impl From<TextureFormat> for TargetState {
    fn from(format: TextureFormat) -> Self {
        Self { format, sample_count: 1, depth_stencil: None }
    }
}

/// A pass with one sample per pixel, and these formats of color and depth.
impl From<(TextureFormat, TextureFormat)> for TargetState {
    fn from((format, depth): (TextureFormat, TextureFormat)) -> Self {
        Self { depth_stencil: Some(depth), ..format.into() }
    }
}

impl TargetState {
    /// Returns true if the pass receives linear values.
    pub(crate) fn stores_linear(self) -> bool {
        self.format.is_srgb() || is_float(self.format)
    }

    /// Returns the constant of color.wgsl for the encoding of the format.
    pub(crate) fn encoding(self) -> (&'static str, f64) {
        ("IS_LINEAR", f64::from(u8::from(self.stores_linear())))
    }

    /// Returns the color target state for premultiplied blending.
    pub(crate) fn blended(self) -> wgpu::ColorTargetState {
        wgpu::ColorTargetState {
            format: self.format,
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            write_mask: wgpu::ColorWrites::ALL,
        }
    }

    /// Checks that the device supports a pass with these attachments. Returns the depth-stencil state
    /// that ignores and keeps depth and stencil.
    pub(crate) fn check(self, device: &wgpu::Device) -> Result<Option<wgpu::DepthStencilState>, GpuError> {
        let Self { format, sample_count, depth_stencil } = self;
        let features = device.features();
        for format in [Some(format), depth_stencil].into_iter().flatten() {
            let missing = format.required_features().difference(features);
            if !missing.is_empty() {
                return Err(GpuError::FormatFeature { format, missing });
            }
        }
        let guaranteed = format.guaranteed_format_features(features);
        // With this feature, only the adapter knows which formats support more than is guaranteed.
        let adapter_decides = features.contains(wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES);
        let is_color =
            matches!(format.sample_type(None, Some(features)), Some(wgpu::TextureSampleType::Float { .. }))
                && !format.is_depth_stencil_format();
        let blendable = guaranteed.allowed_usages.contains(wgpu::TextureUsages::RENDER_ATTACHMENT)
            && guaranteed.flags.contains(wgpu::TextureFormatFeatureFlags::BLENDABLE);
        if !is_color || !(blendable || adapter_decides) {
            return Err(GpuError::ColorFormat(format));
        }
        let may_be = adapter_decides && [2, 8, 16].contains(&sample_count);
        if !(guaranteed.flags.sample_count_supported(sample_count) || may_be) {
            return Err(GpuError::SampleCount { format, sample_count });
        }
        let Some(format) = depth_stencil else { return Ok(None) };
        if !format.is_depth_stencil_format() {
            return Err(GpuError::DepthFormat(format));
        }
        let has_depth = format.has_depth_aspect();
        Ok(Some(wgpu::DepthStencilState {
            format,
            depth_write_enabled: has_depth.then_some(false),
            depth_compare: has_depth.then_some(wgpu::CompareFunction::Always),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }))
    }
}

/// Returns true if a color format stores linear values as floats.
fn is_float(format: TextureFormat) -> bool {
    matches!(
        format,
        TextureFormat::R16Float
            | TextureFormat::Rg16Float
            | TextureFormat::Rgba16Float
            | TextureFormat::R32Float
            | TextureFormat::Rg32Float
            | TextureFormat::Rgba32Float
            | TextureFormat::Rg11b10Ufloat
    )
}
