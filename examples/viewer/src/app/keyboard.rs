//! Names of keys. A key is named by its character in the active layout. If the layout is not Latin, the key
//! is named by its position on an English keyboard, so Ctrl+S is the key with Ы in a Russian layout.

use session::command::{LASSO_KEY, VERTEX_KEY};
use session::keymap::key_name;
use session::replay_file::Mods;
use winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};

/// Returns the character of a key on an English keyboard.
fn english(code: KeyCode) -> Option<String> {
    match code {
        KeyCode::Period => Some(".".to_owned()),
        KeyCode::Minus => Some("-".to_owned()),
        _ => {
            let name = format!("{code:?}");
            let character = name.strip_prefix("Key").or_else(|| name.strip_prefix("Digit"));
            character.map(str::to_lowercase)
        }
    }
}

/// Knows which keys are held that change the meaning of others, and names keys: it infers the script of the layout
/// from the typed characters.
#[derive(Debug, Default)]
pub(super) struct Keyboard {
    pub(super) modifiers: ModifiersState,
    holds_vertex: bool,
    holds_lasso: bool,
    /// Whether the last typed letter was not Latin.
    is_non_latin: bool,
}

impl Keyboard {
    /// Returns the modifiers that are held, as replays name them.
    pub(super) fn mods(&self) -> Mods {
        Mods {
            shift: self.modifiers.shift_key(),
            ctrl: self.modifiers.control_key(),
            alt: self.modifiers.alt_key(),
            vertex: self.holds_vertex,
            lasso: self.holds_lasso,
        }
    }

    /// Handles a press or release of a key with this name.
    pub(super) fn hold(&mut self, name: &str, is_pressed: bool) {
        // With Ctrl, the key is a shortcut.
        let has_ctrl = self.modifiers.control_key() || self.modifiers.super_key();
        if name == VERTEX_KEY && (!has_ctrl || !is_pressed) {
            self.holds_vertex = is_pressed;
        }
        if name == LASSO_KEY {
            self.holds_lasso = is_pressed;
        }
    }

    /// Forgets the held keys except the modifiers, because their releases go to another window.
    pub(super) fn release(&mut self) {
        (self.holds_vertex, self.holds_lasso) = (false, false);
    }

    /// Returns the name of a key: a character, or a name in the table of commands.
    pub(super) fn name(&mut self, logical: &Key, physical: PhysicalKey) -> Option<String> {
        let text = match logical {
            // It types a character, which no number has: one with a space in it is refused.
            Key::Named(NamedKey::Space) => return Some(" ".to_owned()),
            Key::Named(named) => {
                return key_name(&format!("{named:?}")).map(str::to_owned);
            }
            Key::Character(text) => text.as_str(),
            _ => return None,
        };
        let english = match physical {
            PhysicalKey::Code(code) => english(code),
            PhysicalKey::Unidentified(_) => None,
        };
        match Script::of(text) {
            Script::Latin => self.is_non_latin = false,
            Script::Other => {
                self.is_non_latin = true;
                return english.or_else(|| Some(text.to_owned()));
            }
            Script::None => {}
        }
        // Greek has a semicolon on the Q key and Hebrew a slash: these keys are named by position. Dvorak has
        // punctuation on such keys too, but as a Latin layout it is named by character.
        let is_letter_key = english.as_ref().is_some_and(|name| name.as_bytes()[0].is_ascii_alphabetic());
        match self.is_non_latin && is_letter_key && Script::of(text) == Script::None {
            true => english,
            false => Some(text.to_owned()),
        }
    }
}

/// The script of a key's character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    /// A script that shortcuts cannot be typed in.
    Other,
    /// Digits and punctuation, which occur in the layouts of all scripts.
    None,
}

impl Script {
    fn of(text: &str) -> Self {
        let letter = text.chars().find(|c| c.is_alphabetic() || (c.is_numeric() && !c.is_ascii()));
        match letter {
            None => Self::None,
            // ², ³, ¹ and µ.
            Some('\u{80}'..'\u{c0}') => Self::None,
            // Everything before the Greek block, and Latin Extended Additional.
            Some(..'\u{370}' | '\u{1e00}'..'\u{1f00}') => Self::Latin,
            Some(_) => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::command::Command;
    use session::keymap::Keymap;
    use session::replay_file::Mods;

    const CTRL: Mods = Mods { ctrl: true, shift: false, alt: false, vertex: false, lasso: false };

    /// Returns the names of keys that are pressed one after the other.
    fn names(keys: &[(&str, KeyCode)]) -> Vec<String> {
        let mut keyboard = Keyboard::default();
        let name = |(text, code): &(&str, KeyCode)| {
            let key = Key::Character((*text).into());
            keyboard.name(&key, PhysicalKey::Code(*code)).expect("the key has a name")
        };
        keys.iter().map(name).collect()
    }

    #[test]
    fn non_latin_layouts_name_keys_by_position() {
        let russian =
            [("ы", KeyCode::KeyS), ("Я", KeyCode::KeyZ), ("ч", KeyCode::KeyX), ("3", KeyCode::Digit3)];
        assert_eq!(names(&russian), ["s", "z", "x", "3"]);
        // The Russian period is next to the right Shift; the English period key has Ю.
        assert_eq!(names(&[(".", KeyCode::Slash), ("ю", KeyCode::Period)]), [".", "."]);
        let greek = [("σ", KeyCode::KeyS), (";", KeyCode::KeyQ), ("ς", KeyCode::KeyW)];
        assert_eq!(names(&greek), ["s", "q", "w"]);
        assert_eq!(names(&[("ש", KeyCode::KeyA), ("/", KeyCode::KeyQ)]), ["a", "q"], "Hebrew");
        assert_eq!(names(&[("۱", KeyCode::Digit1)]), ["1"], "Persian");
        assert_eq!(Command::of(&names(&russian)[0], CTRL), Some(Command::Save));
        // A key without an English counterpart keeps its character.
        assert_eq!(names(&[("х", KeyCode::BracketLeft)]), ["х"]);
    }

    #[test]
    fn latin_layouts_name_keys_by_character() {
        let dvorak =
            [("o", KeyCode::KeyS), ("'", KeyCode::KeyQ), (";", KeyCode::KeyZ), ("s", KeyCode::Semicolon)];
        assert_eq!(names(&dvorak), ["o", "'", ";", "s"]);
        let azerty =
            [("q", KeyCode::KeyA), ("z", KeyCode::KeyW), ("é", KeyCode::Digit2), ("&", KeyCode::Digit1)];
        assert_eq!(names(&azerty), ["q", "z", "é", "&"]);
        let others = [("ö", KeyCode::Semicolon), ("ğ", KeyCode::BracketLeft), ("²", KeyCode::Backquote)];
        assert_eq!(names(&others), ["ö", "ğ", "²"]);
        // Also after a switch from a non-Latin layout.
        let both = [("σ", KeyCode::KeyS), ("o", KeyCode::KeyS), (";", KeyCode::KeyZ)];
        assert_eq!(names(&both), ["s", "o", ";"]);
    }

    #[test]
    fn named_keys_have_names_and_dead_keys_none() {
        let mut keyboard = Keyboard::default();
        let mut name = |key: Key, code: KeyCode| keyboard.name(&key, PhysicalKey::Code(code));
        assert_eq!(name(Key::Named(NamedKey::Escape), KeyCode::CapsLock).as_deref(), Some("escape"));
        assert_eq!(name(Key::Named(NamedKey::ArrowLeft), KeyCode::ArrowLeft).as_deref(), Some("left"));
        assert_eq!(name(Key::Named(NamedKey::Space), KeyCode::Space).as_deref(), Some(" "));
        let f10 = name(Key::Named(NamedKey::F10), KeyCode::F10).expect("a shortcut uses the key");
        assert_eq!(Command::of(&f10, CTRL), Some(Command::RemoveSections));
        use NamedKey::{Delete, Escape, F1, F2, F4, F5, F6, F7, F8, F9, F10, Home};
        let function_keys = [F1, F2, F4, F5, F6, F7, F8, F9, F10, Delete, Escape, Home];
        let named = function_keys.map(|key| name(Key::Named(key), KeyCode::F1).expect("the key is named"));
        let bindings = Keymap::ALL.into_iter().flat_map(|(_, keymap)| keymap.bindings());
        let is_typed = |key: &str| named.iter().any(|name| name.eq_ignore_ascii_case(key));
        let without_name =
            bindings.into_iter().find(|binding| binding.key.len() > 1 && !is_typed(binding.key));
        assert_eq!(without_name, None, "every shortcut can be typed");
        assert_eq!(name(Key::Dead(Some('^')), KeyCode::KeyQ), None);
    }

    #[test]
    fn lasso_and_vertex_keys_are_held_until_release() {
        let held = |keyboard: &Keyboard| (keyboard.mods().lasso, keyboard.mods().vertex);
        let mut keyboard = Keyboard::default();
        keyboard.hold(LASSO_KEY, true);
        keyboard.hold(VERTEX_KEY, true);
        keyboard.hold("x", true);
        assert_eq!(held(&keyboard), (true, true));
        keyboard.hold(LASSO_KEY, false);
        assert_eq!(held(&keyboard), (false, true));
        keyboard.release();
        keyboard.modifiers = ModifiersState::CONTROL;
        keyboard.hold(VERTEX_KEY, true);
        assert_eq!(held(&keyboard), (false, false), "with Ctrl it is a shortcut");
        keyboard.holds_vertex = true;
        keyboard.hold(VERTEX_KEY, false);
        assert_eq!(held(&keyboard), (false, false), "a release always counts");
    }
}
