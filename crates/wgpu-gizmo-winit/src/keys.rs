use wgpu_gizmo_core::interaction::Key;
use winit::keyboard::{Key as WinitKey, KeyCode, ModifiersState, NamedKey, PhysicalKey};

/// Returns the key of the gizmo for a key of winit, if there is one.
///
/// A key is named by its character. If the layout is not Latin, the position of the key on an English
/// keyboard is used instead: X is the key with Ч in a Russian layout. Shift, but not Caps Lock, selects a
/// plane instead of an axis.
pub fn gizmo_key(logical: &WinitKey, physical: PhysicalKey, modifiers: ModifiersState) -> Option<Key> {
    let text = match logical {
        WinitKey::Named(named) => return named_key(*named),
        WinitKey::Character(text) => text.as_str(),
        _ => return None,
    };
    let mut characters = text.chars();
    let (Some(character), None) = (characters.next(), characters.next()) else { return None };
    let is_foreign = !character.is_ascii() && character.is_alphanumeric() && !is_latin(character);
    let character = if is_foreign { english(physical).unwrap_or(character) } else { character };
    let is_shifted = modifiers.shift_key();
    Key::from_char(if is_shifted { character.to_ascii_uppercase() } else { character.to_ascii_lowercase() })
}

/// Returns what a key with this text has typed if it completes a dead key, which must not be taken for the key itself:
/// `^` if Space follows a dead circumflex, and on Windows `^3` if 3 does. The arguments are those of a
/// [`KeyEvent`](winit::event::KeyEvent). Each character is a key of its own for a gizmo.
///
/// ```
/// use wgpu_gizmo_winit::composed_text;
/// use winit::keyboard::{Key, NamedKey};
///
/// assert_eq!(composed_text(&Key::Named(NamedKey::Space), Some("^")), Some("^"));
/// assert_eq!(composed_text(&Key::Named(NamedKey::Space), Some(" ")), None);
/// ```
pub fn composed_text<'a>(logical: &WinitKey, text: Option<&'a str>) -> Option<&'a str> {
    let is_composed = |text: &&str| match logical {
        WinitKey::Named(NamedKey::Space) => *text != " ",
        WinitKey::Character(own) => own != text && text.chars().count() > 1,
        _ => false,
    };
    text.filter(is_composed).filter(|text| !text.is_empty() && !text.contains(char::is_control))
}

/// Returns true if a letter is a Latin letter with a diacritic. Its layout then has x, y and z as well.
fn is_latin(character: char) -> bool {
    matches!(character, '\u{aa}' | '\u{ba}' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

fn named_key(named: NamedKey) -> Option<Key> {
    Some(match named {
        NamedKey::Backspace => Key::Backspace,
        NamedKey::Tab => Key::Tab,
        NamedKey::ArrowLeft => Key::Left,
        NamedKey::ArrowRight => Key::Right,
        NamedKey::ArrowUp => Key::Up,
        NamedKey::ArrowDown => Key::Down,
        NamedKey::Enter => Key::Enter,
        NamedKey::Escape => Key::Escape,
        NamedKey::Space => Key::Char(' '),
        _ => return None,
    })
}

/// Returns the character of an English layout at this position.
fn english(physical: PhysicalKey) -> Option<char> {
    let PhysicalKey::Code(code) = physical else { return None };
    Some(match code {
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
    use super::{Key, composed_text, gizmo_key};
    use wgpu_gizmo_core::handle::Axis;
    use winit::keyboard::{Key as WinitKey, KeyCode, ModifiersState, NamedKey, PhysicalKey};

    const NONE: ModifiersState = ModifiersState::empty();
    const SHIFT: ModifiersState = ModifiersState::SHIFT;

    fn key(text: &str, code: KeyCode, modifiers: ModifiersState) -> Option<Key> {
        gizmo_key(&WinitKey::Character(text.into()), PhysicalKey::Code(code), modifiers)
    }

    #[test]
    fn latin_layouts_use_the_character() {
        assert_eq!(key("x", KeyCode::KeyX, NONE), Some(Key::Axis(Axis::X)));
        // On a German keyboard, Z is at the position of Y.
        assert_eq!(key("z", KeyCode::KeyY, NONE), Some(Key::Axis(Axis::Z)));
        // On a French one, digits need Shift, and a letter with an accent is not an axis.
        assert_eq!(key("7", KeyCode::Digit7, SHIFT), Some(Key::Digit(7)));
        assert_eq!(key("é", KeyCode::Digit2, NONE), Some(Key::Char('é')));
        // A Czech Ž at the position of X would be no X.
        assert_eq!(key("ž", KeyCode::KeyX, NONE), Some(Key::Char('ž')));
    }

    #[test]
    fn dead_keys_are_completed_by_next_key() {
        let space = WinitKey::Named(NamedKey::Space);
        let three = WinitKey::Character("3".into());
        for (logical, text, wanted) in [
            (&space, Some("^"), Some("^")),
            (&space, Some("´"), Some("´")),
            (&space, Some(" "), None),
            (&space, Some(""), None),
            (&space, None, None),
            (&three, Some("^3"), Some("^3")),
            (&three, Some("3"), None),
            // With Ctrl.
            (&three, Some("\u{1b}"), None),
            (&WinitKey::Named(NamedKey::Enter), Some("\r"), None),
            (&WinitKey::Dead(Some('^')), None, None),
        ] {
            assert_eq!(composed_text(logical, text), wanted, "{logical:?} {text:?}");
        }
    }

    #[test]
    fn other_layouts_use_the_position() {
        assert_eq!(key("ч", KeyCode::KeyX, NONE), Some(Key::Axis(Axis::X)));
        assert_eq!(key("Н", KeyCode::KeyY, SHIFT), Some(Key::Plane(Axis::Y)));
        assert_eq!(key("ζ", KeyCode::KeyZ, NONE), Some(Key::Axis(Axis::Z)));
        assert_eq!(key("٥", KeyCode::Digit5, NONE), Some(Key::Digit(5)));
        assert_eq!(key("ф", KeyCode::KeyA, NONE), Some(Key::Char('ф')));
    }

    #[test]
    fn shift_selects_plane_and_caps_lock_does_not() {
        assert_eq!(key("X", KeyCode::KeyX, NONE), Some(Key::Axis(Axis::X)));
        assert_eq!(key("X", KeyCode::KeyX, SHIFT), Some(Key::Plane(Axis::X)));
        assert_eq!(key("x", KeyCode::KeyX, SHIFT), Some(Key::Plane(Axis::X)));
    }
}
