//! A movable cube.

use std::{error::Error, sync::Arc};
use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu_gizmo::Transform;
use wgpu_gizmo::glam::{DVec3, dcamera::rh::proj::directx::perspective, dcamera::rh::view::look_at_mat4};
use wgpu_gizmo_surface::{NextFrame, next_frame};
use wgpu_gizmo_winit::WinitGizmo;
use winit::{application::ApplicationHandler, event::WindowEvent, event_loop::*, window::*};

const SHADER: &str = "
@group(0) @binding(0) var<uniform> clip_from_cube: mat4x4f;
struct Corner { @builtin(position) clip: vec4f, @location(0) color: vec3f }
@vertex fn corner(@builtin(vertex_index) i: u32) -> Corner {
    let color = vec3f((vec3u(10362, 687, 12771) >> vec3u(i)) & vec3u(1));
    return Corner(clip_from_cube * vec4f(color - 0.5, 1), color);
}
@fragment fn pixel(corner: Corner) -> @location(0) vec4f { return vec4f(0.5 * corner.color, 1); }";

struct Screen {
    window: Arc<Window>,
    instance: wgpu::Instance,
    surface: Option<wgpu::Surface<'static>>,
    config: wgpu::SurfaceConfiguration,
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipeline: wgpu::RenderPipeline,
    gizmo: WinitGizmo,
    cube: Transform,
}

impl Screen {
    async fn new(event_loop: &ActiveEventLoop) -> Result<Self, Box<dyn Error>> {
        let window = Arc::new(event_loop.create_window(Window::default_attributes())?);
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle_from_env(
            Box::new(event_loop.owned_display_handle()),
        ));
        let surface = instance.create_surface(window.clone())?;
        let adapter = instance
            .request_adapter(&wgpu::RequestAdapterOptions {
                compatible_surface: Some(&surface),
                ..Default::default()
            })
            .await?;
        let (device, queue) = adapter.request_device(&Default::default()).await?;
        let size = window.inner_size();
        let config = surface.get_default_config(&adapter, size.width, size.height).ok_or("format")?;
        surface.configure(&device, &config);
        let module = &device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module,
                entry_point: None,
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                cull_mode: Some(wgpu::Face::Back),
                ..Default::default()
            },
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: None,
                compilation_options: Default::default(),
                targets: &[Some(config.format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        Ok(Self {
            gizmo: WinitGizmo::new(&window, &device, &queue, config.format)?,
            cube: Transform::IDENTITY,
            window,
            instance,
            surface: Some(surface),
            config,
            device,
            queue,
            pipeline,
        })
    }

    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        let frame = next_frame(&mut self.surface, (&self.device, &self.config), || {
            self.instance.create_surface(self.window.clone())
        })?;
        let texture = match frame {
            NextFrame::Ready(texture) => texture,
            NextFrame::Later => {
                self.window.request_redraw();
                return Ok(());
            }
            NextFrame::Hidden => return Ok(()),
        };
        let size = &self.config;
        let eye = look_at_mat4(DVec3::new(2.5, 2.0, 4.0), DVec3::ZERO, DVec3::Y);
        let lens = perspective(0.8, f64::from(size.width) / f64::from(size.height), 0.1, 100.0);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        self.gizmo.show_one(&mut encoder, eye, lens, &mut self.cube)?;

        let uniform = self.device.create_buffer_init(&BufferInitDescriptor {
            label: None,
            contents: (lens * eye * self.cube.to_matrix())
                .as_mat4()
                .to_cols_array()
                .map(f32::to_ne_bytes)
                .as_flattened(),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let bind_group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() }],
        });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &texture.texture.create_view(&Default::default()),
                depth_slice: None,
                resolve_target: None,
                ops: Default::default(),
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &bind_group, &[]);
        pass.draw(0..14, 0..1);
        self.gizmo.render(&mut pass);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        self.queue.present(texture);
        Ok(())
    }
}

#[derive(Default)]
struct App(Option<Screen>);

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.0 = Some(pollster::block_on(Screen::new(event_loop)).expect("window"));
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.0 else { return };
        screen.gizmo.on_window_event(&event);
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => {
                (screen.config.width, screen.config.height) = (size.width.max(1), size.height.max(1));
                screen.surface.as_ref().expect("surface").configure(&screen.device, &screen.config);
            }
            WindowEvent::RedrawRequested => screen.frame().expect("frame"),
            _ => {}
        }
    }
}

fn main() {
    EventLoop::new().expect("display").run_app(&mut App::default()).expect("loop");
}
