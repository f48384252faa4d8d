//! The weight that the crate adds to a build: crates in the tree, build time, program size, lines.
//! Two small programs are built, one with wgpu alone and one that also uses this crate; their
//! difference is reported. Needs wgpu built once, which takes minutes.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench weight`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use wgpu_gizmo_bench_peers::{figure, page};

const WGPU: &str = r#"wgpu = { version = "30.0.1", default-features = false, features = ["std", "parking_lot", "wgsl", "vulkan", "gles", "metal", "dx12"] }
pollster = "1""#;

/// Creates a device and submits an empty command buffer.
const BASE: &str = r#"
fn main() {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    let descriptor = wgpu::DeviceDescriptor::default();
    let (device, queue) = pollster::block_on(adapter.expect("the adapter provides a device").request_device(&descriptor)).expect("the adapter provides a device");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    work(&device, &queue, &mut encoder);
    queue.submit([encoder.finish()]);
}
"#;

const NOTHING: &str = "fn work(_: &wgpu::Device, _: &wgpu::Queue, _: &mut wgpu::CommandEncoder) {}\n";

/// The code of a frame in README.md.
const GIZMO: &str = r#"
use wgpu_gizmo::gpu::{GizmoRenderer, Picker, TargetState};
use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Mode, Target, Transform, View, Viewport};

fn work(device: &wgpu::Device, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder) {
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let target = TargetState { format, sample_count: 1, depth_stencil: None };
    let mut renderer = GizmoRenderer::new(device, target).expect("the render target is supported");
    let mut picker = Picker::new(device).expect("the backend is not WebGL");
    let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a slot is free");
    gizmo.settings.mode = Mode::Universal;
    let mut matrix = [[0.0f32; 4]; 4];
    (0..4).for_each(|i| matrix[i][i] = 1.0);
    let view = View::from_clip_from_world(matrix, Viewport::from_size(640, 480), 1.0).expect("the view is valid");
    let mut targets = [Target::from_world(Transform::IDENTITY)];
    let mut list = DrawList::new();
    while let Some(answer) = picker.poll(device).expect("the device is alive") {
        gizmo.answer(&answer);
    }
    gizmo.pointer_moved(wgpu_gizmo::glam::DVec2::new(320.0, 240.0));
    gizmo.pointer_pressed();
    gizmo.update(&view, &mut targets);
    if let Some(query) = gizmo.pick_query() {
        gizmo.draw(list.begin(&query.view));
        picker.encode(device, queue, encoder, &query, &list, |_, _| {}).expect("a slot is free");
    }
    gizmo.draw(list.begin(&view));
    renderer.prepare(device, queue, &list).expect("the device is alive");
}
"#;

struct Workspace {
    folder: PathBuf,
}

impl Workspace {
    fn new() -> Self {
        let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        // TARGET/release/deps/weight-…
        let program = std::env::current_exe().expect("the program has a path");
        let target = program.ancestors().nth(3).expect("the program is in a target folder").to_owned();
        let (folder, library) = (target.join("weight"), here.join("../.."));
        let library = library.canonicalize().expect("the library exists").display().to_string();
        let gizmo = format!("wgpu-gizmo = {{ path = {library:?} }}");
        let core = format!("wgpu-gizmo-core = {{ path = \"{library}/crates/wgpu-gizmo-core\" }}");
        for (name, dependencies, main) in [
            ("base", WGPU.to_owned(), format!("{BASE}{NOTHING}")),
            ("user", format!("{WGPU}\n{gizmo}"), format!("{BASE}{GIZMO}")),
            ("core-user", core, "fn main() {}".to_owned()),
            ("nothing", String::new(), "fn main() {}".to_owned()),
        ] {
            let source = folder.join(name).join("src");
            std::fs::create_dir_all(&source).expect("the folder exists");
            let manifest = format!(
                "[package]\nname = \"weight-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}\n"
            );
            write(&folder.join(name).join("Cargo.toml"), &manifest);
            write(&source.join("main.rs"), &main);
        }
        let members = "[workspace]\nmembers = [\"base\", \"user\", \"core-user\", \"nothing\"]\nresolver = \"3\"\n\n[profile.release]\nstrip = true\n";
        write(&folder.join("Cargo.toml"), members);
        let _ = std::fs::copy(here.join("Cargo.lock"), folder.join("Cargo.lock"));
        Self { folder }
    }

    /// Returns the target folder of a package. Packages whose dependencies are cleaned have a
    /// separate one.
    fn target(&self, package: &str) -> PathBuf {
        self.folder.join(if package.contains("core") { "target-of-the-core" } else { "target" })
    }

    fn cargo(&self, target: &Path, arguments: &[&str]) -> String {
        let mut command = Command::new("cargo");
        command.args(arguments).current_dir(&self.folder).env("CARGO_TARGET_DIR", target);
        let output = command.output().expect("cargo runs");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Returns the names and versions of all crates that a package needs to be built.
    fn crates(&self, package: &str) -> BTreeSet<String> {
        let tree = self.cargo(
            &self.folder,
            &["tree", "-p", package, "-e", "normal,build", "--prefix", "none", "--no-dedupe"],
        );
        let name = |line: &str| {
            Some(line.split(' ').take(2).collect::<Vec<_>>().join(" ")).filter(|n| !n.is_empty())
        };
        tree.lines().filter_map(name).filter(|name| !name.starts_with("weight-")).collect()
    }

    /// Returns the seconds that a package takes to build if everything that `base` needs is
    /// already built, and the seconds of `base` itself, because either program must be linked.
    fn build_s(&self, package: &str, base: &str) -> [f64; 2] {
        let target = self.target(package);
        let build = |package: &str| {
            let start = Instant::now();
            self.cargo(&target, &["build", "--quiet", "--release", "-p", package]);
            start.elapsed().as_secs_f64()
        };
        build(package);
        build(base);
        let common = self.crates(base);
        let beyond = self.crates(package);
        let beyond = beyond.difference(&common).filter_map(|name| name.split(' ').next());
        let mut clean = vec!["clean", "--quiet", "--release", "-p", package, "-p", base];
        beyond.for_each(|name| clean.extend(["-p", name]));
        self.cargo(&target, &clean);
        let alone = build(base);
        [build(package), alone]
    }

    fn size(&self, package: &str) -> u64 {
        let program = self.target(package).join("release").join(package);
        std::fs::metadata(program).expect("the program was built").len()
    }
}

fn write(path: &Path, text: &str) {
    // An unchanged file is not written, so that nothing is rebuilt.
    if std::fs::read_to_string(path).is_ok_and(|before| before == text) {
        return;
    }
    std::fs::write(path, text).expect("the file can be written");
}

/// Counts lines that are neither empty nor comments; in Rust, up to the unit tests.
fn lines(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).expect("the folder exists").flatten();
    let count = |path: PathBuf| {
        if path.is_dir() {
            return lines(&path);
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let tests =
            ["#[cfg(test)]\nmod ", "#[cfg(all(test"].iter().filter_map(|start| text.find(start)).min();
        let text = &text[..tests.unwrap_or(text.len())];
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
    };
    entries.map(|entry| count(entry.path())).sum()
}

fn main() {
    page::run("weight", measure);
}

fn measure() {
    let workspace = Workspace::new();
    let (base, user) = (workspace.crates("weight-base"), workspace.crates("weight-user"));
    let beyond: Vec<_> = user.difference(&base).cloned().collect();
    println!("beyond wgpu: {}", beyond.join(", "));
    figure("crates_beyond_wgpu", beyond.len() as f64, "crates");
    let core = workspace.crates("weight-core-user");
    println!("the core alone: {}", core.iter().cloned().collect::<Vec<_>>().join(", "));
    figure("crates_of_core", core.len() as f64, "crates");
    let library = ["../../src", "../../crates/wgpu-gizmo-core/src"];
    let rust = library.map(|folder| lines(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)));
    figure("lines_of_rust", rust.iter().sum::<usize>() as f64, "lines");
    figure(
        "lines_of_wgsl",
        lines(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shaders")) as f64,
        "lines",
    );
    let [with, without] = workspace.build_s("weight-user", "weight-base");
    println!(
        "a program with this crate: {with:.1} s; with wgpu alone: {without:.1} s; wgpu was already built"
    );
    figure("build_beyond_wgpu_release_s", with - without, "s");
    let (with, without) = (workspace.size("weight-user"), workspace.size("weight-base"));
    figure("binary_added_kib", (with as f64 - without as f64) / 1024.0, "KiB");
    figure("binary_with_wgpu_alone_kib", without as f64 / 1024.0, "KiB");
    let [with, without] = workspace.build_s("weight-core-user", "weight-nothing");
    figure("build_core_release_s", with - without, "s");
}
