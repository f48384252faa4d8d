//! An app with a window, cameras and targets.

use bevy::camera::{ScalingMode, Viewport};
use bevy::input::ButtonState;
use bevy::input::InputPlugin;
use bevy::input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy::input::mouse::{MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy::input::touch::TouchPhase;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy::window::{CursorMoved, PrimaryWindow, Window, WindowEvent, WindowPlugin, WindowResolution};
use wgpu_gizmo_bevy::core::interaction::Claims;
use wgpu_gizmo_bevy::core::{self, HandleId, View};
use wgpu_gizmo_bevy::{
    ClickPassed, DragCanceled, DragChanged, DragEnded, DragStarted, GizmoCamera, GizmoClaims, GizmoCore,
    GizmoPlugin, GizmoSettings, GizmoTarget, PivotChanged,
};

/// The size of the window in logical pixels.
pub(crate) const SIZE: UVec2 = UVec2::new(800, 600);
/// The number of logical pixels of a world unit in the orthographic views.
pub(crate) const LPX_PER_UNIT: f32 = 100.0;

/// All messages of a kind. Bevy itself keeps them for some frames.
#[derive(Resource)]
struct Written<M>(Vec<M>);

fn keep<M: Message + Clone>(app: &mut App) {
    let system = |mut messages: MessageReader<M>, mut written: ResMut<Written<M>>| {
        written.0.extend(messages.read().cloned());
    };
    app.insert_resource(Written::<M>(Vec::new())).add_systems(Last, system);
}

/// An app, driven by messages.
pub(crate) struct Scene {
    pub(crate) app: App,
    pub(crate) window: Entity,
    /// The last camera that was added.
    pub(crate) camera: Entity,
}

impl Scene {
    /// Creates an app with a window and without cameras.
    pub(crate) fn empty() -> Self {
        let mut app = App::new();
        let settings = WgpuSettings { backends: None, ..default() };
        app.add_plugins((
            MinimalPlugins,
            InputPlugin,
            AssetPlugin::default(),
            WindowPlugin::default(),
            TransformPlugin,
            bevy::image::ImagePlugin::default(),
            bevy::mesh::MeshPlugin,
            bevy::camera::CameraPlugin,
            RenderPlugin { render_creation: RenderCreation::Automatic(Box::new(settings)), ..default() },
            bevy::core_pipeline::CorePipelinePlugin,
            GizmoPlugin,
        ));
        keep::<DragStarted>(&mut app);
        keep::<DragChanged>(&mut app);
        keep::<DragEnded>(&mut app);
        keep::<DragCanceled>(&mut app);
        keep::<ClickPassed>(&mut app);
        keep::<PivotChanged>(&mut app);
        app.finish();
        app.cleanup();
        let mut windows = app.world_mut().query_filtered::<(Entity, &mut Window), With<PrimaryWindow>>();
        let (window, mut state) = windows.single_mut(app.world_mut()).unwrap();
        state.resolution = WindowResolution::new(SIZE.x, SIZE.y);
        Self { app, window, camera: Entity::PLACEHOLDER }
    }

    /// Creates an app with a camera at z = 10 in an orthographic view: x is right and y is up, and the origin
    /// is in the middle of the window.
    pub(crate) fn new() -> Self {
        let mut scene = Self::empty();
        scene.add_camera(None, 0, Transform::from_xyz(0.0, 0.0, 10.0));
        scene
    }

    /// Creates such an app with a target, and shows it.
    pub(crate) fn with(at: Transform) -> (Self, Entity) {
        let mut scene = Self::new();
        let target = scene.target(at);
        scene.frame();
        (scene, target)
    }

    /// Adds an orthographic camera.
    pub(crate) fn add_camera(&mut self, viewport: Option<Viewport>, order: isize, at: Transform) -> Entity {
        let height = viewport.as_ref().map_or(SIZE.y, |viewport| viewport.physical_size.y) as f32;
        let scaling_mode = ScalingMode::FixedVertical { viewport_height: height / LPX_PER_UNIT };
        let projection = Projection::Orthographic(OrthographicProjection {
            scaling_mode,
            ..OrthographicProjection::default_3d()
        });
        let camera = Camera { viewport, order, ..default() };
        let camera = (Camera3d::default(), camera, projection, GizmoCamera, at);
        self.camera = self.app.world_mut().spawn(camera).id();
        self.camera
    }

    pub(crate) fn target(&mut self, at: Transform) -> Entity {
        self.app.world_mut().spawn((GizmoTarget, at, Visibility::default())).id()
    }

    /// Adds a target under parents, the outermost first.
    pub(crate) fn target_in(&mut self, parents: &[Transform], at: Transform) -> Entity {
        let mut parent = None;
        for transform in parents {
            let mut entity = self.app.world_mut().spawn((*transform, Visibility::default()));
            if let Some(parent) = parent {
                entity.insert(ChildOf(parent));
            }
            parent = Some(entity.id());
        }
        let target = self.target(at);
        if let Some(parent) = parent {
            self.app.world_mut().entity_mut(target).insert(ChildOf(parent));
        }
        target
    }

    pub(crate) fn frame(&mut self) {
        self.app.update();
    }

    pub(crate) fn transform(&self, entity: Entity) -> Transform {
        *self.app.world().get(entity).unwrap()
    }

    /// Returns the matrix that Bevy propagated.
    pub(crate) fn world(&self, entity: Entity) -> Mat4 {
        self.app.world().get::<GlobalTransform>(entity).unwrap().to_matrix()
    }

    pub(crate) fn gizmo(&self) -> &GizmoCore {
        self.app.world().resource()
    }

    /// Writes a message as `bevy_winit` does: as itself, and as a `WindowEvent`.
    pub(crate) fn write<M: Message + Clone + Into<WindowEvent>>(&mut self, message: M) {
        self.app.world_mut().write_message::<WindowEvent>(message.clone().into());
        self.app.world_mut().write_message(message);
    }

    pub(crate) fn move_to(&mut self, position: Vec2) {
        let window = self.window;
        self.write(CursorMoved { window, position, delta: None });
    }

    pub(crate) fn button(&mut self, button: MouseButton, state: ButtonState) {
        let window = self.window;
        self.write(MouseButtonInput { button, state, window });
    }

    pub(crate) fn press(&mut self) {
        self.button(MouseButton::Left, ButtonState::Pressed);
    }

    pub(crate) fn release(&mut self) {
        self.button(MouseButton::Left, ButtonState::Released);
    }

    pub(crate) fn wheel(&mut self, lines: Vec2) {
        let (window, Vec2 { x, y }) = (self.window, lines);
        self.write(MouseWheel { unit: MouseScrollUnit::Line, x, y, window, phase: TouchPhase::Moved });
    }

    pub(crate) fn key(&mut self, key_code: KeyCode, logical_key: Key, state: ButtonState) {
        let window = self.window;
        self.write(KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window });
    }

    /// Presses a key that completes a dead key and types this text.
    pub(crate) fn complete_dead_key(&mut self, key_code: KeyCode, logical_key: Key, text: &str) {
        let (window, text) = (self.window, Some(text.into()));
        let state = ButtonState::Pressed;
        self.write(KeyboardInput { key_code, logical_key, state, text, repeat: false, window });
    }

    /// Types a character.
    pub(crate) fn type_key(&mut self, text: &str) {
        self.key(KeyCode::F24, Key::Character(text.into()), ButtonState::Pressed);
    }

    /// Presses and moves the pointer within a frame.
    pub(crate) fn begin(&mut self, from: Vec2, to: Vec2) {
        self.move_to(from);
        self.press();
        self.move_to(to);
        self.frame();
    }

    /// Drags in frames of their own: the pointer moves, presses, moves and releases.
    pub(crate) fn drag(&mut self, from: Vec2, to: Vec2) {
        self.move_to(from);
        self.frame();
        self.press();
        self.frame();
        self.move_to(to);
        self.frame();
        self.release();
        self.frame();
    }

    /// Returns the view of a camera, calculated as the documentation of `Camera` says.
    pub(crate) fn view(&self, camera: Entity) -> View {
        let state = self.app.world().get::<Camera>(camera).unwrap();
        let rect = state.physical_viewport_rect().unwrap();
        let [at, size] = [rect.min.as_dvec2(), rect.size().as_dvec2()];
        let viewport = core::Viewport { x: at.x, y: at.y, width: size.x, height: size.y };
        let view_from_world = self.world(camera).inverse().to_cols_array();
        let scale = f64::from(state.target_scaling_factor().unwrap());
        View::new(view_from_world, state.clip_from_view().to_cols_array(), viewport, scale).unwrap()
    }

    /// Returns a position on a handle in a view, in logical pixels.
    pub(crate) fn handle_lpx(&mut self, camera: Entity, name: &str) -> Vec2 {
        let view = self.view(camera);
        let handle = HandleId::from_name(name).unwrap();
        let px = self.app.world_mut().resource_mut::<GizmoCore>().handle_px(&view, handle).expect(name);
        (px / view.scale_factor()).as_vec2().to_array().into()
    }

    pub(crate) fn settings(&mut self) -> Mut<'_, GizmoSettings> {
        self.app.world_mut().resource_mut()
    }

    pub(crate) fn claims(&self) -> Claims {
        **self.app.world().resource::<GizmoClaims>()
    }

    /// Returns the messages of a kind since the last call.
    pub(crate) fn read<M: Message + Clone>(&mut self) -> Vec<M> {
        std::mem::take(&mut self.app.world_mut().resource_mut::<Written<M>>().0)
    }
}

/// Returns a position in logical pixels for one in the plane z = 0 of [`Scene::new`].
pub(crate) fn lpx(x: f32, y: f32) -> Vec2 {
    SIZE.as_vec2() / 2.0 + Vec2::new(x, -y) * LPX_PER_UNIT
}

/// Asserts that two vectors agree to 1e-4.
#[track_caller]
pub(crate) fn assert_near(a: Vec3, b: Vec3) {
    assert!((a - b).length() < 1e-4, "{a} is not {b}");
}
