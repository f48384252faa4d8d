//! Depth styles: compares the class of every pixel with depths computed on the CPU. Also coplanar surfaces
//! and refusals.

mod scene;

use crate::common::prelude::*;
use scene::*;

#[test]
fn pixels_match_oracle_classification() {
    let mut rng = Rng::with_seed(1);
    let handles: Vec<HandleId> = HandleId::all().collect();
    for case in whole_cases() {
        let mut counted = Count::default();
        for round in 0..5 {
            let scene = Scene::new(&case, &surfaces(&mut rng));
            for step in 0..3 {
                let handle = handles[(7 * round + 5 * step) % handles.len()];
                count(&case, handle, &scene, TextureFormat::Depth32Float, &mut counted);
            }
        }
        let Count { hidden, visible, wrong } = counted;
        assert!(hidden > 500 && visible > 500, "{counted:?}");
        assert!(wrong * 1000 <= hidden + visible, "{} has {counted:?}", case.name);
    }
}

/// Returns a view of the pivot from a direction, in degrees.
fn orbit(turn: f64, elevation: f64) -> Case {
    let (turn, elevation) = (turn.to_radians(), elevation.to_radians());
    let toward = DVec3::new(turn.cos() * elevation.cos(), elevation.sin(), turn.sin() * elevation.cos());
    let (lens, target) = (rh::proj::directx::perspective(0.8, 4.0 / 3.0, 0.01, 500.0), [240, 180]);
    let camera = [PIVOT_WORLD + 6.0 * toward, PIVOT_WORLD];
    Case { name: "orbit", view: cases::view(camera, lens, Viewport::from_size(240, 180), 1.0), target }
}

#[test]
fn coplanar_handles_stay_visible_while_camera_orbits() {
    let ground = || [Surface::Plane { point: PIVOT_WORLD, normal: DVec3::Y }];
    let flat = ["translate_zx", "rotate_y", "scale_zx"].map(handle);
    let stems = ["translate_x", "translate_z"].map(handle);
    let mut checked = [0; 2];
    for step in 0..36 {
        let case = orbit(10.0 * f64::from(step), 12.0 + 10.0 * f64::from(step % 7));
        let scene = Scene::new(&case, &ground());
        let depth = scene.drawn(TextureFormat::Depth24Plus);
        let coarse = scene.drawn(TextureFormat::Depth16Unorm);
        // Sixteen bits are too coarse for the slope beside a ring.
        let squares = [flat[0], flat[2]].map(|handle| (handle, &coarse));
        for (handle, depth) in flat.map(|handle| (handle, &depth)).into_iter().chain(squares) {
            let mode = Mode::Handles(handle.into());
            let plain = picture(&case, PLAIN, 0.2, &list(&case, mode));
            let shown = veiled(&case, &styled(&case, mode, DepthStyle::Hidden), depth, Attached::No);
            let apart = plain.iter().zip(&shown).filter(|(a, b)| !is_near(**a, **b)).count();
            assert_eq!(apart, 0, "{handle:?} at {step}");
            checked[0] += usize::from(plain.iter().any(|texel| *texel != [51, 51, 51, 255]));
        }
        for handle in stems {
            let mode = Mode::Handles(handle.into());
            let hidden = styled(&case, mode, DepthStyle::Hidden);
            let plain = picture(&case, PLAIN, 0.2, &list(&case, mode));
            let shown = veiled(&case, &hidden, &depth, Attached::No);
            for item in hidden.items().iter().filter(|item| item.mesh == MeshKind::Stem) {
                let ends =
                    [0.0, 1.0].map(|x| item.px_from_part(DVec3::X * x).expect("the point is on screen"));
                if ends[0].distance(ends[1]) < 30.0 {
                    // The head covers the stem.
                    continue;
                }
                for along in 1..9 {
                    let point = DVec3::X * f64::from(along) * 0.1;
                    let px = item.px_from_part(point).expect("the point is on screen").floor();
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
        let is_gl = device().adapter_info().backend == wgpu::Backend::Gl;
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
fn each_frame_shows_its_own_depth_and_styles() {
    let case = cases::named("right-handed perspective");
    // Frames in a row share a texture view, as those of a host do.
    let depths = [wall(&case), Scene::new(&case, &[])]
        .map(|scene| scene.drawn(TextureFormat::Depth32Float).create_view(&Default::default()));
    let mut ids = IdSpace::new();
    let mut list_of = |parts: &[(&str, DepthStyle)]| {
        let mut list = DrawList::new();
        list.begin(&case.view);
        for (name, style) in parts {
            let (mut gizmo, _) = gizmo(&case, Mode::Handles(handle(name).into()), &mut ids);
            gizmo.settings.display.depth_style = *style;
            gizmo.draw(&mut list);
        }
        list
    };
    // More than four are drawn by the pipeline for all shapes.
    let parts = [
        ("translate_x", DepthStyle::Hidden),
        ("translate_y", DepthStyle::DIMMED),
        ("translate_z", DepthStyle::Hatched),
        ("translate_xy", DepthStyle::Hidden),
        ("translate_view", DepthStyle::OnTop),
        ("rotate_view", DepthStyle::DIMMED),
    ];
    let renderer = || GizmoRenderer::new(device(), PLAIN).expect("the target is supported");
    let draw = |renderer: &mut GizmoRenderer, list: &DrawList, depth: &wgpu::TextureView| {
        veiled_by(renderer, &case, list, [depth, depth], None)
    };
    let mut reused = renderer();
    for depth in depths.iter().chain([&depths[0]]) {
        let singles = parts.map(|part| draw(&mut renderer(), &list_of(&[part]), depth));
        // First fewer styles than in the next frame.
        assert!(draw(&mut reused, &list_of(&parts[..1]), depth) == singles[0]);
        for count in [3, parts.len()] {
            let all = draw(&mut reused, &list_of(&parts[..count]), depth);
            for (i, texel) in all.into_iter().enumerate() {
                let shown = singles[..count].iter().map(|single| single[i]);
                match shown.filter(|texel| *texel != [51, 51, 51, 255]).collect::<Vec<_>>()[..] {
                    [] => assert_eq!(texel, [51, 51, 51, 255]),
                    [only] => assert_eq!(texel, only),
                    // Where parts overlap, one is in front of the other.
                    _ => {}
                }
            }
        }
    }
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
fn unused_depth_textures_are_released() {
    let case = cases::named("right-handed perspective");
    let list = |style| styled(&case, Mode::Translate, style);
    let (hidden, on_top) = (list(DepthStyle::Hidden), list(DepthStyle::OnTop));
    // An instance of its own counts the objects of this test alone.
    let instance = instance();
    let gpu = Gpu::on(&adapter(&instance));
    let Gpu { device, queue } = &gpu;
    let alive = || {
        let report = instance.generate_report().expect("the backend is native");
        let hub = report.hub_report();
        [&hub.textures, &hub.texture_views, &hub.bind_groups].map(|objects| objects.num_kept_from_user)
    };
    let mut renderer = GizmoRenderer::new(device, PLAIN).expect("the target is supported");
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
    let texture = |size: [u32; 2]| {
        let texture = texture_on(device, size, (TextureFormat::Depth32Float, 1), usage);
        texture.create_view(&Default::default())
    };
    let mut prepare = |list, size| {
        let texture = texture(size);
        let depth = SceneDepth::new(&texture, case.view.depth_direction());
        renderer.prepare_with_depth(device, queue, list, depth)
    };
    let without_depth = alive();
    prepare(&hidden, case.target).expect("the depth is usable");
    let with_depth = alive();
    assert!(with_depth.iter().zip(without_depth).all(|(with, without)| *with > without), "{with_depth:?}");
    prepare(&on_top, case.target).expect("the depth is usable");
    assert_eq!(alive(), without_depth, "no handle is compared with the depth");
    prepare(&hidden, case.target).expect("the depth is usable");
    prepare(&hidden, [1, 1]).expect_err("the depth is too small");
    assert_eq!(alive(), without_depth, "the depth was refused");
    prepare(&hidden, case.target).expect("the depth is usable");
    assert_eq!(alive(), with_depth);
    renderer.prepare(device, queue, &hidden).expect("the device is alive");
    assert_eq!(alive(), without_depth);
}

#[test]
fn unusable_depths_are_refused_with_a_reason() {
    let case = cases::named("right-handed perspective");
    let list = styled(&case, Mode::Translate, DepthStyle::Hidden);
    let refused = |format, size: [u32; 2], sample_count, usage, direction| {
        let texture = texture_on(device(), size, (format, sample_count), usage);
        let texture = texture.create_view(&Default::default());
        let mut renderer = GizmoRenderer::new(device(), PLAIN).expect("the target is supported");
        let depth = SceneDepth::new(&texture, direction);
        match renderer.prepare_with_depth(device(), queue(), &list, depth) {
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

/// As of a window with a scale factor like 1.25, whose logical size is rounded.
#[test]
fn viewport_may_end_within_half_a_pixel_of_target() {
    let case = cases::named("right-handed perspective");
    let [width, height] = case.target.map(f64::from);
    let viewport = Viewport { x: 0.0, y: 0.0, width: width + 1e-4, height: height + 0.4 };
    let case = case.in_viewport(viewport, 1.25);
    let usage = wgpu::TextureUsages::TEXTURE_BINDING;
    let texture = texture_on(device(), case.target, (TextureFormat::Depth32Float, 1), usage);
    let texture = texture.create_view(&Default::default());
    let mut renderer = GizmoRenderer::new(device(), PLAIN).expect("the target is supported");
    let list = styled(&case, Mode::Translate, DepthStyle::Hidden);
    let depth = SceneDepth::new(&texture, case.view.depth_direction());
    assert_eq!(renderer.prepare_with_depth(device(), queue(), &list, depth), Ok(()));
}
