//! The events of a recording. Each is stored as its line of text in the file, which takes a tenth of
//! the memory of the parsed event.

use serde_json::Value;

/// The effect of an event, as far as it decides whether a later event replaces this one.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Role {
    /// Sets what the picture shows: its size with this scale factor, a camera, the other views or the pose.
    View {
        /// The key of the event.
        key: &'static str,
        scale_factor: f64,
    },
    /// Moves an idle pointer, or one that turns the view cube.
    Pointer,
    /// Changes these settings.
    Settings(Vec<String>),
    /// Makes an edit, which replaces one in progress.
    Edit {
        /// Whether the edit is in progress itself.
        is_open: bool,
    },
    /// Any other event.
    Other,
}

impl Role {
    /// Returns the role of an event that changes settings, from its JSON object.
    pub(super) fn of_settings(event: &Value) -> Self {
        let keys = event["set"].as_object().map(|settings| settings.keys().cloned().collect());
        Self::Settings(keys.unwrap_or_default())
    }

    fn view_key(&self) -> Option<&'static str> {
        if let Self::View { key, .. } = self { Some(key) } else { None }
    }

    /// Returns true if this event, directly after `before`, leaves no effect of it.
    fn covers(&self, before: &Self) -> bool {
        match (self, before) {
            // A change of the scale factor also moves the pointer.
            (Self::View { .. }, Self::View { .. }) => self == before,
            (Self::Settings(keys), Self::Settings(before)) => before.iter().all(|key| keys.contains(key)),
            (Self::Edit { .. }, Self::Edit { is_open }) => *is_open,
            _ => false,
        }
    }
}

/// The approximate memory of a line besides its text: its list entry and the allocator's overhead.
const LINE_BYTES: usize = 32;

/// The lines, and the last ones that a new one may replace.
#[derive(Debug, Default)]
pub(super) struct Events {
    lines: Vec<Box<str>>,
    bytes: usize,
    /// The last lines that a later one may cover, with their roles; the newest last, each role once.
    open: Vec<(usize, Role)>,
}

impl Events {
    /// Appends an event. It replaces an earlier event that it covers, unless an event in between may
    /// depend on that one.
    pub(super) fn push(&mut self, event: &Value, role: Role) {
        let covered = self.open.iter().position(|(_, before)| role.covers(before));
        if let Some((line, _)) = covered.map(|covered| self.open.remove(covered)) {
            self.remove(line);
        }
        match role {
            Role::View { .. } => self.open.retain(|(_, role)| matches!(role, Role::View { .. })),
            // The view under the pointer depends on the layout of the views, not on their cameras.
            Role::Pointer => self.open.retain(|(_, role)| matches!(role, Role::View { key: "camera", .. })),
            Role::Settings(_) | Role::Edit { .. } | Role::Other => self.open.clear(),
        }
        if !matches!(role, Role::Pointer | Role::Other) {
            // If two events do not cover each other, such as two scale factors, the later one counts.
            self.open.retain(|(_, before)| before.view_key() != role.view_key());
            self.open.push((self.lines.len(), role));
        }
        self.append(event.to_string().into());
    }

    /// Replaces the last event.
    pub(super) fn replace_last(&mut self, event: &Value) {
        if let Some(line) = self.lines.pop() {
            self.bytes -= line.len() + LINE_BYTES;
        }
        self.append(event.to_string().into());
    }

    /// Removes the last event, which must not have covered another.
    pub(super) fn pop(&mut self) {
        self.close();
        if let Some(last) = self.lines.len().checked_sub(1) {
            self.remove(last);
        }
    }

    /// Prevents later events from replacing any event so far.
    pub(super) fn close(&mut self) {
        self.open.clear();
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns the number of events.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns the approximate memory of all events, in bytes.
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
