use crate::WinitInput;
use std::fmt;
use std::sync::Arc;
use wgpu_gizmo::facade::Frame;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::gpu::{GpuError, TargetState};
use wgpu_gizmo::interaction::Events;
use wgpu_gizmo::math::{HostTransform, Matrix4};
use wgpu_gizmo::{PickQuery, Target, View, Viewport, WgpuGizmo, wgpu};
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::window::Window;

/// A gizmo in a window, drawn with wgpu: one call per event, one per frame, and one in the host's pass. The crate's
/// front page has an example.
///
/// It requests the redraws of the window that the gizmo needs. Settings, theme and claims are in [`WgpuGizmo::gizmo`] of
/// `tools`; for Shift+click, `input` has [`WinitInput::press_modifiers`].
///
/// # Several viewports, depth of the scene, snapping to objects
///
/// Keep [`WinitGizmo::on_window_event`]. Instead of [`WinitGizmo::show`] and [`WinitGizmo::render`], call with your own
/// views and options what they call: [`WgpuGizmo::update_with`], [`WgpuGizmo::prepare`] and [`WgpuGizmo::render`] of
/// `tools`. Request a redraw if [`WgpuGizmo::needs_redraw`] returns true for the key of a view.
pub struct WinitGizmo {
    /// The gizmo, its ids and its GPU half.
    pub tools: WgpuGizmo,
    /// The pointer, the fingers and the keyboard of the window.
    pub input: WinitInput,
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// A function, because tests have no window.
    request_redraw: Box<dyn Fn() + Send + Sync>,
    /// The size of the last `Resized`, with which the host configures the surface. The window may be ahead of it.
    size: PhysicalSize<u32>,
    view: Option<View>,
    /// The events of frames that have failed.
    events: Events,
}

impl fmt::Debug for WinitGizmo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("WinitGizmo");
        shown.field("tools", &self.tools).field("input", &self.input).finish_non_exhaustive()
    }
}

impl WinitGizmo {
    /// Creates a gizmo for passes with these attachments, as [`WgpuGizmo::new`] does. It keeps the window alive.
    ///
    /// # Errors
    /// The errors of [`WgpuGizmo::new`].
    pub fn new(
        window: &Arc<Window>,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: impl Into<TargetState>,
    ) -> Result<Self, GpuError> {
        let (size, scale_factor) = (window.inner_size(), window.scale_factor());
        let window = Arc::clone(window);
        let tools = WgpuGizmo::new(device, target)?;
        Ok(Self::with(tools, device, queue, size, scale_factor, move || window.request_redraw()))
    }

    fn with(
        tools: WgpuGizmo,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        size: PhysicalSize<u32>,
        scale_factor: f64,
        request_redraw: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        Self {
            tools,
            input: WinitInput::new(scale_factor),
            device: device.clone(),
            queue: queue.clone(),
            request_redraw: Box::new(request_redraw),
            size,
            view: None,
            events: Events::default(),
        }
    }

    /// Creates everything on the GPU again, on a new device after the old one was lost. A drag in progress continues.
    ///
    /// # Errors
    /// The errors of [`WgpuGizmo::rebuild`]. Then nothing changes.
    pub fn rebuild(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), GpuError> {
        self.tools.rebuild(device)?;
        (self.device, self.queue) = (device.clone(), queue.clone());
        Ok(())
    }

    /// Passes an event to the gizmo, and requests a redraw if one is needed. Returns true if the event belongs to the
    /// gizmo: see [`Response::consumed`](crate::Response::consumed). Pass every event of the window, but for those of a
    /// panel over the view: see [`WinitInput::on_window_event`].
    pub fn on_window_event(&mut self, event: &WindowEvent) -> bool {
        if let WindowEvent::Resized(size) = event {
            self.size = *size;
        }
        let response = self.input.on_window_event(&mut self.tools.gizmo, event);
        if response.repaint {
            (self.request_redraw)();
        }
        response.consumed
    }

    /// Processes the events since the last frame, moves the targets, returns what happened, and prepares what
    /// [`WinitGizmo::render`] draws. Call it once per frame, before the pass; the encoder is that of [`Frame::new`].
    ///
    /// The projection fills the window. Its size is that of the last [`WindowEvent::Resized`], which the surface should
    /// have, too. If the projection or the window shows nothing, as while it is minimized, no gizmo is shown, and events
    /// wait. With several viewports, a depth of the scene or a search for snapping, call the parts instead, as the docs
    /// of [`WinitGizmo`] say.
    ///
    /// # Errors
    /// The errors of [`WgpuGizmo::update`] and [`WgpuGizmo::prepare`]. No event is lost: a later call returns it. After
    /// [`GpuError::DeviceLost`], call [`WinitGizmo::rebuild`].
    pub fn show(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        view_from_world: impl Matrix4,
        clip_from_view: impl Matrix4,
        targets: &mut [Target],
    ) -> Result<Events, GpuError> {
        self.show_with(encoder, view_from_world, clip_from_view, targets, |_, _, _| {})
    }

    /// Does the same as [`WinitGizmo::show`], for one object without a parent: moves its transform in world space, which
    /// can be a matrix.
    ///
    /// # Errors
    /// The same as [`WinitGizmo::show`].
    pub fn show_one(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        view_from_world: impl Matrix4,
        clip_from_view: impl Matrix4,
        world: &mut impl HostTransform,
    ) -> Result<Events, GpuError> {
        Target::move_one(world, |targets| self.show(encoder, view_from_world, clip_from_view, targets))
    }

    /// Does the same as [`WinitGizmo::show`], with objects of the host that can be picked: `draw_objects` is that of
    /// [`WgpuGizmo::prepare`].
    ///
    /// # Errors
    /// The same as [`WinitGizmo::show`].
    pub fn show_with(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        view_from_world: impl Matrix4,
        clip_from_view: impl Matrix4,
        targets: &mut [Target],
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, &PickQuery, DMat4),
    ) -> Result<Events, GpuError> {
        let viewport = Viewport::from_size(self.size.width, self.size.height);
        self.view = View::new(view_from_world, clip_from_view, viewport, self.input.scale_factor()).ok();
        let Some(view) = &self.view else { return Ok(Events::default()) };
        let frame = Frame::new(&self.device, &self.queue, encoder);
        let shown = self.tools.update(view, targets).and_then(|events| {
            self.events.extend(events);
            self.tools.prepare(frame, view, draw_objects)
        });
        if self.tools.needs_redraw(view.key()) {
            (self.request_redraw)();
        }
        shown.map(|()| std::mem::take(&mut self.events))
    }

    /// Returns the view of the last frame, or `None` if it showed nothing: for rays and positions on screen.
    pub fn view(&self) -> Option<&View> {
        self.view.as_ref()
    }

    /// Draws the handles and guides of the last frame over the contents of the host's pass: call it last. See
    /// [`WgpuGizmo::render`].
    pub fn render(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(view) = &self.view {
            self.tools.render(pass, view);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::WinitGizmo;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use wgpu_gizmo::glam::{DVec3, dcamera::rh};
    use wgpu_gizmo::gpu::GpuError;
    use wgpu_gizmo::{Event, Transform, WgpuGizmo, wgpu};
    use winit::dpi::{PhysicalPosition, PhysicalSize};
    use winit::event::{DeviceId, ElementState, MouseButton, WindowEvent};

    pub(crate) const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

    pub(crate) fn gpu() -> (wgpu::Device, wgpu::Queue) {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = pollster::block_on(instance.request_adapter(&Default::default())).expect("a driver");
        let required_limits = wgpu::Limits::downlevel_defaults();
        let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
        pollster::block_on(adapter.request_device(&descriptor)).expect("the adapter has a device")
    }

    /// A host that draws a frame only if it is requested, as in a window of 800 by 600 pixels.
    struct Host {
        gizmo: WinitGizmo,
        device: wgpu::Device,
        queue: wgpu::Queue,
        is_requested: Arc<AtomicBool>,
        cube: Transform,
        events: Vec<Event>,
    }

    impl Host {
        fn new() -> Self {
            let (device, queue) = gpu();
            let tools = WgpuGizmo::new(&device, FORMAT).expect("the format is supported");
            let is_requested = Arc::new(AtomicBool::new(false));
            let request = Arc::clone(&is_requested);
            let redraw = move || request.store(true, Ordering::Relaxed);
            let gizmo = WinitGizmo::with(tools, &device, &queue, PhysicalSize::new(800, 600), 1.0, redraw);
            let mut host =
                Self { gizmo, device, queue, is_requested, cube: Transform::IDENTITY, events: Vec::new() };
            host.frame().expect("the device works");
            host
        }

        /// Eight world units fill the width of the window.
        fn frame(&mut self) -> Result<(), GpuError> {
            let eye = rh::view::look_at_mat4(DVec3::Z * 10.0, DVec3::ZERO, DVec3::Y);
            let lens = rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0);
            let mut encoder = self.device.create_command_encoder(&Default::default());
            self.events.extend(self.gizmo.show_one(&mut encoder, eye, lens, &mut self.cube)?);
            self.queue.submit([encoder.finish()]);
            self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device works");
            Ok(())
        }

        /// Returns whether the event was consumed, after the frames that were requested.
        fn on(&mut self, event: &WindowEvent) -> bool {
            let consumed = self.gizmo.on_window_event(event);
            for _ in 0..20 {
                if !self.is_requested.swap(false, Ordering::Relaxed) {
                    return consumed;
                }
                self.frame().expect("the device works");
            }
            panic!("the gizmo requests frames for ever");
        }

        fn move_to(&mut self, x: f64, y: f64) -> bool {
            let position = PhysicalPosition::new(x, y);
            self.on(&WindowEvent::CursorMoved { device_id: DeviceId::dummy(), position })
        }
    }

    pub(crate) fn button(state: ElementState) -> WindowEvent {
        WindowEvent::MouseInput { device_id: DeviceId::dummy(), state, button: MouseButton::Left }
    }

    #[test]
    fn window_events_and_requested_frames_drag_object() {
        let mut host = Host::new();
        assert!(!host.move_to(460.0, 300.0), "a camera may orbit");
        assert!(host.on(&button(ElementState::Pressed)));
        assert!(host.move_to(560.0, 340.0));
        assert!((host.cube.translation.x - 1.0).abs() < 1e-9, "{:?}", host.cube);
        assert!(host.on(&button(ElementState::Released)));
        assert!(matches!(host.events[..], [Event::Started(_), .., Event::Ended { changed: true }]));
        assert!(!host.move_to(100.0, 100.0));
    }

    #[test]
    fn minimized_window_shows_nothing_until_it_has_a_size() {
        let mut host = Host::new();
        host.on(&WindowEvent::Resized(PhysicalSize::new(0, 0)));
        assert_eq!(host.gizmo.view(), None);
        host.move_to(0.0, 0.0);
        host.on(&WindowEvent::Resized(PhysicalSize::new(400, 300)));
        host.move_to(260.0, 150.0);
        host.on(&button(ElementState::Pressed));
        host.move_to(310.0, 150.0);
        assert!((host.cube.translation.x - 1.0).abs() < 1e-9, "{:?}", host.cube);
    }

    #[test]
    fn events_of_failed_frame_are_returned_after_rebuild() {
        let mut host = Host::new();
        host.move_to(460.0, 300.0);
        host.on(&button(ElementState::Pressed));
        host.move_to(560.0, 300.0);
        host.device.destroy();
        // Then the next frame must create buffers.
        host.gizmo.tools.gpu.remove_view(0);
        host.gizmo.on_window_event(&button(ElementState::Released));
        assert_eq!(host.frame(), Err(GpuError::DeviceLost));
        (host.device, host.queue) = gpu();
        host.gizmo.rebuild(&host.device, &host.queue).expect("the device works");
        host.frame().expect("the device works");
        assert_eq!(host.events.last(), Some(&Event::Ended { changed: true }));
    }
}
