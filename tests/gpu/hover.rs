//! Hover over many frames: it changes only with the newest answer.

mod unencoded;

use crate::common::cases::{self, Case};
use crate::common::device::{Gpu, gpu, picker};
use crate::common::gizmo;
use crate::common::heaps::Heap;
use fastrand::Rng;
use std::collections::VecDeque;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DMat4, DVec2};
use wgpu_gizmo::gpu::{IdTexels, Picker};
use wgpu_gizmo::scene::PickBatch;
use wgpu_gizmo::{DrawList, Gizmo, HandleId, IdSpace, Mode, PickOutcome, PickQuery, Target, wgpu};

/// The handle or object that a gizmo hovers.
type Hover = (Option<HandleId>, Option<NonZeroU32>);

/// A host that submits late, drops encoders, and polls once per frame.
struct Frames {
    case: Case,
    gizmo: Gizmo,
    targets: [Target; 1],
    heap: Heap,
    picker: Picker,
    list: DrawList,
    /// One per query that can be in flight, used in rotation.
    batches: [PickBatch; 4],
    encoded: usize,
    /// Encoders that are not submitted yet.
    held: VecDeque<wgpu::CommandEncoder>,
    /// The newest query that was answered.
    newest: Option<PickQuery>,
    answers: usize,
    lost: usize,
}

impl Frames {
    fn new(mode: Mode) -> Self {
        let case = cases::named("reversed depth, infinite far");
        let mut ids = IdSpace::new();
        // Objects have the first ids.
        ids.allocate(1_000).expect("a slot is free");
        let (mut gizmo, targets) = gizmo(&case, mode, &mut ids);
        // Then the hover equals the texel of the whole image.
        gizmo.settings.input.tolerance_lpx = 0.0;
        let (heap, _) = Heap::filled(&case, 1..120, 60.0, &mut Rng::with_seed(30));
        let batches = std::array::from_fn(|_| heap.batch());
        let picker = picker();
        Self {
            case,
            gizmo,
            targets,
            heap,
            picker,
            list: DrawList::new(),
            batches,
            encoded: 0,
            held: VecDeque::new(),
            newest: None,
            answers: 0,
            lost: 0,
        }
    }

    fn hover(&self) -> Hover {
        (self.gizmo.hovered(), self.gizmo.hovered_object())
    }

    /// Passes all available answers to the gizmo.
    fn receive(&mut self) {
        while let Some(answer) = self.picker.poll(&gpu().device).expect("the device is alive") {
            let last = self.newest.map_or(0, |query| query.sequence);
            assert!(answer.query.sequence > last || answer.outcome == PickOutcome::Lost, "out of order");
            self.gizmo.answer(&answer);
            if answer.outcome == PickOutcome::Lost {
                self.lost += 1;
            } else {
                self.newest = Some(answer.query);
                self.answers += 1;
            }
        }
        self.picker.in_flight().for_each(|query| self.gizmo.await_answer(query));
    }

    /// Encodes the next query, if there is one and a slot for it.
    fn ask(&mut self, is_dropped: bool) -> Option<PickQuery> {
        self.gizmo.update(&self.case.view, &mut self.targets);
        let query = self.picker.has_capacity().then(|| self.gizmo.pick_query()).flatten()?;
        let Gpu { device, queue } = gpu();
        self.gizmo.draw(self.list.begin(&query.view));
        let batch = &mut self.batches[self.encoded % 4];
        self.encoded += 1;
        batch.select(&self.heap.scene, &query.view, Some(&query.frustum()));
        let mut encoder = gpu().encoder();
        let scene = &mut self.heap.scene;
        let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            batch.draw(scene, device, queue, pass, clip_from_clip);
        };
        self.picker.encode(device, queue, &mut encoder, &query, &self.list, draw).expect("a slot is free");
        if !is_dropped {
            self.held.push_back(encoder);
        }
        Some(query)
    }

    /// Submits some of the held encoders, oldest first.
    fn submit(&mut self, count: usize) {
        let count = count.min(self.held.len());
        gpu().queue.submit(self.held.drain(..count).map(wgpu::CommandEncoder::finish));
    }

    /// Returns the whole image, with handles and objects.
    fn image(&mut self) -> IdTexels {
        let objects = self.heap.image(&self.case, None);
        self.gizmo.draw(self.list.begin(&self.case.view));
        let mut all = gpu().id_image(self.case.target, &self.case.view, &self.list);
        for (id, object) in all.ids.iter_mut().zip(&objects.ids) {
            *id = if *id == 0 { *object } else { *id };
        }
        all
    }

    /// Returns what the whole image has under a cursor, as a hover.
    fn expected_hover(&self, image: &IdTexels, px: DVec2) -> Hover {
        let Some(id) = image.id_at(px) else { return (None, None) };
        match self.gizmo.handle_of(id) {
            Some(handle) => (Some(handle), None),
            None => (None, Some(id)),
        }
    }
}

/// Moves a pointer that rests, moves within its pixel, moves a little, and sometimes jumps.
fn next_px(px: DVec2, center: DVec2, rng: &mut Rng) -> DVec2 {
    let step = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5);
    match rng.u32(..20) {
        0..8 => px,
        8..10 => px.floor() + 0.5 + 0.9 * step,
        10..18 => px + 20.0 * step,
        // Jumps to the area of the handles and most of the objects.
        _ => center + 170.0 * DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5),
    }
}

#[test]
fn hover_follows_newest_answer_over_ten_thousand_frames() {
    let mut frames = Frames::new(Mode::Universal);
    let mut rng = Rng::with_seed(31);
    let image = frames.image();
    let size = DVec2::from_array(frames.case.target.map(f64::from));
    let center = frames.case.px(cases::PIVOT_WORLD);
    let mut px = center;
    let mut queried_px: Option<DVec2> = None;
    let [mut changes, mut queries, mut full] = [0; 3];
    let mut hovered = [0; 3];
    for frame in 0..10_000 {
        let before = (frames.newest, frames.hover());
        frames.receive();
        // The hover changes only with an answer.
        if frames.newest == before.0 {
            assert_eq!(frames.hover(), before.1, "in frame {frame}, with no answer");
        }
        if let Some(newest) = frames.newest {
            assert_eq!(frames.hover(), frames.expected_hover(&image, newest.cursor_px), "in frame {frame}");
        }
        changes += u32::from(before.1 != frames.hover());
        let kind = match frames.hover() {
            (Some(_), _) => 0,
            (_, Some(_)) => 1,
            _ => 2,
        };
        hovered[kind] += 1;
        px = next_px(px, center, &mut rng).clamp(DVec2::ZERO, size - 0.5);
        frames.gizmo.pointer_moved(px);
        // What is hovered stays until the next answer, so that a resting hover does not flicker.
        if rng.u32(..20) == 0 {
            frames.gizmo.scene_changed();
        }
        let is_lost = frames.lost > 0;
        let had_capacity = frames.picker.has_capacity();
        full += u32::from(!had_capacity);
        let query = frames.ask(rng.u32(..30) == 0);
        if let Some(query) = query {
            queries += 1;
            assert_eq!(query.cursor_px, px, "the query is for the newest position");
            queried_px = Some(px.floor());
        } else if had_capacity {
            assert_eq!(queried_px, Some(px.floor()), "the pointer's pixel was already queried");
        }
        if query.is_some() && !is_lost {
            // Lost queries may be repeated at the same position; no other query is repeated.
            frames.lost = 0;
        }
        frames.submit(rng.usize(..3));
    }
    let answers = frames.answers;
    println!(
        "{queries} queries, {answers} answers, the ring was full {full} times, {changes} changes; {hovered:?}"
    );
    assert!(queries < 9_000, "a resting pointer sends no queries");
    assert!(answers > 3_000 && changes > 1_000 && full > 100 && hovered.iter().all(|count| *count > 500));
    frames.submit(usize::MAX);
    gpu().wait();
}
