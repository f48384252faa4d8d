//! The shading of round parts. Rings are shaded along their length only: no speckles across a tube of a few pixels.

use crate::common::cases;
use crate::common::device::gpu;
use crate::common::host::{PLAIN, picture};
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::glam::{DVec3, dcamera::rh};
use wgpu_gizmo::handle::{CustomHandle, HandleMesh, HandleSet};
use wgpu_gizmo::{DrawList, Gizmo, HandleId, IdSpace, Mode, Target, Transform, View};

/// The largest difference of a channel among the opaque pixels of one ring, and their number.
fn spread(handle: &str, eye: DVec3, scale_factor: f64) -> (u8, usize) {
    let mut case = cases::named("reversed depth, infinite far");
    let camera = rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
    let projection = rh::proj::directx::perspective_infinite_reverse(0.6, 4.0 / 3.0, 0.1);
    case.view = View::new(camera, projection, case.view.viewport(), scale_factor).expect("the view is valid");
    let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
    let handle = HandleId::from_name(handle).expect("the handle is built in");
    gizmo.settings.mode = Mode::Handles(HandleSet::EMPTY.with(handle));
    gizmo.update(&case.view, &mut [Target::from_world(Transform::IDENTITY)]);
    let mut list = DrawList::new();
    gizmo.draw(list.begin(&case.view));
    let ids = gpu().id_image(case.target, &case.view, &list).ids;
    // Opaque pixels are the same on black and on white.
    let [dark, light] = [0.0, 1.0].map(|background| picture(&case, PLAIN, background, &list));
    let id = gizmo.id_of(handle).get();
    let opaque = (0..ids.len()).filter(|i| ids[*i] == id && dark[*i] == light[*i]);
    let (mut low, mut high, mut count) = ([255u8; 4], [0u8; 4], 0);
    for texel in opaque.map(|i| dark[i]) {
        low = std::array::from_fn(|channel| low[channel].min(texel[channel]));
        high = std::array::from_fn(|channel| high[channel].max(texel[channel]));
        count += 1;
    }
    let spread = (0..4).map(|channel| high[channel].saturating_sub(low[channel])).max();
    (spread.unwrap_or(0), count)
}

#[test]
fn ring_facing_view_has_one_color() {
    for (handle, eye) in
        [("rotate_z", DVec3::Z), ("rotate_x", DVec3::X), ("rotate_view", DVec3::new(1.0, 0.5, 2.0))]
    {
        for scale_factor in [1.0, 1.25, 2.0] {
            let (spread, count) = spread(handle, eye.normalize() * 8.0, scale_factor);
            println!("{handle} at {scale_factor}: {spread} of 255 among {count} pixels");
            assert!(count > 100, "{handle} at {scale_factor}: {count} opaque pixels");
            // One step of rounding, and the small turn of the view rays along the ring.
            assert!(spread <= 6, "{handle} at {scale_factor}: {spread} of 255");
        }
    }
}

/// From its outline to its middle, the brightness of a ball is a parabola, as on a sphere.
#[test]
fn ball_is_brighter_halfway_in_than_cone_would_be() {
    let case = cases::named("reversed depth, infinite far");
    let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
    let constraint = HandleId::from_name("translate_view").expect("the handle is built in").constraint();
    let placement = Transform { scale: DVec3::splat(0.8), ..Transform::IDENTITY };
    let ball = CustomHandle::new(constraint, HandleMesh::ball(), placement, [1.0; 4]);
    let ball = gizmo.add_handle(ball).expect("there is a free handle slot");
    gizmo.settings.mode = Mode::Handles(HandleSet::EMPTY.with(ball));
    gizmo.update(&case.view, &mut [Target::from_world(Transform::IDENTITY)]);
    let mut list = DrawList::new();
    gizmo.draw(list.begin(&case.view));
    let picture = picture(&case, PLAIN, 0.0, &list);
    let center = case.view.px_from_world(DVec3::ZERO).expect("the point is in front of the camera");
    let radius_px = 0.8 * gizmo.settings.display.size_lpx * case.view.scale_factor();
    let light = |share: f64| {
        let at = center + DVec2::X * (share * radius_px);
        f64::from(picture[at.y as usize * case.target[0] as usize + at.x as usize][0]) / 255.0
    };
    let [rim, halfway, middle] = [0.95, 0.475, 0.0].map(light);
    assert!(rim > 0.2 && middle > rim + 0.1, "{rim} {halfway} {middle}");
    assert!(halfway > 0.5 * (rim + middle) + 0.04, "{rim} {halfway} {middle}");
}
