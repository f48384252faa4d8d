//! The ready-made handles of lights and cameras: the number that each handle changes, and volumes without
//! handles.

use crate::prelude::*;
use std::f64::consts::FRAC_PI_2;

const CONE: Volume = Volume::Cone { range: Some(2.0), inner: 0.2, outer: 0.6 };
const LENS: Volume = Volume::Perspective { fov_y: 0.8, aspect: 1.5, near: 0.5, far: Some(3.0) };
const BOX: Volume = Volume::Orthographic { half_width: 1.5, half_height: 1.0, near: 0.5, far: 3.0 };

struct Lamp {
    handles: VolumeHandles,
    view: View,
    target: VolumeTarget,
}

impl Lamp {
    fn new(volume: Volume, world: Transform, view: View) -> Self {
        let handles = VolumeHandles::new(&mut IdSpace::new()).expect("ids are free");
        let mut lamp = Self { handles, view, target: VolumeTarget::new(world, volume) };
        lamp.update();
        lamp
    }

    fn update(&mut self) -> Vec<Event> {
        self.handles.update(&self.view, Some(&mut self.target)).to_vec()
    }

    fn world(&self, local: DVec3) -> DVec3 {
        self.target.world.translation + self.target.world.unit_rotation() * local
    }

    fn px(&self, local: DVec3) -> DVec2 {
        self.view.px_from_world(self.world(local)).expect("the handle is visible")
    }

    /// Presses the handle at a point and drags it to another; returns true if there is a handle.
    fn drag(&mut self, from: DVec3, to: DVec3) -> bool {
        let to_px = self.px(to);
        self.drag_px(from, to_px)
    }

    fn drag_px(&mut self, from: DVec3, to_px: DVec2) -> bool {
        self.handles.gizmo.pointer_moved(self.px(from));
        self.handles.gizmo.pointer_pressed();
        self.update();
        self.handles.gizmo.answer_on_cpu();
        self.update();
        self.handles.gizmo.pointer_moved(to_px);
        self.update();
        self.handles.gizmo.is_active()
    }

    fn release(&mut self) -> Vec<Event> {
        self.handles.gizmo.pointer_released();
        self.update()
    }
}

/// Returns a light or camera near the origin, seen from a random side by a random projection.
fn lamp(rng: &mut Rng, volume: Volume) -> Lamp {
    let projection = views::ALL[rng.usize(..views::ALL.len())];
    let camera = Camera::at(direction(rng) * between(rng, 9.0, 16.0));
    let world = Transform {
        translation: direction(rng) * between(rng, 0.0, 1.0),
        rotation: rotation(rng),
        scale: DVec3::new(between(rng, 0.1, 4.0), 1.0, -2.0),
    };
    Lamp::new(volume, world, projection.view(&projection.adjusted(&camera)))
}

fn rim(angle: f64, side: DVec3, range: f64) -> DVec3 {
    (side * angle.sin() - DVec3::Z * angle.cos()) * range
}

/// Drags the handle with this index from `from` to `to` in random views and compares the volume; returns how
/// many drags there were.
fn check(volume: Volume, index: usize, [from, to]: [DVec3; 2], expected: Volume) -> usize {
    let mut count = 0;
    cases(60, |rng| {
        let mut lamp = lamp(rng, volume);
        let world = lamp.target.world;
        // A handle that turns is followed along its tangent if its ring is seen edge-on.
        let ray = lamp.view.pointer_ray(lamp.px(from)).direction;
        let normal = world.unit_rotation() * from.cross(to).normalize_or_zero();
        let is_edge_on = normal != DVec3::ZERO && normal.dot(ray).abs() < 0.18;
        // Another handle may be in front, and an axis may point at the viewer.
        let is_dragged = lamp.drag(from, to);
        let handle = lamp.handles.gizmo.dragging().and_then(|handle| handle.custom_index());
        if !is_dragged || is_edge_on || handle != Some(index) {
            return;
        }
        let [found, wanted] = [&lamp.target.volume, &expected].map(numbers);
        let is_near = found.iter().zip(&wanted).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-6);
        assert!(is_near && found.len() == wanted.len(), "{found:?} {wanted:?}");
        assert_eq!(lamp.target.world, world, "a light is not moved");
        assert!(lamp.release().contains(&Event::Ended { changed: true }));
        count += 1;
    });
    count
}

/// The directions across a volume, in the order of its handles.
const SIDES: [DVec3; 4] = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y];

#[test]
fn handles_stand_at_volume_whatever_the_pivot() {
    for pivot in [Pivot::Custom(DVec3::ONE), Pivot::EachTarget] {
        let mut lamp = Lamp::new(CONE, Transform::IDENTITY, front());
        lamp.handles.gizmo.settings.pivot = pivot;
        lamp.update();
        assert!(lamp.drag(rim(0.6, DVec3::X, 2.0), rim(0.7, DVec3::X, 2.0)));
        let Volume::Cone { outer, .. } = lamp.target.volume else { unreachable!() };
        assert!((outer - 0.7).abs() < 1e-6, "{pivot:?}: {outer}");
    }
}

#[test]
fn sphere_handles_change_range_of_point_light() {
    let volume = Volume::Sphere { radius: Some(1.5) };
    let longer = Volume::Sphere { radius: Some(2.25) };
    for (index, side) in SIDES.into_iter().chain([DVec3::NEG_Z, DVec3::Z]).enumerate() {
        assert!(check(volume, index, [side * 1.5, side * 2.25], longer) > 20);
    }
    // A light without a range gets one.
    let limited = Volume::Sphere { radius: Some(2.0) };
    assert!(check(Volume::Sphere { radius: None }, 0, [DVec3::X, DVec3::X * 2.0], limited) > 20);
}

#[test]
fn cone_handles_change_range_and_angles_of_spot_light() {
    let Volume::Cone { range, inner, outer } = CONE else { unreachable!() };
    let longer = Volume::Cone { range: Some(2.75), inner, outer };
    assert!(check(CONE, 0, [DVec3::NEG_Z * 2.0, DVec3::NEG_Z * 2.75], longer) > 20);
    let wider = Volume::Cone { range, inner, outer: 0.9 };
    for (index, side) in SIDES.into_iter().enumerate() {
        assert!(check(CONE, 1 + index, [rim(0.6, side, 2.0), rim(0.9, side, 2.0)], wider) > 20);
    }
    let softer = Volume::Cone { range, inner: 0.35, outer };
    for (index, side) in [(5, DVec3::X), (6, DVec3::Y)] {
        assert!(check(CONE, index, [rim(0.2, side, 2.0), rim(0.35, side, 2.0)], softer) > 20);
    }
}

#[test]
fn cone_snaps_from_press_however_light_is_turned() {
    let view = views::ALL[0].view(&views::ALL[0].adjusted(&Camera::at(DVec3::new(0.5, 12.0, 1.0))));
    for kind in [SnapKind::Relative, SnapKind::Value] {
        let world = Transform { rotation: DQuat::from_rotation_y(0.33), ..Transform::IDENTITY };
        let mut lamp = Lamp::new(CONE, world, view);
        let snap = &mut lamp.handles.gizmo.settings.snap;
        (snap.kind, snap.increments.rotate) = (kind, Increment::new(0.1));
        assert!(lamp.drag(rim(0.6, DVec3::X, 2.0), rim(0.83, DVec3::X, 2.0)));
        let Volume::Cone { outer, .. } = lamp.target.volume else { unreachable!() };
        assert!((outer - 0.8).abs() < 1e-9, "{kind:?}: {outer}");
    }
}

/// Seen along the axis of the light, from behind and from the front, the rings of its rim are edge-on.
#[test]
fn edge_on_handle_of_cone_follows_pointer() {
    for (range, eye) in [(0.5, 8.0), (2.0, 8.0), (5.0, 8.0), (2.0, -8.0)] {
        let cone = Volume::Cone { range: Some(range), inner: 0.2, outer: 0.6 };
        for side in SIDES {
            let mut lamp =
                Lamp::new(cone, Transform::IDENTITY, views::ALL[0].view(&Camera::at(DVec3::Z * eye)));
            let from = rim(0.6, side, range);
            let (from_px, outward) = (lamp.px(from), (lamp.px(from) - lamp.px(DVec3::ZERO)).normalize());
            assert!(lamp.drag_px(from, from_px + outward), "{side} {eye}");
            let Volume::Cone { outer, .. } = lamp.target.volume else { unreachable!() };
            let moved_px = (lamp.px(rim(outer, side, range)) - from_px).dot(outward);
            assert!((0.7..1.1).contains(&moved_px), "{side} of {range} from {eye}: {moved_px} px");
        }
    }
}

#[test]
fn frustum_handles_change_lens_of_camera() {
    let Volume::Perspective { fov_y, aspect, near, far } = LENS else { unreachable!() };
    let nearer = Volume::Perspective { fov_y, aspect, near: 0.8, far };
    let farther = Volume::Perspective { fov_y, aspect, near, far: Some(3.6) };
    assert!(check(LENS, 0, [DVec3::NEG_Z * 0.5, DVec3::NEG_Z * 0.8], nearer) > 20);
    assert!(check(LENS, 1, [DVec3::NEG_Z * 3.0, DVec3::NEG_Z * 3.6], farther) > 20);
    let [endless, pushed] = [near, 2.5].map(|near| Volume::Perspective { fov_y, aspect, near, far: None });
    assert!(
        check(endless, 0, [DVec3::NEG_Z * 0.5, DVec3::NEG_Z * 2.5], pushed) > 20,
        "past the shown far one"
    );
    // The frame is at a distance of 1.
    let wider = Volume::Perspective { fov_y: 2.0 * 0.5f64.atan(), aspect, near, far };
    for (index, side) in SIDES.into_iter().enumerate() {
        let half = if side.x == 0.0 { 1.0 } else { 1.5 };
        let [from, to] = [0.4f64.tan(), 0.5].map(|tangent| side * (half * tangent) - DVec3::Z);
        assert!(check(LENS, 2 + index, [from, to], wider) > 20);
    }
}

#[test]
fn box_handles_change_extent_of_orthographic_camera() {
    let mid = DVec3::NEG_Z * 1.75;
    let Volume::Orthographic { half_width, half_height, near, far } = BOX else { unreachable!() };
    let wide = Volume::Orthographic { half_width: 2.0, half_height, near, far };
    let high = Volume::Orthographic { half_width, half_height: 1.3, near, far };
    // The sides go outward from the middle of the volume, so they are not seen along their axes.
    assert!(check(BOX, 2, [mid + DVec3::X * 1.5, mid + DVec3::X * 2.0], wide) > 15);
    assert!(check(BOX, 5, [mid - DVec3::Y, mid - DVec3::Y * 1.3], high) > 15);
}

/// Returns a volume, and a point at which one of its handles can be dragged.
fn grip(rng: &mut Rng) -> (Volume, DVec3) {
    let (volume, grips) = match rng.usize(..4) {
        0 => (Volume::Sphere { radius: Some(1.5) }, vec![DVec3::X * 1.5]),
        1 => (CONE, vec![DVec3::NEG_Z * 2.0, rim(0.6, DVec3::X, 2.0), rim(0.2, DVec3::Y, 2.0)]),
        2 => (LENS, vec![DVec3::NEG_Z * 0.5, DVec3::NEG_Z * 3.0, DVec3::new(0.0, 0.4f64.tan(), -1.0)]),
        _ => (BOX, vec![DVec3::NEG_Z * 0.5, DVec3::NEG_Z * 3.0, DVec3::new(1.5, 0.0, -1.75)]),
    };
    (volume, grips[rng.usize(..grips.len())])
}

/// The handle stays on the volume that it changes, also where the volume has reached its limit and the pointer goes on.
#[test]
fn dragged_handle_is_drawn_where_volume_ends() {
    let mut count = 0;
    cases(400, |rng| {
        let (volume, from) = grip(rng);
        let mut lamp = lamp(rng, volume);
        let to_px = lamp.px(from) + DVec2::from_angle(between(rng, 0.0, 6.3)) * between(rng, 5.0, 300.0);
        if !lamp.drag_px(from, to_px) {
            return;
        }
        let dragged = lamp.handles.gizmo.dragging().expect("the drag has begun");
        let shown_px = |lamp: &mut Lamp| {
            let mut list = DrawList::new();
            lamp.handles.draw(list.begin(&lamp.view));
            list.px_of(lamp.handles.gizmo.id_of(dragged))
        };
        for when in ["in the drag", "in the next frame", "after the drag"] {
            let mut other = Lamp::new(lamp.target.volume, lamp.target.world, lamp.view);
            if let [Some(a), Some(b)] = [&mut lamp, &mut other].map(shown_px) {
                // Any two pixels of a ball with a radius of 5.3 pixels.
                assert!(a.distance(b) < 10.6, "{when}: {a} instead of {b} for {:?}", lamp.target.volume);
                count += 1;
            }
            match when {
                "in the drag" => {
                    // A light turns with its parent, which may be animated.
                    lamp.target.world.rotation *= DQuat::from_rotation_y(rng.f64());
                    lamp.update()
                }
                _ => lamp.release(),
            };
        }
    });
    assert!(count > 300, "{count:?}");
}

fn front() -> View {
    views::ALL[0].view(&Camera::at(DVec3::new(1.0, 2.0, 9.0)))
}

#[test]
fn drag_of_volume_is_one_step() {
    let mut lamp = Lamp::new(CONE, Transform::IDENTITY, front());
    let from = rim(0.6, DVec3::X, 2.0);
    let press_px = lamp.px(from);
    assert!(lamp.drag(from, rim(1.0, DVec3::X, 2.0)));
    assert!(lamp.target.volume != CONE);
    // Back at the press, nothing has changed, also once round the light.
    for angle in [2.0, 3.5, 5.0] {
        let at_px = lamp.px(rim(angle, DVec3::X, 2.0));
        lamp.handles.gizmo.pointer_moved(at_px);
        lamp.update();
    }
    lamp.handles.gizmo.pointer_moved(press_px);
    lamp.update();
    assert_eq!(lamp.target.volume, CONE);
    assert!(lamp.release().contains(&Event::Ended { changed: false }));
    // A spot light opens to a right angle at most, and carries its inner cone along when it closes.
    assert!(lamp.drag(from, rim(2.5, DVec3::X, 2.0)));
    let Volume::Cone { outer, .. } = lamp.target.volume else { unreachable!() };
    assert_eq!(outer, FRAC_PI_2);
    lamp.handles.gizmo.cancel();
    lamp.update();
    lamp.release();
    assert!(lamp.drag(from, rim(0.1, DVec3::X, 2.0)));
    let Volume::Cone { inner, outer, .. } = lamp.target.volume else { unreachable!() };
    assert!((outer - 0.1).abs() < 1e-6 && inner < outer, "{inner} {outer}");
}

#[test]
fn field_of_view_opens_to_170_degrees() {
    let limit = 170f64.to_radians();
    // The last field of view is wider than the limit before the drag.
    for (start, wanted) in [(0.8, limit), (2.0, limit), (2.99, 2.99)] {
        let volume = Volume::Perspective { fov_y: start, aspect: 1.5, near: 0.5, far: Some(3.0) };
        for side in [DVec3::NEG_X * 1.5, DVec3::Y] {
            let far = views::ALL[0].view(&Camera::at(DVec3::new(1.0, 2.0, 60.0)));
            let mut lamp = Lamp::new(volume, Transform::IDENTITY, far);
            let from = side * (0.5 * start).tan() - DVec3::Z;
            let press_px = lamp.px(from);
            assert!(lamp.drag_px(from, press_px), "the handle at {from} can be dragged");
            // 80° more than half of the field of view is beside or behind the camera.
            for digit in [8, 0] {
                lamp.handles.gizmo.key(Key::Digit(digit), KeyModifiers::default());
            }
            lamp.update();
            let Volume::Perspective { fov_y, .. } = lamp.target.volume else { unreachable!() };
            assert!((fov_y - wanted).abs() < 1e-12, "{side} from {start}: {fov_y}");
        }
    }
}

#[test]
fn directional_light_has_arrows_without_handles() {
    let mut lamp = Lamp::new(Volume::Parallel, Transform::IDENTITY, front());
    let mut list = DrawList::new();
    lamp.handles.draw(list.begin(&lamp.view));
    assert!(list.is_empty() && !list.guides()[0].is_empty());
    assert!(!lamp.drag(DVec3::NEG_Z, DVec3::X));
    assert_eq!(lamp.target.volume, Volume::Parallel);
}

#[test]
fn unusable_volumes_have_no_handles() {
    let invalid = [
        Volume::Sphere { radius: Some(0.0) },
        Volume::Sphere { radius: Some(f64::NAN) },
        Volume::Cone { range: None, inner: 0.5, outer: 0.5 },
        Volume::Cone { range: None, inner: 0.0, outer: 2.0 },
        Volume::Perspective { fov_y: 0.0, aspect: 1.0, near: 0.1, far: None },
        Volume::Perspective { fov_y: 1.0, aspect: f64::INFINITY, near: 0.1, far: None },
        Volume::Perspective { fov_y: 1.0, aspect: 1.0, near: 2.0, far: Some(1.0) },
        Volume::Orthographic { half_width: -1.0, half_height: 1.0, near: 0.0, far: 1.0 },
    ];
    for volume in invalid {
        let mut lamp = Lamp::new(volume, Transform::IDENTITY, front());
        let mut list = DrawList::new();
        lamp.handles.draw(list.begin(&lamp.view));
        assert!(list.is_empty() && list.guides()[0].is_empty(), "{volume:?}");
    }
    let mut lamp = Lamp::new(CONE, Transform::IDENTITY, front());
    let mut list = DrawList::new();
    lamp.handles.draw(list.begin(&lamp.view));
    assert!(list.items().len() == 7 && !list.guides()[0].is_empty());
    lamp.handles.gizmo.theme = Theme::light();
    lamp.update();
    let colors = lamp.handles.gizmo.custom_handles().iter().map(|handle| handle.color);
    assert!(colors.clone().count() > 0 && colors.eq([Theme::light().colors.neutral; 7]), "of the new theme");
    // A light that disappears in a drag, or becomes one of another kind, ends it.
    assert!(lamp.drag(DVec3::NEG_Z * 2.0, DVec3::NEG_Z * 3.0));
    assert!(lamp.handles.update(&lamp.view, None).contains(&Event::Canceled));
    assert!(!lamp.handles.gizmo.is_active());
    lamp.release();
    assert!(lamp.drag(DVec3::NEG_Z * 3.0, DVec3::NEG_Z * 4.0));
    lamp.target.volume = LENS;
    assert!(lamp.update().contains(&Event::Canceled));
    assert_eq!(lamp.target.volume, LENS, "the new volume is not that of the drag");
}

/// A lamp at the origin and one beside it, each with its key, while the first one is dragged from 2 to 3.
fn lamp_in_drag(volume: Volume) -> (Lamp, VolumeTarget) {
    let mut lamp = Lamp::new(CONE, Transform::IDENTITY, front());
    lamp.target = lamp.target.with_key(1);
    lamp.update();
    assert!(lamp.drag(DVec3::NEG_Z * 2.0, DVec3::NEG_Z * 3.0));
    assert_ne!(lamp.target.volume, CONE);
    let beside = Transform::from_translation(DVec3::X);
    (lamp, VolumeTarget::new(beside, volume).with_key(2))
}

const OTHER: Volume = Volume::Cone { range: Some(7.0), inner: 0.1, outer: 0.3 };

#[test]
fn other_light_passed_in_drag_cancels_it_and_stays() {
    for volume in [OTHER, LENS] {
        let (mut lamp, mut other) = lamp_in_drag(volume);
        assert_eq!(lamp.handles.update(&lamp.view, Some(&mut other)), [Event::Canceled]);
        assert_eq!(other.volume, volume);
        lamp.handles.gizmo.pointer_released();
        assert_eq!(lamp.handles.update(&lamp.view, Some(&mut other)), []);
        assert_eq!(other.volume, volume);
        // The first light gets its start back as soon as it is passed again.
        lamp.update();
        assert_eq!(lamp.target.volume, CONE);
    }
}

#[test]
fn light_changed_after_canceled_drag_keeps_change() {
    let (mut lamp, mut other) = lamp_in_drag(OTHER);
    let dragged = lamp.target.volume;
    lamp.handles.update(&lamp.view, Some(&mut other));
    for volume in [OTHER, dragged] {
        lamp.target.volume = volume;
        lamp.update();
        assert_eq!(lamp.target.volume, volume);
    }
}

#[test]
fn both_of_two_canceled_lights_get_their_starts_back() {
    let (mut lamp, other) = lamp_in_drag(CONE);
    let first = std::mem::replace(&mut lamp.target, other);
    assert_eq!(lamp.update(), [Event::Canceled]);
    lamp.release();
    assert!(lamp.drag(DVec3::NEG_Z * 2.0, DVec3::NEG_Z * 3.0));
    let second = std::mem::replace(&mut lamp.target, other.with_key(3));
    assert_eq!(lamp.update(), [Event::Canceled]);
    for canceled in [first, second] {
        lamp.target = canceled;
        lamp.update();
        assert_eq!(lamp.target.volume, CONE);
    }
}
