//! The codec of vertex attributes.

use super::{Bytes, Damaged};

const HEADER: u8 = 0xa0;
/// Bytes of a group, which are stored with the same number of bits.
const GROUP: usize = 16;
/// The largest number of vertices and of bytes in a block.
const MAX_VERTICES: usize = 256;
const MAX_BYTES: usize = 8192;
/// The smallest number of bytes after the last block.
const MIN_TAIL: usize = 32;

/// Decodes elements of `stride` bytes into `out`, whose length is a multiple of it.
pub(super) fn decode(data: &[u8], stride: usize, out: &mut [u8]) -> Result<(), Damaged> {
    let tail = stride.max(MIN_TAIL);
    let (blocks, end) = data.split_at_checked(data.len().wrapping_sub(tail)).ok_or(Damaged)?;
    let mut blocks = Bytes(blocks);
    if blocks.byte()? != HEADER {
        return Err(Damaged);
    }
    // The vertex before the first one.
    let mut last = end[end.len() - stride..].to_vec();
    let block = (MAX_BYTES / stride / GROUP * GROUP).clamp(GROUP, MAX_VERTICES);
    for block in out.chunks_mut(block * stride) {
        let vertices = block.len() / stride;
        for (channel, last) in last.iter_mut().enumerate() {
            let mut bytes = [0; MAX_VERTICES];
            decode_channel(&mut blocks, &mut bytes[..vertices.next_multiple_of(GROUP)])?;
            for (vertex, delta) in block.chunks_exact_mut(stride).zip(bytes) {
                *last = last.wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg());
                vertex[channel] = *last;
            }
        }
    }
    if blocks.0.is_empty() { Ok(()) } else { Err(Damaged) }
}

/// Decodes the same byte of each vertex of a block.
fn decode_channel(data: &mut Bytes<'_>, out: &mut [u8]) -> Result<(), Damaged> {
    let header = data.take((out.len() / GROUP).div_ceil(4))?;
    for (index, group) in out.chunks_exact_mut(GROUP).enumerate() {
        match (header[index / 4] >> (index % 4 * 2)) & 3 {
            0 => group.fill(0),
            1 => decode_group(data, 2, group)?,
            2 => decode_group(data, 4, group)?,
            _ => group.copy_from_slice(data.take(GROUP)?),
        }
    }
    Ok(())
}

/// Decodes a group of numbers with this many bits. The largest number stands for a byte that follows.
fn decode_group(data: &mut Bytes<'_>, bits: usize, group: &mut [u8]) -> Result<(), Damaged> {
    let packed = data.take(GROUP * bits / 8)?;
    let escape = (1 << bits) - 1;
    let per_byte = 8 / bits;
    for (index, byte) in group.iter_mut().enumerate() {
        let shift = 8 - bits * (index % per_byte + 1);
        *byte = match (packed[index / per_byte] >> shift) & escape {
            number if number == escape => data.byte()?,
            number => number,
        };
    }
    Ok(())
}
