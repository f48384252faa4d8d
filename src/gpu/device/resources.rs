//! Creates buffers and textures. No other file of the crate, except for tests and the probe of
//! `device_errors`, calls wgpu's constructors for them, because those report errors to the device's error handler, which panics by default.

use super::device_errors::{DeviceErrors, check_alive};
use super::error::GpuError;
use super::web::{IS_BROWSER, reports_later};

/// The size, the format and the sample count of a texture without mipmaps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextureShape {
    pub(crate) size: [u32; 2],
    pub(crate) format: wgpu::TextureFormat,
    pub(crate) sample_count: u32,
}

/// Returns an error if something was created on another device than the one that it is used with. Devices of
/// different instances can compare as equal; wgpu panics when they are mixed.
pub(crate) fn check_device(created_on: &wgpu::Device, device: &wgpu::Device) -> Result<(), GpuError> {
    if created_on == device { Ok(()) } else { Err(GpuError::OtherDevice) }
}

/// Creates a buffer of this many bytes, all of them zero.
pub(crate) fn create_buffer(
    device: &wgpu::Device,
    label: &str,
    bytes: u64,
    usage: wgpu::BufferUsages,
) -> Result<wgpu::Buffer, GpuError> {
    allocate_buffer(device, label, bytes, usage, false)
}

/// Creates a buffer with these contents, padded to a multiple of four bytes.
pub(crate) fn create_buffer_with(
    device: &wgpu::Device,
    label: &str,
    contents: &[u8],
    usage: wgpu::BufferUsages,
) -> Result<wgpu::Buffer, GpuError> {
    let bytes = contents.len().next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT as usize) as u64;
    let buffer = allocate_buffer(device, label, bytes, usage, true)?;
    let mapped = buffer.get_mapped_range_mut(..contents.len() as u64);
    mapped.map_err(|_| GpuError::DeviceLost)?.copy_from_slice(contents);
    buffer.unmap();
    Ok(buffer)
}

fn allocate_buffer(
    device: &wgpu::Device,
    label: &str,
    bytes: u64,
    usage: wgpu::BufferUsages,
    mapped_at_creation: bool,
) -> Result<wgpu::Buffer, GpuError> {
    let limit = device.limits().max_buffer_size;
    if bytes > limit {
        return Err(GpuError::BufferSize { bytes, limit });
    }
    check_alive(device)?;
    let descriptor = wgpu::BufferDescriptor { label: Some(label), size: bytes, usage, mapped_at_creation };
    catch_errors(device, || device.create_buffer(&descriptor))
}

/// Creates a texture.
pub(crate) fn create_texture(
    device: &wgpu::Device,
    label: &str,
    shape: TextureShape,
    usage: wgpu::TextureUsages,
) -> Result<wgpu::Texture, GpuError> {
    let TextureShape { size: [width, height], format, sample_count } = shape;
    let limit = device.limits().max_texture_dimension_2d;
    if ![width, height].iter().all(|side| (1..=limit).contains(side)) {
        return Err(GpuError::TargetSize { width, height, limit });
    }
    check_alive(device)?;
    let descriptor = wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    };
    catch_errors(device, || device.create_texture(&descriptor))
}

/// Calls `create` and returns its result, or the error that the device reports.
pub(crate) fn catch_errors<T>(device: &wgpu::Device, create: impl FnOnce() -> T) -> Result<T, GpuError> {
    if reports_later(IS_BROWSER, device.adapter_info().backend) {
        // The limits are checked before. Other errors go to the device's error handler.
        return Ok(create());
    }
    DeviceErrors::default().catch(device, create)
}
