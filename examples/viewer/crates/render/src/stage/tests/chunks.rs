//! Pictures that are drawn in chunks.

use super::*;
use scene::selection::Selection;
use wgpu_gizmo::Transform;
use wgpu_gizmo::glam::DVec3;

/// The work of a chunk, a small part of that of the scene.
const CHUNK: f64 = 2e4;

/// A scene in a target that keeps its picture.
struct Chunked {
    session: Session,
    stage: Stage,
    target: wgpu::Texture,
}

impl Chunked {
    /// Shows the built-in scene, with handles that it hides.
    fn new() -> Self {
        let mut session = new_session();
        session.editor.change(|values| values.gizmo.display.depth_style = DepthStyle::DIMMED);
        let stage = new_stage(&session);
        let target = picture::texture(device::shared(), SIZE).expect("the size is valid");
        let mut chunked = Self { session, stage, target };
        chunked.select(&[2]);
        chunked
    }

    fn select(&mut self, nodes: &[usize]) {
        let Session { editor, views, .. } = &mut self.session;
        editor.select(Selection::of(nodes), views.current());
        self.update();
    }

    fn update(&mut self) {
        self.session.update().expect("the view is valid");
    }

    /// Draws a frame as the window does. Returns whether there was anything to draw.
    fn frame(&mut self, extent: Extent) -> bool {
        let is_due = self.stage.update(&mut self.session, SIZE);
        let gpu = device::shared();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let target = self.target.create_view(&Default::default());
        self.stage.draw(&mut encoder, &target, extent).expect("the picture can be drawn");
        gpu.queue.submit([encoder.finish()]);
        is_due
    }

    /// Draws the next chunk, and waits until the device has drawn it.
    fn chunk(&mut self) -> bool {
        self.chunk_of(Extent::Chunk, CHUNK)
    }

    fn chunk_of(&mut self, extent: Extent, work: f64) -> bool {
        self.stage.pacing = Pacing::fixed(work);
        let is_due = self.frame(extent);
        let gpu = device::shared();
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device works");
        self.stage.poll(&mut self.session).expect("the device works");
        is_due
    }

    /// Draws all chunks. Returns their number.
    fn finish(&mut self) -> usize {
        let chunks =
            std::iter::from_fn(|| self.stage.is_drawing().then(|| assert!(self.chunk(), "it is due")));
        chunks.count()
    }

    fn texels(&self) -> Vec<u8> {
        let gpu = device::shared();
        let encoder = gpu.device.create_command_encoder(&Default::default());
        picture::read_back(gpu, encoder, &self.target).expect("the texture can be read back")
    }

    /// Returns the picture that a new stage draws at once.
    fn whole(&mut self) -> Vec<u8> {
        let mut other = Self::new();
        std::mem::swap(&mut other.session, &mut self.session);
        other.frame(Extent::Whole);
        assert!(!other.stage.is_drawing());
        std::mem::swap(&mut other.session, &mut self.session);
        other.texels()
    }
}

#[test]
fn chunks_draw_same_picture_as_one_submission() {
    let mut chunked = Chunked::new();
    chunked.chunk();
    let [drawn, all] = chunked.stage.progress().expect("the picture is drawn in chunks");
    assert!(drawn < all && all > 5, "{drawn} of {all} nodes");
    let chunks = 1 + chunked.finish();
    assert!(chunks > 8, "{chunks} chunks");
    assert_eq!(chunked.stage.progress(), None);
    assert!(chunked.texels() == chunked.whole());
    assert!(!chunked.chunk(), "nothing is left to draw");
}

#[test]
fn next_chunk_waits_for_device() {
    let mut chunked = Chunked::new();
    chunked.stage.pacing = Pacing::fixed(CHUNK);
    assert!(chunked.frame(Extent::Chunk));
    let before = chunked.stage.done_of_total();
    let gpu = device::shared();
    // The window system may ask for a frame in between.
    assert!(!chunked.frame(Extent::Chunk));
    assert_eq!(chunked.stage.done_of_total(), before);
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device works");
    chunked.stage.poll(&mut chunked.session).expect("the device works");
    assert!(chunked.frame(Extent::Chunk));
    assert_ne!(chunked.stage.done_of_total(), before);
}

#[test]
fn canceled_picture_stays_partial_until_view_changes() {
    let mut chunked = Chunked::new();
    (0..5).for_each(|_| assert!(chunked.chunk()));
    assert!(chunked.stage.progress().is_some());
    chunked.stage.cancel_drawing();
    assert_eq!((chunked.stage.is_drawing(), chunked.stage.progress()), (false, None));
    let partial = chunked.texels();
    assert!(!chunked.chunk(), "a canceled picture is not drawn");
    assert!(chunked.texels() == partial && partial != chunked.whole());
    let Session { cameras, views, .. } = &mut chunked.session;
    cameras.drag(views, DVec2::new(40.0, 10.0), false, None);
    chunked.session.look().expect("the view is valid");
    assert!(chunked.chunk(), "another view is drawn");
    assert!(chunked.finish() > 1);
    assert!(chunked.texels() == chunked.whole());
}

#[test]
fn frame_has_outlines_only_if_they_are_fast() {
    let mut chunked = Chunked::new();
    chunked.select(&[]);
    let plain = chunked.whole();
    let Session { editor, views, .. } = &mut chunked.session;
    let center = editor.scene().world_bounds(2).expect("the node has a mesh").center();
    editor.pointer_moved(views.current().px_from_world(center).expect("the node is in the view"));
    chunked.update();
    let Chunked { stage, session, .. } = &mut chunked;
    stage.ask(session, SIZE).expect("the query is encoded");
    stage.wait(session).expect("the device works");
    chunked.update();
    assert!(chunked.session.editor.hovered_node().is_some());
    let outlined = chunked.whole();
    assert!(outlined != plain);
    for (work, wanted) in [(1.0, plain), (1e9, outlined)] {
        chunked.stage.drawn = None;
        chunked.chunk_of(Extent::Frame, work);
        chunked.frame(Extent::Whole);
        assert!(chunked.texels() == wanted, "with {work} per chunk");
    }
}

#[test]
fn edit_restarts_picture_in_chunks() {
    let mut chunked = Chunked::new();
    while chunked.stage.progress().is_none_or(|[drawn, all]| 2 * drawn < all) {
        chunked.chunk();
    }
    chunked.session.editor.adjust("test", "Translate {}", |_, start| Transform {
        translation: start.translation + DVec3::Y,
        ..*start
    });
    chunked.update();
    assert!(chunked.chunk(), "the edit is drawn");
    let [drawn, all] = chunked.stage.progress().expect("the picture is drawn in chunks");
    assert!(4 * drawn < all, "{drawn} of {all} nodes are drawn");
    chunked.finish();
    assert!(chunked.texels() == chunked.whole());
}

#[test]
fn scene_replaced_between_chunks_is_drawn_whole() {
    let mut chunked = Chunked::new();
    (0..3).for_each(|_| assert!(chunked.chunk()));
    chunked.session = new_session();
    chunked.stage.load(&mut chunked.session);
    // The window system may ask for a frame before the first step with the new scene.
    let mut encoder = device::shared().device.create_command_encoder(&Default::default());
    let target = chunked.target.create_view(&Default::default());
    chunked.stage.draw(&mut encoder, &target, Extent::Frame).expect("the picture can be drawn");
    device::shared().queue.submit([encoder.finish()]);
    assert!(chunked.chunk());
    chunked.finish();
    assert!(chunked.texels() == chunked.whole());
}
