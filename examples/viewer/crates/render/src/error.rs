//! The errors of rendering.

use wgpu_gizmo::gpu::GpuError;

/// An error of the GPU.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// An error of the gizmo's renderer or picker.
    #[error(transparent)]
    Gizmo(#[from] GpuError),
    /// The picture could not be read back.
    #[error("Could not read the picture back: {0}")]
    ReadBack(String),
    /// The picture exceeds the limits of the device.
    #[error("The picture is too large for this device: {0} x {1} pixels")]
    TooLarge(u32, u32),
    /// An animation has pictures of one size.
    #[error("The pictures of an animation must have one size")]
    Resized,
    /// The device does not have enough memory.
    #[error("The graphics device has too little memory for the picture: choose a smaller size")]
    OutOfMemory,
}

/// The result of work of the GPU.
pub type Result<T, E = StageError> = std::result::Result<T, E>;
