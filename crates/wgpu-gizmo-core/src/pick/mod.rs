//! Picking: queries and answers, the rule for tolerance and priority, ids, and regions.
//!
//! Each texel of the ID image holds the id of the handle or object that is visible there, and 0 means
//! nothing. An [`IdSpace`] allocates the ids. A [`PickQuery`] asks for the id under a cursor, and its
//! [`PickAnswer`] arrives in a later frame. Within the tolerance, a rule chooses one texel (§14 of
//! docs/spec.md). A [`Region`] selects all ids in a rectangle or a lasso,
//! and a [`ClickThrough`] steps through the objects behind one pixel. [`snap`] finds the vertex, edge or
//! face that a drag snaps to.
//!
//! The types of this module work without a GPU. The `Picker` of the crate `wgpu-gizmo` renders the ID image.

mod click_through;
mod cpu_pick;
mod id_space;
mod query;
mod region;
mod rule;
pub mod snap;

pub use click_through::ClickThrough;
pub use id_space::{IdRange, IdSpace, IdSpaceExhausted, OwnedIds};
pub use query::{PickAnswer, PickHit, PickOutcome, PickQuery};
pub use region::Region;
pub use rule::Candidate;
