//! Checks that Rust and WGSL agree on vertex layouts, uniforms and constants.

use super::guides::{self, GRID_LAYOUT, GUIDE_LAYOUT, GridRecord, Quad};
use super::instances::INSTANCE_LAYOUT;
use super::meshes::VERTEX_LAYOUT;
use super::overlay::{self, OverlayUniform};
use super::scene::CELL;
use crate::draw::PartInstance;
use crate::draw::guides::MARGIN_PX;
use crate::handle::{FAR_HALF, TAPER, Vertex};
use std::collections::BTreeMap;
use std::mem::{offset_of, size_of};
use wgpu::VertexFormat;
use wgpu::naga::{self, Binding, ScalarKind, TypeInner};

const HANDLE: &str = include_str!("../../shaders/handle.wgsl");

pub(super) fn parsed(source: &str) -> naga::Module {
    naga::front::wgsl::parse_str(source).unwrap_or_else(|e| panic!("{}", e.emit_to_string(source)))
}

/// Returns the name, location and format of every field of a struct.
fn inputs(module: &naga::Module, name: &str) -> Vec<(String, u32, VertexFormat)> {
    let wanted = |(_, ty): &(_, &naga::Type)| ty.name.as_deref() == Some(name);
    let (_, ty) = module.types.iter().find(wanted).expect("the shader has the struct");
    let TypeInner::Struct { members, .. } = &ty.inner else { panic!("{name} is a struct") };
    let field = |member: &naga::StructMember| {
        let Some(Binding::Location { location, .. }) = member.binding else { panic!("{member:?}") };
        let format = match module.types[member.ty].inner {
            TypeInner::Scalar(s) if s.kind == ScalarKind::Float => VertexFormat::Float32,
            TypeInner::Scalar(s) if s.kind == ScalarKind::Uint => VertexFormat::Uint32,
            TypeInner::Vector { size: naga::VectorSize::Bi, .. } => VertexFormat::Float32x2,
            TypeInner::Vector { size: naga::VectorSize::Tri, .. } => VertexFormat::Float32x3,
            TypeInner::Vector { size: naga::VectorSize::Quad, .. } => VertexFormat::Float32x4,
            ref other => panic!("{other:?}"),
        };
        (member.name.clone().expect("named"), location, format)
    };
    members.iter().map(field).collect()
}

/// Asserts that a vertex layout, its Rust struct and its WGSL struct agree.
pub(super) fn agree(
    layout: &wgpu::VertexBufferLayout<'_>,
    (source, shader): (&str, &str),
    rust: &[(&str, usize)],
    bytes: usize,
) {
    let inputs = inputs(&parsed(source), shader);
    assert_eq!(inputs.len(), rust.len());
    for (((name, location, format), attribute), (field, offset)) in
        inputs.iter().zip(layout.attributes).zip(rust)
    {
        let as_seen = match attribute.format {
            VertexFormat::Float16x4 | VertexFormat::Unorm8x4 => VertexFormat::Float32x4,
            format => format,
        };
        assert_eq!((name.as_str(), *location, *format), (*field, attribute.shader_location, as_seen));
        assert_eq!(attribute.offset, *offset as u64, "{name}");
    }
    assert_eq!(layout.array_stride, bytes as u64);
}

#[test]
fn rust_and_wgsl_agree_on_vertices_and_instances() {
    let vertex = [
        ("position", offset_of!(Vertex, position)),
        ("weight", offset_of!(Vertex, weight)),
        ("normal", offset_of!(Vertex, normal)),
        ("lit", offset_of!(Vertex, lit)),
    ];
    agree(&VERTEX_LAYOUT, (HANDLE, "Corner"), &vertex, size_of::<Vertex>());
    let columns = offset_of!(PartInstance, clip_from_part);
    let instance = [
        ("clip_from_part_x", columns),
        ("clip_from_part_y", columns + 16),
        ("clip_from_part_z", columns + 32),
        ("clip_from_part_w", columns + 48),
        ("view_depth_from_part", offset_of!(PartInstance, view_depth_from_part)),
        ("to_eye_part", offset_of!(PartInstance, to_eye_part)),
        ("color", offset_of!(PartInstance, color)),
        ("thickness", offset_of!(PartInstance, thickness)),
        ("far_thickness", offset_of!(PartInstance, far_thickness)),
        ("far_opacity", offset_of!(PartInstance, far_opacity)),
        ("id", offset_of!(PartInstance, id)),
    ];
    agree(&INSTANCE_LAYOUT, (HANDLE, "Part"), &instance, size_of::<PartInstance>());
}

#[test]
fn rust_and_wgsl_agree_on_guides() {
    let corners = offset_of!(Quad, corners);
    let colors = offset_of!(Quad, colors);
    let quad = [
        ("first", corners),
        ("second", corners + 16),
        ("across", offset_of!(Quad, across)),
        ("from_color", colors),
        ("to_color", colors + 4),
    ];
    agree(&GUIDE_LAYOUT, (guides::SHADER, "Quad"), &quad, size_of::<Quad>());
    let axes = offset_of!(GridRecord, axes);
    let grid = [
        ("middle", offset_of!(GridRecord, middle)),
        ("first_axis", axes),
        ("second_axis", axes + 12),
        ("lines", offset_of!(GridRecord, lines)),
        ("across_first", offset_of!(GridRecord, across_first)),
        ("size_px", offset_of!(GridRecord, size_px)),
        ("width", offset_of!(GridRecord, width)),
        ("color", offset_of!(GridRecord, color)),
    ];
    agree(&GRID_LAYOUT, (guides::SHADER, "Grid"), &grid, size_of::<GridRecord>());
}

/// Asserts that the Rust struct and the WGSL struct of a uniform agree.
pub(super) fn agree_on_uniform((source, shader): (&str, &str), rust: &[(&str, usize)], bytes: usize) {
    let module = parsed(source);
    let wanted = |(_, ty): &(_, &naga::Type)| ty.name.as_deref() == Some(shader);
    let (_, ty) = module.types.iter().find(wanted).expect("the shader has the struct");
    let TypeInner::Struct { members, span } = &ty.inner else { panic!("a struct") };
    let name = |m: &naga::StructMember| m.name.clone().expect("named");
    let wgsl: Vec<_> = members.iter().map(|m| (name(m), m.offset as usize)).collect();
    let rust: Vec<_> = rust.iter().map(|(name, offset)| ((*name).to_owned(), *offset)).collect();
    assert_eq!((wgsl, *span as usize), (rust, bytes));
}

#[test]
fn rust_and_wgsl_agree_on_overlay_uniform() {
    let rust = [
        ("origin_px", offset_of!(OverlayUniform, origin_px)),
        ("size_px", offset_of!(OverlayUniform, size_px)),
        ("halo_px", offset_of!(OverlayUniform, halo_px)),
        ("halo_opacity", offset_of!(OverlayUniform, halo_opacity)),
    ];
    agree_on_uniform((overlay::SHADER, "Overlay"), &rust, size_of::<OverlayUniform>());
}

/// The constants that exist in Rust and in WGSL.
const SHARED: [(&str, &str, f64); 5] = [
    ("handle", "FAR_HALF", FAR_HALF),
    ("handle", "TAPER", TAPER),
    ("guide", "GRID_PIECES", guides::GRID_PIECES as f64),
    ("guide", "MARGIN_PX", MARGIN_PX),
    ("outline", "CELL", CELL as f64),
];

/// The constants that exist only in WGSL.
const SHADER_ONLY: [(&str, &str); 4] =
    [("color", "BACKGROUND"), ("guide", "HALO_OPACITY"), ("guide", "LEAST_W"), ("outline", "STEEPEST")];

#[test]
fn shared_constants_are_equal_and_all_are_listed() {
    let shaders = [
        ("color", include_str!("../../shaders/color.wgsl")),
        ("guide", include_str!("../../shaders/guide.wgsl")),
        ("handle", HANDLE),
        ("mask", include_str!("../../shaders/mask.wgsl")),
        ("object", include_str!("../../shaders/object.wgsl")),
        ("outline", include_str!("../../shaders/outline.wgsl")),
        ("overlay", include_str!("../../shaders/overlay.wgsl")),
    ];
    let mut found = BTreeMap::new();
    for (shader, source) in shaders {
        for line in source.lines().filter_map(|line| line.strip_prefix("const ")) {
            let (name, value) = line.split_once('=').expect("a constant has a value");
            let name = name.split(':').next().unwrap_or_default().trim();
            found.insert((shader, name), value.trim().trim_end_matches(';').trim_end_matches('u'));
        }
    }
    for (shader, name, rust) in SHARED {
        let wgsl = found.remove(&(shader, name)).unwrap_or_else(|| panic!("{shader}.wgsl has no {name}"));
        assert_eq!(wgsl.parse(), Ok(rust), "{name} in {shader}.wgsl");
    }
    assert_eq!(found.into_keys().collect::<Vec<_>>(), SHADER_ONLY, "constants that are not shared");
}
