//! Pictures that are drawn in chunks.

use super::*;
use scene::selection::Selection;
use wgpu_gizmo::Transform;
use wgpu_gizmo::glam::DVec3;

/// The work of a chunk, a small part of that of the scene.
const CHUNK: f64 = 2e4;

/// A scene in a target that keeps its picture.
struct Chunked {
    editor: Editor,
    views: Views,
    stage: Stage,
    target: wgpu::Texture,
}

impl Chunked {
    /// Shows the built-in scene, with handles that it hides.
    fn new() -> Self {
        let (mut editor, views) = editor_and_views();
        editor.change(|values| values.gizmo.display.depth_style = DepthStyle::DIMMED);
        editor.select(Selection::of(&[2]), views.current());
        editor.update(views.current());
        let gpu = device::shared();
        let stage = Stage::new(gpu, picture::FORMAT, editor.scene()).expect("the stage can be created");
        let target = picture::texture(gpu, SIZE).expect("the size is valid");
        Self { editor, views, stage, target }
    }

    /// Draws a frame as the window does. Returns whether there was anything to draw.
    fn frame(&mut self, extent: Extent) -> bool {
        let gpu = device::shared();
        let is_due = self.stage.update(gpu, &mut self.editor, &self.views, SIZE);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let target = self.target.create_view(&Default::default());
        self.stage.draw_within(gpu, (&mut encoder, &target), extent).expect("the picture can be drawn");
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
        self.stage.poll(gpu, &mut self.editor).expect("the device works");
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
        std::mem::swap(&mut other.editor, &mut self.editor);
        other.views = self.views.clone();
        other.frame(Extent::Whole);
        assert!(!other.stage.is_drawing());
        std::mem::swap(&mut other.editor, &mut self.editor);
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
    chunked.stage.poll(gpu, &mut chunked.editor).expect("the device works");
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
    let canvas = Canvas { size_px: SIZE, viewport: Viewport::from_size(SIZE[0], SIZE[1]), scale_factor: 1.0 };
    let mut cameras = Cameras::of_scene(chunked.editor.scene());
    cameras.drag(&chunked.views, DVec2::new(40.0, 10.0), false);
    chunked.views = Views::one(cameras.views(&canvas).expect("the view is valid")[0]);
    assert!(chunked.chunk(), "another view is drawn");
    assert!(chunked.finish() > 1);
    assert!(chunked.texels() == chunked.whole());
}

#[test]
fn frame_has_outlines_only_if_they_are_fast() {
    let mut chunked = Chunked::new();
    chunked.editor.select(Selection::default(), chunked.views.current());
    chunked.editor.update(chunked.views.current());
    let plain = chunked.whole();
    let center = chunked.editor.scene().world_bounds(2).expect("the node has a mesh").center();
    let center_px = chunked.views.current().px_from_world(center).expect("the node is in the view");
    chunked.editor.pointer_moved(center_px);
    chunked.editor.update(chunked.views.current());
    let query = chunked.editor.pick_query().expect("the pointer has moved");
    let answer = chunked.stage.pick(device::shared(), &mut chunked.editor, &query).expect("the device works");
    chunked.editor.answer(&answer);
    chunked.editor.update(chunked.views.current());
    assert!(chunked.editor.hovered_node().is_some());
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
    chunked.editor.adjust("test", "Translate {}", |_, start| Transform {
        translation: start.translation + DVec3::Y,
        ..*start
    });
    chunked.editor.update(chunked.views.current());
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
    let (editor, views) = editor_and_views();
    (chunked.editor, chunked.views) = (editor, views);
    chunked.stage.load(device::shared(), chunked.editor.scene());
    // The window system may ask for a frame before the first step with the new scene.
    let mut encoder = device::shared().device.create_command_encoder(&Default::default());
    let target = chunked.target.create_view(&Default::default());
    chunked.stage.draw_chunk(device::shared(), &mut encoder, &target).expect("the picture can be drawn");
    device::shared().queue.submit([encoder.finish()]);
    assert!(chunked.chunk());
    chunked.finish();
    assert!(chunked.texels() == chunked.whole());
}
