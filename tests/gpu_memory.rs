//! Frames with a selection, handles and hover do not retain memory. A shader that the driver compiles in
//! every frame would never be freed. This is a separate binary, because it measures the memory of the
//! process.
#![cfg(target_os = "linux")]

mod common;

use common::prelude::*;
use std::cell::RefCell;

/// The number of frames until buffers, textures and the driver's caches have their final size.
const WARM_UP: usize = 60;
const FRAMES: usize = 200;

/// Returns the resident kilobytes of this process, and the kilobytes of its executable mappings.
fn memory_kb() -> [i64; 2] {
    let read = |name| std::fs::read_to_string(name).expect("procfs is mounted");
    let resident = read("/proc/self/smaps_rollup")
        .lines()
        .find_map(|line| line.strip_prefix("Rss:")?.trim().strip_suffix(" kB")?.parse().ok())
        .expect("the file has a line with the resident size");
    let executable = |line: &str| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let [start, end] =
            [start, end].map(|n| u64::from_str_radix(n, 16).expect("the address is hexadecimal"));
        rest.get(2..3).filter(|flag| *flag == "x").map(|_| (end - start) as i64 / 1024)
    };
    [resident, read("/proc/self/maps").lines().filter_map(executable).sum()]
}

/// A host with objects, two of them selected, and a pointer that moves over them.
struct Host {
    case: Case,
    heap: Heap,
    batches: [PickBatch; 3],
    outline: Outline,
    tools: WgpuGizmo,
    targets: [Target; 1],
    target: wgpu::Texture,
    /// The number of answers so far, and the number of hits.
    answers: [usize; 2],
}

impl Host {
    fn new() -> Self {
        let case = cases::named("reversed depth, infinite far");
        let (heap, _) = Heap::filled(&case, 101..160, 60.0, &mut Rng::with_seed(3));
        let mut ids = IdSpace::new();
        // Objects have the first ids.
        ids.allocate(1_000).expect("ids are free");
        let mut tools = WgpuGizmo::with_ids(device(), PLAIN, ids).expect("the render target is supported");
        tools.gizmo.settings.mode = Mode::Universal;
        let start = Transform::from_translation(PIVOT_WORLD);
        Self {
            batches: [heap.batch(), heap.batch(), heap.batch()],
            outline: Outline::new(device(), PLAIN).expect("the render target is supported"),
            target: texture(case.target, PLAIN.format, 1),
            targets: [Target::from_world(start)],
            answers: [0; 2],
            tools,
            heap,
            case,
        }
    }

    fn frame(&mut self, number: usize) {
        let turn = number as f64 * 0.21;
        let size = DVec2::new(f64::from(self.case.target[0]), f64::from(self.case.target[1]));
        let cursor_px = size * (0.5 + 0.35 * DVec2::new(turn.cos(), (1.3 * turn).sin()));
        self.tools.gizmo.pointer_moved(cursor_px);
        let Self { case, heap, batches: [batch, ..], tools, targets, answers, .. } = self;
        let mut count = |answer: &PickAnswer| {
            let is_hit = matches!(answer.outcome, PickOutcome::Hit(_));
            *answers = [answers[0] + 1, answers[1] + usize::from(is_hit)];
        };
        let options = UpdateOptions::default().with_answer_hook(&mut count);
        tools.update_with(&case.view, targets, options).expect("the device is alive");
        let mut encoder = gpu().encoder();
        let frame = Frame::new(device(), queue(), &mut encoder);
        let prepared = tools.prepare(frame, &case.view, |pass, query, clip_from_clip| {
            batch.select(&heap.scene, &query.view, Some(&query.frustum()));
            batch.draw(&mut heap.scene, device(), queue(), pass, clip_from_clip);
        });
        prepared.expect("the device is alive");
        self.outlines(&mut encoder);
        let mut pass = begin_pass(&mut encoder, &self.target, BLACK);
        self.outline.render(&mut pass);
        self.tools.render(&mut pass, &self.case.view);
        drop(pass);
        queue().submit([encoder.finish()]);
        gpu().wait();
    }

    fn outlines(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let selected = [120, 130].map(|id| NonZeroU32::new(id).expect("ids start at 1"));
        let hovered: Vec<NonZeroU32> = self.tools.gizmo.hovered_object().into_iter().collect();
        let style = OutlineStyle { ids: &selected, ..OutlineStyle::default() };
        let hover = OutlineStyle { ids: &hovered, width_lpx: 1.5, ..OutlineStyle::default() };
        let none = OutlineStyle::default();
        self.outline.set(device(), queue(), &[style, hover, none, none]).expect("the ids fit");
        let ([_, all, only], scene) = (&mut self.batches, &mut self.heap.scene);
        for batch in [&mut *all, &mut *only] {
            batch.select(scene, &self.case.view, None);
        }
        only.keep(scene, &selected);
        let scene = RefCell::new(scene);
        let draw = |batch: &mut PickBatch, pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            batch.draw(&mut scene.borrow_mut(), device(), queue(), pass, clip_from_clip);
        };
        self.outline
            .prepare_with_occluded(
                device(),
                queue(),
                encoder,
                &self.case.view,
                |pass, clip_from_clip| draw(all, pass, clip_from_clip),
                |pass, clip_from_clip| draw(only, pass, clip_from_clip),
            )
            .expect("the device is alive");
    }
}

#[test]
fn selection_and_hover_frames_keep_no_memory() {
    let mut host = Host::new();
    (0..WARM_UP).for_each(|number| host.frame(number));
    let ([resident, executable], [answers, hits]) = (memory_kb(), host.answers);
    (WARM_UP..WARM_UP + FRAMES).for_each(|number| host.frame(number));
    let ([resident_after, executable_after], [answers_after, hits_after]) = (memory_kb(), host.answers);
    let picture = gpu().texels(&host.target);
    let drawn = picture.iter().filter(|texel| **texel != [0, 0, 0, 255]).count();
    assert!(drawn > 2_000, "handles and outlines are drawn: {drawn} pixels");
    let (answers, hits) = (answers_after - answers, hits_after - hits);
    assert!(answers > FRAMES / 2 && hits > FRAMES / 8, "{hits} of {answers} picks were hits");
    let (resident_kb, executable_kb) = (resident_after - resident, executable_after - executable);
    println!("{FRAMES} frames: {resident_kb} KB resident, {executable_kb} KB executable");
    println!("figure: rss_kb_per_frame_library = {:.2}", resident_kb as f64 / FRAMES as f64);
    // A compiled shader takes at least 500 KB.
    assert!(resident_kb < 1024, "{FRAMES} frames took {resident_kb} KB");
    assert!(executable_kb < 128, "{FRAMES} frames mapped {executable_kb} KB of code");
}
