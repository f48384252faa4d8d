//! The pass state after `render`: the host's next draw calls must land where they belong.

use crate::common::cases::{self, Case, PIVOT_WORLD};
use crate::common::device::{Gpu, gpu};
use crate::common::host::{BLACK, PLAIN, begin_pass, texture};
use crate::common::objects::{Host, facing};
use crate::common::{MODES, gizmo};
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::gpu::GizmoRenderer;
use wgpu_gizmo::scene::{Outline, OutlineStyle};
use wgpu_gizmo::{DrawList, IdSpace, Mode, View, Viewport, wgpu};

/// A label near the upper right corner of the viewport, in a color that no handle has.
const LABEL_SHADER: &str = "
    @vertex fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
        let corner = vec2f(f32(index & 1u), f32(index >> 1u));
        return vec4f(vec2f(0.27, 0.82) + corner * vec2f(0.6, 0.11), 0.0, 1.0);
    }
    @fragment fn fs() -> @location(0) vec4f { return vec4f(1.0, 0.0, 1.0, 1.0); }
";
const LABEL: [u8; 4] = [255, 0, 255, 255];

fn label() -> wgpu::RenderPipeline {
    let device = &gpu().device;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("label"),
        source: wgpu::ShaderSource::Wgsl(LABEL_SHADER.into()),
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("label"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vs"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..Default::default()
        },
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fs"),
            compilation_options: Default::default(),
            targets: &[Some(PLAIN.format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Draw calls for one view, between setting its viewport and drawing its label.
type Tool<'a> = &'a dyn Fn(&mut wgpu::RenderPass<'_>);

/// Returns the pixels of the labels after one pass that sets, for each view, the viewport, runs the tool
/// and draws the label.
fn labels(target: [u32; 2], views: &[(&View, Tool<'_>)], encoder: wgpu::CommandEncoder) -> Vec<usize> {
    let (label, mut encoder) = (label(), encoder);
    let color = texture(target, PLAIN.format, 1);
    let mut pass = begin_pass(&mut encoder, &color, BLACK);
    for (view, tool) in views {
        let v = view.viewport();
        pass.set_viewport(v.x as f32, v.y as f32, v.width as f32, v.height as f32, 0.0, 1.0);
        tool(&mut pass);
        pass.set_pipeline(&label);
        pass.draw(0..4, 0..1);
    }
    drop(pass);
    gpu().queue.submit([encoder.finish()]);
    let texels = gpu().texels(&color);
    (0..texels.len()).filter(|i| texels[*i] == LABEL).collect()
}

/// Returns the pixels of the labels without any tool.
fn expected_labels(case: &Case, views: &[&View]) -> Vec<usize> {
    let nothing: Tool<'_> = &|_| {};
    let views: Vec<_> = views.iter().map(|view| (*view, nothing)).collect();
    let found = labels(case.target, &views, gpu().encoder());
    assert!(found.len() > 200, "{}: {} pixels of a label", case.name, found.len());
    found
}

/// Returns the draw list of a gizmo that is much smaller than the view.
fn small(case: &Case, mode: Mode) -> DrawList {
    let (mut gizmo, mut targets) = gizmo(case, mode, &mut IdSpace::new());
    gizmo.settings.display.size_lpx = 30.0;
    gizmo.update(&case.view, &mut targets);
    let mut list = DrawList::new();
    gizmo.draw(list.begin(&case.view));
    list
}

/// Returns the draw list of a drag, with guides under and over the handles.
fn dragged(case: &Case) -> DrawList {
    let (mut gizmo, mut targets) = gizmo(case, Mode::Translate, &mut IdSpace::new());
    gizmo.settings.display.construction_lines = true;
    let size_px = 96.0 * case.view.scale_factor();
    let on_arrow = PIVOT_WORLD + DVec3::X * (0.7 * size_px * case.view.pixel_size(PIVOT_WORLD));
    let press = case.view.px_from_world(on_arrow).expect("the point is in front of the camera");
    gizmo.pointer_moved(press);
    gizmo.pointer_pressed();
    gizmo.update(&case.view, &mut targets);
    gizmo.answer_on_cpu();
    gizmo.pointer_moved(press + DVec2::new(31.0, -12.0));
    gizmo.update(&case.view, &mut targets);
    let mut list = DrawList::new();
    gizmo.draw(list.begin(&case.view));
    assert!(list.guides().iter().all(|layer| !layer.is_empty()), "{}: no guides", case.name);
    list
}

#[test]
fn render_keeps_viewport_of_view() {
    let Gpu { device, queue } = gpu();
    let mut renderer = GizmoRenderer::new(device, PLAIN).expect("the render target is supported");
    for case in cases::all() {
        let expected = expected_labels(&case, &[&case.view]);
        let mut lists: Vec<_> = MODES.iter().map(|mode| small(&case, *mode)).collect();
        if !case.name.contains("partly outside") {
            lists.push(dragged(&case));
        }
        // A hidden gizmo must not make a difference either.
        let mut empty = DrawList::new();
        empty.begin(&case.view);
        lists.push(empty);
        for list in &lists {
            let encoder = gpu().encoder();
            renderer.prepare(device, queue, list).expect("the device is alive");
            let found = labels(case.target, &[(&case.view, &|pass| renderer.render(pass))], encoder);
            assert_eq!(found, expected, "{}: the label is displaced", case.name);
        }
    }
}

#[test]
fn several_views_in_one_pass_keep_viewports() {
    let Gpu { device, queue } = gpu();
    let base = cases::named("right-handed perspective");
    let view = |x: f64, y: f64, scale_factor: f64| {
        let viewport = Viewport { x, y, width: 160.0, height: 120.0 };
        View::from_clip_from_world(base.view.clip_from_world(), viewport, scale_factor)
            .expect("the view is valid")
    };
    let views = [view(0.0, 0.0, 1.0), view(160.0, 0.0, 2.0), view(0.0, 120.0, 1.0), view(160.0, 120.0, 1.5)];
    let encoder = gpu().encoder();
    let renderers = views.map(|view| {
        let mut renderer = GizmoRenderer::new(device, PLAIN).expect("the render target is supported");
        let case = Case { view, ..base.clone() };
        renderer.prepare(device, queue, &small(&case, Mode::Universal)).expect("the device is alive");
        renderer
    });
    let tools = renderers.each_ref().map(|renderer| |pass: &mut wgpu::RenderPass<'_>| renderer.render(pass));
    let shown: Vec<(&View, Tool<'_>)> =
        views.iter().zip(&tools).map(|(view, tool)| (view, tool as Tool<'_>)).collect();
    let found = labels(base.target, &shown, encoder);
    assert_eq!(found, expected_labels(&base, &views.each_ref()));
}

#[test]
fn outlines_keep_viewport_of_view() {
    let Gpu { device, queue } = gpu();
    let mut outline = Outline::new(device, PLAIN).expect("the render target is supported");
    for case in cases::all() {
        let expected = expected_labels(&case, &[&case.view]);
        let id = NonZeroU32::new(5).expect("ids start at 1");
        let host = Host::new(&case.view, vec![(facing(&case.view, PIVOT_WORLD, 40.0), id)]);
        // First without lines, when those of the last case have left their viewport.
        for ids in [&[][..], &[id], &[]] {
            let none = OutlineStyle::default();
            let style = OutlineStyle { ids, ..none };
            outline.set(device, queue, &[style, none, none, none]).expect("the ids fit");
            let mut encoder = gpu().encoder();
            let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| host.draw(pass, clip_from_clip);
            outline.prepare(device, queue, &mut encoder, &case.view, draw).expect("the device is alive");
            let found = labels(case.target, &[(&case.view, &|pass| outline.render(pass))], encoder);
            assert_eq!(found, expected, "{}: the label is displaced", case.name);
        }
    }
}
