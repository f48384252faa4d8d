//! Icons of cameras and lights in the views. They are as large on screen from everywhere, and a click on one, or a
//! box around it, selects its node.

mod shapes;

use super::Editor;
use scene::volume::{Light, NodeVolume};
use shapes::Shapes;
use std::num::NonZeroU32;
use wgpu_gizmo_core::draw::parts::{ScreenMesh, ScreenPlacement};
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::Rgba;
use wgpu_gizmo_core::math::Rect;
use wgpu_gizmo_core::pick::{PickHit, PickQuery, Region};
use wgpu_gizmo_core::{DrawList, View};

/// The radius in logical pixels. The diameter is what WCAG 2.5.8 requires, and a little more.
const RADIUS_LPX: f64 = 13.0;
/// The number of icons in a view, nearest first. More would hide the scene.
const MAX_ICONS: usize = 500;

/// The disc behind the glyph, and the glyph of a camera. A light has its own color. The disc is dark and its rim
/// bright, so that one of them stands out from any background.
const DISC: Rgba = [0.11, 0.12, 0.14, 1.0];
const RIM: Rgba = [0.84, 0.86, 0.90, 1.0];
/// The rims of the active node and of other selected nodes, like their outlines.
const ACTIVE: Rgba = [1.0, 0.64, 0.22, 1.0];
const SELECTED: Rgba = [0.86, 0.40, 0.10, 1.0];
/// The opacity of an icon that cannot be clicked, because its node is locked.
const LOCKED_OPACITY: f32 = 0.5;

impl Editor {
    /// Returns the nodes that have an icon, each with its position in world space.
    fn icons(&self) -> impl Iterator<Item = (usize, DVec3)> {
        let is_empty = !self.shows_icons || self.scene.volumes().is_empty();
        let nodes = if is_empty { 0..0 } else { 0..self.scene.nodes().len() };
        let has_icon = |node: &usize| self.scene.volume_of(*node).is_some() && self.scene.is_shown(*node);
        nodes.filter(has_icon).map(|node| (node, self.scene.world_from_node(node).w_axis.truncate()))
    }

    /// Adds the icons to a list, behind all handles, except that of one node. `id_of` returns the id of a node in
    /// the ID image, or `None` if it cannot be picked.
    pub(crate) fn draw_icons(
        &self,
        list: &mut DrawList,
        hidden_node: Option<usize>,
        id_of: impl Fn(usize) -> Option<NonZeroU32>,
    ) {
        let (Some(view), Some(shapes)) = (list.view().copied(), Shapes::shared()) else { return };
        let radius_px = RADIUS_LPX * view.scale_factor();
        let viewport = view.viewport();
        let [min, max] = [DVec2::ZERO, DVec2::new(viewport.width, viewport.height)]
            .map(|corner| corner + DVec2::new(viewport.x, viewport.y));
        let seen = |(node, world): (usize, DVec3)| {
            let px = view.px_from_world(world)?;
            let is_inside = px.cmpgt(min - radius_px).all() && px.cmplt(max + radius_px).all();
            is_inside.then(|| (world.dot(view.forward()), node, px))
        };
        let mut icons: Vec<_> =
            self.icons().filter(|(node, _)| hidden_node != Some(*node)).filter_map(seen).collect();
        // All icons have the same depth in the list, so the first is painted last.
        icons.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, node, center_px) in icons.into_iter().take(MAX_ICONS) {
            let id = id_of(node);
            let opacity = if self.pickable_id_of(node).is_some() { 1.0 } else { LOCKED_OPACITY };
            let mesh =
                |(mesh, [r, g, b, a]): (_, Rgba)| ScreenMesh { mesh, color: [r, g, b, a * opacity], id };
            let volume = self.scene.volume_of(node).and_then(|index| self.scene.volume(index));
            let Some((ids, volume)) = self.ids.range_of(node).zip(volume) else { continue };
            let parts = [
                (&shapes.rim, self.rim_color(node)),
                (&shapes.disc, DISC),
                (shapes.glyph(&volume), glyph_color(&volume)),
            ];
            let bounds_px = Rect { min: center_px - radius_px - 1.0, max: center_px + radius_px + 1.0 };
            let placement = ScreenPlacement {
                center_px,
                right: DVec3::X * radius_px,
                down: DVec3::NEG_Y * radius_px,
                bounds_px,
            };
            list.push_meshes(ids, &placement, parts.map(mesh));
        }
    }

    fn rim_color(&self, node: usize) -> Rgba {
        match () {
            () if self.hovered_node() == Some(node) => self.gizmo.theme.colors.hovered,
            () if self.selection.active() == Some(node) => ACTIVE,
            () if self.selection.nodes().contains(&node) => SELECTED,
            () => RIM,
        }
    }

    /// Returns the point of the scene that was hit: of an icon, the position of its node, because the icon has no
    /// depth.
    pub(super) fn point_of_hit(&self, view: &View, hit: &PickHit) -> Option<DVec3> {
        let node = self.node_of(hit.id)?;
        let at_px = DVec2::new(hit.pixel.0 as f64, hit.pixel.1 as f64) + 0.5;
        let icon = self.icons().find(|(with_icon, _)| *with_icon == node).map(|(_, world)| world);
        icon.filter(|world| is_icon_at(view, *world, at_px)).or(hit.position_world)
    }

    /// Returns true if an icon that can be clicked is under the pointer of a query.
    pub(super) fn is_on_icon(&self, query: &PickQuery) -> bool {
        self.pickable_icons(&query.view).any(|(_, world)| is_icon_at(&query.view, world, query.cursor_px))
    }

    /// Returns the icons that can be clicked in a view: not that of the node that it looks through.
    fn pickable_icons(&self, view: &View) -> impl Iterator<Item = (usize, DVec3)> {
        let (key, hidden_node) = (view.key(), self.volumes.hidden_node);
        let is_pickable = move |node| self.pickable_id_of(node).is_some() && hidden_node != Some((node, key));
        self.icons().filter(move |(node, _)| is_pickable(*node))
    }

    /// Adds the nodes whose icons are centered in a region of a view.
    pub(super) fn add_icons_in(&self, view: &View, region: &Region, nodes: &mut Vec<usize>) {
        let is_inside = |world: DVec3| view.px_from_world(world).is_some_and(|px| region.contains(px));
        let icons = self.pickable_icons(view).filter(|(_, world)| is_inside(*world));
        nodes.extend(icons.map(|(node, _)| node));
        nodes.sort_unstable();
        nodes.dedup();
    }
}

/// Returns true if the icon of a node at a point of the scene reaches a point on screen.
fn is_icon_at(view: &View, world: DVec3, at_px: DVec2) -> bool {
    let reach_px = RADIUS_LPX * view.scale_factor() + 1.0;
    view.px_from_world(world).is_some_and(|px| px.distance(at_px) <= reach_px)
}

/// Returns the color of a glyph. That of a light is bright enough for the disc.
fn glyph_color(volume: &NodeVolume) -> Rgba {
    let NodeVolume::Light(Light { color, .. }) = volume else { return RIM };
    let brightest = color.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let [r, g, b] = color.map(|component| {
        let srgb = (component / brightest).powf(1.0 / 2.2);
        (0.4 + 0.6 * srgb) as f32
    });
    [r, g, b, 1.0]
}

#[cfg(test)]
mod tests;
