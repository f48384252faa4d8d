//! Two cubes in a panel of an eframe app, moved with wgpu-gizmo. A click selects a cube, and a drag can snap to the
//! corners of the other one. A drag beside the handles orbits the camera.
//!
//! On another renderer than wgpu, the gizmo is created by `EguiGizmo::on_painter`, and the scene implements
//! `PickedObjects` instead of `DrawnObjects`; all else is the same.

mod scene;

use eframe::egui::{self, Color32, Response, Sense, Stroke, Ui};
use scene::{CORNERS, Scene};
use std::error::Error;
use wgpu_gizmo::glam::{DMat4, DVec3, Vec3, dcamera::rh};
use wgpu_gizmo::pick::snap::SnapTo;
use wgpu_gizmo::{Event, Target, Transform};
use wgpu_gizmo_egui::EguiGizmo;

struct App {
    gizmo: EguiGizmo,
    scene: Scene,
    /// The index of a cube and its transform before a drag.
    undo: Vec<(usize, Transform)>,
    /// The angles of the camera around the origin, in radians.
    yaw: f64,
    pitch: f64,
}

impl App {
    fn new(context: &eframe::CreationContext<'_>) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let mut gizmo = EguiGizmo::on_wgpu(context.wgpu_render_state.as_ref())?;
        let state = context.wgpu_render_state.as_ref().ok_or("eframe does not run on wgpu")?;
        let scene = Scene::new(&state.device, &state.queue, gizmo.ids.allocate(2)?)?;
        Ok(Self { gizmo, scene, undo: Vec::new(), yaw: 0.6, pitch: 0.5 })
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
        let snap_to = &mut self.gizmo.gizmo.settings.snap.to;
        let mut is_snapping = !snap_to.is_empty();
        if ui.checkbox(&mut is_snapping, "Snap to corners").changed() {
            *snap_to = if is_snapping { SnapTo::VERTEX } else { SnapTo::NONE };
        }
        if ui.add_enabled(!self.undo.is_empty(), egui::Button::new("Undo")).clicked()
            && let Some((cube, start)) = self.undo.pop()
        {
            self.scene.move_to(cube, start);
        }
    }

    fn viewport(&mut self, ui: &mut Ui) {
        let (_, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        let (eye, lens) = self.camera(&response);
        let selected = self.scene.selected;
        let mut targets = [Target::from_world(self.scene.cubes[selected])];
        let shown = self.gizmo.show_with(ui, &response, eye, lens, &mut targets, &mut self.scene);
        self.scene.move_to(selected, targets[0].local);
        for (index, cube) in self.scene.cubes.iter().enumerate() {
            let color = if index == selected { Color32::WHITE } else { Color32::GRAY };
            paint_cube(ui, &response, lens * eye * cube.to_matrix(), color);
        }
        self.gizmo.paint(ui, &response);
        for event in shown.events {
            match event {
                Event::Ended { changed: true } => {
                    self.undo.extend(self.gizmo.gizmo.starts().map(|start| (selected, start)));
                }
                Event::ClickedObject(id) => self.scene.select(id),
                _ => {}
            }
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
fn paint_cube(ui: &Ui, response: &Response, clip_from_cube: DMat4, color: Color32) {
    let corner = |i: usize| {
        let ndc = clip_from_cube.project_point3(Vec3::from(CORNERS[i]).as_dvec3()).as_vec3();
        let (center, half) = (response.rect.center(), 0.5 * response.rect.size());
        center + egui::vec2(ndc.x * half.x, -ndc.y * half.y)
    };
    let painter = ui.painter_at(response.rect);
    for (i, axis) in (0..8).flat_map(|i| [1, 2, 4].map(|axis| (i, axis))).filter(|(i, axis)| i & axis == 0) {
        painter.line_segment([corner(i), corner(i | axis)], Stroke::new(1.5, color));
    }
}

fn main() -> eframe::Result {
    let options = eframe::NativeOptions::default();
    eframe::run_native("Cubes in egui", options, Box::new(|context| Ok(Box::new(App::new(context)?))))
}
