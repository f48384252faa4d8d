//! Numbers, views and themes of which some are garbage.

use crate::oracle::{between, magnitude};
use crate::views::{self, Camera};
use fastrand::Rng;
use wgpu_gizmo_core::glam::{DMat4, DVec2, DVec3};
use wgpu_gizmo_core::{Theme, View, Viewport};

/// Returns a moderate number in most cases, and sometimes a huge, tiny or non-finite one.
pub(crate) fn number(rng: &mut Rng) -> f64 {
    const EXTREMES: [f64; 12] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        1e308,
        -1e308,
        f64::MIN_POSITIVE,
        5e-324,
        f64::EPSILON,
        1e160,
        -1e-160,
    ];
    match rng.u8(..6) {
        0 => EXTREMES[rng.usize(..EXTREMES.len())],
        1 => magnitude(rng, -20.0, 20.0),
        _ => between(rng, -3.0, 3.0),
    }
}

pub(crate) fn vector(rng: &mut Rng) -> DVec3 {
    DVec3::new(number(rng), number(rng), number(rng))
}

pub(crate) fn view(rng: &mut Rng) -> View {
    let camera = Camera::at(DVec3::new(between(rng, -9.0, 9.0), between(rng, -9.0, 9.0), 5.0));
    let shot = views::ALL[rng.usize(..views::ALL.len())].shot(&camera);
    let viewport = Viewport { x: number(rng), y: number(rng), width: number(rng), height: number(rng) };
    let matrix = DMat4::from_cols_array(&std::array::from_fn(|_| number(rng)));
    // Each part alone, because a view of several such numbers is rarely valid.
    let garbage = match rng.u8(..12) {
        0 => View::from_clip_from_world(matrix, camera.viewport, 1.0),
        1 => View::from_clip_from_world(shot.clip_from_world, viewport, 1.0),
        2 => View::from_clip_from_world(shot.clip_from_world, camera.viewport, number(rng)),
        3 => View::from_clip_from_world(shot.clip_from_world * number(rng), camera.viewport, 1.0),
        _ => Ok(shot.view),
    };
    garbage.unwrap_or(shot.view)
}

pub(crate) fn theme(rng: &mut Rng) -> Theme {
    let mut part = |plain: f32| if rng.u8(..4) == 0 { number(rng) as f32 } else { plain };
    let plain = Theme::dark();
    plain.with(|t| {
        t.colors.axes = plain.colors.axes.map(|color| color.map(&mut part));
        t.colors.active = plain.colors.active.map(&mut part);
        t.colors.guide = plain.colors.guide.map(&mut part);
        t.opacities.ball = plain.opacities.ball.map(&mut part);
        t.opacities.square = plain.opacities.square.map(&mut part);
        t.opacities.dimmed = part(0.5);
        t.opacities.far_half = part(plain.opacities.far_half);
        t.sizes.line_lpx = part(plain.sizes.line_lpx);
        t.opacities.guide = plain.opacities.guide.map(&mut part);
        t.opacities.sector = part(plain.opacities.sector);
        t.sizes.guide_lpx = part(plain.sizes.guide_lpx);
        t.letters = part(0.0) == 0.0;
        t.sizes.letter_lpx = part(plain.sizes.letter_lpx);
    })
}

pub(crate) fn cursor(rng: &mut Rng) -> DVec2 {
    if rng.u8(..3) == 0 {
        DVec2::new(number(rng), number(rng))
    } else {
        DVec2::new(between(rng, 0.0, 800.0), between(rng, 0.0, 600.0))
    }
}
