//! Faults that tests cause in a window on purpose.

use super::screen::Screen;
use winit::event::{ElementState, WindowEvent};
use winit::keyboard::{Key, NamedKey};

/// A fault that F12 causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestHook {
    /// A panic of the event loop.
    Panic,
    /// The loss of the GPU device.
    DestroyDevice,
    /// The loss of the GPU device, and no other can be created.
    LoseDevice,
    /// An invalid use of the GPU device.
    MisuseDevice,
}

impl TestHook {
    /// All faults, by name.
    pub(crate) const ALL: &[(&str, Self)] = &[
        ("panic", Self::Panic),
        ("destroy-device", Self::DestroyDevice),
        ("lose-device", Self::LoseDevice),
        ("misuse-device", Self::MisuseDevice),
    ];
}

/// Returns true if an event is a press of F12.
pub(super) fn is_trigger(event: &WindowEvent) -> bool {
    let WindowEvent::KeyboardInput { event, .. } = event else { return false };
    event.state == ElementState::Pressed && event.logical_key == Key::Named(NamedKey::F12)
}

impl Screen {
    /// Causes a fault.
    pub(super) fn run_test_hook(&mut self, hook: TestHook) {
        match hook {
            TestHook::Panic => panic!("the test hook panics"),
            TestHook::DestroyDevice | TestHook::LoseDevice => self.surface.gpu.device.destroy(),
            TestHook::MisuseDevice => drop(self.surface.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("test hook"),
                size: 16,
                // These usages exclude each other.
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::VERTEX,
                mapped_at_creation: false,
            })),
        }
        self.wake();
    }
}
