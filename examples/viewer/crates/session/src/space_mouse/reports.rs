//! Reads the reports of 3D mice: messages of the daemon spacenavd, and HID reports of 3Dconnexion devices.
//!
//! | axis | HID | spacenavd | [`Deflection`] |
//! |---|---|---|---|
//! | right | 1st | 1st | `x` |
//! | up | −3rd | 2nd | `y` |
//! | toward the user | 2nd | −3rd | `z` |
//!
//! Rotations are about the same axes, counterclockwise if the axis points at the observer.

use super::Deflection;
use wgpu_gizmo_core::glam::DVec3;

/// The count that devices report at full deflection. The daemon has the same range at its default
/// sensitivity.
const FULL: f64 = 350.0;

/// A report of a 3D mouse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Report {
    /// The cap has this deflection now.
    Moved(Deflection),
    /// A button was pressed. They are counted from 0.
    Pressed(u32),
}

/// The size of a message of spacenavd, in bytes.
pub const MESSAGE_BYTES: usize = 32;

/// Reads a message of spacenavd: eight integers, of which the first is the type. Returns `None` for types
/// that move nothing.
pub fn from_spacenavd(message: &[u8; MESSAGE_BYTES]) -> Option<Report> {
    let mut words = [0; MESSAGE_BYTES / 4];
    for (word, bytes) in words.iter_mut().zip(message.chunks_exact(4)) {
        *word = i32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    let [kind, x, y, z, rx, ry, rz, _] = words;
    let axes = |x: i32, y: i32, z: i32| DVec3::new(x.into(), y.into(), -f64::from(z)) / FULL;
    match kind {
        0 => Some(Report::Moved(Deflection { translation: axes(x, y, z), rotation: axes(rx, ry, rz) })),
        1 => u32::try_from(x).ok().map(Report::Pressed),
        _ => None,
    }
}

/// Reads HID reports. A device sends translation and rotation in one report or in two, depending on its
/// model.
#[derive(Debug, Default)]
pub struct HidReader {
    deflection: Deflection,
    /// The pressed buttons, one bit each.
    buttons: u32,
}

impl HidReader {
    /// Reads a report, whose first byte is its id. Returns what it says, if anything.
    pub fn read(&mut self, report: &[u8]) -> Vec<Report> {
        match report {
            [1, data @ ..] if data.len() >= 12 => {
                self.deflection = Deflection { translation: axes(data), rotation: axes(&data[6..]) };
            }
            [1, data @ ..] if data.len() >= 6 => self.deflection.translation = axes(data),
            [2, data @ ..] if data.len() >= 6 => self.deflection.rotation = axes(data),
            [3, data @ ..] => return self.read_buttons(data),
            _ => return Vec::new(),
        }
        vec![Report::Moved(self.deflection)]
    }

    fn read_buttons(&mut self, data: &[u8]) -> Vec<Report> {
        let mut bytes = [0; 4];
        bytes.iter_mut().zip(data).for_each(|(to, from)| *to = *from);
        let now = u32::from_le_bytes(bytes);
        let pressed = now & !std::mem::replace(&mut self.buttons, now);
        (0..u32::BITS).filter(|button| pressed & (1 << button) != 0).map(Report::Pressed).collect()
    }
}

/// Returns a vector from three counts. The axes of devices point right, toward the user and down.
fn axes(data: &[u8]) -> DVec3 {
    let count = |axis: usize| f64::from(i16::from_le_bytes([data[2 * axis], data[2 * axis + 1]]));
    DVec3::new(count(0), -count(2), count(1)) / FULL
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(words: [i32; 8]) -> [u8; MESSAGE_BYTES] {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        bytes.try_into().expect("eight words have 32 bytes")
    }

    fn moved(translation: [f64; 3], rotation: [f64; 3]) -> Report {
        let [translation, rotation] = [translation, rotation].map(|axes| DVec3::from(axes) / FULL);
        Report::Moved(Deflection { translation, rotation })
    }

    #[test]
    fn spacenavd_messages_have_axes_of_view() {
        let motion = message([0, 350, -7, 20, 1, 2, -3, 16]);
        assert_eq!(from_spacenavd(&motion), Some(moved([350.0, -7.0, -20.0], [1.0, 2.0, 3.0])));
        assert_eq!(from_spacenavd(&message([0; 8])), Some(Report::Moved(Deflection::REST)));
        assert_eq!(from_spacenavd(&message([1, 1, 1, 0, 0, 0, 0, 0])), Some(Report::Pressed(1)));
        for silent in [[2, 1, 0, 0, 0, 0, 0, 0], [1, -1, 0, 0, 0, 0, 0, 0], [7; 8], [i32::MIN; 8]] {
            assert_eq!(from_spacenavd(&message(silent)), None, "{silent:?}");
        }
    }

    #[test]
    fn separate_hid_reports_accumulate() {
        let mut reader = HidReader::default();
        // A SpaceNavigator: the cap is pushed away and down, then turned clockwise as seen from above.
        let push = [0x01, 0x05, 0x00, 0xa2, 0xfe, 0x40, 0x00];
        assert_eq!(reader.read(&push), [moved([5.0, -64.0, -350.0], [0.0; 3])]);
        let turn = [0x02, 0x00, 0x00, 0x03, 0x00, 0x5e, 0x01];
        assert_eq!(reader.read(&turn), [moved([5.0, -64.0, -350.0], [0.0, -350.0, 3.0])]);
        let rest = [0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00];
        assert_eq!(reader.read(&rest), [moved([0.0; 3], [0.0, -350.0, 3.0])]);
    }

    #[test]
    fn combined_hid_report_has_six_axes() {
        // A SpaceMouse Wireless.
        let report = [0x01, 0x5e, 0x01, 0x00, 0x00, 0xa2, 0xfe, 0x0a, 0x00, 0xf6, 0xff, 0x02, 0x00];
        let expected = moved([350.0, 350.0, 0.0], [10.0, -2.0, -10.0]);
        assert_eq!(HidReader::default().read(&report), [expected]);
    }

    #[test]
    fn hid_buttons_are_reported_when_pressed() {
        let mut reader = HidReader::default();
        assert_eq!(reader.read(&[3, 0b01, 0]), [Report::Pressed(0)]);
        assert_eq!(reader.read(&[3, 0b11, 0]), [Report::Pressed(1)]);
        assert_eq!(reader.read(&[3, 0b10, 0]), []);
        assert_eq!(reader.read(&[3, 0, 0x80, 0, 1, 9]), [Report::Pressed(15), Report::Pressed(24)]);
    }

    #[test]
    fn malformed_hid_reports_are_ignored() {
        let mut reader = HidReader::default();
        for report in [&[] as &[u8], &[1], &[1, 2, 3, 4, 5, 6], &[2, 0, 0], &[28, 1, 1], &[255; 64]] {
            assert_eq!(reader.read(report), [], "{report:?}");
        }
    }
}
