//! Frames that fail, encoders that are dropped, and calls in a wrong order.

use super::{End, FRAMES, Host, expected_position};
use crate::common::prelude::*;

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
    // A press is abandoned without a click.
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
    let color = host.color(device());
    for _ in 0..2 {
        let mut encoder = gpu().encoder();
        host.render(&mut encoder, &color);
        for _ in 0..2 {
            let view = &host.case.view;
            host.tools
                .prepare(Frame::new(device(), queue(), &mut encoder), view, |_, _, _| {})
                .expect("the device is alive");
        }
        for _ in 0..2 {
            let events = host.tools.update(&host.case.view, &mut host.targets);
            assert_eq!(events.expect("the device is alive"), []);
        }
        queue().submit([encoder.finish()]);
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

/// The frame with the query of the press is submitted after many updates.
#[test]
fn press_waits_for_late_frame() {
    let mut host = Host::new(gpu());
    let from = host.press(gpu());
    let mut encoder = gpu().encoder();
    let view = &host.case.view;
    for update in 0..FRAMES {
        host.events.extend(host.tools.update(view, &mut host.targets).expect("the device is alive"));
        if update == 0 {
            let frame = Frame::new(device(), queue(), &mut encoder);
            host.tools.prepare(frame, view, |_, _, _| {}).expect("the device is alive");
        }
    }
    queue().submit([encoder.finish()]);
    host.finish(gpu(), from);
    assert_eq!(host.position(), expected_position());
    assert_eq!(host.names(), ["started", "changed", "ended"]);
}

/// The query of a press is in flight. If all frames fail, the press is abandoned.
#[test]
fn press_on_lost_device_continues_after_rebuild() {
    for failing_frames in [20, FRAMES] {
        let lost = Gpu::new();
        // It will be lost, so its errors are not panics.
        lost.device.on_uncaptured_error(std::sync::Arc::new(|error| println!("uncaptured: {error}")));
        let mut host = Host::new(&lost);
        let from = host.press(&lost);
        lost.device.destroy();
        let frames = (0..failing_frames).filter_map(|_| host.frame(&lost, End::Submits).err());
        let errors: Vec<_> = frames.collect();
        assert!(!errors.is_empty() && errors.iter().all(|error| *error == GpuError::DeviceLost));
        assert!(errors[0].to_string().contains("rebuild"), "{}", errors[0]);
        assert!(host.tools.rebuild(&lost.device).is_err(), "the device is lost");
        host.tools.rebuild(device()).expect("the device is alive");
        host.finish(gpu(), from);
        assert!(!host.tools.gizmo.is_busy());
        if failing_frames == FRAMES {
            assert_eq!(host.names(), [""; 0]);
        } else {
            assert_eq!(host.position(), expected_position());
            assert_eq!(host.names(), ["started", "changed", "ended"]);
        }
    }
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
            let px = host.px_of("translate_x");
            host.tools.gizmo.pointer_moved(px);
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
fn full_id_space_gives_error() {
    let mut ids = IdSpace::new();
    while ids.allocate(1 << 30).is_ok() {}
    while ids.allocate(1 << 16).is_ok() {}
    let made = WgpuGizmo::with_ids(device(), PLAIN, ids);
    assert!(matches!(made.err(), Some(GpuError::Ids(_))));
}
