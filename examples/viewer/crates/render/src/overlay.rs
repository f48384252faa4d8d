//! Texts and lines over the picture, with or without a window: names of the views and lines between them,
//! readouts, the vertex that is snapped to, boxes and lassos.

use crate::device::Gpu;
use crate::egui_painter::EguiPainter;
use crate::marquee_outline;
use egui::{Align2, Color32, FontId, Pos2, Rect, Stroke, vec2};
use session::marquee::DrawnRegion;
use session::views::Views;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::{View, Viewport};

/// The texts and lines of a frame. Positions are in physical pixels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overlay {
    /// Texts in the corners of the views.
    labels: Vec<(String, DVec2)>,
    /// Lines between the views, with their end points.
    lines: Vec<[DVec2; 2]>,
    /// Readouts with their anchors: the left end at half height.
    pub readouts: Vec<(String, DVec2)>,
    /// The vertex that is marked.
    pub(crate) marker: Option<DVec2>,
    /// The box or lasso that is being drawn.
    pub(crate) marquee: Option<DrawnRegion>,
}

impl Overlay {
    /// Returns an overlay with the names of the views and the lines between them.
    pub(crate) fn of_views(views: &Views) -> Self {
        let mut overlay = Self::default();
        for (index, view) in views.all().iter().enumerate() {
            let viewport = view.viewport();
            let corner = DVec2::new(viewport.x, viewport.y);
            overlay.labels.extend(views.label(index).map(|label| (label.to_owned(), corner)));
        }
        if let [first, .., last] = views.all() {
            let (first, last) = (first.viewport(), last.viewport());
            let (x, y) = (last.x, last.y);
            overlay.lines.push([DVec2::new(x, first.y), DVec2::new(x, y + last.height)]);
            overlay.lines.push([DVec2::new(first.x, y), DVec2::new(x + last.width, y)]);
        }
        if let Some(Viewport { x, y, width, height }) = views.framed {
            let corner = |right: f64, down: f64| DVec2::new(x + right * width, y + down * height);
            let border = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)];
            let border = border.map(|(right, down)| corner(right, down));
            overlay.lines.extend(border.windows(2).map(|ends| [ends[0], ends[1]]));
        }
        overlay
    }

    /// Adds the spacing of a view's grid lines to the text in the view's corner.
    pub(crate) fn add_scale(&mut self, view: &View, scale: Option<String>) {
        let Some(scale) = scale else { return };
        let viewport = view.viewport();
        let corner = DVec2::new(viewport.x, viewport.y);
        match self.labels.iter_mut().find(|(_, at)| *at == corner) {
            Some((label, _)) => *label = format!("{label} · {scale}"),
            None => self.labels.push((scale, corner)),
        }
    }

    /// Replaces all readouts by this one, if there is one.
    #[must_use]
    pub fn with_readout(mut self, readout: Option<(String, DVec2)>) -> Self {
        if let Some(readout) = readout {
            self.readouts = vec![readout];
        }
        self
    }

    /// Paints the overlay below everything else that egui shows.
    pub fn paint(&self, context: &egui::Context) {
        const LABEL: Color32 = Color32::from_gray(176);
        const READOUT: Color32 = Color32::from_gray(240);
        const MARKER: Color32 = Color32::from_rgb(255, 96, 208);
        let painter = context.layer_painter(egui::LayerId::background());
        let points = context.pixels_per_point();
        let at = |px: DVec2| Pos2::new(px.x as f32, px.y as f32) / points;
        if let Some(marquee) = &self.marquee {
            marquee_outline::paint(marquee, &painter, points);
        }
        for [from, to] in &self.lines {
            painter.line_segment([at(*from), at(*to)], Stroke::new(1.0, Color32::from_gray(100)));
        }
        // Nearly opaque: with linear blending a white background shines through even a little transparency.
        let background = Color32::from_rgba_unmultiplied(18, 20, 24, 250);
        let show = |text: &String, (at, align): (Pos2, Align2), font, color| {
            let galley = painter.layout_no_wrap(text.clone(), font, color);
            let rect = align.anchor_size(at, galley.size());
            painter.rect_filled(rect.expand2(vec2(5.0, 2.0)), 3.0, background);
            painter.galley(rect.min, galley, color);
        };
        for (label, corner) in &self.labels {
            let place = (at(*corner) + vec2(10.0, 8.0), Align2::LEFT_TOP);
            show(label, place, FontId::proportional(13.0), LABEL);
        }
        for (text, anchor) in &self.readouts {
            // The font size matches the space that the library reserves: 8 by 16 logical pixels per
            // character.
            show(text, (at(*anchor), Align2::LEFT_CENTER), FontId::monospace(13.0), READOUT);
        }
        if let Some(marker) = self.marker {
            let square = Rect::from_center_size(at(marker), vec2(11.0, 11.0));
            painter.rect_stroke(square, 0.0, Stroke::new(2.0, MARKER), egui::StrokeKind::Middle);
        }
    }
}

/// Draws overlays over pictures that are rendered without a window.
#[derive(Debug)]
pub struct OverlayRenderer {
    context: egui::Context,
    painter: EguiPainter,
}

impl OverlayRenderer {
    /// Creates a renderer for color attachments of this format.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        Self { context: egui::Context::default(), painter: EguiPainter::new(device, format) }
    }

    /// Draws the overlay over `target`. Does nothing if the overlay is empty.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        overlay: &Overlay,
        scale_factor: f64,
    ) {
        if *overlay == Overlay::default() {
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
        let output = self.context.run_ui(input, |ui| overlay.paint(ui.ctx()));
        self.painter.take(gpu, output);
        self.painter.paint(gpu, encoder, target, &self.context);
    }
}
