use super::error::GpuError;
use wgpu::TextureFormat;

/// The attachments of the pass that [`GizmoRenderer::render`](super::GizmoRenderer::render) is called in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetState {
    /// Of the color attachment at location 0; there are no others. What ends in `Srgb` and
    /// floats gets linear light, the rest gets sRGB values as they are.
    pub format: TextureFormat,
    /// Samples a pixel, of all attachments.
    pub sample_count: u32,
    /// Of the depth-stencil attachment, if the pass has one. It is neither tested nor written.
    pub depth_stencil: Option<TextureFormat>,
}

impl TargetState {
    /// The fragment stage, of those that write sRGB values and linear light, that fits.
    pub(super) fn fragment_entry(self) -> &'static str {
        if self.format.is_srgb() || is_float(self.format) { "fs_linear" } else { "fs_encoded" }
    }

    /// What is drawn lies over what is there, premultiplied.
    pub(super) fn blended(self) -> wgpu::ColorTargetState {
        wgpu::ColorTargetState {
            format: self.format,
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            write_mask: wgpu::ColorWrites::ALL,
        }
    }

    /// Whether a pass with these attachments can be drawn into, and the depth state that leaves its
    /// depth and stencil alone.
    pub(super) fn check(self, device: &wgpu::Device) -> Result<Option<wgpu::DepthStencilState>, GpuError> {
        let Self { format, sample_count, depth_stencil } = self;
        let features = device.features();
        let guaranteed = format.guaranteed_format_features(features);
        // With this feature, what goes beyond the guaranteed is the adapter's to say.
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

/// Whether a color format holds linear light as floats.
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
