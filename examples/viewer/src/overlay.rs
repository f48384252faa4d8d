//! What is written over the picture, in the window and without one: names of the views and lines
//! between them, readouts, the vertex that is snapped to, rectangles and lassos.

use crate::device::Gpu;
use crate::egui_painter::EguiPainter;
use crate::marquee::Drawn;
use crate::marquee_outline::MarqueeOutline;
use crate::views::Views;
use egui::{Align2, Color32, FontId, Pos2, Rect, Stroke, vec2};
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::{View, Viewport};

/// What is to be written. Places are in physical pixels.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Overlay {
    /// In the corners of the views.
    labels: Vec<(String, DVec2)>,
    /// Between the views, from one point to another.
    lines: Vec<[DVec2; 2]>,
    /// A number beside what it is about.
    readouts: Vec<(String, DVec2)>,
    /// Round a vertex.
    marker: Option<DVec2>,
    /// A rectangle or lasso that is being drawn.
    band: Option<MarqueeOutline>,
}

impl Overlay {
    /// The names of the views, and what keeps them apart.
    pub(crate) fn of_views(views: &Views) -> Self {
        let mut overlay = Self::default();
        for (place, view) in views.all().iter().enumerate() {
            let viewport = view.viewport();
            let corner = DVec2::new(viewport.x, viewport.y);
            overlay.labels.extend(views.label(place).map(|label| (label.to_owned(), corner)));
        }
        if let [first, .., last] = views.all() {
            let (first, last) = (first.viewport(), last.viewport());
            let (x, y) = (last.x, last.y);
            overlay.lines.push([DVec2::new(x, first.y), DVec2::new(x, y + last.height)]);
            overlay.lines.push([DVec2::new(first.x, y), DVec2::new(x + last.width, y)]);
        }
        if let Some(Viewport { x, y, width, height }) = views.framed() {
            let corner = |right: f64, down: f64| DVec2::new(x + right * width, y + down * height);
            let round = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)];
            let round = round.map(|(right, down)| corner(right, down));
            overlay.lines.extend(round.windows(2).map(|ends| [ends[0], ends[1]]));
        }
        overlay
    }

    /// Writes how far apart the lines of a view's grid are into the view's corner, after its name.
    pub(crate) fn add_scale(&mut self, view: &View, scale: Option<String>) {
        let Some(scale) = scale else { return };
        let viewport = view.viewport();
        let corner = DVec2::new(viewport.x, viewport.y);
        match self.labels.iter_mut().find(|(_, at)| *at == corner) {
            Some((label, _)) => *label = format!("{label} · {scale}"),
            None => self.labels.push((scale, corner)),
        }
    }

    /// Writes a number beside a place.
    pub(crate) fn add_readout(&mut self, text: impl Into<String>, anchor_px: DVec2) {
        self.readouts.push((text.into(), anchor_px));
    }

    /// The numbers and their places: the left end, half way up.
    pub(crate) fn readouts(&self) -> &[(String, DVec2)] {
        &self.readouts
    }

    /// Marks a place.
    pub(crate) fn mark(&mut self, at_px: Option<DVec2>) {
        self.marker = at_px;
    }

    /// Shows a rectangle or lasso.
    pub(crate) fn draw(&mut self, drawn: Option<Drawn<'_>>) {
        self.band = drawn.map(MarqueeOutline::new);
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Writes them, under all that egui shows besides.
    pub(crate) fn write(&self, context: &egui::Context) {
        const QUIET: Color32 = Color32::from_gray(176);
        const CLEAR: Color32 = Color32::from_gray(240);
        const MARK: Color32 = Color32::from_rgb(255, 96, 208);
        let painter = context.layer_painter(egui::LayerId::background());
        let points = context.pixels_per_point();
        let at = |px: DVec2| Pos2::new(px.x as f32, px.y as f32) / points;
        if let Some(band) = &self.band {
            band.paint(&painter, points);
        }
        for [from, to] in &self.lines {
            painter.line_segment([at(*from), at(*to)], Stroke::new(1.0, Color32::from_gray(100)));
        }
        // Light is added in linear space: much of a white ground shines through little.
        let paper = Color32::from_rgba_unmultiplied(18, 20, 24, 250);
        for (label, corner) in &self.labels {
            let galley = painter.layout_no_wrap(label.clone(), FontId::proportional(13.0), QUIET);
            let rect = Rect::from_min_size(at(*corner) + vec2(10.0, 8.0), galley.size());
            painter.rect_filled(rect.expand2(vec2(5.0, 2.0)), 3.0, paper);
            painter.galley(rect.min, galley, QUIET);
        }
        for (text, anchor) in &self.readouts {
            // Of the size that the library leaves room for: 8 by 16 logical pixels a character.
            let galley = painter.layout_no_wrap(text.clone(), FontId::monospace(13.0), CLEAR);
            let rect = Align2::LEFT_CENTER.anchor_size(at(*anchor), galley.size());
            painter.rect_filled(rect.expand2(vec2(5.0, 2.0)), 3.0, paper);
            painter.galley(rect.min, galley, CLEAR);
        }
        if let Some(marker) = self.marker {
            let square = Rect::from_center_size(at(marker), vec2(11.0, 11.0));
            painter.rect_stroke(square, 0.0, Stroke::new(2.0, MARK), egui::StrokeKind::Middle);
        }
    }
}

/// Writes notes over pictures that no window shows.
#[derive(Debug)]
pub(crate) struct OverlayRenderer {
    context: egui::Context,
    ink: EguiPainter,
}

impl OverlayRenderer {
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        Self { context: egui::Context::default(), ink: EguiPainter::new(device, format) }
    }

    /// Draws over `target`; nothing where there is nothing to write.
    pub(crate) fn write(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        overlay: &Overlay,
        scale_factor: f64,
    ) {
        if overlay.is_empty() {
            return;
        }
        let size = target.texture().size();
        let size = vec2(size.width as f32, size.height as f32) / scale_factor as f32;
        let mut input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            max_texture_side: Some(gpu.device.limits().max_texture_dimension_2d as usize),
            ..Default::default()
        };
        input.viewports.entry(egui::ViewportId::ROOT).or_default().native_pixels_per_point =
            Some(scale_factor as f32);
        let output = self.context.run_ui(input, |ui| overlay.write(ui.ctx()));
        self.ink.take(gpu, output);
        self.ink.paint(gpu, encoder, target, &self.context);
    }
}
