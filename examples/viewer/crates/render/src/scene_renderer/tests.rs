//! Tests that render without a window. `VIEWER_PICTURES=DIR` writes the pictures there for inspection.

mod coincident;
mod cutouts;
mod grid_axes;

use super::*;
use crate::device::{self, Gpu};
use cutouts::holed;
use scene::bounds::Bounds;
use scene::flags::Flag;
use scene::material::{Alpha, Look, Material, Sampler, Slot, Texture, Wrap};
use scene::mesh::{Mesh, Part};
use scene::pixels::Pixels;
use scene::projection::Projection;
use scene::{Node, built_in, shapes};
use session::replay_file::Camera;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wgpu_gizmo::Theme;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::math::{Transform, Viewport};
use wgpu_gizmo::scene::ViewPart;

const SIZE: [u32; 2] = [1280, 720];

fn texture(device: &wgpu::Device, size_px: [u32; 2], format: wgpu::TextureFormat) -> wgpu::Texture {
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
    device.create_texture(&resources::texture("viewer test", size_px, format, usage))
}

/// Submits the commands and reads a texture back, four bytes per texel, row by row.
fn read_back(encoder: wgpu::CommandEncoder, texture: &wgpu::Texture) -> Vec<[u8; 4]> {
    let bytes =
        crate::picture::read_back(device::shared(), encoder, texture).expect("the texture can be read back");
    bytes.as_chunks::<4>().0.to_vec()
}

fn look(eye: [f64; 3], look_at: [f64; 3], projection: Projection) -> View {
    let camera = Camera::LookAt { eye: eye.into(), look_at: look_at.into(), up: DVec3::Y, projection };
    camera.view(Viewport::from_size(SIZE[0], SIZE[1]), 1.0).expect("the view is valid")
}

fn perspective(reversed: bool) -> Projection {
    Projection::Perspective { fov_y: 38.0, near: 0.05, far: None, reversed }
}

/// Returns a three-quarter front view that contains the whole scene.
fn portrait(scene: &Scene, projection: Projection) -> View {
    let bounds = scene.bounds().expect("the scene is not empty");
    let eye = bounds.center() + DVec3::new(0.55, 0.42, 0.85).normalize() * bounds.radius() * 3.1;
    look(eye.into(), bounds.center().into(), projection)
}

/// Returns the index of the texel that shows a point.
fn texel_of(view: &View, point: DVec3) -> usize {
    let px = view.px_from_world(point).expect("the point is in front of the eye");
    px.y as usize * SIZE[0] as usize + px.x as usize
}

/// Returns the linear light of a channel from 0 to 1 in sRGB.
fn linear(c: f64) -> f64 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Returns the id of a node in these tests.
fn id_of(node: usize) -> Option<NonZeroU32> {
    NonZeroU32::new(node as u32 + 1)
}

fn picture(scene: &Scene, view: &View, scene_style: SceneStyle, name: &str) -> Vec<[u8; 4]> {
    let mut renderer = SceneRenderer::new(device::shared(), COLOR, scene);
    picture_by(&mut renderer, scene, (view, scene_style), name).0
}

const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// Renders the current state of a scene and returns the picture with its grid.
fn picture_by(
    renderer: &mut SceneRenderer,
    scene: &Scene,
    (view, scene_style): (&View, SceneStyle),
    name: &str,
) -> (Vec<[u8; 4]>, Option<Grid>) {
    let Gpu { device, .. } = device::shared();
    let mut draws = renderer.new_view();
    let target = texture(device, SIZE, COLOR);
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    renderer.sync(scene, id_of);
    renderer.prepare_shadows();
    let scene_view = renderer.scene_view(view, scene_style, None);
    renderer.prepare(&scene_view, &mut draws);
    let seen = target.create_view(&wgpu::TextureViewDescriptor::default());
    renderer.start(std::iter::once(&draws));
    renderer.render(&mut encoder, &seen, std::iter::once(&draws), &mut { f64::INFINITY });
    let texels = read_back(encoder, &target);
    if let Some(folder) = std::env::var_os("VIEWER_PICTURES") {
        let path = PathBuf::from(folder).join(format!("{name}.png"));
        let image = image::RgbaImage::from_raw(SIZE[0], SIZE[1], texels.as_flattened().to_vec());
        image.expect("the size fits").save(&path).expect("the folder can be written");
    }
    (texels, scene_view.grid)
}

/// Renders ids and depths with `crop` between the clip spaces of the view and of the render target.
fn ids(scene: &Scene, view: &View, crop: DMat4, size: [u32; 2]) -> (Vec<u32>, Vec<f32>) {
    let Gpu { device, queue, .. } = device::shared();
    let mut renderer = SceneRenderer::new(device::shared(), wgpu::TextureFormat::Rgba8Unorm, scene);
    renderer.sync(scene, id_of);
    let mut draws = IdDraws::default();
    let part = ViewPart { device, queue, view, frustum: frustum_of(view), clip_from_clip: crop };
    renderer.prepare_ids(&part, |_| true, &mut draws);
    let targets = [wgpu::TextureFormat::R32Uint; 2].map(|format| texture(device, size, format));
    let depth = texture(device, size, DEPTH_FORMAT);
    let views = targets.each_ref().map(|t| t.create_view(&wgpu::TextureViewDescriptor::default()));
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let attachment = |view| {
        let load = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
        let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
        Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
    };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("viewer test"),
        color_attachments: &[attachment(&views[0]), attachment(&views[1])],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &depth.create_view(&wgpu::TextureViewDescriptor::default()),
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(far_depth(view.depth_direction())),
                store: wgpu::StoreOp::Discard,
            }),
            stencil_ops: None,
        }),
        ..Default::default()
    });
    renderer.render_ids(&draws, view.depth_direction(), &mut pass);
    drop(pass);
    queue.submit([encoder.finish()]);
    let new_encoder = || device.create_command_encoder(&Default::default());
    let [ids, depths] = targets.map(|target| read_back(new_encoder(), &target));
    let ids = ids.into_iter().map(u32::from_le_bytes).collect();
    (ids, depths.into_iter().map(|bits| f32::from_bits(u32::from_le_bytes(bits))).collect())
}

/// Creates two cubes. The far one is wider, and the near one is mirrored.
fn two_cubes(at: DVec3) -> Scene {
    let transform = |translation, scale| Transform { translation, scale, ..Transform::IDENTITY };
    let mut nodes = vec![
        Node::new("near", None, transform(at + DVec3::Z * 2.0, DVec3::new(-1.0, 1.0, 1.0))),
        Node::new("far", None, transform(at, DVec3::new(3.0, 1.0, 1.0))),
    ];
    nodes.iter_mut().for_each(|node| node.mesh = Some(0));
    Scene::new(nodes, vec![shapes::cube()]).expect("the nodes form a tree")
}

#[test]
fn nearer_node_wins_id_image_in_both_depth_directions() {
    let orthographic = |reversed| Projection::Orthographic { height: 4.0, near: -10.0, far: 20.0, reversed };
    let projections = [perspective(false), perspective(true), orthographic(false), orthographic(true)];
    for at in [DVec3::ZERO, DVec3::new(1e7, 0.0, -3e7)] {
        let scene = two_cubes(at);
        for projection in projections {
            let view = look((at + DVec3::Z * 7.0).into(), at.into(), projection);
            let (ids, depths) = ids(&scene, &view, DMat4::IDENTITY, SIZE);
            let near = texel_of(&view, at + DVec3::new(0.05, 0.02, 2.5));
            let far = texel_of(&view, at + DVec3::new(1.4, 0.02, 0.5));
            assert_eq!((ids[0], ids[near], ids[far]), (0, 1, 2), "{projection:?} at {at}");
            let px =
                DVec2::new((near % SIZE[0] as usize) as f64 + 0.5, (near / SIZE[0] as usize) as f64 + 0.5);
            let seen = view.unproject(px, depths[near].into()).expect("the point is in front of the eye");
            assert!((seen.z - at.z - 2.5).abs() < 1e-3, "{seen} {projection:?} at {at}");
        }
    }
}

#[test]
fn sides_of_crop_box_without_cut_change_no_pixel() {
    let mut scene = Scene::new(
        vec![Node { mesh: Some(0), ..Node::new("cube", None, Transform::IDENTITY) }],
        vec![shapes::cube()],
    )
    .expect("there is one node");
    let view = portrait(&scene, perspective(true));
    let whole = picture(&scene, &view, SceneStyle::default(), "whole");
    scene.set_crop_box(0, scene.mesh_box(0));
    assert!(whole == picture(&scene, &view, SceneStyle::default(), "box of the mesh"));
    scene.set_crop_box(0, scene.mesh_box(0).map(|Bounds { min, max }| Bounds { min, max: max.with_x(0.0) }));
    assert!(whole != picture(&scene, &view, SceneStyle::default(), "half"));
}

#[test]
fn cropped_tile_has_ids_whole_id_image() {
    let scene = built_in::scene();
    let view = portrait(&scene, perspective(true));
    let (whole, _) = ids(&scene, &view, DMat4::IDENTITY, SIZE);
    const TILE: u32 = 32;
    let (x, y) = (SIZE[0] / 2 - TILE, SIZE[1] / 2);
    let (sx, sy) = (f64::from(SIZE[0] / TILE), f64::from(SIZE[1]) / f64::from(TILE));
    let center_ndc = view.ndc_from_px(DVec2::new(f64::from(x + TILE / 2), f64::from(y + TILE / 2)));
    let crop = DMat4::from_scale(DVec3::new(sx, sy, 1.0)) * DMat4::from_translation(-center_ndc.extend(0.0));
    let (tile, _) = ids(&scene, &view, crop, [TILE; 2]);
    let whole_id = |i: u32| whole[((y + i / TILE) * SIZE[0] + x + i % TILE) as usize];
    // Along edges, a crop may round a sample to the other side.
    let wrong = (0..TILE * TILE).filter(|&i| tile[i as usize] != whole_id(i)).count();
    assert!(wrong <= 2, "{wrong} texels differ");
    assert!(tile.iter().any(|&id| id != 0));
}

#[test]
fn uniform_layouts_agree_with_shader() {
    let module = wgpu::naga::front::wgsl::parse_str(pipelines::SHADER).expect("the shader is valid");
    let agree = |name: &str, size: usize, wanted: &[(&str, usize)]| {
        let found = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name));
        let (_, ty) = found.expect("the shader has this struct");
        let wgpu::naga::TypeInner::Struct { members, span } = &ty.inner else {
            panic!("{name} is not a struct")
        };
        assert_eq!(*span as usize, size, "{name}");
        let member = |member: &wgpu::naga::StructMember| (member.name.clone(), member.offset as usize);
        let wanted = wanted.iter().map(|(field, offset)| (Some((*field).to_owned()), *offset));
        assert!(members.iter().map(member).eq(wanted), "{name}: {members:?}");
    };
    agree("Frame", size_of::<Frame>(), Frame::OFFSETS);
    agree("Camera", size_of::<camera::Camera>(), camera::Camera::OFFSETS);
    agree("Material", size_of::<surfaces::Numbers>(), surfaces::Numbers::OFFSETS);
}

#[test]
fn empty_scene_and_unprepared_view_render() {
    let empty = Scene::default();
    let view = look([3.0; 3], [0.0; 3], perspective(true));
    let texels = picture(&empty, &view, SceneStyle::default(), "empty");
    assert!(texels[0][0] < 100 && texels[0] != [0, 0, 0, 255], "the background is drawn: {:?}", texels[0]);
    let (ids, _) = ids(&empty, &view, DMat4::IDENTITY, [8, 8]);
    assert_eq!(ids, [0; 64]);
    let Gpu { device, queue, .. } = device::shared();
    let mut renderer = SceneRenderer::new(device::shared(), wgpu::TextureFormat::Bgra8Unorm, &empty);
    let unprepared = renderer.new_view();
    let target = texture(device, [4, 4], wgpu::TextureFormat::Bgra8Unorm);
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let seen = target.create_view(&wgpu::TextureViewDescriptor::default());
    renderer.start(std::iter::once(&unprepared));
    renderer.render(&mut encoder, &seen, std::iter::once(&unprepared), &mut { f64::INFINITY });
    queue.submit([encoder.finish()]);
}

#[test]
fn handles_contrast_with_background_in_every_theme() {
    let luminance = |color: [f64; 3]| {
        let [r, g, b] = color.map(linear);
        0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    };
    let view = look([3.0; 3], [0.0; 3], perspective(true));
    for (name, theme) in
        [("dark", Theme::dark()), ("light", Theme::light()), ("color-blind-safe", Theme::color_blind_safe())]
    {
        let style = SceneStyle { theme, without_grid: true, ..SceneStyle::default() };
        let texels = picture(&Scene::default(), &view, style, &format!("background_{name}"));
        let behind = texels.iter().map(|texel| luminance([0, 1, 2].map(|c| f64::from(texel[c]) / 255.0)));
        let [darkest, brightest] = behind.fold([f64::MAX, 0.0], |[low, high], l| [low.min(l), high.max(l)]);
        let colors = theme.colors;
        for color in colors.axes.into_iter().chain([colors.neutral]) {
            let own = luminance([0, 1, 2].map(|c| f64::from(color[c])));
            // WCAG 2.2, 1.4.11.
            let contrast = (own / brightest).max(darkest / own);
            assert!(contrast >= 3.0, "{name}: {color:?} has {contrast:.2}");
        }
    }
}

/// Returns true if a pixel and its neighbors all have an id, or none of them has.
fn is_uniform(ids: &[u32], i: usize) -> bool {
    let width = SIZE[0] as usize;
    let around =
        [i - width - 1, i - width, i - width + 1, i - 1, i + 1, i + width - 1, i + width, i + width + 1];
    around.iter().all(|j| (ids[*j] == 0) == (ids[i] == 0))
}

#[test]
fn picture_shows_scene_exactly_where_ids_are() {
    let viewer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = gltf_io::open(&viewer.join("../../tests/replays/scene.gltf")).expect("the file is valid");
    let mut scenes = vec![("built_in".to_owned(), built_in::scene()), ("scene".to_owned(), own)];
    for name in ["alien", "cakeBirthday"] {
        let path = viewer.join(format!("tests/scenes/{name}.glb"));
        scenes.push((name.to_owned(), gltf_io::open(&path).expect("the file is valid")));
    }
    let scene_style = SceneStyle { without_grid: true, ..SceneStyle::default() };
    for (name, scene) in scenes {
        let view = portrait(&scene, perspective(true));
        let background = picture(&Scene::default(), &view, scene_style, "background");
        let seen = picture(&scene, &view, scene_style, &name);
        let (ids, _) = ids(&scene, &view, DMat4::IDENTITY, SIZE);
        let width = SIZE[0] as usize;
        let (mut solid, mut missing, mut stray) = (0, 0, 0);
        for i in (width + 1..ids.len() - width - 1).filter(|i| is_uniform(&ids, *i)) {
            let is_drawn = seen[i] != background[i];
            solid += usize::from(ids[i] != 0);
            missing += usize::from(ids[i] != 0 && !is_drawn);
            stray += usize::from(ids[i] == 0 && is_drawn);
        }
        println!("{name}: {solid} texels inside, {missing} of them not drawn, {stray} drawn elsewhere");
        assert!(solid > ids.len() / 100, "{name}: {solid} texels of the scene");
        // A surface can have the color of the background in places.
        assert!(missing * 100 < solid && stray == 0, "{name}: {missing} not drawn, {stray} drawn elsewhere");
    }
}

#[test]
fn moved_hidden_and_reshown_nodes_are_culled_correctly() {
    let Gpu { device, queue, .. } = device::shared();
    let mut scene = two_cubes(DVec3::ZERO);
    let mut renderer = SceneRenderer::new(device::shared(), wgpu::TextureFormat::Rgba8Unorm, &scene);
    renderer.sync(&scene, id_of);
    let view = look([0.0, 0.0, 7.0], [0.0; 3], perspective(true));
    let drawn = |renderer: &SceneRenderer, accepts: &dyn Fn(usize) -> bool| {
        let mut draws = IdDraws::default();
        let frustum = frustum_of(&view);
        let part = ViewPart { device, queue, view: &view, frustum, clip_from_clip: DMat4::IDENTITY };
        renderer.prepare_ids(&part, accepts, &mut draws);
        draws.runs.len()
    };
    assert_eq!(drawn(&renderer, &|_| true), 2);
    assert_eq!(drawn(&renderer, &|node| node == 1), 1);
    let bounds = |renderer: &SceneRenderer| renderer.instances.bounds().expect("a cube is shown");
    let before = bounds(&renderer);
    scene.set_local(0, Transform { translation: DVec3::X * 100.0, ..Transform::IDENTITY });
    renderer.sync(&scene, id_of);
    assert_eq!(drawn(&renderer, &|_| true), 1, "the other cube is culled");
    assert!(bounds(&renderer).max.x > 100.0 && before.max.x < 2.0);
    scene.set_flag(1, Flag::Hidden, true);
    renderer.sync(&scene, id_of);
    assert!(drawn(&renderer, &|_| true) == 0 && bounds(&renderer).min.x > 99.0);
    scene.set_flag(1, Flag::Hidden, false);
    renderer.sync(&scene, id_of);
    assert_eq!(drawn(&renderer, &|_| true), 1);
    // Later nodes come first, and the node 0 in another block.
    let cube = |node| Node { mesh: Some(0), ..Node::new(format!("{node}"), None, Transform::IDENTITY) };
    let mut scene =
        Scene::new((0..65).map(cube).collect(), vec![shapes::cube()]).expect("the nodes form a tree");
    let mut renderer = SceneRenderer::new(device::shared(), wgpu::TextureFormat::Rgba8Unorm, &scene);
    renderer.sync(&scene, id_of);
    assert_eq!(drawn(&renderer, &|_| true), 1, "they coincide");
    scene.set_local(1, Transform { translation: DVec3::Z, ..Transform::IDENTITY });
    renderer.sync(&scene, id_of);
    assert_eq!(drawn(&renderer, &|_| true), 3);
}

#[test]
fn moving_node_keeps_grid_and_other_shadows() {
    let at = |translation| Transform { translation, ..Transform::IDENTITY };
    let mut nodes = vec![
        Node::new("stays", None, at(DVec3::Y * 0.5)),
        Node::new("moves", None, at(DVec3::new(3.0, 0.5, 3.0))),
    ];
    nodes.iter_mut().for_each(|node| node.mesh = Some(0));
    let mut scene = Scene::new(nodes, vec![shapes::cube()]).expect("the nodes form a tree");
    let mut renderer = SceneRenderer::new(device::shared(), COLOR, &scene);
    let view = look([2.0, 1.5, -5.0], [0.0, 0.3, 0.0], perspective(true));
    // The shadow of the center of the first cube's top.
    let shadow = DVec3::new(0.0, 1.0, 0.0) - lighting::TO_LIGHT;
    let texel = texel_of(&view, shadow);
    let mut look_at = |scene: &Scene, name: &str| {
        let (texels, grid) = picture_by(&mut renderer, scene, (&view, SceneStyle::default()), name);
        (texels[texel].map(i32::from), grid.expect("the grid is shown"))
    };
    let (before, grid) = look_at(&scene, "ground-before");
    for (position, name) in [
        (DVec3::new(3.0, -2.0, 3.0), "ground-dips"),
        (DVec3::new(3.0, 0.5, 90.0), "ground-far"),
        (DVec3::new(-2000.0, -900.0, 5000.0), "ground-farther"),
    ] {
        scene.set_local(1, at(position));
        let (after, moved) = look_at(&scene, name);
        assert_eq!(moved, grid, "{name}");
        // At such distances, the cube is smaller than a texel of the shadow map.
        if position.length() < 100.0 {
            let off = (0..3).map(|channel| (after[channel] - before[channel]).abs()).max();
            assert!(off <= Some(6), "{name}: {after:?}, not {before:?}");
        }
    }
    scene.set_local(0, at(DVec3::new(0.0, 0.5, 50.0)));
    let (lit, _) = look_at(&scene, "ground-lit");
    assert!(lit[1] - before[1] > 12, "there was a shadow: {before:?}, and {lit:?} without it");
}

#[test]
fn loaded_scene_renders_like_new_renderer() {
    let scenes = [two_cubes(DVec3::ZERO), holed(), built_in::scene(), Scene::default()];
    let mut renderer = SceneRenderer::new(device::shared(), COLOR, &scenes[0]);
    let view = look([2.0, 1.5, 6.0], [0.0, 0.3, 0.0], perspective(true));
    for scene in scenes.iter().chain(&scenes[..1]) {
        renderer.load(scene);
        let (loaded, grid) = picture_by(&mut renderer, scene, (&view, SceneStyle::default()), "loaded");
        let mut fresh = SceneRenderer::new(device::shared(), COLOR, scene);
        let wanted = picture_by(&mut fresh, scene, (&view, SceneStyle::default()), "fresh");
        assert!((loaded, grid) == wanted, "{} nodes", scene.nodes().len());
    }
}
