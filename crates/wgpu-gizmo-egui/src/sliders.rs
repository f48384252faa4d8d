//! Handles as AccessKit sliders, for screen readers and for their keyboard input.

use egui::accesskit::{Action, ActionData, Role};
use egui::{EventFilter, Id, Key, Rect, Response, Sense, Stroke, StrokeKind, Ui};
use wgpu_gizmo_core::draw::parts::MeshKind;
use wgpu_gizmo_core::glam::DVec3;
use wgpu_gizmo_core::handle::{Axis, Constraint, HandleSet};
use wgpu_gizmo_core::interaction::drive::{DriveError, Driven};
use wgpu_gizmo_core::interaction::settings::{SnapKind, SnapSettings};
use wgpu_gizmo_core::{DrawList, Event, Gizmo, HandleId, Increment, Target};

/// The step of a slider without increments: in world units, in degrees, and added to a factor.
const STEPS: [f64; 3] = [0.1, 5.0, 0.1];

/// The quantity that a slider shows and changes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Quantity {
    /// The position of the pivot along an axis of the reference frame, in world units.
    Position(Axis),
    /// The rotation of the active target about an axis of its parent, or of the gizmo while its place is edited, in
    /// degrees.
    Angle(Axis),
    /// The rotation on screen, in degrees. It has no absolute value, so the slider always shows 0.
    ViewAngle,
    /// The scale of the active target.
    Scale(Axis),
    /// The geometric mean of its scale.
    UniformScale,
    /// The length of a side of its bounding box in world units, which the face at the maximum or minimum changes.
    Side(Axis, Face),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Face {
    Maximum,
    Minimum,
}

impl Quantity {
    /// Returns the quantity that a handle changes, if it is one number.
    fn of(handle: HandleId) -> Option<Self> {
        match handle.constraint() {
            Constraint::Axis(axis) => Some(Self::Position(axis)),
            Constraint::Ring(axis) => Some(Self::Angle(axis)),
            Constraint::ViewRing => Some(Self::ViewAngle),
            Constraint::ScaleAxis(axis) => Some(Self::Scale(axis)),
            Constraint::ScaleUniform => Some(Self::UniformScale),
            // Edges and corners move faces, which have sliders already.
            Constraint::Box(grip) => {
                let mut axes = grip.axes();
                let axis = axes.next().filter(|_| axes.next().is_none())?;
                let face = if grip.sign(axis) > 0.0 { Face::Maximum } else { Face::Minimum };
                Some(Self::Side(axis, face))
            }
            _ => None,
        }
    }

    fn label(self) -> String {
        match self {
            Self::Position(axis) => format!("Move along {axis:?}"),
            Self::Angle(axis) => format!("Rotate about {axis:?}"),
            Self::ViewAngle => "Rotate on screen".to_owned(),
            Self::Scale(axis) => format!("Scale along {axis:?}"),
            Self::UniformScale => "Scale".to_owned(),
            Self::Side(axis, face) => {
                format!("Resize along {axis:?} at its {}", format!("{face:?}").to_lowercase())
            }
        }
    }

    fn value(self, gizmo: &Gizmo, active: &Target) -> f64 {
        // While the place of the gizmo is edited, the targets stay as they are.
        let place = gizmo.pivot_place().filter(|_| gizmo.is_editing_pivot());
        let local = place.unwrap_or(active.local);
        match self {
            Self::Position(axis) => {
                gizmo.pivot_place().map_or(0.0, |place| place.translation.dot(place.rotation * axis.unit()))
            }
            Self::Angle(axis) => {
                let about = DVec3::new(local.rotation.x, local.rotation.y, local.rotation.z).dot(axis.unit());
                let degrees = 2.0 * about.atan2(local.rotation.w).to_degrees();
                (degrees + 180.0).rem_euclid(360.0) - 180.0
            }
            Self::ViewAngle => 0.0,
            Self::Scale(axis) => local.scale[axis.index()],
            Self::UniformScale => local.scale.element_product().abs().cbrt(),
            Self::Side(axis, _) => active.bounds_local.map_or(0.0, |[low, high]| {
                let along = active.world_from_parent.transform_vector3(local.linear() * axis.unit());
                along.length() * (high - low)[axis.index()]
            }),
        }
    }

    /// Returns the step of an increment from a value, in the unit of the value.
    fn step(self, gizmo: &Gizmo, value: f64) -> f64 {
        let SnapSettings { while_held: held, increments: always, kind, .. } = gizmo.settings.snap;
        let size = |increment: Option<Increment>| increment.map(Increment::get);
        let [length, angle, factor] = STEPS;
        match self {
            Self::Position(_) | Self::Side(..) => size(always.translate.or(held.translate)).unwrap_or(length),
            Self::Angle(_) | Self::ViewAngle => {
                size(always.rotate.or(held.rotate)).map_or(angle, f64::to_degrees)
            }
            Self::Scale(_) | Self::UniformScale => match always.scale {
                // The factor snaps, and not the scale: a smaller step would change nothing.
                Some(increment) if kind != SnapKind::Value => increment.get() * value.abs(),
                _ => size(always.scale.or(held.scale)).unwrap_or(factor),
            },
        }
    }

    /// Returns the amount of a drag that changes the value from one to another.
    fn amount(self, from: f64, to: f64) -> f64 {
        match self {
            // A face takes the whole length.
            Self::Side(..) => to,
            Self::Position(_) => to - from,
            Self::Angle(_) | Self::ViewAngle => (to - from).to_radians(),
            Self::Scale(_) | Self::UniformScale => to / from,
        }
    }
}

/// Makes the handles of a panel sliders of AccessKit, and drags them at the request of AccessKit or the keyboard.
/// Returns the events of these drags. Does nothing while AccessKit is not active.
///
/// [`EguiGizmo`](crate::EguiGizmo) calls it. It is for hosts with a gizmo of their own: `response` is that of the
/// panel, and `list` is what the gizmo has drawn in it, in pixels of the window.
///
/// ```
/// use egui::{Response, Ui};
/// use wgpu_gizmo_core::{DrawList, Event, Gizmo, Target, View};
/// use wgpu_gizmo_egui::sliders;
///
/// fn panel(ui: &Ui, response: &Response, gizmo: &mut Gizmo, view: &View, targets: &mut [Target]) {
///     let mut list = DrawList::new();
///     gizmo.draw(list.begin(view));
///     for event in sliders(ui, response, gizmo, &list, targets) {
///         if event == (Event::Ended { changed: true }) { /* undo */ }
///     }
/// }
/// ```
pub fn sliders(
    ui: &Ui,
    response: &Response,
    gizmo: &mut Gizmo,
    list: &DrawList,
    targets: &mut [Target],
) -> Vec<Event> {
    let (events, focused) = unpainted_sliders(ui, response, gizmo, list, targets);
    paint_focus(ui, focused);
    events
}

/// Marks the slider that has the focus of the keyboard.
pub(crate) fn paint_focus(ui: &Ui, focused: Option<Rect>) {
    if let Some(bounds) = focused {
        let stroke: Stroke = ui.visuals().selection.stroke;
        ui.painter_at(ui.clip_rect()).rect_stroke(bounds, 2.0, stroke, StrokeKind::Outside);
    }
}

/// Does the same as [`sliders`] without painting, and also returns the bounds of the slider that has the focus.
pub(crate) fn unpainted_sliders(
    ui: &Ui,
    response: &Response,
    gizmo: &mut Gizmo,
    list: &DrawList,
    targets: &mut [Target],
) -> (Vec<Event>, Option<Rect>) {
    let (mut events, mut focused) = (Vec::new(), None);
    let is_active = ui.ctx().accesskit_node_builder(response.id, |_| ()).is_some();
    if !is_active || !ui.is_enabled() {
        return (events, focused);
    }
    let of_mode = gizmo.settings.mode.handles();
    // The pivot has no box.
    let of_box = gizmo.settings.box_handles.filter(|_| !gizmo.is_editing_pivot());
    let of_box = of_box.map_or(HandleSet::EMPTY, |shown| shown.handles);
    let box_handles = HandleId::box_handles().filter(|handle| of_box.contains(*handle));
    for handle in of_mode.built_in().chain(box_handles) {
        let (Some(quantity), Some(active)) = (Quantity::of(handle), active(targets)) else { continue };
        let id = response.id.with(("wgpu-gizmo slider", handle.name()));
        let value = quantity.value(gizmo, active);
        let step = quantity.step(gizmo, value);
        let disabled_reason = gizmo.disabled_reason(handle);
        let bounds = bounds(ui, response, gizmo, list, handle);
        let wanted = wanted(ui, id, bounds, value, step);
        focused = focused.or(ui.memory(|memory| memory.has_focus(id)).then_some(bounds));
        ui.ctx().accesskit_node_builder(id, |node| {
            node.set_role(Role::Slider);
            node.set_label(quantity.label());
            node.set_numeric_value(value);
            node.set_numeric_value_step(step);
            if let Some(reason) = disabled_reason {
                node.set_disabled();
                node.set_description(reason.to_string());
            } else {
                for action in [Action::Increment, Action::Decrement, Action::SetValue] {
                    node.add_action(action);
                }
            }
        });
        if let Some(to) = wanted.filter(|to| *to != value && disabled_reason.is_none()) {
            events.extend(drive(gizmo, handle, quantity.amount(value, to), targets).into_iter().flatten());
            ui.ctx().request_repaint();
        }
    }
    (events, focused)
}

/// Returns the target whose axes and box the gizmo shows: the last one that does not move with another.
fn active(targets: &[Target]) -> Option<&Target> {
    let moves_with_another = |target: &&Target| target.inside.is_some_and(|index| index < targets.len());
    targets.iter().rfind(|target| !moves_with_another(target)).or(targets.last())
}

/// Returns the value that AccessKit or the keyboard asks for.
fn wanted(ui: &Ui, id: Id, bounds: Rect, value: f64, step: f64) -> Option<f64> {
    let slider = ui.interact(bounds, id, Sense::focusable_noninteractive());
    let mut steps = ui.input(|input| {
        input.num_accesskit_action_requests(id, Action::Increment) as f64
            - input.num_accesskit_action_requests(id, Action::Decrement) as f64
    });
    if slider.has_focus() {
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..Default::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        steps += ui.input(|input| {
            let presses = |key| input.num_presses(key) as f64;
            presses(Key::ArrowRight) + presses(Key::ArrowUp)
                - presses(Key::ArrowLeft)
                - presses(Key::ArrowDown)
        });
    }
    let set = ui.input(|input| {
        let requests = input.accesskit_action_requests(id, Action::SetValue);
        let values = requests.filter_map(|request| match request.data {
            Some(ActionData::NumericValue(value)) => Some(value),
            _ => None,
        });
        values.last()
    });
    set.or_else(|| (steps != 0.0).then_some(value + steps * step))
}

/// Drags a handle, and returns the events that a drag by the pointer would have.
fn drive(
    gizmo: &mut Gizmo,
    handle: HandleId,
    amount: f64,
    targets: &mut [Target],
) -> Result<[Event; 3], DriveError> {
    let Driven { motion, changed, .. } = gizmo.drive(handle, amount, targets)?;
    Ok([Event::Started(handle), Event::Changed(motion), Event::Ended { changed }])
}

/// Returns a rectangle around a handle in points, or that of the panel's center if the handle is not visible.
fn bounds(ui: &Ui, response: &Response, gizmo: &Gizmo, list: &DrawList, handle: HandleId) -> Rect {
    let id = gizmo.id_of(handle).get();
    let points_per_px = 1.0 / ui.ctx().pixels_per_point();
    let mut bounds = Rect::NOTHING;
    for item in list.items().iter().filter(|item| item.handle_id() == id) {
        let corners: &[DVec3] = match item.mesh {
            MeshKind::Stem => &[DVec3::ZERO, DVec3::X],
            MeshKind::Ring => &[DVec3::Y, DVec3::Z, DVec3::NEG_Y, DVec3::NEG_Z],
            _ => &[DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z],
        };
        for px in corners.iter().filter_map(|corner| item.px_from_part(*corner)) {
            let [x, y] = px.as_vec2().to_array();
            bounds.extend_with(egui::pos2(x, y) * points_per_px);
        }
    }
    let bounds = bounds.intersect(response.rect);
    if bounds.is_positive() {
        bounds
    } else {
        Rect::from_center_size(response.rect.center(), egui::Vec2::ZERO)
    }
}
