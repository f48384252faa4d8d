//! A gizmo in panels of egui, on both back ends, with the callbacks run on a real device.
#![allow(missing_docs, reason = "test names describe themselves")]

mod host;
mod objects;
mod panels;
mod picture;
mod pointer;
mod sliders;
mod viewports;
