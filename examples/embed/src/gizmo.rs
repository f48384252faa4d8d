//! Everything that an application needs from wgpu-gizmo. README.md contains the code between the two
//! markers, and a test compares them.

use std::error::Error;
use wgpu::{CommandEncoder, Device, Queue, TextureFormat};
use wgpu_gizmo::glam::dvec2;
use wgpu_gizmo::gpu::{GizmoRenderer, GpuError, Picker, TargetState};
use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Target, Transform, View};
use winit::event::ElementState::{Pressed, Released};
use winit::event::MouseButton::Left;
use winit::event::WindowEvent;

/// The gizmo, its renderer and picker, and the draw list that they share.
pub(crate) struct Tools {
    pub(crate) gizmo: Gizmo,
    pub(crate) renderer: GizmoRenderer,
    pub(crate) picker: Picker,
    list: DrawList,
    /// Allocates all ids of the ID image. An application with pickable objects allocates theirs from it too.
    _ids: IdSpace,
}

impl Tools {
    pub(crate) fn new(device: &Device, format: TextureFormat) -> Result<Self, Box<dyn Error>> {
        let target = TargetState { format, sample_count: 1, depth_stencil: None };
        let mut ids = IdSpace::new();
        let gizmo = Gizmo::new(&mut ids)?;
        let (renderer, picker) = (GizmoRenderer::new(device, target)?, Picker::new(device)?);
        Ok(Self { gizmo, renderer, picker, list: DrawList::new(), _ids: ids })
    }

    // readme: begin
    pub(crate) fn input(&mut self, event: &WindowEvent) {
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                self.gizmo.pointer_moved(dvec2(position.x, position.y))
            }
            WindowEvent::MouseInput { button: Left, state: Pressed, .. } => self.gizmo.pointer_pressed(),
            WindowEvent::MouseInput { button: Left, state: Released, .. } => self.gizmo.pointer_released(),
            WindowEvent::Focused(false) => self.gizmo.cancel(),
            _ => {}
        }
    }

    #[rustfmt::skip]
    pub(crate) fn frame(&mut self, device: &Device, queue: &Queue, encoder: &mut CommandEncoder,
                        view: &View, object: &mut Transform) -> Result<(), GpuError> {
        while let Some(answer) = self.picker.poll(device)? { self.gizmo.answer(&answer); }
        let mut targets = [Target::from_world(*object)];
        self.gizmo.update(view, &mut targets);
        *object = targets[0].local;
        if let Some(query) = self.picker.has_capacity().then(|| self.gizmo.pick_query()).flatten() {
            self.gizmo.draw(self.list.begin(&query.view));
            self.picker.encode(device, queue, encoder, &query, &self.list, |_, _| {})?;
        }
        self.gizmo.draw(self.list.begin(view));
        // Then, last in your own pass: tools.renderer.render(&mut pass)
        self.renderer.prepare(device, queue, encoder, &self.list)
    }
    // readme: end
}
