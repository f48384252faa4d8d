//! Tests of the renderer, the picker and the scene's picking on a real device. One binary, so that one
//! process creates one device.
#![allow(missing_docs, reason = "test names describe themselves")]

#[path = "../common/mod.rs"]
mod common;

mod contrast;
mod coverage;
mod custom;
mod facade;
mod field;
mod geometry;
mod guides;
mod id_image;
mod limits;
mod objects;
mod outline;
mod outlined_scene;
mod packed_ids;
mod pass_state;
mod pick_scene;
mod picker;
mod protocol;
mod region;
mod renderer;
mod scene_depth;
mod several;
mod triangles;
mod under_pointer;
