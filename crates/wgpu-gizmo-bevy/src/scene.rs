//! Targets and their ancestors.

use crate::components::GizmoTarget;
use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::Visibility;
use bevy::ecs::change_detection::DetectChangesMut;
use bevy::ecs::entity::{Entity, EntityHashMap};
use bevy::ecs::hierarchy::ChildOf;
use bevy::ecs::query::With;
use bevy::ecs::system::{Query, SystemParam};
use bevy::math::{Quat, Vec3};
use bevy::transform::components::Transform;
use wgpu_gizmo_core::glam::{DMat4, DVec3};
use wgpu_gizmo_core::{Target, Transform as CoreTransform};

/// The transforms of all entities, and the targets among them.
#[derive(SystemParam)]
pub(crate) struct Scene<'w, 's> {
    targets: Query<'w, 's, (Entity, Option<&'static Aabb>), With<GizmoTarget>>,
    transforms: Query<'w, 's, (&'static mut Transform, Option<&'static ChildOf>)>,
    visibilities: Query<'w, 's, (Option<&'static Visibility>, Option<&'static ChildOf>)>,
}

/// The targets of an update.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    pub(crate) entities: Vec<Entity>,
    /// The transforms of the entities before the update.
    pub(crate) before: Vec<Transform>,
    pub(crate) targets: Vec<Target>,
}

impl Scene<'_, '_> {
    /// Returns the local transform of an entity, if it has one.
    pub(crate) fn transform(&self, entity: Entity) -> Option<Transform> {
        self.transforms.get(entity).ok().map(|(transform, _)| *transform)
    }

    /// Sets the local transform of an entity, unless it is equal or gone.
    pub(crate) fn set_transform(&mut self, entity: Entity, to: Transform) {
        if let Ok((mut transform, _)) = self.transforms.get_mut(entity) {
            transform.set_if_neq(to);
        }
    }

    /// Returns the matrix of an entity in world space: the product of the transforms of its ancestors and
    /// itself, which is that of its `GlobalTransform` after propagation, without rounding to `f32`.
    pub(crate) fn world_from_local(&self, entity: Entity) -> Option<DMat4> {
        let (transform, mut parent) = self.transforms.get(entity).ok()?;
        let mut matrix = matrix(transform);
        while let Some((transform, next)) = parent.and_then(|parent| self.transforms.get(parent.0).ok()) {
            matrix = self::matrix(transform) * matrix;
            parent = next;
        }
        Some(matrix)
    }

    fn parents(&self, entity: Entity) -> impl Iterator<Item = Entity> + '_ {
        let parent = |entity: &Entity| Some(self.visibilities.get(*entity).ok()?.1?.0);
        std::iter::successors(parent(&entity), parent)
    }

    fn is_hidden(&self, entity: Entity) -> bool {
        let visibility = |entity| self.visibilities.get(entity).ok()?.0.copied();
        let mut all = std::iter::once(entity).chain(self.parents(entity)).filter_map(visibility);
        all.find(|visibility| *visibility != Visibility::Inherited) == Some(Visibility::Hidden)
    }

    /// Brings `order` up to date: all marked entities in the order in which they were marked.
    pub(crate) fn order_targets(&self, order: &mut Vec<Entity>) {
        order.retain(|entity| self.targets.contains(*entity));
        // Entities that were marked before the plugin was added are missing.
        if self.targets.iter().len() > order.len() {
            let new = self.targets.iter().map(|(entity, _)| entity).filter(|entity| !order.contains(entity));
            let new: Vec<_> = new.collect();
            order.extend(new);
        }
    }

    /// Returns the visible targets.
    pub(crate) fn targets(&self, order: &[Entity]) -> Targets {
        let mut result = Targets::default();
        for entity in order.iter().copied().filter(|entity| !self.is_hidden(*entity)) {
            let Some(transform) = self.transform(entity) else { continue };
            let parent = self.parents(entity).next().and_then(|parent| self.world_from_local(parent));
            let mut target = Target::new(core_transform(&transform), parent.unwrap_or(DMat4::IDENTITY));
            if let Ok((_, Some(aabb))) = self.targets.get(entity) {
                let corner = |corner: bevy::math::Vec3A| DVec3::from_array(corner.to_array().map(f64::from));
                target = target.with_bounds([corner(aabb.min()), corner(aabb.max())]);
            }
            result.entities.push(entity);
            result.before.push(transform);
            result.targets.push(target.with_key(entity.to_bits()));
        }
        if result.entities.len() > 1 {
            let indices: EntityHashMap<usize> = result.entities.iter().copied().zip(0..).collect();
            for (entity, target) in result.entities.iter().zip(&mut result.targets) {
                target.inside = self.parents(*entity).find_map(|ancestor| indices.get(&ancestor).copied());
            }
        }
        result
    }
}

fn core_transform(transform: &Transform) -> CoreTransform {
    let [translation, scale] = [transform.translation, transform.scale].map(|vector| vector.to_array());
    CoreTransform::from_arrays(translation, transform.rotation.to_array(), scale)
}

/// Returns the matrix of a transform.
fn matrix(transform: &Transform) -> DMat4 {
    core_transform(transform).to_matrix()
}

/// Returns the transform of an entity for one of the gizmo, rounded to `f32`.
pub(crate) fn bevy_transform(transform: &CoreTransform) -> Transform {
    let vector = |vector: DVec3| Vec3::from_array(vector.as_vec3().to_array());
    Transform {
        translation: vector(transform.translation),
        rotation: Quat::from_array(transform.rotation.as_quat().to_array()),
        scale: vector(transform.scale),
    }
}
