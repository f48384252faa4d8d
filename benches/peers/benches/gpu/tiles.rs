//! Picks at the cursor: through the tile, and by other methods.

use crate::full_frame::Attachments;
use crate::{COUNTS, SIZES, clocked, list_of, pixels, save_by_resolution};
use glam::{DVec2, DVec3};
use std::cell::RefCell;
use std::hint::black_box;
use std::time::{Duration, Instant};
use wgpu_gizmo::gpu::{IdImage, Picker};
use wgpu_gizmo::{DrawList, Mode, PickQuery, View};
use wgpu_gizmo_bench_peers::gpu::Gpu;
use wgpu_gizmo_bench_peers::page::Table;
use wgpu_gizmo_bench_peers::plot::Series;
use wgpu_gizmo_bench_peers::scene::{HD, Stage, targets};
use wgpu_gizmo_bench_peers::stats::{Effort, Rounds, median, slope, timed};
use wgpu_gizmo_bench_peers::{figure, short};

const TIMEOUT: Duration = Duration::from_secs(100);
const FAST: Effort = Effort { rounds: 1001, seconds: 2.0 };
const SLOW: Effort = Effort { rounds: 31, seconds: 2.0 };
const CLOCKED: Effort = Effort { rounds: 101, seconds: 1.0 };

/// Two queries at neighboring pixels, and everything that can answer them. They are asked in turns, because shapes that
/// stay the same are not uploaded again.
struct PickMethods<'a> {
    gpu: &'a Gpu,
    view: View,
    list: DrawList,
    queries: [PickQuery; 2],
    tile: RefCell<Turns>,
    cropped: RefCell<Turns>,
    floor: Attachments,
}

/// A picker, and the number of its queries.
struct Turns {
    picker: Picker,
    count: usize,
}

impl<'a> PickMethods<'a> {
    fn new(gpu: &'a Gpu, (view, list): (View, DrawList), cursor_px: DVec2) -> Self {
        let picker = || Picker::new(&gpu.device).expect("the backend is not WebGL");
        Self {
            gpu,
            view,
            list,
            queries: [cursor_px, cursor_px + DVec2::X].map(|px| PickQuery::new(&view, px, 5.0)),
            tile: RefCell::new(Turns { picker: picker(), count: 0 }),
            cropped: RefCell::new(Turns { picker: picker().with_cropped_tiles(), count: 0 }),
            floor: Attachments::new(&gpu.device, [33, 33], 33),
        }
    }

    fn pick(&self, turns: &RefCell<Turns>) -> f64 {
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        let Turns { picker, count } = &mut *turns.borrow_mut();
        *count += 1;
        let query = &self.queries[*count % 2];
        timed(|| {
            let answer = picker.pick_blocking(device, queue, query, &self.list, |_, _| {}, TIMEOUT);
            black_box(answer.expect("the device is alive"));
        })
    }

    fn clear(&self, attachments: &Attachments) -> f64 {
        timed(|| attachments.draw_and_read(&self.gpu.device, &self.gpu.queue, |_| {}))
    }

    fn full(&self, image: &mut IdImage) -> f64 {
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        timed(|| {
            let mut encoder = self.gpu.encoder();
            image
                .encode(device, queue, &mut encoder, &self.view, &self.list, |_, _| {})
                .expect("the device is alive");
            let submission = queue.submit([encoder.finish()]);
            black_box(image.read(device, submission, TIMEOUT).expect("the device is alive").ids[0]);
        })
    }

    /// The tile, the floor, and the tile by a cropped matrix.
    fn small(&self) -> Rounds {
        Rounds::of(
            FAST,
            &mut [&mut || self.pick(&self.tile), &mut || self.clear(&self.floor), &mut || {
                self.pick(&self.cropped)
            }],
        )
    }

    /// The same tile and floor on the GPU's clock.
    fn clocked(&self) -> Rounds {
        let Gpu { device, queue, .. } = self.gpu;
        let mut tile = || {
            let Turns { picker, count } = &mut *self.tile.borrow_mut();
            *count += 1;
            let us = self.gpu.time(|encoder| {
                picker
                    .encode(device, queue, encoder, &self.queries[*count % 2], &self.list, |_, _| {})
                    .expect("a slot is free");
            });
            while picker.is_pending() {
                black_box(picker.poll(device).expect("the device is alive"));
            }
            us
        };
        let mut floor = || self.gpu.time(|encoder| self.floor.encode(encoder, |_| {}));
        Rounds::of(CLOCKED, &mut [&mut tile, &mut floor])
    }

    /// The tile, full-frame attachments, and the whole image. Long work that touches much memory
    /// slows down whatever follows, including a tile ([`after_other_work`]), so that tile is not
    /// counted, but the next one is.
    fn large(&self, size: [u32; 2]) -> Rounds {
        let device = &self.gpu.device;
        // The minimum cost of a pass with full-frame attachments, with or without a scissor of one
        // pixel: they are cleared, nothing is drawn, and one texel is read.
        let one_texel = Attachments::new(device, size, 1);
        let mut image = IdImage::new(device, size[0], size[1]).expect("the size is supported");
        let mut second = || {
            self.pick(&self.tile);
            self.pick(&self.tile)
        };
        Rounds::of(SLOW, &mut [&mut second, &mut || self.clear(&one_texel), &mut || self.full(&mut image)])
    }
}

/// Returns a pixel on an arrow of the first gizmo, at the same distance from its center in every
/// resolution.
fn on_an_arrow(view: &View) -> DVec2 {
    let [center, along] =
        [0.0, 0.1].map(|x| view.px_from_world(DVec3::X * x).expect("the point is in front of the camera"));
    center + (along - center).normalize() * 60.0
}

const COLUMNS: [&str; 11] = [
    "pick",
    "gizmos",
    "backend",
    "tile, µs",
    "floor, µs",
    "tile : floor",
    "GPU's clock, tile, floor, µs",
    "cropped matrix : floor",
    "full frame, one texel, nothing drawn : floor",
    "full frame read : floor",
    "full frame read : tile",
];

pub(crate) fn measure(gpus: &[Gpu]) {
    let mut table = Table::new("tile", &COLUMNS);
    let mut lines: Vec<Series> = Vec::new();
    let mut others: [Vec<(f64, f64)>; 2] = Default::default();
    for count in COUNTS {
        let mut line = Vec::new();
        for (name, size) in SIZES {
            for (index, gpu) in gpus.iter().enumerate() {
                let scene = list_of(count, size, 0);
                let cursor_px = on_an_arrow(&scene.0);
                let methods = PickMethods::new(gpu, scene, cursor_px);
                let (rounds, clock, large) = (methods.small(), methods.clocked(), methods.large(size));
                // Computed by way of the tile, which each of them alternates with.
                let over_floor = rounds.ratio(0, 1);
                table.row(&[
                    name,
                    &count.to_string(),
                    gpu.backend,
                    &short(rounds.median(0)),
                    &short(rounds.median(1)),
                    &format!("{over_floor:.2}"),
                    &format!("{}, {}", clocked(clock.median(0)), clocked(clock.median(1))),
                    &format!("{:.2}", rounds.ratio(2, 1)),
                    &format!("{:.2}", large.ratio(1, 0) * over_floor),
                    &format!("{:.1}", large.ratio(2, 0) * over_floor),
                    &format!("{:.1}", large.ratio(2, 0)),
                ]);
                if index == 0 {
                    line.push((pixels(size), rounds.median(0)));
                    if count == 1 {
                        others[0].push((pixels(size), large.median(1)));
                        others[1].push((pixels(size), large.median(2)));
                    }
                }
                let figure = |what: &str, ratio| {
                    figure(&format!("{what}{}.{count}_gizmos.{name}", gpu.suffix), ratio, "ratio");
                };
                figure("tile_over_floor", over_floor);
                figure("tile_over_cropped", 1.0 / rounds.ratio(2, 0));
                figure("tile_over_full", 1.0 / large.ratio(2, 0));
            }
        }
        lines.push(Series::new(format!("tile, gizmos: {count} (slope {:.2})", slope(&line)), line));
    }
    table.save();
    let [one_texel, full] = others;
    let named =
        |name: &str, points: Vec<_>| Series::new(format!("{name} (slope {:.2})", slope(&points)), points);
    lines.push(named("full frame cleared, one texel read", one_texel));
    lines.push(named("full frame read, gizmos: 1", full));
    save_by_resolution("gpu-pick", "From the query to the answer, blocking", lines);
}

/// One gizmo at 1080p: the cost of a tile by cursor position.
pub(crate) fn places(gpu: &Gpu) {
    let mut table = Table::new("tile-places", &["the cursor is", "tile, µs", "floor, µs", "tile : floor"]);
    let mut stage = Stage::new(Mode::Universal, targets(1), HD);
    let center_px = stage.center_px();
    let mut positions = vec![("in the middle", center_px)];
    for (name, handle) in [
        ("on an arrow", "translate_x"),
        ("on a ring", "rotate_y"),
        ("on a square", "translate_zx"),
        ("on a cube", "scale_x"),
    ] {
        positions.push((name, stage.pixel_of(handle)));
    }
    positions.push(("beside the gizmo", center_px + DVec2::new(400.0, 0.0)));
    for (name, cursor_px) in positions {
        let methods = PickMethods::new(gpu, (stage.view(), stage.list.clone()), cursor_px);
        let rounds = methods.small();
        let [tile, floor] = [0, 1].map(|way| short(rounds.median(way)));
        table.row(&[name, &tile, &floor, &format!("{:.2}", rounds.ratio(0, 1))]);
        let name = format!("tile_over_floor.{}", name.replace(' ', "_"));
        figure(&name, rounds.ratio(0, 1), "ratio");
    }
    table.save();
}

/// The effect of other work of the same program on a tile and on the next one.
pub(crate) fn after_other_work(gpu: &Gpu) {
    let mut table = Table::new(
        "tile-after",
        &["just before, in the same thread", "the tile after it, µs", "the one after that, µs"],
    );
    let scene = list_of(1, HD, 0);
    let cursor_px = on_an_arrow(&scene.0);
    let methods = PickMethods::new(gpu, scene, cursor_px);
    let mut image = IdImage::new(&gpu.device, HD[0], HD[1]).expect("the size is supported");
    let mut memory = vec![0u8; 64 << 20];
    let spin = || {
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(20) {
            std::hint::spin_loop();
        }
    };
    let others: [(&str, &mut dyn FnMut()); 5] = [
        ("nothing", &mut || ()),
        ("20 ms of sleep", &mut || std::thread::sleep(Duration::from_millis(20))),
        ("20 ms of arithmetic, no GPU", &mut { spin }),
        ("64 MiB of memory written, no GPU", &mut || {
            memory.iter_mut().for_each(|byte| *byte = byte.wrapping_add(1));
            black_box(&memory[5]);
        }),
        ("the full frame's ids, drawn and read", &mut || {
            methods.full(&mut image);
        }),
    ];
    for (name, other) in others {
        let mut seconds = Vec::new();
        let mut first = || {
            other();
            let first = methods.pick(&methods.tile);
            seconds.push(methods.pick(&methods.tile));
            first
        };
        let rounds = Rounds::of(Effort { rounds: 101, seconds: 3.0 }, &mut [&mut first]);
        table.row(&[name, &short(rounds.median(0)), &short(median(seconds))]);
    }
    table.save();
}
