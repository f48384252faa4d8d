//! Ready-made handles for the volumes of lights and cameras.

mod parts;
mod wires;

use parts::Part;
use std::f64::consts::{FRAC_PI_2, PI};
use wgpu_gizmo_core::DrawList;
use wgpu_gizmo_core::draw::parts::GuideLayer;
use wgpu_gizmo_core::glam::DVec3;
use wgpu_gizmo_core::handle::{CustomHandle, HandleId, HandleMesh, HandleSet, Mode};
use wgpu_gizmo_core::interaction::settings::{Pivot, SnapKind};
use wgpu_gizmo_core::interaction::{Change, Event, Events, Gizmo, Orientation, Target, Views};
use wgpu_gizmo_core::math::Transform;
use wgpu_gizmo_core::pick::{IdSpace, IdSpaceExhausted};

/// The radius of a handle, in sizes of the gizmo.
const DOT: f64 = 0.055;

/// The volume of a light or a camera, at the origin and along -Z, in world units and radians. The fields are
/// those of glTF.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Volume {
    /// A point light.
    Sphere {
        /// The range; `None` if it is not limited.
        radius: Option<f64>,
    },
    /// A spot light.
    Cone {
        /// The range; `None` if it is not limited.
        range: Option<f64>,
        /// The angle from the axis at which the light begins to fall off: at least 0, less than `outer`.
        inner: f64,
        /// The angle from the axis at which the light ends, at most a right angle.
        outer: f64,
    },
    /// A directional light, which shines along -Z everywhere. It is shown as arrows and has no handles: the gizmo of
    /// the light turns it.
    Parallel,
    /// A camera with a perspective projection.
    Perspective {
        /// The vertical field of view.
        fov_y: f64,
        /// Width divided by height.
        aspect: f64,
        /// The distance of the near plane.
        near: f64,
        /// The distance of the far plane; `None` if it is infinitely far.
        far: Option<f64>,
    },
    /// A camera with an orthographic projection.
    Orthographic {
        /// Half of the width of the view.
        half_width: f64,
        /// Half of the height of the view.
        half_height: f64,
        /// The distance of the near plane.
        near: f64,
        /// The distance of the far plane.
        far: f64,
    },
}

impl Volume {
    /// Returns true if all numbers are finite and in the ranges that their fields state.
    pub fn is_valid(&self) -> bool {
        let positive = |number: f64| number.is_finite() && number > 0.0;
        let is_past = |far: Option<f64>, near: f64| far.is_none_or(|far| far.is_finite() && far > near);
        match *self {
            Self::Sphere { radius } => is_past(radius, 0.0),
            Self::Parallel => true,
            Self::Cone { range, inner, outer } => {
                is_past(range, 0.0) && inner >= 0.0 && inner < outer && outer <= FRAC_PI_2
            }
            Self::Perspective { fov_y, aspect, near, far } => {
                positive(fov_y) && fov_y < PI && positive(aspect) && positive(near) && is_past(far, near)
            }
            Self::Orthographic { half_width, half_height, near, far } => {
                let is_flat = !(positive(half_width) && positive(half_height));
                !is_flat && near.is_finite() && near >= 0.0 && is_past(Some(far), near)
            }
        }
    }
}

/// A light or a camera whose volume is edited.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct VolumeTarget {
    /// The position and the rotation in world space. The scale is ignored.
    pub world: Transform,
    /// The volume, which drags change.
    pub volume: Volume,
    /// The identity of the light or camera in the host's scene, as of [`Target::key`]. If the key changes
    /// during a drag, the drag is canceled, and the other volume stays as it is. The dragged one gets its start
    /// back when it is passed again, unless the host has changed it.
    pub key: Option<u64>,
}

impl VolumeTarget {
    /// Creates a target without a key.
    pub fn new(world: Transform, volume: Volume) -> Self {
        Self { world, volume, key: None }
    }

    /// Returns the target with a key.
    #[must_use]
    pub fn with_key(self, key: u64) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Returns true if it is the same light or camera, and of the same kind.
    fn is_same(&self, other: &Self) -> bool {
        let kind = std::mem::discriminant::<Volume>;
        self.key == other.key && kind(&self.volume) == kind(&other.volume)
    }
}

/// A set of handles for the volume of a light or a camera: its range and cone, or its field of view and
/// planes.
///
/// It has a gizmo of its own, which takes the input and is asked for queries like every other: see *Several
/// gizmos* in ARCHITECTURE.md. The handles are custom handles that stand where the volume ends; a drag
/// changes the [`Volume`] and never moves the light. One drag is one undo step, and a cancel restores the
/// volume. A drag opens a field of view to 170° at most, so that its handles stay within reach; one that is larger
/// when the drag begins grows no further.
///
/// ```
/// use wgpu_gizmo_core::glam::{DVec2, DVec3, dcamera::rh};
/// use wgpu_gizmo_extras::volume::{Volume, VolumeHandles, VolumeTarget};
/// use wgpu_gizmo_core::{IdSpace, Transform, View, Viewport};
///
/// let view = View::new(
///     rh::view::look_at_mat4(DVec3::new(0.0, 0.0, 10.0), DVec3::ZERO, DVec3::Y),
///     rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0),
///     Viewport::from_size(800, 600),
///     1.0,
/// )?;
/// let mut handles = VolumeHandles::new(&mut IdSpace::new())?;
/// let mut lamp = VolumeTarget::new(Transform::IDENTITY, Volume::Sphere { radius: Some(2.0) });
/// handles.update(&view, Some(&mut lamp));
/// // A world unit is 100 pixels. The handle at the right end of the range moves half a unit outward.
/// handles.gizmo.pointer_moved(DVec2::new(600.0, 300.0));
/// handles.gizmo.pointer_pressed();
/// handles.update(&view, Some(&mut lamp));
/// handles.gizmo.answer_on_cpu();
/// handles.gizmo.pointer_moved(DVec2::new(650.0, 300.0));
/// handles.update(&view, Some(&mut lamp));
/// let Volume::Sphere { radius: Some(radius) } = lamp.volume else { unreachable!() };
/// assert!((radius - 2.5).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct VolumeHandles {
    /// The gizmo. Give it the pointer, keys and answers, and ask it for queries and claims. Its mode, its orientation,
    /// its pivot and its kind of snapping, which counts from the volume at the press, are set by
    /// [`VolumeHandles::update`].
    pub gizmo: Gizmo,
    /// The ids of the handles, in the order of the parts that are shown.
    handles: Vec<HandleId>,
    shown: Option<VolumeTarget>,
    /// The target at the press.
    start: Option<VolumeTarget>,
    /// The targets that were not passed when their drags were canceled: as the drag left each, and at the press.
    canceled: Vec<[VolumeTarget; 2]>,
}

impl VolumeHandles {
    /// Creates the handles, and allocates the ids of their gizmo.
    ///
    /// # Errors
    /// Returns an error if the space has no ids left for a gizmo.
    pub fn new(ids: &mut IdSpace) -> Result<Self, IdSpaceExhausted> {
        let gizmo = Gizmo::new(ids)?;
        Ok(Self { gizmo, handles: Vec::new(), shown: None, start: None, canceled: Vec::new() })
    }

    /// Processes the events since the last call, changes the volume, and returns what happened. Call it once
    /// in every frame; with `None` nothing is shown, and a drag is canceled.
    ///
    /// The events are those of [`Gizmo::update`]. `Ended` reports whether the volume has changed. A volume
    /// that is not valid ([`Volume::is_valid`]) has no handles.
    pub fn update<'v>(&mut self, views: impl Into<Views<'v>>, target: Option<&mut VolumeTarget>) -> Events {
        let mut shown = target.as_deref().copied();
        if let Some(shown) = &mut shown
            && let Some(index) = self.canceled.iter().position(|[_, start]| start.key == shown.key)
        {
            let [dragged, start] = self.canceled.swap_remove(index);
            if shown.volume == dragged.volume {
                shown.volume = start.volume;
            }
        }
        let is_other = |before: &VolumeTarget| !shown.is_some_and(|shown| shown.is_same(before));
        if let Some(before) = self.shown.filter(is_other) {
            // Also a press whose pick is not known yet: its handle may stand for another number now.
            if self.gizmo.is_busy() {
                self.gizmo.cancel();
            }
            // It does not fit the volume that is shown now.
            if let Some(start) = self.start.take().filter(|start| start.key.is_some()) {
                self.canceled.push([before, start]);
            }
        }
        if self.start.is_none() {
            self.place(shown, Transform::IDENTITY);
        }
        let start = self.start.or(shown);
        let mut stand_in = shown.map(|shown| {
            let mut target = Target::from_world(rigid(&shown.world));
            target.key = shown.key;
            target
        });
        let stand_ins = stand_in.as_mut().map_or(&mut [][..], std::slice::from_mut);
        let events = self.gizmo.update(views, stand_ins);
        let volume = self.dragged(start, &events).filter(Volume::is_valid);
        let volume = volume.or(shown.map(|shown| shown.volume));
        let changed = volume != start.map(|start| start.volume);
        let of_volume = |event| match event {
            Event::Ended { .. } => Event::Ended { changed },
            event => event,
        };
        self.start = start.filter(|_| self.gizmo.is_active());
        self.shown = shown.zip(volume).map(|(shown, volume)| VolumeTarget { volume, ..shown });
        // The gizmo shows its handles at the stand-in, which a drag has moved while the light stays where it is. During
        // the drag, it keeps its axes.
        let moved =
            stand_in.zip(shown).map(|(stand_in, shown)| relative(&stand_in.local, &rigid(&shown.world)));
        let mut moved = moved.unwrap_or(Transform::IDENTITY);
        if let (Some(start), Some(shown)) = (self.start, shown) {
            moved.rotation = relative(&rigid(&start.world), &rigid(&shown.world)).rotation;
        }
        self.place(self.shown, moved);
        if let (Some(target), Some(volume)) = (target, volume) {
            target.volume = volume;
        }
        events.into_iter().map(of_volume).collect()
    }

    /// Returns the name of a handle for messages and logs, such as `range`, `outer_left` or `fov_top`. `None` if
    /// the volume that is shown has no such handle.
    pub fn name_of(&self, handle: HandleId) -> Option<&'static str> {
        let index = self.handles.iter().position(|shown| *shown == handle)?;
        Part::of(&self.shown?.volume).get(index).map(|part| part.name())
    }

    /// Adds the volume as lines, and its handles, to a list.
    pub fn draw(&mut self, list: &mut DrawList) {
        let shown = self.shown.filter(|shown| shown.volume.is_valid());
        if let (Some(shown), Some(mut brush)) = (shown, list.guide_painter(GuideLayer::Under)) {
            wires::paint(&mut brush, &shown, &self.gizmo.theme);
        }
        self.gizmo.draw(list);
    }

    /// Returns the volume of a drag that began with `start`, or that has just ended.
    fn dragged(&self, start: Option<VolumeTarget>, events: &[Event]) -> Option<Volume> {
        let start = start?.volume;
        if events.contains(&Event::Canceled) {
            return Some(start);
        }
        let has_ended = events.iter().any(|event| matches!(event, Event::Ended { .. }));
        let drag = self.gizmo.last_drag().filter(|_| has_ended || self.gizmo.is_active())?;
        let index = self.handles.iter().position(|handle| *handle == drag.handle())?;
        // A pointer that has gone round the volume is back where it was, so whole turns do not count.
        let number = match drag.motion().change {
            Change::Rotate { principal, .. } => principal,
            _ => *drag.numbers().first()?,
        };
        Some(if number == 0.0 { start } else { Part::of(&start).get(index)?.applied(&start, number) })
    }

    /// Places the handles of a volume. `light_from_gizmo` is where the gizmo stands, seen from the light or camera.
    fn place(&mut self, shown: Option<VolumeTarget>, light_from_gizmo: Transform) {
        let shown = shown.filter(|shown| shown.volume.is_valid());
        let parts = shown.map_or(&[][..], |shown| Part::of(&shown.volume));
        let color = self.gizmo.theme.colors.neutral;
        let mut set = HandleSet::EMPTY;
        for (slot, part) in parts.iter().enumerate() {
            let offset = shown.map_or(DVec3::ZERO, |shown| part.offset(&shown.volume));
            let offset_world = light_from_gizmo.rotation.inverse() * (offset - light_from_gizmo.translation);
            let placement = Transform { scale: DVec3::splat(DOT), ..Transform::IDENTITY };
            let mesh = HandleMesh::ball();
            let wanted =
                CustomHandle::new(part.constraint(), mesh, placement, color).with_offset(offset_world);
            let id = match self.handles.get(slot) {
                Some(id) if self.is_placed(*id, &wanted) => Some(*id),
                Some(id) => self.gizmo.replace_handle(*id, wanted),
                None => self.gizmo.add_handle(wanted),
            };
            // While a drag is canceled, its handle stays until the next update.
            let Some(id) = id else { break };
            match self.handles.get_mut(slot) {
                Some(handle) => *handle = id,
                None => self.handles.push(id),
            }
            set = set.with(id);
        }
        self.gizmo.settings.mode = Mode::Handles(set);
        self.gizmo.settings.orientation = Orientation::Local;
        self.gizmo.settings.pivot = Pivot::Active;
        // The value that the gizmo knows is the rotation of the light, not the angle of its cone.
        self.gizmo.settings.snap.kind = SnapKind::Relative;
    }

    fn is_placed(&self, id: HandleId, wanted: &CustomHandle) -> bool {
        let placed = id.custom_index().and_then(|slot| self.gizmo.custom_handles().get(slot));
        placed.is_some_and(|placed| {
            let is_same = (placed.constraint, placed.color) == (wanted.constraint, wanted.color);
            is_same && placed.offset_world == wanted.offset_world
        })
    }
}

/// Returns a position and rotation relative to another.
fn relative(world: &Transform, to: &Transform) -> Transform {
    let world_to_local = to.rotation.inverse();
    Transform {
        translation: world_to_local * (world.translation - to.translation),
        rotation: world_to_local * world.rotation,
        scale: DVec3::ONE,
    }
}

/// Returns the position and the rotation of a transform alone.
fn rigid(world: &Transform) -> Transform {
    let rotation = world.unit_rotation();
    Transform { translation: world.translation, rotation, scale: DVec3::ONE }
}
