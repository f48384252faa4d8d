//! Writes the pictures of a replay as an animated GIF.

use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame, ImageError, Rgba, RgbaImage};
use session::replay_file::EventKind;
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;
use std::time::Duration;
use wgpu_gizmo::glam::DVec2;

/// The time that a move of the pointer or the camera is shown.
const MOVE: Duration = Duration::from_millis(40);
/// The time that the result of any other event is shown.
const STEP: Duration = Duration::from_millis(400);
/// The time that the last picture is shown.
const END: Duration = Duration::from_millis(1500);
/// The largest side of a GIF.
pub(crate) const MAX_SIDE: u32 = 65_535;
/// The speed of the search for 256 colors, from 1 (best) to 30.
const SPEED: i32 = 10;

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

/// Bytes that the encoder appends to while their owner keeps them.
#[derive(Debug, Default, Clone)]
struct SharedBytes(Rc<RefCell<Vec<u8>>>);

impl Write for SharedBytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// An animation in progress. Each picture stores only the pixels that differ from the one before.
pub(crate) struct Animation {
    encoder: GifEncoder<SharedBytes>,
    bytes: SharedBytes,
    /// The picture as it is shown.
    shown: Option<RgbaImage>,
    /// The pixels of the picture that are not encoded yet, and the time that it is shown.
    pending: Option<(RgbaImage, Duration)>,
}

impl Animation {
    pub(crate) fn new() -> Result<Self, ImageError> {
        let bytes = SharedBytes::default();
        let mut encoder = GifEncoder::new_with_speed(bytes.clone(), SPEED);
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self { encoder, bytes, shown: None, pending: None })
    }

    /// Adds the picture after an event. A picture that is equal to the last one prolongs it.
    pub(crate) fn add(&mut self, picture: RgbaImage, event: Option<&EventKind>) -> Result<(), ImageError> {
        let duration = match event {
            Some(EventKind::Move(_) | EventKind::Camera(_)) => MOVE,
            _ => STEP,
        };
        let Some(changed) = changed_pixels(self.shown.as_ref(), &picture) else {
            if let Some((_, shown)) = &mut self.pending {
                *shown += duration;
            }
            return Ok(());
        };
        self.shown = Some(picture);
        let before = self.pending.replace((changed, duration));
        before.map_or(Ok(()), |(picture, duration)| self.encode(picture, duration))
    }

    fn encode(&mut self, picture: RgbaImage, duration: Duration) -> Result<(), ImageError> {
        let delay = Delay::from_saturating_duration(duration);
        self.encoder.encode_frame(Frame::from_parts(picture, 0, 0, delay))
    }

    /// Returns the bytes of the file.
    pub(crate) fn finish(mut self) -> Result<Vec<u8>, ImageError> {
        if let Some((picture, duration)) = self.pending.take() {
            self.encode(picture, duration + END)?;
        }
        // The encoder writes the end of the file.
        drop(self.encoder);
        Ok(self.bytes.0.take())
    }
}

/// Returns a picture in which the pixels are transparent that stay as they are; `None` if all do.
fn changed_pixels(before: Option<&RgbaImage>, now: &RgbaImage) -> Option<RgbaImage> {
    let mut changed = now.clone();
    let before = before.filter(|before| before.dimensions() == now.dimensions());
    let Some(before) = before else { return Some(changed) };
    let mut is_same = true;
    for (pixel, before) in changed.pixels_mut().zip(before.pixels()) {
        match pixel == before {
            true => *pixel = Rgba([0; 4]),
            false => is_same = false,
        }
    }
    (!is_same).then_some(changed)
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
    use image::AnimationDecoder;
    use image::codecs::gif::GifDecoder;

    fn picture(dark: u8) -> RgbaImage {
        RgbaImage::from_fn(
            64,
            32,
            |x, _| if x < 32 { Rgba([dark, 0, 0, 255]) } else { Rgba([0, 200, 0, 255]) },
        )
    }

    #[test]
    fn animation_reads_back_with_durations() {
        let mut animation = Animation::new().expect("memory can be written");
        let moved = EventKind::Move(DVec2::ZERO);
        for (dark, event) in
            [(10, None), (10, Some(&moved)), (90, Some(&moved)), (90, Some(&EventKind::Undo))]
        {
            animation.add(picture(dark), event).expect("memory can be written");
        }
        let bytes = animation.finish().expect("memory can be written");
        let decoder = GifDecoder::new(std::io::Cursor::new(&bytes)).expect("it is a GIF");
        let frames = decoder.into_frames().collect_frames().expect("all frames are valid");
        let times: Vec<u32> = frames.iter().map(|frame| frame.delay().numer_denom_ms().0).collect();
        assert_eq!(times, [440, 1940]);
        for (frame, dark) in frames.iter().zip([10, 90]) {
            for (found, wanted) in frame.buffer().pixels().zip(picture(dark).pixels()) {
                let off = found.0.iter().zip(wanted.0).map(|(a, b)| a.abs_diff(b)).max();
                assert!(off < Some(4), "{found:?} {wanted:?}");
            }
        }
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
