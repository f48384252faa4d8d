//! The events of a recording, each as the line of text that a file has of it: a tenth of the memory that the
//! parsed event takes.

use crate::views::Frame;
use serde_json::Value;

/// What an event does, as far as a later one can make it needless.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Role {
    /// Says what the main view is seen by.
    Camera,
    /// Says where the other three views are.
    OrthoViews,
    /// Says how large the picture is.
    Window(Frame),
    /// The pointer moves and holds nothing that depends on what it passes.
    Pointer,
    /// Gives values to these keys.
    Values(&'static str, Vec<String>),
    /// All else.
    Other,
}

impl Role {
    /// The role of an event that gives values, from the object that the file has of it.
    pub(super) fn of_values(name: &'static str, event: &Value) -> Self {
        let keys = event[name].as_object().map(|values| values.keys().cloned().collect());
        Self::Values(name, keys.unwrap_or_default())
    }

    /// Returns true if nothing is left of an event once this one has followed it at once.
    fn covers(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::Camera, Self::Camera) | (Self::OrthoViews, Self::OrthoViews) => true,
            // Another scale factor moves the pointer along.
            (Self::Window(now), Self::Window(before)) => now.scale_factor == before.scale_factor,
            (Self::Values(name, keys), Self::Values(other, before)) => {
                name == other && before.iter().all(|key| keys.contains(key))
            }
            _ => false,
        }
    }
}

/// What a line takes besides its text, about: its place in the list, and what the allocator adds.
const LINE_BYTES: usize = 32;

/// The lines, and which of the last ones a new one takes the place of.
#[derive(Debug, Default)]
pub(super) struct Events {
    lines: Vec<Box<str>>,
    bytes: usize,
    /// The last lines that a later one may cover, with their roles; the newest last, each role once.
    open: Vec<(usize, Role)>,
}

impl Events {
    /// Appends an event. It takes the place of an earlier one that it covers, unless something between
    /// them may depend on that one.
    pub(super) fn push(&mut self, event: &Value, role: Role) {
        let covered = self.open.iter().position(|(_, before)| role.covers(before));
        if let Some((line, _)) = covered.map(|covered| self.open.remove(covered)) {
            self.remove(line);
        }
        match role {
            Role::Camera | Role::OrthoViews | Role::Window(_) => self.open.retain(|(_, role)| is_look(role)),
            // Where the pointer is depends on how the views lie, and not on what they see.
            Role::Pointer => self.open.retain(|(_, role)| *role == Role::Camera),
            Role::Values(..) | Role::Other => self.open.clear(),
        }
        if !matches!(role, Role::Pointer | Role::Other) {
            // Of two that do not cover each other, such as two scale factors, the later one counts.
            self.open.retain(|(_, before)| std::mem::discriminant(before) != std::mem::discriminant(&role));
            self.open.push((self.lines.len(), role));
        }
        self.append(event.to_string().into());
    }

    /// Puts another event in the place of the last one.
    pub(super) fn replace_last(&mut self, event: &Value) {
        if let Some(line) = self.lines.pop() {
            self.bytes -= line.len() + LINE_BYTES;
        }
        self.append(event.to_string().into());
    }

    /// Takes the last event away, which none may have covered.
    pub(super) fn pop(&mut self) {
        self.close();
        if let Some(last) = self.lines.len().checked_sub(1) {
            self.remove(last);
        }
    }

    /// No later event covers any of these.
    pub(super) fn close(&mut self) {
        self.open.clear();
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// How much memory they take, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| &**line)
    }

    fn append(&mut self, line: Box<str>) {
        self.bytes += line.len() + LINE_BYTES;
        self.lines.push(line);
    }

    fn remove(&mut self, index: usize) {
        let line = self.lines.remove(index);
        self.bytes -= line.len() + LINE_BYTES;
        for (other, _) in &mut self.open {
            *other -= usize::from(*other > index);
        }
    }
}

fn is_look(role: &Role) -> bool {
    matches!(role, Role::Camera | Role::OrthoViews | Role::Window(_))
}
