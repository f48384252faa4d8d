//! Offscreen images: creating a texture to render to, and reading back its texels.

use crate::device::Gpu;
use crate::error::{Result, StageError};
use crate::resources;

/// Format of offscreen textures: RGBA in 8 bits, sRGB.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// Returns an error if the device cannot render a picture of this size, or cannot read it back.
pub fn check_size(gpu: &Gpu, size_px: [u32; 2]) -> Result<()> {
    check_images(gpu, size_px, 1)
}

/// Returns an error if the device cannot render an ID image of this size, or cannot read it back.
pub fn check_id_size(gpu: &Gpu, size_px: [u32; 2]) -> Result<()> {
    // The id and the depth of each texel, one after the other.
    check_images(gpu, size_px, 2)
}

fn check_images(gpu: &Gpu, [width, height]: [u32; 2], images: u64) -> Result<()> {
    let (limits, bytes) = (gpu.device.limits(), images * u64::from(padded_row(width)) * u64::from(height));
    let is_small = width.max(height) <= limits.max_texture_dimension_2d && bytes <= limits.max_buffer_size;
    if is_small { Ok(()) } else { Err(StageError::TooLarge(width, height)) }
}

/// Returns the number of bytes of a row in a buffer.
fn padded_row(width: u32) -> u32 {
    width.saturating_mul(4).checked_next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT).unwrap_or(u32::MAX)
}

/// Runs `render`, and returns an error if wgpu reports one, such as too little memory.
pub(crate) fn checked<T>(gpu: &Gpu, render: impl FnOnce() -> Result<T>) -> Result<T> {
    let invalid = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
    let memory = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let result = render();
    let errors = [pollster::block_on(memory.pop()), pollster::block_on(invalid.pop())];
    match errors.into_iter().flatten().next() {
        Some(wgpu::Error::OutOfMemory { .. }) => Err(StageError::OutOfMemory),
        Some(error) => Err(StageError::ReadBack(error.to_string())),
        None => result,
    }
}

/// Creates a render target that can be read back.
pub fn texture(gpu: &Gpu, size_px: [u32; 2]) -> Result<wgpu::Texture> {
    check_size(gpu, size_px)?;
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
    Ok(gpu.device.create_texture(&resources::texture("picture", size_px, FORMAT, usage)))
}

/// Submits the commands that render to `texture` and waits for its texels. The result has no row padding.
pub fn read_back(gpu: &Gpu, mut encoder: wgpu::CommandEncoder, texture: &wgpu::Texture) -> Result<Vec<u8>> {
    let size = texture.size();
    let row = 4 * size.width;
    let padded_row = padded_row(size.width);
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
