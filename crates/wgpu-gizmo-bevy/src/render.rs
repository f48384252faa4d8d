//! Draws the triangles of each camera over its scene.
//!
//! They are drawn after all post-processing, into the texture without samples: no exposure, tone mapping or
//! bloom changes their colors, and the scene may have any number of samples. Their edges are anti-aliased by
//! themselves.

use crate::pictures::Pictures;
use bevy::app::App;
use bevy::asset::{AssetServer, Handle, embedded_asset, load_embedded_asset};
use bevy::camera::CompositingSpace;
use bevy::core_pipeline::upscaling::upscaling;
use bevy::core_pipeline::{Core2d, Core2dSystems, Core3d, Core3dSystems};
use bevy::ecs::change_detection::{Res, ResMut};
use bevy::ecs::entity::{Entity, EntityHashMap};
use bevy::ecs::resource::Resource;
use bevy::ecs::schedule::{IntoScheduleConfigs, SystemSet};
use bevy::ecs::system::{Commands, Query};
use bevy::mesh::VertexBufferLayout;
use bevy::render::camera::ExtractedCamera;
use bevy::render::render_resource::*;
use bevy::render::renderer::{RenderContext, RenderDevice, RenderQueue, ViewQuery};
use bevy::render::sync_world::MainEntity;
use bevy::render::view::{ExtractedView, ViewTarget};
use bevy::render::{
    Extract, ExtractSchedule, GpuResourceAppExt, Render, RenderApp, RenderStartup, RenderSystems,
};
use bevy::shader::Shader;
use std::ops::Range;
use std::sync::Arc;
use wgpu_gizmo_core::draw::parts::Triangles;

/// The set of the system that draws, in the schedules [`Core3d`] and [`Core2d`] of the render app: after the
/// post-processing and before the picture is copied to the window.
///
/// Bevy's user interface is drawn there, too: above the gizmo with the feature `ui` of this crate, otherwise
/// in an order that is not defined.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GizmoDrawSystems;

/// Adds the drawing, if there is a renderer.
pub(crate) fn add_to(app: &mut App) {
    if app.get_sub_app(RenderApp).is_none() {
        return;
    }
    embedded_asset!(app, "gizmo.wgsl");
    app.sub_app_mut(RenderApp)
        .init_resource::<ExtractedTriangles>()
        .init_gpu_resource::<Prepared>()
        .init_gpu_resource::<SpecializedRenderPipelines<GizmoPipeline>>()
        .add_systems(RenderStartup, init_pipeline)
        .add_systems(ExtractSchedule, extract)
        .add_systems(Render, prepare.in_set(RenderSystems::PrepareResources))
        .configure_sets(Core3d, GizmoDrawSystems.after(Core3dSystems::PostProcess).before(upscaling))
        .configure_sets(Core2d, GizmoDrawSystems.after(Core2dSystems::PostProcess).before(upscaling))
        .add_systems(Core3d, draw.in_set(GizmoDrawSystems))
        .add_systems(Core2d, draw.in_set(GizmoDrawSystems));
    #[cfg(feature = "ui")]
    app.sub_app_mut(RenderApp)
        .configure_sets(Core3d, GizmoDrawSystems.before(bevy::ui_render::ui_pass))
        .configure_sets(Core2d, GizmoDrawSystems.before(bevy::ui_render::ui_pass));
}

/// The triangles of all cameras, by the entity of the camera in the main world.
#[derive(Resource, Debug, Default)]
struct ExtractedTriangles(Vec<(Entity, Arc<Triangles>)>);

/// The floats of a vertex: the position in NDC and the color.
type Vertex = [f32; 6];

/// The buffers of a frame, and the part of each camera.
#[derive(Resource)]
struct Prepared {
    vertices: RawBufferVec<Vertex>,
    indices: RawBufferVec<u32>,
    parts: EntityHashMap<Part>,
}

impl Default for Prepared {
    fn default() -> Self {
        Self {
            vertices: RawBufferVec::new(BufferUsages::VERTEX),
            indices: RawBufferVec::new(BufferUsages::INDEX),
            parts: EntityHashMap::default(),
        }
    }
}

/// The indices of a camera, and the pipeline for its format.
struct Part {
    indices: Range<u32>,
    base_vertex: i32,
    pipeline: CachedRenderPipelineId,
}

#[derive(Resource)]
struct GizmoPipeline {
    shader: Handle<Shader>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct PipelineKey {
    format: TextureFormat,
    space: CompositingSpace,
}

fn init_pipeline(mut commands: Commands, assets: Res<AssetServer>) {
    commands.insert_resource(GizmoPipeline { shader: load_embedded_asset!(assets.as_ref(), "gizmo.wgsl") });
}

impl SpecializedRenderPipeline for GizmoPipeline {
    type Key = PipelineKey;

    fn specialize(&self, key: PipelineKey) -> RenderPipelineDescriptor {
        let formats = [VertexFormat::Float32x2, VertexFormat::Float32x4];
        RenderPipelineDescriptor {
            label: Some("gizmo".into()),
            vertex: VertexState {
                shader: self.shader.clone(),
                buffers: vec![VertexBufferLayout::from_vertex_formats(VertexStepMode::Vertex, formats)],
                ..Default::default()
            },
            fragment: Some(FragmentState {
                shader: self.shader.clone(),
                shader_defs: match key.space {
                    CompositingSpace::Srgb => vec!["SRGB".into()],
                    CompositingSpace::Oklab => vec!["OKLAB".into()],
                    CompositingSpace::Linear => vec![],
                },
                targets: vec![Some(ColorTargetState {
                    format: key.format,
                    blend: Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: ColorWrites::ALL,
                })],
                ..Default::default()
            }),
            ..Default::default()
        }
    }
}

fn extract(pictures: Extract<Res<Pictures>>, mut extracted: ResMut<ExtractedTriangles>) {
    extracted.0.clear();
    extracted.0.extend(pictures.triangles().map(|(camera, triangles)| (camera, Arc::clone(triangles))));
}

fn prepare(
    extracted: Res<ExtractedTriangles>,
    views: Query<(&MainEntity, &ExtractedCamera, &ExtractedView)>,
    mut prepared: ResMut<Prepared>,
    pipeline: Res<GizmoPipeline>,
    mut pipelines: ResMut<SpecializedRenderPipelines<GizmoPipeline>>,
    (cache, device, queue): (Res<PipelineCache>, Res<RenderDevice>, Res<RenderQueue>),
) {
    let Prepared { vertices, indices, parts } = &mut *prepared;
    vertices.clear();
    indices.clear();
    parts.clear();
    for (entity, camera, view) in &views {
        let of_camera = extracted.0.iter().find(|(camera, _)| *camera == entity.id());
        let (Some((_, triangles)), Some(size)) = (of_camera, camera.physical_target_size) else { continue };
        let (first, base_vertex) = (indices.len() as u32, vertices.len() as i32);
        for vertex in triangles.vertices() {
            let ([x, y], [r, g, b, a]) = (vertex.position_px, vertex.color);
            let ndc = [2.0 * x / size.x as f32 - 1.0, 1.0 - 2.0 * y / size.y as f32];
            vertices.push([ndc[0], ndc[1], r, g, b, a]);
        }
        indices.extend(triangles.indices().iter().copied());
        let space = camera.compositing_space.unwrap_or(CompositingSpace::Linear);
        let key = PipelineKey { format: view.target_format, space };
        let pipeline = pipelines.specialize(&cache, &pipeline, key);
        parts.insert(entity.id(), Part { indices: first..indices.len() as u32, base_vertex, pipeline });
    }
    vertices.write_buffer(&device, &queue);
    indices.write_buffer(&device, &queue);
}

fn draw(
    view: ViewQuery<(&MainEntity, &ExtractedCamera, &ViewTarget)>,
    prepared: Res<Prepared>,
    cache: Res<PipelineCache>,
    mut context: RenderContext,
) {
    let (entity, camera, target) = view.into_inner();
    let Some(part) = prepared.parts.get(&entity.id()).filter(|part| !part.indices.is_empty()) else { return };
    let (Some(vertices), Some(indices)) = (prepared.vertices.buffer(), prepared.indices.buffer()) else {
        return;
    };
    let Some(pipeline) = cache.get_render_pipeline(part.pipeline) else { return };
    let mut pass = context.begin_tracked_render_pass(RenderPassDescriptor {
        label: Some("gizmo"),
        color_attachments: &[Some(target.get_unsampled_color_attachment())],
        ..Default::default()
    });
    if let Some(viewport) = &camera.viewport {
        let (at, size) = (viewport.physical_position, viewport.physical_size);
        pass.set_scissor_rect(at.x, at.y, size.x, size.y);
    }
    pass.set_render_pipeline(pipeline);
    pass.set_vertex_buffer(0, vertices.slice(..));
    pass.set_index_buffer(indices.slice(..), IndexFormat::Uint32);
    pass.draw_indexed(part.indices.clone(), part.base_vertex, 0..1);
}
