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
    infinite: bool,
    off_axis: bool,
    /// The signs of the axes on screen.
    signs: [f64; 2],
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
        let [x, y] = self.signs;
        let mut clip_from_view = DMat4::from_scale(DVec3::new(x, y, 1.0)) * self.lens(camera);
        if self.left_handed {
            clip_from_view *= DMat4::from_scale(DVec3::new(1.0, 1.0, -1.0));
        }
        if self.reversed {
            clip_from_view = flipped_depth() * clip_from_view;
        }
        if self.entry == Entry::SinglePrecision {
            return (view_from_world.as_mat4().as_dmat4(), clip_from_view.as_mat4().as_dmat4());
        }
        (view_from_world, clip_from_view)
    }

    /// Returns the projection of a right-handed view, with standard depth.
    fn lens(&self, camera: &Camera) -> DMat4 {
        use dcamera::rh::proj::directx;
        let slope = (FOV * 0.5).tan();
        // The extents of a parallel projection are those of a perspective at the focus distance.
        let top = slope * if self.orthographic { camera.distance() } else { NEAR };
        let right = top * camera.aspect();
        if self.orthographic {
            directx::orthographic(-right, right, -top, top, NEAR, FAR)
        } else if self.off_axis {
            // The center of the frustum is not in front of the eye.
            directx::frustum(-1.6 * right, 0.7 * right, -0.6 * top, 1.5 * top, NEAR, FAR)
        } else if self.infinite {
            directx::perspective_infinite(FOV, camera.aspect(), NEAR)
        } else {
            directx::perspective(FOV, camera.aspect(), NEAR, FAR)
        }
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
    infinite: false,
    off_axis: false,
    signs: [1.0, 1.0],
    entry: Entry::Two,
    adjust: unchanged,
};

const PARALLEL: Projection = Projection { name: "orthographic", orthographic: true, ..PLAIN };

/// Every kind of projection.
pub(crate) const ALL: [Projection; 15] = [
    PLAIN,
    Projection { name: "left-handed perspective", left_handed: true, ..PLAIN },
    Projection { name: "off-axis perspective", off_axis: true, ..PLAIN },
    Projection { name: "infinite far", infinite: true, ..PLAIN },
    Projection { name: "reversed depth, finite far", reversed: true, ..PLAIN },
    Projection { name: "reversed depth, infinite far", reversed: true, infinite: true, ..PLAIN },
    Projection {
        name: "left-handed, reversed depth, infinite far",
        left_handed: true,
        reversed: true,
        infinite: true,
        ..PLAIN
    },
    PARALLEL,
    Projection { name: "orthographic, reversed depth", reversed: true, ..PARALLEL },
    Projection { name: "left-handed orthographic", left_handed: true, ..PARALLEL },
    Projection { name: "viewport at an offset", adjust: with_offset, ..PLAIN },
    Projection { name: "two pixels to the pixel", adjust: with_double_scale, ..PLAIN },
    Projection { name: "one combined matrix", entry: Entry::Combined, ..PLAIN },
    Projection { name: "single precision", entry: Entry::SinglePrecision, ..PLAIN },
    Projection { name: "single precision, orthographic", entry: Entry::SinglePrecision, ..PARALLEL },
];

/// Projections that mirror the picture. Vision libraries have Y down and Z forward.
pub(crate) const MIRRORED: [Projection; 4] = [
    Projection { name: "mirrored along X", signs: [-1.0, 1.0], ..PLAIN },
    Projection { name: "mirrored along Y, left-handed", signs: [1.0, -1.0], left_handed: true, ..PLAIN },
    Projection { name: "turned by half", signs: [-1.0, -1.0], ..PLAIN },
    Projection { name: "orthographic, mirrored along X", signs: [-1.0, 1.0], ..PARALLEL },
];
