//! Offscreen images: creating a texture to render to, and reading back its texels.

use crate::device::Gpu;
use crate::error::StageError;

/// Format of offscreen textures: RGBA in 8 bits, sRGB.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// Creates a render target that can be read back.
pub fn texture(gpu: &Gpu, [width, height]: [u32; 2]) -> Result<wgpu::Texture, StageError> {
    let limit = gpu.device.limits().max_texture_dimension_2d;
    if width > limit || height > limit {
        return Err(StageError::TooLarge(width, height));
    }
    Ok(gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    }))
}

/// Submits the commands that render to `texture` and waits for its texels. The result has no row padding.
pub fn read_back(
    gpu: &Gpu,
    mut encoder: wgpu::CommandEncoder,
    texture: &wgpu::Texture,
) -> Result<Vec<u8>, StageError> {
    let size = texture.size();
    let row = 4 * size.width;
    let padded_row = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("picture"),
        size: u64::from(padded_row) * u64::from(size.height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(padded_row), rows_per_image: None };
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        size,
    );
    gpu.queue.submit([encoder.finish()]);
    let failed = |error: &dyn std::fmt::Display| StageError::ReadBack(error.to_string());
    buffer.map_async(wgpu::MapMode::Read, .., |_| {});
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
    let texels = buffer.get_mapped_range(..).map_err(|error| failed(&error))?;
    Ok(texels.chunks(padded_row as usize).flat_map(|padded| &padded[..row as usize]).copied().collect())
}
