//! Squares with a border.

use super::edges::Inset;
use super::{ShapeRim, Triangles, crossing, mix};
use crate::draw::shape::{Shape, Square};
use glam::DVec2;

/// Adds a square with a border.
pub(super) fn square(triangles: &mut Triangles, shape: &Shape, rim: Option<ShapeRim>) {
    let data: Square = bytemuck::cast(shape.data);
    let sides = data.sides.map(|side| side.map(f64::from));
    let normal = |i: usize| DVec2::new(sides[i][0], sides[i][1]);
    let mut corners = [DVec2::ZERO; 4];
    for (i, corner) in corners.iter_mut().enumerate() {
        let Some(at) = crossing(sides[(i + 3) % 4], sides[i]) else { return };
        *corner = shape.anchor_px + at;
    }
    let miters: [_; 4] = std::array::from_fn(|i| {
        let [a, b] = [normal((i + 3) % 4), normal(i)];
        (a + b) / (1.0 + a.dot(b)).max(0.05)
    });
    // The circle inside of it bounds how far the border reaches inward.
    let Some(inward) = Inset::radius(corners.iter().copied()) else { return };
    let half_width = f64::from(data.half_width);
    let halo_px = shape.halo_px();
    let color = |from: f64| {
        let [outer, inner] = [half_width, -half_width].map(|edge| (edge + 0.5 - from).clamp(0.0, 1.0) as f32);
        let [fill, border] = shape.colors;
        // The border has a rim on both sides.
        let border = rim.map_or(border, |rim| {
            let core = (half_width - rim.width_px() + 0.5 - from.abs()).clamp(0.0, 1.0) as f32;
            mix(rim.lit(border).color, border, core)
        });
        let (fill_opacity, border_opacity) = (fill[3] * inner, border[3] * (outer - inner));
        let opacity = fill_opacity + border_opacity;
        let halo = (half_width + halo_px + 0.5 - from).clamp(0.0, 1.0) as f32 * shape.halo.opacity;
        let premultiplied = |channel: usize| fill[channel] * fill_opacity + border[channel] * border_opacity;
        let [r, g, b] = [0, 1, 2].map(premultiplied);
        [r, g, b, opacity + halo * (1.0 - outer)]
    };
    let ring = |triangles: &mut Triangles, from: f64| {
        let from = from.max(-inward);
        let at = |i: usize| corners[i] + miters[i] * from;
        [0, 1, 2, 3].map(|i| triangles.vertex(at(i), color(from)))
    };
    let inside = -half_width - 0.5;
    let middle = (half_width - 0.5).abs();
    let halo_end = half_width + halo_px + 0.5;
    let rim_end = |by: f64| (half_width - rim.map_or(0.0, |rim| rim.width_px()) + by).max(0.0);
    let rim_ends = [-rim_end(0.5), -rim_end(-0.5), rim_end(-0.5), rim_end(0.5)];
    let rim_ends = if rim.is_some() { &rim_ends[..] } else { &[] };
    let stops = [middle, half_width + 0.5, (halo_end - 1.0).max(half_width + 0.5), halo_end];
    let stops = if halo_px > 0.0 { &stops[..] } else { &stops[..2] };
    if shape.colors[0][3] > 0.0 && inside > -inward {
        triangles.fan((0..4).map(|i| corners[i] + miters[i] * inside), color(inside));
    }
    let mut last = ring(triangles, inside);
    for stop in [&[-middle], rim_ends, stops].into_iter().flatten() {
        let next = ring(triangles, *stop);
        for i in 0..4 {
            triangles.quad([last[i], next[i]], [last[(i + 1) % 4], next[(i + 1) % 4]]);
        }
        last = next;
    }
}
