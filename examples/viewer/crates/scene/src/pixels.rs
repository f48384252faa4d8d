//! Images in memory: decoding with size limits, and downscaling.

use std::io::Cursor;
use std::sync::OnceLock;

/// An RGBA image with 8 bits per channel, as rows from top to bottom.
#[derive(Clone, PartialEq)]
pub struct Pixels {
    /// Width and height.
    pub size: [u32; 2],
    /// The texels, row by row.
    pub rgba: Vec<[u8; 4]>,
}

impl std::fmt::Debug for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pixels").field("size", &self.size).finish_non_exhaustive()
    }
}

/// Maximum width and height. A file of a few bytes can declare any size.
const MAX_SIDE: u32 = 16_384;
/// Memory limit of the decoder: an image of the maximum size.
const MAX_DECODER_BYTES: u64 = 1 << 30;

impl Pixels {
    /// Decodes a PNG or JPEG file. Errors are phrases such as "is neither PNG nor JPEG".
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let mut reader =
            image::ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| e.to_string())?;
        if !matches!(reader.format(), Some(image::ImageFormat::Png | image::ImageFormat::Jpeg)) {
            return Err("is neither PNG nor JPEG".to_owned());
        }
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        limits.max_alloc = Some(MAX_DECODER_BYTES);
        reader.limits(limits);
        let image = reader.decode().map_err(|error| format!("could not be decoded: {error}"))?.into_rgba8();
        let size = [image.width(), image.height()];
        let (rgba, _) = image.as_raw().as_chunks::<4>();
        match rgba.is_empty() {
            true => Err("has no pixels".to_owned()),
            false => Ok(Self { size, rgba: rgba.to_vec() }),
        }
    }

    /// Halves the image until neither side is longer than `max_side`.
    #[must_use]
    pub fn at_most(mut self, max_side: u32, is_srgb: bool) -> Self {
        while self.size[0].max(self.size[1]) > max_side.max(1) {
            self = self.halved(is_srgb);
        }
        self
    }

    /// Returns the image at half the width and height. Each pixel is the mean of four, computed in
    /// linear light for sRGB and weighted by alpha, so that invisible pixels contribute no color.
    #[must_use]
    pub fn halved(&self, is_srgb: bool) -> Self {
        let [width, height] = self.size.map(|side| side as usize);
        let half = self.size.map(|side| (side / 2).max(1));
        let tables = Tables::get();
        let decode = |v: u8| if is_srgb { tables.linear[v as usize] } else { u32::from(v) * 257 };
        let encode = |v: u32| if is_srgb { tables.srgb[v as usize] } else { ((v + 128) / 257) as u8 };
        let mut rgba = Vec::with_capacity(half[0] as usize * half[1] as usize);
        for y in 0..half[1] as usize {
            let rows = [2 * y, (2 * y + 1).min(height - 1)].map(|row| &self.rgba[row * width..][..width]);
            for x in 0..half[0] as usize {
                let columns = [2 * x, (2 * x + 1).min(width - 1)];
                let four =
                    [rows[0][columns[0]], rows[0][columns[1]], rows[1][columns[0]], rows[1][columns[1]]];
                let alpha: u32 = four.iter().map(|texel| u32::from(texel[3])).sum();
                let mean = |channel: usize| {
                    let weighted = four.iter().map(|texel| match alpha {
                        0 => u64::from(decode(texel[channel])),
                        _ => u64::from(decode(texel[channel])) * u64::from(texel[3]),
                    });
                    let weight = if alpha == 0 { 4 } else { u64::from(alpha) };
                    encode(((weighted.sum::<u64>() + weight / 2) / weight) as u32)
                };
                rgba.push([mean(0), mean(1), mean(2), ((alpha + 2) / 4) as u8]);
            }
        }
        Self { size: half, rgba }
    }
}

/// The sRGB transfer function in both directions, with linear values in 16 bits.
struct Tables {
    linear: [u32; 256],
    srgb: Vec<u8>,
}

impl Tables {
    fn get() -> &'static Self {
        static TABLES: OnceLock<Tables> = OnceLock::new();
        TABLES.get_or_init(|| {
            let linear = std::array::from_fn(|v| {
                let c = v as f64 / 255.0;
                let linear = if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
                (linear * 65535.0).round() as u32
            });
            let srgb = (0..=u16::MAX).map(|v| {
                let c = f64::from(v) / 65535.0;
                let srgb = if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
                (srgb * 255.0).round() as u8
            });
            Self { linear, srgb: srgb.collect() }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(size: [u32; 2], rgba: &[[u8; 4]]) -> Pixels {
        Pixels { size, rgba: rgba.to_vec() }
    }

    #[test]
    fn mean_of_srgb_is_taken_in_linear_light() {
        let two = of([2, 1], &[[0, 0, 0, 255], [255, 255, 255, 255]]);
        assert_eq!(two.halved(true).rgba, [[188, 188, 188, 255]]);
        assert_eq!(two.halved(false).rgba, [[128, 128, 128, 255]]);
    }

    #[test]
    fn transparent_pixels_contribute_no_color() {
        let leaf = of([2, 2], &[[0, 200, 0, 255], [0, 0, 0, 0], [0, 0, 0, 0], [0, 200, 0, 255]]);
        let [r, g, b, a] = leaf.halved(true).rgba[0];
        assert!((r, b, a) == (0, 0, 128) && g.abs_diff(200) <= 1, "{g}");
        let clear = of([2, 2], &[[0, 90, 0, 0]; 4]).halved(true).rgba[0];
        assert!(clear[1].abs_diff(90) <= 1 && clear[3] == 0, "{clear:?}");
    }

    #[test]
    fn halving_stops_at_one_pixel_and_keeps_grays() {
        let strip = of([5, 3], &[[7; 4]; 15]);
        assert_eq!(strip.clone().at_most(2, false).size, [2, 1]);
        assert_eq!(strip.at_most(0, false).size, [1, 1]);
        for v in 0..=255 {
            let same = of([2, 2], &[[v, v, v, 255]; 4]).halved(true).rgba[0];
            assert!(same[0].abs_diff(v) <= 1, "{v}: {same:?}");
            assert_eq!(of([2, 2], &[[v; 4]; 4]).halved(false).rgba[0], [v; 4]);
        }
    }

    #[test]
    fn invalid_images_are_reported() {
        assert_eq!(Pixels::decode(b"GIF89a").expect_err("GIF is not supported"), "is neither PNG nor JPEG");
        let mut png = Cursor::new(Vec::new());
        let gray = image::ImageBuffer::from_pixel(3, 2, image::Luma([9u8]));
        gray.write_to(&mut png, image::ImageFormat::Png).expect("writing to memory succeeds");
        assert_eq!(Pixels::decode(png.get_ref()), Ok(of([3, 2], &[[9, 9, 9, 255]; 6])));
        let cut = &png.get_ref()[..png.get_ref().len() / 2];
        assert!(Pixels::decode(cut).expect_err("the file is truncated").starts_with("could not be decoded"));
    }
}
