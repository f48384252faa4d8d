//! The targets, their starts and parents, and the changes that are applied to them.

pub(crate) mod bounds;
mod limits;
pub(crate) mod motion;
pub(crate) mod parent;
pub(crate) mod starts;
pub(crate) mod target;
