//! The style in which a scene is drawn.

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SceneStyle {
    /// Whether the background is light.
    pub on_light: bool,
    /// Whether the grid is hidden.
    pub without_grid: bool,
    /// The shading of surfaces.
    pub shading: Shading,
}
