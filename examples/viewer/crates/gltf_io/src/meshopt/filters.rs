//! The filters of attributes, which turn decoded integers into the values of an accessor.

/// A filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Filter {
    /// The values are used as they are.
    None,
    /// Unit vectors in octahedral coordinates, of 8 or 16 bits.
    Octahedral,
    /// Unit quaternions without their largest component.
    Quaternion,
    /// Numbers with an exponent of 8 and a mantissa of 24 bits.
    Exponential,
    /// Colors as luma and two chroma numbers (YCoCg), of 8 or 16 bits.
    Color,
}

impl Filter {
    /// Returns true if elements of this size can be filtered.
    pub(super) fn fits(self, stride: usize) -> bool {
        match self {
            Self::None => true,
            Self::Octahedral | Self::Color => stride == 4 || stride == 8,
            Self::Quaternion => stride == 8,
            Self::Exponential => stride.is_multiple_of(4),
        }
    }

    /// Filters elements of a size that fits, in place.
    pub(super) fn apply(self, stride: usize, bytes: &mut [u8]) {
        match self {
            Self::None => {}
            Self::Octahedral if stride == 4 => bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|element| {
                let [x, y, z, _] = element.map(|byte| f32::from(byte.cast_signed()));
                let vector = from_octahedral([x, y, z], 127.0);
                element[..3].iter_mut().zip(vector).for_each(|(byte, n)| *byte = (n as i8).cast_unsigned());
            }),
            Self::Octahedral => filter_words(bytes, |[x, y, z, w]| {
                let [x, y, z] = from_octahedral([x, y, z].map(f32::from), 32767.0);
                [x as i16, y as i16, z as i16, w]
            }),
            Self::Quaternion => filter_words(bytes, quaternion),
            Self::Color if stride == 4 => bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|element| {
                let [y, co, cg, alpha] = *element;
                let chroma = [co, cg].map(|byte| i32::from(byte.cast_signed()));
                *element = color([y.into(), alpha.into()], chroma, 255.0).map(|n| n as u8);
            }),
            Self::Color => filter_words(bytes, |[y, co, cg, alpha]| {
                let [y, alpha] = [y, alpha].map(|word| i32::from(word.cast_unsigned()));
                color([y, alpha], [co, cg].map(i32::from), 65535.0).map(|n| (n as u16).cast_signed())
            }),
            Self::Exponential => bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|element| {
                let bits = i32::from_le_bytes(*element);
                let (mantissa, exponent) = ((bits << 8) >> 8, bits >> 24);
                *element = ((f64::from(mantissa) * f64::from(exponent).exp2()) as f32).to_le_bytes();
            }),
        }
    }
}

/// Rounds half away from zero, as the encoder does.
fn rounded(number: f32) -> f32 {
    (number + if number >= 0.0 { 0.5 } else { -0.5 }).trunc()
}

/// Returns a vector of length `max`. The third number is 1 in the scale of the others.
fn from_octahedral([mut x, mut y, one]: [f32; 3], max: f32) -> [f32; 3] {
    let z = one - x.abs() - y.abs();
    let fold = z.min(0.0);
    x += if x >= 0.0 { fold } else { -fold };
    y += if y >= 0.0 { fold } else { -fold };
    let scale = max / (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|n| rounded(n * scale))
}

fn quaternion(words: [i16; 4]) -> [i16; 4] {
    let [x, y, z, scale_and_largest] = words;
    let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(scale_and_largest | 3);
    let [x, y, z] = [x, y, z].map(|n| f32::from(n) * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let largest = (scale_and_largest & 3) as usize;
    let mut quaternion = [0; 4];
    for (offset, n) in [w, x, y, z].into_iter().enumerate() {
        quaternion[(largest + offset) % 4] = rounded(n * 32767.0) as i16;
    }
    quaternion
}

/// Returns red, green, blue and alpha up to `max`. The highest bit of `alpha` tells how many bits the numbers have.
fn color([y, alpha]: [i32; 2], [co, cg]: [i32; 2], max: f32) -> [f32; 4] {
    let one = ((alpha + 1).cast_unsigned().next_power_of_two().cast_signed() - 1).max(1);
    let alpha = alpha & (one >> 1);
    let alpha = (alpha << 1) | (alpha & 1);
    let scale = max / one as f32;
    [y + co - cg, y + cg, y - co - cg, alpha].map(|n| rounded(n as f32 * scale))
}

fn filter_words(bytes: &mut [u8], filter: impl Fn([i16; 4]) -> [i16; 4]) {
    for element in bytes.as_chunks_mut::<8>().0 {
        let (words, _) = element.as_chunks::<2>();
        let words = std::array::from_fn(|i| i16::from_le_bytes(words[i]));
        let filtered = filter(words).map(i16::to_le_bytes);
        element.copy_from_slice(filtered.as_flattened());
    }
}
