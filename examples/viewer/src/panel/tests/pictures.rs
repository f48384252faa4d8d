//! Renders the user interface over an empty viewport.

use super::*;
use egui::RawInput;
use render::device::{self, Gpu};
use render::egui_painter::EguiPainter;
use render::picture;

/// A user interface that is rendered without a window.
pub(super) struct RenderedPage {
    gpu: &'static Gpu,
    context: egui::Context,
    painter: EguiPainter,
    pub(super) session: Session,
    size: egui::Vec2,
    points: f32,
    time: f64,
}

impl RenderedPage {
    pub(super) fn new(scene: Scene, selected: &[usize], [width, height]: [f32; 2], points: f32) -> Self {
        let gpu = device::shared();
        let context = egui::Context::default();
        style::install(&context);
        let painter = EguiPainter::new(&gpu.device, picture::FORMAT);
        let session = Session { page: Page::new(true), ..opened(scene, selected) };
        let size = vec2(width, height);
        let mut rendered = Self { gpu, context, painter, session, size, points, time: 0.0 };
        rendered.frames(3);
        rendered
    }

    fn frame(&mut self) -> wgpu::Texture {
        self.time += 0.02;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            time: Some(self.time),
            ..RawInput::default()
        };
        let viewport = input.viewports.entry(egui::ViewportId::ROOT).or_default();
        viewport.native_pixels_per_point = Some(self.points);
        self.session.editor.update(&view());
        style::set_theme(&self.context, self.session.editor.scene_style().is_on_light());
        let Session { page, editor, files } = &mut self.session;
        let show = |ui: &mut egui::Ui| page.show(ui, (editor, files), &view(), &Overlay::default());
        let output = self.context.run_ui(input, show);
        let px = |points: f32| (points * self.points).round() as u32;
        let target =
            picture::texture(self.gpu, [px(self.size.x), px(self.size.y)]).expect("the size is valid");
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let target_view = target.create_view(&Default::default());
        self.painter.take(self.gpu, output);
        self.painter.paint(self.gpu, &mut encoder, &target_view, &self.context);
        self.gpu.queue.submit([encoder.finish()]);
        target
    }

    fn frames(&mut self, count: usize) {
        for _ in 0..count {
            self.frame();
        }
    }

    /// Returns the picture as RGBA texels, row by row.
    pub(super) fn picture(&mut self) -> Vec<[u8; 4]> {
        self.frames(2);
        let texture = self.frame();
        let encoder = self.gpu.device.create_command_encoder(&Default::default());
        let texels = picture::read_back(self.gpu, encoder, &texture).expect("the texture can be read back");
        texels.chunks_exact(4).map(|t| [t[0], t[1], t[2], t[3]]).collect()
    }
}

#[test]
fn page_renders_in_both_themes() {
    let mut brightness = Vec::new();
    for theme_changes in [0, 1] {
        let mut page = RenderedPage::new(scene::built_in::scene(), &[], [1280.0, 800.0], 1.0);
        for _ in 0..theme_changes {
            page.session.editor.run(session::command::Command::NextTheme, &view());
        }
        let empty = page.picture();
        // The viewport is empty; the panel is opaque and has several colors.
        assert_eq!(empty[400 * 1280 + 400], [0; 4], "{theme_changes}");
        let row = 48 * 1280;
        let in_panel = &empty[row + 950..row + 1280];
        let colors: std::collections::HashSet<_> = in_panel.iter().collect();
        assert!(colors.len() > 4 && colors.iter().all(|texel| texel[3] == 255), "{colors:?}");
        let sum = |texel: &[u8; 4]| texel[..3].iter().map(|part| u32::from(*part)).sum::<u32>();
        brightness.push(in_panel.iter().map(sum).sum::<u32>());
    }
    assert!(brightness[1] > 2 * brightness[0], "the second theme is a light one: {brightness:?}");
}
