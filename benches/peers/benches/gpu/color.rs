//! The color pass: handles are prepared and drawn into the host's pass.

use crate::{COUNTS, FORMAT, SIZES, clocked, list_of, pixels, save_by_resolution, texture};
use std::cell::RefCell;
use wgpu_gizmo::gpu::{GizmoRenderer, TargetState};
use wgpu_gizmo_bench_peers::gpu::Gpu;
use wgpu_gizmo_bench_peers::page::Table;
use wgpu_gizmo_bench_peers::plot::Series;
use wgpu_gizmo_bench_peers::stats::{Effort, Rounds, median, slope, timed};
use wgpu_gizmo_bench_peers::{figure, short};

const EFFORT: Effort = Effort { rounds: 101, seconds: 1.5 };

/// The host's render target.
struct Host {
    view: wgpu::TextureView,
}

impl Host {
    fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
        let texture = texture(gpu, size, FORMAT, 1);
        Self { view: texture.create_view(&wgpu::TextureViewDescriptor::default()) }
    }

    /// Begins the host's pass, which loads the previous contents.
    fn pass<'a>(&self, encoder: &'a mut wgpu::CommandEncoder) -> wgpu::RenderPass<'a> {
        let ops = wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.view,
                depth_slice: None,
                resolve_target: None,
                ops,
            })],
            ..Default::default()
        })
    }
}

/// Rounds of the pass and its floor, and their medians on the GPU's clock.
fn rounds(gpu: &Gpu, count: usize, size: [u32; 2]) -> (Rounds, [f64; 2]) {
    let target = TargetState { format: FORMAT, sample_count: 1, depth_stencil: None };
    let mut renderer = GizmoRenderer::new(&gpu.device, target).expect("the pass is supported");
    let host = Host::new(gpu, size);
    // Two in turns, because a list that stays the same is not uploaded again.
    let lists = [0, 1].map(|frame| list_of(count, size, frame).1);
    let mut lists = lists.iter().cycle();
    let clocked = [(); 2].map(|()| RefCell::new(Vec::new()));
    let mut drawn = || {
        timed(|| {
            clocked[0].borrow_mut().push(gpu.time(|encoder| {
                let list = lists.next().expect("there are two");
                renderer.prepare(&gpu.device, &gpu.queue, list).expect("the device is alive");
                renderer.render(&mut host.pass(encoder));
            }));
        })
    };
    let mut floor = || {
        timed(|| {
            clocked[1].borrow_mut().push(gpu.time(|encoder| drop(host.pass(encoder))));
        })
    };
    let rounds = Rounds::of(EFFORT, &mut [&mut drawn, &mut floor]);
    (rounds, clocked.map(|times| median(times.into_inner())))
}

pub(crate) fn measure(gpus: &[Gpu]) {
    let mut table = Table::new(
        "color",
        &[
            "color pass",
            "gizmos",
            "backend",
            "rounds",
            "µs",
            "an empty pass, µs",
            "ratio",
            "GPU's clock, µs",
            "of an empty pass, µs",
        ],
    );
    let mut lines = Vec::new();
    for count in COUNTS {
        let mut line = Vec::new();
        for (name, size) in SIZES {
            for (index, gpu) in gpus.iter().enumerate() {
                let (rounds, clock) = rounds(gpu, count, size);
                let (us, ratio) = (rounds.median(0), rounds.ratio(0, 1));
                table.row(&[
                    name,
                    &count.to_string(),
                    gpu.backend,
                    &rounds.count().to_string(),
                    &short(us),
                    &short(rounds.median(1)),
                    &format!("{ratio:.2}"),
                    &clocked(clock[0]),
                    &clocked(clock[1]),
                ]);
                if index == 0 {
                    line.push((pixels(size), us));
                }
                figure(&format!("color_over_floor{}.{count}_gizmos.{name}", gpu.suffix), ratio, "ratio");
            }
        }
        lines.push(Series::new(format!("gizmos: {count} (slope {:.2})", slope(&line)), line));
    }
    table.save();
    save_by_resolution("gpu-color", "Color pass, prepared, drawn and waited for", lines);
}
