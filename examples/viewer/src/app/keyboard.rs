//! Names of keys. A key is named by its character in the active layout. If the layout is not Latin, the key
//! is named by its position on an English keyboard, so Ctrl+S is the key with Ы in a Russian layout.

use session::keymap::key_name;
use winit::keyboard::{Key, KeyCode, PhysicalKey};

/// The characters of an English layout, by key position.
const ENGLISH: [(KeyCode, &str); 38] = [
    (KeyCode::KeyA, "a"),
    (KeyCode::KeyB, "b"),
    (KeyCode::KeyC, "c"),
    (KeyCode::KeyD, "d"),
    (KeyCode::KeyE, "e"),
    (KeyCode::KeyF, "f"),
    (KeyCode::KeyG, "g"),
    (KeyCode::KeyH, "h"),
    (KeyCode::KeyI, "i"),
    (KeyCode::KeyJ, "j"),
    (KeyCode::KeyK, "k"),
    (KeyCode::KeyL, "l"),
    (KeyCode::KeyM, "m"),
    (KeyCode::KeyN, "n"),
    (KeyCode::KeyO, "o"),
    (KeyCode::KeyP, "p"),
    (KeyCode::KeyQ, "q"),
    (KeyCode::KeyR, "r"),
    (KeyCode::KeyS, "s"),
    (KeyCode::KeyT, "t"),
    (KeyCode::KeyU, "u"),
    (KeyCode::KeyV, "v"),
    (KeyCode::KeyW, "w"),
    (KeyCode::KeyX, "x"),
    (KeyCode::KeyY, "y"),
    (KeyCode::KeyZ, "z"),
    (KeyCode::Digit0, "0"),
    (KeyCode::Digit1, "1"),
    (KeyCode::Digit2, "2"),
    (KeyCode::Digit3, "3"),
    (KeyCode::Digit4, "4"),
    (KeyCode::Digit5, "5"),
    (KeyCode::Digit6, "6"),
    (KeyCode::Digit7, "7"),
    (KeyCode::Digit8, "8"),
    (KeyCode::Digit9, "9"),
    (KeyCode::Period, "."),
    (KeyCode::Minus, "-"),
];

/// Names keys, and infers the script of the layout from the typed characters.
#[derive(Debug, Default)]
pub(super) struct Keyboard {
    /// Whether the last typed letter was not Latin.
    is_non_latin: bool,
}

impl Keyboard {
    /// Returns the name of a key: a character, or a name in the table of commands.
    pub(super) fn name<'a>(&mut self, logical: &'a Key, physical: PhysicalKey) -> Option<&'a str> {
        let text = match logical {
            Key::Named(named) => {
                return key_name(&format!("{named:?}"));
            }
            Key::Character(text) => text.as_str(),
            _ => return None,
        };
        let english = match physical {
            PhysicalKey::Code(code) => ENGLISH.iter().find(|(key, _)| *key == code).map(|(_, name)| *name),
            PhysicalKey::Unidentified(_) => None,
        };
        match Script::of(text) {
            Script::Latin => self.is_non_latin = false,
            Script::Other => {
                self.is_non_latin = true;
                return english.or(Some(text));
            }
            Script::None => {}
        }
        // Greek has a semicolon on the Q key and Hebrew a slash: these keys are named by position. Dvorak has
        // punctuation on such keys too, but as a Latin layout it is named by character.
        let is_letter_key = english.is_some_and(|name| name.as_bytes()[0].is_ascii_alphabetic());
        match self.is_non_latin && is_letter_key && Script::of(text) == Script::None {
            true => english,
            false => Some(text),
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
    use session::command::{Command, SHORTCUTS};
    use winit::keyboard::NamedKey;

    /// Returns the names of keys that are pressed one after the other.
    fn names(keys: &[(&str, KeyCode)]) -> Vec<String> {
        let mut keyboard = Keyboard::default();
        let name = |(text, code): &(&str, KeyCode)| {
            let key = Key::Character((*text).into());
            keyboard.name(&key, PhysicalKey::Code(*code)).expect("the key has a name").to_owned()
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
        assert_eq!(Command::of(&names(&russian)[0], true, false), Some(Command::Save));
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
        let mut name =
            |key: Key, code: KeyCode| keyboard.name(&key, PhysicalKey::Code(code)).map(str::to_owned);
        assert_eq!(name(Key::Named(NamedKey::Escape), KeyCode::CapsLock).as_deref(), Some("escape"));
        assert_eq!(name(Key::Named(NamedKey::ArrowLeft), KeyCode::ArrowLeft).as_deref(), Some("left"));
        assert_eq!(name(Key::Named(NamedKey::Space), KeyCode::Space), None);
        let f10 = name(Key::Named(NamedKey::F10), KeyCode::F10).expect("a shortcut uses the key");
        assert_eq!(Command::of(&f10, true, false), Some(Command::RemoveSections));
        let function_keys = [
            NamedKey::F1,
            NamedKey::F2,
            NamedKey::F4,
            NamedKey::F5,
            NamedKey::F6,
            NamedKey::F7,
            NamedKey::F8,
            NamedKey::F9,
            NamedKey::F10,
            NamedKey::Delete,
            NamedKey::Escape,
        ];
        let named = function_keys.map(|key| name(Key::Named(key), KeyCode::F1).expect("the key is named"));
        let without_name =
            SHORTCUTS.iter().find(|s| s.key.len() > 1 && !named.iter().any(|name| name == s.key));
        assert_eq!(without_name, None, "every shortcut can be typed");
        assert_eq!(name(Key::Dead(Some('^')), KeyCode::KeyQ), None);
    }
}
