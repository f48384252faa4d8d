//! The state of the window, for tests of the page.

use super::App;
use crate::files::Dialog;
use serde_json::{Value, json};
use wgpu_gizmo::glam::{DVec2, DVec3};

impl App {
    /// Returns the state of the window, or `None` before there is one.
    pub(crate) fn report(&self) -> Option<Value> {
        let screen = self.screen.as_ref()?;
        let (editor, view) = (&screen.session.editor, screen.session.views.current());
        let scene = editor.scene();
        let nodes = scene.nodes().iter().enumerate().filter(|(node, _)| scene.exists(*node));
        let matrices = nodes.map(|(node, named)| {
            let matrix = scene.world_from_node(node).to_cols_array();
            (named.name.clone(), json!(matrix))
        });
        let selected = editor.selection().nodes().iter().map(|node| &scene.nodes()[*node].name);
        let viewport = view.viewport();
        let is_opening = self.opening.is_pending() || !screen.surface.is_open();
        Some(json!({
            "backend": screen.surface.gpu.backend_name(),
            "title": screen.title,
            "message": editor.message(),
            "dialog": match &screen.files.dialog {
                Some(Dialog::Message(text)) => Some(text.clone()),
                Some(Dialog::Question(question)) => Some(question.text(&screen.files.file.name())),
                Some(Dialog::Path(_)) => Some("path".to_owned()),
                None => None,
            },
            "at_rest": !is_opening && screen.is_at_rest(),
            "busy": editor.is_busy(),
            "selected": selected.collect::<Vec<_>>(),
            "nodes": matrices.collect::<serde_json::Map<_, _>>(),
            "pointer_px": screen.cursor_px.to_array(),
            "clip_from_world": view.clip_from_world().to_cols_array(),
            "viewport": [viewport.x, viewport.y, viewport.width, viewport.height],
        }))
    }

    /// Returns the pixel of a point in the world.
    pub(crate) fn px_of(&self, point: DVec3) -> Option<DVec2> {
        self.screen.as_ref()?.session.views.current().px_from_world(point)
    }

    /// Loses the device.
    pub(crate) fn lose_device(&self) {
        if let Some(screen) = &self.screen {
            screen.surface.gpu.device.destroy();
        }
    }
}
