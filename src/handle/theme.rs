/// Red, green, blue as sRGB values 0..1, and opacity.
pub type Rgba = [f32; 4];

/// Colours and thicknesses of the handles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Theme {
    /// Handles along X, Y and Z, and the planes and rings named after them by their normal.
    pub axes: [Rgba; 3],
    /// Handles that belong to no axis: centre, outer ring.
    pub neutral: Rgba,
    /// The handle under the cursor.
    pub hovered: Rgba,
    /// The handle being dragged.
    pub active: Rgba,
    /// Handles that cannot be used now.
    pub disabled: Rgba,
    /// Opacity of the trackball's disc, at rest and hovered or active.
    pub ball_opacity: [f32; 2],
    /// Opacity of a square's fill, at rest and hovered or active.
    pub square_opacity: [f32; 2],
    /// Factor on the opacity of the other handles during a drag.
    pub dimmed: f32,
    /// Factor on the opacity of a ring's far half.
    pub far_half: f32,
    /// Thickness of stems and rings, in logical pixels.
    pub line_lpx: f32,
    /// Guides that belong to no axis: grids, ticks, where a drag began.
    pub guide: Rgba,
    /// Lines that show how a drag is solved.
    pub construction: Rgba,
    /// Opacity of an axis' line and of a grid's lines where they are brightest.
    pub guide_opacity: [f32; 2],
    /// Opacity of the swept sector.
    pub sector_opacity: f32,
    /// Thickness of guides, in logical pixels.
    pub guide_lpx: f32,
    /// Whether axes show their letters.
    pub letters: bool,
    /// Height of a letter, in logical pixels.
    pub letter_lpx: f32,
}

impl Theme {
    /// For dark scenes, and readable on light ones.
    pub const fn dark() -> Self {
        Self {
            axes: [[0.95, 0.27, 0.33, 1.0], [0.45, 0.76, 0.13, 1.0], [0.18, 0.52, 0.98, 1.0]],
            neutral: [0.90, 0.91, 0.93, 1.0],
            hovered: [1.0, 0.78, 0.15, 1.0],
            active: [1.0, 0.86, 0.25, 1.0],
            disabled: [0.55, 0.55, 0.56, 0.55],
            ball_opacity: [0.07, 0.16],
            square_opacity: [0.38, 0.62],
            dimmed: 0.45,
            far_half: 0.36,
            line_lpx: 3.0,
            guide: [0.72, 0.74, 0.78, 1.0],
            construction: [1.0, 0.42, 0.95, 1.0],
            guide_opacity: [0.75, 0.42],
            sector_opacity: 0.2,
            guide_lpx: 1.25,
            letters: false,
            letter_lpx: 9.0,
        }
    }

    /// For light scenes: deeper colours, dark where the other is bright.
    pub const fn light() -> Self {
        Self {
            axes: [[0.82, 0.10, 0.18, 1.0], [0.24, 0.55, 0.03, 1.0], [0.06, 0.34, 0.82, 1.0]],
            neutral: [0.28, 0.30, 0.34, 1.0],
            hovered: [0.93, 0.55, 0.0, 1.0],
            active: [0.96, 0.62, 0.0, 1.0],
            disabled: [0.60, 0.60, 0.61, 0.6],
            guide: [0.22, 0.24, 0.28, 1.0],
            construction: [0.70, 0.0, 0.62, 1.0],
            guide_opacity: [0.75, 0.26],
            sector_opacity: 0.26,
            ..Self::dark()
        }
    }

    /// Colours that people who see few hues tell apart, by hue or by lightness, and letters on the
    /// axes. M. Okabe, K. Ito, "Color Universal Design" (2008): vermillion, bluish green and blue,
    /// with yellow for what is taken hold of.
    pub const fn colour_blind_safe() -> Self {
        Self {
            axes: [[0.84, 0.37, 0.0, 1.0], [0.0, 0.62, 0.45, 1.0], [0.34, 0.71, 0.91, 1.0]],
            hovered: [0.94, 0.89, 0.26, 1.0],
            active: [0.97, 0.93, 0.42, 1.0],
            construction: [0.80, 0.47, 0.65, 1.0],
            letters: true,
            ..Self::dark()
        }
    }
}

impl Default for Theme {
    /// [`Theme::dark`], which is readable on light scenes too.
    fn default() -> Self {
        Self::dark()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Linear light of sRGB values.
    fn linear([r, g, b, _]: Rgba) -> [f64; 3] {
        let of = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        [r, g, b].map(|c| of(c.into()))
    }

    /// As somebody without one kind of cone sees it, in linear light. F. Viénot, H. Brettel,
    /// J. Mollon, "Digital video colourmaps for checking the legibility of displays by
    /// dichromats" (1999).
    fn dichromat([r, g, b]: [f64; 3], is_protan: bool) -> [f64; 3] {
        let (red, green) =
            if is_protan { ([0.11238, 0.88762], 0.00401) } else { ([0.29275, 0.70725], -0.02234) };
        let both = red[0] * r + red[1] * g;
        [both, both, green * r - green * g + b]
    }

    #[test]
    fn the_axes_of_the_colour_blind_preset_stay_apart_for_dichromats() {
        let theme = Theme::colour_blind_safe();
        assert!(theme.letters);
        let colors = [theme.axes[0], theme.axes[1], theme.axes[2], theme.hovered];
        for is_protan in [false, true] {
            let seen = colors.map(|color| dichromat(linear(color), is_protan));
            for i in 0..4 {
                for j in 0..i {
                    // In the units of lightness that eyes have, about a cube root.
                    let apart = (0..3).map(|c| (seen[i][c].cbrt() - seen[j][c].cbrt()).powi(2)).sum::<f64>();
                    assert!(apart.sqrt() > 0.15, "{i} and {j}: {:.3}", apart.sqrt());
                }
            }
        }
    }
}
