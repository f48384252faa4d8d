//! Decodes the buffer views of `EXT_meshopt_compression` and `KHR_meshopt_compression`: vertex attributes, triangles
//! and index sequences, and the filters of attributes (Khronos, *KHR_meshopt_compression*, appendices A and B).

mod filters;
mod indices;
mod vertices;
mod views;

#[cfg(test)]
mod tests;

pub(crate) use views::{DecodedViews, EXTENSIONS, decode_views, may_be_fallback};

/// The compressed data is not valid: it ends early, has bytes left over, or has an unknown header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the compressed data is damaged")]
pub(crate) struct Damaged;

/// Reads bytes from the front.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Damaged> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Damaged> {
        Ok(self.take(1)?[0])
    }

    /// Reads a number of up to 32 bits, 7 bits per byte, the lowest first.
    fn variable(&mut self) -> Result<u32, Damaged> {
        let mut value = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(value);
            }
        }
        Ok(value)
    }
}

/// Returns the signed difference that an unsigned number stands for, as wrapping bits.
fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}
