//! The textures behind the picture, which all scenes share.

use crate::solids::{DEPTH, SAMPLES};

/// Textures of the size of the picture, created again when it changes.
#[derive(Debug, Default)]
pub(crate) struct Attachments(Option<Sized>);

#[derive(Debug)]
struct Sized {
    size: wgpu::Extent3d,
    views: Views,
}

/// Views of the textures.
#[derive(Debug, Clone)]
pub(crate) struct Views {
    /// The multisampled color of the solids.
    pub(crate) color: wgpu::TextureView,
    /// Their multisampled depth.
    pub(crate) depth: wgpu::TextureView,
    /// Their depth with one sample, for handles that the scene may hide.
    pub(crate) scene_depth: wgpu::TextureView,
}

impl Attachments {
    pub(crate) fn views(
        &mut self,
        device: &wgpu::Device,
        size: [u32; 2],
        format: wgpu::TextureFormat,
    ) -> Views {
        let size = wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 };
        let sized = self.0.take().filter(|sized| sized.size == size);
        let sized = sized.unwrap_or_else(|| Sized { size, views: Views::new(device, size, format) });
        self.0.insert(sized).views.clone()
    }
}

impl Views {
    fn new(device: &wgpu::Device, size: wgpu::Extent3d, format: wgpu::TextureFormat) -> Self {
        let view = |format, sample_count, usage| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("attachment"),
                size,
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        let none = wgpu::TextureUsages::empty();
        Self {
            color: view(format, SAMPLES, none),
            depth: view(DEPTH, SAMPLES, none),
            scene_depth: view(DEPTH, 1, wgpu::TextureUsages::TEXTURE_BINDING),
        }
    }
}
