use super::error::GpuError;
use super::resources::create_buffer;
use bytemuck::NoUninit;

/// The unit of comparing and writing, in bytes. A multiple of 4, as wgpu requires of writes.
const BLOCK: usize = 256;

/// Vertices, instances or indices in a buffer that grows with them and is written only where they have changed.
#[derive(Debug)]
pub(crate) struct VertexMemory<T> {
    label: &'static str,
    usage: wgpu::BufferUsages,
    /// Created by the first upload; holds `capacity` bytes.
    buffer: Option<wgpu::Buffer>,
    capacity: usize,
    /// The elements of the next upload. Kept between calls, so that an upload allocates nothing.
    staged: Vec<T>,
    /// The elements in the buffer.
    elements: Vec<T>,
    /// Bytes of the last upload.
    uploaded: u64,
}

impl<T: NoUninit> VertexMemory<T> {
    /// Creates it without a buffer; the first one holds at least `capacity` bytes.
    pub(crate) fn new(label: &'static str, usage: wgpu::BufferUsages, capacity: usize) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        let [staged, elements] = [Vec::new(), Vec::new()];
        Self { label, usage, buffer: None, capacity, staged, elements, uploaded: 0 }
    }

    /// Returns where the elements of the next upload are added.
    pub(crate) fn replace(&mut self) -> &mut Vec<T> {
        self.staged.clear();
        &mut self.staged
    }

    /// Returns the elements of the last upload.
    pub(crate) fn elements(&self) -> &[T] {
        &self.elements
    }

    /// Writes what differs from the last upload. The bytes of all elements must be a multiple of 4.
    pub(crate) fn upload(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), GpuError> {
        let [bytes, last]: [&[u8]; 2] =
            [&self.staged, &self.elements].map(|elements| bytemuck::cast_slice(elements));
        let len = bytes.len();
        self.uploaded = 0;
        if bytes.is_empty() {
            self.elements.clear();
            return Ok(());
        }
        let (buffer, last) = match &self.buffer {
            Some(buffer) if len <= self.capacity => (buffer, last),
            _ => {
                let capacity = len.next_power_of_two().max(self.capacity);
                let buffer = create_buffer(device, self.label, capacity as u64, self.usage)?;
                self.capacity = capacity;
                (&*self.buffer.insert(buffer), [].as_slice())
            }
        };
        let is_changed = |from: &usize| {
            let block = *from..len.min(*from + BLOCK);
            last.get(block.clone()) != Some(&bytes[block])
        };
        let mut from = 0;
        while let Some(first) = (from..len).step_by(BLOCK).find(is_changed) {
            let end = (first..len).step_by(BLOCK).find(|block| !is_changed(block)).unwrap_or(len);
            queue.write_buffer(buffer, first as u64, &bytes[first..end]);
            self.uploaded += (end - first) as u64;
            from = end;
        }
        std::mem::swap(&mut self.staged, &mut self.elements);
        Ok(())
    }

    pub(crate) fn uploaded_bytes(&self) -> u64 {
        self.uploaded
    }

    /// Returns the buffer, or `None` before the first upload.
    pub(crate) fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref()
    }
}
