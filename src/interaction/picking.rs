use super::gizmo::{Gizmo, HoverQuery, Input, Phase};
use super::key::Key;
use crate::draw::DrawList;
use crate::math::View;
use crate::pick::{PickAnswer, PickHit, PickOutcome, PickQuery, is_in_flight};

/// Updates without anybody having a question, after which it is asked again.
const ASK_AGAIN: u32 = 8;

/// Updates without anybody having a press' question, after which the press is given up.
const GIVE_UP: u32 = 64;

impl Gizmo {
    /// The next question to the ID image: the press that waits, or what is under the cursor.
    /// `None` in a drag, when nothing has changed since the last question, and for a cursor
    /// outside the view. Call it only when the answer can be asked for: a question is given out
    /// once, unless it comes to nothing.
    ///
    /// A question comes to nothing where its answer is [`PickOutcome::Lost`], after
    /// [`Gizmo::picks_lost`], and in the 8th update in which nobody had it: a `Picker` has a
    /// question from `encode` to its answer, other hosts say so by [`PickQuery::in_flight`]. Then
    /// it is asked again, under a new number. A press whose question nobody has is given up by a
    /// cancel, by a release followed by another press, and after 64 updates; while its question is
    /// in flight, it waits for the answer however long that takes.
    pub fn pick_query(&mut self) -> Option<PickQuery> {
        let radius_lpx = self.settings.tolerance_lpx;
        let query = match &mut self.phase {
            Phase::Dragging(_) => return None,
            Phase::Pressed(press) => {
                if press.asked.is_some() {
                    return None;
                }
                let radius_px = radius_lpx * press.view.scale_factor();
                let query = PickQuery::new(&press.view, press.cursor_px, radius_px);
                press.asked = Some(query.sequence);
                press.idle.get_or_insert(0);
                query
            }
            Phase::Idle | Phase::PressedElsewhere { .. } => {
                let (cursor_px, view) = (self.cursor_px?, self.shown_view?);
                if !view.viewport().contains(cursor_px) {
                    self.forget_hover();
                    return None;
                }
                let sequence = self.asked.map_or(0, |asked| asked.sequence);
                let asked = HoverQuery { texel: cursor_px.floor(), view, revision: self.revision, sequence };
                if self.asked == Some(asked) {
                    return None;
                }
                let query = PickQuery::new(&view, cursor_px, radius_lpx * view.scale_factor());
                self.asked = Some(HoverQuery { sequence: query.sequence, ..asked });
                self.asked_idle = 0;
                query
            }
        };
        Some(query)
    }

    /// Sees to questions that were given out and that nobody has: they are asked again, and a press
    /// is given up in the end, or where it is no longer wanted.
    pub(super) fn chase_question(&mut self) {
        match &mut self.phase {
            Phase::Pressed(press) => {
                if !press.is_adrift() {
                    return;
                }
                let idle = press.idle.map_or(1, |idle| idle + 1);
                press.idle = Some(idle);
                if idle.is_multiple_of(ASK_AGAIN) {
                    press.asked = None;
                }
                if idle >= GIVE_UP || self.is_press_withdrawn() {
                    self.phase = Phase::PressedElsewhere { on_nothing: None };
                    // An answer that comes after all is about nothing.
                    self.forget_hover();
                    self.needs_redraw = true;
                }
            }
            Phase::Idle | Phase::PressedElsewhere { .. } => {
                let Some(asked) = self.asked.filter(|asked| asked.sequence > self.answered) else { return };
                if is_in_flight(asked.texel, &asked.view, self.answered) {
                    return;
                }
                self.asked_idle += 1;
                if self.asked_idle >= ASK_AGAIN {
                    self.asked = None;
                }
            }
            Phase::Dragging(_) => {}
        }
    }

    /// Returns whether what waits behind a press withdraws it: a cancel, or a release and another press.
    fn is_press_withdrawn(&self) -> bool {
        let mut after_release = self.inputs.iter().skip_while(|input| **input != Input::Released);
        self.is_cancelled() || after_release.any(|input| *input == Input::Pressed)
    }

    /// Returns whether a cancel waits for the next update.
    pub(super) fn is_cancelled(&self) -> bool {
        self.inputs.iter().any(|input| matches!(input, Input::Cancelled | Input::Key(Key::Escape)))
    }

    /// Takes the answer to a question of [`Gizmo::pick_query`]. Answers that come too late change
    /// nothing.
    ///
    /// Where several gizmos share a picker, all are asked for a question, one of the questions is
    /// put to the ID image (they are about one pointer), and every gizmo gets the answer: what
    /// is under a pixel is what it is, whoever asked. A gizmo whose own question was about another
    /// place, as it is with several views, asks again.
    pub fn answer(&mut self, answer: &PickAnswer) {
        let PickQuery { sequence, cursor_px, view, .. } = answer.query;
        if let Phase::Pressed(press) = &mut self.phase {
            if sequence > press.since && (cursor_px, view) == (press.cursor_px, press.view) {
                match answer.outcome {
                    // What was lost has no answer any more, even if one comes.
                    PickOutcome::Lost => (press.asked, press.since) = (None, sequence),
                    outcome => press.outcome = Some(outcome),
                }
                // What was asked before a press is out of date after it, and so is its own question
                // where it was asked twice.
                self.answered = self.answered.max(sequence).max(press.asked.unwrap_or_default());
            } else if press.asked.is_some_and(|asked| asked < sequence) {
                // Answers come in the order of the questions: another gizmo's was put instead.
                press.asked = None;
            }
            return;
        }
        if sequence <= self.answered || self.is_active() {
            return;
        }
        let place = |texel, view: View| (texel, view.key(), view.viewport());
        let is_elsewhere =
            |asked: HoverQuery| place(asked.texel, asked.view) != place(cursor_px.floor(), view);
        // The same of what is hovered.
        if self.asked.is_some_and(|asked| asked.sequence < sequence && is_elsewhere(asked)) {
            self.asked = None;
        }
        match answer.outcome {
            PickOutcome::Lost => self.asked = None,
            PickOutcome::Nothing => self.hover(None, None),
            PickOutcome::Hit(hit) => match self.handle_of(hit.id) {
                Some(handle) => {
                    self.hover(Some(handle).filter(|h| self.can_hover(*h)), None);
                    self.hover_copy(self.copy_of(hit.id));
                }
                // Of a handle that was removed since, nothing is left.
                None => self.hover(None, Some(hit.id).filter(|id| !self.owns(*id))),
            },
        }
        self.answered = sequence;
    }

    /// Says that the questions under way will have no answer: the device is lost, or a question
    /// could not be encoded. They are asked again.
    pub fn picks_lost(&mut self) {
        self.asked = None;
        if let Phase::Pressed(press) = &mut self.phase {
            (press.asked, press.since) = (None, PickQuery::last_sequence());
        }
    }

    /// Answers its own question on the CPU, from the handles alone: for hosts without a picker.
    pub fn answer_on_cpu(&mut self) {
        self.answer_from(&DrawList::new());
    }

    /// The same from a list that was drawn for the view that the user sees, such as that of the
    /// frame before: the handles need not be worked out for the pick alone. Where other gizmos are
    /// in the list as well, what is theirs is theirs.
    pub fn answer_from(&mut self, list: &DrawList) {
        let Some(query) = self.pick_query() else { return };
        let found = if list.view() == Some(&query.view) && !list.has_mixed_ids() {
            list.pick(query.cursor_px, query.radius_px)
        } else {
            let mut list = std::mem::take(&mut self.scratch);
            list.begin(&query.view);
            self.append_to(&mut list);
            let found = list.pick(query.cursor_px, query.radius_px);
            self.scratch = list;
            found
        };
        let hit = |id| PickHit {
            id,
            pixel: (query.cursor_px.x.floor() as i64, query.cursor_px.y.floor() as i64),
            depth: 0.0,
            position_world: None,
        };
        let outcome = found.map_or(PickOutcome::Nothing, |id| PickOutcome::Hit(hit(id)));
        self.answer(&PickAnswer { query, outcome });
    }
}
