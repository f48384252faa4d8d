//! One struct that wires the gizmo, the picker and the renderers together.

mod frame;
mod gizmo_gpu;
mod view_resources;

pub use frame::Frame;
pub use gizmo_gpu::GizmoGpu;

use crate::gpu::{GpuError, TargetState};
use crate::interaction::{Events, Gizmo, Target, Views};
use crate::math::{HostTransform, View};
use crate::pick::snap::SnapPoint;
use crate::pick::{IdSpace, PickAnswer, PickQuery};
use glam::{DMat4, DVec3};
use std::fmt;
use std::num::NonZeroU32;

/// A gizmo with everything that it needs on wgpu: two calls per frame, and one in the host's pass.
///
/// Input goes to [`WgpuGizmo::gizmo`] between frames. In each frame, call [`WgpuGizmo::update`], which moves
/// the targets and returns events, then [`WgpuGizmo::prepare`], and [`WgpuGizmo::render`] last in the pass.
/// Draw another frame while [`WgpuGizmo::needs_redraw`] returns true, and after each event of the window. The
/// [front page](crate#a-frame-on-the-gpu) of the crate has an example.
///
/// Several views, in viewports or windows, are passed together as a slice; give each a key
/// ([`View::with_key`]). [`WgpuGizmo::render`] and [`WgpuGizmo::needs_redraw`] are about one of them.
///
/// All parts are public fields, so everything that they can do is available: settings and custom handles
/// (`gizmo`), ids for the host's objects (`ids`), the attachments of further views (`gpu`).
///
/// # If nothing is drawn
///
/// - No targets were passed, or the list has a NaN or an infinity. [`Gizmo::disabled_reason`] reports it.
/// - The pivot is behind the camera, or outside of the viewport.
/// - The mode is [`Mode::None`](crate::Mode::None), or [`Mode::Handles`](crate::Mode::Handles) with an empty set.
/// - [`WgpuGizmo::update`] or [`WgpuGizmo::prepare`] was not called in this frame or for this view, or something is
///   drawn over the result of [`WgpuGizmo::render`].
/// - The scissor rectangle of the pass excludes the gizmo. On WebGL2, the one at the end of a multisampled pass
///   also clips what is resolved.
/// - The scene is in front of the gizmo, and its depth style is
///   [`DepthStyle::Hidden`](crate::draw::DepthStyle::Hidden).
///
/// # Memory
///
/// Textures and buffers are created on first use, and buffers grow with what is drawn. Dropping the
/// `WgpuGizmo` frees all of them; [`WgpuGizmo::rebuild`] frees them and starts again with small ones. The
/// host's objects are freed with [`PickScene::remove`](crate::scene::PickScene::remove) and
/// [`PickScene::remove_mesh`](crate::scene::PickScene::remove_mesh). The resources of a view that is closed are freed
/// by [`GizmoGpu::remove_view`].
///
/// # If something goes wrong
///
/// - After an error, the gizmo keeps its drag, its queue of events and the pending press. Queries that were
///   in flight, could not be encoded, or were encoded on an encoder that is dropped are repeated. If 32 encoders
///   in a row are dropped, that is an error, and nothing is hovered until the pointer moves.
/// - After [`GpuError::DeviceLost`], create a new device and call [`WgpuGizmo::rebuild`]. A drag in progress
///   continues. [`GpuError::OtherDevice`] means that this call is missing. What the host has created with the module
///   [`scene`](crate::scene), it creates again, too.
/// - A skipped or repeated call, or another order of the calls, does no harm: the picture or an answer is a
///   frame late.
#[derive(Debug)]
pub struct WgpuGizmo {
    /// The gizmo: input, settings, theme, state.
    pub gizmo: Gizmo,
    /// Allocates all ids of the ID image. Objects of the host that take part in picks get theirs from it, too.
    pub ids: IdSpace,
    /// The GPU half: picks, and the pictures of the views.
    pub gpu: GizmoGpu,
}

/// The optional parts of an update, which can be combined. The default has none.
///
/// ```
/// use wgpu_gizmo::facade::UpdateOptions;
/// use wgpu_gizmo::glam::DVec3;
///
/// // Translations snap to the corners of a table.
/// let corners = [DVec3::ZERO, DVec3::X];
/// let mut snap = |pivot: DVec3| corners.into_iter().find(|corner| corner.distance(pivot) < 0.1);
/// let options = UpdateOptions::default().with_snap_hook(&mut snap);
/// # drop(options);
/// ```
#[derive(Default)]
pub struct UpdateOptions<'a> {
    snap: Option<&'a mut dyn FnMut(DVec3) -> Option<DVec3>>,
    search: Option<SnapSearch<'a>>,
    answered: Option<&'a mut dyn FnMut(&PickAnswer)>,
}

/// See [`UpdateOptions::with_snap_search`].
type SnapSearch<'a> = &'a mut dyn FnMut(&PickQuery, &[NonZeroU32]) -> Option<SnapPoint>;

impl fmt::Debug for UpdateOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpdateOptions").finish_non_exhaustive()
    }
}

impl<'a> UpdateOptions<'a> {
    /// Adds a snap hook for translations: see [`Gizmo::update_with`].
    #[must_use]
    pub fn with_snap_hook(mut self, hook: &'a mut dyn FnMut(DVec3) -> Option<DVec3>) -> Self {
        self.snap = Some(hook);
        self
    }

    /// Adds the search of drags that snap to what is under the pointer
    /// ([`SnapSettings::to`](crate::interaction::settings::SnapSettings::to)). It gets a query of [`Gizmo::snap_query`] with the ids within
    /// its tolerance, and returns the point to snap to: see
    /// [`PickScene::snap_objects`](crate::scene::PickScene::snap_objects). Without one, the drag snaps to the surface,
    /// if that is set.
    #[must_use]
    pub fn with_snap_search(mut self, search: SnapSearch<'a>) -> Self {
        self.search = Some(search);
        self
    }

    /// Adds a hook that gets each answer of the picker before the gizmo, such as the point that a press has hit.
    #[must_use]
    pub fn with_answer_hook(mut self, hook: &'a mut dyn FnMut(&PickAnswer)) -> Self {
        self.answered = Some(hook);
        self
    }
}

impl WgpuGizmo {
    /// Creates a gizmo for passes with these attachments: the format of a pass without depth and with one sample,
    /// the formats of its color and depth, or a [`TargetState`].
    ///
    /// # Errors
    /// The errors of [`GizmoGpu::new`].
    pub fn new(device: &wgpu::Device, target: impl Into<TargetState>) -> Result<Self, GpuError> {
        Self::with_ids(device, target, IdSpace::new())
    }

    /// Creates a gizmo that allocates its ids from the host's space, which it then owns.
    ///
    /// # Errors
    /// [`GpuError::Ids`] if the space has too few ids left; the errors of [`GizmoGpu::new`].
    pub fn with_ids(
        device: &wgpu::Device,
        target: impl Into<TargetState>,
        mut ids: IdSpace,
    ) -> Result<Self, GpuError> {
        let gizmo = Gizmo::new(&mut ids)?;
        Ok(Self { gizmo, ids, gpu: GizmoGpu::new(device, target)? })
    }

    /// Passes answers of the picker and the events since the last call to the gizmo, moves the targets, and
    /// returns what happened. See [`Gizmo::update`], also for what `views` are, and [`GizmoGpu::receive`].
    ///
    /// # Errors
    /// The same as [`GizmoGpu::receive`]. Then nothing was processed, and the events wait for the next call.
    pub fn update<'v>(
        &mut self,
        views: impl Into<Views<'v>>,
        targets: &mut [Target],
    ) -> Result<Events, GpuError> {
        self.update_with(views, targets, UpdateOptions::default())
    }

    /// Updates like [`WgpuGizmo::update`], for one object without a parent: moves its transform in world space, which
    /// can be a matrix.
    ///
    /// # Errors
    /// The same as [`WgpuGizmo::update`].
    pub fn update_one<'v>(
        &mut self,
        views: impl Into<Views<'v>>,
        world: &mut impl HostTransform,
    ) -> Result<Events, GpuError> {
        Target::move_one(world, |targets| self.update(views, targets))
    }

    /// Updates like [`WgpuGizmo::update`], with hooks of the host.
    ///
    /// # Errors
    /// The same as [`WgpuGizmo::update`].
    pub fn update_with<'v>(
        &mut self,
        views: impl Into<Views<'v>>,
        targets: &mut [Target],
        options: UpdateOptions<'_>,
    ) -> Result<Events, GpuError> {
        let UpdateOptions { snap, mut search, mut answered } = options;
        self.gpu.receive_with(&mut self.gizmo, |gizmo, answer, neighbors| {
            answered.iter_mut().for_each(|hook| hook(answer));
            let search = search.as_mut().filter(|_| answer.query.is_snap);
            match search.and_then(|search| search(&answer.query, neighbors)) {
                Some(found) => gizmo.answer_snap(&answer.query, Some(found)),
                None => gizmo.answer(answer),
            }
        })?;
        Ok(match snap {
            Some(hook) => self.gizmo.update_with(views, targets, hook),
            None => self.gizmo.update(views, targets),
        })
    }

    /// Encodes a query if the gizmo has one, and uploads what [`WgpuGizmo::render`] draws in these views: see
    /// [`GizmoGpu::prepare`].
    ///
    /// # Errors
    /// The same as [`GizmoGpu::prepare`].
    pub fn prepare<'v>(
        &mut self,
        frame: Frame<'_>,
        views: impl Into<Views<'v>>,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, &PickQuery, DMat4),
    ) -> Result<(), GpuError> {
        self.gpu
            .prepare(frame, &mut self.gizmo, views, |_, pass, query, clip| draw_objects(pass, query, clip))
    }

    /// Draws the prepared handles and guides of a view over the contents of the host's pass: see [`GizmoGpu::render`].
    pub fn render(&self, pass: &mut wgpu::RenderPass<'_>, view: &View) {
        self.gpu.render(pass, view);
    }

    /// Returns true if another frame of the views with this key must be drawn: see [`GizmoGpu::needs_redraw`].
    pub fn needs_redraw(&self, view_key: u64) -> bool {
        self.gpu.needs_redraw(&self.gizmo, view_key)
    }

    /// Answers the queries of the gizmo at once, and waits for it, for tests and tools: see [`GizmoGpu::settle`].
    ///
    /// # Errors
    /// The same as [`GizmoGpu::settle`].
    pub fn settle(
        &mut self,
        queue: &wgpu::Queue,
        mut draw_objects: impl FnMut(&mut wgpu::RenderPass<'_>, &PickQuery, DMat4),
    ) -> Result<(), GpuError> {
        self.gpu.settle(queue, &mut self.gizmo, |_, pass, query, clip| draw_objects(pass, query, clip))
    }

    /// Creates everything on the GPU again, on a new device after the old one was lost: see [`GizmoGpu::rebuild`].
    ///
    /// # Errors
    /// The same as [`GizmoGpu::rebuild`].
    pub fn rebuild(&mut self, device: &wgpu::Device) -> Result<(), GpuError> {
        self.gpu.rebuild(device, &mut self.gizmo)
    }
}
