use super::error::GpuError;

/// Creates a buffer with these contents. `wgpu::util` does the same, but panics on a lost device.
pub(super) fn filled(
    device: &wgpu::Device,
    label: &str,
    contents: &[u8],
    usage: wgpu::BufferUsages,
) -> Result<wgpu::Buffer, GpuError> {
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        // Copies are in units of four bytes.
        size: contents.len().next_multiple_of(4) as u64,
        usage,
        mapped_at_creation: true,
    });
    let mapped = buffer.get_mapped_range_mut(..contents.len() as u64);
    mapped.map_err(|error| GpuError::DeviceLost(error.to_string()))?.copy_from_slice(contents);
    buffer.unmap();
    Ok(buffer)
}
