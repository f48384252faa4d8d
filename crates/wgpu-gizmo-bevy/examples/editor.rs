//! A small editor: two viewports, selection by click, an orbit camera and undo.
//!
//! - Click: select; Shift+click: select one more. W, E, R, U: move, rotate, scale, all. L: local axes.
//! - Drag beside the gizmo with the left, or anywhere with the right button: orbit.
//! - Middle button: pan. Wheel: zoom.
//! - Ctrl+Z, Ctrl+Shift+Z: undo, redo. In a drag: type a number, Esc cancels, Ctrl snaps, Shift is slow.

use bevy::camera::{ScalingMode, Viewport};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::input::mouse::AccumulatedMouseScroll;
use bevy::picking::mesh_picking::ray_cast::{MeshRayCast, MeshRayCastSettings};
use bevy::prelude::*;
use bevy::window::{CursorIcon, PrimaryWindow, SystemCursorIcon, WindowResolution};
use wgpu_gizmo_bevy::core::interaction::CursorHint;
use wgpu_gizmo_bevy::core::{Mode, Orientation};
use wgpu_gizmo_bevy::{
    DragEnded, GizmoCamera, GizmoClaims, GizmoCore, GizmoPlugin, GizmoSettings, GizmoTarget, MovedTarget,
    conditions,
};

fn main() {
    let window = Window {
        title: "wgpu-gizmo-bevy: editor".into(),
        resolution: WindowResolution::new(1000, 600),
        ..default()
    };
    App::new()
        .add_plugins((
            DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }),
            GizmoPlugin,
        ))
        .init_resource::<Undo>()
        .insert_resource(ClearColor(Color::srgb(0.11, 0.12, 0.14)))
        .add_systems(Startup, build_scene)
        .add_systems(
            Update,
            (
                set_viewports,
                record_drags,
                use_keys.run_if(conditions::keys_are_free),
                move_camera,
                select.run_if(conditions::click_is_free),
                set_cursor,
            ),
        )
        .run();
}

/// An orbit camera.
#[derive(Component)]
struct Orbit {
    center: Vec3,
    /// The angles around Y and around the camera's X axis, in radians.
    angles: Vec2,
    distance: f32,
    /// Whether it has the left part of the window.
    is_left: bool,
}

impl Orbit {
    fn transform(&self) -> Transform {
        let rotation = Quat::from_euler(EulerRot::YXZ, self.angles.x, self.angles.y, 0.0);
        Transform::from_translation(self.center + rotation * Vec3::Z * self.distance).with_rotation(rotation)
    }
}

/// An object that can be selected.
#[derive(Component)]
struct Selectable;

fn build_scene(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut material = |r, g, b| materials.add(StandardMaterial::from(Color::srgb(r, g, b)));
    let [gray, blue, orange, green] = [
        material(0.35, 0.36, 0.38),
        material(0.25, 0.45, 0.8),
        material(0.85, 0.5, 0.2),
        material(0.35, 0.65, 0.35),
    ];
    let floor = Mesh3d(meshes.add(Plane3d::default().mesh().size(12.0, 12.0)));
    commands.spawn((floor, MeshMaterial3d(gray)));
    let cube = Mesh3d(meshes.add(Cuboid::new(1.0, 1.0, 1.0)));
    let ball = Mesh3d(meshes.add(Sphere::new(0.5)));
    let top = Transform::from_xyz(0.0, 0.6, 0.0)
        .with_rotation(Quat::from_rotation_y(0.5))
        .with_scale(Vec3::new(2.0, 0.4, 1.2));
    // The children stretch with the table that they stand on.
    let table = commands.spawn((cube.clone(), MeshMaterial3d(blue), top, Selectable, GizmoTarget)).id();
    commands.spawn((
        cube.clone(),
        MeshMaterial3d(orange.clone()),
        Transform::from_xyz(-0.2, 1.0, 0.1).with_scale(Vec3::new(0.25, 1.0, 0.4)),
        Selectable,
        ChildOf(table),
    ));
    commands.spawn((
        ball.clone(),
        MeshMaterial3d(green.clone()),
        Transform::from_xyz(0.3, 1.0, 0.0).with_scale(Vec3::new(0.3, 1.0, 0.5)),
        Selectable,
        ChildOf(table),
    ));
    commands.spawn((ball, MeshMaterial3d(orange), Transform::from_xyz(-2.2, 0.5, 1.0), Selectable));
    commands.spawn((cube, MeshMaterial3d(green), Transform::from_xyz(2.2, 0.5, 0.8), Selectable));
    commands.spawn((
        DirectionalLight::default(),
        Transform::from_xyz(3.0, 6.0, 4.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));

    let front = Orbit { center: Vec3::Y * 0.5, angles: Vec2::new(0.4, -0.5), distance: 8.0, is_left: true };
    let above = Orbit { angles: Vec2::new(0.0, -1.57), is_left: false, ..front };
    let ambient = AmbientLight { brightness: 250.0, ..default() };
    let scaling_mode = ScalingMode::FixedVertical { viewport_height: 8.0 };
    let flat = OrthographicProjection { scaling_mode, ..OrthographicProjection::default_3d() };
    commands.spawn((
        Camera3d::default(),
        Tonemapping::AcesFitted,
        ambient.clone(),
        front.transform(),
        front,
        GizmoCamera,
    ));
    commands.spawn((
        Camera3d::default(),
        Camera { order: 1, ..default() },
        Projection::Orthographic(flat),
        Tonemapping::AcesFitted,
        ambient,
        above.transform(),
        above,
        GizmoCamera,
    ));
}

/// Divides the window: two thirds for the perspective view, the rest for the view from above.
fn set_viewports(window: Single<&Window, With<PrimaryWindow>>, cameras: Query<(&mut Camera, &Orbit)>) {
    let size = window.physical_size();
    let split = size.x * 2 / 3;
    for (mut camera, orbit) in cameras {
        let (x, width) = if orbit.is_left { (0, split) } else { (split, size.x - split) };
        let part = (UVec2::new(x, 0), UVec2::new(width.max(1), size.y.max(1)));
        let is_same = |viewport: &Viewport| (viewport.physical_position, viewport.physical_size) == part;
        if !camera.viewport.as_ref().is_some_and(is_same) {
            let (physical_position, physical_size) = part;
            camera.viewport = Some(Viewport { physical_position, physical_size, ..default() });
        }
    }
}

/// Returns true if a position of the window, in logical pixels, is in the viewport of the camera.
fn is_in(camera: &Camera, position: Vec2) -> bool {
    camera.logical_viewport_rect().is_some_and(|rect| rect.contains(position))
}

fn move_camera(
    window: Single<&Window, With<PrimaryWindow>>,
    buttons: Res<ButtonInput<MouseButton>>,
    scroll: Res<AccumulatedMouseScroll>,
    mut motions: MessageReader<CursorMoved>,
    claims: Res<GizmoClaims>,
    mut cameras: Query<(Entity, &Camera, &mut Orbit, &mut Transform)>,
    mut moved: Local<Option<Entity>>,
) {
    let at = window.cursor_position();
    let motion: Vec2 = motions.read().filter_map(|moved| moved.delta).sum();
    let is_any = |test: fn(&ButtonInput<MouseButton>, MouseButton) -> bool| {
        [MouseButton::Left, MouseButton::Right, MouseButton::Middle].into_iter().any(|b| test(&buttons, b))
    };
    // A camera keeps the pointer while a button is down, also over the other viewport.
    if moved.is_none()
        || is_any(|buttons, b| buttons.just_pressed(b))
        || !is_any(|buttons, b| buttons.pressed(b))
    {
        let under_pointer = cameras.iter().find(|(_, camera, ..)| at.is_some_and(|at| is_in(camera, at)));
        *moved = under_pointer.map(|(entity, ..)| entity);
    }
    let Some((_, _, mut orbit, mut transform)) = moved.and_then(|entity| cameras.get_mut(entity).ok()) else {
        return;
    };
    let is_left = buttons.pressed(MouseButton::Left) && !claims.primary_press && !claims.primary_drag;
    let is_right = buttons.pressed(MouseButton::Right) && !claims.secondary;
    let is_middle = buttons.pressed(MouseButton::Middle) && !claims.middle;
    if is_left || is_right {
        orbit.angles -= motion * 0.008;
        orbit.angles.y = orbit.angles.y.clamp(-1.57, 1.57);
    }
    if is_middle {
        let by = Vec3::new(-motion.x, motion.y, 0.0) * orbit.distance * 0.0015;
        orbit.center += transform.rotation * by;
    }
    if !claims.wheel {
        orbit.distance *= (-0.1 * scroll.delta.y).exp();
    }
    transform.set_if_neq(orbit.transform());
}

/// Selects the object under a click: a press and a release without a motion between.
fn select(
    mut commands: Commands,
    window: Single<&Window, With<PrimaryWindow>>,
    (buttons, keys): (Res<ButtonInput<MouseButton>>, Res<ButtonInput<KeyCode>>),
    cameras: Query<(&Camera, &GlobalTransform)>,
    (selectable, selected): (Query<(), With<Selectable>>, Query<Entity, With<GizmoTarget>>),
    mut ray_cast: MeshRayCast,
    mut pressed_at: Local<Option<Vec2>>,
) {
    let Some(at) = window.cursor_position() else { return };
    if buttons.just_pressed(MouseButton::Left) {
        *pressed_at = Some(at);
    }
    let is_click = buttons.just_released(MouseButton::Left)
        && pressed_at.take().is_some_and(|from| from.distance(at) < 4.0);
    let camera = cameras.iter().find(|(camera, _)| is_in(camera, at));
    let ray = camera.and_then(|(camera, transform)| camera.viewport_to_world(transform, at).ok());
    let Some(ray) = ray.filter(|_| is_click) else { return };
    let is_selectable = |entity| selectable.contains(entity);
    let settings = MeshRayCastSettings::default().with_filter(&is_selectable);
    let hit = ray_cast.cast_ray(ray, &settings).first().map(|(entity, _)| *entity);
    if !keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]) {
        selected.iter().filter(|entity| Some(*entity) != hit).for_each(|entity| {
            commands.entity(entity).remove::<GizmoTarget>();
        });
    }
    if let Some(hit) = hit {
        commands.entity(hit).insert(GizmoTarget);
    }
}

/// The drags that can be undone and redone.
#[derive(Resource, Default)]
struct Undo {
    done: Vec<Vec<MovedTarget>>,
    undone: Vec<Vec<MovedTarget>>,
}

fn record_drags(mut drags: MessageReader<DragEnded>, mut undo: ResMut<Undo>) {
    for drag in drags.read().filter(|drag| drag.changed) {
        undo.done.push(drag.targets.clone());
        undo.undone.clear();
    }
}

fn use_keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut undo: ResMut<Undo>,
    mut settings: ResMut<GizmoSettings>,
    mut transforms: Query<&mut Transform>,
) {
    let is_shifted = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    if keys.any_pressed([KeyCode::ControlLeft, KeyCode::ControlRight]) {
        if keys.just_pressed(KeyCode::KeyZ) {
            let Undo { done, undone } = &mut *undo;
            let (from, to) = if is_shifted { (undone, done) } else { (done, undone) };
            let Some(step) = from.pop() else { return };
            for target in &step {
                if let Ok(mut transform) = transforms.get_mut(target.entity) {
                    *transform = if is_shifted { target.end } else { target.start };
                }
            }
            to.push(step);
        }
        return;
    }
    for (key, mode) in [
        (KeyCode::KeyW, Mode::Translate),
        (KeyCode::KeyE, Mode::Rotate),
        (KeyCode::KeyR, Mode::Scale),
        (KeyCode::KeyU, Mode::Universal),
    ] {
        if keys.just_pressed(key) {
            settings.mode = mode;
        }
    }
    if keys.just_pressed(KeyCode::KeyL) {
        let is_local = settings.orientation == Orientation::Local;
        settings.orientation = if is_local { Orientation::World } else { Orientation::Local };
    }
}

/// Shows a hand over handles.
fn set_cursor(
    mut commands: Commands,
    gizmo: Res<GizmoCore>,
    window: Single<Entity, With<PrimaryWindow>>,
    mut shown: Local<Option<CursorHint>>,
) {
    let hint = gizmo.cursor_hint();
    if shown.replace(hint) != Some(hint) {
        let icon = match hint {
            CursorHint::Grab => SystemCursorIcon::Grab,
            CursorHint::Grabbing => SystemCursorIcon::Grabbing,
            _ => SystemCursorIcon::Default,
        };
        commands.entity(*window).insert(CursorIcon::System(icon));
    }
}
