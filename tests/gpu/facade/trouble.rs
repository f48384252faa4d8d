//! Frames that fail, encoders that are dropped, and calls in a wrong order.

use super::{End, FRAMES, Host, expected_position};
use crate::common::device::{Gpu, adapter, gpu, instance};
use crate::common::host::PLAIN;
use wgpu_gizmo::facade::{Frame, GizmoGpu};
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::{GpuError, TargetState};
use wgpu_gizmo::{IdSpace, WgpuGizmo, wgpu};

/// Draws frames whose encoders are dropped until no more are needed. Returns the errors.
fn settle_dropping(host: &mut Host) -> Vec<GpuError> {
    let mut errors = Vec::new();
    for _ in 0..FRAMES {
        if !host.tools.needs_redraw(0) {
            return errors;
        }
        errors.extend(host.frame(gpu(), End::Drops).err());
    }
    panic!("it still needs frames after {FRAMES}");
}

#[test]
fn hover_of_dropped_encoders_is_reported_and_settles() {
    let mut host = Host::new(gpu());
    host.settle(gpu());
    let px = host.px_of("translate_x");
    for round in 0..2 {
        host.tools.gizmo.pointer_moved(px + DVec2::Y * f64::from(round));
        assert_eq!(settle_dropping(&mut host), [GpuError::NotSubmitted]);
        assert_eq!(host.tools.gizmo.hovered(), None);
    }
    host.tools.gizmo.pointer_moved(px);
    host.settle(gpu());
    assert_eq!(host.tools.gizmo.hovered().map(|handle| handle.name()), Some("translate_x"));
}

#[test]
fn press_of_dropped_encoders_is_abandoned_without_click() {
    let mut host = Host::new(gpu());
    let from = host.press(gpu());
    host.tools.gizmo.pointer_released();
    let errors = settle_dropping(&mut host);
    assert!(!errors.is_empty() && errors.iter().all(|error| *error == GpuError::NotSubmitted), "{errors:?}");
    assert_eq!((host.names(), host.tools.gizmo.is_busy()), (vec![], false));
    host.tools.gizmo.pointer_moved(from);
    host.tools.gizmo.pointer_pressed();
    host.finish(gpu(), from);
    assert_eq!(host.position(), expected_position());
}

#[test]
fn calls_in_wrong_order_do_no_harm() {
    let mut host = Host::new(gpu());
    let Gpu { device, queue } = gpu();
    let color = host.color(device);
    for _ in 0..2 {
        let mut encoder = gpu().encoder();
        host.render(&mut encoder, &color);
        for _ in 0..2 {
            let view = &host.case.view;
            host.tools
                .prepare(Frame::new(device, queue, &mut encoder), view, |_, _, _| {})
                .expect("the device is alive");
        }
        for _ in 0..2 {
            let events = host.tools.update(&host.case.view, &mut host.targets);
            assert_eq!(events.expect("the device is alive"), []);
        }
        queue.submit([encoder.finish()]);
    }
    let from = host.press(gpu());
    // Updates without a drawn frame abandon the press, and later frames work as usual.
    for _ in 0..FRAMES {
        host.events
            .extend(host.tools.update(&host.case.view, &mut host.targets).expect("the device is alive"));
    }
    host.tools.gizmo.pointer_released();
    host.settle(gpu());
    host.tools.gizmo.pointer_moved(from);
    host.tools.gizmo.pointer_pressed();
    host.finish(gpu(), from);
    assert_eq!(host.position(), expected_position());
}

/// Draws frames on a lost device until one reports it.
fn error_of_lost(host: &mut Host, gpu: &Gpu) -> GpuError {
    gpu.device.destroy();
    for i in 0..FRAMES {
        if let Err(error) = host.frame(gpu, End::Submits) {
            return error;
        }
        // A hover that needs an answer.
        host.tools.gizmo.pointer_moved(DVec2::splat(20.0 + (i % 7) as f64));
    }
    panic!("no frame of {FRAMES} fails");
}

/// Returns a device whose errors are not panics, because it will be lost.
pub(super) fn mortal() -> Gpu {
    let gpu = Gpu::new();
    gpu.device.on_uncaptured_error(std::sync::Arc::new(|error| println!("uncaptured: {error}")));
    gpu
}

/// Presses, loses the device with the query in flight, draws failing frames, rebuilds and finishes.
fn press_over_lost_device(failing_frames: usize) -> Host {
    let lost = mortal();
    let mut host = Host::new(&lost);
    let from = host.press(&lost);
    lost.device.destroy();
    let errors: Vec<_> = (0..failing_frames).filter_map(|_| host.frame(&lost, End::Submits).err()).collect();
    assert!(!errors.is_empty() && errors.iter().all(|error| matches!(error, GpuError::DeviceLost)));
    assert!(errors[0].to_string().contains("rebuild"), "{}", errors[0]);
    assert!(host.tools.rebuild(&lost.device).is_err(), "the device is lost");
    host.tools.rebuild(&gpu().device).expect("the device is alive");
    host.finish(gpu(), from);
    host
}

#[test]
fn press_on_lost_device_continues_after_rebuild() {
    let host = press_over_lost_device(20);
    assert_eq!(host.position(), expected_position());
    assert_eq!(host.names(), ["started", "changed", "ended"]);
}

#[test]
fn press_is_abandoned_if_all_frames_fail() {
    let host = press_over_lost_device(FRAMES);
    assert!(!host.tools.gizmo.is_busy());
    assert_eq!(host.names(), [""; 0]);
}

#[test]
fn hover_on_lost_device_reports_error_and_recovers() {
    let lost = mortal();
    let mut host = Host::new(&lost);
    host.settle(&lost);
    let px = host.px_of("translate_y");
    let error = error_of_lost(&mut host, &lost);
    assert!(matches!(error, GpuError::DeviceLost), "{error}");
    host.tools.rebuild(&gpu().device).expect("the device is alive");
    host.tools.gizmo.pointer_moved(px);
    host.settle(gpu());
    assert_eq!(host.tools.gizmo.hovered().map(|handle| handle.name()), Some("translate_y"));
}

#[test]
fn prepare_with_other_device_is_refused() {
    // wgpu compares the devices of one instance.
    let adapter = adapter(&instance());
    let [own, other] = [Gpu::on(&adapter), Gpu::on(&adapter)];
    let mut host = Host::new(&own);
    host.settle(&own);
    // With a query and without one.
    for moves in [true, false] {
        if moves {
            host.tools.gizmo.pointer_moved(host.px_of("translate_x"));
        }
        let refused = host.frame(&other, End::Drops).expect_err("the device is another one");
        assert_eq!(refused, GpuError::OtherDevice);
        assert!(refused.to_string().contains("rebuild"), "{refused}");
    }
    host.settle(&own);
    host.tools.rebuild(&other.device).expect("the device is alive");
    host.settle(&other);
    assert_eq!(host.frame(&own, End::Drops), Err(GpuError::OtherDevice));
}

#[test]
fn changed_attachments_of_view_are_followed() {
    let mut host = Host::new(gpu());
    host.settle(gpu());
    let target = TargetState { format: wgpu::TextureFormat::R32Uint, ..PLAIN };
    assert!(matches!(host.tools.gpu.set_target(0, target), Err(GpuError::ColorFormat(_))));
    // The failed call has changed nothing.
    host.frame(gpu(), End::Submits).expect("the device is alive");
    host.tools.gpu.set_target(0, PLAIN).expect("the render target is supported");
    host.settle(gpu());
    host.frame(gpu(), End::Submits).expect("the pass has these attachments");
}

#[test]
fn rebuild_keeps_attachments_of_view_and_texts_of_host() {
    let mut host = Host::new(gpu());
    let other = TargetState { format: wgpu::TextureFormat::Rgba16Float, ..PLAIN };
    host.tools.gpu = GizmoGpu::new(&gpu().device, other).expect("the render target is supported");
    host.tools.gpu.set_target(0, PLAIN).expect("the render target is supported");
    host.tools.gpu.stroke_readouts = false;
    host.tools.rebuild(&gpu().device).expect("the device is alive");
    // The pass has the attachments of the view, or wgpu would panic.
    assert!(host.settle(gpu()) > 0);
    assert!(!host.tools.gpu.stroke_readouts);
}

#[test]
fn full_id_space_gives_error() {
    let mut ids = IdSpace::new();
    while ids.allocate(1 << 30).is_ok() {}
    while ids.allocate(1 << 16).is_ok() {}
    let made = WgpuGizmo::with_ids(&gpu().device, PLAIN, ids);
    assert!(matches!(made.err(), Some(GpuError::Ids(_))));
}
