//! The ID target: the layout of its texels, its attachments, and the part of a view that it shows.

pub(crate) mod object_pass;
pub(crate) mod texel_layout;
pub(crate) mod tile;
pub(crate) mod tile_view;
pub(crate) mod tiling;
