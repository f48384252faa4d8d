//! The bytes of hostile containers and images.

use miniz_oxide::deflate::compress_to_vec_zlib;

/// Returns a binary glTF file.
pub(crate) fn glb(document: &str, binary: &[u8]) -> Vec<u8> {
    wgpu_gizmo_viewer_gltf_io::whole_glb(document.as_bytes(), binary).expect("the file is small")
}

/// Returns a valid PNG file of black pixels with one bit each, compressed a thousand times.
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
    let check = crc32fast::hash(&file[start..]);
    file.extend(check.to_be_bytes());
}

/// Returns zeros as a zlib stream.
fn zeros(count: usize) -> Vec<u8> {
    compress_to_vec_zlib(&vec![0; count], 6)
}
