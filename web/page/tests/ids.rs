//! Compares the ids of the native GPU with those of the CPU and with the file that the browser tests read.

use std::error::Error;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::pick::Region;
use wgpu_gizmo_web_page::{Found, Host};

/// The pixels and their ids, as `[x, y, id]`.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/ids.json");

fn host() -> Result<Host, Box<dyn Error>> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_limits: wgpu::Limits::downlevel_defaults(),
        ..Default::default()
    }))?;
    Host::new(device, queue, wgpu::TextureFormat::Rgba8Unorm)
}

/// Draws a frame, which gives the gizmo its targets, and waits until nothing is pending.
fn settle(host: &mut Host) -> Result<(), Box<dyn Error>> {
    let target = host.device().create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 800, height: 600, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let view = target.create_view(&Default::default());
    for _ in 0..3 {
        host.frame(&view)?;
        host.device().poll(wgpu::PollType::wait_indefinitely())?;
    }
    Ok(())
}

fn found_on_gpu(host: &mut Host, x: u32, y: u32) -> Result<Found, Box<dyn Error>> {
    assert!(host.ask(x, y)?, "one query at a time");
    loop {
        host.device().poll(wgpu::PollType::wait_indefinitely())?;
        if let Some(found) = host.answer()? {
            return Ok(found);
        }
    }
}

/// Returns 200 pixels, of which most are on handles and cubes.
fn pixels() -> impl Iterator<Item = (u32, u32)> {
    // A low-discrepancy sequence over the part of the view that has contents, and more of the gizmo.
    (1..=200u32).map(|i| {
        let narrow = if i % 2 == 0 { 0.35 } else { 1.0 };
        let part = |step: f64| ((f64::from(i) * step).fract() - 0.5) * narrow + 0.5;
        ((150.0 + 500.0 * part(0.754_877_666_2)) as u32, (100.0 + 400.0 * part(0.569_840_290_9)) as u32)
    })
}

#[test]
fn native_ids_equal_cpu_ids_and_file() -> Result<(), Box<dyn Error>> {
    let mut host = host()?;
    settle(&mut host)?;
    let mut rows = Vec::new();
    for (x, y) in pixels() {
        let found = found_on_gpu(&mut host, x, y)?;
        assert_eq!(found, host.found_on_cpu(x, y)?);
        rows.push([found.x, found.y, found.id]);
    }
    let objects = host.object_ids().map(|id| id.get());
    let cubes = objects.iter().filter(|id| rows.iter().any(|row| row[2] == **id)).count();
    let handles = rows.iter().filter(|row| row[2] != 0 && !objects.contains(&row[2])).count();
    assert!(cubes >= 3 && handles >= 20, "{cubes} cubes and {handles} pixels of handles");
    if std::env::var_os("WRITE_IDS").is_some() {
        let rows: Vec<String> = rows.iter().map(|row| format!("  {row:?}")).collect();
        std::fs::write(FILE, format!("[\n{}\n]\n", rows.join(",\n")))?;
    }
    let file: Vec<[u32; 3]> = serde_json::from_str(&std::fs::read_to_string(FILE)?)?;
    assert_eq!(rows, file, "run this test with WRITE_IDS=1 if the scene has changed");
    Ok(())
}

#[test]
fn regions_find_visible_and_occluded_objects() -> Result<(), Box<dyn Error>> {
    let mut host = host()?;
    settle(&mut host)?;
    let whole = Region::Rectangle([DVec2::ZERO, DVec2::new(800.0, 600.0)]);
    host.ask_visible()?;
    host.device().poll(wgpu::PollType::wait_indefinitely())?;
    let ids = host.object_ids().map(|id| id.get());
    assert_eq!(host.visible(&whole)?, Some(ids.to_vec()));
    host.ask_all(&whole)?;
    host.device().poll(wgpu::PollType::wait_indefinitely())?;
    let mut all = host.all()?.unwrap_or_default();
    all.sort_unstable();
    assert_eq!(all, ids[1..]);
    Ok(())
}
