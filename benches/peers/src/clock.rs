//! The GPU's own clock: timestamp queries around commands.

use wgpu::Features;

/// Two timestamps and their readback.
#[derive(Debug)]
pub struct Clock {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
    /// Nanoseconds per tick.
    period_ns: f64,
}

/// Two ticks of 64 bits.
const BYTES: u64 = 16;

impl Clock {
    /// The required features.
    pub const FEATURES: Features = Features::TIMESTAMP_QUERY.union(Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

    /// Creates a clock, or returns `None` if the device does not support timestamps.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Option<Self> {
        if !device.features().contains(Self::FEATURES) {
            return None;
        }
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: None,
            ty: wgpu::QueryType::Timestamp,
            count: 2,
        });
        Some(Self {
            queries,
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            read: buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
            period_ns: f64::from(queue.get_timestamp_period()),
        })
    }

    pub fn start(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.write_timestamp(&self.queries, 0);
    }

    pub fn stop(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.write_timestamp(&self.queries, 1);
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read, 0, BYTES);
        encoder.map_buffer_on_submit(&self.read, wgpu::MapMode::Read, .., |_| {});
    }

    /// Returns the microseconds from start to stop, after the device has finished the submission.
    pub fn read_us(&self) -> f64 {
        let range = self.read.get_mapped_range(..).expect("the buffer is mapped");
        let tick = |i: usize| u64::from_le_bytes(std::array::from_fn(|byte| range[8 * i + byte]));
        let us = tick(1).saturating_sub(tick(0)) as f64 * self.period_ns * 1e-3;
        drop(range);
        self.read.unmap();
        us
    }
}
