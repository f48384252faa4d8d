//! Anti-aliasing without samples: compares the coverage of edge pixels with 256 samples per pixel of the
//! shapes in world space.

use crate::common::prelude::*;

/// Samples per pixel.
const SAMPLES: u32 = 256;
/// Pixels along the side of a block that is compared with the pieces near it.
const BLOCK: usize = 16;

const HANDLES: [&str; 9] = [
    "translate_x",
    "translate_xy",
    "translate_view",
    "rotate_y",
    "rotate_z",
    "rotate_view",
    "scale_y",
    "scale_zx",
    "scale_uniform",
];

/// The positions of the camera: in front, and oblique ones.
const EYES: [DVec3; 4] = [
    DVec3::new(0.0, 0.0, 8.0),
    DVec3::new(2.0, 2.5, 6.0),
    DVec3::new(-5.0, 1.7, 4.0),
    DVec3::new(3.0, -6.0, 2.5),
];

/// A point of a stroke on screen, with half of the width there.
#[derive(Clone, Copy)]
struct Dot {
    px: DVec2,
    half_width: f64,
}

/// The area that a part covers, for the reference.
enum Reference<'a> {
    /// The pieces of a stroke, each between two points.
    Stroke(Vec<[Dot; 2]>),
    /// A convex polygon: for each side a unit normal and the distance along it that the inside is before.
    Polygon([(DVec2, f64); 4]),
    /// A solid in the space of a part, and a circle around it in pixels.
    Solid(&'a Item, DAffine3, DVec2, f64),
}

fn half_width_px(view: &View, point: DVec3, line_lpx: f64) -> f64 {
    0.5 * line_lpx * view.scale_factor() * view.clip_w(DVec3::ZERO) / view.clip_w(point)
}

fn reference<'a>(view: &View, item: &'a Item) -> Reference<'a> {
    let at = |part: DVec3| item.world_from_part.transform_point3(part);
    let px = |part: DVec3| view.px_from_world(at(part)).expect("the point is in front of the camera");
    let dot = |part: DVec3, factor: f64| Dot {
        px: px(part),
        half_width: factor * half_width_px(view, at(part), Theme::dark().sizes.line_lpx.into()),
    };
    match item.mesh {
        MeshKind::Stem => {
            Reference::stroke((0..=64).map(|i| dot(DVec3::X * f64::from(i) / 64.0, 1.0)).collect())
        }
        MeshKind::Ring => {
            let step = |i: i32| {
                let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / 1440.0).sin_cos();
                let radial = DVec3::new(0.0, cos, sin);
                // The far half is transparent here.
                let is_near = item.is_whole_in_ids() || radial.dot(item.to_eye_part()) > -0.05;
                dot(radial, if is_near { 1.0 } else { 0.0 })
            };
            Reference::stroke((0..=1440).map(step).collect())
        }
        MeshKind::Square => {
            let corners =
                [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[y, z]| DVec3::new(0.0, y, z));
            let middle = at(DVec3::new(0.0, 0.5, 0.5));
            let by = 0.75 * half_width_px(view, middle, Theme::dark().sizes.line_lpx.into());
            let corners = corners.map(px);
            let area: f64 = (0..4).map(|i| corners[i].perp_dot(corners[(i + 1) % 4])).sum();
            Reference::Polygon(std::array::from_fn(|i| {
                let along = (corners[(i + 1) % 4] - corners[i]).normalize();
                let outward = -along.perp() * area.signum();
                (outward, outward.dot(corners[i]) + by)
            }))
        }
        _ => {
            let (low, high) = match item.mesh {
                MeshKind::Cone => {
                    let [length, radius] = [MeshKind::HEAD_LENGTH, MeshKind::HEAD_RADIUS].map(f64::from);
                    (DVec3::new(0.0, -radius, -radius), DVec3::new(length, radius, radius))
                }
                _ => (DVec3::NEG_ONE, DVec3::ONE),
            };
            let corner = |i: u32| {
                let side = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
                px(DVec3::new(side(0), side(1), side(2)))
            };
            let center = px((low + high) * 0.5);
            let radius = (0..8).map(|i| corner(i).distance(center)).fold(0.0, f64::max);
            Reference::Solid(item, item.world_from_part.inverse(), center, radius)
        }
    }
}

fn meets(item: &Item, part_from_world: &DAffine3, ray: &Ray) -> bool {
    let origin = part_from_world.transform_point3(ray.origin);
    let direction = part_from_world.transform_vector3(ray.direction);
    let [length, radius] = [MeshKind::HEAD_LENGTH, MeshKind::HEAD_RADIUS].map(f64::from);
    match item.mesh {
        MeshKind::Cube => {
            let [a, b] = [-1.0, 1.0].map(|side| (DVec3::splat(side) - origin) / direction);
            a.min(b).max_element() <= a.max(b).min_element()
        }
        MeshKind::Cone => {
            // On the side: |(y, z)| = slope · (length - x).
            let slope = radius / length;
            let (p, d) = (DVec2::new(origin.y, origin.z), DVec2::new(direction.y, direction.z));
            let (h, k) = (slope * (length - origin.x), -slope * direction.x);
            let (a, b, c) = (d.dot(d) - k * k, p.dot(d) - h * k, p.dot(p) - h * h);
            let root = (b * b - a * c).sqrt();
            let hits = [(-b - root) / a, (-b + root) / a];
            let is_on_side = |t: f64| (0.0..=length).contains(&(origin.x + t * direction.x));
            let base = -origin.x / direction.x;
            hits.into_iter().any(is_on_side) || (p + d * base).length() <= radius
        }
        _ => origin.cross(direction).length() <= direction.length(),
    }
}

impl Reference<'_> {
    fn stroke(dots: Vec<Dot>) -> Self {
        Self::Stroke(dots.windows(2).map(|pair| [pair[0], pair[1]]).collect())
    }

    /// Drops the pieces that are farther from a point than this distance plus the extent of a pixel.
    fn near(&self, center: DVec2, distance_px: f64) -> Option<Self> {
        match self {
            Self::Stroke(pieces) => {
                let far = |[a, b]: &[Dot; 2]| {
                    let along = b.px - a.px;
                    let t = ((center - a.px).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                    // A sample is at most 0.71 pixels from the center of its pixel.
                    let reach = a.half_width.max(b.half_width) + 0.8;
                    (a.px + along * t).distance(center) > reach + distance_px
                };
                let near: Vec<_> = pieces.iter().filter(|piece| !far(piece)).copied().collect();
                (!near.is_empty()).then_some(Self::Stroke(near))
            }
            Self::Polygon(sides) => {
                let far = sides.iter().any(|(outward, end)| outward.dot(center) > end + 0.8 + distance_px);
                (!far).then_some(Self::Polygon(*sides))
            }
            Self::Solid(item, part_from_world, middle, radius) => (middle.distance(center)
                <= radius + 2.0 + distance_px)
                .then_some(Self::Solid(item, *part_from_world, *middle, *radius)),
        }
    }

    fn contains(&self, view: &View, px: DVec2) -> bool {
        match self {
            Self::Stroke(pieces) => pieces.iter().any(|[from, to]| {
                let (a, along) = (from.px, to.px - from.px);
                let t = (px - a).dot(along) / along.length_squared();
                let half_width = from.half_width + (to.half_width - from.half_width) * t;
                // Flat ends; pieces of a ring meet within a hundredth of a pixel.
                let slack = 0.01 / along.length();
                (-slack..=1.0 + slack).contains(&t) && (px - a - along * t).length() <= half_width
            }),
            Self::Polygon(sides) => sides.iter().all(|(outward, end)| outward.dot(px) <= *end),
            Self::Solid(item, part_from_world, ..) => meets(item, part_from_world, &view.pointer_ray(px)),
        }
    }
}

fn theme() -> Theme {
    Theme::dark().with(|t| {
        t.opacities.far_half = 0.0;
        t.opacities.square = [1.0, 1.0];
    })
}

/// The errors of one handle in one view.
struct Errors {
    sum: f64,
    worst: f64,
    count: u32,
    at: DVec2,
}

/// Returns the share of the samples of a pixel that are covered.
fn expected(case: &Case, parts: &[Reference<'_>], corner: DVec2) -> f64 {
    let near: Vec<_> = parts.iter().filter_map(|part| part.near(corner + 0.5, 0.0)).collect();
    if near.is_empty() {
        return 0.0;
    }
    // Hammersley's points: no two are in one row or column.
    let sample = |i: u32| DVec2::new(f64::from(i), f64::from((i as u8).reverse_bits())) / 256.0 + 0.5 / 256.0;
    let is_covered = |i: &u32| near.iter().any(|part| part.contains(&case.view, corner + sample(*i)));
    (0..SAMPLES).filter(is_covered).count() as f64 / f64::from(SAMPLES)
}

impl Errors {
    /// Adds a pixel, if it is on an edge.
    fn add(&mut self, center: DVec2, [expected, measured]: [f64; 2]) {
        let is_edge = |coverage: f64| (0.004..0.996).contains(&coverage);
        let error = (expected - measured).abs();
        if error < 0.5 && !is_edge(expected) && !is_edge(measured) {
            return;
        }
        self.sum += error;
        self.count += 1;
        if error > self.worst {
            (self.worst, self.at) = (error, center);
        }
    }
}

fn errors(case: &Case, renderer: &mut GizmoRenderer, list: &DrawList) -> Errors {
    let [dark, light] = [0.0, 1.0].map(|background| frame(case, PLAIN, background, renderer, list));
    let items = list.items();
    let parts: Vec<_> = items.iter().map(|item| reference(&case.view, item)).collect();
    let mut errors = Errors { sum: 0.0, worst: 0.0, count: 0, at: DVec2::ZERO };
    // Where a head meets its stem, and where the halves of a ring meet, two shapes cover a pixel.
    let joints: Vec<DVec2> = items.iter().flat_map(|item| joints(&case.view, item)).collect();
    // Each block of pixels is compared only with the pieces near it.
    let [width, height] = case.target.map(|side| side as usize);
    for (column, row) in
        (0..height.div_ceil(BLOCK)).flat_map(|y| (0..width.div_ceil(BLOCK)).map(move |x| (x, y)))
    {
        let middle = (DVec2::new(column as f64, row as f64) + 0.5) * BLOCK as f64;
        let reach = BLOCK as f64;
        let near: Vec<_> = parts.iter().filter_map(|part| part.near(middle, reach)).collect();
        let joint_reach = 4.5 * case.view.scale_factor();
        let joints: Vec<_> =
            joints.iter().copied().filter(|joint| joint.distance(middle) < reach + joint_reach).collect();
        for y in row * BLOCK..height.min((row + 1) * BLOCK) {
            for x in column * BLOCK..width.min((column + 1) * BLOCK) {
                let corner = DVec2::new(x as f64, y as f64);
                if joints.iter().any(|joint| joint.distance(corner + 0.5) < joint_reach) {
                    continue;
                }
                let i = y * width + x;
                let alpha = 1.0 - f64::from(light[i][1].saturating_sub(dark[i][1])) / 255.0;
                // On an edge the halo has all of its opacity.
                let measured = ((alpha - 0.6) / 0.4).max(0.0);
                errors.add(corner + 0.5, [expected(case, &near, corner), measured]);
            }
        }
    }
    errors
}

fn joints(view: &View, item: &Item) -> Vec<DVec2> {
    let at = |part: DVec3| view.px_from_world(item.world_from_part.transform_point3(part));
    let ring = |angle: i32| {
        let (sin, cos) = (f64::from(angle).to_radians()).sin_cos();
        let radial = DVec3::new(0.0, cos, sin);
        // The width changes gradually on the far half.
        let is_taper = (-0.42..0.0).contains(&radial.dot(item.to_eye_part()));
        (is_taper && !item.is_whole_in_ids()).then(|| at(radial)).flatten()
    };
    match item.mesh {
        // The stem of a cube ends in its middle. The stem of a foreshortened axis begins farther from the pivot,
        // so the cube covers a larger fraction of it.
        MeshKind::Stem => (0..=7).filter_map(|i| at(DVec3::X * (1.0 - 0.03 * f64::from(i)))).collect(),
        MeshKind::Ring => (0..360).filter_map(ring).collect(),
        _ => Vec::new(),
    }
}

/// The largest errors of coverage on the edges of a handle, as a mean and at one pixel. The largest are at obtuse
/// corners, where a pixel is cut by two edges: the shader multiplies their coverages.
const MAX_MEAN: f64 = 1.0 / 49.0;
const MAX_WORST: f64 = 0.2;

#[test]
fn edge_coverage_is_close_to_256_samples() {
    let (mut failures, mut total) = (Vec::new(), 0);
    let mut renderer = GizmoRenderer::new(device(), PLAIN).expect("the render target is supported");
    for scale_factor in [1.0, 1.25, 2.0] {
        for eye in EYES {
            let mut case = cases::named("reversed depth, infinite far");
            // As many pixels per radian as in a view of 1080 rows and 0.9 radians.
            let lens = rh::proj::directx::perspective_infinite_reverse(0.2138, 4.0 / 3.0, 0.1);
            case.view = cases::view([eye, DVec3::ZERO], lens, case.view.viewport(), scale_factor);
            for name in HANDLES {
                let list = alone(&case.view, handle(name), theme());
                if list.is_empty() {
                    continue;
                }
                let Errors { sum, worst, count, at } = errors(&case, &mut renderer, &list);
                let mean = sum / f64::from(count.max(1));
                let line = format!(
                    "{name} at {scale_factor} from {eye}: {mean:.4} mean, {worst:.4} worst at {at}, {count}"
                );
                total += count;
                if !(mean <= MAX_MEAN && worst <= MAX_WORST) {
                    failures.push(line);
                }
            }
        }
    }
    assert!(total > 30_000, "only {total} edge pixels");
    assert!(failures.is_empty(), "{} fail: {failures:#?}", failures.len());
}

/// Returns the part of a polygon where `inside` is positive: a linear function.
fn clipped(polygon: &[DVec2], inside: impl Fn(DVec2) -> f64) -> Vec<DVec2> {
    let mut rest = Vec::new();
    for (i, from) in polygon.iter().enumerate() {
        let to = polygon[(i + 1) % polygon.len()];
        let [a, b] = [inside(*from), inside(to)];
        rest.extend((a > 0.0).then_some(*from));
        rest.extend(((a > 0.0) != (b > 0.0)).then(|| from.lerp(to, a / (a - b))));
    }
    rest
}

/// The largest error of the coverage of a pixel on a straight edge: patches end 0.6 pixels beside the edge, where a
/// pixel at 45° is still covered by (0.5 √2 - 0.6)² = 0.0115, and pictures have 8 bits.
const MAX_STRAIGHT: f64 = 0.0115 + 1.0 / 255.0;

/// At every slope, it is the part of the square of the pixel on one side of the edge.
#[test]
fn straight_edge_covers_exact_part_of_pixels() {
    let case = cases::named("right-handed perspective");
    let width = case.target[0] as usize;
    let mut renderer = GizmoRenderer::new(device(), PLAIN).expect("the render target is supported");
    let center = DVec2::new(160.3, 119.6);
    let mut partial = 0;
    for degrees in (0..180).step_by(5) {
        let along = DVec2::from_angle(f64::from(degrees).to_radians());
        let mut list = DrawList::new();
        let painter = list.begin(&case.view).guide_painter(GuideLayer::Over).expect("the list has a view");
        let ink = StrokeStyle { color: [1.0; 4], width_lpx: 40.0 };
        painter.without_halo().stroke([center - along * 90.0, center + along * 90.0], ink);
        let [dark, light] =
            [0.0, 1.0].map(|background| frame(&case, PLAIN, background, &mut renderer, &list));
        for (i, (dark, light)) in dark.iter().zip(&light).enumerate() {
            let corner = DVec2::new((i % width) as f64, (i / width) as f64);
            let from_center = corner + 0.5 - center;
            if from_center.dot(along).abs() > 85.0 {
                continue;
            }
            let across = |px: DVec2| along.perp_dot(px - center);
            let square = [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y].map(|by| corner + by);
            let covered = clipped(&clipped(&square, |px| 20.0 - across(px)), |px| 20.0 + across(px));
            let next = covered.iter().skip(1).chain(&covered);
            let expected =
                0.5 * covered.iter().zip(next).map(|(a, b)| (*a - corner).perp_dot(*b - corner)).sum::<f64>();
            let measured = 1.0 - f64::from(light[1].saturating_sub(dark[1])) / 255.0;
            let off = (measured - expected).abs();
            assert!(off < MAX_STRAIGHT, "{degrees}°, {corner}: {measured} instead of {expected}");
            partial += usize::from((0.01..0.99).contains(&expected));
        }
    }
    assert!(partial > 10_000, "{partial} pixels on edges");
}
