//! `Gizmo::interact` with the drawing and the snap queries of the facade.

use super::Host;
use crate::common::prelude::*;

#[test]
fn interact_with_prepare_drags_and_snaps() {
    let mut host = Host::new(gpu());
    host.settle(gpu());
    let (view, from) = (host.case.view, host.px_of("translate_view"));
    host.tools.gizmo.settings.snap.to = SnapTo::SURFACE;
    // A surface behind the gizmo.
    let at = PIVOT_WORLD + view.forward();
    let surface = vec![(objects::facing(&view, at, 900.0), NonZeroU32::MIN)];
    let surface = objects::Host::new(&view, surface);
    let mut world = host.targets[0].local;
    let (mut snap_queries, mut events) = (0, Vec::new());
    let mut frame = |px: DVec2, primary_down| {
        host.tools.gpu.receive(&mut host.tools.gizmo).expect("the device is alive");
        let pointer = Pointer { position_px: Some(px), primary_down, ..Pointer::default() };
        events.extend(host.tools.gizmo.interact(&view, pointer, &mut world));
        let mut encoder = gpu().encoder();
        let draw = |pass: &mut wgpu::RenderPass<'_>, query: &wgpu_gizmo::PickQuery, clip_from_clip| {
            snap_queries += usize::from(query.is_snap);
            surface.draw(pass, clip_from_clip);
        };
        host.tools
            .prepare(Frame::new(device(), queue(), &mut encoder), &view, draw)
            .expect("the device is alive");
        assert!(host.tools.gpu.list(&view).is_some_and(|list| !list.is_empty()));
        queue().submit([encoder.finish()]);
        gpu().wait();
        host.tools.gizmo.is_active()
    };
    frame(from, false);
    assert!(frame(from, true));
    for step in 1..20 {
        assert!(frame(from + DVec2::splat(f64::from(step.min(15))), true), "frame {step} cancels the drag");
    }
    assert!(!frame(from + DVec2::splat(15.0), false));
    assert!(snap_queries > 10, "{snap_queries}");
    assert!(!events.contains(&Event::Canceled));
    assert_eq!(events.last(), Some(&Event::Ended { changed: true }));
    let behind = (world.translation - at).dot(view.forward());
    assert!(behind.abs() < 1e-3, "the target is {behind} behind the surface");
}
