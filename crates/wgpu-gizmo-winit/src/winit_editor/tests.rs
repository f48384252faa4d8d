//! An editor without windows: events in, frames on a device.

use super::{KeyStep, WinitEditor, step_of_key};
use crate::winit_gizmo::tests::{FORMAT, button, gpu};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wgpu_gizmo::glam::{DMat4, DVec3, dcamera::rh};
use wgpu_gizmo::interaction::Views;
use wgpu_gizmo::pick::snap::SnapTo;
use wgpu_gizmo::scene::{PickMesh, PickMeshKey};
use wgpu_gizmo::{Event, HandleId, Mode, Transform, View, Viewport, wgpu};
use winit::dpi::PhysicalPosition;
use winit::event::ElementState::{Pressed, Released};
use winit::event::{DeviceId, Modifiers, Touch, TouchPhase, WindowEvent};
use winit::keyboard::{Key, KeyCode, ModifiersState, PhysicalKey};
use winit::window::WindowId;

/// A square with sides of 1, with corners to snap to.
fn square() -> PickMesh<'static> {
    const CORNERS: [[f32; 3]; 4] = [[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [-0.5, 0.5, 0.0], [0.5, 0.5, 0.0]];
    PickMesh::new(&CORNERS, &[0, 1, 2, 2, 1, 3]).expect("the indices are valid").with_snapping()
}

/// A host that draws a frame only if it is requested. It shows squares at x = -2, 0 and 2, seen from the front at
/// 50 pixels per unit, in two viewports of 400 by 600 pixels, or in a window each.
struct Host {
    editor: WinitEditor,
    device: wgpu::Device,
    queue: wgpu::Queue,
    is_requested: Arc<AtomicBool>,
    events: Vec<Event>,
    squares: Vec<NonZeroU32>,
    mesh: PickMeshKey,
    windows: [WindowId; 2],
}

impl Host {
    fn new(window_count: usize) -> Self {
        let (device, queue) = gpu();
        let windows = [1, window_count as u64].map(WindowId::from);
        let mut editor = WinitEditor::without_window(windows[0], &device, &queue, FORMAT).expect("a device");
        let is_requested = Arc::new(AtomicBool::new(false));
        for window in &windows[..window_count] {
            let request = Arc::clone(&is_requested);
            editor.add(*window, 1.0, move || request.store(true, Ordering::Relaxed));
        }
        let mesh = editor.scene.add_mesh(&device, &square()).expect("the mesh fits");
        let at = |x| Transform::from_translation(DVec3::new(x, 0.0, 0.0));
        let squares = [-2.0, 0.0, 2.0].map(|x| editor.insert(mesh, at(x)).expect("an id is free"));
        let (squares, events) = (squares.into(), Vec::new());
        let mut host = Self { editor, device, queue, is_requested, events, squares, mesh, windows };
        host.frame();
        host
    }

    fn views(&self) -> [View; 2] {
        let eye = rh::view::look_at_mat4(DVec3::Z * 10.0, DVec3::ZERO, DVec3::Y);
        let lens = rh::proj::directx::orthographic(-4.0, 4.0, -6.0, 6.0, 0.1, 100.0);
        [0, 1].map(|key| {
            let x = if self.windows[0] == self.windows[1] { 400.0 * key as f64 } else { 0.0 };
            let viewport = Viewport { x, ..Viewport::from_size(400, 600) };
            View::new(eye, lens, viewport, 1.0).expect("the view is valid").with_key(key)
        })
    }

    fn frame(&mut self) {
        self.frame_as(true, true);
    }

    /// A host can show nothing, as in a minimized window, and drop what it has encoded.
    fn frame_as(&mut self, has_views: bool, submits: bool) {
        let views = self.views();
        let mut shown = if has_views { Views::from(&views) } else { Views::from(&[]) };
        if self.windows[0] != self.windows[1] {
            let in_second = self.editor.pointer_window() == self.windows[1];
            shown = shown.with_pointer_in(u64::from(in_second));
        }
        let mut encoder = self.device.create_command_encoder(&Default::default());
        self.events.extend(self.editor.show(&mut encoder, shown).expect("the device works"));
        if submits {
            self.queue.submit([encoder.finish()]);
        }
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device works");
    }

    /// Returns whether the event was consumed, after the frames that were requested.
    fn on(&mut self, window: usize, event: &WindowEvent) -> bool {
        let consumed = self.editor.on_window_event(self.windows[window], event);
        for _ in 0..20 {
            if !self.is_requested.swap(false, Ordering::Relaxed) {
                return consumed;
            }
            self.frame();
        }
        panic!("the editor requests frames for ever");
    }

    fn move_to(&mut self, window: usize, x: f64) {
        self.move_to_px(window, x, 300.0);
    }

    fn move_to_px(&mut self, window: usize, x: f64, y: f64) {
        let position = PhysicalPosition::new(x, y);
        self.on(window, &WindowEvent::CursorMoved { device_id: DeviceId::dummy(), position });
    }

    fn click(&mut self, x: f64) {
        self.move_to(0, x);
        self.on(0, &button(Pressed));
        self.on(0, &button(Released));
    }

    /// The key is up again before the button.
    fn shift_click(&mut self, x: f64) {
        self.on(0, &WindowEvent::ModifiersChanged(Modifiers::from(ModifiersState::SHIFT)));
        self.move_to(0, x);
        self.on(0, &button(Pressed));
        self.on(0, &WindowEvent::ModifiersChanged(Modifiers::default()));
        self.on(0, &button(Released));
    }

    fn drag(&mut self, window: usize, from: f64, to: f64) {
        self.move_to(window, from);
        self.on(window, &button(Pressed));
        self.move_to(window, to);
        self.on(window, &button(Released));
    }

    fn shows_gizmo(&mut self) -> bool {
        let arrow = HandleId::from_name("translate_x").expect("the handle is built in");
        let view = self.views()[0];
        self.editor.tools.gizmo.handle_px(&view, arrow).is_some()
    }

    /// Returns the positions along X, in hundredths.
    fn xs(&self) -> Vec<f64> {
        self.editor.objects().map(|(_, world)| (world.translation.x * 100.0).round()).collect()
    }
}

#[test]
fn clicks_select_and_shift_adds_or_removes() {
    let mut host = Host::new(1);
    let [left, middle, right] = [host.squares[0], host.squares[1], host.squares[2]];
    // Beside the center handle of a selected square. The third click is in the other viewport.
    for (x, with_shift, expected) in [
        (80.0, false, vec![left]),
        (220.0, true, vec![left, middle]),
        (720.0, true, vec![left, middle, right]),
        (80.0, true, vec![middle, right]),
        (30.0, true, vec![middle, right]),
        (80.0, false, vec![left]),
        (80.0, true, vec![]),
        (320.0, false, vec![right]),
        (30.0, false, vec![]),
    ] {
        if with_shift {
            host.shift_click(x)
        } else {
            host.click(x)
        }
        assert_eq!(host.editor.selected(), expected, "after a click at {x}");
        assert_eq!(host.shows_gizmo(), !expected.is_empty(), "after a click at {x}");
    }
    let unknown = NonZeroU32::MAX;
    host.editor.select([right, unknown, left, right]);
    assert_eq!(host.editor.selected(), [right, left]);
}

#[test]
fn click_on_trackball_or_center_selects_what_is_behind() {
    let mut host = Host::new(1);
    host.editor.tools.gizmo.settings.mode = Mode::Rotate;
    host.click(100.0);
    // The trackball around the left square covers the edge of the middle one, below the ring that is seen end-on.
    host.move_to_px(0, 200.0 - 24.0, 300.0 + 20.0);
    host.on(0, &button(Pressed));
    host.on(0, &button(Released));
    assert_eq!(host.editor.selected(), [host.squares[1]]);
    host.editor.tools.gizmo.settings.mode = Mode::Translate;
    host.shift_click(200.0);
    assert_eq!(host.editor.selected(), [], "a square is at the center of its gizmo");
    host.editor.select([host.squares[0], host.squares[1]]);
    host.frame();
    host.click(150.0);
    assert_eq!(host.editor.selected(), [], "between two squares, nothing is behind the center handle");
    assert_eq!(host.xs(), [-200.0, 0.0, 200.0]);
}

#[test]
fn clicks_survive_dropped_encoders_and_missing_views() {
    let mut host = Host::new(1);
    host.editor.tools.gizmo.settings.mode = Mode::Rotate;
    host.click(100.0);
    let window = host.windows[0];
    let position = PhysicalPosition::new(200.0 - 24.0, 300.0 + 20.0);
    host.editor.on_window_event(window, &WindowEvent::CursorMoved { device_id: DeviceId::dummy(), position });
    for state in [Pressed, Released] {
        host.editor.on_window_event(window, &button(state));
        for (has_views, submits) in [(true, false), (false, true), (false, false), (true, true)].repeat(4) {
            host.frame_as(has_views, submits);
        }
    }
    assert_eq!(host.editor.selected(), [host.squares[1]], "behind the trackball");
}

#[test]
fn tapped_object_has_gizmo_without_further_input() {
    let mut host = Host::new(1);
    for phase in [TouchPhase::Started, TouchPhase::Ended] {
        let (location, force) = (PhysicalPosition::new(80.0, 300.0), None);
        host.on(
            0,
            &WindowEvent::Touch(Touch { device_id: DeviceId::dummy(), phase, location, force, id: 1 }),
        );
    }
    assert_eq!(host.editor.selected(), [host.squares[0]]);
    assert!(host.shows_gizmo());
}

#[test]
fn drags_are_steps_that_are_undone_and_redone() {
    let mut host = Host::new(1);
    host.click(80.0);
    host.shift_click(220.0);
    // The arrow of X begins at the median of both.
    host.drag(0, 150.0 + 50.0, 150.0 + 100.0);
    assert_eq!(host.xs(), [-100.0, 100.0, 200.0]);
    assert!(matches!(host.events[..], [.., Event::Ended { changed: true }]));
    // In the other viewport.
    host.drag(1, 600.0 + 50.0, 600.0 + 75.0);
    assert_eq!(host.xs(), [-50.0, 150.0, 200.0]);
    assert!(host.editor.undo());
    assert_eq!(host.xs(), [-100.0, 100.0, 200.0]);
    assert!(host.editor.undo() && !host.editor.undo());
    assert_eq!(host.xs(), [-200.0, 0.0, 200.0]);
    assert!(host.editor.redo());
    assert_eq!(host.xs(), [-100.0, 100.0, 200.0]);
    host.drag(0, 200.0 + 50.0, 200.0 - 50.0);
    assert!(!host.editor.redo(), "another drag replaces what was undone");
    assert!(host.editor.undo() && host.editor.undo() && !host.editor.undo());
    assert_eq!(host.xs(), [-200.0, 0.0, 200.0]);

    host.move_to(0, 150.0 + 50.0);
    host.on(0, &button(Pressed));
    host.move_to(0, 150.0 + 100.0);
    assert!(!host.editor.redo(), "a drag is in progress");
    assert_eq!(host.xs(), [-100.0, 100.0, 200.0]);
}

#[test]
fn removed_object_leaves_selection_drag_and_steps() {
    let mut host = Host::new(1);
    host.click(80.0);
    host.drag(0, 100.0 + 50.0, 100.0 + 100.0);
    host.shift_click(320.0);
    host.drag(0, 225.0 + 50.0, 225.0 + 100.0);
    assert_eq!(host.xs(), [0.0, 0.0, 300.0]);
    host.move_to(0, 275.0 + 50.0);
    host.on(0, &button(Pressed));
    host.move_to(0, 275.0 + 100.0);
    let left = host.squares[0];
    assert!(host.editor.remove(left) && !host.editor.remove(left));
    host.frame();
    assert_eq!(host.xs(), [0.0, 300.0], "the drag is canceled");
    assert_eq!(host.editor.selected(), [host.squares[2]]);
    assert_eq!(host.editor.world(left), None);
    assert!(host.editor.undo() && !host.editor.undo(), "the drag of the removed object alone is gone");
    assert_eq!(host.xs(), [0.0, 200.0]);
    let middle = host.squares[1];
    assert!(host.editor.remove(middle) && !host.editor.undo(), "a step that was undone is not undone again");
    assert!(host.editor.redo());
    assert_eq!(host.xs(), [300.0]);
}

#[test]
fn selection_that_changes_in_drag_cancels_it() {
    let mut host = Host::new(1);
    host.click(80.0);
    host.move_to(0, 100.0 + 50.0);
    host.on(0, &button(Pressed));
    host.move_to(0, 100.0 + 100.0);
    assert_eq!(host.xs(), [-100.0, 0.0, 200.0]);
    let same = host.editor.selected().to_vec();
    host.editor.select(same);
    host.move_to(0, 100.0 + 110.0);
    assert_eq!(host.xs(), [-80.0, 0.0, 200.0], "the same selection changes nothing");
    host.editor.select([host.squares[2]]);
    host.frame();
    host.move_to(0, 100.0 + 150.0);
    host.on(0, &button(Released));
    assert_eq!(host.xs(), [-200.0, 0.0, 200.0]);
    assert!(host.events.contains(&Event::Canceled) && !host.editor.undo());
}

#[test]
fn two_windows_tell_equal_positions_apart() {
    let mut host = Host::new(2);
    host.move_to(1, 80.0);
    host.on(1, &button(Pressed));
    host.on(1, &button(Released));
    assert_eq!(host.editor.selected(), [host.squares[0]]);
    host.drag(1, 100.0 + 50.0, 100.0 + 100.0);
    assert_eq!(host.xs(), [-100.0, 0.0, 200.0]);
    assert_eq!(host.editor.pointer_window(), host.windows[1]);
    host.editor.remove_window(host.windows[1]);
    assert!(!host.on(1, &button(Pressed)), "its events are ignored");
    host.drag(0, 150.0 + 50.0, 150.0 + 100.0);
    assert_eq!(host.xs(), [0.0, 0.0, 200.0]);
}

#[test]
fn window_that_is_removed_in_drag_cancels_it() {
    let mut host = Host::new(2);
    host.editor.select([host.squares[0]]);
    host.frame();
    host.move_to(1, 100.0 + 50.0);
    host.on(1, &button(Pressed));
    host.move_to(1, 100.0 + 100.0);
    assert_eq!(host.xs(), [-100.0, 0.0, 200.0]);
    host.editor.remove_window(host.windows[1]);
    assert_eq!(host.editor.pointer_window(), host.windows[0]);
    host.frame();
    assert_eq!(host.xs(), [-200.0, 0.0, 200.0]);
    host.click(220.0);
    assert_eq!(host.editor.selected(), [host.squares[1]]);
}

#[test]
fn edited_pivot_snaps_to_its_object_and_is_no_step() {
    let mut host = Host::new(1);
    host.click(80.0);
    host.editor.tools.gizmo.settings.snap.to = SnapTo::VERTEX;
    host.editor.tools.gizmo.edit_pivot();
    host.frame();
    host.move_to(0, 100.0);
    host.on(0, &button(Pressed));
    host.move_to_px(0, 100.0 + 23.0, 300.0 - 23.0);
    host.on(0, &button(Released));
    assert!(host.events.iter().any(|event| matches!(event, Event::PivotChanged { .. })));
    let pivot = host.editor.tools.gizmo.pivot_place().expect("the gizmo is shown").translation;
    assert!(pivot.distance(DVec3::new(-1.5, 0.5, 0.0)) < 1e-6, "{pivot}");
    assert!(!host.editor.undo());
    host.move_to_px(0, 123.0, 277.0);
    host.on(0, &button(Pressed));
    host.move_to_px(0, 123.0, 250.0);
    host.editor.select([host.squares[1]]);
    host.frame();
    assert_eq!(host.xs(), [-200.0, 0.0, 200.0], "no object was dragged");
}

#[test]
fn oldest_steps_are_forgotten() {
    let mut host = Host::new(1);
    host.click(80.0);
    host.editor.max_steps = 2;
    for x in [100.0, 150.0, 200.0] {
        host.drag(0, x + 50.0, x + 100.0);
    }
    assert_eq!(host.xs()[0], 100.0);
    assert!(host.editor.undo() && host.editor.undo() && !host.editor.undo());
    assert_eq!(host.xs()[0], -100.0);
    host.editor.clear_steps();
    assert!(!host.editor.redo());
}

/// A host that draws only requested frames would otherwise show an old one.
#[test]
fn changes_by_host_request_frames() {
    let mut host = Host::new(1);
    let (mesh, left) = (host.mesh, host.squares[0]);
    let mut requests = |name: &str, change: &dyn Fn(&mut WinitEditor)| {
        change(&mut host.editor);
        assert!(host.is_requested.swap(false, Ordering::Relaxed), "{name}");
    };
    requests("insert", &|editor| assert!(editor.insert(mesh, Transform::IDENTITY).is_some()));
    requests("place", &|editor| assert!(editor.place(left, Transform::from_translation(DVec3::X))));
    requests("select", &|editor| editor.select([left]));
    requests("remove", &|editor| assert!(editor.remove(left)));
}

#[test]
fn object_with_nan_is_left_alone() {
    let mut host = Host::new(1);
    let broken = Transform::from_translation(DVec3::new(f64::NAN, 0.0, 0.0));
    assert!(host.editor.place(host.squares[1], broken));
    let selected = host.squares.clone();
    host.editor.select(selected);
    // Ends, because it requests no frames for ever.
    host.click(320.0);
    host.drag(0, 300.0 + 50.0, 300.0 + 75.0);
    assert_eq!(host.editor.selected(), [host.squares[2]]);
    assert_eq!([host.xs()[0], host.xs()[2]], [-200.0, 250.0]);
    assert!(host.xs()[1].is_nan());
}

#[test]
fn lost_device_keeps_objects_selection_and_drag() {
    let mut host = Host::new(1);
    host.click(80.0);
    host.drag(0, 100.0 + 50.0, 100.0 + 100.0);
    host.move_to(0, 150.0 + 50.0);
    host.on(0, &button(Pressed));
    host.move_to(0, 150.0 + 75.0);
    host.device.destroy();
    (host.device, host.queue) = gpu();
    let (device, mut mesh) = (host.device.clone(), None::<PickMeshKey>);
    host.editor
        .rebuild(&host.device, &host.queue, |scene, _| match mesh {
            Some(mesh) => Ok(mesh),
            None => {
                let uploaded = scene.add_mesh(&device, &square())?;
                mesh = Some(uploaded);
                Ok(uploaded)
            }
        })
        .expect("the new device works");
    host.move_to(0, 150.0 + 100.0);
    host.on(0, &button(Released));
    assert_eq!(host.xs(), [0.0, 0.0, 200.0]);
    host.click(320.0);
    assert_eq!(host.editor.selected(), [host.squares[2]], "the objects can be picked");
    assert!(host.editor.undo() && host.editor.undo());
    assert_eq!(host.xs(), [-200.0, 0.0, 200.0]);
}

#[test]
fn drag_snaps_to_other_objects_but_not_to_itself() {
    let mut host = Host::new(1);
    host.click(80.0);
    host.editor.tools.gizmo.settings.snap.to = SnapTo::VERTEX;
    // The center handle moves the square in the plane of the screen, to a corner of the middle one.
    host.move_to(0, 100.0);
    host.on(0, &button(Pressed));
    host.move_to_px(0, 100.0 + 77.0, 300.0 - 22.0);
    host.on(0, &button(Released));
    let moved = host.editor.world(host.squares[0]).expect("the object is there").translation;
    assert!((moved.x + 0.5).abs() < 1e-6 && (moved.y - 0.5).abs() < 1e-6, "{moved}");
}

#[test]
fn object_is_placed_by_matrix() {
    let mut host = Host::new(1);
    let square = host.squares[1];
    assert!(host.editor.place(square, DMat4::from_translation(DVec3::X)));
    assert_eq!(host.xs(), [-200.0, 100.0, 200.0]);
    host.editor.tools.gizmo.settings.mode = Mode::None;
    host.click(250.0);
    assert_eq!(host.editor.selected(), [square], "it is picked where it was placed");
    assert!(!host.editor.place(NonZeroU32::MAX, Transform::IDENTITY));
}

#[test]
fn keys_of_steps_follow_the_layout() {
    let (ctrl, shift) = (ModifiersState::CONTROL, ModifiersState::SHIFT);
    let key =
        |text: &str, code, held| step_of_key(&Key::Character(text.into()), PhysicalKey::Code(code), held);
    assert_eq!(key("z", KeyCode::KeyZ, ctrl), Some(KeyStep::Undo));
    assert_eq!(key("z", KeyCode::KeyZ, ModifiersState::SUPER), Some(KeyStep::Undo));
    assert_eq!(key("Z", KeyCode::KeyZ, ctrl | shift), Some(KeyStep::Redo));
    // On a German keyboard, Y and Z change places.
    assert_eq!(key("y", KeyCode::KeyZ, ctrl), Some(KeyStep::Redo));
    // In a Russian layout, Я is at the position of Z.
    assert_eq!(key("я", KeyCode::KeyZ, ctrl), Some(KeyStep::Undo));
    for held in [ModifiersState::empty(), shift, ctrl | ModifiersState::ALT] {
        assert_eq!(key("z", KeyCode::KeyZ, held), None, "{held:?}");
    }
    assert_eq!(key("x", KeyCode::KeyX, ctrl), None);
}
