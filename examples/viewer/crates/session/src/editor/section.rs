//! Section planes: crop boxes that cut a node along one axis.

use super::Editor;
use crate::labels;
use scene::bounds::Bounds;
use scene::edit::Edit;
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::settings::BoxResult;

/// Who has shown or hidden the handles of the crop box.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) enum SectionHandles {
    /// The user.
    #[default]
    Chosen,
    /// A section has shown them; these box handles were shown before.
    Shown(Option<BoxResult>),
    /// They are hidden again, because no section is left; redoing one shows them.
    Hidden(Option<BoxResult>),
}

/// The state of box handles and crop boxes.
#[derive(Debug, Default)]
pub(super) struct Sections {
    pub(super) handles: SectionHandles,
    /// Whether a command has changed a crop box since the scene was opened.
    pub(super) has_cropped: bool,
}

impl Editor {
    /// Cuts the selected nodes in half, across an axis of their own; again shows the other half, and once
    /// more all of it. The handles of the crop box move the plane; they are shown as long as anything is cut.
    /// One undo step.
    pub fn cut(&mut self, axis: Axis) {
        let name = |now: Bounds, whole: Bounds| {
            let i = axis.index();
            match (now.min[i] > whole.min[i], now.max[i] < whole.max[i]) {
                (false, true) => format!("Section {axis:?} of {{}}"),
                (true, _) => format!("Other side of section {axis:?} of {{}}"),
                (false, false) => format!("Remove section {axis:?} of {{}}"),
            }
        };
        self.set_crops(name, |now, whole| next_section(now, whole, axis.index()));
        let before = self.values.box_result;
        if before != Some(BoxResult::Extents)
            && self.adjustable().any(|node| self.scene.crop_box(node).is_some())
        {
            self.set_box_handles(Some(BoxResult::Extents));
            self.sections.handles = SectionHandles::Shown(before);
        }
    }

    /// Hides the handles that a section has shown when nothing is cut any more, and shows them again when
    /// something is.
    pub(super) fn update_section_handles(&mut self) {
        let is_cut = |editor: &Self| {
            let mut nodes = 0..editor.scene.nodes().len();
            nodes.any(|node| editor.scene.exists(node) && editor.scene.crop_box(node).is_some())
        };
        match self.sections.handles {
            SectionHandles::Shown(before) if !is_cut(self) => {
                self.set_box_handles(before);
                self.sections.handles = SectionHandles::Hidden(before);
            }
            SectionHandles::Hidden(before) if is_cut(self) => {
                self.set_box_handles(Some(BoxResult::Extents));
                self.sections.handles = SectionHandles::Shown(before);
            }
            _ => {}
        }
    }

    /// Hides the handles that a section has shown. They stay hidden until the next section.
    pub fn hide_section_handles(&mut self) {
        if let SectionHandles::Shown(before) = self.sections.handles {
            self.set_box_handles(before);
        }
    }

    /// Removes all sections and crop boxes of the selected nodes. One undo step.
    pub fn remove_sections(&mut self) {
        self.set_crops(|_, _| "Remove sections of {}".to_owned(), |_, whole| whole);
    }

    /// Sets the crop box of each selected node that has a mesh. `to` receives the box and that of the mesh, `name` the
    /// new box of the first changed node and that of its mesh.
    fn set_crops(&mut self, name: impl Fn(Bounds, Bounds) -> String, to: impl Fn(Bounds, Bounds) -> Bounds) {
        if self.is_dragging() {
            return;
        }
        self.settle();
        let change = |node: usize| {
            let (before, whole) = (self.scene.extents(node)?, self.scene.mesh_box(node)?);
            let after = to(before, whole);
            (after != before).then(|| ((node, self.scene.crop_for(node, after)), name(after, whole)))
        };
        let (crops, names): (Vec<_>, Vec<_>) = self.adjustable().filter_map(change).unzip();
        let Some(name) = names.first() else {
            return self.show_message("Select an object with a volume first");
        };
        let nodes: Vec<usize> = crops.iter().map(|(node, _)| *node).collect();
        let name = name.replace("{}", &labels::nodes(&self.scene, &nodes));
        // Crop boxes can always be set.
        let _ = self.edit(name, Edit::Crop(crops));
    }

    /// Returns true if a section or a crop box was changed by a command since the scene was opened.
    pub fn has_ever_cropped(&self) -> bool {
        self.sections.has_cropped
    }
}

/// Returns the next of: the lower half, the upper half, the whole along an axis. A flat box stays.
fn next_section(mut now: Bounds, whole: Bounds, axis: usize) -> Bounds {
    let center = whole.center()[axis];
    let is_flat = !(whole.min[axis] < center && center < whole.max[axis]);
    match (now.min[axis] > whole.min[axis], now.max[axis] < whole.max[axis]) {
        _ if is_flat => {}
        (false, false) => now.max[axis] = center,
        (false, true) => (now.min[axis], now.max[axis]) = (now.max[axis], whole.max[axis]),
        (true, _) => (now.min[axis], now.max[axis]) = (whole.min[axis], whole.max[axis]),
    }
    now
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::*;

    fn editor(selected: &[usize]) -> Editor {
        let cube = Node { mesh: Some(0), ..Node::new("cube", None, Transform::IDENTITY) };
        let empty = Node::new("empty", None, Transform::IDENTITY);
        let scene = Scene::new(vec![cube, empty], vec![shapes::cube()]).expect("the nodes form a tree");
        let mut editor = Editor::new(scene).expect("there are enough ids");
        editor.select(Selection::of(selected), &view());
        editor
    }

    fn crop(editor: &Editor) -> Option<[DVec3; 2]> {
        editor.scene().crop_box(0).map(|crop| [crop.min, crop.max])
    }

    fn shown(editor: &Editor) -> Option<BoxResult> {
        editor.gizmo().settings.box_handles.map(|shown| shown.result)
    }

    #[test]
    fn section_shows_halves_then_whole_and_is_undone() {
        let mut editor = editor(&[0, 1]);
        let half = DVec3::splat(0.5);
        let cut = Command::SectionY;
        editor.run(cut, &view());
        assert_eq!(crop(&editor), Some([-half, DVec3::new(0.5, 0.0, 0.5)]));
        assert_eq!(shown(&editor), Some(BoxResult::Extents), "its handles are shown");
        editor.run(cut, &view());
        assert_eq!(crop(&editor), Some([DVec3::new(-0.5, 0.0, -0.5), half]));
        editor.run(Command::SectionX, &view());
        assert_eq!(crop(&editor), Some([DVec3::new(-0.5, 0.0, -0.5), DVec3::new(0.0, 0.5, 0.5)]));
        editor.run(cut, &view());
        assert_eq!(crop(&editor), Some([-half, DVec3::new(0.0, 0.5, 0.5)]), "whole along Y");
        editor.run(Command::RemoveSections, &view());
        assert_eq!(crop(&editor), None);
        assert_eq!(shown(&editor), None, "its handles are hidden with the last section");
        let sections = [
            "Section Y of cube",
            "Other side of section Y of cube",
            "Section X of cube",
            "Remove section Y of cube",
        ];
        assert_eq!(editor.step_names(), [&sections[..], &["Remove sections of cube"]].concat());
        editor.go_to_step(1);
        assert_eq!(crop(&editor), Some([-half, DVec3::new(0.5, 0.0, 0.5)]));
        editor.go_to_step(0);
        assert!(crop(&editor).is_none() && editor.is_saved());
    }

    #[test]
    fn drag_after_crop_back_to_its_start_is_undone() {
        let scene = editor(&[]).scene().clone();
        let mut session = crate::tests::session(scene);
        session.editor.select(Selection::of(&[0]), &view());
        session.editor.set_box_handles(Some(BoxResult::Extents));
        session.update().expect("the view is valid");
        let mut type_in = |mode, keys: &[&str]| {
            session.editor.change(|values| values.gizmo.mode = mode);
            for key in keys {
                session.take(&EventKind::Key((*key).to_owned()), Mods::default()).expect("the view is valid");
                session.update().expect("the view is valid");
            }
            let at = session.editor.scene().nodes()[0].local.translation;
            (crop(&session.editor), at, session.editor.log().done())
        };
        // Without an arrow, X drags a side of the box: to a length of 2, and back to that of the cube.
        let long = Some([DVec3::splat(-0.5), DVec3::new(1.5, 0.5, 0.5)]);
        assert_eq!(type_in(Mode::None, &["x", "2"]), (long, DVec3::ZERO, 0));
        assert_eq!(type_in(Mode::None, &["backspace", "1", "enter"]), (None, DVec3::ZERO, 0));
        assert_eq!(type_in(Mode::None, &["x", "2", "escape"]), (None, DVec3::ZERO, 0));
        assert_eq!(type_in(Mode::Translate, &["x", "3", "enter"]), (None, 3.0 * DVec3::X, 1));
        assert_eq!(type_in(Mode::None, &["x", "2", "enter"]), (long, 3.0 * DVec3::X, 2));
        assert_eq!(session.editor.step_names(), ["Translate cube X 3.000", "Crop cube"]);
        session.editor.undo(&view());
        session.editor.undo(&view());
        assert_eq!(session.editor.scene().nodes()[0].local, Transform::IDENTITY);
    }
}
