//! A gizmo without a window: draws it, picks a pixel, and drags the x arrow with pointer events.
//!
//! ```text
//! cargo run --example headless --features native
//! ```

use std::error::Error;
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3, dcamera};
use wgpu_gizmo::gpu::{GizmoRenderer, Picker, TargetState};
use wgpu_gizmo::wgpu;
use wgpu_gizmo::{DrawList, Event, Gizmo, HandleId, IdSpace, PickOutcome, Target, Transform, View, Viewport};

const WIDTH: u32 = 640;
const HEIGHT: u32 = 480;
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// A host: a device, a render target, and the gizmo's renderer and picker.
struct Host {
    device: wgpu::Device,
    queue: wgpu::Queue,
    color: wgpu::TextureView,
    renderer: GizmoRenderer,
    picker: Picker,
    list: DrawList,
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
        let target = TargetState { format: FORMAT, sample_count: 1, depth_stencil: None };
        Ok(Self {
            renderer: GizmoRenderer::new(&device, target)?,
            picker: Picker::new(&device)?,
            color: color.create_view(&wgpu::TextureViewDescriptor::default()),
            list: DrawList::new(),
            device,
            queue,
        })
    }

    /// Runs one frame, in this order: answers, update, drawing, query, submit. Query before
    /// drawing works as well.
    fn frame(
        &mut self,
        gizmo: &mut Gizmo,
        view: &View,
        targets: &mut [Target],
    ) -> Result<Vec<Event>, Box<dyn Error>> {
        while let Some(answer) = self.picker.poll(&self.device)? {
            gizmo.answer(&answer);
        }
        self.picker.in_flight().for_each(|query| gizmo.await_answer(query));
        let events = gizmo.update(view, targets).to_vec();
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.list.begin(view);
        gizmo.draw(&mut self.list);
        self.renderer.prepare(&self.device, &self.queue, &self.list)?;
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
        self.renderer.render(&mut pass);
        drop(pass);
        if let Some(query) = self.picker.has_capacity().then(|| gizmo.pick_query()).flatten() {
            gizmo.draw(self.list.begin(&query.view));
            // The host has no objects to pick.
            let nothing = |_: &mut wgpu::RenderPass<'_>, _: DMat4| {};
            self.picker.encode(&self.device, &self.queue, &mut encoder, &query, &self.list, nothing)?;
        }
        self.queue.submit([encoder.finish()]);
        Ok(events)
    }

    /// Runs frames until no query is pending and nothing needs a redraw.
    fn settle(
        &mut self,
        gizmo: &mut Gizmo,
        view: &View,
        targets: &mut [Target],
    ) -> Result<(), Box<dyn Error>> {
        loop {
            for event in self.frame(gizmo, view, targets)? {
                println!("{}", described(&event));
            }
            if !self.picker.is_pending() && !gizmo.needs_redraw(0) {
                return Ok(());
            }
        }
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
    // One space for all that is in the ID image.
    let mut ids = IdSpace::new();
    let mut gizmo = Gizmo::new(&mut ids)?;
    let start = Transform { translation: DVec3::new(0.0, 0.5, 0.0), ..Transform::IDENTITY };
    let mut targets = [Target::from_world(start)];
    host.settle(&mut gizmo, &view, &mut targets)?;

    // The center of the x arrow, which is 96 pixels long at the pivot's depth.
    let pivot_world = targets[0].position_world();
    let along = DVec3::X * 48.0 * view.pixel_size(pivot_world);
    let arrow_px = view.px_from_world(pivot_world + along).ok_or("the arrow is behind the viewer")?;
    gizmo.pointer_moved(arrow_px);
    host.settle(&mut gizmo, &view, &mut targets)?;
    println!("under {:.0}: {:?}", arrow_px, gizmo.hovered().map(HandleId::name));

    gizmo.pointer_pressed();
    host.settle(&mut gizmo, &view, &mut targets)?;
    for step in 1..=4 {
        gizmo.pointer_moved(arrow_px + DVec2::new(20.0, 4.0) * f64::from(step));
        host.settle(&mut gizmo, &view, &mut targets)?;
    }
    gizmo.pointer_released();
    host.settle(&mut gizmo, &view, &mut targets)?;

    let end = targets[0].local.translation;
    println!("moved from {:.3} to {:.3}", start.translation, end);
    let straight = (end - start.translation).reject_from_normalized(DVec3::X).length() < 1e-9;
    if !(straight && end.x > start.translation.x + 0.1) {
        return Err("the drag did not move the target along x".into());
    }

    // A blocking query outside of the frame loop, for tools that may wait.
    let query = wgpu_gizmo::PickQuery::new(&view, DVec2::ONE, 5.0);
    let timeout = std::time::Duration::from_secs(10);
    let list = DrawList::new();
    let answer = host.picker.pick_blocking(&host.device, &host.queue, &query, &list, |_, _| {}, timeout)?;
    println!("in the corner: {:?}", answer.outcome);
    assert_eq!(answer.outcome, PickOutcome::Nothing);
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
