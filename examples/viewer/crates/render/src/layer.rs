//! A picture that is kept across frames and copied to the render targets that show it.

use crate::resources::{self, RENDERED, bind_group, texture, texture_view};

/// A texture to render into, and the pipeline that copies it.
#[derive(Debug)]
pub(crate) struct Layer {
    pub(crate) format: wgpu::TextureFormat,
    pipeline: wgpu::RenderPipeline,
    texture: Option<Texture>,
}

#[derive(Debug)]
struct Texture {
    view: wgpu::TextureView,
    group: wgpu::BindGroup,
}

impl Layer {
    /// Creates a layer that replaces what is in render targets of its format.
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        Self::with_pipeline(device, format, "fs_layer", format.into())
    }

    /// Creates a layer of egui's colors, which are encoded and premultiplied, over sRGB render targets.
    pub(crate) fn of_egui(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let blend = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let target = wgpu::ColorTargetState { blend, ..format.into() };
        // egui blends in this format without conversion.
        Self::with_pipeline(device, wgpu::TextureFormat::Rgba8Unorm, "fs_egui", target)
    }

    fn with_pipeline(
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        fragment: &str,
        target: wgpu::ColorTargetState,
    ) -> Self {
        let module = device.create_shader_module(wgpu::include_wgsl!("layer.wgsl"));
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(fragment),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_layer"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(fragment),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self { format, pipeline, texture: None }
    }

    /// Returns the texture to render into, with this size. Its content survives while the size stays
    /// the same.
    pub(crate) fn target(&mut self, device: &wgpu::Device, size_px: [u32; 2]) -> &wgpu::TextureView {
        let fitting = self.texture.take().filter(|texture| resources::size_px(&texture.view) == size_px);
        let texture = fitting.unwrap_or_else(|| self.new_texture(device, size_px, RENDERED));
        &self.texture.insert(texture).view
    }

    /// Copies the texture into a pass over a render target of the same size.
    pub(crate) fn render(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(texture) = &self.texture else { return };
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &texture.group, &[]);
        pass.draw(0..3, 0..1);
    }

    fn new_texture(&self, device: &wgpu::Device, size_px: [u32; 2], usage: wgpu::TextureUsages) -> Texture {
        let view = texture_view(device, &texture("viewer layer", size_px, self.format, usage));
        let layout = self.pipeline.get_bind_group_layout(0);
        let resource = wgpu::BindingResource::TextureView(&view);
        let group = bind_group(device, "viewer layer", &layout, [resource]);
        Texture { view, group }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{self, Gpu};
    use crate::picture;
    use crate::resources::begin_color;

    #[test]
    fn copied_layer_has_every_level_unchanged() {
        let gpu = device::shared();
        let Gpu { device, queue, .. } = gpu;
        let mut layer = Layer::new(device, picture::FORMAT);
        // One column per level of red, green and blue.
        let levels: Vec<[u8; 4]> = (0..=255u8).map(|level| [level, 255 - level, level ^ 0x55, 255]).collect();
        let texture = layer.new_texture(device, [256, 1], RENDERED | wgpu::TextureUsages::COPY_DST);
        queue.write_texture(
            texture.view.texture().as_image_copy(),
            levels.as_flattened(),
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(1024), rows_per_image: None },
            texture.view.texture().size(),
        );
        layer.texture = Some(texture);
        let mut encoder = device.create_command_encoder(&Default::default());
        let target = picture::texture(gpu, [256, 1]).expect("the size is valid");
        let seen = target.create_view(&Default::default());
        layer.render(&mut begin_color(&mut encoder, "test", &seen, wgpu::LoadOp::default()));
        let texels = picture::read_back(gpu, encoder, &target).expect("the texture can be read back");
        assert_eq!(texels, levels.as_flattened());
    }
}
