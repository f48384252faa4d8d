//! Renders the user interface over an empty viewport. With `VIEWER_PICTURES=DIR` the pictures are written to
//! that folder for inspection.

use super::*;
use egui::{PointerButton, RawInput};
use render::device::{self, Gpu};
use render::egui_painter::EguiPainter;
use render::picture;
use std::path::PathBuf;

/// A user interface that is rendered without a window.
pub(super) struct RenderedPage {
    gpu: &'static Gpu,
    context: egui::Context,
    painter: EguiPainter,
    pub(super) session: Session,
    size: egui::Vec2,
    points: f32,
    time: f64,
    events: Vec<Event>,
}

impl RenderedPage {
    pub(super) fn new(scene: Scene, selected: &[usize], [width, height]: [f32; 2], points: f32) -> Self {
        let gpu = device::shared();
        let mut editor = Editor::new(scene).expect("there are few nodes");
        editor.select(Selection::of(selected), &view());
        let files = Files::new(Arc::new(|_| {}), "a scene", Recent::stored_in(None));
        let context = egui::Context::default();
        style::install(&context);
        let painter = EguiPainter::new(&gpu.device, picture::FORMAT);
        let session = Session { page: Page::new(true), editor, files };
        let size = vec2(width, height);
        let mut rendered =
            Self { gpu, context, painter, session, size, points, time: 0.0, events: Vec::new() };
        rendered.frames(3);
        rendered
    }

    fn frame(&mut self) -> wgpu::Texture {
        self.time += 0.02;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            time: Some(self.time),
            events: std::mem::take(&mut self.events),
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

    fn point(&mut self, at: [f32; 2]) {
        self.events.push(Event::PointerMoved(at.into()));
        self.frames(2);
    }

    fn button(&mut self, at: [f32; 2], pressed: bool) {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        self.events.push(Event::PointerButton { pos: at.into(), button, pressed, modifiers });
        self.frames(2);
    }

    fn click(&mut self, at: [f32; 2]) {
        self.point(at);
        self.button(at, true);
        self.button(at, false);
    }

    /// Returns the picture as RGBA texels, row by row.
    pub(super) fn picture(&mut self, name: &str) -> Vec<[u8; 4]> {
        self.frames(2);
        let texture = self.frame();
        let encoder = self.gpu.device.create_command_encoder(&Default::default());
        let texels = picture::read_back(self.gpu, encoder, &texture).expect("the texture can be read back");
        if let Some(folder) = std::env::var_os("VIEWER_PICTURES") {
            let path = PathBuf::from(folder).join(format!("{name}.png"));
            let image = image::RgbaImage::from_raw(texture.width(), texture.height(), texels.clone());
            image.expect("the size fits").save(&path).expect("the folder can be written");
        }
        texels.chunks_exact(4).map(|t| [t[0], t[1], t[2], t[3]]).collect()
    }
}

/// Returns a chain of `count` nodes with these names, each the child of the one before it.
fn chain(count: usize, name: impl Fn(usize) -> String) -> Scene {
    let nodes = (0..count).map(|i| {
        let mesh = Some(0).filter(|_| i % 3 == 0);
        Node { mesh, ..Node::new(name(i), i.checked_sub(1), Transform::IDENTITY) }
    });
    Scene::new(nodes.collect(), vec![shapes::cube()]).expect("the nodes form a tree")
}

/// Creates pages in one theme.
struct Gallery {
    theme: &'static str,
    /// The number of theme changes that select it.
    changes: usize,
}

impl Gallery {
    fn page(&self, scene: Scene, selected: &[usize], size: [f32; 2], points: f32) -> RenderedPage {
        let mut page = RenderedPage::new(scene, selected, size, points);
        for _ in 0..self.changes {
            page.session.editor.run(session::command::Command::NextTheme, &view());
        }
        page
    }

    fn built_in(&self, selected: &[usize]) -> RenderedPage {
        self.page(scene::built_in::scene(), selected, [1280.0, 800.0], 1.0)
    }

    /// Writes pictures of several scenes and sizes.
    fn write_scenes(&self) {
        let built_in = scene::built_in::scene;
        let deep = || chain(60, |i| format!("vertebra_{i}"));
        let long = chain(9, |i| format!("a name of more letters than would fit into the panel, number {i}"));
        let several: Vec<usize> = (0..10).collect();
        for (name, scene, selected, size, points) in [
            ("one-2x", built_in(), vec![4], [1280.0, 800.0], 2.0),
            ("ten", built_in(), several, [1280.0, 1000.0], 1.0),
            ("small", built_in(), vec![3, 4], [640.0, 480.0], 1.0),
            ("narrow", built_in(), vec![3, 4], [240.0, 640.0], 2.0),
            ("deep", deep(), vec![14], [1280.0, 800.0], 1.0),
            ("deeper", deep(), vec![58], [1280.0, 800.0], 1.0),
            ("animated", animation::animated(), vec![0], [1280.0, 800.0], 1.0),
            ("animated-2x", animation::animated(), vec![0], [900.0, 600.0], 2.0),
            ("long", long, vec![6], [1280.0, 800.0], 1.0),
        ] {
            self.page(scene, &selected, size, points).picture(&format!("{}-{name}", self.theme));
        }
    }

    /// Writes pictures of flags, a long history and the help page.
    fn write_states(&self) {
        let theme = self.theme;
        let mut page = self.built_in(&[2]);
        page.session.editor.set_flag(&[2], Flag::Locked, true);
        page.session.editor.set_flag(&[3], Flag::Hidden, true);
        page.picture(&format!("{theme}-locked"));
        let titles = ["Transform", "History", "Gizmo", "Snapping", "Handles and rules"];
        let open = titles.iter().map(|title| (title.to_string(), !["Transform", "History"].contains(title)));
        page.session.page.preferences.sections.extend(open);
        page.picture(&format!("{theme}-settings"));
        page.session.page.preferences.sections.clear();
        for i in 0..1000 {
            page.session.editor.set_flag(&[5], Flag::Hidden, i % 2 == 0);
        }
        page.session.editor.go_to_step(700);
        page.picture(&format!("{theme}-thousand"));
        page.click([200.0, 400.0]);
        page.session.page.shows_help = true;
        page.picture(&format!("{theme}-keys"));
    }

    /// Writes pictures of drags of a row (onto another, onto a descendant, and to the strip that clears
    /// the parent) and of a menu.
    fn write_drags(&self) {
        let theme = self.theme;
        let mut page = self.built_in(&[2]);
        let row = |index: usize| [1060.0, 82.0 + 22.0 * index as f32];
        for (name, from, to) in
            [("onto", row(3), row(1)), ("below", row(1), row(3)), ("free", row(3), [1060.0, 252.0])]
        {
            page.point(from);
            page.button(from, true);
            page.point([from[0], from[1] + 9.0]);
            page.point(to);
            page.picture(&format!("{theme}-carried-{name}"));
            page.events.push(Event::Key {
                key: Key::Escape,
                physical_key: None,
                pressed: true,
                repeat: false,
                modifiers: Modifiers::NONE,
            });
            page.frames(2);
            page.button(to, false);
        }
        page.point([800.0, 15.0]);
        page.click([64.0, 15.0]);
        page.picture(&format!("{theme}-menu"));
    }
}

#[test]
fn page_renders_in_both_themes() {
    for (theme, changes) in [("dark", 0), ("light", 1)] {
        let gallery = Gallery { theme, changes };
        let empty = gallery.built_in(&[]).picture(&format!("{theme}-empty"));
        // The viewport is empty; the panel is opaque and has several colors.
        assert_eq!(empty[400 * 1280 + 400], [0; 4], "{theme}");
        let in_panel: std::collections::HashSet<_> = (950..1280).map(|x| empty[48 * 1280 + x]).collect();
        assert!(in_panel.len() > 4 && in_panel.iter().all(|texel| texel[3] == 255), "{theme}: {in_panel:?}");
        if std::env::var_os("VIEWER_PICTURES").is_some() {
            gallery.write_scenes();
            gallery.write_states();
            gallery.write_drags();
        }
    }
}
