//! The targets, their starts and parents, and the changes that are applied to them.

pub(crate) mod bounds;
pub(crate) mod limits;
pub(crate) mod motion;
pub(crate) mod parent;
pub(crate) mod starts;
pub(crate) mod step;
pub(crate) mod target;
