//! Rules for the targets after the end of a drag, and for claims at any time.

use wgpu_gizmo_core::handle::Constraint;
use wgpu_gizmo_core::interaction::{Claims, Event};
use wgpu_gizmo_core::{Gizmo, Target, Transform};

/// The bits of a transform: −0.0 differs from 0.0, and a NaN equals itself.
pub(crate) fn bits(transform: &Transform) -> [u64; 10] {
    let Transform { translation: t, rotation: r, scale: s } = *transform;
    [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z].map(f64::to_bits)
}

/// Returns the bits of the local transforms.
pub(crate) fn all_bits(targets: &[Target]) -> Vec<[u64; 10]> {
    targets.iter().map(|target| bits(&target.local)).collect()
}

/// The event that ended a drag, and the starts of that drag.
pub(crate) type EndOfDrag = (Event, Vec<[u64; 10]>);

/// Checks the targets after the end of a drag against its starts.
pub(crate) fn check_end(
    end: Option<Event>,
    starts: &[[u64; 10]],
    started_in: &[[u64; 10]],
    after: &[[u64; 10]],
) {
    match end {
        Some(Event::Canceled) if starts.len() == after.len() => {
            assert_eq!(after, starts, "a canceled drag restores the starts");
        }
        Some(Event::Canceled) => assert_eq!(after, started_in, "a changed list is left alone"),
        Some(Event::Ended { changed: false }) if starts.len() == after.len() => {
            // −0.0 equals 0.0 here, because scaling zero by −1 flips its sign.
            let pairs = starts.as_flattened().iter().zip(after.as_flattened());
            let moved = pairs.filter(|(start, now)| f64::from_bits(**start) != f64::from_bits(**now));
            assert_eq!(moved.count(), 0, "a drag that reports no change changed a target");
        }
        _ => {}
    }
}

/// Asserts that the claims are those of the phase and the settings. `may_have_key` is true if a key that begins a drag
/// may be queued.
pub(crate) fn assert_claims(gizmo: &Gizmo, may_have_key: bool, context: &str) {
    let (claims, input) = (gizmo.claims(), &gizmo.settings.input);
    let (is_active, is_busy) = (gizmo.is_active(), gizmo.is_busy());
    let mut expected = Claims::default();
    (expected.primary_press, expected.primary_drag, expected.click) = (is_busy, is_busy, is_busy);
    (expected.secondary, expected.middle) = (is_busy, is_busy && !input.orbit_in_drag);
    expected.keys = is_active || (may_have_key && claims.keys);
    if !is_busy {
        // A canceled press stays claimed until its release, and its click for one more update.
        (expected.primary_drag, expected.click) = (claims.primary_drag && claims.click, claims.click);
        expected.primary_press = gizmo.hovered().is_some() && claims.primary_press;
    }
    // Nothing is hovered while the button is down elsewhere.
    let hovered = gizmo.hovered().filter(|_| claims.primary_press && (!is_busy || claims.wheel));
    let constraint = hovered.map(|handle| handle.constraint());
    let is_nudged =
        matches!(constraint, Some(Constraint::Axis(_) | Constraint::Ring(_) | Constraint::ViewRing));
    expected.wheel = input.wheel_nudge && (is_active || is_nudged);
    assert_eq!(claims, expected, "{context}");
    assert!(!is_active || gizmo.hovered() == gizmo.dragging(), "{context}");
}
