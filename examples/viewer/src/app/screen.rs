//! The state of the window: everything that a frame needs.

use super::device::DeviceState;
use super::easing::Easing;
use super::flight::Flight;
use super::keyboard::Keyboard;
use super::navigation::Navigation;
use super::pace::Pace;
use super::pointer_capture::PointerCapture;
use super::recording::Recording;
use super::waiting_input::WaitingInput;
use super::window_surface::WindowSurface;
use super::{Start, desktop_dialogs, files, size};
use crate::files::{Files, Request};
use crate::panel::{Page, Panel};
use crate::preferences::Preferences;
use crate::recovery::Store;
use crate::user_event::UserEvent;
use render::stage::{Extent, Stage};
use session::Session;
use session::player::Player;
use session::recorder::Recorder;
use session::replay_file::Replay;
use session::views::Canvas;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use surface::NextFrame;
use web_time::Instant;
use wgpu_gizmo::Increment;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::interaction::CursorHint;
use wgpu_gizmo::math::ViewError;
use wgpu_gizmo_winit::TouchGestures;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window;

/// The interval at which a step checks whether the device has drawn a chunk of a slow picture.
const CHUNK_CHECK: Duration = Duration::from_millis(16);

/// A window and its contents.
pub(super) struct Screen {
    pub(super) surface: WindowSurface,
    pub(super) device_state: DeviceState,
    pub(super) stage: Stage,
    pub(super) panel: Panel,
    /// Its views are those of the last time when the window had pixels.
    pub(super) session: Session,
    pub(super) files: Files,
    /// Title of the window.
    pub(super) title: String,
    pub(super) cursor_px: DVec2,
    pub(super) pointer_capture: PointerCapture,
    pub(super) waiting_input: WaitingInput,
    pub(super) keyboard: Keyboard,
    /// The last motion during a drag in the viewport, which the panel receives when the drag ends.
    pub(super) deferred_move: Option<WindowEvent>,
    pub(super) pace: Pace,
    /// Whether each drawn frame prints a line.
    prints_frames: bool,
    pub(super) fingers: TouchGestures,
    /// The pick tolerance of the mouse in logical pixels, while a finger is the pointer.
    pub(super) mouse_tolerance_lpx: Option<f64>,
    pub(super) navigation: Option<Navigation>,
    pub(super) easing: Option<Easing>,
    pub(super) flight: Option<Flight>,
    pub(super) recording: Recording,
    pub(super) player: Option<Player>,
}

impl Screen {
    pub(super) fn new(
        event_loop: &ActiveEventLoop,
        proxy: EventLoopProxy<UserEvent>,
        surface: WindowSurface,
        Start { mut editor, name, source, replay, options }: Start,
    ) -> Result<Self, Box<dyn Error>> {
        if replay.is_none() {
            // The built-in scene shows handles at once.
            editor.select_by_name(["gripper"]);
            (editor.shows_volumes, editor.shows_icons) = (true, true);
        }
        let mut files = files::files(proxy.clone(), name, options.allowed());
        let (window, gpu, format) = (&surface.window, &surface.gpu, surface.format());
        files.window.desktop = desktop_dialogs::of(window.clone());
        files.window.saved = desktop_dialogs::SAVED;
        let stage = Stage::new(gpu, format, editor.scene())?;
        files.window.upload = Some(files::upload(&stage));
        // A replay's picture is as large as the window.
        let mut page = Page::new(!options.hides_panel && replay.is_none());
        page.preferences = Preferences::of_user();
        let mut panel = Panel::new(event_loop, proxy.clone(), window, (&gpu.device, format), page);
        window.set_visible(true);
        let canvas = canvas(window, &panel, surface.configured_px());
        let mut session = match &replay {
            Some(replay) => Session::of_replay(editor, replay)?,
            None => Session::of_scene(editor, canvas)?,
        };
        if replay.is_none() {
            panel.page.preferences.restore(&mut session.editor);
            if let Some(store) = Store::of_user() {
                files.start_recovery(store);
                // If a file is being opened, only its own journals are offered, once it is shown.
                if options.scene.is_none() {
                    files.offer_all();
                }
            }
        }
        let recorder = Recorder::new(source, &session)?;
        if let Some(file) = options.scene {
            // There are no unsaved changes, so this asks no question.
            files.request(Request::OpenFile(file), &mut session.editor);
        }
        Ok(Self {
            device_state: DeviceState::new(gpu, &proxy),
            surface,
            stage,
            panel,
            title: files.file.title(&session.editor),
            session,
            files,
            cursor_px: DVec2::ZERO,
            pointer_capture: PointerCapture::default(),
            waiting_input: WaitingInput::default(),
            keyboard: Keyboard::default(),
            deferred_move: None,
            pace: Pace::default(),
            prints_frames: options.prints_frames,
            fingers: TouchGestures::default(),
            mouse_tolerance_lpx: None,
            navigation: None,
            easing: None,
            flight: None,
            recording: Recording { recorder, file: options.record, out: options.out },
            player: replay.map(Player::new),
        })
    }

    /// Schedules a step, which determines whether a pixel has changed.
    pub(super) fn wake(&mut self) {
        self.pace.wake(Instant::now());
    }

    /// Returns true if everything that has happened is drawn.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn is_at_rest(&self) -> bool {
        self.pace.is_idle() && !self.stage.is_waiting() && !self.stage.is_drawing() && self.files.is_at_rest()
    }

    /// Makes a step if one is due. Called when all pending events are handled. Returns when to call it again.
    pub(super) fn about_to_wait(&mut self) -> Result<Option<Instant>, Box<dyn Error>> {
        if self.pace.next_step().is_some_and(|at| at <= Instant::now()) {
            if self.step()? {
                self.pace.wait_for_frame();
                self.surface.window.request_redraw();
            } else {
                self.after_frame();
            }
        }
        // Not after the frame, because a hidden window draws none.
        let journal = self.files.update_journal(&self.session.editor);
        Ok(self.pace.next_step().into_iter().chain(journal).min())
    }

    /// Updates the views to the current window size, panel and cameras. Returns false if there is nothing to
    /// draw, for example because the window has no pixels.
    pub(super) fn update_views(&mut self) -> bool {
        let [width, height] = self.surface.size_px();
        if width == 0 || height == 0 {
            return false;
        }
        let picture = match &self.player {
            // Positions in a replay are pixels of its own picture, whatever the size of the window.
            Some(_) => self.session.canvas,
            None => canvas(&self.surface.window, &self.panel, [width, height]),
        };
        self.cursor_px *= picture.scale_factor / self.session.canvas.scale_factor;
        let is_visible = self.session.set_canvas(picture).is_ok();
        self.record_views();
        is_visible
    }

    /// Configures the surface for the current size of the window.
    pub(super) fn resize(&mut self) {
        if self.surface.resize() {
            self.redraw();
        }
    }

    /// Draws the window again, whether anything has changed or not.
    pub(super) fn redraw(&mut self) {
        self.pace.invalidate(Instant::now());
        self.surface.window.request_redraw();
    }

    /// Draws the window, even if nothing has changed: the window system may have lost its pixels.
    pub(super) fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        if !self.pace.begin_frame() {
            self.step()?;
        }
        if self.surface.size_px().contains(&0) || !self.surface.is_open() {
            return Ok(());
        }
        let texture = match self.surface.next_frame()? {
            NextFrame::Ready(texture) => texture,
            NextFrame::Later => {
                // The window may have another size, of which no event has told yet.
                self.resize();
                return Ok(());
            }
            NextFrame::Hidden => return Ok(()),
        };
        let target = self.surface.view_of(&texture);
        let gpu = &self.surface.gpu;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.stage.draw(&mut encoder, &target, Extent::Frame)?;
        let context = self.panel.context().clone();
        self.panel.painter.paint(gpu, &mut encoder, &target, &context);
        gpu.queue.submit([encoder.finish()]);
        self.surface.window.pre_present_notify();
        gpu.queue.present(texture);
        if self.prints_frames {
            let wgpu_gizmo::Viewport { x, y, width, height, .. } = self.session.canvas.viewport;
            crate::messages::print(&format!("frame {x} {y} {width} {height}"));
        }
        self.after_frame();
        Ok(())
    }

    /// Cancels a picture that is drawn in chunks. Returns false if there is none.
    pub(super) fn cancel_drawing(&mut self) -> bool {
        let Some([drawn, all]) = self.stage.progress() else { return false };
        self.stage.cancel_drawing();
        let message = format!("Canceled after {drawn} of {all} nodes; move the view to draw all of them");
        self.session.editor.show_message(message);
        true
    }

    /// Updates the session while the queries in flight go on, however long their answers take.
    pub(super) fn update_session(&mut self) -> Result<(), ViewError> {
        self.stage.await_answers(&mut self.session);
        self.session.update()
    }

    /// Handles everything that has happened since the last step. Returns true if a frame must be drawn.
    fn step(&mut self) -> Result<bool, Box<dyn Error>> {
        self.pace.begin_step(Instant::now());
        self.restore_changes();
        let flies = self.step_flight();
        let eases = self.step_easing();
        if !self.update_views() {
            return Ok(false);
        }
        self.stage.poll(&mut self.session)?;
        let orbit = self.session.cameras.orbit();
        self.update_session()?;
        // A click on the view cube turns the camera.
        self.ease_from(orbit);
        let played = self.player.as_ref().map(Player::progress);
        self.advance_replay()?;
        self.update_session()?;
        // The text of the replay strip may have another width, which the next step lays out.
        let has_played = self.player.as_ref().map(Player::progress) != played;
        self.record_views();
        let size_px = self.surface.configured_px();
        self.stage.ask(&mut self.session, size_px)?;
        let picture_changed = self.stage.update(&mut self.session, size_px);
        self.recording.recorder.saw(self.stage.handles());
        let (delay, has_changed) = self.show_panel();
        if !self.is_selecting() {
            std::mem::take(&mut self.panel.page.commands).into_iter().for_each(|command| self.run(command));
        }
        let has_input = self.run_waiting_input();
        let goes_on = flies || eases || self.player.as_ref().is_some_and(Player::wants_frames);
        let again = has_changed || goes_on || has_played || has_input;
        if again || self.stage.needs_step(&self.session) {
            self.wake();
        }
        if self.stage.is_drawing() {
            self.pace.wake(Instant::now() + CHUNK_CHECK);
        }
        if let Some(at) = delay.and_then(|delay| Instant::now().checked_add(delay)) {
            self.pace.wake(at);
        }
        Ok(picture_changed || self.panel.painter.is_stale)
    }

    /// Runs the panel. Returns the delay after which it wants to run again, and whether it has changed the
    /// editor.
    fn show_panel(&mut self) -> (Option<Duration>, bool) {
        let overlay = self.stage.overlay(&self.session.editor, &self.session.views);
        self.panel.cursor = match self.session.editor.gizmo().cursor_hint() {
            _ if self.navigation.is_some() => self.panel.cursor,
            _ if self.flight.is_some() => egui::CursorIcon::None,
            _ if self.session.editor.cube.is_held() => egui::CursorIcon::Grabbing,
            _ if self.session.editor.pointer().drawn().is_some() => egui::CursorIcon::Crosshair,
            CursorHint::Grab => egui::CursorIcon::Grab,
            CursorHint::Grabbing => egui::CursorIcon::Grabbing,
            _ => egui::CursorIcon::Default,
        };
        self.recording.recorder.before(&self.session.editor);
        self.follow_grid();
        self.panel.page.drawing = self.stage.progress();
        self.panel.page.is_flying = self.flight.is_some();
        self.panel.page.is_replaying = self.is_replaying();
        let shown = (self.session.views.current(), &overlay, self.player.as_ref());
        let (delay, request) = self.panel.show(
            &self.surface.window,
            &self.surface.gpu,
            (&mut self.session.editor, &mut self.files),
            shown,
        );
        // The picture and parts of the panel were made before these changes.
        let has_changed = self.recording.recorder.changed(&self.session.editor);
        self.player.iter_mut().zip(request).for_each(|(player, request)| player.ask(request));
        (delay, has_changed)
    }

    /// Sets the increment of translations to the distance between two visible lines of the grid, unless the user
    /// has chosen another one, has turned it off, or drags something.
    pub(super) fn follow_grid(&mut self) {
        let is_fixed = self.panel.page.preferences.has_fixed_steps || self.player.is_some();
        if is_fixed || self.session.editor.is_busy() {
            return;
        }
        let spacing = self.stage.grid_spacing(&self.session.views).and_then(Increment::new);
        self.session.editor.change(|values| values.follow_grid(spacing));
    }
}

/// Returns the picture in a window of this size.
fn canvas(window: &Window, panel: &Panel, [width, height]: [u32; 2]) -> Canvas {
    let viewport = panel.viewport(width, height);
    Canvas { size_px: [width, height], viewport, scale_factor: window.scale_factor() }
}

/// Creates a window that is as large as the picture of a replay, or that fits its monitor.
pub(super) fn hidden_window(
    event_loop: &ActiveEventLoop,
    title: &str,
    replay: Option<&Replay>,
) -> Result<Arc<Window>, Box<dyn Error>> {
    let size = replay.map(|replay| PhysicalSize::from(replay.canvas.size_px));
    let attributes = size::attributes(event_loop, size)?
        .with_title(title)
        // AccessKit must be set up before the window is shown.
        .with_visible(false);
    let window = Arc::new(event_loop.create_window(attributes)?);
    if replay.is_none() {
        size::fit_to_own_monitor(&window);
    }
    Ok(window)
}
