//! Random sessions: several views whose cameras move, objects that change, late and dropped encoders, forgotten queries
//! and rebuilt GPU resources. Each answer must be that of the whole image at the time of its query.

use crate::common::prelude::*;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use wgpu_gizmo::glam::dcamera::rh::proj::directx::perspective;

const SIDE: u32 = 160;
const SIZE: [u32; 2] = [3 * SIDE, SIDE];
/// Two views share a key.
const KEYS: [u64; 3] = [1, 2, 2];
/// A query, its answer, and what follows from it, with a frame more for each of a press and its drag.
const SETTLED: usize = 6;

/// A query that was encoded.
struct Asked {
    query: PickQuery,
    /// What the whole image has under the pointer, and the ids within the tolerance.
    expected: PickOutcome,
    neighbors: BTreeSet<NonZeroU32>,
    is_dropped: bool,
}

#[derive(Debug, Default)]
struct Counts {
    handles: u32,
    objects: u32,
    lost: u32,
    forgotten: u32,
    in_earlier_views: u32,
    snapped: u32,
}

struct Session {
    rng: Rng,
    tools: WgpuGizmo,
    targets: [Target; 1],
    views: [View; 3],
    objects: OutlinedScene,
    mesh: PickMeshKey,
    placed: Vec<NonZeroU32>,
    whole: PickBatch,
    cursor_px: Option<DVec2>,
    asked: BTreeMap<u64, Asked>,
    /// Encoders that are not submitted yet.
    held: VecDeque<wgpu::CommandEncoder>,
    /// The newest query that was answered, and the newest one that has no answer any more.
    answered: u64,
    forgotten: u64,
    may_rebuild: bool,
    counts: Counts,
}

/// Returns a view with a camera near that of the others.
fn view(rng: &mut Rng, index: usize) -> View {
    let mut around = || rng.f64() - 0.5;
    let eye = DVec3::new(2.5 + around(), 2.0 + around(), 6.0 + around());
    let x = f64::from(SIDE) * index as f64;
    let viewport = Viewport { x, y: 0.0, width: SIDE.into(), height: SIDE.into() };
    let lens = perspective(0.7, 1.0, 0.1, 100.0);
    cases::view([eye, DVec3::ZERO], lens, viewport, [1.0, 1.0, 2.0][index]).with_key(KEYS[index])
}

impl Session {
    fn new(seed: u64) -> Self {
        let (mut rng, device) = (Rng::with_seed(seed), device());
        let mut tools = WgpuGizmo::new(device, PLAIN).expect("the render target is supported");
        tools.gizmo.settings.mode = [Mode::Translate, Mode::Universal][rng.usize(..2)];
        let mut objects = OutlinedScene::new(device, PLAIN).expect("the render target is supported");
        let (corners, indices) = cube();
        let mesh = PickMesh::new(&corners, &indices).expect("the mesh is valid").with_snapping();
        let mesh = objects.add_mesh(device, &mesh).expect("the device is alive");
        let views = std::array::from_fn(|index| view(&mut rng, index));
        let mut session = Self {
            targets: [Target::from_world(Transform::IDENTITY)],
            whole: objects.scene.batch(device).expect("the device is alive"),
            placed: Vec::new(),
            cursor_px: None,
            asked: BTreeMap::new(),
            held: VecDeque::new(),
            answered: 0,
            forgotten: 0,
            may_rebuild: seed.is_multiple_of(2),
            counts: Counts::default(),
            rng,
            tools,
            views,
            objects,
            mesh,
        };
        (0..20).for_each(|_| session.insert());
        session
    }

    /// Returns a transform of a small object that is not in front of all handles.
    fn any_place(&mut self) -> DAffine3 {
        let mut around = |size: f64| (self.rng.f64() - 0.5) * size;
        placed(DVec3::new(around(5.0), around(5.0), around(4.0) - 1.0), 0.4)
    }

    fn insert(&mut self) {
        let place = self.any_place();
        let id = self.objects.insert(&mut self.tools.ids, self.mesh, place).expect("an id is free");
        self.placed.push(id);
    }

    /// Returns the whole image of a view, as it is now, with the handles of the list.
    fn image(&mut self, view: &View, list: &DrawList) -> IdTexels {
        let (whole, scene) = (&mut self.whole, &mut self.objects.scene);
        whole.select(scene, view, None);
        with_whole_image(SIZE, |image| {
            gpu().read_with(image, view, list, |pass, clip_from_clip| {
                whole.draw(scene, device(), queue(), pass, clip_from_clip);
            })
        })
    }

    /// Returns what a query must find now, and the ids within its tolerance.
    fn expected(&mut self, query: &PickQuery) -> (PickOutcome, BTreeSet<NonZeroU32>) {
        let mut list = DrawList::new();
        list.begin(&query.view);
        if !query.is_snap {
            self.tools.gizmo.draw_for_pick(&mut list);
        }
        let texels = self.image(&query.view, &list);
        let (center, reach) = (query.cursor_px.floor() + 0.5, query.radius_px.floor() as i64);
        let offsets =
            (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| DVec2::new(x as f64, y as f64)));
        let within = offsets.filter(|offset| offset.length() <= query.radius_px);
        (texels.pick(query, &list), within.filter_map(|offset| texels.id_at(center + offset)).collect())
    }

    /// Draws a frame, and drops its encoder or holds it.
    fn frame(&mut self, is_dropped: bool) -> Vec<Event> {
        let Self { tools, targets, views, objects, asked, .. } = self;
        let snap_to = tools.gizmo.settings.snap.to;
        let (mut answers, mut found) = (Vec::new(), None);
        let mut search = |query: &PickQuery, neighbors: &[NonZeroU32]| -> Option<SnapPoint> {
            let asked = asked.get(&query.sequence).expect("it was encoded");
            let is_same = asked.neighbors.iter().eq(neighbors);
            assert!(is_same || asked.is_dropped, "{neighbors:?} for {:?}", asked.neighbors);
            let point = snap_to.find(query, &objects.scene.snap_objects(neighbors));
            found = Some((*query, point));
            point
        };
        let mut hook = |answer: &PickAnswer| answers.push(*answer);
        let options = UpdateOptions::default().with_snap_search(&mut search).with_answer_hook(&mut hook);
        let was_dragging = tools.gizmo.is_active();
        let events = tools.update_with(&*views, targets, options).expect("few encoders are dropped in a row");
        let events = events.to_vec();
        let (mut encoder, mut new_query) = (gpu().encoder(), None);
        let frame = Frame::new(device(), queue(), &mut encoder);
        let prepared = tools.prepare(frame, &*views, |pass, query, clip_from_clip| {
            new_query = Some(*query);
            objects.draw(device(), queue(), pass, query, clip_from_clip);
        });
        prepared.expect("the device is alive");
        if let Some((query, point)) = found.filter(|_| was_dragging && events.iter().all(is_change)) {
            self.check_snap(&query, point);
        }
        answers.iter().for_each(|answer| self.check(answer));
        if let Some(query) = new_query {
            self.counts.in_earlier_views += u32::from(!self.views.contains(&query.view));
            let (expected, neighbors) = self.expected(&query);
            self.asked.insert(query.sequence, Asked { query, expected, neighbors, is_dropped });
        }
        if !is_dropped {
            self.held.push_back(encoder);
        }
        events
    }

    /// Checks an answer: in the order of the queries, once each, and none to a forgotten one.
    fn check(&mut self, answer: &PickAnswer) {
        let sequence = answer.query.sequence;
        assert!(sequence > self.answered.max(self.forgotten), "query {sequence} was answered or forgotten");
        self.answered = sequence;
        let asked = &self.asked[&sequence];
        assert_eq!(answer.query, asked.query);
        match (answer.outcome, asked.expected) {
            (PickOutcome::Lost, _) => self.counts.lost += 1,
            (PickOutcome::Hit(hit), PickOutcome::Hit(expected)) => {
                assert_eq!((hit.id, hit.pixel), (expected.id, expected.pixel), "{:?}", answer.query);
                // The matrices of a tile round differently.
                let distance = hit.position_world.zip(expected.position_world).map(|(a, b)| a.distance(b));
                assert!(distance.is_none_or(|distance| distance < 1e-3), "{distance:?}");
                let is_handle = self.tools.gizmo.handle_of(hit.id).is_some();
                *(if is_handle { &mut self.counts.handles } else { &mut self.counts.objects }) += 1;
            }
            (outcome, expected) => assert_eq!(outcome, expected, "{:?}", answer.query),
        }
        assert_eq!(answer.outcome == PickOutcome::Lost, asked.is_dropped);
    }

    /// Checks that the drag is at the point that was found, or else on the surface.
    fn check_snap(&mut self, query: &PickQuery, point: Option<SnapPoint>) {
        let asked = &self.asked[&query.sequence];
        let is_same = Some(query.cursor_px) == self.cursor_px && self.views.contains(&query.view);
        let is_current = is_same && !asked.is_dropped;
        let PickOutcome::Hit(hit) = asked.expected else { return };
        if is_current && self.tools.gizmo.is_active() {
            let snapped = self.tools.gizmo.snapped_to().map(|snapped| snapped.point_world);
            let is_surface = self.tools.gizmo.settings.snap.to.contains(SnapTo::SURFACE);
            match (point, hit.position_world.filter(|_| is_surface)) {
                (Some(point), _) => assert_eq!(snapped, Some(point.point_world)),
                (None, surface) => {
                    // The surface is continued from the center of its texel to the pointer.
                    let far = 30.0 * query.view.pixel_size(surface.unwrap_or_default());
                    assert_eq!(snapped.is_some(), surface.is_some(), "{query:?}");
                    assert!(snapped.zip(surface).is_none_or(|(at, surface)| at.distance(surface) < far));
                }
            }
            self.counts.snapped += 1;
        }
    }

    fn submit(&mut self, count: usize) {
        let count = count.min(self.held.len());
        queue().submit(self.held.drain(..count).map(wgpu::CommandEncoder::finish));
        gpu().wait();
    }

    /// Draws frames while they are needed. Then the gizmo hovers what is under the pointer.
    fn settle(&mut self) {
        self.submit(usize::MAX);
        let needs_redraw = |session: &Self| KEYS.iter().any(|key| session.tools.needs_redraw(*key));
        for frame in 0.. {
            if !needs_redraw(self) {
                break;
            }
            assert!(frame < SETTLED, "it still needs frames, with {:?}", self.tools.gizmo.claims());
            self.frame(false);
            self.submit(usize::MAX);
        }
        let at = self
            .cursor_px
            .and_then(|px| Some((self.views.into_iter().find(|v| v.viewport().contains(px))?, px)));
        let Some((view, px)) = at.filter(|_| !self.tools.gizmo.is_busy()) else { return };
        let radius_px = self.tools.gizmo.settings.input.tolerance_lpx * view.scale_factor();
        let id = match self.expected(&PickQuery::new(&view, px, radius_px)).0 {
            PickOutcome::Hit(hit) => Some(hit.id),
            _ => None,
        };
        let gizmo = &self.tools.gizmo;
        let handle = id.and_then(|id| gizmo.handle_of(id));
        assert_eq!((gizmo.hovered(), gizmo.hovered_object()), (handle, id.filter(|_| handle.is_none())));
    }

    fn move_to_any_handle(&mut self) {
        let view = self.views[self.rng.usize(..3)];
        let names = ["translate_x", "translate_view", "translate_xy", "translate_yz", "rotate_y", "scale_z"];
        let name = names[self.rng.usize(..names.len())];
        let px = self.tools.gizmo.handle_px(&view, handle(name));
        let near = px.map(|px| px + DVec2::new(self.rng.f64() - 0.5, self.rng.f64() - 0.5) * 8.0);
        self.move_to(near.unwrap_or(DVec2::splat(20.0)));
    }

    fn move_to(&mut self, px: DVec2) {
        self.cursor_px = Some(px);
        self.tools.gizmo.pointer_moved(px);
    }

    fn step(&mut self) {
        let index = self.rng.usize(..self.placed.len());
        match self.rng.u8(..20) {
            0..3 => {
                let px = DVec2::new(self.rng.f64() * f64::from(SIZE[0]), self.rng.f64() * f64::from(SIZE[1]));
                self.move_to(px);
            }
            3..8 => self.move_to_any_handle(),
            8..12 => {
                self.move_to_any_handle();
                self.tools.gizmo.pointer_pressed();
            }
            12 => self.tools.gizmo.pointer_released(),
            13 => {
                let index = self.rng.usize(..3);
                self.views[index] = view(&mut self.rng, index);
            }
            14 => {
                let place = self.any_place();
                self.objects.place(self.placed[index], place);
                self.tools.gizmo.scene_changed();
            }
            15 => {
                self.objects.remove(&mut self.tools.ids, self.placed.swap_remove(index));
                self.insert();
                self.tools.gizmo.scene_changed();
            }
            16 => {
                let settings = &mut self.tools.gizmo.settings;
                settings.snap.to =
                    [SnapTo::NONE, SnapTo::SURFACE, SnapTo::VERTEX | SnapTo::SURFACE][index % 3];
            }
            17 => {
                let in_flight = self.tools.gpu.picker().in_flight().map(|query| query.sequence);
                let in_flight: Vec<u64> = in_flight.collect();
                self.forgotten = in_flight.iter().copied().max().unwrap_or(self.forgotten);
                self.counts.forgotten += u32::from(in_flight.len() > 1);
                match self.may_rebuild && self.rng.bool() {
                    true => self.tools.rebuild(device()).expect("the device is alive"),
                    false => self.tools.gpu.forget(&mut self.tools.gizmo),
                }
                self.settle_or_not();
            }
            18 => {
                [Gizmo::cancel, Gizmo::interrupt, Gizmo::pointer_released][index % 3](&mut self.tools.gizmo);
                self.tools.gpu.remove_view(KEYS[index % 3]);
                self.settle_or_not();
            }
            _ if self.tools.gizmo.is_busy() => {}
            // What was dragged away is selected no more.
            _ => self.targets = [Target::from_world(Transform::IDENTITY)],
        }
    }

    fn settle_or_not(&mut self) {
        if self.rng.bool() {
            self.settle();
        }
    }
}

/// Returns true if the event is one of the drag that goes on.
fn is_change(event: &Event) -> bool {
    matches!(event, Event::Changed(_))
}

#[test]
fn answers_are_those_of_whole_image_at_query() {
    // CI also has Vulkan, and this does not depend on the backend.
    let is_gl = device().adapter_info().backend == wgpu::Backend::Gl;
    let sessions: u32 = if is_gl { 2 } else { 8 };
    let mut counts = Vec::new();
    for seed in 0..sessions {
        let mut session = Session::new(seed.into());
        for _ in 0..250 {
            (0..session.rng.usize(1..4)).for_each(|_| session.step());
            let is_dropped = session.rng.u8(..3) == 0;
            session.frame(is_dropped);
            let count = session.rng.usize(..3);
            session.submit(count);
        }
        session.settle();
        counts.push(session.counts);
    }
    let sum = |of: fn(&Counts) -> u32| counts.iter().map(of).sum::<u32>();
    let each = |of: fn(&Counts) -> u32| f64::from(sum(of)) / f64::from(sessions);
    let is_often = each(|c| c.handles) > 19.0 && each(|c| c.objects) > 19.0 && each(|c| c.lost) > 10.0;
    assert!(is_often && each(|c| c.forgotten) > 0.8 && each(|c| c.snapped) >= 1.0, "{counts:#?}");
    assert!(each(|c| c.in_earlier_views) > 0.8, "{counts:#?}");
}
