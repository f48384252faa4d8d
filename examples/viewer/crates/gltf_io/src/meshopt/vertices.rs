//! The codec of vertex attributes.

use super::{Bytes, Damaged};

/// The first byte, which is the version of the format.
const VERSION_0: u8 = 0xa0;
pub(super) const VERSION_1: u8 = 0xa1;
/// Bytes of a group, which are stored with the same number of bits.
const GROUP: usize = 16;
/// The largest number of vertices and of bytes in a block.
const MAX_VERTICES: usize = 256;
const MAX_BYTES: usize = 8192;
/// The smallest number of bytes after the last block, by version.
const MIN_TAIL: [usize; 2] = [32, 24];
/// Bytes of a channel, whose differences have one mode.
const CHANNEL: usize = 4;

/// How the differences of a channel apply to the previous element.
#[derive(Debug, Clone, Copy)]
enum Delta {
    Bytes,
    Words,
    /// The difference is rotated to the right by this number of bits.
    Xor(u32),
}

impl Delta {
    fn of(mode: u8) -> Result<Self, Damaged> {
        match (mode & 15, mode >> 4) {
            (0, 0) => Ok(Self::Bytes),
            (1, 0) => Ok(Self::Words),
            (2, rotation) => Ok(Self::Xor(rotation.into())),
            _ => Err(Damaged),
        }
    }

    /// Returns the element after `last`.
    fn apply(self, last: [u8; CHANNEL], delta: [u8; CHANNEL]) -> [u8; CHANNEL] {
        match self {
            Self::Bytes => {
                std::array::from_fn(|i| last[i].wrapping_add((delta[i] >> 1) ^ (delta[i] & 1).wrapping_neg()))
            }
            Self::Words => {
                let word =
                    |[a, b, c, d]: [u8; CHANNEL]| [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])];
                let (last, delta) = (word(last), word(delta));
                let next = |i: usize| {
                    last[i].wrapping_add((delta[i] >> 1) ^ (delta[i] & 1).wrapping_neg()).to_le_bytes()
                };
                let ([a, b], [c, d]) = (next(0), next(1));
                [a, b, c, d]
            }
            Self::Xor(rotation) => {
                let delta = u32::from_le_bytes(delta).rotate_right(rotation);
                (u32::from_le_bytes(last) ^ delta).to_le_bytes()
            }
        }
    }
}

/// Decodes elements of `stride` bytes, a multiple of four, into `out`, whose length is a multiple of it.
pub(super) fn decode(data: &[u8], stride: usize, out: &mut [u8]) -> Result<(), Damaged> {
    let version = match data.first() {
        Some(&VERSION_0) => 0,
        Some(&VERSION_1) => 1,
        _ => return Err(Damaged),
    };
    // The element before the first one, and the modes of the channels.
    let end_bytes = stride + version * stride / CHANNEL;
    let tail = end_bytes.max(MIN_TAIL[version]);
    let (blocks, tail) = data.split_at_checked(data.len().wrapping_sub(tail)).ok_or(Damaged)?;
    let (last, modes) = tail[tail.len() - end_bytes..].split_at(stride);
    let mut last = last.as_chunks::<CHANNEL>().0.to_vec();
    let deltas = match version {
        0 => vec![Delta::Bytes; last.len()],
        _ => modes.iter().map(|mode| Delta::of(*mode)).collect::<Result<_, _>>()?,
    };
    let mut blocks = Bytes(blocks);
    blocks.byte()?;
    let block = (MAX_BYTES / stride / GROUP * GROUP).clamp(GROUP, MAX_VERTICES);
    for block in out.chunks_mut(block * stride) {
        let vertices = block.len() / stride;
        let controls = if version == 0 { &[] } else { blocks.take(stride / CHANNEL)? };
        for (channel, (last, delta)) in last.iter_mut().zip(&deltas).enumerate() {
            let mut planes = [[0; MAX_VERTICES]; CHANNEL];
            for (index, plane) in planes.iter_mut().enumerate() {
                let plane = &mut plane[..vertices.next_multiple_of(GROUP)];
                match controls.get(channel).map(|control| (control >> (2 * index)) & 3) {
                    None => decode_plane(&mut blocks, [0, 2, 4, 8], plane)?,
                    Some(0) => decode_plane(&mut blocks, [0, 1, 2, 4], plane)?,
                    Some(1) => decode_plane(&mut blocks, [1, 2, 4, 8], plane)?,
                    Some(2) => {}
                    Some(_) => plane[..vertices].copy_from_slice(blocks.take(vertices)?),
                }
            }
            for (vertex, element) in block.chunks_exact_mut(stride).enumerate() {
                *last = delta.apply(*last, std::array::from_fn(|i| planes[i][vertex]));
                element[channel * CHANNEL..][..CHANNEL].copy_from_slice(last);
            }
        }
    }
    if blocks.0.is_empty() { Ok(()) } else { Err(Damaged) }
}

/// Decodes the same byte of each vertex of a block. `bits` has the number of bits per byte for each kind of group.
fn decode_plane(data: &mut Bytes<'_>, bits: [usize; 4], out: &mut [u8]) -> Result<(), Damaged> {
    let header = data.take((out.len() / GROUP).div_ceil(4))?;
    for (index, group) in out.chunks_exact_mut(GROUP).enumerate() {
        let kind = (header[index / 4] >> (index % 4 * 2)) & 3;
        match bits[usize::from(kind)] {
            0 => group.fill(0),
            8 => group.copy_from_slice(data.take(GROUP)?),
            bits => decode_group(data, bits, group)?,
        }
    }
    Ok(())
}

/// Decodes a group of numbers with this many bits. The largest number stands for a byte that follows.
fn decode_group(data: &mut Bytes<'_>, bits: usize, group: &mut [u8]) -> Result<(), Damaged> {
    let packed = data.take(GROUP * bits / 8)?;
    let escape = ((1u16 << bits) - 1) as u8;
    let per_byte = 8 / bits;
    for (index, byte) in group.iter_mut().enumerate() {
        // Single bits begin with the lowest, others with the highest.
        let at = index % per_byte;
        let shift = if bits == 1 { at } else { 8 - bits * (at + 1) };
        *byte = match (packed[index / per_byte] >> shift) & escape {
            number if number == escape => data.byte()?,
            number => number,
        };
    }
    Ok(())
}
