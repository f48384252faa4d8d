use crate::pick::IdSpaceExhausted;
use std::time::Duration;
use wgpu::TextureFormat;

/// An error of the renderer, the picker or an image.
///
/// ```no_run
/// use wgpu_gizmo::gpu::{GpuError, Picker};
/// use wgpu_gizmo::{Gizmo, wgpu};
///
/// fn take_answers(device: &wgpu::Device, picker: &mut Picker, gizmo: &mut Gizmo) -> Result<(), GpuError> {
///     loop {
///         match picker.poll(device) {
///             Ok(Some(answer)) => gizmo.answer(&answer),
///             Ok(None) => return Ok(()),
///             Err(GpuError::DeviceLost) => {
///                 // The gizmo repeats its query once there is a new device with a new picker.
///                 gizmo.picks_lost();
///                 return Err(GpuError::DeviceLost);
///             }
///             Err(error) => return Err(error),
///         }
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The color attachment has a format that cannot be blended into.
    #[error("handles cannot be blended into {0:?}: draw into a filterable unorm or float color target")]
    ColorFormat(TextureFormat),
    /// The format of the depth-stencil attachment is not a depth or stencil format.
    #[error("{0:?} is not a depth or stencil format: use the format of the depth attachment, or None")]
    DepthFormat(TextureFormat),
    /// A format needs a feature that the device was created without.
    #[error("{format:?} needs the device feature {missing:?}: request it, or use another format")]
    FormatFeature {
        /// The format.
        format: TextureFormat,
        /// The features that are missing.
        missing: wgpu::Features,
    },
    /// The format of the color attachment does not support the sample count.
    #[error("{format:?} does not support {sample_count} samples per pixel on this device: use 1 or 4")]
    SampleCount {
        /// The format of the color attachment.
        format: TextureFormat,
        /// The sample count that was requested.
        sample_count: u32,
    },
    /// The depth of the scene cannot be compared with the depth of the handles, so they are drawn on top.
    #[error("the depth of the scene cannot be used: {0}")]
    SceneDepth(&'static str),
    /// The ID image has no pixels, or more than the device can render.
    #[error(
        "an ID image of {width} x {height} pixels cannot be created: both sides must be between 1 and \
         {limit}, the device's max_texture_dimension_2d"
    )]
    TargetSize {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
        /// The maximum side in pixels.
        limit: u32,
    },
    /// The data to upload exceeds the maximum size of a buffer or a texture.
    #[error(
        "{bytes} bytes exceed the {limit} bytes that the device can allocate at once: use a smaller image \
         or region, split the mesh, or outline fewer ids"
    )]
    BufferSize {
        /// The size of the data in bytes.
        bytes: u64,
        /// The maximum size in bytes.
        limit: u64,
    },
    /// The device has no memory left. Nothing was replaced, so existing resources can still be used.
    #[error("the device is out of memory: free resources, or use a smaller image, and try again")]
    OutOfMemory,
    /// The device rejected a resource, although its limits and features allow it. A browser reports this after the
    /// call that creates a pipeline; then the calls that draw with it return it.
    #[error("the device rejected a resource: {0}")]
    Rejected(String),
    /// All readback buffers are in flight.
    #[error(
        "all readback buffers are in flight: poll a Picker once a frame and check `has_capacity` first; \
         read an IdImage before encoding it again"
    )]
    RingFull,
    /// The view of the draw list is not the view of the query.
    #[error("the draw list and the query have different views: begin the list with the view of the query")]
    OtherView,
    /// The draw list has gizmos of several id spaces.
    #[error(
        "the draw list has gizmos of several id spaces, whose handles can have equal ids: create all \
         gizmos of a view with one IdSpace, and take the ids of your objects from it too"
    )]
    MixedIds,
    /// The id space has too few ids left for a gizmo.
    #[error("{0}")]
    Ids(#[from] IdSpaceExhausted),
    /// There is nothing to read, because no command buffer with the ID image was submitted. A
    /// [`WgpuGizmo`](crate::WgpuGizmo) has repeated its query, and the encoders were dropped each time.
    #[error("no ID image is in flight: submit the encoder that it was encoded with before reading")]
    NotSubmitted,
    /// Something was created on another device than the one that it is used with, of the same instance.
    #[error("this was created on another device: pass that one, or rebuild it on this one")]
    OtherDevice,
    /// The device is lost, so its results cannot be read back. The host's
    /// [callback](wgpu::Device::set_device_lost_callback) gets the reason.
    #[error("the device is lost: create a new one and rebuild the renderer and the picker on it")]
    DeviceLost,
    /// The GPU took longer than the timeout of a blocking call.
    #[error("the GPU did not finish within {0:?}: allow more time, or poll for the answer")]
    Timeout(Duration),
    /// wgpu passes no occlusion queries on to browsers.
    #[error(
        "a browser cannot find occluded objects, because wgpu has no occlusion queries there: use an IdImage, which \
         finds the visible ones"
    )]
    OcclusionOnWeb,
    /// A browser cannot block.
    #[error("a browser cannot wait for the GPU: encode, submit and poll once a frame instead")]
    BlockingOnWeb,
}
