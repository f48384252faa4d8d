use crate::draw::{DrawList, GuideLayer, Layout};
use crate::handle::Theme;
use crate::interaction::drag::{Drag, readout};
use crate::interaction::gesture::{Gesture, GuideContext};
use crate::interaction::settings::Modifiers;
use crate::math::View;

/// The guides and the readout of a drag.
pub(crate) struct DragGuides<'a> {
    pub(crate) drag: &'a Drag,
    pub(crate) theme: &'a Theme,
    pub(crate) modifiers: Modifiers,
    pub(crate) has_construction_lines: bool,
}

impl DragGuides<'_> {
    /// Adds the guides and the readout to the list. If the pivot is behind the viewer, there is no layout,
    /// and only the readout is added: typed numbers must be visible somewhere.
    pub(crate) fn append(&self, list: &mut DrawList, view: &View, layout: Option<&Layout>) {
        let Self { drag, theme, modifiers, .. } = *self;
        let context = layout.map(|layout| GuideContext {
            theme,
            press: &drag.press,
            axes: drag.axes,
            numbers: drag.solved.numbers,
            // The pressed pixel of a ray is not a pixel of this view.
            cursor_px: drag.cursor_px.filter(|_| drag.press.seen_in.is_none() && !is_elsewhere(drag, view)),
            modifiers,
            view,
            layout,
            start: drag.pivot_world(),
        });
        if let Some(context) = context.as_ref().filter(|context| view.clip_w(context.start) > 0.0) {
            self.append_strokes(list, context);
        }
        readout::add(list, view, drag, context.as_ref());
    }

    fn append_strokes(&self, list: &mut DrawList, context: &GuideContext<'_>) {
        let gesture = &self.drag.gesture;
        let [_, opacity] = self.theme.opacities.guide;
        let grid = match gesture {
            Gesture::Translate(translate) => translate.grid(context),
            _ => None,
        };
        if let Some(grid) = grid.and_then(|grid| grid.seen(context.view, context.neutral().faded(opacity))) {
            list.push_grid(grid);
        }
        if let Some(mut painter) = list.guide_painter(GuideLayer::Under) {
            gesture.steps().paint(context, &mut painter);
        }
        if let (true, Some(mut painter)) = (self.has_construction_lines, list.guide_painter(GuideLayer::Over))
        {
            if let Some(cursor_px) = context.cursor_in_viewport() {
                gesture.path().construct(context, cursor_px, &mut painter);
            }
        }
    }
}

/// Returns true if a view is in another window than the drag, where the pixels of its pointer mean nothing. Viewports
/// of one window do not overlap.
fn is_elsewhere(drag: &Drag, view: &View) -> bool {
    let held = &drag.press.view;
    held.key() != view.key() && held.viewport().rect().intersection(view.viewport().rect()).is_some()
}
