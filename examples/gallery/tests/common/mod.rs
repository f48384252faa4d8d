//! The gallery on the native device, with a picture to read back.
#![expect(clippy::disallowed_types, reason = "a test has a clock")]

use std::path::PathBuf;
use std::time::{Duration, Instant};
use wgpu_gizmo::glam::{DVec2, DVec3, DVec4};
use wgpu_gizmo_gallery::{Gallery, Gpu, Pointer, PointerKind, Window};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

pub(crate) struct Page {
    pub(crate) gallery: Gallery,
    gpu: Gpu,
    window: Window,
    picture: wgpu::Texture,
}

impl Page {
    pub(crate) fn new() -> Self {
        let gpu = pollster::block_on(device());
        let window = Window { size: [640, 420], scale_factor: 1.0 };
        let picture = picture(&gpu.device, window.size);
        Self { gallery: Gallery::new(gpu.clone()), gpu, window, picture }
    }

    pub(crate) fn resize(&mut self, size: [u32; 2], scale_factor: f64) {
        self.window = Window { size, scale_factor };
        self.picture = picture(&self.gpu.device, size);
    }

    /// Runs one step. Returns true if a picture was drawn.
    pub(crate) fn step(&mut self, index: usize) -> bool {
        let picture = &self.picture;
        let mut acquire = || Some(picture.create_view(&Default::default()));
        self.gallery.step(index, self.window, &mut acquire).unwrap()
    }

    /// Runs steps until the scene rests.
    pub(crate) fn settle(&mut self, index: usize) {
        let end = Instant::now() + Duration::from_secs(60);
        self.step(index);
        while self.gallery.needs_step(index) {
            self.step(index);
            assert!(Instant::now() < end, "{} does not rest", Gallery::texts(index)[0]);
        }
    }

    /// Presses at the first position, moves through the others, and releases.
    pub(crate) fn drag(&mut self, index: usize, path: &[DVec2], kind: PointerKind) {
        let events = path.iter().map(|px| (*px, 1)).chain(path.last().map(|px| (*px, 0)));
        for (px, buttons) in events {
            self.gallery.pointer(index, Pointer { id: 1, px, kind, buttons });
            self.settle(index);
        }
    }

    /// Presses the mouse at the first position, and moves through the others.
    pub(crate) fn drag_to(&mut self, index: usize, path: &[DVec2]) {
        for px in path {
            self.mouse(index, *px, 1);
            self.settle(index);
        }
    }

    /// Moves the mouse with these buttons down.
    pub(crate) fn mouse(&mut self, index: usize, px: DVec2, buttons: u16) {
        self.gallery.pointer(index, Pointer { id: 1, px, kind: PointerKind::Exact, buttons });
    }

    /// Returns a pixel on a handle.
    pub(crate) fn on_handle(&mut self, index: usize, name: &str) -> DVec2 {
        self.gallery.request_ids(index);
        self.settle(index);
        let ids = self.gallery.take_ids(index).unwrap().ids;
        let is_it = |id: &u32| self.gallery.name_of(index, *id).as_deref() == Some(name);
        let texel = ids.iter().position(|id| *id != 0 && is_it(id)).unwrap() as u32;
        let width = self.window.size[0];
        DVec2::new(f64::from(texel % width) + 0.5, f64::from(texel / width) + 0.5)
    }

    /// Returns a pixel on the arrow of the first selected object.
    pub(crate) fn on_arrow(&self, index: usize, axis: DVec3) -> DVec2 {
        let object = self.gallery.selected(index)[0];
        let pivot = self.gallery.transforms(index)[object].translation;
        let [from, toward] = [pivot, pivot + axis * 0.1].map(|p| self.gallery.px_of(index, p).unwrap());
        let length = if index == Gallery::index_of("views").unwrap() { 45.0 } else { 60.0 };
        from + (toward - from).normalize() * length * self.window.scale_factor
    }

    /// Returns the displacement along an axis that brings the point under `from` to `to`: the cursor is
    /// projected onto the drawn axis, where homogeneous pixels are linear in the displacement.
    pub(crate) fn along(&self, index: usize, pivot: DVec3, axis: DVec3, from: DVec2, to: DVec2) -> f64 {
        let view = self.gallery.view(index).unwrap();
        let viewport = view.viewport();
        let homogeneous = |point: DVec4| {
            let clip = view.clip_from_world() * point;
            let x = viewport.x * clip.w + (clip.x + clip.w) * 0.5 * viewport.width;
            let y = viewport.y * clip.w + (clip.w - clip.y) * 0.5 * viewport.height;
            (DVec2::new(x, y), clip.w)
        };
        let (a, a_w) = homogeneous(pivot.extend(1.0));
        let (b, b_w) = homogeneous(axis.extend(0.0));
        let origin = a / a_w;
        let along = ((a + b) / (a_w + b_w) - origin).normalize();
        let at = |px: DVec2| {
            let s = (px - origin).dot(along);
            s * a_w / ((b - origin * b_w).dot(along) - s * b_w)
        };
        at(to) - at(from)
    }

    /// Returns the picture: four bytes per pixel.
    pub(crate) fn picture(&self) -> Vec<u8> {
        let Gpu { device, queue, .. } = &self.gpu;
        let [width, height] = self.window.size;
        let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(row) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
        let mut encoder = device.create_command_encoder(&Default::default());
        let into = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(self.picture.as_image_copy(), into, self.picture.size());
        queue.submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        let texels = buffer.get_mapped_range(..).unwrap();
        texels.chunks(row as usize).flat_map(|texels| &texels[..4 * width as usize]).copied().collect()
    }

    pub(crate) fn pixel(&self, px: DVec2) -> Vec<u8> {
        let first = 4 * (px.y as usize * self.window.size[0] as usize + px.x as usize);
        self.picture()[first..first + 4].to_vec()
    }

    /// Saves the picture as `target/gallery/NAME.png`, to be looked at.
    pub(crate) fn save(&self, name: &str) {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gallery");
        std::fs::create_dir_all(&folder).unwrap();
        let [width, height] = self.window.size;
        let pixels = image::RgbaImage::from_raw(width, height, self.picture()).unwrap();
        pixels.save(folder.join(format!("{name}.png"))).unwrap();
    }
}

fn picture(device: &wgpu::Device, [width, height]: [u32; 2]) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

async fn device() -> Gpu {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = instance.request_adapter(&wgpu::RequestAdapterOptions::default()).await.unwrap();
    let required_limits = wgpu::Limits::downlevel_defaults();
    let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
    let (device, queue) = adapter.request_device(&descriptor).await.unwrap();
    Gpu { device, queue, format: FORMAT }
}
