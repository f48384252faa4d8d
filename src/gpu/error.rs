use std::time::Duration;
use wgpu::TextureFormat;

/// To be asked before anything is made: what a lost device makes is invalid, and its use a
/// validation error.
pub(super) fn check_alive(device: &wgpu::Device) -> Result<(), GpuError> {
    let probe = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("wgpu-gizmo probe"),
        size: wgpu::COPY_BUFFER_ALIGNMENT,
        usage: wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: true,
    });
    let mapped = probe.get_mapped_range_mut(..);
    mapped.map(|_| ()).map_err(|error| GpuError::DeviceLost(error.to_string()))
}

/// What can go wrong between the crate and the GPU.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The host's color target cannot be blended into.
    #[error("handles cannot be blended into {0:?}: draw into a filterable unorm or float color target")]
    ColorFormat(TextureFormat),
    /// The host's depth-stencil format is not one.
    #[error("{0:?} is no depth or stencil format: pass that of the pass' depth attachment, or None")]
    DepthFormat(TextureFormat),
    /// The host's target has a sample count that its format has not.
    #[error("{format:?} has no {sample_count} samples a pixel here: 1 and 4 always work")]
    SampleCount {
        /// Of the color target.
        format: TextureFormat,
        /// As asked for.
        sample_count: u32,
    },
    /// The target has no pixels or more of them than the device can render.
    #[error(
        "an ID image of {width} x {height} pixels cannot be made: both sides must be between 1 and \
         {limit}, the device's max_texture_dimension_2d"
    )]
    TargetSize {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
        /// Longest side.
        limit: u32,
    },
    /// What is to be uploaded is larger than a buffer or a texture can be.
    #[error(
        "{bytes} bytes are more than the {limit} that the device has room for in one piece: split the \
         mesh, or outline fewer ids"
    )]
    BufferSize {
        /// In bytes.
        bytes: u64,
        /// In bytes.
        limit: u64,
    },
    /// Every readback buffer is under way.
    #[error(
        "all readback buffers are under way: poll a Picker once a frame and ask `has_room` first; \
         read an IdImage before encoding it again"
    )]
    RingFull,
    /// The draw list was drawn for another view than the question is about.
    #[error("the draw list is for another view than the query: begin it with the query's view")]
    OtherView,
    /// The draw list has gizmos of several id spaces.
    #[error(
        "the draw list has gizmos of several id spaces, whose handles can have the same ids: make all \
         gizmos of a view with one IdSpace, and take the ids of your objects from it too"
    )]
    MixedIds,
    /// There is nothing to read: no command buffer with an ID image in it was submitted.
    #[error("no ID image is under way: encode one and submit the command buffer before reading")]
    NotSubmitted,
    /// What the GPU rendered cannot be read back, which happens when the device is gone.
    #[error("reading back failed ({0}): the device is lost, make a new one and everything on it anew")]
    DeviceLost(String),
    /// The GPU took longer than a blocking call was allowed to.
    #[error("the GPU did not finish within {0:?}: allow more time, or poll for the answer")]
    Timeout(Duration),
    /// Waiting is not possible in a browser.
    #[error("a browser cannot wait for the GPU: encode, submit and poll once a frame instead")]
    BlockingOnWeb,
    /// Integer textures cannot be read back through WebGL.
    #[error("picking needs WebGPU: WebGL cannot read the ID image back")]
    WebGl,
}
