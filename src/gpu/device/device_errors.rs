use super::error::GpuError;
use super::pipelines::PipelineFactory;
use std::fmt;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// The errors that a device reports for calls in error scopes: at once natively, and later in a browser.
#[derive(Default)]
pub(crate) struct DeviceErrors {
    /// Locked only to be `Sync`.
    pending: Mutex<Vec<Pin<Box<dyn PendingError>>>>,
    first: Option<GpuError>,
}

/// The result of an error scope.
trait PendingError: Future<Output = Option<wgpu::Error>> + wgpu::WasmNotSend {}

impl<T: Future<Output = Option<wgpu::Error>> + wgpu::WasmNotSend> PendingError for T {}

/// Returns an error if the device is lost.
pub(crate) fn check_alive(device: &wgpu::Device) -> Result<(), GpuError> {
    let probe = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("wgpu-gizmo probe"),
        size: wgpu::COPY_BUFFER_ALIGNMENT,
        usage: wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: true,
    });
    let mapped = probe.get_mapped_range_mut(..);
    mapped.map(|_| ()).map_err(|_| GpuError::DeviceLost)
}

impl DeviceErrors {
    /// Creates pipelines. An error that the device reports later is returned by [`DeviceErrors::check`].
    pub(crate) fn create_pipelines<T>(
        &mut self,
        device: &wgpu::Device,
        create: impl FnOnce(&PipelineFactory<'_>) -> T,
    ) -> Result<T, GpuError> {
        // Pipelines of a lost device are invalid, and using them is a validation error.
        check_alive(device)?;
        self.catch(device, || create(&PipelineFactory::new(device)))
    }

    /// Calls `create` in error scopes.
    pub(crate) fn catch<T>(
        &mut self,
        device: &wgpu::Device,
        create: impl FnOnce() -> T,
    ) -> Result<T, GpuError> {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        let scopes = [Internal, Validation, OutOfMemory].map(|filter| device.push_error_scope(filter));
        let created = create();
        // Scopes are a stack: the last one is popped first.
        scopes.into_iter().rev().for_each(|scope| self.add(scope.pop()));
        self.check().map(|()| created)
    }

    /// Adds the result of a scope.
    pub(crate) fn add(
        &mut self,
        error: impl Future<Output = Option<wgpu::Error>> + wgpu::WasmNotSend + 'static,
    ) {
        self.pending.get_mut().unwrap_or_else(PoisonError::into_inner).push(Box::pin(error));
    }

    /// Returns the first error that has been reported so far.
    pub(crate) fn check(&mut self) -> Result<(), GpuError> {
        let Self { pending, first } = self;
        pending.get_mut().unwrap_or_else(PoisonError::into_inner).retain_mut(|error| {
            match error.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(error) => {
                    *first = first.take().or(error.map(GpuError::from));
                    false
                }
                Poll::Pending => true,
            }
        });
        first.clone().map_or(Ok(()), Err)
    }

    /// Returns true if the device has reported that there are no errors.
    pub(crate) fn have_none(&mut self) -> bool {
        self.check().is_ok() && self.pending.get_mut().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

impl fmt::Debug for DeviceErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceErrors").field("first", &self.first).finish_non_exhaustive()
    }
}

impl From<wgpu::Error> for GpuError {
    fn from(error: wgpu::Error) -> Self {
        match error {
            wgpu::Error::OutOfMemory { .. } => Self::OutOfMemory,
            error => Self::Rejected(error.to_string()),
        }
    }
}

#[cfg(all(test, feature = "native"))]
mod tests {
    use super::*;
    use crate::gpu::{GizmoRenderer, Picker};
    use crate::pick::Region;
    use crate::scene::{Outline, PickMesh, PickScene, RegionPicker, RegionQuery};
    use crate::{DrawList, PickQuery, View, Viewport};
    use glam::{DMat4, DVec2};
    use std::future::poll_fn;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Asserts that a call succeeds until an error arrives that its device reports later, and then returns it.
    fn returns_late_error<T>(
        object: &mut T,
        errors: fn(&mut T) -> &mut DeviceErrors,
        mut call: impl FnMut(&mut T) -> Result<(), GpuError>,
    ) {
        let is_reported = Arc::new(AtomicBool::new(false));
        let has_arrived = is_reported.clone();
        errors(object).add(poll_fn(move |_| match has_arrived.load(Ordering::Relaxed) {
            true => Poll::Ready(Some(wgpu::Error::Validation {
                source: "late".into(),
                description: "late".to_owned(),
            })),
            false => Poll::Pending,
        }));
        assert_eq!(call(object), Ok(()));
        is_reported.store(true, Ordering::Relaxed);
        for _ in 0..2 {
            assert!(matches!(call(object), Err(GpuError::Rejected(reason)) if reason.contains("late")));
        }
    }

    #[test]
    fn late_pipeline_errors_are_returned_by_next_calls() {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = pollster::block_on(instance.request_adapter(&Default::default()));
        let (device, queue) = pollster::block_on(
            adapter.expect("the tests need an adapter").request_device(&Default::default()),
        )
        .expect("the adapter gives a device");
        let view = View::new(DMat4::IDENTITY, DMat4::IDENTITY, Viewport::from_size(8, 8), 1.0);
        let view = view.expect("the view is valid");
        let mut encoder = device.create_command_encoder(&Default::default());
        let target = wgpu::TextureFormat::Rgba8Unorm;

        let mut renderer = GizmoRenderer::new(&device, target).expect("the target is supported");
        returns_late_error(
            &mut renderer,
            |renderer| &mut renderer.errors,
            |renderer| renderer.prepare(&device, &queue, &DrawList::new()),
        );
        let mut picker = Picker::new(&device).expect("the device is alive");
        let query = PickQuery::new(&view, DVec2::splat(4.0), 0.0);
        returns_late_error(
            &mut picker,
            |picker| &mut picker.ids.errors,
            |picker| picker.encode(&device, &queue, &mut encoder, &query, &DrawList::new(), |_, _| {}),
        );
        let mut outline = Outline::new(&device, target).expect("the target is supported");
        returns_late_error(
            &mut outline,
            |outline| &mut outline.errors,
            |outline| outline.prepare(&device, &queue, &mut encoder, &view, |_, _| {}),
        );
        let mut scene = PickScene::new(&device).expect("the device is alive");
        let mut batch = scene.batch(&device).expect("the device is alive");
        let mut regions = RegionPicker::new(&device).expect("the device is alive");
        let region = &Region::Rectangle([DVec2::ZERO; 2]);
        let query = RegionQuery { view: &view, target_px: [8, 8], region, with_occluded: true };
        returns_late_error(
            &mut regions,
            |regions| &mut regions.errors,
            |regions| {
                regions.encode(&device, &queue, &mut encoder, query, &mut (&mut scene, &mut batch))?;
                // It was not submitted.
                encoder = device.create_command_encoder(&Default::default());
                Ok(())
            },
        );
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let mesh = PickMesh::new(&corners, &[0, 1, 2]).expect("the mesh is valid");
        returns_late_error(
            &mut scene,
            |scene| &mut scene.errors,
            |scene| scene.add_mesh(&device, &mesh).map(|_| ()),
        );
    }
}
