//! Edits a cubic Bézier curve by its control points: one gizmo per point, each with a custom mesh
//! as its handle, all in one id space, one draw list and one ID image query. Points snap to a grid,
//! and drags can be undone. It writes `bezier.ppm` and plays a few drags.
//!
//! ```text
//! cargo run --example bezier --features native
//! ```

mod curve;

use curve::{curve_pipeline, lines};
use std::error::Error;
use wgpu_gizmo::facade::{Frame, GizmoGpu};
use wgpu_gizmo::glam::{DVec2, DVec3, dcamera};
use wgpu_gizmo::handle::{Constraint, CustomHandle, HandleMesh, Vertex};
use wgpu_gizmo::interaction::HeldKeys;
use wgpu_gizmo::interaction::settings::SnapKind;
use wgpu_gizmo::wgpu;
use wgpu_gizmo::{Event, Gizmo, IdSpace, Increment, Mode, Snap, Transform, View, Viewport};

const WIDTH: u32 = 960;
const HEIGHT: u32 = 600;
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Spacing of the grid that points snap to.
const SPACING: f64 = 0.25;

const END: [f32; 4] = [0.93, 0.94, 0.96, 1.0];
const TANGENT: [f32; 4] = [0.36, 0.75, 0.92, 1.0];

/// Creates the gizmo of a control point, which moves in the view plane. Its mesh is the handle, at 9 % of the gizmo's
/// size.
fn point(ids: &mut IdSpace, mesh: &HandleMesh, color: [f32; 4]) -> Result<Gizmo, Box<dyn Error>> {
    let mut gizmo = Gizmo::new(ids)?;
    let placement = Transform { scale: DVec3::splat(0.09), ..Transform::IDENTITY };
    let handle = CustomHandle::new(Constraint::ViewPlane, mesh.clone(), placement, color);
    let handle = gizmo.add_handle(handle).ok_or("the gizmo has no free handles")?;
    gizmo.settings.mode = Mode::Handles(handle.into());
    gizmo.settings.snap.while_held = Snap { translate: Increment::new(SPACING), ..Snap::OFF };
    gizmo.settings.snap.kind = SnapKind::Grid { origin_world: DVec3::ZERO };
    Ok(gizmo)
}

/// The curve with its undo history, and a gizmo per control point.
struct Editor {
    gizmos: [Gizmo; 4],
    positions: [DVec3; 4],
    undo: Vec<[DVec3; 4]>,
}

impl Editor {
    fn new() -> Result<Self, Box<dyn Error>> {
        // One id space for all gizmos, so that an id identifies the gizmo and the handle.
        let mut ids = IdSpace::new();
        let (end, tangent) = (HandleMesh::cube(), octahedron()?);
        let gizmos = [
            point(&mut ids, &end, END)?,
            point(&mut ids, &tangent, TANGENT)?,
            point(&mut ids, &tangent, TANGENT)?,
            point(&mut ids, &end, END)?,
        ];
        let positions = [[-3.0, -1.0], [-1.5, 2.0], [1.5, -2.0], [3.0, 1.0]];
        let positions = positions.map(|[x, y]| DVec3::new(x, y, 0.0));
        Ok(Self { gizmos, positions, undo: Vec::new() })
    }

    /// Passes an input to every gizmo; the one whose handle was pressed reacts.
    fn all(&mut self, input: impl Fn(&mut Gizmo)) {
        self.gizmos.iter_mut().for_each(input);
    }

    fn update(&mut self, view: &View) {
        let before = self.positions;
        let mut changed = false;
        for (gizmo, position) in self.gizmos.iter_mut().zip(&mut self.positions) {
            let mut here = Transform { translation: *position, ..Transform::IDENTITY };
            changed |= gizmo.update_one(view, &mut here).contains(&Event::Ended { changed: true });
            *position = here.translation;
        }
        if changed {
            let mut step = before;
            for (gizmo, start) in self.gizmos.iter().zip(&mut step) {
                // The gizmo remembers where its last drag began.
                *start = gizmo.starts().next().map_or(*start, |local| local.translation);
            }
            self.undo.push(step);
        }
    }

    fn undo(&mut self) {
        self.positions = self.undo.pop().unwrap_or(self.positions);
    }

    /// Evaluates the curve in Bernstein form.
    fn at(&self, t: f64) -> DVec3 {
        let [a, b, c, d] = self.positions;
        let s = 1.0 - t;
        a * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + d * (t * t * t)
    }
}

/// A custom mesh: eight triangles with separate vertices, so that its faces are flat.
fn octahedron() -> Result<HandleMesh, Box<dyn Error>> {
    let mut vertices = Vec::new();
    for face in 0..8 {
        let side = |bit: u32| if face >> bit & 1 == 0 { 1.25f32 } else { -1.25 };
        let corners = [[side(0), 0.0, 0.0], [0.0, side(1), 0.0], [0.0, 0.0, side(2)]];
        let length = 3f32.sqrt() * 1.25;
        let normal = [side(0) / length, side(1) / length, side(2) / length];
        vertices.extend(corners.map(|position| Vertex { position, weight: 0.0, normal, lit: 1.0 }));
    }
    Ok(HandleMesh::new(vertices, (0..24).collect())?)
}

/// Everything that draws: a device, a picture, the pipeline of the curve, and the GPU half of the gizmos.
struct Host {
    device: wgpu::Device,
    queue: wgpu::Queue,
    picture: wgpu::Texture,
    curve: wgpu::RenderPipeline,
    gizmos: GizmoGpu,
}

impl Host {
    async fn new() -> Result<Self, Box<dyn Error>> {
        if wgpu::Instance::enabled_backend_features().is_empty() {
            return Err("wgpu was built without a backend: add `--features native`".into());
        }
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = instance.request_adapter(&wgpu::RequestAdapterOptions::default()).await?;
        println!("adapter: {}", adapter.get_info().name);
        let required_limits = wgpu::Limits::downlevel_defaults();
        let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
        let (device, queue) = adapter.request_device(&descriptor).await?;
        let picture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width: WIDTH, height: HEIGHT, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        Ok(Self {
            curve: curve_pipeline(&device),
            gizmos: GizmoGpu::new(&device, FORMAT)?,
            picture,
            device,
            queue,
        })
    }

    /// Runs one frame of all gizmos.
    fn frame(&mut self, editor: &mut Editor, view: &View) -> Result<(), Box<dyn Error>> {
        // All gizmos share one pointer, so one query and its answer serve all of them.
        self.gizmos.receive(editor.gizmos.as_mut_slice())?;
        editor.update(view);
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let frame = Frame::new(&self.device, &self.queue, &mut encoder);
        self.gizmos.prepare(frame, editor.gizmos.as_mut_slice(), view, |_, _, _, _| {})?;
        let lines = lines(editor, view);
        let vertices = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("curve"),
            size: (lines.len() * 20) as u64,
            usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let bytes: Vec<u8> = lines.iter().flatten().flat_map(|number| number.to_ne_bytes()).collect();
        self.queue.write_buffer(&vertices, 0, &bytes);
        let background = wgpu::Color { r: 0.11, g: 0.12, b: 0.14, a: 1.0 };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("curve and handles"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.picture.create_view(&wgpu::TextureViewDescriptor::default()),
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(background), store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.curve);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.draw(0..lines.len() as u32, 0..1);
        self.gizmos.render(&mut pass, view);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Runs frames until no query is pending and nothing needs a redraw.
    fn settle(&mut self, editor: &mut Editor, view: &View) -> Result<(), Box<dyn Error>> {
        loop {
            self.frame(editor, view)?;
            if !self.gizmos.needs_redraw(editor.gizmos.as_slice(), 0) {
                return Ok(());
            }
        }
    }

    /// Plays a whole drag from one pixel to another.
    fn drag(
        &mut self,
        editor: &mut Editor,
        view: &View,
        [from, to]: [DVec2; 2],
        snap: bool,
    ) -> Result<(), Box<dyn Error>> {
        editor.all(|gizmo| gizmo.set_held_keys(HeldKeys { snap, ..HeldKeys::NONE }));
        editor.all(|gizmo| gizmo.pointer_moved(from));
        self.settle(editor, view)?;
        editor.all(Gizmo::pointer_pressed);
        self.settle(editor, view)?;
        editor.all(|gizmo| gizmo.pointer_moved(to));
        self.settle(editor, view)?;
        editor.all(Gizmo::pointer_released);
        self.settle(editor, view)
    }

    /// Saves the picture as a portable pixmap.
    fn save(&self, path: &std::path::Path) -> Result<(), Box<dyn Error>> {
        let row = 4 * WIDTH;
        let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(padded) * u64::from(HEIGHT),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(padded), rows_per_image: None };
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_texture_to_buffer(
            self.picture.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
            self.picture.size(),
        );
        self.queue.submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        let texels = buffer.get_mapped_range(..)?;
        let mut pixmap = format!("P6 {WIDTH} {HEIGHT} 255\n").into_bytes();
        for padded_row in texels.chunks(padded as usize) {
            pixmap.extend(padded_row[..row as usize].chunks(4).flat_map(|rgba| &rgba[..3]));
        }
        Ok(std::fs::write(path, pixmap)?)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut host = pollster::block_on(Host::new())?;
    let view = view()?;
    let mut editor = Editor::new()?;
    host.settle(&mut editor, &view)?;
    let start = editor.positions;
    let px = |point: DVec3| view.px_from_world(point).ok_or("the point is behind the viewer");

    // A free drag by a corner of the handle instead of its center: nothing jumps.
    let grab = px(start[1])? + DVec2::new(4.0, -3.0);
    host.drag(&mut editor, &view, [grab, grab + DVec2::new(61.0, 17.0)], false)?;
    let freely = editor.positions;
    println!("tangent 1: {:.3} to {:.3}", start[1], freely[1]);
    let landed = px(freely[1])? - px(start[1])?;
    if landed.distance(DVec2::new(61.0, 17.0)) > 0.01 {
        return Err(format!("the point moved by {landed} px instead of with the cursor").into());
    }

    // A drag that snaps to the grid.
    let grab = px(start[3])?;
    host.drag(&mut editor, &view, [grab, grab + DVec2::new(-43.0, -58.0)], true)?;
    let snapped = editor.positions;
    println!("end 2: {:.3} to {:.3}", start[3], snapped[3]);
    if ((snapped[3] / SPACING).round() * SPACING).distance(snapped[3]) > 1e-9 {
        return Err("the end is not on the grid".into());
    }

    // Hovers the other tangent, so that its handle is highlighted in the picture.
    editor.all(|gizmo| gizmo.set_held_keys(HeldKeys::NONE));
    let other = px(snapped[2])?;
    editor.all(|gizmo| gizmo.pointer_moved(other));
    host.settle(&mut editor, &view)?;
    let hovered = editor.gizmos.iter().position(|gizmo| gizmo.hovered().is_some());
    println!("hovered: point {hovered:?}");
    let path = std::env::temp_dir().join("bezier.ppm");
    host.save(&path)?;
    println!("picture: {}", path.display());

    editor.undo();
    editor.undo();
    if editor.positions != start {
        return Err("undo did not restore the start positions".into());
    }
    println!("two undo steps: back at the start");
    Ok(())
}

fn view() -> Result<View, Box<dyn Error>> {
    let aspect = f64::from(WIDTH) / f64::from(HEIGHT);
    let view_from_world = dcamera::rh::view::look_at_mat4(DVec3::new(0.0, 0.0, 9.0), DVec3::ZERO, DVec3::Y);
    let clip_from_view = dcamera::rh::proj::directx::perspective(40f64.to_radians(), aspect, 0.1, 100.0);
    Ok(View::new(view_from_world, clip_from_view, Viewport::from_size(WIDTH, HEIGHT), 1.0)?)
}
