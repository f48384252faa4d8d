//! A cube in a panel of an eframe app, moved with wgpu-gizmo. A drag beside the handles orbits the camera.
//!
//! On another renderer than wgpu, the gizmo is created by `EguiGizmo::on_painter`; all else is the same.

use eframe::egui::{self, Color32, Response, Sense, Stroke, Ui};
use std::error::Error;
use wgpu_gizmo::glam::{DMat4, DVec3, dcamera::rh};
use wgpu_gizmo::{Event, Target, Transform};
use wgpu_gizmo_egui::EguiGizmo;

struct App {
    gizmo: EguiGizmo,
    cube: Transform,
    undo: Vec<Transform>,
    /// The angles of the camera around the cube, in radians.
    yaw: f64,
    pitch: f64,
}

impl App {
    fn new(context: &eframe::CreationContext<'_>) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let state = context.wgpu_render_state.as_ref().ok_or("eframe does not run on wgpu")?;
        Ok(Self {
            gizmo: EguiGizmo::new(&state.device, state.target_format)?,
            cube: Transform::IDENTITY,
            undo: Vec::new(),
            yaw: 0.6,
            pitch: 0.5,
        })
    }

    fn camera(&self, response: &Response) -> (DMat4, DMat4) {
        let (sin, cos) = self.pitch.sin_cos();
        let eye = DVec3::new(cos * self.yaw.sin(), sin, cos * self.yaw.cos()) * 6.0;
        let aspect = f64::from(response.rect.aspect_ratio()).max(0.01);
        let clip_from_view = rh::proj::directx::perspective(0.8, aspect, 0.1, 100.0);
        (rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y), clip_from_view)
    }

    fn buttons(&mut self, ui: &mut Ui) {
        self.gizmo.mode_buttons(ui);
        if ui.add_enabled(!self.undo.is_empty(), egui::Button::new("Undo")).clicked() {
            self.cube = self.undo.pop().unwrap_or_default();
        }
    }

    fn viewport(&mut self, ui: &mut Ui) {
        let (_, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        let (eye, lens) = self.camera(&response);
        paint_cube(ui, &response, lens * eye * self.cube.to_matrix());
        let mut targets = [Target::from_world(self.cube)];
        let shown = self.gizmo.show(ui, &response, eye, lens, &mut targets);
        self.cube = targets[0].local;
        if shown.events.contains(&Event::Ended { changed: true }) {
            self.undo.extend(self.gizmo.gizmo.starts());
        }
        if response.dragged() && !shown.claims.primary_drag {
            self.yaw -= 0.01 * f64::from(response.drag_delta().x);
            self.pitch = (self.pitch + 0.01 * f64::from(response.drag_delta().y)).clamp(-1.5, 1.5);
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        ui.horizontal(|ui| self.buttons(ui));
        self.viewport(ui);
    }
}

/// Paints the edges of a cube.
fn paint_cube(ui: &Ui, response: &Response, clip_from_cube: DMat4) {
    let corner = |i: usize| {
        let at = [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { -0.5 } else { 0.5 });
        let ndc = clip_from_cube.project_point3(DVec3::from_array(at)).as_vec3();
        let (center, half) = (response.rect.center(), 0.5 * response.rect.size());
        center + egui::vec2(ndc.x * half.x, -ndc.y * half.y)
    };
    let painter = ui.painter_at(response.rect);
    for (i, axis) in (0..8).flat_map(|i| [1, 2, 4].map(|axis| (i, axis))).filter(|(i, axis)| i & axis == 0) {
        painter.line_segment([corner(i), corner(i | axis)], Stroke::new(1.5, Color32::LIGHT_GRAY));
    }
}

fn main() -> eframe::Result {
    let options = eframe::NativeOptions::default();
    eframe::run_native("A cube in egui", options, Box::new(|context| Ok(Box::new(App::new(context)?))))
}
