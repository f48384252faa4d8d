//! Images in memory: decoding with size limits, and downscaling.

mod basis;
mod webp;

use basis::BasisImage;
use image::{ColorType, ImageDecoder};
use std::io::Cursor;
use std::sync::LazyLock;

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
/// Memory limit for everything before the pixels, such as a compressed color profile.
const MAX_HEADER_BYTES: u64 = 1 << 26;
/// Memory limit of the decoded bytes: an image of the maximum size.
const MAX_DECODER_BYTES: u64 = 1 << 30;

/// A PNG, JPEG, WebP or KTX2 file whose header was read, so that its size is known before anything is allocated.
pub struct EncodedImage<'a> {
    decoder: Box<dyn ImageDecoder + 'a>,
    is_progressive: bool,
    /// Memory of the decoder, besides the decoded bytes.
    scratch_bytes: u64,
}

impl std::fmt::Debug for EncodedImage<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EncodedImage").field("size", &self.decoder.dimensions()).finish_non_exhaustive()
    }
}

impl<'a> EncodedImage<'a> {
    /// Reads the header. Errors are phrases such as "is neither PNG, JPEG, WebP nor KTX2".
    pub fn new(bytes: &'a [u8]) -> Result<Self, String> {
        if bytes.starts_with(&basis::MAGIC) {
            let image = BasisImage::new(bytes)?;
            let scratch_bytes = image.scratch_bytes();
            return Ok(Self { decoder: Box::new(image), is_progressive: false, scratch_bytes });
        }
        let mut reader =
            image::ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| e.to_string())?;
        use image::ImageFormat::{Jpeg, Png, WebP};
        let format = reader.format();
        if !matches!(format, Some(Png | Jpeg | WebP)) {
            return Err("is neither PNG, JPEG, WebP nor KTX2".to_owned());
        }
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        limits.max_alloc = Some(MAX_HEADER_BYTES);
        reader.limits(limits.clone());
        let mut decoder = reader.into_decoder().map_err(|error| format!("could not be decoded: {error}"))?;
        decoder.set_limits(limits).map_err(|error| format!("could not be decoded: {error}"))?;
        if decoder.total_bytes() > MAX_DECODER_BYTES {
            return Err("is too large to be decoded".to_owned());
        }
        let (width, height) = decoder.dimensions();
        if width == 0 || height == 0 {
            return Err("has no pixels".to_owned());
        }
        let scratch_bytes = match format {
            Some(WebP) => webp::scratch_bytes(bytes, [width, height])?,
            _ => 1 << 20,
        };
        Ok(Self { decoder: Box::new(decoder), is_progressive: is_progressive(bytes), scratch_bytes })
    }

    /// Returns the number of texels in the file.
    pub fn texels(&self) -> u64 {
        let (width, height) = self.decoder.dimensions();
        u64::from(width) * u64::from(height)
    }

    /// Returns the number of texels after [`EncodedImage::decode`] with this limit.
    pub fn texels_at_most(&self, max_side: u32) -> u64 {
        let (mut width, mut height) = self.decoder.dimensions();
        while width.max(height) > max_side.max(1) {
            (width, height) = ((width / 2).max(1), (height / 2).max(1));
        }
        u64::from(width) * u64::from(height)
    }

    /// Returns the number of bytes that [`EncodedImage::decode`] with this limit needs, with its result.
    pub fn decoder_bytes(&self, max_side: u32) -> u64 {
        let (width, height) = self.decoder.dimensions();
        let is_too_large = width.max(height) > max_side.max(1);
        let first = if is_too_large { self.texels() / 4 } else { self.texels() };
        // A decoder of progressive JPEG keeps 16 bits for each of up to four channels.
        let coefficients = if self.is_progressive { 8 * self.texels() } else { 0 };
        // The decoded rows, and the texels made from them. If the image is too large, these are its half and
        // the halves of that.
        self.decoder.total_bytes() + coefficients + 5 * first + self.scratch_bytes
    }

    /// Decodes the image and halves it until neither side is longer than `max_side`.
    pub fn decode(self, max_side: u32, is_srgb: bool) -> Result<Pixels, String> {
        let (width, height) = self.decoder.dimensions();
        let color = self.decoder.color_type();
        let mut bytes = vec![0; usize::try_from(self.decoder.total_bytes()).map_err(|e| e.to_string())?];
        self.decoder.read_image(&mut bytes).map_err(|error| format!("could not be decoded: {error}"))?;
        let row_bytes = width as usize * usize::from(color.bytes_per_pixel());
        let is_too_large = width.max(height) > max_side.max(1);
        // Converted a few rows at a time, so that there are never two copies of a large image. An even
        // number, because rows are halved in pairs.
        let rows_at_once = ((1 << 18) / width as usize * 2).max(2);
        let mut size = [width, 0];
        let half = |side: u32| (side as usize / 2).max(1);
        let texels = if is_too_large { half(width) * half(height) } else { width as usize * height as usize };
        let mut rgba = Vec::with_capacity(texels);
        for band in bytes.chunks(rows_at_once * row_bytes) {
            let mut band = band_texels(band, [width, (band.len() / row_bytes) as u32], color)?;
            // The last row of an odd number is left out, as halving the whole image does.
            if is_too_large && (band.size[1] > 1 || height == 1) {
                band = band.halved(is_srgb);
            } else if is_too_large {
                continue;
            }
            size = [band.size[0], size[1] + band.size[1]];
            rgba.extend(band.rgba);
        }
        Ok(Pixels { size, rgba }.at_most(max_side, is_srgb))
    }
}

/// Returns true for a JPEG file in which several scans refine all pixels.
fn is_progressive(bytes: &[u8]) -> bool {
    if !bytes.starts_with(&[0xFF, 0xD8]) {
        return false;
    }
    let mut at = 2;
    // Each segment begins with its kind and its length. The frame header precedes the data.
    while let Some([0xFF, kind, high, low]) = bytes.get(at..at + 4) {
        match kind {
            0xC0 | 0xC1 => return false,
            0xC2..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => return true,
            0xFF => at += 1,
            _ => at += 2 + usize::from(u16::from_be_bytes([*high, *low])),
        }
    }
    true
}

/// Converts rows of any color type: the same values as `image::DynamicImage::into_rgba8`, without its copies.
fn band_texels(bytes: &[u8], size: [u32; 2], color: ColorType) -> Result<Pixels, String> {
    let narrow = |wide: &[u8; 2]| ((u32::from(u16::from_ne_bytes(*wide)) + 128) / 257) as u8;
    let narrowed: Vec<u8>;
    let is_wide = matches!(color, ColorType::L16 | ColorType::La16 | ColorType::Rgb16 | ColorType::Rgba16);
    let channels = if is_wide {
        narrowed = bytes.as_chunks().0.iter().map(narrow).collect();
        &narrowed
    } else {
        bytes
    };
    let rgba = match color {
        ColorType::L8 | ColorType::L16 => channels.iter().map(|&l| [l, l, l, 255]).collect(),
        ColorType::La8 | ColorType::La16 => {
            channels.as_chunks().0.iter().map(|&[l, a]| [l, l, l, a]).collect()
        }
        ColorType::Rgb8 | ColorType::Rgb16 => {
            channels.as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect()
        }
        ColorType::Rgba8 | ColorType::Rgba16 => channels.as_chunks().0.to_vec(),
        _ => return Err("has an unknown color type".to_owned()),
    };
    Ok(Pixels { size, rgba })
}

impl Pixels {
    /// Decodes a file of any supported size.
    #[cfg(test)]
    fn decode(bytes: &[u8]) -> Result<Self, String> {
        EncodedImage::new(bytes)?.decode(u32::MAX, false)
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
        let (linear, srgb) = (&*LINEAR, &*SRGB);
        let decode = |v: u8| if is_srgb { linear[v as usize] } else { u32::from(v) * 257 };
        let encode = |v: u32| if is_srgb { srgb[v as usize] } else { ((v + 128) / 257) as u8 };
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

/// The linear value in 16 bits of each sRGB value.
static LINEAR: LazyLock<[u32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|v| {
        let c = v as f64 / 255.0;
        let linear = if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        (linear * 65535.0).round() as u32
    })
});

/// The sRGB value of each linear value in 16 bits.
static SRGB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let encode = |v: u16| {
        let c = f64::from(v) / 65535.0;
        let srgb = if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
        (srgb * 255.0).round() as u8
    };
    (0..=u16::MAX).map(encode).collect()
});

#[cfg(test)]
mod tests {
    use super::*;
    use image::DynamicImage;

    /// Returns a file of a gray image.
    fn gray(format: image::ImageFormat) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        let image = image::ImageBuffer::from_pixel(3, 2, image::Luma([9u8]));
        image.write_to(&mut file, format).expect("writing to memory succeeds");
        file.into_inner()
    }

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
    fn large_image_is_halved_in_bands_as_in_one() {
        // More rows than a band has, and an odd number of them.
        let size = [1 << 17, 11];
        let noise = |x: u32, y: u32| (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).to_le_bytes();
        let rgba = image::ImageBuffer::from_fn(size[0] / 16, size[1], |x, y| image::Rgba(noise(x, y)));
        let wide = image::ImageBuffer::from_fn(size[0] / 16, size[1], |x, y| {
            image::Luma([u16::from_le_bytes([noise(x, y)[0], noise(y, x)[1]])])
        });
        let rgba = DynamicImage::ImageRgba8(rgba);
        let of_other_types = [
            rgba.to_luma8().into(),
            rgba.to_luma_alpha8().into(),
            rgba.to_rgb8().into(),
            rgba.to_luma_alpha16().into(),
            rgba.to_rgb16().into(),
            rgba.to_rgba16().into(),
        ];
        for image in [rgba, DynamicImage::ImageLuma16(wide)].into_iter().chain(of_other_types) {
            let mut png = Cursor::new(Vec::new());
            image.write_to(&mut png, image::ImageFormat::Png).expect("writing to memory succeeds");
            let whole = Pixels::decode(png.get_ref()).expect("the file is valid");
            assert_eq!(image.to_rgba8().as_raw().as_slice(), whole.rgba.as_flattened());
            for max_side in [100, 5000, 8192] {
                let encoded = EncodedImage::new(png.get_ref()).expect("the file is valid");
                let texels = encoded.texels_at_most(max_side);
                let halved = encoded.decode(max_side, true).expect("the file is valid");
                assert_eq!(halved.rgba.len() as u64, texels);
                assert!(halved == whole.clone().at_most(max_side, true), "{max_side}");
            }
        }
    }

    #[test]
    fn progressive_jpeg_is_recognized() {
        let baseline = gray(image::ImageFormat::Jpeg);
        let at = baseline.windows(2).position(|two| two == [0xFF, 0xC0]).expect("there is a frame header");
        let mut progressive = baseline.clone();
        progressive[at + 1] = 0xC2;
        assert_eq!([is_progressive(&baseline), is_progressive(&progressive)], [false, true]);
        assert!(is_progressive(&baseline[..at]) && !is_progressive(b"\x89PNG"));
    }

    #[test]
    fn invalid_images_are_reported() {
        assert_eq!(Pixels::decode(b"GIF89a"), Err("is neither PNG, JPEG, WebP nor KTX2".to_owned()));
        let png = gray(image::ImageFormat::Png);
        assert_eq!(Pixels::decode(&png), Ok(of([3, 2], &[[9, 9, 9, 255]; 6])));
        let cut = Pixels::decode(&png[..png.len() / 2]).expect_err("the file is truncated");
        assert!(cut.starts_with("could not be decoded"));
    }
}
