//! Guides on the GPU: equal in every host pass, clipped to the viewport, and not in the ID image.

use crate::common::prelude::*;

/// Returns the draw list of a drag that was pressed `from` sizes off the pivot.
pub(crate) fn dragged(case: &Case, mode: Mode, from: DVec3, letters: bool) -> DrawList {
    let (mut gizmo, targets) = gizmo(case, mode, &mut IdSpace::new());
    gizmo.theme.letters = letters;
    gizmo.settings.snap.increments = Snap::DEFAULT_INCREMENTS;
    gizmo.settings.display.construction_lines = letters;
    let (view, pivot) = (&case.view, PIVOT_WORLD);
    let v = view.viewport();
    let size_px = (gizmo.settings.display.size_lpx * view.scale_factor()).min(0.4 * v.width.min(v.height));
    let press = case.px(pivot + from * (size_px * view.pixel_size(pivot)));
    let list = drag(view, (gizmo, targets), press, DVec2::new(31.0, -12.0) * view.scale_factor());
    assert!(!list.guides()[0].is_empty() && list.readouts().count() == 1, "{}, {mode:?}", case.name);
    list
}

const DRAGS: [(Mode, DVec3); 6] = [
    (Mode::Translate, DVec3::new(0.7, 0.0, 0.0)),
    (Mode::Translate, DVec3::new(0.4, 0.0, 0.4)),
    (Mode::Rotate, DVec3::new(0.6, 0.0, 0.8)),
    (Mode::Scale, DVec3::new(0.0, 0.7, 0.0)),
    (Mode::Scale, DVec3::ZERO),
    (Mode::Universal, DVec3::new(0.0, 1.3, 0.0)),
];

/// And they are not in the ID image.
#[test]
fn guides_are_equal_in_every_host_pass() {
    let case = cases::named("reversed depth, infinite far");
    for (mode, from) in DRAGS {
        let [bare, list] = [false, true].map(|letters| dragged(&case, mode, from, letters));
        assert_ne!(bare.guides(), list.guides());
        let [bare, ids] = [&bare, &list].map(|list| gpu().id_image(case.target, &case.view, list));
        assert_eq!(bare, ids, "{mode:?}");
        let plain = picture(&case, PLAIN, 0.2, &list);
        for depth_stencil in
            [None, Some(TextureFormat::Depth32Float), Some(TextureFormat::Depth24PlusStencil8)]
        {
            let state = TargetState { depth_stencil, ..PLAIN };
            assert_eq!(difference(&picture(&case, state, 0.2, &list), &plain).0, 0, "{mode:?} in {state:?}");
            let state = TargetState { sample_count: 4, depth_stencil, ..PLAIN };
            let other = picture(&case, state, 0.2, &list);
            let (_, mean) = difference(&other, &plain);
            // Ends of strokes and edges of sectors are sharp, so multisampling changes them.
            let sharp = other.iter().zip(&plain).filter(|(a, b)| difference(&[**a], &[**b]).0 > 24).count();
            assert!(sharp * 400 < plain.len() && mean < 0.15, "{mode:?}: {sharp} pixels, {mean} on average");
        }
        for (background, max_mean) in [(0.05, 4.0), (0.25, 0.7), (0.6, 2.0)] {
            let plain = picture(&case, PLAIN, background, &list);
            let state = TargetState { format: TextureFormat::Rgba8UnormSrgb, ..PLAIN };
            let (_, mean) = difference(&picture(&case, state, background, &list), &plain);
            assert!(mean <= max_mean, "{mode:?} on {background}: {mean} on average");
        }
    }
}

/// An image viewer that zooms far into a picture has such a view.
#[test]
fn guides_show_in_view_larger_than_max_texture() {
    let case = cases::named("right-handed perspective");
    let pivot_px = case.px(PIVOT_WORLD);
    let center = DVec2::new(case.target[0].into(), case.target[1].into()) * 0.5;
    let green_in = |zoom: f64| {
        let v = case.view.viewport();
        let origin = center - (pivot_px - DVec2::new(v.x, v.y)) * zoom;
        let viewport = Viewport { x: origin.x, y: origin.y, width: v.width * zoom, height: v.height * zoom };
        let case = case.in_viewport(viewport, 1.0);
        let (mut gizmo, mut targets) = gizmo(&case, Mode::Translate, &mut IdSpace::new());
        let list = typed(&case.view, (&mut gizmo, &mut targets), "y");
        let image = picture(&case, PLAIN, 0.2, &list);
        let is_line = |texel: &&[u8; 4]| texel[1].saturating_sub(texel[0].max(texel[2])) > 30;
        // The part below the arrow, which fades out.
        image[image.len() * 9 / 16..].iter().filter(is_line).count()
    };
    let plain = green_in(1.0);
    assert!(plain > 20, "{plain} pixels of the line");
    for zoom in [3.0, 12.0, 40.0] {
        let green = green_in(zoom);
        assert!(green * 2 > plain, "{green} pixels of the line at zoom {zoom}");
    }
}

#[test]
fn stroke_width_follows_theme_with_soft_edges() {
    let case = cases::named("orthographic");
    for guide_lpx in [0.5f32, 1.25, 3.5] {
        let (mut gizmo, targets) = gizmo(&case, Mode::Translate, &mut IdSpace::new());
        let theme = &mut gizmo.theme;
        theme.sizes.guide_lpx = guide_lpx;
        theme.opacities.guide = [1.0, 1.0];
        theme.colors.axes[1] = [1.0, 1.0, 1.0, 1.0];
        theme.colors.guide[3] = 0.0;
        // From above the pivot, on the y arrow.
        let press = case.px(PIVOT_WORLD) - DVec2::Y * 40.0;
        let list = drag(&case.view, (gizmo, targets), press, DVec2::Y * -120.0);
        // On black there is no halo. The row is between the start and the pivot, where the line does not fade out.
        let image = picture(&case, PLAIN, 0.0, &list);
        let pivot_px = case.px(PIVOT_WORLD);
        let row = pivot_px.y as usize - 20;
        let width = case.target[0] as usize;
        let light: f64 = image[row * width..][..width].iter().map(|texel| f64::from(texel[0]) / 255.0).sum();
        assert!((light - f64::from(guide_lpx)).abs() < 0.2, "{guide_lpx} lpx give {light}");
    }
}

#[test]
fn stroked_readout_is_legible_on_any_scene() {
    let reference = cases::named("reversed depth, infinite far");
    for scale in [1, 2] {
        let target = reference.target.map(|side| side * scale);
        let viewport = Viewport::from_size(target[0], target[1]);
        let case = Case { target, ..reference.in_viewport(viewport, scale.into()) };
        let (mut gizmo, mut targets) = gizmo(&case, Mode::Translate, &mut IdSpace::new());
        let list = typed(&case.view, (&mut gizmo, &mut targets), "x-25cm");
        let readout = list.readouts().next().expect("a drag has a readout");
        assert_eq!(readout.text, "X -25cm");
        let px = |lpx: f64| lpx * f64::from(scale);
        let (size_px, margin_px) = (DVec2::new(px(8.0 * 7.0), px(16.0)), px(3.0));
        let min = readout.anchor_px - DVec2::Y * 0.5 * size_px.y;
        let mut stroked = list.clone();
        stroked.stroke_readouts();
        assert_eq!((stroked.items(), stroked.bounds_px()), (list.items(), list.bounds_px()));
        for background in [0.0, 0.5, 1.0] {
            let [plain, with] = [&list, &stroked].map(|list| picture(&case, PLAIN, background, list));
            let (mut light, mut dark) = (0, 0);
            for (index, (before, after)) in plain.iter().zip(&with).enumerate().filter(|(_, (a, b))| a != b) {
                let [x, y] = [index % target[0] as usize, index / target[0] as usize].map(|at| at as f64);
                let at = DVec2::new(x, y) + 0.5 - min;
                let is_inside =
                    at.cmpge(DVec2::splat(-margin_px)).all() && at.cmple(size_px + margin_px).all();
                assert!(is_inside, "{at} from {before:?} to {after:?}");
                light += u32::from(after[1] > 200);
                dark += u32::from(after[1] < 80);
            }
            let area = (size_px.x * size_px.y) as u32;
            assert!(light * 20 > area && dark * 2 > area, "{light} light and {dark} dark of {area} pixels");
        }
    }
}
