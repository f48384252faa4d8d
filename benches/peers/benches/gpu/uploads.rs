//! Bytes that one gizmo uploads per frame, at most: what is drawn, the query, and both in one frame.

use crate::FORMAT;
use glam::DVec2;
use wgpu_gizmo::Mode;
use wgpu_gizmo::gpu::{GizmoRenderer, Picker, TargetState};
use wgpu_gizmo_bench_peers::figure;
use wgpu_gizmo_bench_peers::gpu::Gpu;
use wgpu_gizmo_bench_peers::page::Table;
use wgpu_gizmo_bench_peers::plot::bars;
use wgpu_gizmo_bench_peers::scene::{HD, Stage, dragging, targets};

pub(crate) fn measure(gpu: &Gpu) {
    let heads = ["upload of one gizmo, universal", "drawing, bytes", "query, bytes"];
    let mut table = Table::new("upload", &heads);
    let target = TargetState { format: FORMAT, sample_count: 1, depth_stencil: None };
    let mut groups = Vec::new();
    let mut max_bytes = 0;
    for what in ["idle", "hover", "translate_x", "translate_zx", "rotate_y", "scale_x"] {
        let mut stage = Stage::new(Mode::Universal, targets(1), HD);
        let mut renderer = GizmoRenderer::new(&gpu.device, target).expect("the pass is supported");
        let mut picker = Picker::new(&gpu.device).expect("the backend is not WebGL");
        let center_px = stage.center_px();
        let press_px = if what.contains('_') { stage.press(what) } else { center_px };
        let (mut drawing, mut asking, mut both) = (0, 0, 0);
        for frame in 0..40 {
            stage.frame = if what == "idle" { 0 } else { frame };
            let px = match what {
                "idle" => DVec2::new(40.5, 40.5),
                "hover" => center_px + DVec2::from_angle(f64::from(frame)) * f64::from(4 * frame),
                _ => dragging(frame, press_px),
            };
            stage.frame_at(Some(px));
            let mut encoder = gpu.encoder();
            renderer.prepare(&gpu.device, &gpu.queue, &stage.list).expect("the device is alive");
            let mut asked = 0;
            if let Some(query) = stage.gizmo.pick_query() {
                picker
                    .encode(&gpu.device, &gpu.queue, &mut encoder, &query, &stage.list, |_, _| {})
                    .expect("a slot is free");
                asked = picker.uploaded_bytes();
            }
            gpu.finish(encoder);
            while let Some(answer) = picker.poll(&gpu.device).expect("the device is alive") {
                stage.gizmo.answer(&answer);
            }
            // Buffers created in the first frames are not counted.
            if frame > 4 {
                let drawn = renderer.uploaded_bytes();
                (drawing, asking, both) = (drawing.max(drawn), asking.max(asked), both.max(drawn + asked));
            }
        }
        table.row(&[what, &drawing.to_string(), &asking.to_string()]);
        figure(&format!("upload_bytes_per_frame.{what}"), both as f64, "bytes");
        groups.push((what.replace('_', " "), vec![drawing as f64, asking as f64]));
        max_bytes = max_bytes.max(both);
    }
    table.save();
    figure("upload_bytes_per_frame", max_bytes as f64, "bytes");
    bars(
        "upload",
        "Bytes that one gizmo uploads per frame, at most",
        "bytes (logarithmic)",
        &["handles and guides", "query to the ID image"],
        &groups,
    );
}
