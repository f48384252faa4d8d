//! Random events of egui for a gizmo in two panels, beside a button, a field and a window, as a table
//! (`tests/walks.tsv`).
#![allow(missing_docs, reason = "test names describe themselves")]

mod events;
#[path = "../../../wgpu-gizmo-core/tests/common/golden.rs"]
mod golden;

use egui::accesskit::{NodeId, Role, TreeUpdate};
use egui::{
    Context, Event, FullOutput, Modifiers, PointerButton, Pos2, RawInput, Rect, Sense, Shape, Ui, ViewportId,
    pos2, vec2,
};
use fastrand::Rng;
use golden::{Row, Table, choose};
use std::num::NonZeroU32;
use wgpu_gizmo_core::glam::{DMat4, DVec3, dcamera::rh};
use wgpu_gizmo_core::interaction::settings::{AxisKeys, BoxHandles};
use wgpu_gizmo_core::pick::snap::{SnapPoint, SnapTo};
use wgpu_gizmo_core::{Event as GizmoEvent, Mode, PickQuery, Snap, Target, Transform};
use wgpu_gizmo_egui::{EguiGizmo, PainterBackend, PickedObjects};

const ROWS: usize = 50;
/// Sessions per row.
const WALKS: usize = 2;
const STEPS: usize = 40;
const PANELS: [Rect; 2] = [
    Rect { min: pos2(90.0, 40.0), max: pos2(490.0, 340.0) },
    Rect { min: pos2(500.0, 60.0), max: pos2(780.0, 340.0) },
];

fn thousandths(rng: &mut Rng, size: i32) -> f32 {
    rng.i32(-size..=size) as f32 / 1000.0
}

fn matrices(panel: Rect) -> [DMat4; 2] {
    let eye = rh::view::look_at_mat4(DVec3::new(2.0, 1.5, 8.0), DVec3::ZERO, DVec3::Y);
    [eye, rh::proj::directx::perspective(0.6, f64::from(panel.aspect_ratio()), 0.1, 100.0)]
}

/// An object of the host: a ball that is picked, and whose center is snapped to.
struct Ball(NonZeroU32);

impl Ball {
    fn is_at(query: &PickQuery) -> bool {
        let ray = query.view.pointer_ray(query.cursor_px);
        (DVec3::NEG_X - ray.origin).reject_from(ray.direction).length() < 0.6
    }
}

impl PickedObjects for Ball {
    fn pick(&mut self, query: &PickQuery) -> Option<NonZeroU32> {
        Self::is_at(query).then_some(self.0)
    }

    fn find(&mut self, query: &PickQuery) -> Option<SnapPoint> {
        Self::is_at(query).then(|| SnapPoint::new(DVec3::NEG_X, SnapTo::VERTEX))
    }
}

struct Host {
    context: Context,
    gizmo: EguiGizmo<PainterBackend>,
    targets: [Target; 2],
    /// Whether each panel is shown.
    shown: [bool; 2],
    has_button: bool,
    has_window: bool,
    field: String,
    object: NonZeroU32,
    cursor: Pos2,
    modifiers: Modifiers,
    is_focused: bool,
    pixels_per_point: f32,
    frames: u32,
    sliders: Vec<NodeId>,
    row: Row,
}

impl Host {
    fn new(rng: &mut Rng, row: Row) -> Self {
        let mut gizmo = EguiGizmo::on_painter().expect("a new id space has free ids");
        gizmo.finger_tolerance_lpx = choose(rng, &[16.0, 30.0]);
        let object = gizmo.ids.allocate(1).expect("ids are free").first();
        let mut target = |key| {
            let translation = DVec3::from_array(std::array::from_fn(|_| f64::from(thousandths(rng, 600))));
            let target = Target::from_world(Transform { translation, ..Transform::IDENTITY });
            target.with_key(key).with_bounds([DVec3::splat(-0.3), DVec3::splat(0.4)])
        };
        let context = Context::default();
        context.enable_accesskit();
        let mut host = Self {
            context,
            gizmo,
            targets: [target(0), target(1)],
            shown: [true, rng.bool()],
            has_button: false,
            has_window: false,
            field: String::new(),
            object,
            cursor: PANELS[0].center(),
            modifiers: Modifiers::NONE,
            is_focused: true,
            pixels_per_point: choose(rng, &[1.0, 1.5, 2.0]),
            frames: 0,
            sliders: Vec::new(),
            row,
        };
        host.change_settings(rng);
        host
    }

    fn change_settings(&mut self, rng: &mut Rng) {
        let s = &mut self.gizmo.gizmo.settings;
        s.mode = choose(rng, &[Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal]);
        s.snap.increments = choose(rng, &[Snap::OFF, Snap::DEFAULT_INCREMENTS]);
        s.snap.while_held = Snap::DEFAULT_INCREMENTS;
        s.snap.to = choose(rng, &[SnapTo::NONE, SnapTo::VERTEX]);
        s.input.wheel_nudge = rng.bool();
        s.input.orbit_in_drag = rng.bool();
        s.input.click_to_type = rng.bool();
        s.input.axis_keys = choose(rng, &AxisKeys::ALL);
        s.box_handles = Some(BoxHandles::default()).filter(|_| rng.u8(..4) == 0);
    }

    fn panel(&mut self, ui: &mut Ui, index: usize) {
        let rect = PANELS[index];
        let response = ui.interact(rect, ui.scope_id().with(("panel", index)), Sense::click_and_drag());
        let [eye, lens] = matrices(rect);
        let shown = self.gizmo.show_with(ui, &response, eye, lens, &mut self.targets, &mut Ball(self.object));
        self.gizmo.paint(ui, &response);
        let row = &mut self.row;
        for event in shown.events {
            row.count(
                "events",
                match event {
                    GizmoEvent::Started(handle) => format!("started {}", handle.name()),
                    GizmoEvent::Ended { changed } => format!("ended {changed}"),
                    other => golden::variant(&other),
                },
            );
        }
        row.hash("claims_hash", &format!("{:?} {:?}", shown.claims, shown.press_modifiers));
        for (is, what) in [
            (response.hovered(), "hovered"),
            (response.clicked(), "clicked"),
            (response.dragged_by(PointerButton::Primary), "dragged"),
            (response.dragged_by(PointerButton::Middle), "dragged by the middle button"),
        ] {
            if is {
                row.count("panel", format!("{what} {index}"));
            }
        }
        row.add("panel_drag", self.frames as usize, response.drag_delta().x + 2.0 * response.drag_delta().y);
    }

    fn frame(&mut self, events: Vec<Event>) {
        self.frames += 1;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(800.0, 400.0))),
            time: Some(f64::from(self.frames) / 32.0),
            focused: self.is_focused,
            events,
            ..RawInput::default()
        };
        let root = input.viewports.entry(ViewportId::ROOT).or_default();
        root.native_pixels_per_point = Some(self.pixels_per_point);
        let context = self.context.clone();
        let mut output = context.run_ui(input, |ui| {
            for index in [0, 1] {
                if self.shown[index] {
                    self.panel(ui, index);
                }
            }
            let field = Rect::from_min_size(pos2(5.0, 360.0), vec2(200.0, 24.0));
            ui.put(field, egui::TextEdit::singleline(&mut self.field));
            if self.has_button {
                let over = Rect::from_center_size(PANELS[0].center() + vec2(60.0, 0.0), vec2(60.0, 60.0));
                if ui.put(over, egui::Button::new("over")).clicked() {
                    self.row.count("panel", "button");
                }
            }
            if self.has_window {
                let window = egui::Window::new("above").fixed_pos(PANELS[0].center() - vec2(90.0, 20.0));
                window.show(ui.ctx(), |ui| ui.set_min_size(vec2(80.0, 80.0)));
            }
        });
        output.textures_delta.clear();
        self.record(output);
    }

    fn record(&mut self, output: FullOutput) {
        let (row, step) = (&mut self.row, self.frames as usize);
        row.count("cursor", format!("{:?}", output.platform_output.cursor_icon).to_lowercase());
        let repaints = output.viewport_output[&ViewportId::ROOT].repaint_delay.is_zero();
        row.add("repaints", step, repaints);
        for clipped in output.shapes {
            match clipped.shape {
                Shape::Mesh(mesh) => {
                    let color = |vertex: &egui::epaint::Vertex| {
                        f64::from(vertex.color.a()) + 0.5 * f64::from(vertex.color.r())
                    };
                    let at = |vertex: &egui::epaint::Vertex| f64::from(vertex.pos.x + 2.0 * vertex.pos.y);
                    row.add("meshes", step, mesh.indices.len() as f64);
                    row.add("mesh_color", step, mesh.vertices.iter().map(color).sum::<f64>());
                    row.add("mesh_at", step, mesh.vertices.iter().map(at).sum::<f64>());
                }
                Shape::Text(text) => {
                    row.hash("texts", text.galley.text());
                    row.add("texts_at", step, text.pos.x + 2.0 * text.pos.y);
                }
                _ => {}
            }
        }
        let TreeUpdate { nodes, .. } = output.platform_output.accesskit_update.expect("AccessKit is on");
        self.sliders.clear();
        for (id, node) in nodes.iter().filter(|(_, node)| node.role() == Role::Slider) {
            self.sliders.push(*id);
            let text = format!("{:?} {:?} {}", node.label(), node.description(), node.is_disabled());
            row.hash("sliders_hash", &text);
            row.add("sliders", self.sliders.len(), node.numeric_value().unwrap_or_default());
            row.add("slider_steps", self.sliders.len(), node.numeric_value_step().unwrap_or_default());
            let bounds = node.bounds().map_or(0.0, |at| at.x0 + 2.0 * at.y0 + 3.0 * at.x1 + 5.0 * at.y1);
            row.add("slider_bounds", self.sliders.len(), bounds);
        }
        for (index, target) in self.targets.iter().enumerate() {
            let Transform { translation, rotation, scale } = target.local;
            row.add("translation", step + index, translation.dot(DVec3::new(1.0, 2.0, 4.0)));
            row.add("rotation", step + index, (rotation * DVec3::X).dot(DVec3::new(3.0, 1.0, 2.0)));
            row.add("scale", step + index, scale.dot(DVec3::new(1.0, 2.0, 4.0)));
        }
        let gizmo = &self.gizmo.gizmo;
        row.add("hovered", step, gizmo.hovered().map_or(-1.0, |handle| handle.index() as f64));
        row.add("has_object", step, gizmo.hovered_object().is_some());
        row.add("is_busy", step, gizmo.is_busy());
        row.hash("field", &self.field);
    }
}

fn walks(row: usize) -> Row {
    let mut sums = Row::default();
    for number in row * WALKS..(row + 1) * WALKS {
        let rng = &mut Rng::with_seed(number as u64);
        let mut host = Host::new(rng, sums);
        for _ in 0..STEPS {
            let mut events = host.step(rng);
            // Several events in a frame, in their order.
            if rng.u8(..3) == 0 {
                events.extend(host.step(rng));
            }
            host.frame(events);
        }
        sums = host.row;
    }
    sums
}

#[test]
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    ignore = "another library of functions rounds differently, and a random event may be at a threshold"
)]
fn random_events_of_egui_go_as_in_table() {
    let title = "Sessions of events of egui, two of `tests/walks` per row.";
    // Positions in points have 24 bits.
    let totals =
        golden::check(&Table { path: "tests/walks.tsv", title, tolerance: 1e-6, rows: ROWS, row: &walks });
    for (column, what, least) in [
        ("events", "started", 100),
        ("events", "ended true", 50),
        ("events", "canceled", 30),
        ("events", "clicked", 20),
        ("panel", "hovered", 100),
        ("panel", "dragged", 20),
        ("panel", "button", 1),
    ] {
        totals.assert_at_least(column, what, least);
    }
}
