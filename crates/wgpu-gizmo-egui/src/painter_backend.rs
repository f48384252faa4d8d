//! The back end of egui's painter: picks on the CPU, handles as triangles with colors.

use crate::Shown;
use crate::backend::Methods;
use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Id, Painter, Response, Shape};
use std::num::NonZeroU32;
use std::sync::Arc;
use wgpu_gizmo_core::draw::parts::Triangles;
use wgpu_gizmo_core::interaction::Events;
use wgpu_gizmo_core::pick::snap::SnapPoint;
use wgpu_gizmo_core::{DrawList, Gizmo, PickAnswer, PickQuery, Target, View};

/// The maximum number of queries in one frame, such as those of several presses.
const MAX_QUERIES: usize = 8;

/// The maximum number of panels whose triangles are kept.
const MAX_PANELS: usize = 8;

/// The triangles of a panel, as long as its list stays the same.
#[derive(Debug)]
struct Painted {
    panel: Id,
    list: DrawList,
    points_per_px: f32,
    mesh: Arc<Mesh>,
}

/// The host's objects for a gizmo on egui's painter. A closure with the arguments of [`PickedObjects::pick`] is
/// one, too.
pub trait PickedObjects {
    /// Returns the id of the object under the pointer, such as that of a ray cast along
    /// `query.view.pointer_ray(query.cursor_px)`, from [`EguiGizmo::ids`](crate::EguiGizmo::ids). It is called if
    /// no handle is there.
    fn pick(&mut self, query: &PickQuery) -> Option<NonZeroU32>;

    /// Returns the point that a drag snaps to, with [`SnapSettings::to`](wgpu_gizmo::interaction::settings::SnapSettings::to): for
    /// example the result of [`SnapTo::find`](wgpu_gizmo::pick::snap::SnapTo::find), without the moved objects.
    fn find(&mut self, query: &PickQuery) -> Option<SnapPoint> {
        let _ = query;
        None
    }
}

impl<F: FnMut(&PickQuery) -> Option<NonZeroU32>> PickedObjects for F {
    fn pick(&mut self, query: &PickQuery) -> Option<NonZeroU32> {
        self(query)
    }
}

/// The back end of egui's painter: picks on the CPU, handles as triangles with colors.
#[derive(Debug, Default)]
pub struct PainterBackend {
    // Memory that is kept between frames.
    list: DrawList,
    triangles: Triangles,
    /// The panel that was painted last is the last one.
    painted: Vec<Painted>,
}

impl Methods for PainterBackend {
    type Objects<'a> = &'a mut dyn PickedObjects;

    fn receive(&mut self, _: &mut Gizmo, _: &mut Option<&mut dyn PickedObjects>, _: &mut Shown) {}

    /// Answers queries at once, so that presses and drags within one frame are complete.
    fn update(
        &mut self,
        gizmo: &mut Gizmo,
        view: &View,
        targets: &mut [Target],
        objects: &mut Option<&mut dyn PickedObjects>,
    ) -> Events {
        let mut events = Events::default();
        for _ in 0..MAX_QUERIES {
            events.extend(gizmo.update(view, targets));
            if let Some(query) = gizmo.pick_query() {
                let answer = self.answer(gizmo, query, objects);
                gizmo.answer(&answer);
                // A press waits for its answer.
                if !gizmo.is_busy() || gizmo.is_active() {
                    break;
                }
            } else if let Some(query) = gizmo.snap_query() {
                let found = objects.as_mut().and_then(|objects| objects.find(&query));
                gizmo.answer_snap(&query, found);
            } else {
                break;
            }
        }
        events
    }

    fn take_list(&mut self, _: &Response) -> DrawList {
        std::mem::take(&mut self.list)
    }

    fn paint(&mut self, painter: &Painter, response: &Response, list: DrawList) {
        self.list = list;
        self.paint_panel(painter, response.id);
    }

    fn is_pending(&self) -> bool {
        false
    }

    fn kept_panels(&self) -> usize {
        0
    }
}

impl PainterBackend {
    fn answer(
        &mut self,
        gizmo: &mut Gizmo,
        query: PickQuery,
        objects: &mut Option<&mut dyn PickedObjects>,
    ) -> PickAnswer {
        gizmo.draw(self.list.begin(&query.view));
        let handle = self.list.pick(query.cursor_px, query.radius_px);
        let found = handle.or_else(|| objects.as_mut().and_then(|objects| objects.pick(&query)));
        query.answered(found)
    }

    fn paint_panel(&mut self, painter: &Painter, panel: Id) {
        let points_per_px = 1.0 / painter.pixels_per_point();
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
        let vertex = |vertex: &wgpu_gizmo_core::draw::parts::TriangleVertex| {
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
