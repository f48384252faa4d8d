//! Creates shader modules and pipelines. No other file of the crate, except for tests, calls wgpu's constructors for
//! them, because those report errors to the device's error handler, which panics by default.

/// Creates pipelines in an error scope: see [`DeviceErrors::create_pipelines`](super::device_errors::DeviceErrors).
#[derive(Debug)]
pub(crate) struct PipelineFactory<'a> {
    pub(crate) device: &'a wgpu::Device,
}

/// A shader module, whose pipelines have its label.
#[derive(Debug)]
pub(crate) struct Shader<'a> {
    device: &'a wgpu::Device,
    module: wgpu::ShaderModule,
    label: &'a str,
}

/// The parts in which the pipelines of the crate differ.
#[derive(Debug, Clone)]
pub(crate) struct PipelineState<'a> {
    /// The vertex and the fragment entry point.
    pub(crate) entries: [&'a str; 2],
    /// The constants of the fragment stage.
    pub(crate) constants: &'a [(&'a str, f64)],
    /// The layouts of the bind groups; those of the shader if there are none.
    pub(crate) groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    pub(crate) buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub(crate) topology: wgpu::PrimitiveTopology,
    pub(crate) depth_stencil: Option<wgpu::DepthStencilState>,
    pub(crate) sample_count: u32,
    pub(crate) targets: &'a [Option<wgpu::ColorTargetState>],
}

impl Default for PipelineState<'_> {
    fn default() -> Self {
        Self {
            entries: [""; 2],
            constants: &[],
            groups: &[],
            buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            depth_stencil: None,
            sample_count: 1,
            targets: &[],
        }
    }
}

impl<'a> PipelineFactory<'a> {
    /// Only error scopes call this.
    pub(crate) fn new(device: &'a wgpu::Device) -> Self {
        Self { device }
    }

    pub(crate) fn shader(&self, label: &'a str, source: &str) -> Shader<'a> {
        let source = wgpu::ShaderSource::Wgsl(source.into());
        let descriptor = wgpu::ShaderModuleDescriptor { label: Some(label), source };
        Shader { device: self.device, module: self.device.create_shader_module(descriptor), label }
    }
}

impl Shader<'_> {
    pub(crate) fn pipeline(&self, state: &PipelineState<'_>) -> wgpu::RenderPipeline {
        let [vertex, fragment] = state.entries;
        let create_layout = || {
            self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(self.label),
                bind_group_layouts: state.groups,
                ..Default::default()
            })
        };
        let layout = (!state.groups.is_empty()).then(create_layout);
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: layout.as_ref(),
            vertex: wgpu::VertexState {
                module: &self.module,
                entry_point: Some(vertex),
                compilation_options: Default::default(),
                buffers: state.buffers,
            },
            primitive: wgpu::PrimitiveState { topology: state.topology, ..Default::default() },
            depth_stencil: state.depth_stencil.clone(),
            multisample: wgpu::MultisampleState { count: state.sample_count, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &self.module,
                entry_point: Some(fragment),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: state.constants,
                    ..Default::default()
                },
                targets: state.targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
