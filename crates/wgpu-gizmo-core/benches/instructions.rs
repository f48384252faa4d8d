//! Counts the instructions of the hot paths with callgrind, as a guard against regressions that is
//! free of noise.
//!
//! It counts what this program and the crate execute, but not the C library, whose `memcpy` and
//! `sin` depend on the machine. `benches/instructions.txt` contains the baseline of each path and
//! the compiler it was made with; more than 3 % above it is a failure.
//!
//! `cargo bench -p wgpu-gizmo-core --bench instructions [-- --check | --update]`
//! `--check` fails if valgrind is missing; `--update` rewrites the file. With the name of a path,
//! only that path runs, and `target/callgrind.NAME` is kept for `callgrind_annotate`.
#![allow(missing_docs, reason = "a program")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use wgpu_gizmo_core::draw::parts::Triangles;
use wgpu_gizmo_core::glam::{DQuat, DVec2, DVec3, dcamera::rh};
use wgpu_gizmo_core::interaction::settings::Pivot;
use wgpu_gizmo_core::{DrawList, Gizmo, HandleId, IdSpace, Mode, Target, Transform, View, Viewport};

/// Allowed increase over the baseline.
const BUDGET: f64 = 0.03;
const FRAMES: u32 = 50;
/// Environment variable that tells the child process under callgrind which path to run.
const PATH: &str = "WGPU_GIZMO_PATH";

/// The work of each frame.
#[derive(Clone, Copy)]
enum Work {
    /// Moves the pointer, picks from the previous list, and draws the handles.
    Hover,
    /// The same without the pick.
    Draw,
    /// Converts an existing list into triangles, for renderers without this crate's shaders.
    Triangles,
    /// Picks from an existing list on the CPU.
    Pick,
    /// Drags this handle, and draws the handles and guides.
    Drag(&'static str),
    /// Drags this handle with a thousand targets, and draws nothing.
    DragMany(&'static str),
    /// Creates a view from the camera's matrices.
    View,
}

const PATHS: [(&str, Work); 13] = [
    ("view", Work::View),
    ("draw", Work::Draw),
    ("hover", Work::Hover),
    ("pick", Work::Pick),
    ("triangles", Work::Triangles),
    ("drag_translate", Work::Drag("translate_x")),
    ("drag_plane", Work::Drag("translate_zx")),
    ("drag_rotate", Work::Drag("rotate_y")),
    ("drag_scale", Work::Drag("scale_x")),
    ("drag_translate_1000", Work::DragMany("translate_x")),
    ("drag_rotate_1000", Work::DragMany("rotate_y")),
    ("drag_scale_1000", Work::DragMany("scale_x")),
    ("drag_plane_1000", Work::DragMany("translate_zx")),
];

const CENTER_PX: DVec2 = DVec2::new(640.0, 360.0);

fn view(frame: u32) -> View {
    let eye = DVec3::new(2.0 + 1e-3 * f64::from(frame), 2.5, 6.0);
    View::new(
        rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y),
        rh::proj::directx::perspective(0.9, 16.0 / 9.0, 0.1, 100.0),
        Viewport::from_size(1280, 720),
        1.0,
    )
    .expect("the view is valid")
}

fn targets(count: u32) -> Vec<Target> {
    let target = |i: u32| {
        let i = f64::from(i);
        let rotation = DQuat::from_rotation_y(0.01 * i);
        let parent =
            Transform { translation: DVec3::new(1e-4 * i, 0.0, 0.0), rotation, scale: DVec3::splat(1.5) };
        let rotation = DQuat::from_rotation_x(0.3);
        let local = Transform { translation: DVec3::new(0.0, 1e-4 * i, 0.0), rotation, scale: DVec3::ONE };
        Target::new(local, parent.to_matrix())
    };
    (0..count).map(target).collect()
}

fn press(gizmo: &mut Gizmo, targets: &mut [Target], list: &mut DrawList, name: &str) -> DVec2 {
    let (view, handle) = (view(0), HandleId::from_name(name).expect("the handle exists"));
    gizmo.update(&view, targets);
    gizmo.draw(list.begin(&view));
    let mut around =
        (-75..75).flat_map(|y| (-75..75).map(move |x| CENTER_PX + 2.0 * DVec2::new(x.into(), y.into())));
    let is_hit = |px: &DVec2| list.pick(*px, 2.0).and_then(|id| gizmo.handle_of(id)) == Some(handle);
    let press_px = around.find(is_hit).expect("the handle is visible");
    gizmo.pointer_moved(press_px);
    gizmo.pointer_pressed();
    for _ in 0..3 {
        gizmo.update(&view, targets);
        gizmo.answer_on_cpu();
    }
    assert!(gizmo.is_active(), "{name}");
    press_px
}

/// Runs the frames that callgrind counts.
#[inline(never)]
fn counted_frames(frames: std::ops::Range<u32>, frame: &mut dyn FnMut(u32)) {
    frames.for_each(frame);
}

/// Warms up, then runs the frames that are counted.
fn run(work: Work) {
    let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has free ids");
    gizmo.settings.mode = Mode::Universal;
    let (mut list, mut triangles) = (DrawList::new(), Triangles::new());
    let many = matches!(work, Work::DragMany(_));
    if many {
        gizmo.settings.pivot = Pivot::Custom(DVec3::ZERO);
    }
    let mut targets = targets(if many { 1000 } else { 1 });
    let mut press_px = CENTER_PX;
    if let Work::Drag(name) | Work::DragMany(name) = work {
        press_px = press(&mut gizmo, &mut targets, &mut list, name);
    } else {
        gizmo.update(&view(0), &mut targets);
        gizmo.draw(list.begin(&view(0)));
    }
    let wandering = |frame: u32| {
        let direction = DVec2::from_angle(f64::from(frame) * 0.37);
        press_px + direction * f64::from(20 + frame * 7 % 83)
    };
    let dragged = |frame: u32| press_px + DVec2::from_angle(f64::from(frame) * 0.23) * 30.0;
    let mut frame = |i: u32| match work {
        Work::View => drop(black_box(view(i))),
        Work::Pick => drop(black_box(list.pick(wandering(i), 5.0))),
        Work::Triangles => list.triangles_px(black_box(&mut triangles)),
        Work::Draw | Work::Hover => {
            let view = view(i);
            if let Work::Hover = work {
                gizmo.answer_from(&list);
            }
            gizmo.pointer_moved(wandering(i));
            gizmo.update(&view, &mut targets);
            gizmo.draw(list.begin(&view));
        }
        Work::Drag(_) => {
            let view = view(i);
            gizmo.pointer_moved(dragged(i));
            gizmo.update(&view, &mut targets);
            gizmo.draw(list.begin(&view));
        }
        Work::DragMany(_) => {
            gizmo.pointer_moved(dragged(i));
            black_box(gizmo.update(&view(i), &mut targets));
        }
    };
    (0..FRAMES).for_each(&mut frame);
    counted_frames(FRAMES..2 * FRAMES, &mut frame);
}

/// Parses a callgrind profile and returns the instructions per frame that this program itself
/// executed: the lines with a function's own cost while `ob=` names the program.
fn own_instructions(profile: &str, program: &Path) -> u64 {
    let program = program.to_string_lossy();
    let (mut own, mut is_own, mut is_call) = (0, false, false);
    // The name is given once, as `(number) name`, in either kind of line.
    let mut number = None;
    for line in profile.lines() {
        if let Some(object) = line.strip_prefix("ob=").or(line.strip_prefix("cob=")) {
            let (key, name) = object.split_once(' ').unwrap_or((object, ""));
            if name == program {
                number = Some(key.to_owned());
            }
            if line.starts_with("ob=") {
                is_own = number.as_deref() == Some(key);
            }
        } else if line.starts_with("calls=") {
            is_call = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) {
            let cost = line.split(' ').nth(1).and_then(|cost| cost.parse::<u64>().ok());
            if is_own && !std::mem::take(&mut is_call) {
                own += cost.unwrap_or(0);
            }
            is_call = false;
        }
    }
    own / u64::from(FRAMES)
}

fn count(name: &str, keep: bool) -> u64 {
    let program = std::env::current_exe().expect("the program has a path");
    let profile = program.with_file_name(format!("callgrind.{name}"));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*counted_frames*"])
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(&program)
        .env(PATH, name)
        .output()
        .expect("valgrind runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let instructions =
        own_instructions(&std::fs::read_to_string(&profile).expect("callgrind wrote a profile"), &program);
    if keep {
        println!("profile: {}", profile.display());
    } else {
        std::fs::remove_file(profile).expect("the profile can be removed");
    }
    instructions
}

fn first_line(command: &str, argument: &str) -> Option<String> {
    let output = Command::new(command).arg(argument).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).lines().next()?.to_owned())
}

fn main() -> ExitCode {
    if let Ok(path) = std::env::var(PATH) {
        let (_, work) = PATHS.iter().find(|(name, _)| *name == path).expect("the path exists");
        run(*work);
        return ExitCode::SUCCESS;
    }
    let has_flag = |flag: &str| std::env::args().any(|argument| argument == flag);
    if first_line("valgrind", "--version").is_none() {
        println!("valgrind is not installed: instructions are not counted");
        return if has_flag("--check") { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    }
    if let Some((name, _)) = PATHS.iter().find(|(name, _)| has_flag(name)) {
        println!("{name}: {} instructions per frame", count(name, true));
        return ExitCode::SUCCESS;
    }
    let compiler =
        format!("{}, {}", first_line("rustc", "--version").unwrap_or_default(), std::env::consts::ARCH);
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.txt");
    let baseline = std::fs::read_to_string(&file).unwrap_or_default();
    let counts: Vec<_> = PATHS.iter().map(|(name, _)| (name, count(name, false))).collect();
    if has_flag("--update") {
        let lines: String = counts.iter().map(|(name, now)| format!("{name} {now}\n")).collect();
        std::fs::write(&file, format!("# {compiler}\n{lines}")).expect("the file can be written");
        println!("updated: {}", file.display());
    }
    let is_comparable = baseline.lines().next() == Some(&format!("# {compiler}"));
    let before = |name: &str| {
        let mut lines = baseline.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(other, _)| *other == name).and_then(|(_, count)| count.parse::<u64>().ok())
    };
    let mut too_many = 0;
    for (name, now) in counts {
        println!("figure: instructions.{name} = {now} instructions");
        let Some(before) = before(name) else {
            println!("{name}: no baseline");
            too_many += usize::from(is_comparable);
            continue;
        };
        let grown = now as f64 / before as f64 - 1.0;
        println!("{name}: {before} -> {now}, {:+.2} %", 100.0 * grown);
        too_many += usize::from(is_comparable && grown > BUDGET);
    }
    if !is_comparable {
        println!("benches/instructions.txt was made with a different compiler than {compiler}: not compared");
    } else if too_many > 0 && !has_flag("--update") {
        println!("{too_many} paths exceed benches/instructions.txt by more than {:.0} %", 100.0 * BUDGET);
        println!("if this is intended, update the file: -- --update");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
