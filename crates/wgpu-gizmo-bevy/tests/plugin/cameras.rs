//! Several cameras, viewports and scale factors.

use crate::scene::{LPX_PER_UNIT, SIZE, Scene, assert_near, lpx};
use bevy::camera::{RenderTarget, Viewport};
use bevy::input::ButtonState;
use bevy::input::keyboard::Key;
use bevy::prelude::*;
use bevy::window::{Window, WindowRef, WindowResolution, WindowScaleFactorChanged};
use wgpu_gizmo_bevy::core::draw::InvisibleReason;
use wgpu_gizmo_bevy::{DragCanceled, DragStarted, GizmoCamera};

/// Two viewports: from the front on the left, and from the right on the right.
fn two_views() -> (Scene, [Entity; 2]) {
    let mut scene = Scene::empty();
    let size = UVec2::new(SIZE.x / 2, SIZE.y);
    let part =
        |x: u32| Some(Viewport { physical_position: UVec2::new(x, 0), physical_size: size, ..default() });
    let front = scene.add_camera(part(0), 0, Transform::from_xyz(0.0, 0.0, 10.0));
    let from_right = Transform::from_xyz(10.0, 0.0, 0.0).looking_at(Vec3::ZERO, Vec3::Y);
    let right = scene.add_camera(part(size.x), 1, from_right);
    (scene, [front, right])
}

/// Returns a position in the left or the right viewport: units right of its middle and above it.
fn in_view(index: usize, right: f32, up: f32) -> Vec2 {
    let middle = Vec2::new(SIZE.x as f32 * (0.25 + 0.5 * index as f32), SIZE.y as f32 / 2.0);
    middle + Vec2::new(right, -up) * LPX_PER_UNIT
}

#[test]
fn each_viewport_drags_in_its_own_view() {
    let (mut scene, cameras) = two_views();
    let target = scene.target(Transform::IDENTITY);
    scene.frame();
    scene.drag(in_view(0, 0.6, 0.0), in_view(0, 1.3, 0.2));
    assert_near(scene.transform(target).translation, Vec3::X * 0.7);
    // Z points to the left there.
    scene.drag(in_view(1, -0.6, 0.0), in_view(1, -1.1, 0.2));
    assert_near(scene.transform(target).translation, Vec3::new(0.7, 0.0, 0.5));
    let started = scene.read::<DragStarted>();
    assert_eq!(started.last().unwrap().camera, Some(cameras[1]));
}

#[test]
fn drag_continues_over_other_viewport() {
    let (mut scene, _) = two_views();
    let target = scene.target(Transform::IDENTITY);
    scene.frame();
    scene.drag(in_view(0, 0.6, 0.0), in_view(1, 0.6, 0.0));
    // The other viewport is as wide as four units.
    assert_near(scene.transform(target).translation, Vec3::X * 4.0);
}

#[test]
fn moves_through_both_viewports_within_a_frame_belong_to_each() {
    let (mut scene, cameras) = two_views();
    let target = scene.target(Transform::IDENTITY);
    scene.frame();
    scene.move_to(in_view(1, -0.6, 0.0));
    scene.press();
    scene.move_to(in_view(1, -1.6, 0.0));
    scene.release();
    scene.move_to(in_view(0, -1.0, -1.0));
    scene.frame();
    assert_near(scene.transform(target).translation, Vec3::Z);
    assert_eq!(scene.read::<DragStarted>()[0].camera, Some(cameras[1]));
}

#[test]
fn topmost_camera_has_pointer_where_viewports_overlap() {
    let mut scene = Scene::new();
    let size = UVec2::new(400, 300);
    let viewport = Viewport { physical_position: UVec2::new(200, 150), physical_size: size, ..default() };
    let from_right = Transform::from_xyz(10.0, 0.0, 0.0).looking_at(Vec3::ZERO, Vec3::Y);
    let inset = scene.add_camera(Some(viewport), 5, from_right);
    let target = scene.target(Transform::IDENTITY);
    scene.frame();
    scene.drag(lpx(-0.6, 0.0), lpx(-1.0, 0.0));
    assert_near(scene.transform(target).translation, Vec3::Z * 0.4);
    assert_eq!(scene.read::<DragStarted>()[0].camera, Some(inset));
}

#[test]
fn inactive_and_image_cameras_have_no_pointer() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    let camera = scene.camera;
    scene.app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = false;
    scene.frame();
    scene.drag(lpx(0.6, 0.0), lpx(1.6, 0.0));
    assert_near(scene.transform(target).translation, Vec3::ZERO);
    scene.app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = true;
    let image = Image::new_target_texture(
        SIZE.x,
        SIZE.y,
        bevy::render::render_resource::TextureFormat::Rgba8UnormSrgb,
        None,
    );
    let image = scene.app.world_mut().resource_mut::<Assets<Image>>().add(image);
    scene.app.world_mut().entity_mut(camera).insert(RenderTarget::Image(image.into()));
    scene.frame();
    scene.drag(lpx(0.6, 0.0), lpx(1.6, 0.0));
    assert_near(scene.transform(target).translation, Vec3::ZERO);
    let view = scene.view(camera);
    assert_eq!(scene.gizmo().invisible_reason(&view), None, "it is drawn in the image");
}

#[test]
fn camera_that_stops_in_drag_cancels_it() {
    for is_unmarked in [true, false] {
        let mut scene = Scene::new();
        let at = Transform::from_xyz(0.0, 0.1, 0.0);
        let target = scene.target(at);
        let step = scene.settings().snap.while_held.translate.unwrap().get() as f32;
        scene.frame();
        let snap_key = if cfg!(target_os = "macos") { KeyCode::SuperLeft } else { KeyCode::ControlLeft };
        scene.key(snap_key, Key::Control, ButtonState::Pressed);
        scene.begin(lpx(0.6, 0.1), lpx(1.6, 0.1));
        assert_ne!(scene.transform(target), at);
        let mut camera = scene.app.world_mut().entity_mut(scene.camera);
        if is_unmarked {
            camera.remove::<GizmoCamera>();
        } else {
            camera.get_mut::<Camera>().unwrap().is_active = false;
        }
        scene.frame();
        assert_eq!(scene.transform(target), at);
        assert_eq!(scene.read::<DragCanceled>().len(), 1);
        scene.release();
        scene.frame();
        let mut camera = scene.app.world_mut().entity_mut(scene.camera);
        camera.insert(GizmoCamera).get_mut::<Camera>().unwrap().is_active = true;
        scene.frame();
        // The snap key is still held.
        scene.drag(lpx(0.6, 0.1), lpx(0.6 + 2.2 * step, 0.1));
        assert_near(scene.transform(target).translation, at.translation + Vec3::X * 2.0 * step);
    }
}

/// Returns the length of the X arrow in logical pixels, measured by hovering.
fn arrow_lpx(scene: &mut Scene) -> f32 {
    let is_hovered = |x: &u32| {
        scene.move_to(lpx(0.0, 0.0) + Vec2::X * *x as f32);
        scene.frame();
        scene.gizmo().hovered().is_some_and(|handle| handle.name() == "translate_x")
    };
    (40..200).rev().find(is_hovered).unwrap() as f32
}

/// The window keeps its logical size, as on a screen with twice the density.
fn double_scale_factor(scene: &mut Scene) {
    let window = scene.window;
    let mut state = scene.app.world_mut().get_mut::<Window>(window).unwrap();
    state.resolution.set_scale_factor(2.0);
    state.resolution.set_physical_resolution(SIZE.x * 2, SIZE.y * 2);
    scene.write(WindowScaleFactorChanged { window, scale_factor: 2.0 });
}

#[test]
fn drag_continues_on_screen_with_other_scale_factor() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    scene.begin(lpx(0.6, 0.0), lpx(1.1, 0.0));
    double_scale_factor(&mut scene);
    scene.move_to(lpx(1.1, 0.0));
    scene.frame();
    scene.frame();
    assert_near(scene.transform(target).translation, Vec3::X * 0.5);
    scene.move_to(lpx(1.85, 0.0));
    scene.release();
    scene.frame();
    assert_near(scene.transform(target).translation, Vec3::X * 1.25);
}

#[test]
fn each_window_has_its_own_pointer() {
    let mut scene = Scene::new();
    let other = Window { resolution: WindowResolution::new(SIZE.x, SIZE.y), ..default() };
    let other = scene.app.world_mut().spawn(other).id();
    let first = scene.window;
    let from_right = Transform::from_xyz(10.0, 0.0, 0.0).looking_at(Vec3::ZERO, Vec3::Y);
    let camera = scene.add_camera(None, 0, from_right);
    let of_window = RenderTarget::Window(WindowRef::Entity(other));
    scene.app.world_mut().entity_mut(camera).insert(of_window);
    let target = scene.target(Transform::IDENTITY);
    scene.frame();
    scene.window = other;
    scene.drag(lpx(-0.6, 0.0), lpx(-1.35, 0.0));
    assert_near(scene.transform(target).translation, Vec3::Z * 0.75);
    assert_eq!(scene.read::<DragStarted>()[0].camera, Some(camera));
    // In a drag, a position in the other window means something else.
    scene.move_to(lpx(-1.35, 0.0));
    scene.press();
    scene.window = first;
    scene.move_to(lpx(3.0, 3.0));
    scene.frame();
    assert_near(scene.transform(target).translation, Vec3::Z * 0.75);
    assert_eq!(scene.gizmo().held_view().map(|view| view.key()), Some(camera.to_bits()));
}

#[test]
fn changed_scale_factor_keeps_drags_under_cursor() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    let camera = scene.camera;
    let before = arrow_lpx(&mut scene);
    double_scale_factor(&mut scene);
    scene.frame();
    let view = scene.view(camera);
    assert_eq!((view.scale_factor(), view.viewport().width), (2.0, 1600.0));
    let after = arrow_lpx(&mut scene);
    assert!((before - after).abs() <= 1.0, "the same length on the screen: {before} and {after}");
    scene.drag(lpx(0.6, 0.0), lpx(1.6, 0.0));
    assert_near(scene.transform(target).translation, Vec3::X);
}

#[test]
fn moved_camera_continues_drag_in_its_new_view() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    scene.begin(lpx(0.6, 0.0), lpx(1.6, 0.0));
    let camera = scene.camera;
    scene.app.world_mut().get_mut::<Transform>(camera).unwrap().translation.x = 0.5;
    scene.frame();
    // The pointer is half a unit farther in the world, in the same frame.
    assert_near(scene.world(target).w_axis.truncate(), Vec3::X * 1.5);
}

#[test]
fn parents_of_cameras_count() {
    let mut scene = Scene::new();
    let rig = scene.app.world_mut().spawn(Transform::from_rotation(Quat::from_rotation_y(0.5))).id();
    scene.app.world_mut().entity_mut(scene.camera).insert(ChildOf(rig));
    let target = scene.target(Transform::IDENTITY);
    scene.frame();
    // X is foreshortened on the screen.
    let x = 0.5f32.cos();
    scene.drag(lpx(0.6 * x, 0.0), lpx(1.6 * x, 0.0));
    assert_near(scene.transform(target).translation, Vec3::X);
    let gizmo = scene.gizmo();
    assert_ne!(gizmo.invisible_reason(&scene.view(scene.camera)), Some(InvisibleReason::NoTarget));
}
