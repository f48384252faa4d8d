//! Draws the curve and the arms of its tangents as plain triangles.

use super::{Editor, FORMAT, HEIGHT, WIDTH};
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::{View, wgpu};

const SHADER: &str = "
struct Raster { @builtin(position) clip: vec4f, @location(0) color: vec3f }
@vertex fn vs(@location(0) ndc: vec2f, @location(1) color: vec3f) -> Raster {
    return Raster(vec4f(ndc, 0.0, 1.0), color);
}
@fragment fn fs(in: Raster) -> @location(0) vec4f { return vec4f(in.color, 1.0); }
";

/// Returns the curve and the arms of its tangents as triangles: NDC and color.
pub(super) fn lines(editor: &Editor, view: &View) -> Vec<[f32; 5]> {
    const STEPS: u32 = 96;
    const CURVE: [f32; 3] = [0.98, 0.72, 0.25];
    const ARM: [f32; 3] = [0.38, 0.42, 0.48];
    let size = DVec2::new(f64::from(WIDTH), f64::from(HEIGHT));
    let px = |point: DVec3| view.px_from_world(point).unwrap_or_default();
    let mut triangles = Vec::new();
    let mut line = |from: DVec3, to: DVec3, width_px: f64, [r, g, b]: [f32; 3]| {
        let (from, to) = (px(from), px(to));
        let along = (to - from).normalize_or(DVec2::X) * 0.5;
        let across = along.perp() * width_px;
        // Slightly longer at both ends, so that bends have no gaps.
        let [first, second, third, last] =
            [from - along + across, from - along - across, to + along - across, to + along + across];
        for corner in [first, second, third, first, third, last] {
            let ndc = (corner / size * 2.0 - 1.0) * DVec2::new(1.0, -1.0);
            triangles.push([ndc.x as f32, ndc.y as f32, r, g, b]);
        }
    };
    let [a, b, c, d] = editor.positions;
    line(a, b, 1.0, ARM);
    line(d, c, 1.0, ARM);
    for step in 0..STEPS {
        let t = |step: u32| f64::from(step) / f64::from(STEPS);
        line(editor.at(t(step)), editor.at(t(step + 1)), 3.0, CURVE);
    }
    triangles
}

/// Creates the pipeline that draws those triangles.
pub(super) fn curve_pipeline(device: &wgpu::Device) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("curve"),
        source: wgpu::ShaderSource::Wgsl(SHADER.into()),
    });
    let vertices = wgpu::VertexBufferLayout {
        array_stride: 20,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x3],
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("curve"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vs"),
            compilation_options: Default::default(),
            buffers: &[Some(vertices)],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fs"),
            compilation_options: Default::default(),
            targets: &[Some(FORMAT.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
