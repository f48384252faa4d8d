//! The light on cubes and arrow heads, compared at each pixel with the surface that a ray finds there.

use crate::prelude::*;

/// Returns the light of the picture at a pixel: that of the last patch on it.
fn light_at(patches: &[Patch], px: DVec2) -> Option<f64> {
    let on_patch = |patch: &Patch| {
        let [[a, b], [c, d]] = patch.corners;
        let halves = if patch.is_triangle() { [[a, b, d]; 2] } else { [[a, b, c], [c, b, d]] };
        halves.into_iter().find_map(|[a, b, c]| {
            let area = (b.px - a.px).perp_dot(c.px - a.px);
            let share = |from: DVec2, to: DVec2| (to - from).perp_dot(px - from) / area;
            let shares = [share(b.px, c.px), share(c.px, a.px), share(a.px, b.px)];
            let light = shares[0] * a.light + shares[1] * b.light + shares[2] * c.light;
            shares.iter().all(|share| *share >= 0.0).then_some(light)
        })
    };
    patches.iter().rev().find_map(on_patch)
}

/// Returns the normal of a cube where a ray meets it, all in the space of the part.
fn cube_normal(origin: DVec3, along: DVec3) -> Option<DVec3> {
    let [low, high] = [DVec3::NEG_ONE, DVec3::ONE].map(|side| (side - origin) / along);
    let (enter, exit) = (low.min(high), low.max(high));
    let axis = enter.max_position();
    (enter[axis] < exit.min_element()).then(|| DVec3::AXES[axis] * -along[axis].signum())
}

/// Returns the same for an arrow head, which points along X.
fn cone_normal(origin: DVec3, along: DVec3) -> Option<DVec3> {
    let [height, radius] = [MeshKind::HEAD_LENGTH, MeshKind::HEAD_RADIUS].map(f64::from);
    let slope_squared = (radius / height).powi(2);
    // y² + z² = slope² (x - height)²
    let product = |u: DVec3, v: DVec3| u.y * v.y + u.z * v.z - slope_squared * u.x * v.x;
    let from_tip = origin - DVec3::X * height;
    let (a, b, c) = (product(along, along), product(along, from_tip), product(from_tip, from_tip));
    let root = (b * b - a * c).sqrt();
    let side = |t: f64| {
        let at = origin + along * t;
        let normal = DVec3::new(slope_squared * (height - at.x), at.y, at.z).normalize();
        (0.0..=height).contains(&at.x).then_some((t, normal))
    };
    let base = -origin.x / along.x;
    let is_on_base = (origin + along * base).with_x(0.0).length() < radius;
    let hits = [side((-b - root) / a), side((-b + root) / a), is_on_base.then_some((base, DVec3::NEG_X))];
    hits.into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, normal)| normal)
}

/// A pixel of a solid.
struct Sample {
    is_flat: bool,
    /// The cosines of the surface to the viewer and to the light.
    to_viewer: f64,
    to_light: f64,
    /// The light in the picture.
    light: f64,
}

/// Returns pixels of a part, except for those close to its edges.
fn samples(list: &DrawList, item: &Item, view: &View) -> Vec<Sample> {
    let mut patches = Vec::new();
    Painting::default().patches(list, &Rect::EVERYWHERE, |_, patch| {
        let is_stem = patch.half_widths.is_some();
        patches.extend((!is_stem).then_some(*patch));
    });
    let part_from_world = item.world_from_part.inverse();
    let normal_at = |px: DVec2| {
        let ray = view.pointer_ray(px);
        let origin = part_from_world.transform_point3(ray.origin);
        let normal = if item.mesh == MeshKind::Cube { cube_normal } else { cone_normal };
        normal(origin, part_from_world.transform_vector3(ray.direction))
    };
    // From the viewer, a bit above and to the left.
    let light = (0.55 * view.up() - 0.25 * view.right() - view.forward()).normalize();
    let to_viewer = -view.direction_to(item.world_from_part.translation);
    let center = item.px_from_part(DVec3::ZERO).expect("the part is visible");
    let sample = |by: DVec2| {
        let normal = normal_at(center + by)?;
        let is_near =
            |other: DVec2| normal_at(center + by + other * 3.0).is_some_and(|n| n.dot(normal) > 0.9);
        if ![DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].into_iter().all(is_near) {
            return None;
        }
        let world = (item.world_from_part.matrix3 * normal).normalize();
        Some(Sample {
            is_flat: normal.abs().max_element() == 1.0,
            to_viewer: world.dot(to_viewer),
            to_light: world.dot(light),
            light: light_at(&patches, center + by).expect("the part is painted there"),
        })
    };
    let grid = (-40..=40).flat_map(|y| (-40..=40).map(move |x| DVec2::new(x.into(), y.into()) * 4.0));
    grid.filter_map(sample).collect()
}

/// Returns pixels of the solid of a handle, seen from many sides, among them straight along the axes, and between two
/// axes with the third edge-on.
fn samples_from_all_sides(name: &str, mesh: MeshKind) -> Vec<Sample> {
    let (mut rng, mut found, mut views) = (Rng::with_seed(11), Vec::new(), 0);
    for (case, projection) in (0..100).zip(views::ALL.iter().cycle()) {
        let mut stage = Stage::of_mode(Mode::Handles(HandleSet::EMPTY.with(handle(name))));
        stage.gizmo.settings.orientation = Orientation::Local;
        let [x, y, z] = [0, 1, 2].map(|axis| DVec3::AXES[(case + axis) % 3]);
        let [eye, up] = match case {
            0..3 => [x, y],
            // Near faces are a third and two thirds of the width, or the other way round.
            3..9 => [x + y * if case < 6 { 0.5 } else { 2.0 }, z],
            _ => [direction(&mut rng), direction(&mut rng)],
        };
        let eye = eye.normalize();
        if case >= 9 {
            stage.targets[0].local.rotation = rotation(&mut rng);
        }
        let viewport = Viewport::from_size(6_000, 6_000);
        stage.shot = projection.shot(&Camera { viewport, up, ..Camera::at(eye * 9.0) });
        stage.gizmo.settings.display.size_lpx = 1_000.0 / stage.shot.view.scale_factor();
        stage.update();
        let (list, view) = (stage.draw(), stage.shot.view);
        let Some(item) = list.items().iter().find(|item| item.mesh == mesh) else { continue };
        // Cubes are painted as in parallel projection. This one is so large that perspective can show a face that is
        // almost edge-on in its middle at one end alone.
        let to_viewer = view.direction_to(item.world_from_part.translation);
        let cosines =
            DVec3::AXES.map(|axis| (item.world_from_part.matrix3 * axis).normalize().dot(to_viewer).abs());
        if mesh == MeshKind::Cube && cosines.iter().any(|cosine| (1e-3..0.15).contains(cosine)) {
            continue;
        }
        found.extend(samples(&list, item, &view));
        views += 1;
    }
    assert!(views > 30, "{views} views of {name}");
    found
}

#[test]
fn surfaces_are_lighter_the_more_they_face_light() {
    let mut cubes = samples_from_all_sides("scale_x", MeshKind::Cube);
    cubes.extend(samples_from_all_sides("scale_uniform", MeshKind::Cube));
    cubes.sort_by(|a, b| a.to_light.total_cmp(&b.to_light));
    for pair in cubes.windows(2) {
        let [a, b] = [&pair[0], &pair[1]];
        let more = b.light - a.light;
        // Views of single precision round directions to seven digits.
        let is_same = b.to_light - a.to_light < 1e-6;
        assert!(more > -1e-5 && (!is_same || more < 1e-5), "{}: {} to {}", a.to_light, a.light, b.light);
    }
    let range = cubes[cubes.len() - 1].light - cubes[0].light;
    assert!(range > 0.25, "faces differ by {range}");
    // Arrow heads are in the same light as cubes.
    let off = |head: &Sample| {
        let next = cubes.partition_point(|cube| cube.to_light < head.to_light).clamp(1, cubes.len() - 1);
        let [a, b] = [&cubes[next - 1], &cubes[next]];
        let part = (head.to_light - a.to_light) / (b.to_light - a.to_light).max(1e-9);
        (head.light - a.light - (b.light - a.light) * part.clamp(0.0, 1.0)).abs()
    };
    let heads = samples_from_all_sides("translate_x", MeshKind::Cone);
    let (base, side): (Vec<_>, Vec<_>) = heads.iter().partition(|head| head.is_flat);
    let wrong = base.iter().filter(|head| off(head) > 0.01).count();
    // Except for some that are almost edge-on.
    assert!(wrong * 200 < base.len(), "{wrong} of {} pixels of bases", base.len());
    // The light around a side is a curve, and in the picture linear from the outline to the middle: these are the
    // differences in the mean, with a fifth more.
    for (low, high, limit) in [(0.0, 0.5, 0.066), (0.5, 0.8, 0.086), (0.8, 1.0, 0.084)] {
        let offs = side.iter().filter(|head| (low..high).contains(&head.to_viewer)).map(|head| off(head));
        let (count, sum) = offs.fold((0, 0.0), |(count, sum), off| (count + 1, sum + off));
        assert!(count > 5_000 && sum / f64::from(count) < limit, "{low} to {high}: {sum} at {count} pixels");
    }
}
