//! Decodes values of every kind, including unusual ones, from a byte string.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use super::views::{self, Camera};
use wgpu_gizmo_core::draw::DepthStyle;
use wgpu_gizmo_core::glam::{BVec3, DMat4, DQuat, DVec2, DVec3};
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::Key;
use wgpu_gizmo_core::interaction::settings::{
    Axes, AxisKeys, BoxHandles, BoxResult, GrabMode, Limits, Locks, Pivot, ShearPolicy, SnapKind, SnapSource,
};
use wgpu_gizmo_core::pick::snap::SnapTo;
use wgpu_gizmo_core::{
    HandleId, Increment, Mode, Orientation, Settings, Snap, Solver, Target, Theme, Transform, View, Viewport,
};

/// Reads values from a byte string, and zeros after its end.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Bytes<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub(crate) fn index_below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count.max(1)
    }

    pub(crate) fn choose<T: Copy, const N: usize>(&mut self, choices: [T; N]) -> T {
        choices[self.index_below(N)]
    }

    /// Returns a number in [−1, 1], in 65 536 steps.
    pub(crate) fn signed_unit(&mut self) -> f64 {
        f64::from(i16::from_le_bytes([self.byte(), self.byte()])) / 32767.0
    }

    /// Returns any number: usually a moderate one, sometimes an extreme one or any 64 bits.
    pub(crate) fn number(&mut self) -> f64 {
        const EXTREMES: [f64; 20] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            f64::MIN_POSITIVE,
            5e-324,
            f64::EPSILON,
            1e160,
            -1e-160,
            1e154,
            1e-154,
            1e7,
            1e16,
            1e-9,
        ];
        match self.byte() {
            kind @ 0..40 => EXTREMES[usize::from(kind) % EXTREMES.len()],
            40..48 => f64::from_bits(u64::from_le_bytes(std::array::from_fn(|_| self.byte()))),
            kind @ 48..80 => self.signed_unit() * 10f64.powi((i32::from(kind) - 64) * 2),
            _ => self.signed_unit() * 8.0,
        }
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    pub(crate) fn px(&mut self) -> DVec2 {
        DVec2::new(self.number(), self.number())
    }

    pub(crate) fn tame_vector(&mut self) -> DVec3 {
        DVec3::new(self.signed_unit(), self.signed_unit(), self.signed_unit()) * 3.0
    }

    pub(crate) fn quaternion(&mut self) -> DQuat {
        match self.byte() % 4 {
            0 => DQuat::IDENTITY,
            1 => DQuat::from_xyzw(self.number(), self.number(), self.number(), self.number()),
            _ => DQuat::from_scaled_axis(self.tame_vector()),
        }
    }

    pub(crate) fn matrix(&mut self) -> DMat4 {
        match self.byte() % 8 {
            0 => DMat4::from_cols_array(&std::array::from_fn(|_| self.number())),
            1 => DMat4::from_scale(self.vector()),
            2 => DMat4::from_scale(self.tame_vector()),
            3 => {
                let [scale, turn, moved] = [self.tame_vector(), self.tame_vector(), self.tame_vector()];
                let sheared = DMat4::from_quat(DQuat::from_scaled_axis(turn)) * DMat4::from_scale(scale);
                DMat4::from_translation(moved)
                    * sheared
                    * DMat4::from_quat(DQuat::from_scaled_axis(self.tame_vector()))
            }
            4 => DMat4::from_translation(self.vector()),
            _ => DMat4::IDENTITY,
        }
    }

    pub(crate) fn viewport(&mut self) -> Viewport {
        if !self.byte().is_multiple_of(4) {
            let [width, height] = [self.byte(), self.byte()].map(|side| 1 + 5 * u32::from(side));
            return Viewport::from_size(width, height);
        }
        Viewport { x: self.number(), y: self.number(), width: self.number(), height: self.number() }
    }

    pub(crate) fn target(&mut self) -> Target {
        let local = match self.byte() % 4 {
            0 => Transform { translation: self.vector(), rotation: self.quaternion(), scale: self.vector() },
            1 => Transform::from_translation(self.tame_vector()),
            2 => Transform {
                translation: self.tame_vector(),
                rotation: self.quaternion(),
                scale: self.tame_vector(),
            },
            _ => Transform::IDENTITY,
        };
        let world_from_parent = self.matrix();
        let extras = self.byte();
        let bounds_local = (extras & 1 == 1).then(|| [self.vector(), self.vector()]);
        let inside = (extras & 6 == 6).then(|| self.index_below(6));
        let mut target = Target::new(local, world_from_parent);
        (target.bounds_local, target.inside) = (bounds_local, inside);
        target
    }

    pub(crate) fn targets(&mut self) -> Vec<Target> {
        (0..self.index_below(6)).map(|_| self.target()).collect()
    }

    pub(crate) fn snap(&mut self) -> Snap {
        let mut increment = || Increment::new(self.number());
        Snap { translate: increment(), rotate: increment(), scale: increment() }
    }

    pub(crate) fn locks(&mut self) -> Locks {
        let bits = self.byte();
        let three = |from: u8| {
            BVec3::new(bits >> from & 1 == 1, bits >> (from + 1) & 1 == 1, bits >> (from + 2) & 1 == 1)
        };
        Locks { translation: three(0), rotation: bits >> 3 & 1 == 1, scale: three(4) }
    }

    pub(crate) fn change_settings(&mut self, settings: &mut Settings) {
        match self.byte() % 21 {
            0 => {
                settings.mode =
                    self.choose([Mode::None, Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal])
            }
            1 => {
                let set = HandleId::all().filter(|_| self.flag()).collect();
                settings.mode = Mode::Handles(set);
            }
            2 => settings.orientation = self.choose(Orientation::PRESETS),
            3 => settings.orientation = Orientation::Custom(self.quaternion()),
            4 => settings.pivot = self.choose(Pivot::PRESETS),
            5 => settings.pivot = Pivot::Custom(self.vector()),
            6 => settings.motion.solver = self.choose(Solver::ALL),
            7 => settings.motion.shear = self.choose(ShearPolicy::ALL),
            8 => settings.snap.increments = self.snap(),
            9 => settings.snap.while_held = self.choose([Snap::OFF, Snap::DEFAULT_INCREMENTS]),
            10 => settings.snap.kind = SnapKind::Grid { origin_world: self.vector() },
            11 => settings.snap.kind = self.choose([SnapKind::Relative, SnapKind::Value]),
            12 => {
                settings.motion.limits = Limits {
                    translation: [self.vector(), self.vector()],
                    scale: [self.vector(), self.vector()],
                    angle: [self.number(), self.number()],
                };
            }
            13 => settings.motion.locks = self.locks(),
            14 => settings.display.size_lpx = self.number(),
            15 => settings.input.tolerance_lpx = self.number(),
            18 => settings.box_handles = self.box_handles(),
            19 => {
                settings.snap.to = self.choose(SnapTo::EACH);
                settings.snap.source = self.choose(SnapSource::ALL);
                settings.snap.align_to_normal = self.choose([None, Some(Axis::Z)]);
            }
            20 => {
                settings.input.meters_per_unit = self.number();
                settings.input.axis_keys = self.choose(AxisKeys::ALL);
                settings.input.orbit_in_drag = self.flag();
                let dimmed = DepthStyle::Dimmed { opacity: self.number() as f32 };
                settings.display.depth_style = self.choose([dimmed, DepthStyle::Hidden, DepthStyle::Hatched]);
            }
            16 => settings.motion.max_distance = self.flag().then(|| self.number()),
            _ => self.change_flags(settings),
        }
    }

    fn box_handles(&mut self) -> Option<BoxHandles> {
        let min_size = self.number();
        let mut box_handles = BoxHandles::default();
        box_handles.result = self.choose(BoxResult::ALL);
        box_handles.keep_aspect = self.flag();
        box_handles.min_size = min_size;
        self.flag().then_some(box_handles)
    }

    fn change_flags(&mut self, settings: &mut Settings) {
        let flags = self.byte();
        settings.motion.allow_mirror = flags & 1 == 1;
        settings.display.flip_toward_camera = flags & 2 == 2;
        settings.display.construction_lines = flags & 4 == 4;
        settings.input.grab = GrabMode::ALL[usize::from(flags >> 3 & 3) % 3];
        settings.input.click_to_type = flags & 32 == 32;
        settings.axes = Axes::ALL[usize::from(flags >> 6 & 1)];
        settings.input.wheel_nudge = flags & 128 == 128;
    }

    pub(crate) fn theme(&mut self) -> Theme {
        let plain = Theme::dark();
        let mut part = |plain: f32| if self.byte().is_multiple_of(4) { self.number() as f32 } else { plain };
        plain.with(|t| {
            t.colors.axes = plain.colors.axes.map(|color| color.map(&mut part));
            t.colors.active = plain.colors.active.map(&mut part);
            t.colors.guide = plain.colors.guide.map(&mut part);
            t.opacities.ball = plain.opacities.ball.map(&mut part);
            t.opacities.square = plain.opacities.square.map(&mut part);
            t.opacities.guide = plain.opacities.guide.map(&mut part);
            t.opacities.dimmed = part(0.5);
            t.opacities.far_half = part(plain.opacities.far_half);
            t.opacities.sector = part(plain.opacities.sector);
            t.sizes.line_lpx = part(plain.sizes.line_lpx);
            t.sizes.guide_lpx = part(plain.sizes.guide_lpx);
            t.sizes.letter_lpx = part(plain.sizes.letter_lpx);
            t.letters = part(0.0) == 0.0;
        })
    }

    /// Returns a view if the constructor accepts it.
    pub(crate) fn view(&mut self) -> Option<View> {
        match self.byte() % 8 {
            0 => View::from_clip_from_world(self.matrix(), self.viewport(), self.number()).ok(),
            1 => View::new(self.matrix(), self.matrix(), self.viewport(), self.number()).ok(),
            _ => {
                let projection = views::ALL[self.index_below(views::ALL.len())];
                let eye = self.tame_vector() * 3.0;
                let eye = if eye.length() > 0.5 { eye } else { DVec3::splat(4.0) };
                let up = if eye.cross(DVec3::Y).length() > 0.1 { DVec3::Y } else { DVec3::X };
                Some(projection.view(&Camera { up, ..Camera::at(eye) }))
            }
        }
    }

    pub(crate) fn key(&mut self) -> Key {
        let axis = |byte: u8| Axis::ALL[usize::from(byte) % 3];
        match self.byte() % 32 {
            kind @ 0..4 => Key::Axis(axis(kind)),
            kind @ 4..8 => Key::Plane(axis(kind)),
            kind @ 8..18 => Key::Digit(kind - 8),
            18 => Key::Digit(self.byte()),
            19 => Key::Point,
            20 => Key::Char(self.choose(['*', '/', '+', '(', ')', 'c', 'm', '%'])),
            21 | 22 => Key::Minus,
            23 | 24 => Key::Backspace,
            25 => Key::Tab,
            26 => Key::Left,
            27 => Key::Right,
            28 => Key::Up,
            29 => Key::Down,
            30 => Key::Enter,
            _ => Key::Escape,
        }
    }
}
