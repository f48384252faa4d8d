//! CPU time and allocations of a frame, compared with the crate `transform-gizmo`: the same
//! camera, pointer, targets and handles, measured alternately. A frame consists of setting the
//! camera, the pointer, the pick by a ray, the drag, and what is drawn.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench cpu`

use allocation_counter::measure;
use glam::DVec2;
use std::hint::black_box;
use wgpu_gizmo_bench_peers::page::{self, Table};
use wgpu_gizmo_bench_peers::peer::{Kind, Peer};
use wgpu_gizmo_bench_peers::plot::bars;
use wgpu_gizmo_bench_peers::scene::{HD, MODES, Stage, dragging, targets, wandering};
use wgpu_gizmo_bench_peers::stats::{Effort, Rounds, timed};
use wgpu_gizmo_bench_peers::{figure, short};

const MANY: usize = 1000;

/// The activity of the pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Activity {
    /// The pointer rests away from the gizmo while the camera moves.
    Idle,
    Hovering,
    Dragging(Kind),
}

/// Both crates in one scene.
struct Pair {
    ours: Stage,
    peer: Peer,
    activity: Activity,
    /// The pressed position of each.
    press_px: [DVec2; 2],
}

impl Pair {
    fn new(mode: usize, count: usize, activity: Activity) -> Self {
        let (name, mode) = MODES[mode];
        let mut ours = Stage::new(mode, targets(count), HD);
        let mut peer = Peer::new(name, count, HD);
        let press_px = match activity {
            Activity::Dragging(kind) => [ours.press(name_of(kind)), peer.press(kind)],
            _ => [ours.center_px(); 2],
        };
        Self { ours, peer, activity, press_px }
    }

    fn cursor_px(activity: Activity, frame: u32, press_px: DVec2) -> DVec2 {
        match activity {
            Activity::Idle => DVec2::new(40.5, 40.5),
            Activity::Hovering => wandering(frame, press_px),
            Activity::Dragging(_) => dragging(frame, press_px),
        }
    }

    fn our_frame(&mut self) {
        self.ours.frame += 1;
        let px = Self::cursor_px(self.activity, self.ours.frame, self.press_px[0]);
        self.ours.gizmo.answer_from(&self.ours.list);
        self.ours.frame_at(Some(px));
        black_box(self.ours.list.items());
    }

    fn peer_frame(&mut self) {
        self.peer.frame += 1;
        let px = Self::cursor_px(self.activity, self.peer.frame, self.press_px[1]);
        self.peer.frame_at(px);
        black_box(&self.peer.drawn);
    }
}

fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::TranslateX => "translate_x",
        Kind::RotateX => "rotate_x",
        Kind::ScaleX => "scale_x",
    }
}

/// The costs of one pair: ours, then the peer's.
struct Costs {
    us: [f64; 2],
    ratio: f64,
    allocations: [f64; 2],
}

fn costs(mode: usize, count: usize, activity: Activity) -> Costs {
    let mut pair = Pair::new(mode, count, activity);
    (0..200).for_each(|_| pair.our_frame());
    (0..5).for_each(|_| pair.peer_frame());
    let allocations = [
        measure(|| (0..200).for_each(|_| pair.our_frame())).count_total as f64 / 200.0,
        measure(|| (0..20).for_each(|_| pair.peer_frame())).count_total as f64 / 20.0,
    ];
    let pair = std::cell::RefCell::new(pair);
    // Batches of about a millisecond.
    let frames = if count == 1 { [200, 10] } else { [10, 5] };
    let mut ours =
        || timed(|| (0..frames[0]).for_each(|_| pair.borrow_mut().our_frame())) / f64::from(frames[0]);
    let mut peer =
        || timed(|| (0..frames[1]).for_each(|_| pair.borrow_mut().peer_frame())) / f64::from(frames[1]);
    let rounds = Rounds::of(Effort { rounds: 1001, seconds: 1.5 }, &mut [&mut ours, &mut peer]);
    Costs { us: [rounds.median(0), rounds.median(1)], ratio: rounds.ratio(0, 1), allocations }
}

fn main() {
    page::run("cpu", measure_all);
}

fn measure_all() {
    let heads = ["mode, targets", "pointer", "ours, µs", "peer, µs", "ours : peer", "allocations"];
    let mut table = Table::new("cpu", &heads);
    let mut groups = Vec::new();
    let mut worst = (0.0, String::new());
    for (mode, (name, _)) in MODES.iter().enumerate() {
        for count in [1, MANY] {
            let drags = [Kind::TranslateX, Kind::RotateX, Kind::ScaleX].map(Activity::Dragging);
            let can = |activity: &Activity| match activity {
                Activity::Dragging(kind) => *name == "universal" || name_of(*kind).starts_with(name),
                _ => true,
            };
            for activity in [Activity::Idle, Activity::Hovering].into_iter().chain(drags).filter(can) {
                let what = match activity {
                    Activity::Idle => "idle".to_owned(),
                    Activity::Hovering => "hover".to_owned(),
                    Activity::Dragging(kind) => {
                        format!("drag_{}", name_of(kind).trim_end_matches("_x"))
                    }
                };
                let Costs { us, ratio, allocations } = costs(mode, count, activity);
                table.row(&[
                    format!("{name}, {count}"),
                    what.clone(),
                    short(us[0]),
                    short(us[1]),
                    format!("1 : {}", short(1.0 / ratio)),
                    format!("{} : {}", short(allocations[0]), short(allocations[1])),
                ]);
                if count == 1 && *name == "universal" {
                    figure(&format!("cpu_{what}_over_peer"), ratio, "ratio");
                    figure(&format!("cpu_{what}_us"), us[0], "us");
                    figure(&format!("cpu_{what}_us_of_peer"), us[1], "us");
                    groups.push((what.replace('_', " "), us.to_vec()));
                }
                if count == 1 && ratio > worst.0 {
                    worst = (ratio, format!("{name}, {what}"));
                }
                if count == MANY && *name == "universal" && what.starts_with("drag") {
                    figure(&format!("cpu_{what}_1000_targets_over_peer"), ratio, "ratio");
                }
                assert_eq!(allocations[0], 0.0, "a frame of ours allocated");
            }
        }
    }
    table.save();
    println!("the worst ratio with one target: {}", worst.1);
    figure("cpu_worst_over_peer", worst.0, "ratio");
    bars(
        "cpu-frame",
        "CPU time of a frame, universal mode, one target",
        "µs per frame (logarithmic)",
        &["wgpu-gizmo", "transform-gizmo 0.9"],
        &groups,
    );
}
