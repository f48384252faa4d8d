//! The picture of handles, guides and grids in the host's pass.

pub(crate) mod grids;
pub(crate) mod picture;
pub(crate) mod renderer;
pub(crate) mod runs;
pub(crate) mod scene_depth;
