//! Picking: finds the handle or object under the cursor, and all ids in a region, in the ID target.

pub(crate) mod id_handles;
pub(crate) mod id_image;
pub(crate) mod id_pass;
pub(crate) mod pick_slot;
pub(crate) mod pick_tile;
pub(crate) mod picker;
