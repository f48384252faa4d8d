//! Checks of WebP files that the decoder makes only after it has allocated memory.

/// Memory of the prefix codes of a lossless image per byte of the file, and its maximum. A file could declare
/// more, up to 65 536 groups of codes, but no encoder does.
const CODES_PER_BYTE: u64 = 512;
const MAX_CODES_BYTES: u64 = 1 << 28;

/// Checks that an image is not animated and that its frame has the size of the file, and returns the memory
/// that its decoder needs besides the decoded bytes.
pub(super) fn scratch_bytes(bytes: &[u8], [width, height]: [u32; 2]) -> Result<u64, String> {
    let mut at = 12;
    // Each chunk has a name, a length and an even number of bytes.
    while let Some((name, length)) = bytes.get(at..).and_then(|rest| rest.split_first_chunk::<4>()) {
        let Some((length, data)) = length.split_first_chunk::<4>() else { break };
        if matches!(name, b"ANIM" | b"ANMF") {
            return Err("is an animation".to_owned());
        }
        // A lossy frame has its own size, after a tag of three bytes and a signature of three.
        if name == b"VP8 " && frame_size(data) != Some([width, height]) {
            return Err("has a frame of another size".to_owned());
        }
        at = at.saturating_add(8).saturating_add((u32::from_le_bytes(*length) as usize).next_multiple_of(2));
    }
    let texels = u64::from(width) * u64::from(height);
    let codes = (CODES_PER_BYTE * bytes.len() as u64).min(MAX_CODES_BYTES);
    // Lossless colors or alpha as four bytes and one; the planes of a lossy image in blocks of 16.
    let planes = 3 * (u64::from(width) + 16) * (u64::from(height) + 16) / 2;
    Ok(5 * texels + planes + codes + (1 << 20))
}

fn frame_size(data: &[u8]) -> Option<[u32; 2]> {
    let side = |at: usize| Some(u32::from(u16::from_le_bytes(*data.get(at..)?.first_chunk()?) & 0x3FFF));
    Some([side(6)?, side(8)?])
}

#[cfg(test)]
mod tests {
    use crate::pixels::{EncodedImage, Pixels};

    /// Written by libwebp: lossy colors with lossless alpha.
    const LOSSY: &[u8] = include_bytes!("webp/lossy.webp");

    fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
        [&name[..], &(data.len() as u32).to_le_bytes(), data].concat()
    }

    /// Returns a file with a header for a canvas of 1 x 1 pixels, and these chunks.
    fn extended(flags: u8, chunks: &[Vec<u8>]) -> Vec<u8> {
        let header = chunk(b"VP8X", &[flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        chunk(b"RIFF", &[&b"WEBP"[..], &header, &chunks.concat()].concat())
    }

    #[test]
    fn lossy_and_lossless_images_have_texels_of_reference() {
        let wanted = Pixels::decode(include_bytes!("webp/lossy.png")).expect("the file is valid");
        assert_eq!(Pixels::decode(LOSSY), Ok(wanted));
        let lossless = Pixels::decode(include_bytes!("webp/lossless.webp")).expect("the file is valid");
        assert_eq!(lossless.size, [20, 12]);
        for (index, texel) in lossless.rgba.iter().enumerate() {
            let (x, y) = (index % 20, index / 20);
            let blue = (128.0 + 100.0 * ((x * y) as f64 / 9.0).sin()) as u8;
            assert_eq!(*texel, [12 * x as u8, 20 * y as u8, blue, (40 + 10 * x).min(255) as u8]);
        }
    }

    #[test]
    fn frame_of_another_size_and_animation_are_refused() {
        // A frame of the maximum size in a canvas of one pixel.
        let frame = [&[0x10, 0, 0, 0x9D, 0x01, 0x2A, 0xFF, 0x3F, 0xFF, 0x3F][..], &[0; 20]].concat();
        let large = extended(0, &[chunk(b"VP8 ", &frame)]);
        let refusal = EncodedImage::new(&large).expect_err("the frame is larger than the canvas");
        assert_eq!(refusal, "has a frame of another size");
        let part = [&[0; 16][..], &chunk(b"VP8 ", &frame)].concat();
        let animation = extended(2, &[chunk(b"ANIM", &[0; 6]), chunk(b"ANMF", &part)]);
        assert_eq!(EncodedImage::new(&animation).expect_err("it is animated"), "is an animation");
    }

    #[test]
    fn truncated_image_is_an_error() {
        // The last bytes are often padding that the decoder does not need.
        for length in 0..LOSSY.len() - 8 {
            assert!(Pixels::decode(&LOSSY[..length]).is_err(), "{length} bytes");
        }
    }
}
