#[path = "../../shared/full_frame.rs"]
mod full_frame;
use full_frame::Attachments;
use glam::DVec2;
use std::hint::black_box;
use std::time::Duration;
use wgpu_gizmo::gpu::Picker;
use wgpu_gizmo::{Mode, PickQuery};
use wgpu_gizmo_bench_peers::gpu::Gpu;
use wgpu_gizmo_bench_peers::scene::*;
use wgpu_gizmo_bench_peers::stats::{Rounds, timed};
fn main() {
    let gpu = Gpu::new();
    let mut stage = Stage::new(Mode::Universal, targets(1), HD);
    let view = stage.view();
    stage.gizmo.draw(stage.list.begin(&view));
    let floor = Attachments::new(&gpu.device, [33, 33], 33);
    for (name, px) in [
        ("empty", Some(DVec2::new(40.5, 40.5))),
        ("centre", Some(stage.middle_px())),
        ("x", None),
        ("arrow", Some(DVec2::ZERO)),
        ("ring", Some(DVec2::ONE)),
    ] {
        let px = px.unwrap_or_else(|| view.px_from_world(glam::DVec3::new(0.3, 0.0, 0.0)).unwrap());
        let px = if px == DVec2::ZERO { stage.place_of("translate_x") } else if px == DVec2::ONE { stage.place_of("rotate_y") } else { px };
        let mut picker = Picker::new(&gpu.device).unwrap();
        let mut i = 0.0;
        let mut pick = || timed(|| {
            i += 1e-5;
            let query = PickQuery::new(&view, px + i, 5.0);
            black_box(picker.pick_blocking(&gpu.device, &gpu.queue, &query, &stage.list, |_, _| {}, Duration::from_secs(9)).unwrap());
        });
        let rounds = Rounds::of(1001, &mut [&mut pick, &mut || timed(|| floor.clear_and_read(&gpu.device, &gpu.queue))]);
        println!("{name}: {:.1} {:.1} ratio {:.3}, parts bytes {}", rounds.median(0), rounds.median(1), rounds.ratio(0, 1), picker.uploaded_bytes());
    }
}
