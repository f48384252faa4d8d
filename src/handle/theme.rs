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
}

impl Default for Theme {
    /// Readable on light and dark scenes.
    fn default() -> Self {
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
        }
    }
}
