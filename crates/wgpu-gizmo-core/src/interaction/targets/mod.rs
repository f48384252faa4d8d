//! What a gizmo moves: the targets, their starts and parents, and the change that is applied to them.

pub(crate) mod bounds;
pub(crate) mod limits;
pub(crate) mod motion;
pub(crate) mod parent;
pub(crate) mod starts;
pub(crate) mod step;
pub(crate) mod target;
