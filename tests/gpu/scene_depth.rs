//! Depth styles: compares the class of every pixel with depths computed on the CPU. Also coplanar surfaces
//! and refusals.
#![allow(clippy::disallowed_types, reason = "it measures times")]

use crate::common::cases::{self, Case, PIVOT_WORLD};
use crate::common::device::{Gpu, TIMEOUT, gpu};
use crate::common::host::{PLAIN, difference, picture, texture};
use crate::common::{MODES, gizmo, list};
use wgpu_gizmo::draw::DepthStyle;
use wgpu_gizmo::draw::parts::MeshKind;
use wgpu_gizmo::glam::{DVec3, dcamera::rh};
use wgpu_gizmo::gpu::{GizmoRenderer, GpuError, IdImage, IdTexels, Picker, SceneDepth, TargetState};
use wgpu_gizmo::handle::HandleSet;
use wgpu_gizmo::math::DepthDirection;
use wgpu_gizmo::wgpu::{self, TextureFormat};
use wgpu_gizmo::{DrawList, HandleId, IdSpace, Mode, View, Viewport};

/// Draws depths that were computed on the CPU.
const SHADER: &str = "
    @group(0) @binding(0) var depths: texture_2d<f32>;
    @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
        return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
    }
    struct Texel { @location(0) id: u32, @location(1) bits: u32, @builtin(frag_depth) depth: f32 }
    @fragment fn fs_id(@builtin(position) px: vec4f) -> Texel {
        let depth = textureLoad(depths, vec2i(px.xy), 0).x;
        return Texel(9u, bitcast<u32>(depth), depth);
    }
    @fragment fn fs(@builtin(position) px: vec4f) -> @builtin(frag_depth) f32 {
        return textureLoad(depths, vec2i(px.xy), 0).x;
    }
";

/// Depths as the host's scene would write them.
struct Scene {
    depths: Vec<f32>,
    source: wgpu::TextureView,
    direction: DepthDirection,
    size: [u32; 2],
}

/// A surface of a synthetic scene.
enum Surface {
    Plane { point: DVec3, normal: DVec3 },
    Ball { center: DVec3, radius: f64 },
}

impl Surface {
    /// Returns the nearest point of the surface on the ray through a pixel.
    fn hit(&self, view: &View, px: wgpu_gizmo::glam::DVec2) -> Option<f64> {
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
fn depth_of(view: &View, point: DVec3) -> f64 {
    let clip = view.clip_from_world() * point.extend(1.0);
    clip.z / clip.w
}

/// Returns the distance of a depth along the view direction.
fn distance_of(view: &View, px: wgpu_gizmo::glam::DVec2, depth: f32) -> f64 {
    let Some(point) = view.unproject(px, f64::from(depth)) else { return f64::INFINITY };
    match view.eye() {
        Some(eye) => (point - eye).dot(view.forward()),
        None => point.dot(view.forward()),
    }
}

fn center(size: [u32; 2], i: usize) -> wgpu_gizmo::glam::DVec2 {
    let width = size[0] as usize;
    wgpu_gizmo::glam::dvec2((i % width) as f64 + 0.5, (i / width) as f64 + 0.5)
}

impl Scene {
    fn new(case: &Case, surfaces: &[Surface]) -> Self {
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
        let Gpu { device, queue } = gpu();
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("depths"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: TextureFormat::R32Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let bytes: Vec<u8> = depths.iter().flat_map(|depth| depth.to_ne_bytes()).collect();
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: None };
        queue.write_texture(texture.as_image_copy(), &bytes, layout, texture.size());
        Self { depths, source: texture.create_view(&Default::default()), direction, size: case.target }
    }

    /// Returns the pipeline that draws the depths, and its bind group.
    fn pipeline(
        &self,
        fragment: &str,
        targets: &[Option<wgpu::ColorTargetState>],
        depth: wgpu::DepthStencilState,
    ) -> (wgpu::RenderPipeline, wgpu::BindGroup) {
        let device = &gpu().device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("depths"),
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let texture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: texture,
                count: None,
            }],
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&self.source),
            }],
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            ..Default::default()
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(fragment),
                compilation_options: Default::default(),
                targets,
            }),
            depth_stencil: Some(depth),
            primitive: Default::default(),
            multisample: Default::default(),
            multiview_mask: None,
            cache: None,
        });
        (pipeline, group)
    }

    /// Draws the depths into a texture of this format.
    fn drawn(&self, format: TextureFormat) -> wgpu::Texture {
        let depth = gpu().device.create_texture(&wgpu::TextureDescriptor {
            label: Some("scene depth"),
            size: wgpu::Extent3d { width: self.size[0], height: self.size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
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
        gpu().queue.submit([encoder.finish()]);
        depth
    }

    /// Returns the ID image with the scene as an object of id 9.
    fn ids(&self, view: &View, list: &DrawList) -> IdTexels {
        let Gpu { device, queue } = gpu();
        let (pipeline, group) =
            self.pipeline("fs_id", Picker::color_targets(device), Picker::depth_stencil(self.direction));
        let mut image = IdImage::new(device, self.size[0], self.size[1]).expect("a valid size");
        let mut encoder = gpu().encoder();
        image
            .encode(device, queue, &mut encoder, view, list, |pass, _| {
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, &group, &[]);
                pass.draw(0..3, 0..1);
            })
            .expect("the list is for this view");
        let submission = queue.submit([encoder.finish()]);
        image.read(device, submission, TIMEOUT).expect("the device is alive")
    }
}

/// The use of the depth by the pass of the handles.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Attached {
    No,
    ReadOnly,
}

/// Renders the handles over a plain background with the depth of a scene.
fn veiled(case: &Case, list: &DrawList, depth: &wgpu::Texture, attached: Attached) -> Vec<[u8; 4]> {
    let Gpu { device, queue } = gpu();
    let only = wgpu::TextureViewDescriptor { aspect: wgpu::TextureAspect::DepthOnly, ..Default::default() };
    let (whole, only) = (depth.create_view(&Default::default()), depth.create_view(&only));
    let depth_stencil = (attached == Attached::ReadOnly).then_some(depth.format());
    let state = TargetState { depth_stencil, ..PLAIN };
    let mut renderer = GizmoRenderer::new(device, state).expect("a supported target");
    let mut encoder = gpu().encoder();
    let scene = SceneDepth { texture: &only, direction: case.view.depth_direction() };
    renderer.prepare_with_depth(device, queue, list, scene).expect("a usable depth");
    let color = texture(case.target, PLAIN.format, 1);
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &color.create_view(&Default::default()),
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color { r: 0.2, g: 0.2, b: 0.2, a: 1.0 }),
                store: wgpu::StoreOp::Store,
            },
        })],
        depth_stencil_attachment: depth_stencil.map(|_| wgpu::RenderPassDepthStencilAttachment {
            view: &whole,
            depth_ops: None,
            stencil_ops: None,
        }),
        ..Default::default()
    });
    renderer.render(&mut pass);
    drop(pass);
    queue.submit([encoder.finish()]);
    gpu().texels(&color)
}

/// Returns the list of a gizmo with this style.
fn styled(case: &Case, mode: Mode, style: DepthStyle) -> DrawList {
    let (mut gizmo, _) = gizmo(case, mode, &mut IdSpace::new());
    gizmo.settings.depth_style = style;
    let mut list = DrawList::new();
    gizmo.draw(list.begin(&case.view));
    list
}

/// A linear congruential generator.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number()) * 2.0 - 1.0
    }

    /// Returns surfaces near the gizmo.
    fn surfaces(&mut self) -> Vec<Surface> {
        let mut near = |reach: f64| PIVOT_WORLD + self.vector() * reach;
        let [point, first, second] = [near(0.4), near(0.8), near(0.8)];
        vec![
            Surface::Plane { point, normal: self.vector().normalize() },
            Surface::Ball { center: first, radius: 0.2 + 0.4 * self.number() },
            Surface::Ball { center: second, radius: 0.1 + 0.3 * self.number() },
        ]
    }
}

/// Pixels whose class was checked.
#[derive(Debug, Default)]
struct Count {
    hidden: usize,
    visible: usize,
    wrong: usize,
}

/// Counts the pixels of one handle whose class is wrong.
fn count(case: &Case, handle: HandleId, scene: &Scene, format: TextureFormat, counted: &mut Count) {
    let mode = Mode::Handles(HandleSet::EMPTY.with(handle));
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
fn is_near(a: [u8; 4], b: [u8; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 2)
}

/// Returns the views that are whole on their render target.
fn whole_cases() -> impl Iterator<Item = Case> {
    cases::all().into_iter().filter(|case| !case.name.contains("partly"))
}

#[test]
fn pixels_have_the_class_of_the_oracle() {
    let mut random = Random(1);
    let handles: Vec<HandleId> = HandleId::all().collect();
    for case in whole_cases() {
        let mut counted = Count::default();
        for round in 0..5 {
            let scene = Scene::new(&case, &random.surfaces());
            for step in 0..3 {
                let handle = handles[(7 * round + 5 * step) % handles.len()];
                count(&case, handle, &scene, TextureFormat::Depth32Float, &mut counted);
            }
        }
        let Count { hidden, visible, wrong } = counted;
        println!("{}: {hidden} hidden, {visible} visible, {wrong} wrong", case.name);
        assert!(hidden > 500 && visible > 500, "{counted:?}");
        assert!(wrong * 1000 <= hidden + visible, "{} has {counted:?}", case.name);
    }
}

/// Returns a view of the pivot from a direction, in degrees.
fn orbit(turn: f64, elevation: f64) -> Case {
    let (turn, elevation) = (turn.to_radians(), elevation.to_radians());
    let toward = DVec3::new(turn.cos() * elevation.cos(), elevation.sin(), turn.sin() * elevation.cos());
    let view = View::new(
        rh::view::look_at_mat4(PIVOT_WORLD + 6.0 * toward, PIVOT_WORLD, DVec3::Y),
        rh::proj::directx::perspective(0.8, 4.0 / 3.0, 0.05, 500.0),
        Viewport::from_size(240, 180),
        1.0,
    );
    Case { name: "orbit", view: view.expect("the view is valid"), target: [240, 180] }
}

#[test]
fn coplanar_handles_stay_visible_over_an_orbit() {
    let ground = || [Surface::Plane { point: PIVOT_WORLD, normal: DVec3::Y }];
    let flat =
        ["translate_zx", "rotate_y", "scale_zx"].map(|name| HandleId::from_name(name).expect("a name"));
    let stems = ["translate_x", "translate_z"].map(|name| HandleId::from_name(name).expect("a name"));
    let mut checked = [0; 2];
    for step in 0..36 {
        let case = orbit(10.0 * f64::from(step), 12.0 + 10.0 * f64::from(step % 7));
        let depth = Scene::new(&case, &ground()).drawn(TextureFormat::Depth24Plus);
        for handle in flat {
            let mode = Mode::Handles(HandleSet::EMPTY.with(handle));
            let plain = picture(&case, PLAIN, 0.2, &list(&case, mode));
            let shown = veiled(&case, &styled(&case, mode, DepthStyle::Hidden), &depth, Attached::No);
            let apart = plain.iter().zip(&shown).filter(|(a, b)| !is_near(**a, **b)).count();
            assert_eq!(apart, 0, "{handle:?} at {step}");
            checked[0] += usize::from(plain.iter().any(|texel| *texel != [51, 51, 51, 255]));
        }
        for handle in stems {
            let mode = Mode::Handles(HandleSet::EMPTY.with(handle));
            let hidden = styled(&case, mode, DepthStyle::Hidden);
            let plain = picture(&case, PLAIN, 0.2, &list(&case, mode));
            let shown = veiled(&case, &hidden, &depth, Attached::No);
            for item in hidden.items().iter().filter(|item| item.mesh == MeshKind::Stem) {
                let ends = [0.0, 1.0].map(|x| item.px_from_part(DVec3::X * x).expect("on screen"));
                if ends[0].distance(ends[1]) < 30.0 {
                    // The head covers the stem.
                    continue;
                }
                for along in 1..9 {
                    let point = DVec3::X * f64::from(along) * 0.1;
                    let px = item.px_from_part(point).expect("on screen").floor();
                    let texels = [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]].map(|[x, y]| {
                        (px.y as i32 + y) as usize * case.target[0] as usize + (px.x as i32 + x) as usize
                    });
                    for texel in texels {
                        assert!(is_near(plain[texel], shown[texel]), "{handle:?} at {step}");
                        checked[1] += 1;
                    }
                }
            }
        }
    }
    assert!(checked[0] > 70 && checked[1] > 1500, "{checked:?}");
}

/// A wall in front of the middle of the gizmo.
fn wall(case: &Case) -> Scene {
    let normal = case.view.forward();
    Scene::new(
        case,
        &[Surface::Plane {
            point: PIVOT_WORLD - 0.3 * normal,
            normal: (normal + 0.4 * DVec3::Y).normalize(),
        }],
    )
}

#[test]
fn styles_look_as_named_in_every_format() {
    let case = cases::named("right-handed perspective");
    let scene = wall(&case);
    for mode in MODES {
        let plain = picture(&case, PLAIN, 0.2, &list(&case, mode));
        let of = |style, format, attached| {
            veiled(&case, &styled(&case, mode, style), &scene.drawn(format), attached)
        };
        let changed = |a: &[[u8; 4]]| a.iter().zip(&plain).filter(|(a, b)| a != b).count();
        let depth = TextureFormat::Depth32Float;
        // OpenGL has no read-only depth attachments.
        let is_gl = gpu().device.adapter_info().backend == wgpu::Backend::Gl;
        let read_only = if is_gl { Attached::No } else { Attached::ReadOnly };
        assert_eq!(changed(&of(DepthStyle::OnTop, depth, Attached::No)), 0);
        let hidden = of(DepthStyle::Hidden, depth, Attached::No);
        let hatched = of(DepthStyle::Hatched, depth, Attached::No);
        let dimmed = of(DepthStyle::DIMMED, depth, Attached::No);
        assert!(changed(&hidden) > 100, "{mode:?}");
        // About half of the hidden pixels are in a stripe.
        let share = changed(&hatched) as f64 / changed(&hidden) as f64;
        assert!((0.3..0.7).contains(&share), "{mode:?}: {share}");
        let (untouched, _) =
            difference(&of(DepthStyle::Dimmed { opacity: 1.0 }, depth, Attached::No), &plain);
        assert!(untouched <= 1);
        let [fewer, all] = [changed(&dimmed), changed(&hidden)];
        // Blending rounds.
        assert!(fewer <= all + all / 50 && 2 * fewer > all, "{mode:?}: {fewer} of {all}");
        for format in
            [TextureFormat::Depth24Plus, TextureFormat::Depth24PlusStencil8, TextureFormat::Depth16Unorm]
        {
            let other = of(DepthStyle::Hidden, format, read_only);
            let apart = other.iter().zip(&hidden).filter(|(a, b)| a != b).count();
            // Sixteen bits are coarse.
            let allowed = if format == TextureFormat::Depth16Unorm { 8 } else { 100 };
            assert!(apart * allowed <= changed(&hidden), "{mode:?} in {format:?}: {apart}");
        }
    }
}

#[test]
fn many_gizmos_of_several_styles_are_drawn_alike() {
    let case = cases::named("right-handed perspective");
    let depth = wall(&case).drawn(TextureFormat::Depth32Float);
    let mut ids = IdSpace::new();
    let mut draw = |styles: &[DepthStyle]| {
        let mut list = DrawList::new();
        list.begin(&case.view);
        for style in styles {
            let (mut gizmo, _) = gizmo(&case, Mode::Universal, &mut ids);
            gizmo.settings.depth_style = *style;
            gizmo.draw(&mut list);
        }
        veiled(&case, &list, &depth, Attached::No)
    };
    // More than four are drawn by the pipeline for all shapes.
    let (few, many) = (draw(&[DepthStyle::Hidden]), draw(&[DepthStyle::Hidden; 6]));
    // A pixel where one gizmo is invisible must not show six of them. Other pixels differ, because edges are
    // blended six times.
    let background = |texel: &[u8; 4]| texel.iter().zip([51, 51, 51, 255]).all(|(a, b)| a.abs_diff(b) <= 8);
    let both = few.iter().zip(&many).filter(|(a, b)| **a == [51, 51, 51, 255] && !background(b)).count();
    let shown = few.iter().filter(|texel| !background(texel)).count();
    assert!(both * 100 <= shown, "{both} of {shown}");
    let mixed = draw(&[DepthStyle::OnTop, DepthStyle::Hidden]);
    let on_top = draw(&[DepthStyle::OnTop]);
    assert!(difference(&mixed, &few).0 > 40);
    let missing =
        mixed.iter().zip(&on_top).filter(|(a, b)| a.iter().zip(**b).any(|(a, b)| a.abs_diff(b) > 60));
    assert!(missing.count() < 40);
}

#[test]
fn hidden_parts_are_not_picked_and_others_are() {
    for case in whole_cases() {
        let scene = wall(&case);
        let own = |style| scene.ids(&case.view, &styled(&case, Mode::Universal, style));
        let (plain, hidden) = (own(DepthStyle::OnTop), own(DepthStyle::Hidden));
        for style in [DepthStyle::DIMMED, DepthStyle::Hatched] {
            assert!(own(style) == plain, "{style:?} is picked as before");
        }
        let (mut left_out, mut uncovered, mut kept) = (0, 0, 0);
        for i in 0..plain.ids.len() {
            let px = center(case.target, i);
            if plain.ids[i] == 0 || plain.ids[i] == 9 {
                assert_eq!(plain.ids[i], hidden.ids[i]);
                continue;
            }
            let handle = distance_of(&case.view, px, f32::from_bits(plain.depth_bits[i]));
            let surface = distance_of(&case.view, px, scene.depths[i]);
            // Well in front of the wall or behind it.
            if surface < handle - 0.05 {
                left_out += usize::from(hidden.ids[i] == 9);
                uncovered += usize::from(hidden.ids[i] != 9);
            } else if surface > handle + 0.05 {
                assert_eq!(plain.ids[i], hidden.ids[i], "{} at {px}", case.name);
                kept += 1;
            }
        }
        assert!(left_out > 100 && kept > 100, "{}: {left_out} {kept}", case.name);
        // Some that were painted below a hidden one are visible.
        assert!(uncovered * 20 < left_out, "{}: {uncovered} of {left_out}", case.name);
    }
}

#[test]
fn unusable_depths_are_refused_with_a_reason() {
    let case = cases::named("right-handed perspective");
    let list = styled(&case, Mode::Translate, DepthStyle::Hidden);
    let Gpu { device, queue } = gpu();
    let refused = |format, size: [u32; 2], sample_count, usage, direction| {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        });
        let texture = texture.create_view(&Default::default());
        let mut renderer = GizmoRenderer::new(device, PLAIN).expect("a supported target");
        let depth = SceneDepth { texture: &texture, direction };
        match renderer.prepare_with_depth(device, queue, &list, depth) {
            Err(GpuError::SceneDepth(reason)) => reason,
            other => panic!("{other:?}"),
        }
    };
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
    let (depth, size) = (TextureFormat::Depth32Float, case.target);
    let direction = case.view.depth_direction();
    let other = match direction {
        DepthDirection::Standard => DepthDirection::Reversed,
        DepthDirection::Reversed => DepthDirection::Standard,
    };
    assert!(refused(depth, size, 4, usage, direction).contains("multisampled"));
    assert!(refused(depth, [size[0], size[1] - 1], 1, usage, direction).contains("smaller"));
    assert!(refused(depth, size, 1, usage, other).contains("direction"));
    assert!(refused(TextureFormat::Rgba8Unorm, size, 1, usage, direction).contains("no depth"));
    let without = wgpu::TextureUsages::RENDER_ATTACHMENT;
    assert!(refused(depth, size, 1, without, direction).contains("TEXTURE_BINDING"));
    let stencil = TextureFormat::Depth24PlusStencil8;
    assert!(refused(stencil, size, 1, usage, direction).contains("DepthOnly"));
}

/// Prints the cost of a frame with a depth style, relative to the same frame without. Run it alone, with
/// `--ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn frame_cost_with_and_without_depth() {
    let view = View::new(
        rh::view::look_at_mat4(PIVOT_WORLD + DVec3::new(2.0, 1.5, 3.0), PIVOT_WORLD, DVec3::Y),
        rh::proj::directx::perspective_infinite_reverse(0.9, 16.0 / 9.0, 0.1),
        Viewport::from_size(1920, 1080),
        1.0,
    );
    let case = Case { name: "1080p", view: view.expect("the view is valid"), target: [1920, 1080] };
    let depth = wall(&case).drawn(TextureFormat::Depth32Float);
    let depth_view = depth.create_view(&Default::default());
    let color = texture(case.target, PLAIN.format, 1).create_view(&Default::default());
    let Gpu { device, queue } = gpu();
    for mode in MODES {
        let lists = [DepthStyle::OnTop, DepthStyle::DIMMED].map(|style| styled(&case, mode, style));
        let mut renderers = [(); 2].map(|()| GizmoRenderer::new(device, PLAIN).expect("a supported target"));
        let mut fastest = [f64::MAX; 2];
        for _ in 0..300 {
            for (i, (list, renderer)) in lists.iter().zip(&mut renderers).enumerate() {
                let start = std::time::Instant::now();
                let mut encoder = gpu().encoder();
                let scene = SceneDepth { texture: &depth_view, direction: case.view.depth_direction() };
                renderer.prepare_with_depth(device, queue, list, scene).expect("a usable depth");
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                        view: &color,
                        depth_slice: None,
                        resolve_target: None,
                        ops: wgpu::Operations {
                            load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                            store: wgpu::StoreOp::Store,
                        },
                    })],
                    ..Default::default()
                });
                renderer.render(&mut pass);
                drop(pass);
                queue.submit([encoder.finish()]);
                gpu().wait();
                fastest[i] = fastest[i].min(start.elapsed().as_secs_f64() * 1e6);
            }
        }
        let [without, with] = fastest;
        println!("{mode:?}: {without:.0} µs without, {with:.0} µs with, {:.2}", with / without);
    }
}
