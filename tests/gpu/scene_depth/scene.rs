//! Scenes whose depths are computed on the CPU, and pictures of handles over them.

use crate::common::prelude::*;

/// Draws depths that were computed on the CPU.
const SHADER: &str = "
    @group(0) @binding(0) var depths: texture_2d<f32>;
    @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
        return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
    }
    struct Texel {
        @location(0) id_and_depth_bits: vec4u, @location(1) depth_bits: u32, @builtin(frag_depth) depth: f32
    }
    @fragment fn fs_id(@builtin(position) px: vec4f) -> Texel {
        let depth = textureLoad(depths, vec2i(px.xy), 0).x;
        let depth_bits = bitcast<u32>(depth);
        return Texel(vec4u(9u, depth_bits, 0u, 0u), depth_bits, depth);
    }
    @fragment fn fs(@builtin(position) px: vec4f) -> @builtin(frag_depth) f32 {
        return textureLoad(depths, vec2i(px.xy), 0).x;
    }
";

/// Depths as the host's scene would write them.
pub(super) struct Scene {
    pub(super) depths: Vec<f32>,
    pub(super) source: wgpu::TextureView,
    pub(super) direction: DepthDirection,
    pub(super) size: [u32; 2],
}

/// A surface of a synthetic scene.
pub(super) enum Surface {
    Plane { point: DVec3, normal: DVec3 },
    Ball { center: DVec3, radius: f64 },
}

impl Surface {
    /// Returns the nearest point of the surface on the ray through a pixel.
    pub(super) fn hit(&self, view: &View, px: wgpu_gizmo::glam::DVec2) -> Option<f64> {
        let ray = view.pointer_ray(px);
        let (from, along) = (ray.origin, ray.direction);
        match *self {
            Self::Plane { point, normal } => Some((point - from).dot(normal) / along.dot(normal)),
            Self::Ball { center, radius } => {
                let to = center - from;
                let middle = to.dot(along);
                let squared = radius * radius - (to.length_squared() - middle * middle);
                (squared >= 0.0).then(|| middle - squared.sqrt())
            }
        }
        .filter(|t| t.is_finite())
    }
}

/// Returns the depth that a view writes for a point.
pub(super) fn depth_of(view: &View, point: DVec3) -> f64 {
    let clip = view.clip_from_world() * point.extend(1.0);
    clip.z / clip.w
}

/// Returns the distance of a depth along the view direction.
pub(super) fn distance_of(view: &View, px: wgpu_gizmo::glam::DVec2, depth: f32) -> f64 {
    let Some(point) = view.unproject(px, f64::from(depth)) else { return f64::INFINITY };
    match view.eye() {
        Some(eye) => (point - eye).dot(view.forward()),
        None => point.dot(view.forward()),
    }
}

pub(super) fn center(size: [u32; 2], i: usize) -> wgpu_gizmo::glam::DVec2 {
    let width = size[0] as usize;
    wgpu_gizmo::glam::dvec2((i % width) as f64 + 0.5, (i / width) as f64 + 0.5)
}

impl Scene {
    pub(super) fn new(case: &Case, surfaces: &[Surface]) -> Self {
        let direction = case.view.depth_direction();
        let (near, far) = match direction {
            DepthDirection::Standard => (0.0, 1.0),
            DepthDirection::Reversed => (1.0, 0.0),
        };
        let depth = |i: usize| {
            let px = center(case.target, i);
            let ray = case.view.pointer_ray(px);
            let hits = surfaces.iter().filter_map(|surface| surface.hit(&case.view, px));
            let visible = hits.map(|t| depth_of(&case.view, ray.origin + ray.direction * t) as f32);
            let inside = visible.filter(|depth| (0.0..=1.0).contains(depth));
            inside.fold(far, |a: f32, b| if (a - near).abs() < (b - near).abs() { a } else { b })
        };
        let [width, height] = case.target;
        let depths: Vec<f32> = (0..(width * height) as usize).map(depth).collect();
        let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
        let texture = texture_on(device(), case.target, (TextureFormat::R32Float, 1), usage);
        let bytes: Vec<u8> = depths.iter().flat_map(|depth| depth.to_ne_bytes()).collect();
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: None };
        queue().write_texture(texture.as_image_copy(), &bytes, layout, texture.size());
        Self { depths, source: texture.create_view(&Default::default()), direction, size: case.target }
    }

    /// Returns the pipeline that draws the depths, and its bind group.
    fn pipeline(
        &self,
        fragment: &'static str,
        targets: &[Option<wgpu::ColorTargetState>],
        depth: wgpu::DepthStencilState,
    ) -> (wgpu::RenderPipeline, wgpu::BindGroup) {
        let stages = Stages { shader: SHADER, fragment, buffers: &[] };
        let pipeline = pipeline(stages, targets, Some(depth));
        let group = device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&self.source),
            }],
        });
        (pipeline, group)
    }

    /// Draws the depths into a texture of this format.
    pub(super) fn drawn(&self, format: TextureFormat) -> wgpu::Texture {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let depth = texture_on(device(), self.size, (format, 1), usage);
        let state = wgpu::DepthStencilState {
            format,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Always),
            stencil: Default::default(),
            bias: Default::default(),
        };
        let (pipeline, group) = self.pipeline("fs", &[], state);
        let mut encoder = gpu().encoder();
        let has_stencil = format.has_stencil_aspect();
        let clear = wgpu::Operations { load: wgpu::LoadOp::Clear(0), store: wgpu::StoreOp::Store };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depth.create_view(&Default::default()),
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.5),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: has_stencil.then_some(clear),
            }),
            ..Default::default()
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
        drop(pass);
        queue().submit([encoder.finish()]);
        depth
    }

    /// Returns the ID image with the scene as an object of id 9.
    pub(super) fn ids(&self, view: &View, list: &DrawList) -> IdTexels {
        let (pipeline, group) = self.pipeline(
            "fs_id",
            object_pass::color_targets(device()),
            object_pass::depth_stencil(self.direction),
        );
        with_whole_image(self.size, |image| {
            gpu().read_with(image, view, list, |pass, _| {
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, &group, &[]);
                pass.draw(0..3, 0..1);
            })
        })
    }
}

/// The use of the depth by the pass of the handles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Attached {
    No,
    ReadOnly,
}

/// Renders the handles over a plain background with the depth of a scene.
pub(super) fn veiled(
    case: &Case,
    list: &DrawList,
    depth: &wgpu::Texture,
    attached: Attached,
) -> Vec<[u8; 4]> {
    let only = wgpu::TextureViewDescriptor { aspect: wgpu::TextureAspect::DepthOnly, ..Default::default() };
    let (whole, only) = (depth.create_view(&Default::default()), depth.create_view(&only));
    let depth_stencil = (attached == Attached::ReadOnly).then_some(depth.format());
    let state = TargetState { depth_stencil, ..PLAIN };
    with_renderer(state, |renderer| veiled_by(renderer, case, list, [&whole, &only], depth_stencil))
}

/// Renders them with this renderer.
pub(super) fn veiled_by(
    renderer: &mut GizmoRenderer,
    case: &Case,
    list: &DrawList,
    [whole, only]: [&wgpu::TextureView; 2],
    depth_stencil: Option<TextureFormat>,
) -> Vec<[u8; 4]> {
    let scene = SceneDepth::new(only, case.view.depth_direction());
    renderer.prepare_with_depth(device(), queue(), list, scene).expect("the depth is usable");
    let state = TargetState { depth_stencil, ..PLAIN };
    rendered(case, state, 0.2, gpu().encoder(), Some(whole), |pass| renderer.render(pass))
}

/// Returns the list of a gizmo with this style.
pub(super) fn styled(case: &Case, mode: Mode, style: DepthStyle) -> DrawList {
    let (mut gizmo, _) = gizmo(case, mode, &mut IdSpace::new());
    gizmo.settings.display.depth_style = style;
    drawn(&case.view, &mut gizmo)
}

/// Returns random surfaces near the gizmo.
pub(super) fn surfaces(rng: &mut Rng) -> Vec<Surface> {
    let vector = |rng: &mut Rng| DVec3::from_array([0; 3].map(|_| rng.f64() * 2.0 - 1.0));
    let [point, first, second] = [0.4, 0.8, 0.8].map(|reach| PIVOT_WORLD + vector(rng) * reach);
    vec![
        Surface::Plane { point, normal: vector(rng).normalize() },
        Surface::Ball { center: first, radius: 0.2 + 0.4 * rng.f64() },
        Surface::Ball { center: second, radius: 0.1 + 0.3 * rng.f64() },
    ]
}

/// Pixels whose class was checked.
#[derive(Debug, Default)]
pub(super) struct Count {
    pub(super) hidden: usize,
    pub(super) visible: usize,
    pub(super) wrong: usize,
}

/// Counts the pixels of one handle whose class is wrong.
pub(super) fn count(
    case: &Case,
    handle: HandleId,
    scene: &Scene,
    format: TextureFormat,
    counted: &mut Count,
) {
    let mode = Mode::Handles(handle.into());
    let on_top = picture(case, PLAIN, 0.2, &styled(case, mode, DepthStyle::OnTop));
    let hidden_list = styled(case, mode, DepthStyle::Hidden);
    let shown = veiled(case, &hidden_list, &scene.drawn(format), Attached::No);
    let ids = gpu().id_image(case.target, &case.view, &styled(case, mode, DepthStyle::OnTop));
    for (i, id) in ids.ids.iter().enumerate() {
        let far = |texel: [u8; 4]| texel.iter().zip([51, 51, 51, 255]).any(|(a, b)| a.abs_diff(b) > 8);
        if *id == 0 || !far(on_top[i]) {
            continue;
        }
        let px = center(case.target, i);
        let own = distance_of(&case.view, px, f32::from_bits(ids.depth_bits[i]));
        let surface = distance_of(&case.view, px, scene.depths[i]);
        let height = case.view.pixel_size(PIVOT_WORLD) * case.view.viewport().height;
        let margin = if case.view.eye().is_some() { own } else { height };
        let ratio = (own - surface) / margin;
        // Depths are floats.
        if (ratio - 1e-3).abs() < 3e-4 {
            continue;
        }
        let is_hidden = ratio > 1e-3;
        let is_right = if is_hidden { !far(shown[i]) } else { is_near(shown[i], on_top[i]) };
        counted.wrong += usize::from(!is_right);
        *(if is_hidden { &mut counted.hidden } else { &mut counted.visible }) += 1;
    }
}

/// Returns true if two texels are equal but for rounding.
pub(super) fn is_near(a: [u8; 4], b: [u8; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 2)
}

/// Returns the views that are whole on their render target.
pub(super) fn whole_cases() -> impl Iterator<Item = Case> {
    cases::all().into_iter().filter(|case| !case.name.contains("partly"))
}
