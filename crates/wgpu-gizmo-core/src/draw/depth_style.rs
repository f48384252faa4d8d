/// Selects the appearance of the parts of handles that the host's scene occludes.
///
/// It takes effect only if the renderer knows the depth of the scene: with `GizmoRenderer::prepare_with_depth` or
/// `WgpuGizmo::prepare_with_depth` of the crate `wgpu-gizmo`.
/// Without a depth, all handles are drawn on top.
///
/// Occluded parts can be picked as well, except with [`DepthStyle::Hidden`].
///
/// ```
/// use wgpu_gizmo_core::Settings;
/// use wgpu_gizmo_core::draw::DepthStyle;
///
/// let settings = Settings::default().with(|s| s.display.depth_style = DepthStyle::Hatched);
/// # assert_ne!(settings.display.depth_style, DepthStyle::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum DepthStyle {
    /// Draws all handles over the scene.
    #[default]
    OnTop,
    /// Draws hidden parts with a lower opacity.
    Dimmed {
        /// The factor on the opacity, from 0 to 1. [`DepthStyle::DIMMED`] has 0.57.
        opacity: f32,
    },
    /// Draws hidden parts as diagonal stripes.
    Hatched,
    /// Does not draw hidden parts. The ID image leaves them out where objects that are drawn into it occlude
    /// them.
    Hidden,
}

impl DepthStyle {
    /// Hidden parts with 0.57 of their opacity, so that handles inside of a body can still be seen.
    pub const DIMMED: Self = Self::Dimmed { opacity: 0.57 };

    /// One style of each kind.
    pub const ALL: [Self; 4] = [Self::OnTop, Self::DIMMED, Self::Hatched, Self::Hidden];

    /// Returns the name, such as `on top`.
    pub fn name(self) -> &'static str {
        match self {
            Self::OnTop => "on top",
            Self::Dimmed { .. } => "dimmed",
            Self::Hatched => "hatched",
            Self::Hidden => "hidden",
        }
    }
}
