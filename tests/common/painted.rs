//! Compares pictures that are painted in another way with those of the renderer.

/// The background of both pictures, as a renderer without sRGB encoding stores it, 0 to 1.
pub(crate) const BACKGROUND: f64 = 0.25;
/// The largest mean difference in the pixels that show something, out of 255: the shader computes the
/// coverage of a square pixel, and triangles interpolate it linearly.
const MAX_MEAN: f64 = 2.75;
/// The largest share of pixels that differ much.
const MAX_FAR_OFF: f64 = 2e-4;

/// The difference between two pictures in the pixels that show something.
#[derive(Debug)]
struct Difference {
    shown: usize,
    mean: f64,
    /// The share of pixels that differ by more than a quarter of the range.
    far_off: f64,
}

fn compare(a: &[[u8; 4]], b: &[[u8; 4]]) -> Difference {
    let background = (BACKGROUND * 255.0).round() as u8;
    let is_empty = |pixel: &[u8; 4]| pixel[..3].iter().all(|part| part.abs_diff(background) < 2);
    let mut errors = Vec::new();
    for (a, b) in a.iter().zip(b) {
        if !(is_empty(a) && is_empty(b)) {
            errors.push(a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0));
        }
    }
    let count = errors.len().max(1) as f64;
    let mean = errors.iter().map(|error| f64::from(*error)).sum::<f64>() / count;
    let far_off = errors.iter().filter(|error| **error > 64).count() as f64 / count;
    Difference { shown: errors.len(), mean, far_off }
}

/// Asserts that a picture shows what the renderer draws, up to the pixels at edges. `stray` pixels may differ much in
/// addition: a GPU rounds corners to a part of a pixel.
pub(crate) fn assert_similar(name: &str, expected: &[[u8; 4]], found: &[[u8; 4]], stray: u32) {
    let difference = compare(expected, found);
    let stray = f64::from(stray) / difference.shown.max(1) as f64;
    let is_close = difference.mean <= MAX_MEAN && difference.far_off <= MAX_FAR_OFF + stray;
    assert!(difference.shown > 500 && is_close, "{name}: {difference:?}");
}
