//! Writes the pictures of a replay as an animated GIF.

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use image::{Rgba, RgbaImage};
use session::replay_file::EventKind;
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

/// An animation in progress. Each picture stores only the pixels that differ from the one before, and the
/// rectangle around them.
#[derive(Default)]
pub(crate) struct Animation {
    /// Created with the first picture, because a GIF has one size.
    encoder: Option<Encoder<Vec<u8>>>,
    /// The picture as it is shown.
    shown: Option<RgbaImage>,
    /// The picture that is not encoded yet, and the time that it is shown.
    pending: Option<(Frame<'static>, Duration)>,
}

impl Animation {
    /// Adds the picture after an event. A picture that is equal to the last one prolongs it.
    pub(crate) fn add(&mut self, picture: RgbaImage, event: Option<&EventKind>) -> Result<(), EncodingError> {
        let duration = match event {
            Some(EventKind::Move(_) | EventKind::Camera(_)) => MOVE,
            _ => STEP,
        };
        let Some(frame) = changed_part(self.shown.as_ref(), &picture) else {
            if let Some((_, shown)) = &mut self.pending {
                *shown += duration;
            }
            return Ok(());
        };
        if self.encoder.is_none() {
            let mut encoder = Encoder::new(Vec::new(), frame.width, frame.height, &[])?;
            encoder.set_repeat(Repeat::Infinite)?;
            self.encoder = Some(encoder);
        }
        self.shown = Some(picture);
        let before = self.pending.replace((frame, duration));
        before.map_or(Ok(()), |(frame, duration)| self.encode(frame, duration))
    }

    fn encode(&mut self, mut frame: Frame<'static>, duration: Duration) -> Result<(), EncodingError> {
        // In hundredths of a second.
        frame.delay = u16::try_from(duration.as_millis() / 10).unwrap_or(u16::MAX);
        self.encoder.as_mut().map_or(Ok(()), |encoder| encoder.write_frame(&frame))
    }

    /// Returns the bytes of the file.
    pub(crate) fn finish(mut self) -> Result<Vec<u8>, EncodingError> {
        if let Some((frame, duration)) = self.pending.take() {
            self.encode(frame, duration + END)?;
        }
        self.encoder.map_or(Ok(Vec::new()), Encoder::into_inner)
    }
}

/// Returns the rectangle of the picture that has changed, with transparent pixels where nothing has. `None` if
/// the pictures are equal. The sides are at most [`MAX_SIDE`].
fn changed_part(before: Option<&RgbaImage>, now: &RgbaImage) -> Option<Frame<'static>> {
    let before = before.filter(|before| before.dimensions() == now.dimensions());
    let is_same = |x: u32, y: u32| before.is_some_and(|before| before.get_pixel(x, y) == now.get_pixel(x, y));
    let (width, height) = now.dimensions();
    let (mut low, mut high) = ([u32::MAX; 2], [0; 2]);
    for (x, y, _) in now.enumerate_pixels().filter(|(x, y, _)| !is_same(*x, *y)) {
        low = [low[0].min(x), low[1].min(y)];
        high = [high[0].max(x), high[1].max(y)];
    }
    if low[0] > high[0] || width == 0 || height == 0 {
        return None;
    }
    let size = [high[0] - low[0] + 1, high[1] - low[1] + 1];
    let part = RgbaImage::from_fn(size[0], size[1], |x, y| {
        let (x, y) = (low[0] + x, low[1] + y);
        if is_same(x, y) { Rgba([0; 4]) } else { *now.get_pixel(x, y) }
    });
    let [left, top, width, height] =
        [low[0], low[1], size[0], size[1]].map(|number| u16::try_from(number).unwrap_or(u16::MAX));
    let frame = Frame::from_rgba_speed(width, height, &mut part.into_raw(), SPEED);
    Some(Frame { left, top, dispose: DisposalMethod::Keep, ..frame })
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
    use gif::{ColorOutput, DecodeOptions};

    fn picture(dark: u8) -> RgbaImage {
        RgbaImage::from_fn(
            64,
            32,
            |x, _| if x < 32 { Rgba([dark, 0, 0, 255]) } else { Rgba([0, 200, 0, 255]) },
        )
    }

    /// Returns the pictures of a GIF with their delays, in hundredths of a second.
    fn decoded(bytes: &[u8]) -> Vec<(RgbaImage, u16)> {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).expect("it is a GIF");
        let mut shown = RgbaImage::new(decoder.width().into(), decoder.height().into());
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("all frames are valid") {
            for (index, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] != 0)
            {
                let [x, y] = [index % usize::from(frame.width), index / usize::from(frame.width)];
                let at = [x as u32 + u32::from(frame.left), y as u32 + u32::from(frame.top)];
                shown.put_pixel(at[0], at[1], Rgba([pixel[0], pixel[1], pixel[2], pixel[3]]));
            }
            pictures.push((shown.clone(), frame.delay));
        }
        pictures
    }

    #[test]
    fn animation_reads_back_with_durations() {
        let mut animation = Animation::default();
        let moved = EventKind::Move(DVec2::ZERO);
        for (dark, event) in
            [(10, None), (10, Some(&moved)), (90, Some(&moved)), (90, Some(&EventKind::Undo))]
        {
            animation.add(picture(dark), event).expect("memory can be written");
        }
        let found = decoded(&animation.finish().expect("memory can be written"));
        assert_eq!(found.iter().map(|(_, delay)| *delay).collect::<Vec<_>>(), [44, 194]);
        for ((found, _), dark) in found.iter().zip([10, 90]) {
            for (found, wanted) in found.pixels().zip(picture(dark).pixels()) {
                let off = found.0.iter().zip(wanted.0).map(|(a, b)| a.abs_diff(b)).max();
                assert!(off < Some(4), "{found:?} {wanted:?}");
            }
        }
        let empty = Animation::default().finish().expect("memory can be written");
        assert!(empty.is_empty(), "there is no picture");
    }

    #[test]
    fn only_changed_rectangle_is_stored() {
        let mut now = picture(0);
        assert!(changed_part(Some(&picture(0)), &now).is_none());
        now.put_pixel(5, 7, Rgba([255; 4]));
        now.put_pixel(40, 9, Rgba([255; 4]));
        let frame = changed_part(Some(&picture(0)), &now).expect("two pixels have changed");
        assert_eq!((frame.left, frame.top, frame.width, frame.height), (5, 7, 36, 3));
        assert!(frame.transparent.is_some());
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
