//! The user's preferences for the window, stored in the data folder.

use crate::panel::side;
use crate::small_files::{read_json, write};
use crate::user_data;
use serde_json::{Value, json};
use session::editor::Editor;
use session::keymap::Keymap;
use session::settings::{AllSettings, Setting};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum size of the file, in bytes.
const MAX_BYTES: u64 = 1 << 16;

/// The names in the file of [`Preferences::reduced`].
const MOTIONS: [(&str, Option<bool>); 3] =
    [("desktop", None), ("full", Some(false)), ("reduced", Some(true))];

/// The preferences, and the file that stores them.
#[derive(Debug)]
pub(crate) struct Preferences {
    file: Option<PathBuf>,
    /// The contents of the file.
    stored: Value,
    /// Whether the desktop asks for reduced motion.
    desktop_reduces: Arc<AtomicBool>,
    pub(crate) keymap: Keymap,
    /// Whether camera jumps are not animated; `None` follows the desktop.
    pub(crate) reduced: Option<bool>,
    /// Whether increments of snapping do not follow the visible grid.
    pub(crate) has_fixed_steps: bool,
    /// Whether sections of the panel are open, by title, as far as the user has opened or collapsed them.
    pub(crate) sections: BTreeMap<String, bool>,
    /// Width of the panel beside the view, in points.
    pub(crate) side_width: f32,
    /// The share of the panel's height that the tree has.
    pub(crate) tree_share: f32,
    /// The theme and the size of handles, if the window edits: a replay has its own.
    appearance: Option<(String, f64)>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self::stored_in(None)
    }
}

impl Preferences {
    /// Reads the user's preferences: `$XDG_DATA_HOME/wgpu-gizmo/window.json` on Linux.
    pub(crate) fn of_user() -> Self {
        let preferences = Self::stored_in(user_data::path("window.json"));
        // The desktop may be slow to answer.
        let desktop_reduces = preferences.desktop_reduces.clone();
        let ask = move || desktop_reduces.store(desktop_reduces_motion(), Ordering::Relaxed);
        drop(std::thread::Builder::new().name("desktop settings".to_owned()).spawn(ask));
        preferences
    }

    /// Reads the preferences from this file. What is missing or invalid gets its default.
    pub(crate) fn stored_in(file: Option<PathBuf>) -> Self {
        let stored = file.as_deref().map_or(Value::Null, |file| read_json(file, MAX_BYTES));
        let name = |key: &str| stored[key].as_str().unwrap_or_default();
        let keymap = Keymap::ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(name("keymap")));
        let motion = MOTIONS.iter().find(|(known, _)| *known == name("motion"));
        let number = |key: &str, [min, max]: [f32; 2], default| {
            let number = stored[key].as_f64().map(|number| number as f32);
            number.filter(|number| (min..=max).contains(number)).unwrap_or(default)
        };
        let sections = stored["sections"].as_object().into_iter().flatten().take(100);
        Self {
            keymap: keymap.map(|(_, keymap)| *keymap).unwrap_or_default(),
            reduced: motion.and_then(|(_, reduced)| *reduced),
            has_fixed_steps: stored["fixed_steps"].as_bool().unwrap_or_default(),
            sections: sections.filter_map(|(title, open)| Some((title.clone(), open.as_bool()?))).collect(),
            side_width: number("side_width", [100.0, 2000.0], side::WIDTH),
            tree_share: number("tree_share", [0.1, 0.9], side::TREE_SHARE),
            appearance: None,
            desktop_reduces: Arc::default(),
            file,
            stored,
        }
    }

    /// Returns true if camera jumps must not be animated.
    pub(crate) fn reduces_motion(&self) -> bool {
        self.reduced.unwrap_or_else(|| self.desktop_reduces.load(Ordering::Relaxed))
    }

    fn as_json(&self) -> Value {
        let motion = MOTIONS.iter().find(|(_, reduced)| *reduced == self.reduced);
        // The defaults are not stored.
        let [theme, size] = match &self.appearance {
            None => ["theme", "handle_size"].map(|key| self.stored[key].clone()),
            Some(now) if *now == appearance(&AllSettings::default()) => [Value::Null, Value::Null],
            Some((theme, size)) => [json!(theme), json!(size)],
        };
        json!({
            "keymap": self.keymap.name(),
            "motion": motion.map(|(name, _)| *name),
            "fixed_steps": self.has_fixed_steps,
            "sections": self.sections,
            "side_width": self.side_width,
            "tree_share": self.tree_share,
            "theme": theme,
            "handle_size": size,
        })
    }

    /// Gives an editor the theme and the size of handles that it had last, and remembers their changes.
    pub(crate) fn restore(&mut self, editor: &mut Editor) {
        let stored = &self.stored;
        let theme = Setting::Theme.labels().iter().position(|label| stored["theme"] == **label);
        let size = stored["handle_size"].as_f64().filter(|size| (16.0..=512.0).contains(size));
        editor.change(|values| {
            theme.into_iter().for_each(|theme| Setting::Theme.choose(values, theme));
            values.gizmo.display.size_lpx = size.unwrap_or(values.gizmo.display.size_lpx);
        });
        self.appearance = Some(appearance(&editor.values()));
    }

    /// Notes the theme and the size of handles, if [`Preferences::restore`] was called.
    pub(crate) fn note(&mut self, editor: &Editor) {
        if let Some(appearance) = &mut self.appearance {
            *appearance = self::appearance(&editor.values());
        }
    }

    /// Writes the preferences if they have changed. Write errors are ignored.
    pub(crate) fn store(&mut self) {
        let now = self.as_json();
        let is_default = self.stored.is_null() && now == Self::default().as_json();
        let Some(file) = self.file.as_deref().filter(|_| now != self.stored && !is_default) else { return };
        let _ = write(file, format!("{now:#}\n").as_bytes());
        self.stored = now;
    }
}

/// Returns the name of the theme and the size of handles.
fn appearance(values: &AllSettings) -> (String, f64) {
    (Setting::Theme.shown(values), values.gizmo.display.size_lpx)
}

/// Asks the desktop whether animations are turned off. A desktop that does not say so has them.
fn desktop_reduces_motion() -> bool {
    let (program, arguments, reduced): (_, &[&str], _) = match std::env::consts::OS {
        "linux" => ("gsettings", &["get", "org.gnome.desktop.interface", "enable-animations"], "false"),
        "macos" => ("defaults", &["read", "com.apple.universalaccess", "reduceMotion"], "1"),
        _ => return false,
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
    command.output().is_ok_and(|output| output.stdout.trim_ascii() == reduced.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn preferences_are_stored_and_read_again() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let file = folder.path().join("deep/window.json");
        let mut preferences = Preferences::stored_in(Some(file.clone()));
        preferences.store();
        assert!(!file.exists(), "defaults need no file");
        preferences.keymap = Keymap::Blender;
        preferences.reduced = Some(true);
        preferences.has_fixed_steps = true;
        preferences.sections.insert("History".to_owned(), false);
        (preferences.side_width, preferences.tree_share) = (400.0, 0.5);
        let mut editor = Editor::new(scene::Scene::default()).expect("there are few nodes");
        preferences.restore(&mut editor);
        assert_eq!(editor.values(), AllSettings::default(), "nothing was stored");
        editor.change(|values| {
            Setting::Theme.choose(values, 1);
            values.gizmo.display.size_lpx = 120.0;
        });
        preferences.note(&editor);
        preferences.store();
        let mut read = Preferences::stored_in(Some(file.clone()));
        assert_eq!((read.side_width, read.tree_share), (400.0, 0.5));
        let mut other = Editor::new(scene::Scene::default()).expect("there are few nodes");
        read.restore(&mut other);
        assert_eq!(other.values(), editor.values(), "theme and size");
        assert_eq!((read.keymap, read.reduced), (Keymap::Blender, Some(true)));
        assert!(read.has_fixed_steps && read.reduces_motion());
        assert_eq!(read.sections.get("History"), Some(&false));
        // A window that plays a replay has the theme and the size of the replay, and keeps those of the user.
        let mut replay = Preferences::stored_in(Some(file.clone()));
        replay.note(&Editor::new(scene::Scene::default()).expect("there are few nodes"));
        replay.side_width = 500.0;
        replay.store();
        let mut read = Preferences::stored_in(Some(file));
        assert_eq!(read.side_width, 500.0);
        let mut other = Editor::new(scene::Scene::default()).expect("there are few nodes");
        read.restore(&mut other);
        assert_eq!(other.values(), editor.values(), "theme and size after a replay");
    }

    #[test]
    fn invalid_preferences_read_as_defaults() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let file = folder.path().join("window.json");
        for text in ["", "[1]", "{\"keymap\": 7, \"sections\": \"x\"}", "\u{0}"] {
            fs::write(&file, text).expect("the temporary folder can be written");
            let read = Preferences::stored_in(Some(file.clone()));
            assert_eq!((read.keymap, read.sections.len()), (Keymap::Viewer, 0), "{text}");
        }
    }
}
