use super::error::GpuError;
use super::resources::create_buffer;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

/// Rows of a texture begin at multiples of this many bytes in a buffer.
pub(crate) const ROW_ALIGNMENT: u64 = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as u64;

/// A buffer that the GPU writes and the CPU reads, with its stage.
///
/// The host owns the submit, so mapping is scheduled on the encoder. The host may drop the encoder, so
/// the callback has a guard that reports this.
#[derive(Debug)]
pub(crate) struct Readback {
    buffer: wgpu::Buffer,
    stage: Arc<AtomicU8>,
}

/// The stage of a readback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Stage {
    /// Nothing is in flight.
    Idle,
    /// The copy is in a command buffer or on the GPU.
    InFlight,
    /// The buffer is mapped and can be read.
    Mapped,
    /// Mapping failed.
    Failed,
    /// The encoder was dropped without a submit.
    Dropped,
}

impl Stage {
    const ALL: [Self; 5] = [Self::Idle, Self::InFlight, Self::Mapped, Self::Failed, Self::Dropped];
}

/// Sets the stage when the callback is dropped: `Dropped`, unless it was called.
struct Guard {
    stage: Arc<AtomicU8>,
    outcome: Stage,
}

impl Guard {
    fn settle(mut self, is_mapped: bool) {
        self.outcome = if is_mapped { Stage::Mapped } else { Stage::Failed };
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.stage.store(self.outcome as u8, Ordering::Release);
    }
}

impl Readback {
    pub(crate) fn new(device: &wgpu::Device, bytes: u64) -> Result<Self, GpuError> {
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        let buffer = create_buffer(device, "wgpu-gizmo id readback", bytes, usage)?;
        Ok(Self { buffer, stage: Arc::new(AtomicU8::new(Stage::Idle as u8)) })
    }

    pub(crate) fn stage(&self) -> Stage {
        Stage::ALL[usize::from(self.stage.load(Ordering::Acquire))]
    }

    /// Returns the buffer, for commands that are encoded before [`Readback::map_on_submit`].
    pub(crate) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Schedules the mapping for when `encoder` is submitted. Until then the buffer is in flight.
    pub(crate) fn map_on_submit(&self, encoder: &wgpu::CommandEncoder) {
        self.stage.store(Stage::InFlight as u8, Ordering::Release);
        let guard = Guard { stage: self.stage.clone(), outcome: Stage::Dropped };
        // The offset is always 0, because some drivers map other offsets wrongly.
        encoder.map_buffer_on_submit(&self.buffer, wgpu::MapMode::Read, .., move |result| {
            guard.settle(result.is_ok());
        });
    }

    /// Passes the words of a [`Stage::Mapped`] buffer to `read` and makes the buffer idle.
    pub(crate) fn finish<T>(&self, read: impl FnOnce(&[u32]) -> T) -> Result<T, GpuError> {
        self.reset();
        let result = self.mapped(read)?;
        // Unmapping a buffer that a destroyed device has taken back is a validation error.
        self.buffer.unmap();
        Ok(result)
    }

    /// Makes the buffer idle without reading it.
    pub(crate) fn reset(&self) {
        self.stage.store(Stage::Idle as u8, Ordering::Release);
    }

    fn mapped<T>(&self, read: impl FnOnce(&[u32]) -> T) -> Result<T, GpuError> {
        // After `Device::destroy` this fails, even if the callback reported success.
        let bytes = self.buffer.get_mapped_range(..).map_err(|_| GpuError::DeviceLost)?;
        let words = bytemuck::try_cast_slice(&bytes);
        words.map(read).map_err(|_| GpuError::DeviceLost)
    }
}

/// Waits until a submission, or all of them, is done and `is_finished` returns true.
pub(crate) fn wait(
    device: &wgpu::Device,
    submission: impl Into<Option<wgpu::SubmissionIndex>>,
    timeout: Duration,
    is_finished: impl Fn() -> bool,
) -> Result<(), GpuError> {
    let poll = wgpu::PollType::Wait { submission_index: submission.into(), timeout: Some(timeout) };
    match device.poll(poll) {
        Ok(_) => {
            // Another thread that polls the same device may be about to run the callback. A query that
            // was never submitted has no callback to wait for.
            for _ in 0..1_000_000 {
                if is_finished() {
                    break;
                }
                std::thread::yield_now();
            }
            Ok(())
        }
        // A lost device may have run the callback.
        Err(_) if is_finished() => Ok(()),
        Err(wgpu::PollError::Timeout) => Err(GpuError::Timeout(timeout)),
        Err(_) => Err(GpuError::DeviceLost),
    }
}
