//! Measures large scenes. Generates a scene, opens it as a file, and prints one line
//! `figure: NAME = VALUE UNIT` per figure. `cargo bench -p wgpu-gizmo-viewer --bench figures -- SCENE`,
//! where SCENE is `nodes`, `triangles` or `copies`. `WGPU_BACKEND` chooses the backend.

mod file;

use render::device::{Gpu, instance};
use render::picture;
use render::stage::{Extent, Stage};
use scene::projection::Projection;
use scene::selection::Selection;
use scene::{Node, Scene, shapes};
use session::Session;
use session::editor::Editor;
use session::replay_file::{Camera, EventKind, Mods};
use session::views::{Canvas, Views};
use std::error::Error;
use std::time::Instant;
use wgpu_gizmo::facade::{Frame, GizmoGpu};
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::pick::PickQuery;
use wgpu_gizmo::{DrawList, Transform, View, Viewport};

const SIZE: [u32; 2] = [1280, 800];
/// The number of runs for each measured frame and for each smaller operation. The minimum is printed,
/// because other load on the machine only makes runs slower.
const FRAMES: usize = 3;
const TIMES: usize = 40;

/// Returns the elapsed time in milliseconds.
fn ms(from: Instant) -> f64 {
    from.elapsed().as_secs_f64() * 1e3
}

/// Returns the minimum of the results of several runs.
fn minimum_of(
    times: usize,
    mut run: impl FnMut(usize) -> Result<f64, Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    (0..times).try_fold(f64::INFINITY, |minimum, turn| Ok(minimum.min(run(turn)?)))
}

fn figure(name: &str, value: f64, unit: &str) {
    println!("figure: {name} = {value:.3} {unit}");
}

/// The scene that is measured.
struct Bench<'a> {
    gpu: &'a Gpu,
    stage: Stage,
    session: Session,
    target: wgpu::TextureView,
    /// The node that the gizmo is on.
    node: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo adds `--bench`.
    let name = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    match name.as_deref() {
        Some("nodes") => print(&file::nodes()),
        Some("triangles") => print(&file::triangles()),
        Some("copies") => print_copies(),
        _ => Err("name the scene: `nodes`, `triangles` or `copies`".into()),
    }
}

/// Prints how long a frame with a thousand nodes in one place takes, relative to a frame with one of them.
fn print_copies() -> Result<(), Box<dyn Error>> {
    let instance = instance(wgpu::InstanceDescriptor::new_without_display_handle(), None);
    let gpu = Gpu::new(&instance, None)?;
    println!("{} ({}), {} x {} pixels", gpu.adapter_name(), gpu.backend_name(), SIZE[0], SIZE[1]);
    let texture = picture::texture(&gpu, SIZE)?;
    let mut benches = Vec::new();
    for count in [1, 1000] {
        // Fills most of the view.
        let local = Transform { scale: DVec3::splat(60.0), ..Transform::IDENTITY };
        let node = |i| Node { mesh: Some(0), ..Node::new(format!("copy {i}"), None, local) };
        let scene = Scene::new((0..count).map(node).collect(), vec![shapes::cube()])?;
        let stage = Stage::new(&gpu, picture::FORMAT, &scene)?;
        let target = texture.create_view(&Default::default());
        benches.push(Bench { gpu: &gpu, stage, session: session(Editor::new(scene)?)?, target, node: 0 });
    }
    let mut minimum = [f64::INFINITY; 2];
    for turn in 0..TIMES {
        let view = view(0.01 * turn as f64, DVec3::ZERO)?;
        for (minimum, bench) in minimum.iter_mut().zip(&mut benches) {
            *minimum = minimum.min(bench.frame(&view)?);
        }
    }
    let [one, thousand] = minimum;
    figure("frame of one node", one, "ms");
    figure("viewer_coincident_1000_over_1", thousand / one, "");
    Ok(())
}

/// Prints how long it takes to load, draw and pick the scene of a file.
fn print(file: &[u8]) -> Result<(), Box<dyn Error>> {
    let instance = instance(wgpu::InstanceDescriptor::new_without_display_handle(), None);
    let gpu = Gpu::new(&instance, None)?;
    println!("{} ({}), {} x {} pixels", gpu.adapter_name(), gpu.backend_name(), SIZE[0], SIZE[1]);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("large.glb");
    std::fs::write(&path, file)?;
    let start = Instant::now();
    let mut scene = gltf_io::open(&path)?;
    figure("read the file", ms(start), "ms");
    figure("nodes", scene.nodes().len() as f64, "nodes");
    let corners = |node: &scene::Node| node.mesh.map(|mesh| scene.meshes()[mesh].indices.len());
    let triangles = scene.nodes().iter().filter_map(corners).sum::<usize>() / 3;
    figure("triangles", triangles as f64, "triangles");
    let node = scene.nodes().iter().position(|node| node.mesh.is_some()).unwrap_or(0);
    let node = (node + scene.nodes().len() / 2 + 30).min(scene.nodes().len() - 1);
    let texture = picture::texture(&gpu, SIZE)?;
    let target = texture.create_view(&Default::default());
    let mut stage = Stage::new(&gpu, picture::FORMAT, &Scene::default())?;
    stage.uploader().upload(&mut scene);
    figure("until it is uploaded", ms(start), "ms");
    let placed = Instant::now();
    let mut session = session(Editor::new(scene)?)?;
    stage.load(&mut session);
    figure("viewer_put_in_place_freeze_ms", ms(placed), "ms");
    session.editor.select(Selection::default(), &view(0.0, DVec3::ZERO)?);
    let mut bench = Bench { gpu: &gpu, stage, session, target, node };
    bench.frame(&view(0.0, DVec3::ZERO)?)?;
    figure("until the first picture", ms(start), "ms");
    bench.run()
}

/// Returns a view from above and the side, orbited by `turn` radians.
fn view(turn: f64, look_at: DVec3) -> Result<View, Box<dyn Error>> {
    let (sin, cos) = (0.6 + turn).sin_cos();
    let eye = look_at + DVec3::new(70.0 * sin, 40.0, 70.0 * cos);
    let projection = Projection::Perspective { fov_y: 45.0, near: 0.1, far: None, reversed: true };
    let camera = Camera::LookAt { eye, look_at, up: DVec3::Y, projection };
    Ok(camera.view(Viewport::from_size(SIZE[0], SIZE[1]), 1.0)?)
}

/// Returns a session without a view cube.
fn session(editor: Editor) -> Result<Session, Box<dyn Error>> {
    let canvas = Canvas { size_px: SIZE, viewport: Viewport::from_size(SIZE[0], SIZE[1]), scale_factor: 1.0 };
    let mut session = Session::of_scene(editor, canvas)?;
    session.take(&EventKind::ViewCube(false), Mods::default())?;
    Ok(session)
}

impl Bench<'_> {
    /// Draws a whole frame and waits for the GPU.
    fn frame(&mut self, view: &View) -> Result<f64, Box<dyn Error>> {
        let start = Instant::now();
        self.session.editor.update(view);
        self.session.views = Views::new(vec![*view]);
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.stage.update(&mut self.session, SIZE);
        self.stage.draw(&mut encoder, &self.target, Extent::Whole)?;
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(ms(start))
    }

    fn run(mut self) -> Result<(), Box<dyn Error>> {
        let at =
            self.session.editor.scene().world_bounds(self.node).map_or(DVec3::ZERO, |bounds| bounds.center());
        let still = view(0.0, at)?;
        self.session.editor.select(Selection::of(&[self.node]), &still);
        self.session.editor.update(&still);
        let mut gizmos = GizmoGpu::new(&self.gpu.device, picture::FORMAT)?;
        let on_cpu = minimum_of(TIMES, |_| self.gizmo(&mut gizmos, &still, false))?;
        figure("gizmo in a frame, on the CPU", on_cpu, "ms");
        figure(
            "gizmo in a frame, until the GPU is done",
            minimum_of(TIMES, |_| self.gizmo(&mut gizmos, &still, true))?,
            "ms",
        );

        let query = |turn: usize| {
            let cursor_px = DVec2::new(640.5 + 4.0 * turn as f64, 400.5 + 3.0 * turn as f64);
            PickQuery::new(&still, cursor_px, 5.0)
        };
        let mut drawn = 0;
        let pick = |turn: usize| {
            let start = Instant::now();
            self.stage.pick(&mut self.session, &query(turn))?;
            drawn = drawn.max(self.stage.drawn_for_pick());
            Ok(ms(start))
        };
        figure("pick", minimum_of(TIMES, pick)?, "ms");
        let gizmo_alone = |turn: usize| {
            let (query, start) = (query(turn), Instant::now());
            gizmos.pick(&self.gpu.queue, &mut self.session, &query, |_, _, _, _| {})?;
            Ok(ms(start))
        };
        figure("gizmo in a pick", minimum_of(TIMES, gizmo_alone)?, "ms");
        figure("nodes drawn for a pick, at most", drawn as f64, "nodes");

        let all = |turn: usize| view(0.01 * turn as f64, DVec3::ZERO);
        figure("frame, the camera at rest", minimum_of(FRAMES, |_| self.frame(&all(0)?))?, "ms");
        // The view of turn 0 is the one at rest, whose picture is kept.
        figure("frame, the camera moving", minimum_of(FRAMES, |turn| self.frame(&all(turn + 1)?))?, "ms");
        let near = |turn: usize| view(1e-4 * (turn + 1) as f64, at);
        figure("frame, a node selected", minimum_of(FRAMES, |turn| self.frame(&near(turn)?))?, "ms");
        figure("frame, a node moved", minimum_of(FRAMES, |turn| self.moved(&still, turn))?, "ms");
        Ok(())
    }

    /// Moves the node as a drag would, a little farther each time.
    fn moved(&mut self, view: &View, turn: usize) -> Result<f64, Box<dyn Error>> {
        let start = Instant::now();
        self.session.editor.adjust("figure", "Translate {}", |_, start| Transform {
            translation: start.translation + DVec3::X * 0.01 * (turn + 1) as f64,
            ..*start
        });
        self.frame(view)?;
        Ok(ms(start))
    }

    /// Measures the share of the gizmo in a frame.
    fn gizmo(&mut self, gizmos: &mut GizmoGpu, view: &View, on_gpu: bool) -> Result<f64, Box<dyn Error>> {
        let start = Instant::now();
        self.session.editor.update(view);
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut list = DrawList::new();
        self.session.editor.draw_gizmo(list.begin(view));
        gizmos.prepare_list(Frame::new(&self.gpu.device, &self.gpu.queue, &mut encoder), &list)?;
        let color = wgpu::RenderPassColorAttachment {
            view: &self.target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
        };
        let pass = wgpu::RenderPassDescriptor { color_attachments: &[Some(color)], ..Default::default() };
        gizmos.render(&mut encoder.begin_render_pass(&pass), view);
        let commands = encoder.finish();
        let on_cpu = ms(start);
        self.gpu.queue.submit([commands]);
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(if on_gpu { ms(start) } else { on_cpu })
    }
}
