//! What a drag says of itself, and where that goes.

use super::drag::Drag;
use super::motion::Change;
use crate::draw::DrawList;
use crate::handle::{Axis, Channel, Constraint};
use crate::math::View;
use glam::{DVec2, DVec3};
use std::fmt::Write;

/// Logical pixels that a character of a readout takes, and a line of it.
const CHARACTER_LPX: DVec2 = DVec2::new(8.0, 16.0);
/// Least distance of a readout from the edges of the viewport, in logical pixels.
pub(super) const MARGIN_LPX: f64 = 4.0;

/// Returns the size that is kept free for a readout of this many characters, in logical pixels: at
/// least that of a usual text, so that the anchor does not move with every digit.
fn room(drag: &Drag, characters: usize) -> DVec2 {
    let usual = match drag.handle().constraint() {
        Constraint::ViewPlane => 30,
        Constraint::Plane(_) => 20,
        _ => 14,
    };
    CHARACTER_LPX * DVec2::new(usual.max(characters) as f64, 1.0)
}

/// Adds the readout of a drag to the list, at the anchor that `beside` returns for the size of its
/// text in logical pixels, or toward the pivot if that has no pixel.
pub(super) fn add(
    list: &mut DrawList,
    view: &View,
    wording: &Wording<'_>,
    beside: impl Fn(DVec2) -> Option<DVec2>,
) {
    let anchor_px = |text: &str| {
        let room_lpx = room(wording.drag, text.chars().count());
        Some(beside(room_lpx).unwrap_or_else(|| anchor_toward(view, wording.drag, room_lpx)))
    };
    list.say(|text| wording.write(text).unwrap_or_default(), anchor_px);
}

/// Returns the anchor of a text of this size, in physical pixels, that is nearest to `at` and keeps
/// all of the text in the viewport.
pub(super) fn kept_inside(view: &View, at: DVec2, room: DVec2) -> DVec2 {
    let v = view.viewport();
    let [low, high] = [DVec2::new(v.x, v.y), DVec2::new(v.x + v.width, v.y + v.height)];
    let margin = DVec2::splat(MARGIN_LPX * view.scale_factor());
    let least = low + margin + DVec2::new(0.0, 0.5 * room.y);
    let most = high - margin - DVec2::new(room.x, 0.5 * room.y);
    // In a viewport too small for it, the start of the text is what counts.
    at.min(most).max(least.min(high))
}

/// Returns the anchor of a readout whose pivot has no pixel: the edge of the viewport on the side
/// where the pivot left it, or the bottom if the pivot is straight behind the viewer.
fn anchor_toward(view: &View, drag: &Drag, room_lpx: DVec2) -> DVec2 {
    let v = view.viewport();
    let middle = DVec2::new(v.x + 0.5 * v.width, v.y + 0.5 * v.height);
    let pivot = view.px_homogeneous(drag.placement().pivot_world.extend(1.0));
    // For w > 0 this is w times the way from the middle to the pivot's pixel, and it is continuous
    // at w = 0, where the pixel is at infinity.
    let toward = (pivot.truncate() - middle * pivot.z).normalize_or(DVec2::Y);
    let room = room_lpx * view.scale_factor();
    let left_end = middle + toward * (v.width + v.height) - DVec2::new(0.5 * room.x, 0.0);
    kept_inside(view, left_end, room)
}

/// What a readout says.
pub(super) struct Wording<'a> {
    pub(super) drag: &'a Drag,
    /// World units that are worth saying, where the view tells.
    pub(super) least: Option<f64>,
}

impl Wording<'_> {
    /// The text of the readout: what is typed, or how far the drag has gone.
    pub(super) fn write(&self, text: &mut String) -> std::fmt::Result {
        let (drag, constraint) = (self.drag, self.drag.handle().constraint());
        let channel = constraint.channel();
        if channel == Channel::Scale {
            write_names(text, constraint)?;
        }
        let start = text.len();
        if let Some(typed) = drag.typed() {
            match channel {
                Channel::Translate => {
                    write_names(text, constraint)?;
                    write!(text, "{typed}")?;
                }
                Channel::Rotate => write!(text, "{typed}°")?,
                Channel::Scale => write!(text, "×{typed}")?,
            }
        } else {
            match drag.motion().change {
                Change::Translate(_) => self.write_way(text, drag.way())?,
                Change::Scale(_) => write!(text, "×{:.2}", drag.numbers().first().copied().unwrap_or(1.0))?,
                Change::RotateFreely(by) => write_degrees(text, by.to_axis_angle().1)?,
                change => write_degrees(text, change.total_angle())?,
            }
        }
        debug_assert!(text.len() > start, "every drag has something to say");
        if drag.motion().clamped {
            write!(text, " (limit)")?;
        }
        Ok(())
    }

    fn write_way(&self, text: &mut String, by: DVec3) -> std::fmt::Result {
        let digits = self.least.map_or(3.0, |least| (-least.log10()).floor().clamp(3.0, 9.0)) as usize;
        let mut separator = "";
        for axis in Axis::ALL {
            let moves = match self.drag.handle().constraint() {
                Constraint::Axis(along) => axis == along,
                Constraint::Plane(normal) => axis != normal,
                _ => true,
            };
            if moves {
                // A view plane's way is told along the axes of the world.
                let along = match self.drag.handle().constraint() {
                    Constraint::Axis(_) | Constraint::Plane(_) => by.dot(self.drag.axes().col(axis.index())),
                    _ => by[axis.index()],
                };
                write!(text, "{separator}{axis:?} {:.digits$}", without_minus_zero(along, digits))?;
                separator = "  ";
            }
        }
        Ok(())
    }
}

/// The axes that a handle scales, where it does not scale all.
fn write_names(text: &mut String, constraint: Constraint) -> std::fmt::Result {
    match constraint {
        Constraint::Axis(axis) | Constraint::ScaleAxis(axis) => write!(text, "{axis:?} "),
        Constraint::Plane(normal) | Constraint::ScalePlane(normal) => {
            let [a, b] = normal.others();
            write!(text, "{a:?}{b:?} ")
        }
        _ => Ok(()),
    }
}

fn write_degrees(text: &mut String, radians: f64) -> std::fmt::Result {
    write!(text, "{:.1}°", without_minus_zero(radians.to_degrees(), 1))
}

/// What rounds to nothing is nothing, and not less.
fn without_minus_zero(number: f64, digits: usize) -> f64 {
    if number.abs() * 10f64.powi(digits as i32) < 0.5 { 0.0 } else { number }
}
