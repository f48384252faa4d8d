//! The picture, which is the same on both back ends.

use crate::host::{BACKENDS, Host, PANEL, arrow};
use egui::PointerButton::Primary;
use egui::vec2;
use wgpu_gizmo::Mode;

#[test]
fn readout_is_text_of_egui() {
    for mut host in Host::each(1.0) {
        let from = arrow(PANEL);
        host.move_to(from);
        host.button(from, Primary, true);
        host.settle();
        host.move_to(from + vec2(50.0, 0.0));
        host.settle();
        let shapes = &host.harness.output().shapes;
        let texts = shapes.iter().filter_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
            _ => None,
        });
        let texts: Vec<_> = texts.collect();
        assert!(texts.iter().any(|text| text.starts_with("X 0.5")), "{texts:?}");
    }
}

#[test]
fn painter_picture_matches_wgpu_picture() {
    for mode in [Mode::Translate, Mode::Rotate, Mode::Universal] {
        let [wgpu, painter] = BACKENDS.map(|backend| {
            let mut host = Host::new(backend, 2.0);
            host.state().gizmo.core().settings.mode = mode;
            host.move_to(arrow(PANEL));
            host.settle();
            // Alpha is blended by different functions.
            host.picture()
                .chunks_exact(4)
                .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
                .collect::<Vec<_>>()
        });
        let differences: Vec<u8> = wgpu.iter().zip(&painter).map(|(a, b)| a.abs_diff(*b)).collect();
        let is_gizmo = |pixel: &&[u8]| pixel.iter().any(|part| ![0, 64].contains(part));
        let shown = wgpu.chunks_exact(3).filter(is_gizmo).count();
        assert!(shown > 2_000, "{mode:?}: only {shown} pixels are shown");
        let sum: f64 = differences.iter().map(|difference| f64::from(*difference)).sum();
        let mean = sum / (3 * shown) as f64;
        let far_off = differences.iter().filter(|difference| **difference > 64).count();
        // Coverage is computed for a square pixel there, and interpolated here; cones are lit in other triangles.
        assert!(mean < 3.0 && far_off < shown / 500, "{mode:?}: {mean} mean, {far_off} of {shown} far off");
    }
}
