use super::tile_view::{TileMode, set_viewport};
use crate::gpu::device::device_errors::DeviceErrors;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::resources::{TextureShape, create_texture};
use crate::gpu::device::web::{IS_BROWSER, reports_later};

/// Finds the mode for a device. Browsers with an earlier version of WebGPU refuse viewports that extend beyond the
/// attachment.
#[derive(Debug)]
pub(crate) struct Tiling {
    is_cropped: bool,
    /// The errors of a pass with such a viewport, or `None` if the device accepts it.
    probe: Option<DeviceErrors>,
}

impl Tiling {
    pub(crate) fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
        let is_known = !reports_later(IS_BROWSER, device.adapter_info().backend);
        let probe = if is_known { None } else { Some(probe(device, [-1.0, -1.0, 3.0, 3.0])?) };
        Ok(Self { is_cropped: false, probe })
    }

    /// Crops all tiles from now on.
    pub(crate) fn crop(&mut self) {
        self.is_cropped = true;
    }

    pub(crate) fn mode(&mut self) -> TileMode {
        let is_accepted = self.probe.as_mut().is_none_or(DeviceErrors::have_none);
        match (self.is_cropped, is_accepted) {
            (true, _) => TileMode::Cropped,
            (false, false) => TileMode::ShiftedInside,
            (false, true) => TileMode::Shifted,
        }
    }
}

/// Encodes a pass over one pixel with a viewport, and returns the errors. The pass is never submitted.
fn probe(device: &wgpu::Device, viewport: [f32; 4]) -> Result<DeviceErrors, GpuError> {
    let shape = TextureShape { size: [1, 1], format: wgpu::TextureFormat::R8Unorm, sample_count: 1 };
    let texture = create_texture(device, "wgpu-gizmo probe", shape, wgpu::TextureUsages::RENDER_ATTACHMENT)?;
    let mut errors = DeviceErrors::default();
    // If this fails at once, `errors` has the error, too.
    let _ = errors.catch(device, || {
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &texture.create_view(&Default::default()),
                depth_slice: None,
                resolve_target: None,
                ops: Default::default(),
            })],
            ..Default::default()
        });
        set_viewport(&mut pass, viewport);
        drop(pass);
        encoder.finish()
    });
    Ok(errors)
}

#[cfg(all(test, feature = "native"))]
mod tests {
    use super::*;
    use crate::math::Rect;
    use glam::DVec2;

    fn mode(probe: DeviceErrors) -> TileMode {
        Tiling { is_cropped: false, probe: Some(probe) }.mode()
    }

    #[test]
    fn tiles_are_shifted_only_once_device_has_accepted_it() {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = pollster::block_on(instance.request_adapter(&Default::default()));
        let adapter = adapter.expect("the tests need an adapter");
        let device = pollster::block_on(adapter.request_device(&Default::default()));
        let (device, _queue) = device.expect("the adapter gives a device");
        let probed = |viewport| probe(&device, viewport).expect("the device is alive");
        assert_eq!(mode(probed([-1.0, -1.0, 3.0, 3.0])), TileMode::Shifted);
        // Beyond every limit, as a viewport beyond the attachment is in a browser with the earlier rule.
        assert_eq!(mode(probed([-1e6, 0.0, 1.0, 1.0])), TileMode::ShiftedInside);
        let mut pending = DeviceErrors::default();
        pending.add(std::future::pending());
        assert_eq!(mode(pending), TileMode::ShiftedInside);
    }

    #[test]
    fn earlier_rule_shifts_only_viewports_inside_of_tile() {
        let rect = |x: f64, side: f64| Rect::from_min_size(DVec2::splat(x), DVec2::splat(side));
        let shifts = |mode: TileMode, viewport| mode.shifts(viewport, rect(0.0, 8.0), 100);
        for (viewport, is_inside, is_allowed) in [
            (rect(0.0, 8.0), true, true),
            (rect(2.0, 6.0), true, true),
            (rect(2.0, 7.0), false, true),
            (rect(-1.0, 8.0), false, true),
            (rect(-1.0, 101.0), false, false),
        ] {
            assert_eq!(shifts(TileMode::ShiftedInside, viewport), is_inside);
            assert_eq!(shifts(TileMode::Shifted, viewport), is_allowed);
            assert!(!shifts(TileMode::Cropped, viewport));
        }
    }
}
