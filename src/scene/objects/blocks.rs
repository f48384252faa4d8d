/// Balls per block: a few of the widest SIMD registers.
pub(super) const LANES: usize = 16;

/// The bounding balls of neighboring slots, in a layout that the compiler vectorizes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) x: [f32; LANES],
    pub(super) y: [f32; LANES],
    pub(super) z: [f32; LANES],
    /// Negative infinity in an empty slot, which reaches across no plane.
    pub(super) radius: [f32; LANES],
}

impl Block {
    pub(super) const EMPTY: Self =
        Self { x: [0.0; LANES], y: [0.0; LANES], z: [0.0; LANES], radius: [f32::NEG_INFINITY; LANES] };

    /// Returns the center and radius of a ball.
    pub(super) fn ball(&self, lane: usize) -> [f32; 4] {
        [self.x[lane], self.y[lane], self.z[lane], self.radius[lane]]
    }

    /// Returns, per ball, its minimum reach across the planes; negative if it is outside of one.
    pub(super) fn reach(&self, planes: &[[f32; 4]; SIDES]) -> [f32; LANES] {
        let mut min = [f32::INFINITY; LANES];
        for [nx, ny, nz, d] in planes {
            for (i, min) in min.iter_mut().enumerate() {
                let distance = (nx * self.x[i] + ny * self.y[i]) + (nz * self.z[i] + d);
                *min = if distance < *min { distance } else { *min };
            }
        }
        std::array::from_fn(|i| min[i] + self.radius[i])
    }
}

/// Returns the maximum. No number may be NaN.
pub(super) fn max_of(numbers: &[f32; LANES]) -> f32 {
    let mut halves = *numbers;
    let mut width = LANES;
    // In pairs, so that the compiler vectorizes it.
    while width > 1 {
        width /= 2;
        for i in 0..width {
            halves[i] = if halves[i] > halves[i + width] { halves[i] } else { halves[i + width] };
        }
    }
    halves[0]
}

/// The number of frustum planes that are tested: only the sides. The GPU clips at the near and far
/// planes, with its own rounding; nothing behind the viewer is between the sides.
pub(super) const SIDES: usize = 4;

/// Relative rounding error of a distance: a sum of four products of rounded numbers has at most
/// twelve roundings, each of half a unit in the last place of the largest term or partial sum.
pub(super) const ROUNDING: f64 = 16.0 * f32::EPSILON as f64;
