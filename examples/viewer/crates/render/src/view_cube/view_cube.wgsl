// Draws the view cube: its colors (fs_color), its ids (fs_id), and its texture over the picture (fs_laid).

struct VertexInput {
    @location(0) position: vec3<f32>,
    @location(1) color: vec3<f32>,
    @location(2) id: u32,
}

struct Vertex {
    @builtin(position) @invariant position: vec4<f32>,
    @location(0) color: vec3<f32>,
    @location(1) @interpolate(flat) id: u32,
}

@vertex
fn vs_cube(in: VertexInput) -> Vertex {
    return Vertex(vec4(in.position, 1.0), in.color, in.id);
}

@fragment
fn fs_color(in: Vertex) -> @location(0) vec4<f32> {
    return vec4(in.color, 1.0);
}

struct Ids {
    @location(0) id: u32,
    @location(1) depth_bits: u32,
}

@fragment
fn fs_id(in: Vertex) -> Ids {
    return Ids(in.id, bitcast<u32>(in.position.z));
}

@group(0) @binding(0) var cube: texture_2d<f32>;

struct Composite {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn vs_composite(@builtin(vertex_index) vertex: u32) -> Composite {
    // Two triangles that cover the viewport, which is the square of the cube.
    let uv = vec2(f32(vertex & 1u), f32(vertex >> 1u));
    return Composite(vec4(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.0, 1.0), uv);
}

@fragment
fn fs_composite(in: Composite) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(cube));
    return textureLoad(cube, vec2<i32>(in.uv * size), 0);
}
