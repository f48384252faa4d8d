//! Continues on a new GPU device after the old one was lost.

use super::files::upload;
use super::screen::Screen;
use super::window_surface::WindowSurface;
use crate::user_event::UserEvent;
use render::device::{DeviceError, DeviceWatch, Gpu};
use std::error::Error;
use std::time::Duration;
use web_time::Instant;
use winit::event_loop::EventLoopProxy;

/// The maximum number of replacements within [`PERIOD`]. After one more loss, the device is given up.
const MAX_RENEWALS: usize = 3;
const PERIOD: Duration = Duration::from_secs(30);

/// The errors of the device, and the times when it was replaced.
#[derive(Debug)]
pub(super) struct DeviceState {
    proxy: EventLoopProxy<UserEvent>,
    watch: DeviceWatch,
    /// The times when the device was replaced.
    renewals: Vec<Instant>,
}

impl DeviceState {
    pub(super) fn new(gpu: &Gpu, proxy: &EventLoopProxy<UserEvent>) -> Self {
        Self { proxy: proxy.clone(), watch: watch(gpu, proxy), renewals: Vec::new() }
    }

    /// Returns the error that the device has reported, if any.
    pub(super) fn check(&self) -> Result<(), Box<dyn Error>> {
        self.watch.error().map_or(Ok(()), |error| Err(error.into()))
    }

    /// Returns true if the device is lost, which explains every other error.
    pub(super) fn is_lost(&self) -> bool {
        matches!(self.watch.error(), Some(DeviceError::Lost(_)))
    }
}

/// Collects the errors of a device. Each wakes the window.
fn watch(gpu: &Gpu, proxy: &EventLoopProxy<UserEvent>) -> DeviceWatch {
    let proxy = proxy.clone();
    // Sending fails only if the event loop is closed.
    gpu.watch(move || drop(proxy.send_event(UserEvent::Device)))
}

impl Screen {
    /// Gives up the lost device. Returns an error if it is lost again and again.
    pub(super) fn begin_renewal(&mut self) -> Result<(), Box<dyn Error>> {
        let (now, renewals) = (Instant::now(), &mut self.device_state.renewals);
        renewals.retain(|at| now.duration_since(*at) < PERIOD);
        if renewals.len() >= MAX_RENEWALS {
            return Err("The GPU device is lost again and again".into());
        }
        renewals.push(now);
        self.surface.close();
        Ok(())
    }

    /// Continues on a new device. Everything except the GPU resources stays: a drag in progress continues,
    /// and queries are repeated.
    pub(super) fn continue_on(&mut self, surface: WindowSurface) -> Result<(), Box<dyn Error>> {
        let (gpu, format) = (&surface.gpu, surface.format());
        self.device_state.watch = watch(gpu, &self.device_state.proxy);
        self.stage.renew(gpu, format, &mut self.session)?;
        self.files.window.upload = Some(upload(&self.stage));
        self.panel.renew(&gpu.device, format);
        self.surface = surface;
        self.redraw();
        self.session.editor.show_message("The GPU was reset. Nothing is lost.");
        Ok(())
    }
}
