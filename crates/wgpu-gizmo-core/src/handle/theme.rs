/// A color: red, green and blue as sRGB values from 0 to 1, and the opacity, not premultiplied.
pub type Rgba = [f32; 4];

/// The colors, opacities and line widths of handles and guides.
///
/// The default is [`Theme::dark`], which is readable on light scenes too; each field states its value in
/// that theme. Hosts assign the fields of the theme that a gizmo has. [`Theme::with`] makes a value in one
/// expression.
///
/// ```
/// use wgpu_gizmo_core::Theme;
///
/// let theme = Theme::light().with(|t| {
///     t.sizes.line_lpx = 4.0;
///     t.letters = true;
/// });
/// assert_eq!(Theme::default(), Theme::dark());
/// # assert_ne!(theme, Theme::light());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "FlatTheme", into = "FlatTheme"))]
#[non_exhaustive]
pub struct Theme {
    /// The colors.
    pub colors: ThemeColors,
    /// The opacities of surfaces and guides.
    pub opacities: ThemeOpacities,
    /// The widths of lines, and the size of letters.
    pub sizes: ThemeSizes,
    /// Whether the handles of an axis show its letter. Default: false.
    pub letters: bool,
}

/// The colors of a [`Theme`]: red, green and blue as sRGB values from 0 to 1, and the opacity, not premultiplied.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ThemeColors {
    /// Colors of the handles along X, Y and Z, and of the planes and rings with these normals.
    /// Default: red, green and blue.
    pub axes: [Rgba; 3],
    /// Color of the handles that belong to no axis: center handles, outer ring and trackball.
    /// Default: a light gray.
    pub neutral: Rgba,
    /// Color of the handle under the pointer. Default: orange yellow.
    pub hovered: Rgba,
    /// Color of the handle that is being dragged. Default: yellow.
    pub active: Rgba,
    /// Color of handles that cannot be used at the moment. Default: a translucent gray.
    pub disabled: Rgba,
    /// Color of the guides that belong to no axis: grids, snap ticks and the start of a drag.
    /// Default: a light gray.
    pub guide: Rgba,
    /// Color of construction lines, which show how a drag is solved
    /// ([`DisplaySettings::construction_lines`](crate::interaction::settings::DisplaySettings::construction_lines)).
    /// Default: magenta.
    pub construction: Rgba,
}

/// The opacities of a [`Theme`], as factors from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ThemeOpacities {
    /// Opacity of the disc of the trackball: at rest, and while hovered or active. Default: 0.07 and 0.16.
    pub ball: [f32; 2],
    /// Opacity of the fill of a square: at rest, and while hovered or active. Default: 0.5 and 0.66.
    pub square: [f32; 2],
    /// Factor on the opacity of the other handles during a drag. Default: 0, which leaves them out.
    pub dimmed: f32,
    /// Factor on the opacity of the far half of a ring, if all handles rotate. Otherwise it is left out.
    /// Default: 0.36.
    pub far_half: f32,
    /// Opacity of the axis line, and of grid lines at the center of the grid. Default: 0.85 and 0.42.
    pub guide: [f32; 2],
    /// Opacity of the sector that a rotation has swept. Default: 0.2.
    pub sector: f32,
}

/// The sizes of a [`Theme`], in logical pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ThemeSizes {
    /// Thickness of stems and rings. Default: 3.
    pub line_lpx: f32,
    /// Thickness of guides. Default: 1.25.
    pub guide_lpx: f32,
    /// Height of a letter. Default: 9.
    pub letter_lpx: f32,
}

#[cfg(feature = "serde")]
crate::flat_form::flat_form!(
    "Theme", Theme as FlatTheme:
    axes: [Rgba; 3] = colors.axes,
    neutral: Rgba = colors.neutral,
    hovered: Rgba = colors.hovered,
    active: Rgba = colors.active,
    disabled: Rgba = colors.disabled,
    ball_opacity: [f32; 2] = opacities.ball,
    square_opacity: [f32; 2] = opacities.square,
    dimmed: f32 = opacities.dimmed,
    far_half: f32 = opacities.far_half,
    line_lpx: f32 = sizes.line_lpx,
    guide: Rgba = colors.guide,
    construction: Rgba = colors.construction,
    guide_opacity: [f32; 2] = opacities.guide,
    sector_opacity: f32 = opacities.sector,
    guide_lpx: f32 = sizes.guide_lpx,
    letters: bool = letters,
    letter_lpx: f32 = sizes.letter_lpx,
);

impl Theme {
    /// Returns the default theme, for dark scenes; it is readable on light scenes too.
    pub const fn dark() -> Self {
        Self {
            colors: ThemeColors {
                axes: [[0.95, 0.27, 0.33, 1.0], [0.45, 0.76, 0.13, 1.0], [0.18, 0.52, 0.98, 1.0]],
                neutral: [0.90, 0.91, 0.93, 1.0],
                hovered: [1.0, 0.78, 0.15, 1.0],
                active: [1.0, 0.86, 0.25, 1.0],
                disabled: [0.55, 0.55, 0.56, 0.55],
                guide: [0.72, 0.74, 0.78, 1.0],
                construction: [1.0, 0.42, 0.95, 1.0],
            },
            opacities: ThemeOpacities {
                ball: [0.07, 0.16],
                square: [0.5, 0.66],
                dimmed: 0.0,
                far_half: 0.36,
                guide: [0.85, 0.42],
                sector: 0.2,
            },
            sizes: ThemeSizes { line_lpx: 3.0, guide_lpx: 1.25, letter_lpx: 9.0 },
            letters: false,
        }
    }

    /// Returns a theme for light scenes, with deeper colors and gray neutral parts. It is readable on dark scenes
    /// too.
    pub const fn light() -> Self {
        let mut theme = Self::dark();
        theme.colors = ThemeColors {
            axes: [[0.90, 0.21, 0.28, 1.0], [0.24, 0.55, 0.03, 1.0], [0.15, 0.47, 0.95, 1.0]],
            neutral: [0.40, 0.42, 0.46, 1.0],
            hovered: [0.93, 0.55, 0.0, 1.0],
            active: [0.96, 0.62, 0.0, 1.0],
            disabled: [0.60, 0.60, 0.61, 0.6],
            guide: [0.22, 0.24, 0.28, 1.0],
            construction: [0.70, 0.0, 0.62, 1.0],
        };
        theme.opacities.guide = [0.85, 0.26];
        theme.opacities.sector = 0.26;
        theme
    }

    /// Returns a theme that is safe for color blindness, with letters on the axes.
    ///
    /// Its colors differ in hue or in lightness under each kind of dichromacy: vermilion, bluish
    /// green and blue for the axes, and yellow for hovered and active handles. The palette is that of
    /// M. Okabe and K. Ito, "Color Universal Design" (2008).
    pub const fn color_blind_safe() -> Self {
        let mut theme = Self::dark();
        theme.colors = ThemeColors {
            axes: [[0.84, 0.37, 0.0, 1.0], [0.0, 0.62, 0.45, 1.0], [0.34, 0.71, 0.91, 1.0]],
            hovered: [0.94, 0.89, 0.26, 1.0],
            active: [0.97, 0.93, 0.42, 1.0],
            construction: [0.80, 0.47, 0.65, 1.0],
            ..theme.colors
        };
        theme.letters = true;
        theme
    }

    /// Returns the theme after a change: a value in one expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl Default for Theme {
    /// Returns [`Theme::dark`].
    fn default() -> Self {
        Self::dark()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts an sRGB color to linear light.
    fn linear([r, g, b, _]: Rgba) -> [f64; 3] {
        let of = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        [r, g, b].map(|c| of(c.into()))
    }

    /// Simulates how a protanope or a deuteranope sees a color, in linear light.
    ///
    /// F. Viénot, H. Brettel, J. Mollon, "Digital video colormaps for checking the legibility of
    /// displays by dichromats" (1999).
    fn dichromat([r, g, b]: [f64; 3], is_protan: bool) -> [f64; 3] {
        let (red, green) =
            if is_protan { ([0.11238, 0.88762], 0.00401) } else { ([0.29275, 0.70725], -0.02234) };
        let both = red[0] * r + red[1] * g;
        [both, both, green * r - green * g + b]
    }

    #[test]
    fn color_blind_safe_axes_stay_distinct_for_dichromats() {
        let theme = Theme::color_blind_safe();
        assert!(theme.letters);
        let ThemeColors { axes: [x, y, z], hovered, .. } = theme.colors;
        let colors = [x, y, z, hovered];
        for is_protan in [false, true] {
            let seen = colors.map(|color| dichromat(linear(color), is_protan));
            for i in 0..4 {
                for j in 0..i {
                    // Perceived lightness is about the cube root of linear light.
                    let difference =
                        (0..3).map(|c| (seen[i][c].cbrt() - seen[j][c].cbrt()).powi(2)).sum::<f64>();
                    assert!(difference.sqrt() > 0.15, "{i} and {j}: {:.3}", difference.sqrt());
                }
            }
        }
    }
}
