//! Outlines in every host pass and in tiny views.

use super::{NONE, RED, frame, ids, outline, picture};
use crate::common::prelude::*;

#[test]
fn outline_distinguishes_thousands_of_ids() {
    let case = cases::named("orthographic, reversed depth");
    let mut rng = Rng::with_seed(8);
    let mut chosen: Vec<u32> = (0..9_000).map(|_| rng.u32(2..u32::MAX - 1)).collect();
    chosen.extend([1, 1 << 31, u32::MAX]);
    let chosen_ids = ids(&chosen);
    let style = OutlineStyle { ids: &chosen_ids, color: RED, width_lpx: 2.0 };
    let mut outline = outline(PLAIN, style, NONE);
    let lines = |id: u32, outline: &mut Outline| {
        let id = NonZeroU32::new(id).expect("ids start at 1");
        let host = Host::new(&case.view, vec![(facing(&case.view, PIVOT_WORLD, 20.0), id)]);
        let picture = frame(&case, PLAIN, outline, |pass, clip| host.draw(pass, clip));
        picture.iter().filter(|pixel| pixel[0] > 128).count()
    };
    chosen.sort_unstable();
    let some = [0, 1, chosen.len() / 2, chosen.len() - 2, chosen.len() - 1].map(|i| chosen[i]);
    for id in some.into_iter().chain([1, 1 << 31, u32::MAX]) {
        assert!(lines(id, &mut outline) > 100, "{id} is outlined");
        for other in [id.wrapping_sub(1), id.wrapping_add(1)] {
            if other != 0 && chosen.binary_search(&other).is_err() {
                assert_eq!(lines(other, &mut outline), 0, "{other} is not outlined, next to {id}");
            }
        }
    }
    // Fewer ids, and then none of the old ones.
    let fewer = ids(&[7]);
    let style = OutlineStyle { ids: &fewer, color: RED, width_lpx: 2.0 };
    outline.set(device(), queue(), &[NONE, NONE, NONE, style]).expect("the ids fit");
    assert!(lines(7, &mut outline) > 100);
    assert_eq!([lines(some[2], &mut outline), lines(u32::MAX, &mut outline)], [0; 2]);
}

#[test]
fn empty_outline_and_viewport_border_have_no_line() {
    let case = cases::named("viewport at an offset");
    let is_black = |picture: Vec<[u8; 4]>| picture.iter().all(|pixel| pixel[..3] == [0; 3]);
    let chosen = ids(&[1]);
    let style = |width_lpx: f32| OutlineStyle { ids: &chosen, color: RED, width_lpx };
    for style in [NONE, style(0.0), style(-3.0), style(f32::NAN)] {
        let mut outline = outline(PLAIN, style, NONE);
        let never = |_: &mut wgpu::RenderPass<'_>, _: DMat4| panic!("nothing is outlined");
        assert!(is_black(frame(&case, PLAIN, &mut outline, never)), "{style:?}");
    }
    let host = Host::new(&case.view, vec![(facing(&case.view, PIVOT_WORLD, 4_000.0), NonZeroU32::MIN)]);
    let mut outline = outline(PLAIN, style(3.0), NONE);
    let picture = frame(&case, PLAIN, &mut outline, |pass, clip| host.draw(pass, clip));
    assert!(is_black(picture), "the object fills the view");
}

/// Also if the outline may have occluded parts, of which there are none.
#[test]
fn outline_is_equal_in_every_host_pass() {
    let case = cases::named("two pixels to the pixel");
    let host = Host::new(&case.view, vec![(facing(&case.view, PIVOT_WORLD, 90.0), NonZeroU32::MIN)]);
    let chosen = ids(&[1]);
    // Bytes are exact: drivers round halves either way.
    let style = OutlineStyle { ids: &chosen, color: [1.0, 0.6, 0.2, 1.0], width_lpx: 2.0 };
    let draw = |pass: &mut wgpu::RenderPass<'_>, clip: DMat4| host.draw(pass, clip);
    let drawn = |state: TargetState| {
        let mut outline = outline(state, style, NONE);
        outline.occluded_opacity = 0.7;
        let plain = frame(&case, state, &mut outline, draw);
        assert!(plain.iter().any(|pixel| pixel[0] > 100));
        let whole = picture(&case, state, &mut outline, |outline, encoder| {
            let prepared = outline.prepare_with_occluded(device(), queue(), encoder, &case.view, draw, draw);
            prepared.expect("the device is alive");
        });
        assert_eq!(difference(&plain, &whole).0, 0, "{state:?}");
        plain
    };
    let plain = drawn(PLAIN);
    let depth_stencil = Some(TextureFormat::Depth32Float);
    for state in [
        TargetState { sample_count: 4, ..PLAIN },
        TargetState { depth_stencil, ..PLAIN },
        TargetState { sample_count: 4, depth_stencil, ..PLAIN },
    ] {
        assert_eq!(difference(&plain, &drawn(state)).0, 0, "{state:?}");
    }
    // Partly covered pixels differ: blending in linear light is adjusted to look the same.
    let srgb = drawn(TargetState { format: TextureFormat::Rgba8UnormSrgb, ..PLAIN });
    let is_solid = |(texel, _): &(&[u8; 4], &[u8; 4])| **texel == [255, 153, 51, 255];
    let apart = plain.iter().zip(&srgb).filter(is_solid).map(|(a, b)| difference(&[*a], &[*b]).0);
    assert!(apart.max().expect("some pixels are solid") <= 1);
    assert!(difference(&plain, &srgb).1 < 1.0);
}

/// Then others, with wide lines.
#[test]
fn outline_survives_tiny_views() {
    let small = cases::named("right-handed perspective");
    let viewport = Viewport { x: 7.0, y: 9.0, width: 1.0, height: 1.0 };
    let chosen = ids(&[1]);
    let mut outline = outline(PLAIN, OutlineStyle { ids: &chosen, color: RED, width_lpx: 30.0 }, NONE);
    let mut lined = 0;
    for case in [small.in_viewport(viewport, 1.0), small.clone()] {
        let triangle = facing(&small.view, PIVOT_WORLD, 60.0);
        let host = Host::new(&case.view, vec![(triangle, NonZeroU32::MIN)]);
        let picture = frame(&case, PLAIN, &mut outline, |pass, clip| host.draw(pass, clip));
        lined = picture.iter().filter(|pixel| pixel[0] > 128).count();
    }
    assert!(lined > 3_000);
}
