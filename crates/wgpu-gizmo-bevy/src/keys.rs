//! Keys of Bevy as keys of the gizmo.

use bevy::input::keyboard::{Key as BevyKey, KeyCode};
use wgpu_gizmo_core::interaction::Key;

/// Returns the key of the gizmo for a key of Bevy, if there is one.
///
/// A key is named by its character. If the layout is not Latin, the position of the key on an English
/// keyboard is used instead: X is the key with Ч in a Russian layout. Shift, but not Caps Lock, selects a
/// plane instead of an axis.
pub(crate) fn gizmo_key(logical: &BevyKey, physical: KeyCode, is_shifted: bool) -> Option<Key> {
    let BevyKey::Character(text) = logical else { return named_key(logical) };
    let mut characters = text.chars();
    let (Some(character), None) = (characters.next(), characters.next()) else { return None };
    let is_foreign = !character.is_ascii() && character.is_alphanumeric() && !is_latin(character);
    let character = if is_foreign { english(physical).unwrap_or(character) } else { character };
    Key::from_char(if is_shifted { character.to_ascii_uppercase() } else { character.to_ascii_lowercase() })
}

/// Returns what a key has typed if it completes a dead key, which must not be taken for the key itself: `^` if Space
/// follows a dead circumflex, and on Windows `^3` if 3 does. Each character is a key of its own for a gizmo.
pub(crate) fn composed_text<'a>(logical: &BevyKey, text: Option<&'a str>) -> Option<&'a str> {
    let is_composed = |text: &&str| match logical {
        BevyKey::Space => *text != " ",
        BevyKey::Character(own) => own != text && text.chars().count() > 1,
        _ => false,
    };
    text.filter(is_composed).filter(|text| !text.is_empty() && !text.contains(char::is_control))
}

/// Returns true if a letter is a Latin letter with a diacritic. Its layout then has x, y and z as well.
fn is_latin(character: char) -> bool {
    matches!(character, '\u{aa}' | '\u{ba}' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

fn named_key(logical: &BevyKey) -> Option<Key> {
    Some(match logical {
        BevyKey::Backspace => Key::Backspace,
        BevyKey::Tab => Key::Tab,
        BevyKey::ArrowLeft => Key::Left,
        BevyKey::ArrowRight => Key::Right,
        BevyKey::ArrowUp => Key::Up,
        BevyKey::ArrowDown => Key::Down,
        BevyKey::Enter => Key::Enter,
        BevyKey::Escape => Key::Escape,
        BevyKey::Space => Key::Char(' '),
        _ => return None,
    })
}

/// Returns the character of an English layout at this position.
fn english(physical: KeyCode) -> Option<char> {
    Some(match physical {
        KeyCode::KeyX => 'x',
        KeyCode::KeyY => 'y',
        KeyCode::KeyZ => 'z',
        KeyCode::Digit0 | KeyCode::Numpad0 => '0',
        KeyCode::Digit1 | KeyCode::Numpad1 => '1',
        KeyCode::Digit2 | KeyCode::Numpad2 => '2',
        KeyCode::Digit3 | KeyCode::Numpad3 => '3',
        KeyCode::Digit4 | KeyCode::Numpad4 => '4',
        KeyCode::Digit5 | KeyCode::Numpad5 => '5',
        KeyCode::Digit6 | KeyCode::Numpad6 => '6',
        KeyCode::Digit7 | KeyCode::Numpad7 => '7',
        KeyCode::Digit8 | KeyCode::Numpad8 => '8',
        KeyCode::Digit9 | KeyCode::Numpad9 => '9',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{BevyKey, Key, KeyCode, gizmo_key};
    use wgpu_gizmo_core::handle::Axis;

    fn key(text: &str, code: KeyCode, is_shifted: bool) -> Option<Key> {
        gizmo_key(&BevyKey::Character(text.into()), code, is_shifted)
    }

    #[test]
    fn latin_layouts_use_the_character() {
        // On a German keyboard, Z is at the position of Y. A French one has digits on Shift.
        assert_eq!(key("z", KeyCode::KeyY, false), Some(Key::Axis(Axis::Z)));
        assert_eq!(key("7", KeyCode::Digit7, true), Some(Key::Digit(7)));
        assert_eq!(key("ž", KeyCode::KeyX, false), Some(Key::Char('ž')));
    }

    #[test]
    fn other_layouts_use_the_position() {
        assert_eq!(key("ч", KeyCode::KeyX, false), Some(Key::Axis(Axis::X)));
        assert_eq!(key("Н", KeyCode::KeyY, true), Some(Key::Plane(Axis::Y)));
        assert_eq!(key("٥", KeyCode::Digit5, false), Some(Key::Digit(5)));
    }

    #[test]
    fn shift_selects_plane_and_caps_lock_does_not() {
        assert_eq!(key("X", KeyCode::KeyX, false), Some(Key::Axis(Axis::X)));
        assert_eq!(key("x", KeyCode::KeyX, true), Some(Key::Plane(Axis::X)));
    }

    #[test]
    fn named_keys_are_converted_and_unknown_keys_ignored() {
        let named = |key| gizmo_key(&key, KeyCode::Enter, false);
        assert_eq!(named(BevyKey::Enter), Some(Key::Enter));
        assert_eq!(named(BevyKey::Escape), Some(Key::Escape));
        assert_eq!(named(BevyKey::F1), None);
        assert_eq!(key("ch", KeyCode::KeyX, false), None);
    }
}
