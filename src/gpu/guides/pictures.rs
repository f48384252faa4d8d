//! Tests that the shader expands a grid into the same picture as its strokes.

use super::records::GRID_PIECES;
use super::{Guides, TargetState};
use crate::draw::grid::Grid;
use crate::draw::guides::{GuidePainter, StrokeStyle, faded, segment};
use crate::draw::{DrawList, GuideGrid, Layer};
use crate::math::{View, Viewport};
use glam::{DVec3, dcamera::rh};

const SIZE: [u32; 2] = [320, 256];

/// Returns the picture of a list's guides below the handles, on gray.
fn picture(device: &wgpu::Device, queue: &wgpu::Queue, list: &DrawList) -> Vec<u8> {
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let target = TargetState { format, sample_count: 1, depth_stencil: None };
    let mut guides = Guides::new(device, target, None);
    guides.upload(device, queue, list).expect("alive");
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let row_bytes = 4 * SIZE[0];
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row_bytes * SIZE[1]),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let gray = wgpu::Color { r: 0.3, g: 0.3, b: 0.3, a: 1.0 };
    guides.draw_under(&mut encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &texture.create_view(&wgpu::TextureViewDescriptor::default()),
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(gray), store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    }));
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
    encoder.map_buffer_on_submit(&buffer, wgpu::MapMode::Read, .., |result| result.expect("mapped"));
    queue.submit([encoder.finish()]);
    device.poll(wgpu::PollType::wait_indefinitely()).expect("alive");
    buffer.get_mapped_range(..).expect("mapped").to_vec()
}

/// Builds the strokes of the grid in double precision.
fn strokes(painter: &mut GuidePainter<'_>, shape: &Grid, grid: &GuideGrid, width_lpx: f32) {
    let Grid { center, axes: [a, b], radius, .. } = *shape;
    for (family, (across, along)) in [(a, b), (b, a)].into_iter().enumerate() {
        for k in 0..grid.lines[family] {
            let offset = grid.first[family] + f64::from(k) * grid.spacing;
            let half = (1.0 - offset * offset).sqrt();
            let at = |piece: u32| half * (2.0 * f64::from(piece) / f64::from(GRID_PIECES) - 1.0);
            let world = |place: f64| center + (across * offset + along * place) * radius;
            for (from, to) in (0..GRID_PIECES).map(|piece| (at(piece), at(piece + 1))) {
                let Some(seen) = segment(painter.view(), world(from), world(to)) else { continue };
                let colors = seen.t.map(|t| {
                    let left = GuideGrid::brightness(offset.hypot(from + (to - from) * t));
                    faded(grid.color, left as f32)
                });
                painter.stroke_between(seen.px, colors, width_lpx);
            }
        }
    }
}

#[test]
fn grid_record_equals_its_strokes() {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    let adapter = adapter.expect("the tests need an adapter");
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_limits: wgpu::Limits::downlevel_defaults(),
        ..Default::default()
    }))
    .expect("a device");
    let viewport = Viewport { x: 14.0, y: -20.0, width: 300.0, height: 250.0 };
    let looking = |eye: DVec3| rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
    let wide = rh::proj::directx::perspective(1.4, 1.2, 0.01, 100.0);
    let parallel = rh::proj::directx::orthographic(-4.0, 4.0, -3.3, 3.3, 0.1, 100.0);
    let thousandth = |eye: DVec3| looking(eye / 1000.0);
    for (name, view_from_world, clip_from_view, unit, scale) in [
        ("from above", looking(DVec3::new(1.0, 4.0, 3.0)), wide, 1.0, 1.0),
        ("at a slant, twice the scale", looking(DVec3::new(1.0, 0.7, 4.0)), wide, 1.0, 2.0),
        ("reaching behind the viewer", looking(DVec3::new(0.1, 0.3, 0.8)), wide, 1.0, 1.0),
        ("with the viewer near the middle", looking(DVec3::new(0.01, 0.05, 0.1)), wide, 1.0, 1.5),
        ("parallel", looking(DVec3::new(1.0, 2.0, 3.0)), parallel, 1.0, 1.0),
        ("tiny", thousandth(DVec3::new(1.0, 2.0, 3.0)), wide, 1e-3, 1.0),
    ] {
        let view = View::new(view_from_world, clip_from_view, viewport, scale).expect("usable");
        let shape = Grid {
            center: DVec3::new(0.3, 0.0, 0.1) * unit,
            anchor: DVec3::new(-7.0, 0.0, 11.0) * unit,
            axes: [DVec3::new(0.6, 0.0, 0.8), DVec3::new(-0.8, 0.0, 0.6)],
            spacing: 0.31 * unit,
            radius: 2.0 * unit,
        };
        let ink = StrokeStyle { color: [0.9, 0.8, 0.7, 0.8], width_lpx: 1.3 };
        let grid = shape.seen(&view, ink).expect("in sight");
        let mut list = DrawList::new();
        list.begin(&view).push_grid(grid);
        let unrolled = picture(&device, &queue, &list);
        list.begin(&view);
        let mut painter = list.guide_painter(Layer::Under).expect("a view");
        strokes(&mut painter, &shape, &grid, ink.width_lpx);
        let laid_out = picture(&device, &queue, &list);
        let is_inked = |(i, part): &(usize, &u8)| part.abs_diff(laid_out[i % 4]) > 20;
        let inked = laid_out.iter().enumerate().filter(is_inked).count();
        assert!(inked > 3_000, "{name}: {inked} channels of ink");
        let apart = unrolled.iter().zip(&laid_out).map(|(a, b)| a.abs_diff(*b));
        let (most, sum) = apart.fold((0, 0), |(most, sum), by| (by.max(most), sum + u32::from(by)));
        let mean = f64::from(sum) / unrolled.len() as f64;
        println!("{name}: {most} at most, {mean:.4} in the mean, {inked} inked");
        assert!(most <= 8 && mean < 0.1, "{name}: {most} at most, {mean} in the mean");
    }
}
