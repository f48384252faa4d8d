//! Transforms as text for the clipboard. The JSON has the keys of an object in a replay, so it can be pasted
//! there too.

use gltf_io::Result;
use gltf_io::json::{self, Json};
use session::replay_file::values::{CHANNELS, Channels, normalizable, transform_to_json};
use wgpu_gizmo::Transform;

/// Returns a transform as JSON that reads back as the same numbers.
pub(super) fn write(transform: &Transform) -> String {
    transform_to_json(transform).to_string()
}

/// Parses a text. The result sets the channels that the text has and keeps the others. At least one is
/// required.
pub(super) fn read(text: &str) -> Result<impl Fn(&Transform) -> Transform + use<>> {
    let document = json::parse(text.trim().as_bytes())?;
    let json = Json::root(&document);
    json.only(&CHANNELS)?;
    let channels = Channels::read(&json)?;
    json.read("rotation", normalizable)?;
    if channels == Channels::default() {
        return Err(json.error("has no translation, rotation or scale"));
    }
    Ok(move |start: &Transform| channels.set_in(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu_gizmo::glam::{DQuat, DVec3};

    #[test]
    fn copied_transform_is_pasted_bit_for_bit() {
        let odd = Transform {
            translation: DVec3::new(0.1, -1e300, 5e-324),
            rotation: DQuat::from_xyzw(0.1, 0.2, 0.3, 0.4),
            scale: DVec3::new(-1.0 / 3.0, 0.0, 7.0),
        };
        let paste = read(&write(&odd)).expect("the text is valid");
        assert_eq!(paste(&Transform::IDENTITY), odd);
        let part = read(" {\"scale\": [2, 3, 4]}\n").expect("the text is valid");
        assert_eq!(part(&odd), Transform { scale: DVec3::new(2.0, 3.0, 4.0), ..odd });
    }

    #[test]
    fn invalid_transform_text_gives_location() {
        let refused = |text| read(text).err().map(|error| error.to_string()).unwrap_or_default();
        for (text, location) in [
            ("hello", "line 1"),
            ("", "line 1"),
            ("{}", "has no translation"),
            ("[1, 2, 3]", "an object"),
            ("{\"scale\": [1, 2]}", "scale"),
            ("{\"turn\": [1, 2, 3]}", "turn"),
            ("{\"rotation\": [0, 0, 0, 0]}", "not a rotation"),
            ("{\"translation\": [1, 2, 1e999]}", "line 1"),
        ] {
            assert!(refused(text).contains(location), "{text}: {}", refused(text));
        }
    }
}
