//! Checks that Rust and WGSL agree on vertex layouts, uniforms and constants.

use super::scene::CELL;
use crate::draw::parts::GuideGrid;
use crate::gpu::drawing::grids::{self, GRID_LAYOUT, GridRecord};
use crate::gpu::drawing::picture::{PATCH_LAYOUT, PatchVertex, SHADER as HANDLE};
use crate::gpu::drawing::scene_depth::Uniform;
use crate::gpu::picking::id_handles::{EdgeRecord, RECORD_LAYOUT};
use crate::gpu::picking::id_pass;
use std::collections::BTreeMap;
use std::mem::{offset_of, size_of};
use wgpu::VertexFormat;
use wgpu::naga::{self, Binding, ScalarKind, TypeInner};

pub(crate) fn parsed(source: &str) -> naga::Module {
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
        (member.name.clone().expect("the member has a name"), location, format)
    };
    members.iter().map(field).collect()
}

/// Asserts that a vertex layout, its Rust struct and its WGSL struct agree.
pub(crate) fn agree(
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
            VertexFormat::Unorm8x4 => VertexFormat::Float32x4,
            format => format,
        };
        assert_eq!((name.as_str(), *location, *format), (*field, attribute.shader_location, as_seen));
        assert_eq!(attribute.offset, *offset as u64, "{name}");
    }
    assert_eq!(layout.array_stride, bytes as u64);
}

/// Returns the names of the fields of a struct and their offsets.
macro_rules! offsets {
    ($type:ty: $($field:ident)*) => {
        [$((stringify!($field), std::mem::offset_of!($type, $field))),*]
    };
}
pub(crate) use offsets;

#[test]
fn rust_and_wgsl_agree_on_edges() {
    let corner = offsets!(PatchVertex: position uv shade curve rest outer inner depth inward);
    agree(&PATCH_LAYOUT, (HANDLE, "EdgeCorner"), &corner, size_of::<PatchVertex>());
    let record = offsets![
        EdgeRecord: anchor scale_center halves chord curve first_bound second_bound depth inward_threshold id
    ];
    agree(&RECORD_LAYOUT, (id_pass::SHADER, "Edge"), &record, size_of::<EdgeRecord>());
    let axes = offset_of!(GridRecord, axes);
    let [middle, rest @ ..] = offsets!(GridRecord: middle lines across_first size_px width color);
    let grid = [&[middle, ("first_axis", axes), ("second_axis", axes + 12)], &rest[..]].concat();
    agree(&GRID_LAYOUT, (grids::SHADER, "Grid"), &grid, size_of::<GridRecord>());
}

/// Asserts that the Rust struct and the WGSL struct of a uniform agree.
pub(crate) fn agree_on_uniform((source, shader): (&str, &str), rust: &[(&str, usize)], bytes: usize) {
    let module = parsed(source);
    let wanted = |(_, ty): &(_, &naga::Type)| ty.name.as_deref() == Some(shader);
    let (_, ty) = module.types.iter().find(wanted).expect("the shader has the struct");
    let TypeInner::Struct { members, span } = &ty.inner else { panic!("a struct") };
    let name = |m: &naga::StructMember| m.name.clone().expect("the member has a name");
    let wgsl: Vec<_> = members.iter().map(|m| (name(m), m.offset as usize)).collect();
    let rust: Vec<_> = rust.iter().map(|(name, offset)| ((*name).to_owned(), *offset)).collect();
    assert_eq!((wgsl, *span as usize), (rust, bytes));
}

#[test]
fn rust_and_wgsl_agree_on_scene_depth() {
    let source = [HANDLE, include_str!("../shaders/scene_depth.wgsl")].concat();
    let fields = offsets!(Uniform: factor offset nearer far error opacity stripes_per_px unused);
    agree_on_uniform((&source, "SceneDepth"), &fields, size_of::<Uniform>());
}

/// The constants that exist in Rust and in WGSL.
const SHARED: [(&str, &str, f64); 4] = [
    ("grid", "GRID_PIECES", GuideGrid::PIECES as f64),
    ("grid", "HALO_OPACITY", GuideGrid::HALO_OPACITY),
    ("grid", "MARGIN_PX", GuideGrid::MARGIN_PX),
    ("outline", "CELL", CELL as f64),
];

/// The constants that exist only in WGSL.
const SHADER_ONLY: [(&str, &str); 4] =
    [("color", "BACKGROUND"), ("grid", "LEAST_W"), ("outline", "STEEPEST"), ("scene_depth", "NO_CHORD")];

#[test]
fn shared_constants_are_equal_and_all_are_listed() {
    let shaders = [
        ("color", include_str!("../shaders/color.wgsl")),
        ("grid", include_str!("../shaders/grid.wgsl")),
        ("handle", include_str!("../shaders/handle.wgsl")),
        ("handle_ids", include_str!("../shaders/handle_ids.wgsl")),
        ("id_texel", include_str!("../shaders/id_texel.wgsl")),
        ("mask", include_str!("../shaders/mask.wgsl")),
        ("object", include_str!("../shaders/object.wgsl")),
        ("outline", include_str!("../shaders/outline.wgsl")),
        ("scene_depth", include_str!("../shaders/scene_depth.wgsl")),
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
