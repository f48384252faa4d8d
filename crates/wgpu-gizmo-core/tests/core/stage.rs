//! A gizmo with a view and targets, and the frame loop of a host.

use crate::prelude::*;

/// A point on the arrow of X, in sizes from the pivot.
pub(crate) const ARROW_X: DVec3 = DVec3::new(0.7, 0.0, 0.0);

pub(crate) struct Stage {
    pub(crate) ids: IdSpace,
    pub(crate) gizmo: Gizmo,
    pub(crate) shot: Shot,
    pub(crate) targets: Vec<Target>,
}

impl Stage {
    /// Creates a stage with one target at the origin, seen from the front and slightly above.
    pub(crate) fn new(settings: Settings) -> Self {
        let mut ids = IdSpace::new();
        let mut gizmo = Gizmo::new(&mut ids).expect("ids are free");
        // Most drags by keys need no pointer.
        gizmo.settings = settings.with(|s| s.input.axis_keys = AxisKeys::Always);
        let shot = views::ALL[0].shot(&Camera::at(DVec3::new(2.0, 2.5, 6.0)));
        let mut stage = Self { ids, gizmo, shot, targets: vec![Target::from_world(Transform::IDENTITY)] };
        stage.update();
        stage
    }

    pub(crate) fn of_mode(mode: Mode) -> Self {
        Self::new(Settings::default().with(|s| s.mode = mode))
    }

    pub(crate) fn size(&self) -> f64 {
        size_world(&self.shot, self.pivot(), &self.gizmo.settings)
    }

    pub(crate) fn pivot(&self) -> DVec3 {
        self.targets.last().map_or(DVec3::ZERO, Target::position_world)
    }

    /// Returns the pixel of a point that is given relative to the pivot, in sizes of the gizmo.
    pub(crate) fn at(&self, offset: DVec3) -> DVec2 {
        px(&self.shot, self.pivot() + offset * self.size())
    }

    pub(crate) fn update(&mut self) -> Vec<Event> {
        self.gizmo.update(&self.shot.view, &mut self.targets).to_vec()
    }

    pub(crate) fn move_to(&mut self, px: DVec2) {
        self.gizmo.pointer_moved(px);
    }

    /// Moves the pointer, and updates.
    pub(crate) fn point_at(&mut self, px: DVec2) -> Vec<Event> {
        self.move_to(px);
        self.update()
    }

    /// Moves the pointer, and answers the query about the handle there.
    pub(crate) fn hover(&mut self, px: DVec2) {
        self.point_at(px);
        self.answer();
    }

    /// Presses at a pixel. Returns the query about it, which is in flight.
    pub(crate) fn press(&mut self, px: DVec2) -> PickQuery {
        self.move_to(px);
        self.gizmo.pointer_pressed();
        self.update();
        self.gizmo.pick_query().expect("the press has a query")
    }

    /// Presses the keys that stand for these characters, and updates.
    pub(crate) fn keys(&mut self, keys: &str) -> Vec<Event> {
        for character in keys.chars() {
            let key = match character {
                '>' => Key::Tab,
                '<' => Key::Backspace,
                '!' => Key::Enter,
                '~' => Key::Escape,
                'l' => Key::Left,
                'r' => Key::Right,
                'u' => Key::Up,
                'd' => Key::Down,
                other => Key::from_char(other).expect("the character is a key"),
            };
            self.gizmo.key(key, KeyModifiers::NONE);
        }
        self.update()
    }

    pub(crate) fn release(&mut self) -> Vec<Event> {
        self.gizmo.pointer_released();
        self.update()
    }

    pub(crate) fn cancel(&mut self) -> Vec<Event> {
        self.gizmo.cancel();
        self.update()
    }

    /// Answers the next query on the CPU, if there is one.
    pub(crate) fn answer(&mut self) {
        self.gizmo.answer_on_cpu();
    }

    /// Hovers, presses and grabs the handle at `px`.
    pub(crate) fn grab(&mut self, px: DVec2) -> Vec<Event> {
        self.update();
        self.move_to(px);
        self.gizmo.pointer_pressed();
        let mut events = self.update();
        self.answer();
        events.extend(self.update());
        events
    }

    /// Drives a handle that is usable.
    pub(crate) fn drive(&mut self, name: &str, amount: impl Into<Amount>) -> Driven {
        let driven = self.gizmo.drive(handle(name), amount, &mut self.targets);
        driven.unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Begins to drive a handle that is usable, and drives it on.
    pub(crate) fn begin_drive(&mut self, name: &str, amount: f64) {
        self.gizmo.drive_begin(handle(name), &self.targets).expect("the handle is usable");
        self.gizmo.drive_by(amount, &mut self.targets).expect("the drag is in progress");
    }

    pub(crate) fn draw(&mut self) -> DrawList {
        let mut list = DrawList::new();
        list.begin(&self.shot.view);
        self.gizmo.draw(&mut list);
        list
    }

    pub(crate) fn local(&self) -> Transform {
        self.targets[0].local
    }

    pub(crate) fn answer_hit(&mut self, query: PickQuery, name: &str) {
        self.gizmo.answer(&self.hit(query, name));
    }

    /// Returns an answer that hits a handle.
    pub(crate) fn hit(&self, query: PickQuery, name: &str) -> PickAnswer {
        let handle = HandleId::from_name(name).expect("the handle is built in");
        answer_with(query, self.gizmo.id_of(handle))
    }
}

pub(crate) fn answer_with(query: PickQuery, id: std::num::NonZeroU32) -> PickAnswer {
    query.answered(Some(id))
}
