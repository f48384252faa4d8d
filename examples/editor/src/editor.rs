//! The objects, and everything about selecting, moving, outlining and undoing them.

use std::error::Error;
use std::num::NonZeroU32;
use wgpu::{CommandEncoder, Device, Queue, RenderPass, TextureFormat};
use wgpu_gizmo::facade::Frame;
use wgpu_gizmo::glam::DVec3;
use wgpu_gizmo::gpu::GpuError;
use wgpu_gizmo::interaction::Views;
use wgpu_gizmo::scene::{OutlineStyle, OutlinedScene, PickMesh};
use wgpu_gizmo::{Event, Target, Transform, View, WgpuGizmo};
use wgpu_gizmo_winit::{Response, WinitInput};
use winit::event::WindowEvent;

pub(crate) struct Editor {
    tools: WgpuGizmo,
    scene: OutlinedScene,
    /// One per window, because their scale factors differ.
    pub(crate) inputs: Vec<WinitInput>,
    /// The index of the window that the pointer was in last.
    pointer_in: usize,
    pub(crate) objects: Vec<Object>,
    /// Indices into `objects`, the active one last.
    selected: Vec<usize>,
    /// Per step, the moved objects and their transforms before the step.
    undo: Vec<Vec<(usize, Transform)>>,
}

pub(crate) struct Object {
    id: NonZeroU32,
    pub(crate) world: Transform,
}

impl Editor {
    /// Creates a hundred cubes in rows. `scales` are the scale factors of the windows.
    pub(crate) fn new(
        device: &Device,
        format: TextureFormat,
        scales: impl Iterator<Item = f64>,
    ) -> Result<Self, Box<dyn Error>> {
        let mut tools = WgpuGizmo::new(device, format)?;
        let mut scene = OutlinedScene::new(device, tools.gpu.target())?;
        let cube =
            scene.add_mesh(device, &PickMesh::new(&crate::cubes::CORNERS, &crate::cubes::TRIANGLES)?)?;
        let mut objects = Vec::new();
        for i in 0..100 {
            let translation = DVec3::new(f64::from(i % 10) - 4.5, 0.0, f64::from(i / 10) - 4.5) * 1.5;
            let world = Transform { translation, ..Transform::IDENTITY };
            let id = scene.insert(&mut tools.ids, cube, world).ok_or("no id is left")?;
            objects.push(Object { id, world });
        }
        Ok(Self {
            tools,
            scene,
            inputs: scales.map(WinitInput::new).collect(),
            pointer_in: 0,
            objects,
            selected: Vec::new(),
            undo: Vec::new(),
        })
    }

    pub(crate) fn on_window_event(&mut self, window: usize, event: &WindowEvent) -> Response {
        if matches!(event, WindowEvent::CursorMoved { .. } | WindowEvent::Touch(_)) {
            self.pointer_in = window;
        }
        self.inputs[window].on_window_event(&mut self.tools.gizmo, event)
    }

    pub(crate) fn needs_frame(&self) -> bool {
        self.tools.needs_redraw(0) || self.tools.needs_redraw(1)
    }

    /// Moves the dragged objects, and selects a clicked one.
    pub(crate) fn update(&mut self, views: &[View]) -> Result<(), GpuError> {
        let target = |i: &usize| Target::from_world(self.objects[*i].world).with_key(*i as u64);
        let mut targets: Vec<Target> = self.selected.iter().map(target).collect();
        let mut views = Views::from(views);
        if self.inputs.len() > 1 {
            // Each window has one view, with its index as the key.
            views = views.with_pointer_in(self.pointer_in as u64);
        }
        let events = self.tools.update(views, &mut targets)?;
        for (i, target) in self.selected.iter().zip(&targets) {
            self.objects[*i].world = target.local;
        }
        for event in events {
            match event {
                Event::Ended { changed: true } => {
                    let starts = self.tools.gizmo.starts();
                    self.undo.push(self.selected.iter().copied().zip(starts).collect());
                }
                Event::ClickedObject(id) => self.select(self.objects.iter().position(|o| o.id == id)),
                Event::ClickedNothing => self.select(None),
                _ => {}
            }
        }
        Ok(())
    }

    /// Selects an object alone, or with Shift adds or removes it.
    fn select(&mut self, object: Option<usize>) {
        let is_selected = object.is_some_and(|object| self.selected.contains(&object));
        if self.inputs[self.pointer_in].press_modifiers().shift_key() {
            self.selected.retain(|i| Some(*i) != object);
        } else {
            self.selected.clear();
        }
        self.selected.extend(object.filter(|_| !is_selected || self.selected.is_empty()));
    }

    pub(crate) fn undo(&mut self) {
        for (i, world) in self.undo.pop().unwrap_or_default() {
            self.objects[i].world = world;
        }
    }

    /// Uploads the outlines and the gizmo in all views, and picks what is under the pointer.
    pub(crate) fn prepare(
        &mut self,
        (device, queue): (&Device, &Queue),
        encoder: &mut CommandEncoder,
        views: &[View],
    ) -> Result<(), GpuError> {
        for object in &self.objects {
            self.scene.place(object.id, object.world);
        }
        let ids: Vec<NonZeroU32> = self.selected.iter().map(|i| self.objects[*i].id).collect();
        let style = OutlineStyle { ids: &ids, ..Default::default() };
        self.scene.prepare(device, queue, encoder, views, &[style])?;
        let frame = Frame::new(device, queue, encoder);
        self.tools.prepare(frame, views, |pass, query, clip_from_clip| {
            self.scene.draw(device, queue, pass, query, clip_from_clip);
        })
    }

    pub(crate) fn render(&self, pass: &mut RenderPass<'_>, view: &View) {
        self.scene.render(pass, view);
        self.tools.render(pass, view);
    }
}
