//! The crate refuses everything that exceeds the limits and features of a device with an error of its own,
//! so that wgpu never reports one.

use crate::common::cases;
use crate::common::device::Gpu;
use glam::DVec2;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use wgpu_gizmo::gpu::{GizmoRenderer, GpuError, IdImage, Picker, TargetState};
use wgpu_gizmo::pick::Region;
use wgpu_gizmo::scene::{
    DrawIds, Outline, OutlineStyle, PickMesh, PickScene, RegionPicker, RegionQuery, ViewPart,
};
use wgpu_gizmo::wgpu;

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
    let pairs = FORMATS.map(|format| (format, None)).into_iter();
    let depths = DEPTHS.into_iter().map(|depth| (F::Rgba8Unorm, Some(depth)));
    let accepted = accepted_states(&pairs.chain(depths).collect::<Vec<_>>());
    // Rgba8Unorm, Bgra8Unorm, their sRGB variants and more, each with 1 and 4 samples.
    assert!(accepted.iter().all(|accepted| *accepted >= 16), "{accepted:?}");
}

/// Takes minutes on a CPU rasterizer: `cargo test --test gpu -- --ignored whole_format_matrix`.
#[test]
#[ignore = "takes minutes; a part of it runs always"]
fn whole_format_matrix_raises_no_validation_error() {
    let depths = || [None].into_iter().chain(DEPTHS.into_iter().map(Some));
    let pairs = FORMATS.into_iter().flat_map(|format| depths().map(move |depth| (format, depth)));
    let accepted = accepted_states(&pairs.collect::<Vec<_>>());
    assert!(accepted.iter().all(|accepted| *accepted >= 8 * DEPTHS.len()), "{accepted:?}");
}

/// Counts the accepted ones of these color and depth formats with all sample counts, on a device with
/// the minimum limits and no feature, and on one with everything that the adapter has.
fn accepted_states(formats: &[(F, Option<F>)]) -> [usize; 2] {
    let mut accepted = [0; 2];
    let (mut tried, mut errors) = (0, 0);
    for (row, descriptor) in [small_limits, everything].into_iter().enumerate() {
        let counting = Counting::new(descriptor);
        for (format, depth_stencil) in formats.iter().copied() {
            for sample_count in [0, 1, 2, 3, 4, 8, 64] {
                let is_accepted = accepts(&counting.gpu, TargetState { format, sample_count, depth_stencil });
                accepted[row] += usize::from(is_accepted);
                tried += 1;
            }
        }
        errors += counting.errors();
    }
    println!("figure: formats_tried = {tried}, accepted = {accepted:?}");
    println!("figure: validation_errors_in_format_matrix = {errors}");
    assert_eq!(errors, 0);
    accepted
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

use wgpu::TextureFormat as F;

const DEPTHS: [F; 8] = [
    F::Stencil8,
    F::Depth16Unorm,
    F::Depth24Plus,
    F::Depth24PlusStencil8,
    F::Depth32Float,
    F::Depth32FloatStencil8,
    // Not depth formats.
    F::Rgba8Unorm,
    F::NV12,
];

const FORMATS: [F; 55] = [
    F::R8Unorm,
    F::R8Snorm,
    F::R8Uint,
    F::R8Sint,
    F::R16Uint,
    F::R16Sint,
    F::R16Unorm,
    F::R16Snorm,
    F::R16Float,
    F::Rg8Unorm,
    F::Rg8Snorm,
    F::Rg8Uint,
    F::Rg8Sint,
    F::R32Uint,
    F::R32Sint,
    F::R32Float,
    F::Rg16Uint,
    F::Rg16Sint,
    F::Rg16Unorm,
    F::Rg16Snorm,
    F::Rg16Float,
    F::Rgba8Unorm,
    F::Rgba8UnormSrgb,
    F::Rgba8Snorm,
    F::Rgba8Uint,
    F::Rgba8Sint,
    F::Bgra8Unorm,
    F::Bgra8UnormSrgb,
    F::Rgb9e5Ufloat,
    F::Rgb10a2Uint,
    F::Rgb10a2Unorm,
    F::Rg11b10Ufloat,
    F::R64Uint,
    F::Rg32Uint,
    F::Rg32Sint,
    F::Rg32Float,
    F::Rgba16Uint,
    F::Rgba16Sint,
    F::Rgba16Unorm,
    F::Rgba16Snorm,
    F::Rgba16Float,
    F::Rgba32Uint,
    F::Rgba32Sint,
    F::Rgba32Float,
    F::Stencil8,
    F::Depth16Unorm,
    F::Depth32Float,
    F::Depth32FloatStencil8,
    F::NV12,
    F::P010,
    F::Bc1RgbaUnorm,
    F::Bc6hRgbFloat,
    F::Etc2Rgb8Unorm,
    F::EacR11Snorm,
    F::Bc7RgbaUnormSrgb,
];
