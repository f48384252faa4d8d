//! Writes the pictures of a replay as an animated PNG.

use image::{Rgba, RgbaImage};
use png::{BlendOp, ColorType, Compression, Encoder, EncodingError, Filter, Writer};
use session::replay_file::EventKind;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use wgpu_gizmo::glam::DVec2;

/// The time that a move of the pointer or the camera is shown, in milliseconds.
const MOVE_MS: u16 = 40;
/// The time that the result of any other event is shown.
const STEP_MS: u16 = 400;
/// How much longer the last picture is shown.
const END_MS: u16 = 1500;

/// The shape of the pointer: `#` is its outline, `.` its inside.
const POINTER: [&str; 17] = [
    "#           ",
    "##          ",
    "#.#         ",
    "#..#        ",
    "#...#       ",
    "#....#      ",
    "#.....#     ",
    "#......#    ",
    "#.......#   ",
    "#........#  ",
    "#.....##### ",
    "#..#..#     ",
    "#.# #..#    ",
    "##  #..#    ",
    "#    #..#   ",
    "     #..#   ",
    "      ##    ",
];

/// An animation in progress. Each picture stores only the pixels that differ from the one before, and the
/// rectangle around them.
pub(crate) struct Animation {
    /// The number of pictures that are still to come. A PNG begins with the number of all.
    left: u32,
    /// Created with the first picture, because an animation has one size.
    writer: Option<Writer<Bytes>>,
    bytes: Bytes,
    shown: RgbaImage,
}

impl Animation {
    /// Begins an animation of this number of pictures.
    pub(crate) fn new(pictures: u32) -> Self {
        Self { left: pictures, writer: None, bytes: Bytes::default(), shown: RgbaImage::default() }
    }

    /// Adds the picture after an event.
    pub(crate) fn add(&mut self, picture: RgbaImage, event: Option<&EventKind>) -> Result<(), EncodingError> {
        let event_ms = match event {
            Some(EventKind::Move(_) | EventKind::Camera(_)) => MOVE_MS,
            _ => STEP_MS,
        };
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => {
                let mut encoder = Encoder::new(self.bytes.clone(), picture.width(), picture.height());
                encoder.set_color(ColorType::Rgba);
                encoder.set_compression(Compression::High);
                // Most pixels are transparent, and a filter would make equal pixels different.
                encoder.set_filter(Filter::NoFilter);
                encoder.set_animated(self.left, 0)?;
                encoder.set_blend_op(BlendOp::Over)?;
                none.insert(encoder.write_header()?)
            }
        };
        self.left = self.left.saturating_sub(1);
        let ([left, top], part) = changed_part(&self.shown, &picture);
        self.shown = picture;
        writer.reset_frame_position()?;
        writer.set_frame_dimension(part.width(), part.height())?;
        writer.set_frame_position(left, top)?;
        writer.set_frame_delay(event_ms + if self.left == 0 { END_MS } else { 0 }, 1000)?;
        writer.write_image_data(&part)
    }

    /// Returns the bytes of the file.
    pub(crate) fn finish(self) -> Result<Vec<u8>, EncodingError> {
        self.writer.map_or(Ok(()), Writer::finish)?;
        Ok(self.bytes.0.take())
    }
}

/// The output of [`Writer`], which does not return it.
#[derive(Clone, Default)]
struct Bytes(Rc<RefCell<Vec<u8>>>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the position and the pixels of the rectangle that has changed; the pixels that are equal are transparent. If
/// the pictures are equal, the rectangle is one such pixel.
fn changed_part(before: &RgbaImage, now: &RgbaImage) -> ([u32; 2], RgbaImage) {
    let is_same = |x: u32, y: u32| before.get_pixel_checked(x, y) == Some(now.get_pixel(x, y));
    let (mut low, mut high) = ([u32::MAX; 2], [0; 2]);
    for (x, y, _) in now.enumerate_pixels().filter(|(x, y, _)| !is_same(*x, *y)) {
        low = [low[0].min(x), low[1].min(y)];
        high = [high[0].max(x), high[1].max(y)];
    }
    if low[0] > high[0] {
        return ([0; 2], RgbaImage::new(1, 1));
    }
    let part = RgbaImage::from_fn(high[0] - low[0] + 1, high[1] - low[1] + 1, |x, y| {
        let (x, y) = (low[0] + x, low[1] + y);
        if is_same(x, y) { Rgba([0; 4]) } else { *now.get_pixel(x, y) }
    });
    (low, part)
}

/// Draws the pointer into a picture.
pub(crate) fn draw_pointer(picture: &mut RgbaImage, at_px: DVec2) {
    for (row, line) in POINTER.iter().enumerate() {
        for (column, pixel) in line.bytes().enumerate() {
            let color = match pixel {
                b'#' => Rgba([0, 0, 0, 255]),
                b'.' => Rgba([255; 4]),
                _ => continue,
            };
            let px = at_px.floor() + DVec2::new(column as f64, row as f64);
            if px.cmpge(DVec2::ZERO).all() {
                // A position beyond the picture saturates and is left out.
                if let Some(texel) = picture.get_pixel_mut_checked(px.x as u32, px.y as u32) {
                    *texel = color;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::imageops::overlay;
    use png::Decoder;
    use std::io::Cursor;

    fn picture(dark: u8) -> RgbaImage {
        RgbaImage::from_fn(
            64,
            32,
            |x, _| if x < 32 { Rgba([dark, 0, 0, 255]) } else { Rgba([0, 200, 0, 255]) },
        )
    }

    #[test]
    fn animation_reads_back_with_durations() {
        let moved = EventKind::Move(DVec2::ZERO);
        let events = [(10, None), (10, Some(&moved)), (90, Some(&moved)), (90, Some(&EventKind::Undo))];
        let mut animation = Animation::new(4);
        for (dark, event) in events {
            animation.add(picture(dark), event).expect("memory can be written");
        }
        let bytes = animation.finish().expect("memory can be written");
        let mut reader = Decoder::new(Cursor::new(bytes)).read_info().expect("it is a PNG");
        assert_eq!(reader.info().animation_control.map(|control| control.num_frames), Some(4));
        let mut shown = RgbaImage::default();
        for ((dark, _), expected) in
            events.into_iter().zip([(400, [64, 32]), (40, [1, 1]), (40, [32, 32]), (1900, [1, 1])])
        {
            let mut bytes = vec![0; 4 * 64 * 32];
            reader.next_frame(&mut bytes).expect("the picture is there");
            let control = *reader.info().frame_control().expect("it is animated");
            assert_eq!((control.delay_num, [control.width, control.height]), expected);
            let part =
                RgbaImage::from_raw(control.width, control.height, bytes).expect("it has these pixels");
            if shown.is_empty() {
                shown = part;
            } else {
                overlay(&mut shown, &part, control.x_offset.into(), control.y_offset.into());
            }
            assert!(shown == picture(dark));
        }
        assert!(reader.next_frame(&mut [0; 4 * 64 * 32]).is_err());
    }

    #[test]
    fn only_changed_rectangle_is_stored() {
        let mut now = picture(0);
        now.put_pixel(5, 7, Rgba([255; 4]));
        now.put_pixel(40, 9, Rgba([255; 4]));
        let (at, part) = changed_part(&picture(0), &now);
        assert_eq!((at, part.dimensions()), ([5, 7], (36, 3)));
        assert_eq!((part.get_pixel(0, 0).0, part.get_pixel(1, 0).0), ([255; 4], [0; 4]));
    }

    #[test]
    fn pointer_is_cut_at_edges_of_picture() {
        for at in [[-5.0, -5.0], [60.0, 28.0], [1e30, 0.0], [-1e30, f64::NAN], [f64::INFINITY, 3.0]] {
            draw_pointer(&mut picture(0), at.into());
        }
        let mut drawn = picture(0);
        draw_pointer(&mut drawn, DVec2::new(3.5, 4.5));
        assert_eq!((drawn.get_pixel(3, 4).0, drawn.get_pixel(4, 6).0), ([0, 0, 0, 255], [255; 4]));
    }
}
