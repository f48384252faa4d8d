//! Checks that naga translates the stages of every pipeline for every back end of wgpu, with the options of wgpu-hal.

use super::shader_tests::parsed;
use crate::gpu::drawing::{grids, picture, scene_depth};
use crate::gpu::picking::id_pass;
use crate::scene;
use std::collections::{BTreeMap, BTreeSet};
use wgpu::naga::back::{glsl, hlsl, msl, pipeline_constants::process_overrides, spv};
use wgpu::naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy::*};
use wgpu::naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use wgpu::naga::{
    AddressSpace, DerivativeControl, Expression, GlobalVariable, Module, ResourceBinding, ShaderStage,
};

/// Pairs of a vertex and a fragment entry point.
type Pairs = &'static [[&'static str; 2]];

/// The entry points of the pipelines of each shader.
fn pipelines() -> [(&'static str, String, Pairs); 7] {
    [
        ("handle", picture::SHADER.to_owned(), &[["vs_handle", "fs_handle"]]),
        ("scene_depth", scene_depth::fade_shader(), &[["vs_faded", "fs_faded"]]),
        ("handle_ids", id_pass::SHADER.to_owned(), &[["vs_id", "fs_id"], ["vs_id", "fs_id_hidden"]]),
        ("grid", grids::SHADER.to_owned(), &[["vs_grid", "fs_grid"]]),
        (
            "outline",
            scene::OUTLINE_SHADER.to_owned(),
            &[
                ["vs_all", "fs_cells"],
                ["vs_all", "fs_near"],
                ["vs_near", "fs_marks"],
                ["vs_near", "fs_coverage"],
                ["vs_near", "fs_rows"],
                ["vs_lines", "fs_lines"],
            ],
        ),
        ("object", scene::OBJECT_SHADER.to_owned(), &[["vs_object", "fs_object"]]),
        ("mask", include_str!("../shaders/mask.wgsl").to_owned(), &[["vs_mask", "fs_mask"]]),
    ]
}

/// A language that wgpu-hal asks naga for.
#[derive(Debug, Clone, Copy)]
enum Language {
    Spirv { version: (u8, u8), has_robust_access: bool },
    Msl((u8, u8)),
    Hlsl(hlsl::ShaderModel),
    Glsl(glsl::Version),
}

const fn embedded(version: u16, is_webgl: bool) -> Language {
    Language::Glsl(glsl::Version::Embedded { version, is_webgl })
}

const LANGUAGES: [Language; 16] = [
    Language::Spirv { version: (1, 0), has_robust_access: false },
    Language::Spirv { version: (1, 3), has_robust_access: false },
    Language::Spirv { version: (1, 6), has_robust_access: true },
    Language::Msl((1, 2)),
    Language::Msl((2, 0)),
    Language::Msl((2, 4)),
    Language::Msl((4, 0)),
    Language::Hlsl(hlsl::ShaderModel::V5_1),
    Language::Hlsl(hlsl::ShaderModel::V6_0),
    embedded(300, true),
    embedded(300, false),
    embedded(310, false),
    embedded(320, false),
    Language::Glsl(glsl::Version::Desktop(330)),
    Language::Glsl(glsl::Version::Desktop(430)),
    Language::Glsl(glsl::Version::Desktop(450)),
];

/// A pipeline whose shader is valid on every device.
struct Pipeline<'a> {
    module: &'a Module,
    info: &'a ModuleInfo,
    entries: [&'a str; 2],
}

/// Returns one binding per resource of a shader, with its index.
fn bindings<T>(module: &Module, of: impl Fn(&ResourceBinding, &GlobalVariable, u8) -> T) -> Bindings<T> {
    let bound =
        module.global_variables.iter().filter_map(|(_, variable)| Some((variable.binding?, variable)));
    (0..).zip(bound).map(|(index, (binding, variable))| (binding, of(&binding, variable, index))).collect()
}

type Bindings<T> = BTreeMap<ResourceBinding, T>;

impl Pipeline<'_> {
    /// Translates both stages.
    fn translate(&self, language: Language) -> Result<(), String> {
        for (stage, entry) in [ShaderStage::Vertex, ShaderStage::Fragment].into_iter().zip(self.entries) {
            let constants = Default::default();
            let (module, info) = process_overrides(self.module, self.info, Some((stage, entry)), &constants)
                .map_err(|error| error.to_string())?;
            match language {
                Language::Spirv { version, has_robust_access } => {
                    spirv((&module, &info), (stage, entry), version, has_robust_access)
                }
                Language::Msl(version) => metal((&module, &info), (stage, entry), version),
                Language::Hlsl(model) => {
                    let fragment = (stage == ShaderStage::Vertex)
                        .then(|| hlsl::FragmentEntryPoint::new(self.module, self.entries[1]))
                        .flatten();
                    direct3d((&module, &info), (stage, entry), model, fragment.as_ref())
                }
                Language::Glsl(version) => opengl((&module, &info), (stage, entry), version),
            }
            .map_err(|error| format!("{entry}: {error}"))?;
        }
        Ok(())
    }
}

/// `wgpu_hal::vulkan::Adapter::device_from_raw` and `Device::compile_stage`.
fn spirv(
    (module, info): (&Module, &ModuleInfo),
    (shader_stage, entry): (ShaderStage, &str),
    lang_version: (u8, u8),
    has_robust_access: bool,
) -> Result<(), String> {
    use spv::Capability::*;
    let unless_robust = if has_robust_access { Unchecked } else { Restrict };
    let options = spv::Options {
        lang_version,
        flags: spv::WriterFlags::LABEL_VARYINGS | spv::WriterFlags::FORCE_POINT_SIZE,
        fake_missing_bindings: false,
        binding_map: bindings(module, |binding, _, _| spv::BindingInfo {
            descriptor_set: binding.group,
            binding: binding.binding,
            binding_array_size: None,
        }),
        capabilities: Some(
            [Shader, Matrix, Sampled1D, Image1D, ImageQuery, DerivativeControl, StorageImageExtendedFormats]
                .into_iter()
                .collect(),
        ),
        bounds_check_policies: BoundsCheckPolicies {
            index: Restrict,
            buffer: unless_robust,
            image_load: unless_robust,
            binding_array: Unchecked,
        },
        use_storage_input_output_16: false,
        ..Default::default()
    };
    let pipeline = spv::PipelineOptions { shader_stage, entry_point: entry.to_owned() };
    spv::write_vec(module, info, &options, Some(&pipeline)).map(|_| ()).map_err(|error| error.to_string())
}

/// `wgpu_hal::metal::Device::load_shader`.
fn metal(
    (module, info): (&Module, &ModuleInfo),
    (stage, entry): (ShaderStage, &str),
    lang_version: (u8, u8),
) -> Result<(), String> {
    let resources = msl::EntryPointResources {
        resources: bindings(module, |_, variable, index| match variable.space {
            AddressSpace::Uniform => msl::BindTarget { buffer: Some(index), ..Default::default() },
            _ => msl::BindTarget { texture: Some(index), ..Default::default() },
        }),
        immediates_buffer: None,
        sizes_buffer: Some(29),
    };
    let options = msl::Options {
        lang_version,
        per_entry_point_map: [(entry.to_owned(), resources)].into(),
        spirv_cross_compatibility: false,
        fake_missing_bindings: false,
        bounds_check_policies: BoundsCheckPolicies {
            index: Restrict,
            buffer: Restrict,
            image_load: Restrict,
            binding_array: Unchecked,
        },
        ..Default::default()
    };
    let pipeline = msl::PipelineOptions {
        entry_point: Some((stage, entry.to_owned())),
        vertex_pulling_transform: true,
        // naga unpacks attributes with functions of its own, whatever the shader.
        vertex_buffer_mappings: vec![msl::VertexBufferMapping { id: 30, stride: 16, ..Default::default() }],
        ..Default::default()
    };
    let (_, info) =
        msl::write_string(module, info, &options, &pipeline).map_err(|error| error.to_string())?;
    info.entry_point_names
        .into_iter()
        .try_for_each(|name| name.map(|_| ()).map_err(|error| error.to_string()))
}

/// `wgpu_hal::dx12::Device::create_pipeline_layout` and `load_shader`.
fn direct3d(
    (module, info): (&Module, &ModuleInfo),
    (stage, entry): (ShaderStage, &str),
    shader_model: hlsl::ShaderModel,
    fragment: Option<&hlsl::FragmentEntryPoint<'_>>,
) -> Result<(), String> {
    let options = hlsl::Options {
        shader_model,
        binding_map: bindings(module, |_, _, index| hlsl::BindTarget {
            register: index.into(),
            restrict_indexing: true,
            ..Default::default()
        }),
        fake_missing_bindings: false,
        special_constants_binding: Some(hlsl::BindTarget { space: 1, ..Default::default() }),
        ..Default::default()
    };
    let pipeline = hlsl::PipelineOptions { entry_point: Some((stage, entry.to_owned())) };
    let mut source = String::new();
    let written = hlsl::Writer::new(&mut source, &options, &pipeline).write(module, info, fragment);
    let names = written.map_err(|error| error.to_string())?.entry_point_names;
    names.into_iter().try_for_each(|name| name.map(|_| ()).map_err(|error| error.to_string()))
}

/// `wgpu_hal::gles::Device::create_pipeline_layout` and `create_shader`.
fn opengl(
    (module, info): (&Module, &ModuleInfo),
    (shader_stage, entry): (ShaderStage, &str),
    version: glsl::Version,
) -> Result<(), String> {
    let has_levels = matches!(version, glsl::Version::Desktop(430..));
    let options = glsl::Options {
        version,
        writer_flags: glsl::WriterFlags::ADJUST_COORDINATE_SPACE | glsl::WriterFlags::FORCE_POINT_SIZE,
        binding_map: bindings(module, |_, _, index| index),
        zero_initialize_workgroup_memory: true,
    };
    let pipeline = glsl::PipelineOptions { shader_stage, entry_point: entry.to_owned(), multiview: None };
    let policies = BoundsCheckPolicies {
        index: Unchecked,
        buffer: Unchecked,
        image_load: if has_levels { ReadZeroSkipWrite } else { Unchecked },
        binding_array: Unchecked,
    };
    let mut source = String::new();
    glsl::Writer::new(&mut source, module, info, &options, &pipeline, policies)
        .and_then(|mut writer| writer.write())
        .map(|_| ())
        .map_err(|error| error.to_string())
}

#[test]
fn every_pipeline_is_translated_for_every_back_end() {
    let mut refused = Vec::new();
    let mut translated = 0;
    for (name, source, pairs) in pipelines() {
        let module = parsed(&source);
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
        for entries in pairs {
            let pipeline = Pipeline { module: &module, info: &info, entries: *entries };
            for language in LANGUAGES {
                translated += 1;
                if let Err(error) = pipeline.translate(language) {
                    refused.push(format!("{name} in {language:?}: {error}"));
                }
            }
        }
        // GLSL ES and WebGL have no fine derivatives, and coarse ones may be those of another row or column.
        let expressions = module.entry_points.iter().map(|entry| &entry.function);
        let expressions = expressions.chain(module.functions.iter().map(|(_, function)| function));
        for (_, expression) in expressions.flat_map(|function| function.expressions.iter()) {
            let is_fine = matches!(expression, Expression::Derivative { ctrl: DerivativeControl::Fine, .. });
            assert!(!is_fine, "{name} has a fine derivative");
        }
        // The shader of depth styles follows that of handles.
        let before: Pairs = if name == "scene_depth" { &[["vs_handle", "fs_handle"]] } else { &[] };
        let used: BTreeSet<_> = pairs.iter().chain(before).flatten().copied().collect();
        let mut declared = module.entry_points.iter().map(|entry| entry.name.as_str());
        assert_eq!(declared.find(|entry| !used.contains(entry)), None, "{name} has an unused entry point");
    }
    assert!(refused.is_empty(), "{} of {translated}:\n{}", refused.len(), refused.join("\n"));
}
