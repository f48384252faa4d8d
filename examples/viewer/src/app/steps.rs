//! Increments of snapping that follow the grid that is drawn.

use super::screen::Screen;
use wgpu_gizmo::Increment;

impl Screen {
    /// Sets the increment of translations to the distance between two visible lines of the grid, unless the user
    /// has chosen another one, has turned it off, or drags something.
    pub(super) fn follow_grid(&mut self) {
        let is_fixed = self.panel.page.preferences.has_fixed_steps || self.player.is_some();
        if is_fixed || self.session.editor.is_busy() {
            return;
        }
        let spacing = self.stage.grid_spacing(&self.session.views).and_then(Increment::new);
        self.session.editor.change(|values| values.follow_grid(spacing));
    }
}
