//! A gizmo without a window: draws it, picks a pixel, and drags the x arrow with pointer events.
//!
//! ```text
//! cargo run --example headless --features native
//! ```

use std::error::Error;
use wgpu_gizmo::facade::Frame;
use wgpu_gizmo::glam::{DVec2, DVec3, dcamera};
use wgpu_gizmo::gpu::GpuError;
use wgpu_gizmo::{Event, HandleId, Transform, View, Viewport, WgpuGizmo, wgpu};

const WIDTH: u32 = 640;
const HEIGHT: u32 = 480;
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// A host: a device, a render target, and a gizmo.
struct Host {
    device: wgpu::Device,
    queue: wgpu::Queue,
    color: wgpu::TextureView,
    tools: WgpuGizmo,
}

impl Host {
    async fn new() -> Result<Self, Box<dyn Error>> {
        if wgpu::Instance::enabled_backend_features().is_empty() {
            return Err("wgpu was built without a backend: add `--features native`".into());
        }
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = instance.request_adapter(&wgpu::RequestAdapterOptions::default()).await?;
        println!("adapter: {}", adapter.get_info().name);
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                required_limits: wgpu::Limits::downlevel_defaults(),
                ..Default::default()
            })
            .await?;
        let color = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("headless target"),
            size: wgpu::Extent3d { width: WIDTH, height: HEIGHT, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        Ok(Self {
            tools: WgpuGizmo::new(&device, FORMAT)?,
            color: color.create_view(&wgpu::TextureViewDescriptor::default()),
            device,
            queue,
        })
    }

    /// Updates the gizmo and answers its queries until nothing is pending, then draws a frame.
    fn settle(&mut self, view: &View, object: &mut Transform) -> Result<(), GpuError> {
        loop {
            let events = self.tools.update_one(view, object)?;
            events.iter().for_each(|event| println!("{}", described(event)));
            // A host with a window does not wait: `prepare` asks, and a later `update` has the answer.
            self.tools.settle(&self.queue, |_, _, _| {})?;
            if events.is_empty() && !self.tools.gizmo.needs_update() {
                return self.draw(view);
            }
        }
    }

    fn draw(&mut self, view: &View) -> Result<(), GpuError> {
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.tools.prepare(Frame::new(&self.device, &self.queue, &mut encoder), view, |_, _, _| {})?;
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("headless"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.color,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations::default(),
            })],
            ..Default::default()
        });
        self.tools.render(&mut pass, view);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        Ok(())
    }
}

fn described(event: &Event) -> String {
    match event {
        Event::Started(handle) => format!("started {}", handle.name()),
        Event::Changed(_) => "changed".to_owned(),
        Event::Ended { changed } => format!("ended, changed: {changed}"),
        other => format!("{other:?}"),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut host = pollster::block_on(Host::new())?;
    let view = view()?;
    let start = Transform { translation: DVec3::new(0.0, 0.5, 0.0), ..Transform::IDENTITY };
    let mut object = start;
    host.settle(&view, &mut object)?;

    let arrow = HandleId::from_name("translate_x").ok_or("the handle is built in")?;
    let arrow_px = host.tools.gizmo.handle_px(&view, arrow).ok_or("the arrow is hidden")?;
    host.tools.gizmo.pointer_moved(arrow_px);
    host.settle(&view, &mut object)?;
    println!("under {:.0}: {:?}", arrow_px, host.tools.gizmo.hovered().map(HandleId::name));
    if host.tools.gizmo.hovered() != Some(arrow) {
        return Err("the arrow is not hovered".into());
    }

    host.tools.gizmo.pointer_pressed();
    host.settle(&view, &mut object)?;
    for step in 1..=4 {
        host.tools.gizmo.pointer_moved(arrow_px + DVec2::new(20.0, 4.0) * f64::from(step));
        host.settle(&view, &mut object)?;
    }
    host.tools.gizmo.pointer_released();
    host.settle(&view, &mut object)?;

    println!("moved from {:.3} to {:.3}", start.translation, object.translation);
    let moved = object.translation - start.translation;
    if moved.reject_from_normalized(DVec3::X).length() > 1e-9 || moved.x < 0.1 {
        return Err("the drag did not move the object along x".into());
    }
    Ok(())
}

fn view() -> Result<View, Box<dyn Error>> {
    let (width, height) = (f64::from(WIDTH), f64::from(HEIGHT));
    let view_from_world =
        dcamera::rh::view::look_at_mat4(DVec3::new(3.0, 2.5, 5.0), DVec3::new(0.0, 0.5, 0.0), DVec3::Y);
    let clip_from_view =
        dcamera::rh::proj::directx::perspective(50f64.to_radians(), width / height, 0.1, 100.0);
    let viewport = Viewport { x: 0.0, y: 0.0, width, height };
    Ok(View::new(view_from_world, clip_from_view, viewport, 1.0)?)
}
