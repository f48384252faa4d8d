//! Rules for the targets after the end of a drag, and for claims at any time.

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

/// Asserts that the claims agree with each other and with the phase.
pub(crate) fn assert_claims(gizmo: &Gizmo, context: &str) {
    let claims = gizmo.claims();
    if gizmo.is_active() {
        let mut of_drag = Claims::default();
        (of_drag.primary_press, of_drag.primary_drag, of_drag.click) = (true, true, true);
        (of_drag.secondary, of_drag.keys) = (true, true);
        (of_drag.wheel, of_drag.middle) = (claims.wheel, claims.middle);
        assert_eq!(claims, of_drag, "{context}");
        assert_eq!(gizmo.hovered(), gizmo.dragging(), "{context}");
    } else if !gizmo.is_busy() {
        assert!(!claims.secondary && !claims.middle, "{context}: {claims:?}");
        assert!(!claims.primary_drag || claims.click, "{context}: {claims:?}");
        assert!(!claims.primary_press || gizmo.hovered().is_some(), "{context}: {claims:?}");
    }
}
