//! Picking: questions and their answers, the rule of tolerance and priority, ids, regions.

mod click_through;
mod cpu_pick;
mod id_space;
mod query;
mod region;
mod rule;

pub use click_through::{PickCycle, PickNext};
pub use id_space::{IdRange, IdSpace, IdSpaceExhausted};
pub use query::{PickAnswer, PickHit, PickOutcome, PickQuery};
pub use region::Region;
pub use rule::{PickTile, Texel};
