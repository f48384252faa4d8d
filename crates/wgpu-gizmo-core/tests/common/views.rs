//! A table with every kind of projection that a host may use.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use wgpu_gizmo_core::glam::{DMat4, DVec3, DVec4, dcamera};
use wgpu_gizmo_core::{View, Viewport};

/// The position, orientation and viewport of a camera.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Camera {
    pub(crate) eye: DVec3,
    pub(crate) look_at: DVec3,
    pub(crate) up: DVec3,
    pub(crate) viewport: Viewport,
    pub(crate) scale_factor: f64,
}

impl Camera {
    /// Creates a camera at `eye` that looks at the origin, with Y up, 800 x 600 pixels and a scale
    /// factor of 1.
    pub(crate) fn at(eye: DVec3) -> Self {
        Self {
            eye,
            look_at: DVec3::ZERO,
            up: DVec3::Y,
            viewport: Viewport::from_size(800, 600),
            scale_factor: 1.0,
        }
    }

    fn distance(&self) -> f64 {
        self.eye.distance(self.look_at)
    }

    fn aspect(&self) -> f64 {
        self.viewport.width / self.viewport.height
    }
}

/// The form in which the matrices are passed to the [`View`].
#[derive(Debug, Clone, Copy, PartialEq)]
enum Entry {
    Two,
    Combined,
    SinglePrecision,
}

/// An entry of the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Projection {
    pub(crate) name: &'static str,
    pub(crate) left_handed: bool,
    pub(crate) reversed: bool,
    pub(crate) orthographic: bool,
    clip_from_view: fn(&Camera) -> DMat4,
    entry: Entry,
    adjust: fn(Camera) -> Camera,
}

/// Vertical field of view of all perspective projections in the table, in radians.
pub(crate) const FOV: f64 = 0.9;
const NEAR: f64 = 0.05;
const FAR: f64 = 500.0;

/// A view with the matrices that it was made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shot {
    pub(crate) view: View,
    pub(crate) view_from_world: DMat4,
    pub(crate) clip_from_world: DMat4,
}

impl Projection {
    /// Returns the host's matrices: `view_from_world` and `clip_from_view`.
    pub(crate) fn matrices(&self, camera: &Camera) -> (DMat4, DMat4) {
        let Camera { eye, look_at, up, .. } = *camera;
        let view_from_world = if self.left_handed {
            dcamera::lh::view::look_at_mat4(eye, look_at, up)
        } else {
            dcamera::rh::view::look_at_mat4(eye, look_at, up)
        };
        let clip_from_view = (self.clip_from_view)(camera);
        let clip_from_view = if self.reversed { flipped_depth() * clip_from_view } else { clip_from_view };
        if self.entry == Entry::SinglePrecision {
            return (view_from_world.as_mat4().as_dmat4(), clip_from_view.as_mat4().as_dmat4());
        }
        (view_from_world, clip_from_view)
    }

    /// Returns the camera with the viewport and scale factor of this entry.
    pub(crate) fn adjusted(&self, camera: &Camera) -> Camera {
        (self.adjust)(*camera)
    }

    /// Returns the two matrices that the [`View`] is made from, for an adjusted camera. Their
    /// product is `clip_from_world`; if the view is made from one combined matrix, the second is
    /// the identity.
    pub(crate) fn factors(&self, camera: &Camera) -> [DMat4; 2] {
        let (view_from_world, clip_from_view) = self.matrices(camera);
        match self.entry {
            Entry::Combined => [clip_from_view * view_from_world, DMat4::IDENTITY],
            Entry::Two | Entry::SinglePrecision => [clip_from_view, view_from_world],
        }
    }

    /// Creates the view of a camera, with the viewport and scale factor of this entry.
    pub(crate) fn shot(&self, camera: &Camera) -> Shot {
        let camera = (self.adjust)(*camera);
        let (view_from_world, clip_from_view) = self.matrices(&camera);
        let Camera { viewport, scale_factor, .. } = camera;
        let clip_from_world = clip_from_view * view_from_world;
        let view = match self.entry {
            Entry::Two => View::new(view_from_world, clip_from_view, viewport, scale_factor),
            Entry::Combined => View::from_clip_from_world(clip_from_world, viewport, scale_factor),
            Entry::SinglePrecision => {
                View::new(view_from_world.as_mat4(), clip_from_view.as_mat4(), viewport, scale_factor)
            }
        };
        let view = view.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        Shot { view, view_from_world, clip_from_world }
    }

    /// Creates the view of a camera.
    pub(crate) fn view(&self, camera: &Camera) -> View {
        self.shot(camera).view
    }
}

/// Returns the matrix of z' = w − z, which maps near to 1 and far to 0.
fn flipped_depth() -> DMat4 {
    DMat4::from_cols(DVec4::X, DVec4::Y, DVec4::new(0.0, 0.0, -1.0, 0.0), DVec4::new(0.0, 0.0, 1.0, 1.0))
}

fn perspective(camera: &Camera) -> DMat4 {
    dcamera::rh::proj::directx::perspective(FOV, camera.aspect(), NEAR, FAR)
}

fn left_handed_perspective(camera: &Camera) -> DMat4 {
    dcamera::lh::proj::directx::perspective(FOV, camera.aspect(), NEAR, FAR)
}

/// An asymmetric frustum whose center is not in front of the eye.
fn off_axis(camera: &Camera) -> DMat4 {
    let top = NEAR * (FOV * 0.5).tan();
    let right = top * camera.aspect();
    dcamera::rh::proj::directx::frustum(-1.6 * right, 0.7 * right, -0.6 * top, 1.5 * top, NEAR, FAR)
}

fn infinite(camera: &Camera) -> DMat4 {
    dcamera::rh::proj::directx::perspective_infinite(FOV, camera.aspect(), NEAR)
}

fn left_handed_infinite(camera: &Camera) -> DMat4 {
    dcamera::lh::proj::directx::perspective_infinite(FOV, camera.aspect(), NEAR)
}

/// Returns the extent that a perspective of the table shows at the camera's focus distance.
fn extent(camera: &Camera) -> [f64; 4] {
    let top = camera.distance() * (FOV * 0.5).tan();
    let right = top * camera.aspect();
    [-right, right, -top, top]
}

fn orthographic(camera: &Camera) -> DMat4 {
    let [left, right, bottom, top] = extent(camera);
    dcamera::rh::proj::directx::orthographic(left, right, bottom, top, NEAR, FAR)
}

fn left_handed_orthographic(camera: &Camera) -> DMat4 {
    let [left, right, bottom, top] = extent(camera);
    dcamera::lh::proj::directx::orthographic(left, right, bottom, top, NEAR, FAR)
}

fn unchanged(camera: Camera) -> Camera {
    camera
}

fn with_offset(camera: Camera) -> Camera {
    let viewport = Viewport { x: 213.0, y: 97.0, ..camera.viewport };
    Camera { viewport, ..camera }
}

fn with_double_scale(camera: Camera) -> Camera {
    let Viewport { x, y, width, height } = camera.viewport;
    let viewport = Viewport { x: 2.0 * x, y: 2.0 * y, width: 2.0 * width, height: 2.0 * height };
    Camera { viewport, scale_factor: 2.0, ..camera }
}

const PLAIN: Projection = Projection {
    name: "right-handed perspective",
    left_handed: false,
    reversed: false,
    orthographic: false,
    clip_from_view: perspective,
    entry: Entry::Two,
    adjust: unchanged,
};

/// Every kind of projection.
pub(crate) const ALL: [Projection; 15] = [
    PLAIN,
    Projection {
        name: "left-handed perspective",
        left_handed: true,
        clip_from_view: left_handed_perspective,
        ..PLAIN
    },
    Projection { name: "off-axis perspective", clip_from_view: off_axis, ..PLAIN },
    Projection { name: "infinite far", clip_from_view: infinite, ..PLAIN },
    Projection { name: "reversed depth, finite far", reversed: true, ..PLAIN },
    Projection { name: "reversed depth, infinite far", reversed: true, clip_from_view: infinite, ..PLAIN },
    Projection {
        name: "left-handed, reversed depth, infinite far",
        left_handed: true,
        reversed: true,
        clip_from_view: left_handed_infinite,
        ..PLAIN
    },
    Projection { name: "orthographic", orthographic: true, clip_from_view: orthographic, ..PLAIN },
    Projection {
        name: "orthographic, reversed depth",
        orthographic: true,
        reversed: true,
        clip_from_view: orthographic,
        ..PLAIN
    },
    Projection {
        name: "left-handed orthographic",
        left_handed: true,
        orthographic: true,
        clip_from_view: left_handed_orthographic,
        ..PLAIN
    },
    Projection { name: "viewport at an offset", adjust: with_offset, ..PLAIN },
    Projection { name: "two pixels to the pixel", adjust: with_double_scale, ..PLAIN },
    Projection { name: "one combined matrix", entry: Entry::Combined, ..PLAIN },
    Projection { name: "single precision", entry: Entry::SinglePrecision, ..PLAIN },
    Projection {
        name: "single precision, orthographic",
        orthographic: true,
        entry: Entry::SinglePrecision,
        clip_from_view: orthographic,
        ..PLAIN
    },
];
