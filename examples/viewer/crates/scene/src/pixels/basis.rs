//! KTX2 files with Basis textures, as a decoder of the crate `image`.

use super::MAX_SIDE;
use basisu::{DecodeFlags, SourceFormat, TargetFormat, Transcoder};
use image::error::{DecodingError, ImageFormatHint};
use image::{ColorType, ImageDecoder, ImageError, ImageResult};
use ruzstd::frame::read_frame_header;

/// The first bytes of a KTX2 file.
pub(super) const MAGIC: [u8; 12] = *b"\xABKTX 20\xBB\r\n\x1A\n";
/// The offset of the list of levels, and the bytes of each.
const LEVELS: usize = 80;
const LEVEL_BYTES: usize = 24;
/// The number of the compression of levels with Zstandard, the last one that is supported.
const ZSTANDARD: u32 = 2;
/// Memory for code books, and the smallest limit of the window of a Zstandard decoder.
const CODE_BOOK_BYTES: u64 = 1 << 24;
const WINDOW_BYTES: u64 = 1 << 23;

/// The first level of a two-dimensional texture.
pub(super) struct BasisImage<'a> {
    texture: Transcoder<'a>,
    size: [u32; 2],
}

impl<'a> BasisImage<'a> {
    /// Reads the header and the code books. Errors are phrases.
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, String> {
        let unsupported = || "is a KTX2 file without a two-dimensional Basis texture".to_owned();
        let header = Header::read(bytes).ok_or("is a truncated KTX2 file")?;
        if !header.is_two_dimensional() {
            return Err(unsupported());
        }
        if header.size.iter().any(|side| *side > MAX_SIDE) {
            return Err("is too large to be decoded".to_owned());
        }
        if !header.has_valid_levels(bytes) {
            return Err("could not be decoded: the list of levels is damaged".to_owned());
        }
        let texture = Transcoder::new(bytes).map_err(|_| unsupported())?;
        let is_basis = matches!(texture.source_format(), SourceFormat::Etc1s | SourceFormat::UastcLdr);
        if !is_basis || texture.is_video() || texture.base_dimensions() != (header.size[0], header.size[1]) {
            return Err(unsupported());
        }
        Ok(Self { texture, size: header.size })
    }

    /// Returns an upper bound of the memory that decoding takes, besides the texels.
    pub(super) fn scratch_bytes(&self) -> u64 {
        // The window doubles as it grows.
        CODE_BOOK_BYTES + level_bytes(self.size) + 2 * max_window(self.size)
    }
}

impl ImageDecoder for BasisImage<'_> {
    fn dimensions(&self) -> (u32, u32) {
        (self.size[0], self.size[1])
    }

    fn color_type(&self) -> ColorType {
        ColorType::Rgba8
    }

    fn read_image(self, buffer: &mut [u8]) -> ImageResult<()> {
        self.texture.transcode_into(0, TargetFormat::Rgba32, DecodeFlags::NONE, buffer).map_err(|_| {
            let format = ImageFormatHint::Name("KTX2".to_owned());
            ImageError::Decoding(DecodingError::new(format, "the data is damaged"))
        })
    }

    fn read_image_boxed(self: Box<Self>, buffer: &mut [u8]) -> ImageResult<()> {
        (*self).read_image(buffer)
    }
}

/// Returns the size of the first level, which has 16 bytes for each 4 × 4 texels.
fn level_bytes(size: [u32; 2]) -> u64 {
    size.map(|side| u64::from(side.div_ceil(4))).iter().product::<u64>() * 16
}

/// Returns the largest window that an encoder needs for a level of this size: the next power of two.
fn max_window(size: [u32; 2]) -> u64 {
    (2 * level_bytes(size)).max(WINDOW_BYTES)
}

/// The numbers of a header that decide how much is allocated.
struct Header {
    format: u32,
    size: [u32; 2],
    depth: u32,
    layers: u32,
    faces: u32,
    levels: u32,
    supercompression: u32,
    /// The offset and the length of the code books.
    global: [u64; 2],
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        Some(Self {
            format: word(bytes, 12)?,
            size: [word(bytes, 20)?, word(bytes, 24)?],
            depth: word(bytes, 28)?,
            layers: word(bytes, 32)?,
            faces: word(bytes, 36)?,
            levels: word(bytes, 40)?,
            supercompression: word(bytes, 44)?,
            global: [long(bytes, 64)?, long(bytes, 72)?],
        })
    }

    /// Returns true for what `KHR_texture_basisu` allows.
    fn is_two_dimensional(&self) -> bool {
        self.format == 0
            && self.size.iter().all(|side| *side > 0)
            && self.depth == 0
            && self.layers <= 1
            && self.faces == 1
            && self.supercompression <= ZSTANDARD
    }

    /// Returns true if all data is in the file, and no level declares more than it can have.
    fn has_valid_levels(&self, bytes: &[u8]) -> bool {
        let part = |[offset, length]: [u64; 2]| {
            let [start, end] = [Some(offset), offset.checked_add(length)].map(|at| at.map(usize::try_from));
            bytes.get(start?.ok()?..end?.ok()?)
        };
        let is_valid = |level: u32| {
            let at = LEVELS + level as usize * LEVEL_BYTES;
            let number = |index: usize| long(bytes, at + 8 * index);
            let data = number(0).zip(number(1)).and_then(|(offset, length)| part([offset, length]));
            let is_small = number(2).is_some_and(|decoded| decoded <= level_bytes(self.size));
            let is_window_small =
                |data| window_bytes(data).is_some_and(|window| window <= max_window(self.size));
            is_small && data.is_some_and(|data| self.supercompression != ZSTANDARD || is_window_small(data))
        };
        part(self.global).is_some() && (1..=16).contains(&self.levels) && (0..self.levels).all(is_valid)
    }
}

/// Returns the memory that a frame asks its decoder to keep.
fn window_bytes(frame: &[u8]) -> Option<u64> {
    read_frame_header(frame).ok()?.0.header.window_size().ok()
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::super::{EncodedImage, Pixels};

    /// Files of the reference encoder (Basis Universal 2.1): a gradient of 20 × 12 texels whose alpha falls from 255
    /// to 90, in each kind of compression, and what the reference transcoder makes of the texel at (10, 6).
    const FILES: [(&[u8], &str); 3] = [
        (include_bytes!("basis/etc1s.ktx2"), "ETC1S"),
        (include_bytes!("basis/uastc.ktx2"), "UASTC"),
        (include_bytes!("basis/uastc_zstd.ktx2"), "UASTC with Zstandard"),
    ];

    fn gradient(x: usize, y: usize) -> [u8; 4] {
        [(x * 12) as u8, (y * 20) as u8, 60, (255 - 15 * y) as u8]
    }

    #[test]
    fn basis_textures_have_colors_of_source() {
        for (file, name) in FILES {
            let image = Pixels::decode(file).expect("the file is valid");
            assert_eq!(image.size, [20, 12], "{name}");
            let errors = image.rgba.iter().enumerate().flat_map(|(at, texel)| {
                let source = gradient(at % 20, at / 20);
                std::array::from_fn::<_, 4, _>(|i| f64::from(texel[i]) - f64::from(source[i]))
            });
            let mean = errors.map(f64::abs).sum::<f64>() / 960.0;
            // Lossy: blocks of ETC1S have one color and a few brightnesses.
            let max = if name == "ETC1S" { 12.0 } else { 2.0 };
            assert!(mean < max, "{name}: {mean}");
        }
    }

    #[test]
    fn damaged_file_is_refused_or_decoded_without_panic() {
        let mut refused = 0;
        for (file, _) in FILES {
            for length in 0..file.len() {
                refused += usize::from(Pixels::decode(&file[..length]).is_err());
            }
            for at in 12..file.len() {
                for by in [1, 0x80, 0xff] {
                    let mut damaged = file.to_vec();
                    damaged[at] ^= by;
                    let Ok(encoded) = EncodedImage::new(&damaged) else {
                        refused += 1;
                        continue;
                    };
                    if encoded.texels() < 1 << 20 {
                        refused += usize::from(encoded.decode(8192, true).is_err());
                    }
                }
            }
        }
        assert!(refused > 1000, "{refused}");
    }

    #[test]
    fn huge_declarations_are_refused_before_allocation() {
        let (file, _) = FILES[2];
        assert!(EncodedImage::new(file).is_ok());
        // The last is the descriptor of the frame: a window of 2^41 bytes instead of the size of the content.
        let frame = super::long(file, 80).expect("the file has a level");
        let window = u64::from_le_bytes([0x28, 0xB5, 0x2F, 0xFD, 0, 0xF8, 0, 0]);
        let frame = usize::try_from(frame).expect("the offset is small");
        for (at, value) in [(20, 1 << 20), (96, 1 << 50), (80, u64::MAX), (64, u64::MAX), (frame, window)] {
            let mut damaged = file.to_vec();
            let bytes = if at == 20 { &(value as u32).to_le_bytes()[..] } else { &value.to_le_bytes() };
            damaged[at..at + bytes.len()].copy_from_slice(bytes);
            assert!(EncodedImage::new(&damaged).is_err(), "{at}");
        }
    }
}
