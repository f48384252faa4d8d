//! One headless device per test process.

use super::pool::Pool;
use std::cell::Cell;
use std::num::NonZeroU32;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::gpu::{IdImage, IdTexels, Picker, object_pass};
use wgpu_gizmo::{DrawList, PickAnswer, PickOutcome, PickQuery, View, wgpu};

/// Longer than any of these passes takes, even on a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// The two ways of rendering tiles: with a shifted viewport, or with matrices that stretch the tile over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TileMode {
    Shifted,
    Cropped,
}

impl TileMode {
    pub(crate) fn picker(self, device: &wgpu::Device) -> Picker {
        let picker = Picker::new(device).expect("the backend is not WebGL");
        if self == Self::Cropped { picker.with_cropped_tiles() } else { picker }
    }

    /// Calls `work` with a square image whose center is this pixel.
    pub(crate) fn with_image<R>(
        self,
        [x, y]: [i64; 2],
        side: u32,
        work: impl FnOnce(&mut IdImage) -> R,
    ) -> R {
        static IMAGES: Pool<(TileMode, u32, IdLayout), IdImage> = Pool::new();
        let create = || {
            let image = IdImage::new(device(), side, side).expect("a tile is small");
            if self == Self::Cropped { image.with_cropped_tiles() } else { image }
        };
        let half = i64::from(side / 2);
        IMAGES.with((self, side, id_layout()), create, |image| {
            image.origin_px = [x - half, y - half];
            work(image)
        })
    }
}

/// Creates a picker on the shared device.
pub(crate) fn picker() -> Picker {
    Picker::new(device()).expect("the backend is not WebGL")
}

pub(crate) fn id(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("ids start at 1")
}

/// Returns the id of a hit, or 0.
pub(crate) fn id_of(outcome: PickOutcome) -> u32 {
    match outcome {
        PickOutcome::Hit(hit) => hit.id.get(),
        PickOutcome::Nothing => 0,
        other => panic!("{other:?}"),
    }
}

/// The attachments of ID images, which can differ by thread.
pub(crate) type IdLayout = Vec<Option<wgpu::ColorTargetState>>;

pub(crate) fn id_layout() -> IdLayout {
    object_pass::color_targets(device()).to_vec()
}

/// Calls `work` with an image of a whole render target of the shared device.
pub(crate) fn with_whole_image<R>(size: [u32; 2], work: impl FnOnce(&mut IdImage) -> R) -> R {
    static IMAGES: Pool<([u32; 2], IdLayout), IdImage> = Pool::new();
    let create = || IdImage::new(device(), size[0], size[1]).expect("the render target has a valid size");
    IMAGES.with((size, id_layout()), create, work)
}

/// A device and its queue.
#[derive(Debug)]
pub(crate) struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
}

thread_local! {
    static HAS_WEBGL_LIMITS: Cell<bool> = Cell::new(std::env::var_os("WGPU_GIZMO_WEBGL_LIMITS").is_some());
}

/// Makes [`gpu`] return a device with the limits of WebGL2 in this thread from now on.
pub(crate) fn use_webgl_limits_on_this_thread() {
    HAS_WEBGL_LIMITS.set(true);
}

/// Returns the shared device. With the environment variable `WGPU_GIZMO_WEBGL_LIMITS`, it has the limits of WebGL2.
pub(crate) fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    static WITH_WEBGL_LIMITS: OnceLock<Gpu> = OnceLock::new();
    if HAS_WEBGL_LIMITS.get() {
        let required_limits = wgpu::Limits::downlevel_webgl2_defaults();
        let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
        return WITH_WEBGL_LIMITS.get_or_init(|| Gpu::with(|_| descriptor));
    }
    GPU.get_or_init(Gpu::new)
}

pub(crate) fn device() -> &'static wgpu::Device {
    &gpu().device
}

pub(crate) fn queue() -> &'static wgpu::Queue {
    &gpu().queue
}

pub(crate) fn instance() -> wgpu::Instance {
    assert!(
        !wgpu::Instance::enabled_backend_features().is_empty(),
        "these tests need one of wgpu's backends: run `cargo test` at the workspace root, or add \
         `--features native`"
    );
    wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env())
}

/// Returns an adapter. CPU rasterizers come first, so that all machines test the same driver.
pub(crate) fn adapter(instance: &wgpu::Instance) -> wgpu::Adapter {
    let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    adapters.sort_by_key(|adapter| adapter.get_info().device_type != wgpu::DeviceType::Cpu);
    let Some(adapter) = adapters.into_iter().next() else {
        panic!(
            "no graphics adapter was found (WGPU_BACKEND is {:?}). To install a CPU driver:\n    \
             apt-get install -y --no-install-recommends mesa-vulkan-drivers",
            std::env::var("WGPU_BACKEND").ok()
        );
    };
    let info = adapter.get_info();
    println!("adapter: {} ({:?}, {:?}, {})", info.name, info.backend, info.device_type, info.driver_info);
    adapter
}

impl Gpu {
    /// Creates a device with the minimum limits and features that the crate supports.
    pub(crate) fn new() -> Self {
        Self::on(&adapter(&instance()))
    }

    /// Creates such a device on an adapter, which can have several.
    pub(crate) fn on(adapter: &wgpu::Adapter) -> Self {
        let required_limits = wgpu::Limits::downlevel_defaults();
        Self::described(adapter, wgpu::DeviceDescriptor { required_limits, ..Default::default() })
    }

    /// Creates a device as described.
    pub(crate) fn with(descriptor: impl FnOnce(&wgpu::Adapter) -> wgpu::DeviceDescriptor<'static>) -> Self {
        let adapter = adapter(&instance());
        Self::described(&adapter, descriptor(&adapter))
    }

    fn described(adapter: &wgpu::Adapter, descriptor: wgpu::DeviceDescriptor<'static>) -> Self {
        let descriptor = wgpu::DeviceDescriptor { label: Some("wgpu-gizmo tests"), ..descriptor };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .unwrap_or_else(|error| panic!("{} gives no device: {error}", adapter.get_info().name));
        device.on_uncaptured_error(Arc::new(|error| panic!("wgpu found an error: {error}")));
        Self { device, queue }
    }

    /// Waits until all submitted work is done. If a process ends earlier, some drivers crash
    /// because their threads are still running.
    #[expect(
        clippy::disallowed_methods,
        reason = "nothing reports that another thread has run its callbacks"
    )]
    pub(crate) fn wait(&self) {
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
        // A test that polls the same device in another thread may be about to run callbacks of this one.
        std::thread::sleep(Duration::from_millis(2));
    }

    pub(crate) fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("test") })
    }

    /// Returns the ID image of a whole render target.
    pub(crate) fn id_image(&self, size: [u32; 2], view: &View, list: &DrawList) -> IdTexels {
        with_whole_image(size, |image| self.read(image, view, list))
    }

    /// Returns a square of `side` pixels of the ID image, centered on this pixel and rendered as a
    /// tile.
    pub(crate) fn id_tile(
        &self,
        [x, y]: [i64; 2],
        side: u32,
        mode: TileMode,
        view: &View,
        list: &DrawList,
    ) -> IdTexels {
        mode.with_image([x, y], side, |image| self.read(image, view, list))
    }

    pub(crate) fn read(&self, image: &mut IdImage, view: &View, list: &DrawList) -> IdTexels {
        self.read_with(image, view, list, |_, _| {})
    }

    /// Draws and reads an ID image, with the objects that `draw` draws.
    pub(crate) fn read_with(
        &self,
        image: &mut IdImage,
        view: &View,
        list: &DrawList,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
    ) -> IdTexels {
        let mut encoder = self.encoder();
        let encoded = image.encode(&self.device, &self.queue, &mut encoder, view, list, draw);
        encoded.expect("the list is for this view");
        let submission = self.queue.submit([encoder.finish()]);
        // The next image may begin elsewhere.
        let origin_px = std::mem::replace(&mut image.origin_px, [-7, 9]);
        let texels = image.read(&self.device, submission, TIMEOUT).expect("the device is alive");
        image.origin_px = origin_px;
        texels
    }

    /// Waits for the answer to a query, with the objects that `draw` draws.
    pub(crate) fn pick(
        &self,
        picker: &mut Picker,
        query: &PickQuery,
        list: &DrawList,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
    ) -> PickAnswer {
        let answer = picker.pick_blocking(&self.device, &self.queue, query, list, draw, TIMEOUT);
        answer.expect("the device is alive")
    }

    /// Returns the texels of a texture with four bytes per texel, row-major.
    pub(crate) fn texels(&self, texture: &wgpu::Texture) -> Vec<[u8; 4]> {
        let (width, height) = (texture.width(), texture.height());
        let row_bytes = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("test readback"),
            size: u64::from(row_bytes) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = self.encoder();
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row_bytes),
                    rows_per_image: None,
                },
            },
            texture.size(),
        );
        encoder.map_buffer_on_submit(&buffer, wgpu::MapMode::Read, .., |result| {
            result.expect("the buffer is mapped")
        });
        self.queue.submit([encoder.finish()]);
        self.wait();
        let bytes = buffer.get_mapped_range(..).expect("the buffer is mapped");
        let rows = bytes.chunks(row_bytes as usize).map(|row| &row[..4 * width as usize]);
        rows.flat_map(|row| row.chunks(4)).map(|t| [t[0], t[1], t[2], t[3]]).collect()
    }
}
