//! What one view shows of gizmos: the draw list, layout, guides and readouts.

pub(crate) mod grid;
pub(crate) mod guides;
mod handles;
mod layout;
mod letters;
mod list;
mod projection;

pub use grid::GuideGrid;
pub use guides::GuideVertex;
pub(crate) use handles::{BALL_RADIUS, Look, OUTER_RING, Shown, Stand, append, append_letter};
pub(crate) use layout::{Arrangement, FAR_HALF, Flips, Layout};
pub use list::{DrawList, Instance, Item, Readout};
pub(crate) use list::{Layer, Share, Span};
