//! The triangles of each camera.

use crate::input::InputState;
use crate::step::Step;
use bevy::ecs::change_detection::{Res, ResMut};
use bevy::ecs::entity::{Entity, EntityHashMap};
use bevy::ecs::resource::Resource;
use std::sync::Arc;
use wgpu_gizmo_core::DrawList;
use wgpu_gizmo_core::draw::parts::Triangles;

/// The pictures of the gizmo in all cameras.
#[derive(Resource, Debug, Default)]
pub(crate) struct Pictures {
    pictures: EntityHashMap<Picture>,
    /// A list whose memory is kept between frames.
    list: DrawList,
}

#[derive(Debug)]
struct Picture {
    list: DrawList,
    triangles: Arc<Triangles>,
}

impl Pictures {
    /// Returns the triangles of all cameras, in physical pixels of their render targets.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = (Entity, &Arc<Triangles>)> {
        self.pictures.iter().map(|(camera, picture)| (*camera, &picture.triangles))
    }
}

/// Updates the gizmo after other systems have moved cameras and targets, and makes the pictures.
pub(crate) fn update_pictures(mut step: Step, input: Res<InputState>, mut pictures: ResMut<Pictures>) {
    let views = step.views();
    input.update(&mut step, &views);
    let pictures = &mut *pictures;
    pictures.pictures.retain(|camera, _| views.iter().any(|view| view.camera == *camera));
    for view in &views {
        let list = pictures.list.begin(&view.view);
        step.gizmo.draw(list);
        list.stroke_readouts();
        match pictures.pictures.get_mut(&view.camera) {
            Some(picture) if picture.list == *list => {}
            Some(picture) => {
                std::mem::swap(&mut picture.list, list);
                picture.triangles = triangles(&picture.list);
            }
            None => {
                let triangles = triangles(list);
                let picture = Picture { list: std::mem::take(list), triangles };
                pictures.pictures.insert(view.camera, picture);
            }
        }
    }
}

fn triangles(list: &DrawList) -> Arc<Triangles> {
    let mut triangles = Triangles::new();
    list.triangles_px(&mut triangles);
    Arc::new(triangles)
}
