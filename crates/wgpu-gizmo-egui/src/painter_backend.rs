//! The back end of egui's painter: picks on the CPU, handles as triangles with colors.

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Id, Painter, Shape};
use std::num::NonZeroU32;
use std::sync::Arc;
use wgpu_gizmo::draw::parts::Triangles;
use wgpu_gizmo::pick::PickHit;
use wgpu_gizmo::{DrawList, Event, Gizmo, PickAnswer, PickOutcome, PickQuery, Target, View};

/// The maximum number of presses in one frame that are handled separately.
const MAX_PRESSES: usize = 8;

type PickObject = dyn FnMut(&PickQuery) -> Option<NonZeroU32> + Send;

/// The maximum number of panels whose triangles are kept.
const MAX_PANELS: usize = 8;

/// The triangles of a panel, as long as its list stays the same.
struct Painted {
    panel: Id,
    list: DrawList,
    points_per_px: f32,
    mesh: Arc<Mesh>,
}

/// Memory that is kept between frames, and the host's pick.
#[derive(Default)]
pub(crate) struct PainterBackend {
    pub(crate) list: DrawList,
    triangles: Triangles,
    /// The panel that was painted last is the last one.
    painted: Vec<Painted>,
    pub(crate) pick_object: Option<Box<PickObject>>,
}

impl PainterBackend {
    /// Updates the gizmo, and answers its queries at once, so that presses and drags within one frame are
    /// complete.
    pub(crate) fn update(&mut self, gizmo: &mut Gizmo, view: &View, targets: &mut [Target]) -> Vec<Event> {
        let mut events = Vec::new();
        for _ in 0..MAX_PRESSES {
            events.extend_from_slice(gizmo.update(view, targets));
            let Some(query) = gizmo.pick_query() else { break };
            let answer = self.answer(gizmo, query);
            gizmo.answer(&answer);
            // A press waits for its answer.
            if !gizmo.is_busy() || gizmo.is_active() {
                break;
            }
        }
        events
    }

    fn answer(&mut self, gizmo: &mut Gizmo, query: PickQuery) -> PickAnswer {
        gizmo.draw(self.list.begin(&query.view));
        let handle = self.list.pick(query.cursor_px, query.radius_px);
        let found = handle.or_else(|| self.pick_object.as_mut().and_then(|pick| pick(&query)));
        let pixel = query.cursor_px.floor();
        let hit = |id| PickHit {
            id,
            pixel: (pixel.x as i64, pixel.y as i64),
            depth: 0.0,
            position_world: None,
            normal_world: None,
        };
        let outcome = found.map_or(PickOutcome::Nothing, |id| PickOutcome::Hit(hit(id)));
        PickAnswer { query, outcome }
    }

    /// Adds the handles of a panel to egui's shapes.
    pub(crate) fn paint(&mut self, painter: &Painter, panel: Id, points_per_px: f32) {
        let kept = self.painted.iter().position(|painted| painted.panel == panel);
        let kept = kept.map(|index| self.painted.remove(index));
        let painted = match kept {
            Some(kept) if kept.points_per_px == points_per_px && kept.list == self.list => kept,
            kept => {
                let mesh = Arc::new(self.mesh(points_per_px));
                // The next frame fills the other list again.
                let list = kept.map(|kept| kept.list).unwrap_or_default();
                let list = std::mem::replace(&mut self.list, list);
                Painted { panel, list, points_per_px, mesh }
            }
        };
        if !painted.mesh.is_empty() {
            painter.add(Shape::Mesh(Arc::clone(&painted.mesh)));
        }
        if self.painted.len() == MAX_PANELS {
            self.painted.remove(0);
        }
        self.painted.push(painted);
    }

    fn mesh(&mut self, points_per_px: f32) -> Mesh {
        self.list.triangles_px(&mut self.triangles);
        let vertex = |vertex: &wgpu_gizmo::draw::parts::TriangleVertex| {
            let [r, g, b, a] = vertex.color.map(|part| (part * 255.0).round() as u8);
            let [x, y] = vertex.position_px.map(|px| px * points_per_px);
            Vertex {
                pos: egui::pos2(x, y),
                uv: WHITE_UV,
                color: Color32::from_rgba_premultiplied(r, g, b, a),
            }
        };
        Mesh {
            indices: self.triangles.indices().to_vec(),
            vertices: self.triangles.vertices().iter().map(vertex).collect(),
            ..Mesh::default()
        }
    }
}
