//! The crate refuses everything that exceeds the limits and features of a device with an error of its own,
//! so that wgpu never reports one.

use crate::common::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A device that counts the errors that wgpu reports.
struct Counting {
    gpu: Gpu,
    errors: Arc<AtomicUsize>,
}

impl Counting {
    fn new(descriptor: impl FnOnce(&wgpu::Adapter) -> wgpu::DeviceDescriptor<'static>) -> Self {
        let gpu = Gpu::with(descriptor);
        let errors = Arc::new(AtomicUsize::new(0));
        let counter = errors.clone();
        gpu.device.on_uncaptured_error(Arc::new(move |error| {
            println!("wgpu reports: {error}");
            counter.fetch_add(1, Ordering::Relaxed);
        }));
        Self { gpu, errors }
    }

    fn errors(&self) -> usize {
        self.gpu.wait();
        self.errors.load(Ordering::Relaxed)
    }
}

fn small_limits(_: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
    wgpu::DeviceDescriptor {
        required_limits: wgpu::Limits {
            max_buffer_size: 1 << 20,
            max_texture_dimension_2d: 2048,
            ..wgpu::Limits::downlevel_defaults()
        },
        ..Default::default()
    }
}

fn everything(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
    let required_features = adapter.features().difference(wgpu::Features::all_experimental_mask());
    wgpu::DeviceDescriptor { required_features, required_limits: adapter.limits(), ..Default::default() }
}

#[test]
fn buffers_over_the_limit_are_refused() {
    let counting = Counting::new(small_limits);
    let Gpu { device, queue } = &counting.gpu;
    // 2 * 4 bytes per texel: 512 x 256 texels fit exactly.
    assert!(IdImage::new(device, 512, 256).is_ok());
    for size in [[512, 257], [2048, 2048]] {
        let error = IdImage::new(device, size[0], size[1]).expect_err("the readback is too large");
        assert!(matches!(error, GpuError::BufferSize { limit, .. } if limit == 1 << 20), "{error}");
    }
    for size in [[0, 1], [2049, 1]] {
        let error = IdImage::new(device, size[0], size[1]).expect_err("no device has such a texture");
        assert!(matches!(error, GpuError::TargetSize { .. }), "{error}");
    }
    let corners = vec![[0.5f32; 3]; 100_000];
    let mesh = PickMesh::new(&corners, &[0, 1, 2]).expect("the mesh is valid");
    let mut scene = PickScene::new(device).expect("the device is alive");
    let error = scene.add_mesh(device, &mesh).expect_err("1.2 MB exceed the limit");
    assert!(matches!(error, GpuError::BufferSize { .. }), "{error}");
    let mut encoder = counting.gpu.encoder();
    let view = cases::named("left-handed, reversed depth, infinite far").view;
    let mut regions = RegionPicker::new(device).expect("the device is alive");
    for (region, fits) in [(comb(64), true), (comb(1024), false)] {
        let query =
            RegionQuery { view: &view, target_px: [2048, 2048], region: &region, with_occluded: true };
        let encoded = regions.encode(device, queue, &mut encoder, query, &mut Unseen);
        match encoded {
            Ok(()) => assert!(fits),
            Err(error) => assert!(!fits && matches!(error, GpuError::BufferSize { .. }), "{error}"),
        }
        queue.submit([std::mem::replace(&mut encoder, counting.gpu.encoder()).finish()]);
        counting.gpu.wait();
        if fits {
            assert_eq!(regions.poll(device), Ok(Some(Vec::new())));
        }
    }
    assert_eq!(counting.errors(), 0);
}

#[test]
fn picture_after_a_refused_list_is_complete() {
    let counting = Counting::new(|_| wgpu::DeviceDescriptor {
        required_limits: wgpu::Limits { max_buffer_size: 1 << 19, ..wgpu::Limits::downlevel_defaults() },
        ..Default::default()
    });
    let Gpu { device, queue } = &counting.gpu;
    let case = cases::named("right-handed perspective");
    let mut ids = IdSpace::new();
    let mut gizmos = [0.0, 0.5].map(|aside| {
        gizmo_at(&case.view, &mut ids, Mode::Translate, PIVOT_WORLD + aside * case.view.right())
    });
    let mut list_of = |[first, second]: [u32; 2]| {
        let mut list = DrawList::new();
        list.begin(&case.view);
        let [near, far] = &mut gizmos;
        (0..first).for_each(|_| near.draw(&mut list));
        (0..second).for_each(|_| far.draw(&mut list));
        list
    };
    let [small, large, both] = [[1, 0], [500, 500], [1, 1]].map(&mut list_of);
    let new = || GizmoRenderer::new(device, PLAIN).expect("the render target is supported");
    let picture = |renderer: &mut GizmoRenderer, list: &DrawList| {
        renderer.prepare(device, queue, list).expect("the list fits");
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let color = texture_on(device, case.target, (PLAIN.format, 1), usage);
        let mut encoder = counting.gpu.encoder();
        renderer.render(&mut begin_pass(&mut encoder, &color, BLACK));
        queue.submit([encoder.finish()]);
        counting.gpu.texels(&color)
    };
    let mut renderer = new();
    picture(&mut renderer, &small);
    let refused = renderer.prepare(device, queue, &large);
    assert!(matches!(refused, Err(GpuError::BufferSize { .. })), "{refused:?}");
    assert!(picture(&mut renderer, &both) == picture(&mut new(), &both));
    assert_eq!(counting.errors(), 0);
}

#[test]
fn rejected_pipelines_are_errors_of_their_constructors() {
    let counting = Counting::new(|_| wgpu::DeviceDescriptor {
        // The ID image has two.
        required_limits: wgpu::Limits { max_color_attachments: 1, ..wgpu::Limits::downlevel_defaults() },
        ..Default::default()
    });
    let device = &counting.gpu.device;
    let errors = [
        Picker::new(device).err(),
        IdImage::new(device, 8, 8).err(),
        PickScene::new(device).err(),
        RegionPicker::new(device).err(),
    ];
    assert!(errors.iter().all(|error| matches!(error, Some(GpuError::Rejected(_)))), "{errors:?}");
    assert_eq!(counting.errors(), 0);
}

/// An object of which nothing is drawn.
struct Unseen;

impl DrawIds for Unseen {
    fn draw_ids(&mut self, _: &mut wgpu::RenderPass<'_>, _: &ViewPart<'_>) {}

    fn prepare_singly(&mut self, _: &ViewPart<'_>) -> Vec<NonZeroU32> {
        vec![NonZeroU32::MIN]
    }

    fn draw_one(&mut self, _: &mut wgpu::RenderPass<'_>, _: &ViewPart<'_>, _: u32) {}
}

/// Returns a lasso with this many teeth, one pixel wide each, and as high.
fn comb(teeth: u32) -> Region {
    let height = f64::from(teeth);
    let mut points = Vec::new();
    for tooth in (0..teeth).map(|tooth| 2.0 * f64::from(tooth)) {
        points.extend([[tooth, height], [tooth, 0.0], [tooth + 1.0, 0.0], [tooth + 1.0, height]]);
    }
    let last = 2.0 * height - 1.0;
    points.extend([[last, height + 1.0], [0.0, height + 1.0]]);
    Region::Lasso(points.into_iter().map(DVec2::from).collect())
}

/// Color formats with each sample count, and depth formats with one of them.
#[test]
fn no_format_raises_a_validation_error() {
    let depths = DEPTHS.map(|depth| (wgpu::TextureFormat::Rgba8Unorm, Some(depth)));
    // Rgba8Unorm, Bgra8Unorm, their sRGB variants and more, each with 1 and 4 samples.
    try_states(&[&FORMATS.map(|format| (format, None))[..], &depths].concat(), 16);
}

/// Takes minutes on a CPU rasterizer: `cargo test --test gpu -- --ignored whole_format_matrix`.
#[test]
#[ignore = "takes minutes; a part of it runs always"]
fn whole_format_matrix_raises_no_validation_error() {
    let depths = || [None].into_iter().chain(DEPTHS.map(Some));
    let pairs: Vec<_> = FORMATS.into_iter().flat_map(|format| depths().map(move |it| (format, it))).collect();
    try_states(&pairs, 8 * DEPTHS.len());
}

/// Creates what draws into each of these formats, with each sample count, on a device with the minimum limits and no
/// feature, and on one with everything that the adapter has. Each must accept so many of them.
fn try_states(pairs: &[(wgpu::TextureFormat, Option<wgpu::TextureFormat>)], min_accepted: usize) {
    for descriptor in [small_limits, everything] {
        let (counting, mut tried, mut accepted) = (Counting::new(descriptor), 0, 0);
        for (format, depth_stencil) in pairs.iter().copied() {
            for sample_count in [0, 1, 2, 3, 4, 8, 64] {
                let state = TargetState { format, sample_count, depth_stencil };
                accepted += usize::from(accepts(&counting.gpu, state));
                tried += 1;
            }
        }
        let errors = counting.errors();
        println!("figure: formats_tried = {tried}, accepted = {accepted:?}");
        println!("figure: validation_errors_in_format_matrix = {errors}");
        assert!(errors == 0 && accepted >= min_accepted, "{errors} errors, {accepted} accepted");
    }
}

/// Returns true if the renderer and the outline can be created for this state.
fn accepts(gpu: &Gpu, state: TargetState) -> bool {
    let device = &gpu.device;
    let made = [
        GizmoRenderer::new(device, state).map(|_| ()),
        Outline::new(device, state).and_then(|mut outline| {
            let none = OutlineStyle::default();
            outline.set(device, &gpu.queue, &[none; Outline::STYLES])
        }),
    ];
    for result in &made {
        if let Err(error) = result {
            assert!(!matches!(error, GpuError::DeviceLost), "{state:?}: {error}");
        }
    }
    assert_eq!(made[0].is_ok(), made[1].is_ok(), "{state:?}: {made:?}");
    made[0].is_ok()
}

/// Returns formats by their names.
macro_rules! formats {
    ($($name:ident)*) => { [$(wgpu::TextureFormat::$name),*] };
}

const DEPTHS: [wgpu::TextureFormat; 8] = formats![
    Stencil8 Depth16Unorm Depth24Plus Depth24PlusStencil8 Depth32Float Depth32FloatStencil8
    // Not depth formats.
    Rgba8Unorm NV12
];

const FORMATS: [wgpu::TextureFormat; 55] = formats![
    R8Unorm R8Snorm R8Uint R8Sint R16Uint R16Sint R16Unorm R16Snorm R16Float Rg8Unorm Rg8Snorm Rg8Uint Rg8Sint
    R32Uint R32Sint R32Float Rg16Uint Rg16Sint Rg16Unorm Rg16Snorm Rg16Float Rgba8Unorm Rgba8UnormSrgb
    Rgba8Snorm Rgba8Uint Rgba8Sint Bgra8Unorm Bgra8UnormSrgb Rgb9e5Ufloat Rgb10a2Uint Rgb10a2Unorm
    Rg11b10Ufloat R64Uint Rg32Uint Rg32Sint Rg32Float Rgba16Uint Rgba16Sint Rgba16Unorm Rgba16Snorm
    Rgba16Float Rgba32Uint Rgba32Sint Rgba32Float Stencil8 Depth16Unorm Depth32Float Depth32FloatStencil8
    NV12 P010 Bc1RgbaUnorm Bc6hRgbFloat Etc2Rgb8Unorm EacR11Snorm Bc7RgbaUnormSrgb
];
