//! The picture of the view cube and its ids.

mod draw;
mod shape;

pub(crate) use draw::{CubeDraws, CubeIds, CubeRenderer};
