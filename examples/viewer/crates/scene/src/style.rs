//! The style in which a scene is drawn.

use wgpu_gizmo_core::Theme;

/// The shading of surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shading {
    /// Colors and textures of the materials.
    #[default]
    Materials,
    /// The same material for everything, to show only the shapes.
    Clay,
}

/// The surroundings of the scene, and its shading.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SceneStyle {
    /// The theme, which selects the background and the colors of the grid's axes.
    pub theme: Theme,
    /// Whether the grid is hidden.
    pub without_grid: bool,
    /// The shading of surfaces.
    pub shading: Shading,
}

impl SceneStyle {
    /// Returns true if the background is light.
    pub fn is_on_light(&self) -> bool {
        self.theme == Theme::light()
    }
}
