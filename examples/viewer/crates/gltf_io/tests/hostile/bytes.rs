//! The bytes of hostile containers and images.

/// Returns a binary glTF file.
pub(crate) fn glb(document: &str, binary: &[u8]) -> Vec<u8> {
    let mut text = document.as_bytes().to_vec();
    text.resize(text.len().next_multiple_of(4), b' ');
    let word = |n: usize| (n as u32).to_le_bytes();
    let length = 12 + 8 + text.len() + 8 + binary.len();
    let parts: [&[u8]; 8] = [
        b"glTF\x02\0\0\0",
        &word(length),
        &word(text.len()),
        b"JSON",
        &text,
        &word(binary.len()),
        b"BIN\0",
        binary,
    ];
    parts.concat()
}

/// Returns a valid PNG file of black pixels with one bit each, which compresses them 160 times over the
/// format's own eight to a byte.
pub(crate) fn black_png([width, height]: [u32; 2]) -> Vec<u8> {
    let row = 1 + width.div_ceil(8) as usize;
    let mut file = png_head([width, height], 1, 0);
    chunk(&mut file, b"IDAT", &zeros(row * height as usize));
    chunk(&mut file, b"IEND", b"");
    file
}

/// Returns a valid PNG file of one pixel with a color profile of this many zeros.
pub(crate) fn png_with_profile(length: usize) -> Vec<u8> {
    let mut file = png_head([1, 1], 8, 0);
    chunk(&mut file, b"iCCP", &[b"a\0\0", zeros(length).as_slice()].concat());
    chunk(&mut file, b"IDAT", &zeros(2));
    chunk(&mut file, b"IEND", b"");
    file
}

/// Returns the start of a PNG file that declares a size, a bit depth and a color type.
pub(crate) fn png_head([width, height]: [u32; 2], depth: u8, color: u8) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, color, 0, 0, 0]].concat();
    chunk(&mut file, b"IHDR", &header);
    file
}

/// Returns the start of a progressive JPEG file that declares a size.
pub(crate) fn progressive_jpeg_head([width, height]: [u16; 2]) -> Vec<u8> {
    let mut file = vec![0xFF, 0xD8, 0xFF, 0xC2, 0, 17, 8];
    file.extend(height.to_be_bytes());
    file.extend(width.to_be_bytes());
    file.extend([3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
    file.extend([0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0]);
    file
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(kind);
    file.extend(data);
    let check = crc32(&file[start..]);
    file.extend(check.to_be_bytes());
}

fn crc32(bytes: &[u8]) -> u32 {
    let byte = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
    };
    !bytes.iter().fold(!0, byte)
}

/// Returns zeros as a zlib stream with the fixed codes of DEFLATE (RFC 1951, §3.2.6): a literal, then copies
/// of 258 bytes in 13 bits each.
fn zeros(count: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    // The last block, with fixed codes.
    bits.push(0b011, 3);
    let literal = |bits: &mut Bits| bits.push_code(0b0011_0000, 8);
    literal(&mut bits);
    let copies = (count - 1) / 258;
    for _ in 0..copies {
        // Length 258, and the distance 1.
        bits.push_code(0b1100_0101, 8);
        bits.push_code(0, 5);
    }
    (0..(count - 1) % 258).for_each(|_| literal(&mut bits));
    bits.push_code(0, 7);
    let mut stream = vec![0x78, 0x01];
    stream.extend(bits.bytes);
    // Adler-32 of zeros.
    stream.extend((((count % 65_521) as u32) << 16 | 1).to_be_bytes());
    stream
}

/// Bits in the order of DEFLATE, from the lowest of each byte.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    fn push(&mut self, value: u32, count: u32) {
        for bit in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.last_mut().expect("a byte was pushed");
            *last |= ((value >> bit & 1) as u8) << (self.used % 8);
            self.used += 1;
        }
    }

    /// Pushes a Huffman code, which begins with its highest bit.
    fn push_code(&mut self, code: u32, count: u32) {
        (0..count).rev().for_each(|bit| self.push(code >> bit & 1, 1));
    }
}
