//! A cube with a gizmo in three-d: its window, its camera and its renderer.
//!
//! ```text
//! cargo run --manifest-path examples/three-d/Cargo.toml
//! ```

use std::error::Error;
use three_d::{
    AmbientLight, Blend, Camera, ClearState, Context, CpuMaterial, CpuMesh, Cull, DepthTest,
    DirectionalLight, ElementBuffer, Event, FrameInput, FrameOutput, Gm, InnerSpace, Key, Mat4, Mesh,
    MouseButton, OrbitControl, PhysicalMaterial, Program, RenderStates, Srgba, VertexBuffer, WindowSettings,
    WriteMask, degrees, vec2, vec3,
};
use wgpu_gizmo_core::draw::parts::Triangles;
use wgpu_gizmo_core::glam::{DMat4, DVec2, DVec4};
use wgpu_gizmo_core::{DrawList, Gizmo, IdSpace, Transform, View, Viewport};

/// A gizmo, and what three-d needs to draw it.
struct Tools {
    gizmo: Gizmo,
    list: DrawList,
    triangles: Triangles,
    program: Program,
    positions: VertexBuffer<three_d::Vec2>,
    colors: VertexBuffer<three_d::Vec4>,
    indices: ElementBuffer<u32>,
}

impl Tools {
    fn new(context: &Context) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            gizmo: Gizmo::new(&mut IdSpace::new())?,
            list: DrawList::new(),
            triangles: Triangles::new(),
            program: Program::from_source(
                context,
                "uniform vec2 size_px; in vec2 position_px; in vec4 color; out vec4 shade;
                void main() {
                    vec2 share = position_px / size_px;
                    gl_Position = vec4(2.0 * share.x - 1.0, 1.0 - 2.0 * share.y, 0.0, 1.0);
                    shade = color;
                }",
                "in vec4 shade; out vec4 color; void main() { color = shade; }",
            )?,
            positions: VertexBuffer::new(context),
            colors: VertexBuffer::new(context),
            indices: ElementBuffer::new(context),
        })
    }

    /// Gives the events to the gizmo, and marks those as handled that belong to it: the control of the camera gets the
    /// rest.
    fn take_events(&mut self, frame: &mut FrameInput) {
        // Pixels of three-d count from the bottom left.
        let height = f64::from(frame.viewport.height);
        let px = |at: &three_d::PhysicalPoint| DVec2::new(f64::from(at.x), height - f64::from(at.y));
        let gizmo = &mut self.gizmo;
        for event in &mut frame.events {
            match event {
                Event::MousePress { button: MouseButton::Left, position, handled, .. } if !*handled => {
                    gizmo.pointer_moved(px(position));
                    *handled = gizmo.claims().primary_press;
                    gizmo.pointer_pressed();
                }
                Event::MouseMotion { button, position, handled, .. } if !*handled => {
                    gizmo.pointer_moved(px(position));
                    let claims = gizmo.claims();
                    *handled = button.is_some() && (claims.primary_press || claims.primary_drag);
                }
                Event::MouseRelease { button: MouseButton::Left, .. } => gizmo.pointer_released(),
                Event::MousePress { button: MouseButton::Right, .. }
                | Event::KeyPress { kind: Key::Escape, .. } => {
                    gizmo.cancel();
                }
                Event::MouseLeave => gizmo.pointer_left(),
                _ => {}
            }
        }
    }

    /// Moves the object, and makes the triangles.
    fn update(
        &mut self,
        camera: &Camera,
        scale_factor: f64,
        object: &mut Transform,
    ) -> Result<(), Box<dyn Error>> {
        let matrix = |from: Mat4| {
            let columns: [[f32; 4]; 4] = from.into();
            DMat4::from_cols_array_2d(&columns.map(|column| column.map(f64::from)))
        };
        // Depths of OpenGL are from -1 to 1, and those of a view from 0 to 1.
        let depths = DMat4::from_cols(DVec4::X, DVec4::Y, DVec4::Z * 0.5, DVec4::new(0.0, 0.0, 0.5, 1.0));
        let viewport = camera.viewport();
        let (eye, lens) = (matrix(camera.view()), depths * matrix(camera.projection()));
        let view = View::new(eye, lens, Viewport::from_size(viewport.width, viewport.height), scale_factor)?;
        self.gizmo.update_one(&view, object);
        self.gizmo.draw(self.list.begin(&view));
        self.gizmo.answer_from(&self.list);
        self.list.stroke_readouts();
        self.list.triangles_px(&mut self.triangles);
        Ok(())
    }

    /// Draws over the scene.
    fn draw(&mut self, viewport: three_d::Viewport) {
        let vertices = self.triangles.vertices();
        let position = |vertex: &wgpu_gizmo_core::draw::parts::TriangleVertex| vertex.position_px.into();
        self.positions.fill(&vertices.iter().map(position).collect::<Vec<_>>());
        self.colors.fill(&vertices.iter().map(|vertex| vertex.color.into()).collect::<Vec<_>>());
        self.indices.fill(self.triangles.indices());
        self.program.use_uniform("size_px", vec2(viewport.width as f32, viewport.height as f32));
        self.program.use_vertex_attribute("position_px", &self.positions);
        self.program.use_vertex_attribute("color", &self.colors);
        let states = RenderStates {
            blend: Blend::Enabled {
                source_rgb_multiplier: three_d::BlendMultiplierType::One,
                source_alpha_multiplier: three_d::BlendMultiplierType::One,
                destination_rgb_multiplier: three_d::BlendMultiplierType::OneMinusSrcAlpha,
                destination_alpha_multiplier: three_d::BlendMultiplierType::OneMinusSrcAlpha,
                rgb_equation: three_d::BlendEquationType::Add,
                alpha_equation: three_d::BlendEquationType::Add,
            },
            depth_test: DepthTest::Always,
            write_mask: WriteMask::COLOR,
            cull: Cull::None,
        };
        self.program.draw_elements(states, viewport, &self.indices);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let window = three_d::Window::new(WindowSettings {
        title: "wgpu-gizmo in three-d".to_owned(),
        max_size: Some((800, 600)),
        ..Default::default()
    })?;
    let context = window.gl();
    let mut tools = Tools::new(&context)?;
    let mut object = Transform::IDENTITY;
    let (eye, center, up) = (vec3(2.5, 2.0, 4.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0));
    let mut camera = Camera::new_perspective(window.viewport(), eye, center, up, degrees(45.0), 0.1, 100.0);
    let mut control = OrbitControl::new(center, 1.0, 50.0);
    let mut cube_mesh = CpuMesh::cube();
    cube_mesh.transform(Mat4::from_scale(0.5))?;
    let albedo = Srgba::new(200, 205, 215, 255);
    let material = PhysicalMaterial::new_opaque(&context, &CpuMaterial { albedo, ..Default::default() });
    let mut cube = Gm::new(Mesh::new(&context, &cube_mesh), material);
    let ambient = AmbientLight::new(&context, 0.3, Srgba::WHITE);
    let sun = DirectionalLight::new(&context, 2.0, Srgba::WHITE, vec3(-1.0, -2.0, -1.5).normalize());

    window.render_loop(move |mut frame| {
        camera.set_viewport(frame.viewport);
        tools.take_events(&mut frame);
        control.handle_events(&mut camera, &mut frame.events);
        // A camera without a valid view, as in a window without pixels, keeps the last picture.
        if tools.update(&camera, frame.device_pixel_ratio.into(), &mut object).is_ok() {
            let matrix = object.to_matrix().as_mat4().to_cols_array_2d();
            cube.set_transformation(Mat4::from(matrix));
            let screen = frame.screen();
            screen.clear(ClearState::color_and_depth(0.13, 0.15, 0.18, 1.0, 1.0));
            screen.render(&camera, &cube, &[&ambient, &sun]);
            screen
                .write::<std::convert::Infallible>(|| {
                    tools.draw(frame.viewport);
                    Ok(())
                })
                .unwrap_or_else(|never| match never {});
        }
        FrameOutput::default()
    });
    Ok(())
}
