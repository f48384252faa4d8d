//! A Bézier curve, whose control points are custom handles.

mod scene;
mod strokes;

use crate::camera::Camera;
use crate::probes::Probes;
use crate::scene::{Gpu, Window};
use std::error::Error;
use strokes::Strokes;
use wgpu_gizmo::facade::GizmoGpu;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::gpu::GpuError;
use wgpu_gizmo::handle::{Constraint, CustomHandle, HandleMesh};
use wgpu_gizmo::interaction::settings::SnapKind;
use wgpu_gizmo::{Event, Gizmo, IdSpace, Increment, Mode, Snap, Transform, View};

const END: [f32; 4] = [0.93, 0.54, 0.46, 1.0];
const TANGENT: [f32; 4] = [0.45, 0.65, 0.95, 1.0];
/// The names of the control points.
pub(crate) const NAMES: [&str; 4] = ["Start", "First tangent", "Second tangent", "End"];

/// A curve with a gizmo per control point. The gizmos share one id space and one GPU half.
pub(crate) struct Curve {
    gizmos: [Gizmo; 4],
    positions: [DVec3; 4],
    gpu: GizmoGpu,
    strokes: Strokes,
    camera: Camera,
    /// The index of the point that gets the keys.
    selected: Vec<usize>,
    undo: Vec<[DVec3; 4]>,
    probes: Probes,
    is_dark: bool,
    is_stale: bool,
    window: Option<Window>,
    view: Option<View>,
    picks: u64,
}

// code: point
/// Creates the gizmo of a control point.
fn point(ids: &mut IdSpace, mesh: &HandleMesh, color: [f32; 4]) -> Result<Gizmo, Box<dyn Error>> {
    let mut gizmo = Gizmo::new(ids)?;
    // A mesh at 9 % of the size of the gizmo, which moves in the plane of the view.
    let placement = Transform { scale: DVec3::splat(0.09), ..Transform::IDENTITY };
    let handle = CustomHandle::new(Constraint::ViewPlane, mesh.clone(), placement, color);
    let handle = gizmo.add_handle(handle).ok_or("a gizmo has 45 custom handles")?;
    gizmo.settings.mode = Mode::Handles(handle.into());
    gizmo.settings.snap.while_held = Snap { translate: Increment::new(0.25), ..Snap::OFF };
    gizmo.settings.snap.kind = SnapKind::Grid { origin_world: DVec3::ZERO };
    Ok(gizmo)
}
// end

impl Curve {
    pub(crate) fn new(gpu: &Gpu) -> Result<Self, Box<dyn Error>> {
        // One id space, so that an id identifies the gizmo and the handle.
        let mut ids = IdSpace::new();
        let mut gpu_half = GizmoGpu::new(&gpu.device, gpu.format)?;
        // The page shows the readouts as text.
        gpu_half.stroke_readouts = false;
        let (end, tangent) = (HandleMesh::cube(), HandleMesh::ball());
        let gizmos = [
            point(&mut ids, &end, END)?,
            point(&mut ids, &tangent, TANGENT)?,
            point(&mut ids, &tangent, TANGENT)?,
            point(&mut ids, &end, END)?,
        ];
        Ok(Self {
            gizmos,
            positions: [[-2.2, -0.6], [-1.2, 1.7], [1.0, -1.7], [2.2, 0.9]]
                .map(|[x, y]| DVec3::new(x, y, 0.0)),
            gpu: gpu_half,
            strokes: Strokes::new(&gpu.device, gpu.format),
            camera: Camera { yaw: 0.0, pitch: 0.0, distance: 7.0, center: DVec3::ZERO },
            selected: vec![0],
            undo: Vec::new(),
            probes: Probes::default(),
            is_dark: true,
            is_stale: true,
            window: None,
            view: None,
            picks: 0,
        })
    }

    // code: curve
    fn update(&mut self, view: &View) -> Result<(), GpuError> {
        // All gizmos share one pointer, so one answer serves all of them.
        self.gpu.receive(self.gizmos.as_mut_slice())?;
        for index in 0..4 {
            let mut here = Transform { translation: self.positions[index], ..Transform::IDENTITY };
            let events = self.gizmos[index].update_one(view, &mut here);
            self.positions[index] = here.translation;
            if events.contains(&Event::Ended { changed: true }) {
                self.push_undo(index);
            }
        }
        Ok(())
    }
    // end

    /// Evaluates the curve in Bernstein form.
    fn at(&self, t: f64) -> DVec3 {
        let [a, b, c, d] = self.positions;
        let s = 1.0 - t;
        a * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + d * (t * t * t)
    }

    fn push_undo(&mut self, index: usize) {
        let mut step = self.positions;
        // The gizmo remembers where its last drag began.
        if let Some(start) = self.gizmos[index].starts().next() {
            step[index] = start.translation;
        }
        self.undo.push(step);
    }

    /// Returns the curve and the arms of its tangents as triangles: NDC and color.
    fn triangles(&self, view: &View) -> Vec<[f32; 5]> {
        const STEPS: u32 = 96;
        let (curve, arm) = if self.is_dark {
            ([0.98, 0.80, 0.42], [0.40, 0.44, 0.52])
        } else {
            ([0.72, 0.42, 0.02], [0.62, 0.66, 0.72])
        };
        let viewport = view.viewport();
        let size = DVec2::new(viewport.width, viewport.height);
        let px = |point: DVec3| view.px_from_world(point).unwrap_or_default();
        let mut triangles = Vec::new();
        let mut line = |from: DVec3, to: DVec3, width_lpx: f64, [r, g, b]: [f32; 3]| {
            let (from, to) = (px(from), px(to));
            let along = (to - from).normalize_or(DVec2::X) * 0.5;
            let across = along.perp() * width_lpx * view.scale_factor();
            // Slightly longer at both ends, so that bends have no gaps.
            let [first, second, third, last] =
                [from - along + across, from - along - across, to + along - across, to + along + across];
            for corner in [first, second, third, first, third, last] {
                let ndc = (corner / size * 2.0 - 1.0) * DVec2::new(1.0, -1.0);
                triangles.push([ndc.x as f32, ndc.y as f32, r, g, b]);
            }
        };
        let [a, b, c, d] = self.positions;
        line(a, b, 1.5, arm);
        line(d, c, 1.5, arm);
        for step in 0..STEPS {
            let t = |step: u32| f64::from(step) / f64::from(STEPS);
            line(self.at(t(step)), self.at(t(step + 1)), 3.0, curve);
        }
        triangles
    }
}
