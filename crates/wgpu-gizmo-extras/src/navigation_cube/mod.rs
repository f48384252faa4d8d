//! The navigation cube: it shows the orientation of a view, and a click or a drag changes it.

mod drawing;

use drawing::{append_cube, outward};
use std::f64::consts::FRAC_PI_2;
use std::num::NonZeroU32;
use wgpu_gizmo_core::glam::{DMat3, DQuat, DVec2, DVec3};
use wgpu_gizmo_core::handle::{BoxGrip, Theme};
use wgpu_gizmo_core::math::View;
use wgpu_gizmo_core::pick::{IdRange, IdSpace, IdSpaceExhausted, OwnedIds};
use wgpu_gizmo_core::{DrawList, Gizmo};

/// The rotation per logical pixel of a drag. 720 pixels are a bit more than half a turn.
const RADIANS_PER_LPX: f64 = 0.006;

/// A cube in the top right corner of a view, which shows its orientation and changes it.
///
/// A click on one of its faces, edges or corners turns the view to look from there, and a drag orbits. It is
/// drawn into the same [`DrawList`] as gizmos, after them, so that the same renderer and picker serve it. Its
/// sides have ids of their own: [`Gizmo::hovered_object`](wgpu_gizmo_core::Gizmo::hovered_object) and
/// [`Event::PressedObject`](wgpu_gizmo_core::Event::PressedObject) report them like objects.
///
/// The methods of the pointer return the new rotation of the camera, if it turns: its columns are the axes
/// that [`View::axes`] has then. The cube has no position; the host keeps the point that its camera looks at
/// and the distance.
///
/// ```
/// use wgpu_gizmo_core::glam::{DVec2, DVec3, dcamera::rh};
/// use wgpu_gizmo_extras::NavigationCube;
/// use wgpu_gizmo_core::{DrawList, IdSpace, Theme, View, Viewport};
///
/// let eye = rh::view::look_at_mat4(DVec3::new(1.0, 2.0, 5.0), DVec3::ZERO, DVec3::Y);
/// let lens = rh::proj::directx::perspective(1.0, 4.0 / 3.0, 0.1, 100.0);
/// let view = View::new(eye, lens, Viewport::from_size(800, 600), 1.0)?;
/// let mut cube = NavigationCube::new(&mut IdSpace::new())?;
/// let mut list = DrawList::new();
/// cube.draw(list.begin(&view), &Theme::dark());
/// // A press on the face +Z; a picker finds its id as it finds those of handles.
/// let at = DVec2::new(740.0, 65.0);
/// cube.pointer_pressed(at, &view);
/// let id = list.pick(at, 0.0).expect("the cube is there");
/// assert_eq!(cube.pressed(id), None, "it may become a drag");
/// let rotation = cube.pointer_released().expect("the release completes a click");
/// assert!((rotation * DVec3::Z).abs_diff_eq(DVec3::Z, 1e-12), "the camera looks along -Z");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NavigationCube {
    /// The direction that is up on screen when a side is clicked, and that drags turn about, in world space.
    /// Default: +Y. A vector without a direction counts as the default.
    pub up_world: DVec3,
    ids: OwnedIds,
    hovered: Option<BoxGrip>,
    press: Option<Press>,
    /// The presses before the last one whose hits were not known when that one began, the oldest first.
    earlier: Vec<Press>,
}

/// The maximum number of earlier presses. Those that hit something else than the cube are never reported.
const MAX_EARLIER: usize = 4;
/// How far beside the cube a pick finds it, in logical pixels: as far as handles by default.
const TOLERANCE_LPX: f64 = 5.0;

/// A press of the pointer, whose hit is known only later.
#[derive(Debug, Clone, Copy)]
struct Press {
    view: View,
    at_px: DVec2,
    last_px: DVec2,
    /// Whether the pointer has moved too far for a click.
    has_strayed: bool,
    is_down: bool,
    hit: Option<BoxGrip>,
}

impl NavigationCube {
    /// Creates a cube and allocates its ids.
    ///
    /// # Errors
    /// Returns an error if the space has fewer than 26 ids left.
    pub fn new(ids: &mut IdSpace) -> Result<Self, IdSpaceExhausted> {
        let range = ids.allocate_for_handles(BoxGrip::ALL.len() as u32)?;
        Ok(Self { up_world: DVec3::Y, ids: ids.own(range), hovered: None, press: None, earlier: Vec::new() })
    }

    /// Returns the ids of its sides, in the order of [`BoxGrip::ALL`]. They are freed when the cube is dropped.
    pub fn ids(&self) -> IdRange {
        self.ids.range()
    }

    /// Returns the side with this id: a face, an edge or a corner. `None` if the id is not one of the cube's.
    pub fn side_of(&self, id: NonZeroU32) -> Option<BoxGrip> {
        BoxGrip::ALL.get(self.ids().offset_of(id)? as usize).copied()
    }

    /// Sets the id under the pointer. A side of the cube is highlighted.
    pub fn set_hovered(&mut self, id: Option<NonZeroU32>) {
        self.hovered = id.and_then(|id| self.side_of(id));
    }

    /// Returns the side under the pointer.
    pub fn hovered(&self) -> Option<BoxGrip> {
        self.hovered
    }

    /// Adds the cube to a list, for the view of the list. A view that is too small has none.
    pub fn draw(&self, list: &mut DrawList, theme: &Theme) {
        append_cube(list, theme, self.hovered, self.ids());
    }

    /// Reports that the primary button went down in a view. Whether it is on the cube is reported by
    /// [`NavigationCube::pressed`].
    pub fn pointer_pressed(&mut self, cursor_px: DVec2, view: &View) {
        if let Some(press) = self.press.take().filter(|press| press.hit.is_none()) {
            if self.earlier.len() == MAX_EARLIER {
                self.earlier.remove(0);
            }
            self.earlier.push(press);
        }
        self.press = cursor_px.is_finite().then_some(Press {
            view: *view,
            at_px: cursor_px,
            last_px: cursor_px,
            has_strayed: false,
            is_down: true,
            hit: None,
        });
    }

    /// Reports the id that a press hit, at once or later, also after another press. Returns the rotation of the camera
    /// if the press turns it. An id that does not belong to the cube is ignored.
    pub fn pressed(&mut self, id: NonZeroU32) -> Option<DQuat> {
        let side = self.side_of(id)?;
        let up = self.up();
        // Answers come in the order of the presses.
        let Some(index) = self.earlier_press_on(side) else {
            self.earlier.clear();
            return self.hit(side, up);
        };
        self.earlier.drain(..=index).next_back().map(|press| press.turned(side, up))
    }

    /// Records the side that the last press hit.
    fn hit(&mut self, side: BoxGrip, up: DVec3) -> Option<DQuat> {
        let press = self.press.as_mut()?;
        press.hit = Some(side);
        let Press { is_down, has_strayed, .. } = *press;
        let rotation = press.turned(side, up);
        if !is_down {
            self.press = None;
        }
        (has_strayed || !is_down).then_some(rotation)
    }

    /// Moves the pointer. Returns the rotation of the camera if a drag of the cube turns it. A position that is
    /// not finite, or whose distance from the press overflows, is ignored.
    pub fn pointer_moved(&mut self, cursor_px: DVec2) -> Option<DQuat> {
        let up = self.up();
        let press = self.press.as_mut().filter(|press| press.is_down)?;
        if !press.moved_lpx(cursor_px).is_finite() {
            return None;
        }
        let is_same = cursor_px == press.last_px;
        press.last_px = cursor_px;
        let still_px = Gizmo::CLICK_RADIUS_LPX * press.view.scale_factor();
        press.has_strayed |= press.at_px.distance(cursor_px) >= still_px;
        press.hit.filter(|_| press.has_strayed && !is_same)?;
        Some(press.orbited(up))
    }

    /// Reports that the primary button went up. Returns the rotation of the camera after a click.
    pub fn pointer_released(&mut self) -> Option<DQuat> {
        let up = self.up();
        let press = self.press.as_mut()?;
        press.is_down = false;
        let (side, press) = (press.hit?, *press);
        self.press = None;
        (!press.has_strayed).then(|| press.facing(side, up))
    }

    /// Ends a press. The camera stays where the drag has turned it.
    pub fn cancel(&mut self) {
        self.press = None;
        self.earlier.clear();
    }

    /// Returns the earlier press to which the hit of a side belongs, or `None` if it is that of the last one. A press
    /// elsewhere hits no side, and a picker may find another side than this at an edge between two.
    fn earlier_press_on(&self, side: BoxGrip) -> Option<usize> {
        if self.earlier.is_empty() {
            return None;
        }
        let mut list = DrawList::new();
        let mut side_at = |press: &Press| {
            self.draw(list.begin(&press.view), &Theme::default());
            let id = list.pick(press.at_px, TOLERANCE_LPX * press.view.scale_factor())?;
            self.side_of(id)
        };
        let presses: Vec<_> = self.earlier.iter().chain(&self.press).map(&mut side_at).collect();
        let on_side = presses.iter().rposition(|at| *at == Some(side));
        let found = on_side.or_else(|| presses.iter().rposition(Option::is_some));
        found.filter(|index| *index < self.earlier.len())
    }

    /// Returns true while a press on the cube is held.
    pub fn is_held(&self) -> bool {
        self.press.is_some_and(|press| press.is_down && press.hit.is_some())
    }

    fn up(&self) -> DVec3 {
        self.up_world.try_normalize().unwrap_or(DVec3::Y)
    }
}

impl Press {
    /// Returns 1 if Z of the view's frame points toward the viewer, as it does in right-handed worlds, and
    /// -1 otherwise.
    fn handedness(&self) -> f64 {
        -self.view.axes().z_axis.dot(self.view.forward()).signum()
    }

    /// Returns the rotation after a press on a side.
    fn turned(&self, side: BoxGrip, up: DVec3) -> DQuat {
        if self.has_strayed { self.orbited(up) } else { self.facing(side, up) }
    }

    /// Returns the rotation that looks from a side.
    fn facing(&self, side: BoxGrip, up: DVec3) -> DQuat {
        let z = outward(side) * self.handedness();
        let across = up.cross(z);
        // From straight above or below, X points right.
        let level = if up.x.abs() > 0.9 { DVec3::Y } else { DVec3::X };
        let is_steep = across.length() < 1e-9;
        let x = if is_steep { level.reject_from_normalized(z) } else { across }.normalize();
        DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z))
    }

    /// Returns how far a position is from the press, in logical pixels. It is not finite if the distance overflows.
    fn moved_lpx(&self, cursor_px: DVec2) -> DVec2 {
        (cursor_px - self.at_px) / self.view.scale_factor()
    }

    /// Returns the rotation that the pointer has dragged the view to, in total.
    fn orbited(&self, up: DVec3) -> DQuat {
        let by_lpx = self.moved_lpx(self.last_px);
        let (frame, handedness) = (self.view.axes(), self.handedness());
        let backward = frame.z_axis * handedness;
        let pitch = backward.dot(up).clamp(-1.0, 1.0).asin();
        let rise = (pitch + by_lpx.y * RADIANS_PER_LPX).clamp(-FRAC_PI_2, FRAC_PI_2) - pitch;
        let lifted = DQuat::from_axis_angle(frame.x_axis, -rise * handedness) * DQuat::from_mat3(&frame);
        let turn = DQuat::from_axis_angle(up, -by_lpx.x * RADIANS_PER_LPX * handedness);
        (turn * lifted).normalize()
    }
}
